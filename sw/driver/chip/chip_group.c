// SPDX-License-Identifier: Apache-2.0
// Groups of ports: rows of PORT_MASK behind those that are one port each, and none of a module's
// sets of ports (port_rows.h). No module owns them; the handle keeps what it has set, so that
// audits expect it and a chip that was reset gets it again.
#include "chip.h"
#include "../plan/port_rows.h"

static unsigned num_rows(const struct sluice_chip *chip) {
  return sluice_table_rows(SLUICE_TABLE_PORT_MASK, chip->config);
}
static bool has_groups(const struct sluice_chip *chip) { return chip->config->NumPorts > 8; }

// The first row that is no single port, nor that of recirculation.
static unsigned first_row(const struct sluice_chip *chip) {
  return sluice_config_destinations(chip->config);
}

static enum sluice_status find(const struct sluice_chip *chip, unsigned row,
                               struct sluice_error *error) {
  const unsigned ports = chip->config->NumPorts, first = first_row(chip), rows = num_rows(chip);
  if (!has_groups(chip))
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "chip '%s' has %u ports: its destinations are sets of ports, not rows",
                       chip->config->name, ports);
  if (row >= first && row < rows) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_RANGE, "group %u: those of chip '%s' are %u to %u", row,
                     chip->config->name, first, rows - 1);
}

// Refuses a row that a module of the plan has.
static enum sluice_status not_held(const struct sluice_plan *plan, unsigned row,
                                   struct sluice_error *error) {
  const struct sluice_port_row *r = sluice_port_row_at(plan, row);
  const struct sluice_placed *m = r ? sluice_plan_in_row(plan, r->owner) : NULL;
  if (!m) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_EXISTS,
                     "group %u: the row holds a set of ports of program '%s' (VLAN %u)", row,
                     m->program, m->vid);
}

static enum sluice_status get(struct sluice_chip *chip, unsigned row, uint64_t *ports,
                              struct sluice_error *error) {
  const struct chip_query q = {.table = SLUICE_TABLE_PORT_MASK, .index = row, .count = 1};
  struct sluice_reconfig answer;
  CHIP_TRY(chip_query(chip, &q, &answer, error));
  *ports = SLUICE_GET(sluice_reconfig_entry(&answer, 0), PORT_MASK, PORTS);
  return SLUICE_OK;
}

// Writes a row until the chip holds it. A packet or an answer that was lost or damaged on the way
// may have changed another entry: then nothing is sure.
static enum sluice_status put(struct sluice_chip *chip, unsigned row, uint64_t ports,
                              struct sluice_error *error) {
  struct sluice_write write = {.table = SLUICE_TABLE_PORT_MASK, .index = row};
  SLUICE_SET(write.bytes, PORT_MASK, PORTS, ports);
  for (unsigned n = 0; n < chip->options.tries; n++) {
    struct chip_counts before;
    uint64_t now;
    bool arrived;
    if (n) chip->line.resent++;
    CHIP_TRY(sluice_reconfig_write(&chip->frame, &write));
    CHIP_TRY(chip_counts(chip, &before, error));
    CHIP_TRY(chip_send(chip, error));
    CHIP_TRY(chip_arrive(chip, &before, 1, false, &arrived, error));
    const uint64_t unanswered = chip->line.unanswered;
    CHIP_TRY(get(chip, row, &now, error));
    if (!arrived || now != ports || chip->line.unanswered != unanswered) chip->unsure = true;
    if (now == ports) return SLUICE_OK;
  }
  return sluice_fail(error, SLUICE_ERR_DIFFERS,
                     "group %u is not as wanted, though written %u times", row,
                     chip->options.tries);
}

// What the handle keeps: as after reset, all 0.
static enum sluice_status keep(struct sluice_chip *chip, struct sluice_error *error) {
  if (!chip->groups)
    chip->groups = sluice_zeroed(&chip->alloc, num_rows(chip) * sizeof *chip->groups);
  return chip->groups ? SLUICE_OK : sluice_no_memory(error);
}

enum sluice_status sluice_chip_group(struct sluice_chip *chip, unsigned row, uint64_t *ports,
                                     struct sluice_error *error) {
  CHIP_TRY(find(chip, row, error));
  return get(chip, row, ports, error);
}

