// One instance of a module: its memory, its errors, the objects in it. The other files hold the calls.

/** An error of the library: `code` names its kind, such as "VERIFY". */
export class BulatError extends Error {
  constructor(code, message) {
    super(message);
    this.name = "BulatError";
    this.code = code;
  }
}

/** A module with one instruction of relaxed SIMD. */
const PROBE = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 15, 1, 13, 0, 65, 1, 253, 15, 65, 2, 253, 15, 253,
  128, 2, 11,
);

/** Memory for the arguments of a call: longer ones are allocated. */
const STACK = 1 << 17;
const NODE = typeof process === "object" && process.versions?.node;

/** Gives the bytes of an argument. A string is not accepted: its encoding would be a guess. */
export function bytes(value, name) {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  throw new TypeError(`${name} must be a Uint8Array, a view or an ArrayBuffer, not ${kind(value)}`);
}

export function kind(value) {
  return value === null ? "null" : (value?.constructor?.name ?? typeof value);
}

/** Gives an integer argument from `least` to `most`. */
export function number(value, name, least = 0, most = 0xffff_ffff) {
  if (typeof value !== "number") throw new TypeError(`${name} must be a number, not ${kind(value)}`);
  if (!Number.isInteger(value) || value < least || value > most)
    throw new RangeError(`${name} must be an integer from ${least} to ${most}, not ${value}`);
  return value;
}

/** Refuses unknown names of options: a misspelt one must not mean the default. */
export function known(options, names) {
  if (options === undefined) return {};
  if (typeof options !== "object" || options === null) throw new TypeError(`options must be an object, not ${kind(options)}`);
  for (const name of Object.keys(options))
    if (!names.includes(name)) throw new TypeError(`unknown option: ${name}; known: ${names.join(", ")}`);
  return options;
}

/** Gives the bytes of a module. */
async function load(source) {
  if (typeof source === "string" || source instanceof URL) {
    source = new URL(source, import.meta.url);
    if (NODE && source.protocol === "file:") {
      const { readFile } = await import(/* webpackIgnore: true */ "node:fs/promises");
      return readFile(source);
    }
    source = await fetch(source);
  }
  if (typeof Response !== "function" || !(source instanceof Response)) return source;
  if (!source.ok) throw new Error(`${source.url}: ${source.status} ${source.statusText}`);
  return source.arrayBuffer();
}

export class Core {
  #name;
  #module;
  #wasm;
  #ready;
  #stack;
  #at = 0;
  #large = [];
  #nets = new Map();

  constructor(name) {
    this.#name = name;
  }

  /** The addresses of the modules for this machine, the faster first. A server may lack the one for relaxed SIMD. */
  #urls() {
    // Literals, so that bundlers find the files.
    const urls = {
      bulat: [new URL("./bulat-relaxed.wasm", import.meta.url), new URL("./bulat.wasm", import.meta.url)],
      container: [new URL("./container-relaxed.wasm", import.meta.url), new URL("./container.wasm", import.meta.url)],
    };
    return urls[this.#name].slice(WebAssembly.validate(PROBE) ? 0 : 1);
  }

  /** The address of the module that `compile` found. */
  url;

  /** Compiles the module: from bytes, a Response, an address, or from next to this file. */
  async compile(source) {
    if (source instanceof WebAssembly.Module) return source;
    if (source !== undefined) return WebAssembly.compile(await load(source));
    const urls = this.#urls();
    for (;;) {
      this.url = urls.shift();
      try {
        return await WebAssembly.compile(await load(this.url));
      } catch (error) {
        if (urls.length === 0) throw error;
      }
    }
  }

  /** Loads the module. A second call waits for the first. */
  init(source) {
    return (this.#ready ??= this.compile(source)
      .then(async (module) => {
        this.#wasm = (await WebAssembly.instantiate(module, {})).exports;
        this.#stack = this.#wasm.web_alloc(STACK);
        this.#module = module;
      })
      .catch((error) => {
        this.#ready = undefined;
        throw error;
      }));
  }

