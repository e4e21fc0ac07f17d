// SPDX-License-Identifier: Apache-2.0
#include "cuts.h"

#include <string.h>

#include "driver/chip.h"
#include "marks.h"
#include "monitored.h"

enum { READY = 1, BUSY = 2, HOME_POLLS = 2000 };

// ---- behind the transport -----------------------------------------------------------------------

enum sluice_status cuts_write(struct run *run, uint32_t value, struct sluice_error *error) {
  if (run->fill_sent) CHIP_TRY(monitored_wait_counted(run, error));
  run->fill_sent = false;
  run->cut_raced = true;
  sluice_checker_cut_write(run->checker, value);
  const enum sluice_status status =
      host_csr_write(&run->host, CHIP_REG(CHIP, 0, CUT), value, error);
  sluice_checker_cut_written(run->checker, run->cycle, !status);
  return status;
}

void cuts_read(struct run *run, uint64_t begin, uint32_t addr, uint32_t value) {
  if (addr == CHIP_REG(CHIP, 0, CUT_STATUS))
    sluice_checker_cut_status(run->checker, run->cycle, value);
  if (addr == CHIP_REG(CHIP, 0, CUT_TICKET))
    sluice_checker_cut_ticket(run->checker, begin, run->cycle, value);
}

enum sluice_status cuts_ask(struct run *run, const uint8_t *bytes, size_t len,
                            struct sluice_error *error) {
  run->cut_len = len < sizeof run->cut ? len : sizeof run->cut;
  memcpy(run->cut, bytes, run->cut_len);
  run->cut_raced = false;
  run->cut_begin = run->cycle;
  run->expected.len = len;
  return host_send(&run->host, bytes, len, error);
}

void cuts_answered(struct run *run) {
  const bool good = sluice_checker_cut_answer(run->checker, run->cut_begin, run->cycle, run->cut,
                                              run->cut_len, run->answer.bytes, run->answer.len,
                                              run->cut_raced);
  run->answers++;
  if (good) run->control_good++;
  else run->control_bad++;
  run->cut_len = 0;
}

// ---- cuts of the job ----------------------------------------------------------------------------

bool cuts_done(const struct run *run) { return run->next_cut == run->job.num_cuts; }

static enum sluice_status read_reg(struct run *run, uint32_t addr, uint32_t *value) {
  return run->to.ops->csr_read(run->to.self, addr, value, &run->error);
}

// Until the last cut is ready, or has ended. Marks go on meanwhile.
static enum sluice_status wait_cut(struct run *run, uint32_t *status) {
  for (unsigned n = 0; n < HOST_WAIT_CYCLES; n++) {
    CHIP_TRY(read_reg(run, CHIP_REG(CHIP, 0, CUT_STATUS), status));
    if ((*status & READY) || !(*status & BUSY) || sluice_checker_failed(run->checker))
      return SLUICE_OK;
    CHIP_TRY(marks_turn(run, false));
  }
  return sluice_fail(&run->error, SLUICE_ERR_IO, "a cut is not ready, or does not end, in %d polls",
                     HOST_WAIT_CYCLES);
}

// CHIP.CUT; whether the chip may refuse it is the checker's to know.
static enum sluice_status put(struct run *run, uint32_t rows, bool *accepted) {
  const enum sluice_status status =
      run->to.ops->csr_write(run->to.self, CHIP_REG(CHIP, 0, CUT), rows, &run->error);
  *accepted = !status;
  if (status && !run->host.refused) return status;
  run->cuts_unwanted += status != SLUICE_OK;
  run->error.text[0] = 0;
  return SLUICE_OK;
}

static enum sluice_status recall(struct run *run, uint32_t rows) {
  return sluice_chip_write(run->chip, CHIP_REG(CHIP, 0, RECALL), rows, &run->error);
}

static enum sluice_status call_home(struct run *run, uint32_t rows) {
  uint32_t away = rows;
  CHIP_TRY(recall(run, rows));
  for (unsigned n = 0; n < HOME_POLLS && (away & rows); n++) {
    CHIP_TRY(read_reg(run, CHIP_REG(MOVE, 0, AWAY), &away));
    CHIP_TRY(marks_turn(run, false));
  }
  return SLUICE_OK;
}

static enum sluice_status read_segment(struct run *run, unsigned stage, unsigned row,
                                       unsigned range) {
  const unsigned block = chip_query_max(run->chip, SLUICE_TABLE_CUT);
  struct sluice_frame frame;
  for (unsigned at = 0; at < range && !sluice_checker_failed(run->checker); at += block) {
    sluice_reconfig_begin(&frame, SLUICE_CHAIN_READ, SLUICE_TABLE_CUT, stage, at);
    SLUICE_RECONFIG_SET(&frame, COUNT, range - at < block ? range - at : block);
    SLUICE_RECONFIG_SET(&frame, ROW, row);
    sluice_reconfig_finish(&frame);
    CHIP_TRY(monitored_control(run, frame.bytes, frame.len));
    CHIP_TRY(marks_turn(run, false));
  }
  return SLUICE_OK;
}

