// A CUDA driver without a card, for tests: the functions of libcuda that cudarc calls for this project. Kernels run by ptx.c,
// streams are threads. Built by ./build; the tests load it in place of the driver. Settings are environment variables:
//
//   FAKE_CARDS=9.0,6.1    the cards' capabilities                     FAKE_NAME=...     their name
//   FAKE_VERSION=12.1     the newest CUDA that the driver knows       FAKE_MEMORY=N     bytes on a card, and of page-locked memory
//   FAKE_LATE=N,M         microseconds before work in a stream begins, for each card, the last for all others
//   FAKE_HANG=N:M         the launch by this number is M microseconds late
//   FAKE_WRONG=N          the copy from a card by this number has a wrong bit
//   FAKE_NO_PTX=1         no compiler of PTX, as in some containers
//   FAKE_WITHOUT=magma    a program that does not load                FAKE_LOG=FILE     appends the number of calls at the end
//   FAKE_FAIL=cuMemAlloc_v2:3,cuCtx..:1   calls that fail, by number; 3+ means from the third on; 3=46 gives the error
//   FAKE_DIRTY=1          stops the process that frees memory with something in it
//
// A program that breaks a rule of a card or its driver is stopped: an access outside of memory or not aligned, an image that is
// not aligned, a call without a context, a wrong block, memory of another card.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ptx.h"

