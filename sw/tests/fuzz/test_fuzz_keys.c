// SPDX-License-Identifier: Apache-2.0
// Keys that the fuzzer makes, on a chip made of paper, under the checker: lookups while entries are
// written, which take effect some cycles behind the packet that writes them. Mutants of the lookups
// are found.
#include "tests/rig/fuzz_rig.h"
#include "tests/rig/environment.h"
#include "tests/rig/paper.h"

#include "base/cuckoo.h"
#include "driver/wire/wire.h"

#define CASES ((unsigned)from_environment("SLUICE_CASES", 30))
enum { PACKETS = 1500, KEPT = 64 };

// SWAP: two keys of a packet in one bank of the table get each other's words. STALE: what was found
// for a key is kept, whatever is written. STAY: a key without an entry becomes 0 in any case.
// NO_KEY: a word that is no key has a bit of FOUND. NEIGHBOUR: the next bank is looked at. VID,
// BANK: an entry of another module or of the other configuration bank is taken. HIGHEST: the
// highest way wins. CUT: a word that is not all in the packet is a key. HIDDEN: a key has an entry,
// and no bit. ERASED: an entry that is not valid is taken.
enum mutant {
  NONE,
  SWAP,
  STALE,
  STAY,
  NO_KEY,
  NEIGHBOUR,
  VID,
  BANK,
  HIGHEST,
  CUT,
  HIDDEN,
  ERASED,
  MUTANTS
};

// Control packets on their way into the chip: the checker has heard of them.
struct late {
  uint64_t effect, settled;
  const struct fuzz_frame *frame;
};

// What this test keeps beside the chip.
static struct {
  enum mutant mutant;
  size_t next;
  struct late late[KEPT];
  unsigned num_late, applied;
  // of STALE: what was found first
  struct {
    bool valid;
    unsigned vid;
    uint32_t key, word;
    bool found;
  } kept[1 << 10];
  unsigned keys, found, writes, equal;  // equal: of keys: as the one before
  struct sluice_model_answer answer;
} own;

static bool matches(const struct sluice_model *m, unsigned at, const struct sluice_model_phv *phv,
                    uint32_t key) {
  const uint64_t *e = model_entry(m, SLUICE_TABLE_ARRAY_MATCH, 0, at);
  return (FIELD(e, ARRAY_MATCH, VALID) || own.mutant == ERASED) &&
         FIELD(e, ARRAY_MATCH, KEY) == key &&
         (own.mutant == BANK || !(FIELD(e, ARRAY_MATCH, NOT_BANK) >> phv->bank & 1)) &&
         (own.mutant == VID || FIELD(e, ARRAY_MATCH, VID) == phv->vid);
}

// The word of the entry of a key. False: there is none.
static bool look(const struct sluice_model *m, const struct sluice_model_phv *phv, uint32_t key,
                 uint32_t *word) {
  const unsigned words = m->config.ArrayWords, entries = m->config.ArrayEntries,
                 rows = entries / SLUICE_CUCKOO_WAYS / (2 * words);
  bool found = false;
  for (unsigned way = 0; way < SLUICE_CUCKOO_WAYS; way++) {
    unsigned at = sluice_array_entry(sluice_array_hash(phv->vid, key), way, words, entries);
    if (own.mutant == NEIGHBOUR) at ^= rows;
    if ((found && own.mutant != HIGHEST) || !matches(m, at, phv, key)) continue;
    *word = FIELD32(model_entry(m, SLUICE_TABLE_ARRAY_MATCH, 0, at), ARRAY_MATCH, DATA);
    found = true;
  }
  return found;
}

// With a memory of what was found, of STALE.
static bool look_kept(const struct sluice_model *m, const struct sluice_model_phv *phv,
                      uint32_t key, uint32_t *word) {
  const unsigned at = (key ^ key >> 10 ^ key >> 20 ^ phv->vid << 3) & 1023;
  if (own.mutant == STALE && own.kept[at].valid && own.kept[at].key == key &&
      own.kept[at].vid == phv->vid) {
    *word = own.kept[at].word;
    return own.kept[at].found;
  }
  const bool found = look(m, phv, key, word);
  own.kept[at].valid = true;
  own.kept[at].vid = phv->vid;
  own.kept[at].key = key;
  own.kept[at].word = *word;
  own.kept[at].found = found;
  return found;
}

