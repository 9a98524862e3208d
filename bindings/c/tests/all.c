/* Tests every call of libbulat, with valid and invalid input. Builds as C and as C++. Prints a count: "N passed, N failed". */
#include <bulat.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int passed, failed;

static void expect(int right, const char *what, int line)
{
    if (right) {
        passed++;
    } else {
        failed++;
        printf("line %d: %s\n", line, what);
    }
}
#define EXPECT(condition) expect((condition) != 0, #condition, __LINE__)

/* Checks that a call returned this code. */
static void answers(bulat_result have, bulat_result want, const char *what, int line)
{
    if (have != want)
        printf("line %d: %s: %s, not %s\n", line, what, bulat_result_message(have), bulat_result_message(want));
    expect(have == want, what, line);
}
#define IS(code, call) answers((call), (code), #call, __LINE__)
#define OK(call) IS(BULAT_OK, call)

typedef unsigned char byte;

static const byte zeros[512] = {0};

static void fill(byte *to, size_t len, unsigned seed)
{
    size_t i;
    for (i = 0; i < len; i++)
        to[i] = (byte)(seed + 167 * i);
}

/* Filled by main; no test changes them for another. */
static byte text[320], iv[16], aad[20];

static byte *memory(size_t len)
{
    byte *bytes = (byte *)malloc(len ? len : 1);
    if (bytes == NULL)
        exit(2);
    return bytes;
}

/* Returns a key of the algorithm: zeros except for a byte. */
static bulat_key *key_of(const bulat_algorithm *a, const bulat_options *options)
{
    byte bytes[64] = {0};
    bulat_key *key = NULL;
    size_t len = a->key_size;
    if (len == 0 && a->kind == BULAT_MAC)
        len = 20;
    fill(bytes, len, 1);
    OK(bulat_key_new(&key, a, len ? bytes : NULL, len, options));
    EXPECT(key != NULL);
    return key;
}

static const bulat_algorithm *find(const char *name)
{
    return bulat_algorithm_find(name);
}

static bulat_key *named(const char *name)
{
    return key_of(find(name), NULL);
}

/* Tests every algorithm of a kind. */
static void each(bulat_kind kind, void (*test)(const bulat_algorithm *))
{
    size_t i;
    for (i = 0; i < bulat_algorithm_count(); i++)
        if (bulat_algorithm_at(i)->kind == kind)
            test(bulat_algorithm_at(i));
}

static void table(void)
{
    size_t i, n = bulat_algorithm_count(), kinds[7] = {0};
    EXPECT(n > 40);
    EXPECT(bulat_algorithm_at(n) == NULL);
    EXPECT(bulat_algorithm_find(NULL) == NULL);
    EXPECT(find("rot13") == NULL);
    EXPECT(find("\xff\xfe") == NULL);
    for (i = 0; i < n; i++) {
        const bulat_algorithm *a = bulat_algorithm_at(i);
        const char *const *alias;
        EXPECT(a != NULL && bulat_algorithm_find(a->name) == a);
        EXPECT(a->note != NULL && a->kind >= BULAT_HASH && a->kind <= BULAT_WRAP);
        EXPECT(a->iv_size == 0 || (a->iv_size >= a->iv_min && a->iv_size <= a->iv_max && a->iv_step > 0));
        EXPECT((a->tag_max > 0) == (a->kind == BULAT_MAC || a->kind == BULAT_AEAD) && a->tag_min <= a->tag_max);
        EXPECT(a->oid == NULL || bulat_algorithm_find(a->oid) == a);
        for (alias = a->aliases; *alias != NULL; alias++)
            EXPECT(bulat_algorithm_find(*alias) == a);
        kinds[a->kind]++;
    }
    for (i = BULAT_HASH; i <= BULAT_WRAP; i++)
        EXPECT(kinds[i] > 0);
    EXPECT(find("STREEBOG256") == find("1.2.643.7.1.1.2.2"));
}

static void words(void)
{
    int i;
    EXPECT(strcmp(bulat_version(), BULAT_VERSION) == 0);
    EXPECT(BULAT_VERSION_MAJOR >= 0 && BULAT_VERSION_MINOR >= 0 && BULAT_VERSION_PATCH >= 0);
    for (i = -3; i < 130; i++)
        EXPECT(strlen(bulat_result_message(i)) > 0);
    EXPECT(strcmp(bulat_result_message(BULAT_OK), bulat_result_message(BULAT_ERR_VERIFY)) != 0);
}

/* In pieces, with a copy, after a reset. */
static void hash_pieces(const bulat_algorithm *a)
{
    bulat_hash_ctx *ctx = NULL, *copy = NULL;
    byte digest[64], other[64];

    OK(bulat_hash(a, text, sizeof text, digest, a->output_size));
    OK(bulat_hash_new(&ctx, a));
    OK(bulat_hash_update(ctx, text, 100));
    OK(bulat_hash_update(ctx, NULL, 0));
    OK(bulat_hash_copy(&copy, ctx));
    OK(bulat_hash_update(ctx, text, 50));
    OK(bulat_hash_reset(ctx));
    OK(bulat_hash_update(ctx, text, sizeof text));
    OK(bulat_hash_update(copy, text + 100, sizeof text - 100));
    IS(BULAT_ERR_BUFFER_LENGTH, bulat_hash_final(ctx, other, a->output_size + 1));
    OK(bulat_hash_final(ctx, other, a->output_size));
    EXPECT(memcmp(digest, other, a->output_size) == 0);
    OK(bulat_hash_final(copy, other, a->output_size));
    EXPECT(memcmp(digest, other, a->output_size) == 0);
    bulat_hash_free(ctx);
    bulat_hash_free(copy);
}

static void hashes(void)
{
    /* GOST R 34.11-2012 of "abc". */
    static const byte abc[8] = {0x4e, 0x29, 0x19, 0xcf, 0x13, 0x7e, 0xd4, 0x1e};
    const bulat_algorithm *a = find("streebog256");
    bulat_hash_ctx *ctx = NULL, *copy = NULL;
    byte digest[64];

    OK(bulat_hash(a, "abc", 3, digest, 32));
    EXPECT(memcmp(digest, abc, 8) == 0);
    OK(bulat_hash(a, NULL, 0, digest, 32));
    IS(BULAT_ERR_NULL, bulat_hash(a, NULL, 1, digest, 32));
    IS(BULAT_ERR_BUFFER_LENGTH, bulat_hash(a, "abc", 3, digest, 31));
    IS(BULAT_ERR_BUFFER_LENGTH, bulat_hash(a, "abc", 3, NULL, 0));
    IS(BULAT_ERR_NULL, bulat_hash(a, "abc", 3, NULL, 32));
    IS(BULAT_ERR_UNKNOWN_ALGORITHM, bulat_hash(NULL, "abc", 3, digest, 32));
    IS(BULAT_ERR_UNKNOWN_ALGORITHM, bulat_hash(a + 10000, "abc", 3, digest, 32));
    IS(BULAT_ERR_UNKNOWN_ALGORITHM, bulat_hash((const bulat_algorithm *)(const void *)((const char *)a + 1), "abc", 3, digest, 32));
    IS(BULAT_ERR_UNKNOWN_ALGORITHM, bulat_hash(find("magma-ctr"), "abc", 3, digest, 32));
    IS(BULAT_ERR_UNKNOWN_ALGORITHM, bulat_hash(find("kdf-tree"), "abc", 3, digest, 32));
    IS(BULAT_ERR_OVERLAP, bulat_hash(a, digest + 8, 3, digest, 32));
    IS(BULAT_ERR_DATA_LENGTH, bulat_hash(a, "abc", (size_t)-1, digest, 32));
    each(BULAT_HASH, hash_pieces);
    IS(BULAT_ERR_NULL, bulat_hash_new(NULL, a));
    IS(BULAT_ERR_UNKNOWN_ALGORITHM, bulat_hash_new(&ctx, find("kuznyechik-omac")));
    EXPECT(ctx == NULL);
    IS(BULAT_ERR_NULL, bulat_hash_copy(&copy, NULL));
    EXPECT(copy == NULL);
    IS(BULAT_ERR_NULL, bulat_hash_update(NULL, "abc", 1));
    IS(BULAT_ERR_ALIGNMENT, bulat_hash_update((bulat_hash_ctx *)(void *)(digest + (((size_t)digest & 1) ? 0 : 1)), "abc", 1));
    IS(BULAT_ERR_NULL, bulat_hash_final(NULL, digest, 32));
    IS(BULAT_ERR_NULL, bulat_hash_reset(NULL));
    bulat_hash_free(NULL);
}

/* Makes a key of 32 bytes, and frees it. */
static bulat_result made(const char *name, const bulat_options *options)
{
    byte bytes[32];
    bulat_key *key = NULL;
    bulat_result result;
    fill(bytes, 32, 7);
    result = bulat_key_new(&key, find(name), bytes, 32, options);
    EXPECT((result == BULAT_OK) == (key != NULL));
    bulat_key_free(key);
    return result;
}

