package pure

import (
	"encoding/binary"
	"strings"

	"github.com/bulat-crypto/bulat/bindings/go/internal/fault"
)

// tag writes the whole HMAC of the parts, one after the other.
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

// size is the hash of a name's end.
func hashSize(name string) int {
	if strings.HasSuffix(name, "512") {
		return 64
	}
	return 32
}

// Derive fills out by the derivation of this name.
func Derive(name string, p fault.Derivation, out []byte) error {
	size := hashSize(name)
	only := func(uses string) bool {
		given := ""
		for _, f := range []struct {
			c string
			g bool
		}{{"s", len(p.Salt) > 0}, {"l", len(p.Label) > 0}, {"d", len(p.Seed) > 0}, {"i", p.Iterations != 0},
			{"c", p.Counter != 0}, {"t", p.Masks != [3]uint64{} || p.Record != 0}} {
			if f.g {
				given += f.c
			}
		}
		return strings.Trim(given, uses) == ""
	}
	switch {
	case name == "kdf-gostr3411-2012-256":
		if !only("ld") {
			return fault.Parameter
		}
		if len(out) != 32 {
			return fault.Buffer
		}
		kdf256(out, p.Key, p.Label, p.Seed)
	case name == "kdf-tree":
		r := p.Counter
		if r == 0 {
			r = 1
		}
		blocks := uint64(len(out)+31) / 32
		if !only("ldc") || r < 1 || r > 4 || len(out) == 0 || blocks>>(8*r) != 0 {
			return fault.Parameter
		}
		var bits [8]byte
		binary.BigEndian.PutUint64(bits[:], uint64(8*len(out)))
		at := 0
		for bits[at] == 0 {
			at++
		}
		prf := newPRF(32, p.Key)
		var block [32]byte
		var counter [4]byte
		for i := uint32(1); len(out) > 0; i++ {
			binary.BigEndian.PutUint32(counter[:], i)
			prf.tag(block[:], counter[4-r:], p.Label, []byte{0}, p.Seed, bits[at:])
			out = out[copy(out, block[:]):]
		}
		clear(block[:])
	case name == "tlstree":
		if len(p.Key) != 32 {
			return fault.KeyLength
		}
		if p.Masks == [3]uint64{} || !only("t") {
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
	case strings.HasPrefix(name, "pbkdf2-hmac-streebog"):
		if !only("si") || p.Iterations < 1 || uint64(p.Iterations) > 1<<32-1 || len(out) == 0 ||
			uint64(len(out)) > uint64(size)*(1<<32-1) {
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
	case strings.HasPrefix(name, "prf-tls-gostr3411-2012-"):
		if !only("ld") {
			return fault.Parameter
		}
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
	case strings.HasPrefix(name, "prf-plus-streebog"):
		if !only("d") {
			return fault.Parameter
		}
		return chained(newPRF(size, p.Key), p.Seed, out)
	case strings.HasPrefix(name, "hkdf-streebog"):
		if !only("sd") {
			return fault.Parameter
		}
		var prk [64]byte
		newPRF(size, p.Salt).tag(prk[:size], p.Key)
		defer clear(prk[:])
		return chained(newPRF(size, prk[:size]), p.Seed, out)
	default:
		return fault.Algorithm
	}
	return nil
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

// wrappedSize is the length of a wrapped secret.
func wrappedSize(name string, iv, secret int) int {
	switch name {
	case "kuznyechik-kexp15":
		return secret + 16
	case "magma-kexp15":
		return secret + 8
	}
	return iv + secret + 4
}

// Wrap wraps a secret under a key.
func Wrap(name string, key, iv []byte, sboxes string, secret []byte) ([]byte, error) {
	out := make([]byte, wrappedSize(name, len(iv), len(secret)))
	if kind, ok := kexp15(name); ok {
		mac, stream, err := openKexp15(kind, key, iv, sboxes)
		if err != nil {
			return nil, err
		}
		mac.Write(iv)
		mac.Write(secret)
		copy(out, secret)
		copy(out[len(secret):], mac.Sum(nil))
		stream.XORKeyStream(out, out)
		return out, nil
	}
	if err := checkWrap(name, len(key), len(iv), len(secret), sboxes); err != nil {
		return nil, err
	}
	c, err := wrapCipher(name, key, iv, sboxes)
	if err != nil {
		return nil, err
	}
	copy(out, iv)
	c.blocks(false, out[len(iv):len(iv)+len(secret)], secret)
	m, _ := c.newImit(nil, iv[:8], fault.Options{Meshing: 2})
	m.Write(secret)
	copy(out[len(iv)+len(secret):], m.Sum(nil))
	return out, nil
}

// Unwrap unwraps a secret of this length, and gives it only if the MAC is right.
func Unwrap(name string, key, iv []byte, sboxes string, wrapped []byte, size int) ([]byte, error) {
	if kind, ok := kexp15(name); ok {
		mac, stream, err := openKexp15(kind, key, iv, sboxes)
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
		if !mac.Verify(plain[size:]) {
			clear(plain)
			return nil, fault.Verify
		}
		return plain[:size], nil
	}
	if len(iv) != 0 {
		return nil, fault.IVLength
	}
	at := len(wrapped) - size - 4
	if size < 0 || at < 0 || checkWrap(name, 32, at, size, "") == fault.IVLength || checkWrap(name, 32, at, size, "") == fault.DataLength {
		return nil, fault.DataLength
	}
	if err := checkWrap(name, len(key), at, size, sboxes); err != nil {
		return nil, err
	}
	iv, text, given := wrapped[:at], wrapped[at:at+size], wrapped[at+size:]
	c, err := wrapCipher(name, key, iv, sboxes)
	if err != nil {
		return nil, err
	}
	secret := make([]byte, size)
	c.blocks(true, secret, text)
	m, _ := c.newImit(nil, iv[:8], fault.Options{Meshing: 2})
	m.Write(secret)
	if !m.Verify(given) {
		clear(secret)
		return nil, fault.Verify
	}
	return secret, nil
}

func kexp15(name string) (Kind, bool) {
	switch name {
	case "kuznyechik-kexp15":
		return Kuznyechik, true
	case "magma-kexp15":
		return Magma, true
	}
	return 0, false
}

// openKexp15 is RFC 9189, 8.2.1: the key of the MAC, then that of CTR.
func openKexp15(kind Kind, key, iv []byte, sboxes string) (*omac, *ctr, error) {
	if len(key) != 64 {
		return nil, nil, fault.KeyLength
	}
	if sboxes != "" {
		return nil, nil, fault.Parameter
	}
	m, _ := NewCipher(kind, key[:32], "")
	e, _ := NewCipher(kind, key[32:], "")
	stream, err := e.newCTR(iv, fault.Options{}, false)
	if err != nil {
		return nil, nil, err
	}
	mac, err := m.newOMAC(nil, fault.Options{}, false)
	return mac, stream, err
}

func checkWrap(name string, key, iv, secret int, sboxes string) error {
	longest, most := 8, 32
	switch name {
	case "gost28147-keywrap", "cryptopro-keywrap":
	case "gost28147-keywrap-12":
		if longest, most = 16, 64; sboxes != "" {
			return fault.Parameter
		}
	default:
		return fault.Algorithm
	}
	switch {
	case key != 32:
		return fault.KeyLength
	case iv < 8 || iv > longest:
		return fault.IVLength
	case secret != 32 && secret != most:
		return fault.DataLength
	}
	return nil
}

// wrapCipher is the cipher under the key that a wrap makes of the key and the UKM.
func wrapCipher(name string, key, iv []byte, sboxes string) (*Cipher, error) {
	var k [32]byte
	copy(k[:], key)
	defer clear(k[:])
	switch name {
	case "gost28147-keywrap-12": // RFC 7836, 4.6
		kdf256(k[:], key, []byte{0x26, 0xbd, 0xb8, 0x78}, iv)
	case "cryptopro-keywrap":
		c, err := NewCipher(Gost28147, key, sboxes)
		if err != nil {
			return nil, err
		}
		c.diversify(&k, iv)
	}
	return NewCipher(Gost28147, k[:], sboxes)
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
