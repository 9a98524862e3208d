"""The compiled half of the package."""

import os
from collections.abc import Iterable
from typing import Any, Literal, final

from typing_extensions import disjoint_base

from ._types import Buffer, DeviceArray, Info, Masks, Password, ReadFile, Sboxes, WritableBuffer, WriteFile

__all__ = [
    "CHUNK",
    "MAX_ITERATIONS",
    "Aead",
    "Algorithm",
    "Cipher",
    "CipherContext",
    "Device",
    "Engine",
    "FilePassword",
    "Hash",
    "Key",
    "Mac",
    "RawReader",
    "RawWriter",
    "SealContext",
    "UnverifiedContext",
    "__version__",
    "algorithms",
    "batch",
    "container_decrypt",
    "container_encrypt",
    "container_forget",
    "container_info",
    "container_read_key",
    "decrypt",
    "derive",
    "digest",
    "encrypt",
    "force",
    "forced",
    "gpu_devices",
    "kernels",
    "mac",
    "picked",
    "selftest",
    "unwrap",
    "wrap",
]

__version__: str
algorithms: dict[str, Algorithm]
MAX_ITERATIONS: int
CHUNK: int

@final
class Algorithm:
    """A line of the table of algorithms."""
    @property
    def name(self) -> str:
        """The name, lower case."""
        ...
    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names that tools use."""
        ...
    @property
    def oid(self) -> str | None:
        """The object identifier, dotted."""
        ...
    @property
    def kind(self) -> Literal["hash", "mac", "cipher", "aead", "kdf", "wrap"]:
        """What it is: hash, mac, cipher, aead, kdf or wrap."""
        ...
    @property
    def key_size(self) -> int:
        """Bytes of key; 0: none, or any number."""
        ...
    @property
    def iv_size(self) -> int:
        """Bytes of the usual IV or nonce; 0: none."""
        ...
    @property
    def iv_sizes(self) -> range:
        """How many bytes an IV may have."""
        ...
    @property
    def block_size(self) -> int:
        """Bytes of a block."""
        ...
    @property
    def output_size(self) -> int:
        """Bytes of digest, of the usual tag, or of what is derived or wrapped; 0: any number, or none."""
        ...
    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the rarer parameters that it knows."""
        ...
    @property
    def note(self) -> str:
        """The standard and its clause, or a warning."""
        ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Hash:
    """A message being hashed: an object in the manner of `hashlib`. Threads may share it.

    >>> h = Hash("streebog256", b"a")
    >>> h.update(b"bc")
    >>> h.hexdigest()
    '4e2919cf137ed41ec4fb6270c61826cc4fffb660341e0af3688cd0626d23b481'
    """
    def __new__(
        cls,
        name: str,
        data: Buffer = b"",
        *,
        usedforsecurity: object = True,
        sboxes: Sboxes | None = None,
    ) -> Hash: ...
    @property
    def name(self) -> str:
        """The name of the algorithm."""
        ...
    @property
    def digest_size(self) -> int:
        """Bytes of digest."""
        ...
    @property
    def block_size(self) -> int:
        """Bytes of a block."""
        ...
    def update(self, data: Buffer, /) -> None:
        """Takes the next piece of the message."""
        ...
    def digest(self) -> bytes:
        """The digest of the message so far; it may go on."""
        ...
    def hexdigest(self) -> str:
        """The same in hexadecimal digits."""
        ...
    def copy(self) -> Hash:
        """A copy that goes on by itself."""
        ...
    def __copy__(self) -> Hash: ...

