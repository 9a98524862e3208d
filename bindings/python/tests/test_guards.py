"""Edge cases: exceptions while a file is written, forks, reentrant calls, signals, nonces, keys in memory."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import io
import os
import re
import subprocess
import sys
import textwrap
import warnings
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bulat
import pytest
from bulat import container

K, B8, B16 = bytes(32), bytes(8), bytes(16)
unix = pytest.mark.skipif(sys.platform == "win32", reason="signals, forks and /proc of Unix")


def run(program: str, *arguments: Any, timeout: float = 60) -> tuple[str, str]:
    """Runs a program in its own process. Returns its output."""
    call = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(program), *map(str, arguments)]
    done = subprocess.run(call, capture_output=True, text=True, timeout=timeout, check=False)
    return done.stdout, done.stderr


# --- Only a file closed without a pending exception is complete


def by_fsspec(path: Path, mode: str) -> Any:
    fsspec = pytest.importorskip("fsspec")
    import bulat.fsspec  # noqa: F401

    (path.parent / "key").write_bytes(bytes(31) + b"\1")
    return fsspec.open(f"bulat::file://{path}", mode, key_file=str(path.parent / "key")).open()


#: The new containers, for bytes or for text.
OPENED: dict[str, Callable[[Path], Any]] = {
    "bytes": lambda path: container.open(path, "wb", key=K),
    "text": lambda path: container.open(path, "wt", key=K),
    "wrapper": lambda path: io.TextIOWrapper(container.open(path, "wb", key=K)),
    "bytes by fsspec": lambda path: by_fsspec(path, "wb"),
    "text by fsspec": lambda path: by_fsspec(path, "wt"),
}


def half(file: Any) -> None:
    file.write("half" if isinstance(file, io.TextIOBase) else b"half")
    raise ZeroDivisionError


def in_with(make: Callable[[], Any]) -> None:
    with make() as file:
        half(file)


def closing(make: Callable[[], Any]) -> None:
    with contextlib.closing(make()) as file:
        half(file)


def finally_(make: Callable[[], Any]) -> None:
    file = make()
    try:
        half(file)
    finally:
        file.close()


def by_a_generator(make: Callable[[], Any]) -> None:
    @contextlib.contextmanager
    def opened() -> Any:
        file = make()
        try:
            yield file
        finally:
            file.close()

    with opened() as file:
        half(file)


def while_another_is_handled(make: Callable[[], Any]) -> None:
    try:
        raise KeyError
    except KeyError:
        in_with(make)


@pytest.mark.parametrize("manner", [in_with, closing, finally_, by_a_generator, while_another_is_handled])
@pytest.mark.parametrize("kind", OPENED)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_an_exception_leaves_no_half_of_a_file(kind: str, manner: Callable[[Callable[[], Any]], None], tmp_path: Path) -> None:
    path = tmp_path / "f"
    for before in (None, b"before"):
        if before:
            path.write_bytes(before)
        with pytest.raises(ZeroDivisionError):
            manner(lambda: OPENED[kind](path))
        gc.collect()
        left = {p.name: p.read_bytes() for p in tmp_path.iterdir() if p.name != "key"}
        assert left == ({"f": before} if before else {})


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_pandas_that_fails_in_the_middle(tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    pytest.importorskip("fsspec")
    import bulat.fsspec  # noqa: F401

    class Bad:
        def __str__(self) -> str:
            raise ZeroDivisionError

    (tmp_path / "key").write_bytes(bytes(31) + b"\1")
    table = pd.DataFrame({"a": [1] * 60_000 + [Bad()]})
    with pytest.raises(ZeroDivisionError):
        table.to_csv(f"bulat::file://{tmp_path}/f.csv", storage_options={"key_file": str(tmp_path / "key")}, chunksize=1000)
    with pytest.raises(ZeroDivisionError):
        table.to_csv(container.open(tmp_path / "g.csv", "wb", key=K), chunksize=1000)
    gc.collect()
    assert [p.name for p in tmp_path.iterdir()] == ["key"]


def test_an_older_exception_does_not_count(tmp_path: Path) -> None:
    path = tmp_path / "f"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            raise KeyError
        except KeyError:
            # Opened and closed in the handler; and in a handler inside it.
            file = container.open(path, "wb", key=K)
            file.write(b"one")
            file.close()
            assert container.open(path, key=K).read() == b"one"
            try:
                raise ValueError
            except ValueError:
                file = container.open(path, "wt", key=K)
            file.write("two")
            file.close()
            assert container.open(path, key=K).read() == b"two"
            file = container.open(path, "wb", key=K)
        file.write(b"three")
        file.close()
        assert container.open(path, key=K).read() == b"three"
        # A `with` without an exception, and `commit`, keep the file.
        outside, text = container.open(path, "wb", key=K), container.open(tmp_path / "g", "wt", key=K)
        try:
            raise KeyError
        except KeyError:
            with outside as file:
                file.write(b"four")
            text.write("five")
            text.commit()
    assert container.open(path, key=K).read() == b"four" and container.open(tmp_path / "g", key=K).read() == b"five"


def test_what_is_not_kept_is_said(tmp_path: Path) -> None:
    file = container.open(tmp_path / "f", "wb", key=K)
    with pytest.warns(RuntimeWarning, match=r"closed while KeyError is handled: nothing of it is kept; commit\(\) keeps it"):
        try:
            raise KeyError
        except KeyError:
            file.close()
    makers: list[Callable[[], object]] = [
        lambda: container.open(tmp_path / "f", "wb", key=K).write(b"text"),
        lambda: container.open(tmp_path / "f", "wt", key=K).write("text"),
        lambda: io.TextIOWrapper(container.open(tmp_path / "f", "wb", key=K)).write("text"),
    ]
    for make in makers:
        with pytest.warns(ResourceWarning, match="unclosed file .*: nothing of it is kept"):
            make()
            gc.collect()
    assert list(tmp_path.iterdir()) == []


def test_text(tmp_path: Path) -> None:
    path = tmp_path / "f"
    with container.open(path, "wt", key=K) as file:
        file.write("первая\nsecond\n")
    assert container.open(path, key=K).read() == "первая\nsecond\n".encode()
    with container.open(path, "rt", key=K) as file:
        assert list(file) == ["первая\n", "second\n"]
    with container.open(path, "wt", key=K, encoding="cp1251", newline="\r\n") as file:
        file.write("я\n")
    assert container.open(path, key=K).read() == b"\xff\r\n"
    with pytest.raises(FileExistsError):
        container.open(path, "xt", key=K)
    with pytest.raises(LookupError):
        container.open(tmp_path / "g", "wt", key=K, encoding="no such")
    for mode in ("ab", "a", "r+b", "rw", "", "bw", "U"):
        with pytest.raises(bulat.InvalidInput, match="rb, rt, wb, wt, xb, xt"):
            container.open(path, mode, key=K)
    with pytest.raises(bulat.InvalidInput, match="encoding: mode wb is bytes, not text"):
        container.open(path, "wb", key=K, encoding="utf-8")  # type: ignore[call-overload]
    assert [p.name for p in tmp_path.iterdir()] == ["f"]


def test_a_container_begins_at_the_start_of_its_file() -> None:
    file = io.BytesIO(b"1234")
    file.seek(4)
    with pytest.raises(bulat.InvalidInput, match="the file is at 4: a container begins at the start"):
        container.open(file, "wb", key=K)
    # These work at any position of the file object.
    container.encrypt(io.BytesIO(b"text"), file, key=K)
    file.seek(4)
    out = io.BytesIO()
    container.decrypt(file, out, key=K)
    assert out.getvalue() == b"text"
    with pytest.raises(bulat.InvalidInput, match="whence: 3, not 0, 1 or 2"):
        sealed = io.BytesIO()
        container.open(sealed, "wb", key=K).close()
        container.open(sealed, key=K).seek(0, 3)


# --- A text that lost a part on the way is incomplete


class Interrupted:
    """A raw file that Ctrl-C interrupts once, in a write."""

    def __init__(self, raw: Any) -> None:
        self.raw, self.calls = raw, 0

    def write(self, data: Any) -> int:
        self.calls += 1
        if self.calls == 1:
            raise KeyboardInterrupt
        return int(self.raw.write(data))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw, name)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("end", ["close", "commit", "__exit__"])
@pytest.mark.parametrize("kind", OPENED)
def test_an_interrupted_close_keeps_nothing(kind: str, end: str, tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"before")
    # The write of more text than the buffer of bytes is interrupted itself: a wrapper drops its text then, and keeps less text.
    sizes = {"bytes": [1], "bytes by fsspec": [1], "wrapper": [10_000]}
    for size in sizes.get(kind, [1, 10_000]):
        file = OPENED[kind](path)
        if not hasattr(file, end):
            file.close()
            pytest.skip("a wrapper has no such call")
        writer, text = file, b"text"
        if isinstance(file, io.TextIOBase):
            writer, text = file.buffer, "text" * size  # type: ignore[attr-defined, assignment]
            file._CHUNK_SIZE = 1 << 20  # type: ignore[attr-defined]
        core = getattr(writer, "_text", writer)
        core._end._raw = Interrupted(core._end._raw)
        with pytest.raises(KeyboardInterrupt):
            file.write(text)
            getattr(file, end)(*(3 * [None] if end == "__exit__" else []))
        assert path.read_bytes() == b"before"
        assert {p.name for p in tmp_path.iterdir()} <= {"f", "key"}


def test_a_write_that_was_refused_spoils_nothing(tmp_path: Path) -> None:
    file = container.open(tmp_path / "f", "wb", key=K)
    with pytest.raises(TypeError):
        file.write("text")  # type: ignore[arg-type]
    file.close()
    assert container.open(tmp_path / "f", key=K).read() == b""
    with container.open(tmp_path / "f", "wb", key=K) as file:
        file.write(b"closed inside")
        file.close()
    assert container.open(tmp_path / "f", key=K).read() == b"closed inside"
    file = container.open(tmp_path / "f", "wb", key=K)
    with pytest.raises(io.UnsupportedOperation, match="detach"):
        file.detach()
    file.discard()


def in_a_generator(file: Any) -> None:
    def lines() -> Any:
        try:
            yield
        finally:
            file.close()

    generator = lines()
    next(generator)
    generator.close()


def in_a_cancelled_task(file: Any) -> None:
    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            file.close()

    async def cancelled() -> None:
        task = asyncio.create_task(work())
        await asyncio.sleep(0)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())


def by_an_exit_stack(file: Any) -> None:
    with contextlib.ExitStack() as stack:
        stack.callback(file.close)
        stack.push(lambda *_: True)
        raise KeyError


def in_a_handler(file: Any) -> None:
    try:
        raise KeyError
    except KeyError:
        file.close()


@pytest.mark.parametrize("mode", ["wb", "wt"])
@pytest.mark.parametrize("close", [in_a_generator, in_a_cancelled_task, by_an_exit_stack, in_a_handler])
def test_each_loss_is_shown(close: Callable[[Any], None], mode: str, tmp_path: Path) -> None:
    names = ["one", "two", "three"]
    with warnings.catch_warnings(record=True) as seen:
        # Like Python, show a warning once for each line.
        warnings.simplefilter("default")
        for name in names:
            close(container.open(tmp_path / name, mode, key=K))
    assert len(seen) == 3 and all(name in str(w.message) for name, w in zip(names, seen, strict=True))
    assert {w.filename for w in seen} <= {__file__, contextlib.__file__}
    assert list(tmp_path.iterdir()) == []


@unix
@pytest.mark.parametrize("call", ["close", "discard"])
def test_a_handler_loses_nothing_in_silence(call: str, tmp_path: Path) -> None:
    """Is called during a write of its own thread."""
    file = container.open(tmp_path / "f", "wb", key=K)

    class Raw(Interrupted):
        def write(self, data: Any) -> int:
            with contextlib.suppress(RuntimeError, bulat.StateError):
                getattr(file, call)()
            return int(self.raw.write(data)) if not file._end.discarded else len(data)

    file._end._raw = Raw(file._end._raw)  # type: ignore[assignment]
    file.write(b"text" * 10_000)
    with pytest.raises(bulat.StateError, match="'.*f'.* was discarded"):
        file.close()
    assert list(tmp_path.iterdir()) == [] and file.closed


def test_exceptions_that_are_each_others_context(tmp_path: Path) -> None:
    a, b = KeyError(), ValueError()
    a.__context__ = b
    b.__context__ = a
    try:
        raise a
    except KeyError:
        file = container.open(tmp_path / "f", "wb", key=K)
    file.write(b"text")
    # The call ends.
    file.close()
    assert container.open(tmp_path / "f", key=K).read() == b"text"


def test_a_closed_file_keeps_no_exception(tmp_path: Path) -> None:
    class Secret:
        pass

    def fails() -> None:
        secret = Secret()
        seen.append(weakref.ref(secret))
        raise KeyError

    for end in ("close", "commit", "discard"):
        seen: list[weakref.ref[Secret]] = []
        try:
            fails()
        except KeyError:
            file = container.open(tmp_path / "f", "wb", key=K)
        getattr(file, end)()
        gc.collect()
        assert seen[0]() is None


# --- Forks

FORKS = """
import os, sys
from pathlib import Path
from bulat import container
folder = Path(sys.argv[1])

