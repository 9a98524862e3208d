// Random bytes and numbers, the same for each run.

import { createHash } from "node:crypto";

export function dice(seed) {
  let count = 0;
  const random = (n) => new Uint8Array(createHash("shake128", { outputLength: n }).update(`${seed} ${count++}`).digest());
  return { random, below: (n) => new DataView(random(4).buffer).getUint32(0) % n };
}
