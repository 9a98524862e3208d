//go:build bulat_cgo

package engine

import (
	"github.com/bulat-crypto/bulat/bindings/go/internal/fault"
	"github.com/bulat-crypto/bulat/bindings/go/internal/lib"
)

// Name is the library's name.
const Name = "libbulat"

type (
	Hash = lib.Hash
	XTS  = lib.XTS
	MAC  = fault.MAC
	AEAD = fault.AEAD
)

// Sum writes the digest of a message; its length chooses the hash.
func Sum(out, message []byte) { lib.Sum(out, message) }

var (
	NewHash        = lib.NewHash
	NewGost94      = lib.NewGost94
	NewXTS         = lib.NewXTS
	NewStream      = lib.NewStream
	NewBlockMode   = lib.NewBlockMode
	NewMAC         = lib.NewMAC
	NewAEAD        = lib.NewAEAD
	NewCipherBlock = lib.NewCipherBlock
	Derive         = lib.Derive
	Wrap           = lib.Wrap
	Unwrap         = lib.Unwrap
	Kernel         = lib.Kernel
)
