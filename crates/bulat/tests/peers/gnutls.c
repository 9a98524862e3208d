/* Runs GnuTLS on standard input: gnutls cipher NAME KEY IV enc|dec, gnutls mac NAME KEY, gnutls hash
 * NAME. Keys and IVs in hexadecimal. Exit 3: GnuTLS does not have it. */
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gnutls_datum_t hex(const char *text) {
    gnutls_datum_t out = {malloc(strlen(text) / 2 + 1), strlen(text) / 2};
    for (unsigned i = 0; i < out.size; i++) {
        unsigned byte;
        sscanf(text + 2 * i, "%2x", &byte);
        out.data[i] = byte;
    }
    return out;
}

static unsigned char text[2 << 20], out[2 << 20];

int main(int argc, char **argv) {
    size_t len = fread(text, 1, sizeof text, stdin), n;
    if (argc == 6 && !strcmp(argv[1], "cipher")) {
        gnutls_cipher_algorithm_t id = gnutls_cipher_get_id(argv[2]);
        gnutls_datum_t key = hex(argv[3]), iv = hex(argv[4]);
        gnutls_cipher_hd_t handle;
        if (id == GNUTLS_CIPHER_UNKNOWN || gnutls_cipher_init(&handle, id, &key, &iv) < 0) return 3;
        int result = strcmp(argv[5], "dec") ? gnutls_cipher_encrypt2(handle, text, len, out, len)
                                            : gnutls_cipher_decrypt2(handle, text, len, out, len);
        if (result < 0) return 1;
        n = len;
    } else if (argc == 4 && !strcmp(argv[1], "mac")) {
        gnutls_mac_algorithm_t id = gnutls_mac_get_id(argv[2]);
        gnutls_datum_t key = hex(argv[3]);
        if (id == GNUTLS_MAC_UNKNOWN || gnutls_hmac_fast(id, key.data, key.size, text, len, out) < 0) return 3;
        n = gnutls_hmac_get_len(id);
    } else if (argc == 3 && !strcmp(argv[1], "hash")) {
        gnutls_digest_algorithm_t id = gnutls_digest_get_id(argv[2]);
        if (id == GNUTLS_DIG_UNKNOWN || gnutls_hash_fast(id, text, len, out) < 0) return 3;
        n = gnutls_hash_get_len(id);
    } else {
        return 2;
    }
    return fwrite(out, 1, n, stdout) == n ? 0 : 1;
}
