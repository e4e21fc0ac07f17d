// SPDX-License-Identifier: Apache-2.0
// What a job does beside its packets: control packets, cuts, updates.
#include "../base/json.h"
#include "../driver/chip/chip.h"
#include "batch.h"

enum {
  READY = 1,
  BUSY = 2,
  HOME_POLLS = 2000,
  DRAIN_CYCLES = 100000,  // until the last packet of a bank has left, at most
};

enum sluice_status batch_excused(struct batch *b, enum sluice_status status) {
  if (!status || !sluice_checker_failed(b->checker)) return status;
  b->error.text[0] = 0;
  return SLUICE_OK;
}

enum sluice_status batch_try_write(struct batch *b, uint32_t addr, uint32_t value, bool *refused) {
  const enum sluice_status status = b->m->to.ops->csr_write(b->m, addr, value, &b->error);
  *refused = status && b->m->refused;
  if (!*refused) return status;
  b->error.text[0] = 0;
  return SLUICE_OK;
}

static bool is_due(const struct batch *b, uint64_t at, bool all) {
  return all || b->m->cycle - b->play_start >= at;
}

// ---- control packets ----------------------------------------------------------------------------

static enum sluice_status marks_turn(struct batch *b, bool all) {
  while (b->next_mark.bytes && is_due(b, b->next_mark.time_ns, all)) {
    if (!sluice_checker_failed(b->checker)) {
      const enum sluice_status status =
          monitored_control(b->m, b->next_mark.bytes, b->next_mark.len, &b->error);
      b->marks_sent += !status;
      SLUICE_TRY(batch_excused(b, status));
    }
    SLUICE_TRY(sluice_capture_next(b->marks, &b->next_mark, &b->error));
  }
  return SLUICE_OK;
}

// ---- cuts ---------------------------------------------------------------------------------------

// Until the last cut is ready, or has ended. Marks go on meanwhile.
static enum sluice_status wait_cut(struct batch *b, uint32_t *status) {
  for (unsigned n = 0; n < MONITORED_PATIENCE; n++) {
    SLUICE_TRY(batch_read(b, CHIP_REG(CHIP, 0, CUT_STATUS), status));
    if ((*status & READY) || !(*status & BUSY) || sluice_checker_failed(b->checker))
      return SLUICE_OK;
    SLUICE_TRY(marks_turn(b, false));
  }
  return sluice_fail(&b->error, SLUICE_ERR_IO, "a cut is not ready, or does not end, in %d polls",
                     MONITORED_PATIENCE);
}

// CHIP.CUT; whether the chip may refuse it is the checker's to know.
static enum sluice_status put(struct batch *b, uint32_t rows, bool *accepted) {
  bool refused;
  SLUICE_TRY(batch_try_write(b, CHIP_REG(CHIP, 0, CUT), rows, &refused));
  b->cuts_unwanted += refused;
  *accepted = !refused;
  return SLUICE_OK;
}

static enum sluice_status recall(struct batch *b, uint32_t rows) {
  return sluice_chip_write(b->chip, CHIP_REG(CHIP, 0, RECALL), rows, &b->error);
}

static enum sluice_status call_home(struct batch *b, uint32_t rows) {
  uint32_t away = rows;
  SLUICE_TRY(recall(b, rows));
  for (unsigned n = 0; n < HOME_POLLS && (away & rows); n++) {
    SLUICE_TRY(batch_read(b, CHIP_REG(MOVE, 0, AWAY), &away));
    SLUICE_TRY(marks_turn(b, false));
  }
  return SLUICE_OK;
}

static enum sluice_status read_segment(struct batch *b, unsigned stage, unsigned row,
                                       unsigned range) {
  const unsigned block = chip_query_max(b->chip, SLUICE_TABLE_CUT);
  struct sluice_frame frame;
  for (unsigned at = 0; at < range && !sluice_checker_failed(b->checker); at += block) {
    sluice_reconfig_begin(&frame, SLUICE_CHAIN_READ, SLUICE_TABLE_CUT, stage, at);
    SLUICE_RECONFIG_SET(&frame, COUNT, range - at < block ? range - at : block);
    SLUICE_RECONFIG_SET(&frame, ROW, row);
    sluice_reconfig_finish(&frame);
    SLUICE_TRY(monitored_control(b->m, frame.bytes, frame.len, &b->error));
    SLUICE_TRY(marks_turn(b, false));
  }
  return SLUICE_OK;
}

