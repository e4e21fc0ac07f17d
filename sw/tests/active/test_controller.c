// SPDX-License-Identifier: Apache-2.0
// The controller of programs in packets, on the reference model as a chip: who gets which words,
// what packets see while that changes, what a fault leaves behind, and the frames of the protocol.

#include "tests/rig/test.h"
#include "active/controller.h"
#include "base/bytes.h"
#include "base/layouts.h"
#include "tests/rig/chip_rig.h"
#include "tests/rig/line.h"
#include "transport/filter.h"
#include "tests/rig/scarce.h"

enum { VID = 5, LEN = 100, STAGES = 8, BLOCK = 16, BLOCKS = 8, WORDS = BLOCK * BLOCKS, IDS = 16 };
enum { MARKER = 0x5eed5eed };
enum { READ = 41, WRITE = 40, STORE = 16, NOP_OP = 1 };

// ---- a chip that is watched ---------------------------------------------------------------------

struct rig {
  struct sluice_transport model, line;
  struct sluice_filter wrapped;
  struct sluice_chip *chip;
  struct sluice_controller *c;
  void (*probe)(struct rig *r);  // before each operation of the driver that can change something
  unsigned long ops, fail_from, fail_to;
  bool broken;
  // What packets were seen to reach, one entry for each change.
  uint8_t seen[16][IDS][STAGES];
  unsigned num_seen;
  unsigned watched;  // ids that packets are sent for
  int newcomer;      // whose words must read 0; -1: nobody
};

// A broken line: the operation does nothing. Else the probe looks before what can change something.
static bool before(void *user, enum sluice_filter_call op, uint64_t cycles) {
  struct rig *r = user;
  (void)cycles;
  r->broken = false;
  if (op > SLUICE_FILTER_RECEIVE) return true;  // packets and time are not the driver's line
  const unsigned long n = r->ops++;
  r->broken = n >= r->fail_from && n < r->fail_to;
  if (!r->broken && r->probe && (op == SLUICE_FILTER_WRITE || op == SLUICE_FILTER_SEND))
    r->probe(r);
  return !r->broken;
}
static enum sluice_status after(void *user, enum sluice_status status, struct sluice_error *e) {
  struct rig *r = user;
  return r->broken ? sluice_fail(e, SLUICE_ERR_IO, "the line is broken") : status;
}

static struct sluice_image *forward(const char *chip) {
  return compiled_text("struct Packet { int in @ meta.port_in; int out @ meta.port_out; };\n"
                       "void f(struct Packet p) { p.out = p.in ^ 1; }\n",
                       chip);
}

static void open_chip(struct rig *r, const char *name) {
  memset(r, 0, sizeof *r);
  r->newcomer = -1;
  GOOD(sluice_transport_model(&r->model, name, NULL, &error));
  sluice_filter_init(&r->wrapped, &r->model, r);
  r->wrapped.before = before;
  r->wrapped.after = after;
  r->line = r->wrapped.to;
  GOOD(sluice_chip_open(&r->chip, &r->line, NULL, &error));
}
static void open_with(struct rig *r, const struct sluice_controller_options *options) {
  open_chip(r, "capsules");
  struct sluice_image *image CLOSED_BY(close_image) = forward("capsules");
  assert_non_null(image);
  GOOD(sluice_controller_new(&r->c, r->chip, image, options, &error));
}
static void open_rig(struct rig *r) {
  const struct sluice_controller_options options = {.vid = VID, .block_words = BLOCK};
  open_with(r, &options);
}
static void close_rig(struct rig *r) {
  sluice_controller_free(r->c);
  sluice_chip_close(r->chip);
  sluice_transport_close(&r->model);
}

// ---- capsules -----------------------------------------------------------------------------------

// One access at a stage by an address in argument 0; false: a fault, after which MBR is what it
// was.
static bool access_word(struct rig *r, unsigned fid, unsigned stage, unsigned op, uint32_t address,
                        uint32_t value, uint32_t *got) {
  static struct sluice_packet_out out;
  uint8_t b[LEN] = {
      [12] = 0x81, [15] = VID, [16] = 0x83, [17] = 0xb2,         0x12,        0x34, 0x56,
      0x78,        0,          1,           (uint8_t)(fid >> 8), (uint8_t)fid};
  if (op == READ) value = MARKER;
  for (unsigned i = 0; i < 4; i++) {
    b[28 + i] = (uint8_t)(address >> (24 - 8 * i));
    b[32 + i] = (uint8_t)(value >> (24 - 8 * i));
  }
  for (unsigned i = 0; i < stage; i++) b[45 + 2 * i] = NOP_OP;
  b[45 + 2 * stage] = (uint8_t)op;
  b[47 + 2 * stage] = STORE;
  through(&r->model, 0, b, sizeof b, &out);
  assert_true(out.len && out.port == 1);
  const uint32_t read = sluice_get32(out.bytes + 40);
  const bool yes = op == READ ? read != MARKER : !(out.bytes[23] & 0x80);
  if (got) *got = yes ? read : 0;
  return yes;
}

