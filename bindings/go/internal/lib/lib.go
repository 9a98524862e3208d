//go:build bulat_cgo

// Package lib is libbulat through cgo.
package lib

/*
#cgo LDFLAGS: -lbulat
#cgo noescape bulat_go_sum
#cgo nocallback bulat_go_sum
#cgo noescape bulat_go_hash_update
#cgo nocallback bulat_go_hash_update
#cgo noescape bulat_go_hash_sum
#cgo nocallback bulat_go_hash_sum
#cgo noescape bulat_go_mac_update
#cgo nocallback bulat_go_mac_update
#cgo noescape bulat_go_mac_sum
#cgo nocallback bulat_go_mac_sum
#cgo noescape bulat_go_mac_verify
#cgo nocallback bulat_go_mac_verify
#cgo noescape bulat_go_mac_reset
#cgo nocallback bulat_go_mac_reset
#cgo noescape bulat_go_update
#cgo nocallback bulat_go_update
#cgo noescape bulat_go_sector
#cgo nocallback bulat_go_sector
#cgo noescape bulat_go_seal
#cgo nocallback bulat_go_seal
#cgo noescape bulat_go_open
#cgo nocallback bulat_go_open
#include <stdlib.h>
#include <string.h>
#include <bulat.h>

// The calls of messages, one for each operation of Go, with pointers to bytes, and with addresses of the library's objects:
// with other pointers, cgo searches in each call for pointers in the memory behind them, which costs as much as the call.
static bulat_result bulat_go_sum(uintptr_t a, const uint8_t *message, size_t len, uint8_t *out, size_t size) {
    return bulat_hash((const bulat_algorithm *)a, message, len, out, size);
}

static bulat_result bulat_go_hash_update(uintptr_t ctx, const uint8_t *piece, size_t len) {
    return bulat_hash_update((bulat_hash_ctx *)ctx, piece, len);
}

static bulat_result bulat_go_hash_sum(uintptr_t ctx, uint8_t *out, size_t size) {
    bulat_hash_ctx *copy;
    bulat_result r = bulat_hash_copy(&copy, (const bulat_hash_ctx *)ctx);
    if (r == BULAT_OK) r = bulat_hash_final(copy, out, size);
    bulat_hash_free(copy);
    return r;
}

static bulat_result bulat_go_mac_update(uintptr_t ctx, const uint8_t *piece, size_t len) {
    return bulat_mac_update((bulat_mac_ctx *)ctx, piece, len);
}

static bulat_result bulat_go_mac_sum(uintptr_t ctx, uint8_t *out, size_t size) {
    bulat_mac_ctx *copy;
    bulat_result r = bulat_mac_copy(&copy, (const bulat_mac_ctx *)ctx);
    if (r == BULAT_OK) r = bulat_mac_final(copy, out, size);
    bulat_mac_free(copy);
    return r;
}

static bulat_result bulat_go_mac_verify(uintptr_t ctx, const uint8_t *tag, size_t size) {
    bulat_mac_ctx *copy;
    bulat_result r = bulat_mac_copy(&copy, (const bulat_mac_ctx *)ctx);
    if (r == BULAT_OK) r = bulat_mac_final_verify(copy, tag, size);
    bulat_mac_free(copy);
    return r;
}

static bulat_result bulat_go_mac_reset(uintptr_t ctx, const uint8_t *iv, size_t iv_len) {
    return bulat_mac_reset((bulat_mac_ctx *)ctx, iv, iv_len);
}

// Returns the number of bytes written, or less than 0.
static int64_t bulat_go_update(uintptr_t ctx, const uint8_t *source, uint8_t *destination, size_t len) {
    size_t written = 0;
    bulat_result r = bulat_cipher_update((bulat_cipher_ctx *)ctx, source, destination, len, &written);
    return r == BULAT_OK ? (int64_t)written : -(int64_t)r;
}

static bulat_result bulat_go_sector(uintptr_t key, int decrypt, const uint8_t *iv, size_t iv_len, const uint8_t *source,
                                    size_t len, uint8_t *destination, size_t size) {
    size_t written = 0;
    return (decrypt ? bulat_decrypt : bulat_encrypt)((const bulat_key *)key, iv, iv_len, source, len, destination, size, &written);
}

static bulat_result bulat_go_seal(uintptr_t key, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                                  size_t aad_len, const uint8_t *source, uint8_t *destination, size_t len, size_t tag) {
    return bulat_seal((const bulat_key *)key, nonce, nonce_len, aad, aad_len, source, destination, len, destination + len, tag);
}

static bulat_result bulat_go_open(uintptr_t key, const uint8_t *nonce, size_t nonce_len, const uint8_t *aad,
                                  size_t aad_len, const uint8_t *source, uint8_t *destination, size_t len, size_t tag) {
    return bulat_open((const bulat_key *)key, nonce, nonce_len, aad, aad_len, source, destination, len, source + len, tag);
}

// Pointers of Go must not lie in memory that C keeps: the parameters come one by one.
static bulat_result bulat_go_derive(const bulat_algorithm *a, const void *key, size_t key_len, const void *salt,
                                    size_t salt_len, const void *label, size_t label_len, const void *seed,
                                    size_t seed_len, uint32_t iterations, uint32_t counter, uint64_t m0, uint64_t m1,
                                    uint64_t m2, uint64_t record, void *out, size_t len) {
    bulat_kdf_params p = {0};
    p.key = key, p.key_len = key_len, p.salt = salt, p.salt_len = salt_len, p.label = label, p.label_len = label_len;
    p.seed = seed, p.seed_len = seed_len, p.iterations = iterations, p.counter_size = counter;
    p.masks[0] = m0, p.masks[1] = m1, p.masks[2] = m2, p.record = record;
    return bulat_derive(a, &p, out, len);
}

static bulat_result bulat_go_key(bulat_key **key, const bulat_algorithm *a, const void *bytes, size_t len, size_t tag,
                                 size_t section, size_t period, size_t s, int meshing, const char *sboxes) {
    bulat_options o = {0};
    o.tag_size = tag, o.section = section, o.period = period, o.s = s, o.meshing = meshing, o.sboxes = sboxes;
    return bulat_key_new(key, a, bytes, len, &o);
}

static bulat_result bulat_go_wrap(const bulat_algorithm *a, const void *key, size_t key_len, const void *iv, size_t iv_len,
                                  const char *sboxes, const void *secret, size_t secret_len, void *out, size_t size) {
    bulat_options o = {0};
    o.sboxes = sboxes;
    return bulat_wrap(a, key, key_len, iv, iv_len, sboxes ? &o : NULL, secret, secret_len, out, size);
}

static bulat_result bulat_go_unwrap(const bulat_algorithm *a, const void *key, size_t key_len, const void *iv,
                                    size_t iv_len, const char *sboxes, const void *wrapped, size_t len, void *out,
                                    size_t size) {
    bulat_options o = {0};
    o.sboxes = sboxes;
    return bulat_unwrap(a, key, key_len, iv, iv_len, sboxes ? &o : NULL, wrapped, len, out, size);
}
*/
import "C"

