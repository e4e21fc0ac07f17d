// SPDX-License-Identifier: Apache-2.0
#include "batch.h"

#include <stdlib.h>
#include <string.h>

#include "../base/now.h"
#include "../driver/chip/chip.h"
#include "../lib/initial.h"
#include "../spec/spec.h"

enum {
  STUCK_CYCLES = 100000,  // without any packet making progress
  MOVE_PERIOD = 256,      // unless the job says otherwise
};

static void wait_cycle(struct batch *b) { (void)!b->m->to.ops->wait(b->m, 1, NULL); }

static enum sluice_status write_initial(struct batch *b) {
  struct sluice_initial *initial;
  SLUICE_TRY(sluice_initial_open(&initial, b->job.initial, &b->error));
  const enum sluice_status status = sluice_initial_write(initial, b->chip, &b->error);
  sluice_initial_free(initial);
  return status;
}

static enum sluice_status configure(struct batch *b) {
  const int64_t sets = b->job.set.sets, pin = b->job.set.pin;
  sluice_plan_init(&b->plan, b->config);
  if (sets >= 0) SLUICE_TRY(sluice_plan_set(&b->plan, (unsigned)sets, 0, &b->error));
  if (pin >= 0) sluice_plan_pin(&b->plan, (unsigned)pin);
  for (unsigned m = 0; m < b->job.num_modules; m++) {
    const struct job_module *module = &b->job.modules[m];
    struct sluice_image image;
    memset(&image, 0, sizeof image);
    enum sluice_status status = sluice_image_load(&image, module->image, b->config, &b->error);
    if (!status) status = job_module_plan(module, &image, sets, &b->plan, &b->error);
    sluice_image_release(&image);
    if (status) return status;
  }
  SLUICE_TRY(sluice_chip_apply(b->chip, &b->plan, &b->error));
  if (b->job.initial) SLUICE_TRY(write_initial(b));
  if (b->job.control) {
    struct sluice_capture *capture;
    struct sluice_packet packet;
    SLUICE_TRY(sluice_capture_open(&capture, b->job.control, &b->error));
    enum sluice_status status;
    while (!(status = sluice_capture_next(capture, &packet, &b->error)) && packet.bytes)
      if ((status = monitored_control(b->m, packet.bytes, packet.len, &b->error))) break;
    sluice_capture_close(capture);
    if (status) return status;
  }
  return monitored_wait_control(b->m, &b->error);
}

// Indices of a module that may be away: equal parts for the modules that have spread state; no
// limit for one alone.
static int move_quota(const struct batch *b) {
  uint32_t rows = 0;
  for (size_t i = 0; i < b->plan.num_segments; i++)
    if (!b->plan.segments[i].pinned) rows |= UINT32_C(1) << b->plan.segments[i].row;
  const int modules = __builtin_popcount(rows), entries = (int)b->config->Relocations;
  return modules < 2 ? 0 : entries > modules ? entries / modules : 1;
}

static enum sluice_status write_settings(struct batch *b) {
  struct job_settings set = b->job.set;
  uint32_t addr;
  int64_t value;
  if (b->config->NumPipes > 1 && b->config->Relocations) {
    if (set.move_quota < 0) set.move_quota = move_quota(b);
    if (set.move_period < 0) set.move_period = MOVE_PERIOD;
  }
  for (unsigned n = 0; job_setting(&set, n, &addr, &value); n++)
    if (value >= 0) SLUICE_TRY(sluice_chip_write(b->chip, addr, (uint32_t)value, &b->error));
  if (b->job.fault_mask)
    SLUICE_TRY(sluice_chip_write(b->chip, CHIP_REG(CHIP, 0, FAULT), (uint32_t)b->job.fault_mask,
                                 &b->error));
  for (unsigned c = 0; c < b->job.num_class_ecn; c++)
    SLUICE_TRY(sluice_chip_write(b->chip, CHIP_REG(CHIP, 0, CLASS_ECN) + 4 * c, b->job.class_ecn[c],
                                 &b->error));
  return SLUICE_OK;
}