static void keys(void)
{
    const bulat_algorithm *a = find("kuznyechik-cbc");
    bulat_options options;
    bulat_key *key = NULL;
    byte bytes[64], rows[128];
    size_t i;

    fill(bytes, 64, 7);
    IS(BULAT_ERR_NULL, bulat_key_new(NULL, a, bytes, 32, NULL));
    IS(BULAT_ERR_KEY_LENGTH, bulat_key_new(&key, a, bytes, 31, NULL));
    IS(BULAT_ERR_KEY_LENGTH, bulat_key_new(&key, a, NULL, 0, NULL));
    IS(BULAT_ERR_NULL, bulat_key_new(&key, a, NULL, 32, NULL));
    IS(BULAT_ERR_UNKNOWN_ALGORITHM, bulat_key_new(&key, NULL, bytes, 32, NULL));
    IS(BULAT_ERR_UNKNOWN_ALGORITHM, made("kdf-tree", NULL));
    IS(BULAT_ERR_KEY_LENGTH, made("streebog256", NULL));
    IS(BULAT_ERR_EQUAL_KEYS, bulat_key_new(&key, find("kuznyechik-xts"), zeros, 64, NULL));
    EXPECT(key == NULL);
    IS(BULAT_ERR_ALIGNMENT, bulat_key_new(&key, a, bytes, 32, (const bulat_options *)(const void *)(bytes + (((size_t)bytes & 1) ? 0 : 1))));
    memset(&options, 0, sizeof options);
    OK(bulat_key_new(&key, a, bytes, 32, &options));
    EXPECT(bulat_key_algorithm(key) == a);
    EXPECT(bulat_key_tag_size(key) == 0);
    bulat_key_free(key);
    options.tag_size = 4;
    IS(BULAT_ERR_PARAMETER, made("kuznyechik-cbc", &options));
    IS(BULAT_ERR_PARAMETER, made("gost89", &options));
    OK(bulat_key_new(&key, find("magma-omac"), bytes, 32, &options));
    EXPECT(bulat_key_tag_size(key) == 4);
    bulat_key_free(key);
    options.tag_size = 9;
    IS(BULAT_ERR_TAG_LENGTH, made("magma-omac", &options));
    options.tag_size = 0;
    options.padding = 77;
    IS(BULAT_ERR_PARAMETER, made("kuznyechik-cbc", &options));
    options.padding = BULAT_PADDING_NONE;
    options.meshing = -1;
    IS(BULAT_ERR_PARAMETER, made("kuznyechik-cbc", &options));
    options.meshing = BULAT_MESHING_ON;
    IS(BULAT_ERR_PARAMETER, made("kuznyechik-cbc", &options));
    OK(made("gost89", &options));
    options.meshing = BULAT_MESHING_OFF;
    options.sboxes = "id-Gost28147-89-CryptoPro-B-ParamSet";
    OK(made("gost89", &options));
    options.sboxes = "q";
    IS(BULAT_ERR_PARAMETER, made("gost89", &options));
    for (i = 0; i < 128; i++)
        rows[i] = (byte)((i + i / 16) % 16);
    options.sbox_rows = rows;
    IS(BULAT_ERR_PARAMETER, made("gost89", &options));
    options.sboxes = NULL;
    OK(made("gost89", &options));
    rows[5] = rows[6];
    IS(BULAT_ERR_SBOX, made("gost89", &options));
    memset(&options, 0, sizeof options);
    options.reserved[1] = 1;
    IS(BULAT_ERR_PARAMETER, made("kuznyechik-cbc", &options));
    options.reserved[1] = 0;
    options.kernel = "abacus";
    IS(BULAT_ERR_UNKNOWN_KERNEL, made("kuznyechik-cbc", &options));
    options.kernel = "portable";
    OK(made("kuznyechik-cbc", &options));
    options.kernel = NULL;
    options.section = 100;
    IS(BULAT_ERR_PARAMETER, made("magma-ctr-acpkm", &options));
    options.section = 64;
    options.s = 4;
    OK(made("magma-ctr-acpkm", &options));
    options.s = 0;
    options.period = 128;
    OK(made("kuznyechik-omac-acpkm", &options));
    bulat_key_free(NULL);
    EXPECT(bulat_key_algorithm(NULL) == NULL);
    EXPECT(bulat_key_tag_size(NULL) == 0);
}

/* At once and in pieces, with a copy, after a reset; right and wrong tags. */
static void mac_pieces(const bulat_algorithm *a)
{
    bulat_mac_ctx *ctx = NULL, *copy = NULL;
    bulat_key *key = key_of(a, NULL);
    byte tag[64], other[64];
    size_t n = bulat_key_tag_size(key);

    EXPECT(n == a->output_size);
    OK(bulat_mac(key, text, sizeof text, tag, n));
    OK(bulat_mac_verify(key, text, sizeof text, tag, n));
    IS(BULAT_ERR_TAG_LENGTH, bulat_mac(key, text, sizeof text, other, n - 1));
    IS(BULAT_ERR_TAG_LENGTH, bulat_mac_verify(key, text, sizeof text, tag, n - 1));
    IS(BULAT_ERR_OVERLAP, bulat_mac(key, text, sizeof text, text + 319, n));
    OK(bulat_mac_new(&ctx, key, NULL, 0));
    OK(bulat_mac_update(ctx, text, 77));
    OK(bulat_mac_copy(&copy, ctx));
    OK(bulat_mac_reset(ctx, NULL, 0));
    OK(bulat_mac_update(ctx, text, sizeof text));
    IS(BULAT_ERR_TAG_LENGTH, bulat_mac_final(ctx, other, n + 1));
    OK(bulat_mac_final(ctx, other, n));
    EXPECT(memcmp(tag, other, n) == 0);
    OK(bulat_mac_update(copy, text + 77, sizeof text - 77));
    OK(bulat_mac_final_verify(copy, tag, n));
    other[n - 1] ^= 1;
    IS(BULAT_ERR_VERIFY, bulat_mac_verify(key, text, sizeof text, other, n));
    IS(BULAT_ERR_VERIFY, bulat_mac_final_verify(copy, tag, n));
    IS(a->iv_max > 0 ? BULAT_OK : BULAT_ERR_IV_LENGTH, bulat_mac_reset(ctx, text, a->iv_max > 0 ? a->iv_max : 8));
    bulat_mac_free(ctx);
    bulat_mac_free(copy);
    bulat_key_free(key);
}

static void macs(void)
{
    bulat_mac_ctx *ctx = NULL, *copy = NULL;
    bulat_key *key = named("kuznyechik-omac"), *cipher = named("magma-ctr");
    byte tag[16];

    each(BULAT_MAC, mac_pieces);
    IS(BULAT_ERR_NULL, bulat_mac(NULL, text, 1, tag, 16));
    IS(BULAT_ERR_NULL, bulat_mac(key, NULL, 1, tag, 16));
    IS(BULAT_ERR_NULL, bulat_mac(key, text, 1, NULL, 16));
    IS(BULAT_ERR_NULL, bulat_mac_verify(key, text, 1, NULL, 16));
    IS(BULAT_ERR_UNKNOWN_ALGORITHM, bulat_mac(cipher, text, 1, tag, 16));
    IS(BULAT_ERR_UNKNOWN_ALGORITHM, bulat_mac_verify(cipher, text, 1, tag, 16));
    IS(BULAT_ERR_UNKNOWN_ALGORITHM, bulat_mac_new(&ctx, cipher, NULL, 0));
    IS(BULAT_ERR_IV_LENGTH, bulat_mac_new(&ctx, key, text, 8));
    IS(BULAT_ERR_NULL, bulat_mac_new(NULL, key, NULL, 0));
    IS(BULAT_ERR_NULL, bulat_mac_new(&ctx, NULL, NULL, 0));
    EXPECT(ctx == NULL);
    IS(BULAT_ERR_NULL, bulat_mac_copy(&copy, NULL));
    IS(BULAT_ERR_NULL, bulat_mac_update(NULL, text, 1));
    IS(BULAT_ERR_NULL, bulat_mac_final(NULL, tag, 16));
    IS(BULAT_ERR_NULL, bulat_mac_final_verify(NULL, tag, 16));
    IS(BULAT_ERR_NULL, bulat_mac_reset(NULL, NULL, 0));
    bulat_mac_free(NULL);
    bulat_key_free(key);
    bulat_key_free(cipher);
}

/* At once, and in pieces in place, with a copy, after a reset. */
static void cipher_pieces(const bulat_algorithm *a)
{
    bulat_cipher_ctx *ctx = NULL, *copy = NULL;
    bulat_key *key = key_of(a, NULL);
    byte one[320], two[320];
    size_t n, done;

    OK(bulat_encrypt(key, iv, a->iv_size, text, 320, one, 320, &n));
    EXPECT(n == 320 && memcmp(one, text, 320) != 0);
    memcpy(two, text, 320);
    OK(bulat_cipher_new(&ctx, key, BULAT_ENCRYPT, iv, a->iv_size));
    OK(bulat_cipher_update(ctx, two, two, 320, &n));
    OK(bulat_cipher_reset(ctx, iv, a->iv_size));
    memcpy(two, text, 320);
    OK(bulat_cipher_update(ctx, text, two, 101, &done));
    EXPECT(done <= 101);
    OK(bulat_cipher_copy(&copy, ctx));
    OK(bulat_cipher_update(ctx, text, text + 101, 0, &n));
    OK(bulat_cipher_update(copy, NULL, NULL, 0, &n));
    OK(bulat_cipher_update(copy, text + 101, two + done, 219, &n));
    done += n;
    EXPECT(bulat_cipher_held(copy) <= 32);
    OK(bulat_cipher_final(copy, two + done, 320 - done, &n));
    EXPECT(done + n == 320 && memcmp(one, two, 320) == 0);
    bulat_cipher_free(ctx);
    bulat_cipher_free(copy);
    OK(bulat_decrypt(key, iv, a->iv_size, two, 320, two, 320, &n));
    EXPECT(n == 320 && memcmp(two, text, 320) == 0);
    OK(bulat_cipher_new(&ctx, key, BULAT_DECRYPT, iv, a->iv_size));
    OK(bulat_cipher_update(ctx, one, two, 320, &done));
    OK(bulat_cipher_final(ctx, two + done, 320 - done, &n));
    EXPECT(done + n == 320 && memcmp(two, text, 320) == 0);
    bulat_cipher_free(ctx);
    IS(BULAT_ERR_IV_LENGTH, bulat_encrypt(key, iv, a->iv_size ? 3 : 1, text, 320, one, 320, &n));
    EXPECT(n == 0);
    bulat_key_free(key);
}

