// Rules of the provider: the defects of gost-engine, inits without a key, parameters within a message, threads.
#include "evp.h"
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

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
    OWN(EVP_CIPHER) *c = EVP_CIPHER_fetch(lib, name, NULL);
    if (c == NULL) return ABSENT;
    of(&k, c);
    OWN(EVP_CIPHER_CTX) *x = EVP_CIPHER_CTX_new();
    int ok = EVP_EncryptInit_ex(x, c, NULL, k.key, k.iv) &&
        EVP_CIPHER_CTX_get_params(x, PARAMS(BYTES("alg_id_param", out, sizeof out))) && EVP_EncryptUpdate(x, out, &n, k.key, 32) && EVP_EncryptFinal_ex(x, out, &n);
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
    const char *what;
    int (*run)(const char *);
    const char *names[11];
} DEFECTS[] = {
    {"1. a new IV on a used context", new_iv, {"kuznyechik-ctr", "magma-ctr", "kuznyechik-ctr-acpkm", "magma-ctr-acpkm",
        "kuznyechik-cfb", "kuznyechik-ofb", "gost89", "gost89-cnt", "gost89-cnt-12", "kuznyechik-cbc"}},
    {"2. MGM opens without associated data", no_aad, {"kuznyechik-mgm", "magma-mgm"}},
    {"3. MGM opens with a tag of 4 bytes", tag_of_4, {"kuznyechik-mgm", "magma-mgm"}},
    {"4. a second MAC without a key", second_mac, {"gost-mac", "gost-mac-12", "magma-mac", "kuznyechik-mac", "kuznyechik-ctr-acpkm-omac"}},
    {"5. CTR-ACPKM-OMAC encrypts", makes, {"kuznyechik-ctr-acpkm-omac", "magma-ctr-acpkm-omac"}},
    {"6. in a library context of its own", elsewhere, {"magma-mac", "kuznyechik-mac", "kuznyechik-ctr-acpkm-omac"}},
};

int defects(const char *name, const char *folder) {
    int bad = 0;
    own = lib;
    lib = NULL;
    if (folder) OSSL_PROVIDER_set_default_search_path(NULL, folder);
    in_default = OSSL_PROVIDER_load(NULL, name);
    if (!in_default || !OSSL_PROVIDER_load(NULL, "default")) return 2;
    for (size_t i = 0; i < sizeof DEFECTS / sizeof *DEFECTS; i++)
        for (const char *const *each = DEFECTS[i].names; *each; each++) {
            fflush(stdout);
            pid_t child = fork();
            if (child == 0) _exit(DEFECTS[i].run(*each));
            int status = 0;
            waitpid(child, &status, 0);
            const char *words[] = {"right", "WRONG", "not there"};
            const char *word = WIFEXITED(status) && WEXITSTATUS(status) < 3 ? words[WEXITSTATUS(status)] : "CRASHES";
            bad += !(WIFEXITED(status) && WEXITSTATUS(status) == RIGHT);
            printf("%-40s %-26s %s\n", DEFECTS[i].what, *each, word);
        }
    lib = own;
    return bad != 0;
}

// ---- rules

static u8 key[32];

// Makes a context of this module's cipher; the caller frees it.
static EVP_CIPHER_CTX *started(const char *name, const u8 *key, const u8 *iv, int enc) {
    OWN(EVP_CIPHER) *c = EVP_CIPHER_fetch(lib, name, NULL);
    EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new();
    if (EVP_CipherInit_ex(x, c, NULL, key, iv, enc)) return x;
    EVP_CIPHER_CTX_free(x);
    return NULL;
}

