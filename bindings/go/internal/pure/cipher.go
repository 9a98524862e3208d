// Package pure is the library in Go: the modes, over kernels in machine code where the processor has them (package
// native), else over circuits and arithmetic without tables that a secret indexes.
package pure

import (
	"crypto/subtle"
	"encoding/binary"
	"unsafe"

	"github.com/bulat-crypto/bulat/bindings/go/internal/fault"
	"github.com/bulat-crypto/bulat/bindings/go/internal/native"
)

// Kind is a block cipher.
type Kind uint8

const (
	Kuznyechik Kind = iota
	Magma
	Gost28147
	noCipher // of HMAC
)

// Count is how a counter advances: the kernels have the same numbers.
type Count uint8

const (
	whole Count = iota // one number, used, then increased
	right              // the right half: MGM's gamma
	left               // the left half: MGM's H
	cnt                // the register of GOST 28147-89, stepped, then used
)

// Chain is how a chained stream transforms a block: the kernels have the same numbers.
type Chain uint8

const (
	cbcEncrypt Chain = iota
	cfbEncrypt
	ofbBoth
	mac
	imit
)

// Cipher is a block cipher under a key, in the shapes that modes need.
type Cipher struct {
	kind Kind
	size int
	rows *[8][16]byte
	// native is the schedule in the form of the set's kernels, or nil.
	native    []byte
	set       native.Set
	keys      [10][16]byte
	onePlanes [10]one
	words     [8]uint32
	anf       anf
}

// NewCipher prepares a key of 32 bytes. Sboxes is a name, of GOST 28147-89 only.
func NewCipher(kind Kind, key []byte, sboxes string) (*Cipher, error) {
	if len(key) != 32 {
		return nil, fault.KeyLength
	}
	c := &Cipher{kind: kind, size: 8}
	if kind == Kuznyechik {
		c.size = 16
	} else {
		i := sboxesZ
		if kind == Gost28147 && sboxes != "" {
			if i = findSboxes(sboxes); i < 0 {
				return nil, fault.Sboxes
			}
		}
		c.rows = &sboxRows[i]
	}
	c.init()
	c.rekey(key)
	return c, nil
}

// init makes what the S-boxes determine.
func (c *Cipher) init() {
	if c.native = nativeSchedule(c); c.native == nil && c.rows != nil {
		c.anf = newANF(c.rows)
	}
}

// like returns a cipher with these S-boxes under a different key.
func (c *Cipher) like(key []byte) *Cipher {
	d := &Cipher{kind: c.kind, size: c.size, rows: c.rows}
	d.init()
	d.rekey(key)
	return d
}

// rekey changes the key, 32 bytes.
func (c *Cipher) rekey(key []byte) {
	switch {
	case c.native != nil:
		nativePrepare(c, key)
	case c.kind == Kuznyechik:
		c.expandKuznyechik(key)
	default:
		c.expandMagma(key)
	}
}

// blocks transforms whole independent blocks.
func (c *Cipher) blocks(decrypt bool, dst, src []byte) {
	switch {
	case len(src) == 0:
	case c.native != nil:
		nativeMap(c, decrypt, dst, src)
	case c.kind == Kuznyechik:
		c.mapKuznyechik(decrypt, dst, src)
	default:
		for ; len(src) > 0; dst, src = dst[8:], src[8:] {
			c.blockMagma(decrypt, dst[:8], src[:8])
		}
	}
}

// step fills out with values of the counter.
func step(counter []byte, count Count, out []byte) {
	n := len(counter)
	for ; len(out) > 0; out = out[n:] {
		switch {
		case count == cnt:
			n3 := binary.LittleEndian.Uint32(counter) + 0x01010101
			n4 := uint64(binary.LittleEndian.Uint32(counter[4:])) + 0x01010104
			binary.LittleEndian.PutUint32(counter, n3)
			binary.LittleEndian.PutUint32(counter[4:], uint32(n4)+uint32(n4>>32))
			copy(out, counter)
		default:
			copy(out, counter)
			part := counter
			if count == right {
				part = counter[n/2:]
			} else if count == left {
				part = counter[:n/2]
			}
			for i := len(part) - 1; i >= 0; i-- {
				if part[i]++; part[i] != 0 {
					break
				}
			}
		}
	}
}

