/* bulat.h: GOST symmetric cryptography, constant-time and fast.

   Every call that can fail returns a bulat_result: BULAT_OK, which is 0, or an error; bulat_result_message() returns its
   message. Nothing is printed, and no call ends the process, except when memory runs out.

   Find algorithms by name: bulat_algorithm_find("kuznyechik-mgm"). A bulat_key is a key under an algorithm, prepared once.
   Process a whole message in one call with a key, or a message in pieces with a context, made from a key. The sizes of
   pieces do not change the result.

   Pointers. Null is accepted for bytes if the length is 0, and for an object if the call's description says so; otherwise it
   gives BULAT_ERR_NULL. Lengths are in bytes. Source and destination are one buffer or do not overlap, and no other output
   may overlap anything: BULAT_ERR_OVERLAP. Bytes need no alignment; objects and structures do: BULAT_ERR_ALIGNMENT. A call
   that makes an object writes null on an error. The library cannot check, and the caller must ensure, that pointers lead to
   memory of the given length, and that objects were made by this library and not freed.

   Secrets. Keys, contexts and the library's own memory are wiped before they are freed. No branch and no address depends on
   a key or a text. Tags are compared in constant time.

   Threads. Algorithms and keys never change: any thread may use them at any time. Only one thread at a time may use a
   context. Calls with different contexts and buffers need no lock.

   Generated from the sources of the library; SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BULAT_H
#define BULAT_H

#include <stddef.h>
#include <stdint.h>

#define BULAT_VERSION "0.1.0"
#define BULAT_VERSION_MAJOR 0
#define BULAT_VERSION_MINOR 1
#define BULAT_VERSION_PATCH 0

#if defined(__GNUC__)
#define BULAT_CHECKED __attribute__((warn_unused_result))
#else
#define BULAT_CHECKED
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Result codes and their messages ---- */

/* The result of a call. Codes never change their meaning; more may be added. */
typedef int bulat_result;
enum {
    /* Success. */
    BULAT_OK = 0,
    /* The key does not have a length that the algorithm accepts. */
    BULAT_ERR_KEY_LENGTH = 1,
    /* The IV, nonce, UKM or tweak does not have a length that the algorithm accepts. */
    BULAT_ERR_IV_LENGTH = 2,
    /* The tag does not have the length of the key's tags, or that length is not allowed. */
    BULAT_ERR_TAG_LENGTH = 3,
    /* The first bit of MGM's nonce must be 0. */
    BULAT_ERR_NONCE = 4,
    /* Two messages of one call have one IV under one key. No call of this version checks this, not even
       bulat_batch: the caller must use different IVs. */
    BULAT_ERR_IV_REUSE = 5,
    /* An option is outside the standard's range, means nothing to the algorithm, or is missing; or a reserved
       field is not 0. */
    BULAT_ERR_PARAMETER = 6,
    /* An S-box row is not a permutation of 0 to 15. */
    BULAT_ERR_SBOX = 7,
    /* Two keys that must differ are equal. */
    BULAT_ERR_EQUAL_KEYS = 8,
    /* The output does not have the required length, or is too short. */
    BULAT_ERR_BUFFER_LENGTH = 9,
    /* The data is not a whole number of blocks, too short, or longer than any object can be. */
    BULAT_ERR_DATA_LENGTH = 10,
    /* More data than the standard allows under one key or nonce. */
    BULAT_ERR_LIMIT = 11,
    /* Neither text nor associated data. */
    BULAT_ERR_EMPTY = 12,
    /* The message has ended: reset the context before the next message. */
    BULAT_ERR_FINISHED = 13,
    /* The call does not belong to this algorithm or direction, or comes too late. */
    BULAT_ERR_ORDER = 14,
    /* The tag, the MAC or the wrapped key is wrong. */
    BULAT_ERR_VERIFY = 15,
    /* The padding is malformed, or there is no room for padding. */
    BULAT_ERR_PADDING = 16,
    /* No algorithm of this name, or this call cannot use it. */
    BULAT_ERR_UNKNOWN_ALGORITHM = 17,
    /* No kernel of this name, or this machine cannot run it. */
    BULAT_ERR_UNKNOWN_KERNEL = 18,
    /* A pointer is null, but must not be. */
    BULAT_ERR_NULL = 64,
    /* A pointer to an object or a structure is not aligned. */
    BULAT_ERR_ALIGNMENT = 65,
    /* Buffers overlap, but must not. */
    BULAT_ERR_OVERLAP = 66,
    /* At least one job of a batch failed: see its own code. */
    BULAT_ERR_JOB = 67,
    /* The system provides no threads. */
    BULAT_ERR_THREADS = 68,
    /* The self-test found a wrong answer. */
    BULAT_ERR_SELFTEST = 69,
    /* The password is wrong, or the data is damaged: a file under a password cannot tell these apart. */
    BULAT_ERR_PASSWORD = 70,
    /* The structure of a file is damaged, or the file has a different format. No password was used. */
    BULAT_ERR_DAMAGED = 71,
    /* A file has an algorithm or a form that is unknown or not supported; bulat_pkcs_reason() names it. */
    BULAT_ERR_UNSUPPORTED = 72,
    /* A file needs more work than the limits allow. The work was not begun. */
    BULAT_ERR_COST = 73,
    /* A PFX has no MAC, so that anyone may have changed it. */
    BULAT_ERR_NO_MAC = 74,
    /* The system gives no random numbers. */
    BULAT_ERR_RANDOM = 75,
    /* A bug in the library: please report it. Free the object of the call and do not use it again. */
    BULAT_ERR_INTERNAL = 127
};

