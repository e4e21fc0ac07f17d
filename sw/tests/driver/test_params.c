// SPDX-License-Identifier: Apache-2.0
// Malleables. Programs with malleables, at random values, must do what the same text does with
// constants in their places; every place where a constant can stand is tried; what cannot be is
// refused at its place; images with relocations that lie are refused. (Sets on a chip:
// test_param_sets.c.)
//
// Run from the root of the tree. SLUICE_SEED and SLUICE_PROGRAMS choose the random programs.

#include <sluice/param.h>
#include <unistd.h>

#include "tests/rig/cases.h"
#include "tests/rig/domino_gen.h"
#include "tests/rig/domino_rig.h"
#include "driver/chip/packets.h"
#include "driver/image/param.h"
#include "tests/rig/says.h"
#include "tests/rig/shapes_all.h"

// ---- two texts of one program -------------------------------------------------------------------

// A text in which @0, @1, .. stand for malleables m0, m1, ..; key for a field among i1 and o4, if
// both are there.
enum { NUM = 3 };
static const struct {
  const char *range;
  int32_t init, low, high;
} kinds[] = {{"", 700, 0, 2047},
             {" in 0..1", 1, 0, 1},
             {" in 0..4095", 9, 0, 4095},
             {" in -2048..2047", -5, -2048, 2047},
             {" in -100000..100000", 0, -100000, 100000},
             {" in -2147483647 - 1..2147483647", 65536, INT32_MIN, INT32_MAX},
             {"", 100000, 0, 0},
             {"", 3, 0, 2047}};
enum { KINDS = sizeof kinds / sizeof *kinds };

struct texts {
  char malleable[1 << 17], constant[1 << 17];
};

// Where the generated text has a number between blanks or parentheses in the body, it becomes a
// malleable now and then.
static void make_malleable(struct sluice_rng *rng, const char *text, char *out,
                           const unsigned kind[NUM], bool field) {
  const char *body = strstr(text, "void random");
  char *to = out;
  to += sprintf(to, "%.*s", (int)(body - text), text);
  for (unsigned i = 0; i < NUM; i++)
    to += sprintf(to, "malleable int m%u = %d%s;\n", i, kinds[kind[i]].init, kinds[kind[i]].range);
  if (field) to += sprintf(to, "malleable field key = p.k1 among { p.k0, p.k1, p.k2 };\n");
  for (const char *at = body; *at;) {
    const bool starts = at[-1] == '(' || (at[-1] == ' ' && strchr("=<>:", at[-2]));
    size_t len = strspn(at, "-0123456789abcdefx");
    if (!(*at == '-' || (*at >= '0' && *at <= '9'))) len = 0;
    if (starts && len && (at[len] == ')' || at[len] == ';') && sluice_rng_below(rng, 4)) {
      if (field && sluice_rng_below(rng, 3) == 0) to += sprintf(to, "key");
      else to += sprintf(to, "m%u", (unsigned)sluice_rng_below(rng, NUM));
      at += len;
      continue;
    }
    *to++ = *at++;
  }
  *to = 0;
}

// The same with values in their places.
static void make_constant(const char *text, char *out, const int32_t value[NUM], unsigned choice) {
  char *to = out;
  *to++ = *text++;
  while (*text) {
    if (strncmp(text, "malleable", 9) == 0) {
      text = strchr(text, '\n') + 1;
      continue;
    }
    const char before = text[-1];
    const bool word = before == '(' || before == ' ';
    if (word && *text == 'm' && text[1] >= '0' && text[1] < '0' + NUM &&
        (text[2] == ')' || text[2] == ';')) {
      if (value[text[1] - '0'] == INT32_MIN) to += sprintf(to, "(-2147483647 - 1)");
      else to += sprintf(to, "(%d)", value[text[1] - '0']);
      text += 2;
    } else if (word && strncmp(text, "key", 3) == 0 && (text[3] == ')' || text[3] == ';')) {
      to += sprintf(to, "p.k%u", choice);
      text += 3;
    } else {
      *to++ = *text++;
    }
  }
  *to = 0;
}

