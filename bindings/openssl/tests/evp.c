// The provider through EVP, as a C program uses it. The program's first argument chooses a test:
//
//   check [large]  every name: fresh = re-init = dup, pieces, in place, buffers of exactly the size that EVP's manual promises,
//                  the peer (gostprov, if installed); "large" adds sizes over 2^31. A line for each name.
//   defects NAME   gost-engine's defects, tried on the provider NAME: a line for each, right or WRONG
//   rules          an init without a key, parameters within a message, CRYPT_PARAMS
//   bad            wrong lengths, orders, nulls, names: an error with a text in OpenSSL's queue, no crash
//   threads [N]    shared fetched algorithms, a context for each thread, copies of a shared one
//   secrets        one algorithm of each kind with key and text marked undefined, for valgrind
//   once           every kind once, for valgrind and sanitizers
//   speed PROVIDER NAME...  a line for each name and size, those in BENCH_SIZES or some: ns a call, MB/s
//   serve          one operation a line on standard input, one answer a line on standard output: for the vectors
//   who NAME...    the provider of the cipher that is fetched by this name in the default context, by OPENSSL_CONF
//   wiped          every cipher, MAC and KDF: no freed block holds a piece of a key (built with -DWITH_FREED)
//
// The module is bulat.so in the folder that BULAT_MODULES names. It is loaded into a library context of its own; the
// peer into the default one, since gostprov fetches there.
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef WITH_VALGRIND
#include <valgrind/memcheck.h>
#else
#define VALGRIND_MAKE_MEM_UNDEFINED(p, n) ((void)(p), (void)(n))
#define VALGRIND_MAKE_MEM_DEFINED(p, n) ((void)(p), (void)(n))
#define VALGRIND_COUNT_ERRORS 0
#endif

#ifdef WITH_FREED
#include "../../c/tests/freed.h"
#endif

typedef unsigned char u8;
static OSSL_LIB_CTX *lib;       // ours
static OSSL_PROVIDER *peer;     // gostprov in the default context, or null
static const char *failed;      // the error of the present case
static char failure[256];

static void *alloc(size_t n) {
    void *p = malloc(n ? n : 1);
    if (p == NULL) abort();
    return p;
}

static void pattern(u8 *p, size_t n, unsigned seed) {
    for (size_t i = 0; i < n; i++) p[i] = (u8)((seed * 89 + i * 167 + (i >> 8) * 13) ^ (i >> 16));
}

static int fail(const char *format, ...) {
    if (failed == NULL) {
        va_list args;
        va_start(args, format);
        vsnprintf(failure, sizeof failure, format, args);
        va_end(args);
        failed = failure;
    }
    return 0;
}
#define NEED(condition, ...) do { if (!(condition)) return fail(__VA_ARGS__); } while (0)

// ---- Ciphers

#define MOST 5000
#define GUARD 40

typedef struct {
    const EVP_CIPHER *c;
    int block, iv_len, key_len, aead, mode;
    u8 key[64], iv[16];
    int pad;
} Case;

static void of(Case *k, const EVP_CIPHER *c) {
    memset(k, 0, sizeof *k);
    k->c = c;
    k->block = EVP_CIPHER_get_block_size(c);
    k->iv_len = EVP_CIPHER_get_iv_length(c);
    k->key_len = EVP_CIPHER_get_key_length(c);
    k->mode = EVP_CIPHER_get_mode(c);
    k->aead = (EVP_CIPHER_get_flags(c) & EVP_CIPH_FLAG_AEAD_CIPHER) != 0;
    pattern(k->key, sizeof k->key, 1);
    pattern(k->iv, sizeof k->iv, 2);
    k->iv[0] &= 0x7f;
}

static int tag_len(const Case *k) { return strncmp(EVP_CIPHER_get0_name(k->c), "magma", 5) ? 16 : 8; }
static int is_omac(const Case *k) { return strstr(EVP_CIPHER_get0_name(k->c), "omac") != NULL; }

static int begin(EVP_CIPHER_CTX *x, const Case *k, int enc) {
    if (!EVP_CipherInit_ex(x, k->c, NULL, NULL, NULL, enc)) return 0;
    if (k->aead && is_omac(k) && EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_IVLEN, tag_len(k) / 2 + 8, NULL) <= 0) return 0;
    return EVP_CipherInit_ex(x, NULL, NULL, k->key, k->iv, enc) && EVP_CIPHER_CTX_set_padding(x, k->pad);
}

// A message in one piece on a context that `begin` made: length, or -1. An authenticated one has its tag after the text.
static long run(EVP_CIPHER_CTX *x, const Case *k, int enc, const u8 *aad, int aad_len, const u8 *in, int len, u8 *out) {
    int n = 0, end = 0, t = k->aead ? tag_len(k) : 0;
    if (aad_len && !EVP_CipherUpdate(x, NULL, &n, aad, aad_len)) return -1;
    if (k->aead && !enc) len -= t;
    n = 0;
    if (len && !EVP_CipherUpdate(x, out, &n, in, len)) return -1;
    if (k->aead && !enc && EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_TAG, t, (void *)(in + len)) <= 0) return -1;
    if (!EVP_CipherFinal_ex(x, out + n, &end)) return -1;
    if (k->aead && enc && EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_GET_TAG, t, out + n + end) <= 0) return -1;
    return n + end + (enc ? t : 0);
}

static long fresh(const Case *k, int enc, const u8 *aad, int aad_len, const u8 *in, int len, u8 *out) {
    EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new();
    long n = begin(x, k, enc) ? run(x, k, enc, aad, aad_len, in, len, out) : -1;
    EVP_CIPHER_CTX_free(x);
    return n;
}

static const int SIZES[] = {0, 1, 7, 8, 15, 16, 17, 32, 33, 64, 100, 127, 128, 1023, 1024, 1032, 2049, 4112, MOST};

// Pieces of 1 to 33 bytes, or a few of a long message.
static int tried(int len, int piece) { return len < 200 || piece == 1 || piece == 7 || piece == 16 || piece == 33; }

static int fits(const Case *k, int len) {
    if (k->mode == EVP_CIPH_XTS_MODE) return len >= 16;
    if (k->aead && len == 0) return 0; // neither text nor associated data, with both providers
    return k->block == 1 || k->pad || len % k->block == 0;
}

// fresh = re-init = dup.
static int again(const Case *k) {
    static u8 text[MOST], want[MOST + 64], got[MOST + 64], waste[MOST + 64];
    pattern(text, MOST, 3);
    int any = 0, n, aad = k->aead && !is_omac(k) ? 21 : 0;
    u8 other[64];
    pattern(other, sizeof other, 9);
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        int len = SIZES[i];
        if (!fits(k, len)) continue;
        any = 1;
        long w = fresh(k, 1, text, aad, text, len, want);
        NEED(w >= len, "encryption of %d bytes", len);
        NEED(fresh(k, 0, text, aad, want, (int)w, got) == len && !memcmp(got, text, len), "decryption of %d bytes", len);
        for (int way = 0; way < 7; way++) {
            EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new(), *y = NULL;
            int ok = begin(x, k, 1);
            // A message given up within a block, or ended.
            int before = (int)(i * 7 + way * 5) % 60;
            if (k->mode != EVP_CIPH_XTS_MODE || before >= 16) ok = ok && EVP_EncryptUpdate(x, waste, &n, text + 9, before);
            if (way & 1 && fits(k, before)) ok = ok && EVP_EncryptFinal_ex(x, waste + 80, &n);
            switch (way) {
            case 0: case 1: ok = ok && EVP_CipherInit_ex(x, NULL, NULL, NULL, k->iv, -1); break;
            case 2: case 3: ok = ok && EVP_CipherInit_ex(x, NULL, NULL, k->key, k->iv, 1); break;
            case 4: // another key, then this one without an IV, which authenticated ciphers need anew
                ok = ok && EVP_CipherInit_ex(x, NULL, NULL, other, NULL, 1) && EVP_CipherInit_ex(x, NULL, NULL, k->key, NULL, 1);
                if (k->aead) ok = ok && EVP_CipherInit_ex(x, NULL, NULL, NULL, k->iv, 1);
                break;
            case 5: // the other direction and back
                ok = ok && EVP_CipherInit_ex(x, NULL, NULL, NULL, k->iv, 0) && EVP_CipherInit_ex(x, NULL, NULL, NULL, k->iv, 1);
                break;
            case 6: // a duplicate of a fresh one, while the original continues with another message
                ok = ok && EVP_CipherInit_ex(x, NULL, NULL, NULL, k->iv, 1);
                y = EVP_CIPHER_CTX_new();
                ok = ok && EVP_CIPHER_CTX_copy(y, x) && (len < 16 || EVP_EncryptUpdate(x, waste, &n, text + 5, 16));
            }
            EVP_CIPHER_CTX *z = y ? y : x;
            long g = ok ? run(z, k, 1, text, aad, text, len, got) : -1;
            EVP_CIPHER_CTX_free(x);
            EVP_CIPHER_CTX_free(y);
            NEED(g == w && !memcmp(got, want, w), "re-init way %d, %d bytes", way, len);
        }
        if (k->mode == EVP_CIPH_XTS_MODE) continue;
        // A duplicate in the middle of a message.
        for (int cut = 0; cut <= len; cut += 1 + len / 5) {
            EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new(), *y = EVP_CIPHER_CTX_new();
            int a = 0, ok = begin(x, k, 1);
            if (aad) ok = ok && EVP_EncryptUpdate(x, NULL, &n, text, aad);
            ok = ok && EVP_EncryptUpdate(x, got, &a, text, cut) && EVP_CIPHER_CTX_copy(y, x);
            ok = ok && EVP_EncryptUpdate(x, waste, &n, text + 1, len / 2);
            long g = ok ? run(y, k, 1, NULL, 0, text + cut, len - cut, got + a) : -1;
            EVP_CIPHER_CTX_free(x);
            EVP_CIPHER_CTX_free(y);
            NEED(g >= 0 && a + g == w && !memcmp(got, want, w), "a duplicate after %d of %d bytes", cut, len);
        }
    }
    NEED(any, "no size fits");
    return 1;
}

// Pieces of 1 to 33 bytes into buffers of exactly the size that EVP's manual promises; the bytes after them stay as they are.
static int pieces(const Case *k, int enc) {
    static u8 text[MOST + 64], want[MOST + 64], got[MOST + 64];
    pattern(text, MOST, 4);
    int aad = k->aead && !is_omac(k) ? 21 : 0, t = k->aead ? tag_len(k) : 0;
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        int plain = SIZES[i];
        if (!fits(k, plain)) continue;
        long len = plain, w = fresh(k, 1, text, aad, text, plain, want);
        NEED(w >= 0, "encryption of %d bytes", plain);
        const u8 *from = text, *to = want;
        if (!enc) { from = want; to = text; len = w - t; w = plain; } else w -= t;
        for (int size = 1; size <= 33; size++) {
            if (!tried(plain, size)) continue;
            EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new();
            int ok = begin(x, k, enc), n;
            for (int a = 0; a < aad; a += size) ok = ok && EVP_CipherUpdate(x, NULL, &n, text + a, aad - a < size ? aad - a : size);
            long done = 0;
            for (long at = 0; at < len && ok; at += size) {
                int piece = len - at < size ? (int)(len - at) : size;
                int room = k->block == 1 ? piece : piece + k->block - (enc ? 1 : 0);
                u8 *out = alloc(room + GUARD);
                memset(out, 0xa5, room + GUARD);
                ok = EVP_CipherUpdate(x, out, &n, from + at, piece) && n <= room;
                for (int g = ok ? n : 0; g < room + GUARD; g++)
                    if (g >= room && out[g] != 0xa5) ok = 0;
                if (ok) memcpy(got + done, out, n);
                done += n;
                free(out);
            }
            if (k->aead && !enc) ok = ok && EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_TAG, t, want + plain) > 0;
            u8 *out = alloc(k->block + GUARD);
            memset(out, 0xa5, k->block + GUARD);
            ok = ok && EVP_CipherFinal_ex(x, out, &n) && n <= k->block && (k->block > 1 || n == 0);
            for (int g = k->block; g < k->block + GUARD; g++)
                if (out[g] != 0xa5) ok = 0;
            if (ok) memcpy(got + done, out, n);
            free(out);
            EVP_CIPHER_CTX_free(x);
            NEED(ok && done + n == w && !memcmp(got, to, w), "pieces of %d bytes of %d, %s", size, plain, enc ? "encrypted" : "decrypted");
        }
    }
    return 1;
}

// In place, also in pieces, with a part of a block held from before, and with the output that far before the input.
static int in_place(const Case *k, int enc) {
    static u8 text[MOST + 64], want[MOST + 64], room[MOST + 128], all[MOST + 128];
    pattern(text, MOST, 5);
    int t = k->aead ? tag_len(k) : 0;
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        int plain = SIZES[i];
        if (!fits(k, plain)) continue;
        long len = plain, w = fresh(k, 1, NULL, 0, text, plain, want);
        NEED(w >= 0, "encryption of %d bytes", plain);
        const u8 *from = text, *to = want;
        if (!enc) { from = want; to = text; len = w - t; w = plain; } else w -= t;
        for (int size = 0; size <= 100; size += size < 35 ? 1 : 13) {
            if (size && k->mode == EVP_CIPH_XTS_MODE) break;
            if (size && size < 34 && !tried(plain, size)) continue;
            for (int shifted = 0; shifted < 2; shifted++) {
                EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new();
                int ok = begin(x, k, enc), n = 0;
                long done = 0, step = size ? size : len ? len : 1;
                for (long at = 0; at < len && ok; at += step) {
                    int piece = (int)(len - at < step ? len - at : step);
                    // In place, or as far before the input as bytes were held: then the output is in the place of its text.
                    long held = shifted ? at - done : 0;
                    memset(room, 0, sizeof room);
                    memcpy(room + 48, from + at, piece);
                    ok = EVP_CipherUpdate(x, room + 48 - held, &n, room + 48, piece);
                    memcpy(all + done, room + 48 - held, n);
                    done += n;
                }
                if (k->aead && !enc) ok = ok && EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_TAG, t, want + plain) > 0;
                ok = ok && EVP_CipherFinal_ex(x, all + done, &n);
                EVP_CIPHER_CTX_free(x);
                NEED(ok && done + n == w && !memcmp(all, to, w), "in place, pieces of %d of %d bytes%s", size, plain,
                    shifted ? ", shifted" : "");
            }
        }
    }
    return 1;
}

static int tags(const Case *k) {
    u8 text[100], sealed[100], full[16], tag[16];
    int n, aad = is_omac(k) ? 0 : 13, least = is_omac(k) ? tag_len(k) : 4;
    pattern(text, sizeof text, 6);
    for (int len = 0; len <= 17; len++) {
        EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new();
        int ok = begin(x, k, 1) && (!aad || EVP_EncryptUpdate(x, NULL, &n, text, aad)) && EVP_EncryptUpdate(x, sealed, &n, text, 77) &&
            EVP_EncryptFinal_ex(x, sealed + n, &n) && EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_GET_TAG, tag_len(k), full) > 0;
        NEED(ok, "sealing");
        int allowed = len >= least && len <= tag_len(k);
        int given = EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_GET_TAG, len, tag) > 0;
        NEED(given == allowed, "a tag of %d bytes is %s", len, given ? "given" : "refused");
        NEED(!allowed || !memcmp(tag, full, len), "a tag of %d bytes", len);
        for (int wrong = 0; wrong < 2 && allowed; wrong++) {
            tag[len - 1] ^= wrong;
            ok = begin(x, k, 0) && EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_TAG, len, tag) > 0 &&
                (!aad || EVP_DecryptUpdate(x, NULL, &n, text, aad)) && EVP_DecryptUpdate(x, sealed, &n, sealed, 77) &&
                EVP_DecryptFinal_ex(x, sealed + n, &n);
            NEED(ok == !wrong, "a %s tag of %d bytes is %s", wrong ? "wrong" : "right", len, ok ? "accepted" : "refused");
            fresh(k, 1, text, aad, text, 77, sealed);
        }
        EVP_CIPHER_CTX_free(x);
    }
    return 1;
}

