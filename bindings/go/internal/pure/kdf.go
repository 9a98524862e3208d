package pure

import (
	"encoding/binary"

	"github.com/bulat-crypto/bulat/bindings/go/internal/fault"
)

// tag writes the whole HMAC of the parts in turn.
func (m *hmac) tag(out []byte, parts ...[]byte) {
	m.Reset()
	for _, p := range parts {
		m.Write(p)
	}
	m.finish(out)
}

func newPRF(size int, key []byte) *hmac {
	m := &hmac{size: size}
	m.init(size, key)
	return m
}

// kdf256 is KDF_GOSTR3411_2012_256 (RFC 7836, 4.5).
func kdf256(out, key, label, seed []byte) {
	newPRF(32, key).tag(out[:32], []byte{1}, label, []byte{0}, seed, []byte{1, 0})
}

// derivation is a line of the table.
type derivation struct {
	size int // of the hash
	uses int // the options that it has
	fill func(size int, p fault.Derivation, out []byte) error
}

var derivations = map[string]derivation{
	"kdf-gostr3411-2012-256":     {32, withLabel | withSeed, single},
	"kdf-tree":                   {32, withLabel | withSeed | withCounter, tree},
	"tlstree":                    {32, withMasks, tlstree},
	"pbkdf2-hmac-streebog256":    {32, withSalt | withIterations, pbkdf2},
	"pbkdf2-hmac-streebog512":    {64, withSalt | withIterations, pbkdf2},
	"prf-tls-gostr3411-2012-256": {32, withLabel | withSeed, prfTLS},
	"prf-tls-gostr3411-2012-512": {64, withLabel | withSeed, prfTLS},
	"prf-plus-streebog256":       {32, withSeed, prfPlus},
	"prf-plus-streebog512":       {64, withSeed, prfPlus},
	"hkdf-streebog256":           {32, withSalt | withSeed, hkdf},
	"hkdf-streebog512":           {64, withSalt | withSeed, hkdf},
}

// Derive fills out by the derivation of this name.
func Derive(name string, p fault.Derivation, out []byte) error {
	d, ok := derivations[name]
	if !ok {
		return fault.Algorithm
	}
	if set(withSalt, len(p.Salt) > 0, len(p.Label) > 0, len(p.Seed) > 0, p.Iterations != 0, p.Counter != 0,
		p.Masks != [3]uint64{} || p.Record != 0)&^d.uses != 0 {
		return fault.Parameter
	}
	return d.fill(d.size, p, out)
}

func single(_ int, p fault.Derivation, out []byte) error {
	if len(out) != 32 {
		return fault.Buffer
	}
	kdf256(out, p.Key, p.Label, p.Seed)
	return nil
}

func tree(size int, p fault.Derivation, out []byte) error {
	r := p.Counter
	if r == 0 {
		r = 1
	}
	if blocks := uint64(len(out)+31) / 32; r < 1 || r > 4 || len(out) == 0 || blocks>>(8*r) != 0 {
		return fault.Parameter
	}
	var bits [8]byte
	binary.BigEndian.PutUint64(bits[:], uint64(8*len(out)))
	at := 0
	for bits[at] == 0 {
		at++
	}
	prf := newPRF(size, p.Key)
	var block [32]byte
	var counter [4]byte
	for i := uint32(1); len(out) > 0; i++ {
		binary.BigEndian.PutUint32(counter[:], i)
		prf.tag(block[:], counter[4-r:], p.Label, []byte{0}, p.Seed, bits[at:])
		out = out[copy(out, block[:]):]
	}
	clear(block[:])
	return nil
}

func tlstree(_ int, p fault.Derivation, out []byte) error {
	if len(p.Key) != 32 {
		return fault.KeyLength
	}
	if p.Masks == [3]uint64{} {
		return fault.Parameter
	}
	if len(out) != 32 {
		return fault.Buffer
	}
	var key [32]byte
	copy(key[:], p.Key)
	for i, label := range []string{"level1", "level2", "level3"} {
		var seed [8]byte
		binary.BigEndian.PutUint64(seed[:], p.Record&p.Masks[i])
		kdf256(key[:], key[:], []byte(label), seed[:])
	}
	copy(out, key[:])
	clear(key[:])
	return nil
}

