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
#include "evp.h"
#include <stdarg.h>

OSSL_LIB_CTX *lib;
OSSL_PROVIDER *peer;
const char *failed;
int large;
static char failure[256];

void *alloc(size_t n) {
    void *p = malloc(n ? n : 1);
    if (p == NULL) abort();
    return p;
}

void pattern(u8 *p, size_t n, unsigned seed) {
    for (size_t i = 0; i < n; i++) p[i] = (u8)((seed * 89 + i * 167 + (i >> 8) * 13) ^ (i >> 16));
}

int fail(const char *format, ...) {
    if (failed == NULL) {
        va_list args;
        va_start(args, format);
        vsnprintf(failure, sizeof failure, format, args);
        va_end(args);
        failed = failure;
    }
    return 0;
}

void of(Case *k, const EVP_CIPHER *c) {
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

int tag_len(const Case *k) { return strncmp(EVP_CIPHER_get0_name(k->c), "magma", 5) ? 16 : 8; }

int is_omac(const Case *k) { return strstr(EVP_CIPHER_get0_name(k->c), "omac") != NULL; }

int begin(EVP_CIPHER_CTX *x, const Case *k, int enc) {
    if (!EVP_CipherInit_ex(x, k->c, NULL, NULL, NULL, enc)) return 0;
    if (k->aead && is_omac(k) && EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_IVLEN, tag_len(k) / 2 + 8, NULL) <= 0) return 0;
    return EVP_CipherInit_ex(x, NULL, NULL, k->key, k->iv, enc) && EVP_CIPHER_CTX_set_padding(x, k->pad);
}

EVP_MAC_CTX *mac_begin(EVP_MAC *mac, size_t size) {
    u8 key[32];
    pattern(key, 32, 1);
    EVP_MAC_CTX *x = EVP_MAC_CTX_new(mac);
    OSSL_PARAM params[2] = {END, END};
    if (size) params[0] = SIZE("size", &size);
    if (x && EVP_MAC_init(x, key, 32, params)) return x;
    EVP_MAC_CTX_free(x);
    return NULL;
}

int mac_once(EVP_MAC *mac, size_t size, const u8 *text, size_t len, u8 *tag, size_t *n) {
    OWN(EVP_MAC_CTX) *x = mac_begin(mac, size);
    return x && EVP_MAC_update(x, text, len) && EVP_MAC_final(x, tag, n, 64);
}

int kdf_once(EVP_KDF_CTX *x, u8 *out, size_t n) {
    const char *name = EVP_KDF_get0_name(EVP_KDF_CTX_kdf(x));
    unsigned iter = 3;
    OSSL_PARAM params[8], *p = params;
    *p++ = BYTES("key", "0123456789abcdef0123456789abcdef", 32);
    if (strstr(name, "pbkdf2") || strstr(name, "hkdf")) *p++ = BYTES("salt", "pepper", 6);
    if (strstr(name, "pbkdf2")) *p++ = NUMBER("iter", &iter);
    else *p++ = BYTES(strstr(name, "hkdf") ? "info" : "seed", "12345678", 8);
    if (strstr(name, "KDF_") || strstr(name, "tls-")) *p++ = BYTES("label", "a label", 7);
    *p = END;
    return EVP_KDF_derive(x, out, n, params);
}

static int who(int argc, char **argv) {
    for (int i = 0; i < argc; i++) {
        OWN(EVP_CIPHER) *c = EVP_CIPHER_fetch(NULL, argv[i], NULL);
        printf("%s %s\n", argv[i], c ? OSSL_PROVIDER_get0_name(EVP_CIPHER_get0_provider(c)) : "nobody");
    }
    return 0;
}

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
