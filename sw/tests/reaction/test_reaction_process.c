// SPDX-License-Identifier: Apache-2.0
// Reactions without a chip: the C file that they become, what the C compiler says of it, and the
// process that runs a body: what it is given, what it sets, and everything that a body can do
// wrong.
#include "tests/rig/test.h"
#include "base/layouts.h"
#include "tests/rig/reaction_rig.h"
#include "tests/rig/texts.h"

// ---- the image and the C file -------------------------------------------------------------------

TEST(an_image_brings_its_reactions) {
  char path[] = "/tmp/sluice-test-XXXXXX";
  struct sluice_image *image CLOSED_BY(close_image) =
      program_with("reaction a(first[1..10], second, PORT.PACKETS[1..2], CHIP.CYCLES) "
                   "unchanged(second) { /* \"}\" */ char c = '}'; (void)c; }\nreaction b() { }",
                   "marks");
  struct sluice_image *read CLOSED_BY(close_image),
      *plain CLOSED_BY(close_image) = program_with("", "marks");
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  GOOD(sluice_image_save(image, path, &error));
  GOOD(sluice_image_open(&read, path, NULL, &error));
  assert_int_equal(read->num_reactions, 2);
  const struct sluice_reaction *r = &read->reactions[0];
  assert_string_equal(r->name, "a");
  assert_string_equal(r->file, "test.dom");
  FIELDS_ARE(r, (line, 5), (num_args, 4));
  // Of a slice only its entries are read.
  FIELDS_ARE(r, (args[0].first, 1), (args[0].num, 10), (args[1].num, 40));
  assert_true(r->args[1].unchanged && !r->args[0].unchanged && !r->args[1].is_register);
  assert_string_equal(r->args[2].name, "PORT.PACKETS");
  assert_true(r->args[2].is_register && !r->args[2].scalar && r->args[3].scalar);
  assert_int_equal(r->args[2].first, 1);
  assert_int_equal(reaction_num_words(r), 53);
  assert_int_equal(reaction_num_words(&read->reactions[1]), 0);
  assert_memory_equal(read->texts, image->texts, image->num_texts);
  // What a program does with packets does not depend on who reads its arrays.
  assert_int_equal(plain->num_writes, read->num_writes);
  assert_memory_equal(plain->writes, image->writes, plain->num_writes * sizeof *plain->writes);
  unlink(path);
}

TEST(images_that_lie_are_refused) {
  static const char *const lies[][3] = {
      {"\"name\":\"a\",\"file\"", "\"name\":\"a b\",\"file\"", "'name' is no name"},
      {"\"file\":\"test.dom\"", "\"file\":\"a\\\"b\"", "'file' is no name"},
      {"\"name\":\"first\",\"scalar\"", "\"name\":\"fifth\",\"scalar\"",
       "is no array of the program"},
      {"\"first\":1,\"num\":10", "\"first\":31,\"num\":10", "more than its array"},
      {"\"first\":1,\"num\":10", "\"first\":-1,\"num\":10", "no number of entries"},
      {"\"scalar\":false,\"first\":1", "\"scalar\":true,\"first\":1", "a scalar is entry 0"},
      {"\"scalar\":false,\"first\":1", "\"scalar\":3,\"first\":1", "not true or false"},
      {"\"line\":5", "\"line\":0", "is no place"},
      {"\"text\":\" \"", "\"text\":7", "no text"},
      {"\"text\":\" \"", "\"text\":\"a\\u0000b\"", ""},
      {"PORT.PACKETS", "PORT.NONE", "no register of the chip"},
      {"PORT.PACKETS", "PORTPACKETS", "has no name"},
      {"PORT.PACKETS", "PORT.a b", "has no name"},
      {"\"first\":1,\"num\":2", "\"first\":3,\"num\":2", "no register of the chip"},
      {"\"first\":1,\"num\":2", "\"first\":1,\"num\":0", "no number of instances"},
      {"\"reactions\": [", "\"reactions\": 7, \"other\": [", "no key 'other' is known"},
      {"\"line\":5", "\"line\":5,\"when\":1", "no key 'when' is known"},
      {"\"scalar\":false", "\"scalar\":false,\"unchanged\":1", "unchanged"},
      {"\"scalar\":false", "\"scalar\":false,\"last\":1", "no key 'last' is known"},
  };
  struct sluice_image *image CLOSED_BY(close_image) =
      program_with("reaction a(first[1..10], PORT.PACKETS[1..2]) unchanged(first) { }", "marks");
  struct sluice_image *read;
  char path[] = "/tmp/sluice-test-XXXXXX", *text CLOSED_BY(freed), *changed CLOSED_BY(freed);
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  GOOD(sluice_image_save(image, path, &error));
  text = text_of(path);
  changed = calloc(1, 1 << 20);
  unlink(path);
  for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
    const char *at = strstr(text, lies[i][0]);
    if (!at) fail_msg("'%s' is not in the image", lies[i][0]);
    snprintf(changed, 1 << 20, "%.*s%s%s", (int)(at - text), text, lies[i][1],
             at + strlen(lies[i][0]));
    error.text[0] = 0;
    assert_int_equal(sluice_image_parse(&read, changed, strlen(changed), "x", NULL, &error),
                     SLUICE_ERR_FORMAT);
    if (!strstr(error.text, lies[i][2])) fail_msg("'%s' does not say '%s'", error.text, lies[i][2]);
  }
}

