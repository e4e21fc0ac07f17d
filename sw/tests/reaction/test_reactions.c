// SPDX-License-Identifier: Apache-2.0
// The loop of reactions on a chip (the reference model), with packets between any two operations of
// the driver: what a dialogue reads is of one moment, what it sets appears at one packet. Two
// broken loops are found. A reaction that goes wrong takes nothing with it.
#include "tests/rig/test.h"
#include "tests/rig/reaction_rig.h"
#include "tests/rig/line.h"

enum { ENTRIES = 40, VIDS = 2 };
static const unsigned vids[VIDS] = {3, 5};

// Sums that differ are of two moments; both malleables always change together.
static const char watch[] =
    "reaction watch(first, second) {\n"
    "  int a = 0, b = 0;\n"
    "  for (int i = 0; i < ENTRIES; i++) { a += first[i]; b += second[i]; }\n"
    "  if (a != b) fprintf(stderr, \"odd: %d, %d\\n\", a, b);\n"
    "  set_low(low % 4000 + 1);\n"
    "  set_high(low);\n"
    "}\n";

struct rig {
  struct sluice_filter line;
  bool traffic, tolerant;
  unsigned packets, mixed;  // of each VLAN
  unsigned seen[VIDS], changes[VIDS];
};

static void send_one(struct rig *r, unsigned n) {
  static struct sluice_packet_out out;
  uint8_t bytes[100] = {0};
  udp_head(bytes, vids[n]);
  bytes[40] = 0x12;
  bytes[47] = (uint8_t)(r->packets * 7 % ENTRIES);
  bytes[49] = (uint8_t)(r->packets * 11 % ENTRIES);
  through(r->line.inner, 0, bytes, sizeof bytes, &out);
  if (out.len == 0) fail_msg("a packet of VLAN %u is lost", vids[n]);
  const unsigned low = out.bytes[50] * 256u + out.bytes[51],
                 high = out.bytes[80] * 256u + out.bytes[81];
  r->mixed += low != high;
  if (low != high && !r->tolerant) fail_msg("a packet with low %u and high %u", low, high);
  if (low != r->seen[n]) r->changes[n]++;
  r->seen[n] = low;
}
static bool enter(void *user, enum sluice_filter_call op, uint64_t cycles) {
  struct rig *r = user;
  (void)op, (void)cycles;
  for (unsigned n = 0; n < VIDS && r->traffic; n++) send_one(r, n);
  r->packets += r->traffic;
  return true;
}

static struct rig rig;

static void begin_on(struct reacting *l, const char *chip, const char *reactions,
                     const struct reactions_options *options) {
  rig = (struct rig){.seen = {1, 1}};
  reacting_open(l, chip, program_with(reactions, chip), vids, VIDS, &rig.line, &rig, enter,
                options);
}
static void begin(struct reacting *l, const char *reactions) {
  begin_on(l, "marks", reactions, &(struct reactions_options){.say = hear_named, .limit = 0.5});
}
static int32_t value_of(struct reacting *l, unsigned vid, unsigned n) {
  struct sluice_param_info p = {.value = -1};
  assert_true(sluice_plan_param(sluice_chip_plan(l->chip), vid, n, &p));
  return p.value;
}

// ---- isolation ----------------------------------------------------------------------------------

TEST(a_dialogue_is_of_one_moment_and_appears_at_one_packet) {
  struct reacting l CLOSED_BY(reacting_close);
  begin(&l, watch);
  for (unsigned n = 0; n < VIDS; n++) GOOD(reactions_add(l.rs, vids[n], l.image, NULL, &error));
  rig.traffic = true;
  for (unsigned n = 0; n < 40; n++) step(&l);
  rig.traffic = false;
  assert_string_equal(heard, "");
  for (unsigned n = 0; n < VIDS; n++) {
    const struct reaction_info r = reaction_at(&l, n);
    FIELDS_ARE(&r, (runs, 20), (changes, 20), (errors, 0));
    FIELDS_ARE(&rig, (changes[n], 20), (seen[n], 21));
    assert_true(r.sum.cut && r.sum.read && r.sum.write && r.sum.flip && r.most);
  }
  GOOD(sluice_chip_audit(l.chip, &error));
  print_message("%u packets of each module\n", rig.packets);
}

