#!/usr/bin/env bash
# The service with its clients: hvac, the official command's requests, curl, schemathesis; faults; load. With SQLite, and with PostgreSQL
# if it is installed. BULATD=FILE tests that build. BULATD_KILLS, BULATD_NONCES, BULATD_EXAMPLES, BULATD_KEYS, BULATD_ROTATED make it longer (docs/SERVICE.md).
source "$(dirname "$0")/common"
tools/ci/apt postgresql pgbouncer faketime curl jq
pythons || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
load=
if [ -z "${BULATD:-}" ]; then
    build
    export BULATD=$built/bulatd
    if [ -e "$built/examples/load" ]; then load=$built/examples/load; fi
fi
"${pythons[0]}" -m venv "$work/venv"
need "$work/venv/bin" hvac pytest hypothesis schemathesis || exit 0
# On most days a third of the kills, restarts and messages.
full=yes
daily 3 "all kills, restarts and loads of the service" || { full=; export BULATD_KILLS=${BULATD_KILLS:-7} BULATD_NONCES=${BULATD_NONCES:-20000} BULATD_RESTARTS=${BULATD_RESTARTS:-14}; }
(cd crates/service/clients && "$work/venv/bin/python" -m pytest -p no:cacheprovider -s)
if [ -n "$load" ]; then
    [ -z "$full" ] || "$load" --server "$BULATD" --requests 200
    "$load" --server "$BULATD" --memory 20000 --check
else
    echo "skipped: load: cargo build -p bulatd --example load"
fi
