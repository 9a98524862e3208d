"""Objects shared by threads, and buffers that change during a call: no crash, and right answers where they are defined."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context

import bulat

K = bytes(32)


def at_once(n: int, work: Callable[[int], object]) -> None:
    with ThreadPoolExecutor(n) as pool:
        list(pool.map(work, range(n)))


def test_one_hash_from_many_threads() -> None:
    h, m = bulat.streebog256(), bulat.Mac("magma-omac", K)

    def work(_: int) -> None:
        for size in (1, 100, 3000, 10, 5000):
            h.update(bytes(size))
            m.update(bytes(size))
            h.copy().digest()
            m.digest()

    at_once(8, work)
    assert h.digest() == bulat.digest("streebog256", bytes(8 * 8111))
    assert m.digest() == bulat.mac("magma-omac", K, bytes(8 * 8111))


def test_one_cipher_from_many_threads() -> None:
    aead = bulat.KuznyechikMGM(K)
    cipher = bulat.Cipher("kuznyechik-ctr", K, bytes(8))
    sealed = [aead.encrypt(i.to_bytes(16, "big"), bytes(5000)) for i in range(8)]
    stream = cipher.encryptor().update(bytes(8 * 5000))
    context, taken = cipher.encryptor(), []

    def work(i: int) -> None:
        assert aead.encrypt(i.to_bytes(16, "big"), bytes(5000)) == sealed[i]
        assert aead.decrypt(i.to_bytes(16, "big"), sealed[i]) == bytes(5000)
        taken.append(context.update(bytes(5000)))

    at_once(8, work)
    assert sorted(taken) == sorted(stream[i : i + 5000] for i in range(0, 40000, 5000))


def test_a_buffer_that_changes_under_the_call() -> None:
    memory, over = bytearray(1 << 16), threading.Event()

    def scribble() -> None:
        i = 0
        while not over.is_set():
            memory[i % len(memory)] = i & 0xFF
            i += 4099
            if i % 64 == 0:
                time.sleep(0)

    writer = threading.Thread(target=scribble)
    writer.start()
    try:
        aead, context = bulat.KuznyechikMGM(K), bulat.Cipher("magma-ctr", K, bytes(4)).encryptor()
        out = bytearray(len(memory) + 16)
        for _ in range(10):
            assert len(bulat.streebog512(memory).digest()) == 64
            assert len(aead.encrypt(bytes(16), memory)) == len(memory) + 16
            aead.encrypt_into(bytes(16), memory, None, out)
            context.update_into(memory, memory)
            bulat.batch("streebog256", [memory] * 4, threads=2)
    finally:
        over.set()
        writer.join()


def test_the_lock_is_released() -> None:
    """While one thread hashes, another runs: it counts far beyond the effect of switching before and after the call."""
    data, counted, over = bytes(1 << 28), 0, threading.Event()

    def count() -> None:
        nonlocal counted
        while not over.is_set():
            counted += 1
            time.sleep(0.0005)

    counter = threading.Thread(target=count)
    counter.start()
    before = counted
    bulat.streebog512(data)
    after = counted
    over.set()
    counter.join()
    assert after - before > 3


def in_child(_: int) -> list[bytes]:
    return bulat.batch("streebog256", [bytes(5000)] * 4, threads=2)


def test_after_a_fork() -> None:
    """A batch starts its own threads: so does a child forked later."""
    want = in_child(0)
    with get_context("fork").Pool(2) as pool:
        assert pool.map(in_child, range(2)) == [want, want]
