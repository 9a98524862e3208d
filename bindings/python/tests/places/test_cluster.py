"""`bulat.cluster`: trees on files and on an S3 server, by Dask's workers; interruptions; messages."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import bulat
import pytest
from bulat import DamagedData, InvalidInput, container

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
pytest.importorskip("fsspec")
from bulat import cluster  # noqa: E402
from bulat.cluster import __main__ as command  # noqa: E402
from bulat.cluster import manifest, work  # noqa: E402

NAMES = ["a", "sub/b", "sub/sub/c d", "empty", "with\nline", "back\\slash", "*star", " space", "\udcff"]


def tree(root: Path, count: int = 20) -> dict[str, bytes]:
    files = {name: os.urandom(100 * i * i) for i, name in enumerate(NAMES)} | {"empty": b""}
    files |= {f"many/{i}": os.urandom(1000 + i) for i in range(count)}
    files["big"] = os.urandom(300_000)
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    return files


def contents(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Two workers, each a process with a nanny."""
    with cluster._connected(None, 2) as client:
        yield client


@pytest.fixture
def data(tmp_path: Path) -> Path:
    tree(tmp_path / "data")
    return tmp_path / "data"


# --- Hashing


def test_a_list_is_what_the_command_would_write(client: Any, data: Path, tmp_path: Path) -> None:
    files, sums = contents(data), tmp_path / "sums"
    for algorithm in ("streebog256", "streebog512", "gost94"):
        report = cluster.hash(str(data), str(sums), algorithm=algorithm, client=client)
        assert report and report.done == len(files) and report.bytes == sum(map(len, files.values()))
        assert sorted(p.name for p in tmp_path.iterdir()) == ["data", "sums"]
        lines = [line for line in sums.read_bytes().split(b"\n") if line and not line.startswith(b"#")]
        expected = []
        for name, text in files.items():
            raw = os.fsencode(name)
            shown = raw.replace(b"\\", b"\\\\").replace(b"\n", b"\\n")
            digest = bulat.new(algorithm, text).hexdigest().encode()
            expected.append((raw, (b"\\" if shown != raw else b"") + digest + b"  " + shown))
        assert lines == [line for _, line in sorted(expected)]
        before = sums.read_bytes()
        assert cluster.hash(str(data), str(sums), algorithm=algorithm, client=client).done == len(files)
        assert sums.read_bytes() == before
        assert cluster.verify(str(sums), client=client)
        program = os.environ.get("BULAT") or shutil.which("bulat")
        if program:
            options = ["-a", algorithm, "--strict", "--quiet", "--check", str(sums)]
            assert subprocess.run([program, "hash", *options], cwd=data, check=False).returncode == 0


def test_a_changed_file_is_named_and_the_exit_code_is_1(client: Any, data: Path, tmp_path: Path, capfd: Any) -> None:
    sums = str(tmp_path / "sums")
    where = ["--scheduler", client.scheduler.address, "-q"]
    assert command.main(["hash", str(data), "-o", sums, *where]) == 0
    assert command.main(["verify", sums, *where]) == 0
    old = (data / "many/7").read_bytes()
    (data / "many/7").write_bytes(old[:-1] + bytes([old[-1] ^ 1]))
    (data / "sub/b").unlink()
    capfd.readouterr()
    report = tmp_path / "report"
    assert command.main(["verify", sums, *where, "--report", str(report)]) == 1
    assert capfd.readouterr().out == "many/7: FAILED\nsub/b: FAILED open or read\n"
    said = json.loads(report.read_text())
    assert said["changed"] == ["many/7"] and [name for name, _ in said["failed"]] == ["sub/b"] and said["exit"] == 1
    moved = tmp_path / "moved"
    data.rename(moved)
    assert cluster.verify(sums, str(moved), client=client).changed == ["many/7"]
    assert command.main(["verify", sums, *where]) == 1


