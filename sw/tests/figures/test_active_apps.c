// SPDX-License-Identifier: Apache-2.0
// Applications on the reference model, each against its computation on the host. Longer runs, and
// those on a simulated chip: build/active-apps.

#include "tests/rig/test.h"
#include "figures/apps/agree.h"
#include "figures/apps/hostile.h"
#include "tests/rig/says.h"

static struct active_net *net;
static struct app_run run_on(const char *chip, unsigned stages, unsigned block, bool from_zero) {
  const struct active_net_options options = {
      .chip = chip,
      .controller = {.block_words = block, .translate = true, .from_zero = from_zero}};
  GOOD(active_net_open(&net, &options, &error));
  return (struct app_run){.net = net,
                          .programs = "sw/programs/active",
                          .shape = {stages, 0, stages, ACTIVE_RULES_CHIP},
                          .fid = 3,
                          .seed = 1};
}
static void same(const struct app_result *r, const char *what) {
  print_message("%s: %llu programs, %llu words compared, figure %.3f\n", what,
                (unsigned long long)r->packets, (unsigned long long)r->words, r->figure);
  assert_int_equal(r->differences, 0);
  assert_true(r->packets > 0);
}

TEST(memory_on_both_shapes) {
  struct app_result r;
  struct app_run run = run_on("model:capsules", 8, 16, false);
  GOOD(app_run_memory(&run, &r, &error));
  same(&r, "memory, capsules");
  assert_true(r.figure == 128);
  active_net_close(net);
  run = run_on("model:active", 20, 64, false);
  GOOD(app_run_memory(&run, &r, &error));
  same(&r, "memory, active");
  assert_true(r.words > 1000);
  active_net_close(net);
}

TEST(caches) {
  struct app_result r;
  struct app_run run = run_on("model:capsules", 8, 16, false);
  GOOD(app_run_cache(&run, 3000, 2000, 1.2, false, &r, &error));
  same(&r, "cache of 128 entries");
  assert_true(r.figure > 0.4 && r.figure < 0.9);
  active_net_close(net);
  run = run_on("model:active", 20, 256, false);
  GOOD(app_run_cache(&run, 2000, 2000, 1.2, true, &r, &error));
  same(&r, "cache, two words a key");
  active_net_close(net);
}

TEST(sketches_and_ports) {
  struct app_result r;
  const struct app_run run = run_on("model:active", 20, 64, true);
  GOOD(app_run_hot_keys(&run, 5000, 1000, 1.2, &r, &error));
  same(&r, "hot keys");
  assert_true(r.words == 3 * 4 * 64 && r.figure > 0.8);
  GOOD(app_run_balancer(&run, 64, 4, &r, &error));
  same(&r, "balancer");
  assert_true(r.figure == 1);
  GOOD(app_run_guard(&run, 600, &r, &error));
  same(&r, "guard");
  assert_true(r.figure > 0.1 && r.figure < 0.9);
  active_net_close(net);
}

// The comparison sees what is wrong: without entries of ADDRESS every hash is out of bounds or at
// another word.
TEST(differences_are_seen) {
  struct app_result r;
  const struct active_net_options options = {.chip = "model:active",
                                             .controller = {.block_words = 64, .from_zero = true}};
  GOOD(active_net_open(&net, &options, &error));
  const struct app_run run = {
      .net = net, .programs = "sw/programs/active", .shape = ACTIVE_SHAPE, .fid = 3, .seed = 1};
  GOOD(app_run_hot_keys(&run, 1000, 1000, 1.2, &r, &error));
  assert_true(r.differences > 100);
  GOOD(app_run_guard(&run, 600, &r, &error));
  assert_true(r.differences > 100);
  active_net_close(net);
}

// Seventeen instructions in three passes of eight stages: the same words as in one of twenty.
TEST(hot_keys_in_three_passes) {
  struct app_result r;
  const struct active_net_options options = {
      .chip = "model:capsules",
      .controller = {.block_words = 16, .from_zero = true, .translate = true, .rounds = 2}};
  GOOD(active_net_open(&net, &options, &error));
  const struct app_run run = {.net = net,
                              .programs = "sw/programs/active",
                              .shape = {8, 0, 8, ACTIVE_RULES_CHIP},
                              .fid = 3,
                              .passes = 3,
                              .seed = 1};
  GOOD(app_run_hot_keys(&run, 2000, 200, 1.2, &r, &error));
  same(&r, "hot keys in three passes");
  assert_true(r.words == 3 * 4 * 16);
  active_net_close(net);
}

static uint64_t seed(void) {
  const char *text = getenv("SLUICE_SEED");
  const uint64_t number = text ? strtoull(text, NULL, 0) : 1;
  print_message("seed %llu\n", (unsigned long long)number);
  return number;
}

