package pure

import (
	"encoding/binary"
	"hash"

	"github.com/bulat-crypto/bulat/bindings/go/internal/fault"
)

// Hash is Streebog.
type Hash struct {
	s      streebogState
	held   [64]byte
	filled int
	size   int
	begun  bool
}

// NewHash begins a message; size is 32 or 64.
func NewHash(size int) *Hash {
	h := &Hash{size: size}
	h.Reset()
	return h
}

func (h *Hash) Size() int      { return h.size }
func (h *Hash) BlockSize() int { return 64 }

func (h *Hash) Reset() {
	h.s.reset(h.size)
	h.held, h.filled, h.begun = [64]byte{}, 0, false
}

// first is the size if no block came yet.
func (h *Hash) first() int {
	if h.begun {
		return 0
	}
	return h.size
}

func (h *Hash) absorb(p []byte) {
	for len(p) > 0 {
		k := min(len(p), piece)
		h.s.blocks(p[:k], h.first())
		h.begun = true
		p = p[k:]
	}
}

func (h *Hash) Write(p []byte) (int, error) {
	all := len(p)
	if h.filled > 0 {
		k := copy(h.held[h.filled:], p)
		h.filled += k
		if p = p[k:]; h.filled < 64 {
			return all, nil
		}
		h.absorb(h.held[:])
		h.filled = 0
	}
	k := len(p) / 64 * 64
	h.absorb(p[:k])
	h.filled = copy(h.held[:], p[k:])
	return all, nil
}

func (h *Hash) WriteString(s string) (int, error) {
	var b [512]byte
	for at := 0; at < len(s); {
		k := copy(b[:], s[at:])
		h.Write(b[:k])
		at += k
	}
	return len(s), nil
}

func (h *Hash) Sum(b []byte) []byte {
	s := h.s
	s.finish(h.held[:h.filled], h.first())
	b = append(b, s.h[64-h.size:]...)
	s = streebogState{}
	return b
}

// Sum writes the digest of a message.
func Sum(out, message []byte) {
	var h Hash
	h.size = len(out)
	h.s.reset(h.size)
	k := len(message) / 64 * 64
	h.absorb(message[:k])
	h.s.finish(message[k:], h.first())
	copy(out, h.s.h[64-h.size:])
	h.s = streebogState{}
}

func (h *Hash) Clone() (hash.Cloner, error) {
	d := *h
	return &d, nil
}

// A state as bytes: the magic, h, N, Σ, the held bytes and their number.
var magic = map[int]string{32: "bulat\x01\x01\x00", 64: "bulat\x01\x02\x00"}

const marshaled = 8 + 4*64 + 1

func (h *Hash) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, magic[h.size]...)
	b = append(b, h.s.h[:]...)
	b = append(b, h.s.n[:]...)
	b = append(b, h.s.sigma[:]...)
	b = append(b, h.held[:h.filled]...)
	b = append(b, make([]byte, 64-h.filled)...)
	return append(b, byte(h.filled)), nil
}

func (h *Hash) MarshalBinary() ([]byte, error) {
	return h.AppendBinary(make([]byte, 0, marshaled))
}

func (h *Hash) UnmarshalBinary(b []byte) error {
	if len(b) != marshaled || string(b[:8]) != magic[h.size] || b[marshaled-1] > 63 {
		return fault.State
	}
	var d Hash
	d.size, d.filled = h.size, int(b[marshaled-1])
	copy(d.s.h[:], b[8:])
	copy(d.s.n[:], b[72:])
	copy(d.s.sigma[:], b[136:])
	copy(d.held[:], b[200:200+d.filled])
	d.begun = d.s.n != [64]byte{}
	if !d.begun {
		// Before the first block h is the start.
		var s streebogState
		if s.reset(d.size); s != d.s {
			return fault.State
		}
	}
	*h = d
	return nil
}

// hmac is HMAC of Streebog (RFC 7836, 4.1).
type hmac struct {
	inner, outer, h Hash
	size            int
}

// hmacOf opens HMAC of the Streebog of this size.
func hmacOf(size int) func(*Cipher, []byte, []byte, fault.Options) (fault.MAC, error) {
	return func(_ *Cipher, key, _ []byte, o fault.Options) (fault.MAC, error) {
		tag, err := tagSize(o, size, size)
		if err != nil {
			return nil, err
		}
		m := &hmac{size: tag}
		m.init(size, key)
		return m, nil
	}
}

func (m *hmac) init(size int, key []byte) {
	var pad [64]byte
	if len(key) > 64 {
		Sum(pad[:size], key)
	} else {
		copy(pad[:], key)
	}
	for i := range pad {
		pad[i] ^= 0x36
	}
	m.inner.size, m.outer.size = size, size
	m.inner.Reset()
	m.inner.Write(pad[:])
	for i := range pad {
		pad[i] ^= 0x36 ^ 0x5c
	}
	m.outer.Reset()
	m.outer.Write(pad[:])
	m.h = m.inner
	clear(pad[:])
}

