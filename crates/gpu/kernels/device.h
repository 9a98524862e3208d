// A common text for OpenCL C and CUDA C++. A bit plane is a word of 32 blocks, one bit of each; a thread processes 32
// blocks. 32 threads with adjacent numbers form a group, which has 1024 adjacent blocks: block 32 i + l of the group is
// bit i of the planes of thread l, so that neighbours read adjacent memory.
//
//   KERNEL(name)(..)       an entry          UNIFORM(n, a)   an argument: n words, common to all threads
//   GLOBAL, LOCAL(_MEMORY) address spaces    AT(a, i)        a word of it
//   THREAD, LANE, GROUP    which one         LUT3, XOR3, MAJ, SEL   gates
//   FUNCTION               a part            BARRIER         between threads that share LOCAL; MEMORY_BARRIER, GLOBAL too

#if defined(__CUDACC__)
typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;
struct __align__(8) words { u32 x, y; };
struct __align__(16) quads { u32 x, y, z, w; };
template <int N> struct uniform { u32 v[N]; };
#ifndef BOUNDS
#define BOUNDS THREADS
#endif
#define KERNEL(name) extern "C" __global__ void __launch_bounds__(BOUNDS) name
#define FUNCTION static __device__ __forceinline__
#define GLOBAL
#define LOCAL
#define LOCAL_MEMORY __shared__
#define PRIVATE
#define UNIFORM(n, a) const __grid_constant__ uniform<n> a
#define AT(a, i) a.v[i]
#define THREAD (blockIdx.x * (u32)THREADS + threadIdx.x)
#define MEMBER threadIdx.x
#define BARRIER __syncthreads()
#define MEMORY_BARRIER __syncthreads()
#define TERNARY 1
#define LUT3(a, b, c, f) lut3<f>(a, b, c)
template <int F> FUNCTION u32 lut3(u32 a, u32 b, u32 c) {
  u32 d;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(d) : "r"(a), "r"(b), "r"(c), "n"(F));
  return d;
}
#define XOR3(a, b, c) LUT3(a, b, c, 0x96)
#define MAJ(a, b, c) LUT3(a, b, c, 0xe8)
#define SEL(m, a, b) LUT3(m, a, b, 0xca)
#define HALVES_LOW(x, y) __byte_perm(x, y, 0x5410)
#define HALVES_HIGH(x, y) __byte_perm(x, y, 0x7632)
#define BYTES_EVEN(x, y) __byte_perm(x, y, 0x6240)
#define BYTES_ODD(x, y) __byte_perm(x, y, 0x7351)
#define SWAB(x) __byte_perm(x, 0, 0x0123)
#define MULTIPLY_HIGH(a, b) __umulhi(a, b)
#define NOT_UNROLLED _Pragma("unroll 1")
#else
typedef uchar u8;
typedef uint u32;
typedef ulong u64;
typedef long i64;
typedef uint2 words;
typedef uint4 quads;
#define KERNEL(name) __kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void name
#define FUNCTION static inline
#define GLOBAL __global
#define LOCAL __local
#define LOCAL_MEMORY __local
#define UNIFORM(n, a) __constant const u32* a
#define AT(a, i) a[i]
#define THREAD ((u32)get_global_id(0))
#define MEMBER ((u32)get_local_id(0))
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define MEMORY_BARRIER barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define TERNARY 0
#define XOR3(a, b, c) ((a) ^ (b) ^ (c))
#define SEL(m, a, b) bitselect((u32)(b), (u32)(a), (u32)(m))
#define MAJ(a, b, c) SEL((a) ^ (b), c, a)
#define HALVES_LOW(x, y) ((x) & 0xffff | (y) << 16)
#define HALVES_HIGH(x, y) ((x) >> 16 | (y) & 0xffff0000)
#define BYTES_EVEN(x, y) SEL(0x00ff00ff, x, (y) << 8)
#define BYTES_ODD(x, y) SEL(0x00ff00ff, (x) >> 8, y)
#define SWAB(x) as_uint(as_uchar4(x).s3210)
#define MULTIPLY_HIGH(a, b) mul_hi(a, b)
#define NOT_UNROLLED __attribute__((opencl_unroll_hint(1)))
#endif

#define LANE (THREAD & 31)
#define GROUP (THREAD >> 5)
// Returns bit i of a word in all 32 places.
#define SPLAT(word, i) (0 - ((word) >> (i) & 1))

// How a counter advances: bulat's Count.
#define WHOLE 0
#define RIGHT 1
#define LEFT 2
#define CNT 3
// A flag: only the keystream, without reading a source.
#define ALONE 8

#define REPEAT8(f) f(0) f(1) f(2) f(3) f(4) f(5) f(6) f(7)
#define REPEAT16(f) REPEAT8(f) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15)
#define REPEAT32(f) REPEAT16(f) f(16) f(17) f(18) f(19) f(20) f(21) f(22) f(23) f(24) f(25) f(26) f(27) f(28) f(29) f(30) f(31)

// Transposes 32 words as a matrix of bits.
FUNCTION void transpose(u32 x[32]) {
#define PAIR(i, j, a, b) { u32 low = a(x[i], x[j]), high = b(x[i], x[j]); x[i] = low; x[j] = high; }
#define SHIFTED(i, j, s, m) { u32 low = SEL(m, x[i], x[j] << s), high = SEL(m, x[i] >> s, x[j]); x[i] = low; x[j] = high; }
#define STAGE16(i) PAIR(i, i + 16, HALVES_LOW, HALVES_HIGH)
#define STAGE8(i) PAIR((i & 7) + (i & 8) * 2, (i & 7) + (i & 8) * 2 + 8, BYTES_EVEN, BYTES_ODD)
#define STAGE4(i) SHIFTED((i & 3) + (i & 12) * 2, (i & 3) + (i & 12) * 2 + 4, 4, 0x0f0f0f0f)
#define STAGE2(i) SHIFTED((i & 1) + (i & 14) * 2, (i & 1) + (i & 14) * 2 + 2, 2, 0x33333333)
#define STAGE1(i) SHIFTED(i * 2, i * 2 + 1, 1, 0x55555555)
  REPEAT16(STAGE16) REPEAT16(STAGE8) REPEAT16(STAGE4) REPEAT16(STAGE2) REPEAT16(STAGE1)
}

// Bit b of the numbers 0..31, for b below 5.
#define NUMBERS(b) ((b) == 0 ? 0xaaaaaaaa : (b) == 1 ? 0xcccccccc : (b) == 2 ? 0xf0f0f0f0 : (b) == 3 ? 0xff00ff00 : 0xffff0000)
