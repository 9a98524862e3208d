/* bulat.h: GOST symmetric cryptography, constant-time and fast.

   Every call that can fail answers with a bulat_result: BULAT_OK, which is 0, or why it was refused. bulat_result_message() has
   the words. Nothing is printed, and no call ends the process, but for want of memory.

   Algorithms go by name: bulat_algorithm_find("kuznyechik-mgm"). A bulat_key is a key under an algorithm, prepared once. A
   whole message is one call with a key; a message in pieces is a context, made from a key. Pieces may have any size, with the
   same result.

   Pointers. Null stands for no bytes where the length is 0, and for no object where a call says so; elsewhere it is
   BULAT_ERR_NULL. Lengths are bytes. Source and destination are one buffer or do not overlap; no other output may overlap
   anything: BULAT_ERR_OVERLAP. Bytes need no alignment, objects and structures do: BULAT_ERR_ALIGNMENT. A call that makes an
   object writes null on an error. What is not checked is the caller's word: that the memory is there, that an object was made by
   this library and not freed.

   Secrets. Keys, contexts and the library's own memory are wiped when they end. No branch and no address depends on a key or a
   text. Tags are compared in constant time.

   Threads. Algorithms and keys never change: any thread may use them at any time. A context is for one thread at a time. Calls
   that differ in their contexts and buffers need no lock.

   Made from the sources of the library; SPDX-License-Identifier: MIT OR Apache-2.0 */
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

/* What a call answers with. A number keeps its meaning for ever; more may come. */
typedef int bulat_result;
enum {
    /* Done. */
    BULAT_OK = 0,
    /* The key is not of the length that the algorithm takes. */
    BULAT_ERR_KEY_LENGTH = 1,
    /* The IV, nonce, UKM or tweak is not of a length that the algorithm takes. */
    BULAT_ERR_IV_LENGTH = 2,
    /* The tag is not of the length that the key's tags have, or that length is not allowed. */
    BULAT_ERR_TAG_LENGTH = 3,
    /* The first bit of MGM's nonce must be 0. */
    BULAT_ERR_NONCE = 4,
    /* Two messages of one call have the same IV under one key. No call of this version looks for it,
       bulat_batch neither: a caller sees to it that IVs differ. */
    BULAT_ERR_IV_REUSE = 5,
    /* An option is outside what the standard allows, means nothing to the algorithm, or is missing; a reserved
       field is not 0. */
    BULAT_ERR_PARAMETER = 6,
    /* An S-box row is not a permutation of 0 to 15. */
    BULAT_ERR_SBOX = 7,
    /* Two keys that must differ are equal. */
    BULAT_ERR_EQUAL_KEYS = 8,
    /* The output is not of the length that it must have, or too short. */
    BULAT_ERR_BUFFER_LENGTH = 9,
    /* The data is not a whole number of blocks, too short, or longer than any object can be. */
    BULAT_ERR_DATA_LENGTH = 10,
    /* More data than the standard allows under one key or nonce. */
    BULAT_ERR_LIMIT = 11,
    /* Neither text nor associated data. */
    BULAT_ERR_EMPTY = 12,
    /* The message has ended: the context takes no more until it is reset. */
    BULAT_ERR_FINISHED = 13,
    /* The call does not belong to this algorithm or direction, or comes too late. */
    BULAT_ERR_ORDER = 14,
    /* The tag, the MAC or the wrapped key is not the right one. */
    BULAT_ERR_VERIFY = 15,
    /* The padding is not what the procedure writes, or there is no room for padding. */
    BULAT_ERR_PADDING = 16,
    /* No algorithm of this name, or none that this call can use. */
    BULAT_ERR_UNKNOWN_ALGORITHM = 17,
    /* No kernel of this name, or this machine cannot run it. */
    BULAT_ERR_UNKNOWN_KERNEL = 18,
    /* A pointer is null that must not be. */
    BULAT_ERR_NULL = 64,
    /* A pointer to an object or a structure is not aligned. */
    BULAT_ERR_ALIGNMENT = 65,
    /* Buffers overlap that must not. */
    BULAT_ERR_OVERLAP = 66,
    /* At least one job of a batch failed: see its own code. */
    BULAT_ERR_JOB = 67,
    /* The system gave no threads. */
    BULAT_ERR_THREADS = 68,
    /* The self-test found a wrong answer. */
    BULAT_ERR_SELFTEST = 69,
    /* A defect of the library: please report it. The object of the call is to be freed and not used again. */
    BULAT_ERR_INTERNAL = 127
};

