package io.github.bulatcrypto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.Provider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jcajce.spec.GOST28147ParameterSpec;
import org.bouncycastle.jcajce.spec.GOST28147WrapParameterSpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.Test;

/**
 * Compares the provider with BouncyCastle: every name and OID that both have, random messages of odd lengths in random
 * pieces. {@code -Dbulat.comparisons=1000000} sets the number, {@code -Dbulat.seed} the numbers drawn.
 */
class BouncyCastleTest {
    private static final Provider BC = new BouncyCastleProvider();
    private static final Provider BULAT = Bulat.provider();
    private static final long SEED = Long.getLong("bulat.seed", 43);

    private static final List<String> DIGESTS = List.of("GOST3411", "GOST", "GOST-3411", "1.2.643.2.2.9",
            "GOST3411-2012-256", "GOST-2012-256", "GOST-3411-2012-256", "1.2.643.7.1.1.2.2",
            "GOST3411-2012-512", "GOST-2012-512", "GOST-3411-2012-512", "1.2.643.7.1.1.2.3");
    private static final List<String> MACS = List.of(
            "HMACGOST3411-2012-256", "HMAC-GOST3411-2012-256", "HMAC/GOST3411-2012-256", "1.2.643.7.1.1.4.1",
            "HMACGOST3411-2012-512", "HMAC-GOST3411-2012-512", "HMAC/GOST3411-2012-512", "1.2.643.7.1.1.4.2",
            "GOST28147MAC", "GOST28147", "GOST3412MAC", "GOST3412-2015");
    /** Transformations, and the lengths of their IVs. */
    private static final Object[][] CIPHERS = {
        {"GOST3412-2015", new int[] {0}}, {"GOST3412-2015/ECB/NoPadding", new int[] {0}},
        {"GOST3412-2015/CBC/NoPadding", new int[] {16, 32}}, {"GOST3412-2015/CBC/PKCS5Padding", new int[] {16, 32}},
        {"GOST3412-2015/CFB/NoPadding", new int[] {16, 32}}, {"GOST3412-2015/CFB8/NoPadding", new int[] {16, 32}},
        {"GOST3412-2015/OFB/NoPadding", new int[] {16, 32}}, {"GOST3412-2015/CTR/NoPadding", new int[] {8}},
        {"GOST28147", new int[] {0}}, {"GOST", new int[] {0}}, {"GOST-28147", new int[] {0}},
        {"GOST28147/ECB/NoPadding", new int[] {0}}, {"GOST28147/ECB/PKCS5Padding", new int[] {0}},
        {"GOST28147/CBC/NoPadding", new int[] {8}}, {"GOST28147/CBC/PKCS5Padding", new int[] {8}},
        {"GOST28147/CFB/NoPadding", new int[] {8}}, {"GOST28147/GCFB/NoPadding", new int[] {8}},
        {"GOST28147/GOFB/NoPadding", new int[] {8}}, {"1.2.643.2.2.21", new int[] {8}},
    };

    private final Random random = new Random(SEED);

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Mostly short, often odd, sometimes past the buffers and the meshing of keys. */
    private int length() {
        return random.nextInt(1000) == 0 ? random.nextInt(40_000) : random.nextInt(1 << (1 + random.nextInt(11)));
    }

    private interface Update {
        void part(int at, int length) throws Exception;
    }

    private void pieces(int length, Update update) throws Exception {
        int at = 0;
        while (at < length) {
            int n = random.nextInt(3) == 0 ? length - at : 1 + random.nextInt(length - at);
            update.part(at, n);
            at += n;
        }
    }

    private interface Comparison {
        void with(String words, byte[] message) throws Exception;
    }

    @Test
    void random() throws Exception {
        List<Comparison> all = new ArrayList<>();
        for (String name : DIGESTS) {
            MessageDigest ours = MessageDigest.getInstance(name, BULAT);
            MessageDigest theirs = MessageDigest.getInstance(name, BC);
            all.add((words, message) -> {
                pieces(message.length, (at, n) -> ours.update(message, at, n));
                assertArrayEquals(theirs.digest(message), ours.digest(), words + name);
            });
        }
        for (String name : MACS) {
            Mac[] pair = {Mac.getInstance(name, BULAT), Mac.getInstance(name, BC)};
            all.add((words, message) -> compare(words + name, pair, message));
        }
        for (Object[] row : CIPHERS) {
            Cipher[] pair = {Cipher.getInstance((String) row[0], BULAT), Cipher.getInstance((String) row[0], BC)};
            all.add((words, message) -> compare(words + row[0], row, pair, message));
        }
        int comparisons = Integer.getInteger("bulat.comparisons", 20_000);
        for (int i = 0; i < comparisons; i++) {
            byte[] message = bytes(length());
            String words = "comparison " + i + " of seed " + SEED + ", " + message.length + " bytes, ";
            all.get(i % all.size()).with(words, message);
        }
        System.out.println("BouncyCastle: " + comparisons + " random comparisons over " + all.size() + " names, seed " + SEED);
    }

    private void compare(String words, Mac[] pair, byte[] given) throws Exception {
        // GOST 28147-89 has no MAC of fewer than two blocks: BouncyCastle computes one step, bulat adds a block of zeros.
        boolean least = words.contains("GOST28147") && given.length <= 8;
        byte[] message = least ? Arrays.copyOf(given, 9) : given;
        SecretKey key = new SecretKeySpec(bytes(words.contains("HMAC") || words.contains("7.1.1.4")
                ? 1 + random.nextInt(100) : 32), "GOST");
        pair[0].init(key);
        pair[1].init(key);
        pieces(message.length, (at, n) -> pair[0].update(message, at, n));
        assertArrayEquals(pair[1].doFinal(message), pair[0].doFinal(), words);
    }

