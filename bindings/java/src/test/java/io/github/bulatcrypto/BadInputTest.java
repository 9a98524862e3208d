package io.github.bulatcrypto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.security.AlgorithmParameters;
import java.security.DigestException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.InvalidParameterException;
import java.security.Key;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.InvalidParameterSpecException;
import java.security.spec.KeySpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.crypto.AEADBadTagException;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.KeyGenerator;
import javax.crypto.Mac;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.RC2ParameterSpec;
import org.junit.jupiter.api.Test;

/** Every mistake has the exception that the providers of the JDK throw for it. */
class BadInputTest {
    private static final String MGM = "GOST3412-2015/MGM/NoPadding";
    private static final String CTR = "GOST3412-2015/CTR/NoPadding";
    private static final String CBC = "GOST3412-2015/CBC/NoPadding";
    private static final String CBC_PADDED = "GOST3412-2015/CBC/PKCS5Padding";
    private static final String XTS = "GOST3412-2015/XTS/NoPadding";
    private static final String KEXP15 = "GOST3412-2015/KEXP15/NoPadding";
    private static final IvParameterSpec IV = iv(16);

    private interface Call {
        void call() throws Exception;
    }

    private record Row(String mistake, Class<? extends Exception> exception, Call call) {}

    /** A key without bytes. */
    private record Hidden(String getAlgorithm, String getFormat, byte[] getEncoded) implements Key {}

    private final List<Row> rows = new ArrayList<>();

    private void row(String mistake, Class<? extends Exception> exception, Call call) {
        rows.add(new Row(mistake, exception, call));
    }

    private static SecretKey key(int size) {
        return new GostKey("RAW", new byte[size]);
    }

    /** A key of two different halves. */
    private static SecretKey both() {
        byte[] both = new byte[64];
        both[0] = 1;
        return new GostKey("RAW", both);
    }

    private static IvParameterSpec iv(int size) {
        return new IvParameterSpec(new byte[size]);
    }

    private static MessageDigest digest() throws Exception {
        return MessageDigest.getInstance("GOST3411", Bulat.provider());
    }

    private static Mac mac() throws Exception {
        return Mac.getInstance("GOST3412MAC", Bulat.provider());
    }

    private static Cipher cipher(String name) throws Exception {
        return Cipher.getInstance(name, Bulat.provider());
    }

    private static Cipher with(String name, int mode, Key key, AlgorithmParameterSpec spec) throws Exception {
        Cipher cipher = cipher(name);
        cipher.init(mode, key, spec);
        return cipher;
    }

    private static Cipher encrypting(String name, AlgorithmParameterSpec spec) throws Exception {
        return with(name, Cipher.ENCRYPT_MODE, key(32), spec);
    }

    private static Cipher decrypting(String name) throws Exception {
        return with(name, Cipher.DECRYPT_MODE, key(32), IV);
    }

    private static Cipher sealing() throws Exception {
        return encrypting(MGM, IV);
    }

    private static void again(Cipher cipher, AlgorithmParameterSpec spec) throws Exception {
        cipher.init(Cipher.ENCRYPT_MODE, key(32), spec);
    }

    private static void derive(String name, KeySpec spec) throws Exception {
        SecretKeyFactory.getInstance(name, Bulat.provider()).generateSecret(spec);
    }

    private void hashesAndMacs() {
        row("a hash that is not there", NoSuchAlgorithmException.class,
                () -> MessageDigest.getInstance("SHA-256", Bulat.provider()));
        row("digest into a short array", DigestException.class, () -> digest().digest(new byte[31], 0, 31));
        row("update outside the array", IllegalArgumentException.class, () -> digest().update(new byte[3], 2, 2));
        row("a MAC without init", IllegalStateException.class, () -> mac().update((byte) 1));
        row("a MAC's key of 31 bytes", InvalidKeyException.class, () -> mac().init(key(31)));
        row("no key", InvalidKeyException.class, () -> mac().init(null));
        row("a tag of 17 bytes", InvalidAlgorithmParameterException.class,
                () -> mac().init(key(32), GostParameterSpec.of(null).tagSize(17)));
        row("an IV for a MAC without one", InvalidAlgorithmParameterException.class, () -> mac().init(key(32), IV));
    }