enum {
  INVALID_VALUE = 1, OUT_OF_MEMORY = 2, DEVICE_UNAVAILABLE = 46, INVALID_DEVICE = 101, INVALID_IMAGE = 200, INVALID_CONTEXT = 201,
  NO_BINARY = 209, NO_JIT = 221, OLD_PTX = 222, NOT_FOUND = 500, LAUNCH_FAILED = 719
};
static const struct { int code; const char *name, *words; } errors[] = {
  {INVALID_VALUE, "INVALID_VALUE", "invalid argument"},
  {OUT_OF_MEMORY, "OUT_OF_MEMORY", "out of memory"},
  {DEVICE_UNAVAILABLE, "DEVICE_UNAVAILABLE", "CUDA-capable device(s) is/are busy or unavailable"},
  {INVALID_DEVICE, "INVALID_DEVICE", "invalid device ordinal"},
  {INVALID_IMAGE, "INVALID_IMAGE", "device kernel image is invalid"},
  {INVALID_CONTEXT, "INVALID_CONTEXT", "invalid device context"},
  {NO_BINARY, "NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
  {NO_JIT, "JIT_COMPILER_NOT_FOUND", "PTX JIT compiler library not found"},
  {OLD_PTX, "UNSUPPORTED_PTX_VERSION", "the provided PTX was compiled with an unsupported toolchain."},
  {NOT_FOUND, "NOT_FOUND", "named symbol not found"},
  {LAUNCH_FAILED, "LAUNCH_FAILED", "unspecified launch failure"},
};

_Noreturn void fake_stop(const char* format, ...) {
  va_list list;
  va_start(list, format);
  fputs("fake CUDA: ", stderr);
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
  abort();
}

static const char* setting(const char* name, const char* usual) {
  const char* value = getenv(name);
  return value ? value : usual;
}

// ---- Calls: counted, and failing on demand

#define CALLS(X) \
  X(cuInit) X(cuDevicePrimaryCtxRetain) X(cuModuleLoadData) X(cuMemAlloc_v2) X(cuMemFree_v2) X(cuMemHostAlloc) X(cuMemFreeHost) \
  X(cuStreamCreate) X(cuStreamSynchronize) X(cuEventCreate) X(cuEventRecord) X(cuEventSynchronize) X(cuMemcpyHtoDAsync_v2) \
  X(cuMemcpyDtoHAsync_v2) X(cuMemsetD8Async) X(cuLaunchKernel)
enum call {
#define X(name) call_##name,
  CALLS(X)
#undef X
  ALL_CALLS
};
static const char* const call_names[] = {
#define X(name) #name,
  CALLS(X)
#undef X
};
static long counts[ALL_CALLS];
static __thread long number;  // of this thread's last call

// Counts a call; returns an error if this one has to fail.
static int counted(enum call call) {
  long n = number = __sync_add_and_fetch(&counts[call], 1);
  const char* name = call_names[call];
  for (const char* at = getenv("FAKE_FAIL"); at; at = strchr(at, ',') ? strchr(at, ',') + 1 : 0) {
    size_t length = strlen(name);
    if (strncmp(at, name, length) || at[length] != ':') continue;
    char* end;
    long which = strtol(at + length + 1, &end, 10);
    int on = *end == '+';
    end += on;
    if (n == which || (on && n > which)) return *end == '=' ? atoi(end + 1) : LAUNCH_FAILED;
  }
  return 0;
}
#define COUNTED(name) do { int failed = counted(call_##name); if (failed) return failed; } while (0)

// Returns whether a setting names this thread's last call.
static int named(const char* setting) {
  const char* value = getenv(setting);
  return value && number == atol(value);
}

static void told(void) {
  FILE* log = getenv("FAKE_LOG") ? fopen(getenv("FAKE_LOG"), "a") : 0;
  if (!log) return;
  for (int i = 0; i < ALL_CALLS; i++) fprintf(log, "%s %ld\n", call_names[i], counts[i]);
  fclose(log);
}

// ---- Cards

static int cards(void) {
  int n = 1;
  const char* all = setting("FAKE_CARDS", "9.0");
  for (const char* s = all; *s; s++) n += *s == ',';
  return *all && *setting("CUDA_VISIBLE_DEVICES", "0") ? n : 0;
}
static int capability(int card) {
  const char* s = setting("FAKE_CARDS", "9.0");
  while (card--) s = strchr(s, ',') + 1;
  return atoi(s) * 10 + atoi(strchr(s, '.') + 1);
}
static int version(void) {
  const char* s = setting("FAKE_VERSION", "13.0");
  return atoi(s) * 1000 + atoi(strchr(s, '.') + 1) * 10;
}

static __thread intptr_t context;  // the card's number + 1
#define CONTEXT do { if (!context) return INVALID_CONTEXT; } while (0)
#define CALL(name) do { CONTEXT; COUNTED(name); } while (0)

int cuInit(unsigned flags) {
  static int once;
  COUNTED(cuInit);
  if (!__sync_fetch_and_add(&once, 1)) atexit(told);
  return flags ? INVALID_VALUE : 0;
}
int cuDriverGetVersion(int* v) { return *v = version(), 0; }
int cuDeviceGetCount(int* n) { return *n = cards(), 0; }
int cuDeviceGet(int* device, int i) { return i < 0 || i >= cards() ? INVALID_DEVICE : (*device = i, 0); }
int cuDeviceGetName(char* name, int n, int device) { return (void)device, snprintf(name, n, "%s", setting("FAKE_NAME", "Fake Card")), 0; }
int cuDeviceTotalMem_v2(size_t* n, int device) { return (void)device, *n = strtoull(setting("FAKE_MEMORY", "4294967296"), 0, 10), 0; }
int cuDeviceGetAttribute(int* value, int attribute, int device) {
  switch (attribute) {
    case 13: *value = getenv("FAKE_NO_CLOCK") ? 0 : 1000000; return 0; // kHz
    case 16: *value = 2; return 0;                      // multiprocessors
    case 33: *value = device + 1; return 0;             // PCI bus
    case 36: *value = 1000000; return 0;                // kHz of memory
    case 37: *value = 128; return 0;                    // bits of its bus
    case 75: *value = capability(device) / 10; return 0;
    case 76: *value = capability(device) % 10; return 0;
    default: return INVALID_VALUE;
  }
}
int cuDevicePrimaryCtxRetain(void** c, int device) {
  COUNTED(cuDevicePrimaryCtxRetain);
  *c = (void*)(intptr_t)(device + 1);
  return 0;
}
int cuDevicePrimaryCtxRelease_v2(int device) { return (void)device, 0; }
int cuCtxSetCurrent(void* c) { return context = (intptr_t)c, 0; }
static int error(int code, const char** text, int name) {
  *text = name ? "CUDA_ERROR_UNKNOWN" : "unknown error";
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if (errors[i].code == code) *text = name ? errors[i].name : errors[i].words;
  return 0;
}
int cuGetErrorString(int code, const char** text) { return error(code, text, 0); }
int cuGetErrorName(int code, const char** text) { return error(code, text, 1); }

// ---- Memory: a card's, and the host's page-locked

struct room {
  uint8_t* at;
  size_t bytes;
  int device;  // -1 for the host's
  struct room* next;
};
static struct room* rooms;
static pthread_rwlock_t rooms_lock = PTHREAD_RWLOCK_INITIALIZER;
static long generation;
static size_t used[2];  // bytes of cards, of the host

static int within(uint64_t at, size_t bytes, int device, struct room* copy) {
  int found = 0;
  pthread_rwlock_rdlock(&rooms_lock);
  for (struct room* r = rooms; r && !found; r = r->next)
    if (r->device == device && at >= (uint64_t)(uintptr_t)r->at && at + bytes <= (uint64_t)(uintptr_t)r->at + r->bytes) found = 1, *copy = *r;
  pthread_rwlock_unlock(&rooms_lock);
  return found;
}
int fake_inside(uint64_t at, size_t bytes, int device) {
  static __thread struct room last[4];
  static __thread long when;
  static __thread unsigned turn;
  if (when != __atomic_load_n(&generation, __ATOMIC_ACQUIRE)) memset(last, 0, sizeof last), when = generation;
  for (int i = 0; i < 4; i++) {
    uint64_t begin = (uint64_t)(uintptr_t)last[i].at;
    if (last[i].device == device && at >= begin && at + bytes <= begin + last[i].bytes) return 1;
  }
  return within(at, bytes, device, &last[turn++ & 3]);
}
static int add(void** at, size_t bytes, int device) {
  if (!bytes) return INVALID_VALUE;
  size_t all = strtoull(setting("FAKE_MEMORY", "4294967296"), 0, 10);
  struct room* r = malloc(sizeof *r);
  pthread_rwlock_wrlock(&rooms_lock);
  size_t* mine = &used[device < 0];
  int fits = bytes <= all && *mine <= all - bytes && (r->at = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096));
  if (fits) {
    *mine += bytes;
    r->bytes = bytes, r->device = device, r->next = rooms;
    rooms = r;
    __atomic_add_fetch(&generation, 1, __ATOMIC_RELEASE);
    // Programs must not rely on zeros.
    if (device >= 0) memset(r->at, 0xcd, bytes);
    *at = r->at;
  } else {
    free(r);
  }
  pthread_rwlock_unlock(&rooms_lock);
  return fits ? 0 : OUT_OF_MEMORY;
}
static void wait_for_all(void);
static int drop(void* at, int host) {
  wait_for_all();
  pthread_rwlock_wrlock(&rooms_lock);
  struct room** r = &rooms;
  while (*r && ((*r)->at != at || ((*r)->device < 0) != host)) r = &(*r)->next;
  if (!*r) fake_stop("memory is freed that was not allocated, or twice");
  struct room* gone = *r;
  *r = gone->next;
  used[host] -= gone->bytes;
  __atomic_add_fetch(&generation, 1, __ATOMIC_RELEASE);
  pthread_rwlock_unlock(&rooms_lock);
  size_t left = 0;
  for (size_t i = 0; i < gone->bytes; i++) left += gone->at[i] != 0 && gone->at[i] != 0xcd;
  if (left && getenv("FAKE_DIRTY")) fake_stop("freed %zu bytes%s, of which %zu were not overwritten", gone->bytes, host ? " of the host" : "", left);
  free(gone->at), free(gone);
  return 0;
}
int cuMemAlloc_v2(uint64_t* at, size_t bytes) {
  CALL(cuMemAlloc_v2);
  void* p = 0;
  int result = add(&p, bytes, (int)context - 1);
  *at = (uint64_t)(uintptr_t)p;
  return result;
}
int cuMemFree_v2(uint64_t at) {
  CALL(cuMemFree_v2);
  return drop((void*)(uintptr_t)at, 0);
}
int cuMemHostAlloc(void** at, size_t bytes, unsigned flags) {
  (void)flags;
  CALL(cuMemHostAlloc);
  return add(at, bytes, -1);
}
int cuMemFreeHost(void* at) {
  CALL(cuMemFreeHost);
  return drop(at, 1);
}
int cuPointerGetAttribute(void* value, int attribute, uint64_t at) {
  struct room room;
  if (attribute != 9) return INVALID_VALUE;
  for (int i = 0; i < cards(); i++)
    if (within(at, 1, i, &room)) return *(int*)value = i, 0;
  return INVALID_VALUE;
}

