// SPDX-License-Identifier: Apache-2.0
// What the host does in a run, in order. Any error ends the run; its text goes into the report.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/now.h"
#include "cuts.h"
#include "driver/chip.h"
#include "lib/initial.h"
#include "marks.h"
#include "monitored.h"
#include "run.h"
#include "updates.h"
#include "writes.h"

enum {
  STUCK_CYCLES = 100000,  // without any packet making progress
  MOVE_PERIOD = 256,      // unless the job says otherwise
};

static enum sluice_status read_reg(struct run *run, uint32_t addr, uint32_t *value) {
  return host_csr_read(&run->host, addr, value, &run->error);
}

static enum sluice_status write_initial(struct run *run) {
  struct sluice_initial *initial;
  CHIP_TRY(sluice_initial_open(&initial, run->job.initial, &run->error));
  const enum sluice_status status = sluice_initial_write(initial, run->chip, &run->error);
  sluice_initial_free(initial);
  return status;
}

static enum sluice_status configure(struct run *run) {
  const int64_t sets = run->job.set.sets, pin = run->job.set.pin;
  sluice_plan_init(&run->plan, run->config);
  if (sets >= 0) CHIP_TRY(sluice_plan_set(&run->plan, (unsigned)sets, 0, &run->error));
  if (pin >= 0) sluice_plan_pin(&run->plan, (unsigned)pin);
  for (unsigned m = 0; m < run->job.num_modules; m++) {
    const struct job_module *module = &run->job.modules[m];
    struct sluice_image image;
    memset(&image, 0, sizeof image);
    enum sluice_status status = sluice_image_load(&image, module->image, run->config, &run->error);
    if (!status) status = job_module_plan(module, &image, sets, &run->plan, &run->error);
    sluice_image_release(&image);
    if (status) return status;
  }
  CHIP_TRY(sluice_chip_apply(run->chip, &run->plan, &run->error));
  if (run->job.initial) CHIP_TRY(write_initial(run));
  if (run->job.control) {
    struct sluice_capture *capture;
    struct sluice_packet packet;
    CHIP_TRY(sluice_capture_open(&capture, run->job.control, &run->error));
    enum sluice_status status;
    while (!(status = sluice_capture_next(capture, &packet, &run->error)) && packet.bytes &&
           !status)
      if ((status = monitored_control(run, packet.bytes, packet.len))) break;
    sluice_capture_close(capture);
    if (status) return status;
  }
  return monitored_wait_control(run);
}

// Indices of a module that may be away: equal parts for the modules that have spread state; no
// limit for one alone.
static int move_quota(const struct run *run) {
  uint32_t rows = 0;
  for (size_t i = 0; i < run->plan.num_segments; i++)
    if (!run->plan.segments[i].pinned) rows |= UINT32_C(1) << run->plan.segments[i].row;
  const int modules = __builtin_popcount(rows), entries = (int)run->config->Relocations;
  return modules < 2 ? 0 : entries > modules ? entries / modules : 1;
}

static enum sluice_status write_settings(struct run *run) {
  struct job_settings set = run->job.set;
  uint32_t addr;
  int64_t value;
  if (run->config->NumPipes > 1 && run->config->Relocations) {
    if (set.move_quota < 0) set.move_quota = move_quota(run);
    if (set.move_period < 0) set.move_period = MOVE_PERIOD;
  }
  for (unsigned n = 0; job_setting(&set, n, &addr, &value); n++)
    if (value >= 0) CHIP_TRY(sluice_chip_write(run->chip, addr, (uint32_t)value, &run->error));
  if (run->job.fault_mask)
    CHIP_TRY(sluice_chip_write(run->chip, CHIP_REG(CHIP, 0, FAULT), (uint32_t)run->job.fault_mask,
                               &run->error));
  for (unsigned c = 0; c < run->job.num_class_ecn; c++)
    CHIP_TRY(sluice_chip_write(run->chip, CHIP_REG(CHIP, 0, CLASS_ECN) + 4 * c,
                               run->job.class_ecn[c], &run->error));
  return SLUICE_OK;
}