/* The code in words: a constant text, never null. */
const char *bulat_result_message(bulat_result result);

/* ---- The table of algorithms ---- */

/* What an algorithm is. */
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

/* An algorithm. It is constant, the library's, and stays; any thread may read it. Later versions may add
   fields at the end. */
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
    /* Bytes of key; 0: none, or any number (HMAC and most key derivation). */
    size_t key_size;
    /* Bytes of a block. */
    size_t block_size;
    /* Bytes of digest, of the usual tag, or of what is derived or wrapped; 0: any number, or none. */
    size_t output_size;
    /* Bytes of the usual IV or nonce; 0: none. */
    size_t iv_size;
    /* An IV may have iv_min bytes, iv_min + iv_step and so on up to iv_max. */
    size_t iv_min;
    /* The most bytes of an IV. */
    size_t iv_max;
    /* From one length of an IV to the next. */
    size_t iv_step;
} bulat_algorithm;

/* How many algorithms there are. */
size_t bulat_algorithm_count(void);

/* The algorithm with this number, from 0; null past the last. The order may differ in another version. */
const bulat_algorithm *bulat_algorithm_at(size_t index);

/* The algorithm of this name or alias, in any case, or object identifier; null when there is none. What it
   gives may be handed to any call as it is: calls answer null with BULAT_ERR_UNKNOWN_ALGORITHM. */
const bulat_algorithm *bulat_algorithm_find(const char *text);

/* ---- Keys ---- */

/* Which way. */
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
    /* Procedure 1: zeros up to a whole block, which decryption leaves. */
    BULAT_PADDING_1 = 1,
    /* Procedure 2: one bit 1, then zeros. */
    BULAT_PADDING_2 = 2,
    /* Procedure 3: procedure 2 unless the last block is whole; decryption leaves it. */
    BULAT_PADDING_3 = 3,
    /* PKCS #7, which OpenSSL uses. */
    BULAT_PADDING_PKCS7 = 4
};

/* Key meshing of GOST 28147-89 (RFC 4357, 2.3). */
typedef int bulat_meshing;
enum {
    /* What is usual with the algorithm and its S-boxes. */
    BULAT_MESHING_DEFAULT = 0,
    /* A new key after each 1024 bytes. */
    BULAT_MESHING_ON = 1,
    /* One key. */
    BULAT_MESHING_OFF = 2
};

/* What can be chosen of an algorithm. All zero is the default of each: bulat_options options = {0};. An option
   that means nothing to the algorithm is refused. */
typedef struct bulat_options {
    /* Bytes of tag: MACs and AEAD. */
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
    /* Or their eight rows of sixteen values, the least significant nibble's row first: 128 bytes. */
    const unsigned char *sbox_rows;
    /* The kernel by name, for tests and measurements. */
    const char *kernel;
    /* Zeros. */
    size_t reserved[4];
} bulat_options;

/* A key under an algorithm, with its options. It never changes: any number of threads may use it at once, and
   it may be freed when no call uses it and no job of a running batch names it; contexts made from it do not
   need it any more. Freeing wipes it. */
typedef struct bulat_key bulat_key;

/* Prepares a key: len bytes, none for a hash; options may be null. The bytes are copied: wipe yours. */
bulat_result bulat_key_new(bulat_key **key, const bulat_algorithm *algorithm, const void *bytes,
    size_t len, const bulat_options *options);

/* Wipes and frees a key; null is none. */
void bulat_key_free(bulat_key *key);

/* The algorithm of a key; null for null. */
const bulat_algorithm *bulat_key_algorithm(const bulat_key *key);

/* Bytes of the tags under a key; 0 where there are none, and for null. */
size_t bulat_key_tag_size(const bulat_key *key);

/* ---- Hash functions ---- */

/* A message being hashed. One thread at a time may use it; it may go from thread to thread. Freeing wipes it. */
typedef struct bulat_hash_ctx bulat_hash_ctx;

