//go:build !bulat_cgo

package engine

import "github.com/bulat-crypto/bulat/bindings/go/internal/native"

// sets are the kernels that this machine can run, and the code for any processor.
func sets() (names []string) {
	for _, name := range append(native.Names(), "portable") {
		if force(name) {
			names = append(names, name)
		}
	}
	return names
}

func force(name string) bool { return native.Force(name) }
