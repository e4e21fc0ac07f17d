// SPDX-License-Identifier: Apache-2.0
// Cuts: the arrays of modules at one ticket.
#include <sluice/cut.h>

#include "chip.h"

enum { READY = 1, BUSY = 2, FIRST_LOOK = 2 * CHIP_POLL_CYCLES };

static enum sluice_status read_status(struct sluice_chip *chip, uint32_t *status,
                                      struct sluice_error *error) {
  return sluice_chip_read(chip, CHIP_REG(CHIP, 0, CUT_STATUS), status, error);
}
static enum sluice_status put(struct sluice_chip *chip, uint32_t rows, struct sluice_error *error) {
  return chip->to->ops->csr_write(chip->to->self, CHIP_REG(CHIP, 0, CUT), rows, error);
}
static enum sluice_status nap(struct sluice_chip *chip, struct sluice_error *error) {
  return chip->to->ops->wait(chip->to->self, CHIP_POLL_CYCLES, error);
}

// CUT_STATUS and CUT_TICKET.
static enum sluice_status read_both(struct sluice_chip *chip, uint32_t now[2],
                                    struct sluice_error *error) {
  return chip_read_many(chip, CHIP_REG(CHIP, 0, CUT_STATUS), 2, now, error);
}

// Whether the cut that this handle has begun is still there.
static enum sluice_status still_there(struct sluice_chip *chip, bool *there,
                                      struct sluice_error *error) {
  uint32_t now[2], rows;
  CHIP_TRY(read_both(chip, now, error));
  CHIP_TRY(sluice_chip_read(chip, CHIP_REG(CHIP, 0, CUT), &rows, error));
  *there = (now[0] & READY) && now[1] == chip->cut_ticket && rows == chip->cut_rows;
  if (!*there) chip->cut_rows = 0;
  return SLUICE_OK;
}

// Ends a cut that is there, whoever has begun it, and waits until the next one can begin.
static enum sluice_status chip_cut_clear(struct sluice_chip *chip, struct sluice_error *error) {
  uint32_t status;
  if (!chip->config->CutStages) return SLUICE_OK;
  for (unsigned n = 0; n < CHIP_RECALL_POLLS; n++) {
    CHIP_TRY(read_status(chip, &status, error));
    if (!(status & BUSY)) return SLUICE_OK;
    if (status & READY) CHIP_TRY(put(chip, 0, error));
    CHIP_TRY(nap(chip, error));
  }
  return sluice_fail(error, SLUICE_ERR_IO, "a cut that was begun before does not end");
}

enum sluice_status chip_cut_closed(struct sluice_chip *chip, struct sluice_error *error) {
  bool there = false;
  if (chip->cut_rows) CHIP_TRY(still_there(chip, &there, error));
  if (there)
    return sluice_fail(error, SLUICE_ERR_BUSY,
                       "a cut is there, at ticket %u: end it before modules are changed",
                       chip->cut_ticket);
  return chip_cut_clear(chip, error);
}

// ---- begin --------------------------------------------------------------------------------------

static enum sluice_status rows_of(const struct sluice_chip *chip, const unsigned *vids,
                                  unsigned num, uint32_t *rows, struct sluice_error *error) {
  *rows = 0;
  for (size_t m = 0; num == 0 && m < chip->plan->num_modules; m++)
    *rows |= UINT32_C(1) << chip->plan->modules[m].row;
  for (unsigned n = 0; n < num; n++) {
    const struct sluice_placed *m = sluice_plan_find(chip->plan, vids[n]);
    if (!m)
      return sluice_fail(error, SLUICE_ERR_NOT_FOUND, "no module on the chip has VLAN id %u",
                         vids[n]);
    *rows |= UINT32_C(1) << m->row;
  }
  return *rows ? SLUICE_OK : sluice_fail(error, SLUICE_ERR_NOT_FOUND, "no module is on the chip");
}

static enum sluice_status wait_ready(struct sluice_chip *chip, uint32_t rows,
                                     struct sluice_error *error) {
  uint32_t now[2] = {0, 0};
  // Where an access takes long it is not asked before packets can have left.
  if (chip->together) CHIP_TRY(chip->to->ops->wait(chip->to->self, FIRST_LOOK, error));
  for (unsigned n = 0; n < CHIP_RECALL_POLLS; n++) {
    CHIP_TRY(read_both(chip, now, error));
    chip->cut_ticket = now[1];
    if (now[0] & READY) return SLUICE_OK;
    if (!(now[0] & BUSY))
      return sluice_fail(error, SLUICE_ERR_DIFFERS,
                         "the cut is gone: the chip was reset, or another client has ended it");
    CHIP_TRY(nap(chip, error));
  }
  return sluice_fail(error, SLUICE_ERR_IO,
                     "the cut of the modules in rows %08x does not become ready", rows);
}