// An init without key and IV moves to the next block of the keystream, from any position and in any direction.
static int goes_on(const char *name, int block) {
    u8 iv[16] = {1}, zero[160] = {0}, want[160], got[160];
    int n, at = 0;
    OWN(EVP_CIPHER_CTX) *x = started(name, key, iv, 1);
    NEED(x && EVP_EncryptUpdate(x, want, &n, zero, 160), "a keystream");
    NEED(EVP_EncryptInit_ex(x, NULL, NULL, key, iv), "anew");
    for (int i = 0; i < 6; i++) {
        int len = 1 + i * 7 % block;
        NEED(EVP_CipherUpdate(x, got, &n, zero, len) && !memcmp(got, want + at, len), "%s: part %d", name, i);
        NEED(EVP_CIPHER_CTX_get_num(x) == len % block, "%s: part %d ends elsewhere", name, i);
        at += (len + block - 1) / block * block;
        NEED(EVP_CipherInit_ex(x, NULL, NULL, NULL, NULL, i & 1), "%s: goes on", name);
    }
    return 1;
}

// In CMS encryption writes the parameters, and decryption reads them before the key.
static int cms_parameters(const char *name) {
    static u8 text[9000], sealed[9000 + 16], opened[9000 + 32]; // longer than a section outside CMS
    u8 iv[16] = {1}, der[64], tag[16];
    int n, m, omac = strstr(name, "omac") != NULL, t = strncmp(name, "magma", 5) ? 16 : 8;
    pattern(text, sizeof text, 2);
    OWN(EVP_CIPHER_CTX) *x = started(name, key, iv, 1), *y = started(name, NULL, NULL, 0);
    OSSL_PARAM *p = PARAMS(BYTES("alg_id_param", NULL, 0));
    NEED(x && y && EVP_CIPHER_CTX_get_params(x, p) && p->return_size <= sizeof der, "%s: how long", name);
    *p = BYTES("alg_id_param", der, sizeof der);
    NEED(EVP_CIPHER_CTX_get_params(x, p), "%s: parameters", name);
    size_t len = p->return_size;
    NEED(EVP_EncryptUpdate(x, sealed, &n, text, sizeof text) && EVP_EncryptFinal_ex(x, sealed + n, &m), "%s: sealing", name);
    *p = BYTES("alg_id_param", opened, sizeof opened);
    NEED(EVP_CIPHER_CTX_get_params(x, p), "%s: parameters at the end", name);
    if (omac) NEED(EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_GET_TAG, t, tag) > 0, "%s: a tag after them", name);
    *p = BYTES("alg_id_param", der, len);
    NEED(EVP_CIPHER_CTX_set_params(y, p) && EVP_DecryptInit_ex(y, NULL, NULL, key, NULL), "%s: parameters, then the key", name);
    if (omac) NEED(EVP_CIPHER_CTX_ctrl(y, EVP_CTRL_AEAD_SET_TAG, t, tag) > 0, "%s: the tag", name);
    m += n;
    NEED(EVP_DecryptUpdate(y, opened, &n, sealed, m) && EVP_DecryptFinal_ex(y, opened + n, &n) && !memcmp(opened, text, sizeof text),
        "%s: opening", name);
    // No pointer to bytes that end with the call.
    void *pointer = NULL;
    *p = OSSL_PARAM_construct_octet_ptr("alg_id_param", &pointer, 0);
    NEED(!EVP_CIPHER_CTX_get_params(x, p) && pointer == NULL, "%s: a pointer to its parameters", name);
    return 1;
}