/* Returns the message of a code: a constant string, never null. */
const char *bulat_result_message(bulat_result result);

/* ---- The table of algorithms ---- */

/* The kind of an algorithm. */
typedef int bulat_kind;
enum {
    /* A hash function. */
    BULAT_HASH = 1,
    /* A message authentication code. */
    BULAT_MAC = 2,
    /* Encryption without authentication. */
    BULAT_CIPHER = 3,
    /* Authenticated encryption. */
    BULAT_AEAD = 4,
    /* Key derivation. */
    BULAT_KDF = 5,
    /* Key wrapping. */
    BULAT_WRAP = 6
};

/* An algorithm. It belongs to the library, is constant and never freed; any thread may read it. Later versions
   may add fields at the end. */
typedef struct bulat_algorithm {
    /* The name. */
    const char *name;
    /* The object identifier, dotted, or null. */
    const char *oid;
    /* The standard and its clause, or a warning. */
    const char *note;
    /* Other names, up to a null pointer. */
    const char *const *aliases;
    /* BULAT_HASH, BULAT_MAC and so on. */
    bulat_kind kind;
    /* The key's length in bytes; 0: no key, or any length (HMAC and most key derivation). */
    size_t key_size;
    /* The block's length in bytes. */
    size_t block_size;
    /* The length in bytes of the digest, the usual tag, or the derived or wrapped key; 0: any length, or no
       output. */
    size_t output_size;
    /* The length of the usual IV or nonce in bytes; 0: no IV. */
    size_t iv_size;
    /* An IV may have iv_min bytes, iv_min + iv_step and so on up to iv_max. */
    size_t iv_min;
    /* The longest IV, in bytes. */
    size_t iv_max;
    /* The difference between valid lengths of an IV. */
    size_t iv_step;
    /* The shortest tag, in bytes; 0: no tag. */
    size_t tag_min;
    /* The longest tag, in bytes. */
    size_t tag_max;
} bulat_algorithm;

/* Returns the number of algorithms. */
size_t bulat_algorithm_count(void);

/* Returns the algorithm with this index, from 0; null after the last. Other versions may have a different
   order. */
const bulat_algorithm *bulat_algorithm_at(size_t index);

/* Finds an algorithm by name, alias (in any case) or object identifier; null if it does not exist. The result
   may be passed to any call unchecked: calls answer null with BULAT_ERR_UNKNOWN_ALGORITHM. */
const bulat_algorithm *bulat_algorithm_find(const char *text);

/* ---- Keys ---- */

/* The direction of a cipher. */
typedef int bulat_direction;
enum {
    /* From plaintext to ciphertext. */
    BULAT_ENCRYPT = 0,
    /* From ciphertext to plaintext. */
    BULAT_DECRYPT = 1
};

/* Padding of ECB and CBC (GOST R 34.13-2015, 4.1). */
typedef int bulat_padding;
enum {
    /* The text must be whole blocks. */
    BULAT_PADDING_NONE = 0,
    /* Procedure 1: zeros up to a whole block, which decryption does not remove. */
    BULAT_PADDING_1 = 1,
    /* Procedure 2: one bit 1, then zeros. */
    BULAT_PADDING_2 = 2,
    /* Procedure 3: procedure 2 unless the last block is whole; decryption does not remove it. */
    BULAT_PADDING_3 = 3,
    /* PKCS #7, as in OpenSSL. */
    BULAT_PADDING_PKCS7 = 4
};

