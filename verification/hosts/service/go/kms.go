package main

import (
	"context"

	transit "github.com/hashicorp/go-kms-wrapping/wrappers/transit/v2"
	"github.com/hashicorp/vault/api"
)

// The wrapper by which Vault and OpenBao unseal themselves.
func kms() {
	client, err := api.NewClient(api.DefaultConfig())
	check("NewClient", err)
	wrapper := transit.NewWrapper()
	ctx := context.Background()
	_, err = wrapper.SetConfig(ctx, transit.WithAddress(client.Address()), transit.WithToken(client.Token()),
		transit.WithMountPath("transit/"), transit.WithKeyName("unseal"))
	check("go-kms-wrapping: SetConfig", err)
	sealed, err := wrapper.Encrypt(ctx, []byte("a root key"))
	check("go-kms-wrapping: Encrypt", err)
	opened, err := wrapper.Decrypt(ctx, sealed)
	check("go-kms-wrapping: Decrypt", err)
	right("text", string(opened) == "a root key")
	again, err := wrapper.Encrypt(ctx, []byte("a root key"))
	check("go-kms-wrapping: Encrypt again", err)
	sealed.Ciphertext = append(again.Ciphertext[:len(again.Ciphertext)-4:len(again.Ciphertext)-4], "AAA="...)
	_, err = wrapper.Decrypt(ctx, sealed)
	refused("go-kms-wrapping: changed", err)
}
