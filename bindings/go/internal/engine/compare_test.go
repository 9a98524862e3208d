//go:build bulat_cgo

package engine

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/bulat-crypto/bulat/bindings/go/internal/fault"
	"github.com/bulat-crypto/bulat/bindings/go/internal/lib"
	"github.com/bulat-crypto/bulat/bindings/go/internal/native"
	"github.com/bulat-crypto/bulat/bindings/go/internal/pure"
)

// some has random bytes.
type some struct{ *rand.Rand }

func (r some) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// length is often near a border.
func (r some) length() int {
	switch r.IntN(4) {
	case 0:
		return r.IntN(40)
	case 1:
		return 16*r.IntN(80) + r.IntN(3)
	case 2:
		return 1024*r.IntN(9) + r.IntN(33)
	}
	return r.IntN(10000)
}

// cut transforms in pieces.
func (r some) cut(n int, f func(from, to int)) {
	for at := 0; at < n; {
		to := min(n, at+1+r.IntN(1+r.IntN(3000)))
		f(at, to)
		at = to
	}
}

// TestRandom compares the Go code and each set of kernels with libbulat.
func TestRandom(t *testing.T) {
	rounds := 40
	if os.Getenv("BULAT_ROUNDS") != "" {
		fmt.Sscan(os.Getenv("BULAT_ROUNDS"), &rounds)
	}
	total := 0
	for _, set := range append(native.Names(), "portable") {
		if !native.Force(set) {
			fmt.Println("skipped: this machine has no", set)
			continue
		}
		r := some{rand.New(rand.NewPCG(43, uint64(len(set))))}
		for range rounds {
			total += random(t, r)
		}
		if t.Failed() {
			t.Fatalf("the kernels of %s", set)
		}
	}
	fmt.Printf("random comparisons with libbulat: %d\n", total)
}

// pair compares the two libraries on a key and a message.
type pair struct {
	*testing.T
	some
	key, msg []byte
	boxes    string
	n        int // comparisons
}

func random(t *testing.T, r some) int {
	p := &pair{T: t, some: r, key: r.bytes(32), msg: r.bytes(r.length()), boxes: []string{"", "test", "a", "b", "c", "d", "z"}[r.IntN(7)]}
	p.streams()
	p.blocks()
	p.macs()
	p.aeads()
	p.hashes()
	p.xts()
	p.derivations()
	p.wraps()
	return p.n
}

func (p *pair) check(name string, a, b []byte) {
	p.n++
	if !bytes.Equal(a, b) {
		p.Errorf("%s: %d bytes differ", name, len(p.msg))
	}
}

// both returns whether both libraries accept; they must refuse alike.
func (p *pair) both(name string, e1, e2 error) bool {
	if e1 != e2 {
		p.Errorf("%s: %v and %v", name, e1, e2)
	}
	if e1 != nil {
		p.n++
	}
	return e1 == nil && e2 == nil
}

func (p *pair) streams() {
	decrypt := p.IntN(2) == 0
	for _, s := range []struct {
		name string
		iv   int
		o    fault.Options
	}{
		{"kuznyechik-ctr", 8, fault.Options{S: p.IntN(17)}}, {"magma-ctr", 4, fault.Options{S: p.IntN(9)}},
		{"kuznyechik-ctr-acpkm", 8, fault.Options{Section: 16 * p.IntN(80)}}, {"magma-ctr-acpkm", 4, fault.Options{Section: 8 * p.IntN(80)}},
		{"kuznyechik-ofb", 16 * (1 + p.IntN(3)), fault.Options{}}, {"magma-ofb", 8 * (1 + p.IntN(3)), fault.Options{}},
		{"kuznyechik-cfb", 16 + p.IntN(2)*p.IntN(30), fault.Options{Decrypt: decrypt, S: p.IntN(17)}},
		{"magma-cfb", 8 + p.IntN(2)*p.IntN(30), fault.Options{Decrypt: decrypt, S: p.IntN(9)}},
		{"gost89", 8, fault.Options{Decrypt: decrypt, Sboxes: p.boxes, Meshing: p.IntN(3)}},
		{"gost89-cnt", 8, fault.Options{Sboxes: p.boxes, Meshing: p.IntN(3)}},
		{"gost89-cnt-12", 8, fault.Options{Sboxes: p.boxes, Meshing: p.IntN(3)}},
	} {
		iv := p.bytes(s.iv)
		a, e1 := pure.NewStream(s.name, p.key, iv, s.o)
		b, e2 := lib.NewStream(s.name, p.key, iv, s.o)
		if p.both(s.name, e1, e2) {
			x, y := bytes.Clone(p.msg), make([]byte, len(p.msg))
			p.cut(len(x), func(from, to int) { a.XORKeyStream(x[from:to], x[from:to]) })
			b.XORKeyStream(y, p.msg)
			p.check(s.name, x, y)
		}
	}
}

