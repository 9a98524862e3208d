package io.github.bulatcrypto;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;

/**
 * The native half of one engine: an algorithm, its key, its present message. Only one thread at a time is inside, and
 * the memory is wiped and freed once, when the engine is no longer reachable.
 */
final class Context implements Runnable {
    private static final Cleaner CLEANER = Cleaner.create();

    private final Line line;
    private long address;
    private Cleaner.Cleanable cleanable;

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

    /** Makes a copy that belongs to another engine. */
    synchronized Context copy(Object engine) {
        return owned(engine, line, Native.copy(live()));
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

    synchronized int key(byte[] bytes, int[] options, byte[] rows) {
        return Native.key(live(), bytes, options, rows);
    }

    synchronized void wipe() {
        Native.wipe(live());
    }

    synchronized int tagLength() {
        return Native.tagLength(live());
    }

    synchronized int begin(boolean encrypt, byte[] iv) {
        return Native.begin(live(), encrypt, iv);
    }

    synchronized int absorb(byte[] array, ByteBuffer buffer, int at, int length) {
        return Native.absorb(live(), array, buffer, at, length);
    }

    synchronized int transform(byte[] array, ByteBuffer buffer, int at, int length, byte[] output,
            ByteBuffer outputBuffer, int outputAt, int room) {
        return Native.transform(live(), array, buffer, at, length, output, outputBuffer, outputAt, room);
    }

    synchronized int finish(byte[] array, ByteBuffer buffer, int at, int length, byte[] output,
            ByteBuffer outputBuffer, int outputAt, int room) {
        return Native.finish(live(), array, buffer, at, length, output, outputBuffer, outputAt, room);
    }

    synchronized int aeadAll(boolean seal, byte[][] nonces, byte[][] aads, byte[][] texts, byte[][] outputs,
            int[] results) {
        return Native.aeadAll(live(), seal, nonces, aads, texts, outputs, results);
    }
}
