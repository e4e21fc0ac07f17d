// SPDX-License-Identifier: Apache-2.0
// The study of the output queues: what its model must say whatever the traffic, and where the
// answer is known.

#include "tests/rig/test.h"
#include "figures/study/outputs.h"

static struct outputs_result run(const char *settings) {
  struct outputs_options o;
  struct outputs_result r;
  struct sluice_error error;
  outputs_options_init(&o);
  char text[300], *rest = text, *item;
  snprintf(text, sizeof text, "%s", settings);
  while ((item = strtok_r(rest, " ", &rest))) {
    char *value = strchr(item, '=');
    *value++ = 0;
    if (study_give(&o, outputs_option_table, item, value, &error)) fail_msg("%s", error.text);
  }
  if (outputs_run(&o, &r, &error)) fail_msg("%s", error.text);
  // What holds of every run.
  assert_true(r.sent + r.rested <= r.cycles * (uint64_t)o.lanes);
  assert_true(r.most_slots <= (uint32_t)o.slots && r.most_pool <= (uint32_t)o.pool);
  if (o.way != OUTPUTS_POOL) assert_int_equal(r.no_pool, 0);
  if (o.way != OUTPUTS_STORE) assert_int_equal(r.no_write, 0);
  return r;
}

// In thousandths.
static unsigned share(struct outputs_result r) {
  uint64_t wires = r.cycles * (uint64_t)r.options.lanes;
  return (unsigned)((1000 * r.sent + wires / 2) / wires);
}
static uint64_t lost(struct outputs_result r) {
  return r.no_place + r.no_slot + r.no_pool + r.no_write;
}

// A lane that sends to one output lane fills its wire, whatever the way. Alone its packets take
// what docs/tm.md says.
TEST(test_lane_to_lane) {
  static const unsigned latency[] = {8, 11, 8};
  for (int way = 0; way < OUTPUTS_WAYS; way++) {
    char text[100];
    for (int size = 64; size < 300; size += 77) {
      snprintf(text, sizeof text, "spread=0 cycles=20000 way=%d size=%d", way, size);
      struct outputs_result r = run(text);
      assert_int_equal(share(r), 1000);
      assert_int_equal(lost(r), 0);
    }
    snprintf(text, sizeof text, "spread=0 senders=1 load=5 way=%d", way);
    struct outputs_result alone = run(text);
    assert_true(alone.copies > 100);
    assert_int_equal(alone.latency / alone.copies, latency[way]);
  }
}

// With one header ahead a pair waits for each: its fetch takes two cycles.
TEST(test_ahead) {
  assert_int_equal(share(run("spread=0 cycles=20000 way=2 straight=0 ahead=1")), 500);
  assert_int_equal(share(run("spread=0 cycles=20000 way=2 straight=0 ahead=2")), 1000);
}

// Less than the wires carry: all of it leaves.
TEST(test_light_load) {
  struct outputs_result r = run("load=600 cycles=50000"), p = run("load=600 cycles=50000 way=2");
  assert_in_range(share(r), 595, 605);
  assert_int_equal(lost(r), 0);
  assert_in_range(share(p), 595, 605);
  assert_int_equal(lost(p), 0);
}

// One lane sends to all: a header that is read for one output lane after the other leaves 1/k of
// the wires; one that all take, or that passes the pool, fills them.
TEST(test_multicast_of_one) {
  assert_int_equal(share(run("copies=4 senders=1 cycles=50000")), 1000);
  assert_int_equal(share(run("copies=4 senders=1 way=2 straight=0 shared=0 cycles=50000")), 250);
  assert_int_equal(share(run("copies=4 senders=1 way=2 straight=0 shared=1 cycles=50000")), 1000);
  assert_int_equal(share(run("copies=4 senders=1 way=2 straight=1 shared=0 cycles=50000")), 1000);
}

// The claim of docs/tm.md, and what a smaller pool takes of it.
TEST(test_pool) {
  assert_true(share(run("way=2")) >= 970);
  assert_true(share(run("way=2 lanes=8")) >= 970);
  struct outputs_result small = run("way=2 pool=16"), pooled = run("way=2"),
                        all = run("way=2 straight=0");
  assert_true(small.no_pool > 0 && share(small) < share(pooled));
  assert_true(all.rested > pooled.rested &&
              all.latency / all.copies > pooled.latency / pooled.copies);
}

// A write-back a cycle that meets the packet that comes in is not enough; two are.
TEST(test_store) {
  struct outputs_result one = run("way=1"), two = run("way=1 ports=2"),
                        even = run("way=1 ports=2 banks=16");
  assert_true(one.no_write > two.no_write && two.no_write > even.no_write);
  assert_true(share(two) > share(one));
  // A packet keeps its slot until its last copy is chosen.
  assert_true(two.most_slots > run("way=2").most_slots);
}

// Bodies are what they are today: no way of headers changes them, and the largest packets leave
// least.
TEST(test_bodies) {
  struct outputs_result copied = run("size=1472"), pooled = run("size=1472 way=2");
  assert_in_range(share(copied), 970, 1000);
  assert_int_equal(share(copied), share(pooled));
  assert_true(share(run("size=9216")) < share(copied));
}

TEST(test_refused) {
  struct outputs_options o;
  struct outputs_result r;
  struct sluice_error error;
  outputs_options_init(&o);
  assert_int_equal(study_give(&o, outputs_option_table, "lane", "4", &error), SLUICE_ERR_RANGE);
  assert_int_equal(study_give(&o, outputs_option_table, "lanes", "17", &error), SLUICE_ERR_RANGE);
  assert_int_equal(study_give(&o, outputs_option_table, "lanes", "4x", &error), SLUICE_ERR_RANGE);
  assert_int_equal(study_give(&o, outputs_option_table, "copies", "5", &error), SLUICE_OK);
  assert_int_equal(outputs_run(&o, &r, &error), SLUICE_ERR_RANGE);
  assert_non_null(strstr(error.text, "copies is above lanes"));
}
