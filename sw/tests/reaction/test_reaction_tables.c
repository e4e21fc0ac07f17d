// SPDX-License-Identifier: Apache-2.0
// Reactions that change tables, on the reference model of shape `react`, with packets between any
// two operations of the driver: entries of two tables and a malleable change at one packet. A loop
// that commits them one after the other is found. What must be unchanged is, or nothing is set.
#include <sluice/transaction.h>

#include "tests/rig/test.h"
#include "tests/rig/reaction_rig.h"
#include "tests/rig/line.h"

enum { VID = 3, SRC = 0x0a000007, PORTS = 4 };

// Each packet carries what the two tables and the malleable say, and counts.
static const char before[] =
    "#define SRC 0x0a000007\n"
    "struct Packet { int in @ meta.port_in; int out @ meta.port_out; int src @ ipv4.src; int dst @ "
    "ipv4.dst; int i @ bytes(46, 2); int one @ bytes(48, 2); int two @ bytes(50, 2); int low @ "
    "bytes(80, 2); };\n"
    "malleable int low = 1 in 1..4000;\n"
    "int first[40] = {0};\n"
    "void mark(struct Packet p, int with : 16) { p.one = with; }\n"
    "void tell(struct Packet p, int with : 16) { p.two = with; }\n"
    "malleable table exact { key: p.src: exact; actions: mark; size: 60; default: mark(0); }\n"
    "table masked { key: p.dst: %s; actions: tell, nothing; size: 12; default: tell(0); }\n";
static const char behind[] = "\nvoid f(struct Packet p) { first[p.i] += 1; apply(exact); "
                             "apply(masked); p.low = low; p.out = p.in ^ 1; }\n";

static struct sluice_image *program(const char *kind, const char *reactions) {
  static char text[6000];
  const int n = snprintf(text, sizeof text, before, kind);
  snprintf(text + n, sizeof text - (size_t)n, "%s%s", reactions, behind);
  struct sluice_image *image = compiled_text(text, "react");
  if (!image) fail_msg("it does not compile:\n%s", text);
  return image;
}

struct seen {
  unsigned one, two, low;
};
struct rig {
  struct sluice_filter line;
  bool traffic, tolerant, spoil;  // spoil: somebody else ends the second cut that comes
  unsigned cuts;                  // of these
  bool in_cut;
  unsigned packets, mixed, changes;
  struct seen seen;
};

static struct seen send_to(struct rig *r, uint32_t src, uint32_t dst) {
  static struct sluice_packet_out out;
  uint8_t bytes[100] = {0};
  udp_from_to(bytes, VID, src, dst);
  bytes[47] = (uint8_t)(r->packets * 7 % 40);
  through(r->line.inner, 0, bytes, sizeof bytes, &out);
  if (out.len == 0) fail_msg("a packet is lost");
  return (struct seen){out.bytes[48] * 256u + out.bytes[49], out.bytes[50] * 256u + out.bytes[51],
                       out.bytes[80] * 256u + out.bytes[81]};
}

static void spoil(struct rig *r) {
  const struct sluice_transport *to = r->line.inner;
  const uint32_t cut = SLUICE_CHIP_BASE + SLUICE_CHIP_CUT;
  uint32_t rows;
  GOOD(to->ops->csr_read(to->self, cut, &rows, &error));
  r->cuts += rows && !r->in_cut;
  r->in_cut = rows != 0;
  if (rows && r->cuts == 2) GOOD(to->ops->csr_write(to->self, cut, 0, &error));
}

static bool enter(void *user, enum sluice_filter_call op, uint64_t cycles) {
  struct rig *r = user;
  (void)cycles;
  if (r->spoil && op == SLUICE_FILTER_RECEIVE) spoil(r);
  if (!r->traffic) return true;
  const struct seen s = send_to(r, SRC, SRC);
  const bool mixed = s.one != s.low || s.two != s.low;
  r->mixed += mixed;
  if (mixed && !r->tolerant) fail_msg("a packet with %u, %u and %u", s.one, s.two, s.low);
  r->changes += s.low != r->seen.low;
  r->seen = s;
  r->packets++;
  return true;
}