TEST(wrong_c_is_told_at_its_line) {
  struct reaction_build built CLOSED_BY(reaction_build_release);
  char *messages;
  // Malleables can be read only; line 8 has what is wrong.
  struct sluice_image *image CLOSED_BY(close_image) =
      program_with("reaction a(first) {\n  int x = first[0];\n  (void)x;\n  low = 3;\n}", "marks");
  SAYS(SLUICE_ERR_FORMAT, "not correct C", reaction_build(&built, image, NULL, &messages, &error));
  assert_non_null(messages);
  if (!strstr(messages, "test.dom:8:")) fail_msg("%s", messages);
  free(messages);
  sluice_image_close(image);
  // A warning is told, and no more. Columns are those of the program.
  image = program_with("reaction a() { int unused;\n}", "marks");
  GOOD(reaction_build(&built, image, "some where/x.dom", &messages, &error));
  if (!messages || !strstr(messages, "some where/x.dom:5:20: warning:"))
    fail_msg("%s", messages ? messages : "nothing");
  free(messages);
  reaction_build_release(&built);
  sluice_image_close(image);
  // Nothing to say of what is right; names in texts and members are left alone, macros are known.
  image = program_with("reaction a(first, second[3..5]) { struct { int low; } s = {low}; if (s.low "
                       "> ENTRIES) set_low(first[2] + second[4]);\n"
                       "  printf(\"low %d %d %d\", (int)low, (int)high, s.low); }",
                       "marks");
  GOOD(reaction_build(&built, image, NULL, &messages, &error));
  if (messages) fail_msg("%s", messages);
}

// ---- a process ----------------------------------------------------------------------------------

struct life {
  struct sluice_image *image;
  struct reaction_build built;
  struct reaction_process *p;
  struct reaction_effects effects;
  int32_t values[REACTION_MAX_PARAMS], words[200];
};

static void begin_with(struct life *l, const char *reactions, double limit) {
  const struct reaction_process_options options = {.limit = limit, .say = hear_line};
  char *messages;
  memset(l, 0, sizeof *l);
  heard[0] = 0;
  l->image = program_with(reactions, "marks");
  GOOD(reaction_build(&l->built, l->image, NULL, &messages, &error));
  free(messages);
  l->values[0] = 5;
  l->values[1] = 6;
  GOOD(reaction_process_start(&l->p, &l->built, 0, 2, reaction_num_words(&l->image->reactions[0]),
                              &options, &error));
}
static void end(struct life *l) {
  reaction_process_end(l->p);
  reaction_build_release(&l->built);
  sluice_image_close(l->image);
}
static enum sluice_status run(struct life *l) {
  return reaction_process_run(l->p, REACTION_TAKEN, l->values, l->words, &l->effects, &error);
}
// What malleable `param` was set to; -1: it was not.
static int64_t set_to(const struct life *l, unsigned param) {
  for (unsigned i = 0; i < l->effects.num; i++)
    if (l->effects.list[i].param == param) return l->effects.list[i].value;
  return -1;
}

