package io.github.bulatcrypto;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The names of the services. BouncyCastle's come first, with its defaults; then CryptoPro's; the table's own names and
 * OIDs are added to the row that has the table's defaults.
 */
final class Names {
    /** A service of JCA: its type, names and the line behind it. */
    record Row(String type, String name, Set<String> aliases, Line line, GostParameterSpec usual) {}

    /** The names of a primitive in transformations. */
    private static final Map<String, List<String>> PRIMITIVES = Map.of(
            "Kuznyechik", List.of("GOST3412-2015", "Kuznyechik", "GOST3412_2015_K", "Grasshopper"),
            "Magma", List.of("Magma", "GOST3412_2015_M"),
            "Gost28147", List.of("GOST28147-89"));

    /** The names of a mode in transformations. */
    private static final Map<String, List<String>> MODES = Map.ofEntries(
            Map.entry("Ecb", List.of("ECB")),
            Map.entry("Cbc", List.of("CBC")),
            Map.entry("Cfb", List.of("CFB")),
            Map.entry("Ofb", List.of("OFB")),
            Map.entry("Ctr", List.of("CTR")),
            Map.entry("Cnt", List.of("CNT")),
            Map.entry("CtrAcpkm", List.of("CTR-ACPKM", "CTR_ACPKM")),
            Map.entry("CtrAcpkmOmac", List.of("CTR-ACPKM-OMAC", "OMAC_CTR")),
            Map.entry("Mgm", List.of("MGM")),
            Map.entry("Xts", List.of("XTS")),
            Map.entry("Kexp15", List.of("KEXP15")));

    /** The first name, then the others, of what is not a transformation. Names of 512 bits follow the names of 256. */
    private static final Map<String, List<String>> OTHERS = Map.ofEntries(
            Map.entry("streebog256", List.of("GOST3411-2012-256", "GOST-2012-256", "GOST-3411-2012-256",
                    "GOST3411_2012_256")),
            Map.entry("gost94", List.of("GOST3411", "GOST", "GOST-3411")),
            Map.entry("gost94-test", List.of("GOST3411-TEST")),
            Map.entry("hmac-streebog256", List.of("HMACGOST3411-2012-256", "HMAC-GOST3411-2012-256",
                    "HMAC/GOST3411-2012-256", "HMAC_GOSTR3411_2012_256", "HmacStreebog256")),
            Map.entry("kuznyechik-omac", List.of("GOST3412MAC", "GOST3412-2015", "Kuznyechik/OMAC")),
            Map.entry("magma-omac", List.of("MagmaMAC", "Magma/OMAC")),
            Map.entry("kuznyechik-omac-acpkm", List.of("GOST3412-2015/OMAC-ACPKM", "Kuznyechik/OMAC-ACPKM")),
            Map.entry("magma-omac-acpkm", List.of("Magma/OMAC-ACPKM")),
            Map.entry("gost-mac", List.of("GOST28147-89-MAC")),
            Map.entry("gost-mac-12", List.of("GOST28147-89-MAC-Z")),
            Map.entry("gost89-cnt-12", List.of("GOST28147-89-Z/CNT")),
            Map.entry("kdf-gostr3411-2012-256", List.of("KDF-GOSTR3411-2012-256")),
            Map.entry("kdf-tree", List.of("KDF-TREE-GOSTR3411-2012-256")),
            Map.entry("tlstree", List.of("TLSTREE")),
            Map.entry("pbkdf2-hmac-streebog256", List.of("PBKDF2WITHHMACGOST3411-2012-256",
                    "PBKDF2WithHmacStreebog256")),
            Map.entry("prf-tls-gostr3411-2012-256", List.of("PRF-TLS-GOSTR3411-2012-256")),
            Map.entry("prf-plus-streebog256", List.of("PRF-PLUS-GOSTR3411-2012-256")),
            Map.entry("hkdf-streebog256", List.of("HKDF-GOST3411-2012-256")),
            Map.entry("gost28147-keywrap", List.of("GOST28147-89/KEYWRAP")),
            Map.entry("cryptopro-keywrap", List.of("GOST28147-89/CRYPTOPRO-KEYWRAP")),
            Map.entry("gost28147-keywrap-12", List.of("GOST28147-89/KEYWRAP-12")));

    /** CryptoPro's names that follow no rule. */
    private static final Map<String, List<String>> CRYPTOPRO = Map.of(
            "kuznyechik-kexp15", List.of("GOST3412_2015_K/KEXP_2015_K_EXPORT"),
            "magma-kexp15", List.of("GOST3412_2015_M/KEXP_2015_M_EXPORT"),
            "gost89-cnt", List.of("GOST28147/CNT"));

