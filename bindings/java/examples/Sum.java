import io.github.bulatcrypto.BulatProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.Security;
import java.util.HexFormat;

/** Prints the Streebog-256 of files: {@code java -cp bulat-0.1.0-all.jar examples/Sum.java FILE...} */
public class Sum {
    public static void main(String[] files) throws Exception {
        Security.addProvider(new BulatProvider());
        MessageDigest digest = MessageDigest.getInstance("GOST3411-2012-256", "Bulat");
        for (String file : files) {
            byte[] sum = digest.digest(Files.readAllBytes(Path.of(file)));
            System.out.println(HexFormat.of().formatHex(sum) + "  " + file);
        }
    }
}
