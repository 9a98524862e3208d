/* Checks that memory freed by the calls contains no piece of a key: keys, contexts, copies, resets, batches, derivation and
   wrapping of every algorithm. Prints a summary. */
#include "freed.h"

#include <bulat.h>
#include <stdio.h>

static int calls, bad;

static void ok(bulat_result result, const char *what, const char *name)
{
    calls++;
    if (result != BULAT_OK) {
        printf("%s, %s: %s\n", name, what, bulat_result_message(result));
        bad++;
    }
}
#define OK(call) ok((call), #call, a->name)

static unsigned char text[320], tag[64], iv[512] = {1};
static size_t n;

static void mac(const bulat_algorithm *a, const bulat_key *key, int way)
{
    bulat_mac_ctx *ctx = NULL, *copy = NULL;
    size_t size = bulat_key_tag_size(key);
    OK(bulat_mac_new(&ctx, key, NULL, 0));
    if (way > 0)
        OK(bulat_mac_update(ctx, text, 100));
    if (way > 1)
        OK(bulat_mac_copy(&copy, ctx));
    if (way > 2)
        OK(bulat_mac_reset(ctx, NULL, 0));
    OK(bulat_mac_final(ctx, tag, size));
    OK(bulat_mac(key, text, sizeof text, tag, size));
    bulat_mac_free(ctx);
    bulat_mac_free(copy);
}

static void cipher(const bulat_algorithm *a, const bulat_key *key, int way)
{
    bulat_cipher_ctx *ctx = NULL, *copy = NULL;
    OK(bulat_cipher_new(&ctx, key, way & 1 ? BULAT_DECRYPT : BULAT_ENCRYPT, iv, a->iv_size));
    if (way > 0)
        OK(bulat_cipher_update(ctx, text, text, 100, &n));
    if (way > 1)
        OK(bulat_cipher_copy(&copy, ctx));
    if (way > 2)
        OK(bulat_cipher_reset(ctx, iv, a->iv_size));
    OK(bulat_encrypt(key, iv, a->iv_size, text, sizeof text, text, sizeof text, &n));
    bulat_cipher_free(ctx);
    bulat_cipher_free(copy);
}

static void aead(const bulat_algorithm *a, const bulat_key *key, int way)
{
    bulat_aead_ctx *ctx = NULL, *copy = NULL;
    bulat_unverified_ctx *open = NULL, *other = NULL;
    size_t size = bulat_key_tag_size(key);
    OK(bulat_aead_new(&ctx, key, way & 1 ? BULAT_DECRYPT : BULAT_ENCRYPT, iv, a->iv_size));
    OK(bulat_unverified_new(&open, key, iv, a->iv_size));
    if (way > 0)
        OK(bulat_unverified_update(open, text, text, 100));
    if (way > 1) {
        OK(bulat_aead_copy(&copy, ctx));
        OK(bulat_unverified_copy(&other, open));
    }
    if (way > 2) {
        OK(bulat_aead_reset(ctx, iv, a->iv_size));
        OK(bulat_unverified_reset(open, iv, a->iv_size));
    }
    OK(bulat_seal(key, iv, a->iv_size, NULL, 0, text, text, sizeof text, tag, size));
    bulat_aead_free(ctx);
    bulat_aead_free(copy);
    bulat_unverified_free(open);
    bulat_unverified_free(other);
}

static void batch(const bulat_algorithm *a, const bulat_key *key)
{
    static unsigned char texts[20][320];
    static const bulat_work works[] = {0, 0, BULAT_WORK_MAC, BULAT_WORK_ENCRYPT, BULAT_WORK_SEAL};
    bulat_job jobs[20];
    size_t i;
    memset(jobs, 0, sizeof jobs);
    for (i = 0; i < 20; i++) {
        jobs[i].key = key;
        jobs[i].work = works[a->kind];
        jobs[i].iv = iv;
        jobs[i].iv_len = a->kind == BULAT_MAC ? 0 : a->iv_size;
        jobs[i].source = texts[i];
        jobs[i].len = sizeof texts[i];
        if (a->kind != BULAT_MAC)
            jobs[i].destination = texts[i];
        if (a->kind != BULAT_CIPHER) {
            jobs[i].tag = texts[i] + 256;
            jobs[i].len = 256;
            jobs[i].tag_size = bulat_key_tag_size(key);
        }
    }
    OK(bulat_batch(jobs, 20, NULL));
}

static void derive(const bulat_algorithm *a)
{
    bulat_kdf_params p;
    memset(&p, 0, sizeof p);
    p.key = freed_secret;
    p.key_len = 32;
    if (strncmp(a->name, "pbkdf2", 6) == 0)
        p.iterations = 2;
    else if (strcmp(a->name, "tlstree") == 0)
        p.masks[0] = p.masks[1] = p.masks[2] = ~(uint64_t)0;
    else
        p.seed = "seed", p.seed_len = 4;
    if (strncmp(a->name, "kdf-", 4) == 0 || strncmp(a->name, "prf-tls", 7) == 0)
        p.label = "label", p.label_len = 5;
    OK(bulat_derive(a, &p, tag, 32));
}