// All arrays of the rows, in both banks.
static enum sluice_status read_all(struct batch *b, uint32_t rows) {
  const struct sluice_config *c = b->config;
  for (size_t i = 0; i < b->plan.num_segments; i++) {
    const struct sluice_segment *s = &b->plan.segments[i];
    if (rows >> s->row % c->NumModules & 1 && c->CutStages >> s->stage & 1)
      SLUICE_TRY(read_segment(b, s->stage, s->row, s->range));
  }
  for (unsigned i = 0; i < b->job.num_segments; i++) {
    const struct job_segment *s = &b->job.segments[i];
    if (rows >> s->row % c->NumModules & 1 && c->CutStages >> s->stage & 1)
      SLUICE_TRY(read_segment(b, s->stage, s->row, s->range));
  }
  return SLUICE_OK;
}

// Of the lowest module, in each stage and bank: the chip must refuse all of them.
static enum sluice_status fill(struct batch *b, uint32_t rows) {
  const struct sluice_config *c = b->config;
  const unsigned row = (unsigned)__builtin_ctz(rows);
  static const uint8_t value[SLUICE_ENTRY_BYTES] = {0xf1, 0x11};
  struct sluice_frame frame;
  if (row >= c->NumModules) return SLUICE_OK;
  for (unsigned n = 0; n < c->StateStages * c->Banks && !sluice_checker_failed(b->checker); n++) {
    sluice_reconfig_begin(&frame, SLUICE_CHAIN_WRITE, SLUICE_TABLE_FILL, n / c->Banks, 0);
    SLUICE_RECONFIG_SET(&frame, ROW, n % c->Banks * c->NumModules + row);
    sluice_reconfig_append(&frame, SLUICE_TABLE_FILL, value);
    sluice_reconfig_finish(&frame);
    SLUICE_TRY(monitored_control(b->m, frame.bytes, frame.len, &b->error));
  }
  return SLUICE_OK;
}

static enum sluice_status cut(struct batch *b, const struct job_cut *c) {
  uint32_t status = 0;
  bool accepted;
  const bool home = c->home && c->rows && b->m->moved;
  if (c->wait) SLUICE_TRY(wait_cut(b, &status));
  if (c->read && !c->rows && (status & READY)) SLUICE_TRY(read_all(b, b->cut_rows));
  if (home) SLUICE_TRY(call_home(b, c->rows));
  SLUICE_TRY(put(b, c->rows, &accepted));
  if (home) SLUICE_TRY(recall(b, 0));
  if (accepted && c->rows) b->cut_rows = c->rows;
  if (!c->rows || !accepted) return SLUICE_OK;
  if (c->fill) SLUICE_TRY(fill(b, c->rows));
  if (!c->read) return SLUICE_OK;
  SLUICE_TRY(wait_cut(b, &status));
  return status & READY ? read_all(b, c->rows) : SLUICE_OK;
}

// Ends a cut of the job, so that indices can come home.
static enum sluice_status cuts_end(struct batch *b) {
  uint32_t status = 0;
  bool accepted;
  if (!b->config->CutStages) return SLUICE_OK;
  SLUICE_TRY(wait_cut(b, &status));
  return status & READY ? put(b, 0, &accepted) : SLUICE_OK;
}

enum sluice_status beside_cut_whole(struct batch *b, bool *there) {
  uint32_t status = 0;
  *there = false;
  SLUICE_TRY(cuts_end(b));
  SLUICE_TRY(wait_cut(b, &status));
  SLUICE_TRY(put(b, chip_all_rows(b->chip), there));
  if (!*there) return SLUICE_OK;
  SLUICE_TRY(wait_cut(b, &status));
  *there = status & READY;
  return SLUICE_OK;
}