static void say_stuck(struct batch *b, bool too_long) {
  struct sluice_report r;
  sluice_checker_report(b->checker, &r);
  const unsigned long long played = b->wires->sent, inside = r.inside;
  b->stuck = true;
  if (too_long)
    snprintf(b->stuck_text, sizeof b->stuck_text,
             "the bound of %llu cycles (--max-cycles) is reached: %llu packets played, %llu of "
             "them inside",
             (unsigned long long)b->job.max_cycles, played, inside);
  else
    snprintf(b->stuck_text, sizeof b->stuck_text,
             "no packet got further for %d cycles: %llu packets played, %llu of them inside",
             STUCK_CYCLES, played, inside);
}

// Plays the capture and waits until everything has left. Progress is any packet that gets further.
static enum sluice_status play(struct batch *b) {
  uint64_t last_progress = b->m->cycle, seen = 0, shown = 0;
  b->wall_start = sluice_now();
  b->play_start = b->wires->start = b->stories.start = b->m->cycle;
  b->m->playing = true;
  struct sluice_report r;
  sluice_checker_report(b->checker, &r);
  b->marks_played = r.marks;
  while (!player_done(b->player) || !sluice_checker_idle(b->checker) || !beside_done(b)) {
    wait_cycle(b);
    SLUICE_TRY(beside_turn(b, player_done(b->player)));
    SLUICE_TRY(writes_turn(b, player_done(b->player)));
    if (b->m->seen.events != seen || sluice_checker_idle(b->checker)) {
      seen = b->m->seen.events;
      last_progress = b->m->cycle;
    }
    if (b->job.progress && b->wires->sent >= shown + 1024) {
      shown = b->wires->sent;
      fprintf(stderr, "progress %llu %llu\n", (unsigned long long)shown,
              (unsigned long long)b->job.packets);
    }
    bool too_long = b->job.max_cycles && b->m->cycle - b->play_start > b->job.max_cycles;
    if (b->m->cycle - last_progress > STUCK_CYCLES || too_long) {
      say_stuck(b, too_long);
      break;
    }
    if (sluice_checker_failed(b->checker) && b->m->cycle - last_progress > 2000) break;
  }
  for (unsigned n = 0; n < 64; n++) wait_cycle(b);  // nothing more may come out
  b->m->playing = false;
  sluice_checker_report(b->checker, &r);
  b->marks_played = r.marks - b->marks_played;
  b->wall_seconds = sluice_now() - b->wall_start;
  const char *error = player_error(b->player);
  if (error) return sluice_fail(&b->error, SLUICE_ERR_FORMAT, "%s", error);
  return SLUICE_OK;
}

static enum sluice_status read_statistics(struct batch *b) {
  SLUICE_TRY(batch_read(b, CHIP_REG(CHIP, 0, FIRST_ERROR), &b->first_error));
  for (unsigned s = 0; s < b->config->BackStages; s++)
    for (unsigned p = 0; p < b->config->NumPipes; p++) {
      struct boundary_counts *c = &b->boundary[s][p];
#define BOUNDARY(NAME, REGISTER) \
  SLUICE_TRY(batch_read(b, CHIP_REG(BOUNDARY, 16 * s + p, REGISTER), &c->NAME));
#include "counters.def"
    }
  for (unsigned l = 0; l < b->config->NumPipes; l++) {
    struct order_counts *c = &b->order[l];
#define ORDER(NAME, REGISTER) SLUICE_TRY(batch_read(b, CHIP_REG(ORDER, l, REGISTER), &c->NAME));
#include "counters.def"
  }
  return SLUICE_OK;
}

