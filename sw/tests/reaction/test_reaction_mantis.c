// SPDX-License-Identifier: Apache-2.0
// Mantis' sample programs, in our language (sw/programs/reactions/mantis), on the reference model:
// each does what the paper says of it. Then the nine defects of its published compiler, a test
// each: none of them is here. And arguments that are fields of the last packet before the cut.
#include "tests/rig/test.h"
#include "base/bytes.h"
#include "base/rng.h"
#include "tests/rig/reaction_sim.h"

// ---- packets ------------------------------------------------------------------------------------

static uint32_t word_at(const uint8_t *bytes, unsigned at, unsigned len) {
  return (uint32_t)sluice_get(bytes + at, len);
}
static void put(uint8_t *bytes, unsigned at, unsigned len, uint32_t word) {
  sluice_put(bytes + at, len, word);
}

static void open_sample(struct sim *s, const char *name) {
  char path[100];
  snprintf(path, sizeof path, "sw/programs/reactions/mantis/%s.dom", name);
  sim_open(s, sim_text(path, NULL), "react", "none", NULL, NULL);
}
static void open_text(struct sim *s, const char *text) {
  sim_open(s, text, "react", "none", NULL, NULL);
}
static void dialogue(struct sim *s) {
  bool ran;
  GOOD(reactions_step(s->rs, &ran, &error));
  assert_true(ran);
}
// A packet with words where the program has its fields; what leaves is s->out.
static void send(struct sim *s, const uint32_t (*words)[3]) {
  uint8_t bytes[64];
  sim_udp(bytes, 1, 2, 3, 4);
  for (; words && (*words)[1]; words++) put(bytes, (*words)[0], (*words)[1], (*words)[2]);
  if (sim_send(s, 0, bytes, sizeof bytes) < 0) fail_msg("a packet is lost");
}
#define SEND(S, ...) send(S, (const uint32_t[][3]){__VA_ARGS__, {0, 0, 0}})
#define OUT(S, AT, LEN) word_at((S)->out.bytes, AT, LEN)

static void choose(struct sim *s, const char *name, const char *choice) {
  const struct sluice_setting set = {.vid = 1, .name = name, .choice = choice};
  GOOD(sluice_chip_set_params(s->chip, &set, 1, NULL, &error));
}

// ---- the samples --------------------------------------------------------------------------------

TEST(figure4_a_value_is_2_and_3_in_turn) {
  struct sim s CLOSED_BY(sim_close);
  open_sample(&s, "figure4");
  SEND(&s, {50, 4, 100});
  assert_int_equal(OUT(&s, 46, 4), 101);  // before the first run
  for (unsigned n = 0; n < 6; n++) {
    dialogue(&s);
    SEND(&s, {50, 4, 100 + n});
    assert_int_equal(OUT(&s, 46, 4), 100 + n + (n % 2 ? 3 : 2));
  }
  assert_int_equal(sim_info(&s).words, 0);
  assert_int_equal(sim_info(&s).changes, 6);
}

// Two fields, and two user's entries: one entry of each here, whatever the choices are.
TEST(figure5_a_field_is_written) {
  struct sim s CLOSED_BY(sim_close);
  struct sluice_table_desc t;
  open_sample(&s, "figure5");
  for (unsigned n = 0; n < 4; n++) {
    const bool bar = n % 2;
    choose(&s, "target", bar ? "bar" : "foo");
    SEND(&s, {46, 4, 1}, {50, 4, 2}, {54, 4, 33 + n}, {58, 2, 7});
    assert_int_equal(OUT(&s, 46, 4), bar ? 1 : 33 + n);
    assert_int_equal(OUT(&s, 50, 4), bar ? 33 + n : 2);
    SEND(&s, {46, 4, 1}, {50, 4, 2}, {54, 4, 33 + n}, {58, 2, 8});  // no entry
    assert_int_equal(OUT(&s, 46, 4), 1);
    assert_int_equal(OUT(&s, 50, 4), 2);
  }
  assert_true(sluice_plan_table(sluice_chip_plan(s.chip), 1, 0, &t));
  assert_int_equal(t.used, 1);
}

