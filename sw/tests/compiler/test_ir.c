// SPDX-License-Identifier: Apache-2.0
// Sluice IR: what is printed of a program and read back compiles to the same image, byte for byte;
// texts that are wrong are refused with their place; and each pass does to a text what
// sw/tests/ir/PASS*.ir expects.
//
// SLUICE_SEED and SLUICE_PROGRAMS choose the random programs; SLUICE_WRITE=DIR keeps what passes
// print in place of what was expected. Run from the root of the tree.

#include <ctype.h>
#include <dirent.h>

#include "tests/rig/test.h"
#include "tests/rig/environment.h"
#include "tests/rig/domino_gen.h"
#include "tests/rig/ir_rig.h"
#include "tests/rig/texts.h"

// Texts of which some bytes are changed.
#define MUTATED ((unsigned)from_environment("SLUICE_CASES", 250))

static unsigned for_each(const char *dir, const char *ending, void (*run)(const char *path)) {
  DIR *list = opendir(dir);
  unsigned num = 0;
  if (!list) fail_msg("cannot open %s", dir);
  for (struct dirent *e; (e = readdir(list));) {
    char path[512];
    const size_t len = strlen(e->d_name), end = strlen(ending);
    if (len < end || strcmp(e->d_name + len - end, ending) != 0) continue;
    snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
    run(path);
    num++;
  }
  closedir(list);
  return num;
}

// ---- there and back -----------------------------------------------------------------------------

static unsigned num_equal, num_refused;

static void round_of(const char *what, const char *text, const char *chip, bool fewest) {
  const struct sluice_config *config = sluice_config_find(chip);
  struct compiled x CLOSED_BY(compiled_release) = ir_compile(text, strlen(text), config, fewest);
  char why[400];
  if (!x.program) {
    sluice_diags_print(&x.diags, stderr);
    fail_msg("%s is wrong", what);
  }
  if (!ir_round(x.program, x.image, config, fewest, why))
    fail_msg("%s on %s: %s\n%s", what, chip, why, text);
  num_equal += x.image != NULL;
  num_refused += x.image == NULL;
}

static void program_of_a_file(const char *path) {
  char *text CLOSED_BY(freed) = text_of(path);
  round_of(path, text, "k4", false);
  round_of(path, text, "tiny", true);
  round_of(path, text, "small", false);
}

TEST(programs_make_the_round) {
  num_equal = num_refused = 0;
  const unsigned num = for_each("sw/programs", ".dom", program_of_a_file) +
                       for_each("sw/programs/menshen", ".dom", program_of_a_file) +
                       for_each("sw/programs/refused", ".dom", program_of_a_file) +
                       for_each("sw/tests/accept", ".dom", program_of_a_file);
  printf("%u programs on three chips: %u equal images, %u refused both ways\n", num, num_equal,
         num_refused);
  assert_true(num >= 50 && num_equal >= 70);
}

TEST(random_programs_make_the_round) {
  static struct gen gen = {.rich = true};
  const uint64_t seed = from_environment("SLUICE_SEED", 1),
                 num = from_environment("SLUICE_PROGRAMS", 8);
  num_equal = num_refused = 0;
  for (uint64_t i = 0; i < num; i++) {
    struct sluice_rng rng;
    char what[64];
    sluice_rng_init(&rng, seed + i, "three ways");
    gen_program(&gen, &rng);
    snprintf(what, sizeof what, "SLUICE_SEED=%llu", (unsigned long long)(seed + i));
    round_of(what, gen.text, "k4", false);
  }
  printf("%llu random programs: %u equal images, %u refused both ways\n", (unsigned long long)num,
         num_equal, num_refused);
  if (num >= 8) assert_true(num_equal * 3 > num);
}

// ---- texts that are wrong -----------------------------------------------------------------------

#define HEAD "sluice-ir 1\nprogram p(p)\nfield a @ bytes(38, 2)\nstate s[8] = 0\nstate c = 0\n"
#define BODY HEAD "v0 = bytes(38, 2)\nv1 = 7\nv2 = v0 & v1\nv3 = old s\nv4 = v3 + v0\n"

