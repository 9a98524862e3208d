package pure

import "encoding/binary"

// Kuznyechik (RFC 7801) without tables that a secret indexes: many blocks as bit planes of 64 blocks, few as planes of
// a single block.

// planes has bit b of byte j of block n at bit n of planes[j][b].
type planes [16][8]uint64

const (
	batch = 64
	// From this many blocks on, a batch with idle lanes is cheaper than one block after the other.
	few = 8
)

// transpose exchanges rows and columns of a matrix of 64 × 64 bits.
func transpose(m *[64]uint64) {
	half, mask := 32, ^uint64(0)>>32
	for half != 0 {
		for at := 0; at < 64; at += 2 * half {
			for a := at; a < at+half; a++ {
				t := (m[a]>>half ^ m[a+half]) & mask
				m[a+half] ^= t
				m[a] ^= t << half
			}
		}
		half /= 2
		mask ^= mask << half
	}
}

func (p *planes) read(blocks []byte) {
	var rows [2][64]uint64
	for n := 0; 16*n < len(blocks); n++ {
		rows[0][n] = binary.LittleEndian.Uint64(blocks[16*n:])
		rows[1][n] = binary.LittleEndian.Uint64(blocks[16*n+8:])
	}
	for half := range rows {
		transpose(&rows[half])
		for i, row := range rows[half] {
			p[8*half+i/8][i%8] = row
		}
	}
}

func (p *planes) write(blocks []byte) {
	var rows [2][64]uint64
	for half := range rows {
		for i := range rows[half] {
			rows[half][i] = p[8*half+i/8][i%8]
		}
		transpose(&rows[half])
	}
	for n := 0; 16*n < len(blocks); n++ {
		binary.LittleEndian.PutUint64(blocks[16*n:], rows[0][n])
		binary.LittleEndian.PutUint64(blocks[16*n+8:], rows[1][n])
	}
}

func (p *planes) add(key *[16]byte) {
	for j, k := range key {
		for b := range 8 {
			p[j][b] ^= -uint64(k >> b & 1)
		}
	}
}

// window is the shift register of L as it moves over 32 bytes.
type window [32][8]uint64

func (p *planes) l(w *window) {
	copy(w[16:], p[:])
	for i := 15; i >= 0; i-- {
		registerStep((*[15][8]uint64)(w[i+1:i+16]), &w[i])
		for b := range 8 {
			w[i][b] ^= w[i+16][b]
		}
	}
	copy(p[:], w[:16])
}

func (p *planes) lInverse(w *window) {
	copy(w[:16], p[:])
	for i := range 16 {
		registerStep((*[15][8]uint64)(w[i+1:i+16]), &w[i+16])
		for b := range 8 {
			w[i+16][b] ^= w[i][b]
		}
	}
	copy(p[:], w[16:])
}

// batch transforms at most 64 blocks.
func (c *Cipher) batch(decrypt bool, p *planes, w *window) {
	keys := &c.keys
	if decrypt {
		p.add(&keys[9])
		for r := 8; r >= 0; r-- {
			p.lInverse(w)
			for j := range p {
				piInverse(&p[j])
			}
			p.add(&keys[r])
		}
		return
	}
	for r := range 9 {
		p.add(&keys[r])
		for j := range p {
			pi(&p[j])
		}
		p.l(w)
	}
	p.add(&keys[9])
}

// one is a block as eight planes of 16 bits, four in a word: bit j of the 16 bits at 16·b is bit b of byte j.
type one [2]uint64

// transpose8 exchanges bit j of byte b and bit b of byte j.
func transpose8(x uint64) uint64 {
	t := (x ^ x>>7) & 0x00aa00aa00aa00aa
	x ^= t ^ t<<7
	t = (x ^ x>>14) & 0x0000cccc0000cccc
	x ^= t ^ t<<14
	t = (x ^ x>>28) & 0x00000000f0f0f0f0
	return x ^ t ^ t<<28
}

func spread(x uint64) uint64 {
	x = (x | x<<16) & 0x0000ffff0000ffff
	return (x | x<<8) & 0x00ff00ff00ff00ff
}

