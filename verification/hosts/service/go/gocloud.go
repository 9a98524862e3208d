package main

import (
	"bytes"
	"context"
	"os"

	"gocloud.dev/secrets"
	_ "gocloud.dev/secrets/hashivault"
)

// The Go CDK's keeper of secrets.
func keeper() {
	os.Setenv("VAULT_SERVER_URL", os.Getenv("VAULT_ADDR"))
	os.Setenv("VAULT_SERVER_TOKEN", os.Getenv("VAULT_TOKEN"))
	ctx := context.Background()
	for n := 0; n < 2; n++ {
		keeper, err := secrets.OpenKeeper(ctx, "hashivault://gocloud")
		check("OpenKeeper", err)
		for _, size := range []int{0, 7, 3_000_000} {
			text := bytes.Repeat([]byte{7}, size)
			sealed, err := keeper.Encrypt(ctx, text)
			check("Encrypt", err)
			opened, err := keeper.Decrypt(ctx, sealed)
			check("Decrypt", err)
			right("text", bytes.Equal(opened, text))
		}
		_, err = keeper.Decrypt(ctx, []byte("vault:v1:AAAA"))
		refused("no ciphertext", err)
		check("Close", keeper.Close())
	}
}
