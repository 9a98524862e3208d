package pure

import (
	"crypto/subtle"
	"hash"

	"github.com/bulat-crypto/bulat/bindings/go/internal/fault"
)

// doubled is the product by x of RFC 9058's field, which OMAC uses, too: the first byte has the highest powers.
func doubled(b []byte) {
	carry := byte(0)
	for i := len(b) - 1; i >= 0; i-- {
		carry, b[i] = b[i]>>7, b[i]<<1|carry
	}
	poly := byte(0x87)
	if len(b) == 8 {
		poly = 0x1b
	}
	b[len(b)-1] ^= poly & -carry
}

// tagSize returns the length of a tag, of at most max bytes.
func tagSize(o fault.Options, usual, max int) (int, error) {
	switch {
	case o.TagSize == 0:
		return usual, nil
	case o.TagSize < 0 || o.TagSize > max:
		return 0, fault.TagLength
	}
	return o.TagSize, nil
}

// omac is OMAC, and OMAC-ACPKM where there is a section.
type omac struct {
	c       *Cipher
	z       [16]byte
	held    [16]byte // a block is held back, as it may be the last
	filled  int
	size    int
	key     []byte // of OMAC-ACPKM
	k1      [16]byte
	section int
	period  int
	left    int  // of the section
	master  *ctr // of OMAC-ACPKM
}

func plainOMAC(c *Cipher, key, _ []byte, o fault.Options) (fault.MAC, error) {
	return c.newOMAC(key, o, false)
}

func acpkmOMAC(c *Cipher, key, _ []byte, o fault.Options) (fault.MAC, error) {
	return c.newOMAC(key, o, true)
}

func (c *Cipher) newOMAC(key []byte, o fault.Options, acpkm bool) (*omac, error) {
	size, err := tagSize(o, c.size, c.size)
	if err != nil {
		return nil, err
	}
	x := &omac{c: c, size: size}
	if acpkm {
		x.section, x.period = o.Section, o.Period
		if x.section == 0 {
			x.section = 4096
		}
		if x.period == 0 {
			x.period = usualSection(c.size)
		}
		if x.section < 0 || x.section%c.size != 0 || x.period < 0 || x.period%c.size != 0 {
			return nil, fault.Parameter
		}
		x.key = append(x.key, key...)
	}
	x.Reset()
	return x, nil
}

func (x *omac) Reset() {
	x.z, x.held, x.filled = [16]byte{}, [16]byte{}, 0
	n := x.c.size
	if x.section == 0 {
		if x.k1 == [16]byte{} {
			x.c.blocks(false, x.k1[:n], x.k1[:n])
			doubled(x.k1[:n])
		}
		return
	}
	var iv [8]byte
	for i := range iv {
		iv[i] = 0xff
	}
	x.master, _ = x.c.like(x.key).newCTR(iv[:n/2], fault.Options{Section: x.period}, true)
	x.next()
}

// next is the section's key and K1 of RFC 8645, 6.3.6.
func (x *omac) next() {
	var material [48]byte
	m := material[:32+x.c.size]
	x.master.XORKeyStream(m, m)
	x.c.rekey(m[:32])
	copy(x.k1[:], m[32:])
	x.left = x.section
	clear(m)
}

func (x *omac) Size() int      { return x.size }
func (x *omac) BlockSize() int { return x.c.size }

// absorb chains whole blocks.
func (x *omac) absorb(p []byte) {
	for len(p) > 0 {
		k := min(len(p), piece)
		if x.section > 0 {
			if x.left == 0 {
				x.next()
			}
			k = min(k, x.left)
			x.left -= k
		}
		x.c.chain(mac, x.z[:x.c.size], nil, p[:k])
		p = p[k:]
	}
}

func (x *omac) Write(p []byte) (int, error) {
	n, all := x.c.size, len(p)
	if all == 0 {
		return 0, nil
	}
	if x.filled > 0 {
		k := copy(x.held[x.filled:n], p)
		x.filled += k
		if p = p[k:]; len(p) == 0 {
			return all, nil
		}
		x.absorb(x.held[:n])
	}
	k := (len(p) - 1) / n * n
	x.absorb(p[:k])
	x.filled = copy(x.held[:n], p[k:])
	return all, nil
}

