"""The source of a process's key: a file or its own environment, never a URL, an option or a message.

A `Keys` holds only names. It may be pickled, printed and sent; `secret()` reads the key in the process that calls it.
"""

from __future__ import annotations

import atexit
import os
import re
from dataclasses import dataclass
from typing import Any

from . import _bulat, container
from ._errors import InvalidInput


@dataclass(frozen=True)
class Keys:
    """The names of the file, or of the environment's variables, that hold a key or a password.

    Without a file the environment decides: `BULAT_KEY_FILE`, `BULAT_KEY` (64 hexadecimal digits) or
    `BULAT_PASSWORD_FILE`, the first that is set. For the new key of `reencrypt` the prefix is `BULAT_NEW_`.
    """

    key_file: str | None = None
    password_file: str | None = None
    environment: str = "BULAT"

    def __post_init__(self) -> None:
        if self.key_file is not None and self.password_file is not None:
            raise InvalidInput("key_file and password_file: give only one of them")
        for name in ("key_file", "password_file"):
            value = getattr(self, name)
            if isinstance(value, os.PathLike):
                object.__setattr__(self, name, os.fspath(value))
            elif value is not None and not isinstance(value, str):
                raise InvalidInput(f"{name}: the name of a file, not the key")
            elif value is not None and re.fullmatch(r"[0-9A-Fa-f]{64}", value):
                raise InvalidInput(f"{name}: 64 hexadecimal digits are a key, not the name of a file (else write ./ before it)")

    def secret(self) -> dict[str, Any]:
        """Returns the arguments `key` or `password` for the calls in `bulat.container`.

        The process caches keys derived from a password, so that each container costs a derivation once.
        """
        of = self.environment
        if self.key_file is not None:
            return {"key": container.read_key(self.key_file)}
        if self.password_file is not None:
            return {"password": _bulat.FilePassword(self.password_file)}
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
            return {"password": _bulat.FilePassword(name)}
        raise InvalidInput(f"no key: name a file (key_file, password_file), or set {of}_KEY_FILE, {of}_KEY or {of}_PASSWORD_FILE")


# Keys derived from password files are cached until then.
atexit.register(_bulat.container_forget)
