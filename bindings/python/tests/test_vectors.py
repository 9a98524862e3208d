"""Runs all of `verification/vectors/` that Python can reach, and checks their number."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
import vectors

FILES = sorted(vectors.DATA.glob("*.json"))
TOTAL: Counter[str] = Counter()

pytestmark = pytest.mark.skipif(not FILES, reason="verification/vectors/ is not here: run from a clone")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_file(path: Path) -> None:
    count = vectors.run(path)
    TOTAL.update(count)
    assert sum(count.values()) == len(json.loads(path.read_text())["tests"])


def test_total(capsys: pytest.CaptureFixture[str]) -> None:
    if sum(TOTAL.values()) < 5000:
        pytest.skip("not all files were run")
    with capsys.disabled():
        rest = ", ".join(f"{n} {why}" for why, n in sorted(TOTAL.items()) if why != "passed")
        print(f"\nvectors: {TOTAL['passed']} passed of {sum(TOTAL.values())} ({rest})")
    assert TOTAL["passed"] > 5500