// A record's number: the key is TLSTREE's, the IV of CTR the sum.
static int record_keys(const char *name, const char *mode, int iv_len) {
    u8 record[8] = {0, 0, 0, 0, 0, 0xff, 0xff, 0xfe}, iv[16] = {0x7f, 0xff, 0xff, 9, 0xff, 0xff, 0xff, 7}, sum[16], derived[32];
    u8 text[50], want[64], got[64];
    int n, carry = 0;
    pattern(text, 50, 2);
    OWN(EVP_KDF) *kdf = EVP_KDF_fetch(lib, "TLSTREE", NULL);
    OWN(EVP_KDF_CTX) *z = EVP_KDF_CTX_new(kdf);
    OSSL_PARAM way = mode ? TEXT("tlstree_mode", mode) : END, number = BYTES("tlstree", record, 8);
    NEED(EVP_KDF_derive(z, derived, 32, PARAMS(BYTES("key", key, 32), BYTES("seed", record, 8), TEXT("cipher", name), way)), "%s: TLSTREE", name);
    memcpy(sum, iv, 16);
    for (int i = iv_len - 1, j = 7; i >= 0 && !mode; i--, j--) {
        carry += iv[i] + (j >= 0 ? record[j] : 0);
        sum[i] = (u8)carry;
        carry >>= 8;
    }
    OWN(EVP_CIPHER_CTX) *x = started(name, derived, sum, 1), *y = started(name, key, iv, 1);
    OSSL_PARAM *q = mode ? PARAMS(way, number) : PARAMS(number);
    NEED(x && y && EVP_EncryptUpdate(x, want, &n, text, 50), "%s: under the derived key", name);
    for (int i = 0; i < 2; i++) { // a second round on a used context
        if (i && mode) NEED(EVP_EncryptInit_ex(y, NULL, NULL, NULL, iv), "%s: a nonce", name);
        NEED(EVP_CIPHER_CTX_set_params(y, q) && EVP_EncryptUpdate(y, got, &n, text, 50) && !memcmp(got, want, 50), "%s: record", name);
    }
    return 1;
}

// After `tlstree_mode` each message needs a record's number of its own: the first bit of a nonce is ignored then, and two
// nonces that differ in it would give one keystream.
static int record_numbers(const char *name, const char *mode) {
    u8 seq[8] = {0}, iv[16] = {1}, in[32] = {0}, out[32];
    int n;
    OWN(EVP_CIPHER_CTX) *x = started(name, key, iv, 1);
    NEED(x && EVP_CIPHER_CTX_set_params(x, PARAMS(TEXT("tlstree_mode", mode))), "%s: a mode", name);
    for (int i = 0; i < 6; i++) {
        iv[0] = i & 1 ? 0x81 : 1;
        // The third round has another key, under which the mode stays; then also a number, and the nonce after it.
        NEED(EVP_EncryptInit_ex(x, NULL, NULL, i == 2 ? key : NULL, iv), "%s: a nonce", name);
        NEED(!EVP_EncryptUpdate(x, out, &n, in, 32) && !EVP_EncryptFinal_ex(x, out, &n), "%s: message %d has no number", name, i);
        if (i < 3) continue;
        seq[7] = (u8)i;
        NEED(EVP_CIPHER_CTX_set_params(x, PARAMS(BYTES("tlstree", seq, 8))) && EVP_EncryptInit_ex(x, NULL, NULL, NULL, iv) &&
            EVP_EncryptUpdate(x, out, &n, in, 32) && EVP_EncryptUpdate(x, out, &n, in, 32) && EVP_EncryptFinal_ex(x, out, &n), "%s: message %d has a number", name, i);
    }
    ERR_clear_error();
    return 1;
}

// A tag's size may come at any time; a parameter that would lose a part of the message is refused.
static int mac_midway(const char *name) {
    u8 text[100], want[64], got[64];
    size_t n, w, size = 3, section = 4096;
    pattern(text, 100, 2);
    OWN(EVP_MAC) *mac = EVP_MAC_fetch(lib, name, NULL);
    NEED(mac_once(mac, 0, text, 100, want, &w), "a tag");
    OWN(EVP_MAC_CTX) *x = mac_begin(mac, 0);
    NEED(EVP_MAC_update(x, text, 60) && !EVP_MAC_CTX_set_params(x, PARAMS(SIZE("key-mesh", &section))), "%s: a section within the message", name);
    NEED(EVP_MAC_CTX_set_params(x, PARAMS(SIZE("size", &size))) && EVP_MAC_update(x, text + 60, 40) && EVP_MAC_final(x, got, &n, 64), "%s: a size", name);
    NEED(n == size && !memcmp(got, want, n), "%s: a size within the message", name);
    return 1;
}

