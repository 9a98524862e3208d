// Magma (GOST R 34.12-2015) and GOST 28147-89 on bit planes, without look-ups. Must be defined: BOXES, the number of
// the set of S-boxes in ParamSet::ALL, or OWN for boxes given as data; TURN, 24 for Magma's byte order, 0 for GOST
// 28147-89; THREADS in a work-group. Plane i ^ TURN of a half is bit i of N1 or N2.

#ifdef OWN
// Eight boxes of sixteen values as masks: AT(boxes, 64 n + 4 v + b) is bit b of value v of box n.
#ifdef __CUDACC__
#define BOXES_TYPE const uniform<512>&
#else
#define BOXES_TYPE __constant const u32*
#endif
#define BOXES_ARGUMENT UNIFORM(512, boxes),
#define BOXES_PARAMETER , BOXES_TYPE boxes
#define BOXES_PASSED , boxes
// A tree of selections by the four bits, which reads all sixteen values.
FUNCTION u32 own_bit(BOXES_TYPE boxes, int at, u32 a, u32 b, u32 c, u32 d) {
#define LEAF(v) SEL(a, AT(boxes, at + 4 * v + 4), AT(boxes, at + 4 * v))
  return SEL(d, SEL(c, SEL(b, LEAF(14), LEAF(12)), SEL(b, LEAF(10), LEAF(8))), SEL(c, SEL(b, LEAF(6), LEAF(4)), SEL(b, LEAF(2), LEAF(0))));
}
#define BOX(n, a, b, c, d, y0, y1, y2, y3) { \
  y0 ^= own_bit(boxes, 64 * n, a, b, c, d); y1 ^= own_bit(boxes, 64 * n + 1, a, b, c, d); \
  y2 ^= own_bit(boxes, 64 * n + 2, a, b, c, d); y3 ^= own_bit(boxes, 64 * n + 3, a, b, c, d); }
#else
#define BOXES_ARGUMENT
#define BOXES_PARAMETER
#define BOXES_PASSED
#define PASTE(s, n) BOX_##s##_##n
#define NAMED(s, n) PASTE(s, n)
#define BOX(n, a, b, c, d, y0, y1, y2, y3) NAMED(BOXES, n)(a, b, c, d, y0, y1, y2, y3)
#endif

// y ^= rol(S(x + word j of the key), 11): the sum plane by plane; after each four planes, their box.
#define X(i) x[(i) ^ TURN]
#define Y(i) y[((i) + 11 & 31) ^ TURN]
#define ADD(KEY, i, s) u32 s; { u32 k = KEY(keys, j, i); s = XOR3(X(i), k, carry); carry = MAJ(X(i), k, carry); }
#define NIBBLE(KEY, n) { \
  ADD(KEY, 4 * n, s0) ADD(KEY, 4 * n + 1, s1) ADD(KEY, 4 * n + 2, s2) ADD(KEY, 4 * n + 3, s3) \
  BOX(n, s0, s1, s2, s3, Y(4 * n), Y(4 * n + 1), Y(4 * n + 2), Y(4 * n + 3)) }
// The rounds, for each form of keys: `up` times eight with the words in order, then `down` times eight in reverse.
#define ROUNDS(name, KEYS, KEY) \
  FUNCTION void name##_round(u32* x, u32* y, KEYS keys, const int j BOXES_PARAMETER) { \
    u32 carry = 0; \
    NIBBLE(KEY, 0) NIBBLE(KEY, 1) NIBBLE(KEY, 2) NIBBLE(KEY, 3) NIBBLE(KEY, 4) NIBBLE(KEY, 5) NIBBLE(KEY, 6) NIBBLE(KEY, 7) \
  } \
  FUNCTION void name(u32* n1, u32* n2, KEYS keys, u32 up, u32 down BOXES_PARAMETER) { \
    NOT_UNROLLED for (u32 i = 0; i < up; i++) { \
      name##_round(n1, n2, keys, 0 BOXES_PASSED); name##_round(n2, n1, keys, 1 BOXES_PASSED); \
      name##_round(n1, n2, keys, 2 BOXES_PASSED); name##_round(n2, n1, keys, 3 BOXES_PASSED); \
      name##_round(n1, n2, keys, 4 BOXES_PASSED); name##_round(n2, n1, keys, 5 BOXES_PASSED); \
      name##_round(n1, n2, keys, 6 BOXES_PASSED); name##_round(n2, n1, keys, 7 BOXES_PASSED); \
    } \
    NOT_UNROLLED for (u32 i = 0; i < down; i++) { \
      name##_round(n1, n2, keys, 7 BOXES_PASSED); name##_round(n2, n1, keys, 6 BOXES_PASSED); \
      name##_round(n1, n2, keys, 5 BOXES_PASSED); name##_round(n2, n1, keys, 4 BOXES_PASSED); \
      name##_round(n1, n2, keys, 3 BOXES_PASSED); name##_round(n2, n1, keys, 2 BOXES_PASSED); \
      name##_round(n1, n2, keys, 1 BOXES_PASSED); name##_round(n2, n1, keys, 0 BOXES_PASSED); \
    } \
  }

