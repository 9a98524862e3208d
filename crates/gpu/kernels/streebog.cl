// Streebog (GOST R 34.11-2012, RFC 6986) over many messages: sixteen threads process 32 of them. Eight compute the round
// keys and eight the state, in different warps of a work-group; each has one row of eight bytes. y[8 k + b] is bit b of
// byte k of the row, in 32 messages. Must be defined: THREADS in a work-group.

// One more barrier, for PoCL alone: 5.0 aborts if nested branches end together at a barrier, and 7.1 computes wrongly if a loop
// with barriers ends with a branch.
#ifdef POCL_DEVICE_ADDRESS_BITS
#define JOIN BARRIER
#else
#define JOIN
#endif

#define ME (MEMBER & 7)
#define HAS_KEY (MEMBER < THREADS / 2)
#define SET (MEMBER / 8 % (THREADS / 16))
// The first message of the work-group, and of the set.
#define FIRST_OF_ALL (THREAD / THREADS * THREADS * 2)
#define FIRST (FIRST_OF_ALL + SET * 32)

// Half v of byte i of row j is at (2 j + v) THREADS + turned(i + j): due to the turn, neither writers nor readers meet in one
// bank. The address to which a thread writes its byte k, and that of the column's byte from row k, which it reads, differ
// only in the row.
#define TURNED(k) (MEMBER / 8 * 8 + ((k) + MEMBER & 7))
#define PLACE(k, j, v) (turned[k] + ((j) * 2 + (v)) * THREADS)

// Rows as 16 words of four planes, `step` apart.
#define STORE(to, step) \
  for (int i = 0; i < 16; i++) { quads q; q.x = y[4 * i]; q.y = y[4 * i + 1]; q.z = y[4 * i + 2]; q.w = y[4 * i + 3]; to[i * (step)] = q; }
#define LOAD(from, step) \
  for (int i = 0; i < 16; i++) { quads q = from[i * (step)]; y[4 * i] = q.x; y[4 * i + 1] = q.y; y[4 * i + 2] = q.z; y[4 * i + 3] = q.w; }
#define ADD(from, step) \
  for (int i = 0; i < 16; i++) { quads q = from[i * (step)]; y[4 * i] ^= q.x; y[4 * i + 1] ^= q.y; y[4 * i + 2] ^= q.z; y[4 * i + 3] ^= q.w; }

// Applies S, and writes the bytes for others to read.
#define SUBSTITUTE(k) { \
  quads a, b; \
  PI(y[8 * k], y[8 * k + 1], y[8 * k + 2], y[8 * k + 3], y[8 * k + 4], y[8 * k + 5], y[8 * k + 6], y[8 * k + 7], \
     a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w) \
  own[PLACE(k, 0, 0)] = a; own[PLACE(k, 0, 1)] = b; }
// Writes a and b in place of all bytes.
#define FILL(k) own[PLACE(k, 0, 0)] = a; own[PLACE(k, 0, 1)] = b;
#define COLUMN(j) { \
  quads a = rows[PLACE(j, j, 0)], b = rows[PLACE(j, j, 1)]; \
  x[8 * j] = a.x; x[8 * j + 1] = a.y; x[8 * j + 2] = a.z; x[8 * j + 3] = a.w; \
  x[8 * j + 4] = b.x; x[8 * j + 5] = b.y; x[8 * j + 6] = b.z; x[8 * j + 7] = b.w; }
#define ADD_COLUMN(j) { \
  quads a = rows[PLACE(j, j, 0) - THREADS / 2], b = rows[PLACE(j, j, 1) - THREADS / 2]; \
  x[8 * j] ^= a.x; x[8 * j + 1] ^= a.y; x[8 * j + 2] ^= a.z; x[8 * j + 3] ^= a.w; \
  x[8 * j + 4] ^= b.x; x[8 * j + 5] ^= b.y; x[8 * j + 6] ^= b.z; x[8 * j + 7] ^= b.w; }

// The image of PI_CONSTANT in every byte under l. Key and state both lack it, so it cancels in their sum; the table of
// the constants C includes it.
#define LACKS (PI_CONSTANT ? 0x13dfe83da242c0d0 : 0)
#define LACKING(i) (PI_CONSTANT >> (i) & 1 ? ~0 : 0)

