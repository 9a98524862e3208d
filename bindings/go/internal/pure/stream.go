package pure

import (
	"crypto/cipher"
	"crypto/subtle"

	"github.com/bulat-crypto/bulat/bindings/go/internal/fault"
)

// A piece of at most this length goes to a kernel at a time, since Go cannot stop a goroutine meanwhile.
const piece = 1 << 16

// ctr is CTR and CTR-ACPKM.
type ctr struct {
	c       *Cipher
	counter [16]byte
	gamma   [16]byte
	used    int // of gamma; s where there is none
	s       int
	section int    // 0: CTR
	left    int    // bytes of the section's gamma that are left
	room    uint64 // bytes that the message may still have
}

func plainCTR(c *Cipher, _, iv []byte, o fault.Options) (cipher.Stream, error) {
	return c.newCTR(iv, o, false)
}

func acpkmCTR(c *Cipher, _, iv []byte, o fault.Options) (cipher.Stream, error) {
	return c.newCTR(iv, o, true)
}

func (c *Cipher) newCTR(iv []byte, o fault.Options, acpkm bool) (*ctr, error) {
	x := &ctr{c: c, s: c.size}
	if len(iv) != c.size/2 {
		return nil, fault.IVLength
	}
	copy(x.counter[:], iv)
	if o.S != 0 {
		x.s = o.S
	}
	if x.s < 0 || x.s > c.size {
		return nil, fault.Parameter
	}
	if acpkm {
		x.section = o.Section
		if x.section == 0 {
			x.section = usualSection(c.size)
		}
		// s divides N (R 1323565.1.017-2018, 4.1).
		if x.section < 0 || x.section%c.size != 0 || x.section%x.s != 0 {
			return nil, fault.Parameter
		}
		x.left = x.section
	}
	x.used = x.s
	// The counter has n/2 bytes (GOST R 34.13-2015, 5.2), of which ACPKM uses a bit less (RFC 8645, 6.2.2). No message is as
	// long as messages of Kuznyechik may be.
	if x.room = 1 << 63; c.size == 8 && acpkm {
		x.room = 1 << 31 * uint64(x.s)
	} else if c.size == 8 {
		x.room = 1 << 32 * uint64(x.s)
	}
	return x, nil
}

// usualSection is the section of CTR-ACPKM, and the period of OMAC-ACPKM, where none is given.
func usualSection(block int) int {
	if block == 8 {
		return 1024
	}
	return 4096
}

func (x *ctr) XORKeyStream(dst, src []byte) {
	dst = output(dst, src)
	if uint64(len(src)) > x.room {
		panic(fault.Limit.Error())
	}
	x.room -= uint64(len(src))
	n := x.c.size
	for len(src) > 0 {
		if x.used < x.s {
			k := subtle.XORBytes(dst, src[:min(len(src), x.s-x.used)], x.gamma[x.used:x.s])
			x.used += k
			dst, src = dst[k:], src[k:]
			continue
		}
		k := min(len(src)/n*n, piece)
		if x.section > 0 {
			if x.left == 0 {
				x.c.nextKey()
				x.left = x.section
			}
			if x.left == x.section && x.s == n {
				if k := nativeSections(x.c, x.counter[:n], x.section, dst, src); k > 0 {
					// The key is the key of the last section done.
					dst, src, x.left = dst[k:], src[k:], 0
					continue
				}
			}
			k = min(k, x.left)
		}
		if x.s < n || k == 0 {
			clear(x.gamma[:])
			x.c.stream(x.counter[:n], whole, x.gamma[:n], x.gamma[:n])
			x.used, x.left = 0, x.left-x.s
			continue
		}
		x.c.stream(x.counter[:n], whole, dst[:k], src[:k])
		dst, src, x.left = dst[k:], src[k:], x.left-k
	}
}

// register is OFB and CFB of GOST R 34.13-2015, 5.3 and 5.5.
type register struct {
	c       *Cipher
	r       []byte
	gamma   [16]byte
	used    int
	s       int
	cfb     bool
	decrypt bool
	segment [16]byte // ciphertext of CFB since the last shift
}

// maxRegister is the longest register in bytes, as in the library (crates/bulat/src/modes/register.rs).
const maxRegister = 512

func newOFB(c *Cipher, _, iv []byte, o fault.Options) (cipher.Stream, error) {
	return c.newRegister(iv, o, false)
}