func pbkdf2(size int, p fault.Derivation, out []byte) error {
	if p.Iterations < 1 || uint64(p.Iterations) > 1<<32-1 || len(out) == 0 || uint64(len(out)) > uint64(size)*(1<<32-1) {
		return fault.Parameter
	}
	prf := newPRF(size, p.Key)
	var u, t [64]byte
	var counter [4]byte
	for i := uint32(1); len(out) > 0; i++ {
		binary.BigEndian.PutUint32(counter[:], i)
		prf.tag(u[:size], p.Salt, counter[:])
		t = u
		for range p.Iterations - 1 {
			prf.Reset()
			prf.Write(u[:size])
			prf.finish(u[:size])
			for j := range t[:size] {
				t[j] ^= u[j]
			}
		}
		out = out[copy(out, t[:size]):]
	}
	clear(u[:])
	clear(t[:])
	return nil
}

func prfTLS(size int, p fault.Derivation, out []byte) error {
	prf := newPRF(size, p.Key)
	var a, b [64]byte
	prf.tag(a[:size], p.Label, p.Seed)
	for len(out) > 0 {
		prf.tag(b[:size], a[:size], p.Label, p.Seed)
		out = out[copy(out, b[:size]):]
		prf.tag(a[:size], a[:size])
	}
	clear(a[:])
	clear(b[:])
	return nil
}

func prfPlus(size int, p fault.Derivation, out []byte) error {
	return chained(newPRF(size, p.Key), p.Seed, out)
}

func hkdf(size int, p fault.Derivation, out []byte) error {
	var prk [64]byte
	newPRF(size, p.Salt).tag(prk[:size], p.Key)
	defer clear(prk[:])
	return chained(newPRF(size, prk[:size]), p.Seed, out)
}

// chained is prf+ of RFC 7296, 2.13, and the expansion of HKDF.
func chained(prf *hmac, seed, out []byte) error {
	size := prf.size
	if len(out) > 255*size {
		return fault.Parameter
	}
	var t [64]byte
	var before []byte
	for i := byte(1); len(out) > 0; i++ {
		prf.tag(t[:size], before, seed, []byte{i})
		before = t[:size]
		out = out[copy(out, before):]
	}
	clear(t[:])
	return nil
}

// wrap is a line of the table: KExp15, or a wrap of GOST 28147-89.
type wrap struct {
	kind     Kind
	iv, most int // the longest UKM, and the secret's length beside 32
	boxes    bool
	// rekey makes the wrap's key of the key and the UKM.
	rekey func(c *Cipher, key *[32]byte, ukm []byte)
}

var wraps = map[string]wrap{
	"kuznyechik-kexp15":    {kind: Kuznyechik},
	"magma-kexp15":         {kind: Magma},
	"gost28147-keywrap":    {Gost28147, 8, 32, true, nil},
	"cryptopro-keywrap":    {Gost28147, 8, 32, true, (*Cipher).diversify},
	"gost28147-keywrap-12": {Gost28147, 16, 64, false, rekey12},
}

// Wrap wraps a secret under a key.
func Wrap(name string, key, iv []byte, sboxes string, secret []byte) ([]byte, error) {
	w, ok := wraps[name]
	if !ok {
		return nil, fault.Algorithm
	}
	if w.kind != Gost28147 {
		mac, stream, err := w.kexp15(key, iv, sboxes)
		if err != nil {
			return nil, err
		}
		mac.Write(iv)
		mac.Write(secret)
		out := mac.Sum(append(make([]byte, 0, len(secret)+mac.Size()), secret...))
		stream.XORKeyStream(out, out)
		return out, nil
	}
	c, err := w.cipher(key, iv, sboxes, len(secret))
	if err != nil {
		return nil, err
	}
	out := append(make([]byte, 0, len(iv)+len(secret)+4), iv...)[:len(iv)+len(secret)]
	c.blocks(false, out[len(iv):], secret)
	return wrapMAC(c, iv, secret).Sum(out), nil
}