def writers():
    yield container.open(folder / "by-path", "wb", key=bytes(32))
    text = container.open(folder / "text", "wt", key=bytes(32))
    yield text.buffer
    text.close()
    try:
        import fsspec, bulat.fsspec
    except ImportError:
        return
    (folder / "key").write_bytes(bytes(31) + bytes([1]))
    yield fsspec.filesystem("bulat", target_protocol="file", key_file=str(folder / "key")).open(str(folder / "fsspec"), "wb")

for writer in writers():
    writer.write(b"x" * 10)
    for how in ("leaves", "discards", "closes"):
        if (child := os.fork()) == 0:
            try:
                if how == "discards":
                    writer.discard()
                if how == "closes":
                    writer.close()
            except Exception as e:
                print(how, type(e).__name__, str(e)[:50], flush=True)
            sys.exit(0)
        os.waitpid(child, 0)
    writer.write(b"y" * 10)
    writer.close()
print(sorted(p.name for p in folder.iterdir() if p.name != "key"))
for name in ("by-path", "text"):
    print(container.open(folder / name, key=bytes(32)).read() == b"x" * 10 + b"y" * 10)
"""


@unix
def test_a_child_leaves_the_parents_file_alone(tmp_path: Path) -> None:
    out, errors = run(FORKS, tmp_path)
    lines = out.splitlines()
    with contextlib.suppress(ImportError):
        import fsspec  # noqa: F401

        assert "['by-path', 'fsspec', 'text']" in lines, (out, errors)
    assert lines.count("True") == 2, (out, errors)
    closes = [line for line in lines if line.startswith("closes")]
    assert closes and all("StateError the file belongs to the process that opened it" in line for line in closes)


# --- Reentrant calls, and signals

REENTRANT = """
import io, signal, sys, threading
import bulat
from bulat import container
K = bytes(32)

