#!/usr/bin/env bash
# The OpenSSL provider in real programs: openssl, Python, OpenVPN; its calls under valgrind.
# It names missing programs. MODULE=FILE tests that build; the default is the newest of this checkout.
source "$(dirname "$0")/common"
# tools/ci/2-test.sh has built a module; features of other packages do not affect it.
module=${MODULE:-$(newest libbulat_provider.so)}
if [ -z "$module" ]; then
    cargo build --release -p openssl-provider-bulat
    module=$target/release/libbulat_provider.so
fi
tools/ci/apt libssl-dev libengine-gost-openssl openvpn iproute2 valgrind xxd
if ! openssl version 2>/dev/null | grep -q '^OpenSSL [3-9]'; then
    echo "skipped: OpenSSL 3 or later is not installed (apt-get install openssl)"
    exit 0
fi

work=$(mktemp -d)
pids=()
clean() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    for name in bulat-a bulat-b; do ip netns del "$name" 2>/dev/null || true; done
    rm -rf "$work"
}
trap clean EXIT
# A folder with our module and the system's modules.
system=$(openssl version -m | sed -n 's/.*"\(.*\)"/\1/p')
mkdir "$work/modules"
for file in "$system"/*.so; do
    if [ -e "$file" ]; then ln -s "$file" "$work/modules/"; fi
done
cp "$module" "$work/modules/bulat.so"
export OPENSSL_MODULES=$work/modules OPENSSL_CONF=$PWD/bindings/openssl/openssl.cnf
peer=
if [ -e "$work/modules/gostprov.so" ]; then peer=yes; else echo "skipped: gostprov is not installed (apt-get install libengine-gost-openssl)"; fi
passed=0
same() { # WHAT GOT WANT
    if [ "$2" != "$3" ]; then
        printf 'WRONG %s\n  %s\nnot\n  %s\n' "$1" "$2" "$3"
        exit 1
    fi
    passed=$((passed + 1))
}
openssl version
key=8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef

# openssl, compared with the answers of the standards.
same "dgst" "$(printf abc | openssl dgst -md_gost12_256 -r | cut -c1-64)" \
    4e2919cf137ed41ec4fb6270c61826cc4fffb660341e0af3688cd0626d23b481
block=1122334455667700ffeeddccbbaa9988
same "enc, ECB" "$(xxd -r -p <<<$block | openssl enc -kuznyechik-ecb -K $key -nopad | xxd -p)" 7f679d90bebc24305a468d42b9d4edcd
text=1122334455667700ffeeddccbbaa998800112233445566778899aabbcceeff0a
same "enc, CTR" "$(xxd -r -p <<<$text | openssl enc -kuznyechik-ctr -K $key -iv 1234567890abcef0 | xxd -p -c 64)" \
    f195d8bec10ed1dbd57b5fa240bda1b885eee733f6a13e5df33ce4b33c45dee4
same "mac" "$(xxd -r -p <<<${text}112233445566778899aabbcceeff0a002233445566778899aabbcceeff0a0011 |
    openssl mac -macopt hexkey:$key -macopt size:8 kuznyechik-mac)" 336F4D296059FBE3
same "kdf, KDF_TREE" "$(openssl kdf -keylen 32 -kdfopt hexkey:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f \
    -kdfopt hexlabel:26bdb878 -kdfopt hexseed:af21434145656378 KDF_GOSTR3411_2012_256 | tr -d ':\n')" \
    A1AA5F7DE402D7B3D323F2991C8D4534013137010A83754FD0AF6D7CD4922ED9
both() { openssl kdf -keylen 64 -kdfopt pass:password -kdfopt salt:salt -kdfopt iter:1 "$@" | tr -d ':\n'; }
same "kdf, PBKDF2 of the default provider" "$(both -kdfopt digest:md_gost12_512 PBKDF2)" "$(both pbkdf2-hmac-streebog512)"
same "kdf, PBKDF2 is the standard's" "$(both pbkdf2-hmac-streebog512 | cut -c1-16)" 64770AF7F748C3B1
head -c 100001 /dev/urandom > "$work/file"
sum=$(sha256sum < "$work/file")
for cipher in $(openssl list -cipher-algorithms | grep '@ bulat' | tr -d '{},' | tr ' ' '\n' |
    grep -xE '(kuznyechik|magma|gost89)(-[a-z0-9-]*)?' | grep -vE 'mgm|omac|xts' | sort -u); do
    openssl enc "-$cipher" -pass pass:secret -pbkdf2 -iter 100 -md md_gost12_512 -in "$work/file" -out "$work/sealed"
    same "enc -d -$cipher" "$(openssl enc -d "-$cipher" -pass pass:secret -pbkdf2 -iter 100 -md md_gost12_512 -in "$work/sealed" | sha256sum)" "$sum"
done
[ "$(openssl list -digest-algorithms -cipher-algorithms -mac-algorithms -kdf-algorithms | grep -c '@ bulat')" -ge 40 ]
openssl speed -seconds 1 -bytes 1024 -evp kuznyechik-ctr >/dev/null 2>&1
echo "openssl dgst, enc, mac, kdf, list, speed: $passed right"

# With the other providers, in any order of loading: a property query chooses.
orders="bulat,default default,bulat bulat,default,legacy legacy,bulat,default"
if [ -n "$peer" ]; then
    orders="$orders gostprov,bulat,default bulat,gostprov,default default,gostprov,bulat legacy,default,bulat,gostprov"
    # One encrypts, the other decrypts.
    one() { OPENSSL_CONF=/dev/null openssl "$1" -provider "$2" -provider default "${@:3}"; }
    for cipher in kuznyechik-cbc magma-cbc gost89 kuznyechik-ctr-acpkm; do
        one enc bulat "-$cipher" -K $key -iv 0011223344556677 -in "$work/file" -out "$work/sealed" 2>/dev/null
        same "gostprov opens $cipher" "$(one enc gostprov -d "-$cipher" -K $key -iv 0011223344556677 -in "$work/sealed" 2>/dev/null | sha256sum)" "$sum"
    done
fi
for order in $orders; do
    options=$(sed 's/^/-provider /; s/,/ -provider /g' <<<"$order")
    # shellcheck disable=SC2086
    got=$(printf abc | OPENSSL_CONF=/dev/null openssl dgst $options -propquery provider=bulat -md_gost12_256 -r | cut -c1-8)
    same "$order" "$got" 4e2919cf
done
echo "orders of loading: $(wc -w <<<"$orders")"

# The test program; with glibc it also inspects freed memory. A probe of one line decides whether it can be built here, so that
# an error in the program is not mistaken for a missing header.
can() { # FLAG...
    printf '#include <openssl/evp.h>\nint main(void) { return EVP_MD_CTX_new() == NULL; }\n' |
        cc "$@" -x c -o "$work/probe" - -lcrypto -lpthread 2>/dev/null
}
evp() { # PROGRAM FLAG...
    cc -O1 -g "${@:2}" -o "$1" bindings/openssl/tests/evp/*.c -lcrypto -lpthread
}
headers=
if can; then headers=yes; fi
if [ -z "$headers" ]; then
    echo "skipped: freed memory, queries for a provider: no C compiler or no headers (apt-get install gcc libssl-dev)"
elif getconf GNU_LIBC_VERSION >/dev/null 2>&1; then
    evp "$work/evp" -DWITH_FREED
    BULAT_MODULES=$work/modules "$work/evp" wiped
    passed=$((passed + 1))
else
    evp "$work/evp"
    echo "skipped: freed memory: the C library is not glibc"
fi

# The queries of README.md choose the provider, in any order of a configuration. Without a query OpenSSL promises nothing.
if [ -n "$headers" ] && [ -n "$peer" ]; then
    # The file with its comments enabled.
    sed -E 's/^#([a-z_]+ = |\[)/\1/; /^(module|CRYPT_PARAMS)/d' bindings/openssl/openssl.cnf > "$work/bulat-first.cnf"
    sed '/^bulat = /d; s/^gostprov = .*/&\nbulat = bulat_section/' "$work/bulat-first.cnf" > "$work/gostprov-first.cnf"
    for order in bulat-first gostprov-first; do
        chosen() { OPENSSL_CONF=$work/chosen.cnf "$work/evp" who kuznyechik-cbc magma-ctr kuznyechik-xts | tr '\n' ' '; }
        cp "$work/$order.cnf" "$work/chosen.cnf"
        same "?provider!=bulat, $order" "$(chosen)" "kuznyechik-cbc gostprov magma-ctr gostprov kuznyechik-xts bulat "
        sed -i 's/?provider!=bulat$/?provider=bulat/' "$work/chosen.cnf"
        same "?provider=bulat, $order" "$(chosen)" "kuznyechik-cbc bulat magma-ctr bulat kuznyechik-xts bulat "
        sed -i '/^alg_section/d' "$work/chosen.cnf"
        echo "without a query, $order: $(chosen)"
    done
