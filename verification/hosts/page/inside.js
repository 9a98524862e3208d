// Uses the page as a person does, in one tab, task after task. Gives the results and the shown texts. A driver runs this
// file's function in the page.

async (given) => {
  const $ = (id) => document.getElementById(id);
  const bytes = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const until = async (what, ready, seconds = 60) => {
    for (let i = 0; !ready(); i++) {
      if (i > seconds * 20) throw new Error(`not within ${seconds} s: ${what}; the page shows: ${document.body.innerText}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  // The files that the page makes, as it gives them to the browser.
  const made = [];
  const url = URL.createObjectURL;
  URL.createObjectURL = (blob) => (made.push(blob), url.call(URL, blob));
  // Without a choice of a place, the page keeps results itself.
  delete window.showSaveFilePicker;
  const put = (input, ...files) => {
    const list = new DataTransfer();
    for (const [name, content] of files) list.items.add(new File([content], name));
    input.files = list.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const go = async (secret) => {
    if (secret) {
      document.querySelector(`[name=secret][value=${secret.password ? "password" : "key"}]`).click();
      if (secret.key) put($("key"), ["key", bytes(secret.key)]);
      for (const id of secret.password ? ["password", "repeat"] : []) $(id).value = secret.password;
    }
    await until("Start", () => !$("start").disabled);
    // A short work may begin and end between two looks.
    let begun = false;
    const observer = new MutationObserver(() => (begun = true));
    observer.observe($("stop"), { attributeFilter: ["hidden"] });
    $("start").click();
    await until("the work", () => begun || $("problem").textContent);
    observer.disconnect();
    await until("the end of the work", () => $("stop").hidden);
    const shown = [...document.querySelectorAll("#list li")].map((row) => row.querySelector(".state").textContent);
    const results = await Promise.all(made.splice(0).map(async (blob) => {
      const piece = new Uint8Array(await blob.arrayBuffer());
      let text = "";
      for (let i = 0; i < piece.length; i += 8192) text += String.fromCharCode(...piece.subarray(i, i + 8192));
      return btoa(text);
    }));
    return { shown, results, problem: $("problem").textContent, sums: [...document.querySelectorAll("#list code")].map((e) => e.textContent) };
  };
  const task = async (name, files, secret) => {
    put($("files"), ...files.map(([name, content]) => [name, bytes(content)]));
    // The page looks into the files, and may choose the task by them.
    await new Promise((resolve) => setTimeout(resolve, 500));
    document.querySelector(`[name=mode][value=${name}]`).click();
    return go(secret);
  };
  await until("the page", () => document.readyState === "complete" && document.querySelector("[name=mode]"));
  const said = {};
  for (const [name, ...rest] of given) said[name] = rest[0] === "again" ? await go(rest[1]) : await task(...rest);
  const opfs = await Promise.resolve().then(() => navigator.storage.getDirectory()).then(() => true, () => false);
  return JSON.stringify({ said, opfs });
}
