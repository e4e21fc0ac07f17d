// SPDX-License-Identifier: Apache-2.0
// Array match in the reference model (docs/machine.md, Array match): where entries stand, what
// words become, what is left alone. Places are computed in another way: by key_places.h.
#include "tests/rig/test.h"
#include "base/bytes.h"
#include "base/cuckoo.h"
#include "base/rng.h"
#include "tests/rig/key_places.h"
#include "tests/rig/model_rig.h"

enum { WORDS = 8, LEN = 128, AT = 62, VID = ROW, NONE = -1 };

// ---- where an entry stands ----------------------------------------------------------------------

static unsigned place(unsigned vid, uint32_t key, unsigned way, unsigned words, unsigned entries) {
  return key_place(key_hash(vid, key), way, words, entries);
}

TEST(hashes_are_those_of_the_page) {
  // Computed apart from this test.
  static const struct {
    unsigned vid;
    uint32_t key;
    uint64_t hash;
    unsigned words, entries, at[4];
  } known[] = {
      {5, 17, 0xec579470a6c88756, 8, 1024, {230, 488, 736, 999}},
      {5, 17, 0xec579470a6c88756, 8, 16384, {3670, 7880, 11888, 15959}},
      {5, 17, 0xec579470a6c88756, 16, 1024, {238, 488, 744, 1007}},
      {5, 23, 0x00ce87c3cb41548b, 8, 1024, {11, 257, 515, 782}},
      {255, 0xffffffff, 0x2e67e2a81ebef82e, 8, 16384, {558, 4798, 8872, 12903}},
      {1, 0x80000000, 0x0aed7dccaa81bad8, 16, 1024, {8, 265, 524, 781}},
      {37, 0x12345678, 0xc9bbdc81af1c7299, 8, 1024, {201, 460, 705, 971}},
      {0, 0, 0, 8, 1024, {0, 256, 512, 768}},
  };
  for (unsigned n = 0; n < sizeof known / sizeof known[0]; n++) {
    assert_true(sluice_array_hash(known[n].vid, known[n].key) == known[n].hash);
    assert_true(key_hash(known[n].vid, known[n].key) == known[n].hash);
    for (unsigned way = 0; way < 4; way++)
      assert_int_equal(sluice_array_entry(known[n].hash, way, known[n].words, known[n].entries),
                       known[n].at[way]);
  }
  struct sluice_rng rng;
  sluice_rng_init(&rng, 3, "hashes");
  for (unsigned n = 0; n < 20000; n++) {
    const unsigned vid = n % 256, words = n % 2 ? 8 : 16,
                   entries = 16 * words << sluice_rng_below(&rng, n % 2 ? 10 : 9);
    const uint32_t key = (uint32_t)(sluice_rng_next(&rng) >> 32) >> sluice_rng_below(&rng, 32);
    for (unsigned way = 0; way < 4; way++)
      assert_int_equal(sluice_array_entry(sluice_array_hash(vid, key), way, words, entries),
                       place(vid, key, way, words, entries));
  }
}

// ---- tables -------------------------------------------------------------------------------------

struct keys {
  bool valid, stay, found_valid;
  unsigned found, words;
};

static void put_keys(struct sluice_model *m, unsigned index, struct keys k) {
  struct entry e = ENTRY_OF(ARRAY_KEYS, (VALID, k.valid), (STAY, k.stay),
                            (FOUND_VALID, k.found_valid), (FOUND, k.found), (WORDS, k.words));
  put(m, SLUICE_TABLE_ARRAY_KEYS, 0, index, &e);
}

static void put_array(struct sluice_model *m, unsigned index, bool valid, unsigned offset,
                      unsigned count) {
  struct entry e = ENTRY_OF(ARRAY, (VALID, valid), (OFFSET, offset), (COUNT, count));
  put(m, SLUICE_TABLE_ARRAY, 0, index, &e);
}

struct match {
  bool valid;
  unsigned not_bank, vid;
  uint32_t key, data;
};

static void put_match(struct sluice_model *m, unsigned at, struct match e) {
  struct entry entry = ENTRY_OF(ARRAY_MATCH, (VALID, e.valid), (NOT_BANK, e.not_bank), (VID, e.vid),
                                (KEY, e.key), (DATA, e.data));
  put(m, SLUICE_TABLE_ARRAY_MATCH, 0, at, &entry);
}