TEST(figure6_a_field_is_key_and_operand) {
  struct sim s CLOSED_BY(sim_close);
  struct sluice_table_desc t;
  open_sample(&s, "figure6");
  for (unsigned n = 0; n < 4; n++) {
    const bool bar = n % 2;
    choose(&s, "source", bar ? "bar" : "foo");
    SEND(&s, {46, 4, 0x1234}, {50, 4, 0x3456});
    assert_int_equal(OUT(&s, 54, 4), bar ? 0x3456 + 2 : 0x1234 + 1);
    SEND(&s, {46, 4, 0x1234}, {50, 4, 0x5678});
    assert_int_equal(OUT(&s, 54, 4), bar ? 0 : 0x1234 + 1);
  }
  assert_true(sluice_plan_table(sluice_chip_plan(s.chip), 1, 0, &t));
  assert_int_equal(t.used, 2);
}

TEST(field_arg_fields_are_of_the_last_packet) {
  struct sim s CLOSED_BY(sim_close);
  open_sample(&s, "field_arg");
  dialogue(&s);
  for (uint32_t n = 1; n < 200; n++) SEND(&s, {46, 1, n}, {47, 1, 255 - n}, {48, 4, n << 24 | n});
  dialogue(&s);
  SEND(&s, {46, 1, 0x81}, {47, 1, 0x18}, {48, 4, 77});
  dialogue(&s);
  dialogue(&s);  // no packet meanwhile
  assert_string_equal(heard, "show/1: 0 0 0\nshow/1: 199 56 -956301113\nshow/1: 129 24 77\n"
                             "show/1: 129 24 77\n");
  assert_int_equal(sim_info(&s).words, 3);
}

TEST(mbl_table_an_entry_is_one_and_the_other) {
  struct sim s CLOSED_BY(sim_close);
  open_sample(&s, "mbl_table");
  SEND(&s, {46, 2, 1}, {48, 2, 5});
  assert_int_equal(OUT(&s, 48, 2), 5);
  for (unsigned n = 0; n < 7; n++) {
    dialogue(&s);
    SEND(&s, {46, 2, 1});
    assert_int_equal(OUT(&s, 48, 2), n == 0 ? 0x88 : n % 2 ? 0x90 : 0x89);
    SEND(&s, {46, 2, 2});
    assert_int_equal(OUT(&s, 48, 2), 0x2222);
    GOOD(sluice_chip_audit(s.chip, &error));  // both banks
  }
  assert_string_equal(heard, "");
}

TEST(table_add_del_mod_is_done_at_once) {
  static const unsigned values[] = {0, 101, 0, 333, 104, 105, 0};
  struct sim s CLOSED_BY(sim_close);
  open_sample(&s, "table_add_del_mod");
  for (unsigned n = 0; n < 3; n++) {
    dialogue(&s);
    for (unsigned kind = 0; kind < 7; kind++) {
      SEND(&s, {46, 2, kind});
      assert_int_equal(OUT(&s, 48, 2), values[kind]);
    }
  }
  assert_int_equal(sim_info(&s).changes, 1);
  assert_string_equal(heard, "");
}

// 250 sources with 2 Gb/s together, one with 25 Gb/s: the paper has it blocked about 100
// microseconds behind its first packet.
enum { SOURCES = 250, BENIGN_GAP = 2200, FLOOD_GAP = 176, ATTACKER = 0x0b00abcd };
struct flood {
  struct sluice_rng rng;
  uint64_t next_benign, next_flood, begun, blocked;
  unsigned long benign, lost, through;
};
static void flood_event(struct sim *s, void *user) {
  struct flood *f = user;
  uint8_t bytes[64];
  if (f->next_flood <= f->next_benign) {
    sim_udp(bytes, ATTACKER, 1, 1, 2);
    if (!f->begun) f->begun = s->now;
    if (sim_send(s, 1, bytes, sizeof bytes) >= 0) f->through++;
    else if (!f->blocked) f->blocked = s->now;
    f->next_flood += FLOOD_GAP;
  } else {
    sim_udp(bytes, 0x0a000000u + (uint32_t)sluice_rng_below(&f->rng, SOURCES), 1, 1, 2);
    f->lost += sim_send(s, 0, bytes, sizeof bytes) < 0;
    f->benign++;
    f->next_benign += BENIGN_GAP / 2 + sluice_rng_below(&f->rng, BENIGN_GAP);
  }
  s->next = f->next_flood < f->next_benign ? f->next_flood : f->next_benign;
}

