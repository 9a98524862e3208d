"""The compiled half of the package."""

import os
from collections.abc import Iterable
from typing import Any, Literal, final

from typing_extensions import disjoint_base

from ._types import Buffer, DeviceArray, Info, Masks, Password, ReadFile, Sboxes, WritableBuffer, WriteFile

__all__ = [
    "CHUNK",
    "MAX_ITERATIONS",
    "MAX_MEMORY",
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
    "pem_blocks",
    "pem_encode",
    "pem_one",
    "picked",
    "pkcs8_decrypt",
    "pkcs8_encrypt",
    "pkcs8_info",
    "pkcs12_open",
    "pkcs12_seal",
    "pkcs_certificate",
    "pkcs_key",
    "selftest",
    "unwrap",
    "wrap",
]

__version__: str
algorithms: dict[str, Algorithm]
MAX_ITERATIONS: int
MAX_MEMORY: int
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
        """The kind: hash, mac, cipher, aead, kdf or wrap."""
        ...
    @property
    def key_size(self) -> int:
        """The length of a key in bytes; 0: no key, or any length."""
        ...
    @property
    def iv_size(self) -> int:
        """The length of the usual IV or nonce in bytes; 0: none."""
        ...
    @property
    def iv_sizes(self) -> range:
        """The lengths that an IV may have, in bytes."""
        ...
    @property
    def tag_sizes(self) -> range:
        """The lengths that a tag may have, in bytes; empty: no tag."""
        ...
    @property
    def block_size(self) -> int:
        """The length of a block in bytes."""
        ...
    @property
    def output_size(self) -> int:
        """The length in bytes of a digest, of the usual tag, of the derived key or of the wrapped secret; 0: any length, or none."""
        ...
    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of its rarer parameters."""
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
    """A message being hashed, as in `hashlib`. Threads may share it.

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
        """The length of the digest in bytes."""
        ...
    @property
    def block_size(self) -> int:
        """The length of a block in bytes."""
        ...
    def update(self, data: Buffer, /) -> None:
        """Adds the next piece of the message."""
        ...
    def digest(self) -> bytes:
        """Returns the digest of the message so far. The message may continue."""
        ...
    def hexdigest(self) -> str:
        """Returns the digest of the message so far in hexadecimal digits."""
        ...
    def copy(self) -> Hash:
        """Returns an independent copy."""
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
        """The length of the tag in bytes."""
        ...
    @property
    def block_size(self) -> int:
        """The length of a block in bytes."""
        ...
    def update(self, data: Buffer, /) -> None:
        """Adds the next piece of the message."""
        ...
    def digest(self) -> bytes:
        """Returns the tag of the message so far. The message may continue."""
        ...
    def hexdigest(self) -> str:
        """Returns the tag of the message so far in hexadecimal digits."""
        ...
    def verify(self, tag: Buffer, /) -> None:
        """Compares the tag of the message so far with this one in constant time. Raises `InvalidTag` if they differ."""
        ...
    def copy(self) -> Mac:
        """Returns an independent copy."""
        ...
    def __copy__(self) -> Mac: ...

@final
class Cipher:
    """A cipher under a key and an IV, as in `cryptography`. It holds no message, so threads may share it.

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
        """The length of a block in bytes."""
        ...
    def encryptor(self) -> CipherContext:
        """Begins a message to encrypt."""
        ...
    def decryptor(self) -> CipherContext:
        """Begins a message to decrypt."""
        ...

@final
class CipherContext:
    """A message under a cipher, in one direction. Threads may share it; pieces are processed in the order of their calls."""
    def update(self, data: Buffer, /) -> bytes:
        """Transforms the next piece. If the cipher works on whole blocks, a partial block comes out with a later piece."""
        ...
    def update_into(self, data: Buffer, buffer: WritableBuffer, /) -> int:
        """Transforms the next piece into a buffer of at least its length, which is the piece itself or does not overlap it. Returns
        the number of bytes written. An exception in mid-call, such as that of Ctrl-C, ends the message.
        """
        ...
    def finalize(self) -> bytes:
        """Ends the message. Returns the rest of the text."""
        ...
    def reset(self, iv: Buffer, /) -> None:
        """Begins a new message under this key."""
        ...

@disjoint_base
class Aead:
    """A key of authenticated encryption, as in `cryptography`: prepared once, for any number of messages, from any thread. A nonce
    must never repeat under one key.

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
        """The length of a tag in bytes."""
        ...
    @property
    def nonce_size(self) -> int:
        """The length of a nonce in bytes."""
        ...
    def encrypt(self, nonce: Buffer, data: Buffer, associated_data: Buffer | None = None) -> bytes:
        """Encrypts a message. Returns its ciphertext, then its tag."""
        ...
    def decrypt(self, nonce: Buffer, data: Buffer, associated_data: Buffer | None = None) -> bytes:
        """Checks the tag at the end of a message and decrypts it; raises `InvalidTag`."""
        ...
    def encrypt_into(self, nonce: Buffer, data: Buffer, associated_data: Buffer | None, buffer: WritableBuffer) -> int:
        """Encrypts a message into a buffer of the length of text and tag. Returns that length. The text may be the start of the
        buffer. After an exception in mid-call, such as that of Ctrl-C, a part of it is ciphertext, and the nonce is used.
        """
        ...
    def decrypt_into(self, nonce: Buffer, data: Buffer, associated_data: Buffer | None, buffer: WritableBuffer) -> int:
        """Decrypts a message into a buffer of the length of the text. Returns that length. The buffer may be the start of the
        message. An exception leaves it unchanged.
        """
        ...
    def encryptor(self, nonce: Buffer, /) -> SealContext:
        """Begins a message to seal in pieces."""
        ...
    def unverified_decryptor(self, nonce: Buffer, /) -> UnverifiedContext:
        """Begins a message to decrypt in pieces that come out BEFORE ITS TAG IS CHECKED. Until `verify` of the result returns, the
        text may be anything that an attacker wants.
        """
        ...

