// Speeds of the package: node bench.mjs, or in Chromium: node bench.mjs chromium. Best of several rounds, in MB/s.
// MODULES="bulat bulat-relaxed" names the modules, which run in turn; LENGTH the length of a message, by default 1 MiB. On a
// loaded machine short messages find the gaps.

const modules = (process.env.MODULES ?? "bulat bulat-relaxed").split(" ");
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

let best;
if (process.argv[2] === "chromium") {
  const [{ chromium }, { serve }] = [await import("playwright-core"), await import("./page/serve.mjs")];
  const server = await serve(0);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
  const page = await browser.newPage();
  const origin = `http://localhost:${server.address().port}`;
  await page.goto(`${origin}/page/`);
  best = await page.evaluate(measure, [`${origin}/lib/`, modules, length]);
  await browser.close();
  server.closeAllConnections();
  server.close();
} else {
  best = await measure([new URL("./lib/", import.meta.url).href, modules, length]);
}
for (const [name, rate] of Object.entries(best)) console.log(`${name.padEnd(40)} ${rate.toFixed(0).padStart(5)} MB/s`);
