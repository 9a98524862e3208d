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