TEST(wrong_texts_are_told_with_their_place) {
  static const struct {
    const char *text, *id;
    unsigned line, column;
  } cases[] = {
      {"sluice-ir 2\n", "version", 1, 11},
      {"sluice-ir\n", "syntax", 1, 10},
      {"sluice-ir 1", "syntax", 1, 12},
      {"// a comment\n\nsluice-ir 1 1\n", "syntax", 3, 13},
      {"sluice-ir 1\nfield a\n", "syntax", 2, 1},
      {"sluice-ir 1\nprogram "
       "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz(p)\n",
       "long-name", 2, 9},
      {HEAD "field a\n", "twice", 6, 7},
      {HEAD "field b @ bytes(127, 2)\n", "field-offset", 6, 17},
      {HEAD "field b @ bytes(120, 3)\n", "field-width", 6, 22},
      {HEAD "field b @ bytes(128, 1)\n", "range", 6, 17},
      {HEAD "field b @ meta.colour\n", "unknown-home", 6, 16},
      {HEAD "field b @ udp.sport\n", "syntax", 6, 11},
      {HEAD "state s[4] = 0\n", "twice", 6, 7},
      {HEAD "state t[0] = 0\n", "range", 6, 9},
      {HEAD "state t[65536] = 0\n", "range", 6, 9},
      {HEAD "state t\n", "syntax", 6, 8},
      {HEAD "state t = -2147483649\n", "bad-number", 6, 12},
      {HEAD "state t = 0 @ stage(16)\n", "range", 6, 21},
      {HEAD "option require tcp\n", "syntax", 6, 16},
      {HEAD "v1 = 7\n", "value-number", 6, 1},
      {HEAD "v00 = 7\n", "syntax", 6, 1},
      {HEAD "v0 = 4294967296\n", "bad-number", 6, 6},
      {HEAD "v0 = 0x1g\n", "bad-number", 6, 6},
      {HEAD "v0 = v0 + v0\n", "unknown-value", 6, 6},
      {HEAD "v0 = bytes(38, 1)\n", "field-width", 6, 16},
      {HEAD "v0 = meta.port_out\n", "write-only", 6, 10},
      {HEAD "v0 = old t\n", "unknown-name", 6, 10},
      {HEAD "v0 = crc64(v0)\n", "syntax", 6, 6},
      {HEAD "v0 = result 0.new1\n", "result", 6, 6},
      {HEAD "v0 = 7 $\n", "bad-character", 6, 8},
      {HEAD "v0 = 7 7\n", "syntax", 6, 8},
      {HEAD "v0 = 7\nv1 = identity(v0)\n", "syntax", 7, 18},
      {HEAD "v0 = 7\nv1 = identity(v0, v0) mod 3\n", "arguments", 7, 19},
      {HEAD "v0 = 7\nv1 = crc16(v0, v0, v0, v0)\n", "arguments", 7, 24},
      {HEAD "v0 = 7\nv1 = crc16(v0) mod 0\n", "range", 7, 20},
      {HEAD "v0 = 7\nv1 = v0 ++ v0\n", "syntax", 7, 10},
      {HEAD "v0 = 7\nv1 = v0 ? v0 : v0\n", "not-truth", 7, 1},
      {HEAD "v0 = 7\nv1 = v0 && v0\n", "not-truth", 7, 1},
      {BODY "v5 = old s\n", "twice", 11, 10},
      {BODY "access s[v2] if v4\n", "not-truth", 11, 8},
      {BODY "access s\n", "syntax", 11, 9},
      {BODY "access c[v2]\n", "not-array", 11, 8},
      {BODY "access s[v4]\n", "late-index", 11, 8},
      {BODY "new s = v4\n", "no-access", 9, 1},
      {BODY "access s[v2]\naccess c\n", "no-old", 5, 7},
      {BODY "access s[v2]\nnew s = v4\nnew s = v4\n", "twice", 13, 5},
      {BODY "access s[v2]\nnew c = v4\n", "no-old", 5, 7},
      {BODY "output bytes(38, 2) = v9\n", "unknown-value", 11, 23},
      {BODY "output bytes(38, 2) = v2\noutput bytes(38, 2) = v2\n", "twice", 12, 8},
      {BODY "output port = v2\noutput port = v2\n", "twice", 12, 8},
      {BODY "output order(0) = v2\n", "range", 11, 14},
      {BODY "output egress = v2\n", "syntax", 11, 8},
      {BODY "return v2\n", "syntax", 11, 1},
      {HEAD "lookup l[0] of 1\n", "range", 6, 10},
      {HEAD "lookup l[4] of 0\n", "range", 6, 16},
      {HEAD "lookup l[4] of 1 or go\n", "syntax", 6, 21},
      {HEAD "lookup l[4] of 1\nlookup m[4] of 1\n", "two-lookups", 7, 8},
      {HEAD "lookup l[4] of 1\n", "lookup-words", 6, 8},
      {HEAD "field v[2] @ array(62)\nlookup l[4] of 4\n", "lookup-words", 7, 8},
      {HEAD "pair 1: 2\n", "unknown-lookup", 6, 6},
      {HEAD "field v[2] @ array(62)\nlookup l[4] of 1\npair 1: 2\npair 1: 3\n", "twice", 9, 6},
      {HEAD "lookup l[1] of 1\npair 1: 2\npair 3: 4\n", "table-size", 8, 6},
      {HEAD "v0 = found\n", "syntax", 6, 6},
      {BODY "access s[v2]\naccess s[v0]\nnew s = v4\n", "two-addresses", 12, 8},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct compiled x CLOSED_BY(compiled_release) =
        ir_compile(cases[i].text, strlen(cases[i].text), sluice_config_find("k4"), false);
    const struct sluice_diag *d = x.diags.list;
    if (x.image || !x.diags.num) fail_msg("accepted, case %zu:\n%s", i, cases[i].text);
    if (strcmp(d->id, cases[i].id) != 0 || d->line != cases[i].line || d->column != cases[i].column)
      fail_msg("case %zu is told as %u:%u [%s] %s, not %u:%u [%s]:\n%s", i, d->line, d->column,
               d->id, d->text, cases[i].line, cases[i].column, cases[i].id, cases[i].text);
  }
  // A zero byte, and homes from outside.
  struct compiled x = ir_compile("sluice-ir 1\nprogram\0", 20, sluice_config_find("k4"), false);
  assert_null(x.program);
  assert_string_equal(x.diags.list[0].id, "bad-character");
  compiled_release(&x);
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  const struct sluice_text text = {"x.ir", BODY "access s[v2]\n", strlen(BODY "access s[v2]\n")},
                           bound = {"y", "bind a @ udp.sport;", 19};
  assert_null(sluice_program_parse_bound(&text, &bound, &diags));
  assert_string_equal(diags.list[0].id, "bindings");
}

