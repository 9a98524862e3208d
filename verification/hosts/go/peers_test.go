package hosts

import (
	"bytes"
	"crypto/cipher"
	"crypto/rand"
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

// TestXTS: x/crypto's XTS over Kuznyechik is the module's; it takes no blocks of 8 bytes.
func TestXTS(t *testing.T) {
	keys := append(bytes.Clone(key), bytes.Repeat([]byte{9}, 32)...)
	theirs, own := must(xts.NewCipher(kuznyechik.NewCipher, keys)), must(kuznyechik.NewXTS(keys))
	for sector := range uint64(3) {
		text, out, back := make([]byte, 512), make([]byte, 512), make([]byte, 512)
		rand.Read(text)
		theirs.Encrypt(out, text, sector)
		tweak := make([]byte, 16)
		tweak[0] = byte(sector)
		if err := own.Decrypt(back, out, tweak); err != nil || !bytes.Equal(back, text) {
			t.Fatal(err)
		}
	}
	if _, err := xts.NewCipher(magma.NewCipher, keys); err == nil {
		t.Error("XTS over Magma")
	}
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
