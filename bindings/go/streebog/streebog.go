// Package streebog has the hash functions of GOST R 34.11-2012 (RFC 6986), HMAC of them (RFC 7836), and for old data that
// of GOST R 34.11-94 (RFC 5831).
package streebog

import (
	"encoding"
	"hash"
	"io"

	"github.com/bulat-crypto/bulat/bindings/go/internal/engine"
	"github.com/bulat-crypto/bulat/bindings/go/internal/fault"
)

const (
	// Size256 and Size512 are the lengths of digests in bytes.
	Size256 = 32
	Size512 = 64
	// BlockSize is the length of a block in bytes.
	BlockSize = 64
)

// Hash is a message being hashed. With the build tag bulat_cgo its state has no form of bytes: errors.ErrUnsupported.
type Hash interface {
	hash.Cloner
	io.StringWriter
	encoding.BinaryMarshaler
	encoding.BinaryAppender
	encoding.BinaryUnmarshaler
}

// New256 begins a message of Streebog-256.
func New256() Hash { return engine.NewHash(Size256) }

// New512 begins a message of Streebog-512.
func New512() Hash { return engine.NewHash(Size512) }

// Sum256 returns the digest of a message.
func Sum256(message []byte) (digest [Size256]byte) {
	engine.Sum(digest[:], message)
	return digest
}

// Sum512 returns the digest of a message.
func Sum512(message []byte) (digest [Size512]byte) {
	engine.Sum(digest[:], message)
	return digest
}

// MAC is a message under HMAC. Verify compares in constant time.
type MAC = engine.MAC

// NewHMAC256 begins a message under a key of any length.
func NewHMAC256(key []byte) MAC { return newHMAC("hmac-streebog256", key) }

// NewHMAC512 begins a message under a key of any length.
func NewHMAC512(key []byte) MAC { return newHMAC("hmac-streebog512", key) }

func newHMAC(name string, key []byte) MAC {
	m, err := engine.NewMAC(name, key, nil, fault.Options{})
	if err != nil {
		panic(err.Error()) // every key is accepted
	}
	return m
}

// NewGost94 begins a message of GOST R 34.11-94 with the CryptoPro S-boxes, for old data only.
func NewGost94() hash.Hash { return engine.NewGost94(false) }