static void mutate(char *text, size_t *len, struct sluice_rng *rng) {
  static const char *const pieces[] = {"v0",   "v1",      " = ",    "\n", "0", "-",    "65535",
                                       "old ", "access ", "bytes(", "[",  ")", " if ", " mod ",
                                       "new ", "output ", "&&",     "?",  "@ "};
  for (unsigned n = 1 + (unsigned)sluice_rng_below(rng, 4); n; n--) {
    const size_t at = (size_t)sluice_rng_below(rng, *len);
    const unsigned kind = (unsigned)sluice_rng_below(rng, 4);
    if (kind == 0) text[at] = (char)sluice_rng_below(rng, 256);
    if (kind == 1 && isdigit((unsigned char)text[at]))
      text[at] = (char)('0' + sluice_rng_below(rng, 10));
    if (kind == 2) {  // a part is gone
      const size_t most = *len - at, cut = 1 + (size_t)sluice_rng_below(rng, most < 20 ? most : 20);
      if (cut == *len) continue;
      memmove(text + at, text + at + cut, *len - at - cut);
      *len -= cut;
    }
    if (kind == 3) {
      const char *piece = pieces[sluice_rng_below(rng, sizeof pieces / sizeof pieces[0])];
      const size_t more = strlen(piece);
      memmove(text + at + more, text + at, *len - at);
      memcpy(text + at, piece, more);
      *len += more;
    }
  }
}

