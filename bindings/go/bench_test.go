package bulat_test

import (
	"crypto/cipher"
	"fmt"
	"testing"

	"github.com/bulat-crypto/bulat/bindings/go/kuznyechik"
	"github.com/bulat-crypto/bulat/bindings/go/magma"
	"github.com/bulat-crypto/bulat/bindings/go/mgm"
	"github.com/bulat-crypto/bulat/bindings/go/streebog"
)

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// works are what the benchmarks time, and the test of allocations calls.
func works(size int) map[string]func() {
	key, iv := make([]byte, 32), make([]byte, 16)
	key[0] = 1
	text, out := make([]byte, size), make([]byte, 0, size+16)
	dst := out[:size]
	ctr := must(kuznyechik.NewCTR(key, iv[:8]))
	acpkm := must(kuznyechik.NewCTRACPKM(key, iv[:8], 0))
	magmaCTR := must(magma.NewCTR(key, iv[:4]))
	seal := must(mgm.NewKuznyechik(key, 0))
	sealMagma := must(mgm.NewMagma(key, 0))
	cbc := must(kuznyechik.NewCBCDecrypter(key, iv))
	omac := must(kuznyechik.NewOMAC(key, 0))
	xts := must(kuznyechik.NewXTS(append(make([]byte, 32), key...)))
	var stream cipher.Stream = ctr
	return map[string]func(){
		"Streebog256": func() { streebog.Sum256(text) },
		"CTR":         func() { stream.XORKeyStream(dst, text) },
		"CTR-ACPKM":   func() { acpkm.XORKeyStream(dst, text) },
		"MagmaCTR":    func() { magmaCTR.XORKeyStream(dst, text) },
		"MGM":         func() { seal.Seal(out[:0], iv, text, nil) },
		"MagmaMGM":    func() { sealMagma.Seal(out[:0], iv[:8], text, nil) },
		"CBC-decrypt": func() { cbc.CryptBlocks(dst, text) },
		"OMAC":        func() { omac.Reset(); omac.Write(text); omac.Sum(dst[:0:16]) },
		"XTS":         func() { xts.Encrypt(dst, text, iv) },
	}
}

func Benchmark(b *testing.B) {
	for _, size := range []int{16, 1024, 16384} {
		for name, work := range works(size) {
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					work()
				}
			})
		}
	}
}
