// Auxiliary kernels of the ciphers. The first converts keys of many streams to planes: plane 32 q + b of thread t, at
// (32 q + b) threads + t, has bit b of word q of the keys of streams 32 t .. 32 t + 31.
KERNEL(key_planes)(GLOBAL const u32* keys, GLOBAL u32* planes, u32 streams, u32 threads, u32 length) {
  u32 t = THREAD % threads, q = THREAD / threads;
  if (q >= length) return;
  u32 x[32];
#define KEY_WORD(i) x[i] = 32 * t + i < streams ? keys[(32 * t + i) * length + q] : 0;
  REPEAT32(KEY_WORD)
  transpose(x);
#define KEY_PLANE(i) planes[(u64)(32 * q + i) * threads + t] = x[i];
  REPEAT32(KEY_PLANE)
}

// Masks of XTS: block j of a sector has t x^j modulo x^128 + x^7 + x^2 + x + 1, where t is the encrypted tweak and the
// first byte has the lowest powers (IEEE Std 1619). A thread makes one. A launch has up to 2^32 blocks, from the start of
// sector `from`; block `first` is the first of it.
KERNEL(xts_masks)(GLOBAL const quads* tweaks, GLOBAL quads* masks, u32 blocks, u32 sector, u64 from, u64 first) {
  u32 n = THREAD;
  if (n >= blocks) return;
  quads t = tweaks[from + n / sector];
  u64 low = (u64)t.y << 32 | t.x, high = (u64)t.w << 32 | t.z;
  for (u32 j = n % sector; j;) {
    u32 s = j < 32 ? j : 32;
    u64 over = high >> (64 - s);
    high = high << s | low >> (64 - s);
    low = low << s ^ over ^ over << 1 ^ over << 2 ^ over << 7;
    j -= s;
  }
  t.x = (u32)low;
  t.y = (u32)(low >> 32);
  t.z = (u32)high;
  t.w = (u32)(high >> 32);
  masks[first + n] = t;
}
