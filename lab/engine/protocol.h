/* The engine's half of the lab's protocol, for C: see lab/engine/src/lib.rs for the questions and answers.
 *
 * Include it in one file that defines the four functions below; it brings main(). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct lab_case {
    char algorithm[64], variant[64];
    int decrypt;
    size_t size, offset, streams;
};

/* One stream: its text in place, and room for its tag or digest, with the bytes there are of it. */
struct lab_text {
    unsigned char *data, out[64];
    size_t size, out_size;
    void *storage;
};

static void lab_name(char *name, char *version, size_t room); /* one word each */
static void lab_list(void);                    /* calls lab_can for each */
static const char *lab_open(const struct lab_case *c); /* prepares keys; NULL, or why it cannot */
static void lab_run(struct lab_text *texts, size_t streams);  /* one call */

__attribute__((unused)) static void lab_can(const char *algorithm, const char *variant) { printf("can %s %s\n", algorithm, variant); }

/* SplitMix64, words in little-endian order. */
static void lab_bytes(uint64_t state, unsigned char *out, size_t n) {
    for (size_t i = 0; i < n; i += 8) {
        uint64_t z = state += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        z ^= z >> 31;
        for (size_t j = 0; j < 8 && i + j < n; j++) out[i + j] = (unsigned char)(z >> (8 * j));
    }
}
__attribute__((unused)) static void lab_key(size_t stream, unsigned char *out, size_t n) { lab_bytes((1ull << 32) + stream, out, n); }
__attribute__((unused)) static void lab_iv(size_t stream, unsigned char *out, size_t n) {
    lab_bytes((2ull << 32) + stream, out, n);
    if (n) out[0] &= 0x7f;
}

static double lab_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Picoseconds of one cycle: the least of five chains of dependent operations. */
static double lab_cycle(void) {
    double least = 1e30;
    for (int k = 0; k < 5; k++) {
        double start = lab_now();
        volatile size_t seed = 1;
        size_t x = seed;
        const int w = 8 * sizeof x;
        for (int i = 0; i < 4000 / 8; i++) {
            x = (x << 7 | x >> (w - 7)) + x;
            x = (x << 9 | x >> (w - 9)) + x;
            x = (x << 11 | x >> (w - 11)) + x;
            x = (x << 13 | x >> (w - 13)) + x;
        }
        seed = x;
        double taken = (lab_now() - start) * 1000 / 4000;
        if (taken < least) least = taken;
    }
    return least;
}

static double lab_four(void) {
    double start = lab_now();
    volatile size_t seed = 1;
    size_t a = seed, b = seed + 1, c = seed + 2, d = seed + 3;
    const int w = 8 * sizeof a;
    for (int i = 0; i < 4000 / 4; i++) {
        a = (a << 7 | a >> (w - 7)) + a, b = (b << 7 | b >> (w - 7)) + b;
        c = (c << 7 | c >> (w - 7)) + c, d = (d << 7 | d >> (w - 7)) + d;
        a = (a << 9 | a >> (w - 9)) + a, b = (b << 9 | b >> (w - 9)) + b;
        c = (c << 9 | c >> (w - 9)) + c, d = (d << 9 | d >> (w - 9)) + d;
    }
    seed = a ^ b ^ c ^ d;
    return (lab_now() - start) * 1000 / 4000;
}

/* How crowded the core is: four chains side by side over one, the median of five. */
static double lab_crowd(void) {
    double t[5];
    for (int i = 0; i < 5; i++) {
        t[i] = lab_four();
        for (int j = i; j > 0 && t[j - 1] > t[j]; j--) {
            double x = t[j];
            t[j] = t[j - 1];
            t[j - 1] = x;
        }
    }
    return t[2] / lab_cycle();
}

static struct lab_text *lab_texts;

/* Whether the call's answer will be compared. */
static int lab_checking;

static void lab_fill(const struct lab_case *c) {
    for (size_t i = 0; i < c->streams; i++) {
        struct lab_text *t = &lab_texts[i];
        lab_bytes((3ull << 32) + i, t->data, t->size);
        t->out_size = 0;
    }
}