// stream adds the gamma of the counter to whole blocks.
func (c *Cipher) stream(counter []byte, count Count, dst, src []byte) {
	if len(src) == 0 {
		return
	}
	if c.native != nil {
		nativeStream(c, counter, count, dst, src)
		return
	}
	var gamma [1024]byte
	for len(src) > 0 {
		n := min(len(src), len(gamma))
		step(counter, count, gamma[:n])
		c.blocks(false, gamma[:n], gamma[:n])
		subtle.XORBytes(dst[:n], src[:n], gamma[:n])
		dst, src = dst[n:], src[n:]
	}
	clear(gamma[:])
}

// chain runs a chained stream over whole blocks; a MAC has no output.
func (c *Cipher) chain(kind Chain, z, dst, src []byte) {
	if len(src) == 0 {
		return
	}
	if c.native != nil {
		nativeChain(c, kind, z, dst, src)
		return
	}
	n := c.size
	for ; len(src) > 0; src = src[n:] {
		switch kind {
		case cbcEncrypt:
			subtle.XORBytes(z, z, src[:n])
			c.blocks(false, z, z)
			copy(dst, z)
		case cfbEncrypt:
			c.blocks(false, z, z)
			subtle.XORBytes(z, z, src[:n])
			copy(dst, z)
		case ofbBoth:
			c.blocks(false, z, z)
			subtle.XORBytes(dst, z, src[:n])
		case mac:
			subtle.XORBytes(z, z, src[:n])
			c.blocks(false, z, z)
		case imit:
			subtle.XORBytes(z, z, src[:n])
			c.imit(z)
		}
		if kind < mac {
			dst = dst[n:]
		}
	}
}

// multiply adds to the sum the products of h and a, whole blocks.
func (c *Cipher) multiply(sum, h, a []byte) {
	switch {
	case c.native != nil && c.set.Multiplies():
		nativeMultiply(c.set, sum, h, a)
	case c.size == 8:
		multiply64(sum, h, a)
	default:
		multiply128(sum, h, a)
	}
}

// acpkm is D of RFC 8645, 6.2.1.
var acpkmD = func() (d [32]byte) {
	for i := range d {
		d[i] = 0x80 + byte(i)
	}
	return d
}()

// nextKey changes to the key of the next section.
func (c *Cipher) nextKey() {
	var key [32]byte
	c.blocks(false, key[:], acpkmD[:])
	c.rekey(key[:])
	clear(key[:])
}

// Block is the cipher as crypto/cipher has it.
type Block struct{ c *Cipher }

// NewBlock prepares a key.
func NewBlock(kind Kind, key []byte, sboxes string) (*Block, error) {
	c, err := NewCipher(kind, key, sboxes)
	if err != nil {
		return nil, err
	}
	return &Block{c}, nil
}

func (b *Block) BlockSize() int { return b.c.size }

func (b *Block) Encrypt(dst, src []byte) { b.one(false, dst, src) }
func (b *Block) Decrypt(dst, src []byte) { b.one(true, dst, src) }

func (b *Block) one(decrypt bool, dst, src []byte) {
	n := b.c.size
	if len(src) < n {
		panic("bulat: input not full block")
	}
	if len(dst) < n {
		panic("bulat: output not full block")
	}
	checkOverlap(dst[:n], src[:n])
	b.c.blocks(decrypt, dst[:n], src[:n])
}

// overlaps returns whether the buffers share a byte.
func overlaps(a, b []byte) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	x, y := uintptr(unsafe.Pointer(unsafe.SliceData(a))), uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return x < y+uintptr(len(b)) && y < x+uintptr(len(a))
}

// partly returns whether two buffers overlap but do not begin at one byte.
func partly(a, b []byte) bool {
	return overlaps(a, b) && unsafe.SliceData(a) != unsafe.SliceData(b)
}

// checkOverlap panics, as crypto/cipher does, where two buffers overlap but are not one buffer.
func checkOverlap(dst, src []byte) {
	if partly(dst, src) {
		panic("bulat: invalid buffer overlap")
	}
}
