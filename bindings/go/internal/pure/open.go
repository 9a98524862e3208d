package pure

import (
	"crypto/cipher"
	"hash"

	"github.com/bulat-crypto/bulat/bindings/go/internal/fault"
	"github.com/bulat-crypto/bulat/bindings/go/internal/native"
)

// Options that a caller may set, one bit each: of algorithms, then of derivations.
const (
	withTag = 1 << iota
	withSection
	withPeriod
	withS
	withSboxes
	withMeshing
	withSalt
	withLabel
	withSeed
	withIterations
	withCounter
	withMasks
)

// algorithm is a line of the table. Its function opens a cipher.Stream, a cipher.BlockMode, a MAC or an AEAD.
type algorithm struct {
	kind  Kind
	uses  int    // the options that it has
	boxes string // the S-boxes without a name, if they are not Z
	open  any    // func(c *Cipher, key, iv []byte, o fault.Options) (T, error)
}

// The algorithms under a key and their names, as the library's table has them; kdf.go has the derivations.
var algorithms = map[string]algorithm{
	"kuznyechik-ecb":            {Kuznyechik, 0, "", newECB},
	"kuznyechik-cbc":            {Kuznyechik, 0, "", newCBC},
	"kuznyechik-ctr":            {Kuznyechik, withS, "", plainCTR},
	"kuznyechik-ctr-acpkm":      {Kuznyechik, withS | withSection, "", acpkmCTR},
	"kuznyechik-ofb":            {Kuznyechik, withS, "", newOFB},
	"kuznyechik-cfb":            {Kuznyechik, withS, "", newCFB},
	"kuznyechik-omac":           {Kuznyechik, withTag, "", plainOMAC},
	"kuznyechik-omac-acpkm":     {Kuznyechik, withTag | withSection | withPeriod, "", acpkmOMAC},
	"kuznyechik-mgm":            {Kuznyechik, withTag, "", newMGM},
	"kuznyechik-ctr-acpkm-omac": {Kuznyechik, withTag | withSection, "", newCMS},
	"magma-ecb":                 {Magma, 0, "", newECB},
	"magma-cbc":                 {Magma, 0, "", newCBC},
	"magma-ctr":                 {Magma, withS, "", plainCTR},
	"magma-ctr-acpkm":           {Magma, withS | withSection, "", acpkmCTR},
	"magma-ofb":                 {Magma, withS, "", newOFB},
	"magma-cfb":                 {Magma, withS, "", newCFB},
	"magma-omac":                {Magma, withTag, "", plainOMAC},
	"magma-omac-acpkm":          {Magma, withTag | withSection | withPeriod, "", acpkmOMAC},
	"magma-mgm":                 {Magma, withTag, "", newMGM},
	"magma-ctr-acpkm-omac":      {Magma, withTag | withSection, "", newCMS},
	"gost89":                    {Gost28147, withSboxes | withMeshing, "", oldCFB},
	"gost89-cnt":                {Gost28147, withSboxes | withMeshing, "a", oldCNT},
	"gost89-cnt-12":             {Gost28147, withSboxes | withMeshing, "", oldCNT},
	"gost89-ecb":                {Gost28147, withSboxes, "", newECB},
	"gost89-cbc":                {Gost28147, withSboxes | withMeshing, "", newCBC},
	"gost-mac":                  {Gost28147, withTag | withSboxes | withMeshing, "a", newImit},
	"gost-mac-12":               {Gost28147, withTag | withSboxes | withMeshing, "", newImit},
	"hmac-streebog256":          {noCipher, withTag, "", hmacOf(32)},
	"hmac-streebog512":          {noCipher, withTag, "", hmacOf(64)},
}

// Block ciphers by name.
var ciphers = map[string]Kind{"kuznyechik": Kuznyechik, "magma": Magma, "gost89": Gost28147}

// set returns the bits of the options that are true, from the first on.
func set(first int, given ...bool) (bits int) {
	for i, g := range given {
		if g {
			bits |= first << i
		}
	}
	return bits
}

// open makes what T is from the algorithm of this name.
func open[T any](name string, key, iv []byte, o fault.Options) (T, error) {
	var none T
	a := algorithms[name]
	begin, ok := a.open.(func(*Cipher, []byte, []byte, fault.Options) (T, error))
	if !ok {
		return none, fault.Algorithm
	}
	if set(withTag, o.TagSize != 0, o.Section != 0, o.Period != 0, o.S != 0, o.Sboxes != "", o.Meshing != 0)&^a.uses != 0 {
		return none, fault.Parameter
	}
	var c *Cipher
	var err error
	if a.kind != noCipher {
		if o.Sboxes == "" {
			o.Sboxes = a.boxes
		}
		if c, err = NewCipher(a.kind, key, o.Sboxes); err != nil {
			return none, err
		}
	}
	x, err := begin(c, key, iv, o)
	if err != nil {
		return none, err
	}
	return x, nil
}

// NewStream opens a cipher of any length of text.
func NewStream(name string, key, iv []byte, o fault.Options) (cipher.Stream, error) {
	return open[cipher.Stream](name, key, iv, o)
}

// NewBlockMode opens a cipher of whole blocks.
func NewBlockMode(name string, key, iv []byte, o fault.Options) (cipher.BlockMode, error) {
	return open[cipher.BlockMode](name, key, iv, o)
}

// NewMAC opens a MAC. Only the MAC of GOST 28147-89 has an IV.
func NewMAC(name string, key, iv []byte, o fault.Options) (fault.MAC, error) {
	if len(iv) != 0 && algorithms[name].kind != Gost28147 {
		return nil, fault.IVLength
	}
	return open[fault.MAC](name, key, iv, o)
}

// NewAEAD opens authenticated encryption.
func NewAEAD(name string, key []byte, o fault.Options) (fault.AEAD, error) {
	return open[fault.AEAD](name, key, nil, o)
}

// NewCipherBlock opens a block cipher: kuznyechik, magma, gost89.
func NewCipherBlock(name string, key []byte, sboxes string) (cipher.Block, error) {
	kind, ok := ciphers[name]
	if !ok {
		return nil, fault.Algorithm
	}
	b, err := NewBlock(kind, key, sboxes)
	if err != nil {
		return nil, err
	}
	return b, nil
}

// NewGost94 begins a message of GOST R 34.11-94: the CryptoPro S-boxes, or the S-boxes of the standard's example.
func NewGost94(test bool) hash.Hash {
	if test {
		return newGost94(sboxesHashTest)
	}
	return newGost94(sboxesHashCryptoPro)
}

// Kernel names the kernels in use.
func Kernel() string { return native.Here().Name() }