// Bit b of [id][stage]: block b can be reached, by its first word as by its last.
static void reach(struct rig *r, uint8_t bits[IDS][STAGES]) {
  memset(bits, 0, IDS * STAGES);
  for (unsigned id = 0; id < IDS; id++)
    for (unsigned s = 0; r->watched >> id & 1 && s < STAGES - 1; s++)
      for (unsigned b = 0; b < BLOCKS; b++) {
        uint32_t first = 0, last = 0;
        const bool yes = access_word(r, id, s, READ, b * BLOCK, 0, &first);
        assert_int_equal(access_word(r, id, s, READ, b * BLOCK + BLOCK - 1, 0, &last), yes);
        if (yes) bits[id][s] |= (uint8_t)(1u << b);
        if (yes && r->newcomer == (int)id) assert_true(first == 0 && last == 0);
      }
}
static void record(struct rig *r) {
  uint8_t bits[IDS][STAGES];
  reach(r, bits);
  if (r->num_seen && memcmp(bits, r->seen[r->num_seen - 1], sizeof bits) == 0) return;
  assert_true(r->num_seen < 16);
  memcpy(r->seen[r->num_seen++], bits, sizeof bits);
}

static uint32_t tag(unsigned fid, unsigned stage, uint32_t address) {
  return 0x10000000u * (fid + 1) + 0x10000 * stage + address + 1;
}
static void fill_words(struct rig *r, unsigned fid) {
  struct sluice_controller_tenant t;
  assert_true(sluice_controller_find(r->c, (uint16_t)fid, &t));
  for (unsigned s = 0; s < STAGES; s++)
    for (uint32_t a = t.range[s].first; t.range[s].valid && a <= t.range[s].last; a++)
      assert_true(access_word(r, fid, s, WRITE, a, tag(fid, s, a), NULL));
}
// Its own words hold its own values, all others are a fault.
static void check_words(struct rig *r, unsigned fid) {
  struct sluice_controller_tenant t;
  assert_true(sluice_controller_find(r->c, (uint16_t)fid, &t));
  for (unsigned s = 0; s < STAGES - 1; s++)
    for (uint32_t a = 0; a < 2 * WORDS; a++) {
      uint32_t got;
      const bool own = t.range[s].valid && a >= t.range[s].first && a <= t.range[s].last;
      assert_int_equal(access_word(r, fid, s, READ, a, 0, &got), own);
      if (own) assert_int_equal(got, tag(fid, s, a));
    }
}

// Addresses are the published ones, and the array of the module has the words in the order of their
// numbers, pipeline by pipeline.
static void check_places(struct rig *r, unsigned fid) {
  struct sluice_controller_tenant t;
  assert_true(sluice_controller_find(r->c, (uint16_t)fid, &t));
  for (unsigned s = 0; s < STAGES; s++) {
    if (!t.range[s].valid) continue;
    const struct sluice_allocator *a = sluice_controller_allocator(r->c);
    uint32_t first, last, value;
    char name[24];
    snprintf(name, sizeof name, "memory_%u", s);
    sluice_allocator_words(a, sluice_allocator_find(a, (uint16_t)fid, s), &first, &last);
    assert_true(t.range[s].first == first && t.range[s].last == last);
    for (uint32_t w = first; w <= last; w += last - first) {
      GOOD(sluice_chip_state_read(r->chip, VID, name, w * 2 + t.range[s].pipeline, 1, &value,
                                  &error));
      assert_int_equal(value, tag(fid, s, w));
    }
  }
}

// Accesses at 0 and 2, of seven instructions; `demand` 1: elastic.
static struct sluice_memory_request cache(unsigned fid, unsigned demand) {
  return (struct sluice_memory_request){.fid = (uint16_t)fid,
                                        .length = 5,
                                        .ingress_limit = SLUICE_NO_INGRESS_LIMIT,
                                        .num = 2,
                                        .access = {{0, demand, false}, {2, demand, false}}};
}
static void admit(struct rig *r, unsigned fid, unsigned demand,
                  struct sluice_controller_answer *answer) {
  const struct sluice_memory_request q = cache(fid, demand);
  GOOD(sluice_controller_admit(r->c, &q, answer, &error));
}
// Who has words in `stage` and is not `but`.
static unsigned blocks_of(struct rig *r, unsigned fid) {
  return (unsigned)sluice_allocator_blocks(sluice_controller_allocator(r->c), (uint16_t)fid);
}

// ---- admission ----------------------------------------------------------------------------------

