// SPDX-License-Identifier: Apache-2.0
#include "updates.h"

#include "cuts.h"
#include "driver/chip.h"
#include "marks.h"
#include "monitored.h"

enum {
  DRAIN_CYCLES = 100000,  // until the last packet of a bank has left, at most
};

enum sluice_status updates_open(struct run *run) {
  return run->job.num_updates
             ? sluice_capture_open(&run->updates, run->job.updates_capture, &run->error)
             : SLUICE_OK;
}

void updates_close(struct run *run) {
  sluice_capture_close(run->updates);
  run->updates = NULL;
}

bool updates_done(const struct run *run) { return run->next_update == run->job.num_updates; }

// The next frames; their answers are compared by the transport.
static enum sluice_status send_frames(struct run *run, unsigned num) {
  for (; num; num--) {
    struct sluice_packet frame;
    CHIP_TRY(sluice_capture_next(run->updates, &frame, &run->error));
    if (!frame.bytes)
      return sluice_fail(&run->error, SLUICE_ERR_FORMAT, "'%s' has too few frames",
                         run->job.updates_capture);
    CHIP_TRY(monitored_control(run, frame.bytes, frame.len));
  }
  return SLUICE_OK;
}

// CHIP.BANK with some bits turned. `hasty`: it may be refused, because a control packet is still on
// its way.
static enum sluice_status flip(struct run *run, uint32_t rows, bool hasty) {
  uint32_t bank = 0;
  for (unsigned r = 0; r < run->config->NumModules; r++)
    bank |= (uint32_t)sluice_checker_bank_of(run->checker, r) << r;
  const enum sluice_status status =
      run->to.ops->csr_write(run->to.self, CHIP_REG(CHIP, 0, BANK), bank ^ rows, &run->error);
  if (!status || !hasty || !run->host.refused) return status;
  run->error.text[0] = 0;
  CHIP_TRY(monitored_wait_control(run));
  return flip(run, rows, false);
}

// Until nothing of the rows' idle banks is inside.
static enum sluice_status drain(struct run *run, uint32_t rows) {
  const uint64_t start = run->cycle;
  uint32_t idle[2] = {0, 0};
  for (unsigned r = 0; r < run->config->NumModules; r++)
    if (rows >> r & 1) idle[!sluice_checker_bank_of(run->checker, r)] |= UINT32_C(1) << r;
  for (unsigned bank = 0; bank < 2; bank++)
    for (uint32_t inside = idle[bank]; inside & idle[bank];) {
      const uint32_t addr = bank ? CHIP_REG(CHIP, 0, INSIDE_BANK1)
                                 : CHIP_REG(CHIP, 0, INSIDE_BANK0);
      CHIP_TRY(run->to.ops->csr_read(run->to.self, addr, &inside, &run->error));
      CHIP_TRY(marks_turn(run, false));
      if (sluice_checker_failed(run->checker)) return SLUICE_OK;
      if (run->cycle - start > DRAIN_CYCLES)
        return sluice_fail(&run->error, SLUICE_ERR_IO, "bank %u: packets of rows 0x%x do not leave",
                           bank, (unsigned)(inside & idle[bank]));
    }
  return SLUICE_OK;
}

// Indices of the rows come home, and stay there until the update is over: segments are not written
// while some are away.
static enum sluice_status call_home(struct run *run, uint32_t rows) {
  uint32_t away = rows;
  if (!run->moved) return SLUICE_OK;
  CHIP_TRY(cuts_end(run));
  CHIP_TRY(sluice_chip_write(run->chip, CHIP_REG(CHIP, 0, RECALL), rows, &run->error));
  for (unsigned n = 0; n < HOST_WAIT_CYCLES && (away & rows); n++) {
    CHIP_TRY(sluice_chip_read(run->chip, CHIP_REG(MOVE, 0, AWAY), &away, &run->error));
    CHIP_TRY(marks_turn(run, false));
  }
  return away & rows ? sluice_fail(&run->error, SLUICE_ERR_IO, "indices do not come home")
                     : SLUICE_OK;
}

static enum sluice_status update(struct run *run, const struct job_update *u) {
  CHIP_TRY(call_home(run, u->flip));
  CHIP_TRY(send_frames(run, u->before));
  if (!u->hasty) CHIP_TRY(monitored_wait_control(run));
  CHIP_TRY(flip(run, u->flip, u->hasty));
  for (unsigned n = 0; n < u->bounces; n++) CHIP_TRY(flip(run, u->flip, false));
  CHIP_TRY(send_frames(run, u->early));
  CHIP_TRY(drain(run, u->flip));
  if (sluice_checker_failed(run->checker)) return SLUICE_OK;
  CHIP_TRY(send_frames(run, u->after));
  CHIP_TRY(monitored_wait_control(run));
  if (run->moved) CHIP_TRY(sluice_chip_write(run->chip, CHIP_REG(CHIP, 0, RECALL), 0, &run->error));
  run->updated++;
  return SLUICE_OK;
}

enum sluice_status updates_turn(struct run *run, bool all) {
  while (!updates_done(run)) {
    const struct job_update *u = &run->job.updates[run->next_update];
    if (!all && run->cycle - run->play_start < u->at) return SLUICE_OK;
    run->next_update++;
    const enum sluice_status status = sluice_checker_failed(run->checker) ? SLUICE_OK
                                                                          : update(run, u);
    // What a chip that is wrong does not answer is not the run's error.
    if (status && !sluice_checker_failed(run->checker)) return status;
    if (status) run->error.text[0] = 0;
  }
  return SLUICE_OK;
}

json_t *updates_json(const struct run *run, const struct sluice_report *r) {
  if (run->config->Banks < 2) return NULL;
  return json_pack("{s:I s:I s:I s:I s:I s:I s:I}", "updates", (json_int_t)run->updated, "flips",
                   (json_int_t)r->flips, "flips_loaded", (json_int_t)r->flips_loaded, "flips_mixed",
                   (json_int_t)r->flips_mixed, "refused_writes", (json_int_t)r->refused_writes,
                   "refused_flips", (json_int_t)r->refused_flips, "driver_faults",
                   (json_int_t)r->driver_faults);
}
