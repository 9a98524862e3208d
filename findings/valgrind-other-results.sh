#!/usr/bin/env bash
# Valgrind 3.19, as in Debian 12: a loop with C's islessgreater() counts otherwise than on the processor, if there are NaNs; XCHG of AX with a register
# clears the other 48 bits of RAX; RCL and RCR by 0 change the overflow flag; FMA of one number clears the rest of its register. No message.
#
# Package: valgrind 1:3.19.0-1 of Debian 12 (apt-get download, unpacked in a temporary folder), the system's gcc 12.2; seen with --tool=none, and
#   with memcheck, on 2026-12-01. Found by 3,500 forms of instructions of SSE, AVX, AVX2, BMI and general registers on a processor and in Valgrind.
# Input: a program with AVX and FMA (gcc -O3 -mavx2 -mfma). Pairs of numbers: a NaN in every fourth, equal numbers in every fourth. The 32
#   predicates of VCMPPD, VCMPSD, VCMPPS and VCMPSS with a NaN and 1. XCHG with RAX = 1111222233334444 and RCX = 5555666677778888. RCL by
#   CL = 0 after an addition that overflows, and after one that does not. VFMADD132SS of the lowest of four lanes.
# Behaviour: the predicates 8 and 24, equal or unordered, are taken for "equal"; 12 and 28, less or greater, for "not equal". Intel's manual: XCHG of 16
#   bits leaves the other bits of both registers, a rotation by 0 leaves the flags, a scalar FMA leaves the bits above the number.
# Where it shows: compilers make such comparisons of islessgreater() in loops that they vectorise, while single ones are right. The others
#   come from assembly. So a program computes something else under the tool that checks it.
#
# Output seen (processor, Valgrind):
#   pairs neither less nor greater, in a loop: 500, 250
#   pairs less or greater, in a loop: 500, 750
#   the same, one after another: 500, 500
#   predicates that hold for NaN and 1: 87788778, 96789678
#   xchg ax, cx: rax 1111222233338888, rax 0000000000008888
#   xchg cx, dx: rdx 1111222233338888, rdx 1111222233338888
#   xchg ax, memory: rax 1111222233338888, rax 1111222233338888
#   overflow after an overflow and rcl by 0: 1, 0
#   overflow after stc and rcl by 0: 0, 1
#   overflow after an overflow and shl by 0: 1, 1
#   lanes after FMA of the lowest: 7 2 3 4, 7 0 0 0
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the package or such a processor cannot be had.
set -euo pipefail
script=$(realpath "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
chmod 755 "$work"
grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo || exit 2
apt-get download valgrind=1:3.19.0-1 >apt.log 2>&1 || { tail -3 apt.log; exit 2; }
dpkg-deb -x valgrind_*.deb root
cat >compare.c <<'C'
#include <immintrin.h>
#include <math.h>
#include <stdio.h>
enum { COUNT = 1000 };
static double a[COUNT], b[COUNT];

__attribute__((noinline)) static int neither(void)
{
    int found = 0;
    for (int i = 0; i < COUNT; i++)
        found += !islessgreater(a[i], b[i]);
    return found;
}

__attribute__((noinline)) static int either(void)
{
    int found = 0;
    for (int i = 0; i < COUNT; i++)
        found += islessgreater(a[i], b[i]) ? 1 : 0;
    return found;
}

__attribute__((noinline)) static int one(double x, double y)
{
    return islessgreater(x, y) ? 1 : 0;
}

#define WITH(p) do { \
    __m128d x = _mm_set1_pd(nan), y = _mm_set1_pd(1); \
    __m128 u = _mm_set1_ps((float)nan), v = _mm_set1_ps(1); \
    int bits = (_mm_movemask_pd(_mm_cmp_pd(x, y, p)) & 1) + (_mm_movemask_pd(_mm_cmp_sd(x, y, p)) & 1) \
        + (_mm_movemask_ps(_mm_cmp_ps(u, v, p)) & 1) + (_mm_movemask_ps(_mm_cmp_ss(u, v, p)) & 1); \
    if (bits == 4) \
        holds |= 1u << (p); \
    else if (bits) \
        puts("the four differ"); } while (0)
#define WITH8(p) WITH(p); WITH(p + 1); WITH(p + 2); WITH(p + 3); WITH(p + 4); WITH(p + 5); WITH(p + 6); WITH(p + 7)
#define FLAGS(name, first, then) do { \
    unsigned long flags; \
    __asm__ volatile("xor %%ecx, %%ecx\n " first "\n " then " %%cl, %%rdx\n pushfq\n pop %0" : "=r"(flags) : : "rax", "rcx", "rdx", "cc"); \
    printf("overflow after " name ": %lu\n", flags >> 11 & 1); } while (0)

int main(void)
{
    volatile double nan = NAN;
    unsigned holds = 0;
    float lanes[4];
    for (int i = 0; i < COUNT; i++) {
        a[i] = i;
        b[i] = i % 4 == 0 ? nan : i % 4 == 1 ? i : i + 1;
    }
    printf("pairs neither less nor greater, in a loop: %d\n", neither());
    printf("pairs less or greater, in a loop: %d\n", either());
    int found = 0;
    for (int i = 0; i < COUNT; i++)
        found += one(a[i], b[i]);
    printf("the same, one after another: %d\n", found);
    WITH8(0); WITH8(8); WITH8(16); WITH8(24);
    printf("predicates that hold for NaN and 1: %08x\n", holds);
    unsigned long x = 0x1111222233334444, y = 0x5555666677778888;
    __asm__ volatile("xchg %%ax, %%cx" : "+a"(x), "+c"(y));
    printf("xchg ax, cx: rax %016lx\n", x);
    x = 0x1111222233334444, y = 0x5555666677778888;
    __asm__ volatile("xchg %%cx, %%dx" : "+d"(x), "+c"(y));
    printf("xchg cx, dx: rdx %016lx\n", x);
    x = 0x1111222233334444, y = 0x5555666677778888;
    __asm__ volatile("xchg %%ax, %1" : "+a"(x), "+m"(y));
    printf("xchg ax, memory: rax %016lx\n", x);
    FLAGS("an overflow and rcl by 0", "mov $0x7fffffff, %%eax\n add $1, %%eax", "rclq");
    FLAGS("stc and rcl by 0", "xor %%eax, %%eax\n stc", "rclq");
    FLAGS("an overflow and shl by 0", "mov $0x7fffffff, %%eax\n add $1, %%eax", "shlq");
    __m128 first = _mm_setr_ps(1, 2, 3, 4), factor = _mm_set1_ps(2), term = _mm_set1_ps(5);
    __asm__("vfmadd132ss %1, %2, %0" : "+x"(first) : "x"(factor), "x"(term));
    _mm_storeu_ps(lanes, first);
    printf("lanes after FMA of the lowest: %g %g %g %g\n", lanes[0], lanes[1], lanes[2], lanes[3]);
    return 0;
}
C
gcc -O3 -mavx2 -mfma compare.c -o compare
export VALGRIND_LIB=$work/root/usr/libexec/valgrind
./compare >processor
root/usr/bin/valgrind -q --tool=none ./compare >valgrind
paste -d '|' processor valgrind | sed 's/|[^:]*:/,/' | tee seen
sed -n '/^# Output seen/,/^# Exit status/s/^#   //p' "$script" >expected
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