TEST(arguments_come_and_effects_go) {
  struct life l CLOSED_BY(end);
  begin_with(&l,
             "reaction a(first[1..10], second) { set_low(first[1] + 1000 * first[10]); "
             "set_high(second[39] + first[0]); }",
             0);
  for (int n = 0; n < 3; n++) {
    l.words[0] = 17 + n;
    l.words[9] = 2;
    l.words[49] = 99;
    GOOD(run(&l));
    // Entries are called as in the program: [10] is the last of the slice.
    assert_int_equal(set_to(&l, 0), 2017 + n);
    assert_int_equal(set_to(&l, 1), 99);
  }
}

TEST(of_several_writes_the_last_counts) {
  struct life l CLOSED_BY(end);
  begin_with(&l,
             "reaction a(first) {\n  for (int i = 0; i < 5; i++) { int x = 10 + i; set_low(x); }\n"
             "  if (first[0] > 3) set_low(20); else set_low(low + 100);\n}",
             0);
  GOOD(run(&l));
  assert_int_equal(l.effects.num, 1);
  assert_int_equal(set_to(&l, 0), 114);  // reading it gives what was set last
  l.words[0] = 4;
  GOOD(run(&l));
  assert_int_equal(set_to(&l, 0), 20);
}

TEST(static_state_lives) {
  struct life l CLOSED_BY(end);
  begin_with(&l,
             "reaction a(first) { static int32_t last = -1; static int runs; runs++; if (first[0] "
             "!= last) set_low(runs); last = first[0]; }",
             0);
  for (int n = 1; n < 6; n++) {
    l.words[0] = n / 2;  // as it was, every other time: nothing is older than what was read before
    GOOD(run(&l));
    assert_int_equal(set_to(&l, 0), n == 1 || n % 2 == 0 ? n : -1);
  }
  // A counter that wraps comes as it is.
  l.words[0] = INT32_MIN;
  GOOD(run(&l));
  assert_int_equal(set_to(&l, 0), 6);
}

TEST(out_of_range_is_told_with_its_line) {
  struct life l CLOSED_BY(end);
  struct sluice_setting settings[REACTION_MAX_PARAMS];
  struct sluice_plan *plan CLOSED_BY(close_plan);
  unsigned num;
  begin_with(&l, "reaction a() {\n  set_high(7);\n  set_low(1LL << 32 | 5);\n  set_low(3);\n}", 0);
  GOOD(sluice_plan_open(&plan, "marks", NULL, &error));
  GOOD(sluice_plan_add(plan, l.image, 3, &error));
  GOOD(run(&l));
  SAYS(SLUICE_ERR_RANGE, "line 7 sets 'low' to 4294967301, legal is 1..4000",
       reaction_settings(l.image, plan, 3, &l.effects, settings, &num, &error));
  assert_int_equal(num, 0);
  // Values that a malleable has already are no change.
  l.effects = (struct reaction_effects){.num = 2, .list = {{0, 1, 1}, {1, 1, 9}}};
  GOOD(reaction_settings(l.image, plan, 3, &l.effects, settings, &num, &error));
  assert_int_equal(num, 1);
  assert_string_equal(settings[0].name, "high");
  assert_int_equal(settings[0].value, 9);
  l.effects.list[0].param = 2;
  SAYS(SLUICE_ERR_FORMAT, "no malleable 2",
       reaction_settings(l.image, plan, 3, &l.effects, settings, &num, &error));
  SAYS(SLUICE_ERR_DIFFERS, "not those of program",
       reaction_settings(l.image, plan, 4, &l.effects, settings, &num, &error));
}

