// SPDX-License-Identifier: Apache-2.0
// Reading tables back.
#include <string.h>

#include "../image/capability.h"
#include "chip.h"
#include "../image/image_tables.h"
#include "../plan/link.h"
#include "../plan/table_diff.h"

bool chip_expect(const struct sluice_config *config, const struct chip_expect *expect,
                 enum sluice_table table, unsigned stage, unsigned index, uint8_t *bytes) {
  const struct sluice_change *done = chip_index_find(&expect->by_list, table, stage, index),
                             *ahead = chip_index_find(&expect->by_ahead, table, stage, index);
  uint8_t entry[SLUICE_ENTRY_BYTES];
  const uint8_t *from = NULL;
  enum sluice_engine_kind kind;
  if (ahead) {
    from = table != SLUICE_TABLE_MATCH || ahead->was_used || ahead->kind == SLUICE_CHANGE_ERASE
               ? ahead->old
               : NULL;
  } else if (done) {
    from = done->kind == SLUICE_CHANGE_WRITE ? done->bytes : NULL;
  } else if (sluice_table_engine(table, &kind)) {
    const uint32_t id = sluice_tables_at(&expect->plan->tables, stage, kind, index);
    sluice_tables_encode(&expect->plan->tables, id, 0, entry);
    if (id != SLUICE_NO_ID) from = entry;
  } else {
    const struct sluice_write *w = sluice_plan_entry(expect->plan, table, stage, index);
    const bool group = !w && table == SLUICE_TABLE_PORT_MASK && expect->groups &&
                       index >= sluice_config_destinations(config);
    if (w) from = w->bytes;
    if (group) {
      memset(entry, 0, sizeof entry);
      SLUICE_SET(entry, PORT_MASK, PORTS, expect->groups[index]);
      from = entry;
    }
  }
  if (from) memcpy(bytes, from, SLUICE_ENTRY_BYTES);
  else sluice_entry_reset(config, table, index, bytes);
  sluice_entry_kept(config, table, bytes);
  return from != NULL;
}

void chip_expected(const struct sluice_config *config, const struct sluice_plan *plan,
                   enum sluice_table table, unsigned stage, unsigned index, uint8_t *bytes) {
  chip_expect(config, &(struct chip_expect){.plan = plan}, table, stage, index, bytes);
}

// An entry that was never written and one that was written with zeros may read differently (REL of
// predicates that the chip does not have: FALSE when written, 0 after reset), so both sides are
// brought to what the chip keeps.
bool chip_holds(const struct sluice_config *config, enum sluice_table table, const uint8_t *got,
                const uint8_t *expected) {
  const unsigned len = sluice_table_bytes(table);
  uint8_t kept[SLUICE_ENTRY_BYTES];
  if (memcmp(got, expected, len) == 0) return true;
  memcpy(kept, got, len);
  sluice_entry_kept(config, table, kept);
  return memcmp(kept, expected, len) == 0 && !config->StatePairs &&
         table == SLUICE_TABLE_STATE_INSTR;
}

// Tables whose entries a plan stands for: SEGMENT16 is another view of SEGMENT, ids of capsules are
// in no plan.
static bool in_plan(enum sluice_table table) {
  return table != SLUICE_TABLE_SEGMENT16 && !sluice_table_is_contents(table) &&
         sluice_tables[table].rows != SLUICE_ROWS_ids;
}

static enum sluice_status repair(struct sluice_chip *chip, const struct chip_query *q,
                                 unsigned index, const uint8_t *bytes, bool used,
                                 struct sluice_error *error) {
  if (q->table == SLUICE_TABLE_MATCH && !used) {
    sluice_reconfig_erase(&chip->frame, q->stage, index);
  } else {
    struct sluice_write w = {.table = q->table, .stage = q->stage, .index = index};
    memcpy(w.bytes, bytes, sizeof w.bytes);
    sluice_reconfig_write(&chip->frame, &w);
  }
  chip->line.resent++;
  return chip_send(chip, error);
}