@final
class Mac:
    """A message under a MAC. Threads may share it.

    >>> m = Mac("kuznyechik-omac", bytes(32), b"a mess")
    >>> m.update(b"age")
    >>> m.verify(m.digest())
    >>> m.digest() == mac("kuznyechik-omac", bytes(32), b"a message")
    True
    """
    def __new__(
        cls,
        name: str,
        key: Buffer,
        data: Buffer = b"",
        *,
        iv: Buffer = b"",
        tag_size: int | None = None,
        section: int | None = None,
        period: int | None = None,
        sboxes: Sboxes | None = None,
        meshing: bool | None = None,
    ) -> Mac: ...
    @property
    def name(self) -> str:
        """The name of the algorithm."""
        ...
    @property
    def digest_size(self) -> int:
        """Bytes of tag."""
        ...
    @property
    def block_size(self) -> int:
        """Bytes of a block."""
        ...
    def update(self, data: Buffer, /) -> None:
        """Takes the next piece of the message."""
        ...
    def digest(self) -> bytes:
        """The tag of the message so far; it may go on."""
        ...
    def hexdigest(self) -> str:
        """The same in hexadecimal digits."""
        ...
    def verify(self, tag: Buffer, /) -> None:
        """Compares the tag of the message so far with this one in constant time; raises `InvalidTag`."""
        ...
    def copy(self) -> Mac:
        """A copy that goes on by itself."""
        ...
    def __copy__(self) -> Mac: ...

@final
class Cipher:
    """A cipher under a key and an IV, in the manner of `cryptography`. It holds no message: threads may share it.

    >>> c = Cipher("kuznyechik-ctr", bytes(32), b"8 bytes!")
    >>> e, d = c.encryptor(), c.decryptor()
    >>> d.update(e.update(b"attack at dawn"))
    b'attack at dawn'
    """
    def __new__(
        cls,
        name: str,
        key: Buffer,
        iv: Buffer = b"",
        *,
        padding: str = "none",
        s: int | None = None,
        section: int | None = None,
        sboxes: Sboxes | None = None,
        meshing: bool | None = None,
    ) -> Cipher: ...
    @property
    def name(self) -> str:
        """The name of the algorithm."""
        ...
    @property
    def block_size(self) -> int:
        """Bytes of a block."""
        ...
    def encryptor(self) -> CipherContext:
        """A message to be encrypted."""
        ...
    def decryptor(self) -> CipherContext:
        """A message to be decrypted."""
        ...

@final
class CipherContext:
    """A message under a cipher, in one direction. Threads may share it: their pieces come in the order in which they take it."""
    def update(self, data: Buffer, /) -> bytes:
        """Transforms the next piece. Of ciphers in whole blocks the rest of a block comes with a later piece."""
        ...
    def update_into(self, data: Buffer, buffer: WritableBuffer, /) -> int:
        """Transforms the next piece into a buffer of at least as many bytes, which is the piece itself or does not overlap it; how
        many bytes were written. After an exception that has come in its midst, as of Ctrl-C, the message has ended.
        """
        ...
    def finalize(self) -> bytes:
        """Ends the message: the rest of the text."""
        ...
    def reset(self, iv: Buffer, /) -> None:
        """Begins a new message under the same key."""
        ...

@disjoint_base
class Aead:
    """A key of authenticated encryption, in the manner of `cryptography`: prepared once, used for any number of messages, from any
    thread. A nonce is never used twice under one key.

    >>> a = Aead("kuznyechik-mgm", bytes(32))
    >>> sealed = a.encrypt(bytes(16), b"attack at dawn", b"header")
    >>> a.decrypt(bytes(16), sealed, b"header")
    b'attack at dawn'
    """
    def __new__(cls, name: str, key: Buffer, *, tag_size: int | None = None, section: int | None = None) -> Aead: ...
    @property
    def name(self) -> str:
        """The name of the algorithm."""
        ...
    @property
    def tag_size(self) -> int:
        """Bytes of tag."""
        ...
    @property
    def nonce_size(self) -> int:
        """Bytes of nonce."""
        ...
    def encrypt(self, nonce: Buffer, data: Buffer, associated_data: Buffer | None = None) -> bytes:
        """Encrypts a message: its ciphertext, then its tag."""
        ...
    def decrypt(self, nonce: Buffer, data: Buffer, associated_data: Buffer | None = None) -> bytes:
        """Checks the tag at the end of a message and decrypts it; raises `InvalidTag`."""
        ...
    def encrypt_into(self, nonce: Buffer, data: Buffer, associated_data: Buffer | None, buffer: WritableBuffer) -> int:
        """Does as `encrypt` into a buffer of as many bytes as the text and the tag; how many. The text may be the start of that
        buffer: after an exception that has come in the midst, as of Ctrl-C, a part of it is ciphertext, and the nonce has been used.
        """
        ...
    def decrypt_into(self, nonce: Buffer, data: Buffer, associated_data: Buffer | None, buffer: WritableBuffer) -> int:
        """The same as `decrypt` into a buffer of as many bytes as the text; how many. It may be the start of the message. On an
        exception it is as it was.
        """
        ...
    def encryptor(self, nonce: Buffer, /) -> SealContext:
        """A message to be sealed in pieces."""
        ...
    def unverified_decryptor(self, nonce: Buffer, /) -> UnverifiedContext:
        """A message to be decrypted in pieces that come out BEFORE ITS TAG IS CHECKED: until `verify` of what this gives the text may
        be anything that an attacker wants.
        """
        ...