TEST(choices_have_names) {
  struct sluice_image *image = compiled_text(
      "struct Packet { int f1 @ bytes(60, 2); int f2 @ bytes(62, 2); int o @ bytes(80, 2); };\n"
      "malleable field key = p.f1 among { p.f1, p.f2 };\n"
      "reaction turn() { if (key == key_f1) set_key(key_f2); else set_key(key_f1); }\n"
      "void f(struct Packet p) { p.o = key; }\n",
      "marks");
  struct life l CLOSED_BY(end) = {.image = image};
  struct sluice_setting settings[REACTION_MAX_PARAMS];
  struct sluice_plan *plan CLOSED_BY(close_plan);
  char *messages;
  unsigned num;
  const struct reaction_process_options options = {.limit = 0};
  assert_non_null(image);
  GOOD(reaction_build(&l.built, image, NULL, &messages, &error));
  assert_null(messages);
  GOOD(reaction_process_start(&l.p, &l.built, 0, 1, 0, &options, &error));
  GOOD(sluice_plan_open(&plan, "marks", NULL, &error));
  GOOD(sluice_plan_add(plan, image, 3, &error));
  GOOD(run(&l));
  GOOD(reaction_settings(image, plan, 3, &l.effects, settings, &num, &error));
  assert_int_equal(num, 1);
  assert_string_equal(settings[0].choice, "f2");
  l.values[0] = 1;
  GOOD(run(&l));
  assert_int_equal(set_to(&l, 0), 0);
}

TEST(what_it_prints_is_heard) {
  struct life l CLOSED_BY(end);
  begin_with(&l,
             "reaction a() { static int n; fprintf(stderr, \"low %d %d %d\\npart\", (int)low, "
             "(int)high, (int)low); printf(\"out\\n\"); if (n++) for (int i = 0; i < 3000; i++) "
             "fprintf(stderr, \"line %d\\n\", i); }",
             0);
  GOOD(run(&l));
  HEARD("low 5 6 5\n");
  // More than a pipe holds.
  GOOD(run(&l));
  HEARD("line 1000\n");
}

// Every way to go wrong: told, with the line if one is known, and this process lives.
TEST(whatever_goes_wrong_is_told) {
  static const struct {
    const char *body, *says;
    double limit;
  } ways[] = {
      {"volatile int *p = 0;\n *p = 1;", "line 7: signal 11", 0},
      {"abort();", "line 6: signal 6", 0},
      {"volatile int z = 0;\n set_low(7 / z);", "line 7: signal 8", 0},
      {"char s[20]; memset(s, 1, first[0] ? 1 : 50000000); set_low(s[0]);", "", 0},
      {"for (volatile int x = 0;;) x++;", "line 6: no answer within 0.2 s", 0.2},
      // Longer than its limit, which is the thing under test.
      {"extern unsigned sleep(unsigned); sleep(100);", "line 6: no answer within 0.2 s", 0.2},
      {"exit(0);", "ended itself, with exit code 0", 0},
      {"_Exit(3);", "ended itself, with exit code 3", 0},
      {"extern long write(int, const void *, size_t); for (int i = 0; i < 20; i++) if (write(i, "
       "\"garbage, garbage\", 16)) {}",
       "no answer", 0},
      {"extern long write(int, const void *, size_t); for (int i = 3; i < 20; i++) if (write(i, "
       "\"x\", 1)) {}",
       "no answer", 0},
      {"extern int close(int); for (int i = 0; i < 20; i++) close(i);", "", 0},
      {"extern int close(int); for (int i = 0; i < 20; i++) close(i);\n for (;;) {}", "", 0.2},
      {"extern int raise(int); raise(9);", "signal 9", 0},
      {"extern void (*signal(int, void (*)(int)))(int); signal(15, (void (*)(int))1); for (;;) {}",
       "no answer within 0.2 s", 0.2},
      {"extern int fork(void); if (fork()) exit(1); for (;;) {}", "", 0.2},
  };
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
    struct life l CLOSED_BY(end);
    char text[600];
    snprintf(text, sizeof text, "reaction a(first) {\n %s\n}", ways[i].body);
    begin_with(&l, text, ways[i].limit);
    error.text[0] = 0;
    if (run(&l) != SLUICE_ERR_IO) fail_msg("%s: nobody minds", ways[i].body);
    if (!strstr(error.text, ways[i].says))
      fail_msg("%s: '%s' does not say '%s'", ways[i].body, error.text, ways[i].says);
    SAYS(SLUICE_ERR_IO, "is no more", run(&l));
  }
}

