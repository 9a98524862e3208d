#!/usr/bin/env bash
# Measures the figures that README.md names, on an idle machine, and prints them with their bars: Bulat through JCA on each
# JDK from 17 on, by turns with calls from C; the JDK's own AES-CTR, AES-GCM, SHA-256; BouncyCastle; Spark. About three minutes after its builds, which it does first.
# BUILT=FOLDER has libbulat_java.so and libbulat_capi.so, instead of a release build.
#   bash bindings/java/bars.sh
set -euo pipefail
cd "$(dirname "$0")"
built=${BUILT:-${CARGO_TARGET_DIR:-$PWD/../../target}/release}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -n "${BUILT:-}" ] || cargo build --quiet --release -p bulat-java -p bulat-capi
mvn --quiet --batch-mode -DskipTests install
mvn --quiet --batch-mode -f bench compile dependency:build-classpath -Dmdep.outputFile=target/classpath
mvn --quiet --batch-mode -f spark test-compile
cp "$built/libbulat_capi.so" "$work/libbulat.so.0"
cc -O2 -I../c/include -o "$work/speed" ../c/examples/speed.c "$work/libbulat.so.0" "-Wl,-rpath,$work"
echo "built; load $(cut -d ' ' -f 1 /proc/loadavg)" >&2

for _ in 1 2 3; do
    "$work/speed" streebog256 kuznyechik-ctr kuznyechik-mgm >>"$work/c"
    for jdk in /usr/lib/jvm/*; do
        if [ -L "$jdk" ] || [ ! -x "$jdk/bin/javac" ]; then continue; fi
        version=$("$jdk/bin/java" -version 2>&1 | grep -o '[0-9]*' | head -n 1)
        if [ "$version" -lt 17 ]; then continue; fi
        "$jdk/bin/java" --enable-native-access=ALL-UNNAMED "-Dbulat.library=$built/libbulat_java.so" -cp "bench/target/classes:$(cat bench/target/classpath)" \
            io.github.bulatcrypto.bench.Bars | sed "s/^/$version /" >>"$work/java"
    done
done
mvn --batch-mode --quiet -f spark -Dtest=Measure -Dbulat.compiler=-XX:+TieredCompilation -Dbulat.library="$built/libbulat_java.so" test |
    grep -E '^(spark|rdd) ' >"$work/spark"

python3 - "$work" <<'PY'
import collections, pathlib, re, sys
work = pathlib.Path(sys.argv[1])
times = collections.defaultdict(lambda: float("inf"))
def least(key, value):
    times[key] = min(times[key], float(value))
for line in (work / "c").read_text().splitlines():
    for size, value in re.findall(r"(\d+): +[\d.]+ MB/s +(\d+) ns", line):
        least(("c", line.split()[0], int(size)), value)
for line in (work / "java").read_text().splitlines():
    jdk, who, name, size, value = line.split()
    least((int(jdk), who, name, int(size)), value)
rows = {}
for line in (work / "spark").read_text().splitlines():
    what, name, size, count, value = line.split()
    least((what, name, int(size)), value)
    rows[int(size)] = int(count)
print("-again: doFinal without init; -direct: between direct buffers; the others: init and doFinal in place, in arrays")
print(f"{'measure':54} {'bar':>12} {'measured':>12}")
def row(text, bar, value, good, unit):
    print(f"{text:54} {bar:>12} {value:>8.{0 if unit in ('ns', '%') else 2}f} {unit:3} {'' if good else 'MISSED'}")
for jdk in sorted({k[0] for k in times if isinstance(k[0], int)}):
    def bulat(name, size):
        return times[jdk, "Bulat", name, size]
    for name, bar in {"streebog256": 150, "kuznyechik-ctr-again": 100, "kuznyechik-ctr": 100, "kuznyechik-mgm": 100,
                      "kuznyechik-mgm-direct": 100}.items():
        c = name.removesuffix("-direct").removesuffix("-again")
        over = bulat(name, 16) - times["c", c, 16]
        row(f"JDK {jdk}: {name}, 16 B, over C", f"<= {bar} ns", over, over <= bar, "ns")
        theirs = times[jdk, "SUN" if name == "streebog256" else "SunJCE", name, 16]
        row(f"JDK {jdk}: {name}, 16 B, of the JDK's own", "-", bulat(name, 16) / theirs, True, "x")
        row(f"JDK {jdk}: {name}, 16 B, over C, of the JDK's own", "<= 1.5 x", over / theirs, over <= 1.5 * theirs, "x")
        part = 100 * times["c", c, 16384] / bulat(name, 16384)
        row(f"JDK {jdk}: {name}, 16 KB, of C", ">= 97 %", part, part >= 97, "%")
    for name, bar in [("streebog256", 10), ("kuznyechik-ctr", 300)]:
        ratio = times[jdk, "BC", name, 16384] / bulat(name, 16384)
        row(f"JDK {jdk}: {name}, 16 KB, of BouncyCastle", f">= {bar} x", ratio, ratio >= bar, "x")
for size, bar in [(16, 3), (1024, 2.2)]:
    for name in ["streebog256(b)", "gost.streebog256(b)"]:
        ratio = times["spark", name, size] / times["spark", "sha2(b,256)", size]
        row(f"Spark: {name}, {rows[size]} rows of {size} B, of sha2", f"<= {bar} x", ratio, ratio <= bar, "x")
    ratio = times["rdd", "one", size] / times["rdd", "many", size]
    row(f"Spark: batches of 4096 rows of {size} B, of one by one", "-", ratio, True, "x")
PY
