package io.github.bulatcrypto;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;

/** A range of bytes, as the native calls receive it: of an array, or if that is null of a direct buffer. */
record View(byte[] array, ByteBuffer buffer, int at, int length, boolean copy) implements AutoCloseable {
    /** Long input is copied in pieces of this length. */
    private static final int PIECE = 16 << 10;

    /** No bytes. */
    static final View NOTHING = of(null, 0, 0);

    /** Returns a range of an array; null has no bytes. */
    static View of(byte[] array, int at, int length) {
        return new View(array, null, at, length, false);
    }

    /** Returns all bytes of an array. */
    static View of(byte[] array) {
        return of(array, 0, array.length);
    }

    /** Returns the next bytes of a buffer; an exception if the buffer is closed, or a different thread's. */
    static View of(ByteBuffer buffer, int length) {
        if (buffer.hasArray()) {
            return of(buffer.array(), buffer.arrayOffset() + buffer.position(), length);
        }
        if (Memory.lasts(buffer)) {
            return new View(null, buffer, buffer.position(), length, false);
        }
        byte[] copy = new byte[length];
        buffer.duplicate().get(copy);
        return new View(copy, null, 0, length, true);
    }

    /** Gives all bytes of a buffer to a sink. */
    static void each(ByteBuffer buffer, Consumer<View> sink) {
        while (buffer.hasRemaining()) {
            boolean whole = buffer.hasArray() || Memory.lasts(buffer);
            try (View view = of(buffer, whole ? buffer.remaining() : Math.min(buffer.remaining(), PIECE))) {
                sink.accept(view);
                buffer.position(buffer.position() + view.length);
            }
        }
    }

    /** Refuses a range that is not in its array or buffer. */
    void check() {
        Objects.checkFromIndexSize(at, length, array != null ? array.length : buffer != null ? buffer.capacity() : 0);
    }

    /** Puts output into its buffer, if it is not there already. */
    void wrote(ByteBuffer output, int bytes) {
        if (copy) {
            output.put(array, 0, bytes);
        } else {
            output.position(output.position() + bytes);
        }
    }

    /** Wipes a copy. */
    @Override
    public void close() {
        if (copy) {
            Arrays.fill(array, (byte) 0);
        }
    }

    /**
     * The memory of direct buffers. The memory of an arena (from Java 22 on) may be freed by its owner while a native call uses
     * it, so only Java's own accesses are safe there; the memory of {@code allocateDirect} lasts as long as its buffer.
     */
    private static final class Memory {
        /** Returns the scope of a buffer; null if it cannot be asked. */
        private static final MethodHandle SCOPE = scope();
        /** The class of the scopes that cannot be closed. */
        private static final Class<?> LASTING = lasting();
        private static final boolean NO_ARENAS = Runtime.version().feature() < 19
                && ModuleLayer.boot().findModule("jdk.incubator.foreign").isEmpty();

        static boolean lasts(ByteBuffer buffer) {
            return buffer.isDirect() && (LASTING == null ? NO_ARENAS : of(buffer).getClass() == LASTING);
        }

        private static Object of(ByteBuffer buffer) {
            try {
                return (Object) SCOPE.invokeExact(buffer);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }

        private static MethodHandle scope() {
            try {
                Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
                MethodHandles.Lookup lookup = MethodHandles.publicLookup();
                MethodHandle found = lookup.findStatic(segment, "ofBuffer", MethodType.methodType(segment, Buffer.class));
                return MethodHandles.filterReturnValue(found, lookup.unreflect(segment.getMethod("scope")))
                        .asType(MethodType.methodType(Object.class, ByteBuffer.class));
            } catch (ReflectiveOperationException e) {
                return null;
            }
        }

        private static Class<?> lasting() {
            if (SCOPE == null) {
                return null;
            }
            Class<?> lasting = of(ByteBuffer.allocateDirect(1)).getClass();
            try {
                Class<?> arena = Class.forName("java.lang.foreign.Arena");
                Method allocate = arena.getMethod("allocate", long.class);
                for (String kind : new String[] {"ofConfined", "ofShared"}) {
                    AutoCloseable made = (AutoCloseable) arena.getMethod(kind).invoke(null);
                    Object segment = allocate.invoke(made, 1L);
                    Method view = Class.forName("java.lang.foreign.MemorySegment").getMethod("asByteBuffer");
                    boolean same = of((ByteBuffer) view.invoke(segment)).getClass() == lasting;
                    made.close();
                    if (same) {
                        return null;
                    }
                }
                return lasting;
            } catch (Exception e) {
                return null;
            }
        }
    }
}
