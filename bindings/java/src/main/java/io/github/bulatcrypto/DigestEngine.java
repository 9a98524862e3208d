package io.github.bulatcrypto;

import java.nio.ByteBuffer;
import java.security.DigestException;
import java.security.MessageDigestSpi;
import java.util.Arrays;

/**
 * A hash. A short message is collected here and hashed in one native call, so that it needs no native memory; a longer
 * one has a context.
 */
final class DigestEngine extends MessageDigestSpi implements Cloneable {
    /** The longest message without a context. */
    static final int SHORT = 512;

    private final Line line;
    private byte[] start = new byte[64];
    private int held;
    private Context context;
    private boolean running;

    DigestEngine(Line line) {
        this.line = line;
    }

    @Override
    protected int engineGetDigestLength() {
        return line.output();
    }

    @Override
    protected void engineUpdate(byte input) {
        if (!running && held < SHORT) {
            room(1);
            start[held++] = input;
            return;
        }
        engineUpdate(new byte[] {input}, 0, 1);
    }

    @Override
    protected void engineUpdate(byte[] input, int offset, int length) {
        if (length == 0) {
            // There may be no array.
            return;
        }
        if (!running && length <= SHORT - held) {
            room(length);
            System.arraycopy(input, offset, start, held, length);
            held += length;
            return;
        }
        run();
        Fault.check(context.absorb(View.of(input, offset, length)));
    }

    @Override
    protected void engineUpdate(ByteBuffer input) {
        int length = input.remaining();
        if (!running && length <= SHORT - held) {
            room(length);
            input.get(start, held, length);
            held += length;
            return;
        }
        run();
        View.each(input, view -> Fault.check(context.absorb(view)));
    }

    private void room(int length) {
        if (length > start.length - held) {
            byte[] before = start;
            start = Arrays.copyOf(before, SHORT);
            Arrays.fill(before, (byte) 0);
        }
    }

    /** Moves a message to the context. */
    private void run() {
        if (running) {
            return;
        }
        if (context == null) {
            context = Context.of(this, line);
        }
        Fault.check(context.restart(true, null));
        Fault.check(context.absorb(View.of(start, 0, held)));
        running = true;
    }

    @Override
    protected byte[] engineDigest() {
        byte[] digest = new byte[line.output()];
        end(View.of(digest));
        return digest;
    }

    @Override
    protected int engineDigest(byte[] output, int offset, int length) throws DigestException {
        if (length < line.output()) {
            throw new DigestException("buffer: " + length + " bytes, fewer than " + line.output());
        }
        end(View.of(output, offset, length));
        return line.output();
    }

    private void end(View out) {
        int result = running ? context.finish(View.NOTHING, out) : Context.digest(line, View.of(start, 0, held), out);
        clear();
        Fault.check(result);
    }

    @Override
    protected void engineReset() {
        if (running) {
            context.wipe();
        }
        clear();
    }

    private void clear() {
        Arrays.fill(start, 0, held, (byte) 0);
        held = 0;
        running = false;
    }

    @Override
    public Object clone() {
        DigestEngine copy = new DigestEngine(line);
        copy.start = start.clone();
        copy.held = held;
        copy.running = running;
        if (running) {
            copy.context = context.copy(copy);
        }
        return copy;
    }
}
