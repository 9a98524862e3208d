#!/usr/bin/env bash
# Times Bulat and BouncyCastle through JCA: without arguments by turns, in processor time, for a machine with other work;
# with arguments by JMH, which gets them, on an idle one.
#   bash bindings/java/bench.sh [-f 1 -wi 2 -i 3 ...]
set -euo pipefail
cd "$(dirname "$0")"
cargo build --quiet --release -p bulat-java
mvn --quiet --batch-mode -DskipTests install
mvn --quiet --batch-mode -f bench compile dependency:build-classpath -Dmdep.outputFile=target/classpath
library=${CARGO_TARGET_DIR:-$PWD/../../target}/release/libbulat_java.so
run=(java "-Dbulat.library=$library" -cp "bench/target/classes:$(cat bench/target/classpath)")
if [ $# = 0 ]; then
    "${run[@]}" io.github.bulatcrypto.bench.Turns
else
    "${run[@]}" org.openjdk.jmh.Main -jvmArgsAppend "-Dbulat.library=$library" "$@"
fi
