// Secrets: marked undefined for valgrind, or looked for in freed memory.
#include "evp.h"
#ifdef WITH_VALGRIND
#include <valgrind/memcheck.h>
#else
#define VALGRIND_MAKE_MEM_UNDEFINED(p, n) ((void)(p), (void)(n))
#define VALGRIND_MAKE_MEM_DEFINED(p, n) ((void)(p), (void)(n))
#define VALGRIND_COUNT_ERRORS 0
#endif
#ifdef WITH_FREED
#include "../../../c/tests/freed.h"
#endif

// ---- secrets, once

// One message of an algorithm, with key and text undefined to valgrind; the output is public.
static int one_cipher(const char *name, int enc) {
    u8 text[600], out[700], key[64];
    int n, m = 0;
    Case k;
    OWN(EVP_CIPHER) *c = EVP_CIPHER_fetch(lib, name, NULL);
    if (c == NULL) return 0;
    of(&k, c);
    pattern(text, sizeof text, 3);
    memcpy(key, k.key, 64);
    VALGRIND_MAKE_MEM_UNDEFINED(text, sizeof text);
    VALGRIND_MAKE_MEM_UNDEFINED(key, sizeof key);
    OWN(EVP_CIPHER_CTX) *x = EVP_CIPHER_CTX_new();
    int omac = k.aead && is_omac(&k), ok = EVP_CipherInit_ex(x, c, NULL, NULL, NULL, enc) &&
        (!omac || EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_IVLEN, tag_len(&k) / 2 + 8, NULL) > 0) && EVP_CipherInit_ex(x, NULL, NULL, key, k.iv, enc);
    if (k.aead && !omac) ok = ok && EVP_CipherUpdate(x, NULL, &n, key, 20); // CMS has no associated data
    int cut = k.mode == EVP_CIPH_XTS_MODE ? 32 : 7;
    ok = ok && EVP_CipherUpdate(x, out, &n, text, cut) && EVP_CipherUpdate(x, out + n, &m, text + cut, 576 - cut);
    if (k.aead && !enc) EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_TAG, tag_len(&k), k.key);
    int end = EVP_CipherFinal_ex(x, out + n + m, &n); // decrypted noise has no padding and no right tag
    ok = ok && (end || !enc);
    OWN(EVP_CIPHER_CTX) *y = EVP_CIPHER_CTX_new();
    return ok && EVP_CIPHER_CTX_copy(y, x) && EVP_CipherInit_ex(x, NULL, NULL, NULL, k.iv, enc);
}

static int one_mac(const char *name) {
    u8 text[600], key[32], tag[64];
    size_t n;
    pattern(text, sizeof text, 3);
    pattern(key, sizeof key, 4);
    VALGRIND_MAKE_MEM_UNDEFINED(text, sizeof text);
    VALGRIND_MAKE_MEM_UNDEFINED(key, sizeof key);
    OWN(EVP_MAC) *mac = EVP_MAC_fetch(lib, name, NULL);
    OWN(EVP_MAC_CTX) *x = EVP_MAC_CTX_new(mac);
    return EVP_MAC_init(x, key, 32, NULL) && EVP_MAC_update(x, text, 100) && EVP_MAC_update(x, text + 100, 500) &&
        EVP_MAC_final(x, tag, &n, 64) && EVP_MAC_init(x, NULL, 0, NULL);
}

static int one_digest(const char *name) {
    u8 text[600], out[64];
    unsigned n;
    pattern(text, sizeof text, 3);
    VALGRIND_MAKE_MEM_UNDEFINED(text, sizeof text);
    OWN(EVP_MD) *md = EVP_MD_fetch(lib, name, NULL);
    return EVP_Digest(text, 600, out, &n, md, NULL);
}

