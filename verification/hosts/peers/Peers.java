import java.io.File;
import java.io.FileOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.security.*;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.*;
import org.bouncycastle.asn1.*;
import org.bouncycastle.asn1.cryptopro.CryptoProObjectIdentifiers;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.*;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.cert.jcajce.*;
import org.bouncycastle.crypto.*;
import org.bouncycastle.crypto.digests.*;
import org.bouncycastle.crypto.engines.*;
import org.bouncycastle.crypto.generators.PKCS5S2ParametersGenerator;
import org.bouncycastle.crypto.macs.*;
import org.bouncycastle.crypto.modes.*;
import org.bouncycastle.crypto.params.*;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.*;

/** Files of BouncyCastle for bulat, and bulat's files read with the primitives of BouncyCastle. */
public class Peers {
    static final Random RANDOM = new Random(44);

    public static void main(String[] args) throws Exception {
        Security.addProvider(new BouncyCastleProvider());
        if (args[0].equals("ctr")) {
            ctr(args[1].equals("magma"), args[2], Integer.parseInt(args[3]));
            return;
        }
        Path dir = Path.of(args[1]);
        int n = Integer.parseInt(args[2]);
        for (int i = 0; i < n; i++) {
            if (args[0].equals("write")) {
                write(dir, i);
            } else {
                read(dir, i);
            }
        }
        System.out.println(n + " files: " + args[0]);
    }