class Watched(io.BytesIO):
    call = None
    def _seen(self):
        if self.call:
            try: print(self.call(), flush=True)
            except bulat.StateError as e: print("StateError", str(e)[:14], flush=True)
    def write(self, data):
        self._seen()
        return super().write(data)
    def read(self, n=-1):
        self._seen()
        return super().read(n)

file = Watched()
w = container.open(file, "wb", key=K)
file.call = w.tell
w.write(b"x" * 300_000)
file.call = None
w.close()
r = container.open(file, key=K)
file.call = lambda: r.size
r.read(10)
file.call = None
print(r.size)

h = bulat.streebog256()
data = bytes(100 << 20)
def handler(*_):
    try: h.update(b"x")
    except bulat.StateError as e: print("StateError", str(e)[:14], flush=True)
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.02)
h.update(data)
print(h.digest() == bulat.digest("streebog256", data))
"""


@unix
def test_a_call_that_comes_back_is_refused() -> None:
    out, errors = run(REENTRANT)
    lines = out.splitlines()
    assert lines.count("StateError reentrant call") >= 3 and lines[-1] == "True" and "300000" in lines, (out, errors)


INTERRUPTED = """
import os, signal, sys, time, threading
import bulat
from bulat import container
K, big, slow = bytes(32), bytes(1 << 28), bytes(160 << 20)
op = sys.argv[1]
held, aead = bulat.streebog256(), bulat.MagmaMGM(K)
sealer, opener = aead.encryptor(bytes(8)), aead.unverified_decryptor(bytes(8))

