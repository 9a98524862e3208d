#!/usr/bin/env bash
# bulat-esp: its tests; its systemd unit; packets between network namespaces, with loss, forgeries and restarts; strongSwan with its plugin.
# It says what it skips. BULAT_ESP=FILE tests that program between namespaces.
source "$(dirname "$0")/common"
tools/ci/apt iproute2 iputils-ping procps nftables openssl gcc make dpkg-dev strongswan-charon strongswan-swanctl strongswan-pki libcharon-extra-plugins \
    libstrongswan-standard-plugins
if [ -z "${BULAT_ESP:-}" ]; then
    build
    alone cargo test --quiet -p bulat-esp --features "$features"
    export BULAT_ESP=$built/bulat-esp
fi
if have systemd-analyze "the systemd unit" systemd; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    # It verifies that the program exists.
    sed "s|/usr/bin/bulat-esp|$(realpath "$BULAT_ESP")|" crates/esp/bulat-esp.service > "$work/bulat-esp.service"
    systemd-analyze verify "$work/bulat-esp.service" > "$work/said" 2>&1 && [ ! -s "$work/said" ] || { cat "$work/said"; echo "WRONG: the systemd unit"; exit 1; }
    echo "the systemd unit is valid"
fi
if [ -e crates/esp/tests/network/run ]; then python3 crates/esp/tests/network/run; fi
# libbulat, for the plugin.
if [ -e "${built:-}/libbulat_capi.a" ]; then
    export BULAT=$PWD/bindings/c/include BULAT_LIBS="$built/libbulat_capi.a -lgcc_s -lutil -lrt -lpthread -lm -ldl"
fi
# 9-hosts.sh uses the same source.
SOURCES="$target/hosts/network" bash crates/esp/strongswan/tests/run