// At its place of a way.
static void put_at(struct sluice_model *m, unsigned way, uint32_t key, uint32_t data) {
  put_match(m, place(VID, key, way, m->config.ArrayWords, m->config.ArrayEntries),
            (struct match){true, 0, VID, key, data});
}

static struct sluice_model *open_with(unsigned words, unsigned entries) {
  struct sluice_config c = *sluice_config_find("arrays");
  c.ArrayWords = words;
  c.ArrayEntries = entries;
  struct sluice_model *m = with_modules(sluice_model_open(&c));
  assert_non_null(m);
  return m;
}

// Runs a packet of a bank; its first 128 bytes become those that leave. Returns the PHV at the
// order point.
static struct sluice_model_phv send(struct sluice_model *m, uint8_t *frame, unsigned len,
                                    unsigned bank, struct sluice_model_result *result) {
  struct sluice_model_phv phv;
  const struct sluice_model_packet packet = {.bytes = frame, .len = len, .bank = bank};
  assert_int_equal(sluice_model_front(m, &packet, &phv), SLUICE_DROP_NONE);
  sluice_model_admit(m, &packet, &phv, result);
  memcpy(frame, result->header, len < LEN ? len : LEN);
  return phv;
}

// ---- what becomes of words ----------------------------------------------------------------------

TEST(the_example_of_the_page) {
  static const uint32_t before[WORDS] = {17, 5, 23, 17, 1, 2, 3, 4},
                        after[WORDS] = {100, 0, 7, 100, 1, 2, 3, 4};
  for (unsigned stay = 0; stay < 2; stay++) {
    struct sluice_model *m CLOSED_BY(close_model) = open_model("arrays");
    struct sluice_model_result result;
    uint8_t frame[LEN];
    put_array(m, ROW, true, AT, 8);
    put_keys(m, ROW, (struct keys){true, stay, true, 1, 0x0f});
    put_at(m, 0, 17, 100);
    put_at(m, 3, 23, 7);
    data_frame(frame, LEN, VID, 0);
    for (unsigned i = 0; i < WORDS; i++) sluice_put32(frame + AT + 4 * i, before[i]);
    const struct sluice_model_phv phv = send(m, frame, LEN, 0, &result);
    assert_int_equal(phv.b2[1], 13);
    assert_int_equal(phv.b2[0] | phv.b2[2] | phv.b2[3], 0);
    for (unsigned i = 0; i < WORDS; i++)
      assert_int_equal(sluice_get32(frame + AT + 4 * i), stay && i == 1 ? 5 : after[i]);
  }
}

// One entry, at each place of the table: it is found at its place of each way, and nowhere else.
TEST(an_entry_is_found_where_it_stands) {
  static const uint32_t keys[] = {0, 17, 23, 0xffffffff, 0x80000000, 12345};
  struct sluice_model *m CLOSED_BY(close_model) = open_model("arrays");
  for (unsigned k = 0; k < 6; k++) {
    unsigned found = 0, expected = 0;
    for (unsigned at = 0; at < 1024; at++) {
      bool here = false;
      for (unsigned way = 0; way < 4; way++) here |= place(VID, keys[k], way, WORDS, 1024) == at;
      put_match(m, at, (struct match){true, 0, VID, keys[k], 1});
      const int got = model_keys_find(m, VID, 0, keys[k]);
      assert_int_equal(got, here ? (int)at : NONE);
      found += got != NONE;
      expected += here;
      put_match(m, at, (struct match){false, 0, VID, keys[k], 1});
      assert_int_equal(model_keys_find(m, VID, 0, keys[k]), NONE);
    }
    assert_int_equal(found, 4);
    assert_int_equal(expected, 4);
  }
}

