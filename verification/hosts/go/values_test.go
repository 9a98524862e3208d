package hosts

import (
	"bytes"
	"crypto/cipher"
	"crypto/fips140"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/pbkdf2"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	bulat "github.com/bulat-crypto/bulat/bindings/go"
	"github.com/bulat-crypto/bulat/bindings/go/gost28147"
	"github.com/bulat-crypto/bulat/bindings/go/kdf"
	"github.com/bulat-crypto/bulat/bindings/go/kuznyechik"
	"github.com/bulat-crypto/bulat/bindings/go/magma"
	"github.com/bulat-crypto/bulat/bindings/go/mgm"
	"github.com/bulat-crypto/bulat/bindings/go/streebog"
)

// hexBytes are bytes in hexadecimal.
type hexBytes []byte

func (b *hexBytes) UnmarshalText(text []byte) (err error) {
	*b, err = hex.DecodeString(string(text))
	return err
}

// answer is a known answer; where it has msg_gen, the message is left out here.
type answer struct {
	Key, IV, Msg, AAD, Ct, Md, Tag, Password, Salt, Dk hexBytes
	Gen                                                json.RawMessage `json:"msg_gen"`
	GenAAD                                             json.RawMessage `json:"aad_gen"`
	S, TagLen, SectionSize, MasterPeriod, Iterations   int
	Result                                             string
}

// results compute known answers, by the name of their file.
var results = map[string]func(a *answer) (got, want []byte, err error){
	"streebog256_random": func(a *answer) ([]byte, []byte, error) { return sum(a, streebog.New256(), nil) },
	"streebog512_random": func(a *answer) ([]byte, []byte, error) { return sum(a, streebog.New512(), nil) },
	"hmac_streebog256_random": func(a *answer) ([]byte, []byte, error) {
		return sum(a, streebog.NewHMAC256(a.Key), nil)
	},
	"kuznyechik_omac_random": func(a *answer) ([]byte, []byte, error) {
		m, err := kuznyechik.NewOMAC(a.Key, a.TagLen)
		return sum(a, m, err)
	},
	"magma_omac_acpkm_random": func(a *answer) ([]byte, []byte, error) {
		m, err := magma.NewOMACACPKM(a.Key, a.TagLen, a.SectionSize, a.MasterPeriod)
		return sum(a, m, err)
	},
	"kuznyechik_ctr_acpkm_random": func(a *answer) ([]byte, []byte, error) {
		s, err := kuznyechik.NewCTRACPKM(a.Key, a.IV, a.SectionSize)
		return stream(a, s, err)
	},
	"magma_ctr_random": func(a *answer) ([]byte, []byte, error) {
		s, err := magma.NewCTR(a.Key, a.IV)
		return stream(a, s, err)
	},
	"kuznyechik_mgm_random": func(a *answer) ([]byte, []byte, error) { return seal(a, mgm.NewKuznyechik) },
	"magma_mgm_random":      func(a *answer) ([]byte, []byte, error) { return seal(a, mgm.NewMagma) },
	"pbkdf2_streebog512_random": func(a *answer) ([]byte, []byte, error) {
		dk, err := kdf.PBKDF2(kdf.Streebog512, a.Password, a.Salt, a.Iterations, len(a.Dk))
		return dk, a.Dk, err
	},
}

func sum(a *answer, h hash.Hash, err error) ([]byte, []byte, error) {
	if err != nil {
		return nil, nil, err
	}
	h.Write(a.Msg)
	out := h.Sum(nil)
	if a.TagLen > 0 {
		out = out[:a.TagLen]
	}
	return out, append(a.Md, a.Tag...), nil
}

func stream(a *answer, s cipher.Stream, err error) ([]byte, []byte, error) {
	if err != nil {
		return nil, nil, err
	}
	out := make([]byte, len(a.Msg))
	s.XORKeyStream(out, a.Msg)
	return out, a.Ct, nil
}

