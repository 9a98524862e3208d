package io.github.bulatcrypto;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.AlgorithmParameters;
import java.security.AlgorithmParametersSpi;
import java.security.InvalidAlgorithmParameterException;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import java.util.Arrays;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;

/**
 * Parameters of ciphers in DER: {@code SEQUENCE { iv OCTET STRING, sboxes OBJECT IDENTIFIER }} for GOST 28147-89
 * (RFC 4357), {@code SEQUENCE { ukm OCTET STRING }} for GOST R 34.12-2015 (R 1323565.1.025-2019).
 */
final class ParametersEngine extends AlgorithmParametersSpi {
    private static final String USUAL_SBOXES = "1.2.643.7.1.2.5.1.1";

    private final boolean old;
    private GostParameterSpec spec;

    ParametersEngine(boolean old) {
        this.old = old;
    }

    /** Returns the specification of any provider's parameters. */
    static AlgorithmParameterSpec spec(AlgorithmParameters params) throws InvalidAlgorithmParameterException {
        if (params == null) {
            return null;
        }
        for (Class<? extends AlgorithmParameterSpec> type
                : java.util.List.of(GostParameterSpec.class, GCMParameterSpec.class, IvParameterSpec.class)) {
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
        if (given instanceof GostParameterSpec gost) {
            spec = gost;
        } else if (given instanceof IvParameterSpec iv) {
            spec = GostParameterSpec.of(iv.getIV());
        } else if (given instanceof GCMParameterSpec gcm) {
            spec = GostParameterSpec.of(gcm.getIV()).tagSize(gcm.getTLen() / 8);
        } else {
            throw new InvalidParameterSpecException(
                    "IvParameterSpec, GCMParameterSpec or GostParameterSpec, not " + given);
        }
        if (spec.iv() == null || spec.iv().length > 100) {
            throw new InvalidParameterSpecException("no IV, or a long one");
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
        if (type == IvParameterSpec.class) {
            return type.cast(new IvParameterSpec(spec.iv()));
        }
        throw new InvalidParameterSpecException("GostParameterSpec or IvParameterSpec, not " + type.getName());
    }

    @Override
    protected byte[] engineGetEncoded() {
        byte[] sboxes = new byte[0];
        if (old) {
            byte[] oid = der(spec.getSboxes() == null ? USUAL_SBOXES : spec.getSboxes());
            sboxes = element(0x06, oid);
        }
        byte[] iv = element(0x04, spec.iv());
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
        return spec == null ? "no parameters" : "an IV of " + spec.iv().length + " bytes";
    }
}
