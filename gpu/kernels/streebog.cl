// Streebog (GOST R 34.11-2012, RFC 6986) over many messages: eight threads process 32 of them, each one row of eight
// bytes of the state. y[8 k + b] is bit b of byte k of the row, in 32 messages. LPS exchanges rows through LOCAL
// memory. Must be defined: THREADS in a work-group.

#define ME (MEMBER & 7)
#define SETS (THREADS / 8)
// Byte i of row j, bit v, is at (8 j + v) 8 SETS + turned(i + j): due to the turn, neither writers nor readers meet in
// one bank. The address to which a thread writes its byte k, and that of the column's byte from row k, which it reads,
// differ only in the row.
#define TURNED(k) (MEMBER / 8 * 8 + ((k) + MEMBER & 7))
#define PLACE(k, j, v) (turned[k] + ((j) * 8 + (v)) * 8 * SETS)

// Applies S, and writes the bytes for others to read.
#define SUBSTITUTE(k) { \
  u32 o0, o1, o2, o3, o4, o5, o6, o7; \
  PI(y[8 * k], y[8 * k + 1], y[8 * k + 2], y[8 * k + 3], y[8 * k + 4], y[8 * k + 5], y[8 * k + 6], y[8 * k + 7], o0, o1, o2, o3, o4, o5, o6, o7) \
  own[PLACE(k, 0, 0)] = o0; own[PLACE(k, 0, 1)] = o1; own[PLACE(k, 0, 2)] = o2; own[PLACE(k, 0, 3)] = o3; \
  own[PLACE(k, 0, 4)] = o4; own[PLACE(k, 0, 5)] = o5; own[PLACE(k, 0, 6)] = o6; own[PLACE(k, 0, 7)] = o7; }
FUNCTION void substitute(const u32* y, LOCAL u32* to, const u32* turned) {
  LOCAL u32* own = to + ME * 64 * SETS;
  REPEAT8(SUBSTITUTE)
}
#define COLUMN(j) \
  x[8 * j] = from[PLACE(j, j, 0)]; x[8 * j + 1] = from[PLACE(j, j, 1)]; x[8 * j + 2] = from[PLACE(j, j, 2)]; \
  x[8 * j + 3] = from[PLACE(j, j, 3)]; x[8 * j + 4] = from[PLACE(j, j, 4)]; x[8 * j + 5] = from[PLACE(j, j, 5)]; \
  x[8 * j + 6] = from[PLACE(j, j, 6)]; x[8 * j + 7] = from[PLACE(j, j, 7)];
// P and L: computes the row from column ME.
FUNCTION void mix(u32* y, LOCAL const u32* from, const u32* turned) {
  u32 x[64];
  REPEAT8(COLUMN)
  STREEBOG_L(y)
}

// The image of PI_CONSTANT in every byte under l. Key and state both lack it, so it cancels in their sum; the table of
// the constants C includes it, and so does the first state.
#define LACKS (PI_CONSTANT ? 0x13dfe83da242c0d0 : 0)

// A word of memory for each plane; those of neighbouring threads are adjacent.
#define SAVED(place, i) scratch[(u64)((place) * 64 + (i)) * stride]

// g of RFC 6986, section 8: h = E(LPS(h + n), m) + h + m where `active`, with n in row 0; keeps h and m + h at
// `scratch`.
FUNCTION void compress(u32* h, u32* m, u64 n, u32 with_n, u32 active, GLOBAL const u32* constants, GLOBAL u32* scratch, u32 stride,
                       LOCAL u32* keys, LOCAL u32* states) {
  u32 turned[8];
  for (int k = 0; k < 8; k++) turned[k] = TURNED(k);
  GLOBAL const u32* c = constants + ME;
#define BEGIN(i) { \
  SAVED(0, i) = h[i]; SAVED(1, i) = h[i] ^ m[i]; \
  h[i] ^= SPLAT((u32)(n >> (i / 32 * 32)), i & 31) & with_n; \
  if (LACKS >> i & 1) m[i] = ~m[i]; }
  for (int i = 0; i < 64; i++) BEGIN(i)
  NOT_UNROLLED for (u32 r = 0; r <= 12; r++) {
    if (r) {
      c += 512;
      for (int i = 0; i < 64; i++) {
        m[i] ^= h[i];
        h[i] ^= c[i * 8];
      }
      substitute(m, states, turned);
    }
    substitute(h, keys, turned);
    BARRIER;
    mix(h, keys, turned);
    if (r) mix(m, states, turned);
    BARRIER;
  }
  for (int i = 0; i < 64; i++) {
    u32 before = SAVED(0, i);
    h[i] = SEL(active, h[i] ^ m[i] ^ SAVED(1, i), before);
  }
}

