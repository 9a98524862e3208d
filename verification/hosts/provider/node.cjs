// Node with the provider: digests, ciphers, tags, signatures, each twice. `node.cjs no` expects that it has none of them.
const crypto = require("node:crypto"), assert = require("node:assert");
const hex = (text) => Buffer.from(text.replaceAll(" ", ""), "hex");
const key = hex("8899aabbccddeeff0011223344556677 fedcba98765432100123456789abcdef");

if (process.argv[2] === "no") {
    assert.throws(() => crypto.createHash("md_gost12_256"), /Digest method not supported/);
    assert.throws(() => crypto.createCipheriv("kuznyechik-cbc", key, Buffer.alloc(16)), /Unknown cipher|Invalid/);
    process.exit(0);
}
const ciphers = crypto.getCiphers();
for (let turn = 0; turn < 2; turn++) {
    assert.strictEqual(crypto.createHash("md_gost12_256").update("abc").digest("hex").slice(0, 16), "4e2919cf137ed41e");
    assert.strictEqual(crypto.createHmac("md_gost12_256", Buffer.from([...Array(32).keys()])).update(hex("0126bdb87800af214341456563780100")).digest("hex").slice(0, 8), "a1aa5f7d");
    assert.strictEqual(crypto.pbkdf2Sync("password", "salt", 1, 64, "md_gost12_512").toString("hex").slice(0, 16), "64770af7f748c3b1");
    const hmac = (key, text) => crypto.createHmac("md_gost12_256", key).update(text).digest();
    assert.deepStrictEqual(Buffer.from(crypto.hkdfSync("md_gost12_256", key, "salt", "info", 32)), hmac(hmac("salt", key), "info\u0001"));
    const text = Buffer.from("a text of two blocks and a rest of one");
    for (const name of ["kuznyechik-cbc", "kuznyechik-ctr", "kuznyechik-ecb", "magma-cbc", "gost89"]) {
        assert(ciphers.includes(name), name);
        const { ivLength } = crypto.getCipherInfo(name), iv = ivLength ? Buffer.alloc(ivLength, 1) : null;
        const c = crypto.createCipheriv(name, key, iv), d = crypto.createDecipheriv(name, key, iv);
        assert.deepStrictEqual(Buffer.concat([d.update(Buffer.concat([c.update(text), c.final()])), d.final()]), text, name);
    }
    // Authenticated ciphers: RFC 9058, A.1, and back; a wrong tag, no length of the tag, no tag.
    const nonce = hex("1122334455667700ffeeddccbbaa9988"), aad = hex("0202020202020202 0101010101010101 0404040404040404 0303030303030303 ea0505050505050505");
    const plain = hex("1122334455667700ffeeddccbbaa9988 00112233445566778899aabbcceeff0a 112233445566778899aabbcceeff0a00 2233445566778899aabbcceeff0a0011 aabbcc");
    for (const [name, iv, authTagLength, open] of [["kuznyechik-mgm", nonce, 16, aad], ["magma-mgm", nonce.subarray(0, 8), 8, aad],
        ["kuznyechik-ctr-acpkm-omac", nonce, 16], ["magma-ctr-acpkm-omac", nonce.subarray(0, 12), 8]]) {
        assert.throws(() => crypto.createCipheriv(name, key, iv), /authTagLength/, name);
        const c = crypto.createCipheriv(name, key, iv, { authTagLength });
        if (open) c.setAAD(open);
        const sealed = Buffer.concat([c.update(plain), c.final()]), tag = c.getAuthTag();
        assert.strictEqual(tag.length, authTagLength, name);
        if (name === "kuznyechik-mgm") {
            assert.strictEqual(tag.toString("hex"), "cf5d656f40c34f5c46e8bb0e29fcdb4c");
            assert.strictEqual(sealed.toString("hex").slice(0, 32), "a9757b8147956e9055b8a33de89f42fc");
        }
        const back = (change) => {
            const d = crypto.createDecipheriv(name, key, iv, { authTagLength });
            if (open) d.setAAD(open);
            if (change !== undefined) d.setAuthTag(Buffer.from(tag.map((byte, i) => (i ? byte : byte ^ change))));
            return Buffer.concat([d.update(sealed), d.final()]);
        };
        assert.deepStrictEqual(back(0), plain, name);
        assert.throws(() => back(1), undefined, name);
        assert.throws(() => back(), undefined, name);
        assert.throws(() => crypto.createDecipheriv(name, key, iv, { authTagLength }).setAuthTag(tag.subarray(1)), undefined, name);
    }
    // Node cannot read the random seed that completes a short IV: nothing is encrypted.
    assert.throws(() => crypto.createCipheriv("kuznyechik-ctr-acpkm-omac", key, Buffer.alloc(8, 1), { authTagLength: 16 }).update(plain));
    const ec = crypto.generateKeyPairSync("ec", { namedCurve: "P-256" });
    const signature = crypto.createSign("md_gost12_256").update("abc").sign(ec.privateKey);
    assert(crypto.createVerify("md_gost12_256").update("abc").verify(ec.publicKey, signature));
    assert(!crypto.createVerify("md_gost12_256").update("abd").verify(ec.publicKey, signature));
}