// The updated IV continues where the message stopped.
static int updated_iv(const Case *k) {
    u8 text[96], want[96], got[96], iv[16];
    int n;
    pattern(text, sizeof text, 7);
    if (k->mode == EVP_CIPH_ECB_MODE) return 1;
    int goes_on = k->mode == EVP_CIPH_CBC_MODE || k->mode == EVP_CIPH_CFB_MODE || k->mode == EVP_CIPH_OFB_MODE;
    if (!goes_on || strstr(EVP_CIPHER_get0_name(k->c), "cnt")) {
        // None of these has an IV to continue with: before data it is the IV, and then an error.
        EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new();
        int len, ok = begin(x, k, 1) && (len = EVP_CIPHER_CTX_get_iv_length(x)) > 0 && EVP_CIPHER_CTX_get_updated_iv(x, iv, sizeof iv) &&
            !memcmp(iv, k->iv, len) && EVP_CipherUpdate(x, want, &n, text, 48);
        NEED(ok, "the IV before data");
        NEED(!EVP_CIPHER_CTX_get_updated_iv(x, iv, sizeof iv), "an IV to go on with after data");
        NEED(EVP_CipherFinal_ex(x, got, &n) && !EVP_CIPHER_CTX_get_updated_iv(x, iv, sizeof iv), "an IV to go on with at the end");
        EVP_CIPHER_CTX_free(x);
        ERR_clear_error();
        return 1;
    }
    for (int enc = 0; enc < 2; enc++) {
        EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new();
        int ok = begin(x, k, enc) && EVP_CIPHER_CTX_set_padding(x, 0) && EVP_CipherUpdate(x, want, &n, text, 96);
        ok = ok && begin(x, k, enc) && EVP_CIPHER_CTX_set_padding(x, 0) && EVP_CipherUpdate(x, got, &n, text, 48) &&
            EVP_CIPHER_CTX_get_updated_iv(x, iv, sizeof iv) && EVP_CipherInit_ex(x, NULL, NULL, NULL, iv, -1) &&
            EVP_CipherUpdate(x, got + 48, &n, text + 48, 48);
        EVP_CIPHER_CTX_free(x);
        NEED(ok && !memcmp(got, want, 96), "the updated IV");
    }
    return 1;
}

static int same_as_peer(const Case *k, const EVP_CIPHER *other) {
    static u8 text[MOST], a[MOST + 64], b[MOST + 64];
    Case p = *k;
    p.c = other;
    pattern(text, MOST, 8);
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        int len = SIZES[i];
        if (!fits(k, len) || !len) continue;
        long n = fresh(k, 1, NULL, 0, text, len, a), m = fresh(&p, 1, NULL, 0, text, len, b);
        if (m < 0) return -1;
        NEED(n == m && !memcmp(a, b, n), "gostprov differs at %d bytes", len);
        NEED(fresh(&p, 0, NULL, 0, a, (int)n, b) == len && !memcmp(b, text, len), "gostprov decrypts otherwise, %d bytes", len);
    }
    return 1;
}

static u8 *zeros(size_t n) {
    u8 *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) abort();
    return p;
}

// The most that EVP's int can hold in one call, and a little more, to pass 2^31; and this in pieces of 1 MiB.
static int large_cipher(const Case *k) {
    if (k->mode == EVP_CIPH_XTS_MODE) return -2; // a data unit ends at 16 MiB
    if (k->aead && tag_len(k) == 8 && !is_omac(k)) return -2; // RFC 9058's limit, 2^29 bytes, comes first
    size_t whole = 0x7fffffffu / 16 * 16, sizes[] = {whole, 4096};
    u8 *in = zeros(whole), *out = zeros(whole), end[2][32];
    for (int way = 0; way < 2; way++) {
        size_t step = way ? 1 << 20 : whole;
        EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new();
        int ok = begin(x, k, 1) && EVP_CIPHER_CTX_set_padding(x, 0), n;
        for (int round = 0; round < 2; round++)
            for (size_t at = 0, len; at < sizes[round] && ok; at += len) {
                len = sizes[round] - at < step ? sizes[round] - at : step;
                ok = EVP_EncryptUpdate(x, out, &n, in, (int)len) && (size_t)n == len;
                memcpy(end[way], out + len - 32, 32);
            }
        EVP_CIPHER_CTX_free(x);
        NEED(ok, "over 2^31 bytes, way %d", way);
    }
    munmap(in, whole);
    munmap(out, whole);
    NEED(!memcmp(end[0], end[1], 32), "over 2^31 bytes, one call and many differ");
    return 1;
}

// ---- Digests

static int digest_again(const EVP_MD *md) {
    static u8 text[MOST], want[64], got[64];
    unsigned n, w;
    pattern(text, MOST, 3);
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        int len = SIZES[i];
        NEED(EVP_Digest(text, len, want, &w, md, NULL), "one shot");
        EVP_MD_CTX *x = EVP_MD_CTX_new(), *y = EVP_MD_CTX_new();
        int ok = EVP_DigestInit_ex2(x, md, NULL) && EVP_DigestUpdate(x, text + 3, len / 2) && EVP_DigestInit_ex2(x, NULL, NULL) &&
            EVP_DigestUpdate(x, text, len) && EVP_DigestFinal_ex(x, got, &n);
        NEED(ok && n == w && !memcmp(got, want, w), "re-init, %d bytes", len);
        ok = EVP_DigestInit_ex2(x, md, NULL) && EVP_DigestUpdate(x, text, len / 3) && EVP_MD_CTX_copy_ex(y, x) &&
            EVP_DigestUpdate(x, text, 77) && EVP_DigestUpdate(y, text + len / 3, len - len / 3) && EVP_DigestFinal_ex(y, got, &n);
        NEED(ok && n == w && !memcmp(got, want, w), "a duplicate, %d bytes", len);
        EVP_MD_CTX_free(x);
        EVP_MD_CTX_free(y);
    }
    return 1;
}

static int digest_pieces(const EVP_MD *md) {
    static u8 text[MOST], want[64], got[64];
    unsigned n, w;
    pattern(text, MOST, 3);
    for (int size = 1; size < 200; size += size < 70 ? 1 : 13) {
        EVP_MD_CTX *x = EVP_MD_CTX_new();
        int len = 1000 + size, ok = EVP_DigestInit_ex2(x, md, NULL) && EVP_Digest(text, len, want, &w, md, NULL);
        for (int at = 0; at < len; at += size) ok = ok && EVP_DigestUpdate(x, text + at, len - at < size ? len - at : size);
        ok = ok && EVP_DigestFinal_ex(x, got, &n);
        EVP_MD_CTX_free(x);
        NEED(ok && n == w && !memcmp(got, want, w), "pieces of %d bytes", size);
    }
    return 1;
}

static int digest_peer(const EVP_MD *a, const EVP_MD *b) {
    static u8 text[MOST], x[64], y[64];
    unsigned n, m;
    pattern(text, MOST, 3);
    // The empty message under GOST R 34.11-94: gostprov's answer is not the known one.
    for (size_t i = EVP_MD_is_a(a, "md_gost94"); i < sizeof SIZES / sizeof *SIZES; i++) {
        NEED(EVP_Digest(text, SIZES[i], x, &n, a, NULL) && EVP_Digest(text, SIZES[i], y, &m, b, NULL), "one shot");
        NEED(n == m && !memcmp(x, y, n), "gostprov differs at %d bytes", SIZES[i]);
    }
    return 1;
}

#define LARGE (((size_t)1 << 31) + 77)

static int digest_large(const EVP_MD *md) {
    u8 *p = zeros(LARGE), a[64], b[64];
    unsigned n;
    EVP_MD_CTX *x = EVP_MD_CTX_new();
    int ok = EVP_Digest(p, LARGE, a, &n, md, NULL) && EVP_DigestInit_ex2(x, md, NULL);
    for (size_t at = 0; at < LARGE; at += 1 << 20) ok = ok && EVP_DigestUpdate(x, p, LARGE - at < 1 << 20 ? LARGE - at : 1 << 20);
    ok = ok && EVP_DigestFinal_ex(x, b, &n);
    EVP_MD_CTX_free(x);
    munmap(p, LARGE);
    NEED(ok && !memcmp(a, b, n), "over 2^31 bytes");
    return 1;
}

// ---- MACs

static EVP_MAC_CTX *mac_begin(EVP_MAC *mac, size_t size) {
    u8 key[32];
    pattern(key, 32, 1);
    EVP_MAC_CTX *x = EVP_MAC_CTX_new(mac);
    OSSL_PARAM params[2] = {OSSL_PARAM_construct_end(), OSSL_PARAM_construct_end()};
    if (size) params[0] = OSSL_PARAM_construct_size_t("size", &size);
    if (x && EVP_MAC_init(x, key, 32, params)) return x;
    EVP_MAC_CTX_free(x);
    return NULL;
}

static int mac_once(EVP_MAC *mac, size_t size, const u8 *text, size_t len, u8 *tag, size_t *n) {
    EVP_MAC_CTX *x = mac_begin(mac, size);
    int ok = x && EVP_MAC_update(x, text, len) && EVP_MAC_final(x, tag, n, 64);
    EVP_MAC_CTX_free(x);
    return ok;
}

static int mac_again(EVP_MAC *mac) {
    static u8 text[MOST], want[64], got[64], key[32];
    size_t w, n;
    pattern(text, MOST, 3);
    pattern(key, 32, 1);
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        int len = SIZES[i];
        NEED(mac_once(mac, 0, text, len, want, &w), "a tag of %d bytes of text", len);
        EVP_MAC_CTX *x = mac_begin(mac, 0), *y;
        int ok = EVP_MAC_update(x, text + 3, len / 2) && EVP_MAC_init(x, NULL, 0, NULL) && EVP_MAC_update(x, text, len) &&
            EVP_MAC_final(x, got, &n, 64);
        NEED(ok && n == w && !memcmp(got, want, w), "init without a key in the message, %d bytes", len);
        ok = EVP_MAC_init(x, NULL, 0, NULL) && EVP_MAC_update(x, text, len) && EVP_MAC_final(x, got, &n, 64);
        NEED(ok && n == w && !memcmp(got, want, w), "init without a key after the tag, %d bytes", len);
        ok = EVP_MAC_init(x, key, 32, NULL) && EVP_MAC_update(x, text, len / 3);
        y = ok ? EVP_MAC_CTX_dup(x) : NULL;
        ok = y && EVP_MAC_update(x, text, 9) && EVP_MAC_update(y, text + len / 3, len - len / 3) && EVP_MAC_final(y, got, &n, 64);
        NEED(ok && n == w && !memcmp(got, want, w), "a duplicate, %d bytes", len);
        EVP_MAC_CTX_free(x);
        EVP_MAC_CTX_free(y);
    }
    return 1;
}

static int mac_pieces(EVP_MAC *mac) {
    static u8 text[MOST], want[64], got[64];
    size_t w, n;
    pattern(text, MOST, 3);
    for (int size = 1; size < 70; size++) {
        int len = (size % 16 ? 300 : 4200) + size, ok = mac_once(mac, 0, text, len, want, &w);
        EVP_MAC_CTX *x = mac_begin(mac, 0);
        for (int at = 0; at < len; at += size) ok = ok && EVP_MAC_update(x, text + at, len - at < size ? len - at : size);
        ok = ok && EVP_MAC_final(x, got, &n, 64);
        EVP_MAC_CTX_free(x);
        NEED(ok && n == w && !memcmp(got, want, w), "pieces of %d bytes", size);
    }
    // Shorter tags are the first bytes of the longest.
    size_t most = strncmp(EVP_MAC_get0_name(mac), "gost-mac", 8) ? w : 8;
    NEED(mac_once(mac, most, text, 100, want, &w) && w == most, "the longest tag");
    for (size_t size = 1; size <= most; size++)
        NEED(mac_once(mac, size, text, 100, got, &n) && n == size && !memcmp(got, want, n), "a tag of %zu bytes", size);
    return 1;
}

static int mac_peer(EVP_MAC *a, EVP_MAC *b) {
    static u8 text[MOST], x[64], y[64];
    size_t n, m;
    pattern(text, MOST, 3);
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        // gostprov 3.0.1 makes 8 bytes of kuznyechik-mac at most, and reads a size in init.
        size_t size = 0;
        if (!strcmp(EVP_MAC_get0_name(a), "kuznyechik-mac")) size = 8;
        if (!mac_once(b, size, text, SIZES[i], y, &m)) return -1;
        NEED(mac_once(a, size, text, SIZES[i], x, &n), "a tag");
        NEED(n == m && !memcmp(x, y, n), "gostprov differs at %d bytes (%zu and %zu bytes of tag)", SIZES[i], n, m);
    }
    return 1;
}

static int mac_large(EVP_MAC *mac) {
    u8 *p = zeros(LARGE), a[64], b[64];
    size_t n;
    int ok = mac_once(mac, 0, p, LARGE, a, &n);
    EVP_MAC_CTX *x = mac_begin(mac, 0);
    for (size_t at = 0; at < LARGE; at += 1 << 20) ok = ok && EVP_MAC_update(x, p, LARGE - at < 1 << 20 ? LARGE - at : 1 << 20);
    ok = ok && EVP_MAC_final(x, b, &n, 64);
    EVP_MAC_CTX_free(x);
    munmap(p, LARGE);
    NEED(ok && !memcmp(a, b, n), "over 2^31 bytes");
    return 1;
}

// ---- KDFs

// Each accepts the parameters that it knows, and refuses the rest.
static int kdf_once(EVP_KDF_CTX *x, u8 *out, size_t n) {
    const char *name = EVP_KDF_get0_name(EVP_KDF_CTX_kdf(x));
    unsigned iter = 3;
    OSSL_PARAM params[8], *p = params;
    *p++ = OSSL_PARAM_construct_octet_string("key", "0123456789abcdef0123456789abcdef", 32);
    if (strstr(name, "pbkdf2") || strstr(name, "hkdf")) *p++ = OSSL_PARAM_construct_octet_string("salt", "pepper", 6);
    if (strstr(name, "pbkdf2")) *p++ = OSSL_PARAM_construct_uint("iter", &iter);
    else *p++ = OSSL_PARAM_construct_octet_string(strstr(name, "hkdf") ? "info" : "seed", "12345678", 8);
    if (strstr(name, "KDF_") || strstr(name, "tls-")) *p++ = OSSL_PARAM_construct_octet_string("label", "a label", 7);
    *p = OSSL_PARAM_construct_end();
    return EVP_KDF_derive(x, out, n, params);
}

