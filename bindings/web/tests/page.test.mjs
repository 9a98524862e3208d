// The page in Chromium, against the command: BULAT=FILE of the command; CHROMIUM=FILE, by default /usr/bin/chromium.
// SIZE=1073741824 for files of 1 GiB. PICTURES=FOLDER writes the README's pictures and nothing else.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { serve } from "../page/serve.mjs";

const { BULAT, PICTURES, SIZE = 3_000_001, CHROMIUM = "/usr/bin/chromium" } = process.env;
const playwright = await import("playwright-core").catch(() => undefined);
const skip = !playwright ? "no playwright-core (npm install)" : !existsSync(CHROMIUM) ? `no ${CHROMIUM}` : !BULAT ? "no command (BULAT)" : false;

const ARGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

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
    executablePath: CHROMIUM, headless: true, acceptDownloads: true, timeout: 180_000, viewport: { width: 900, height: 900 }, args: ARGS,
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

async function open(setup = () => delete window.showSaveFilePicker, from = context) {
  const page = await from.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.addInitScript(setup);
  await page.goto(`${origin}/page/`);
  return Object.assign(page, { errors });
}

const start = (page) => page.getByRole("button", { name: "Start" }).click();
/** Starts, and gives the downloaded file's name on disk. */
async function result(page, name) {
  const download = page.waitForEvent("download", { timeout: 0 });
  await start(page);
  await (await download).saveAs(at(name));
  return name;
}
/** Starts, and waits for a text that was not there before. */
const problem = async (page, text) => {
  await start(page);
  await page.getByText(text).first().waitFor();
};
/** Chooses files, and waits until the page has seen what they are. */
const choose = async (page, task, ...names) => {
  await page.locator("#files").setInputFiles(names.map(at));
  await page.waitForFunction(
    ([task, names]) => document.querySelector(`[value=${task}]`).checked && [...document.querySelectorAll("li .name")].map((e) => e.textContent).join() === names,
    [task, names.join()],
  );
};
const withKey = async (page) => {
  await page.getByLabel("Key file").first().check();
  await page.locator("#key").setInputFiles(at("key"));
};
const withPassword = async (page, text) => {
  await page.getByLabel("Password", { exact: true }).first().check();
  await page.locator("#password").fill(text);
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

test("the server gives the files of its two folders, and nothing else", async () => {
  const server = await serve(0);
  const status = (path) => new Promise((resolve, reject) => get({ port: server.address().port, path }, (answer) => resolve(answer.resume().statusCode)).on("error", reject));
  try {
    for (const [path, code] of [
      ["/page/app.js", 200], ["/page/?x#y", 200], ["/", 302], ["/page", 302], ["/lib/core.js", 200],
      ["/package.json", 404], ["/lib/", 404], ["/lib/none.js", 404], ["/lib/..", 404], ["/page/serve.mjs", 404], ["/lib/.js", 404],
      ["/lib/../page/app.js", 404], ["/lib/..%2fpage%2fapp.js", 404], ["/lib/..%5cpage%5capp.js", 404], ["/lib/..\\page\\app.js", 404],
      ["/lib/%2e%2e/page/app.js", 404], ["/page/app.js%00.js", 404], ["//page/app.js", 404], ["//", 404], ["/%ff", 404], ["/page/%ff.js", 404],
    ]) assert.equal(await status(path), code, path);
  } finally {
    server.close();
  }
});

test("the page", { skip: skip || (PICTURES ? "only pictures" : false), timeout: 3_600_000 }, async (t) => {
  // One tab for the next cases, as a user has it: a result must not depend on those before it.
  const page = skip ? undefined : await open();
  let downloads = 0;
  page?.on("download", () => downloads++);

  await t.test("encrypts with a key file; the command decrypts", async (t) => {
    await choose(page, "encrypt", "plain.bin");
    await withKey(page);
    const [name, mib, seconds] = await memory(() => result(page, "sealed.bulat"));
    command("decrypt", "-k", "key", "-o", "back.bin", name);
    await same("back.bin", "plain.bin");
    t.diagnostic(`${SIZE} bytes: ${(SIZE / seconds / 1e6).toFixed(0)} MB/s, the download included; renderer at most ${mib} MiB`);
  });

  await t.test("decrypts the command's file, with a password", async (t) => {
    command("encrypt", "-p", "password", "--memory", "65536", "-o", "theirs.bulat", "plain.bin");
    await choose(page, "decrypt", "theirs.bulat");
    await withPassword(page, "correct horse");
    const [name, mib] = await memory(() => result(page, "mine.bin"));
    await same(name, "plain.bin");
    t.diagnostic(`renderer at most ${mib} MiB`);
    assert.equal(await page.locator("#password").inputValue(), "");
  });

  await t.test("shorter results after longer ones: whole, alone, and one stored file for each that is shown", async () => {
    for (const length of [180, 0]) {
      writeFileSync(at("letter"), "x".repeat(length));
      await choose(page, "encrypt", "letter");
      await withKey(page);
      const name = await result(page, "letter.bulat");
      assert.equal(readFileSync(at(name)).length, 2064 + length);
      assert.equal(command("decrypt", "-k", "key", "-o", "-", name), "x".repeat(length));
      await page.waitForFunction(async () => (await Array.fromAsync((await navigator.storage.getDirectory()).keys())).length === 1);
    }
    // Two at once, whose results the user saves: decrypted, and then shorter ones encrypted.
    command("encrypt", "-f", "-k", "key", "plain.bin", "password");
    for (const [task, names] of [["decrypt", ["plain.bin.bulat", "password.bulat"]], ["encrypt", ["password", "letter"]]]) {
      await choose(page, task, ...names);
      await withKey(page);
      await start(page);
      for (const name of names) {
        const download = page.waitForEvent("download");
        await page.locator("li", { hasText: name }).locator("a").click();
        await (await download).saveAs(at("got"));
        if (task === "encrypt") {
          command("decrypt", "-f", "-k", "key", "-o", "opened", "got");
          await same("opened", name);
        } else await same("got", name.slice(0, -6));
      }
      assert.equal((await stored(page)).length, 2);
    }
    // What is taken off the list is not kept.
    for (let rest = 1; rest >= 0; rest--) {
      await page.getByRole("button", { name: /^Remove/ }).first().click();
      await page.waitForFunction(async (rest) => (await Array.fromAsync((await navigator.storage.getDirectory()).keys())).length === rest, rest);
    }
  });

  await t.test("a wrong password, a damaged and a truncated file: a message, and no result", async () => {
    downloads = 0;
    await choose(page, "decrypt", "theirs.bulat");
    await withPassword(page, "wrong");
    await problem(page, "The password or key is wrong.");
    const sealed = readFileSync(at("theirs.bulat"));
    sealed[sealed.length - 100] ^= 1;
    writeFileSync(at("damaged.bulat"), sealed);
    writeFileSync(at("short.bulat"), sealed.subarray(0, 2048 + 2 * (131072 + 16)));
    for (const [name, text] of [["damaged.bulat", "The file is damaged"], ["short.bulat", "The file is incomplete"]]) {
      await choose(page, "decrypt", name);
      await withPassword(page, "correct horse");
      await problem(page, text);
    }
    assert.equal(downloads, 0);
    assert.equal(await page.locator("li a").count(), 0);
    assert.deepEqual(await stored(page), []);
  });

  await t.test("after a wrong password the right one, without choosing the file again; its name has room beside the message", async () => {
    await choose(page, "decrypt", "theirs.bulat");
    await withPassword(page, "wrong");
    await problem(page, "The password or key is wrong.");
    await page.setViewportSize({ width: 375, height: 700 });
    const lines = await page.locator("li .name").evaluate((e) => e.getBoundingClientRect().height / parseFloat(getComputedStyle(e).lineHeight));
    assert.ok(lines < 1.5, `the name has ${lines} lines`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await page.locator("#password").fill("correct horse");
    await same(await result(page, "mine.bin"), "plain.bin");
    assert.deepEqual(page.errors, []);
    await page.close();
  });

  await t.test("browsers that lack something: storage, WebAssembly, a worker", async () => {
    const browser = await playwright.chromium.launch({ executablePath: CHROMIUM, headless: true, args: ARGS });
    // A service worker would hide the worker's changed script.
    const other = await browser.newContext({ serviceWorkers: "block", acceptDownloads: true });
    const without = async (setup, script = "") => {
      await other.unrouteAll();
      await other.route("**/worker.js", async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: script + (await response.text()) });
      });
      const page = await open(setup, other);
      return page;
    };
    // Firefox refuses storage in private windows; WebKitGTK has none.
    const refused = "navigator.storage.getDirectory = () => Promise.reject(new DOMException('', 'SecurityError'));";
    const none = "delete WorkerNavigator.prototype.storage;";
    const setups = [
      [() => { delete window.showSaveFilePicker; navigator.storage.getDirectory = () => Promise.reject(new DOMException("", "SecurityError")); }, refused],
      [() => { delete window.showSaveFilePicker; delete Navigator.prototype.storage; }, none],
    ];
    writeSync(openSync(at("long.bin"), "w"), "x", 400_000_000);
    for (const [setup, script] of setups) {
      const page = await without(setup, script);
      await choose(page, "decrypt", "plain.bin.bulat");
      await withKey(page);
      await same(await result(page, "got"), "plain.bin");
      await choose(page, "encrypt", "letter");
      await withKey(page);
      assert.equal(readFileSync(at(await result(page, "got"))).length, 2064);
      await choose(page, "encrypt", "long.bin");
      await withKey(page);
      await start(page);
      await page.waitForFunction(() => document.querySelector("progress")?.value > 1e6);
      await page.getByRole("button", { name: "Stop" }).click();
      await page.getByText("Stopped").waitFor();
      assert.deepEqual(page.errors, []);
      await page.close();
    }
    for (const [script, text] of [
      ["WebAssembly.instantiate = () => Promise.reject(new Error('no luck'));", "The page has an error: no luck"],
      ["throw new Error('no worker');", "no worker"],
    ]) {
      const page = await without(setups[0][0], script);
      await choose(page, "encrypt", "letter", "password");
      await withKey(page);
      await start(page);
      await page.getByText(text).nth(1).waitFor();
      await page.getByRole("button", { name: "Start" }).waitFor();
      await page.waitForFunction(() => !document.getElementById("start").disabled);
      await page.close();
    }
    const page = await without(() => delete window.WebAssembly);
    await page.getByText("WebAssembly is switched off in it").waitFor();
    await browser.close();
  });

  await t.test("into a file that the user chose: whole, or untouched", async () => {
    const page = await open(() => {
      window.showSaveFilePicker = async () => (await navigator.storage.getDirectory()).getFileHandle("chosen", { create: true });
    });
    const chosen = () =>
      page.evaluate(async () => (await (await (await navigator.storage.getDirectory()).getFileHandle("chosen")).getFile()).size);
    await choose(page, "decrypt", "damaged.bulat");
    await page.locator("#password").fill("correct horse");
    await problem(page, "The file is damaged");
    assert.equal(await chosen(), 0);
    await choose(page, "decrypt", "theirs.bulat");
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
    await choose(page, "encrypt", "long.bin");
    await withKey(page);
    await start(page);
    await page.locator("progress").waitFor();
    await page.waitForFunction(() => document.querySelector("progress")?.value > 1e6);
    assert.equal((await stored(page)).length, mine + 1);
    await page.close();
    const again = await open();
    await again.waitForFunction(async () => (await Array.fromAsync((await navigator.storage.getDirectory()).keys())).length === 0);
    // Stopped by its button.
    await choose(again, "encrypt", "long.bin");
    await withKey(again);
    await start(again);
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
    await choose(page, "sum", "password", "plain.bin");
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
    await choose(page, "encrypt", "plain.bin");
    await page.locator("#password").fill("correct horse");
    await page.locator("#repeat").fill("correct horse");
    await page.locator("#start").click();
    await page.waitForFunction(() => document.querySelector("progress")?.value > 0.6 * document.querySelector("progress").max, undefined, { timeout: 0 });
    await page.screenshot({ path: join(PICTURES, `page-${scheme}.png`) });
    await page.close();
  }
});
