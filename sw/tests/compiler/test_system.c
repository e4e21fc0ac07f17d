// SPDX-License-Identifier: Apache-2.0
// System-level modules: the same virtual port of two modules is two ports; groups change with a
// packet between any two operations of the driver, and none is lost; what a program cannot do.

#include "tests/rig/cases.h"
#include "base/bytes.h"
#include "tests/rig/chip_rig.h"
#include "driver/chip/chip.h"
#include "tests/rig/line.h"
#include "tests/rig/texts.h"
#include "transport/filter.h"

enum { FRAME = 64 };

static const char sends[] =
    "struct Packet { int to @ bytes(46, 2); int port_out @ meta.port_out; };\n"
    "void sends(struct Packet q) { q.port_out = q.to; }\n";

// NULL if the program is refused; then `why` has the first error.
static struct sluice_image *under(const char *text, const char *system, const char *chip,
                                  char why[440]) {
  struct sluice_diags diags = {0};
  struct sluice_image image = {.num_writes = 0}, *heap = NULL;
  const struct sluice_text own = {"own.dom", text, strlen(text)},
                           operators = {"folder/system.dom", system, strlen(system)};
  struct sluice_program *program = sluice_program_parse_under(&own, &operators, &diags);
  if (program &&
      sluice_compile(program, sluice_config_find(chip), NULL, &image, &diags) == SLUICE_OK) {
    heap = malloc(sizeof *heap);
    *heap = image;
  }
  *why = 0;
  for (size_t i = 0; i < diags.num && !*why; i++)
    if (diags.list[i].severity == SLUICE_SEVERITY_ERROR)
      snprintf(why, 440, "%s:%u: %s", diags.list[i].in_bindings ? "system" : "own",
               diags.list[i].line, diags.list[i].text);
  sluice_program_free(program);
  sluice_diags_release(&diags);
  return heap;
}

// ---- packets ------------------------------------------------------------------------------------

struct switch_rig {
  struct sluice_filter line;
  struct sluice_transport model, to;
  struct sluice_chip *chip;
  bool traffic;
  unsigned before, after;  // ports that a packet of VLAN 5 to virtual port 1 may leave by
  bool seen;               // one has left by the new ones
  unsigned long packets;
};

// The ports that a packet leaves by.
static uint64_t leaves(struct sluice_transport *to, unsigned vid, unsigned target) {
  uint8_t bytes[FRAME] = {[12] = 0x81, [15] = (uint8_t)vid, [16] = 0x08, [18] = 0x45, [27] = 17};
  static struct sluice_packet_out out;
  uint64_t ports = 0;
  sluice_put16(bytes + 46, target);
  GOOD(to->ops->packet_send(to->self, 0, bytes, FRAME, &error));
  for (;;) {
    GOOD(to->ops->packet_receive(to->self, &out, &error));
    if (!out.len) return ports;
    assert_false(ports >> out.port & 1);
    ports |= UINT64_C(1) << out.port;
  }
}

static bool enter(void *user, enum sluice_filter_call op, uint64_t cycles) {
  struct switch_rig *r = user;
  (void)op, (void)cycles;
  if (!r->traffic) return true;
  const uint64_t ports = leaves(&r->model, 5, 1);
  const bool new = ports == r->after;
  if (!new && (ports != r->before || r->seen))
    fail_msg("a packet leaves by 0x%llx: 0x%x, then 0x%x are right", (unsigned long long)ports,
             r->before, r->after);
  r->seen |= new;
  r->packets++;
  return true;
}

static void open_rig(struct switch_rig *r, const char *chip) {
  memset(r, 0, sizeof *r);
  GOOD(sluice_transport_model(&r->model, chip, NULL, &error));
  sluice_filter_init(&r->line, &r->model, r);
  r->line.before = enter;
  r->to = r->line.to;
  GOOD(sluice_chip_open(&r->chip, &r->to, NULL, &error));
}

static void close_rig(struct switch_rig *r) {
  sluice_chip_close(r->chip);
  sluice_transport_close(&r->model);
}

