// Package fault has what every package of the module shares: errors, options and interfaces.
package fault

import (
	"crypto/cipher"
	"errors"
	"hash"
)

var (
	KeyLength  = errors.New("bulat: the key does not have a length that the algorithm accepts")
	IVLength   = errors.New("bulat: the IV or nonce does not have a length that the algorithm accepts")
	TagLength  = errors.New("bulat: the tag does not have the agreed length, or that length is not allowed")
	Nonce      = errors.New("bulat: the first bit of MGM's nonce must be 0")
	Parameter  = errors.New("bulat: a parameter is outside the standard's range, or means nothing to the algorithm")
	Sboxes     = errors.New("bulat: no S-boxes of this name")
	EqualKeys  = errors.New("bulat: two keys that must differ are equal")
	Buffer     = errors.New("bulat: the output is too short")
	DataLength = errors.New("bulat: the data is not a whole number of blocks, or too short")
	Limit      = errors.New("bulat: more data than the standard allows under one key or nonce")
	Empty      = errors.New("bulat: neither text nor associated data")
	Verify     = errors.New("bulat: the tag, the MAC or the wrapped key is wrong")
	Overlap    = errors.New("bulat: the buffers overlap, but are not one")
	State      = errors.New("bulat: not the state of this hash")
	Algorithm  = errors.New("bulat: no algorithm of this name, or none that this call can use")
	Kernel     = errors.New("bulat: no kernel of this name, or this machine cannot run it")
)

// Options of an algorithm; zeros are the defaults.
type Options struct {
	// Decrypt chooses the direction of a mode in which the two differ.
	Decrypt bool
	// TagSize is the length of a tag in bytes.
	TagSize int
	// Section is N of ACPKM in bytes.
	Section int
	// Period is T* of OMAC-ACPKM in bytes.
	Period int
	// S is s of GOST R 34.13-2015 in bytes.
	S int
	// Sboxes is the name of the S-boxes of GOST 28147-89.
	Sboxes string
	// Meshing is the key meshing of GOST 28147-89: 0 the default of the S-boxes, 1 on, 2 off.
	Meshing int
}

// Derivation has the parameters of a key derivation.
type Derivation struct {
	Key, Salt, Label, Seed []byte
	Iterations, Counter    int
	Masks                  [3]uint64
	Record                 uint64
}

// MAC is a message under a MAC.
type MAC interface {
	hash.Cloner
	Verify(tag []byte) bool
}

// AEAD is authenticated encryption; SealTo is Seal with an error instead of a panic.
type AEAD interface {
	cipher.AEAD
	SealTo(dst, nonce, plaintext, additionalData []byte) ([]byte, error)
}

// Extend returns dst with n more bytes, and these.
func Extend(dst []byte, n int) (all, out []byte) {
	if total := len(dst) + n; cap(dst) >= total {
		all = dst[:total]
	} else {
		all = make([]byte, total)
		copy(all, dst)
	}
	return all, all[len(dst):]
}
