// CTR by tables, as published elsewhere. NOT constant-time: addresses depend on keys and texts. Only for measurements.

#define SWAP(x) as_ulong(as_uchar8(x).s76543210)

// 16 tables of 256 blocks: S and L of one byte at its position.
__kernel void kuznyechik_vartime(__global const ulong2* tables, __global const ulong2* keys, ulong high, ulong low,
                                 __global ulong2* text, ulong blocks) {
  for (ulong i = get_global_id(0); i < blocks; i += get_global_size(0)) {
    ulong n = low + i;
    ulong2 x = keys[0] ^ (ulong2)(SWAP(high + (n < low)), SWAP(n));
    for (int r = 1; r < 10; r++) {
      ulong2 y = keys[r];
      for (int j = 0; j < 8; j++) {
        y ^= tables[256 * j + (x.x >> 8 * j & 255)];
        y ^= tables[256 * (j + 8) + (x.y >> 8 * j & 255)];
      }
      x = y;
    }
    text[i] ^= x;
  }
}

// Four tables of 256 words, each of two S-boxes and the rotation, in the memory of a work-group.
__kernel void magma_vartime(__global const uint* tables, __global const uint* keys, uint high, uint low,
                            __global ulong* text, ulong blocks) {
  __local uint t[1024];
  for (uint i = get_local_id(0); i < 1024; i += get_local_size(0)) t[i] = tables[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (ulong i = get_global_id(0); i < blocks; i += get_global_size(0)) {
    ulong n = ((ulong)high << 32 | low) + i;
    uint a = n >> 32, b = n;
    for (int r = 0; r < 32; r++) {
      uint x = b + keys[r];
      uint y = a ^ t[x & 255] ^ t[256 + (x >> 8 & 255)] ^ t[512 + (x >> 16 & 255)] ^ t[768 + (x >> 24)];
      a = b;
      b = y;
    }
    text[i] ^= SWAP((ulong)b << 32 | a);
  }
}
