// SPDX-License-Identifier: Apache-2.0
// Gradient aggregation on the reference model: eight workers, vectors of random words, loss and
// reordering. Each worker must end with the host's sums, bit by bit. Programs that leave out a part
// of the protocol must not.
//
// SLUICE_SEED, SLUICE_WORDS (8,000) and SLUICE_LOSS (of 10,000; 100) in the environment choose the
// run. Run from the root of the tree.

#include "tests/rig/test.h"
#include "tests/rig/environment.h"
#include "tests/rig/coflow_rig.h"

static const char program[] = "sw/programs/coflow/aggregate.dom";

static char *read_program(void) {
  char *text = calloc(1, 1 << 16);
  FILE *in = fopen(program, "r");
  if (!text || !in || !fread(text, 1, (1 << 16) - 1, in)) fail_msg("cannot read %s", program);
  fclose(in);
  return text;
}

// The program with something else in place of a part of it.
static char *changed(const char *what, const char *to) {
  char *text CLOSED_BY(freed) = read_program(), *made = calloc(1, 1 << 17);
  char *at = strstr(text, what);
  if (!at || !made) fail_msg("'%s' is not in the program", what);
  memcpy(made, text, (size_t)(at - text));
  strcat(made, to);
  strcat(made, at + strlen(what));
  return made;
}

struct vectors {
  size_t num;
  int32_t *of[NET_WORKERS], *sum;
};

static struct vectors draw(struct sluice_rng *rng, size_t num) {
  struct vectors v = {.num = num, .sum = calloc(num, sizeof(int32_t))};
  for (unsigned w = 0; w < NET_WORKERS; w++) {
    v.of[w] = calloc(num, sizeof(int32_t));
    for (size_t i = 0; i < num; i++) {
      v.of[w][i] = rig_value(rng);
      v.sum[i] = (int32_t)((uint32_t)v.sum[i] + (uint32_t)v.of[w][i]);
    }
  }
  return v;
}

static void release(struct vectors *v) {
  for (unsigned w = 0; w < NET_WORKERS; w++) free(v->of[w]);
  free(v->sum);
}

// Words that are not the host's.
static size_t wrong(const struct vectors *v) {
  size_t num = 0;
  for (unsigned w = 0; w < NET_WORKERS; w++)
    for (size_t i = 0; i < v->num; i++) num += v->of[w][i] != v->sum[i];
  return num;
}

// Reduces vectors of these lengths, one after the other; words that are wrong, or all if it does
// not end.
static size_t reduce(struct net *net, const size_t *lengths, unsigned num, uint64_t seed) {
  struct sluice_rng rng;
  size_t bad = 0;
  sluice_rng_init(&rng, seed, "vectors");
  for (unsigned n = 0; n < num; n++) {
    struct vectors v = draw(&rng, lengths[n]);
    for (unsigned w = 0; w < NET_WORKERS; w++)
      sluice_worker_start(net->worker[w], v.of[w], v.num, net->now);
    const bool ended = net_run(net, 40 * lengths[n] + 100000);
    bad += ended ? wrong(&v) : lengths[n];
    release(&v);
    if (!ended) break;
  }
  return bad;
}

TEST(sums_are_the_hosts_with_loss) {
  const uint64_t seed = from_environment("SLUICE_SEED", 1);
  const size_t words = from_environment("SLUICE_WORDS", 8000);
  const unsigned loss = (unsigned)from_environment("SLUICE_LOSS", 100);
  static struct net net;
  char *text CLOSED_BY(freed) = read_program();
  if (!net_open(&net, text, seed, loss, 64)) fail_msg("%s", net.rig.why);
  const size_t lengths[] = {words, 1, 61, 520};
  assert_int_equal(reduce(&net, lengths, 4, seed), 0);
  struct sluice_worker_counts all = {0};
  for (unsigned w = 0; w < NET_WORKERS; w++) {
    const struct sluice_worker_counts c = sluice_worker_counts(net.worker[w]);
    all.sent += c.sent;
    all.again += c.again;
    all.answers += c.answers;
  }
  printf("8 workers, %zu words: %llu packets sent, %llu of them again, %llu lost; %llu at the "
         "chip, %llu sums to all; SLUICE_SEED=%llu\n",
         words, (unsigned long long)all.sent, (unsigned long long)all.again,
         (unsigned long long)net.lost, (unsigned long long)net.chip, (unsigned long long)net.to_all,
         (unsigned long long)seed);
  assert_true(!loss || all.again > 0);
  net_close(&net);
}

// Each is caught: a sum is wrong, or never comes.
TEST(a_part_of_the_protocol_left_out_is_noticed) {
  static const struct {
    const char *what, *to;
  } faults[] = {
      {"if (p.round > seen[p.m]) {", "if (p.round > 0) {"},    // added twice
      {"seen[p.m] = p.round;", "seen[p.m] = 1000000;"},        // only once
      {"int row @ bytes(52, 2);", "int row @ bytes(50, 2);"},  // no sum of all
      {"if (count[p.r] == 0) sum[p.r] = p.v;", "if (count[p.r] == 1) sum[p.r] = p.v;"},
      {"if (p.fresh) p.ports_out = PORTS;", "p.ports_out = 1;"},         // one hears it
      {"p.discard = count[p.r] != 0;", "p.discard = count[p.r] != 1;"},  // too early
      {"else sum[p.r] += p.v;", "else sum[p.r] = max(sum[p.r], p.v);"},
  };
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
    static struct net net;
    const size_t length = 700;
    char *text CLOSED_BY(freed) = changed(faults[i].what, faults[i].to);
    if (!net_open(&net, text, 1, 300, 16)) fail_msg("%s: %s", faults[i].to, net.rig.why);
    if (!reduce(&net, &length, 1, 1)) fail_msg("'%s' is not noticed", faults[i].to);
    net_close(&net);
  }
}

// Two rows a slot: with one, a worker that lost the sum finds the next round's in its place.
TEST(one_row_a_slot_is_not_enough) {
  static struct net net;
  const size_t length = 3000;
  char *text CLOSED_BY(freed) =
      changed("int row @ bytes(52, 2);", "int twice @ bytes(52, 2);\n  int row;"),
             *at = strstr(text, "  p.m = p.mine"), *made CLOSED_BY(freed) = calloc(1, 1 << 17);
  assert_non_null(at);
  snprintf(made, 1 << 17, "%.*s  p.row = p.twice >> 1;\n%s", (int)(at - text), text, at);
  if (!net_open(&net, made, 1, 500, 16)) fail_msg("%s", net.rig.why);
  assert_true(reduce(&net, &length, 1, 1) > 0);
  net_close(&net);
}
