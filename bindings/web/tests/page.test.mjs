// The page in Chromium, against the command: BULAT=FILE of the command; CHROMIUM=FILE, by default /usr/bin/chromium.
// SIZE=1073741824 for files of 1 GiB. PICTURES=FOLDER writes the README's pictures and nothing else.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { serve } from "../page/serve.mjs";

const { BULAT, PICTURES, SIZE = 3_000_001, CHROMIUM = "/usr/bin/chromium" } = process.env;
const playwright = await import("playwright-core").catch(() => undefined);
const skip = !playwright ? "no playwright-core (npm install)" : !existsSync(CHROMIUM) ? `no ${CHROMIUM}` : !BULAT ? "no command (BULAT)" : false;

let server, context, origin, folder;
const requests = [];
const at = (name) => join(folder, name);
const command = (...args) => execFileSync(BULAT, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] }).toString();

before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), "bulat-page-"));
  server = await serve(0);
  origin = `http://localhost:${server.address().port}`;
  // A profile on disk: in an incognito window the browser's storage is in memory.
  context = await playwright.chromium.launchPersistentContext(join(folder, "profile"), {
    executablePath: CHROMIUM, headless: true, acceptDownloads: true, timeout: 180_000, viewport: { width: 900, height: 900 },
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  context.setDefaultTimeout(180_000);
  context.on("request", (request) => requests.push(request.url()));
  writeFileSync(at("password"), "correct horse", { mode: 0o600 });
  command("key", "new", "-o", "key");
  const file = openSync(at("plain.bin"), "w");
  const piece = Buffer.alloc(1 << 20);
  for (let left = Number(SIZE), i = 0; left > 0; left -= piece.length, i++) {
    piece.fill(createHash("sha256").update(String(i)).digest());
    writeSync(file, piece, 0, Math.min(left, piece.length));
  }
});
after(async () => {
  await context?.close();
  server?.closeAllConnections();
  server?.close();
  if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function open(setup = () => delete window.showSaveFilePicker) {
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.addInitScript(setup);
  await page.goto(`${origin}/page/`);
  return Object.assign(page, { errors });
}

/** Starts, and gives the downloaded file's name on disk. */
async function result(page, name) {
  const download = page.waitForEvent("download", { timeout: 0 });
  await page.getByRole("button", { name: "Start" }).click();
  await (await download).saveAs(at(name));
  return name;
}
const problem = async (page, text) => {
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByText(text).first().waitFor();
};
const choose = async (page, ...names) => {
  await page.locator("#files").setInputFiles(names.map(at));
  await page.locator("li").nth(names.length - 1).waitFor();
};
const stored = (page) => page.evaluate(async () => Array.fromAsync((await navigator.storage.getDirectory()).keys()));
async function digest(name) {
  const sum = createHash("sha256");
  for await (const piece of createReadStream(at(name))) sum.update(piece);
  return sum.digest("hex");
}
const same = async (a, b) => assert.equal(await digest(a), await digest(b));

/** The most memory of a process that shows pages, while `work` runs. */
async function memory(work) {
  let most = 0;
  const timer = setInterval(() => {
    for (const id of readdirSync("/proc").filter((id) => /^\d+$/.test(id)))
      try {
        if (readFileSync(`/proc/${id}/cmdline`, "latin1").includes("--type=renderer"))
          most = Math.max(most, Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "latin1"))?.[1] ?? 0));
      } catch {
        // It has ended.
      }
  }, 300);
  try {
    const start = performance.now();
    const value = await work();
    return [value, Math.round(most / 1024), (performance.now() - start) / 1000];
  } finally {
    clearInterval(timer);
  }
}

