// Package mgm has the authenticated encryption MGM of RFC 9058 over Kuznyechik and Magma.
package mgm

import (
	"github.com/bulat-crypto/bulat/bindings/go/internal/engine"
	"github.com/bulat-crypto/bulat/bindings/go/internal/fault"
)

// KeySize is the length of a key in bytes.
const KeySize = 32

// AEAD is a key under MGM, for any number of goroutines. The nonce has 16 bytes over Kuznyechik and 8 over Magma, its first
// bit is 0, and no nonce is used twice under one key. Text and associated data must not both be empty.
//
// Seal panics where [AEAD.SealTo] returns an error. Open decrypts only what has a right tag; dst may be ciphertext[:0].
type AEAD = engine.AEAD

// NewKuznyechik prepares a key; tags have 4 to 16 bytes, 0 is 16.
func NewKuznyechik(key []byte, tagSize int) (AEAD, error) {
	return engine.NewAEAD("kuznyechik-mgm", key, fault.Options{TagSize: tagSize})
}

// NewMagma prepares a key; tags have 4 to 8 bytes, 0 is 8.
func NewMagma(key []byte, tagSize int) (AEAD, error) {
	return engine.NewAEAD("magma-mgm", key, fault.Options{TagSize: tagSize})
}
