package io.github.bulatcrypto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.CipherInputStream;
import javax.crypto.CipherOutputStream;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.IvParameterSpec;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Texts in pieces: by streams, arrays, buffers, and buffers of memory that is gone. */
class PiecesTest {
    private static final Map<String, Integer> AEADS = Map.of("GOST3412-2015/MGM/NoPadding", 16, "Magma/MGM/NoPadding", 8,
            "GOST3412-2015/CTR-ACPKM-OMAC/NoPadding", 16, "Magma/CTR-ACPKM-OMAC/NoPadding", 12);
    private static final SecretKey KEY = new GostKey("RAW", bytes(32));

    private interface Way {
        byte[] open(Cipher cipher, byte[] sealed) throws Exception;
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static Cipher cipher(String name, int mode, int iv) throws Exception {
        Cipher cipher = Cipher.getInstance(name, Bulat.provider());
        cipher.init(mode, KEY, new IvParameterSpec(new byte[iv]));
        return cipher;
    }

    private static byte[] buffers(Cipher cipher, ByteBuffer in) throws Exception {
        ByteBuffer out = ByteBuffer.allocate(in.remaining());
        int end = in.limit();
        cipher.update(in.limit(end / 2), out);
        cipher.update(in.limit(end), out);
        cipher.doFinal(ByteBuffer.allocate(0), out);
        return Arrays.copyOf(out.array(), out.position());
    }

    private static final Map<String, Way> WAYS = new LinkedHashMap<>();

    static {
        WAYS.put("doFinal()", (cipher, sealed) -> {
            cipher.update(sealed);
            return cipher.doFinal();
        });
        WAYS.put("doFinal(out, 0)", (cipher, sealed) -> {
            cipher.update(sealed);
            byte[] out = new byte[sealed.length];
            return Arrays.copyOf(out, cipher.doFinal(out, 0));
        });
        WAYS.put("byte by byte", (cipher, sealed) -> {
            for (byte b : sealed) {
                cipher.update(new byte[] {b});
            }
            return cipher.doFinal();
        });
        WAYS.put("CipherInputStream", (cipher, sealed) ->
                new CipherInputStream(new ByteArrayInputStream(sealed), cipher).readAllBytes());
        WAYS.put("CipherOutputStream", (cipher, sealed) -> {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (CipherOutputStream stream = new CipherOutputStream(out, cipher)) {
                stream.write(sealed);
            }
            return out.toByteArray();
        });
        WAYS.put("heap buffers", (cipher, sealed) -> buffers(cipher, ByteBuffer.wrap(sealed)));
        WAYS.put("direct buffers", (cipher, sealed) -> buffers(cipher, ByteBuffer.allocateDirect(sealed.length).put(sealed).flip()));
        WAYS.put("read-only buffers", (cipher, sealed) -> buffers(cipher, ByteBuffer.wrap(sealed).asReadOnlyBuffer()));
    }

    @Test
    void authenticatedTextsAreOpenedInPieces() throws Exception {
        for (var aead : AEADS.entrySet()) {
            for (int length : new int[] {1, 16, 17, 1000, 20_000}) {
                byte[] text = bytes(length);
                byte[] sealed = cipher(aead.getKey(), Cipher.ENCRYPT_MODE, aead.getValue()).doFinal(text);
                byte[] changed = sealed.clone();
                changed[length / 2] ^= 1;
                for (var way : WAYS.entrySet()) {
                    String words = aead.getKey() + ", " + length + " bytes, " + way.getKey();
                    Cipher cipher = cipher(aead.getKey(), Cipher.DECRYPT_MODE, aead.getValue());
                    assertArrayEquals(text, way.getValue().open(cipher, sealed), words);
                    // Again with this object; and a wrong tag.
                    assertArrayEquals(text, way.getValue().open(cipher, sealed), words);
                    try {
                        byte[] opened = way.getValue().open(cipher, changed);
                        // JDK 17's CipherOutputStream.close hides the exception.
                        assertTrue(way.getKey().equals("CipherOutputStream") && opened.length == 0, words);
                    } catch (AEADBadTagException expected) {
                        // Right.
                    } catch (IOException e) {
                        assertSame(AEADBadTagException.class, e.getCause().getClass(), words);
                    }
                }
            }
        }
    }