def padded(text):
    bulat.encrypt("magma-cbc", K, text, bytes(8), padding="pkcs7")

def waits():
    # The thread may not have begun when the signal comes.
    while True:
        begun = time.monotonic()
        try:
            held.update(b"x")
        except KeyboardInterrupt:
            if time.monotonic() - begun > 0.05:
                raise
            signal.setitimer(signal.ITIMER_REAL, 0.3)

def thread():
    while True:
        held.update(big)

calls = {
    "new": lambda: bulat.streebog256(big),
    "update": lambda: held.update(big),
    "digest": lambda: bulat.digest("streebog512", big),
    "mac": lambda: bulat.mac("magma-omac", K, big),
    "cipher": lambda: bulat.Cipher("gost89", K, bytes(8)).encryptor().update(big),
    "encrypt": lambda: bulat.encrypt("gost89", K, big, bytes(8)),
    "pbkdf2": lambda: bulat.pbkdf2_hmac_streebog512(b"p", 32, salt=b"s", iterations=100_000_000),
    "password": lambda: container.open("/dev/null", "wb", password="p", kdf="pbkdf2", iterations=20_000_000),
    "batch": lambda: bulat.batch("hmac-streebog256", [b"x" * 29] * 500_000, K),
    "waits": waits,
    "padded": lambda: padded(slow),
    "aad": lambda: sealer.update_aad(big),
    "unverified": lambda: opener.update(big),
}
# A call that is interrupted has done nothing: not even at its end.
untouched = {
    "update": lambda: held.digest() == bulat.digest("streebog256", b""),
    "aad": lambda: sealer.update(b"x") + sealer.finalize() == aead.encrypt(bytes(8), b"x"),
    "unverified": lambda: opener.update(b"x") == aead.unverified_decryptor(bytes(8)).update(b"x"),
}
signal.signal(signal.SIGALRM, signal.default_int_handler)
if op == "waits":
    threading.Thread(target=thread, daemon=True).start()
