// SPDX-License-Identifier: Apache-2.0
// What the host does in a run, in order. Any error ends the run; its text goes into the report.
#include <string.h>

#include "run.h"

enum {
  STUCK_CYCLES = 100000,   // without any packet making progress
  MOVE_PERIOD = 256,       // unless the job says otherwise
  RECALL_CYCLES = 200000,  // until all indices are at home
  READ_BLOCK = 128,        // state entries of one read request
};

#define TRY(CALL)                            \
  do {                                       \
    enum sluice_status try_status = (CALL);  \
    if (try_status) return try_status;       \
  } while (0)

static uint32_t reg_addr(unsigned base, unsigned stride, unsigned instance, unsigned offset) {
  return base + stride * instance + offset;
}
#define REG(BLOCK, INSTANCE, NAME) \
  reg_addr(SLUICE_##BLOCK##_BASE, SLUICE_##BLOCK##_STRIDE, INSTANCE, SLUICE_##BLOCK##_##NAME)

static enum sluice_status read_reg(struct run *run, uint32_t addr, uint32_t *value) {
  return host_csr_read(&run->host, addr, value, &run->error);
}

static enum sluice_status wait_status(struct run *run, uint32_t mask, uint32_t wanted, const char *what) {
  uint32_t status = 0;
  for (unsigned n = 0; n < HOST_WAIT_CYCLES; n++) {
    TRY(read_reg(run, REG(CHIP, 0, STATUS), &status));
    if ((status & mask) == wanted) return SLUICE_OK;
  }
  return sluice_fail(&run->error, SLUICE_ERR_IO, "the chip does not become %s", what);
}

// Refuses a chip that is not the one this software was built for.
static enum sluice_status identify(struct run *run) {
  const struct sluice_config *c = run->config;
  uint32_t id, version, shape;
  TRY(read_reg(run, REG(CHIP, 0, ID), &id));
  TRY(read_reg(run, REG(CHIP, 0, VERSION), &version));
  TRY(read_reg(run, REG(CHIP, 0, SHAPE_0), &shape));
  if (id != sluice_layout_hash() || version != 0x534c5501)
    return sluice_fail(&run->error, SLUICE_ERR_FOREIGN, "the chip says layout %08x, version %08x; expected %08x, 534c5501",
                       id, version, sluice_layout_hash());
  if (shape != sluice_config_shape(c, 0))
    return sluice_fail(&run->error, SLUICE_ERR_FOREIGN, "the chip's shape %08x is not that of '%s'", shape, c->name);
  return SLUICE_OK;
}

// Sends a packet to chip and model; `good` counts it if it is legal. If there is to be an answer, it is in run->answer then.
static enum sluice_status exchange(struct run *run, const uint8_t *bytes, size_t len, unsigned *good) {
  TRY(host_send(&run->host, bytes, len, &run->error));
  if (sluice_checker_control(run->checker, run->cycle, bytes, len, &run->expected)) ++*good;
  else run->control_bad++;
  return run->expected.len ? host_receive(&run->host, &run->answer, &run->error) : SLUICE_OK;
}

// The same, and compares the answer.
static enum sluice_status send_control(struct run *run, const uint8_t *bytes, size_t len) {
  TRY(exchange(run, bytes, len, &run->control_good));
  if (run->expected.len == 0) return SLUICE_OK;
  long at = sluice_model_answer_compare(&run->expected, run->answer.bytes, run->answer.len);
  if (at < 0) return SLUICE_OK;
  char name[80];
  snprintf(name, sizeof name, "answer to control packet %u, byte %ld", run->control_good + run->control_bad - 1, at);
  bool here = (size_t)at < run->answer.len && (size_t)at < run->expected.len;
  sluice_checker_counter(run->checker, name, here ? run->expected.bytes[at] : run->expected.len,
                         here ? run->answer.bytes[at] : run->answer.len);
  return SLUICE_OK;
}

static bool send_frame(void *context, const struct sluice_frame *frame) {
  return send_control(context, frame->bytes, frame->len) == SLUICE_OK;
}

// Waits until the chip has counted every control packet, and compares the counts with the model's.
static enum sluice_status wait_control(struct run *run) {
  uint32_t good = 0, bad = 0;
  for (unsigned n = 0; n < HOST_WAIT_CYCLES; n++) {
    TRY(read_reg(run, REG(CHIP, 0, RECONFIG_COUNT), &good));
    TRY(read_reg(run, REG(CHIP, 0, RECONFIG_BAD), &bad));
    if (good + bad >= run->control_good + run->control_bad) {
      sluice_checker_counter(run->checker, "CHIP.RECONFIG_COUNT", run->control_good, good);
      sluice_checker_counter(run->checker, "CHIP.RECONFIG_BAD", run->control_bad, bad);
      return wait_status(run, 2, 0, "done with a fill");
    }
  }
  return sluice_fail(&run->error, SLUICE_ERR_IO, "control packets: sent %u, the chip counts %u good and %u bad",
                     run->control_good + run->control_bad, good, bad);
}

// Divides the pipelines into sets, before anything is placed in them.
static enum sluice_status divide(struct run *run) {
  TRY(sluice_plan_set(&run->plan, (unsigned)run->job.sets, 0, &run->error));
  const unsigned sets = sluice_plan_sets_log2(&run->plan);
  uint32_t now;
  TRY(host_csr_write(&run->host, REG(CHIP, 0, SETS), sets, &run->error));
  TRY(read_reg(run, REG(CHIP, 0, SETS), &now));
  sluice_checker_counter(run->checker, "CHIP.SETS", sets, now);
  sluice_checker_sets(run->checker, sets);
  return SLUICE_OK;
}

static enum sluice_status configure(struct run *run) {
  sluice_plan_init(&run->plan, run->config);
  if (run->job.sets >= 0) TRY(divide(run));
  if (run->job.pin >= 0) sluice_plan_pin(&run->plan, (unsigned)run->job.pin);
  for (unsigned m = 0; m < run->job.num_modules; m++) {
    struct sluice_image image;
    memset(&image, 0, sizeof image);
    enum sluice_status status = sluice_image_load(&image, run->job.modules[m].image, run->config, &run->error);
    if (!status && run->job.sets >= 0)
      status = sluice_plan_set(&run->plan, (unsigned)run->job.sets, run->job.modules[m].set, &run->error);
    if (!status) status = sluice_plan_add(&run->plan, &image, run->job.modules[m].vid, &run->error);
    sluice_image_release(&image);
    const struct job_module *module = &run->job.modules[m];
    if (!status && module->rate >= 0)
      status = sluice_plan_share(&run->plan, module->vid, (unsigned)module->rate, (unsigned)module->burst, &run->error);
    if (status) return status;
  }
  if (!sluice_reconfig_plan(&run->plan, send_frame, run)) return SLUICE_ERR_IO;
  if (run->job.control) {
    struct sluice_capture *capture;
    struct sluice_packet packet;
    TRY(sluice_capture_open(&capture, run->job.control, &run->error));
    enum sluice_status status;
    while (!(status = sluice_capture_next(capture, &packet, &run->error)) && packet.bytes && !status)
      if ((status = send_control(run, packet.bytes, packet.len))) break;
    sluice_capture_close(capture);
    if (status) return status;
  }
  return wait_control(run);
}

static enum sluice_status write_settings(struct run *run) {
  const bool can_move = run->config->NumPipes > 1 && run->config->Relocations;
  const struct {
    int value;
    uint32_t addr;
  } settings[] = {{run->job.pace, REG(CHIP, 0, PACE)},
                  {run->job.brake, REG(CHIP, 0, BRAKE)},
                  {run->job.lane_limit, REG(CHIP, 0, LANE_LIMIT)},
                  {run->job.output_limit, REG(CHIP, 0, OUTPUT_LIMIT)},
                  {run->job.mode, REG(CHIP, 0, MODE)},
                  {run->job.ecn_queue, REG(CHIP, 0, ECN_QUEUE)},
                  {run->job.ecn_lane, REG(CHIP, 0, ECN_LANE)},
                  {run->job.move_period >= 0 ? run->job.move_period : can_move ? MOVE_PERIOD : -1, REG(CHIP, 0, MOVE_PERIOD)},
                  {run->job.move_least, REG(CHIP, 0, MOVE_LEAST)},
                  {run->job.fault_mask ? (int)run->job.fault_mask : -1, REG(CHIP, 0, FAULT)}};
  for (unsigned i = 0; i < sizeof settings / sizeof settings[0]; i++)
    if (settings[i].value >= 0)
      TRY(host_csr_write(&run->host, settings[i].addr, (uint32_t)settings[i].value, &run->error));
  uint32_t queue, lane, moves;
  TRY(read_reg(run, REG(CHIP, 0, ECN_QUEUE), &queue));
  TRY(read_reg(run, REG(CHIP, 0, ECN_LANE), &lane));
  TRY(read_reg(run, REG(CHIP, 0, MOVE_PERIOD), &moves));
  sluice_checker_ecn(run->checker, queue, lane);
  sluice_checker_moves(run->checker, moves != 0);
  return SLUICE_OK;
}

// Plays the capture and waits until everything has left. Progress is any packet that gets further.
static enum sluice_status play(struct run *run) {
  uint64_t last_progress = run->cycle, seen = 0, shown = 0;
  clock_gettime(CLOCK_MONOTONIC, &run->wall_start);
  run->play_start = run->cycle;
  run->playing = true;
  while (!player_done(run->player) || !sluice_checker_idle(run->checker)) {
    host_wait(&run->host);
    if (run->events != seen || sluice_checker_idle(run->checker)) {
      seen = run->events;
      last_progress = run->cycle;
    }
    if (run->job.progress && player_sent(run->player) >= shown + 1024) {
      shown = player_sent(run->player);
      fprintf(stderr, "progress %llu %llu\n", (unsigned long long)shown, (unsigned long long)run->job.packets);
    }
    bool too_long = run->job.max_cycles && run->cycle - run->play_start > run->job.max_cycles;
    if (run->cycle - last_progress > STUCK_CYCLES || too_long) {
      run->stuck = true;
      break;
    }
    if (sluice_checker_failed(run->checker) && run->cycle - last_progress > 2000) break;
  }
  for (unsigned n = 0; n < 64; n++) host_wait(&run->host);  // nothing more may come out
  run->playing = false;
  memset(run->in.rx, 0, sizeof run->in.rx);  // a run that was cut short may stand in the middle of a packet
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  run->wall_seconds = (double)(now.tv_sec - run->wall_start.tv_sec) + 1e-9 * (double)(now.tv_nsec - run->wall_start.tv_nsec);
  const char *error = player_error(run->player);
  if (error) return sluice_fail(&run->error, SLUICE_ERR_FORMAT, "%s", error);
  return SLUICE_OK;
}

// The final state of one segment, over the daisy chain, by logical index.
static enum sluice_status read_segment(struct run *run, unsigned stage, unsigned row, unsigned range) {
  struct sluice_frame *frame = &(struct sluice_frame){0};
  for (unsigned first = 0; first < range; first += READ_BLOCK) {
    unsigned count = range - first < READ_BLOCK ? range - first : READ_BLOCK;
    struct sluice_reconfig answer;
    sluice_reconfig_state_read(frame, stage, row, first, count, first / READ_BLOCK);
    TRY(exchange(run, frame->bytes, frame->len, &run->state_reads));
    TRY(sluice_reconfig_decode(&answer, run->answer.bytes, run->answer.len, &run->error));
    if (answer.op != SLUICE_CHAIN_ANSWER || answer.num_entries != count)
      return sluice_fail(&run->error, SLUICE_ERR_IO, "state of stage %u row %u from %u: asked for %u entries, got %s with %u",
                         stage, row, first, count, sluice_value_name("CHAIN", answer.op), answer.num_entries);
    for (unsigned n = 0; n < count; n++) {
      const uint8_t *entry = sluice_reconfig_entry(&answer, n);
      sluice_checker_state_entry(run->checker, row, stage, first + n, (uint32_t)SLUICE_GET(entry, STATE_ENTRY, S1),
                                 (uint32_t)SLUICE_GET(entry, STATE_ENTRY, S2));
    }
  }
  return SLUICE_OK;
}

// Brings all indices home: state is read there.
static enum sluice_status recall(struct run *run) {
  const uint64_t start = run->cycle;
  uint32_t away;
  TRY(host_csr_write(&run->host, REG(CHIP, 0, MOVE_PERIOD), 0, &run->error));
  do {
    TRY(read_reg(run, REG(MOVE, 0, RELOCATED), &away));
    if (away && run->cycle - start > RECALL_CYCLES)
      return sluice_fail(&run->error, SLUICE_ERR_IO, "%u indices do not come home", away);
  } while (away);
  return SLUICE_OK;
}

static enum sluice_status read_state(struct run *run) {
  for (size_t i = 0; i < run->plan.num_segments; i++) {
    const struct sluice_segment *seg = &run->plan.segments[i];
    TRY(read_segment(run, seg->stage, seg->row, seg->range));
  }
  for (unsigned i = 0; i < run->job.num_segments; i++) {
    const struct job_segment *seg = &run->job.segments[i];
    TRY(read_segment(run, seg->stage, seg->row, seg->range));
  }
  return SLUICE_OK;
}

static enum sluice_status sum_regs(struct run *run, uint32_t base, uint32_t stride, unsigned num, uint64_t *sum) {
  for (unsigned n = 0; n < num; n++) {
    uint32_t value;
    TRY(read_reg(run, base + stride * n, &value));
    *sum += value;
  }
  return SLUICE_OK;
}

// At each boundary every set of pipelines issued the packets of its modules, and no other. A row without a module is as
// after reset: in the set of pipeline 0.
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
      snprintf(name, sizeof name, "BOUNDARY.ISSUED at stage %u in pipelines %u to %u", s, first, first + pipes - 1);
      sluice_checker_counter(run->checker, name, expected, issued);
    }
  }
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
      {"LANE.PACKETS", REG(LANE, 0, PACKETS), SLUICE_LANE_STRIDE, pipes, r.packets},
      {"LANE.ACCEPTED", REG(LANE, 0, ACCEPTED), SLUICE_LANE_STRIDE, pipes, r.arrived},
      {"ORDER.ADMITTED", REG(ORDER, 0, ADMITTED), SLUICE_ORDER_STRIDE, pipes, r.admitted},
      {"ORDER.OUT_OF_BOUNDS", REG(ORDER, 0, OUT_OF_BOUNDS), SLUICE_ORDER_STRIDE, pipes, r.out_of_bounds},
      {"ORDER.MARKED", REG(ORDER, 0, MARKED), SLUICE_ORDER_STRIDE, pipes, r.marked},
      {"EXIT.PACKETS", REG(EXIT, 0, PACKETS), SLUICE_EXIT_STRIDE, pipes, r.left},
      {"EXIT.DISCARDED", REG(EXIT, 0, DISCARDED), SLUICE_EXIT_STRIDE, pipes, r.drops[SLUICE_DROP_DISCARD_BACK]},
      {"EXIT.NO_DEST", REG(EXIT, 0, NO_DEST), SLUICE_EXIT_STRIDE, pipes, r.drops[SLUICE_DROP_NO_DEST]},
      {"PORT.PACKETS", REG(PORT, 0, PACKETS), SLUICE_PORT_STRIDE, ports, r.copies},
      {"PORT.BYTES", REG(PORT, 0, BYTES), SLUICE_PORT_STRIDE, ports, r.copy_bytes},
      {"PORT.DROPS", REG(PORT, 0, DROPS), SLUICE_PORT_STRIDE, ports, r.drops[SLUICE_DROP_OUTPUT_FULL]},
  };
  for (unsigned i = 0; i < sizeof counters / sizeof counters[0]; i++) {
    uint64_t sum = 0;
    TRY(sum_regs(run, counters[i].base, counters[i].stride, counters[i].num, &sum));
    sluice_checker_counter(run->checker, counters[i].name, counters[i].expected, sum);
  }
  sluice_checker_counter(run->checker, "CHIP.FIRST_ERROR", 0, run->first_error);
  if (run->plan.num_modules) check_sets(run, &r);
  for (unsigned reason = SLUICE_DROP_NOT_READY; reason <= SLUICE_DROP_OVERLOAD; reason++) {
    uint64_t sum = 0;
    char name[80];
    bool lane = reason <= SLUICE_DROP_PROTOCOL;
    TRY(sum_regs(run, (lane ? REG(LANE, 0, DROP) : REG(ORDER, 0, DROP)) + 4 * reason,
                 lane ? SLUICE_LANE_STRIDE : SLUICE_ORDER_STRIDE, pipes, &sum));
    snprintf(name, sizeof name, "%s.DROP %s", lane ? "LANE" : "ORDER", sluice_value_name("DROP", reason));
    sluice_checker_counter(run->checker, name, r.drops[reason], sum);
  }
  for (size_t m = 0; m < run->plan.num_modules; m++)
    for (unsigned reason = SLUICE_DROP_NOT_READY; reason <= SLUICE_DROP_OVERLOAD; reason++) {
      uint32_t value;
      unsigned row = run->plan.modules[m].row;
      char name[80];
      TRY(read_reg(run, REG(MODULE, row, DROP) + 4 * reason, &value));
      snprintf(name, sizeof name, "MODULE %u DROP %s", row, sluice_value_name("DROP", reason));
      sluice_checker_counter(run->checker, name, r.drops_module[row][reason], value);
    }
  return SLUICE_OK;
}

