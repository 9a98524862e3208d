#!/usr/bin/env bash
# The service with its clients: hvac, the official command's requests, curl, schemathesis; faults; load. With SQLite, and with PostgreSQL
# if it is installed. BULATD=FILE tests that build. BULATD_KILLS, BULATD_NONCES, BULATD_EXAMPLES, BULATD_KEYS, BULATD_ROTATED make it longer (docs/SERVICE.md).
set -euo pipefail
cd "$(dirname "$0")/../.."
tools/ci/apt postgresql pgbouncer faketime curl jq
python=
for minor in 11 12 13 14; do
    if [ -z "$python" ] && "python3.$minor" -c 'import venv, ensurepip' 2>/dev/null; then python=python3.$minor; fi
done
if [ -z "$python" ]; then
    echo "skipped: no Python from 3.11 on with venv (apt-get install python3-venv)"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
load=
if [ -z "${BULATD:-}" ]; then
    # Build with a test and its features, so that the library is not compiled again.
    cargo build --quiet --workspace --lib --bins --test compat --features bulat/rustcrypto,bulat/threads
    built=$(cd "${CARGO_TARGET_DIR:-target}" && pwd)/debug
    export BULATD=$built/bulatd
    if [ -e "$built/examples/load" ]; then load=$built/examples/load; fi
fi
"$python" -m venv "$work/venv"
if ! "$work/venv/bin/python" -m pip --quiet --disable-pip-version-check install -c tools/ci/constraints.txt hvac pytest hypothesis schemathesis 2>"$work/pip"; then
    echo "skipped: cannot be installed: hvac pytest hypothesis schemathesis: $(tail -n 1 "$work/pip")"
    exit 0
fi
(cd service/clients && "$work/venv/bin/python" calls.py --check && "$work/venv/bin/python" -m pytest -p no:cacheprovider -s)
if [ -n "$load" ]; then
    "$load" --server "$BULATD" --requests 200
    "$load" --server "$BULATD" --memory 20000 --check
else
    echo "skipped: load: cargo build -p bulatd --example load"
fi