static int kdf_again(EVP_KDF *kdf) {
    u8 want[64], got[64];
    EVP_KDF_CTX *x = EVP_KDF_CTX_new(kdf), *y;
    size_t n = EVP_KDF_CTX_get_kdf_size(x);
    if (n > 64) n = 64;
    NEED(kdf_once(x, want, n), "a key");
    NEED(EVP_KDF_derive(x, got, n, NULL) && !memcmp(got, want, n), "once more");
    y = EVP_KDF_CTX_dup(x);
    EVP_KDF_CTX_reset(x);
    NEED(!EVP_KDF_derive(x, got, n, NULL), "derived without a key");
    NEED(kdf_once(x, got, n) && !memcmp(got, want, n), "after a reset");
    NEED(y && EVP_KDF_derive(y, got, n, NULL) && !memcmp(got, want, n), "a duplicate");
    EVP_KDF_CTX_free(x);
    EVP_KDF_CTX_free(y);
    return 1;
}

// ---- check

static int wrongs, large;

// Yes, "-" if the case does not apply, or the error.
static const char *mark(int right) {
    static char marks[8][300];
    static int next;
    char *m = marks[next++ % 8];
    if (right == 1) return "yes";
    if (right == -1) return "fails there";
    if (right == -2) return "-";
    wrongs++;
    snprintf(m, sizeof marks[0], "NO: %s", failed ? failed : "?");
    failed = NULL;
    return m;
}

static void cells(const char *kind, const char *name, const char *again, const char *split, const char *place, const char *equal,
    const char *sizes) {
    printf("%s|%s|%s|%s|%s|%s|%s\n", kind, name, again, split, place, equal, sizes);
    fflush(stdout);
}

static void check_cipher(EVP_CIPHER *c, void *unused) {
    (void)unused;
    Case k;
    if (strcmp(OSSL_PROVIDER_get0_name(EVP_CIPHER_get0_provider(c)), "bulat")) return;
    const char *first, *second, *third, *fourth, *fifth;
    int r = 1, s = 1, p = 1;
    for (int pad = 0; pad < 2; pad++) {
        of(&k, c);
        if (pad && k.block == 1) break;
        k.pad = pad;
        r = r && again(&k) && updated_iv(&k) && (!k.aead || tags(&k));
        if (k.mode != EVP_CIPH_XTS_MODE) s = s && pieces(&k, 1) && pieces(&k, 0);
        p = p && in_place(&k, 1) && in_place(&k, 0);
    }
    first = mark(r);
    second = mark(k.mode == EVP_CIPH_XTS_MODE ? -2 : s);
    third = mark(p);
    ERR_set_mark();
    EVP_CIPHER *other = peer ? EVP_CIPHER_fetch(NULL, EVP_CIPHER_get0_name(c), NULL) : NULL;
    fourth = mark(other ? k.aead ? -1 : same_as_peer(&k, other) : -2);
    ERR_pop_to_mark();
    EVP_CIPHER_free(other);
    k.pad = 0;
    fifth = mark(large ? large_cipher(&k) : -2);
    cells(k.aead ? "AEAD" : "cipher", EVP_CIPHER_get0_name(c), first, second, third, fourth, fifth);
}

static void check_digest(EVP_MD *md, void *unused) {
    (void)unused;
    if (strcmp(OSSL_PROVIDER_get0_name(EVP_MD_get0_provider(md)), "bulat")) return;
    const char *first = mark(digest_again(md)), *second = mark(digest_pieces(md));
    ERR_set_mark();
    EVP_MD *other = peer ? EVP_MD_fetch(NULL, EVP_MD_get0_name(md), NULL) : NULL;
    const char *fourth = mark(other ? digest_peer(md, other) : -2);
    ERR_pop_to_mark();
    EVP_MD_free(other);
    cells("digest", EVP_MD_get0_name(md), first, second, "-", fourth, mark(large ? digest_large(md) : -2));
}

static void check_mac(EVP_MAC *mac, void *unused) {
    (void)unused;
    if (strcmp(OSSL_PROVIDER_get0_name(EVP_MAC_get0_provider(mac)), "bulat")) return;
    const char *first = mark(mac_again(mac)), *second = mark(mac_pieces(mac));
    ERR_set_mark();
    EVP_MAC *other = peer ? EVP_MAC_fetch(NULL, EVP_MAC_get0_name(mac), NULL) : NULL;
    const char *fourth = mark(other ? mac_peer(mac, other) : -2);
    ERR_pop_to_mark();
    EVP_MAC_free(other);
    cells("MAC", EVP_MAC_get0_name(mac), first, second, "-", fourth, mark(large ? mac_large(mac) : -2));
}

static void check_kdf(EVP_KDF *kdf, void *unused) {
    (void)unused;
    if (strcmp(OSSL_PROVIDER_get0_name(EVP_KDF_get0_provider(kdf)), "bulat")) return;
    cells("KDF", EVP_KDF_get0_name(kdf), mark(kdf_again(kdf)), "-", "-", "-", "-");
}

static int check(void) {
    peer = OSSL_PROVIDER_load(NULL, "gostprov");
    if (peer == NULL) fprintf(stderr, "skipped: gostprov is not installed: nothing to compare with\n");
    ERR_clear_error();
    EVP_MD_do_all_provided(lib, check_digest, NULL);
    EVP_CIPHER_do_all_provided(lib, check_cipher, NULL);
    EVP_MAC_do_all_provided(lib, check_mac, NULL);
    EVP_KDF_do_all_provided(lib, check_kdf, NULL);
    return wrongs != 0;
}

// ---- defects: each in a process of its own, since some crash it

enum { RIGHT, WRONG, ABSENT };

// A message, then another under a new IV, which must be that of a fresh context.
static int new_iv(const char *name) {
    u8 text[100], iv[16], a[120], b[120], waste[64];
    int n, m, ok;
    Case k;
    EVP_CIPHER *c = EVP_CIPHER_fetch(lib, name, NULL);
    if (c == NULL) return ABSENT;
    of(&k, c);
    pattern(text, sizeof text, 1);
    pattern(iv, sizeof iv, 77);
    EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new(), *y = EVP_CIPHER_CTX_new();
    ok = EVP_EncryptInit_ex(x, c, NULL, k.key, k.iv) && EVP_EncryptUpdate(x, waste, &n, text, 21) &&
        EVP_EncryptInit_ex(x, NULL, NULL, NULL, iv) && EVP_EncryptUpdate(x, a, &n, text, 96);
    ok = ok && EVP_EncryptInit_ex(y, c, NULL, k.key, iv) && EVP_EncryptUpdate(y, b, &m, text, 96);
    return ok && n == m && !memcmp(a, b, n) ? RIGHT : WRONG;
}

static int short_tag(const char *name, int len, int aad) {
    u8 text[50], sealed[64], tag[16];
    int n, ok;
    Case k;
    EVP_CIPHER *c = EVP_CIPHER_fetch(lib, name, NULL);
    if (c == NULL) return ABSENT;
    of(&k, c);
    pattern(text, sizeof text, 1);
    EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new();
    ok = EVP_EncryptInit_ex(x, c, NULL, k.key, k.iv) && (!aad || EVP_EncryptUpdate(x, NULL, &n, text, 9)) &&
        EVP_EncryptUpdate(x, sealed, &n, text, 50) && EVP_EncryptFinal_ex(x, sealed + 50, &n) &&
        EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_GET_TAG, len, tag) > 0;
    EVP_CIPHER_CTX_reset(x);
    ok = ok && EVP_DecryptInit_ex(x, c, NULL, k.key, k.iv) && (!aad || EVP_DecryptUpdate(x, NULL, &n, text, 9)) &&
        EVP_DecryptUpdate(x, sealed, &n, sealed, 50) && EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_TAG, len, tag) > 0 &&
        EVP_DecryptFinal_ex(x, sealed + 50, &n);
    return ok && !memcmp(sealed, text, 50) ? RIGHT : WRONG;
}

static int no_aad(const char *name) { return short_tag(name, strncmp(name, "magma", 5) ? 16 : 8, 0); }
static int tag_of_4(const char *name) { return short_tag(name, 4, 1); }

static int second_mac(const char *name) {
    u8 a[64], b[64];
    size_t n, m;
    EVP_MAC *mac = EVP_MAC_fetch(lib, name, NULL);
    if (mac == NULL) return ABSENT;
    EVP_MAC_CTX *x = mac_begin(mac, 0);
    int ok = x && EVP_MAC_update(x, (const u8 *)"text", 4) && EVP_MAC_final(x, a, &n, 64) && EVP_MAC_init(x, NULL, 0, NULL) &&
        EVP_MAC_update(x, (const u8 *)"text", 4) && EVP_MAC_final(x, b, &m, 64);
    return ok && n == m && !memcmp(a, b, n) ? RIGHT : WRONG;
}

static int makes(const char *name) {
    u8 out[64];
    int n;
    Case k;
    EVP_CIPHER *c = EVP_CIPHER_fetch(lib, name, NULL);
    if (c == NULL) return ABSENT;
    of(&k, c);
    EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new();
    OSSL_PARAM seed[] = {OSSL_PARAM_construct_octet_string("alg_id_param", out, sizeof out), OSSL_PARAM_construct_end()};
    int ok = EVP_EncryptInit_ex(x, c, NULL, k.key, k.iv) && EVP_CIPHER_CTX_get_params(x, seed) &&
        EVP_EncryptUpdate(x, out, &n, k.key, 32) && EVP_EncryptFinal_ex(x, out, &n);
    EVP_CIPHER_CTX_free(x);
    EVP_CIPHER_free(c);
    return ok ? RIGHT : WRONG;
}

static OSSL_LIB_CTX *own;
static OSSL_PROVIDER *in_default;

// In a library context other than the default one.
static int elsewhere(const char *name) {
    u8 a[64];
    size_t n;
    lib = own;
    // So that the default context cannot help.
    OSSL_PROVIDER_unload(in_default);
    EVP_MAC *mac = EVP_MAC_fetch(lib, name, NULL);
    if (mac == NULL) return ABSENT;
    return mac_once(mac, 0, (const u8 *)"text", 4, a, &n) ? RIGHT : WRONG;
}

static const struct {
    const char *name;
    int (*run)(const char *);
    const char *what;
} DEFECTS[] = {
    {"kuznyechik-ctr", new_iv, "1. a new IV on a used context"},
    {"magma-ctr", new_iv, "1. a new IV on a used context"},
    {"kuznyechik-ctr-acpkm", new_iv, "1. a new IV on a used context"},
    {"magma-ctr-acpkm", new_iv, "1. a new IV on a used context"},
    {"kuznyechik-cfb", new_iv, "1. a new IV on a used context"},
    {"kuznyechik-ofb", new_iv, "1. a new IV on a used context"},
    {"gost89", new_iv, "1. a new IV on a used context"},
    {"gost89-cnt", new_iv, "1. a new IV on a used context"},
    {"gost89-cnt-12", new_iv, "1. a new IV on a used context"},
    {"kuznyechik-cbc", new_iv, "1. a new IV on a used context"},
    {"kuznyechik-mgm", no_aad, "2. MGM opens without associated data"},
    {"magma-mgm", no_aad, "2. MGM opens without associated data"},
    {"kuznyechik-mgm", tag_of_4, "3. MGM opens with a tag of 4 bytes"},
    {"magma-mgm", tag_of_4, "3. MGM opens with a tag of 4 bytes"},
    {"gost-mac", second_mac, "4. a second MAC without a key"},
    {"gost-mac-12", second_mac, "4. a second MAC without a key"},
    {"magma-mac", second_mac, "4. a second MAC without a key"},
    {"kuznyechik-mac", second_mac, "4. a second MAC without a key"},
    {"kuznyechik-ctr-acpkm-omac", second_mac, "4. a second MAC without a key"},
    {"kuznyechik-ctr-acpkm-omac", makes, "5. CTR-ACPKM-OMAC encrypts"},
    {"magma-ctr-acpkm-omac", makes, "5. CTR-ACPKM-OMAC encrypts"},
    {"magma-mac", elsewhere, "6. in a library context of its own"},
    {"kuznyechik-mac", elsewhere, "6. in a library context of its own"},
    {"kuznyechik-ctr-acpkm-omac", elsewhere, "6. in a library context of its own"},
};

static int defects(const char *name, const char *folder) {
    int bad = 0;
    own = lib;
    lib = NULL;
    if (folder) OSSL_PROVIDER_set_default_search_path(NULL, folder);
    in_default = OSSL_PROVIDER_load(NULL, name);
    if (!in_default || !OSSL_PROVIDER_load(NULL, "default")) return 2;
    for (size_t i = 0; i < sizeof DEFECTS / sizeof *DEFECTS; i++) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            int n = DEFECTS[i].run(DEFECTS[i].name);
            _exit(n);
        }
        int status = 0;
        waitpid(child, &status, 0);
        const char *words[] = {"right", "WRONG", "not there"};
        const char *word = WIFEXITED(status) && WEXITSTATUS(status) < 3 ? words[WEXITSTATUS(status)] : "CRASHES";
        bad += !(WIFEXITED(status) && WEXITSTATUS(status) == RIGHT);
        printf("%-40s %-26s %s\n", DEFECTS[i].what, DEFECTS[i].name, word);
    }
    lib = own;
    return bad != 0;
}

// ---- bad

static int refusals, accepted;

static void refused(int ok, const char *what) {
    unsigned long e = ERR_peek_last_error();
    const char *reason = ERR_reason_error_string(e);
    if (ok || e == 0 || reason == NULL) {
        accepted++;
        printf("%s: %s\n", ok ? "ACCEPTED" : "WITHOUT WORDS", what);
    }
    refusals++;
    ERR_clear_error();
}
#define BAD(call) (ERR_clear_error(), refused((call) > 0, #call))

