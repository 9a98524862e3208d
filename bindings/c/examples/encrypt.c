/* Encrypts or decrypts a file with Kuznyechik-MGM under a password.
 *
 *     encrypt seal PASSWORD-FILE INPUT OUTPUT
 *     encrypt open PASSWORD-FILE INPUT OUTPUT
 *
 * Format of the output: 16 bytes of salt, 16 bytes of nonce, the text, 16 bytes of tag. The whole file is kept in memory, so that
 * nothing is written before its tag has been checked. For larger files use `bulat encrypt`, which has a format for them. */
#include <bulat.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { SALT = 16, NONCE = 16, TAG = 16, HEAD = SALT + NONCE, ITERATIONS = 200000 };

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "encrypt: %s: %s\n", what, why);
    exit(1);
}

static void check(const char *what, bulat_result result)
{
    if (result != BULAT_OK)
        fail(what, bulat_result_message(result));
}

/* Reads the whole file, leaving room for `more` bytes after it. */
static unsigned char *read_file(const char *name, size_t more, size_t *len)
{
    FILE *file = fopen(name, "rb");
    size_t room = 1 << 16;
    unsigned char *bytes = malloc(room);
    *len = 0;
    if (file == NULL || bytes == NULL)
        fail(name, "cannot be read");
    for (;;) {
        size_t got = fread(bytes + *len, 1, room - *len - more, file);
        *len += got;
        if (got == 0)
            break;
        if (room - *len - more == 0 && (bytes = realloc(bytes, room *= 2)) == NULL)
            fail(name, "no memory");
    }
    if (ferror(file))
        fail(name, "cannot be read");
    fclose(file);
    return bytes;
}

/* Derives a key from a password and a salt. */
static bulat_key *key_of(const char *password_file, const unsigned char *salt)
{
    unsigned char bytes[32];
    bulat_key *key;
    size_t len;
    unsigned char *password = read_file(password_file, 0, &len);
    bulat_kdf_params params = {0};
    params.key = password;
    params.key_len = len;
    params.salt = salt;
    params.salt_len = SALT;
    params.iterations = ITERATIONS;
    check("password", bulat_derive(bulat_algorithm_find("pbkdf2-hmac-streebog512"), &params, bytes, sizeof bytes));
    check("key", bulat_key_new(&key, bulat_algorithm_find("kuznyechik-mgm"), bytes, sizeof bytes, NULL));
    bulat_wipe(bytes, sizeof bytes);
    bulat_wipe(password, len);
    free(password);
    return key;
}

int main(int argc, char **argv)
{
    if (argc != 5 || (strcmp(argv[1], "seal") != 0 && strcmp(argv[1], "open") != 0)) {
        fprintf(stderr, "usage: encrypt seal|open PASSWORD-FILE INPUT OUTPUT\n");
        return 2;
    }
    int seal = strcmp(argv[1], "seal") == 0;
    unsigned char head[HEAD], tag[TAG];
    size_t len;
    unsigned char *text = read_file(argv[3], 0, &len), *body = text;
    if (seal) {
        if (getrandom(head, HEAD, 0) != HEAD)
            fail("random bytes", "none");
        head[SALT] &= 0x7f; /* required by MGM */
    } else {
        if (len < HEAD + TAG)
            fail(argv[3], "too short");
        memcpy(head, text, HEAD);
        memcpy(tag, text + len - TAG, TAG);
        body = text + HEAD;
        len -= HEAD + TAG;
    }
    bulat_key *key = key_of(argv[2], head);
    /* The salt is associated data, so the whole output is authenticated. */
    if (seal)
        check(argv[3], bulat_seal(key, head + SALT, NONCE, head, SALT, body, body, len, tag, TAG));
    else
        check(argv[3], bulat_open(key, head + SALT, NONCE, head, SALT, body, body, len, tag, TAG));
    bulat_key_free(key);

    FILE *out = fopen(argv[4], "wb");
    int wrong = out == NULL;
    wrong = wrong || (seal && fwrite(head, 1, HEAD, out) != HEAD);
    wrong = wrong || fwrite(body, 1, len, out) != len;
    wrong = wrong || (seal && fwrite(tag, 1, TAG, out) != TAG);
    if (wrong || fclose(out) != 0)
        fail(argv[4], "cannot be written");
    bulat_wipe(text, len);
    free(text);
    return 0;
}