@final
class SealContext:
    """A message that is sealed in pieces. Threads may share it: their pieces come in the order in which they take it.

    >>> e = Aead("magma-mgm", bytes(32)).encryptor(bytes(8))
    >>> e.update_aad(b"header")
    >>> sealed = e.update(b"attack ") + e.update(b"at dawn") + e.finalize()
    >>> Aead("magma-mgm", bytes(32)).decrypt(bytes(8), sealed, b"header")
    b'attack at dawn'
    """
    def update_aad(self, data: Buffer, /) -> None:
        """Takes the next piece of the associated data; all of it comes before the text."""
        ...
    def update(self, data: Buffer, /) -> bytes:
        """Encrypts the next piece."""
        ...
    def update_into(self, data: Buffer, buffer: WritableBuffer, /) -> int:
        """Encrypts the next piece into a buffer, which is the piece itself or does not overlap it; how many bytes. After an exception
        that has come in its midst, as of Ctrl-C, the message has ended.
        """
        ...
    def finalize(self) -> bytes:
        """Ends the message: its tag."""
        ...

@final
class UnverifiedContext:
    """A message that is decrypted in pieces, which come out before its tag is checked."""
    def update_aad(self, data: Buffer, /) -> None:
        """Takes the next piece of the associated data; all of it comes before the text."""
        ...
    def update(self, data: Buffer, /) -> bytes:
        """Decrypts the next piece, unverified."""
        ...
    def update_into(self, data: Buffer, buffer: WritableBuffer, /) -> int:
        """Decrypts the next piece, unverified, into a buffer, which is the piece itself or does not overlap it; how many bytes. After
        an exception that has come in its midst, as of Ctrl-C, the message has ended.
        """
        ...
    def verify(self, tag: Buffer, /) -> None:
        """Ends the message and compares its tag in constant time; raises `InvalidTag`: then throw the text away."""
        ...

@final
class Key:
    """A key under an algorithm with its options, prepared once for many batches. Threads may share it."""
    def __new__(
        cls,
        name: str,
        key: Buffer,
        *,
        tag_size: int | None = None,
        s: int | None = None,
        section: int | None = None,
        period: int | None = None,
        sboxes: Sboxes | None = None,
        meshing: bool | None = None,
    ) -> Key: ...
    @property
    def name(self) -> str:
        """The name of the algorithm."""
        ...
    @property
    def tag_size(self) -> int:
        """Bytes of tag; 0 where there is none."""
        ...

def digest(name: str, data: Buffer, *, sboxes: Sboxes | None = None) -> bytes:
    """The digest of a message in one call.

    >>> digest("streebog256", b"abc").hex()[:16]
    '4e2919cf137ed41e'
    """
    ...

def mac(
    name: str,
    key: Buffer,
    data: Buffer,
    *,
    iv: Buffer = b"",
    tag_size: int | None = None,
    section: int | None = None,
    period: int | None = None,
    sboxes: Sboxes | None = None,
    meshing: bool | None = None,
) -> bytes:
    """The tag of a message in one call.

    >>> mac("hmac-streebog256", b"key", b"message").hex()[:8]
    '8300cc14'
    """
    ...

def encrypt(
    name: str,
    key: Buffer,
    data: Buffer,
    iv: Buffer = b"",
    *,
    padding: str = "none",
    s: int | None = None,
    section: int | None = None,
    sboxes: Sboxes | None = None,
    meshing: bool | None = None,
) -> bytes:
    """Encrypts a message in one call. Nothing authenticates it.

    >>> encrypt("magma-cbc", bytes(32), b"text", bytes(8), padding="pkcs7").hex()
    'cd928545ee7ad686'
    """
    ...