// One common key: AT(keys, 32 j + i) is bit i of word j as a mask.
#ifdef __CUDACC__
#define ONE_KEY const uniform<256>&
#else
#define ONE_KEY __constant const u32*
#endif
#define BIT_OF_ONE(keys, j, i) AT(keys, 32 * (j) + (i))
ROUNDS(under_one, ONE_KEY, BIT_OF_ONE)
// One key for each thread, eight words.
#define BIT_OF_WORDS(keys, j, i) SPLAT(keys[j], i)
ROUNDS(under_words, const u32*, BIT_OF_WORDS)
// One key for each of the thread's blocks: planes in memory, `stride` apart.
typedef struct { GLOBAL const u32* at; u32 stride; } planes;
#define BIT_OF_PLANES(keys, j, i) keys.at[(32 * (j) + (i)) * keys.stride]
ROUNDS(under_planes, const planes, BIT_OF_PLANES)

// N1 and N2 are the words in memory; in Magma's order the second and the first.
#define FIRST(w) (TURN ? (w).y : (w).x)
#define SECOND(w) (TURN ? (w).x : (w).y)

// x modulo 2^32 - 1, all ones for 0 unless x is 0.
FUNCTION u64 fold(u64 x) {
  x = (x >> 32) + (u32)x;
  return (x >> 32) + (u32)x;
}
// The register N3, N4 of RFC 5830, section 6, after n >= 1 steps.
FUNCTION words cnt(u32 n3, u32 n4, u64 n) {
  u64 sum = n4 + fold(fold(n) * 0x01010104);
  words w;
  w.x = n3 + (u32)n * 0x01010101;
  w.y = (u32)(sum + (sum >> 32));
  return w;
}

#define ECB 0
#define CBC 1
#define CFB 2

// Independent blocks: ECB; decryption in CBC or CFB, from one memory to another; CNT. iv is the block before the first,
// or the register.
KERNEL(magma_map)(UNIFORM(256, keys), BOXES_ARGUMENT GLOBAL const words* in, GLOBAL words* out, u64 blocks, u32 mode,
                  u32 up, u32 down, u32 iv0, u32 iv1) {
  u32 n1[32], n2[32];
  u64 base = (u64)GROUP * 1024 + LANE;
  if (GROUP * (u64)1024 >= blocks) return;
  u64 all = blocks - (u64)GROUP * 1024;
  int left = (int)(all < 1024 ? all : 1024) - (int)LANE;
  in += base;
  out += base;
#define LOAD(i) { \
  words w; w.x = iv0; w.y = iv1; \
  if (mode == CNT) w = cnt(iv0, iv1, base + 32 * i + 1); \
  else if (32 * i < left) { \
    if (mode != CFB) w = in[32 * i]; \
    else if (base + 32 * i) w = in[32 * i - 1]; } \
  n1[i] = FIRST(w); n2[i] = SECOND(w); }
  REPEAT32(LOAD)
  transpose(n1);
  transpose(n2);
  under_one(n1, n2, keys, up, down BOXES_PASSED);
  transpose(n1);
  transpose(n2);
#define STORE(i) if (32 * i < left) { \
  words w; w.x = TURN ? n1[i] : n2[i]; w.y = TURN ? n2[i] : n1[i]; \
  if (mode != ECB) { \
    words o; o.x = iv0; o.y = iv1; \
    if (mode != CBC) o = in[32 * i]; \
    else if (base + 32 * i) o = in[32 * i - 1]; \
    w.x ^= o.x; w.y ^= o.y; } \
  out[32 * i] = w; }
  REPEAT32(STORE)
}

// Adds the keystream of a counter, a big-endian number, to blocks. Groups are aligned in the counter, so that its last
// ten bits have equal planes in all; the first and the last group may be partial.
KERNEL(magma_stream)(UNIFORM(256, keys), BOXES_ARGUMENT GLOBAL const words* in, GLOBAL words* out, u64 blocks, u32 count,
                     u32 high, u32 low) {
  u32 x[32], y[32], alone = count & ALONE;
  count &= ~ALONE;
  u32 off = (count == LEFT ? high : low) & 1023, aligned = GROUP << 10;
  if ((u64)GROUP * 1024 >= off + blocks) return;
  u32 to_low = count == LEFT ? 0 : ~0, to_high = ~to_low;
  u32 carry = count == WHOLE ? (u32)(((u64)(low - off) + (u64)GROUP * 1024) >> 32) : 0;
  u32 l = low + ((aligned - off) & to_low), h = high + ((aligned - off) & to_high) + carry;
  l |= LANE & to_low;
  h |= LANE & to_high;
#define COUNT(p) { \
  u32 n = (p) >= 5 && (p) < 10 ? NUMBERS((p) - 5) : 0; \
  y[(p) ^ 24] = SPLAT(l, p) ^ (n & to_low); x[(p) ^ 24] = SPLAT(h, p) ^ (n & to_high); }
  REPEAT32(COUNT)
  if (TURN) under_one(y, x, keys, 3, 1 BOXES_PASSED); else under_one(x, y, keys, 3, 1 BOXES_PASSED);
  transpose(x);
  transpose(y);
  i64 first = (i64)((u64)GROUP * 1024) + (int)(LANE - off), left = (i64)blocks - first;
  in += first;
  out += first;
