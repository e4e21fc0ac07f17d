// SPDX-License-Identifier: Apache-2.0
// Where entries of the cuckoo engine stand: up to a load of 0.9 every key finds a place, and no
// write on the way hides an entry. Lookups are those of docs/machine.md, with the hash written
// apart, bit by bit.

#include "tests/rig/test.h"
#include "base/rng.h"
#include "driver/tables/cuckoo.h"

enum { MOST = 4096, KEY_BYTES = 26 };
typedef uint8_t key[KEY_BYTES];

static unsigned seeds(void) {
  const char *text = getenv("SLUICE_CUCKOO_SEEDS");
  return text ? (unsigned)strtoul(text, NULL, 10) : 50;
}

// Division of the 201 bits, and 64 zeros behind them, by the polynomial.
static uint64_t divided(const key k) {
  uint64_t rest = 0;
  for (unsigned bit = 7; bit < 208 + 64; bit++) {
    const uint64_t next = bit < 208 ? (unsigned)k[bit / 8] >> (7 - bit % 8) & 1u : 0,
                   out = rest >> 63;
    rest = rest << 1 | next;
    if (out) rest ^= UINT64_C(0x42f0e1eba9ea3693);
  }
  return rest;
}

static uint64_t mixed(const key k) {
  uint64_t h = divided(k), a = 0, b = 0;
  for (unsigned bit = 0; bit < 64; bit++) {
    a |= (h >> bit & 1) << (bit + 21) % 64;
    b |= (h >> bit & 1) << (bit + 42) % 64;
  }
  return h ^ (~a & b);
}

// The hash of the driver, which takes VLAN id and key apart.
static uint64_t hash_of(const key k) {
  uint64_t words[SLUICE_CUCKOO_KEY_WORDS] = {0};
  for (unsigned b = 0; b < 193; b++)
    words[b / 64] |= (uint64_t)((unsigned)k[(207 - b) / 8] >> b % 8 & 1u) << b % 64;
  return sluice_cuckoo_hash((k[0] & 1u) << 7 | k[1] >> 1, words);
}

// ---- the four memories --------------------------------------------------------------------------

struct memories {
  unsigned size;
  uint32_t id[MOST];
  key keys[MOST];  // by id
  uint64_t hash[MOST];
};

static bool visible(const struct memories *m, uint32_t id) {
  for (unsigned w = 0; w < 4; w++)
    if (m->id[w * (m->size / 4) + (m->hash[id] >> 16 * w) % 65536 % (m->size / 4)] == id)
      return true;
  return false;
}

static void apply(struct memories *m, const struct sluice_moves *moves, uint32_t gone) {
  for (size_t i = 0; i < moves->num; i++) {
    const struct sluice_move *v = &moves->list[i];
    const uint32_t over = m->id[v->at];
    assert_int_equal(over, v->from.id);
    // The only write of the list that goes over an entry is one that waits until this entry's other
    // place is written.
    if (over != SLUICE_NO_ENTRY && over != gone) assert_true(v->settled);
    m->id[v->at] = v->to.id;
    if (over != SLUICE_NO_ENTRY && over != gone) assert_true(visible(m, over));
  }
}

enum kind { RANDOM, IN_A_ROW, NETWORKS };
static void make_key(key k, enum kind kind, unsigned n, struct sluice_rng *rng, uint32_t base) {
  memset(k, 0, sizeof(key));
  if (kind == RANDOM) {
    for (unsigned i = 1; i < sizeof(key); i++) k[i] = (uint8_t)sluice_rng_next(rng);
    k[0] = (uint8_t)(sluice_rng_next(rng) & 1);
    return;
  }
  // A 4-byte container, bits 96..65 of KEY: one address after the other, or 64 hosts in each of
  // many networks.
  const uint32_t value = kind == IN_A_ROW ? base + n : base + ((uint32_t)(n / 64) << 8) + n % 64;
  for (unsigned bit = 0; bit < 32; bit++)
    if (value >> bit & 1) k[(207 - 65 - bit) / 8] |= (uint8_t)(0x80u >> (207 - 65 - bit) % 8);
}