func (p *pair) blocks() {
	for _, s := range []struct {
		name      string
		iv, block int
		boxes     string
	}{
		{"kuznyechik-cbc", 16 * (1 + p.IntN(3)), 16, ""}, {"magma-cbc", 8 * (1 + p.IntN(3)), 8, ""},
		{"kuznyechik-ecb", 0, 16, ""}, {"magma-ecb", 0, 8, ""}, {"gost89-cbc", 8, 8, p.boxes}, {"gost89-ecb", 0, 8, p.boxes},
	} {
		iv, o := p.bytes(s.iv), fault.Options{Sboxes: s.boxes, Decrypt: p.IntN(2) == 0}
		a, e1 := pure.NewBlockMode(s.name, p.key, iv, o)
		b, e2 := lib.NewBlockMode(s.name, p.key, iv, o)
		if p.both(s.name, e1, e2) {
			whole := len(p.msg) / s.block
			x, y := bytes.Clone(p.msg[:whole*s.block]), make([]byte, whole*s.block)
			p.cut(whole, func(from, to int) {
				from, to = from*s.block, to*s.block
				a.CryptBlocks(x[from:to], x[from:to])
			})
			b.CryptBlocks(y, p.msg[:len(y)])
			p.check(s.name, x, y)
		}
	}
}

func (p *pair) macs() {
	for _, s := range []struct {
		name string
		o    fault.Options
	}{
		{"kuznyechik-omac", fault.Options{TagSize: 1 + p.IntN(16)}}, {"magma-omac", fault.Options{TagSize: 1 + p.IntN(8)}},
		{"kuznyechik-omac-acpkm", fault.Options{Section: 16 * p.IntN(80), Period: 48 * p.IntN(20)}},
		{"magma-omac-acpkm", fault.Options{Section: 8 * p.IntN(80), Period: 40 * p.IntN(20)}},
		{"gost-mac", fault.Options{Sboxes: p.boxes, Meshing: p.IntN(3)}}, {"hmac-streebog256", fault.Options{}}, {"hmac-streebog512", fault.Options{}},
	} {
		key := p.key
		if s.name[0] == 'h' {
			key = p.bytes(p.IntN(130))
		}
		a, e1 := pure.NewMAC(s.name, key, nil, s.o)
		b, e2 := lib.NewMAC(s.name, key, nil, s.o)
		if p.both(s.name, e1, e2) {
			p.cut(len(p.msg), func(from, to int) { a.Write(p.msg[from:to]) })
			b.Write(p.msg)
			p.check(s.name, a.Sum(nil), b.Sum(nil))
		}
	}
}

func (p *pair) aeads() {
	for _, name := range []string{"kuznyechik-mgm", "magma-mgm", "kuznyechik-ctr-acpkm-omac", "magma-ctr-acpkm-omac"} {
		a, e1 := pure.NewAEAD(name, p.key, fault.Options{})
		b, e2 := lib.NewAEAD(name, p.key, fault.Options{})
		if !p.both(name, e1, e2) {
			continue
		}
		nonce, aad := p.bytes(a.NonceSize()), []byte(nil)
		nonce[0] &= 0x7f
		if name[len(name)-1] == 'm' {
			aad = p.bytes(p.IntN(2) * p.IntN(5000))
		}
		x, e1 := a.SealTo(nil, nonce, p.msg, aad)
		y, e2 := b.SealTo(nil, nonce, p.msg, aad)
		if p.both(name, e1, e2) {
			p.check(name, x, y)
			z, err := a.Open(nil, nonce, y, aad)
			if err != nil {
				p.Errorf("%s: %v", name, err)
			}
			p.check(name, z, p.msg)
		}
	}
}

func (p *pair) hashes() {
	for _, size := range []int{32, 64} {
		a, b, c := pure.NewHash(size), make([]byte, size), make([]byte, size)
		p.cut(len(p.msg), func(from, to int) { a.Write(p.msg[from:to]) })
		pure.Sum(b, p.msg)
		lib.Sum(c, p.msg)
		p.check("streebog", a.Sum(nil), c)
		p.check("streebog", b, c)
	}
	g, h, msg := pure.NewGost94(false), lib.NewGost94(false), p.msg[:min(len(p.msg), 500)]
	p.cut(len(msg), func(from, to int) { g.Write(msg[from:to]) })
	h.Write(msg)
	p.check("gost94", g.Sum(nil), h.Sum(nil))
}