// All arrays of the rows, in both banks.
static enum sluice_status read_all(struct run *run, uint32_t rows) {
  const struct sluice_config *c = run->config;
  for (size_t i = 0; i < run->plan.num_segments; i++) {
    const struct sluice_segment *s = &run->plan.segments[i];
    if (rows >> s->row % c->NumModules & 1 && c->CutStages >> s->stage & 1)
      CHIP_TRY(read_segment(run, s->stage, s->row, s->range));
  }
  for (unsigned i = 0; i < run->job.num_segments; i++) {
    const struct job_segment *s = &run->job.segments[i];
    if (rows >> s->row % c->NumModules & 1 && c->CutStages >> s->stage & 1)
      CHIP_TRY(read_segment(run, s->stage, s->row, s->range));
  }
  return SLUICE_OK;
}

// Of the lowest module, in each stage and bank: the chip must refuse all of them.
static enum sluice_status fill(struct run *run, uint32_t rows) {
  const struct sluice_config *c = run->config;
  const unsigned row = (unsigned)__builtin_ctz(rows);
  static const uint8_t value[SLUICE_ENTRY_BYTES] = {0xf1, 0x11};
  struct sluice_frame frame;
  if (row >= c->NumModules) return SLUICE_OK;
  for (unsigned n = 0; n < c->StateStages * c->Banks && !sluice_checker_failed(run->checker); n++) {
    sluice_reconfig_begin(&frame, SLUICE_CHAIN_WRITE, SLUICE_TABLE_FILL, n / c->Banks, 0);
    SLUICE_RECONFIG_SET(&frame, ROW, n % c->Banks * c->NumModules + row);
    sluice_reconfig_append(&frame, SLUICE_TABLE_FILL, value);
    sluice_reconfig_finish(&frame);
    CHIP_TRY(monitored_control(run, frame.bytes, frame.len));
  }
  return SLUICE_OK;
}

static enum sluice_status cut(struct run *run, const struct job_cut *c) {
  uint32_t status = 0;
  bool accepted;
  const bool home = c->home && c->rows && run->moved;
  if (c->wait) CHIP_TRY(wait_cut(run, &status));
  if (c->read && !c->rows && (status & READY)) CHIP_TRY(read_all(run, run->cut_rows));
  if (home) CHIP_TRY(call_home(run, c->rows));
  CHIP_TRY(put(run, c->rows, &accepted));
  if (home) CHIP_TRY(recall(run, 0));
  if (accepted && c->rows) run->cut_rows = c->rows;
  if (!c->rows || !accepted) return SLUICE_OK;
  if (c->fill) CHIP_TRY(fill(run, c->rows));
  if (!c->read) return SLUICE_OK;
  CHIP_TRY(wait_cut(run, &status));
  return status & READY ? read_all(run, c->rows) : SLUICE_OK;
}

enum sluice_status cuts_end(struct run *run) {
  uint32_t status = 0;
  bool accepted;
  if (!run->config->CutStages) return SLUICE_OK;
  CHIP_TRY(wait_cut(run, &status));
  return status & READY ? put(run, 0, &accepted) : SLUICE_OK;
}

enum sluice_status cuts_whole(struct run *run, bool *there) {
  uint32_t status = 0;
  *there = false;
  CHIP_TRY(cuts_end(run));
  CHIP_TRY(wait_cut(run, &status));
  CHIP_TRY(put(run, chip_all_rows(run->chip), there));
  if (!*there) return SLUICE_OK;
  CHIP_TRY(wait_cut(run, &status));
  *there = status & READY;
  return SLUICE_OK;
}

enum sluice_status cuts_turn(struct run *run, bool all) {
  while (!cuts_done(run)) {
    const struct job_cut *c = &run->job.cuts[run->next_cut];
    if (!all && run->cycle - run->play_start < c->at) return SLUICE_OK;
    run->next_cut++;
    const enum sluice_status status = sluice_checker_failed(run->checker) ? SLUICE_OK : cut(run, c);
    // What a chip that is wrong does not answer is not the run's error.
    if (status && !sluice_checker_failed(run->checker)) return status;
    if (status) run->error.text[0] = 0;
  }
  return SLUICE_OK;
}

json_t *cuts_json(const struct run *run, const struct sluice_report *r) {
  if (!run->config->CutStages) return NULL;
  return json_pack("{s:I s:I s:I s:I s:I s:I}", "cuts", (json_int_t)r->cuts, "unwanted",
                   (json_int_t)run->cuts_unwanted, "reads", (json_int_t)r->cut_reads, "away",
                   (json_int_t)r->cuts_away, "compared", (json_int_t)r->cuts_compared, "changed",
                   (json_int_t)r->cuts_changed);
}