static enum sluice_status run_all(struct batch *b) {
  // Counted is enough: the pins lose nothing, and the monitors compare what the tables do.
  const struct sluice_chip_options options = {
      .chip = b->config->name, .keep = true, .verify = SLUICE_VERIFY_COUNT};
  SLUICE_TRY(sluice_chip_open(&b->chip, &b->m->to, &options, &b->error));
  SLUICE_TRY(beside_open(b));
  SLUICE_TRY(configure(b));
  SLUICE_TRY(write_settings(b));
  SLUICE_TRY(writes_open(b));
  SLUICE_TRY(play(b));
  if (!b->stuck) SLUICE_TRY(writes_restore(b));
  SLUICE_TRY(read_statistics(b));
  for (unsigned i = 0; i < b->job.num_registers; i++)
    SLUICE_TRY(batch_read(b, b->job.registers[i].addr, &b->registers[i]));
  SLUICE_TRY(batch_read(b, CHIP_REG(MOVE, 0, RELOCATED), &b->moves.away));
  SLUICE_TRY(batch_read(b, CHIP_REG(MOVE, 0, DECIDED), &b->moves.decided));
  if (b->stuck || sluice_checker_failed(b->checker)) return SLUICE_OK;
  if (b->job.check_counters) SLUICE_TRY(batch_check_counters(b));
  // With marks the state of an index that is away can be read, too.
  if (!b->config->Marks) SLUICE_TRY(chip_recall(b->chip, chip_all_rows(b->chip), &b->error));
  SLUICE_TRY(batch_read_state(b));
  return batch_check_counts(b);
}

void batch_main(void *context) {
  struct batch *b = context;
  run_all(b);
  beside_close(b);
  sluice_chip_close(b->chip);
  b->chip = NULL;
  sluice_checker_finish(b->checker);
  b->over = true;
}

// ---- life ---------------------------------------------------------------------------------------

static enum sluice_status open_all(struct batch *b, const char *path) {
  struct sluice_error *error = &b->error;
  SLUICE_TRY(job_load(&b->job, path, error));
  b->config = sluice_config_find(b->job.config);
  if (!b->config)
    return sluice_fail(error, SLUICE_ERR_FOREIGN,
                       "this simulator has another configuration than the job");
  const struct sluice_checker_hooks hooks = batch_hooks(b);
  if (!monitored_open(b->m, b->config, &hooks)) return sluice_no_memory(error);
  b->checker = b->m->checker;
  if (b->job.spec && !sluice_checker_second(b->checker, &sluice_spec_second))
    return sluice_no_memory(error);
  b->player = player_open(&b->job, b->config, b->wires, error);
  if (!b->player) return SLUICE_ERR_IO;
  b->flows_all = sluice_flows_new();
  b->flows_by_lane = sluice_flows_new();
  if (!b->flows_all || !b->flows_by_lane) return sluice_no_memory(error);
  return batch_files_open(b);
}

struct batch *batch_open(const char *path, struct monitored *m, struct wires *wires,
                         struct sluice_error *error) {
  struct batch *b = calloc(1, sizeof *b);
  if (!b) {
    sluice_no_memory(error);
    return NULL;
  }
  b->m = m;
  b->wires = wires;
  if (!open_all(b, path)) {
    resets_open(b, NULL);
    return b;
  }
  if (error) *error = b->error;
  batch_close(b);
  return NULL;
}

struct batch *batch_again(struct batch *b, const char *path, struct sluice_error *error) {
  struct monitored *m = b->m;
  struct wires *wires = b->wires;
  const struct resets before = b->resets;
  const struct sluice_transport chip = m->chip;
  batch_files_close(b);
  beside_close(b);
  batch_close(b);
  monitored_close(m);
  wires_clear(wires);
  *m = (struct monitored){.chip = chip};
  b = batch_open(path, m, wires, error);
  if (b) resets_open(b, &before);
  return b;
}

void batch_close(struct batch *b) {
  if (!b) return;
  sluice_flows_free(b->flows_all);
  sluice_flows_free(b->flows_by_lane);
  player_close(b->player);
  writes_close(b);
  for (size_t i = 0; b->state && i < b->plan.num_segments; i++) free(b->state[i]);
  free(b->state);
  for (size_t i = 0; b->rows && i < b->plan.num_segments; i++) free(b->rows[i]);
  free(b->rows);
  sluice_plan_release(&b->plan);
  job_release(&b->job);
  free(b);
}