static void change(struct switch_rig *r, unsigned vid, enum sluice_table_op op, unsigned key,
                   const char *action, unsigned number) {
  const struct sluice_table_change one =
      TABLE_CHANGE(op, vid, "system.destinations", key, UINT64_MAX, action, number);
  GOOD(sluice_chip_table_change(r->chip, &one, 1, NULL, NULL, &error));
}

// ---- tables of virtual ports --------------------------------------------------------------------

TEST(virtual_ports_and_groups) {
  char why[440];
  struct switch_rig r CLOSED_BY(close_rig);
  char *system = text_of("sw/programs/system/virtual.dom");
  struct sluice_image *image CLOSED_BY(close_image) = under(sends, system, "tables", why);
  free(system);
  if (!image) fail_msg("%s", why);
  open_rig(&r, "tables");
  GOOD(sluice_chip_load(r.chip, image, 5, &error));
  GOOD(sluice_chip_load(r.chip, image, 6, &error));
  change(&r, 5, SLUICE_TABLE_ADD, 0, "system.port", 2);
  change(&r, 6, SLUICE_TABLE_ADD, 0, "system.port", 3);
  change(&r, 5, SLUICE_TABLE_ADD, 1, "system.first", 0);
  // The same virtual port, two modules.
  assert_int_equal(leaves(&r.model, 5, 0), 1u << 2);
  assert_int_equal(leaves(&r.model, 6, 0), 1u << 3);
  // What the operator gave neither: also a real port's number.
  assert_int_equal(leaves(&r.model, 6, 1), 0);
  assert_int_equal(leaves(&r.model, 6, 3), 0);
  assert_int_equal(leaves(&r.model, 5, 1), 6);
  // The group gets other ports, a packet between any two operations.
  static const struct {
    const char *action;
    unsigned number, ports;
  } steps[] = {{"system.second", 0, 10},
               {"system.all", 0, 15},
               {"system.port", 1, 2},
               {"system.first", 0, 6}};
  unsigned long packets = 5;
  r.before = 6;
  for (size_t n = 0; n < sizeof steps / sizeof *steps; n++) {
    r.after = steps[n].ports;
    r.seen = false;
    r.traffic = true;
    change(&r, 5, SLUICE_TABLE_MODIFY, 1, steps[n].action, steps[n].number);
    r.traffic = false;
    assert_int_equal(leaves(&r.model, 5, 1), steps[n].ports);
    packets += 1;
    r.before = r.after;
  }
  assert_true(r.packets > 40);
  // Statistics of each module, before and behind it.
  uint32_t received, sent;
  GOOD(sluice_chip_state_read(r.chip, 5, "system.received", 0, 1, &received, &error));
  GOOD(sluice_chip_state_read(r.chip, 5, "system.sent", 0, 1, &sent, &error));
  assert_int_equal(received, r.packets + packets - 3);
  assert_int_equal(sent, received);
  GOOD(sluice_chip_state_read(r.chip, 6, "system.received", 0, 1, &received, &error));
  assert_int_equal(received, 3);
}

