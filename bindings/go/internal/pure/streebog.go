package pure

import (
	"encoding/binary"
	"math/bits"

	"github.com/bulat-crypto/bulat/bindings/go/internal/native"
)

// The compression of Streebog (RFC 6986) on bit planes: plane b of a state has bit b of its 64 bytes. Rounds alternate
// between two layouts, by rows and by columns, so that P is never done.

type state [8]uint64

// turn moves byte k + by of every group of eight to byte k.
func turn(x uint64, by int) uint64 {
	low := 0x0101010101010101 * uint64(0xff>>by)
	return x>>by&low | x<<(8-by)&^low
}

// expand makes the 27 sums of Karatsuba's form of eight planes.
func expand(p *[8]uint64, e *[27]uint64) {
	p0, p1, p2, p3, p4, p5, p6, p7 := p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]
	e[0] = p0
	e[1] = p1
	e[2] = e[0] ^ e[1]
	e[3] = p2
	e[4] = p3
	e[5] = e[3] ^ e[4]
	e[6] = p0 ^ p2
	e[7] = p1 ^ p3
	e[8] = e[6] ^ e[7]
	e[9] = p4
	e[10] = p5
	e[11] = e[9] ^ e[10]
	e[12] = p6
	e[13] = p7
	e[14] = e[12] ^ e[13]
	e[15] = p4 ^ p6
	e[16] = p5 ^ p7
	e[17] = e[15] ^ e[16]
	e[18] = p0 ^ p4
	e[19] = p1 ^ p5
	e[20] = e[18] ^ e[19]
	e[21] = p2 ^ p6
	e[22] = p3 ^ p7
	e[23] = e[21] ^ e[22]
	e[24] = p0 ^ p4 ^ p2 ^ p6
	e[25] = p1 ^ p5 ^ p3 ^ p7
	e[26] = e[24] ^ e[25]
}

// four returns the seven coefficients of a product of two polynomials of four, from nine sums.
func four(e []uint64) (a0, a1, a2, a3, a4, a5, a6 uint64) {
	_ = e[8]
	l0, l1, l2 := e[0], e[0]^e[1]^e[2], e[1]
	h0, h1, h2 := e[3], e[3]^e[4]^e[5], e[4]
	m0, m1, m2 := e[6], e[6]^e[7]^e[8], e[7]
	m0, m1, m2 = m0^l0^h0, m1^l1^h1, m2^l2^h2
	return l0, l1, l2 ^ m0, m1, m2 ^ h0, h1, h2
}

// collect makes the planes of the product modulo x^8 + x^4 + x^3 + x^2 + 1 of the 27 products.
func collect(e *[27]uint64, out *[8]uint64) {
	l0, l1, l2, l3, l4, l5, l6 := four(e[0:9])
	h0, h1, h2, h3, h4, h5, h6 := four(e[9:18])
	m0, m1, m2, m3, m4, m5, m6 := four(e[18:27])
	p0, p1, p2, p3 := l0, l1, l2, l3
	p4, p5, p6, p7 := l4^l0^h0^m0, l5^l1^h1^m1, l6^l2^h2^m2, l3^h3^m3
	p8, p9, p10, p11 := h0^l4^h4^m4, h1^l5^h5^m5, h2^l6^h6^m6, h3
	p12, p13, p14 := h4, h5, h6
	p10, p9, p8, p6 = p10^p14, p9^p14, p8^p14, p6^p14
	p9, p8, p7, p5 = p9^p13, p8^p13, p7^p13, p5^p13
	p8, p7, p6, p4 = p8^p12, p7^p12, p6^p12, p4^p12
	p7, p6, p5, p3 = p7^p11, p6^p11, p5^p11, p3^p11
	p6, p5, p4, p2 = p6^p10, p5^p10, p4^p10, p2^p10
	p5, p4, p3, p1 = p5^p9, p4^p9, p3^p9, p1^p9
	p4, p3, p2, p0 = p4^p8, p3^p8, p2^p8, p0^p8
	*out = [8]uint64{p0, p1, p2, p3, p4, p5, p6, p7}
}