import (
	"crypto/cipher"
	"errors"
	"hash"
	"runtime"
	"strings"
	"unsafe"

	"github.com/bulat-crypto/bulat/bindings/go/internal/fault"
)

// faults are the codes of the library.
var faults = map[C.bulat_result]error{
	C.BULAT_ERR_KEY_LENGTH: fault.KeyLength, C.BULAT_ERR_IV_LENGTH: fault.IVLength, C.BULAT_ERR_TAG_LENGTH: fault.TagLength,
	C.BULAT_ERR_NONCE: fault.Nonce, C.BULAT_ERR_PARAMETER: fault.Parameter, C.BULAT_ERR_SBOX: fault.Sboxes,
	C.BULAT_ERR_EQUAL_KEYS: fault.EqualKeys, C.BULAT_ERR_BUFFER_LENGTH: fault.Buffer, C.BULAT_ERR_DATA_LENGTH: fault.DataLength,
	C.BULAT_ERR_LIMIT: fault.Limit, C.BULAT_ERR_EMPTY: fault.Empty, C.BULAT_ERR_VERIFY: fault.Verify,
	C.BULAT_ERR_OVERLAP: fault.Overlap, C.BULAT_ERR_UNKNOWN_ALGORITHM: fault.Algorithm, C.BULAT_ERR_UNKNOWN_KERNEL: fault.Kernel,
}

