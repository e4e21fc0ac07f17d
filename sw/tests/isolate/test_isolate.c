// SPDX-License-Identifier: Apache-2.0
// The runner of pairs without a simulator: a seed gives one pair, A keeps to what it must, and the
// comparison notices each thing that it is for, in captures and reports made by hand.

#include "tests/rig/test.h"
#include "isolate/isolate.h"
#include "lib/capture.h"
#include "tests/rig/says.h"

static const struct isolate_ask usual = {.shared_lanes = false};

static bool of_a(const struct fuzz_frame *f) { return !(f->bytes[ISOLATE_NUMBER_AT] & 0x80); }

TEST(a_seed_gives_one_pair) {
  static struct isolate_pair x, y;
  for (uint64_t seed = 1; seed <= 6; seed++) {
    GOOD(isolate_make(&x, sluice_config_find("tiny"), seed, &usual, &error));
    GOOD(isolate_make(&y, sluice_config_find("tiny"), seed, &usual, &error));
    assert_string_equal(x.a_text, y.a_text);
    assert_string_equal(x.b_text, y.b_text);
    assert_int_equal(x.b.num_writes, y.b.num_writes);
    for (size_t i = 0; i < x.b.num_writes; i++)
      assert_memory_equal(x.b.writes[i].bytes, y.b.writes[i].bytes, SLUICE_ENTRY_BYTES);
    assert_int_equal(x.packets.packets.num, y.packets.packets.num);
    for (size_t i = 0; i < x.packets.packets.num; i++) {
      const struct fuzz_frame *f = &x.packets.packets.items[i], *g = &y.packets.packets.items[i];
      assert_true(f->time_ns == g->time_ns && f->len == g->len &&
                  memcmp(f->bytes, g->bytes, f->len) == 0);
    }
    isolate_release(&x);
    isolate_release(&y);
  }
}

// One lane, one packet's beats after the other's, the part of an output lane that is its own.
TEST(a_keeps_to_what_it_must) {
  static struct isolate_pair pair;
  static const char *const chips[] = {"tiny", "k4"};
  unsigned turned = 0;
  for (unsigned c = 0; c < 2; c++)
    for (uint64_t seed = 1; seed <= 25; seed++) {
      const struct sluice_config *config = sluice_config_find(chips[c]);
      GOOD(isolate_make(&pair, config, seed, &usual, &error));
      unsigned a_lanes = 0, b_lanes = 0;
      uint64_t last = 0, beats = 0, packets = 0, end[16] = {0};
      for (size_t i = 0; i < pair.packets.packets.num; i++) {
        const struct fuzz_frame *f = &pair.packets.packets.items[i];
        const unsigned lane = f->bytes[ISOLATE_PORT_AT] % config->NumPipes,
                       need = sluice_config_beats(config, (unsigned)f->len);
        assert_true(f->bytes[ISOLATE_PORT_AT] < config->NumPorts && f->len >= 64 &&
                    f->time_ns >= last);
        if (f->time_ns < end[lane] + need)
          fail_msg("seed %u: packets overlap on the wire", (unsigned)seed);
        end[lane] = last = f->time_ns;
        *(of_a(f) ? &a_lanes : &b_lanes) |= 1u << lane;
        if (!of_a(f)) continue;
        beats += need;
        packets++;
      }
      assert_true(packets > 5 && __builtin_popcount(a_lanes) == 1 && !(a_lanes & b_lanes));
      // 70 % of 1 / K of the beats, and the gaps are drawn.
      if ((double)beats > 0.85 / config->NumPipes * 6000)
        fail_msg("%s, seed %u: A sends %u beats", chips[c], (unsigned)seed, (unsigned)beats);
      turned += pair.turned;
      isolate_release(&pair);
    }
  assert_true(turned > 50);
}

// In one lane, on a chip with classes: half of that part, B in A's beats as well, a longer bound.
TEST(in_one_lane_a_keeps_to_half) {
  static struct isolate_pair pair;
  const struct sluice_config *config = sluice_config_find("apart");
  const struct isolate_ask ask = {.shared_lanes = true};
  for (uint64_t seed = 1; seed <= 25; seed++) {
    GOOD(isolate_make(&pair, config, seed, &ask, &error));
    uint64_t beats = 0;
    unsigned a_lanes = 0, b_lanes = 0;
    for (size_t i = 0; i < pair.packets.packets.num; i++) {
      const struct fuzz_frame *f = &pair.packets.packets.items[i];
      const unsigned lane = f->bytes[ISOLATE_PORT_AT] % config->NumPipes;
      *(of_a(f) ? &a_lanes : &b_lanes) |= 1u << lane;
      if (of_a(f)) beats += sluice_config_beats(config, (unsigned)f->len);
    }
    assert_true(__builtin_popcount(a_lanes) == 1 && (a_lanes & b_lanes));
    if ((double)beats > 0.85 / (2 * config->NumPipes) * 6000)
      fail_msg("seed %u: A sends %u beats", (unsigned)seed, (unsigned)beats);
    // 64 + 16 K, five of B's longest packets for K = 2, the beats that are chosen; and A's own.
    assert_true(isolate_bound(&pair) >= 64 + 32 + 5 * pair.longest_beats + 15);
    isolate_release(&pair);
  }
}

