#!/usr/bin/env bash
# The Java provider: tests and vectors on each JDK from 17 on, its functions for Spark, and its jars, loaded from the class path.
# LIBRARY=FILE tests that build of the native library.
source "$(dirname "$0")/common"
tools/ci/apt maven openjdk-17-jdk-headless
if ! command -v mvn >/dev/null || ! command -v javac >/dev/null; then
    echo "skipped: no JDK or no Maven (apt-get install maven openjdk-17-jdk-headless)"
    exit 0
fi
if [ -z "${LIBRARY:-}" ]; then
    build --features bulat-python/gpu
    LIBRARY=$built/libbulat_java.so
fi
LIBRARY=$(realpath "$LIBRARY")
# Maven's own work is short.
export MAVEN_OPTS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd bindings/java
if ! mvn --quiet --batch-mode dependency:resolve dependency:resolve-plugins >"$work/resolve" 2>&1; then
    echo "skipped: the packages of the tests cannot be downloaded: $(grep -m 1 ERROR "$work/resolve")"
    exit 0
fi
# Prints the totals of the tests that ran in a folder.
totals() {
    python3 - "$1/target/surefire-reports" <<'PY'
import pathlib, re, sys
texts = [f.read_text() for f in pathlib.Path(sys.argv[1]).glob("TEST-*.xml")]
tests, skipped = (sum(int(re.search(rf'<testsuite[^>]* {n}="(\d+)"', t)[1]) for t in texts) for n in ("tests", "skipped"))
print(f"{tests - skipped} passed, {skipped} skipped")
PY
}
for jdk in /usr/lib/jvm/*; do
    if [ -L "$jdk" ] || [ ! -x "$jdk/bin/javac" ]; then continue; fi
    version=$("$jdk/bin/javac" -version 2>&1 | grep -o '[0-9]*' | head -n 1)
    if [ "$version" -lt 17 ]; then continue; fi
    echo "JDK $version"
    if [ "$version" -ge "${most:-0}" ]; then most=$version newest=$jdk; fi
    JAVA_HOME=$jdk mvn --quiet --batch-mode -Dbulat.library="$LIBRARY" test
    totals .
    face AEADBadTagException "$jdk/bin/java" -Xcheck:jni --enable-native-access=ALL-UNNAMED -Dbulat.library="$LIBRARY" \
        -cp target/classes:target/test-classes io.github.bulatcrypto.Serve
done
[ -n "${newest:-}" ] || { echo "skipped: no JDK from 17 on in /usr/lib/jvm (apt-get install openjdk-17-jdk-headless)"; exit 0; }
JAVA_HOME=$newest mvn --quiet --batch-mode -DskipTests install
if ! daily 3 "Spark"; then
    :
elif mvn --quiet --batch-mode -f spark dependency:resolve >"$work/resolve" 2>&1; then
    mvn --quiet --batch-mode -f spark -Dbulat.library="$LIBRARY" test
    totals spark
else
    echo "skipped: Spark cannot be downloaded: $(grep -m 1 ERROR "$work/resolve")"
fi
JAVA_HOME=$newest BULAT_NATIVE=$LIBRARY bash jars.sh "$work/jars"

# PySpark of this version: PYTHON has it, or with BULAT_PYSPARK=install the registry, which sends 430 MB.
spark=$(grep -A 1 'spark-sql_2.13</artifactId>' spark/pom.xml | sed -n 's:.*<version>\(.*\)</version>:\1:p')
python=${PYTHON:-python3}
if [ "${BULAT_PYSPARK:-}" = install ] && python3 -m venv "$work/venv" && "$work/venv/bin/pip" install --quiet "pyspark==$spark"; then
    python=$work/venv/bin/python
fi
if [ "$("$python" -c 'import pyspark; print(pyspark.__version__)' 2>/dev/null)" = "$spark" ]; then
    mvn --quiet --batch-mode -f spark -DskipTests package
    "$python" spark/src/test/python/functions.py "$(echo "$work"/jars/*-all.jar),$(echo spark/target/bulat-spark_*.jar)"
else
    echo "skipped: PySpark: $python has no pyspark $spark (PYTHON names another; BULAT_PYSPARK=install downloads 430 MB)"
fi
