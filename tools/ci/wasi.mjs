// Runs a program for wasm32-wasip1: node tools/ci/wasi.mjs FILE [ARGUMENT...]
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const args = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args, env: process.env, preopens: { "/": "/" }, returnOnExit: true });
const program = await WebAssembly.compile(await readFile(args[0]));
process.exit(wasi.start(await WebAssembly.instantiate(program, wasi.getImportObject())));
