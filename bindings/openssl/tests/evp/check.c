// Every name: fresh = re-init = dup, pieces, in place, buffers of exactly the promised size, the peer.
#include "evp.h"
#include <openssl/core_names.h>
#include <stdint.h>
#include <sys/mman.h>

#define MOST 5000
#define GUARD 40

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
    OWN(EVP_CIPHER_CTX) *x = EVP_CIPHER_CTX_new();
    return begin(x, k, enc) ? run(x, k, enc, aad, aad_len, in, len, out) : -1;
}

static const int SIZES[] = {0, 1, 7, 8, 15, 16, 17, 32, 33, 64, 100, 127, 128, 1023, 1024, 1032, 2049, 4112, MOST};

// Pieces of 1 to 33 bytes, or a few of a long message. 0: each piece has a length of its own.
static int tried(int len, int piece) { return len < 200 || piece == 0 || piece == 1 || piece == 7 || piece == 16 || piece == 33; }

// The next number below `most` of a fixed sequence.
static int next(unsigned *seed, int most) {
    *seed = *seed * 1103515245 + 12345;
    return (int)(*seed >> 16) % most;
}

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
            OWN(EVP_CIPHER_CTX) *x = EVP_CIPHER_CTX_new(), *y = NULL;
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
            NEED(g == w && !memcmp(got, want, w), "re-init way %d, %d bytes", way, len);
        }
        if (k->mode == EVP_CIPH_XTS_MODE) continue;
        // A duplicate in the middle of a message.
        for (int cut = 0; cut <= len; cut += 1 + len / 5) {
            OWN(EVP_CIPHER_CTX) *x = EVP_CIPHER_CTX_new(), *y = EVP_CIPHER_CTX_new();
            int a = 0, ok = begin(x, k, 1);
            if (aad) ok = ok && EVP_EncryptUpdate(x, NULL, &n, text, aad);
            ok = ok && EVP_EncryptUpdate(x, got, &a, text, cut) && EVP_CIPHER_CTX_copy(y, x);
            ok = ok && EVP_EncryptUpdate(x, waste, &n, text + 1, len / 2);
            long g = ok ? run(y, k, 1, NULL, 0, text + cut, len - cut, got + a) : -1;
            NEED(g >= 0 && a + g == w && !memcmp(got, want, w), "a duplicate after %d of %d bytes", cut, len);
        }
    }
    NEED(any, "no size fits");
    return 1;
}