static unsigned bank_of(const struct sluice_model *m, unsigned vid, uint32_t key) {
  return (unsigned)(sluice_array_hash(vid, key) >> 32) / (0x80000000u / m->config.ArrayWords);
}

// Exchanges what two keys of one bank have become.
static void swap(const struct sluice_model *m, const struct sluice_model_phv *phv, uint32_t asked,
                 const uint32_t *before, uint32_t *after) {
  for (unsigned i = 0; i < m->config.ArrayWords; i++)
    for (unsigned j = i + 1; j < m->config.ArrayWords; j++) {
      if (!(asked >> i & 1) || !(asked >> j & 1) || before[i] == before[j] ||
          bank_of(m, phv->vid, before[i]) != bank_of(m, phv->vid, before[j]))
        continue;
      const uint32_t word = after[i];
      after[i] = after[j];
      after[j] = word;
      return;
    }
}

static unsigned front(struct paper *p, struct paper_packet *k) {
  const struct sluice_model *m = p->model;
  struct sluice_model_phv *phv = &k->phv;
  const unsigned reason = model_front(m, &k->packet, phv);
  if (reason) return reason;
  const uint64_t *keys = model_entry(m, SLUICE_TABLE_ARRAY_KEYS, 0, model_row(m, phv)),
                 *where = model_entry(m, SLUICE_TABLE_ARRAY, 0, model_row(m, phv));
  const struct model_overlay *overlay = model_overlay(m, model_row(m, phv));
  const unsigned len = k->packet.len < 128 ? k->packet.len : 128;
  struct model_array array;
  uint32_t asked = 0, found = 0, after[SLUICE_MODEL_WORDS];
  model_array_parse(m, overlay, &k->packet, &array);
  memcpy(after, array.words, sizeof after);
  for (unsigned i = 0; i < m->config.ArrayWords; i++) {
    const unsigned at = (FIELD32(where, ARRAY, OFFSET) & ~1u) + 4 * i;
    const bool there = FIELD(where, ARRAY, VALID) && i < FIELD(where, ARRAY, COUNT) &&
                       (at + 4 <= len || own.mutant == CUT),
               named = FIELD(keys, ARRAY_KEYS, VALID) && FIELD(keys, ARRAY_KEYS, WORDS) >> i & 1;
    uint32_t word;
    const bool is = (there && (named || (own.mutant == NO_KEY && i == 1))) &&
                    look_kept(m, phv, array.words[i], &word);
    found |= (uint32_t)is << i;
    if (!there || !named) continue;
    asked |= 1u << i;
    own.equal += i && array.words[i] == array.words[i - 1];
    if (is) after[i] = word;
    else if (!FIELD(keys, ARRAY_KEYS, STAY) || own.mutant == STAY) after[i] = 0;
  }
  own.keys += (unsigned)__builtin_popcount(asked);
  own.found += (unsigned)__builtin_popcount(found);
  if (own.mutant == SWAP) swap(m, phv, asked, array.words, after);
  if (own.mutant == HIDDEN) found &= found - 1;
  memcpy(phv->words, after, sizeof after);
  if (FIELD(keys, ARRAY_KEYS, VALID) && FIELD(keys, ARRAY_KEYS, FOUND_VALID))
    model_set_container(m, phv, SLUICE_TYPE_B2, FIELD32(keys, ARRAY_KEYS, FOUND), found);
  return SLUICE_DROP_NONE;
}

// Writes take effect, and later the harness knows that they have.
static void work(struct paper *p) {
  while (own.applied < own.num_late && own.late[own.applied].effect <= p->now) {
    const struct fuzz_frame *f = own.late[own.applied++].frame;
    sluice_model_control(p->model, f->bytes, f->len, NULL);
  }
  if (!own.num_late || own.late[own.num_late - 1].settled > p->now) return;
  sluice_checker_keys_settled(p->ck, p->now);
  own.num_late = own.applied = 0;
}

