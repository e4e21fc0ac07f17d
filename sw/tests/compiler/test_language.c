// SPDX-License-Identifier: Apache-2.0
// The front of the compiler: texts that would take it too long or too deep, what it simplifies, and
// what it says. (That compiled programs do what their text says: test_compiler.c.)
//
// Run from the root of the tree.

#include <dirent.h>

#include "tests/rig/cases.h"
#include "tests/rig/fuzz_one.h"
#include "tests/work/count.h"

// ---- texts --------------------------------------------------------------------------------------

/// A text that is put together: a head with fields of all kinds, then what a test adds.
struct text {
  char *bytes;
  size_t len, room;
};

static void put(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct text *t, const char *format, ...) {
  va_list args;
  if (t->len + 2048 > t->room) {
    t->room = 2 * t->room + 4096;
    t->bytes = realloc(t->bytes, t->room);
    assert_non_null(t->bytes);
  }
  va_start(args, format);
  int n = vsnprintf(t->bytes + t->len, 2048, format, args);
  va_end(args);
  assert_in_range(n, 0, 2047);
  t->len += (size_t)n;
}

static bool with_port;  // a field of the head is tied to meta.port_out

static void head(struct text *t) {
  *t = (struct text){0};
  put(t,
      "struct Packet { int w @ bytes(46, 2); int x @ bytes(48, 2); int y @ bytes(50, 2); int z @ "
      "bytes(52, 2);\n"
      "  int b @ bytes(54, 4); int c @ bytes(58, 4); int d @ bytes(62, 4); int o @ bytes(66, 4);\n"
      "  int ttl @ ipv4.ttl; int out%s; int t; int u; int i; };\n",
      with_port ? " @ meta.port_out" : "");
}

/// What became of a text.
struct outcome {
  struct sluice_diags diags;
  struct sluice_usage usage;
  struct sluice_image image;
  bool compiled;
};

static struct outcome compile_on(const char *bytes, size_t len, const struct sluice_config *chip,
                                 bool fewest) {
  struct outcome o = {.compiled = false};
  const struct sluice_compile_options options = {.usage = &o.usage, .fewest = fewest};
  struct sluice_program *program = sluice_program_parse("x", bytes, len, &o.diags);
  if (program)
    o.compiled = sluice_compile(program, chip, &options, &o.image, &o.diags) == SLUICE_OK;
  sluice_program_free(program);
  return o;
}

static struct outcome compile(const char *bytes, size_t len, const char *chip) {
  return compile_on(bytes, len, sluice_config_find(chip), false);
}

static void outcome_free(struct outcome *o) {
  sluice_image_release(&o->image);
  sluice_diags_release(&o->diags);
}

// `fields and states` of head(), `before` the function, the statements of it.
static struct outcome compile_body(const char *before, const char *body, const char *chip) {
  struct text t;
  head(&t);
  put(&t, "%svoid f(struct Packet p) { %s }\n", before, body);
  struct outcome o = compile(t.bytes, t.len, chip);
  free(t.bytes);
  return o;
}

static void print(const struct outcome *o) { sluice_diags_print(&o->diags, stderr); }

// ---- it ends ------------------------------------------------------------------------------------

// A text whose statements are `count` times `each` (%d: the number of the repetition).
struct repeated {
  const char *before, *start, *each, *end;
  unsigned count;
  const char *error;  // of the compilation, "" for none
};