TEST(the_lowest_way_wins) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("arrays");
  for (unsigned ways = 1; ways < 16; ways++) {
    struct sluice_model_result result;
    uint8_t frame[LEN];
    put_array(m, ROW, true, AT, 1);
    put_keys(m, ROW, (struct keys){.valid = true, .words = 1});
    for (unsigned way = 0; way < 4; way++)
      put_match(m, place(VID, 99, way, WORDS, 1024),
                (struct match){ways >> way & 1, 0, VID, 99, 1000 + way});
    data_frame(frame, LEN, VID, 0);
    sluice_put32(frame + AT, 99);
    send(m, frame, LEN, 0, &result);
    assert_int_equal(sluice_get32(frame + AT), 1000 + __builtin_ctz(ways));
  }
}

// Every bit of what is compared, and the packet's bank.
TEST(an_entry_is_of_its_module_bank_and_key_alone) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("keys8");
  const unsigned at = place(VID, 17, 2, WORDS, 16384);
  for (unsigned not_bank = 0; not_bank < 4; not_bank++) {
    put_match(m, at, (struct match){true, not_bank, VID, 17, 1});
    for (unsigned bank = 0; bank < 2; bank++)
      assert_int_equal(model_keys_find(m, VID, bank, 17), not_bank >> bank & 1 ? NONE : (int)at);
  }
  for (unsigned bit = 0; bit < 40; bit++) {
    put_match(m, at,
              (struct match){true, 0, bit < 8 ? VID ^ 1u << bit : VID,
                             bit < 8 ? 17 : 17 ^ UINT32_C(1) << (bit - 8), 1});
    assert_int_equal(model_keys_find(m, VID, 0, 17), NONE);
  }
  // ARRAY_KEYS is that of the row and bank.
  struct sluice_model_result result;
  uint8_t frame[LEN];
  put_match(m, at, (struct match){true, 0, VID, 17, 400});
  for (unsigned bank = 0; bank < 2; bank++) {
    put_array(m, bank * 32 + ROW, true, AT, 1);
    put_keys(m, bank * 32 + ROW, (struct keys){.valid = true, .words = bank});
  }
  for (unsigned bank = 0; bank < 2; bank++) {
    data_frame(frame, LEN, VID, 0);
    sluice_put32(frame + AT, 17);
    send(m, frame, LEN, bank, &result);
    assert_int_equal(sluice_get32(frame + AT), bank ? 400 : 17);
  }
}

// Every container, those that the chip does not have, and packets without an array.
TEST(the_container_of_found_is_written_in_any_case) {
  for (unsigned kind = 0; kind < 5; kind++)
    for (unsigned found = 0; found < 8; found++) {
      struct sluice_model *m CLOSED_BY(close_model) = open_model("arrays");
      struct sluice_model_result result;
      struct entry parser = {{0}};
      uint8_t frame[LEN];
      // 0: with an array, 1: none is valid, 2: without words, 3: without keys; 4: no container.
      put_array(m, ROW, kind != 1, AT, kind == 2 ? 0 : 8);
      put_keys(m, ROW, (struct keys){true, false, kind != 4, found, kind == 3 ? 0 : 0xffff});
      for (unsigned n = 0; n < 4; n++) entry_action(&parser, n, parse_action(0, 20, B2, n));
      put(m, SLUICE_TABLE_PARSER, 0, ROW, &parser);
      data_frame(frame, LEN, VID, 3);
      put_at(m, 1, sluice_get32(frame + AT + 4 * 6), 1);
      const unsigned parsed = sluice_get16(frame + 20);
      const struct sluice_model_phv phv = send(m, frame, LEN, 0, &result);
      for (unsigned n = 0; n < 8; n++)
        assert_int_equal(phv.b2[n], n >= 4                    ? 0
                                    : kind == 4 || n != found ? parsed
                                    : kind == 0               ? 1 << 6
                                                              : 0);
    }
}

