package io.github.bulatcrypto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import org.bouncycastle.crypto.digests.SHAKEDigest;
import org.junit.jupiter.api.Test;

/**
 * Runs every test of verification/vectors that Java can reach, and counts them. The schema is in
 * verification/vectors/README.md; bindings/python/tests/vectors.py is the Python version.
 */
class VectorsTest {
    static final Path DATA = Path.of("../../verification/vectors/data");
    private static final HexFormat HEX = HexFormat.of();
    private static final Map<String, String> SBOXES = Map.of(
            "id-Gost28147-89-TestParamSet", "test",
            "id-Gost28147-89-CryptoPro-A-ParamSet", "a",
            "id-Gost28147-89-CryptoPro-B-ParamSet", "b",
            "id-Gost28147-89-CryptoPro-C-ParamSet", "c",
            "id-Gost28147-89-CryptoPro-D-ParamSet", "d",
            "id-tc26-gost-28147-param-Z", "z",
            "id-GostR3411-94-TestParamSet", "hash-test",
            "id-GostR3411-94-CryptoProParamSet", "hash-cryptopro");
    /** The standards' constants of key meshing and of ACPKM. */
    private static final byte[] MESH = HEX.parseHex("6900722264c904238d3adb9646e92ac418feac9400ed0712c086dcc2ef4ca92b");
    private static final byte[] ACPKM = HEX.parseHex("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f");
    private static final GostParameterSpec NONE = GostParameterSpec.of(null);

    /** The reason that a test does not run. */
    private static final class Skip extends RuntimeException {
        private static final long serialVersionUID = 1;

        Skip(String why) {
            super(why);
        }
    }

    private JsonObject t;
    private String algorithm;
    private String mode;

