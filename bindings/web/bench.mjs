// Speeds of the package: node bench.mjs, or in Chromium: node bench.mjs chromium. Best of several rounds, in MB/s; then the
// rates of one Worker and of two that encrypt files at once; WORKERS=only measures only these.
// MODULES="bulat bulat-relaxed" names the modules, which run in turn, by default all modules that were built and can
// run here; LENGTH the length of a message, by default 1 MiB. On a loaded machine short messages find the gaps.

import { existsSync, readFileSync } from "node:fs";

const inChromium = process.argv[2] === "chromium";
const file = (name) => new URL(`./lib/${name}.wasm`, import.meta.url);
const runs = (name) => existsSync(file(name)) && (inChromium || WebAssembly.validate(readFileSync(file(name))));
const modules = process.env.MODULES?.split(" ") ?? ["bulat", "bulat-relaxed"].filter(runs);
const only = process.env.WORKERS === "only";
const length = Number(process.env.LENGTH ?? 1 << 20);

/** Runs in the browser, too: everything it needs is inside. */
async function measure([base, modules, length]) {
  const best = {};
  for (let round = 0; round < 5; round++)
    for (const name of modules) {
      const bulat = await import(`${base}bulat.js?${name}`);
      await bulat.init(`${base}${name}.wasm`);
      const [key, iv, nonce, data] = [new Uint8Array(32), new Uint8Array(8), new Uint8Array(16), new Uint8Array(length)];
      const aead = new bulat.Aead("kuznyechik-mgm", key);
      const slow = new bulat.Aead("kuznyechik-mgm", key, { kernel: "portable" });
      const works = {
        "streebog256": () => bulat.hash("streebog256", data),
        "kuznyechik-ctr": () => bulat.encrypt("kuznyechik-ctr", key, data, iv),
        "kuznyechik-mgm": () => aead.seal(nonce, data),
        "kuznyechik-mgm, portable": () => slow.seal(nonce, data),
        "container": () => bulat.encryptFile(data, { key }),
      };
      for (const [work, run] of Object.entries(works)) {
        run();
        for (let i = 0; i < Math.max(4, (4 << 20) / length); i++) {
          const start = performance.now();
          run();
          const rate = length / 1000 / (performance.now() - start);
          best[`${name} ${work}`] = Math.max(best[`${name} ${work}`] ?? 0, rate);
        }
      }
    }
  return best;
}

/** Runs in the browser, too: one Worker or two, by turns, each encrypt 64 MiB. */
async function together([base]) {
  const { compile } = await import(`${base}container.js`);
  const module = await compile();
  const node = typeof process === "object";
  const { Worker: Thread } = node ? await import("node:worker_threads") : globalThis;
  const text = `
    const port = ${node ? '(await import("node:worker_threads")).parentPort' : "self"};
    const bulat = await import("${base}container.js");
    const [key, data] = [new Uint8Array(32), new Uint8Array(1 << 20)];
    port.onmessage = async ({ data: { module, count } }) => {
      await bulat.init(module);
      for (let i = 0; i < count; i++) bulat.encryptFile(data, { key });
      port.postMessage("done");
    };
    port.postMessage("ready");`;
  const workers = [0, 1].map(() =>
    node
      ? new Thread(new URL(`data:text/javascript,${encodeURIComponent(text)}`))
      : new Thread(URL.createObjectURL(new Blob([text], { type: "text/javascript" })), { type: "module" }),
  );
  const listen = (worker, event, f) => (node ? worker.once(event, f) : worker.addEventListener(event, f, { once: true }));
  const failed = new Promise((_, reject) => workers.forEach((worker) => listen(worker, "error", reject)));
  /** Waits for a Worker's next message. */
  const told = (worker) => Promise.race([failed, new Promise((resolve) => listen(worker, "message", resolve))]);
  await Promise.all(workers.map(told));
  const rate = async (n, count) => {
    const start = performance.now();
    await Promise.all(workers.slice(0, n).map((worker) => (worker.postMessage({ module, count }), told(worker))));
    return (n * count * (1 << 20)) / 1000 / (performance.now() - start);
  };
  await rate(2, 8);
  const best = [0, 0];
  for (let round = 0; round < 5; round++) for (const n of [1, 2]) best[n - 1] = Math.max(best[n - 1], await rate(n, 64));
  for (const worker of workers) worker.terminate();
  return best;
}

let [best, one, two] = [{}];
if (inChromium) {
  const [{ chromium }, { serve }] = [await import("playwright-core"), await import("./page/serve.mjs")];
  const server = await serve(0);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
  // Its Worker is not a file.
  const page = await browser.newPage({ bypassCSP: true });
  const origin = `http://localhost:${server.address().port}`;
  await page.goto(`${origin}/page/`);
  if (!only) best = await page.evaluate(measure, [`${origin}/lib/`, modules, length]);
  [one, two] = await page.evaluate(together, [`${origin}/lib/`]);
  await browser.close();
  server.closeAllConnections();
  server.close();
} else {
  const base = new URL("./lib/", import.meta.url).href;
  if (!only) best = await measure([base, modules, length]);
  [one, two] = await together([base]);
}
best["container, one Worker"] = one;
best["container, two Workers"] = two;
for (const [name, rate] of Object.entries(best)) console.log(`${name.padEnd(40)} ${rate.toFixed(0).padStart(5)} MB/s`);
console.log(`${"two Workers, of one".padEnd(40)} ${(two / one).toFixed(2).padStart(5)} times`);