// A context that has sealed has no tag to open with.
static int no_tag_left(void) {
    u8 iv[16] = {1}, text[50] = {5};
    int n;
    OWN(EVP_CIPHER_CTX) *x = started("kuznyechik-mgm", key, iv, 1);
    NEED(x && EVP_EncryptUpdate(x, text, &n, text, 50) && EVP_EncryptFinal_ex(x, text + n, &n), "sealing");
    NEED(EVP_DecryptInit_ex(x, NULL, NULL, key, iv) && EVP_DecryptUpdate(x, text, &n, text, 50), "opening");
    NEED(!EVP_DecryptFinal_ex(x, text + n, &n), "the tag that was made is taken for one to check");
    // A null pointer is no tag either.
    void *nothing = NULL;
    NEED(EVP_DecryptInit_ex(x, NULL, NULL, key, iv) && !EVP_CIPHER_CTX_set_params(x, PARAMS(OSSL_PARAM_construct_octet_ptr("tag", &nothing, 16))),
        "a tag that is nowhere");
    return 1;
}

// Several seeds are concatenated.
static int seeds_together(void) {
    u8 want[32], got[32];
    OWN(EVP_KDF) *kdf = EVP_KDF_fetch(lib, "hkdf-streebog256", NULL);
    OWN(EVP_KDF_CTX) *x = EVP_KDF_CTX_new(kdf);
    NEED(EVP_KDF_derive(x, want, 32, PARAMS(BYTES("key", "secret", 6), BYTES("info", "abcd", 4))), "HKDF");
    for (int i = 0; i < 2; i++)
        NEED(EVP_KDF_derive(x, got, 32, PARAMS(BYTES("key", "secret", 6), BYTES("info", "ab", 2), BYTES("info", "cd", 2))) && !memcmp(got, want, 32),
            "two pieces of info");
    return 1;
}

// Texts of size 0 end at their NUL; names may have any case.
static int short_texts(void) {
    u8 want[32], got[32];
    OWN(EVP_KDF) *kdf = EVP_KDF_fetch(lib, "hkdf-streebog256", NULL);
    OWN(EVP_KDF_CTX) *x = EVP_KDF_CTX_new(kdf);
    OSSL_PARAM p[] = {OSSL_PARAM_octet_string("key", (void *)"secret", 6), OSSL_PARAM_utf8_string("mode", (void *)"EXPAND_ONLY", 11),
        OSSL_PARAM_END};
    NEED(EVP_KDF_derive(x, want, 32, p), "HKDF's second step");
    p[1] = (OSSL_PARAM)OSSL_PARAM_utf8_string("mode", (void *)"expand_only", 0);
    NEED(EVP_KDF_derive(x, got, 32, p) && !memcmp(got, want, 32), "HKDF's second step, a text of size 0");
    OWN(EVP_KDF) *tree = EVP_KDF_fetch(lib, "TLSTREE", NULL);
    OWN(EVP_KDF_CTX) *y = EVP_KDF_CTX_new(tree);
    OSSL_PARAM q[] = {OSSL_PARAM_octet_string("key", (void *)"0123456789abcdef0123456789abcdef", 32),
        OSSL_PARAM_octet_string("seed", (void *)"12345678", 8), OSSL_PARAM_utf8_string("cipher", (void *)"kuznyechik-mgm", 14),
        OSSL_PARAM_utf8_string("tlstree_mode", (void *)"light", 5), OSSL_PARAM_END};
    NEED(EVP_KDF_derive(y, want, 32, q), "TLSTREE");
    q[2].data_size = q[3].data_size = 0;
    NEED(EVP_KDF_derive(y, got, 32, q) && !memcmp(got, want, 32), "TLSTREE, texts of size 0");
    return 1;
}