static void padding(void)
{
    bulat_options options;
    bulat_key *key;
    byte one[128], two[128];
    size_t n, m;

    memset(&options, 0, sizeof options);
    options.padding = BULAT_PADDING_PKCS7;
    key = key_of(find("kuznyechik-cbc"), &options);
    OK(bulat_encrypt(key, iv, 16, text, 100, one, 112, &n));
    EXPECT(n == 112);
    OK(bulat_encrypt(key, iv, 16, text, 96, one, 112, &n));
    EXPECT(n == 112);
    IS(BULAT_ERR_BUFFER_LENGTH, bulat_encrypt(key, iv, 16, text, 96, one, 111, &n));
    EXPECT(n == 0);
    IS(BULAT_ERR_BUFFER_LENGTH, bulat_encrypt(key, iv, 16, text, 96, one, 95, &n));
    memcpy(two, text, 100);
    OK(bulat_encrypt(key, iv, 16, two, 100, two, 112, &n));
    OK(bulat_decrypt(key, iv, 16, two, n, two, n, &m));
    EXPECT(m == 100 && memcmp(two, text, 100) == 0);
    IS(BULAT_ERR_PADDING, bulat_decrypt(key, iv, 16, text, 32, two, 32, &m));
    IS(BULAT_ERR_DATA_LENGTH, bulat_decrypt(key, iv, 16, text, 33, two, 33, &m));
    bulat_key_free(key);
}

static void ciphers(void)
{
    bulat_cipher_ctx *ctx = NULL, *copy = NULL;
    bulat_key *key = named("kuznyechik-cbc"), *mac = named("magma-omac");
    byte one[320];
    size_t n;

    each(BULAT_CIPHER, cipher_pieces);
    padding();
    IS(BULAT_ERR_DATA_LENGTH, bulat_encrypt(key, iv, 16, text, 100, one, 320, &n));
    IS(BULAT_ERR_OVERLAP, bulat_encrypt(key, iv, 16, text, 32, text + 16, 64, &n));
    IS(BULAT_ERR_OVERLAP, bulat_encrypt(key, text, 16, one, 32, text, 32, &n));
    IS(BULAT_ERR_NULL, bulat_encrypt(NULL, iv, 16, text, 32, one, 32, &n));
    IS(BULAT_ERR_NULL, bulat_encrypt(key, NULL, 16, text, 32, one, 32, &n));
    IS(BULAT_ERR_NULL, bulat_encrypt(key, iv, 16, NULL, 32, one, 32, &n));
    IS(BULAT_ERR_NULL, bulat_encrypt(key, iv, 16, text, 32, NULL, 32, &n));
    IS(BULAT_ERR_NULL, bulat_encrypt(key, iv, 16, NULL, 32, NULL, 32, &n));
    IS(BULAT_ERR_NULL, bulat_encrypt(key, iv, 16, text, 32, one, 32, NULL));
    OK(bulat_encrypt(key, iv, 16, NULL, 0, NULL, 0, &n));
    EXPECT(n == 0);
    IS(BULAT_ERR_UNKNOWN_ALGORITHM, bulat_encrypt(mac, NULL, 0, text, 32, one, 32, &n));
    IS(BULAT_ERR_UNKNOWN_ALGORITHM, bulat_decrypt(mac, NULL, 0, text, 32, one, 32, &n));
    IS(BULAT_ERR_NULL, bulat_decrypt(NULL, iv, 16, text, 32, one, 32, &n));
    IS(BULAT_ERR_PARAMETER, bulat_cipher_new(&ctx, key, 2, iv, 16));
    IS(BULAT_ERR_UNKNOWN_ALGORITHM, bulat_cipher_new(&ctx, mac, BULAT_ENCRYPT, iv, 16));
    IS(BULAT_ERR_NULL, bulat_cipher_new(&ctx, NULL, BULAT_ENCRYPT, iv, 16));
    IS(BULAT_ERR_NULL, bulat_cipher_new(NULL, key, BULAT_ENCRYPT, iv, 16));
    IS(BULAT_ERR_IV_LENGTH, bulat_cipher_new(&ctx, key, BULAT_ENCRYPT, iv, 15));
    EXPECT(ctx == NULL);
    OK(bulat_cipher_new(&ctx, key, BULAT_ENCRYPT, iv, 16));
    IS(BULAT_ERR_OVERLAP, bulat_cipher_update(ctx, text, text + 1, 32, &n));
    IS(BULAT_ERR_NULL, bulat_cipher_update(ctx, text, one, 32, NULL));
    IS(BULAT_ERR_NULL, bulat_cipher_update(NULL, text, one, 32, &n));
    IS(BULAT_ERR_NULL, bulat_cipher_update(ctx, NULL, one, 32, &n));
    OK(bulat_cipher_update(ctx, text, one, 17, &n));
    IS(BULAT_ERR_DATA_LENGTH, bulat_cipher_final(ctx, one, 32, &n));
    EXPECT(n == 0);
    OK(bulat_cipher_reset(ctx, iv, 16));
    OK(bulat_cipher_final(ctx, NULL, 0, &n));
    IS(BULAT_ERR_FINISHED, bulat_cipher_update(ctx, text, one, 16, &n));
    IS(BULAT_ERR_FINISHED, bulat_cipher_final(ctx, NULL, 0, &n));
    IS(BULAT_ERR_IV_LENGTH, bulat_cipher_reset(ctx, iv, 1));
    IS(BULAT_ERR_NULL, bulat_cipher_reset(NULL, iv, 16));
    IS(BULAT_ERR_NULL, bulat_cipher_final(NULL, one, 16, &n));
    IS(BULAT_ERR_NULL, bulat_cipher_final(ctx, one, 16, NULL));
    IS(BULAT_ERR_NULL, bulat_cipher_copy(&copy, NULL));
    EXPECT(copy == NULL && bulat_cipher_held(NULL) == 0);
    bulat_cipher_free(ctx);
    bulat_cipher_free(NULL);
    bulat_key_free(key);
    bulat_key_free(mac);
}

/* Sealing in pieces with a copy, opening, and opening in pieces before the tag is checked. */
static void aead_pieces(const bulat_algorithm *a)
{
    bulat_aead_ctx *ctx = NULL, *copy = NULL;
    bulat_key *key = key_of(a, NULL);
    byte one[300], two[300], tag[16], again[16];
    size_t n = bulat_key_tag_size(key), extra = strstr(a->name, "-mgm") ? sizeof aad : 0;

    OK(bulat_seal(key, iv, a->iv_size, aad, extra, text, one, 300, tag, n));
    memcpy(two, text, 300);
    OK(bulat_aead_new(&ctx, key, BULAT_ENCRYPT, iv, a->iv_size));
    OK(bulat_aead_aad(ctx, aad, extra));
    OK(bulat_aead_update(ctx, two, two, 99));
    OK(bulat_aead_copy(&copy, ctx));
    OK(bulat_aead_update(copy, text + 99, two + 99, 201));
    OK(bulat_aead_final(copy, again, n));
    EXPECT(memcmp(one, two, 300) == 0 && memcmp(tag, again, n) == 0);
    IS(BULAT_ERR_FINISHED, bulat_aead_update(copy, two, two, 1));
    IS(BULAT_ERR_FINISHED, bulat_aead_final(copy, again, n));
    IS(BULAT_ERR_ORDER, bulat_aead_open(ctx, two, two, 300, tag, n));
    IS(extra ? BULAT_ERR_ORDER : BULAT_OK, bulat_aead_aad(ctx, aad, extra));
    IS(BULAT_ERR_TAG_LENGTH, bulat_aead_final(ctx, again, n - 1));
    OK(bulat_aead_reset(ctx, iv, a->iv_size));
    OK(bulat_aead_update(ctx, text, two, 5));
    bulat_aead_free(ctx);
    bulat_aead_free(copy);

    /* Whole, in place; a wrong tag leaves the text unchanged. */
    memcpy(two, one, 300);
    tag[n - 1] ^= 1;
    IS(BULAT_ERR_VERIFY, bulat_open(key, iv, a->iv_size, aad, extra, two, two, 300, tag, n));
    EXPECT(memcmp(one, two, 300) == 0);
    memset(two, 0x5a, 300);
    IS(BULAT_ERR_VERIFY, bulat_open(key, iv, a->iv_size, aad, extra, one, two, 300, tag, n));
    EXPECT(two[0] == 0x5a && two[299] == 0x5a);
    tag[n - 1] ^= 1;
    OK(bulat_open(key, iv, a->iv_size, aad, extra, one, two, 300, tag, n));
    EXPECT(memcmp(text, two, 300) == 0);
    OK(bulat_aead_new(&ctx, key, BULAT_DECRYPT, iv, a->iv_size));
    OK(bulat_aead_aad(ctx, aad, extra));
    IS(BULAT_ERR_ORDER, bulat_aead_update(ctx, two, two, 10));
    IS(BULAT_ERR_ORDER, bulat_aead_final(ctx, again, n));
    memcpy(two, one, 300);
    OK(bulat_aead_open(ctx, two, two, 300, tag, n));
    EXPECT(memcmp(text, two, 300) == 0);
    bulat_aead_free(ctx);
    IS(BULAT_ERR_IV_LENGTH, bulat_seal(key, iv, 3, aad, extra, text, one, 300, tag, n));
    IS(BULAT_ERR_TAG_LENGTH, bulat_seal(key, iv, a->iv_size, aad, extra, text, one, 300, tag, n - 1));
    bulat_key_free(key);
}

