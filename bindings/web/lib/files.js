// The container of `bulat encrypt` and sums of files, over the calls that both modules have.

import { BulatError, Handle, bytes, kind, known, number } from "./core.js";

const HEADER = 112;
const CIPHERS = ["kuznyechik-mgm", "magma-mgm"];
/** The command's bounds for the iterations of PBKDF2. */
const [LEAST, MOST] = [200_000, 20_000_000];
const SECRETS = ["key", "password"];

/** The calls, over a module. */
export function files(core) {
  /** Gives the secret's bytes, and whether it is a password. */
  function secret(options) {
    const { key, password } = options;
    if ((key === undefined) === (password === undefined)) throw new TypeError("either key or password is required");
    if (password !== undefined) {
      // The command does not accept these either.
      const value = typeof password === "string" ? new TextEncoder().encode(password) : bytes(password, "password");
      if (value.length === 0) throw new RangeError("the password is empty");
      if (value.includes(0) || value.includes(10) || value.includes(13))
        throw new RangeError("the password has a line end or a zero byte");
      return [value, true];
    }
    const value = bytes(key, "key");
    if (value.length !== 32) throw new RangeError(`the key must have 32 bytes, not ${value.length}; readKeyFile() reads key files`);
    return [value, false];
  }

  /** Begins a container: its chunks and its header. */
  function begin(options, iterations) {
    const [value, password] = secret(options);
    const cipher = CIPHERS.indexOf(options.cipher ?? CIPHERS[0]) + 1;
    if (cipher === 0) throw new BulatError("UNKNOWN_ALGORITHM", `unknown cipher: ${options.cipher}; known: ${CIPHERS.join(", ")}`);
    return core.call((wasm) => {
      const [at, header] = [core.put(value), core.room(HEADER)];
      const salt = core.put(crypto.getRandomValues(new Uint8Array(32)));
      const chunk = number(options.chunkLog2 ?? 17, "chunkLog2", 12, 20);
      const feed = wasm.web_seal_new(cipher, chunk, password ? iterations : 0, at, value.length, salt, header);
      if (feed === 0) core.failed();
      return [new Feed(feed), core.take(header, HEADER)];
    });
  }

  /** Gives the iterations that need about a second here, as the command does. */
  function iterationsOfASecond() {
    let best = Infinity;
    for (let i = 0; i < 3; i++) {
      const start = performance.now();
      begin({ password: "measure", chunkLog2: 12 }, 2000)[0].free();
      best = Math.min(best, performance.now() - start);
    }
    const count = Math.floor((2000 * 1000) / Math.max(best, 0.01) / 10_000) * 10_000;
    return Math.min(Math.max(count, LEAST), MOST / 4);
  }

  /** Chunks in progress. */
  class Feed {
    #handle;
    #room;
    #full;
    #filled = 0;
    constructor(at) {
      this.#handle = new Handle(core, at, "web_feed_free");
      this.#room = core.wasm.web_feed_room(at);
      this.#full = core.wasm.web_feed_full(at);
    }
    /** Seals or opens the chunk. Its result is a copy. */
    #work(last) {
      const n = core.call((wasm) => wasm.web_feed_work(this.#handle.at, this.#filled, last));
      this.#filled = 0;
      if (n < 0) {
        this.free();
        core.failed();
      }
      return core.take(this.#room, n);
    }
    /** Adds a piece; gives each chunk that is known not to be the last. */
    *update(piece) {
      void this.#handle.at;
      for (let at = 0; at < piece.length; ) {
        if (this.#filled === this.#full) yield this.#work(0);
        const n = Math.min(this.#full - this.#filled, piece.length - at);
        core.u8.set(piece.subarray(at, at + n), this.#room + this.#filled);
        this.#filled += n;
        at += n;
      }
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
  class Encryptor {
    #feed;
    #header;
    constructor(options) {
      options = known(options, [...SECRETS, "cipher", "iterations", "chunkLog2"]);
      if (options.iterations !== undefined && options.password === undefined)
        throw new TypeError("iterations are only for a password");
      const iterations =
        options.password === undefined
          ? 0
          : options.iterations === undefined
            ? iterationsOfASecond()
            : number(options.iterations, "iterations", LEAST, MOST);
      [this.#feed, this.#header] = begin(options, iterations);
    }
    *update(piece) {
      if (this.#header) yield this.#header;
      this.#header = undefined;
      yield* this.#feed.update(bytes(piece, "piece"));
    }
    *final() {
      yield* this.update(new Uint8Array());
      yield this.#feed.final();
    }
    free() {
      this.#feed.free();
    }
    [Symbol.dispose ?? Symbol("dispose")]() {
      this.free();
    }
  }

  /** Opens pieces of any size. A chunk comes out only after its tag was verified. */
  class Decryptor {
    #options;
    #head = new Uint8Array(HEADER);
    #have = 0;
    #feed;
    #done = false;
    constructor(options) {
      this.#options = { ...known(options, [...SECRETS, "maxIterations"]) };
      secret(this.#options);
      number(this.#options.maxIterations ?? MOST, "maxIterations", 1);
    }
    #open() {
      const [value, password] = secret(this.#options);
      this.#feed = core.call((wasm) => {
        const [head, at] = [core.put(this.#head.subarray(0, this.#have)), core.put(value)];
        const feed = wasm.web_open_new(head, this.#have, password ? 1 : 0, at, value.length, this.#options.maxIterations ?? MOST);
        if (feed === 0) core.failed();
        return new Feed(feed);
      });
      this.#options = undefined;
    }
    *update(piece) {
      piece = bytes(piece, "piece");
      if (this.#done) throw new BulatError("FINISHED", "the container has ended");
      try {
        if (!this.#feed) {
          const n = Math.min(HEADER - this.#have, piece.length);
          this.#head.set(piece.subarray(0, n), this.#have);
          this.#have += n;
          piece = piece.subarray(n);
          if (this.#have < HEADER) return;
          this.#open();
        }
        yield* this.#feed.update(piece);
      } catch (error) {
        this.free();
        throw error;
      }
    }
    *final() {
      if (this.#done) throw new BulatError("FINISHED", "the container has ended");
      try {
        // A short header gets its own message from the parser.
        if (!this.#feed) this.#open();
        yield this.#feed.final();
      } finally {
        this.free();
      }
    }
    free() {
      this.#done = true;
      this.#options = undefined;
      this.#feed?.free();
    }
    [Symbol.dispose ?? Symbol("dispose")]() {
      this.free();
    }
  }

  function through(coder) {
    const all = (chunks, to) => {
      for (const chunk of chunks) if (chunk.length > 0) to.enqueue(chunk);
    };
    // The transformer's `cancel` is not everywhere: then the net of the object frees it.
    return new TransformStream({
      transform: (piece, to) => all(coder.update(piece), to),
      flush: (to) => all(coder.final(), to),
      cancel: () => coder.free(),
    });
  }

  function whole(coder, data) {
    try {
      const chunks = [...coder.update(bytes(data, "data")), ...coder.final()];
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
  class Sum {
    #handle;
    #bits;
    constructor(bits = 256) {
      if (bits !== 256 && bits !== 512) throw new RangeError(`a sum has 256 or 512 bits, not ${bits}`);
      this.#bits = bits;
      this.#handle = new Handle(core, core.wasm.web_sum_new(bits), "web_sum_free");
    }
    update(data) {
      data = bytes(data, "data");
      const { at } = this.#handle;
      for (let i = 0; i < data.length || i === 0; i += 65536) {
        const piece = data.subarray(i, i + 65536);
        core.call((wasm) => wasm.web_sum_update(at, core.put(piece), piece.length));
      }
      return this;
    }
    digest() {
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

  return {
    Encryptor,
    Decryptor,
    Sum,
    encryptFile: (data, options) => whole(new Encryptor(options), data),
    decryptFile: (data, options) => whole(new Decryptor(options), data),
    encryptStream: (options) => through(new Encryptor(options)),
    decryptStream: (options) => through(new Decryptor(options)),
    iterationsOfASecond,
    fileInfo(start) {
      start = bytes(start, "start").subarray(0, HEADER);
      return core.call((wasm) => {
        const out = core.room(16);
        if (wasm.web_header(core.put(start), start.length, out) < 0) core.failed();
        const [cipher, iterations, chunk, tag] = [0, 4, 8, 12].map((i) => core.view.getUint32(out + i, true));
        return { cipher: CIPHERS[cipher - 1], keySource: iterations === 0 ? "key" : "password", iterations, chunk, tag };
      });
    },
    readKeyFile(file) {
      if (typeof file === "string") throw new TypeError(`a key file must be bytes, not ${kind(file)}`);
      file = bytes(file, "file");
      return core.call((wasm) => {
        const key = core.room(32);
        if (wasm.web_key(core.put(file), file.length, key) < 0) core.failed();
        return core.take(key, 32);
      });
    },
    newKeyFile() {
      return core.call((wasm) => {
        const [key, out] = [core.put(crypto.getRandomValues(new Uint8Array(32))), core.room(65)];
        wasm.web_key_digits(key, out);
        return core.take(out, 65);
      });
    },
  };
}