TEST(until_it_is_full) {
  struct rig r CLOSED_BY(close_rig);
  unsigned num = 0, there;
  open_rig(&r);
  for (;; num++) {
    const struct sluice_memory_request q = cache(num, 3);
    const enum sluice_status status = sluice_controller_admit(r.c, &q, NULL, &error);
    if (!status) {
      fill_words(&r, num);
      continue;
    }
    assert_int_equal(status, SLUICE_ERR_FULL);
    break;
  }
  assert_true(num >= 8 && num < IDS);  // it was memory that ended, not ids
  sluice_controller_tenants(r.c, &there);
  assert_int_equal(there, num);
  for (unsigned id = 0; id < num; id++) {
    check_words(&r, id);
    check_places(&r, id);
  }
  const struct sluice_memory_request much = cache(num, 9), far = cache(16, 3), twice = cache(0, 3);
  SAYS(SLUICE_ERR_RANGE, "9 blocks", sluice_controller_admit(r.c, &much, NULL, &error));
  SAYS(SLUICE_ERR_RANGE, "ids 0 to 15", sluice_controller_admit(r.c, &far, NULL, &error));
  SAYS(SLUICE_ERR_RANGE, "program 0 is here already",
       sluice_controller_admit(r.c, &twice, NULL, &error));
  SAYS(SLUICE_ERR_RANGE, "program 17 is not here",
       sluice_controller_release(r.c, 17, NULL, &error));
  for (unsigned id = 0; id < num; id++) check_words(&r, id);
  GOOD(sluice_chip_audit(r.chip, &error));
}

// Caches until one must make room; then everything about that is looked at.
static unsigned crowd(struct rig *r, unsigned first) {
  struct sluice_controller_answer a = {.moved = 0};
  unsigned n = first;
  for (; n < 12; n++) {
    const struct sluice_memory_request q = cache(n, 1);
    const struct sluice_memory_plan *plan;
    // Whether somebody would be moved: a second allocator is not needed, the first can be asked.
    struct sluice_allocator *same =
        (struct sluice_allocator *)(uintptr_t)sluice_controller_allocator(r->c);
    GOOD(sluice_allocator_admit(same, &q, &plan, &error));
    const bool moves = plan->num_moved != 0;
    GOOD(sluice_allocator_undo(same, &error));
    if (moves) return n;
    admit(r, n, 1, &a);
    FIELDS_ARE(&a, (flips, 1), (moved, 0));
    fill_words(r, n);
  }
  fail_msg("nobody must make room");
  return 0;
}

// Residents from `first` on; regions lie in the order of ids, so a newcomer 0 takes the front.
static void one_moment(unsigned first) {
  struct rig r CLOSED_BY(close_rig);
  struct sluice_controller_answer a;
  struct sluice_controller_snapshot w;
  open_rig(&r);
  const unsigned end = crowd(&r, first), n = first ? 0 : end;
  struct sluice_controller_tenant before[IDS], after;
  for (unsigned id = first; id < end; id++) sluice_controller_find(r.c, (uint16_t)id, &before[id]);
  r.watched = (2u << end) - 1;
  r.newcomer = (int)n;
  r.probe = record;
  record(&r);
  admit(&r, n, 1, &a);
  record(&r);
  r.probe = NULL;
  assert_int_equal(a.flips, 2);
  assert_true(a.moved && a.saved && a.by_cut && !a.behind && a.zeroed);
  // Before, without what is lost, after: nothing else was ever seen.
  assert_int_equal(r.num_seen, 3);
  unsigned snapshots = 0;
  for (unsigned id = 0; id < end + !first; id++)
    for (unsigned s = 0; s < STAGES - 1; s++)
      assert_int_equal(r.seen[1][id][s], r.seen[0][id][s] & r.seen[2][id][s]);
  for (unsigned id = first; id < end; id++) {
    assert_true(sluice_controller_find(r.c, (uint16_t)id, &after));
    for (unsigned s = 0; s < STAGES; s++) {
      const bool lost = before[id].range[s].valid &&
                        (after.range[s].first > before[id].range[s].first ||
                         after.range[s].last < before[id].range[s].last);
      assert_int_equal(sluice_controller_snapshot(r.c, (uint16_t)id, s, &w), lost);
      if (!lost) continue;
      snapshots++;
      FIELDS_ARE(&w, (first, before[id].range[s].first),
                 (num, before[id].range[s].last - before[id].range[s].first + 1),
                 (version, before[id].version));
      assert_int_equal(after.version, before[id].version + 1);
      for (unsigned i = 0; i < w.num; i++) assert_int_equal(w.values[i], tag(id, s, w.first + i));
    }
  }
  assert_true(snapshots != 0);
  r.newcomer = -1;
  for (unsigned id = 0; id < end + !first; id++) fill_words(&r, id);
  for (unsigned id = 0; id < end + !first; id++) check_words(&r, id);
  // Both banks are alike: a flip that others cause changes nothing.
  bool flipped;
  GOOD(sluice_chip_active_flip(r.chip, VID, &flipped, NULL, &error));
  assert_true(flipped);
  for (unsigned id = 0; id < end + !first; id++) check_words(&r, id);
  GOOD(sluice_chip_audit(r.chip, &error));
}