func failure(r C.bulat_result) error {
	if r == C.BULAT_OK {
		return nil
	}
	if err := faults[r]; err != nil {
		return err
	}
	return errors.New("bulat: " + C.GoString(C.bulat_result_message(r)))
}

func must(r C.bulat_result) {
	if r != C.BULAT_OK {
		panic(failure(r).Error())
	}
}

// ptr is the start of bytes, which may be empty.
func ptr(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }

// object is the address of an object of the library.
func object(p unsafe.Pointer) C.uintptr_t { return C.uintptr_t(uintptr(p)) }

// raw is ptr for the calls of messages.
func raw(b []byte) *C.uint8_t { return (*C.uint8_t)(unsafe.SliceData(b)) }

func size(n int) C.size_t { return C.size_t(n) }

func find(name string) *C.bulat_algorithm {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	return C.bulat_algorithm_find(text)
}

// text is a C string, null for an empty text.
func text(s string) *C.char {
	if s == "" {
		return nil
	}
	return C.CString(s)
}

// key is a key under an algorithm.
type key struct {
	p    *C.bulat_key
	kind *C.bulat_algorithm
	tag  int
}

func newKey(name string, bytes []byte, o fault.Options) (*key, error) {
	for _, n := range []int{o.TagSize, o.Section, o.Period, o.S} {
		if n < 0 {
			return nil, fault.Parameter
		}
	}
	k := &key{kind: find(name)}
	boxes := text(o.Sboxes)
	defer C.free(unsafe.Pointer(boxes))
	r := C.bulat_go_key(&k.p, k.kind, ptr(bytes), size(len(bytes)), size(o.TagSize), size(o.Section), size(o.Period), size(o.S), C.int(o.Meshing), boxes)
	if r == C.BULAT_ERR_PARAMETER && o.Sboxes != "" && allKnown(o.Sboxes) == false {
		return nil, fault.Sboxes
	}
	if err := failure(r); err != nil {
		return nil, err
	}
	k.tag = int(C.bulat_key_tag_size(k.p))
	runtime.AddCleanup(k, func(p *C.bulat_key) { C.bulat_key_free(p) }, k.p)
	return k, nil
}

func allKnown(name string) bool {
	for _, n := range []string{"test", "a", "b", "c", "d", "z", "hash-test", "hash-cryptopro"} {
		if strings.EqualFold(n, name) {
			return true
		}
	}
	return false
}

func (k *key) direction(o fault.Options) C.bulat_direction {
	if o.Decrypt {
		return C.BULAT_DECRYPT
	}
	return C.BULAT_ENCRYPT
}

// context is a cipher in one direction, as a stream and as a mode of blocks.
type context struct {
	p     *C.bulat_cipher_ctx
	block int
	check bool
}

func newContext(name string, bytes, iv []byte, o fault.Options) (*context, error) {
	k, err := newKey(name, bytes, o)
	if err != nil {
		return nil, err
	}
	if k.kind.kind != C.BULAT_CIPHER {
		return nil, fault.Algorithm
	}
	x := &context{block: int(k.kind.block_size)}
	err = failure(C.bulat_cipher_new(&x.p, k.p, k.direction(o), ptr(iv), size(len(iv))))
	runtime.KeepAlive(k)
	if err != nil {
		return nil, err
	}
	runtime.AddCleanup(x, func(p *C.bulat_cipher_ctx) { C.bulat_cipher_free(p) }, x.p)
	return x, nil
}

func (x *context) update(dst, src []byte) {
	if len(src) == 0 {
		return
	}
	n := C.bulat_go_update(object(unsafe.Pointer(x.p)), raw(src), raw(dst), size(len(src)))
	if n < 0 {
		must(C.bulat_result(-n))
	}
	if int(n) != len(src) {
		panic("bulat: bytes were held back")
	}
	runtime.KeepAlive(x)
}

func (x *context) XORKeyStream(dst, src []byte) {
	if len(dst) < len(src) {
		panic("bulat: output smaller than input")
	}
	x.update(dst, src)
}

func (x *context) BlockSize() int { return x.block }

func (x *context) CryptBlocks(dst, src []byte) {
	if len(src)%x.block != 0 {
		panic("bulat: input not full blocks")
	}
	if len(dst) < len(src) {
		panic("bulat: output smaller than input")
	}
	x.update(dst, src)
}