static struct rig rig;

static void begin(struct reacting *l, const char *kind, const char *reactions) {
  rig = (struct rig){.seen = {.low = 1}};
  reacting_open(l, "react", program(kind, reactions), &(unsigned){VID}, 1, &rig.line, &rig, enter,
                &(struct reactions_options){.say = hear_named, .limit = 0.5});
  GOOD(reactions_add(l->rs, VID, l->image, NULL, &error));
}
static unsigned used(struct reacting *l, unsigned n) {
  struct sluice_table_desc t;
  assert_true(sluice_plan_table(sluice_chip_plan(l->chip), VID, n, &t));
  return t.used;
}

// ---- one moment ---------------------------------------------------------------------------------

static const char all_three[] = "reaction all(first) {\n"
                                "  (void)first;\n"
                                "  const int to = low % 4000 + 1;\n"
                                "  set_low(to);\n"
                                "  if (to % 3 == 0) {\n"
                                "    exact_delete(SRC);\n"
                                "    exact_default_mark(to);\n"
                                "  } else {\n"
                                "    exact_set_mark(SRC, to);\n"
                                "  }\n"
                                "  masked_clear();\n"
                                "  masked_add_tell(SRC, -1, 7, to);\n"
                                "}\n";

TEST(tables_and_malleables_change_at_one_packet) {
  struct reacting l CLOSED_BY(reacting_audit);
  begin(&l, "ternary", all_three);
  step(&l);
  rig.traffic = true;
  for (unsigned n = 0; n < 25; n++) step(&l);
  rig.traffic = false;
  assert_string_equal(heard, "");
  const struct reaction_info r = reaction_at(&l, 0);
  FIELDS_ARE(&r, (runs, 26), (changes, 26), (errors, 0));
  FIELDS_ARE(&rig, (seen.low, 27), (changes, 26));
  assert_true(r.entries >= 3 * 26);
  print_message("%u packets, %llu changes of entries\n", rig.packets,
                (unsigned long long)r.entries);
}

// The same effects by two calls.
TEST(two_flips_are_found) {
  struct reacting l CLOSED_BY(reacting_audit);
  begin(&l, "ternary", all_three);
  step(&l);
  rig.traffic = rig.tolerant = true;
  const struct sluice_setting set = {.vid = VID, .name = "low", .value = 9};
  const struct sluice_table_change c =
      TABLE_CHANGE(SLUICE_TABLE_SET, VID, "exact", SRC, UINT64_MAX, "mark", 9);
  GOOD(sluice_chip_set_params(l.chip, &set, 1, NULL, &error));
  GOOD(sluice_chip_table_change(l.chip, &c, 1, NULL, NULL, &error));
  assert_true(rig.mixed != 0);
  rig.traffic = false;
}

// ---- the interface ------------------------------------------------------------------------------

