package io.github.bulatcrypto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.Provider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import org.junit.jupiter.api.Test;

/** The services are the lines of the table of algorithms: a new line fails here until it has a name, or a reason. */
class TableTest {
    @Test
    void everyAlgorithmHasAName() {
        List<String> lost = new ArrayList<>();
        for (Line line : Line.TABLE.values()) {
            boolean named = Names.rows().stream().anyMatch(row -> row.line() == line);
            if (named == Names.WITHOUT.containsKey(line.name())) {
                lost.add(line.name());
            }
        }
        assertEquals(List.of(), lost, "give these lines a name in Names, or a reason in Names.WITHOUT");
    }

    @Test
    void theTablesNamesMeanItsDefaults() {
        Provider provider = Bulat.provider();
        for (Line line : Line.TABLE.values()) {
            List<String> names = new ArrayList<>(line.aliases());
            names.add(line.name());
            for (String name : names) {
                Provider.Service service = provider.getService(Names.type(line), name);
                assertNotNull(service, name);
                Names.Row row = Names.rows().stream().filter(r -> r.type().equals(Names.type(line))
                        && r.name().equals(service.getAlgorithm())).findFirst().orElseThrow();
                assertEquals(line, row.line(), name);
                assertTrue(row.usual().same(Names.usual(line)), name);
            }
            if (!line.oid().isEmpty()) {
                assertNotNull(provider.getService(Names.type(line), line.oid()), line.oid());
            }
        }
    }

    /** The library encrypts under these S-boxes where no S-boxes are chosen. */
    @Test
    void theUsualSboxesAreTheLibrarys() throws Exception {
        for (Line line : Line.TABLE.values()) {
            if (!line.primitive().equals("Gost28147") || !line.kind().equals("Cipher")) {
                assertTrue(Names.usual(line).same(GostParameterSpec.NONE), line.name());
                continue;
            }
            List<String> same = new ArrayList<>();
            for (String set : GostParameterSpec.SBOXES) {
                if (Arrays.equals(encrypted(line, GostParameterSpec.NONE), encrypted(line, GostParameterSpec.NONE.sboxes(set)))) {
                    same.add(set);
                }
            }
            assertEquals(1, same.size(), line.name());
            assertTrue(Names.usual(line).same(GostParameterSpec.NONE.sboxes(same.get(0))), line.name() + ": " + same);
        }
    }

    private static byte[] encrypted(Line line, GostParameterSpec usual) throws Exception {
        CipherEngine engine = new CipherEngine(Bulat.provider(), line, usual);
        engine.engineInit(Cipher.ENCRYPT_MODE, new GostKey("RAW", new byte[32]),
                line.needsIv() ? new IvParameterSpec(new byte[8]) : null, null);
        return engine.engineDoFinal(new byte[64], 0, 64);
    }

    @Test
    void noNameIsGivenTwice() {
        List<String> seen = new ArrayList<>();
        for (Names.Row row : Names.rows()) {
            List<String> names = new ArrayList<>(row.aliases());
            names.add(row.name());
            for (String name : names) {
                String full = row.type() + "." + name.toUpperCase(Locale.ROOT);
                assertTrue(!seen.contains(full), full);
                seen.add(full);
            }
        }
    }

    @Test
    void sboxesAreInTheLibrarysOrder() {
        assertEquals(List.of("1.2.643.2.2.31.0", "1.2.643.2.2.31.1", "1.2.643.2.2.31.2", "1.2.643.2.2.31.3",
                "1.2.643.2.2.31.4", "1.2.643.7.1.2.5.1.1", "1.2.643.2.2.30.0", "1.2.643.2.2.30.1"),
                GostParameterSpec.oids());
        assertEquals(GostParameterSpec.oids().size(), GostParameterSpec.SBOXES.size());
    }

    @Test
    void cryptoProsNames() throws Exception {
        for (String name : List.of("GOST3412_2015_K/CTR_ACPKM/NoPadding", "GOST3412_2015_M/CTR_ACPKM/NoPadding",
                "GOST3412_2015_K/OMAC_CTR/NoPadding", "GOST3412_2015_K/KEXP_2015_K_EXPORT/NoPadding",
                "GOST3412_2015_M/KEXP_2015_M_EXPORT/NoPadding", "GOST28147/CFB/NoPadding", "GOST28147/CNT/NoPadding")) {
            assertNotNull(Cipher.getInstance(name, Bulat.provider()), name);
        }
    }
}
