#!/usr/bin/env bash
# Makes the Debian packages bulat, libbulat0, libbulat-dev, openssl-provider-bulat, nbdkit-plugin-bulat, bulatd, bulat-esp and python3-bulat
# from cargo's build; tools/release/build makes the packages of a release:
#
#   cargo build --release -p bulat-cli -p bulat-capi -p openssl-provider-bulat -p nbdkit-bulat-plugin -p bulatd -p bulat-esp
#   bash tools/packaging/debian.sh FOLDER
#
# Leaves out packages of programs that were not built, with a message. PROFILE names a profile other than release. For a foreign
# machine: BUILT is the folder of its programs, ARCH and MULTI its names, STRIP its program, NATIVE the folder of this machine's
# programs, which print the manual pages. NEEDS is the packages that every program needs. WHEEL is Python's package. LICENCES is a folder
# with a file for each package, of that name: the licences of its parts, which a package has to carry that is given away.
set -euo pipefail
umask 022
out=$(mkdir -p "${1:?usage: tools/packaging/debian.sh FOLDER}" && cd "$1" && pwd)
cd "$(dirname "$0")/../.."
profile=${PROFILE:-release}
[ "$profile" != dev ] || profile=debug
# Compression is slow, so packages that are not released are not compressed. xz cuts its stream by the number of threads.
pack=(${PACK:--Zxz})
[ "$profile" = release ] || pack=(-Znone)
pack+=(--threads-max=1)
built=${BUILT:-${CARGO_TARGET_DIR:-target}/$profile}
native=${NATIVE:-$built}
strip=${STRIP:-strip}
# Returns the newest file of this name: cargo builds libraries for tests among the dependencies.
newest() { { ls -t "$built/$1" "$built/deps/$1" 2>/dev/null || true; } | head -n 1; }
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
arch=${ARCH:-$(dpkg --print-architecture)}
multi=${MULTI:-$(gcc -print-multiarch)}
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints the packages that programs depend on.
needs() {
    if [ -n "${NEEDS:-}" ]; then
        echo "$NEEDS"
    elif command -v dpkg-shlibdeps >/dev/null; then
        mkdir -p "$work/deps/debian"
        printf 'Source: bulat\n\nPackage: bulat\nArchitecture: any\n' >"$work/deps/debian/control"
        (cd "$work/deps" && dpkg-shlibdeps -O --ignore-missing-info "$@" 2>/dev/null | sed 's/^shlibs:Depends=//')
    else
        echo "libc6, libgcc-s1"
    fi
}

# package NAME SECTION DEPENDS SHORT LONG: makes the package of $work/NAME.
package() {
    local name=$1 root=$work/$1 doc
    doc=$root/usr/share/doc/$name
    install -d "$root/DEBIAN" "$doc"
    install -m 644 tools/packaging/copyright "$doc/copyright"
    if [ -n "${LICENCES:-}" ]; then
        [ -s "$LICENCES/$name" ] || { echo "$name: no licences of its parts in $LICENCES"; exit 1; }
        gzip -9n <"$LICENCES/$name" >"$doc/LICENCES.txt.gz"
    fi
    printf 'bulat (%s) unstable; urgency=medium\n\n  * See the file CHANGELOG.md of the sources.\n\n -- %s  %s\n' \
        "$version" "$maintainer" "$(date -Ru -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$doc/changelog.gz"
    find "$root/usr/share/man" -type f ! -name '*.gz' -exec gzip -9n {} + 2>/dev/null || true
    {
        printf 'Package: %s\nSource: bulat\nVersion: %s\nArchitecture: %s\nSection: %s\nPriority: optional\n' \
            "$name" "$version" "$arch" "$2"
        # Every file counts as whole KB, on any file system.
        printf 'Maintainer: %s\nInstalled-Size: %s\n' "$maintainer" \
            "$(find "$root" -path "$root/DEBIAN" -prune -o -printf '%y %s\n' | awk '{ n += $1 == "f" ? int(($2 + 1023) / 1024) : 1 } END { print n }')"
        [ -z "$3" ] || printf 'Depends: %s\n' "$3"
        case $name in lib*) printf 'Multi-Arch: same\n' ;; esac
        printf 'Homepage: https://github.com/bulat-crypto/bulat\nDescription: %s\n' "$4"
        fold -s -w 76 <<<"$5" | sed 's/ *$//; s/^/ /'
    } >"$root/DEBIAN/control"
    (cd "$root" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
    find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group "${pack[@]}" --build "$root" "$out/${name}_${version}_$arch.deb" >/dev/null
    echo "$name: $(dpkg-deb -f "$out/${name}_${version}_$arch.deb" Installed-Size) KB"
}
# Keeps the symbols of a file by which `prove` finds its functions (docs/PROOFS.md).
mapped() {
    "${strip%strip}nm" -C --defined-only "$1" >"$out/$2.map"
    [ -s "$out/$2.map" ] || { echo "$1: without symbols: build it with strip = \"none\""; exit 1; }
}
maintainer="The bulat developers <developers@bulat.invalid>"
promise="Constant-time and fast: Magma and GOST 28147-89, Kuznyechik, Streebog, with their modes, MACs and key derivation. The software has not been certified."

