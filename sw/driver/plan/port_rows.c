// SPDX-License-Identifier: Apache-2.0
#include "port_rows.h"

const struct sluice_port_row *sluice_port_row_at(const struct sluice_plan *plan, unsigned at) {
  for (size_t i = 0; i < plan->num_port_rows; i++)
    if (plan->port_rows[i].at == at) return &plan->port_rows[i];
  return NULL;
}

unsigned sluice_port_row(const struct sluice_plan *plan, unsigned owner, unsigned number) {
  for (size_t i = 0; i < plan->num_port_rows; i++)
    if (plan->port_rows[i].owner == owner && plan->port_rows[i].number == number)
      return plan->port_rows[i].at;
  return SLUICE_NO_ROW;
}

void sluice_port_rows_drop(struct sluice_plan *plan, unsigned owner) {
  size_t num = 0;
  for (size_t i = 0; i < plan->num_port_rows; i++)
    if (plan->port_rows[i].owner != owner) plan->port_rows[num++] = plan->port_rows[i];
  plan->num_port_rows = num;
}

void sluice_plan_group(struct sluice_plan *plan, unsigned at, bool is_group) {
  const uint64_t bit = UINT64_C(1) << at % 64;
  if (at >= SLUICE_PORT_ROWS_MOST) return;
  if (is_group) plan->group_rows[at / 64] |= bit;
  else plan->group_rows[at / 64] &= ~bit;
}

static bool is_free(const struct sluice_plan *plan, unsigned at) {
  return !(plan->group_rows[at / 64] >> at % 64 & 1) && !sluice_port_row_at(plan, at) &&
         !(plan->before && sluice_port_row_at(plan->before, at));
}

// The row in which the version before has the same set, if no set of the new one has taken it.
static unsigned shared(const struct sluice_plan *plan, unsigned owner, uint64_t ports) {
  const struct sluice_plan *old = plan->before;
  for (size_t i = 0; old && i < old->num_port_rows; i++) {
    const struct sluice_port_row *r = &old->port_rows[i];
    const struct sluice_write *w = sluice_plan_entry(old, SLUICE_TABLE_PORT_MASK, 0, r->at);
    if (r->owner == owner && w && SLUICE_GET(w->bytes, PORT_MASK, PORTS) == ports &&
        !sluice_port_row_at(plan, r->at))
      return r->at;
  }
  return SLUICE_NO_ROW;
}

enum sluice_status sluice_port_rows_add(struct sluice_plan *plan, const struct sluice_image *image,
                                        const struct sluice_placed *placed,
                                        struct sluice_error *error) {
  const struct sluice_config *c = plan->config;
  if (!image->num_port_sets) return SLUICE_OK;
  const unsigned low = sluice_config_destinations(c),
                 high = (unsigned)sluice_table_rows(SLUICE_TABLE_PORT_MASK, c);
  unsigned room = 0, fresh = 0;
  for (unsigned at = low; at < high; at++) room += is_free(plan, at);
  for (unsigned n = 0; n < image->num_port_sets; n++) {
    unsigned row = shared(plan, placed->row, image->port_sets[n].ports);
    if (row == SLUICE_NO_ROW && fresh++ < room)
      for (row = high - 1; !is_free(plan, row);) row--;
    if (row != SLUICE_NO_ROW)
      plan->port_rows[plan->num_port_rows++] = (struct sluice_port_row){row, placed->row, n};
  }
  if (fresh <= room) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_FULL,
                     "module '%s' (VLAN %u) needs %u rows of PORT_MASK for its sets of ports, %u "
                     "of %u are free: groups and modules have the others",
                     image->program, placed->vid, fresh, room, high - low);
}

void sluice_port_rows_link(const struct sluice_plan *plan, const struct sluice_image *image,
                           unsigned owner, struct sluice_write *w) {
  if (w->table != SLUICE_TABLE_ACTION) return;
  for (size_t i = 0; i < image->num_set_words; i++) {
    const struct sluice_set_word *word = &image->set_words[i];
    if (word->stage == w->stage && word->index == w->index)
      sluice_entry_set(w->bytes, sluice_tables[w->table].bits, SLUICE_INSTR_MD_DEST_MSB,
                       SLUICE_INSTR_MD_DEST_LSB, sluice_port_row(plan, owner, word->set));
  }
}