TEST(long_texts_are_compiled_or_refused_with_work_by_their_length) {
  static const struct repeated texts[] = {
      // One long expression: the tree is as deep as the text is long.
      {"", "p.c = p.b", " ^ p.b", ";", 400, ""},
      {"", "p.c = p.b", " ^ (p.b + %d)", ";", 400, "containers"},
      {"", "p.c = p.x", " + p.x", ";", 499, ""},
      {"", "p.c = p.b", " + p.b", ";", 19000, ""},
      {"", "p.c = p.b", " - p.b", ";", 9000, ""},
      {"", "p.c = p.b", " < p.x", ";", 9000, "stages"},
      {"", "p.c = p.b", " << p.x", ";", 19000, "stages"},
      {"", "p.c = p.b", " + p.b", ";", 30000, "too-long"},
      {"", "p.c = p.b", " && p.b != %d", ";", 6000, "too-long"},
      {"", "p.c = p.b", " || p.b", ";", 6000, ""},
      {"", "p.c = 1", " + p.b %% (%d + 3)", ";", 3000, "too-long"},
      {"int s[1", "", " + 1", "]; void f(struct Packet p) { p.c = s[p.x]; }", 8000, ""},
      // Many statements: the values are deep.
      {"", "p.t = p.b;", "p.t = p.t + p.c;", "p.o = p.t;", 1000, ""},
      {"int s;\n", "", "s = s + p.b;", "", 9000, ""},
      {"int s;\n", "", "s = (s + p.b) ^ p.c;", "", 3000, "stages"},
      {"", "p.t = p.b;", "p.t = (p.t + p.c) ^ p.d;", "p.o = p.t;", 3000, "stages"},
      {"int s;\n", "p.t = p.b;", "p.t = p.t + p.t;", "s = p.t;", 26, ""},
      {"", "", "if (p.x == %d) p.c = %d;", "", 3000, "stages"},
      {"int s;\n", "", "if (p.x == %d) s += 1;", "", 4000, "too-long"},
      {"int s[8];\n", "", "if (p.x == %d) p.c = s[p.y];", "", 1000, "stages"},
      {"", "p.o = ", "p.x == %d ? p.b : ", "p.c;", 100, "stages"},
      {"", "", "if (p.x == %d) p.c = %d; else ", "p.c = p.b;", 90, "stages"},
      // A guard of which every part is shared, and all depends on state: 2^40 ways through it.
      {"int s; int u[8];\n", "p.t = s > 0; s = p.b;",
       "p.t = (p.t && p.x == %d) || (p.t && p.y == %d);", "if (p.t) p.c = u[p.y & 7];", 40,
       "stages"},
      // Messages.
      {"", "", "p.q%d = 1;", "", 15000, "unknown-field"},
      {"", "", "p.c = ;", "", 15000, "syntax"},
      {"", "", "}", "", 15000, "syntax"},
  };
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    const struct repeated *r = &texts[i];
    struct text t;
    head(&t);
    put(&t, "%s", r->before);
    const bool whole = strncmp(r->before, "int s[1", 7) == 0;
    put(&t, "%s%s", whole ? "" : "void f(struct Packet p) {", r->start);
    for (unsigned n = 0; n < r->count; n++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-extra-args"
      put(&t, r->each, n, n);
#pragma GCC diagnostic pop
    }
    put(&t, "%s%s\n", r->end, whole ? "" : "}");
    work_taken();
    struct outcome o = compile(t.bytes, t.len, "k4");
    const double work = 1e-6 * (double)work_taken();
    // Three times what the worst takes: 310 a byte (19,000 terms; 34 million), 13 million of 6,000
    // bytes, 38 million of an update that is tried with special numbers as well.
    const double most = 45 + 1e-3 * (double)t.len;
    const char *error = "";
    for (size_t d = 0; d < o.diags.num; d++)
      if (o.diags.list[d].severity == SLUICE_SEVERITY_ERROR) error = o.diags.list[d].id;
    for (size_t d = 0; d < o.diags.num; d++) assert_true(o.diags.list[d].line > 0);
    if (strcmp(error, r->error) != 0 || o.compiled != !*r->error || work > most) {
      print(&o);
      fail_msg(
          "text %zu, '%s...' %u times: '%s' after %.1f million of work, '%s' expected within %.1f",
          i, r->each, r->count, error, work, r->error, most);
    }
    outcome_free(&o);
    free(t.bytes);
  }
}

TEST(macros_of_macros_of_nothing_are_counted) {
  struct text t = {0};
  put(&t, "#define M0\n");
  for (unsigned level = 1; level <= 7; level++) {
    put(&t, "#define M%u", level);
    for (unsigned n = 0; n < 60; n++) put(&t, " M%u", level - 1);
    put(&t, "\n");
  }
  put(&t, "struct Packet { int x @ bytes(46, 2); };\nvoid f(struct Packet p) { p.x = 1; M7 }\n");
  struct outcome o = compile(t.bytes, t.len, "k4");
  assert_int_equal(o.diags.num, 1);
  assert_string_equal(o.diags.list[0].id, "too-long");
  FIELDS_ARE(&o.diags.list[0], (line, 10), (column, 36));
  outcome_free(&o);
  free(t.bytes);
}

