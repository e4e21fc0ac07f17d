// SPDX-License-Identifier: Apache-2.0
// Programs with tables: interpreted from their text, and compiled and run by the reference model
// with the same entries. Same packets, same headers, ports, drops and final state.
//
// SLUICE_SEED and SLUICE_PROGRAMS in the environment choose the random programs, SLUICE_SHOW=1
// prints them. Run from the root of the tree.

#include "tests/rig/test.h"
#include "tests/rig/compile.h"
#include "tests/rig/environment.h"
#include "driver/image/image_tables.h"
#include "driver/plan/plan.h"
#include "tests/rig/ir_rig.h"
#include "tests/rig/language_table_rig.h"
#include "tests/rig/table_gen.h"
#include "tests/rig/texts.h"

enum { PACKETS = 60 };

// Engines in every stage, and more stages than the shape that is built.
static struct sluice_config large(void) {
  struct sluice_config c = *sluice_config_find("tables");
  c.name = "large";
  c.FrontStages = 3;
  c.BackStages = c.StateStages = 8;
  c.Num2B = c.Num4B = c.Num6B = 8;
  c.TernaryStages = 0x7ff;
  c.CuckooStages = 0x555;
  return c;
}

static const struct sluice_config *chip_of(uint64_t seed) {
  static struct sluice_config made;
  made = large();
  return seed % 3 ? &made : sluice_config_find("tables");
}

