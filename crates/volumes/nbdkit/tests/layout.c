/* Compares the numbers in src/api.rs with the C header: it compiles only if they are right. */
#define NBDKIT_API_VERSION 2
#include <nbdkit-plugin.h>
#include <stddef.h>

#define AT(field, offset) _Static_assert(offsetof(struct nbdkit_plugin, field) == offset, #field)
AT(config_help, 80);
AT(errno_is_preserved, 184);
AT(pread, 216);
AT(magic_config_key, 256);
AT(get_ready, 328);
AT(block_size, 376);
_Static_assert(sizeof(struct nbdkit_plugin) >= 384, "the table");
_Static_assert(NBDKIT_THREAD_MODEL_PARALLEL == 3 && NBDKIT_FUA_NATIVE == 2, "numbers");
_Static_assert(NBDKIT_FLAG_FUA == 2 && NBDKIT_FLAG_REQ_ONE == 4 && NBDKIT_FLAG_FAST_ZERO == 8, "flags");
_Static_assert(NBDKIT_EXTENT_HOLE == 1, "extents");
