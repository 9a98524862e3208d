package io.github.bulatcrypto;

import java.nio.ByteBuffer;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import javax.crypto.MacSpi;

/** A message authentication code. A short message is collected here, for one native call. */
final class MacEngine extends MacSpi implements Cloneable {
    private final Line line;
    private final GostParameterSpec usual;
    private Context context;
    private int tag;
    private byte[] start = new byte[DigestEngine.SHORT];
    private int held;
    private byte[] iv;

    MacEngine(Line line, GostParameterSpec usual) {
        this.line = line;
        this.usual = usual;
        this.tag = line.output();
    }

    @Override
    protected int engineGetMacLength() {
        return tag;
    }

    @Override
    protected void engineInit(Key key, AlgorithmParameterSpec params)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        GostParameterSpec spec = usual.with(params, line.name());
        byte[] bytes = GostKey.bytes(key);
        try {
            if (context == null) {
                context = Context.of(this, line);
            }
            clear();
            iv = spec.iv;
            int ivLength = iv == null ? 0 : iv.length;
            tag = Fault.checkInit(context.start(true, bytes, spec), line, bytes.length, ivLength) & ~Context.SAME;
        } catch (InvalidKeyException | InvalidAlgorithmParameterException e) {
            context.wipe();
            throw e;
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    @Override
    protected void engineUpdate(byte input) {
        if (held == start.length) {
            flush();
        }
        start[held++] = input;
    }

    @Override
    protected void engineUpdate(byte[] input, int offset, int length) {
        if (length == 0) {
            // There may be no array.
            return;
        }
        if (length <= start.length - held) {
            System.arraycopy(input, offset, start, held, length);
            held += length;
            return;
        }
        flush();
        Fault.check(context.absorb(View.of(input, offset, length)));
    }

    @Override
    protected void engineUpdate(ByteBuffer input) {
        flush();
        View.each(input, view -> Fault.check(context.absorb(view)));
    }

    private void flush() {
        Fault.check(context.absorb(View.of(start, 0, held)));
        clear();
    }

    @Override
    protected byte[] engineDoFinal() {
        byte[] out = new byte[tag];
        int result = context.finish(View.of(start, 0, held), View.of(out));
        clear();
        Fault.check(result);
        return out;
    }

    @Override
    protected void engineReset() {
        clear();
        // Not yet initialised: nothing to reset.
        if (context != null) {
            context.restart(true, iv);
        }
    }

    private void clear() {
        Arrays.fill(start, 0, held, (byte) 0);
        held = 0;
    }

    @Override
    public Object clone() throws CloneNotSupportedException {
        MacEngine copy = (MacEngine) super.clone();
        copy.start = start.clone();
        copy.context = context == null ? null : context.copy(copy);
        return copy;
    }
}