// The loop by hand, broken in one of two ways.
static void by_hand(struct reacting *l, bool two_cuts, bool two_calls, unsigned dialogues) {
  struct reaction_build built CLOSED_BY(reaction_build_release);
  struct reaction_process *p;
  char *messages;
  int32_t words[2 * ENTRIES], values[REACTION_MAX_PARAMS];
  const struct sluice_reaction *r = &l->image->reactions[0];
  const struct reaction_process_options options = {.say = hear_line};
  GOOD(reaction_build(&built, l->image, NULL, &messages, &error));
  GOOD(reaction_process_start(&p, &built, 0, 2, 2 * ENTRIES, &options, &error));
  for (unsigned n = 0; n < dialogues; n++) {
    struct reaction_effects effects;
    struct sluice_setting settings[REACTION_MAX_PARAMS];
    unsigned num;
    GOOD(sluice_chip_cut_begin(l->chip, &vids[0], 1, NULL, &error));
    if (two_cuts) {
      GOOD(sluice_chip_cut_read(l->chip, vids[0], "first", 0, ENTRIES, (uint32_t *)words, &error));
      GOOD(sluice_chip_cut_begin(l->chip, &vids[0], 1, NULL, &error));
      GOOD(sluice_chip_cut_read(l->chip, vids[0], "second", 0, ENTRIES, (uint32_t *)words + ENTRIES,
                                &error));
    } else {
      GOOD(reaction_read(l->chip, vids[0], r, words, &error));
    }
    GOOD(sluice_chip_cut_end(l->chip, &error));
    GOOD(reaction_values(l->image, sluice_chip_plan(l->chip), vids[0], values, &error));
    GOOD(reaction_process_run(p, REACTION_TAKEN, values, words, &effects, &error));
    GOOD(reaction_settings(l->image, sluice_chip_plan(l->chip), vids[0], &effects, settings, &num,
                           &error));
    assert_int_equal(num, 2);
    for (unsigned i = 0; i < num; i += two_calls ? 1 : num)
      GOOD(sluice_chip_set_params(l->chip, settings + i, two_calls ? 1 : num, NULL, &error));
  }
  reaction_process_end(p);
}

TEST(broken_loops_are_found) {
  for (int broken = 0; broken < 3; broken++) {
    struct reacting l CLOSED_BY(reacting_close);
    begin(&l, watch);
    rig.traffic = rig.tolerant = true;
    by_hand(&l, broken == 1, broken == 2, 6);
    rig.traffic = false;
    assert_int_equal(strstr(heard, "odd: ") != NULL, broken == 1);
    assert_int_equal(rig.mixed != 0, broken == 2);
  }
}

// ---- the loop -----------------------------------------------------------------------------------

TEST(turns_are_in_the_order_of_modules_and_text) {
  struct reacting l CLOSED_BY(reacting_close);
  begin(&l, "reaction zeta(first) { puts(\"z\"); }\nreaction alpha() { puts(\"a\"); }");
  for (unsigned n = VIDS; n--;) GOOD(reactions_add(l.rs, vids[n], l.image, NULL, &error));
  heard[0] = 0;  // arguments that are not used
  for (unsigned n = 0; n < 5; n++) step(&l);
  assert_string_equal(heard, "zeta/5: z\nalpha/5: a\nzeta/3: z\nalpha/3: a\nzeta/5: z\n");
  // What is stopped has no turn.
  heard[0] = 0;
  GOOD(reactions_stop(l.rs, 5, "alpha", &error));
  GOOD(reactions_stop(l.rs, 3, "zeta", &error));
  for (unsigned n = 0; n < 3; n++) step(&l);
  assert_string_equal(heard, "alpha/3: a\nzeta/5: z\nalpha/3: a\n");
  reactions_remove(l.rs, 3);
  reactions_remove(l.rs, 5);
  assert_false(reactions_run(l.rs));
  bool ran;
  GOOD(reactions_step(l.rs, &ran, &error));
  assert_false(ran);
}

