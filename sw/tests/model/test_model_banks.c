// SPDX-License-Identifier: Apache-2.0
// Two banks in the reference model, from docs/machine.md.
#include "tests/rig/test.h"
#include "tests/rig/model_rig.h"

enum { ROWS = 32, ALL = ROWS + ROW };  // ALL: entry of row ROW in bank 1

static bool refused_register(uint32_t value) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("tiny");
  const bool set = sluice_model_set_bank(m, value);
  const bool zero = sluice_model_filter(m)->bank == 0;
  return !set && zero;
}

// What the model does with a packet of VLAN `vid` that arrives now.
static struct sluice_model_result pass(struct sluice_model *m, const uint8_t *frame) {
  const struct sluice_model_verdict v = sluice_model_classify(sluice_model_filter(m), frame, 64);
  const struct sluice_model_packet packet = {.bytes = frame, .len = 64, .bank = v.bank};
  struct sluice_model_phv phv;
  struct sluice_model_result result;
  assert_int_equal(v.reason, SLUICE_DROP_NONE);
  assert_int_equal(sluice_model_front(m, &packet, &phv), SLUICE_DROP_NONE);
  sluice_model_admit(m, &packet, &phv, &result);
  return result;
}

TEST(one_bank_has_nothing_of_it) {
  assert_true(refused_register(0) && refused_register(1u << ROW));
  struct sluice_model *m CLOSED_BY(close_model) = open_model("tiny");
  struct entry e = {{0}};
  // There is no second entry of a row, in no table and for no state.
  assert_false(
      control(m, (struct control){.table = SLUICE_TABLE_PARSER, .index = ROWS}, &e, 1, NULL));
  assert_false(control(m, (struct control){.table = SLUICE_TABLE_FILL, .row = ROWS}, &e, 1, NULL));
}

TEST(after_reset_both_banks_are_alike) {
  struct sluice_model *m CLOSED_BY(close_model) = sluice_model_open(sluice_config_find("banks"));
  assert_int_equal(sluice_model_filter(m)->bank, 0);
  for (unsigned r = 0; r < 2 * ROWS; r++) {
    assert_int_equal(*model_entry(m, SLUICE_TABLE_MODULE, 0, r), 0);
    assert_int_equal(*model_entry(m, SLUICE_TABLE_MODULE_PORTS, 0, r), 15);
  }
}

// Tables of overlay rows have an entry for each bank; SHARE, MATCH and their like have not.
TEST(rows_of_the_tables) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("banks");
  for (unsigned t = 0; t < SLUICE_NUM_TABLES; t++) {
    struct entry e = {{0}};
    const enum sluice_rows rows = sluice_tables[t].rows;
    if (rows != SLUICE_ROWS_overlay && rows != SLUICE_ROWS_modules) continue;
    // Tables that this chip does not have.
    if (t == SLUICE_TABLE_ARRAY || t == SLUICE_TABLE_ARRAY_KEYS || t == SLUICE_TABLE_RECIRCULATE ||
        t == SLUICE_TABLE_KEY_COMPARE || !m->depth[t])
      continue;
    const unsigned stage = sluice_tables[t].scope == SLUICE_SCOPE_front ? m->config.BackStages : 0;
    struct control c = {.table = (enum sluice_table)t, .stage = stage, .index = ROWS - 1};
    assert_true(control(m, c, &e, 1, NULL));
    c.index = 2 * ROWS - 1;
    assert_int_equal(control(m, c, &e, 1, NULL), rows == SLUICE_ROWS_overlay);
    c.index = 2 * ROWS;
    assert_false(control(m, c, &e, 1, NULL));
  }
}

