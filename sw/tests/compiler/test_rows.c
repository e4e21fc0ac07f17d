// SPDX-License-Identifier: Apache-2.0
// Random programs with rows, and with words that are looked up (of up to 16 words for `keys16`):
// interpreted from the text; compiled for a chip and run by the reference model; and printed in the
// IR, read back and compiled again, which is the same image. Same packets, same headers, ports and
// final state, row by row.
//
// SLUICE_SEED and SLUICE_PROGRAMS in the environment choose the programs; SLUICE_WRITE=DIR keeps
// their texts. Run from the root of the tree.

#include <sluice/table.h>

#include "tests/rig/test.h"
#include "tests/rig/environment.h"
#include "tests/rig/domino_rig.h"
#include "tests/rig/ir_rig.h"
#include "tests/rig/row_gen.h"
#include "tests/rig/line.h"

enum { PACKETS = 200 };

static void round_trip(const struct rig *rig, struct sluice_diags *diags, const char *text) {
  char why[400];
  char *image CLOSED_BY(freed) = ir_image(rig->program, rig->config, false, diags);
  if (!ir_round(rig->program, image, rig->config, false, why)) fail_msg("%s\nIR: %s", text, why);
}

// Entries that are added and removed behind those of the text, in both.
static struct sluice_rng entries;
static enum fault { NONE, STAYS, OTHER_WORDS, OTHER_CONTAINER, OTHER_DATA, LOST, FAULTS } fault;

// What a faulty compiler or driver would send.
static void spoil(struct sluice_plan *plan) {
  for (size_t i = 0; i < plan->num_writes; i++) {
    uint8_t *keys = plan->writes[i].bytes;
    if (plan->writes[i].table != SLUICE_TABLE_ARRAY_KEYS) continue;
    if (fault == STAYS) SLUICE_SET(keys, ARRAY_KEYS, STAY, !SLUICE_GET(keys, ARRAY_KEYS, STAY));
    if (fault == OTHER_WORDS)
      SLUICE_SET(keys, ARRAY_KEYS, WORDS, SLUICE_GET(keys, ARRAY_KEYS, WORDS) >> 1);
    if (fault == OTHER_CONTAINER)
      SLUICE_SET(keys, ARRAY_KEYS, FOUND, SLUICE_GET(keys, ARRAY_KEYS, FOUND) ^ 1);
  }
  for (size_t i = 0; i < plan->tables.num_entries; i++) {
    if (fault == OTHER_DATA) plan->tables.entries[i].data[3] ^= 1;
    if (fault == LOST && i % 2) plan->tables.entries[i].vid++;
  }
}

static bool change_entries(struct rig *r, struct sluice_plan *plan) {
  if (!r->image.num_tables) return true;
  for (unsigned i = 0; i < 12; i++) {
    const uint32_t key = (uint32_t)rig_value(&entries), data = (uint32_t)rig_value(&entries);
    struct sluice_table_change change =
        TABLE_CHANGE(SLUICE_TABLE_ADD, RIG_VID, "pairs", key, UINT32_MAX, "becomes", data);
    const bool there = sluice_plan_table_get(plan, &change);
    change.args[0] = data;
    change.op = there ? i % 3 ? SLUICE_TABLE_MODIFY : SLUICE_TABLE_DELETE : SLUICE_TABLE_ADD;
    if (sluice_plan_table_change(plan, &change, 1, &error)) {
      snprintf(r->why, sizeof r->why, "the plan refused an entry: %.300s", error.text);
      return false;
    }
    if (change.op == SLUICE_TABLE_DELETE) sluice_interpreter_no_pair(r->interpreter, key);
    else if (!sluice_interpreter_pair(r->interpreter, key, data)) return false;
  }
  spoil(plan);
  return true;
}

enum { ENOUGH = 3 };
static unsigned found;  // programs in which the fault made a difference

// Whether the module has an action in the row of an operation: another row is not its own.
static bool has_action(const struct sluice_image *image, const struct sluice_write *w) {
  bool has = false;
  for (size_t i = 0; i < image->num_writes && !has; i++) {
    const struct sluice_write *x = &image->writes[i];
    has = x->table == SLUICE_TABLE_ACTION && x->stage == w->stage && x->index == w->index;
  }
  return has;
}

