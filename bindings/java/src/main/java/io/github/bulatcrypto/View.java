package io.github.bulatcrypto;

import java.nio.ByteBuffer;

/** The bytes of a {@link ByteBuffer} from its position on, as the native calls receive them. */
record View(byte[] array, ByteBuffer buffer, int at, int length) {
    static View of(ByteBuffer buffer) {
        int length = buffer.remaining();
        if (buffer.isDirect()) {
            return new View(null, buffer, buffer.position(), length);
        }
        if (buffer.hasArray()) {
            return new View(buffer.array(), null, buffer.arrayOffset() + buffer.position(), length);
        }
        byte[] copy = new byte[length];
        buffer.duplicate().get(copy);
        return new View(copy, null, 0, length);
    }
}
