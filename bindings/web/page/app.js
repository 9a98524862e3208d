// The page: its controls, a queue of files, workers, results.

import { compile, fileInfo, init, newKeyFile, readKeyFile, wasmUrl } from "../lib/container.js";
import { WORDS } from "./words.js";

const $ = (id) => document.getElementById(id);
const form = $("form");
let language = navigator.language?.startsWith("ru") ? "ru" : "en";
const words = () => WORDS[language];

/** The queue: each file with its state and its row. */
const jobs = [];
let running = 0;
let workers = [];
/** The number of files that were worked on: no two have one number, nor one temporary file. */
let count = 0;
let module;
/** The secret of the files in work. */
let secretBytes;
/** Temporary files carry this name, and a lock says that the page lives. */
const TAB = `bulat-${crypto.randomUUID()}`;

// ---- Words and numbers ----

function translate() {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = words()[element.dataset.t];
  $("language").textContent = language === "en" ? "Русский" : "English";
  $("language").lang = language === "en" ? "ru" : "en";
  $("list").ariaLabel = words().files;
  if ($("offline").dataset.ready) $("offline").textContent = words().offline;
  jobs.forEach(draw);
}

function size(n) {
  const { units } = words();
  let unit = 0;
  for (; n >= 1000 && unit < units.length - 1; unit++) n /= 1000;
  return `${n.toLocaleString(language, { maximumFractionDigits: n < 10 && unit > 0 ? 1 : 0 })} ${units[unit]}`;
}

function time(seconds) {
  const { second, minute, hour } = words();
  if (seconds < 60) return `${Math.ceil(seconds)} ${second}`;
  if (seconds < 3600) return `${Math.ceil(seconds / 60)} ${minute}`;
  return `${(seconds / 3600).toFixed(1)} ${hour}`;
}

const problem = (text) => {
  $("problem").hidden = !text;
  $("problem").textContent = text ?? "";
};
const say = (text) => ($("status").textContent = text);
const reason = ({ code, message }) => words().errors[code] ?? `${words().internal}: ${message}`;

// ---- Controls ----

const mode = () => form.elements.mode.value;
const kind = () => form.elements.secret.value;
/** Returns true for a file without a result: after a failure or a stop it may be tried again. */
const open = (job) => job.state !== "done";

function arrange() {
  const sum = mode() === "sum";
  $("secret").hidden = sum;
  $("sum-panel").hidden = !sum;
  $("password-fields").hidden = kind() !== "password";
  $("key-fields").hidden = kind() !== "key";
  $("repeat-label").hidden = mode() !== "encrypt";
  $("new-key").hidden = $("hint").hidden = mode() !== "encrypt";
  const busy = running > 0;
  $("start").disabled = busy || !jobs.some(open);
  $("stop").hidden = !busy;
  for (const input of form.querySelectorAll("fieldset input, #files, #password, #repeat, #key")) input.disabled = busy;
}

async function add(files) {
  if (running > 0) return;
  problem();
  for (let i = jobs.length - 1; i >= 0; i--) if (jobs[i].state !== "waiting") remove(jobs[i]);
  for (const file of files) {
    const job = { file, state: "waiting", done: 0, row: document.createElement("li") };
    jobs.push(job);
    $("list").append(job.row);
    draw(job);
  }
  // Files of bulat are probably to be decrypted, as their header says.
  if (mode() !== "sum" && jobs.length > 0) {
    const infos = await Promise.all(jobs.map(info));
    if (infos.every(Boolean)) {
      form.elements.mode.value = "decrypt";
      form.elements.secret.value = infos[0].slots.some((slot) => slot.kind === "password") ? "password" : "key";
    } else if (infos.every((info) => !info)) form.elements.mode.value = "encrypt";
  }
  arrange();
}

async function info({ file }) {
  try {
    await ready();
    return fileInfo(await file.slice(0, 2048).arrayBuffer());
  } catch {
    return undefined;
  }
}

