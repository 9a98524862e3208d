package io.github.bulatcrypto;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.ProviderException;
import javax.crypto.AEADBadTagException;
import javax.crypto.BadPaddingException;
import javax.crypto.IllegalBlockSizeException;

/** The errors of the native library as Java's exceptions. */
final class Fault {
    private static final String[] LINES = Native.errors().split("\n");

    private Fault() {}

    /** Returns the error's name in the library. */
    static String name(int result) {
        return part(result, 0);
    }

    static String words(int result) {
        return part(result, 1);
    }

    private static String part(int result, int part) {
        int i = -result - 1;
        return i >= 0 && i < LINES.length ? LINES[i].split("\t")[part] : "Internal";
    }

    /** Returns a result, or throws the exception of a refused key or of refused parameters. */
    static int checkInit(int result, Line line, int key, int iv)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        if (result >= 0) {
            return result;
        }
        switch (name(result)) {
            case "KeyLength" -> throw new InvalidKeyException(
                    "key: " + key + " bytes, not " + line.key() + " (" + line.name() + ")");
            case "EqualKeys" -> throw new InvalidKeyException(words(result));
            case "IvLength" -> throw new InvalidAlgorithmParameterException(iv(line, iv));
            case "Internal", "Memory" -> throw unchecked(result);
            default -> throw new InvalidAlgorithmParameterException(words(result) + " (" + line.name() + ")");
        }
    }

    /** Returns the words for an IV of a wrong length. */
    static String iv(Line line, int length) {
        String wanted = line.mostIv() == 0 ? "it has none"
                : line.leastIv() == line.mostIv() ? "not " + line.leastIv()
                : line.leastIv() == 0 ? "not 0 or " + line.mostIv()
                : line.stepIv() > 1 ? "not a multiple of " + line.stepIv() + " up to " + line.mostIv()
                : "not " + line.leastIv() + " to " + line.mostIv();
        return (line.aead() ? "nonce: " : "IV: ") + length + " bytes, " + wanted + " (" + line.name() + ")";
    }

    /** Returns a result, or throws the exception of a call that has no checked ones. */
    static int check(int result) {
        if (result < 0) {
            throw unchecked(result);
        }
        return result;
    }

    private static RuntimeException unchecked(int result) {
        if (name(result).equals("Memory")) {
            throw new OutOfMemoryError(words(result));
        }
        return name(result).equals("Internal") ? new ProviderException(words(result))
                : new IllegalStateException(words(result));
    }

    /** Returns the result of a message's end, or throws the exception of a refused text. */
    static int checkText(int result, Line line, boolean encrypt) throws IllegalBlockSizeException, BadPaddingException {
        if (result >= 0) {
            return result;
        }
        String words = words(result) + " (" + line.name() + ")";
        switch (name(result)) {
            case "Verify", "TagLength" -> throw new AEADBadTagException(words);
            case "Empty" -> {
                if (encrypt) {
                    throw new IllegalBlockSizeException(words);
                }
                throw new AEADBadTagException(words);
            }
            case "Padding" -> throw new BadPaddingException(words);
            case "DataLength" -> throw new IllegalBlockSizeException(words);
            default -> throw unchecked(result);
        }
    }
}
