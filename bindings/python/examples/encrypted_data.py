# %% [markdown]
# The script that wrote this page ran each cell. `bindings/python/examples/encrypted_data.py` is the page as a program: editors
# with support for cells (`# %%`) open it as a notebook.
#
# ## A key
#
# A key file holds 32 random bytes in hexadecimal digits, as `bulat key new` writes it. URLs, options and messages contain
# the name of the key file, never the key. A password file works, too, but costs about a second and 256 MiB of memory for each
# container in each process: a quarter of an hour for 1000 objects.

# %%
import os
import tempfile
from pathlib import Path

from bulat import container

folder = Path(tempfile.mkdtemp())
key_file = folder / "table.key"
key_file.write_text(container.new_key().hex() + "\n")
key_file.chmod(0o600)
options = {"key_file": str(key_file)}

# %% [markdown]
# ## An encrypted table
#
# `bulat::` before a URL is the plaintext of the container there. pandas, Dask and pyarrow open it like any other file.

# %%
import pandas as pd

table = pd.DataFrame({"day": range(365 * 1000), "value": [i % 97 / 97 for i in range(365 * 1000)]})
url = f"bulat::file://{folder}/table.parquet"
table.to_parquet(url, storage_options=options, row_group_size=10_000)

print((folder / "table.parquet").read_bytes()[:8])
print(pd.read_parquet(url, storage_options=options).equals(table))

# %% [markdown]
# ## Partial reads
#
# To read some rows, a reader fetches and opens only their chunks and the header. This cell counts the bytes that pyarrow reads
# for eleven rows of a column.

# %%
import fsspec
import pyarrow.dataset as dataset
from fsspec.implementations.local import LocalFileSystem


class Counting(LocalFileSystem):
    """Local files that count the bytes read."""

    read = 0

    def cat_file(self, path, start=None, end=None, **more):
        text = super().cat_file(path, start=start, end=end, **more)
        Counting.read += len(text)
        return text


disk = Counting(skip_instance_cache=True)
plain = fsspec.filesystem("bulat", fs=disk, skip_instance_cache=True, **options)
rows = dataset.dataset(f"{folder}/table.parquet", filesystem=plain).to_table(
    columns=["day"], filter=(dataset.field("day") >= 200_000) & (dataset.field("day") <= 200_010)
)
print(rows.num_rows, "rows;", Counting.read, "of", os.path.getsize(folder / "table.parquet"), "bytes read")

# %% [markdown]
# ## A flipped bit
#
# A chunk's text comes out only after its tag is verified. A flipped bit is refused, and so is a truncated file.

# %%
import bulat

sealed = bytearray((folder / "table.parquet").read_bytes())
sealed[len(sealed) // 2] ^= 1
(folder / "broken.parquet").write_bytes(sealed)
try:
    pd.read_parquet(f"bulat::file://{folder}/broken.parquet", storage_options=options)
except bulat.DamagedData as error:
    print(error)

# %% [markdown]
# ## An object store
#
# `bulat::s3://bucket/key`. Here the server is moto's, on the loopback, with options of s3fs. An object appears when its upload
# is complete, so nobody sees a part of it.

# %%
import dask
import dask.dataframe as dd
from moto.server import ThreadedMotoServer

server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
endpoint = "http://{}:{}".format(*server.get_host_and_port())
s3 = {"endpoint_url": endpoint, "key": "test", "secret": "test"}
fsspec.filesystem("s3", **s3).mkdir("lake")

places = {"key_file": str(key_file), "s3": s3}
with dask.config.set(scheduler="threads"):
    dd.from_pandas(table, npartitions=4).to_parquet("bulat::s3://lake/table", storage_options=places)
    back = dd.read_parquet("bulat::s3://lake/table", storage_options=places)
    print(len(back), float(back["value"].sum().compute().round(3)) == round(float(table["value"].sum()), 3))
print(fsspec.filesystem("s3", **s3).cat_file("lake/table/part.0.parquet", start=0, end=8))

# %% [markdown]
# ## A tree of files on a cluster
#
# `bulat.cluster` distributes trees of URLs over the workers of a Dask cluster. Without a client it starts a local cluster of
# processes; such a program needs `if __name__ == "__main__":`, because the workers import it. Here two workers are threads
# of this program. Workers read the key themselves, from the named file on their own machine.

# %%
from bulat import cluster
from distributed import Client, LocalCluster

local = LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0")
client = Client(local)
data = folder / "data"
for i in range(300):
    (data / f"{i % 7}").mkdir(parents=True, exist_ok=True)
    (data / f"{i % 7}" / f"{i:03}").write_bytes(os.urandom(20_000))

report = cluster.hash(str(data), str(folder / "data.sums"), client=client)
print(report.done, report.bytes, report.exit)
print((folder / "data.sums").read_text().splitlines()[0])

# %% [markdown]
# `bulat hash --check` reads the list too; its first and last lines are comments. The last has the number of files and a
# checksum, so a truncated list is refused. `verify` names changed files, and remarks on files that are not in the list.

# %%
(data / "3" / "003").write_bytes(b"changed")
report = cluster.verify(str(folder / "data.sums"), client=client)
print(report.changed, report.exit)

# %% [markdown]
# Anyone who may write the list can make a new checksum. With a key file the list has a MAC, and `verify` refuses a list that was
# not made under this key before it reads a name. So has each line of `data.sums.partial`, which an interrupted call leaves.
# `verify` does not detect an older list, or the list of another tree. These containers are not bound to their names: a list of
# the plain tree detects two swapped containers.

# %%
cluster.hash(str(data), str(folder / "keyed.sums"), key_file=str(key_file), client=client)
(folder / "keyed.sums").write_bytes((folder / "data.sums").read_bytes())
try:
    cluster.verify(str(folder / "keyed.sums"), key_file=str(key_file), client=client)
except bulat.InvalidTag as error:
    print(str(error).removeprefix(f"{folder}/"))

# %% [markdown]
# Encrypt to the object store; a second call finds everything done. Then reencrypt to a new key, in place, and decrypt.

# %%
new_key_file = folder / "new.key"
new_key_file.write_text(container.new_key().hex() + "\n")
new_key_file.chmod(0o600)
sealed_at = "s3://lake/sealed"

for _ in range(2):
    report = cluster.encrypt(str(data), sealed_at, key_file=str(key_file), client=client, target_options=s3)
    print("encrypt:", report.done, "done,", report.skipped, "skipped")
report = cluster.reencrypt(sealed_at, key_file=str(key_file), new_key_file=str(new_key_file), client=client, storage_options=s3)
print("reencrypt:", report.done, "done")
report = cluster.decrypt(
    sealed_at, str(folder / "back"), key_file=str(new_key_file), client=client, storage_options=s3, target_options={}
)
print("decrypt:", report.done, "done")
print(cluster.verify(str(folder / "data.sums"), str(folder / "back"), client=client).changed)

# %% [markdown]
# From a shell, on any cluster (`--scheduler tcp://...`) or on a local one:
#
# ```sh
# python -m bulat.cluster hash s3://lake/data -o data.sums
# python -m bulat.cluster encrypt s3://lake/data s3://lake/sealed --key-file /etc/keys/lake.key
# python -m bulat.cluster verify data.sums        # exit code 1, and the changed names, if files differ
# ```

# %%
client.close()
local.close()
server.stop()
