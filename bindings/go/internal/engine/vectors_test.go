package engine

import (
	"bytes"
	"crypto/cipher"
	"crypto/sha256"
	"crypto/sha3"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bulat-crypto/bulat/bindings/go/internal/fault"
)

const vectors = "../../../../verification/vectors/data"

// record is a test of a file.
type record map[string]any

var errWrong = errors.New("wrong value")

func (r record) has(f string) bool {
	_, plain := r[f]
	_, made := r[f+"_gen"]
	return plain || made
}

func (r record) text(f string) string { s, _ := r[f].(string); return s }

func (r record) number(f string) int {
	switch v := r[f].(type) {
	case json.Number:
		n, _ := v.Int64()
		return int(n)
	case string:
		var n uint64
		fmt.Sscan(v, &n)
		return int(n)
	}
	return 0
}

func (r record) flag(f string) bool {
	flags, _ := r["flags"].([]any)
	for _, x := range flags {
		if x == f {
			return true
		}
	}
	return false
}

// bytes returns the bytes of a field, or those that its seed makes.
func (r record) bytes(f string) []byte {
	if gen, ok := r[f+"_gen"].(map[string]any); ok {
		out := make([]byte, record(gen).number("len"))
		if gen["alg"] == "SHAKE128" {
			x := sha3.NewSHAKE128()
			x.Write(record(gen).bytes("seed"))
			x.Read(out)
		}
		return out
	}
	b, err := hex.DecodeString(r.text(f))
	if err != nil {
		panic(err)
	}
	return b
}

// is compares a value with a field, of which a long one has only the hash.
func (r record) is(f string, got []byte) error {
	if sum := r.text(f + "_sha256"); sum != "" {
		s := sha256.Sum256(got)
		if hex.EncodeToString(s[:]) != sum || len(got) != r.number(f+"_len") {
			return errWrong
		}
		return nil
	}
	if tail := r.bytes("ctTail"); len(tail) > 0 && !r.has(f) {
		got, f = got[len(got)-len(tail):], "ctTail"
	}
	if !bytes.Equal(got, r.bytes(f)) {
		return fmt.Errorf("%s: %w: %.40x", f, errWrong, got)
	}
	return nil
}

var boxes = map[string]string{}

// errUnreached: this face does not have the operation.
var errUnreached = errors.New("not of this face")

// through transforms pieces of odd lengths.
func through(s cipher.Stream, in []byte) []byte {
	out := make([]byte, len(in))
	for at, k := 0, 1; at < len(in); at, k = at+k, k*3%1021+1 {
		k = min(k, len(in)-at)
		s.XORKeyStream(out[at:at+k], in[at:at+k])
	}
	return out
}

func streamOf(r record, name string, key, iv []byte, o fault.Options) error {
	msg := r.bytes("msg")
	s, err := NewStream(name, key, iv, o)
	if err != nil {
		return err
	}
	ct := through(s, msg)
	if err := r.is("ct", ct); err != nil {
		return err
	}
	o.Decrypt = true
	s, err = NewStream(name, key, iv, o)
	if err != nil {
		return err
	}
	s.XORKeyStream(ct, ct)
	if !bytes.Equal(ct, msg) {
		return errWrong
	}
	return nil
}

func blocksOf(r record, name string, key, iv []byte, o fault.Options) error {
	msg := r.bytes("msg")
	m, err := NewBlockMode(name, key, iv, o)
	if err != nil {
		return err
	}
	n := m.BlockSize()
	if len(msg)%n != 0 {
		return fault.DataLength
	}
	ct := make([]byte, len(msg))
	k := min(len(msg), n*3)
	m.CryptBlocks(ct[:k], msg[:k])
	m.CryptBlocks(ct[k:], msg[k:])
	if err := r.is("ct", ct); err != nil {
		return err
	}
	o.Decrypt = true
	if m, err = NewBlockMode(name, key, iv, o); err != nil {
		return err
	}
	m.CryptBlocks(ct, ct)
	if !bytes.Equal(ct, msg) {
		return errWrong
	}
	return nil
}

