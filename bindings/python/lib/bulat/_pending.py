"""Decides whether a file that is being closed is complete.

`with`, `contextlib.closing` and `finally` close a file even during an exception. A wrapper that they close, such as
`io.TextIOWrapper` or a wrapper of pandas, forwards the call and not the exception. The exceptions being handled at that moment
show it: if an exception was not handled when the file was opened, it has come in between.
"""

from __future__ import annotations

import sys


class Pending:
    """True while an exception is handled that was not handled at construction."""

    def __init__(self) -> None:
        # Keep the exceptions, not their addresses: a new exception may reuse the address. A chain of contexts may be a circle.
        known: dict[int, BaseException] = {}
        one = sys.exception()
        while one is not None and id(one) not in known:
            known[id(one)] = one
            one = one.__context__
        self._known = known

    def __bool__(self) -> bool:
        now = sys.exception()
        return now is not None and id(now) not in self._known

    def forget(self) -> None:
        """Drops the exceptions, which hold the variables of their frames."""
        self._known.clear()


def words(file: object) -> str:
    """Warns that a closed file is incomplete."""
    now = sys.exception()
    when = "after a write that failed" if now is None else f"while {type(now).__name__} is handled"
    return f"{file!r} was closed {when}: nothing of it is kept; commit() keeps it"