// ---- Programs

// Unpacks a block of LZ4.
static void lz4(const uint8_t* from, size_t n, uint8_t* to, size_t room) {
  const uint8_t* end = from + n;
  size_t at = 0;
  while (from < end) {
    unsigned token = *from++;
    size_t literals = token >> 4, match = token & 15;
    for (unsigned more = 255; literals >= 15 && more == 255;) literals += more = *from++;
    if (at + literals > room) fake_stop("LZ4: too long");
    memcpy(to + at, from, literals);
    at += literals, from += literals;
    if (from >= end) return;
    size_t back = from[0] | from[1] << 8;
    from += 2;
    for (unsigned more = 255; match >= 15 && more == 255;) match += more = *from++;
    if (back > at || at + match + 4 > room) fake_stop("LZ4: out of place");
    for (match += 4; match; match--, at++) to[at] = to[at - back];
  }
}
static void zstd(const uint8_t* from, size_t n, uint8_t* to, size_t room) {
  void* library = dlopen("libzstd.so.1", RTLD_NOW);
  size_t (*unpack)(void*, size_t, const void*, size_t) = library ? dlsym(library, "ZSTD_decompress") : 0;
  if (!unpack) fake_stop("libzstd.so.1 is not installed");
  if (unpack(to, room, from, n) > room) fake_stop("ZSTD_decompress");
}

