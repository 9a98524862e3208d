package io.github.bulatcrypto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.InvalidAlgorithmParameterException;
import java.security.NoSuchAlgorithmException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import javax.crypto.KDF;
import javax.crypto.KDFParameters;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import org.junit.jupiter.api.function.Executable;

/** The calls of {@code javax.crypto.KDF}. */
final class JdkKdf25 implements JdkKdf {
    private static KDF kdf(String name) throws NoSuchAlgorithmException {
        return KDF.getInstance(name, Bulat.provider());
    }

    private static SecretKey key(byte[] bytes) {
        return new GostKey("Generic", bytes.clone());
    }

    @Override
    public byte[] derive(String name, KdfKeySpec spec) throws Exception {
        return kdf(name).deriveData(spec);
    }

    /** In two parts, which the class joins. */
    private static HKDFParameterSpec.Builder builder(byte[] salt, byte[] input) {
        int half = input.length / 2;
        return HKDFParameterSpec.ofExtract().addSalt(salt).addIKM(Arrays.copyOf(input, half))
                .addIKM(key(Arrays.copyOfRange(input, half, input.length)));
    }

    @Override
    public byte[] extract(String name, byte[] salt, byte[] input) throws Exception {
        return kdf(name).deriveData(builder(salt, input).extractOnly());
    }

    @Override
    public byte[] expand(String name, byte[] key, byte[] info, int length) throws Exception {
        return kdf(name).deriveData(HKDFParameterSpec.expandOnly(key(key), info, length));
    }

    @Override
    public byte[] both(String name, byte[] salt, byte[] input, byte[] info, int length) throws Exception {
        return kdf(name).deriveData(builder(salt, input).thenExpand(info, length));
    }

    /** Both the JDK's HKDF and this HKDF refuse, with one class of exception. */
    private static void refused(AlgorithmParameterSpec spec) throws Exception {
        for (KDF each : new KDF[] {KDF.getInstance("HKDF-SHA256"), kdf("HKDF-GOST3411-2012-256")}) {
            assertThrows(InvalidAlgorithmParameterException.class, () -> each.deriveKey("AES", spec),
                    each.getProviderName());
        }
    }

    @Override
    public void manners() throws Exception {
        byte[] secret = new byte[32];
        HKDFParameterSpec spec = builder(new byte[3], secret).thenExpand(null, 32);
        KDF hkdf = kdf("HKDF-Streebog256");
        assertNull(hkdf.getParameters());
        SecretKey derived = hkdf.deriveKey("GOST3412-2015", spec);
        assertEquals("GOST3412-2015", derived.getAlgorithm());
        assertArrayEquals(hkdf.deriveData(spec), derived.getEncoded());
        derived.destroy();
        assertTrue(derived.isDestroyed());
        // An absent info, or salt, is an empty value; extraction and expansion are the whole.
        assertArrayEquals(both("HKDF-Streebog256", new byte[3], secret, new byte[0], 32), hkdf.deriveData(spec));
        SecretKey extracted = hkdf.deriveKey("Generic", HKDFParameterSpec.ofExtract().addIKM(secret).extractOnly());
        assertArrayEquals(both("HKDF-Streebog256", new byte[0], secret, new byte[] {1}, 99),
                hkdf.deriveData(HKDFParameterSpec.expandOnly(extracted, new byte[] {1}, 99)));

        refused(HKDFParameterSpec.expandOnly(key(new byte[31]), null, 32));
        refused(HKDFParameterSpec.expandOnly(key(new byte[32]), null, 255 * 32 + 1));
        refused(builder(new byte[0], secret).thenExpand(null, 255 * 32 + 1));
        refused(new IvParameterSpec(new byte[16]));
        assertEquals(255 * 32, expand("HKDF-Streebog256", secret, null, 255 * 32).length);
        Executable foreign = () -> kdf("KDF-TREE-GOSTR3411-2012-256").deriveData(spec);
        assertThrows(InvalidAlgorithmParameterException.class, foreign);
        assertThrows(InvalidAlgorithmParameterException.class,
                () -> kdf("TLSTREE").deriveData(KdfKeySpec.of(secret, 32)), "without a suite");
        assertThrows(InvalidAlgorithmParameterException.class,
                () -> KDF.getInstance("HKDF-Streebog256", new KDFParameters() {}, Bulat.provider()));
        assertThrows(NoSuchAlgorithmException.class, () -> kdf("HKDF-SHA256"));
        SecretKey destroyed = key(secret);
        destroyed.destroy();
        assertThrows(IllegalStateException.class,
                () -> hkdf.deriveData(HKDFParameterSpec.expandOnly(destroyed, null, 32)));
    }
}
