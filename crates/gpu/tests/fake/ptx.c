// Reads the PTX that nvcc writes for our kernels, and runs it: a warp of 32 lanes in step, an array of 32 values for each
// register. Unknown instructions are refused.
//
// Lanes that part at a branch run separately, those at the lowest place first, and meet there again. Between barriers the
// warps of a block run one after the other, each in two random halves, so that a result shows where a barrier is missing. Each
// load and store is checked: for its place, and for the alignment that a card demands.
#include "ptx.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32 };
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

// ---- Operations: name, the types of the result and of three operands, and the value in a lane. p is a predicate, e a fourth operand.
#define VALUES(X) \
  X(add_s32, u32, u32, u32, u32, a + b) X(add_s64, u64, u64, u64, u64, a + b) X(sub_s32, u32, u32, u32, u32, a - b) \
  X(sub_s64, u64, u64, u64, u64, a - b) X(mul_lo_s32, u32, u32, u32, u32, a * b) X(mul_lo_s64, u64, u64, u64, u64, a * b) \
  X(mul_wide_u32, u64, u32, u32, u32, (u64)a * b) X(mul_hi_u32, u32, u32, u32, u32, (u64)a * b >> 32) \
  X(mad_lo_s32, u32, u32, u32, u32, a * b + c) X(mad_lo_s64, u64, u64, u64, u64, a * b + c) X(neg_s32, u32, u32, u32, u32, -a) \
  X(neg_s64, u64, u64, u64, u64, -a) X(not_b32, u32, u32, u32, u32, ~a) X(not_b64, u64, u64, u64, u64, ~a) \
  X(and_b32, u32, u32, u32, u32, a & b) X(or_b32, u32, u32, u32, u32, a | b) X(xor_b32, u32, u32, u32, u32, a ^ b) \
  X(and_b64, u64, u64, u64, u64, a & b) X(or_b64, u64, u64, u64, u64, a | b) X(xor_b64, u64, u64, u64, u64, a ^ b) \
  X(shl_b32, u32, u32, u32, u32, b > 31 ? 0 : a << b) X(shr_u32, u32, u32, u32, u32, b > 31 ? 0 : a >> b) \
  X(shr_s32, u32, u32, u32, u32, (s32)a >> (b > 31 ? 31 : b)) X(shl_b64, u64, u64, u32, u32, b > 63 ? 0 : a << b) \
  X(shr_u64, u64, u64, u32, u32, b > 63 ? 0 : a >> b) X(min_u32, u32, u32, u32, u32, a < b ? a : b) \
  X(max_u32, u32, u32, u32, u32, a > b ? a : b) X(min_s32, u32, u32, u32, u32, (s32)a < (s32)b ? a : b) \
  X(max_s32, u32, u32, u32, u32, (s32)a > (s32)b ? a : b) X(min_u64, u64, u64, u64, u64, a < b ? a : b) \
  X(max_u64, u64, u64, u64, u64, a > b ? a : b) X(div_u32, u32, u32, u32, u32, b ? a / b : 0) X(rem_u32, u32, u32, u32, u32, b ? a % b : a) \
  X(div_u64, u64, u64, u64, u64, b ? a / b : 0) X(rem_u64, u64, u64, u64, u64, b ? a % b : a) X(mov_u32, u32, u32, u32, u32, a) \
  X(mov_b32, u32, u32, u32, u32, a) X(mov_u64, u64, u64, u64, u64, a) X(mov_b64, u64, u64, u64, u64, a) \
  X(mov_u16, u32, u32, u32, u32, a) X(cvta_to_global_u64, u64, u64, u64, u64, a) X(cvt_u64_u32, u64, u32, u32, u32, a) \
  X(cvt_u32_u64, u32, u64, u64, u64, a) X(cvt_s64_s32, u64, u32, u32, u32, (s64)(s32)a) X(cvt_u16_u32, u32, u32, u32, u32, (u16)a) \
  X(cvt_u32_u16, u32, u32, u32, u32, (u16)a) X(prmt_b32, u32, u32, u32, u32, permuted(a, b, c)) \
  X(bfi_b32, u32, u32, u32, u32, inserted(a, b, c, e, 32)) X(bfi_b64, u64, u64, u64, u32, inserted(a, b, c, e, 64)) \
  X(selp_b32, u32, u32, u32, u32, p ? a : b) X(selp_u32, u32, u32, u32, u32, p ? a : b) X(selp_b64, u64, u64, u64, u64, p ? a : b) \
  X(selp_u64, u64, u64, u64, u64, p ? a : b) X(selp_s32, u32, u32, u32, u32, p ? a : b) X(selp_s64, u64, u64, u64, u64, p ? a : b)
