#!/usr/bin/env bash
# QEMU 7.2, as in Debian 12: after ADCX or ADOX of 32 bits the carry is no bit. SETC stores 95, ADC adds 933ba295, CMOVC moves what it should leave,
# if the upper halves of the registers are not 0. After BLSI the carry is the opposite of the true one.
#
# Package: qemu-user 1:7.2+dfsg-7+deb12u18+b3 of Debian 12 (apt-get download, unpacked in a temporary folder); seen beside a processor with ADX
#   and BMI1 on 2026-11-30. QEMU 10.0.13 and 11.1.3 compute as the processor does.
# Input: a program that adds 00000001 and fffffffe, the low halves of two registers, without a carry in, and reads the carry, which is 0, in
#   several ways; then the same with 64 bits; BLSI of a number that is not 0, which has a carry of 1. It runs on the processor, and by QEMU with -cpu max.
# Behaviour: Intel's manual: an instruction of 32 bits uses the low halves of its registers. The sum is right. The carry is made of the whole
#   registers: their sum without its low half. So a branch may be right where a value that is made of the carry is not.
# Where it shows: arithmetic of long numbers with two chains of carries, in tests that run by emulation, with words of 32 bits.
#
# Output seen (processor, QEMU):
#   adcx 32, setc: 0, 95
#   adox 32, seto: 0, 95
#   adcx 32, adc: 0, 933ba295
#   adcx 32, sbb: 0, ffffffff6cc45d6b
#   adcx 32, cmovc: 0, ffffffff
#   adcx 32, rcl: 0, 1
#   adcx 64, setc: 0, 0
#   blsi 32, setc: 1, 0
#   blsi 64, setc: 1, 0
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the package or such a processor cannot be had.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed -n 's/^#   \(\(ad[co]x\|blsi\) [36].*\)/\1/p' "$0" >"$work/expected"
cd "$work"
chmod 755 "$work"
grep -qw adx /proc/cpuinfo && grep -qw bmi1 /proc/cpuinfo || exit 2
apt-get download qemu-user=1:7.2+dfsg-7+deb12u18+b3 >apt.log 2>&1 || { tail -3 apt.log; exit 2; }
dpkg-deb --fsys-tarfile qemu-user_*.deb | tar -x ./usr/bin/qemu-x86_64
ldd usr/bin/qemu-x86_64 | grep "not found" && exit 2
cat >carry.c <<'C'
#include <stdint.h>
#include <stdio.h>
#define CASE(name, first, last) do { \
    uint64_t a = 0x7969097500000001, b = 0x19d29920fffffffe, r = 0; \
    __asm__ volatile("xor %%ecx, %%ecx\n " first "\n " last : "+r"(a), "+r"(b), "+r"(r) : : "rcx", "cc"); \
    printf(name " %llx\n", (unsigned long long)r); } while (0)
int main(void)
{
    CASE("adcx 32, setc:", "adcx %k1, %k0", "setc %b2");
    CASE("adox 32, seto:", "adox %k1, %k0", "seto %b2");
    CASE("adcx 32, adc:", "adcx %k1, %k0", "adc $0, %2");
    CASE("adcx 32, sbb:", "adcx %k1, %k0", "sbb %2, %2");
    CASE("adcx 32, cmovc:", "adcx %k1, %k0", "cmovc %0, %2");
    CASE("adcx 32, rcl:", "adcx %k1, %k0", "rcl $1, %2");
    CASE("adcx 64, setc:", "adcx %1, %0", "setc %b2");
    CASE("blsi 32, setc:", "blsi %k1, %k0", "setc %b2");
    CASE("blsi 64, setc:", "blsi %1, %0", "setc %b2");
}
C
gcc -O1 -static carry.c -o carry
paste -d ' ' <(./carry) <(usr/bin/qemu-x86_64 -cpu max ./carry | sed 's/.*: //') | sed 's/ \([0-9a-f]*\)$/, \1/' | tee seen
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