static bool same_image(const struct sluice_image *a, const struct sluice_image *b) {
#define SAME(LIST) \
  (a->num_##LIST == b->num_##LIST && memcmp(a->LIST, b->LIST, a->num_##LIST * sizeof *a->LIST) == 0)
  return SAME(writes) && (!a->num_tables || SAME(tables)) && (!a->num_entries || SAME(entries)) &&
         a->num_tables == b->num_tables && a->num_entries == b->num_entries;
}

// Printed in the IR and read back it is the same text and gives the same image.
static bool makes_the_round(const struct sluice_program *program, const struct sluice_config *chip,
                            char *why, size_t room) {
  struct sluice_diags diags = {0};
  struct sluice_image image = {0}, again = {0};
  const enum sluice_status first = sluice_compile(program, chip, NULL, &image, &diags);
  char *text = ir_text(program, chip, false, &diags), *twice = NULL;
  struct sluice_program *read = text ? sluice_program_parse("x.ir", text, strlen(text), &diags)
                                     : NULL;
  const enum sluice_status second = read ? sluice_compile(read, chip, NULL, &again, &diags)
                                         : SLUICE_ERR_NOMEM;
  if (read) twice = ir_text(read, chip, false, &diags);
  const bool good = twice && strcmp(text, twice) == 0 && first == second &&
                    (first || same_image(&image, &again));
  if (!good)
    snprintf(why, room, "read back from the IR it is another program: %.200s",
             diags.num ? diags.list[0].text : "");
  if (!first) sluice_image_release(&image);
  if (!second) sluice_image_release(&again);
  sluice_program_free(read);
  sluice_diags_release(&diags);
  free(text);
  free(twice);
  return good;
}

// Tables in parts: by prefixes, of exact keys, in an order.
static unsigned parts_seen[3];
static void count_parts(const struct sluice_image *image) {
  for (size_t i = 0; i < image->num_tables; i++) {
    const struct sluice_image_table *t = &image->tables[i];
    if (!t->part.num || t->part.number) continue;
    parts_seen[t->part.ordered ? 2 : sluice_table_lpm(t) ? 0 : 1]++;
  }
}

// -1: refused; else whether both did the same.
static int compare(const char *text, uint64_t seed, const struct sluice_config *chip, char *why,
                   size_t room) {
  struct sluice_diags diags = {0};
  struct sluice_rng rng;
  struct rig rig;
  rig_prepare_plan = tables_fill;
  sluice_rng_init(&rng, seed, "packets");
  sluice_rng_init(&tables.rng, seed, "entries");
  const enum rig_opened opened = rig_open(&rig, text, chip, &diags);
  bool good = opened == RIG_OPEN;
  rig.prepare = tables_aim;
  if (opened == RIG_REJECTED) {
    // The text is right, so only the chip can be the reason.
    good = rig.program && diags.num_errors > 0;
    snprintf(rig.why, sizeof rig.why, "refused by the front end, or without a reason");
    if (!good) sluice_diags_print(&diags, stderr);
  } else if (good) {
    count_parts(&rig.image);
    for (unsigned i = 0; good && i < PACKETS; i++) good = rig_packet(&rig, &rng);
    if (good) good = rig_state(&rig);
  }
  snprintf(why, room, "%s", rig.why);
  if (good && rig.program && !tables.fault) good = makes_the_round(rig.program, chip, why, room);
  rig_close(&rig);
  sluice_diags_release(&diags);
  rig_prepare_plan = NULL;
  return opened == RIG_REJECTED && good ? -1 : good;
}

TEST(random_programs_do_the_same_twice) {
  static struct table_gen gen;
  const uint64_t seed = from_environment("SLUICE_SEED", 1),
                 num = from_environment("SLUICE_PROGRAMS", 60);
  uint64_t compiled = 0, of_small = 0;
  for (uint64_t i = 0; i < num; i++) {
    struct sluice_rng rng;
    char why[400];
    sluice_rng_init(&rng, seed + i, "tables");
    tg_program(&gen, &rng);
    if (getenv("SLUICE_SHOW")) printf("%s\n", gen.g.text), fflush(stdout);
    const struct sluice_config *chip = chip_of(seed + i);
    const int same = compare(gen.g.text, seed + i, chip, why, sizeof why);
    if (!same) {
      fputs(gen.g.text, stderr);  // more than a message of cmocka holds
      fail_msg("on %s: %s\nrepeat with SLUICE_SEED=%llu SLUICE_PROGRAMS=1", chip->name, why,
               (unsigned long long)(seed + i));
    }
    compiled += same == 1;
    of_small += same == 1 && strcmp(chip->name, "tables") == 0;
  }
  printf("%llu of %llu random programs with tables compiled, %llu of them for tables; "
         "SLUICE_SEED=%llu\n",
         (unsigned long long)compiled, (unsigned long long)num, (unsigned long long)of_small,
         (unsigned long long)seed);
  if (num >= 50) assert_true(compiled * 3 > num && of_small * 20 > num);
}

// Tables of more entries than an engine holds: parts of them in several stages.
TEST(large_tables_do_the_same_twice) {
  static struct table_gen gen;
  const uint64_t seed = from_environment("SLUICE_SEED", 1),
                 num = from_environment("SLUICE_PROGRAMS", 60) / 2;  // they take longer
  struct sluice_config chip = large();
  unsigned compiled = 0;
  parts_seen[0] = parts_seen[1] = parts_seen[2] = 0;
  for (uint64_t i = 0; i < num; i++) {
    struct sluice_rng rng;
    char why[400];
    sluice_rng_init(&rng, seed + i, "large tables");
    gen.large = tables.large = true;
    tg_program(&gen, &rng);
    if (getenv("SLUICE_SHOW")) printf("%s\n", gen.g.text), fflush(stdout);
    const int same = compare(gen.g.text, seed + i, &chip, why, sizeof why);
    tables.large = false;
    if (!same) {
      fputs(gen.g.text, stderr);
      fail_msg("%s\nrepeat with SLUICE_SEED=%llu SLUICE_PROGRAMS=2", why,
               (unsigned long long)(seed + i));
    }
    compiled += same == 1;
  }
  printf("%u of %llu random programs with large tables compiled: parts by prefixes in %u tables, "
         "of exact keys in %u, in an order in %u; SLUICE_SEED=%llu\n",
         compiled, (unsigned long long)num, parts_seen[0], parts_seen[1], parts_seen[2],
         (unsigned long long)seed);
  if (num >= 50)
    assert_true(compiled * 4 > num && parts_seen[0] > 2 && parts_seen[1] > 5 && parts_seen[2] > 5);
}

// What is wrong in rows, default actions or data words makes a difference in some of the programs.
TEST(faults_are_found) {
  static struct table_gen gen;
  static const char *const names[] = {"", "another row", "hit where there is none",
                                      "data words exchanged"};
  for (enum tables_fault fault = ROW_FAULT; fault <= DATA_FAULT; fault++) {
    unsigned found = 0, num = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
      struct sluice_rng rng;
      char why[400];
      sluice_rng_init(&rng, seed, "tables");
      tg_program(&gen, &rng);
      tables.fault = fault;
      const int same = compare(gen.g.text, seed, chip_of(seed), why, sizeof why);
      tables.fault = NO_FAULT;
      num += same >= 0;
      found += same == 0;
    }
    printf("%s: found in %u of %u programs\n", names[fault], found, num);
    assert_true(found > 0);
  }
}