func macOf(r record, name string, key, iv []byte, o fault.Options) error {
	o.TagSize = r.number("tagLen")
	m, err := NewMAC(name, key, iv, o)
	if err != nil {
		return err
	}
	msg, tag := r.bytes("msg"), r.bytes("tag")
	for at, k := 0, 1; at < len(msg); at, k = at+k, k*3%1021+1 {
		k = min(k, len(msg)-at)
		m.Write(msg[at : at+k])
	}
	if !m.Verify(tag) {
		return fmt.Errorf("%w: %x", fault.Verify, m.Sum(nil))
	}
	if len(tag) > 0 {
		tag[0] ^= 1
		if m.Verify(tag) {
			return errors.New("a wrong tag verifies")
		}
		tag[0] ^= 1
	}
	m.Reset()
	m.Write(msg)
	if !bytes.Equal(m.Sum(nil), tag) {
		return errors.New("not the tag after Reset")
	}
	return nil
}

func aeadOf(r record, name string, key, iv, aad, tag []byte, o fault.Options) error {
	a, err := NewAEAD(name, key, o)
	if err != nil {
		return err
	}
	if r.text("result") == "invalid" {
		ct := r.bytes("ct")
		if o.TagSize != 0 && len(tag) != a.Overhead() {
			return fault.TagLength
		}
		_, err := a.Open(nil, iv, append(ct, tag...), aad)
		return err
	}
	msg := r.bytes("msg")
	sealed, err := a.SealTo([]byte("head"), iv, msg, aad)
	if err != nil {
		return err
	}
	sealed = sealed[4:]
	if err := r.is("ct", sealed[:len(msg)]); err != nil {
		return err
	}
	if !bytes.Equal(sealed[len(msg):], tag) {
		return fmt.Errorf("tag: %w", errWrong)
	}
	wrong := bytes.Clone(sealed)
	wrong[len(wrong)-1] ^= 1
	if _, err := a.Open(nil, iv, wrong, aad); !errors.Is(err, fault.Verify) {
		return errors.New("a wrong tag opens")
	}
	text, err := a.Open(sealed[:0], iv, sealed, aad)
	if err == nil && !bytes.Equal(text, msg) {
		return errWrong
	}
	return err
}

func deriveOf(r record, name, f string, p fault.Derivation, n int) error {
	out := make([]byte, n)
	if err := Derive(name, p, out); err != nil {
		return err
	}
	return r.is(f, out)
}

func blockOf(r record, name string, key []byte) error {
	b, err := NewCipherBlock(name, key, boxes[r.text("sbox")])
	if err != nil {
		return err
	}
	x := r.bytes("pt")
	times := max(1, r.number("iterations"))
	if rounds := r.number("rounds"); rounds > 0 {
		for range rounds {
			for range 1000 {
				b.Encrypt(x, x)
			}
			for i := range key {
				key[i] ^= x[i%len(x)]
			}
			if b, err = NewCipherBlock(name, key, ""); err != nil {
				return err
			}
		}
		return r.is("ct", x)
	}
	for range times {
		b.Encrypt(x, x)
	}
	if err := r.is("ct", x); err != nil {
		return err
	}
	for range times {
		b.Decrypt(x, x)
	}
	return r.is("pt", x)
}

