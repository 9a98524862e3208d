// The container: the examples of docs/FORMAT.md, damage, streams; with BULAT, the command, both ways.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, test } from "node:test";
import * as bulat from "../lib/container.js";

before(() => bulat.init(process.env.BULAT_CONTAINER && new URL(process.env.BULAT_CONTAINER, `file://${process.cwd()}/`)));

const hex = (text) => new Uint8Array(Buffer.from(text, "hex"));
const text = (bytes) => Buffer.from(bytes).toString("latin1");
const key = Uint8Array.from({ length: 32 }, (_, i) => i);
const code = (name) => (error) => error instanceof bulat.BulatError && error.code === name;
const some = (n) => Uint8Array.from({ length: n }, (_, i) => (i * i) >> 5);

test("the example of FORMAT.md", () => {
  const page = readFileSync(new URL("../../../docs/FORMAT.md", import.meta.url), "utf8");
  const lines = page.match(/```\n((?:\d+ +[0-9a-f]+\n)+)```/)[1].trim().split("\n").map((line) => line.split(/ +/));
  const [last, end] = lines.at(-1);
  const sealed = new Uint8Array(Number(last) + end.length / 2);
  for (const [at, digits] of lines) sealed.set(hex(digits), Number(at));
  for (const secret of [{ key }, { password: "password" }, { password: "another" }]) {
    assert.equal(text(bulat.decryptFile(sealed, { ...secret, name: "a.txt.bulat" })), "abc");
    assert.equal(text(bulat.decryptFile(sealed, { ...secret, anyName: true })), "abc");
    for (const name of [undefined, "b.txt"]) assert.throws(() => bulat.decryptFile(sealed, { ...secret, name }), code("NAME"));
  }
  assert.deepEqual(bulat.fileInfo(sealed), {
    cipher: "kuznyechik-mgm", chunk: 4096, tag: 16, name: "a.txt",
    slots: [
      { slot: 0, kind: "key" },
      { slot: 1, kind: "password", kdf: "pbkdf2", iterations: 2 },
      { slot: 3, kind: "password", kdf: "argon2id", memory: 32, passes: 1, lanes: 4 },
    ],
  });
  const least = { anyName: true, password: "password" };
  assert.throws(() => bulat.decryptFile(sealed, { ...least, maxIterations: 1 }), code("COST"));
  assert.throws(() => bulat.decryptFile(sealed, { ...least, maxMemory: 31 }), code("COST"));
});

test("there and back, in pieces of any size; damage", () => {
  for (const cipher of ["kuznyechik-mgm", "magma-mgm"])
    for (const n of [0, 1, 4095, 4096, 4097, 20000]) {
      const plain = some(n);
      const sealed = bulat.encryptFile(plain, { key, cipher, chunkLog2: 12 });
      for (const step of [1, 111, 4096, 99999]) {
        const decryptor = new bulat.Decryptor({ key });
        const out = [];
        for (let i = 0; i < sealed.length; i += step) for (const piece of decryptor.update(sealed.subarray(i, i + step))) out.push(...piece);
        for (const piece of decryptor.final()) out.push(...piece);
        assert.deepEqual(Uint8Array.from(out), plain);
        if (n > 5000 && step === 1) break;
      }
      for (let at = 0; at < sealed.length; at += Math.ceil(sealed.length / 50)) {
        const bad = Uint8Array.from(sealed);
        bad[at] ^= 1;
        assert.throws(() => bulat.decryptFile(bad, { key }), bulat.BulatError, `${cipher} ${n} ${at}`);
        assert.throws(() => bulat.decryptFile(sealed.subarray(0, at), { key }), bulat.BulatError, `${cipher} ${n} cut ${at}`);
      }
      assert.throws(() => bulat.decryptFile(Buffer.concat([sealed, sealed]), { key }), bulat.BulatError);
    }
});