    /** Prints the masks of CTR under the key 01 01 .... */
    static void ctr(boolean magma, String iv, int bytes) throws Exception {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) 1);
        byte[] nonce = HexFormat.of().parseHex(iv);
        BlockCipher cipher = magma ? new Magma() : new GOST3412_2015Engine();
        G3413CTRBlockCipher ctr = new G3413CTRBlockCipher(cipher, 8 * cipher.getBlockSize());
        ctr.init(true, new ParametersWithIV(new KeyParameter(key), nonce));
        byte[] out = new byte[bytes];
        ctr.processBytes(out, 0, bytes, out, 0);
        System.out.print(HexFormat.of().formatHex(out));
    }

    static String password() {
        String letters = "abcXYZ 019абвЖЁю€";
        StringBuilder out = new StringBuilder();
        for (int i = 1 + RANDOM.nextInt(20); i > 0; i--) {
            out.append(letters.charAt(RANDOM.nextInt(letters.length())));
        }
        return out.toString();
    }

    static void write(Path dir, int i) throws Exception {
        boolean wide = i % 3 == 0;
        String bits = wide ? "512" : "256";
        KeyPairGenerator generator = KeyPairGenerator.getInstance("ECGOST3410-2012", "BC");
        generator.initialize(new ECGenParameterSpec("Tc26-Gost-3410-12-" + bits + "-paramSetA"));
        KeyPair pair = generator.generateKeyPair();
        X500Name name = new X500Name("CN=bulat " + i);
        Date now = new Date();
        Date then = new Date(now.getTime() + 86400000L);
        X509Certificate certificate = new JcaX509CertificateConverter().setProvider("BC").getCertificate(
            new JcaX509v3CertificateBuilder(name, BigInteger.valueOf(i + 1), now, then, name, pair.getPublic())
                .build(new JcaContentSignerBuilder("GOST3411-2012-" + bits + "WITHECGOST3410-2012-" + bits)
                    .setProvider("BC").build(pair.getPrivate())));
        String password = password();
        KeyStore store = KeyStore.getInstance(i % 2 == 0 ? "PKCS12" : "PKCS12-3DES-3DES", "BC");
        store.load(null, null);
        store.setKeyEntry("key " + i, pair.getPrivate(), null, new Certificate[] {certificate});
        try (FileOutputStream out = new FileOutputStream(new File(dir.toFile(), i + ".p12"))) {
            store.store(out, password.toCharArray());
        }
        AlgorithmIdentifier[] prfs = {
            new AlgorithmIdentifier(CryptoProObjectIdentifiers.gostR3411Hmac, DERNull.INSTANCE),
            new AlgorithmIdentifier(PKCSObjectIdentifiers.id_hmacWithSHA256, DERNull.INSTANCE),
            new AlgorithmIdentifier(PKCSObjectIdentifiers.id_hmacWithSHA384, DERNull.INSTANCE),
            new AlgorithmIdentifier(PKCSObjectIdentifiers.id_hmacWithSHA512, DERNull.INSTANCE),
        };
        // Not its GOST 28147-89: it encrypts with other S-boxes than it names, and cannot open such a file itself (1.84).
        ASN1ObjectIdentifier[] ciphers = {
            NISTObjectIdentifiers.id_aes128_CBC, NISTObjectIdentifiers.id_aes192_CBC, NISTObjectIdentifiers.id_aes256_CBC,
        };
        byte[] sealed = new JcaPKCS8EncryptedPrivateKeyInfoBuilder(pair.getPrivate())
            .build(new JcePKCSPBEOutputEncryptorBuilder(ciphers[i / 4 % 3]).setProvider("BC")
                .setPRF(prfs[i % 4]).setIterationCount(1000 + i).build(password.toCharArray()))
            .getEncoded();
        Files.write(dir.resolve(i + ".p8"), sealed);
        Files.write(dir.resolve(i + ".key"), pair.getPrivate().getEncoded());
        Files.write(dir.resolve(i + ".cer"), certificate.getEncoded());
        Files.write(dir.resolve(i + ".pw"), password.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] hmac(boolean wide, byte[] key, byte[]... parts) {
        HMac mac = new HMac(wide ? new GOST3411_2012_512Digest() : new GOST3411_2012_256Digest());
        mac.init(new KeyParameter(key));
        for (byte[] part : parts) {
            mac.update(part, 0, part.length);
        }
        byte[] out = new byte[mac.getMacSize()];
        mac.doFinal(out, 0);
        return out;
    }

    static byte[] derived(byte[] password, byte[] salt, int iterations, int bytes) {
        PKCS5S2ParametersGenerator generator = new PKCS5S2ParametersGenerator(new GOST3411_2012_512Digest());
        generator.init(password, salt, iterations);
        return ((KeyParameter) generator.generateDerivedMacParameters(8 * bytes)).getKey();
    }

    static void check(boolean right, String what) {
        if (!right) {
            throw new IllegalStateException(what);
        }
    }

    /** RFC 9548, section 7: the MAC, then a section of certificates and a section of keys. */
    static void read(Path dir, int i) throws Exception {
        byte[] password = Files.readAllBytes(dir.resolve(i + ".pw"));
        byte[] key = PrivateKeyInfo.getInstance(Files.readAllBytes(dir.resolve(i + ".key"))).getEncoded("DER");
        byte[] certificate = Files.readAllBytes(dir.resolve(i + ".cer"));
        EncryptedPrivateKeyInfo alone = EncryptedPrivateKeyInfo.getInstance(Files.readAllBytes(dir.resolve("ours" + i + ".p8")));
        check(Arrays.equals(open(alone.getEncryptionAlgorithm(), alone.getEncryptedData(), password), key), "key alone " + i);
        Pfx pfx = Pfx.getInstance(Files.readAllBytes(dir.resolve("ours" + i + ".p12")));
        byte[] safe = ASN1OctetString.getInstance(pfx.getAuthSafe().getContent()).getOctets();
        byte[] macKey = derived(password, pfx.getMacData().getSalt(), pfx.getMacData().getIterationCount().intValue(), 96);
        byte[] mac = hmac(true, Arrays.copyOfRange(macKey, 64, 96), safe);
        check(Arrays.equals(mac, pfx.getMacData().getMac().getDigest()), "MAC of " + i);
        int keys = 0;
        int certificates = 0;
        for (Object part : ASN1Sequence.getInstance(safe)) {
            ContentInfo info = ContentInfo.getInstance(part);
            byte[] bags;
            if (info.getContentType().equals(PKCSObjectIdentifiers.data)) {
                bags = ASN1OctetString.getInstance(info.getContent()).getOctets();
            } else {
                EncryptedData sealed = EncryptedData.getInstance(info.getContent());
                bags = open(sealed.getEncryptionAlgorithm(), sealed.getContent().getOctets(), password);
            }
            for (Object bag : ASN1Sequence.getInstance(bags)) {
                SafeBag one = SafeBag.getInstance(bag);
                if (one.getBagId().equals(PKCSObjectIdentifiers.certBag)) {
                    byte[] found = ASN1OctetString.getInstance(CertBag.getInstance(one.getBagValue()).getCertValue()).getOctets();
                    check(Arrays.equals(found, certificate), "certificate " + i);
                    certificates++;
                } else {
                    EncryptedPrivateKeyInfo sealed = EncryptedPrivateKeyInfo.getInstance(one.getBagValue());
                    check(Arrays.equals(open(sealed.getEncryptionAlgorithm(), sealed.getEncryptedData(), password), key), "key " + i);
                    keys++;
                }
            }
        }
        check(keys == 1 && certificates == 1, "items of " + i);
    }

    /** Magma: GOST 28147-89 with the S-boxes Z and all numbers big-endian. */
    static class Magma implements BlockCipher {
        private final GOST28147Engine engine = new GOST28147Engine();

        static byte[] reversed(byte[] bytes, int word) {
            byte[] out = bytes.clone();
            for (int i = 0; i < out.length; i++) {
                out[i] = bytes[i - i % word + word - 1 - i % word];
            }
            return out;
        }

        public void init(boolean encrypt, CipherParameters key) {
            byte[] words = reversed(((KeyParameter) key).getKey(), 4);
            engine.init(encrypt, new ParametersWithSBox(new KeyParameter(words), GOST28147Engine.getSBox("Param-Z")));
        }

        public String getAlgorithmName() {
            return "Magma";
        }

        public int getBlockSize() {
            return 8;
        }

        public int processBlock(byte[] in, int from, byte[] out, int to) {
            byte[] block = reversed(Arrays.copyOfRange(in, from, from + 8), 8);
            engine.processBlock(block, 0, block, 0);
            System.arraycopy(reversed(block, 8), 0, out, to, 8);
            return 8;
        }

        public void reset() {
            engine.reset();
        }
    }

    /** RFC 9337, section 5, for texts within one section. */
    static byte[] open(AlgorithmIdentifier algorithm, byte[] text, byte[] password) throws Exception {
        PBES2Parameters pbes2 = PBES2Parameters.getInstance(algorithm.getParameters());
        PBKDF2Params kdf = PBKDF2Params.getInstance(pbes2.getKeyDerivationFunc().getParameters());
        byte[] ukm = ASN1OctetString.getInstance(
            ASN1Sequence.getInstance(pbes2.getEncryptionScheme().getParameters()).getObjectAt(0)).getOctets();
        String cipher = pbes2.getEncryptionScheme().getAlgorithm().getId();
        boolean magma = cipher.startsWith("1.2.643.7.1.1.5.1.");
        boolean omac = cipher.endsWith(".2");
        check(cipher.matches("1\\.2\\.643\\.7\\.1\\.1\\.5\\.[12]\\.[12]"), cipher);
        int block = magma ? 8 : 16;
        byte[] k1 = derived(password, kdf.getSalt(), kdf.getIterationCount().intValue(), 32);
        byte[] k2 = null;
        if (omac) {
            byte[] dk = k1;
            byte[] seed = Arrays.copyOfRange(ukm, ukm.length - 8, ukm.length);
            byte[] label = "kdf tree".getBytes(StandardCharsets.US_ASCII);
            k1 = hmac(false, dk, new byte[] {1}, label, new byte[] {0}, seed, new byte[] {2, 0});
            k2 = hmac(false, dk, new byte[] {2}, label, new byte[] {0}, seed, new byte[] {2, 0});
        }
        byte[] out = new byte[text.length];
        SICBlockCipher ctr = new SICBlockCipher(magma ? new Magma() : new GOST3412_2015Engine());
        ctr.init(false, new ParametersWithIV(new KeyParameter(k1), Arrays.copyOf(Arrays.copyOf(ukm, block / 2), block)));
        ctr.processBytes(text, 0, text.length, out, 0);
        if (!omac) {
            return out;
        }
        int n = out.length - block;
        CMac mac = new CMac(magma ? new Magma() : new GOST3412_2015Engine(), 8 * block);
        mac.init(new KeyParameter(k2));
        mac.update(out, 0, n);
        byte[] tag = new byte[block];
        mac.doFinal(tag, 0);
        check(Arrays.equals(tag, Arrays.copyOfRange(out, n, out.length)), "OMAC");
        return Arrays.copyOf(out, n);
    }
}
