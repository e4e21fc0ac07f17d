// SPDX-License-Identifier: Apache-2.0
#include "sim.h"

#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "serve.h"
#include "spec/spec.h"
#include "marks.h"
#include "stories.h"
#include "updates.h"
#include "writes.h"

struct sim {
  struct run run;
  char *path;                     // of the job
  unsigned pipes, ports, stages;  // of the simulated chip
};

static struct sim *refuse(struct sim *sim, const char *text) {
  fprintf(stderr, "sluice-sim: %s\n", text);
  sim_close(sim);
  return NULL;
}

static void on_sent(void *user, const struct sluice_checker_sent *sent) {
  const struct run *run = user;
  serve_sent(run->server, sent);
}
static struct sluice_checker_hooks server_hooks(struct run *run) {
  return (struct sluice_checker_hooks){.user = run, .sent = on_sent};
}

// What batch run and server have in common.
static bool start(struct run *run, coroutine_fn *script) {
  run->host = (struct host){.beat_bytes = run->config->BeatBytes, .in = &run->in};
  run->script = run->checker ? coroutine_new(script, run) : NULL;
  run->host.coroutine = run->script;
  sluice_rng_init(&run->stalls, run->job.seed, "stalls");
  return run->script != NULL;
}

static bool fits(const struct sim *sim) {
  const struct sluice_config *c = sim->run.config;
  return c && c->NumPipes == sim->pipes && c->NumPorts == sim->ports &&
         c->BackStages == sim->stages;
}

// "CHIP:SOCKET"
static struct sim *open_server(struct sim *sim, const char *what) {
  struct run *run = &sim->run;
  const char *colon = strchr(what, ':');
  char chip[64];
  if (!colon || (size_t)(colon - what) >= sizeof chip)
    return refuse(sim, "serve:CHIP:SOCKET is wanted");
  snprintf(chip, sizeof chip, "%.*s", (int)(colon - what), what);
  run->config = sluice_config_find(chip);
  if (!fits(sim))
    return refuse(sim, "this simulator has another configuration than is to be served");
  const struct sluice_checker_hooks hooks = server_hooks(run);
  run->checker = sluice_checker_open(run->config, &hooks);
  if (!start(run, serve_main)) return refuse(sim, "out of memory");
  run->server = serve_open(run, colon + 1);
  if (run->server) return sim;
  sim_close(sim);
  return NULL;
}

// The chip is as new, and so are the monitors; what they had to say is kept.
static void begin_again(struct run *run) {
  const struct sluice_checker_hooks hooks = server_hooks(run);
  struct sluice_report r;
  sluice_checker_report(run->checker, &r);
  if (r.differences && !run->differences)
    snprintf(run->difference, sizeof run->difference, "%.399s", r.first.text);
  run->differences += r.differences;
  sluice_checker_close(run->checker);
  run->checker = sluice_checker_open(run->config, &hooks);
  if (!run->checker) {
    fprintf(stderr, "sluice-sim: out of memory\n");
    exit(EXIT_FAILURE);
  }
  stories_again(run);
  memset(&run->in, 0, sizeof run->in);
  run->expected.len = 0;
  run->reset = run->ready = run->moved = false;
  run->fill_sent = run->cut_raced = false;
  run->cut_len = 0;
  run->ecn_queue = run->ecn_lane = 0;
  memset(&run->merge, 0, sizeof run->merge);
  run->cycle = 0;
}

// A run from the beginning; the resets that were are kept. False: `error` says why.
static bool open_run(struct sim *sim, struct sluice_error *error) {
  struct run *run = &sim->run;
  const struct resets resets = run->resets;
  *run = (struct run){.resets = resets};
  if (job_load(&run->job, sim->path, error)) return false;
  run->config = sluice_config_find(run->job.config);
  sluice_fail(error, SLUICE_ERR_RANGE, "this simulator has another configuration than the job");
  if (!fits(sim)) return false;
  sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory");
  const struct sluice_checker_hooks hooks = results_hooks(run);
  run->checker = sluice_checker_open(run->config, &hooks);
  if (!run->checker) return false;
  if (run->job.spec && !sluice_checker_second(run->checker, &sluice_spec_second)) return false;
  run->player = player_open(&run->job, run->config, error);
  if (!run->player) return false;
  run->flows_all = sluice_flows_new();
  run->flows_by_lane = sluice_flows_new();
  if (!run->flows_all || !run->flows_by_lane || !start(run, script_main)) return false;
  if (results_open(run)) return *error = run->error, false;
  resets_draw(run);
  return true;
}