static const char *lab_prepare(const struct lab_case *c, size_t old) {
    for (size_t i = 0; i < old; i++) free(lab_texts[i].storage);
    free(lab_texts);
    lab_texts = calloc(c->streams, sizeof *lab_texts);
    if (!lab_texts) return "out of memory";
    for (size_t i = 0; i < c->streams; i++) {
        struct lab_text *t = &lab_texts[i];
        t->storage = malloc(c->size + c->offset + 128);
        if (!t->storage) return "out of memory";
        t->data = (unsigned char *)(((uintptr_t)t->storage + 63) / 64 * 64) + c->offset;
        t->size = c->size;
    }
    lab_fill(c);
    return lab_open(c);
}

static uint64_t lab_fnv(uint64_t sum, const unsigned char *p, size_t n) {
    for (size_t i = 0; i < n; i++) sum = (sum ^ p[i]) * 0x100000001b3;
    return sum;
}

int main(void) {
    char line[1024], name[64] = "", version[64] = "";
    struct lab_case c = {0};
    int open = 0;
    size_t old = 0;
    lab_name(name, version, sizeof name);
    printf("engine %s %s\n", name, version);
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        char *rest = strchr(line, ' ');
        line[strcspn(line, "\n")] = 0;
        if (!strcmp(line, "list")) {
            lab_list();
            puts("end");
        } else if (!strncmp(line, "open ", 5)) {
            struct lab_case n = {.variant = "-", .size = 16384, .streams = 1};
            const char *why = NULL;
            for (char *w = strtok(rest, " "); w; w = strtok(NULL, " ")) {
                char *v = strchr(w, '=');
                if (!v) continue;
                *v++ = 0;
                if (!strcmp(w, "algorithm")) snprintf(n.algorithm, sizeof n.algorithm, "%s", v);
                if (!strcmp(w, "variant")) snprintf(n.variant, sizeof n.variant, "%s", v);
                if (!strcmp(w, "direction")) n.decrypt = !strcmp(v, "decrypt");
                if (!strcmp(w, "size")) n.size = strtoull(v, NULL, 10);
                if (!strcmp(w, "offset")) n.offset = strtoull(v, NULL, 10);
                if (!strcmp(w, "streams")) n.streams = strtoull(v, NULL, 10);
                if (!strcmp(w, "threads") && strcmp(v, "1")) why = "one thread only";
            }
            if (!n.streams) n.streams = 1;
            if ((uint64_t)n.size > (uint64_t)1 << 40 || n.offset > 4096 || n.streams > 1 << 20) why = "too large";
            if (!why) {
                why = lab_prepare(&n, old);
                old = n.streams;
            }
            open = !why;
            c = n;
            if (why) printf("no %s\n", why);
            else puts("ready");
        } else if (!open) {
            puts("no case is open");
        } else if (!strcmp(line, "check")) {
            uint64_t sum = 0xcbf29ce484222325;
            lab_fill(&c);
            lab_checking = 1;
            lab_run(lab_texts, c.streams);
            lab_checking = 0;
            for (size_t i = 0; i < c.streams; i++)
                sum = lab_fnv(lab_fnv(sum, lab_texts[i].data, c.size), lab_texts[i].out, lab_texts[i].out_size);
            printf("sum %016llx\n", (unsigned long long)sum);
        } else if (!strncmp(line, "time ", 5) || !strncmp(line, "cold ", 5)) {
            unsigned long long calls = strtoull(rest, NULL, 10);
            double before, after, full, taken = 0, start;
            /* Wide vectors lower the clock for some time: it is read when it has settled. */
            for (unsigned long long i = 0; line[0] == 't' && i <= calls / 8; i++) lab_run(lab_texts, c.streams);
            full = lab_crowd();
            before = lab_cycle();
            start = lab_now();
            if (line[0] == 't') {
                for (unsigned long long i = 0; i < calls; i++) lab_run(lab_texts, c.streams);
                taken = lab_now() - start;
            } else {
                size_t n = 256u << 20;
                volatile unsigned char *large = calloc(n, 1);
                for (unsigned long long i = 0; large && i < calls; i++) {
                    for (size_t j = 0; j < n; j += 64) large[j]++;
                    start = lab_now();
                    lab_run(lab_texts, c.streams);
                    taken += lab_now() - start;
                }
                free((void *)large);
            }
            after = lab_cycle();
            double later = lab_crowd();
            printf("took %.0f %.2f %.2f %.3f\n", taken, before, after, later > full ? later : full);
        } else {
            puts("no such question");
        }
        fflush(stdout);
    }
    return 0;
}
