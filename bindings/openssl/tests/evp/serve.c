// The program as a server of operations for the vectors, and its clock.
#include "evp.h"
#include <time.h>

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

// One call: a digest; or an update, of an authenticated cipher a message; with `init` on a context that begins anew.
static void call(EVP_CIPHER_CTX *x, EVP_MD_CTX *y, const Case *k, const EVP_MD *md, int init, const u8 *in, u8 *out, int size) {
    int n;
    unsigned digest;
    if (md && init) {
        EVP_DigestInit_ex2(y, NULL, NULL);
        EVP_DigestUpdate(y, in, size);
        EVP_DigestFinal_ex(y, out, &digest);
    } else if (md) {
        EVP_Digest(in, size, out, NULL, md, NULL);
    } else {
        if (k->aead || init) EVP_EncryptInit_ex2(x, NULL, NULL, k->iv, NULL);
        if (k->aead) EVP_EncryptUpdate(x, NULL, &n, in, 13);
        EVP_EncryptUpdate(x, out, &n, in, size);
        if (k->aead) EVP_EncryptFinal_ex(x, out, &n);
    }
}

// NAME+init measures calls on a context that begins anew: with an IV; a digest by Init, Update and Final.
int speed(int argc, char **argv) {
    static u8 in[16384], out[16384 + 64];
    int all[16], count = sizes(all, 16);
    for (int i = 0; i < argc; i++) {
        char name[64];
        int init = strstr(argv[i], "+init") != NULL;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(argv[i], "+"), argv[i]);
        for (int s = 0; s < count; s++) {
            int size = all[s] / 16 * 16, n;
            OWN(EVP_CIPHER) *c = EVP_CIPHER_fetch(lib, name, NULL);
            OWN(EVP_MD) *md = c ? NULL : EVP_MD_fetch(lib, name, NULL);
            OWN(EVP_CIPHER_CTX) *x = EVP_CIPHER_CTX_new();
            OWN(EVP_MD_CTX) *y = EVP_MD_CTX_new();
            Case k;
            if (c) of(&k, c);
            else size = all[s];
            if (c && k.block == 1) size = all[s];
            ERR_clear_error();
            if (!c && !md) break;
            // Runs are short, so that the least is of one that nothing interrupted. But each has enough text for a keystream
            // that is made ahead to be made in it.
            int calls = size > 0 && size < 1024 ? 16384 / size : 16;
            double best = 1e18, began = now();
            int works = md ? EVP_DigestInit_ex2(y, md, NULL) : begin(x, &k, 1) && EVP_EncryptUpdate(x, out, &n, in, size);
            if (!works) {
                fprintf(stderr, "%s of %d bytes failed\n", name, all[s]);
                began = 0;
            }
            while (now() - began < 3.6e8) {
                double start = now();
                for (int j = 0; j < calls; j++) call(x, y, &k, md, init, in, out, size);
                double each = (now() - start) / calls;
                if (each < best) best = each;
            }
            if (works) printf("%s %d %.0f %.1f\n", argv[i], all[s], size ? best * all[s] / size : best, size * 1000.0 / best);
        }
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
    to[n] = END;
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
    OWN(EVP_CIPHER) *c = EVP_CIPHER_fetch(lib, name, NULL);
    OWN(EVP_CIPHER_CTX) *x = EVP_CIPHER_CTX_new();
    int n, len, t = c && strncmp(name, "magma", 5) ? 16 : 8, ok = c && EVP_CipherInit_ex(x, c, NULL, NULL, NULL, enc);
    len = ok ? EVP_CIPHER_CTX_get_iv_length(x) : 0;
    ok = ok && EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_IVLEN, len, NULL) > 0 && EVP_CipherInit_ex(x, NULL, NULL, key, NULL, enc);
    ok = ok && EVP_CIPHER_CTX_set_params(x, PARAMS(BYTES("tlstree_mode", mode, 0)));
    for (int i = 0; i < count && ok; i++) {
        OWN(u8) *text = NULL;
        u8 seq[8], nonce[16];
        unsigned long long number = strtoull(words[2 * i], NULL, 10);
        size_t size = unhex(words[2 * i + 1], &text);
        for (int j = 0; j < 8; j++) seq[j] = (u8)(number >> (56 - 8 * j));
        memcpy(nonce, write_iv, len);
        for (int j = 0; j < 8; j++) nonce[len - 8 + j] ^= seq[j];
        size_t body = enc ? size + t : size, plain = body - t;
        u8 head[] = {23, 3, 3, (u8)(body >> 8), (u8)body};
        ok = EVP_CIPHER_CTX_set_params(x, PARAMS(BYTES("tlstree", seq, 0))) && EVP_CipherInit_ex(x, NULL, NULL, NULL, nonce, enc);
        if (!enc) ok = ok && EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_TAG, t, text + plain) > 0;
        ok = ok && EVP_CipherUpdate(x, NULL, &n, head, 5) && EVP_CipherUpdate(x, out + done, &n, text, (int)plain) &&
            EVP_CipherFinal_ex(x, out + done + plain, &n);
        done += plain;
        if (enc) ok = ok && EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_GET_TAG, t, out + done) > 0;
        if (enc) done += t;
    }
    return ok ? done : -1;
}