limit, said = 10, "done"
# Noise of the machine may come between two times.
for _ in range(3):
    if op == "padded":
        begun = time.monotonic()
        padded(slow[: len(slow) // 10])
        # A signal that is seen only at the end is seen at ten times this.
        limit = 5 * (time.monotonic() - begun) + 0.2
    begun = time.monotonic()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        calls[op]()
    except KeyboardInterrupt:
        took = time.monotonic() - begun
        said = f"{'interrupted' if took < limit else 'late'} {took} {limit}"
    if not said.startswith("late"):
        break
print(said)
print(op not in untouched or untouched[op]())
sys.stdout.flush()
os._exit(0)
"""
LONG = re.findall(r'^    "(\w+)": ', INTERRUPTED[: INTERRUPTED.index("untouched =")], re.MULTILINE)


@unix
@pytest.mark.parametrize("call", LONG)
def test_ctrl_c_ends_every_long_call(call: str) -> None:
    out, errors = run(INTERRUPTED, call)
    lines = out.splitlines()
    assert lines and lines[0].startswith("interrupted "), (out, errors)
    assert lines[1] == "True"


INTO = """
import signal
import bulat
K = bytes(32)
signal.signal(signal.SIGALRM, signal.default_int_handler)
aead = bulat.MagmaMGM(K)
for context, mib in (
    (bulat.Cipher("gost89", K, bytes(8)).encryptor(), 64),
    (bulat.Cipher("magma-cbc", K, bytes(8)).encryptor(), 64),
    (aead.encryptor(bytes(8)), 256),
    (aead.unverified_decryptor(bytes(8)), 256),
):
    text = bytearray(mib << 20)
    first = bytes(text[:16])
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        context.update_into(text, text)
        print("done")
    except KeyboardInterrupt:
        signal.setitimer(signal.ITIMER_REAL, 0)
        print("interrupted", bytes(text[:16]) != first)
    end = getattr(context, "finalize", None) or (lambda: context.verify(bytes(8)))
    for call in (lambda: context.update_into(text, text), lambda: context.update(b"other text"), end):
        try:
            call()
            print("again")
        except bulat.StateError:
            pass
    if hasattr(context, "reset"):
        context.reset(bytes(8))
        print(len(context.update(first)))
"""


@unix
def test_an_interrupted_text_in_place_has_ended() -> None:
    out, errors = run(INTO)
    assert out.splitlines() == ["interrupted True", "16"] * 2 + ["interrupted True"] * 2, (out, errors)


@pytest.mark.parametrize("padding", ["none", "pkcs7"])
def test_a_long_text_in_whole_blocks(padding: str) -> None:
    """Longer than the pieces between checks for signals, with partial blocks before and after."""
    text = os.urandom(1 << 20) * 17
    whole = bulat.encrypt("kuznyechik-cbc", K, text, B16, padding=padding)
    cipher = bulat.Cipher("kuznyechik-cbc", K, B16, padding=padding)
    for context, source, result in ((cipher.encryptor(), text, whole), (cipher.decryptor(), whole, text)):
        for in_place in (True, False):
            context.reset(B16)
            done = context.update(source[:7])
            data = bytearray(source[7:])
            out = data if in_place else bytearray(len(data))
            n = context.update_into(data, out)
            assert done + bytes(out[:n]) + context.finalize() == result
    assert bulat.decrypt("kuznyechik-cbc", K, whole, B16, padding=padding) == text


def test_associated_data_that_is_long() -> None:
    aad = os.urandom(1 << 20) * 17
    aead = bulat.KuznyechikMGM(K)
    sealer = aead.encryptor(B16)
    sealer.update_aad(aad[:5])
    sealer.update_aad(aad[5:])
    sealed = sealer.update(b"text") + sealer.finalize()
    assert sealed == aead.encrypt(B16, b"text", aad)
    opener = aead.unverified_decryptor(B16)
    opener.update_aad(aad)
    assert opener.update(sealed[:4]) == b"text"
    opener.verify(sealed[4:])


# --- Nonces


@pytest.mark.parametrize("name", ["kuznyechik-mgm", "magma-mgm", "kuznyechik-ctr", "gost89", "kuznyechik-ctr-acpkm-omac"])
def test_one_iv_serves_one_message_under_a_key(name: str) -> None:
    iv, text = bytes(bulat.algorithms[name].iv_size), [b"attack at dawn!!", b"retreat at noon!"]
    other = iv[:-1] + b"\1"
    words = "messages 0 and 1: one IV under one key"
    ready = bulat.Key(name, K)
    for keys in (K, [K, K], [bytes(32), bytes(bytearray(32))], ready, [ready, ready], iter([bytes(32), bytearray(32)])):
        for ivs in (iv, [iv, bytes(bytearray(iv))]):
            if not hasattr(keys, "__next__") or ivs is iv:
                for threads in (1, 2):
                    given = list(keys) if hasattr(keys, "__next__") and threads == 1 else keys
                    with pytest.raises(bulat.InvalidInput, match=words):
                        bulat.batch(name, text, given, ivs, threads=threads)
                    if given is not keys:
                        break
    sealed = bulat.batch(name, text, K, [iv, other])
    assert bulat.batch(name, text, [bytes(32), bytes(range(32))], iv)[0] == sealed[0]
    assert bulat.batch(name, [text[0]], K, iv) == sealed[:1]
    # Decryption is not affected.
    assert bulat.batch(name, [sealed[0], sealed[0]], K, iv, decrypt=True) == [text[0], text[0]]
    results = bulat.batch(name, [*text, b"third"], K, [iv, iv, other], return_exceptions=True)
    assert [type(r) for r in results] == [bulat.InvalidInput, bulat.InvalidInput, bytes]
    buffers = [bytearray(len(sealed[0])) for _ in range(3)]
    batch = (name, [text[0], text[0], text[0]], K, [other, iv, iv])
    assert bulat.batch(*batch, into=buffers, return_exceptions=True)[0] == len(sealed[0])
    assert buffers[0] != buffers[1] == buffers[2] == bytes(len(sealed[0]))


def test_what_has_no_iv_has_none_twice() -> None:
    assert len(bulat.batch("magma-ecb", [B8, B8], K)) == 2
    assert len(bulat.batch("kuznyechik-ecb", [B16, B16], K, b"")) == 2
    assert len(bulat.batch("hmac-streebog256", [B8, B8], K)) == 2


def test_new_nonces() -> None:
    for kind in (bulat.KuznyechikMGM, bulat.MagmaMGM, bulat.KuznyechikCTR_ACPKM_OMAC, bulat.MagmaCTR_ACPKM_OMAC):
        aead = kind(kind.generate_key())
        nonces = {kind.generate_nonce() for _ in range(200)}
        assert len(nonces) == 200 and {len(nonce) for nonce in nonces} == {aead.nonce_size}
        for nonce in nonces:
            assert aead.decrypt(nonce, aead.encrypt(nonce, b"text")) == b"text"


# --- Keys left in memory

TARGET = """
import gc, io, mmap, os, sys, threading
import bulat
from bulat import container
folder, op = sys.argv[1:]
m = mmap.mmap(-1, 4096)
fd = os.open(f"{folder}/key", os.O_RDONLY)
os.readv(fd, [memoryview(m)[:32]])
os.close(fd)
k = memoryview(m)[:32]
def files():
    f = io.BytesIO()
    w = container.open(f, "wb", key=k); w.write(b"x" * 300000); w.close()
    r = container.open(f, key=k); r.read(); r.close()
def cipher():
    c = bulat.Cipher("kuznyechik-ctr", k, b"8 bytes!"); e = c.encryptor(); e.update(b"x" * 5000)
def gost89():
    c = bulat.Cipher("gost89", k, b"8 bytes!"); e = c.encryptor(); e.update(b"x" * 5000)
def omac():
    h = bulat.kuznyechik_omac(k, b"x"); h.digest(); h.copy().verify(h.digest())
def batches():
    bulat.batch("kuznyechik-omac", [b"a"] * 30, [k] * 30)
    bulat.batch("magma-mgm", [b"a"] * 30, k, [bytes(7) + bytes([i]) for i in range(30)], threads=2)
    bulat.batch("magma-ctr", [b"a"] * 2, [k, bytes(range(32))], bytes(4))
def kdfs():
    bulat.derive("kdf-tree", k, 64, label=b"l", seed=b"s"); bulat.tlstree(k, masks="kuznyechik-mgm-s", record=5)
    bulat.pbkdf2_hmac_streebog512(k, 32, salt=b"s", iterations=3)
    bulat.pbkdf2_hmac_streebog512(k, 32, salt=b"s", iterations=10_000)
def wraps():
    bulat.wrap("gost28147-keywrap", k, bytes(32), b"8 bytes!")
    bulat.wrap("kuznyechik-kexp15", bytes(64), k, b"8 bytes!")
calls = {
    "nothing": lambda: None, "files": files, "cipher": cipher, "gost89": gost89, "omac": omac, "batches": batches, "kdfs": kdfs,
    "wraps": wraps, "mac": lambda: bulat.mac("magma-omac", k, b"x"), "gost-mac": lambda: bulat.mac("gost-mac", k, b"x" * 100),
    "encrypt": lambda: bulat.encrypt("magma-ctr", k, b"x" * 100, b"4byt"),
    "aead": lambda: bulat.KuznyechikMGM(k).encrypt(bytes(16), b"x" * 100),
    "hmac": lambda: bulat.hmac_streebog256(k, b"x").hexdigest(),
    "key": lambda: bulat.Key("magma-omac", k),
}
calls[op]()
thread = threading.Thread(target=calls[op])
thread.start()
thread.join()
m[:32] = bytes(32)
gc.collect()
print("ready", flush=True)
sys.stdin.readline()
"""
OPS = re.findall(r'"([\w-]+)": ', TARGET[TARGET.index("calls = {") :])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="no /proc")
@pytest.mark.parametrize("op", OPS)
def test_no_key_stays_in_memory(op: str, tmp_path: Path) -> None:
    key = os.urandom(32)
    (tmp_path / "key").write_bytes(key)
    words = b"".join(key[i : i + 4][::-1] for i in range(0, 32, 4))
    parts = {f"bytes {i} to {i + 7}": key[i : i + 8] for i in range(0, 32, 8)}
    parts |= {f"words {i} and {i + 1}": words[4 * i : 4 * i + 8] for i in range(0, 8, 2)}
    parts |= {"from the end": key[::-1][:8]}
    child = subprocess.Popen([sys.executable, "-c", TARGET, str(tmp_path), op], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with child:
        assert child.stdout and child.stdin
        assert child.stdout.readline() == b"ready\n"
        found = []
        try:
            memory = open(f"/proc/{child.pid}/mem", "rb", 0)
        except PermissionError:
            child.communicate(b"\n")
            pytest.skip("the memory of a child cannot be read here")
        with memory:
            for line in Path(f"/proc/{child.pid}/maps").read_text().splitlines():
                span, rights = line.split()[:2]
                if "r" not in rights or "[v" in line:
                    continue
                low, high = (int(x, 16) for x in span.split("-"))
                try:
                    memory.seek(low)
                    data = memory.read(high - low)
                except OSError:
                    continue
                for name, part in parts.items():
                    at = data.find(part)
                    while at >= 0:
                        found.append((name, line.split()[-1], hex(low + at)))
                        at = data.find(part, at + 1)
        child.communicate(b"\n")
    assert found == [], found
