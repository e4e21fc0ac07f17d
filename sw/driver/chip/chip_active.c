// SPDX-License-Identifier: Apache-2.0
// Ids of capsules: entries of TENANT, REGION and ADDRESS.
#include <sluice/active.h>
#include <string.h>

#include "chip.h"

static enum sluice_status find(const struct sluice_chip *chip, const struct chip_at *at,
                               struct sluice_error *error) {
  const struct sluice_config *c = chip->config;
  if (!c->Active)
    return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                       "chip '%s' executes no capsules (Active): it has no %s", c->name,
                       sluice_tables[at->table].name);
  if (at->id >= c->ActiveIds)
    return sluice_fail(error, SLUICE_ERR_RANGE, "id %u of capsules: chip '%s' has ids 0 to %u",
                       at->id, c->name, c->ActiveIds - 1);
  if (at->bank >= c->Banks)
    return sluice_fail(error, SLUICE_ERR_RANGE, "bank %u: chip '%s' has %s", at->bank, c->name,
                       c->Banks == 2 ? "banks 0 and 1" : "bank 0 alone");
  if (!sluice_table_in_stage(at->table, at->stage, c))
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "%s of stage %u: stages with state of chip '%s' are 0 to %u",
                       sluice_tables[at->table].name, at->stage, c->name, c->StateStages - 1);
  return SLUICE_OK;
}

static enum sluice_status module_of(const struct sluice_chip *chip, unsigned vid,
                                    struct chip_at *at, struct sluice_error *error) {
  const struct sluice_placed *m = sluice_plan_find(chip->plan, vid);
  if (!m)
    return sluice_fail(error, SLUICE_ERR_NOT_FOUND, "no module on the chip has VLAN id %u", vid);
  at->row = at->bank * chip->config->NumModules + m->row;
  return SLUICE_OK;
}

static unsigned index_of(const struct sluice_chip *chip, const struct chip_at *at) {
  return at->bank * chip->config->ActiveIds + at->id;
}

static enum sluice_status get(struct sluice_chip *chip, const struct chip_at *at, uint8_t *bytes,
                              struct sluice_error *error) {
  const struct chip_query q = {at->table, at->stage, index_of(chip, at), 1, 0, at->row};
  struct sluice_reconfig answer;
  CHIP_TRY(chip_query(chip, &q, &answer, error));
  memcpy(bytes, sluice_reconfig_entry(&answer, 0), sluice_table_bytes(at->table));
  return SLUICE_OK;
}

// Whether packets of this bank of the module may be inside, though it has left it: then the chip
// refuses.
static enum sluice_status drained(struct sluice_chip *chip, const struct chip_at *at,
                                  struct sluice_error *error) {
  const unsigned row = at->row % chip->config->NumModules;
  uint32_t inside;
  if (chip->config->Banks < 2 || at->bank == (chip->bank >> row & 1)) return SLUICE_OK;
  CHIP_TRY(sluice_chip_read(chip, CHIP_REG(CHIP, 0, INSIDE_BANK0) + 4 * at->bank, &inside, error));
  if (!(inside >> row & 1)) return SLUICE_OK;
  return sluice_fail(
      error, SLUICE_ERR_BUSY,
      "%s, id %u, bank %u: packets of the module that took this bank are still inside",
      sluice_tables[at->table].name, at->id, at->bank);
}

static enum sluice_status set_now(struct sluice_chip *chip, const struct chip_at *at,
                                  const uint8_t *bytes, struct sluice_error *error) {
  uint8_t got[SLUICE_ENTRY_BYTES];
  CHIP_TRY(drained(chip, at, error));
  for (unsigned n = 0; n < chip->options.tries; n++) {
    struct chip_counts before;
    bool arrived;
    if (n) chip->line.resent++;
    sluice_reconfig_begin(&chip->frame, SLUICE_CHAIN_WRITE, at->table, at->stage,
                          index_of(chip, at));
    SLUICE_RECONFIG_SET(&chip->frame, ROW, at->row);
    sluice_reconfig_append(&chip->frame, at->table, bytes);
    sluice_reconfig_finish(&chip->frame);
    CHIP_TRY(chip_counts(chip, &before, error));
    CHIP_TRY(chip_send(chip, error));
    CHIP_TRY(chip_arrive(chip, &before, 1, false, &arrived, error));
    if (arrived && chip->options.verify == SLUICE_VERIFY_COUNT) return SLUICE_OK;
    CHIP_TRY(get(chip, at, got, error));
    if (memcmp(got, bytes, sluice_table_bytes(at->table)) == 0) return SLUICE_OK;
    CHIP_TRY(drained(chip, at, error));
  }
  return sluice_fail(error, SLUICE_ERR_DIFFERS,
                     "%s of stage %u, id %u, bank %u is not as wanted, though written %u times",
                     sluice_tables[at->table].name, at->stage, at->id, at->bank,
                     chip->options.tries);
}

