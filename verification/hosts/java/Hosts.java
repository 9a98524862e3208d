import java.io.*;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.*;
import java.security.*;
import java.util.*;
import java.util.concurrent.*;
import javax.crypto.*;
import javax.crypto.spec.*;

/** Uses of the provider Bulat through classes of the JDK: each twice, with misuse, and with values from the vectors. */
public class Hosts {
    static final Properties VECTORS = new Properties();
    static final char[] PASSWORD = "password".toCharArray();

    static byte[] hex(String name) {
        return HexFormat.of().parseHex(VECTORS.getProperty(name));
    }

    static void same(Object wanted, Object got, String words) {
        if (!Objects.deepEquals(wanted, got)) {
            throw new AssertionError(words + ": " + got + ", not " + wanted);
        }
    }

    interface Call {
        Object call() throws Throwable;
    }

    static void refuses(Class<?> wanted, Class<?> cause, Call call, String words) {
        try {
            call.call();
        } catch (Throwable e) {
            same(wanted, e.getClass(), words);
            same(cause, e.getCause() == null ? null : e.getCause().getClass(), words);
            return;
        }
        throw new AssertionError(words + ": accepted");
    }

    static Cipher cipher(String aead, int mode) throws Exception {
        Cipher cipher = Cipher.getInstance(VECTORS.getProperty(aead + ".name"));
        cipher.init(mode, new SecretKeySpec(hex(aead + ".key"), "GOST"), new IvParameterSpec(hex(aead + ".iv")));
        if (hex(aead + ".aad").length > 0) {
            cipher.updateAAD(hex(aead + ".aad"));
        }
        return cipher;
    }

    static void streams() throws Exception {
        for (String aead : VECTORS.getProperty("aeads").split(" ")) {
            byte[] text = hex(aead + ".msg");
            byte[] sealed = hex(aead + ".sealed");
            byte[] changed = sealed.clone();
            changed[0] ^= 1;
            for (int i = 0; i < 2; i++) {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                try (OutputStream stream = new CipherOutputStream(out, cipher(aead, Cipher.ENCRYPT_MODE))) {
                    stream.write(text);
                }
                same(sealed, out.toByteArray(), aead + " sealed by a stream");
                InputStream in = new CipherInputStream(new ByteArrayInputStream(sealed), cipher(aead, Cipher.DECRYPT_MODE));
                same(text, in.readAllBytes(), aead + " by CipherInputStream");
                ByteArrayOutputStream opened = new ByteArrayOutputStream();
                try (OutputStream stream = new CipherOutputStream(opened, cipher(aead, Cipher.DECRYPT_MODE))) {
                    stream.write(sealed);
                }
                same(text, opened.toByteArray(), aead + " by CipherOutputStream");
                Cipher pieces = cipher(aead, Cipher.DECRYPT_MODE);
                pieces.update(sealed);
                same(text, pieces.doFinal(), aead + " by update and doFinal()");
            }
            refuses(IOException.class, AEADBadTagException.class, () -> new CipherInputStream(
                    new ByteArrayInputStream(changed), cipher(aead, Cipher.DECRYPT_MODE)).readAllBytes(), aead);
            Cipher pieces = cipher(aead, Cipher.DECRYPT_MODE);
            pieces.update(changed);
            refuses(AEADBadTagException.class, null, pieces::doFinal, aead);
        }
        for (String hash : new String[] {"GOST3411-2012-256", "GOST3411-2012-512"}) {
            for (int i = 0; i < 2; i++) {
                DigestInputStream in = new DigestInputStream(new ByteArrayInputStream(hex(hash + ".msg")), MessageDigest.getInstance(hash));
                in.readAllBytes();
                same(hex(hash + ".md"), in.getMessageDigest().digest(), hash);
            }
        }
    }