/* Hashes a message in one call. digest_size is the algorithm's output_size. */
bulat_result bulat_hash(const bulat_algorithm *algorithm, const void *message, size_t len, void *digest,
    size_t digest_size);

/* Begins a message that comes in pieces. */
bulat_result bulat_hash_new(bulat_hash_ctx **ctx, const bulat_algorithm *algorithm);

/* Makes *copy, which goes on from here by itself. */
bulat_result bulat_hash_copy(bulat_hash_ctx **copy, const bulat_hash_ctx *ctx);

/* Takes the next piece. */
bulat_result bulat_hash_update(bulat_hash_ctx *ctx, const void *piece, size_t len);

/* Ends the message and begins a new one. digest_size is the algorithm's output_size. */
bulat_result bulat_hash_final(bulat_hash_ctx *ctx, void *digest, size_t digest_size);

/* Forgets the message and begins a new one. */
bulat_result bulat_hash_reset(bulat_hash_ctx *ctx);

/* Wipes and frees a context; null is none. */
void bulat_hash_free(bulat_hash_ctx *ctx);

/* ---- Message authentication codes ---- */

/* A message under a MAC. One thread at a time may use it; it may go from thread to thread. Freeing wipes it. */
typedef struct bulat_mac_ctx bulat_mac_ctx;

/* The tag of a message in one call. tag_size is bulat_key_tag_size(key). */
bulat_result bulat_mac(const bulat_key *key, const void *message, size_t len, void *tag,
    size_t tag_size);

/* Whether the tag of a message is this one, in constant time: BULAT_OK, or BULAT_ERR_VERIFY. */
BULAT_CHECKED bulat_result bulat_mac_verify(const bulat_key *key, const void *message, size_t len,
    const void *tag, size_t tag_size);

/* Begins a message that comes in pieces. Most MACs have no IV: null and 0. */
bulat_result bulat_mac_new(bulat_mac_ctx **ctx, const bulat_key *key, const void *iv, size_t iv_len);

/* Makes *copy, which goes on from here by itself. */
bulat_result bulat_mac_copy(bulat_mac_ctx **copy, const bulat_mac_ctx *ctx);

/* Takes the next piece. */
bulat_result bulat_mac_update(bulat_mac_ctx *ctx, const void *piece, size_t len);

/* Ends the message: its tag. A new message begins, under the same key and IV. */
bulat_result bulat_mac_final(bulat_mac_ctx *ctx, void *tag, size_t tag_size);

/* Ends the message: whether its tag is this one, in constant time. A new message begins. */
BULAT_CHECKED bulat_result bulat_mac_final_verify(bulat_mac_ctx *ctx, const void *tag, size_t tag_size);

/* Forgets the message and begins a new one; with null and 0, under the usual IV. */
bulat_result bulat_mac_reset(bulat_mac_ctx *ctx, const void *iv, size_t iv_len);

/* Wipes and frees a context; null is none. */
void bulat_mac_free(bulat_mac_ctx *ctx);

/* ---- Encryption without authentication ---- */

/* A message under a cipher, in one direction. One thread at a time may use it; it may go from thread to
   thread. Freeing wipes it. */
typedef struct bulat_cipher_ctx bulat_cipher_ctx;

/* Encrypts a message in one call, source to destination, which are one buffer or do not overlap. destination
   has room for size bytes: as many as the text has, and with padding a block more. *written becomes the length
   of the ciphertext, 0 on an error; what destination holds then is nothing. */
bulat_result bulat_encrypt(const bulat_key *key, const void *iv, size_t iv_len, const void *source,
    size_t len, void *destination, size_t size, size_t *written);

/* Decrypts a message in one call: as bulat_encrypt. */
bulat_result bulat_decrypt(const bulat_key *key, const void *iv, size_t iv_len, const void *source,
    size_t len, void *destination, size_t size, size_t *written);

/* Begins a message that comes in pieces. */
bulat_result bulat_cipher_new(bulat_cipher_ctx **ctx, const bulat_key *key, bulat_direction way,
    const void *iv, size_t iv_len);

/* Makes *copy, which goes on from here by itself. */
bulat_result bulat_cipher_copy(bulat_cipher_ctx **copy, const bulat_cipher_ctx *ctx);

