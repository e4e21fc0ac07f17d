// SPDX-License-Identifier: Apache-2.0
// Where entries of the ternary engine stand. After each write, what a packet finds is what it found
// before the insertion or what it finds after it, as a plain list says; longest prefixes are
// compared with a binary trie.

#include "tests/rig/test.h"
#include "base/rng.h"
#include "driver/tables/ternary.h"

enum { MOST = 1024, IDS = 4096 };

// An entry of the test: key and care bits, in a group.
struct entry {
  uint32_t key, care, group;
  uint64_t rank;
  bool there;
};
static struct entry entries[IDS];

// The engine as docs/machine.md says: the lowest entry of the module that matches.
static uint32_t memory[MOST];
static uint32_t engine_finds(unsigned size, uint32_t group, uint32_t key) {
  for (unsigned at = 0; at < size; at++) {
    const struct entry *e = memory[at] == SLUICE_NO_ENTRY ? NULL : &entries[memory[at]];
    if (e && e->group == group && ((key ^ e->key) & e->care) == 0) return memory[at];
  }
  return SLUICE_NO_ENTRY;
}
// The list knows no places: of all entries that match, that of the lowest rank.
static uint32_t list_finds(unsigned num, uint32_t group, uint32_t key) {
  uint32_t best = SLUICE_NO_ENTRY;
  for (unsigned n = 0; n < num; n++) {
    const struct entry *e = &entries[n];
    if (!e->there || e->group != group || ((key ^ e->key) & e->care) != 0) continue;
    if (best == SLUICE_NO_ENTRY || e->rank < entries[best].rank) best = n;
  }
  return best;
}

static uint32_t some_key(struct sluice_rng *rng) { return (uint32_t)sluice_rng_below(rng, 256); }

// Writes one after the other; before the last one packets find the old set, after it the new one.
static void insert_and_look(struct sluice_engine *e, uint32_t id, struct sluice_moves *moves,
                            unsigned groups) {
  const struct entry *new = &entries[id];
  moves->num = 0;
  assert_int_equal(sluice_ternary_insert(e, id, new->group, new->rank, moves, NULL), SLUICE_OK);
  for (size_t i = 0; i < moves->num; i++) {
    const struct sluice_move *m = &moves->list[i];
    assert_int_equal(memory[m->at], m->from.id);
    assert_true(m->settled == (m->from.id != SLUICE_NO_ENTRY));
    memory[m->at] = m->to.id;
    entries[id].there = i + 1 == moves->num;
    for (uint32_t g = 0; g < groups; g++)
      for (uint32_t key = 0; key < 256; key++)
        assert_int_equal(engine_finds(e->size, g, key), list_finds(id + 1, g, key));
  }
}