test("update works at the call", () => {
  const encryptor = new bulat.Encryptor({ key });
  const out = [some(100_000), some(200_000)].map((piece) => encryptor.update(piece));
  assert.throws(() => encryptor.update("text"), TypeError);
  const sealed = Buffer.concat([...out.flat(), ...encryptor.final()]);
  assert.deepEqual(bulat.decryptFile(sealed, { key }), Uint8Array.from([...some(100_000), ...some(200_000)]));
  for (const call of [() => encryptor.update(key), () => encryptor.final()]) assert.throws(call, code("FREED"));
  const decryptor = new bulat.Decryptor({ key });
  assert.deepEqual(decryptor.update(sealed).map((chunk) => chunk.length), [131072, 131072]);
  assert.deepEqual(decryptor.final().map((chunk) => chunk.length), [300_000 - 262144]);
  for (const call of [() => decryptor.update(key), () => decryptor.final()]) assert.throws(call, code("FINISHED"));
  // Nothing at all is an empty file; a piece that fails ends the object.
  assert.deepEqual(bulat.decryptFile(Buffer.concat(new bulat.Encryptor({ key }).final()), { key }), new Uint8Array());
  const damaged = new bulat.Decryptor({ key });
  sealed[3000] ^= 1;
  assert.throws(() => damaged.update(sealed), code("DAMAGED"));
  assert.throws(() => damaged.final(), code("FINISHED"));
});

test("streams", async () => {
  const plain = some(300_000);
  const pieces = new ReadableStream({
    start(to) {
      for (let i = 0; i < plain.length; i += 7777) to.enqueue(plain.subarray(i, i + 7777));
      to.close();
    },
  });
  const back = pieces.pipeThrough(bulat.encryptStream({ key })).pipeThrough(bulat.decryptStream({ key }));
  assert.deepEqual(new Uint8Array(await new Response(back).arrayBuffer()), plain);
  const bad = bulat.encryptFile(plain, { key });
  bad[200_000] ^= 1;
  // In the pieces of a Blob, and in a single piece.
  for (const source of [new Blob([bad]).stream(), ReadableStream.from([bad])]) {
    const out = [];
    await assert.rejects(async () => {
      for await (const piece of source.pipeThrough(bulat.decryptStream({ key }))) out.push(piece);
    }, code("DAMAGED"));
    assert.deepEqual(new Uint8Array(Buffer.concat(out)), plain.subarray(0, 131072));
  }
  const wrong = ReadableStream.from(["text"]).pipeThrough(bulat.encryptStream({ key }));
  await assert.rejects(async () => { for await (const piece of wrong) assert.fail(piece); }, TypeError);
});

test("reasons by code", () => {
  const sealed = bulat.encryptFile(some(10), { key });
  const other = Uint8Array.from(key, (byte) => byte ^ 1);
  const cut = (n) => sealed.subarray(0, n);
  const at = (i, value) => Uint8Array.from(sealed, (byte, j) => (i === j ? value : byte));
  const under = bulat.encryptFile(some(10), { password: "one", memory: 65_536 });
  for (const [name, call] of [
    ["WRONG_KEY", () => bulat.decryptFile(sealed, { key: other })],
    ["WRONG_KEY", () => bulat.decryptFile(under, { password: "two" })],
    ["NEEDS_PASSWORD", () => bulat.decryptFile(under, { key })],
    ["NEEDS_KEY", () => bulat.decryptFile(sealed, { password: "x" })],
    ["FOREIGN", () => bulat.decryptFile(some(3000), { key })],
    ["FOREIGN", () => bulat.decryptFile(new Uint8Array(), { key })],
    ["VERSION", () => bulat.decryptFile(at(7, 2), { key })],
    ["HEADER", () => bulat.decryptFile(at(11, 2), { key })],
    ["HEADER", () => bulat.decryptFile(at(2047, sealed[2047] ^ 1), { key })],
    ["TRUNCATED", () => bulat.decryptFile(cut(100), { key })],
    ["TRUNCATED", () => bulat.decryptFile(cut(2048), { key })],
    ["DAMAGED", () => bulat.decryptFile(cut(2066), { key })],
    ["KEY_FILE", () => bulat.readKeyFile(some(31))],
    // 32 bytes that are the beginning of a container.
    ["KEY_FILE", () => bulat.readKeyFile(Buffer.from("-----BEGIN BULAT ENCRYPTED FILE-"))],
    ["KEY_FILE", () => bulat.readKeyFile(Buffer.from(`bulat\x1a${"k".repeat(26)}`))],
    ["KEY_FILE", () => bulat.readKeyFile(Buffer.from("00".repeat(31)))],
    ["KEY_FILE", () => bulat.readKeyFile(Buffer.from(`0x${"00".repeat(32)}`))],
    ["FINISHED", () => { const d = new bulat.Decryptor({ key }); d.free(); d.update(sealed); }],
    ["FREED", () => { const s = new bulat.Sum(); s.free(); s.update(key); }],
    ["UNKNOWN_ALGORITHM", () => bulat.encryptFile(sealed, { key, cipher: "aes" })],
  ]) assert.throws(call, code(name), name);
  for (const [type, call] of [
    [TypeError, () => bulat.encryptFile("text", { key })],
    [TypeError, () => bulat.encryptFile(null, { key })],
    [TypeError, () => bulat.encryptFile(sealed, {})],
    [TypeError, () => bulat.encryptFile(sealed)],
    [TypeError, () => bulat.encryptFile(sealed, { key, password: "x" })],
    [TypeError, () => bulat.encryptFile(sealed, { key, passwort: "x" })],
    [TypeError, () => bulat.encryptFile(sealed, { key, iterations: 300_000 })],
    [TypeError, () => bulat.encryptFile(sealed, { key, chunkLog2: "12" })],
    [RangeError, () => bulat.encryptFile(sealed, { key, chunkLog2: 21 })],
    [RangeError, () => bulat.encryptFile(sealed, { key: some(16) })],
    [RangeError, () => bulat.encryptFile(sealed, { password: "" })],
    [RangeError, () => bulat.encryptFile(sealed, { password: "a\nb" })],
    [RangeError, () => bulat.encryptFile(sealed, { password: "x", kdf: "pbkdf2", iterations: 1000 })],
    [TypeError, () => bulat.encryptFile(sealed, { password: "x", iterations: 200_000 })],
    [TypeError, () => bulat.encryptFile(sealed, { password: "x", kdf: "pbkdf2", memory: 65_536 })],
    [RangeError, () => bulat.encryptFile(sealed, { password: "x", memory: 65_535 })],
    [RangeError, () => bulat.encryptFile(sealed, { password: "x", passes: 2 })],
    [TypeError, () => bulat.decryptFile(sealed, { key, name: 5 })],
    [RangeError, () => new bulat.Sum(128)],
    [TypeError, () => bulat.readKeyFile("00".repeat(32))],
  ]) assert.throws(call, type, String(call));
  assert.deepEqual(bulat.readKeyFile(Buffer.from(`${Buffer.from(key).toString("hex")}\r\n`)), key);
  assert.equal(bulat.readKeyFile(bulat.newKeyFile()).length, 32);
});