TEST(every_function_does_what_it_says) {
  struct reacting l CLOSED_BY(reacting_audit);
  begin(
      &l, "lpm",
      "reaction one() {\n"
      "  static int turn;\n"
      "  switch (turn++) {\n"
      "    case 0: exact_add_mark(SRC, 11); masked_add_tell(0x0a000000, 8, 12); break;\n"
      "    case 1: exact_modify_mark(SRC, 13); masked_add_nothing((int32_t)0xc0000000, 2); break;\n"
      "    case 2: exact_set_mark(SRC, 14); exact_set_mark(-1, 15); masked_modify_tell(0x0a000000, "
      "8, 16); break;\n"
      "    case 3: exact_set_mark(SRC, 14); break;\n"
      "    case 4: exact_default_mark(17); exact_delete(SRC); masked_delete(0x0a000000, 8); "
      "break;\n"
      "    case 5: exact_clear(); masked_clear(); masked_default_tell(18); break;\n"
      "  }\n"
      "}\n");
  const struct {
    struct seen a, b;
    unsigned exact, masked, changes;
  } want[] = {{{11, 12, 1}, {0, 0, 1}, 1, 1, 1},  {{13, 12, 1}, {0, 0, 1}, 1, 2, 2},
              {{14, 16, 1}, {15, 0, 1}, 2, 2, 3}, {{14, 16, 1}, {15, 0, 1}, 2, 2, 3},
              {{17, 0, 1}, {15, 0, 1}, 1, 1, 4},  {{17, 18, 1}, {17, 18, 1}, 0, 0, 5}};
  for (unsigned n = 0; n < 6; n++) {
    step(&l);
    assert_string_equal(heard, "");
    const struct seen a = send_to(&rig, SRC, SRC), b = send_to(&rig, UINT32_MAX, 0xff000001);
    FIELDS_ARE(&a, (one, want[n].a.one), (two, want[n].a.two));
    FIELDS_ARE(&b, (one, want[n].b.one), (two, want[n].b.two));
    assert_int_equal(used(&l, 0), want[n].exact);
    assert_int_equal(used(&l, 1), want[n].masked);
    assert_int_equal(reaction_at(&l, 0).changes, want[n].changes);
    GOOD(sluice_chip_audit(l.chip, &error));
  }
}