func (p *pair) xts() {
	if len(p.msg) < 16 {
		return
	}
	keys, tweak, decrypt := p.bytes(64), p.bytes(16), p.IntN(2) == 0
	a, _ := pure.NewXTS(keys)
	b, _ := lib.NewXTS(keys)
	x, y := bytes.Clone(p.msg), make([]byte, len(p.msg))
	if e1, e2 := a.Crypt(decrypt, x, x, tweak), b.Crypt(decrypt, y, p.msg, tweak); e1 != nil || e2 != nil {
		p.Error(e1, e2)
	}
	p.check("xts", x, y)
}

func (p *pair) derivations() {
	for _, name := range []string{"kdf-gostr3411-2012-256", "kdf-tree", "pbkdf2-hmac-streebog256", "pbkdf2-hmac-streebog512", "prf-tls-gostr3411-2012-256",
		"prf-tls-gostr3411-2012-512", "prf-plus-streebog256", "prf-plus-streebog512", "hkdf-streebog256", "hkdf-streebog512"} {
		d, size := fault.Derivation{Key: p.key}, 1+p.IntN(200)
		switch name[:3] {
		case "pbk":
			d.Salt, d.Iterations = p.bytes(8), 1+p.IntN(4)
		case "hkd":
			d.Salt, d.Seed = p.bytes(p.IntN(80)), p.bytes(p.IntN(80))
		default:
			d.Seed = p.bytes(1 + p.IntN(80))
			if name == "kdf-gostr3411-2012-256" {
				size = 32
			}
		}
		x, y := make([]byte, size), make([]byte, size)
		if e1, e2 := pure.Derive(name, d, x), lib.Derive(name, d, y); e1 != nil || e2 != nil {
			p.Error(name, e1, e2)
		}
		p.check(name, x, y)
	}
}

func (p *pair) wraps() {
	for _, s := range []struct {
		name    string
		key, iv int
		boxes   string
	}{{"kuznyechik-kexp15", 64, 8, ""}, {"magma-kexp15", 64, 4, ""}, {"gost28147-keywrap", 32, 8, p.boxes},
		{"cryptopro-keywrap", 32, 8, p.boxes}, {"gost28147-keywrap-12", 32, 8 + p.IntN(9), ""}} {
		key, iv, secret := p.bytes(s.key), p.bytes(s.iv), p.bytes(32)
		x, e1 := pure.Wrap(s.name, key, iv, s.boxes, secret)
		y, e2 := lib.Wrap(s.name, key, iv, s.boxes, secret)
		if p.both(s.name, e1, e2) {
			p.check(s.name, x, y)
		}
	}
}

// TestSpeed prints the least time of short runs of both, alternating, if BULAT_SPEED is set.
func TestSpeed(t *testing.T) {
	if os.Getenv("BULAT_SPEED") == "" {
		t.Skip("skipped: set BULAT_SPEED to measure")
	}
	key, iv := make([]byte, 32), make([]byte, 16)
	key[0] = 1
	o := fault.Options{}
	for _, set := range native.Names() {
		if !native.Force(set) {
			continue
		}
		if set == lib.Kernel() {
			fmt.Printf("%s, as libbulat; ns: Go, libbulat by cgo, ratio of speeds\n", set)
		} else {
			if !lib.Force(set) {
				continue
			}
			fmt.Printf("%s, forced in libbulat; ns: Go, libbulat by cgo, ratio of speeds\n", set)
		}
		for _, size := range []int{16, 16384} {
			text, dst := make([]byte, size), make([]byte, size+16)
			var digest [32]byte
			mgm, _ := pure.NewAEAD("kuznyechik-mgm", key, o)
			mgm2, _ := lib.NewAEAD("kuznyechik-mgm", key, o)
			magma, _ := pure.NewAEAD("magma-mgm", key, o)
			magma2, _ := lib.NewAEAD("magma-mgm", key, o)
			row := func(name string, a, b func()) {
				x, y := least(size, a, b)
				fmt.Printf("%-16s %6d %10.1f %10.1f %6.2f\n", name, size, x, y, y/x)
			}
			row("streebog256", func() { pure.Sum(digest[:], text) }, func() { lib.Sum(digest[:], text) })
			for _, s := range []struct {
				name string
				iv   int
			}{{"kuznyechik-ctr", 8}, {"kuznyechik-ctr-acpkm", 8}, {"magma-ctr", 4}} {
				a, _ := pure.NewStream(s.name, key, iv[:s.iv], o)
				b, _ := lib.NewStream(s.name, key, iv[:s.iv], o)
				row(s.name, func() { a.XORKeyStream(dst[:size], text) }, func() { b.XORKeyStream(dst[:size], text) })
			}
			row("kuznyechik-mgm", func() { mgm.SealTo(dst[:0], iv, text, nil) }, func() { mgm2.SealTo(dst[:0], iv, text, nil) })
			row("magma-mgm", func() { magma.SealTo(dst[:0], iv[:8], text, nil) }, func() { magma2.SealTo(dst[:0], iv[:8], text, nil) })
			mac, _ := pure.NewMAC("kuznyechik-omac", key, nil, o)
			mac2, _ := lib.NewMAC("kuznyechik-omac", key, nil, o)
			row("kuznyechik-omac", func() { mac.Write(text) }, func() { mac2.Write(text) })
		}
	}
}

