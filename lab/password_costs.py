#!/usr/bin/env python3
"""Measures the cost of one attempt at a password: processor time here, and memory, of formats with their default settings.

    python3 lab/password_costs.py path/to/bulat

Each function runs alone in a process, best of three. LUKS2 is that of cryptsetup: its benchmark chooses passes for two
seconds, up to 1 GiB; here are its memory and 4 passes, the least.
"""

import os
import subprocess
import sys
import tempfile

SCRYPT = "import hashlib; hashlib.scrypt(b'p', salt=bytes(16), n=1 << 18, r=8, p=1, maxmem=1 << 30, dklen=32)"
SHA512 = "import hashlib; hashlib.pbkdf2_hmac('sha512', b'p', bytes(64), 500_000)"
NOTHING = "import hashlib"


def run(args):
    """Returns the least processor time in seconds, and the most memory in MiB."""
    best, most = 1e9, 0
    for _ in range(3):
        child = subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        assert status == 0, args
        best = min(best, usage.ru_utime + usage.ru_stime)
        most = max(most, usage.ru_maxrss / 1024)
    return best, most


def main():
    bulat = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in ("in", "p"):
            with open(name, "w") as file:
                file.write("text")
        os.chmod("p", 0o600)
        decrypt = lambda name: [bulat, "decrypt", "-p", "p", "-f", "-o", "out", name]
        verify = [bulat, "volume", "verify", "-p", "p", "luks"]
        subprocess.run([bulat, "key", "new", "-o", "key"], check=True)
        subprocess.run([bulat, "encrypt", "-k", "key", "-o", "none", "in"], check=True)
        subprocess.run([bulat, "encrypt", "-p", "p", "-o", "argon2id", "in"], check=True)
        subprocess.run([bulat, "encrypt", "-p", "p", "--kdf", "pbkdf2", "-o", "pbkdf2", "in"], check=True)
        luks = ["--memory", str(1 << 20), "--passes", "4", "--lanes", "4"]
        subprocess.run([bulat, "volume", "create", "-p", "p", "--size", "32M", *luks, "luks"], check=True)
        base, python = run([bulat, "decrypt", "-k", "key", "-f", "-o", "out", "none"])[0], run([sys.executable, "-c", NOTHING])[0]
        rows = [
            ("bulat: Argon2id, 256 MiB, 3 passes, 1 lane", decrypt("argon2id"), base),
            ("bulat --kdf pbkdf2: Streebog-512, a second's worth", decrypt("pbkdf2"), base),
            ("age: scrypt, N = 2^18, r = 8", [sys.executable, "-c", SCRYPT], python),
            ("LUKS2: Argon2id, 1 GiB, 4 passes, 4 lanes", verify, base),
            ("VeraCrypt: PBKDF2, SHA-512, 500 000 iterations", [sys.executable, "-c", SHA512], python),
        ]
        print("| format and default | processor seconds | MiB |\n|---|---|---|")
        for name, args, start in rows:
            seconds, memory = run(args)
            print(f"| {name} | {seconds - start:.2f} | {memory:.0f} |", flush=True)


main()
