package io.github.bulatcrypto;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidKeySpecException;
import java.util.Arrays;
import java.util.List;
import javax.crypto.KDFParameters;
import javax.crypto.KDFSpi;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;

/**
 * Key derivations behind {@code javax.crypto.KDF}: HKDF by {@link HKDFParameterSpec}, and all by {@link KdfKeySpec}.
 * JDK 25 compiles this class for Java 17, which never loads it: so it needs no place of its own in a jar.
 */
final class KdfEngine extends KDFSpi {
    private final Line line;
    private final String algorithm;

    KdfEngine(Line line, String algorithm) throws InvalidAlgorithmParameterException {
        super(null);
        this.line = line;
        this.algorithm = algorithm;
    }

    @Override
    protected KDFParameters engineGetParameters() {
        return null;
    }

    @Override
    protected SecretKey engineDeriveKey(String alg, AlgorithmParameterSpec spec) throws InvalidAlgorithmParameterException {
        return new GostKey(alg, engineDeriveData(spec));
    }

    @Override
    protected byte[] engineDeriveData(AlgorithmParameterSpec spec) throws InvalidAlgorithmParameterException {
        if (spec instanceof KdfKeySpec given) {
            return derive(line, given);
        }
        boolean hkdf = line.scheme().equals("Hkdf");
        if (hkdf && spec instanceof HKDFParameterSpec.Extract given) {
            return extract(given);
        }
        if (hkdf && spec instanceof HKDFParameterSpec.Expand given) {
            return expand(given);
        }
        if (hkdf && spec instanceof HKDFParameterSpec.ExtractThenExpand given) {
            return both(given);
        }
        throw new InvalidAlgorithmParameterException(algorithm + ": " + spec.getClass().getName() + ", not "
                + (hkdf ? "HKDFParameterSpec or KdfKeySpec" : "KdfKeySpec"));
    }

    private byte[] derive(Line function, KdfKeySpec spec) throws InvalidAlgorithmParameterException {
        try {
            return KeyFactoryEngine.derive(function, algorithm, spec);
        } catch (InvalidKeySpecException e) {
            throw new InvalidAlgorithmParameterException(e.getMessage(), e);
        }
    }

    /** Derives, and wipes the key. */
    private byte[] derive(Line function, byte[] key, byte[] salt, byte[] info, int length)
            throws InvalidAlgorithmParameterException {
        KdfKeySpec spec = null;
        try {
            if (length > 255 * line.digest()) {
                throw new InvalidAlgorithmParameterException("length: " + length + ", not 1 to " + 255 * line.digest()
                        + " (" + line.name() + ")");
            }
            spec = KdfKeySpec.of(key, length);
            if (salt != null) {
                spec.salt(salt);
            }
            if (info != null) {
                spec.seed(info);
            }
            return derive(function, spec);
        } finally {
            Arrays.fill(key, (byte) 0);
            if (spec != null) {
                spec.clear();
            }
        }
    }

    private byte[] both(HKDFParameterSpec.ExtractThenExpand spec) throws InvalidAlgorithmParameterException {
        byte[] salt = joined(spec.salts());
        try {
            return derive(line, joined(spec.ikms()), salt, spec.info(), spec.length());
        } finally {
            Arrays.fill(salt, (byte) 0);
        }
    }

    /** HKDF-Expand is prf+ of IKEv2 under the extracted key. */
    private byte[] expand(HKDFParameterSpec.Expand spec) throws InvalidAlgorithmParameterException {
        byte[] key = joined(List.of(spec.prk()));
        if (key.length < line.digest()) {
            Arrays.fill(key, (byte) 0);
            throw new InvalidAlgorithmParameterException("the pseudorandom key: " + key.length + " bytes, at least "
                    + line.digest() + " (" + line.name() + ")");
        }
        return derive(other("prf-plus-"), key, null, spec.info(), spec.length());
    }

    /** HKDF-Extract is HMAC of the input under the salt. */
    private byte[] extract(HKDFParameterSpec.Extract spec) throws InvalidAlgorithmParameterException {
        byte[] salt = joined(spec.salts());
        byte[] input = joined(spec.ikms());
        // HMAC fills a key with zeros; Java has no key of no bytes.
        GostKey key = new GostKey("HMAC", salt.length == 0 ? new byte[line.digest()] : salt);
        try {
            MacEngine mac = new MacEngine(other("hmac-"), GostParameterSpec.NONE);
            mac.engineInit(key, null);
            mac.engineUpdate(input, 0, input.length);
            return mac.engineDoFinal();
        } catch (InvalidKeyException e) {
            throw new InvalidAlgorithmParameterException(e.getMessage(), e);
        } finally {
            key.destroy();
            Arrays.fill(input, (byte) 0);
        }
    }

    /** Returns the line of a different function of this HKDF's hash. */
    private Line other(String start) {
        return Line.TABLE.get(line.name().replace("hkdf-", start));
    }

    private static byte[] joined(List<SecretKey> keys) throws InvalidAlgorithmParameterException {
        byte[][] parts = new byte[keys.size()][];
        try {
            int length = 0;
            for (int i = 0; i < parts.length; i++) {
                parts[i] = GostKey.bytes(keys.get(i));
                length = Math.addExact(length, parts[i].length);
            }
            byte[] all = new byte[length];
            int at = 0;
            for (byte[] part : parts) {
                System.arraycopy(part, 0, all, at, part.length);
                at += part.length;
            }
            return all;
        } catch (InvalidKeyException e) {
            throw new InvalidAlgorithmParameterException(e.getMessage(), e);
        } finally {
            for (byte[] part : parts) {
                if (part != null) {
                    Arrays.fill(part, (byte) 0);
                }
            }
        }
    }
}
