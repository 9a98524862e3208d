/* Hashes many files at once, on all processors; the output is gost12sum's.
 *
 *     hash FILE... */
#include <bulat.h>

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 256 << 20 };

/* Returns the file's bytes, or null. */
static unsigned char *read_file(const char *name, size_t *len)
{
    FILE *file = fopen(name, "rb");
    unsigned char *bytes = NULL;
    long size;
    if (file == NULL)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 && size <= MOST && fseek(file, 0, SEEK_SET) == 0
        && (bytes = malloc((size_t)size + 1)) != NULL) {
        *len = fread(bytes, 1, (size_t)size, file);
        if (*len != (size_t)size) {
            free(bytes);
            bytes = NULL;
        }
    }
    fclose(file);
    return bytes;
}

int main(int argc, char **argv)
{
    size_t count = (size_t)argc - 1;
    const bulat_algorithm *streebog = bulat_algorithm_find("streebog256");
    bulat_job *jobs = calloc(count + 1, sizeof *jobs);
    unsigned char (*digests)[32] = calloc(count + 1, sizeof *digests);
    bulat_key *key; /* a hash needs no key, but a batch gets its algorithm from a key */
    bulat_pool *pool;
    int status = 0;

    if (jobs == NULL || digests == NULL || bulat_key_new(&key, streebog, NULL, 0, NULL) != BULAT_OK
        || bulat_pool_new(&pool, 0) != BULAT_OK) {
        fprintf(stderr, "hash: cannot start\n");
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        jobs[i].key = key;
        jobs[i].work = BULAT_WORK_HASH;
        jobs[i].source = read_file(argv[i + 1], &jobs[i].len);
        jobs[i].tag = digests[i];
        jobs[i].tag_size = sizeof digests[i];
    }
    (void)bulat_batch(jobs, count, pool); /* each job has its own result */
    for (size_t i = 0; i < count; i++) {
        if (jobs[i].source == NULL || jobs[i].result != BULAT_OK) {
            fprintf(stderr, "hash: %s: cannot be hashed\n", argv[i + 1]);
            status = 1;
        } else {
            for (size_t j = 0; j < sizeof digests[i]; j++)
                printf("%02x", digests[i][j]);
            printf(" %s\n", argv[i + 1]);
        }
        free((void *)jobs[i].source);
    }
    bulat_pool_free(pool);
    bulat_key_free(key);
    free(digests);
    free(jobs);
    return status;
}