// g of RFC 6986, section 8, with N = 512 n: from h and m in y to E(LPS(h + N), m) + h + m in the key's threads, where
// `active`. Since l is linear, the state's threads apply it to the sum of the columns of state and key: their row is then
// the state plus the next key, which the next S needs. `saved` keeps h and m.
FUNCTION void compress(u32* y, u32 n, u32 with_n, u32 active, GLOBAL const quads* constants, GLOBAL quads* saved, LOCAL quads* rows) {
  u32 turned[8];
  for (int k = 0; k < 8; k++) turned[k] = TURNED(k);
  LOCAL quads* own = rows + ME * 2 * THREADS;
  STORE(saved, 8)
  // In the first round only the key goes through LPS, and the message is added to it.
  GLOBAL const quads* more = HAS_KEY ? constants + ME : saved;
  if (HAS_KEY) {
    for (int i = 0; i < 32; i++) y[9 + i] ^= SPLAT(n, i) & with_n;
  } else {
    quads a, b;
    a.x = LACKING(0); a.y = LACKING(1); a.z = LACKING(2); a.w = LACKING(3);
    b.x = LACKING(4); b.y = LACKING(5); b.z = LACKING(6); b.w = LACKING(7);
    REPEAT8(FILL)
  }
  NOT_UNROLLED for (u32 r = 0; r <= 12; r++) {
    u32 x[64];
    if (HAS_KEY || r) { REPEAT8(SUBSTITUTE) }
    BARRIER;
    REPEAT8(COLUMN)
    if (!HAS_KEY) { REPEAT8(ADD_COLUMN) }
    BARRIER;
    if (!HAS_KEY || r < 12) {
      STREEBOG_L(y)
      if (HAS_KEY || !r) ADD(more, 8)
      more += 128;
    }
    JOIN;
  }
  LOCAL quads* mine = rows + MEMBER;
  if (!HAS_KEY) {
    ADD(saved, 8)
    for (int i = 0; i < 64; i++) y[i] &= active;
    STORE(mine, THREADS)
  }
  BARRIER;
  if (HAS_KEY) {
    LOCAL quads* change = mine + THREADS / 2;
    LOAD(saved, 8)
    ADD(change, THREADS)
  }
  BARRIER;
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

// The words of the thread's row in its 32 messages: through LOCAL memory, in loops, which is less code. Others must not use it.
#define OWN(i) words_of_rows[(i) * THREADS + MEMBER]
#define PLANES { transpose(y); transpose(y + 32); }
#define ROWS_OUT(to, place) { \
  PLANES \
  for (int i = 0; i < 64; i++) OWN(i) = y[i]; \
  NOT_UNROLLED for (u32 i = 0; i < 32 && s0 + i < count; i++) { to[place + 2 * ME] = OWN(i); to[place + 2 * ME + 1] = OWN(32 + i); } }
#define ROWS_IN(from, place) { \
  NOT_UNROLLED for (u32 i = 0; i < 32; i++) { \
    OWN(i) = s0 + i < count ? from[place + 2 * ME] : 0; \
    OWN(32 + i) = s0 + i < count ? from[place + 2 * ME + 1] : 0; } \
  for (int i = 0; i < 64; i++) y[i] = OWN(i); \
  PLANES }
// The four messages of which a key's thread adds up the blocks.
#define EACH_OF_FOUR(s) NOT_UNROLLED for (u32 s = s0 + ME * 4; s < s0 + ME * 4 + 4 && s < count; s++)

// Hashes, or with `finish` = 0 the states after the whole blocks. Messages begin at multiples of four bytes. The states
// go to out, 16 words each; a shorter hash is the second half. sums and scratch are working memory: 16 words per
// message, 64 per thread. The prefix of all messages, if any: 16 words each at prefix.
KERNEL(streebog_hash)(GLOBAL const quads* constants, GLOBAL const u8* in, GLOBAL const u64* at, GLOBAL const u64* lengths,
                      GLOBAL const u32* prefix, u32 with_prefix, u32 count, u32 iv, u32 finish, GLOBAL u32* sums,
                      GLOBAL quads* scratch, GLOBAL u32* out) {
  LOCAL_MEMORY quads rows[16 * THREADS];
  LOCAL u32* words_of_rows = (LOCAL u32*)rows;
  u32 s0 = FIRST, most = 0;
  u32 y[64];
  GLOBAL quads* saved = scratch + (u64)(THREAD / 8) * 128 + ME;
  for (int i = 0; i < 64; i++) y[i] = SPLAT(iv, i & 7);
#define STEPS(s) (lengths[s] / 64 + (finish ? 3 : 0))
  // All sets of a work-group make equal numbers of steps, because the barrier is for all.
  NOT_UNROLLED for (u32 s = FIRST_OF_ALL; s < FIRST_OF_ALL + THREADS * 2 && s < count; s++) most = STEPS(s) > most ? (u32)STEPS(s) : most;
  if (HAS_KEY) EACH_OF_FOUR(s) for (u32 w = 0; w < 16; w++) sums[s * 16 + w] = 0;
  NOT_UNROLLED for (u32 j = 0; j < most; j++) {
    u32 active = 0;
    if (HAS_KEY) {
      EACH_OF_FOUR(s) {
        if (j < STEPS(s) && j <= lengths[s] / 64) {
          u64 carry = 0;
          for (u32 w = 0; w < 16; w++) {
            carry += (u64)sums[s * 16 + w] + word_of(in + at[s], lengths[s], prefix + s * 16, with_prefix, sums, j, w);
            sums[s * 16 + w] = (u32)carry;
            carry >>= 32;
          }
        }
      }
    } else {
      u32 counted = 0;
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
      for (int i = 0; i < 64; i++) y[i] = OWN(i);
      PLANES
      OWN(0) = counted;
    }
    MEMORY_BARRIER;
    u32 with_n = ME == 0 ? words_of_rows[MEMBER | THREADS / 2] : 0;
    BARRIER;
    compress(y, j, with_n, active, constants, saved, rows);
  }
  if (HAS_KEY) ROWS_OUT(out, (s0 + i) * 16)
}