func newCFB(c *Cipher, _, iv []byte, o fault.Options) (cipher.Stream, error) {
	return c.newRegister(iv, o, true)
}

func (c *Cipher) newRegister(iv []byte, o fault.Options, cfb bool) (*register, error) {
	x := &register{c: c, s: c.size, cfb: cfb, decrypt: o.Decrypt}
	if len(iv) < c.size || len(iv) > maxRegister || !cfb && len(iv)%c.size != 0 {
		return nil, fault.IVLength
	}
	if o.S != 0 {
		x.s = o.S
	}
	if x.s < 0 || x.s > c.size {
		return nil, fault.Parameter
	}
	x.r = append(x.r, iv...)
	x.used = x.s
	return x, nil
}

func (x *register) XORKeyStream(dst, src []byte) {
	dst = output(dst, src)
	n := x.c.size
	for len(src) > 0 {
		if x.used < x.s {
			k := min(len(src), x.s-x.used)
			if x.cfb && x.decrypt {
				copy(x.segment[x.used:], src[:k])
			}
			subtle.XORBytes(dst, src[:k], x.gamma[x.used:x.s])
			if x.cfb && !x.decrypt {
				copy(x.segment[x.used:], dst[:k])
			}
			x.used += k
			if x.used == x.s && x.cfb {
				shift(x.r, x.segment[:x.s])
			}
			dst, src = dst[k:], src[k:]
			continue
		}
		k := min(len(src)/n*n, piece)
		if x.s == n && len(x.r) == n && k > 0 {
			x.many(dst[:k], src[:k])
			dst, src = dst[k:], src[k:]
			continue
		}
		x.c.blocks(false, x.gamma[:n], x.r[:n])
		x.used = 0
		if !x.cfb {
			shift(x.r, x.gamma[:n])
		}
	}
}

// many is whole blocks over a register of one block.
func (x *register) many(dst, src []byte) {
	n := x.c.size
	switch {
	case !x.cfb:
		x.c.chain(ofbBoth, x.r, dst, src)
	case !x.decrypt:
		x.c.chain(cfbEncrypt, x.r, dst, src)
	default:
		var gamma [1024]byte
		for len(src) > 0 {
			k := min(len(src), len(gamma))
			copy(gamma[:], x.r)
			copy(gamma[n:k], src[:k-n])
			copy(x.r, src[k-n:k])
			x.c.blocks(false, gamma[:k], gamma[:k])
			subtle.XORBytes(dst, src[:k], gamma[:k])
			dst, src = dst[k:], src[k:]
		}
	}
}

// shift drops the first bytes of a register and appends others.
func shift(r, in []byte) {
	copy(r, r[len(in):])
	copy(r[len(r)-len(in):], in)
}

// cbc is CBC of GOST R 34.13-2015, 5.4, and of GOST 28147-89 with or without meshing.
type cbc struct {
	c       *Cipher
	r       []byte
	decrypt bool
	mesh    mesher
}

func newCBC(c *Cipher, _, iv []byte, o fault.Options) (cipher.BlockMode, error) {
	if len(iv) == 0 || len(iv)%c.size != 0 || len(iv) > maxRegister || c.kind == Gost28147 && len(iv) != 8 {
		return nil, fault.IVLength
	}
	mesh, err := newMesher(c, o.Meshing, false)
	return &cbc{c: c, r: append([]byte(nil), iv...), decrypt: o.Decrypt, mesh: mesh}, err
}

func (x *cbc) BlockSize() int { return x.c.size }

func (x *cbc) CryptBlocks(dst, src []byte) {
	n := x.c.size
	dst = blocksOut(dst, src, n)
	for len(src) > 0 {
		k := x.mesh.room(x.c, x.r, min(len(src), 1024))
		if !x.decrypt && len(x.r) == n {
			x.c.chain(cbcEncrypt, x.r, dst[:k], src[:k])
		} else if !x.decrypt {
			k = n
			var y [16]byte
			subtle.XORBytes(y[:n], x.r[:n], src[:n])
			x.c.blocks(false, dst[:n], y[:n])
			shift(x.r, dst[:n])
		} else if len(x.r) == n {
			var y [1024]byte
			copy(y[:], src[:k])
			x.c.blocks(true, dst[:k], src[:k])
			subtle.XORBytes(dst[:n], dst[:n], x.r)
			subtle.XORBytes(dst[n:k], dst[n:k], y[:k-n])
			copy(x.r, y[k-n:k])
		} else {
			k = n
			var y [16]byte
			copy(y[:], src[:n])
			x.c.blocks(true, dst[:n], src[:n])
			subtle.XORBytes(dst[:n], dst[:n], x.r[:n])
			shift(x.r, y[:n])
		}
		x.mesh.done += k
		dst, src = dst[k:], src[k:]
	}
}

