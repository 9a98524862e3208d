package magma

import (
	"os"
	"strings"
	"testing"

	"github.com/bulat-crypto/bulat/bindings/go/internal/made"
)

// TestMade makes this package from that of Kuznyechik, which has XTS in a file of its own.
func TestMade(t *testing.T) {
	source, err := os.ReadFile("../kuznyechik/kuznyechik.go")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer("kuznyechik", "magma", "Kuznyechik", "Magma", "BlockSize = 16", "BlockSize = 8",
		"1 to 16 bytes; 0 is 16", "1 to 8 bytes; 0 is 8", "an IV of 8 bytes", "an IV of 4 bytes").Replace(string(source))
	made.Check(t, "magma.go", "// Code generated from package kuznyechik: BULAT_WRITE=1 go test ./magma; DO NOT EDIT.\n\n"+text)
}
