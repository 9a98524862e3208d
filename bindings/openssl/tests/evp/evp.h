// The parts of the test program share these.
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char u8;
extern OSSL_LIB_CTX *lib;       // ours
extern OSSL_PROVIDER *peer;     // gostprov in the default context, or null
extern const char *failed;      // the error of the present case
extern int large;               // set for sizes over 2^31

#define NEED(condition, ...) do { if (!(condition)) return fail(__VA_ARGS__); } while (0)

// OWN(TYPE) *x: x is freed at the end of its block.
#define OWN(type) __attribute__((cleanup(type##_end))) type
#define ENDS(type) static inline void type##_end(type **x) { type##_free(*x); }
ENDS(EVP_CIPHER) ENDS(EVP_CIPHER_CTX) ENDS(EVP_KDF) ENDS(EVP_KDF_CTX) ENDS(EVP_MAC) ENDS(EVP_MAC_CTX) ENDS(EVP_MD) ENDS(EVP_MD_CTX)
ENDS(EVP_PKEY)
static inline void u8_end(u8 **x) { free(*x); }

// Parameters, and an array of them with its end.
#define BYTES(name, at, len) OSSL_PARAM_construct_octet_string(name, (void *)(at), len)
#define TEXT(name, text) OSSL_PARAM_construct_utf8_string(name, (char *)(text), 0)
#define SIZE(name, at) OSSL_PARAM_construct_size_t(name, at)
#define NUMBER(name, at) OSSL_PARAM_construct_uint(name, at)
#define END OSSL_PARAM_construct_end()
#define PARAMS(...) ((OSSL_PARAM[]){__VA_ARGS__, END})

typedef struct {
    const EVP_CIPHER *c;
    int block, iv_len, key_len, aead, mode;
    u8 key[64], iv[16];
    int pad;
} Case;

void *alloc(size_t n);
void pattern(u8 *p, size_t n, unsigned seed);
int fail(const char *format, ...);
void of(Case *k, const EVP_CIPHER *c);
int tag_len(const Case *k);
int is_omac(const Case *k);
int begin(EVP_CIPHER_CTX *x, const Case *k, int enc);
EVP_MAC_CTX *mac_begin(EVP_MAC *mac, size_t size);
int mac_once(EVP_MAC *mac, size_t size, const u8 *text, size_t len, u8 *tag, size_t *n);
// Each accepts the parameters that it knows, and refuses the rest.
int kdf_once(EVP_KDF_CTX *x, u8 *out, size_t n);

// The tests. Each returns the program's exit status.
int check(void);
int defects(const char *name, const char *folder);
int rules(const char *folder);
int bad(void);
int threads(long rounds);
int secrets(void);
int wiped(void);
int speed(int argc, char **argv);
int serve(void);
