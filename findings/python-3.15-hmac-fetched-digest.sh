#!/usr/bin/env bash
# Debian sid's Python 3.14.10 and 3.15.2 over OpenSSL 3.6.5 (packages unpacked, run by chroot: needs root).
# hmac.new and hmac.digest of Python 3.15 refuse a digest that OpenSSL has only by fetching, such as KECCAK-256 of its own default
# provider (no number of an object): ValueError "unsupported". Python 3.14 takes it. hashlib.new and pbkdf2_hmac take it in both,
# and hmac.new with a callable, too, with the value of 3.14. Digests with a number (SHA-512/256) work by name in both.
#
# Output seen:
#   3.14 keccak-256: new 4e03657a, hmac 538dfec6, callable 538dfec6, pbkdf2 c14b7d2c
#   3.14 sha512-256: new 53048e26, hmac c8860a81, callable c8860a81, pbkdf2 f4436f24
#   3.15 keccak-256: new 4e03657a, hmac ValueError([digital envelope routines] unsupported), callable 538dfec6, pbkdf2 c14b7d2c
#   3.15 sha512-256: new 53048e26, hmac c8860a81, callable c8860a81, pbkdf2 f4436f24
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"/{lists,cache/archives}/partial
touch "$folder/status"
mirror=$(grep -hoE 'https?://[^ ]*/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1 || true)
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror:?no Debian mirror in the sources of apt} sid main" > "$folder/sources.list"
cat > "$folder/apt.conf" <<CONF
APT::Sandbox::User "root";
Dir::Etc::sourcelist "$folder/sources.list";
Dir::Etc::sourceparts "-";
Dir::State::lists "$folder/lists";
Dir::State::status "$folder/status";
Dir::Cache "$folder/cache";
CONF
export APT_CONFIG=$folder/apt.conf
apt-get update -qq
apt-get install -qq -y --no-install-recommends --download-only python3.14 python3.15 > "$folder/log" 2>&1
root=$folder/root
mkdir -p "$root"/usr/{bin,lib,lib64,sbin}
for place in bin lib lib64 sbin; do ln -s "usr/$place" "$root/$place"; done
for package in "$folder"/cache/archives/*.deb; do dpkg --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C "$root"; done
cat > "$root/try.py" <<'PY'
import hashlib, hmac, sys


def told(call):
    try:
        return call().hex()[:8]
    except ValueError as e:
        return f"ValueError({e})"


for name in ("keccak-256", "sha512-256"):
    calls = {
        "new": lambda: hashlib.new(name, b"abc").digest(),
        "hmac": lambda: hmac.new(b"k", b"m", name).digest(),
        "callable": lambda: hmac.new(b"k", b"m", lambda data=b"": hashlib.new(name, data)).digest(),
        "pbkdf2": lambda: hashlib.pbkdf2_hmac(name, b"p", b"s", 1),
    }
    print(f"3.{sys.version_info.minor} {name}: " + ", ".join(f"{what} {told(call)}" for what, call in calls.items()))
PY
for minor in 14 15; do chroot "$root" "/usr/bin/python3.$minor" /try.py; done | tee "$folder/out"
diff "$folder/out" - <<'WANT'
3.14 keccak-256: new 4e03657a, hmac 538dfec6, callable 538dfec6, pbkdf2 c14b7d2c
3.14 sha512-256: new 53048e26, hmac c8860a81, callable c8860a81, pbkdf2 f4436f24
3.15 keccak-256: new 4e03657a, hmac ValueError([digital envelope routines] unsupported), callable 538dfec6, pbkdf2 c14b7d2c
3.15 sha512-256: new 53048e26, hmac c8860a81, callable c8860a81, pbkdf2 f4436f24
WANT