// ---- the programs of the tree -------------------------------------------------------------------

TEST(programs_do_the_same_twice) {
  static const char *const names[] = {"l2", "router", "acl", "balance", "nat"};
  for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
    char path[100], why[400];
    snprintf(path, sizeof path, "sw/programs/tables/%s.dom", names[i]);
    char *text CLOSED_BY(freed) = text_of(path);
    for (uint64_t seed = 1; seed <= 10; seed++) {
      const int same = compare(text, seed, sluice_config_find("tables"), why, sizeof why);
      if (same != 1)
        fail_msg("%s, seed %llu: %s", path, (unsigned long long)seed, same ? "refused" : why);
    }
  }
}

static struct sluice_image image_of(const char *text, const char *chip) {
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  struct sluice_image image = {0};
  struct sluice_program *program CLOSED_BY(free_program) =
      sluice_program_parse("x", text, strlen(text), &diags);
  if (!program ||
      sluice_compile(program, sluice_config_find(chip), NULL, &image, &diags) != SLUICE_OK) {
    sluice_diags_print(&diags, stderr);
    fail_msg("refused");
  }
  return image;
}

static unsigned writes_of(const struct sluice_image *image, enum sluice_table table,
                          unsigned stage) {
  unsigned num = 0;
  for (size_t i = 0; i < image->num_writes; i++)
    num += image->writes[i].table == table && image->writes[i].stage == stage;
  return num;
}