// Returns bytes of a message as a word, with the 1 of the padding after the last; `left` bytes remain.
FUNCTION u32 padded(GLOBAL const u8* from, i64 left) {
  if (left >= 4) return *(GLOBAL const u32*)from;
  if (left < 0) return 0;
  u32 word = (u32)1 << (8 * (u32)left);
  for (u32 i = 0; i < (u32)left; i++) word |= (u32)from[i] << (8 * i);
  return word;
}

// Returns word w of step j of a message of `length` bytes, of which the first 64 are at `prefix`, if there is one.
FUNCTION u32 word_of(GLOBAL const u8* message, u64 length, GLOBAL const u32* prefix, u32 with_prefix, GLOBAL const u32* sum, u32 j,
                     u32 w) {
  u32 full = (u32)(length / 64);
  if (j <= full) {
    if (with_prefix) {
      if (j == 0) return prefix[w];
      message -= 64;
    }
    u64 at = (u64)j * 64 + 4 * w;
    return padded(message + at, (i64)length - (i64)at);
  }
  if (j == full + 2) return sum[w];
  return w == 0 ? (u32)(length << 3) : w == 1 ? (u32)(length >> 29) : 0;
}

// Returns the greatest number in the work-group, if the barrier is the work-group's.
FUNCTION u32 longest(u32 n, LOCAL u32* at) {
#ifndef __CUDACC__
  at[MEMBER] = n;
  BARRIER;
  for (u32 i = 0; i < THREADS; i++) n = max(n, at[i]);
  BARRIER;
#else
  // The greatest in the warp.
  for (int i = 16; i; i /= 2) n = max(n, __shfl_xor_sync(~0u, n, i));
#endif
  return n;
}

// The words of the thread's row in its 32 messages: through LOCAL memory, in loops, which is less code.
#define OWN(i) keys[(i) * THREADS + MEMBER]
#define ROWS_OUT(to, place, words) { \
  BARRIER; \
  for (int i = 0; i < 64; i++) OWN(i) = words[i]; \
  NOT_UNROLLED for (u32 i = 0; i < 32 && s0 + i < count; i++) { to[place + 2 * ME] = OWN(i); to[place + 2 * ME + 1] = OWN(32 + i); } }
#define ROWS_IN(from, place, words) { \
  BARRIER; \
  NOT_UNROLLED for (u32 i = 0; i < 32; i++) { \
    OWN(i) = s0 + i < count ? from[place + 2 * ME] : 0; \
    OWN(32 + i) = s0 + i < count ? from[place + 2 * ME + 1] : 0; } \
  for (int i = 0; i < 64; i++) words[i] = OWN(i); \
  BARRIER; }

// Hashes, or with `finish` = 0 the states after the whole blocks. Messages begin at multiples of four bytes. The states
// go to out, 16 words each; a shorter hash is the second half. sums and scratch are working memory: 16 words per
// message, 128 per thread. The prefix of all messages, if any: 16 words each at prefix.
KERNEL(streebog_hash)(GLOBAL const u32* constants, GLOBAL const u8* in, GLOBAL const u64* at, GLOBAL const u64* lengths,
                      GLOBAL const u32* prefix, u32 with_prefix, u32 count, u32 iv, u32 finish, GLOBAL u32* sums, GLOBAL u32* scratch,
                      u32 threads, GLOBAL u32* out) {
  LOCAL_MEMORY u32 keys[64 * THREADS], states[64 * THREADS];
  u32 s0 = (THREAD >> 3) * 32, most = 0;
  u32 h[64];
  scratch += THREAD;
  for (int i = 0; i < 64; i++) h[i] = SPLAT(iv, i & 7);
#define STEPS(s) (lengths[s] / 64 + (finish ? 3 : 0))
  NOT_UNROLLED for (u32 s = s0; s < s0 + 32 && s < count; s++) most = STEPS(s) > most ? (u32)STEPS(s) : most;
  NOT_UNROLLED for (u32 s = s0 + ME * 4; s < s0 + ME * 4 + 4 && s < count; s++)
    for (u32 w = 0; w < 16; w++) sums[s * 16 + w] = 0;
  // All sets of a work-group make equal numbers of steps, because the barrier is for all.
  most = longest(most, keys);
  NOT_UNROLLED for (u32 j = 0; j < most; j++) {
    u32 m[64], active = 0, counted = 0;
    NOT_UNROLLED for (u32 i = 0; i < 32; i++) {
      u32 s = s0 + i, a = 0, b = 0;
      if (s < count && j < STEPS(s)) {
        u64 length = lengths[s];
        active |= (u32)1 << i;
        if (j <= length / 64) counted |= (u32)1 << i;
        a = word_of(in + at[s], length, prefix + s * 16, with_prefix, sums + s * 16, j, 2 * ME);
        b = word_of(in + at[s], length, prefix + s * 16, with_prefix, sums + s * 16, j, 2 * ME + 1);
      }
      OWN(i) = a;
      OWN(32 + i) = b;
    }
    for (int i = 0; i < 64; i++) m[i] = OWN(i);
    transpose(m);
    transpose(m + 32);
    // The sum of the blocks, four messages per thread.
    MEMORY_BARRIER;
    NOT_UNROLLED for (u32 s = s0 + ME * 4; s < s0 + ME * 4 + 4; s++) {
      if (s < count && j < STEPS(s) && j <= lengths[s] / 64) {
        u64 carry = 0;
        for (u32 w = 0; w < 16; w++) {
          carry += (u64)sums[s * 16 + w] + word_of(in + at[s], lengths[s], prefix + s * 16, with_prefix, sums, j, w);
          sums[s * 16 + w] = (u32)carry;
          carry >>= 32;
        }
      }
    }
    MEMORY_BARRIER;
    compress(h, m, (u64)j << 9, ME == 0 ? counted : 0, active, constants, scratch, threads, keys, states);
  }
  transpose(h);
  transpose(h + 32);
  ROWS_OUT(out, (s0 + i) * 16, h)
}

