package io.github.bulatcrypto;

import java.nio.ByteBuffer;
import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import java.util.Arrays;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.CipherSpi;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.ShortBufferException;

/**
 * Encryption, with or without authentication. Authenticated decryption collects the ciphertext and gives its text in
 * {@code doFinal}, after the tag was checked; authenticated encryption needs a new nonce for each message.
 */
final class CipherEngine extends CipherSpi {
    private static final byte[] NOTHING = {};

    private final Provider provider;
    private final Line line;
    private GostParameterSpec usual;

    private Context context;
    private GostParameterSpec spec;
    private byte[] iv;
    private boolean encrypt;
    private int tag;
    /** The message is begun in the context. */
    private boolean ready;
    /** A nonce was used up. */
    private boolean spent;
    private boolean textBegun;
    /** The nonce of the last authenticated encryption under the context's key. */
    private byte[] lastNonce;
    /** Bytes of the message that have no output yet: held back, or ciphertext before the check of its tag. */
    private int pending;
    /** Bytes of the message so far, modulo the block. */
    private int phase;
    private byte[] ciphertext = NOTHING;

    CipherEngine(Provider provider, Line line, GostParameterSpec usual) {
        this.provider = provider;
        this.line = line;
        this.usual = usual;
    }

    @Override
    protected void engineSetMode(String mode) throws NoSuchAlgorithmException {
        throw new NoSuchAlgorithmException("the mode " + mode + " of " + line.primitive() + " is not one of bulat");
    }

    @Override
    protected void engineSetPadding(String padding) throws NoSuchPaddingException {
        boolean pads = line.scheme().equals("Ecb") || line.scheme().equals("Cbc");
        if (padding.equalsIgnoreCase("NoPadding")) {
            usual = usual.padding(0);
        } else if (pads && (padding.equalsIgnoreCase("PKCS5Padding") || padding.equalsIgnoreCase("PKCS7Padding"))) {
            usual = usual.padding(4);
        } else {
            throw new NoSuchPaddingException(padding + " (" + line.name() + "): NoPadding"
                    + (pads ? ", PKCS5Padding or PKCS7Padding" : ""));
        }
    }

    @Override
    protected int engineGetBlockSize() {
        return line.block();
    }

    @Override
    protected int engineGetKeySize(Key key) throws InvalidKeyException {
        byte[] bytes = GostKey.bytes(key);
        Arrays.fill(bytes, (byte) 0);
        if (bytes.length != line.key()) {
            throw new InvalidKeyException("key: " + bytes.length + " bytes, not " + line.key());
        }
        return 8 * bytes.length;
    }

    @Override
    protected byte[] engineGetIV() {
        return iv == null ? null : iv.clone();
    }