// TestOverhead prints what a call through cgo costs over the call in C, if BULAT_SPEED is set, and what a call without cgo and
// one of Go's own SHA-256, AES-256-CTR and AES-256-GCM cost: the least of short runs, alternating.
func TestOverhead(t *testing.T) {
	if os.Getenv("BULAT_SPEED") == "" {
		t.Skip("skipped: set BULAT_SPEED to measure")
	}
	for _, set := range native.Names() {
		if lib.Force(set) {
			break
		}
	}
	fmt.Printf("libbulat, %s, ns of a call: through cgo, in C, difference (40 at most), without cgo, Go's own\n", lib.Kernel())
	key, iv, text, dst := make([]byte, 32), make([]byte, 16), make([]byte, 16), make([]byte, 32)
	key[0] = 1
	var digest [32]byte
	ctr, _ := lib.NewStream("kuznyechik-ctr", key, iv[:8], fault.Options{})
	mgm, _ := lib.NewAEAD("kuznyechik-mgm", key, fault.Options{})
	pureCTR, _ := pure.NewStream("kuznyechik-ctr", key, iv[:8], fault.Options{})
	pureMGM, _ := pure.NewAEAD("kuznyechik-mgm", key, fault.Options{})
	block, _ := aes.NewCipher(key)
	aesCTR := cipher.NewCTR(block, iv)
	gcm, _ := cipher.NewGCM(block)
	const n = 2000
	for _, c := range []struct {
		name             string
		one              func()
		several          func()
		withoutCgo, peer func()
	}{
		{"streebog256", func() { lib.Sum(digest[:], text) }, func() { lib.Sums(n, digest[:], text) },
			func() { pure.Sum(digest[:], text) }, func() { digest = sha256.Sum256(text) }},
		{"kuznyechik-ctr", func() { ctr.XORKeyStream(dst[:16], text) }, func() { lib.Streams(n, ctr, dst[:16], text) },
			func() { pureCTR.XORKeyStream(dst[:16], text) }, func() { aesCTR.XORKeyStream(dst[:16], text) }},
		{"kuznyechik-mgm", func() { mgm.SealTo(dst[:0], iv, text, nil) }, func() { lib.Seals(n, mgm, dst, iv, text) },
			func() { pureMGM.SealTo(dst[:0], iv, text, nil) }, func() { gcm.Seal(dst[:0], iv[:12], text, nil) }},
	} {
		withoutCgo, peer := least(16, c.withoutCgo, c.peer)
		through, inC := 1e18, 1e18
		for i, begin := 0, time.Now(); i < 400 && time.Since(begin) < 3*time.Second; i++ {
			start := time.Now()
			for range n {
				c.one()
			}
			middle := time.Now()
			c.several()
			end := time.Now()
			through = min(through, float64(middle.Sub(start))/n)
			inC = min(inC, float64(end.Sub(middle))/n)
		}
		fmt.Printf("%-16s %6d %10.1f %10.1f %6.1f %10.1f %10.1f\n", c.name, len(text), through, inC, through-inC, withoutCgo, peer)
	}
}

// least returns the nanoseconds of a call in the fastest of many short runs.
func least(size int, a, b func()) (x, y float64) {
	n := 1 + 2000/max(1, size/16)
	x, y = 1e18, 1e18
	for i, begin := 0, time.Now(); i < 400 && time.Since(begin) < 1500*time.Millisecond; i++ {
		for _, s := range []struct {
			f func()
			t *float64
		}{{a, &x}, {b, &y}} {
			start := time.Now()
			for range n {
				s.f()
			}
			*s.t = min(*s.t, float64(time.Since(start))/float64(n))
		}
	}
	return x, y
}
