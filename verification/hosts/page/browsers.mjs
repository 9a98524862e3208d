// Drives Chromium by its DevTools, Firefox by WebDriver BiDi, WebKitGTK by WebDriver, each as Debian has it, and prints the
// rows. See ../run.

import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";

const { WORK, QUICK } = process.env;
const { serve } = await import(`${WORK}/site/page/serve.mjs`);
const children = [];
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts a program, and gives the first match in its output. */
function start(program, args, pattern, env = {}) {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"], detached: true });
  children.push(child);
  let said = "";
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${program}: no answer: ${said.slice(-500)}`)), 60_000);
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (data) => {
        const found = pattern.exec((said += data));
        if (found) resolve([found[1], child], clearTimeout(timer));
      });
    child.on("error", reject);
  });
}
const end = (child) => {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended.
  }
};

/** A connection on which each message has a number, and so has its answer. */
async function connect(address) {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => ((socket.onopen = resolve), (socket.onerror = () => reject(new Error(`no connection to ${address}`)))));
  const waiting = new Map();
  socket.onmessage = ({ data }) => {
    const { id, result, error, message } = JSON.parse(data);
    const wait = waiting.get(id);
    waiting.delete(id);
    if (error) wait?.[1](new Error(`${message ?? JSON.stringify(error)}`));
    else wait?.[0](result);
  };
  let id = 0;
  return (method, params = {}, more = {}) =>
    new Promise((resolve, reject) => {
      waiting.set(++id, [resolve, reject]);
      socket.send(JSON.stringify({ id, method, params, ...more }));
    });
}

/** Each gives the browser's version, a function that opens an address, and a function that evaluates a script that gives a text. */
const BROWSERS = {
  async Chromium(secret) {
    const folder = `${WORK}/chromium-${secret}`;
    const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--remote-debugging-port=0", `--user-data-dir=${folder}`];
    const [address, child] = await start("chromium", [...flags, ...(secret ? ["--incognito"] : []), "about:blank"], /listening on (ws:\S+)/);
    const call = await connect(address);
    const { targetInfos } = await call("Target.getTargets");
    const { sessionId } = await call("Target.attachToTarget", { targetId: targetInfos.find((t) => t.type === "page").targetId, flatten: true });
    await call("Browser.setDownloadBehavior", { behavior: "deny" });
    const { product } = await call("Browser.getVersion");
    return {
      child, version: product.split("/")[1],
      open: (url) => call("Page.navigate", { url }, { sessionId }),
      async run(expression) {
        const { result, exceptionDetails } = await call("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true }, { sessionId });
        if (exceptionDetails) throw new Error(result.description ?? exceptionDetails.text);
        return result.value;
      },
    };
  },
  async Firefox(secret) {
    const folder = `${WORK}/firefox-${secret}`;
    mkdirSync(folder);
    const prefs = { "browser.download.dir": folder, "browser.download.folderList": 2, "browser.privatebrowsing.autostart": secret, "app.update.enabled": false, "datareporting.policy.dataSubmissionEnabled": false, "browser.shell.checkDefaultBrowser": false };
    writeFileSync(`${folder}/user.js`, Object.entries(prefs).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`).join(""));
    const [address, child] = await start("firefox-esr", ["--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0", "about:blank"], /BiDi listening on (ws:\S+)/, { HOME: folder });
    const call = await connect(`${address}/session`);
    const { capabilities } = await call("session.new", { capabilities: {} });
    const { contexts } = await call("browsingContext.getTree");
    const { context } = contexts[0];
    return {
      child, version: `${capabilities.browserVersion}${capabilities.browserVersion.includes("esr") ? "" : "esr"}`,
      open: (url) => call("browsingContext.navigate", { context, url, wait: "complete" }),
      async run(expression) {
        const { type, result, exceptionDetails } = await call("script.evaluate", { expression, target: { context }, awaitPromise: true });
        if (type !== "success") throw new Error(exceptionDetails.text);
        return result.value;
      },
    };
  },
  async WebKitGTK() {
    const binary = ["4.1", "4.0", "6.0"].map((n) => `/usr/lib/x86_64-linux-gnu/webkit2gtk-${n}/MiniBrowser`).find(existsSync);
    if (!binary) throw Object.assign(new Error("no MiniBrowser"), { code: "ENOENT" });
    const port = 20_000 + (process.pid % 20_000);
    const [, child] = await start("xvfb-run", ["-a", "sh", "-c", `echo up; exec WebKitWebDriver --port=${port}`], /(up)/);
    const call = async (path, body) => {
      const answer = await fetch(`http://127.0.0.1:${port}/session${path}`, { method: "POST", body: JSON.stringify(body) });
      const { value } = await answer.json();
      if (value?.error) throw new Error(`${value.error}: ${value.message}`);
      return value;
    };
    const options = { binary, args: ["--automation"] };
    let session;
    for (let i = 0; !session; i++)
      session = await call("", { capabilities: { alwaysMatch: { "webkitgtk:browserOptions": options } } }).catch(async (error) => {
        if (i === 300) throw error;
        await sleep(200);
      });
    const id = `/${session.sessionId}`;
    await call(`${id}/timeouts`, { script: 300_000, pageLoad: 300_000 });
    return {
      child, version: session.capabilities.browserVersion,
      open: (url) => call(`${id}/url`, { url }),
      async run(expression) {
        const script = `const done = arguments[arguments.length - 1]; (async () => ${expression})().then((v) => done(["", v]), (e) => done([String(e), ""]));`;
        const [error, value] = await call(`${id}/execute/async`, { script, args: [] });
        if (error) throw new Error(error);
        return value;
      },
    };
  },
};

