"""Uses of the package by each host, in a process of its own: `inside.py HOST`. The environment names the key (BULAT_KEY_FILE)."""

import csv, gzip, hashlib, hmac, importlib.metadata, io, lzma, os, pickle, sys, tarfile, tempfile, zipfile
from contextlib import suppress
from pathlib import Path

import bulat
from bulat import container

FOLDER = Path(tempfile.mkdtemp(dir=os.environ["WORK"]))
ABC = {"streebog256": "4e2919cf137ed41ec4fb6270c61826cc4fffb660341e0af3688cd0626d23b481"}


def refused(kind, call, *arguments, **options):
    """Returns the words of an error of this class, and fails without one."""
    try:
        call(*arguments, **options)
    except kind as error:
        return str(error)
    raise AssertionError(f"{call} is not refused")


def files(write, read, name="x", writes=True):
    """Twice: `write` fills a new container's file object, `read` reads it. An unfinished file is no file; a different key opens no file."""
    import bulat.fsspec
    import fsspec

    fs = fsspec.filesystem("bulat")
    for turn in range(2):
        path = FOLDER / f"{turn}-{name}"
        if writes:
            with fs.open(str(path), "wb") as file:
                write(file)
        else:
            # It seeks while it writes: no file is left. The way out is a buffer.
            def direct():
                with fs.open(str(path), "wb") as file:
                    write(file)

            assert "seek" in refused((io.UnsupportedOperation, OSError, RuntimeError), direct) and not path.exists()
            buffer = io.BytesIO()
            write(buffer)
            fs.pipe_file(str(path), buffer.getvalue())
        with path.open("rb") as sealed:
            assert container.info(sealed)["size"] > 0
        with fs.open(str(path), "rb") as file:
            read(file)
    with suppress(KeyError), fs.open(str(FOLDER / "unfinished"), "wb") as file:
        file.write(b"a part")
        raise KeyError
    assert not (FOLDER / "unfinished").exists()
    (FOLDER / "other.key").write_text(bytes(31 * [1] + [2]).hex())
    refused(bulat.WrongKey, lambda: fsspec.filesystem("bulat", key_file=str(FOLDER / "other.key")).open(str(path), "rb").read(1))


def equal(want):
    def check(got):
        assert (got == want) if isinstance(got == want, bool) else (got == want).all(), got

    return check


def standard_library():
    assert bulat.streebog256(b"abc").hexdigest() == hashlib.file_digest(io.BytesIO(b"abc"), bulat.streebog256).hexdigest() == ABC["streebog256"]
    key, text = bytes(range(32)), bytes.fromhex("0126bdb87800af214341456563780100")
    for make in (bulat.streebog256, lambda data=b"": bulat.new("md_gost12_256", data)):
        assert hmac.new(key, text, make).hexdigest().startswith("a1aa5f7d") and hmac.digest(key, text, make).hex().startswith("a1aa5f7d")
    refused(TypeError, pickle.dumps, bulat.streebog256(b"abc"))
    refused(ValueError, hmac.new, key, text, "streebog1024")


def standard_files():
    def pack(file):
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr("a", b"text" * 1000)

    files(pack, lambda file: equal(b"text" * 1000)(zipfile.ZipFile(file).read("a")), "x.zip")

    def tar(file):
        with tarfile.open(fileobj=file, mode="w|") as packed:
            member = tarfile.TarInfo("a")
            member.size = 5
            packed.addfile(member, io.BytesIO(b"hello"))

    files(tar, lambda file: equal(b"hello")(tarfile.open(fileobj=file).extractfile("a").read()), "x.tar")
    for module in (gzip, lzma):
        files(lambda file, m=module: file.write(m.compress(b"text")), lambda file, m=module: equal(b"text")(m.open(file).read()), module.__name__)
    files(lambda file: pickle.dump([1, "two"], file), lambda file: equal([1, "two"])(pickle.load(file)), "pickle")

    def table(file):
        text = io.TextIOWrapper(file, newline="")
        csv.writer(text).writerows([["a", "b"], ["1", "2"]])
        text.detach()

    files(table, lambda file: equal([["a", "b"], ["1", "2"]])(list(csv.reader(io.TextIOWrapper(file)))), "x.csv")


def numpy():
    import numpy as np

    array = np.arange(100_000, dtype="<i8").reshape(100, 1000)
    assert bulat.streebog256(array).digest() == bulat.streebog256(array.tobytes()).digest()
    text = np.zeros(5000, dtype=np.uint8)
    cipher = bulat.Cipher("kuznyechik-ctr", bytes(32), bytes(8))
    for _ in range(2):
        cipher.encryptor().update_into(text, text)
    assert not text.any()
    refused(TypeError, bulat.streebog256, array[:, ::2])
    files(lambda file: np.save(file, array), lambda file: equal(array)(np.load(file)), "x.npy")
    files(lambda file: np.savez(file, a=array), lambda file: equal(array)(np.load(file)["a"]), "x.npz")
    files(lambda file: np.savetxt(file, array, fmt="%d"), lambda file: equal(array)(np.loadtxt(file)), "x.txt")


def polars():
    import polars as pl

    frame = pl.DataFrame({"a": [1, 2, 3], "b": ["x", "y", None]})
    for kind in ("parquet", "csv", "ndjson", "avro"):
        # It would write to the path of a file object that has a name.
        files(lambda file, k=kind: getattr(frame, f"write_{k}")(file), lambda file, k=kind: equal(True)(getattr(pl, f"read_{k}")(file).equals(frame)), kind)
    refused(FileNotFoundError, pl.read_parquet, f"bulat::file://{FOLDER}/0-parquet")


