// Speeds of the package: node bench.mjs, or in Chromium: node bench.mjs chromium. Best of several rounds, in MB/s.
// MODULES="bulat bulat-relaxed" names the modules, which run in turn.

const modules = (process.env.MODULES ?? "bulat bulat-relaxed").split(" ");

/** Runs in the browser, too: everything it needs is inside. */
async function measure([base, modules, rounds]) {
  const best = {};
  for (let round = 0; round < rounds; round++)
    for (const name of modules) {
      const bulat = await import(`${base}bulat.js?${name}`);
      await bulat.init(`${base}${name}.wasm`);
      const [key, iv, nonce, data] = [new Uint8Array(32), new Uint8Array(8), new Uint8Array(16), new Uint8Array(1 << 20)];
      const aead = new bulat.Aead("kuznyechik-mgm", key);
      const works = {
        "streebog256": () => bulat.hash("streebog256", data),
        "kuznyechik-ctr": () => bulat.encrypt("kuznyechik-ctr", key, data, iv),
        "kuznyechik-mgm": () => aead.seal(nonce, data),
        "container": () => bulat.encryptFile(data, { key }),
      };
      for (const [work, run] of Object.entries(works)) {
        run();
        for (let i = 0; i < 4; i++) {
          const start = performance.now();
          run();
          const rate = 1048.576 / (performance.now() - start);
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
  best = await page.evaluate(measure, [`${origin}/lib/`, modules, 5]);
  await browser.close();
  server.closeAllConnections();
  server.close();
} else {
  best = await measure([new URL("./lib/", import.meta.url).href, modules, 5]);
}
for (const [name, rate] of Object.entries(best)) console.log(`${name.padEnd(34)} ${rate.toFixed(0).padStart(5)} MB/s`);