// PBKDF2 over HMAC-Streebog-512 (R 50.1.111-2016, section 4). For each password: the states after the key's two blocks
// (pads: the blocks; states: 16 words each, inner and outer), the last U and the sum of all so far. Adds this many
// iterations to both. scratch: 128 words per thread.
KERNEL(streebog_pbkdf2)(GLOBAL const quads* constants, GLOBAL const u32* pads, GLOBAL const u32* states, GLOBAL u32* last,
                        GLOBAL u32* sum, u32 count, u32 iterations, GLOBAL u32* sums, GLOBAL quads* scratch) {
  LOCAL_MEMORY quads rows[16 * THREADS];
  LOCAL u32* words_of_rows = (LOCAL u32*)rows;
  LOCAL quads* mine = rows + MEMBER;
  u32 s0 = FIRST;
  u32 y[64];
  GLOBAL quads *saved = scratch + (u64)(THREAD / 8) * 256 + ME, *total = saved + 128;
  if (HAS_KEY) {
    ROWS_IN(sum, (s0 + i) * 16)
    STORE(total, 8)
    ROWS_IN(last, (s0 + i) * 16)
  }
  // A hash is four steps: the block, the padding, the length, the sum. Two hashes are an iteration.
  NOT_UNROLLED for (u64 step = 0; step < (u64)8 * iterations; step++) {
    u32 phase = step & 3, half_of = step >> 2 & 1;
    BARRIER;
    if (phase == 0) {
      // The hash is the message: its words are kept for the sum, and the state after the key's block replaces it.
      LOCAL quads* hash = mine - THREADS / 2;
      if (HAS_KEY) STORE(mine, THREADS)
      BARRIER;
      if (!HAS_KEY) LOAD(hash, THREADS)
      BARRIER;
      if (HAS_KEY) {
        ROWS_OUT(sums, (s0 + i) * 16)
        ROWS_IN(states, ((s0 + i) * 2 + half_of) * 16)
      }
    } else if (phase == 3) {
      if (HAS_KEY) EACH_OF_FOUR(s) {
        u64 carry = 1;
        for (u32 w = 0; w < 16; w++) {
          carry += (u64)sums[s * 16 + w] + pads[(s * 2 + half_of) * 16 + w];
          sums[s * 16 + w] = (u32)carry;
          carry >>= 32;
        }
      }
      MEMORY_BARRIER;
      if (!HAS_KEY) ROWS_IN(sums, (s0 + i) * 16)
      JOIN;
    } else if (!HAS_KEY) {
      // The padding is 1; the length is 1024 bits.
      for (int i = 0; i < 64; i++) y[i] = 0;
      if (ME == 0) {
        if (phase == 1) y[0] = ~0; else y[10] = ~0;
      }
    }
    MEMORY_BARRIER;
    compress(y, phase + 1, ME == 0 && phase < 2 ? ~0 : 0, ~0, constants, saved, rows);
    if (HAS_KEY && (step & 7) == 7) {
      for (int i = 0; i < 16; i++) {
        quads q = total[i * 8];
        q.x ^= y[4 * i]; q.y ^= y[4 * i + 1]; q.z ^= y[4 * i + 2]; q.w ^= y[4 * i + 3];
        total[i * 8] = q;
      }
    }
  }
  if (HAS_KEY) {
    ROWS_OUT(last, (s0 + i) * 16)
    LOAD(total, 8)
    ROWS_OUT(sum, (s0 + i) * 16)
  }
}