TEST(every_write_shows_the_old_or_the_new_set) {
  enum { SIZE = 24, ROUNDS = 150 };
  unsigned moved = 0;
  for (unsigned seed = 0; seed < 20; seed++) {
    struct sluice_engine e;
    struct sluice_moves moves = {0};
    struct sluice_rng rng;
    const unsigned groups = 1 + seed % 3;
    sluice_rng_init(&rng, seed, "ternary");
    assert_true(sluice_engine_init(&e, SIZE, NULL));
    memset(memory, 0xff, sizeof memory);
    for (unsigned n = 0; n < ROUNDS; n++) {
      if (e.used == SIZE || (e.used && sluice_rng_below(&rng, 8) == 0)) {
        unsigned at = (unsigned)sluice_rng_below(&rng, SIZE);
        while (at < SIZE && e.slots[at].id == SLUICE_NO_ENTRY) at++;
        if (at < SIZE) {
          const uint32_t gone = e.slots[at].id;
          assert_int_equal(sluice_ternary_find(&e, gone), at);
          assert_true(sluice_engine_put(&e, &moves, at, NULL, false));
          memory[at] = SLUICE_NO_ENTRY;
          entries[gone].there = false;
        }
      }
      entries[n] = (struct entry){.key = some_key(&rng),
                                  .care = some_key(&rng) & some_key(&rng),
                                  .group = (uint32_t)sluice_rng_below(&rng, groups)};
      entries[n].rank = sluice_ternary_rank((uint32_t)sluice_rng_below(&rng, 6), n);
      if (e.used == SIZE) {
        entries[n].there = false;
        moves.num = 0;
        assert_int_equal(
            sluice_ternary_insert(&e, n, entries[n].group, entries[n].rank, &moves, NULL),
            SLUICE_ERR_FULL);
        assert_int_equal(moves.num, 0);
        continue;
      }
      insert_and_look(&e, n, &moves, groups);
      moved += (unsigned)moves.num - 1;
      if (n % 5) continue;
      // Undone, the same way back.
      for (size_t i = moves.num; i-- > 0;) {
        memory[moves.list[i].at] = moves.list[i].from.id;
        entries[n].there = false;
        for (uint32_t g = 0; g < groups; g++)
          for (uint32_t key = 0; key < 256; key++)
            assert_int_equal(engine_finds(SIZE, g, key), list_finds(n + 1, g, key));
      }
      sluice_engine_undo(&e, &moves, 0);
      for (unsigned i = 0; i < SIZE; i++) assert_int_equal(memory[i], e.slots[i].id);
    }
    sluice_moves_release(&moves);
    sluice_engine_release(&e);
  }
  assert_true(moved > 500);
}

// The example of ternary.h, and a place between entries of another group, whatever their ranks.
TEST(entries_of_other_groups_stay_where_they_are) {
  struct sluice_engine e CLOSED_BY(sluice_engine_release);
  struct sluice_moves moves CLOSED_BY(sluice_moves_release) = {0},
                            before CLOSED_BY(sluice_moves_release) = {0};
  const struct sluice_slot a = {.id = 0, .group = 1, .rank = 1},
                           x = {.id = 1, .group = 2, .rank = 9},
                           b = {.id = 2, .group = 1, .rank = 3};
  assert_true(sluice_engine_init(&e, 4, NULL));
  assert_true(sluice_engine_put(&e, &before, 0, &a, false) &&
              sluice_engine_put(&e, &before, 1, &x, false) &&
              sluice_engine_put(&e, &before, 2, &b, false));
  assert_int_equal(sluice_ternary_insert(&e, 3, 1, 2, &moves, NULL), SLUICE_OK);
  FIELDS_ARE(&moves, (num, 2), (list[0].at, 3), (list[0].to.id, 2), (list[1].at, 2));
  assert_int_equal(e.slots[1].id, 1);
  sluice_engine_undo(&e, &moves, 0);
  // x, now behind b, makes room for one of its own group: it goes over b, which stays.
  assert_true(sluice_engine_put(&e, &before, 1, NULL, false) &&
              sluice_engine_put(&e, &before, 3, &x, false));
  assert_int_equal(sluice_ternary_insert(&e, 3, 2, 10, &moves, NULL), SLUICE_OK);
  assert_int_equal(moves.num, 2);
  FIELDS_ARE(&e, (slots[0].id, 0), (slots[2].id, 2), (slots[1].id, 1), (slots[3].id, 3));
}

// ---- longest prefix -----------------------------------------------------------------------------

// A binary trie that knows neither ranks nor places.
struct node {
  uint32_t child[2], id;
};
static struct node nodes[MOST * 33];
static uint32_t num_nodes;

static uint32_t new_node(void) {
  nodes[num_nodes] = (struct node){{0, 0}, SLUICE_NO_ENTRY};
  return num_nodes++;
}
static uint32_t *trie_at(uint32_t prefix, unsigned len) {
  uint32_t at = 0;
  for (unsigned bit = 0; bit < len; bit++) {
    const unsigned side = prefix >> (31 - bit) & 1;
    if (!nodes[at].child[side]) {
      const uint32_t made = new_node();
      nodes[at].child[side] = made;
    }
    at = nodes[at].child[side];
  }
  return &nodes[at].id;
}
static uint32_t trie_finds(uint32_t key) {
  uint32_t best = nodes[0].id;
  for (uint32_t at = 0, bit = 0; bit < 32; bit++) {
    at = nodes[at].child[key >> (31 - bit) & 1];
    if (!at) break;
    if (nodes[at].id != SLUICE_NO_ENTRY) best = nodes[at].id;
  }
  return best;
}

