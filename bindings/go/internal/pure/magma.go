package pure

import (
	"encoding/binary"
	"math/bits"
)

// Magma (RFC 8891) and GOST 28147-89 (RFC 5830) without tables that a secret indexes: the eight S-boxes at once, of any
// values, by their algebraic normal forms.

// anf has the coefficients of the products of the input bits that are set in the index; box p has its four output bits
// at 4·p.
type anf [16]uint32

// newANF makes the Möbius transform of the rows' values.
func newANF(rows *[8][16]byte) (c anf) {
	for m := range c {
		for p := range rows {
			c[m] |= uint32(rows[p][m]) << (4 * p)
		}
	}
	for bit := 1; bit < 16; bit *= 2 {
		for m := range c {
			if m&bit != 0 {
				c[m] ^= c[m^bit]
			}
		}
	}
	return c
}

// substitute is S(t) turned by 11 bits: Horner's rule in each input bit, spread over its nibble.
func (c *anf) substitute(t uint32) uint32 {
	x := t & 0x11111111
	x0 := x<<4 - x
	x = t >> 1 & 0x11111111
	x1 := x<<4 - x
	x = t >> 2 & 0x11111111
	x2 := x<<4 - x
	x = t >> 3 & 0x11111111
	x3 := x<<4 - x
	a := c[0] ^ x0&c[1] ^ x1&(c[2]^x0&c[3]) ^ x2&(c[4]^x0&c[5]^x1&(c[6]^x0&c[7]))
	b := c[8] ^ x0&c[9] ^ x1&(c[10]^x0&c[11]) ^ x2&(c[12]^x0&c[13]^x1&(c[14]^x0&c[15]))
	return bits.RotateLeft32(a^x3&b, 11)
}

func (c *Cipher) expandMagma(key []byte) {
	for i := range c.words {
		if c.kind == Magma {
			c.words[i] = binary.BigEndian.Uint32(key[4*i:])
		} else {
			c.words[i] = binary.LittleEndian.Uint32(key[4*i:])
		}
	}
}

// rounds are 32, or 16 of IMIT.
func (c *Cipher) rounds(n1, n2 uint32, decrypt bool, n int) (uint32, uint32) {
	k, f := &c.words, &c.anf
	for i := 0; i < n; i += 2 {
		j := i
		if decrypt {
			j = 31 - i
		}
		a, b := j&7, (j^1)&7
		if j >= 24 {
			a, b = 7-a, 7-b
		}
		n2 ^= f.substitute(n1 + k[a])
		n1 ^= f.substitute(n2 + k[b])
	}
	return n1, n2
}

func (c *Cipher) blockMagma(decrypt bool, dst, src []byte) {
	if c.kind == Magma {
		n1, n2 := c.rounds(binary.BigEndian.Uint32(src[4:]), binary.BigEndian.Uint32(src), decrypt, 32)
		binary.BigEndian.PutUint32(dst, n1)
		binary.BigEndian.PutUint32(dst[4:], n2)
		return
	}
	n1, n2 := c.rounds(binary.LittleEndian.Uint32(src), binary.LittleEndian.Uint32(src[4:]), decrypt, 32)
	binary.LittleEndian.PutUint32(dst, n2)
	binary.LittleEndian.PutUint32(dst[4:], n1)
}

// imit does 16 rounds.
func (c *Cipher) imit(z []byte) {
	n1, n2 := c.rounds(binary.LittleEndian.Uint32(z), binary.LittleEndian.Uint32(z[4:]), false, 16)
	binary.LittleEndian.PutUint32(z, n1)
	binary.LittleEndian.PutUint32(z[4:], n2)
}