@final
class SealContext:
    """A message that is sealed in pieces. Threads may share it; pieces are processed in the order of their calls.

    >>> e = Aead("magma-mgm", bytes(32)).encryptor(bytes(8))
    >>> e.update_aad(b"header")
    >>> sealed = e.update(b"attack ") + e.update(b"at dawn") + e.finalize()
    >>> Aead("magma-mgm", bytes(32)).decrypt(bytes(8), sealed, b"header")
    b'attack at dawn'
    """
    def update_aad(self, data: Buffer, /) -> None:
        """Adds the next piece of the associated data. All of it comes before the text."""
        ...
    def update(self, data: Buffer, /) -> bytes:
        """Encrypts the next piece."""
        ...
    def update_into(self, data: Buffer, buffer: WritableBuffer, /) -> int:
        """Encrypts the next piece into a buffer, which is the piece itself or does not overlap it. Returns the number of bytes. An
        exception in mid-call, such as that of Ctrl-C, ends the message.
        """
        ...
    def finalize(self) -> bytes:
        """Ends the message. Returns its tag."""
        ...

@final
class UnverifiedContext:
    """A message that is decrypted in pieces, which come out before its tag is checked."""
    def update_aad(self, data: Buffer, /) -> None:
        """Adds the next piece of the associated data. All of it comes before the text."""
        ...
    def update(self, data: Buffer, /) -> bytes:
        """Decrypts the next piece, unverified."""
        ...
    def update_into(self, data: Buffer, buffer: WritableBuffer, /) -> int:
        """Decrypts the next piece, unverified, into a buffer, which is the piece itself or does not overlap it. Returns the number of
        bytes. An exception in mid-call, such as that of Ctrl-C, ends the message.
        """
        ...
    def verify(self, tag: Buffer, /) -> None:
        """Ends the message and compares its tag in constant time. Raises `InvalidTag`: then discard the text."""
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
        """The length of a tag in bytes; 0: none."""
        ...

def digest(name: str, data: Buffer, *, sboxes: Sboxes | None = None) -> bytes:
    """Hashes a message in one call.

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
    """Computes the tag of a message in one call.

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
    """Derives bytes from a key, a secret or a password. `algorithms[name].parameters` lists the parameters: HKDF's info is `seed`,
    PBKDF2 needs `salt` and `iterations`, TLSTREE `masks`. `length` defaults to the algorithm's, for PBKDF2 to the hash's.

    >>> derive("kdf-tree", bytes(32), 64, label=b"label", seed=b"seed").hex()[:8]
    'a0e32be2'
    """
    ...