// Every step looks at the entry of the packet's bank: parser, key, mask, hash, access, segment,
// deparser, options, ports.
TEST(a_packet_sees_one_bank) {
  enum { FROM = 50, TO = 34, SUM = 28 };
  struct sluice_model *m CLOSED_BY(close_model) = open_model("banks");
  const unsigned front = m->config.BackStages;
  uint8_t frame[64];
  data_frame(frame, sizeof frame, ROW, 1);
  for (unsigned bank = 0; bank < 2; bank++) {
    const unsigned row = bank * ROWS + ROW;
    struct entry parser = {{0}}, deparser = {{0}}, options = {{0}}, module = {{0}}, ports = {{0}},
                 hash = {{0}};
    entry_action(&parser, 0, parse_action(0, FROM + 2 * bank, B2, 0));
    entry_action(&parser, 1, parse_action(0, FROM + 2 * bank, B4, 0));
    entry_action(&deparser, 0, parse_action(0, TO + 2 * bank, B2, 0));
    entry_action(&deparser, 1, parse_action(0, 58, B4, 1));
    SET(&options, DEPARSE_OPT, IP_CHECKSUM, bank);
    SETS(&module, MODULE, (VALID, 1), (VID, ROW), (DEST, 15));
    SET(&ports, MODULE_PORTS, PORTS, 1u << bank);
    SETS(&hash, HASH_INSTR, (VALID, 1), (ALGORITHM, SLUICE_HASH_IDENTITY), (NUM_WORDS, 1),
         (A, operand(K, 2 + bank)));
    put(m, SLUICE_TABLE_PARSER, 0, row, &parser);
    put(m, SLUICE_TABLE_DEPARSER, 0, row, &deparser);
    put(m, SLUICE_TABLE_DEPARSE_OPT, 0, row, &options);
    put(m, SLUICE_TABLE_MODULE, 0, row, &module);
    put(m, SLUICE_TABLE_MODULE_PORTS, 0, row, &ports);
    put(m, SLUICE_TABLE_HASH_INSTR, front, row, &hash);
    segment(m, 0, row, 10 * (bank + 1), 4);
    access(m, 0, row, 0, 0, operand(K, 1 + bank));
  }
  // A row for both banks: the hash into a container, and the key of bank 1 has the comparator's bit
  // 1, that of bank 0 all masked.
  struct entry action = {{0}}, mask;
  entry_slot(&action, 10, instr_imm(SLUICE_OP_EXT, 0, SLUICE_EXT_OLD_1));
  match_all(m, front, ROW, 0, &action);
  memset(&mask, 0xff, sizeof mask);
  put(m, SLUICE_TABLE_KEY_MASK, front, ALL, &mask);
  for (unsigned round = 0; round < 4; round++) {
    const unsigned bank = round % 2;
    assert_true(sluice_model_set_bank(m, bank ? 1u << ROW : ~(1u << ROW)));
    const struct sluice_model_result r = pass(m, frame);
    assert_int_equal(model_get16(r.header + TO + 2 * bank), model_get16(frame + FROM + 2 * bank));
    assert_int_equal(model_get16(r.header + TO + 2 * !bank), model_get16(frame + TO + 2 * !bank));
    assert_int_equal(r.header[61], 2 + bank);
    assert_int_equal(model_get16(r.header + SUM) != model_get16(frame + SUM), bank);
    assert_int_equal(r.ports, 1u << bank);
    assert_true(r.some_forbidden);
    assert_true(r.access[0].resolved);
    FIELDS_ARE(&r.access[0], (index, 1 + bank), (slot, 10 * (bank + 1) + (1 + bank) / 2));
  }
  // The key mask is the bank's, too.
  SET(&mask, KEY, PREDICATE, 0);
  struct entry one = ENTRY_OF(KEY_EXTRACT, (CMP_OP, SLUICE_CMP_ONE));
  put(m, SLUICE_TABLE_KEY_MASK, front, ALL, &mask);
  put(m, SLUICE_TABLE_KEY_EXTRACT, front, ALL, &one);
  assert_int_equal(pass(m, frame).header[61], 0);  // bank 1 reads 1, the row wants 0
  sluice_model_set_bank(m, 0);
  assert_int_equal(pass(m, frame).header[61], 2);
}