// State that is marked is not compared here: those packets are left out.
static void send(struct paper *p, const struct fuzz_frame *f) {
  if (sluice_checker_is_marks(p->ck, f->bytes, f->len)) return;
  const bool keys = sluice_checker_is_keys(p->ck, f->bytes, f->len);
  while (keys && own.num_late == KEPT) paper_tick(p);
  sluice_checker_control(p->ck, p->now, f->bytes, f->len, NULL);
  if (!keys || !p->playing) {
    sluice_model_control(p->model, f->bytes, f->len, &own.answer);
    if (keys) sluice_checker_keys_settled(p->ck, p->now);
    return;
  }
  own.writes++;
  const uint64_t before = own.num_late ? own.late[own.num_late - 1].effect : p->now,
                 effect = before + 1 + sluice_rng_below(&p->rng, 30);
  own.late[own.num_late++] = (struct late){effect, effect + sluice_rng_below(&p->rng, 30), f};
}

static struct sluice_report run(const struct fuzz_case *c, unsigned mutant) {
  static struct paper p;
  paper_open(&p, c);
  own.mutant = (enum mutant)mutant;
  own.next = own.num_late = own.applied = 0;
  memset(own.kept, 0, sizeof own.kept);
  p.front = front;
  p.works = work;
  for (size_t i = 0; i < c->control.num; i++) send(&p, &c->control.items[i]);
  p.now++;
  p.playing = true;
  while (p.next < c->packets.num || p.num_inside || own.next < c->marking.num || own.num_late) {
    if (own.next < c->marking.num && sluice_rng_below(&p.rng, 40) == 0)
      send(&p, &c->marking.items[own.next++]);
    else paper_tick(&p);
  }
  return paper_close(&p);
}

static const struct fuzz_paper play = {.chip = "arrays", .packets = PACKETS, .run = run};

TEST(lookups_are_compared) {
  unsigned with;
  own.keys = own.found = own.writes = own.equal = 0;
  const struct sluice_report all = fuzz_play(&play, CASES, NONE, &with);
  print_message("%u cases: packets %u, keys %u, found %u, equal to the word before %u; writes "
                "under traffic %u, keys that may find either %u, that find the old entry %u\n",
                CASES, (unsigned)all.admitted, (unsigned)all.keys, (unsigned)all.keys_found,
                own.equal, own.writes, (unsigned)all.keys_either, (unsigned)all.keys_old);
  assert_int_equal(all.differences, 0);
  assert_true(all.keys > all.admitted && all.keys <= own.keys);
  // A test in which nothing happens tests nothing.
  assert_true(all.keys_found > all.keys / 5 && all.keys_found < all.keys * 4 / 5);
  assert_true(own.equal > all.keys / 8);
  assert_true(own.writes > 20 * CASES);
  assert_true(all.keys_either > 5 * CASES && all.keys_old > 2 * CASES &&
              all.keys_old < all.keys_either);
}

TEST(mutants_are_found) { fuzz_finds(&play, CASES / 2, MUTANTS, 8); }

// ---- what may be found, and until when ----------------------------------------------------------

enum { ROW = 5, KEY = 17, LEN = 64, AT = 46 };

static void write_entry(struct sluice_checker *ck, uint64_t cycle, enum sluice_table table,
                        unsigned index, const uint8_t *entry) {
  struct sluice_frame f;
  sluice_reconfig_begin(&f, SLUICE_CHAIN_WRITE, table, 0, index);
  sluice_reconfig_append(&f, table, entry);
  sluice_reconfig_finish(&f);
  assert_true(sluice_checker_control(ck, cycle, f.bytes, f.len, NULL));
}

// The chip begins with no module; the packets' one is in row ROW, with its id.
static void begin(struct sluice_checker *ck) {
  uint8_t module[SLUICE_ENTRY_BYTES] = {0};
  SLUICE_SETS(module, MODULE, (VALID, 1), (VID, ROW));
  sluice_checker_ready(ck, 0);
  write_entry(ck, 0, SLUICE_TABLE_MODULE, ROW, module);
}