func seal(a *answer, open func([]byte, int) (mgm.AEAD, error)) ([]byte, []byte, error) {
	x, err := open(a.Key, a.TagLen)
	if err != nil {
		return nil, nil, err
	}
	sealed := bytes.Join([][]byte{a.Ct, a.Tag}, nil)
	text, err := x.Open(nil, a.IV, sealed, a.AAD)
	if err != nil {
		return nil, nil, err
	}
	if again := x.Seal(nil, a.IV, text, a.AAD); !bytes.Equal(again, sealed) {
		return again, sealed, nil
	}
	return text, a.Msg, nil
}

// TestValues: known answers of the repository, twice in one process.
func TestValues(t *testing.T) {
	count := 0
	for range 2 {
		for name, result := range results {
			var file struct{ Tests []*answer }
			if err := json.Unmarshal(must(os.ReadFile(filepath.Join(os.Getenv("VECTORS"), name+".json"))), &file); err != nil {
				t.Fatal(err)
			}
			for i, a := range file.Tests {
				// The package has no other s than a block.
				if a.Gen != nil || a.GenAAD != nil || a.Result == "acceptable" || a.S != 0 && a.S != 8+8*strings.Count(name, "kuznyechik") {
					continue
				}
				got, want, err := result(a)
				if right := err == nil && bytes.Equal(got, want); right != (a.Result == "valid") {
					t.Errorf("%s %d: %s, %v, %x, %x", name, i, a.Result, err, got, want)
				}
				count++
			}
		}
	}
	fmt.Println("kernel", bulat.Kernel(), "of", count/2, "values")
	if want := os.Getenv("KERNEL"); want != "" && bulat.Kernel() != want {
		t.Errorf("kernel %s, not %s", bulat.Kernel(), want)
	}
}

// outcome says how Go's standard library took the module's hash or cipher: a value, an error, or a panic.
func outcome(f func() ([]byte, error)) (out []byte, how string) {
	defer func() {
		if s := recover(); s != nil {
			out, how = nil, "panic"
			if !strings.Contains(fmt.Sprint(s), "FIPS 140-only") {
				how = fmt.Sprint(s)
			}
		}
	}()
	out, err := f()
	switch {
	case err == nil:
		return out, "right"
	case strings.Contains(err.Error(), "FIPS 140-only"):
		return nil, "error"
	}
	return nil, err.Error()
}

