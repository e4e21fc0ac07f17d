// SPDX-License-Identifier: Apache-2.0
// Eight workers reduce vectors, one behind the other, through a network that loses some of their
// packets. Every sum is compared with the host's.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../coflow/worker.h"
#include "../../base/bytes.h"
#include "../../base/status.h"
#include "five.h"

enum {
  WORKERS = 8,
  WORDS = 2048,  // of a vector
  SLOTS = 32,    // packets that a worker has on their way
  PACE = 32,     // cycles between two packets of a worker, at least
  TIMEOUT = 4000,
  LOSS = 20,  // of 10,000 packets, in each direction
};
static const char *const defines[][2] = {{"SLOTS", "32"}, {NULL, NULL}};

static struct worker {
  struct five_net *net;
  struct sluice_worker *worker;
  uint32_t seen[2][SLOTS];  // packets of a slot so far: sent, come back
  unsigned number;
  uint64_t at, line;  // its time: when what it sends goes out; when its line is free
  unsigned vectors;   // done
  int32_t vector[WORDS];
} workers[WORKERS];
static struct {
  uint64_t seed;
  unsigned long wrong;
} job;

// A number that three numbers and the seed decide.
static uint32_t mixed(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t x = job.seed + a * UINT64_C(0x9e3779b97f4a7c15) + b * UINT64_C(0xbf58476d1ce4e5b9) +
               c * UINT64_C(0x94d049bb133111eb);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return (uint32_t)(x >> 32);
}

// Word `word` of the vector number `vector` of a worker.
static int32_t word_of(unsigned worker, unsigned vector, unsigned word) {
  return (int32_t)mixed(worker, vector, word);
}

// Whether the network loses a packet: depends on which one of its slot it is, not on when it comes.
static bool lost(struct worker *w, bool back, const uint8_t *frame) {
  enum { AT_ROW = 52 };  // two rows a slot
  const unsigned slot = sluice_get16(frame + AT_ROW) / 2 % SLOTS;
  return mixed(w->number + 1, 2 * w->seen[back][slot]++ + back, slot) % 10000 < LOSS;
}

static void send(void *user, const uint8_t *frame, size_t len) {
  struct worker *w = user;
  const uint64_t when = w->at > w->line ? w->at : w->line;
  w->line = when + PACE;
  if (!lost(w, false, frame)) five_net_send(w->net, FIVE_AGGREGATE, w->number, when, frame, len, 0);
}

static void begin(struct worker *w) {
  for (unsigned i = 0; i < WORDS; i++) w->vector[i] = word_of(w->number, w->vectors, i);
  sluice_worker_start(w->worker, w->vector, WORDS, w->at);
}

static void compare(struct worker *w) {
  for (unsigned i = 0; i < WORDS; i++) {
    uint32_t sum = 0;
    for (unsigned n = 0; n < WORKERS; n++) sum += (uint32_t)word_of(n, w->vectors, i);
    job.wrong += sum != (uint32_t)w->vector[i];
  }
}

static void receive(struct five_net *n, struct five_flow *f, const struct sluice_packet_out *p,
                    uint64_t at) {
  struct worker *w = &workers[p->port];
  (void)f;
  if (at >= n->end || lost(w, true, p->bytes)) return;
  w->at = at;
  sluice_worker_receive(w->worker, p->bytes, p->len, at);
  if (!sluice_worker_done(w->worker)) return;
  compare(w);
  w->vectors++;
  begin(w);
}

static void tick(struct five_net *n, struct five_flow *f, uint64_t at) {
  (void)f;
  for (unsigned i = 0; i < WORKERS && at < n->end; i++) {
    if (at < workers[i].at) continue;  // it has not begun
    workers[i].at = at;
    sluice_worker_tick(workers[i].worker, at);
  }
}

enum sluice_status five_workers_load(struct five_run *run, struct sluice_error *error) {
  struct sluice_image image = {.num_writes = 0};
  if (!run->has[FIVE_COFLOW]) return SLUICE_OK;
  enum sluice_status status =
      five_compile(run, &image, "sw/programs/coflow/aggregate.dom", defines, error);
  if (!status) status = sluice_chip_load(run->net->chip, &image, FIVE_AGGREGATE, error);
  sluice_image_release(&image);
  run->net->flow[FIVE_AGGREGATE] =
      (struct five_flow){.name = "aggregate", .system = FIVE_COFLOW, .receive = receive};
  return status;
}

enum sluice_status five_workers_start(struct five_run *run, struct sluice_error *error) {
  if (!run->has[FIVE_COFLOW]) return SLUICE_OK;
  job.seed = run->options->seed;
  job.wrong = 0;
  for (unsigned i = 0; i < WORKERS; i++) {
    struct worker *w = &workers[i];
    *w = (struct worker){.net = run->net, .number = i, .at = run->start + 64 * i};
    w->worker = sluice_worker_new(&(struct sluice_worker_setup){.worker = i,
                                                                .workers = WORKERS,
                                                                .slots = SLOTS,
                                                                .vid = FIVE_AGGREGATE,
                                                                .timeout = TIMEOUT,
                                                                .send = send,
                                                                .user = w});
    if (!w->worker) return sluice_no_memory(error);
    begin(w);
  }
  run->net->flow[FIVE_AGGREGATE].tick = tick;
  return SLUICE_OK;
}

void five_workers_finish(struct five_run *run) {
  struct five_result *r = &run->result[FIVE_COFLOW];
  struct sluice_worker_counts all = {.sent = 0};
  unsigned vectors = 0;
  if (!run->has[FIVE_COFLOW]) return;
  for (unsigned i = 0; i < WORKERS; i++) {
    const struct sluice_worker_counts c = sluice_worker_counts(workers[i].worker);
    all.again += c.again;
    all.answers += c.answers;
    vectors += workers[i].vectors;
    sluice_worker_free(workers[i].worker);
  }
  const double words = (double)all.answers * SLUICE_WORKER_WORDS / WORKERS;
  five_figure(r, "words reduced in 1,000 cycles", 1000 * words / (double)run->options->cycles,
              true);
  five_figure(r, "vectors compared", vectors, false);
  five_figure(r, "packets sent again", (double)all.again, false);
  five_figure(r, "words that differ", (double)job.wrong, true);
  five_wrong(r, job.wrong, "words of a sum differ");
}
