package io.github.bulatcrypto.spark;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** The functions: their names in SQL and in {@link Functions}, their usage, and how many arguments they have. */
enum Signature {
    STREEBOG256("streebog256", "streebog256", "(expr) - The Streebog-256 of a binary value.", false, 1, 1),
    STREEBOG512("streebog512", "streebog512", "(expr) - The Streebog-512 of a binary value.", false, 1, 1),
    HMAC("gost_hmac", "hmac", "(expr, key) - HMAC over Streebog-256 under the key of this name.", false, 2, 2),
    ENCRYPT("gost_encrypt", "encrypt",
            "(expr, key[, aad]) - Seals with Kuznyechik-MGM under the key of this name and a random nonce.", true, 2, 3),
    DECRYPT("gost_decrypt", "decrypt",
            "(expr, key[, aad]) - Opens a result of gost_encrypt; a wrong tag ends the query.", false, 2, 3);

    /** The associated data of a call that names no data. */
    static final byte[] NO_AAD = {};

    final String sql;
    final String method;
    final String usage;
    final boolean random;
    final int least;
    final int most;

    Signature(String sql, String method, String usage, boolean random, int least, int most) {
        this.sql = sql;
        this.method = method;
        this.usage = usage;
        this.random = random;
        this.least = least;
        this.most = most;
    }

    /** Returns the types of the first arguments: the second is the key's name. */
    List<DataType> types(int count) {
        List<DataType> types = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            types.add(i == 1 ? DataTypes.StringType : DataTypes.BinaryType);
        }
        return types;
    }
}
