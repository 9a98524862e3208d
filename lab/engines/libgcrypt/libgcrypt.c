/* libgcrypt: GOST 28147-89 under the S-boxes of TC26, Streebog, GOST R 34.11-94. */
#include "../../engine/protocol.h"
#include <gcrypt.h>

static const struct { const char *ours; int algo, mode, iv; char kind; } ALL[] = {
    {"gost89-ecb", GCRY_CIPHER_GOST28147, GCRY_CIPHER_MODE_ECB, 0, 'c'},
    {"gost89-cbc", GCRY_CIPHER_GOST28147, GCRY_CIPHER_MODE_CBC, 8, 'c'},
#if GCRYPT_VERSION_NUMBER >= 0x010900
    {"gost89", GCRY_CIPHER_GOST28147_MESH, GCRY_CIPHER_MODE_CFB, 8, 'c'},
    {"gost-mac-12", GCRY_MAC_GOST28147_IMIT, 0, 0, 'm'},
#endif
    {"streebog256", GCRY_MD_STRIBOG256, 0, 0, 'h'},
    {"streebog512", GCRY_MD_STRIBOG512, 0, 0, 'h'},
    {"gost94", GCRY_MD_GOSTR3411_CP, 0, 0, 'h'},
};

static struct stream {
    gcry_cipher_hd_t cipher;
    gcry_md_hd_t md;
    gcry_mac_hd_t mac;
    unsigned char key[32], iv[8];
} *streams;
static size_t count;
static char kind;
static int algo, iv_size, encrypt;

static void lab_name(char *name, char *version, size_t room) {
    gcry_check_version(NULL);
    gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    snprintf(name, room, "libgcrypt");
    snprintf(version, room, "%s", gcry_check_version(NULL));
}

static void lab_list(void) {
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++) lab_can(ALL[i].ours, "-");
}

static const char *lab_open(const struct lab_case *c) {
    size_t i = 0, n = sizeof ALL / sizeof *ALL;
    while (i < n && strcmp(ALL[i].ours, c->algorithm)) i++;
    if (i == n) return "no such algorithm";
    if (c->decrypt && ALL[i].kind != 'c') return "encryption only";
    if (ALL[i].kind == 'm' && c->size > 1024) return "its IMIT has no key meshing, which begins after 1024 bytes";
    for (size_t s = 0; s < count; s++) {
        if (streams[s].cipher) gcry_cipher_close(streams[s].cipher);
        if (streams[s].md) gcry_md_close(streams[s].md);
        if (streams[s].mac) gcry_mac_close(streams[s].mac);
    }
    free(streams);
    count = 0;
    streams = calloc(c->streams, sizeof *streams);
    if (!streams) return "out of memory";
    count = c->streams;
    kind = ALL[i].kind, algo = ALL[i].algo, iv_size = ALL[i].iv, encrypt = !c->decrypt;
    if (kind == 'c' && ALL[i].mode != GCRY_CIPHER_MODE_CFB && c->size % 8) return "not whole blocks";
    for (size_t s = 0; s < count; s++) {
        struct stream *t = &streams[s];
        gcry_error_t e = 0;
        lab_key(s, t->key, 32);
        lab_iv(s, t->iv, (size_t)iv_size);
        if (kind == 'c') {
            char tc26[] = "1.2.643.7.1.2.5.1.1";
            e = gcry_cipher_open(&t->cipher, algo, ALL[i].mode, 0);
            if (!e) e = gcry_cipher_ctl(t->cipher, GCRYCTL_SET_SBOX, tc26, 0);
            if (!e) e = gcry_cipher_setkey(t->cipher, t->key, 32);
        } else if (kind == 'h') {
            e = gcry_md_open(&t->md, algo, 0);
        } else {
            char tc26[] = "1.2.643.7.1.2.5.1.1";
            e = gcry_mac_open(&t->mac, algo, 0, NULL);
            if (!e) e = gcry_mac_ctl(t->mac, GCRYCTL_SET_SBOX, tc26, 0);
            if (!e) e = gcry_mac_setkey(t->mac, t->key, 32);
        }
        if (e) return gcry_strerror(e);
    }
    return NULL;
}

/* A call that fails must not be timed. */
static void must(gcry_error_t e) {
    if (e) exit(3);
}

static void lab_run(struct lab_text *texts, size_t n) {
    for (size_t s = 0; s < n; s++) {
        struct stream *t = &streams[s];
        struct lab_text *x = &texts[s];
        if (kind == 'h') {
            x->out_size = gcry_md_get_algo_dlen(algo);
            gcry_md_reset(t->md);
            gcry_md_write(t->md, x->data, x->size);
            memcpy(x->out, gcry_md_read(t->md, algo), x->out_size);
        } else if (kind == 'm') {
            x->out_size = 4;
            gcry_mac_reset(t->mac);
            must(gcry_mac_write(t->mac, x->data, x->size));
            must(gcry_mac_read(t->mac, x->out, &x->out_size));
        } else {
            /* Key meshing goes on from the message before, unless the key is given again: it is given where
             * answers are compared. The work is the same. */
            if (lab_checking) must(gcry_cipher_setkey(t->cipher, t->key, 32));
            if (iv_size) must(gcry_cipher_setiv(t->cipher, t->iv, (size_t)iv_size));
            if (encrypt) must(gcry_cipher_encrypt(t->cipher, x->data, x->size, NULL, 0));
            else must(gcry_cipher_decrypt(t->cipher, x->data, x->size, NULL, 0));
        }
    }
}