/* Transforms the next piece, source to destination, which are one buffer of len bytes or two that do not
   overlap. *written becomes the number of bytes that stand at the start of destination, never more than len:
   ECB, CBC and XTS hold back what is not yet a whole block, or may be the last. */
bulat_result bulat_cipher_update(bulat_cipher_ctx *ctx, const void *source, void *destination,
    size_t len, size_t *written);

/* The most bytes that bulat_cipher_final writes; 0 for null. */
size_t bulat_cipher_held(const bulat_cipher_ctx *ctx);

/* Ends the message: what was held back goes to destination, which has room for bulat_cipher_held(ctx) bytes;
   *written of them. A context of ECB, CBC or XTS takes nothing more until it is reset. */
bulat_result bulat_cipher_final(bulat_cipher_ctx *ctx, void *destination, size_t size, size_t *written);

/* Begins a new message under the same key, in the same direction. */
bulat_result bulat_cipher_reset(bulat_cipher_ctx *ctx, const void *iv, size_t iv_len);

/* Wipes and frees a context; null is none. */
void bulat_cipher_free(bulat_cipher_ctx *ctx);

/* ---- Authenticated encryption ---- */

/* A message under authenticated encryption, in one direction. One thread at a time may use it; it may go from
   thread to thread. Freeing wipes it. */
typedef struct bulat_aead_ctx bulat_aead_ctx;

/* A message that is decrypted in pieces, which come out before their tag was checked: until
   bulat_unverified_verify says BULAT_OK the text may be anything that an attacker wants. For interfaces that
   cannot hold a message. One thread at a time may use it; it may go from thread to thread. Freeing wipes it. */
typedef struct bulat_unverified_ctx bulat_unverified_ctx;

/* Encrypts a message in one call, source to destination, which are one buffer of len bytes or two that do not
   overlap, and gives its tag of bulat_key_tag_size(key) bytes. A nonce is never used twice under one key. */
bulat_result bulat_seal(const bulat_key *key, const void *nonce, size_t nonce_len, const void *aad,
    size_t aad_len, const void *source, void *destination, size_t len, void *tag, size_t tag_size);

/* Checks the tag of a message in constant time, then decrypts it, source to destination, which are one buffer
   of len bytes or two that do not overlap. On an error nothing is decrypted: destination is as it was. */
BULAT_CHECKED bulat_result bulat_open(const bulat_key *key, const void *nonce, size_t nonce_len,
    const void *aad, size_t aad_len, const void *source, void *destination, size_t len, const void *tag,
    size_t tag_size);

/* Begins a message: to be sealed in pieces, or to be opened with associated data in pieces. */
bulat_result bulat_aead_new(bulat_aead_ctx **ctx, const bulat_key *key, bulat_direction way,
    const void *nonce, size_t nonce_len);

/* Makes *copy, which goes on from here by itself. Two messages sealed under one nonce give their keystream
   away. */
bulat_result bulat_aead_copy(bulat_aead_ctx **copy, const bulat_aead_ctx *ctx);

/* Takes the next piece of the associated data; all of it comes before the text. */
bulat_result bulat_aead_aad(bulat_aead_ctx *ctx, const void *aad, size_t len);

/* Encrypts the next piece, source to destination, which are one buffer of len bytes or two that do not
   overlap. */
bulat_result bulat_aead_update(bulat_aead_ctx *ctx, const void *source, void *destination, size_t len);

/* Ends the message that was sealed: its tag of bulat_key_tag_size(key) bytes. The context takes nothing more
   until it is reset. */
bulat_result bulat_aead_final(bulat_aead_ctx *ctx, void *tag, size_t tag_size);

/* Checks the tag over the associated data given so far and the whole ciphertext in constant time, then
   decrypts as bulat_open does. The context takes nothing more until it is reset. */
BULAT_CHECKED bulat_result bulat_aead_open(bulat_aead_ctx *ctx, const void *source, void *destination,
    size_t len, const void *tag, size_t tag_size);

/* Begins a new message under the same key, in the same direction. */
bulat_result bulat_aead_reset(bulat_aead_ctx *ctx, const void *nonce, size_t nonce_len);

