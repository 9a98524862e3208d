#!/usr/bin/env bash
# BouncyCastle: a GOST 28147-89 cipher that got its S-boxes by a ParameterSpec says CryptoPro-A, and cannot read its own text by that.
#
# Package: org.bouncycastle:bcprov-jdk18on 1.84 from Maven Central; seen with OpenJDK 17.0.21 on 2026-11-28.
# Input: Cipher GOST28147/GCFB, /CFB, /GOFB and 1.2.643.2.2.21, a key, an IV of 8 bytes, 20 bytes of text; initialised by
#   GOST28147ParameterSpec with S-boxes E-A and E-B, by IvParameterSpec (the cipher then uses D-Test), by AlgorithmParameters of E-B.
# RFC 4357, 11.2: the parameters of a cipher are its IV and the OID of its S-boxes: 1.2.643.2.2.31.1 is CryptoPro-A, .2 is CryptoPro-B.
# Behaviour: getParameters().getEncoded() has .1 in all cases but the last. A cipher that is initialised for decryption by these
#   parameters, as an object or by their DER, gives another text without an error, unless the S-boxes were E-A. So a program that stores
#   the parameters with the text, as javax.crypto.SealedObject does, loses it. Only given AlgorithmParameters come back as they were.
#
# Output seen, for each of the four names:
#   by E-A: its parameters name 1.2.643.2.2.31.1, they decrypt its text: true
#   by E-B: its parameters name 1.2.643.2.2.31.1, they decrypt its text: false
#   by an IV: its parameters name 1.2.643.2.2.31.1, they decrypt its text: false
#   by parameters of E-B: its parameters name 1.2.643.2.2.31.2, they decrypt its text: true
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the package cannot be had.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mvn -q -B -Dmaven.repo.local="$work/repository" org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy \
    -Dartifact=org.bouncycastle:bcprov-jdk18on:1.84 -DoutputDirectory="$work" >mvn.log 2>&1 || { tail -5 mvn.log; exit 2; }
cat >Params.java <<'JAVA'
import java.security.*;
import java.security.spec.AlgorithmParameterSpec;
import java.util.*;
import javax.crypto.Cipher;
import javax.crypto.spec.*;
import org.bouncycastle.asn1.*;
import org.bouncycastle.jcajce.spec.GOST28147ParameterSpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

public class Params {
    public static void main(String[] args) throws Exception {
        Provider bc = new BouncyCastleProvider();
        SecretKeySpec key = new SecretKeySpec(new byte[32], "GOST28147");
        byte[] text = "twenty bytes of text".getBytes();
        byte[] iv = {1, 2, 3, 4, 5, 6, 7, 8};
        AlgorithmParameters b = AlgorithmParameters.getInstance("GOST28147", bc);
        b.init(new DERSequence(new ASN1Encodable[] {new DEROctetString(iv), new ASN1ObjectIdentifier("1.2.643.2.2.31.2")}).getEncoded());
        Map<String, Object> ways = new LinkedHashMap<>();
        ways.put("E-A", new GOST28147ParameterSpec("E-A", iv));
        ways.put("E-B", new GOST28147ParameterSpec("E-B", iv));
        ways.put("an IV", new IvParameterSpec(iv));
        ways.put("parameters of E-B", b);
        for (String name : List.of("GOST28147/GCFB/NoPadding", "GOST28147/CFB/NoPadding", "GOST28147/GOFB/NoPadding", "1.2.643.2.2.21")) {
            for (var way : ways.entrySet()) {
                Cipher cipher = Cipher.getInstance(name, bc);
                if (way.getValue() instanceof AlgorithmParameters given) cipher.init(Cipher.ENCRYPT_MODE, key, given);
                else cipher.init(Cipher.ENCRYPT_MODE, key, (AlgorithmParameterSpec) way.getValue());
                byte[] sealed = cipher.doFinal(text);
                byte[] der = cipher.getParameters().getEncoded();
                AlgorithmParameters read = AlgorithmParameters.getInstance("GOST28147", bc);
                read.init(der);
                boolean same = true;
                for (AlgorithmParameters params : new AlgorithmParameters[] {cipher.getParameters(), read}) {
                    Cipher open = Cipher.getInstance(name, bc);
                    open.init(Cipher.DECRYPT_MODE, key, params);
                    same &= Arrays.equals(text, open.doFinal(sealed));
                }
                System.out.println(name + " by " + way.getKey() + ": its parameters name " + ASN1Sequence.getInstance(der).getObjectAt(1)
                        + ", they decrypt its text: " + same);
            }
        }
    }
}
JAVA
javac -cp bcprov-jdk18on-1.84.jar Params.java
java -cp bcprov-jdk18on-1.84.jar:. Params | tee seen
for name in GOST28147/GCFB/NoPadding GOST28147/CFB/NoPadding GOST28147/GOFB/NoPadding 1.2.643.2.2.21; do
    while IFS=, read -r way set same; do
        echo "$name by $way: its parameters name 1.2.643.2.2.31.$set, they decrypt its text: $same"
    done <<<$'E-A,1,true\nE-B,1,false\nan IV,1,false\nparameters of E-B,2,true'
done >expected
diff expected seen >changed && echo 'as described' || { cat changed; echo 'no longer as described'; exit 1; }