  /** The compiled module, to post to a Worker. */
  get module() {
    void this.wasm;
    return this.#module;
  }

  get wasm() {
    if (!this.#wasm) throw new BulatError("INIT", "await init() first");
    return this.#wasm;
  }

  /** The memory. Views end when it grows, so each use takes a new one. */
  get u8() {
    return new Uint8Array(this.wasm.memory.buffer);
  }
  get view() {
    return new DataView(this.wasm.memory.buffer);
  }

  /** Runs a call whose arguments are placed by `room`, `put` and `text`. They are wiped afterwards. */
  call(body) {
    const [at, large] = [this.#at, this.#large.length];
    try {
      return body(this.wasm);
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) {
        // A panic: the state of the instance is unknown.
        this.#wasm = undefined;
        this.#ready = undefined;
        throw new BulatError("INTERNAL", `a bug in the library: ${error.message}; init() again`);
      }
      throw error;
    } finally {
      if (this.#wasm) {
        this.u8.fill(0, this.#stack + at, this.#stack + this.#at);
        for (const [place, len] of this.#large.splice(large)) this.#wasm.web_free(place, len);
      } else {
        this.#large.length = 0;
      }
      this.#at = at;
    }
  }

  /** Makes room for the rest of the call. */
  room(len) {
    const padded = (len + 15) & ~15;
    if (this.#at + padded <= STACK) {
      const place = this.#stack + this.#at;
      this.#at += padded;
      return place;
    }
    const place = this.wasm.web_alloc(len);
    this.#large.push([place, len]);
    return place;
  }

  put(data) {
    const place = this.room(data.length);
    this.u8.set(data, place);
    return place;
  }

  /** A string with a zero byte after it. */
  text(text) {
    if (text.includes("\0")) throw new TypeError("a name must not contain a zero character");
    return this.put(new TextEncoder().encode(`${text}\0`));
  }

  /** A copy of bytes of the memory. */
  take(at, len) {
    return this.u8.slice(at, at + len);
  }

  /** Reads a C string; undefined for null. */
  string(at) {
    if (at === 0) return undefined;
    const memory = this.u8;
    return new TextDecoder().decode(memory.subarray(at, memory.indexOf(0, at)));
  }

  /** Throws the reason of a failed call of the container. */
  failed() {
    throw this.call((wasm) => {
      const len = this.room(4);
      const at = wasm.web_error(len);
      const text = new TextDecoder().decode(this.take(at, this.view.getUint32(len, true)));
      const end = text.indexOf("\n");
      return new BulatError(text.slice(0, end), text.slice(end + 1));
    });
  }

  /** Frees an object of the memory with its owner, if nobody calls `free`. */
  watch(owner, at, free) {
    const { wasm } = this;
    let net = this.#nets.get(free);
    if (!net) this.#nets.set(free, (net = new FinalizationRegistry(([wasm, at]) => wasm[free](at))));
    net.register(owner, [wasm, at], owner);
    return at;
  }
  forget(owner, free) {
    this.#nets.get(free)?.unregister(owner);
  }
}

/** An object in the memory of a module. */
export class Handle {
  #core;
  #at;
  #free;
  #wasm;
  constructor(core, at, free) {
    this.#core = core;
    this.#free = free;
    this.#wasm = core.wasm;
    this.#at = core.watch(this, at, free);
  }
  /** The address; an error after `free`. */
  get at() {
    if (this.#at === 0) throw new BulatError("FREED", "the object was freed");
    if (this.#wasm !== this.#core.wasm) throw new BulatError("INIT", "the object is of a module that ended");
    return this.#at;
  }
  /** Gives the object up to a call that frees it. */
  give() {
    const { at } = this;
    this.#core.forget(this, this.#free);
    this.#at = 0;
    return at;
  }
  free() {
    if (this.#at === 0) return;
    if (this.#wasm === this.#core.wasm) this.#wasm[this.#free](this.#at);
    this.#core.forget(this, this.#free);
    this.#at = 0;
  }
}