// An IV without a key begins a message under a seed of its own; decryption keeps the seed that was set.
static int seeds_differ(const char *name) {
    u8 iv[16] = {1}, der[2][64], sealed[2][64], opened[64], tag[2][16];
    int n, t = strncmp(name, "magma", 5) ? 16 : 8;
    size_t len = 0;
    OWN(EVP_CIPHER_CTX) *x = started(name, key, iv, 1), *y = started(name, NULL, NULL, 0);
    OSSL_PARAM p[] = {END, END};
    for (int i = 0; i < 2; i++) {
        if (i) NEED(EVP_EncryptInit_ex(x, NULL, NULL, NULL, iv), "%s: an IV", name);
        *p = BYTES("alg_id_param", der[i], sizeof der[i]);
        NEED(x && EVP_CIPHER_CTX_get_params(x, p), "%s: parameters", name);
        len = p->return_size;
        NEED(EVP_EncryptUpdate(x, sealed[i], &n, key, 32) && EVP_EncryptFinal_ex(x, sealed[i] + 32, &n) &&
            EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_GET_TAG, t, tag[i]) > 0, "%s: sealing", name);
    }
    NEED(memcmp(der[0], der[1], len) && memcmp(sealed[0], sealed[1], 32), "%s: two messages under one seed", name);
    for (int i = 0; i < 3; i++) {
        *p = BYTES("alg_id_param", der[i & 1], len);
        // The third round is the first message again, with only its IV after its parameters.
        if (i == 2) NEED(EVP_CIPHER_CTX_set_params(y, p) && EVP_DecryptUpdate(y, opened, &n, sealed[0], 32) &&
            EVP_DecryptInit_ex(y, NULL, NULL, NULL, iv), "%s: an IV for decryption", name);
        else NEED(y && EVP_CIPHER_CTX_set_params(y, p) && EVP_DecryptInit_ex(y, NULL, NULL, key, NULL), "%s: decryption", name);
        NEED(EVP_CIPHER_CTX_ctrl(y, EVP_CTRL_AEAD_SET_TAG, t, tag[i & 1]) > 0 && EVP_DecryptUpdate(y, opened, &n, sealed[i & 1], 32) &&
            EVP_DecryptFinal_ex(y, opened + 32, &n) && !memcmp(opened, key, 32), "%s: opening, %d", name, i);
    }
    return 1;
}

// A seed that nobody can read again encrypts nothing.
static int seed_unread(const char *name) {
    u8 iv[16] = {1}, der[64], text[32] = {5};
    int n;
    OWN(EVP_CIPHER_CTX) *x = started(name, key, iv, 1);
    for (int i = 0; i < 2; i++) {
        NEED(x && !EVP_EncryptUpdate(x, text, &n, text, 32) && !EVP_EncryptFinal_ex(x, text, &n), "%s: a seed that nobody has", name);
        NEED(EVP_CIPHER_CTX_get_params(x, PARAMS(BYTES("alg_id_param", NULL, 0))) && !EVP_EncryptUpdate(x, text, &n, text, 32),
            "%s: only the length of the parameters", name);
        NEED(EVP_CIPHER_CTX_get_params(x, PARAMS(BYTES("alg_id_param", der, sizeof der))) && EVP_EncryptUpdate(x, text, &n, text, 32) &&
            EVP_EncryptFinal_ex(x, text, &n), "%s: a seed", name);
        NEED(EVP_EncryptInit_ex(x, NULL, NULL, NULL, iv), "%s: the next message", name);
    }
    return 1;
}

// Hosts such as Node choose authentication by the mode. With OCB's they set the tag's length before the key.
static int tag_by_mode(const char *name, int iv_len) {
    u8 iv[16] = {1}, text[32] = {5}, sealed[32], tag[16];
    int n, t = strncmp(name, "magma", 5) ? 16 : 8, aad = strstr(name, "mgm") != NULL;
    OWN(EVP_CIPHER) *c = EVP_CIPHER_fetch(lib, name, NULL);
    NEED(c && EVP_CIPHER_get_mode(c) == EVP_CIPH_OCB_MODE && EVP_CIPHER_get_flags(c) & EVP_CIPH_FLAG_AEAD_CIPHER, "%s: mode", name);
    for (int enc = 1; enc >= 0; enc--) {
        OWN(EVP_CIPHER_CTX) *x = EVP_CIPHER_CTX_new();
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
    }
    return 1;
}

