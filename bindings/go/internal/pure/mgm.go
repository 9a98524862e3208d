package pure

import (
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"

	"github.com/bulat-crypto/bulat/bindings/go/internal/fault"
)

// MGM is MGM of RFC 9058.
type MGM struct {
	c    *Cipher
	size int
}

func newMGM(c *Cipher, _, _ []byte, o fault.Options) (fault.AEAD, error) {
	size := o.TagSize
	// RFC 9058, 4: 32 bits at least.
	if size == 0 {
		size = c.size
	}
	if size < 4 || size > c.size {
		return nil, fault.TagLength
	}
	return &MGM{c, size}, nil
}

func (m *MGM) NonceSize() int { return m.c.size }
func (m *MGM) Overhead() int  { return m.size }

// limit: the lengths in bits fill half a block each.
func (m *MGM) tooLong(n int) bool {
	return m.c.size == 8 && uint64(n) >= 1<<29 || uint64(n) >= 1<<61
}

func (m *MGM) check(nonce, aad, text []byte) error {
	switch {
	case len(nonce) != m.c.size:
		return fault.IVLength
	case nonce[0]&0x80 != 0:
		return fault.Nonce
	case len(aad) == 0 && len(text) == 0:
		return fault.Empty
	case m.tooLong(len(aad)) || m.tooLong(len(text)) || m.tooLong(len(aad)+len(text)):
		return fault.Limit
	}
	return nil
}

// counters returns the first counters of the gamma and of the products, from one call of the kernel.
func (m *MGM) counters(both *[32]byte, nonce []byte) (gamma, products []byte) {
	n := m.c.size
	gamma, products = both[:n], both[n:2*n]
	copy(gamma, nonce)
	copy(products, nonce)
	products[0] |= 0x80
	m.c.blocks(false, both[:2*n], both[:2*n])
	return gamma, products
}

// crypt adds the gamma.
func (m *MGM) crypt(counter, dst, src []byte) {
	n := m.c.size
	for len(src) >= n {
		k := min(len(src)/n*n, piece)
		m.c.stream(counter, right, dst[:k], src[:k])
		dst, src = dst[k:], src[k:]
	}
	if len(src) > 0 {
		var last [16]byte
		copy(last[:], src)
		m.c.stream(counter, right, last[:n], last[:n])
		copy(dst, last[:len(src)])
		clear(last[:])
	}
}

// sums adds the products of whole blocks.
func (m *MGM) sums(sum, counter, data []byte) {
	for len(data) > 0 {
		k := nativeProducts(m.c, counter, data[:min(len(data), piece)], sum)
		if k == 0 {
			k = m.ahead(sum, counter, data)
		}
		data = data[k:]
	}
}

// ahead makes the H of some data, then adds their products. It returns the length of this data. Room is zeroed and wiped, so
// short data gets little room; the most is whole batches of every kernel, in the first-level cache.
func (m *MGM) ahead(sum, counter, data []byte) int {
	switch {
	case len(data) <= 16:
		var h [16]byte
		return m.products(sum, counter, h[:], data)
	case len(data) <= 1536:
		var h [1536]byte
		return m.products(sum, counter, h[:], data)
	}
	var h [6144]byte
	return m.products(sum, counter, h[:], data)
}

// products adds the products of data and as many H, in room of zeros.
func (m *MGM) products(sum, counter, h, data []byte) int {
	k := min(len(data), len(h))
	m.c.stream(counter, left, h[:k], h[:k])
	m.c.multiply(sum, h[:k], data[:k])
	clear(h[:k])
	return k
}

// part adds data, padded by zeros to whole blocks.
func (m *MGM) part(sum, counter, data []byte) {
	n := m.c.size
	k := len(data) / n * n
	m.sums(sum, counter, data[:k])
	if k < len(data) {
		var last [16]byte
		copy(last[:], data[k:])
		m.sums(sum, counter, last[:n])
	}
}

func (m *MGM) tag(tag *[16]byte, counter, aad, text []byte) {
	n := m.c.size
	var blocks [2][16]byte
	sum, lengths := blocks[0][:n], blocks[1][:n]
	if short := (len(aad)+n-1)/n + (len(text)+n-1)/n + 1; short*n <= 512 {
		// One call of the kernel for all products.
		var data, h [512]byte
		at := copy(data[:], aad)
		at = (at + n - 1) / n * n
		copy(data[at:], text)
		all := short * n
		m.lengths(data[all-n:all], aad, text)
		m.c.stream(counter, left, h[:all], h[:all])
		m.c.multiply(sum, h[:all], data[:all])
		clear(h[:])
	} else {
		m.part(sum, counter, aad)
		m.part(sum, counter, text)
		m.lengths(lengths, aad, text)
		m.sums(sum, counter, lengths)
	}
	m.c.blocks(false, tag[:n], sum)
}

func (m *MGM) lengths(out, aad, text []byte) {
	if len(out) == 8 {
		binary.BigEndian.PutUint32(out, uint32(8*len(aad)))
		binary.BigEndian.PutUint32(out[4:], uint32(8*len(text)))
	} else {
		binary.BigEndian.PutUint64(out, uint64(8*len(aad)))
		binary.BigEndian.PutUint64(out[8:], uint64(8*len(text)))
	}
}