TEST(dos_a_flood_is_blocked_in_100_microseconds) {
  struct sim s;
  uint64_t most = 0;
  for (uint64_t seed = 1; seed <= 3; seed++) {
    struct flood f = {.next_benign = 1, .next_flood = 100000};
    sluice_rng_init(&f.rng, seed, "dos");
    sim_open(&s, sim_text("sw/programs/reactions/mantis/dos.dom", NULL), "react", "pcie",
             flood_event, &f);
    sim_run(&s, s.now + 700000);
    HEARD("0b00abcd: ");
    assert_int_equal(f.lost, 0);
    if (!f.blocked) fail_msg("seed %llu: the flood is not blocked", (unsigned long long)seed);
    const uint64_t took = f.blocked - f.begun;
    if (took > most) most = took;
    assert_true(took <= 100000 && f.benign > 200);
    assert_int_equal(sim_info(&s).errors, 0);
    sim_close(&s);
  }
  print_message("blocked at most %llu cycles behind the first packet\n", (unsigned long long)most);
}

// ---- the nine defects ---------------------------------------------------------------------------

// A program of two malleables and two tables, all of which each packet carries, around reactions.
static const char *around(const char *reactions) {
  static char text[6000];
  snprintf(
      text, sizeof text,
      "#define SRC 1\n"
      "#define PUT one_set_mark\n"
      "struct Packet { int src @ ipv4.src; int out @ meta.port_out; int i @ bytes(46, 2); int v @ "
      "bytes(48, 4); int a @ bytes(52, 2); int b @ bytes(54, 2); int m @ bytes(56, 2); int n @ "
      "bytes(58, 2); };\n"
      "malleable int m = 1 in 0..4000; malleable int n = 1 in 0..4000;\n"
      "int first[16] = {0};\n"
      "void mark(struct Packet p, int with : 16) { p.a = with; }\n"
      "void tell(struct Packet p, int with : 16) { p.b = with; }\n"
      "malleable table one { key: p.src: exact; actions: mark; size: 16; default: mark(1); }\n"
      "malleable table two { key: p.src: ternary; actions: tell; size: 8; default: tell(1); }\n"
      "%s\n"
      "void f(struct Packet p) { first[p.i] = p.v; apply(one); apply(two); p.m = m; p.n = n; p.out "
      "= 1; }\n",
      reactions);
  return text;
}

// Two calls on one entry in different branches, and calls in a loop with local variables: the last
// one counts, once, and in both banks.
TEST(defect_1_the_last_of_several_writes_counts_in_both_banks) {
  struct sim s CLOSED_BY(sim_close);
  open_text(
      &s,
      around("reaction r() { static int turn; turn++;\n"
             "  for (int i = 0; i < 5; i++) { int x = 100 * turn + i; one_set_mark(SRC, x); "
             "set_m(x); }\n"
             "  if (turn % 2) two_set_tell(SRC, -1, 1, 7); else two_set_tell(SRC, -1, 1, 8); }"));
  for (unsigned turn = 1; turn < 6; turn++) {
    dialogue(&s);
    SEND(&s, {48, 4, 0});
    assert_int_equal(OUT(&s, 52, 2), 100 * turn + 4);
    assert_int_equal(OUT(&s, 56, 2), 100 * turn + 4);
    assert_int_equal(OUT(&s, 54, 2), turn % 2 ? 7 : 8);
    GOOD(sluice_chip_audit(s.chip, &error));
  }
}

TEST(defect_2_a_slice_is_from_its_first_to_its_last_entry) {
  struct sim s CLOSED_BY(sim_close);
  open_text(&s, around("reaction r(first[1..10]) { for (int i = 1; i <= 10; i++) printf(\"%d \", "
                       "first[i]); printf(\"\\n\"); }"));
  for (unsigned i = 0; i < 16; i++) SEND(&s, {46, 2, i}, {48, 4, 1000 + i});
  dialogue(&s);
  assert_string_equal(heard, "r/1: 1001 1002 1003 1004 1005 1006 1007 1008 1009 1010 \n");
  assert_int_equal(sim_info(&s).words, 10);
}

