"""Times Streebog's kernel alone, for messages of several lengths in a card's memory: needs CuPy.

    cargo run -p bulat-gpu --example texts -- FOLDER
    nvcc -cubin -arch=sm_90 -o streebog.cubin FOLDER/streebog.cu
    python3 crates/gpu/examples/streebog.py streebog.cubin

Kernels take the same time for any data, so the constants are left zero and the digests are wrong: the tests check those.
"""

import sys

import cupy
import numpy

THREADS = 64  # of a group, as in the text

constants = cupy.zeros(1 << 16, cupy.uint8)
text = cupy.random.randint(0, 1 << 31, 256 << 20, cupy.int32).view(cupy.uint8)
kernel = cupy.RawModule(path=sys.argv[1]).get_function("streebog_hash")
word = numpy.uint32
for count, size in ((202752, 4096), (811008, 1024), (4055040, 32)):
    at, lengths = cupy.arange(count, dtype=cupy.uint64) * size, cupy.full(count, size, cupy.uint64)
    threads = -(-(-(-count // 32) * 16) // THREADS) * THREADS
    sums, states = cupy.zeros(count * 16, cupy.uint32), cupy.zeros(count * 16, cupy.uint32)
    scratch = cupy.zeros(threads * 64, cupy.uint32)
    arguments = (constants, text, at, lengths, at, word(0), word(count), word(0), word(1), sums, scratch, states)
    times = []
    for _ in range(5):
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        begin.record()
        kernel((threads // THREADS,), (THREADS,), arguments)
        end.record()
        end.synchronize()
        times.append(cupy.cuda.get_elapsed_time(begin, end))
    rate = count / min(times) / 1e6
    steps = rate * (size // 64 + 3) * 64
    print(f"{count} messages of {size} bytes: {rate * size:.1f} GB/s, {steps:.1f} GB/s of steps, {rate * 1000:.1f} million a second")