static void unverified_pieces(const bulat_algorithm *a)
{
    bulat_unverified_ctx *open = NULL, *other = NULL;
    bulat_key *key = key_of(a, NULL);
    byte one[300], two[300], tag[16];
    size_t n = bulat_key_tag_size(key), extra = strstr(a->name, "-mgm") ? sizeof aad : 0;

    OK(bulat_seal(key, iv, a->iv_size, aad, extra, text, one, 300, tag, n));
    OK(bulat_unverified_new(&open, key, iv, a->iv_size));
    OK(bulat_unverified_aad(open, aad, extra));
    OK(bulat_unverified_update(open, one, two, 7));
    OK(bulat_unverified_copy(&other, open));
    OK(bulat_unverified_update(open, one + 7, two + 7, 293));
    EXPECT(memcmp(text, two, 300) == 0);
    OK(bulat_unverified_verify(open, tag, n));
    IS(BULAT_ERR_FINISHED, bulat_unverified_update(open, one, two, 1));
    OK(bulat_unverified_reset(open, iv, a->iv_size));
    OK(bulat_unverified_update(open, one, two, 300));
    IS(BULAT_ERR_VERIFY, bulat_unverified_verify(other, tag, n));
    IS(BULAT_ERR_TAG_LENGTH, bulat_unverified_verify(open, tag, n - 1));
    bulat_unverified_free(open);
    bulat_unverified_free(other);
    bulat_key_free(key);
}

static void aeads(void)
{
    bulat_aead_ctx *ctx = NULL, *copy = NULL;
    bulat_unverified_ctx *open = NULL, *other = NULL;
    bulat_key *key = named("kuznyechik-mgm"), *mac = named("magma-omac");
    byte one[300], tag[16];

    each(BULAT_AEAD, aead_pieces);
    each(BULAT_AEAD, unverified_pieces);
    IS(BULAT_ERR_EMPTY, bulat_seal(key, iv, 16, NULL, 0, NULL, NULL, 0, tag, 16));
    OK(bulat_seal(key, iv, 16, aad, 20, NULL, NULL, 0, tag, 16));
    OK(bulat_open(key, iv, 16, aad, 20, NULL, NULL, 0, tag, 16));
    IS(BULAT_ERR_OVERLAP, bulat_seal(key, iv, 16, aad, 20, text, text + 1, 100, tag, 16));
    IS(BULAT_ERR_OVERLAP, bulat_seal(key, iv, 16, text + 50, 20, text, text, 100, tag, 16));
    IS(BULAT_ERR_OVERLAP, bulat_seal(key, iv, 16, aad, 20, text, one, 100, one + 99, 16));
    IS(BULAT_ERR_OVERLAP, bulat_seal(key, iv, 16, aad, 20, text, one, 100, text + 99, 16));
    IS(BULAT_ERR_OVERLAP, bulat_open(key, iv, 16, aad, 20, text, one, 100, one + 99, 16));
    IS(BULAT_ERR_NULL, bulat_seal(NULL, iv, 16, aad, 20, text, one, 100, tag, 16));
    IS(BULAT_ERR_NULL, bulat_seal(key, NULL, 16, aad, 20, text, one, 100, tag, 16));
    IS(BULAT_ERR_NULL, bulat_seal(key, iv, 16, NULL, 20, text, one, 100, tag, 16));
    IS(BULAT_ERR_NULL, bulat_seal(key, iv, 16, aad, 20, NULL, one, 100, tag, 16));
    IS(BULAT_ERR_NULL, bulat_seal(key, iv, 16, aad, 20, text, NULL, 100, tag, 16));
    IS(BULAT_ERR_NULL, bulat_seal(key, iv, 16, aad, 20, text, one, 100, NULL, 16));
    IS(BULAT_ERR_NULL, bulat_open(NULL, iv, 16, aad, 20, text, one, 100, tag, 16));
    IS(BULAT_ERR_NULL, bulat_open(key, iv, 16, aad, 20, text, one, 100, NULL, 16));
    IS(BULAT_ERR_UNKNOWN_ALGORITHM, bulat_seal(mac, iv, 8, aad, 20, text, one, 100, tag, 8));
    IS(BULAT_ERR_UNKNOWN_ALGORITHM, bulat_open(mac, iv, 8, aad, 20, text, one, 100, tag, 8));
    IS(BULAT_ERR_UNKNOWN_ALGORITHM, bulat_aead_new(&ctx, mac, BULAT_ENCRYPT, iv, 8));
    IS(BULAT_ERR_UNKNOWN_ALGORITHM, bulat_unverified_new(&open, mac, iv, 8));
    iv[0] |= 0x80;
    IS(BULAT_ERR_NONCE, bulat_seal(key, iv, 16, aad, 20, text, one, 100, tag, 16));
    iv[0] &= 0x7f;
    IS(BULAT_ERR_PARAMETER, bulat_aead_new(&ctx, key, 9, iv, 16));
    IS(BULAT_ERR_NULL, bulat_aead_new(&ctx, NULL, BULAT_ENCRYPT, iv, 16));
    IS(BULAT_ERR_NULL, bulat_aead_new(NULL, key, BULAT_ENCRYPT, iv, 16));
    IS(BULAT_ERR_NULL, bulat_aead_copy(&copy, NULL));
    IS(BULAT_ERR_NULL, bulat_aead_aad(NULL, aad, 1));
    IS(BULAT_ERR_NULL, bulat_aead_update(NULL, text, one, 1));
    IS(BULAT_ERR_NULL, bulat_aead_final(NULL, tag, 16));
    IS(BULAT_ERR_NULL, bulat_aead_open(NULL, text, one, 1, tag, 16));
    IS(BULAT_ERR_NULL, bulat_aead_reset(NULL, iv, 16));
    IS(BULAT_ERR_NULL, bulat_unverified_new(&open, NULL, iv, 16));
    IS(BULAT_ERR_NULL, bulat_unverified_copy(&other, NULL));
    IS(BULAT_ERR_NULL, bulat_unverified_aad(NULL, aad, 1));
    IS(BULAT_ERR_NULL, bulat_unverified_update(NULL, text, one, 1));
    IS(BULAT_ERR_NULL, bulat_unverified_verify(NULL, tag, 16));
    IS(BULAT_ERR_NULL, bulat_unverified_reset(NULL, iv, 16));
    EXPECT(ctx == NULL && copy == NULL && open == NULL && other == NULL);
    bulat_aead_free(NULL);
    bulat_unverified_free(NULL);
    bulat_key_free(key);
    bulat_key_free(mac);
}

