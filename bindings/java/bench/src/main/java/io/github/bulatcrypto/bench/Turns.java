package io.github.bulatcrypto.bench;

import java.lang.management.ManagementFactory;
import java.util.Locale;

/** Bulat and BouncyCastle by turns, in processor time of the thread, for a machine with other work: least of the turns. */
public final class Turns {
    private Turns() {}

    private interface Work {
        Object run(Ratios r) throws Exception;
    }

    private static long time(Ratios r, Work work, int times) throws Exception {
        long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (int i = 0; i < times; i++) {
            work.run(r);
        }
        return (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start) / times;
    }

    /**
     * Prints a line for each algorithm and size.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) throws Exception {
        String[] names = {"Streebog-256", "Kuznyechik-CTR", "Kuznyechik-OMAC"};
        Work[] works = {Ratios::streebog256, Ratios::ctr, Ratios::omac};
        for (int size : new int[] {16, 1024, 16384}) {
            for (int w = 0; w < works.length; w++) {
                Ratios[] pair = {new Ratios(), new Ratios()};
                long[] least = {Long.MAX_VALUE, Long.MAX_VALUE};
                for (int turn = 0; turn < 5; turn++) {
                    for (int who = 0; who < 2; who++) {
                        if (turn == 0) {
                            pair[who].size = size;
                            pair[who].provider = who == 0 ? "Bulat" : "BC";
                            pair[who].setup();
                        }
                        int times = who == 0 ? 4_000_000 / (size + 200) : 400_000 / (size + 200) + 3;
                        least[who] = Math.min(least[who], time(pair[who], works[w], times));
                    }
                }
                System.out.printf(Locale.ROOT, "%-16s %6d B: Bulat %8d ns, BouncyCastle %9d ns, %.0f times%n", names[w],
                        size, least[0], least[1], (double) least[1] / least[0]);
            }
        }
    }
}
