#!/usr/bin/env bash
# BouncyCastle: GOST3412-2015/CBC gives another ciphertext if the text comes in pieces: each array that update() returns ends the chain. Opened
# by doFinal it is another text, without an error; and of a right ciphertext, opened in pieces, too.
#
# Package: org.bouncycastle:bcprov-jdk18on 1.87 from Maven Central; seen with OpenJDK 17.0.21 on 2026-11-30 (1.80, 1.82 and 1.84 are equal).
# Input: the example of GOST R 34.13-2015, A.1.4 (Kuznyechik, CBC, four blocks, an IV of 32 bytes), whole and in pieces. 102400 bytes in
#   pieces of 1024, by update() and through CipherOutputStream, and read through CipherInputStream, compared with one doFinal.
# Behaviour: the mode keeps a block of ciphertext for the next one only if the array for its output is longer than the block. So
#   update(in, 0, 32, out, 0) into a long array is right, and update(in, 0, 32), with its array of just 32 bytes, leaves the register
#   as it was. Java's streams give an array of Cipher.getOutputSize(), which has room with padding and none without it. CFB, CFB8,
#   OFB and CTR of this cipher, and CBC of GOST28147, are right in pieces.
#
# Output seen:
#   doFinal(64): right
#   update(32), doFinal(32): another from byte 32
#   update(16), update(16), doFinal(32): another from byte 16
#   update(32) into an array of 64, then update(32): right
#   decryption, update(32), doFinal(32): another from byte 32
#   NoPadding: update(1024): another from byte 1024, and opened by doFinal: another from byte 1024
#   NoPadding: CipherOutputStream: another from byte 1024, CipherInputStream: another from byte 512
#   PKCS5Padding: update(1024): another from byte 1008, and opened by doFinal: pad block corrupted
#   PKCS5Padding: CipherOutputStream: right, CipherInputStream: right
# Exit status: 0 if all of this is still so; 1 if it changed; 2 if the package cannot be had.
set -euo pipefail
script=$(realpath "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mvn -q -B -Dmaven.repo.local="$work/repository" org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy \
    -Dartifact=org.bouncycastle:bcprov-jdk18on:1.87 -DoutputDirectory="$work" >mvn.log 2>&1 || { tail -5 mvn.log; exit 2; }
cat >Try.java <<'JAVA'
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.CipherInputStream;
import javax.crypto.CipherOutputStream;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

public class Try {
    static final SecretKeySpec KEY = new SecretKeySpec(hex("8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef"), "GOST3412-2015");
    static final IvParameterSpec IV = new IvParameterSpec(hex("1234567890abcef0a1b2c3d4e5f0011223344556677889901213141516171819"));
    static final byte[] TEXT = hex("1122334455667700ffeeddccbbaa998800112233445566778899aabbcceeff0a112233445566778899aabbcceeff0a002233445566778899aabbcceeff0a0011");
    static final byte[] SEALED = hex("689972d4a085fa4d90e52e3d6d7dcc272826e661b478eca6af1e8e448d5ea5acfe7babf1e91999e85640e8b0f49d90d0167688065a895c631a2d9a1560b63970");

    static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }

    static Cipher cipher(int mode, String padding) throws Exception {
        Cipher cipher = Cipher.getInstance("GOST3412-2015/CBC/" + padding, new BouncyCastleProvider());
        cipher.init(mode, KEY, IV);
        return cipher;
    }

    static byte[] cut(Cipher cipher, byte[] data, int... pieces) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int at = 0;
        for (int piece : pieces) {
            byte[] part = cipher.update(data, at, piece);
            out.write(part == null ? new byte[0] : part);
            at += piece;
        }
        out.write(cipher.doFinal(data, at, data.length - at));
        return out.toByteArray();
    }

    static String compare(byte[] seen, byte[] right) {
        int at = Arrays.mismatch(seen, right);
        return at < 0 ? "right" : "another from byte " + at;
    }

    public static void main(String[] args) throws Exception {
        int seal = Cipher.ENCRYPT_MODE;
        int open = Cipher.DECRYPT_MODE;
        String none = "NoPadding";
        System.out.println("doFinal(64): " + compare(cut(cipher(seal, none), TEXT), SEALED));
        System.out.println("update(32), doFinal(32): " + compare(cut(cipher(seal, none), TEXT, 32), SEALED));
        System.out.println("update(16), update(16), doFinal(32): " + compare(cut(cipher(seal, none), TEXT, 16, 16), SEALED));
        byte[] room = new byte[64];
        Cipher long64 = cipher(seal, none);
        long64.update(TEXT, 0, 32, room, 0);
        long64.update(TEXT, 32, 32, room, 32);
        System.out.println("update(32) into an array of 64, then update(32): " + compare(room, SEALED));
        System.out.println("decryption, update(32), doFinal(32): " + compare(cut(cipher(open, none), SEALED, 32), TEXT));
        byte[] text = new byte[102400];
        for (int i = 0; i < text.length; i++) text[i] = (byte) ((long) i * i % 251);
        int[] pieces = new int[100];
        Arrays.fill(pieces, 1024);
        for (String padding : new String[] {none, "PKCS5Padding"}) {
            byte[] right = cipher(seal, padding).doFinal(text);
            byte[] sealed = cut(cipher(seal, padding), text, pieces);
            String opened;
            try {
                opened = compare(cipher(open, padding).doFinal(sealed), text);
            } catch (BadPaddingException e) {
                opened = e.getMessage();
            }
            System.out.println(padding + ": update(1024): " + compare(sealed, right) + ", and opened by doFinal: " + opened);
            ByteArrayOutputStream file = new ByteArrayOutputStream();
            try (CipherOutputStream out = new CipherOutputStream(file, cipher(seal, padding))) {
                for (int i = 0; i < text.length; i += 1024) out.write(text, i, 1024);
            }
            try (CipherInputStream in = new CipherInputStream(new ByteArrayInputStream(text), cipher(seal, padding))) {
                System.out.println(padding + ": CipherOutputStream: " + compare(file.toByteArray(), right)
                    + ", CipherInputStream: " + compare(in.readAllBytes(), right));
            }
        }
    }
}
JAVA
javac -cp bcprov-jdk18on-1.87.jar Try.java
java -cp bcprov-jdk18on-1.87.jar:. Try | tee seen
sed -n '/^# Output seen/,/^# Exit status/s/^#   //p' "$script" >expected
if cmp -s seen expected; then echo "as described"; else echo "no longer as described"; exit 1; fi
