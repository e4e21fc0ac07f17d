// SPDX-License-Identifier: Apache-2.0
#include "sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "host.h"
#include "session/batch.h"
#include "session/serve.h"

enum {
  WIRE_MAX = 1024,      // packets that wait for a wire; one more waits for room
  ROOM_CYCLES = 65536,  // at most so long
};

struct sim {
  struct monitored m;
  struct wires wires;
  struct batch *batch;    // one of the two
  struct server *server;  // instead of a job
  char *path;             // of the job
  struct host host;
  struct coroutine *script;
  struct pins_in in;
  bool reset;  // the chip is to be reset
  bool over;
  // Outputs that are not always ready, of a job.
  const struct job *job;
  struct sluice_rng stalls;
};

// ---- the chip as a transport --------------------------------------------------------------------

static enum sluice_status csr_read(void *self, uint32_t addr, uint32_t *value,
                                   struct sluice_error *error) {
  return host_csr_read(&((struct sim *)self)->host, addr, value, error);
}
static enum sluice_status csr_write(void *self, uint32_t addr, uint32_t value,
                                    struct sluice_error *error) {
  return host_csr_write(&((struct sim *)self)->host, addr, value, error);
}
static enum sluice_status control_send(void *self, const uint8_t *bytes, size_t len,
                                       struct sluice_error *error) {
  return host_send(&((struct sim *)self)->host, bytes, len, error);
}
static enum sluice_status control_receive(void *self, uint8_t *bytes, size_t room, size_t *len,
                                          struct sluice_error *error) {
  return host_receive(&((struct sim *)self)->host, bytes, room, len, error);
}

// The cycle whose last 32 bits are `due`; `now`, if it has passed.
static uint64_t later(uint64_t now, uint32_t due) {
  const int32_t ahead = (int32_t)(due - (uint32_t)now);
  return ahead > 0 ? now + (uint64_t)ahead : now;
}

// A packet that is not due at once lets others go first.
static enum sluice_status packet_send_at(void *self, unsigned port, uint32_t cycle,
                                         const uint8_t *bytes, size_t len,
                                         struct sluice_error *error) {
  struct sim *sim = self;
  for (unsigned n = 0; wires_waiting(&sim->wires, port) >= WIRE_MAX; n++) {
    if (n == ROOM_CYCLES) return sluice_fail(error, SLUICE_ERR_IO, "port %u is not taken", port);
    host_wait(&sim->host);
  }
  struct frame *f = wires_frame(len);
  if (!f) return sluice_no_memory(error);
  f->port = port;
  f->number = sim->wires.packets + 1;
  f->due = later(sim->m.cycle, cycle);
  f->len = len;
  memcpy(f->bytes, bytes, len);
  wires_insert(&sim->wires, f);
  return SLUICE_OK;
}
static enum sluice_status packet_send(void *self, unsigned port, const uint8_t *bytes, size_t len,
                                      struct sluice_error *error) {
  const struct sim *sim = self;
  return packet_send_at(self, port, (uint32_t)sim->m.cycle, bytes, len, error);
}
// What leaves goes to the monitors, and to who listens to them.
static enum sluice_status packet_receive(void *self, struct sluice_packet_out *packet,
                                         struct sluice_error *error) {
  (void)self, (void)error;
  packet->len = 0;
  return SLUICE_OK;
}
static enum sluice_status wait(void *self, uint64_t cycles, struct sluice_error *error) {
  (void)error;
  host_wait_many(&((struct sim *)self)->host, cycles);
  return SLUICE_OK;
}
static enum sluice_status reset(void *self, struct sluice_error *error) {
  struct sim *sim = self;
  (void)error;
  sim->reset = true;
  host_wait(&sim->host);
  return SLUICE_OK;
}
static void nothing(void *self) { (void)self; }

static const struct sluice_transport_ops pins = {.kind = "pins",
                                                 .csr_read = csr_read,
                                                 .csr_write = csr_write,
                                                 .control_send = control_send,
                                                 .control_receive = control_receive,
                                                 .packet_send = packet_send,
                                                 .packet_send_at = packet_send_at,
                                                 .packet_receive = packet_receive,
                                                 .wait = wait,
                                                 .reset = reset,
                                                 .close = nothing};

