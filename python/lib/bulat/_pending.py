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
        self._known = sys.exception()

    def __bool__(self) -> bool:
        now, known = sys.exception(), self._known
        while known is not None and known is not now:
            known = known.__context__
        return now is not known


def words(file: object) -> str:
    """What is said when a file is closed then."""
    return f"{file!r} was closed while {type(sys.exception()).__name__} is handled: nothing of it is kept; commit() keeps it"
