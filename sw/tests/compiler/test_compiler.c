// SPDX-License-Identifier: Apache-2.0
// The Domino compiler. Its interpreter against facts about published programs; the programs of
// sw/programs and random ones, compiled and run by the reference model, against the interpreter;
// and texts that must be refused with the right message at the right place.
//
// SLUICE_SEED and SLUICE_PROGRAMS in the environment choose the random programs; with SLUICE_ALL
// the written ones get eight times as many packets. Run from the root
// of the tree.

#include <dirent.h>
#include <jansson.h>

#include "tests/rig/test.h"
#include "tests/rig/compile.h"
#include "tests/rig/environment.h"
#include "tests/rig/domino_gen.h"
#include "tests/rig/domino_rig.h"
#include "tests/rig/shapes_all.h"
#include "tests/rig/texts.h"

// ---- facts --------------------------------------------------------------------------------------

static json_t *facts(void) {
  json_error_t error;
  json_t *root = json_load_file("sw/tests/data/domino-vectors.json", 0, &error);
  if (!root) fail_msg("%s", error.text);
  return root;
}

static int32_t number(const json_t *object, const char *key) {
  return (int32_t)json_integer_value(json_object_get(object, key));
}

// Compiles `p.x = a OP b` with a and b from the packet, and runs it.
TEST(operators_are_those_of_c_with_wrapping) {
  json_t *root CLOSED_BY(drop_json) = facts(), *vector;
  size_t i;
  json_array_foreach(json_object_get(root, "operators"), i, vector) {
    char text[300];
    snprintf(text, sizeof text,
             "struct Packet { int a; int b; int x; int y; };\nvoid f(struct Packet p) { p.x = p.a "
             "%s p.b; p.y = %d %s %d; }",
             json_string_value(json_object_get(vector, "op")), number(vector, "a"),
             json_string_value(json_object_get(vector, "op")), number(vector, "b"));
    struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
    struct sluice_program *program CLOSED_BY(free_program) = parsed("op.dom", text, &diags);
    struct sluice_interpreter *in CLOSED_BY(free_interpreter) = sluice_interpreter_new(program);
    int32_t field[4] = {number(vector, "a"), number(vector, "b"), 0, 0};
    sluice_interpreter_run(in, field);
    if (field[2] != number(vector, "result") || field[3] != number(vector, "result"))
      fail_msg("%s gives %d and %d, not %d", text, field[2], field[3], number(vector, "result"));
  }
  assert_true(i >= 100);
}

TEST(hash2_and_hash3_are_crc16_arc) {
  json_t *root CLOSED_BY(drop_json) = facts(), *sample;
  size_t i;
  json_array_foreach(json_object_get(root, "hash_samples"), i, sample) {
    json_t *args = json_object_get(sample, "args");
    bool three = json_array_size(args) == 3;
    const char *text = three ? "struct Packet { int a; int b; int c; };\nvoid f(struct Packet p) { "
                               "p.a = hash3(p.a, p.b, p.c); }"
                             : "struct Packet { int a; int b; int c; };\nvoid f(struct Packet p) { "
                               "p.a = hash2(p.a, p.b); }";
    struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
    struct sluice_program *program CLOSED_BY(free_program) =
        sluice_program_parse("h.dom", text, strlen(text), &diags);
    struct sluice_interpreter *in CLOSED_BY(free_interpreter) = sluice_interpreter_new(program);
    int32_t field[3] = {0, 0, 0};
    for (size_t n = 0; n < json_array_size(args); n++)
      field[n] = (int32_t)json_integer_value(json_array_get(args, n));
    sluice_interpreter_run(in, field);
    assert_int_equal(field[0], number(sample, "ret"));
  }
}