TEST(a_change_is_one_moment) { one_moment(0); }
TEST(also_at_the_front) { one_moment(1); }

TEST(who_stays_grows) {
  struct rig r CLOSED_BY(close_rig);
  struct sluice_controller_answer a;
  struct sluice_controller_snapshot w;
  open_rig(&r);
  const unsigned n = crowd(&r, 0);
  unsigned before[IDS], grown = 0, snapshots = 0;
  admit(&r, n, 1, &a);
  for (unsigned id = 0; id <= n; id++) {
    fill_words(&r, id);
    before[id] = blocks_of(&r, id);
  }
  r.watched = (2u << n) - 1;
  r.probe = record;
  record(&r);
  GOOD(sluice_controller_release(r.c, (uint16_t)n, &a, &error));
  record(&r);
  r.probe = NULL;
  assert_int_equal(r.num_seen, 3);
  for (unsigned s = 0; s < STAGES; s++) {
    assert_int_equal(r.seen[1][n][s], 0);
    snapshots += sluice_controller_snapshot(r.c, (uint16_t)n, s, &w);
  }
  assert_int_equal(snapshots, 0);
  for (unsigned id = 0; id < n; id++) grown += blocks_of(&r, id) > before[id];
  assert_true(grown);
  // What is new to them is 0, what was theirs is there.
  for (unsigned id = 0; id < n; id++)
    for (unsigned s = 0; s < STAGES - 1; s++)
      for (uint32_t adr = 0; adr < WORDS; adr++) {
        uint32_t got;
        if (!access_word(&r, id, s, READ, adr, 0, &got)) continue;
        assert_int_equal(got, r.seen[1][id][s] >> adr / BLOCK & 1 ? tag(id, s, adr) : 0);
      }
  for (unsigned id = 0; id < n; id++)
    GOOD(sluice_controller_release(r.c, (uint16_t)id, &a, &error));
  assert_int_equal(sluice_allocator_used(sluice_controller_allocator(r.c)), 0);
  for (unsigned i = 0; i < IDS * STAGES; i++)
    assert_false(sluice_controller_snapshot(r.c, (uint16_t)(i / STAGES), i % STAGES, &w));
  for (unsigned id = 0; id <= n; id++) assert_false(access_word(&r, id, 0, READ, 0, 0, NULL));
}

TEST(addresses_from_zero_and_sharded) {
  struct rig r CLOSED_BY(close_rig);
  struct sluice_controller_tenant t;
  const struct sluice_controller_options options = {
      .vid = VID, .block_words = BLOCK, .from_zero = true, .drop = false};
  open_with(&r, &options);
  struct sluice_memory_request q = cache(1, 4), p = cache(2, 3);
  q.access[0].sharded = q.access[1].sharded = true;
  GOOD(sluice_controller_admit(r.c, &q, NULL, &error));
  GOOD(sluice_controller_admit(r.c, &p, NULL, &error));
  assert_true(sluice_controller_find(r.c, 1, &t));
  unsigned ranges = 0;
  for (unsigned s = 0; s < STAGES; s++) {
    if (!t.range[s].valid) continue;
    ranges++;
    assert_true(t.range[s].sharded && t.range[s].first == 0);
    assert_int_equal(t.range[s].last, 4 * BLOCK - 1);
    // Word w is in pipeline w mod K: entry of the same number of the module's array.
    uint32_t value;
    char name[24];
    snprintf(name, sizeof name, "memory_%u", s);
    const struct sluice_memory_region *g =
        sluice_allocator_find(sluice_controller_allocator(r.c), 1, s);
    assert_true(access_word(&r, 1, s, WRITE, 13, 77, NULL));
    GOOD(sluice_chip_state_read(r.chip, VID, name, g->first * 2u * BLOCK + 13u, 1, &value, &error));
    assert_int_equal(value, 77);
  }
  assert_int_equal(ranges, 2);
  fill_words(&r, 1);
  fill_words(&r, 2);
  check_words(&r, 1);
  check_words(&r, 2);
}

