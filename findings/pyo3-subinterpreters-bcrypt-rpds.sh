#!/usr/bin/env bash
# bcrypt 5.0.0, cryptography 50.0.2, rpds-py 2026.9.1 (PyPI), CPython 3.13.0; with 3.14.10 the same.
# Extension modules of PyO3 in subinterpreters that share the main lock (as mod_wsgi makes them):
#   - bcrypt cannot be imported in ANY subinterpreter of Python 3.13, not even in the first one of a process, while its main
#     interpreter never imported it: "PyO3 modules do not yet support subinterpreters". Python 3.12 imports it in the first.
#     Its module has one phase of initialisation, and since 3.13 CPython runs such a function in the main interpreter
#     first, so PyO3 sees two interpreters in one import.
#   - cryptography's module works in the first subinterpreter, and is refused in the second by the same words.
#   - rpds has two phases of initialisation and no such check: the second interpreter gets, while it imports,
#     TypeError: _abc_impl is set to a wrong type: the module registers a class with collections.abc.Mapping, which PyO3
#     cached for the process, so it belongs to the first interpreter. It does so in every order, on Python 3.12, too.
#
# Output seen:
#   bcrypt: ImportError ImportError
#   bcrypt, after the main interpreter: imported ImportError
#   cryptography.hazmat.bindings._rust: imported ImportError
#   rpds: imported TypeError(_abc_impl is set to a wrong type)
set -euo pipefail
python=${PYTHON313:-$(command -v python3.14 || true)}
for try in python3.13 "$HOME"/.pyenv/versions/3.1[34]*/bin/python; do
    [ -n "$python" ] || { "$try" -c 'import venv, sys; sys.exit(sys.version_info < (3, 13))' 2>/dev/null && python=$try; } || true
done
[ -n "$python" ] || { echo "needs Python 3.13 or 3.14 (PYTHON313 names it)"; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$python" -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check bcrypt==5.0.0 cryptography==50.0.2 rpds-py==2026.9.1
cat > "$folder/try.py" <<'PY'
import sys
import _interpreters

module, *kinds = sys.argv[1:]
code = f"""
try:
    import {module}
    print("imported", flush=True)
except ImportError as e:
    print("ImportError" if "PyO3 modules do not yet support subinterpreters" in str(e) else repr(e), flush=True)
except TypeError as e:
    print(f"TypeError({{e}})", flush=True)
"""
for kind in kinds:
    if kind == "main":
        exec(code)
    else:
        _interpreters.exec(_interpreters.create(kind), code)
PY
try() { "$folder/venv/bin/python" -W ignore "$folder/try.py" "$@" 2>/dev/null | tr '\n' ' ' | sed 's/ $//'; }
{
    echo "bcrypt: $(try bcrypt legacy legacy)"
    echo "bcrypt, after the main interpreter: $(try bcrypt main legacy)"
    echo "cryptography.hazmat.bindings._rust: $(try cryptography.hazmat.bindings._rust legacy legacy)"
    echo "rpds: $(try rpds legacy legacy)"
} | tee "$folder/out"
diff "$folder/out" - <<'WANT'
bcrypt: ImportError ImportError
bcrypt, after the main interpreter: imported ImportError
cryptography.hazmat.bindings._rust: imported ImportError
rpds: imported TypeError(_abc_impl is set to a wrong type)
WANT
