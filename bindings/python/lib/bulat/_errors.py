"""The exceptions of the package, with the messages of the command ``bulat``."""


class Error(Exception):
    """The base of all exceptions of this package. Files that cannot be read or written raise `OSError`."""


class InvalidInput(Error, ValueError):
    """An invalid length, name, parameter or buffer."""


class InvalidType(Error, TypeError):
    """An object of the wrong type: no contiguous bytes, or bytes that cannot be written."""


class InvalidTag(Error):
    """A tag, a MAC or a wrapped key does not verify. Nothing was decrypted."""


class StateError(Error, ValueError):
    """The object has finished or is closed, or the call is out of order."""


class WrongKey(Error):
    """The key or the password does not open the file; of PKCS#8 or PKCS#12, also damage that only decryption shows."""


class DamagedData(Error):
    """A file is damaged, truncated, foreign, or of a newer format."""


class UnsupportedAlgorithm(Error):
    """A file of PKCS#8 or PKCS#12 has an algorithm or a form that is not supported."""


class DeviceError(Error, RuntimeError):
    """A GPU or its driver failed."""


for _class in (Error, *Error.__subclasses__()):
    # Where users find it, in messages and in pickles.
    _class.__module__ = "bulat.gpu" if _class is DeviceError else "bulat"
