// The container of `bulat encrypt` and sums of files, over the calls that both modules have.

import { BulatError, Handle, Owner, bytes, decode, encode, kind, known, node, number, pieces } from "./core.js";

const [HEADER, NAME, SLOTS] = [2048, 48, 16];
const CIPHERS = ["kuznyechik-mgm", "magma-mgm"];
/** The command's bounds for the iterations of PBKDF2, and the most in all slots of a file. */
const [LEAST, MOST, ALL] = [200_000, 20_000_000, 80_000_000];
/** Its bounds for the KiB of Argon2id, and its usual ones; for the passes. */
const [MEMORY, USUAL, MOST_MEMORY] = [64 << 10, 256 << 10, 1 << 20];
const [PASSES, MOST_PASSES] = [3, 64];
/** The numbers of the kinds of slots. */
const [KEY, PBKDF2, ARGON2ID] = [1, 2, 3];
const SECRETS = ["key", "password"];

/** Gives the secret's bytes, and whether it is a password. */
function secret(options) {
  const { key, password } = options;
  if ((key === undefined) === (password === undefined)) throw new TypeError("either key or password is required");
  if (password !== undefined) {
    // The command does not accept these either.
    const value = typeof password === "string" ? encode(password) : bytes(password, "password");
    if (value.length === 0) throw new RangeError("the password is empty");
    if (value.includes(0) || value.includes(10) || value.includes(13))
      throw new RangeError("the password has a line end or a zero byte");
    return [value, true];
  }
  const value = bytes(key, "key");
  if (value.length !== 32) throw new RangeError(`the key must have 32 bytes, not ${value.length}; readKeyFile() reads key files`);
  return [value, false];
}

/** Gives the kind of a new slot, and its cost. */
function cost(core, options) {
  const { kdf, iterations, memory, passes, password } = options;
  if (password === undefined) {
    if ((kdf ?? iterations ?? memory ?? passes) !== undefined) throw new TypeError("kdf, iterations, memory and passes are only for a password");
    return [KEY, 0, 0, 0];
  }
  if (kdf === "pbkdf2") {
    if ((memory ?? passes) !== undefined) throw new TypeError("memory and passes are only for argon2id");
    return [PBKDF2, iterations === undefined ? iterationsOfASecond(core) : number(iterations, "iterations", LEAST, MOST), 0, 0];
  }
  if (kdf !== undefined && kdf !== "argon2id") throw new BulatError("UNKNOWN_ALGORITHM", `unknown kdf: ${kdf}; known: argon2id, pbkdf2`);
  if (iterations !== undefined) throw new TypeError("iterations are only for pbkdf2");
  return [ARGON2ID, number(memory ?? USUAL, "memory", MEMORY, MOST_MEMORY), number(passes ?? PASSES, "passes", PASSES, MOST_PASSES), 1];
}

/** Begins a container: its chunks and its header. */
function begin(core, options, [kind, ...numbers]) {
  const [value] = secret(options);
  const cipher = CIPHERS.indexOf(options.cipher ?? CIPHERS[0]) + 1;
  if (cipher === 0) throw new BulatError("UNKNOWN_ALGORITHM", `unknown cipher: ${options.cipher}; known: ${CIPHERS.join(", ")}`);
  return core.call((wasm) => {
    const [at, header] = [core.put(value), core.room(HEADER)];
    const fresh = core.room(80);
    crypto.getRandomValues(core.u8.subarray(fresh, fresh + 80));
    const costs = core.room(12);
    numbers.forEach((n, i) => core.view.setUint32(costs + 4 * i, n, true));
    const chunk = number(options.chunkLog2 ?? 17, "chunkLog2", 12, 20);
    const feed = wasm.web_seal_new(cipher, chunk, kind, costs, at, value.length, fresh, header);
    if (feed === 0) core.failed();
    return [new Feed(core, feed), core.take(header, HEADER)];
  });
}

/**
 * Gives the iterations that need about a second here, as the command does: the best of many short trials counts. A browser may have
 * a clock of 100 ms, with which a trial needs no time: then the mean counts.
 */
function iterationsOfASecond(core) {
  const first = performance.now();
  let [best, trials] = [Infinity, 0];
  while (performance.now() - first < (best > 0 && best < Infinity ? 100 : 500)) {
    const start = performance.now();
    begin(core, { password: "measure", chunkLog2: 12 }, [PBKDF2, 2000, 0, 0])[0].free();
    best = Math.min(best, performance.now() - start);
    trials += 1;
  }
  best ||= (performance.now() - first) / trials;
  const count = Math.floor((2000 * 1000) / Math.max(best, 0.01) / 10_000) * 10_000;
  return Math.min(Math.max(count, LEAST), ALL / SLOTS);
}

