package io.github.bulatcrypto.bench;

import io.github.bulatcrypto.Bulat;
import java.security.MessageDigest;
import java.security.Provider;
import java.util.concurrent.TimeUnit;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Bulat beside BouncyCastle through JCA: a digest, CTR and OMAC, each with its init. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Ratios {
    @Param({"16", "1024", "16384"})
    int size;

    @Param({"Bulat", "BC"})
    String provider;

    private MessageDigest digest;
    private Cipher ctr;
    private Mac omac;
    private SecretKeySpec key;
    private byte[] message;
    private byte[] iv;

    /** Prepares the engines. */
    @Setup
    public void setup() throws Exception {
        Provider by = provider.equals("BC") ? new BouncyCastleProvider() : Bulat.provider();
        digest = MessageDigest.getInstance("GOST3411-2012-256", by);
        ctr = Cipher.getInstance("GOST3412-2015/CTR/NoPadding", by);
        omac = Mac.getInstance("GOST3412MAC", by);
        key = new SecretKeySpec(new byte[32], "GOST3412-2015");
        omac.init(key);
        message = new byte[size];
        iv = new byte[8];
    }

    /** Hashes. */
    @Benchmark
    public byte[] streebog256() {
        return digest.digest(message);
    }

    /** Encrypts under the next IV. */
    @Benchmark
    public byte[] ctr() throws Exception {
        iv[7]++;
        ctr.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(iv));
        return ctr.doFinal(message);
    }

    /** Computes a MAC. */
    @Benchmark
    public byte[] omac() {
        return omac.doFinal(message);
    }
}