// ---- the comparison -----------------------------------------------------------------------------

static const char dir[] = "build/test_isolate";

// What is wrong with the run beside B.
enum wrong {
  NOTHING,
  GONE,
  ONE_MORE,
  A_BYTE,
  LATE,
  STATE,
  VERDICT,
  REORDERED,
  NO_REPORT,
  ALONE_LOSES,
  NUM_WRONG
};

static void write_run(const struct isolate_pair *pair, const char *run, enum wrong wrong) {
  char path[100];
  struct sluice_capture_writer *out;
  const bool beside = strcmp(run, "beside") == 0;
  snprintf(path, sizeof path, "%s/%s.pcapng", dir, run);
  GOOD(sluice_capture_create_ports(&out, path, 4, &error));
  unsigned n = 0;
  const struct fuzz_frame *held = NULL;
  for (size_t i = 0; i < pair->packets.packets.num; i++) {
    const struct fuzz_frame *f = &pair->packets.packets.items[i];
    uint8_t bytes[10000];
    if (!of_a(f)) continue;
    memcpy(bytes, f->bytes, f->len);
    // All are one flow, and leave at port 1.
    bytes[38] = bytes[39] = 0;
    const bool here = beside && n++ == 3;
    if (wrong == REORDERED && beside && n == 3) {
      held = f;
      continue;
    }
    uint64_t late = wrong == LATE && here ? isolate_bound(pair) + 1 : 0;
    if (wrong == A_BYTE && here) bytes[50] ^= 1;
    if (wrong == GONE && here) continue;
    sluice_capture_write_at(out, bytes, f->len, f->time_ns + 300 + late, 1, NULL);
    if (held && here) {  // the packet before leaves behind this one
      memcpy(bytes, held->bytes, held->len);
      bytes[38] = bytes[39] = 0;
      sluice_capture_write_at(out, bytes, held->len, held->time_ns + 300, 1, NULL);
    }
    if (wrong == ONE_MORE && here)
      sluice_capture_write_at(out, bytes, f->len, f->time_ns + 300, 2, NULL);
  }
  GOOD(sluice_capture_finish(out, &error));
  snprintf(path, sizeof path, "%s/%s.json", dir, run);
  remove(path);
  if (wrong == NO_REPORT && beside) return;
  FILE *report = fopen(path, "w");
  assert_non_null(report);
  fprintf(report,
          "{\"verdict\": \"%s\", \"modules\": {\"vid5\": {\"lost\": %d}}, \"state\": {\"vid5\": "
          "{\"t\": {\"values\": [1, %d]}}}}",
          wrong == VERDICT && beside ? "DIFFERENT" : "EQUIVALENT", wrong == ALONE_LOSES,
          wrong == STATE && beside ? 3 : 2);
  assert_int_equal(fclose(report), 0);
}

TEST(each_thing_is_noticed) {
  static struct isolate_pair pair;
  static const enum isolate_kind expected[NUM_WRONG] = {
      [NOTHING] = ISOLATE_SAME,    [GONE] = ISOLATE_LOST,       [ONE_MORE] = ISOLATE_BYTES,
      [A_BYTE] = ISOLATE_BYTES,    [LATE] = ISOLATE_LATE,       [STATE] = ISOLATE_STATE,
      [VERDICT] = ISOLATE_VERDICT, [REORDERED] = ISOLATE_ORDER, [ALONE_LOSES] = ISOLATE_ASKS};
  assert_int_equal(system("mkdir -p build/test_isolate"), 0);
  GOOD(isolate_make(&pair, sluice_config_find("tiny"), 9, &usual, &error));
  snprintf(pair.a_text, sizeof pair.a_text, "%s", ISOLATE_ORDERED);
  for (enum wrong wrong = NOTHING; wrong < NUM_WRONG; wrong++) {
    struct isolate_outcome o;
    write_run(&pair, "alone", wrong);
    write_run(&pair, "beside", wrong);
    const enum sluice_status status = isolate_compare(&pair, dir, &o, &error);
    if (wrong == NO_REPORT) {
      assert_int_equal(status, SLUICE_ERR_FORMAT);
      continue;
    }
    assert_int_equal(status, SLUICE_OK);
    if (o.kind != expected[wrong])
      fail_msg("case %d: kind %d, not %d: %s", wrong, o.kind, expected[wrong], o.what);
    if (wrong == LATE) assert_int_equal(o.later, isolate_bound(&pair) + 1);
    if (wrong == GONE || wrong == A_BYTE || wrong == LATE) assert_int_equal(o.packet, 3);
  }
  isolate_release(&pair);
  assert_int_equal(system("rm -r build/test_isolate"), 0);
}