TEST(a_long_chain_of_macros_is_no_circle) {
  struct text t = {0};
  put(&t, "#define M0 7\n");
  for (unsigned level = 1; level < 256; level++) put(&t, "#define M%u M%u\n", level, level - 1);
  put(&t, "struct Packet { int x @ bytes(46, 2); };\nvoid f(struct Packet p) { p.x = M255; }\n");
  struct outcome o = compile(t.bytes, t.len, "k4");
  if (!o.compiled) print(&o);
  assert_true(o.compiled);
  outcome_free(&o);
  free(t.bytes);
}

TEST(a_long_token_is_cut_in_messages) {
  struct text t;
  head(&t);
  put(&t, "void f(struct Packet p) { p.x = 1 + ");
  for (unsigned i = 0; i < 10000; i++) put(&t, "verylongna%03u", i % 1000);
  put(&t, "; }\n");
  struct outcome o = compile(t.bytes, t.len, "k4");
  assert_int_equal(o.diags.num_errors, 1);
  assert_string_equal(o.diags.list[0].text,
                      "there is no state variable 'verylongna000verylongna001verylongna002v...'");
  char *shown = NULL;
  size_t len = 0;
  FILE *out = open_memstream(&shown, &len);
  sluice_diags_print(&o.diags, out);
  fclose(out);
  if (len > 600) fail_msg("the message takes %zu characters", len);
  assert_non_null(strstr(shown, "void f(struct Packet p) { p.x = 1 + verylong"));
  free(shown);
  outcome_free(&o);
  free(t.bytes);
}

// ---- trees --------------------------------------------------------------------------------------

static void try_levels(void *user, const struct one_case *c) {
  const char *bar = strstr(c->request, " :: ");
  char before[100] = "", is[60];
  if (bar) snprintf(before, sizeof before, "%.*s", (int)(bar - c->request), c->request);
  struct outcome o CLOSED_BY(outcome_free) = compile_body(before, bar ? bar + 4 : c->request, user);
  if (!o.compiled) print(&o);
  assert_true(o.compiled);
  snprintf(is, sizeof is, "%u %u %u", o.usage.front_stages, o.usage.back_stages,
           o.usage.operations);
  cases_answer(c, is);
}

TEST(chains_of_one_operator_are_balanced) {
  cases_each("sw/tests/compiler/language.cases", "balanced", try_levels, (char *)"k4");
}

TEST(an_index_that_is_a_sum_is_known_in_front) {
  struct outcome o CLOSED_BY(outcome_free) =
      compile_body("int a[6000];", "a[p.w * 31 + p.x] += 1;", "k4");
  FIELDS_ARE(&o, (usage.pinned, 0), (diags.num, 1));
  assert_string_equal(o.diags.list[0].id, "index");
  outcome_free(&o);
  // 24 is neither a power of two nor beside one: no two levels of this machine's operations make
  // it.
  o = compile_body("int a[600];", "a[p.w * 24 + p.x] += 1;", "k4");
  assert_int_equal(o.usage.pinned, 1);
  assert_non_null(strstr(o.diags.list[1].text, "it takes 3 levels of operations"));
}

// The only hash unit of the first front stage goes to the index of `b`; the guard of `a` comes too
// late then, which costs visits and no pipeline.
TEST(an_index_comes_before_a_guard) {
  struct outcome o CLOSED_BY(outcome_free) = compile_body(
      "int a[16]; int b[100];",
      "if (hash2(p.z, p.w) % 7 == 3) a[p.w & 15] += 1; b[(hash2(p.x, p.y) % 64) ^ 1] += 1;", "k4");
  FIELDS_ARE(&o, (usage.pinned, 0), (diags.num, 0), (usage.hash_units, 2));
}

TEST(a_byte_that_counts_takes_one_level) {
  cases_each("sw/tests/compiler/language.cases", "byte", try_levels, (char *)"k4");
  cases_each("sw/tests/compiler/language.cases", "byte-small", try_levels, (char *)"small");
}

