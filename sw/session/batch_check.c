// SPDX-License-Identifier: Apache-2.0
// What the chip says behind the last packet: its counters and its state, which the checker
// compares.
#include <stdlib.h>

#include "../base/bytes.h"
#include "../driver/chip/chip.h"
#include "batch.h"

// ---- state --------------------------------------------------------------------------------------

// The lanes that an entry of a stage is in: of an egress stage all.
static unsigned lanes_of(const struct batch *b, unsigned stage) {
  return stage < b->config->BackStages ? 1 : b->config->NumPipes;
}

// Of a long segment a cut is read, where there is one: it answers every three cycles, STATE every
// eighteen, since it asks for a mark.
static enum sluice_table table_of(const struct batch *b, unsigned stage, unsigned range) {
  const bool cut = stage < b->config->BackStages && b->config->CutStages >> stage & 1;
  return cut && b->whole && range > b->job.long_segment ? SLUICE_TABLE_CUT : SLUICE_TABLE_STATE;
}

// The final state of one segment, over the daisy chain, by logical index; into `words`, unless that
// is NULL: at an egress stage those of lane 0 first.
static enum sluice_status read_lane(struct batch *b, unsigned stage, unsigned row, unsigned range,
                                    unsigned lane, uint32_t (*words)[2]) {
  const unsigned before = b->config->BackStages + b->config->FrontStages;
  const enum sluice_table table = table_of(b, stage, range);
  const unsigned block = chip_query_max(b->chip, table);
  struct sluice_reconfig answer;
  for (unsigned first = 0; first < range; first += block) {
    const struct chip_query q = {table, stage, first, range - first < block ? range - first : block,
                                 lane,  row};
    SLUICE_TRY(chip_query(b->chip, &q, &answer, &b->error));
    b->state_reads++;
    for (unsigned n = 0; n < q.count; n++) {
      const uint8_t *entry = sluice_reconfig_entry(&answer, n);
      const uint32_t s1 = (uint32_t)SLUICE_GET(entry, STATE_ENTRY, S1),
                     s2 = (uint32_t)SLUICE_GET(entry, STATE_ENTRY, S2);
      if (stage < before) sluice_checker_state_entry(b->checker, row, stage, first + n, s1, s2);
      else sluice_checker_lane_entry(b->checker, row, stage - before, lane, first + n, s1, s2);
      if (words) words[first + n][0] = s1, words[first + n][1] = s2;
    }
  }
  return SLUICE_OK;
}

static enum sluice_status read_segment(struct batch *b, unsigned stage, unsigned row,
                                       unsigned range, uint32_t (*words)[2]) {
  for (unsigned lane = 0; lane < lanes_of(b, stage); lane++)
    SLUICE_TRY(read_lane(b, stage, row, range, lane, words ? words + (size_t)lane * range : NULL));
  return SLUICE_OK;
}

// The same of the rows of words, if the stage has them; into `to` the first `num` words of each. Of
// a long segment that has no words of its own (`num` 0) only rows at both ends: a row takes as long
// as ten entries.
static enum sluice_status read_rows(struct batch *b, unsigned stage, unsigned row, unsigned range,
                                    uint32_t *to, unsigned num) {
  const unsigned block = chip_query_max(b->chip, SLUICE_TABLE_STATE_ROW);
  struct sluice_reconfig answer;
  if (stage >= b->config->BackStages || !(b->config->ArrayStages >> stage & 1)) return SLUICE_OK;
  const bool ends = b->whole && range > b->job.long_segment && !num;
  for (unsigned first = 0; first < range; first += block) {
    if (ends && first && range - first > block) continue;
    const struct chip_query q = {SLUICE_TABLE_STATE_ROW,
                                 stage,
                                 first,
                                 range - first < block ? range - first : block,
                                 0,
                                 row};
    SLUICE_TRY(chip_query(b->chip, &q, &answer, &b->error));
    b->state_reads++;
    for (unsigned n = 0; n < q.count; n++) {
      uint32_t words[SLUICE_MODEL_WORDS];
      for (unsigned w = 0; w < SLUICE_MODEL_WORDS; w++)
        words[w] = sluice_get32(sluice_reconfig_entry(&answer, n) + 4 * w);
      sluice_checker_state_row(b->checker, row, stage, first + n, words);
      for (unsigned w = 0; to && w < num; w++) to[(size_t)(first + n) * num + w] = words[w];
    }
  }
  return SLUICE_OK;
}