static void put_data(struct sluice_checker *ck, uint64_t cycle, uint32_t data, bool valid) {
  uint8_t e[SLUICE_ENTRY_BYTES] = {0};
  SLUICE_SETS(e, ARRAY_MATCH, (VALID, valid), (VID, ROW), (KEY, KEY), (DATA, data));
  write_entry(ck, cycle, SLUICE_TABLE_ARRAY_MATCH,
              sluice_array_entry(sluice_array_hash(ROW, KEY), 1, 8, 1024), e);
}

// A packet that carries `word` and the bit at the order point.
static uint64_t differences(struct sluice_checker *ck, uint64_t arrival, uint64_t admitted,
                            uint32_t word, unsigned found, unsigned tag) {
  uint8_t beat[64] = {0};
  const uint32_t words[8] = {word};
  const uint16_t b2[8] = {(uint16_t)found};
  struct sluice_report r;
  beat[12] = 0x81, beat[15] = ROW, beat[AT + 3] = KEY;
  sluice_checker_rx(ck, arrival, 0, beat, UINT64_MAX, true, false, 0, tag + 1);
  sluice_checker_lane(ck, arrival, 0, SLUICE_DROP_NONE);
  sluice_checker_order(ck, admitted, 0, SLUICE_DROP_NONE, tag);
  sluice_checker_keys(ck, 0, words, b2);
  sluice_checker_cycle(ck, admitted);
  sluice_checker_report(ck, &r);
  return r.differences;
}

// The example of sw/model/watch_keys.c.
TEST(either_is_right_until_the_write_has_taken_effect) {
  static const struct {
    uint64_t arrival, admitted;
    uint32_t word;
    unsigned found;
    bool right;
  } packets[] = {
      {900, 950, 100, 1, true},    {900, 950, 200, 1, false},  // before it
      {900, 1100, 100, 1, true},   {900, 1100, 200, 1, true},  // inside
      {1030, 1100, 100, 1, true},  {1030, 1100, 200, 1, true},
      {1030, 1100, 0, 0, false},   {1030, 1100, 100, 0, false},
      {1040, 1100, 100, 1, true},  {1041, 1100, 100, 1, false},  // behind it
      {1041, 1100, 200, 1, true},  {2100, 2100, 0, 0, true},     // being erased
      {2100, 2100, 200, 1, true},  {2100, 2100, 100, 1, false},
      {2100, 2100, 200, 0, false}, {3001, 3001, 0, 0, true},
      {3001, 3001, 200, 1, false},
  };
  for (unsigned i = 0; i < sizeof packets / sizeof packets[0]; i++) {
    struct sluice_checker *ck CLOSED_BY(close_checker) =
        sluice_checker_open(sluice_config_find("arrays"), NULL);
    uint8_t array[SLUICE_ENTRY_BYTES] = {0}, keys[SLUICE_ENTRY_BYTES] = {0};
    assert_non_null(ck);
    SLUICE_SETS(array, ARRAY, (VALID, 1), (COUNT, 1), (OFFSET, AT));
    SLUICE_SETS(keys, ARRAY_KEYS, (VALID, 1), (FOUND_VALID, 1), (WORDS, 0xff));
    begin(ck);
    write_entry(ck, 0, SLUICE_TABLE_ARRAY, ROW, array);
    write_entry(ck, 0, SLUICE_TABLE_ARRAY_KEYS, ROW, keys);
    put_data(ck, 10, 100, true);
    sluice_checker_keys_settled(ck, 50);
    if (packets[i].admitted > 1000) {
      put_data(ck, 1000, 200, true);
      if (packets[i].admitted > 1040) sluice_checker_keys_settled(ck, 1040);
    }
    if (packets[i].admitted > 2000) put_data(ck, 2000, 0, false);
    if (packets[i].admitted > 3000) sluice_checker_keys_settled(ck, 3000);
    const uint64_t got = differences(ck, packets[i].arrival, packets[i].admitted, packets[i].word,
                                     packets[i].found, 0);
    if ((got == 0) != packets[i].right) fail_msg("packet %u: %u differences", i, (unsigned)got);
  }
}