// NewStream opens a cipher of any length of text.
func NewStream(name string, key, iv []byte, o fault.Options) (cipher.Stream, error) {
	if strings.HasSuffix(name, "-ecb") || strings.HasSuffix(name, "-cbc") || strings.HasSuffix(name, "-xts") {
		return nil, fault.Algorithm
	}
	x, err := newContext(name, key, iv, o)
	if err != nil {
		return nil, err
	}
	return x, nil
}

// NewBlockMode opens a cipher of whole blocks.
func NewBlockMode(name string, key, iv []byte, o fault.Options) (cipher.BlockMode, error) {
	if !strings.HasSuffix(name, "-ecb") && !strings.HasSuffix(name, "-cbc") {
		return nil, fault.Algorithm
	}
	x, err := newContext(name, key, iv, o)
	if err != nil {
		return nil, err
	}
	return x, nil
}

// block is a block cipher.
type block struct{ encrypt, decrypt *context }

// NewCipherBlock opens a block cipher: kuznyechik, magma, gost89.
func NewCipherBlock(name string, key []byte, sboxes string) (cipher.Block, error) {
	encrypt, err := newContext(name+"-ecb", key, nil, fault.Options{Sboxes: sboxes})
	if err != nil {
		return nil, err
	}
	decrypt, err := newContext(name+"-ecb", key, nil, fault.Options{Sboxes: sboxes, Decrypt: true})
	if err != nil {
		return nil, err
	}
	return &block{encrypt, decrypt}, nil
}

func (b *block) BlockSize() int          { return b.encrypt.block }
func (b *block) Encrypt(dst, src []byte) { b.encrypt.one(dst, src) }
func (b *block) Decrypt(dst, src []byte) { b.decrypt.one(dst, src) }

func (x *context) one(dst, src []byte) {
	if len(src) < x.block {
		panic("bulat: input not full block")
	}
	if len(dst) < x.block {
		panic("bulat: output not full block")
	}
	x.update(dst[:x.block], src[:x.block])
}

// XTS is IEEE 1619 over Kuznyechik.
type XTS struct{ k *key }

// NewXTS prepares K1 || K2, which must differ.
func NewXTS(key []byte) (*XTS, error) {
	k, err := newKey("kuznyechik-xts", key, fault.Options{})
	if err != nil {
		return nil, err
	}
	return &XTS{k}, nil
}

// Crypt transforms a sector of at least a block.
func (x *XTS) Crypt(decrypt bool, dst, src, iv []byte) error {
	way := C.int(0)
	if decrypt {
		way = 1
	}
	r := C.bulat_go_sector(object(unsafe.Pointer(x.k.p)), way, raw(iv), size(len(iv)), raw(src), size(len(src)), raw(dst), size(len(dst)))
	runtime.KeepAlive(x.k)
	return failure(r)
}

// mac is a message under a MAC.
type mac struct {
	k  *key
	p  *C.bulat_mac_ctx
	iv []byte
}

// NewMAC opens a MAC.
func NewMAC(name string, bytes, iv []byte, o fault.Options) (fault.MAC, error) {
	k, err := newKey(name, bytes, o)
	if err != nil {
		return nil, err
	}
	if k.kind.kind != C.BULAT_MAC {
		return nil, fault.Algorithm
	}
	m := &mac{k: k, iv: append([]byte(nil), iv...)}
	if err := failure(C.bulat_mac_new(&m.p, k.p, ptr(iv), size(len(iv)))); err != nil {
		return nil, err
	}
	m.own()
	return m, nil
}

func (m *mac) own() { runtime.AddCleanup(m, func(p *C.bulat_mac_ctx) { C.bulat_mac_free(p) }, m.p) }

func (m *mac) Clone() (hash.Cloner, error) {
	d := &mac{k: m.k, iv: m.iv}
	must(C.bulat_mac_copy(&d.p, m.p))
	runtime.KeepAlive(m)
	d.own()
	return d, nil
}

func (m *mac) Size() int      { return m.k.tag }
func (m *mac) BlockSize() int { return int(m.k.kind.block_size) }

