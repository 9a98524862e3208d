package io.github.bulatcrypto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.Key;
import java.security.KeyStore;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.SealedObject;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.Test;

/** Forms of ciphers and keys that others read: parameters in DER, sealed objects, key stores. */
class ParametersTest {
    private static final char[] PASSWORD = "password".toCharArray();

    private static SecretKey key(int length) {
        byte[] key = new byte[length];
        for (int i = 0; i < length; i++) {
            key[i] = (byte) (7 * i + 1);
        }
        return new SecretKeySpec(key, "GOST");
    }

    private static AlgorithmParameterSpec iv(Line line) {
        return line.needsIv() ? new IvParameterSpec(new byte[line.leastIv()]) : null;
    }

    /** Returns the rows of ciphers for texts. */
    private static List<Names.Row> ciphers() {
        return Names.rows().stream().filter(row -> row.type().equals("Cipher") && !row.line().kind().equals("Wrap")).toList();
    }

    /** Returns the transformation of a row; null if it needs padding and has no padding. */
    private static String transformation(Names.Row row, boolean padding) {
        boolean blocks = row.line().scheme().equals("Ecb") || row.line().scheme().equals("Cbc");
        if (row.name().contains("/")) {
            return row.name() + (blocks && padding ? "/PKCS5Padding" : "/NoPadding");
        }
        return blocks && padding && !row.usual().padded() ? null : row.name();
    }

    private static AlgorithmParameters parameters(String name) throws Exception {
        return AlgorithmParameters.getInstance(name, Bulat.provider());
    }

    /** Whatever DER a cipher writes, who reads it has the text; what it does not hold is refused. */
    @Test
    void derOfEveryCipher() throws Exception {
        Map<String, GostParameterSpec> more = new LinkedHashMap<>();
        more.put("usual", GostParameterSpec.NONE);
        for (String set : GostParameterSpec.SBOXES) {
            more.put("S-boxes " + set, GostParameterSpec.NONE.sboxes(set));
        }
        more.put("meshing", GostParameterSpec.NONE.meshing(true));
        more.put("no meshing", GostParameterSpec.NONE.meshing(false));
        more.put("section", GostParameterSpec.NONE.section(64));
        more.put("s", GostParameterSpec.NONE.s(4));
        more.put("tag", GostParameterSpec.NONE.tagSize(6));
        byte[] text = new byte[4096];
        int written = 0;
        List<String> refused = new ArrayList<>();
        for (Names.Row row : ciphers()) {
            String name = transformation(row, false);
            for (var entry : more.entrySet()) {
                String words = row.name() + ", " + entry.getKey();
                SecretKey key = key(row.line().key());
                Cipher cipher = Cipher.getInstance(name, Bulat.provider());
                try {
                    cipher.init(Cipher.ENCRYPT_MODE, key, entry.getValue().with(iv(row.line()), ""));
                } catch (InvalidAlgorithmParameterException e) {
                    // Not a parameter of this cipher.
                    continue;
                }
                byte[] sealed = cipher.doFinal(text);
                AlgorithmParameters params = cipher.getParameters();
                byte[] der;
                try {
                    der = params == null ? null : params.getEncoded();
                } catch (IOException e) {
                    refused.add(entry.getKey());
                    continue;
                }
                Cipher open = Cipher.getInstance(name, Bulat.provider());
                if (der == null) {
                    open.init(Cipher.DECRYPT_MODE, key);
                } else {
                    AlgorithmParameters read = parameters(params.getAlgorithm());
                    read.init(der);
                    open.init(Cipher.DECRYPT_MODE, key, read);
                }
                assertArrayEquals(text, open.doFinal(sealed), words);
                written++;
            }
        }
        assertTrue(written > 70, written + " written");
        assertFalse(refused.contains("usual"), refused::toString);
        for (String name : List.of("meshing", "no meshing", "section", "s", "tag")) {
            assertTrue(refused.contains(name), name + ": " + refused);
        }
    }