// A packet keeps the bank that it took, whatever CHIP.BANK says later.
TEST(the_bank_is_taken_once) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("banks");
  uint8_t frame[64];
  data_frame(frame, sizeof frame, ROW, 1);
  struct entry ports = {{0}}, module = {{0}};
  SETS(&module, MODULE, (VALID, 1), (VID, ROW), (DEST, 3));
  put(m, SLUICE_TABLE_MODULE, 0, ROW, &module);
  put(m, SLUICE_TABLE_MODULE, 0, ALL, &module);
  SET(&ports, MODULE_PORTS, PORTS, 1);
  put(m, SLUICE_TABLE_MODULE_PORTS, 0, ROW, &ports);
  const struct sluice_model_verdict v = sluice_model_classify(sluice_model_filter(m), frame, 64);
  const struct sluice_model_packet packet = {.bytes = frame, .len = 64, .bank = v.bank};
  struct sluice_model_phv phv;
  struct sluice_model_result result;
  assert_int_equal(v.bank, 0);
  sluice_model_front(m, &packet, &phv);
  sluice_model_set_bank(m, 1u << ROW);
  sluice_model_admit(m, &packet, &phv, &result);
  assert_int_equal(result.ports, 1);
  assert_int_equal(pass(m, frame).ports, 3);
}

// The filter takes the bank of the row first, and then looks whether the packet is its module's.
TEST(the_filter_looks_into_the_bank) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("banks");
  uint8_t frame[64];
  struct entry module = ENTRY_OF(MODULE, (VALID, 1), (VID, 64 + ROW));
  put(m, SLUICE_TABLE_MODULE, 0, ALL, &module);
  for (unsigned i = 0; i < 4; i++) {
    const unsigned vid = i & 1 ? 64 + ROW : ROW, bank = i >> 1;
    data_frame(frame, sizeof frame, vid, 1);
    sluice_model_set_bank(m, bank << ROW);
    const struct sluice_model_verdict v = sluice_model_classify(sluice_model_filter(m), frame, 64);
    FIELDS_ARE(&v, (reason, (i & 1) == bank ? SLUICE_DROP_NONE : SLUICE_DROP_UNKNOWN_MODULE),
               (bank, bank));
  }
}

// A packet of bank b does not see a row whose NOT_BANK has bit b; the lowest of the others wins.
TEST(rows_that_are_not_for_a_bank) {
  for (unsigned stage = 0; stage < 3; stage++) {  // back stages and the front stage
    struct sluice_model *m = open_model("banks");
    uint8_t frame[64];
    data_frame(frame, sizeof frame, ROW, 1);
    struct entry deparser = {{0}}, mask;
    entry_action(&deparser, 0, parse_action(0, 60, B2, 0));
    memset(&mask, 0xff, sizeof mask);
    for (unsigned bank = 0; bank < 2; bank++) {
      put(m, SLUICE_TABLE_DEPARSER, 0, bank * ROWS + ROW, &deparser);
      put(m, SLUICE_TABLE_KEY_MASK, stage, bank * ROWS + ROW, &mask);
    }
    for (unsigned r = 0; r < 4; r++) {  // row r is not for the banks of r's complement
      struct entry match = {{0}}, action = {{0}};
      SETS(&match, MATCH, (VID, ROW), (NOT_BANK, 3 - r));
      entry_slot(&action, 1, instr_imm(SLUICE_OP_SET, 0, 0x100 + r));
      put(m, SLUICE_TABLE_MATCH, stage, r, &match);
      put(m, SLUICE_TABLE_ACTION, stage, r, &action);
    }
    static const unsigned hit[2][2] = {{1, 2}, {3, 3}};  // then: rows 1 and 2 are gone
    for (unsigned round = 0; round < 2; round++) {
      for (unsigned bank = 0; bank < 2; bank++) {
        sluice_model_set_bank(m, bank << ROW);
        assert_int_equal(model_get16(pass(m, frame).header + 60), 0x100 + hit[round][bank]);
      }
      for (unsigned r = 1; r < 3; r++)
        assert_true(control(
            m,
            (struct control){
                .table = SLUICE_TABLE_MATCH, .op = SLUICE_CHAIN_ERASE, .stage = stage, .index = r},
            NULL, 0, NULL));
    }
    sluice_model_close(m);
  }
}

