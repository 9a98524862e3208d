#!/usr/bin/env bash
# Unicorn: BZHI with an index of the register's width or more, which should change nothing, clears the highest bit. PDEP of 32 bits writes above
# its result. The first error shows only if the highest bit is set, the second only if the upper half of the mask's register is not 0.
#
# Package: unicorn 2.1.4 (PyPI; the emulator that is made of QEMU's processors), Python 3.11.7; seen on 2026-12-01. QEMU 7.2 has both right.
# Input: BZHI and PDEP of 32 and 64 bits with a processor model that has BMI2 (Haswell), set by ctl_set_cpu_model; to compare, Intel's
#   definition, in Python. Other models with BMI2 give the same.
# Behaviour: an index past the width counts as 31 or 63, the place of the last bit, which is then cleared with all above it. PDEP takes the mask's
#   register with all of its 64 bits, so if its upper half is not 0, bits of the source go there, and the result's upper half, which is 0 after
#   each instruction of 32 bits, is not. PEXT, SHLX, RORX, MULX and the 64-bit PDEP are right.
# Where it shows: code with the lowest n bits of a word, where n may be the whole word, as in readers of bits and in long arithmetic, uses BZHI without
#   a test for that. Analyses of such code by this emulator see another value.
#
# Output seen (Intel's definition, Unicorn):
#   bzhi eax, index 31: 794d318f, 794d318f
#   bzhi eax, index 32: f94d318f, 794d318f
#   bzhi eax, index 255: f94d318f, 794d318f
#   bzhi rax, index 63: 679eb6f4f94d318f, 679eb6f4f94d318f
#   bzhi rax, index 64: e79eb6f4f94d318f, 679eb6f4f94d318f
#   bzhi rax, index 256: 0, 0
#   pdep eax, mask 00000000f0f0f0f0: 301080f0, 301080f0
#   pdep eax, mask 0000ffff0000000f: f, d3180000000f
#   pdep rax, mask 0000ffff0000000f: d3180000000f, d3180000000f
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the package cannot be had.
set -euo pipefail
script=$(realpath "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q unicorn==2.1.4 >pip.log 2>&1 || { tail -3 pip.log; exit 2; }
cat >try.py <<'PY'
from unicorn import UC_ARCH_X86, UC_MODE_64, Uc
from unicorn import x86_const as x86

SOURCE = 0xE79EB6F4F94D318F
CODES = {"bzhi eax": "c4e270f5c6", "bzhi rax": "c4e2f0f5c6", "pdep eax": "c4e24bf5c1", "pdep rax": "c4e2cbf5c1"}


def run(name, second):
    code = bytes.fromhex(CODES[name])
    emulator = Uc(UC_ARCH_X86, UC_MODE_64)
    emulator.ctl_set_cpu_model(x86.UC_CPU_X86_HASWELL)
    emulator.mem_map(0x100000, 0x1000)
    emulator.mem_write(0x100000, code)
    emulator.reg_write(x86.UC_X86_REG_RSI, SOURCE)
    emulator.reg_write(x86.UC_X86_REG_RCX, second)
    emulator.emu_start(0x100000, 0x100000 + len(code))
    return emulator.reg_read(x86.UC_X86_REG_RAX)


def defined(name, second):
    width = 32 if name.endswith("eax") else 64
    source = SOURCE % 2**width
    if name.startswith("bzhi"):
        return source % 2 ** min(second % 256, width)
    bits = [place for place in range(width) if second >> place & 1]
    return sum((source >> number & 1) << place for number, place in enumerate(bits))


for name, indices in (("bzhi eax", (31, 32, 255)), ("bzhi rax", (63, 64, 256))):
    for index in indices:
        print(f"{name}, index {index}: {defined(name, index):x}, {run(name, index):x}")
for name, mask in (("pdep eax", 0xF0F0F0F0), ("pdep eax", 0xFFFF0000000F), ("pdep rax", 0xFFFF0000000F)):
    print(f"{name}, mask {mask:016x}: {defined(name, mask):x}, {run(name, mask):x}")
PY
v/bin/python try.py | tee seen
sed -n '/^# Output seen/,/^# Exit status/s/^#   //p' "$script" >expected
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