test("the command opens these files, and its files open here", { skip: process.env.BULAT ? false : "no command (BULAT)" }, () => {
  const folder = mkdtempSync(join(tmpdir(), "bulat-web-"));
  try {
    const at = (name) => join(folder, name);
    writeFileSync(at("key"), bulat.newKeyFile(), { mode: 0o600 });
    writeFileSync(at("password"), "пароль", { mode: 0o600 });
    const command = (...args) => execFileSync(process.env.BULAT, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
    const secret = bulat.readKeyFile(readFileSync(at("key")));
    for (const n of [0, 5, 131072, 400_000]) {
      const plain = some(n);
      writeFileSync(at("plain"), plain);
      command("encrypt", "-k", "key", "-o", `there${n}`, "plain");
      assert.deepEqual(bulat.decryptFile(readFileSync(at(`there${n}`)), { key: secret }), plain);
      writeFileSync(at(`here${n}`), bulat.encryptFile(plain, { key: secret, cipher: n === 5 ? "magma-mgm" : undefined }));
      command("decrypt", "-k", "key", "-o", `back${n}`, `here${n}`);
      assert.deepEqual(new Uint8Array(readFileSync(at(`back${n}`))), plain);
      assert.equal(command("hash", "plain").toString().split(" ")[0], Buffer.from(new bulat.Sum().update(plain).digest()).toString("hex"));
    }
    for (const cost of [{ kdf: "pbkdf2", iterations: 200_000 }, { memory: 65_536 }]) {
      writeFileSync(at("here"), bulat.encryptFile(some(9), { password: "пароль", ...cost }));
      command("decrypt", "-p", "password", "-f", "-o", "back", "here");
      assert.deepEqual(new Uint8Array(readFileSync(at("back"))), some(9));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a clock of 100 ms gives as many iterations as the usual clock, not the most that a file may have", (t) => {
  const iterations = () => bulat.fileInfo(bulat.encryptFile(some(9), { password: "x", kdf: "pbkdf2" })).slots[0].iterations;
  const usual = iterations();
  const exact = performance.now.bind(performance);
  t.mock.method(performance, "now", () => Math.floor(exact() / 100) * 100);
  let coarse = iterations();
  // A busy machine that stands still makes the mean long: tried three times.
  for (let tries = 1; coarse <= usual / 4 && tries < 3; tries++) coarse = iterations();
  assert.ok(coarse > usual / 4 && coarse < usual * 4 && coarse < 5_000_000, `${usual} and ${coarse}`);
});
