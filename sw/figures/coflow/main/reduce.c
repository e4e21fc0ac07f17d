// SPDX-License-Identifier: Apache-2.0
// One worker of gradient aggregation at a port of `sluice serve` (docs/arrays.md), over UDP, a
// frame a datagram, or at a network interface: it reduces a vector of random words, knows those of
// all workers, and says whether what it got is their sum.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../../base/loop.h"
#include "../../../base/now.h"
#include "../../../base/number.h"
#include "../../../base/rng.h"
#include "../../../live/port.h"
#include "../worker.h"

enum { MAX_WORDS = 1 << 26, FRAME = 2048, BUFFER = 1 << 22 };
#define STEP_SECONDS 0.01
static const char usage[] =
    "usage: reduce --worker N --workers N --words N --link WHERE [OPTION...]\n"
    "  --worker N    number of this worker, from 0\n"
    "  --workers N   how many there are, at most 8\n"
    "  --words N     length of the vector\n"
    "  --link WHERE  where the switch is: udp:PORT,to=PORT on this computer, or if:INTERFACE\n"
    "  --slots N     window (64)\n"
    "  --timeout MS  until a packet is sent again (200)\n"
    "  --loss N      of 10,000 packets so many are lost, on each way (0)\n"
    "  --seed N      of the vectors and the loss (1)\n"
    "  --vid N       VLAN id of the program (5)\n"
    "  --limit S     gives up after so many seconds (600)\n"
    "Exit code: 0 the sum is right, 1 it is not, or did not come, 2 wrong command line, 3 no\n"
    "link or memory.\n";

// Numbers; the link is behind them.
enum { WORKER, WORKERS, WORDS, SLOTS, TIMEOUT, LOSS, SEED, VID, LIMIT, NUMBERS, LINK = NUMBERS };
static const struct option options[] = {{"worker", 1, NULL, WORKER},
                                        {"workers", 1, NULL, WORKERS},
                                        {"words", 1, NULL, WORDS},
                                        {"slots", 1, NULL, SLOTS},
                                        {"timeout", 1, NULL, TIMEOUT},
                                        {"loss", 1, NULL, LOSS},
                                        {"seed", 1, NULL, SEED},
                                        {"vid", 1, NULL, VID},
                                        {"limit", 1, NULL, LIMIT},
                                        {"link", 1, NULL, LINK},
                                        {NULL, 0, NULL, 0}};
static const unsigned long most[NUMBERS] = {SLUICE_WORKER_MAX - 1,
                                            SLUICE_WORKER_MAX,
                                            MAX_WORDS,
                                            SLUICE_WORKER_SLOTS,
                                            100000,
                                            9999,
                                            0xffffffffu,
                                            4095,
                                            1000000};

struct line {
  struct live_port port;
  unsigned long loss;
  struct sluice_rng rng;
};

static bool lost(struct line *line) { return sluice_rng_below(&line->rng, 10000) < line->loss; }

static void send_frame(void *user, const uint8_t *frame, size_t len) {
  struct line *line = user;
  // A switch that is not there yet, or has no room, is as a packet that is lost.
  if (!lost(line)) (void)line->port.ops->send(&line->port, frame, len, 0);
}