TEST(a_period_is_kept) {
  struct reacting l CLOSED_BY(reacting_close);
  unsigned rounds = 0;
  bool ran;
  begin_on(&l, "marks", "reaction a() { }",
           &(struct reactions_options){.say = hear_named, .period = 1000});
  GOOD(reactions_add(l.rs, 3, l.image, NULL, &error));
  for (unsigned n = 0; n < 100; n++) {
    GOOD(rig.line.to.ops->wait(rig.line.to.self, 100, &error));
    GOOD(reactions_step(l.rs, &ran, &error));
    rounds += ran;
  }
  assert_in_range(rounds, 9, 11);
}

TEST(nothing_changed_is_no_transaction) {
  struct reacting l CLOSED_BY(reacting_close);
  begin(&l, "reaction same(first) { set_low(low); set_high(1); }");
  GOOD(reactions_add(l.rs, 3, l.image, NULL, &error));
  for (unsigned n = 0; n < 5; n++) step(&l);
  assert_int_equal(reaction_at(&l, 0).runs, 5);
  assert_int_equal(reaction_at(&l, 0).changes, 0);
  assert_false(l.meter.flipped);
}

// Two writes in branches, in a loop: what is committed is the last, once, and in both banks.
TEST(what_is_set_stays_set) {
  struct reacting l CLOSED_BY(reacting_close);
  begin(&l, "reaction a() { static int n; for (int i = 0; i < 5; i++) set_low(10 + i); if (n++ % "
            "2) set_low(20); else set_low(30); }");
  GOOD(reactions_add(l.rs, 3, l.image, NULL, &error));
  for (unsigned n = 0; n < 6; n++) {
    step(&l);
    assert_int_equal(value_of(&l, 3, 0), n % 2 ? 20 : 30);
    rig.tolerant = true;
    send_one(&rig, 0);
    assert_int_equal(rig.seen[0], n % 2 ? 20 : 30);
    GOOD(sluice_chip_audit(l.chip, &error));
  }
  assert_int_equal(value_of(&l, 5, 0), 1);  // another module's are its own
}

// Others' writes go on beside it, and the reaction sees them.
TEST(legacy_writes_go_on) {
  struct reacting l CLOSED_BY(reacting_close);
  begin(&l, "reaction a(first) { printf(\"%d %d\\n\", low, first[7]); set_high(low); }");
  GOOD(reactions_add(l.rs, 3, l.image, NULL, &error));
  for (unsigned n = 2; n < 5; n++) {
    const struct sluice_setting set = {.vid = 3, .name = "low", .value = n};
    const uint32_t word = 100 + n;
    GOOD(sluice_chip_set_params(l.chip, &set, 1, NULL, &error));
    GOOD(sluice_chip_state_write(l.chip, 3, "first", 7, 1, &word, &error));
    step(&l);
    assert_int_equal(value_of(&l, 3, 1), n);
  }
  assert_string_equal(heard, "a/3: 2 102\na/3: 3 103\na/3: 4 104\n");
}

// A cut that takes long to end holds up what moves state, and no malleables.
static bool cut_is_busy;
static enum sluice_status busy_read(void *self, uint32_t addr, uint32_t *value,
                                    struct sluice_error *e) {
  const enum sluice_status status = sluice_filter_ops.csr_read(self, addr, value, e);
  if (cut_is_busy && addr == SLUICE_CHIP_BASE + SLUICE_CHIP_CUT_STATUS) *value = 2;
  return status;
}