// Words that somebody has had become 0 before the next one gets them, in every pipeline, and nobody
// else's do.
TEST(used_words_become_zero) {
  struct rig r CLOSED_BY(close_rig);
  unsigned num = 0, pipes = 0;
  open_rig(&r);
  for (; num < IDS; num++) {
    const struct sluice_memory_request q = cache(num, 3);
    if (sluice_controller_admit(r.c, &q, NULL, &error)) break;
    fill_words(&r, num);
  }
  for (unsigned id = 0; id < num; id++) {
    struct sluice_controller_tenant t;
    struct sluice_controller_answer a;
    GOOD(sluice_controller_release(r.c, (uint16_t)id, NULL, &error));
    admit(&r, id, 3, &a);
    assert_int_equal(a.zeroed, 2 * 3 * BLOCK);
    assert_true(sluice_controller_find(r.c, (uint16_t)id, &t));
    for (unsigned s = 0; s < STAGES; s++) {
      if (!t.range[s].valid) continue;
      pipes |= 1u << t.range[s].pipeline;
      for (uint32_t at = t.range[s].first; at <= t.range[s].last; at++) {
        uint32_t got;
        assert_true(access_word(&r, id, s, READ, at, 0, &got));
        assert_int_equal(got, 0);
      }
    }
    fill_words(&r, id);
    for (unsigned other = 0; other < num; other++) check_words(&r, other);
  }
  assert_int_equal(pipes, 3);
}

// Words that nobody has had under this controller are not looked at: they must be 0, whatever
// another one has left.
TEST(another_controller_leaves_nothing) {
  struct rig r CLOSED_BY(close_rig);
  const struct sluice_controller_options options = {.vid = VID, .block_words = BLOCK};
  open_rig(&r);
  for (unsigned id = 0; id < 3; id++) {
    admit(&r, id, 1, NULL);
    fill_words(&r, id);
  }
  sluice_controller_free(r.c);
  struct sluice_image *image = forward("capsules");
  GOOD(sluice_controller_new(&r.c, r.chip, image, &options, &error));
  sluice_image_close(image);
  assert_false(access_word(&r, 0, 0, READ, 0, 0, NULL));
  for (unsigned id = 3; id < 6; id++) {
    admit(&r, id, 1, NULL);
    for (unsigned s = 0; s < STAGES - 1; s++)
      for (uint32_t at = 0; at < WORDS; at++) {
        uint32_t got;
        if (access_word(&r, id, s, READ, at, 0, &got)) assert_int_equal(got, 0);
      }
  }
}

// ---- faults -------------------------------------------------------------------------------------

static void same_as(struct rig *r, unsigned n, uint8_t was[IDS][STAGES], uint64_t used) {
  uint8_t is[IDS][STAGES];
  unsigned num;
  reach(r, is);
  assert_memory_equal(is, was, sizeof is);
  sluice_controller_tenants(r->c, &num);
  assert_int_equal(num, n);
  assert_int_equal(sluice_allocator_used(sluice_controller_allocator(r->c)), used);
  for (unsigned id = 0; id < n; id++) check_words(r, id);
}

// The line breaks at operation `at` for so many operations.
static void faults(unsigned long lasts, unsigned long step) {
  struct rig r CLOSED_BY(close_rig);
  uint8_t was[IDS][STAGES];
  unsigned long at = 0, failed = 0;
  open_rig(&r);
  const unsigned n = crowd(&r, 0);
  const uint64_t used = sluice_allocator_used(sluice_controller_allocator(r.c));
  r.watched = (2u << n) - 1;
  reach(&r, was);
  for (;; at += step) {
    const struct sluice_memory_request q = cache(n, 1);
    r.ops = 0;
    r.fail_from = at;
    r.fail_to = lasts ? at + lasts : (unsigned long)-1;
    const enum sluice_status status = sluice_controller_admit(r.c, &q, NULL, &error);
    const unsigned long ops = r.ops;
    r.fail_from = r.fail_to = 0;
    if (!status) {
      // It stands, though the bank that nobody sees may be behind.
      assert_true(at + 60 > ops || lasts);
      GOOD(sluice_controller_release(r.c, (uint16_t)n, NULL, &error));
      for (unsigned id = 0; id < n; id++) fill_words(&r, id);
      if (at >= ops) break;
      same_as(&r, n, was, used);
      continue;
    }
    failed++;
    const struct sluice_memory_request bad = cache(IDS, 1);
    // What could not be taken back is done by the next call, whatever it is about.
    SAYS(SLUICE_ERR_RANGE, "ids 0 to 15", sluice_controller_admit(r.c, &bad, NULL, &error));
    if (failed % 16 == 1 || !lasts) same_as(&r, n, was, used);
  }
  printf("a break of %lu operations at each %luth: %lu of %lu refused\n", lasts, step, failed,
         at / step);
  assert_true(failed > 10);
}
TEST(a_fault_leaves_everything) { faults(1, 7); }
TEST(a_dead_line_is_made_good_later) { faults(0, 13); }

