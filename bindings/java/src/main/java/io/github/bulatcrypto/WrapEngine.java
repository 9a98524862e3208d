package io.github.bulatcrypto;

import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.NoSuchAlgorithmException;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.CipherSpi;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.NoSuchPaddingException;

/** A key wrap: only {@code wrap} and {@code unwrap}. The IV of the parameters is the UKM or the seed. */
final class WrapEngine extends CipherSpi {
    private final Line line;
    private final GostParameterSpec usual;
    private GostParameterSpec spec;
    private GostKey key;
    /** The IV of the last wrap under the key. */
    private byte[] lastIv;

    WrapEngine(Line line, GostParameterSpec usual) {
        this.line = line;
        this.usual = usual;
    }

    @Override
    protected void engineSetMode(String mode) throws NoSuchAlgorithmException {
        throw new NoSuchAlgorithmException("a key wrap has no mode " + mode);
    }

    @Override
    protected void engineSetPadding(String padding) throws NoSuchPaddingException {
        if (!padding.equalsIgnoreCase("NoPadding")) {
            throw new NoSuchPaddingException(padding + " (" + line.name() + ")");
        }
    }

    @Override
    protected int engineGetBlockSize() {
        return 0;
    }

    @Override
    protected int engineGetOutputSize(int length) {
        int iv = spec == null || spec.iv == null ? line.leastIv() : spec.iv.length;
        return Math.max(Native.wrappedLength(line.index(), iv, length), 0);
    }

    @Override
    protected byte[] engineGetIV() {
        return spec == null ? null : spec.getIV();
    }

    @Override
    protected AlgorithmParameters engineGetParameters() {
        return null;
    }

    @Override
    protected void engineInit(int mode, Key key, SecureRandom random) throws InvalidKeyException {
        try {
            engineInit(mode, key, (AlgorithmParameterSpec) null, random);
        } catch (InvalidAlgorithmParameterException e) {
            throw new InvalidKeyException(e.getMessage(), e);
        }
    }

    @Override
    protected void engineInit(int mode, Key key, AlgorithmParameters params, SecureRandom random)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        engineInit(mode, key, ParametersEngine.spec(params), random);
    }

    @Override
    protected void engineInit(int mode, Key key, AlgorithmParameterSpec params, SecureRandom random)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        if (mode != Cipher.WRAP_MODE && mode != Cipher.UNWRAP_MODE) {
            throw new InvalidAlgorithmParameterException(line.name() + ": only WRAP_MODE and UNWRAP_MODE");
        }
        GostParameterSpec spec = usual.with(params, line.name());
        if (spec.iv == null && (mode == Cipher.WRAP_MODE || line.scheme().equals("Kexp15"))) {
            throw new InvalidAlgorithmParameterException(line.name() + " needs an IV (a UKM)");
        }
        if (spec.iv != null && !line.allowsIv(spec.iv.length)) {
            throw new InvalidAlgorithmParameterException(Fault.iv(line, spec.iv.length));
        }
        byte[] bytes = GostKey.bytes(key);
        if (bytes.length != line.key()) {
            Arrays.fill(bytes, (byte) 0);
            throw new InvalidKeyException("key: " + bytes.length + " bytes, not " + line.key() + " (" + line.name() + ")");
        }
        GostKey given = new GostKey(line.name(), bytes);
        if (this.key != null) {
            lastIv = this.key.equals(given) ? lastIv : null;
            this.key.destroy();
        }
        this.key = given;
        this.spec = spec;
        if (mode == Cipher.WRAP_MODE && again()) {
            throw new InvalidAlgorithmParameterException("a second wrap under one key and IV (" + line.name() + ")");
        }
    }

    private boolean again() {
        return lastIv != null && Arrays.equals(lastIv, spec.iv);
    }

    @Override
    protected byte[] engineUpdate(byte[] input, int offset, int length) {
        throw new IllegalStateException("a key wrap has no update");
    }

    @Override
    protected int engineUpdate(byte[] input, int offset, int length, byte[] output, int outputOffset) {
        throw new IllegalStateException("a key wrap has no update");
    }

    @Override
    protected byte[] engineDoFinal(byte[] input, int offset, int length) {
        throw new IllegalStateException("a key wrap has no doFinal");
    }

    @Override
    protected int engineDoFinal(byte[] input, int offset, int length, byte[] output, int outputOffset) {
        throw new IllegalStateException("a key wrap has no doFinal");
    }

    @Override
    protected byte[] engineWrap(Key secret) throws IllegalBlockSizeException, InvalidKeyException {
        if (again()) {
            throw new IllegalStateException("initialise the wrap with a new IV (" + line.name() + ")");
        }
        byte[] bytes = GostKey.bytes(secret);
        try {
            int length = Native.wrappedLength(line.index(), spec.iv.length, bytes.length);
            byte[] wrapped = new byte[Math.max(length, 0)];
            int result = call(true, spec.iv, bytes, wrapped);
            lastIv = spec.iv;
            if (result < 0) {
                if (Fault.name(result).equals("DataLength")) {
                    throw new IllegalBlockSizeException("key to wrap: " + bytes.length + " bytes (" + line.name() + ")");
                }
                throw new InvalidKeyException(Fault.words(result) + " (" + line.name() + ")");
            }
            return wrapped;
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    private int call(boolean wrap, byte[] iv, byte[] input, byte[] output) {
        byte[] bytes = key.getEncoded();
        try {
            int result = Native.wrap(line.index(), wrap, bytes, iv, spec.numbers[5], spec.rows, input, output);
            if (result < 0 && Fault.name(result).equals("Internal")) {
                throw new ProviderException(Fault.words(result));
            }
            return result;
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    @Override
    protected Key engineUnwrap(byte[] wrapped, String algorithm, int type)
            throws InvalidKeyException, NoSuchAlgorithmException {
        if (type != Cipher.SECRET_KEY) {
            throw new NoSuchAlgorithmException("only secret keys are unwrapped");
        }
        boolean external = line.scheme().equals("Kexp15");
        int more = Native.wrappedLength(line.index(), line.leastIv(), 0);
        // RFC 7836 wraps 32 or 64 bytes after a seed of 8 to 16.
        int length = line.leastIv() == line.mostIv() ? wrapped.length - more : wrapped.length >= 8 + 64 ? 64 : 32;
        if (length < 0 || length > wrapped.length) {
            throw new InvalidKeyException("wrapped key: " + wrapped.length + " bytes (" + line.name() + ")");
        }
        byte[] secret = new byte[length];
        int result = call(false, external ? spec.iv : null, wrapped, secret);
        if (result < 0) {
            throw new InvalidKeyException(Fault.words(result) + " (" + line.name() + ")");
        }
        return new GostKey(algorithm, secret);
    }
}