// Chips with more ports: an array of rows, and groups that no module owns.
TEST(rows_and_groups) {
  char why[440];
  struct switch_rig r CLOSED_BY(close_rig);
  char *system = text_of("sw/programs/system/rows.dom");
  struct sluice_image *image CLOSED_BY(close_image) = under(sends, system, "k4", why);
  free(system);
  const uint32_t five[] = {9, 20}, six[] = {4, 21};
  uint64_t ports;
  if (!image) fail_msg("%s", why);
  open_rig(&r, "k4");
  GOOD(sluice_chip_load(r.chip, image, 5, &error));
  GOOD(sluice_chip_load(r.chip, image, 6, &error));
  GOOD(sluice_chip_state_write(r.chip, 5, "system.row", 0, 2, five, &error));
  GOOD(sluice_chip_state_write(r.chip, 6, "system.row", 0, 2, six, &error));
  GOOD(sluice_chip_group_set(r.chip, 20, 0x8006, &error));
  GOOD(sluice_chip_group_set(r.chip, 21, 0x00f0, &error));
  assert_int_equal(leaves(&r.model, 5, 0), 1u << 9);
  assert_int_equal(leaves(&r.model, 6, 0), 1u << 4);
  assert_int_equal(leaves(&r.model, 5, 1), 0x8006);
  assert_int_equal(leaves(&r.model, 6, 1), 0x00f0);
  r.before = 0x8006, r.after = 0x0c01, r.traffic = true;
  GOOD(sluice_chip_group_set(r.chip, 20, 0x0c01, &error));
  r.traffic = false;
  assert_true(r.seen && r.packets > 2);
  assert_int_equal(leaves(&r.model, 5, 1), 0x0c01);
  GOOD(sluice_chip_group(r.chip, 20, &ports, &error));
  assert_int_equal(ports, 0x0c01);
  SAYS(SLUICE_ERR_RANGE, "group 15: those of chip 'k4' are 16 to 255",
       sluice_chip_group_set(r.chip, 15, 1, &error));
  SAYS(SLUICE_ERR_RANGE, "has ports 0 to 15", sluice_chip_group_set(r.chip, 20, 1 << 16, &error));
  close_rig(&r);
  open_rig(&r, "tiny");
  SAYS(SLUICE_ERR_RANGE, "sets of ports, not rows", sluice_chip_group_set(r.chip, 20, 1, &error));
}

// ---- groups and what goes wrong -----------------------------------------------------------------

// Somebody resets the chip at an operation.
struct resets {
  struct sluice_filter line;
  unsigned long ops, at;
};
static bool maybe_reset(void *user, enum sluice_filter_call op, uint64_t cycles) {
  struct resets *r = user;
  (void)op, (void)cycles;
  if (++r->ops == r->at) GOOD(r->line.inner->ops->reset(r->line.inner->self, &error));
  return true;
}

// A chip with a module and two groups, of which one is changed: reset at each operation of that,
// and behind the last one. The module and both groups come back, the changed one as the change
// says.
TEST(groups_come_back_after_a_reset) {
  struct sluice_image *image CLOSED_BY(close_image) = compiled_text(sends, "k4");
  unsigned long ops = 1;
  unsigned noticed = 0;
  for (unsigned long at = 1; at <= ops + 1; at++) {
    struct resets r = {.at = 0};
    struct sluice_transport model CLOSED_BY(sluice_transport_close);
    struct sluice_chip *chip CLOSED_BY(close_chip);
    uint64_t ports;
    GOOD(sluice_transport_model(&model, "k4", NULL, &error));
    sluice_filter_init(&r.line, &model, &r);
    r.line.before = maybe_reset;
    GOOD(sluice_chip_open(&chip, &r.line.to, NULL, &error));
    GOOD(sluice_chip_load(chip, image, 5, &error));
    GOOD(sluice_chip_group_set(chip, 20, 0x8006, &error));
    ops = r.ops;
    GOOD(sluice_chip_group_set(chip, 21, 0x00f0, &error));
    ops = r.ops - ops;
    GOOD(sluice_chip_audit(chip, &error));
    r.at = r.ops + at;
    const enum sluice_status status = sluice_chip_group_set(chip, 20, 0x0c01, &error);
    if (status) assert_non_null(strstr(error.text, "the chip was reset"));
    // A reset behind the last look is found by the next change.
    const bool found = sluice_chip_load(chip, image, 6, &error) != SLUICE_OK;
    assert_int_equal(found, !status);
    noticed += status != SLUICE_OK;
    GOOD(chip_settle(chip, &error));
    GOOD(sluice_chip_audit(chip, &error));
    GOOD(sluice_chip_group(chip, 20, &ports, &error));
    assert_int_equal(ports, status ? 0x8006 : 0x0c01);
    assert_int_equal(leaves(&model, 5, 20), ports);
    assert_int_equal(leaves(&model, 5, 21), 0x00f0);
  }
  assert_true(noticed > 3 && noticed <= ops);
  // No module, whose change would bring all tables back.
  struct switch_rig r CLOSED_BY(close_rig);
  uint64_t ports;
  open_rig(&r, "k4");
  GOOD(sluice_chip_group_set(r.chip, 20, 6, &error));
  GOOD(r.model.ops->reset(r.model.self, &error));
  SAYS(SLUICE_ERR_IO, "the chip was reset", sluice_chip_group_set(r.chip, 21, 6, &error));
  GOOD(sluice_chip_group(r.chip, 20, &ports, &error));
  assert_int_equal(ports, 6);
}