// What the driver is handed: driver/image/image.h says what it means.
TEST(a_table_in_the_image) {
  struct sluice_image image CLOSED_BY(sluice_image_release) = image_of(
      "struct Packet { int dst @ ipv4.dst; int mac @ eth.dst; int out @ meta.port_out; int drop @ "
      "meta.discard; };\n"
      "void forward(struct Packet p, int port, int mac : 48) { p.out = port; p.mac = mac; }\n"
      "void drop(struct Packet p) { p.drop = 1; }\n"
      "table route { key: p.dst: lpm; actions: forward; size: 9; default: drop;\n"
      "  entries: { 10.0.0.0/8: forward(3, 02:00:00:00:00:05); } }\n"
      "void f(struct Packet p) { apply(route); }\n",
      "tables");
  const struct sluice_image_table *t = image.tables;
  assert_int_equal(image.num_tables, 1);
  assert_string_equal(t->name, "route");
  FIELDS_ARE(t, (stage, 2), (engine, SLUICE_ENGINE_TERNARY), (size, 9), (num_keys, 1));
  assert_string_equal(t->keys[0].name, "p.dst");
  assert_int_equal(t->keys[0].kind, SLUICE_KEY_LPM);
  assert_int_equal(t->keys[0].msb - t->keys[0].lsb, 31);
  assert_int_equal(t->num_actions, 2);
  assert_int_equal(t->actions[0].args[1].msb, 79);
  assert_int_equal(t->actions[0].args[1].lsb, 32);
  assert_false(t->actions[0].only_default);
  assert_true(t->actions[1].only_default);
  assert_int_equal(t->default_action, 1);
  assert_int_equal(writes_of(&image, SLUICE_TABLE_MATCH, 2), 0);
  assert_int_equal(writes_of(&image, SLUICE_TABLE_ACTION, 2), 2);
  assert_int_equal(writes_of(&image, SLUICE_TABLE_DEFAULT_ACTION, 2), 1);
  FIELDS_ARE(&image, (num_entries, 1), (entries[0].priority, 24));
  assert_int_equal(
      sluice_entry_get(image.entries[0].key, SLUICE_KEY_BITS, t->keys[0].msb, t->keys[0].lsb),
      0x0a000000);
  assert_int_equal(
      sluice_entry_get(image.entries[0].care, SLUICE_KEY_BITS, t->keys[0].msb, t->keys[0].lsb),
      0xff000000);
  assert_int_equal(sluice_entry_get(image.entries[0].data, SLUICE_MATCH_DATA_BITS, 79, 32),
                   0x020000000005);
}

// Forwarding and dropping take the stage of the table alone: rows set port and discard flag.
TEST(a_router_takes_one_stage) {
  struct sluice_image image CLOSED_BY(sluice_image_release) =
      image_of("struct Packet { int dst @ ipv4.dst; int ttl @ ipv4.ttl; int mac @ eth.dst; int out "
               "@ meta.port_out;\n"
               "  int drop @ meta.discard; };\n"
               "void forward(struct Packet p, int port, int mac : 48) { p.out = port; p.mac = mac; "
               "p.ttl = p.ttl - 1; }\n"
               "void drop(struct Packet p) { p.drop = 1; }\n"
               "table route { key: p.dst: lpm; actions: forward, drop; size: 16; default: drop; }\n"
               "void f(struct Packet p) { apply(route); }\n",
               "tables");
  for (unsigned stage = 0; stage < 2; stage++)
    assert_int_equal(writes_of(&image, SLUICE_TABLE_ACTION, stage), 0);
  // Nobody looks at hits: the default shares the row of its action, and any could be it.
  assert_int_equal(writes_of(&image, SLUICE_TABLE_ACTION, 2), 2);
  assert_false(image.tables[0].actions[0].apart || image.tables[0].actions[1].apart);
}

TEST(who_looks_at_hits_has_a_row_without_one) {
  struct sluice_image image CLOSED_BY(sluice_image_release) = image_of(
      "struct Packet { int dst @ ipv4.dst; int hit @ bytes(46, 2); int drop @ meta.discard; };\n"
      "void pass(struct Packet p) { p.drop = 0; }\n"
      "void drop(struct Packet p) { p.drop = 1; }\n"
      "table t { key: p.dst: lpm; actions: pass, drop; size: 16; default: drop; }\n"
      "void f(struct Packet p) { apply(t); p.hit = t.hit; }\n",
      "tables");
  const struct sluice_image_action *a = image.tables[0].actions;
  assert_int_equal(writes_of(&image, SLUICE_TABLE_ACTION, image.tables[0].stage), 3);
  assert_true(a[0].apart && a[0].default_row == SLUICE_NO_DEFAULT);
  assert_true(a[1].apart && a[1].default_row == 2);
}

// ---- any text -----------------------------------------------------------------------------------