static void say_stuck(struct run *run, bool too_long) {
  struct sluice_report r;
  sluice_checker_report(run->checker, &r);
  const unsigned long long played = player_sent(run->player), inside = r.inside;
  run->stuck = true;
  if (too_long)
    snprintf(run->stuck_text, sizeof run->stuck_text,
             "the bound of %llu cycles (--max-cycles) is reached: %llu packets played, %llu of "
             "them inside",
             (unsigned long long)run->job.max_cycles, played, inside);
  else
    snprintf(run->stuck_text, sizeof run->stuck_text,
             "no packet got further for %d cycles: %llu packets played, %llu of them inside",
             STUCK_CYCLES, played, inside);
}

// Plays the capture and waits until everything has left. Progress is any packet that gets further.
static enum sluice_status play(struct run *run) {
  uint64_t last_progress = run->cycle, seen = 0, shown = 0;
  run->wall_start = sluice_now();
  run->play_start = run->cycle;
  run->playing = true;
  struct sluice_report r;
  sluice_checker_report(run->checker, &r);
  run->marks_played = r.marks;
  while (!player_done(run->player) || !sluice_checker_idle(run->checker) || !updates_done(run) ||
         !marks_done(run) || !cuts_done(run)) {
    host_wait(&run->host);
    CHIP_TRY(updates_turn(run, player_done(run->player)));
    CHIP_TRY(cuts_turn(run, player_done(run->player)));
    CHIP_TRY(marks_turn(run, player_done(run->player)));
    CHIP_TRY(writes_turn(run, player_done(run->player)));
    if (run->events != seen || sluice_checker_idle(run->checker)) {
      seen = run->events;
      last_progress = run->cycle;
    }
    if (run->job.progress && player_sent(run->player) >= shown + 1024) {
      shown = player_sent(run->player);
      fprintf(stderr, "progress %llu %llu\n", (unsigned long long)shown,
              (unsigned long long)run->job.packets);
    }
    bool too_long = run->job.max_cycles && run->cycle - run->play_start > run->job.max_cycles;
    if (run->cycle - last_progress > STUCK_CYCLES || too_long) {
      say_stuck(run, too_long);
      break;
    }
    if (sluice_checker_failed(run->checker) && run->cycle - last_progress > 2000) break;
  }
  for (unsigned n = 0; n < 64; n++) host_wait(&run->host);  // nothing more may come out
  run->playing = false;
  sluice_checker_report(run->checker, &r);
  run->marks_played = r.marks - run->marks_played;
  // a run that was cut short may stand in the middle of a packet
  memset(run->in.rx, 0, sizeof run->in.rx);
  run->wall_seconds = sluice_now() - run->wall_start;
  const char *error = player_error(run->player);
  if (error) return sluice_fail(&run->error, SLUICE_ERR_FORMAT, "%s", error);
  return SLUICE_OK;
}

// The lanes that an entry of a stage is in: of an egress stage all.
static unsigned lanes_of(const struct run *run, unsigned stage) {
  return stage < run->config->BackStages ? 1 : run->config->NumPipes;
}

// Of a long segment a cut is read, where there is one: it answers every three cycles, STATE every
// eighteen, since it asks for a mark.
static enum sluice_table table_of(const struct run *run, unsigned stage, unsigned range) {
  const bool cut = stage < run->config->BackStages && run->config->CutStages >> stage & 1;
  return cut && run->whole && range > run->job.long_segment ? SLUICE_TABLE_CUT : SLUICE_TABLE_STATE;
}

// The final state of one segment, over the daisy chain, by logical index; into `words`, unless that
// is NULL: at an egress stage those of lane 0 first.
static enum sluice_status read_lane(struct run *run, unsigned stage, unsigned row, unsigned range,
                                    unsigned lane, uint32_t (*words)[2]) {
  const unsigned before = run->config->BackStages + run->config->FrontStages;
  const enum sluice_table table = table_of(run, stage, range);
  const unsigned block = chip_query_max(run->chip, table);
  struct sluice_reconfig answer;
  for (unsigned first = 0; first < range; first += block) {
    const struct chip_query q = {table, stage, first, range - first < block ? range - first : block,
                                 lane,  row};
    CHIP_TRY(chip_query(run->chip, &q, &answer, &run->error));
    run->state_reads++;
    for (unsigned n = 0; n < q.count; n++) {
      const uint8_t *entry = sluice_reconfig_entry(&answer, n);
      const uint32_t s1 = (uint32_t)SLUICE_GET(entry, STATE_ENTRY, S1),
                     s2 = (uint32_t)SLUICE_GET(entry, STATE_ENTRY, S2);
      if (stage < before) sluice_checker_state_entry(run->checker, row, stage, first + n, s1, s2);
      else sluice_checker_lane_entry(run->checker, row, stage - before, lane, first + n, s1, s2);
      if (words) words[first + n][0] = s1, words[first + n][1] = s2;
    }
  }
  return SLUICE_OK;
}