TEST(malleables_do_not_wait_for_a_cut_to_end) {
  struct reacting l CLOSED_BY(reacting_close);
  const struct sluice_setting set = {.vid = 3, .name = "low", .value = 9};
  begin(&l, watch);
  rig.line.ops.csr_read = busy_read;
  GOOD(sluice_chip_cut_begin(l.chip, &vids[0], 1, NULL, &error));
  SAYS(SLUICE_ERR_BUSY, "a cut is there", sluice_chip_set_params(l.chip, &set, 1, NULL, &error));
  GOOD(sluice_chip_cut_end(l.chip, &error));
  cut_is_busy = true;
  GOOD(sluice_chip_set_params(l.chip, &set, 1, NULL, &error));
  SAYS(SLUICE_ERR_IO, "does not end", sluice_chip_update(l.chip, l.image, 3, NULL, &error));
  cut_is_busy = false;
  assert_int_equal(value_of(&l, 3, 0), 9);
  GOOD(sluice_chip_audit(l.chip, &error));
}

// ---- what goes wrong ----------------------------------------------------------------------------

TEST(out_of_range_sets_nothing) {
  struct reacting l CLOSED_BY(reacting_close);
  begin(&l, "reaction a() {\n  static int n;\n  set_high(9);\n  set_low(n++ < 2 ? 4001 : 8);\n}");
  GOOD(reactions_add(l.rs, 3, l.image, NULL, &error));
  for (unsigned n = 0; n < 2; n++) step(&l);
  assert_int_equal(reaction_at(&l, 0).errors, 2);
  assert_int_equal(reaction_at(&l, 0).state, REACTION_RUNS);
  assert_int_equal(value_of(&l, 3, 1), 1);
  // Said once.
  assert_string_equal(
      heard, "a/3: line 8 sets 'low' to 4001, legal is 1..4000: nothing of this run is set\n");
  step(&l);
  assert_int_equal(value_of(&l, 3, 0), 8);
  assert_int_equal(value_of(&l, 3, 1), 9);
}

TEST(others_go_on_when_one_ends) {
  static const char *const ways[] = {"*(volatile int *)0 = 1;", "for (;;) {}", "exit(0);",
                                     "extern long write(int, const void *, size_t); if (write(3, "
                                     "\"garbage, garbage, garbage\", 24)) {}"};
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
    struct reacting l CLOSED_BY(reacting_close);
    char text[900];
    snprintf(text, sizeof text,
             "reaction bad(first) { static int n; set_high(5); if (n++) { %s } }\n%s", ways[i],
             "reaction good(first, second) { set_low(low + 1); }");
    begin_on(&l, "marks", text, &(struct reactions_options){.say = hear_named, .limit = 0.2});
    for (unsigned n = 0; n < VIDS; n++) GOOD(reactions_add(l.rs, vids[n], l.image, NULL, &error));
    heard[0] = 0;
    rig.traffic = rig.tolerant = true;
    for (unsigned n = 0; n < 12; n++) step(&l);
    rig.traffic = false;
    for (unsigned n = 0; n < 4; n++) {
      const struct reaction_info r = reaction_at(&l, n);
      FIELDS_ARE(&r, (state, n % 2 ? REACTION_RUNS : REACTION_ENDED), (errors, n % 2 ? 0 : 1));
      if (n % 2) assert_int_equal(r.changes, r.runs);
      assert_int_equal(r.runs, n % 2 ? r.changes : 1);
      assert_int_equal(r.last_error[0] != 0, n % 2 == 0);
    }
    HEARD("bad/3: ");
    HEARD("it is stopped");
    // Started again it has its initial state.
    GOOD(reactions_start(l.rs, 3, "bad", &error));
    GOOD(reactions_stop(l.rs, 3, "good", &error));
    GOOD(reactions_stop(l.rs, 5, "good", &error));
    step(&l);
    assert_int_equal(reaction_at(&l, 0).state, REACTION_RUNS);
    assert_int_equal(reaction_at(&l, 0).runs, 2);
    GOOD(sluice_chip_audit(l.chip, &error));
  }
}