/** Chunks in progress. */
class Feed {
  #core;
  #handle;
  #room;
  #full;
  #filled = 0;
  constructor(core, at) {
    this.#core = core;
    this.#handle = new Handle(core, at, "web_feed_free");
    this.#room = core.wasm.web_feed_room(at) >>> 0;
    this.#full = core.wasm.web_feed_full(at);
  }
  /** Seals or opens the chunk. Its result is a copy. */
  #work(last) {
    const n = this.#core.call((wasm) => wasm.web_feed_work(this.#handle.at, this.#filled, last));
    this.#filled = 0;
    if (n < 0) {
      this.free();
      this.#core.failed();
    }
    return this.#core.take(this.#room, n);
  }
  /** Adds a piece; gives the chunks that are known not to be the last. */
  update(piece) {
    void this.#handle.at;
    const done = [];
    for (let at = 0; at < piece.length; ) {
      if (this.#filled === this.#full) done.push(this.#work(0));
      const n = Math.min(this.#full - this.#filled, piece.length - at);
      this.#core.u8.set(piece.subarray(at, at + n), this.#room + this.#filled);
      this.#filled += n;
      at += n;
    }
    return done;
  }
  /** Gives the last chunk. */
  final() {
    const last = this.#work(1);
    this.free();
    return last;
  }
  free() {
    this.#handle.free();
  }
}

/** Seals pieces of any size. */
class Encryptor extends Owner {
  #feed;
  #header;
  constructor(core, options) {
    super();
    options = known(options, [...SECRETS, "cipher", "kdf", "iterations", "memory", "passes", "chunkLog2"]);
    secret(options);
    [this.#feed, this.#header] = begin(core, options, cost(core, options));
  }
  update(piece) {
    const done = this.#feed.update(bytes(piece, "piece"));
    if (this.#header) done.unshift(this.#header);
    this.#header = undefined;
    return done;
  }
  final() {
    return [...this.update(new Uint8Array()), this.#feed.final()];
  }
  free() {
    this.#feed.free();
  }
}

/** Opens pieces of any size. A chunk comes out only after its tag was verified. */
class Decryptor extends Owner {
  #core;
  #options;
  #head = new Uint8Array(HEADER);
  #have = 0;
  #feed;
  #done = false;
  constructor(core, options) {
    super();
    this.#core = core;
    this.#options = { ...known(options, [...SECRETS, "maxIterations", "maxMemory", "name", "anyName"]) };
    secret(this.#options);
    number(this.#options.maxIterations ?? ALL, "maxIterations", 1);
    number(this.#options.maxMemory ?? MOST_MEMORY, "maxMemory", 1);
    const { name } = this.#options;
    if (name !== undefined && typeof name !== "string") throw new TypeError(`name must be a string, not ${kind(name)}`);
  }
  #open() {
    const core = this.#core;
    const [value, password] = secret(this.#options);
    this.#feed = core.call((wasm) => {
      const [head, at] = [core.put(this.#head.subarray(0, this.#have)), core.put(value)];
      const { maxIterations, maxMemory, name, anyName } = this.#options;
      const called = encode(name ?? "");
      const known = anyName === true ? 2 : name === undefined ? 0 : 1;
      const feed = wasm.web_open_new(
        head, this.#have, password ? 1 : 0, at, value.length, maxIterations ?? ALL, maxMemory ?? MOST_MEMORY,
        known, core.put(called), called.length,
      );
      if (feed === 0) core.failed();
      return new Feed(core, feed);
    });
    this.#options = undefined;
  }
  update(piece) {
    piece = bytes(piece, "piece");
    if (this.#done) throw new BulatError("FINISHED", "the container has ended");
    try {
      if (!this.#feed) {
        const n = Math.min(HEADER - this.#have, piece.length);
        this.#head.set(piece.subarray(0, n), this.#have);
        this.#have += n;
        piece = piece.subarray(n);
        if (this.#have < HEADER) return [];
        this.#open();
      }
      return this.#feed.update(piece);
    } catch (error) {
      this.free();
      throw error;
    }
  }
  final() {
    if (this.#done) throw new BulatError("FINISHED", "the container has ended");
    try {
      // A short header gets its own message from the parser.
      if (!this.#feed) this.#open();
      return [this.#feed.final()];
    } finally {
      this.free();
    }
  }
  free() {
    this.#done = true;
    this.#options = undefined;
    this.#feed?.free();
  }
}

/** A stream that passes pieces through a coder. */
function through(coder) {
  const all = (chunks, to) => {
    for (const chunk of chunks) if (chunk.length > 0) to.enqueue(chunk);
  };
  // Jest's jsdom lacks it, Node does not.
  const { TransformStream } = globalThis.TransformStream ? globalThis : (node("node:stream/web") ?? {});
  // The transformer's `cancel` is not everywhere: then the net of the object frees it.
  return new TransformStream({
    // In parts, so that chunks before a damaged one come out, and few of a long piece are in the memory.
    transform: (piece, to) => pieces(bytes(piece, "piece"), (part) => all(coder.update(part), to)),
    flush: (to) => all(coder.final(), to),
    cancel: () => coder.free(),
  });
}

/** Passes all of the data through a coder. */
function whole(coder, data) {
  try {
    const chunks = [...coder.update(data), ...coder.final()];
    const out = new Uint8Array(chunks.reduce((n, chunk) => n + chunk.length, 0));
    let at = 0;
    for (const chunk of chunks) {
      out.set(chunk, at);
      at += chunk.length;
    }
    return out;
  } finally {
    coder.free();
  }
}

/** A Streebog sum in pieces. */
class Sum extends Owner {
  #core;
  #handle;
  #bits;
  constructor(core, bits = 256) {
    super();
    if (bits !== 256 && bits !== 512) throw new RangeError(`a sum has 256 or 512 bits, not ${bits}`);
    this.#core = core;
    this.#bits = bits;
    this.#handle = new Handle(core, core.wasm.web_sum_new(bits), "web_sum_free");
  }
  update(data) {
    data = bytes(data, "data");
    const { at } = this.#handle;
    pieces(data, (piece) => this.#core.call((wasm) => wasm.web_sum_update(at, this.#core.put(piece), piece.length)));
    return this;
  }
  digest() {
    const core = this.#core;
    return core.call((wasm) => {
      const out = core.room(64);
      wasm.web_sum_final(this.#handle.give(), out);
      return core.take(out, this.#bits / 8);
    });
  }
  free() {
    this.#handle.free();
  }
}

/** Gives the fields of a header. */
function fileInfo(core, start) {
  start = bytes(start, "start").subarray(0, HEADER);
  return core.call((wasm) => {
    const out = core.room(16 + 16 * SLOTS);
    if (wasm.web_header(core.put(start), start.length, out) < 0) core.failed();
    const at = (i) => core.view.getUint32(out + 4 * i, true);
    const name = at(3) === 0 ? undefined : decode(start.subarray(NAME, NAME + at(3)));
    const slots = [];
    for (let slot = 0; slot < SLOTS; slot++) {
      const [kind, first, second, third] = [0, 1, 2, 3].map((i) => at(4 + 4 * slot + i));
      if (kind === KEY) slots.push({ slot, kind: "key" });
      if (kind === PBKDF2) slots.push({ slot, kind: "password", kdf: "pbkdf2", iterations: first });
      if (kind === ARGON2ID) slots.push({ slot, kind: "password", kdf: "argon2id", memory: first, passes: second, lanes: third });
    }
    return { cipher: CIPHERS[at(0) - 1], chunk: at(1), tag: at(2), name, slots };
  });
}

function readKeyFile(core, file) {
  file = bytes(file, "file");
  return core.call((wasm) => {
    const key = core.room(32);
    if (wasm.web_key(core.put(file), file.length, key) < 0) core.failed();
    return core.take(key, 32);
  });
}

function newKeyFile(core) {
  return core.call((wasm) => {
    const [key, out] = [core.room(32), core.room(65)];
    crypto.getRandomValues(core.u8.subarray(key, key + 32));
    wasm.web_key_digits(key, out);
    return core.take(out, 65);
  });
}

/** The public calls, over a module. */
export function files(core) {
  const over = (Class) => class extends Class {
    static name = Class.name;
    constructor(options) {
      super(core, options);
    }
  };
  return {
    Encryptor: over(Encryptor),
    Decryptor: over(Decryptor),
    Sum: over(Sum),
    encryptFile: (data, options) => whole(new Encryptor(core, options), data),
    decryptFile: (data, options) => whole(new Decryptor(core, options), data),
    encryptStream: (options) => through(new Encryptor(core, options)),
    decryptStream: (options) => through(new Decryptor(core, options)),
    iterationsOfASecond: () => iterationsOfASecond(core),
    fileInfo: (start) => fileInfo(core, start),
    readKeyFile: (file) => readKeyFile(core, file),
    newKeyFile: () => newKeyFile(core),
  };
}