    private void namesAndKeysOfCiphers() {
        row("a mode that is not GOST's", NoSuchAlgorithmException.class, () -> cipher("GOST3412-2015/GCM/NoPadding"));
        row("a padding that is not there", NoSuchAlgorithmException.class, () -> cipher("GOST3412-2015/CBC/ISO10126Padding"));
        row("padding of a stream", NoSuchAlgorithmException.class, () -> cipher("GOST3412-2015/CTR/PKCS5Padding"));
        row("a cipher without init", IllegalStateException.class, () -> cipher(MGM).doFinal());
        row("a cipher's key of 31 bytes", InvalidKeyException.class, () -> with(MGM, Cipher.ENCRYPT_MODE, key(31), IV));
        row("a destroyed key", IllegalStateException.class, () -> {
            SecretKey key = key(32);
            key.destroy();
            with(MGM, Cipher.ENCRYPT_MODE, key, IV);
        });
        row("a key without bytes", InvalidKeyException.class,
                () -> with(CBC, Cipher.ENCRYPT_MODE, new Hidden("GOST", null, null), IV));
        row("XTS with two equal keys", InvalidKeyException.class, () -> with(XTS, Cipher.ENCRYPT_MODE, key(64), IV));
    }

    private void parameters() {
        Class<InvalidAlgorithmParameterException> refused = InvalidAlgorithmParameterException.class;
        row("parameters of another cipher", refused, () -> encrypting(MGM, new RC2ParameterSpec(1)));
        row("a nonce of 12 bytes", refused, () -> encrypting(MGM, new GCMParameterSpec(128, new byte[12])));
        row("a nonce with the first bit 1", refused, () -> {
            byte[] nonce = new byte[16];
            nonce[0] = -1;
            encrypting(MGM, new IvParameterSpec(nonce));
        });
        row("a tag of 136 bits", refused, () -> encrypting(MGM, new GCMParameterSpec(136, new byte[16])));
        row("a tag of 33 bits", refused, () -> encrypting(MGM, new GCMParameterSpec(33, new byte[16])));
        row("decryption without an IV", InvalidKeyException.class, () -> cipher(MGM).init(Cipher.DECRYPT_MODE, key(32)));
        row("CTR without an IV", InvalidKeyException.class, () -> cipher(CTR).init(Cipher.ENCRYPT_MODE, key(32)));
        row("an IV for ECB", refused, () -> encrypting("GOST3412-2015", IV));
        row("S-boxes for Kuznyechik", refused, () -> encrypting(CTR, GostParameterSpec.of(new byte[8]).sboxes("a")));
        row("S-boxes that are no permutation", refused,
                () -> encrypting("GOST28147/CNT/NoPadding", GostParameterSpec.of(new byte[8]).sboxes(new byte[128])));
        row("S-boxes of no name", IllegalArgumentException.class, () -> GostParameterSpec.of(null).sboxes("e"));
        row("a second encryption under one nonce", refused, () -> {
            Cipher cipher = sealing();
            cipher.doFinal(new byte[5]);
            again(cipher, IV);
        });
        row("that with another length of tag", refused, () -> again(sealing(), new GCMParameterSpec(64, new byte[16])));
        row("that after a refused key", refused, () -> {
            Cipher cipher = sealing();
            assertThrows(InvalidKeyException.class, () -> cipher.init(Cipher.ENCRYPT_MODE, key(31), IV));
            assertThrows(IllegalStateException.class, () -> cipher.doFinal(new byte[1]));
            again(cipher, IV);
        });
        row("that after a refused length of tag", refused, () -> {
            Cipher cipher = sealing();
            assertThrows(refused, () -> again(cipher, new GCMParameterSpec(136, new byte[16])));
            again(cipher, IV);
        });
        row("a tag of 33 bits in parameters", InvalidParameterSpecException.class, () -> AlgorithmParameters
                .getInstance("GOST3412-2015", Bulat.provider()).init(new GCMParameterSpec(33, new byte[16])));
        row("DER of parameters without an IV", IOException.class, () -> encrypting("GOST28147-89/ECB/NoPadding",
                GostParameterSpec.of(null).sboxes("a")).getParameters().getEncoded());
    }