// Over a line that loses, doubles, swaps and damages frames: changes of modules do not take groups
// away. Another handle takes the chip over, with its groups, and gives them back after a reset.
TEST(groups_stay_over_bad_lines_and_with_the_next_client) {
  struct sluice_image *image CLOSED_BY(close_image) = compiled_text(sends, "k4");
  for (unsigned seed = 1; seed <= 4; seed++) {
    struct sluice_transport model CLOSED_BY(sluice_transport_close);
    static struct bad_line bad;
    struct sluice_chip *chip;
    const struct sluice_chip_options keep = {.keep = true};
    memset(&bad, 0, sizeof bad);
    GOOD(sluice_transport_model(&model, "k4", NULL, &error));
    bad.inner = &model;
    sluice_rng_init(&bad.rng, seed, "groups over bad lines");
    bad.lose = bad.twice = bad.swap = bad.damage = 0.03;
    struct sluice_transport to = bad_transport(&bad);
    GOOD(sluice_chip_open(&chip, &to, NULL, &error));
    GOOD(sluice_chip_group_set(chip, 255, 0x8001, &error));
    GOOD(sluice_chip_load(chip, image, 5, &error));
    GOOD(sluice_chip_group_set(chip, 20, 0x8006, &error));
    GOOD(sluice_chip_load(chip, image, 6, &error));
    struct sluice_plan *plan CLOSED_BY(close_plan);
    GOOD(sluice_plan_copy(&plan, sluice_chip_plan(chip), &error));
    sluice_chip_close(chip);
    assert_true(bad.touched > 2);
    bad.lose = bad.twice = bad.swap = bad.damage = 0;
    bad.held_len = 0;
    for (unsigned client = 0; client < 2; client++) {
      const struct sluice_plan *const plans[] = {plan};
      GOOD(sluice_chip_open(&chip, &model, &keep, &error));
      GOOD(sluice_chip_adopt(chip, plans, 1, NULL, &error));
      GOOD(sluice_chip_audit(chip, &error));
      assert_int_equal(leaves(&model, 5, 20), 0x8006);
      if (client) {
        GOOD(model.ops->reset(model.self, &error));
        SAYS(SLUICE_ERR_IO, "the chip was reset", sluice_chip_group_set(chip, 20, 6, &error));
        GOOD(sluice_chip_audit(chip, &error));
        assert_int_equal(leaves(&model, 5, 20), 0x8006);
        assert_int_equal(leaves(&model, 5, 255), 0x8001);
      }
      sluice_chip_close(chip);
    }
  }
}

// ---- egress functions ---------------------------------------------------------------------------

// The operator counts copies by port and those that are dropped, and writes bytes 52 and 53.
#define SEALS                                                                         \
  "struct Packet { int to @ module.port_out; int port_out @ meta.port_out;\n"         \
  "  int drop @ meta.discard; int seal @ bytes(52, 2); int shown @ module.seen; };\n" \
  "int port[4];\nint copies[8];\nint dropped = 0;\n"                                  \
  "void before(struct Packet p) { p.shown = 1; }\n"                                   \
  "void after(struct Packet p) { p.port_out = port[p.to]; }\n"
static const char seals[] = SEALS "egress void leaves(struct Packet p) { if (p.drop) dropped += 1; "
                                  "else copies[p.port_out] += 1; p.seal = 7; }\n";
// Writes there too, and drops copies of kind 3.
static const char thins[] =
    "struct Packet { int to @ bytes(46, 2); int kind @ bytes(48, 2); int mark @ bytes(52, 2);\n"
    "  int port_out @ meta.port_out; int drop @ meta.discard; };\n"
    "void thins(struct Packet p) { p.port_out = p.to; }\n"
    "egress void thin(struct Packet p) { if (p.kind == 3) p.drop = 1; p.mark = 9; }\n";