// What no packet has touched between two runs is what it was, not what lay on a stack.
TEST(defect_3_what_has_not_changed_is_read_as_it_is) {
  struct sim s CLOSED_BY(sim_close);
  open_text(
      &s,
      around("reaction r(first) { volatile int stack[100]; for (int i = 0; i < 100; i++) stack[i] "
             "= -1; (void)stack[7]; printf(\"%d %d %d\\n\", first[3], first[4], first[5]); }"));
  for (unsigned n = 0; n < 5; n++) {
    if (n != 3) SEND(&s, {46, 2, 3}, {48, 4, 10 + n});
    if (n == 1) SEND(&s, {46, 2, 4}, {48, 4, 99});
    dialogue(&s);
  }
  assert_string_equal(heard,
                      "r/1: 10 0 0\nr/1: 11 99 0\nr/1: 12 99 0\nr/1: 12 99 0\nr/1: 14 99 0\n");
}

// Fields that Mantis packs into one register: each has its own bits.
TEST(defect_4_small_fields_do_not_get_each_others_bits) {
  struct sim s CLOSED_BY(sim_close);
  open_sample(&s, "field_arg");
  SEND(&s, {46, 1, 0xaa}, {47, 1, 0x55}, {48, 4, 0x01020304});
  dialogue(&s);
  assert_string_equal(heard, "show/1: 170 85 16909060\n");
}

// Three arguments in one call, in texts and comments, names that begin alike.
TEST(defect_5_names_of_arguments_are_not_rewritten) {
  struct sim s CLOSED_BY(sim_close);
  open_text(
      &s,
      "struct Packet { int f @ bytes(46, 1); int fo @ bytes(47, 1); int foo @ bytes(48, 2); int "
      "out @ meta.port_out; };\n"
      "reaction r(last(p.f), last(p.fo), last(p.foo)) { /* last(p.f), last_fo */ int xlast_f = 5;\n"
      "  printf(\"last_f %d, last(p.fo) %d, last_foo %d %d\\n\", last_f, last_fo, last_foo, "
      "xlast_f); }\n"
      "void pass(struct Packet p) { p.out = 1; }\n");
  SEND(&s, {46, 1, 1}, {47, 1, 2}, {48, 2, 3});
  dialogue(&s);
  assert_string_equal(heard, "r/1: last_f 1, last(p.fo) 2, last_foo 3 5\n");
}

// Malleables and fields behind everything else, where Mantis has its egress: there is one pipeline
// of stages, and what is set is there in the last of them, at the same packet.
TEST(defect_6_the_end_of_a_program_has_malleables_and_arguments_too) {
  struct sim s CLOSED_BY(sim_close);
  open_text(
      &s,
      "struct Packet { int v @ bytes(46, 4); int w @ bytes(50, 4); int out @ meta.port_out; };\n"
      "malleable int early = 0 in 0..2000; malleable int late = 0 in 0..2000;\n"
      "int total = 0;\n"
      "reaction r(total, last(p.v)) { set_early(total); set_late(total); printf(\"%d\\n\", "
      "last_v); }\n"
      "void f(struct Packet p) { p.v = p.v + early; total += p.v; p.w = total + late; p.out = 1; "
      "}\n");
  SEND(&s, {46, 4, 5});
  dialogue(&s);
  SEND(&s, {46, 4, 5});
  assert_int_equal(OUT(&s, 46, 4), 10);
  assert_int_equal(OUT(&s, 50, 4), 20);
  dialogue(&s);
  assert_string_equal(heard, "r/1: 5\nr/1: 10\n");
}

// The entries of a program are the same whoever reads its arrays, or nobody.
TEST(defect_7_arrays_that_nobody_reads_cost_nothing) {
  char with[6000];
  strcpy(with, around("reaction r(first) { set_m(first[0] & 7); }"));
  struct sluice_image *read CLOSED_BY(close_image) = compiled_text(with, "react"),
                            *plain CLOSED_BY(close_image) =
                                compiled_text(around("reaction r() { }"), "react"),
                            *none CLOSED_BY(close_image) = compiled_text(around(""), "react");
  assert_true(read && plain && none);
  assert_int_equal(read->num_writes, none->num_writes);
  assert_memory_equal(read->writes, none->writes, none->num_writes * sizeof *none->writes);
  assert_int_equal(plain->num_writes, none->num_writes);
  assert_memory_equal(plain->writes, none->writes, none->num_writes * sizeof *none->writes);
}