// Memory ends at the n-th call: refused, and everything is as before.
TEST(without_memory) {
  struct rig r CLOSED_BY(close_rig);
  struct scarce pool = {.ends = true};
  const struct sluice_alloc alloc = {scarce_resize, &pool};
  const struct sluice_controller_options options = {
      .vid = VID, .block_words = BLOCK, .alloc = &alloc};
  unsigned long refused = 0;
  open_chip(&r, "capsules");
  struct sluice_image *image = forward("capsules");
  assert_non_null(image);
  enum sluice_status status;
  for (unsigned long n = 0;; n++, refused++) {
    pool.until = (long)n + 1;
    status = sluice_controller_new(&r.c, r.chip, image, &options, &error);
    if (!status) break;
    assert_int_equal(status, SLUICE_ERR_NOMEM);
  }
  assert_true(refused > 20);
  sluice_image_close(image);
  pool.until = 0;
  uint8_t was[IDS][STAGES];
  const unsigned n = crowd(&r, 0);
  const uint64_t used = sluice_allocator_used(sluice_controller_allocator(r.c));
  const struct sluice_memory_request q = cache(n, 1);
  r.watched = (2u << n) - 1;
  reach(&r, was);
  for (refused = 0;; refused++) {
    pool.until = (long)refused + 1;
    status = sluice_controller_admit(r.c, &q, NULL, &error);
    pool.until = 0;
    if (!status) break;
    assert_int_equal(status, SLUICE_ERR_NOMEM);
    const struct sluice_memory_request bad = cache(IDS, 1);
    SAYS(SLUICE_ERR_RANGE, "ids 0 to 15", sluice_controller_admit(r.c, &bad, NULL, &error));
    same_as(&r, n, was, used);
  }
  assert_true(refused > 2);
  fill_words(&r, n);
  for (unsigned id = 0; id < n; id++) fill_words(&r, id);
  for (unsigned id = 0; id <= n; id++) check_words(&r, id);
}

TEST(what_is_refused) {
  struct rig r CLOSED_BY(close_rig);
  struct sluice_controller *c;
  struct sluice_controller_options options = {.vid = VID, .block_words = BLOCK};
  open_chip(&r, "banks");
  SAYS(SLUICE_ERR_RANGE, "executes no capsules",
       sluice_controller_new(&c, r.chip, NULL, &options, &error));
  close_rig(&r);
  open_chip(&r, "capsules");
  struct sluice_image *image CLOSED_BY(close_image) = counter("count", 3, "capsules");
  SAYS(SLUICE_ERR_RANGE, "array 'count'",
       sluice_controller_new(&c, r.chip, image, &options, &error));
  options.words = 129;
  SAYS(SLUICE_ERR_RANGE, "128 can be had",
       sluice_controller_new(&c, r.chip, NULL, &options, &error));
  options.words = 64;
  GOOD(sluice_controller_new(&r.c, r.chip, NULL, &options, &error));
  // Another module's id.
  struct sluice_image *other CLOSED_BY(close_image) = forward("capsules");
  const struct sluice_active_tenant theirs = {.valid = true};
  GOOD(sluice_chip_load(r.chip, other, VID + 1, &error));
  GOOD(sluice_chip_tenant_set(r.chip, VID + 1, 0, 4, &theirs, &error));
  const struct sluice_memory_request q = cache(4, 1);
  SAYS(SLUICE_ERR_RANGE, "module row 6", sluice_controller_admit(r.c, &q, NULL, &error));
  GOOD(sluice_chip_replace(r.chip, other, VID, &error));
  SAYS(SLUICE_ERR_RANGE, "another program", sluice_controller_admit(r.c, &q, NULL, &error));
}

// ---- frames -------------------------------------------------------------------------------------

struct post {
  unsigned num;
  size_t len[8];
  uint8_t frame[8][512];
};
static void take(void *user, const uint8_t *frame, size_t len) {
  struct post *p = user;
  assert_true(p->num < 8 && len <= sizeof p->frame[0]);
  memcpy(p->frame[p->num], frame, p->len[p->num] = len);
  p->num++;
}

// Header and what is behind it; the client's address ends with its id.
static size_t frame_of(uint8_t *b, unsigned fid, unsigned flags, const uint8_t *body, size_t len) {
  memset(b, 0, 128);
  b[5] = 0xee;
  b[11] = (uint8_t)fid;
  b[12] = 0x81, b[15] = VID, b[16] = 0x83, b[17] = 0xb2;
  b[18] = 0x12, b[19] = 0x34, b[20] = 0x56, b[21] = 0x78;
  sluice_put16(b + 22, flags);
  sluice_put16(b + 24, fid);
  if (len) memcpy(b + 28, body, len);
  const size_t all = 28 + len;
  // An IPv4 packet of 20 bytes, 10.0.0.1 to 10.0.0.2.
  b[all] = 0x45, b[all + 12] = 10, b[all + 15] = 1, b[all + 16] = 10, b[all + 19] = 2;
  return all + 20 < 64 ? 64 : all + 20;
}
static const uint8_t asks[19] = {0, 5, 255, 0, 2, 0, 0, 0, 0, 0, 0, 1, 1}, leaves[19] = {0, 5, 255};

