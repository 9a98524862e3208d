import io.quarkus.vault.client.VaultClient;
import io.quarkus.vault.client.api.common.VaultFormat;
import io.quarkus.vault.client.api.common.VaultRandomSource;
import io.quarkus.vault.client.api.secrets.transit.VaultSecretsTransitDecryptParams;
import io.quarkus.vault.client.api.secrets.transit.VaultSecretsTransitEncryptParams;
import io.quarkus.vault.client.api.secrets.transit.VaultSecretsTransitRewrapParams;
import io.quarkus.vault.client.api.secrets.transit.VaultSecretsTransitRotateKeyParams;
import io.quarkus.vault.client.http.jdk.JDKVaultHttpClient;
import java.net.http.HttpClient;
import java.util.Arrays;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** Quarkus' client of Vault, standalone, in both versions of HTTP. */
public final class Quarkus {
    public static void main(String[] args) throws Exception {
        for (HttpClient.Version version : HttpClient.Version.values()) {
            HttpClient http = HttpClient.newBuilder().version(version).build();
            var client = VaultClient.builder().baseUrl(System.getenv("VAULT_ADDR")).clientToken(System.getenv("VAULT_TOKEN"))
                    .executor(new JDKVaultHttpClient(http)).build();
            var transit = client.secrets().transit();
            String key = "quarkus-" + version.ordinal();
            byte[] text = "a text".getBytes(), data = "data".getBytes();
            for (int n = 1; n < 3; n++) {
                String sealed = get(transit.encrypt(key, new VaultSecretsTransitEncryptParams().setPlaintext(text).setAssociatedData(data))).getCiphertext();
                var params = new VaultSecretsTransitDecryptParams().setCiphertext(sealed);
                said(version + " decrypt", Arrays.equals(text, get(transit.decrypt(key, params.setAssociatedData(data)))));
                said(version + " other data: refused", fails(transit.decrypt(key, new VaultSecretsTransitDecryptParams().setCiphertext(sealed).setAssociatedData(text))));
                String plain = get(transit.encrypt(key, new VaultSecretsTransitEncryptParams().setPlaintext(text))).getCiphertext();
                get(transit.rotateKey(key, new VaultSecretsTransitRotateKeyParams()));
                String again = get(transit.rewrap(key, new VaultSecretsTransitRewrapParams().setCiphertext(plain))).getCiphertext();
                said(version + " rewrap", again.startsWith("vault:v" + (n + 1) + ":"));
            }
            said(version + " random", get(transit.random(16, VaultRandomSource.PLATFORM, VaultFormat.BASE64)).length == 16);
            said(version + " listKeys", get(transit.listKeys()).contains(key));
            said(version + " lookupSelf", get(client.auth().token().lookupSelf()).getPolicies().contains("root"));
            // Its list of key types is closed.
            said(version + " readKey: refused", fails(transit.readKey(key)));
        }
        System.out.println("done");
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get();
    }

    private static boolean fails(CompletionStage<?> stage) throws Exception {
        try {
            get(stage);
            return false;
        } catch (ExecutionException e) {
            return true;
        }
    }

    private static void said(String call, boolean right) {
        if (!right) {
            throw new IllegalStateException(call);
        }
        System.out.println(call);
    }
}
