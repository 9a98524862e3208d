/* Measures the cost of calls from C: bytes per second and nanoseconds per call of some algorithms, one message at a time. Compare
 * with `bulat bench`, which measures the Rust library.
 *
 *     speed [ALGORITHM...] */
#define _POSIX_C_SOURCE 200809L
#include <bulat.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static unsigned char text[16384], iv[64], tag[64];

/* Processes a message. */
static bulat_result message(const bulat_algorithm *a, const bulat_key *key, size_t len)
{
    size_t written;
    switch (a->kind) {
    case BULAT_HASH:
        return bulat_hash(a, text, len, tag, a->output_size);
    case BULAT_MAC:
        return bulat_mac(key, text, len, tag, a->output_size);
    case BULAT_AEAD:
        return bulat_seal(key, iv, a->iv_size, NULL, 0, text, text, len, tag, a->output_size);
    default:
        return bulat_encrypt(key, iv, a->iv_size, text, len, text, len, &written);
    }
}

static int measure(const char *name)
{
    static const size_t sizes[] = {16, 64, 256, 1504, 16384};
    const bulat_algorithm *a = bulat_algorithm_find(name);
    unsigned char bytes[64];
    bulat_key *key;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)i;
    if (a == NULL || a->kind > BULAT_AEAD) {
        fprintf(stderr, "speed: %s: %s\n", name, bulat_result_message(BULAT_ERR_UNKNOWN_ALGORITHM));
        return 1;
    }
    size_t len = a->key_size == 0 && a->kind == BULAT_MAC ? 32 : a->key_size;
    bulat_result result = bulat_key_new(&key, a, bytes, len, NULL);
    printf("%-28s", name);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && result == BULAT_OK; i++) {
        /* The best of many short runs. */
        double best = 1e9;
        size_t calls = 1 + 65536 / sizes[i];
        for (int run = 0; run < 60 && result == BULAT_OK; run++) {
            double start = now();
            for (size_t call = 0; call < calls && result == BULAT_OK; call++)
                result = message(a, key, sizes[i]);
            double took = (now() - start) / (double)calls;
            best = took < best ? took : best;
        }
        printf("  %6zu: %8.1f MB/s %8.0f ns", sizes[i], 1e-6 * (double)sizes[i] / best, 1e9 * best);
    }
    printf("%s%s\n", result ? "  " : "", result ? bulat_result_message(result) : "");
    bulat_key_free(key);
    return result != BULAT_OK;
}

int main(int argc, char **argv)
{
    static char usual[][24] = {"streebog512", "kuznyechik-ctr", "kuznyechik-cbc", "kuznyechik-mgm", "kuznyechik-omac", "magma-ctr", "magma-cbc", "magma-mgm", "gost89"};
    int status = 0;
    for (int i = 1; i < argc; i++)
        status |= measure(argv[i]);
    for (size_t i = 0; argc < 2 && i < sizeof usual / sizeof *usual; i++)
        status |= measure(usual[i]);
    return status;
}