// TestStandard: hmac, hkdf, pbkdf2 and modes of Go over the module's hash and ciphers give the module's own values; with
// GODEBUG=fips140=only Go refuses them all, and the module's own calls go on.
func TestStandard(t *testing.T) {
	text := bytes.Repeat([]byte("text"), 100)
	iv := make([]byte, 16)
	k, m := must(kuznyechik.NewCipher(key)), must(magma.NewCipher(key))
	new256 := func() hash.Hash { return streebog.New256() }
	xor := func(s cipher.Stream) []byte { out := bytes.Clone(text); s.XORKeyStream(out, out); return out }
	crypt := func(b cipher.BlockMode) []byte { out := bytes.Clone(text); b.CryptBlocks(out, out); return out }
	digest := func(h hash.Hash) []byte {
		h.Write([]byte("other"))
		h.Reset()
		h.Write(text[:7])
		c := must(h.(hash.Cloner).Clone())
		c.Write(text[7:])
		return c.Sum(nil)
	}
	only := strings.Contains(os.Getenv("GODEBUG"), "fips140=only")
	if want := only || strings.Contains(os.Getenv("GODEBUG"), "fips140=on"); fips140.Enabled() != want {
		t.Fatalf("FIPS 140: %v", fips140.Enabled())
	}
	for _, c := range []struct {
		name     string
		own      []byte
		strict   string
		standard func() ([]byte, error)
	}{
		{"hmac", digest(streebog.NewHMAC256(key)), "panic", func() ([]byte, error) { return digest(hmac.New(new256, key)), nil }},
		{"hkdf", must(kdf.HKDF(kdf.Streebog256, key, iv, []byte("info"), 100)), "error", func() ([]byte, error) { return hkdf.Key(new256, key, iv, "info", 100) }},
		{"pbkdf2", must(kdf.PBKDF2(kdf.Streebog256, key, iv, 1000, 100)), "error", func() ([]byte, error) { return pbkdf2.Key(new256, string(key), iv, 1000, 100) }},
		{"CTR", xor(must(kuznyechik.NewCTR(key, iv[:8]))), "panic", func() ([]byte, error) { return xor(cipher.NewCTR(k, iv)), nil }},
		{"CTR of Magma", xor(must(magma.NewCTR(key, iv[:4]))), "panic", func() ([]byte, error) { return xor(cipher.NewCTR(m, iv[:8])), nil }},
		{"CBC", crypt(must(kuznyechik.NewCBCEncrypter(key, iv))), "panic", func() ([]byte, error) { return crypt(cipher.NewCBCEncrypter(k, iv)), nil }},
		{"CFB", xor(must(kuznyechik.NewCFBEncrypter(key, iv))), "panic", func() ([]byte, error) { return xor(cipher.NewCFBEncrypter(k, iv)), nil }},
		{"OFB", xor(must(kuznyechik.NewOFB(key, iv))), "panic", func() ([]byte, error) { return xor(cipher.NewOFB(k, iv)), nil }},
		{"StreamReader", xor(must(kuznyechik.NewCTR(key, iv[:8]))), "right", func() ([]byte, error) {
			return io.ReadAll(cipher.StreamReader{S: must(kuznyechik.NewCTR(key, iv[:8])), R: bytes.NewReader(text)})
		}},
		{"GCM", nil, "error", func() ([]byte, error) {
			a, err := cipher.NewGCM(k)
			if err != nil {
				return nil, err
			}
			_, err = a.Open(nil, iv[:12], a.Seal(nil, iv[:12], text, iv), iv)
			return nil, err
		}},
	} {
		want := "right"
		if only {
			want = c.strict
		}
		if out, how := outcome(c.standard); how != want || how == "right" && c.own != nil && !bytes.Equal(out, c.own) {
			t.Errorf("%s: %s, not %s; %x", c.name, how, want, out)
		}
	}
	if _, err := cipher.NewGCM(m); err == nil {
		t.Error("GCM over blocks of 8 bytes")
	}
}

// TestMisuse: a mistake of the program gets an error, or a panic where the interface has no error, and no text.
func TestMisuse(t *testing.T) {
	a := must(mgm.NewKuznyechik(key, 0))
	nonce := make([]byte, 16)
	sealed := a.Seal(nil, nonce, []byte("text"), nil)
	sealed[0] ^= 1
	second := func(_ any, err error) error { return err }
	for want, got := range map[error]error{
		bulat.ErrVerify:     second(a.Open(nil, nonce, sealed, nil)),
		bulat.ErrKeyLength:  second(kuznyechik.NewCTR(key[:16], nonce[:8])),
		bulat.ErrIVLength:   second(kuznyechik.NewCTR(key, nonce)),
		bulat.ErrTagLength:  second(magma.NewOMAC(key, 9)),
		bulat.ErrSboxes:     second(gost28147.NewCipher(key, "no such")),
		bulat.ErrEmpty:      second(a.SealTo(nil, nonce, nil, nil)),
		bulat.ErrNonce:      second(a.SealTo(nil, bytes.Repeat([]byte{255}, 16), []byte("text"), nil)),
		bulat.ErrDataLength: second(kuznyechik.UnwrapKExp15(append(key, key...), nonce[:8], nonce[:3])),
	} {
		if !errors.Is(got, want) {
			t.Errorf("%v, not %v", got, want)
		}
	}
	defer func() {
		if s := fmt.Sprint(recover()); !strings.HasPrefix(s, "bulat: ") {
			t.Error(s)
		}
	}()
	must(kuznyechik.NewCTR(key, nonce[:8])).XORKeyStream(nonce[1:], nonce[:15])
}
