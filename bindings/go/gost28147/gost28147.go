// Package gost28147 has the old block cipher GOST 28147-89 (RFC 5830, RFC 4357), for old data only.
package gost28147

import (
	"crypto/cipher"

	"github.com/bulat-crypto/bulat/bindings/go/internal/engine"
	"github.com/bulat-crypto/bulat/bindings/go/internal/fault"
)

const (
	// KeySize is the length of a key in bytes.
	KeySize = 32
	// BlockSize is the length of a block in bytes.
	BlockSize = 8
)

// Sboxes names S-boxes; any name or object identifier of RFC 4357 and RFC 7836 is accepted, too.
type Sboxes string

const (
	Test          Sboxes = "test"
	CryptoProA    Sboxes = "a"
	CryptoProB    Sboxes = "b"
	CryptoProC    Sboxes = "c"
	CryptoProD    Sboxes = "d"
	TC26Z         Sboxes = "z"
	HashTest      Sboxes = "hash-test"
	HashCryptoPro Sboxes = "hash-cryptopro"
)

// Meshing chooses the key meshing of RFC 4357, 2.3.
type Meshing int

const (
	// Default: CNT, CFB and the MAC mesh, except with the S-boxes Test; CBC does not.
	Default Meshing = iota
	// On: a new key after each 1024 bytes.
	On
	// Off: one key.
	Off
)

func options(s Sboxes, m Meshing, decrypt bool) fault.Options {
	return fault.Options{Sboxes: string(s), Meshing: int(m), Decrypt: decrypt}
}

// NewCipher prepares a key.
func NewCipher(key []byte, sboxes Sboxes) (cipher.Block, error) {
	return engine.NewCipherBlock("gost89", key, string(sboxes))
}

// NewCNT begins a message in the counter mode.
func NewCNT(key, iv []byte, sboxes Sboxes, meshing Meshing) (cipher.Stream, error) {
	return engine.NewStream("gost89-cnt", key, iv, options(sboxes, meshing, false))
}

// NewCFBEncrypter begins a message in CFB.
func NewCFBEncrypter(key, iv []byte, sboxes Sboxes, meshing Meshing) (cipher.Stream, error) {
	return engine.NewStream("gost89", key, iv, options(sboxes, meshing, false))
}

// NewCFBDecrypter begins a message in CFB.
func NewCFBDecrypter(key, iv []byte, sboxes Sboxes, meshing Meshing) (cipher.Stream, error) {
	return engine.NewStream("gost89", key, iv, options(sboxes, meshing, true))
}

// NewCBCEncrypter begins a message in CBC.
func NewCBCEncrypter(key, iv []byte, sboxes Sboxes, meshing Meshing) (cipher.BlockMode, error) {
	return engine.NewBlockMode("gost89-cbc", key, iv, options(sboxes, meshing, false))
}

// NewCBCDecrypter begins a message in CBC.
func NewCBCDecrypter(key, iv []byte, sboxes Sboxes, meshing Meshing) (cipher.BlockMode, error) {
	return engine.NewBlockMode("gost89-cbc", key, iv, options(sboxes, meshing, true))
}

// NewECBEncrypter transforms many independent blocks in one call.
func NewECBEncrypter(key []byte, sboxes Sboxes) (cipher.BlockMode, error) {
	return engine.NewBlockMode("gost89-ecb", key, nil, options(sboxes, Default, false))
}

// NewECBDecrypter is the inverse of [NewECBEncrypter].
func NewECBDecrypter(key []byte, sboxes Sboxes) (cipher.BlockMode, error) {
	return engine.NewBlockMode("gost89-ecb", key, nil, options(sboxes, Default, true))
}

// MAC is a message under a MAC. Verify compares in constant time.
type MAC = engine.MAC

// NewMAC begins a message under the MAC of GOST 28147-89 with tags of 1 to 8 bytes; 0 is 4.
func NewMAC(key []byte, sboxes Sboxes, meshing Meshing, tagSize int) (MAC, error) {
	o := options(sboxes, meshing, false)
	o.TagSize = tagSize
	return engine.NewMAC("gost-mac", key, nil, o)
}

// WrapKey wraps a key of 32 bytes (RFC 4357, 6.1) with a UKM of 8 bytes.
func WrapKey(kek, ukm, key []byte, sboxes Sboxes) ([]byte, error) {
	return engine.Wrap("gost28147-keywrap", kek, ukm, string(sboxes), key)
}

// UnwrapKey unwraps a key, and returns it only if the MAC is right.
func UnwrapKey(kek, wrapped []byte, sboxes Sboxes) ([]byte, error) {
	return engine.Unwrap("gost28147-keywrap", kek, nil, string(sboxes), wrapped, 32)
}

// WrapKeyCryptoPro wraps a key of 32 bytes under a diversified key (RFC 4357, 6.3).
func WrapKeyCryptoPro(kek, ukm, key []byte, sboxes Sboxes) ([]byte, error) {
	return engine.Wrap("cryptopro-keywrap", kek, ukm, string(sboxes), key)
}

// UnwrapKeyCryptoPro unwraps a key, and returns it only if the MAC is right.
func UnwrapKeyCryptoPro(kek, wrapped []byte, sboxes Sboxes) ([]byte, error) {
	return engine.Unwrap("cryptopro-keywrap", kek, nil, string(sboxes), wrapped, 32)
}
