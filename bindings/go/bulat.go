// Package bulat has what the packages of the module share: errors, and the names of the kernels in use.
//
// The algorithms are in the packages streebog, kuznyechik, magma, mgm, gost28147 and kdf. They need no C compiler. With the
// build tag bulat_cgo they call libbulat.
package bulat

import (
	"github.com/bulat-crypto/bulat/bindings/go/internal/engine"
	"github.com/bulat-crypto/bulat/bindings/go/internal/fault"
)

// The errors of all packages; compare with errors.Is.
var (
	ErrKeyLength  = fault.KeyLength
	ErrIVLength   = fault.IVLength
	ErrTagLength  = fault.TagLength
	ErrNonce      = fault.Nonce
	ErrParameter  = fault.Parameter
	ErrSboxes     = fault.Sboxes
	ErrEqualKeys  = fault.EqualKeys
	ErrBuffer     = fault.Buffer
	ErrDataLength = fault.DataLength
	ErrLimit      = fault.Limit
	ErrEmpty      = fault.Empty
	ErrVerify     = fault.Verify
	ErrOverlap    = fault.Overlap
	ErrState      = fault.State
	ErrAlgorithm  = fault.Algorithm
)

// Library names the library that the build chose: "go" or "libbulat".
func Library() string { return engine.Name }

// Kernel names the instruction set in use, such as "gfni512"; "portable" is Go code for any processor.
func Kernel() string { return engine.Kernel() }
