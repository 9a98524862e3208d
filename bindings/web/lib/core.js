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
/** The longest argument: addresses in a module have 32 bits, and Rust's lengths 31. */
const MOST = 2 ** 31 - 1;

/** A part of Node; undefined elsewhere. Neither imported nor a variable `process`, so that bundlers for browsers do not add it. */
export function node(name) {
  const host = globalThis.process;
  return host?.versions?.node ? host.getBuiltinModule?.(name) : undefined;
}
// Jest's jsdom lacks these, Node does not.
const { TextDecoder, TextEncoder } = globalThis.TextEncoder ? globalThis : (node("node:util") ?? {});
export const encode = (text) => new TextEncoder().encode(text);
export const decode = (bytes) => new TextDecoder().decode(bytes);

/** Compares an object's kind by its name: `instanceof` refuses the objects of other frames and contexts. */
const is = (value, name) => Object.prototype.toString.call(value) === `[object ${name}]`;

const { get: length } = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, "byteLength");
/** Returns whether the language itself takes a value for an ArrayBuffer, of whatever context. */
function isBuffer(value) {
  try {
    length.call(value);
    return true;
  } catch {
    return false;
  }
}

/** Gives the bytes of an argument. A string is not accepted: its encoding would be a guess. */
export function bytes(value, name) {
  const view = ArrayBuffer.isView(value);
  if (!view && !isBuffer(value)) throw new TypeError(`${name} must be a Uint8Array, a view or an ArrayBuffer, not ${kind(value)}`);
  try {
    // A view whose buffer was transferred or shrunk says that it is empty; `at` fails then.
    if (view && value.byteLength === 0 && !is(value, "DataView")) Uint8Array.prototype.at.call(value, 0);
    // A new view has the true length, and fails for a transferred buffer.
    return view ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value);
  } catch (error) {
    if (error.name !== "TypeError") throw error;
    throw new TypeError(`${name} has lost its memory: its buffer was transferred or shrunk`);
  }
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

/** Gives the 64-bit number of an argument. */
export function wide(value, name) {
  if (typeof value !== "bigint" && typeof value !== "number") throw new TypeError(`${name} must be a bigint, not ${kind(value)}`);
  if ((typeof value === "number" && !Number.isSafeInteger(value)) || value < 0 || value >= 2n ** 64n)
    throw new RangeError(`${name} must be an integer from 0 to 2^64 - 1, not ${value}`);
  return BigInt(value);
}

/** Runs `body` for pieces that fit beside others in the memory of a call, once for no bytes. */
export function pieces(data, body) {
  for (let i = 0; i < data.length || i === 0; i += 65536) body(data.subarray(i, i + 65536));
}

/** Gives the bytes of a module. */
async function load(source) {
  const fs = node("node:fs/promises");
  // In Node a string is a path, if it is no address; elsewhere it is relative to the page.
  if (fs && typeof source === "string" && !/^[a-z][a-z\d+.-]+:/i.test(source)) return fs.readFile(source);
  if (typeof source === "string" || is(source, "URL")) {
    if (fs && String(source).startsWith("file:")) return fs.readFile(new URL(source));
    source = await fetch(source);
  }
  if (!is(source, "Response")) return source;
  if (!source.ok) throw new Error(`${source.url}: ${source.status} ${source.statusText}`);
  return source.arrayBuffer();
}

export class Core {
  #own;
  #needs;
  #module;
  #wasm;
  #ready;
  #stack;
  #at = 0;
  #large = [];
  #nets = new Map();

  /** `own` gives the address of the module next to the package; `needs` is a function that the module must have. */
  constructor(own, needs) {
    this.#own = own;
    this.#needs = needs;
  }

  /** The addresses of the modules for this machine, the faster first. A server may lack the module for relaxed SIMD. */
  #urls() {
    let url;
    try {
      url = this.#own();
    } catch {
      throw new BulatError("INIT", "the package does not know its own address here: give init() the module, as its bytes or a WebAssembly.Module");
    }
    // Bundlers rename the module: only under its own name may the relaxed module be next to it.
    const relaxed = WebAssembly.validate(PROBE) ? url.href.replace(/\/(bulat|container)\.wasm$/, "/$1-relaxed.wasm") : url.href;
    return relaxed === url.href ? [url] : [new URL(relaxed), url];
  }

  /** The address of the module that `compile` found. */
  url;

  /** Compiles the module: from bytes, a Response, an address, or from next to the package. */
  async compile(source) {
    if (is(source, "WebAssembly.Module")) return source;
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
        const { exports } = await WebAssembly.instantiate(module, {});
        if (!exports[this.#needs]) throw new BulatError("INIT", `the module is another one: it has no ${this.#needs}`);
        this.#stack = exports.web_alloc(STACK) >>> 0;
        this.#module = module;
        this.#wasm = exports;
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

  /** Whether this instance is in use: it has not ended by a panic. */
  lives(wasm) {
    return wasm === this.#wasm;
  }

  /** The memory. Views end when it grows, so each use makes a new view. */
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
    if (!(len <= MOST)) throw new RangeError(`${len} bytes in one call: the most is 2 GiB; use pieces`);
    const padded = Math.ceil(len / 16) * 16;
    if (this.#at + padded <= STACK) {
      const place = this.#stack + this.#at;
      this.#at += padded;
      return place;
    }
    // Addresses above 2 GiB come as negative numbers.
    const place = this.wasm.web_alloc(len) >>> 0;
    if (place === 0) throw new BulatError("MEMORY", `no memory for ${len} bytes: the module has at most 4 GiB`);
    this.#large.push([place, len]);
    return place;
  }

  put(data) {
    const place = this.room(data.length);
    this.u8.set(data, place);
    return place;
  }

  /** A string with a zero byte after it. */
  text(text, name) {
    if (typeof text !== "string") throw new TypeError(`${name} must be a string, not ${kind(text)}`);
    if (text.includes("\0")) throw new TypeError(`${name} must not contain a zero character`);
    return this.put(encode(`${text}\0`));
  }

  /** A copy of bytes of the memory. */
  take(at, len) {
    return this.u8.slice(at, at + len);
  }

  /** Reads a C string; undefined for null. */
  string(at) {
    if (at === 0) return undefined;
    const memory = this.u8;
    return decode(memory.subarray(at, memory.indexOf(0, at)));
  }

  /** Throws the reason of a failed call of the container. */
  failed() {
    throw this.call((wasm) => {
      const len = this.room(4);
      const at = wasm.web_error(len) >>> 0;
      const text = decode(this.take(at, this.view.getUint32(len, true)));
      const end = text.indexOf("\n");
      return new BulatError(text.slice(0, end), text.slice(end + 1));
    });
  }

  /** Frees an object of the memory with its owner, if `free` is not called. */
  watch(owner, at, free) {
    const { wasm } = this;
    let net = this.#nets.get(free);
    if (!net) this.#nets.set(free, (net = new FinalizationRegistry(([wasm, at]) => this.lives(wasm) && wasm[free](at))));
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
    if (!this.#core.lives(this.#wasm)) throw new BulatError("INIT", "the object is of a module that ended");
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
    if (this.#core.lives(this.#wasm)) this.#wasm[this.#free](this.#at);
    this.#core.forget(this, this.#free);
    this.#at = 0;
  }
}

/** An object for users, with `free`. */
export class Owner {
  constructor() {
    // structuredClone, and so postMessage, would make an empty object of it without an error; it refuses functions.
    this.free = this.free.bind(this);
  }
}
if (Symbol.dispose) {
  Owner.prototype[Symbol.dispose] = function () {
    this.free();
  };
}