static enum sluice_status read_segment(struct run *run, unsigned stage, unsigned row,
                                       unsigned range, uint32_t (*words)[2]) {
  for (unsigned lane = 0; lane < lanes_of(run, stage); lane++)
    CHIP_TRY(read_lane(run, stage, row, range, lane, words ? words + (size_t)lane * range : NULL));
  return SLUICE_OK;
}

// The same of the rows of words, if the stage has them; into `to` the first `num` words of each. Of
// a long segment that has no words of its own (`num` 0) only rows at both ends: a row takes as long
// as ten entries.
static enum sluice_status read_rows(struct run *run, unsigned stage, unsigned row, unsigned range,
                                    uint32_t *to, unsigned num) {
  const unsigned block = chip_query_max(run->chip, SLUICE_TABLE_STATE_ROW);
  struct sluice_reconfig answer;
  if (stage >= run->config->BackStages || !(run->config->ArrayStages >> stage & 1))
    return SLUICE_OK;
  const bool ends = run->whole && range > run->job.long_segment && !num;
  for (unsigned first = 0; first < range; first += block) {
    if (ends && first && range - first > block) continue;
    const struct chip_query q = {SLUICE_TABLE_STATE_ROW,
                                 stage,
                                 first,
                                 range - first < block ? range - first : block,
                                 0,
                                 row};
    CHIP_TRY(chip_query(run->chip, &q, &answer, &run->error));
    run->state_reads++;
    for (unsigned n = 0; n < q.count; n++) {
      uint32_t words[SLUICE_MODEL_WORDS];
      for (unsigned w = 0; w < SLUICE_MODEL_WORDS; w++)
        words[w] = sluice_get32(sluice_reconfig_entry(&answer, n) + 4 * w);
      sluice_checker_state_row(run->checker, row, stage, first + n, words);
      for (unsigned w = 0; to && w < num; w++) to[(size_t)(first + n) * num + w] = words[w];
    }
  }
  return SLUICE_OK;
}

// What entries have counted, of every pipeline: the checker compares the answers. Of a large engine
// the entries around those that the reference has seen used.
static enum sluice_status read_count_table(struct run *run, enum sluice_table table,
                                           unsigned stage) {
  enum { ALL = 1024 };
  const struct sluice_model *m = sluice_checker_model(run->checker);
  const unsigned depth = sluice_table_rows(table, run->config),
                 block = chip_query_max(run->chip, table);
  struct sluice_reconfig answer;
  for (unsigned first = 0; first < depth; first += block) {
    const unsigned num = depth - first < block ? depth - first : block;
    bool used = depth <= ALL;
    for (unsigned n = 0; n < num && !used; n++)
      used = sluice_model_count(m, table, stage, first + n) != 0;
    for (unsigned pipe = 0; used && pipe < run->config->NumPipes; pipe++) {
      const struct chip_query q = {table, stage, first, num, pipe, 0};
      CHIP_TRY(chip_query(run->chip, &q, &answer, &run->error));
      run->state_reads++;
    }
  }
  return SLUICE_OK;
}

static enum sluice_status read_counts(struct run *run) {
  const struct sluice_config *c = run->config;
  for (unsigned stage = 0; stage < c->BackStages + c->FrontStages; stage++)
    for (unsigned t = SLUICE_TABLE_MATCH_COUNT; t <= SLUICE_TABLE_CUCKOO_COUNT; t++)
      if (sluice_table_in_stage((enum sluice_table)t, stage, c))
        CHIP_TRY(read_count_table(run, (enum sluice_table)t, stage));
  return SLUICE_OK;
}

static bool has_long_segment(const struct run *run) {
  for (size_t i = 0; i < run->plan.num_segments; i++)
    if (run->plan.segments[i].range > run->job.long_segment) return true;
  return false;
}