// Comparisons: name, type, relation.
#define RELATIONS(X, t) X(eq_##t, t, ==) X(ne_##t, t, !=) X(lt_##t, t, <) X(le_##t, t, <=) X(gt_##t, t, >) X(ge_##t, t, >=)
#define TYPES(X) RELATIONS(X, u32) RELATIONS(X, s32) RELATIONS(X, u64) RELATIONS(X, s64) X(eq_s16, u16, ==) X(ne_s16, u16, !=) X(eq_u16, u16, ==)
// Predicates: 32 lanes are a word.
#define PREDICATES(X) X(and_pred, a & b) X(or_pred, a | b) X(xor_pred, a ^ b) X(not_pred, ~a) X(mov_pred, a)

enum op {
#define X(name, ...) op_##name,
  VALUES(X) TYPES(X) PREDICATES(X)
#undef X
  op_lop3, op_load, op_store, op_branch, op_ret, op_barrier
};
static const struct { const char* name; int op, result, a, b, c; } known[] = {
#define X(name, R, A, B, C, value) {#name, op_##name, sizeof(R), sizeof(A), sizeof(B), sizeof(C)},
  VALUES(X)
#undef X
#define X(name, T, relation) {"setp_" #name, op_##name, 0, sizeof(T) == 8 ? 8 : 4, sizeof(T) == 8 ? 8 : 4, 4},
  TYPES(X)
#undef X
#define X(name, value) {#name, op_##name, 0, 0, 0, 0},
  PREDICATES(X)
#undef X
};

static inline u32 permuted(u32 a, u32 b, u32 s) {
  u64 both = (u64)b << 32 | a;
  u32 r = 0;
  for (int i = 0; i < 4; i++) {
    u32 k = s >> 4 * i & 15, v = both >> 8 * (k & 7) & 0xff;
    r |= (k & 8 ? (v & 0x80 ? 0xff : 0) : v) << 8 * i;
  }
  return r;
}
static inline u64 inserted(u64 a, u64 b, u32 at, u32 n, u32 width) {
  if (n == 0 || at >= width) return b;
  u64 mask = (n >= 64 ? ~0ull : (1ull << n) - 1) << at;
  return (b & ~mask) | (a << at & mask);
}

// LOP3: a function for each of the 256 tables.
typedef void lop3(u32* restrict r, const u32* a, const u32* b, const u32* c);
#define BIT(f, i) ((f) >> (i) & 1 ? ~0u : 0)
#define BY_C(f, i) (BIT(f, i) ^ (c[n] & (BIT(f, i) ^ BIT(f, i + 1))))
#define BY_B(f, i) (BY_C(f, i) ^ (b[n] & (BY_C(f, i) ^ BY_C(f, i + 2))))
#define LOP3(f) \
  static void lop3_##f(u32* restrict r, const u32* a, const u32* b, const u32* c) { \
    for (int n = 0; n < LANES; n++) r[n] = BY_B(f, 0) ^ (a[n] & (BY_B(f, 0) ^ BY_B(f, 4))); \
  }