/* Key meshing of GOST 28147-89 (RFC 4357, 2.3). */
typedef int bulat_meshing;
enum {
    /* The default of the algorithm and its S-boxes. */
    BULAT_MESHING_DEFAULT = 0,
    /* A new key after each 1024 bytes. */
    BULAT_MESHING_ON = 1,
    /* One key throughout. */
    BULAT_MESHING_OFF = 2
};

/* The options of an algorithm. Zeros select the defaults: bulat_options options = {0};. Options that mean
   nothing to the algorithm are refused. */
typedef struct bulat_options {
    /* The tag's length in bytes: MACs and AEAD. */
    size_t tag_size;
    /* The section in bytes: CTR-ACPKM, OMAC-ACPKM (its N), CTR-ACPKM-OMAC. */
    size_t section;
    /* T*, the period of the master key, in bytes: OMAC-ACPKM. */
    size_t period;
    /* s of GOST R 34.13-2015 in bytes: CTR, OFB, CFB. */
    size_t s;
    /* BULAT_PADDING_NONE and so on. */
    bulat_padding padding;
    /* BULAT_MESHING_DEFAULT and so on. */
    bulat_meshing meshing;
    /* S-boxes of GOST 28147-89 by name or object identifier: "test", "a", "b", "c", "d", "z", "hash-test",
       "hash-cryptopro". */
    const char *sboxes;
    /* Alternatively the S-boxes' eight rows of sixteen values, the least significant nibble's row first: 128
       bytes. */
    const unsigned char *sbox_rows;
    /* The kernel's name, for tests and measurements. */
    const char *kernel;
    /* Must be zeros. */
    size_t reserved[4];
} bulat_options;

/* A key under an algorithm, with its options. It never changes, so any number of threads may use it at once.
   It may be freed when no call uses it and no job of a running batch names it; contexts made from it no longer
   need it. Freeing wipes it. */
typedef struct bulat_key bulat_key;

/* Prepares a key of len bytes, 0 for a hash; options may be null. The bytes are copied: wipe yours. */
bulat_result bulat_key_new(bulat_key **key, const bulat_algorithm *algorithm, const void *bytes,
    size_t len, const bulat_options *options);

/* Wipes and frees a key; null is ignored. */
void bulat_key_free(bulat_key *key);

/* Returns the algorithm of a key; null for null. */
const bulat_algorithm *bulat_key_algorithm(const bulat_key *key);

/* Returns the length of the key's tags in bytes; 0 if it makes no tags, and for null. */
size_t bulat_key_tag_size(const bulat_key *key);

/* ---- Hash functions ---- */

/* A message being hashed. It may move between threads, but only one thread at a time may use it. Freeing wipes
   it. */
typedef struct bulat_hash_ctx bulat_hash_ctx;

/* Hashes a message in one call. digest_size is the algorithm's output_size. */
bulat_result bulat_hash(const bulat_algorithm *algorithm, const void *message, size_t len, void *digest,
    size_t digest_size);

/* Begins a message that comes in pieces. */
bulat_result bulat_hash_new(bulat_hash_ctx **ctx, const bulat_algorithm *algorithm);

/* Makes *copy, which continues independently from this point. */
bulat_result bulat_hash_copy(bulat_hash_ctx **copy, const bulat_hash_ctx *ctx);

/* Adds the next piece. */
bulat_result bulat_hash_update(bulat_hash_ctx *ctx, const void *piece, size_t len);

/* Ends the message, writes its digest and begins a new message. digest_size is the algorithm's output_size. */
bulat_result bulat_hash_final(bulat_hash_ctx *ctx, void *digest, size_t digest_size);

/* Discards the message and begins a new message. */
bulat_result bulat_hash_reset(bulat_hash_ctx *ctx);

/* Wipes and frees a context; null is ignored. */
void bulat_hash_free(bulat_hash_ctx *ctx);

/* ---- Message authentication codes ---- */

/* A message under a MAC. It may move between threads, but only one thread at a time may use it. Freeing wipes
   it. */
typedef struct bulat_mac_ctx bulat_mac_ctx;

