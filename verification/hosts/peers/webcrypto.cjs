// GOST by one of npm's WebCrypto packages: node webcrypto.cjs PACKAGE digest|cbc|ctr. Prints hexadecimal digits.
const [folder, what] = process.argv.slice(2);
const whole = require(folder);
const subtle = (whole.gostCrypto ?? whole.CryptoGost).subtle;
const text = Uint8Array.from({ length: 8192 }, (_, i) => i & 255);
const iv = (n) => Uint8Array.from({ length: n }, (_, i) => i).buffer;

async function main() {
    if (what === "digest") return subtle.digest({ name: "GOST R 34.11", version: 2012, length: 256 }, text.buffer);
    const cipher = { name: "GOST R 34.12", version: 2015, length: 128, mode: "ES", block: what.toUpperCase(), padding: "NO" };
    const key = await subtle.importKey("raw", new Uint8Array(32).fill(1).buffer, cipher, false, ["encrypt"]);
    return subtle.encrypt({ ...cipher, iv: iv(what === "ctr" ? 8 : 16) }, key, text.buffer);
}
main().then((bytes) => console.log(Buffer.from(bytes).toString("hex")));
