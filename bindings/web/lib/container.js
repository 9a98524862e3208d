// The container and sums of files, over the small module.

import { Core } from "./core.js";
import { files } from "./files.js";

// A literal, so that bundlers find the file; in braces, without which Nitro, and so Nuxt, does not.
const core = new Core(() => { return new URL("./container.wasm", import.meta.url); }, "web_sum_new");
/** Compiles the module, to post it to Workers. */
export const compile = (source) => core.compile(source);
/** The address of the module that was found. */
export const wasmUrl = () => core.url;
export const init = (source) => core.init(source);
export { BulatError } from "./core.js";
export const {
  Encryptor, Decryptor, Sum, encryptFile, decryptFile, encryptStream, decryptStream, iterationsOfASecond, fileInfo,
  readKeyFile, newKeyFile,
} = files(core);