def decrypt(
    name: str,
    key: Buffer,
    data: Buffer,
    iv: Buffer = b"",
    *,
    padding: str = "none",
    s: int | None = None,
    section: int | None = None,
    sboxes: Sboxes | None = None,
    meshing: bool | None = None,
) -> bytes:
    """Decrypts a message in one call. Nothing authenticates it."""
    ...

def derive(
    name: str,
    key: Buffer,
    length: int | None = None,
    *,
    salt: Buffer = b"",
    label: Buffer = b"",
    seed: Buffer = b"",
    iterations: int | None = None,
    counter: int | None = None,
    masks: Masks | None = None,
    record: int | None = None,
) -> bytes:
    """Derives bytes from a key, a secret or a password. `algorithms[name].parameters` says what each knows: HKDF calls its info `seed`,
    PBKDF2 needs `salt` and `iterations`, TLSTREE `masks`. Without `length` it is that of the algorithm, of PBKDF2 that of the hash.

    >>> derive("kdf-tree", bytes(32), 64, label=b"label", seed=b"seed").hex()[:8]
    'a0e32be2'
    """
    ...

def wrap(name: str, key: Buffer, secret: Buffer, iv: Buffer, *, sboxes: Sboxes | None = None) -> bytes:
    """Wraps a secret under a key. An IV (a UKM) is never used twice under one key.

    >>> wrapped = wrap("kuznyechik-kexp15", bytes(64), b"a secret key", bytes(8))
    >>> unwrap("kuznyechik-kexp15", bytes(64), wrapped, bytes(8))
    b'a secret key'
    """
    ...

def unwrap(
    name: str,
    key: Buffer,
    wrapped: Buffer,
    iv: Buffer = b"",
    *,
    size: int | None = None,
    sboxes: Sboxes | None = None,
) -> bytes:
    """Unwraps a secret; raises `InvalidTag`. The IV of KExp15 is given; all others find it in the wrapped secret. `size`: bytes of the
    secret, where another is meant than the wrapped one's length tells.
    """
    ...

def batch(
    name: str,
    data: Iterable[Buffer],
    keys: Buffer | Key | Aead | Iterable[Buffer | Key | Aead] | None = None,
    ivs: Buffer | Iterable[Buffer] | None = None,
    *,
    associated_data: Buffer | Iterable[Buffer] | None = None,
    tags: Iterable[Buffer] | None = None,
    decrypt: bool = False,
    into: Iterable[WritableBuffer] | None = None,
    threads: int = 1,
    return_exceptions: bool = False,
    tag_size: int | None = None,
    s: int | None = None,
    section: int | None = None,
    period: int | None = None,
    sboxes: Sboxes | None = None,
    meshing: bool | None = None,
) -> list[Any]:
    """Does many messages in one call, side by side where that is faster, each under its own key.

    `data`: a list of messages. `keys`, `ivs`, `associated_data`: one for all, or a list with one for each; a key is bytes, a `Key`
    or an `Aead`. Two messages that are to be encrypted under one key and one IV are refused, both; two `Key` or `Aead` objects
    count as two keys, also if their bytes are the same. Of a hash the result is its digests, of a MAC the tags, of encryption the
    texts (with their tags), of `decrypt=True` the plaintexts. `tags`: checks those MACs instead; the result is True for each.

    `into`: writable buffers for the results of encryption and decryption, which may be the messages themselves; the result is how
    many bytes each has. Ctrl-C leaves a part of them done, and their IVs used. `threads`: on so many; 0: as many as there are processors.

    The first message that fails raises its exception; with `return_exceptions` the list has it, and the others are done.

    >>> [d.hex()[:8] for d in batch("streebog256", [b"abc", b"def"])]
    ['4e2919cf', '9c62a6cd']
    >>> texts = batch("kuznyechik-ctr", [b"one", b"two"], [bytes(32), bytes(range(32))], bytes(8))
    >>> batch("kuznyechik-ctr", texts, [bytes(32), bytes(range(32))], bytes(8), decrypt=True)
    [b'one', b'two']
    >>> batch("kuznyechik-ctr", [b"one", b"two"], bytes(32), bytes(8))
    Traceback (most recent call last):
    bulat.InvalidInput: messages 0 and 1: one IV under one key
    """
    ...