static unsigned say(struct rig *r, struct post *p, unsigned fid, unsigned flags,
                    const uint8_t *body, size_t len, uint64_t now) {
  uint8_t b[128];
  p->num = 0;
  const size_t all = frame_of(b, fid, flags, body, len);
  GOOD(sluice_controller_frame(r->c, b, all, now, take, p, &error));
  return p->num;
}
static unsigned flags_of(const struct post *p, unsigned n) {
  return sluice_get16(p->frame[n] + 22);
}
TEST(frames_byte_by_byte) {
  struct rig r CLOSED_BY(close_rig);
  static struct post p;
  uint8_t b[512], whole[512];
  open_rig(&r);
  // Unknown: neither flag.
  assert_int_equal(say(&r, &p, 3, 0x0020, NULL, 0, 0), 1);
  assert_int_equal(flags_of(&p, 0), 0x0020);
  assert_int_equal(p.len[0], 64);
  // The echo is the request with its addresses changed.
  assert_int_equal(say(&r, &p, 3, 0x0010, asks, sizeof asks, 1), 1);
  size_t len = frame_of(b, 3, 0x0010, asks, sizeof asks);
  memcpy(whole, b, len);
  memcpy(whole, b + 6, 6);
  memcpy(whole + 6, b, 6);
  memcpy(whole + 47 + 12, b + 47 + 16, 4);
  memcpy(whole + 47 + 16, b + 47 + 12, 4);
  assert_int_equal(p.len[0], len);
  assert_memory_equal(p.frame[0], whole, len);
  // Again: echoed, not decided again.
  assert_int_equal(say(&r, &p, 3, 0x0010, asks, sizeof asks, 2), 1);
  assert_string_equal(sluice_controller_reason(r.c), "");
  assert_int_equal(say(&r, &p, 3, 0x0020, NULL, 0, 3), 1);
  assert_int_equal(flags_of(&p, 0), 0x0028);
  assert_int_equal(p.len[0], 64 + 160);
  assert_int_equal(sluice_get16(p.frame[0] + 26), 1);  // version
  struct sluice_controller_tenant t;
  assert_true(sluice_controller_find(r.c, 3, &t));
  unsigned ranges = 0;
  for (unsigned s = 0; s < 20; s++) {
    const uint32_t first = sluice_get32(p.frame[0] + 28 + 8 * s),
                   last = sluice_get32(p.frame[0] + 32 + 8 * s);
    ranges += last != 0;
    assert_int_equal(first, s < STAGES && t.range[s].valid ? t.range[s].first : 0);
    assert_int_equal(last, s < STAGES && t.range[s].valid ? t.range[s].last : 0);
    if (last) assert_true(access_word(&r, 3, s, WRITE, last, 9, NULL));
    if (last) assert_false(access_word(&r, 3, s, WRITE, last + 1, 9, NULL));
  }
  assert_int_equal(ranges, 2);
  assert_int_equal(p.frame[0][28 + 160 + 15], 2);  // IPv4 addresses too
  // An impossible one is echoed and refused.
  assert_int_equal(say(&r, &p, 200, 0x0010, asks, sizeof asks, 4), 1);
  assert_non_null(strstr(sluice_controller_reason(r.c), "ids 0 to 15"));
  assert_int_equal(say(&r, &p, 200, 0x0020, NULL, 0, 5), 1);
  assert_int_equal(flags_of(&p, 0), 0x0020);
  // Release, and reset.
  assert_int_equal(say(&r, &p, 3, 0x0010, leaves, sizeof leaves, 6), 1);
  assert_false(sluice_controller_find(r.c, 3, &t));
  say(&r, &p, 4, 0x0010, asks, sizeof asks, 7);
  say(&r, &p, 5, 0x0010, asks, sizeof asks, 8);
  assert_true(sluice_controller_find(r.c, 5, &t));
  say(&r, &p, 255, 0x0010, leaves, sizeof leaves, 9);
  assert_false(sluice_controller_find(r.c, 4, &t) || sluice_controller_find(r.c, 5, &t));
  SAYS(SLUICE_ERR_FORMAT, "no capsule",
       sluice_controller_frame(r.c, b + 5, 59, 10, take, &p, &error));
}