static enum sluice_status read_state(struct run *run) {
  if (run->config->CutStages && has_long_segment(run)) CHIP_TRY(cuts_whole(run, &run->whole));
  if (run->job.state && (!(run->state = calloc(run->plan.num_segments + 1, sizeof *run->state)) ||
                         !(run->rows = calloc(run->plan.num_segments + 1, sizeof *run->rows))))
    return sluice_fail(&run->error, SLUICE_ERR_NOMEM, "out of memory for the state");
  for (size_t i = 0; i < run->plan.num_segments; i++) {
    const struct sluice_segment *seg = &run->plan.segments[i];
    const size_t entries = (size_t)seg->range * lanes_of(run, seg->stage);
    uint32_t(*words)[2] = run->state ? calloc(entries, sizeof *words) : NULL;
    uint32_t *rows = run->rows && seg->words ? calloc((size_t)seg->range * seg->words, sizeof *rows)
                                             : NULL;
    if (run->rows) run->rows[i] = rows;
    if (run->state && (!words || (seg->words && !rows)))
      return sluice_fail(&run->error, SLUICE_ERR_NOMEM, "out of memory for the state");
    if (run->state) run->state[i] = words;
    CHIP_TRY(read_segment(run, seg->stage, seg->row, seg->range, words));
    CHIP_TRY(read_rows(run, seg->stage, seg->row, seg->range, rows, seg->words));
  }
  for (unsigned i = 0; i < run->job.num_segments; i++) {
    const struct job_segment *seg = &run->job.segments[i];
    CHIP_TRY(read_segment(run, seg->stage, seg->row, seg->range, NULL));
    CHIP_TRY(read_rows(run, seg->stage, seg->row, seg->range, NULL, 0));
  }
  return SLUICE_OK;
}

// At each boundary every set of pipelines issued the packets of its modules, and no other. A row
// without a module is as after reset: in the set of pipeline 0.
static void check_sets(struct run *run, const struct sluice_report *r) {
  const unsigned pipes = run->config->NumPipes >> sluice_plan_sets_log2(&run->plan);
  for (unsigned first = 0; first < run->config->NumPipes; first += pipes) {
    uint64_t expected = first ? 0 : r->admitted;
    for (size_t m = 0; m < run->plan.num_modules; m++) {
      const uint64_t admitted = r->admitted_module[run->plan.modules[m].row];
      if (run->plan.modules[m].first == first) expected += first ? admitted : 0;
      else if (!first) expected -= admitted;
    }
    for (unsigned s = 0; s < run->config->BackStages; s++) {
      uint64_t issued = 0;
      char name[80];
      for (unsigned p = first; p < first + pipes; p++) issued += run->boundary[s][p].issued;
      snprintf(name, sizeof name, "BOUNDARY.ISSUED at stage %u in pipelines %u to %u", s, first,
               first + pipes - 1);
      sluice_checker_counter(run->checker, name, expected, issued);
    }
  }
}

// Operations that were refused, and faults of capsules.
static enum sluice_status check_refused(struct run *run, uint64_t expected) {
  uint64_t sum = 0;
  for (unsigned s = 0; s < run->config->StateStages; s++) {
    uint64_t stage = 0;
    CHIP_TRY(chip_sum(run->chip, CHIP_REG(BOUNDARY, 16 * s, REFUSED_OPS), SLUICE_BOUNDARY_STRIDE,
                      run->config->NumPipes, &stage, &run->error));
    sum += stage;
  }
  sluice_checker_counter(run->checker, "BOUNDARY.REFUSED_OPS", expected, sum);
  return SLUICE_OK;
}

// Capsules that had a fault, by id. On a chip of many ids those that had none are looked at up to
// the first few.
static enum sluice_status check_faults(struct run *run) {
  enum { FEW = 32 };
  for (unsigned id = 0; id < run->config->ActiveIds; id++) {
    const uint32_t expected = sluice_checker_faults(run->checker, id);
    uint32_t faults;
    char name[40];
    if (!expected && id >= FEW) continue;
    CHIP_TRY(sluice_chip_read(run->chip, CHIP_REG(CAPSULES, id, FAULTS), &faults, &run->error));
    snprintf(name, sizeof name, "CAPSULES.FAULTS of id %u", id);
    sluice_checker_counter(run->checker, name, expected, faults);
  }
  return SLUICE_OK;
}

