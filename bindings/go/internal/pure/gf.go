package pure

import (
	"encoding/binary"
	"math/bits"
)

// product multiplies two polynomials of degree 63 by integers with every fourth bit: a column of such a product is a sum
// of at most 15 ones, of which the lowest bit is the sum modulo 2. The highest four bits are multiplied apart.
func product(x, y uint64) (high, low uint64) {
	const fourth = 0x1111111111111111
	var a, b [4]uint64
	for i := range 4 {
		a[i] = x << 4 >> 4 & (fourth << i)
		b[i] = y & (fourth << i)
	}
	for i := range 4 {
		var h, l uint64
		for j := range 4 {
			p, q := bits.Mul64(a[j], b[(4+i-j)%4])
			h, l = h^p, l^q
		}
		high |= h & (fourth << i)
		low |= l & (fourth << i)
	}
	for i := 60; i < 64; i++ {
		z := y & -(x >> i & 1)
		high ^= z >> (64 - i)
		low ^= z << i
	}
	return high, low
}

// multiply64 adds the sum of the products in GF(2^64) of RFC 9058, 4.
func multiply64(sum, h, a []byte) {
	var high, low uint64
	for i := 0; i < len(h); i += 8 {
		p, q := product(binary.BigEndian.Uint64(h[i:]), binary.BigEndian.Uint64(a[i:]))
		high, low = high^p, low^q
	}
	// x^64 = x^4 + x^3 + x + 1, twice: the first time leaves four bits above.
	for range 2 {
		low ^= high ^ high<<1 ^ high<<3 ^ high<<4
		high = high>>63 ^ high>>61 ^ high>>60
	}
	binary.BigEndian.PutUint64(sum, binary.BigEndian.Uint64(sum)^low)
}

// multiply128 adds the sum of the products in GF(2^128) of RFC 9058, 4.
func multiply128(sum, h, a []byte) {
	var r0, r1, r2, r3 uint64 // the lowest word first
	for i := 0; i < len(h); i += 16 {
		h1, h0 := binary.BigEndian.Uint64(h[i:]), binary.BigEndian.Uint64(h[i+8:])
		a1, a0 := binary.BigEndian.Uint64(a[i:]), binary.BigEndian.Uint64(a[i+8:])
		lh, ll := product(h0, a0)
		hh, hl := product(h1, a1)
		mh, ml := product(h0^h1, a0^a1)
		mh, ml = mh^lh^hh, ml^ll^hl
		r0, r1, r2, r3 = r0^ll, r1^lh^ml, r2^hl^mh, r3^hh
	}
	// x^128 = x^7 + x^2 + x + 1, twice: the first time leaves seven bits above.
	for range 2 {
		r0 ^= r2 ^ r2<<1 ^ r2<<2 ^ r2<<7
		r1 ^= r3 ^ (r3<<1 | r2>>63) ^ (r3<<2 | r2>>62) ^ (r3<<7 | r2>>57)
		r2, r3 = r3>>63^r3>>62^r3>>57, 0
	}
	binary.BigEndian.PutUint64(sum, binary.BigEndian.Uint64(sum)^r1)
	binary.BigEndian.PutUint64(sum[8:], binary.BigEndian.Uint64(sum[8:])^r0)
}