// Clients until one must make room; returns its number and asks for it at time 100.
static unsigned crowd_by_frames(struct rig *r, struct post *p) {
  unsigned n = 0;
  const struct sluice_controller_options options = {
      .vid = VID, .block_words = BLOCK, .wait = 1000, .dead = 300};
  open_with(r, &options);
  for (; n < 12; n++) {
    say(r, p, n, 0x0010, asks, sizeof asks, 100);
    say(r, p, n, 0x0020, NULL, 0, 100);
    if (flags_of(p, 0) & 4) return n;
    assert_int_equal(flags_of(p, 0), 0x0028);
  }
  fail_msg("nobody must make room");
  return 0;
}
static unsigned moved_of(struct rig *r, struct post *p, unsigned n, unsigned *list, uint64_t now) {
  unsigned num = 0;
  for (unsigned id = 0; id < n; id++) {
    say(r, p, id, 0x0020, NULL, 0, now);
    if (flags_of(p, 0) == 0x0068) list[num++] = id;
  }
  return num;
}

TEST(residents_acknowledge) {
  struct rig r CLOSED_BY(close_rig);
  static struct post p;
  unsigned moved[IDS];
  struct sluice_controller_tenant t, old;
  static const uint8_t more[19] = {0, 6, 255, 0, 1, 2, 3, 0, 0, 0, 0, 1, 1, 1, 1};
  const unsigned n = crowd_by_frames(&r, &p);
  say(&r, &p, n, 0x0010, leaves, sizeof leaves, 100);
  say(&r, &p, n, 0x0010, more, sizeof more, 100);
  const unsigned num = moved_of(&r, &p, n, moved, 101);
  assert_true(num > 1);
  assert_false(sluice_controller_find(r.c, (uint16_t)n, &t));
  // Nobody else is decided meanwhile, or echoed.
  assert_int_equal(say(&r, &p, 15, 0x0010, asks, sizeof asks, 102), 0);
  const struct sluice_memory_request q = cache(14, 1);
  SAYS(SLUICE_ERR_RANGE, "waits", sluice_controller_admit(r.c, &q, NULL, &error));
  assert_true(sluice_controller_find(r.c, (uint16_t)moved[0], &old));
  uint8_t args[20] = {[17] = 1};
  for (unsigned i = num; i-- > 0;) {
    assert_false(sluice_controller_find(r.c, (uint16_t)n, &t));
    // The last acknowledgement brings the change, and all who are concerned are told.
    assert_int_equal(say(&r, &p, moved[i], 0x8240, args, sizeof args, 103), i ? 0 : num);
  }
  assert_true(sluice_controller_find(r.c, (uint16_t)n, &t));
  assert_int_equal(flags_of(&p, 0), 0x0028);
  FIELDS_ARE(&p, (frame[0][27], old.version + 1), (frame[0][5], moved[0]));
  say(&r, &p, moved[0], 0x0020, NULL, 0, 104);
  assert_int_equal(flags_of(&p, 0), 0x0028);
  say(&r, &p, n, 0x0020, NULL, 0, 104);
  assert_int_equal(flags_of(&p, 0), 0x0028);
}

TEST(a_dead_client_holds_up_nobody) {
  struct rig r CLOSED_BY(close_rig);
  static struct post p;
  struct sluice_controller_tenant t;
  const unsigned n = crowd_by_frames(&r, &p);
  // Silent since 100, except for the newcomer, who polls.
  say(&r, &p, n, 0x0020, NULL, 0, 399);
  assert_int_equal(flags_of(&p, 0), 0x0024);
  GOOD(sluice_controller_tick(r.c, 399, take, &p, &error));
  assert_false(sluice_controller_find(r.c, (uint16_t)n, &t));
  GOOD(sluice_controller_tick(r.c, 400, take, &p, &error));
  assert_true(sluice_controller_find(r.c, (uint16_t)n, &t));
}

TEST(nobody_waits_for_ever) {
  struct rig r CLOSED_BY(close_rig);
  static struct post p;
  unsigned moved[IDS];
  struct sluice_controller_tenant t;
  const unsigned n = crowd_by_frames(&r, &p);
  for (unsigned now = 200; now < 1100; now += 100) {
    assert_true(moved_of(&r, &p, n, moved, now) != 0);
    assert_false(sluice_controller_find(r.c, (uint16_t)n, &t));
  }
  GOOD(sluice_controller_tick(r.c, 1100, take, &p, &error));
  assert_true(sluice_controller_find(r.c, (uint16_t)n, &t));
}

TEST(who_waits_can_give_up) {
  struct rig r CLOSED_BY(close_rig);
  static struct post p;
  unsigned moved[IDS];
  struct sluice_controller_tenant t;
  const unsigned n = crowd_by_frames(&r, &p);
  assert_int_equal(say(&r, &p, n, 0x0010, leaves, sizeof leaves, 150), 1);
  assert_int_equal(moved_of(&r, &p, n, moved, 151), 0);
  assert_false(sluice_controller_find(r.c, (uint16_t)n, &t));
  GOOD(sluice_controller_release(r.c, 0, NULL, &error));
}