// Which of the gathered entries the chip has.
struct checked {
  const struct sluice_chip *chip;
  bool good[CHIP_GATHER];
};
static void check(void *user, size_t n, const struct sluice_reconfig *answer) {
  struct checked *c = user;
  const struct chip_gathered *g = &c->chip->gathered;
  c->good[n] = memcmp(sluice_reconfig_entry(answer, 0), g->bytes[n],
                      sluice_table_bytes(g->at[n].table)) == 0;
}

// All frames, their count, and what the chip holds then. What is not there is written alone.
static enum sluice_status post(struct sluice_chip *chip, struct sluice_error *error) {
  const struct chip_gathered *g = &chip->gathered;
  struct checked checked = {.chip = chip};
  struct chip_query query[CHIP_GATHER];
  struct chip_counts before;
  bool arrived;
  for (unsigned i = 0; i < g->num; i++)
    if (i == 0 || g->at[i].row != g->at[i - 1].row) CHIP_TRY(drained(chip, &g->at[i], error));
  CHIP_TRY(chip_counts(chip, &before, error));
  for (unsigned i = 0; i < g->num; i++) {
    const struct chip_at *at = &g->at[i];
    sluice_reconfig_begin(&chip->frame, SLUICE_CHAIN_WRITE, at->table, at->stage,
                          index_of(chip, at));
    SLUICE_RECONFIG_SET(&chip->frame, ROW, at->row);
    sluice_reconfig_append(&chip->frame, at->table, g->bytes[i]);
    sluice_reconfig_finish(&chip->frame);
    CHIP_TRY(chip_send(chip, error));
    query[i] = (struct chip_query){at->table, at->stage, index_of(chip, at), 1, 0, at->row};
  }
  CHIP_TRY(chip_arrive(chip, &before, g->num, false, &arrived, error));
  if (arrived && chip->options.verify == SLUICE_VERIFY_COUNT) return SLUICE_OK;
  CHIP_TRY(chip_query_all(chip, query, g->num, check, &checked, error));
  for (unsigned i = 0; i < g->num; i++)
    if (!checked.good[i]) CHIP_TRY(set_now(chip, &g->at[i], g->bytes[i], error));
  return SLUICE_OK;
}

static enum sluice_status flush(struct sluice_chip *chip, struct sluice_error *error) {
  struct chip_gathered *g = &chip->gathered;
  uint32_t rows = 0;
  for (unsigned i = 0; i < g->num; i++)
    if (g->at[i].table == SLUICE_TABLE_REGION)
      rows |= UINT32_C(1) << g->at[i].row % chip->config->NumModules;
  if (!g->num) return SLUICE_OK;
  enum sluice_status status = rows ? chip_recall(chip, rows, error) : SLUICE_OK;
  if (!status) status = post(chip, error);
  const enum sluice_status again = rows ? chip_move_again(chip, rows, status ? NULL : error)
                                        : SLUICE_OK;
  g->num = 0;
  return status ? status : again;
}

static enum sluice_status set(struct sluice_chip *chip, const struct chip_at *at,
                              const uint8_t *bytes, struct sluice_error *error) {
  struct chip_gathered *g = &chip->gathered;
  if (!g->on) return set_now(chip, at, bytes, error);
  if (g->num == CHIP_GATHER) CHIP_TRY(flush(chip, error));
  g->at[g->num] = *at;
  memcpy(g->bytes[g->num++], bytes, sluice_table_bytes(at->table));
  return SLUICE_OK;
}

void sluice_chip_active_gather(struct sluice_chip *chip) {
  chip->gathered.on = true;
  chip->gathered.num = 0;
}

