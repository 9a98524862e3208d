#!/usr/bin/env bash
# BouncyCastle: a private key of GOST R 34.10-2001 as gost-engine writes it is refused in random words, or read as another key.
#
# Package: org.bouncycastle:bcprov-jdk18on 1.84 from Maven Central; seen with OpenJDK 17.0.21 on 2026-11-28 (1.80 is equal).
# Input: a PrivateKeyInfo of GOST R 34.10-2001 (1.2.643.2.2.19), S-boxes and curve A of CryptoPro. gost-engine 3.0.1 writes the 32 bytes
#   of the key, the lowest first, into the OCTET STRING of PKCS#8: openssl genpkey -algorithm gost2001 -pkeyopt paramset:A. GnuTLS
#   3.8.13 writes an OCTET STRING with the bytes into it; gost-engine reads both.
# Behaviour: KeyFactory "ECGOST3410" parses the bytes of the key as ASN.1. So its words depend on the key ("UTCTime string too short",
#   "Extra data detected in stream"), and a key that begins with 04 1e or 02 1e, one in 32768, comes out as another key, without an
#   error: its signatures do not fit its certificate. The same bytes under GOST R 34.10-2012 (KeyFactory "ECGOST3410-2012") are read.
#
# Output seen:
#   2001, 1700...01: encoded key spec not recognized: UTCTime string too short
#   2001, 8811...01: encoded key spec not recognized: Extra data detected in stream
#   2001, 041e...01: another key: 1ddccbbaa99887766554433221100ffeeddccbbaa998877665544332211
#   2001, 021e...01: another key: 112233445566778899aabbccddeeff00112233445566778899aabbccdd01
#   2001 in a second OCTET STRING, and 2012: the key (12 of 12)
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the package cannot be had.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mvn -q -B -Dmaven.repo.local="$work/repository" org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy \
    -Dartifact=org.bouncycastle:bcprov-jdk18on:1.84 -DoutputDirectory="$work" >mvn.log 2>&1 || { tail -5 mvn.log; exit 2; }
cat >Key.java <<'JAVA'
import java.math.BigInteger;
import java.security.KeyFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.HexFormat;
import org.bouncycastle.jce.interfaces.ECPrivateKey;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

public class Key {
    public static void main(String[] args) throws Exception {
        boolean old = args[0].equals("2001");
        String algorithm = old
            ? "301c06062a8503020213" + "3012" + "06072a850302022301" + "06072a850302021e01"
            : "301f06082a85030701010101" + "3013" + "06072a850302022301" + "06082a85030701010202";
        String body = "020100" + algorithm + (args[1].equals("second") ? "04220420" : "0420") + args[2];
        byte[] der = HexFormat.of().parseHex("30" + String.format("%02x", body.length() / 2) + body);
        byte[] bytes = HexFormat.of().parseHex(args[2]);
        for (int i = 0; i < 16; i++) {
            byte low = bytes[i];
            bytes[i] = bytes[31 - i];
            bytes[31 - i] = low;
        }
        KeyFactory factory = KeyFactory.getInstance(old ? "ECGOST3410" : "ECGOST3410-2012", new BouncyCastleProvider());
        try {
            BigInteger read = ((ECPrivateKey) factory.generatePrivate(new PKCS8EncodedKeySpec(der))).getD();
            System.out.println(read.equals(new BigInteger(1, bytes)) ? "the key" : "another key: " + read.toString(16));
        } catch (java.security.spec.InvalidKeySpecException error) {
            System.out.println(error.getMessage());
        }
    }
}
JAVA
javac -cp bcprov-jdk18on-1.84.jar Key.java
same=yes
expect() { # algorithm, form, key, described
    local seen
    seen=$(java -cp bcprov-jdk18on-1.84.jar:. Key "$1" "$2" "$3")
    echo "$1, $2 OCTET STRING, ${3:0:4}...: $seen"
    [ "$seen" = "$4" ] || { echo "   CHANGED: was $4"; same=no; }
}
utc=1700000000000000000000000000000000000000000000000000000000000001
extra=8811223344556677889900aabbccddeeff112233445566778899aabbccddee01
string=041e112233445566778899aabbccddeeff00112233445566778899aabbccdd01
integer=021e112233445566778899aabbccddeeff00112233445566778899aabbccdd01
expect 2001 one $utc 'encoded key spec not recognized: UTCTime string too short'
expect 2001 one $extra 'encoded key spec not recognized: Extra data detected in stream'
expect 2001 one $string 'another key: 1ddccbbaa99887766554433221100ffeeddccbbaa998877665544332211'
expect 2001 one $integer 'another key: 112233445566778899aabbccddeeff00112233445566778899aabbccdd01'
for key in $utc $extra $string $integer; do
    expect 2001 second "$key" 'the key'
    expect 2012 one "$key" 'the key'
    expect 2012 second "$key" 'the key'
done
[ $same = yes ]
