package io.github.bulatcrypto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.security.AlgorithmParameters;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.IntStream;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import org.junit.jupiter.api.Test;

/** The engines behave as users of JCA expect. */
class MannersTest {
    private static final String MGM = "GOST3412-2015/MGM/NoPadding";
    private final Random random = new Random(7);

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static Cipher mgm(int mode, SecretKey key, byte[] nonce) throws Exception {
        Cipher cipher = Cipher.getInstance(MGM, Bulat.provider());
        cipher.init(mode, key, new IvParameterSpec(nonce));
        return cipher;
    }

    private byte[] nonce() {
        byte[] nonce = bytes(16);
        nonce[0] &= 0x7f;
        return nonce;
    }

    @Test
    void nothingComesOutBeforeTheTagIsChecked() throws Exception {
        SecretKey key = new GostKey("RAW", bytes(32));
        byte[] nonce = nonce();
        byte[] text = bytes(100_000);
        byte[] sealed = mgm(Cipher.ENCRYPT_MODE, key, nonce).doFinal(text);
        Cipher open = mgm(Cipher.DECRYPT_MODE, key, nonce);
        byte[] out = new byte[100_000];
        assertNull(open.update(sealed, 0, 50_000));
        assertEquals(0, open.update(sealed, 50_000, 50_000, out));
        sealed[3] ^= 1;
        assertArrayEquals(new byte[100_000], out);
        // The engine has its copy of the first pieces.
        assertEquals(100_000, open.doFinal(sealed, 100_000, 16, out, 0));
        assertArrayEquals(text, out);
        Arrays.fill(out, (byte) 0);
        assertThrows(AEADBadTagException.class, () -> open.doFinal(sealed, 0, sealed.length, out, 0));
        assertArrayEquals(new byte[100_000], out);
        // In place a refused ciphertext stays as it is; and the cipher is ready for the next message.
        byte[] before = sealed.clone();
        assertThrows(AEADBadTagException.class, () -> open.doFinal(sealed, 0, sealed.length, sealed, 0));
        assertArrayEquals(before, sealed);
        sealed[3] ^= 1;
        assertArrayEquals(text, open.doFinal(sealed));
    }

