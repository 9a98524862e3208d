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

// Ciphers: wrong lengths and types of parameters.
static void parameters(void) {
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
    EVP_MAC_CTX_free(y);
    EVP_MAC_free(mac);
}

// KDFs.
static void kdfs(void) {
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
    EVP_KDF_CTX_free(z);
    EVP_KDF_CTX_free(t);
    EVP_KDF_CTX_free(p);
    EVP_KDF_free(kdf);
    EVP_KDF_free(tree);
    EVP_KDF_free(pb);
}

// Digests.
static void digests(void) {
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