enum sluice_status sluice_chip_active_send(struct sluice_chip *chip, struct sluice_error *error) {
  const enum sluice_status status = flush(chip, error);
  chip->gathered.on = false;
  chip->gathered.num = 0;
  return status;
}

static enum sluice_status fits(const struct chip_at *at, const char *what, uint64_t value,
                               unsigned bits, struct sluice_error *error) {
  if (value >> bits == 0) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_RANGE, "%s, id %u: %s 0x%llx does not fit into %u bits",
                     sluice_tables[at->table].name, at->id, what, (unsigned long long)value, bits);
}

// ---- the three tables ---------------------------------------------------------------------------

enum sluice_status sluice_chip_tenant_set(struct sluice_chip *chip, unsigned vid, unsigned bank,
                                          unsigned id, const struct sluice_active_tenant *tenant,
                                          struct sluice_error *error) {
  struct chip_at at = {SLUICE_TABLE_TENANT, 0, bank, id, 0};
  uint8_t e[SLUICE_ENTRY_BYTES] = {0};
  CHIP_TRY(find(chip, &at, error));
  CHIP_TRY(fits(&at, "rounds", tenant->rounds, 8, error));
  CHIP_TRY(chip_resolve(chip, error));
  CHIP_TRY(module_of(chip, vid, &at, error));
  SLUICE_SETS(e, TENANT, (ROUNDS, tenant->rounds), (VALID, tenant->valid), (DROP, tenant->drop),
              (REPORT, tenant->report), (ROW, at.row % chip->config->NumModules));
  return set(chip, &at, e, error);
}

static struct sluice_active_tenant tenant_of(const uint8_t *e) {
  return (struct sluice_active_tenant){
      SLUICE_GET(e, TENANT, VALID), SLUICE_GET(e, TENANT, DROP), SLUICE_GET(e, TENANT, REPORT),
      (unsigned)SLUICE_GET(e, TENANT, ROW), (unsigned)SLUICE_GET(e, TENANT, ROUNDS)};
}

enum sluice_status sluice_chip_tenants_get(struct sluice_chip *chip, unsigned bank, unsigned first,
                                           unsigned num, struct sluice_active_tenant *tenants,
                                           struct sluice_error *error) {
  const unsigned block = chip_query_max(chip, SLUICE_TABLE_TENANT);
  struct sluice_reconfig answer;
  for (unsigned at = 0; at < num; at += block) {
    const unsigned n = num - at < block ? num - at : block;
    const struct chip_at from = {SLUICE_TABLE_TENANT, 0, bank, first + at, 0},
                         last = {SLUICE_TABLE_TENANT, 0, bank, first + at + n - 1, 0};
    CHIP_TRY(find(chip, &from, error));
    CHIP_TRY(find(chip, &last, error));
    const struct chip_query q = {SLUICE_TABLE_TENANT, 0, index_of(chip, &from), n, 0, 0};
    CHIP_TRY(chip_query(chip, &q, &answer, error));
    for (unsigned i = 0; i < n; i++) tenants[at + i] = tenant_of(sluice_reconfig_entry(&answer, i));
  }
  return SLUICE_OK;
}

enum sluice_status sluice_chip_tenant_get(struct sluice_chip *chip, unsigned bank, unsigned id,
                                          struct sluice_active_tenant *tenant,
                                          struct sluice_error *error) {
  return sluice_chip_tenants_get(chip, bank, id, 1, tenant, error);
}

