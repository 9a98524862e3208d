"""Containers through fsspec: on files and on an S3 server; pandas, Dask, pyarrow; reads and refusals."""

from __future__ import annotations

import io
import os
import pickle
import random
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from bulat import DamagedData, InvalidInput, WrongKey, container

fsspec = pytest.importorskip("fsspec")
import bulat.fsspec as bulat_fsspec  # noqa: E402

CHUNK, TAG, HEADER = 4096, 16, 2048
TEXT = bytes(i * i >> 7 & 255 for i in range(40 * CHUNK + 1234))


class Place:
    """A folder on some file system, plain and through `bulat::`."""

    def __init__(self, url: str, options: dict[str, Any], key_file: str) -> None:
        self.url, self.protocol = url, url.partition("://")[0]
        self.options: dict[str, Any] = {"key_file": key_file, "chunk": CHUNK, self.protocol: options}
        self.plain, self.root = fsspec.url_to_fs(url, **options)
        self.bulat = fsspec.url_to_fs(f"bulat::{url}", **self.options)[0]

    def chained(self, name: str) -> str:
        return f"bulat::{self.url}/{name}"


@pytest.fixture(params=["file", "memory", "s3"])
def place(request: pytest.FixtureRequest, tmp_path: Path, key_file: str) -> Place:
    if request.param == "s3":
        server = request.getfixturevalue("s3")
        return Place(f"s3://{server.bucket}/tree", server.options, key_file)
    (tmp_path / "tree").mkdir()
    url = f"file://{tmp_path}/tree" if request.param == "file" else f"memory://{tmp_path}/tree"
    return Place(url, {}, key_file)


