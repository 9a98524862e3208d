#!/usr/bin/env bash
# Tests libbulat as installed. BUILT is the folder with the built libraries.
set -euo pipefail
cd "$(dirname "$0")/.."
profile=${PROFILE:-release}
[ "$profile" != dev ] || profile=debug
export BUILT=${BUILT:-${CARGO_TARGET_DIR:-$PWD/../../target}/$profile}
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
have() { command -v "$1" >/dev/null || { echo "skipped: $2: $1 is not installed (apt-get install ${3:-$1})"; return 1; }; }

# Installs below DESTDIR, then to its final place. --remove leaves nothing.
DESTDIR=$root/stage PREFIX=/usr LIBDIR=/usr/lib/x86_64-linux-gnu sh install.sh
find "$root/stage" ! -type d | sed "s,^$root/stage,," | LC_ALL=C sort >"$root/files"
grep -q '^prefix=/usr$' "$root/stage/usr/lib/x86_64-linux-gnu/pkgconfig/bulat.pc"
DESTDIR=$root/stage PREFIX=/usr LIBDIR=/usr/lib/x86_64-linux-gnu sh install.sh --remove
[ -z "$(find "$root/stage" ! -type d)" ] || { echo "install.sh --remove leaves files"; exit 1; }
prefix=$root/usr
PREFIX=$prefix sh install.sh 2>"$root/said"
if have ldconfig "the loader's cache" libc-bin; then grep -q "the loader does not look in $prefix/lib" "$root/said"; fi
# Listing the loader's folders changes no link in them, and recognises a folder by a second name. A loader that lists
# no folders, like musl's, has no cache.
mkdir "$root/bin"
ln -s "$prefix" "$root/other"
printf '#!/bin/sh\necho "[$*]" >>"%s/asked"\n[ -z "$*" ] || echo "$LISTED"\n' "$root" >"$root/bin/ldconfig"
chmod +x "$root/bin/ldconfig"
asks() { # LISTED ASKED: with a loader that lists these folders, install.sh makes these calls of ldconfig and prints nothing.
    rm -f "$root/asked"
    LISTED=$1 PATH=$root/bin:$PATH PREFIX=$prefix sh install.sh 2>"$root/said"
    [ ! -s "$root/said" ] && [ "$(paste -sd' ' "$root/asked")" = "$2" ] || { cat "$root/said" "$root/asked"; exit 1; }
}
asks "" "[-N -X -v]"
asks "$root/other/lib: (from /etc/ld.so.conf:1)" "[-N -X -v] []"
# Root, who may have no cargo, copies what was built.
if have make "make install"; then
    make --silent install CARGO=true PREFIX="$root/copied" >"$root/said" 2>&1 || { cat "$root/said"; exit 1; }
    [ "$(cd "$root/copied" && find . | sort)" = "$(cd "$prefix" && find . | sort)" ] || { echo "make install CARGO=true: other files"; exit 1; }
fi
echo "installed: $(wc -l <"$root/files") files"
lib=$prefix/lib
export LD_LIBRARY_PATH=$lib PKG_CONFIG_PATH=$lib/pkgconfig

# The shared library exports the header's calls and nothing else.
if have nm "exported names" binutils && have readelf "soname" binutils; then
    nm -D --defined-only "$lib/libbulat.so" | awk '{ print $3 }' | LC_ALL=C sort >"$root/exported"
    grep -oE '\bbulat_[a-z0-9_]+\(' include/bulat.h | tr -d '(' | LC_ALL=C sort -u >"$root/declared"
    # This also finds words in comments that look like calls.
    diff "$root/exported" "$root/declared" || { echo "exported (<) and declared (>) differ"; exit 1; }
    # A call that is removed or renamed breaks programs: the soname changes then. A new call adds a line to the list.
    diff symbols "$root/exported" || { echo "bindings/c/symbols (<) and exported (>) differ"; exit 1; }
    readelf -d "$lib/libbulat.so" | grep -q 'soname: \[libbulat.so.0\]' || { echo "no soname"; exit 1; }
    echo "exported: $(wc -l <"$root/exported") names, all of the header; soname libbulat.so.0"
