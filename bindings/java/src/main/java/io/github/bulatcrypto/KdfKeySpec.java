package io.github.bulatcrypto;

import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.KeySpec;
import java.util.Arrays;
import java.util.List;

/**
 * The parameters of a key derivation, for a {@code SecretKeyFactory} or, from Java 25 on, a {@code javax.crypto.KDF}. Start
 * from {@link #of}; each call returns this object. A parameter that a function does not have is refused.
 */
public final class KdfKeySpec implements KeySpec, AlgorithmParameterSpec {
    /** The cipher suites of TLSTREE, in the order of the native library. */
    static final List<String> SUITES = List.of("kuznyechik-ctr-omac", "magma-ctr-omac", "kuznyechik-mgm-l",
            "magma-mgm-l", "kuznyechik-mgm-s", "magma-mgm-s");

    final byte[] key;
    final int length;
    byte[] salt;
    byte[] label;
    byte[] seed;
    int iterations = -1;
    int counter = -1;
    int suite = -1;
    long record;
    String algorithm = "RAW";

    private KdfKeySpec(byte[] key, int length) {
        this.key = key.clone();
        this.length = length;
    }

    /** Starts from the key, the secret or the password, and the length of the result in bytes, 1 to 2^24. */
    public static KdfKeySpec of(byte[] key, int length) {
        if (length < 1 || length > 1 << 24) {
            throw new IllegalArgumentException("length: " + length + ", not 1 to " + (1 << 24));
        }
        return new KdfKeySpec(key, length);
    }

    /** Sets the salt of PBKDF2 and HKDF. */
    public KdfKeySpec salt(byte[] salt) {
        this.salt = salt.clone();
        return this;
    }

    /** Sets the label of KDF, KDF_TREE and the PRF of TLS. */
    public KdfKeySpec label(byte[] label) {
        this.label = label.clone();
        return this;
    }

    /** Sets the seed of KDF, KDF_TREE, the PRFs, or the info of HKDF. */
    public KdfKeySpec seed(byte[] seed) {
        this.seed = seed.clone();
        return this;
    }

    /** Sets the iterations of PBKDF2, at least 1. */
    public KdfKeySpec iterations(int iterations) {
        this.iterations = positive(iterations, "iterations");
        return this;
    }

    /** Sets R of KDF_TREE, the length of its counter: 1 to 4 bytes. */
    public KdfKeySpec counter(int bytes) {
        this.counter = positive(bytes, "counter");
        return this;
    }

    /** Sets the masks of TLSTREE by a suite (kuznyechik- or magma-, then ctr-omac, mgm-l or mgm-s), and the number of the record. */
    public KdfKeySpec record(String suite, long record) {
        this.suite = SUITES.indexOf(suite);
        if (this.suite < 0) {
            throw new IllegalArgumentException("suite " + suite + ": " + String.join(", ", SUITES));
        }
        this.record = record;
        return this;
    }

    /** Sets the algorithm of the key that a {@code SecretKeyFactory} makes, by default RAW. */
    public KdfKeySpec algorithm(String name) {
        this.algorithm = name;
        return this;
    }

    /** Wipes the key of these parameters. */
    public void clear() {
        Arrays.fill(key, (byte) 0);
    }

    private static int positive(int value, String name) {
        if (value < 1) {
            throw new IllegalArgumentException(name + ": " + value + ", at least 1");
        }
        return value;
    }
}
