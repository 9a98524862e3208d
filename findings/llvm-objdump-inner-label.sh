#!/usr/bin/env bash
# llvm-objdump: --disassemble-symbols=NAME prints a function up to the first label in it. Of Intel's SHA-256 for IPsec that is 34 of 918
# instructions, with none of its branches. GNU objdump's --disassemble=NAME prints all. Both end with status 0.
#
# Packages: llvm-19, libllvm19 1:19.1.7-3~deb12u1, libz3-4, libipsec-mb-dev 1.3-2 of Debian 12 (apt-get download, unpacked in a temporary folder),
#   the system's GNU objdump (2.40); seen on 2026-11-30. llvm-objdump 14.0.6 and 23.1.4 do the same.
# Input: functions of libIPSec_MB.a, which NASM assembled. NASM writes each label into the symbol table, also those that begin with a point;
#   compilers and the .L labels of GNU's assembler leave none.
# Behaviour: LLVM regards the next symbol as the end of a function, of whatever type it is. GNU continues to the next function if the symbol that is
#   asked for is a function (type FUNC), and stops as LLVM does if it has no type, which is NASM's default for `global`.
# Where it shows: programs that look at the branches, instructions or addresses of one function: they see its beginning only.
#
# Output seen (instructions, branches):
#   sha256_block_sse: GNU 918, 2; LLVM 34, 0
#   aes_cbc_dec_128_by8_sse: GNU 697, 22; LLVM 7, 3
#   sha512_x2_sse: GNU 2250, 3; LLVM 13, 0
#   poly1305_mac_plain_avx512: GNU 985, 16; LLVM 360, 2
#   untyped: GNU 1, 0; LLVM 1, 0
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the packages cannot be had.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed -n 's/^#   \([a-z0-9_]*: GNU .*\)/\1/p' "$0" >"$work/expected"
cd "$work"
chmod 755 "$work"
apt-get download {llvm-19,libllvm19}=1:19.1.7-3~deb12u1 libz3-4 libipsec-mb-dev=1.3-2 >apt.log 2>&1 || { tail -3 apt.log; exit 2; }
for package in lib*.deb; do dpkg-deb -x "$package" root; done
dpkg-deb --fsys-tarfile llvm-19_*.deb | tar -x -C root ./usr/lib/llvm-19/bin/llvm-objdump
llvm()
{
    LD_LIBRARY_PATH=root/usr/lib/llvm-19/lib:root/usr/lib/x86_64-linux-gnu root/usr/lib/llvm-19/bin/llvm-objdump "$@"
}
# Instructions and conditional jumps or jumps in a listing.
count()
{
    awk '/^ +[0-9a-f]+:/ { all++; if ($2 ~ /^j/) jumps++ } END { print all + 0 ", " jumps + 0 }'
}
ar x root/usr/lib/x86_64-linux-gnu/libIPSec_MB.a sha256_one_block_sse.o aes128_cbc_dec_by8_sse.o sha512_x2_sse.o poly_avx512.o
# As NASM writes `global untyped`: a function of four instructions without a type, and a local label.
cat >untyped.s <<'ASM'
.globl untyped
untyped:
    mov $7, %eax
untyped.next:
    dec %eax
    jnz untyped.next
    ret
ASM
as untyped.s -o untyped.o
while read -r object name; do
    echo "$name: GNU $(objdump -d --no-show-raw-insn --disassemble="$name" "$object" | count); LLVM $(
        llvm -d --no-show-raw-insn --disassemble-symbols="$name" "$object" | count)"
done <<'FUNCTIONS' | tee seen
sha256_one_block_sse.o sha256_block_sse
aes128_cbc_dec_by8_sse.o aes_cbc_dec_128_by8_sse
sha512_x2_sse.o sha512_x2_sse
poly_avx512.o poly1305_mac_plain_avx512
untyped.o untyped
FUNCTIONS
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