def test_a_list_that_was_cut_or_changed_is_refused(client: Any, data: Path, tmp_path: Path) -> None:
    sums = tmp_path / "sums"
    cluster.hash(str(data), str(sums), client=client)
    text = sums.read_bytes()
    lines = text.splitlines(keepends=True)
    for bad in (b"".join(lines[:-1]), b"".join(lines[:3] + lines[4:]), text.replace(b"  big", b"  bug"), lines[0]):
        sums.write_bytes(bad)
        with pytest.raises(DamagedData):
            cluster.verify(str(sums), client=client)


def test_a_list_with_a_key(client: Any, data: Path, tmp_path: Path, key_file: str, new_key_file: str, capfd: Any) -> None:
    sums, plain = tmp_path / "sums", tmp_path / "plain-sums"
    cluster.hash(str(data), str(sums), key_file=key_file, client=client)
    cluster.hash(str(data), str(plain), client=client)
    text = sums.read_bytes()
    assert text.startswith(plain.read_bytes()) and text.splitlines()[-1].startswith(b"# mac: hmac-streebog256 ")
    assert cluster.verify(str(sums), key_file=key_file, client=client) and cluster.verify(str(sums), client=client)
    # A file and the list changed, with a new checksum: the key detects it.
    (data / "a").write_bytes(b"other")
    cluster.hash(str(data), str(plain), client=client)
    for forged in (
        plain.read_bytes(),
        plain.read_bytes() + text.splitlines(keepends=True)[-1],
        text[:-2] + (b"1" if text[-2:-1] == b"0" else b"0") + b"\n",
        text.splitlines()[3] + b"\n",
    ):
        sums.write_bytes(forged)
        with pytest.raises(bulat.InvalidTag, match="no MAC|not written under this key"):
            cluster.verify(str(sums), key_file=key_file, client=client)
    sums.write_bytes(text)
    with pytest.raises(bulat.InvalidTag):
        cluster.verify(str(sums), key_file=new_key_file, client=client)
    where = ["--scheduler", client.scheduler.address, "-q"]
    assert command.main(["verify", str(sums), *where, "-k", key_file]) == 1
    assert command.main(["hash", str(data), "-o", str(sums), *where, "-k", key_file]) == 0
    assert command.main(["verify", str(sums), *where, "-k", key_file]) == 0
    assert command.main(["verify", str(sums), *where, "-k", new_key_file]) == work.KEY
    program = os.environ.get("BULAT") or shutil.which("bulat")
    if program:
        assert (
            subprocess.run([program, "hash", "--strict", "--quiet", "--check", str(sums)], cwd=data, check=False).returncode == 0
        )