// The words name the key, and what was expected.
TEST(a_difference_names_the_key) {
  struct sluice_checker *ck CLOSED_BY(close_checker) =
      sluice_checker_open(sluice_config_find("arrays"), NULL);
  uint8_t array[SLUICE_ENTRY_BYTES] = {0}, keys[SLUICE_ENTRY_BYTES] = {0};
  struct sluice_report r;
  SLUICE_SETS(array, ARRAY, (VALID, 1), (COUNT, 1), (OFFSET, AT));
  SLUICE_SETS(keys, ARRAY_KEYS, (VALID, 1), (WORDS, 1));
  begin(ck);
  write_entry(ck, 0, SLUICE_TABLE_ARRAY, ROW, array);
  write_entry(ck, 0, SLUICE_TABLE_ARRAY_KEYS, ROW, keys);
  put_data(ck, 10, 100, true);
  sluice_checker_keys_settled(ck, 20);
  assert_int_equal(differences(ck, 100, 120, 7, 0, 0), 1);
  sluice_checker_report(ck, &r);
  assert_string_equal(r.first.field, "word 0 of the array, key 0x00000011 of VID[7:0] 5");
  assert_string_equal(r.first.expected, "0x00000064 (entry 488)");
  assert_string_equal(r.first.got, "0x00000007");
}

// ---- cases --------------------------------------------------------------------------------------

static bool is_write_of_keys(const struct fuzz_frame *f) {
  struct sluice_reconfig p;
  return !sluice_reconfig_decode(&p, f->bytes, f->len, NULL) &&
         p.table == SLUICE_TABLE_ARRAY_MATCH && p.op == SLUICE_CHAIN_WRITE;
}

// Fails as long as an entry is written while packets come.
static bool writes_key(void *context, const struct fuzz_case *c, uint64_t *packet) {
  bool found = false;
  (void)context, (void)packet;
  for (size_t i = 0; i < c->marking.num; i++) found |= is_write_of_keys(&c->marking.items[i]);
  return found;
}

static void is_small(const struct fuzz_case *c) {
  assert_int_equal(c->marking.num, 1);
  assert_int_equal(c->packets.num + c->control.num, 0);
}

TEST(cases_are_made_smaller) { fuzz_made_smaller("arrays", CASES, writes_key, is_small); }

// A frame whose numbers do not fit its fields would be empty, and no chip counts that. The first
// seed has a segment of 65,535 entries, and a mark behind its end.
TEST(no_frame_is_empty) {
  for (uint64_t n = 0; n < 200; n++) {
    struct fuzz_case c CLOSED_BY(fuzz_release);
    fuzz_make(&c, sluice_config_find("keys16"), n ? n : 1158172390);
    const struct fuzz_frames *all[] = {&c.control, &c.updating, &c.marking};
    for (unsigned k = 0; k < 3; k++)
      for (size_t i = 0; i < all[k]->num; i++)
        if (!all[k]->items[i].len)
          fail_msg("seed %u: frame %u of list %u is empty", (unsigned)c.seed, (unsigned)i, k);
  }
}

// Entries of a new version are for its packets alone until it flips.
TEST(updates_bring_entries) {
  unsigned apart = 0, all = 0;
  for (uint64_t seed = 0; seed < CASES; seed++) {
    struct fuzz_case c;
    fuzz_make(&c, sluice_config_find("keys8"), seed);
    for (size_t i = 0; i < c.updating.num; i++) {
      struct sluice_reconfig p;
      const struct fuzz_frame *f = &c.updating.items[i];
      if (!is_write_of_keys(f) || sluice_reconfig_decode(&p, f->bytes, f->len, NULL)) continue;
      all++;
      apart += SLUICE_GET(f->bytes + SLUICE_RECONFIG_ENTRIES_AT, ARRAY_MATCH, NOT_BANK) != 0;
    }
    fuzz_release(&c);
  }
  print_message("updates write %u packets of entries, %u of them for one bank\n", all, apart);
  assert_true(all > 10 * CASES && apart > all / 2);
}
