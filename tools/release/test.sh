#!/usr/bin/env bash
# Packs twice what cargo has built, in two folders, under two masks and zones; compares; installs and uses the Debian packages; signs;
# changes each part of the folder and expects that verify refuses it in words.
#   bash tools/release/test.sh FOLDER      with the programs, as target/debug
# BULAT_RELEASE=all compiles the release of this machine twice, as two users, and compares: twice.sh.
set -euo pipefail
cd "$(dirname "$0")/../.."
built=$(cd "${1:?usage: tools/release/test.sh FOLDER}" && pwd)
skip() { echo "skipped: $1; so the Debian packages are not tried either"; exit 0; }
python=
for minor in 11 12 13 14; do
    if [ -z "$python" ] && "python3.$minor" -c 'import venv, ensurepip' 2>/dev/null; then python=python3.$minor; fi
done
[ -n "$python" ] || skip "no Python from 3.11 on with venv (apt-get install python3-venv)"
for program in dpkg-deb ssh-keygen readelf gcc curl; do
    command -v $program >/dev/null || skip "no $program (apt-get install dpkg openssh-client binutils gcc curl)"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ssh-keygen -q -t ed25519 -N '' -C test -f "$work/key"
echo "test namespaces=\"bulat-release\" $(cut -d' ' -f1,2 "$work/key.pub")" >"$work/signers"
pack() { "$python" tools/release/build "$@" --built "$built" --dirty >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }
if ! "$python" -m pip --quiet --disable-pip-version-check download --require-hashes --no-deps -d "$work/wheels" -r tools/release/pack.txt 2>"$work/pip"; then
    skip "cannot be downloaded: tools/release/pack.txt: $(tail -n 1 "$work/pip")"
fi
export PIP_NO_INDEX=1 PIP_FIND_LINKS=$work/wheels
pack "$work/one" --work "$work/a" --sign "$work/key"
mkdir "$work/b" "$work/c" && mv "$work/a"/{tools,.bulat-release} "$work/b/"
touch "$work/c/file"
if "$python" tools/release/build "$work/three" --built "$built" --dirty --work "$work/c" >"$work/log" 2>&1 || ! grep -q "is not empty, and no earlier run" "$work/log"; then
    echo "build takes a work folder that is not its own"; exit 1
fi
(umask 077 && TZ=Asia/Kamchatka LC_ALL=C USER=other pack "$work/two" --work "$work/b" --sign "$work/key")
diff -rq "$work/one" "$work/two" || { echo "two packings of one build differ"; exit 1; }
echo "packed twice, equal: $(find "$work/one" -type f | wc -l) files"
bash tools/packaging/try.sh "$work/one"

