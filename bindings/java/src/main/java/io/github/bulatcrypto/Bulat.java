package io.github.bulatcrypto;

import java.nio.ByteBuffer;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.crypto.AEADBadTagException;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.SecretKey;

/**
 * Many messages in one call, side by side where that is faster. Algorithms have the names of the provider's services, or
 * the names of the table.
 */
public final class Bulat {
    private static final Provider PROVIDER = new BulatProvider();
    private static final List<Names.Row> ROWS = Names.rows();
    private static final Line STREEBOG256 = Line.TABLE.get("streebog256");
    private static final Line STREEBOG512 = Line.TABLE.get("streebog512");

    private Bulat() {}

    /** Returns the provider, for {@code getInstance(name, Bulat.provider())}. */
    public static Provider provider() {
        return PROVIDER;
    }

    /** Returns the Streebog-256 of a message, 32 bytes. */
    public static byte[] streebog256(byte[] message) {
        return hash(STREEBOG256, message);
    }

    /** Returns the Streebog-512 of a message, 64 bytes. */
    public static byte[] streebog512(byte[] message) {
        return hash(STREEBOG512, message);
    }

    private static byte[] hash(Line line, byte[] message) {
        byte[] digest = new byte[line.output()];
        Fault.check(Context.digest(line, View.of(message), View.of(digest)));
        return digest;
    }

    private static Line find(String name, String type, String kind) throws NoSuchAlgorithmException {
        String suffix = "/NoPadding";
        String wanted = name.endsWith(suffix) ? name.substring(0, name.length() - suffix.length()) : name;
        for (Names.Row row : ROWS) {
            boolean named = row.name().equalsIgnoreCase(wanted)
                    || row.aliases().stream().anyMatch(alias -> alias.equalsIgnoreCase(wanted));
            if (named && row.type().equals(type) && row.line().kind().equals(kind)) {
                return row.line();
            }
        }
        throw new NoSuchAlgorithmException(name + ": not the name of " + (type.equals("Cipher")
                ? "authenticated encryption" : "a hash"));
    }

    /**
     * Hashes every message. Returns their digests, in order.
     *
     * @throws NoSuchAlgorithmException if there is no such hash
     */
    public static byte[][] hashAll(String algorithm, byte[][] messages) throws NoSuchAlgorithmException {
        Line line = find(algorithm, "MessageDigest", "Hash");
        present(messages, "message");
        byte[] digests = new byte[Math.multiplyExact(messages.length, line.output())];
        Fault.check(Native.hashAll(line.index(), messages, digests));
        byte[][] result = new byte[messages.length][];
        for (int i = 0; i < result.length; i++) {
            result[i] = Arrays.copyOfRange(digests, i * line.output(), (i + 1) * line.output());
        }
        return result;
    }

    /**
     * Seals every text under the key, by an algorithm such as GOST3412-2015/MGM/NoPadding: each text under its own nonce, as
     * equal nonces are refused, and with its associated data, if {@code aads} is not null. Returns each ciphertext with its
     * tag at the end, in order.
     *
     * @throws NoSuchAlgorithmException if there is no such algorithm
     * @throws InvalidKeyException if the key is refused
     * @throws InvalidAlgorithmParameterException if a nonce is refused
     * @throws IllegalBlockSizeException if a message has neither text nor associated data
     */
    public static byte[][] sealAll(String algorithm, SecretKey key, byte[][] nonces, byte[][] aads, byte[][] texts)
            throws NoSuchAlgorithmException, InvalidKeyException, InvalidAlgorithmParameterException,
            IllegalBlockSizeException {
        try {
            return all(algorithm, key, nonces, aads, texts, true);
        } catch (AEADBadTagException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Opens the results of {@link #sealAll}. Returns the texts, in order: all, or none if a text is wrong.
     *
     * @throws NoSuchAlgorithmException if there is no such algorithm
     * @throws InvalidKeyException if the key is refused
     * @throws InvalidAlgorithmParameterException if a nonce is refused
     * @throws AEADBadTagException if a tag is wrong; the message names the first such text
     */
    public static byte[][] openAll(String algorithm, SecretKey key, byte[][] nonces, byte[][] aads, byte[][] sealed)
            throws NoSuchAlgorithmException, InvalidKeyException, InvalidAlgorithmParameterException,
            AEADBadTagException {
        try {
            return all(algorithm, key, nonces, aads, sealed, false);
        } catch (IllegalBlockSizeException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[][] all(String algorithm, SecretKey key, byte[][] nonces, byte[][] aads, byte[][] texts,
            boolean seal) throws NoSuchAlgorithmException, InvalidKeyException, InvalidAlgorithmParameterException,
            AEADBadTagException, IllegalBlockSizeException {
        Line line = find(algorithm, "Cipher", "Aead");
        present(texts, "text");
        present(nonces, "nonce");
        if (nonces.length != texts.length || aads != null && aads.length != texts.length) {
            throw new IllegalArgumentException("nonces, associated data and texts differ in number");
        }
        if (aads != null) {
            present(aads, "associated data");
        }
        Set<ByteBuffer> seen = new HashSet<>();
        for (byte[] nonce : nonces) {
            if (!line.allowsIv(nonce.length)) {
                throw new InvalidAlgorithmParameterException(Fault.iv(line, nonce.length));
            }
            if (seal && !seen.add(ByteBuffer.wrap(nonce))) {
                throw new InvalidAlgorithmParameterException("two messages with one nonce");
            }
        }
        Object engine = new Object();
        Context context = Context.of(engine, line);
        byte[] bytes = GostKey.bytes(key);
        byte[][] outputs = new byte[texts.length][];
        int[] results = new int[texts.length];
        try {
            int tag = Fault.checkInit(context.key(bytes), line, bytes.length, 0);
            for (int i = 0; i < texts.length; i++) {
                outputs[i] = new byte[Math.max(seal ? Math.addExact(texts[i].length, tag) : texts[i].length - tag, 0)];
            }
            Fault.check(context.aeadAll(seal, nonces, aads, texts, outputs, results));
        } finally {
            Arrays.fill(bytes, (byte) 0);
            context.free();
            java.lang.ref.Reference.reachabilityFence(engine);
        }
        for (int i = 0; i < results.length; i++) {
            if (results[i] > 0) {
                refuse(-results[i], i, line, seal, outputs);
            }
        }
        return outputs;
    }

    private static void refuse(int result, int i, Line line, boolean seal, byte[][] outputs)
            throws InvalidAlgorithmParameterException, AEADBadTagException, IllegalBlockSizeException {
        for (byte[] output : outputs) {
            Arrays.fill(output, (byte) 0);
        }
        String words = "message " + i + ": " + Fault.words(result) + " (" + line.name() + ")";
        switch (Fault.name(result)) {
            case "Nonce", "IvLength" -> throw new InvalidAlgorithmParameterException(words);
            case "Verify", "TagLength" -> throw new AEADBadTagException(words);
            case "Empty" -> {
                if (seal) {
                    throw new IllegalBlockSizeException(words);
                }
                throw new AEADBadTagException(words);
            }
            default -> throw new IllegalStateException(words);
        }
    }

    private static void present(byte[][] arrays, String name) {
        for (int i = 0; i < arrays.length; i++) {
            if (arrays[i] == null) {
                throw new NullPointerException(name + " " + i);
            }
        }
    }
}