/* Wipes and frees a context; null is none. */
void bulat_aead_free(bulat_aead_ctx *ctx);

/* Begins a message whose text comes out BEFORE its tag is checked. */
bulat_result bulat_unverified_new(bulat_unverified_ctx **ctx, const bulat_key *key, const void *nonce,
    size_t nonce_len);

/* Makes *copy, which goes on from here by itself. */
bulat_result bulat_unverified_copy(bulat_unverified_ctx **copy, const bulat_unverified_ctx *ctx);

/* Takes the next piece of the associated data; all of it comes before the text. */
bulat_result bulat_unverified_aad(bulat_unverified_ctx *ctx, const void *aad, size_t len);

/* Decrypts the next piece, unverified, source to destination, which are one buffer of len bytes or two that do
   not overlap. */
bulat_result bulat_unverified_update(bulat_unverified_ctx *ctx, const void *source, void *destination,
    size_t len);

/* Ends the message: whether its tag is this one, in constant time. On BULAT_ERR_VERIFY throw the text away. */
BULAT_CHECKED bulat_result bulat_unverified_verify(bulat_unverified_ctx *ctx, const void *tag,
    size_t tag_size);

/* Begins a new message under the same key. */
bulat_result bulat_unverified_reset(bulat_unverified_ctx *ctx, const void *nonce, size_t nonce_len);

/* Wipes and frees a context; null is none. */
void bulat_unverified_free(bulat_unverified_ctx *ctx);

/* ---- Key derivation and key wrapping ---- */

/* What bytes are derived from. All zero is none of each: bulat_kdf_params params = {0};. What means nothing to
   the algorithm is refused. */
typedef struct bulat_kdf_params {
    /* The key, the secret or the password. */
    const void *key;
    /* Bytes of it. */
    size_t key_len;
    /* PBKDF2, HKDF: the salt. */
    const void *salt;
    /* Bytes of it. */
    size_t salt_len;
    /* KDF, KDF_TREE, the PRF of TLS: the label. */
    const void *label;
    /* Bytes of it. */
    size_t label_len;
    /* KDF, KDF_TREE, the PRF of TLS, prf+: the seed. HKDF: what it calls info. */
    const void *seed;
    /* Bytes of it. */
    size_t seed_len;
    /* PBKDF2: how many iterations. */
    uint32_t iterations;
    /* KDF_TREE: R, the bytes of its counter, 1 to 4; 0 is 1. */
    uint32_t counter_size;
    /* TLSTREE: the masks C1, C2, C3 of the cipher suite. */
    uint64_t masks[3];
    /* TLSTREE: the number of the record. */
    uint64_t record;
    /* Zeros. */
    size_t reserved[4];
} bulat_kdf_params;

/* Fills out with what is derived. */
bulat_result bulat_derive(const bulat_algorithm *algorithm, const bulat_kdf_params *params, void *out,
    size_t len);

/* Bytes of a wrapped secret of secret_len bytes; 0 for what wraps no keys. */
size_t bulat_wrapped_size(const bulat_algorithm *algorithm, size_t iv_len, size_t secret_len);

/* Wraps a secret under a key: wrapped has bulat_wrapped_size() bytes. An IV (a UKM) is never used twice under
   one key. Of the options only S-boxes count; null is none. */
bulat_result bulat_wrap(const bulat_algorithm *algorithm, const void *key, size_t key_len,
    const void *iv, size_t iv_len, const bulat_options *options, const void *secret, size_t secret_len,
    void *wrapped, size_t wrapped_size);

/* Unwraps a secret of secret_size bytes, which is written only if the MAC is right. Where the IV stands in the
   wrapped secret (all but KExp15) it is null and 0 here. */
BULAT_CHECKED bulat_result bulat_unwrap(const bulat_algorithm *algorithm, const void *key,
    size_t key_len, const void *iv, size_t iv_len, const bulat_options *options, const void *wrapped,
    size_t wrapped_len, void *secret, size_t secret_size);

/* ---- Many messages in one call ---- */

