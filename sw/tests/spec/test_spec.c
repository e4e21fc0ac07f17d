// SPDX-License-Identifier: Apache-2.0
// The fast model against the machine of docs/machine.md, on random configurations and packets:
// some of every shape. `sluice fuzz --references` plays more of them.

#include "tests/rig/test.h"
#include "tests/rig/environment.h"
#include "base/rng.h"
#include "fuzz/references.h"
#include "spec/spec.h"

// Of each shape.
#define CASES from_environment("SLUICE_CASES", 4)
enum { RANDOM_SHAPES = 24, PACKETS = 40 };

static bool still_differs(void *context, const struct fuzz_case *c, uint64_t *packet) {
  struct fuzz_difference d;
  (void)context;
  const bool agree = fuzz_references(c, PACKETS, &d);
  if (d.packet != UINT64_MAX) *packet = d.packet;
  return !agree && !d.no_memory;
}

static void show(struct fuzz_case *c, const struct fuzz_difference *d) {
  const struct fuzz_effort effort = {2000, 60.0};
  struct fuzz_difference smaller;
  print_message("%s seed %llu, packet %llu: %s\n", c->config->name, (unsigned long long)c->seed,
                (unsigned long long)d->packet, d->text);
  if (c->packets.num > PACKETS) c->packets.num = PACKETS;
  fuzz_shrink(c, &effort, still_differs, NULL);
  fuzz_references(c, PACKETS, &smaller);
  print_message("smaller: %s\n", smaller.text);
  fuzz_describe(c, stdout);
}

static void add(struct fuzz_difference *all, const struct fuzz_difference *d) {
  all->packets += d->packets;
  all->admitted += d->admitted;
  all->passes += d->passes;
  all->copies += d->copies;
  all->accesses += d->accesses;
  all->refused += d->refused;
  all->answers += d->answers;
  all->entries += d->entries;
}

// Tables of thousands of entries are written and read one by one: fewer cases of those.
static uint64_t cases_of(const struct sluice_config *config) {
  const bool large = config->TernaryEntries + config->CuckooEntries > 8192;
  return large ? (CASES + 3) / 4 : CASES;
}

static void run_one(const struct sluice_config *config, uint64_t seed,
                    struct fuzz_difference *all) {
  struct fuzz_case c;
  struct fuzz_difference d;
  fuzz_make(&c, config, seed);
  assert_false(c.nomem);
  const bool agree = fuzz_references(&c, PACKETS, &d);
  // A fault that was put in is only to be noticed (tb/mutants/c).
  if (!agree && getenv("SLUICE_QUICK")) exit(1);
  if (!agree) show(&c, &d);
  assert_true(agree);
  add(all, &d);
  fuzz_release(&c);
}

static void run(const struct sluice_config *config, uint64_t first, struct fuzz_difference *all) {
  for (uint64_t seed = first; seed < first + cases_of(config); seed++) run_one(config, seed, all);
}

// What is not reached is not compared.
static void assert_reached(const struct fuzz_difference *d) {
  print_message("packets %llu, admitted %llu, further passes %llu, copies %llu, accesses %llu, "
                "refused %llu, answers %llu, entries %llu\n",
                (unsigned long long)d->packets, (unsigned long long)d->admitted,
                (unsigned long long)d->passes, (unsigned long long)d->copies,
                (unsigned long long)d->accesses, (unsigned long long)d->refused,
                (unsigned long long)d->answers, (unsigned long long)d->entries);
  assert_true(d->admitted > d->packets * 6 / 10);
  assert_true(d->accesses > d->admitted / 2 && d->refused > d->accesses / 4);
  assert_true(d->answers > d->packets / 4 && d->entries > d->packets);
}

TEST(model_and_page_agree_on_all_shapes) {
  struct fuzz_difference all = {.packet = 0};
  // First those in which most of the page is on: what is wrong is seen soon.
  const char *const first[] = {"s2", "capsules", "arrays", "react"};
  for (unsigned i = 0; i < sizeof first / sizeof *first; i++)
    run(sluice_config_find(first[i]), 3000, &all);
  for (unsigned i = 0; i < sluice_num_configs; i++) run(&sluice_configs[i], 1000, &all);
  assert_reached(&all);
  assert_true(all.copies > 50 && all.passes > 50);
}

TEST(they_agree_on_random_shapes) {
  struct fuzz_difference all = {.packet = 0};
  for (unsigned n = 0; n < RANDOM_SHAPES; n++) {
    const struct sluice_config *config = sluice_config_random(n);
    assert_non_null(config);
    run(config, 2000 + n, &all);
  }
  assert_reached(&all);
}

// Congestion: IPv4 and IPv6 with every ECN field, and what only looks like them.
TEST(they_mark_alike) {
  struct sluice_rng rng;
  unsigned marked = 0, six = 0;
  sluice_rng_init(&rng, 1, "marks");
  for (unsigned n = 0; n < 20000; n++) {
    uint8_t bytes[SLUICE_MODEL_HEADER];
    struct sluice_model_result model = {.reason = 0}, spec;
    for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)sluice_rng_next(&rng);
    const bool ipv6 = sluice_rng_below(&rng, 2);
    bytes[16] = ipv6 ? 0x86 : 0x08;
    bytes[17] = ipv6 ? 0xdd : 0x00;
    if (sluice_rng_below(&rng, 8)) bytes[18] = (uint8_t)((ipv6 ? 0x60 : 0x40) | (bytes[18] & 15));
    const struct sluice_model_packet packet = {.bytes = bytes, .len = sizeof bytes};
    memcpy(model.header, bytes, sizeof bytes);
    spec = model;
    const bool set = sluice_model_mark(&packet, &model);
    assert_int_equal(set, sluice_spec_mark(&packet, &spec));
    assert_int_equal(model.congestion, spec.congestion);
    assert_memory_equal(model.header, spec.header, sizeof bytes);
    marked += set;
    six += set && ipv6;
  }
  assert_true(six > 1000 && marked - six > 1000);
}

// The words of a place are what was written there, of an entry and of its row, and of no other.
TEST(places_hold_what_is_written) {
  const struct sluice_config *c = sluice_config_find("arrays");
  struct sluice_spec *spec CLOSED_BY(close_spec) = sluice_spec_open(c);
  uint32_t to[SLUICE_MODEL_WORDS], got[SLUICE_MODEL_WORDS];
  assert_non_null(spec);
  unsigned stage = 0;
  while (!(c->ArrayStages >> stage & 1)) stage++;
  for (unsigned slot = 0; slot < 4; slot++)
    for (unsigned of_row = 0; of_row < 2; of_row++) {
      for (unsigned w = 0; w < SLUICE_MODEL_WORDS; w++) to[w] = 1000 * slot + 100 * of_row + w + 1;
      sluice_spec_place(spec, stage, 1, slot, of_row, got, to);
    }
  for (unsigned slot = 0; slot < 4; slot++)
    for (unsigned of_row = 0; of_row < 2; of_row++) {
      const unsigned num = of_row ? c->ArrayWords : 2;
      sluice_spec_place(spec, stage, 1, slot, of_row, got, NULL);
      for (unsigned w = 0; w < SLUICE_MODEL_WORDS; w++)
        assert_int_equal(got[w], w < num ? 1000 * slot + 100 * of_row + w + 1 : 0);
    }
}
