"""Every call of transit in Vault's public list, with its state in bulatd. The table of docs/SERVICE.md is made from this list.

`python calls.py` writes the table, `python calls.py --check` fails if it is out of date. `test_cli.py` tries each row:
a call that exists answers, any other is refused.
"""

import sys
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs" / "SERVICE.md"

THERE, DIFFERS, NOT = "as Vault", "differs", "not there"

# Method, path, state, remark.
TRANSIT = [
    (
        "POST",
        "keys/:name",
        DIFFERS,
        "`type`: `kuznyechik-mgm` (default), `magma-mgm`, `hmac-streebog256`, `hmac-streebog512`; `convergent_encryption` for `kuznyechik-mgm`; `auto_rotate_period` is 0 or at least an hour, and rotates the key at its next use; no `allow_plaintext_backup`",
    ),
    ("GET", "keys/:name", THERE, ""),
    ("LIST", "keys", THERE, "also `GET keys?list=true`; pages by `after` and `limit`, as OpenBao"),
    (
        "DELETE",
        "keys/:name",
        THERE,
        "needs `deletion_allowed`; answers after 1.75 s, when no replica gives out a ciphertext under the key any more",
    ),
    ("POST", "keys/:name/config", THERE, "`exportable` is chosen when the key is created"),
    ("POST", "keys/:name/rotate", THERE, ""),
    ("POST", "keys/:name/trim", THERE, "answers after 1.75 s, as `DELETE`"),
    ("GET", "export/:type/:name", DIFFERS, "`encryption-key` and `hmac-key`; only of keys created with `exportable`"),
    ("GET", "export/:type/:name/:version", DIFFERS, "the same; `latest`"),
    ("POST", "encrypt/:name", DIFFERS, "no `nonce`: the service counts nonces itself; at its limit a key rotates"),
    ("POST", "decrypt/:name", THERE, ""),
    ("POST", "rewrap/:name", THERE, ""),
    ("POST", "datakey/:plaintext/:name", THERE, "128, 256 or 512 bits; `associated_data` binds"),
    ("POST", "hmac/:name", DIFFERS, "`algorithm`: `streebog256` (default), `streebog512`"),
    ("POST", "hmac/:name/:algorithm", DIFFERS, "the same"),
    ("POST", "verify/:name", DIFFERS, "only `hmac`: there are no keys that sign"),
    ("POST", "verify/:name/:algorithm", DIFFERS, "the same"),
    ("POST", "hash", DIFFERS, "`algorithm`: `streebog256` (default), `streebog512`"),
    ("POST", "hash/:algorithm", DIFFERS, "the same"),
    ("POST", "random", THERE, ""),
    ("POST", "random/:bytes", THERE, ""),
    ("POST", "random/:source", DIFFERS, "`platform`, `seal` and `all` mean the system's source"),
    ("POST", "random/:source/:bytes", DIFFERS, "the same"),
    ("GET", "backup/:name", DIFFERS, "of any key: sealed under the root key, not in plain"),
    ("POST", "restore", DIFFERS, "the key gets a new version, the only one that encrypts; no `force`"),
    ("POST", "restore/:name", DIFFERS, "as `restore`; only under the key's own name, to which its ciphertexts are bound"),
    ("POST", "sign/:name", NOT, "no signatures"),
    ("POST", "sign/:name/:algorithm", NOT, "no signatures"),
    ("POST", "keys/:name/import", NOT, "keys are made only here"),
    ("POST", "keys/:name/import_version", NOT, "keys are made only here"),
    ("GET", "wrapping_key", NOT, "keys are made only here"),
    ("GET", "byok-export/:destination/:source", NOT, ""),
    ("GET", "byok-export/:destination/:source/:version", NOT, ""),
    ("POST", "cache-config", NOT, "caches follow the database"),
    ("GET", "cache-config", NOT, "caches follow the database"),
    ("POST", "config/keys", NOT, ""),
    ("GET", "config/keys", NOT, ""),
]


def table() -> str:
    """Returns the table in Markdown."""
    lines = ["| call of `transit/` | here | how |", "|---|---|---|"]
    lines += [f"| `{method} {path}` | {state} | {how} |" for method, path, state, how in TRANSIT]
    count = {state: sum(row[2] == state for row in TRANSIT) for state in (THERE, DIFFERS, NOT)}
    lines.append("")
    lines.append(f"{len(TRANSIT)} calls: " + ", ".join(f"{n} {state}" for state, n in count.items()) + ".")
    return "\n".join(lines)


def page() -> str:
    """Returns the document with the table in its place."""
    head, rest = PAGE.read_text().split("<!-- calls -->\n")
    return head + "<!-- calls -->\n" + table() + "\n<!-- end -->" + rest.split("<!-- end -->", 1)[1]


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(0 if page() == PAGE.read_text() else f"{PAGE} is out of date: python {sys.argv[0]}")
    PAGE.write_text(page())