// Pieces of 1 to 33 bytes into buffers of exactly the size that EVP's manual promises; the bytes after them stay as they are.
// Between pieces of different lengths, at times a copy of the context continues, and the original gets other data.
static int pieces(const Case *k, int enc) {
    static u8 text[MOST + 64], want[MOST + 64], got[MOST + 64], waste[MOST + 64];
    pattern(text, MOST, 4);
    int aad = k->aead && !is_omac(k) ? 21 : 0, t = k->aead ? tag_len(k) : 0;
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        int plain = SIZES[i];
        if (!fits(k, plain)) continue;
        long len = plain, w = fresh(k, 1, text, aad, text, plain, want);
        NEED(w >= 0, "encryption of %d bytes", plain);
        const u8 *from = text, *to = want;
        if (!enc) { from = want; to = text; len = w - t; w = plain; } else w -= t;
        for (int size = 0; size <= 33; size++) {
            if (!tried(plain, size)) continue;
            OWN(EVP_CIPHER_CTX) *x = EVP_CIPHER_CTX_new();
            int ok = begin(x, k, enc), n, step = size ? size : 5;
            for (int a = 0; a < aad; a += step) ok = ok && EVP_CipherUpdate(x, NULL, &n, text + a, aad - a < step ? aad - a : step);
            unsigned seed = (unsigned)plain;
            long done = 0;
            for (long at = 0; at < len && ok; at += step) {
                if (!size) step = 1 + next(&seed, next(&seed, 4) ? 40 : 1500);
                if (!size && !next(&seed, 4)) {
                    EVP_CIPHER_CTX *y = EVP_CIPHER_CTX_new();
                    ok = EVP_CIPHER_CTX_copy(y, x) && EVP_CipherUpdate(x, waste, &n, text, 1 + next(&seed, 40));
                    EVP_CIPHER_CTX_free(x);
                    x = y;
                }
                int piece = len - at < step ? (int)(len - at) : step;
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
                OWN(EVP_CIPHER_CTX) *x = EVP_CIPHER_CTX_new();
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
        OWN(EVP_CIPHER_CTX) *x = EVP_CIPHER_CTX_new();
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
        OWN(EVP_CIPHER_CTX) *x = EVP_CIPHER_CTX_new();
        int len, ok = begin(x, k, 1) && (len = EVP_CIPHER_CTX_get_iv_length(x)) > 0 && EVP_CIPHER_CTX_get_updated_iv(x, iv, sizeof iv) &&
            !memcmp(iv, k->iv, len) && EVP_CipherUpdate(x, want, &n, text, 48);
        NEED(ok, "the IV before data");
        NEED(!EVP_CIPHER_CTX_get_updated_iv(x, iv, sizeof iv), "an IV to go on with after data");
        NEED(EVP_CipherFinal_ex(x, got, &n) && !EVP_CIPHER_CTX_get_updated_iv(x, iv, sizeof iv), "an IV to go on with at the end");
        ERR_clear_error();
        return 1;
    }
    for (int enc = 0; enc < 2; enc++) {
        OWN(EVP_CIPHER_CTX) *x = EVP_CIPHER_CTX_new();
        int ok = begin(x, k, enc) && EVP_CIPHER_CTX_set_padding(x, 0) && EVP_CipherUpdate(x, want, &n, text, 96);
        ok = ok && begin(x, k, enc) && EVP_CIPHER_CTX_set_padding(x, 0) && EVP_CipherUpdate(x, got, &n, text, 48) &&
            EVP_CIPHER_CTX_get_updated_iv(x, iv, sizeof iv) && EVP_CipherInit_ex(x, NULL, NULL, NULL, iv, -1) &&
            EVP_CipherUpdate(x, got + 48, &n, text + 48, 48);
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
        OWN(EVP_CIPHER_CTX) *x = EVP_CIPHER_CTX_new();
        int ok = begin(x, k, 1) && EVP_CIPHER_CTX_set_padding(x, 0), n;
        for (int round = 0; round < 2; round++)
            for (size_t at = 0, len; at < sizes[round] && ok; at += len) {
                len = sizes[round] - at < step ? sizes[round] - at : step;
                ok = EVP_EncryptUpdate(x, out, &n, in, (int)len) && (size_t)n == len;
                memcpy(end[way], out + len - 32, 32);
            }
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
        OWN(EVP_MD_CTX) *x = EVP_MD_CTX_new(), *y = EVP_MD_CTX_new();
        int ok = EVP_DigestInit_ex2(x, md, NULL) && EVP_DigestUpdate(x, text + 3, len / 2) && EVP_DigestInit_ex2(x, NULL, NULL) &&
            EVP_DigestUpdate(x, text, len) && EVP_DigestFinal_ex(x, got, &n);
        NEED(ok && n == w && !memcmp(got, want, w), "re-init, %d bytes", len);
        ok = EVP_DigestInit_ex2(x, md, NULL) && EVP_DigestUpdate(x, text, len / 3) && EVP_MD_CTX_copy_ex(y, x) &&
            EVP_DigestUpdate(x, text, 77) && EVP_DigestUpdate(y, text + len / 3, len - len / 3) && EVP_DigestFinal_ex(y, got, &n);
        NEED(ok && n == w && !memcmp(got, want, w), "a duplicate, %d bytes", len);
    }
    return 1;
}

static int digest_pieces(const EVP_MD *md) {
    static u8 text[MOST], want[64], got[64];
    unsigned n, w;
    pattern(text, MOST, 3);
    for (int size = 1; size < 200; size += size < 70 ? 1 : 13) {
        OWN(EVP_MD_CTX) *x = EVP_MD_CTX_new();
        int len = 1000 + size, ok = EVP_DigestInit_ex2(x, md, NULL) && EVP_Digest(text, len, want, &w, md, NULL);
        for (int at = 0; at < len; at += size) ok = ok && EVP_DigestUpdate(x, text + at, len - at < size ? len - at : size);
        ok = ok && EVP_DigestFinal_ex(x, got, &n);
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
    OWN(EVP_MD_CTX) *x = EVP_MD_CTX_new();
    int ok = EVP_Digest(p, LARGE, a, &n, md, NULL) && EVP_DigestInit_ex2(x, md, NULL);
    for (size_t at = 0; at < LARGE; at += 1 << 20) ok = ok && EVP_DigestUpdate(x, p, LARGE - at < 1 << 20 ? LARGE - at : 1 << 20);
    ok = ok && EVP_DigestFinal_ex(x, b, &n);
    munmap(p, LARGE);
    NEED(ok && !memcmp(a, b, n), "over 2^31 bytes");
    return 1;
}

// ---- MACs

static int mac_again(EVP_MAC *mac) {
    static u8 text[MOST], want[64], got[64], key[32];
    size_t w, n;
    pattern(text, MOST, 3);
    pattern(key, 32, 1);
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        int len = SIZES[i];
        NEED(mac_once(mac, 0, text, len, want, &w), "a tag of %d bytes of text", len);
        OWN(EVP_MAC_CTX) *x = mac_begin(mac, 0), *y = NULL;
        int ok = EVP_MAC_update(x, text + 3, len / 2) && EVP_MAC_init(x, NULL, 0, NULL) && EVP_MAC_update(x, text, len) &&
            EVP_MAC_final(x, got, &n, 64);
        NEED(ok && n == w && !memcmp(got, want, w), "init without a key in the message, %d bytes", len);
        ok = EVP_MAC_init(x, NULL, 0, NULL) && EVP_MAC_update(x, text, len) && EVP_MAC_final(x, got, &n, 64);
        NEED(ok && n == w && !memcmp(got, want, w), "init without a key after the tag, %d bytes", len);
        ok = EVP_MAC_init(x, key, 32, NULL) && EVP_MAC_update(x, text, len / 3);
        y = ok ? EVP_MAC_CTX_dup(x) : NULL;
        ok = y && EVP_MAC_update(x, text, 9) && EVP_MAC_update(y, text + len / 3, len - len / 3) && EVP_MAC_final(y, got, &n, 64);
        NEED(ok && n == w && !memcmp(got, want, w), "a duplicate, %d bytes", len);
    }
    return 1;
}

static int mac_pieces(EVP_MAC *mac) {
    static u8 text[MOST], want[64], got[64];
    size_t w, n;
    pattern(text, MOST, 3);
    for (int size = 1; size < 70; size++) {
        int len = (size % 16 ? 300 : 4200) + size, ok = mac_once(mac, 0, text, len, want, &w);
        OWN(EVP_MAC_CTX) *x = mac_begin(mac, 0);
        for (int at = 0; at < len; at += size) ok = ok && EVP_MAC_update(x, text + at, len - at < size ? len - at : size);
        ok = ok && EVP_MAC_final(x, got, &n, 64);
        NEED(ok && n == w && !memcmp(got, want, w), "pieces of %d bytes", size);
    }
    // Shorter tags are the first bytes of the longest.
    size_t most = 64;
    while (most > w && !mac_once(mac, most, text, 100, want, &n)) most--;
    NEED(strncmp(EVP_MAC_get0_name(mac), "gost-mac", 8) || most == 8, "the longest tag of gost-mac: %zu bytes", most);
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
    OWN(EVP_MAC_CTX) *x = mac_begin(mac, 0);
    for (size_t at = 0; at < LARGE; at += 1 << 20) ok = ok && EVP_MAC_update(x, p, LARGE - at < 1 << 20 ? LARGE - at : 1 << 20);
    ok = ok && EVP_MAC_final(x, b, &n, 64);
    munmap(p, LARGE);
    NEED(ok && !memcmp(a, b, n), "over 2^31 bytes");
    return 1;
}

// ---- KDFs

static int kdf_again(EVP_KDF *kdf) {
    u8 want[64], got[64];
    OWN(EVP_KDF_CTX) *x = EVP_KDF_CTX_new(kdf), *y = NULL;
    size_t n = EVP_KDF_CTX_get_kdf_size(x);
    if (n > 64) n = 64;
    NEED(kdf_once(x, want, n), "a key");
    NEED(EVP_KDF_derive(x, got, n, NULL) && !memcmp(got, want, n), "once more");
    y = EVP_KDF_CTX_dup(x);
    EVP_KDF_CTX_reset(x);
    NEED(!EVP_KDF_derive(x, got, n, NULL), "derived without a key");
    NEED(kdf_once(x, got, n) && !memcmp(got, want, n), "after a reset");
    NEED(y && EVP_KDF_derive(y, got, n, NULL) && !memcmp(got, want, n), "a duplicate");
    return 1;
}

// ---- check

static int wrongs;

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
    OWN(EVP_CIPHER) *other = peer ? EVP_CIPHER_fetch(NULL, EVP_CIPHER_get0_name(c), NULL) : NULL;
    fourth = mark(other ? k.aead ? -1 : same_as_peer(&k, other) : -2);
    ERR_pop_to_mark();
    k.pad = 0;
    fifth = mark(large ? large_cipher(&k) : -2);
    cells(k.aead ? "AEAD" : "cipher", EVP_CIPHER_get0_name(c), first, second, third, fourth, fifth);
}