    @Test
    void sealedObjectsOfEveryCipher() throws Exception {
        Security.addProvider(Bulat.provider());
        try {
            for (Names.Row row : ciphers()) {
                String name = transformation(row, true);
                if (name == null) {
                    continue;
                }
                SecretKey key = key(row.line().key());
                Cipher cipher = Cipher.getInstance(name, Bulat.provider());
                cipher.init(Cipher.ENCRYPT_MODE, key, iv(row.line()));
                List<String> object = new ArrayList<>(List.of("a", "b".repeat(5000)));
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                new ObjectOutputStream(out).writeObject(new SealedObject((ArrayList<String>) object, cipher));
                SealedObject read = (SealedObject) new ObjectInputStream(new ByteArrayInputStream(out.toByteArray())).readObject();
                assertEquals(object, read.getObject(key), name);
                assertEquals(object, read.getObject(key, "Bulat"), name);
            }
        } finally {
            Security.removeProvider("Bulat");
        }
    }

    /** Parameters of a name have the S-boxes of the cipher of this name, before and after they were DER. */
    @Test
    void usualSboxes() throws Exception {
        for (String[] row : new String[][] {{"GOST28147", "GOST28147/GCFB/NoPadding", "1.2.643.2.2.30.0"},
            {"1.2.643.2.2.21", "1.2.643.2.2.21", "1.2.643.2.2.30.0"},
            {"GOST28147-89", "GOST28147-89/CFB/NoPadding", "1.2.643.7.1.2.5.1.1"}}) {
            AlgorithmParameters made = parameters(row[0]);
            made.init(new IvParameterSpec(new byte[8]));
            AlgorithmParameters read = parameters(row[0]);
            read.init(made.getEncoded());
            byte[] expected = null;
            for (AlgorithmParameters params : new AlgorithmParameters[] {null, made, read}) {
                Cipher cipher = Cipher.getInstance(row[1], Bulat.provider());
                if (params == null) {
                    cipher.init(Cipher.ENCRYPT_MODE, key(32), new IvParameterSpec(new byte[8]));
                } else {
                    cipher.init(Cipher.ENCRYPT_MODE, key(32), params);
                    assertEquals(row[2], params.getParameterSpec(GostParameterSpec.class).getSboxes());
                }
                assertArrayEquals(made.getEncoded(), cipher.getParameters().getEncoded(), row[0]);
                byte[] got = cipher.doFinal(new byte[3000]);
                expected = expected == null ? got : expected;
                assertArrayEquals(expected, got, row[0]);
            }
        }
    }

    @Test
    void gcmParameters() throws Exception {
        for (Object[] row : new Object[][] {{"GOST3412-2015/MGM/NoPadding", 16, 96}, {"Magma/MGM/NoPadding", 8, 40}}) {
            byte[] nonce = new byte[(int) row[1]];
            for (AlgorithmParameterSpec given : List.of(new IvParameterSpec(nonce), new GCMParameterSpec((int) row[2], nonce))) {
                Cipher cipher = Cipher.getInstance((String) row[0], Bulat.provider());
                cipher.init(Cipher.ENCRYPT_MODE, key(32), given);
                AlgorithmParameters params = cipher.getParameters();
                GCMParameterSpec spec = params.getParameterSpec(GCMParameterSpec.class);
                assertEquals(given instanceof GCMParameterSpec ? (int) row[2] : 8 * nonce.length, spec.getTLen());
                assertArrayEquals(nonce, spec.getIV());
                if (given instanceof GCMParameterSpec) {
                    assertThrows(IOException.class, params::getEncoded);
                    continue;
                }
                AlgorithmParameters read = parameters("GOST3412-2015");
                read.init(params.getEncoded());
                assertEquals(8 * nonce.length, read.getParameterSpec(GCMParameterSpec.class).getTLen());
            }
        }
    }