fi

# Without object identifiers: the table of containers in README.md, its successes and its error messages.
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=a -keyout "$work/rsa.key" -out "$work/rsa.pem" 2>/dev/null
wrong() { # COMMAND...
    printf 'WRONG %s\n' "$*"
    cat "$work/said"
    exit 1
}
works() { # COMMAND...
    "$@" > "$work/said" 2>&1 </dev/null || wrong "$*: fails"
    passed=$((passed + 1))
}
refuses() { # WORDS COMMAND...: the command fails with these words.
    ! "${@:2}" > "$work/said" 2>&1 </dev/null || wrong "${*:2}: works"
    grep -q "$1" "$work/said" || wrong "${*:2}: not $1"
    passed=$((passed + 1))
}
refuses "unsupported content encryption" openssl cms -encrypt -kuznyechik-ctr-acpkm -in "$work/file" -out "$work/out" "$work/rsa.pem"
refuses "unknown digest" openssl cms -digest_create -md md_gost12_256 -in "$work/file" -out "$work/out"
refuses "no object identifier" openssl pkcs8 -topk8 -v2 kuznyechik-ctr-acpkm -passout pass:x -in "$work/rsa.key" -out "$work/out"
works openssl pkcs8 -topk8 -v2 aes-256-cbc -v2prf id-tc26-hmac-gost-3411-2012-512 -passout pass:x -in "$work/rsa.key" -out "$work/k8"
works openssl pkcs8 -passin pass:x -in "$work/k8" -out "$work/out"
refuses "unknown digest" openssl pkcs12 -export -inkey "$work/rsa.key" -in "$work/rsa.pem" -passout pass:x -macalg md_gost12_512 -out "$work/out"
refuses unsupported openssl dgst -mac kuznyechik-mac -macopt hexkey:$key "$work/file"
works openssl dgst -md_gost12_256 -hmac key "$work/file"
works openssl mac -cipher kuznyechik-cbc -macopt hexkey:$key -in "$work/file" CMAC
engine=$(openssl version -e | sed -n 's/.*"\(.*\)"/\1/p')/gost.so
if [ -e "$engine" ]; then
    printf 'openssl_conf = i\n[i]\nengines = e\n[e]\ngost = g\n[g]\nengine_id = gost\ndefault_algorithms = ALL\n' > "$work/engine.cnf"
    OPENSSL_CONF=$work/engine.cnf openssl pkcs8 -topk8 -v2 kuznyechik-ctr-acpkm -passout pass:x -in "$work/rsa.key" -out "$work/k8"
    OPENSSL_CONF=$work/engine.cnf openssl pkcs12 -export -inkey "$work/rsa.key" -in "$work/rsa.pem" -passout pass:x -macalg md_gost12_512 \
        -keypbe kuznyechik-ctr-acpkm -certpbe kuznyechik-ctr-acpkm -out "$work/p12"
    # libcrypto derives the MAC's key by RFC 7292, since a provider's digest has no number.
    LEGACY_GOST_PKCS12=1 OPENSSL_CONF=$work/engine.cnf openssl pkcs12 -export -inkey "$work/rsa.key" -in "$work/rsa.pem" -passout pass:x \
        -macalg md_gost12_512 -keypbe aes-256-cbc -certpbe aes-256-cbc -out "$work/older"
    works openssl pkcs12 -in "$work/older" -passin pass:x -nodes -out "$work/out"
    works openssl pkcs8 -passin pass:x -in "$work/k8" -out "$work/out"
    refuses "invalid password" openssl pkcs12 -in "$work/p12" -passin pass:x -nodes -out "$work/out"
    works openssl pkcs12 -in "$work/p12" -passin pass:x -nodes -nomacver -out "$work/out"