static void check_digest(EVP_MD *md, void *unused) {
    (void)unused;
    if (strcmp(OSSL_PROVIDER_get0_name(EVP_MD_get0_provider(md)), "bulat")) return;
    const char *first = mark(digest_again(md)), *second = mark(digest_pieces(md));
    ERR_set_mark();
    OWN(EVP_MD) *other = peer ? EVP_MD_fetch(NULL, EVP_MD_get0_name(md), NULL) : NULL;
    const char *fourth = mark(other ? digest_peer(md, other) : -2);
    ERR_pop_to_mark();
    cells("digest", EVP_MD_get0_name(md), first, second, "-", fourth, mark(large ? digest_large(md) : -2));
}

static void check_mac(EVP_MAC *mac, void *unused) {
    (void)unused;
    if (strcmp(OSSL_PROVIDER_get0_name(EVP_MAC_get0_provider(mac)), "bulat")) return;
    const char *first = mark(mac_again(mac)), *second = mark(mac_pieces(mac));
    ERR_set_mark();
    OWN(EVP_MAC) *other = peer ? EVP_MAC_fetch(NULL, EVP_MAC_get0_name(mac), NULL) : NULL;
    const char *fourth = mark(other ? mac_peer(mac, other) : -2);
    ERR_pop_to_mark();
    cells("MAC", EVP_MAC_get0_name(mac), first, second, "-", fourth, mark(large ? mac_large(mac) : -2));
}

static void check_kdf(EVP_KDF *kdf, void *unused) {
    (void)unused;
    if (strcmp(OSSL_PROVIDER_get0_name(EVP_KDF_get0_provider(kdf)), "bulat")) return;
    cells("KDF", EVP_KDF_get0_name(kdf), mark(kdf_again(kdf)), "-", "-", "-", "-");
}

int check(void) {
    peer = OSSL_PROVIDER_load(NULL, "gostprov");
    if (peer == NULL) fprintf(stderr, "skipped: gostprov is not installed: nothing to compare with\n");
    ERR_clear_error();
    EVP_MD_do_all_provided(lib, check_digest, NULL);
    EVP_CIPHER_do_all_provided(lib, check_cipher, NULL);
    EVP_MAC_do_all_provided(lib, check_mac, NULL);
    EVP_KDF_do_all_provided(lib, check_kdf, NULL);
    return wrongs != 0;
}