enum sluice_status sluice_chip_group_set(struct sluice_chip *chip, unsigned row, uint64_t ports,
                                         struct sluice_error *error) {
  struct sluice_error why = {""}, more = {""};
  const unsigned num = chip->config->NumPorts;
  CHIP_TRY(find(chip, row, error));
  if (num < 64 && ports >> num)
    return sluice_fail(error, SLUICE_ERR_RANGE, "group %u: chip '%s' has ports 0 to %u", row,
                       chip->config->name, num - 1);
  CHIP_TRY(keep(chip, error));
  // Packets of a version that was replaced may still need a row that no module has any more.
  if (chip->was_reset || chip->undrained) CHIP_TRY(chip_settle(chip, error));
  CHIP_TRY(not_held(chip->plan, row, error));
  if (chip->pending) CHIP_TRY(not_held(chip->pending, row, error));
  const enum sluice_status status = put(chip, row, ports, &why);
  if (!status) {
    chip->groups[row] = ports;
    sluice_plan_group(chip->plan, row, ports);
    if (chip->pending) sluice_plan_group(chip->pending, row, ports);
    // What a change has left undone, and a cut, are for the next change.
    if (!chip->unsure || chip->pending || chip->left.num || chip->cut_rows) return SLUICE_OK;
    return chip_run(chip, &(struct chip_expect){.plan = chip->plan}, NULL, 0, error);
  }
  if (!chip->was_reset) {
    chip->unsure = true;  // the next change brings all tables to what the handle says
    return sluice_fail(error, status, "%s", why.text);
  }
  if (chip_restore(chip, &more))
    return sluice_fail(error, status, "%.180s; loading all anew failed: %.180s", why.text,
                       more.text);
  return sluice_fail(error, status,
                     "%.200s; all modules and groups, this one as it was before, were loaded anew, "
                     "state has its initial values",
                     why.text);
}

enum sluice_status chip_groups_restore(struct sluice_chip *chip, struct sluice_error *error) {
  for (unsigned row = 0; chip->groups && row < num_rows(chip); row++)
    if (chip->groups[row]) CHIP_TRY(put(chip, row, chip->groups[row], error));
  return SLUICE_OK;
}

// Twice the same: an answer that was damaged on the line must not become what is kept.
enum sluice_status chip_groups_adopt(struct sluice_chip *chip, struct sluice_error *error) {
  if (!has_groups(chip)) return SLUICE_OK;
  CHIP_TRY(keep(chip, error));
  for (unsigned row = first_row(chip), n = 0; row < num_rows(chip);) {
    uint64_t first, second;
    CHIP_TRY(get(chip, row, &first, error));
    CHIP_TRY(get(chip, row, &second, error));
    if (first == second) {
      chip->groups[row++] = first;
      n = 0;
    } else if (++n == chip->options.tries) {
      return sluice_fail(error, SLUICE_ERR_IO, "group %u is never the same twice", row);
    }
  }
  return SLUICE_OK;
}

enum sluice_status chip_groups_beside(const struct sluice_chip *chip, struct sluice_plan *plan,
                                      struct sluice_error *error) {
  for (unsigned row = 0; chip->groups && row < num_rows(chip); row++) {
    const struct sluice_port_row *r = sluice_port_row_at(plan, row);
    const struct sluice_placed *m = r ? sluice_plan_in_row(plan, r->owner) : NULL;
    if (m && chip->groups[row])
      return sluice_fail(error, SLUICE_ERR_EXISTS,
                         "program '%s' (VLAN %u) has row %u of PORT_MASK for a set of ports, and "
                         "that is a group of the operator's",
                         m->program, m->vid, row);
    sluice_plan_group(plan, row, chip->groups[row]);
  }
  return SLUICE_OK;
}

void chip_groups_drop(struct sluice_chip *chip, const struct sluice_plan *plan) {
  for (size_t i = 0; chip->groups && i < plan->num_port_rows; i++)
    if (plan->port_rows[i].at < num_rows(chip)) chip->groups[plan->port_rows[i].at] = 0;
}

void chip_groups_release(struct sluice_chip *chip) {
  if (chip->groups)
    sluice_resize(&chip->alloc, chip->groups, num_rows(chip) * sizeof *chip->groups, 0);
  chip->groups = NULL;
}