else
    echo "skipped: gost-engine's engine is not installed (apt-get install libengine-gost-openssl)"
fi
echo "containers: as in README.md"

# Python's standard library.
python=$(command -v python3 || true)
if [ -z "$python" ] || ! "$python" -c 'import ssl, sys; sys.exit(ssl.OPENSSL_VERSION_INFO < (3,))' 2>/dev/null; then
    echo "skipped: no Python over OpenSSL 3"
else
    "$python" - <<'P'
import hashlib, hmac
assert hashlib.new("md_gost12_256", b"abc").hexdigest().startswith("4e2919cf137ed41e")
whole, pieces = hashlib.new("md_gost12_512", b"x" * 100000), hashlib.new("md_gost12_512")
for _ in range(1000):
    pieces.update(b"x" * 100)
    copy = pieces.copy()
assert whole.digest() == pieces.digest() == copy.digest()
key = bytes(range(32))
assert hmac.new(key, bytes.fromhex("0126bdb87800af214341456563780100"), "md_gost12_256").hexdigest().startswith("a1aa5f7d")
assert hashlib.pbkdf2_hmac("md_gost12_512", b"password", b"salt", 1, 64).hex().startswith("64770af7f748c3b1")
print("Python: hashlib, hmac, pbkdf2_hmac")
P
fi

