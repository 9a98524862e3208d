// "bulat/bulat.wasm" and "bulat/container.wasm", for `init`: a compiled module in workerd, an address in bundlers and Bun.
import type { Source } from "./container.js";
declare const source: Source;
export default source;
