// Processes files in turn, piece by piece. A result goes to a place of the user's choice, or to a file of the
// browser's own storage; either is given up when something fails.

import { Decryptor, Encryptor, Sum, init } from "../lib/container.js";

/** Gives the code of an error. */
function code(error) {
  if (error?.name === "BulatError") return error.code;
  if (error?.name === "QuotaExceededError") return "ROOM";
  if (error?.name === "NotReadableError" || error?.name === "NotFoundError") return "READ";
  return "INTERNAL";
}

/** A file of the user's choice: it gets the result when all of it is there. */
async function chosen(handle) {
  const to = await handle.createWritable();
  return { write: (bytes) => to.write(bytes), close: () => to.close(), abort: () => to.abort().catch(() => {}) };
}

/** A file of the browser's storage for this page. */
async function stored(name) {
  const folder = await navigator.storage.getDirectory();
  const handle = await folder.getFileHandle(name, { create: true });
  const to = await handle.createSyncAccessHandle();
  // An access handle leaves what an existing file has.
  to.truncate(0);
  let at = 0;
  return {
    write(bytes) {
      for (let n = 0; n < bytes.length; ) {
        const written = to.write(n === 0 ? bytes : bytes.subarray(n), { at: at + n });
        if (written === 0) throw new DOMException("no room", "QuotaExceededError");
        n += written;
      }
      at += bytes.length;
    },
    close() {
      to.flush();
      to.close();
    },
    async abort() {
      to.close();
      await folder.removeEntry(name).catch(() => {});
    },
  };
}

/** Memory, where the browser has no such storage, or refuses it, as Firefox does in private windows. */
function kept() {
  const pieces = [];
  return { write: (bytes) => void pieces.push(bytes), close: () => new Blob(pieces), abort() {} };
}

async function run({ id, kind, file, bits, options, handle, name }) {
  const sum = kind === "sum" ? new Sum(bits) : undefined;
  const coder = kind === "encrypt" ? new Encryptor(options) : kind === "decrypt" ? new Decryptor({ ...options, name: file.name }) : undefined;
  const sink = sum ? undefined : handle ? await chosen(handle) : await stored(name).catch(kept);
  try {
    let [done, told] = [0, 0];
    const reader = file.stream().getReader();
    for (let piece; !(piece = await reader.read()).done; ) {
      const { value } = piece;
      if (sum) sum.update(value);
      else for (const out of coder.update(value)) if (out.length > 0) await sink.write(out);
      done += value.length;
      const now = performance.now();
      if (now - told > 100) {
        told = now;
        postMessage({ id, done });
      }
    }
    if (sum) {
      postMessage({ id, done, sum: sum.digest() });
      return;
    }
    for (const out of coder.final()) if (out.length > 0) await sink.write(out);
    postMessage({ id, done, blob: await sink.close(), ready: true });
  } catch (error) {
    await sink?.abort();
    throw error;
  } finally {
    sum?.free();
    coder?.free();
  }
}

self.onmessage = async ({ data }) => {
  const secret = data.options && (data.options.password ?? data.options.key);
  try {
    await init(data.module);
    await run(data);
  } catch (error) {
    postMessage({ id: data.id, code: code(error), message: error?.message });
  } finally {
    secret?.fill(0);
  }
};