/* Computes the tag of a message in one call. tag_size is bulat_key_tag_size(key). */
bulat_result bulat_mac(const bulat_key *key, const void *message, size_t len, void *tag,
    size_t tag_size);

/* Compares the tag of a message with tag in constant time. Returns BULAT_OK or BULAT_ERR_VERIFY. */
BULAT_CHECKED bulat_result bulat_mac_verify(const bulat_key *key, const void *message, size_t len,
    const void *tag, size_t tag_size);

/* Begins a message that comes in pieces. Most MACs have no IV: pass null and 0. */
bulat_result bulat_mac_new(bulat_mac_ctx **ctx, const bulat_key *key, const void *iv, size_t iv_len);

/* Makes *copy, which continues independently from this point. */
bulat_result bulat_mac_copy(bulat_mac_ctx **copy, const bulat_mac_ctx *ctx);

/* Adds the next piece. */
bulat_result bulat_mac_update(bulat_mac_ctx *ctx, const void *piece, size_t len);

/* Ends the message, writes its tag and begins a new message under this key and IV. */
bulat_result bulat_mac_final(bulat_mac_ctx *ctx, void *tag, size_t tag_size);

/* Ends the message, compares its tag with tag in constant time and begins a new message. */
BULAT_CHECKED bulat_result bulat_mac_final_verify(bulat_mac_ctx *ctx, const void *tag, size_t tag_size);

/* Discards the message and begins a new message; null and 0 select the default IV. */
bulat_result bulat_mac_reset(bulat_mac_ctx *ctx, const void *iv, size_t iv_len);

/* Wipes and frees a context; null is ignored. */
void bulat_mac_free(bulat_mac_ctx *ctx);

/* ---- Encryption without authentication ---- */

/* A message under a cipher, in one direction. It may move between threads, but only one thread at a time may
   use it. Freeing wipes it. */
typedef struct bulat_cipher_ctx bulat_cipher_ctx;

/* Encrypts a message in one call, source to destination, which are one buffer or do not overlap. destination
   has room for size bytes, at least the length of the text, and with padding a block more. Sets *written to
   the length of the ciphertext, or to 0 on an error; the content of destination is then unspecified. */
bulat_result bulat_encrypt(const bulat_key *key, const void *iv, size_t iv_len, const void *source,
    size_t len, void *destination, size_t size, size_t *written);

/* Decrypts a message in one call: see bulat_encrypt. */
bulat_result bulat_decrypt(const bulat_key *key, const void *iv, size_t iv_len, const void *source,
    size_t len, void *destination, size_t size, size_t *written);

/* Begins a message that comes in pieces. */
bulat_result bulat_cipher_new(bulat_cipher_ctx **ctx, const bulat_key *key, bulat_direction way,
    const void *iv, size_t iv_len);

/* Makes *copy, which continues independently from this point. */
bulat_result bulat_cipher_copy(bulat_cipher_ctx **copy, const bulat_cipher_ctx *ctx);

/* Transforms the next piece, source to destination, which are one buffer of len bytes or two that do not
   overlap. Sets *written to the number of bytes written to the start of destination, never more than len: ECB,
   CBC and XTS hold back a partial block, and blocks that may be the last. */
bulat_result bulat_cipher_update(bulat_cipher_ctx *ctx, const void *source, void *destination,
    size_t len, size_t *written);

/* Returns the most bytes that bulat_cipher_final may write; 0 for null. */
size_t bulat_cipher_held(const bulat_cipher_ctx *ctx);

/* Ends the message and writes the bytes held back to destination, which has room for bulat_cipher_held(ctx)
   bytes. Sets *written to their number. A context of ECB, CBC or XTS must be reset before its next message. */
bulat_result bulat_cipher_final(bulat_cipher_ctx *ctx, void *destination, size_t size, size_t *written);

/* Begins a new message under this key, in this direction. */
bulat_result bulat_cipher_reset(bulat_cipher_ctx *ctx, const void *iv, size_t iv_len);

/* Wipes and frees a context; null is ignored. */
void bulat_cipher_free(bulat_cipher_ctx *ctx);

/* ---- Authenticated encryption ---- */

/* A message under authenticated encryption, in one direction. It may move between threads, but only one thread
   at a time may use it. Freeing wipes it. */
typedef struct bulat_aead_ctx bulat_aead_ctx;