    private void texts() {
        row("a second message without init", IllegalStateException.class, () -> {
            Cipher cipher = sealing();
            cipher.doFinal(new byte[5]);
            cipher.doFinal(new byte[5]);
        });
        row("associated data after text", IllegalStateException.class, () -> {
            Cipher cipher = sealing();
            cipher.update(new byte[5]);
            cipher.updateAAD(new byte[1]);
        });
        row("associated data of CTR", UnsupportedOperationException.class, () -> encrypting(CTR, iv(8)).updateAAD(new byte[1]));
        row("sealing nothing", IllegalBlockSizeException.class, () -> sealing().doFinal());
        row("opening less than a tag", AEADBadTagException.class, () -> decrypting(MGM).doFinal(new byte[15]));
        row("opening only a tag", AEADBadTagException.class, () -> decrypting(MGM).doFinal(new byte[16]));
        row("a wrong tag", AEADBadTagException.class, () -> decrypting(MGM).doFinal(new byte[40]));
        row("sealing into a short array", ShortBufferException.class,
                () -> sealing().doFinal(new byte[5], 0, 5, new byte[20], 0));
        row("sealing into a short direct buffer", ShortBufferException.class,
                () -> sealing().doFinal(ByteBuffer.allocate(5), ByteBuffer.allocateDirect(20)));
        row("update into a short array", ShortBufferException.class,
                () -> sealing().update(new byte[5], 0, 5, new byte[4], 0));
        row("output to a read-only buffer", ReadOnlyBufferException.class,
                () -> sealing().doFinal(ByteBuffer.allocate(5), ByteBuffer.allocate(40).asReadOnlyBuffer()));
        row("input and output one buffer", IllegalArgumentException.class, () -> {
            ByteBuffer buffer = ByteBuffer.allocate(40);
            sealing().doFinal(buffer, buffer);
        });
        row("part of a block without padding", IllegalBlockSizeException.class,
                () -> encrypting(CBC, IV).doFinal(new byte[17]));
        row("decrypting part of a block", IllegalBlockSizeException.class,
                () -> decrypting(CBC_PADDED).doFinal(new byte[17]));
        row("wrong padding", BadPaddingException.class, () -> decrypting(CBC_PADDED).doFinal(new byte[16]));
        row("less than a block of XTS", IllegalBlockSizeException.class,
                () -> with(XTS, Cipher.ENCRYPT_MODE, both(), IV).doFinal(new byte[15]));
    }

    /** Wraps by an engine under a key and an IV, with other modes between. */
    private static void wraps(int... modes) throws Exception {
        Cipher cipher = cipher(KEXP15);
        for (int mode : modes) {
            cipher.init(mode, both(), iv(8));
            if (mode == Cipher.WRAP_MODE) {
                cipher.wrap(key(32));
            }
        }
    }

    private void keys() {
        row("encryption by a key wrap", InvalidAlgorithmParameterException.class,
                () -> with(KEXP15, Cipher.ENCRYPT_MODE, key(64), iv(8)));
        row("a key wrap's key of 32 bytes", InvalidKeyException.class, () -> with(KEXP15, Cipher.WRAP_MODE, key(32), iv(8)));
        row("a wrong wrapped key", InvalidKeyException.class,
                () -> with(KEXP15, Cipher.UNWRAP_MODE, both(), iv(8)).unwrap(new byte[48], "RAW", Cipher.SECRET_KEY));
        row("a short wrapped key", InvalidKeyException.class,
                () -> with("1.2.643.2.2.13.1", Cipher.UNWRAP_MODE, key(32), null).unwrap(new byte[3], "RAW", Cipher.SECRET_KEY));
        row("a second wrap under one IV", InvalidAlgorithmParameterException.class,
                () -> wraps(Cipher.WRAP_MODE, Cipher.WRAP_MODE));
        row("that after an unwrap", InvalidAlgorithmParameterException.class,
                () -> wraps(Cipher.WRAP_MODE, Cipher.UNWRAP_MODE, Cipher.WRAP_MODE));
        row("keys of 128 bits", InvalidParameterException.class,
                () -> KeyGenerator.getInstance("GOST28147", Bulat.provider()).init(128));
        Class<InvalidKeySpecException> refused = InvalidKeySpecException.class;
        KdfKeySpec spec = KdfKeySpec.of(new byte[32], 32);
        String pbkdf2 = "PBKDF2WITHHMACGOST3411-2012-512";
        row("parameters of another factory", refused,
                () -> derive("HKDF-GOST3411-2012-256", new PKCS8EncodedKeySpec(new byte[3])));
        row("a password without a salt", refused, () -> derive(pbkdf2, new PBEKeySpec("x".toCharArray())));
        row("PBKDF2 without iterations", refused, () -> derive(pbkdf2, KdfKeySpec.of(new byte[1], 32).salt(new byte[8])));
        row("a salt for KDF_TREE", refused, () -> derive("kdf-tree", KdfKeySpec.of(new byte[32], 32).salt(new byte[8])));
        row("KDF of 33 bytes", refused, () -> derive("kdf-gostr3411-2012-256", KdfKeySpec.of(new byte[32], 33)));
        row("TLSTREE without a suite", refused, () -> derive("TLSTREE", spec));
        row("a derived key of 0 bytes", IllegalArgumentException.class, () -> KdfKeySpec.of(new byte[32], 0));
    }

