"""The container: the command's files, file objects, whole files, and refusals."""

from __future__ import annotations

import gzip
import io
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import bulat
import pytest
from bulat import container
from hypothesis import given, settings
from hypothesis import strategies as st

KEY = bytes(range(32))
CHUNK = 4096
HEADER = 2048
CIPHERS = ["kuznyechik-mgm", "magma-mgm"]


def sealed(text: bytes, **options: Any) -> bytes:
    out = io.BytesIO()
    container.encrypt(io.BytesIO(text), out, key=KEY, **{"chunk": CHUNK} | options)
    return out.getvalue()


def opened(data: bytes) -> bytes:
    out = io.BytesIO()
    container.decrypt(io.BytesIO(data), out, key=KEY)
    return out.getvalue()


class Counted(io.BytesIO):
    """A file that records the ranges read."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.ranges: list[tuple[int, int]] = []

    def read(self, size: int | None = -1, /) -> bytes:
        at = self.tell()
        data = super().read(size)
        self.ranges.append((at, at + len(data)))
        return data


@pytest.mark.parametrize("cipher", CIPHERS)
@settings(max_examples=25, deadline=None)
@given(n=st.one_of(st.integers(0, 3 * CHUNK), st.sampled_from([CHUNK, 2 * CHUNK, 5 * CHUNK + 1])), seed=st.integers(0, 1 << 32))
def test_in_pieces(cipher: str, n: int, seed: int) -> None:
    rng = random.Random(seed)
    text, file = rng.randbytes(n), io.BytesIO()
    with container.open(file, "wb", key=KEY, cipher=cipher, chunk=CHUNK) as writer:
        at = 0
        while at < n:
            at += writer.write(text[at : at + rng.randrange(1, 6000)])
            assert writer.tell() == at
    block = bulat.algorithms[cipher].block_size
    assert len(file.getvalue()) == HEADER + n + block * max(1, -(-n // CHUNK))
    assert opened(file.getvalue()) == text
    plain = io.BytesIO(text)
    with container.open(file, key=KEY) as reader:
        assert reader.size == n and reader.readable() and reader.seekable() and not reader.writable()
        for _ in range(20):
            match rng.randrange(6):
                case 0:
                    to = rng.randrange(n + 2 * CHUNK)
                    assert reader.seek(to) == plain.seek(to)
                case 1:
                    to = -rng.randrange(n + 1)
                    assert reader.seek(to, io.SEEK_END) == plain.seek(to, io.SEEK_END)
                case 2:
                    size = rng.choice([0, 1, 100, CHUNK, 3 * CHUNK])
                    assert reader.read(size) == plain.read(size)
                case 3:
                    a, b = bytearray(5000), bytearray(5000)
                    assert reader.readinto(a) == plain.readinto(b) and a == b
                case 4:
                    assert reader.readline() == plain.readline()
                case 5:
                    assert reader.read() == plain.read()
            assert reader.tell() == plain.tell()
    assert not file.closed and reader.closed


def test_a_range_touches_its_chunks_alone() -> None:
    text = random.Random(3).randbytes(20 * CHUNK + 7)
    file = Counted(sealed(text))
    with container.open(file, key=KEY) as reader:
        file.ranges.clear()
        reader.seek(5 * CHUNK + 10)
        assert reader.read(2 * CHUNK) == text[5 * CHUNK + 10 : 7 * CHUNK + 10]
        read = [r for r in file.ranges if r[0] != r[1]]
        chunk = CHUNK + 16
        assert read[0][0] == HEADER + 5 * chunk and read[-1][1] <= HEADER + 8 * chunk
        file.ranges.clear()
        reader.seek(-3, io.SEEK_END)
        assert reader.read() == text[-3:]
        assert min(r[0] for r in file.ranges if r[0] != r[1]) == HEADER + 20 * chunk


def test_what_is_refused() -> None:
    text = random.Random(4).randbytes(3 * CHUNK)
    whole, chunk = sealed(text), CHUNK + 16
    cases = {
        "truncated: the file ends after chunk 1": whole[: HEADER + 2 * chunk],
        "damaged or truncated: chunk 2, the last": whole[:-1],
        "truncated: the file ends before its first chunk": whole[:HEADER],
        "truncated: the file ends inside the header": whole[: HEADER - 1],
        "not a bulat container": b"x" + whole,
        "damaged: chunk 0 does not verify": whole[:HEADER] + whole[HEADER + chunk :],
    }
    for words, bad_file in cases.items():
        with pytest.raises(bulat.DamagedData, match=words):
            opened(bad_file)
        with pytest.raises(bulat.DamagedData, match="truncated|damaged|not a bulat"):
            container.open(io.BytesIO(bad_file), key=KEY).read()
    # Chunks before the fault can be read; the end is refused.
    with container.open(io.BytesIO(whole[: HEADER + 2 * chunk]), key=KEY) as reader:
        assert reader.read(10) == text[:10]
        for call in (lambda: reader.size, lambda: reader.seek(0, io.SEEK_END), lambda: reader.read()):
            with pytest.raises(bulat.DamagedData, match="truncated"):
                call()
    with pytest.raises(bulat.WrongKey, match="wrong key or password"):
        container.open(io.BytesIO(whole), key=bytes(32))
    with pytest.raises(bulat.InvalidInput, match="encrypted with a key file, not with a password"):
        container.open(io.BytesIO(whole), password="x")


def test_passwords() -> None:
    file = io.BytesIO()
    with container.open(file, "wb", password="пароль", kdf="pbkdf2", iterations=200_000) as writer:
        writer.write(b"text")
    info = container.info(file)
    slot = {"slot": 0, "kind": "password", "kdf": "pbkdf2-streebog512", "iterations": 200_000}
    assert (info["slots"], info["size"], info["chunks"]) == ([slot], 4, 1)
    assert container.open(file, password="пароль".encode()).read() == b"text"
    with pytest.raises(bulat.WrongKey):
        container.open(file, password="parol")
    with pytest.raises(bulat.InvalidInput, match="200000 iterations of PBKDF2, more than 100000"):
        container.open(file, password="пароль", max_iterations=100_000)
    with pytest.raises(bulat.InvalidInput, match="encrypted with a password"):
        container.open(file, key=KEY)
    file = io.BytesIO()
    with container.open(file, "wb", password="пароль", memory=65536) as writer:
        writer.write(b"text")
    slot = {"slot": 0, "kind": "password", "kdf": "argon2id", "memory": 65536, "passes": 3, "lanes": 1}
    assert container.info(file)["slots"] == [slot]
    assert container.open(file, password="пароль").read() == b"text"
    with pytest.raises(bulat.InvalidInput, match="65536 KiB of memory for Argon2id, more than 65535"):
        container.open(file, password="пароль", max_memory=65_535)


def test_bound_names(tmp_path: Path) -> None:
    path = tmp_path / "f.bulat"
    with container.open(path, "wb", key=KEY, bind_name=True) as writer:
        writer.write(b"text")
    assert container.info(path)["name"] == "f"
    assert container.open(path, key=KEY).read() == b"text"
    with open(path, "rb") as file:
        assert container.open(file, key=KEY).read() == b"text"
    other = path.rename(tmp_path / "g.bulat")
    with pytest.raises(bulat.DamagedData, match='made under the name "f", not "g"'):
        container.open(other, key=KEY)
    with pytest.raises(bulat.DamagedData, match="is not known"):
        container.decrypt(io.BytesIO(other.read_bytes()), io.BytesIO(), key=KEY)
    out = io.BytesIO()
    container.decrypt(other, out, key=KEY, any_name=True)
    assert out.getvalue() == b"text"
    with pytest.raises(bulat.InvalidInput, match="bind_name"):
        container.encrypt(io.BytesIO(), io.BytesIO(), key=KEY, bind_name=True)


def test_no_half_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "f.bulat"
    writer = container.open(path, "wb", key=KEY)
    writer.write(b"given up")
    writer.discard()
    writer.discard()
    assert list(tmp_path.iterdir()) == [] and writer.closed
    for source in (tmp_path / "missing", io.BytesIO(b"no container")):
        with pytest.raises((OSError, bulat.Error)):
            container.decrypt(source, path, key=KEY)
    path.write_bytes(sealed(bytes(3 * CHUNK))[:-1])
    with pytest.raises(bulat.DamagedData):
        container.decrypt(path, tmp_path / "plain", key=KEY)
    assert list(tmp_path.iterdir()) == [path]


def test_files_by_path(tmp_path: Path) -> None:
    plain, path, back = tmp_path / "plain", tmp_path / "f.bulat", tmp_path / "back"
    text = random.Random(6).randbytes(1_000_000)
    plain.write_bytes(text)
    assert container.encrypt(plain, str(path), key=KEY, threads=2) == len(text)
    assert container.decrypt(path, back, key=KEY) == len(text)
    assert back.read_bytes() == text
    mask = os.umask(0o022)
    os.umask(mask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~mask
    # An existing file is replaced, or refused; a link's target is replaced, and keeps its rights.
    path.chmod(0o600)
    link = tmp_path / "link"
    link.symlink_to(path)
    with container.open(link, "wb", key=KEY) as writer:
        writer.write(b"new")
    assert link.is_symlink() and path.stat().st_mode & 0o777 == 0o600
    assert container.open(path, key=KEY).read() == b"new"
    with pytest.raises(FileExistsError):
        container.open(path, "xb", key=KEY)
    with pytest.raises(FileExistsError):
        container.encrypt(plain, path, key=KEY, replace=False)
    with pytest.raises(bulat.InvalidInput, match="input and output are the same file"):
        container.encrypt(plain, plain, key=KEY)
    with open(tmp_path / "object", "wb") as f:
        container.encrypt(plain, f, key=KEY)
    with open(tmp_path / "object", "rb") as f, gzip.open(tmp_path / "gz", "wb") as g:
        container.decrypt(f, g, key=KEY)
    assert gzip.open(tmp_path / "gz").read() == text


def test_closed() -> None:
    file = io.BytesIO(sealed(b"text"))
    reader = container.open(file, key=KEY)
    reader.close()
    reader.close()
    for call in (reader.read, lambda: reader.seek(0), reader.tell, lambda: reader.size, lambda: reader.readinto(bytearray(1))):
        with pytest.raises(ValueError, match="closed"):
            call()
    writer = container.open(io.BytesIO(), "wb", key=KEY)
    writer.close()
    with pytest.raises(ValueError, match="closed"):
        writer.write(b"x")


class Broken(io.BytesIO):
    def read(self, *_: Any) -> Any:
        raise RuntimeError("broken")

    def write(self, *_: Any) -> Any:
        raise RuntimeError("broken")


def test_file_objects_that_fail() -> None:
    with pytest.raises(RuntimeError, match="broken"):
        container.open(Broken(), key=KEY)
    with pytest.raises(RuntimeError, match="broken"):
        container.open(Broken(), "wb", key=KEY)
    with pytest.raises(RuntimeError, match="broken"):
        container.decrypt(io.BytesIO(sealed(bytes(9 * CHUNK))), Broken(), key=KEY, threads=2)

    class Short(io.BytesIO):
        """Reads and writes a few bytes at a time."""

        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(min(size or 0, 777))

        def write(self, data: Any, /) -> int:
            return super().write(bytes(data)[:777])

    out = Short()
    text = random.Random(7).randbytes(5 * CHUNK)
    container.encrypt(Short(text), out, key=KEY)
    assert container.open(Short(out.getvalue()), key=KEY).read() == text

    class Liar(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(size) + b"more"

    with pytest.raises(bulat.InvalidInput, match="more bytes than requested"):
        container.open(Liar(sealed(text)), key=KEY).read()


def test_key_files(tmp_path: Path) -> None:
    path = tmp_path / "key"
    for held in (KEY, KEY.hex().encode(), KEY.hex().encode() + b"\n", KEY.hex().upper().encode() + b"\r\n"):
        path.write_bytes(held)
        assert container.read_key(path) == KEY
    for held, words in (
        (b"", "the key is empty"),
        (KEY[1:], "31 bytes, but the key must have 32"),
        (KEY.hex().encode()[1:], "nearly a key in hexadecimal digits"),
        (bytes(70000), "longer than 65536 bytes"),
    ):
        path.write_bytes(held)
        with pytest.raises(bulat.InvalidInput, match=words):
            container.read_key(path)
    assert len(container.new_key()) == 32 and container.new_key() != container.new_key()


COMMAND = os.environ.get("BULAT") or shutil.which("bulat")


@pytest.mark.skipif(not COMMAND, reason="no command bulat in PATH or in $BULAT")
@pytest.mark.parametrize("cipher", CIPHERS)
def test_the_command(cipher: str, tmp_path: Path) -> None:
    assert COMMAND
    key, plain = tmp_path / "key", tmp_path / "plain"
    subprocess.run([COMMAND, "key", "new", "-o", key], check=True)
    text = random.Random(8).randbytes(500_000)
    plain.write_bytes(text)
    subprocess.run([COMMAND, "encrypt", "-k", key, "--cipher", cipher.split("-")[0], plain], check=True)
    with container.open(tmp_path / "plain.bulat", key=container.read_key(key)) as reader:
        assert reader.read() == text
    container.encrypt(plain, tmp_path / "ours.bulat", key=container.read_key(key), cipher=cipher)
    subprocess.run([COMMAND, "decrypt", "-k", key, tmp_path / "ours.bulat"], check=True)
    assert (tmp_path / "ours").read_bytes() == text


INTERRUPTED = """
import signal, sys, threading
from bulat import container

source, destination = sys.argv[1:]
ends = ((source, destination), (open(source, "rb"), open(destination, "wb")))
for how, (from_, to) in enumerate(ends):
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        container.encrypt(from_, to, key=bytes(32), threads=how + 1)
    except KeyboardInterrupt:
        print("interrupted")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no timer's signals")
def test_ctrl_c_ends_the_work(tmp_path: Path) -> None:
    source, destination = tmp_path / "source", tmp_path / "sealed"
    with source.open("wb") as file:
        file.truncate(1 << 42)  # nothing waits for its end
    run = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, source, destination],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (run.stdout, run.stderr) == ("interrupted\n" * 2, "")
    # The path got no file; a file object keeps the bytes written.
    assert sorted(tmp_path.iterdir()) == [destination, source]