static enum sluice_status check_passes(struct run *run, const struct sluice_report *r) {
  const struct {
    const char *name;
    uint32_t base;
    uint64_t expected;
  } counters[] = {
      {"PASSES.PACKETS", CHIP_REG(PASSES, 0, PACKETS), r->recirculated},
      {"PASSES.NO_TOKEN", CHIP_REG(PASSES, 0, NO_TOKEN), r->drops[SLUICE_DROP_BUDGET]},
      {"PASSES.FULL", CHIP_REG(PASSES, 0, FULL), r->recirculation_full},
      {"PASSES.GAVE_WAY", CHIP_REG(PASSES, 0, GAVE_WAY), r->drops[SLUICE_DROP_GAVE_WAY]},
  };
  for (unsigned i = 0; i < sizeof counters / sizeof counters[0]; i++) {
    uint64_t sum = 0;
    CHIP_TRY(chip_sum(run->chip, counters[i].base, SLUICE_PASSES_STRIDE, run->config->NumPipes,
                      &sum, &run->error));
    sluice_checker_counter(run->checker, counters[i].name, counters[i].expected, sum);
  }
  return SLUICE_OK;
}

static enum sluice_status check_egress(struct run *run, const struct sluice_report *r) {
  for (unsigned port = 0; port < run->config->NumPorts; port++) {
    uint32_t value;
    char name[40];
    CHIP_TRY(read_reg(run, CHIP_REG(PORT, port, EGRESS), &value));
    snprintf(name, sizeof name, "PORT[%u].EGRESS", port);
    sluice_checker_counter(run->checker, name, r->egress_port[port], value);
  }
  for (unsigned row = 0; row < run->config->NumModules; row++) {
    uint32_t value;
    char name[40];
    CHIP_TRY(read_reg(run, CHIP_REG(MODULE, row, DROP) + 4 * SLUICE_DROP_EGRESS, &value));
    snprintf(name, sizeof name, "MODULE %u DROP EGRESS", row);
    sluice_checker_counter(run->checker, name, r->drops_module[row][SLUICE_DROP_EGRESS], value);
  }
  return SLUICE_OK;
}

// Marks for deep output queues, by class, if no class was changed.
static enum sluice_status check_marked(struct run *run, const struct sluice_report *r) {
  for (unsigned c = 0; c < run->config->OutputClasses && !r->queue_marked_unclassed; c++) {
    uint64_t sum = 0;
    char name[32];
    CHIP_TRY(chip_sum(run->chip, CHIP_REG(EXIT, 0, MARKED) + 4 * c, SLUICE_EXIT_STRIDE,
                      run->config->NumPipes, &sum, &run->error));
    snprintf(name, sizeof name, "EXIT.MARKED %u", c);
    sluice_checker_counter(run->checker, name, r->queue_marked[c], sum);
  }
  return SLUICE_OK;
}

