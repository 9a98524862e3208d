import io.github.bulatcrypto.*;
import java.security.*;
import java.util.*;
import javax.crypto.SecretKey;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.commons.codec.digest.HmacUtils;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.cryptopro.CryptoProObjectIdentifiers;
import org.bouncycastle.asn1.rosstandart.RosstandartObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.cms.*;
import org.bouncycastle.cms.jcajce.*;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.DigestCalculator;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;
import org.jasypt.digest.StandardStringDigester;
import org.springframework.security.crypto.password.MessageDigestPasswordEncoder;

/** Libraries that take their algorithms from providers. */
public class Libraries {
    static final Provider BULAT = new BulatProvider();
    static final Provider BC = new BouncyCastleProvider();
    static final byte[] MESSAGE = new byte[5000];
    static final SecretKey KEK = new SecretKeySpec(new byte[16], "AES");

    static void same(Object wanted, Object got, String words) {
        if (!Objects.deepEquals(wanted, got)) {
            throw new AssertionError(words + ": " + got + ", not " + wanted);
        }
    }

    static byte[] enveloped(String oid, Provider provider, AlgorithmParameters params) throws Exception {
        CMSEnvelopedDataGenerator generator = new CMSEnvelopedDataGenerator();
        generator.addRecipientInfoGenerator(new JceKEKRecipientInfoGenerator(new byte[] {1}, KEK));
        JceCMSContentEncryptorBuilder builder = new JceCMSContentEncryptorBuilder(new ASN1ObjectIdentifier(oid)).setProvider(provider);
        if (params != null) {
            builder.setAlgorithmParameters(params);
        }
        return generator.generate(new CMSProcessableByteArray(MESSAGE), builder.build()).getEncoded();
    }

    static void opens(byte[] cms, Provider provider, String words) throws Exception {
        JceKEKEnvelopedRecipient recipient = new JceKEKEnvelopedRecipient(KEK);
        recipient.setContentProvider(provider);
        RecipientInformation first = new CMSEnvelopedData(cms).getRecipientInfos().iterator().next();
        same(MESSAGE, first.getContent(recipient), words);
    }

    static AlgorithmParameters params(String name, int iv, String sboxes) throws Exception {
        AlgorithmParameters params = AlgorithmParameters.getInstance(name, BULAT);
        byte[] bytes = new byte[iv];
        bytes[1] = 5;
        if (sboxes == null) {
            params.init(new IvParameterSpec(bytes));
        } else {
            params.init(GostParameterSpec.of(bytes).sboxes(sboxes));
        }
        return params;
    }

    static void cms() throws Exception {
        for (int i = 0; i < 2; i++) {
            opens(enveloped("1.2.643.2.2.21", BC, null), BULAT, "made by BouncyCastle");
            for (String sboxes : new String[] {null, "a", "b", "z"}) {
                for (Provider reader : new Provider[] {BULAT, BC}) {
                    opens(enveloped("1.2.643.2.2.21", BULAT, params("1.2.643.2.2.21", 8, sboxes)), reader, sboxes + ", " + reader.getName());
                }
            }
            opens(enveloped("1.2.643.7.1.1.5.1.1", BULAT, params("1.2.643.7.1.1.5.1.1", 12, null)), BULAT, "Magma, CTR-ACPKM");
            opens(enveloped("1.2.643.7.1.1.5.2.1", BULAT, params("1.2.643.7.1.1.5.2.1", 16, null)), BULAT, "Kuznyechik, CTR-ACPKM");
            opens(enveloped("1.2.643.7.1.1.5.1.2", BULAT, params("1.2.643.7.1.1.5.1.2", 12, null)), BULAT, "Magma, CTR-ACPKM-OMAC");
            opens(enveloped("1.2.643.7.1.1.5.2.2", BULAT, null), BULAT, "Kuznyechik, CTR-ACPKM-OMAC, random UKM");
        }
    }

    static void digests() throws Exception {
        for (ASN1ObjectIdentifier oid : List.of(RosstandartObjectIdentifiers.id_tc26_gost_3411_12_256,
                RosstandartObjectIdentifiers.id_tc26_gost_3411_12_512, CryptoProObjectIdentifiers.gostR3411)) {
            List<byte[]> sums = new ArrayList<>();
            for (Provider provider : List.of(BULAT, BC)) {
                DigestCalculator calculator = new JcaDigestCalculatorProviderBuilder().setProvider(provider).build().get(new AlgorithmIdentifier(oid));
                calculator.getOutputStream().write(MESSAGE);
                sums.add(calculator.getDigest());
            }
            same(sums.get(1), sums.get(0), oid.getId());
        }
    }

    static void codec() throws Exception {
        byte[] sum = MessageDigest.getInstance("GOST3411-2012-256", BC).digest(MESSAGE);
        javax.crypto.Mac mac = javax.crypto.Mac.getInstance("HMACGOST3411-2012-256", BC);
        mac.init(KEK);
        byte[] tag = mac.doFinal(MESSAGE);
        for (int i = 0; i < 2; i++) {
            same(sum, new DigestUtils("GOST3411-2012-256").digest(MESSAGE), "DigestUtils");
            same(tag, new HmacUtils("HmacStreebog256", KEK.getEncoded()).hmac(MESSAGE), "HmacUtils");
        }
    }

    @SuppressWarnings("deprecation")
    static void spring() {
        MessageDigestPasswordEncoder encoder = new MessageDigestPasswordEncoder("GOST3411-2012-512");
        for (int i = 0; i < 2; i++) {
            String stored = encoder.encode("password");
            same(true, encoder.matches("password", stored), "the password");
            same(false, encoder.matches("Password", stored), "another password");
        }
    }

    static void jasypt() {
        StandardStringDigester digester = new StandardStringDigester();
        digester.setAlgorithm("GOST3411-2012-256");
        digester.setProvider(BULAT);
        for (int i = 0; i < 2; i++) {
            String stored = digester.digest("password");
            same(true, digester.matches("password", stored), "the password");
            same(false, digester.matches("Password", stored), "another password");
        }
    }

    public static void main(String[] args) throws Exception {
        Security.addProvider(BULAT);
        switch (args[0]) {
            case "cms" -> cms();
            case "digests" -> digests();
            case "codec" -> codec();
            case "spring" -> spring();
            case "jasypt" -> jasypt();
            default -> throw new IllegalArgumentException(args[0]);
        }
    }
}
