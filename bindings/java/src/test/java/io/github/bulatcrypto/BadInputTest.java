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
import java.security.spec.InvalidKeySpecException;
import java.security.spec.InvalidParameterSpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
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
    private static final String CBC = "GOST3412-2015/CBC/NoPadding";
    private static final String CBC_PADDED = "GOST3412-2015/CBC/PKCS5Padding";

    private interface Call {
        void call() throws Exception;
    }

    private final Map<String, Object[]> rows = new LinkedHashMap<>();

    private void row(String mistake, Class<? extends Exception> exception, Call call) {
        rows.put(mistake, new Object[] {exception, call});
    }

    private static SecretKey key(int size) {
        return new GostKey("RAW", new byte[size]);
    }

    private static Cipher cipher(String name) throws Exception {
        return Cipher.getInstance(name, Bulat.provider());
    }

    private static void unwrap(String name, byte[] key, GostParameterSpec spec, byte[] wrapped) throws Exception {
        Cipher cipher = cipher(name);
        cipher.init(Cipher.UNWRAP_MODE, new GostKey("RAW", key.clone()), spec);
        cipher.unwrap(wrapped, "RAW", Cipher.SECRET_KEY);
    }

    private static Cipher sealing() throws Exception {
        Cipher cipher = cipher(MGM);
        cipher.init(Cipher.ENCRYPT_MODE, key(32), new IvParameterSpec(new byte[16]));
        return cipher;
    }

    private static Cipher opening() throws Exception {
        Cipher cipher = cipher(MGM);
        cipher.init(Cipher.DECRYPT_MODE, key(32), new IvParameterSpec(new byte[16]));
        return cipher;
    }

    private static Cipher with(String name, int mode, int iv) throws Exception {
        Cipher cipher = cipher(name);
        cipher.init(mode, key(32), new IvParameterSpec(new byte[iv]));
        return cipher;
    }

    private static SecretKeyFactory factory(String name) throws Exception {
        return SecretKeyFactory.getInstance(name, Bulat.provider());
    }

    @Test
    void table() throws Exception {
        row("a hash that is not there", NoSuchAlgorithmException.class,
                () -> MessageDigest.getInstance("SHA-256", Bulat.provider()));
        row("digest into a short array", DigestException.class,
                () -> MessageDigest.getInstance("GOST3411", Bulat.provider()).digest(new byte[31], 0, 31));
        row("update outside the array", IllegalArgumentException.class,
                () -> MessageDigest.getInstance("GOST3411", Bulat.provider()).update(new byte[3], 2, 2));
        row("a MAC without init", IllegalStateException.class,
                () -> Mac.getInstance("GOST3412MAC", Bulat.provider()).update((byte) 1));
        row("a MAC's key of 31 bytes", InvalidKeyException.class,
                () -> Mac.getInstance("GOST3412MAC", Bulat.provider()).init(key(31)));
        row("no key", InvalidKeyException.class,
                () -> Mac.getInstance("GOST3412MAC", Bulat.provider()).init(null));
        row("a tag of 17 bytes", InvalidAlgorithmParameterException.class,
                () -> Mac.getInstance("GOST3412MAC", Bulat.provider()).init(key(32), GostParameterSpec.of(null).tagSize(17)));
        row("an IV for a MAC without one", InvalidAlgorithmParameterException.class,
                () -> Mac.getInstance("GOST3412MAC", Bulat.provider()).init(key(32), new IvParameterSpec(new byte[16])));
        row("a mode that is not GOST's", NoSuchAlgorithmException.class, () -> cipher("GOST3412-2015/GCM/NoPadding"));
        row("a padding that is not there", NoSuchAlgorithmException.class, () -> cipher("GOST3412-2015/CBC/ISO10126Padding"));
        row("padding of a stream", NoSuchAlgorithmException.class, () -> cipher("GOST3412-2015/CTR/PKCS5Padding"));
        row("a cipher without init", IllegalStateException.class, () -> cipher(MGM).doFinal());
        row("a cipher's key of 31 bytes", InvalidKeyException.class,
                () -> cipher(MGM).init(Cipher.ENCRYPT_MODE, key(31), new IvParameterSpec(new byte[16])));
        row("a destroyed key", IllegalStateException.class, () -> {
            SecretKey key = key(32);
            key.destroy();
            cipher(MGM).init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(new byte[16]));
        });
        row("a key without bytes", InvalidKeyException.class, () -> cipher(CBC).init(Cipher.ENCRYPT_MODE, new Key() {
            private static final long serialVersionUID = 1;

            @Override
            public String getAlgorithm() {
                return "GOST";
            }

            @Override
            public String getFormat() {
                return null;
            }

            @Override
            public byte[] getEncoded() {
                return null;
            }
        }, new IvParameterSpec(new byte[16])));
        row("XTS with two equal keys", InvalidKeyException.class,
                () -> cipher("GOST3412-2015/XTS/NoPadding").init(Cipher.ENCRYPT_MODE, key(64), new IvParameterSpec(new byte[16])));
        row("parameters of another cipher", InvalidAlgorithmParameterException.class,
                () -> cipher(MGM).init(Cipher.ENCRYPT_MODE, key(32), new RC2ParameterSpec(1)));
        row("a nonce of 12 bytes", InvalidAlgorithmParameterException.class,
                () -> cipher(MGM).init(Cipher.ENCRYPT_MODE, key(32), new GCMParameterSpec(128, new byte[12])));
        row("a nonce with the first bit 1", InvalidAlgorithmParameterException.class, () -> {
            byte[] nonce = new byte[16];
            nonce[0] = -1;
            cipher(MGM).init(Cipher.ENCRYPT_MODE, key(32), new IvParameterSpec(nonce));
        });
        row("a tag of 136 bits", InvalidAlgorithmParameterException.class,
                () -> cipher(MGM).init(Cipher.ENCRYPT_MODE, key(32), new GCMParameterSpec(136, new byte[16])));
        row("a tag of 33 bits", InvalidAlgorithmParameterException.class,
                () -> cipher(MGM).init(Cipher.ENCRYPT_MODE, key(32), new GCMParameterSpec(33, new byte[16])));
        row("decryption without an IV", InvalidKeyException.class, () -> cipher(MGM).init(Cipher.DECRYPT_MODE, key(32)));
        row("CTR without an IV", InvalidKeyException.class,
                () -> cipher("GOST3412-2015/CTR/NoPadding").init(Cipher.ENCRYPT_MODE, key(32)));
        row("an IV for ECB", InvalidAlgorithmParameterException.class, () -> with("GOST3412-2015", Cipher.ENCRYPT_MODE, 16));
        row("S-boxes for Kuznyechik", InvalidAlgorithmParameterException.class, () -> cipher("GOST3412-2015/CTR/NoPadding")
                .init(Cipher.ENCRYPT_MODE, key(32), GostParameterSpec.of(new byte[8]).sboxes("a")));
        row("S-boxes that are no permutation", InvalidAlgorithmParameterException.class, () -> cipher("GOST28147/CNT/NoPadding")
                .init(Cipher.ENCRYPT_MODE, key(32), GostParameterSpec.of(new byte[8]).sboxes(new byte[128])));
        row("S-boxes of no name", IllegalArgumentException.class, () -> GostParameterSpec.of(null).sboxes("e"));
        row("a second encryption under one nonce", InvalidAlgorithmParameterException.class, () -> {
            Cipher cipher = sealing();
            cipher.doFinal(new byte[5]);
            cipher.init(Cipher.ENCRYPT_MODE, key(32), new IvParameterSpec(new byte[16]));
        });
        row("that with another length of tag", InvalidAlgorithmParameterException.class, () -> {
            Cipher cipher = sealing();
            cipher.init(Cipher.ENCRYPT_MODE, key(32), new GCMParameterSpec(64, new byte[16]));
        });
        row("that after a refused key", InvalidAlgorithmParameterException.class, () -> {
            Cipher cipher = sealing();
            assertThrows(InvalidKeyException.class,
                    () -> cipher.init(Cipher.ENCRYPT_MODE, key(31), new IvParameterSpec(new byte[16])));
            assertThrows(IllegalStateException.class, () -> cipher.doFinal(new byte[1]));
            cipher.init(Cipher.ENCRYPT_MODE, key(32), new IvParameterSpec(new byte[16]));
        });
        row("that after a refused length of tag", InvalidAlgorithmParameterException.class, () -> {
            Cipher cipher = sealing();
            assertThrows(InvalidAlgorithmParameterException.class,
                    () -> cipher.init(Cipher.ENCRYPT_MODE, key(32), new GCMParameterSpec(136, new byte[16])));
            cipher.init(Cipher.ENCRYPT_MODE, key(32), new IvParameterSpec(new byte[16]));
        });
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
        row("associated data of CTR", UnsupportedOperationException.class,
                () -> with("GOST3412-2015/CTR/NoPadding", Cipher.ENCRYPT_MODE, 8).updateAAD(new byte[1]));
        row("sealing nothing", IllegalBlockSizeException.class, () -> sealing().doFinal());
        row("opening less than a tag", AEADBadTagException.class, () -> opening().doFinal(new byte[15]));
        row("opening only a tag", AEADBadTagException.class, () -> opening().doFinal(new byte[16]));
        row("a wrong tag", AEADBadTagException.class, () -> opening().doFinal(new byte[40]));
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
                () -> with(CBC, Cipher.ENCRYPT_MODE, 16).doFinal(new byte[17]));
        row("decrypting part of a block", IllegalBlockSizeException.class,
                () -> with(CBC_PADDED, Cipher.DECRYPT_MODE, 16).doFinal(new byte[17]));
        row("wrong padding", BadPaddingException.class,
                () -> with(CBC_PADDED, Cipher.DECRYPT_MODE, 16).doFinal(new byte[16]));
        row("less than a block of XTS", IllegalBlockSizeException.class, () -> {
            byte[] both = new byte[64];
            both[0] = 1;
            Cipher cipher = cipher("GOST3412-2015/XTS/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, new GostKey("RAW", both), new IvParameterSpec(new byte[16]));
            cipher.doFinal(new byte[15]);
        });
        row("encryption by a key wrap", InvalidAlgorithmParameterException.class,
                () -> cipher("GOST3412-2015/KEXP15/NoPadding").init(Cipher.ENCRYPT_MODE, key(64), new IvParameterSpec(new byte[8])));
        row("a key wrap's key of 32 bytes", InvalidKeyException.class,
                () -> cipher("GOST3412-2015/KEXP15/NoPadding").init(Cipher.WRAP_MODE, key(32), new IvParameterSpec(new byte[8])));
        row("a wrong wrapped key", InvalidKeyException.class, () -> {
            byte[] both = new byte[64];
            both[0] = 1;
            unwrap("GOST3412-2015/KEXP15/NoPadding", both, GostParameterSpec.of(new byte[8]), new byte[48]);
        });
        row("a short wrapped key", InvalidKeyException.class, () -> unwrap("1.2.643.2.2.13.1", new byte[32],
                GostParameterSpec.of(null), new byte[3]));
        row("a second wrap under one IV", InvalidAlgorithmParameterException.class, () -> {
            byte[] both = new byte[64];
            both[0] = 1;
            Cipher cipher = cipher("GOST3412-2015/KEXP15/NoPadding");
            for (int i = 0; i < 2; i++) {
                cipher.init(Cipher.WRAP_MODE, new GostKey("RAW", both.clone()), new IvParameterSpec(new byte[8]));
                cipher.wrap(key(32));
            }
        });
        row("that after an unwrap", InvalidAlgorithmParameterException.class, () -> {
            byte[] both = new byte[64];
            both[0] = 1;
            Cipher cipher = cipher("GOST3412-2015/KEXP15/NoPadding");
            for (int mode : new int[] {Cipher.WRAP_MODE, Cipher.UNWRAP_MODE, Cipher.WRAP_MODE}) {
                cipher.init(mode, new GostKey("RAW", both.clone()), new IvParameterSpec(new byte[8]));
                if (mode == Cipher.WRAP_MODE) {
                    cipher.wrap(key(32));
                }
            }
        });
        row("a tag of 33 bits in parameters", InvalidParameterSpecException.class, () -> AlgorithmParameters
                .getInstance("GOST3412-2015", Bulat.provider()).init(new GCMParameterSpec(33, new byte[16])));
        row("DER of parameters without an IV", IOException.class, () -> {
            Cipher cipher = cipher("GOST28147-89/ECB/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, key(32), GostParameterSpec.of(null).sboxes("a"));
            cipher.getParameters().getEncoded();
        });
        row("keys of 128 bits", InvalidParameterException.class,
                () -> KeyGenerator.getInstance("GOST28147", Bulat.provider()).init(128));
        row("parameters of another factory", InvalidKeySpecException.class,
                () -> factory("HKDF-GOST3411-2012-256").generateSecret(new PKCS8EncodedKeySpec(new byte[3])));
        row("a password without a salt", InvalidKeySpecException.class,
                () -> factory("PBKDF2WITHHMACGOST3411-2012-512").generateSecret(new PBEKeySpec("x".toCharArray())));
        row("PBKDF2 without iterations", InvalidKeySpecException.class, () -> factory("PBKDF2WITHHMACGOST3411-2012-512")
                .generateSecret(KdfKeySpec.of(new byte[1], 32).salt(new byte[8])));
        row("a salt for KDF_TREE", InvalidKeySpecException.class,
                () -> factory("kdf-tree").generateSecret(KdfKeySpec.of(new byte[32], 32).salt(new byte[8])));
        row("KDF of 33 bytes", InvalidKeySpecException.class,
                () -> factory("kdf-gostr3411-2012-256").generateSecret(KdfKeySpec.of(new byte[32], 33)));
        row("TLSTREE without a suite", InvalidKeySpecException.class,
                () -> factory("TLSTREE").generateSecret(KdfKeySpec.of(new byte[32], 32)));
        row("a derived key of 0 bytes", IllegalArgumentException.class, () -> KdfKeySpec.of(new byte[32], 0));
        row("a batch with two equal nonces", InvalidAlgorithmParameterException.class, () -> Bulat.sealAll(MGM, key(32),
                new byte[][] {new byte[16], new byte[16]}, null, new byte[][] {{1}, {2}}));
        row("a batch with a null", NullPointerException.class,
                () -> Bulat.hashAll("GOST3411-2012-256", new byte[][] {{1}, null}));
        row("a batch with fewer nonces", IllegalArgumentException.class,
                () -> Bulat.sealAll(MGM, key(32), new byte[0][], null, new byte[][] {{1}}));
        row("a batch with a wrong tag", AEADBadTagException.class,
                () -> Bulat.openAll(MGM, key(32), new byte[][] {new byte[16]}, null, new byte[][] {new byte[20]}));
        row("a batch of an unknown hash", NoSuchAlgorithmException.class, () -> Bulat.hashAll("MD5", new byte[0][]));

        StringBuilder wrong = new StringBuilder();
        for (var row : rows.entrySet()) {
            Class<?> wanted = (Class<?>) row.getValue()[0];
            try {
                ((Call) row.getValue()[1]).call();
                wrong.append(row.getKey()).append(": accepted\n");
            } catch (Exception e) {
                if (e.getClass() != wanted) {
                    wrong.append(row.getKey()).append(": ").append(e).append(", not ").append(wanted.getSimpleName()).append('\n');
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
                    () -> Context.digest(line, three, range[0], range[1], new byte[32], 0, 32), Arrays.toString(range));
            assertThrows(IndexOutOfBoundsException.class,
                    () -> Context.digest(line, three, 0, 3, three, range[0], range[1]), Arrays.toString(range));
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