static void check_vector_program(const json_t *vector, const char *path) {
  char *text CLOSED_BY(freed) = text_of(path), *hops = strstr(text, "#define HOPS 16");
  if (hops) memcpy(hops, "#define HOPS 10", 15);  // as published
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  struct sluice_program *program CLOSED_BY(free_program) = parsed(path, text, &diags);
  struct sluice_interpreter *in CLOSED_BY(free_interpreter) = sluice_interpreter_new(program);
  size_t i, num = sluice_program_num_fields(program);
  json_t *packet;
  int compared = 0;
  json_array_foreach(json_object_get(vector, "packets"), i, packet) {
    int32_t field[64] = {0};
    for (size_t f = 0; f < num; f++)
      field[f] = number(json_object_get(packet, "in"), sluice_program_field(program, f)->name);
    sluice_interpreter_run(in, field);
    for (size_t f = 0; f < num; f++) {
      const char *name = sluice_program_field(program, f)->name;
      if (!json_object_get(json_object_get(packet, "out"), name)) continue;
      compared++;
      if (field[f] != number(json_object_get(packet, "out"), name))
        fail_msg("%s, packet %zu: %s is %d, not %d", path, i, name, field[f],
                 number(json_object_get(packet, "out"), name));
    }
  }
  assert_true(compared >= 20);
  json_t *state = json_object_get(vector, "final_state");
  for (size_t s = 0; s < sluice_program_num_states(program); s++) {
    const struct sluice_program_state *info = sluice_program_state(program, s);
    json_t *entries = json_object_get(json_object_get(state, "arrays"), info->name);
    for (unsigned n = 0; n < info->size; n++) {
      char key[16];
      snprintf(key, sizeof key, "%u", n);
      int32_t wanted = info->scalar ? number(json_object_get(state, "scalars"), info->name)
                       : json_object_get(entries, key) ? number(entries, key)
                                                       : info->init;
      assert_int_equal(sluice_interpreter_state(in, s, n), wanted);
    }
  }
}

TEST(published_programs_give_the_published_results) {
  static const char *const ours[][2] = {{"flowlets", "sw/programs/flowlet.dom"},
                                        {"conga", "sw/programs/conga.dom"},
                                        {"stfq", "sw/programs/wfq.dom"},
                                        {"sequencer", "sw/programs/sequencer.dom"},
                                        {"hull", "sw/programs/hull.dom"}};
  json_t *root CLOSED_BY(drop_json) = facts(), *vector;
  size_t i, found = 0;
  json_array_foreach(
      json_object_get(root, "programs"), i,
      vector) for (size_t n = 0; n < 5;
                   n++) if (strcmp(json_string_value(json_object_get(vector, "name")),
                                   ours[n][0]) == 0) {
    check_vector_program(vector, ours[n][1]);
    found++;
  }
  assert_int_equal(found, 5);
}

// How many random programs a test takes; SLUICE_ALL, which the long list sets, takes all packets of
// the others.
static uint64_t some_programs(unsigned share) {
  return (from_environment("SLUICE_PROGRAMS", 120) + share - 1) / share;
}
static bool all_packets(void) { return getenv("SLUICE_ALL") != NULL; }

// ---- compiled = interpreted ---------------------------------------------------------------------

static void check_program_on(const char *path, const struct sluice_config *config,
                             unsigned packets) {
  enum { SHARE = 8 };
  const char *chip = config->name;
  char *text = text_of(path);
  if (!all_packets()) packets /= SHARE;
  struct sluice_diags diags = {0};
  struct rig rig;
  struct sluice_rng rng;
  sluice_rng_init(&rng, 1, path);
  if (rig_open(&rig, text, config, &diags) != RIG_OPEN) {
    sluice_diags_print(&diags, stderr);
    fail_msg("%s does not compile for %s: %s", path, chip, rig.why);
  }
  for (unsigned i = 0; i < packets; i++)
    if (!rig_packet(&rig, &rng)) fail_msg("%s on %s, packet %u: %s", path, chip, i, rig.why);
  if (!rig_state(&rig)) fail_msg("%s on %s: %s", path, chip, rig.why);
  rig_close(&rig);
  sluice_diags_release(&diags);
  free(text);
}

static void check_program(const char *path, const char *chip, unsigned packets) {
  check_program_on(path, sluice_config_find(chip), packets);
}

