// SPDX-License-Identifier: Apache-2.0
// Tables and the chip: which stages have an engine for a table, and what is refused for want of
// one.
#include "table.h"

enum { CUCKOO_LOAD = 90 };  // percent that random keys fill without failure (docs/matching.md)

// ---- stages -------------------------------------------------------------------------------------

unsigned table_cuckoo_room(const struct sluice_config *chip) {
  return (unsigned)((uint64_t)chip->CuckooEntries * CUCKOO_LOAD / 100);
}

static bool cuckoo_at(const struct compiler *c, const struct table *t, unsigned stage) {
  return table_is_exact(t) && t->size <= table_cuckoo_room(c->config) &&
         c->config->CuckooStages >> stage & 1;
}

static bool ternary_at(const struct compiler *c, const struct table *t, unsigned stage) {
  return t->size <= c->config->TernaryEntries && c->config->TernaryStages >> stage & 1;
}

static unsigned num_stages(const struct compiler *c) {
  return c->config->FrontStages + c->config->BackStages;
}

bool table_fits_one(const struct compiler *c, const struct table *t) {
  bool fits = false;
  for (unsigned s = 0; s < num_stages(c); s++) fits |= cuckoo_at(c, t, s) || ternary_at(c, t, s);
  return fits;
}

enum sluice_engine_kind table_engine(const struct compiler *c, unsigned table, unsigned stage) {
  const struct table *t = c->program->table[table];
  if (table_is_part(t)) return t->part.engine;
  return cuckoo_at(c, t, stage) ? SLUICE_ENGINE_CUCKOO : SLUICE_ENGINE_TERNARY;
}

bool table_can_be(const struct compiler *c, unsigned table, int stage) {
  const struct table *t = c->program->table[table];
  const unsigned forced = c->plan->table_stage[table];
  if (table_is_part(t)) return stage == t->part.stage;
  if (stage < 1 || stage > (int)num_stages(c) || (forced && forced != (unsigned)stage))
    return false;
  if (c->part_stages >> stage & 1) return false;
  const unsigned number = stage_number(c, stage);
  if (cuckoo_at(c, t, number)) return true;
  // Of its own accord a table of exact keys leaves ternary entries to others.
  bool cuckoo = false;
  for (unsigned s = 0; !forced && s < num_stages(c); s++) cuckoo |= cuckoo_at(c, t, s);
  return !cuckoo && ternary_at(c, t, number);
}

int table_stage_from(const struct compiler *c, unsigned table, int stage) {
  if (!c->config) return stage;  // a text in the IR that is only checked
  for (; stage <= (int)num_stages(c); stage++)
    if (table_can_be(c, table, stage)) return stage;
  return 0;
}

// ---- what no stage can hold ---------------------------------------------------------------------

static void refuse_engine(struct compiler *c, const struct table *t) {
  const struct sluice_config *chip = c->config;
  const bool exact = table_is_exact(t);
  const struct token *at = t->at;
  if (!chip->TernaryStages && (!exact || !chip->CuckooStages)) {
    diag_error(&c->ir, at, "no-engine", "'%s' needs a %s engine, and chip '%s' has none%s", t->name,
               exact ? "ternary or cuckoo" : "ternary", chip->name,
               SEE_CHIP(&c->ir, TernaryEntries, t->size));
    return;
  }
  const unsigned cuckoo = exact && chip->CuckooStages ? table_cuckoo_room(chip) : 0,
                 ternary = chip->TernaryStages ? chip->TernaryEntries : 0;
  diag_error(&c->ir, at, "table-size", "'%s' has %u entries, %s of chip '%s' holds %u%s%s", t->name,
             t->size, cuckoo > ternary ? "a cuckoo engine" : "a ternary engine", chip->name,
             cuckoo > ternary ? cuckoo : ternary, cuckoo > ternary ? " whatever the keys are" : "",
             cuckoo > ternary
                 ? SEE_CHIP(&c->ir, CuckooEntries, (t->size * 100 + CUCKOO_LOAD - 1) / CUCKOO_LOAD)
                 : SEE_CHIP(&c->ir, TernaryEntries, t->size));
}

void tables_fit(struct compiler *c) {
  const struct sluice_config *chip = c->config;
  unsigned num = 0;
  for (unsigned i = 0; i < c->program->num_tables; i++) {
    const struct table *t = c->program->table[i];
    if (!t->apply_at) continue;
    num++;
    if (!table_is_part(t) && !table_fits_one(c, t)) refuse_engine(c, t);
    else if (!chip->DefaultActions)
      diag_error(&c->ir, t->at, "no-default",
                 "'%s' needs a default action, and chip '%s' has none%s", t->name, chip->name,
                 SEE_CHIP(&c->ir, DefaultActions, 1));
    else if (table_rows(t) > chip->ExtraActions)
      diag_error(&c->ir, t->at, "action-rows", "'%s' takes %u rows of actions, chip '%s' has %u%s",
                 t->name, table_rows(t), chip->name, chip->ExtraActions,
                 SEE_CHIP(&c->ir, ExtraActions, table_rows(t)));
  }
  const unsigned engines = (unsigned)__builtin_popcount(chip->TernaryStages | chip->CuckooStages);
  give_up_on_errors(&c->ir);
  if (num > engines)
    diag_fatal(
        &c->ir, c->program->name_at, "table-stages",
        "applies %u tables, chip '%s' has %u stage%s with match engines, of which each holds one",
        num, chip->name, engines, engines == 1 ? "" : "s");
}