    @Override
    protected AlgorithmParameters engineGetParameters() {
        if (spec == null || iv == null && spec.same(usual)) {
            return null;
        }
        try {
            String name = line.primitive().equals("Gost28147") ? "GOST28147" : "GOST3412-2015";
            AlgorithmParameters parameters = AlgorithmParameters.getInstance(name, provider);
            GostParameterSpec more = spec.beyond(usual);
            parameters.init(line.aead() ? more.tagSize(tag) : more);
            return parameters;
        } catch (NoSuchAlgorithmException | InvalidParameterSpecException e) {
            throw new IllegalStateException(e);
        }
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
        GostParameterSpec given = usual.with(params, line.name());
        boolean encrypts = mode == Cipher.ENCRYPT_MODE || mode == Cipher.WRAP_MODE;
        if (given.iv == null && line.needsIv()) {
            given = withRandomIv(given, encrypts, random);
        }
        GostParameterSpec used = inCms(given);
        if (used.iv != null && !line.allowsIv(used.iv.length)) {
            throw new InvalidAlgorithmParameterException(Fault.iv(line, used.iv.length));
        }
        byte[] bytes = GostKey.bytes(key);
        forget();
        spent = true;
        try {
            if (context == null) {
                context = Context.of(this, line);
            }
            int ivLength = used.iv == null ? 0 : used.iv.length;
            int result = Fault.checkInit(context.start(encrypts, bytes, used), line, bytes.length, ivLength);
            boolean same = (result & Context.SAME) != 0;
            boolean seals = encrypts && line.aead();
            if (seals && same && Arrays.equals(lastNonce, given.iv)) {
                throw new InvalidAlgorithmParameterException(
                        "a second encryption under one key and nonce (" + line.name() + ")");
            }
            if (seals) {
                lastNonce = given.iv;
            } else if (!same) {
                lastNonce = null;
            }
            tag = line.aead() ? result & ~Context.SAME : 0;
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
        spec = given;
        iv = used.iv;
        encrypt = encrypts;
        ready = true;
        spent = false;
    }

    /** A UKM of CMS begins with the IV of CTR-ACPKM, which has longer sections there (R 1323565.1.025-2019). */
    private GostParameterSpec inCms(GostParameterSpec given) {
        boolean ukm = line.scheme().equals("CtrAcpkm") && given.iv != null && given.iv.length == line.leastIv() + 8;
        return ukm ? given.ofUkm(line.leastIv(), line.block() == 16 ? 1 << 18 : 1 << 13) : given;
    }

    /** Chooses the IV of an encryption, if it is long enough never to repeat by chance. */
    private GostParameterSpec withRandomIv(GostParameterSpec given, boolean encrypts, SecureRandom random)
            throws InvalidAlgorithmParameterException {
        if (!encrypts || line.leastIv() < 16) {
            // The DER of CMS holds no section: parties agree on it only by the length.
            String ukm = line.scheme().equals("CtrAcpkm") ? "; in CMS a UKM of " + (line.leastIv() + 8) : "";
            throw new InvalidAlgorithmParameterException(line.name() + " needs an IV of " + line.leastIv() + " bytes" + ukm);
        }
        byte[] chosen = new byte[line.leastIv()];
        (random == null ? new SecureRandom() : random).nextBytes(chosen);
        if (line.scheme().equals("Mgm")) {
            chosen[0] &= 0x7f;
        }
        return given.with(new javax.crypto.spec.IvParameterSpec(chosen), line.name());
    }

    /** Forgets the message. */
    private void forget() {
        Arrays.fill(ciphertext, (byte) 0);
        ciphertext = NOTHING;
        pending = 0;
        phase = 0;
        textBegun = false;
        ready = false;
    }

    /** Begins the message anew where that is safe. */
    private void begin() {
        if (spent) {
            throw new IllegalStateException("initialise the cipher with a new nonce (" + line.name() + ")");
        }
        if (!ready) {
            Fault.check(context.restart(encrypt, iv));
            ready = true;
        }
    }

    @Override
    protected void engineUpdateAAD(byte[] source, int offset, int length) {
        aad(View.of(source, offset, length));
    }

    @Override
    protected void engineUpdateAAD(ByteBuffer source) {
        View.each(source, this::aad);
    }

    private void aad(View in) {
        if (!line.scheme().equals("Mgm")) {
            throw new UnsupportedOperationException(line.name() + " has no associated data");
        }
        begin();
        if (textBegun) {
            throw new IllegalStateException("associated data after text");
        }
        Fault.check(context.absorb(in));
    }

    private boolean opens() {
        return line.aead() && !encrypt;
    }

    @Override
    protected int engineGetOutputSize(int length) {
        long total = (long) pending + length;
        if (line.aead()) {
            total = encrypt ? (long) length + tag : Math.max(total - tag, 0);
        } else if (spec != null && spec.padded() && encrypt) {
            total += line.block() - (phase + length % line.block()) % line.block();
        }
        return (int) Math.min(total, Integer.MAX_VALUE);
    }

    /** The most that an update of this length gives. */
    private int updateSize(int length) {
        if (opens()) {
            return 0;
        }
        // Whole blocks of the message, less the blocks that are out, and never more than the piece has.
        int rest = line.holds() ? (phase + length % line.block()) % line.block() : 0;
        return (int) Math.min((long) pending + length - rest, length);
    }

    @Override
    protected byte[] engineUpdate(byte[] input, int offset, int length) {
        byte[] output = new byte[updateSize(length)];
        int n = update(View.of(input, offset, length), View.of(output));
        return n == 0 ? null : trimmed(output, n);
    }

    private static byte[] trimmed(byte[] output, int length) {
        if (length == output.length) {
            return output;
        }
        byte[] result = Arrays.copyOf(output, length);
        Arrays.fill(output, (byte) 0);
        return result;
    }

    @Override
    protected int engineUpdate(byte[] input, int offset, int length, byte[] output, int outputOffset)
            throws ShortBufferException {
        int room = output == null ? 0 : output.length - outputOffset;
        room(room, updateSize(length));
        return update(View.of(input, offset, length), View.of(output, outputOffset, Math.max(room, 0)));
    }

    @Override
    protected int engineUpdate(ByteBuffer input, ByteBuffer output) throws ShortBufferException {
        int needed = updateSize(input.remaining());
        room(output.remaining(), needed);
        try (View in = View.of(input, input.remaining()); View out = View.of(output, needed)) {
            int n = update(in, out);
            input.position(input.limit());
            out.wrote(output, n);
            return n;
        }
    }

    private static void room(int room, int needed) throws ShortBufferException {
        if (room < needed) {
            throw new ShortBufferException("output: " + Math.max(room, 0) + " bytes, fewer than " + needed);
        }
    }

    private int update(View in, View out) {
        begin();
        textBegun |= in.length() > 0;
        if (opens()) {
            collect(in);
            return 0;
        }
        int n = Fault.check(context.transform(in, out));
        pending += line.aead() ? 0 : in.length() - n;
        phase = (phase + in.length() % line.block()) % line.block();
        return n;
    }

    /** Keeps ciphertext until its tag is here. */
    private void collect(View in) {
        if (in.length() == 0) {
            // Cipher.doFinal() passes no array.
            return;
        }
        int total = Math.addExact(pending, in.length());
        if (total > ciphertext.length) {
            ciphertext = Arrays.copyOf(ciphertext, (int) Math.min(Math.max(total, 2L * ciphertext.length), 0x7ffffff0));
        }
        if (in.array() != null) {
            System.arraycopy(in.array(), in.at(), ciphertext, pending, in.length());
        } else {
            in.buffer().duplicate().position(in.at()).get(ciphertext, pending, in.length());
        }
        pending = total;
    }

    @Override
    protected byte[] engineDoFinal(byte[] input, int offset, int length)
            throws IllegalBlockSizeException, BadPaddingException {
        byte[] output = new byte[engineGetOutputSize(length)];
        int n = end(View.of(input, offset, length), View.of(output));
        return trimmed(output, n);
    }

    @Override
    protected int engineDoFinal(byte[] input, int offset, int length, byte[] output, int outputOffset)
            throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
        int room = output.length - outputOffset;
        View in = View.of(input, offset, length);
        byte[] whole = unpadded(room, in);
        if (whole != null) {
            System.arraycopy(whole, 0, output, outputOffset, whole.length);
            Arrays.fill(whole, (byte) 0);
            return whole.length;
        }
        return end(in, View.of(output, outputOffset, room));
    }