static unsigned for_each(const char *dir, void (*visit)(const char *path)) {
  struct dirent **list;
  unsigned visited = 0;
  int num = scandir(dir, &list, NULL, alphasort);
  for (int i = 0; i < num; i++) {
    char path[512];
    size_t len = strlen(list[i]->d_name);
    snprintf(path, sizeof path, "%s/%s", dir, list[i]->d_name);
    if (len > 4 && strcmp(list[i]->d_name + len - 4, ".dom") == 0) {
      visit(path);
      visited++;
    }
    free(list[i]);
  }
  if (num >= 0) free(list);
  return visited;
}

static void on_all(const char *path) {
  check_program(path, "k4", 4000);
  check_program(path, "k4.k8", 500);
}

TEST(corner_cases_run_as_interpreted) { assert_true(for_each("sw/tests/accept", on_all) >= 10); }

static void on_k4(const char *path) { check_program(path, "k4", 2000); }
static void on_k1(const char *path) { check_program(path, "k4.k1", 200); }

TEST(programs_run_as_interpreted) {
  assert_true(for_each("sw/programs", on_k4) >= 8);
  for_each("sw/programs", on_k1);
  check_program("sw/programs/sequencer.dom", "k16", 200);
  check_program("sw/programs/sequencer.dom", "small", 2000);
  check_program("sw/programs/sampling.dom", "small", 2000);
}

TEST(programs_run_with_all_state_in_one_pipeline) {
  rig_how.pin = true;
  for_each("sw/programs", on_k1);
  check_program("sw/tests/chip/programs/cross.dom", "tiny", 2000);
  struct sluice_diags diags = {0};
  struct rig rig;
  char *text = text_of("sw/tests/chip/programs/cross.dom");
  assert_int_equal(rig_open(&rig, text, sluice_config_find("k4"), &diags), RIG_OPEN);
  assert_int_equal(rig.usage.pinned, 2);
  rig_close(&rig);
  free(text);
  text = text_of("sw/programs/conga.dom");  // its arrays have twice the entries of a pipeline
  assert_int_equal(rig_open(&rig, text, sluice_config_find("tiny"), &diags), RIG_REJECTED);
  rig_close(&rig);
  free(text);
  sluice_diags_release(&diags);
  rig_how.pin = false;
}

TEST(indices_that_are_kept_can_be_read_at_their_stage) {
  rig_how.late = true;
  for_each("sw/programs", on_k1);
  check_program("sw/tests/chip/programs/cross.dom", "tiny", 2000);
  rig_how.late = false;
}

TEST(no_index_of_the_four_programs_is_pinned) {
  static const char *const paths[] = {"sw/programs/flowlet.dom", "sw/programs/conga.dom",
                                      "sw/programs/wfq.dom"};
  for (size_t i = 0; i < 3; i++) {
    char *text CLOSED_BY(freed) = text_of(paths[i]);
    struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
    struct rig rig CLOSED_BY(rig_close);
    assert_int_equal(rig_open(&rig, text, sluice_config_find("k4"), &diags), RIG_OPEN);
    assert_int_equal(rig.usage.pinned, 0);
    assert_int_equal(diags.num, 0);
  }
}

// The image of a program in sw/tests/accept on a chip.
static struct sluice_image compiled_for(const char *name, const struct sluice_config *chip) {
  char path[100];
  snprintf(path, sizeof path, "sw/tests/accept/%s.dom", name);
  char *text CLOSED_BY(freed) = text_of(path);
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  struct sluice_image image = {0};
  assert_int_equal(compile_text(text, chip, &image, &diags), SLUICE_OK);
  return image;
}

static struct sluice_image compiled(const char *name) {
  return compiled_for(name, sluice_config_find("k4"));
}

static const struct sluice_array *array_of(const struct sluice_image *image, const char *name) {
  for (size_t i = 0; i < image->num_arrays; i++)
    for (int w = 0; w < 2; w++)
      if (strcmp(image->arrays[i].name[w], name) == 0) return &image->arrays[i];
  fail_msg("no array '%s'", name);
  return NULL;
}