// Without keys a packet is as in a chip without the tables.
TEST(nothing_else_changes) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("arrays"),
                         *without CLOSED_BY(close_model) = open_with(WORDS, 0);
  struct entry parser = {{0}};
  uint8_t frame[LEN], other[LEN];
  struct sluice_model_result a, b;
  entry_action(&parser, 0, parse_action(0, 20, B4, 0));
  entry_action(&parser, 1, parse_action(0, 24, B6, 1));
  entry_action(&parser, 2, parse_action(0, 30, B2, 3));
  for (unsigned valid = 0; valid < 2; valid++) {
    put_array(m, ROW, true, AT, 8);
    put_array(without, ROW, true, AT, 8);
    put_keys(m, ROW,
             (struct keys){.valid = valid, .found_valid = !valid, .words = valid ? 0 : 255});
    put(m, SLUICE_TABLE_PARSER, 0, ROW, &parser);
    put(without, SLUICE_TABLE_PARSER, 0, ROW, &parser);
    data_frame(frame, LEN, VID, 0);
    put_at(m, 0, sluice_get32(frame + AT), 5);
    memcpy(other, frame, LEN);
    struct sluice_model_phv p = send(m, frame, LEN, 0, &a), q = send(without, other, LEN, 0, &b);
    assert_memory_equal(frame, other, LEN);
    memset(p.words, 0, sizeof p.words);
    assert_memory_equal(&p, &q, sizeof p);
  }
}

// ---- when ---------------------------------------------------------------------------------------

static unsigned shown;
static struct sluice_model_keys last;
static void on_step(void *user, const struct sluice_model_step *s) {
  (void)user;
  if (s->kind != SLUICE_STEP_KEYS) return;
  shown++;
  last = *s->keys;
}

// Discarded in front: no lookup. Else behind all front stages, which may set FOUND's container
// before, and before the accesses are resolved: the number is the index here.
TEST(lookups_are_between_front_stages_and_order_point) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("arrays");
  struct sluice_model_result result;
  struct sluice_model_phv phv;
  struct entry action = {{0}}, back = {{0}};
  uint8_t frame[LEN];
  const unsigned front = m->config.BackStages, stage = 2;
  sluice_model_watch(m, on_step, NULL);
  put_array(m, ROW, true, AT, 8);
  put_keys(m, ROW, (struct keys){true, false, true, 2, 0xff});
  entry_slot(&action, 3, instr_imm(SLUICE_OP_SET, 0, 0xffff));  // 2B[2]
  match_all(m, front, VID, 0, &action);
  entry_slot(&back, 16, instr(SLUICE_OP_LOADD, 0, operand(B2, 2)));
  match_all(m, stage, VID, 0, &back);
  segment(m, stage, ROW, 0, 256);
  access(m, stage, ROW, 0, 0, operand(B2, 2));
  data_frame(frame, LEN, VID, 0);
  put_at(m, 2, sluice_get32(frame + AT + 4), 11);
  put_at(m, 3, sluice_get32(frame + AT + 28), 12);
  shown = 0;
  phv = send(m, frame, LEN, 0, &result);
  assert_int_equal(phv.b2[2], 0x82);
  assert_true(result.access[stage].resolved && result.access[stage].executed);
  assert_int_equal(result.access[stage].index, 0x82);
  assert_int_equal(shown, 1);
  FIELDS_ARE(&last, (asked, 0xff), (found, 0x82), (after[1], 11),
             (entry[7], place(VID, last.before[7], 3, WORDS, 1024)), (entry[0], NONE));
  // The same, discarded.
  entry_slot(&action, 0, instr(SLUICE_OP_DISCARD, 0, 0) | 1u << SLUICE_INSTR_MD_DISCARD_LSB);
  put(m, SLUICE_TABLE_ACTION, front, 0, &action);
  const struct sluice_model_packet packet = {.bytes = frame, .len = LEN};
  const unsigned reason = sluice_model_front(m, &packet, &phv);
  assert_int_equal(reason, SLUICE_DROP_DISCARD_FRONT);
  assert_int_equal(shown, 1);
}

// Rows take what the lookups gave.
TEST(operations_see_the_new_words) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("arrays");
  struct sluice_model_result result;
  struct entry none = {{0}}, instr = {{0}}, set = {{0}};
  uint32_t row[SLUICE_MODEL_WORDS];
  uint8_t frame[LEN];
  put_array(m, ROW, true, AT, 8);
  put_keys(m, ROW, (struct keys){.valid = true, .words = 0x03});
  match_all(m, 1, VID, 0, &none);
  segment(m, 1, ROW, 0, 4);
  access(m, 1, ROW, 0, 0, operand(K, 1));
  SET(&instr, STATE_INSTR, VALID, 1);
  put(m, SLUICE_TABLE_STATE_INSTR, 1, 0, &instr);
  SETS(&set, ARRAY_INSTR, (VALID, 1), (ON_TRUE, SLUICE_ARRAY_OP_SET));
  put(m, SLUICE_TABLE_ARRAY_INSTR, 1, 0, &set);
  data_frame(frame, LEN, VID, 0);
  const uint32_t third = sluice_get32(frame + AT + 8);
  put_at(m, 0, sluice_get32(frame + AT), 0xabcdef01);
  send(m, frame, LEN, 0, &result);
  assert_true(result.access[1].array);
  assert_true(sluice_model_row(m, ROW, 1, 1, row));
  assert_int_equal(row[0], 0xabcdef01);
  assert_int_equal(row[1], 0);
  assert_int_equal(row[2], third);
}

