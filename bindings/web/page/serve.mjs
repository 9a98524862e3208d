// Serves the page on this machine: npm start [-- PORT]. Any static server does, over the folder that has lib/ and page/.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TYPES = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json",
};
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

export function serve(port) {
  const server = createServer(async (request, response) => {
    const path = request.url.replace(/[?#].*/, "");
    if (path === "/" || path === "/page") {
      response.writeHead(302, { location: "/page/" }).end();
      return;
    }
    const name = path.endsWith("/") ? `${path}index.html` : path;
    const type = TYPES[extname(name)];
    // The folders have no folders: a name has no separator of any system, nor an escape that means a separator.
    if (!/^\/(lib|page)\/[\w.-]+$/.test(name) || !type) {
      response.writeHead(404).end();
      return;
    }
    try {
      const body = await readFile(ROOT + name.slice(1));
      response.writeHead(200, {
        "content-type": type, "content-security-policy": POLICY, "x-content-type-options": "nosniff",
        "cross-origin-opener-policy": "same-origin", "referrer-policy": "no-referrer", "cache-control": "no-cache",
      });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve, reject) => {
    server.on("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await serve(Number(process.argv[2] ?? 8080));
  console.log(`http://localhost:${server.address().port}/page/`);
}
