// A project may lack the types of browsers, and the types of `using`: empty types join the project's.
declare global {
  interface URL {}
  interface Response {}
  interface TransformStream<I = any, O = any> {}
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
  namespace WebAssembly {
    interface Module {}
  }
}

/** Bytes of any kind. Strings are not accepted where their encoding would be a guess. */
export type Bytes = Uint8Array | ArrayBuffer | ArrayBufferView;
/** The bytes of a result: Uint8Array<ArrayBuffer> since TypeScript 5.7, Uint8Array before. */
export type Result = ReturnType<Uint8ArrayConstructor["of"]>;
/** Where the module comes from: by default the file next to the package's own. In Node a string is a path or an address. */
export type Source = string | URL | Response | Bytes | WebAssembly.Module;

/** An error of the library. */
export declare class BulatError extends Error {
  /** Its kind, such as "VERIFY", "WRONG_KEY", "DAMAGED". */
  readonly code: string;
}

/** Loads the module. Call it once, before anything else; a Worker may get a module that `compile` made. */
export declare function init(source?: Source): Promise<void>;
/** Compiles the module, to post it to Workers. */
export declare function compile(source?: Source): Promise<WebAssembly.Module>;
/** The address of the module that `init()` or `compile()` found: with or without relaxed SIMD. */
export declare function wasmUrl(): URL | undefined;

/** Either the 32 bytes of a key or a password. A password as a string cannot be wiped from memory. */
export type Secret =
  | { key: Bytes; password?: undefined }
  | { password: string | Bytes; key?: undefined };
export type EncryptOptions = Secret & {
  cipher?: "kuznyechik-mgm" | "magma-mgm";
  /** From a password to a key; by default argon2id. */
  kdf?: "argon2id" | "pbkdf2";
  /** For PBKDF2: 200 000 to 20 000 000. By default a second's worth, but at least 200 000: some seconds. */
  iterations?: number;
  /** For Argon2id: 65 536 to 1 048 576 KiB of memory, by default 262 144; 3 to 64 passes, by default 3. */
  memory?: number;
  passes?: number;
  /** Chunks of 2^12 to 2^20 bytes; by default 2^17. */
  chunkLog2?: number;
};
export type DecryptOptions = Secret & {
  /** The most iterations of PBKDF2 that a file may ask for, in all slots; by default 80 000 000. */
  maxIterations?: number;
  /** The most KiB of memory for Argon2id, in each slot; by default 1 048 576. */
  maxMemory?: number;
  /** The file's name. A container that is bound to a different name is refused, as it is without this. */
  name?: string;
  /** Accept any bound name. */
  anyName?: boolean;
};

/** Encrypts a file in pieces: the output is what `update` and `final` give, in order. */
export declare class Encryptor {
  constructor(options: EncryptOptions);
  /** Adds a piece and gives the chunks that are finished. */
  update(piece: Bytes): Result[];
  /** Gives the last chunks. */
  final(): Result[];
  /** Wipes and frees the keys; `final` does so, too. */
  free(): void;
  [Symbol.dispose](): void;
}
/** Decrypts a file in pieces. Each chunk given out was verified; the file is whole only after `final`. */
export declare class Decryptor {
  constructor(options: DecryptOptions);
  /** Adds a piece and gives the chunks that are verified and not the last. */
  update(piece: Bytes): Result[];
  /** Gives the last chunk. */
  final(): Result[];
  free(): void;
  [Symbol.dispose](): void;
}
export declare function encryptFile(data: Bytes, options: EncryptOptions): Result;
export declare function decryptFile(data: Bytes, options: DecryptOptions): Result;
export declare function encryptStream(options: EncryptOptions): TransformStream<Bytes, Result>;
export declare function decryptStream(options: DecryptOptions): TransformStream<Bytes, Result>;
/** The iterations of PBKDF2 that need about a second here, at least 200 000. */
export declare function iterationsOfASecond(): number;
/** Reads the first 2048 bytes of a file. Nothing of it is verified. */
export declare function fileInfo(start: Bytes): {
  cipher: "kuznyechik-mgm" | "magma-mgm";
  /** Bytes of plaintext in a chunk, and of a tag. */
  chunk: number;
  tag: number;
  /** The name that the container is bound to. */
  name?: string;
  /** The slots, each a key file or a password. */
  slots: (
    | { slot: number; kind: "key" }
    | { slot: number; kind: "password"; kdf: "pbkdf2"; iterations: number }
    | { slot: number; kind: "password"; kdf: "argon2id"; memory: number; passes: number; lanes: number }
  )[];
};
/** Gives the key in a key file: 32 bytes, or 64 hexadecimal digits. */
export declare function readKeyFile(file: Bytes): Result;
/** Makes the content of a new key file. */
export declare function newKeyFile(): Result;

/** A Streebog sum in pieces. */
export declare class Sum {
  constructor(bits?: 256 | 512);
  update(data: Bytes): this;
  /** Gives the digest and frees the object. */
  digest(): Result;
  free(): void;
  [Symbol.dispose](): void;
}