func (m *mac) Write(p []byte) (int, error) {
	must(C.bulat_go_mac_update(object(unsafe.Pointer(m.p)), raw(p), size(len(p))))
	runtime.KeepAlive(m)
	return len(p), nil
}

func (m *mac) Reset() {
	must(C.bulat_go_mac_reset(object(unsafe.Pointer(m.p)), raw(m.iv), size(len(m.iv))))
	runtime.KeepAlive(m)
}

func (m *mac) Sum(b []byte) []byte {
	all, tag := fault.Extend(b, m.k.tag)
	must(C.bulat_go_mac_sum(object(unsafe.Pointer(m.p)), raw(tag), size(len(tag))))
	runtime.KeepAlive(m)
	return all
}

func (m *mac) Verify(tag []byte) bool {
	r := C.bulat_go_mac_verify(object(unsafe.Pointer(m.p)), raw(tag), size(len(tag)))
	runtime.KeepAlive(m)
	return r == C.BULAT_OK
}

// aead is authenticated encryption.
type aead struct{ k *key }

// NewAEAD opens authenticated encryption.
func NewAEAD(name string, bytes []byte, o fault.Options) (fault.AEAD, error) {
	k, err := newKey(name, bytes, o)
	if err != nil {
		return nil, err
	}
	if k.kind.kind != C.BULAT_AEAD {
		return nil, fault.Algorithm
	}
	return &aead{k}, nil
}

func (a *aead) NonceSize() int { return int(a.k.kind.iv_size) }
func (a *aead) Overhead() int  { return a.k.tag }

func (a *aead) SealTo(dst, nonce, plaintext, additionalData []byte) ([]byte, error) {
	all, out := fault.Extend(dst, len(plaintext)+a.k.tag)
	err := failure(C.bulat_go_seal(object(unsafe.Pointer(a.k.p)), raw(nonce), size(len(nonce)), raw(additionalData), size(len(additionalData)),
		raw(plaintext), raw(out), size(len(plaintext)), size(a.k.tag)))
	runtime.KeepAlive(a)
	if err != nil {
		return nil, err
	}
	return all, nil
}

func (a *aead) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	out, err := a.SealTo(dst, nonce, plaintext, additionalData)
	if err != nil {
		panic(err.Error())
	}
	return out
}

func (a *aead) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	n := len(ciphertext) - a.k.tag
	if n < 0 {
		return nil, fault.Verify
	}
	all, out := fault.Extend(dst, n)
	err := failure(C.bulat_go_open(object(unsafe.Pointer(a.k.p)), raw(nonce), size(len(nonce)), raw(additionalData), size(len(additionalData)),
		raw(ciphertext), raw(out), size(n), size(a.k.tag)))
	runtime.KeepAlive(a)
	if err != nil {
		return nil, err
	}
	return all, nil
}

// Hash is a hash function.
type Hash struct {
	p           *C.bulat_hash_ctx
	size, block int
}

var (
	streebog256 = find("streebog256")
	streebog512 = find("streebog512")
)

func streebog(n int) *C.bulat_algorithm {
	if n == 32 {
		return streebog256
	}
	return streebog512
}

func newHash(a *C.bulat_algorithm) *Hash {
	h := &Hash{size: int(a.output_size), block: int(a.block_size)}
	must(C.bulat_hash_new(&h.p, a))
	h.own()
	return h
}

func (h *Hash) own() { runtime.AddCleanup(h, func(p *C.bulat_hash_ctx) { C.bulat_hash_free(p) }, h.p) }

// NewHash begins a message of Streebog; size is 32 or 64.
func NewHash(size int) *Hash { return newHash(streebog(size)) }

// NewGost94 begins a message of GOST R 34.11-94: the CryptoPro S-boxes, or the S-boxes of the standard's example.
func NewGost94(test bool) hash.Hash {
	if test {
		return newHash(find("gost94-test"))
	}
	return newHash(find("gost94"))
}

// Sum writes the digest of a message; its length chooses the hash.
func Sum(out, message []byte) {
	must(C.bulat_go_sum(object(unsafe.Pointer(streebog(len(out)))), raw(message), size(len(message)), raw(out), size(len(out))))
}

func (h *Hash) Size() int      { return h.size }
func (h *Hash) BlockSize() int { return h.block }