fi

# Every call, by each compiler, as C and as C++, with the shared and with the static library.
flags="-O1 -g -Wall -Wextra -Wpedantic -Werror"
# all HOW PROGRAM...: prints its count; if it fails, prints its output and exits.
all() {
    local how=$1
    shift
    "$@" >"$root/log" 2>&1 || { cat "$root/log"; echo "$how: failed"; exit 1; }
    echo "$how: $(tail -n 1 "$root/log")"
}
pc() { pkg-config "$@" bulat; }
have pkg-config "everything else" pkgconf || exit 0
[ "$(pc --modversion)" = "$(sed -n 's/^#define BULAT_VERSION "\(.*\)"/\1/p' include/bulat.h)" ]
for compiler in "gcc -std=c99" "gcc -std=c2x" "clang -std=c11" "g++ -x c++ -std=c++11" "clang++ -x c++ -std=c++17"; do
    have "${compiler%% *}" "$compiler" "$(sed 's/g++.*/g++/; s/clang.*/clang/; s/gcc.*/gcc/' <<<"$compiler")" || continue
    $compiler $flags tests/all.c -o "$root/all" $(pc --cflags --libs)
    all "$compiler" "$root/all"
    last=$compiler
done
[ -n "${last:-}" ] || { echo "skipped: no compiler of C (apt-get install gcc)"; exit 0; }
# -l:libbulat.a instead of -lbulat, since both libraries are installed.
cc -std=c99 $flags tests/all.c -o "$root/static" $(pc --cflags --libs --static | sed 's/-lbulat/-l:libbulat.a/')
LD_LIBRARY_PATH='' all static "$root/static"
if echo 'int main(void){return 0;}' | cc -static -x c - -o "$root/none" 2>/dev/null; then
    cc -static -std=c99 -O1 tests/all.c -o "$root/static" $(pc --cflags --libs --static) 2>"$root/log" || { cat "$root/log"; exit 1; }
    LD_LIBRARY_PATH='' all "static, the C library too" "$root/static"
fi

# Freed memory contains no key: the program replaces `free`, for glibc.
if cc -std=gnu99 $flags tests/wiped.c -o "$root/wiped" $(pc --cflags --libs) 2>"$root/log"; then
    all "wiped" "$root/wiped"
    cc -std=gnu99 $flags tests/wiped.c -o "$root/wiped" $(pc --cflags --libs --static | sed 's/-lbulat/-l:libbulat.a/')
    all "wiped, static" "$root/wiped"
elif ldd --version 2>&1 | grep -q GLIBC; then
    cat "$root/log"
    exit 1
fi

# The program of README.md, as C and as C++.
sed -n '/^```c$/,/^```$/p' README.md | sed '/^```/d' >"$root/readme.c"
grep -q bulat_seal "$root/readme.c"
for compiler in "cc -std=c99" "c++ -x c++"; do
    have "${compiler%% *}" "README, ${compiler%% *}" g++ || continue
    $compiler $flags "$root/readme.c" -o "$root/readme" $(pc --cflags --libs)
    "$root/readme" || { echo "README's program, $compiler: failed"; exit 1; }
done

# CMake finds it, even after it was moved.
if have cmake "find_package" cmake; then
    mkdir "$root/cmake"
    cat >"$root/cmake/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.10)
project(try C)
find_package(bulat 0.1 REQUIRED)
foreach(kind bulat static)
  add_executable(with-${kind} all.c)
  target_link_libraries(with-${kind} PRIVATE bulat::${kind})
endforeach()
CMAKE
    cp tests/all.c "$root/cmake"
    mv "$prefix" "$root/moved"
    cmake -S "$root/cmake" -B "$root/cmake/build" -DCMAKE_PREFIX_PATH="$root/moved" >"$root/log" 2>&1 &&
        cmake --build "$root/cmake/build" >>"$root/log" 2>&1 || { cat "$root/log"; exit 1; }
    for kind in bulat static; do
        LD_LIBRARY_PATH=$root/moved/lib all "CMake, $kind" "$root/cmake/build/with-$kind"
    done
    mv "$root/moved" "$prefix"
    sed -i 's/bulat 0.1 REQUIRED/bulat 9 REQUIRED/' "$root/cmake/CMakeLists.txt"
    ! cmake -S "$root/cmake" -B "$root/cmake/no" -DCMAKE_PREFIX_PATH="$prefix" >/dev/null 2>&1 ||
        { echo "CMake accepts another version"; exit 1; }
