// Go's own suites for implementations of its interfaces, which `hosts` copies from GOROOT.
package hosts

import (
	"crypto/cipher"
	"errors"
	"hash"
	"testing"

	"hosts/cryptotest"
	"hosts/testhash"

	bulat "github.com/bulat-crypto/bulat/bindings/go"
	"github.com/bulat-crypto/bulat/bindings/go/gost28147"
	"github.com/bulat-crypto/bulat/bindings/go/kuznyechik"
	"github.com/bulat-crypto/bulat/bindings/go/magma"
	"github.com/bulat-crypto/bulat/bindings/go/mgm"
	"github.com/bulat-crypto/bulat/bindings/go/streebog"
)

const boxes = gost28147.CryptoProA

var key = []byte("0123456789abcdef0123456789ABCDEF")

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// TestSuiteHash: hashes and MACs.
func TestSuiteHash(t *testing.T) {
	for name, make := range map[string]func() hash.Hash{
		"Streebog-256":         func() hash.Hash { return streebog.New256() },
		"Streebog-512":         func() hash.Hash { return streebog.New512() },
		"HMAC-256":             func() hash.Hash { return streebog.NewHMAC256(key) },
		"HMAC-512":             func() hash.Hash { return streebog.NewHMAC512(key) },
		"GOST R 34.11-94":      streebog.NewGost94,
		"OMAC":                 func() hash.Hash { return must(kuznyechik.NewOMAC(key, 0)) },
		"OMAC of Magma":        func() hash.Hash { return must(magma.NewOMAC(key, 0)) },
		"OMAC-ACPKM":           func() hash.Hash { return must(kuznyechik.NewOMACACPKM(key, 0, 32, 64)) },
		"OMAC-ACPKM of Magma":  func() hash.Hash { return must(magma.NewOMACACPKM(key, 0, 0, 0)) },
		"MAC of GOST 28147-89": func() hash.Hash { return must(gost28147.NewMAC(key, boxes, gost28147.On, 0)) },
	} {
		t.Run(name, func(t *testing.T) { testhash.TestHash(t, testhash.MakeHash(make)) })
	}
}

// TestSuiteBlock: block ciphers.
func TestSuiteBlock(t *testing.T) {
	for name, make := range map[string]cryptotest.MakeBlock{
		"Kuznyechik":    kuznyechik.NewCipher,
		"Magma":         magma.NewCipher,
		"GOST 28147-89": func(key []byte) (cipher.Block, error) { return gost28147.NewCipher(key, boxes) },
	} {
		t.Run(name, func(t *testing.T) { cryptotest.TestBlock(t, 32, make) })
	}
}

// TestSuiteCBC: CBC of the module, and Go's over its ciphers.
func TestSuiteCBC(t *testing.T) {
	mode := func(open func(key, iv []byte) (cipher.BlockMode, error)) cryptotest.MakeBlockMode {
		return func(_ cipher.Block, iv []byte) cipher.BlockMode { return must(open(key, iv)) }
	}
	k, m := must(kuznyechik.NewCipher(key)), must(magma.NewCipher(key))
	t.Run("Kuznyechik", func(t *testing.T) {
		cryptotest.TestBlockMode(t, k, mode(kuznyechik.NewCBCEncrypter), mode(kuznyechik.NewCBCDecrypter))
	})
	t.Run("Magma", func(t *testing.T) {
		cryptotest.TestBlockMode(t, m, mode(magma.NewCBCEncrypter), mode(magma.NewCBCDecrypter))
	})
	for name, block := range map[string]cipher.Block{"Go's, Kuznyechik": k, "Go's, Magma": m} {
		t.Run(name, func(t *testing.T) { cryptotest.TestBlockMode(t, block, cipher.NewCBCEncrypter, cipher.NewCBCDecrypter) })
	}
}

// streams runs the suite over modes that are opened with a key and an IV of n bytes.
func streams(t *testing.T, all map[string]func(key, iv []byte) (cipher.Stream, error), n map[string]int) {
	for name, open := range all {
		t.Run(name, func(t *testing.T) {
			cryptotest.TestStream(t, func() cipher.Stream { return must(open(key, make([]byte, n[name]))) })
		})
	}
}