// A part of a fatbin: PTX, or machine code for one architecture.
struct part { uint16_t kind, unknown; uint32_t header; uint64_t bytes; uint32_t packed, options; uint16_t minor, major; uint32_t sm; uint64_t object, flags, unused, whole; };
static struct kernel* compiled(const struct part* part) {
  const uint8_t* from = (const uint8_t*)part + part->header;
  size_t whole = part->flags & 0xa000 ? part->whole : part->bytes;
  char* text = calloc(1, whole + 1);
  if (part->flags & 0x2000) lz4(from, part->packed, (uint8_t*)text, whole);
  else if (part->flags & 0x8000) zstd(from, part->packed, (uint8_t*)text, whole);
  else memcpy(text, from, whole);
  struct kernel* all = ptx_read(text);
  free(text);
  return all;
}

static void* file(const char* folder, const char* name, size_t* bytes) {
  char path[600];
  snprintf(path, sizeof path, "%s%s/%s.fatbin", CUDA, folder, name);
  FILE* f = fopen(path, "rb");
  if (!f) return 0;
  fseek(f, 0, SEEK_END);
  *bytes = ftell(f);
  rewind(f);
  void* all = malloc(*bytes + 64);
  if (fread(all, 1, *bytes, f) != *bytes) fake_stop("%s: not read", path);
  fclose(f);
  return all;
}

