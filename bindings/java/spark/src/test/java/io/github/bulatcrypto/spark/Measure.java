package io.github.bulatcrypto.spark;

import io.github.bulatcrypto.Bulat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.junit.jupiter.api.Test;

/** Not a test: bars.sh runs it by name. Prints the time of each function over a cached column next to the built-in sha2. */
class Measure {
    private static final int TURNS = 5;
    private static final int BATCH = 4096;

    private interface Work {
        void run();
    }

    private static void print(String what, int size, int rows, Map<String, Work> works) {
        long[] least = new long[works.size()];
        for (int turn = -1; turn < TURNS; turn++) {
            int i = 0;
            for (Work work : works.values()) {
                long start = System.nanoTime();
                work.run();
                long took = System.nanoTime() - start;
                least[i] = turn <= 0 ? took : Math.min(least[i], took);
                i++;
            }
        }
        int i = 0;
        for (String name : works.keySet()) {
            System.out.printf(Locale.ROOT, "%s %s %d %d %d%n", what, name, size, rows, least[i++] / 1_000_000);
        }
    }

    /** Hashes the rows of a partition singly, or many in a call. */
    private static long hashed(Dataset<Row> t, boolean many) {
        FlatMapFunction<java.util.Iterator<InternalRow>, Long> each = rows -> {
            long sum = 0;
            List<byte[]> batch = new ArrayList<>(BATCH);
            while (rows.hasNext()) {
                byte[] message = rows.next().getBinary(0);
                if (!many) {
                    sum += Bulat.streebog256(message)[0];
                    continue;
                }
                batch.add(message);
                if (batch.size() == BATCH || !rows.hasNext()) {
                    for (byte[] digest : Bulat.hashAll("streebog256", batch.toArray(byte[][]::new))) {
                        sum += digest[0];
                    }
                    batch.clear();
                }
            }
            return List.of(sum).iterator();
        };
        return t.queryExecution().toRdd().toJavaRDD().mapPartitions(each).reduce(Long::sum);
    }

    @Test
    void measure() {
        SparkSession spark = SparkSession.builder().master("local[2]")
                .config("spark.sql.extensions", BulatExtensions.class.getName())
                .config("spark.sql.catalog.gost", BulatCatalog.class.getName())
                .config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.ui.enabled", "false").getOrCreate();
        spark.sparkContext().setLogLevel("OFF");
        try {
            for (int size : new int[] {16, 1024}) {
                int rows = size == 16 ? 1_000_000 : 250_000;
                Dataset<Row> t = spark.sql("SELECT CAST(substr(repeat(md5(CAST(id AS STRING)), 32), 1, " + size
                        + ") AS BINARY) AS b FROM range(0, " + rows + ", 1, 2)").cache();
                t.count();
                t.createOrReplaceTempView("t");
                Map<String, Work> works = new LinkedHashMap<>();
                for (String function : List.of("b", "sha2(b,256)", "streebog256(b)", "gost.streebog256(b)")) {
                    works.put(function, () -> spark.sql("SELECT " + function + " AS x FROM t").write().format("noop")
                            .mode("overwrite").save());
                }
                print("spark", size, rows, works);
                Map<String, Work> ways = new LinkedHashMap<>();
                ways.put("one", () -> hashed(t, false));
                ways.put("many", () -> hashed(t, true));
                print("rdd", size, rows, ways);
                t.unpersist(true);
            }
        } finally {
            spark.stop();
        }
    }
}