def wrap(name: str, key: Buffer, secret: Buffer, iv: Buffer, *, sboxes: Sboxes | None = None) -> bytes:
    """Wraps a secret under a key. An IV (a UKM) must never repeat under one key.

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
    """Unwraps a secret; raises `InvalidTag`. KExp15 needs the IV; other algorithms find it in the wrapped secret. `size`: the length
    of the secret, if the wrapped length does not determine it.
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
    """Processes many messages in one call, side by side if that is faster, each under its own key.

    `data`: a list of messages. `keys`, `ivs`, `associated_data`: one for all, or a list with one for each; a key is bytes, a `Key`
    or an `Aead`. Two messages to encrypt under one key and one IV are both refused; two `Key` or `Aead` objects count as two keys,
    even if their bytes are equal. Returns the digests of a hash, the tags of a MAC, the texts of encryption (with their tags), or the
    plaintexts with `decrypt=True`. `tags`: checks these MACs, and returns True for each.

    `into`: writable buffers for the results of encryption and decryption, which may be the messages themselves; returns the
    lengths of the results. Ctrl-C leaves some of them done, and their IVs used. `threads`: the number of threads; 0: one for each
    processor.

    The first message that fails raises its exception. With `return_exceptions` the list contains it, and the other messages are done.

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
    """Returns every kernel, the fastest first, and the reason that this machine cannot run it, or None.

    >>> kernels()["portable"] is None
    True
    """
    ...

def picked() -> dict[tuple[str, str], str]:
    """Returns the kernel that each kind of work of each primitive uses."""
    ...

def force(name: str | None, /) -> None:
    """Makes later objects of the whole process use the kernel of this name, if their primitive has one. None restores the choice
    by processor.

    >>> force("portable")
    >>> force(None)
    """
    ...

def forced() -> str | None:
    """Returns the forced kernel, or None."""
    ...

def selftest() -> bool:
    """Runs the known answers of every algorithm on every kernel of this machine. Returns whether all are right."""
    ...

# `bulat.gpu`, where it is built.

def gpu_devices() -> tuple[list[Device], list[str]]:
    """Returns the devices of this machine, and for a driver without devices the reason."""
    ...

@final
class Device:
    """A device. It accepts arrays of any package with `__cuda_array_interface__` or DLPack: CuPy, PyTorch, Numba, JAX. Arrays are
    not copied. Their bytes must be contiguous, in the memory of this device, which must be a CUDA device.

    `stream` is the number of a CUDA stream (`cupy.cuda.Stream.ptr`, `torch.cuda.Stream.cuda_stream`). The work is queued there, and
    a call may return before it is done: keep the arrays until then. Without `stream` the work uses the array's stream, or the
    default one, and a call returns when it is done.
    """
    @property
    def name(self) -> str:
        """Its name, with a number if several devices share it."""
        ...
    @property
    def driver(self) -> str:
        """`cuda` or `opencl`."""
        ...
    @property
    def version(self) -> str:
        """The version of its driver, or its own."""
        ...
    @property
    def memory(self) -> int:
        """The size of its memory in bytes."""
        ...
    @property
    def processor(self) -> bool:
        """True for a processor, which is not faster as a device."""
        ...
    @property
    def lost(self) -> str | None:
        """The reason that it is not used, or None."""
        ...
    def selftest(self) -> None:
        """Tests every kernel with known data. Otherwise each is tested at its first use."""
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
        """Encrypts an array, in place or into `out`, another array of equal length, without authentication.

        Modes with independent blocks: ECB, CTR, CTR-ACPKM, CNT without key meshing.
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
        """Decrypts an array, with the modes of `encrypt`, and CBC and CFB into another array."""
        ...
    def hash(self, name: str, rows: DeviceArray, *, stream: int | None = None) -> list[bytes]:
        """Hashes each row of an array of two dimensions with Streebog; one dimension is one row. A row has a multiple of 4 bytes."""
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
        """Computes a MAC of each row: HMAC-Streebog (rows of a multiple of 4 bytes), OMAC, IMIT without key meshing (rows of whole
        blocks). `keys` is one key for all rows, or a list with one for each.
        """
        ...

@final
class Engine:
    """Processor and devices together, for batches of the host's data, with the results of `bulat.batch` even if a device fails.
    `devices` defaults to all devices. With `cpu=False` the processor does only work without a device. Groups of messages of one
    kind with fewer than `least` bytes run on the processor. An engine works only in the process that made it.
    """
    def __new__(cls, devices: list[Device] | None = None, *, cpu: bool = True, least: int | None = None) -> Engine: ...
    @property
    def devices(self) -> list[Device]:
        """The devices."""
        ...
    @property
    def bytes(self) -> dict[str, int]:
        """The bytes that each device, by name, and `cpu` have processed in all batches."""
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
        """Processes messages as `bulat.batch` does. A device that fails or hangs is no longer used, with a `RuntimeWarning`; others repeat
        its work.
        """
        ...

# The raw ends of `bulat.container`.

@final
class FilePassword:
    """The password in a file. The process caches the keys derived from it, so that a container costs its derivation once."""
    def __new__(cls, path: str | os.PathLike[str]) -> FilePassword: ...