func gather(x uint64) uint64 {
	x &= 0x00ff00ff00ff00ff
	x = (x | x>>8) & 0x0000ffff0000ffff
	return (x | x>>16) & 0xffffffff
}

func readOne(b []byte) one {
	low, high := transpose8(binary.LittleEndian.Uint64(b)), transpose8(binary.LittleEndian.Uint64(b[8:]))
	return one{
		spread(low&0xffffffff) | spread(high&0xffffffff)<<8,
		spread(low>>32) | spread(high>>32)<<8,
	}
}

func (x one) write(b []byte) {
	binary.LittleEndian.PutUint64(b, transpose8(gather(x[0])|gather(x[1])<<32))
	binary.LittleEndian.PutUint64(b[8:], transpose8(gather(x[0]>>8)|gather(x[1]>>8)<<32))
}

func (x one) substitute(circuit func(*[8]uint64)) one {
	var y [8]uint64
	for b := range 8 {
		y[b] = x[b/4] >> (16 * (b % 4))
	}
	circuit(&y)
	var z one
	for b := range 8 {
		z[b/4] |= (y[b] & 0xffff) << (16 * (b % 4))
	}
	return z
}

// linear is L or its inverse: a sum of constants times the bytes rotated, by Horner's rule over the bits of the constants.
func (x one) linear(masks *[8][16]uint64) one {
	var rotated [16]one
	rotated[0] = x
	for d := 1; d < 16; d++ {
		stay := 0x0001000100010001 * uint64(0xffff>>d)
		rotated[d][0] = x[0]>>d&stay | x[0]<<(16-d)&^stay
		rotated[d][1] = x[1]>>d&stay | x[1]<<(16-d)&^stay
	}
	var a, b uint64
	for bit := 7; bit >= 0; bit-- {
		top := b >> 48
		a, b = a<<16^top^top<<16, (b<<16|a>>48)^top<<32^top<<48
		m := &masks[bit]
		for d := range 16 {
			a ^= rotated[d][0] & m[d]
			b ^= rotated[d][1] & m[d]
		}
	}
	return one{a, b}
}

func (x one) plus(y one) one { return one{x[0] ^ y[0], x[1] ^ y[1]} }

func (c *Cipher) block(decrypt bool, dst, src []byte) {
	keys := &c.onePlanes
	x := readOne(src)
	if decrypt {
		x = x.plus(keys[9])
		for r := 8; r >= 0; r-- {
			x = x.linear(&masksInverse).substitute(piInverse).plus(keys[r])
		}
	} else {
		for r := range 9 {
			x = x.plus(keys[r]).substitute(pi).linear(&masksL)
		}
		x = x.plus(keys[9])
	}
	x.write(dst)
}

// expandKuznyechik is the key schedule: RFC 7801, 4.4.
func (c *Cipher) expandKuznyechik(key []byte) {
	copy(c.keys[0][:], key[:16])
	copy(c.keys[1][:], key[16:])
	a, b := readOne(key), readOne(key[16:])
	for i := range 4 {
		for j := range 8 {
			constant := readOne(kuznyechikC[8*i+j][:])
			a, b = a.plus(constant).substitute(pi).linear(&masksL).plus(b), a
		}
		a.write(c.keys[2*i+2][:])
		b.write(c.keys[2*i+3][:])
	}
	for r := range c.keys {
		c.onePlanes[r] = readOne(c.keys[r][:])
	}
}

// mapKuznyechik transforms independent blocks.
func (c *Cipher) mapKuznyechik(decrypt bool, dst, src []byte) {
	var p planes
	var w window
	many := false
	for len(src) >= 16*few {
		n := min(len(src), 16*batch)
		many = true
		p.read(src[:n])
		c.batch(decrypt, &p, &w)
		p.write(dst[:n])
		dst, src = dst[n:], src[n:]
	}
	if many {
		clear(w[:])
		clear(p[:])
	}
	for ; len(src) > 0; dst, src = dst[16:], src[16:] {
		c.block(decrypt, dst[:16], src[:16])
	}
}