static const struct sluice_write *write_of(const struct sluice_image *image,
                                           enum sluice_table table, unsigned stage) {
  for (size_t i = 0; i < image->num_writes; i++)
    if (image->writes[i].table == table && image->writes[i].stage == stage)
      return &image->writes[i];
  return NULL;
}

TEST(placed_arrays_stand_where_the_text_says) {
  struct sluice_image image CLOSED_BY(sluice_image_release) = compiled("placed");
  assert_int_equal(array_of(&image, "late")->stage, 6);
  assert_int_equal(array_of(&image, "early")->stage, 0);
  assert_int_equal(array_of(&image, "one")->stage, 3);
  assert_ptr_equal(array_of(&image, "other"), array_of(&image, "one"));
  assert_int_equal(array_of(&image, "count")->stage, 2);
  assert_int_equal(array_of(&image, "middle")->stage, 1);
}

TEST(packets_without_an_access_are_told_by_the_predicate) {
  struct sluice_image image CLOSED_BY(sluice_image_release) = compiled("guarded_result");
  const uint8_t *access =
      write_of(&image, SLUICE_TABLE_ACCESS, array_of(&image, "a")->stage)->bytes;
  uint64_t predicate = SLUICE_GET(access, ACCESS, PREDICATE);
  assert_int_equal(predicate >> 3, SLUICE_TYPE_B2);
  assert_int_equal(predicate, SLUICE_GET(access, ACCESS, INDEX));
  assert_int_equal(SLUICE_GET(access, ACCESS, INVERT), 0);
  // The condition of d takes state to know: every packet visits it.
  access = write_of(&image, SLUICE_TABLE_ACCESS, array_of(&image, "d")->stage)->bytes;
  assert_int_equal(SLUICE_GET(access, ACCESS, PREDICATE), 0);
}

TEST(flow_order_is_an_access_without_operation_in_the_last_stage) {
  static const char *const names[] = {"flow_order", "flow_order_usual"};
  for (int i = 0; i < 2; i++) {
    struct sluice_image image CLOSED_BY(sluice_image_release) = compiled(names[i]);
    const struct sluice_array *array = array_of(&image, "(flow order)");
    FIELDS_ARE(array, (stage, 7), (pinned, 0), (size, i ? 64 : 100));
    const uint8_t *access = write_of(&image, SLUICE_TABLE_ACCESS, 7)->bytes;
    assert_int_equal(SLUICE_GET(access, ACCESS, ENABLE), 1);
    assert_int_equal(SLUICE_GET(access, ACCESS, PREDICATE), 0);
    assert_null(write_of(&image, SLUICE_TABLE_STATE_INSTR, 7));
  }
}

TEST(flow_order_takes_the_last_stage_with_state) {
  struct sluice_config config = *sluice_config_find("k4");
  config.StateStages = 3;
  struct sluice_image image CLOSED_BY(sluice_image_release) = compiled_for("flow_order", &config);
  assert_int_equal(array_of(&image, "(flow order)")->stage, 2);
}

// `b` is what `c` needs, two stages later; `a` is needed by more operations, but these need no
// state.
TEST(arrays_that_others_need_go_first) {
  struct sluice_config config = *sluice_config_find("k4");
  config.StateStages = 3;
  struct sluice_image image CLOSED_BY(sluice_image_release) = compiled_for("state_first", &config);
  assert_int_equal(array_of(&image, "b")->stage, 0);
  assert_int_equal(array_of(&image, "a")->stage, 1);
  assert_int_equal(array_of(&image, "c")->stage, 2);
}