// one runs a test.
func one(algorithm, mode string, r record) error {
	key, iv := r.bytes("key"), r.bytes("iv")
	lower := strings.ToLower(algorithm)
	name := lower + "-" + strings.ToLower(mode)
	bits := ""
	if strings.HasSuffix(algorithm, "256") || strings.HasSuffix(algorithm, "512") {
		bits = algorithm[len(algorithm)-3:]
	} else if r.has("size") {
		bits = fmt.Sprint(r.number("size"))
	}
	o := fault.Options{S: r.number("s"), Section: r.number("sectionSize"), Period: r.number("masterPeriod")}
	if r.has("sectionSize") && o.Section == 0 {
		o.Section = -1 // 0 would be the default
	}
	switch algorithm {
	case "KUZNYECHIK", "MAGMA":
		switch mode {
		case "BLOCK":
			return blockOf(r, lower, key)
		case "ECB", "CBC":
			return blocksOf(r, name, key, iv, o)
		case "CFB", "CTR", "OFB", "CTR-ACPKM":
			return streamOf(r, name, key, iv, o)
		case "CTR-FULLBLOCK":
			b, err := NewCipherBlock(lower, key, "")
			if err != nil {
				return err
			}
			return r.is("ct", through(cipher.NewCTR(b, r.bytes("ctr")), r.bytes("msg")))
		case "MAC":
			return macOf(r, lower+"-omac", key, nil, o)
		case "ACPKM":
			return acpkmKeys(r, lower, key)
		case "OMAC-ACPKM":
			return macOf(r, name, key, nil, o)
		case "MGM":
			return aeadOf(r, name, key, iv, r.bytes("aad"), r.bytes("tag"), fault.Options{TagSize: r.number("tagLen")})
		}
	case "GOST28147-89":
		o := fault.Options{Sboxes: boxes[r.text("sbox")], Meshing: 2}
		if r.text("keyMeshing") == "CryptoPro" {
			o.Meshing = 1
		}
		switch mode {
		case "BLOCK":
			if r.flag("Mesh") {
				return meshedKey(r, key, iv, o.Sboxes)
			}
			return blockOf(r, "gost89", key)
		case "ECB":
			o.Meshing = 0
			return blocksOf(r, "gost89-ecb", key, nil, o)
		case "CBC":
			return blocksOf(r, "gost89-cbc", key, iv, o)
		case "CFB":
			return streamOf(r, "gost89", key, iv, o)
		case "CNT":
			return streamOf(r, "gost89-cnt", key, iv, o)
		case "IMIT":
			return macOf(r, "gost-mac", key, iv, o)
		case "KEYWRAP":
			names := map[string]string{"gost": "gost28147-keywrap", "cryptopro": "cryptopro-keywrap", "rfc7836": "gost28147-keywrap-12"}
			name, sbox := names[r.text("type")], o.Sboxes
			if r.text("type") == "rfc7836" {
				sbox = ""
			}
			size := len(r.bytes("wrapped")) - len(r.bytes("ukm")) - 4
			cek, err := Unwrap(name, r.bytes("kek"), nil, sbox, r.bytes("wrapped"), size)
			if err != nil {
				return err
			}
			wrapped, err := Wrap(name, r.bytes("kek"), r.bytes("ukm"), sbox, cek)
			if err != nil {
				return err
			}
			if err := r.is("cek", cek); err != nil {
				return err
			}
			return r.is("wrapped", wrapped)
		}
	case "GOSTR3411-94":
		test := strings.Contains(r.text("sbox"), "Test")
		if !test && !strings.Contains(r.text("sbox"), "R3411-94-CryptoPro") {
			return errUnreached
		}
		h := NewGost94(test)
		h.Write(r.bytes("msg"))
		return r.is("md", h.Sum(nil))
	case "STREEBOG-256", "STREEBOG-512":
		size := len(r.bytes("md"))
		msg := r.bytes("msg")
		out := make([]byte, size)
		Sum(out, msg)
		h := NewHash(size)
		for at, k := 0, 1; at < len(msg); at, k = at+k, k*3%1021+1 {
			k = min(k, len(msg)-at)
			h.Write(msg[at : at+k])
		}
		if !bytes.Equal(out, h.Sum(nil)) {
			return errWrong
		}
		return r.is("md", out)
	case "HMAC-STREEBOG-256", "HMAC-STREEBOG-512":
		return macOf(r, "hmac-streebog"+bits, key, nil, fault.Options{})
	case "PBKDF2-HMAC-STREEBOG-256", "PBKDF2-HMAC-STREEBOG-512":
		p := fault.Derivation{Key: r.bytes("password"), Salt: r.bytes("salt"), Iterations: r.number("iterations")}
		return deriveOf(r, "pbkdf2-hmac-streebog"+bits, "dk", p, r.number("dkLen"))
	case "KDF_GOSTR3411_2012_256":
		p := fault.Derivation{Key: key, Label: r.bytes("label"), Seed: r.bytes("seed")}
		if r.text("type") == "kdf" {
			return deriveOf(r, "kdf-gostr3411-2012-256", "dk", p, 32)
		}
		if p.Counter = r.number("R"); p.Counter == 0 {
			p.Counter = -1
		}
		return deriveOf(r, "kdf-tree", "dk", p, r.number("L"))
	case "PRF-STREEBOG":
		p := fault.Derivation{Key: key, Label: r.bytes("label"), Seed: r.bytes("seed")}
		switch r.text("type") {
		case "prf_tls":
			return deriveOf(r, "prf-tls-gostr3411-2012-"+bits, "out", p, r.number("L"))
		case "prf_plus":
			return deriveOf(r, "prf-plus-streebog"+bits, "out", p, r.number("L"))
		case "hkdf":
			p := fault.Derivation{Key: r.bytes("ikm"), Salt: r.bytes("salt"), Seed: r.bytes("info")}
			return deriveOf(r, "hkdf-streebog"+bits, "out", p, r.number("L"))
		case "hkdf_extract", "hkdf_expand":
			return hkdfHalf(r)
		}
	case "TLSTREE":
		p := fault.Derivation{Key: key, Masks: masks[r.text("suite")]}
		fmt.Sscan(r.text("seqnum"), &p.Record)
		return deriveOf(r, "tlstree", "dk", p, 32)
	case "TLS-RECORD":
		return tlsRecord(r)
	case "KEXP15":
		keys := append(r.bytes("kExpMac"), r.bytes("kExpEnc")...)
		name := r.text("cipher") + "-kexp15"
		size := 16
		if r.text("cipher") == "magma" {
			size = 8
		}
		secret, err := Unwrap(name, keys, iv, "", r.bytes("sexp"), len(r.bytes("sexp"))-size)
		if err != nil {
			return err
		}
		wrapped, err := Wrap(name, keys, iv, "", secret)
		if err != nil {
			return err
		}
		if err := r.is("secret", secret); err != nil {
			return err
		}
		return r.is("sexp", wrapped)
	case "CMS-CTR-ACPKM":
		ukm := r.bytes("ukm")
		if r.flag("NoMac") {
			half := 8
			if r.text("cipher") == "magma" {
				half = 4
			}
			return streamOf(r, r.text("cipher")+"-ctr-acpkm", r.bytes("cek"), ukm[:half], o)
		}
		return aeadOf(r, r.text("cipher")+"-ctr-acpkm-omac", r.bytes("cek"), ukm, nil, r.bytes("encryptedMac"), fault.Options{Section: o.Section})
	case "ESP":
		k, iv := key, r.bytes("iv")
		for i, seed := range [][]byte{{0, iv[0]}, iv[1:3], iv[3:5]} {
			out := make([]byte, 32)
			if err := Derive("kdf-gostr3411-2012-256", fault.Derivation{Key: k, Label: fmt.Appendf(nil, "level%d", i+1), Seed: seed}, out); err != nil {
				return err
			}
			k = out
		}
		if err := r.is("dk", k); err != nil || !r.has("ct") {
			return err
		}
		return aeadOf(r, r.text("cipher")+"-mgm", k, r.bytes("nonce"), r.bytes("aad"), r.bytes("tag"), fault.Options{TagSize: r.number("tagLen")})
	}
	return errUnreached
}

