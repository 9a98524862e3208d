//go:build goexperiment.runtimesecret

package hosts

import (
	"bytes"
	"io"
	"runtime"
	"runtime/pprof"
	"runtime/secret"
	"testing"

	"github.com/bulat-crypto/bulat/bindings/go/mgm"
	"github.com/bulat-crypto/bulat/bindings/go/streebog"
)

// TestSecret: calls in secret.Do, which erases registers and the stack, while signals and the collector come.
func TestSecret(t *testing.T) {
	if err := pprof.StartCPUProfile(io.Discard); err == nil {
		defer pprof.StopCPUProfile()
	}
	text, nonce := bytes.Repeat([]byte("text"), 3000), make([]byte, 16)
	digest := streebog.Sum512(text)
	sealed := must(mgm.NewKuznyechik(key, 0)).Seal(nil, nonce, text, nil)
	sealedMagma := must(mgm.NewMagma(key, 0)).Seal(nil, nonce[:8], text, nil)
	for range 300 {
		var sum [64]byte
		out, outMagma := make([]byte, 0, len(sealed)), make([]byte, 0, len(sealed))
		secret.Do(func() {
			sum = streebog.Sum512(text)
			out = must(mgm.NewKuznyechik(key, 0)).Seal(out, nonce, text, nil)
			outMagma = must(mgm.NewMagma(key, 0)).Seal(outMagma, nonce[:8], text, nil)
			runtime.GC()
		})
		if sum != digest || !bytes.Equal(out, sealed) || !bytes.Equal(outMagma, sealedMagma) {
			t.Fatal("another value")
		}
	}
}