// With seen_alone: whether packets of the banks that are taken find this entry. `got` becomes what
// they find.
static bool is_seen(const struct sluice_chip *chip, const struct chip_expect *expect,
                    const struct chip_query *q, unsigned index, uint8_t *got) {
  const unsigned modules = chip->config->NumModules;
  if (sluice_tables[q->table].rows == SLUICE_ROWS_overlay)
    return index == chip_bank_row(chip, index % modules);
  // Rows of actions that no entry names may hold anything.
  if (sluice_by_match_row(q->table) && q->table != SLUICE_TABLE_MATCH) {
    for (size_t i = 0; i < expect->plan->num_rows; i++)
      if (expect->plan->rows[i].stage == q->stage && expect->plan->rows[i].at == index) return true;
    return false;
  }
#define SEEN_OF(LAYOUT)                                                                    \
  do {                                                                                     \
    const unsigned bank = chip->bank >> (SLUICE_GET(got, LAYOUT, VID) % modules) & 1;      \
    if (SLUICE_GET(got, LAYOUT, NOT_BANK) >> bank & 1) memset(got, 0, SLUICE_ENTRY_BYTES); \
    SLUICE_SET(got, LAYOUT, NOT_BANK, 0);                                                  \
  } while (0)
  if (q->table == SLUICE_TABLE_TERNARY) SEEN_OF(TERNARY);
  else if (q->table == SLUICE_TABLE_CUCKOO) SEEN_OF(CUCKOO);
  else if (q->table == SLUICE_TABLE_ARRAY_MATCH) SEEN_OF(ARRAY_MATCH);
  else if (q->table == SLUICE_TABLE_MATCH) SEEN_OF(MATCH);
#undef SEEN_OF
  return true;
}

// Compares the entries of one query. What it finds wrong it writes again only when all of the
// answer has been looked at.
static enum sluice_status compare_block(struct sluice_chip *chip, const struct chip_expect *expect,
                                        const struct chip_query *q, bool again, unsigned *wrong,
                                        struct sluice_error *first, struct sluice_error *error) {
  bool differs[128] = {false};
  struct sluice_reconfig answer;
  uint8_t expected[SLUICE_ENTRY_BYTES];
  CHIP_TRY(chip_query(chip, q, &answer, error));
  for (unsigned n = 0; n < q->count; n++) {
    chip_expect(chip->config, expect, q->table, q->stage, q->index + n, expected);
    uint8_t got[SLUICE_ENTRY_BYTES] = {0};
    memcpy(got, sluice_reconfig_entry(&answer, n), sluice_table_bytes(q->table));
    if (expect->seen_alone && !is_seen(chip, expect, q, q->index + n, got)) continue;
    differs[n] = !chip_holds(chip->config, q->table, got, expected);
    if (!differs[n] || (*wrong)++) continue;
    (void)sluice_fail(
        first, SLUICE_ERR_DIFFERS,
        "%s of stage %u, entry %u, pipeline %u: the chip does not hold what the plan says",
        sluice_tables[q->table].name, q->stage, q->index + n, q->copy);
  }
  for (unsigned n = 0; again && n < q->count; n++) {
    if (!differs[n]) continue;
    const bool used = chip_expect(chip->config, expect, q->table, q->stage, q->index + n, expected);
    CHIP_TRY(repair(chip, q, q->index + n, expected, used, error));
  }
  return SLUICE_OK;
}

enum sluice_status chip_compare(struct sluice_chip *chip, const struct chip_expect *expect,
                                unsigned copies, bool again, unsigned *wrong,
                                struct sluice_error *first, struct sluice_error *error) {
  struct chip_expect with = *expect;
  const unsigned stages = sluice_config_stages(chip->config);
  *wrong = 0;
  with.groups = chip->groups;
  for (unsigned t = 0; t < SLUICE_NUM_TABLES; t++) {
    const enum sluice_table table = (enum sluice_table)t;
    const unsigned rows = sluice_table_rows(table, chip->config),
                   block = chip_query_max(chip, table);
    if (!in_plan(table)) continue;
    for (unsigned stage = 0; stage < stages; stage++) {
      if (!sluice_table_in_stage(table, stage, chip->config)) continue;
      for (unsigned copy = 0; copy < copies; copy++)
        for (unsigned at = 0; at < rows; at += block) {
          const struct chip_query q = {table, stage, at, rows - at < block ? rows - at : block,
                                       copy,  0};
          CHIP_TRY(compare_block(chip, &with, &q, again, wrong, first, error));
        }
    }
  }
  return SLUICE_OK;
}

enum sluice_status sluice_chip_audit(struct sluice_chip *chip, struct sluice_error *error) {
  struct sluice_error first;
  unsigned wrong;
  CHIP_TRY(chip_compare(chip, &(struct chip_expect){.plan = chip->plan}, chip->config->NumPipes,
                        false, &wrong, &first, error));
  if (wrong == 0) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_DIFFERS, "%.300s (%u in all)", first.text, wrong);
}