// True if the program compiled.
static bool check_random(uint64_t seed, const struct sluice_config *chip) {
  static struct gen gen;
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  struct sluice_rng rng;
  struct rig rig CLOSED_BY(rig_close);
  sluice_rng_init(&rng, seed, "domino");
  gen_program(&gen, &rng);
  enum rig_opened opened = rig_open(&rig, gen.text, chip, &diags);
  bool good = opened != RIG_BROKEN;
  if (opened == RIG_REJECTED) {
    // Every refusal is told, and the interpreter can run what the compiler refuses.
    good = diags.num_errors > 0 && rig.program;
    snprintf(rig.why, sizeof rig.why, "refused without a reason, or by the front end");
    if (getenv("SLUICE_WHY"))
      fprintf(stderr, "%s\n", diags.num_errors ? diags.list[diags.num - 1].id : "?");
  } else if (good) {
    for (int i = 0; good && i < 100; i++) good = rig_packet(&rig, &rng);
    good = good && rig_state(&rig);
  }
  if (!good) {
    sluice_diags_print(&diags, stderr);
    fail_msg("%s\n%s\nrepeat with SLUICE_SEED=%llu SLUICE_PROGRAMS=1", gen.text, rig.why,
             (unsigned long long)seed);
  }
  return opened == RIG_OPEN;
}

TEST(random_programs_run_as_interpreted) {
  uint64_t seed = from_environment("SLUICE_SEED", 1), num = some_programs(1), compiled = 0;
  for (uint64_t i = 0; i < num; i++)
    compiled += check_random(
        seed + i, (seed + i) % 2 ? shape_of_all((seed + i) / 2) : sluice_config_find("k4"));
  printf("%llu of %llu random programs compiled; SLUICE_SEED=%llu\n", (unsigned long long)compiled,
         (unsigned long long)num, (unsigned long long)seed);
  if (num >= 100) assert_true(compiled * 4 > num);
}

// Shapes between k4 and `small`: what compiles has its state where the chip has, and runs as
// interpreted.
TEST(random_programs_run_with_fewer_stages_with_state) {
  static const struct { unsigned front, state; } shapes[] = {{0, 8}, {2, 3}, {1, 1}, {0, 2}};
  for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
    struct sluice_config config = *sluice_config_find("k4");
    config.FrontStages = shapes[i].front;
    config.StateStages = shapes[i].state;
    unsigned compiled = 0, num = (unsigned)some_programs(4);
    for (uint64_t seed = 1; seed <= num; seed++) compiled += check_random(seed, &config);
    printf("front stages %u, stages with state %u: %u of %u compiled\n", shapes[i].front,
           shapes[i].state, compiled, num);
    assert_true(compiled * 15 >= num);
  }
}

// k4 with entries of one word and one comparison in each update.
static struct sluice_config one_word(void) {
  struct sluice_config config = *sluice_config_find("k4");
  config.SharedSums = 1;
  config.StatePairs = 0;
  return config;
}

static unsigned refused;

// A program for k4: it runs on a chip that has less as interpreted, or is refused because of that:
// errors whose identifier begins with `because`.
static void on_less(const char *path, const struct sluice_config *config, const char *because) {
  char *text CLOSED_BY(freed) = text_of(path);
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  struct rig rig CLOSED_BY(rig_close);
  const enum rig_opened opened = rig_open(&rig, text, config, &diags);
  for (size_t i = 0; i < diags.num && opened == RIG_REJECTED; i++)
    if (diags.list[i].severity == SLUICE_SEVERITY_ERROR &&
        strncmp(diags.list[i].id, because, strlen(because)) != 0) {
      sluice_diags_print(&diags, stderr);
      fail_msg("%s is refused for another reason", path);
    }
  refused += opened == RIG_REJECTED;
  if (opened != RIG_REJECTED) check_program_on(path, config, 500);
}
static void with_one_word(const char *path) {
  const struct sluice_config config = one_word();
  on_less(path, &config, "codelet");
}

// Random ones are also placed by the driver, which would refuse what needs pairs.
TEST(programs_of_one_word_run_as_interpreted) {
  struct sluice_config config = one_word();
  check_program_on("sw/tests/accept/one_word.dom", &config, 4000);
  refused = 0;
  unsigned num = for_each("sw/programs", with_one_word);
  assert_in_range(refused, 2, num - 6);
  refused = 0;
  num = for_each("sw/tests/accept", with_one_word);
  assert_in_range(refused, 3, num - 12);
  for (unsigned front = 0; front <= 2; front += 2) {
    unsigned compiled = 0;
    config.FrontStages = front;
    const unsigned programs = (unsigned)some_programs(4);
    for (uint64_t seed = 1; seed <= programs; seed++) compiled += check_random(seed, &config);
    printf("one word an entry, front stages %u: %u of %u compiled\n", front, compiled, programs);
    assert_true(compiled * 10 >= programs);
  }
}