# OpenVPN: a tunnel between two network namespaces; received traffic is compared with sent traffic.
vpn() { # CIPHER AUTH PROVIDER PROVIDER
    local cipher=$1 auth=$2 side other tried
    : > "$work/a.log"
    : > "$work/b.log"
    for side in a b; do
        ip netns add bulat-$side
        if [ ! -e "$work/$side.pem" ]; then
            OPENSSL_CONF=/dev/null openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=$side" \
                -keyout "$work/$side.key" -out "$work/$side.pem" 2>/dev/null
        fi
    done
    ip link add bulat-a netns bulat-a type veth peer name bulat-b netns bulat-b
    for side in a b; do
        local here=1 there=2 role=--tls-server provider=$3
        other=b
        if [ $side = b ]; then here=2 there=1 role=--tls-client provider=$4 other=a; fi
        ip -n bulat-$side addr add 10.77.0.$here/24 dev bulat-$side
        ip -n bulat-$side link set bulat-$side up
        ip -n bulat-$side link set lo up
        # shellcheck disable=SC2046
        OPENSSL_CONF=/dev/null ip netns exec bulat-$side openvpn --dev tun --ifconfig 10.78.0.$here 10.78.0.$there --proto udp \
            --local 10.77.0.$here --remote 10.77.0.$there $role $([ $side = b ] || echo --dh none) --cert "$work/$side.pem" \
            --key "$work/$side.key" --peer-fingerprint "$(openssl x509 -in "$work/$other.pem" -noout -fingerprint -sha256 | cut -d= -f2)" \
            --providers $provider $([ $provider = default ] || echo default) --data-ciphers "$cipher" --cipher "$cipher" \
            --auth "$auth" --allow-compression no --verb 3 > "$work/$side.log" 2>&1 &
        pids+=($!)
    done
    for tried in $(seq 300); do
        if grep -q "Data Channel: cipher" "$work/a.log" && grep -q "Data Channel: cipher" "$work/b.log"; then break; fi
        sleep 0.2
    done
    grep -q "Data Channel: cipher '$cipher', auth" "$work/b.log" ||
        { echo "OpenVPN $*: no tunnel under $cipher and $auth"; tail -n 20 "$work/a.log" "$work/b.log"; exit 1; }
    if grep -iE "authenticate/decrypt|HMAC authentication failed" "$work/a.log" "$work/b.log"; then exit 1; fi
    ip netns exec bulat-b python3 -c '
import hashlib, socket, time
server = socket.create_server(("10.78.0.2", 5001))
server.settimeout(60)
link, _ = server.accept()
sum, count, start = hashlib.sha256(), 0, time.monotonic()
while data := link.recv(1 << 16):
    sum.update(data)
    count += len(data)
    last = time.monotonic()
print(count, sum.hexdigest(), "%.1f" % (count / (last - start) / 1e6))' > "$work/received" &
    local receiver=$!
    ip netns exec bulat-a python3 -c '
import hashlib, os, socket, time
for _ in range(600):
    try:
        link = socket.create_connection(("10.78.0.2", 5001), timeout=5)
        break
    except OSError:
        time.sleep(0.1)
link.settimeout(60)
sum, count, end, block = hashlib.sha256(), 0, time.monotonic() + 2, os.urandom(1 << 16)
while time.monotonic() < end:
    link.sendall(block)
    sum.update(block)
    count += len(block)
link.close()
print(count, sum.hexdigest())' > "$work/sent"
    wait "$receiver"
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait "${pids[@]}" 2>/dev/null || true
    pids=()
    ip netns del bulat-a
    ip netns del bulat-b
    same "OpenVPN $*: received as sent" "$(cut -d' ' -f1,2 "$work/received")" "$(cat "$work/sent")"
    printf 'OpenVPN %-14s %-14s %s to %s: %s MB/s\n' "$cipher" "$auth" "$3" "$4" "$(cut -d' ' -f3 "$work/received")"
}
if ! command -v openvpn >/dev/null; then
    echo "skipped: OpenVPN is not installed (apt-get install openvpn)"
elif [ -z "$python" ] || ! command -v ip >/dev/null; then
    echo "skipped: OpenVPN: no python3 or no ip (apt-get install iproute2)"
elif ! (exec 3<>/dev/net/tun) 2>/dev/null || ! ip netns add bulat-a 2>/dev/null; then
    echo "skipped: OpenVPN: no /dev/net/tun, or no right to make network namespaces"