def kernels() -> dict[str, str | None]:
    """Every kernel, fastest first, and why this machine cannot run it: None where it can.

    >>> kernels()["portable"] is None
    True
    """
    ...

def picked() -> dict[tuple[str, str], str]:
    """The kernel that each kind of work of each primitive takes."""
    ...

def force(name: str | None, /) -> None:
    """Makes every object made from now on, in the whole process, use the kernels of this name where its primitive has one; None
    goes back to the choice by processor.

    >>> force("portable")
    >>> force(None)
    """
    ...

def forced() -> str | None:
    """The kernel that is forced; None when none is."""
    ...

def selftest() -> bool:
    """Runs the known answers of every algorithm on every kernel that this machine has: whether all are right."""
    ...

# `bulat.gpu`, where it is built.

def gpu_devices() -> tuple[list[Device], list[str]]:
    """The devices of this machine, and in words why a driver has none."""
    ...

@final
class Device:
    """A device. Arrays are of any package that shows them by `__cuda_array_interface__` or DLPack: CuPy, PyTorch, Numba, JAX. They
    stay where they are. They have contiguous bytes, in the memory of this device, which is one of CUDA's.

    `stream` is the number of a CUDA stream (`cupy.cuda.Stream.ptr`, `torch.cuda.Stream.cuda_stream`): the work goes there after
    what is in it, and a call may return before it is done; keep the arrays until then. Without it the work goes to the stream
    that an array names, or to the default one, and a call returns when it is done.
    """
    @property
    def name(self) -> str:
        """Its name; of devices of one name, with a number."""
        ...
    @property
    def driver(self) -> str:
        """`cuda` or `opencl`."""
        ...
    @property
    def version(self) -> str:
        """Its driver's or its own version."""
        ...
    @property
    def memory(self) -> int:
        """Bytes of its memory."""
        ...
    @property
    def processor(self) -> bool:
        """Whether it is a processor, which has nothing to gain from being a device."""
        ...
    @property
    def lost(self) -> str | None:
        """Why it is left out, or None."""
        ...
    def selftest(self) -> None:
        """Runs known data through every kernel; without it each is tested at its first use."""
        ...
    def encrypt(
        self,
        name: str,
        key: Buffer,
        iv: Buffer,
        array: DeviceArray,
        out: DeviceArray | None = None,
        *,
        stream: int | None = None,
        section: int | None = None,
        sboxes: Sboxes | None = None,
        meshing: bool | None = None,
    ) -> None:
        """Encrypts an array, in place or into `out`, another array of as many bytes, without authentication.

        Modes whose blocks are independent: ECB, CTR, CTR-ACPKM, CNT without key meshing.
        """
        ...
    def decrypt(
        self,
        name: str,
        key: Buffer,
        iv: Buffer,
        array: DeviceArray,
        out: DeviceArray | None = None,
        *,
        stream: int | None = None,
        section: int | None = None,
        sboxes: Sboxes | None = None,
        meshing: bool | None = None,
    ) -> None:
        """Decrypts an array, as `encrypt` encrypts; CBC and CFB, too, into another array."""
        ...
    def hash(self, name: str, rows: DeviceArray, *, stream: int | None = None) -> list[bytes]:
        """Streebog of each row of an array of two dimensions; one dimension is one row. Rows of a multiple of 4 bytes."""
        ...
    def mac(
        self,
        name: str,
        keys: Buffer | Iterable[Buffer],
        rows: DeviceArray,
        *,
        stream: int | None = None,
        tag_size: int | None = None,
        sboxes: Sboxes | None = None,
        meshing: bool | None = None,
    ) -> list[bytes]:
        """A MAC of each row: HMAC-Streebog (rows of a multiple of 4 bytes), OMAC, IMIT without key meshing (rows of whole blocks).
        `keys` is one for all rows, or a list with one for each.
        """
        ...

