// Wrong lengths, orders, nulls, names: an error with a text in OpenSSL's queue, no crash.
#include "evp.h"
#include <sys/mman.h>

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

static u8 key[64] = {1}, iv[32], out[256], tag[16];
static int n;
static size_t m, big = 1000, seven = 7;
static long minus = -5;
static EVP_CIPHER_CTX *x;
static EVP_CIPHER *ctr, *cbc, *mgm, *xts, *acpkm, *gost;

// Ciphers: no key, no IV, data first, wrong lengths.
static void orders(void) {
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
}

#define SETS(...) EVP_CIPHER_CTX_set_params(x, PARAMS(__VA_ARGS__))
#define GETS(...) EVP_CIPHER_CTX_get_params(x, PARAMS(__VA_ARGS__))

// Ciphers: wrong lengths and types of parameters.
static void parameters(void) {
    size_t huge = (size_t)-1;
    BAD(SETS(BYTES("alg_id_param", key, huge)));
    BAD(GETS(BYTES("iv", out, huge)));
    BAD(SETS(BYTES("alg_id_param", NULL, 20)));
    BAD(SETS((OSSL_PARAM){"keylen", OSSL_PARAM_UNSIGNED_INTEGER, key, huge, 0}));
    // Parameters that are unknown here.
    BAD(SETS(SIZE("tls-mac-size", &seven)));
    BAD(EVP_CIPHER_CTX_set_num(x, 3));
    BAD(EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_RAND_KEY, 0, out));
    static char *asks[] = {"use-bits", "tls-version", "rounds", "keybits"};
    for (int i = 0; i < 4; i++) {
        BAD(SETS(SIZE(asks[i], &seven)));
        BAD(EVP_EncryptInit_ex2(x, ctr, NULL, NULL, PARAMS(SIZE(asks[i], &seven))));
    }
    BAD(SETS(TEXT("cts_mode", "CS3")));
    // A size of 0 means 8 bytes, or a text, only in a cipher with `tlstree_mode`: elsewhere nothing is read.
    void *nothing = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    BAD(SETS(BYTES("tlstree", nothing, 0)));
    BAD(SETS(BYTES("tlstree_mode", nothing, 0)));
    EVP_EncryptInit_ex(x, mgm, NULL, key, iv);
    BAD(SETS(BYTES("tlstree", nothing, 0)));
    BAD(SETS(BYTES("tlstree_mode", NULL, 0)));
    EVP_EncryptInit_ex(x, ctr, NULL, key, iv);
    munmap(nothing, 4096);
    BAD(SETS(OSSL_PARAM_construct_long("ivlen", &minus)));
    BAD(SETS(SIZE("ivlen", &seven)));
    BAD(SETS(TEXT("ivlen", "8")));
    BAD(SETS(SIZE("key-mesh", &big)));
    BAD(SETS(BYTES("tlstree", key, 7)));
    BAD(SETS(BYTES("alg_id_param", key, 20)));
    BAD(SETS(TEXT("tlstree_mode", "heavy")));
    u8 little;
    BAD(GETS(BYTES("iv", &little, 1)));
    EVP_EncryptInit_ex(x, acpkm, NULL, key, iv);
    BAD(SETS(SIZE("key-mesh", &seven)));
    EVP_EncryptInit_ex(x, gost, NULL, key, iv);
    BAD(SETS(TEXT("paramset", "id-nothing")));
}

// Ciphers: texts of wrong lengths, tags, nonces.
static void texts(void) {
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
}

// MACs.
static void macs(void) {
    OWN(EVP_MAC) *mac = EVP_MAC_fetch(lib, "kuznyechik-mac", NULL);
    OWN(EVP_MAC_CTX) *y = EVP_MAC_CTX_new(mac);
    BAD(EVP_MAC_update(y, key, 10));
    BAD(EVP_MAC_init(y, key, 31, NULL));
    BAD(EVP_MAC_init(y, key, 0, NULL));
    BAD(EVP_MAC_init(y, NULL, 32, NULL));
    OWN(EVP_MAC) *hmac = EVP_MAC_fetch(lib, "hmac-streebog256", NULL);
    OWN(EVP_MAC_CTX) *h = EVP_MAC_CTX_new(hmac);
    BAD(EVP_MAC_init(h, NULL, 0, PARAMS(BYTES("key", NULL, 32)))); // no empty key
    BAD(EVP_MAC_init(h, NULL, 0, PARAMS(BYTES("key", key, (size_t)-1))));
    BAD(EVP_MAC_init(h, key, (size_t)-1, NULL));
    BAD(EVP_MAC_init(h, key, 32, PARAMS(TEXT("digest", "SHA256"))));
    BAD(EVP_MAC_init(h, key, 32, PARAMS(TEXT("cipher", "AES-128-CBC"))));
    BAD(EVP_MAC_init(y, key, 32, PARAMS(TEXT("digest", "md_gost12_256")))); // over a cipher
    EVP_MAC_init(h, key, 32, NULL);
    BAD(EVP_MAC_update(h, key, (size_t)-1));
    BAD(EVP_MAC_init(y, key, 32, PARAMS(SIZE("size", &big))));
    BAD(EVP_MAC_init(y, key, 32, PARAMS(SIZE("key-mesh", &seven))));
    BAD(EVP_MAC_init(y, key, 32, PARAMS(BYTES("iv", key, 8))));
    EVP_MAC_init(y, key, 32, NULL);
    BAD(EVP_MAC_update(y, NULL, 5));
    BAD(EVP_MAC_final(y, out, &m, 3));
    EVP_MAC_final(y, out, &m, 64);
    BAD(EVP_MAC_update(y, key, 5)); // the tag has been made
    BAD(EVP_MAC_final(y, out, &m, 64));
}

