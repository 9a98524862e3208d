package io.github.bulatcrypto;

import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.SecretKey;

/** A secret key that {@link #destroy} wipes. It is not written to streams. */
final class GostKey implements SecretKey {
    private static final long serialVersionUID = 1;

    private final String algorithm;
    private final transient byte[] bytes;
    private transient boolean destroyed;

    /** Keeps the array. */
    GostKey(String algorithm, byte[] bytes) {
        this.algorithm = algorithm;
        this.bytes = bytes;
    }

    @Override
    public String getAlgorithm() {
        return algorithm;
    }

    @Override
    public String getFormat() {
        return "RAW";
    }

    @Override
    public synchronized byte[] getEncoded() {
        if (destroyed) {
            throw new IllegalStateException("the key was destroyed");
        }
        return bytes.clone();
    }

    @Override
    public synchronized void destroy() {
        Arrays.fill(bytes, (byte) 0);
        destroyed = true;
    }

    @Override
    public synchronized boolean isDestroyed() {
        return destroyed;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof SecretKey key) || !algorithm.equalsIgnoreCase(key.getAlgorithm()) || destroyed) {
            return this == other;
        }
        byte[] theirs = key.getEncoded();
        try {
            return theirs != null && MessageDigest.isEqual(bytes, theirs);
        } finally {
            if (theirs != null) {
                Arrays.fill(theirs, (byte) 0);
            }
        }
    }

    /** Depends on nothing secret. */
    @Override
    public int hashCode() {
        return algorithm.toLowerCase(java.util.Locale.ROOT).hashCode() + bytes.length;
    }

    @Override
    public String toString() {
        return "a key of " + algorithm + ", " + bytes.length + " bytes";
    }

    private void writeObject(ObjectOutputStream stream) throws NotSerializableException {
        throw new NotSerializableException("a secret key");
    }
}
