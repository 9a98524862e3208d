package io.github.bulatcrypto.spark;

import io.github.bulatcrypto.Bulat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Pattern;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.apache.spark.SparkEnv;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The functions of one row, as generated code calls them on the executors. Keys are named: the file of that name in the
 * executor's folder {@code spark.bulat.keys}, or {@code BULAT_KEYS} of its environment, holds 64 hexadecimal digits. Only
 * the name is in plans and messages.
 */
public final class Functions {
    /** The first byte of each ciphertext, which the tag covers: a nonce of 16 bytes, the text, a tag of 16 bytes follow. */
    private static final byte VERSION = 1;

    private static final int NONCE = 16;
    private static final int TAG = 16;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}");
    private static final Pattern KEY = Pattern.compile("[0-9A-Fa-f]{64}");
    private static final ThreadLocal<Engines> ENGINES = ThreadLocal.withInitial(Engines::new);

    private Functions() {}

    /** The engines of a thread: a task runs on a thread. */
    private static final class Engines {
        final Map<UTF8String, SecretKey> keys = new HashMap<>();
        final Map<UTF8String, Mac> macs = new HashMap<>();
        final SecureRandom random = new SecureRandom();
        final byte[] nonces = new byte[NONCE * 256];
        int used = nonces.length;
        final Cipher cipher;

        Engines() {
            try {
                cipher = Cipher.getInstance("GOST3412-2015/MGM/NoPadding", Bulat.provider());
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        byte[] nonce() {
            if (used == nonces.length) {
                random.nextBytes(nonces);
                used = 0;
            }
            byte[] nonce = Arrays.copyOfRange(nonces, used, used += NONCE);
            nonce[0] &= 0x7f;
            return nonce;
        }

        SecretKey key(UTF8String name) {
            SecretKey key = keys.get(name);
            if (key == null) {
                key = read(name.toString());
                keys.put(name.clone(), key);
            }
            return key;
        }
    }

    /** Refuses a key in place of its name, and names that leave the folder. */
    static void checkName(String name) {
        if (KEY.matcher(name).matches()) {
            throw new IllegalArgumentException("the name of a key is expected, not the key");
        }
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("a key's name has only letters, digits, _, . and -");
        }
    }

    private static SecretKey read(String name) {
        checkName(name);
        SparkEnv env = SparkEnv.get();
        String folder = env == null ? null : env.conf().get("spark.bulat.keys", null);
        folder = folder == null ? System.getenv("BULAT_KEYS") : folder;
        if (folder == null) {
            throw new IllegalStateException("no folder of keys: set spark.bulat.keys, or BULAT_KEYS on the executors");
        }
        byte[] text;
        try {
            text = Files.readAllBytes(Path.of(folder, name));
        } catch (IOException e) {
            throw new IllegalStateException("the key " + name + " cannot be read on this executor");
        }
        byte[] bytes = null;
        try {
            int end = text.length;
            while (end > 0 && (text[end - 1] == '\n' || text[end - 1] == '\r')) {
                end--;
            }
            bytes = end == 64 ? digits(text) : null;
            if (bytes == null) {
                throw new IllegalStateException("the key " + name + ": its file has not 64 hexadecimal digits");
            }
            return new SecretKeySpec(bytes, "GOST3412-2015");
        } finally {
            Arrays.fill(text, (byte) 0);
            if (bytes != null) {
                Arrays.fill(bytes, (byte) 0);
            }
        }
    }

    /** Needs no string, which cannot be wiped. */
    private static byte[] digits(byte[] text) {
        byte[] bytes = new byte[32];
        for (int i = 0; i < 64; i++) {
            if (!HexFormat.isHexDigit(text[i])) {
                return null;
            }
            bytes[i / 2] = (byte) (bytes[i / 2] << 4 | HexFormat.fromHexDigit(text[i]));
        }
        return bytes;
    }

    /** Returns the Streebog-256 of a message, 32 bytes. */
    public static byte[] streebog256(byte[] message) {
        return Bulat.streebog256(message);
    }

    /** Returns the Streebog-512 of a message, 64 bytes. */
    public static byte[] streebog512(byte[] message) {
        return Bulat.streebog512(message);
    }

    /** Returns the HMAC over Streebog-256 of a message under the key of this name, 32 bytes. */
    public static byte[] hmac(byte[] message, UTF8String key) {
        Engines engines = ENGINES.get();
        Mac mac = engines.macs.get(key);
        if (mac == null) {
            try {
                mac = Mac.getInstance("HMACGOST3411-2012-256", Bulat.provider());
                mac.init(engines.key(key));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("gost_hmac: " + e.getMessage());
            }
            engines.macs.put(key.clone(), mac);
        }
        return mac.doFinal(message);
    }

    /**
     * Seals a text with associated data with Kuznyechik-MGM, under the key of this name and a random nonce. Returns a
     * version byte, the nonce, the ciphertext, the tag.
     */
    public static byte[] encrypt(byte[] text, UTF8String key, byte[] aad) {
        Engines engines = ENGINES.get();
        byte[] nonce = engines.nonce();
        byte[] sealed = new byte[Math.addExact(text.length, 1 + NONCE + TAG)];
        sealed[0] = VERSION;
        System.arraycopy(nonce, 0, sealed, 1, NONCE);
        try {
            Cipher cipher = engines.cipher;
            cipher.init(Cipher.ENCRYPT_MODE, engines.key(key), new IvParameterSpec(nonce));
            cipher.updateAAD(sealed, 0, 1);
            cipher.updateAAD(aad);
            cipher.doFinal(text, 0, text.length, sealed, 1 + NONCE);
            return sealed;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("gost_encrypt: " + e.getMessage());
        }
    }

    /** Opens a result of {@link #encrypt} with its associated data, under the key of this name. Returns the text. */
    public static byte[] decrypt(byte[] sealed, UTF8String key, byte[] aad) {
        if (sealed.length < 1 + NONCE + TAG || sealed[0] != VERSION) {
            throw new IllegalStateException("gost_decrypt: not a ciphertext of gost_encrypt");
        }
        Engines engines = ENGINES.get();
        try {
            Cipher cipher = engines.cipher;
            cipher.init(Cipher.DECRYPT_MODE, engines.key(key), new IvParameterSpec(sealed, 1, NONCE));
            cipher.updateAAD(sealed, 0, 1);
            cipher.updateAAD(aad);
            return cipher.doFinal(sealed, 1 + NONCE, sealed.length - 1 - NONCE);
        } catch (AEADBadTagException e) {
            throw new IllegalStateException("gost_decrypt: the tag is wrong (key " + key + ")");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("gost_decrypt: " + e.getMessage());
        }
    }
}