// output is the room for as many bytes as src has. It panics, as crypto/cipher does, if that is too short or overlaps src.
func output(dst, src []byte) []byte {
	if len(dst) < len(src) {
		panic("bulat: output smaller than input")
	}
	checkOverlap(dst[:len(src)], src)
	return dst[:len(src)]
}

// blocksOut is output for whole blocks of n bytes.
func blocksOut(dst, src []byte, n int) []byte {
	if len(src)%n != 0 {
		panic("bulat: input not full blocks")
	}
	return output(dst, src)
}

// ecb is independent blocks.
type ecb struct {
	c       *Cipher
	decrypt bool
}

func newECB(c *Cipher, _, iv []byte, o fault.Options) (cipher.BlockMode, error) {
	if len(iv) != 0 {
		return nil, fault.IVLength
	}
	return &ecb{c, o.Decrypt}, nil
}

func (x *ecb) BlockSize() int { return x.c.size }

func (x *ecb) CryptBlocks(dst, src []byte) {
	dst = blocksOut(dst, src, x.c.size)
	for len(src) > 0 {
		k := min(len(src), piece)
		x.c.blocks(x.decrypt, dst[:k], src[:k])
		dst, src = dst[k:], src[k:]
	}
}

// mesher is CryptoPro's key meshing (RFC 4357, 2.3.2): a new key before byte 1024, 2048 and so on.
type mesher struct {
	on   bool
	done int
}

var meshC = [32]byte{
	0x69, 0x00, 0x72, 0x22, 0x64, 0xC9, 0x04, 0x23, 0x8D, 0x3A, 0xDB, 0x96, 0x46, 0xE9, 0x2A, 0xC4,
	0x18, 0xFE, 0xAC, 0x94, 0x00, 0xED, 0x07, 0x12, 0xC0, 0x86, 0xDC, 0xC2, 0xEF, 0x4C, 0xA9, 0x2B,
}

// room changes the key where that is due, encrypts the register with it, and returns how many bytes may follow.
func (m *mesher) room(c *Cipher, register []byte, n int) int {
	if !m.on {
		return n
	}
	if m.done == 1024 {
		var key [32]byte
		c.blocks(true, key[:], meshC[:])
		c.rekey(key[:])
		clear(key[:])
		if register != nil {
			c.blocks(false, register, register)
		}
		m.done = 0
	}
	return min(n, 1024-m.done)
}

// newMesher: the default of the algorithm is to mesh, except with the test S-boxes (RFC 4357, 11.1).
func newMesher(c *Cipher, meshing int, standard bool) (mesher, error) {
	switch meshing {
	case 0:
		return mesher{on: standard && c.rows != &sboxRows[sboxesTest]}, nil
	case 1, 2:
		return mesher{on: meshing == 1}, nil
	}
	return mesher{}, fault.Parameter
}

// old is CNT and CFB of GOST 28147-89.
type old struct {
	c       *Cipher
	z       [8]byte
	gamma   [8]byte
	used    int
	cfb     bool
	decrypt bool
	mesh    mesher
}

func oldCFB(c *Cipher, _, iv []byte, o fault.Options) (cipher.Stream, error) {
	return c.newOld(iv, o, true)
}

func oldCNT(c *Cipher, _, iv []byte, o fault.Options) (cipher.Stream, error) {
	return c.newOld(iv, o, false)
}

func (c *Cipher) newOld(iv []byte, o fault.Options, cfb bool) (*old, error) {
	if len(iv) != 8 {
		return nil, fault.IVLength
	}
	mesh, err := newMesher(c, o.Meshing, true)
	if err != nil {
		return nil, err
	}
	x := &old{c: c, cfb: cfb, decrypt: o.Decrypt, used: 8, mesh: mesh}
	copy(x.z[:], iv)
	if !cfb {
		c.blocks(false, x.z[:], x.z[:])
	}
	return x, nil
}

