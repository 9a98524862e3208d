"""Writes docs/CLUSTER.md and docs/cluster.svg: runs the cells of encrypted_data.py, then measures.

python bindings/python/examples/page.py             # the page and the plot; needs some minutes
python bindings/python/examples/page.py --cells     # the page; keeps the plot
python bindings/python/examples/page.py --check     # fails if the page lacks cells of the script; runs nothing
"""

from __future__ import annotations

import argparse
import contextlib
import io
import logging
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DOCS = HERE.parents[2] / "docs"
HEAD = """# Encrypted data, and clusters

<!-- Made by bindings/python/examples/page.py: change the cells in bindings/python/examples/encrypted_data.py. -->
"""
MB = 1_000_000
SIZES = {"4 KB": 4_000, "64 KB": 64_000, "1 MB": MB, "10 MB": 10 * MB, "100 MB": 100 * MB}


def cells() -> list[tuple[bool, str]]:
    """Returns the cells: whether each is text, and its content."""
    out = []
    for part in re.split(r"^# %%", (HERE / "encrypted_data.py").read_text(), flags=re.MULTILINE)[1:]:
        head, _, body = part.partition("\n")
        if "markdown" in head:
            body = re.sub(r"^# ?", "", body, flags=re.MULTILINE)
        out.append(("markdown" in head, body.strip()))
    return out


def run() -> str:
    """Returns the page: each cell and its output."""
    names: dict[str, Any] = {"__name__": "cells"}
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    page = [HEAD]
    for text, body in cells():
        if text:
            page.append(f"{body}\n")
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(body, "encrypted_data.py", "exec"), names)
        page.append(f"```python\n{body}\n```\n")
        if printed.getvalue():
            page.append(f"```text\n{printed.getvalue()}```\n")
    shutil.rmtree(names["folder"])
    return "\n".join(page)


def source(page: str) -> str:
    """Returns a page without output and without the part on speed."""
    page = page.partition("\n## Throughput")[0]
    return re.sub(r"```text\n.*?```\n", "", page, flags=re.DOTALL).replace("\n\n\n", "\n\n").strip()


def expected() -> str:
    return source("\n".join([HEAD, *(f"{body}\n" if text else f"```python\n{body}\n```\n" for text, body in cells())]))