    private void compare(String words, Object[] row, Cipher[] pair, byte[] message) throws Exception {
        String name = (String) row[0];
        int[] sizes = (int[]) row[1];
        int ivSize = sizes[random.nextInt(sizes.length)];
        IvParameterSpec iv = ivSize == 0 ? null : new IvParameterSpec(bytes(ivSize));
        SecretKey key = new SecretKeySpec(bytes(32), "GOST");
        boolean blocks = name.contains("NoPadding") && (name.contains("ECB") || name.contains("CBC"));
        byte[] text = blocks ? Arrays.copyOf(message, message.length / 16 * 16) : message;
        pair[1].init(Cipher.ENCRYPT_MODE, key, iv);
        byte[] expected = pair[1].doFinal(text);
        try {
            assertArrayEquals(expected, run(pair[0], Cipher.ENCRYPT_MODE, key, iv, text), words);
        } catch (RuntimeException e) {
            throw new AssertionError(words, e);
        }
        assertArrayEquals(text, run(pair[0], Cipher.DECRYPT_MODE, key, iv, expected), words);
    }

    /** In pieces, by arrays, heap buffers or direct buffers. */
    private byte[] run(Cipher cipher, int mode, SecretKey key, IvParameterSpec iv, byte[] text) throws Exception {
        cipher.init(mode, key, iv);
        if (random.nextBoolean()) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            pieces(text.length, (at, n) -> {
                byte[] some = cipher.update(text, at, n);
                out.writeBytes(some == null ? new byte[0] : some);
            });
            out.writeBytes(cipher.doFinal());
            return out.toByteArray();
        }
        boolean direct = random.nextBoolean();
        ByteBuffer in = direct ? ByteBuffer.allocateDirect(text.length + 3) : ByteBuffer.allocate(text.length + 3);
        in.position(3).put(text).position(3);
        ByteBuffer out = random.nextBoolean() ? ByteBuffer.allocateDirect(text.length + 40) : ByteBuffer.allocate(text.length + 40);
        out.position(1);
        pieces(text.length, (at, n) -> cipher.update(in.slice(3 + at, n), out));
        cipher.doFinal(ByteBuffer.allocate(0), out);
        byte[] result = new byte[out.position() - 1];
        out.position(1).get(result);
        return result;
    }

    @Test
    void sboxes() throws Exception {
        String[] theirs = {"E-Test", "E-A", "E-B", "E-C", "E-D", "Param-Z", "D-Test", "D-A"};
        for (int i = 0; i < theirs.length; i++) {
            SecretKey key = new SecretKeySpec(bytes(32), "GOST28147");
            byte[] iv = bytes(8);
            byte[] text = bytes(3000);
            for (String name : List.of("GOST28147/GCFB/NoPadding", "GOST28147/CBC/PKCS5Padding")) {
                Cipher bc = Cipher.getInstance(name, BC);
                bc.init(Cipher.ENCRYPT_MODE, key, new GOST28147ParameterSpec(theirs[i], iv));
                Cipher ours = Cipher.getInstance(name, BULAT);
                ours.init(Cipher.ENCRYPT_MODE, key, GostParameterSpec.of(iv).sboxes(GostParameterSpec.SBOXES.get(i)));
                assertArrayEquals(bc.doFinal(text), ours.doFinal(text), name + " " + theirs[i]);
            }
        }
    }

    @Test
    void wraps() throws Exception {
        for (String name : List.of("1.2.643.2.2.13.0", "1.2.643.2.2.13.1")) {
            for (int i = 0; i < 50; i++) {
                SecretKey key = new SecretKeySpec(bytes(32), "GOST28147");
                SecretKey secret = new SecretKeySpec(bytes(32), "GOST28147");
                byte[] ukm = bytes(8);
                Cipher bc = Cipher.getInstance(name, BC);
                bc.init(Cipher.WRAP_MODE, key, new GOST28147WrapParameterSpec("E-A", ukm));
                byte[] theirs = bc.wrap(secret);
                Cipher own = Cipher.getInstance(name, Bulat.provider());
                own.init(Cipher.WRAP_MODE, key, GostParameterSpec.of(ukm).sboxes("a"));
                byte[] ours = own.wrap(secret);
                // BouncyCastle leaves the UKM out.
                byte[] tail = Arrays.copyOfRange(ours, ours.length - theirs.length, ours.length);
                assertArrayEquals(theirs, tail, name);
            }
        }
    }

    @Test
    void keyGenerators() throws Exception {
        for (String name : List.of("GOST28147", "GOST", "GOST-28147", "1.2.643.2.2.21", "GOST3412-2015",
                "HMACGOST3411-2012-256", "HMAC-GOST3411-2012-256", "HMAC/GOST3411-2012-256", "1.2.643.7.1.1.4.1",
                "HMACGOST3411-2012-512", "HMAC-GOST3411-2012-512", "HMAC/GOST3411-2012-512", "1.2.643.7.1.1.4.2")) {
            int theirs = KeyGenerator.getInstance(name, BC).generateKey().getEncoded().length;
            assertEquals(theirs, KeyGenerator.getInstance(name, BULAT).generateKey().getEncoded().length, name);
        }
    }
}