/* A message that is decrypted in pieces, which are released before its tag is checked: until
   bulat_unverified_verify returns BULAT_OK the text may be anything that an attacker wants. For interfaces
   that cannot hold a message. It may move between threads, but only one thread at a time may use it. Freeing
   wipes it. */
typedef struct bulat_unverified_ctx bulat_unverified_ctx;

/* Encrypts a message in one call, source to destination, which are one buffer of len bytes or two that do not
   overlap, and writes its tag of bulat_key_tag_size(key) bytes. Never use a nonce twice under one key. */
bulat_result bulat_seal(const bulat_key *key, const void *nonce, size_t nonce_len, const void *aad,
    size_t aad_len, const void *source, void *destination, size_t len, void *tag, size_t tag_size);

/* Checks the tag of a message in constant time, then decrypts it, source to destination, which are one buffer
   of len bytes or two that do not overlap. On an error nothing is decrypted, and destination is unchanged. */
BULAT_CHECKED bulat_result bulat_open(const bulat_key *key, const void *nonce, size_t nonce_len,
    const void *aad, size_t aad_len, const void *source, void *destination, size_t len, const void *tag,
    size_t tag_size);

/* Begins a message: to seal it in pieces, or to open it with associated data in pieces. */
bulat_result bulat_aead_new(bulat_aead_ctx **ctx, const bulat_key *key, bulat_direction way,
    const void *nonce, size_t nonce_len);

/* Makes *copy, which continues independently from this point. Sealing two messages under one nonce reveals
   their keystream. */
bulat_result bulat_aead_copy(bulat_aead_ctx **copy, const bulat_aead_ctx *ctx);

/* Adds the next piece of the associated data, which must all come before the text. */
bulat_result bulat_aead_aad(bulat_aead_ctx *ctx, const void *aad, size_t len);

/* Encrypts the next piece, source to destination, which are one buffer of len bytes or two that do not
   overlap. */
bulat_result bulat_aead_update(bulat_aead_ctx *ctx, const void *source, void *destination, size_t len);

/* Ends sealing and writes the tag of bulat_key_tag_size(key) bytes. The context must be reset before its next
   message. */
bulat_result bulat_aead_final(bulat_aead_ctx *ctx, void *tag, size_t tag_size);

/* Checks the tag over the associated data given so far and the whole ciphertext in constant time, then
   decrypts like bulat_open. The context must be reset before its next message. */
BULAT_CHECKED bulat_result bulat_aead_open(bulat_aead_ctx *ctx, const void *source, void *destination,
    size_t len, const void *tag, size_t tag_size);

/* Begins a new message under this key, in this direction. */
bulat_result bulat_aead_reset(bulat_aead_ctx *ctx, const void *nonce, size_t nonce_len);

/* Wipes and frees a context; null is ignored. */
void bulat_aead_free(bulat_aead_ctx *ctx);

/* Begins a message that releases its text BEFORE its tag is checked. */
bulat_result bulat_unverified_new(bulat_unverified_ctx **ctx, const bulat_key *key, const void *nonce,
    size_t nonce_len);

/* Makes *copy, which continues independently from this point. */
bulat_result bulat_unverified_copy(bulat_unverified_ctx **copy, const bulat_unverified_ctx *ctx);

/* Adds the next piece of the associated data, which must all come before the text. */
bulat_result bulat_unverified_aad(bulat_unverified_ctx *ctx, const void *aad, size_t len);

/* Decrypts the next piece, unverified, source to destination, which are one buffer of len bytes or two that do
   not overlap. */
bulat_result bulat_unverified_update(bulat_unverified_ctx *ctx, const void *source, void *destination,
    size_t len);

/* Ends the message and compares its tag in constant time. On BULAT_ERR_VERIFY discard the text. */
BULAT_CHECKED bulat_result bulat_unverified_verify(bulat_unverified_ctx *ctx, const void *tag,
    size_t tag_size);

/* Begins a new message under this key. */
bulat_result bulat_unverified_reset(bulat_unverified_ctx *ctx, const void *nonce, size_t nonce_len);

/* Wipes and frees a context; null is ignored. */
void bulat_unverified_free(bulat_unverified_ctx *ctx);

/* ---- Key derivation and key wrapping ---- */

/* The parameters of a key derivation. Set unused fields to zero: bulat_kdf_params params = {0};. Parameters
   that mean nothing to the algorithm are refused. */