// ---- fewest stages ------------------------------------------------------------------------------

// `a` first, and what needs it finds stages at once; `b` first costs a stage. Both are as urgent.
static const char order[] =
    "struct Packet { int x @ bytes(46,2); int y @ bytes(48,2); int o @ bytes(50,4); int t; };\n"
    "int b[10]; int a[20]; int c[30]; int d[40];\n"
    "void f(struct Packet p) {\n"
    "  b[p.x] += 1; p.o = (b[p.x] ^ p.y) + p.x;\n"
    "  a[p.x] += 1; p.t = a[p.x] ^ p.y;\n"
    "  c[p.x] += p.t; d[p.x] += p.t;\n"
    "}\n";

// Behind warnings.
static const char *first_error(const struct outcome *o) {
  for (size_t i = 0; i < o->diags.num; i++)
    if (o->diags.list[i].severity == SLUICE_SEVERITY_ERROR) return o->diags.list[i].id;
  return "";
}

TEST(the_order_of_arrays_is_searched) {
  struct sluice_config chip = *sluice_config_find("k4");
  struct outcome o CLOSED_BY(outcome_free) = compile_on(order, strlen(order), &chip, false);
  assert_int_equal(o.usage.back_stages, 5);
  outcome_free(&o);
  o = compile_on(order, strlen(order), &chip, true);
  FIELDS_ARE(&o.usage, (back_stages, 4), (quick_stages, 5), (shared, 0));
  outcome_free(&o);
  // Where the quick answer does not fit, nobody has to ask.
  chip.BackStages = chip.StateStages = 4;
  o = compile_on(order, strlen(order), &chip, false);
  if (!o.compiled) print(&o);
  assert_true(o.compiled);
  outcome_free(&o);
  chip.BackStages = chip.StateStages = 3;
  o = compile_on(order, strlen(order), &chip, false);
  assert_false(o.compiled);
  assert_string_equal(first_error(&o), "stages");
}

TEST(arrays_that_do_not_need_each_other_share_a_stage_if_they_must) {
  static const char text[] = "struct Packet { int x @ bytes(46,2); int y @ bytes(48,2); };\n"
                             "int a[10]; int b[10]; int c[%u];\n"
                             "void f(struct Packet p) { a[p.x & 7] += 1; if (p.y == 3) b[p.x & 7] "
                             "+= p.y; c[p.x & 7] = p.y; }\n";
  char same[300], other[300];
  snprintf(same, sizeof same, text, 10);
  snprintf(other, sizeof other, text, 11);
  struct sluice_config chip = *sluice_config_find("k4");
  struct outcome o CLOSED_BY(outcome_free) = compile_on(same, strlen(same), &chip, false);
  FIELDS_ARE(&o.usage, (state_stages, 3), (shared, 0));
  outcome_free(&o);
  chip.StateStages = 2;
  for (int i = 0; i < 2; i++) {
    const char *tried = i ? other : same;
    o = compile_on(tried, strlen(tried), &chip, false);
    if (!o.compiled) print(&o);
    assert_true(o.compiled);
    FIELDS_ARE(&o, (usage.state_stages, 2), (usage.shared, 1), (diags.num, 0));
    outcome_free(&o);
  }
  chip.StateStages = 1;
  o = compile_on(same, strlen(same), &chip, false);
  assert_false(o.compiled);
  assert_int_equal(o.diags.num, 1);
  assert_string_equal(o.diags.list[0].text,
                      "needs 3 stages with state, chip 'k4' has 1; see --chip");
  outcome_free(&o);
  chip.StateStages = 2;
  chip.StatePairs = 0;
  chip.SharedSums = 1;
  o = compile_on(same, strlen(same), &chip, true);
  assert_false(o.compiled);
}

// ---- folding ------------------------------------------------------------------------------------