func (h *Hash) Reset() {
	must(C.bulat_hash_reset(h.p))
	runtime.KeepAlive(h)
}

func (h *Hash) Write(p []byte) (int, error) {
	must(C.bulat_go_hash_update(object(unsafe.Pointer(h.p)), raw(p), size(len(p))))
	runtime.KeepAlive(h)
	return len(p), nil
}

func (h *Hash) WriteString(s string) (int, error) {
	return h.Write(unsafe.Slice(unsafe.StringData(s), len(s)))
}

func (h *Hash) Sum(b []byte) []byte {
	all, out := fault.Extend(b, h.size)
	must(C.bulat_go_hash_sum(object(unsafe.Pointer(h.p)), raw(out), size(len(out))))
	runtime.KeepAlive(h)
	return all
}

func (h *Hash) Clone() (hash.Cloner, error) {
	d := &Hash{size: h.size, block: h.block}
	must(C.bulat_hash_copy(&d.p, h.p))
	runtime.KeepAlive(h)
	d.own()
	return d, nil
}

// MarshalBinary: libbulat has no form of a state as bytes.
func (h *Hash) MarshalBinary() ([]byte, error)        { return nil, errors.ErrUnsupported }
func (h *Hash) AppendBinary(b []byte) ([]byte, error) { return nil, errors.ErrUnsupported }
func (h *Hash) UnmarshalBinary(b []byte) error        { return errors.ErrUnsupported }

// Derive fills out by the derivation of this name.
func Derive(name string, p fault.Derivation, out []byte) error {
	if p.Iterations < 0 || uint64(p.Iterations) > 1<<32-1 || p.Counter < 0 || p.Counter > 4 {
		return fault.Parameter
	}
	a := find(name)
	if a == nil {
		return fault.Algorithm
	}
	return failure(C.bulat_go_derive(a, ptr(p.Key), size(len(p.Key)), ptr(p.Salt), size(len(p.Salt)), ptr(p.Label), size(len(p.Label)),
		ptr(p.Seed), size(len(p.Seed)), C.uint32_t(p.Iterations), C.uint32_t(p.Counter), C.uint64_t(p.Masks[0]),
		C.uint64_t(p.Masks[1]), C.uint64_t(p.Masks[2]), C.uint64_t(p.Record), ptr(out), size(len(out))))
}

// Wrap wraps a secret under a key.
func Wrap(name string, key, iv []byte, sboxes string, secret []byte) ([]byte, error) {
	a, boxes := find(name), text(sboxes)
	defer C.free(unsafe.Pointer(boxes))
	if a == nil {
		return nil, fault.Algorithm
	}
	out := make([]byte, C.bulat_wrapped_size(a, size(len(iv)), size(len(secret))))
	if err := failure(C.bulat_go_wrap(a, ptr(key), size(len(key)), ptr(iv), size(len(iv)), boxes, ptr(secret), size(len(secret)), ptr(out), size(len(out)))); err != nil {
		return nil, err
	}
	return out, nil
}

// Unwrap unwraps a secret of this length, and gives it only if the MAC is right.
func Unwrap(name string, key, iv []byte, sboxes string, wrapped []byte, n int) ([]byte, error) {
	a, boxes := find(name), text(sboxes)
	defer C.free(unsafe.Pointer(boxes))
	if a == nil {
		return nil, fault.Algorithm
	}
	if n < 0 {
		return nil, fault.DataLength
	}
	out := make([]byte, n)
	if err := failure(C.bulat_go_unwrap(a, ptr(key), size(len(key)), ptr(iv), size(len(iv)), boxes, ptr(wrapped), size(len(wrapped)), ptr(out), size(n))); err != nil {
		return nil, err
	}
	return out, nil
}

// Kernel names the kernels in use.
func Kernel() string {
	n := C.bulat_kernel_choices(nil, 0)
	all := make([]C.bulat_kernel_choice, n)
	C.bulat_kernel_choices(&all[0], n)
	for _, c := range all {
		if C.GoString(c.primitive) == "kuznyechik" {
			return C.GoString(c.kernel)
		}
	}
	return ""
}

// Force makes new objects use the kernels of this name, for measurements.
func Force(name string) bool {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	return C.bulat_kernel_force(text) == C.BULAT_OK
}
