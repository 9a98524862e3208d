package hosts

import (
	"bytes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/subtle"
	"hash"
	"io"
	"testing"

	"github.com/ProtonMail/go-crypto/eax"
	"github.com/ProtonMail/go-crypto/ocb"
	gmsm "github.com/emmansun/gmsm/cipher"
	"github.com/multiformats/go-multihash"
	multihashes "github.com/multiformats/go-multihash/core"
	"golang.org/x/crypto/hkdf"
	"golang.org/x/crypto/pbkdf2"
	"golang.org/x/crypto/xts"

	"github.com/bulat-crypto/bulat/bindings/go/kdf"
	"github.com/bulat-crypto/bulat/bindings/go/kuznyechik"
	"github.com/bulat-crypto/bulat/bindings/go/magma"
	"github.com/bulat-crypto/bulat/bindings/go/streebog"
)

// sectors compares XTS over Kuznyechik with the module's, for sectors of these lengths; blocks of 8 bytes are refused.
func sectors[X interface {
	Encrypt(dst, src []byte, sector uint64)
	Decrypt(dst, src []byte, sector uint64)
}](t *testing.T, open func(func([]byte) (cipher.Block, error), []byte) (X, error), lengths ...int) {
	keys := append(bytes.Clone(key), bytes.Repeat([]byte{9}, 32)...)
	theirs, own := must(open(kuznyechik.NewCipher, keys)), must(kuznyechik.NewXTS(keys))
	for i, n := range lengths {
		text, out, want, tweak := make([]byte, n), make([]byte, n), make([]byte, n), make([]byte, 16)
		rand.Read(text)
		tweak[0] = byte(i)
		theirs.Encrypt(out, text, uint64(i))
		if err := own.Encrypt(want, text, tweak); err != nil || !bytes.Equal(out, want) {
			t.Errorf("%d bytes: %v", n, err)
		}
		theirs.Decrypt(out, want, uint64(i))
		if !bytes.Equal(out, text) {
			t.Errorf("%d bytes, decrypted", n)
		}
	}
	if _, err := open(magma.NewCipher, keys); err == nil {
		t.Error("XTS over Magma")
	}
}

func TestXTS(t *testing.T) {
	sectors(t, func(c func([]byte) (cipher.Block, error), keys []byte) (*xts.Cipher, error) {
		return xts.NewCipher(c, keys)
	}, 16, 512, 512, 4096)
}

func TestXTSStealing(t *testing.T) {
	sectors(t, func(c func([]byte) (cipher.Block, error), keys []byte) (gmsm.XTSBlockMode, error) {
		return gmsm.NewXTS(c, keys)
	}, 16, 17, 31, 100, 513, 4095)
}

// TestDerivations: x/crypto's hkdf and pbkdf2 over Streebog.
func TestDerivations(t *testing.T) {
	new512 := func() hash.Hash { return streebog.New512() }
	salt, out := []byte("salt"), make([]byte, 200)
	must(io.ReadFull(hkdf.New(new512, key, salt, []byte("info")), out))
	if !bytes.Equal(out, must(kdf.HKDF(kdf.Streebog512, key, salt, []byte("info"), 200))) {
		t.Error("hkdf")
	}
	if !bytes.Equal(pbkdf2.Key(key, salt, 1000, 200, new512), must(kdf.PBKDF2(kdf.Streebog512, key, salt, 1000, 200))) {
		t.Error("pbkdf2")
	}
}

// roundTrip seals and opens, twice, and refuses a changed text; over Magma the mode refuses.
func roundTrip(t *testing.T, open func(cipher.Block) (cipher.AEAD, error)) {
	a, err := open(must(kuznyechik.NewCipher(key)))
	if err != nil {
		t.Fatal(err)
	}
	for n := range byte(2) {
		nonce := bytes.Repeat([]byte{n}, a.NonceSize())
		sealed := a.Seal(nil, nonce, []byte("text"), []byte("header"))
		if text, err := a.Open(nil, nonce, sealed, []byte("header")); err != nil || string(text) != "text" {
			t.Error(err)
		}
		sealed[0] ^= 1
		if _, err := a.Open(nil, nonce, sealed, []byte("header")); err == nil {
			t.Error("a changed text opens")
		}
	}
	if _, err := open(must(magma.NewCipher(key))); err == nil {
		t.Error("blocks of 8 bytes")
	}
}

func TestCCM(t *testing.T) {
	roundTrip(t, func(b cipher.Block) (cipher.AEAD, error) { return gmsm.NewCCM(b) })
}
func TestEAX(t *testing.T) {
	roundTrip(t, func(b cipher.Block) (cipher.AEAD, error) { return eax.NewEAX(b) })
	// EAX is three OMACs and CTR.
	omac := func(n byte, text []byte) []byte {
		m := must(kuznyechik.NewOMAC(key, 0))
		m.Write(append(make([]byte, 15), n))
		m.Write(text)
		return m.Sum(nil)
	}
	block, nonce, header := must(kuznyechik.NewCipher(key)), []byte("0123456789abcdef"), []byte("header")
	for n := range 50 {
		text := bytes.Repeat([]byte{7}, n)
		want, start := bytes.Clone(text), omac(0, nonce)
		cipher.NewCTR(block, start).XORKeyStream(want, want)
		tag := omac(2, want)
		subtle.XORBytes(tag, tag, start)
		subtle.XORBytes(tag, tag, omac(1, header))
		if sealed := must(eax.NewEAX(block)).Seal(nil, nonce, text, header); !bytes.Equal(sealed, append(want, tag...)) {
			t.Errorf("%d bytes", n)
		}
	}
}
func TestOCB(t *testing.T) {
	roundTrip(t, func(b cipher.Block) (cipher.AEAD, error) { return ocb.NewOCB(b) })
}

// TestMultihash: Streebog under a number that the program registers.
func TestMultihash(t *testing.T) {
	const streebog256 = 0x300001 // of the table's range for private use
	multihashes.Register(streebog256, func() hash.Hash { return streebog.New256() })
	for range 2 {
		made := must(multihash.Sum([]byte("abc"), streebog256, -1))
		want := streebog.Sum256([]byte("abc"))
		if d := must(multihash.Decode(made)); d.Code != streebog256 || !bytes.Equal(d.Digest, want[:]) {
			t.Errorf("%x", made)
		}
	}
}