static bool has_long_segment(const struct batch *b) {
  for (size_t i = 0; i < b->plan.num_segments; i++)
    if (b->plan.segments[i].range > b->job.long_segment) return true;
  return false;
}

enum sluice_status batch_read_state(struct batch *b) {
  if (b->config->CutStages && has_long_segment(b)) SLUICE_TRY(beside_cut_whole(b, &b->whole));
  if (b->job.state && (!(b->state = calloc(b->plan.num_segments + 1, sizeof *b->state)) ||
                       !(b->rows = calloc(b->plan.num_segments + 1, sizeof *b->rows))))
    return sluice_fail(&b->error, SLUICE_ERR_NOMEM, "out of memory for the state");
  for (size_t i = 0; i < b->plan.num_segments; i++) {
    const struct sluice_segment *seg = &b->plan.segments[i];
    const size_t entries = (size_t)seg->range * lanes_of(b, seg->stage);
    uint32_t(*words)[2] = b->state ? calloc(entries, sizeof *words) : NULL;
    uint32_t *rows = b->rows && seg->words ? calloc((size_t)seg->range * seg->words, sizeof *rows)
                                           : NULL;
    if (b->rows) b->rows[i] = rows;
    if (b->state && (!words || (seg->words && !rows)))
      return sluice_fail(&b->error, SLUICE_ERR_NOMEM, "out of memory for the state");
    if (b->state) b->state[i] = words;
    SLUICE_TRY(read_segment(b, seg->stage, seg->row, seg->range, words));
    SLUICE_TRY(read_rows(b, seg->stage, seg->row, seg->range, rows, seg->words));
  }
  for (unsigned i = 0; i < b->job.num_segments; i++) {
    const struct job_segment *seg = &b->job.segments[i];
    SLUICE_TRY(read_segment(b, seg->stage, seg->row, seg->range, NULL));
    SLUICE_TRY(read_rows(b, seg->stage, seg->row, seg->range, NULL, 0));
  }
  return SLUICE_OK;
}

// ---- counters -----------------------------------------------------------------------------------

// What entries have counted, of every pipeline: the checker compares the answers. Of a large engine
// the entries around those that the reference has seen used. Where no entry changed under traffic,
// of a table in which nothing was counted the first entry, and of a stage in which nothing was
// counted nothing: on a chip with engines in every stage they took half of a short run.
static bool any_counted(const struct batch *b, enum sluice_table table, unsigned stage,
                        unsigned first, unsigned num) {
  const struct sluice_model *m = sluice_checker_model(b->checker);
  for (unsigned n = 0; n < num; n++)
    if (sluice_model_count(m, table, stage, first + n)) return true;
  return false;
}

static bool entries_change(const struct batch *b) { return b->marks || b->updates; }

static enum sluice_status read_count_table(struct batch *b, enum sluice_table table,
                                           unsigned stage) {
  enum { ALL = 1024 };
  const unsigned rows = sluice_table_rows(table, b->config),
                 depth = entries_change(b) || any_counted(b, table, stage, 0, rows) ? rows : 1,
                 block = chip_query_max(b->chip, table);
  struct sluice_reconfig answer;
  for (unsigned first = 0; first < depth; first += block) {
    const unsigned num = depth - first < block ? depth - first : block;
    if (depth > ALL && !any_counted(b, table, stage, first, num)) continue;
    for (unsigned pipe = 0; pipe < b->config->NumPipes; pipe++) {
      const struct chip_query q = {table, stage, first, num, pipe, 0};
      SLUICE_TRY(chip_query(b->chip, &q, &answer, &b->error));
      b->state_reads++;
    }
  }
  return SLUICE_OK;
}

static enum sluice_status read_count_stage(struct batch *b, unsigned stage) {
  const struct sluice_config *c = b->config;
  bool any = entries_change(b);
  for (unsigned t = SLUICE_TABLE_MATCH_COUNT; t <= SLUICE_TABLE_CUCKOO_COUNT && !any; t++) {
    const enum sluice_table table = (enum sluice_table)t;
    any = sluice_table_in_stage(table, stage, c) &&
          any_counted(b, table, stage, 0, sluice_table_rows(table, c));
  }
  for (unsigned t = SLUICE_TABLE_MATCH_COUNT; any && t <= SLUICE_TABLE_CUCKOO_COUNT; t++)
    if (sluice_table_in_stage((enum sluice_table)t, stage, c))
      SLUICE_TRY(read_count_table(b, (enum sluice_table)t, stage));
  return SLUICE_OK;
}

