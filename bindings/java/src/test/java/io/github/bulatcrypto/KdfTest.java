package io.github.bulatcrypto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

/** {@code javax.crypto.KDF}. {@link Serve} derives by it as well. */
class KdfTest {
    @Test
    void jdk() throws Exception {
        boolean none = JdkKdf.HERE == null;
        if (none) {
            System.out.println("skipped: javax.crypto.KDF: Java " + Runtime.version().feature() + " has none, Java 25 has");
        }
        assumeTrue(!none, "Java 25 has javax.crypto.KDF");
        JdkKdf.HERE.manners();
    }

    /** A class of Java 25 is where the others look for it, and nowhere else. */
    @Test
    void services() {
        for (Names.Row row : Names.rows()) {
            if (row.line().kind().equals("Kdf")) {
                assertNotNull(Bulat.provider().getService("SecretKeyFactory", row.name()));
                assertEquals(JdkKdf.HERE != null, Bulat.provider().getService("KDF", row.name()) != null, row.name());
            }
        }
    }
}