var masks = map[string][3]uint64{
	"TLS_GOSTR341112_256_WITH_KUZNYECHIK_CTR_OMAC": {0xFFFFFFFF00000000, 0xFFFFFFFFFFF80000, 0xFFFFFFFFFFFFFFC0},
	"TLS_GOSTR341112_256_WITH_MAGMA_CTR_OMAC":      {0xFFFFFFC000000000, 0xFFFFFFFFFE000000, 0xFFFFFFFFFFFFF000},
	"TLS_GOSTR341112_256_WITH_KUZNYECHIK_MGM_L":    {0xf800000000000000, 0xfffffff000000000, 0xffffffffffffe000},
	"TLS_GOSTR341112_256_WITH_MAGMA_MGM_L":         {0xffe0000000000000, 0xffffffffc0000000, 0xffffffffffffff80},
	"TLS_GOSTR341112_256_WITH_KUZNYECHIK_MGM_S":    {0xffffffffe0000000, 0xffffffffffff0000, 0xfffffffffffffff8},
	"TLS_GOSTR341112_256_WITH_MAGMA_MGM_S":         {0xfffffffffc000000, 0xffffffffffffe000, 0xffffffffffffffff},
}

// TestVectors runs all known answers of verification/vectors that this face reaches.
func TestVectors(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(vectors, "MANIFEST"))
	if err != nil {
		t.Skip("skipped: the vectors are in the repository, not in the module")
	}
	var manifest list
	if err := json.Unmarshal(data, &manifest); err != nil {
		t.Fatal(err)
	}
	for _, set := range sets() {
		force(set)
		t.Run(set, func(t *testing.T) { all(t, manifest, set) })
	}
}