// SealTo is Seal with an error instead of a panic.
func (m *MGM) SealTo(dst, nonce, text, aad []byte) ([]byte, error) {
	if err := m.check(nonce, aad, text); err != nil {
		return nil, err
	}
	all, out := fault.Extend(dst, len(text)+m.size)
	if partly(out, text) || overlaps(out, aad) {
		return nil, fault.Overlap
	}
	var tag [16]byte
	var both [32]byte
	gamma, products := m.counters(&both, nonce)
	m.crypt(gamma, out[:len(text)], text)
	m.tag(&tag, products, aad, out[:len(text)])
	copy(out[len(text):], tag[:m.size])
	clear(both[:])
	return all, nil
}

func (m *MGM) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	out, err := m.SealTo(dst, nonce, plaintext, additionalData)
	if err != nil {
		panic(err.Error())
	}
	return out
}

func (m *MGM) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	if len(ciphertext) < m.size {
		return nil, fault.Verify
	}
	text, given := ciphertext[:len(ciphertext)-m.size], ciphertext[len(ciphertext)-m.size:]
	if err := m.check(nonce, additionalData, text); err != nil {
		return nil, err
	}
	all, out := fault.Extend(dst, len(text))
	if partly(out, text) {
		return nil, fault.Overlap
	}
	// The tag first: nothing is decrypted under a wrong tag.
	var tag [16]byte
	var both [32]byte
	defer clear(both[:])
	gamma, products := m.counters(&both, nonce)
	m.tag(&tag, products, additionalData, text)
	if subtle.ConstantTimeCompare(tag[:m.size], given) != 1 {
		return nil, fault.Verify
	}
	m.crypt(gamma, out, text)
	return all, nil
}

var _ cipher.AEAD = (*MGM)(nil)

// CMS is CTR-ACPKM with OMAC of R 1323565.1.025-2019: the IV is the UKM, there is no associated data.
type CMS struct {
	kind    Kind
	size    int
	section int
	key     []byte
}

func newCMS(cipher *Cipher, key, _ []byte, o fault.Options) (fault.AEAD, error) {
	c := &CMS{kind: cipher.kind, size: cipher.size, section: o.Section}
	if c.section == 0 {
		c.section = 262144
		if c.kind == Magma {
			c.section = 8192
		}
	}
	if c.section < 0 || c.section%c.size != 0 {
		return nil, fault.Parameter
	}
	if o.TagSize != 0 && o.TagSize != c.size {
		return nil, fault.TagLength
	}
	c.key = append(c.key, key...)
	return c, nil
}

func (c *CMS) NonceSize() int { return c.size/2 + 8 }
func (c *CMS) Overhead() int  { return c.size }

func (c *CMS) open(ukm []byte) (*ctr, *omac, error) {
	if len(ukm) != c.NonceSize() {
		return nil, nil, fault.IVLength
	}
	var keys [64]byte
	if err := Derive("kdf-tree", fault.Derivation{Key: c.key, Label: []byte("kdf tree"), Seed: ukm[c.size/2:]}, keys[:]); err != nil {
		return nil, nil, err
	}
	encrypt, _ := NewCipher(c.kind, keys[:32], "")
	mac, _ := NewCipher(c.kind, keys[32:], "")
	stream, err := encrypt.newCTR(ukm[:c.size/2], fault.Options{Section: c.section}, true)
	if err != nil {
		return nil, nil, err
	}
	tag, err := mac.newOMAC(nil, fault.Options{}, false)
	clear(keys[:])
	return stream, tag, err
}

// SealTo is Seal with an error instead of a panic.
func (c *CMS) SealTo(dst, nonce, text, aad []byte) ([]byte, error) {
	if len(aad) != 0 {
		return nil, fault.Parameter
	}
	stream, mac, err := c.open(nonce)
	if err != nil {
		return nil, err
	}
	if uint64(len(text)+c.size) > stream.room {
		return nil, fault.Limit
	}
	all, out := fault.Extend(dst, len(text)+c.size)
	if partly(out, text) {
		return nil, fault.Overlap
	}
	mac.Write(text)
	stream.XORKeyStream(out, text)
	tag := mac.Sum(nil)
	stream.XORKeyStream(out[len(text):], tag)
	return all, nil
}

func (c *CMS) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	out, err := c.SealTo(dst, nonce, plaintext, additionalData)
	if err != nil {
		panic(err.Error())
	}
	return out
}

func (c *CMS) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	if len(additionalData) != 0 {
		return nil, fault.Parameter
	}
	if len(ciphertext) < c.size {
		return nil, fault.Verify
	}
	stream, mac, err := c.open(nonce)
	if err != nil {
		return nil, err
	}
	if uint64(len(ciphertext)) > stream.room {
		return nil, fault.Limit
	}
	// The MAC is of the text: it is decrypted aside, and copied if the MAC is right.
	plain := make([]byte, len(ciphertext))
	stream.XORKeyStream(plain, ciphertext)
	text, given := plain[:len(plain)-c.size], plain[len(plain)-c.size:]
	mac.Write(text)
	if !mac.Verify(given) {
		clear(plain)
		return nil, fault.Verify
	}
	all, out := fault.Extend(dst, len(text))
	copy(out, text)
	clear(plain)
	return all, nil
}
