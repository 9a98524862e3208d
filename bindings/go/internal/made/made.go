// Package made checks files that tests make from others.
package made

import (
	"os"
	"testing"
)

// Check compares a file with its text. With BULAT_WRITE=1 it writes the file.
func Check(t *testing.T, name, text string) {
	t.Helper()
	if os.Getenv("BULAT_WRITE") != "" {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(name); err != nil || string(have) != text {
		t.Errorf("%s is made otherwise: BULAT_WRITE=1 go test writes it", name)
	}
}