// CRYPT_PARAMS: a name, an OID; with an unknown one, or one that is not UTF-8, nothing is encrypted.
static int crypt_params(const char *folder) {
    static const struct { const char *value, *same; int good; } CASES[] = {{"id-Gost28147-89-CryptoPro-A-ParamSet", "a", 1},
        {"1.2.643.2.2.31.2", "b", 1}, {"", "z", 1}, {"id-nothing", "z", 0}, {"\xff\xfe", "z", 0}};
    u8 iv[8] = {1}, text[64] = {0}, want[64], got[64];
    int n;
    OSSL_LIB_CTX *before = lib;
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
        OWN(EVP_CIPHER_CTX) *z = started("gost89", key, iv, 1);
        NEED(z && EVP_CIPHER_CTX_set_params(z, PARAMS(TEXT("paramset", CASES[i].same))) && EVP_EncryptUpdate(z, want, &n, text, 64), "paramset");
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
    OSSL_PARAM *p = PARAMS(NUMBER("nonce-type", &deterministic), TEXT("properties", "provider=bulat"));
    OWN(EVP_PKEY) *key = EVP_PKEY_Q_keygen(lib, NULL, "EC", "P-256");
    OWN(EVP_MD_CTX) *x = EVP_MD_CTX_new();
    NEED(key && EVP_DigestSignInit_ex(x, NULL, "md_gost12_256", lib, NULL, key, p) && EVP_DigestSign(x, signature, &len, text, 50), "signing");
    EVP_MD_CTX_reset(x);
    NEED(EVP_DigestVerifyInit_ex(x, NULL, "md_gost12_256", lib, NULL, key, p) && EVP_DigestVerify(x, signature, len, text, 50) == 1, "verifying");
    EVP_MD_CTX_reset(x);
    OWN(EVP_MD) *md = EVP_MD_fetch(lib, "md_gost12_256", NULL);
    p[1] = SIZE("size", &size);
    NEED(EVP_DigestInit_ex2(x, md, p) && EVP_DigestUpdate(x, text, 50) && EVP_DigestFinal_ex(x, got, &n) && n == 32, "the digest's own size");
    NEED(EVP_Digest(text, 50, want, &n, md, NULL) && !memcmp(got, want, 32), "the digest with parameters");
    return 1;
}

// Parameters that ask for the present behavior.
static int no_wishes(void) {
    int one = 1;
    unsigned none = 0, fast = 1, iter = 2;
    size_t no_size = 0, n;
    u8 iv[16] = {1}, text[50] = {5}, want[64], got[64];
    int w;
    OSSL_PARAM *c = PARAMS(TEXT("properties", "provider=bulat"), NUMBER("use-bits", &none), NUMBER("tls-version", &none),
        SIZE("tls-mac-size", &no_size), NUMBER("speed", &fast));
    OWN(EVP_CIPHER_CTX) *x = started("kuznyechik-ctr", key, iv, 1);
    OWN(EVP_CIPHER) *ctr = EVP_CIPHER_fetch(lib, "kuznyechik-ctr", NULL);
    NEED(x && EVP_EncryptUpdate(x, want, &w, text, 50), "a cipher");
    NEED(EVP_CIPHER_CTX_set_params(x, c), "a cipher's parameters");
    NEED(EVP_EncryptInit_ex2(x, ctr, key, iv, c) && EVP_EncryptUpdate(x, got, &w, text, 50) && !memcmp(got, want, 50), "an init with parameters");
    OWN(EVP_MAC) *mac = EVP_MAC_fetch(lib, "hmac-streebog256", NULL);
    OWN(EVP_MAC_CTX) *y = EVP_MAC_CTX_new(mac);
    OSSL_PARAM *m = PARAMS(TEXT("digest", "MD_GOST12_256"), c[0]);
    NEED(EVP_MAC_init(y, key, 32, NULL) && EVP_MAC_update(y, text, 50) && EVP_MAC_final(y, want, &n, 64), "a MAC");
    NEED(EVP_MAC_init(y, key, 32, m) && EVP_MAC_update(y, text, 50) && EVP_MAC_final(y, got, &n, 64) && !memcmp(got, want, n),
        "a MAC with its own digest's name");
    // The parameters that a program sets for PBKDF2.
    OSSL_PARAM *k = PARAMS(BYTES("pass", key, 4), BYTES("salt", "pepper", 6), NUMBER("iter", &iter), END,
        OSSL_PARAM_construct_int("pkcs5", &one), c[0]);
    OWN(EVP_KDF) *kdf = EVP_KDF_fetch(lib, "pbkdf2-hmac-streebog512", NULL);
    OWN(EVP_KDF_CTX) *z = EVP_KDF_CTX_new(kdf);
    NEED(EVP_KDF_derive(z, want, 64, k), "PBKDF2");
    k[3] = TEXT("digest", "id-tc26-gost3411-12-512");
    NEED(EVP_KDF_derive(z, got, 64, k) && !memcmp(got, want, 64), "PBKDF2 with its own digest's name and pkcs5");
    return 1;
}