enum sluice_status sluice_chip_region_set(struct sluice_chip *chip, unsigned vid, unsigned bank,
                                          unsigned id, unsigned stage,
                                          const struct sluice_active_region *region,
                                          struct sluice_error *error) {
  struct chip_at at = {SLUICE_TABLE_REGION, stage, bank, id, 0};
  uint8_t e[SLUICE_ENTRY_BYTES] = {0};
  CHIP_TRY(find(chip, &at, error));
  CHIP_TRY(fits(&at, "the first address", region->low, 20, error));
  CHIP_TRY(fits(&at, "the last address", region->high, 20, error));
  CHIP_TRY(fits(&at, "slot", region->base, 16, error));
  if (region->pipe >= chip->config->NumPipes)
    return sluice_fail(error, SLUICE_ERR_RANGE, "REGION, id %u: pipeline %u; chip '%s' has 0 to %u",
                       id, region->pipe, chip->config->name, chip->config->NumPipes - 1);
  CHIP_TRY(chip_resolve(chip, error));
  CHIP_TRY(module_of(chip, vid, &at, error));
  SLUICE_SETS(e, REGION, (VALID, region->valid), (SHARDED, region->sharded), (PIPE, region->pipe),
              (LOW, region->low), (HIGH, region->high), (BASE, region->base));
  // As entries of SEGMENT: while it is written no index of the module is away.
  const uint32_t rows = UINT32_C(1) << at.row % chip->config->NumModules;
  if (chip->gathered.on) return set(chip, &at, e, error);
  CHIP_TRY(chip_recall(chip, rows, error));
  const enum sluice_status status = set(chip, &at, e, error);
  const enum sluice_status again = chip_move_again(chip, rows, status ? NULL : error);
  return status ? status : again;
}

enum sluice_status sluice_chip_region_get(struct sluice_chip *chip, unsigned bank, unsigned id,
                                          unsigned stage, struct sluice_active_region *region,
                                          struct sluice_error *error) {
  const struct chip_at at = {SLUICE_TABLE_REGION, stage, bank, id, 0};
  uint8_t e[SLUICE_ENTRY_BYTES];
  CHIP_TRY(find(chip, &at, error));
  CHIP_TRY(get(chip, &at, e, error));
  *region = (struct sluice_active_region){
      SLUICE_GET(e, REGION, VALID),          SLUICE_GET(e, REGION, SHARDED),
      (unsigned)SLUICE_GET(e, REGION, PIPE), (uint32_t)SLUICE_GET(e, REGION, LOW),
      (uint32_t)SLUICE_GET(e, REGION, HIGH), (unsigned)SLUICE_GET(e, REGION, BASE)};
  return SLUICE_OK;
}

enum sluice_status sluice_chip_address_set(struct sluice_chip *chip, unsigned vid, unsigned bank,
                                           unsigned id, unsigned stage,
                                           const struct sluice_active_address *address,
                                           struct sluice_error *error) {
  struct chip_at at = {SLUICE_TABLE_ADDRESS, stage, bank, id, 0};
  uint8_t e[SLUICE_ENTRY_BYTES] = {0};
  CHIP_TRY(find(chip, &at, error));
  CHIP_TRY(fits(&at, "k", address->k, 5, error));
  CHIP_TRY(fits(&at, "the mask", address->mask, 20, error));
  CHIP_TRY(fits(&at, "the offset", address->offset, 20, error));
  CHIP_TRY(chip_resolve(chip, error));
  CHIP_TRY(module_of(chip, vid, &at, error));
  SLUICE_SETS(e, ADDRESS, (VALID, address->valid), (K, address->k), (MASK, address->mask),
              (OFFSET, address->offset));
  return set(chip, &at, e, error);
}

enum sluice_status sluice_chip_address_get(struct sluice_chip *chip, unsigned bank, unsigned id,
                                           unsigned stage, struct sluice_active_address *address,
                                           struct sluice_error *error) {
  const struct chip_at at = {SLUICE_TABLE_ADDRESS, stage, bank, id, 0};
  uint8_t e[SLUICE_ENTRY_BYTES];
  CHIP_TRY(find(chip, &at, error));
  CHIP_TRY(get(chip, &at, e, error));
  *address = (struct sluice_active_address){
      SLUICE_GET(e, ADDRESS, VALID), (unsigned)SLUICE_GET(e, ADDRESS, K),
      (uint32_t)SLUICE_GET(e, ADDRESS, MASK), (uint32_t)SLUICE_GET(e, ADDRESS, OFFSET)};
  return SLUICE_OK;
}

// ---- counts -------------------------------------------------------------------------------------

enum sluice_status sluice_chip_capsule_faults(struct sluice_chip *chip, unsigned id,
                                              uint32_t *faults, struct sluice_error *error) {
  const struct chip_at at = {SLUICE_TABLE_TENANT, 0, 0, id, 0};
  CHIP_TRY(find(chip, &at, error));
  return sluice_chip_read(chip, CHIP_REG(CAPSULES, id, FAULTS), faults, error);
}
