// Kuznyechik (GOST R 34.12-2015, RFC 7801) on bit planes, without look-ups. x[8 j + b] is bit b of byte j in memory
// order, a_15 first. Must be defined: THREADS in a work-group.

// Applies S to every byte.
#define SUBSTITUTE(j) PI(x[8 * j], x[8 * j + 1], x[8 * j + 2], x[8 * j + 3], x[8 * j + 4], x[8 * j + 5], x[8 * j + 6], x[8 * j + 7], \
  x[8 * j], x[8 * j + 1], x[8 * j + 2], x[8 * j + 3], x[8 * j + 4], x[8 * j + 5], x[8 * j + 6], x[8 * j + 7])
#define SUBSTITUTE_BACK(j) PI_INVERSE(x[8 * j], x[8 * j + 1], x[8 * j + 2], x[8 * j + 3], x[8 * j + 4], x[8 * j + 5], x[8 * j + 6], x[8 * j + 7], \
  x[8 * j], x[8 * j + 1], x[8 * j + 2], x[8 * j + 3], x[8 * j + 4], x[8 * j + 5], x[8 * j + 6], x[8 * j + 7])
// One step of the shift register: byte k is at (k - step) modulo 16, and the sum replaces the byte that leaves.
#define STEP(s) { u32 y[8]; KUZNYECHIK_SUM_AT(s, y) \
  x[8 * (15 - s)] = y[0]; x[8 * (15 - s) + 1] = y[1]; x[8 * (15 - s) + 2] = y[2]; x[8 * (15 - s) + 3] = y[3]; \
  x[8 * (15 - s) + 4] = y[4]; x[8 * (15 - s) + 5] = y[5]; x[8 * (15 - s) + 6] = y[6]; x[8 * (15 - s) + 7] = y[7]; }
#define B(k, b) x[8 * ((k) - SHIFT & 15) + (b)]
#define KUZNYECHIK_SUM_AT(s, y) { const int SHIFT = s; KUZNYECHIK_SUM(y) }
// One step back: byte 0 leaves; the register is read from byte 1 on, and byte 0 has the coefficient of the last.
#define STEP_BACK(s) { u32 y[8]; KUZNYECHIK_SUM_AT(-1 - s, y) \
  x[8 * s] = y[0]; x[8 * s + 1] = y[1]; x[8 * s + 2] = y[2]; x[8 * s + 3] = y[3]; \
  x[8 * s + 4] = y[4]; x[8 * s + 5] = y[5]; x[8 * s + 6] = y[6]; x[8 * s + 7] = y[7]; }

// The rounds, for each form of keys. Encryption: K_1, then nine times S, L^-1(K_2 ..) + PI_CONSTANT, L. Decryption:
// K_10, then nine times L^-1, S^-1, K_9 .. K_1. Key r is at KEY(keys, r, plane).
#define ADD_KEY(i) x[i] ^= k(i);
#define ROUNDS(name, KEYS, KEY) \
  FUNCTION void name##_add(u32* x, KEYS keys, u32 r) { \
    for (int i = 0; i < 128; i++) x[i] ^= KEY(keys, r, i); \
  } \
  FUNCTION void name##_encrypt(u32* x, KEYS keys) { \
    name##_add(x, keys, 0); \
    NOT_UNROLLED for (u32 r = 1; r < 10; r++) { \
      REPEAT16(SUBSTITUTE) \
      name##_add(x, keys, r); \
      REPEAT16(STEP) \
    } \
  } \
  FUNCTION void name##_decrypt(u32* x, KEYS keys) { \
    name##_add(x, keys, 0); \
    NOT_UNROLLED for (u32 r = 1; r < 10; r++) { \
      REPEAT16(STEP_BACK) \
      REPEAT16(SUBSTITUTE_BACK) \
      name##_add(x, keys, r); \
    } \
  }

#ifdef __CUDACC__
#define ONE_KEY const uniform<1280>&
#else
#define ONE_KEY __constant const u32*
#endif
#define BIT_OF_ONE(keys, r, i) AT(keys, 128 * (r) + (i))
ROUNDS(under_one, ONE_KEY, BIT_OF_ONE)
// One key for each thread: ten round keys of four words, in memory.
#define BIT_OF_WORDS(keys, r, i) SPLAT(keys[4 * (r) + (i) / 32], (i) & 31)
ROUNDS(under_words, GLOBAL const u32*, BIT_OF_WORDS)
// One key for each of the thread's blocks: planes in memory, `stride` apart.
typedef struct { GLOBAL const u32* at; u32 stride; } planes;
#define BIT_OF_PLANES(keys, r, i) keys.at[(128 * (r) + (i)) * keys.stride]
ROUNDS(under_planes, const planes, BIT_OF_PLANES)

