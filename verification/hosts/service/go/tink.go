package main

import (
	"bytes"

	"github.com/hashicorp/vault/api"
	"github.com/tink-crypto/tink-go-hcvault/v2/integration/hcvault"
	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/tink"
)

// Tink's AEAD over a key of the service, and its envelope.
func tinkAEAD() {
	client, err := api.NewClient(api.DefaultConfig())
	check("NewClient", err)
	_, err = client.Logical().Write("transit/keys/tink", nil)
	check("key", err)
	_, err = client.Logical().Write("transit/keys/tink-derived", map[string]any{"derived": true})
	check("derived key", err)
	plain, err := hcvault.NewAEAD("/transit/keys/tink", client.Logical())
	check("NewAEAD", err)
	derived, err := hcvault.NewAEAD("/transit/keys/tink-derived", client.Logical(), hcvault.WithLegacyContextParamater())
	check("NewAEAD with context", err)
	for name, one := range map[string]tink.AEAD{
		"associated_data": plain, "context": derived, "envelope": aead.NewKMSEnvelopeAEAD2(aead.AES256GCMKeyTemplate(), plain),
	} {
		for _, size := range []int{0, 7, 100_000} {
			text, data := bytes.Repeat([]byte{7}, size), []byte("data")
			sealed, err := one.Encrypt(text, data)
			check(name+": Encrypt", err)
			opened, err := one.Decrypt(sealed, data)
			check(name+": Decrypt", err)
			right(name, bytes.Equal(opened, text))
			_, err = one.Decrypt(sealed, []byte("other"))
			refused(name+": other data", err)
		}
	}
}
