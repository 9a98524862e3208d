package io.github.bulatcrypto;

import java.io.InvalidObjectException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyRep;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.SecretKey;

/** A secret key that {@link #destroy} wipes. Streams get it as the JDK writes its keys, and give a {@code SecretKeySpec}. */
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

    /** Returns a copy of the bytes of any key, which the caller wipes. */
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

    /** Key stores write keys in this form, and JCEKS reads no other. */
    private Object writeReplace() throws ObjectStreamException {
        if (isDestroyed()) {
            throw new NotSerializableException("a destroyed key");
        }
        byte[] copy = getEncoded();
        try {
            return new KeyRep(KeyRep.Type.SECRET, algorithm, "RAW", copy);
        } finally {
            Arrays.fill(copy, (byte) 0);
        }
    }

    private void readObject(ObjectInputStream stream) throws InvalidObjectException {
        throw new InvalidObjectException("not in the form of KeyRep");
    }
}