// Returns the kernels of an image. Its machine code belongs to the PTX in the project's folder.
static int loaded(const uint8_t* image, const char* name, struct kernel** into) {
  size_t n;
  int card = capability((int)context - 1), why = NO_BINARY;
  if (!strcmp(setting("FAKE_WITHOUT", ""), name)) return NO_BINARY;
  for (const uint8_t *at = image + 16, *end = at + *(const uint64_t*)(image + 8); at < end;) {
    const struct part* p = (const struct part*)at;
    at += p->header + p->bytes;
    if (p->kind == 1) {
      // PTX 7.8 came with CUDA 11.8, 8.0 with 12.0, 9.0 with 13.0; packing by zstd with 12.4.
      int needs = p->major * 1000 + p->minor * 10 + 4000;
      if (getenv("FAKE_NO_PTX")) why = NO_JIT;
      else if (version() < needs || (p->flags & 0x8000 && version() < 12040)) why = OLD_PTX;
      else if ((int)p->sm <= card) return *into = compiled(p), 0;
    } else if ((int)p->sm / 10 == card / 10 && (int)p->sm <= card) {
      // Machine code by CUDA 13 has a form that older drivers do not know.
      if (version() < 13000) {
        why = INVALID_IMAGE;
        continue;
      }
      uint8_t* other = file("/ptx", name, &n);
      if (!other) fake_stop("%s: no PTX", name);
      *into = compiled((struct part*)(other + 16));
      free(other);
      return 0;
    }
  }
  return why;
}

int cuModuleLoadData(void** module, const void* image) {
  static const char* const names[] = {"magma", "kuznyechik", "streebog", "beside", "gf", "gost28147-own", "gost28147-0", "gost28147-1",
    "gost28147-2", "gost28147-3", "gost28147-4", "gost28147-5", "gost28147-6", "gost28147-7"};
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static struct kernel* cache[2 * sizeof names / sizeof *names];
  CALL(cuModuleLoadData);
  if ((uintptr_t)image % 8) fake_stop("an image at an odd address: %p", image);
  if (*(const uint32_t*)image != 0xba55ed50) return INVALID_IMAGE;
  size_t n = 16 + *(const uint64_t*)((const uint8_t*)image + 8), bytes;
  for (unsigned i = 0; i < sizeof cache / sizeof *cache; i++) {
    const char* name = names[i / 2];
    void* known = file(i % 2 ? "/ptx" : "", name, &bytes);
    int same = known && bytes == n && !memcmp(known, image, n);
    free(known);
    if (!same) continue;
    struct kernel* found = 0;
    pthread_mutex_lock(&lock);
    int result = loaded(image, name, &found);
    if (!result && !cache[i]) cache[i] = found;
    *module = cache[i];
    pthread_mutex_unlock(&lock);
    return result;
  }
  fake_stop("an image that is not in crates/gpu/cuda");
}
int cuModuleUnload(void* module) { return (void)module, 0; }
int cuModuleGetFunction(void** function, void* module, const char* name) {
  CONTEXT;
  for (struct kernel* k = module; k; k = k->next)
    if (!strcmp(k->name, name)) return *function = k, 0;
  return NOT_FOUND;
}

// ---- Streams and events

enum work { COPY, ZERO, LAUNCH, EVENT };
struct event { pthread_mutex_t lock; pthread_cond_t changed; long asked, done; };
struct item {
  enum work work;
  void* to;
  const void* from;
  size_t bytes;
  const struct kernel* kernel;
  uint32_t blocks;
  struct event* event;
  long number;
  useconds_t late;
  int wrong;
  struct item* next;
};
struct stream {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  struct item *first, **last;
  int busy, stop, device;
  struct stream* next;
};
static struct stream *streams, *usual[16];
static pthread_mutex_t streams_lock = PTHREAD_MUTEX_INITIALIZER;