static void derivation(void)
{
    /* RFC 7836, appendix B, 10). */
    static const byte first[4] = {0x22, 0xb6, 0x83, 0x78};
    static const byte label[4] = {0x26, 0xbd, 0xb8, 0x78};
    static const byte seed[8] = {0xaf, 0x21, 0x43, 0x41, 0x45, 0x65, 0x63, 0x78};
    bulat_kdf_params params;
    byte key[64], out[64], back[32], wrapped[64];
    size_t i, n;

    for (i = 0; i < 64; i++)
        key[i] = (byte)i;
    memset(&params, 0, sizeof params);
    params.key = key;
    params.key_len = 32;
    params.label = label;
    params.label_len = sizeof label;
    params.seed = seed;
    params.seed_len = sizeof seed;
    OK(bulat_derive(find("kdf-tree"), &params, out, 64));
    EXPECT(memcmp(out, first, 4) == 0);
    params.counter_size = 5;
    IS(BULAT_ERR_PARAMETER, bulat_derive(find("kdf-tree"), &params, out, 64));
    IS(BULAT_ERR_PARAMETER, bulat_derive(find("kdf-gostr3411-2012-256"), &params, out, 32));
    params.counter_size = 0;
    OK(bulat_derive(find("kdf-gostr3411-2012-256"), &params, out, 32));
    IS(BULAT_ERR_BUFFER_LENGTH, bulat_derive(find("kdf-gostr3411-2012-256"), &params, out, 33));
    IS(BULAT_ERR_PARAMETER, bulat_derive(find("kdf-tree"), &params, NULL, 0));
    IS(BULAT_ERR_NULL, bulat_derive(find("kdf-tree"), &params, NULL, 64));
    IS(BULAT_ERR_NULL, bulat_derive(find("kdf-tree"), NULL, out, 64));
    IS(BULAT_ERR_OVERLAP, bulat_derive(find("kdf-tree"), &params, key, 64));
    IS(BULAT_ERR_UNKNOWN_ALGORITHM, bulat_derive(NULL, &params, out, 64));
    IS(BULAT_ERR_UNKNOWN_ALGORITHM, bulat_derive(find("streebog512"), &params, out, 64));
    params.reserved[3] = 1;
    IS(BULAT_ERR_PARAMETER, bulat_derive(find("kdf-tree"), &params, out, 64));
    memset(&params, 0, sizeof params);
    params.key = key;
    params.key_len = 32;
    for (i = 0; i < bulat_algorithm_count(); i++) {
        const bulat_algorithm *a = bulat_algorithm_at(i);
        if (a->kind == BULAT_KDF) {
            int tree = strcmp(a->name, "tlstree") == 0;
            params.iterations = strstr(a->name, "pbkdf2") ? 3 : 0;
            params.masks[0] = params.masks[1] = params.masks[2] = tree ? (uint64_t)-1 : 0;
            params.record = tree ? 5 : 0;
            OK(bulat_derive(a, &params, out, a->output_size ? a->output_size : 50));
            EXPECT(bulat_wrapped_size(a, 8, 32) == 0);
        }
        if (a->kind == BULAT_WRAP) {
            int inside = strstr(a->name, "kexp15") == NULL;
            n = bulat_wrapped_size(a, a->iv_size, 32);
            EXPECT(n > 32 && n <= 64 && (a->output_size == 0 || a->output_size == n));
            OK(bulat_wrap(a, key, a->key_size, seed, a->iv_size, NULL, zeros, 32, wrapped, n));
            OK(bulat_unwrap(a, key, a->key_size, inside ? NULL : seed, inside ? 0 : a->iv_size, NULL, wrapped, n, back, 32));
            EXPECT(memcmp(back, zeros, 32) == 0);
            memset(back, 0x5a, 32);
            wrapped[n - 1] ^= 1;
            IS(BULAT_ERR_VERIFY, bulat_unwrap(a, key, a->key_size, inside ? NULL : seed, inside ? 0 : a->iv_size, NULL, wrapped, n, back, 32));
            EXPECT(back[0] == 0x5a && back[31] == 0x5a);
            IS(BULAT_ERR_KEY_LENGTH, bulat_wrap(a, key, 31, seed, a->iv_size, NULL, zeros, 32, wrapped, n));
            IS(BULAT_ERR_KEY_LENGTH, bulat_unwrap(a, key, 31, inside ? NULL : seed, inside ? 0 : a->iv_size, NULL, wrapped, n, back, 32));
            IS(BULAT_ERR_BUFFER_LENGTH, bulat_wrap(a, key, a->key_size, seed, a->iv_size, NULL, zeros, 32, wrapped, n - 1));
            IS(BULAT_ERR_OVERLAP, bulat_wrap(a, key, a->key_size, seed, a->iv_size, NULL, wrapped, 32, wrapped, n));
            IS(BULAT_ERR_OVERLAP, bulat_unwrap(a, key, a->key_size, NULL, 0, NULL, wrapped, n, wrapped, 32));
            IS(BULAT_ERR_NULL, bulat_wrap(a, key, a->key_size, NULL, a->iv_size, NULL, zeros, 32, wrapped, n));
            IS(BULAT_ERR_NULL, bulat_wrap(a, key, a->key_size, seed, a->iv_size, NULL, NULL, 32, wrapped, n));
        }
    }
    {
        bulat_options options;
        const bulat_algorithm *a = find("gost28147-keywrap"), *no = find("kdf-tree");
        memset(&options, 0, sizeof options);
        options.sboxes = "a";
        OK(bulat_wrap(a, key, 32, seed, 8, &options, zeros, 32, wrapped, 44));
        IS(BULAT_ERR_VERIFY, bulat_unwrap(a, key, 32, NULL, 0, NULL, wrapped, 44, back, 32));
        OK(bulat_unwrap(a, key, 32, NULL, 0, &options, wrapped, 44, back, 32));
        options.tag_size = 4;
        IS(BULAT_ERR_PARAMETER, bulat_wrap(a, key, 32, seed, 8, &options, zeros, 32, wrapped, 44));
        IS(BULAT_ERR_UNKNOWN_ALGORITHM, bulat_wrap(no, key, 32, seed, 8, NULL, zeros, 32, wrapped, 44));
        IS(BULAT_ERR_UNKNOWN_ALGORITHM, bulat_unwrap(no, key, 32, seed, 8, NULL, wrapped, 44, back, 32));
        IS(BULAT_ERR_UNKNOWN_ALGORITHM, bulat_unwrap(NULL, key, 32, seed, 8, NULL, wrapped, 44, back, 32));
        EXPECT(bulat_wrapped_size(NULL, 8, 32) == 0);
    }
}

#define JOBS 70

/* Messages of every sort, each under its own key, compared with single calls. */
static void batches(const bulat_pool *pool)
{
    bulat_job jobs[JOBS];
    bulat_key *keys[JOBS];
    byte *texts[JOBS], tags[JOBS][64], want[64], *alone = memory(20000);
    size_t i, n;

    memset(jobs, 0, sizeof jobs);
    for (i = n = 0; n < JOBS; i++) {
        const bulat_algorithm *a = bulat_algorithm_at(i % bulat_algorithm_count());
        static const bulat_work works[] = {0, BULAT_WORK_HASH, BULAT_WORK_MAC, BULAT_WORK_ENCRYPT, BULAT_WORK_SEAL};
        if (a->kind > BULAT_AEAD)
            continue;
        keys[n] = key_of(a, NULL);
        jobs[n].key = keys[n];
        jobs[n].work = works[a->kind];
        jobs[n].iv = iv;
        jobs[n].iv_len = a->iv_size;
        jobs[n].len = 16 * (1 + n * n % 200);
        texts[n] = memory(jobs[n].len);
        fill(texts[n], jobs[n].len, (unsigned)n);
        jobs[n].source = jobs[n].destination = texts[n];
        jobs[n].tag = tags[n];
        jobs[n].tag_size = a->kind == BULAT_HASH ? a->output_size : bulat_key_tag_size(keys[n]);
        n++;
    }
    OK(bulat_batch(jobs, JOBS, pool));
    for (i = 0; i < JOBS; i++) {
        const bulat_algorithm *a = bulat_key_algorithm(keys[i]);
        IS(BULAT_OK, jobs[i].result);
        fill(alone, jobs[i].len, (unsigned)i);
        switch (a->kind) {
        case BULAT_HASH:
            OK(bulat_hash(a, alone, jobs[i].len, want, jobs[i].tag_size));
            break;
        case BULAT_MAC:
            OK(bulat_mac(keys[i], alone, jobs[i].len, want, jobs[i].tag_size));
            jobs[i].work = BULAT_WORK_VERIFY;
            break;
        case BULAT_CIPHER:
            OK(bulat_encrypt(keys[i], iv, a->iv_size, alone, jobs[i].len, alone, jobs[i].len, &n));
            jobs[i].work = BULAT_WORK_DECRYPT;
            break;
        default:
            OK(bulat_seal(keys[i], iv, a->iv_size, NULL, 0, alone, alone, jobs[i].len, want, jobs[i].tag_size));
            jobs[i].work = BULAT_WORK_OPEN;
        }
        EXPECT(memcmp(alone, texts[i], jobs[i].len) == 0);
        EXPECT(a->kind == BULAT_CIPHER || memcmp(want, tags[i], jobs[i].tag_size) == 0);
    }
    OK(bulat_batch(jobs, JOBS, pool));
    for (i = 0; i < JOBS; i++) {
        fill(alone, jobs[i].len, (unsigned)i);
        EXPECT(memcmp(alone, texts[i], jobs[i].len) == 0);
    }
    /* Several invalid jobs; the others succeed. */
    jobs[0].key = NULL;
    jobs[1].work = 99;
    jobs[2].reserved[0] = 1;
    jobs[3].tag = texts[6];
    jobs[5].iv_len = 3;
    jobs[5].work = BULAT_WORK_SEAL;
    for (i = 7; i < JOBS && jobs[i].work != BULAT_WORK_OPEN; i++)
        ;
    tags[i][0] ^= 1;
    for (n = 7; n < JOBS && jobs[n].work != BULAT_WORK_DECRYPT; n++)
        ;
    jobs[n].iv_len = 513;
    jobs[n].iv = memory(513);
    fill((byte *)jobs[n].iv, 513, 1);
    IS(BULAT_ERR_JOB, bulat_batch(jobs, JOBS, pool));
    IS(BULAT_ERR_NULL, jobs[0].result);
    IS(BULAT_ERR_PARAMETER, jobs[1].result);
    IS(BULAT_ERR_PARAMETER, jobs[2].result);
    IS(BULAT_ERR_OVERLAP, jobs[3].result);
    IS(BULAT_ERR_OVERLAP, jobs[6].result);
    IS(BULAT_ERR_UNKNOWN_ALGORITHM, jobs[5].result);
    IS(BULAT_ERR_VERIFY, jobs[i].result);
    IS(BULAT_ERR_IV_LENGTH, jobs[n].result);
    free((void *)jobs[n].iv);
    for (i = 0; i < JOBS; i++) {
        /* Jobs that opened a text in place have no ciphertext any more. */
        if (i > 6 && i != n && jobs[i].work != BULAT_WORK_OPEN)
            IS(BULAT_OK, jobs[i].result);
        bulat_key_free(keys[i]);
        free(texts[i]);
    }
    free(alone);
}

