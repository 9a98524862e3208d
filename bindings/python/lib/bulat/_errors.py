"""The exceptions of the package: one small tree, in the words of the command ``bulat``."""

__all__ = ["DamagedData", "DeviceError", "Error", "InvalidInput", "InvalidTag", "InvalidType", "StateError", "WrongKey"]


class Error(Exception):
    """What every exception of this package is. Files that cannot be read or written raise `OSError`, as everywhere."""

    __module__ = "bulat"


class InvalidInput(Error, ValueError):
    """A length, a name, a parameter or a buffer that does not fit."""

    __module__ = "bulat"


class InvalidType(Error, TypeError):
    """An object of the wrong type: no contiguous bytes, or bytes that cannot be written."""

    __module__ = "bulat"


class InvalidTag(Error):
    """A tag, a MAC or a wrapped key is not the right one: nothing was decrypted."""

    __module__ = "bulat"


class StateError(Error, ValueError):
    """The object has finished or is closed, or the call comes out of order."""

    __module__ = "bulat"


class WrongKey(Error):
    """The key or the password is not that of the container."""

    __module__ = "bulat"


class DamagedData(Error):
    """A container that is damaged, truncated, foreign, or of a later format."""

    __module__ = "bulat"


class DeviceError(Error, RuntimeError):
    """A GPU or its driver did not do its work."""

    __module__ = "bulat.gpu"