// Prefixes by length, 8 to 32, of an IPv4 route file of RIPE's route collectors, as counted in the
// README of github.com/zhu849/IP-Address-Lookup-Algorithms, prefix_len_anaysis (read in 2026). Used
// as shares.
static const struct {
  unsigned len, share;
} shares[] = {{8, 3},      {9, 3},       {10, 11},   {11, 29},    {12, 117},
              {13, 193},   {14, 341},    {15, 552},  {16, 2454},  {17, 1880},
              {18, 3792},  {19, 6761},   {20, 9161}, {21, 11054}, {22, 22947},
              {23, 19978}, {24, 117227}, {25, 5},    {26, 4},     {27, 3},
              {28, 2},     {29, 5},      {30, 13},   {31, 5},     {32, 186}};
static unsigned some_length(struct sluice_rng *rng) {
  unsigned all = 0;
  for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) all += shares[i].share;
  unsigned n = (unsigned)sluice_rng_below(rng, all), i = 0;
  while (n >= shares[i].share) n -= shares[i++].share;
  return shares[i].len;
}

TEST(longest_prefixes_are_those_of_a_trie) {
  struct sluice_engine e CLOSED_BY(sluice_engine_release);
  struct sluice_moves moves CLOSED_BY(sluice_moves_release) = {0};
  struct sluice_rng rng;
  unsigned moved = 0, longest = 0, hits = 0;
  sluice_rng_init(&rng, 1, "prefixes");
  assert_true(sluice_engine_init(&e, MOST, NULL));
  memset(memory, 0xff, sizeof memory);
  num_nodes = 0;
  new_node();
  for (unsigned n = 0; n < MOST;) {
    const unsigned len = some_length(&rng);
    const uint32_t care = UINT32_MAX << (32 - len);
    // Half of them inside one that is there already, so that prefixes cover each other.
    const uint32_t inside = n && sluice_rng_below(&rng, 2) ? (uint32_t)sluice_rng_below(&rng, n)
                                                           : SLUICE_NO_ENTRY;
    uint32_t key = (uint32_t)sluice_rng_next(&rng);
    if (inside != SLUICE_NO_ENTRY) key = (key & ~entries[inside].care) | entries[inside].key;
    key &= care;
    if (*trie_at(key, len) != SLUICE_NO_ENTRY) continue;
    entries[n] = (struct entry){key, care, 0, 32 - len, true};
    moves.num = 0;
    assert_int_equal(sluice_ternary_insert(&e, n, 0, 32 - len, &moves, NULL), SLUICE_OK);
    moved += (unsigned)moves.num - 1;
    if (moves.num - 1 > longest) longest = (unsigned)moves.num - 1;
    for (size_t i = 0; i < moves.num; i++) {
      memory[moves.list[i].at] = moves.list[i].to.id;
      if (i + 1 == moves.num) *trie_at(key, len) = n;
      for (unsigned k = 0; k < 20; k++) {
        // Inside the new prefix, inside another one, anywhere.
        uint32_t look = (uint32_t)sluice_rng_next(&rng);
        const struct entry *in = k % 3 == 0   ? &entries[n]
                                 : k % 3 == 1 ? &entries[sluice_rng_below(&rng, n + 1)]
                                              : NULL;
        if (in) look = (look & ~in->care) | in->key;
        const uint32_t want = trie_finds(look);
        assert_int_equal(engine_finds(MOST, 0, look), want);
        hits += want != SLUICE_NO_ENTRY;
      }
    }
    n++;
  }
  printf("%u prefixes: %.2f moves an insertion, %u at most\n", MOST, (double)moved / MOST, longest);
  assert_true(longest <= 32);
  assert_true(hits > 10000);
}