// lps is the round's function: over groups from rows to columns, or inside them and back.
func (s *state) lps(over bool) {
	pi((*[8]uint64)(s))
	var e [4][27]uint64
	expand((*[8]uint64)(s), &e[0])
	for b := 1; b < 4; b++ {
		var t [8]uint64
		for i, p := range s {
			if over {
				t[i] = bits.RotateLeft64(p, -8*b)
			} else {
				t[i] = turn(p, b)
			}
		}
		expand(&t, &e[b])
	}
	by := &inside
	if over {
		by = &groups
	}
	var low, high [27]uint64
	for i := range 27 {
		d := &by[i]
		low[i] = e[0][i]&d[0] ^ e[1][i]&d[1] ^ e[2][i]&d[2] ^ e[3][i]&d[3]
		high[i] = e[0][i]&d[4] ^ e[1][i]&d[5] ^ e[2][i]&d[6] ^ e[3][i]&d[7]
	}
	var h [8]uint64
	collect(&low, (*[8]uint64)(s))
	collect(&high, &h)
	for i, p := range h {
		if over {
			s[i] ^= bits.RotateLeft64(p, 32)
		} else {
			s[i] ^= turn(p, 4)
		}
	}
}

// exchange makes planes of eight words of bytes, and back.
func (s *state) exchange() {
	masks := [3]uint64{0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f}
	for j, mask := range masks {
		d := 1 << j
		for i := range 8 {
			if i&d == 0 {
				t := (s[i]>>d ^ s[i+d]) & mask
				s[i+d] ^= t
				s[i] ^= t << d
			}
		}
	}
}

// transposeBytes exchanges rows and columns of 8 × 8 bytes.
func transposeBytes(x *[64]byte) {
	for i := range 8 {
		for j := range i {
			x[8*i+j], x[8*j+i] = x[8*j+i], x[8*i+j]
		}
	}
}

func (s *state) read(x *[64]byte) {
	for i := range s {
		s[i] = binary.LittleEndian.Uint64(x[8*i:])
	}
	s.exchange()
}

// compress is h = g_N(h, m).
func compress(h, n, m *[64]byte) {
	var k, x state
	var t [64]byte
	for i := range t {
		t[i] = h[i] ^ n[i]
	}
	k.read(&t)
	k.lps(false)
	t = *m
	transposeBytes(&t)
	x.read(&t)
	for i := range streebogC {
		for b := range 8 {
			x[b] ^= k[b]
			k[b] ^= streebogC[i][b]
		}
		k.lps(i%2 == 0)
		x.lps(i%2 == 0)
	}
	for b := range 8 {
		x[b] ^= k[b]
	}
	x.exchange()
	for i := range x {
		binary.LittleEndian.PutUint64(t[8*i:], x[i])
	}
	transposeBytes(&t)
	for i := range t {
		h[i] ^= t[i] ^ m[i]
	}
}

// add512 is a += b modulo 2^512.
func add512(a, b *[64]byte) {
	var carry uint64
	for i := 0; i < 64; i += 8 {
		var sum uint64
		sum, carry = bits.Add64(binary.LittleEndian.Uint64(a[i:]), binary.LittleEndian.Uint64(b[i:]), carry)
		binary.LittleEndian.PutUint64(a[i:], sum)
	}
}

// streebogState has h, N and Σ as the kernels have them.
type streebogState struct{ h, n, sigma [64]byte }

func (s *streebogState) reset(size int) {
	*s = streebogState{}
	if size == 32 {
		for i := range s.h {
			s.h[i] = 1
		}
	}
}

var blockBits = [64]byte{1: 2}

// blocks is stage 2 (RFC 6986, 9) over whole blocks; first is the size of the digest before the first block, else 0.
func (s *streebogState) blocks(data []byte, first int) {
	if nativeHash(native.Blocks, s, data, first) {
		return
	}
	for ; len(data) >= 64; data = data[64:] {
		m := (*[64]byte)(data)
		compress(&s.h, &s.n, m)
		add512(&s.n, &blockBits)
		add512(&s.sigma, m)
	}
}

// finish is stage 3 of the rest, which is less than a block; it leaves the digest in h.
func (s *streebogState) finish(rest []byte, first int) {
	if nativeHash(native.Finish, s, rest, first) {
		return
	}
	var m, length, zero [64]byte
	copy(m[:], rest)
	m[len(rest)] = 1
	binary.LittleEndian.PutUint16(length[:], uint16(8*len(rest)))
	compress(&s.h, &s.n, &m)
	add512(&s.n, &length)
	add512(&s.sigma, &m)
	compress(&s.h, &zero, &s.n)
	compress(&s.h, &zero, &s.sigma)
	clear(m[:])
}