TEST(what_cannot_be_done_leaves_all) {
  static const struct {
    const char *body, *text;
  } cases[] = {
      {"exact_modify_mark(1, 2);", "line 10: table 'exact' has no entry for p.src 0.0.0.1"},
      {"exact_delete(1);", "line 10: table 'exact' has no entry"},
      {"exact_add_mark(5, 1); exact_add_mark(5, 1);", "has an entry for p.src 0.0.0.5 already"},
      {"exact_add_mark(5, 65536);", "line 10: table 'exact': with of 'mark' is 0x10000"},
      {"exact_add_mark(5, -1);", "with of 'mark' is 0xffffffffffffffff"},
      {"exact_add_mark(0x100000000, 1);", "key 'p.src' has 32 bits"},
      {"masked_add_tell(3, 1, 0, 1);", "has bits outside its mask"},
      {"for (int i = 0; i < 70; i++) exact_add_mark(i, 1);", "all of its 60 entries are used"},
      {"for (int i = 0; i < 300; i++) exact_set_mark(1, i);",
       "line 10 changes tables once more than the 256"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct reacting l CLOSED_BY(reacting_audit);
    char text[300];
    snprintf(text, sizeof text,
             "reaction bad() { set_low(9);\nstatic int n; if (n++ == 0) { %s }\nelse if "
             "(sluice_refused == 2) exact_add_mark(SRC, 77); }",
             cases[i].body);
    begin(&l, "ternary", text);
    step(&l);
    HEARD(cases[i].text);
    HEARD("nothing of this run is set");
    assert_int_equal(reaction_at(&l, 0).errors, 1);
    assert_int_equal(used(&l, 0), 0);
    struct seen s = send_to(&rig, SRC, SRC);
    assert_int_equal(s.low, 1);
    GOOD(sluice_chip_audit(l.chip, &error));
    // The next run knows that.
    step(&l);
    s = send_to(&rig, SRC, SRC);
    FIELDS_ARE(&s, (low, 9), (one, 77));
  }
}

// Wrong C is told at its line, with the function that it meant.
TEST(wrong_calls_are_told) {
  struct sluice_image *image CLOSED_BY(close_image) =
      program("ternary", "reaction bad() {\n  exact_add_mark(SRC);\n}");
  struct reaction_build built;
  char *messages CLOSED_BY(freed);
  SAYS(SLUICE_ERR_FORMAT, "not correct C", reaction_build(&built, image, NULL, &messages, &error));
  assert_non_null(messages);
  if (!strstr(messages, "test.dom:10:") || !strstr(messages, "too few arguments"))
    fail_msg("%s", messages);
}

// ---- registers ----------------------------------------------------------------------------------

TEST(registers_are_arguments) {
  struct reacting l CLOSED_BY(reacting_audit);
  begin(&l, "ternary",
        "reaction count(PORT.PACKETS, first, PORT.BYTES[1..2], CHIP.CYCLES) {\n"
        "  (void)first;\n"
        "  printf(\"%d %d %d %d %d\\n\", PORT_PACKETS[0], PORT_PACKETS[1], PORT_PACKETS[3], "
        "PORT_BYTES[1], CHIP_CYCLES > 0);\n"
        "}\n");
  assert_int_equal(reaction_at(&l, 0).words, 4 + 40 + 2 + 1);
  step(&l);
  for (unsigned n = 0; n < 3; n++) (void)send_to(&rig, SRC, SRC);
  step(&l);
  assert_string_equal(heard, "count/3: 0 0 0 0 1\ncount/3: 0 3 0 300 1\n");
}

// ---- unchanged ----------------------------------------------------------------------------------

static const char careful[] = "reaction careful(first) unchanged(first) {\n"
                              "  static int last = -1;\n"
                              "  if (sluice_refused) printf(\"refused %d\\n\", sluice_refused);\n"
                              "  if (first[0] == last) return;\n"
                              "  last = first[0];\n"
                              "  set_low(low % 4000 + 1);\n"
                              "  exact_set_mark(SRC, low);\n"
                              "}\n";

TEST(what_must_be_unchanged_is_or_nothing_is_set) {
  struct reacting l CLOSED_BY(reacting_audit);
  uint32_t value = 0;
  begin(&l, "ternary", careful);
  step(&l);
  assert_int_equal(reaction_at(&l, 0).changes, 1);
  assert_int_equal(reaction_at(&l, 0).refused, 0);
  assert_true(reaction_at(&l, 0).sum.check > 0 || reaction_at(&l, 0).sum.write > 0);
  // Packets that count while it is written.
  GOOD(sluice_chip_state_read(l.chip, VID, "first", 0, 1, &value, &error));
  (void)send_to(&rig, SRC, SRC);
  rig.traffic = rig.tolerant = true;
  step(&l);
  rig.traffic = false;
  assert_int_equal(reaction_at(&l, 0).changes, 1);
  assert_int_equal(reaction_at(&l, 0).refused, 1);
  assert_int_equal(reaction_at(&l, 0).errors, 0);
  assert_int_equal(send_to(&rig, SRC, SRC).low, 2);
  assert_int_equal(send_to(&rig, SRC, SRC).one, 2);
  GOOD(sluice_chip_audit(l.chip, &error));
  // It hears of it, and what comes next is as ever.
  step(&l);
  HEARD("careful/3: refused 1\n");
  assert_int_equal(reaction_at(&l, 0).changes, 2);
  assert_int_equal(send_to(&rig, SRC, SRC).one, 3);
}

// A second cut that somebody else ends is an error: nobody knows whether anything has changed.
TEST(a_second_cut_that_is_gone_is_an_error) {
  struct reacting l CLOSED_BY(reacting_audit);
  begin(&l, "ternary", careful);
  rig.spoil = true;
  step(&l);
  assert_int_equal(rig.cuts, 2);
  assert_int_equal(reaction_at(&l, 0).refused, 0);
  assert_int_equal(reaction_at(&l, 0).errors, 1);
  assert_int_equal(reaction_at(&l, 0).changes, 0);
  HEARD("the cut at ticket");
  assert_int_equal(send_to(&rig, SRC, SRC).low, 1);
  rig.spoil = false;
  step(&l);
  HEARD("careful/3: refused 2\n");
}
