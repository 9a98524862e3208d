#!/usr/bin/env bash
# age: three implementations of one armour disagree about what may come before its first line, as mail leaves it.
#
# Packages: filippo.io/age v1.3.2 (Go's proxy), pyrage 1.4.0 (PyPI, over the Rust crate age), age-encryption 0.3.1 (npm, the author's
#   own for JavaScript); seen with Go 1.26, Python 3.11, Node 20.20 on 2026-11-28.
# Input: one armoured file of `age -a -r`, with additions outside its lines.
# Behaviour: an empty line before the armour is skipped by age and by age-encryption; pyrage ends with "Header is invalid", which does not
#   name the armour. After the armour pyrage skips empty lines as the others do. Two spaces, or a byte-order mark, before the first
#   line are skipped only by age-encryption, though its author is that of the command, which refuses both. (age 1.1.1 of Debian 12
#   refuses the empty line, too.)
#
# Output seen (age, pyrage, age-encryption):
#   as made: text text text
#   empty line after: text text text
#   empty line before: text refused text
#   two spaces before: refused refused text
#   byte-order mark before: refused refused text
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if a package cannot be had.
set -euo pipefail
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work"
GOPATH=$work/go GOBIN=$work GOFLAGS=-mod=mod go install filippo.io/age/cmd/age@v1.3.2 >log 2>&1 || { tail -5 log; exit 2; }
python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check pyrage==1.4.0 >log 2>&1 || { tail -5 log; exit 2; }
npm install --silent --no-audit --no-fund --prefix . age-encryption@0.3.1 >log 2>&1 || { tail -5 log; exit 2; }
cat >javascript.mjs <<'JS'
import { Decrypter, armor } from "age-encryption";
import { readFileSync } from "node:fs";
const decrypter = new Decrypter();
decrypter.addIdentity(readFileSync("key", "utf8").trim());
process.stdout.write(await decrypter.decrypt(armor.decode(readFileSync("file", "utf8")), "text"));
JS
cat >try.py <<'PY'
import subprocess
import pyrage

identity = pyrage.x25519.Identity.generate()
with open("key", "w") as file:
    file.write(f"{identity}\n")
made = subprocess.run(["./age", "-a", "-r", str(identity.to_public())], input=b"text", stdout=subprocess.PIPE, check=True).stdout


def said(*command: str) -> str:
    done = subprocess.run(command, capture_output=True)
    return "refused" if done.returncode else done.stdout.decode()


def rust(text: bytes) -> str:
    try:
        return pyrage.decrypt(text, [identity]).decode()
    except pyrage.DecryptError:
        return "refused"


lines = []
for name, before, after in [
    ("as made", b"", b""), ("empty line after", b"", b"\n"), ("empty line before", b"\n", b""),
    ("two spaces before", b"  ", b""), ("byte-order mark before", b"\xef\xbb\xbf", b""),
]:
    with open("file", "wb") as file:
        file.write(before + made + after)
    lines.append(f"{name}: {said('./age', '-d', '-i', 'key', 'file')} {rust(before + made + after)} {said('node', 'javascript.mjs')}")
print("\n".join(lines))
want = """as made: text text text
empty line after: text text text
empty line before: text refused text
two spaces before: refused refused text
byte-order mark before: refused refused text"""
raise SystemExit("\n".join(lines) != want)
PY
venv/bin/python try.py
