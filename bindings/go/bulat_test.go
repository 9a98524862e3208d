package bulat_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"
	"time"

	bulat "github.com/bulat-crypto/bulat/bindings/go"
	"github.com/bulat-crypto/bulat/bindings/go/gost28147"
	"github.com/bulat-crypto/bulat/bindings/go/kdf"
	"github.com/bulat-crypto/bulat/bindings/go/kuznyechik"
	"github.com/bulat-crypto/bulat/bindings/go/magma"
	"github.com/bulat-crypto/bulat/bindings/go/mgm"
	"github.com/bulat-crypto/bulat/bindings/go/streebog"
)

func Example() {
	digest := streebog.Sum256([]byte("abc"))
	fmt.Printf("%x\n", digest)

	key, nonce := make([]byte, mgm.KeySize), make([]byte, 16) // a random key, and a nonce used once
	aead, err := mgm.NewKuznyechik(key, 0)
	if err != nil {
		panic(err)
	}
	sealed := aead.Seal(nil, nonce, []byte("text"), []byte("header"))
	sealed[0] ^= 1
	_, err = aead.Open(nil, nonce, sealed, []byte("header"))
	fmt.Println(errors.Is(err, bulat.ErrVerify))
	// Output:
	// 4e2919cf137ed41ec4fb6270c61826cc4fffb660341e0af3688cd0626d23b481
	// true
}

var key = bytes.Repeat([]byte{7}, 32)

// second returns the error of a call with a value.
func second[T any](_ T, err error) error { return err }