/* What a job of a batch does. */
typedef int bulat_work;
enum {
    /* Hashes source; the digest goes to tag. */
    BULAT_WORK_HASH = 1,
    /* Makes a MAC of source: tag. */
    BULAT_WORK_MAC = 2,
    /* Checks the MAC of source: tag, which is only read. */
    BULAT_WORK_VERIFY = 3,
    /* Encrypts source to destination, without padding. */
    BULAT_WORK_ENCRYPT = 4,
    /* Decrypts source to destination, without padding. */
    BULAT_WORK_DECRYPT = 5,
    /* Encrypts source to destination and makes tag. */
    BULAT_WORK_SEAL = 6,
    /* Checks tag, which is only read, then decrypts source to destination; on an error that is as it was. */
    BULAT_WORK_OPEN = 7
};

/* One message of a batch. What is not used is zero: bulat_job job = {0};. */
typedef struct bulat_job {
    /* The key; for a hash one that was made without bytes. */
    const bulat_key *key;
    /* BULAT_WORK_HASH and so on. */
    bulat_work work;
    /* What became of it: the call writes it. */
    bulat_result result;
    /* The IV or nonce. */
    const void *iv;
    /* Bytes of it. */
    size_t iv_len;
    /* The associated data. */
    const void *aad;
    /* Bytes of it. */
    size_t aad_len;
    /* The text or message. */
    const void *source;
    /* Where the text goes: source itself, or a buffer that does not overlap it. */
    void *destination;
    /* Bytes of text. */
    size_t len;
    /* The digest, the MAC or the tag. */
    void *tag;
    /* Bytes of it. */
    size_t tag_size;
    /* Zeros. */
    size_t reserved[2];
} bulat_job;

/* Threads that batches run on. Any number of threads may use it at once. It does not outlive a fork: the child
   makes its own. */
typedef struct bulat_pool bulat_pool;

/* Starts so many threads; 0: as many as there are processors. */
bulat_result bulat_pool_new(bulat_pool **pool, size_t threads);

/* How many threads it has; 0 for null. */
size_t bulat_pool_threads(const bulat_pool *pool);

/* Waits for the threads to end and frees the pool; null is none. */
void bulat_pool_free(bulat_pool *pool);

/* Runs every job to its end, side by side where that is faster, and writes its own result into each. Jobs may
   differ in all. On pool, or with null on this thread alone. What one job writes no other may read or write:
   such jobs get BULAT_ERR_OVERLAP, the others run. BULAT_OK when all jobs are well, BULAT_ERR_JOB when one is
   not; after BULAT_ERR_INTERNAL some jobs may have run, with any other code no job ran. */
bulat_result bulat_batch(bulat_job *jobs, size_t count, const bulat_pool *pool);

/* ---- Kernels ---- */

/* What a primitive uses. */
typedef struct bulat_kernel_choice {
    /* The primitive: "kuznyechik" and so on. A constant text. */
    const char *primitive;
    /* The kind of work. A constant text. */
    const char *shape;
    /* The kernel that is in use. A constant text. */
    const char *kernel;
} bulat_kernel_choice;

/* How many kernels there are, on any machine. */
size_t bulat_kernel_count(void);

/* The name of the kernel with this number, from 0, fastest first; null past the last. */
const char *bulat_kernel_name(size_t index);

/* Why this machine cannot run the kernels of this name; null when it can. */
const char *bulat_kernel_missing(const char *kernel);

/* Makes every key and context made from now on, in the whole process, use the kernels of this name where its
   primitive has one; null goes back to the choice by processor. Keys and contexts that exist keep theirs. Any
   thread may call it. */
bulat_result bulat_kernel_force(const char *kernel);

/* The kernel that is forced; null when none is. */
const char *bulat_kernel_forced(void);

/* Which kernels are in use: how many choices there are; the first room of them are written to choices, which
   may be null with 0. */
size_t bulat_kernel_choices(bulat_kernel_choice *choices, size_t room);

/* Runs the known answers of every algorithm on every kernel that this machine has: BULAT_OK or
   BULAT_ERR_SELFTEST. Takes some hundredths of a second. */
BULAT_CHECKED bulat_result bulat_selftest(void);

/* Wipes memory in a way that no compiler leaves out. */
void bulat_wipe(void *bytes, size_t len);

/* The version of the library that runs, as "0.1.0". BULAT_VERSION is that of the header. */
const char *bulat_version(void);

#ifdef __cplusplus
}
#endif

#endif