enum sluice_status batch_check_counts(struct batch *b) {
  for (unsigned stage = 0; stage < b->config->BackStages + b->config->FrontStages; stage++)
    SLUICE_TRY(read_count_stage(b, stage));
  return SLUICE_OK;
}

// At each boundary every set of pipelines issued the packets of its modules, and no other. A row
// without a module is as after reset: in the set of pipeline 0.
static void check_sets(struct batch *b, const struct sluice_report *r) {
  const unsigned pipes = b->config->NumPipes >> sluice_plan_sets_log2(&b->plan);
  for (unsigned first = 0; first < b->config->NumPipes; first += pipes) {
    uint64_t expected = first ? 0 : r->admitted;
    for (size_t m = 0; m < b->plan.num_modules; m++) {
      const uint64_t admitted = r->admitted_module[b->plan.modules[m].row];
      if (b->plan.modules[m].first == first) expected += first ? admitted : 0;
      else if (!first) expected -= admitted;
    }
    for (unsigned s = 0; s < b->config->BackStages; s++) {
      uint64_t issued = 0;
      char name[80];
      for (unsigned p = first; p < first + pipes; p++) issued += b->boundary[s][p].issued;
      snprintf(name, sizeof name, "BOUNDARY.ISSUED at stage %u in pipelines %u to %u", s, first,
               first + pipes - 1);
      sluice_checker_counter(b->checker, name, expected, issued);
    }
  }
}

// Operations that were refused, and faults of capsules.
static enum sluice_status check_refused(struct batch *b, uint64_t expected) {
  uint64_t sum = 0;
  for (unsigned s = 0; s < b->config->StateStages; s++) {
    uint64_t stage = 0;
    SLUICE_TRY(chip_sum(b->chip, CHIP_REG(BOUNDARY, 16 * s, REFUSED_OPS), SLUICE_BOUNDARY_STRIDE,
                        b->config->NumPipes, &stage, &b->error));
    sum += stage;
  }
  sluice_checker_counter(b->checker, "BOUNDARY.REFUSED_OPS", expected, sum);
  return SLUICE_OK;
}

// Capsules that had a fault, by id. On a chip of many ids those that had none are looked at up to
// the first few.
static enum sluice_status check_faults(struct batch *b) {
  enum { FEW = 32 };
  for (unsigned id = 0; id < b->config->ActiveIds; id++) {
    const uint32_t expected = sluice_checker_faults(b->checker, id);
    uint32_t faults;
    char name[40];
    if (!expected && id >= FEW) continue;
    SLUICE_TRY(sluice_chip_read(b->chip, CHIP_REG(CAPSULES, id, FAULTS), &faults, &b->error));
    snprintf(name, sizeof name, "CAPSULES.FAULTS of id %u", id);
    sluice_checker_counter(b->checker, name, expected, faults);
  }
  return SLUICE_OK;
}

static enum sluice_status check_passes(struct batch *b, const struct sluice_report *r) {
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
    SLUICE_TRY(chip_sum(b->chip, counters[i].base, SLUICE_PASSES_STRIDE, b->config->NumPipes, &sum,
                        &b->error));
    sluice_checker_counter(b->checker, counters[i].name, counters[i].expected, sum);
  }
  return SLUICE_OK;
}

static enum sluice_status check_egress(struct batch *b, const struct sluice_report *r) {
  for (unsigned port = 0; port < b->config->NumPorts; port++) {
    uint32_t value;
    char name[40];
    SLUICE_TRY(batch_read(b, CHIP_REG(PORT, port, EGRESS), &value));
    snprintf(name, sizeof name, "PORT[%u].EGRESS", port);
    sluice_checker_counter(b->checker, name, r->egress_port[port], value);
  }
  for (unsigned row = 0; row < b->config->NumModules; row++) {
    uint32_t value;
    char name[40];
    SLUICE_TRY(batch_read(b, CHIP_REG(MODULE, row, DROP) + 4 * SLUICE_DROP_EGRESS, &value));
    snprintf(name, sizeof name, "MODULE %u DROP EGRESS", row);
    sluice_checker_counter(b->checker, name, r->drops_module[row][SLUICE_DROP_EGRESS], value);
  }
  return SLUICE_OK;
}