// ---- life ---------------------------------------------------------------------------------------

static struct sim *refuse(struct sim *sim, const char *text) {
  if (text) fprintf(stderr, "sluice-sim: %s\n", text);
  sim_close(sim);
  return NULL;
}

static bool is_config(const struct sluice_config *c, unsigned pipes, unsigned ports,
                      unsigned stages) {
  return c && c->NumPipes == pipes && c->NumPorts == ports && c->BackStages == stages;
}

static bool start(struct sim *sim, coroutine_fn *script, void *context) {
  sim->host = (struct host){.beat_bytes = sim->m.config->BeatBytes, .in = &sim->in};
  sim->host.coroutine = sim->script = coroutine_new(script, context);
  return sim->script != NULL;
}

static bool start_batch(struct sim *sim) {
  sim->job = &sim->batch->job;
  sluice_rng_init(&sim->stalls, sim->job->seed, "stalls");
  return start(sim, batch_main, sim->batch);
}

// "CHIP:SOCKET"
static struct sim *open_server(struct sim *sim, const char *what, unsigned pipes, unsigned ports,
                               unsigned stages) {
  const char *colon = strchr(what, ':');
  char chip[64];
  if (!colon || (size_t)(colon - what) >= sizeof chip)
    return refuse(sim, "serve:CHIP:SOCKET is wanted");
  snprintf(chip, sizeof chip, "%.*s", (int)(colon - what), what);
  const struct sluice_config *config = sluice_config_find(chip);
  if (!is_config(config, pipes, ports, stages))
    return refuse(sim, "this simulator has another configuration than is to be served");
  sim->server = serve_open(config, &sim->m, &sim->wires, colon + 1);
  if (!sim->server) return refuse(sim, NULL);
  return start(sim, serve_main, sim->server) ? sim : refuse(sim, "out of memory");
}

struct sim *sim_open(const char *job_path, uint32_t layout_hash, unsigned pipes, unsigned ports,
                     unsigned stages) {
  struct sluice_error error = {{0}};
  struct sim *sim = calloc(1, sizeof *sim);
  if (!sim) return refuse(NULL, "out of memory");
  sim->m.chip = (struct sluice_transport){&pins, sim, SLUICE_PACKET_MAX};
  if (!job_path[0]) return refuse(sim, "no job: give +job=FILE (`sluice run` writes one)");
  if (layout_hash != sluice_layout_hash())
    return refuse(sim, "chip and software were built from different layouts: run `make layout`, "
                       "then build both again");
  if (strncmp(job_path, "serve:", 6) == 0)
    return open_server(sim, job_path + 6, pipes, ports, stages);
  if (!(sim->path = strdup(job_path))) return refuse(sim, "out of memory");
  sim->batch = batch_open(sim->path, &sim->m, &sim->wires, &error);
  if (!sim->batch) return refuse(sim, error.text);
  if (!is_config(sim->m.config, pipes, ports, stages))
    return refuse(sim, "this simulator has another configuration than the job");
  return start_batch(sim) ? sim : refuse(sim, "out of memory");
}

// The chip is reset in the middle of a job.
static void begin_again(struct sim *sim) {
  struct sluice_error error = {{0}};
  coroutine_free(sim->script);
  sim->script = NULL;
  sim->batch = batch_again(sim->batch, sim->path, &error);
  if (sim->batch && start_batch(sim)) return;
  fprintf(stderr, "sluice-sim: %s\n", error.text[0] ? error.text : "out of memory");
  exit(EXIT_FAILURE);
}

// ---- a cycle ------------------------------------------------------------------------------------

// Whether what stream l shows in this cycle is taken. The streams of a fast port are taken
// together, when all of them are ready.
static bool is_taken(const struct sim *sim, unsigned l) {
  const unsigned wide = sluice_wire_lanes(sim->m.config), first = l - l % wide;
  for (unsigned s = first; s < first + wide; s++)
    if (!sim->in.tx_ready[s]) return false;
  return true;
}