// In its second pass the words of the first are keys.
TEST(a_recirculated_packet_is_looked_up_again) {
  struct sluice_config c = *sluice_config_find("arrays");
  c.Recirculation = 1;
  struct sluice_model *m CLOSED_BY(close_model) = with_modules(sluice_model_open(&c));
  struct sluice_model_result result;
  uint8_t frame[LEN];
  assert_non_null(m);
  put_array(m, ROW, true, AT, 1);
  put_keys(m, ROW, (struct keys){.valid = true, .words = 1});
  put_at(m, 0, 17, 18);
  put_at(m, 0, 18, 19);
  data_frame(frame, LEN, VID, 0);
  sluice_put32(frame + AT, 17);
  send(m, frame, LEN, 0, &result);
  assert_int_equal(sluice_get32(frame + AT), 18);
  const struct sluice_model_again again = {.round = 1, .row = ROW};
  const struct sluice_model_packet packet = {.bytes = frame, .len = LEN, .again = &again};
  struct sluice_model_phv phv;
  assert_int_equal(sluice_model_front(m, &packet, &phv), SLUICE_DROP_NONE);
  assert_int_equal(phv.words[0], 19);
}

// ---- everything at once -------------------------------------------------------------------------

enum { ENTRIES = 512, KEYS = 12 };

// All entries are looked at, in the order of their numbers: that of ways.
static int find(const struct match *table, unsigned words, unsigned vid, uint32_t key) {
  for (unsigned at = 0; at < ENTRIES; at++) {
    const struct match *e = &table[at];
    if (e->valid && !(e->not_bank & 1) && e->vid == vid && e->key == key &&
        at == place(vid, key, at / (ENTRIES / 4), words, ENTRIES))
      return (int)at;
  }
  return NONE;
}