// TestBadInput: each mistake has an error of its own, and no value.
func TestBadInput(t *testing.T) {
	block, iv := make([]byte, 16), make([]byte, 16)
	seal := must(mgm.NewKuznyechik(key, 0))
	seal8 := must(mgm.NewMagma(key, 8))
	high := append([]byte{0x80}, iv[1:]...)
	sealed := must(seal.SealTo(nil, iv, []byte("text"), nil))
	broken := append(bytes.Clone(sealed[:len(sealed)-1]), sealed[len(sealed)-1]^1)
	cms := must(kuznyechik.NewCTRACPKMOMAC(key, 0))
	cmsSealed := must(cms.SealTo(nil, iv, []byte("text"), nil))
	cmsSealed[0] ^= 1
	xts := must(kuznyechik.NewXTS(append(make([]byte, 32), key...)))
	wrapped := must(gost28147.WrapKey(key, iv[:8], key, gost28147.TC26Z))
	wrapped[9] ^= 1
	exported := must(kuznyechik.WrapKExp15(append(key, key...), iv[:8], key))
	exported[0] ^= 1
	over, long := make([]byte, 64), make([]byte, 1<<24+1)
	for _, c := range []struct {
		name string
		got  error
		want error
	}{
		{"key of 31 bytes", second(kuznyechik.NewCipher(key[:31])), bulat.ErrKeyLength},
		{"no key", second(magma.NewCTR(nil, iv[:4])), bulat.ErrKeyLength},
		{"key of MGM", second(mgm.NewKuznyechik(key[:16], 0)), bulat.ErrKeyLength},
		{"key of XTS", second(kuznyechik.NewXTS(key)), bulat.ErrKeyLength},
		{"equal keys of XTS", second(kuznyechik.NewXTS(append(bytes.Clone(key), key...))), bulat.ErrEqualKeys},
		{"IV of CTR", second(kuznyechik.NewCTR(key, iv)), bulat.ErrIVLength},
		{"IV of CBC", second(kuznyechik.NewCBCEncrypter(key, iv[:15])), bulat.ErrIVLength},
		{"no IV of CBC", second(magma.NewCBCDecrypter(key, nil)), bulat.ErrIVLength},
		{"IV of CFB", second(magma.NewCFBEncrypter(key, iv[:7])), bulat.ErrIVLength},
		{"IV of OFB", second(kuznyechik.NewOFB(key, iv[:9])), bulat.ErrIVLength},
		{"513 bytes of IV", second(kuznyechik.NewCFBEncrypter(key, long[:513])), bulat.ErrIVLength},
		{"528 bytes of IV", second(kuznyechik.NewCBCEncrypter(key, long[:528])), bulat.ErrIVLength},
		{"520 bytes of IV", second(magma.NewOFB(key, long[:520])), bulat.ErrIVLength},
		{"512 bytes of IV", second(magma.NewOFB(key, long[:512])), nil},
		{"IV of CNT", second(gost28147.NewCNT(key, iv, gost28147.TC26Z, 0)), bulat.ErrIVLength},
		{"section", second(kuznyechik.NewCTRACPKM(key, iv[:8], 17)), bulat.ErrParameter},
		{"negative section", second(kuznyechik.NewCTRACPKM(key, iv[:8], -16)), bulat.ErrParameter},
		{"tag of OMAC", second(kuznyechik.NewOMAC(key, 17)), bulat.ErrTagLength},
		{"tag of MGM", second(mgm.NewMagma(key, 3)), bulat.ErrTagLength},
		{"S-boxes", second(gost28147.NewCipher(key, "x")), bulat.ErrSboxes},
		{"meshing", second(gost28147.NewCNT(key, iv[:8], gost28147.TC26Z, 3)), bulat.ErrParameter},
		{"nonce of 12 bytes", second(seal.SealTo(nil, iv[:12], block, nil)), bulat.ErrIVLength},
		{"first bit of the nonce", second(seal.SealTo(nil, high, block, nil)), bulat.ErrNonce},
		{"first bit, to open", second(seal.Open(nil, high, sealed, nil)), bulat.ErrNonce},
		{"neither text nor data", second(seal8.SealTo(nil, iv[:8], nil, nil)), bulat.ErrEmpty},
		{"a broken tag", second(seal.Open(nil, iv, broken, nil)), bulat.ErrVerify},
		{"other data", second(seal.Open(nil, iv, sealed, []byte("x"))), bulat.ErrVerify},
		{"shorter than a tag", second(seal.Open(nil, iv, sealed[:15], nil)), bulat.ErrVerify},
		{"overlap", second(seal.SealTo(over[:1], iv, over[:32], nil)), bulat.ErrOverlap},
		{"CMS, broken", second(cms.Open(nil, iv, cmsSealed, nil)), bulat.ErrVerify},
		{"long sector", xts.Encrypt(long, long, iv), bulat.ErrLimit},
		{"short sector", xts.Encrypt(block, block[:15], iv), bulat.ErrDataLength},
		{"short output", xts.Encrypt(block[:15], block, iv), bulat.ErrBuffer},
		{"tweak", xts.Encrypt(block, block, iv[:8]), bulat.ErrIVLength},
		{"wrapped key", second(gost28147.UnwrapKey(key, wrapped, gost28147.TC26Z)), bulat.ErrVerify},
		{"short wrapped key", second(gost28147.UnwrapKey(key, wrapped[:30], gost28147.TC26Z)), bulat.ErrDataLength},
		{"exported key", second(kuznyechik.UnwrapKExp15(append(key, key...), iv[:8], exported)), bulat.ErrVerify},
		{"counter of KDF_TREE", second(kdf.Tree(key, nil, nil, 5, 32)), bulat.ErrParameter},
		{"no iterations", second(kdf.PBKDF2(kdf.Streebog512, key, iv, 0, 32)), bulat.ErrParameter},
		{"long HKDF", second(kdf.HKDF(kdf.Streebog256, key, nil, nil, 255*32+1)), bulat.ErrParameter},
		{"hash of a KDF", second(kdf.HKDF(384, key, nil, nil, 32)), bulat.ErrParameter},
		{"key of TLSTREE", second(kdf.TLSTree(key[:5], kdf.MagmaMGML, 0)), bulat.ErrKeyLength},
	} {
		if !errors.Is(c.got, c.want) {
			t.Errorf("%s: %v, not %v", c.name, c.got, c.want)
		}
	}
	// Where Go's interfaces have no error, they panic.
	ctr := must(kuznyechik.NewCTR(key, iv[:8]))
	for name, f := range map[string]func(){
		"short block":    func() { must(kuznyechik.NewCipher(key)).Encrypt(block, block[:15]) },
		"short output":   func() { ctr.XORKeyStream(block[:3], block) },
		"partial blocks": func() { must(magma.NewCBCEncrypter(key, iv[:8])).CryptBlocks(block, block[:9]) },
		"nonce of Seal":  func() { seal.Seal(nil, iv[:3], block, nil) },
		"overlap of CTR": func() { ctr.XORKeyStream(over[1:33], over[:32]) },
	} {
		func() {
			defer func() {
				if s := fmt.Sprint(recover()); !strings.HasPrefix(s, "bulat: ") {
					t.Errorf("%s: %s", name, s)
				}
			}()
			f()
		}()
	}
	if _, err := seal.Open(over[:0], iv, broken, nil); err == nil || !bytes.Equal(over, make([]byte, 64)) {
		t.Error("text of a message whose tag is wrong")
	}
}

