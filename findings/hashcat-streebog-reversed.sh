#!/usr/bin/env bash
# hashcat: its six modes of Streebog want digests and HMACs from the last byte to the first; its GOST R 34.11-94 wants the usual order.
#
# Packages: hashcat 6.2.6+ds1-1+b1 and hashcat-data of Debian 12 (apt-get download, unpacked in a temporary folder); seen on 2026-11-30.
#   To compare: libgcrypt of the system (Debian 12's 1.10.1).
# Input: the example hashes that `hashcat --hash-info -m MODE` prints, of the password "hashcat" and the salt "08151337".
# Behaviour: modes 11700, 11750, 11760 (256 bits) and 11800, 11850, 11860 (512 bits) have "big-endian" in their names and mean by it that
#   the whole digest is reversed, as the standard prints numbers. libgcrypt, RFC 6986's programs and HMAC's inner digest use the other order,
#   so a digest copied from another program is never found. Mode 6900 (GOST R 34.11-94) is not reversed, and uses the standard's test S-boxes.
#
# Output seen:
#   6900 as before, 11700 as before, 11750 as before, 11760 as before, 11800 as before, 11850 as before, 11860 as before
#   six modes of Streebog reversed, GOST R 34.11-94 not
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the packages cannot be had.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
chmod 755 "$work"
apt-get download hashcat=6.2.6+ds1-1+b1 hashcat-data=6.2.6+ds1-1 libminizip1 libxxhash0 >apt.log 2>&1 || { tail -3 apt.log; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
export LD_LIBRARY_PATH=$PWD/root/usr/lib/x86_64-linux-gnu
# It searches for its modules in its own folder.
cp root/usr/bin/hashcat root/usr/share/hashcat/
cd root/usr/share/hashcat
for mode in 6900 11700 11750 11760 11800 11850 11860; do
    ./hashcat --hash-info -m $mode 2>/dev/null | sed -n "s/^ *Example\.Hash\.* *: \([0-9a-f]*\).*/$mode \1/p"
done >"$work/examples"
python3 - "$work/examples" <<'PY'
import ctypes, sys

gcrypt = ctypes.CDLL("libgcrypt.so.20")
gcrypt.gcry_check_version(None)

def digest(name, data):
    algorithm = gcrypt.gcry_md_map_name(name)
    out = ctypes.create_string_buffer(gcrypt.gcry_md_get_algo_dlen(algorithm))
    gcrypt.gcry_md_hash_buffer(algorithm, out, data, len(data))
    return out.raw

def hmac(name, key, data):
    inner, outer = (bytes(byte ^ pad for byte in key.ljust(64, b"\0")) for pad in (0x36, 0x5C))
    return digest(name, outer + digest(name, inner + data))

word, salt, expected = b"hashcat", b"08151337", {"6900": digest(b"GOSTR3411_94", b"hashcat")}
for first, name in ((11700, b"STRIBOG256"), (11800, b"STRIBOG512")):
    answers = digest(name, word), hmac(name, word, salt), hmac(name, salt, word)
    expected |= {str(first + add): answer[::-1] for add, answer in zip((0, 50, 60), answers)}
examples = dict(line.split() for line in open(sys.argv[1]))
good = examples == {mode: answer.hex() for mode, answer in expected.items()}
print(", ".join(f"{mode} {'as before' if examples.get(mode) == answer.hex() else 'CHANGED'}" for mode, answer in expected.items()))
sys.exit(not good)
PY
echo "six modes of Streebog reversed, GOST R 34.11-94 not"
