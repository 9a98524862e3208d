/* nettle: Streebog, GOST R 34.11-94. */
#include "../../engine/protocol.h"
#include <nettle/gosthash94.h>
#include <nettle/streebog.h>
#include <nettle/version.h>

static int which;

static void lab_name(char *name, char *version, size_t room) {
    snprintf(name, room, "nettle");
    snprintf(version, room, "%d.%d", NETTLE_VERSION_MAJOR, NETTLE_VERSION_MINOR);
}

static void lab_list(void) {
    lab_can("streebog256", "-");
    lab_can("streebog512", "-");
    lab_can("gost94", "-");
}

static const char *lab_open(const struct lab_case *c) {
    which = !strcmp(c->algorithm, "streebog256") ? 256 : !strcmp(c->algorithm, "streebog512") ? 512
          : !strcmp(c->algorithm, "gost94") ? 94 : 0;
    return which ? NULL : "no such algorithm";
}

static void lab_run(struct lab_text *texts, size_t n) {
    for (size_t s = 0; s < n; s++) {
        struct lab_text *x = &texts[s];
        if (which == 512) {
            struct streebog512_ctx h;
            streebog512_init(&h);
            streebog512_update(&h, x->size, x->data);
            streebog512_digest(&h, x->out_size = 64, x->out);
        } else if (which == 256) {
            struct streebog256_ctx h;
            streebog256_init(&h);
            streebog256_update(&h, x->size, x->data);
            streebog256_digest(&h, x->out_size = 32, x->out);
        } else {
            struct gosthash94cp_ctx h;
            gosthash94cp_init(&h);
            gosthash94cp_update(&h, x->size, x->data);
            gosthash94cp_digest(&h, x->out_size = 32, x->out);
        }
    }
}
