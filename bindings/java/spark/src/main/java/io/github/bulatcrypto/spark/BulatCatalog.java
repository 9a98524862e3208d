package io.github.bulatcrypto.spark;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.analysis.NoSuchFunctionException;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.connector.catalog.FunctionCatalog;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.functions.BoundFunction;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A catalog with the functions of {@link BulatExtensions}, over Spark's stable interface:
 * {@code spark.sql.catalog.gost=io.github.bulatcrypto.spark.BulatCatalog}, then {@code gost.streebog256(b)}.
 */
public final class BulatCatalog implements FunctionCatalog {
    private String name;

    /** Makes the catalog, as Spark does by the class's name. */
    public BulatCatalog() {}

    @Override
    public void initialize(String name, CaseInsensitiveStringMap options) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Identifier[] listFunctions(String[] namespace) throws NoSuchNamespaceException {
        if (namespace.length > 0) {
            throw new NoSuchNamespaceException(namespace);
        }
        return Arrays.stream(Signature.values()).map(s -> Identifier.of(namespace, s.sql)).toArray(Identifier[]::new);
    }

    @Override
    public UnboundFunction loadFunction(Identifier id) throws NoSuchFunctionException {
        for (Signature signature : Signature.values()) {
            if (id.namespace().length == 0 && signature.sql.equalsIgnoreCase(id.name())) {
                return new Unbound(signature);
            }
        }
        throw new NoSuchFunctionException(id);
    }

    private record Unbound(Signature signature) implements UnboundFunction {
        @Override
        public String name() {
            return signature.sql;
        }

        @Override
        public String description() {
            return signature.sql + signature.usage;
        }

        @Override
        public BoundFunction bind(StructType given) {
            int count = given.fields().length;
            if (count < signature.least || count > signature.most) {
                throw new UnsupportedOperationException(description());
            }
            return switch (signature) {
                case STREEBOG256 -> new Streebog256();
                case STREEBOG512 -> new Streebog512();
                case HMAC -> new Hmac();
                case ENCRYPT -> new Encrypt(count);
                case DECRYPT -> new Decrypt(count);
            };
        }
    }

    /** A function as generated code calls it: by the static method {@code invoke} of its class. Null gives null. */
    private abstract static class Bound implements ScalarFunction<byte[]> {
        private static final long serialVersionUID = 1;
        private final Signature signature;
        private final int count;

        Bound(Signature signature, int count) {
            this.signature = signature;
            this.count = count;
        }

        @Override
        public String name() {
            return signature.sql;
        }

        @Override
        public String canonicalName() {
            return "bulat." + signature.sql;
        }

        @Override
        public DataType[] inputTypes() {
            return signature.types(count).toArray(DataType[]::new);
        }

        @Override
        public DataType resultType() {
            return DataTypes.BinaryType;
        }

        @Override
        public boolean isDeterministic() {
            return !signature.random;
        }
    }

    /** Streebog-256. */
    public static final class Streebog256 extends Bound {
        private static final long serialVersionUID = 1;

        Streebog256() {
            super(Signature.STREEBOG256, 1);
        }

        /** Returns the hash of a message, 32 bytes. */
        public static byte[] invoke(byte[] message) {
            return message == null ? null : Functions.streebog256(message);
        }
    }

    /** Streebog-512. */
    public static final class Streebog512 extends Bound {
        private static final long serialVersionUID = 1;

        Streebog512() {
            super(Signature.STREEBOG512, 1);
        }

        /** Returns the hash of a message, 64 bytes. */
        public static byte[] invoke(byte[] message) {
            return message == null ? null : Functions.streebog512(message);
        }
    }

    /** HMAC over Streebog-256. */
    public static final class Hmac extends Bound {
        private static final long serialVersionUID = 1;

        Hmac() {
            super(Signature.HMAC, 2);
        }

        /** Returns the MAC of a message under the key of this name, 32 bytes. */
        public static byte[] invoke(byte[] message, UTF8String key) {
            return message == null || key == null ? null : Functions.hmac(message, key);
        }
    }

    /** Sealing with Kuznyechik-MGM. */
    public static final class Encrypt extends Bound {
        private static final long serialVersionUID = 1;

        Encrypt(int count) {
            super(Signature.ENCRYPT, count);
        }

        /** Seals a text without associated data under the key of this name: {@link Functions#encrypt}. */
        public static byte[] invoke(byte[] text, UTF8String key) {
            return invoke(text, key, Signature.NO_AAD);
        }

        /** Seals a text with associated data under the key of this name: {@link Functions#encrypt}. */
        public static byte[] invoke(byte[] text, UTF8String key, byte[] aad) {
            return text == null || key == null || aad == null ? null : Functions.encrypt(text, key, aad);
        }
    }

    /** Opening with Kuznyechik-MGM. */
    public static final class Decrypt extends Bound {
        private static final long serialVersionUID = 1;

        Decrypt(int count) {
            super(Signature.DECRYPT, count);
        }

        /** Opens a result of {@link Functions#encrypt} without associated data, under the key of this name. */
        public static byte[] invoke(byte[] sealed, UTF8String key) {
            return invoke(sealed, key, Signature.NO_AAD);
        }

        /** Opens a result of {@link Functions#encrypt} with its associated data, under the key of this name. */
        public static byte[] invoke(byte[] sealed, UTF8String key, byte[] aad) {
            return sealed == null || key == null || aad == null ? null : Functions.decrypt(sealed, key, aad);
        }
    }
}
