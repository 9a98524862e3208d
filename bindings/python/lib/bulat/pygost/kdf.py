"""Key derivation, as in `pygost.kdf`."""

from __future__ import annotations

from .. import derive

__all__ = ["kdf_gostr3411_2012_256", "kdf_tree_gostr3411_2012_256"]


def kdf_gostr3411_2012_256(key: bytes, label: bytes, seed: bytes) -> bytes:
    """KDF_GOSTR3411_2012_256: 32 bytes."""
    return derive("kdf-gostr3411-2012-256", key, label=label, seed=seed)


def kdf_tree_gostr3411_2012_256(key: bytes, label: bytes, seed: bytes, keys: int, i_len: int = 1) -> list[bytes]:
    """KDF_TREE_GOSTR3411_2012_256: `keys` keys of 32 bytes."""
    made = derive("kdf-tree", key, 32 * keys, label=label, seed=seed, counter=i_len)
    return [made[at : at + 32] for at in range(0, len(made), 32)]