FUNCTION void transpose4(u32* x) {
  transpose(x);
  transpose(x + 32);
  transpose(x + 64);
  transpose(x + 96);
}

#define ECB 0
#define CBC 1
#define CFB 2
#define XTS 4

#define XOR_QUADS(a, b) { a.x ^= b.x; a.y ^= b.y; a.z ^= b.z; a.w ^= b.w; }

// Independent blocks: ECB; decryption in CBC or CFB, from one memory to another, with the block before the first at
// other[0]; XTS, with the masks at other.
#define MAP(name, apply) \
KERNEL(name)(UNIFORM(1280, keys), GLOBAL const quads* in, GLOBAL quads* out, u64 blocks, u32 mode, GLOBAL const quads* other) { \
  u32 x[128]; \
  if (GROUP * (u64)1024 >= blocks) return; \
  u64 base = (u64)GROUP * 1024 + LANE, all = blocks - (u64)GROUP * 1024; \
  int left = (int)(all < 1024 ? all : 1024) - (int)LANE; \
  in += base; \
  out += base; \
  if (mode == XTS) other += base; \
  REPEAT32(LOAD) \
  transpose4(x); \
  apply(x, keys); \
  transpose4(x); \
  REPEAT32(STORE) \
}
#define BEFORE(i) (base + 32 * i ? in[32 * i - 1] : other[0])
#define LOAD(i) { \
  quads q; q.x = q.y = q.z = q.w = 0; \
  if (32 * i < left) { \
    if (mode == CFB) q = BEFORE(i); else q = in[32 * i]; \
    if (mode == XTS) { quads t = other[32 * i]; XOR_QUADS(q, t) } } \
  x[i] = q.x; x[i + 32] = q.y; x[i + 64] = q.z; x[i + 96] = q.w; }
#define STORE(i) if (32 * i < left) { \
  quads q; q.x = x[i]; q.y = x[i + 32]; q.z = x[i + 64]; q.w = x[i + 96]; \
  if (mode == CBC) { quads t = BEFORE(i); XOR_QUADS(q, t) } \
  if (mode == CFB) { quads t = in[32 * i]; XOR_QUADS(q, t) } \
  if (mode == XTS) { quads t = other[32 * i]; XOR_QUADS(q, t) } \
  out[32 * i] = q; }
MAP(kuznyechik_encrypt, under_one_encrypt)
MAP(kuznyechik_decrypt, under_one_decrypt)

// Adds the keystream of a counter, a big-endian number of 128 bits or of 64 in one half, to blocks. Groups are aligned
// in the counter, so that its last ten bits have equal planes in all; the first and the last group may be partial.
KERNEL(kuznyechik_stream)(UNIFORM(1280, keys), GLOBAL const quads* in, GLOBAL quads* out, u64 blocks, u32 count, u64 high, u64 low) {
  u32 x[128], alone = count & ALONE;
  count &= ~ALONE;
  u32 off = (u32)(count == LEFT ? high : low) & 1023;
  if ((u64)GROUP * 1024 >= off + blocks) return;
  u64 step = (u64)GROUP * 1024 - off, lane = LANE;
  if (count == LEFT) high = high + step | lane;
  else {
    u64 now = low + step;
    // The first group begins before the register, which may not have wrapped yet.
    if (count == WHOLE && GROUP && now < low) high++;
    low = now | lane;
  }
  u32 to_low = count == LEFT ? 0 : ~0, to_high = ~to_low;
#define COUNT(p) { \
  u32 n = (p) >= 5 && (p) < 10 ? NUMBERS((p) - 5) : 0; \
  x[120 - (p) / 8 * 8 + (p) % 8] = SPLAT((u32)low, p) ^ (n & to_low); \
  x[88 - (p) / 8 * 8 + (p) % 8] = SPLAT((u32)(low >> 32), p); \
  x[56 - (p) / 8 * 8 + (p) % 8] = SPLAT((u32)high, p) ^ (n & to_high); \
  x[24 - (p) / 8 * 8 + (p) % 8] = SPLAT((u32)(high >> 32), p); }
  REPEAT32(COUNT)
  under_one_encrypt(x, keys);
  transpose4(x);
  i64 first = (i64)((u64)GROUP * 1024) + (int)(LANE - off), left = (i64)blocks - first;
  in += first;
  out += first;