    private void batches() {
        byte[][] one = {new byte[16]};
        row("a batch with two equal nonces", InvalidAlgorithmParameterException.class, () -> Bulat.sealAll(MGM, key(32),
                new byte[][] {one[0], one[0].clone()}, null, new byte[][] {{1}, {2}}));
        row("a batch with a null", NullPointerException.class,
                () -> Bulat.hashAll("GOST3411-2012-256", new byte[][] {{1}, null}));
        row("a batch with fewer nonces", IllegalArgumentException.class,
                () -> Bulat.sealAll(MGM, key(32), new byte[0][], null, new byte[][] {{1}}));
        row("a batch with a wrong tag", AEADBadTagException.class,
                () -> Bulat.openAll(MGM, key(32), one, null, new byte[][] {new byte[20]}));
        row("a batch of an unknown hash", NoSuchAlgorithmException.class, () -> Bulat.hashAll("MD5", new byte[0][]));
    }

    @Test
    void table() {
        hashesAndMacs();
        namesAndKeysOfCiphers();
        parameters();
        texts();
        keys();
        batches();
        StringBuilder wrong = new StringBuilder();
        for (Row row : rows) {
            try {
                row.call.call();
                wrong.append(row.mistake).append(": accepted\n");
            } catch (Exception e) {
                if (e.getClass() != row.exception) {
                    wrong.append(row.mistake + ": " + e + ", not " + row.exception.getSimpleName() + "\n");
                }
            }
        }
        assertEquals("", wrong.toString());
        System.out.println("bad input: " + rows.size() + " mistakes, each with its exception");
    }

    /** No call leaves with a range outside its array; the native calls refuse algorithms outside the table. */
    @Test
    void theBorderRefusesRanges() {
        int internal = -19;
        Line line = Line.TABLE.get("streebog256");
        byte[] three = new byte[3];
        int[][] ranges = {{0, 4}, {-1, 1}, {1, -1}, {3, 1}, {Integer.MAX_VALUE, Integer.MAX_VALUE}};
        for (int[] range : ranges) {
            assertThrows(IndexOutOfBoundsException.class,
                    () -> Context.digest(line, View.of(three, range[0], range[1]), View.of(new byte[32])),
                    Arrays.toString(range));
            assertThrows(IndexOutOfBoundsException.class,
                    () -> Context.digest(line, View.of(three), View.of(three, range[0], range[1])), Arrays.toString(range));
        }
        assertEquals(internal, Native.digest(-1, three, 0, 3, new byte[32], 0, 32));
        assertEquals(internal, Native.digest(10_000, three, 0, 3, new byte[32], 0, 32));
        assertEquals("BufferLength", Fault.name(Native.digest(0, three, 0, 3, new byte[32], 1, 31)));
        assertEquals(internal, Native.wipe(0));
        assertEquals("Internal", Fault.name(internal));
    }

    /** A refused padding is a NoSuchPaddingException for those who ask the engine. */
    @Test
    void padding() {
        CipherEngine engine = new CipherEngine(Bulat.provider(), Line.TABLE.get("kuznyechik-ctr"), GostParameterSpec.NONE);
        assertThrows(NoSuchPaddingException.class, () -> engine.engineSetPadding("PKCS5Padding"));
    }
}