def test_what_is_written_is_a_container_and_is_read_back(place: Place, key_file: str) -> None:
    fs, path = place.bulat, f"{place.root}/sub/x.bin"
    fs.makedirs(f"{place.root}/sub", exist_ok=True)
    for text in (b"", b"abc", TEXT):
        with fs.open(path, "wb") as file:
            # Over a raw stream some hosts put a buffer that they do not flush (mcap 1.6.0).
            assert not isinstance(file, io.RawIOBase)
            for at in range(0, len(text), 5000):
                file.write(text[at : at + 5000])
        with place.plain.open(path) as file, container.open(file, key=container.read_key(key_file)) as plain:
            assert plain.read() == text
        assert fs.size(path) == len(text) and fs.cat_file(path) == text
        assert place.plain.size(path) == len(text) + HEADER + TAG * max(1, -(-len(text) // CHUNK))
    with fs.open(path) as file:
        assert file.read(10) == TEXT[:10] and file.seek(-10, 2) and file.read() == TEXT[-10:]
        assert file.seek(5) == 5 and b"".join(iter(lambda: file.read(777), b"")) == TEXT[5:]
    assert fs.cat_file(path, -100, -50) == TEXT[-100:-50]
    assert fs.cat_ranges([path] * 3, [0, 5000, 9], [1, 9000, 9]) == [TEXT[:1], TEXT[5000:9000], b""]
    names = [f"{place.root}/sub/x.bin"]
    assert [info["size"] for info in fs.ls(f"{place.root}/sub")] == [len(TEXT)]
    assert fs.glob(f"{place.root}/**/*.bin") == names == fs.find(place.root) == place.plain.find(place.root)
    assert pickle.loads(pickle.dumps(fs)).cat_file(path, 1, 9) == TEXT[1:9]
    fs.pipe_file(path, b"short")
    assert fs.cat_file(path) == b"short"
    with pytest.raises(FileExistsError):
        fs.open(path, "xb")
    with pytest.raises(ValueError, match="from its start"):
        fs.open(path, "ab")
    fs.rm(path)
    assert not fs.exists(path)


def test_a_flipped_bit_is_refused(place: Place) -> None:
    fs, path = place.bulat, f"{place.root}/x"
    fs.pipe_file(path, TEXT)
    sealed = place.plain.cat_file(path)
    sealed_chunk = CHUNK + TAG
    for at in (0, 40, 100, HEADER + 3 * sealed_chunk + 17, HEADER + 4 * sealed_chunk - 1, len(sealed) - 1):
        place.plain.pipe_file(path, sealed[:at] + bytes([sealed[at] ^ 4]) + sealed[at + 1 :])
        fresh = type(fs)(fs=place.plain, key_file=fs.keys.key_file)
        with pytest.raises((DamagedData, WrongKey)):
            fresh.cat_file(path)
        if at > HEADER + sealed_chunk:
            # The other chunks are unchanged.
            assert fresh.cat_file(path, CHUNK, 2 * CHUNK) == TEXT[CHUNK : 2 * CHUNK]
    # Truncated between chunks: the new last chunk is not marked as last.
    place.plain.pipe_file(path, sealed[: HEADER + 5 * sealed_chunk])
    with pytest.raises(DamagedData):
        type(fs)(fs=place.plain, key_file=fs.keys.key_file).cat_file(path)


def test_a_range_reads_its_chunks_alone(place: Place, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    fs, path = place.bulat, f"{place.root}/x"
    fs.pipe_file(path, TEXT)
    fresh = type(fs)(fs=place.plain, key_file=fs.keys.key_file)
    asked: list[tuple[int, int]] = []
    real = place.plain.cat_file

    def counted(name: str, start: int | None = None, end: int | None = None, **more: Any) -> bytes:
        text: bytes = real(name, start=start, end=end, **more)
        asked.append((start or 0, (start or 0) + len(text)))
        return text

    monkeypatch.setattr(place.plain, "cat_file", counted)

    def chunks(first: int, count: int) -> tuple[int, int]:
        at = HEADER + first * (CHUNK + TAG)
        return at, at + count * (CHUNK + TAG)

    with fresh.open(path) as file:
        assert asked == [(0, HEADER)]
        file.seek(10 * CHUNK + 5)
        assert file.read(100) == TEXT[10 * CHUNK + 5 :][:100]
        assert asked[1:] == [chunks(10, 1)]
        file.seek(20 * CHUNK - 1)
        assert file.read(2) == TEXT[20 * CHUNK - 1 :][:2]
        assert asked[2:] == [chunks(19, 2)]
        file.seek(20 * CHUNK + 9)
        file.read(100)
        assert len(asked) == 3, "the last chunk is cached"
        # Sequential reads fetch ahead, twice as much each time.
        file.seek(0)
        while file.read(1000):
            pass
        lengths = [high - low for low, high in asked[3:]]
        assert len(lengths) < 10 and sum(lengths) == len(TEXT) + 41 * TAG
        assert lengths[0] == CHUNK + TAG < lengths[2] < lengths[3]
    asked.clear()
    assert fresh.cat_file(path, 30 * CHUNK, 30 * CHUNK + 1) == TEXT[30 * CHUNK :][:1]
    assert asked == [chunks(30, 1)], "the header is known"
    if place.protocol == "s3":
        # The server's log agrees.
        server = request.getfixturevalue("s3")
        server.requests.clear()
        fresh.cat_file(path, 7 * CHUNK, 8 * CHUNK)
        low, high = chunks(7, 1)
        assert [r for _, _, r in server.requests if r] == [f"bytes={low}-{high - 1}"]
        assert all(r or method == "HEAD" for method, _, r in server.requests)


@pytest.mark.parametrize("cache", ["bulat", "none"])
def test_threads_share_a_file(place: Place, cache: str) -> None:
    """As DuckDB does: no other thread runs between a seek and its read, but many run within a read."""
    fs, path = place.bulat, f"{place.root}/x"
    fs.pipe_file(path, TEXT)

    def reads(seed: int, file: Any) -> None:
        chance = random.Random(seed)
        for _ in range(20):
            at = chance.randrange(len(TEXT))
            length = chance.randrange(1, 10 * CHUNK)
            file.seek(at)
            assert file.read(length) == TEXT[at : at + length]

    interval = sys.getswitchinterval()
    sys.setswitchinterval(60)
    try:
        with fs.open(path, cache_type=cache) as file, ThreadPoolExecutor(4) as pool:
            list(pool.map(reads, range(4), 4 * [file]))
    finally:
        sys.setswitchinterval(interval)


def test_pandas_and_arrow(place: Place) -> None:
    pd = pytest.importorskip("pandas")
    np = pytest.importorskip("numpy")
    dataset = pytest.importorskip("pyarrow.dataset")
    table = pd.DataFrame({"a": np.arange(20_000), "b": np.arange(20_000) % 7 / 3, "c": ["x", "yy"] * 10_000})
    for name in ("t.parquet", "t.csv"):
        url, kind = place.chained(name), name[2:]
        getattr(table, f"to_{kind}")(url, storage_options=place.options, index=False)
        back = getattr(pd, f"read_{kind}")(url, storage_options=place.options)
        pd.testing.assert_frame_equal(back, table)
        assert place.plain.cat_file(f"{place.root}/{name}", start=0, end=6) == b"bulat\x1a"
    # Some columns of some rows, by pyarrow's own reader over the file system.
    read = dataset.dataset(f"{place.root}/t.parquet", filesystem=place.bulat).to_table(
        columns=["a"], filter=dataset.field("a") > 19_990
    )
    assert read.column("a").to_pylist() == list(range(19_991, 20_000))


def test_dask_reads_and_writes(place: Place) -> None:
    pytest.importorskip("pandas")
    frame = pytest.importorskip("dask.dataframe")
    import dask
    import pandas as pd

    table = pd.DataFrame({"a": range(3000), "b": [i / 3 for i in range(3000)]})
    with dask.config.set(scheduler="threads"):
        frame.from_pandas(table, npartitions=3).to_parquet(place.chained("set"), storage_options=place.options)
        back = frame.read_parquet(place.chained("set"), storage_options=place.options).compute()
        pd.testing.assert_frame_equal(back.reset_index(drop=True), table, check_dtype=False)
        frame.from_pandas(table, npartitions=2).to_csv(place.chained("csv/*.csv"), storage_options=place.options, index=False)
        back = frame.read_csv(place.chained("csv/*.csv"), storage_options=place.options, blocksize=9000)
        assert back.npartitions > 2
        pd.testing.assert_frame_equal(back.compute().reset_index(drop=True), table)
    for path in place.plain.find(place.root):
        assert place.plain.cat_file(path, start=0, end=6) == b"bulat\x1a", path


def test_compression(place: Place, key_file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    url, options = f"{place.url}/x.txt.bulat", place.options[place.protocol]
    with pytest.raises(InvalidInput, match="no key"), fsspec.open(url, "wb", compression="bulat", **options) as file:
        file.write(b"x")
    monkeypatch.setenv("BULAT_KEY_FILE", key_file)
    for name in ("bulat", "infer"):
        with fsspec.open(url, "wt", compression=name, newline="", **options) as file:
            file.write("line\n" * 3000)
        with fsspec.open(url, "rt", compression=name, **options) as file:
            assert file.readlines() == ["line\n"] * 3000
    assert fsspec.open(f"bulat::{url}", **{place.protocol: options}).open().read(5) == b"line\n"


def test_nothing_is_there_before_it_is_whole(place: Place) -> None:
    fs, path = place.bulat, f"{place.root}/x"
    fs.pipe_file(path, b"before")
    for text in (b"half", os.urandom(300_000)):
        with pytest.raises(ZeroDivisionError), fs.open(path, "wb") as file:
            file.write(text)
            _ = 1 / 0
        assert place.plain.find(place.root) == [path] and fs.cat_file(path) == b"before"
    file = fs.open(path, "wb")
    file.write(b"forgotten")
    del file
    assert place.plain.find(place.root) == [path] and fs.cat_file(path) == b"before"
    with fs.transaction:
        with fs.open(path, "wb") as file:
            file.write(b"after")
        assert fs.cat_file(path) == b"before"
    assert fs.cat_file(path) == b"after"
    with pytest.raises(ZeroDivisionError), fs.transaction, fs.open(path, "wb") as file:
        file.write(b"never")
        _ = 1 / 0
    assert place.plain.find(place.root) == [path] and fs.cat_file(path) == b"after"


def test_keys_are_named_never_given(place: Place, key_file: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    key = container.read_key(key_file)
    for name in ("key", "password"):
        with pytest.raises(InvalidInput, match="a key is no option"):
            bulat_fsspec.BulatFileSystem(fs=place.plain, **{name: key})  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="the name of a file"):
        bulat_fsspec.BulatFileSystem(fs=place.plain, key_file=key)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="only one of them"):
        bulat_fsspec.BulatFileSystem(fs=place.plain, key_file=key_file, password_file=key_file)
    path = f"{place.root}/x"
    place.bulat.pipe_file(path, b"abc")
    for blob in (pickle.dumps(place.bulat), place.bulat.to_json().encode(), repr(place.bulat).encode()):
        assert key not in blob and not re.search(key.hex().encode(), blob, re.IGNORECASE)
    bare = bulat_fsspec.BulatFileSystem(fs=place.plain)
    with pytest.raises(InvalidInput, match="no key"):
        bare.cat_file(path)
    for name, value in (("BULAT_KEY", key.hex()), ("BULAT_KEY_FILE", key_file)):
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            assert bare.cat_file(path) == b"abc"
    with monkeypatch.context() as patch:
        patch.setenv("BULAT_KEY", "00" * 32)
        with pytest.raises(WrongKey):
            bare.cat_file(path)
        patch.setenv("BULAT_KEY", key.hex() + " ")
        with pytest.raises(InvalidInput, match="64 hexadecimal digits"):
            bare.cat_file(path)
    (tmp_path / "password").write_bytes(b"password\r\n")
    sealed = io.BytesIO()
    container.encrypt(io.BytesIO(b"abc"), sealed, password="password", memory=65536)
    place.plain.pipe_file(path, sealed.getvalue())
    with_password = bulat_fsspec.BulatFileSystem(fs=place.plain, password_file=str(tmp_path / "password"))
    assert with_password.cat_file(path) == b"abc"
    with pytest.raises(InvalidInput):
        bulat_fsspec.BulatFileSystem(fs=place.plain, key_file=key_file).cat_file(path)


def test_what_is_no_container(place: Place) -> None:
    place.plain.pipe_file(f"{place.root}/plain", b"plain text, longer than no header" * 9)
    place.plain.pipe_file(f"{place.root}/short", b"bulat\x1a")
    assert {info["size"] for info in place.bulat.ls(place.root)} == {6, 297}
    for name in ("plain", "short"):
        with pytest.raises(DamagedData):
            place.bulat.open(f"{place.root}/{name}")
    with pytest.raises(FileNotFoundError):
        place.bulat.open(f"{place.root}/none")
    with pytest.raises(FileNotFoundError):
        place.bulat.info(f"{place.root}/none")


def test_a_size_that_is_handed_on(place: Place) -> None:
    fs, path = place.bulat, f"{place.root}/x"
    fs.pipe_file(path, TEXT)
    assert fs.open(path, size=3).read() == TEXT
    if place.protocol == "file":
        again = pickle.loads(pickle.dumps(fs.open(path)))
        assert again.read() == TEXT
        for cache in ("blockcache", "cached", "simplecache", "filecache"):
            with fsspec.open(f"{cache}::{place.chained('x')}", bulat=place.options) as file:
                assert file.read() == TEXT, cache


def test_files_of_this_machine_need_no_protocol(tmp_path: Path, key_file: str) -> None:
    with fsspec.open(f"bulat://{tmp_path}/x", "wb", key_file=key_file) as file:
        file.write(b"abc")
    assert (tmp_path / "x").read_bytes().startswith(b"bulat")
    assert bulat_fsspec.BulatFileSystem(key_file=key_file).cat_file(str(tmp_path / "x")) == b"abc"
    with pytest.raises(InvalidInput, match="fs and target_protocol"):
        bulat_fsspec.BulatFileSystem(fs=fsspec.filesystem("file"), target_protocol="file")


def test_what_cannot_be_opened_is_said_once(tmp_path: Path, key_file: str, capfd: pytest.CaptureFixture[str]) -> None:
    fs = bulat_fsspec.BulatFileSystem(key_file=str(tmp_path / "nothing"))
    for mode in ("wb", "rb"):
        with pytest.raises(FileNotFoundError):
            fs.open(str(tmp_path / "x"), mode)
    assert capfd.readouterr().err == "" and not (tmp_path / "x").exists()
    with pytest.raises(InvalidInput, match="mode ab: rb, wb, xb"):
        bulat_fsspec.BulatFileSystem(key_file=key_file).open(str(tmp_path / "x"), "ab")
    digits = container.read_key(key_file).hex()
    with pytest.raises(InvalidInput, match="64 hexadecimal digits are a key") as refusal:
        bulat_fsspec.BulatFileSystem(key_file=digits)
    assert digits not in str(refusal.value)


def test_a_password_costs_once_for_each_container(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    from bulat import _bulat

    (tmp_path / "password").write_bytes(b"correct horse\n")
    fs, path = bulat_fsspec.BulatFileSystem(password_file=str(tmp_path / "password")), str(tmp_path / "x")
    fs.pipe_file(path, b"abc")

    def cost() -> float:
        begun = time.process_time()
        assert fs.cat_file(path) == b"abc"
        return time.process_time() - begun

    kept = min(cost() for _ in range(5))
    _bulat.container_forget()
    assert cost() > 10 * kept
    assert min(cost() for _ in range(5)) < 0.1
    # Another password is another key; a password as text and as bytes is the same key.
    (tmp_path / "password").write_bytes(b"another horse")
    with pytest.raises(WrongKey):
        fs.cat_file(path)
    assert container.open(path, password="correct horse").read() == b"abc"
    for text, words in (
        (b"\xef\xbb\xbfx", "begins with a byte order mark"),
        (b"x" * 70_000, "longer than 65536 bytes"),
        (b"\n", "is empty"),
    ):
        (tmp_path / "password").write_bytes(text)
        with pytest.raises(InvalidInput, match=words):
            fs.cat_file(path)
