/* Runs libgcrypt on standard input: gcrypt cipher NAME:MODE:SBOX KEY IV enc|dec, gcrypt mac NAME:SBOX
 * KEY, gcrypt hash NAME. SBOX is an OID; keys and IVs in hexadecimal. Exit 3: libgcrypt does not have it. */
#include <gcrypt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t hex(const char *text, unsigned char *out) {
    size_t n = strlen(text) / 2;
    for (size_t i = 0; i < n; i++) {
        unsigned byte;
        sscanf(text + 2 * i, "%2x", &byte);
        out[i] = byte;
    }
    return n;
}

static int mode(const char *name) {
    if (!strcmp(name, "ecb")) return GCRY_CIPHER_MODE_ECB;
    if (!strcmp(name, "cbc")) return GCRY_CIPHER_MODE_CBC;
    if (!strcmp(name, "cfb")) return GCRY_CIPHER_MODE_CFB;
    return GCRY_CIPHER_MODE_NONE;
}

static unsigned char text[2 << 20], out[2 << 20], key[256], iv[256];

int main(int argc, char **argv) {
    gcry_check_version(NULL);
    gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    size_t len = fread(text, 1, sizeof text, stdin), n = len;
    if (argc == 6 && !strcmp(argv[1], "cipher")) {
        char *name = strtok(argv[2], ":"), *how = strtok(NULL, ":"), *sbox = strtok(NULL, ":");
        size_t keylen = hex(argv[3], key), ivlen = hex(argv[4], iv);
        gcry_cipher_hd_t handle;
        if (gcry_cipher_open(&handle, gcry_cipher_map_name(name), mode(how), 0)) return 3;
        if (sbox && gcry_cipher_ctl(handle, GCRYCTL_SET_SBOX, sbox, 0)) return 3;
        if (gcry_cipher_setkey(handle, key, keylen)) return 1;
        if (ivlen && gcry_cipher_setiv(handle, iv, ivlen)) return 1;
        if (len && (strcmp(argv[5], "dec") ? gcry_cipher_encrypt(handle, out, len, text, len)
                                           : gcry_cipher_decrypt(handle, out, len, text, len))) return 1;
    } else if (argc == 4 && !strcmp(argv[1], "mac")) {
        size_t keylen = hex(argv[3], key);
        char *name = strtok(argv[2], ":"), *sbox = strtok(NULL, ":");
        gcry_mac_hd_t handle;
        n = sizeof out;
        if (gcry_mac_open(&handle, gcry_mac_map_name(name), 0, NULL)) return 3;
        if (sbox && gcry_mac_ctl(handle, GCRYCTL_SET_SBOX, sbox, 0)) return 3;
        if (gcry_mac_setkey(handle, key, keylen) || gcry_mac_write(handle, text, len)) return 1;
        if (gcry_mac_read(handle, out, &n)) return 1;
    } else if (argc == 3 && !strcmp(argv[1], "hash")) {
        int id = gcry_md_map_name(argv[2]);
        if (!id) return 3;
        gcry_md_hash_buffer(id, out, text, len);
        n = gcry_md_get_algo_dlen(id);
    } else {
        return 2;
    }
    return fwrite(out, 1, n, stdout) == n ? 0 : 1;
}