    @Test
    void derIsBouncyCastles() throws Exception {
        AlgorithmParameters old = parameters("GOST28147");
        old.init(GostParameterSpec.of(new byte[8]).sboxes("a"));
        byte[] der = old.getEncoded();
        assertEquals("3013040800000000000000000607" + "2a850302021f01", HexFormat.of().formatHex(der));
        AlgorithmParameters theirs = AlgorithmParameters.getInstance("GOST28147", new BouncyCastleProvider());
        theirs.init(der);
        assertArrayEquals(der, theirs.getEncoded());
        AlgorithmParameters back = parameters("GOST28147");
        back.init(der);
        assertEquals("1.2.643.2.2.31.1", back.getParameterSpec(GostParameterSpec.class).getSboxes());
        for (int i = 0; i < der.length; i++) {
            byte[] part = Arrays.copyOf(der, i);
            AlgorithmParameters fresh = parameters("GOST28147");
            assertThrows(IOException.class, () -> fresh.init(part));
            byte[] changed = der.clone();
            changed[i] ^= 0x40;
            try {
                parameters("GOST28147").init(changed);
                assertTrue(i >= 4 && i < 12, "byte " + i);
            } catch (IOException expected) {
                assertFalse(i >= 4 && i < 12, "byte " + i);
            }
        }
    }

    /** CTR-ACPKM in CMS: by its OID and the DER of a UKM, which stays as it was. */
    @Test
    void ukm() throws Exception {
        for (Object[] row : new Object[][] {{"1.2.643.7.1.1.5.2.1", 16, 1 << 18}, {"1.2.643.7.1.1.5.1.1", 12, 1 << 13}}) {
            String oid = (String) row[0];
            byte[] ukm = new byte[(int) row[1]];
            ukm[0] = 1;
            AlgorithmParameters params = parameters(oid);
            params.init(new IvParameterSpec(ukm));
            Cipher cms = Cipher.getInstance(oid, Bulat.provider());
            cms.init(Cipher.ENCRYPT_MODE, key(32), params);
            assertArrayEquals(params.getEncoded(), cms.getParameters().getEncoded());
            Cipher plain = Cipher.getInstance(oid, Bulat.provider());
            plain.init(Cipher.ENCRYPT_MODE, key(32), GostParameterSpec.of(Arrays.copyOf(ukm, ukm.length - 8)).section((int) row[2]));
            byte[] text = new byte[600_000];
            byte[] expected = plain.doFinal(text);
            assertArrayEquals(expected, cms.doFinal(text), oid);
            assertArrayEquals(expected, cms.doFinal(text), oid + ", again");
        }
    }

    /** Finds them by name, by OID, from a generator, from a factory; in the stores of the JDK, which give keys of their own class. */
    @Test
    void keyStores() throws Exception {
        Security.addProvider(Bulat.provider());
        try {
            for (String name : List.of("GOST3412-2015", "Kuznyechik", "Magma", "GOST28147", "HmacStreebog256",
                    "HMACGOST3411-2012-512", "1.2.643.7.1.1.5.1.1", "1.2.643.7.1.1.5.2.2", "1.2.643.2.2.21")) {
                SecretKey made = KeyGenerator.getInstance(name, "Bulat").generateKey();
                SecretKey same = SecretKeyFactory.getInstance(name, "Bulat").generateSecret(new SecretKeySpec(made.getEncoded(), name));
                assertEquals(made, same);
                for (String type : List.of("PKCS12", "JCEKS")) {
                    KeyStore store = KeyStore.getInstance(type);
                    store.load(null, null);
                    store.setEntry("a", new KeyStore.SecretKeyEntry(made), new KeyStore.PasswordProtection(PASSWORD));
                    ByteArrayOutputStream out = new ByteArrayOutputStream();
                    store.store(out, PASSWORD);
                    KeyStore read = KeyStore.getInstance(type);
                    read.load(new ByteArrayInputStream(out.toByteArray()), PASSWORD);
                    Key got = read.getKey("a", PASSWORD);
                    assertArrayEquals(made.getEncoded(), got.getEncoded(), type + " " + name);
                    assertEquals(made.getAlgorithm().toUpperCase(Locale.ROOT), got.getAlgorithm().toUpperCase(Locale.ROOT), type + " " + name);
                }
                made.destroy();
            }
        } finally {
            Security.removeProvider("Bulat");
        }
    }

    @Test
    void keysInStreams() throws Exception {
        GostKey key = new GostKey("Magma", key(32).getEncoded());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new ObjectOutputStream(out).writeObject(key);
        assertEquals(key, new ObjectInputStream(new ByteArrayInputStream(out.toByteArray())).readObject());
        key.destroy();
        assertThrows(NotSerializableException.class, () -> new ObjectOutputStream(new ByteArrayOutputStream()).writeObject(key));
    }
}