@final
class RawReader:
    """The plaintext of a container, readable at any offset: the raw layer of the file object of `bulat.container.open`."""
    def __new__(
        cls,
        file: ReadFile,
        key: Buffer | None,
        password: Password | FilePassword | None,
        accepted: tuple[int, int, bool],
    ) -> RawReader: ...
    def readinto(self, buffer: WritableBuffer) -> int:
        """Reads into the buffer, at most to the end of a chunk. Returns the number of bytes."""
        ...
    def readall(self) -> bytes:
        """Reads the rest."""
        ...
    def size(self) -> int:
        """Returns the length of the plaintext, after it has verified the last chunk."""
        ...
    def tell(self) -> int:
        """Returns the position."""
        ...
    def seek(self, offset: int, whence: int) -> int:
        """Moves relative to the start, the position or the end. Returns the new position."""
        ...
    def close(self) -> None:
        """Releases the file and the keys."""
        ...

@final
class RawWriter:
    """A container being written: the raw layer of the file object of `bulat.container.open`."""
    def __new__(
        cls,
        file: WriteFile,
        key: Buffer | None,
        password: Password | FilePassword | None,
        cipher: str,
        chunk: int,
        asked: tuple[str | None, int | None, int | None, int | None],
        bind_name: bool,
        replace: bool,
    ) -> RawWriter: ...
    def write(self, data: Buffer) -> int:
        """Encrypts the next piece of text. Returns the number of bytes."""
        ...
    def tell(self) -> int:
        """Returns the length of the text so far."""
        ...
    def finish(self) -> None:
        """Writes the last chunk, and gives the file its name."""
        ...
    def discard(self) -> None:
        """Discards the output. A file object keeps the bytes that it got, which are no container."""
        ...

def container_encrypt(
    source: ReadFile,
    destination: WriteFile,
    key: Buffer | None,
    password: Password | FilePassword | None,
    cipher: str,
    chunk: int,
    asked: tuple[str | None, int | None, int | None, int | None],
    bind_name: bool,
    threads: int | None,
    replace: bool,
) -> int:
    """Encrypts a file. Returns the length of the plaintext."""
    ...

def container_decrypt(
    source: ReadFile,
    destination: WriteFile,
    key: Buffer | None,
    password: Password | FilePassword | None,
    accepted: tuple[int, int, bool],
    threads: int | None,
    replace: bool,
) -> int:
    """Decrypts a file. Returns the length of the plaintext."""
    ...

def container_info(file: ReadFile) -> Info:
    """The fields of a container's header. They are not authenticated: that needs the key."""
    ...

def container_read_key(path: str | os.PathLike[str]) -> bytes:
    """Reads the key in a key file: its bytes, or hexadecimal digits."""
    ...

def container_forget() -> None:
    """Wipes the cached keys."""
    ...

# The functions below `bulat.pkcs`.

def pkcs_key(der: Buffer) -> tuple[str, str]:
    """Checks a PrivateKeyInfo. Returns the object identifier of its algorithm, and its name."""
    ...

def pkcs_certificate(der: Buffer) -> None:
    """Checks the outer form of a certificate."""
    ...

def pem_one(data: Buffer, label: str) -> bytes:
    """Returns the DER in a PEM file's only block of this label, or DER as it is."""
    ...

def pem_blocks(data: Buffer) -> list[tuple[str, bytes]]:
    """Returns the blocks of a PEM file: their labels and their DER."""
    ...

def pem_encode(label: str, der: Buffer) -> bytes:
    """Encodes DER as PEM."""
    ...

def pkcs8_encrypt(key: Buffer, password: Password, cipher: str, iterations: int | None) -> bytes:
    """Encrypts a PrivateKeyInfo."""
    ...

def pkcs8_decrypt(sealed: Buffer, password: Password, max_iterations: int) -> bytes:
    """Decrypts an EncryptedPrivateKeyInfo."""
    ...

def pkcs8_info(sealed: Buffer) -> tuple[str, str, int]:
    """Returns the encryption of an EncryptedPrivateKeyInfo, which is not authenticated."""
    ...

def pkcs12_open(
    file: Buffer, password: Password, require_mac: bool, max_iterations: int
) -> tuple[str | None, list[tuple[Literal["key", "certificate", "other"], bytes, str | None, str | None, bytes | None]]]:
    """Opens a PFX. Returns the hash of its MAC, or None, and its items."""
    ...

def pkcs12_seal(
    items: list[tuple[str, Buffer, str | None, bytes | None]], password: Password, cipher: str, iterations: int | None
) -> bytes:
    """Encrypts items: "key" or "certificate", the DER, the name, the ID. Returns a PFX."""
    ...