TEST(random_packets_as_computed_here) {
  struct sluice_rng rng;
  unsigned hits = 0, misses = 0, cut = 0, several = 0, astray = 0;
  sluice_rng_init(&rng, 4, "keys");
  for (unsigned round = 0; round < 600; round++) {
    const unsigned words = round % 2 ? 8 : 16, count = (unsigned)sluice_rng_below(&rng, 32),
                   offset = (unsigned)sluice_rng_below(&rng, 128);
    const struct keys k = {sluice_rng_below(&rng, 8), sluice_rng_below(&rng, 2),
                           sluice_rng_below(&rng, 4), (unsigned)sluice_rng_below(&rng, 8),
                           (unsigned)sluice_rng_next(&rng) & 0xffff};
    const bool valid = sluice_rng_below(&rng, 10);
    struct match table[ENTRIES] = {{0}};
    uint32_t pool[KEYS];
    struct sluice_model *m = open_with(words, ENTRIES);
    put_array(m, ROW, valid, offset, count);
    put_keys(m, ROW, k);
    for (unsigned i = 0; i < KEYS; i++)
      pool[i] = (uint32_t)sluice_rng_next(&rng) >> sluice_rng_below(&rng, 32);
    for (unsigned n = 0; n < 40; n++) {
      const struct match e = {sluice_rng_below(&rng, 8), sluice_rng_below(&rng, 5) ? 2 : 1,
                              sluice_rng_below(&rng, 8) ? VID : VID ^ 32,
                              pool[sluice_rng_below(&rng, KEYS)], (uint32_t)sluice_rng_next(&rng)};
      const bool stray = !sluice_rng_below(&rng, 6);
      const unsigned at =
          stray ? (unsigned)sluice_rng_below(&rng, ENTRIES)
                : place(VID, e.key, (unsigned)sluice_rng_below(&rng, 4), words, ENTRIES);
      astray += stray;
      table[at] = e;
      put_match(m, at, e);
    }
    for (unsigned n = 0; n < 12; n++) {
      const unsigned len = 64 + (unsigned)sluice_rng_below(&rng, 100);
      struct sluice_model_result result;
      uint8_t frame[256], expected[256];
      uint32_t found = 0;
      data_frame(frame, len, VID, n);
      for (unsigned at = offset & ~1u; at + 4 <= len; at += 4)
        if (at > 48) sluice_put32(frame + at, pool[sluice_rng_below(&rng, KEYS)]);
      memcpy(expected, frame, len);
      for (unsigned i = 0; i < count && i < words && valid; i++) {
        const unsigned at = (offset & ~1u) + 4 * i;
        if (at + 4 > len || at + 4 > 128) {
          cut++;
          continue;
        }
        if (!k.valid || !(k.words >> i & 1)) continue;
        const int entry = find(table, words, VID, sluice_get32(frame + at));
        *(entry >= 0 ? &hits : &misses) += 1;
        if (entry >= 0) found |= 1u << i;
        if (entry >= 0) sluice_put32(expected + at, table[entry].data);
        else if (!k.stay) sluice_put32(expected + at, 0);
      }
      several += __builtin_popcount(found) > 2;
      // Below byte 16 an array would change the row.
      if (offset < 16) continue;
      const struct sluice_model_phv phv = send(m, frame, len, 0, &result);
      assert_memory_equal(frame, expected, len < LEN ? len : LEN);
      for (unsigned c = 0; c < 4; c++)
        assert_int_equal(phv.b2[c], k.valid && k.found_valid && k.found == c ? found : 0);
    }
    sluice_model_close(m);
  }
  print_message("hits %u, misses %u, words cut %u, packets with several hits %u, strays %u\n", hits,
                misses, cut, several, astray);
  assert_true(hits > 2000 && misses > 2000 && cut > 2000 && several > 300 && astray > 1000);
}

// ---- control port -------------------------------------------------------------------------------

static bool ask(struct sluice_model *m, enum sluice_table table, unsigned index, unsigned count,
                struct sluice_model_answer *answer) {
  return control(
      m, (struct control){.table = table, .op = SLUICE_CHAIN_READ, .index = index, .count = count},
      NULL, 0, answer);
}

TEST(tables_are_read_as_written) {
  static struct sluice_model_answer answer;
  struct sluice_model *m CLOSED_BY(close_model) = open_model("keys8");
  assert_true(ask(m, SLUICE_TABLE_ARRAY_MATCH, 16383, 1, &answer));
  assert_int_equal(answer.len, 128);
  for (unsigned i = 0; i < 10; i++) assert_int_equal(answer.bytes[64 + i], 0);
  put_match(m, 16383, (struct match){true, 2, 0x5a, 0x01020304, 0x05060708});
  assert_true(ask(m, SLUICE_TABLE_ARRAY_MATCH, 16383, 1, &answer));
  assert_memory_equal(answer.bytes + 64, "\xc0\x5a\x01\x02\x03\x04\x05\x06\x07\x08", 10);
  assert_false(ask(m, SLUICE_TABLE_ARRAY_MATCH, 16383, 2, &answer));
  put_keys(m, 63, (struct keys){true, true, true, 5, 0x1234});
  assert_true(ask(m, SLUICE_TABLE_ARRAY_KEYS, 63, 1, &answer));
  assert_int_equal(sluice_get32(answer.bytes + 64), 0xf4001234);
  assert_false(ask(m, SLUICE_TABLE_ARRAY_KEYS, 64, 1, &answer));
  sluice_model_close(m);
  m = open_with(WORDS, 0);
  assert_true(ask(m, SLUICE_TABLE_ARRAY, 0, 1, &answer));
  assert_false(ask(m, SLUICE_TABLE_ARRAY_KEYS, 0, 1, &answer));
  assert_false(ask(m, SLUICE_TABLE_ARRAY_MATCH, 0, 1, &answer));
}
