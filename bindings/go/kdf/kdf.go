// Package kdf has the key derivation functions over Streebog (RFC 7836, RFC 9189, RFC 9337, RFC 5869).
package kdf

import (
	"github.com/bulat-crypto/bulat/bindings/go/internal/engine"
	"github.com/bulat-crypto/bulat/bindings/go/internal/fault"
)

func derive(name string, p fault.Derivation, size int) ([]byte, error) {
	if size < 0 {
		return nil, fault.Parameter
	}
	out := make([]byte, size)
	if err := engine.Derive(name, p, out); err != nil {
		return nil, err
	}
	return out, nil
}

// Hash is the size of a Streebog in bits.
type Hash int

const (
	Streebog256 Hash = 256
	Streebog512 Hash = 512
)

func (h Hash) name(before, between string) (string, error) {
	switch h {
	case Streebog256:
		return before + between + "256", nil
	case Streebog512:
		return before + between + "512", nil
	}
	return "", fault.Parameter
}

func (h Hash) derive(before, between string, p fault.Derivation, size int) ([]byte, error) {
	name, err := h.name(before, between)
	if err != nil {
		return nil, err
	}
	return derive(name, p, size)
}

// KDF256 is KDF_GOSTR3411_2012_256 (RFC 7836, 4.5): a key of 32 bytes.
func KDF256(key, label, seed []byte) ([]byte, error) {
	return derive("kdf-gostr3411-2012-256", fault.Derivation{Key: key, Label: label, Seed: seed}, 32)
}

// Tree is KDF_TREE_GOSTR3411_2012_256 (RFC 7836, 4.4); counter is R, the length of its counter in bytes, 1 to 4.
func Tree(key, label, seed []byte, counter, size int) ([]byte, error) {
	if counter < 1 {
		return nil, fault.Parameter
	}
	return derive("kdf-tree", fault.Derivation{Key: key, Label: label, Seed: seed, Counter: counter}, size)
}

// Masks are C1, C2 and C3 of TLSTREE.
type Masks [3]uint64

// The masks of the cipher suites of RFC 9189 and RFC 9367.
var (
	KuznyechikCTROMAC = Masks{0xffffffff00000000, 0xfffffffffff80000, 0xffffffffffffffc0}
	MagmaCTROMAC      = Masks{0xffffffc000000000, 0xfffffffffe000000, 0xfffffffffffff000}
	KuznyechikMGML    = Masks{0xf800000000000000, 0xfffffff000000000, 0xffffffffffffe000}
	MagmaMGML         = Masks{0xffe0000000000000, 0xffffffffc0000000, 0xffffffffffffff80}
	KuznyechikMGMS    = Masks{0xffffffffe0000000, 0xffffffffffff0000, 0xfffffffffffffff8}
	MagmaMGMS         = Masks{0xfffffffffc000000, 0xffffffffffffe000, 0xffffffffffffffff}
)

// TLSTree is TLSTREE (RFC 9189, 8.1): the key of a record, 32 bytes.
func TLSTree(key []byte, masks Masks, record uint64) ([]byte, error) {
	return derive("tlstree", fault.Derivation{Key: key, Masks: masks, Record: record}, 32)
}

// PBKDF2 derives a key of a password (RFC 9337, 4: with Streebog512).
func PBKDF2(h Hash, password, salt []byte, iterations, size int) ([]byte, error) {
	if iterations < 1 {
		return nil, fault.Parameter
	}
	return h.derive("pbkdf2-hmac-", "streebog", fault.Derivation{Key: password, Salt: salt, Iterations: iterations}, size)
}

// HKDF is RFC 5869.
func HKDF(h Hash, key, salt, info []byte, size int) ([]byte, error) {
	return h.derive("hkdf-", "streebog", fault.Derivation{Key: key, Salt: salt, Seed: info}, size)
}

// PRFTLS is PRF_TLS_GOSTR3411_2012 (RFC 7836, 4.2.1).
func PRFTLS(h Hash, secret, label, seed []byte, size int) ([]byte, error) {
	return h.derive("prf-tls-", "gostr3411-2012-", fault.Derivation{Key: secret, Label: label, Seed: seed}, size)
}

// PRFPlus is prf+ of IKEv2 (RFC 7296, 2.13; RFC 7836, 4.2.2).
func PRFPlus(h Hash, key, seed []byte, size int) ([]byte, error) {
	return h.derive("prf-plus-", "streebog", fault.Derivation{Key: key, Seed: seed}, size)
}
