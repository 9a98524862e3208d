// Code generated from package kuznyechik: BULAT_WRITE=1 go test ./magma; DO NOT EDIT.

// Package magma has the block cipher Magma of GOST R 34.12-2015, and its modes (GOST R 34.13-2015, RFC 8645).
//
// Use the modes of this package, or package mgm: a [cipher.Block] behind [cipher.NewCTR] works block by block.
package magma

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

// NewCipher prepares a key.
func NewCipher(key []byte) (cipher.Block, error) {
	return engine.NewCipherBlock("magma", key, "")
}

// NewCTR begins a message in CTR with an IV of 4 bytes. Never use an IV twice under one key.
func NewCTR(key, iv []byte) (cipher.Stream, error) {
	return engine.NewStream("magma-ctr", key, iv, fault.Options{})
}

// NewCTRACPKM begins a message in CTR-ACPKM with an IV of 4 bytes, and a new key after each section of this many bytes;
// 0 is the default of RFC 9189.
func NewCTRACPKM(key, iv []byte, section int) (cipher.Stream, error) {
	return engine.NewStream("magma-ctr-acpkm", key, iv, fault.Options{Section: section})
}

// NewOFB begins a message in OFB with an IV of one or more blocks.
func NewOFB(key, iv []byte) (cipher.Stream, error) {
	return engine.NewStream("magma-ofb", key, iv, fault.Options{})
}

// NewCFBEncrypter begins a message in CFB with an IV of a block or more.
func NewCFBEncrypter(key, iv []byte) (cipher.Stream, error) {
	return engine.NewStream("magma-cfb", key, iv, fault.Options{})
}

// NewCFBDecrypter begins a message in CFB with an IV of a block or more.
func NewCFBDecrypter(key, iv []byte) (cipher.Stream, error) {
	return engine.NewStream("magma-cfb", key, iv, fault.Options{Decrypt: true})
}

// NewCBCEncrypter begins a message in CBC with an IV of one or more blocks. It does not pad.
func NewCBCEncrypter(key, iv []byte) (cipher.BlockMode, error) {
	return engine.NewBlockMode("magma-cbc", key, iv, fault.Options{})
}

// NewCBCDecrypter begins a message in CBC with an IV of one or more blocks. A program that shows whether the padding was
// right is an oracle: check a MAC first.
func NewCBCDecrypter(key, iv []byte) (cipher.BlockMode, error) {
	return engine.NewBlockMode("magma-cbc", key, iv, fault.Options{Decrypt: true})
}

// NewECBEncrypter transforms many independent blocks in one call: a building block, since equal blocks of text show.
func NewECBEncrypter(key []byte) (cipher.BlockMode, error) {
	return engine.NewBlockMode("magma-ecb", key, nil, fault.Options{})
}

// NewECBDecrypter is the inverse of [NewECBEncrypter].
func NewECBDecrypter(key []byte) (cipher.BlockMode, error) {
	return engine.NewBlockMode("magma-ecb", key, nil, fault.Options{Decrypt: true})
}

// MAC is a message under a MAC. Verify compares in constant time.
type MAC = engine.MAC

// NewOMAC begins a message under OMAC with tags of 1 to 8 bytes; 0 is 8.
func NewOMAC(key []byte, tagSize int) (MAC, error) {
	return engine.NewMAC("magma-omac", key, nil, fault.Options{TagSize: tagSize})
}

// NewOMACACPKM begins a message under OMAC-ACPKM: a new key after each section of this many bytes, from a master key
// with a period in bytes; 0 is the default of libbulat.
func NewOMACACPKM(key []byte, tagSize, section, period int) (MAC, error) {
	o := fault.Options{TagSize: tagSize, Section: section, Period: period}
	return engine.NewMAC("magma-omac-acpkm", key, nil, o)
}

// AEAD is authenticated encryption. SealTo is Seal with an error instead of a panic.
type AEAD = engine.AEAD

// NewCTRACPKMOMAC is the content encryption of CMS (R 1323565.1.025-2019): the nonce is the UKM, there is no associated
// data, and 0 is the section of the standard.
func NewCTRACPKMOMAC(key []byte, section int) (AEAD, error) {
	return engine.NewAEAD("magma-ctr-acpkm-omac", key, fault.Options{Section: section})
}

// WrapKExp15 wraps a secret (RFC 9189, 8.2.1) under two keys, the key of the MAC first, with an IV of 4 bytes.
func WrapKExp15(keys, iv, secret []byte) ([]byte, error) {
	return engine.Wrap("magma-kexp15", keys, iv, "", secret)
}

// UnwrapKExp15 unwraps a secret, and returns it only if the MAC is right.
func UnwrapKExp15(keys, iv, wrapped []byte) ([]byte, error) {
	return engine.Unwrap("magma-kexp15", keys, iv, "", wrapped, len(wrapped)-BlockSize)
}
