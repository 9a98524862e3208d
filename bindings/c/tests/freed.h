/* Searches each block of memory for pieces of a secret when it is freed. Include it in one file of a program: it replaces the C
   library's `free` and `realloc` for the program and all its libraries. For glibc. */
#ifndef FREED_H
#define FREED_H
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
extern void __libc_free(void *);

/* Keys are its first bytes. A piece is any 8 bytes at a multiple of 8, also with the bytes of each 32-bit word reversed; no piece
   occurs anywhere else. */
static const unsigned char freed_secret[64] = {0xa7, 'k', 'e', 'y', 0x91, 'o', 'f', 0xe3, 's', 'i', 'x', 't', 'y', '-', 'f', 'o', 'u', 'r', ' ',
    'b', 'y', 't', 'e', 's', ':', 0xb1, 'r', 's', 't', ' ', 'o', 'n', 'e', ',', 't', 'h', 0xd3, 'n', ' ', 'a', 'n', 'o', 't', 'h', 'e', 'r', 0xc5,
    'h', 'a', 'l', 'f', 0x85, 'w', 'h', 'i', 'c', 'h', ' ', 'e', 'n', 'd', 's', '.', 0xf9};
static int freed_found;              /* blocks with a piece */
static long freed_count;             /* blocks */
static size_t freed_size, freed_at;  /* of the last block found: its size, and the piece's offset */

static void freed_look(void *block)
{
    unsigned char *bytes = (unsigned char *)block, turned[64];
    size_t size = malloc_usable_size(block), at, i;
    freed_count++;
    for (i = 0; i < 64; i++)
        turned[i] = freed_secret[(i & ~(size_t)3) + 3 - (i & 3)];
    for (at = 0; at + 8 <= size; at++)
        for (i = 0; i < 64; i += 8)
            if (memcmp(bytes + at, freed_secret + i, 8) == 0 || memcmp(bytes + at, turned + i, 8) == 0) {
                freed_found++;
                freed_size = size;
                freed_at = at;
                memset(block, 0, size); /* found once */
                return;
            }
}

void free(void *block)
{
    if (block != NULL)
        freed_look(block);
    __libc_free(block);
}

void *realloc(void *block, size_t size)
{
    void *other;
    size_t old;
    if (block == NULL)
        return malloc(size);
    other = malloc(size);
    if (other != NULL) {
        old = malloc_usable_size(block);
        memcpy(other, block, old < size ? old : size);
        free(block);
    }
    return other;
}
#ifdef __cplusplus
}
#endif
#endif