static void batch_bounds(void)
{
    bulat_key *key = named("kuznyechik-ctr");
    bulat_pool *pool = NULL;
    bulat_job jobs[2];
    byte room[64] = {0};

    OK(bulat_batch(NULL, 0, NULL));
    IS(BULAT_ERR_NULL, bulat_batch(NULL, 1, NULL));
    IS(BULAT_ERR_DATA_LENGTH, bulat_batch(jobs, (size_t)-1, NULL));
    memset(jobs, 0, sizeof jobs);
    jobs[0].key = jobs[1].key = key;
    jobs[0].work = jobs[1].work = BULAT_WORK_ENCRYPT;
    jobs[0].iv = jobs[1].iv = iv;
    jobs[0].iv_len = jobs[1].iv_len = 8;
    jobs[0].source = jobs[0].destination = room;
    jobs[1].source = jobs[1].destination = room + 31;
    jobs[0].len = jobs[1].len = 32;
    IS(BULAT_ERR_JOB, bulat_batch(jobs, 2, NULL));
    IS(BULAT_ERR_OVERLAP, jobs[0].result);
    IS(BULAT_ERR_OVERLAP, jobs[1].result);
    EXPECT(memcmp(room, zeros, 64) == 0);
    jobs[0].destination = jobs;
    jobs[0].source = jobs;
    jobs[1].source = jobs[1].destination = room;
    IS(BULAT_ERR_JOB, bulat_batch(jobs, 2, NULL));
    IS(BULAT_ERR_OVERLAP, jobs[0].result);
    OK(jobs[1].result);
    jobs[1].source = room + 8;
    IS(BULAT_ERR_JOB, bulat_batch(jobs + 1, 1, NULL));
    IS(BULAT_ERR_OVERLAP, jobs[1].result);
    jobs[1].source = NULL;
    IS(BULAT_ERR_JOB, bulat_batch(jobs + 1, 1, NULL));
    IS(BULAT_ERR_NULL, jobs[1].result);
    jobs[1].len = 0;
    OK(bulat_batch(jobs + 1, 1, NULL));
    bulat_key_free(key);

    IS(BULAT_ERR_NULL, bulat_pool_new(NULL, 1));
    OK(bulat_pool_new(&pool, 3));
    EXPECT(bulat_pool_threads(pool) == 3);
    EXPECT(bulat_pool_threads(NULL) == 0);
    batches(pool);
    bulat_pool_free(pool);
    OK(bulat_pool_new(&pool, 0));
    EXPECT(bulat_pool_threads(pool) >= 1);
    bulat_pool_free(pool);
    bulat_pool_free(NULL);
}

static void kernels(void)
{
    bulat_kernel_choice choices[64];
    size_t i, n = bulat_kernel_count(), can = 0;

    EXPECT(n > 3 && bulat_kernel_name(n) == NULL);
    EXPECT(bulat_kernel_forced() == NULL);
    IS(BULAT_ERR_UNKNOWN_KERNEL, bulat_kernel_force("abacus"));
    IS(BULAT_ERR_UNKNOWN_KERNEL, bulat_kernel_force("\xff"));
    EXPECT(bulat_kernel_missing(NULL) != NULL && bulat_kernel_missing("abacus") != NULL);
    for (i = 0; i < n; i++) {
        const char *name = bulat_kernel_name(i);
        if (bulat_kernel_missing(name) != NULL)
            continue;
        can++;
        OK(bulat_kernel_force(name));
        EXPECT(strcmp(bulat_kernel_forced(), name) == 0);
        EXPECT(bulat_kernel_forced() == bulat_kernel_forced());
    }
    EXPECT(can > 0 && bulat_kernel_missing("portable") == NULL);
    OK(bulat_kernel_force("portable"));
    n = bulat_kernel_choices(NULL, 0);
    EXPECT(n > 5 && n < 64);
    EXPECT(bulat_kernel_choices(choices, 64) == n);
    EXPECT(strcmp(choices[0].kernel, "portable") == 0 && strlen(choices[0].primitive) > 0 && strlen(choices[0].shape) > 0);
    OK(bulat_kernel_force(NULL));
    EXPECT(bulat_kernel_forced() == NULL);
    OK(bulat_selftest());
}

/* Impossible lengths for every buffer of every call: nothing is read. */
static void lengths(void)
{
    static const size_t huge[] = {(size_t)-1, (size_t)-16, ((size_t)-1 >> 1) + 1};
    const bulat_algorithm *hash = find("streebog256"), *kdf = find("hkdf-streebog256"),
                          *kexp = find("kuznyechik-kexp15");
    bulat_key *mac = named("kuznyechik-omac"), *ctr = named("kuznyechik-ctr"), *mgm = named("kuznyechik-mgm"), *none = NULL;
    bulat_hash_ctx *h = NULL;
    bulat_mac_ctx *m = NULL;
    bulat_cipher_ctx *c = NULL;
    bulat_aead_ctx *a = NULL, *o = NULL;
    bulat_unverified_ctx *u = NULL;
    byte b[64] = {0}, other[64];
    bulat_kdf_params p;
    bulat_job job;
    size_t i, n, w;

    OK(bulat_hash_new(&h, hash));
    OK(bulat_mac_new(&m, mac, NULL, 0));
    OK(bulat_cipher_new(&c, ctr, BULAT_ENCRYPT, iv, 8));
    OK(bulat_aead_new(&a, mgm, BULAT_ENCRYPT, iv, 16));
    OK(bulat_aead_new(&o, mgm, BULAT_DECRYPT, iv, 16));
    OK(bulat_unverified_new(&u, mgm, iv, 16));
    for (i = 0; i < sizeof huge / sizeof *huge; i++) {
        n = huge[i];
        IS(BULAT_ERR_DATA_LENGTH, bulat_hash(hash, b, n, other, 32));
        IS(BULAT_ERR_DATA_LENGTH, bulat_hash(hash, b, 3, other, n));
        IS(BULAT_ERR_DATA_LENGTH, bulat_hash_update(h, b, n));
        IS(BULAT_ERR_DATA_LENGTH, bulat_hash_final(h, b, n));
        IS(BULAT_ERR_DATA_LENGTH, bulat_key_new(&none, bulat_key_algorithm(mac), b, n, NULL));
        IS(BULAT_ERR_DATA_LENGTH, bulat_mac(mac, b, n, other, 16));
        IS(BULAT_ERR_DATA_LENGTH, bulat_mac(mac, b, 3, other, n));
        IS(BULAT_ERR_DATA_LENGTH, bulat_mac_verify(mac, b, n, other, 16));
        IS(BULAT_ERR_DATA_LENGTH, bulat_mac_verify(mac, b, 3, other, n));
        IS(BULAT_ERR_DATA_LENGTH, bulat_mac_update(m, b, n));
        IS(BULAT_ERR_DATA_LENGTH, bulat_mac_final(m, b, n));
        IS(BULAT_ERR_DATA_LENGTH, bulat_mac_final_verify(m, b, n));
        IS(BULAT_ERR_DATA_LENGTH, bulat_mac_reset(m, b, n));
        IS(BULAT_ERR_DATA_LENGTH, bulat_encrypt(ctr, iv, n, b, 64, other, 64, &w));
        IS(BULAT_ERR_DATA_LENGTH, bulat_encrypt(ctr, iv, 8, b, 64, other, n, &w));
        IS(BULAT_ERR_DATA_LENGTH, bulat_decrypt(ctr, iv, 8, b, n, b, n, &w));
        IS(BULAT_ERR_DATA_LENGTH, bulat_cipher_update(c, b, b, n, &w));
        IS(BULAT_ERR_DATA_LENGTH, bulat_cipher_update(c, b, other, n, &w));
        IS(BULAT_ERR_DATA_LENGTH, bulat_cipher_final(c, b, n, &w));
        IS(BULAT_ERR_DATA_LENGTH, bulat_cipher_reset(c, b, n));
        IS(BULAT_ERR_DATA_LENGTH, bulat_seal(mgm, iv, n, NULL, 0, b, b, 32, other, 16));
        IS(BULAT_ERR_DATA_LENGTH, bulat_seal(mgm, iv, 16, other, n, b, b, 32, other + 32, 16));
        IS(BULAT_ERR_DATA_LENGTH, bulat_seal(mgm, iv, 16, NULL, 0, b, b, n, other, 16));
        IS(BULAT_ERR_DATA_LENGTH, bulat_seal(mgm, iv, 16, NULL, 0, b, b, 32, other, n));
        IS(BULAT_ERR_DATA_LENGTH, bulat_open(mgm, iv, 16, other, n, b, b, 32, other, 16));
        IS(BULAT_ERR_DATA_LENGTH, bulat_open(mgm, iv, 16, NULL, 0, b, b, n, other, 16));
        IS(BULAT_ERR_DATA_LENGTH, bulat_open(mgm, iv, 16, NULL, 0, b, b, 32, other, n));
        IS(BULAT_ERR_DATA_LENGTH, bulat_aead_aad(a, b, n));
        IS(BULAT_ERR_DATA_LENGTH, bulat_aead_update(a, b, b, n));
        IS(BULAT_ERR_DATA_LENGTH, bulat_aead_final(a, b, n));
        IS(BULAT_ERR_DATA_LENGTH, bulat_aead_open(o, b, b, n, other, 16));
        IS(BULAT_ERR_DATA_LENGTH, bulat_aead_open(o, b, b, 32, other, n));
        IS(BULAT_ERR_DATA_LENGTH, bulat_aead_reset(a, b, n));
        IS(BULAT_ERR_DATA_LENGTH, bulat_unverified_aad(u, b, n));
        IS(BULAT_ERR_DATA_LENGTH, bulat_unverified_update(u, b, b, n));
        IS(BULAT_ERR_DATA_LENGTH, bulat_unverified_verify(u, b, n));
        IS(BULAT_ERR_DATA_LENGTH, bulat_unverified_reset(u, b, n));
        memset(&p, 0, sizeof p);
        p.key = b;
        p.key_len = n;
        IS(BULAT_ERR_DATA_LENGTH, bulat_derive(kdf, &p, other, 32));
        p.key_len = 32;
        IS(BULAT_ERR_DATA_LENGTH, bulat_derive(kdf, &p, other, n));
        p.salt = b;
        p.salt_len = n;
        IS(BULAT_ERR_DATA_LENGTH, bulat_derive(kdf, &p, other, 32));
        IS(BULAT_ERR_DATA_LENGTH, bulat_wrap(kexp, b, n, iv, 8, NULL, b, 32, other, 48));
        IS(BULAT_ERR_DATA_LENGTH, bulat_wrap(kexp, b, 64, iv, 8, NULL, b, n, other, 48));
        IS(BULAT_ERR_DATA_LENGTH, bulat_unwrap(kexp, b, 64, iv, 8, NULL, b, n, other, 32));
        IS(BULAT_ERR_DATA_LENGTH, bulat_unwrap(kexp, b, 64, iv, 8, NULL, b, 48, other, n));
        memset(&job, 0, sizeof job);
        job.key = ctr;
        job.work = BULAT_WORK_ENCRYPT;
        job.iv = iv;
        job.iv_len = 8;
        job.source = job.destination = b;
        job.len = n;
        IS(BULAT_ERR_JOB, bulat_batch(&job, 1, NULL));
        EXPECT(job.result != BULAT_OK);
        IS(BULAT_ERR_DATA_LENGTH, bulat_batch(&job, n, NULL));
        bulat_wipe(b, n);
    }
    EXPECT(memcmp(b, zeros, sizeof b) == 0);
    bulat_hash_free(h);
    bulat_mac_free(m);
    bulat_cipher_free(c);
    bulat_aead_free(a);
    bulat_aead_free(o);
    bulat_unverified_free(u);
    bulat_key_free(mac);
    bulat_key_free(ctr);
    bulat_key_free(mgm);
}