static void* serve(void* argument) {
  struct stream* s = argument;
  const char* times = setting("FAKE_LATE", "0");
  for (int n = s->device; n && strchr(times, ','); n--) times = strchr(times, ',') + 1;
  useconds_t late = (useconds_t)atoi(times);
  pthread_mutex_lock(&s->lock);
  for (;;) {
    while (!s->first && !s->stop) pthread_cond_wait(&s->changed, &s->lock);
    if (!s->first) break;
    struct item* i = s->first;
    if (!(s->first = i->next)) s->last = &s->first;
    s->busy = 1;
    pthread_mutex_unlock(&s->lock);
    if (late + i->late) usleep(late + i->late);
    switch (i->work) {
      case COPY: memcpy(i->to, i->from, i->bytes); if (i->wrong) *(uint8_t*)i->to ^= 1; break;
      case ZERO: memset(i->to, 0, i->bytes); break;
      case LAUNCH: ptx_run(i->kernel, i->to, i->blocks, s->device), free(i->to); break;
      case EVENT:
        pthread_mutex_lock(&i->event->lock);
        i->event->done = i->number;
        pthread_cond_broadcast(&i->event->changed);
        pthread_mutex_unlock(&i->event->lock);
    }
    free(i);
    pthread_mutex_lock(&s->lock);
    s->busy = 0;
    pthread_cond_broadcast(&s->changed);
  }
  pthread_mutex_unlock(&s->lock);
  return 0;
}
static void put(struct stream* s, struct item item) {
  struct item* new = malloc(sizeof *new);
  *new = item;
  pthread_mutex_lock(&s->lock);
  *s->last = new;
  s->last = &new->next;
  pthread_cond_broadcast(&s->changed);
  pthread_mutex_unlock(&s->lock);
}
static void wait_for(struct stream* s) {
  pthread_mutex_lock(&s->lock);
  while (s->first || s->busy) pthread_cond_wait(&s->changed, &s->lock);
  pthread_mutex_unlock(&s->lock);
}
static void wait_for_all(void) {
  pthread_mutex_lock(&streams_lock);
  for (struct stream* s = streams; s; s = s->next) wait_for(s);
  pthread_mutex_unlock(&streams_lock);
}
static struct stream* started(void) {
  struct stream* s = calloc(1, sizeof *s);
  pthread_mutex_init(&s->lock, 0), pthread_cond_init(&s->changed, 0);
  s->last = &s->first, s->device = (int)context - 1;
  if (pthread_create(&s->thread, 0, serve, s)) fake_stop("no thread for a stream");
  pthread_mutex_lock(&streams_lock);
  s->next = streams, streams = s;
  pthread_mutex_unlock(&streams_lock);
  return s;
}
// Returns a stream of the present card; 0, 1 and 2 are default ones.
static struct stream* stream(void* handle) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  struct stream* s = handle;
  if ((uintptr_t)s <= 2) {
    pthread_mutex_lock(&lock);
    s = usual[context - 1];
    if (!s) s = usual[context - 1] = started();
    pthread_mutex_unlock(&lock);
  }
  if (s->device != (int)context - 1) fake_stop("a stream of another card");
  return s;
}
int cuStreamCreate(void** handle, unsigned flags) {
  CALL(cuStreamCreate);
  if (flags != 1) fake_stop("a stream that waits for the default one");
  *handle = started();
  return 0;
}
int cuStreamDestroy_v2(void* handle) {
  CONTEXT;
  struct stream* s = handle;
  wait_for(s);
  pthread_mutex_lock(&s->lock);
  s->stop = 1;
  pthread_cond_broadcast(&s->changed);
  pthread_mutex_unlock(&s->lock);
  pthread_join(s->thread, 0);
  pthread_mutex_lock(&streams_lock);
  struct stream** at = &streams;
  while (*at != s) at = &(*at)->next;
  *at = s->next;
  pthread_mutex_unlock(&streams_lock);
  free(s);
  return 0;
}
int cuStreamSynchronize(void* handle) {
  CALL(cuStreamSynchronize);
  wait_for(stream(handle));
  return 0;
}
int cuEventCreate(void** handle, unsigned flags) {
  CALL(cuEventCreate);
  if (!(flags & 1)) fake_stop("an event for which threads spin");
  struct event* e = calloc(1, sizeof *e);
  pthread_mutex_init(&e->lock, 0), pthread_cond_init(&e->changed, 0);
  *handle = e;
  return 0;
}
int cuEventDestroy_v2(void* handle) { return wait_for_all(), free(handle), 0; }  // A record may still be in a stream.
int cuEventRecord(void* handle, void* s) {
  CALL(cuEventRecord);
  struct event* e = handle;
  put(stream(s), (struct item){.work = EVENT, .event = e, .number = ++e->asked});
  return 0;
}
int cuEventSynchronize(void* handle) {
  CALL(cuEventSynchronize);
  struct event* e = handle;
  pthread_mutex_lock(&e->lock);
  while (e->done < e->asked) pthread_cond_wait(&e->changed, &e->lock);
  pthread_mutex_unlock(&e->lock);
  return 0;
}