test("the page", { skip: skip || (PICTURES ? "only pictures" : false), timeout: 3_600_000 }, async (t) => {
  await t.test("encrypts with a key file; the command decrypts", async (t) => {
    const page = await open();
    await choose(page, "plain.bin");
    await page.getByLabel("Key file").first().check();
    await page.locator("#key").setInputFiles(at("key"));
    const [name, mib, seconds] = await memory(() => result(page, "sealed.bulat"));
    command("decrypt", "-k", "key", "-o", "back.bin", name);
    await same("back.bin", "plain.bin");
    t.diagnostic(`${SIZE} bytes: ${(SIZE / seconds / 1e6).toFixed(0)} MB/s, the download included; renderer at most ${mib} MiB`);
    assert.deepEqual(page.errors, []);
    await page.close();
  });

  await t.test("decrypts the command's file, with a password", async (t) => {
    command("encrypt", "-p", "password", "--memory", "65536", "-o", "theirs.bulat", "plain.bin");
    const page = await open();
    await choose(page, "theirs.bulat");
    await page.getByLabel("Decrypt").waitFor();
    assert.ok(await page.getByLabel("Decrypt").isChecked());
    await page.locator("#password").fill("correct horse");
    const [name, mib] = await memory(() => result(page, "mine.bin"));
    await same(name, "plain.bin");
    t.diagnostic(`renderer at most ${mib} MiB`);
    assert.equal(await page.locator("#password").inputValue(), "");
    await page.close();
  });

  await t.test("a wrong password, a damaged and a truncated file: a message, and no result", async () => {
    const page = await open();
    let downloads = 0;
    page.on("download", () => downloads++);
    await choose(page, "theirs.bulat");
    await page.locator("#password").fill("wrong");
    await problem(page, "The password or key is wrong.");
    const sealed = readFileSync(at("theirs.bulat"));
    sealed[sealed.length - 100] ^= 1;
    writeFileSync(at("damaged.bulat"), sealed);
    writeFileSync(at("short.bulat"), sealed.subarray(0, 2048 + 2 * (131072 + 16)));
    for (const [name, text] of [["damaged.bulat", "The file is damaged"], ["short.bulat", "The file is incomplete"]]) {
      await choose(page, name);
      await page.locator("#password").fill("correct horse");
      await problem(page, text);
    }
    assert.equal(downloads, 0);
    assert.equal(await page.locator("li a").count(), 0);
    assert.deepEqual(await stored(page), []);
    await page.close();
  });

  await t.test("into a file that the user chose: whole, or untouched", async () => {
    const page = await open(() => {
      window.showSaveFilePicker = async () => (await navigator.storage.getDirectory()).getFileHandle("chosen", { create: true });
    });
    const chosen = () =>
      page.evaluate(async () => (await (await (await navigator.storage.getDirectory()).getFileHandle("chosen")).getFile()).size);
    await choose(page, "damaged.bulat");
    await page.locator("#password").fill("correct horse");
    await problem(page, "The file is damaged");
    assert.equal(await chosen(), 0);
    await choose(page, "theirs.bulat");
    await page.locator("#password").fill("correct horse");
    await problem(page, "Verified");
    assert.equal(await chosen(), Number(SIZE));
    await page.evaluate(async () => (await navigator.storage.getDirectory()).removeEntry("chosen"));
    await page.close();
  });

  await t.test("a closed tab leaves nothing", async () => {
    const file = openSync(at("long.bin"), "w");
    writeSync(file, "x", 400_000_000);
    const page = await open();
    const mine = (await stored(page)).length;
    await choose(page, "long.bin");
    await page.getByLabel("Key file").first().check();
    await page.locator("#key").setInputFiles(at("key"));
    await page.getByRole("button", { name: "Start" }).click();
    await page.locator("progress").waitFor();
    await page.waitForFunction(() => document.querySelector("progress")?.value > 1e6);
    assert.equal((await stored(page)).length, mine + 1);
    await page.close();
    const again = await open();
    await again.waitForFunction(async () => (await Array.fromAsync((await navigator.storage.getDirectory()).keys())).length === 0);
    // Stopped by its button.
    await choose(again, "long.bin");
    await again.getByLabel("Key file").first().check();
    await again.locator("#key").setInputFiles(at("key"));
    await again.getByRole("button", { name: "Start" }).click();
    await again.waitForFunction(() => document.querySelector("progress")?.value > 1e6);
    await again.getByRole("button", { name: "Stop" }).click();
    await again.getByText("Stopped").waitFor();
    await again.waitForFunction(async () => (await Array.fromAsync((await navigator.storage.getDirectory()).keys())).length === 0);
    assert.deepEqual(again.errors, []);
    await again.close();
    rmSync(at("long.bin"));
  });

  await t.test("checksums, by keyboard, in Russian, without a network", async () => {
    const page = await open();
    await page.getByText("Ready to work offline").waitFor();
    await context.setOffline(true);
    await page.reload();
    await page.getByRole("button", { name: "Русский" }).focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.locator("html").getAttribute("lang"), "ru");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    assert.ok(await page.getByLabel("Контрольная сумма").isChecked());
    await choose(page, "password", "plain.bin");
    await page.locator("#files").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowRight");
    assert.ok(await page.getByLabel("Streebog-512").isChecked());
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator("code").nth(1).waitFor();
    for (const [i, name] of ["password", "plain.bin"].entries())
      assert.equal(await page.locator("code").nth(i).textContent(), command("hash", "-a", "streebog512", name).split(" ")[0]);
    await context.setOffline(false);
    await page.close();
  });

  await t.test("every control has a name", async () => {
    const page = await open();
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll("button, input, progress, summary")].filter(
        (e) => !(e.ariaLabel || e.textContent.trim() || [...(e.labels ?? [])].some((label) => label.textContent.trim())),
      ).length,
    );
    assert.equal(nameless, 0);
    await page.close();
  });

  await t.test("nothing leaves the machine", async (t) => {
    const page = await open();
    for (const [what, send] of [
      ["fetch", () => fetch("http://127.0.0.2:9/").then(() => "sent", () => "refused")],
      ["image", () => new Promise((resolve) => Object.assign(new Image(), { onload: () => resolve("sent"), onerror: () => resolve("refused") }).src = "http://127.0.0.2:9/")],
      ["beacon", () => (navigator.sendBeacon("http://127.0.0.2:9/", "x"), "refused")],
    ]) assert.equal(await page.evaluate(send), "refused", what);
    await page.close();
    const foreign = requests.filter((url) => !url.startsWith(origin) && !url.startsWith("blob:"));
    // The three attempts above are seen here, or were stopped before they became requests.
    assert.deepEqual(foreign.filter((url) => !url.startsWith("http://127.0.0.2:9/")), []);
    const paths = new Set(requests.filter((url) => url.startsWith(origin)).map((url) => new URL(url)));
    for (const url of paths) assert.ok(/^\/(page|lib)\//.test(url.pathname) && url.search === "", url.href);
    t.diagnostic(`${requests.length} requests, all of them for the page's own files`);
  });
});

test("pictures", { skip: skip || (PICTURES ? false : "no folder (PICTURES)"), timeout: 600_000 }, async () => {
  for (const [scheme, language] of [["light", "en"], ["dark", "ru"]]) {
    const page = await open();
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width: 860, height: 940 });
    if (language === "ru") await page.getByRole("button", { name: "Русский" }).click();
    await choose(page, "plain.bin");
    await page.locator("#password").fill("correct horse");
    await page.locator("#repeat").fill("correct horse");
    await page.locator("#start").click();
    await page.waitForFunction(() => document.querySelector("progress")?.value > 0.6 * document.querySelector("progress").max, undefined, { timeout: 0 });
    await page.screenshot({ path: join(PICTURES, `page-${scheme}.png`) });
    await page.close();
  }
});