// KDFs.
static void kdfs(void) {
    OWN(EVP_KDF) *kdf = EVP_KDF_fetch(lib, "TLSTREE", NULL), *tree = EVP_KDF_fetch(lib, "KDF_TREE", NULL),
        *pb = EVP_KDF_fetch(lib, "pbkdf2-hmac-streebog512", NULL);
    OWN(EVP_KDF_CTX) *z = EVP_KDF_CTX_new(kdf), *t = EVP_KDF_CTX_new(tree), *p = EVP_KDF_CTX_new(pb);
    BAD(EVP_KDF_derive(z, out, 32, NULL));
    BAD(EVP_KDF_derive(t, out, 32, NULL));
    BAD(EVP_KDF_derive(p, out, 32, NULL));
    BAD(EVP_KDF_derive(z, out, 32, PARAMS(BYTES("key", key, 31), BYTES("seed", key, 8))));
    BAD(EVP_KDF_derive(z, out, 32, PARAMS(BYTES("key", key, 32), BYTES("seed", key, 7))));
    BAD(EVP_KDF_derive(z, out, 31, PARAMS(BYTES("key", key, 32), BYTES("seed", key, 8))));
    BAD(EVP_KDF_derive(p, out, 32, PARAMS(BYTES("key", key, 32), BYTES("seed", key, 8)))); // no iterations
    BAD(EVP_KDF_derive(t, out, 32, PARAMS(BYTES("key", key, 32), SIZE("r", &seven))));
    unsigned two = 2;
    int checks = 0;
#define PBKDF2(len, ...) (EVP_KDF_CTX_reset(p), EVP_KDF_derive(p, out, len, PARAMS(BYTES("pass", key, 4), NUMBER("iter", &two), __VA_ARGS__)))
#define SALT BYTES("salt", "12345678", 8)
    BAD(PBKDF2(32, END)); // no salt
    BAD(PBKDF2(32, BYTES("salt", NULL, 8)));
    BAD(PBKDF2(32, SALT, TEXT("digest", "SHA256")));
    BAD(PBKDF2(32, SALT, OSSL_PARAM_construct_int("pkcs5", &checks)));
    BAD(PBKDF2(32, SALT, TEXT("cipher", "kuznyechik-ctr")));
    BAD(PBKDF2(32, SALT, TEXT("mode", "EXTRACT_AND_EXPAND")));
    BAD(PBKDF2((size_t)-1, SALT));
}

// Digests.
static void digests(void) {
    OWN(EVP_MD) *md = EVP_MD_fetch(lib, "streebog256", NULL);
    OWN(EVP_MD_CTX) *d = EVP_MD_CTX_new();
    EVP_DigestInit_ex2(d, md, NULL);
    BAD(EVP_DigestUpdate(d, NULL, 5));
    BAD(EVP_DigestUpdate(d, key, (size_t)-1));
    BAD(EVP_DigestInit_ex2(d, md, PARAMS(SIZE("xoflen", &seven))));
    BAD(EVP_DigestInit_ex2(d, md, PARAMS(SIZE("size", &seven))));
    BAD(EVP_DigestInit_ex2(d, md, PARAMS(BYTES("ssl3-ms", key, 48))));
    BAD(EVP_DigestInit_ex2(d, md, PARAMS(BYTES("customization", key, 4))));
}

int bad(void) {
    pattern(key, 64, 1);
    x = EVP_CIPHER_CTX_new();
    EVP_CIPHER **all[] = {&ctr, &cbc, &mgm, &xts, &acpkm, &gost};
    static const char *names[] = {"kuznyechik-ctr", "kuznyechik-cbc", "kuznyechik-mgm", "kuznyechik-xts", "kuznyechik-ctr-acpkm",
        "gost89"};
    for (int i = 0; i < 6; i++) *all[i] = EVP_CIPHER_fetch(lib, names[i], NULL);
    BAD(EVP_CIPHER_fetch(lib, "kuznyechik-abc", NULL) != NULL);
    BAD(EVP_MAC_fetch(lib, "kuznyechik-ctr", NULL) != NULL);
    BAD(EVP_MD_fetch(lib, "streebog513", NULL) != NULL);
    orders();
    parameters();
    texts();
    macs();
    kdfs();
    digests();
    EVP_CIPHER_CTX_free(x);
    for (int i = 0; i < 6; i++) EVP_CIPHER_free(*all[i]);
    printf("%d refused with an error and words, %d not\n", refusals - accepted, accepted);
    return accepted != 0;
}