// TestSuiteStream: CTR, CTR-ACPKM, OFB, CNT, and Go's CTR over the ciphers.
func TestSuiteStream(t *testing.T) {
	streams(t, map[string]func(key, iv []byte) (cipher.Stream, error){
		"CTR": kuznyechik.NewCTR, "CTR of Magma": magma.NewCTR, "OFB": kuznyechik.NewOFB, "OFB of Magma": magma.NewOFB,
		"CTR-ACPKM": func(key, iv []byte) (cipher.Stream, error) { return kuznyechik.NewCTRACPKM(key, iv, 64) },
		"CNT":       func(key, iv []byte) (cipher.Stream, error) { return gost28147.NewCNT(key, iv, boxes, gost28147.On) },
	}, map[string]int{"CTR": 8, "CTR of Magma": 4, "OFB": 32, "OFB of Magma": 16, "CTR-ACPKM": 8, "CNT": 8})
	for name, open := range map[string]func([]byte) (cipher.Block, error){"Kuznyechik": kuznyechik.NewCipher, "Magma": magma.NewCipher} {
		t.Run("Go's CTR, "+name, func(t *testing.T) { cryptotest.TestStreamFromBlock(t, must(open(key)), cipher.NewCTR) })
	}
}

// TestCFBStream has the name by which the suite knows CFB, of which it asks less.
func TestCFBStream(t *testing.T) {
	streams(t, map[string]func(key, iv []byte) (cipher.Stream, error){
		"encrypt": kuznyechik.NewCFBEncrypter, "decrypt": kuznyechik.NewCFBDecrypter, "Magma, encrypt": magma.NewCFBEncrypter,
	}, map[string]int{"encrypt": 16, "decrypt": 32, "Magma, encrypt": 8})
}

// standard keeps the suite to messages that MGM allows: a first bit of the nonce that is 0, and a header where there is no
// text. It panics for an overlap in Open, as Go's modes do.
type standard struct{ mgm.AEAD }

func (a standard) allowed(nonce, text, data []byte) ([]byte, []byte) {
	if len(nonce) == a.NonceSize() {
		nonce = append([]byte{nonce[0] & 0x7f}, nonce[1:]...)
	}
	if len(text)+len(data) == 0 {
		data = []byte("header")
	}
	return nonce, data
}

func (a standard) Seal(dst, nonce, text, data []byte) []byte {
	nonce, data = a.allowed(nonce, text, data)
	return a.AEAD.Seal(dst, nonce, text, data)
}

func (a standard) Open(dst, nonce, sealed, data []byte) ([]byte, error) {
	nonce, data = a.allowed(nonce, sealed[:max(0, len(sealed)-a.Overhead())], data)
	out, err := a.AEAD.Open(dst, nonce, sealed, data)
	if errors.Is(err, bulat.ErrOverlap) {
		panic(err)
	}
	return out, err
}

// TestSuiteAEAD: MGM, and Go's GCM over Kuznyechik.
func TestSuiteAEAD(t *testing.T) {
	for name, make := range map[string]cryptotest.MakeAEAD{
		"MGM":          func() (cipher.AEAD, error) { return standard{must(mgm.NewKuznyechik(key, 0))}, nil },
		"MGM of Magma": func() (cipher.AEAD, error) { return standard{must(mgm.NewMagma(key, 0))}, nil },
		"Go's GCM":     func() (cipher.AEAD, error) { return cipher.NewGCM(must(kuznyechik.NewCipher(key))) },
	} {
		t.Run(name, func(t *testing.T) { cryptotest.TestAEAD(t, make) })
	}
}

// TestOverlap: Open returns an error where Go's modes panic, and leaves the buffer as it is.
func TestOverlap(t *testing.T) {
	a := must(mgm.NewKuznyechik(key, 0))
	nonce := make([]byte, 16)
	buffer := append(make([]byte, 1), a.Seal(nil, nonce, []byte("text of some length"), nil)...)
	before := string(buffer)
	if out, err := a.Open(buffer[:0], nonce, buffer[1:], nil); !errors.Is(err, bulat.ErrOverlap) || out != nil || string(buffer) != before {
		t.Error(out, err)
	}
}
