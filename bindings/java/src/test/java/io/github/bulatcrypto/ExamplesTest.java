package io.github.bulatcrypto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.IvParameterSpec;
import org.junit.jupiter.api.Test;

/** The examples of the standards, by JCA's names. tools/ci/9-java.sh runs all vectors through {@link Serve}. */
class ExamplesTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final String KEY = "8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef";
    private static final String TEXT = "1122334455667700ffeeddccbbaa998800112233445566778899aabbcceeff0a"
            + "112233445566778899aabbcceeff0a002233445566778899aabbcceeff0a0011";
    private static final String MAGMA_KEY = "ffeeddccbbaa99887766554433221100f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";

    private static void cipher(String name, String key, String iv, String aad, String text, String wanted) throws Exception {
        byte[] input = HEX.parseHex(text);
        for (boolean encrypt : new boolean[] {true, false}) {
            Cipher cipher = Cipher.getInstance(name, Bulat.provider());
            cipher.init(encrypt ? Cipher.ENCRYPT_MODE : Cipher.DECRYPT_MODE, new GostKey("RAW", HEX.parseHex(key)),
                    new IvParameterSpec(HEX.parseHex(iv)));
            if (!aad.isEmpty()) {
                cipher.updateAAD(HEX.parseHex(aad));
            }
            input = cipher.doFinal(input);
            assertEquals(encrypt ? wanted : text, HEX.formatHex(input), name);
        }
    }

    /** RFC 6986, 10.1; GOST R 34.13-2015, A.1.2, A.1.6, A.2.2; RFC 9058, A.1.1. */
    @Test
    void examples() throws Exception {
        byte[] message = "012345678901234567890123456789012345678901234567890123456789012".getBytes("US-ASCII");
        assertEquals("9d151eefd8590b89daa6ba6cb74af9275dd051026bb149a452fd84e5e57b5500",
                HEX.formatHex(MessageDigest.getInstance("GOST3411-2012-256", Bulat.provider()).digest(message)));
        assertEquals("1b54d01a4af5b9d5cc3d86d68d285462b19abc2475222f35c085122be4ba1ffa"
                + "00ad30f8767b3a82384c6574f024c311e2a481332b08ef7f41797891c1646f48",
                HEX.formatHex(MessageDigest.getInstance("GOST3411-2012-512", Bulat.provider()).digest(message)));
        cipher("GOST3412-2015/CTR/NoPadding", KEY, "1234567890abcef0", "", TEXT, "f195d8bec10ed1dbd57b5fa240bda1b8"
                + "85eee733f6a13e5df33ce4b33c45dee4a5eae88be6356ed3d5e877f13564a3a5cb91fab1f20cbab6d1c6d15820bdba73");
        cipher("Magma/CTR/NoPadding", MAGMA_KEY, "12345678", "",
                "92def06b3c130a59db54c704f8189d204a98fb2e67a8024c8912409b17b57e41",
                "4e98110c97b7b93c3e250d93d6e85d69136d868807b2dbef568eb680ab52a12d");
        cipher("GOST3412-2015/MGM/NoPadding", KEY, "1122334455667700ffeeddccbbaa9988",
                "0202020202020202010101010101010104040404040404040303030303030303ea0505050505050505", TEXT + "aabbcc",
                "a9757b8147956e9055b8a33de89f42fc8075d2212bf9fd5bd3f7069aadc16b39497ab15915a6ba85936b5d0ea9f6851c"
                + "c60c14d4d3f883d0ab94420695c76deb2c7552" + "cf5d656f40c34f5c46e8bb0e29fcdb4c");
        Mac mac = Mac.getInstance("GOST3412MAC", Bulat.provider());
        mac.init(new GostKey("RAW", HEX.parseHex(KEY)), GostParameterSpec.of(null).tagSize(8));
        assertArrayEquals(HEX.parseHex("336f4d296059fbe3"), mac.doFinal(HEX.parseHex(TEXT)));
    }
}