func (x *omac) Sum(b []byte) []byte {
	n := x.c.size
	c, z, k := x.c, x.z, x.k1
	if x.section > 0 && x.left == 0 && x.filled > 0 {
		// The last block begins a section: its keys, without losing these.
		y := x.copy()
		y.next()
		c, k = y.c, y.k1
	}
	last := x.held
	if x.filled < n {
		clear(last[x.filled:])
		last[x.filled] = 0x80
		doubled(k[:n])
	}
	subtle.XORBytes(z[:n], z[:n], last[:n])
	subtle.XORBytes(z[:n], z[:n], k[:n])
	c.blocks(false, z[:n], z[:n])
	return append(b, z[:x.size]...)
}

func (x *omac) Clone() (hash.Cloner, error) { return x.copy(), nil }

func (x *omac) copy() *omac {
	y := *x
	y.c = x.c.clone()
	if x.master != nil {
		master := *x.master
		master.c = x.master.c.clone()
		y.master = &master
	}
	return &y
}

func (x *omac) Verify(tag []byte) bool { return verify(x.Sum(nil), tag) }

func verify(made, tag []byte) bool { return subtle.ConstantTimeCompare(made, tag) == 1 }

// clone copies a cipher.
func (c *Cipher) clone() *Cipher {
	d := *c
	if c.native != nil {
		d.native = room()
		copy(d.native, c.native)
	}
	return &d
}

// old16 is the MAC of GOST 28147-89 (RFC 5830, 8).
type old16 struct {
	c      *Cipher
	key    [32]byte
	iv, z  [8]byte
	held   [8]byte
	filled int
	blocks int
	size   int
	mesh   mesher
}

func newImit(c *Cipher, key, iv []byte, o fault.Options) (fault.MAC, error) {
	size, err := tagSize(o, 4, 8)
	if err != nil {
		return nil, err
	}
	if len(iv) != 0 && len(iv) != 8 {
		return nil, fault.IVLength
	}
	mesh, err := newMesher(c, o.Meshing, true)
	if err != nil {
		return nil, err
	}
	x := &old16{c: c, size: size, mesh: mesh}
	copy(x.iv[:], iv)
	copy(x.key[:], key)
	x.z = x.iv
	return x, nil
}

func (x *old16) Size() int      { return x.size }
func (x *old16) BlockSize() int { return 8 }

func (x *old16) Reset() {
	if x.mesh.on && x.blocks > 128 {
		x.c.rekey(x.key[:])
	}
	x.z, x.filled, x.blocks, x.mesh.done = x.iv, 0, 0, 0
}

func (x *old16) absorb(p []byte) {
	for len(p) > 0 {
		k := x.mesh.room(x.c, nil, min(len(p), piece))
		x.c.chain(imit, x.z[:], nil, p[:k])
		x.mesh.done += k
		x.blocks += k / 8
		p = p[k:]
	}
}

func (x *old16) Write(p []byte) (int, error) {
	all := len(p)
	if x.filled > 0 {
		k := copy(x.held[x.filled:], p)
		x.filled += k
		if p = p[k:]; x.filled < 8 {
			return all, nil
		}
		x.absorb(x.held[:])
		x.filled = 0
	}
	k := len(p) / 8 * 8
	x.absorb(p[:k])
	x.filled = copy(x.held[:], p[k:])
	return all, nil
}

func (x *old16) Sum(b []byte) []byte {
	y := *x
	if x.filled > 0 && x.mesh.on && x.mesh.done == 1024 {
		y.c = x.c.clone()
	}
	var last [8]byte
	if x.filled > 0 {
		copy(last[:], x.held[:x.filled])
		y.absorb(last[:])
	}
	if y.blocks == 1 { // the standard wants two
		y.absorb(make([]byte, 8))
	}
	return append(b, y.z[:x.size]...)
}

func (x *old16) Clone() (hash.Cloner, error) {
	y := *x
	y.c = x.c.clone()
	return &y, nil
}

func (x *old16) Verify(tag []byte) bool { return verify(x.Sum(nil), tag) }