// Counts what the output lanes send while packets come in: afterwards they only empty their queues.
static void count_wires(struct sim *sim, const struct pins_out *out) {
  struct monitored_wires *w = &sim->m.seen.wire;
  unsigned pipes = sim->m.config->NumPipes;
  bool comes = false, leaves = false;
  for (unsigned l = 0; l < pipes; l++) {
    bool sent = out->tx[l].valid && is_taken(sim, l);
    w->sent[l] += sent;
    leaves |= sent;
    comes |= sim->in.rx[l].valid;
  }
  if (leaves && !w->start) w->start = sim->m.cycle;
  if (!comes) return;
  w->end = sim->m.cycle;
  memcpy(w->in_window, w->sent, sizeof w->in_window);
}

// Looks for cycles in which a wire shows no beat inside a packet. The streams of a fast port are
// one wire: its beats of a cycle are on the first ones, and a packet that goes on leaves none
// empty.
static void count_gaps(struct sim *sim, const struct pins_out *out) {
  struct monitored_gaps *g = &sim->m.seen.gaps;
  const unsigned wide = sluice_wire_lanes(sim->m.config);
  if (!sim->m.cycle) memset(g->open, 0, sizeof g->open);  // the chip was reset
  for (unsigned first = 0; first < sim->m.config->NumPipes; first += wide) {
    const bool taken = is_taken(sim, first);
    bool open = g->open[first], gap = false;
    for (unsigned s = first; s < first + wide && !gap; s++) {
      const struct beat *b = &out->tx[s];
      gap = !b->valid && open;
      if (b->valid) open = !b->last;
      if (b->valid && b->last && taken) g->counted[first] = false;
    }
    if (taken) g->open[first] = open;
    g->run[first] = gap ? g->run[first] + 1 : 0;
    if (!gap) continue;
    g->cycles++;
    g->packets += !g->counted[first];
    g->counted[first] = true;
    if (g->run[first] > g->longest) g->longest = g->run[first];
    if (sim->m.config->NoGaps || (sim->job && sim->job->no_gaps))
      sluice_checker_gap(sim->m.checker, sim->m.cycle, first);
  }
}

// Copies on their way from the queues to the ports.
static void monitor_egress(struct sim *sim, const struct pins_out *out) {
  for (unsigned l = 0; l < sim->m.config->NumPipes; l++) {
    const struct egress_event *e = &out->egress[l];
    if (e->enter) sluice_checker_copy(sim->m.checker, sim->m.cycle, l, e->ticket, e->port);
    if (e->left) sluice_checker_copy_last(sim->m.checker, sim->m.cycle, l);
    if (e->done)
      sluice_checker_copy_fate(sim->m.checker, sim->m.cycle, l, e->done_ticket, e->done_port,
                               e->dropped);
    sim->m.seen.events += e->enter + e->done;
  }
}