    @Test
    void inPlaceAndOverlapping() throws Exception {
        SecretKey key = new GostKey("RAW", bytes(32));
        for (int length : new int[] {1, 15, 16, 17, 4096, 16_384, 16_385, 70_001}) {
            byte[] nonce = nonce();
            byte[] text = bytes(length);
            byte[] sealed = mgm(Cipher.ENCRYPT_MODE, key, nonce).doFinal(text);
            for (int shift : new int[] {0, 1, -1, 16, 20_000}) {
                byte[] room = new byte[length + 20_100];
                int from = 50 + Math.max(-shift, 0);
                int to = from + shift;
                System.arraycopy(text, 0, room, from, length);
                Cipher cipher = mgm(Cipher.ENCRYPT_MODE, key, nonce);
                assertEquals(length + 16, cipher.doFinal(room, from, length, room, to));
                assertArrayEquals(sealed, Arrays.copyOfRange(room, to, to + length + 16), length + " " + shift);

                ByteBuffer direct = ByteBuffer.allocateDirect(length + 20_100);
                direct.position(from).put(text);
                ByteBuffer out = direct.duplicate().position(to);
                mgm(Cipher.ENCRYPT_MODE, key, nonce).doFinal(direct.slice(from, length), out);
                byte[] got = new byte[length + 16];
                direct.position(to).get(got);
                assertArrayEquals(sealed, got, length + " " + shift);
                assertEquals(to + length + 16, out.position());

                direct.clear().position(from).put(sealed);
                ByteBuffer opened = direct.duplicate().position(to);
                mgm(Cipher.DECRYPT_MODE, key, nonce).doFinal(direct.slice(from, length + 16).asReadOnlyBuffer(), opened);
                assertEquals(to + length, opened.position());
            }
            // From an array to a direct buffer, and back.
            ByteBuffer there = ByteBuffer.allocateDirect(length + 16);
            mgm(Cipher.ENCRYPT_MODE, key, nonce).doFinal(ByteBuffer.wrap(text), there);
            byte[] back = new byte[length];
            mgm(Cipher.DECRYPT_MODE, key, nonce).doFinal(there.flip(), ByteBuffer.wrap(back));
            assertArrayEquals(text, back);
            Cipher ctr = Cipher.getInstance("Kuznyechik/CTR/NoPadding", Bulat.provider());
            ctr.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(new byte[8]));
            byte[] whole = ctr.doFinal(text);
            there.clear().put(text).flip();
            assertEquals(length, ctr.doFinal(there, ByteBuffer.wrap(back)));
            assertArrayEquals(whole, back);
        }
    }

    @Test
    void associatedDataInPieces() throws Exception {
        SecretKey key = new GostKey("RAW", bytes(32));
        byte[] nonce = nonce();
        byte[] aad = bytes(40_000);
        Cipher whole = mgm(Cipher.ENCRYPT_MODE, key, nonce);
        whole.updateAAD(aad);
        Cipher pieces = mgm(Cipher.ENCRYPT_MODE, key, nonce);
        pieces.updateAAD(aad, 0, 7);
        ByteBuffer direct = ByteBuffer.allocateDirect(20_000).put(aad, 7, 20_000).flip();
        pieces.updateAAD(direct);
        pieces.updateAAD(ByteBuffer.wrap(aad, 20_007, 19_993));
        assertArrayEquals(whole.doFinal(), pieces.doFinal());
    }

    @Test
    void aShortBufferKeepsTheMessage() throws Exception {
        SecretKey key = new GostKey("RAW", bytes(32));
        byte[] nonce = nonce();
        byte[] text = bytes(33);
        byte[] sealed = mgm(Cipher.ENCRYPT_MODE, key, nonce).doFinal(text);
        Cipher cipher = mgm(Cipher.ENCRYPT_MODE, key, nonce);
        assertThrows(ShortBufferException.class, () -> cipher.doFinal(text, 0, 33, new byte[48], 0));
        assertArrayEquals(sealed, cipher.doFinal(text));

        Cipher cbc = Cipher.getInstance("Kuznyechik/CBC/PKCS5Padding", Bulat.provider());
        cbc.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(new byte[16]));
        byte[] padded = cbc.doFinal(text);
        cbc.init(Cipher.DECRYPT_MODE, key, new IvParameterSpec(new byte[16]));
        byte[] start = cbc.update(padded, 0, 20);
        int rest = 33 - start.length;
        assertThrows(ShortBufferException.class, () -> cbc.doFinal(padded, 20, 28, new byte[rest - 1], 0));
        byte[] out = new byte[rest];
        assertEquals(rest, cbc.doFinal(padded, 20, 28, out, 0));
        assertArrayEquals(Arrays.copyOfRange(text, 33 - rest, 33), out);
    }

    @Test
    void randomNonces() throws Exception {
        SecretKey key = new GostKey("RAW", bytes(32));
        Cipher cipher = Cipher.getInstance(MGM, Bulat.provider());
        for (int i = 0; i < 50; i++) {
            cipher.init(Cipher.ENCRYPT_MODE, key);
            byte[] sealed = cipher.doFinal(bytes(10));
            AlgorithmParameters params = cipher.getParameters();
            AlgorithmParameters read = AlgorithmParameters.getInstance("1.2.643.7.1.1.5.2.3", Bulat.provider());
            read.init(params.getEncoded());
            Cipher open = Cipher.getInstance(MGM, Bulat.provider());
            open.init(Cipher.DECRYPT_MODE, key, read);
            assertEquals(10, open.doFinal(sealed).length);
        }
    }

    @Test
    void clones() throws Exception {
        for (int length : new int[] {0, 10, 511, 512, 513, 5000}) {
            MessageDigest digest = MessageDigest.getInstance("GOST3411-2012-512", Bulat.provider());
            byte[] message = bytes(length + 7);
            digest.update(message, 0, length);
            MessageDigest copy = (MessageDigest) digest.clone();
            for (int i = 0; i < 7; i++) {
                copy.update(message[length + i]);
            }
            assertArrayEquals(digest.digest(Arrays.copyOfRange(message, length, length + 7)), copy.digest());
            Mac mac = Mac.getInstance("GOST3412MAC", Bulat.provider());
            mac.init(new GostKey("RAW", bytes(32)));
            mac.update(message, 0, length);
            Mac other = (Mac) mac.clone();
            for (int i = 0; i < 7; i++) {
                other.update(message[length + i]);
            }
            mac.update(message, length, 7);
            assertArrayEquals(mac.doFinal(), other.doFinal());
            assertArrayEquals(mac.doFinal(message), other.doFinal(message));
            other.init(new GostKey("RAW", bytes(32)));
            assertFalse(Arrays.equals(mac.doFinal(message), other.doFinal(message)));
        }
    }

    @Test
    void resets() throws Exception {
        MessageDigest digest = MessageDigest.getInstance("GOST3411", Bulat.provider());
        byte[] empty = digest.digest();
        digest.update(bytes(9000));
        digest.reset();
        assertArrayEquals(empty, digest.digest());
        ByteBuffer direct = ByteBuffer.allocateDirect(9000).put(bytes(9000)).flip();
        byte[] copy = new byte[9000];
        direct.duplicate().get(copy);
        digest.update(direct);
        assertFalse(direct.hasRemaining());
        assertArrayEquals(digest.digest(), MessageDigest.getInstance("GOST3411", Bulat.provider()).digest(copy));
        Mac mac = Mac.getInstance("gost-mac", Bulat.provider());
        mac.init(new GostKey("RAW", new byte[32]), GostParameterSpec.of(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}));
        byte[] tag = mac.doFinal(copy);
        mac.update(copy);
        mac.reset();
        assertArrayEquals(tag, mac.doFinal(copy));
    }

    @Test
    void keysAreDestroyed() throws Exception {
        SecretKey key = SecretKeyFactory.getInstance("PBKDF2WithHmacStreebog512", Bulat.provider())
                .generateSecret(new PBEKeySpec("password".toCharArray(), "salt".getBytes(), 1, 512));
        // R 50.1.111-2016, the first example.
        assertTrue(HexFormat.of().formatHex(key.getEncoded()).startsWith("64770af7f748c3b1c9ac831dbcfd85c2"));
        assertFalse(key.toString().contains("64770a"));
        assertEquals(key, new GostKey(key.getAlgorithm(), key.getEncoded()));
        assertNotEquals(key, new GostKey(key.getAlgorithm(), new byte[64]));
        key.destroy();
        assertTrue(key.isDestroyed());
        assertThrows(IllegalStateException.class, key::getEncoded);
    }

    @Test
    void batches() throws Exception {
        byte[][] messages = IntStream.range(0, 3000).mapToObj(i -> bytes(i % 13 == 0 ? 5000 : i % 100)).toArray(byte[][]::new);
        byte[][] digests = Bulat.hashAll("GOST3411-2012-256", messages);
        MessageDigest digest = MessageDigest.getInstance("GOST3411-2012-256", Bulat.provider());
        byte[][] nonces = new byte[messages.length][];
        byte[][] aads = new byte[messages.length][];
        for (int i = 0; i < messages.length; i++) {
            assertArrayEquals(digest.digest(messages[i]), digests[i]);
            nonces[i] = nonce();
            aads[i] = bytes(1 + i % 30);
        }
        SecretKey key = new GostKey("RAW", bytes(32));
        byte[][] sealed = Bulat.sealAll(MGM, key, nonces, aads, messages);
        Cipher cipher = Cipher.getInstance(MGM, Bulat.provider());
        for (int i = 0; i < messages.length; i += 7) {
            cipher.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(nonces[i]));
            cipher.updateAAD(aads[i]);
            assertArrayEquals(cipher.doFinal(messages[i]), sealed[i]);
        }
        assertArrayEquals(messages, Bulat.openAll(MGM, key, nonces, aads, sealed));
        sealed[2000][0] ^= 1;
        Exception refused = assertThrows(AEADBadTagException.class, () -> Bulat.openAll(MGM, key, nonces, aads, sealed));
        assertTrue(refused.getMessage().startsWith("message 2000:"), refused.getMessage());
        assertEquals(0, Bulat.hashAll("streebog512", new byte[0][]).length);
    }

    /** Engines without a reference are freed while others work; one engine may be used by several threads in turn. */
    @Test
    void threadsAndTheCollector() throws Exception {
        byte[] message = bytes(3000);
        byte[] expected = MessageDigest.getInstance("streebog256", Bulat.provider()).digest(message);
        MessageDigest shared = MessageDigest.getInstance("streebog256", Bulat.provider());
        IntStream.range(0, 4).parallel().forEach(thread -> {
            try {
                for (int i = 0; i < 500; i++) {
                    MessageDigest own = MessageDigest.getInstance("streebog256", Bulat.provider());
                    assertArrayEquals(expected, own.digest(message));
                    // Misuse: garbage, and no crash.
                    try {
                        shared.update(message);
                        shared.digest();
                    } catch (RuntimeException misuse) {
                        shared.reset();
                    }
                    if (i % 100 == 0) {
                        System.gc();
                    }
                }
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }
}