static int bad(void) {
    u8 key[64] = {1}, iv[32] = {0}, out[256], tag[16] = {0};
    int n;
    size_t m, big = 1000, seven = 7;
    long minus = -5;
    pattern(key, 64, 1);
    EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new();
    EVP_CIPHER *ctr = EVP_CIPHER_fetch(lib, "kuznyechik-ctr", NULL), *cbc = EVP_CIPHER_fetch(lib, "kuznyechik-cbc", NULL),
        *mgm = EVP_CIPHER_fetch(lib, "kuznyechik-mgm", NULL), *xts = EVP_CIPHER_fetch(lib, "kuznyechik-xts", NULL),
        *acpkm = EVP_CIPHER_fetch(lib, "kuznyechik-ctr-acpkm", NULL), *gost = EVP_CIPHER_fetch(lib, "gost89", NULL);
    BAD(EVP_CIPHER_fetch(lib, "kuznyechik-abc", NULL) != NULL);
    BAD(EVP_MAC_fetch(lib, "kuznyechik-ctr", NULL) != NULL);
    BAD(EVP_MD_fetch(lib, "streebog513", NULL) != NULL);

    // No key, no IV, data first.
    EVP_EncryptInit_ex(x, ctr, NULL, NULL, NULL);
    BAD(EVP_EncryptUpdate(x, out, &n, key, 16));
    EVP_EncryptInit_ex(x, NULL, NULL, key, NULL);
    BAD(EVP_EncryptUpdate(x, out, &n, key, 16));
    BAD(EVP_EncryptFinal_ex(x, out, &n));
    BAD(EVP_CIPHER_CTX_set_key_length(x, 16));
    EVP_EncryptInit_ex(x, NULL, NULL, NULL, iv);
    BAD(EVP_EncryptUpdate(x, NULL, &n, key, 16)); // no associated data here
    BAD(EVP_EncryptUpdate(x, out, &n, NULL, 16));
    // Negative lengths, and longer ones than a buffer can have: no byte is read or written.
    BAD(EVP_EncryptUpdate(x, out, &n, key, -1));
    EVP_EncryptInit_ex(x, cbc, NULL, key, iv);
    BAD(EVP_EncryptUpdate(x, out, &n, key, -16));
    EVP_EncryptInit_ex(x, mgm, NULL, key, iv);
    BAD(EVP_EncryptUpdate(x, NULL, &n, key, -5));
    BAD(EVP_EncryptUpdate(x, out, &n, key, -1));
    EVP_EncryptInit_ex(x, xts, NULL, key, iv);
    BAD(EVP_EncryptUpdate(x, out, &n, key, -32));
    EVP_EncryptInit_ex(x, ctr, NULL, key, iv);
    { // wrong lengths and types of parameters
        size_t huge = (size_t)-1;
        OSSL_PARAM large[] = {OSSL_PARAM_construct_octet_string("alg_id_param", key, huge), OSSL_PARAM_construct_end()};
        BAD(EVP_CIPHER_CTX_set_params(x, large));
        large[0] = OSSL_PARAM_construct_octet_string("iv", out, huge);
        BAD(EVP_CIPHER_CTX_get_params(x, large));
        large[0] = OSSL_PARAM_construct_octet_string("alg_id_param", NULL, 20);
        BAD(EVP_CIPHER_CTX_set_params(x, large));
        large[0] = (OSSL_PARAM){"keylen", OSSL_PARAM_UNSIGNED_INTEGER, key, huge, 0};
        BAD(EVP_CIPHER_CTX_set_params(x, large));
        // Parameters that are unknown here.
        large[0] = OSSL_PARAM_construct_size_t("tls-mac-size", &seven);
        BAD(EVP_CIPHER_CTX_set_params(x, large));
        BAD(EVP_CIPHER_CTX_set_num(x, 3));
        BAD(EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_RAND_KEY, 0, out));
        static char *asks[] = {"use-bits", "tls-version", "rounds", "keybits"};
        for (int i = 0; i < 4; i++) {
            large[0] = OSSL_PARAM_construct_size_t(asks[i], &seven);
            BAD(EVP_CIPHER_CTX_set_params(x, large));
            BAD(EVP_EncryptInit_ex2(x, ctr, NULL, NULL, large));
        }
        large[0] = OSSL_PARAM_construct_utf8_string("cts_mode", "CS3", 0);
        BAD(EVP_CIPHER_CTX_set_params(x, large));
        // A size of 0 means 8 bytes, or a text, only in a cipher with `tlstree_mode`: elsewhere nothing is read.
        void *nothing = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        large[0] = OSSL_PARAM_construct_octet_string("tlstree", nothing, 0);
        BAD(EVP_CIPHER_CTX_set_params(x, large));
        large[0] = OSSL_PARAM_construct_octet_string("tlstree_mode", nothing, 0);
        BAD(EVP_CIPHER_CTX_set_params(x, large));
        EVP_EncryptInit_ex(x, mgm, NULL, key, iv);
        large[0] = OSSL_PARAM_construct_octet_string("tlstree", nothing, 0);
        BAD(EVP_CIPHER_CTX_set_params(x, large));
        large[0] = OSSL_PARAM_construct_octet_string("tlstree_mode", NULL, 0);
        BAD(EVP_CIPHER_CTX_set_params(x, large));
        EVP_EncryptInit_ex(x, ctr, NULL, key, iv);
        munmap(nothing, 4096);
    }
    { // wrong lengths and types of parameters
        OSSL_PARAM wrong[] = {OSSL_PARAM_construct_long("ivlen", &minus), OSSL_PARAM_construct_end()};
        BAD(EVP_CIPHER_CTX_set_params(x, wrong));
        wrong[0] = OSSL_PARAM_construct_size_t("ivlen", &seven);
        BAD(EVP_CIPHER_CTX_set_params(x, wrong));
        wrong[0] = OSSL_PARAM_construct_utf8_string("ivlen", "8", 0);
        BAD(EVP_CIPHER_CTX_set_params(x, wrong));
        wrong[0] = OSSL_PARAM_construct_size_t("key-mesh", &big);
        BAD(EVP_CIPHER_CTX_set_params(x, wrong));
        wrong[0] = OSSL_PARAM_construct_octet_string("tlstree", key, 7);
        BAD(EVP_CIPHER_CTX_set_params(x, wrong));
        wrong[0] = OSSL_PARAM_construct_octet_string("alg_id_param", key, 20);
        BAD(EVP_CIPHER_CTX_set_params(x, wrong));
        wrong[0] = OSSL_PARAM_construct_utf8_string("tlstree_mode", "heavy", 0);
        BAD(EVP_CIPHER_CTX_set_params(x, wrong));
        u8 little;
        wrong[0] = OSSL_PARAM_construct_octet_string("iv", &little, 1);
        BAD(EVP_CIPHER_CTX_get_params(x, wrong));
        EVP_EncryptInit_ex(x, acpkm, NULL, key, iv);
        wrong[0] = OSSL_PARAM_construct_size_t("key-mesh", &seven);
        BAD(EVP_CIPHER_CTX_set_params(x, wrong));
        EVP_EncryptInit_ex(x, gost, NULL, key, iv);
        wrong[0] = OSSL_PARAM_construct_utf8_string("paramset", "id-nothing", 0);
        BAD(EVP_CIPHER_CTX_set_params(x, wrong));
    }
    // Blocks.
    EVP_EncryptInit_ex(x, cbc, NULL, key, iv);
    EVP_CIPHER_CTX_set_padding(x, 0);
    EVP_EncryptUpdate(x, out, &n, key, 17);
    BAD(EVP_EncryptFinal_ex(x, out, &n));
    EVP_DecryptInit_ex(x, cbc, NULL, key, iv);
    EVP_CIPHER_CTX_set_padding(x, 1);
    EVP_DecryptUpdate(x, out, &n, key, 17);
    BAD(EVP_DecryptFinal_ex(x, out, &n));
    EVP_DecryptInit_ex(x, cbc, NULL, key, iv);
    EVP_DecryptUpdate(x, out, &n, key, 32);
    BAD(EVP_DecryptFinal_ex(x, out, &n)); // wrong padding
    EVP_DecryptInit_ex(x, cbc, NULL, key, iv);
    BAD(EVP_DecryptFinal_ex(x, out, &n)); // nothing to unpad
    EVP_DecryptInit_ex(x, cbc, NULL, key, iv);
    BAD(EVP_Cipher(x, out, key, 17) >= 0);
    // Authenticated.
    EVP_EncryptInit_ex(x, mgm, NULL, NULL, NULL);
    BAD(EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_IVLEN, 12, NULL));
    iv[0] = 0x80;
    BAD(EVP_EncryptInit_ex(x, NULL, NULL, key, iv)); // the nonce's first bit
    iv[0] = 0;
    EVP_EncryptInit_ex(x, mgm, NULL, key, iv);
    BAD(EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_GET_TAG, 16, tag)); // too early
    BAD(EVP_EncryptFinal_ex(x, out, &n));                        // nothing to authenticate
    EVP_EncryptInit_ex(x, mgm, NULL, key, iv);
    EVP_EncryptUpdate(x, out, &n, key, 16);
    BAD(EVP_EncryptUpdate(x, NULL, &n, key, 16)); // associated data after text
    EVP_EncryptFinal_ex(x, out, &n);
    BAD(EVP_EncryptUpdate(x, out, &n, key, 16)); // the nonce is used up
    BAD(EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_GET_TAG, 3, tag));
    EVP_DecryptInit_ex(x, mgm, NULL, key, iv);
    EVP_DecryptUpdate(x, out, &n, key, 16);
    BAD(EVP_DecryptFinal_ex(x, out, &n)); // no tag
    EVP_DecryptInit_ex(x, mgm, NULL, key, iv);
    BAD(EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_TAG, 3, tag));
    BAD(EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_TAG, 17, tag) > 0);
    EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_TAG, 16, tag);
    EVP_DecryptUpdate(x, out, &n, key, 16);
    BAD(EVP_DecryptFinal_ex(x, out, &n)); // a wrong tag
    // XTS.
    memcpy(key + 32, key, 32);
    BAD(EVP_EncryptInit_ex(x, xts, NULL, key, iv)); // equal halves
    key[40] ^= 1;
    EVP_EncryptInit_ex(x, xts, NULL, key, iv);
    BAD(EVP_EncryptUpdate(x, out, &n, key, 15));
    // MACs.
    EVP_MAC *mac = EVP_MAC_fetch(lib, "kuznyechik-mac", NULL);
    EVP_MAC_CTX *y = EVP_MAC_CTX_new(mac);
    BAD(EVP_MAC_update(y, key, 10));
    BAD(EVP_MAC_init(y, key, 31, NULL));
    BAD(EVP_MAC_init(y, key, 0, NULL));
    BAD(EVP_MAC_init(y, NULL, 32, NULL));
    EVP_MAC *hmac = EVP_MAC_fetch(lib, "hmac-streebog256", NULL);
    EVP_MAC_CTX *h = EVP_MAC_CTX_new(hmac);
    {
        OSSL_PARAM wrong[] = {OSSL_PARAM_construct_octet_string("key", NULL, 32), OSSL_PARAM_construct_end()};
        BAD(EVP_MAC_init(h, NULL, 0, wrong)); // no empty key
        wrong[0] = OSSL_PARAM_construct_octet_string("key", key, (size_t)-1);
        BAD(EVP_MAC_init(h, NULL, 0, wrong));
        BAD(EVP_MAC_init(h, key, (size_t)-1, NULL));
        wrong[0] = OSSL_PARAM_construct_utf8_string("digest", "SHA256", 0);
        BAD(EVP_MAC_init(h, key, 32, wrong));
        wrong[0] = OSSL_PARAM_construct_utf8_string("cipher", "AES-128-CBC", 0);
        BAD(EVP_MAC_init(h, key, 32, wrong));
        wrong[0] = OSSL_PARAM_construct_utf8_string("digest", "md_gost12_256", 0);
        BAD(EVP_MAC_init(y, key, 32, wrong)); // over a cipher
        EVP_MAC_init(h, key, 32, NULL);
        BAD(EVP_MAC_update(h, key, (size_t)-1));
    }
    EVP_MAC_CTX_free(h);
    EVP_MAC_free(hmac);
    {
        OSSL_PARAM wrong[] = {OSSL_PARAM_construct_size_t("size", &big), OSSL_PARAM_construct_end()};
        BAD(EVP_MAC_init(y, key, 32, wrong));
        wrong[0] = OSSL_PARAM_construct_size_t("key-mesh", &seven);
        BAD(EVP_MAC_init(y, key, 32, wrong));
        wrong[0] = OSSL_PARAM_construct_octet_string("iv", key, 8);
        BAD(EVP_MAC_init(y, key, 32, wrong));
    }
    EVP_MAC_init(y, key, 32, NULL);
    BAD(EVP_MAC_update(y, NULL, 5));
    BAD(EVP_MAC_final(y, out, &m, 3));
    EVP_MAC_final(y, out, &m, 64);
    BAD(EVP_MAC_update(y, key, 5)); // the tag has been made
    BAD(EVP_MAC_final(y, out, &m, 64));
    // KDFs.
    EVP_KDF *kdf = EVP_KDF_fetch(lib, "TLSTREE", NULL), *tree = EVP_KDF_fetch(lib, "KDF_TREE", NULL),
        *pb = EVP_KDF_fetch(lib, "pbkdf2-hmac-streebog512", NULL);
    EVP_KDF_CTX *z = EVP_KDF_CTX_new(kdf), *t = EVP_KDF_CTX_new(tree), *p = EVP_KDF_CTX_new(pb);
    BAD(EVP_KDF_derive(z, out, 32, NULL));
    BAD(EVP_KDF_derive(t, out, 32, NULL));
    BAD(EVP_KDF_derive(p, out, 32, NULL));
    {
        OSSL_PARAM wrong[] = {OSSL_PARAM_construct_octet_string("key", key, 31), OSSL_PARAM_construct_octet_string("seed", key, 8),
            OSSL_PARAM_construct_end()};
        BAD(EVP_KDF_derive(z, out, 32, wrong));
        wrong[0] = OSSL_PARAM_construct_octet_string("key", key, 32);
        wrong[1] = OSSL_PARAM_construct_octet_string("seed", key, 7);
        BAD(EVP_KDF_derive(z, out, 32, wrong));
        wrong[1] = OSSL_PARAM_construct_octet_string("seed", key, 8);
        BAD(EVP_KDF_derive(z, out, 31, wrong));
        BAD(EVP_KDF_derive(p, out, 32, wrong)); // no iterations
        wrong[1] = OSSL_PARAM_construct_size_t("r", &seven);
        BAD(EVP_KDF_derive(t, out, 32, wrong));
        unsigned two = 2;
        OSSL_PARAM pbkdf2[] = {OSSL_PARAM_construct_octet_string("pass", key, 4), OSSL_PARAM_construct_uint("iter", &two),
            OSSL_PARAM_construct_end(), OSSL_PARAM_construct_end(), OSSL_PARAM_construct_end()};
        BAD(EVP_KDF_derive(p, out, 32, pbkdf2)); // no salt
        pbkdf2[2] = OSSL_PARAM_construct_octet_string("salt", NULL, 8);
        BAD(EVP_KDF_derive(p, out, 32, pbkdf2));
        pbkdf2[2] = OSSL_PARAM_construct_octet_string("salt", "12345678", 8);
        pbkdf2[3] = OSSL_PARAM_construct_utf8_string("digest", "SHA256", 0);
        BAD(EVP_KDF_derive(p, out, 32, pbkdf2));
        EVP_KDF_CTX_reset(p);
        int checks = 0;
        pbkdf2[3] = OSSL_PARAM_construct_int("pkcs5", &checks);
        BAD(EVP_KDF_derive(p, out, 32, pbkdf2));
        EVP_KDF_CTX_reset(p);
        pbkdf2[3] = OSSL_PARAM_construct_utf8_string("cipher", "kuznyechik-ctr", 0);
        BAD(EVP_KDF_derive(p, out, 32, pbkdf2));
        EVP_KDF_CTX_reset(p);
        pbkdf2[3] = OSSL_PARAM_construct_utf8_string("mode", "EXTRACT_AND_EXPAND", 0);
        BAD(EVP_KDF_derive(p, out, 32, pbkdf2));
        EVP_KDF_CTX_reset(p);
        pbkdf2[3] = OSSL_PARAM_construct_end();
        BAD(EVP_KDF_derive(p, out, (size_t)-1, pbkdf2));
    }
    // Digests.
    EVP_MD *md = EVP_MD_fetch(lib, "streebog256", NULL);
    EVP_MD_CTX *d = EVP_MD_CTX_new();
    EVP_DigestInit_ex2(d, md, NULL);
    BAD(EVP_DigestUpdate(d, NULL, 5));
    BAD(EVP_DigestUpdate(d, key, (size_t)-1));
    {
        OSSL_PARAM wrong[] = {OSSL_PARAM_construct_size_t("xoflen", &seven), OSSL_PARAM_construct_end()};
        BAD(EVP_DigestInit_ex2(d, md, wrong));
        wrong[0] = OSSL_PARAM_construct_size_t("size", &seven);
        BAD(EVP_DigestInit_ex2(d, md, wrong));
        wrong[0] = OSSL_PARAM_construct_octet_string("ssl3-ms", key, 48);
        BAD(EVP_DigestInit_ex2(d, md, wrong));
        wrong[0] = OSSL_PARAM_construct_octet_string("customization", key, 4);
        BAD(EVP_DigestInit_ex2(d, md, wrong));
    }
    EVP_MD_CTX_free(d);
    EVP_MD_free(md);
    EVP_KDF_CTX_free(z);
    EVP_KDF_CTX_free(t);
    EVP_KDF_CTX_free(p);
    EVP_KDF_free(kdf);
    EVP_KDF_free(tree);
    EVP_KDF_free(pb);
    EVP_MAC_CTX_free(y);
    EVP_MAC_free(mac);
    EVP_CIPHER_CTX_free(x);
    EVP_CIPHER *all[] = {ctr, cbc, mgm, xts, acpkm, gost};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) EVP_CIPHER_free(all[i]);
    printf("%d refused with an error and words, %d not\n", refusals - accepted, accepted);
    return accepted != 0;
}

