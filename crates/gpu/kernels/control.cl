// Kernels that leak, each in the way of its name, for crates/gpu/constant-time to find; only the last does not. For CUDA; part
// of no program.

KERNEL(control_table)(GLOBAL const u32* keys, GLOBAL const u32* table, GLOBAL u32* out, u32 count) {
  if (THREAD < count) out[THREAD] = table[keys[THREAD] & 255];
}

KERNEL(control_constant)(UNIFORM(256, table), GLOBAL const u32* keys, GLOBAL u32* out, u32 count) {
  if (THREAD < count) out[THREAD] = AT(table, keys[THREAD] & 255);
}

KERNEL(control_shared)(GLOBAL const u32* keys, GLOBAL const u32* table, GLOBAL u32* out, u32 count) {
  LOCAL_MEMORY u32 copy[THREADS];
  copy[MEMBER] = table[MEMBER];
  __syncthreads();
  if (THREAD < count) out[THREAD] = copy[keys[THREAD] % THREADS];
}

KERNEL(control_stack)(GLOBAL const u32* keys, GLOBAL u32* out, u32 count) {
  u32 own[32];
  for (u32 i = 0; i < 32; i++) own[i] = keys[THREAD + 32 * i];
  NOT_UNROLLED for (u32 i = 0; i < count; i++) own[own[i & 31] & 31] += i;
  for (u32 i = 0; i < 32; i++) out[THREAD + 32 * i] = own[i];
}

KERNEL(control_store)(GLOBAL const u32* keys, GLOBAL u32* out, u32 count) {
  if (THREAD < count) out[keys[THREAD] & 255] = 1;
}

KERNEL(control_loop)(GLOBAL const u32* keys, GLOBAL u32* out, u32 count) {
  u32 sum = 0;
  NOT_UNROLLED for (u32 i = 0; i < keys[THREAD]; i++) sum = sum * 3 ^ i;
  if (THREAD < count) out[THREAD] = sum;
}

KERNEL(control_leave)(GLOBAL const u32* keys, GLOBAL u32* out, u32 count) {
  if (THREAD >= count || keys[THREAD] & 1) return;
  for (u32 i = 0; i < 32; i++) out[THREAD + i * count] = i;
}

KERNEL(control_read)(GLOBAL const u32* keys, GLOBAL const u32* in, GLOBAL u32* out, u32 count) {
  if (THREAD >= count) return;
  u32 sum = 0;
  if (keys[THREAD] & 1) sum = in[THREAD];
  out[THREAD] = sum;
}

KERNEL(control_key)(UNIFORM(8, keys), GLOBAL const u32* in, GLOBAL u32* out, u32 count) {
  if (THREAD >= count) return;
  u32 sum = 1;
  if (AT(keys, 3) & 2) sum = in[THREAD] + in[THREAD + count];
  out[THREAD] = sum;
}

KERNEL(control_lane)(GLOBAL const u32* keys, GLOBAL u32* out, u32 count) {
  out[THREAD] = __shfl_sync(~0u, keys[THREAD] * 5, keys[THREAD + count]);
}

KERNEL(control_divide)(GLOBAL const u32* keys, GLOBAL u32* out, u32 count) {
  if (THREAD < count) out[THREAD] = count / keys[THREAD];
}

KERNEL(control_publish)(GLOBAL const u32* keys, GLOBAL u32* counts, u32 count) {
  if (THREAD < count) counts[THREAD] = keys[THREAD];
}

KERNEL(control_nothing)(UNIFORM(8, keys), GLOBAL const u32* in, GLOBAL const u32* counts, GLOBAL u32* out, u32 count) {
  if (THREAD >= count) return;
  u32 word = AT(keys, 1), left = counts[THREAD];
  NOT_UNROLLED for (u32 i = 0; i < left; i++) {
    word = (word << 1 | word >> 31) + in[THREAD + i];
    word = word & 1 ? word ^ AT(keys, 2) : word;
    out[THREAD + i] = word;
  }
}
