/* adegtyarev/streebog, from a copy of its source that the user has put into this folder: see engine.toml. */
#include "../../engine/protocol.h"
#include "gost3411-2012-core.c"

static unsigned int bits;

static void lab_name(char *name, char *version, size_t room) {
    snprintf(name, room, "adegtyarev");
    snprintf(version, room, "source");
}

static void lab_list(void) {
    lab_can("streebog256", "-");
    lab_can("streebog512", "-");
}

static const char *lab_open(const struct lab_case *c) {
    bits = !strcmp(c->algorithm, "streebog256") ? 256 : !strcmp(c->algorithm, "streebog512") ? 512 : 0;
    if (c->offset % 16) return "it wants its data at a multiple of 16 bytes";
    return bits ? NULL : "no such algorithm";
}

static void lab_run(struct lab_text *texts, size_t n) {
    for (size_t s = 0; s < n; s++) {
        GOST34112012Context h;
        GOST34112012Init(&h, bits);
        GOST34112012Update(&h, texts[s].data, texts[s].size);
        texts[s].out_size = bits / 8;
        GOST34112012Final(&h, texts[s].out);
    }
}
