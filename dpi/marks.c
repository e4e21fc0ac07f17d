// SPDX-License-Identifier: Apache-2.0
#include "marks.h"

#include "driver/chip.h"
#include "monitored.h"

enum sluice_status marks_open(struct run *run) {
  if (!run->job.marks_capture) return SLUICE_OK;
  CHIP_TRY(sluice_capture_open(&run->marks, run->job.marks_capture, &run->error));
  return sluice_capture_next(run->marks, &run->next_mark, &run->error);
}

void marks_close(struct run *run) {
  sluice_capture_close(run->marks);
  run->marks = NULL;
  run->next_mark.bytes = NULL;
}

bool marks_done(const struct run *run) { return !run->next_mark.bytes; }

enum sluice_status marks_turn(struct run *run, bool all) {
  while (!marks_done(run) && (all || run->cycle - run->play_start >= run->next_mark.time_ns)) {
    const bool failed = sluice_checker_failed(run->checker);
    const enum sluice_status status =
        failed ? SLUICE_OK : monitored_control(run, run->next_mark.bytes, run->next_mark.len);
    run->marks_sent += !failed && !status;
    // What a chip that is wrong does not answer is not the run's error.
    if (status && !sluice_checker_failed(run->checker)) return status;
    if (status) run->error.text[0] = 0;
    CHIP_TRY(sluice_capture_next(run->marks, &run->next_mark, &run->error));
  }
  return SLUICE_OK;
}

json_t *marks_json(const struct run *run, const struct sluice_report *r) {
  if (!run->config->Marks) return NULL;
  return json_pack("{s:I s:I s:I s:I s:I s:I s:I}", "packets", (json_int_t)run->marks_sent, "marks",
                   (json_int_t)r->marks, "played", (json_int_t)run->marks_played, "compared",
                   (json_int_t)r->marks_compared, "written", (json_int_t)r->marks_written, "away",
                   (json_int_t)r->marks_away, "loaded", (json_int_t)r->marks_loaded);
}