static int32_t any_within(struct sluice_rng *rng, const struct sluice_param_info *p) {
  const uint64_t num = (uint64_t)((int64_t)p->high - p->low) + 1;
  switch (sluice_rng_below(rng, 4)) {
    case 0: return p->low;
    case 1: return p->high;
    case 2: {
      const int32_t v = rig_value(rng);
      if (v >= p->low && v <= p->high) return v;
    }  // fall through
    default: return (int32_t)(p->low + (int64_t)sluice_rng_below(rng, num));
  }
}

// The rig's model and image are of `r`, its interpreter of the constant text.
static bool same_as_constants(struct rig *r, const struct texts *t, struct sluice_rng *rng,
                              bool field) {
  struct sluice_setting set[NUM + 1];
  struct sluice_param_info p;
  struct sluice_plan plan;
  char names[NUM][8];
  int32_t value[NUM];
  char *constant = malloc(sizeof t->constant);
  sluice_plan_init(&plan, r->config);
  sluice_plan_trust(&plan, true);
  GOOD(sluice_plan_add(&plan, &r->image, RIG_VID, &error));
  for (unsigned i = 0; i < NUM; i++) {
    snprintf(names[i], sizeof names[i], "m%u", i);
    assert_true(sluice_plan_param(&plan, RIG_VID, i, &p));
    value[i] = any_within(rng, &p);
    set[i] = (struct sluice_setting){.vid = RIG_VID, .name = names[i], .value = value[i]};
  }
  const unsigned choice = (unsigned)sluice_rng_below(rng, 3);
  static const char *const choices[] = {"k0", "p.k1", "k2"};
  set[NUM] = (struct sluice_setting){.vid = RIG_VID, .name = "key", .choice = choices[choice]};
  GOOD(sluice_plan_set_params(&plan, set, field ? NUM + 1 : NUM, &error));
  sluice_plan_settle(&plan);

  struct sluice_diags diags = {0};
  make_constant(t->malleable, constant, value, choice);
  struct sluice_program *program =
      sluice_program_parse("constant.dom", constant, strlen(constant), &diags);
  struct sluice_program *had = r->program;
  if (!program) {
    sluice_diags_print(&diags, stderr);
    fail_msg("%s", constant);
  }
  sluice_model_close(r->model);
  sluice_interpreter_free(r->interpreter);
  r->model = sluice_model_open(r->config);
  r->interpreter = sluice_interpreter_new(program);
  bool good = sluice_reconfig_plan(&plan, rig_send, r->model);
  r->program = program;
  for (unsigned i = 0; good && i < 40; i++) good = rig_packet(r, rng);
  if (good) good = rig_state(r);
  r->program = had;
  if (!good) fprintf(stderr, "%s\nas constants:\n%s\n", t->malleable, constant);
  sluice_interpreter_free(r->interpreter);
  r->interpreter = NULL;
  sluice_program_free(program);
  sluice_diags_release(&diags);
  sluice_plan_release(&plan);
  free(constant);
  return good;
}

// The program as a text in the IR makes the same image.
static void same_image_from_the_ir(const struct rig *r, const char *text) {
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  struct sluice_image image CLOSED_BY(sluice_image_release) = {.num_writes = 0};
  char *ir CLOSED_BY(freed) = NULL;
  size_t len;
  FILE *out = open_memstream(&ir, &len);
  assert_non_null(out);
  assert_int_equal(sluice_program_print_ir(r->program, r->config, NULL, out, &diags), SLUICE_OK);
  fclose(out);
  struct sluice_program *program CLOSED_BY(free_program) =
      sluice_program_parse("x.ir", ir, len, &diags);
  const bool good = program &&
                    sluice_compile(program, r->config, NULL, &image, &diags) == SLUICE_OK;
  if (!good) sluice_diags_print(&diags, stderr);
  if (!good || image.num_writes != r->image.num_writes || image.num_params != r->image.num_params ||
      image.num_relocations != r->image.num_relocations ||
      memcmp(image.params, r->image.params, image.num_params * sizeof *image.params) != 0 ||
      (image.num_relocations && memcmp(image.relocations, r->image.relocations,
                                       image.num_relocations * sizeof *image.relocations) != 0) ||
      memcmp(image.writes, r->image.writes, image.num_writes * sizeof *image.writes) != 0)
    fail_msg("another image from\n%s\nof\n%s", ir, text);
}

