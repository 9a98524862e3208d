"""Where a process finds its key: in a file, or in its own environment. Never in a URL, an option or a message.

A `Keys` holds names alone. It may be pickled, printed and sent; `secret()` reads the key where it is called.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from . import container
from ._errors import InvalidInput


@dataclass(frozen=True)
class Keys:
    """The names of the file, or of the environment's variables, that hold a key or a password.

    With neither file the environment says: `BULAT_KEY_FILE`, `BULAT_KEY` (64 hexadecimal digits) or
    `BULAT_PASSWORD_FILE`, the first that is set; for the new key of `reencrypt` the same names with `BULAT_NEW_`.
    """

    key_file: str | None = None
    password_file: str | None = None
    environment: str = "BULAT"

    def __post_init__(self) -> None:
        if self.key_file is not None and self.password_file is not None:
            raise InvalidInput("key_file and password_file: one of them")
        for name in ("key_file", "password_file"):
            value = getattr(self, name)
            if isinstance(value, os.PathLike):
                object.__setattr__(self, name, os.fspath(value))
            elif value is not None and not isinstance(value, str):
                raise InvalidInput(f"{name}: the name of a file, not the key")

    def secret(self) -> dict[str, Any]:
        """The arguments `key` or `password` of the calls in `bulat.container`."""
        of = self.environment
        if self.key_file is not None:
            return {"key": container.read_key(self.key_file)}
        if self.password_file is not None:
            return {"password": password(self.password_file)}
        if name := os.environ.get(f"{of}_KEY_FILE"):
            return {"key": container.read_key(name)}
        if digits := os.environ.get(f"{of}_KEY"):
            try:
                key = bytes.fromhex(digits)
            except ValueError:
                key = b""
            if len(key) != 32 or len(digits) != 64:
                raise InvalidInput(f"the environment's {of}_KEY: 64 hexadecimal digits")
            return {"key": key}
        if name := os.environ.get(f"{of}_PASSWORD_FILE"):
            return {"password": password(name)}
        raise InvalidInput(f"no key: name a file (key_file, password_file), or set {of}_KEY_FILE, {of}_KEY or {of}_PASSWORD_FILE")


def password(name: str) -> bytes:
    """The password in a file; one line end at its end is not part of it."""
    with open(name, "rb") as file:
        text = file.read(65537)
    if text.endswith(b"\n"):
        text = text[:-2] if text.endswith(b"\r\n") else text[:-1]
    return text
