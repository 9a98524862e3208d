// The code of the README, for any set of types.
import * as bulat from "bulat";
import { Decryptor, Encryptor, Sum, decryptFile, decryptStream, encryptStream, init, type Bytes, type Source } from "bulat/container";
import module from "bulat/bulat.wasm";

export async function all(key: Uint8Array, data: ArrayBuffer, view: DataView) {
  await bulat.init();
  await init(module);
  const source: Source = data;
  await init(source);
  const text: string = bulat.createHash("streebog256").update("abc").digest("hex");
  const digest: Uint8Array = bulat.createHash("streebog256").update(data).digest();
  const sums: Uint8Array[] = bulat.hashAll("streebog256", [text, digest, view]);
  const aead = new bulat.Aead("kuznyechik-mgm", key, { tagSize: 16 });
  const sealed = aead.seal(key.subarray(0, 16), data, view);
  aead.free();
  const tree = bulat.derive("tlstree", key, 32, { masks: [1n, 2n, 3n], record: 7 });
  // @ts-expect-error
  bulat.derive("tlstree", key, 32, { masks: [1n, 2n] });
  // @ts-expect-error
  bulat.encryptFile("text", { key });
  // @ts-expect-error
  bulat.encryptFile(key, { key, password: "both" });
  // @ts-expect-error
  bulat.hash("streebog256", 5);
  const [encryptor, decryptor] = [new Encryptor({ key }), new Decryptor({ password: "x", anyName: true })];
  const chunks: Uint8Array[] = [...encryptor.update(sealed), ...encryptor.final(), ...decryptor.update(data)];
  const [there, back] = [encryptStream({ key }), decryptStream({ key })];
  const dispose: () => void = new Sum(512).update(tree)[Symbol.dispose];
  const given: Bytes = decryptFile(bulat.newKeyFile(), { key: bulat.readKeyFile(data) });
  return [sums, chunks, there, back, dispose, given];
}