// The chip's own counters must tell the same story as the monitors.
static enum sluice_status check_counters(struct run *run) {
  struct sluice_report r;
  sluice_checker_report(run->checker, &r);
  unsigned pipes = run->config->NumPipes, ports = run->config->NumPorts;
  const struct {
    const char *name;
    uint32_t base, stride;
    unsigned num;
    uint64_t expected;
  } counters[] = {
      {"LANE.PACKETS", CHIP_REG(LANE, 0, PACKETS), SLUICE_LANE_STRIDE, pipes,
       r.packets - r.drops[SLUICE_DROP_GAVE_WAY]},
      {"LANE.ACCEPTED", CHIP_REG(LANE, 0, ACCEPTED), SLUICE_LANE_STRIDE, pipes, r.arrived},
      {"ORDER.ADMITTED", CHIP_REG(ORDER, 0, ADMITTED), SLUICE_ORDER_STRIDE, pipes, r.admitted},
      {"ORDER.OUT_OF_BOUNDS", CHIP_REG(ORDER, 0, OUT_OF_BOUNDS), SLUICE_ORDER_STRIDE, pipes,
       r.out_of_bounds},
      {"ORDER.MARKED", CHIP_REG(ORDER, 0, MARKED), SLUICE_ORDER_STRIDE, pipes, r.marked},
      {"EXIT.PACKETS", CHIP_REG(EXIT, 0, PACKETS), SLUICE_EXIT_STRIDE, pipes, r.left},
      {"EXIT.DISCARDED", CHIP_REG(EXIT, 0, DISCARDED), SLUICE_EXIT_STRIDE, pipes,
       r.drops[SLUICE_DROP_DISCARD_BACK]},
      {"EXIT.NO_DEST", CHIP_REG(EXIT, 0, NO_DEST), SLUICE_EXIT_STRIDE, pipes,
       r.drops[SLUICE_DROP_NO_DEST]},
      {"EXIT.FORBIDDEN", CHIP_REG(EXIT, 0, FORBIDDEN), SLUICE_EXIT_STRIDE, pipes,
       r.drops[SLUICE_DROP_FORBIDDEN]},
      {"EXIT.SOME_FORBIDDEN", CHIP_REG(EXIT, 0, SOME_FORBIDDEN), SLUICE_EXIT_STRIDE, pipes,
       r.drops[SLUICE_DROP_SOME_FORBIDDEN]},
      {"PORT.PACKETS", CHIP_REG(PORT, 0, PACKETS), SLUICE_PORT_STRIDE, ports, r.copies},
      {"PORT.BYTES", CHIP_REG(PORT, 0, BYTES), SLUICE_PORT_STRIDE, ports, r.copy_bytes},
      {"PORT.DROPS", CHIP_REG(PORT, 0, DROPS), SLUICE_PORT_STRIDE, ports,
       r.drops[SLUICE_DROP_OUTPUT_FULL] - r.recirculation_full},
  };
  for (unsigned i = 0; i < sizeof counters / sizeof counters[0]; i++) {
    uint64_t sum = 0;
    CHIP_TRY(chip_sum(run->chip, counters[i].base, counters[i].stride, counters[i].num, &sum,
                      &run->error));
    sluice_checker_counter(run->checker, counters[i].name, counters[i].expected, sum);
  }
  sluice_checker_counter(run->checker, "CHIP.FIRST_ERROR", 0, run->first_error);
  if (run->config->Active) CHIP_TRY(check_refused(run, r.refused_ops));
  if (run->config->Active) CHIP_TRY(check_faults(run));
  if (run->config->OutputClasses) CHIP_TRY(check_marked(run, &r));
  if (run->config->Recirculation) CHIP_TRY(check_passes(run, &r));
  if (run->config->EgressStages) CHIP_TRY(check_egress(run, &r));
  if (run->config->OrderedMerge) {
    uint32_t late;
    CHIP_TRY(read_reg(run, CHIP_REG(MERGE, 0, LATE), &late));
    sluice_checker_counter(run->checker, "MERGE.LATE", r.merge_late, late);
  }
  if (run->plan.num_modules) check_sets(run, &r);
  for (unsigned reason = SLUICE_DROP_NOT_READY; reason <= SLUICE_DROP_OVERLOAD; reason++) {
    uint64_t sum = 0;
    char name[80];
    bool lane = reason <= SLUICE_DROP_PROTOCOL;
    CHIP_TRY(chip_sum(run->chip,
                      (lane ? CHIP_REG(LANE, 0, DROP) : CHIP_REG(ORDER, 0, DROP)) + 4 * reason,
                      lane ? SLUICE_LANE_STRIDE : SLUICE_ORDER_STRIDE, pipes, &sum, &run->error));
    snprintf(name, sizeof name, "%s.DROP %s", lane ? "LANE" : "ORDER",
             sluice_value_name("DROP", reason));
    sluice_checker_counter(run->checker, name, r.drops[reason], sum);
  }
  if (run->config->RateLimits) {
    uint64_t sum = 0;
    CHIP_TRY(chip_sum(run->chip, CHIP_REG(LANE, 0, DROP) + 4 * SLUICE_DROP_RATE, SLUICE_LANE_STRIDE,
                      pipes, &sum, &run->error));
    sluice_checker_counter(run->checker, "LANE.DROP RATE", r.drops[SLUICE_DROP_RATE], sum);
  }
  for (size_t m = 0; m < run->plan.num_modules; m++)
    for (unsigned reason = SLUICE_DROP_NOT_READY; reason < SLUICE_NUM_DROPS; reason++) {
      uint32_t value;
      unsigned row = run->plan.modules[m].row;
      char name[80];
      CHIP_TRY(read_reg(run, CHIP_REG(MODULE, row, DROP) + 4 * reason, &value));
      snprintf(name, sizeof name, "MODULE %u DROP %s", row, sluice_value_name("DROP", reason));
      sluice_checker_counter(run->checker, name, r.drops_module[row][reason], value);
    }
  return SLUICE_OK;
}

