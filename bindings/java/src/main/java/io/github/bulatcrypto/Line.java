package io.github.bulatcrypto;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A line of the table of algorithms, with sizes in bytes. */
record Line(int index, String name, List<String> aliases, String oid, String kind, String primitive, String scheme,
        int key, int leastIv, int mostIv, int stepIv, int block, int output, String note) {

    /** All lines by their names, in order. */
    static final Map<String, Line> TABLE = read();

    private static Map<String, Line> read() {
        Map<String, Line> table = new LinkedHashMap<>();
        for (String text : Native.table().split("\n")) {
            String[] f = text.split("\t", -1);
            List<String> aliases = new ArrayList<>(f[1].isEmpty() ? List.of() : List.of(f[1].split("\\|")));
            int[] n = new int[6];
            for (int i = 0; i < 6; i++) {
                n[i] = Integer.parseInt(f[6 + i]);
            }
            table.put(f[0], new Line(table.size(), f[0], aliases, f[2], f[3], f[4], f[5],
                    n[0], n[1], n[2], n[3], n[4], n[5], f[12]));
        }
        return table;
    }

    boolean aead() {
        return kind.equals("Aead");
    }

    /** Returns whether an IV of this length fits the algorithm. */
    boolean allowsIv(int length) {
        return length >= leastIv && length <= mostIv && (length - leastIv) % stepIv == 0;
    }

    /** Returns the length of the digests of the hash inside. */
    int digest() {
        return primitive.equals("Streebog512") ? 64 : 32;
    }

    /** Returns whether messages need an IV. */
    boolean needsIv() {
        return leastIv > 0;
    }

    /** Returns whether blocks are held back: the text's length, and its place in the output, depend on them. */
    boolean holds() {
        return scheme.equals("Ecb") || scheme.equals("Cbc") || scheme.equals("Xts");
    }
}