elif ! ip -n bulat-a link add bulat-a type veth peer name bulat-b 2>/dev/null; then
    echo "skipped: OpenVPN: the kernel has no veth"
    ip netns del bulat-a
else
    ip netns del bulat-a
    for cipher in kuznyechik-cbc magma-cbc; do
        vpn $cipher md_gost12_256 bulat bulat
        if [ -n "$peer" ]; then
            vpn $cipher md_gost12_256 bulat gostprov
            vpn $cipher md_gost12_256 gostprov gostprov
        fi
    done
    vpn AES-256-CBC SHA256 default default
fi

# This module under other versions of OpenSSL, unpacked and not installed: the test program checks all names.
other() { # SUITE
    local suite=$1 there=$work/$1/usr lib triple
    lib=$(echo "$there"/lib/*-linux-gnu)
    triple=$(basename "$lib")
    cc -O1 -DWITH_FREED -o "$work/evp-$suite" -I"$there/include" -I"$there/include/$triple" -L"$lib" bindings/openssl/tests/evp/*.c \
        -Wl,--unresolved-symbols=ignore-in-shared-libs -lcrypto -lpthread
    run() { env -u OPENSSL_CONF -u OPENSSL_MODULES BULAT_MODULES="$work/modules" "$lib"/ld-linux-*.so.? --library-path "$lib:/usr/lib/$triple" "$work/evp-$suite" "$@"; }
    run check > "$work/names"
    run defects bulat > "$work/said" || wrong "defects bulat: fails"
    ! grep -v ' right$' "$work/said" || exit 1
    run rules > "$work/said" || wrong "rules: fails"
    run bad > /dev/null
    run wiped > /dev/null
    run threads 20 > /dev/null
    echo "$(cut -d' ' -f1,2 "$work/version"): $(wc -l < "$work/names") names right"
}
for suite in trixie experimental; do
    if [ "${CI:-}" != true ]; then
        echo "skipped: OpenSSL of Debian $suite (CI=true unpacks it; see bindings/openssl/README.md)"
    elif ! timeout 120 bindings/openssl/other-openssl $suite "$work/$suite" > "$work/version" 2>/dev/null; then
        echo "skipped: OpenSSL of Debian $suite is not available here"
    elif [ $suite = trixie ]; then
        other $suite
        passed=$((passed + 1))
    else
        # It changes each day, so its faults stop nothing. `set -e` would not hold left of `||`.
        set +e
        (set -e; other $suite)
        [ $? = 0 ] || echo "DIFFERS: OpenSSL of Debian $suite"
        set -e
    fi
done

# Under AddressSanitizer: memory of the program and of the module.
sanitizers="-fsanitize=address,undefined -fno-sanitize-recover=all"
# Older ones die or hang on addresses that are random in 32 bits.
calm=()
if setarch -R true 2>/dev/null; then calm=(setarch -R); fi
# shellcheck disable=SC2086
if can $sanitizers && ASAN_OPTIONS=detect_leaks=0 timeout 60 "${calm[@]}" "$work/probe" 2>/dev/null; then
    evp "$work/asan" $sanitizers
    for what in rules once bad; do
        BULAT_MODULES=$work/modules "${calm[@]}" "$work/asan" $what > "$work/said" 2>&1 || wrong "$what: fails"
    done
    echo "AddressSanitizer: no error, no leak"
else
    echo "skipped: AddressSanitizer: the compiler or the headers have none"
fi

# Under valgrind: no read of uninitialised memory, no leak, no race.
if ! command -v valgrind >/dev/null; then
    echo "skipped: valgrind is not installed (apt-get install valgrind)"
elif [ -z "$headers" ]; then
    echo "skipped: valgrind: no C compiler or no headers (apt-get install gcc libssl-dev)"
else
    evp "$work/evp"
    export BULAT_MODULES=$work/modules
    memcheck() { valgrind --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,indirect "$@"; }
    memcheck "$work/evp" once > /dev/null
    memcheck "$work/evp" rules > /dev/null
    memcheck "$work/evp" bad | tail -n 1
    printf abc | memcheck openssl dgst -md_gost12_512 > /dev/null
    memcheck openssl enc -kuznyechik-cbc -K $key -iv 00112233445566778899aabbccddeeff -in "$work/file" -out "$work/sealed"
    echo "valgrind: no error in memcheck"
    valgrind --quiet --tool=helgrind --error-exitcode=9 --suppressions=bindings/openssl/tests/helgrind.supp "$work/evp" threads 2
fi
echo "$((passed)) passed, 0 failed"