func (m *hmac) Size() int                   { return m.size }
func (m *hmac) BlockSize() int              { return 64 }
func (m *hmac) Reset()                      { m.h = m.inner }
func (m *hmac) Write(p []byte) (int, error) { return m.h.Write(p) }

// finish writes the whole tag.
func (m *hmac) finish(out []byte) {
	var inner [64]byte
	h := m.h
	n := h.size
	h.s.finish(h.held[:h.filled], h.first())
	copy(inner[:], h.s.h[64-n:])
	h = m.outer
	h.Write(inner[:n])
	h.s.finish(h.held[:h.filled], 0)
	copy(out, h.s.h[64-n:])
}

func (m *hmac) Sum(b []byte) []byte {
	var tag [64]byte
	m.finish(tag[:m.h.size])
	return append(b, tag[:m.size]...)
}

func (m *hmac) Verify(tag []byte) bool { return verify(m.Sum(nil), tag) }

func (m *hmac) Clone() (hash.Cloner, error) {
	d := *m
	return &d, nil
}

// gost94 is GOST R 34.11-94 (RFC 5831), for old data.
type gost94 struct {
	c        *Cipher
	h, sigma [32]byte
	held     [32]byte
	filled   int
	length   uint64
}

func newGost94(rows int) *gost94 {
	c := &Cipher{kind: Gost28147, size: 8, rows: &sboxRows[rows]}
	c.init()
	return &gost94{c: c}
}

func (g *gost94) Size() int      { return 32 }
func (g *gost94) BlockSize() int { return 32 }
func (g *gost94) Reset()         { *g = gost94{c: g.c} }

func (g *gost94) Write(p []byte) (int, error) {
	g.length += uint64(len(p))
	all := len(p)
	for len(p) > 0 {
		k := copy(g.held[g.filled:], p)
		g.filled += k
		p = p[k:]
		if g.filled == 32 {
			g.block()
			g.filled = 0
		}
	}
	return all, nil
}

func (g *gost94) block() {
	g.step(&g.held)
	carry := 0
	for i, b := range g.held {
		carry += int(g.sigma[i]) + int(b)
		g.sigma[i] = byte(carry)
		carry >>= 8
	}
}

func (g *gost94) Sum(b []byte) []byte {
	d := *g
	if d.filled > 0 {
		clear(d.held[d.filled:])
		d.block()
	}
	var length [32]byte
	binary.LittleEndian.PutUint64(length[:], d.length<<3)
	length[8] = byte(d.length >> 61)
	d.step(&length)
	sigma := d.sigma
	d.step(&sigma)
	return append(b, d.h[:]...)
}

func (g *gost94) Clone() (hash.Cloner, error) {
	d := *g
	d.c = g.c.clone()
	return &d, nil
}

// mixA is A of RFC 5831, 5.1.
func mixA(y *[32]byte) {
	var t [8]byte
	for i := range t {
		t[i] = y[i] ^ y[8+i]
	}
	copy(y[:], y[8:])
	copy(y[24:], t[:])
}

var gost94C3 = [32]byte{
	0x00, 0xff, 0x00, 0xff, 0x00, 0xff, 0x00, 0xff, 0xff, 0x00, 0xff, 0x00, 0xff, 0x00, 0xff, 0x00,
	0x00, 0xff, 0xff, 0x00, 0xff, 0x00, 0x00, 0xff, 0xff, 0x00, 0x00, 0x00, 0xff, 0xff, 0x00, 0xff,
}

// step is the step function of RFC 5831, 5.
func (g *gost94) step(m *[32]byte) {
	u, v, s := g.h, *m, g.h
	var key, w [32]byte
	for j := range 4 {
		if j > 0 {
			mixA(&u)
			if j == 2 {
				for i := range u {
					u[i] ^= gost94C3[i]
				}
			}
			mixA(&v)
			mixA(&v)
		}
		for i := range w {
			w[i] = u[i] ^ v[i]
		}
		for i := range 4 {
			for k := range 8 {
				key[i+4*k] = w[8*i+k]
			}
		}
		g.c.rekey(key[:])
		g.c.blocks(false, s[8*j:8*j+8], s[8*j:8*j+8])
	}
	psi := func(n int) {
		for range n {
			var a, b byte
			for _, i := range [6]int{0, 1, 2, 3, 12, 15} {
				a ^= s[2*i]
				b ^= s[2*i+1]
			}
			copy(s[:], s[2:])
			s[30], s[31] = a, b
		}
	}
	psi(12)
	for i := range s {
		s[i] ^= m[i]
	}
	psi(1)
	for i := range s {
		s[i] ^= g.h[i]
	}
	psi(61)
	g.h = s
}
