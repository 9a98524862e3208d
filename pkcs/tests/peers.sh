#!/usr/bin/env bash
# Files of BouncyCastle for the crate, and its files for BouncyCastle. Needs Java, Maven and its registry; says so if one
# is missing. Argument: the number of files.
set -euo pipefail
n=${1:-100}
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$here"/peers/. "$work"
cd "$work"
if ! command -v mvn java javac >/dev/null || ! mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib >mvn.log 2>&1; then
    echo "skipped: BouncyCastle: no Java, no Maven, or no network"
    echo "0 passed, 1 skipped"
    exit 0
fi
mkdir out files
javac -Xlint:none -cp 'lib/*' -d out Peers.java
java -cp 'lib/*:out' Peers write files "$n"
(cd "$here/.." && BULAT_PEERS=$work/files cargo test -q -p bulat-pkcs --test peers)
java -cp 'lib/*:out' Peers read files "$n"
echo "$((2 * n)) passed, 0 skipped"