type list struct {
	Tests int
	Files []struct {
		File, Sha256 string
		Tests        int
	}
}

func all(t *testing.T, manifest list, set string) {
	reached, passed, differ := 0, 0, 0
	why := map[string]int{}
	for _, f := range manifest.Files {
		data, err := os.ReadFile(filepath.Join(vectors, f.File))
		if err != nil {
			t.Fatal(err)
		}
		if s := sha256.Sum256(data); hex.EncodeToString(s[:]) != f.Sha256 {
			t.Fatalf("%s: another SHA-256 than in MANIFEST", f.File)
		}
		var file struct {
			Algorithm, Mode string
			Tests           []record
		}
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		if err := d.Decode(&file); err != nil {
			t.Fatal(err)
		}
		if len(file.Tests) != f.Tests {
			t.Fatalf("%s: another number of tests than in MANIFEST", f.File)
		}
		for _, r := range file.Tests {
			algorithm, mode := file.Algorithm, file.Mode
			if a := r.text("algorithm"); a != "" {
				algorithm, mode = a, r.text("mode")
			}
			result := r.text("result")
			if result == "unverified" {
				why["unverified"]++
				continue
			}
			if r.flag("Huge") && r.number("len") == 0 && huge(r) || r.number("iterations") > 1<<20 {
				why["long"]++
				continue
			}
			err := one(algorithm, mode, r)
			if err == errUnreached {
				what := algorithm + " " + mode
				if k := r.text("type"); k != "" {
					what += " " + k
				}
				why[what]++
				continue
			}
			reached++
			switch {
			case result == "valid" && err == nil, result == "invalid" && err != nil && !errors.Is(err, errWrong):
				passed++
			case result == "acceptable":
				if passed++; err != nil {
					differ++
				}
			default:
				t.Errorf("%s %d (%s %s, %s): %v", f.File, r.number("id"), algorithm, mode, result, err)
			}
		}
	}
	fmt.Printf("vectors, %s: %d reached, %d passed, %d of the acceptable differ, of %d; not reached: %v\n", set, reached, passed, differ, manifest.Tests, why)
	if reached < 5680 {
		t.Errorf("only %d reached", reached)
	}
}

func huge(r record) bool {
	gen, _ := r["msg_gen"].(map[string]any)
	return record(gen).number("len") > 64<<20
}

func init() {
	for _, n := range []string{"CryptoPro-A", "CryptoPro-B", "CryptoPro-C", "CryptoPro-D"} {
		full := "id-Gost28147-89-" + n + "-ParamSet"
		boxes[full] = full
	}
	for _, n := range []string{"id-Gost28147-89-TestParamSet", "id-tc26-gost-28147-param-Z", "id-GostR3411-94-TestParamSet", "id-GostR3411-94-CryptoProParamSet"} {
		boxes[n] = n
	}
}