static bool one_program(uint64_t seed, const char *chip, unsigned *relocations) {
  static struct gen gen;
  static struct texts texts;
  struct sluice_diags diags = {0};
  struct sluice_rng rng;
  struct rig r;
  unsigned kind[NUM];
  sluice_rng_init(&rng, seed, "malleables");
  gen_program(&gen, &rng);
  for (unsigned i = 0; i < NUM; i++) kind[i] = (unsigned)sluice_rng_below(&rng, KINDS);
  const bool field = sluice_rng_below(&rng, 2);
  // Fields that nothing else touches, and a statement with malleables at least.
  static const char *const last[] = {
      "if (p.q > (1)) p.q = p.q - (2);", "z = z > (1) ? (2) : z + 1; p.q = z;",
      "if (p.q == (3)) z = z + (1);",    "p.q = (1) - p.q;",
      "z = z - (3); p.q = (2);",         "p.q = p.q & (1) ? (2) : p.q;"};
  static char with[sizeof gen.text + 400];
  const char *brace = strchr(gen.text, '{') + 1, *rest = strstr(brace, "void random");
  snprintf(with, sizeof with,
           "%.*s int k0 @ bytes(76, 4); int k1 @ bytes(80, 4); int k2 @ bytes(84, 4); int q @ "
           "bytes(88, 4);\n"
           "%.*sint z;\n%.*s%s\n}\n",
           (int)(brace - gen.text), gen.text, (int)(rest - brace), brace, (int)strlen(rest) - 2,
           rest, last[sluice_rng_below(&rng, sizeof last / sizeof *last)]);
  if (strlen(with) >= sizeof gen.text) return false;
  memcpy(gen.text, with, sizeof gen.text);
  make_malleable(&rng, gen.text, texts.malleable, kind, field);
  const enum rig_opened opened = rig_open(&r, texts.malleable, sluice_config_find(chip), &diags);
  if (opened == RIG_BROKEN || (opened == RIG_REJECTED && !(r.program && diags.num_errors))) {
    sluice_diags_print(&diags, stderr);
    fail_msg("%s\nseed %llu: %s", texts.malleable, (unsigned long long)seed, r.why);
  }
  // With initial values, the interpreter of the malleable text itself; then other values.
  bool good = true;
  for (unsigned i = 0; opened == RIG_OPEN && good && i < 20; i++) good = rig_packet(&r, &rng);
  if (opened == RIG_OPEN && good) good = rig_state(&r);
  if (opened == RIG_OPEN && !strstr(texts.malleable, "flow_order"))
    same_image_from_the_ir(&r, texts.malleable);
  for (unsigned i = 0; opened == RIG_OPEN && good && i < 3; i++)
    good = same_as_constants(&r, &texts, &rng, field);
  if (!good)
    fail_msg("%s\nseed %llu on %s: %s", texts.malleable, (unsigned long long)seed, chip, r.why);
  *relocations += (unsigned)r.image.num_relocations;
  rig_close(&r);
  sluice_diags_release(&diags);
  return opened == RIG_OPEN;
}

