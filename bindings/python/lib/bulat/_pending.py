"""Whether a file that is being closed is whole.

`with`, `contextlib.closing` and `finally` close a file also when an exception is on its way. A wrapper that they close,
`io.TextIOWrapper` or one of pandas', hands on the call and not the exception. What is handled at that moment tells: an
exception that was not handled when the file was opened has come in between.
"""

from __future__ import annotations

import sys


class Pending:
    """True while an exception is handled that was not when this was made."""

    def __init__(self) -> None:
        # The exceptions themselves: of one that is gone, the next may have the address. A chain of contexts may be a circle.
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
        """Lets go of the exceptions, which hold the variables of the calls that they came through."""
        self._known.clear()


def words(file: object) -> str:
    """What is said when a file is closed and not whole."""
    now = sys.exception()
    when = "after a write that failed" if now is None else f"while {type(now).__name__} is handled"
    return f"{file!r} was closed {when}: nothing of it is kept; commit() keeps it"