// digest NAME DATA; cipher NAME enc|dec KEY IV AAD DATA TAG|LENGTH PARAM...; mac NAME KEY DATA PARAM...; kdf NAME LENGTH PARAM...;
// records NAME light|strong enc|dec KEY IV NUMBER TEXT...
int serve(void) {
    char *buffer = NULL;
    size_t room = 0;
    while (getline(&buffer, &room, stdin) > 0) {
        char *words[32], *save = NULL;
        int count = 0;
        for (char *w = strtok_r(buffer, " \n", &save); w && count < 32; w = strtok_r(NULL, " \n", &save)) words[count++] = w;
        OSSL_PARAM params[32] = {END};
        int ok = 0;
        if (count >= 3 && !strcmp(words[0], "digest")) {
            OWN(u8) *data = NULL;
            u8 out[64];
            unsigned n = 0;
            size_t len = unhex(words[2], &data);
            OWN(EVP_MD) *md = EVP_MD_fetch(lib, words[1], NULL);
            ok = md && EVP_Digest(data, len, out, &n, md, NULL);
            if (ok) answer(out, n);
        } else if (count >= 8 && !strcmp(words[0], "cipher")) {
            OWN(u8) *key = NULL, *iv = NULL, *aad = NULL, *data = NULL, *tag = NULL, *out = NULL;
            size_t key_len = unhex(words[3], &key), iv_len = unhex(words[4], &iv), aad_len = unhex(words[5], &aad), len = unhex(words[6], &data),
                given = unhex(words[7], &tag);
            int enc = !strcmp(words[2], "enc"), n = 0, end = 0, made = 0, a = 0;
            out = alloc(len + 64);
            OWN(EVP_CIPHER) *c = EVP_CIPHER_fetch(lib, words[1], NULL);
            OWN(EVP_CIPHER_CTX) *x = EVP_CIPHER_CTX_new();
            ok = c && EVP_CipherInit_ex(x, c, NULL, NULL, NULL, enc);
            int aead = ok && (EVP_CIPHER_get_flags(c) & EVP_CIPH_FLAG_AEAD_CIPHER);
            // EVP reads as many bytes as it expects: a program with another length sets it, and is refused.
            if (ok && (size_t)EVP_CIPHER_CTX_get_key_length(x) != key_len) ok = EVP_CIPHER_CTX_set_key_length(x, (int)key_len) > 0;
            if (ok && (size_t)EVP_CIPHER_CTX_get_iv_length(x) != iv_len) ok = EVP_CIPHER_CTX_set_params(x, PARAMS(SIZE("ivlen", &iv_len))) > 0;
            ok = ok && parameters(params, EVP_CIPHER_settable_ctx_params(c), words + 8, count - 8) && EVP_CIPHER_CTX_set_params(x, params);
            ok = ok && EVP_CipherInit_ex(x, NULL, NULL, key, iv, enc) && EVP_CIPHER_CTX_set_padding(x, 0);
            if (aead && enc) made = (int)given ? tag[0] : 0;
            else if (aead) ok = ok && EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_TAG, (int)given, tag) > 0;
            if (aad_len) ok = ok && EVP_CipherUpdate(x, NULL, &a, aad, (int)aad_len);
            ok = ok && (!len || EVP_CipherUpdate(x, out, &n, data, (int)len)) && EVP_CipherFinal_ex(x, out + n, &end);
            if (made) ok = ok && EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_GET_TAG, made, out + n + end) > 0;
            if (ok) answer(out, n + end + made);
        } else if (count >= 4 && !strcmp(words[0], "mac")) {
            OWN(u8) *key = NULL, *data = NULL;
            u8 out[64];
            size_t key_len = unhex(words[2], &key), len = unhex(words[3], &data), n = 0;
            OWN(EVP_MAC) *mac = EVP_MAC_fetch(lib, words[1], NULL);
            OWN(EVP_MAC_CTX) *x = mac ? EVP_MAC_CTX_new(mac) : NULL;
            ok = x && parameters(params, EVP_MAC_settable_ctx_params(mac), words + 4, count - 4) && EVP_MAC_init(x, key, key_len, params) &&
                EVP_MAC_update(x, data, len) && EVP_MAC_final(x, out, &n, 64);
            if (ok) answer(out, n);
        } else if (count >= 8 && !strcmp(words[0], "records")) {
            OWN(u8) *key = NULL, *iv = NULL, *out = alloc(1 << 20);
            unhex(words[4], &key);
            unhex(words[5], &iv);
            long n = records(words[1], words[2], !strcmp(words[3], "enc"), key, iv, words + 6, (count - 6) / 2, out);
            ok = n >= 0;
            if (ok) answer(out, n);
        } else if (count == 3 && !strcmp(words[0], "fetch")) {
            OWN(u8) *name = NULL;
            size_t n = unhex(words[2], &name);
            name = realloc(name, n + 1);
            if (name == NULL) abort();
            name[n] = 0;
            const char *from = "provider=bulat", *as = (char *)name;
            if (!strcmp(words[1], "digest")) { OWN(EVP_MD) *x = EVP_MD_fetch(lib, as, from); ok = x != NULL; }
            if (!strcmp(words[1], "cipher")) { OWN(EVP_CIPHER) *x = EVP_CIPHER_fetch(lib, as, from); ok = x != NULL; }
            if (!strcmp(words[1], "mac")) { OWN(EVP_MAC) *x = EVP_MAC_fetch(lib, as, from); ok = x != NULL; }
            if (!strcmp(words[1], "kdf")) { OWN(EVP_KDF) *x = EVP_KDF_fetch(lib, as, from); ok = x != NULL; }
            if (ok) answer(name, n);
        } else if (count >= 3 && !strcmp(words[0], "kdf")) {
            size_t len = strtoul(words[2], NULL, 10);
            OWN(u8) *out = alloc(len);
            OWN(EVP_KDF) *kdf = EVP_KDF_fetch(lib, words[1], NULL);
            OWN(EVP_KDF_CTX) *x = kdf ? EVP_KDF_CTX_new(kdf) : NULL;
            ok = x && parameters(params, EVP_KDF_settable_ctx_params(kdf), words + 3, count - 3) && EVP_KDF_derive(x, out, len, params);
            if (ok) answer(out, len);
        }
        release(params);
        if (!ok) no();
        fflush(stdout);
    }
    free(buffer);
    return 0;
}