static enum sluice_status cuts_turn(struct batch *b, bool all) {
  while (b->next_cut < b->job.num_cuts && is_due(b, b->job.cuts[b->next_cut].at, all)) {
    const struct job_cut *c = &b->job.cuts[b->next_cut++];
    if (!sluice_checker_failed(b->checker)) SLUICE_TRY(batch_excused(b, cut(b, c)));
  }
  return SLUICE_OK;
}

// ---- updates ------------------------------------------------------------------------------------

// The next frames; their answers are compared by the transport.
static enum sluice_status send_frames(struct batch *b, unsigned num) {
  for (; num; num--) {
    struct sluice_packet frame;
    SLUICE_TRY(sluice_capture_next(b->updates, &frame, &b->error));
    if (!frame.bytes)
      return sluice_fail(&b->error, SLUICE_ERR_FORMAT, "'%s' has too few frames",
                         b->job.updates_capture);
    SLUICE_TRY(monitored_control(b->m, frame.bytes, frame.len, &b->error));
  }
  return SLUICE_OK;
}

// CHIP.BANK with some bits turned. `hasty`: it may be refused, because a control packet is still on
// its way.
static enum sluice_status flip(struct batch *b, uint32_t rows, bool hasty) {
  uint32_t bank = 0;
  for (unsigned r = 0; r < b->config->NumModules; r++)
    bank |= (uint32_t)sluice_checker_bank_of(b->checker, r) << r;
  const enum sluice_status status =
      b->m->to.ops->csr_write(b->m, CHIP_REG(CHIP, 0, BANK), bank ^ rows, &b->error);
  if (!status || !hasty || !b->m->refused) return status;
  b->error.text[0] = 0;
  SLUICE_TRY(monitored_wait_control(b->m, &b->error));
  return flip(b, rows, false);
}

// Until nothing of the rows' idle banks is inside.
static enum sluice_status drain(struct batch *b, uint32_t rows) {
  const uint64_t start = b->m->cycle;
  uint32_t idle[2] = {0, 0};
  for (unsigned r = 0; r < b->config->NumModules; r++)
    if (rows >> r & 1) idle[!sluice_checker_bank_of(b->checker, r)] |= UINT32_C(1) << r;
  for (unsigned bank = 0; bank < 2; bank++)
    for (uint32_t inside = idle[bank]; inside & idle[bank];) {
      const uint32_t addr = bank ? CHIP_REG(CHIP, 0, INSIDE_BANK1)
                                 : CHIP_REG(CHIP, 0, INSIDE_BANK0);
      SLUICE_TRY(b->m->to.ops->csr_read(b->m, addr, &inside, &b->error));
      SLUICE_TRY(marks_turn(b, false));
      if (sluice_checker_failed(b->checker)) return SLUICE_OK;
      if (b->m->cycle - start > DRAIN_CYCLES)
        return sluice_fail(&b->error, SLUICE_ERR_IO, "bank %u: packets of rows 0x%x do not leave",
                           bank, (unsigned)(inside & idle[bank]));
    }
  return SLUICE_OK;
}

// Indices of the rows come home, and stay there until the update is over: segments are not written
// while some are away.
static enum sluice_status all_home(struct batch *b, uint32_t rows) {
  uint32_t away = rows;
  if (!b->m->moved) return SLUICE_OK;
  SLUICE_TRY(cuts_end(b));
  SLUICE_TRY(sluice_chip_write(b->chip, CHIP_REG(CHIP, 0, RECALL), rows, &b->error));
  for (unsigned n = 0; n < MONITORED_PATIENCE && (away & rows); n++) {
    SLUICE_TRY(sluice_chip_read(b->chip, CHIP_REG(MOVE, 0, AWAY), &away, &b->error));
    SLUICE_TRY(marks_turn(b, false));
  }
  return away & rows ? sluice_fail(&b->error, SLUICE_ERR_IO, "indices do not come home")
                     : SLUICE_OK;
}