TEST(what_is_known_takes_no_operation) {
  static const char *const zero[] = {
      "p.o = p.b - p.b;",
      "p.o = p.b + p.c - p.b - p.c;",
      "p.t = p.b + 1; p.o = p.t - p.b - 1;",
      "p.o = p.b == p.b + 1;",
      "p.o = p.b * 8 - (p.b << 3);",
      "p.o = s == s + 1; s = s + 1;",
      "p.t = s; s = s + 1; p.o = p.t == s;",
      "p.t = p.x == 4; p.o = p.t && !p.t;",
      "p.o = p.x == 4 && p.y < 7 && p.x != 4;",
      "p.o = p.b < p.b;",
      "p.o = p.b + p.c < p.c + p.b;",
      "p.o = !(p.b || p.c || !p.b);",
      "p.o = p.b ^ p.c ^ p.b ^ p.c;",
      "p.o = p.b & p.c & 0;",
  };
  for (size_t i = 0; i < sizeof zero / sizeof zero[0]; i++) {
    struct outcome o CLOSED_BY(outcome_free) = compile_body("int s;", zero[i], "k4");
    const bool counts = strstr(zero[i], "s = s + 1;") != NULL;
    if (!o.compiled) print(&o);
    assert_true(o.compiled);
    // The constant 0 is one operation, and the state one stage.
    if (o.usage.operations > 1 || o.usage.back_stages > counts || o.usage.front_stages > 1)
      fail_msg("'%s' takes %u operations, %u front and %u back stages", zero[i], o.usage.operations,
               o.usage.front_stages, o.usage.back_stages);
  }
}

// ---- messages -----------------------------------------------------------------------------------

TEST(one_run_tells_several_errors) {
  static const char text[] = "struct Packet { int a; int b @ udp.sport; int c };\n"
                             "int t[4\n"
                             "void f(struct Packet p) {\n"
                             "  p.a = 1 +;\n"
                             "  for (i = 0; i < 3; i++) { p.a = 1; }\n"
                             "  if (p.a) p.b = ; else p.c = 3;\n"
                             "  p.c = 2\n"
                             "  p.a = 8;\n"
                             "  while (p.a) { p.a = 8; }\n"
                             "  p.b = 3;\n"
                             "}\n";
  static const unsigned places[][2] = {{1, 49}, {3, 1}, {4, 12}, {5, 3}, {6, 18}, {8, 3}, {9, 3}};
  struct outcome o CLOSED_BY(outcome_free) = compile(text, strlen(text), "k4");
  const size_t num = sizeof places / sizeof places[0];
  for (size_t i = 0; i < o.diags.num && i < num; i++)
    if (o.diags.list[i].line != places[i][0] || o.diags.list[i].column != places[i][1]) {
      print(&o);
      fail_msg("error %zu is at %u:%u, not %u:%u", i, o.diags.list[i].line, o.diags.list[i].column,
               places[i][0], places[i][1]);
    }
  assert_int_equal(o.diags.num_errors, num);
}

TEST(too_many_stages_are_told_by_the_longest_chain) {
  struct outcome o = compile_body(
      "", "p.t = p.x ^ p.y;\np.t = (p.t + 1) ^ p.z;\np.o = (p.t + p.w) ^ p.b;", "small");
  assert_int_equal(o.diags.num, 2);
  assert_string_equal(o.diags.list[0].text, "needs 5 back stages, chip 'small' has 2; see --chip");
  assert_string_equal(o.diags.list[1].text, "the longest chain, one operation after the other: "
                                            "4:37 '^', 5:12 '+', 5:17 '^', 6:12 '+', 6:19 '^'");
  outcome_free(&o);
  struct text t;
  head(&t);
  put(&t, "void f(struct Packet p) { p.t = p.b;");
  for (unsigned i = 0; i < 20; i++) put(&t, " p.t = (p.t + p.c) ^ p.d;");
  put(&t, " p.o = p.t; }\n");
  o = compile(t.bytes, t.len, "k4");
  assert_string_equal(o.diags.list[0].text,
                      "needs 38 back stages, chip 'k4' has 8; no chip has more than 20");
  outcome_free(&o);
  free(t.bytes);
}

// ---- warnings -----------------------------------------------------------------------------------