// Behind the queues the operator's function acts last: it sees what the program's drops, and what
// it writes stays. A program without an egress function is counted as well.
TEST(egress_functions) {
  static const uint32_t ports[] = {2, 5, 1, 7};
  char why[440];
  for (unsigned with = 0; with < 2; with++) {
    struct switch_rig r;
    uint32_t copies[2][8], dropped[2], want[2][8] = {{0}}, lost[2] = {0};
    struct sluice_image *image = under(with ? thins : sends, seals, "egress", why);
    if (!image) fail_msg("%s", why);
    open_rig(&r, "egress");
    const unsigned lanes = r.chip->config->NumPipes;
    GOOD(sluice_chip_load(r.chip, image, 5, &error));
    GOOD(sluice_chip_state_write(r.chip, 5, "system.port", 0, 4, ports, &error));
    for (unsigned n = 0; n < 40; n++) {
      uint8_t bytes[FRAME] = {[12] = 0x81, [15] = 5, [16] = 0x08, [18] = 0x45, [27] = 17};
      static struct sluice_packet_out out;
      const unsigned port = ports[n % 4], lane = sluice_port_lane(r.chip->config, port);
      const bool drops = with && n % 5 == 3;
      bytes[47] = (uint8_t)(n % 4), bytes[49] = (uint8_t)(n % 5);
      through(&r.model, 0, bytes, FRAME, &out);
      assert_int_equal(out.len, drops ? 0 : FRAME);
      lost[lane] += drops;
      want[lane][port] += !drops;
      if (drops) continue;
      FIELDS_ARE(&out, (port, port), (bytes[53], 7));
    }
    // Without an egress function of the program nothing is dropped, and that count is not there.
    for (unsigned lane = 0; lane < lanes; lane++) {
      char name[40];
      snprintf(name, sizeof name, "system.copies@lane %u", lane);
      GOOD(sluice_chip_state_read(r.chip, 5, name, 0, 8, copies[lane], &error));
      snprintf(name, sizeof name, "system.dropped@lane %u", lane);
      if (with) GOOD(sluice_chip_state_read(r.chip, 5, name, 0, 1, &dropped[lane], &error));
    }
    assert_memory_equal(copies, want, sizeof want);
    if (with) assert_memory_equal(dropped, lost, sizeof lost);
    assert_int_equal(lost[0] + lost[1], with ? 8 : 0);
    close_rig(&r);
    sluice_image_close(image);
  }
}

