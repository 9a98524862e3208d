package io.github.bulatcrypto;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;

/** Answers the runner of the vectors, a line for each line: verification/vectors/src/serve.rs has the protocol. */
final class Serve {
    private static final HexFormat HEX = HexFormat.of();
    private final Map<String, String> fields = new HashMap<>();
    private final String op;
    private String name;
    /** The algorithm's first name in JCA: the names of the table are the same service, see {@link TableTest}. */
    private String service;

    private Serve(String line) {
        String[] words = line.split(" ");
        op = words[0];
        name = words[1];
        for (String word : Arrays.copyOfRange(words, 2, words.length)) {
            fields.put(word.substring(0, word.indexOf('=')), word.substring(word.indexOf('=') + 1));
        }
        if (name.equals("gost94") && "hash-test".equals(fields.get("sboxes"))) {
            name = "gost94-test";
        }
        for (Names.Row row : Names.rows()) {
            if (row.aliases().contains(name) || row.name().equalsIgnoreCase(name)) {
                service = row.name() + (row.type().equals("Cipher") && row.name().contains("/") ? "/NoPadding" : "");
            }
        }
    }

    private byte[] bytes(String field) {
        return HEX.parseHex(fields.getOrDefault(field, ""));
    }

    private int number(String field) {
        return Integer.parseInt(fields.getOrDefault(field, "-1"));
    }

    private static byte[] same(byte[] first, byte[]... others) {
        for (byte[] other : others) {
            if (!Arrays.equals(first, other)) {
                throw new AssertionError("the manners differ");
            }
        }
        return first;
    }

    private GostParameterSpec spec() {
        GostParameterSpec spec = GostParameterSpec.of(fields.containsKey("iv") ? bytes("iv") : null);
        spec = number("tag_size") < 0 ? spec : spec.tagSize(number("tag_size"));
        spec = number("s") < 0 ? spec : spec.s(number("s"));
        spec = number("section") < 0 ? spec : spec.section(number("section"));
        spec = number("period") < 0 ? spec : spec.period(number("period"));
        spec = number("meshing") < 0 ? spec : spec.meshing(number("meshing") == 1);
        return fields.containsKey("sboxes") ? spec.sboxes(fields.get("sboxes")) : spec;
    }

    private GostKey key() {
        return new GostKey("RAW", bytes("key"));
    }

    private Cipher cipher(int mode) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(service, Bulat.provider());
        cipher.init(mode, key(), spec());
        if (fields.containsKey("aad")) {
            cipher.updateAAD(bytes("aad"));
        }
        return cipher;
    }

    /** Transforms a text at once, in pieces of growing lengths, and in place in a buffer. */
    private byte[] crypt(int mode, byte[] text) throws GeneralSecurityException {
        Cipher whole = cipher(mode);
        byte[] out = whole.doFinal(text);
        ByteArrayOutputStream pieces = new ByteArrayOutputStream();
        Cipher cipher = cipher(mode);
        for (int at = 0, size = 1; at < text.length; at += size, size = size * 3 % 65_537 + 1) {
            size = Math.min(size, text.length - at);
            byte[] some = cipher.update(text, at, size);
            pieces.writeBytes(some == null ? new byte[0] : some);
        }
        pieces.writeBytes(cipher.doFinal());
        byte[] place = Arrays.copyOf(text, text.length + 16);
        int written = cipher(mode).doFinal(ByteBuffer.wrap(place, 0, text.length), ByteBuffer.wrap(place));
        same(out, pieces.toByteArray(), Arrays.copyOf(place, written));
        for (int i = 1; i < number("times"); i++) {
            out = whole.doFinal(out);
        }
        return out;
    }

    private byte[] mac() throws GeneralSecurityException {
        Mac mac = Mac.getInstance(service, Bulat.provider());
        mac.init(key(), spec());
        byte[] first = mac.doFinal(bytes("data"));
        mac.update(bytes("data"), 0, bytes("data").length / 2);
        mac.update(ByteBuffer.wrap(bytes("data")).position(bytes("data").length / 2));
        return same(first, mac.doFinal());
    }

    private KdfKeySpec derivation() {
        KdfKeySpec spec = KdfKeySpec.of(bytes("key"), number("size"));
        spec = fields.containsKey("salt") ? spec.salt(bytes("salt")) : spec;
        spec = fields.containsKey("label") ? spec.label(bytes("label")) : spec;
        spec = fields.containsKey("seed") ? spec.seed(bytes("seed")) : spec;
        spec = fields.containsKey("iterations") ? spec.iterations(number("iterations")) : spec;
        spec = fields.containsKey("counter") ? spec.counter(number("counter")) : spec;
        return fields.containsKey("suite") ? spec.record(fields.get("suite"), Long.parseUnsignedLong(fields.get("record"))) : spec;
    }

    private byte[] derive() throws Exception {
        byte[] key = SecretKeyFactory.getInstance(service, Bulat.provider()).generateSecret(derivation()).getEncoded();
        if (JdkKdf.HERE == null) {
            return key;
        }
        if (name.startsWith("hkdf")) {
            byte[] half = JdkKdf.HERE.extract(service, bytes("salt"), bytes("key"));
            same(key, JdkKdf.HERE.both(service, bytes("salt"), bytes("key"), bytes("seed"), number("size")),
                    JdkKdf.HERE.expand(service, half, bytes("seed"), number("size")));
        }
        return same(key, JdkKdf.HERE.derive(service, derivation()));
    }

    private byte[] answer() throws Exception {
        byte[] data = bytes("data");
        byte[] tag = bytes("tag");
        switch (op) {
            case "hash":
                MessageDigest digest = MessageDigest.getInstance(service, Bulat.provider());
                digest.update(data, 0, data.length / 3);
                digest.update(data, data.length / 3, data.length - data.length / 3);
                return same(digest.digest(), digest.digest(data), Bulat.hashAll(name, new byte[][] {data})[0]);
            case "mac":
                return mac();
            case "verify":
                if (!MessageDigest.isEqual(tag, mac())) {
                    throw new AEADBadTagException("another tag");
                }
                return new byte[0];
            case "derive":
                return derive();
            case "wrap":
                return cipher(Cipher.WRAP_MODE).wrap(new GostKey("RAW", data));
            case "unwrap":
                Cipher cipher = cipher(Cipher.UNWRAP_MODE);
                try {
                    return cipher.unwrap(data, "RAW", Cipher.SECRET_KEY).getEncoded();
                } catch (InvalidKeyException e) {
                    // JCA has one class for a wrong key and for a wrong wrapped key.
                    throw new AEADBadTagException(e.getMessage());
                }
            default:
                boolean back = op.equals("decrypt") || op.equals("open");
                byte[] text = Arrays.copyOf(data, data.length + tag.length);
                System.arraycopy(tag, 0, text, data.length, tag.length);
                return crypt(back ? Cipher.DECRYPT_MODE : Cipher.ENCRYPT_MODE, text);
        }
    }

    /** The loop. */
    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Serve serve = new Serve(line);
            String said = "?";
            if (Line.TABLE.containsKey(serve.name)) {
                try {
                    said = "=" + HEX.formatHex(serve.answer());
                } catch (GeneralSecurityException | IllegalStateException | IllegalArgumentException e) {
                    said = "!" + e.getClass().getSimpleName() + " " + e.getMessage();
                }
            }
            System.out.println(said);
        }
    }
}
