package main

import (
	"context"
	"encoding/base64"
	"os"
	"time"

	vault "github.com/hashicorp/vault-client-go"
	"github.com/hashicorp/vault-client-go/schema"
)

// The client that HashiCorp makes from Vault's description.
func vaultClient() {
	ctx := context.Background()
	client, err := vault.New(vault.WithAddress(os.Getenv("VAULT_ADDR")), vault.WithRequestTimeout(30*time.Second))
	check("New", err)
	check("SetToken", client.SetToken(os.Getenv("VAULT_TOKEN")))
	transit := &client.Secrets
	text := base64.StdEncoding.EncodeToString([]byte("a text"))
	_, err = transit.TransitCreateKey(ctx, "client", schema.TransitCreateKeyRequest{})
	check("TransitCreateKey", err)
	key, err := transit.TransitReadKey(ctx, "client")
	check("TransitReadKey", err)
	right("type", key.Data["type"] == "kuznyechik-mgm")
	keys, err := transit.TransitListKeys(ctx)
	check("TransitListKeys", err)
	right("keys", len(keys.Data.Keys) > 0)
	for n := 0; n < 2; n++ {
		sealed, err := transit.TransitEncrypt(ctx, "client", schema.TransitEncryptRequest{Plaintext: text, AssociatedData: text})
		check("TransitEncrypt", err)
		opened, err := transit.TransitDecrypt(ctx, "client", schema.TransitDecryptRequest{
			Ciphertext: sealed.Data["ciphertext"].(string), AssociatedData: text})
		check("TransitDecrypt", err)
		right("plaintext", opened.Data["plaintext"] == text)
		_, err = transit.TransitDecrypt(ctx, "client", schema.TransitDecryptRequest{Ciphertext: sealed.Data["ciphertext"].(string)})
		refused("without associated data", err)
	}
	made, err := transit.TransitGenerateRandomWithSourceAndBytes(ctx, "platform", "16", schema.TransitGenerateRandomWithSourceAndBytesRequest{})
	check("TransitGenerateRandomWithSourceAndBytes", err)
	right("random", len(made.Data["random_bytes"].(string)) == 24)
	_, err = transit.TransitGenerateRandomWithBytes(ctx, "16", schema.TransitGenerateRandomWithBytesRequest{Bytes: 16})
	check("TransitGenerateRandomWithBytes", err)
	sum, err := transit.TransitHashWithAlgorithm(ctx, "streebog256", schema.TransitHashWithAlgorithmRequest{Input: "YWJj"})
	check("TransitHashWithAlgorithm", err)
	right("sum", sum.Data["sum"] == "4e2919cf137ed41ec4fb6270c61826cc4fffb660341e0af3688cd0626d23b481")
	_, err = transit.TransitRotateKey(ctx, "client", schema.TransitRotateKeyRequest{})
	check("TransitRotateKey", err)
	mounts, err := client.System.MountsReadConfiguration(ctx, "transit")
	check("MountsReadConfiguration", err)
	right("mount", mounts.Data.Type == "transit")
	_, err = client.Auth.TokenLookUpSelf(ctx)
	check("TokenLookUpSelf", err)
	_, err = client.Auth.AppRoleWriteRole(ctx, "client", schema.AppRoleWriteRoleRequest{TokenPolicies: []string{"default"}, TokenType: "default"})
	check("AppRoleWriteRole", err)
	// AppRoleReadRole and AppRoleWriteSecretId expect texts for times, where Vault writes numbers, too.
	role, err := client.Read(ctx, "auth/approle/role/client")
	check("Read", err)
	right("token_type", role.Data["token_type"] == "default")
	id, err := client.Auth.AppRoleReadRoleId(ctx, "client")
	check("AppRoleReadRoleId", err)
	made, err = client.Write(ctx, "auth/approle/role/client/secret-id", nil)
	check("Write", err)
	secret := made.Data["secret_id"].(string)
	looked, err := client.Write(ctx, "auth/approle/role/client/secret-id/lookup", map[string]any{"secret_id": secret})
	check("Write", err)
	created, err := time.Parse(time.RFC3339, looked.Data["creation_time"].(string))
	check("creation_time", err)
	right("creation_time", time.Since(created) < time.Hour)
	login, err := client.Auth.AppRoleLogin(ctx, schema.AppRoleLoginRequest{RoleId: id.Data.RoleId, SecretId: secret})
	check("AppRoleLogin", err)
	right("role_name", login.Auth.Metadata["role_name"] == "client")
	_, err = client.Auth.AppRoleLogin(ctx, schema.AppRoleLoginRequest{RoleId: id.Data.RoleId, SecretId: "wrong"})
	refused("another secret", err)
}