    /** JCA's classes pass null for no bytes. */
    @Test
    void nothing() throws Exception {
        Line line = Line.TABLE.get("kuznyechik-mgm");
        CipherEngine cipher = new CipherEngine(Bulat.provider(), line, GostParameterSpec.NONE);
        for (int mode : new int[] {Cipher.ENCRYPT_MODE, Cipher.DECRYPT_MODE}) {
            cipher.engineInit(mode, KEY, new IvParameterSpec(new byte[16]), null);
            cipher.engineUpdateAAD(null, 0, 0);
            assertEquals(0, cipher.engineUpdate(null, 0, 0, null, 0));
            cipher.engineUpdate(bytes(16), 0, 16);
            cipher.engineUpdate(null, 0, 0);
            if (mode == Cipher.ENCRYPT_MODE) {
                assertEquals(16, cipher.engineDoFinal(null, 0, 0).length);
            } else {
                assertThrows(AEADBadTagException.class, () -> cipher.engineDoFinal(null, 0, 0));
            }
        }
        DigestEngine digest = new DigestEngine(Line.TABLE.get("streebog256"));
        MacEngine mac = new MacEngine(Line.TABLE.get("kuznyechik-omac"), GostParameterSpec.NONE);
        mac.engineInit(KEY, null);
        byte[] empty = mac.engineDoFinal();
        for (int length : new int[] {0, 1000}) {
            digest.engineUpdate(new byte[length], 0, length);
            digest.engineUpdate(null, 0, 0);
            assertArrayEquals(MessageDigest.getInstance("streebog256", Bulat.provider()).digest(new byte[length]),
                    digest.engineDigest());
            mac.engineUpdate(null, 0, 0);
        }
        assertArrayEquals(empty, mac.engineDoFinal());
    }

    /** Memory of {@code java.lang.foreign}, which this code for Java 17 cannot name. */
    private static final class Arena {
        private final Object arena;
        private final ByteBuffer buffer;

        Arena(String kind, int size) throws ReflectiveOperationException {
            Class<?> type = Class.forName("java.lang.foreign.Arena");
            arena = type.getMethod(kind).invoke(null);
            Object segment = type.getMethod("allocate", long.class).invoke(arena, (long) size);
            buffer = (ByteBuffer) Class.forName("java.lang.foreign.MemorySegment").getMethod("asByteBuffer").invoke(segment);
        }

        void close() throws Exception {
            ((AutoCloseable) arena).close();
        }
    }

    private interface Use {
        Object with(ByteBuffer buffer) throws Exception;
    }

    @Test
    void buffersOfArenas() throws Exception {
        Assumptions.assumeTrue(Runtime.version().feature() >= 22, "no arenas");
        Map<String, Use> uses = new LinkedHashMap<>();
        uses.put("digest", buffer -> {
            MessageDigest digest = MessageDigest.getInstance("streebog256", Bulat.provider());
            digest.update(buffer);
            return digest.digest();
        });
        uses.put("MAC", buffer -> {
            Mac mac = Mac.getInstance("GOST3412MAC", Bulat.provider());
            mac.init(KEY);
            mac.update(buffer);
            return mac.doFinal();
        });
        uses.put("associated data", buffer -> {
            Cipher cipher = cipher("GOST3412-2015/MGM/NoPadding", Cipher.ENCRYPT_MODE, 16);
            cipher.updateAAD(buffer);
            return cipher.doFinal();
        });
        for (int mode : new int[] {Cipher.ENCRYPT_MODE, Cipher.DECRYPT_MODE}) {
            for (String name : List.of("GOST3412-2015/MGM/NoPadding", "GOST3412-2015/CTR/NoPadding")) {
                int iv = name.contains("MGM") ? 16 : 8;
                uses.put("input of " + name + mode, buffer -> {
                    ByteBuffer out = ByteBuffer.allocateDirect(buffer.remaining() + 16);
                    cipher(name, mode, iv).update(buffer, out);
                    byte[] done = new byte[out.flip().remaining()];
                    out.get(done);
                    return done;
                });
            }
        }
        uses.put("output", buffer -> {
            ByteBuffer start = buffer.duplicate();
            cipher("GOST3412-2015/CTR/NoPadding", Cipher.ENCRYPT_MODE, 8).doFinal(ByteBuffer.wrap(bytes(buffer.remaining())), buffer);
            byte[] done = new byte[start.remaining()];
            start.get(done);
            return done;
        });
        for (int size : new int[] {100, 5000, 100_000}) {
            for (var use : uses.entrySet()) {
                String words = use.getKey() + ", " + size + " bytes";
                Object expected = use.getValue().with(ByteBuffer.wrap(bytes(size)));
                for (String kind : List.of("ofConfined", "ofShared", "ofAuto", "global")) {
                    Arena arena = new Arena(kind, size);
                    arena.buffer.put(bytes(size)).flip();
                    assertArrayEquals((byte[]) expected, (byte[]) use.getValue().with(arena.buffer), words + ", " + kind);
                    if (kind.equals("ofConfined")) {
                        Throwable[] thrown = new Throwable[2];
                        Thread other = new Thread(() -> {
                            thrown[0] = assertThrows(RuntimeException.class, () -> use.getValue().with(arena.buffer.clear()));
                            thrown[1] = assertThrows(RuntimeException.class,
                                    () -> MessageDigest.getInstance("SHA-256").update(arena.buffer.clear()));
                        });
                        other.start();
                        other.join();
                        assertSame(thrown[1].getClass(), thrown[0].getClass(), words);
                    }
                    if (kind.equals("ofConfined") || kind.equals("ofShared")) {
                        arena.close();
                        assertThrows(IllegalStateException.class, () -> use.getValue().with(arena.buffer.clear()), words);
                    }
                }
            }
        }
    }
}