TEST(random_programs_do_what_constants_do) {
  const char *seeds = getenv("SLUICE_SEED"), *programs = getenv("SLUICE_PROGRAMS");
  const uint64_t first = seeds ? strtoull(seeds, NULL, 0) : 1,
                 num = programs ? strtoull(programs, NULL, 0) : 150;
  static const char *const chips[] = {"tiny", "banks", "k4", "k4.k8", "multiply"};
  unsigned compiled = 0, relocations = 0;
  for (uint64_t seed = first; seed < first + num; seed++)
    compiled += one_program(seed, seed % 2 ? shape_of_all(seed / 2)->name : chips[seed / 2 % 5],
                            &relocations);
  printf("%u of %llu random programs with malleables compiled, %u relocations\n", compiled,
         (unsigned long long)num, relocations);
  if (num >= 100) assert_true(compiled > num / 4 && relocations > num);
}

// ---- every place --------------------------------------------------------------------------------

#define HEAD                                                                                   \
  "struct Packet { int a @ bytes(46, 4); int b @ bytes(50, 4); int c @ bytes(54, 4); int d @ " \
  "bytes(58, 4);\n"                                                                            \
  "  int h @ bytes(62, 2); int g @ bytes(64, 2); int one @ bytes(66, 1); int t; int out @ "    \
  "meta.port_out;\n"                                                                           \
  "  int at @ meta.arrival; };\n"

static bool compile_text(const char *text, const char *chip, struct sluice_image *image,
                         struct sluice_diags *diags) {
  memset(image, 0, sizeof *image);
  struct sluice_program *program = sluice_program_parse("x.dom", text, strlen(text), diags);
  const bool good =
      program && sluice_compile(program, sluice_config_find(chip), NULL, image, diags) == SLUICE_OK;
  sluice_program_free(program);
  return good;
}

// A case is DECLARATIONS | BODY.
static bool compile_case(const struct one_case *c, struct sluice_image *image,
                         struct sluice_diags *diags) {
  const char *bar = strstr(c->request, " | ");
  char text[2000];
  assert_non_null(bar);
  snprintf(text, sizeof text, HEAD "%.*s\nvoid f(struct Packet p) { %s }\n",
           (int)(bar - c->request), c->request, bar + 3);
  return compile_text(text, "k4", image, diags);
}

static void try_place(void *user, const struct one_case *c) {
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  struct sluice_image image CLOSED_BY(sluice_image_release);
  char is[200], add[40] = "";
  (void)user;
  const bool good = compile_case(c, &image, &diags);
  if (!good) sluice_diags_print(&diags, stderr);
  if (!good || !image.num_relocations) fail_msg("%s", c->where);
  const struct sluice_relocation *r = &image.relocations[0];
  const struct sluice_param *p = &image.params[0];
  if (r->add) snprintf(add, sizeof add, " + %d", r->add);
  snprintf(is, sizeof is, "%s %s %cm%s %d..%d", sluice_tables[r->table].name,
           sluice_relocation_names[r->kind], r->negated ? '-' : '+', add, p->low, p->high);
  cases_answer(c, is);
}
TEST(each_place_has_its_relocation) {
  cases_each("sw/tests/driver/params.cases", "places", try_place, NULL);
}

static void try_refused(void *user, const struct one_case *c) {
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  struct sluice_image image;
  char all[2000] = "";
  (void)user;
  if (compile_case(c, &image, &diags)) fail_msg("%s: it is taken", c->where);
  for (size_t n = 0; n < diags.num; n++)
    snprintf(all + strlen(all), sizeof all - strlen(all), "(%u:%s)", diags.list[n].line,
             diags.list[n].id);
  cases_answer(c, all);
}
TEST(what_cannot_be_is_refused_at_its_place) {
  cases_each("sw/tests/driver/params.cases", "refused", try_refused, NULL);
}

// ---- images -------------------------------------------------------------------------------------

static char *saved(const struct sluice_image *image) {
  static char text[1 << 18];
  char path[64];
  snprintf(path, sizeof path, "build/tmp-params-%ld.json", (long)getpid());
  GOOD(sluice_image_save(image, path, &error));
  FILE *in = fopen(path, "rb");
  assert_non_null(in);
  const size_t len = fread(text, 1, sizeof text - 1, in);
  text[len] = 0;
  fclose(in);
  remove(path);
  return text;
}

