#!/usr/bin/env bash
# Files of BouncyCastle and of gost-engine for the crate, and its files for them: random keys, names and passwords, each cipher and
# each MAC that they have. Says so if one of them cannot be had.
# BULAT_PEER_FILES: the number of files of each, and for each; 100 by default. BULAT_PEER_BUILD: the options of `cargo test`.
set -euo pipefail
n=${BULAT_PEER_FILES:-100}
build=${BULAT_PEER_BUILD:---workspace --features bulat/rustcrypto,bulat/threads}
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 skipped=0
skip() { echo "skipped: $*"; skipped=$((skipped + 1)); }
# ours FOLDER CIPHER...: the crate opens the files of a folder, and writes its own with these ciphers.
ours() {
    printf '%s\n' "${@:2}" >"$1/ciphers"
    # shellcheck disable=SC2086
    (cd "$here/../.." && BULAT_PEERS=$1 cargo test --quiet $build --test exchange -- --nocapture) >"$work/log" 2>&1 ||
        { cat "$work/log"; exit 1; }
    grep -q "^$n files opened" "$work/log" || { cat "$work/log"; echo "not $n files"; exit 1; }
}

bouncy_castle() {
    cp -r "$here"/peers/. "$work"
    cd "$work"
    if ! command -v mvn >/dev/null || ! command -v java >/dev/null || ! command -v javac >/dev/null || ! mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib >mvn.log 2>&1; then
        skip "BouncyCastle: no Java, no Maven, or no network"
        return 0
    fi
    mkdir out bc
    javac -Xlint:none -cp 'lib/*' -d out Peers.java
    java -cp 'lib/*:out' Peers write bc "$n"
    # Its provider has none of RFC 9337's ciphers: Peers.java makes them of its engines.
    ours "$work/bc" kuznyechik-ctr-acpkm-omac kuznyechik-ctr-acpkm magma-ctr-acpkm-omac magma-ctr-acpkm
    java -cp 'lib/*:out' Peers read bc "$n"
    passed=$((passed + 2 * n))
}

gost_engine() {
    local i bits ciphers=(kuznyechik-ctr-acpkm magma-ctr-acpkm gost89 aes-256-cbc) macs=(md_gost12_512 md_gost12_256 md_gost94)
    mkdir "$work/engine"
    cd "$work/engine"
    printf 'openssl_conf = i\n[i]\nengines = e\n[e]\ngost = g\n[g]\nengine_id = gost\ndefault_algorithms = ALL\n' >conf
    export OPENSSL_CONF=$PWD/conf
    if ! openssl version | grep -q '^OpenSSL 3' || ! openssl engine gost >/dev/null 2>&1; then
        skip "gost-engine: no OpenSSL 3, or no engine (apt-get install libengine-gost-openssl)"
        return 0
    fi
    letters=(a b X 0 ' ' и Ж ю € '"')
    for ((i = 0; i < n; i++)); do
        bits=$((i % 2 ? 512 : 256))
        for ((j = RANDOM % 20; j >= 0; j--)); do printf %s "${letters[RANDOM % 10]}"; done >$i.pw
        openssl genpkey -algorithm gost2012_$bits -pkeyopt paramset:A -out pem
        openssl pkcs8 -topk8 -nocrypt -in pem -outform DER -out $i.key
        openssl req -x509 -new -key pem -md_gost12_$bits -subj "/CN=bulat $i" -out cert
        openssl x509 -in cert -outform DER -out $i.cer
        openssl pkcs8 -topk8 -v2 "${ciphers[i % 4]}" -v2prf id-tc26-hmac-gost-3411-2012-$bits -iter $((1000 + i)) \
            -passout file:$i.pw -in pem -outform DER -out $i.p8
        openssl pkcs12 -export -inkey pem -in cert -name "key $i" -passout file:$i.pw -iter $((1000 + i)) \
            -keypbe "${ciphers[i % 4]}" -certpbe "${ciphers[(i / 4) % 4]}" -macalg "${macs[i % 3]}" -out $i.p12
    done
    ours "$work/engine" kuznyechik-ctr-acpkm magma-ctr-acpkm
    for ((i = 0; i < n; i++)); do
        openssl pkcs8 -inform DER -in ours$i.p8 -passin file:$i.pw | openssl pkcs8 -topk8 -nocrypt -outform DER | cmp - $i.key
        openssl pkcs12 -in ours$i.p12 -passin file:$i.pw -nodes -out all
        openssl pkcs8 -topk8 -nocrypt -in all -outform DER | cmp - $i.key
        openssl x509 -in all -outform DER | cmp - $i.cer
        ! openssl pkcs12 -in ours$i.p12 -passin pass:wrong -nodes -out all 2>/dev/null || { echo "gost-engine opens with any password"; exit 1; }
    done
    echo "gost-engine: $n files there, $n files back"
    passed=$((passed + 2 * n))
}

bouncy_castle
gost_engine
echo "$passed passed, $skipped skipped"