static enum sluice_status read_statistics(struct run *run) {
  TRY(read_reg(run, REG(CHIP, 0, FIRST_ERROR), &run->first_error));
  for (unsigned s = 0; s < run->config->BackStages; s++)
    for (unsigned p = 0; p < run->config->NumPipes; p++) {
      struct boundary_counts *b = &run->boundary[s][p];
      unsigned n = 16 * s + p;
      TRY(read_reg(run, REG(BOUNDARY, n, ISSUED), &b->issued));
      TRY(read_reg(run, REG(BOUNDARY, n, IDLE), &b->idle));
      TRY(read_reg(run, REG(BOUNDARY, n, WAIT_DATA), &b->wait_data));
      TRY(read_reg(run, REG(BOUNDARY, n, WAIT_CREDIT), &b->wait_credit));
      TRY(read_reg(run, REG(BOUNDARY, n, STATEFUL), &b->stateful));
      TRY(read_reg(run, REG(BOUNDARY, n, ESCAPES), &b->escapes));
      TRY(read_reg(run, REG(BOUNDARY, n, HIGH_QUEUE), &b->high_queue));
      TRY(read_reg(run, REG(BOUNDARY, n, HIGH_BANK), &b->high_bank));
      TRY(read_reg(run, REG(BOUNDARY, n, HIGH_WAITING), &b->high_waiting));
    }
  for (unsigned l = 0; l < run->config->NumPipes; l++) {
    struct order_counts *o = &run->order[l];
    TRY(read_reg(run, REG(ORDER, l, PACED), &o->paced));
    TRY(read_reg(run, REG(ORDER, l, BRAKED), &o->braked));
    TRY(read_reg(run, REG(ORDER, l, FULL), &o->full));
    TRY(read_reg(run, REG(ORDER, l, CREDIT), &o->credit));
    TRY(read_reg(run, REG(ORDER, l, WINDOW), &o->window));
    TRY(read_reg(run, REG(ORDER, l, ABOVE_SHARE), &o->above_share));
  }
  return SLUICE_OK;
}

static enum sluice_status run_all(struct run *run) {
  TRY(wait_status(run, 1, 1, "ready"));
  sluice_checker_ready(run->checker, run->cycle);
  TRY(identify(run));
  TRY(configure(run));
  TRY(write_settings(run));
  TRY(play(run));
  TRY(read_statistics(run));
  TRY(read_reg(run, REG(MOVE, 0, RELOCATED), &run->moves.away));
  TRY(read_reg(run, REG(MOVE, 0, DECIDED), &run->moves.decided));
  if (run->stuck || sluice_checker_failed(run->checker)) return SLUICE_OK;
  if (run->job.check_counters) TRY(check_counters(run));
  TRY(recall(run));
  return read_state(run);
}

void script_main(void *context) {
  struct run *run = context;
  run_all(run);
  sluice_checker_finish(run->checker);
}