TEST(images_that_lie_are_refused) {
  static const struct {
    const char *from, *to, *says;
  } lies[] = {{"\"param\":\"m\"", "\"param\":\"n\"", "param is not in the list"},
              {"\"kind\":\"signed\"", "\"kind\":\"odd\"", "kind is unknown"},
              {"\"m\",\"table\":\"action\",\"stage\":2", "\"m\",\"table\":\"action\",\"stage\":1",
               "there is no such entry"},
              {"\"m\",\"table\":\"action\",\"stage\":2", "\"m\",\"table\":\"module\",\"stage\":0",
               "msb is"},
              {"\"high\":2047", "\"high\":2048", "2048 does not fit 12 bits"},
              {"\"low\":-2048", "\"low\":-2049", "-2049 does not fit 12 bits"},
              {"\"value\":7", "\"value\":2048", "value is 2048"},
              {"\"offset\":50", "\"offset\":128", "offset is 128"},
              {"\"name\":\"k\",\"low\"", "\"name\":\"m\",\"low\"", "two have it"},
              {"\"high\":1,", "\"high\":2,", "do not count the choices"}};
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  struct sluice_image image CLOSED_BY(sluice_image_release), read;
  const char *text = HEAD "malleable int m = 7; malleable field k = p.a among { p.a, p.b };\n"
                          "void f(struct Packet p) { p.c = k + m; }\n";
  assert_true(compile_text(text, "tiny", &image, &diags));
  char *json = saved(&image);
  memset(&read, 0, sizeof read);
  GOOD(sluice_image_read(&read, json, strlen(json), "image", NULL, &error));
  FIELDS_ARE(&read, (num_params, 2), (num_relocations, image.num_relocations));
  for (size_t i = 0; i < image.num_writes; i++)
    assert_memory_equal(read.writes[i].bytes, image.writes[i].bytes, SLUICE_ENTRY_BYTES);
  sluice_image_release(&read);
  for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
    static char lie[(1 << 18) + 100];
    const char *at = strstr(json, lies[i].from);
    if (!at) fail_msg("no %s in %s", lies[i].from, json);
    snprintf(lie, sizeof lie, "%.*s%s%s", (int)(at - json), json, lies[i].to,
             at + strlen(lies[i].from));
    memset(&read, 0, sizeof read);
    SAYS(sluice_image_read(&read, lie, strlen(lie), "image", NULL, NULL), lies[i].says,
         sluice_image_read(&read, lie, strlen(lie), "image", NULL, &error));
    assert_string_not_equal(error.text, "");
  }
}

// A choice of n fields takes no more entries and no wider ones than the field alone.
TEST(a_choice_takes_no_table_bits) {
  size_t writes = 0, bits = 0;
  for (unsigned n = 1; n <= 8; n++) {
    struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
    struct sluice_image image CLOSED_BY(sluice_image_release);
    char text[2000], list[200] = "";
    size_t len = (size_t)snprintf(text, sizeof text, "struct Packet {\n"), all = 0;
    for (unsigned i = 0; i < 8; i++) {
      len += (size_t)snprintf(text + len, sizeof text - len, "int f%u @ bytes(%u, 4);\n", i,
                              46 + 4 * i);
      if (i < n)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%sp.f%u", i ? ", " : "", i);
    }
    snprintf(
        text + len, sizeof text - len,
        "int o @ bytes(90, 4); };\nmalleable field key = p.f0 among { %s };\nint count[1024];\n"
        "void f(struct Packet p) { p.o = key; count[key & 1023] = count[key & 1023] + 1; }\n",
        list);
    if (!compile_text(text, "k4", &image, &diags)) fail_msg("%s", text);
    for (size_t i = 0; i < image.num_writes; i++) all += sluice_tables[image.writes[i].table].bits;
    printf("%u choices: %zu entries, %zu bits, %zu relocations\n", n, image.num_writes, all,
           image.num_relocations);
    if (n > 1) assert_true(image.num_writes == writes && all == bits);
    writes = image.num_writes;
    bits = all;
  }
}
