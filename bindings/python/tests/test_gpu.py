"""GPUs: checks of arrays, and batches on devices. They need the feature `gpu`."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import bulat
import numpy as np
import pytest

try:
    import bulat.gpu as gpu
except ImportError:
    pytest.skip("bulat was built without GPUs", allow_module_level=True)

KEY = bytes(range(32))


@pytest.fixture(scope="module")
def device() -> gpu.Device:
    """Returns any device: in CI PoCL, OpenCL on the processor."""
    found = gpu.devices()
    if not found:
        pytest.skip(f"no device: {gpu.remarks()}")
    return found[0]


class Shown:
    """A CUDA array as a package presents it, without real memory."""

    def __init__(self, **changed: Any) -> None:
        shown = {"shape": (4, 16), "typestr": "|u1", "data": (1 << 40, False), "version": 3, "strides": None, "stream": None}
        self.__cuda_array_interface__ = {k: v for k, v in {**shown, **changed}.items() if v != "leave out"}


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
    ]


class Old(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class New(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    ]


DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Producer:
    """A DLPack tensor that counts its deletions and records its arguments."""

    def __init__(
        self,
        *,
        versioned: bool = True,
        kind: int = 2,
        shape: tuple[int, ...] = (64,),
        strides: tuple[int, ...] | None = None,
        flags: int = 0,
        major: int = 1,
        element: tuple[int, int, int] = (1, 8, 1),
    ) -> None:
        self.kind, self.deleted, self.asked = kind, 0, {}
        self.versioned = versioned

        def delete(_: int) -> None:
            self.deleted += 1

        self._delete = DELETER(delete)
        self._shape = (ctypes.c_int64 * len(shape))(*shape)
        self._strides = (ctypes.c_int64 * len(shape))(*strides) if strides else None
        self._managed = New() if versioned else Old()
        tensor = self._managed.tensor
        tensor.data, tensor.device_type, tensor.ndim = 1 << 40, kind, len(shape)
        tensor.code, tensor.bits, tensor.lanes = element
        tensor.shape = ctypes.cast(self._shape, ctypes.POINTER(ctypes.c_int64))
        if self._strides:
            tensor.strides = ctypes.cast(self._strides, ctypes.POINTER(ctypes.c_int64))
        self._managed.deleter = ctypes.cast(self._delete, ctypes.c_void_p)
        if isinstance(self._managed, New):
            self._managed.major, self._managed.flags = major, flags

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.kind, 0

    def __dlpack__(self, **asked: Any) -> Any:
        if not self.versioned and "max_version" in asked:
            raise TypeError("an older producer")
        self.asked = asked
        name = b"dltensor_versioned" if self.versioned else b"dltensor"
        return new_capsule(ctypes.addressof(self._managed), name, None)


def test_what_there_is() -> None:
    for found in gpu.devices():
        assert found.name and found.driver in ("cuda", "opencl") and found.memory > 0 and found.lost is None
        assert found.version and isinstance(found.processor, bool) and found.name in repr(found)
    assert all(isinstance(words, str) for words in gpu.remarks())


def test_without_a_driver_there_is_nothing() -> None:
    code = "import bulat.gpu as g; assert g.devices() == []; r = g.remarks(); assert r; print(r); e = g.Engine(); "
    code += "print(e.batch('streebog256', [b'abc'])[0].hex()[:8])"
    env = {**os.environ, "OCL_ICD_VENDORS": "/nowhere", "OCL_ICD_FILENAMES": "", "CUDA_VISIBLE_DEVICES": ""}
    out = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    if "assert g.devices()" in out.stderr:
        pytest.skip("a driver that cannot be hidden")
    assert out.returncode == 0 and "OpenCL" in out.stdout and "4e2919cf" in out.stdout, out.stderr


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"typestr": "<f4"}, "not bytes: view it as uint8"),
        ({"strides": (32, 1)}, "not contiguous"),
        ({"strides": (16, 2)}, "not contiguous"),
        ({"strides": (16,)}, "not contiguous"),
        ({"data": (0, False)}, "without memory"),
        ({"shape": (-4, 16)}, "negative"),
        ({"shape": (1 << 40, 1 << 40)}, "larger than memory"),
        ({"shape": "leave out"}, "there is no shape"),
        ({"typestr": "leave out"}, "there is no typestr"),
        ({"data": "leave out"}, "there is no data"),
        ({"data": 5}, "__cuda_array_interface__: data"),
        ({"stream": 0}, "stream"),
        ({"stream": "s"}, "stream"),
        ({"mask": 1}, "mask"),
    ],
)
def test_arrays_that_do_not_fit(device: gpu.Device, changed: dict[str, Any], words: str) -> None:
    with pytest.raises(bulat.InvalidType, match=words):
        device.encrypt("kuznyechik-ctr", KEY, bytes(8), Shown(**changed))
    with pytest.raises(bulat.InvalidType, match=words):
        device.hash("streebog256", Shown(**changed))


def test_arrays_and_their_roles(device: gpu.Device) -> None:
    def encrypt(array: Any, out: Any = None, **more: Any) -> None:
        device.encrypt("kuznyechik-ctr", KEY, bytes(8), array, out, **more)

    readonly = Shown(data=(1 << 40, True))
    refusals: list[tuple[type[Exception], str, Callable[[], Any]]] = [
        (bulat.InvalidType, "read-only", lambda: encrypt(readonly)),
        (bulat.InvalidType, "read-only", lambda: encrypt(Shown(), readonly)),
        (bulat.InvalidInput, "buffer", lambda: encrypt(Shown(), Shown(shape=(63,)))),
        (bulat.InvalidInput, "overlapping", lambda: encrypt(Shown(), Shown(data=((1 << 40) + 8, False)))),
        (bulat.InvalidInput, "one or two dimensions", lambda: device.hash("streebog512", Shown(shape=(2, 2, 16)))),
        (bulat.InvalidInput, "3 for 4 rows", lambda: device.mac("magma-omac", [KEY] * 3, Shown())),
        (bulat.InvalidType, "neither __cuda_array_interface__", lambda: encrypt(b"bytes of the host")),
        (bulat.InvalidInput, "aead, not cipher", lambda: device.encrypt("kuznyechik-mgm", KEY, bytes(16), Shown())),
        (
            bulat.InvalidInput,
            "not supported on devices",
            lambda: device.encrypt("kuznyechik-xts", KEY + KEY[::-1], bytes(16), Shown()),
        ),
        (bulat.InvalidInput, "not supported on devices", lambda: device.mac("hmac-streebog256", KEY, Shown(), tag_size=8)),
        (bulat.InvalidInput, "not mac", lambda: device.mac("streebog256", KEY, Shown())),
    ]
    for error, words, call in refusals:
        with pytest.raises(error, match=words):
            call()


def test_a_device_of_opencl_has_no_memory_of_cudas(device: gpu.Device) -> None:
    if device.driver != "opencl":
        pytest.skip("a device of CUDA")
    contiguous = Shown(strides=(16, 1), stream=2, shape=(4, 16))
    for call in (
        lambda: device.encrypt("kuznyechik-ctr", KEY, bytes(8), contiguous),
        lambda: device.decrypt("magma-cbc", KEY, bytes(8), Shown(data=(1 << 40, True)), Shown(data=(2 << 40, False)), stream=7),
        lambda: device.hash("streebog256", contiguous),
        lambda: device.mac("hmac-streebog512", KEY, contiguous),
        lambda: device.mac("magma-omac", [KEY] * 4, contiguous),
        lambda: device.encrypt("magma-ctr", KEY, bytes(4), Producer(versioned=False)),
    ):
        with pytest.raises(bulat.InvalidInput, match="arrays need a CUDA device"):
            call()


def test_arrays_in_a_cards_memory(device: gpu.Device) -> None:
    if device.driver != "cuda":
        pytest.skip("a device of OpenCL")
    try:
        library = ctypes.CDLL("libcuda.so")
    except OSError as e:
        pytest.skip(f"memory of a card: {e}")
    if not hasattr(library, "fake_array"):
        pytest.skip("memory of a card: only the tests' driver has memory that Python reads")
    library.fake_array.restype, library.fake_array.argtypes = ctypes.c_uint64, [ctypes.c_char_p, ctypes.c_size_t]
    text = bytes(range(256)) * 250
    rows = [text[i : i + 64] for i in range(0, len(text), 64)]
    at = library.fake_array(text, len(text))
    array, other = Shown(data=(at, False), shape=(len(rows), 64)), library.fake_array(bytes(len(text)), len(text))
    assert device.hash("streebog256", array) == bulat.batch("streebog256", rows, None, None)
    for name in ("hmac-streebog512", "magma-omac"):
        assert device.mac(name, KEY, array) == bulat.batch(name, rows, KEY, None if name[0] == "h" else b""), name
    device.encrypt("kuznyechik-ctr", KEY, bytes(8), array, Shown(data=(other, False), shape=(len(rows), 64)))
    assert ctypes.string_at(other, len(text)) == bulat.encrypt("kuznyechik-ctr", KEY, text, bytes(8))
    device.encrypt("magma-ctr", KEY, bytes(4), array, stream=1)
    device.decrypt("magma-ctr", KEY, bytes(4), array)
    assert ctypes.string_at(at, len(text)) == text


@pytest.mark.parametrize("package", ["cupy", "torch"])
def test_arrays_of_packages(device: gpu.Device, package: str) -> None:
    module = pytest.importorskip(package)
    if device.driver != "cuda" or hasattr(ctypes.CDLL("libcuda.so.1"), "fake_array"):
        pytest.skip("no card")
    rows, width = 5000, 208
    text = np.random.default_rng().integers(0, 256, (rows, width), np.uint8)
    on_host = [row.tobytes() for row in text]

    def put(what: Any) -> Any:
        return module.asarray(what) if package == "cupy" else module.from_numpy(what.copy()).cuda()

    def got(what: Any) -> bytes:
        return bytes(what.get().tobytes() if package == "cupy" else what.cpu().numpy().tobytes())

    array = put(text)
    assert device.hash("streebog256", array) == bulat.batch("streebog256", on_host, None, None)
    for name in ("hmac-streebog512", "magma-omac", "kuznyechik-omac"):
        assert device.mac(name, KEY, array) == bulat.batch(name, on_host, KEY, None if name[0] == "h" else b""), name
    for name, iv in (("kuznyechik-ctr", bytes(8)), ("magma-ctr", bytes(4)), ("kuznyechik-ecb", b""), ("magma-ecb", b"")):
        other = put(np.zeros_like(text))
        device.encrypt(name, KEY, iv, array, other)
        assert got(other) == bulat.encrypt(name, KEY, text.tobytes(), iv), name
        device.decrypt(name, KEY, iv, other)
        assert got(other) == text.tobytes(), name
    # In the order of a stream: the array is filled, encrypted and copied without a wait between.
    stream = module.cuda.Stream(non_blocking=True) if package == "cupy" else module.cuda.Stream()
    number = stream.ptr if package == "cupy" else stream.cuda_stream
    with stream if package == "cupy" else module.cuda.stream(stream):
        for _ in range(20):
            work = array + 1
            device.encrypt("kuznyechik-ctr", KEY, bytes(8), work, stream=number)
            copy = work ^ 0x5A
        stream.synchronize()
    wanted = np.frombuffer(bulat.encrypt("kuznyechik-ctr", KEY, (text + 1).astype(np.uint8).tobytes(), bytes(8)), np.uint8)
    assert got(copy) == (wanted ^ 0x5A).tobytes()


def test_dlpack(device: gpu.Device) -> None:
    def encrypt(producer: Producer, **more: Any) -> None:
        device.encrypt("kuznyechik-ctr", KEY, bytes(8), producer, **more)

    def refused(producer: Producer, words: str, deleted: int = 1) -> None:
        with pytest.raises(bulat.Error, match=words):
            encrypt(producer)
        assert producer.deleted == deleted

    on_host = np.zeros(64, np.uint8)
    with pytest.raises(bulat.InvalidType, match="memory of the host"):
        device.encrypt("kuznyechik-ctr", KEY, bytes(8), on_host)
    refused(Producer(kind=10), "DLPack's type 10", deleted=0)
    for versioned in (False, True):
        refused(Producer(versioned=versioned, element=(2, 32, 1)), "view it as uint8")
        refused(Producer(versioned=versioned, element=(1, 8, 4)), "view it as uint8")
        refused(Producer(versioned=versioned, shape=(4, 16), strides=(32, 1)), "not contiguous")
        refused(Producer(versioned=versioned, shape=(-1,)), "negative")
    refused(Producer(flags=1), "read-only")
    refused(Producer(major=2), "version 2", deleted=1)
    # Not a capsule, or a used capsule.
    producer = Producer()
    used = producer.__dlpack__()
    ctypes.pythonapi.PyCapsule_SetName(ctypes.py_object(used), b"used_dltensor_versioned")
    producer.__dlpack__ = lambda **_: used  # type: ignore[method-assign]
    again = type("P", (), {"__dlpack__": lambda s, **k: used, "__dlpack_device__": lambda s: (2, 0)})()
    with pytest.raises(bulat.Error):
        device.encrypt("kuznyechik-ctr", KEY, bytes(8), again)
    if device.driver == "opencl":
        for versioned in (False, True):
            for stream, told in ((None, 1), (0, 1), (2, 2), (1 << 33, 1 << 33)):
                producer = Producer(versioned=versioned, shape=(4, 16), strides=(16, 1))
                with pytest.raises(bulat.InvalidInput, match="arrays need a CUDA device"):
                    encrypt(producer, stream=stream)
                assert producer.deleted == 1 and producer.asked["stream"] == told


@pytest.mark.parametrize("cpu", [False, True])
def test_batches_are_as_on_the_processor(device: gpu.Device, cpu: bool) -> None:
    engine = gpu.Engine([device], cpu=cpu, least=1)
    text = bytes(range(256)) * 4096
    texts = [text[i : i + 100 + i % 50] for i in range(200)]
    keys = [bytes([i] * 32) for i in range(200)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name, data, key, iv in [
            ("kuznyechik-ctr", [text], KEY, bytes(8)),
            ("magma-omac", texts, keys, b""),
            ("streebog256", texts, None, None),
            ("hmac-streebog512", texts, KEY, None),
        ]:
            assert engine.batch(name, data, key, iv) == bulat.batch(name, data, key, iv), name
        into = bytearray(text)
        assert engine.batch("magma-ctr", [into], KEY, bytes(4), into=[into]) == [len(text)]
        assert bytes(into) == bulat.encrypt("magma-ctr", KEY, text, bytes(4))
        sealed = engine.batch("kuznyechik-mgm", [text], KEY, bytes(16))
        assert sealed == bulat.batch("kuznyechik-mgm", [text], KEY, bytes(16))
        assert engine.batch("kuznyechik-mgm", sealed, KEY, bytes(16), decrypt=True) == [text]
        wrong = [sealed[0][:-1] + bytes([sealed[0][-1] ^ 1])]
        with pytest.raises(bulat.InvalidTag):
            engine.batch("kuznyechik-mgm", wrong, KEY, bytes(16), decrypt=True)
    assert engine.bytes.get(device.name, 0) > 0 or cpu
    assert [d.name for d in engine.devices] == [device.name]


def test_an_engine_stays_in_its_process(device: gpu.Device) -> None:
    code = "import os, bulat, bulat.gpu as g\ne = g.Engine([])\nif os.fork() == 0:\n    try: e.batch('streebog256', [b''])\n"
    code += "    except bulat.StateError: os._exit(7)\n    os._exit(1)\nprint(os.waitstatus_to_exitcode(os.wait()[1]))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "7"