// What fits both is the same instruction, so an image for pairs means the same without.
TEST(programs_of_one_word_are_the_same_for_pairs) {
  const struct sluice_config config = one_word();
  static const char *const names[] = {"one_word", "flow_order", "state_first"};
  for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
    struct sluice_image pairs CLOSED_BY(sluice_image_release) = compiled(names[i]),
                              single CLOSED_BY(sluice_image_release) =
                                  compiled_for(names[i], &config);
    struct sluice_error error = {""};
    struct sluice_plan plan CLOSED_BY(sluice_plan_release);
    assert_int_equal(pairs.num_writes, single.num_writes);
    assert_memory_equal(pairs.writes, single.writes, pairs.num_writes * sizeof *pairs.writes);
    sluice_plan_init(&plan, &config);
    if (sluice_plan_add(&plan, &pairs, 1, &error)) fail_msg("%s: %s", names[i], error.text);
  }
  // Two words in an entry, and several comparisons: the driver refuses what was made for pairs.
  static const char *const others[][2] = {
      {"pair_once", "compares second words of state entries, chip 'k4' has entries of one word"},
      {"four_conditions", "compares with predicate 1 alone"}};
  for (unsigned i = 0; i < 2; i++) {
    struct sluice_image pairs CLOSED_BY(sluice_image_release) = compiled(others[i][0]);
    struct sluice_error error = {""};
    struct sluice_plan plan CLOSED_BY(sluice_plan_release);
    sluice_plan_init(&plan, &config);
    assert_int_equal(sluice_plan_add(&plan, &pairs, 1, &error), SLUICE_ERR_UNSUPPORTED);
    if (!strstr(error.text, others[i][1])) fail_msg("%s", error.text);
  }
}

// ---- shifts -------------------------------------------------------------------------------------

static struct sluice_config without_shifters(void) {
  struct sluice_config config = *sluice_config_find("k4");
  config.Shifters = 0;
  return config;
}

static void with_no_shifters(const char *path) {
  const struct sluice_config config = without_shifters();
  on_less(path, &config, "shifters");
}

// The driver, which refuses a shift, places them; the model gives 0 for one.
TEST(programs_run_without_shifters_as_interpreted) {
  const struct sluice_config config = without_shifters();
  check_program_on("sw/tests/accept/sums.dom", &config, 4000);
  refused = 0;
  unsigned num = for_each("sw/programs", with_no_shifters);
  assert_in_range(refused, 1, num - 6);
  refused = 0;
  num = for_each("sw/tests/accept", with_no_shifters);
  assert_in_range(refused, 1, num - 12);
  unsigned compiled = 0;
  num = (unsigned)some_programs(3);
  for (uint64_t seed = 1; seed <= num; seed++) compiled += check_random(seed, &config);
  printf("no shifters: %u of %u random programs compiled\n", compiled, num);
  assert_true(compiled * 8 >= num);
}

TEST(refusals_of_shifts_say_what_takes_them) {
  static const char *const texts[][2] = {
      {"p.x = p.x >> p.y;", "this is a shift, and chip 'small' has no shifters; see --chip"},
      {"p.x = p.x * 9;",
       "this product takes a shift, and chip 'small' has no shifters; see --chip"},
      {"p.x = p.x / 2;",
       "this quotient takes a shift, and chip 'small' has no shifters; see --chip"},
      {"p.b = p.x;",
       "a byte at an even offset takes a shift, and chip 'small' has no shifters; see --chip"},
      {"p.x = p.x >> 9 & 3;", "this takes a shift, and chip 'small' has no shifters; see --chip"}};
  for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    char text[300];
    snprintf(text, sizeof text,
             "struct Packet { int x @ bytes(46, 4); int y @ bytes(50, 4); int b @ bytes(54, 1); "
             "};\nvoid f(struct Packet p) { %s }\n",
             texts[i][0]);
    struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
    struct sluice_image image CLOSED_BY(sluice_image_release) = {0};
    struct sluice_program *program CLOSED_BY(free_program) =
        sluice_program_parse("x", text, strlen(text), &diags);
    assert_int_equal(sluice_compile(program, sluice_config_find("small"), NULL, &image, &diags),
                     SLUICE_ERR_FULL);
    assert_int_equal(diags.num_errors, 1);
    assert_string_equal(diags.list[diags.num - 1].text, texts[i][1]);
    assert_int_equal(sluice_compile(program, sluice_config_find("k4"), NULL, &image, &diags),
                     SLUICE_OK);
  }
}