// TestKernel: the kernel of an emulated processor, which CI names.
func TestKernel(t *testing.T) {
	want := os.Getenv("BULAT_EXPECT")
	if want == "" {
		t.Skip("skipped: BULAT_EXPECT names no kernel")
	}
	if got := bulat.Kernel(); got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

// TestStates: a state of a hash as bytes, its copies, and invalid states.
func TestStates(t *testing.T) {
	text := bytes.Repeat([]byte("abc"), 100)
	want := streebog.Sum512(text)
	for at := range text {
		h := streebog.New512()
		h.Write(text[:at])
		c := must(h.Clone())
		c.Write(text[at:])
		if !bytes.Equal(c.Sum(nil), want[:]) {
			t.Fatalf("a copy at %d", at)
		}
		state, err := h.MarshalBinary()
		if errors.Is(err, errors.ErrUnsupported) {
			continue
		}
		d := streebog.New512()
		if err := d.UnmarshalBinary(state); err != nil {
			t.Fatal(err)
		}
		d.WriteString(string(text[at:]))
		if !bytes.Equal(d.Sum(nil), want[:]) {
			t.Fatalf("a state at %d", at)
		}
		for _, bad := range [][]byte{nil, state[:len(state)-1], append([]byte("x"), state[1:]...)} {
			if err := d.UnmarshalBinary(bad); !errors.Is(err, bulat.ErrState) {
				t.Fatal(err)
			}
		}
		if err := streebog.New256().UnmarshalBinary(state); !errors.Is(err, bulat.ErrState) {
			t.Fatal(err)
		}
	}
	var _ interface {
		hash.Cloner
		encoding.BinaryAppender
	} = streebog.New256()
}

// TestClones: a copy of a message under a MAC goes its own way, over ends of sections and of meshing.
func TestClones(t *testing.T) {
	text := bytes.Repeat([]byte("abcde"), 250)
	for name, m := range map[string]hash.Cloner{
		"HMAC":                   streebog.NewHMAC256(key),
		"OMAC":                   must(kuznyechik.NewOMAC(key, 0)),
		"OMAC of Magma":          must(magma.NewOMAC(key, 4)),
		"OMAC-ACPKM":             must(kuznyechik.NewOMACACPKM(key, 0, 64, 96)),
		"OMAC-ACPKM of Magma":    must(magma.NewOMACACPKM(key, 0, 40, 48)),
		"MAC of GOST 28147-89":   must(gost28147.NewMAC(key, gost28147.CryptoProA, gost28147.On, 0)),
		"MAC without a key mesh": must(gost28147.NewMAC(key, gost28147.TC26Z, gost28147.Off, 8)),
	} {
		m.Write(text)
		want := m.Sum(nil)
		for at := 0; at < len(text); at += 7 {
			m.Reset()
			m.Write(text[:at])
			one, other := must(m.Clone()), must(m.Clone())
			one.Write(text[at:])
			m.Write(text)
			other.Write(text[at:])
			if !bytes.Equal(one.Sum(nil), want) || !bytes.Equal(other.Sum(nil), want) {
				t.Fatalf("%s: a copy at %d", name, at)
			}
			one.Reset()
			if one.Write(text); !bytes.Equal(one.Sum(nil), want) {
				t.Fatalf("%s: a copy at %d, begun again", name, at)
			}
		}
	}
}

// TestAllocations: no call of a message allocates.
func TestAllocations(t *testing.T) {
	for _, size := range []int{16, 1000, 16384} {
		for name, work := range works(size) {
			if size%16 != 0 && name == "CBC-decrypt" {
				continue
			}
			if n := testing.AllocsPerRun(10, work); n != 0 {
				t.Errorf("%s of %d bytes: %v allocations", name, size, n)
			}
		}
	}
}

// TestGoroutines: kernels on small stacks that grow, with the collector at work.
func TestGoroutines(t *testing.T) {
	text := bytes.Repeat([]byte("0123456789abcdef"), 300)
	want := streebog.Sum256(text)
	seal := must(mgm.NewKuznyechik(key, 0))
	sealMagma := must(mgm.NewMagma(key, 0))
	nonce := make([]byte, 16)
	sealed := seal.Seal(nil, nonce, text, nil)
	sealedMagma := sealMagma.Seal(nil, nonce[:8], text, nil)
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			for i := range 5 {
				if streebog.Sum256(text) != want || !bytes.Equal(seal.Seal(nil, nonce, text, nil), sealed) ||
					!bytes.Equal(sealMagma.Seal(nil, nonce[:8], text, nil), sealedMagma) {
					t.Error("another result")
				}
				if i == 2 {
					runtime.GC()
				}
			}
		})
	}
	all.Wait()
}

