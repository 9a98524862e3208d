#!/usr/bin/env bash
# mcap: a Writer over an unbuffered file loses the end of the recording: finish() leaves it in a buffer that nobody can reach.
#
# Package: mcap 1.6.0 (PyPI), Python 3.11; seen on 2026-11-30.
# Input: 20,000 messages without compression, written to open(path, "wb", buffering=0) and open(path, "wb"), each in a `with` block.
# Behaviour: a stream that is an io.RawIOBase gets an io.BufferedWriter of the library's own. finish() writes the summary, the footer and the
#   magic number into it, and neither flushes nor closes it. When the `with` block ends, the file is closed below it, and the rest of the buffer
#   is dropped without an error. The file then lacks its last bytes, and the library's own reader refuses it. flush() after finish() helps, as
#   does a stream that is not raw.
#
# Output seen:
#   buffered: 20000 messages
#   unbuffered: refused, RecordLengthLimitExceeded, 504 bytes shorter
#   unbuffered, flush() after finish(): 20000 messages
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the package cannot be had.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip --quiet --disable-pip-version-check install mcap==1.6.0 >pip.log 2>&1 || { tail -2 pip.log; exit 2; }
cat >try.py <<'PY'
import os, sys
from mcap.reader import make_reader
from mcap.writer import CompressionType, Writer

def written(name, buffering, flush):
    with open(name, "wb", buffering=buffering) as file:
        writer = Writer(file, compression=CompressionType.NONE)
        writer.start()
        schema = writer.register_schema("s", "jsonschema", b"{}")
        channel = writer.register_channel("/t", "json", schema)
        for i in range(20_000):
            writer.add_message(channel, i, b"x" * (i % 97), i)
        writer.finish()
        if flush:
            writer.flush()

def read(name):
    with open(name, "rb") as file:
        try:
            return f"{make_reader(file).get_summary().statistics.message_count} messages"
        except Exception as error:
            return f"refused, {type(error).__name__}"

written("buffered", -1, False)
written("raw", 0, False)
written("flushed", 0, True)
said = [read(name) for name in ("buffered", "raw", "flushed")]
lost = os.path.getsize("buffered") - os.path.getsize("raw")
print(f"buffered: {said[0]}\nunbuffered: {said[1]}, {lost} bytes shorter\nunbuffered, flush() after finish(): {said[2]}")
sys.exit(not (said[0] == said[2] == "20000 messages" and said[1].startswith("refused") and lost > 0))
PY
venv/bin/python try.py