def pandas():
    import bulat.fsspec
    import pandas as pd

    frame = pd.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "z"]})
    for kind, options in (("csv", {"index": False}), ("pickle", {}), ("parquet", {}), ("feather", {})):
        for turn in range(2):
            url = f"bulat::file://{FOLDER}/{turn}.{kind}"
            getattr(frame, f"to_{kind}")(url, **options)
            assert getattr(pd, f"read_{kind}")(url).equals(frame), kind
            with (FOLDER / f"{turn}.{kind}").open("rb") as sealed:
                container.info(sealed)
    refused(bulat.Error, pd.read_csv, url, storage_options={"key_file": __file__})


def pyarrow():
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({"a": list(range(10_000))})
    files(lambda file: pq.write_table(table, file), lambda file: equal(True)(pq.read_table(file).equals(table)))


def duckdb():
    import bulat.fsspec
    import duckdb as db
    import fsspec

    def opened(**options):
        connection = db.connect(config={"threads": 4})
        connection.register_filesystem(fsspec.filesystem("bulat", **options))
        return connection

    rows = "SELECT range AS a, 'x' || range AS b FROM range(200_000)"
    with opened() as mine:
        for kind in ("parquet", "csv", "json"):
            for turn in range(2):
                url = f"bulat://{FOLDER}/{turn}.{kind}"
                mine.execute(f"COPY ({rows}) TO '{url}' (FORMAT {kind})")
                with (FOLDER / f"{turn}.{kind}").open("rb") as sealed:
                    container.info(sealed)
                # Its threads share a file object.
                for _ in range(5):
                    equal((200_000, 19_999_900_000, "x99999"))(mine.execute(f"SELECT count(*), sum(a), max(b) FROM read_{kind}('{url}')").fetchone())
        equal((400_000,))(mine.execute(f"SELECT count(*) FROM read_parquet('bulat://{FOLDER}/*.parquet')").fetchone())
        refused(db.Error, mine.execute, f"COPY (SELECT if(a = 150_000, error('no'), b) FROM ({rows})) TO 'bulat://{FOLDER}/unfinished' (FORMAT csv)")
        assert not (FOLDER / "unfinished").exists()
    (FOLDER / "other.key").write_text(bytes(31 * [1] + [2]).hex())
    with opened(key_file=str(FOLDER / "other.key")) as other:
        assert "WrongKey" in refused(db.Error, other.execute, f"SELECT * FROM read_parquet('bulat://{FOLDER}/0.parquet')")


def joblib():
    import joblib as jl
    import numpy as np

    array = np.arange(1000)
    files(lambda file: jl.dump(array, file), lambda file: equal(array)(jl.load(file)))
    files(lambda file: jl.dump(array, file, compress=3), lambda file: equal(array)(jl.load(file)), "compressed")


def pillow():
    from PIL import Image

    image = Image.new("RGB", (30, 20), (1, 2, 3))
    for kind in ("PNG", "BMP", "GIF", "JPEG", "WEBP"):
        files(lambda file, k=kind: image.save(file, k), lambda file: equal((30, 20))(Image.open(file).size), kind)
    files(lambda file: image.save(file, "TIFF"), lambda file: equal((30, 20))(Image.open(file).size), "x.tif", writes=False)


def fastavro():
    import fastavro as fa

    schema = fa.parse_schema({"type": "record", "name": "r", "fields": [{"name": "a", "type": "int"}]})
    files(lambda file: fa.writer(file, schema, [{"a": 1}, {"a": 2}]), lambda file: equal([{"a": 1}, {"a": 2}])(list(fa.reader(file))))


def h5py():
    import h5py as h5

    def write(file):
        with h5.File(file, "w") as tree:
            tree["a"] = list(range(100))

    files(write, lambda file: equal(99)(int(h5.File(file, "r")["a"][-1])), "x.h5", writes=False)


def xarray():
    import xarray as xr

    data = xr.Dataset({"a": ("x", list(range(100)))})
    files(
        lambda file: data.to_netcdf(file, engine="h5netcdf"),
        lambda file: equal(True)(xr.open_dataset(file, engine="h5netcdf").equals(data)),
        "x.nc",
        writes=False,
    )


def tifffile():
    import numpy as np
    import tifffile as tf

    image = np.arange(600, dtype=np.uint8).reshape(20, 30)
    files(lambda file: tf.imwrite(file, image), lambda file: equal(image)(tf.imread(file)), "x.tif", writes=False)


def rasterio():
    import numpy as np
    import rasterio as ri
    from rasterio.io import MemoryFile

    image = np.arange(600, dtype=np.uint8).reshape(1, 20, 30)
    with MemoryFile() as memory:
        with memory.open(driver="GTiff", height=20, width=30, count=1, dtype="uint8", transform=ri.Affine(1, 0, 0, 0, -1, 9)) as made:
            made.write(image)
        data = bytes(memory.getbuffer())
    files(lambda file: file.write(data), lambda file: equal(image)(ri.open(file).read()))


def deltalake():
    import deltalake as dl
    import pyarrow as pa

    words = refused(Exception, dl.write_deltalake, f"bulat::file://{FOLDER}/delta", pa.table({"a": [1]}))
    assert "scheme" in words.lower(), words


def cryptography():
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives import hashes, hmac as theirs

    refused((TypeError, UnsupportedAlgorithm), theirs.HMAC, bytes(32), bulat.streebog256)
    refused((TypeError, UnsupportedAlgorithm), hashes.Hash, bulat.streebog256())


if __name__ == "__main__":
    host = sys.argv[1]
    globals()[host]()
    with suppress(importlib.metadata.PackageNotFoundError):
        print(importlib.metadata.version(host))