command=$native/bulat library=$(newest libbulat_capi.so) provider=$(newest libbulat_provider.so)
if [ -x "$built/bulat" ]; then
    root=$work/bulat
    install -d "$root/usr/bin" "$root/usr/share/man/man1" "$root/usr/share/bash-completion/completions" \
        "$root/usr/share/zsh/vendor-completions" "$root/usr/share/fish/vendor_completions.d" "$root/usr/share/doc/bulat"
    install -m 755 "$built/bulat" "$root/usr/bin/bulat"
    mapped "$root/usr/bin/bulat" bulat
    "$strip" --remove-section=.comment "$root/usr/bin/bulat"
    "$command" man "$root/usr/share/man/man1"
    "$command" completions bash >"$root/usr/share/bash-completion/completions/bulat"
    "$command" completions zsh >"$root/usr/share/zsh/vendor-completions/_bulat"
    "$command" completions fish >"$root/usr/share/fish/vendor_completions.d/bulat.fish"
    install -m 644 docs/FORMAT.md "$root/usr/share/doc/bulat/FORMAT.md"
    depends=$(needs "$root/usr/bin/bulat")
    package bulat utils "$depends" "encrypt, authenticate and hash files with the GOST algorithms" \
        "The command: files encrypted in a published format, checksums, MACs, keys. $promise"
else
    echo "left out: bulat: $built/bulat is not built"
fi