TEST(egress_functions_that_are_wrong) {
#define SEEN "struct Packet { int n @ system.seen; int mark @ bytes(52, 2); };\n"
  const struct {
    const char *text, *system, *says;
  } cases[] = {
      {thins, SEALS, "own:4: 'thin' would act behind all functions of the system-level module"},
      {thins,
       SEALS "egress void leaves(struct Packet p) { p.seal = 7; }\n"
             "egress void again(struct Packet p) { p.seal = 8; }",
       "system:9: a second egress function of the system-level module"},
      {thins, SEALS "egress void leaves(struct Packet p, int n) { p.seal = n; }",
       "system:8: an egress function has no parameters but the packet"},
      {sends, SEALS "egress void leaves(struct Packet p) { p.seal = p.shown; }",
       "'system.shown' is not there in the egress function"},
      {SEEN "void f(struct Packet p) { p.mark = p.n; }\n"
            "egress void e(struct Packet p) { p.mark = p.n; }",
       seals, "own:3: 'n' is not there in the egress function"},
      {SEEN "void f(struct Packet p) { p.mark = 1; }\n"
            "egress void e(struct Packet q) { q.mark = 2; }",
       seals, "call the packet by one name: 'p'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char why[440];
    struct sluice_image *image = under(cases[i].text, cases[i].system, "egress", why);
    if (image) fail_msg("compiles: %s", cases[i].text);
    if (!strstr(why, cases[i].says)) fail_msg("'%s' does not say '%s'", why, cases[i].says);
  }
}

// ---- what a program cannot do -------------------------------------------------------------------

// Counts, and shows the program how many packets came before.
static const char shows[] =
    "#define LIMIT 3\n"
    "struct Packet { int seen @ module.seen; int hidden; int to @ module.port_out;\n"
    "  int port_out @ meta.port_out; int drop @ meta.discard; };\n"
    "int received = 0;\n"
    "int sent = 0;\n"
    "void before(struct Packet p) { p.seen = received; received += 1; p.hidden = 7; }\n"
    "void after(struct Packet p) { p.port_out = LIMIT - p.to; if (p.to > LIMIT) p.drop = 1; sent "
    "+= 1; }\n";

static void try_programs(void *user, const struct one_case *c) {
  char why[440];
  (void)user;
  if (under(c->request, shows, "tiny", why)) fail_msg("%s: it compiles", c->where);
  cases_answer(c, why);
}
TEST(what_a_program_cannot_do) {
  cases_each("sw/tests/compiler/system.cases", "programs", try_programs, NULL);
}

// Names, macros and fields of a program say nothing in the operator's text.
TEST(texts_do_not_meet) {
  static const char tries[] =
      "#define LIMIT 0\n#define received sent\n#define before nothing\n"
      "struct Packet { int to @ bytes(46, 2); int port_out @ meta.port_out; int n @ system.seen;\n"
      "  int count @ bytes(50, 4); int hidden @ bytes(48, 2); };\n"
      "int sent = 1000;\n"
      "void after_(struct Packet q) { q.port_out = q.to; q.count = q.n; q.hidden = 5; sent = 1000; "
      "}\n";
  char why[440];
  struct switch_rig r CLOSED_BY(close_rig);
  struct sluice_image *image CLOSED_BY(close_image) = under(tries, shows, "tiny", why);
  uint32_t value;
  if (!image) fail_msg("%s", why);
  open_rig(&r, "tiny");
  GOOD(sluice_chip_load(r.chip, image, 5, &error));
  for (unsigned n = 0; n < 8; n++) {
    uint8_t bytes[FRAME] = {[12] = 0x81, [15] = 5, [16] = 0x08, [18] = 0x45, [27] = 17};
    static struct sluice_packet_out out;
    bytes[47] = (uint8_t)(n % 4);
    through(&r.model, 0, bytes, FRAME, &out);
    FIELDS_ARE(&out, (len, FRAME), (port, 3 - n % 4), (bytes[53], n), (bytes[49], 5));
  }
  assert_int_equal(leaves(&r.model, 5, 4), 0);
  GOOD(sluice_chip_state_read(r.chip, 5, "system.received", 0, 1, &value, &error));
  assert_int_equal(value, 9);
  GOOD(sluice_chip_state_read(r.chip, 5, "system.sent", 0, 1, &value, &error));
  assert_int_equal(value, 9);
  GOOD(sluice_chip_state_read(r.chip, 5, "sent", 0, 1, &value, &error));
  assert_int_equal(value, 1000);
}

static void try_operators(void *user, const struct one_case *c) {
  char why[440];
  (void)user;
  if (under(sends, c->request, "tiny", why)) fail_msg("%s: it compiles", c->where);
  cases_answer(c, why);
}
TEST(operators_texts_that_are_wrong) {
  cases_each("sw/tests/compiler/system.cases", "operators", try_operators, NULL);
}

// An image says under which text it was compiled.
TEST(images_say_under_what) {
  char why[440], path[] = "build/test_system_image.json";
  struct sluice_image *image CLOSED_BY(close_image) = under(sends, shows, "tiny", why),
                             back CLOSED_BY(sluice_image_release) = {.num_writes = 0};
  const struct sluice_text text = {"elsewhere/system.dom", shows, sizeof shows - 1},
                           other = {"system.dom", shows, sizeof shows - 2};
  char name[SLUICE_NAME_LEN];
  if (!image) fail_msg("%s", why);
  GOOD(sluice_image_save(image, path, &error));
  GOOD(sluice_image_load(&back, path, NULL, &error));
  remove(path);
  sluice_system_name(&text, name);
  assert_string_equal(back.system, name);
  sluice_system_name(&other, name);
  assert_string_not_equal(back.system, name);
}
