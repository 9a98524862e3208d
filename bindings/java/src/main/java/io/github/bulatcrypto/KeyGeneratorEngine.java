package io.github.bulatcrypto;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidParameterException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import javax.crypto.KeyGeneratorSpi;
import javax.crypto.SecretKey;

/** Random keys. */
final class KeyGeneratorEngine extends KeyGeneratorSpi {
    private final String algorithm;
    private final int[] sizes;
    private int size;
    private SecureRandom random;

    /** The sizes in bits, the usual one first. */
    KeyGeneratorEngine(String algorithm, int... sizes) {
        this.algorithm = algorithm;
        this.sizes = sizes;
        this.size = sizes[0];
    }

    @Override
    protected void engineInit(SecureRandom random) {
        this.random = random;
    }

    @Override
    protected void engineInit(AlgorithmParameterSpec params, SecureRandom random)
            throws InvalidAlgorithmParameterException {
        throw new InvalidAlgorithmParameterException("keys of " + algorithm + " have no parameters");
    }

    @Override
    protected void engineInit(int keysize, SecureRandom random) {
        if (Arrays.stream(sizes).noneMatch(s -> s == keysize)) {
            throw new InvalidParameterException("key: " + keysize + " bits, not "
                    + String.join(" or ", Arrays.stream(sizes).mapToObj(Integer::toString).toList()));
        }
        this.size = keysize;
        this.random = random;
    }

    @Override
    protected SecretKey engineGenerateKey() {
        byte[] bytes = new byte[size / 8];
        if (random == null) {
            random = new SecureRandom();
        }
        random.nextBytes(bytes);
        return new GostKey(algorithm, bytes);
    }
}