@final
class Engine:
    """Processor and devices together, for batches of the host's data: with the results of `bulat.batch`, whatever becomes of a
    device. Without `devices` over all that there are; `cpu=False` leaves the processor what no device does. Lists of one sort
    with fewer than `least` bytes are the processor's. An engine works in the process that made it.
    """
    def __new__(cls, devices: list[Device] | None = None, *, cpu: bool = True, least: int | None = None) -> Engine: ...
    @property
    def devices(self) -> list[Device]:
        """The devices."""
        ...
    @property
    def bytes(self) -> dict[str, int]:
        """Bytes that each device did, by name, and `cpu`, in all batches."""
        ...
    def batch(
        self,
        name: str,
        data: Iterable[Buffer],
        keys: Buffer | Key | Aead | Iterable[Buffer | Key | Aead] | None = None,
        ivs: Buffer | Iterable[Buffer] | None = None,
        *,
        associated_data: Buffer | Iterable[Buffer] | None = None,
        tags: Iterable[Buffer] | None = None,
        decrypt: bool = False,
        into: Iterable[WritableBuffer] | None = None,
        return_exceptions: bool = False,
        tag_size: int | None = None,
        s: int | None = None,
        section: int | None = None,
        period: int | None = None,
        sboxes: Sboxes | None = None,
        meshing: bool | None = None,
    ) -> list[Any]:
        """As `bulat.batch`. A device that fails or hangs is left out with a `RuntimeWarning`; others do what it had."""
        ...

# The raw ends of `bulat.container`.

@final
class FilePassword:
    """The password in a file. The keys that it leads to are kept for the process, so that a container costs PBKDF2 once."""
    def __new__(cls, path: str | os.PathLike[str]) -> FilePassword: ...

@final
class RawReader:
    """The plaintext of a container, to be read at any place: the raw end of the file object that `bulat.container.open` gives."""
    def __new__(
        cls,
        file: ReadFile,
        key: Buffer | None,
        password: Password | FilePassword | None,
        max_iterations: int,
    ) -> RawReader: ...
    def readinto(self, buffer: WritableBuffer) -> int:
        """Reads on into the buffer, no further than the end of a chunk; how many bytes."""
        ...
    def readall(self) -> bytes:
        """Reads all that follows."""
        ...
    def size(self) -> int:
        """Bytes of plaintext; the last chunk is verified first."""
        ...
    def tell(self) -> int:
        """Where it stands."""
        ...
    def seek(self, offset: int, whence: int) -> int:
        """Goes to another place, from the start, from here or from the end; where that is."""
        ...
    def close(self) -> None:
        """Lets go of the file and of the keys."""
        ...

@final
class RawWriter:
    """A container being written: the raw end of the file object that `bulat.container.open` gives."""
    def __new__(
        cls,
        file: WriteFile,
        key: Buffer | None,
        password: Password | FilePassword | None,
        cipher: str,
        chunk: int,
        iterations: int | None,
        replace: bool,
    ) -> RawWriter: ...
    def write(self, data: Buffer) -> int:
        """Takes the next piece of text; how many bytes."""
        ...
    def tell(self) -> int:
        """Bytes of text so far."""
        ...
    def finish(self) -> None:
        """Writes the last chunk, and gives the file its name."""
        ...
    def discard(self) -> None:
        """Throws away what was written; of a file object, what it has taken stays there and is no container."""
        ...

def container_encrypt(
    source: ReadFile,
    destination: WriteFile,
    key: Buffer | None,
    password: Password | FilePassword | None,
    cipher: str,
    chunk: int,
    iterations: int | None,
    threads: int | None,
    replace: bool,
) -> int:
    """Encrypts a file; bytes of plaintext."""
    ...

def container_decrypt(
    source: ReadFile,
    destination: WriteFile,
    key: Buffer | None,
    password: Password | FilePassword | None,
    max_iterations: int,
    threads: int | None,
    replace: bool,
) -> int:
    """Decrypts a file; bytes of plaintext."""
    ...

def container_info(file: ReadFile) -> Info:
    """What the header of a container says. Nothing of it is authenticated: only the key can do that."""
    ...

def container_read_key(path: str | os.PathLike[str]) -> bytes:
    """The key of a key file: its bytes, or hexadecimal digits."""
    ...

def container_forget() -> None:
    """Wipes the keys that passwords of files led to."""
    ...