// A piece of the text is taken out, doubled, or put elsewhere, or a character becomes another.
static void mutate(char *text, size_t room, struct sluice_rng *rng) {
  static const char other[] = "{}();:,.=+-*/&|_0123456789abcdpt \n";
  for (unsigned n = 1 + (unsigned)sluice_rng_below(rng, 3); n; n--) {
    char piece[40];
    const size_t len = strlen(text), at = sluice_rng_below(rng, len);
    size_t take = 1 + sluice_rng_below(rng, sluice_rng_below(rng, 4) ? 8 : sizeof piece - 1);
    if (at + take > len) take = len - at;
    snprintf(piece, sizeof piece, "%.*s", (int)take, text + at);
    const unsigned kind = (unsigned)sluice_rng_below(rng, 4);
    if (kind == 0) text[at] = other[sluice_rng_below(rng, sizeof other - 1)];
    if (kind == 1 || kind == 2) memmove(text + at, text + at + take, len - at - take + 1);
    if (kind < 2 || len + take + 1 > room) continue;
    const size_t now = strlen(text), to = sluice_rng_below(rng, now + 1);
    memmove(text + to + take, text + to, now - to + 1);
    memcpy(text + to, piece, take);
  }
}

TEST(mutated_programs_never_break_the_compiler) {
  static struct table_gen gen;
  const uint64_t num = from_environment("SLUICE_MUTATED", 1500);
  unsigned right = 0;
  for (uint64_t seed = 1; seed <= num; seed++) {
    struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
    struct sluice_image image = {0};
    struct sluice_rng rng;
    sluice_rng_init(&rng, seed, "mutated tables");
    if (seed % 4) {
      tg_program(&gen, &rng);
    } else {
      char *text CLOSED_BY(freed) =
          text_of(seed % 8 ? "sw/programs/tables/acl.dom" : "sw/programs/tables/router.dom");
      snprintf(gen.g.text, sizeof gen.g.text, "%s", text);
    }
    mutate(gen.g.text, sizeof gen.g.text, &rng);
    struct sluice_program *program CLOSED_BY(free_program) =
        sluice_program_parse("x", gen.g.text, strlen(gen.g.text), &diags);
    if (program && sluice_compile(program, chip_of(seed), NULL, &image, &diags) == SLUICE_OK) {
      right++;
      sluice_image_release(&image);
    } else if (!diags.num_errors) {
      fail_msg("text %llu is refused without a reason", (unsigned long long)seed);
    }
  }
  printf("%llu mutated programs, %u of them compiled\n", (unsigned long long)num, right);
  if (num >= 1000) assert_true(right * 60 > num);
}

// A program whose entries find no place is refused, and the plan is as it was: the lists of its
// tables had grown before that.
TEST(entries_without_a_place_leave_the_plan_alone) {
  const struct sluice_config *chip = sluice_config_find("react");
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  struct sluice_image image CLOSED_BY(sluice_image_release) = {0};
  struct sluice_plan *plan CLOSED_BY(close_plan);
  struct sluice_error error;
  char text[2000] = "struct Packet { int src @ ipv4.src; int out @ meta.port_out; };\n"
                    "void to(struct Packet p, int port) { p.out = port; }\n"
                    "table t { key: p.src: ternary; actions: to; size: 12; default: to(1);\n"
                    "  entries: {";
  for (unsigned i = 0; i < 12; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), " %u: to(1);", i);
  strcat(text, " } }\nvoid f(struct Packet p) { apply(t); }\n");
  assert_int_equal(compile_text(text, chip, &image, &diags), SLUICE_OK);
  assert_int_equal(sluice_plan_open(&plan, "react", NULL, &error), SLUICE_OK);
  assert_int_equal(sluice_plan_add(plan, &image, 1, &error), SLUICE_OK);
  for (unsigned vid = 2; vid < 5; vid++) {
    assert_int_equal(sluice_plan_add(plan, &image, vid, &error), SLUICE_ERR_FULL);
    assert_non_null(strstr(error.text, "all 16 entries of the ternary engine are used"));
  }
  assert_non_null(sluice_plan_find(plan, 1));
  assert_null(sluice_plan_find(plan, 2));
}
