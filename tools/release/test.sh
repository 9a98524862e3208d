#!/usr/bin/env bash
# Packs twice what cargo has built, in two folders, under two masks and zones; compares; signs; changes each part of the folder and
# expects that verify refuses it in words.
#   bash tools/release/test.sh FOLDER      with the programs, as target/debug
# BULAT_RELEASE=all compiles the release of this machine twice, as two users, and compares: twice.sh.
set -euo pipefail
cd "$(dirname "$0")/../.."
built=$(cd "${1:?usage: tools/release/test.sh FOLDER}" && pwd)
python=
for minor in 11 12 13 14; do
    if [ -z "$python" ] && "python3.$minor" -c 'import venv, ensurepip' 2>/dev/null; then python=python3.$minor; fi
done
[ -n "$python" ] || { echo "skipped: no Python from 3.11 on with venv (apt-get install python3-venv)"; exit 0; }
for program in dpkg-deb ssh-keygen readelf; do
    command -v $program >/dev/null || { echo "skipped: no $program (apt-get install dpkg openssh-client binutils)"; exit 0; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ssh-keygen -q -t ed25519 -N '' -C test -f "$work/key"
echo "test namespaces=\"bulat-release\" $(cut -d' ' -f1,2 "$work/key.pub")" >"$work/signers"
pack() { "$python" tools/release/build "$@" --built "$built" --dirty >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }
if ! "$python" -m pip --quiet --disable-pip-version-check download --require-hashes --no-deps -d "$work/wheels" -r tools/release/pack.txt 2>"$work/pip"; then
    echo "skipped: cannot be downloaded: tools/release/pack.txt: $(tail -n 1 "$work/pip")"
    exit 0
fi
export PIP_NO_INDEX=1 PIP_FIND_LINKS=$work/wheels
pack "$work/one" --work "$work/a" --sign "$work/key"
mkdir "$work/b" && mv "$work/a/tools" "$work/b/"
(umask 077 && TZ=Asia/Kamchatka LC_ALL=C USER=other pack "$work/two" --work "$work/b" --sign "$work/key")
diff -rq "$work/one" "$work/two" || { echo "two packings of one build differ"; exit 1; }
echo "packed twice, equal: $(find "$work/one" -type f | wc -l) files"

passed=0
verify() { "$python" tools/release/verify "$work/one" --signers "$work/signers" "$@" >"$work/said" 2>&1; }
verify || { cat "$work/said"; exit 1; }
# sums: makes the checksums fit again, as somebody without the key can.
sums() { "$python" - "$work/one" "$built/bulat" <<'P'
import pathlib, sys
sys.path.insert(0, "tools/release")
import describe
describe.sums(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
P
}
# refused WORDS [OPTION...]: verify says these words, and the folder is as before afterwards.
refused() {
    local words=$1
    shift
    if verify "$@"; then echo "accepted, and should be refused: $words"; exit 1; fi
    grep -q "^refused: .*$words" "$work/said" || { echo "not refused with the words: $words"; cat "$work/said"; exit 1; }
    rm -rf "$work/one" && cp -a "$work/two" "$work/one"
    passed=$((passed + 1))
}
cd "$work/one" && deb=$(echo bulat_*.deb) && wheel=$(echo bulat-*.whl) && cd - >/dev/null
flip() { printf '\377' | dd of="$work/one/$1" bs=1 seek=2000 conv=notrunc status=none; }
flip "$deb"; refused "$deb was changed"
flip "$deb"; refused "STREEBOG256SUMS: .*$deb"
flip "$deb"; sums; refused "the signature does not fit"
flip "$deb"; sums; refused "$deb is not the file that PROVENANCE.json describes" --unsigned
flip "$deb"; sums; refused "$deb.cdx.json describes another file" --unsigned
rm "$work/one/$deb"; refused "$deb is missing"
rm "$work/one/$deb"; sums; refused "$deb, in PROVENANCE.json, is missing" --unsigned
echo more >"$work/one/more"; refused "more is in no list"
change() { sed -i "$2" "$work/one/$1"; ! cmp -s "$work/one/$1" "$work/two/$1" || { echo "nothing to change in $1: $2"; exit 1; }; }
change "$wheel.cdx.json" 's/"name": "pyo3"/"name": "pyo4"/'; refused "$wheel.cdx.json was changed"
change "$wheel.cdx.json" 's/"name": "pyo3"/"name": "pyo4"/'; sums; refused "pyo4 .* is not in the commit's Cargo.lock" --unsigned
change "$wheel.cdx.json" '/"name": "pyo3"/,/content/s/"content": "./"content": "z/'; sums; refused "pyo3 .* has another checksum" --unsigned
change "$wheel.cdx.json" 1d; sums; refused "$wheel.cdx.json cannot be read" --unsigned
rm "$work/one/$wheel.cdx.json"; sums; refused "$wheel has no list of parts" --unsigned
change PROVENANCE.json 's/"commit": "./"commit": "z/'; refused "PROVENANCE.json was changed"
change PROVENANCE.json 's/"commit": "./"commit": "z/'; sums; refused "this repository has no commit" --unsigned
change PROVENANCE.json 's/"date": "20/"date": "19/'; sums; refused "the date in PROVENANCE.json" --unsigned
change PROVENANCE.json '/"tree"/,/}/s/"sha256": "./"sha256": "z/'; sums; refused "the tree's digest" --unsigned
change PROVENANCE.json 's/"version": "/"version": "9/'; sums; refused "the version in PROVENANCE.json" --unsigned
change PROVENANCE.json 1d; sums; refused "PROVENANCE.json cannot be read" --unsigned
rm "$work/one/SHA256SUMS.sig"; refused "there is no signature"
change SHA256SUMS.sig '3s/^.../AAA/'; refused "the signature "
ssh-keygen -q -t ed25519 -N '' -C other -f "$work/other"
ssh-keygen -q -Y sign -f "$work/other" -n bulat-release "$work/one/SHA256SUMS" 2>/dev/null && refused "the signature is of no key"
ssh-keygen -q -Y sign -f "$work/key" -n other "$work/one/SHA256SUMS" 2>/dev/null && refused "the signature does not fit"
change LICENCES.txt 1d; refused "LICENCES.txt was changed"
verify || { cat "$work/said"; exit 1; }
echo "verify: $passed changes refused"

if [ "${BULAT_RELEASE:-}" = all ]; then
    bash tools/release/twice.sh
else
    echo "skipped: the release compiled twice: many minutes (BULAT_RELEASE=all)"
fi
