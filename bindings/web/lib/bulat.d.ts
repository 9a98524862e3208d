import type { Bytes, Result } from "./container.js";
export * from "./container.js";

export type Encoding = "hex" | "base64" | "base64url";
export interface Algorithm {
  readonly name: string;
  readonly oid?: string;
  readonly note: string;
  readonly aliases: readonly string[];
  readonly kind: "hash" | "mac" | "cipher" | "aead" | "kdf" | "wrap";
  /** In bytes; 0: no key, or any length. */
  readonly keySize: number;
  readonly blockSize: number;
  readonly outputSize: number;
  readonly ivSize: number;
  readonly ivMin: number;
  readonly ivMax: number;
  readonly ivStep: number;
  /** The shortest and the longest tag in bytes; 0: no tag. */
  readonly tagMin: number;
  readonly tagMax: number;
}
/** Options of a key. Options that mean nothing to the algorithm are refused. */
export interface Options {
  /** The tag's length in bytes: MACs and authenticated encryption. */
  tagSize?: number;
  /** The section of ACPKM in bytes. */
  section?: number;
  /** The period of the master key in bytes: OMAC-ACPKM. */
  period?: number;
  /** s of GOST R 34.13-2015 in bytes: CTR, OFB, CFB. */
  s?: number;
  /** Padding of ECB and CBC. */
  padding?: "none" | "procedure1" | "procedure2" | "procedure3" | "pkcs7";
  /** Key meshing of GOST 28147-89. */
  meshing?: boolean;
  /** S-boxes of GOST 28147-89: a name, an object identifier, or 128 values. */
  sboxes?: string | Bytes;
  /** The kernel, for tests. */
  kernel?: string;
}

/** An object that holds secrets. Wiped when freed, at the latest when it is collected. */
interface Owner {
  free(): void;
  [Symbol.dispose](): void;
}
export interface Hash extends Owner {
  update(data: string | Bytes): this;
  /** Ends the message and frees the object. */
  digest(): Result;
  digest(encoding: Encoding): string;
  copy(): Hash;
}
export interface Mac extends Owner {
  update(data: string | Bytes): this;
  /** Ends the message and frees the object. */
  digest(): Result;
  digest(encoding: Encoding): string;
  /** Ends the message, frees the object, and throws unless the tag is right. */
  verify(tag: Bytes): void;
}
export interface Cipher extends Owner {
  update(data: Bytes): Result;
  /** Ends the message and frees the object. */
  final(): Result;
}

export declare function algorithms(): Algorithm[];
export declare function createHash(name: string): Hash;
export declare function hash(name: string, data: string | Bytes, options?: Pick<Options, "sboxes" | "kernel">): Result;
/** Hashes many messages side by side. */
export declare function hashAll(name: string, messages: Iterable<string | Bytes>, options?: Pick<Options, "sboxes" | "kernel">): Result[];
export declare function createMac(name: string, key: Bytes, options?: Options & { iv?: Bytes }): Mac;
export declare function mac(name: string, key: Bytes, data: string | Bytes, options?: Options & { iv?: Bytes }): Result;
/** Throws unless the tag is right. */
export declare function verifyMac(name: string, key: Bytes, data: string | Bytes, tag: Bytes, options?: Options & { iv?: Bytes }): void;
/** Encryption without authentication. */
export declare function encrypt(name: string, key: Bytes, data: Bytes, iv?: Bytes, options?: Options): Result;
export declare function decrypt(name: string, key: Bytes, data: Bytes, iv?: Bytes, options?: Options): Result;
export declare function createCipher(name: string, key: Bytes, iv?: Bytes, options?: Options): Cipher;
export declare function createDecipher(name: string, key: Bytes, iv?: Bytes, options?: Options): Cipher;

/** Authenticated encryption under one key. Never use a nonce twice. */
export declare class Aead {
  constructor(name: string, key: Bytes, options?: Options);
  readonly tagSize: number;
  /** Gives the ciphertext, then its tag. */
  seal(nonce: Bytes, data: Bytes, aad?: Bytes): Result;
  /** Throws unless the tag is right; only then is anything decrypted. */
  open(nonce: Bytes, sealed: Bytes, aad?: Bytes): Result;
  free(): void;
  [Symbol.dispose](): void;
}

export interface KdfOptions {
  salt?: Bytes;
  label?: string | Bytes;
  seed?: Bytes;
  iterations?: number;
  /** R of KDF_TREE, 1 to 4. */
  counter?: number;
  /** C1, C2, C3 of TLSTREE. */
  masks?: readonly [bigint, bigint, bigint];
  /** The record of TLSTREE. */
  record?: number | bigint;
}
export declare function derive(name: string, secret: Bytes, length: number, options?: KdfOptions): Result;
export declare function wrap(name: string, key: Bytes, secret: Bytes, iv?: Bytes, options?: Pick<Options, "sboxes">): Result;
export declare function unwrap(name: string, key: Bytes, wrapped: Bytes, iv?: Bytes, options?: Pick<Options, "sboxes">): Result;

export declare function version(): string;
/** Runs the known answers; throws if an answer is wrong. */
export declare function selftest(): void;
export declare function kernels(): { primitive: string; shape: string; kernel: string }[];