    /** The S-boxes of BouncyCastle's names for GOST 28147-89, if no S-boxes are chosen. */
    static final GostParameterSpec OLD = GostParameterSpec.NONE.sboxes("hash-test");

    /** The S-boxes of the table's ciphers over GOST 28147-89, if no S-boxes are chosen. A test compares them with the library. */
    private static final Map<String, String> SBOXES = Map.of("gost89", "z", "gost89-cbc", "z", "gost89-ecb", "z",
            "gost89-cnt", "a", "gost89-cnt-12", "z");

    /** Lines without a service, and why. A test compares this with the table: it is empty. */
    static final Map<String, String> WITHOUT = Map.of();

    private Names() {}

    /** Returns a row for each name. */
    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        bouncyCastle(rows);
        for (Line line : Line.TABLE.values()) {
            own(rows, line);
        }
        return rows;
    }

    /** BouncyCastle's services with defaults of its own: no key meshing, other S-boxes, padding. */
    private static void bouncyCastle(List<Row> rows) {
        GostParameterSpec plain = OLD.meshing(false);
        row(rows, "Cipher", "gost89-ecb", OLD.padding(4), "GOST28147", "GOST", "GOST-28147");
        row(rows, "Cipher", "gost89-ecb", OLD, "GOST28147/ECB", "GOST/ECB", "GOST-28147/ECB");
        row(rows, "Cipher", "gost89-cbc", plain, "GOST28147/CBC", "GOST/CBC", "GOST-28147/CBC");
        row(rows, "Cipher", "gost89", plain, "GOST28147/CFB", "GOST/CFB", "GOST-28147/CFB");
        row(rows, "Cipher", "gost89", OLD.meshing(true), "GOST28147/GCFB", "GOST/GCFB", "GOST-28147/GCFB",
                "1.2.643.2.2.21");
        row(rows, "Cipher", "gost89-cnt", plain, "GOST28147/GOFB", "GOST/GOFB", "GOST-28147/GOFB");
        row(rows, "Cipher", "kuznyechik-ecb", GostParameterSpec.NONE.padding(4), "GOST3412-2015", "Kuznyechik");
        row(rows, "Cipher", "kuznyechik-cfb", GostParameterSpec.NONE.s(1), "GOST3412-2015/CFB8", "Kuznyechik/CFB8");
        row(rows, "Mac", "gost-mac", GostParameterSpec.NONE.meshing(false), "GOST28147MAC", "GOST28147");
    }

    private static void row(List<Row> rows, String type, String line, GostParameterSpec usual, String name,
            String... aliases) {
        rows.add(new Row(type, name, new LinkedHashSet<>(List.of(aliases)), Line.TABLE.get(line), usual));
    }

    /** The row of a line with the table's defaults and names. */
    private static void own(List<Row> rows, Line line) {
        List<String> names = new ArrayList<>(OTHERS.getOrDefault(line.name().replace("512", "256"), List.of()));
        names.replaceAll(name -> line.name().contains("512") ? name.replace("256", "512") : name);
        if (names.isEmpty()) {
            for (String primitive : PRIMITIVES.getOrDefault(line.primitive(), List.of())) {
                for (String mode : MODES.getOrDefault(line.scheme(), List.of())) {
                    names.add(primitive + "/" + mode);
                }
            }
        }
        names.addAll(CRYPTOPRO.getOrDefault(line.name(), List.of()));
        if (names.isEmpty()) {
            return;
        }
        names.add(line.name());
        names.addAll(line.aliases());
        if (!line.oid().isEmpty()) {
            names.add(line.oid());
        }
        String type = type(line);
        Set<String> taken = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (Row row : rows) {
            if (row.type().equals(type)) {
                taken.add(row.name());
                taken.addAll(row.aliases());
            }
        }
        names.removeIf(name -> !taken.add(name));
        Set<String> aliases = new LinkedHashSet<>(names.subList(1, names.size()));
        rows.add(new Row(type, names.get(0), aliases, line, usual(line)));
    }

    /** Returns the type of a line's services. */
    static String type(Line line) {
        return switch (line.kind()) {
            case "Hash" -> "MessageDigest";
            case "Mac" -> "Mac";
            case "Kdf" -> "SecretKeyFactory";
            default -> "Cipher";
        };
    }

    /** Returns the parameters of the table's names. */
    static GostParameterSpec usual(Line line) {
        String sboxes = SBOXES.get(line.name());
        return sboxes == null ? GostParameterSpec.NONE : GostParameterSpec.NONE.sboxes(sboxes);
    }
}
