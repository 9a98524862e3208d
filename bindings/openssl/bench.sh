#!/usr/bin/env bash
# The speed of the provider, of gostprov, of the library, and of an AES of OpenSSL's default provider.
#   bindings/openssl/bench.sh [MODULE]    the module is built in release form unless it is named
# Two tables: calls of EVP by this program's clock, the least of several runs (ns a call, MB/s), and `openssl speed -evp`.
# Then PBKDF2: iterations a second. BENCH_SECONDS=3 for steadier figures of `openssl speed`; BENCH_SIZES="0 16 32" for
# these sizes; BENCH_ROUNDS=20 for the least of as many rounds, in which library, providers and AES take turns.
# NAME+init is a call on a context that begins anew: with an IV; a digest by Init, Update and Final.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=${CARGO_TARGET_DIR:-target}
module=${1:-}
if [ -z "$module" ]; then
    cargo build --quiet --release -p openssl-provider-bulat
    module=$target/release/libbulat_provider.so
fi
cargo build --quiet --release -p openssl-provider-bulat --example own
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$module" "$work/bulat.so"
cc -O2 -o "$work/evp" bindings/openssl/tests/evp/*.c -lcrypto -lpthread
export BULAT_MODULES=$work

names="md_gost12_512 kuznyechik-ctr kuznyechik-cbc kuznyechik-mgm magma-ctr magma-cbc gost89"
export BENCH_SIZES=${BENCH_SIZES:-16 64 256 1500 16384}
sizes=$BENCH_SIZES
has_peer=yes
openssl list -provider gostprov -digest-algorithms >/dev/null 2>&1 || { has_peer=; echo "skipped: gostprov is not installed"; }

init="md_gost12_512+init kuznyechik-ctr+init kuznyechik-cbc+init magma-ctr+init"
aes="AES-256-CTR AES-256-CTR+init AES-256-CBC AES-256-CBC+init SHA256 SHA256+init"
for _ in $(seq "${BENCH_ROUNDS:-1}"); do
    "$target/release/examples/own" $names $init >> "$work/own"
    "$work/evp" speed bulat $names $init >> "$work/bulat"
    "$work/evp" speed default $aes >> "$work/default"
    if [ -n "$has_peer" ]; then "$work/evp" speed gostprov $names $init >> "$work/gostprov"; fi
done

# The least of all rounds.
least() { awk -v n="$2" -v s="$3" '$1 == n && $2 == s && (!best || $3 < best) { best = $3; speed = $4 } END { if (best) print best, speed }' "$work/$1" 2>/dev/null; }
cell() { least "$@" | awk '{ printf "%s ns, %s MB/s", $1, $2 }'; }
echo "| name | bytes | library | bulat | gostprov | times |"
echo "|---|--:|--:|--:|--:|--:|"
for name in $names $init; do
    for size in $sizes; do
        times=$(echo "$(least bulat "$name" "$size") $(least gostprov "$name" "$size")" | awk 'NF == 4 { printf "%.2f", $3 / $1 }')
        echo "| $name | $size | $(cell own "$name" "$size") | $(cell bulat "$name" "$size") | $(cell gostprov "$name" "$size") | $times |"
    done
done
for name in $aes; do
    for size in $sizes; do echo "| $name (default) | $size | | $(cell default "$name" "$size") | | |"; done
done

echo
echo "openssl speed -evp, MB/s:"
speed() { # PROVIDER NAME SIZE
    openssl speed -mr -elapsed -seconds "${BENCH_SECONDS:-1}" -bytes "$3" -provider-path "$work" -provider "$1" -provider default \
        -evp "$2" 2>/dev/null | awk -F: '/^\+F/ { printf "%.1f", $NF / 1e6 }'
}
unset_path() { # gostprov is in OpenSSL's own folder
    openssl speed -mr -elapsed -seconds "${BENCH_SECONDS:-1}" -bytes "$2" -provider gostprov -provider default \
        -evp "$1" 2>/dev/null | awk -F: '/^\+F/ { printf "%.1f", $NF / 1e6 }'
}
echo "| name | bytes | bulat | gostprov |"
echo "|---|--:|--:|--:|"
for name in $names; do
    for size in $sizes; do
        echo "| $name | $size | $(speed bulat "$name" "$size") | ${has_peer:+$(unset_path "$name" "$size")} |"
    done
done

echo
echo "PBKDF2, iterations a second:"
iterations=20000
pbkdf2() { # words of the provider, name, options
    local start end
    start=$(date +%s%N)
    openssl kdf "${@:2}" -keylen 64 -kdfopt pass:password -kdfopt salt:salt -kdfopt iter:$iterations "$1" >/dev/null
    end=$(date +%s%N)
    awk -v ns=$((end - start)) -v n=$iterations 'BEGIN { printf "%.0f\n", n / ns * 1e9 }'
}
ours=(-provider-path "$work" -provider bulat -provider default)
echo "PBKDF2 of the default provider over bulat: $(pbkdf2 PBKDF2 "${ours[@]}" -kdfopt digest:md_gost12_512)"
echo "pbkdf2-hmac-streebog512 of bulat: $(pbkdf2 pbkdf2-hmac-streebog512 "${ours[@]}")"
if [ -n "$has_peer" ]; then
    echo "PBKDF2 over gostprov: $(pbkdf2 PBKDF2 -provider gostprov -provider default -kdfopt digest:md_gost12_512)"
fi
