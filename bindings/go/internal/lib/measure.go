//go:build bulat_cgo

package lib

/*
#include <bulat.h>

// The calls that Go makes one by one.
static void bulat_go_hashes(long n, const bulat_algorithm *a, const void *text, size_t len, void *out, size_t out_len) {
    while (n-- > 0) bulat_hash(a, text, len, out, out_len);
}

static void bulat_go_updates(long n, bulat_cipher_ctx *ctx, const void *source, void *destination, size_t len) {
    size_t written;
    while (n-- > 0) bulat_cipher_update(ctx, source, destination, len, &written);
}

static void bulat_go_seals(long n, const bulat_key *key, const void *nonce, size_t nonce_len, const void *source,
                           void *destination, size_t len, size_t tag) {
    while (n-- > 0) bulat_seal(key, nonce, nonce_len, 0, 0, source, destination, len, (char *)destination + len, tag);
}
*/
import "C"

import (
	"crypto/cipher"
	"runtime"

	"github.com/bulat-crypto/bulat/bindings/go/internal/fault"
)

// The functions of this file make n calls in C, to be measured against as many through Go.

// Sums is n calls of Sum.
func Sums(n int, out, message []byte) {
	C.bulat_go_hashes(C.long(n), streebog(len(out)), ptr(message), size(len(message)), ptr(out), size(len(out)))
}

// Streams is n calls of XORKeyStream.
func Streams(n int, s cipher.Stream, dst, src []byte) {
	C.bulat_go_updates(C.long(n), s.(*context).p, ptr(src), ptr(dst), size(len(src)))
	runtime.KeepAlive(s)
}

// Seals is n calls of SealTo, to the start of dst.
func Seals(n int, a fault.AEAD, dst, nonce, text []byte) {
	k := a.(*aead).k
	C.bulat_go_seals(C.long(n), k.p, ptr(nonce), size(len(nonce)), ptr(text), ptr(dst), size(len(text)), size(k.tag))
	runtime.KeepAlive(k)
}