#define NAME(f) lop3_##f,
#define SIXTEEN(X, h) X(0x##h##0) X(0x##h##1) X(0x##h##2) X(0x##h##3) X(0x##h##4) X(0x##h##5) X(0x##h##6) X(0x##h##7) \
  X(0x##h##8) X(0x##h##9) X(0x##h##a) X(0x##h##b) X(0x##h##c) X(0x##h##d) X(0x##h##e) X(0x##h##f)
#define ALL(X) SIXTEEN(X, 0) SIXTEEN(X, 1) SIXTEEN(X, 2) SIXTEEN(X, 3) SIXTEEN(X, 4) SIXTEEN(X, 5) SIXTEEN(X, 6) SIXTEEN(X, 7) \
  SIXTEEN(X, 8) SIXTEEN(X, 9) SIXTEEN(X, a) SIXTEEN(X, b) SIXTEEN(X, c) SIXTEEN(X, d) SIXTEEN(X, e) SIXTEEN(X, f)
ALL(LOP3)
static lop3* const tables[256] = {ALL(NAME)};

// ---- Code

enum space { PARAMETER, GLOBAL, SHARED };
struct step {
  u16 op, space, bytes, many;  // for loads and stores: bytes of each of `many` values
  u16 wide;                    // bytes of their registers, which may be wider
  int guard;                   // a predicate that must hold, or -1
  int unless;                  // it must not hold
  int p;                       // a predicate that is read, or written
  int r[4], a, b, c, e;        // registers, later offsets in the lanes' file; predicates of PREDICATES
  s64 more;                    // added to an address; the table of lop3
  int target;                  // of a branch
};
struct constant { u64 value; int bytes, parameter; };
struct code {
  struct step* steps;
  int count, predicates, barriers;
  int words, doubles;  // registers of 32 and 64 bits
  struct constant* constants;
  int constants_count;
};

// Names of registers until they have a place: kind and number.
enum { WORD = 1 << 24, HALF = 2 << 24, DOUBLE = 3 << 24, CONSTANT = 4 << 24, TID = 5 << 24, CTAID = 6 << 24, KIND = 0xff << 24 };

struct reader {
  struct kernel* k;
  struct code* code;
  char (*labels)[48];
  int* label_at;
  int labels_count;
  char (*jumps)[48];
  char parameter_names[16][80];
  char shared_names[8][80];
  int shared_at[8], shared_count;
};

static void* more(void* all, int count, size_t size) {
  return (count & (count - 1)) ? all : realloc(all, size * (count ? 2 * count : 1));
}

static int constant(struct reader* r, u64 value, int bytes, int parameter) {
  struct code* c = r->code;
  for (int i = 0; i < c->constants_count; i++) {
    struct constant* k = &c->constants[i];
    if (k->value == value && k->bytes == bytes && k->parameter == parameter) return CONSTANT | i;
  }
  c->constants = more(c->constants, c->constants_count, sizeof *c->constants);
  c->constants[c->constants_count] = (struct constant){value, bytes, parameter};
  return CONSTANT | c->constants_count++;
}

// Reads a register, a number or the address of a name, for an operand of this many bytes.
static int operand(struct reader* r, const char* text, int bytes) {
  if (!strcmp(text, "%tid.x")) return TID;
  if (!strcmp(text, "%ctaid.x")) return CTAID;
  if (!strncmp(text, "%rd", 3)) return DOUBLE | atoi(text + 3);
  if (!strncmp(text, "%rs", 3)) return HALF | atoi(text + 3);
  if (!strncmp(text, "%r", 2)) return WORD | atoi(text + 2);
  for (int i = 0; i < r->k->count; i++)
    if (!strcmp(text, r->parameter_names[i])) return constant(r, r->k->at[i], 8, 1);
  for (int i = 0; i < r->shared_count; i++)
    if (!strcmp(text, r->shared_names[i])) return constant(r, r->shared_at[i], 4, 0);
  char* end;
  u64 value = text[0] == '-' ? (u64)strtoll(text, &end, 0) : strtoull(text, &end, 0);
  if (end == text || *end) fake_stop("PTX: operand %s", text);
  return constant(r, bytes == 4 ? (u32)value : value, bytes, 0);
}

static int predicate(struct reader* r, const char* text) {
  if (strncmp(text, "%p", 2)) fake_stop("PTX: no predicate: %s", text);
  int n = atoi(text + 2);
  if (n >= r->code->predicates) r->code->predicates = n + 1;
  return n;
}

// Reads [register+number] or [name+number].
static int address(struct reader* r, char* text, struct step* s, enum space space) {
  size_t n = strlen(text);
  if (text[0] != '[' || text[n - 1] != ']') fake_stop("PTX: address %s", text);
  text[n - 1] = 0;
  char* plus = strchr(text, '+');
  if (plus) {
    *plus = 0;
    s->more = strtoll(plus + 1, 0, 0);
  }
  return operand(r, text + 1, space == SHARED ? 4 : 8);
}

static int pieces(char* text, char** into, int most) {
  int n = 0, deep = 0;
  for (char* from = text;; text++) {
    if (*text == '{' || *text == '[') deep++;
    if (*text == '}' || *text == ']') deep--;
    if (*text && (*text != ',' || deep)) continue;
    char* end = text;
    int last = !*text;
    while (isspace((unsigned char)*from)) from++;
    while (end > from && isspace((unsigned char)end[-1])) end--;
    if (end > from) {
      if (n == most) fake_stop("PTX: too many operands");
      into[n++] = from;
    }
    *end = 0;
    if (last) return n;
    from = text + 1;
  }
}

static void statement(struct reader* r, char* text) {
  struct code* code = r->code;
  while (isspace((unsigned char)*text)) text++;
  if (!*text || !strncmp(text, ".reg", 4) || !strncmp(text, ".pragma", 7)) return;
  if (!strncmp(text, ".shared", 7)) {
    int align, n, i = r->shared_count++;
    if (i == 8 || sscanf(text, ".shared .align %d .b8 %79[^[][%d]", &align, r->shared_names[i], &n) != 3) fake_stop("PTX: %s", text);
    r->shared_at[i] = (r->k->shared + align - 1) / align * align;
    r->k->shared = r->shared_at[i] + n;
    return;
  }
  struct step s = {.guard = -1};
  if (*text == '@') {
    s.unless = text[1] == '!';
    s.guard = predicate(r, text + 1 + s.unless);
    text += strcspn(text, " \t");
    text += strspn(text, " \t");
  }
  char op[48], *o[8];
  size_t length = strcspn(text, " \t");
  if (length >= sizeof op) fake_stop("PTX: %s", text);
  memcpy(op, text, length);
  op[length] = 0;
  int n = pieces(text + length, o, 8);
  code->steps = more(code->steps, code->count, sizeof *code->steps);
  r->jumps = more(r->jumps, code->count, sizeof *r->jumps);
  struct step* to = &code->steps[code->count];
  char* jump = r->jumps[code->count++];
  *jump = 0;
  if (!strcmp(op, "bra") || !strcmp(op, "bra.uni")) {
    s.op = op_branch;
    if (strlen(o[0]) > 47) fake_stop("PTX: label %s", o[0]);
    strcpy(jump, o[0]);
  } else if (!strcmp(op, "ret")) {
    s.op = op_ret;
  } else if (!strcmp(op, "bar.sync")) {
    if (n != 1 || strcmp(o[0], "0")) fake_stop("PTX: a barrier of %s", n ? o[0] : "nothing");
    s.op = op_barrier;
    code->barriers = 1;
  } else if (!strcmp(op, "lop3.b32")) {
    s.op = op_lop3;
    s.r[0] = operand(r, o[0], 4), s.a = operand(r, o[1], 4), s.b = operand(r, o[2], 4), s.c = operand(r, o[3], 4);
    s.more = strtol(o[4], 0, 0) & 255;
  } else if (!strncmp(op, "ld.", 3) || !strncmp(op, "st.", 3)) {
    s.op = op[0] == 'l' ? op_load : op_store;
    s.space = strstr(op, ".param") ? PARAMETER : strstr(op, ".global") ? GLOBAL : SHARED;
    if (s.space == SHARED && !strstr(op, ".shared")) fake_stop("PTX: %s", op);
    s.many = strstr(op, ".v4") ? 4 : strstr(op, ".v2") ? 2 : 1;
    s.bytes = atoi(strrchr(op, '.') + 2) / 8;
    char *value = o[s.op == op_store], *v[4];
    if (*value == '{') value[strlen(value) - 1] = 0, value++;
    if (pieces(value, v, 4) != s.many) fake_stop("PTX: %s", op);
    for (int i = 0; i < s.many; i++) s.r[i] = operand(r, v[i], s.bytes == 8 ? 8 : 4);
    s.wide = (s.r[0] & KIND) == DOUBLE || s.bytes == 8 ? 8 : 4;
    s.a = address(r, o[s.op == op_load], &s, s.space);
  } else {
    for (char* c = op; *c; c++) *c = *c == '.' ? '_' : *c;
    size_t i = 0;
    while (i < sizeof known / sizeof *known && strcmp(known[i].name, op)) i++;
    if (i == sizeof known / sizeof *known) fake_stop("PTX: operation %s", op);
    s.op = known[i].op;
    int plain = s.op < op_eq_u32, selects = !strncmp(op, "selp", 4);
    if (known[i].a == 0) {
      s.p = predicate(r, o[0]), s.a = predicate(r, o[1]), s.b = n > 2 ? predicate(r, o[2]) : 0;
    } else {
      if (plain) s.r[0] = operand(r, o[0], known[i].result); else s.p = predicate(r, o[0]);
      s.a = operand(r, o[1], known[i].a);
      s.b = n > 2 ? operand(r, o[2], known[i].b) : s.a;
      s.c = n > 3 && !selects ? operand(r, o[3], known[i].c) : 0;
      s.e = n > 4 ? operand(r, o[4], 4) : 0;
      if (selects) s.p = predicate(r, o[3]);
    }
  }
  *to = s;
}

// ---- Places for registers: from the first to the last use, in a file that stays in the cache.

static int uses(struct step* s, int** into) {
  int n = 0;
  if (s->op >= op_and_pred && s->op <= op_mov_pred) return 0;
  int* all[] = {&s->a, &s->b, &s->c, &s->e, &s->r[0], &s->r[1], &s->r[2], &s->r[3]};
  for (int i = 0; i < 8; i++)
    if (*all[i] & KIND) into[n++] = all[i];
  return n;
}

static void place(struct code* c) {
  enum { MOST = 1 << 17 };
  struct life { int first, last, read_first, place; }* lives = calloc(MOST, sizeof *lives);
  int* starts = malloc((c->count + 1) * sizeof *starts);   // the first register that begins at a step
  int* ends = malloc((c->count + 1) * sizeof *ends);
  int *next_start = malloc(MOST * sizeof(int)), *next_end = malloc(MOST * sizeof(int)), *use[8];
  // The number of a register among all.
#define NUMBER(id) (((id) & 0xffffff) + (((id) & KIND) == WORD ? 0 : ((id) & KIND) == HALF ? MOST / 2 : MOST * 3 / 4))
  for (int i = 0; i < c->count; i++)
    for (int j = 0, n = uses(&c->steps[i], use); j < n; j++) {
      if (*use[j] >= CONSTANT) continue;
      int writes = c->steps[i].op != op_store && use[j] >= c->steps[i].r && use[j] < c->steps[i].r + 4;
      if ((*use[j] & 0xffffff) >= ((*use[j] & KIND) == WORD ? MOST / 2 : MOST / 4)) fake_stop("PTX: too many registers");
      struct life* l = &lives[NUMBER(*use[j])];
      if (!l->last) l->first = i, l->read_first = !writes;
      l->last = i + 1;
    }
  for (int again = 1; again;) {
    again = 0;
    for (int i = 0; i < c->count; i++) {
      int to = c->steps[i].target;
      if (c->steps[i].op != op_branch || to > i) continue;
      for (int j = 0; j < MOST; j++) {
        struct life* l = &lives[j];
        if (!l->last || l->last > i || l->last <= to) continue;
        // A value from before a loop lives to its end; so does one that the loop reads before it writes it.
        if (l->first < to || l->read_first) {
          if (l->first > to) l->first = to;
          l->last = i + 1;
          again = 1;
        }
      }
    }
  }
  for (int i = 0; i <= c->count; i++) starts[i] = ends[i] = -1;
  for (int j = 0; j < MOST; j++)
    if (lives[j].last) {
      next_start[j] = starts[lives[j].first], starts[lives[j].first] = j;
      next_end[j] = ends[lives[j].last - 1], ends[lives[j].last - 1] = j;
    }
  int *free_words = malloc(MOST * sizeof(int)), *free_doubles = malloc(MOST * sizeof(int)), w = 0, d = 0;
  for (int i = 0; i < c->count; i++) {
    for (int j = starts[i]; j >= 0; j = next_start[j])
      lives[j].place = j < MOST * 3 / 4 ? (w ? free_words[--w] : c->words++) : (d ? free_doubles[--d] : c->doubles++);
    for (int j = ends[i]; j >= 0; j = next_end[j])
      if (j < MOST * 3 / 4) free_words[w++] = lives[j].place; else free_doubles[d++] = lives[j].place;
  }
  // Offsets: words, doubles, the lane's numbers, constants.
  int doubles = c->words * 4 * LANES, numbers = doubles + c->doubles * 8 * LANES, constants = numbers + 8 * LANES;
  for (int i = 0; i < c->count; i++)
    for (int j = 0, n = uses(&c->steps[i], use); j < n; j++) {
      int id = *use[j], kind = id & KIND;
      *use[j] = kind == CONSTANT ? constants + (id & 0xffffff) * 8 * LANES : kind == TID ? numbers : kind == CTAID ? numbers + 4 * LANES
        : kind == DOUBLE ? doubles + lives[NUMBER(id)].place * 8 * LANES : lives[NUMBER(id)].place * 4 * LANES;
    }
  free(lives), free(starts), free(ends), free(next_start), free(next_end), free(free_words), free(free_doubles);
}

// ---- Text

static const char* parameters(struct reader* r, const char* at) {
  while (*at != ')') {
    char type[8];
    int align = 0, bytes = 0, used = 0, i = r->k->count;
    at += strspn(at, " \t\n,");
    if (i == 16) fake_stop("PTX: too many parameters");
    if (sscanf(at, ".param .align %d .b8 %79[^[ ,\n][%d]%n", &align, r->parameter_names[i], &bytes, &used) < 3) {
      if (sscanf(at, ".param .%7s %79[^ ,\n)]%n", type, r->parameter_names[i], &used) < 2) fake_stop("PTX: parameter %.60s", at);
      bytes = align = atoi(type + 1) / 8;
    }
    r->k->at[i] = (r->k->parameters + align - 1) / align * align;
    r->k->size[i] = bytes;
    r->k->parameters = r->k->at[i] + bytes;
    r->k->count++;
    at += used;
    at += strspn(at, " \t\n,");
  }
  return at;
}

struct kernel* ptx_read(const char* text) {
  struct kernel* all = 0;
  while ((text = strstr(text, ".entry "))) {
    struct reader r = {.k = calloc(1, sizeof(struct kernel)), .code = calloc(1, sizeof(struct code))};
    r.k->code = r.code;
    r.code->predicates = 1;
    sscanf(text, ".entry %63[^( \n]", r.k->name);
    text = parameters(&r, strchr(text, '(') + 1);
    const char* body = strchr(text, '{');
    const char* declared = strstr(text, ".maxntid");
    if (!declared || declared > body) fake_stop("PTX: %s: no number of threads", r.k->name);
    r.k->threads = atoi(declared + 8);
    char one[1024];
    int n = 0, deep = 0;
    for (text = body + 1; *text != '}' || deep; text++) {
      if (text[0] == '/' && text[1] == '/') {
        text += strcspn(text, "\n");
        continue;
      }
      deep += *text == '{', deep -= *text == '}';
      if (*text != ';' && *text != ':') {
        if (n || !isspace((unsigned char)*text)) one[n++] = *text;
        if (n == sizeof one) fake_stop("PTX: a long statement");
        continue;
      }
      one[n] = 0;
      if (*text == ';') {
        statement(&r, one);
      } else {
        r.labels = more(r.labels, r.labels_count, sizeof *r.labels);
        r.label_at = more(r.label_at, r.labels_count, sizeof *r.label_at);
        if (n > 47) fake_stop("PTX: label %s", one);
        strcpy(r.labels[r.labels_count], one);
        r.label_at[r.labels_count++] = r.code->count;
      }
      n = 0;
    }
    for (int i = 0; i < r.code->count; i++) {
      if (r.code->steps[i].op != op_branch) continue;
      int j = 0;
      while (j < r.labels_count && strcmp(r.labels[j], r.jumps[i])) j++;
      if (j == r.labels_count) fake_stop("PTX: label %s", r.jumps[i]);
      r.code->steps[i].target = r.label_at[j];
    }
    place(r.code);
    free(r.labels), free(r.label_at), free(r.jumps);
    r.k->next = all;
    all = r.k;
  }
  return all;
}

// ---- Lanes

struct warp {
  const struct kernel* k;
  const uint8_t* parameters;
  uint8_t* shared;
  uint8_t* file;
  u32* predicates;
  int device, at[LANES];
  u32 block;
};

// Checks an access, and returns its place.
static uint8_t* reached(struct warp* w, const struct step* s, int lane) {
  size_t bytes = (size_t)s->bytes * s->many;
  u64 at = s->space == SHARED ? ((u32*)(w->file + s->a))[lane] + (u64)s->more : ((u64*)(w->file + s->a))[lane] + (u64)s->more;
  u64 base = s->space == SHARED ? (u64)(uintptr_t)w->shared : 0, begin = (u64)(uintptr_t)w->parameters;
  int inside = s->space == GLOBAL ? fake_inside(at, bytes, w->device)
    : s->space == SHARED ? at + bytes <= (u64)w->k->shared : at >= begin && at + bytes <= begin + w->k->parameters;
  if (!inside || at % bytes)
    fake_stop("%s of %zu bytes at %#llx by %s, block %u, lane %d: %s", s->op == op_load ? "load" : "store", bytes, (unsigned long long)at,
      w->k->name, w->block, lane, inside ? "not aligned" : "outside of memory");
  return (uint8_t*)(uintptr_t)(base + at);
}

static void move(struct warp* w, const struct step* s, u32 active) {
  for (int lane = 0; lane < LANES; lane++) {
    if (!(active >> lane & 1)) continue;
    uint8_t* at = reached(w, s, lane);
    for (int i = 0; i < s->many; i++, at += s->bytes) {
      uint8_t* value = w->file + s->r[i] + lane * s->wide;
      if (s->op == op_store) {
        memcpy(at, value, s->bytes);
      } else {
        memset(value, 0, s->wide);
        memcpy(value, at, s->bytes);
      }
    }
  }
}

// Runs these lanes until they end or wait for others; returns those that wait.
static u32 run(struct warp* w, u32 lanes) {
  const struct step* steps = w->k->code->steps;
  u32 ready = lanes, waiting = 0;
  while (ready) {
    // The lanes at the lowest place go to the next place where others are.
    int pc = 1 << 30, meet = 1 << 30;
    u32 mask = 0;
    for (int i = 0; i < LANES; i++)
      if (ready >> i & 1 && w->at[i] < pc) pc = w->at[i];
    for (int i = 0; i < LANES; i++)
      if (ready >> i & 1) {
        if (w->at[i] == pc) mask |= 1u << i;
        else if (w->at[i] < meet) meet = w->at[i];
      }
    for (int together = 1; together;) {
      const struct step* s = &steps[pc];
      u32 active = s->guard < 0 ? mask : mask & (s->unless ? ~w->predicates[s->guard] : w->predicates[s->guard]);
      int next = pc + 1;
      switch (s->op) {
#define X(name, R, A, B, C, value) \
  case op_##name: { \
    const A* as = (const A*)(w->file + s->a); \
    const B* bs = (const B*)(w->file + s->b); \
    const C* cs = (const C*)(w->file + s->c); \
    const u32* es = (const u32*)(w->file + s->e); \
    const u32 ps = w->predicates[s->p]; \
    R *rs = (R*)(w->file + s->r[0]), out[LANES]; \
    for (int i = 0; i < LANES; i++) { \
      A a = as[i]; B b = bs[i]; C c = cs[i]; u32 e = es[i], p = ps >> i & 1; \
      (void)a, (void)b, (void)c, (void)e, (void)p; \
      out[i] = value; \
    } \
    if (active == ~0u) memcpy(rs, out, sizeof out); \
    else for (int i = 0; i < LANES; i++) if (active >> i & 1) rs[i] = out[i]; \
    break; \
  }
        VALUES(X)
#undef X
#define X(name, T, relation) \
  case op_##name: { \
    u32 out = 0; \
    for (int i = 0; i < LANES; i++) { \
      T a = sizeof(T) == 8 ? (T)((u64*)(w->file + s->a))[i] : (T)((u32*)(w->file + s->a))[i]; \
      T b = sizeof(T) == 8 ? (T)((u64*)(w->file + s->b))[i] : (T)((u32*)(w->file + s->b))[i]; \
      out |= (u32)(a relation b) << i; \
    } \
    w->predicates[s->p] = (w->predicates[s->p] & ~active) | (out & active); \
    break; \
  }
        TYPES(X)
#undef X
#define X(name, value) \
  case op_##name: { \
    u32 a = w->predicates[s->a], b = w->predicates[s->b]; \
    (void)b; \
    w->predicates[s->p] = (w->predicates[s->p] & ~active) | ((value) & active); \
    break; \
  }
        PREDICATES(X)
#undef X
        case op_lop3: {
          u32 *r = (u32*)(w->file + s->r[0]), out[LANES];
          tables[s->more](out, (u32*)(w->file + s->a), (u32*)(w->file + s->b), (u32*)(w->file + s->c));
          if (active == ~0u) memcpy(r, out, sizeof out);
          else for (int i = 0; i < LANES; i++) if (active >> i & 1) r[i] = out[i];
          break;
        }
        case op_load:
        case op_store:
          move(w, s, active);
          break;
        case op_branch:
          if (active == mask) {
            next = s->target;
          } else if (active) {
            for (int i = 0; i < LANES; i++)
              if (mask >> i & 1) w->at[i] = active >> i & 1 ? s->target : pc + 1;
            goto parted;
          }
          break;
        case op_ret:
          if (active != mask) fake_stop("PTX: %s: a guarded ret", w->k->name);
          ready &= ~mask;
          for (int i = 0; i < LANES; i++) if (mask >> i & 1) w->at[i] = -1;
          goto parted;
        case op_barrier:
          for (int i = 0; i < LANES; i++) if (mask >> i & 1) w->at[i] = pc;
          ready &= ~mask;
          waiting |= mask;
          goto parted;
      }
      pc = next;
      if (pc >= meet) {
        for (int i = 0; i < LANES; i++) if (mask >> i & 1) w->at[i] = pc;
        together = 0;
      }
    }
  parted:;
  }
  return waiting;
}

