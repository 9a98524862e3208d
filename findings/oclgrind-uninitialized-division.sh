#!/usr/bin/env bash
# Oclgrind: with the check for uninitialised values, a kernel that divides with remainder is not run, its results stay as they were,
# and the exit status is 0. A vector that is filled component by component is reported as uninitialised.
#
# Packages: oclgrind, liboclgrind-21.10 21.10-3, libclang-cpp14, libllvm14 1:14.0.6-12 of Debian 12 (apt-get download, unpacked in a
#   temporary folder); seen on 2026-11-28.
# Input: two kernels of OpenCL C, run by oclgrind-kernel without options and with OCLGRIND_UNINITIALIZED=1. All memory is initialised.
#   divide: quotient[i] = x / n; remainder[i] = x % n, for x = 10, 20, 30, 40 and n = 7.
#   pack: a uint4: its four components are assigned one after another, then it is stored.
# Behaviour: LLVM computes the remainder from the quotient and inserts the instruction `freeze`, which the interpreter knows and the
#   check does not: each work item ends with "OCLGRIND FATAL ERROR ... Unsupported instruction: freeze". oclgrind-kernel prints the
#   results as if the kernel had run, and exits with 0. Without the remainder the quotient is right. For the vector, LLVM stores `undef`, then the components:
#   the result is right, and the report is false.
#
# Output seen:
#   divide, plain: 1 2 4 5 3 6 2 5, status 0, fatal error: none, reports: 0
#   divide, checked: 0 0 0 0 0 0 0 0, status 0, fatal error: Unsupported instruction: freeze, reports: 0
#   pack, plain: 1 2 3 4, status 0, fatal error: none, reports: 0
#   pack, checked: 1 2 3 4, status 0, fatal error: none, reports: 1
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the packages cannot be had.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
chmod 755 "$work"
apt-get download oclgrind=21.10-3 liboclgrind-21.10=21.10-3 libclang-cpp14=1:14.0.6-12 libllvm14=1:14.0.6-12 >apt.log 2>&1 ||
    { tail -3 apt.log; exit 2; }
for package in *.deb; do dpkg-deb -x "$package" root; done
libraries=$(dirname "$(find root -name 'liboclgrind-21.10.so' | head -n 1)")
export LD_LIBRARY_PATH=$PWD/$libraries:$PWD/$libraries/../llvm-14/lib
LD_LIBRARY_PATH=$LD_LIBRARY_PATH ldd root/usr/bin/oclgrind-kernel | grep "not found" && exit 2

cat >divide.cl <<'CL'
__kernel void divide(__global const uint *a, uint n, __global uint *quotient, __global uint *remainder)
{
    size_t i = get_global_id(0);
    uint x = a[i];
    quotient[i] = x / n;
    remainder[i] = x % n;
}
CL
cat >pack.cl <<'CL'
__kernel void pack(__global const uint *in, __global uint4 *out)
{
    size_t i = get_global_id(0);
    uint4 v;
    v.x = in[4 * i];
    v.y = in[4 * i + 1];
    v.z = in[4 * i + 2];
    v.w = in[4 * i + 3];
    out[i] = v;
}
CL
# File, kernel, global size, size of a work-group, arguments.
printf '%s\n' divide.cl divide "4 1 1" "1 1 1" "<size=16 uint>" "10 20 30 40" "<size=4 uint>" 7 "<size=16 uint dump fill=0>" "<size=16 uint dump fill=0>" >divide.sim
printf '%s\n' pack.cl pack "1 1 1" "1 1 1" "<size=16 uint>" "1 2 3 4" "<size=16 uint dump noinit>" >pack.sim
for kernel in divide pack; do
    for how in plain checked; do
        checks=()
        if [ $how = checked ]; then checks=(OCLGRIND_UNINITIALIZED=1); fi
        status=0
        env "${checks[@]}" root/usr/bin/oclgrind-kernel $kernel.sim >out 2>err || status=$?
        echo "$kernel, $how: $(sed -n 's/.*\] = //p' out | xargs), status $status, fatal error: $(grep -m 1 "^Unsupported" err || echo none), reports: $(grep -c "Uninitialized value" err || true)"
    done
done | tee seen
cat >expected <<'SEEN'
divide, plain: 1 2 4 5 3 6 2 5, status 0, fatal error: none, reports: 0
divide, checked: 0 0 0 0 0 0 0 0, status 0, fatal error: Unsupported instruction: freeze, reports: 0
pack, plain: 1 2 3 4, status 0, fatal error: none, reports: 0
pack, checked: 1 2 3 4, status 0, fatal error: none, reports: 1
SEEN
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