// The write is refused while a cut is there, or has not quite ended: only then it is waited for.
static enum sluice_status ask(struct sluice_chip *chip, uint32_t rows, struct sluice_error *error) {
  if (!put(chip, rows, NULL)) return SLUICE_OK;
  CHIP_TRY(chip_cut_clear(chip, error));
  return put(chip, rows, error);
}

enum sluice_status sluice_chip_cut_begin(struct sluice_chip *chip, const unsigned *vids,
                                         unsigned num, uint32_t *ticket,
                                         struct sluice_error *error) {
  struct chip_counts counts;
  uint32_t rows;
  if (!chip->config->CutStages)
    return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                       "chip '%s' has no stage with a shadow memory (CutStages): it takes no cuts",
                       chip->config->name);
  CHIP_TRY(chip_resolve(chip, error));
  CHIP_TRY(chip_counts(chip, &counts, error));  // notices a reset
  CHIP_TRY(rows_of(chip, vids, num, &rows, error));
  chip->cut_rows = 0;
  enum sluice_status status = ask(chip, rows, error);
  if (!status) status = wait_ready(chip, rows, error);
  if (status) {
    // What this does not end the next begin does.
    uint32_t now;
    if (!read_status(chip, &now, NULL) && (now & READY)) (void)put(chip, 0, NULL);
    return status;
  }
  chip->cut_rows = rows;
  if (ticket) *ticket = chip->cut_ticket;
  return SLUICE_OK;
}

// ---- read, end ----------------------------------------------------------------------------------

static enum sluice_status find_part(const struct sluice_chip *chip, unsigned vid,
                                    const struct sluice_cut_part *from, struct chip_part *part,
                                    struct sluice_error *error) {
  const char *array = from->array;
  *part = (struct chip_part){.first = from->first, .num = from->num, .values = from->values};
  CHIP_TRY(chip_find_array(chip, vid, array, from->first, from->num, &part->segment, &part->word,
                           &part->lane, error));
  const struct sluice_segment *s = part->segment;
  if (!(chip->cut_rows >> s->row & 1))
    return sluice_fail(error, SLUICE_ERR_RANGE, "the module of VLAN %u is not in the cut", vid);
  if (!(chip->config->CutStages >> s->stage & 1))
    return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                       "array '%s' is in stage %u, which has no shadow memory: it is in no cut",
                       array, s->stage);
  return SLUICE_OK;
}

enum sluice_status sluice_chip_cut_read_parts(struct sluice_chip *chip, unsigned vid,
                                              const struct sluice_cut_part *parts, unsigned num,
                                              struct sluice_error *error) {
  struct chip_part found[SLUICE_CUT_PARTS];
  struct sluice_error why;
  bool there;
  if (!chip->cut_rows)
    return sluice_fail(error, SLUICE_ERR_NOT_FOUND, "no cut is there: begin one");
  if (num > SLUICE_CUT_PARTS)
    return sluice_fail(error, SLUICE_ERR_RANGE, "%u parts of a cut at once: at most %d", num,
                       SLUICE_CUT_PARTS);
  for (unsigned i = 0; i < num; i++) CHIP_TRY(find_part(chip, vid, &parts[i], &found[i], error));
  const enum sluice_status status = chip_read_parts(chip, SLUICE_TABLE_CUT, found, num, &why);
  // What was read is of this cut if it is there behind it.
  const enum sluice_status known = still_there(chip, &there, error);
  if (status && (known || there)) return sluice_fail(error, status, "%.300s", why.text);
  if (known) return known;
  if (there) return SLUICE_OK;
  return sluice_fail(
      error, SLUICE_ERR_DIFFERS,
      "the cut at ticket %u is gone: the chip was reset, or another client has ended it",
      chip->cut_ticket);
}

enum sluice_status sluice_chip_cut_read(struct sluice_chip *chip, unsigned vid, const char *array,
                                        unsigned first, unsigned num, uint32_t *values,
                                        struct sluice_error *error) {
  const struct sluice_cut_part part = {array, first, num, values};
  return sluice_chip_cut_read_parts(chip, vid, &part, 1, error);
}

enum sluice_status sluice_chip_cut_end(struct sluice_chip *chip, struct sluice_error *error) {
  if (!chip->cut_rows) return SLUICE_OK;
  CHIP_TRY(put(chip, 0, error));
  chip->cut_rows = 0;
  return SLUICE_OK;
}