// ---- rules

// Makes a context of this module's cipher; the caller frees it.
static EVP_CIPHER_CTX *started(const char *name, const u8 *key, const u8 *iv, int enc) {
    EVP_CIPHER *c = EVP_CIPHER_fetch(lib, name, NULL);
    EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new();
    if (!EVP_CipherInit_ex(x, c, NULL, key, iv, enc)) {
        EVP_CIPHER_CTX_free(x);
        x = NULL;
    }
    EVP_CIPHER_free(c);
    return x;
}

// An init without key and IV moves to the next block of the keystream, from any position and in any direction.
static int goes_on(const char *name, int block) {
    u8 key[32], iv[16] = {1}, zero[160] = {0}, want[160], got[160];
    int n, at = 0;
    pattern(key, 32, 1);
    EVP_CIPHER_CTX *x = started(name, key, iv, 1);
    NEED(x && EVP_EncryptUpdate(x, want, &n, zero, 160), "a keystream");
    NEED(EVP_EncryptInit_ex(x, NULL, NULL, key, iv), "anew");
    for (int i = 0; i < 6; i++) {
        int len = 1 + i * 7 % block;
        NEED(EVP_CipherUpdate(x, got, &n, zero, len) && !memcmp(got, want + at, len), "%s: part %d", name, i);
        NEED(EVP_CIPHER_CTX_get_num(x) == len % block, "%s: part %d ends elsewhere", name, i);
        at += (len + block - 1) / block * block;
        NEED(EVP_CipherInit_ex(x, NULL, NULL, NULL, NULL, i & 1), "%s: goes on", name);
    }
    EVP_CIPHER_CTX_free(x);
    return 1;
}

// In CMS encryption writes the parameters, and decryption reads them before the key.
static int cms_parameters(const char *name) {
    static u8 text[9000], sealed[9000 + 16], opened[9000 + 32]; // longer than a section outside CMS
    u8 key[32], iv[16] = {1}, der[64], tag[16];
    int n, m, omac = strstr(name, "omac") != NULL, t = strncmp(name, "magma", 5) ? 16 : 8;
    pattern(key, 32, 1);
    pattern(text, sizeof text, 2);
    EVP_CIPHER_CTX *x = started(name, key, iv, 1), *y = started(name, NULL, NULL, 0);
    OSSL_PARAM p[] = {OSSL_PARAM_construct_octet_string("alg_id_param", NULL, 0), OSSL_PARAM_construct_end()};
    NEED(x && y && EVP_CIPHER_CTX_get_params(x, p) && p->return_size <= sizeof der, "%s: how long", name);
    *p = OSSL_PARAM_construct_octet_string("alg_id_param", der, sizeof der);
    NEED(EVP_CIPHER_CTX_get_params(x, p), "%s: parameters", name);
    size_t len = p->return_size;
    NEED(EVP_EncryptUpdate(x, sealed, &n, text, sizeof text) && EVP_EncryptFinal_ex(x, sealed + n, &m), "%s: sealing", name);
    *p = OSSL_PARAM_construct_octet_string("alg_id_param", opened, sizeof opened);
    NEED(EVP_CIPHER_CTX_get_params(x, p), "%s: parameters at the end", name);
    if (omac) NEED(EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_GET_TAG, t, tag) > 0, "%s: a tag after them", name);
    *p = OSSL_PARAM_construct_octet_string("alg_id_param", der, len);
    NEED(EVP_CIPHER_CTX_set_params(y, p) && EVP_DecryptInit_ex(y, NULL, NULL, key, NULL), "%s: parameters, then the key", name);
    if (omac) NEED(EVP_CIPHER_CTX_ctrl(y, EVP_CTRL_AEAD_SET_TAG, t, tag) > 0, "%s: the tag", name);
    m += n;
    NEED(EVP_DecryptUpdate(y, opened, &n, sealed, m) && EVP_DecryptFinal_ex(y, opened + n, &n) && !memcmp(opened, text, sizeof text),
        "%s: opening", name);
    // No pointer to bytes that end with the call.
    void *pointer = NULL;
    *p = OSSL_PARAM_construct_octet_ptr("alg_id_param", &pointer, 0);
    NEED(!EVP_CIPHER_CTX_get_params(x, p) && pointer == NULL, "%s: a pointer to its parameters", name);
    EVP_CIPHER_CTX_free(x);
    EVP_CIPHER_CTX_free(y);
    return 1;
}

// A record's number: the key is TLSTREE's, the IV of CTR the sum.
static int record_keys(const char *name, const char *mode, int iv_len) {
    u8 key[32], record[8] = {0, 0, 0, 0, 0, 0xff, 0xff, 0xfe}, iv[16] = {0x7f, 0xff, 0xff, 9, 0xff, 0xff, 0xff, 7}, sum[16], derived[32];
    u8 text[50], want[64], got[64];
    int n, carry = 0;
    pattern(key, 32, 1);
    pattern(text, 50, 2);
    EVP_KDF *kdf = EVP_KDF_fetch(lib, "TLSTREE", NULL);
    EVP_KDF_CTX *z = EVP_KDF_CTX_new(kdf);
    OSSL_PARAM p[] = {OSSL_PARAM_construct_octet_string("key", key, 32), OSSL_PARAM_construct_octet_string("seed", record, 8),
        OSSL_PARAM_construct_utf8_string("cipher", (char *)name, 0), OSSL_PARAM_construct_end(), OSSL_PARAM_construct_end()};
    if (mode) p[3] = OSSL_PARAM_construct_utf8_string("tlstree_mode", (char *)mode, 0);
    NEED(EVP_KDF_derive(z, derived, 32, p), "%s: TLSTREE", name);
    EVP_KDF_CTX_free(z);
    EVP_KDF_free(kdf);
    memcpy(sum, iv, 16);
    for (int i = iv_len - 1, j = 7; i >= 0 && !mode; i--, j--) {
        carry += iv[i] + (j >= 0 ? record[j] : 0);
        sum[i] = (u8)carry;
        carry >>= 8;
    }
    EVP_CIPHER_CTX *x = started(name, derived, sum, 1), *y = started(name, key, iv, 1);
    OSSL_PARAM q[] = {OSSL_PARAM_construct_octet_string("tlstree", record, 8), OSSL_PARAM_construct_end(), OSSL_PARAM_construct_end()};
    if (mode) {
        q[1] = q[0];
        q[0] = OSSL_PARAM_construct_utf8_string("tlstree_mode", (char *)mode, 0);
    }
    NEED(x && y && EVP_EncryptUpdate(x, want, &n, text, 50), "%s: under the derived key", name);
    for (int i = 0; i < 2; i++) { // a second round on a used context
        if (i && mode) NEED(EVP_EncryptInit_ex(y, NULL, NULL, NULL, iv), "%s: a nonce", name);
        NEED(EVP_CIPHER_CTX_set_params(y, q) && EVP_EncryptUpdate(y, got, &n, text, 50) && !memcmp(got, want, 50), "%s: record", name);
    }
    EVP_CIPHER_CTX_free(x);
    EVP_CIPHER_CTX_free(y);
    return 1;
}

// After `tlstree_mode` each message needs a record's number of its own: the first bit of a nonce is ignored then, and two
// nonces that differ in it would give one keystream.
static int record_numbers(const char *name, const char *mode) {
    u8 key[32], seq[8] = {0}, iv[16] = {1}, in[32] = {0}, out[32];
    int n;
    pattern(key, 32, 1);
    OSSL_PARAM p[] = {OSSL_PARAM_construct_utf8_string("tlstree_mode", (char *)mode, 0), OSSL_PARAM_construct_end()};
    OSSL_PARAM q[] = {OSSL_PARAM_construct_octet_string("tlstree", seq, 8), OSSL_PARAM_construct_end()};
    EVP_CIPHER_CTX *x = started(name, key, iv, 1);
    NEED(x && EVP_CIPHER_CTX_set_params(x, p), "%s: a mode", name);
    for (int i = 0; i < 6; i++) {
        iv[0] = i & 1 ? 0x81 : 1;
        // The third round has another key, under which the mode stays; then also a number, and the nonce after it.
        NEED(EVP_EncryptInit_ex(x, NULL, NULL, i == 2 ? key : NULL, iv), "%s: a nonce", name);
        NEED(!EVP_EncryptUpdate(x, out, &n, in, 32) && !EVP_EncryptFinal_ex(x, out, &n), "%s: message %d has no number", name, i);
        if (i < 3) continue;
        seq[7] = (u8)i;
        NEED(EVP_CIPHER_CTX_set_params(x, q) && EVP_EncryptInit_ex(x, NULL, NULL, NULL, iv) && EVP_EncryptUpdate(x, out, &n, in, 32) &&
            EVP_EncryptUpdate(x, out, &n, in, 32) && EVP_EncryptFinal_ex(x, out, &n), "%s: message %d has a number", name, i);
    }
    EVP_CIPHER_CTX_free(x);
    ERR_clear_error();
    return 1;
}

// A tag's size may come at any time; a parameter that would lose a part of the message is refused.
static int mac_midway(const char *name) {
    u8 text[100], want[64], got[64];
    size_t n, w, size = 3, section = 4096;
    pattern(text, 100, 2);
    EVP_MAC *mac = EVP_MAC_fetch(lib, name, NULL);
    NEED(mac_once(mac, 0, text, 100, want, &w), "a tag");
    EVP_MAC_CTX *x = mac_begin(mac, 0);
    OSSL_PARAM p[] = {OSSL_PARAM_construct_size_t("key-mesh", &section), OSSL_PARAM_construct_end()};
    NEED(EVP_MAC_update(x, text, 60) && !EVP_MAC_CTX_set_params(x, p), "%s: a section within the message", name);
    *p = OSSL_PARAM_construct_size_t("size", &size);
    NEED(EVP_MAC_CTX_set_params(x, p) && EVP_MAC_update(x, text + 60, 40) && EVP_MAC_final(x, got, &n, 64), "%s: a size", name);
    NEED(n == size && !memcmp(got, want, n), "%s: a size within the message", name);
    EVP_MAC_CTX_free(x);
    EVP_MAC_free(mac);
    return 1;
}

// A context that has sealed has no tag to open with.
static int no_tag_left(void) {
    u8 key[32], iv[16] = {1}, text[50] = {5};
    int n;
    pattern(key, 32, 1);
    EVP_CIPHER_CTX *x = started("kuznyechik-mgm", key, iv, 1);
    NEED(x && EVP_EncryptUpdate(x, text, &n, text, 50) && EVP_EncryptFinal_ex(x, text + n, &n), "sealing");
    NEED(EVP_DecryptInit_ex(x, NULL, NULL, key, iv) && EVP_DecryptUpdate(x, text, &n, text, 50), "opening");
    NEED(!EVP_DecryptFinal_ex(x, text + n, &n), "the tag that was made is taken for one to check");
    // A null pointer is no tag either.
    void *nothing = NULL;
    OSSL_PARAM p[] = {OSSL_PARAM_construct_octet_ptr("tag", &nothing, 16), OSSL_PARAM_construct_end()};
    NEED(EVP_DecryptInit_ex(x, NULL, NULL, key, iv) && !EVP_CIPHER_CTX_set_params(x, p), "a tag that is nowhere");
    EVP_CIPHER_CTX_free(x);
    return 1;
}

// Several seeds are concatenated.
static int seeds_together(void) {
    u8 want[32], got[32];
    EVP_KDF *kdf = EVP_KDF_fetch(lib, "hkdf-streebog256", NULL);
    EVP_KDF_CTX *x = EVP_KDF_CTX_new(kdf);
    OSSL_PARAM p[] = {OSSL_PARAM_construct_octet_string("key", "secret", 6), OSSL_PARAM_construct_octet_string("info", "abcd", 4),
        OSSL_PARAM_construct_end(), OSSL_PARAM_construct_end()};
    NEED(EVP_KDF_derive(x, want, 32, p), "HKDF");
    p[1] = OSSL_PARAM_construct_octet_string("info", "ab", 2);
    p[2] = OSSL_PARAM_construct_octet_string("info", "cd", 2);
    NEED(EVP_KDF_derive(x, got, 32, p) && !memcmp(got, want, 32), "two pieces of info");
    NEED(EVP_KDF_derive(x, got, 32, p) && !memcmp(got, want, 32), "the same again");
    EVP_KDF_CTX_free(x);
    EVP_KDF_free(kdf);
    return 1;
}

// Texts of size 0 end at their NUL; names may have any case.
static int short_texts(void) {
    u8 want[32], got[32];
    EVP_KDF *kdf = EVP_KDF_fetch(lib, "hkdf-streebog256", NULL);
    EVP_KDF_CTX *x = EVP_KDF_CTX_new(kdf);
    OSSL_PARAM p[] = {OSSL_PARAM_octet_string("key", (void *)"secret", 6), OSSL_PARAM_utf8_string("mode", (void *)"EXPAND_ONLY", 11),
        OSSL_PARAM_END};
    NEED(EVP_KDF_derive(x, want, 32, p), "HKDF's second step");
    p[1] = (OSSL_PARAM)OSSL_PARAM_utf8_string("mode", (void *)"expand_only", 0);
    NEED(EVP_KDF_derive(x, got, 32, p) && !memcmp(got, want, 32), "HKDF's second step, a text of size 0");
    EVP_KDF_CTX_free(x);
    EVP_KDF_free(kdf);
    kdf = EVP_KDF_fetch(lib, "TLSTREE", NULL);
    x = EVP_KDF_CTX_new(kdf);
    OSSL_PARAM q[] = {OSSL_PARAM_octet_string("key", (void *)"0123456789abcdef0123456789abcdef", 32),
        OSSL_PARAM_octet_string("seed", (void *)"12345678", 8), OSSL_PARAM_utf8_string("cipher", (void *)"kuznyechik-mgm", 14),
        OSSL_PARAM_utf8_string("tlstree_mode", (void *)"light", 5), OSSL_PARAM_END};
    NEED(EVP_KDF_derive(x, want, 32, q), "TLSTREE");
    q[2].data_size = q[3].data_size = 0;
    NEED(EVP_KDF_derive(x, got, 32, q) && !memcmp(got, want, 32), "TLSTREE, texts of size 0");
    EVP_KDF_CTX_free(x);
    EVP_KDF_free(kdf);
    return 1;
}