typedef struct bulat_kdf_params {
    /* The key, the secret or the password. */
    const void *key;
    /* The length of key in bytes. */
    size_t key_len;
    /* PBKDF2, HKDF: the salt. */
    const void *salt;
    /* The length of salt in bytes. */
    size_t salt_len;
    /* KDF, KDF_TREE, the PRF of TLS: the label. */
    const void *label;
    /* The length of label in bytes. */
    size_t label_len;
    /* KDF, KDF_TREE, the PRF of TLS, prf+: the seed. HKDF: the info. */
    const void *seed;
    /* The length of seed in bytes. */
    size_t seed_len;
    /* PBKDF2: the number of iterations. */
    uint32_t iterations;
    /* KDF_TREE: R, the length of its counter in bytes, 1 to 4; 0 means 1. */
    uint32_t counter_size;
    /* TLSTREE: the masks C1, C2, C3 of the cipher suite. */
    uint64_t masks[3];
    /* TLSTREE: the record's number. */
    uint64_t record;
    /* Must be zeros. */
    size_t reserved[4];
} bulat_kdf_params;

/* Fills out with derived bytes. */
bulat_result bulat_derive(const bulat_algorithm *algorithm, const bulat_kdf_params *params, void *out,
    size_t len);

/* Returns the length of a wrapped secret of secret_len bytes; 0 unless the algorithm is a key wrap. */
size_t bulat_wrapped_size(const bulat_algorithm *algorithm, size_t iv_len, size_t secret_len);

/* Wraps a secret under a key into wrapped, which has bulat_wrapped_size() bytes. Never use an IV (a UKM) twice
   under one key. Only the S-boxes of the options are used; null is accepted. */
bulat_result bulat_wrap(const bulat_algorithm *algorithm, const void *key, size_t key_len,
    const void *iv, size_t iv_len, const bulat_options *options, const void *secret, size_t secret_len,
    void *wrapped, size_t wrapped_size);

/* Unwraps a secret of secret_size bytes, and writes it only if the MAC is right. If the wrapped secret
   contains the IV, as it does except in KExp15, pass null and 0 for the IV. */
BULAT_CHECKED bulat_result bulat_unwrap(const bulat_algorithm *algorithm, const void *key,
    size_t key_len, const void *iv, size_t iv_len, const bulat_options *options, const void *wrapped,
    size_t wrapped_len, void *secret, size_t secret_size);

/* ---- Many messages in one call ---- */

/* The operation of a job. */
typedef int bulat_work;
enum {
    /* Hashes source to tag. */
    BULAT_WORK_HASH = 1,
    /* Computes the MAC of source in tag. */
    BULAT_WORK_MAC = 2,
    /* Checks the MAC of source in tag, which is only read. */
    BULAT_WORK_VERIFY = 3,
    /* Encrypts source to destination, without padding. */
    BULAT_WORK_ENCRYPT = 4,
    /* Decrypts source to destination, without padding. */
    BULAT_WORK_DECRYPT = 5,
    /* Encrypts source to destination and writes tag. */
    BULAT_WORK_SEAL = 6,
    /* Checks tag, which is only read, then decrypts source to destination, which is unchanged on an error. */
    BULAT_WORK_OPEN = 7
};

/* A message of a batch. Set unused fields to zero: bulat_job job = {0};. */
typedef struct bulat_job {
    /* The key; for a hash, a key made without bytes. */
    const bulat_key *key;
    /* BULAT_WORK_HASH and so on. */
    bulat_work work;
    /* The job's own result, written by the call. */
    bulat_result result;
    /* The IV or nonce. */
    const void *iv;
    /* The length of iv in bytes. */
    size_t iv_len;
    /* The associated data. */
    const void *aad;
    /* The length of aad in bytes. */
    size_t aad_len;
    /* The text or message. */
    const void *source;
    /* The destination: source itself, or a buffer that does not overlap it. */
    void *destination;
    /* The length of the text in bytes. */
    size_t len;
    /* The digest, the MAC or the tag. */
    void *tag;
    /* The length of tag in bytes. */
    size_t tag_size;
    /* Must be zeros. */
    size_t reserved[2];
} bulat_job;

/* Threads for batches. Any number of threads may use a pool at once. It does not survive a fork: the child
   must make its own. */
typedef struct bulat_pool bulat_pool;

/* Starts this many threads; 0: a thread per processor. */
bulat_result bulat_pool_new(bulat_pool **pool, size_t threads);

/* Returns the number of its threads; 0 for null. */
size_t bulat_pool_threads(const bulat_pool *pool);

