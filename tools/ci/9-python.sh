#!/usr/bin/env bash
# The Python package: vectors, its tests, stubs and docstrings on each Python from 3.11 on; under valgrind.
source "$(dirname "$0")/common"
pythons || exit 0
# On your machine: `pip install './bindings/python[test]'`.
build --example random_files --features bulat-python/gpu
export BULAT=$built/bulat BULAT_PROVIDER=$built/libbulat_provider.so BULAT_RANDOM_FILES=$built/examples/random_files
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# install PYTHON: makes a new environment with the package, and prints its folder.
install() {
    "$1" -m venv "$work/$1"
    local site
    site=$("$work/$1/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
    cp -r bindings/python/lib/bulat "$site/"
    cp "$built/lib_bulat.so" "$site/bulat/_bulat.abi3.so"
    echo "$work/$1/bin"
}

first=$(install "${pythons[0]}")
"$first/python" bindings/python/tests/once.py
face InvalidTag "$first/python" bindings/python/tests/serve.py
if need "$first" pytest hypothesis numpy gostcrypto; then
    need "$first" 'dask[dataframe]' distributed 'moto[server]' s3fs || true
    (cd bindings/python && "$first/python" -m pytest -q -rs tests)
    # Arrays in a card's memory, with the CUDA driver of the GPU's tests.
    if command -v cc >/dev/null; then
        crates/gpu/tests/fake/build "$work/cuda"
        (
            export LD_LIBRARY_PATH=$work/cuda OCL_ICD_VENDORS=/nonexistent
            "$first/python" -c 'import bulat.gpu as g; assert [d.driver for d in g.devices()] == ["cuda"], g.remarks()'
            cd bindings/python && "$first/python" -m pytest -q -rs tests/test_gpu.py
        )
    fi
fi
for python in "${pythons[@]:1}"; do
    bin=$(install "$python")
    "$bin/python" bindings/python/tests/once.py
done
if need "$first" mypy ruff distributed fsspec; then
    # Their base classes come from packages without types.
    printf 'bulat.fsspec.BulatFile\nbulat.fsspec.BulatFileSystem\n' >"$work/untyped"
    (cd bindings/python && "$first/ruff" format --quiet --check . && "$first/ruff" check --quiet . &&
        "$first/mypy" && "$first/python" -m mypy.stubtest --mypy-config-file pyproject.toml --allowlist "$work/untyped" bulat)
    "$first/python" bindings/python/examples/page.py --check
    "$first/python" bindings/python/stubs.py --check
fi
if command -v valgrind >/dev/null; then
    # Report invalid addresses, and not Python's own reads of uninitialised memory.
    PYTHONMALLOC=malloc valgrind --quiet --error-exitcode=9 --undef-value-errors=no --leak-check=no "$first/python" bindings/python/tests/once.py
    echo "valgrind: no invalid access"
else
    echo "skipped: valgrind is not installed (apt-get install valgrind)"
fi