static enum sluice_status update(struct batch *b, const struct job_update *u) {
  SLUICE_TRY(all_home(b, u->flip));
  SLUICE_TRY(send_frames(b, u->before));
  if (!u->hasty) SLUICE_TRY(monitored_wait_control(b->m, &b->error));
  SLUICE_TRY(flip(b, u->flip, u->hasty));
  for (unsigned n = 0; n < u->bounces; n++) SLUICE_TRY(flip(b, u->flip, false));
  SLUICE_TRY(send_frames(b, u->early));
  SLUICE_TRY(drain(b, u->flip));
  if (sluice_checker_failed(b->checker)) return SLUICE_OK;
  SLUICE_TRY(send_frames(b, u->after));
  SLUICE_TRY(monitored_wait_control(b->m, &b->error));
  if (b->m->moved) SLUICE_TRY(sluice_chip_write(b->chip, CHIP_REG(CHIP, 0, RECALL), 0, &b->error));
  b->updated++;
  return SLUICE_OK;
}

static enum sluice_status updates_turn(struct batch *b, bool all) {
  while (b->next_update < b->job.num_updates && is_due(b, b->job.updates[b->next_update].at, all)) {
    const struct job_update *u = &b->job.updates[b->next_update++];
    if (!sluice_checker_failed(b->checker)) SLUICE_TRY(batch_excused(b, update(b, u)));
  }
  return SLUICE_OK;
}

// ---- all of it ----------------------------------------------------------------------------------

enum sluice_status beside_open(struct batch *b) {
  if (b->job.num_updates)
    SLUICE_TRY(sluice_capture_open(&b->updates, b->job.updates_capture, &b->error));
  if (!b->job.marks_capture) return SLUICE_OK;
  SLUICE_TRY(sluice_capture_open(&b->marks, b->job.marks_capture, &b->error));
  return sluice_capture_next(b->marks, &b->next_mark, &b->error);
}

void beside_close(struct batch *b) {
  sluice_capture_close(b->updates);
  sluice_capture_close(b->marks);
  b->updates = b->marks = NULL;
  b->next_mark.bytes = NULL;
}

enum sluice_status beside_turn(struct batch *b, bool all) {
  SLUICE_TRY(updates_turn(b, all));
  SLUICE_TRY(cuts_turn(b, all));
  return marks_turn(b, all);
}

bool beside_done(const struct batch *b) {
  return b->next_update == b->job.num_updates && b->next_cut == b->job.num_cuts &&
         !b->next_mark.bytes;
}

void beside_add(json_t *root, const struct batch *b, const struct sluice_report *r) {
  if (b->config->Banks > 1)
    sluice_json_set(
        root, "banks",
        json_pack("{s:I s:I s:I s:I s:I s:I s:I}", "updates", (json_int_t)b->updated, "flips",
                  (json_int_t)r->flips, "flips_loaded", (json_int_t)r->flips_loaded, "flips_mixed",
                  (json_int_t)r->flips_mixed, "refused_writes", (json_int_t)r->refused_writes,
                  "refused_flips", (json_int_t)r->refused_flips, "driver_faults",
                  (json_int_t)r->driver_faults));
  if (b->config->Marks)
    sluice_json_set(
        root, "marks",
        json_pack("{s:I s:I s:I s:I s:I s:I s:I}", "packets", (json_int_t)b->marks_sent, "marks",
                  (json_int_t)r->marks, "played", (json_int_t)b->marks_played, "compared",
                  (json_int_t)r->marks_compared, "written", (json_int_t)r->marks_written, "away",
                  (json_int_t)r->marks_away, "loaded", (json_int_t)r->marks_loaded));
  if (b->config->CutStages)
    sluice_json_set(
        root, "cuts",
        json_pack("{s:I s:I s:I s:I s:I s:I}", "cuts", (json_int_t)r->cuts, "unwanted",
                  (json_int_t)b->cuts_unwanted, "reads", (json_int_t)r->cut_reads, "away",
                  (json_int_t)r->cuts_away, "compared", (json_int_t)r->cuts_compared, "changed",
                  (json_int_t)r->cuts_changed));
}