// Counters and clocks that wrap: nothing is older than what was read before.
TEST(defect_8_numbers_may_wrap) {
  struct sim s CLOSED_BY(sim_close);
  const uint32_t last = UINT32_MAX;
  open_text(&s, "struct Packet { int i @ bytes(46, 2); int out @ meta.port_out; };\n"
                "int count[4] = {0};\n"
                "reaction r(count) { printf(\"%d\\n\", count[2]); }\n"
                "void f(struct Packet p) { count[p.i] += 1; p.out = 1; }\n");
  GOOD(sluice_chip_state_write(s.chip, 1, "count", 2, 1, &last, &error));
  dialogue(&s);
  SEND(&s, {46, 2, 2});
  dialogue(&s);
  SEND(&s, {46, 2, 2});
  dialogue(&s);
  assert_string_equal(heard, "r/1: -1\nr/1: 0\nr/1: 1\n");
}

// Packets between all operations of the driver see values and tables change together, though the
// text of the reaction names no table: a macro does.
struct mix {
  unsigned packets, mixed, changes, last;
};
static bool mix_before(void *user, enum sluice_filter_call op, uint64_t cycles) {
  struct sim *s = user;
  struct mix *mix = s->user;
  (void)op, (void)cycles;
  SEND(s, {48, 4, 0});
  mix->packets++;
  const unsigned m = OUT(s, 56, 2);
  mix->mixed += m != OUT(s, 52, 2) || m != OUT(s, 58, 2);
  mix->changes += m != mix->last;
  mix->last = m;
  return true;
}
TEST(defect_9_tables_and_values_change_at_one_packet) {
  struct sim s CLOSED_BY(sim_close);
  struct mix mix = {.last = 1};
  open_text(
      &s,
      around("reaction r() { const int to = m % 4000 + 1; set_m(to); PUT(SRC, to); set_n(to); }"));
  s.user = &mix;
  s.line.before = mix_before;
  for (unsigned n = 0; n < 20; n++) dialogue(&s);
  s.line.before = sim_before;
  print_message("%u packets, %u changes\n", mix.packets, mix.changes);
  FIELDS_ARE(&mix, (mixed, 0), (changes, 20));
}

// ---- fields of the last packet ------------------------------------------------------------------

// A field that the program changes on its way: as it came, before the first statement with state,
// and as it left; and all are of the same packet.
TEST(places_of_a_field) {
  struct sim s CLOSED_BY(sim_close);
  open_text(
      &s,
      "struct Packet { int v @ bytes(46, 4); int t; int out @ meta.port_out; };\n"
      "int sum = 0;\n"
      "reaction r(last(p.v, parser), last(p.v, order), last(p.v, exit), sum) {\n"
      "  printf(\"%d %d %d %d\\n\", last_v_parser, last_v_order, last_v_exit, sum); }\n"
      "void f(struct Packet p) { p.v = p.v + 1000; sum += 1; p.v = p.v + 30000; p.out = 1; }\n");
  for (unsigned n = 0; n < 3; n++) {
    SEND(&s, {46, 4, n});
    dialogue(&s);
  }
  assert_string_equal(heard, "r/1: 0 1000 31000 1\nr/1: 1 1001 31001 2\nr/1: 2 1002 31002 3\n");
}

// Packets between all operations of the driver: what is read together is of one packet, and the
// count is that of the packets before the cut.
static bool same_before(void *user, enum sluice_filter_call op, uint64_t cycles) {
  struct sim *s = user;
  uint32_t *n = s->user;
  (void)op, (void)cycles;
  ++*n;
  SEND(s, {46, 4, *n}, {50, 4, *n * 7});
  return true;
}
TEST(all_fields_are_of_one_packet) {
  struct sim s CLOSED_BY(sim_close);
  uint32_t n = 0;
  open_text(
      &s,
      "struct Packet { int v @ bytes(46, 4); int w @ bytes(50, 4); int out @ meta.port_out; };\n"
      "int total = 0;\n"
      "reaction r(last(p.v), total, last(p.w)) unchanged(last_v) {\n"
      "  if (last_v * 7 != last_w || total != last_v) printf(\"odd\\n\"); }\n"
      "void f(struct Packet p) { total += 1; p.out = 1; }\n");
  s.user = &n;
  s.line.before = same_before;
  for (unsigned i = 0; i < 30; i++) dialogue(&s);
  s.line.before = sim_before;
  assert_string_equal(heard, "");
  assert_true(n > 300);
}