// ---- refusals -----------------------------------------------------------------------------------

// A file says what is wrong with it: `// error: LINE:COLUMN: id`, and for which chip: `// chip:
// NAME`.
static void check_reject(const char *path) {
  char *text CLOSED_BY(freed) = text_of(path), chip[32] = "k4";
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  struct sluice_image image CLOSED_BY(sluice_image_release) = {0};
  const char *line = strstr(text, "// chip: ");
  if (line) sscanf(line, "// chip: %31s", chip);
  struct sluice_program *program CLOSED_BY(free_program) =
      sluice_program_parse(path, text, strlen(text), &diags);
  if (program &&
      sluice_compile(program, sluice_config_find(chip), NULL, &image, &diags) == SLUICE_OK)
    fail_msg("%s was compiled", path);
  unsigned expected = 0;
  for (line = strstr(text, "// error: "); line; line = strstr(line + 1, "// error: ")) {
    unsigned at_line, at_column;
    char id[64];
    bool found = false;
    if (sscanf(line, "// error: %u:%u: %63s", &at_line, &at_column, id) != 3)
      fail_msg("%s: cannot read %s", path, line);
    for (size_t i = 0; i < diags.num; i++)
      found |= diags.list[i].severity == SLUICE_SEVERITY_ERROR && diags.list[i].line == at_line &&
               diags.list[i].column == at_column && strcmp(diags.list[i].id, id) == 0;
    if (!found) {
      sluice_diags_print(&diags, stderr);
      fail_msg("%s: no error %u:%u: %s", path, at_line, at_column, id);
    }
    expected++;
  }
  if (expected == 0 || diags.num_errors != expected) {
    sluice_diags_print(&diags, stderr);
    fail_msg("%s: %zu errors, %u expected", path, diags.num_errors, expected);
  }
}

TEST(refusals_of_pairs_name_the_chip) {
  static const char *const texts[][2] = {
      {"sw/tests/reject/pair_one_word.dom",
       "'b' and 'a' depend on each other, so one entry must hold them, and an entry of chip "
       "'small' is one word; see --chip"},
      {"sw/tests/reject/nested_one_word.dom",
       "the update of 'a' does not fit the state unit: it takes more than one comparison, and the "
       "state units of chip 'small' make one (if (c) A else B); see --chip"},
      {"sw/tests/reject/many_one_word.dom",
       "the update of 'a' does not fit the state unit: it takes more than one comparison, and the "
       "state units of chip 'small' make one (if (c) A else B); see --chip"}};
  for (unsigned i = 0; i < 3; i++) {
    char *text CLOSED_BY(freed) = text_of(texts[i][0]);
    struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
    struct sluice_image image = {0};
    struct sluice_program *program CLOSED_BY(free_program) =
        sluice_program_parse(texts[i][0], text, strlen(text), &diags);
    assert_int_equal(sluice_compile(program, sluice_config_find("small"), NULL, &image, &diags),
                     SLUICE_ERR_FULL);
    size_t last = diags.num - 1;  // notes with the cases follow
    while (last && diags.list[last].severity != SLUICE_SEVERITY_ERROR) last--;
    assert_string_equal(diags.list[last].text, texts[i][1]);
  }
}

TEST(wrong_programs_are_refused_at_the_right_place) {
  assert_true(for_each("sw/tests/reject", check_reject) >= 20);
}
