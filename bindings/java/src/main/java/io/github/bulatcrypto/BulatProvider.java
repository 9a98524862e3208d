package io.github.bulatcrypto;

import java.lang.reflect.Constructor;
import java.security.InvalidAlgorithmParameterException;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.ProviderException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The provider "Bulat": the GOST algorithms for {@code MessageDigest}, {@code Mac}, {@code Cipher},
 * {@code SecretKeyFactory}, {@code KDF}, {@code KeyGenerator} and {@code AlgorithmParameters}.
 */
public final class BulatProvider extends Provider {
    private static final long serialVersionUID = 1;

    /** The provider's name. */
    public static final String NAME = "Bulat";

    /** Makes engines of {@code javax.crypto.KDF}, by a class for Java 25 and later; null before it. */
    private static final Constructor<?> KDF = kdf();

    /** Makes the provider and loads the native library. */
    public BulatProvider() {
        super(NAME, "0.1", "GOST symmetric cryptography: Streebog, Kuznyechik, Magma, GOST 28147-89");
        for (Names.Row row : Names.rows()) {
            Line line = row.line();
            add(row.type(), row.name(), List.copyOf(row.aliases()), switch (line.kind()) {
                case "Hash" -> () -> new DigestEngine(line);
                case "Mac" -> () -> new MacEngine(line, row.usual());
                case "Kdf" -> () -> new KeyFactoryEngine(line, row.name());
                case "Wrap" -> () -> new WrapEngine(line, row.usual());
                default -> () -> new CipherEngine(this, line, row.usual());
            });
            if (KDF != null && line.kind().equals("Kdf")) {
                add("KDF", row.name(), List.copyOf(row.aliases()), () -> kdf(line, row.name()));
            }
        }
        List<String> kuznyechik = new ArrayList<>(List.of("Kuznyechik", "1.2.643.7.1.1.5.2"));
        List<String> magma = new ArrayList<>(List.of("1.2.643.7.1.1.5.1"));
        List<String> parameters = new ArrayList<>(List.of("Kuznyechik", "Magma"));
        for (Line line : Line.TABLE.values()) {
            if (line.oid().startsWith("1.2.643.7.1.1.5.")) {
                (line.primitive().equals("Magma") ? magma : kuznyechik).add(line.oid());
                parameters.add(line.oid());
            }
        }
        keys("GOST28147", List.of(256), List.of("GOST", "GOST-28147", "GOST28147-89", "1.2.643.2.2.21"));
        keys("GOST3412-2015", List.of(256, 512), kuznyechik);
        keys("Magma", List.of(256, 512), magma);
        keys("HMACGOST3411-2012-256", List.of(256), List.of("HMAC-GOST3411-2012-256", "HMAC/GOST3411-2012-256",
                "HmacStreebog256", "1.2.643.7.1.1.4.1"));
        keys("HMACGOST3411-2012-512", List.of(512), List.of("HMAC-GOST3411-2012-512", "HMAC/GOST3411-2012-512",
                "HmacStreebog512", "1.2.643.7.1.1.4.2"));
        add("AlgorithmParameters", "GOST28147", List.of("1.2.643.2.2.21"), () -> new ParametersEngine(Names.OLD));
        add("AlgorithmParameters", "GOST28147-89", List.of(),
                () -> new ParametersEngine(Names.usual(Line.TABLE.get("gost89"))));
        add("AlgorithmParameters", "GOST3412-2015", parameters, () -> new ParametersEngine(GostParameterSpec.NONE));
    }

    private static Constructor<?> kdf() {
        if (Runtime.version().feature() < 25) {
            return null;
        }
        try {
            return Class.forName("io.github.bulatcrypto.KdfEngine").getDeclaredConstructor(Line.class, String.class);
        } catch (ReflectiveOperationException e) {
            // An older JDK made these classes.
            return null;
        }
    }

    private static Object kdf(Line line, String name) {
        try {
            return KDF.newInstance(line, name);
        } catch (ReflectiveOperationException e) {
            throw new ProviderException(e);
        }
    }

    /** Key stores of PKCS #12 find the OID of a key's name, and the name of the OID, by an alias that begins with OID. */
    private void keys(String name, List<Integer> sizes, List<String> names) {
        List<String> aliases = new ArrayList<>(names);
        names.stream().filter(alias -> Character.isDigit(alias.charAt(0))).findFirst()
                .ifPresent(oid -> aliases.add("OID." + oid));
        add("KeyGenerator", name, aliases, () -> new KeyGeneratorEngine(name, sizes));
        add("SecretKeyFactory", name, aliases, () -> new KeyFactoryEngine(null, name));
    }

    private void add(String type, String name, List<String> aliases, Supplier<Object> maker) {
        putService(new Engine(this, type, name, aliases, maker));
    }

    /** A service that makes its engines without reflection. */
    private static final class Engine extends Service {
        private final Supplier<Object> maker;

        Engine(Provider provider, String type, String name, List<String> aliases, Supplier<Object> maker) {
            super(provider, type, name, "io.github.bulatcrypto.BulatProvider", aliases, null);
            this.maker = maker;
        }

        @Override
        public Object newInstance(Object parameter) throws NoSuchAlgorithmException {
            if (parameter != null) {
                // KDF.getInstance throws the cause.
                throw new NoSuchAlgorithmException(getAlgorithm(), new InvalidAlgorithmParameterException(
                        getAlgorithm() + " has no parameters of " + getType()));
            }
            return maker.get();
        }

        @Override
        public boolean supportsParameter(Object key) {
            return !(key instanceof java.security.Key given) || "RAW".equalsIgnoreCase(given.getFormat());
        }
    }
}