// State lives once: both banks reach it through segments of their own, STATE and FILL too.
TEST(state_is_shared) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("banks");
  struct entry value = {{0}};
  uint32_t s1, s2;
  segment(m, 0, ROW, 4, 8);
  segment(m, 0, ALL, 6, 4);  // 2 slots further: index i of bank 1 is index i + 4 of bank 0
  SET(&value, STATE_ENTRY, S1, 77);
  struct control c = {.table = SLUICE_TABLE_STATE, .row = ALL, .index = 1};
  assert_true(control(m, c, &value, 1, NULL));
  assert_true(sluice_model_state(m, ROW, 0, 5, &s1, &s2) && s1 == 77);
  assert_true(sluice_model_state(m, ALL, 0, 1, &s1, &s2) && s1 == 77);
  c.index = 4;
  assert_false(control(m, c, &value, 1, NULL));
  c.row = ROW;
  assert_true(control(m, c, &value, 1, NULL));
  assert_true(sluice_model_state(m, ALL, 0, 0, &s1, &s2) && s1 == 77);
  SET(&value, STATE_ENTRY, S1, 5);
  c = (struct control){.table = SLUICE_TABLE_FILL, .row = ALL};
  assert_true(control(m, c, &value, 1, NULL));
  assert_true(sluice_model_state(m, ROW, 0, 7, &s1, &s2) && s1 == 5);
  assert_true(sluice_model_state(m, ROW, 0, 3, &s1, &s2) && s1 == 0);
  c.row = 2 * ROWS;
  assert_false(control(m, c, &value, 1, NULL));
}

// Writes through the bank that packets do not take are refused while packets that took it are
// inside; other rows do not matter.
TEST(writes_before_the_drain_are_refused) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("banks");
  static struct sluice_model_answer answer;
  struct entry e[3] = {{{0}}};
  for (unsigned i = 0; i < 3; i++) entry_action(&e[i], 0, parse_action(0, 50, B2, 0));
  segment(m, 0, ROW, 4, 8);
  segment(m, 0, ALL, 4, 8);
  sluice_model_set_bank(m, 1u << ROW);  // bank 0 is the old one
  sluice_model_set_inside(m, 0, 1u << ROW);
  sluice_model_set_inside(m, 1, 1u << ROW);
  struct control c = {.table = SLUICE_TABLE_PARSER, .index = ROW};
  assert_false(control(m, c, e, 1, NULL));
  assert_int_equal(*model_entry(m, SLUICE_TABLE_PARSER, 0, ROW), 0);
  c.index = ALL;  // the bank that packets take: Menshen's procedure
  assert_true(control(m, c, e, 1, NULL));
  c.index = ROW + 1;
  assert_true(control(m, c, e, 1, NULL));
  // Of three entries the one in the middle is refused, and the packet counts as refused.
  c.index = ROW - 1;
  assert_false(control(m, c, e, 3, NULL));
  assert_int_equal(*model_entry(m, SLUICE_TABLE_PARSER, 0, ROW), 0);
  assert_int_not_equal(model_entry(m, SLUICE_TABLE_PARSER, 0, ROW - 1)[2], 0);
  assert_false(
      control(m, (struct control){.table = SLUICE_TABLE_SEGMENT16, .index = ROW}, e, 1, NULL));
  assert_false(control(m, (struct control){.table = SLUICE_TABLE_STATE, .row = ROW}, e, 1, NULL));
  assert_false(control(m, (struct control){.table = SLUICE_TABLE_FILL, .row = ROW}, e, 1, NULL));
  assert_true(control(m, (struct control){.table = SLUICE_TABLE_STATE, .row = ALL}, e, 1, NULL));
  // Rows without an owner, shares and reads are not refused.
  assert_true(control(m, (struct control){.table = SLUICE_TABLE_MATCH, .index = ROW}, e, 1, NULL));
  assert_true(control(m, (struct control){.table = SLUICE_TABLE_SHARE, .index = ROW}, e, 1, NULL));
  assert_true(control(
      m, (struct control){.table = SLUICE_TABLE_PARSER, .index = ROW, .op = SLUICE_CHAIN_READ},
      NULL, 0, &answer));
  assert_true(
      control(m, (struct control){.table = SLUICE_TABLE_STATE, .row = ROW, .op = SLUICE_CHAIN_READ},
              NULL, 0, &answer));
  sluice_model_set_inside(m, 0, 0);
  c.index = ROW;
  assert_true(control(m, c, e, 1, NULL));
}
