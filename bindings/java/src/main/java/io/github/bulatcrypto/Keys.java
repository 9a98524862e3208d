package io.github.bulatcrypto;

import java.security.InvalidKeyException;
import java.security.Key;

/** The bytes of keys. */
final class Keys {
    private Keys() {}

    /** Returns a copy of a key's bytes, which the caller wipes. */
    static byte[] bytes(Key key) throws InvalidKeyException {
        if (key == null) {
            throw new InvalidKeyException("no key");
        }
        byte[] bytes = key.getEncoded();
        if (bytes == null || !"RAW".equalsIgnoreCase(key.getFormat())) {
            throw new InvalidKeyException("a key of class " + key.getClass().getName() + " has no raw bytes");
        }
        return bytes;
    }
}