// All warnings, as (LINE:COLUMN id).
static void try_warned(void *user, const struct one_case *c) {
  struct outcome o CLOSED_BY(outcome_free) = compile_body("int a[4]; ", c->request, "k4");
  char all[1000] = "";
  (void)user;
  for (size_t d = 0; d < o.diags.num; d++)
    if (o.diags.list[d].severity == SLUICE_SEVERITY_WARNING)
      snprintf(all + strlen(all), sizeof all - strlen(all), "(%u:%u %s)", o.diags.list[d].line,
               o.diags.list[d].column, o.diags.list[d].id);
  assert_true(o.compiled);
  cases_answer(c, all);
}
TEST(what_is_probably_not_meant_is_warned_of) {
  with_port = true;
  cases_each("sw/tests/compiler/language.cases", "warned", try_warned, NULL);
  // What starts at 0 on some ways is used so in many programs.
  struct outcome o = compile_body(
      "int a[4]; ", "if (p.x) p.t = 1; p.o = p.t; p.i = p.x & 3; a[p.i] += 1; p.out = 1;", "k4");
  assert_int_equal(o.diags.num, 0);
  outcome_free(&o);
  with_port = false;
}

// The port behind the last one is that of recirculation, on a chip that has it.
TEST(a_packet_may_go_to_the_port_of_recirculation) {
  with_port = true;
  for (unsigned port = 4; port <= 5; port++) {
    struct outcome o CLOSED_BY(outcome_free) =
        compile_body("", port == 4 ? "p.out = 4;" : "p.out = 5;", "capsules");
    assert_true(o.compiled);
    assert_int_equal(o.diags.num, port - 4);
    if (port == 5) assert_string_equal(o.diags.list[0].id, "port");
  }
  with_port = false;
}

// What values tell: ports of the chip, addresses with a sign, and what is right.
static void try_values(void *user, const struct one_case *c) {
  char text[600], told[200] = "";
  (void)user;
  const int len =
      snprintf(text, sizeof text,
               "struct Packet { int out @ meta.port_out; int x @ bytes(60, 2); int y @ bytes(64, "
               "4); int src @ ipv4.src; int dst @ ipv4.dst; int sport @ udp.sport; int sum @ "
               "udp.checksum; };\nint a[4];\nvoid f(struct Packet p) { %s }\n",
               c->request);
  struct outcome o CLOSED_BY(outcome_free) = compile(text, (size_t)len, "tiny");
  // Where an array stands is another matter.
  for (size_t d = 0; d < o.diags.num; d++)
    if (strcmp(o.diags.list[d].id, "pinned") != 0)
      snprintf(told + strlen(told), sizeof told - strlen(told), "%s%s", *told ? " " : "",
               o.diags.list[d].id);
  assert_true(o.compiled);
  cases_answer(c, *told ? told : "nothing");
}
TEST(values_that_cannot_be_meant_are_told) {
  cases_each("sw/tests/compiler/language.cases", "values", try_values, NULL);
}

static const char *of_reaction(const struct outcome *o, const char *text) {
  const struct sluice_reaction *r = o->image.reactions;
  static char all[4000];
  snprintf(all, sizeof all, "%.*s%.*s", (int)r->defines.len, o->image.texts + r->defines.at,
           (int)r->text.len, o->image.texts + r->text.at);
  return strstr(all, text);
}

// What the C of a reaction gets is what stands in the program, on the line where it stands.
TEST(defines_and_bodies_of_reactions_stay_as_they_are) {
  static const char before[] =
      "#define PART 0.05\n#define NEAR -1.5e-3f\n#define LETTER '\\''\n#define HELLO \"a b\"\n"
      "#define LONG 1\\\n2\\\r\n + 3\n";
  static const char *const kept[] = {"#define PART 0.05\n",    "#define NEAR -1.5e-3f\n",
                                     "#define LETTER '\\''\n", "#define HELLO \"a b\"\n",
                                     "#define LONG 12 + 3\n",  "// } \\\n } \n",
                                     "// } \\\r\n } \n\001"};
  char text[1000];
  snprintf(text, sizeof text,
           "%sint a[4];\n\\\nreaction r\\\n(a) { // } \\\n } \n// } \\\r\n } \n\001 \\\r\n; } int "
           "\\\nb[4];\n",
           before);
  struct outcome o CLOSED_BY(outcome_free) =
      compile_body(text, "a[p.x & 3] += 1; p.o = LONG; p.b = p.none;", "react");
  FIELDS_ARE(&o.diags, (num_errors, 1), (list[0].line, 21));
  assert_string_equal(o.diags.list[0].id, "unknown-field");
  outcome_free(&o);
  o = compile_body(text, "a[p.x & 3] += 1; p.o = LONG; b[p.x & 3] += 1;", "react");
  if (!o.compiled) print(&o);
  assert_true(o.compiled);
  FIELDS_ARE(&o.image, (num_reactions, 1), (reactions[0].line, 14));
  for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
    if (!of_reaction(&o, kept[i])) fail_msg("not kept: %s", kept[i]);
}