// An IV without a key begins a message under a seed of its own; decryption keeps the seed that was set.
static int seeds_differ(const char *name) {
    u8 key[32], iv[16] = {1}, der[2][64], sealed[2][64], opened[64], tag[2][16];
    int n, t = strncmp(name, "magma", 5) ? 16 : 8;
    size_t len = 0;
    pattern(key, 32, 1);
    EVP_CIPHER_CTX *x = started(name, key, iv, 1), *y = started(name, NULL, NULL, 0);
    OSSL_PARAM p[] = {OSSL_PARAM_construct_end(), OSSL_PARAM_construct_end()};
    for (int i = 0; i < 2; i++) {
        if (i) NEED(EVP_EncryptInit_ex(x, NULL, NULL, NULL, iv), "%s: an IV", name);
        *p = OSSL_PARAM_construct_octet_string("alg_id_param", der[i], sizeof der[i]);
        NEED(x && EVP_CIPHER_CTX_get_params(x, p), "%s: parameters", name);
        len = p->return_size;
        NEED(EVP_EncryptUpdate(x, sealed[i], &n, key, 32) && EVP_EncryptFinal_ex(x, sealed[i] + 32, &n) &&
            EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_GET_TAG, t, tag[i]) > 0, "%s: sealing", name);
    }
    NEED(memcmp(der[0], der[1], len) && memcmp(sealed[0], sealed[1], 32), "%s: two messages under one seed", name);
    for (int i = 0; i < 3; i++) {
        *p = OSSL_PARAM_construct_octet_string("alg_id_param", der[i & 1], len);
        // The third round is the first message again, with only its IV after its parameters.
        if (i == 2) NEED(EVP_CIPHER_CTX_set_params(y, p) && EVP_DecryptUpdate(y, opened, &n, sealed[0], 32) &&
            EVP_DecryptInit_ex(y, NULL, NULL, NULL, iv), "%s: an IV for decryption", name);
        else NEED(y && EVP_CIPHER_CTX_set_params(y, p) && EVP_DecryptInit_ex(y, NULL, NULL, key, NULL), "%s: decryption", name);
        NEED(EVP_CIPHER_CTX_ctrl(y, EVP_CTRL_AEAD_SET_TAG, t, tag[i & 1]) > 0 && EVP_DecryptUpdate(y, opened, &n, sealed[i & 1], 32) &&
            EVP_DecryptFinal_ex(y, opened + 32, &n) && !memcmp(opened, key, 32), "%s: opening, %d", name, i);
    }
    EVP_CIPHER_CTX_free(x);
    EVP_CIPHER_CTX_free(y);
    return 1;
}

// A seed that nobody can read again encrypts nothing.
static int seed_unread(const char *name) {
    u8 key[32], iv[16] = {1}, der[64], text[32] = {5};
    int n;
    pattern(key, 32, 1);
    EVP_CIPHER_CTX *x = started(name, key, iv, 1);
    OSSL_PARAM p[] = {OSSL_PARAM_construct_end(), OSSL_PARAM_construct_end()};
    for (int i = 0; i < 2; i++) {
        NEED(x && !EVP_EncryptUpdate(x, text, &n, text, 32) && !EVP_EncryptFinal_ex(x, text, &n), "%s: a seed that nobody has", name);
        *p = OSSL_PARAM_construct_octet_string("alg_id_param", NULL, 0);
        NEED(EVP_CIPHER_CTX_get_params(x, p) && !EVP_EncryptUpdate(x, text, &n, text, 32), "%s: only the length of the parameters", name);
        *p = OSSL_PARAM_construct_octet_string("alg_id_param", der, sizeof der);
        NEED(EVP_CIPHER_CTX_get_params(x, p) && EVP_EncryptUpdate(x, text, &n, text, 32) && EVP_EncryptFinal_ex(x, text, &n), "%s: a seed", name);
        NEED(EVP_EncryptInit_ex(x, NULL, NULL, NULL, iv), "%s: the next message", name);
    }
    EVP_CIPHER_CTX_free(x);
    return 1;
}

// Hosts such as Node choose authentication by the mode. With OCB's they set the tag's length before the key.
static int tag_by_mode(const char *name, int iv_len) {
    u8 key[32], iv[16] = {1}, text[32] = {5}, sealed[32], tag[16];
    int n, t = strncmp(name, "magma", 5) ? 16 : 8, aad = strstr(name, "mgm") != NULL;
    pattern(key, 32, 1);
    EVP_CIPHER *c = EVP_CIPHER_fetch(lib, name, NULL);
    NEED(c && EVP_CIPHER_get_mode(c) == EVP_CIPH_OCB_MODE && EVP_CIPHER_get_flags(c) & EVP_CIPH_FLAG_AEAD_CIPHER, "%s: mode", name);
    for (int enc = 1; enc >= 0; enc--) {
        EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new();
        NEED(EVP_CipherInit_ex(x, c, NULL, NULL, NULL, enc) && EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_IVLEN, iv_len, NULL) > 0 &&
            EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_TAG, 3, NULL) <= 0 && EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_TAG, t, NULL) > 0 &&
            EVP_CipherInit_ex(x, NULL, NULL, key, iv, enc), "%s: the lengths", name);
        if (!enc) NEED(EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_TAG, t - 1, tag) <= 0 && EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_TAG, t, tag) > 0,
            "%s: a tag of this length only", name);
        if (aad) NEED(EVP_CipherUpdate(x, NULL, &n, key, 20), "%s: associated data", name);
        NEED(EVP_CipherUpdate(x, sealed, &n, enc ? text : sealed, 32), "%s: text", name);
        NEED(EVP_CipherFinal_ex(x, sealed + 32, &n) && (enc ? EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_GET_TAG, t, tag) > 0 : !memcmp(sealed, text, 32)),
            "%s: the end", name);
        // A length is no tag.
        if (!enc) NEED(EVP_DecryptInit_ex(x, NULL, NULL, key, iv) && EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_TAG, t, NULL) > 0 &&
            EVP_DecryptUpdate(x, sealed, &n, sealed, 32) && !EVP_DecryptFinal_ex(x, sealed, &n), "%s: a length is taken for a tag", name);
        EVP_CIPHER_CTX_free(x);
    }
    EVP_CIPHER_free(c);
    return 1;
}

// CRYPT_PARAMS: a name, an OID; with an unknown one, or one that is not UTF-8, nothing is encrypted.
static int crypt_params(const char *folder) {
    static const struct { const char *value, *same; int good; } CASES[] = {{"id-Gost28147-89-CryptoPro-A-ParamSet", "a", 1},
        {"1.2.643.2.2.31.2", "b", 1}, {"", "z", 1}, {"id-nothing", "z", 0}, {"\xff\xfe", "z", 0}};
    u8 key[32], iv[8] = {1}, text[64] = {0}, want[64], got[64];
    int n;
    OSSL_LIB_CTX *before = lib;
    pattern(key, 32, 1);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        setenv("CRYPT_PARAMS", CASES[i].value, 1);
        lib = OSSL_LIB_CTX_new();
        if (folder) OSSL_PROVIDER_set_default_search_path(lib, folder);
        OSSL_PROVIDER *ours = OSSL_PROVIDER_load(lib, "bulat");
        unsetenv("CRYPT_PARAMS");
        EVP_CIPHER_CTX *x = started("gost89", key, iv, 1), *y = started("kuznyechik-ecb", key, NULL, 1);
        int encrypts = x && EVP_EncryptUpdate(x, got, &n, text, 64);
        EVP_CIPHER_CTX_free(x);
        EVP_CIPHER_CTX_free(y);
        OSSL_PROVIDER_unload(ours);
        OSSL_LIB_CTX_free(lib);
        lib = before;
        OSSL_PARAM p[] = {OSSL_PARAM_construct_utf8_string("paramset", (char *)CASES[i].same, 0), OSSL_PARAM_construct_end()};
        x = started("gost89", key, iv, 1);
        NEED(x && EVP_CIPHER_CTX_set_params(x, p) && EVP_EncryptUpdate(x, want, &n, text, 64), "paramset");
        EVP_CIPHER_CTX_free(x);
        NEED(ours && y && encrypts == CASES[i].good && (!encrypts || !memcmp(got, want, 64)), "CRYPT_PARAMS=%s", CASES[i].value);
    }
    return 1;
}

// OpenSSL's signatures pass the parameters of a signature to a digest.
static int signature_parameters(void) {
    unsigned deterministic = 1, n;
    size_t size = 32;
    u8 signature[256], text[50] = {5}, want[64], got[64];
    size_t len = sizeof signature;
    OSSL_PARAM p[] = {OSSL_PARAM_construct_uint("nonce-type", &deterministic), OSSL_PARAM_construct_utf8_string("properties", "provider=bulat", 0),
        OSSL_PARAM_construct_end()};
    EVP_PKEY *key = EVP_PKEY_Q_keygen(lib, NULL, "EC", "P-256");
    EVP_MD_CTX *x = EVP_MD_CTX_new();
    NEED(key && EVP_DigestSignInit_ex(x, NULL, "md_gost12_256", lib, NULL, key, p) && EVP_DigestSign(x, signature, &len, text, 50), "signing");
    EVP_MD_CTX_reset(x);
    NEED(EVP_DigestVerifyInit_ex(x, NULL, "md_gost12_256", lib, NULL, key, p) && EVP_DigestVerify(x, signature, len, text, 50) == 1, "verifying");
    EVP_MD_CTX_reset(x);
    EVP_PKEY_free(key);
    EVP_MD *md = EVP_MD_fetch(lib, "md_gost12_256", NULL);
    p[1] = OSSL_PARAM_construct_size_t("size", &size);
    NEED(EVP_DigestInit_ex2(x, md, p) && EVP_DigestUpdate(x, text, 50) && EVP_DigestFinal_ex(x, got, &n) && n == 32, "the digest's own size");
    NEED(EVP_Digest(text, 50, want, &n, md, NULL) && !memcmp(got, want, 32), "the digest with parameters");
    EVP_MD_CTX_free(x);
    EVP_MD_free(md);
    return 1;
}

// Parameters that ask for the present behavior.
static int no_wishes(void) {
    int one = 1;
    unsigned none = 0, fast = 1, iter = 2;
    size_t no_size = 0, n;
    u8 key[32], iv[16] = {1}, text[50] = {5}, want[64], got[64];
    int w;
    pattern(key, 32, 1);
    OSSL_PARAM c[] = {OSSL_PARAM_construct_utf8_string("properties", "provider=bulat", 0), OSSL_PARAM_construct_uint("use-bits", &none),
        OSSL_PARAM_construct_uint("tls-version", &none), OSSL_PARAM_construct_size_t("tls-mac-size", &no_size),
        OSSL_PARAM_construct_uint("speed", &fast), OSSL_PARAM_construct_end()};
    EVP_CIPHER_CTX *x = started("kuznyechik-ctr", key, iv, 1);
    EVP_CIPHER *ctr = EVP_CIPHER_fetch(lib, "kuznyechik-ctr", NULL);
    NEED(x && EVP_EncryptUpdate(x, want, &w, text, 50), "a cipher");
    NEED(EVP_CIPHER_CTX_set_params(x, c), "a cipher's parameters");
    NEED(EVP_EncryptInit_ex2(x, ctr, key, iv, c) && EVP_EncryptUpdate(x, got, &w, text, 50) && !memcmp(got, want, 50), "an init with parameters");
    EVP_CIPHER_CTX_free(x);
    EVP_CIPHER_free(ctr);
    EVP_MAC *mac = EVP_MAC_fetch(lib, "hmac-streebog256", NULL);
    EVP_MAC_CTX *y = EVP_MAC_CTX_new(mac);
    OSSL_PARAM m[] = {OSSL_PARAM_construct_utf8_string("digest", "MD_GOST12_256", 0), c[0], OSSL_PARAM_construct_end()};
    NEED(EVP_MAC_init(y, key, 32, NULL) && EVP_MAC_update(y, text, 50) && EVP_MAC_final(y, want, &n, 64), "a MAC");
    NEED(EVP_MAC_init(y, key, 32, m) && EVP_MAC_update(y, text, 50) && EVP_MAC_final(y, got, &n, 64) && !memcmp(got, want, n),
        "a MAC with its own digest's name");
    EVP_MAC_CTX_free(y);
    EVP_MAC_free(mac);
    // The parameters that a program sets for PBKDF2.
    OSSL_PARAM k[] = {OSSL_PARAM_construct_octet_string("pass", key, 4), OSSL_PARAM_construct_octet_string("salt", "pepper", 6),
        OSSL_PARAM_construct_uint("iter", &iter), OSSL_PARAM_construct_end(), OSSL_PARAM_construct_int("pkcs5", &one), c[0],
        OSSL_PARAM_construct_end()};
    EVP_KDF *kdf = EVP_KDF_fetch(lib, "pbkdf2-hmac-streebog512", NULL);
    EVP_KDF_CTX *z = EVP_KDF_CTX_new(kdf);
    NEED(EVP_KDF_derive(z, want, 64, k), "PBKDF2");
    k[3] = OSSL_PARAM_construct_utf8_string("digest", "id-tc26-gost3411-12-512", 0);
    NEED(EVP_KDF_derive(z, got, 64, k) && !memcmp(got, want, 64), "PBKDF2 with its own digest's name and pkcs5");
    EVP_KDF_CTX_free(z);
    EVP_KDF_free(kdf);
    return 1;
}

static int rules(const char *folder) {
    static const char *cms[] = {"gost89", "gost89-cbc", "magma-cbc", "kuznyechik-ctr", "magma-ctr", "kuznyechik-ctr-acpkm",
        "magma-ctr-acpkm", "kuznyechik-ctr-acpkm-omac", "magma-ctr-acpkm-omac"};
    static const char *macs[] = {"kuznyechik-mac", "magma-mac", "kuznyechik-ctr-acpkm-omac", "gost-mac", "hmac-streebog512"};
    int ok = goes_on("kuznyechik-ctr", 16) && goes_on("magma-ctr", 8) && goes_on("kuznyechik-ctr-acpkm", 16);
    for (size_t i = 0; i < sizeof cms / sizeof *cms && ok; i++) ok = cms_parameters(cms[i]);
    for (size_t i = 0; i < sizeof macs / sizeof *macs && ok; i++) ok = mac_midway(macs[i]);
    ok = ok && record_keys("kuznyechik-ctr", NULL, 8) && record_keys("magma-ctr", NULL, 4) && record_keys("magma-ctr-acpkm", NULL, 4) &&
        record_keys("kuznyechik-mgm", "light", 16) && record_keys("magma-mgm", "strong", 8);
    ok = ok && record_numbers("kuznyechik-mgm", "light") && record_numbers("magma-mgm", "strong");
    ok = ok && seeds_differ("kuznyechik-ctr-acpkm-omac") && seeds_differ("magma-ctr-acpkm-omac");
    ok = ok && seed_unread("kuznyechik-ctr-acpkm-omac") && seed_unread("magma-ctr-acpkm-omac");
    ok = ok && tag_by_mode("kuznyechik-mgm", 16) && tag_by_mode("magma-mgm", 8) && tag_by_mode("kuznyechik-ctr-acpkm-omac", 16) &&
        tag_by_mode("magma-ctr-acpkm-omac", 12);
    ok = ok && signature_parameters() && no_wishes();
    ok = ok && no_tag_left() && seeds_together() && short_texts() && crypt_params(folder);
    puts(ok ? "all right" : failed);
    return !ok;
}