// Unwrap unwraps a secret of this length, and gives it only if the MAC is right.
func Unwrap(name string, key, iv []byte, sboxes string, wrapped []byte, size int) ([]byte, error) {
	w, ok := wraps[name]
	if !ok {
		return nil, fault.Algorithm
	}
	if w.kind != Gost28147 {
		mac, stream, err := w.kexp15(key, iv, sboxes)
		if err != nil {
			return nil, err
		}
		n := mac.BlockSize()
		if len(wrapped) < n || size != len(wrapped)-n {
			return nil, fault.DataLength
		}
		plain := make([]byte, len(wrapped))
		stream.XORKeyStream(plain, wrapped)
		mac.Write(iv)
		mac.Write(plain[:size])
		return verified(mac, plain[:size], plain[size:])
	}
	if len(iv) != 0 {
		return nil, fault.IVLength
	}
	at := len(wrapped) - size - 4
	if size < 0 || at < 0 || w.lengths(at, size) != nil {
		return nil, fault.DataLength
	}
	iv, text, given := wrapped[:at], wrapped[at:at+size], wrapped[at+size:]
	c, err := w.cipher(key, iv, sboxes, size)
	if err != nil {
		return nil, err
	}
	secret := make([]byte, size)
	c.blocks(true, secret, text)
	return verified(wrapMAC(c, iv, secret), secret, given)
}

// verified returns the secret if the MAC is right, else wipes it.
func verified(mac fault.MAC, secret, tag []byte) ([]byte, error) {
	if !mac.Verify(tag) {
		clear(secret)
		return nil, fault.Verify
	}
	return secret, nil
}

// kexp15 is RFC 9189, 8.2.1: the key of the MAC, then the key of CTR.
func (w wrap) kexp15(key, iv []byte, sboxes string) (*omac, *ctr, error) {
	if len(key) != 64 {
		return nil, nil, fault.KeyLength
	}
	if sboxes != "" {
		return nil, nil, fault.Parameter
	}
	m, _ := NewCipher(w.kind, key[:32], "")
	e, _ := NewCipher(w.kind, key[32:], "")
	stream, err := e.newCTR(iv, fault.Options{}, false)
	if err != nil {
		return nil, nil, err
	}
	mac, err := m.newOMAC(nil, fault.Options{}, false)
	return mac, stream, err
}

func (w wrap) lengths(iv, secret int) error {
	if iv < 8 || iv > w.iv {
		return fault.IVLength
	}
	if secret != 32 && secret != w.most {
		return fault.DataLength
	}
	return nil
}

// cipher is the cipher under the key that a wrap makes of the key and the UKM.
func (w wrap) cipher(key, iv []byte, sboxes string, secret int) (*Cipher, error) {
	if sboxes != "" && !w.boxes {
		return nil, fault.Parameter
	}
	c, err := NewCipher(Gost28147, key, sboxes)
	if err != nil {
		return nil, err
	}
	if err := w.lengths(len(iv), secret); err != nil {
		return nil, err
	}
	if w.rekey != nil {
		var k [32]byte
		copy(k[:], key)
		w.rekey(c, &k, iv)
		c.rekey(k[:])
		clear(k[:])
	}
	return c, nil
}

// wrapMAC is the MAC of the secret, from the UKM on.
func wrapMAC(c *Cipher, iv, secret []byte) fault.MAC {
	m, _ := newImit(c, nil, iv[:8], fault.Options{Meshing: 2})
	m.Write(secret)
	return m
}

// rekey12 is RFC 7836, 4.6.
func rekey12(_ *Cipher, key *[32]byte, ukm []byte) {
	kdf256(key[:], key[:], []byte{0x26, 0xbd, 0xb8, 0x78}, ukm)
}

// diversify is RFC 4357, 6.5.
func (c *Cipher) diversify(key *[32]byte, ukm []byte) {
	for _, bits := range ukm[:8] {
		var sums [2]uint32
		for j := range 8 {
			sums[1-bits>>j&1] += binary.LittleEndian.Uint32(key[4*j:])
		}
		var z [8]byte
		binary.LittleEndian.PutUint32(z[:], sums[0])
		binary.LittleEndian.PutUint32(z[4:], sums[1])
		c.rekey(key[:])
		c.chain(cfbEncrypt, z[:], key[:], key[:])
	}
}
