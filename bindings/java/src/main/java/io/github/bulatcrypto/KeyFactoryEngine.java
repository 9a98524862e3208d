package io.github.bulatcrypto;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.ProviderException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import java.util.Arrays;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactorySpi;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/** Keys from derivations, from passwords, and from their bytes. */
final class KeyFactoryEngine extends SecretKeyFactorySpi {
    /** Null for keys from their bytes. */
    private final Line line;
    private final String algorithm;

    KeyFactoryEngine(Line line, String algorithm) {
        this.line = line;
        this.algorithm = algorithm;
    }

    @Override
    protected SecretKey engineGenerateSecret(KeySpec spec) throws InvalidKeySpecException {
        if (line == null && spec instanceof SecretKeySpec key) {
            return new GostKey(algorithm, key.getEncoded());
        }
        if (line != null && spec instanceof KdfKeySpec given) {
            return new GostKey(given.algorithm, derive(line, algorithm, given));
        }
        if (line != null && line.scheme().equals("Pbkdf2") && spec instanceof PBEKeySpec given) {
            return password(given);
        }
        String wanted = line == null ? "SecretKeySpec"
                : line.scheme().equals("Pbkdf2") ? "PBEKeySpec or KdfKeySpec" : "KdfKeySpec";
        throw new InvalidKeySpecException(algorithm + ": " + (spec == null ? "null" : spec.getClass().getName())
                + ", not " + wanted);
    }

    private SecretKey password(PBEKeySpec given) throws InvalidKeySpecException {
        if (given.getSalt() == null) {
            throw new InvalidKeySpecException(algorithm + " needs a salt and iterations");
        }
        if (given.getKeyLength() % 8 != 0) {
            throw new InvalidKeySpecException("key: " + given.getKeyLength() + " bits, not whole bytes");
        }
        int length = given.getKeyLength() == 0 ? line.digest() : given.getKeyLength() / 8;
        char[] password = given.getPassword();
        ByteBuffer text = StandardCharsets.UTF_8.encode(CharBuffer.wrap(password));
        Arrays.fill(password, '\0');
        byte[] bytes = new byte[text.remaining()];
        text.get(bytes);
        Arrays.fill(text.array(), (byte) 0);
        KdfKeySpec spec = KdfKeySpec.of(bytes, length).salt(given.getSalt()).iterations(given.getIterationCount());
        Arrays.fill(bytes, (byte) 0);
        try {
            return new GostKey(algorithm, derive(line, algorithm, spec));
        } finally {
            spec.clear();
        }
    }

    /** Derives bytes by the function of a line, named in messages as the user named it. */
    static byte[] derive(Line line, String algorithm, KdfKeySpec s) throws InvalidKeySpecException {
        byte[] out = new byte[s.length];
        if (line.scheme().equals("Pbkdf2") && s.salt == null) {
            // Without a salt one table breaks all passwords; an empty salt is accepted where it is given.
            throw new InvalidKeySpecException(algorithm + " needs a salt");
        }
        int result = Native.derive(line.index(), s.key, s.salt, s.label, s.seed, s.iterations, s.counter, s.suite,
                s.record, out);
        if (result < 0) {
            String words = switch (Fault.name(result)) {
                case "Internal" -> throw new ProviderException(Fault.words(result));
                case "KeyLength" -> "key: " + s.key.length + " bytes, not " + line.key();
                case "BufferLength" -> "length: " + s.length
                        + (line.output() > 0 ? ", not " + line.output() : " is too long");
                default -> Fault.words(result) + ", missing, or not one of this function's";
            };
            throw new InvalidKeySpecException(words + " (" + line.name() + ")");
        }
        return out;
    }

    @Override
    protected KeySpec engineGetKeySpec(SecretKey key, Class<?> type) throws InvalidKeySpecException {
        if (!type.isAssignableFrom(SecretKeySpec.class)) {
            throw new InvalidKeySpecException("only SecretKeySpec");
        }
        try {
            byte[] bytes = GostKey.bytes(key);
            SecretKeySpec spec = new SecretKeySpec(bytes, key.getAlgorithm());
            Arrays.fill(bytes, (byte) 0);
            return spec;
        } catch (InvalidKeyException e) {
            throw new InvalidKeySpecException(e.getMessage(), e);
        }
    }

    @Override
    protected SecretKey engineTranslateKey(SecretKey key) throws InvalidKeyException {
        return new GostKey(key.getAlgorithm(), GostKey.bytes(key));
    }
}
