package io.github.bulatcrypto;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.AlgorithmParameters;
import java.security.AlgorithmParametersSpi;
import java.security.InvalidAlgorithmParameterException;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import java.util.Arrays;
import java.util.List;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;

/**
 * Parameters of ciphers in DER: {@code SEQUENCE { iv OCTET STRING, sboxes OBJECT IDENTIFIER }} for GOST 28147-89
 * (RFC 4357), {@code SEQUENCE { ukm OCTET STRING }} for GOST R 34.12-2015 (R 1323565.1.025-2019).
 */
final class ParametersEngine extends AlgorithmParametersSpi {
    /** With S-boxes: of GOST 28147-89. */
    private final GostParameterSpec usual;
    private final boolean old;
    private GostParameterSpec spec;

    ParametersEngine(GostParameterSpec usual) {
        this.usual = usual;
        this.old = usual.getSboxes() != null;
    }

    /** Returns the specification of any provider's parameters. */
    static AlgorithmParameterSpec spec(AlgorithmParameters params) throws InvalidAlgorithmParameterException {
        if (params == null) {
            return null;
        }
        for (Class<? extends AlgorithmParameterSpec> type
                : List.of(GostParameterSpec.class, GCMParameterSpec.class, IvParameterSpec.class)) {
            try {
                return params.getParameterSpec(type);
            } catch (InvalidParameterSpecException e) {
                // The next type.
            }
        }
        throw new InvalidAlgorithmParameterException("parameters of " + params.getAlgorithm());
    }

    @Override
    protected void engineInit(AlgorithmParameterSpec given) throws InvalidParameterSpecException {
        if (given == null) {
            throw new InvalidParameterSpecException("no parameters");
        }
        try {
            spec = usual.with(given, old ? "GOST28147" : "GOST3412-2015");
        } catch (InvalidAlgorithmParameterException e) {
            throw new InvalidParameterSpecException(e.getMessage());
        }
    }

    @Override
    protected void engineInit(byte[] encoded) throws IOException {
        int[] at = {0};
        int end = open(encoded, at, 0x30);
        if (end != encoded.length) {
            throw new IOException("bytes after the parameters");
        }
        int ivEnd = open(encoded, at, 0x04);
        GostParameterSpec read = GostParameterSpec.of(Arrays.copyOfRange(encoded, at[0], ivEnd));
        at[0] = ivEnd;
        if (old) {
            int oidEnd = open(encoded, at, 0x06);
            String oid = oid(Arrays.copyOfRange(encoded, at[0], oidEnd));
            at[0] = oidEnd;
            try {
                read = read.sboxes(oid);
            } catch (IllegalArgumentException e) {
                throw new IOException("unknown S-boxes: " + oid);
            }
        }
        if (at[0] != end) {
            throw new IOException("more in the parameters than " + (old ? "an IV and S-boxes" : "a UKM"));
        }
        spec = read;
    }

    /** Reads a tag and a short length, and returns the end of the contents. */
    private static int open(byte[] der, int[] at, int tag) throws IOException {
        int start = at[0];
        if (start + 2 > der.length || der[start] != tag || der[start + 1] < 0
                || start + 2 + der[start + 1] > der.length) {
            throw new IOException("not the DER of parameters");
        }
        at[0] = start + 2;
        return start + 2 + der[start + 1];
    }

    private static String oid(byte[] der) {
        StringBuilder text = new StringBuilder();
        long arc = 0;
        for (byte b : der) {
            arc = (arc << 7) | (b & 0x7f);
            if (b >= 0) {
                text.append(text.isEmpty() ? Math.min(arc / 40, 2) + "." + (arc - 40 * Math.min(arc / 40, 2)) : "." + arc);
                arc = 0;
            }
        }
        return text.toString();
    }

    private static byte[] der(String oid) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        String[] arcs = oid.split("\\.");
        out.write(40 * Integer.parseInt(arcs[0]) + Integer.parseInt(arcs[1]));
        for (int i = 2; i < arcs.length; i++) {
            int arc = Integer.parseInt(arcs[i]);
            for (int shift = 28; shift > 0; shift -= 7) {
                if (arc >> shift != 0) {
                    out.write(0x80 | (arc >> shift & 0x7f));
                }
            }
            out.write(arc & 0x7f);
        }
        return out.toByteArray();
    }

    @Override
    protected void engineInit(byte[] encoded, String format) throws IOException {
        if (format != null && !format.equals("ASN.1")) {
            throw new IOException("only the format ASN.1");
        }
        engineInit(encoded);
    }

    @Override
    protected <T extends AlgorithmParameterSpec> T engineGetParameterSpec(Class<T> type)
            throws InvalidParameterSpecException {
        if (type.isAssignableFrom(GostParameterSpec.class)) {
            return type.cast(spec);
        }
        if (type == IvParameterSpec.class && spec.iv != null) {
            return type.cast(new IvParameterSpec(spec.iv));
        }
        // Only a nonce of MGM is so long.
        if (type == GCMParameterSpec.class && !old && spec.iv != null && spec.iv.length % 8 == 0) {
            return type.cast(new GCMParameterSpec(8 * (spec.tag() < 0 ? usualTag() : spec.tag()), spec.iv));
        }
        throw new InvalidParameterSpecException("GostParameterSpec, or with an IV IvParameterSpec, or for MGM "
                + "GCMParameterSpec, not " + type.getName());
    }

    /** Returns the length of the tags of the cipher that has IVs of this length. */
    private int usualTag() {
        return spec.iv.length < 16 ? 8 : 16;
    }

    @Override
    protected byte[] engineGetEncoded() throws IOException {
        if (spec.iv == null || spec.iv.length > 100) {
            throw new IOException("the DER of parameters needs an IV of up to 100 bytes");
        }
        List<String> lost = spec.beyondDer(usualTag(), old);
        if (!lost.isEmpty()) {
            throw new IOException("the DER of parameters does not hold: " + String.join(", ", lost));
        }
        byte[] sboxes = old ? element(0x06, der(spec.getSboxes())) : new byte[0];
        byte[] iv = element(0x04, spec.iv);
        byte[] both = Arrays.copyOf(iv, iv.length + sboxes.length);
        System.arraycopy(sboxes, 0, both, iv.length, sboxes.length);
        return element(0x30, both);
    }

    private static byte[] element(int tag, byte[] contents) {
        byte[] der = new byte[contents.length + 2];
        der[0] = (byte) tag;
        der[1] = (byte) contents.length;
        System.arraycopy(contents, 0, der, 2, contents.length);
        return der;
    }

    @Override
    protected byte[] engineGetEncoded(String format) throws IOException {
        if (format != null && !format.equals("ASN.1")) {
            throw new IOException("only the format ASN.1");
        }
        return engineGetEncoded();
    }

    @Override
    protected String engineToString() {
        return spec == null || spec.iv == null ? "no IV" : "an IV of " + spec.iv.length + " bytes";
    }
}