// FuzzMGM: what was sealed opens, and nothing that was changed does.
func FuzzMGM(f *testing.F) {
	f.Add([]byte("text"), []byte("data"), uint(3))
	f.Fuzz(func(t *testing.T, text, aad []byte, at uint) {
		for _, a := range []mgm.AEAD{must(mgm.NewKuznyechik(key, 0)), must(mgm.NewMagma(key, 5))} {
			nonce := make([]byte, a.NonceSize())
			sealed, err := a.SealTo(nil, nonce, text, aad)
			if len(text)+len(aad) == 0 {
				if !errors.Is(err, bulat.ErrEmpty) {
					t.Fatal(err)
				}
				continue
			}
			if opened, err := a.Open(nil, nonce, sealed, aad); err != nil || !bytes.Equal(opened, text) {
				t.Fatal(err)
			}
			sealed[at%uint(len(sealed))] ^= 1
			if _, err := a.Open(sealed[:0], nonce, sealed, aad); !errors.Is(err, bulat.ErrVerify) {
				t.Fatal("opened")
			}
		}
	})
}

// FuzzPieces: the sizes of pieces change no result.
func FuzzPieces(f *testing.F) {
	f.Add([]byte("a text of some length, of more than a block or two of Streebog, which has the longest blocks"), uint16(9))
	f.Fuzz(func(t *testing.T, text []byte, cut uint16) {
		at := int(cut) % (len(text) + 1)
		h := streebog.New256()
		h.Write(text[:at])
		h.Write(text[at:])
		if want := streebog.Sum256(text); !bytes.Equal(h.Sum(nil), want[:]) {
			t.Fatal(hex.EncodeToString(text))
		}
		for _, open := range []func() any{
			func() any { return must(kuznyechik.NewCTR(key, key[:8])) },
			func() any { return must(magma.NewCTRACPKM(key, key[:4], 64)) },
			func() any { return must(gost28147.NewCNT(key, key[:8], gost28147.CryptoProA, gost28147.On)) },
			func() any { return must(kuznyechik.NewCFBEncrypter(key, key)) },
		} {
			type stream interface{ XORKeyStream(dst, src []byte) }
			a, b := make([]byte, len(text)), make([]byte, len(text))
			one, two := open().(stream), open().(stream)
			one.XORKeyStream(a, text)
			two.XORKeyStream(b[:at], text[:at])
			two.XORKeyStream(b[at:], text[at:])
			if !bytes.Equal(a, b) {
				t.Fatal(hex.EncodeToString(text))
			}
		}
	})
}

// TestProfiler: signals that come while a kernel runs. The profile has the labels of the program, which tell calls apart.
func TestProfiler(t *testing.T) {
	var profile bytes.Buffer
	if err := pprof.StartCPUProfile(&profile); err != nil {
		t.Skip("skipped:", err)
	}
	text := make([]byte, 1<<16)
	want := streebog.Sum256(text)
	seal := must(mgm.NewMagma(key, 0))
	pprof.Do(context.Background(), pprof.Labels("call", "digests and sealing"), func(context.Context) {
		for end := time.Now().Add(300 * time.Millisecond); time.Now().Before(end); {
			if streebog.Sum256(text) != want {
				t.Error("another result")
			}
			seal.Seal(text[:0:0], key[:8], text, nil)
		}
	})
	pprof.StopCPUProfile()
	data := must(io.ReadAll(must(gzip.NewReader(&profile))))
	if bytes.Contains(data, []byte("internal/native.code")) && !bytes.Contains(data, []byte("digests and sealing")) {
		t.Error("a profile without labels")
	}
}
