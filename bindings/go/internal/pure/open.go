package pure

import (
	"crypto/cipher"
	"hash"
	"strings"

	"github.com/bulat-crypto/bulat/bindings/go/internal/fault"
)

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

// kindOf splits the name of an algorithm in cipher and mode.
func kindOf(name string) (Kind, string, bool) {
	first, mode, _ := strings.Cut(name, "-")
	switch first {
	case "kuznyechik":
		return Kuznyechik, mode, true
	case "magma":
		return Magma, mode, true
	case "gost89":
		return Gost28147, mode, true
	}
	return 0, "", false
}

// allowed returns whether only these options are set.
func allowed(o fault.Options, uses string) bool {
	given := [...]bool{o.TagSize != 0, o.Section != 0, o.Period != 0, o.S != 0, o.Sboxes != "", o.Meshing != 0}
	for i, c := range "tnpsbm" {
		if given[i] && !strings.ContainsRune(uses, c) {
			return false
		}
	}
	return true
}

func open(name string, key []byte, o fault.Options, uses string) (*Cipher, string, error) {
	kind, mode, ok := kindOf(name)
	if !ok {
		return nil, "", fault.Algorithm
	}
	if kind == Gost28147 {
		uses += "b"
		// CNT's usual S-boxes are CryptoPro-A, those of the other names Z.
		if mode == "cnt" && o.Sboxes == "" {
			o.Sboxes = "a"
		}
		if mode == "cnt-12" {
			mode = "cnt"
		}
	}
	if !allowed(o, uses) {
		return nil, "", fault.Parameter
	}
	c, err := NewCipher(kind, key, o.Sboxes)
	return c, mode, err
}

// NewStream opens a cipher of any length of text.
func NewStream(name string, key, iv []byte, o fault.Options) (cipher.Stream, error) {
	uses := map[string]string{"ctr": "s", "ctr-acpkm": "ns", "ofb": "s", "cfb": "s"}
	_, mode, _ := kindOf(name)
	old89 := name == "gost89" || strings.HasPrefix(name, "gost89-cnt")
	if _, ok := uses[mode]; (!ok || strings.HasPrefix(name, "gost89")) && !old89 {
		return nil, fault.Algorithm
	}
	if old89 {
		uses = map[string]string{mode: "m"}
	}
	c, mode, err := open(name, key, o, uses[mode])
	if err != nil {
		return nil, err
	}
	switch mode {
	case "ctr":
		return stream(c.newCTR(iv, o, false))
	case "ctr-acpkm":
		return stream(c.newCTR(iv, o, true))
	case "ofb":
		return stream(c.newRegister(iv, o, false))
	case "cfb":
		return stream(c.newRegister(iv, o, true))
	}
	return stream(c.newOld(iv, o, mode == ""))
}

// stream makes an interface of a pointer that may be nil.
func stream[T cipher.Stream](x T, err error) (cipher.Stream, error) {
	if err != nil {
		return nil, err
	}
	return x, nil
}

// NewBlockMode opens a cipher of whole blocks.
func NewBlockMode(name string, key, iv []byte, o fault.Options) (cipher.BlockMode, error) {
	c, mode, err := open(name, key, o, "m")
	if err != nil {
		return nil, err
	}
	if o.Meshing != 0 && (c.kind != Gost28147 || mode != "cbc") {
		return nil, fault.Parameter
	}
	switch mode {
	case "ecb":
		if len(iv) != 0 {
			return nil, fault.IVLength
		}
		return &ecb{c, o.Decrypt}, nil
	case "cbc":
		x, err := c.newCBC(iv, o)
		if err != nil {
			return nil, err
		}
		x.mesh, err = newMesher(c, o.Meshing, false)
		return x, err
	}
	return nil, fault.Algorithm
}

// NewMAC opens a MAC.
func NewMAC(name string, key, iv []byte, o fault.Options) (MAC, error) {
	if name != "gost-mac" && name != "gost-mac-12" && len(iv) != 0 {
		return nil, fault.IVLength
	}
	switch name {
	case "hmac-streebog256", "hmac-streebog512":
		if !allowed(o, "t") {
			return nil, fault.Parameter
		}
		return asMAC(newHMAC(hashSize(name), key, o))
	case "gost-mac", "gost-mac-12":
		if !allowed(o, "tbm") {
			return nil, fault.Parameter
		}
		boxes := o.Sboxes
		if boxes == "" && name == "gost-mac" {
			boxes = "a"
		}
		c, err := NewCipher(Gost28147, key, boxes)
		if err != nil {
			return nil, err
		}
		return asMAC(c.newImit(key, iv, o))
	}
	c, mode, err := open(name, key, o, "tnp")
	if err != nil {
		return nil, err
	}
	if c.kind != Gost28147 && (mode == "omac" || mode == "omac-acpkm") {
		return asMAC(c.newOMAC(key, o, mode == "omac-acpkm"))
	}
	return nil, fault.Algorithm
}

func asMAC[T MAC](x T, err error) (MAC, error) {
	if err != nil {
		return nil, err
	}
	return x, nil
}

// NewAEAD opens authenticated encryption.
func NewAEAD(name string, key []byte, o fault.Options) (AEAD, error) {
	kind, mode, ok := kindOf(name)
	if !ok || kind == Gost28147 {
		return nil, fault.Algorithm
	}
	switch {
	case mode == "mgm" && allowed(o, "t"):
		m, err := NewMGM(kind, key, o.TagSize)
		if err != nil {
			return nil, err
		}
		return m, nil
	case mode == "ctr-acpkm-omac" && allowed(o, "tn"):
		m, err := NewCMS(kind, key, o)
		if err != nil {
			return nil, err
		}
		return m, nil
	case mode == "mgm" || mode == "ctr-acpkm-omac":
		return nil, fault.Parameter
	}
	return nil, fault.Algorithm
}

// NewCipherBlock opens a block cipher: kuznyechik, magma, gost89.
func NewCipherBlock(name string, key []byte, sboxes string) (cipher.Block, error) {
	kind, mode, ok := kindOf(name)
	if !ok || mode != "" {
		return nil, fault.Algorithm
	}
	b, err := NewBlock(kind, key, sboxes)
	if err != nil {
		return nil, err
	}
	return b, nil
}

// NewGost94 begins a message of GOST R 34.11-94: the CryptoPro S-boxes, or those of the standard's example.
func NewGost94(test bool) hash.Hash {
	if test {
		return newGost94(sboxesHashTest)
	}
	return newGost94(sboxesHashCryptoPro)
}

// Kernel names the kernels in use.
func Kernel() string { return kernelName() }
