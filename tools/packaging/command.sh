#!/usr/bin/env bash
# Uses the command for a different machine beside this machine's own: hashes, encrypts and decrypts with a key and with a password, names that are
# not ASCII, errors, exit codes, volumes.
#   bash tools/packaging/command.sh BULAT [EMULATOR...] OTHER     OTHER that ends in .exe: under Wine; without an emulator: for AArch64, under qemu
# It needs qemu-user and libc6-arm64-cross; or wine64 and, for the library that Wine before 8.1 lacks, gcc-mingw-w64-x86-64.
set -euo pipefail
usage="usage: tools/packaging/command.sh BULAT [EMULATOR...] OTHER"
own=$(realpath "${1:?$usage}") other=("${@:2}")
: "${2:?$usage}"
other[-1]=$(realpath "${other[-1]}")
cd "$(dirname "$0")/../.."
umask 077
away=$(mktemp -d)
trap 'rm -rf "$away"' EXIT
export LC_ALL=C.UTF-8
case ${other[-1]} in
*.exe)
    wine=$(command -v wine64 || echo /usr/lib/wine/wine64) # the place in Debian's package wine64 without others
    # A separate Wine prefix; its search path has the missing library.
    export WINEPREFIX=$away/wine WINEDEBUG=-all WINEPATH=$away
    trap '"$(dirname "$wine")/wineserver" -k 2>/dev/null || true; rm -rf "$away"' EXIT
    x86_64-w64-mingw32-gcc -shared -O1 -Wall -Wextra -Werror -o "$away/bcryptprimitives.dll" tools/ci/bcryptprimitives.c -ladvapi32
    other=("$wine" "${other[-1]}")
    ;;
*) [ $# != 2 ] || other=(qemu-aarch64 -L /usr/aarch64-linux-gnu "${other[@]}") ;;
esac
mkdir "$away/ключи и файлы"
cd "$away/ключи и файлы"
here() { "$own" "$@"; }
there() { "${other[@]}" "$@"; }
# refused CODE WORDS COMMAND...: the exit code, and the words of the message.
refused() {
    local code=$1 words=$2 said
    shift 2
    if said=$(there "$@" 2>&1); then code="0, not $code"; else [ $? = "$code" ] || code="another than $code"; fi
    case $code in *' '*) echo "$*: exit code $code: $said"; exit 1 ;; esac
    [[ $said == *"$words"* ]] || { echo "$*: not the words \"$words\": $said"; exit 1; }
}

[ "$(there --version | tr -d '\r')" = "$(here --version)" ] || { echo "another version than here"; exit 1; }
there selftest >/dev/null
if [ -n "${wine:-}" ]; then
    here kernels >list
    there kernels | diff list - || { echo "other kernels than here"; exit 1; }
fi
seq 100000 >письмо.txt
here hash письмо.txt >sums
[ "$(there hash письмо.txt | cut -c-64)" = "$(cut -c-64 sums)" ] || { echo "another hash than here"; exit 1; }
there hash --check sums >/dev/null
echo "${other[-1]##*/}: tests itself, hashes, checks a list"

there key new -o ключ
printf 'Пароль\r\n' >password
echo other >wrong
for secret in "-k ключ" "-p password"; do
    cost=
    [ "$secret" = "-k ключ" ] || cost="--memory 65536" # an emulator is slow
    # shellcheck disable=SC2086
    {
        rm -f there.bulat
        there encrypt $secret $cost -o there.bulat письмо.txt
        here encrypt $secret $cost -o here.bulat письмо.txt
        here decrypt $secret -o - there.bulat | cmp - письмо.txt
        there decrypt $secret -o - here.bulat | cmp - письмо.txt
        there decrypt $secret -o обратно here.bulat
        cmp обратно письмо.txt
        refused 3 "already exists" decrypt $secret -o обратно here.bulat
        rm обратно here.bulat
    }
done
echo "${other[-1]##*/}: with a key and with a password, files open here and there"

cp there.bulat before
refused 3 "already exists" encrypt -p password -o there.bulat письмо.txt
refused 3 "already exists" key new -o ключ
refused 4 "password" decrypt -p wrong -o - there.bulat
refused 3 "нет.txt" hash нет.txt
refused 2 "--no-such" hash --no-such
head -c 100000 there.bulat >cut.bulat
refused 5 "cut.bulat" decrypt -p password -o whole cut.bulat
cmp there.bulat before
[ ! -e whole ] && [ -z "$(find . -name '*.part')" ] || { echo "a file that is not whole was left"; exit 1; }
echo "${other[-1]##*/}: refuses an existing file, a missing one, a wrong password, a cut file; leaves nothing"

# Small volumes, with passwords that cost little.
for kind in "--pbkdf argon2id --memory 8192 --lanes 2" "--gost --iterations 1000 --sector-size 512" "--type veracrypt --hash sha256 --pim 1"; do
    for way in "here there" "there here"; do
        read -r first second <<<"$way"
        read -ra create <<<"$kind"
        read -ra verify <<<"$(grep -o -- '--type.*' <<<"$kind")"
        rm -f volume
        $first volume create "${create[@]}" --size 20M -p password volume
        $second volume verify "${verify[@]}" -p password volume >/dev/null
    done
done
echo "${other[-1]##*/}: LUKS2 with Argon2id and with Streebog, VeraCrypt: volumes open here and there"