static enum sluice_status read_statistics(struct run *run) {
  CHIP_TRY(read_reg(run, CHIP_REG(CHIP, 0, FIRST_ERROR), &run->first_error));
  for (unsigned s = 0; s < run->config->BackStages; s++)
    for (unsigned p = 0; p < run->config->NumPipes; p++) {
      struct boundary_counts *b = &run->boundary[s][p];
      unsigned n = 16 * s + p;
      CHIP_TRY(read_reg(run, CHIP_REG(BOUNDARY, n, ISSUED), &b->issued));
      CHIP_TRY(read_reg(run, CHIP_REG(BOUNDARY, n, IDLE), &b->idle));
      CHIP_TRY(read_reg(run, CHIP_REG(BOUNDARY, n, WAIT_DATA), &b->wait_data));
      CHIP_TRY(read_reg(run, CHIP_REG(BOUNDARY, n, WAIT_CREDIT), &b->wait_credit));
      CHIP_TRY(read_reg(run, CHIP_REG(BOUNDARY, n, STATEFUL), &b->stateful));
      CHIP_TRY(read_reg(run, CHIP_REG(BOUNDARY, n, ESCAPES), &b->escapes));
      CHIP_TRY(read_reg(run, CHIP_REG(BOUNDARY, n, HIGH_QUEUE), &b->high_queue));
      CHIP_TRY(read_reg(run, CHIP_REG(BOUNDARY, n, HIGH_BANK), &b->high_bank));
      CHIP_TRY(read_reg(run, CHIP_REG(BOUNDARY, n, HIGH_WAITING), &b->high_waiting));
    }
  for (unsigned l = 0; l < run->config->NumPipes; l++) {
    struct order_counts *o = &run->order[l];
    CHIP_TRY(read_reg(run, CHIP_REG(ORDER, l, PACED), &o->paced));
    CHIP_TRY(read_reg(run, CHIP_REG(ORDER, l, BRAKED), &o->braked));
    CHIP_TRY(read_reg(run, CHIP_REG(ORDER, l, FULL), &o->full));
    CHIP_TRY(read_reg(run, CHIP_REG(ORDER, l, CREDIT), &o->credit));
    CHIP_TRY(read_reg(run, CHIP_REG(ORDER, l, WINDOW), &o->window));
    CHIP_TRY(read_reg(run, CHIP_REG(ORDER, l, ABOVE_SHARE), &o->above_share));
  }
  return SLUICE_OK;
}

static enum sluice_status run_all(struct run *run) {
  // Counted is enough: the pins lose nothing, and the monitors compare what the tables do.
  const struct sluice_chip_options options = {
      .chip = run->config->name, .keep = true, .verify = SLUICE_VERIFY_COUNT};
  run->to = monitored_transport(run);
  CHIP_TRY(sluice_chip_open(&run->chip, &run->to, &options, &run->error));
  CHIP_TRY(updates_open(run));
  CHIP_TRY(marks_open(run));
  CHIP_TRY(configure(run));
  CHIP_TRY(write_settings(run));
  CHIP_TRY(writes_open(run));
  CHIP_TRY(play(run));
  if (!run->stuck) CHIP_TRY(writes_restore(run));
  CHIP_TRY(read_statistics(run));
  for (unsigned i = 0; i < run->job.num_registers; i++)
    CHIP_TRY(read_reg(run, run->job.registers[i].addr, &run->registers[i]));
  CHIP_TRY(read_reg(run, CHIP_REG(MOVE, 0, RELOCATED), &run->moves.away));
  CHIP_TRY(read_reg(run, CHIP_REG(MOVE, 0, DECIDED), &run->moves.decided));
  if (run->stuck || sluice_checker_failed(run->checker)) return SLUICE_OK;
  if (run->job.check_counters) CHIP_TRY(check_counters(run));
  // With marks the state of an index that is away can be read, too.
  if (!run->config->Marks) CHIP_TRY(chip_recall(run->chip, chip_all_rows(run->chip), &run->error));
  CHIP_TRY(read_state(run));
  return read_counts(run);
}

void script_main(void *context) {
  struct run *run = context;
  run_all(run);
  updates_close(run);
  marks_close(run);
  sluice_chip_close(run->chip);
  run->chip = NULL;
  sluice_checker_finish(run->checker);
}