static u32 chance(u32* seed) {
  *seed = *seed * 1664525 + 1013904223;
  return *seed ^ *seed >> 16;
}

// Runs a warp to the next barrier; returns whether it waits there.
static int warp(struct warp* w, u32* seed) {
  u32 half = w->k->code->barriers ? chance(seed) : ~0u;
  u32 waiting = run(w, half);
  waiting |= run(w, ~half);
  if (!waiting) return 0;
  if (waiting != ~0u) fake_stop("%s: lanes have ended, and others wait for them", w->k->name);
  for (int i = 1; i < LANES; i++)
    if (w->at[i] != w->at[0]) fake_stop("%s: lanes wait at different barriers", w->k->name);
  return 1;
}

void ptx_run(const struct kernel* k, const uint8_t* parameters, uint32_t blocks, int device) {
  enum { MOST = 32 };
  const struct code* c = k->code;
  int numbers = c->words * 4 * LANES + c->doubles * 8 * LANES, constants = numbers + 8 * LANES, warps = k->threads / LANES;
  size_t bytes = constants + (size_t)c->constants_count * 8 * LANES;
  u32 seed = 12345;
  struct warp all[MOST];
  if (k->threads % LANES || warps > MOST) fake_stop("%s: %d threads", k->name, k->threads);
  uint8_t* shared = aligned_alloc(256, (k->shared + 256) / 256 * 256);
  for (int n = 0; n < warps; n++) {
    struct warp* w = &all[n];
    *w = (struct warp){.k = k, .parameters = parameters, .device = device, .shared = shared};
    w->file = aligned_alloc(256, (bytes + 255) / 256 * 256);
    w->predicates = calloc(c->predicates, sizeof *w->predicates);
    memset(w->file, 0xa5, bytes);
    for (int i = 0; i < c->constants_count; i++) {
      u64 value = c->constants[i].value + (c->constants[i].parameter ? (u64)(uintptr_t)parameters : 0);
      for (int lane = 0; lane < LANES; lane++) {
        if (c->constants[i].bytes == 8) ((u64*)(w->file + constants + i * 8 * LANES))[lane] = value;
        else ((u32*)(w->file + constants + i * 8 * LANES))[lane] = (u32)value;
      }
    }
  }
  for (u32 block = 0; block < blocks; block++) {
    memset(shared, 0xa5, k->shared);
    for (int n = 0; n < warps; n++) {
      all[n].block = block;
      memset(all[n].at, 0, sizeof all[n].at);
      for (int lane = 0; lane < LANES; lane++) {
        ((u32*)(all[n].file + numbers))[lane] = n * LANES + lane;
        ((u32*)(all[n].file + numbers + 4 * LANES))[lane] = block;
      }
    }
    for (;;) {
      int waiting = 0;
      for (u32 n = 0, first = chance(&seed); n < (u32)warps; n++) waiting += warp(&all[(first + n) % warps], &seed);
      if (!waiting) break;
      for (int n = 0, at = all[0].at[0]; n < warps; n++) {
        if (waiting != warps || all[n].at[0] != at) fake_stop("%s: warps wait at different barriers", k->name);
        for (int i = 0; i < LANES; i++) all[n].at[i]++;
      }
    }
  }
  for (int n = 0; n < warps; n++) free(all[n].file), free(all[n].predicates);
  free(shared);
}
