package bulat_test

import (
	"bytes"
	"crypto/cipher"
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"

	"github.com/bulat-crypto/bulat/bindings/go/kuznyechik"
	"github.com/bulat-crypto/bulat/bindings/go/magma"
	"github.com/bulat-crypto/bulat/bindings/go/mgm"
	"github.com/bulat-crypto/bulat/bindings/go/streebog"
)

type example map[string]any

func (e example) bytes(f string) []byte {
	digits, _ := e[f].(string)
	return must(hex.DecodeString(digits))
}

// TestExamples: the examples of the standards. tools/ci/9-go.sh runs all vectors through internal/serve.
func TestExamples(t *testing.T) {
	equal := func(what any, got, want []byte) {
		if !bytes.Equal(got, want) {
			t.Errorf("%v: %x, not %x", what, got, want)
		}
	}
	for _, file := range []string{"streebog_kat", "gost3413_2015_kat", "mgm_kat"} {
		data, err := os.ReadFile("../../verification/vectors/data/" + file + ".json")
		if err != nil {
			t.Skip("skipped: the vectors are in the repository, not in the module")
		}
		var all struct{ Tests []example }
		if err := json.Unmarshal(data, &all); err != nil {
			t.Fatal(err)
		}
		for _, e := range all.Tests {
			key, iv, msg, ct := e.bytes("key"), e.bytes("iv"), e.bytes("msg"), e.bytes("ct")
			name, over := e["algorithm"].(string), e["algorithm"] == "MAGMA"
			switch name + " " + e["mode"].(string) {
			case "STREEBOG-256 HASH":
				sum := streebog.Sum256(msg)
				equal(name, sum[:], e.bytes("md"))
			case "STREEBOG-512 HASH":
				sum := streebog.Sum512(msg)
				equal(name, sum[:], e.bytes("md"))
			case "KUZNYECHIK CTR", "MAGMA CTR":
				open := map[bool]func(_, _ []byte) (cipher.Stream, error){false: kuznyechik.NewCTR, true: magma.NewCTR}[over]
				must(open(key, iv)).XORKeyStream(msg, msg)
				equal(name, msg, ct)
			case "KUZNYECHIK MGM", "MAGMA MGM":
				open := map[bool]func([]byte, int) (mgm.AEAD, error){false: mgm.NewKuznyechik, true: mgm.NewMagma}[over]
				aead := must(open(key, 0))
				sealed := aead.Seal(nil, iv, msg, e.bytes("aad"))
				equal(name, sealed, append(ct, e.bytes("tag")...))
				equal(name, must(aead.Open(nil, iv, sealed, e.bytes("aad"))), msg)
			}
		}
	}
}
