/* Puts the contents of a PFX (PKCS #12) under a new password, and lists them.
 *
 *     keystore PASSWORD-FILE FILE NEW-PASSWORD-FILE NEW-FILE */
#include <bulat.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 20 };

/* Returns the file's bytes, or ends the program. */
static unsigned char *read_file(const char *name, size_t *len)
{
    FILE *file = fopen(name, "rb");
    unsigned char *bytes = malloc(MOST);
    if (file == NULL || bytes == NULL) {
        fprintf(stderr, "keystore: %s: cannot be read\n", name);
        exit(1);
    }
    *len = fread(bytes, 1, MOST, file);
    fclose(file);
    return bytes;
}

/* Ends the program if a call has failed. */
static void check(bulat_result result, const char *name)
{
    if (result != BULAT_OK) {
        const char *reason = bulat_pkcs_reason();
        fprintf(stderr, "keystore: %s: %s\n", name, *reason ? reason : bulat_result_message(result));
        exit(1);
    }
}

int main(int argc, char **argv)
{
    unsigned char *password, *file, *new_password;
    size_t password_len, file_len, new_len;
    bulat_pfx *old = NULL, *made = NULL;
    bulat_bytes *sealed = NULL;
    FILE *out;

    if (argc != 5) {
        fprintf(stderr, "usage: keystore PASSWORD-FILE FILE NEW-PASSWORD-FILE NEW-FILE\n");
        return 2;
    }
    password = read_file(argv[1], &password_len);
    file = read_file(argv[2], &file_len);
    new_password = read_file(argv[3], &new_len);

    /* The MAC is checked before any item is decrypted. */
    check(bulat_pfx_open(&old, file, file_len, password, password_len, NULL), argv[2]);
    check(bulat_pfx_new(&made), argv[4]);
    for (size_t i = 0; i < bulat_pfx_count(old); i++) {
        bulat_pfx_item item;
        check(bulat_pfx_at(old, i, &item), argv[2]);
        if (item.kind == BULAT_PFX_KEY) {
            printf("private key %s", item.oid);
            check(bulat_pfx_add_key(made, item.data, item.len, item.name, item.id, item.id_len), argv[4]);
        } else if (item.kind == BULAT_PFX_CERTIFICATE) {
            printf("certificate");
            check(bulat_pfx_add_certificate(made, item.data, item.len, item.name, item.id, item.id_len), argv[4]);
        } else {
            printf("not copied: %s", item.oid);
        }
        printf(" \"%s\"\n", item.name ? item.name : "");
    }
    check(bulat_pfx_seal(&sealed, made, new_password, new_len, NULL), argv[4]);
    out = fopen(argv[4], "wb");
    if (out == NULL || fwrite(bulat_bytes_data(sealed), 1, bulat_bytes_size(sealed), out) != bulat_bytes_size(sealed) || fclose(out) != 0) {
        fprintf(stderr, "keystore: %s: cannot be written\n", argv[4]);
        return 1;
    }
    bulat_bytes_free(sealed);
    bulat_pfx_free(old);
    bulat_pfx_free(made);
    bulat_wipe(password, password_len);
    bulat_wipe(new_password, new_len);
    free(password);
    free(file);
    free(new_password);
    return 0;
}