// No bit of another's memory changes, whatever programs do, in one pass or in four; regions one
// word too long are seen.
TEST(tenants_attack_each_other) {
  struct app_result r;
  struct app_run run;
  for (unsigned rounds = 0; rounds <= 3; rounds += 3) {
    const struct active_net_options options = {
        .chip = "model:capsules",
        .controller = {.block_words = 16, .translate = true, .rounds = rounds}};
    GOOD(active_net_open(&net, &options, &error));
    run = (struct app_run){.net = net, .seed = seed()};
    GOOD(app_run_hostile(&run, &(struct hostile){.rounds = 60, .programs = 60}, &r, &error));
    same(&r, "hostile tenants");
    assert_true(r.words > 10000);
    active_net_close(net);
  }
  run = run_on("model:capsules", 8, 16, false);
  GOOD(app_run_hostile(&run, &(struct hostile){.rounds = 60, .programs = 60, .widen = true}, &r,
                       &error));
  assert_true(r.differences > 0);
  active_net_close(net);
}

// Programs on the chip and on the interpreter: on one, two and four pipelines, and on twenty stages
// (case 3), where both must do the same; and with regions one word too long (case 4).
enum { TWENTY_STAGES = 3, TOO_LONG, AGREE_CASES };
static struct app_result agree_on(unsigned n, struct agree what) {
  static const char *const chips[] = {"model:capsules.k1", "model:capsules", "model:capsules.k4",
                                      "model:active", "model:capsules.k1"};
  struct app_result r;
  const struct active_net_options options = {.chip = chips[n],
                                             .shape = chips[n] + strlen("model:"),
                                             .controller = {.block_words = 16, .rounds = 3}};
  GOOD(active_net_open(&net, &options, &error));
  const struct app_run run = {.net = net, .seed = seed(), .passes = 4};
  what.widen = n == TOO_LONG;
  GOOD(app_run_agree(&run, &what, &r, &error));
  if (n != TOO_LONG) same(&r, chips[n]);
  active_net_close(net);
  return r;
}

TEST(random_programs_do_the_same_as_on_the_interpreter) {
  for (unsigned n = 0; n < AGREE_CASES; n++) {
    const struct app_result r = agree_on(n, (struct agree){.programs = 3000});
    assert_true(n != TOO_LONG || r.differences > 10);
    assert_true(r.figure > (n == TWENTY_STAGES ? 1.05 : 1.4));
  }
}

// Each opcode at each stage, between instructions that do nothing and those that show its
// registers.
TEST(every_opcode_alone_does_the_same_as_on_the_interpreter) {
  for (unsigned n = 0; n < AGREE_CASES; n++) {
    const struct app_result r = agree_on(n, (struct agree){.alone = true});
    assert_true(n != TOO_LONG || r.differences > 0);
    assert_int_equal(r.figure, 96);
  }
}

// The published tables end at 41 tenants a stage. Here a stage has 1,020, all of
// them with two blocks of 32 words of its own in stage 0; the next one is refused.
TEST(a_stage_has_a_thousand_tenants) {
  struct active_net_options options = {.chip = "model:active", .controller = {.block_words = 32}};
  struct sluice_memory_request q = {
      .length = 20, .ingress_limit = SLUICE_NO_INGRESS_LIMIT, .num = 1, .access = {{0, 2, false}}};
  enum sluice_status status;
  GOOD(active_net_open(&net, &options, &error));
  while (!(status = sluice_controller_admit(active_net_controller(net), &q, NULL, &error))) q.fid++;
  print_message("%u tenants of one stage; then: %s\n", q.fid, error.text);
  assert_int_equal(q.fid, 4 * (65535 / 4 / 32 / 2));
  active_net_close(net);
}

// Values that were put stay, however many there are.
TEST(the_store) {
  struct kv_store *s = kv_store_new();
  struct kv_message q = {.what = KV_PUT}, a, b;
  struct kv_ends e = {1, 2, 3, 4}, f;
  uint8_t ip[KV_IP];
  for (uint32_t n = 0; n < 5000; n += 2) {
    kv_key(n, q.key);
    q.value = n;
    assert_true(kv_serve(s, &q, &a) && a.what == (KV_PUT | KV_ANSWER));
  }
  q.what = KV_GET;
  for (uint32_t n = 0; n < 5000; n++) {
    kv_key(n, q.key);
    assert_true(q.key[0] && q.key[1]);
    assert_true(kv_serve(s, &q, &a) && a.value == (n % 2 ? kv_value(q.key) : n));
  }
  assert_int_equal(kv_served(s), 7500);
  assert_false(kv_serve(s, &a, &b));  // an answer
  kv_write_ip(&a, &e, ip);
  assert_true(kv_read_ip(&b, &f, ip, sizeof ip) && a.id == b.id && a.value == b.value &&
              f.dport == 4);
  assert_false(kv_read_ip(&b, &f, ip, sizeof ip - 1));
  kv_store_free(s);
}
