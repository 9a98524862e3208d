#!/usr/bin/env bash
# QEMU 7.2, as in Debian 12: VAESENC and VAESDEC of 256 bits make the upper half of the result from the lower half's block. So AES of two blocks in
# a register gives the first block's ciphertext twice, whatever the second block is. CPUID says that the processor has VAES.
#
# Package: qemu-user 1:7.2+dfsg-7+deb12u18+b3 of Debian 12 (apt-get download, unpacked in a temporary folder); seen on 2026-12-01. Beside a
#   processor with VAES, of 3063 forms of instructions of SSE, AVX, AVX2 and BMI with random and odd operands, these alone differ in more than
#   a NaN, apart from SHA and the wide VPCLMULQDQ, which QEMU 7.2 lacks. In the sources of later versions each half has its own block.
# Input: a program of two blocks and two round keys in registers of 256 bits; to compare, AESENC and AESDEC of 128 bits by QEMU, too, block by
#   block. Then AES-128 of two blocks in a register: the block of FIPS 197, appendix B, twice, and after a block of zeros. QEMU runs with its
#   default processor; the computer needs no VAES.
# Behaviour: the bytes of the upper half's state are looked up in the lower half. The round keys are those of the right half, and VAESENCLAST and
#   VAESDECLAST are right. So a test with equal blocks passes. A program that asks CPUID for VAES and uses it with AVX2 loses each second block
#   under this emulator.
#
# Output seen:
#   CPUID: VAES yes, VPCLMULQDQ no
#   vaesenc: lower half right, upper half made from the lower block
#   vaesenclast: lower half right, upper half right
#   vaesdec: lower half right, upper half made from the lower block
#   vaesdeclast: lower half right, upper half right
#   AES-128, equal blocks: first 3925841d02dc09fb, second 3925841d02dc09fb
#   AES-128, zeros first: first 7df76b0c1ab899b3, second 7df76b0c1ab899b3
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the package cannot be had.
set -euo pipefail
script=$(realpath "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
chmod 755 "$work"
apt-get download qemu-user=1:7.2+dfsg-7+deb12u18+b3 >apt.log 2>&1 || { tail -3 apt.log; exit 2; }
dpkg-deb --fsys-tarfile qemu-user_*.deb | tar -x ./usr/bin/qemu-x86_64
ldd usr/bin/qemu-x86_64 | grep "not found" && exit 2
cat >halves.c <<'C'
#include <cpuid.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static uint8_t block[2][16], key[2][16], out[2][16], one[16], crossed[16];
#define NARROW(instruction, to, b, k) \
    __asm__ volatile("vmovdqu %1, %%xmm0\n vmovdqu %2, %%xmm1\n " instruction " %%xmm1, %%xmm0\n vmovdqu %%xmm0, %0" \
        : "=m"(to) : "m"(b), "m"(k) : "xmm0", "xmm1")
#define WIDE(instruction, to, b, k) \
    __asm__ volatile("vmovdqu %1, %%ymm0\n vmovdqu %2, %%ymm1\n " instruction " %%ymm1, %%ymm0, %%ymm0\n vmovdqu %%ymm0, %0" \
        : "=m"(to) : "m"(b), "m"(k) : "xmm0", "xmm1")
#define TRY(name) do { \
    WIDE("v" name, out, block, key); \
    NARROW(name, one, block[0], key[0]); \
    printf("v%s: lower half %s, ", name, memcmp(one, out[0], 16) ? "wrong" : "right"); \
    NARROW(name, one, block[1], key[1]); \
    NARROW(name, crossed, block[0], key[1]); \
    printf("upper half %s\n", !memcmp(one, out[1], 16) ? "right" : memcmp(crossed, out[1], 16) ? "wrong" : "made from the lower block"); } while (0)
#define NEXT(i, constant) \
    __asm__ volatile("vmovdqu %1, %%xmm0\n vaeskeygenassist $" #constant ", %%xmm0, %%xmm1\n vpshufd $0xff, %%xmm1, %%xmm1\n" \
        "vpslldq $4, %%xmm0, %%xmm2\n vpxor %%xmm2, %%xmm0, %%xmm0\n vpslldq $8, %%xmm0, %%xmm2\n vpxor %%xmm2, %%xmm0, %%xmm0\n" \
        "vpxor %%xmm1, %%xmm0, %%xmm0\n vmovdqu %%xmm0, %0" : "=m"(round[i]) : "m"(round[(i) - 1]) : "xmm0", "xmm1", "xmm2")
static uint8_t round[11][16] = {{0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c}};
static const uint8_t text[16] = {0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d, 0x31, 0x31, 0x98, 0xa2, 0xe0, 0x37, 0x07, 0x34};

static void aes128(void)
{
    for (int i = 0; i <= 10; i++) {
        memcpy(key[0], round[i], 16);
        memcpy(key[1], round[i], 16);
        if (i == 0)
            WIDE("vpxor", block, block, key);
        else if (i < 10)
            WIDE("vaesenc", block, block, key);
        else
            WIDE("vaesenclast", block, block, key);
    }
}

static void show(const char *name, const uint8_t *bytes)
{
    printf("%s ", name);
    for (int i = 0; i < 8; i++)
        printf("%02x", bytes[i]);
}

int main(void)
{
    unsigned a, b, c, d;
    __cpuid_count(7, 0, a, b, c, d);
    printf("CPUID: VAES %s, VPCLMULQDQ %s\n", c >> 9 & 1 ? "yes" : "no", c >> 10 & 1 ? "yes" : "no");
    for (int i = 0; i < 32; i++) {
        block[i / 16][i % 16] = (uint8_t)(i * i + 1);
        key[i / 16][i % 16] = (uint8_t)(3 * i + 5);
    }
    TRY("aesenc");
    TRY("aesenclast");
    TRY("aesdec");
    TRY("aesdeclast");
    NEXT(1, 0x01); NEXT(2, 0x02); NEXT(3, 0x04); NEXT(4, 0x08); NEXT(5, 0x10);
    NEXT(6, 0x20); NEXT(7, 0x40); NEXT(8, 0x80); NEXT(9, 0x1b); NEXT(10, 0x36);
    memcpy(block[0], text, 16);
    memcpy(block[1], text, 16);
    aes128();
    show("AES-128, equal blocks: first", block[0]);
    show(", second", block[1]);
    memset(block[0], 0, 16);
    memcpy(block[1], text, 16);
    aes128();
    show("\nAES-128, zeros first: first", block[0]);
    show(", second", block[1]);
    puts("");
    return 0;
}
C
gcc -O1 -static halves.c -o halves
usr/bin/qemu-x86_64 ./halves | tee seen
sed -n '/^# Output seen/,/^# Exit status/s/^#   //p' "$script" >expected
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
