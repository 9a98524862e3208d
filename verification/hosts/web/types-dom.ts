// Results where browsers' interfaces want bytes over an ArrayBuffer.
import * as bulat from "bulat";
import { decryptStream, encryptStream, type Result } from "bulat/container";

export async function all(key: Uint8Array, file: File, socket: WebSocket, destination: WritableStream<Uint8Array>) {
  const secret: Result = bulat.readKeyFile(await file.arrayBuffer());
  const sealed = bulat.encryptFile(secret, { key });
  const digest = bulat.createHash("streebog256").update(sealed).digest();
  socket.send(sealed);
  await crypto.subtle.importKey("raw", digest, "HKDF", false, ["deriveKey"]);
  await file.stream().pipeThrough(encryptStream({ key })).pipeThrough(decryptStream({ key })).pipeTo(destination);
  await bulat.init(new URL("https://example.org/bulat.wasm"));
  await bulat.init(await bulat.compile(await fetch("bulat.wasm")));
  return [new Blob([sealed]), new Response(sealed), new File([digest], "a")];
}
