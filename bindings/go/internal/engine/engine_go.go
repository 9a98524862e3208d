//go:build !bulat_cgo

// Package engine is the library that the build chooses: package pure, or libbulat with the build tag bulat_cgo.
package engine

import (
	"github.com/bulat-crypto/bulat/bindings/go/internal/fault"
	"github.com/bulat-crypto/bulat/bindings/go/internal/pure"
)

// Name is the library's name.
const Name = "go"

type (
	Hash = pure.Hash
	XTS  = pure.XTS
	MAC  = fault.MAC
	AEAD = fault.AEAD
)

// Sum writes the digest of a message; its length chooses the hash.
func Sum(out, message []byte) { pure.Sum(out, message) }

var (
	NewHash        = pure.NewHash
	NewGost94      = pure.NewGost94
	NewXTS         = pure.NewXTS
	NewStream      = pure.NewStream
	NewBlockMode   = pure.NewBlockMode
	NewMAC         = pure.NewMAC
	NewAEAD        = pure.NewAEAD
	NewCipherBlock = pure.NewCipherBlock
	Derive         = pure.Derive
	Wrap           = pure.Wrap
	Unwrap         = pure.Unwrap
	Kernel         = pure.Kernel
)