fi

# The examples work.
for example in encrypt hash keystore speed; do
    cc -std=c11 -D_GNU_SOURCE $flags examples/$example.c -o "$root/$example" $(pc --cflags --libs)
done
printf 'correct horse' >"$root/password"
"$root/encrypt" seal "$root/password" Makefile "$root/sealed"
"$root/encrypt" open "$root/password" "$root/sealed" "$root/opened"
cmp Makefile "$root/opened"
printf 'X' | dd of="$root/sealed" bs=1 seek=50 conv=notrunc 2>/dev/null
if "$root/encrypt" open "$root/password" "$root/sealed" "$root/never" 2>"$root/said" || [ -e "$root/never" ]; then
    echo "a damaged file was opened"
    exit 1
fi
grep -q 'authentication failed' "$root/said"
printf abc >"$root/abc"
"$root/hash" "$root/abc" tests/*.c examples/*.c >"$root/hashed"
grep -q '^4e2919cf137ed41ec4fb6270c61826cc4fffb660341e0af3688cd0626d23b481 ' "$root/hashed"
"$root/speed" streebog256 >/dev/null
printf 'Пароль для PFX' >"$root/password"
printf 'another' >"$root/another"
"$root/keystore" "$root/password" ../../crates/pkcs/tests/data/rfc9548_a2.p12 "$root/another" "$root/new.p12" >"$root/listed"
"$root/keystore" "$root/another" "$root/new.p12" "$root/password" "$root/newer.p12" >"$root/again"
grep -q 'private key 1.2.643.7.1.1.1.2 "p12FriendlyName"' "$root/listed"
cmp "$root/listed" "$root/again"
if "$root/keystore" "$root/another" ../../crates/pkcs/tests/data/rfc9548_a2.p12 "$root/another" "$root/never" 2>"$root/said" || [ -e "$root/never" ]; then
    echo "a wrong password opens a PFX"
    exit 1
fi
grep -q 'wrong password' "$root/said"
echo "examples: a PFX of RFC 9548 under another password, a wrong password refused; a file encrypted and back, a damaged one refused, $(wc -l <"$root/hashed") files hashed"

if have man "the manual page" man-db; then
    LC_ALL=C.UTF-8 man -l --warnings -E UTF-8 "$prefix/share/man/man3/bulat.3" >"$root/page" 2>"$root/said"
    grep -q 'BULAT_ERR_VERIFY' "$root/page"
    [ ! -s "$root/said" ] || { cat "$root/said"; exit 1; }
    echo "manual page: formatted without warnings"
fi

# No invalid accesses and no leaks. Older AddressSanitizers die or hang on addresses that are random in 32 bits.
calm=()
if setarch -R true 2>/dev/null; then calm=(setarch -R); fi
sanitizers="-fsanitize=address,undefined -fno-sanitize-recover=all"
if echo 'int main(void){return 0;}' | cc $sanitizers -x c - -o "$root/none" 2>/dev/null && timeout 60 "${calm[@]}" "$root/none" 2>/dev/null; then
    cc $flags $sanitizers tests/all.c -o "$root/asan" $(pc --cflags --libs)
    all "AddressSanitizer on C's side, leaks too" "${calm[@]}" "$root/asan"
else
    echo "skipped: AddressSanitizer: the compiler has none that works"
fi
if have valgrind "memcheck"; then
    kinds=definite,indirect,possible
    cc -std=c99 $flags tests/all.c -o "$root/all" $(pc --cflags --libs)
    all "valgrind, leaks too" valgrind --quiet --leak-check=full --show-leak-kinds=$kinds --errors-for-leak-kinds=$kinds \
        --suppressions=tests/valgrind.supp --error-exitcode=9 "$root/all" quick
fi