// ---- The files, and the expected results ----

const at = (name) => `${WORK}/${name}`;
const command = (...args) => execFileSync(at("bulat"), args, { cwd: WORK, stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 26 });
const base64 = (name) => readFileSync(at(name)).toString("base64");
const same = (got, wanted, what) => {
  if (got !== wanted) throw new Error(`${what}: ${String(got).slice(0, 200)}, not ${String(wanted).slice(0, 200)}`);
};
command("key", "new", "-o", "key");
writeFileSync(at("pw"), "correct horse", { mode: 0o600 });
writeFileSync(at("long"), Buffer.concat([Buffer.from("TOP SECRET LINE\n".repeat(10_000)), randomBytes(240_001)]));
writeFileSync(at("letter"), "a harmless letter\n".repeat(10));
command("encrypt", "-k", "key", "long");
command("encrypt", "-p", "pw", "--memory", "65536", "-o", "pw.bulat", "long");
const damaged = readFileSync(at("pw.bulat"));
damaged[damaged.length - 100] ^= 1;
writeFileSync(at("damaged.bulat"), damaged);
const key = { key: base64("key") };
const password = { password: "correct horse" };
const TASKS = [
  ["opened", "decrypt", [["long.bulat", base64("long.bulat")]], key],
  ["sealed", "encrypt", [["letter", base64("letter")]], key],
  ["wrong", "decrypt", [["pw.bulat", base64("pw.bulat")]], { password: "horse" }],
  ["right", "again", password],
  ["damaged", "decrypt", [["damaged.bulat", base64("damaged.bulat")]], password],
  ["two", "encrypt", [["long", base64("long")], ["letter", base64("letter")]], password],
  ["sum", "sum", [["letter", base64("letter")]]],
];