static void wrap(const bulat_algorithm *a)
{
    unsigned char secret[32] = {5}, wrapped[200], key[64] = {0};
    size_t size = bulat_wrapped_size(a, a->iv_size, sizeof secret), len = a->key_size > 0 ? a->key_size : 64;
    memcpy(key, freed_secret, sizeof key);
    if (size == 0 || size > sizeof wrapped)
        return;
    OK(bulat_wrap(a, key, len, iv, a->iv_size, NULL, secret, sizeof secret, wrapped, size));
}

/* A private key with the secret in it, encrypted and back, alone and in a PFX. */
static int private_key(void)
{
    static const unsigned char head[] = {0x30, 0x4d, 2, 1, 0, 0x30, 6, 6, 4, 0x2a, 3, 4, 5, 4, 64};
    static const bulat_algorithm named = {.name = "a private key"}, *a = &named;
    static unsigned char key[sizeof head + 64];
    bulat_pkcs_options options = {0};
    bulat_bytes *sealed = NULL, *back = NULL;
    bulat_pfx *pfx = NULL, *read = NULL;
    int left;
    memcpy(key, head, sizeof head);
    memcpy(key + sizeof head, freed_secret, 64);
    options.iterations = 1000;
    options.encoding = BULAT_PEM;
    OK(bulat_pkcs8_encrypt(&sealed, key, sizeof key, "password", 8, &options));
    OK(bulat_pkcs8_decrypt(&back, bulat_bytes_data(sealed), bulat_bytes_size(sealed), "password", 8, &options));
    bulat_bytes_free(back);
    options.encoding = BULAT_DER;
    OK(bulat_pkcs8_decrypt(&back, bulat_bytes_data(sealed), bulat_bytes_size(sealed), "password", 8, &options));
    bulat_bytes_free(sealed);
    OK(bulat_pfx_new(&pfx));
    OK(bulat_pfx_add_key(pfx, bulat_bytes_data(back), bulat_bytes_size(back), "name", "id", 2));
    OK(bulat_pfx_add_key(pfx, key, sizeof key, NULL, NULL, 0));
    OK(bulat_pfx_seal(&sealed, pfx, "password", 8, &options));
    OK(bulat_pfx_open(&read, bulat_bytes_data(sealed), bulat_bytes_size(sealed), "password", 8, &options));
    bulat_bytes_free(sealed);
    bulat_bytes_free(back);
    bulat_pfx_free(pfx);
    bulat_pfx_free(read);
    left = freed_found;
    if (left > 0)
        printf("%s: %d blocks with a piece of the key, of %lu bytes at %lu\n", a->name, left, (unsigned long)freed_size, (unsigned long)freed_at);
    freed_found = 0;
    return left;
}

int main(void)
{
    size_t i, algorithms = 0;
    int way, left = 0;
    void *volatile block = malloc(100);
    if (block == NULL)
        return 2;
    /* The search itself works. */
    memcpy((unsigned char *)block + 50, freed_secret + 16, 8);
    free(block);
    if (freed_found != 1)
        return 2;
    freed_found = 0;
    for (way = 0; way < 4; way++)
        for (i = 0; i < bulat_algorithm_count(); i++) {
            const bulat_algorithm *a = bulat_algorithm_at(i);
            bulat_key *key = NULL;
            if (a->kind == BULAT_HASH)
                continue;
            if (a->kind == BULAT_KDF) {
                derive(a);
            } else if (a->kind == BULAT_WRAP) {
                wrap(a);
            } else {
                OK(bulat_key_new(&key, a, freed_secret, a->key_size > 0 ? a->key_size : 64, NULL));
                if (a->kind == BULAT_MAC)
                    mac(a, key, way);
                else if (a->kind == BULAT_CIPHER)
                    cipher(a, key, way);
                else
                    aead(a, key, way);
                if (way == 0)
                    batch(a, key);
                bulat_key_free(key);
            }
            algorithms += way == 0;
            if (freed_found > 0)
                printf("%s, way %d: %d blocks with a piece of the key, of %lu bytes at %lu\n", a->name, way, freed_found,
                    (unsigned long)freed_size, (unsigned long)freed_at);
            left += freed_found;
            freed_found = 0;
        }
    left += private_key();
    printf("%d calls, %lu algorithms, %ld blocks freed, %d with a piece of a key\n", calls, (unsigned long)algorithms, freed_count, left);
    return left > 0 || bad > 0 || algorithms < 35;
}