int rules(const char *folder) {
    static const char *cms[] = {"gost89", "gost89-cbc", "magma-cbc", "kuznyechik-ctr", "magma-ctr", "kuznyechik-ctr-acpkm",
        "magma-ctr-acpkm", "kuznyechik-ctr-acpkm-omac", "magma-ctr-acpkm-omac"};
    static const char *macs[] = {"kuznyechik-mac", "magma-mac", "kuznyechik-ctr-acpkm-omac", "gost-mac", "hmac-streebog512"};
    pattern(key, 32, 1);
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

static int work(u8 out[5][5000]) {
    static u8 text[4000];
    u8 key[32] = {1}, iv[16] = {2};
    int n;
    unsigned k;
    size_t m;
    OWN(EVP_CIPHER_CTX) *x = EVP_CIPHER_CTX_new();
    int ok = EVP_EncryptInit_ex(x, shared_ctr, NULL, key, iv) && EVP_EncryptUpdate(x, out[0], &n, text, 4000);
    ok = ok && EVP_EncryptInit_ex(x, shared_mgm, NULL, key, iv) && EVP_EncryptUpdate(x, NULL, &n, text, 20) &&
        EVP_EncryptUpdate(x, out[1], &n, text, 4000) && EVP_EncryptFinal_ex(x, out[1] + 4000, &n) &&
        EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_GET_TAG, 16, out[1] + 4000) > 0;
    ok = ok && EVP_CIPHER_CTX_copy(x, template) && EVP_EncryptUpdate(x, out[4], &n, text, 100);
    ok = ok && EVP_Digest(text, 4000, out[2], &k, shared_md, NULL);
    OWN(EVP_MAC_CTX) *y = EVP_MAC_CTX_new(shared_mac);
    ok = ok && EVP_MAC_init(y, key, 32, NULL) && EVP_MAC_update(y, text, 4000) && EVP_MAC_final(y, out[3], &m, 64);
    // Fetched anew, while other threads do so.
    OWN(EVP_MD) *md = EVP_MD_fetch(lib, "md_gost12_512", "provider=bulat");
    return ok && md != NULL;
}

static void *thread(void *rounds) {
    for (long i = 0; i < (long)rounds; i++) {
        u8 (*out)[5000] = calloc(5, 5000);
        int ok = out && work(out) && !memcmp(out, expected, sizeof expected);
        free(out);
        if (!ok) return (void *)1;
    }
    return NULL;
}

int threads(long rounds) {
    pthread_t t[8];
    void *result;
    int bad = 0;
    shared_ctr = EVP_CIPHER_fetch(lib, "kuznyechik-ctr", NULL);
    shared_mgm = EVP_CIPHER_fetch(lib, "kuznyechik-mgm", NULL);
    shared_md = EVP_MD_fetch(lib, "streebog512", NULL);
    shared_mac = EVP_MAC_fetch(lib, "hmac-streebog256", NULL);
    u8 key[32] = {3}, iv[16] = {4};
    template = EVP_CIPHER_CTX_new();
    if (!EVP_EncryptInit_ex(template, shared_ctr, NULL, key, iv) || !work(expected)) return 1;
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