function remove(job) {
  jobs.splice(jobs.indexOf(job), 1);
  if (job.url) URL.revokeObjectURL(job.url);
  job.row.remove();
  clear([job.stored]);
}

/** Makes an element with text. */
function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function draw(job) {
  const { row, file, state } = job;
  const t = words();
  const says = {
    waiting: t.waiting, working: job.done > 0 || job.kind === "sum" ? t.percent.replace("{}", percent(job)) : t.deriving,
    done: job.kind === "decrypt" ? t.verified : t.done, stopped: t.stopped,
  };
  const line = element("div", "row");
  line.append(element("span", "name", file.name), element("span", "size", size(file.size)));
  line.append(element("span", `state ${state === "done" ? "good" : state === "failed" ? "bad" : ""}`, state === "failed" ? reason(job) : says[state]));
  if (running === 0) {
    const button = element("button", "plain", "×");
    button.type = "button";
    button.ariaLabel = `${t.remove}: ${file.name}`;
    button.onclick = () => {
      remove(job);
      arrange();
    };
    line.append(button);
  }
  row.replaceChildren(line);
  if (state === "working") {
    const bar = element("progress");
    bar.ariaLabel = file.name;
    bar.max = Math.max(file.size, 1);
    bar.value = job.done;
    row.append(bar);
  }
  if (job.sum) {
    const copy = element("button", "plain", t.copy);
    copy.type = "button";
    copy.onclick = async () => {
      await navigator.clipboard.writeText(job.sum);
      copy.textContent = t.copied;
    };
    row.append(element("code", "", job.sum), copy);
  }
  if (job.url) {
    const link = element("a", "", `${t.save}: ${job.name}`);
    link.href = job.url;
    link.download = job.name;
    row.append(link);
  }
}

/** Redraws only what moves. */
function move(job) {
  const bar = job.row.querySelector("progress");
  if (!bar) return draw(job);
  bar.value = job.done;
  job.row.querySelector(".state").textContent = words().percent.replace("{}", percent(job));
}

const percent = (job) => (job.file.size === 0 ? 100 : Math.floor((job.done / job.file.size) * 100));

// ---- Speed ----

const speed = {
  begin() {
    this.samples = [];
    this.at = performance.now();
    this.before = 0;
    this.timer = setInterval(() => this.sample(), 250);
    $("speed").hidden = false;
    this.draw();
  },
  end() {
    clearInterval(this.timer);
    this.sample();
    $("left").textContent = "";
  },
  sample() {
    const [now, done] = [performance.now(), jobs.reduce((n, job) => n + job.done, 0)];
    if (now - this.at < 100) return;
    // Keys are being derived.
    if (done === 0) {
      this.at = now;
      return;
    }
    this.samples.push(((done - this.before) / (now - this.at)) * 1000);
    if (this.samples.length > 240) this.samples.shift();
    [this.at, this.before] = [now, done];
    this.draw();
    const recent = this.samples.slice(-8);
    const rate = recent.reduce((a, b) => a + b, 0) / recent.length;
    const rest = jobs.reduce((n, job) => n + (job.state === "failed" ? 0 : job.file.size - job.done), 0);
    $("rate").textContent = `${size(rate)}/${words().second}`;
    $("left").textContent = rate > 0 && rest > 0 ? words().left.replace("{}", time(rest / rate)) : "";
  },
  draw() {
    const most = Math.max(...this.samples, 1) * 1.1;
    const step = 600 / Math.max(this.samples.length - 1, 1);
    // Each point is the mean of a second.
    const mean = (i) => {
      const near = this.samples.slice(Math.max(i - 3, 0), i + 1);
      return near.reduce((a, b) => a + b, 0) / near.length;
    };
    const points = this.samples.map((_, i) => mean(i)).map((value, i) => `${(i * step).toFixed(1)},${(80 - (value / most) * 76).toFixed(1)}`);
    $("line").setAttribute("d", points.length > 1 ? `M${points.join("L")}` : "");
    $("area").setAttribute("d", points.length > 1 ? `M0,80L${points.join("L")}L600,80Z` : "");
  },
};