if [ -n "$library" ]; then
    root=$work/libbulat-dev
    DESTDIR=$root PREFIX=/usr LIBDIR=/usr/lib/$multi BUILT=$(cd "$(dirname "$library")" && pwd) sh bindings/c/install.sh
    "$strip" --strip-debug "$root/usr/lib/$multi/libbulat.a"
    install -d "$work/libbulat0/usr/lib/$multi" "$work/libbulat0/DEBIAN" "$root/usr/share/doc/libbulat-dev/examples"
    mv "$root/usr/lib/$multi"/libbulat.so.* "$work/libbulat0/usr/lib/$multi"
    install -m 644 bindings/c/examples/*.c "$root/usr/share/doc/libbulat-dev/examples"
    root=$work/libbulat0
    chmod 644 "$root/usr/lib/$multi"/libbulat.so.*.*
    mapped "$root/usr/lib/$multi"/libbulat.so.*.* libbulat.so
    "$strip" --strip-unneeded --remove-section=.comment "$root/usr/lib/$multi"/libbulat.so.*.*
    echo "libbulat 0 libbulat0 (>= $version)" >"$root/DEBIAN/shlibs"
    echo "activate-noawait ldconfig" >"$root/DEBIAN/triggers"
    depends=$(needs "$root/usr/lib/$multi"/libbulat.so.*.*)
    package libbulat0 libs "$depends" "GOST symmetric cryptography, shared library" \
        "The library for C. $promise"
    package libbulat-dev libdevel "libbulat0 (= $version)" "GOST symmetric cryptography, for development" \
        "Header, static library, files of pkg-config and CMake, manual page and examples. $promise"
else
    echo "left out: libbulat0, libbulat-dev: libbulat_capi.so is not built"
fi

if [ -n "$provider" ]; then
    root=$work/openssl-provider-bulat
    install -d "$root/usr/lib/$multi/ossl-modules" "$root/usr/share/doc/openssl-provider-bulat"
    install -m 644 "$provider" "$root/usr/lib/$multi/ossl-modules/bulat.so"
    mapped "$root/usr/lib/$multi/ossl-modules/bulat.so" bulat.so
    "$strip" --strip-unneeded --remove-section=.comment "$root/usr/lib/$multi/ossl-modules/bulat.so"
    # Its configuration and its README.
    for file in bindings/openssl/openssl.cnf bindings/openssl/README.md; do
        [ ! -f $file ] || install -m 644 $file "$root/usr/share/doc/openssl-provider-bulat/"
    done
    depends=$(needs "$root/usr/lib/$multi/ossl-modules/bulat.so")
    package openssl-provider-bulat libs "${depends:+$depends, }libssl3 | libssl3t64 | libssl4" "GOST algorithms for OpenSSL 3 and 4" \
        "The provider bulat: digests, ciphers, MACs and key derivation for programs that fetch their algorithms from OpenSSL. $promise"
else
    echo "left out: openssl-provider-bulat: libbulat_provider.so is not built"
fi

plugin=$(newest libnbdkit_bulat_plugin.so)
if [ -n "$plugin" ]; then
    root=$work/nbdkit-plugin-bulat
    install -d "$root/usr/lib/$multi/nbdkit/plugins"
    install -m 644 "$plugin" "$root/usr/lib/$multi/nbdkit/plugins/nbdkit-bulat-plugin.so"
    "$strip" --strip-unneeded --remove-section=.comment "$root/usr/lib/$multi/nbdkit/plugins/nbdkit-bulat-plugin.so"
    depends=$(needs "$root/usr/lib/$multi/nbdkit/plugins/nbdkit-bulat-plugin.so")
    package nbdkit-plugin-bulat utils "${depends:+$depends, }nbdkit" "encrypted volumes with Kuznyechik, for nbdkit" \
        "A plugin for nbdkit: LUKS2, LUKS1, VeraCrypt and plain dm-crypt volumes as network block devices. $promise"
else
    echo "left out: nbdkit-plugin-bulat: libnbdkit_bulat_plugin.so is not built"
fi

if [ -x "$built/bulatd" ]; then
    root=$work/bulatd
    install -d "$root/usr/bin" "$root/usr/share/man/man1" "$root/usr/share/doc/bulatd" "$root/usr/lib/systemd/system/bulatd.service.d" \
        "$root/etc/bulatd" "$root/DEBIAN"
    install -m 755 "$built/bulatd" "$root/usr/bin/bulatd"
    "$strip" --remove-section=.comment "$root/usr/bin/bulatd"
    "$native/bulatd" man >"$root/usr/share/man/man1/bulatd.1"
    install -m 644 crates/service/bulatd.service "$root/usr/lib/systemd/system/bulatd.service"
    install -m 644 tools/packaging/bulatd/package.conf "$root/usr/lib/systemd/system/bulatd.service.d/package.conf"
    install -m 644 tools/packaging/bulatd/bulatd.toml "$root/etc/bulatd/bulatd.toml"
    install -m 644 tools/packaging/bulatd/README.Debian crates/service/bulatd.toml docs/SERVICE.md "$root/usr/share/doc/bulatd/"
    echo /etc/bulatd/bulatd.toml >"$root/DEBIAN/conffiles"
    for script in postinst prerm postrm; do install -m 755 tools/packaging/bulatd/$script "$root/DEBIAN/$script"; done
    depends=$(needs "$root/usr/bin/bulatd")
    package bulatd net "$depends" "encryption as a service with the GOST algorithms" \
        "The transit part of Vault's HTTP interface over SQLite or PostgreSQL. $promise"
else
    echo "left out: bulatd: $built/bulatd is not built"
fi

if [ -x "$built/bulat-esp" ]; then
    root=$work/bulat-esp source=$work/bulat-esp/usr/src/kernel-bulat
    install -d "$root/usr/bin" "$root/usr/share/man/man1" "$root/usr/share/doc/bulat-esp" "$root/usr/lib/systemd/system" "$root/etc/default" \
        "$root/DEBIAN" "$source"/{src,examples}
    install -m 755 "$built/bulat-esp" "$root/usr/bin/bulat-esp"
    "$strip" --remove-section=.comment "$root/usr/bin/bulat-esp"
    "$native/bulat-esp" man >"$root/usr/share/man/man1/bulat-esp.1"
    install -m 644 crates/esp/bulat-esp.service "$root/usr/lib/systemd/system/bulat-esp.service"
    install -m 644 tools/packaging/bulat-esp/default "$root/etc/default/bulat-esp"
    install -m 644 tools/packaging/bulat-esp/README.Debian crates/esp/{README,PROTOCOL}.md docs/NETWORK.md "$root/usr/share/doc/bulat-esp/"
    sed -i -E 's,\((\.\./)*(crates/esp/)?strongswan/,(/usr/src/kernel-bulat/,g; s,\((\.\./)+(crates/esp|docs)/,(,g' "$root"/usr/share/doc/bulat-esp/*.md
    # strongSwan's plugin fits one version of strongSwan, so its package is made on the user's machine.
    (cd crates/esp/strongswan && install -m 644 LICENSE Makefile README.md headers package "$source" && install -m 644 src/* "$source/src" &&
        install -m 644 examples/* "$source/examples")
    echo /etc/default/bulat-esp >"$root/DEBIAN/conffiles"
    for script in postinst prerm postrm; do install -m 755 tools/packaging/bulat-esp/$script "$root/DEBIAN/$script"; done
    depends=$(needs "$root/usr/bin/bulat-esp")
    package bulat-esp net "$depends" "IPsec ESP with the GOST algorithms in user space" \
        "The data path of IPsec with Kuznyechik and Magma (RFC 9227) for an IKEv2 daemon, and the source of a plugin for strongSwan. $promise"
else
    echo "left out: bulat-esp: $built/bulat-esp is not built"
fi

if [ -n "${WHEEL:-}" ]; then
    root=$work/python3-bulat
    install -d "$root/usr/lib/python3/dist-packages" "$root/DEBIAN"
    python3 -m zipfile -e "$WHEEL" "$root/usr/lib/python3/dist-packages"
    # The list of files is dpkg's.
    rm "$root"/usr/lib/python3/dist-packages/*.dist-info/RECORD
    find "$root" -type d -exec chmod 755 {} + -o -type f -exec chmod 644 {} +
    printf '#!/bin/sh\nset -e\nif [ -z "${DPKG_ROOT:-}" ] && command -v py3compile >/dev/null; then py3compile -p python3-bulat; fi\n' >"$root/DEBIAN/postinst"
    printf '#!/bin/sh\nset -e\nif [ -z "${DPKG_ROOT:-}" ] && command -v py3clean >/dev/null; then py3clean -p python3-bulat; fi\n' >"$root/DEBIAN/prerm"
    chmod 755 "$root/DEBIAN/postinst" "$root/DEBIAN/prerm"
    depends=$(needs "$root/usr/lib/python3/dist-packages/bulat/_bulat.abi3.so")
    package python3-bulat python "${depends:+$depends, }python3 (>= 3.11)" "GOST symmetric cryptography, for Python" \
        "Hashes, ciphers, MACs, keys, encrypted files, PKCS#8 and PFX. $promise"
else
    echo "left out: python3-bulat: WHEEL names no file"
fi
