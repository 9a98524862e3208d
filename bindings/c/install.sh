#!/bin/sh
# Installs the libraries built by `make`, the header, the files of pkg-config and CMake, and the manual page. Uses PREFIX, LIBDIR,
# INCLUDEDIR and MANDIR, below DESTDIR. --remove removes them.
set -eu
cd "$(dirname "$0")"
PREFIX=${PREFIX:-/usr/local}
LIBDIR=${LIBDIR:-$PREFIX/lib}
INCLUDEDIR=${INCLUDEDIR:-$PREFIX/include}
MANDIR=${MANDIR:-$PREFIX/share/man}
DESTDIR=${DESTDIR:-}
version=$(sed -n 's/^#define BULAT_VERSION "\(.*\)"/\1/p' include/bulat.h)
major=${version%%.*}
lib=$DESTDIR$LIBDIR cmake=$DESTDIR$LIBDIR/cmake/bulat pc=$DESTDIR$LIBDIR/pkgconfig
include=$DESTDIR$INCLUDEDIR man=$DESTDIR$MANDIR/man3

if [ "${1:-}" = --remove ]; then
    rm -f "$lib/libbulat.so" "$lib/libbulat.so.$major" "$lib/libbulat.so.$version" "$lib/libbulat.a" \
        "$include/bulat.h" "$man/bulat.3" "$pc/bulat.pc" "$cmake/bulat-config.cmake" "$cmake/bulat-config-version.cmake"
    rmdir "$cmake" 2>/dev/null || true
    exit 0
fi

# Cargo's folder for the profile; the folder of `dev` is `debug`.
profile=${PROFILE:-release}
[ "$profile" != dev ] || profile=debug
built=${BUILT:-${CARGO_TARGET_DIR:-../../target}/$profile}
[ -f "$built/libbulat_capi.so" ] || { echo "install.sh: no libraries in $built: run make first" >&2; exit 1; }

# Needed to link with the static library. The unwinder is the static library, which `cc -static` also finds.
private="-lgcc_eh -lutil -lrt -lpthread -lm -ldl -lc"
case $version in 0.*) series=$(echo "$version" | cut -d. -f1,2) ;; *) series=$major ;; esac
# From the library's folder up to the prefix, for CMake if the installation was moved.
up=$(echo "${LIBDIR#"$PREFIX"/}" | sed 's,[^/][^/]*,..,g')
fill() {
    sed -e "s,@PREFIX@,$PREFIX,g" -e "s,@LIBDIR@,$LIBDIR,g" -e "s,@INCLUDEDIR@,$INCLUDEDIR,g" -e "s,@VERSION@,$version,g" -e "s,@MAJOR@,$major,g" \
        -e "s,@SERIES@,$(echo "$series" | sed 's/\./\\\\\\\\./g'),g" -e "s,@PRIVATE@,$1,g" -e "s,@UP@,$up,g"
}
install -d "$lib" "$cmake" "$pc" "$include" "$man"
install -m 755 "$built/libbulat_capi.so" "$lib/libbulat.so.$version"
ln -sf "libbulat.so.$version" "$lib/libbulat.so.$major"
ln -sf "libbulat.so.$major" "$lib/libbulat.so"
install -m 644 "$built/libbulat_capi.a" "$lib/libbulat.a"
install -m 644 include/bulat.h "$include/bulat.h"
install -m 644 man/bulat.3 "$man/bulat.3"
fill "$private" <bulat.pc.in >"$pc/bulat.pc"
fill "$(echo "$private" | sed 's/ /;/g')" <bulat-config.cmake.in >"$cmake/bulat-config.cmake"
fill "" <bulat-config-version.cmake.in >"$cmake/bulat-config-version.cmake"
chmod 644 "$pc/bulat.pc" "$cmake"/*.cmake

# Programs find the library by the loader's cache, if there is one: musl's ldconfig lists no folders. -X lists them without
# changing links.
PATH=$PATH:/usr/sbin:/sbin
if [ -z "$DESTDIR" ] && command -v ldconfig >/dev/null; then
    folders=$(ldconfig -N -X -v 2>/dev/null | sed -n 's,^\(/[^:]*\):.*,\1,p')
    found=
    for folder in $folders; do
        if [ "$folder" -ef "$LIBDIR" ]; then found=yes; fi
    done
    if [ -n "$found" ]; then
        ldconfig || echo "install.sh: run ldconfig as root, so that programs find libbulat.so.$major" >&2
    elif [ -n "$folders" ]; then
        echo "install.sh: the loader does not look in $LIBDIR: set LD_LIBRARY_PATH, or add a file to /etc/ld.so.conf.d and run ldconfig" >&2
    fi
fi