// ---- Work ----

/** The module, compiled once for all workers, and kept for work without a network. */
function ready() {
  module ??= (async () => {
    try {
      const compiled = await compile();
      await init(compiled);
      return compiled;
    } catch (error) {
      module = undefined;
      // Old browsers have WebAssembly without SIMD: they refuse the module.
      const lacking = typeof WebAssembly === "undefined" || error instanceof WebAssembly.CompileError;
      throw new Error(lacking ? words().noWebAssembly : reason({ message: error.message }));
    }
  })();
  return module;
}

async function secret() {
  if (mode() === "sum") return {};
  if (kind() === "key") {
    const [file] = $("key").files;
    if (!file) throw new Error(words().noKey);
    try {
      return { key: readKeyFile(await file.slice(0, 4096).arrayBuffer()) };
    } catch (error) {
      throw new Error(reason(error));
    }
  }
  const password = $("password").value;
  if (password === "") throw new Error(words().noPassword);
  if (/[\0\r\n]/.test(password)) throw new Error(words().errors.PASSWORD);
  if (mode() === "encrypt" && password !== $("repeat").value) throw new Error(words().differ);
  return { password: new TextEncoder().encode(password) };
}

function resultName(name) {
  if (mode() === "encrypt") return `${name}.bulat`;
  return name.endsWith(".bulat") && name.length > 6 ? name.slice(0, -6) : `${name}.decrypted`;
}

async function start() {
  problem();
  const first = jobs.filter(open);
  if (first.length === 0) return problem(words().noFiles);
  let options, compiled, handle;
  try {
    compiled = await ready();
    options = await secret();
    // For one file the user may choose the place, and the result needs no second copy.
    if (mode() !== "sum" && first.length === 1 && window.showSaveFilePicker)
      handle = await window.showSaveFilePicker({ suggestedName: resultName(first[0].file.name) });
  } catch (error) {
    if (error.name !== "AbortError") problem(error.message);
    return;
  }
  // Meanwhile the list may have changed, or a second press have started the work.
  const queue = jobs.filter(open);
  if (running > 0 || queue.length === 0) return;
  running = queue.length;
  secretBytes = options.password ?? options.key;
  for (const job of queue) {
    const own = running === 1 ? handle : undefined;
    Object.assign(job, { id: count++, kind: mode(), name: resultName(job.file.name), state: "waiting", done: 0, handle: own });
    job.stored = own ? undefined : `${TAB}-${job.id}`;
  }
  arrange();
  jobs.forEach(draw);
  speed.begin();
  for (let i = Math.min(queue.length, navigator.hardwareConcurrency ?? 1, 4); i > 0; i--) {
    const worker = new Worker("worker.js", { type: "module" });
    workers.push(worker);
    let job;
    const next = () => {
      job = queue.shift();
      if (!job) return;
      job.state = "working";
      draw(job);
      worker.postMessage({
        id: job.id, kind: job.kind, file: job.file, bits: Number(form.elements.bits.value), options, module: compiled,
        handle: job.handle, name: job.stored,
      });
    };
    worker.onmessage = async ({ data }) => {
      if (await told(data)) next();
    };
    worker.onerror = (event) => {
      event.preventDefault();
      // The worker cannot run: the files that wait for it would wait for ever.
      for (; job; job = queue.shift()) {
        job.state = "working";
        told({ id: job.id, code: "INTERNAL", message: event.message ?? "worker.js" });
      }
    };
    next();
  }
}