static void idle_turns_go_on(void *user) { ++*(unsigned *)user; }
TEST(others_go_on_while_a_body_takes_long) {
  struct life l CLOSED_BY(end);
  unsigned turns = 0;
  begin_with(&l, "reaction a() { for (volatile int i = 0; i < 100000000; i++) {} set_low(7); }",
             20);
  reaction_process_end(l.p);
  const struct reaction_process_options options = {
      .limit = 20, .idle = idle_turns_go_on, .user = &turns};
  GOOD(reaction_process_start(&l.p, &l.built, 0, 2, 0, &options, &error));
  turns = 0;
  GOOD(run(&l));
  assert_int_equal(set_to(&l, 0), 7);
  assert_true(turns > 3);
}

// ---- the bus ------------------------------------------------------------------------------------

TEST(a_bus_is_read) {
  static const struct {
    const char *text, *same;
  } good[] = {{"none", "none"},
              {"pcie", "read=900,write=4,width=16,code=0"},
              {"read=500", "read=500,write=4,width=16,code=0"},
              {"code=100,width=64,write=1,read=0", "read=0,write=1,width=64,code=100"}};
  static const char *const bad[] = {
      "",        "usb",     "read",          "read=",       "read=-1",
      "read=1,", "width=0", "write=1000001", "pcie,read=1", "read=1x"};
  struct reaction_bus bus;
  char text[80];
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
    GOOD(reaction_bus_parse(&bus, good[i].text, &error));
    reaction_bus_text(&bus, text, sizeof text);
    assert_string_equal(text, good[i].same);
  }
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    SAYS(SLUICE_ERR_RANGE, "bus: '", reaction_bus_parse(&bus, bad[i], &error));
}

// A read takes its time, a write its own, a frame by its bytes, an answer once.
TEST(a_bus_takes_its_time) {
  struct sluice_transport model CLOSED_BY(sluice_transport_close);
  struct reaction_meter meter;
  uint32_t start, now, two[2];
  uint8_t frame[100] = {0};
  GOOD(sluice_transport_model(&model, "marks", NULL, &error));
  reaction_meter_init(&meter, &model);
  GOOD(reaction_bus_parse(&meter.bus, "read=1000,write=10,width=16,code=7", &error));
  const struct sluice_transport *to = &meter.to;
  for (int on = 0; on < 2; on++) {
    meter.on = on;
    const uint32_t took[] = {on ? 1000 : 0, on ? 1000 : 0, on ? 2000 : 0,
                             on ? 10 : 0,   on ? 70 : 0,   on ? 7 : 0};
    for (unsigned k = 0; k < 6; k++) {
      GOOD(reaction_meter_now(&meter, &start, &error));
      if (k == 0)
        GOOD(to->ops->csr_read(to->self, SLUICE_CHIP_BASE + SLUICE_CHIP_BANK, two, &error));
      if (k == 1)
        GOOD(to->ops->csr_read_many(to->self, SLUICE_CHIP_BASE + SLUICE_CHIP_CUT_STATUS, 2, two,
                                    &error));
      if (k == 2)
        GOOD(to->ops->csr_read_many(to->self, SLUICE_CHIP_BASE + SLUICE_CHIP_CUT, 2, two, &error));
      if (k == 3)
        GOOD(to->ops->csr_write(to->self, SLUICE_CHIP_BASE + SLUICE_CHIP_RECALL, 0, &error));
      if (k == 4) GOOD(to->ops->control_send(to->self, frame, sizeof frame, &error));
      if (k == 5) GOOD(reaction_meter_code(&meter, &error));
      GOOD(reaction_meter_now(&meter, &now, &error));
      // The model counts an access as a cycle.
      assert_in_range(now - start, took[k], took[k] + 4);
    }
  }
  FIELDS_ARE(&meter.traffic, (reads, 4), (writes, 1), (transfers, 7));
}