// Of a run that is over, or that is left in its middle: what its script held then is not freed.
static void close_run(struct run *run) {
  coroutine_free(run->script);
  sluice_flows_free(run->flows_all);
  sluice_flows_free(run->flows_by_lane);
  player_close(run->player);
  updates_close(run);
  marks_close(run);
  writes_close(run);
  sluice_checker_close(run->checker);
  for (size_t i = 0; run->state && i < run->plan.num_segments; i++) free(run->state[i]);
  free(run->state);
  for (size_t i = 0; run->rows && i < run->plan.num_segments; i++) free(run->rows[i]);
  free(run->rows);
  sluice_plan_release(&run->plan);
  job_release(&run->job);
}

static void run_again(struct sim *sim) {
  struct sluice_error error = {{0}};
  results_drop(&sim->run);
  close_run(&sim->run);
  if (open_run(sim, &error)) return;
  fprintf(stderr, "sluice-sim: %s\n", error.text);
  exit(EXIT_FAILURE);
}

struct sim *sim_open(const char *job_path, uint32_t layout_hash, unsigned pipes, unsigned ports,
                     unsigned stages) {
  struct sluice_error error = {{0}};
  struct sim *sim = calloc(1, sizeof *sim);
  if (!sim) return refuse(NULL, "out of memory");
  sim->pipes = pipes;
  sim->ports = ports;
  sim->stages = stages;
  if (!job_path[0]) return refuse(sim, "no job: give +job=FILE (`sluice run` writes one)");
  if (layout_hash != sluice_layout_hash())
    return refuse(sim, "chip and software were built from different layouts: run `make layout`, "
                       "then build both again");
  if (strncmp(job_path, "serve:", 6) == 0) return open_server(sim, job_path + 6);
  if (!(sim->path = strdup(job_path))) return refuse(sim, "out of memory");
  return open_run(sim, &error) ? sim : refuse(sim, error.text);
}

// Whether what stream l shows in this cycle is taken. The streams of a fast port are taken
// together, when all of them are ready.
static bool is_taken(const struct run *run, unsigned l) {
  const unsigned wide = sluice_wire_lanes(run->config), first = l - l % wide;
  for (unsigned s = first; s < first + wide; s++)
    if (!run->in.tx_ready[s]) return false;
  return true;
}

// Counts what the output lanes send while packets come in: afterwards they only empty their queues.
static void count_wires(struct run *run, const struct pins_out *out) {
  struct wire_counts *w = &run->wire;
  unsigned pipes = run->config->NumPipes;
  bool comes = false, leaves = false;
  for (unsigned l = 0; l < pipes; l++) {
    bool sent = out->tx[l].valid && is_taken(run, l);
    w->sent[l] += sent;
    leaves |= sent;
    comes |= run->in.rx[l].valid;
  }
  if (leaves && !w->start) w->start = run->cycle;
  if (!comes) return;
  w->end = run->cycle;
  memcpy(w->in_window, w->sent, sizeof w->in_window);
}

// Copies on their way from the queues to the ports.
static void monitor_egress(struct run *run, const struct pins_out *out) {
  for (unsigned l = 0; l < run->config->NumPipes; l++) {
    const struct egress_event *e = &out->egress[l];
    if (e->enter) sluice_checker_copy(run->checker, run->cycle, l, e->ticket, e->port);
    if (e->left) sluice_checker_copy_last(run->checker, run->cycle, l);
    if (e->done)
      sluice_checker_copy_fate(run->checker, run->cycle, l, e->done_ticket, e->done_port,
                               e->dropped);
    run->events += e->enter + e->done;
  }
}