/* Waits for the threads to end and frees the pool; null is ignored. */
void bulat_pool_free(bulat_pool *pool);

/* Runs every job to its end, side by side where that is faster, and writes each job's own result. Jobs may
   differ in every field. They run on pool, or if it is null on this thread. A job must not write to a buffer
   that a different job reads or writes: such jobs get BULAT_ERR_OVERLAP, and the others run. Returns BULAT_OK
   if all jobs succeeded, BULAT_ERR_JOB if a job failed; after BULAT_ERR_INTERNAL some jobs may have run, after
   any other code no job has run. */
bulat_result bulat_batch(bulat_job *jobs, size_t count, const bulat_pool *pool);

/* ---- Private keys and certificates under passwords ---- */

/* The encoding of a file that a call writes. Calls that read accept both. */
typedef int bulat_encoding;
enum {
    /* DER. */
    BULAT_DER = 0,
    /* PEM. */
    BULAT_PEM = 1
};

/* The kind of an item of a PFX. */
typedef int bulat_pfx_kind;
enum {
    /* A private key. */
    BULAT_PFX_KEY = 1,
    /* An X.509 certificate. */
    BULAT_PFX_CERTIFICATE = 2,
    /* A different type, which is not read. */
    BULAT_PFX_OTHER = 3
};

/* The options of a file under a password. Zeros select the defaults: bulat_pkcs_options options = {0};. A call
   accepts null for them. */
typedef struct bulat_pkcs_options {
    /* To read: the most iterations that a file may cost in all; 0: 20000000. */
    uint64_t max_iterations;
    /* To write: the cipher, "kuznyechik-ctr-acpkm-omac" if null. Also "magma-ctr-acpkm-omac", and without a
       MAC of their own "kuznyechik-ctr-acpkm" and "magma-ctr-acpkm". */
    const char *cipher;
    /* To write: the iterations of PBKDF2, at least 1000; 0: 200000. */
    uint32_t iterations;
    /* To write: BULAT_DER or BULAT_PEM. */
    bulat_encoding encoding;
    /* To read a PFX: 1 accepts a PFX without a MAC, which anyone may have changed. */
    int without_mac;
    /* Must be zeros. */
    size_t reserved[4];
} bulat_pkcs_options;

/* Bytes that a call has made. Freeing wipes them. */
typedef struct bulat_bytes bulat_bytes;

/* The contents of a PFX. Any number of threads may read it at once. Freeing wipes it. */
typedef struct bulat_pfx bulat_pfx;

/* An item of a PFX. Its pointers lead into the PFX, and are valid until it is freed or gets a different item. */
typedef struct bulat_pfx_item {
    /* BULAT_PFX_KEY and so on. */
    bulat_pfx_kind kind;
    /* A key as a PrivateKeyInfo without encryption, or a certificate; in DER. Null for a different type. */
    const void *data;
    /* The length of data in bytes. */
    size_t len;
    /* The object identifier, dotted: of the key's algorithm, or of a different type. Null for a certificate. */
    const char *oid;
    /* The friendlyName in UTF-8, or null. */
    const char *name;
    /* The localKeyID, equal for a key and its certificate, or null. */
    const void *id;
    /* The length of id in bytes. */
    size_t id_len;
    /* Zeros. */
    size_t reserved[4];
} bulat_pfx_item;

/* Encrypts a private key under a password: makes *sealed, an EncryptedPrivateKeyInfo. key is a PrivateKeyInfo
   in DER or PEM. The password is UTF-8, not empty, without zero bytes. */
bulat_result bulat_pkcs8_encrypt(bulat_bytes **sealed, const void *key, size_t len, const void *password,
    size_t password_len, const bulat_pkcs_options *options);

/* Decrypts a private key: makes *key, a PrivateKeyInfo. sealed is an EncryptedPrivateKeyInfo in DER or PEM.
   Returns BULAT_ERR_PASSWORD for a wrong password and for damage that only decryption shows; without a MAC
   (see the ciphers) such damage may go unnoticed. */
BULAT_CHECKED bulat_result bulat_pkcs8_decrypt(bulat_bytes **key, const void *sealed, size_t len,
    const void *password, size_t password_len, const bulat_pkcs_options *options);

/* Opens a PFX: checks its MAC, then decrypts all items. A PFX without a MAC is refused with BULAT_ERR_NO_MAC,
   unless the options accept it. An empty password may be null. */
