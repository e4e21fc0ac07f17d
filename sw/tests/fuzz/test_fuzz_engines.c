// SPDX-License-Identifier: Apache-2.0
// Cases that the fuzzer makes for a chip with match engines, on the reference model: every engine
// gives packets their actions, and no packet sees an entry move.

#include "tests/rig/test.h"
#include "driver/wire/wire.h"
#include "fuzz/fuzz.h"
#include "model/model.h"

enum { CASES = 60 };

static struct sluice_model *open_case(const struct fuzz_case *c) {
  struct sluice_model *m = sluice_model_open(c->config);
  assert_non_null(m);
  sluice_model_set_sets(m, (unsigned)__builtin_ctz(c->sets));
  for (size_t i = 0; i < c->control.num; i++)
    sluice_model_control(m, c->control.items[i].bytes, c->control.items[i].len, NULL);
  return m;
}

// What becomes of a packet: all that leaves, and a number that tells drops apart.
static uint64_t run(struct sluice_model *m, const struct fuzz_frame *f, uint64_t n, uint8_t *header,
                    size_t room) {
  const struct sluice_model_packet packet = {
      f->bytes, (unsigned)f->len, (unsigned)(n % 4), (uint32_t)n, 0, NULL, 0};
  struct sluice_model_phv phv;
  struct sluice_model_result result;
  memset(header, 0, room);
  if (sluice_model_classify(sluice_model_filter(m), f->bytes, (unsigned)f->len).reason) return 1000;
  if (sluice_model_front(m, &packet, &phv)) return 1001;
  phv.mark = false;
  sluice_model_admit(m, &packet, &phv, &result);
  memcpy(header, result.header, room);
  return result.ports << 8 | result.reason;
}

static bool is_write(const struct fuzz_frame *f, struct sluice_reconfig *p) {
  return sluice_reconfig_decode(p, f->bytes, f->len, NULL) == SLUICE_OK &&
         p->op == SLUICE_CHAIN_WRITE;
}

TEST(every_engine_has_its_say) {
  uint64_t found[SLUICE_MODEL_FOUND] = {0};
  unsigned by[SLUICE_MODEL_FOUND] = {0};
  uint8_t header[64];
  for (uint64_t seed = 0; seed < CASES; seed++) {
    struct fuzz_case c CLOSED_BY(fuzz_release);
    fuzz_make(&c, sluice_config_find("tables"), seed);
    assert_false(c.nomem);
    struct sluice_model *m CLOSED_BY(close_model) = open_case(&c);
    for (size_t i = 0; i < c.packets.num; i++)
      run(m, &c.packets.items[i], i, header, sizeof header);
    for (unsigned k = 0; k < SLUICE_MODEL_FOUND; k++) {
      found[k] += sluice_model_found(m)[k];
      by[k] += sluice_model_found(m)[k] != 0;
    }
  }
  for (unsigned k = 0; k < SLUICE_MODEL_FOUND; k++) {
    print_message("engine %u: %llu packets in %u of %u cases\n", k, (unsigned long long)found[k],
                  by[k], CASES);
    assert_true(found[k] > 1000 && by[k] > CASES / 5);
  }
}

// Two models, one of which gets the frames under traffic, spread over the packets.
TEST(no_packet_sees_an_entry_move) {
  unsigned moved = 0, again = 0, reads = 0, with = 0;
  for (uint64_t seed = 0; seed < 3 * CASES; seed++) {
    struct fuzz_case c CLOSED_BY(fuzz_release);
    fuzz_make(&c, sluice_config_find("tables"), seed);
    struct sluice_model *still CLOSED_BY(close_model) = open_case(&c),
                               *moving CLOSED_BY(close_model) = open_case(&c);
    // Entries do not move beside updates; what counters are asked for there is not of this test.
    const size_t packets = c.packets.num, frames = c.num_updates ? 0 : c.marking.num;
    with += frames != 0;
    size_t next = 0;
    for (size_t i = 0; i < packets; i++) {
      uint8_t a[64], b[64];
      for (; next < frames && next * packets <= i * frames; next++) {
        const struct fuzz_frame *f = &c.marking.items[next];
        struct sluice_reconfig p;
        const bool taken = sluice_model_control(moving, f->bytes, f->len, NULL);
        if (is_write(f, &p) && !sluice_table_is_count(p.table)) {
          assert_true(taken && (p.table == SLUICE_TABLE_TERNARY || p.table == SLUICE_TABLE_CUCKOO));
          if (p.num_entries > 1) again++;
          else moved++;
        } else {
          reads++;
        }
        assert_true(!next || f->time_ns >= f[-1].time_ns);
      }
      if (run(still, &c.packets.items[i], i, a, sizeof a) !=
              run(moving, &c.packets.items[i], i, b, sizeof b) ||
          memcmp(a, b, sizeof a) != 0)
        fail_msg("seed %u: packet %zu sees the frames before number %zu", (unsigned)seed, i, next);
    }
  }
  print_message("%u cases with moves: %u entries written, %u packets of several, %u reads\n", with,
                moved, again, reads);
  assert_true(with > CASES / 2 && moved > 1000 && again > 200 && reads > 100);
}

// A case that fails as long as two entries have moved is left with the first frames alone, and with
// all entries that they need.
static bool two_writes(void *context, const struct fuzz_case *c, uint64_t *packet) {
  (void)context, (void)packet;
  return c->marking.num >= 2;
}
TEST(moves_are_made_smaller_from_the_end) {
  unsigned done = 0;
  for (uint64_t seed = 0; seed < CASES && done < 3; seed++) {
    struct fuzz_case c CLOSED_BY(fuzz_release);
    struct sluice_reconfig p;
    unsigned before = 0, after = 0;
    fuzz_make(&c, sluice_config_find("tables"), seed);
    if (c.marking.num > 10) {
      const struct fuzz_effort effort = {3000, 60.0};
      const uint8_t *first = c.marking.items[0].bytes;
      for (size_t i = 0; i < c.control.num; i++)
        if (is_write(&c.control.items[i], &p) &&
            (p.table == SLUICE_TABLE_TERNARY || p.table == SLUICE_TABLE_CUCKOO))
          before += p.num_entries;
      fuzz_shrink(&c, &effort, two_writes, NULL);
      assert_int_equal(c.marking.num, 2);
      assert_ptr_equal(c.marking.items[0].bytes, first);
      for (size_t i = 0; i < c.control.num; i++) {
        assert_true(is_write(&c.control.items[i], &p) &&
                    (p.table == SLUICE_TABLE_TERNARY || p.table == SLUICE_TABLE_CUCKOO));
        after += p.num_entries;
      }
      assert_int_equal(after, before);
      done++;
    }
  }
  assert_int_equal(done, 3);
}