// Marks for deep output queues, by class, if no class was changed.
static enum sluice_status check_marked(struct batch *b, const struct sluice_report *r) {
  for (unsigned c = 0; c < b->config->OutputClasses && !r->queue_marked_unclassed; c++) {
    uint64_t sum = 0;
    char name[32];
    SLUICE_TRY(chip_sum(b->chip, CHIP_REG(EXIT, 0, MARKED) + 4 * c, SLUICE_EXIT_STRIDE,
                        b->config->NumPipes, &sum, &b->error));
    snprintf(name, sizeof name, "EXIT.MARKED %u", c);
    sluice_checker_counter(b->checker, name, r->queue_marked[c], sum);
  }
  return SLUICE_OK;
}

// The chip's own counters must tell the same story as the monitors.
enum sluice_status batch_check_counters(struct batch *b) {
  struct sluice_report r;
  sluice_checker_report(b->checker, &r);
  unsigned pipes = b->config->NumPipes, ports = b->config->NumPorts;
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
    SLUICE_TRY(
        chip_sum(b->chip, counters[i].base, counters[i].stride, counters[i].num, &sum, &b->error));
    sluice_checker_counter(b->checker, counters[i].name, counters[i].expected, sum);
  }
  sluice_checker_counter(b->checker, "CHIP.FIRST_ERROR", 0, b->first_error);
  if (b->config->Active) SLUICE_TRY(check_refused(b, r.refused_ops));
  if (b->config->Active) SLUICE_TRY(check_faults(b));
  if (b->config->OutputClasses) SLUICE_TRY(check_marked(b, &r));
  if (b->config->Recirculation) SLUICE_TRY(check_passes(b, &r));
  if (b->config->EgressStages) SLUICE_TRY(check_egress(b, &r));
  if (b->config->OrderedMerge) {
    uint32_t late;
    SLUICE_TRY(batch_read(b, CHIP_REG(MERGE, 0, LATE), &late));
    const bool may = late >= r.merge_late && late <= r.merge_late + r.merge_maybe_late;
    sluice_checker_counter(b->checker, "MERGE.LATE", may ? late : r.merge_late, late);
  }
  if (b->plan.num_modules) check_sets(b, &r);
  for (unsigned reason = SLUICE_DROP_NOT_READY; reason <= SLUICE_DROP_OVERLOAD; reason++) {
    uint64_t sum = 0;
    char name[80];
    bool lane = reason <= SLUICE_DROP_PROTOCOL;
    SLUICE_TRY(chip_sum(b->chip,
                        (lane ? CHIP_REG(LANE, 0, DROP) : CHIP_REG(ORDER, 0, DROP)) + 4 * reason,
                        lane ? SLUICE_LANE_STRIDE : SLUICE_ORDER_STRIDE, pipes, &sum, &b->error));
    snprintf(name, sizeof name, "%s.DROP %s", lane ? "LANE" : "ORDER",
             sluice_value_name("DROP", reason));
    sluice_checker_counter(b->checker, name, r.drops[reason], sum);
  }
  if (b->config->RateLimits) {
    uint64_t sum = 0;
    SLUICE_TRY(chip_sum(b->chip, CHIP_REG(LANE, 0, DROP) + 4 * SLUICE_DROP_RATE, SLUICE_LANE_STRIDE,
                        pipes, &sum, &b->error));
    sluice_checker_counter(b->checker, "LANE.DROP RATE", r.drops[SLUICE_DROP_RATE], sum);
  }
  for (size_t m = 0; m < b->plan.num_modules; m++)
    for (unsigned reason = SLUICE_DROP_NOT_READY; reason < SLUICE_NUM_DROPS; reason++) {
      uint32_t value;
      unsigned row = b->plan.modules[m].row;
      char name[80];
      SLUICE_TRY(batch_read(b, CHIP_REG(MODULE, row, DROP) + 4 * reason, &value));
      snprintf(name, sizeof name, "MODULE %u DROP %s", row, sluice_value_name("DROP", reason));
      sluice_checker_counter(b->checker, name, r.drops_module[row][reason], value);
    }
  return SLUICE_OK;
}