// Shows the monitors what happened in this cycle: what was driven, what the chip says, what left.
static void monitor(struct sim *sim, const struct pins_out *out) {
  struct sluice_checker *ck = sim->m.checker;
  unsigned pipes = sim->m.config->NumPipes;
  for (unsigned l = 0; l < pipes; l++) {
    const struct beat *b = &sim->in.rx[l];
    const struct lane_event *e = &out->lane[l];
    if (e->again) sluice_checker_again(ck, sim->m.cycle, l, e->again_last, e->again_ticket);
    if (e->gives_way) sluice_checker_gives_way(ck, l);
    if (b->valid)
      sluice_checker_rx(ck, sim->m.cycle, l, b->data, b->keep, b->last, b->err, b->port, b->number);
  }
  sluice_checker_bank(ck, sim->m.cycle, out->bank);
  for (unsigned l = 0; l < pipes; l++)
    if (out->lane[l].dealt) sluice_checker_dealt(ck, sim->m.cycle, l, out->lane[l].dealt_lane);
  for (unsigned l = 0; l < pipes; l++) {
    if (!out->lane[l].done) continue;
    sim->m.seen.events++;
    sluice_checker_lane(ck, sim->m.cycle, l, out->lane[l].reason);
    if (out->lane[l].reason == SLUICE_DROP_NONE) sim->m.seen.arrived++;
  }
  for (unsigned l = 0; l < pipes; l++) {
    if (out->order[l].held) sluice_checker_held(ck, l, out->order[l].held);
    if (!out->order[l].done) continue;
    sim->m.seen.events++;
    sluice_checker_order(ck, sim->m.cycle, l, out->order[l].reason, out->order[l].tag);
    if (out->order[l].mark) sluice_checker_mark(ck, l);
    if (sim->m.config->ArrayEntries)
      sluice_checker_keys(ck, l, out->order[l].words, out->order[l].b2);
    sim->m.seen.disposed++;
  }
  if (out->cut.valid) sluice_checker_cut(ck, sim->m.cycle, out->cut.rows, out->cut.ticket);
  if (out->flip.valid) sluice_checker_flip(ck, sim->m.cycle, out->flip.rows, out->flip.ticket);
  const struct mark_event *m = &out->mark;
  if (m->valid)
    sluice_checker_state_mark(ck, sim->m.cycle, m->stage, m->pipe, m->slot, m->write, m->ticket);
  if (out->state_any)
    for (unsigned s = 0; s < sim->m.config->BackStages; s++)
      for (unsigned p = 0; p < pipes; p++) {
        const struct state_event *e = &out->state[s][p];
        if (e->valid) sluice_checker_state(ck, sim->m.cycle, s, p, e->slot, e->tag, e->refused);
      }
  for (unsigned l = 0; l < pipes; l++) {
    const struct exit_event *e = &out->exit[l];
    if (!e->done) continue;
    sim->m.seen.events++;
    if (e->unpaid) sluice_checker_unpaid(ck, l);
    sluice_checker_deep(ck, l, e->deep, e->held);
    sluice_checker_exit(ck, sim->m.cycle, l, e->reason, e->ticket, e->accepted, e->refused);
    if (sim->m.exit) sim->m.exit(sim->m.user, e->ticket);
  }
  if (sim->m.config->EgressStages) monitor_egress(sim, out);
  count_gaps(sim, out);
  for (unsigned l = 0; l < pipes; l++) {
    const struct beat *b = &out->tx[l];
    if (!b->valid || !is_taken(sim, l)) continue;
    sim->m.seen.events++;
    sluice_checker_tx(ck, sim->m.cycle, l, b->data, b->keep, b->last, b->port, b->ticket);
  }
  sluice_checker_cycle(ck, sim->m.cycle);
  count_wires(sim, out);
  sim->m.seen.depth = out->deepest;
  if (out->deepest > sim->m.seen.deepest) sim->m.seen.deepest = out->deepest;
}

// Each stream for itself, also those of one fast port.
static void set_ready(struct sim *sim) {
  const struct job *job = sim->job;
  for (unsigned l = 0; l < sim->m.config->NumPipes; l++) {
    bool *ready = &sim->in.tx_ready[l];
    *ready = !job || job->stall <= 0.0 || sluice_rng_unit(&sim->stalls) >= job->stall;
    if (job && job->every[l] > 1 && sim->m.cycle % job->every[l]) *ready = false;
  }
}

int sim_tick(struct sim *sim, const struct pins_out *out, struct pins_in *in) {
  sim->host.out = out;
  monitor(sim, out);
  if (sim->batch) batch_cycle(sim->batch);
  if (sim->batch && resets_due(sim->batch)) {
    const bool broken = sim->job->resets_break;
    begin_again(sim);
    memset(&sim->in, 0, sizeof sim->in);
    *in = sim->in;
    return broken ? 0 : 2;
  }
  if (host_turn(&sim->host) && !coroutine_resume(sim->script)) sim->over = true;
  if (sim->reset) {
    if (!monitored_again(&sim->m)) {
      fprintf(stderr, "sluice-sim: out of memory\n");
      exit(EXIT_FAILURE);
    }
    memset(&sim->in, 0, sizeof sim->in);
    sim->reset = false;
    *in = sim->in;
    return 2;
  }
  if (sim->m.served || sim->m.playing) wires_drive(&sim->wires, sim->m.cycle, sim->in.rx);
  else memset(sim->in.rx, 0, sizeof sim->in.rx);
  set_ready(sim);
  *in = sim->in;
  sim->m.cycle++;
  return sim->over;
}

int sim_close(struct sim *sim) {
  if (!sim) return 0;
  int bad = serve_close(sim->server);
  if (sim->batch && sim->over) bad = batch_write(sim->batch);
  coroutine_free(sim->script);
  batch_close(sim->batch);
  monitored_close(&sim->m);
  if (sim->m.config) wires_clear(&sim->wires);
  free(sim->path);
  free(sim);
  return bad;
}