// A name of 63 characters is one, of whatever it is; of those with a prefix it counts, too.
TEST(names_have_at_most_63_characters) {
  static const struct {
    const char *chip, *text;
    unsigned prefix;
  } of[] = {
      {"k4", "struct Packet { int NAME @ bytes(46, 2); };\nvoid f(struct Packet p) { p.NAME = 1; }",
       0},
      {"k4", "struct Packet { int x; };\nint NAME;\nvoid f(struct Packet p) { NAME += 1; }", 0},
      {"k4",
       "struct Packet { int x @ bytes(46, 2); };\nmalleable int NAME = 1 in 0..3;\n"
       "void f(struct Packet p) { p.x = NAME; }",
       0},
      {"k4", "struct Packet { int x @ bytes(46, 2); };\nvoid NAME(struct Packet p) { p.x = 1; }",
       0},
      {"react",
       "struct Packet { int x @ bytes(46, 2); };\nint a[4];\nreaction NAME(a) { }\n"
       "void f(struct Packet p) { a[p.x & 3] += 1; }",
       0},
      {"react",
       "struct Packet { int NAME @ bytes(46, 2); };\nreaction r(last(p.NAME)) { }\n"
       "void f(struct Packet p) { p.NAME += 1; }",
       sizeof "last_" - 1},
      {"arrays",
       "struct Packet { int v[8] @ array(62); int f @ bytes(46, 2); };\nlookup NAME[4];\n"
       "void f(struct Packet p) { p.f = lookup(NAME, p.v); }",
       0},
      {"tables",
       "struct Packet { int x @ bytes(46, 2); };\nvoid a(struct Packet p) { p.x = 1; }\n"
       "table NAME { key: p.x: exact; actions: a; size: 2; }\n"
       "void f(struct Packet p) { apply(NAME); }",
       0},
      {"tables",
       "struct Packet { int x @ bytes(46, 2); };\nvoid NAME(struct Packet p) { p.x = 1; }\n"
       "table t { key: p.x: exact; actions: NAME; size: 2; }\n"
       "void f(struct Packet p) { apply(t); }",
       0},
      {"tables",
       "struct Packet { int x @ bytes(46, 2); };\nvoid a(struct Packet p, int NAME) { p.x = NAME; "
       "}\n"
       "table t { key: p.x: exact; actions: a; size: 2; }\n"
       "void f(struct Packet p) { apply(t); }",
       0},
      {"tables",
       "struct Packet { int NAME @ bytes(46, 2); };\nvoid a(struct Packet p) { p.NAME = 1; }\n"
       "table t { key: p.NAME: exact; actions: a; size: 2; }\n"
       "void f(struct Packet p) { apply(t); }",
       sizeof "p." - 1}};
  for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
    for (unsigned len = 63; len <= 64; len++) {
      char name[65] = "";
      memset(name, 'n', len - of[i].prefix);
      char *text CLOSED_BY(freed) = cases_with(of[i].text, "NAME", name);
      struct outcome o CLOSED_BY(outcome_free) = compile(text, strlen(text), of[i].chip);
      if (o.compiled != (len == 63)) fail_msg("%u characters: %s", len, of[i].text);
      if (!o.compiled) assert_string_equal(o.diags.list[0].id, "long-name");
    }
}

// ---- published programs -------------------------------------------------------------------------

