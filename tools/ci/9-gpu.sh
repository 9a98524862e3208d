#!/usr/bin/env bash
# The kernels for GPUs: their machine code for NVIDIA, constant time and counts; every mode against the library, and the engine,
# on PoCL, which is OpenCL on the processor, and on the tests' CUDA driver, which runs PTX on the processor and has devices that fail.
source "$(dirname "$0")/common"
if ! ls target/nv*/lib/python3*/site-packages/nvidia/cu*/bin/nvdisasm >/dev/null 2>&1; then
    python3 -m venv target/nvdisasm >/dev/null &&
        timeout 120 target/nvdisasm/bin/pip --quiet --disable-pip-version-check install nvidia-cuda-cuobjdump nvidia-cuda-nvdisasm ||
        rm -rf target/nvdisasm
fi 2>/dev/null
if ls target/nv*/lib/python3*/site-packages/nvidia/cu*/bin/nvdisasm >/dev/null 2>&1; then
    crates/gpu/constant-time
    crates/gpu/counts --check
else
    echo "skipped: the machine code: no nvdisasm from PyPI"
fi
tools/ci/apt ocl-icd-libopencl1 pocl-opencl-icd
# Use the features of the earlier tests, so that the library is not compiled again.
# `gpu` tests the command with --device, without and with a driver; `slot`, `channel` and `ciphers` test that memory is wiped, how much is kept, and work in several launches.
features+=,bulat-gpu/opencl,bulat-cli/gpu
said=$(mktemp)
trap 'rm -f "$said"' EXIT
# tested WORDS: fails if a test has skipped itself with these words, because it has tested nothing.
tested() {
    if grep -B 3 "skipped: $1" "$said"; then exit 1; fi
}
if command -v cc >/dev/null; then
    cuda=$(mkdir -p "$target/tmp" && cd "$target/tmp" && pwd)/fake-cuda
    crates/gpu/tests/fake/build "$cuda"
    cargo test --quiet --workspace --features $features --test fake -- --nocapture
    (
        export LD_LIBRARY_PATH=$cuda OCL_ICD_VENDORS=/nonexistent FAKE_LATE=20 FAKE_DIRTY=1 BULAT_GPU_MB=8
        cargo test --quiet --workspace --features $features --test devices --test engine -- --nocapture
        alone cargo test --quiet --workspace --features $features --test gpu a_device -- --nocapture
    ) | tee "$said"
    tested no
else
    echo "skipped: CUDA without a card: no C compiler"
fi
# A driver is of no use without the loader, on which Debian's driver does not depend.
if [ -z "$(ls -A /etc/OpenCL/vendors 2>/dev/null)" ] || ! PATH=$PATH:/sbin ldconfig -p | grep 'libOpenCL\.so\.1' >/dev/null; then
    echo "skipped: no OpenCL (apt-get install ocl-icd-libopencl1 pocl-opencl-icd)"
    exit 0
fi
{
    cargo test --quiet --workspace --features $features --test devices --test drivers --test engine --test queues -- --nocapture
    alone cargo test --quiet --workspace --features $features --test gpu -- --nocapture
    cargo test --quiet --workspace --features $features --lib -- slot:: channel:: ciphers:: --nocapture
} | tee "$said"
tested "no device"