    @Test
    void all() throws Exception {
        Map<String, Integer> count = new TreeMap<>();
        try (var files = Files.list(DATA)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".json")).sorted().toList()) {
                JsonObject head = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
                for (JsonElement test : head.getAsJsonArray("tests")) {
                    t = test.getAsJsonObject();
                    algorithm = (has("algorithm") ? t : head).get("algorithm").getAsString();
                    mode = (has("mode") ? t : head).get("mode").getAsString();
                    count.merge(outcome(file), 1, Integer::sum);
                }
            }
        }
        int total = count.values().stream().mapToInt(n -> n).sum();
        System.out.println("vectors: " + count.get("passed") + " passed of " + total + ": " + count);
        // The library's own tests reach the rest: blocks of round keys, steps of a round, 32-bit counters, long ones.
        assertTrue(count.get("passed") > 5400, count::toString);
    }

    private String outcome(Path file) {
        try {
            if (text("result").equals("unverified")) {
                return "not verified against the standard";
            }
            run();
            return "passed";
        } catch (Skip e) {
            return e.getMessage();
        } catch (Exception | AssertionError e) {
            throw new AssertionError(file.getFileName() + ": " + algorithm + " " + mode + " " + t, e);
        }
    }

    private boolean has(String name) {
        return t.has(name);
    }

    private String text(String name) {
        return t.get(name).getAsString();
    }

    private int number(String name) {
        return new BigInteger(text(name)).intValueExact();
    }

    private boolean invalid() {
        return text("result").equals("invalid");
    }

    private List<String> flags() {
        return has("flags") ? t.getAsJsonArray("flags").asList().stream().map(JsonElement::getAsString).toList() : List.of();
    }

    private byte[] bytes(String name) {
        if (has(name)) {
            return HEX.parseHex(text(name));
        }
        JsonObject made = t.getAsJsonObject(name + "_gen");
        long length = made.get("len").getAsLong();
        if (length > 16 << 20) {
            throw new Skip("long: the library's own tests run it");
        }
        byte[] out = new byte[(int) length];
        if (!made.get("alg").getAsString().equals("ZERO")) {
            SHAKEDigest shake = new SHAKEDigest(128);
            byte[] seed = HEX.parseHex(made.get("seed").getAsString());
            shake.update(seed, 0, seed.length);
            shake.doFinal(out, 0, out.length);
        }
        return out;
    }

    private byte[] is(String name, byte[] got) throws GeneralSecurityException {
        if (has(name + "_sha256")) {
            assertEquals(number(name + "_len"), got.length, name);
            assertEquals(text(name + "_sha256"), HEX.formatHex(MessageDigest.getInstance("SHA-256").digest(got)), name);
        } else if (has(name + "Tail")) {
            byte[] tail = bytes(name + "Tail");
            assertArrayEquals(tail, Arrays.copyOfRange(got, got.length - tail.length, got.length), name);
        } else {
            assertArrayEquals(bytes(name), got, name);
        }
        return got;
    }

    private interface Call {
        Object call() throws Exception;
    }

    private static void refused(Call call) throws Exception {
        try {
            call.call();
        } catch (GeneralSecurityException | IllegalStateException | IllegalArgumentException expected) {
            return;
        }
        fail("invalid input was accepted");
    }

    static byte[] crypt(boolean encrypt, String name, byte[] key, GostParameterSpec spec, byte[] text) throws Exception {
        Cipher cipher = Cipher.getInstance(name, Bulat.provider());
        cipher.init(encrypt ? Cipher.ENCRYPT_MODE : Cipher.DECRYPT_MODE, new GostKey("RAW", key.clone()), spec);
        return cipher.doFinal(text);
    }

    /** In pieces of odd sizes. */
    static byte[] cut(boolean encrypt, String name, byte[] key, GostParameterSpec spec, byte[] text) throws Exception {
        Cipher cipher = Cipher.getInstance(name, Bulat.provider());
        cipher.init(encrypt ? Cipher.ENCRYPT_MODE : Cipher.DECRYPT_MODE, new GostKey("RAW", key.clone()), spec);
        return cut(cipher, text, Math.max(1, text.length / 3));
    }

    private static byte[] cut(Cipher cipher, byte[] text, int step) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int at = 0; at < text.length; at += step) {
            byte[] some = cipher.update(text, at, Math.min(step, text.length - at));
            out.writeBytes(some == null ? new byte[0] : some);
        }
        out.writeBytes(cipher.doFinal());
        return out.toByteArray();
    }

    private void bothWays(String name, GostParameterSpec spec, byte[] key) throws Exception {
        byte[] message = bytes("msg");
        if (invalid()) {
            refused(() -> crypt(true, name, key, spec, message));
            refused(() -> crypt(false, name, key, spec, message));
            return;
        }
        byte[] ciphertext = is("ct", crypt(true, name, key, spec, message));
        assertArrayEquals(message, crypt(false, name, key, spec, ciphertext));
        assertArrayEquals(message, cut(false, name, key, spec, ciphertext));
        assertArrayEquals(ciphertext, cut(true, name, key, spec, message));
    }

    static byte[] mac(String name, byte[] key, GostParameterSpec spec, byte[] message) throws Exception {
        Mac mac = Mac.getInstance(name, Bulat.provider());
        mac.init(new GostKey("RAW", key), spec);
        return mac.doFinal(message);
    }

    private void mac(String name, byte[] key, GostParameterSpec spec) throws Exception {
        byte[] message = bytes("msg");
        byte[] tag = bytes("tag");
        if (invalid()) {
            refused(() -> {
                if (!MessageDigest.isEqual(tag, mac(name, key, spec, message))) {
                    throw new GeneralSecurityException("another tag");
                }
                return null;
            });
            return;
        }
        is("tag", mac(name, key, spec, message));
    }

    private static byte[] ecb(String cipher, byte[] key, GostParameterSpec spec, byte[] text) throws Exception {
        return crypt(true, cipher + "-ecb", key, spec, text);
    }

    private void block(String cipher, GostParameterSpec spec) throws Exception {
        byte[] key = bytes("key");
        byte[] plain = bytes("pt");
        if (invalid()) {
            refused(() -> ecb(cipher, key, spec, plain));
            return;
        }
        byte[] text = plain;
        Cipher c = Cipher.getInstance(cipher + "-ecb", Bulat.provider());
        if (has("rounds")) {
            for (int i = 0; i < number("rounds"); i++) {
                c.init(Cipher.ENCRYPT_MODE, new GostKey("RAW", key.clone()), spec);
                for (int j = 0; j < 1000; j++) {
                    text = c.doFinal(text);
                }
                for (int j = 0; j < key.length; j++) {
                    key[j] ^= text[j % text.length];
                }
            }
            is("ct", text);
            return;
        }
        int times = has("iterations") ? number("iterations") : 1;
        c.init(Cipher.ENCRYPT_MODE, new GostKey("RAW", key.clone()), spec);
        for (int i = 0; i < times; i++) {
            text = c.doFinal(text);
        }
        is("ct", text);
        c.init(Cipher.DECRYPT_MODE, new GostKey("RAW", key.clone()), spec);
        for (int i = 0; i < times; i++) {
            text = c.doFinal(text);
        }
        assertArrayEquals(plain, text);
    }

    private void run() throws Exception {
        switch (algorithm) {
            case "KUZNYECHIK", "MAGMA" -> modes(algorithm.toLowerCase());
            case "GOST28147-89" -> gost28147();
            case "GOSTR3411-94" -> gost94();
            case "STREEBOG-256", "STREEBOG-512" -> streebog();
            case "HMAC-STREEBOG-256", "HMAC-STREEBOG-512" -> hmac();
            case "PBKDF2-HMAC-STREEBOG-256", "PBKDF2-HMAC-STREEBOG-512" -> pbkdf2();
            case "KDF_GOSTR3411_2012_256" -> kdf();
            case "PRF-STREEBOG" -> prf();
            case "TLSTREE" -> is("dk", tlstree(bytes("key")));
            case "TLS-RECORD" -> record();
            case "ESP" -> esp();
            case "KEXP15" -> kexp15();
            case "CMS-CTR-ACPKM" -> cms();
            default -> throw new AssertionError("unknown: " + algorithm);
        }
    }

    private void modes(String cipher) throws Exception {
        int n = cipher.equals("magma") ? 8 : 16;
        GostParameterSpec spec = GostParameterSpec.of(has("iv") ? bytes("iv") : null);
        GostParameterSpec withS = has("s") && number("s") != n ? spec.s(number("s")) : spec;
        switch (mode) {
            case "BLOCK" -> block(cipher, NONE);
            case "ECB", "CBC" -> bothWays(cipher + "-" + mode.toLowerCase(), spec, bytes("key"));
            case "CTR", "OFB", "CFB" -> bothWays(cipher + "-" + mode.toLowerCase(), withS, bytes("key"));
            case "CTR-ACPKM" -> bothWays(cipher + "-ctr-acpkm", withS.section(number("sectionSize")), bytes("key"));
            case "MAC" -> {
                if (has("R")) {
                    is("R", ecb(cipher, bytes("key"), NONE, new byte[n]));
                }
                mac(cipher + "-omac", bytes("key"), NONE.tagSize(number("tagLen")));
            }
            case "OMAC-ACPKM" -> mac(cipher + "-omac-acpkm", bytes("key"), NONE.section(number("sectionSize"))
                    .period(number("masterPeriod")).tagSize(number("tagLen")));
            case "MGM" -> mgm(cipher + "-mgm");
            case "ACPKM" -> acpkm(cipher, n);
            default -> throw new Skip("no call: " + mode);
        }
    }

    private void acpkm(String cipher, int n) throws Exception {
        byte[] key = bytes("key");
        if (has("material")) {
            byte[] iv = new byte[n / 2];
            Arrays.fill(iv, (byte) 0xff);
            byte[] zeros = new byte[number("sections") * (32 + n)];
            GostParameterSpec spec = GostParameterSpec.of(iv).section(number("masterPeriod"));
            is("material", crypt(true, cipher + "-ctr-acpkm", key, spec, zeros));
            return;
        }
        for (JsonElement expected : t.getAsJsonArray("key_next")) {
            key = ecb(cipher, key, NONE, ACPKM);
            assertEquals(expected.getAsString(), HEX.formatHex(key));
        }
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static byte[] aead(boolean seal, String name, byte[] key, GostParameterSpec spec, byte[] aad, byte[] text)
            throws Exception {
        byte[] whole = aead(seal, name, key, spec, aad, text, text.length);
        assertArrayEquals(whole, aead(seal, name, key, spec, aad, text, text.length / 3 + 1));
        return whole;
    }

    /** In pieces of a length; the last call has no text. */
    private static byte[] aead(boolean seal, String name, byte[] key, GostParameterSpec spec, byte[] aad, byte[] text,
            int step) throws Exception {
        Cipher cipher = Cipher.getInstance(name, Bulat.provider());
        cipher.init(seal ? Cipher.ENCRYPT_MODE : Cipher.DECRYPT_MODE, new GostKey("RAW", key.clone()), spec);
        if (aad != null) {
            cipher.updateAAD(aad);
        }
        return step == text.length ? cipher.doFinal(text) : cut(cipher, text, step);
    }

    private void mgm(String name) throws Exception {
        byte[] key = bytes("key");
        byte[] aad = bytes("aad");
        byte[] tag = bytes("tag");
        GostParameterSpec spec = GostParameterSpec.of(bytes("iv")).tagSize(number("tagLen"));
        if (invalid()) {
            byte[] ciphertext = bytes("ct");
            byte[] both = joined(ciphertext, tag);
            refused(() -> aead(false, name, key, spec, aad, both, both.length));
            refused(() -> aead(false, name, key, spec, aad, both, 7));
            if (flags().stream().anyMatch(Set.of("NonceMsbSet", "NonceLength", "EmptyAll")::contains)) {
                refused(() -> aead(true, name, key, spec, aad, ciphertext));
            }
            return;
        }
        byte[] message = bytes("msg");
        byte[] sealed = aead(true, name, key, spec, aad, message);
        is("ct", Arrays.copyOf(sealed, message.length));
        is("tag", Arrays.copyOfRange(sealed, message.length, sealed.length));
        assertArrayEquals(message, aead(false, name, key, spec, aad, sealed));
    }

    private void gost28147() throws Exception {
        if (mode.equals("SBOX")) {
            throw new Skip("no call: SBOX");
        }
        GostParameterSpec spec = NONE.sboxes(SBOXES.get(text("sbox")));
        if (mode.equals("KEYWRAP")) {
            wraps(SBOXES.get(text("sbox")));
            return;
        }
        if (mode.equals("BLOCK") && flags().contains("Mesh")) {
            byte[] key = is("key_next", crypt(false, "gost89-ecb", bytes("key"), spec, MESH));
            is("iv_next", ecb("gost89", key, spec, bytes("iv")));
            return;
        }
        if (mode.equals("BLOCK")) {
            block("gost89", spec);
            return;
        }
        if (mode.equals("ECB")) {
            bothWays("gost89-ecb", spec, bytes("key"));
            return;
        }
        GostParameterSpec full = GostParameterSpec.of(bytes("iv")).sboxes(SBOXES.get(text("sbox")))
                .meshing(text("keyMeshing").equals("CryptoPro"));
        switch (mode) {
            case "IMIT" -> mac("gost-mac", bytes("key"), full.tagSize(number("tagLen")));
            case "CNT" -> bothWays("gost89-cnt", full, bytes("key"));
            case "CFB" -> bothWays("gost89", full, bytes("key"));
            case "CBC" -> bothWays("gost89-cbc", full, bytes("key"));
            default -> throw new Skip("no call: " + mode);
        }
    }

    static byte[] wrap(String name, byte[] key, GostParameterSpec spec, byte[] secret) throws Exception {
        Cipher cipher = Cipher.getInstance(name, Bulat.provider());
        cipher.init(Cipher.WRAP_MODE, new GostKey("RAW", key.clone()), spec);
        return cipher.wrap(new GostKey("RAW", secret.clone()));
    }

    static byte[] unwrap(String name, byte[] key, GostParameterSpec spec, byte[] wrapped) throws Exception {
        Cipher cipher = Cipher.getInstance(name, Bulat.provider());
        cipher.init(Cipher.UNWRAP_MODE, new GostKey("RAW", key.clone()), spec);
        return cipher.unwrap(wrapped, "RAW", Cipher.SECRET_KEY).getEncoded();
    }

    private void wraps(String sboxes) throws Exception {
        String type = text("type");
        String name = Map.of("gost", "gost28147-keywrap", "cryptopro", "cryptopro-keywrap", "rfc7836",
                "gost28147-keywrap-12").get(type);
        GostParameterSpec set = type.equals("rfc7836") ? NONE : NONE.sboxes(sboxes);
        byte[] wrapped = bytes("wrapped");
        if (invalid()) {
            refused(() -> unwrap(name, bytes("kek"), set, wrapped));
            return;
        }
        GostParameterSpec full = GostParameterSpec.of(bytes("ukm"));
        full = type.equals("rfc7836") ? full : full.sboxes(sboxes);
        is("wrapped", wrap(name, bytes("kek"), full, bytes("cek")));
        is("cek", unwrap(name, bytes("kek"), set, wrapped));
    }

    private void kexp15() throws Exception {
        String name = text("cipher").toLowerCase() + "-kexp15";
        GostParameterSpec iv = GostParameterSpec.of(bytes("iv"));
        byte[] keys = joined(bytes("kExpMac"), bytes("kExpEnc"));
        byte[] sexp = bytes("sexp");
        if (invalid()) {
            refused(() -> unwrap(name, keys, iv, sexp));
            return;
        }
        is("sexp", wrap(name, keys, iv, bytes("secret")));
        is("secret", unwrap(name, keys, iv, sexp));
    }

    private void cms() throws Exception {
        String cipher = text("cipher").toLowerCase();
        byte[] ukm = bytes("ukm");
        byte[] cek = bytes("cek");
        if (!has("encryptedMac")) {
            byte[] iv = Arrays.copyOf(ukm, cipher.equals("magma") ? 4 : 8);
            bothWays(cipher + "-ctr-acpkm", GostParameterSpec.of(iv).section(number("sectionSize")), cek);
            bothWays(cipher + "-ctr-acpkm", GostParameterSpec.of(ukm), cek);
            return;
        }
        String name = cipher + "-ctr-acpkm-omac";
        GostParameterSpec spec = GostParameterSpec.of(ukm).section(number("sectionSize"));
        if (invalid()) {
            byte[] both = joined(bytes("ct"), bytes("encryptedMac"));
            refused(() -> aead(false, name, cek, spec, null, both, both.length));
            refused(() -> aead(false, name, cek, spec, null, both, 7));
            return;
        }
        byte[] message = bytes("msg");
        byte[] sealed = aead(true, name, cek, spec, null, message);
        is("ct", Arrays.copyOf(sealed, message.length));
        is("encryptedMac", Arrays.copyOfRange(sealed, message.length, sealed.length));
        assertArrayEquals(message, aead(false, name, cek, spec, null, sealed));
    }

    private void streebog() throws Exception {
        String name = "streebog" + algorithm.substring(algorithm.length() - 3);
        byte[] message = bytes("msg");
        is("md", MessageDigest.getInstance(name, Bulat.provider()).digest(message));
        is("md", Bulat.hashAll(name, new byte[][] {message})[0]);
    }

    private void gost94() throws Exception {
        String sboxes = SBOXES.get(text("sbox"));
        String name = sboxes.equals("hash-cryptopro") ? "gost94" : sboxes.equals("hash-test") ? "gost94-test" : null;
        if (name == null) {
            throw new Skip("no call: GOST R 34.11-94 with other S-boxes");
        }
        is("md", MessageDigest.getInstance(name, Bulat.provider()).digest(bytes("msg")));
    }

    private void hmac() throws Exception {
        String name = "hmac-streebog" + algorithm.substring(algorithm.length() - 3);
        mac(name, bytes("key"), NONE.tagSize(number("tagLen")));
    }

    static byte[] derive(String name, KdfKeySpec spec) throws Exception {
        byte[] key = SecretKeyFactory.getInstance(name, Bulat.provider()).generateSecret(spec).getEncoded();
        if (JdkKdf.HERE != null) {
            assertArrayEquals(key, JdkKdf.HERE.derive(name, spec));
        }
        return key;
    }

    private void pbkdf2() throws Exception {
        if (number("iterations") > 100_000) {
            throw new Skip("long: the library's own tests run it");
        }
        String name = "pbkdf2-hmac-streebog" + algorithm.substring(algorithm.length() - 3);
        is("dk", derive(name, KdfKeySpec.of(bytes("password"), number("dkLen")).salt(bytes("salt"))
                .iterations(number("iterations"))));
    }

    private void kdf() throws Exception {
        if (text("type").equals("kdf")) {
            is("dk", derive("kdf-gostr3411-2012-256",
                    KdfKeySpec.of(bytes("key"), 32).label(bytes("label")).seed(bytes("seed"))));
            return;
        }
        Call made = () -> derive("kdf-tree", KdfKeySpec.of(bytes("key"), number("L")).label(bytes("label"))
                .seed(bytes("seed")).counter(number("R")));
        if (invalid()) {
            refused(made);
        } else {
            is("dk", (byte[]) made.call());
        }
    }

    private void prf() throws Exception {
        String size = has("size") ? text("size") : algorithm.substring(algorithm.length() - 3);
        switch (text("type")) {
            case "prf_tls" -> is("out", derive("prf-tls-gostr3411-2012-" + size,
                    KdfKeySpec.of(bytes("key"), number("L")).label(bytes("label")).seed(bytes("seed"))));
            case "prf_plus" -> is("out", derive("prf-plus-streebog" + size,
                    KdfKeySpec.of(bytes("key"), number("L")).seed(bytes("seed"))));
            case "hkdf" -> {
                is("out", derive("hkdf-streebog" + size,
                        KdfKeySpec.of(bytes("ikm"), number("L")).salt(bytes("salt")).seed(bytes("info"))));
                if (JdkKdf.HERE != null) {
                    is("out", JdkKdf.HERE.both("hkdf-streebog" + size, bytes("salt"), bytes("ikm"), bytes("info"),
                            number("L")));
                }
            }
            case "hkdf_extract" -> {
                is("prk", mac("hmac-streebog" + size, bytes("salt"), NONE, bytes("ikm")));
                if (JdkKdf.HERE != null) {
                    is("prk", JdkKdf.HERE.extract("hkdf-streebog" + size, bytes("salt"), bytes("ikm")));
                }
            }
            case "hkdf_expand" -> {
                is("out", derive("prf-plus-streebog" + size,
                        KdfKeySpec.of(bytes("prk"), number("L")).seed(bytes("info"))));
                if (JdkKdf.HERE != null) {
                    is("out", JdkKdf.HERE.expand("hkdf-streebog" + size, bytes("prk"), bytes("info"), number("L")));
                }
            }
            default -> throw new Skip("no call: " + text("type"));
        }
    }

    private String suite() {
        return text("suite").replace("TLS_GOSTR341112_256_WITH_", "").toLowerCase().replace('_', '-');
    }

    private long seqnum() {
        return new BigInteger(text("seqnum")).longValue();
    }

    private byte[] tlstree(byte[] key) throws Exception {
        return derive("tlstree", KdfKeySpec.of(key, 32).record(suite(), seqnum()));
    }

    private static byte[] header(int kind, int size) {
        return new byte[] {(byte) kind, 3, 3, (byte) (size >> 8), (byte) size};
    }

    private static byte[] fixed(BigInteger value, int n) {
        byte[] out = new byte[n];
        byte[] raw = value.toByteArray();
        for (int i = 0; i < Math.min(n, raw.length); i++) {
            out[n - 1 - i] = raw[raw.length - 1 - i];
        }
        return out;
    }

    private void record() throws Exception {
        if (text("version").equals("1.2-CNT_IMIT")) {
            cntImit();
            return;
        }
        byte[] message = bytes("msg");
        String cipher = suite().split("-")[0];
        int n = cipher.equals("magma") ? 8 : 16;
        byte[] key = tlstree(bytes("writeKey"));
        BigInteger iv = new BigInteger(1, bytes("writeIv"));
        BigInteger sequence = new BigInteger(text("seqnum"));
        if (text("version").equals("1.3")) {
            byte[] nonce = fixed(iv.xor(sequence), n);
            nonce[0] &= 0x7f;
            byte[] head = header(23, message.length + n);
            byte[] sealed = aead(true, cipher + "-mgm", key, GostParameterSpec.of(nonce), head, message);
            is("record", joined(head, sealed));
            assertArrayEquals(message, aead(false, cipher + "-mgm", key, GostParameterSpec.of(nonce), head, sealed));
            return;
        }
        byte[] covered = joined(ByteBuffer.allocate(8).putLong(seqnum()).array(),
                header(number("contentType"), message.length), message);
        byte[] tag = mac(cipher + "-omac", tlstree(bytes("macKey")), NONE, covered);
        GostParameterSpec spec = GostParameterSpec.of(fixed(iv.add(sequence), n / 2)).section(n == 8 ? 1024 : 4096);
        byte[] body = crypt(true, cipher + "-ctr-acpkm", key, spec, joined(message, tag));
        is("record", joined(header(number("contentType"), body.length), body));
    }

    private void cntImit() throws Exception {
        ByteArrayOutputStream covered = new ByteArrayOutputStream();
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        List<JsonElement> fragments = t.getAsJsonArray("fragments").asList();
        int[] ends = new int[fragments.size()];
        for (int i = 0; i < ends.length; i++) {
            int size = fragments.get(i).getAsInt();
            covered.writeBytes(joined(ByteBuffer.allocate(8).putLong(i).array(), header(23, size), new byte[size]));
            byte[] tag = mac("gost-mac-12", bytes("macKey"), GostParameterSpec.of(new byte[8]).meshing(true),
                    covered.toByteArray());
            assertEquals(t.getAsJsonArray("macs").get(i).getAsString(), HEX.formatHex(tag));
            plain.writeBytes(joined(new byte[size], tag));
            ends[i] = plain.size();
        }
        byte[] sealed = crypt(true, "gost89-cnt-12", bytes("writeKey"),
                GostParameterSpec.of(bytes("writeIv")).meshing(true), plain.toByteArray());
        int start = 0;
        for (int i = 0; i < ends.length; i++) {
            is("record" + i, joined(header(23, ends[i] - start), Arrays.copyOfRange(sealed, start, ends[i])));
            start = ends[i];
        }
    }

    private void esp() throws Exception {
        byte[] iv = bytes("iv");
        byte[] key = bytes("key");
        byte[][] seeds = {{0, iv[0]}, {iv[1], iv[2]}, {iv[3], iv[4]}};
        for (int i = 0; i < 3; i++) {
            key = derive("kdf-gostr3411-2012-256", KdfKeySpec.of(key, 32)
                    .label(("level" + (i + 1)).getBytes(StandardCharsets.US_ASCII)).seed(seeds[i]));
        }
        is("dk", key);
        byte[] nonce = is("nonce", joined(new byte[1], Arrays.copyOfRange(iv, 5, iv.length), bytes("salt")));
        if (has("ct")) {
            GostParameterSpec spec = GostParameterSpec.of(nonce).tagSize(number("tagLen"));
            assertArrayEquals(joined(bytes("ct"), bytes("tag")),
                    aead(true, text("cipher").toLowerCase() + "-mgm", key, spec, bytes("aad"), bytes("msg")));
        }
    }
}