    static void sealed() throws Exception {
        String[] names = {"Kuznyechik/MGM", "Kuznyechik/CTR", "Kuznyechik/CBC", "Kuznyechik/CFB", "Kuznyechik/OFB", "Kuznyechik/ECB",
            "Kuznyechik/CTR-ACPKM", "Kuznyechik/CTR-ACPKM-OMAC", "GOST3412-2015/XTS", "Magma/MGM", "Magma/CTR", "Magma/CBC",
            "GOST28147/CFB", "GOST28147/GCFB", "GOST28147/CNT", "GOST28147/CBC", "GOST28147-89/CFB", "GOST28147-89/CNT"};
        int[] ivs = {16, 8, 16, 16, 16, 0, 8, 16, 16, 8, 4, 8, 8, 8, 8, 8, 8, 8};
        for (int i = 0; i < names.length; i++) {
            String name = names[i] + (names[i].matches(".*(CBC|ECB)") ? "/PKCS5Padding" : "/NoPadding");
            byte[] key = new byte[name.contains("XTS") ? 64 : 32];
            key[0] = 1;
            SecretKey secret = new SecretKeySpec(key, "GOST");
            for (int times = 0; times < 2; times++) {
                byte[] iv = new byte[ivs[i]];
                if (iv.length > 0) {
                    iv[1] = (byte) times;
                }
                Cipher cipher = Cipher.getInstance(name);
                cipher.init(Cipher.ENCRYPT_MODE, secret, iv.length == 0 ? null : new IvParameterSpec(iv));
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                new ObjectOutputStream(out).writeObject(new SealedObject("text".repeat(1000), cipher));
                SealedObject read = (SealedObject) new ObjectInputStream(new ByteArrayInputStream(out.toByteArray())).readObject();
                same("text".repeat(1000), read.getObject(secret), name);
            }
        }
        Cipher cipher = Cipher.getInstance("Kuznyechik/MGM/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[32], "GOST"), new GCMParameterSpec(96, new byte[16]));
        refuses(IOException.class, null, () -> new SealedObject("text", cipher), "a short tag");
    }

    /** Keys in stores of both kinds; `file` is a store that keytool made. */
    static void stores(String type, String file, String alias) throws Exception {
        Cipher cipher = Cipher.getInstance("Kuznyechik/MGM/NoPadding");
        for (int i = 0; i < 2; i++) {
            for (String name : List.of("GOST3412-2015", "Magma", "GOST28147", "HMACGOST3411-2012-256")) {
                SecretKey key = KeyGenerator.getInstance(name, "Bulat").generateKey();
                KeyStore store = KeyStore.getInstance(type);
                store.load(null, null);
                store.setEntry("a", new KeyStore.SecretKeyEntry(key), new KeyStore.PasswordProtection(PASSWORD));
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                store.store(out, PASSWORD);
                KeyStore read = KeyStore.getInstance(type);
                read.load(new ByteArrayInputStream(out.toByteArray()), PASSWORD);
                same(key.getEncoded(), read.getKey("a", PASSWORD).getEncoded(), name);
                refuses(UnrecoverableKeyException.class, null, () -> {
                    try {
                        return read.getKey("a", "another".toCharArray());
                    } catch (UnrecoverableKeyException e) {
                        throw new UnrecoverableKeyException();
                    }
                }, name);
            }
        }
        KeyStore store = KeyStore.getInstance(new File(file), PASSWORD);
        Key key = store.getKey(alias, PASSWORD);
        same(32, key.getEncoded().length, file);
        cipher.init(Cipher.ENCRYPT_MODE, key);
        same(5 + 16, cipher.doFinal(new byte[5]).length, file);
    }

    /** Closed arenas (from Java 22 on). */
    static void arenas() throws Exception {
        Class<?> arena = Class.forName("java.lang.foreign.Arena");
        for (int i = 0; i < 2; i++) {
            Object made = arena.getMethod("ofShared").invoke(null);
            Object segment = arena.getMethod("allocate", long.class).invoke(made, 64L << 20);
            ByteBuffer buffer = (ByteBuffer) Class.forName("java.lang.foreign.MemorySegment").getMethod("asByteBuffer").invoke(segment);
            MessageDigest digest = MessageDigest.getInstance("GOST3411-2012-256");
            byte[] message = hex("GOST3411-2012-256.msg");
            buffer.put(0, message);
            digest.update(buffer.slice(0, message.length));
            same(hex("GOST3411-2012-256.md"), digest.digest(), "a buffer of an arena");
            ((AutoCloseable) made).close();
            refuses(IllegalStateException.class, null, () -> {
                digest.update(buffer);
                return null;
            }, "a closed arena");
        }
    }

    static Provider load(URLClassLoader loader) throws Exception {
        return (Provider) loader.loadClass("io.github.bulatcrypto.BulatProvider").getConstructor().newInstance();
    }

    /** Three class loaders at once; then redeploys, each of which must leave nothing mapped and no file. */
    static void loaders(String jar) throws Exception {
        URL[] path = {Path.of(jar).toUri().toURL()};
        ClassLoader parent = ClassLoader.getPlatformClassLoader();
        List<MessageDigest> three = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            three.add(MessageDigest.getInstance("GOST3411-2012-256", load(new URLClassLoader(path, parent))));
        }
        List<WeakReference<ClassLoader>> gone = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            deploy(path, parent, gone);
        }
        for (int i = 0; i < 600 && mapped() > 3; i++) {
            System.gc();
            Thread.sleep(100);
        }
        same(0L, gone.stream().filter(loader -> loader.get() != null).count(), "class loaders that stay");
        if (mapped() > 3) {
            throw new AssertionError(mapped() + " libraries are mapped, not 3");
        }
        for (MessageDigest digest : three) {
            same(hex("GOST3411-2012-256.md"), digest.digest(hex("GOST3411-2012-256.msg")), "one of three loaders");
        }
    }

    static void deploy(URL[] path, ClassLoader parent, List<WeakReference<ClassLoader>> gone) throws Exception {
        try (URLClassLoader loader = new URLClassLoader(path, parent)) {
            gone.add(new WeakReference<>(loader));
            Provider bulat = load(loader);
            SecretKey key = new SecretKeySpec(hex("kuznyechik.key"), "GOST");
            same(hex("GOST3411-2012-256.md"), MessageDigest.getInstance("GOST3411-2012-256", bulat).digest(hex("GOST3411-2012-256.msg")), "digest");
            MessageDigest.getInstance("GOST3411", bulat).digest(new byte[10]);
            Mac mac = Mac.getInstance("GOST3412MAC", bulat);
            mac.init(key);
            mac.doFinal(new byte[5000]);
            Cipher cipher = Cipher.getInstance("Kuznyechik/MGM/NoPadding", bulat);
            cipher.init(Cipher.ENCRYPT_MODE, key);
            cipher.doFinal(new byte[5000]);
            loader.loadClass("io.github.bulatcrypto.Bulat").getMethod("hashAll", String.class, byte[][].class)
                    .invoke(null, "GOST3411-2012-256", new byte[300][5000]);
        }
    }

    static long mapped() throws IOException {
        // The first lines of each: with the offset 0.
        return Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.contains("bulat_java") && line.split("\\s+")[2].equals("00000000")).count();
    }

    static void threads() throws Exception {
        ExecutorService pool = (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        List<Future<byte[]>> sums = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            sums.add(pool.submit(() -> MessageDigest.getInstance("GOST3411-2012-512").digest(hex("GOST3411-2012-512.msg"))));
        }
        for (Future<byte[]> sum : sums) {
            same(hex("GOST3411-2012-512.md"), sum.get(), "a virtual thread");
        }
        pool.shutdown();
    }

    /** Hashes with the provider that the virtual machine has; with KDF from Java 25 on. */
    static void hash() throws Exception {
        for (int i = 0; i < 2; i++) {
            same(hex("GOST3411-2012-256.md"), MessageDigest.getInstance("GOST3411-2012-256").digest(hex("GOST3411-2012-256.msg")), "digest");
        }
        Provider bulat = Security.getProvider("Bulat");
        long kdfs = bulat.getServices().stream().filter(service -> service.getType().equals("KDF")).count();
        same(Runtime.version().feature() >= 25, kdfs > 0, "services of KDF: " + kdfs);
    }

    public static void main(String[] args) throws Exception {
        try (Reader reader = Files.newBufferedReader(Path.of(System.getProperty("vectors")))) {
            VECTORS.load(reader);
        }
        if (!args[0].equals("loaders") && Security.getProvider("Bulat") == null) {
            Security.addProvider((Provider) Class.forName("io.github.bulatcrypto.BulatProvider").getConstructor().newInstance());
        }
        switch (args[0]) {
            case "streams" -> streams();
            case "sealed" -> sealed();
            case "stores" -> stores(args[1], args[2], args[3]);
            case "arenas" -> arenas();
            case "loaders" -> loaders(args[1]);
            case "threads" -> threads();
            case "hash" -> hash();
            default -> throw new IllegalArgumentException(args[0]);
        }
    }
}
