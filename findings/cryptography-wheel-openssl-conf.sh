#!/usr/bin/env bash
# cryptography 50.0.2 (PyPI, wheel with an OpenSSL 4.0.3 of its own inside), Python 3.11.7.
# The OpenSSL in the wheel reads the file that OPENSSL_CONF names, though it is linked into the module and is not the system's:
#   - "default_properties = fips=yes", as administrators set it for the system's OpenSSL, stops all of it: SHA-256, AES-GCM and EC
#     keys raise InternalError ("Unknown OpenSSL error").
#   - A file that activates only the base provider stops the system's Python (`_hashlib.new`: no SHA-256 from
#     OpenSSL), but not the wheel (so it loads the default provider itself).
#   - A provider whose module is missing is ignored without a word.
#
# Output seen:
#   no file: SHA-256 e3b0c442, AES-GCM 7bfbb26b, EC key True
#   fips=yes: SHA-256 InternalError, AES-GCM InternalError, EC key InternalError
#   base only: SHA-256 e3b0c442, AES-GCM 7bfbb26b, EC key True
#   missing module: SHA-256 e3b0c442, AES-GCM 7bfbb26b, EC key True
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check cryptography==50.0.2
conf() { # NAME PROVIDER LINE PROPERTIES
    printf 'openssl_conf = i\n[i]\nproviders = p\nalg_section = a\n[p]\n%s = s\n[s]\nactivate = 1\n%s\n[a]\n%s\n' "$2" "$3" "$4" > "$folder/$1.cnf"
}
conf fips default "" "default_properties = fips=yes"
conf base base "" ""
conf missing other "module = $folder/none.so" ""
cat > "$folder/try.py" <<'PY'
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM


def told(call):
    try:
        return str(call())[:8]
    except Exception as e:
        return type(e).__name__


print(
    "SHA-256", told(lambda: hashes.Hash(hashes.SHA256()).finalize().hex()) + ",",
    "AES-GCM", told(lambda: AESGCM(bytes(16)).encrypt(bytes(12), b"x", None).hex()) + ",",
    "EC key", told(lambda: bool(ec.generate_private_key(ec.SECP256R1()))),
)
PY
{
    echo "no file: $(OPENSSL_CONF=/dev/null "$folder/venv/bin/python" "$folder/try.py")"
    echo "fips=yes: $(OPENSSL_CONF=$folder/fips.cnf "$folder/venv/bin/python" "$folder/try.py")"
    echo "base only: $(OPENSSL_CONF=$folder/base.cnf "$folder/venv/bin/python" "$folder/try.py")"
    echo "missing module: $(OPENSSL_CONF=$folder/missing.cnf "$folder/venv/bin/python" "$folder/try.py")"
} | tee "$folder/out"
diff "$folder/out" - <<'WANT'
no file: SHA-256 e3b0c442, AES-GCM 7bfbb26b, EC key True
fips=yes: SHA-256 InternalError, AES-GCM InternalError, EC key InternalError
base only: SHA-256 e3b0c442, AES-GCM 7bfbb26b, EC key True
missing module: SHA-256 e3b0c442, AES-GCM 7bfbb26b, EC key True
WANT
