package io.github.bulatcrypto;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidParameterException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.util.List;
import javax.crypto.KeyGeneratorSpi;
import javax.crypto.SecretKey;

/** Random keys. */
final class KeyGeneratorEngine extends KeyGeneratorSpi {
    private final String algorithm;
    private final List<Integer> sizes;
    private int size;
    private SecureRandom random;

    /** The sizes in bits, the usual one first. */
    KeyGeneratorEngine(String algorithm, List<Integer> sizes) {
        this.algorithm = algorithm;
        this.sizes = sizes;
        this.size = sizes.get(0);
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
        if (!sizes.contains(keysize)) {
            throw new InvalidParameterException("key: " + keysize + " bits, not "
                    + String.join(" or ", sizes.stream().map(String::valueOf).toList()));
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
