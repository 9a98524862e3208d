package io.github.bulatcrypto;

import java.security.InvalidAlgorithmParameterException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;

/**
 * The parameters of ciphers and MACs, the rarer ones too. Start from {@link #of} and add parameters; each call returns a
 * new object. A parameter that an algorithm does not have is refused.
 */
public final class GostParameterSpec implements AlgorithmParameterSpec {
    /** The sets of S-boxes, in the order of the native library. */
    static final List<String> SBOXES = List.of("test", "a", "b", "c", "d", "z", "hash-test", "hash-cryptopro");
    static final GostParameterSpec NONE = new GostParameterSpec(null, new int[] {-1, -1, -1, -1, -1, -1, -1}, null);

    private static final int TAG = 0;
    private static final int S = 1;
    private static final int SECTION = 2;
    private static final int PERIOD = 3;
    private static final int PADDING = 4;
    private static final int SET = 5;
    private static final int MESHING = 6;
    private static final List<String> WORDS =
            List.of("length of the tag", "s", "section", "period", "padding", "S-boxes that have no OID there", "key meshing");

    final byte[] iv;
    final int[] numbers;
    final byte[] rows;

    private GostParameterSpec(byte[] iv, int[] numbers, byte[] rows) {
        this.iv = iv;
        this.numbers = numbers;
        this.rows = rows;
    }

    /** Starts from an IV, nonce, tweak or UKM; null: no IV. */
    public static GostParameterSpec of(byte[] iv) {
        return NONE.iv(iv == null ? null : iv.clone());
    }

    /** Keeps the array. */
    private GostParameterSpec iv(byte[] iv) {
        return new GostParameterSpec(iv, numbers, rows);
    }

    private GostParameterSpec set(int index, int value) {
        if (value < 0) {
            throw new IllegalArgumentException("a negative parameter: " + value);
        }
        int[] changed = numbers.clone();
        changed[index] = value;
        return new GostParameterSpec(iv, changed, rows);
    }

    /** Sets the length of the tag in bytes. */
    public GostParameterSpec tagSize(int bytes) {
        return set(TAG, bytes);
    }

    /** Sets s of GOST R 34.13: the bytes of each block of keystream that CTR, OFB and CFB use. */
    public GostParameterSpec s(int bytes) {
        return set(S, bytes);
    }

    /** Sets the ACPKM section in bytes. */
    public GostParameterSpec section(int bytes) {
        return set(SECTION, bytes);
    }

    /** Sets T*, the period of the master key of OMAC-ACPKM, in bytes. */
    public GostParameterSpec period(int bytes) {
        return set(PERIOD, bytes);
    }

    /** Chooses the S-boxes of GOST 28147-89 or GOST R 34.11-94: test, a, b, c, d, z, hash-test, hash-cryptopro, or an OID. */
    public GostParameterSpec sboxes(String set) {
        int i = SBOXES.indexOf(set.toLowerCase(Locale.ROOT));
        i = i >= 0 ? i : oids().indexOf(set);
        if (i < 0) {
            throw new IllegalArgumentException("S-boxes " + set + ": " + String.join(", ", SBOXES) + ", or an OID");
        }
        return set(SET, i);
    }

    /** Gives the S-boxes themselves: eight rows of 16 bytes, the first for the lowest four bits. */
    public GostParameterSpec sboxes(byte[] rows) {
        if (rows.length != 128) {
            throw new IllegalArgumentException("S-boxes: " + rows.length + " bytes, not eight rows of 16");
        }
        return new GostParameterSpec(iv, set(SET, SBOXES.size()).numbers, rows.clone());
    }

    /** Switches CryptoPro's key meshing of GOST 28147-89: the key changes each 1024 bytes. */
    public GostParameterSpec meshing(boolean on) {
        return set(MESHING, on ? 1 : 0);
    }

    /** 0: no padding, 1 to 3: the procedures of GOST R 34.13, 4: PKCS #7. */
    GostParameterSpec padding(int kind) {
        return set(PADDING, kind);
    }

    boolean padded() {
        return numbers[PADDING] > 0;
    }

    /** Returns whether these have nothing besides an IV that others have not. */
    boolean same(GostParameterSpec others) {
        return Arrays.equals(numbers, others.numbers) && rows == others.rows;
    }

    /** Returns these parameters without parameters that a name implies; the S-boxes stay. */
    GostParameterSpec beyond(GostParameterSpec usual) {
        int[] rest = numbers.clone();
        for (int i = 0; i < rest.length; i++) {
            rest[i] = i != SET && rest[i] == usual.numbers[i] ? -1 : rest[i];
        }
        return new GostParameterSpec(iv, rest, rows);
    }

    /** Returns these parameters with only the start of the IV, and with a section if they have no section. */
    GostParameterSpec ofUkm(int length, int section) {
        return (numbers[SECTION] < 0 ? section(section) : this).iv(Arrays.copyOf(iv, length));
    }

    /** Returns the length of the tag in bytes; -1: the usual length. */
    int tag() {
        return numbers[TAG];
    }

    /** Returns the names of parameters that are not in DER: it has an IV, S-boxes of GOST 28147-89 by their OID, the usual tag. */
    List<String> beyondDer(int usualTag, boolean sboxes) {
        List<String> lost = new ArrayList<>();
        for (int i = 0; i < numbers.length; i++) {
            boolean held = i == SET ? sboxes && rows == null : i == TAG && numbers[TAG] == usualTag;
            if (numbers[i] >= 0 && !held) {
                lost.add(WORDS.get(i));
            }
        }
        return lost;
    }

    static List<String> oids() {
        return List.of(Native.sboxes().split("\n"));
    }

    /** Returns a copy of the IV; null if there is none. */
    public byte[] getIV() {
        return iv == null ? null : iv.clone();
    }

    /** Returns the OID of the chosen S-boxes; null if none were chosen, or by their rows. */
    public String getSboxes() {
        int set = numbers[SET];
        return set < 0 || set >= SBOXES.size() ? null : oids().get(set);
    }

    /** Returns these parameters, changed by the parameters of a call. */
    GostParameterSpec with(AlgorithmParameterSpec spec, String name) throws InvalidAlgorithmParameterException {
        if (spec == null) {
            return this;
        }
        if (spec instanceof IvParameterSpec given) {
            return iv(given.getIV());
        }
        if (spec instanceof GCMParameterSpec given) {
            if (given.getTLen() % 8 != 0) {
                throw new InvalidAlgorithmParameterException("tag: " + given.getTLen() + " bits, not whole bytes");
            }
            return iv(given.getIV()).set(TAG, given.getTLen() / 8);
        }
        if (spec instanceof GostParameterSpec given) {
            int[] merged = numbers.clone();
            for (int i = 0; i < merged.length; i++) {
                merged[i] = given.numbers[i] >= 0 ? given.numbers[i] : merged[i];
            }
            return new GostParameterSpec(given.iv, merged, given.rows == null ? rows : given.rows);
        }
        throw new InvalidAlgorithmParameterException("parameters of " + name + ": " + spec.getClass().getName()
                + ", not IvParameterSpec, GCMParameterSpec or GostParameterSpec");
    }
}
