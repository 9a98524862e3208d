#!/usr/bin/env bash
# tcpdump -E: OpenSSL's name of 3DES in CBC decrypts IPsec's packets in ECB; a sixth of them is shown as other protocols, without a warning. OpenSSL's
# name of AES-128 in CBC is unknown, as are two names of the manual page. An ICV of 16 bytes, as of HMAC-SHA-256-128, cannot be told at all.
#
# Packages: tcpdump 4.99.3-1 and libpcap0.8 of Debian 12 (apt-get download, unpacked in a temporary folder), the system's OpenSSL 3.0.22; seen on
#   2026-12-01.
# Input: 100 UDP datagrams from port 1000 to port 2000 in ESP (RFC 4303) by 3DES-CBC, AES-128-CBC and AES-256-CBC, without an ICV, with
#   HMAC-SHA1-96 and with HMAC-SHA-256-128. They are read with the right key, and several names of the cipher; -hmac96 at its end tells the ICV.
# Behaviour: "-cbc" at the end of a name is cut off, and OpenSSL is asked for a cipher of the name that is left. So des-ede3-cbc becomes des-ede3, which
#   is ECB, and 3des-cbc becomes 3des, a short name of CBC. aes-128-cbc becomes aes-128, which is nothing, and aes128-cbc becomes aes128, a short
#   name of CBC. The end -hmac96 means 12 bytes of ICV, and no end means other lengths: without it the ICV is decrypted as text, and its last bytes
#   are taken for the length of the padding and the next protocol. All exit with status 0.
#
# Output seen (cipher of -E, packets: how many are shown as UDP between these ports, as another protocol, as too short):
#   3des-cbc, 3DES: 100 right, 0 another protocol, 0 [|esp]
#   des3-cbc, 3DES: 100 right, 0 another protocol, 0 [|esp]
#   des-ede3-cbc, 3DES: 0 right, 15 another protocol, 85 [|esp]
#   des-ede3-cbc-hmac96, 3DES with HMAC-SHA1-96: 0 right, 15 another protocol, 85 [|esp]
#   aes128-cbc, AES-128: 100 right, 0 another protocol, 0 [|esp]
#   aes-128-cbc, AES-128: 0 right, 0 another protocol, 0 [|esp], failed to find cipher algo aes-128
#   aes-cbc, AES-128: 0 right, 0 another protocol, 0 [|esp], failed to find cipher algo aes
#   aes256-cbc, AES-256: 100 right, 0 another protocol, 0 [|esp]
#   cast128-cbc, AES-128: 0 right, 0 another protocol, 0 [|esp], failed to find cipher algo cast128
#   none, AES-128: 0 right, 0 another protocol, 0 [|esp], failed to find cipher algo none
#   aes128-cbc-hmac96, AES-128 with HMAC-SHA1-96: 100 right, 0 another protocol, 0 [|esp]
#   aes128-cbc-hmac128, AES-128 with HMAC-SHA-256-128: 0 right, 0 another protocol, 0 [|esp], failed to find cipher algo aes128-cbc-hmac128
#   aes128-cbc-hmac96, AES-128 with HMAC-SHA-256-128: 0 right, 0 another protocol, 0 [|esp], ciphertext size 36 is not a multiple of the cipher block size 16
#   aes128-cbc, AES-128 with HMAC-SHA-256-128: 1 right, 18 another protocol, 81 [|esp]
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the packages cannot be had.
set -euo pipefail
script=$(realpath "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
chmod 755 "$work"
apt-get download tcpdump=4.99.3-1 libpcap0.8 >apt.log 2>&1 || { tail -3 apt.log; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
export LD_LIBRARY_PATH=$work/root/usr/lib/x86_64-linux-gnu
ldd root/usr/bin/tcpdump | grep "not found" && exit 2
unset OPENSSL_CONF
cat >try.py <<'PY'
import hashlib, hmac, re, struct, subprocess

HASHES = {"": (None, 0), " with HMAC-SHA1-96": (hashlib.sha1, 12), " with HMAC-SHA-256-128": (hashlib.sha256, 16)}
CIPHERS = {"3DES": ("des-ede3-cbc", 24, 8), "AES-128": ("aes-128-cbc", 16, 16), "AES-256": ("aes-256-cbc", 32, 16)}


def key(size):
    return bytes(7 * i * i + 11 * i + 3 & 255 for i in range(size))


def packet(cipher, hashed, number):
    name, size, block = CIPHERS[cipher]
    text = b"hello, world %03d" % number
    text = struct.pack(">4H", 1000, 2000, 8 + len(text), 0) + text
    pad = -(len(text) + 2) % block
    text += bytes(range(1, pad + 1)) + bytes([pad, 17])
    iv = hashlib.md5(bytes([number])).digest()[:block]
    command = ["openssl", "enc", "-" + name, "-nopad", "-K", key(size).hex(), "-iv", iv.hex()]
    esp = struct.pack(">2I", 5, number) + iv + subprocess.run(command, input=text, capture_output=True, check=True).stdout
    function, length = HASHES[hashed]
    if function:
        esp += hmac.new(key(20), esp, function).digest()[:length]
    return struct.pack(">2BHIBBH8B", 0x45, 0, 20 + len(esp), 0, 64, 50, 0, 10, 0, 0, 1, 10, 0, 0, 2) + esp


def read(said, cipher, hashed=""):
    if (cipher, hashed) not in captures:
        captures[cipher, hashed] = [packet(cipher, hashed, number) for number in range(COUNT)]
    with open("capture.pcap", "wb") as file:
        file.write(struct.pack("<I2H4I", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101))
        for ip in captures[cipher, hashed]:
            file.write(struct.pack("<4I", 0, 0, len(ip), len(ip)) + ip)
    secret = f"0x5@10.0.0.2 {said}:0x{key(CIPHERS[cipher][1]).hex()}"
    done = subprocess.run(["root/usr/bin/tcpdump", "-n", "-t", "-Z", "root", "-r", "capture.pcap", "-E", secret], capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if "ESP(spi" in line]
    right = sum(line.endswith(": 1000 > 2000: UDP, length 16") for line in lines)
    other = sum(bool(re.search(r"length \d+:", line)) for line in lines) - right
    cut = sum("[|esp]" in line for line in lines)
    said_so = sorted(set(re.findall(r"WARNING: (?:esp_print: )?(.*)", done.stderr)))
    counts = ", ".join([f"{right} right, {other} another protocol, {cut} [|esp]"] + said_so[:1])
    print(f"{said}, {cipher}{hashed}: {counts}" + (f", status {done.returncode}" if done.returncode else ""))


COUNT, captures = 100, {}
read("3des-cbc", "3DES")
read("des3-cbc", "3DES")
read("des-ede3-cbc", "3DES")
read("des-ede3-cbc-hmac96", "3DES", " with HMAC-SHA1-96")
read("aes128-cbc", "AES-128")
read("aes-128-cbc", "AES-128")
read("aes-cbc", "AES-128")
read("aes256-cbc", "AES-256")
read("cast128-cbc", "AES-128")
read("none", "AES-128")
read("aes128-cbc-hmac96", "AES-128", " with HMAC-SHA1-96")
read("aes128-cbc-hmac128", "AES-128", " with HMAC-SHA-256-128")
read("aes128-cbc-hmac96", "AES-128", " with HMAC-SHA-256-128")
read("aes128-cbc", "AES-128", " with HMAC-SHA-256-128")
PY
python3 try.py | tee seen
sed -n '/^# Output seen/,/^# Exit status/s/^#   //p' "$script" >expected
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