"$python" tools/release/licensed.py "$work/one"
passed=0
verify() { "$python" tools/release/verify "$work/one" --signers "$work/signers" --trial "$@" >"$work/said" 2>&1; }
verify || { cat "$work/said"; exit 1; }
# sums: makes the checksums fit again, as somebody without the key can.
sums() { "$python" - "$work/one" "$built/bulat" <<'P'
import pathlib, sys
sys.path.insert(0, "tools/release")
import describe
describe.sums(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
P
}
# refused OPTIONS WORDS...: verify says all these words; afterwards the folder is as before. OPTIONS are one word, or "".
refused() {
    local option=$1 words
    shift
    # shellcheck disable=SC2086
    if verify $option; then echo "accepted, and should be refused: $*"; exit 1; fi
    for words in "$@"; do
        grep -q "^refused: .*$words" "$work/said" || { echo "not refused with the words: $words"; cat "$work/said"; exit 1; }
        passed=$((passed + 1))
    done
    rm -rf "$work/one" && cp -a "$work/two" "$work/one"
}
flip() { printf '\377' | dd of="$work/one/$1" bs=1 seek=2000 conv=notrunc status=none; }
change() { sed -i "$2" "$work/one/$1"; ! cmp -s "$work/one/$1" "$work/two/$1" || { echo "nothing to change in $1: $2"; exit 1; }; }
sign() { rm "$work/one/SHA256SUMS.sig"; ssh-keygen -q -Y sign -f "$1" -n "$2" "$work/one/SHA256SUMS" 2>/dev/null; }
cd "$work/one"
deb=$(echo bulat_*.deb) gone=$(echo libbulat0_*.deb) wheel=$(echo bulat-*.whl) service=$(echo bulatd_*.deb) plugin=$(echo nbdkit-*.deb) provider=$(echo openssl-*.deb)
jar=$(echo bulat-*-all.jar) sources=$(echo bulat-*-sources.jar) npm=$(echo bulat-*.tgz) archive=$(echo bulat-*.tar.gz) crate=$(echo bulat-core-*.crate)
cd - >/dev/null

# Changes that the lists find.
flip "$deb"
rm "$work/one/$gone"
echo more >"$work/one/more"
# A name that would draw on the terminal, and a name that is no text.
: >"$work/one/$(printf '\033[J\rright: 40')"
: >"$work/one/$(printf '\377x')"
# A stranger's program in the folder never runs.
printf '#!/bin/sh\ntouch %s/ran\n' "$work" | tee "$work/one/bulat-0-x86_64-linux" >"$work/one/bulat-0.1.0-x86_64-linux"
chmod +x "$work/one"/bulat-0*-linux
change "$wheel.cdx.json" 's/"name": "pyo3"/"name": "pyo4"/'
change PROVENANCE.json 's/"date": "20/"date": "19/'
change LICENCES.txt 1d
refused "" "$deb was changed" "STREEBOG256SUMS was not checked" "bulat-0-x86_64-linux is in no list" "$gone is missing" "more is in no list" "$wheel.cdx.json was changed" "PROVENANCE.json was changed" \
    "LICENCES.txt was changed" '.x1b.J.rright: 40 is in no list' '.udcffx is in no list'
! grep -q "$(printf '\033')" "$work/said" || { echo "verify prints names raw"; exit 1; }
flip "$deb"
refused "--bulat $built/bulat" "STREEBOG256SUMS: .*$deb"
# Changes with lists that fit again, which somebody without the key can make.
flip "$deb"
rm "$work/one/$gone" "$work/one/$plugin.cdx.json"
change "$wheel.cdx.json" 's/"name": "pyo3"/"name": "pyo4"/; 0,/"content": "./s//"content": "z/'
change "$provider.cdx.json" '/"name": "zeroize"/,/content/s/"content": "./"content": "z/'
change "$service.cdx.json" 1d
change PROVENANCE.json 's/"date": "20/"date": "19/; s/"version": "/"version": "9/; /"tree"/,/}/s/"sha256": "./"sha256": "z/; /"lock"/,/}/s/"sha256": "./"sha256": "z/'
sums
refused "" "the signature does not fit" "$deb is not the file that PROVENANCE.json describes" "$gone, in PROVENANCE.json, is missing" \
    "$plugin has no list of parts" "pyo4 .* is not in the commit's Cargo.lock" "$wheel.cdx.json describes another file" \
    "zeroize .* has another checksum" "$service.cdx.json cannot be read" "the date in PROVENANCE.json" "the version in PROVENANCE.json" \
    "the tree's digest" "the digest of Cargo.lock"
echo more | gzip >"$work/one/$archive"
cp "$work/one/$crate" "$work/one/${crate/bulat-core/bulat-gpu}"
touch "$work/one/more"
sums
refused "" "$archive is not the archive of the commit" "bulat-gpu-.* has bulat-core-.*, which is no file of its folder" "more is not of this release, says"
# repack FILE CHANGE: packs an archive again, changed by a line of Python: `files` are names and contents; no content is a folder.
repack() { "$python" - "$work/one/$1" "$2" <<'P'
import io, sys, tarfile, warnings, zipfile
path, change = sys.argv[1:]
warnings.simplefilter("ignore")
if path.endswith(".jar"):
    with zipfile.ZipFile(path) as old:
        files = [(name, old.read(name)) for name in old.namelist()]
    exec(change)
    with zipfile.ZipFile(path, "w") as new:
        for name, content in files:
            new.writestr(name + "/" * (content is None), content or b"")
else:
    with tarfile.open(path) as old:
        first = old.getnames()[0].partition("/")[0]
        files = [(member.name.partition("/")[2], old.extractfile(member).read()) for member in old]
    exec(change)
    with tarfile.open(path, "w:gz") as new:
        for name, content in files:
            entry = tarfile.TarInfo(f"{first}/{name}")
            entry.type, entry.size = (tarfile.DIRTYPE, 0) if content is None else (tarfile.REGTYPE, len(content))
            new.addfile(entry, io.BytesIO(content or b""))
P
}
# archives FILE NAME: verify finds each change inside an archive.
archives() {
    repack "$1" 'files = [f for f in files if f[0] != "'"$2"'"] + [("extra", b"")]'
    sums
    refused "" "$1: $2 is missing" "$1: extra is not of the commit"
    repack "$1" 'files = [(n, c + b" " if n == "'"$2"'" else c) for n, c in files]'
    sums
    refused "" "$1: $2 is not that of the commit"
    repack "$1" 'files.append(files[0])'
    sums
    refused "" "$1 has .* twice"
    repack "$1" 'files.append(("src", None))'
    sums
    refused "" "$1 has .*src"
    head -c 500 "$work/two/$1" >"$work/one/$1"
    sums
    refused "" "$1 cannot be read"
}
archives "$crate" src/lib.rs
if [ -f "$work/one/$jar" ]; then
    cp "$work/one/$jar" "$work/one/$sources"
    rm "$work/one/$jar.cdx.json"
    sums
    refused "" "$sources: .* is not of the commit" "$jar has no list of parts"
    archives "$sources" META-INF/MANIFEST.MF
    # The flag of encryption, and an unknown compression, in the list at the end of the jar.
    for change in '8, 1' '10, 99'; do
        "$python" - "$work/one/$sources" "$change" <<'P'
import pathlib, sys
path, (offset, value) = pathlib.Path(sys.argv[1]), map(int, sys.argv[2].split(","))
content = bytearray(path.read_bytes())
content[content.index(b"PK\1\2") + offset] = value
path.write_bytes(content)
P
        sums
        refused "" "$sources cannot be read"
    done
else
    echo "skipped: jars: no JDK (apt-get install openjdk-17-jdk-headless)"
fi
if [ -f "$work/one/$npm" ]; then
    cp "$work/one/$crate" "$work/one/$npm"
    change "$npm.cdx.json" 1d
    sums
    refused "" "$npm has .*, which is no file of its folder" "$npm.cdx.json cannot be read"
    archives "$npm" lib/bulat.js
else
    echo "skipped: the package for npm: its modules are not built (bindings/web/build.sh)"
fi
change PROVENANCE.json 's/"commit": "./"commit": "z/'
sums
refused --unsigned "this repository has no commit"
change PROVENANCE.json 1d
sums
refused --unsigned "PROVENANCE.json cannot be read"
# Signatures.
rm "$work/one/SHA256SUMS.sig"
refused "" "there is no signature"
change SHA256SUMS.sig '3s/^..../AAAA/'
refused "" "the signature "
ssh-keygen -q -t ed25519 -N '' -C other -f "$work/other"
sign "$work/other" bulat-release
refused "" "the signature is of no key"
sign "$work/key" other
refused "" "the signature does not fit"
if "$python" tools/release/verify "$work/one" --signers "$work/signers" >"$work/said" 2>&1 || ! grep -q "this is a trial" "$work/said"; then
    echo "a trial passes as a release"; exit 1
fi
verify || { cat "$work/said"; exit 1; }
verify --unsigned && { echo "unsigned: the folder's own command was trusted"; exit 1; }
[ ! -e "$work/ran" ] || { echo "verify ran a program that it should refuse"; exit 1; }
echo "verify: $passed faults named"

if [ "${BULAT_RELEASE:-}" = all ]; then
    bash tools/release/twice.sh
else
    echo "skipped: the release compiled twice: many minutes (BULAT_RELEASE=all)"
fi