TEST(mutated_texts_never_break_the_reader) {
  static const char *const paths[] = {"sw/programs/flowlet.dom",
                                      "sw/programs/conga.dom",
                                      "sw/programs/dns_ttl.dom",
                                      "sw/tests/accept/flow_order.dom",
                                      "sw/tests/accept/guarded_result.dom",
                                      "sw/tests/accept/remainder_edge.dom",
                                      "sw/programs/tables/acl.dom"};
  enum { NUM_TEXTS = sizeof paths / sizeof paths[0] };
  char *printed[NUM_TEXTS];
  unsigned accepted = 0;
  for (unsigned i = 0; i < NUM_TEXTS; i++) {
    char *text CLOSED_BY(freed) = text_of(paths[i]);
    struct compiled x CLOSED_BY(compiled_release) =
        ir_compile(text, strlen(text), sluice_config_find("k4"), false);
    printed[i] = ir_text(x.program, sluice_config_find("k4"), false, &x.diags);
    assert_non_null(printed[i]);
  }
  for (unsigned i = 0; i < MUTATED; i++) {
    const char *from = printed[i % NUM_TEXTS];
    struct sluice_rng rng;
    size_t len = strlen(from);
    char *text CLOSED_BY(freed) = malloc(len + 100), why[400];
    assert_non_null(text);
    memcpy(text, from, len);
    sluice_rng_init(&rng, i, "mutated");
    mutate(text, &len, &rng);
    // Memory that ends where the text does: a step beyond it is seen.
    char *exact CLOSED_BY(freed) = malloc(len);
    assert_non_null(exact);
    memcpy(exact, text, len);
    struct sluice_diags diags = {0};
    struct sluice_program *program =
        ir_is(exact, len) ? sluice_program_parse("x", exact, len, &diags) : NULL;
    accepted += program != NULL;
    sluice_program_free(program);
    sluice_diags_release(&diags);
    if (ir_is(exact, len) && !ir_any(exact, len, why))
      fail_msg("text %u: %s\n%.*s", i, why, (int)len, exact);
  }
  for (unsigned i = 0; i < NUM_TEXTS; i++) free(printed[i]);
  printf("%d mutated texts, %u of them still right\n", MUTATED, accepted);
  assert_true(accepted > MUTATED / 40 && accepted < MUTATED - MUTATED / 4);
}

// ---- passes -------------------------------------------------------------------------------------

// `//! pass NAME CHIP` and, behind the text, `//! expect` and what the pass prints.
static void pass_of_a_file(const char *path) {
  char *text CLOSED_BY(freed) = text_of(path), pass[32] = "", chip[32] = "",
             *printed CLOSED_BY(freed) = NULL;
  const char *how = strstr(text, "//! pass ");
  char *expect = strstr(text, "//! expect\n");
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  size_t len = 0;
  if (!how || !expect || sscanf(how, "//! pass %31s %31s", pass, chip) != 2)
    fail_msg("%s does not say which pass, which chip, or what to expect", path);
  struct sluice_program *program CLOSED_BY(free_program) =
      sluice_program_parse(path, text, (size_t)(expect - text), &diags);
  FILE *out = open_memstream(&printed, &len);
  const bool good = program && out &&
                    ir_pass(program, sluice_config_find(chip), pass, out, &diags) == SLUICE_OK;
  if (out) fclose(out);
  if (!good) {
    sluice_diags_print(&diags, stderr);
    fail_msg("%s is refused", path);
  }
  expect += strlen("//! expect\n");
  const char *dir = getenv("SLUICE_WRITE");
  if (dir) {
    char to[1024];
    snprintf(to, sizeof to, "%s/%s", dir, strrchr(path, '/') + 1);
    FILE *keep = fopen(to, "w");
    if (!keep) fail_msg("cannot write %s", to);
    fprintf(keep, "%.*s%s", (int)(expect - text), text, printed);
    fclose(keep);
  } else if (strcmp(printed, expect) != 0) {
    fail_msg("%s: behind '%s' stands\n%s", path, pass, printed);
  }
  for (unsigned i = 0; sluice_compile_passes[i]; i++)
    if (strcmp(sluice_compile_passes[i], pass) == 0) num_equal |= 1u << i;
}

TEST(each_pass_does_what_its_text_expects) {
  num_equal = 0;
  const unsigned num = for_each("sw/tests/ir", ".ir", pass_of_a_file);
  // Of the list the first three are of Domino's front end.
  for (unsigned i = 3; sluice_compile_passes[i]; i++)
    if (!(num_equal >> i & 1))
      fail_msg("no text in sw/tests/ir is for pass '%s'", sluice_compile_passes[i]);
  printf("%u texts, a pass each\n", num);
}
