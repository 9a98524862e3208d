#!/usr/bin/env bash
# The Java provider: its tests on each JDK from 17 on, and its jars, loaded from the class path.
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ "${CI:-}" = true ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    (apt-get update && apt-get install -y --no-install-recommends maven openjdk-17-jdk-headless) >/dev/null 2>&1 || true
fi
if ! command -v mvn >/dev/null || ! command -v javac >/dev/null; then
    echo "skipped: no JDK or no Maven (apt-get install maven openjdk-17-jdk-headless)"
    exit 0
fi
# Build as the tests of the workspace do, so that the library is not compiled again.
cargo build --quiet --workspace --lib --bins --test compat --features bulat/rustcrypto,bulat/threads,bulat-python/gpu
built=$(cd "${CARGO_TARGET_DIR:-target}" && pwd)/debug
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd bindings/java
if ! mvn --quiet --batch-mode dependency:resolve dependency:resolve-plugins >"$work/resolve" 2>&1; then
    echo "skipped: the packages of the tests cannot be downloaded: $(grep -m 1 ERROR "$work/resolve")"
    exit 0
fi
for jdk in $(ls -d /usr/lib/jvm/*/ 2>/dev/null); do
    if [ -L "${jdk%/}" ] || [ ! -x "$jdk/bin/javac" ]; then continue; fi
    version=$("$jdk/bin/javac" -version 2>&1 | grep -o '[0-9]*' | head -n 1)
    if [ "$version" -lt 17 ]; then continue; fi
    echo "JDK $version"
    JAVA_HOME=$jdk mvn --quiet --batch-mode -Dbulat.library="$built/libbulat_java.so" test
    passed=$(python3 - target/surefire-reports <<'PY'
import pathlib, re, sys
texts = [f.read_text() for f in pathlib.Path(sys.argv[1]).glob("TEST-*.xml")]
tests, skipped = (sum(int(re.search(rf'<testsuite[^>]* {n}="(\d+)"', t)[1]) for t in texts) for n in ("tests", "skipped"))
print(f"{tests - skipped} passed, {skipped} skipped")
PY
    )
    echo "$passed"
done
BULAT_NATIVE="$built/libbulat_java.so" bash jars.sh "$work/jars"