#define ADD_TO(i) if (32 * i < left && 32 * i + first >= 0) { \
  words w; w.x = w.y = 0; if (!alone) w = in[32 * i]; w.x ^= y[i]; w.y ^= x[i]; out[32 * i] = w; }
  REPEAT32(ADD_TO)
}

// Keystream in sections, each with its own register, and its own key or a common one: sections of CTR-ACPKM (RFC 8645,
// section 6.2.2), or messages. A thread processes 32 adjacent blocks of one section. Keys are `step` words apart.
KERNEL(magma_sections)(GLOBAL const u32* keys, BOXES_ARGUMENT GLOBAL const words* in, GLOBAL words* out, u64 blocks,
                       u32 section, u32 step, GLOBAL const words* registers, u32 count) {
  u32 per = (section + 31) / 32, which = THREAD / per, part = THREAD % per * 32, alone = count & ALONE;
  count &= ~ALONE;
  u64 first = (u64)which * section + part;
  if (first >= blocks) return;
  u64 left = blocks - first;
  u32 n = section - part < 32 ? section - part : 32;
  if (left < n) n = (u32)left;
  words start = registers[which];
  u32 high = SWAB(start.x), low = SWAB(start.y);
  u32 x[32], y[32], words_of_key[8];
#define WORD(j) words_of_key[j] = keys[(u64)which * step + j];
  REPEAT8(WORD)
#define NUMBER(i) { \
  u32 l = low, h = high; \
  if (count == LEFT) h += part + i; else { l += part + i; if (count == WHOLE) h += l < low; } \
  x[i] = SWAB(h); y[i] = SWAB(l); }
  REPEAT32(NUMBER)
  transpose(x);
  transpose(y);
  if (TURN) under_words(y, x, words_of_key, 3, 1 BOXES_PASSED); else under_words(x, y, words_of_key, 3, 1 BOXES_PASSED);
  transpose(x);
  transpose(y);
  in += first;
  out += first;
#define SECTION(i) if (i < n) { words w; w.x = w.y = 0; if (!alone) w = in[i]; w.x ^= y[i]; w.y ^= x[i]; out[i] = w; }
  REPEAT32(SECTION)
}

// Chained streams, 32 per thread, each under its own key: bulat's Chain. The blocks of a stream are at[s] .. +
// counts[s].
#define CHAIN_CBC 0
#define CHAIN_CFB 1
#define CHAIN_OFB 2
#define CHAIN_MAC 3
KERNEL(magma_lanes)(GLOBAL const u32* keys, BOXES_ARGUMENT GLOBAL const words* in, GLOBAL words* out, GLOBAL const u64* at,
                    GLOBAL const u32* counts, GLOBAL words* states, u32 streams, u32 threads, u32 chain, u32 up, u32 down) {
  if (THREAD >= threads) return;
  u32 most = 0, s0 = THREAD * 32;
  planes key;
  key.at = keys + THREAD;
  key.stride = threads;
#define LONGEST(i) if (s0 + i < streams && counts[s0 + i] > most) most = counts[s0 + i];
  REPEAT32(LONGEST)
  NOT_UNROLLED for (u32 j = 0; j < most; j++) {
    u32 n1[32], n2[32];
#define ACTIVE(i) (s0 + i < streams && j < counts[s0 + i])
#define MESSAGE_IN(i) { \
  words w; w.x = w.y = 0; \
  if (ACTIVE(i)) { \
    w = states[s0 + i]; \
    if (chain == CHAIN_CBC || chain == CHAIN_MAC) { words m = in[at[s0 + i] + j]; w.x ^= m.x; w.y ^= m.y; } } \
  n1[i] = FIRST(w); n2[i] = SECOND(w); }
    REPEAT32(MESSAGE_IN)
    transpose(n1);
    transpose(n2);
    under_planes(n1, n2, key, up, down BOXES_PASSED);
    transpose(n1);
    transpose(n2);
    // After all 32 rounds the halves are exchanged; after IMIT's 16 they are not.
    int swapped = TURN ? down == 0 : down != 0;
#define MESSAGE_OUT(i) if (ACTIVE(i)) { \
  words w; w.x = swapped ? n2[i] : n1[i]; w.y = swapped ? n1[i] : n2[i]; \
  if (chain == CHAIN_OFB) states[s0 + i] = w; \
  if (chain == CHAIN_CFB || chain == CHAIN_OFB) { words m = in[at[s0 + i] + j]; w.x ^= m.x; w.y ^= m.y; } \
  if (chain != CHAIN_OFB) states[s0 + i] = w; \
  if (chain != CHAIN_MAC) out[at[s0 + i] + j] = w; }
    REPEAT32(MESSAGE_OUT)
  }
}