// PBKDF2 over HMAC-Streebog-512 (R 50.1.111-2016, section 4). For each password: the states after the key's two blocks
// (pads: the blocks; states: 16 words each, inner and outer), the last U and the sum of all so far. Adds this many
// iterations to both.
KERNEL(streebog_pbkdf2)(GLOBAL const u32* constants, GLOBAL const u32* pads, GLOBAL const u32* states, GLOBAL u32* last,
                        GLOBAL u32* sum, u32 count, u32 iterations, GLOBAL u32* sums, GLOBAL u32* scratch, u32 threads) {
  LOCAL_MEMORY u32 keys[64 * THREADS], local_states[64 * THREADS];
  u32 s0 = (THREAD >> 3) * 32;
  u32 h[64];
  scratch += THREAD;
  u32 stride = threads;
  ROWS_IN(sum, (s0 + i) * 16, h)
  transpose(h);
  transpose(h + 32);
  for (int i = 0; i < 64; i++) SAVED(2, i) = h[i];
  ROWS_IN(last, (s0 + i) * 16, h)
  transpose(h);
  transpose(h + 32);
  // A hash is four steps: the block, the padding, the length, the sum. Two hashes are an iteration.
  NOT_UNROLLED for (u64 step = 0; step < (u64)8 * iterations; step++) {
    u32 phase = step & 3, half_of = step >> 2 & 1;
    u32 m[64];
    if (phase == 0) {
      // h is the message: its words are kept for the sum, and the state after the key's block replaces it.
      for (int i = 0; i < 64; i++) m[i] = h[i];
      transpose(h);
      transpose(h + 32);
      ROWS_OUT(sums, (s0 + i) * 16, h)
      ROWS_IN(states, ((s0 + i) * 2 + half_of) * 16, h)
      transpose(h);
      transpose(h + 32);
    } else if (phase == 3) {
      MEMORY_BARRIER;
      NOT_UNROLLED for (u32 s = s0 + ME * 4; s < s0 + ME * 4 + 4; s++) {
        if (s < count) {
          u64 carry = 1;
          for (u32 w = 0; w < 16; w++) {
            carry += (u64)sums[s * 16 + w] + pads[(s * 2 + half_of) * 16 + w];
            sums[s * 16 + w] = (u32)carry;
            carry >>= 32;
          }
        }
      }
      MEMORY_BARRIER;
      ROWS_IN(sums, (s0 + i) * 16, m)
      transpose(m);
      transpose(m + 32);
    } else {
      // The padding is 1; the length is 1024 bits.
      for (int i = 0; i < 64; i++) m[i] = 0;
      if (ME == 0) {
        if (phase == 1) m[0] = ~0; else m[10] = ~0;
      }
    }
    compress(h, m, phase == 0 ? 512 : 1024, ME == 0 && phase < 2 ? ~0 : 0, ~0, constants, scratch, threads, keys, local_states);
    if ((step & 7) == 7) for (int i = 0; i < 64; i++) SAVED(2, i) ^= h[i];
  }
  transpose(h);
  transpose(h + 32);
  ROWS_OUT(last, (s0 + i) * 16, h)
  for (int i = 0; i < 64; i++) h[i] = SAVED(2, i);
  transpose(h);
  transpose(h + 32);
  ROWS_OUT(sum, (s0 + i) * 16, h)
}
