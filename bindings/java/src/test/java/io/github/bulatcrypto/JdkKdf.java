package io.github.bulatcrypto;

/** Calls of {@code javax.crypto.KDF}, which tests for Java 17 cannot name: src/test/java25 has them. */
interface JdkKdf {
    /** The calls, or null before Java 25. */
    JdkKdf HERE = here();

    /** Derives by a function of any name. */
    byte[] derive(String name, KdfKeySpec spec) throws Exception;

    /** The two halves of HKDF, and the whole. */
    byte[] extract(String name, byte[] salt, byte[] input) throws Exception;

    byte[] expand(String name, byte[] key, byte[] info, int length) throws Exception;

    byte[] both(String name, byte[] salt, byte[] input, byte[] info, int length) throws Exception;

    /** Checks the manners of the class. */
    void manners() throws Exception;

    private static JdkKdf here() {
        if (Runtime.version().feature() < 25) {
            return null;
        }
        try {
            return (JdkKdf) Class.forName("io.github.bulatcrypto.JdkKdf25").getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
