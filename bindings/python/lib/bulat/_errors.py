"""The exceptions of the package, with the messages of the command ``bulat``."""

__all__ = [
    "DamagedData",
    "DeviceError",
    "Error",
    "InvalidInput",
    "InvalidTag",
    "InvalidType",
    "StateError",
    "UnsupportedAlgorithm",
    "WrongKey",
]


class Error(Exception):
    """The base of all exceptions of this package. Files that cannot be read or written raise `OSError`."""

    __module__ = "bulat"


class InvalidInput(Error, ValueError):
    """An invalid length, name, parameter or buffer."""

    __module__ = "bulat"


class InvalidType(Error, TypeError):
    """An object of the wrong type: no contiguous bytes, or bytes that cannot be written."""

    __module__ = "bulat"


class InvalidTag(Error):
    """A tag, a MAC or a wrapped key does not verify. Nothing was decrypted."""

    __module__ = "bulat"


class StateError(Error, ValueError):
    """The object has finished or is closed, or the call is out of order."""

    __module__ = "bulat"


class WrongKey(Error):
    """The key or the password does not open the file; of PKCS#8 or PKCS#12, also damage that only decryption shows."""

    __module__ = "bulat"


class DamagedData(Error):
    """A file is damaged, truncated, foreign, or of a newer format."""

    __module__ = "bulat"


class UnsupportedAlgorithm(Error):
    """A file of PKCS#8 or PKCS#12 has an algorithm or a form that is not supported."""

    __module__ = "bulat"


class DeviceError(Error, RuntimeError):
    """A GPU or its driver failed."""

    __module__ = "bulat.gpu"