#define ADD_TO(i) if (32 * i < left && 32 * i + first >= 0) { \
  quads q; q.x = q.y = q.z = q.w = 0; if (!alone) q = in[32 * i]; \
  q.x ^= x[i]; q.y ^= x[i + 32]; q.z ^= x[i + 64]; q.w ^= x[i + 96]; out[32 * i] = q; }
  REPEAT32(ADD_TO)
}

// Keystream in sections, each with its own register, and its own key or a common one: sections of CTR-ACPKM (RFC 8645,
// section 6.2.2), or messages. A thread processes 32 adjacent blocks of one section. A key has 40 words, in the form of
// under_words_encrypt; keys are `step` words apart.
KERNEL(kuznyechik_sections)(GLOBAL const u32* keys, GLOBAL const quads* in, GLOBAL quads* out, u64 blocks, u32 section, u32 step,
                            GLOBAL const quads* registers, u32 count) {
  u32 per = (section + 31) / 32, which = THREAD / per, part = THREAD % per * 32, alone = count & ALONE;
  count &= ~ALONE;
  u64 first = (u64)which * section + part;
  if (first >= blocks) return;
  u64 left = blocks - first;
  u32 n = section - part < 32 ? section - part : 32;
  if (left < n) n = (u32)left;
  quads start = registers[which];
  u64 high = (u64)SWAB(start.x) << 32 | SWAB(start.y), low = (u64)SWAB(start.z) << 32 | SWAB(start.w);
  u32 x[128];
#define NUMBER(i) { \
  u64 l = low, h = high; \
  if (count == LEFT) h += part + i; else { l += part + i; if (count == WHOLE) h += l < low; } \
  x[i] = SWAB((u32)(h >> 32)); x[i + 32] = SWAB((u32)h); x[i + 64] = SWAB((u32)(l >> 32)); x[i + 96] = SWAB((u32)l); }
  REPEAT32(NUMBER)
  transpose4(x);
  under_words_encrypt(x, keys + (u64)which * step);
  transpose4(x);
  in += first;
  out += first;
#define SECTION(i) if (i < n) { \
  quads q; q.x = q.y = q.z = q.w = 0; if (!alone) q = in[i]; \
  q.x ^= x[i]; q.y ^= x[i + 32]; q.z ^= x[i + 64]; q.w ^= x[i + 96]; out[i] = q; }
  REPEAT32(SECTION)
}

// Chained streams, 32 per thread, each under its own key: bulat's Chain. The blocks of a stream are at[s] .. +
// counts[s]. The states are in memory, as words.
#define CHAIN_CBC 0
#define CHAIN_CFB 1
#define CHAIN_OFB 2
#define CHAIN_MAC 3
KERNEL(kuznyechik_lanes)(GLOBAL const u32* keys, GLOBAL const quads* in, GLOBAL quads* out, GLOBAL const u64* at,
                         GLOBAL const u32* counts, GLOBAL quads* states, u32 streams, u32 threads, u32 chain) {
  if (THREAD >= threads) return;
  u32 most = 0, s0 = THREAD * 32;
  planes key;
  key.at = keys + THREAD;
  key.stride = threads;
#define LONGEST(i) if (s0 + i < streams && counts[s0 + i] > most) most = counts[s0 + i];
  REPEAT32(LONGEST)
  NOT_UNROLLED for (u32 j = 0; j < most; j++) {
    u32 x[128];
#define ACTIVE(i) (s0 + i < streams && j < counts[s0 + i])
#define MESSAGE_IN(i) { \
  quads q; q.x = q.y = q.z = q.w = 0; \
  if (ACTIVE(i)) { \
    q = states[s0 + i]; \
    if (chain == CHAIN_CBC || chain == CHAIN_MAC) { quads m = in[at[s0 + i] + j]; XOR_QUADS(q, m) } } \
  x[i] = q.x; x[i + 32] = q.y; x[i + 64] = q.z; x[i + 96] = q.w; }
    REPEAT32(MESSAGE_IN)
    transpose4(x);
    under_planes_encrypt(x, key);
    transpose4(x);
#define MESSAGE_OUT(i) if (ACTIVE(i)) { \
  quads q; q.x = x[i]; q.y = x[i + 32]; q.z = x[i + 64]; q.w = x[i + 96]; \
  if (chain == CHAIN_OFB) states[s0 + i] = q; \
  if (chain == CHAIN_CFB || chain == CHAIN_OFB) { quads m = in[at[s0 + i] + j]; XOR_QUADS(q, m) } \
  if (chain != CHAIN_OFB) states[s0 + i] = q; \
  if (chain != CHAIN_MAC) out[at[s0 + i] + j] = q; }
    REPEAT32(MESSAGE_OUT)
  }
}