def test_names_that_lead_out_and_files_that_nobody_listed(client: Any, data: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").write_bytes(b"outside")
    digest, sums = bulat.new("streebog256", b"outside").hexdigest(), tmp_path / "list"
    sums.write_text(f"{digest}  ../outside\n{digest}  sub/../../outside\n")
    report = cluster.verify(str(sums), str(data), client=client)
    assert [why for _, why in report.failed] == ["a name that leads out of the tree"] * 2 and report.exit == 1
    # A list of another program may have absolute paths, ours does not.
    sums.write_text(f"{digest}  {tmp_path}/outside\n")
    assert cluster.verify(str(sums), str(data), client=client)
    manifest.write(str(sums), str(data), "streebog256", [(f"{tmp_path}/outside", digest)], 7)
    assert cluster.verify(str(sums), client=client).exit == 1
    cluster.hash(str(data), str(tmp_path / "sums"), client=client)
    (data / "new").write_bytes(b"new")
    os.mkfifo(data / "pipe")
    (data / "dangling").symlink_to("nowhere")
    report = cluster.verify(str(tmp_path / "sums"), client=client)
    assert report and report.remarks == [("new", "not in the list")] and "new: not in the list" in str(report)
    report = cluster.hash(str(data), str(tmp_path / "sums"), client=client)
    assert report and sorted(name for name, _ in report.remarks) == ["dangling", "pipe"]


def test_lines_of_other_programs() -> None:
    digest = "4e2919cf137ed41ec4fb6270c61826cc4fffb660341e0af3688cd0626d23b481"
    for text, name, algorithm in (
        (f"{digest}  abc", "abc", None),
        (f"{digest} *abc", "abc", None),
        (f"{digest} abc", "abc", None),
        (f" \t\\{digest}  a\\nb", "a\nb", None),
        (f"\\{digest}  a\\nb\\\\c\\r", "a\nb\\c\r", None),
        (f"{digest}  a\\nb", "a\\nb", None),
        (f"STREEBOG256 (abc) = {digest}", "abc", "STREEBOG256"),
        (f"md_gost12_256(abc)= {digest}", "abc", "md_gost12_256"),
        (f"GOST12-256 (a (b) = c) = {digest}", "a (b) = c", "GOST12-256"),
    ):
        assert manifest.parse(text.encode()) == (name, digest, algorithm), text
    for text in (
        "",
        "garbage",
        digest,
        f"{digest} ",
        f"{digest}\tabc",
        f"{digest[1:]}  abc",
        f"z{digest}  abc",
        f"\\{digest}  a\\qb",
        f"\\{digest}  a\\",
        f"STREEBOG256 () = {digest}",
        f"(abc) = {digest}",
        "ee  abc",
    ):
        assert manifest.parse(text.encode()) is None, text


def test_hashing_goes_on_where_it_stopped(client: Any, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, sums = contents(data), str(tmp_path / "sums")
    listed = cluster._tree

    def with_one_that_is_gone(fs: Any, root: str, report: Any = None) -> Any:
        return [*listed(fs, root, report), (work.Item("gone", f"{root}/gone", 5), {"size": 5})]

    with monkeypatch.context() as patch:
        patch.setattr(cluster, "_tree", with_one_that_is_gone)
        report = cluster.hash(str(data), sums, client=client)
    assert report.exit == work.IO and report.failed == [("gone", "No such file or directory")] and report.done == len(files)
    assert not os.path.exists(sums), "it would not be the whole tree's"
    # As after a kill: half a line at the end of the finished part, and a file that changes.
    with open(sums + ".partial", "ab") as journal:
        journal.write(b'["half')
    (data / "many/6").write_bytes(b"changed since")
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(manifest, "write", interrupted)
        cluster.hash(str(data), sums, client=client)
    again = cluster.hash(str(data), sums, client=client)
    assert again and (again.done, again.skipped) == (0, len(files)) and not os.path.exists(sums + ".partial")
    assert cluster.verify(sums, client=client).done == len(files)
    assert len(manifest.read(sums).lines) == len(files)


def test_the_finished_part_of_a_list_with_a_key(
    client: Any, data: Path, tmp_path: Path, key_file: str, new_key_file: str, monkeypatch: Any
) -> None:
    files, sums = contents(data), str(tmp_path / "sums")
    partial_ = Path(sums + ".partial")

    def cut(key: str) -> bytes:
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(manifest, "write", interrupted)
            cluster.hash(str(data), sums, key_file=key, client=client)
        return partial_.read_bytes()

    def again() -> tuple[int, int]:
        report = cluster.hash(str(data), sums, key_file=key_file, client=client)
        assert report and cluster.verify(sums, key_file=key_file, client=client).done == len(files)
        assert report.done + report.skipped == len(files) and not partial_.exists()
        return report.done, report.skipped

    text = cut(key_file)
    lines = text.splitlines(keepends=True)
    assert len(lines) == len(files) + 1 and again() == (0, len(files))
    # Without a MAC, of another key, with a digest changed, lines moved or left out: only what comes before counts.
    forged = json.loads(lines[5].partition(b" ")[2])
    forged[1] = "0" * 64
    for bad, skipped in (
        (b"".join(line.partition(b" ")[2] for line in lines), 0),
        (b"".join([*lines[:5], lines[5].partition(b" ")[0], b" ", json.dumps(forged).encode(), b"\n", *lines[6:]]), 4),
        (b"".join([*lines[:5], lines[6], lines[5], *lines[7:]]), 4),
        (b"".join(lines[:1] + lines[2:]), 0),
        (b"".join(lines[1:]), 0),
        (text + text, len(files)),
        (text[:-3], len(files) - 1),
    ):
        partial_.write_bytes(bad)
        assert again() == (len(files) - skipped, skipped)
    cut(new_key_file)
    assert again() == (len(files), 0)
    # A part of another key is not continued, and what follows it is readable.
    cut(new_key_file)
    cut(key_file)
    assert again() == (0, len(files))


def interrupted(*_: Any) -> None:
    raise KeyboardInterrupt


# --- Encrypting


def test_encrypted_decrypted_and_to_a_new_key(client: Any, data: Path, tmp_path: Path, key_file: str, new_key_file: str) -> None:
    files, sealed, plain = contents(data), tmp_path / "sealed", tmp_path / "plain"
    keys: dict[str, Any] = {"key_file": key_file, "client": client}
    report = cluster.encrypt(str(data), str(sealed), chunk=4096, **keys)
    assert report and report.done == len(files) and report.bytes == sum(map(len, files.values()))
    assert set(contents(sealed)) == {name + ".bulat" for name in files}
    for name, text in files.items():
        with container.open(sealed / f"{name}.bulat", key=container.read_key(key_file)) as file:
            assert file.read() == text
    # Again: nothing to do, nothing changes.
    before = {path: path.stat().st_mtime_ns for path in sealed.rglob("*")}
    report = cluster.encrypt(str(data), str(sealed), **keys)
    assert (report.done, report.skipped) == (0, len(files))
    assert before == {path: path.stat().st_mtime_ns for path in sealed.rglob("*")}
    # A source is newer, another is gone, another is new.
    (data / "a").write_bytes(b"other")
    (sealed / "sub/b.bulat").unlink()
    (data / "new").write_bytes(b"new")
    assert cluster.encrypt(str(data), str(sealed), **keys).done == 3
    files = contents(data)
    # A container under another key is not overwritten.
    report = cluster.encrypt(str(data), str(sealed), key_file=new_key_file, client=client)
    assert len(report.failed) == len(files) and "no container under this key" in report.failed[0][1]
    report = cluster.reencrypt(str(sealed), key_file=key_file, new_key_file=new_key_file, client=client)
    assert report and report.done == len(files)
    again = cluster.reencrypt(str(sealed), key_file=key_file, new_key_file=new_key_file, client=client)
    assert again and again.skipped == len(files)
    report = cluster.decrypt(str(sealed), str(plain), **keys)
    assert report.exit == work.KEY and len(report.failed) == len(files) and not contents(plain)
    new: dict[str, Any] = {"key_file": new_key_file, "client": client}
    assert cluster.decrypt(str(sealed), str(plain), **new).done == len(files)
    assert contents(plain) == files
    assert cluster.decrypt(str(sealed), str(plain), **new).skipped == len(files)
    (plain / "big").write_bytes(b"mine")
    report = cluster.decrypt(str(sealed), str(plain), **new)
    assert [name for name, _ in report.failed] == ["big.bulat"] and (plain / "big").read_bytes() == b"mine"
    assert cluster.decrypt(str(sealed), str(plain), force=True, **new).done == len(files)
    assert contents(plain) == files


def test_a_part_of_a_killed_run_is_not_encrypted(client: Any, tmp_path: Path, key_file: str) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "a").write_bytes(b"text")
    (source / ".b.aB3dE6.part").write_bytes(b"plaintext")
    report = cluster.encrypt(str(source), str(tmp_path / "sealed"), key_file=key_file, client=client)
    assert report.exit == 2 and report.failed == [(".b.aB3dE6.part", "it has the name of what a killed run leaves")]
    assert set(contents(tmp_path / "sealed")) == {"a.bulat"}


def test_a_flipped_bit_is_named_and_nothing_is_there(
    client: Any, data: Path, tmp_path: Path, key_file: str, new_key_file: str
) -> None:
    sealed, plain = tmp_path / "sealed", tmp_path / "plain"
    cluster.encrypt(str(data), str(sealed), key_file=key_file, client=client)
    broken = bytearray((sealed / "big.bulat").read_bytes())
    broken[200_000] ^= 1
    (sealed / "big.bulat").write_bytes(broken)
    report = cluster.decrypt(str(sealed), str(plain), key_file=key_file, client=client)
    assert [name for name, _ in report.failed] == ["big.bulat"] and report.exit == work.DATA
    assert set(contents(plain)) == set(contents(data)) - {"big"}
    report = cluster.reencrypt(str(sealed), key_file=key_file, new_key_file=new_key_file, client=client)
    assert [name for name, _ in report.failed] == ["big.bulat"] and report.done == len(contents(data)) - 1
    assert (sealed / "big.bulat").read_bytes() == broken


def test_what_makes_no_sense_is_refused(client: Any, data: Path, tmp_path: Path, key_file: str) -> None:
    with pytest.raises(InvalidInput, match="one lies in the other"):
        cluster.encrypt(str(data), str(data / "sealed"), key_file=key_file, client=client)
    with pytest.raises(InvalidInput, match="the name of a file"):
        cluster.encrypt(str(data), str(tmp_path / "sealed"), key_file=b"k" * 32, client=client)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        cluster.hash(str(tmp_path / "nowhere"), str(tmp_path / "sums"), client=client)
    report = cluster.decrypt(str(data), str(tmp_path / "plain"), key_file=key_file, client=client)
    assert report.exit == work.USAGE and report.failed[0][1] == "not named *.bulat" and not (tmp_path / "plain").exists()
    report = cluster.encrypt(str(data), str(tmp_path / "sealed"), key_file=str(tmp_path / "no-key"), client=client)
    assert report.exit == work.IO and "No such file" in report.failed[0][1]
    report = cluster.encrypt(str(data), str(tmp_path / "sealed"), client=client)
    assert report.exit == work.USAGE and "no key" in report.failed[0][1]
    assert command.main(["verify", str(tmp_path / "nothing"), "-q", "--workers", "1"]) == work.IO


@pytest.mark.parametrize("from_s3", [False, True])
def test_on_an_s3_server(
    s3: Any, client: Any, data: Path, tmp_path: Path, key_file: str, new_key_file: str, from_s3: bool
) -> None:
    options = s3.options
    for name in NAMES[4:]:
        (data / name).unlink()
    files, sums = contents(data), str(tmp_path / "sums")
    source = f"s3://{s3.bucket}/data"
    s3.fs.put(str(data), source, recursive=True)
    remote = {"storage_options": options, "client": client}
    assert cluster.hash(source, sums, **remote).done == len(files)
    assert cluster.verify(sums, **remote) and cluster.verify(sums, str(data), client=client)
    both = remote | {"target_options": options} if from_s3 else {"target_options": options, "client": client}
    sealed = f"s3://{s3.bucket}/sealed"
    assert cluster.encrypt(source if from_s3 else str(data), sealed, key_file=key_file, **both).done == len(files)
    # A tree through `bulat::` is plaintext.
    through = {"storage_options": {"key_file": key_file, "s3": options}, "client": client}
    encrypted = str(tmp_path / "encrypted-sums")
    assert cluster.hash(f"bulat::{sealed}", encrypted, **through).done == len(files)
    digests = [sorted(line.digest for line in manifest.read(path).lines) for path in (sums, encrypted)]
    assert digests[0] == digests[1]
    again = cluster.reencrypt(sealed, key_file=key_file, new_key_file=new_key_file, **remote)
    assert again and again.done == len(files)
    assert cluster.reencrypt(sealed, key_file=key_file, new_key_file=new_key_file, **remote).skipped == len(files)
    assert cluster.decrypt(sealed, str(tmp_path / "plain"), key_file=new_key_file, **remote).done == len(files)
    assert contents(tmp_path / "plain") == files
    # A failing writer leaves the object unchanged.
    bad = bytearray(s3.fs.cat_file(f"{s3.bucket}/sealed/big.bulat"))
    bad[-1] ^= 1
    s3.fs.pipe_file(f"{s3.bucket}/sealed/big.bulat", bytes(bad))
    back = cluster.reencrypt(sealed, key_file=new_key_file, new_key_file=key_file, **remote)
    assert [name for name, _ in back.failed] == ["big.bulat"]
    s3.fs.invalidate_cache()
    assert s3.fs.cat_file(f"{s3.bucket}/sealed/big.bulat") == bad
    assert len(s3.fs.find(f"{s3.bucket}/sealed")) == len(files)
    assert not s3.fs.list_multipart_uploads(s3.bucket)


# --- Lost workers


def test_a_worker_that_is_killed_loses_nothing(data: Path, tmp_path: Path, key_file: str) -> None:
    files = tree(data, 300)
    with cluster._connected(None, 2) as client:
        killed: list[int] = []

        def kill() -> None:
            while len(list(sealed.rglob("*.bulat"))) < 20:
                time.sleep(0.002)
            killed.append(client.cluster.workers[0].process.process.pid)
            os.kill(killed[0], 9)

        for call in (cluster.encrypt, cluster.reencrypt):
            sealed = tmp_path / f"sealed-{call.__name__}"
            if call is cluster.reencrypt:
                shutil.copytree(tmp_path / "sealed-encrypt", tmp_path / "source")
                work_of = partial(cluster.reencrypt, str(tmp_path / "source"), str(sealed), new_key_file=key_file)
            else:
                work_of = partial(cluster.encrypt, str(data), str(sealed))
            thread = threading.Thread(target=kill)
            sealed.mkdir()
            # The leftovers of a worker that is killed while it writes.
            (sealed / ".big.bulat.aB3dE6.part").write_bytes(b"half")
            thread.start()
            report = work_of(key_file=key_file, client=client)
            thread.join()
            assert report and report.done + report.skipped == len(files), str(report)
            assert report.lost == 1 or call is cluster.reencrypt
            assert set(contents(sealed)) == {name + ".bulat" for name in files}
            for name, text in files.items():
                with container.open(sealed / f"{name}.bulat", key=container.read_key(key_file)) as file:
                    assert file.read() == text
        assert cluster.hash(str(data), str(tmp_path / "sums"), client=client).done == len(files)
        assert len(killed) == 2


def test_what_ends_every_worker_is_named_and_the_others_are_done(data: Path, tmp_path: Path) -> None:
    files = contents(data)
    with cluster._connected(None, 2) as client:
        report, results = cluster.Report("hash"), []
        items = [work.Item(name, str(data / name), len(text)) for name, text in files.items()]
        for some in cluster._run(client, report, items, False, deadly, "many/3"):
            results += some
        assert [name for name, _ in report.failed] == ["many/3"] and "ended every worker" in report.failed[0][1]
        assert report.done == len(files) - 1 and report.exit == work.IO


def deadly(name: str, items: list[work.Item]) -> list[work.Result]:
    if any(item.name == name for item in items):
        os._exit(9)
    return [work.Result(item.name, "done") for item in items]


# --- Messages


class Wire:
    """A proxy of the scheduler that records all messages."""

    def __init__(self, port: int) -> None:
        self.port, self.sent = port, bytearray()
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"tcp://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            try:
                near = self.listener.accept()[0]
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self.port))
            except OSError:
                # The scheduler has ended before its client.
                near.close()
                continue
            for pair in ((near, far), (far, near)):
                threading.Thread(target=self.copy, args=pair, daemon=True).start()

    def copy(self, source: socket.socket, target: socket.socket) -> None:
        try:
            while text := source.recv(1 << 16):
                with self.lock:
                    self.sent += text
                target.sendall(text)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass


def shapes(key: bytes) -> list[bytes]:
    """The forms in which a key might be sent: itself, its digits, base 64 at each of three offsets, and any half of each."""
    import base64

    texts = [key, key.hex().encode(), key.hex().upper().encode()]
    texts += [base64.b64encode(bytes(i) + key)[4:-4] for i in range(3)]
    return [text[i : i + 12] for text in texts for i in range(0, len(text) - 12, 4)]


def test_no_key_is_sent(data: Path, tmp_path: Path, key_file: str, new_key_file: str) -> None:
    environment = os.environ | {
        "DASK_DISTRIBUTED__COMM__COMPRESSION": "false",
        "DASK_DISTRIBUTED__WORKER__PRELOAD": "[]",
        "PYTHONPATH": os.pathsep.join([str(Path(bulat.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]),
    }
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    keys = [container.read_key(name) for name in (key_file, new_key_file)]
    # The worker and the client have the keys in their environment: they must not be sent.
    own = environment | {"BULAT_KEY": keys[0].hex(), "BULAT_NEW_KEY": keys[1].hex()}

    def started(name: str, env: dict[str, str], *arguments: str) -> subprocess.Popen[bytes]:
        call = [sys.executable, "-m", f"distributed.cli.dask_{name}", "--no-dashboard", *arguments]
        return subprocess.Popen(call, env=env, stderr=subprocess.DEVNULL)

    programs = [started("scheduler", environment, "--host", "127.0.0.1", "--port", str(port))]
    wire = Wire(port)
    try:
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.1)
        else:
            pytest.fail("the scheduler does not start")
        programs.append(started("worker", own, wire.address, "--nthreads", "1", "--local-directory", str(tmp_path)))
        sealed, plain = str(tmp_path / "sealed"), str(tmp_path / "plain")
        with (
            dask.config.set({"distributed.comm.compression": False}),
            distributed.Client(wire.address, timeout=120) as client,
        ):
            client.wait_for_workers(1, timeout=120)
            assert cluster.encrypt(str(data), sealed, client=client)
            assert cluster.reencrypt(sealed, client=client)
            assert cluster.decrypt(sealed, plain, key_file=new_key_file, client=client)
            assert cluster.hash(
                f"bulat::file://{sealed}", str(tmp_path / "sums"), client=client, storage_options={"key_file": new_key_file}
            )
            assert not cluster.decrypt(sealed, plain, key_file=key_file, client=client, force=True)
            assert contents(Path(plain)) == contents(data)
            sent = bytes(wire.sent)
            assert sent.count(b"many/7") > 3 and new_key_file.encode() in sent, "the wire was seen"
            memory = _memory(programs[0].pid)
            assert not memory or any(new_key_file.encode() in part for part in memory)
            for key in keys:
                for shape in shapes(key):
                    assert shape not in sent
                    assert all(shape not in part for part in memory)
            # The search finds a key that is sent.
            assert client.submit(len, keys[0]).result() == 32
            assert any(shape in bytes(wire.sent) for shape in shapes(keys[0]))
            assert client.submit(len, keys[1].hex()).result() == 64
            assert any(shape in bytes(wire.sent) for shape in shapes(keys[1]))
    finally:
        for program in reversed(programs):
            program.terminate()
        for program in programs:
            program.wait(60)
        wire.listener.close()


def _memory(pid: int) -> list[bytes]:
    """Returns the memory of a process, if the system shows it."""
    parts = []
    try:
        with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
            for line in maps:
                place, rights = line.split()[:2]
                low, high = (int(at, 16) for at in place.split("-"))
                if rights.startswith("rw") and high - low < 1 << 30:
                    try:
                        memory.seek(low)
                        parts.append(memory.read(high - low))
                    except OSError:
                        pass
    except OSError:
        pass
    return parts


# --- The command


def test_the_command_with_a_cluster_of_its_own(data: Path, tmp_path: Path, key_file: str) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join([str(Path(bulat.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
        return subprocess.run(
            [sys.executable, "-m", "bulat.cluster", *arguments],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            env=os.environ | {"PYTHONPATH": path},
        )

    sums, sealed = str(tmp_path / "sums"), str(tmp_path / "sealed")
    done = run("hash", str(data), "-o", sums, "--workers", "1")
    assert done.returncode == 0 and f"{len(contents(data))} done" in done.stderr and not done.stdout
    (data / "big").write_bytes(b"changed")
    done = run("verify", sums, "--workers", "1")
    assert done.returncode == 1 and done.stdout == "big: FAILED\n"
    assert run("encrypt", str(data), sealed, "--key-file", key_file, "--workers", "1").returncode == 0
    done = run("verify", sums, sealed)
    assert done.returncode == 1 and done.stdout.count("FAILED open or read") == len(contents(data))
    assert run("frobnicate").returncode == 2
    assert "exit codes" in run("--help").stdout
