package engine

import (
	"bytes"
	"crypto/hkdf"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"

	"github.com/bulat-crypto/bulat/bindings/go/internal/fault"
)

// Known answers of what users compose: records of TLS, the halves of HKDF, the keys of ACPKM and of key meshing.

// ecb transforms blocks, each on its own.
func ecb(name string, key, blocks []byte, o fault.Options) ([]byte, error) {
	m, err := NewBlockMode(name, key, nil, o)
	if err != nil {
		return nil, err
	}
	out := make([]byte, len(blocks))
	m.CryptBlocks(out, blocks)
	return out, nil
}

// texts returns a list of texts.
func (r record) texts(f string) (all []string) {
	list, _ := r[f].([]any)
	for _, x := range list {
		all = append(all, fmt.Sprint(x))
	}
	return all
}

// acpkmKeys are the keys of sections, or the keys that OMAC-ACPKM has of its master key (RFC 8645, 6.2.1 and 6.3.1).
func acpkmKeys(r record, cipher string, key []byte) error {
	if r.has("material") {
		n := blockSizes[cipher]
		s, err := NewStream(cipher+"-ctr-acpkm", key, bytes.Repeat([]byte{0xff}, n/2), fault.Options{Section: r.number("masterPeriod")})
		if err != nil {
			return err
		}
		return r.is("material", through(s, make([]byte, r.number("sections")*(32+n))))
	}
	d := make([]byte, 32)
	for i := range d {
		d[i] = 0x80 + byte(i)
	}
	for _, next := range r.texts("key_next") {
		var err error
		if key, err = ecb(cipher+"-ecb", key, d, fault.Options{}); err != nil {
			return err
		}
		if hex.EncodeToString(key) != next {
			return errWrong
		}
	}
	return nil
}

// meshedKey is the next key of key meshing (RFC 4357, 2.3.2), and the register under it.
func meshedKey(r record, key, iv []byte, sboxes string) error {
	c, _ := hex.DecodeString("6900722264c904238d3adb9646e92ac418feac9400ed0712c086dcc2ef4ca92b")
	key, err := ecb("gost89-ecb", key, c, fault.Options{Sboxes: sboxes, Decrypt: true})
	if err != nil {
		return err
	}
	if err := r.is("key_next", key); err != nil {
		return err
	}
	if iv, err = ecb("gost89-ecb", key, iv, fault.Options{Sboxes: sboxes}); err != nil {
		return err
	}
	return r.is("iv_next", iv)
}

// hkdfHalf is a half of HKDF, by Go's package over this hash.
func hkdfHalf(r record) error {
	h := func() hash.Hash { return NewHash(r.number("size") / 8) }
	if r.text("type") == "hkdf_extract" {
		prk, err := hkdf.Extract(h, r.bytes("ikm"), r.bytes("salt"))
		if err != nil {
			return err
		}
		return r.is("prk", prk)
	}
	out, err := hkdf.Expand(h, r.bytes("prk"), string(r.bytes("info")), r.number("L"))
	if err != nil {
		return err
	}
	return r.is("out", out)
}

var blockSizes = map[string]int{"kuznyechik": 16, "magma": 8}

// header is that of a record.
func header(kind, size int) []byte { return []byte{byte(kind), 3, 3, byte(size >> 8), byte(size)} }

// macTag is the tag of a message.
func macTag(name string, key, iv, message []byte, o fault.Options) ([]byte, error) {
	m, err := NewMAC(name, key, iv, o)
	if err != nil {
		return nil, err
	}
	m.Write(message)
	return m.Sum(nil), nil
}

// tlsRecord is a record of TLS 1.2 (RFC 9189, 4.1) or 1.3 (RFC 9367, 4.1).
func tlsRecord(r record) error {
	suite, seqnum := r.text("suite"), uint64(r.number("seqnum"))
	if r.text("version") == "1.2-CNT_IMIT" {
		return oldRecords(r)
	}
	cipher, n := "kuznyechik", 16
	if strings.Contains(suite, "_MAGMA_") {
		cipher, n = "magma", 8
	}
	key, macKey := make([]byte, 32), make([]byte, 32)
	if err := Derive("tlstree", fault.Derivation{Key: r.bytes("writeKey"), Masks: masks[suite], Record: seqnum}, key); err != nil {
		return err
	}
	message, iv := r.bytes("msg"), r.bytes("writeIv")
	number := binary.BigEndian.AppendUint64(nil, seqnum)
	if r.text("version") == "1.3" {
		for i, b := range number {
			iv[n-8+i] ^= b
		}
		iv[0] &= 0x7f
		head := header(23, len(message)+n)
		a, err := NewAEAD(cipher+"-mgm", key, fault.Options{})
		if err != nil {
			return err
		}
		sealed, err := a.SealTo(head, iv, message, bytes.Clone(head))
		if err != nil {
			return err
		}
		if err := r.is("record", sealed); err != nil {
			return err
		}
		text, err := a.Open(nil, iv, sealed[5:], head)
		if err == nil && !bytes.Equal(text, message) {
			return errWrong
		}
		return err
	}
	if err := Derive("tlstree", fault.Derivation{Key: r.bytes("macKey"), Masks: masks[suite], Record: seqnum}, macKey); err != nil {
		return err
	}
	kind := r.number("contentType")
	tag, err := macTag(cipher+"-omac", macKey, nil, bytes.Join([][]byte{number, header(kind, len(message)), message}, nil), fault.Options{})
	if err != nil {
		return err
	}
	// IV + number, modulo 2^(n/2).
	section, counter := 4096, make([]byte, 8)
	copy(counter[8-n/2:], iv)
	binary.BigEndian.PutUint64(counter, binary.BigEndian.Uint64(counter)+seqnum)
	if n == 8 {
		section = 1024
	}
	s, err := NewStream(cipher+"-ctr-acpkm", key, counter[8-n/2:], fault.Options{Section: section})
	if err != nil {
		return err
	}
	body := through(s, append(message, tag...))
	return r.is("record", append(header(kind, len(body)), body...))
}

// oldRecords are records of TLS with GOST 28147-89: the cipher and the MAC continue over all of them.
func oldRecords(r record) error {
	var covered []byte
	s, err := NewStream("gost89-cnt-12", r.bytes("writeKey"), r.bytes("writeIv"), fault.Options{Meshing: 1})
	if err != nil {
		return err
	}
	for i, text := range r.texts("fragments") {
		var size int
		fmt.Sscan(text, &size)
		covered = binary.BigEndian.AppendUint64(covered, uint64(i))
		covered = append(append(covered, header(23, size)...), make([]byte, size)...)
		tag, err := macTag("gost-mac-12", r.bytes("macKey"), make([]byte, 8), covered, fault.Options{Meshing: 1})
		if err != nil {
			return err
		}
		if hex.EncodeToString(tag) != r.texts("macs")[i] {
			return errWrong
		}
		body := through(s, append(make([]byte, size), tag...))
		if err := r.is(fmt.Sprint("record", i), append(header(23, len(body)), body...)); err != nil {
			return err
		}
	}
	return nil
}
