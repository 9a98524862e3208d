package io.github.bulatcrypto.bench;

import io.github.bulatcrypto.Bulat;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.Security;
import java.util.Locale;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/** Prints the time of a call through JCA for bars.sh: provider, algorithm, bytes, the least nanoseconds of many short runs. */
public final class Bars {
    private static final SecretKeySpec KEY = new SecretKeySpec(new byte[32], "GOST3412-2015");
    private static final SecretKeySpec AES = new SecretKeySpec(new byte[32], "AES");

    private Bars() {}

    private interface Work {
        void run() throws Exception;
    }

    private static long now() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static void time(String who, String name, int size, long about, Work work) throws Exception {
        int calls = (int) Math.max(1, 1_000_000 / about);
        long least = Long.MAX_VALUE;
        // In processor time, so that other work shortens neither the measurement nor the time to compile.
        long end = now() + 1_200_000_000L;
        for (long start = now(); start < end; start = now()) {
            for (int i = 0; i < calls; i++) {
                work.run();
            }
            least = Math.min(least, now() - start);
        }
        System.out.printf(Locale.ROOT, "%s %s %d %.1f%n", who, name, size, (double) least / calls);
    }

    /** The JDK's own providers: AES in place of Kuznyechik, GCM of MGM, SHA-256 of Streebog. */
    private static boolean own(Provider by) {
        return by.getName().startsWith("Sun") || by.getName().equals("SUN");
    }

    private static void digest(Provider by, int size) throws Exception {
        MessageDigest digest = MessageDigest.getInstance(own(by) ? "SHA-256" : "GOST3411-2012-256", by);
        byte[] message = new byte[size];
        time(by.getName(), "streebog256", size, size * 2L + 400, () -> digest.digest(message));
    }

    private static Cipher cipher(Provider by, String mode) throws Exception {
        return Cipher.getInstance((own(by) ? "AES/" : "GOST3412-2015/") + mode + "/NoPadding", by);
    }

    /** With its init, in place as the calls from C are, or between direct buffers. */
    private static void cipher(Provider by, String mode, String name, int iv, int size, long about, boolean direct)
            throws Exception {
        Cipher cipher = cipher(by, mode);
        byte[] text = new byte[size + 16];
        ByteBuffer from = ByteBuffer.allocateDirect(size);
        ByteBuffer to = ByteBuffer.allocateDirect(size + 16);
        ByteBuffer nonce = ByteBuffer.allocate(iv);
        long[] count = {0};
        time(by.getName(), name + (direct ? "-direct" : ""), size, about, () -> {
            byte[] bytes = nonce.putLong(0, ++count[0]).array();
            if (mode.equals("GCM")) {
                cipher.init(Cipher.ENCRYPT_MODE, AES, new GCMParameterSpec(128, bytes));
            } else {
                cipher.init(Cipher.ENCRYPT_MODE, own(by) ? AES : KEY, new IvParameterSpec(bytes));
            }
            if (direct) {
                cipher.doFinal(from.clear(), to.clear());
            } else {
                cipher.doFinal(text, 0, size, text, 0);
            }
        });
    }

    /** Without init, after which CTR is as it was: the call itself. */
    private static void again(Provider by, int size) throws Exception {
        Cipher cipher = cipher(by, "CTR");
        byte[] text = new byte[size];
        cipher.init(Cipher.ENCRYPT_MODE, own(by) ? AES : KEY, new IvParameterSpec(new byte[own(by) ? 16 : 8]));
        time(by.getName(), "kuznyechik-ctr-again", size, size / 4 + 200, () -> cipher.doFinal(text, 0, size, text, 0));
    }

    /** Prints a line for each measurement. */
    public static void main(String[] arguments) throws Exception {
        Provider bulat = Bulat.provider();
        Provider theirs = new BouncyCastleProvider();
        for (int size : new int[] {16, 16384}) {
            digest(bulat, size);
            again(bulat, size);
            cipher(bulat, "CTR", "kuznyechik-ctr", 8, size, size / 4 + 200, false);
            cipher(bulat, "MGM", "kuznyechik-mgm", 16, size, size / 2 + 400, false);
            cipher(bulat, "MGM", "kuznyechik-mgm", 16, size, size / 2 + 400, true);
        }
        Provider own = Security.getProvider("SunJCE");
        digest(Security.getProvider("SUN"), 16);
        again(own, 16);
        cipher(own, "CTR", "kuznyechik-ctr", 16, 16, 200, false);
        cipher(own, "GCM", "kuznyechik-mgm", 12, 16, 400, false);
        cipher(own, "GCM", "kuznyechik-mgm", 12, 16, 400, true);
        digest(theirs, 16384);
        cipher(theirs, "CTR", "kuznyechik-ctr", 8, 16384, 2_500_000, false);
    }
}