static int one_kdf(const char *name) {
    u8 out[32], key[32];
    unsigned iter = 2;
    pattern(key, sizeof key, 4);
    VALGRIND_MAKE_MEM_UNDEFINED(key, sizeof key);
    OWN(EVP_KDF) *kdf = EVP_KDF_fetch(lib, name, NULL);
    OWN(EVP_KDF_CTX) *x = EVP_KDF_CTX_new(kdf);
    if (strstr(name, "pbkdf2")) return EVP_KDF_derive(x, out, 32, PARAMS(BYTES("key", key, 32), NUMBER("iter", &iter), BYTES("salt", "pepper", 6)));
    return EVP_KDF_derive(x, out, 32, PARAMS(BYTES("key", key, 32), BYTES("seed", "12345678", 8)));
}

int secrets(void) {
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

// ---- wiped

#ifdef WITH_FREED
// The key's bytes are FREED_SECRET's, which no other freed block here has.
static int leaks, used;
static u8 in[256], out[512];

static int other(const OSSL_PROVIDER *from) { return strcmp(OSSL_PROVIDER_get0_name(from), "bulat"); }

static void said(const char *kind, const char *name, int way) {
    if (freed_found) printf("%s %s, way %d: %d blocks with a piece of the key, of %zu bytes at %zu\n", kind, name, way, freed_found, freed_size, freed_at);
    leaks += freed_found;
    freed_found = 0;
}

static void wiped_cipher(EVP_CIPHER *c, void *unused) {
    const u8 *key = freed_secret, iv[16] = {1};
    (void)unused;
    for (int way = 0, n; way < 10 && !other(EVP_CIPHER_get0_provider(c)); way++) {
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
        said("cipher", EVP_CIPHER_get0_name(c), way);
    }
}

static void wiped_mac(EVP_MAC *mac, void *unused) {
    size_t n;
    (void)unused;
    for (int way = 0; way < 5 && !other(EVP_MAC_get0_provider(mac)); way++) {
        EVP_MAC_CTX *x = EVP_MAC_CTX_new(mac), *y = NULL;
        used += EVP_MAC_init(x, freed_secret, 32, NULL);
        if (way) EVP_MAC_update(x, in, 100);
        if (way == 2) y = EVP_MAC_CTX_dup(x);
        if (way == 3) EVP_MAC_final(x, out, &n, 64);
        if (way == 4) EVP_MAC_init(x, NULL, 0, NULL), y = EVP_MAC_CTX_dup(x);
        EVP_MAC_CTX_free(x);
        EVP_MAC_CTX_free(y);
        said("MAC", EVP_MAC_get0_name(mac), way);
    }
}

static void wiped_kdf(EVP_KDF *kdf, void *unused) {
    (void)unused;
    for (int way = 0; way < 3 && !other(EVP_KDF_get0_provider(kdf)); way++) {
        EVP_KDF_CTX *x = EVP_KDF_CTX_new(kdf), *y = NULL;
        used += kdf_once(x, out, 32) && EVP_KDF_CTX_set_params(x, PARAMS(BYTES("key", freed_secret, 32)));
        if (way) EVP_KDF_derive(x, out, 32, NULL);
        if (way == 2) y = EVP_KDF_CTX_dup(x), EVP_KDF_CTX_reset(x);
        EVP_KDF_CTX_free(x);
        EVP_KDF_CTX_free(y);
        said("KDF", EVP_KDF_get0_name(kdf), way);
    }
}

int wiped(void) {
    // The control: the search finds a key.
    void *volatile block = malloc(100);
    memcpy((u8 *)block + 50, freed_secret + 16, 8);
    free(block);
    if (freed_found != 1) return 2;
    freed_found = 0;
    EVP_CIPHER_do_all_provided(lib, wiped_cipher, NULL);
    EVP_MAC_do_all_provided(lib, wiped_mac, NULL);
    EVP_KDF_do_all_provided(lib, wiped_kdf, NULL);
    printf("%d contexts, %ld blocks freed, %d with a piece of a key\n", used, freed_count, leaks);
    return leaks || used < 290;
}
#endif