static void fill(unsigned size, enum kind kind, unsigned seed, unsigned *moved, unsigned *longest) {
  static struct memories m;
  struct sluice_engine e CLOSED_BY(sluice_engine_release);
  struct sluice_moves moves CLOSED_BY(sluice_moves_release) = {0};
  struct sluice_rng rng;
  struct sluice_error error;
  const unsigned load = size * 9 / 10;
  sluice_rng_init(&rng, seed, "cuckoo");
  const uint32_t base = (uint32_t)sluice_rng_next(&rng);
  assert_true(sluice_engine_init(&e, size, NULL));
  m.size = size;
  memset(m.id, 0xff, sizeof m.id);
  for (unsigned n = 0; n < load; n++) {
    make_key(m.keys[n], kind, n, &rng, base);
    m.hash[n] = hash_of(m.keys[n]);
    moves.num = 0;
    if (sluice_cuckoo_insert(&e, n, m.hash[n], &moves, &error)) fail_msg("%s", error.text);
    apply(&m, &moves, SLUICE_NO_ENTRY);
    assert_true(visible(&m, n));
    *moved += (unsigned)moves.num - 1;
    if (moves.num - 1 > *longest) *longest = (unsigned)moves.num - 1;
  }
  assert_int_equal(e.used, load);
  for (unsigned n = 0; n < load; n++) {
    if (n % 16 == 0) assert_true(mixed(m.keys[n]) == m.hash[n]);
    assert_true(visible(&m, n));
    assert_true(m.id[sluice_cuckoo_find(&e, n, m.hash[n])] == n);
  }
}

TEST(nine_tenths_are_reached) {
  static const char *const names[] = {"random", "one after the other", "64 hosts in many networks"};
  for (unsigned size = 256; size <= 4096; size *= 4)
    for (unsigned kind = RANDOM; kind <= NETWORKS; kind++) {
      unsigned moved = 0, longest = 0;
      for (unsigned seed = 0; seed < seeds(); seed++)
        fill(size, (enum kind)kind, seed, &moved, &longest);
      printf("%u entries, %s: %.3f moves an insertion, %u at most\n", size, names[kind],
             (double)moved / (seeds() * (size * 9 / 10)), longest);
      assert_true(moved > 0);
    }
}

// Insertions, removals and undone insertions at a load around 0.9; after each write all entries are
// looked for.
TEST(no_write_hides_an_entry) {
  enum { SIZE = 64, IDS = 2000 };
  static struct memories m;
  for (unsigned seed = 0; seed < 20; seed++) {
    struct sluice_engine e;
    struct sluice_moves moves = {0};
    struct sluice_rng rng;
    bool there[IDS] = {false};
    unsigned chains = 0;
    sluice_rng_init(&rng, seed, "hides");
    assert_true(sluice_engine_init(&e, SIZE, NULL));
    m.size = SIZE;
    memset(m.id, 0xff, sizeof m.id);
    for (unsigned n = 0; n < IDS; n++) {
      make_key(m.keys[n], RANDOM, n, &rng, 0);
      m.hash[n] = hash_of(m.keys[n]);
      uint32_t gone = SLUICE_NO_ENTRY;
      if (e.used > SIZE * 9 / 10) {
        do gone = (uint32_t)sluice_rng_below(&rng, n);
        while (!there[gone]);
        moves.num = 0;
        assert_true(
            sluice_engine_put(&e, &moves, sluice_cuckoo_find(&e, gone, m.hash[gone]), NULL, false));
        apply(&m, &moves, gone);
        there[gone] = false;
        assert_false(visible(&m, gone));
      }
      moves.num = 0;
      // 64 places fill up earlier than 256 do
      if (sluice_cuckoo_insert(&e, n, m.hash[n], &moves, NULL)) {
        assert_int_equal(moves.num, 0);
        continue;
      }
      chains += moves.num > 1;
      for (size_t i = 0; i < moves.num; i++) {
        m.id[moves.list[i].at] = moves.list[i].to.id;
        for (unsigned k = 0; k < n; k++) assert_true(visible(&m, k) == there[k]);
      }
      assert_true(visible(&m, n));
      there[n] = true;
      if (sluice_rng_below(&rng, 3)) continue;
      for (size_t i = moves.num; i-- > 0;) {
        m.id[moves.list[i].at] = moves.list[i].from.id;
        for (unsigned k = 0; k < n; k++) assert_true(visible(&m, k) == there[k]);
      }
      sluice_engine_undo(&e, &moves, 0);
      there[n] = false;
      for (unsigned i = 0; i < SIZE; i++) assert_int_equal(m.id[i], e.slots[i].id);
    }
    assert_true(chains > 20);
    sluice_moves_release(&moves);
    sluice_engine_release(&e);
  }
}

TEST(what_does_not_fit_changes_nothing) {
  struct sluice_engine e CLOSED_BY(sluice_engine_release);
  struct sluice_moves moves CLOSED_BY(sluice_moves_release) = {0};
  struct sluice_error error;
  const uint64_t same = UINT64_C(0x0000000300020001);
  assert_true(sluice_engine_init(&e, 16, NULL));
  for (uint32_t id = 0; id < 4; id++)
    assert_int_equal(sluice_cuckoo_insert(&e, id, same, &moves, &error), SLUICE_OK);
  assert_int_equal(sluice_cuckoo_insert(&e, 4, same, &moves, &error), SLUICE_ERR_FULL);
  assert_non_null(strstr(error.text, "4 of 16 entries are used"));
  assert_int_equal(moves.num, 4);
  assert_int_equal(sluice_cuckoo_find(&e, 4, same), 16);
}