static bool open_line(struct line *line, const char *where) {
  char text[LIVE_PATH_LEN];
  const int size = BUFFER, len = snprintf(text, sizeof text, "0=%s", where);
  struct live_spec spec;
  struct sluice_error error = {.text = "too long"};
  if (len < 0 || (size_t)len >= sizeof text || live_spec_parse(&spec, text, 1, &error) ||
      live_port_open(&line->port, &spec, &error)) {
    fprintf(stderr, "reduce: --link %s: %s\n", where, error.text);
    return false;
  }
  setsockopt(line->port.fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  return true;
}

static void draw(int32_t *vector, size_t num, uint64_t seed, unsigned worker, bool add) {
  struct sluice_rng rng;
  char name[24];
  snprintf(name, sizeof name, "worker %u", worker);
  sluice_rng_init(&rng, seed, name);
  for (size_t i = 0; i < num; i++) {
    const uint32_t value = (uint32_t)sluice_rng_next(&rng);
    vector[i] = (int32_t)(add ? (uint32_t)vector[i] + value : value);
  }
}

static bool run(struct sluice_worker *w, struct line *line, uint64_t end) {
  uint8_t frame[FRAME];
  size_t len;
  while (!sluice_worker_done(w)) {
    (void)sluice_await(line->port.fd, SLUICE_LOOP_IN, sluice_now() + STEP_SECONDS);
    while (line->port.ops->receive(&line->port, frame, sizeof frame, &len) == LIVE_FRAME)
      if (!lost(line)) sluice_worker_receive(w, frame, len, sluice_now_us());
    if (sluice_now_us() > end) return false;
    sluice_worker_tick(w, sluice_now_us());
  }
  return true;
}

static bool read_options(int argc, char **argv, unsigned long value[NUMBERS], const char **where) {
  unsigned given = 0;
  for (int o; (o = getopt_long(argc, argv, "", options, NULL)) >= 0;) {
    uint64_t number;
    if (o > LINK) return false;
    if (o == LINK) {
      *where = optarg;
      continue;
    }
    if (!sluice_number_in(optarg, 0, most[o], &number)) {
      fprintf(stderr, "--%s: a number up to %lu, not '%s'\n", options[o].name, most[o], optarg);
      return false;
    }
    value[o] = number;
    given |= 1u << o;
  }
  return optind == argc && (given & 7u) == 7u && *where;
}

int main(int argc, char **argv) {
  unsigned long value[NUMBERS] = {
      [SLOTS] = 64, [TIMEOUT] = 200, [SEED] = 1, [VID] = 5, [LIMIT] = 600};
  const char *where = NULL;
  if (!read_options(argc, argv, value, &where)) {
    fputs(usage, stderr);
    return 2;
  }
  const unsigned worker = (unsigned)value[WORKER];
  const size_t words = value[WORDS];
  struct line line = {.loss = value[LOSS]};
  struct sluice_error error;
  int32_t *vector = calloc(words + 1, sizeof *vector), *sum = calloc(words + 1, sizeof *sum);
  struct sluice_worker *w = sluice_worker_new(&(struct sluice_worker_setup){
      worker, (unsigned)value[WORKERS], (unsigned)value[SLOTS], (uint16_t)value[VID],
      1000 * (uint64_t)value[TIMEOUT], send_frame, &line});
  if (!w) {
    fprintf(stderr, "reduce: worker %u of %lu, %lu slots: there are up to 8 and 128\n", worker,
            value[WORKERS], value[SLOTS]);
    return 2;
  }
  if (!vector || !sum) {
    fputs("reduce: out of memory\n", stderr);
    return 3;
  }
  if (!open_line(&line, where)) return 3;
  sluice_rng_init(&line.rng, value[SEED] + worker, "loss");
  draw(vector, words, value[SEED], worker, false);
  for (unsigned i = 0; i < value[WORKERS]; i++) draw(sum, words, value[SEED], i, true);
  const uint64_t start = sluice_now_us();
  sluice_worker_start(w, vector, words, start);
  const bool ended = run(w, &line, start + 1000000 * (uint64_t)value[LIMIT]);
  const double seconds = 1e-6 * (double)(sluice_now_us() - start);
  const struct sluice_worker_counts c = sluice_worker_counts(w);
  size_t wrong = 0;
  for (size_t i = 0; i < words; i++) wrong += vector[i] != sum[i];
  if (!ended) printf("worker %u: not done after %.1f s\n", worker, seconds);
  else
    printf(
        "worker %u: %zu words, %zu differ from the host's sum; %llu packets, %llu again, %.2f s\n",
        worker, words, wrong, (unsigned long long)c.sent, (unsigned long long)c.again, seconds);
  sluice_worker_free(w);
  free(vector);
  free(sum);
  if (live_port_close(&line.port, &error)) fprintf(stderr, "reduce: %s\n", error.text);
  return ended && !wrong ? 0 : 1;
}