// ---- threads

static EVP_CIPHER *shared_ctr, *shared_mgm;
static EVP_MD *shared_md;
static EVP_MAC *shared_mac;
static EVP_CIPHER_CTX *template; // only copied
static u8 expected[5][5000];

static int work(int round, u8 out[5][5000]) {
    static u8 text[4000];
    u8 key[32] = {1}, iv[16] = {2};
    int n, ok = 1;
    unsigned k;
    size_t m;
    (void)round;
    EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new();
    ok = ok && EVP_EncryptInit_ex(x, shared_ctr, NULL, key, iv) && EVP_EncryptUpdate(x, out[0], &n, text, 4000);
    ok = ok && EVP_EncryptInit_ex(x, shared_mgm, NULL, key, iv) && EVP_EncryptUpdate(x, NULL, &n, text, 20) &&
        EVP_EncryptUpdate(x, out[1], &n, text, 4000) && EVP_EncryptFinal_ex(x, out[1] + 4000, &n) &&
        EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_GET_TAG, 16, out[1] + 4000) > 0;
    ok = ok && EVP_CIPHER_CTX_copy(x, template) && EVP_EncryptUpdate(x, out[4], &n, text, 100);
    EVP_CIPHER_CTX_free(x);
    ok = ok && EVP_Digest(text, 4000, out[2], &k, shared_md, NULL);
    EVP_MAC_CTX *y = EVP_MAC_CTX_new(shared_mac);
    ok = ok && EVP_MAC_init(y, key, 32, NULL) && EVP_MAC_update(y, text, 4000) && EVP_MAC_final(y, out[3], &m, 64);
    EVP_MAC_CTX_free(y);
    // Fetched anew, while other threads do so.
    EVP_MD *md = EVP_MD_fetch(lib, "md_gost12_512", "provider=bulat");
    ok = ok && md != NULL;
    EVP_MD_free(md);
    return ok;
}

static void *thread(void *rounds) {
    for (long i = 0; i < (long)rounds; i++) {
        u8 (*out)[5000] = calloc(5, 5000);
        int ok = out && work((int)i, out) && !memcmp(out, expected, sizeof expected);
        free(out);
        if (!ok) return (void *)1;
    }
    return NULL;
}

static int threads(long rounds) {
    pthread_t t[8];
    void *result;
    int bad = 0;
    shared_ctr = EVP_CIPHER_fetch(lib, "kuznyechik-ctr", NULL);
    shared_mgm = EVP_CIPHER_fetch(lib, "magma-mgm", NULL);
    EVP_CIPHER_free(shared_mgm);
    shared_mgm = EVP_CIPHER_fetch(lib, "kuznyechik-mgm", NULL);
    shared_md = EVP_MD_fetch(lib, "streebog512", NULL);
    shared_mac = EVP_MAC_fetch(lib, "hmac-streebog256", NULL);
    u8 key[32] = {3}, iv[16] = {4};
    template = EVP_CIPHER_CTX_new();
    if (!EVP_EncryptInit_ex(template, shared_ctr, NULL, key, iv) || !work(0, expected)) return 1;
    for (int i = 0; i < 8; i++)
        if (pthread_create(t + i, NULL, thread, (void *)rounds)) return 1;
    for (int i = 0; i < 8; i++) {
        pthread_join(t[i], &result);
        bad += result != NULL;
    }
    EVP_CIPHER_CTX_free(template);
    EVP_CIPHER_free(shared_ctr);
    EVP_CIPHER_free(shared_mgm);
    EVP_MD_free(shared_md);
    EVP_MAC_free(shared_mac);
    printf("8 threads, %ld rounds each: %d wrong\n", rounds, bad);
    return bad != 0;
}

// ---- secrets, once

// One message of an algorithm, with key and text undefined to valgrind; the output is public.
static int one_cipher(const char *name, int enc) {
    u8 text[600], out[700], key[64];
    int n, m = 0;
    Case k;
    EVP_CIPHER *c = EVP_CIPHER_fetch(lib, name, NULL);
    if (c == NULL) return 0;
    of(&k, c);
    pattern(text, sizeof text, 3);
    memcpy(key, k.key, 64);
    VALGRIND_MAKE_MEM_UNDEFINED(text, sizeof text);
    VALGRIND_MAKE_MEM_UNDEFINED(key, sizeof key);
    EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new();
    int omac = k.aead && is_omac(&k), ok = EVP_CipherInit_ex(x, c, NULL, NULL, NULL, enc) &&
        (!omac || EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_IVLEN, tag_len(&k) / 2 + 8, NULL) > 0) && EVP_CipherInit_ex(x, NULL, NULL, key, k.iv, enc);
    if (k.aead && !omac) ok = ok && EVP_CipherUpdate(x, NULL, &n, key, 20); // CMS has no associated data
    int cut = k.mode == EVP_CIPH_XTS_MODE ? 32 : 7;
    ok = ok && EVP_CipherUpdate(x, out, &n, text, cut) && EVP_CipherUpdate(x, out + n, &m, text + cut, 576 - cut);
    if (k.aead && !enc) EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_TAG, tag_len(&k), k.key);
    int end = EVP_CipherFinal_ex(x, out + n + m, &n); // decrypted noise has no padding and no right tag
    ok = ok && (end || !enc);
    EVP_CIPHER_CTX *y = EVP_CIPHER_CTX_new();
    ok = ok && EVP_CIPHER_CTX_copy(y, x) && EVP_CipherInit_ex(x, NULL, NULL, NULL, k.iv, enc);
    EVP_CIPHER_CTX_free(x);
    EVP_CIPHER_CTX_free(y);
    EVP_CIPHER_free(c);
    return ok;
}

static int one_mac(const char *name) {
    u8 text[600], key[32], tag[64];
    size_t n;
    pattern(text, sizeof text, 3);
    pattern(key, sizeof key, 4);
    VALGRIND_MAKE_MEM_UNDEFINED(text, sizeof text);
    VALGRIND_MAKE_MEM_UNDEFINED(key, sizeof key);
    EVP_MAC *mac = EVP_MAC_fetch(lib, name, NULL);
    EVP_MAC_CTX *x = EVP_MAC_CTX_new(mac);
    int ok = EVP_MAC_init(x, key, 32, NULL) && EVP_MAC_update(x, text, 100) && EVP_MAC_update(x, text + 100, 500) &&
        EVP_MAC_final(x, tag, &n, 64) && EVP_MAC_init(x, NULL, 0, NULL);
    EVP_MAC_CTX_free(x);
    EVP_MAC_free(mac);
    return ok;
}

static int one_digest(const char *name) {
    u8 text[600], out[64];
    unsigned n;
    pattern(text, sizeof text, 3);
    VALGRIND_MAKE_MEM_UNDEFINED(text, sizeof text);
    EVP_MD *md = EVP_MD_fetch(lib, name, NULL);
    int ok = EVP_Digest(text, 600, out, &n, md, NULL);
    EVP_MD_free(md);
    return ok;
}

static int one_kdf(const char *name) {
    u8 out[32], key[32];
    unsigned iter = 2;
    pattern(key, sizeof key, 4);
    VALGRIND_MAKE_MEM_UNDEFINED(key, sizeof key);
    EVP_KDF *kdf = EVP_KDF_fetch(lib, name, NULL);
    EVP_KDF_CTX *x = EVP_KDF_CTX_new(kdf);
    OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string("key", key, 32), OSSL_PARAM_construct_octet_string("seed", "12345678", 8),
        OSSL_PARAM_construct_end(), OSSL_PARAM_construct_end()};
    if (strstr(name, "pbkdf2")) {
        params[1] = OSSL_PARAM_construct_uint("iter", &iter);
        params[2] = OSSL_PARAM_construct_octet_string("salt", "pepper", 6);
    }
    int ok = EVP_KDF_derive(x, out, 32, params);
    EVP_KDF_CTX_free(x);
    EVP_KDF_free(kdf);
    return ok;
}

static int secrets(void) {
    static const char *ciphers[] = {"kuznyechik-ecb", "kuznyechik-cbc", "magma-cbc", "kuznyechik-cfb", "magma-ofb", "kuznyechik-ctr",
        "magma-ctr-acpkm", "kuznyechik-xts", "gost89", "gost89-cnt", "kuznyechik-mgm", "magma-mgm", "kuznyechik-ctr-acpkm-omac"};
    static const char *macs[] = {"kuznyechik-mac", "magma-ctr-acpkm-omac", "gost-mac", "hmac-streebog512"};
    static const char *kdfs[] = {"KDF_TREE", "TLSTREE", "pbkdf2-hmac-streebog512", "hkdf-streebog256"};
    int found = 0, before, ok = 1;
#define CASE(name, call) (before = VALGRIND_COUNT_ERRORS, ok &= (call), \
    printf("%-28s %d\n", name, (int)(VALGRIND_COUNT_ERRORS - before)), found += VALGRIND_COUNT_ERRORS - before)
    for (size_t i = 0; i < sizeof ciphers / sizeof *ciphers; i++) {
        CASE(ciphers[i], one_cipher(ciphers[i], 1));
        CASE(ciphers[i], one_cipher(ciphers[i], 0));
    }
    for (size_t i = 0; i < sizeof macs / sizeof *macs; i++) CASE(macs[i], one_mac(macs[i]));
    for (size_t i = 0; i < sizeof kdfs / sizeof *kdfs; i++) CASE(kdfs[i], one_kdf(kdfs[i]));
    CASE("md_gost12_256", one_digest("md_gost12_256"));
    CASE("md_gost94", one_digest("md_gost94"));
    printf("%d findings%s\n", found, ok ? "" : "; and a call failed");
    return found || !ok;
}

// ---- speed

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

// The sizes in BENCH_SIZES, or some.
static int sizes(int *to, int most) {
    const char *text = getenv("BENCH_SIZES");
    int n = 0;
    if (text == NULL) text = "16 64 256 1500 16384";
    for (char *end; n < most; text = end, n++) {
        to[n] = (int)strtol(text, &end, 10);
        if (end == text) break;
        if (to[n] < 0 || to[n] > 16384) {
            fprintf(stderr, "BENCH_SIZES: %d is not from 0 to 16384\n", to[n]);
            exit(2);
        }
    }
    return n;
}

static int speed(int argc, char **argv) {
    static u8 in[16384], out[16384 + 64];
    int all[16], count = sizes(all, 16);
    for (int i = 0; i < argc; i++)
        for (int s = 0; s < count; s++) {
            int size = all[s] / 16 * 16, n;
            EVP_CIPHER *c = EVP_CIPHER_fetch(lib, argv[i], NULL);
            EVP_MD *md = c ? NULL : EVP_MD_fetch(lib, argv[i], NULL);
            EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new();
            Case k;
            if (c) of(&k, c);
            else size = all[s];
            if (c && k.block == 1) size = all[s];
            ERR_clear_error();
            if (!c && !md) break;
            // Runs are short, so that the least is of one that nothing interrupted.
            double best = 1e18, began = now();
            int works = md ? EVP_Digest(in, size, out, NULL, md, NULL) : begin(x, &k, 1) && EVP_EncryptUpdate(x, out, &n, in, size);
            if (!works) {
                fprintf(stderr, "%s of %d bytes failed\n", argv[i], all[s]);
                began = 0;
            }
            while (now() - began < 3.6e8) {
                double start = now();
                for (int j = 0; j < 16; j++)
                    if (md) EVP_Digest(in, size, out, NULL, md, NULL);
                    else if (k.aead) {
                        EVP_EncryptInit_ex(x, NULL, NULL, NULL, k.iv);
                        EVP_EncryptUpdate(x, NULL, &n, in, 13);
                        EVP_EncryptUpdate(x, out, &n, in, size);
                        EVP_EncryptFinal_ex(x, out, &n);
                    } else EVP_EncryptUpdate(x, out, &n, in, size);
                double each = (now() - start) / 16;
                if (each < best) best = each;
            }
            if (works) printf("%s %d %.0f %.1f\n", argv[i], all[s], size ? best * all[s] / size : best, size * 1000.0 / best);
            EVP_CIPHER_CTX_free(x);
            EVP_CIPHER_free(c);
            EVP_MD_free(md);
        }
    return 0;
}

// ---- serve

static size_t unhex(const char *s, u8 **to) {
    size_t n = strcmp(s, "-") ? strlen(s) / 2 : 0;
    *to = alloc(n);
    for (size_t i = 0; i < n; i++) {
        char pair[] = {s[2 * i], s[2 * i + 1], 0};
        (*to)[i] = (u8)strtoul(pair, NULL, 16);
    }
    return n;
}

static void answer(const u8 *p, size_t n) {
    printf("=");
    for (size_t i = 0; i < n; i++) {
        putchar("0123456789abcdef"[p[i] >> 4]);
        putchar("0123456789abcdef"[p[i] & 15]);
    }
    putchar('\n');
}

static void no(void) {
    const char *data = "", *words = ERR_reason_error_string(ERR_peek_last_error());
    ERR_peek_last_error_data(&data, NULL);
    printf("!%s %s\n", words ? words : "no words", data ? data : "");
    ERR_clear_error();
}

// "key=value" as `openssl` has it: "hexkey=0a0b".
static int parameters(OSSL_PARAM *to, const OSSL_PARAM *known, char **words, int n) {
    for (int i = 0; i < n; i++) {
        char *value = strchr(words[i], '=');
        *value++ = 0;
        if (!OSSL_PARAM_allocate_from_text(to + i, known, words[i], value, strlen(value), NULL)) return 0;
    }
    to[n] = OSSL_PARAM_construct_end();
    return 1;
}

static void release(OSSL_PARAM *params) {
    for (OSSL_PARAM *p = params; p->key; p++) OPENSSL_free(p->data);
}

// Records of TLS 1.3 (RFC 9367) on one context, by the calls of an OpenSSL with gost-engine's patch: the mode and the
// record's number with the size 0, and a nonce with any first bit. COUNT pairs of words are number and text, to seal or to
// open. Writes the output to `out` and returns its length, or -1.
static long records(const char *name, char *mode, int enc, u8 *key, const u8 *write_iv, char **words, int count, u8 *out) {
    long done = 0;
    EVP_CIPHER *c = EVP_CIPHER_fetch(lib, name, NULL);
    EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new();
    int n, len, t = c && strncmp(name, "magma", 5) ? 16 : 8, ok = c && EVP_CipherInit_ex(x, c, NULL, NULL, NULL, enc);
    len = ok ? EVP_CIPHER_CTX_get_iv_length(x) : 0;
    ok = ok && EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_IVLEN, len, NULL) > 0 && EVP_CipherInit_ex(x, NULL, NULL, key, NULL, enc);
    OSSL_PARAM p[] = {OSSL_PARAM_construct_octet_string("tlstree_mode", mode, 0), OSSL_PARAM_construct_end()};
    ok = ok && EVP_CIPHER_CTX_set_params(x, p);
    for (int i = 0; i < count && ok; i++) {
        u8 seq[8], nonce[16], *text;
        unsigned long long number = strtoull(words[2 * i], NULL, 10);
        size_t size = unhex(words[2 * i + 1], &text);
        for (int j = 0; j < 8; j++) seq[j] = (u8)(number >> (56 - 8 * j));
        memcpy(nonce, write_iv, len);
        for (int j = 0; j < 8; j++) nonce[len - 8 + j] ^= seq[j];
        size_t body = enc ? size + t : size, plain = body - t;
        u8 head[] = {23, 3, 3, (u8)(body >> 8), (u8)body};
        p[0] = OSSL_PARAM_construct_octet_string("tlstree", seq, 0);
        ok = EVP_CIPHER_CTX_set_params(x, p) && EVP_CipherInit_ex(x, NULL, NULL, NULL, nonce, enc);
        if (!enc) ok = ok && EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_TAG, t, text + plain) > 0;
        ok = ok && EVP_CipherUpdate(x, NULL, &n, head, 5) && EVP_CipherUpdate(x, out + done, &n, text, (int)plain) &&
            EVP_CipherFinal_ex(x, out + done + plain, &n);
        done += plain;
        if (enc) ok = ok && EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_GET_TAG, t, out + done) > 0;
        if (enc) done += t;
        free(text);
    }
    EVP_CIPHER_CTX_free(x);
    EVP_CIPHER_free(c);
    return ok ? done : -1;
}