BULAT_CHECKED bulat_result bulat_pfx_open(bulat_pfx **pfx, const void *file, size_t len,
    const void *password, size_t password_len, const bulat_pkcs_options *options);

/* Makes an empty PFX, to add items. */
bulat_result bulat_pfx_new(bulat_pfx **pfx);

/* Adds a private key, a PrivateKeyInfo in DER or PEM. name and id may be null. Give a key and its certificate
   one id, so that readers find the pair. */
bulat_result bulat_pfx_add_key(bulat_pfx *pfx, const void *key, size_t len, const char *name,
    const void *id, size_t id_len);

/* Adds an X.509 certificate in DER or PEM. name and id may be null. */
bulat_result bulat_pfx_add_certificate(bulat_pfx *pfx, const void *certificate, size_t len,
    const char *name, const void *id, size_t id_len);

/* Encrypts the items under a password: makes *file, a PFX of RFC 9548 with a MAC of Streebog-512. The
   certificates are encrypted together, each key under an encryption of its own. The password is UTF-8, not
   empty, without zero bytes. */
bulat_result bulat_pfx_seal(bulat_bytes **file, const bulat_pfx *pfx, const void *password,
    size_t password_len, const bulat_pkcs_options *options);

/* Returns the hash of the MAC that bulat_pfx_open has checked, such as "streebog512"; null if it had no MAC. */
const char *bulat_pfx_mac(const bulat_pfx *pfx);

/* Returns the number of items; 0 for null. */
size_t bulat_pfx_count(const bulat_pfx *pfx);

/* Describes the item with this index, from 0, in the order of the file. Returns BULAT_ERR_PARAMETER after the
   last. */
bulat_result bulat_pfx_at(const bulat_pfx *pfx, size_t index, bulat_pfx_item *item);

/* Wipes and frees a PFX; null is ignored. */
void bulat_pfx_free(bulat_pfx *pfx);

/* Returns the first of the bytes, valid until they are freed; null for null. */
const unsigned char *bulat_bytes_data(const bulat_bytes *bytes);

/* Returns the number of bytes; 0 for null. */
size_t bulat_bytes_size(const bulat_bytes *bytes);

/* Wipes and frees bytes; null is ignored. */
void bulat_bytes_free(bulat_bytes *bytes);

/* Returns the reason of this thread's last refusal among the calls for PKCS#8 and PKCS#12, such as "cipher of
   PBES2: unknown algorithm 1.2.3"; "" without a refusal. Valid until the thread's next such call. */
const char *bulat_pkcs_reason(void);

/* ---- Kernels ---- */

/* The kernel in use for a kind of work. */
typedef struct bulat_kernel_choice {
    /* The primitive: "kuznyechik" and so on. A constant string. */
    const char *primitive;
    /* The kind of work. A constant string. */
    const char *shape;
    /* The kernel in use. A constant string. */
    const char *kernel;
} bulat_kernel_choice;

/* Returns the number of kernels, including those for other machines. */
size_t bulat_kernel_count(void);

/* Returns the name of the kernel with this index, from 0, fastest first; null after the last. */
const char *bulat_kernel_name(size_t index);

/* Returns the reason why this machine cannot run the kernels of this name; null if it can. */
const char *bulat_kernel_missing(const char *kernel);

/* Makes all new keys and contexts, in the whole process, use the kernels of this name if their primitive has
   such a kernel; null restores the choice by processor. Existing keys and contexts keep theirs. Any thread may
   call it. */
bulat_result bulat_kernel_force(const char *kernel);

/* Returns the name of the forced kernel; null if no kernel is forced. */
const char *bulat_kernel_forced(void);

/* Returns the number of choices of kernels, and writes the first room of them to choices, which may be null if
   room is 0. */
size_t bulat_kernel_choices(bulat_kernel_choice *choices, size_t room);

/* Runs the known answers of every algorithm on every kernel of this machine. Returns BULAT_OK or
   BULAT_ERR_SELFTEST. Needs some hundredths of a second. */
BULAT_CHECKED bulat_result bulat_selftest(void);

/* Wipes memory in a way that compilers cannot remove. */
void bulat_wipe(void *bytes, size_t len);

/* Returns the version of the running library, such as "0.1.0". BULAT_VERSION is the header's version. */
const char *bulat_version(void);

#ifdef __cplusplus
}
#endif

#endif
