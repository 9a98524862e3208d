package io.github.bulatcrypto.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bulatcrypto.Bulat;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The functions answer as the provider does, and no key is in a plan, an event log or a log. */
class SparkTest {
    private static final byte[] KEY = new byte[32];

    @TempDir
    Path folder;

    private SparkSession spark;
    private final StringBuilder plans = new StringBuilder();

    private List<Row> rows(String sql) {
        for (String mode : List.of("EXTENDED", "CODEGEN", "FORMATTED", "COST")) {
            plans.append(spark.sql("EXPLAIN " + mode + " " + sql).first().getString(0)).append('\n');
        }
        return spark.sql(sql).collectAsList();
    }

    private Exception refused(String sql) {
        return assertThrows(Exception.class, () -> spark.sql(sql).collectAsList(), sql);
    }

    @Test
    void functions() throws Exception {
        new SecureRandom().nextBytes(KEY);
        Path keys = Files.createDirectory(folder.resolve("keys"));
        Path events = Files.createDirectory(folder.resolve("events"));
        Files.writeString(keys.resolve("cards"), HexFormat.of().formatHex(KEY) + "\n");
        Files.writeString(keys.resolve("short"), "0011");
        spark = SparkSession.builder().master("local[2]")
                .config("spark.sql.extensions", BulatExtensions.class.getName())
                .config("spark.sql.catalog.gost", BulatCatalog.class.getName())
                .config("spark.bulat.keys", keys.toString())
                .config("spark.eventLog.enabled", "true").config("spark.eventLog.compress", "false")
                .config("spark.eventLog.dir", events.toUri().toString())
                .config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "2")
                .config("spark.sql.warehouse.dir", folder.resolve("warehouse").toString())
                .getOrCreate();
        try {
            answers();
            refusals();
        } finally {
            spark.stop();
        }
        noKeyIn("plans", plans.toString());
        int files = 0;
        try (var all = Files.walk(events)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                String text = Files.readString(file, StandardCharsets.ISO_8859_1);
                noKeyIn(file.toString(), text);
                files += text.contains("gost_encrypt") ? 1 : 0;
            }
        }
        assertTrue(files > 0, "an event log has the queries");
        String log = Files.readString(Path.of("target/spark.log"), StandardCharsets.ISO_8859_1);
        assertTrue(log.contains("gost_encrypt"), "the log has the queries");
        noKeyIn("the log", log);
    }

    private static void noKeyIn(String name, String text) {
        for (String form : List.of(HexFormat.of().formatHex(KEY).substring(0, 24),
                Base64.getEncoder().encodeToString(KEY).substring(0, 16), new String(KEY, StandardCharsets.ISO_8859_1),
                KEY[0] + ", " + KEY[1] + ", " + KEY[2] + ", " + KEY[3] + ", " + KEY[4] + ", " + KEY[5])) {
            assertFalse(text.toLowerCase(Locale.ROOT).contains(form.toLowerCase(Locale.ROOT)), "a key in " + name);
        }
    }

    private void answers() throws Exception {
        Mac mac = Mac.getInstance("HMACGOST3411-2012-256", Bulat.provider());
        mac.init(new SecretKeySpec(KEY, "GOST"));
        spark.sql("CREATE TEMPORARY VIEW t AS SELECT id, CAST(repeat(CAST(id AS STRING), CAST(id % 7 AS INT)) AS BINARY) AS b "
                + "FROM range(0, 500, 1, 4)");
        // Names from the extensions, and from the catalog.
        for (String gost : List.of("", "gost.")) {
            List<Row> rows = rows(("SELECT b, @streebog256(b), @streebog512(b), @gost_hmac(b, 'cards'), "
                    + "@gost_decrypt(@gost_encrypt(b, 'cards'), 'cards'), "
                    + "@gost_decrypt(@gost_encrypt(b, 'cards', b), 'cards', b), "
                    + "@streebog256(CAST(NULL AS BINARY)), @gost_hmac(b, CAST(NULL AS STRING)), "
                    + "@gost_encrypt(b, 'cards', CAST(NULL AS BINARY)) FROM t").replace("@", gost));
            assertEquals(500, rows.size());
            for (Row row : rows) {
                byte[] b = row.getAs(0);
                assertArrayEquals(Bulat.streebog256(b), row.<byte[]>getAs(1));
                assertArrayEquals(Bulat.streebog512(b), row.<byte[]>getAs(2));
                assertArrayEquals(mac.doFinal(b), row.<byte[]>getAs(3));
                assertArrayEquals(b, row.<byte[]>getAs(4));
                assertArrayEquals(b, row.<byte[]>getAs(5));
                assertTrue(row.isNullAt(6) && row.isNullAt(7) && row.isNullAt(8));
            }
            long different = spark.sql("SELECT DISTINCT " + gost + "gost_encrypt(CAST('x' AS BINARY), 'cards') FROM t").count();
            assertEquals(500, different, "each row has its nonce");
        }
        assertEquals(5, spark.sql("SHOW USER FUNCTIONS IN gost").count());
        assertTrue(plans.toString().contains("WholeStageCodegen"));
    }

    private void refusals() {
        assertTrue(refused("SELECT gost.gost_hmac(b, '../cards') FROM t").toString().contains("name has only"));
        refused("SELECT gost.gost_encrypt(b) FROM t");
        refused("SELECT gost.streebog256(1.5) FROM t");
        refused("SELECT gost.kuznyechik(b) FROM t");
        assertTrue(refused("SELECT gost_hmac(b, 'nobody') FROM t").toString().contains("the key nobody cannot be read"));
        assertTrue(refused("SELECT gost_hmac(b, 'short') FROM t").toString().contains("64 hexadecimal digits"));
        assertTrue(refused("SELECT gost_hmac(b, '../cards') FROM t").toString().contains("name has only"));
        assertTrue(refused("SELECT gost_hmac(b, '" + "00".repeat(32) + "') FROM t").toString().contains("not the key"));
        assertTrue(refused("SELECT gost_decrypt(b, 'cards') FROM t").toString().contains("not a ciphertext"));
        assertTrue(refused("SELECT gost_decrypt(gost_encrypt(b, 'cards', b), 'cards') FROM t WHERE id % 7 > 0").toString()
                .contains("the tag is wrong"));
        refused("SELECT gost_encrypt(b) FROM t");
    }
}