// The form of published programs: a header of hashes, prototypes, no homes.
static const char published[] = "#include \"hashes.h\"\n"
                                "#define FLOWS 4000\n"
                                "int hash2(int a, int b);\n"
                                "int hash3 (int, int, int);\n"
                                "struct Packet {\n"
                                "  int sport;\n"
                                "  int dport;\n"
                                "  int count;\n"
                                "  int id;\n"
                                "};\n"
                                "int packets [FLOWS] = {0};\n"
                                "void func(struct Packet pkt) {\n"
                                "  pkt.id = hash2(pkt.sport, pkt.dport) % FLOWS;\n"
                                "  packets[pkt.id] = packets[pkt.id] + 1;\n"
                                "  pkt.count = packets[pkt.id];\n"
                                "}\n";

static struct outcome compile_bound(const char *bindings) {
  struct outcome o = {.compiled = false};
  const struct sluice_compile_options options = {.usage = &o.usage};
  const struct sluice_text text = {"published.c", published, strlen(published)},
                           tied = {"homes", bindings, strlen(bindings)};
  struct sluice_program *program CLOSED_BY(free_program) =
      sluice_program_parse_bound(&text, &tied, &o.diags);
  if (program)
    o.compiled = sluice_compile(program, sluice_config_find("k4"), &options, &o.image, &o.diags) ==
                 SLUICE_OK;
  return o;
}

TEST(published_programs_are_tied_by_a_second_text) {
  struct outcome o CLOSED_BY(outcome_free) = compile(published, strlen(published), "k4");
  assert_true(o.compiled);
  assert_int_equal(o.diags.num, 2);  // sport and dport are 0
  assert_string_equal(o.diags.list[0].id, "unset");
  outcome_free(&o);
  o = compile_bound("// where the fields are\nbind sport @ udp.sport;\nbind dport @ udp.dport; "
                    "bind count @ bytes(46, 4);\noption require udp;\n");
  if (!o.compiled) print(&o);
  assert_true(o.compiled);
  FIELDS_ARE(&o, (diags.num, 0), (usage.parse_actions, 2), (usage.deparse_actions, 1),
             (usage.pinned, 0));
}

TEST(errors_of_the_bindings_name_their_file) {
  struct outcome o CLOSED_BY(outcome_free) =
      compile_bound("bind sport @ udp.sport;\n  bind rport @ udp.dport;\nbind sport @ "
                    "udp.dport;\nbind dport @ udp.dqort;");
  assert_false(o.compiled);
  char *shown = NULL;
  size_t len = 0;
  FILE *out = open_memstream(&shown, &len);
  sluice_diags_print(&o.diags, out);
  fclose(out);
  assert_non_null(strstr(shown, "homes:2:8: error: struct Packet has no field 'rport' "
                                "[unknown-field]\n    2 |   bind rport @ udp.dport;\n"));
  assert_non_null(strstr(shown, "homes:3:14: error: a second home of 'sport' [twice]"));
  assert_non_null(strstr(shown, "homes:4:14: error: there is no 'udp.dqort'"));
  assert_int_equal(o.diags.num_errors, 3);
  free(shown);
  outcome_free(&o);
  o = compile_bound("bind sport @ udp.sport");
  assert_int_equal(o.diags.num_errors, 1);
  assert_true(o.diags.list[0].in_bindings && o.diags.list[0].line == 1);
}

// ---- what the fuzzer has found ------------------------------------------------------------------

// Texts that reached something new in the compiler (make fuzz-compiler).
TEST(texts_of_the_fuzzer_do_no_harm) {
  static const char dir[] = "sw/tests/fuzz/corpus";
  struct dirent **list;
  unsigned read = 0;
  const int num = scandir(dir, &list, NULL, alphasort);
  assert_true(num > 0);
  for (int i = 0; i < num; i++) {
    char path[400], bytes[4096], why[400];
    snprintf(path, sizeof path, "%s/%s", dir, list[i]->d_name);
    free(list[i]);
    FILE *in = fopen(path, "rb");
    if (!in) fail_msg("cannot read %s", path);
    const size_t len = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    if (!len) continue;  // a folder
    read++;
    if (!fuzz_one(bytes, len, why)) fail_msg("%s: %s", path, why);
  }
  free(list);
  assert_true(read >= 50);
}