// True if the program compiled; `selected`: by a condition on state.
static bool one(const char *text, const char *chip, uint64_t seed, bool *selects, unsigned *rows) {
  struct sluice_diags diags = {0};
  struct sluice_rng rng;
  struct rig rig;
  sluice_rng_init(&rng, seed, "packets");
  sluice_rng_init(&entries, seed, "entries");
  rig_prepare_plan = change_entries;
  const enum rig_opened opened = rig_open(&rig, text, sluice_config_find(chip), &diags);
  bool good = opened == RIG_OPEN;
  if (opened == RIG_REJECTED) {
    good = rig.program && diags.num_errors > 0;
    snprintf(rig.why, sizeof rig.why, "refused by the front end, or without a reason");
  }
  for (unsigned i = 0; good && opened == RIG_OPEN && i < PACKETS; i++)
    good = rig_packet(&rig, &rng);
  if (good && opened == RIG_OPEN) good = rig_state(&rig);
  if (!good && fault) {
    found++;
    rig_close(&rig);
    sluice_diags_release(&diags);
    return true;
  }
  if (!good) {
    sluice_diags_print(&diags, stderr);
    fail_msg("%s\n%s\nrepeat with SLUICE_SEED=%llu SLUICE_PROGRAMS=1", text, rig.why,
             (unsigned long long)seed);
  }
  *selects = false;
  *rows = 0;
  for (size_t i = 0; i < rig.image.num_writes; i++) {
    const struct sluice_write *w = &rig.image.writes[i];
    if (w->table != SLUICE_TABLE_ARRAY_INSTR) continue;
    *selects |= SLUICE_GET(w->bytes, ARRAY_INSTR, SELECT) != SLUICE_ARRAY_SELECT_NONE;
    if (!has_action(&rig.image, w))
      fail_msg("%s\nno action is beside ARRAY_INSTR, row %u", text, w->index);
  }
  for (size_t i = 0; i < rig.image.num_arrays; i++) *rows += rig.image.arrays[i].words != 0;
  if (opened == RIG_OPEN) round_trip(&rig, &diags, text);
  rig_close(&rig);
  sluice_diags_release(&diags);
  return opened == RIG_OPEN;
}

TEST(random_rows_do_the_same_on_the_model) {
  static struct gen gen;
  const uint64_t seed = from_environment("SLUICE_SEED", 1),
                 num = from_environment("SLUICE_PROGRAMS", 100);
  const char *dir = getenv("SLUICE_WRITE");
  // Two of them have more than 8 ports.
  static const char *const chips[] = {"arrays", "keys8", "five", "s4", "arrays.NumPorts10"};
  unsigned compiled = 0, selecting = 0, both = 0, looking = 0;
  for (uint64_t i = 0; i < num; i++) {
    struct sluice_rng rng;
    bool selects;
    unsigned rows;
    sluice_rng_init(&rng, seed + i, "rows");
    gen.wide = (seed + i) % 4 == 0;
    row_program(&gen, &rng);
    if (dir) {
      char path[400];
      snprintf(path, sizeof path, "%s/rows-%llu.dom", dir, (unsigned long long)(seed + i));
      FILE *out = fopen(path, "w");
      if (!out || fputs(gen.text, out) < 0 || fclose(out) != 0) fail_msg("cannot write %s", path);
    }
    const bool fits =
        one(gen.text, gen.wide ? "keys16" : chips[(seed + i) % 5], seed + i, &selects, &rows);
    compiled += fits;
    looking += fits && gen.looks_up;
    selecting += selects;
    both += rows == 2;
  }
  printf("%u of %llu random programs with rows compiled for chips with rows, %u choose by state, "
         "%u have two row arrays, %u look words up; SLUICE_SEED=%llu\n",
         compiled, (unsigned long long)num, selecting, both, looking, (unsigned long long)seed);
  if (num < 40) return;
  assert_true(compiled * 3 > num);
  assert_true(selecting * 20 > num && both * 20 > num && looking * 5 > num);
}

TEST(faults_are_found) {
  static struct gen gen;
  static const char *const names[] = {"",
                                      "a word without an entry does the other",
                                      "other words are keys",
                                      "what is found in another container",
                                      "another bit in the data",
                                      "entries of another module"};
  for (fault = STAYS; fault < FAULTS; fault++) {
    found = 0;
    for (uint64_t seed = 1; seed <= 60 && found < ENOUGH; seed++) {
      struct sluice_rng rng;
      bool selects;
      unsigned rows;
      sluice_rng_init(&rng, seed, "rows");
      row_program(&gen, &rng);
      if (gen.looks_up) one(gen.text, "arrays", seed, &selects, &rows);
    }
    printf("%s: found in %u programs\n", names[fault], found);
    assert_int_equal(found, ENOUGH);
  }
  fault = NONE;
}
