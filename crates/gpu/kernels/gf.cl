// Sums of products in GF(2^n) for MGM (RFC 9058, section 4): Σ h_i c_i over the blocks of each message of `section`
// blocks; each of `per` threads computes a part of the sum. Blocks are big-endian numbers. The multiplication spreads
// the bits of numbers, with three zeros between them, so that the sums of up to eight products do not overlap; it has
// no look-up and no branch.

#define HOLES ((u64)0x1111111111111111)
FUNCTION u64 multiply(u32 x, u32 y) {
  u64 x0 = x & 0x11111111, x1 = x & 0x22222222, x2 = x & 0x44444444, x3 = x & 0x88888888;
  u64 y0 = y & 0x11111111, y1 = y & 0x22222222, y2 = y & 0x44444444, y3 = y & 0x88888888;
  u64 z0 = x0 * y0 ^ x1 * y3 ^ x2 * y2 ^ x3 * y1, z1 = x0 * y1 ^ x1 * y0 ^ x2 * y3 ^ x3 * y2;
  u64 z2 = x0 * y2 ^ x1 * y1 ^ x2 * y0 ^ x3 * y3, z3 = x0 * y3 ^ x1 * y2 ^ x2 * y1 ^ x3 * y0;
  return z0 & HOLES | z1 & HOLES << 1 | z2 & HOLES << 2 | z3 & HOLES << 3;
}
// Multiplies 64 bits by 64 and adds to two words: Karatsuba.
FUNCTION void multiply_add(u64 x, u64 y, u64* low, u64* high) {
  u32 x0 = (u32)x, x1 = (u32)(x >> 32), y0 = (u32)y, y1 = (u32)(y >> 32);
  u64 l = multiply(x0, y0), h = multiply(x1, y1), m = multiply(x0 ^ x1, y0 ^ y1) ^ l ^ h;
  *low ^= l ^ m << 32;
  *high ^= h ^ m >> 32;
}

KERNEL(products64)(GLOBAL const words* h, GLOBAL const words* c, u64 blocks, u64 section, u32 per, GLOBAL words* sums) {
  u64 first = THREAD / per * section, end = first + section < blocks ? first + section : blocks;
  if (first >= blocks) return;
  u64 low = 0, high = 0;
  NOT_UNROLLED for (u64 n = first + THREAD % per; n < end; n += per) {
    words a = h[n], b = c[n];
    multiply_add((u64)SWAB(a.x) << 32 | SWAB(a.y), (u64)SWAB(b.x) << 32 | SWAB(b.y), &low, &high);
  }
  // x^64 = x^4 + x^3 + x + 1.
  u64 over = high >> 63 ^ high >> 61 ^ high >> 60;
  high ^= over;
  low ^= high ^ high << 1 ^ high << 3 ^ high << 4;
  words sum;
  sum.x = SWAB((u32)(low >> 32));
  sum.y = SWAB((u32)low);
  sums[THREAD] = sum;
}

KERNEL(products128)(GLOBAL const quads* h, GLOBAL const quads* c, u64 blocks, u64 section, u32 per, GLOBAL quads* sums) {
  u64 first = THREAD / per * section, end = first + section < blocks ? first + section : blocks;
  if (first >= blocks) return;
  u64 z0 = 0, z1 = 0, z2 = 0, z3 = 0;
  NOT_UNROLLED for (u64 n = first + THREAD % per; n < end; n += per) {
    quads a = h[n], b = c[n];
    u64 a1 = (u64)SWAB(a.x) << 32 | SWAB(a.y), a0 = (u64)SWAB(a.z) << 32 | SWAB(a.w);
    u64 b1 = (u64)SWAB(b.x) << 32 | SWAB(b.y), b0 = (u64)SWAB(b.z) << 32 | SWAB(b.w);
    u64 l0 = 0, l1 = 0, h0 = 0, h1 = 0, m0 = 0, m1 = 0;
    multiply_add(a0, b0, &l0, &l1);
    multiply_add(a1, b1, &h0, &h1);
    multiply_add(a0 ^ a1, b0 ^ b1, &m0, &m1);
    m0 ^= l0 ^ h0;
    m1 ^= l1 ^ h1;
    z0 ^= l0;
    z1 ^= l1 ^ m0;
    z2 ^= h0 ^ m1;
    z3 ^= h1;
  }
  // x^128 = x^7 + x^2 + x + 1.
  z2 ^= z3 >> 63 ^ z3 >> 62 ^ z3 >> 57;
  z0 ^= z2 ^ z2 << 1 ^ z2 << 2 ^ z2 << 7;
  z1 ^= z3 ^ z3 << 1 ^ z3 << 2 ^ z3 << 7 ^ z2 >> 63 ^ z2 >> 62 ^ z2 >> 57;
  quads sum;
  sum.x = SWAB((u32)(z1 >> 32));
  sum.y = SWAB((u32)z1);
  sum.z = SWAB((u32)(z0 >> 32));
  sum.w = SWAB((u32)z0);
  sums[THREAD] = sum;
}