static void wiping(void)
{
    byte bytes[40];
    fill(bytes, sizeof bytes, 1);
    bulat_wipe(bytes + 1, 38);
    EXPECT(bytes[0] == 1 && memcmp(bytes + 1, zeros, 38) == 0 && bytes[39] != 0);
    bulat_wipe(NULL, 0);
    bulat_wipe(NULL, 7);
}

/* A PrivateKeyInfo of an invented algorithm, with 16 bytes, and the form of a certificate. */
static const byte private_key[] = {0x30, 0x1d, 2, 1, 0, 0x30, 6, 6, 4, 0x2a, 3, 4, 5, 4, 16, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
static const byte certificate[] = {0x30, 7, 0x30, 0, 0x30, 0, 3, 1, 0};

static int equal(const bulat_bytes *bytes, const void *want, size_t len)
{
    return bulat_bytes_size(bytes) == len && memcmp(bulat_bytes_data(bytes), want, len) == 0;
}

/* all quick: for valgrind, under which a call is 200 times slower: fewer iterations than by default, and a ninth of the bit flips. */
static int quick;

static void private_keys(void)
{
    static const char *const ciphers[] = {NULL, "kuznyechik-ctr-acpkm-omac", "magma-ctr-acpkm-omac", "kuznyechik-ctr-acpkm", "magma-ctr-acpkm"};
    static const char label[] = "-----BEGIN ENCRYPTED PRIVATE KEY-----\n";
    bulat_pkcs_options options;
    bulat_bytes *sealed = NULL, *key = NULL, *other = NULL;
    byte bad[1024];
    size_t i, n;

    memset(&options, 0, sizeof options);
    options.iterations = 1000;
    for (i = 0; i < sizeof ciphers / sizeof *ciphers; i++) {
        options.cipher = ciphers[i];
        options.encoding = i % 2 ? BULAT_PEM : BULAT_DER;
        OK(bulat_pkcs8_encrypt(&sealed, private_key, sizeof private_key, "pass", 4, &options));
        EXPECT((memcmp(bulat_bytes_data(sealed), label, sizeof label - 1) == 0) == (options.encoding == BULAT_PEM));
        options.encoding = BULAT_DER;
        OK(bulat_pkcs8_decrypt(&key, bulat_bytes_data(sealed), bulat_bytes_size(sealed), "pass", 4, &options));
        EXPECT(equal(key, private_key, sizeof private_key));
        IS(BULAT_ERR_PASSWORD, bulat_pkcs8_decrypt(&other, bulat_bytes_data(sealed), bulat_bytes_size(sealed), "Pass", 4, NULL));
        EXPECT(other == NULL && bulat_bytes_size(other) == 0 && bulat_bytes_data(other) == NULL);
        EXPECT(strstr(bulat_pkcs_reason(), "wrong password") != NULL);
        bulat_bytes_free(sealed);
        bulat_bytes_free(key);
    }
    bulat_bytes_free(NULL);
    options.cipher = NULL;
    options.encoding = BULAT_PEM;
    /* The defaults, and PEM in. */
    OK(bulat_pkcs8_encrypt(&sealed, private_key, sizeof private_key, "pass", 4, &options));
    OK(bulat_pkcs8_decrypt(&key, bulat_bytes_data(sealed), bulat_bytes_size(sealed), "pass", 4, &options));
    options.encoding = BULAT_DER;
    options.iterations = 2000;
    OK(bulat_pkcs8_encrypt(&other, bulat_bytes_data(key), bulat_bytes_size(key), "pass", 4, quick ? &options : NULL));
    options.iterations = 1000;
    /* A byte-order mark and a blank before PEM, then a different label. */
    n = bulat_bytes_size(sealed);
    EXPECT(n + 4 < sizeof bad);
    memcpy(bad, "\xef\xbb\xbf ", 4);
    memcpy(bad + 4, bulat_bytes_data(sealed), n);
    bulat_bytes_free(sealed);
    bulat_bytes_free(key);
    options.encoding = BULAT_PEM;
    OK(bulat_pkcs8_decrypt(&key, bad, n + 4, "pass", 4, &options));
    IS(BULAT_ERR_DAMAGED, bulat_pkcs8_encrypt(&sealed, bad, n + 4, "pass", 4, &options));
    EXPECT(strstr(bulat_pkcs_reason(), "but an encrypted private key") != NULL);
    options.max_iterations = quick ? 1999 : 199999;
    IS(BULAT_ERR_COST, bulat_pkcs8_decrypt(&sealed, bulat_bytes_data(other), bulat_bytes_size(other), "pass", 4, &options));
    EXPECT(sealed == NULL && strstr(bulat_pkcs_reason(), quick ? "2000 iterations" : "200000 iterations") != NULL);
    options.max_iterations = 0;
    options.encoding = BULAT_DER;
    /* A different cipher: the last byte of its object identifier, 1.2.643.7.1.1.5.2.2, becomes 9. */
    n = bulat_bytes_size(other);
    EXPECT(n < sizeof bad);
    memcpy(bad, bulat_bytes_data(other), n);
    for (i = 0; i + 8 < n; i++)
        if (memcmp(bad + i, "\x2a\x85\x03\x07\x01\x01\x05\x02\x02", 9) == 0)
            bad[i + 8] = 9;
    IS(BULAT_ERR_UNSUPPORTED, bulat_pkcs8_decrypt(&sealed, bad, n, "pass", 4, NULL));
    EXPECT(strstr(bulat_pkcs_reason(), "1.2.643.7.1.1.5.2.9") != NULL);
    IS(BULAT_ERR_DAMAGED, bulat_pkcs8_decrypt(&sealed, bad, n - 1, "pass", 4, NULL));
    IS(BULAT_ERR_DAMAGED, bulat_pkcs8_decrypt(&sealed, NULL, 0, "pass", 4, NULL));
    IS(BULAT_ERR_DAMAGED, bulat_pkcs8_encrypt(&sealed, bad, n, "pass", 4, &options));
    IS(BULAT_ERR_PARAMETER, bulat_pkcs8_encrypt(&sealed, private_key, sizeof private_key, NULL, 0, &options));
    IS(BULAT_ERR_PARAMETER, bulat_pkcs8_encrypt(&sealed, private_key, sizeof private_key, "a\0b", 3, &options));
    IS(BULAT_ERR_NULL, bulat_pkcs8_encrypt(&sealed, private_key, sizeof private_key, NULL, 4, &options));
    IS(BULAT_ERR_NULL, bulat_pkcs8_encrypt(&sealed, NULL, 8, "pass", 4, &options));
    IS(BULAT_ERR_NULL, bulat_pkcs8_encrypt(NULL, private_key, sizeof private_key, "pass", 4, &options));
    IS(BULAT_ERR_NULL, bulat_pkcs8_decrypt(NULL, bad, n, "pass", 4, &options));
    options.iterations = 999;
    IS(BULAT_ERR_PARAMETER, bulat_pkcs8_encrypt(&sealed, private_key, sizeof private_key, "pass", 4, &options));
    options.iterations = 1000;
    options.cipher = "rot13";
    IS(BULAT_ERR_PARAMETER, bulat_pkcs8_encrypt(&sealed, private_key, sizeof private_key, "pass", 4, &options));
    options.cipher = NULL;
    options.encoding = 2;
    IS(BULAT_ERR_PARAMETER, bulat_pkcs8_encrypt(&sealed, private_key, sizeof private_key, "pass", 4, &options));
    options.encoding = BULAT_DER;
    options.reserved[3] = 1;
    IS(BULAT_ERR_PARAMETER, bulat_pkcs8_encrypt(&sealed, private_key, sizeof private_key, "pass", 4, &options));
    EXPECT(sealed == NULL);
    bulat_bytes_free(key);
    bulat_bytes_free(other);
}

static void pfx(void)
{
    bulat_pkcs_options options;
    bulat_pfx *made = NULL, *read = NULL;
    bulat_pfx_item item;
    bulat_bytes *file = NULL;
    byte *bad;
    size_t n, bit;
    FILE *f;

    memset(&options, 0, sizeof options);
    options.iterations = 1000;
    OK(bulat_pfx_new(&made));
    IS(BULAT_ERR_PARAMETER, bulat_pfx_seal(&file, made, "pass", 4, &options));
    OK(bulat_pfx_add_key(made, private_key, sizeof private_key, "\xd0\x9a\xd0\xbb\xd1\x8e\xd1\x87", "\1", 1));
    OK(bulat_pfx_add_certificate(made, certificate, sizeof certificate, NULL, "\1", 1));
    OK(bulat_pfx_add_certificate(made, certificate, sizeof certificate, "CA", NULL, 0));
    IS(BULAT_ERR_DAMAGED, bulat_pfx_add_certificate(made, private_key, sizeof private_key, NULL, NULL, 0));
    IS(BULAT_ERR_DAMAGED, bulat_pfx_add_key(made, certificate, sizeof certificate, NULL, NULL, 0));
    IS(BULAT_ERR_PARAMETER, bulat_pfx_add_key(made, private_key, sizeof private_key, "\xff", NULL, 0));
    IS(BULAT_ERR_NULL, bulat_pfx_add_key(made, private_key, sizeof private_key, NULL, NULL, 1));
    IS(BULAT_ERR_NULL, bulat_pfx_add_key(NULL, private_key, sizeof private_key, NULL, NULL, 0));
    IS(BULAT_ERR_NULL, bulat_pfx_add_certificate(NULL, certificate, sizeof certificate, NULL, NULL, 0));
    EXPECT(bulat_pfx_count(made) == 3 && bulat_pfx_mac(made) == NULL);
    OK(bulat_pfx_seal(&file, made, "pass", 4, &options));
    IS(BULAT_ERR_NULL, bulat_pfx_seal(NULL, made, "pass", 4, &options));
    bulat_pfx_free(made);
    bulat_bytes_free(file);
    IS(BULAT_ERR_NULL, bulat_pfx_seal(&file, NULL, "pass", 4, &options));
    EXPECT(file == NULL);

    OK(bulat_pfx_new(&made));
    OK(bulat_pfx_add_key(made, private_key, sizeof private_key, "k", NULL, 0));
    OK(bulat_pfx_seal(&file, made, "pass", 4, &options));
    bulat_pfx_free(made);
    OK(bulat_pfx_open(&read, bulat_bytes_data(file), bulat_bytes_size(file), "pass", 4, NULL));
    EXPECT(strcmp(bulat_pfx_mac(read), "streebog512") == 0 && bulat_pfx_count(read) == 1);
    OK(bulat_pfx_at(read, 0, &item));
    EXPECT(item.kind == BULAT_PFX_KEY && item.len == sizeof private_key && memcmp(item.data, private_key, item.len) == 0);
    EXPECT(strcmp(item.oid, "1.2.3.4.5") == 0 && strcmp(item.name, "k") == 0 && item.id == NULL && item.id_len == 0);
    IS(BULAT_ERR_PARAMETER, bulat_pfx_at(read, 1, &item));
    IS(BULAT_ERR_NULL, bulat_pfx_at(read, 0, NULL));
    IS(BULAT_ERR_NULL, bulat_pfx_at(NULL, 0, &item));
    bulat_pfx_free(read);
    IS(BULAT_ERR_PASSWORD, bulat_pfx_open(&read, bulat_bytes_data(file), bulat_bytes_size(file), "Pass", 4, NULL));
    IS(BULAT_ERR_NULL, bulat_pfx_open(NULL, bulat_bytes_data(file), bulat_bytes_size(file), "pass", 4, NULL));
    options.max_iterations = 2999;
    IS(BULAT_ERR_COST, bulat_pfx_open(&read, bulat_bytes_data(file), bulat_bytes_size(file), "pass", 4, &options));
    options.max_iterations = 0;
    options.without_mac = 2;
    IS(BULAT_ERR_PARAMETER, bulat_pfx_open(&read, bulat_bytes_data(file), bulat_bytes_size(file), "pass", 4, &options));
    options.without_mac = 0;
    n = bulat_bytes_size(file);
    bad = memory(n);
    /* Flips, and cuts. */
    for (bit = 0; bit < 8 * n; bit += quick ? 333 : 37) {
        memcpy(bad, bulat_bytes_data(file), n);
        bad[bit / 8] ^= (byte)(1 << bit % 8);
        options.max_iterations = 20000;
        EXPECT(bulat_pfx_open(&read, bad, n, "pass", 4, &options) != BULAT_OK && read == NULL);
        EXPECT(bulat_pfx_open(&read, bad, bit / 8, "pass", 4, &options) != BULAT_OK && read == NULL);
    }
    options.max_iterations = 0;
    bulat_bytes_free(file);
    free(bad);

    /* Without a MAC: an AuthenticatedSafe with no section. */
    {
        static const byte open_file[] = {0x30, 0x14, 2, 1, 3, 0x30, 0x0f, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 1, 0xa0, 2, 4, 0};
        static const byte empty[] = {0x30, 0x16, 2, 1, 3, 0x30, 0x11, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 1, 0xa0, 4, 4, 2, 0x30, 0};
        IS(BULAT_ERR_DAMAGED, bulat_pfx_open(&read, open_file, sizeof open_file, NULL, 0, NULL));
        IS(BULAT_ERR_NO_MAC, bulat_pfx_open(&read, empty, sizeof empty, NULL, 0, NULL));
        options.without_mac = 1;
        OK(bulat_pfx_open(&read, empty, sizeof empty, NULL, 0, &options));
        EXPECT(bulat_pfx_mac(read) == NULL && bulat_pfx_count(read) == 0);
        bulat_pfx_free(read);
    }
    EXPECT(bulat_pfx_mac(NULL) == NULL && bulat_pfx_count(NULL) == 0);
    bulat_pfx_free(NULL);
    IS(BULAT_ERR_NULL, bulat_pfx_new(NULL));

    /* The example of RFC 9548, A.2, where the source tree is. */
    f = fopen("../../crates/pkcs/tests/data/rfc9548_a2.p12", "rb");
    if (f != NULL) {
        static const char password[] = "\xd0\x9f\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c \xd0\xb4\xd0\xbb\xd1\x8f PFX";
        bad = memory(4096);
        n = fread(bad, 1, 4096, f);
        fclose(f);
        OK(bulat_pfx_open(&read, bad, n, password, sizeof password - 1, NULL));
        EXPECT(bulat_pfx_count(read) == 2);
        OK(bulat_pfx_at(read, 0, &item));
        EXPECT(item.kind == BULAT_PFX_CERTIFICATE && item.oid == NULL && item.id_len == 20);
        OK(bulat_pfx_at(read, 1, &item));
        EXPECT(item.kind == BULAT_PFX_KEY && strcmp(item.oid, "1.2.643.7.1.1.1.2") == 0 && strcmp(item.name, "p12FriendlyName") == 0);
        bulat_pfx_free(read);
        free(bad);
    }
}

/* Says what it does: some take minutes on an emulated processor. */
#define RUN(call) (puts(#call), fflush(stdout), call)

int main(int argc, char **argv)
{
    quick = argc > 1 && strcmp(argv[1], "quick") == 0;
    fill(text, sizeof text, 9);
    fill(iv, sizeof iv, 1);
    fill(aad, sizeof aad, 17);
    RUN(table());
    RUN(words());
    RUN(hashes());
    RUN(keys());
    RUN(macs());
    RUN(ciphers());
    RUN(aeads());
    RUN(derivation());
    RUN(batches(NULL));
    RUN(batch_bounds());
    RUN(kernels());
    RUN(lengths());
    RUN(wiping());
    RUN(private_keys());
    RUN(pfx());
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0;
}