// Shows the monitors what happened in this cycle: what was driven, what the chip says, what left.
static void monitor(struct run *run, const struct pins_out *out) {
  struct sluice_checker *ck = run->checker;
  unsigned pipes = run->config->NumPipes;
  for (unsigned l = 0; l < pipes; l++) {
    const struct beat *b = &run->in.rx[l];
    const struct lane_event *e = &out->lane[l];
    if (e->again) sluice_checker_again(ck, run->cycle, l, e->again_last, e->again_ticket);
    if (e->gives_way) sluice_checker_gives_way(ck, l);
    if (b->valid)
      sluice_checker_rx(ck, run->cycle, l, b->data, b->keep, b->last, b->err, b->port, b->number);
  }
  sluice_checker_bank(ck, run->cycle, out->bank);
  for (unsigned l = 0; l < pipes; l++)
    if (out->lane[l].dealt) sluice_checker_dealt(ck, run->cycle, l, out->lane[l].dealt_lane);
  for (unsigned l = 0; l < pipes; l++) {
    if (!out->lane[l].done) continue;
    run->events++;
    sluice_checker_lane(ck, run->cycle, l, out->lane[l].reason);
    if (out->lane[l].reason == SLUICE_DROP_NONE) run->arrived++;
  }
  for (unsigned l = 0; l < pipes; l++) {
    if (out->order[l].held) sluice_checker_held(ck, l, out->order[l].held);
    if (!out->order[l].done) continue;
    run->events++;
    sluice_checker_order(ck, run->cycle, l, out->order[l].reason, out->order[l].tag);
    if (out->order[l].mark) sluice_checker_mark(ck, l);
    if (run->config->ArrayEntries)
      sluice_checker_keys(ck, l, out->order[l].words, out->order[l].b2);
    run->disposed++;
  }
  if (out->cut.valid) sluice_checker_cut(ck, run->cycle, out->cut.rows, out->cut.ticket);
  if (out->flip.valid) sluice_checker_flip(ck, run->cycle, out->flip.rows, out->flip.ticket);
  const struct mark_event *m = &out->mark;
  if (m->valid)
    sluice_checker_state_mark(ck, run->cycle, m->stage, m->pipe, m->slot, m->write, m->ticket);
  if (out->state_any)
    for (unsigned s = 0; s < run->config->BackStages; s++)
      for (unsigned p = 0; p < pipes; p++) {
        const struct state_event *e = &out->state[s][p];
        if (e->valid) sluice_checker_state(ck, run->cycle, s, p, e->slot, e->tag, e->refused);
      }
  for (unsigned l = 0; l < pipes; l++) {
    const struct exit_event *e = &out->exit[l];
    if (!e->done) continue;
    run->events++;
    if (e->unpaid) sluice_checker_unpaid(ck, l);
    sluice_checker_deep(ck, l, e->deep, e->held);
    sluice_checker_exit(ck, run->cycle, l, e->reason, e->ticket, e->accepted, e->refused);
    if (run->server) continue;
    sluice_flows_left(run->flows_all, e->ticket, run->cycle);
    sluice_flows_left(run->flows_by_lane, e->ticket, run->cycle);
    run->interval.packets++;
  }
  if (run->config->EgressStages) monitor_egress(run, out);
  for (unsigned l = 0; l < pipes; l++) {
    const struct beat *b = &out->tx[l];
    if (!b->valid || !is_taken(run, l)) continue;
    run->events++;
    sluice_checker_tx(ck, run->cycle, l, b->data, b->keep, b->last, b->port, b->ticket);
  }
  sluice_checker_cycle(ck, run->cycle);
  count_wires(run, out);
  if (out->deepest > run->deepest) run->deepest = out->deepest;
}

int sim_tick(struct sim *sim, const struct pins_out *out, struct pins_in *in) {
  struct run *run = &sim->run;
  run->out = run->host.out = out;
  monitor(run, out);
  results_cycle(run);
  if (!run->server && resets_due(run)) {
    const bool broken = run->job.resets_break;
    run_again(sim);
    *in = run->in;
    return broken ? 0 : 2;
  }
  if (host_turn(&run->host) && !coroutine_resume(run->script)) run->over = true;
  if (run->reset) {
    begin_again(run);
    *in = run->in;
    return 2;
  }
  if (run->server) serve_drive(run->server, run->in.rx);
  if (run->playing) player_drive(run->player, run->cycle - run->play_start, run->in.rx);
  // Each stream for itself, also those of one fast port.
  for (unsigned l = 0; l < run->config->NumPipes; l++) {
    bool *ready = &run->in.tx_ready[l];
    *ready = run->job.stall <= 0.0 || sluice_rng_unit(&run->stalls) >= run->job.stall;
    if (run->job.every[l] > 1 && run->cycle % run->job.every[l]) *ready = false;
  }
  *in = run->in;
  run->cycle++;
  return run->over;
}

int sim_close(struct sim *sim) {
  if (!sim) return 0;
  struct run *run = &sim->run;
  int bad = run->server ? serve_close(run->server) : run->over ? results_write(run) : 0;
  if (run->error.text[0]) bad = -1;
  close_run(run);
  free(sim->path);
  free(sim);
  return bad;
}