    @Override
    protected int engineDoFinal(ByteBuffer input, ByteBuffer output)
            throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
        try (View in = View.of(input, input.remaining())) {
            byte[] whole = unpadded(output.remaining(), in);
            int n;
            if (whole != null) {
                output.put(whole);
                Arrays.fill(whole, (byte) 0);
                n = whole.length;
            } else {
                try (View out = View.of(output, engineGetOutputSize(in.length()))) {
                    n = end(in, out);
                    out.wrote(output, n);
                }
            }
            input.position(input.limit());
            return n;
        }
    }

    /**
     * Refuses too little room before anything happens. Only padding that is removed leaves the length open: then this
     * returns the whole text if it fits, and else keeps the message for a call with more room.
     */
    private byte[] unpadded(int room, View in)
            throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
        int needed = engineGetOutputSize(in.length());
        if (room >= needed) {
            return null;
        }
        if (encrypt || spec == null || !spec.padded() || room < needed - line.block()) {
            room(room, needed);
        }
        begin();
        Context before = context.copy(this);
        int pendingBefore = pending;
        int phaseBefore = phase;
        byte[] whole = new byte[needed];
        whole = trimmed(whole, end(in, View.of(whole)));
        if (whole.length > room) {
            needed = whole.length;
            Arrays.fill(whole, (byte) 0);
            context.free();
            context = before;
            pending = pendingBefore;
            phase = phaseBefore;
            ready = true;
            room(room, needed);
        }
        before.free();
        return whole;
    }

    private int end(View in, View out) throws IllegalBlockSizeException, BadPaddingException {
        begin();
        int result;
        try {
            if (opens() && pending > 0) {
                collect(in);
                in = View.of(ciphertext, 0, pending);
            }
            result = context.finish(in, out);
        } finally {
            forget();
            spent = line.aead() && encrypt;
        }
        return Fault.checkText(result, line, encrypt);
    }

    @Override
    protected byte[] engineWrap(Key key) throws IllegalBlockSizeException, InvalidKeyException {
        byte[] bytes = GostKey.bytes(key);
        try {
            return engineDoFinal(bytes, 0, bytes.length);
        } catch (BadPaddingException e) {
            throw new IllegalStateException(e);
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
        try {
            return new GostKey(algorithm, engineDoFinal(wrapped, 0, wrapped.length));
        } catch (IllegalBlockSizeException | BadPaddingException e) {
            throw new InvalidKeyException(e.getMessage(), e);
        }
    }
}