/** Uses the page, and compares all results with the command. */
async function page({ open, run }, address) {
  await open(`${address}/page/`);
  const use = readFileSync(at("site/page/inside.js"), "utf8").replace(/^(\/\/.*\n)+/, "").trim();
  const { said, opfs } = JSON.parse(await run(`(${use})(${JSON.stringify(TASKS)})`));
  const content = (result, name, ...secret) => {
    writeFileSync(at("got"), Buffer.from(result, "base64"));
    const plain = secret.length ? command("decrypt", ...secret, "-o", "-", "got") : readFileSync(at("got"));
    same(plain.equals(readFileSync(at(name))), true, `equal to ${name} (${result.length} characters of Base64)`);
  };
  const shown = (name, ...texts) => same(said[name].shown.join("|") + said[name].problem, texts.join("|"), name);
  shown("opened", "Verified");
  content(said.opened.results[0], "long");
  shown("sealed", "Done");
  same(Buffer.from(said.sealed.results[0], "base64").length, 2064 + 180, "length of a container of 180 bytes");
  content(said.sealed.results[0], "letter", "-k", "key");
  shown("wrong", "The password or key is wrong.");
  shown("right", "Verified");
  content(said.right.results[0], "long");
  shown("damaged", "The file is damaged: nothing was saved.");
  same(said.wrong.results.length + said.damaged.results.length, 0, "results of refused files");
  shown("two", "Done", "Done");
  const sealed = said.two.results.sort((a, b) => b.length - a.length);
  for (const [i, name] of ["long", "letter"].entries()) content(sealed[i], name, "-p", "pw");
  same(said.sum.sums[0], command("hash", "-a", "streebog256", "letter").toString().split(" ")[0], "sum");
  return opfs ? "results wait in the browser's storage" : "no storage for results: they wait in memory, so a file must fit into it";
}

/** Runs the suite of the package, under the policy of the server. */
async function library({ open, run }, address) {
  await open(`${address}/page/library.html`);
  let title = "none";
  for (let i = 0; title === "none" && i < 3000; i++) {
    await sleep(100);
    title = await run("document.title");
  }
  same(title, "right", "the suite");
  return "";
}

/** The same without 'wasm-unsafe-eval'. */
async function forbidden(browser, address, other) {
  const said = await library(browser, other).catch((error) => error.message);
  if (!/(Compile|Runtime)?Error: .*(blocked by CSP|Content Security Policy)/i.test(said)) throw new Error(`under script-src 'self': ${said}`);
  return "script-src needs 'wasm-unsafe-eval'";
}

// ---- The rows ----

const server = await serve(0);
const address = `http://localhost:${server.address().port}`;
// The same files under a policy that forbids WebAssembly.
const strict = createServer(async ({ url }, response) => {
  const answer = await fetch(address + url);
  const headers = { "content-type": answer.headers.get("content-type") ?? "text/plain", "content-security-policy": "default-src 'self'" };
  response.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()));
});
await new Promise((resolve) => strict.listen(0, "127.0.0.1", resolve));
const other = `http://localhost:${strict.address().port}`;
const ROWS = [
  ["the page: key file, password, several files, sums, a wrong password and a damaged file, in one tab", "right", page, false],
  ["the library: all calls twice, misuse, streams; script-src 'self' 'wasm-unsafe-eval'", "right", library, false],
  ["the library under only script-src 'self'", "refused", forbidden, false],
  ["the page in a private window", "right", page, true],
];
let failed = 0;
for (const [name, launch] of Object.entries(BROWSERS)) {
  if (QUICK && name !== "Chromium") continue;
  for (const secret of [false, true]) {
    // MiniBrowser under a driver is always private.
    const rows = ROWS.filter((row) => row[3] === secret && !(secret && (QUICK || name === "WebKitGTK")));
    if (rows.length === 0) continue;
    let browser;
    try {
      browser = await launch(secret);
    } catch (error) {
      if (error.code !== "ENOENT") failed += Boolean(console.error(`WRONG: ${name}: ${error.message}`), true);
      console.log([name, "-", "the page and the library", "not had", error.code === "ENOENT" ? "not installed" : error.message.replace(/\s+/g, " ").slice(0, 100)].join("\t"));
      break;
    }
    for (const [what, result, use] of rows) {
      try {
        const remark = await use(browser, address, other);
        console.log([name, browser.version, what, result, remark].join("\t"));
      } catch (error) {
        failed++;
        console.error(`WRONG: ${name} ${browser.version}: ${what}: ${error.stack}`);
        console.log([name, browser.version, what, "no", error.message.replace(/\s+/g, " ").slice(0, 200)].join("\t"));
      }
    }
    end(browser.child);
  }
}
children.forEach(end);
process.exit(failed ? 1 : 0);