// digest NAME DATA; cipher NAME enc|dec KEY IV AAD DATA TAG|LENGTH PARAM...; mac NAME KEY DATA PARAM...; kdf NAME LENGTH PARAM...;
// records NAME light|strong enc|dec KEY IV NUMBER TEXT...
static int serve(void) {
    char *buffer = NULL;
    size_t room = 0;
    while (getline(&buffer, &room, stdin) > 0) {
        char *words[32], *save = NULL;
        int count = 0;
        for (char *w = strtok_r(buffer, " \n", &save); w && count < 32; w = strtok_r(NULL, " \n", &save)) words[count++] = w;
        OSSL_PARAM params[32] = {OSSL_PARAM_construct_end()};
        int ok = 0;
        if (count >= 3 && !strcmp(words[0], "digest")) {
            u8 *data, out[64];
            unsigned n = 0;
            size_t len = unhex(words[2], &data);
            EVP_MD *md = EVP_MD_fetch(lib, words[1], NULL);
            ok = md && EVP_Digest(data, len, out, &n, md, NULL);
            if (ok) answer(out, n);
            EVP_MD_free(md);
            free(data);
        } else if (count >= 8 && !strcmp(words[0], "cipher")) {
            u8 *key, *iv, *aad, *data, *tag, *out;
            size_t key_len = unhex(words[3], &key), iv_len = unhex(words[4], &iv), aad_len = unhex(words[5], &aad), len = unhex(words[6], &data),
                given = unhex(words[7], &tag);
            int enc = !strcmp(words[2], "enc"), n = 0, end = 0, made = 0, a = 0;
            out = alloc(len + 64);
            EVP_CIPHER *c = EVP_CIPHER_fetch(lib, words[1], NULL);
            EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new();
            ok = c && EVP_CipherInit_ex(x, c, NULL, NULL, NULL, enc);
            int aead = ok && (EVP_CIPHER_get_flags(c) & EVP_CIPH_FLAG_AEAD_CIPHER);
            // EVP reads as many bytes as it expects: a program with another length sets it, and is refused.
            if (ok && (size_t)EVP_CIPHER_CTX_get_key_length(x) != key_len) ok = EVP_CIPHER_CTX_set_key_length(x, (int)key_len) > 0;
            if (ok && (size_t)EVP_CIPHER_CTX_get_iv_length(x) != iv_len) {
                OSSL_PARAM p[] = {OSSL_PARAM_construct_size_t("ivlen", &iv_len), OSSL_PARAM_construct_end()};
                ok = EVP_CIPHER_CTX_set_params(x, p) > 0;
            }
            ok = ok && parameters(params, EVP_CIPHER_settable_ctx_params(c), words + 8, count - 8) && EVP_CIPHER_CTX_set_params(x, params);
            ok = ok && EVP_CipherInit_ex(x, NULL, NULL, key, iv, enc) && EVP_CIPHER_CTX_set_padding(x, 0);
            if (aead && enc) made = (int)given ? tag[0] : 0;
            else if (aead) ok = ok && EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_TAG, (int)given, tag) > 0;
            if (aad_len) ok = ok && EVP_CipherUpdate(x, NULL, &a, aad, (int)aad_len);
            ok = ok && (!len || EVP_CipherUpdate(x, out, &n, data, (int)len)) && EVP_CipherFinal_ex(x, out + n, &end);
            if (made) ok = ok && EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_GET_TAG, made, out + n + end) > 0;
            if (ok) answer(out, n + end + made);
            EVP_CIPHER_CTX_free(x);
            EVP_CIPHER_free(c);
            free(key); free(iv); free(aad); free(data); free(tag); free(out);
        } else if (count >= 4 && !strcmp(words[0], "mac")) {
            u8 *key, *data, out[64];
            size_t key_len = unhex(words[2], &key), len = unhex(words[3], &data), n = 0;
            EVP_MAC *mac = EVP_MAC_fetch(lib, words[1], NULL);
            EVP_MAC_CTX *x = mac ? EVP_MAC_CTX_new(mac) : NULL;
            ok = x && parameters(params, EVP_MAC_settable_ctx_params(mac), words + 4, count - 4) && EVP_MAC_init(x, key, key_len, params) &&
                EVP_MAC_update(x, data, len) && EVP_MAC_final(x, out, &n, 64);
            if (ok) answer(out, n);
            EVP_MAC_CTX_free(x);
            EVP_MAC_free(mac);
            free(key); free(data);
        } else if (count >= 8 && !strcmp(words[0], "records")) {
            u8 *key, *iv, *out = alloc(1 << 20);
            unhex(words[4], &key);
            unhex(words[5], &iv);
            long n = records(words[1], words[2], !strcmp(words[3], "enc"), key, iv, words + 6, (count - 6) / 2, out);
            ok = n >= 0;
            if (ok) answer(out, n);
            free(key); free(iv); free(out);
        } else if (count == 3 && !strcmp(words[0], "fetch")) {
            u8 *name;
            size_t n = unhex(words[2], &name);
            name = realloc(name, n + 1);
            if (name == NULL) abort();
            name[n] = 0;
            const char *from = "provider=bulat", *as = (char *)name;
            if (!strcmp(words[1], "digest")) { EVP_MD *x = EVP_MD_fetch(lib, as, from); ok = x != NULL; EVP_MD_free(x); }
            if (!strcmp(words[1], "cipher")) { EVP_CIPHER *x = EVP_CIPHER_fetch(lib, as, from); ok = x != NULL; EVP_CIPHER_free(x); }
            if (!strcmp(words[1], "mac")) { EVP_MAC *x = EVP_MAC_fetch(lib, as, from); ok = x != NULL; EVP_MAC_free(x); }
            if (!strcmp(words[1], "kdf")) { EVP_KDF *x = EVP_KDF_fetch(lib, as, from); ok = x != NULL; EVP_KDF_free(x); }
            if (ok) answer(name, n);
            free(name);
        } else if (count >= 3 && !strcmp(words[0], "kdf")) {
            size_t len = strtoul(words[2], NULL, 10);
            u8 *out = alloc(len);
            EVP_KDF *kdf = EVP_KDF_fetch(lib, words[1], NULL);
            EVP_KDF_CTX *x = kdf ? EVP_KDF_CTX_new(kdf) : NULL;
            ok = x && parameters(params, EVP_KDF_settable_ctx_params(kdf), words + 3, count - 3) && EVP_KDF_derive(x, out, len, params);
            if (ok) answer(out, len);
            EVP_KDF_CTX_free(x);
            EVP_KDF_free(kdf);
            free(out);
        }
        release(params);
        if (!ok) no();
        fflush(stdout);
    }
    free(buffer);
    return 0;
}

// ---- who

static int who(int argc, char **argv) {
    for (int i = 0; i < argc; i++) {
        EVP_CIPHER *c = EVP_CIPHER_fetch(NULL, argv[i], NULL);
        printf("%s %s\n", argv[i], c ? OSSL_PROVIDER_get0_name(EVP_CIPHER_get0_provider(c)) : "nobody");
        EVP_CIPHER_free(c);
    }
    return 0;
}

// ---- wiped

#ifdef WITH_FREED
// The key's bytes are FREED_SECRET's, which no other freed block here has.
#define NAMES 64
static const char *each_name[NAMES];
static int names_found;
static void add(const char *name, const OSSL_PROVIDER *from) {
    if (strcmp(OSSL_PROVIDER_get0_name(from), "bulat")) return;
    if (names_found == NAMES) {
        fprintf(stderr, "more than %d names\n", NAMES);
        exit(2);
    }
    each_name[names_found++] = name;
}
static void add_cipher(EVP_CIPHER *c, void *unused) { (void)unused; add(EVP_CIPHER_get0_name(c), EVP_CIPHER_get0_provider(c)); }
static void add_mac(EVP_MAC *m, void *unused) { (void)unused; add(EVP_MAC_get0_name(m), EVP_MAC_get0_provider(m)); }
static void add_kdf(EVP_KDF *k, void *unused) { (void)unused; add(EVP_KDF_get0_name(k), EVP_KDF_get0_provider(k)); }

static void said(const char *kind, const char *name, int way, int *bad) {
    if (freed_found) printf("%s %s, way %d: %d blocks with a piece of the key, of %zu bytes at %zu\n", kind, name, way, freed_found, freed_size, freed_at);
    *bad += freed_found;
    freed_found = 0;
}

static int wiped(void) {
    static u8 in[256], out[512];
    u8 iv[16] = {1};
    const u8 *key = freed_secret;
    int n, bad = 0, used = 0;
    size_t l;
    // The control: the search finds a key.
    void *volatile block = malloc(100);
    memcpy((u8 *)block + 50, key + 16, 8);
    free(block);
    if (freed_found != 1) return 2;
    freed_found = 0;
    EVP_CIPHER_do_all_provided(lib, add_cipher, NULL);
    for (int way = 0; way < 10; way++)
        for (int i = 0; i < names_found; i++) {
            EVP_CIPHER *c = EVP_CIPHER_fetch(lib, each_name[i], "provider=bulat");
            if (c == NULL) continue;
            EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new(), *y = EVP_CIPHER_CTX_new();
            used += EVP_EncryptInit_ex(x, c, NULL, key, way == 1 || way == 4 ? NULL : iv);
            if (way == 2 || way == 7 || way == 8) EVP_EncryptUpdate(x, out, &n, in, 100);
            if (way == 7) EVP_EncryptFinal_ex(x, out, &n);
            if (way == 3 || way == 4 || way == 7) EVP_CIPHER_CTX_copy(y, x);
            if (way == 5) EVP_EncryptInit_ex(x, NULL, NULL, key, iv);
            if (way == 6) EVP_DecryptInit_ex(x, NULL, NULL, NULL, NULL);
            if (way == 8) EVP_CIPHER_CTX_reset(x);
            if (way == 9) EVP_DecryptInit_ex(x, NULL, NULL, key, iv), EVP_DecryptUpdate(x, out, &n, in, 96), EVP_CIPHER_CTX_copy(y, x);
            EVP_CIPHER_CTX_free(x);
            EVP_CIPHER_CTX_free(y);
            EVP_CIPHER_free(c);
            said("cipher", each_name[i], way, &bad);
        }
    names_found = 0;
    EVP_MAC_do_all_provided(lib, add_mac, NULL);
    for (int way = 0; way < 5; way++)
        for (int i = 0; i < names_found; i++) {
            EVP_MAC *m = EVP_MAC_fetch(lib, each_name[i], "provider=bulat");
            if (m == NULL) continue;
            EVP_MAC_CTX *x = EVP_MAC_CTX_new(m), *y = NULL;
            used += EVP_MAC_init(x, key, 32, NULL);
            if (way) EVP_MAC_update(x, in, 100);
            if (way == 2) y = EVP_MAC_CTX_dup(x);
            if (way == 3) EVP_MAC_final(x, out, &l, 64);
            if (way == 4) EVP_MAC_init(x, NULL, 0, NULL), y = EVP_MAC_CTX_dup(x);
            EVP_MAC_CTX_free(x);
            EVP_MAC_CTX_free(y);
            EVP_MAC_free(m);
            said("MAC", each_name[i], way, &bad);
        }
    names_found = 0;
    EVP_KDF_do_all_provided(lib, add_kdf, NULL);
    for (int way = 0; way < 3; way++)
        for (int i = 0; i < names_found; i++) {
            EVP_KDF *k = EVP_KDF_fetch(lib, each_name[i], "provider=bulat");
            if (k == NULL) continue;
            EVP_KDF_CTX *x = EVP_KDF_CTX_new(k), *y = NULL;
            OSSL_PARAM p[] = {OSSL_PARAM_construct_octet_string("key", (void *)key, 32), OSSL_PARAM_construct_end()};
            used += kdf_once(x, out, 32) && EVP_KDF_CTX_set_params(x, p);
            if (way) EVP_KDF_derive(x, out, 32, NULL);
            if (way == 2) y = EVP_KDF_CTX_dup(x), EVP_KDF_CTX_reset(x);
            EVP_KDF_CTX_free(x);
            EVP_KDF_CTX_free(y);
            EVP_KDF_free(k);
            said("KDF", each_name[i], way, &bad);
        }
    printf("%d contexts, %ld blocks freed, %d with a piece of a key\n", used, freed_count, bad);
    return bad || used < 290;
}
#endif

int main(int argc, char **argv) {
    if (argc > 2 && !strcmp(argv[1], "who")) return who(argc - 2, argv + 2);
    const char *what = argc > 1 ? argv[1] : "check", *folder = getenv("BULAT_MODULES");
    const char *name = (!strcmp(what, "defects") || !strcmp(what, "speed")) && argc > 2 ? argv[2] : "bulat";
    large = argc > 2 && !strcmp(argv[2], "large");
    lib = OSSL_LIB_CTX_new();
    if (folder && !strcmp(name, "bulat")) OSSL_PROVIDER_set_default_search_path(lib, folder);
    OSSL_PROVIDER *ours = OSSL_PROVIDER_load(lib, name), *base = OSSL_PROVIDER_load(lib, "default");
    if (ours == NULL || base == NULL) {
        ERR_print_errors_fp(stderr);
        return 2;
    }
    int status = 2;
    if (!strcmp(what, "check")) status = check();
    else if (!strcmp(what, "defects")) status = defects(name, !strcmp(name, "bulat") ? folder : NULL);
    else if (!strcmp(what, "bad")) status = bad();
    else if (!strcmp(what, "rules")) status = rules(folder);
    else if (!strcmp(what, "threads")) status = threads(argc > 2 ? atol(argv[2]) : 200);
    else if (!strcmp(what, "secrets") || !strcmp(what, "once")) status = secrets();
    else if (!strcmp(what, "speed") && argc > 3) status = speed(argc - 3, argv + 3);
    else if (!strcmp(what, "serve")) status = serve();
#ifdef WITH_FREED
    else if (!strcmp(what, "wiped")) status = wiped();
#endif
    OSSL_PROVIDER_unload(ours);
    OSSL_PROVIDER_unload(base);
    if (peer) OSSL_PROVIDER_unload(peer);
    OSSL_LIB_CTX_free(lib);
    return status;
}