TEST(what_cannot_be_is_told) {
  struct reacting l CLOSED_BY(reacting_close);
  struct sluice_image *other;
  begin(&l, watch);
  SAYS(SLUICE_ERR_DIFFERS, "malleables of VLAN 9", reactions_add(l.rs, 9, l.image, NULL, &error));
  SAYS(SLUICE_ERR_NOT_FOUND, "no reaction 'none'", reactions_stop(l.rs, 3, "none", &error));
  other = program_with("reaction a() { int; }", "marks");
  GOOD(reactions_add(l.rs, 3, other, NULL, &error));
  sluice_image_close(other);
  other = program_with("reaction a() { wrong }", "marks");
  SAYS(SLUICE_ERR_FORMAT, "not correct C", reactions_add(l.rs, 5, other, NULL, &error));
  HEARD("test.dom:5:");
  assert_false(reactions_get(l.rs, 1, &(struct reaction_info){.vid = 0}));
  sluice_image_close(other);
  reacting_close(&l);
  begin_on(&l, "banks", watch, &(struct reactions_options){.say = NULL});
  SAYS(SLUICE_ERR_UNSUPPORTED, "no shadow memory", reactions_add(l.rs, 3, l.image, NULL, &error));
}

// A cut that somebody else ends: an error of this dialogue, the next one is good.
TEST(a_dialogue_can_fail) {
  struct reacting l CLOSED_BY(reacting_close);
  const struct sluice_setting bad = {.vid = 9, .name = "low", .value = 1};
  begin(&l, "reaction a(first) { static int n; set_low(++n); }");
  GOOD(reactions_add(l.rs, 3, l.image, NULL, &error));
  GOOD(sluice_chip_remove(l.chip, 3, &error));
  step(&l);
  assert_int_equal(reaction_at(&l, 0).errors, 1);
  HEARD("a/3: no module on the chip has VLAN id 3");
  assert_int_not_equal(sluice_chip_set_params(l.chip, &bad, 1, NULL, &error), SLUICE_OK);
  GOOD(sluice_chip_load(l.chip, l.image, 3, &error));
  step(&l);
  assert_int_equal(reaction_at(&l, 0).runs, 1);
  assert_int_equal(reaction_at(&l, 0).errors, 1);
}

// ---- one by one ---------------------------------------------------------------------------------

TEST(stop_and_start_keep_static_state_and_reload_does_not) {
  struct reacting l CLOSED_BY(reacting_close);
  struct sluice_image *other;
  begin(&l, "reaction a(first) { static int n = 1; set_low(++n); }");
  GOOD(reactions_add(l.rs, 3, l.image, NULL, &error));
  step(&l);
  GOOD(reactions_stop(l.rs, 3, "a", &error));
  assert_int_equal(reaction_at(&l, 0).state, REACTION_STOPPED);
  assert_false(reactions_run(l.rs));
  GOOD(reactions_start(l.rs, 3, "a", &error));
  step(&l);
  assert_int_equal(value_of(&l, 3, 0), 3);
  // Another body, other arguments. What is wrong with it is told, and the old one goes on.
  other = program_with("reaction a(second[2..7]) { wrong }", "marks");
  SAYS(SLUICE_ERR_FORMAT, "not correct C", reactions_reload(l.rs, 3, "a", other, NULL, &error));
  sluice_image_close(other);
  other = program_with("reaction b() { }", "marks");
  SAYS(SLUICE_ERR_NOT_FOUND, "has no reaction 'a'",
       reactions_reload(l.rs, 3, "a", other, NULL, &error));
  sluice_image_close(other);
  other = compiled_text("struct Packet { int a @ bytes(46, 4); };\nint x = 0;\nreaction a(x) { "
                        "}\nvoid f(struct Packet p) { x += 1; p.a = x; }",
                        "marks");
  SAYS(SLUICE_ERR_DIFFERS, "malleables of VLAN 3",
       reactions_reload(l.rs, 3, "a", other, NULL, &error));
  sluice_image_close(other);
  step(&l);
  assert_int_equal(value_of(&l, 3, 0), 4);
  other = program_with("reaction b() { }\nreaction a(second[2..7]) { static int n; set_low(100 + "
                       "n++ + second[7]); }",
                       "marks");
  GOOD(reactions_reload(l.rs, 3, "a", other, NULL, &error));
  sluice_image_close(other);
  assert_int_equal(reaction_at(&l, 0).words, 6);
  step(&l);
  assert_int_equal(value_of(&l, 3, 0), 100);
}