static void check(uint64_t at, size_t bytes) {
  if (!fake_inside(at, bytes, (int)context - 1)) fake_stop("%zu bytes at %#llx are not the card's memory", bytes, (unsigned long long)at);
}
// Copies later from or to page-locked memory; now for other memory, as a driver may.
static void copy(void* to, const void* from, const void* host, size_t bytes, struct stream* s, int wrong) {
  struct room room;
  if (within((uint64_t)(uintptr_t)host, bytes, -1, &room)) put(s, (struct item){.work = COPY, .to = to, .from = from, .bytes = bytes, .wrong = wrong});
  else {
    wait_for(s), memcpy(to, from, bytes);
    if (wrong) *(uint8_t*)to ^= 1;
  }
}
int cuMemcpyHtoDAsync_v2(uint64_t to, const void* from, size_t bytes, void* s) {
  CALL(cuMemcpyHtoDAsync_v2);
  check(to, bytes);
  copy((void*)(uintptr_t)to, from, from, bytes, stream(s), 0);
  return 0;
}
int cuMemcpyDtoHAsync_v2(void* to, uint64_t from, size_t bytes, void* s) {
  CALL(cuMemcpyDtoHAsync_v2);
  check(from, bytes);
  copy(to, (void*)(uintptr_t)from, to, bytes, stream(s), named("FAKE_WRONG"));
  return 0;
}
int cuMemsetD8Async(uint64_t to, uint8_t value, size_t bytes, void* s) {
  CALL(cuMemsetD8Async);
  if (value) return INVALID_VALUE;
  if (!bytes) return 0;
  check(to, bytes);
  put(stream(s), (struct item){.work = ZERO, .to = (void*)(uintptr_t)to, .bytes = bytes});
  return 0;
}
int cuMemsetD8_v2(uint64_t to, uint8_t value, size_t bytes) {
  CONTEXT;
  check(to, bytes);
  memset((void*)(uintptr_t)to, value, bytes);
  return 0;
}
int cuCtxSynchronize(void) {
  CONTEXT;
  wait_for_all();
  return 0;
}
int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void* s,
                   void** values, void** extra) {
  CALL(cuLaunchKernel);
  const struct kernel* k = function;
  if (!gx || gx > 0x7fffffff || gy != 1 || gz != 1 || by != 1 || bz != 1 || shared || extra) return INVALID_VALUE;
  if (bx != (unsigned)k->threads) fake_stop("%s: %u threads in a block of %d", k->name, bx, k->threads);
  uint8_t* parameters = aligned_alloc(64, (k->parameters + 64) / 64 * 64);
  for (int i = 0; i < k->count; i++) memcpy(parameters + k->at[i], values[i], k->size[i]);
  const char* hang = named("FAKE_HANG") ? strchr(getenv("FAKE_HANG"), ':') : 0;
  useconds_t late = hang ? (useconds_t)atol(hang + 1) : 0;
  put(stream(s), (struct item){.work = LAUNCH, .to = parameters, .kernel = k, .blocks = gx, .late = late});
  return 0;
}

// Memory of a card for tests of arrays, with its content.
uint64_t fake_array(const void* bytes, size_t n) {
  void* at = 0;
  if (add(&at, n, 0)) return 0;
  memcpy(at, bytes, n);
  return (uint64_t)(uintptr_t)at;
}