func (x *old) XORKeyStream(dst, src []byte) {
	dst = output(dst, src)
	for len(src) > 0 {
		if x.used < 8 {
			k := min(len(src), 8-x.used)
			for i := range k {
				in := src[i]
				out := in ^ x.gamma[x.used+i]
				dst[i] = out
				if x.cfb && x.decrypt {
					x.z[x.used+i] = in
				} else if x.cfb {
					x.z[x.used+i] = out
				}
			}
			x.used += k
			dst, src = dst[k:], src[k:]
			continue
		}
		k := x.mesh.room(x.c, x.z[:], min(len(src)/8*8, piece))
		if k == 0 { // less than a block is left
			x.mesh.done += 8
			x.used = 0
			clear(x.gamma[:])
			if x.cfb {
				x.c.blocks(false, x.gamma[:], x.z[:])
			} else {
				x.c.stream(x.z[:], cnt, x.gamma[:], x.gamma[:])
			}
			continue
		}
		x.mesh.done += k
		switch {
		case !x.cfb:
			x.c.stream(x.z[:], cnt, dst[:k], src[:k])
		case !x.decrypt:
			x.c.chain(cfbEncrypt, x.z[:], dst[:k], src[:k])
		default:
			r := register{c: x.c, r: x.z[:], cfb: true, decrypt: true}
			r.many(dst[:k], src[:k])
		}
		dst, src = dst[k:], src[k:]
	}
}

// XTS is IEEE 1619 over Kuznyechik.
type XTS struct{ data, tweak *Cipher }

// NewXTS prepares K1 || K2, which must differ.
func NewXTS(key []byte) (*XTS, error) {
	if len(key) != 64 {
		return nil, fault.KeyLength
	}
	if subtle.ConstantTimeCompare(key[:32], key[32:]) == 1 {
		return nil, fault.EqualKeys
	}
	data, _ := NewCipher(Kuznyechik, key[:32], "")
	tweak, _ := NewCipher(Kuznyechik, key[32:], "")
	return &XTS{data, tweak}, nil
}

// double is the product by α; the first byte has the lowest powers.
func double(t *[16]byte) {
	carry := byte(0)
	for i := range t {
		carry, t[i] = t[i]>>7, t[i]<<1|carry
	}
	t[0] ^= 0x87 & -carry
}

// Crypt transforms a sector of at least a block.
func (x *XTS) Crypt(decrypt bool, dst, src, iv []byte) error {
	switch {
	case len(iv) != 16:
		return fault.IVLength
	case len(src) < 16:
		return fault.DataLength
	case len(src) > 1<<24:
		return fault.Limit
	case len(dst) < len(src):
		return fault.Buffer
	}
	dst = dst[:len(src)]
	if partly(dst, src) {
		return fault.Overlap
	}
	var t, last [16]byte
	x.tweak.blocks(false, t[:], iv)
	rest := len(src) % 16
	body := len(src) - rest
	if rest > 0 {
		body -= 16
	}
	var tweaks [1024]byte
	for len(src) >= 16 && body > 0 {
		k := min(body, len(tweaks))
		for i := 0; i < k; i += 16 {
			copy(tweaks[i:], t[:])
			double(&t)
		}
		subtle.XORBytes(dst, src[:k], tweaks[:k])
		x.data.blocks(decrypt, dst[:k], dst[:k])
		subtle.XORBytes(dst, dst[:k], tweaks[:k])
		dst, src, body = dst[k:], src[k:], body-k
	}
	if rest == 0 {
		return nil
	}
	// The last block is short: it steals the end of the block before.
	one := func(y *[16]byte, t *[16]byte) {
		subtle.XORBytes(y[:], y[:], t[:])
		x.data.blocks(decrypt, y[:], y[:])
		subtle.XORBytes(y[:], y[:], t[:])
	}
	next := t
	double(&next)
	first, second := &t, &next
	if decrypt {
		first, second = second, first
	}
	copy(last[:], src[:16])
	one(&last, first)
	var tail [16]byte
	copy(tail[:], src[16:])
	copy(tail[rest:], last[rest:])
	copy(dst[16:], last[:rest])
	one(&tail, second)
	copy(dst, tail[:])
	return nil
}