def measure(place: str, rounds: int = 3, total: int = 400 * MB) -> dict[str, list[float]]:
    """Returns MB/s of one and of two workers, for `total` bytes of objects of each size (20 MB of the smallest)."""
    from bulat import cluster, container

    lines: dict[str, list[float]] = {}
    folder = Path(tempfile.mkdtemp(prefix="bulat-page-", dir=place))
    key_file, sealed, sums = folder / "key", folder / "sealed", str(folder / "sums")
    key_file.write_text(container.new_key().hex() + "\n")
    key_file.chmod(0o600)
    try:
        with contextlib.ExitStack() as stack:
            clients = {n: stack.enter_context(cluster._connected(None, n)) for n in (1, 2)}
            for size in SIZES.values():
                data, bytes_ = folder / "data", min(total, 5000 * size)
                data.mkdir()
                pool = os.urandom(size + 5000)
                for i in range(bytes_ // size):
                    (data / f"{i:05}").write_bytes(memoryview(pool)[i % 5000 :][:size])
                for operation in ("hash", "encrypt"):
                    times: dict[int, list[float]] = {1: [], 2: []}
                    for _ in range(rounds):
                        for n, client in clients.items():
                            shutil.rmtree(sealed, ignore_errors=True)
                            begun = time.perf_counter()
                            if operation == "hash":
                                cluster.hash(str(data), sums, client=client)
                            else:
                                cluster.encrypt(str(data), str(sealed), key_file=str(key_file), client=client)
                            times[n].append(time.perf_counter() - begun)
                    for n, each in times.items():
                        name = f"{operation}, {n} worker" + "s" * (n > 1)
                        lines.setdefault(name, []).append(bytes_ // size * size / MB / statistics.median(each))
                shutil.rmtree(data)
    finally:
        shutil.rmtree(folder)
    return lines


def plot(lines: dict[str, list[float]]) -> str:
    """Draws the lines as SVG: sizes to the right, MB/s upwards, both logarithmic."""
    width, height, left, bottom = 640, 360, 60, 40
    top = max(max(line) for line in lines.values())
    low = min(min(line) for line in lines.values())
    marks = [m for m in (1, 3, 10, 30, 100, 300, 1000, 3000, 10000, 30000) if low / 3.4 < m < 3.4 * top]

    def x(i: int) -> float:
        return left + 20 + i * (width - left - 190) / (len(SIZES) - 1)

    def y(value: float) -> float:
        part = math.log(value / marks[0]) / math.log(marks[-1] / marks[0])
        return height - bottom - part * (height - bottom - 20)

    colours = ["#7fb3d5", "#1f618d", "#f0b27a", "#af601a"]
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        "<title>Throughput of bulat.cluster by the size of objects and by workers</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for mark in marks:
        out.append(f'<path d="M{left} {y(mark):.1f}H{width - 150}" stroke="#ddd"/>')
        out.append(f'<text x="{left - 8}" y="{y(mark) + 4:.1f}" text-anchor="end">{mark}</text>')
    for i, size in enumerate(SIZES):
        out.append(f'<text x="{x(i):.1f}" y="{height - bottom + 20}" text-anchor="middle">{size}</text>')
    out.append(f'<text x="{left - 40}" y="14">MB/s</text>')
    for n, (name, line) in enumerate(lines.items()):
        points = " ".join(f"{x(i):.1f},{y(value):.1f}" for i, value in enumerate(line))
        colour = colours[n % len(colours)]
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{x(i):.1f}" cy="{y(value):.1f}" r="3" fill="{colour}"/>' for i, value in enumerate(line)]
        at = 40 + 20 * n
        out.append(f'<path d="M{width - 140} {at}h20" stroke="{colour}" stroke-width="2"/>')
        out.append(f'<text x="{width - 114}" y="{at + 4}">{name}</text>')
    return "\n".join([*out, "</svg>", ""])


def speed(lines: dict[str, list[float]]) -> str:
    """Returns the last part of the page."""
    rows = [f"| {name} | " + " | ".join(f"{value:.0f}" for value in line) + " |" for name, line in lines.items()]
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=HERE, capture_output=True, text=True).stdout.strip()
    return "\n".join(
        [
            "\n## Throughput",
            "",
            f"MB/s, median of three; files on tmpfs, {os.cpu_count()} cores. 400 MB in files of each size, 5000 files at most.",
            f"Measured on {time.strftime('%Y-%m-%d')}, commit {commit}. Commits of kernels and modes since: "
            f"<!-- since {commit} core bulat/src crates/core crates/bulat/src -->0<!-- end -->.",
            "The start of the cluster is not timed. Small files cost the time of Dask and of the file system for each.",
            "`bindings/python/examples/page.py` repeats the measurement;",
            "`bindings/python/cluster_bench.py` compares with the command.",
            "",
            "| | " + " | ".join(SIZES) + " |",
            "|---|" + "--:|" * len(SIZES),
            *rows,
            "",
            "![throughput by size and workers](cluster.svg)",
            "",
        ]
    )


def main() -> int:
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--cells", action="store_true", help="do not measure")
    given.add_argument("--check", action="store_true", help="run nothing, compare")
    given.add_argument("--place", default="/dev/shm", help="a folder on tmpfs")
    options = given.parse_args()
    path = DOCS / "CLUSTER.md"
    old = path.read_text() if path.exists() else ""
    if options.check:
        if source(old) == expected():
            return 0
        print("docs/CLUSTER.md differs from the output of bindings/python/examples/page.py", file=sys.stderr)
        return 1
    page = run()
    if options.cells:
        page += old[old.find("\n## Throughput") :] if "\n## Throughput" in old else ""
    else:
        lines = measure(options.place)
        (DOCS / "cluster.svg").write_text(plot(lines))
        page += speed(lines)
    path.write_text(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
