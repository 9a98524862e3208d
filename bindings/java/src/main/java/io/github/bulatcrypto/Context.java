package io.github.bulatcrypto;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The native half of one engine: an algorithm, its key, its present message. Only one thread at a time is inside, and
 * the memory is wiped and freed once, when the engine is no longer reachable.
 */
final class Context implements Runnable {
    /** A bit of {@link #start}: the key is the present key. */
    static final int SAME = 1 << 16;

    private static final Cleaner CLEANER = Cleaner.create();
    /** The bytes of a usual desk: the longest keys and IVs of ciphers. */
    private static final int DESK = 256;

    private final Line line;
    private long address;
    private Cleaner.Cleanable cleanable;
    /** The native memory in which keys and IVs cross. */
    private ByteBuffer desk = ByteBuffer.allocate(0);
    /** The options that the native half has. */
    private int[] numbers = GostParameterSpec.NONE.numbers;
    private byte[] rows;

    private Context(Line line, long address) {
        this.line = line;
        this.address = Math.max(address, 0);
    }

    /** Makes the context of an engine. */
    static Context of(Object engine, Line line) {
        return owned(engine, line, Native.context(line.index()));
    }

    private static Context owned(Object engine, Line line, long address) {
        Context context = new Context(line, address);
        context.cleanable = CLEANER.register(engine, context);
        return context;
    }

    /** Makes a copy that belongs to a second engine. */
    synchronized Context copy(Object engine) {
        Context copy = owned(engine, line, Native.copy(live()));
        copy.numbers = numbers;
        copy.rows = rows;
        return copy;
    }

    /** Wipes and frees the memory now. */
    void free() {
        cleanable.clean();
    }

    /** Frees the memory: the cleaner's call. */
    @Override
    public synchronized void run() {
        Native.free(address);
        address = 0;
    }

    private long live() {
        if (address == 0) {
            throw new IllegalStateException("no native memory");
        }
        return address;
    }

    /**
     * Begins a message under a key, which the native half wipes from where it crosses.
     *
     * @return an error, or the length of the key's tags and {@link #SAME}
     */
    synchronized int start(boolean encrypt, byte[] key, GostParameterSpec spec) {
        if (!Arrays.equals(numbers, spec.numbers) || rows != spec.rows) {
            int result = Native.options(live(), spec.numbers, spec.rows);
            if (result < 0) {
                return result;
            }
            numbers = spec.numbers;
            rows = spec.rows;
        }
        byte[] iv = spec.iv;
        int ivLength = iv == null ? 0 : iv.length;
        return Native.start(place(key, key.length, iv, ivLength), encrypt, key.length, ivLength);
    }

    /** Begins a message under the present key. */
    synchronized int restart(boolean encrypt, byte[] iv) {
        int ivLength = iv == null ? 0 : iv.length;
        return Native.start(place(null, 0, iv, ivLength), encrypt, -1, ivLength);
    }

    /** Sets a key without a message: for {@link #aeadAll}. */
    synchronized int key(byte[] key) {
        return Native.start(place(key, key.length, null, 0), true, key.length, -1);
    }

    private long place(byte[] key, int keyLength, byte[] iv, int ivLength) {
        long context = live();
        int size = Math.addExact(keyLength, ivLength);
        if (size > desk.capacity()) {
            desk = Native.desk(context, Math.max(size, DESK));
        }
        if (keyLength > 0) {
            desk.put(0, key);
        }
        if (ivLength > 0) {
            desk.put(keyLength, iv);
        }
        return context;
    }

    synchronized void wipe() {
        Native.wipe(live());
    }

    /** Hashes a message in an array without a context, into an array. */
    static int digest(Line line, View in, View out) {
        in.check();
        out.check();
        return Native.digest(line.index(), in.array(), in.at(), in.length(), out.array(), out.at(), out.length());
    }

    synchronized int absorb(View in) {
        in.check();
        return Native.absorb(live(), in.array(), in.buffer(), in.at(), in.length());
    }

    synchronized int transform(View in, View out) {
        in.check();
        out.check();
        return Native.transform(live(), in.array(), in.buffer(), in.at(), in.length(),
                out.array(), out.buffer(), out.at(), out.length());
    }

    synchronized int finish(View in, View out) {
        in.check();
        out.check();
        return Native.finish(live(), in.array(), in.buffer(), in.at(), in.length(),
                out.array(), out.buffer(), out.at(), out.length());
    }

    synchronized int aeadAll(boolean seal, byte[][] nonces, byte[][] aads, byte[][] texts, byte[][] outputs,
            int[] results) {
        return Native.aeadAll(live(), seal, nonces, aads, texts, outputs, results);
    }
}