/** Handles a worker's message. Returns true if its file has ended. */
async function told({ id, done, sum, blob, ready, code, message }) {
  const job = jobs.find((job) => job.id === id);
  if (job?.state !== "working") return false;
  if (done !== undefined) job.done = done;
  if (code) Object.assign(job, { state: "failed", code, message });
  else if (sum) Object.assign(job, { state: "done", sum: Array.from(sum, (byte) => byte.toString(16).padStart(2, "0")).join("") });
  else if (ready) {
    if (job.stored && !blob) {
      const folder = await navigator.storage.getDirectory();
      blob = await (await folder.getFileHandle(job.stored)).getFile();
      // It was stopped meanwhile.
      if (job.state !== "working") return false;
    }
    if (blob) job.url = URL.createObjectURL(blob);
    job.state = "done";
  } else {
    move(job);
    return false;
  }
  draw(job);
  say(`${job.file.name}: ${code ? reason(job) : job.kind === "decrypt" ? words().verified : words().done}`);
  if (job.url) {
    const link = job.row.querySelector("a");
    if (running === 1 && jobs.length === 1) link.click();
  }
  if (--running === 0) finish();
  return true;
}

function finish() {
  for (const worker of workers) worker.terminate();
  workers = [];
  secretBytes?.fill(0);
  speed.end();
  if (jobs.every((job) => job.state === "done")) $("password").value = $("repeat").value = "";
  jobs.forEach(draw);
  arrange();
}

async function stop() {
  for (const worker of workers) worker.terminate();
  const stopped = jobs.filter((job) => job.state === "working" || job.state === "waiting");
  for (const job of stopped) job.state = "stopped";
  running = 0;
  finish();
  await clear(stopped.map((job) => job.stored));
}

/** Removes temporary files, if there are any. A worker that was ended may hold a file for a moment. */
async function clear(names) {
  let folder;
  try {
    folder = await navigator.storage.getDirectory();
  } catch {
    return;
  }
  for (const name of names.filter(Boolean))
    for (let i = 0; i < 20; i++)
      try {
        await folder.removeEntry(name);
        break;
      } catch (error) {
        if (error.name === "NotFoundError") break;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
}

/** Removes the temporary files of pages that were closed. */
async function clean() {
  if (!navigator.storage?.getDirectory || !navigator.locks) return;
  navigator.locks.request(TAB, () => new Promise(() => {}));
  const held = (await navigator.locks.query()).held.map((lock) => lock.name);
  const names = [];
  for await (const name of (await navigator.storage.getDirectory()).keys())
    if (/^bulat-[0-9a-f-]{36}-\d+$/.test(name) && !held.includes(name.slice(0, 42)) && !name.startsWith(TAB)) names.push(name);
  await clear(names);
}

// ---- Events ----

form.onsubmit = (event) => {
  event.preventDefault();
  start();
};
form.onchange = arrange;
$("stop").onclick = stop;
$("files").onchange = () => {
  add([...$("files").files]);
  $("files").value = "";
};
$("show").onchange = () => {
  for (const id of ["password", "repeat"]) $(id).type = $("show").checked ? "text" : "password";
};
$("new-key").onclick = async () => {
  try {
    await ready();
  } catch (error) {
    return problem(error.message);
  }
  const link = element("a");
  link.href = URL.createObjectURL(new Blob([newKeyFile()]));
  link.download = "bulat.key";
  link.click();
  // The browser has saved the file by then; the page keeps no key.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};
$("language").onclick = () => {
  language = language === "en" ? "ru" : "en";
  translate();
};
for (const name of ["dragenter", "dragover"])
  document.addEventListener(name, (event) => {
    event.preventDefault();
    $("drop").classList.add("over");
  });
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) $("drop").classList.remove("over");
});
document.addEventListener("drop", (event) => {
  event.preventDefault();
  $("drop").classList.remove("over");
  add([...event.dataTransfer.files]);
});
addEventListener("beforeunload", (event) => {
  if (running > 0) event.preventDefault();
});

translate();
arrange();
clean().catch(() => {});
ready().catch((error) => problem(error.message));
if ("serviceWorker" in navigator && window.isSecureContext)
  navigator.serviceWorker
    .register("sw.js")
    .then(() => navigator.serviceWorker.ready)
    .then(async () => {
      await ready();
      // The module was loaded before the service worker was there.
      const url = wasmUrl();
      const cache = await caches.open("bulat");
      if (!(await cache.match(url))) await cache.add(url);
      $("offline").dataset.ready = "1";
      $("offline").textContent = words().offline;
    })
    .catch(() => {});
