package io.github.bulatcrypto;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The calls of the native library, which {@code native/} implements. A range is in an array, or if that is null in a
 * direct buffer; {@link Context} checks it. A negative result is the number of an error: see {@link Fault}.
 */
final class Native {
    /** The platforms that a release has jars for. */
    private static final List<String> PLATFORMS = List.of("linux-x86_64", "linux-aarch64", "windows-x86_64");

    static {
        try {
            load();
        } catch (IllegalCallerException e) {
            throw (Error) new UnsatisfiedLinkError("this virtual machine refuses native libraries: start it with "
                    + "--enable-native-access=ALL-UNNAMED, on the module path --enable-native-access=io.github.bulatcrypto: "
                    + e.getMessage()).initCause(e);
        }
    }

    private Native() {}

    static native String table();

    static native String errors();

    static native String sboxes();

    static native long context(int algorithm);

    static native long copy(long context);

    static native int free(long context);

    static native int wipe(long context);

    static native int options(long context, int[] options, byte[] rows);

    static native ByteBuffer desk(long context, int size);

    static native int start(long context, boolean encrypt, int key, int iv);

    static native int absorb(long context, byte[] array, ByteBuffer buffer, int at, int length);

    static native int transform(long context, byte[] array, ByteBuffer buffer, int at, int length,
            byte[] output, ByteBuffer outputBuffer, int outputAt, int room);

    static native int finish(long context, byte[] array, ByteBuffer buffer, int at, int length,
            byte[] output, ByteBuffer outputBuffer, int outputAt, int room);

    static native int digest(int algorithm, byte[] array, int at, int length, byte[] output, int outputAt, int room);

    static native int derive(int algorithm, byte[] key, byte[] salt, byte[] label, byte[] seed, int iterations,
            int counter, int suite, long record, byte[] output);

    static native int wrappedLength(int algorithm, int iv, int secret);

    static native int wrap(int algorithm, boolean wrap, byte[] key, byte[] iv, int sboxes, byte[] rows, byte[] input,
            byte[] output);

    static native int hashAll(int algorithm, byte[][] messages, byte[] digests);

    static native int aeadAll(long context, boolean seal, byte[][] nonces, byte[][] aads, byte[][] texts,
            byte[][] outputs, int[] results);

    /**
     * Loads the library: the file {@code bulat.library} names; or a file on {@code java.library.path}; or the file in a jar,
     * unpacked to a folder of its own in {@code bulat.folder} or {@code java.io.tmpdir} and deleted once it is loaded.
     */
    private static void load() {
        String file = System.getProperty("bulat.library");
        if (file != null) {
            System.load(Path.of(file).toAbsolutePath().toString());
            return;
        }
        try {
            System.loadLibrary("bulat_java");
            return;
        } catch (UnsatisfiedLinkError notThere) {
            if (!String.valueOf(notThere.getMessage()).startsWith("no bulat_java in")) {
                throw notThere;
            }
        }
        String name = System.mapLibraryName("bulat_java");
        String resource = "META-INF/native/" + platform() + "/" + name;
        Path folder = null;
        Path unpacked = null;
        // Through the loader: on the module path the jar of the platform is a separate module.
        try (InputStream library = Native.class.getClassLoader().getResourceAsStream(resource)) {
            if (library == null) {
                throw new UnsatisfiedLinkError(PLATFORMS.contains(platform())
                        ? "no " + resource + " on the class path: add the jar bulat with the classifier " + platform()
                                + ", or name the file by -Dbulat.library"
                        : "bulat has no jar for " + platform() + ", only for " + String.join(", ", PLATFORMS)
                                + ": build the library there (cargo build --release -p bulat-java) and name it by "
                                + "-Dbulat.library");
            }
            String in = System.getProperty("bulat.folder", System.getProperty("java.io.tmpdir"));
            // Only its owner may enter it, where the file system has owners.
            folder = Files.createTempDirectory(Path.of(in), "bulat");
            unpacked = folder.resolve(name);
            Files.copy(library, unpacked);
            System.load(unpacked.toAbsolutePath().toString());
        } catch (IOException e) {
            throw (Error) new UnsatisfiedLinkError("the native library cannot be unpacked: set -Dbulat.folder to a "
                    + "folder that can be written: " + e).initCause(e);
        } catch (UnsatisfiedLinkError e) {
            if (unpacked == null) {
                throw e;
            }
            throw (Error) new UnsatisfiedLinkError("the native library cannot be loaded; if its folder is mounted "
                    + "noexec, set -Dbulat.folder to another; on a system without glibc, such as Alpine, build it there "
                    + "(cargo build --release -p bulat-java) and name it by -Dbulat.library: "
                    + e.getMessage()).initCause(e);
        } finally {
            delete(unpacked);
            delete(folder);
        }
    }

    private static void delete(Path path) {
        if (path != null && !path.toFile().delete()) {
            // Windows keeps a loaded library until the virtual machine ends.
            path.toFile().deleteOnExit();
        }
    }

    /** Returns the name of this platform in the names of jars. */
    static String platform() {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String family = os.startsWith("windows") ? "windows" : os.startsWith("mac") ? "osx" : "linux";
        String processor = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        return family + "-" + switch (processor) {
            case "amd64", "x86_64" -> "x86_64";
            case "arm64", "aarch64" -> "aarch64";
            default -> processor;
        };
    }
}
