import java.net.URI;
import java.util.List;
import java.util.Map;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.vault.authentication.AppRoleAuthentication;
import org.springframework.vault.authentication.AppRoleAuthenticationOptions;
import org.springframework.vault.authentication.AppRoleAuthenticationOptions.RoleId;
import org.springframework.vault.authentication.AppRoleAuthenticationOptions.SecretId;
import org.springframework.vault.authentication.LifecycleAwareSessionManager;
import org.springframework.vault.authentication.TokenAuthentication;
import org.springframework.vault.authentication.event.AfterLoginTokenRenewedEvent;
import org.springframework.vault.client.VaultClients;
import org.springframework.vault.client.VaultEndpoint;
import org.springframework.vault.core.VaultTemplate;
import org.springframework.vault.support.Plaintext;

/** Calls of Spring Vault, unmodified: a session by a role that is renewed, and transit. Prints a line for each that works. */
public final class Spring {
    public static void main(String[] args) throws Exception {
        VaultEndpoint endpoint = VaultEndpoint.from(URI.create(System.getenv("VAULT_ADDR")));
        VaultTemplate root = new VaultTemplate(endpoint, new TokenAuthentication(System.getenv("VAULT_TOKEN")));
        said("health", root.opsForSys().health().isInitialized());
        said("getMounts", root.opsForSys().getMounts().containsKey("transit/"));
        said("getAuthMounts", root.opsForSys().getAuthMounts().containsKey("approle/"));
        root.write("sys/policies/acl/spring", Map.of("policy", "path \"transit/*\" { capabilities = [\"create\", \"read\", \"update\", \"list\"] }"));
        root.write("auth/approle/role/spring", Map.of("token_policies", List.of("spring"), "token_ttl", "9s"));
        Object role = root.read("auth/approle/role/spring/role-id").getRequiredData().get("role_id");
        Object secret = root.write("auth/approle/role/spring/secret-id", Map.of()).getRequiredData().get("secret_id");
        said("role", role != null && secret != null);

        var rest = VaultClients.createRestTemplate(endpoint, new SimpleClientHttpRequestFactory());
        var options = AppRoleAuthenticationOptions.builder()
                .roleId(RoleId.provided(role.toString())).secretId(SecretId.provided(secret.toString())).build();
        ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
        scheduler.initialize();
        var session = new LifecycleAwareSessionManager(new AppRoleAuthentication(options, rest), scheduler, rest);
        boolean[] renewed = {false};
        session.addAuthenticationListener(event -> renewed[0] |= event instanceof AfterLoginTokenRenewedEvent);
        session.addErrorListener(event -> System.out.println("error: " + event.getException()));
        String token = session.getSessionToken().getToken();
        said("login", !token.isEmpty());
        for (int n = 0; n < 600 && !renewed[0]; n++) {
            Thread.sleep(100);
        }
        said("renewed", renewed[0] && session.getSessionToken().getToken().equals(token));

        VaultTemplate client = new VaultTemplate(endpoint, new SimpleClientHttpRequestFactory(), session);
        var transit = client.opsForTransit();
        transit.createKey("spring");
        said("getKeys", transit.getKeys().contains("spring"));
        String sealed = transit.encrypt("spring", "a text");
        said("decrypt", transit.decrypt("spring", sealed).equals("a text"));
        transit.rotate("spring");
        said("rewrap", transit.rewrap("spring", sealed).startsWith("vault:v2:"));
        var both = transit.encrypt("spring", List.of(Plaintext.of("one"), Plaintext.of("two")));
        said("batch", both.size() == 2 && both.get(1).isSuccessful());
        said("hmac", transit.getHmac("spring", Plaintext.of("x")).getHmac().startsWith("vault:v2:"));
        session.destroy();
        scheduler.shutdown();
        System.out.println("done");
    }

    private static void said(String call, boolean right) {
        if (!right) {
            throw new IllegalStateException(call);
        }
        System.out.println(call);
    }
}
