import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.Provider;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.CipherInputStream;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/** A web application with the jar in its WEB-INF/lib: deployed eleven times in one server, while its threads stay. */
public class Web extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            Provider bulat = (Provider) Class.forName("io.github.bulatcrypto.BulatProvider").getConstructor().newInstance();
            SecretKey key = KeyGenerator.getInstance("GOST3412-2015", bulat).generateKey();
            Cipher cipher = Cipher.getInstance("GOST3412-2015/MGM/NoPadding", bulat);
            cipher.init(Cipher.ENCRYPT_MODE, key);
            byte[] sealed = cipher.doFinal(new byte[5000]);
            cipher.init(Cipher.DECRYPT_MODE, key, cipher.getParameters());
            new CipherInputStream(new ByteArrayInputStream(sealed), cipher).readAllBytes();
            response.getWriter().print(HexFormat.of().formatHex(MessageDigest.getInstance("GOST3411-2012-256", bulat).digest()));
        } catch (ReflectiveOperationException | java.security.GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    static long mapped() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.contains("bulat_java") && line.split("\\s+")[2].equals("00000000")).count();
    }

    static Context deploy(Tomcat tomcat, String folder) {
        Context context = tomcat.addContext("", folder);
        Tomcat.addServlet(context, "web", "Web");
        context.addServletMappingDecoded("/*", "web");
        return context;
    }

    static void run(String folder) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder);
        tomcat.setHostname("127.0.0.1");
        tomcat.setPort(0);
        Context context = deploy(tomcat, folder);
        tomcat.start();
        String empty = "3f539a213e97c802cc229d474c6aa32a825a360b2a933a949fd925208d9ce1bb";
        URI address = URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/");
        for (int i = 0; i < 11; i++) {
            String said = new String(address.toURL().openStream().readAllBytes());
            if (!said.equals(empty)) {
                throw new AssertionError(said);
            }
            if (i < 10) {
                tomcat.getHost().removeChild(context);
                context = deploy(tomcat, folder);
            }
        }
        for (int i = 0; i < 600 && mapped() > 1; i++) {
            System.gc();
            Thread.sleep(100);
        }
        if (mapped() != 1) {
            throw new AssertionError(mapped() + " libraries are mapped, not 1");
        }
    }

    public static void main(String[] args) {
        try {
            run(args[0]);
            // The server's threads are no daemons.
            System.exit(0);
        } catch (Throwable e) {
            e.printStackTrace();
            System.exit(1);
        }
    }
}
