// SPDX-License-Identifier: Apache-2.0
// Egress in the reference model (docs/machine.md, Egress): the numbers of a copy, what its stages
// do, discards, state of the lanes, control. Chip `egress`: two pipelines of four ports each,
// egress stages 3 and 4. All expected values are worked out by hand.
#include "tests/rig/test.h"
#include "base/bytes.h"
#include "tests/rig/model_rig.h"

#include "driver/chip/chip.h"

enum { STAGE = 3, LEN = 64, BASE = 7, RANGE = 10, SLOTS = 128 };

static struct sluice_model *opened(void) { return open_model("egress"); }

static const uint8_t *frame(void) {
  static uint8_t bytes[128];
  data_frame(bytes, sizeof bytes, ROW, 1);
  return bytes;
}

// A copy with a number of its own in every field.
static struct sluice_model_copy copy_for(unsigned port) {
  return (struct sluice_model_copy){.bytes = frame(),
                                    .len = LEN,
                                    .vid = ROW,
                                    .lane = port % 2,
                                    .port = port,
                                    .number = 2,
                                    .depth_in = 0x0102,
                                    .depth_out = 0x0304,
                                    .cycle = 0x05060708,
                                    .delay = 0x090a0b0c};
}

static struct sluice_model_egressed run(struct sluice_model *m, struct sluice_model_copy copy) {
  struct sluice_model_egressed result;
  sluice_model_egress(m, &copy, &result);
  return result;
}

static void parser(struct sluice_model *m, const unsigned *actions, unsigned num) {
  struct entry e = {{0}};
  for (unsigned n = 0; n < num; n++) entry_action(&e, n, actions[n]);
  put(m, SLUICE_TABLE_EGRESS_PARSER, 0, ROW, &e);
}
static void deparser(struct sluice_model *m, const unsigned *actions, unsigned num) {
  struct entry e = {{0}};
  for (unsigned n = 0; n < num; n++) entry_action(&e, n, actions[n]);
  put(m, SLUICE_TABLE_EGRESS_DEPARSER, 0, ROW, &e);
}

// The layout, most significant byte first: byte 14 and 15 have VID[7:0] in bits 140:133, so 0x00a0
// for module 5.
TEST(metadata_has_all_numbers) {
  static const uint8_t expected[32] = {
      [13] = 2,    [15] = 0xa0, [16] = 0x09, [17] = 0x0a, [18] = 0x0b, [19] = 0x0c,
      [20] = 0x01, [21] = 0x02, [23] = 6,    [24] = 0x05, [25] = 0x06, [26] = 0x07,
      [27] = 0x08, [28] = 0x03, [29] = 0x04, [31] = LEN};
  for (unsigned at = 0; at < 32; at += 2) {
    struct sluice_model *m CLOSED_BY(close_model) = opened();
    const unsigned in = parse_action(1, at, B2, 3), out = parse_action(0, 50, B2, 3);
    parser(m, &in, 1);
    deparser(m, &out, 1);
    const struct sluice_model_egressed r = run(m, copy_for(6));
    assert_false(r.dropped);
    FIELDS_ARE(&r, (header[50], expected[at]), (header[51], expected[at + 1]));
    assert_memory_equal(r.header, frame(), 50);
    assert_memory_equal(r.header + 52, frame() + 52, LEN - 52);
  }
}

// The page's example: ports 1, 3 and 6; a MATCH entry for 3 discards.
TEST(one_port_of_three_is_discarded) {
  struct sluice_model *m CLOSED_BY(close_model) = opened();
  struct entry mask, match = {{0}}, action = {{0}};
  const unsigned in = parse_action(1, 22, B2, 0);  // PORT_OUT
  parser(m, &in, 1);
  memset(&mask, 0xff, sizeof mask);
  entry_set(&mask, SLUICE_KEY_BITS, SLUICE_KEY_B2_FIRST_MSB, SLUICE_KEY_B2_FIRST_LSB, 0);
  put(m, SLUICE_TABLE_KEY_MASK, STAGE, ROW, &mask);
  SET(&match, MATCH, VID, ROW);
  entry_set(&match, SLUICE_MATCH_BITS, SLUICE_KEY_B2_FIRST_MSB, SLUICE_KEY_B2_FIRST_LSB, 3);
  put(m, SLUICE_TABLE_MATCH, STAGE, 2, &match);
  entry_slot(&action, 0, (uint32_t)SLUICE_OP_DISCARD << 21 | 1u << SLUICE_INSTR_MD_DISCARD_LSB);
  put(m, SLUICE_TABLE_ACTION, STAGE, 2, &action);
  assert_false(run(m, copy_for(1)).dropped);
  assert_true(run(m, copy_for(3)).dropped);
  assert_false(run(m, copy_for(6)).dropped);
  // Another module's copy does not meet the entry.
  struct sluice_model_copy other = copy_for(3);
  other.vid = ROW + 1;
  assert_false(run(m, other).dropped);
}

// With two banks a copy takes the entries of its packet's: bank 1 writes PORT_OUT, bank 0 the
// length. An entry of the first egress stage that is not for bank 1 discards the copies of bank 0
// alone.
TEST(a_copy_has_the_bank_of_its_packet) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("s2");
  const unsigned stage = 6, modules = sluice_model_config(m)->NumModules;
  struct entry mask, match = {{0}}, action = {{0}}, out = {{0}};
  entry_action(&out, 0, parse_action(0, 50, B2, 0));
  for (unsigned bank = 0; bank < 2; bank++) {
    struct entry in = {{0}};
    entry_action(&in, 0, parse_action(1, bank ? 22 : 30, B2, 0));
    put(m, SLUICE_TABLE_EGRESS_PARSER, 0, bank * modules + ROW, &in);
    put(m, SLUICE_TABLE_EGRESS_DEPARSER, 0, bank * modules + ROW, &out);
  }
  struct sluice_model_copy copy = copy_for(3);
  copy.lane = 1;
  assert_int_equal(run(m, copy).header[51], LEN);
  copy.bank = 1;
  assert_int_equal(run(m, copy).header[51], 3);
  memset(&mask, 0xff, sizeof mask);
  for (unsigned bank = 0; bank < 2; bank++)
    put(m, SLUICE_TABLE_KEY_MASK, stage, bank * modules + ROW, &mask);
  SETS(&match, MATCH, (VID, ROW), (NOT_BANK, 2));
  put(m, SLUICE_TABLE_MATCH, stage, 0, &match);
  entry_slot(&action, 0, (uint32_t)SLUICE_OP_DISCARD << 21 | 1u << SLUICE_INSTR_MD_DISCARD_LSB);
  put(m, SLUICE_TABLE_ACTION, stage, 0, &action);
  assert_false(run(m, copy).dropped);
  copy.bank = 0;
  assert_true(run(m, copy).dropped);
}

// What is taken out of a capsule is taken out behind the stages: they see all of it.
TEST(a_capsule_loses_its_instructions_behind_the_stages) {
  enum { WHOLE = 96, GONE = 18, AT = SLUICE_MODEL_TAKEN_AT };
  uint8_t came[WHOLE], waits[WHOLE];
  struct sluice_model_result result = {.len = WHOLE - GONE, .taken_out = GONE};
  const struct sluice_model_packet packet = {.bytes = came, .len = WHOLE};
  for (unsigned i = 0; i < WHOLE; i++) came[i] = result.header[i] = (uint8_t)i;
  sluice_model_queued(&packet, result.header, waits);
  assert_memory_equal(waits, came, WHOLE);
  waits[60] = 0xaa;  // as an egress function would: inside of what goes ...
  waits[70] = 0xbb;  // ... and behind it
  assert_int_equal(sluice_model_take_out(&result, WHOLE, waits), WHOLE - GONE);
  assert_memory_equal(waits, came, AT);
  for (unsigned i = AT; i < WHOLE - GONE; i++)
    assert_int_equal(waits[i], i + GONE == 70 ? 0xbb : i + GONE);
}

TEST(no_entries_change_nothing) {
  struct sluice_model *m CLOSED_BY(close_model) = opened();
  const struct sluice_model_egressed r = run(m, copy_for(0));
  assert_false(r.dropped);
  assert_memory_equal(r.header, frame(), LEN);
}

// Bytes behind the end of the packet read 0 and are not written; the header has 128 bytes.
TEST(the_end_of_a_copy) {
  struct sluice_model *m CLOSED_BY(close_model) = opened();
  const unsigned in[] = {parse_action(0, 62, B4, 0), parse_action(1, 30, B4, 1)},
                 out[] = {parse_action(0, 50, B4, 0), parse_action(0, 54, B4, 1),
                          parse_action(0, 62, B6, 0)};
  parser(m, in, 2);
  deparser(m, out, 3);
  const struct sluice_model_egressed r = run(m, copy_for(0));
  FIELDS_ARE(&r, (header[50], frame()[62]), (header[51], frame()[63]), (header[52], 0),
             (header[53], 0));
  assert_int_equal(r.header[55], LEN);  // bytes 30 and 31 of the metadata, and then 0
  assert_int_equal(r.header[56], 0);
  assert_int_equal(r.header[62], 0);  // 6B[0] is 0
}

// Slot 0 can set a destination; nobody looks. Both stages work, one behind the other.
TEST(two_stages_in_a_row) {
  struct sluice_model *m CLOSED_BY(close_model) = opened();
  struct entry first = {{0}}, second = {{0}};
  const unsigned out = parse_action(0, 50, B2, 0);
  deparser(m, &out, 1);
  entry_slot(&first, 0, (uint32_t)SLUICE_OP_PORT << 21 | 1u << SLUICE_INSTR_MD_DEST_LSB);
  entry_slot(&first, 1, instr_imm(SLUICE_OP_ADDI, operand(B2, 0), 5));
  entry_slot(&second, 1, instr_imm(SLUICE_OP_ADDI, operand(B2, 0), 0x300));
  match_all(m, STAGE, ROW, 0, &first);
  match_all(m, STAGE + 1, ROW, 7, &second);
  const struct sluice_model_egressed r = run(m, copy_for(4));
  FIELDS_ARE(&r, (header[50], 3), (header[51], 5));
}

// The example under Checksums: TTL 64 becomes 63 with protocol 17, and 0xb1e6 becomes 0xb2e6.
TEST(a_checksum_is_updated) {
  struct sluice_model *m CLOSED_BY(close_model) = opened();
  struct entry options = {{0}}, action = {{0}};
  uint8_t bytes[128];
  memcpy(bytes, frame(), sizeof bytes);
  bytes[26] = 64, bytes[27] = 17, bytes[28] = 0xb1, bytes[29] = 0xe6;
  const unsigned move = parse_action(0, 26, B2, 0);
  parser(m, &move, 1);
  deparser(m, &move, 1);
  entry_slot(&action, 1, instr_imm(SLUICE_OP_SUBI, operand(B2, 0), 0x100));
  match_all(m, STAGE, ROW, 0, &action);
  SET(&options, DEPARSE_OPT, IP_CHECKSUM, 1);
  put(m, SLUICE_TABLE_EGRESS_OPT, 0, ROW, &options);
  struct sluice_model_copy copy = copy_for(0);
  copy.bytes = bytes;
  const struct sluice_model_egressed r = run(m, copy);
  FIELDS_ARE(&r, (header[26], 63), (header[28], 0xb2), (header[29], 0xe6));
}

// ---- state --------------------------------------------------------------------------------------

// S1 counts; index operand 2B[0], which is PORT_OUT. The new value goes to
// 4B[0] and to bytes 50..53.
static void count_by_port(struct sluice_model *m) {
  struct entry instr_entry = {{0}}, action = {{0}};
  const unsigned in = parse_action(1, 22, B2, 0), out = parse_action(0, 50, B4, 0);
  parser(m, &in, 1);
  deparser(m, &out, 1);
  entry_slot(&action, 9, instr_imm(SLUICE_OP_EXT, 0, SLUICE_EXT_NEW_1));
  match_all(m, STAGE, ROW, 0, &action);
  SETS(&instr_entry, STATE_INSTR, (VALID, 1), (PRED_1, SLUICE_REL_TRUE << 3),
       (PRED_2, SLUICE_REL_TRUE << 3), (A1, 0x80 | SLUICE_ARM_K0 << 3 | SLUICE_ARM_ZERO), (K0, 1));
  put(m, SLUICE_TABLE_STATE_INSTR, STAGE, 0, &instr_entry);
  segment(m, STAGE, ROW, BASE, RANGE);
  // Neither PINNED nor PIPE counts.
  access(m, STAGE, ROW, 0, 1, operand(B2, 0));
}

static uint32_t count_of(struct sluice_model *m, unsigned port) {
  struct sluice_model_copy copy = copy_for(port);
  copy.number = 0;
  const struct sluice_model_egressed r = run(m, copy);
  assert_false(r.dropped);
  return sluice_get32(r.header + 50);
}

static void expect_state(struct sluice_model *m, unsigned lane, unsigned index, uint32_t s1) {
  uint32_t a = 0, b = 0;
  assert_true(sluice_model_lane_state(m, ROW, 0, lane, index, &a, &b));
  assert_int_equal(a, s1);
  struct sluice_model_answer answer;
  assert_true(control(m,
                      (struct control){.table = SLUICE_TABLE_STATE,
                                       .op = SLUICE_CHAIN_READ,
                                       .stage = STAGE,
                                       .index = index,
                                       .copy = lane,
                                       .row = ROW},
                      NULL, 0, &answer));
  assert_int_equal(sluice_get32(answer.bytes + 64), s1);
}

TEST(state_is_the_lane_s) {
  struct sluice_model *m CLOSED_BY(close_model) = opened();
  count_by_port(m);
  assert_int_equal(count_of(m, 2), 1);
  assert_int_equal(count_of(m, 2), 2);
  assert_int_equal(count_of(m, 7), 1);
  expect_state(m, 0, 2, 2);
  expect_state(m, 1, 2, 0);
  expect_state(m, 0, 7, 0);
  expect_state(m, 1, 7, 1);
}

// Index 6 is out of bounds: zeros are read, so the new value is 1, and nothing written.
TEST(out_of_bounds_writes_nothing) {
  struct sluice_model *m CLOSED_BY(close_model) = opened();
  count_by_port(m);
  segment(m, STAGE, ROW, BASE, 6);
  for (int i = 0; i < 2; i++) {
    const struct sluice_model_egressed r = run(m, copy_for(6));
    assert_int_equal(r.header[53], 1);
    assert_true(r.access[0].executed);
    assert_true(r.access[0].refused);
  }
  for (unsigned i = 0; i < 6; i++) expect_state(m, 0, i, 0);
  // Without ENABLE as well.
  struct entry none = {{0}};
  put(m, SLUICE_TABLE_ACCESS, STAGE, ROW, &none);
  assert_int_equal(count_of(m, 2), 1);
  assert_int_equal(count_of(m, 2), 1);
  expect_state(m, 0, 2, 0);
}

// LOADD takes its index from operand B of slot 16, here 4B[1] = 3, not from ACCESS.
TEST(loadd_has_its_own_index) {
  struct sluice_model *m CLOSED_BY(close_model) = opened();
  struct entry action = {{0}};
  const unsigned in = parse_action(1, 22, B4, 1);  // {PORT_OUT, CYCLE[31:16]}
  parser(m, &in, 1);
  entry_slot(&action, 16, instr(SLUICE_OP_LOADD, 0, operand(B4, 1)));
  match_all(m, STAGE, ROW, 0, &action);
  segment(m, STAGE, ROW, BASE, RANGE);
  access(m, STAGE, ROW, 1, 1, operand(K, 0));
  struct sluice_model_copy copy = copy_for(0);
  copy.number = 0, copy.cycle = 3 << 16;
  run(m, copy);
  expect_state(m, 0, 3, 1);
  expect_state(m, 0, 0, 0);
  expect_state(m, 1, 3, 0);
}

static bool write_state(struct sluice_model *m, enum sluice_table table, unsigned index,
                        uint32_t s1, uint32_t s2) {
  struct entry e = ENTRY_OF(STATE_ENTRY, (S1, s1), (S2, s2));
  return control(m, (struct control){.table = table, .stage = STAGE, .index = index, .row = ROW},
                 &e, 1, NULL);
}

TEST(control_of_state) {
  struct sluice_model *m CLOSED_BY(close_model) = opened();
  struct sluice_model_answer answer;
  count_by_port(m);
  assert_true(write_state(m, SLUICE_TABLE_STATE, 2, 40, 9));
  assert_int_equal(count_of(m, 2), 41);
  expect_state(m, 0, 2, 41);
  expect_state(m, 1, 2, 40);
  assert_true(write_state(m, SLUICE_TABLE_FILL, 0, 17, 0));
  for (unsigned i = 0; i < RANGE; i++) expect_state(m, i % 2, i, 17);
  assert_false(write_state(m, SLUICE_TABLE_FILL, 1, 17, 0));
  // Outside the range, and of a lane that is not there: refused.
  assert_false(write_state(m, SLUICE_TABLE_STATE, RANGE, 1, 1));
  struct control read = {.table = SLUICE_TABLE_STATE,
                         .op = SLUICE_CHAIN_READ,
                         .stage = STAGE,
                         .index = 0,
                         .copy = 2,
                         .row = ROW};
  assert_false(control(m, read, NULL, 0, &answer));
  read.copy = 0, read.index = RANGE - 1, read.count = 2;
  assert_false(control(m, read, NULL, 0, &answer));
  // In the range, but no slot in the memory: a read gives 0, a write is refused.
  segment(m, STAGE, ROW, SLOTS - 1, 2);
  assert_true(write_state(m, SLUICE_TABLE_STATE, 0, 1, 1));
  assert_false(write_state(m, SLUICE_TABLE_STATE, 1, 1, 1));
  read.index = 1, read.count = 1;
  assert_true(control(m, read, NULL, 0, &answer));
  assert_int_equal(answer.bytes[67], 0);
}

// What is written at an egress stage is none of a back stage's, and the other way round.
TEST(stages_have_their_own_tables) {
  struct sluice_model *m CLOSED_BY(close_model) = opened();
  uint32_t s1 = 1, s2 = 1;
  for (unsigned stage = 0; stage < 5; stage++)
    if (stage != 2) segment(m, stage, ROW, 10 * stage, 4 + stage);
  for (unsigned stage = 0; stage < 5; stage++)
    assert_int_equal(sluice_model_state_range(m, ROW, stage), stage == 2 ? 0 : 4 + stage);
  assert_true(write_state(m, SLUICE_TABLE_STATE, 0, 5, 6));
  assert_true(sluice_model_state(m, ROW, 0, 0, &s1, &s2));
  assert_int_equal(s1, 0);
  assert_true(sluice_model_state(m, ROW, 1, 0, &s1, &s2));
  assert_int_equal(s1, 0);
  assert_true(sluice_model_lane_state(m, ROW, 1, 0, 0, &s1, &s2));
  assert_int_equal(s1, 0);
  assert_true(sluice_model_lane_state(m, ROW, 0, 1, 0, &s1, &s2));
  assert_int_equal(s1, 5);
  assert_int_equal(s2, 6);
  assert_false(sluice_model_lane_state(m, ROW, 2, 0, 0, &s1, &s2));
  assert_false(sluice_model_lane_state(m, ROW, 0, 2, 0, &s1, &s2));
}

// Tables that an egress stage has and has not; those of scope egress do not look at STAGE.
// A copy counts with its own length at the entry of an egress stage that it hits.
TEST(entries_count_copies) {
  struct sluice_config config = *sluice_config_find("egress");
  struct entry action = {{0}};
  config.EntryCounters = 1;
  struct sluice_model *m CLOSED_BY(close_model) = with_modules(sluice_model_open(&config));
  match_all(m, STAGE, ROW, 2, &action);
  for (unsigned n = 0; n < 3; n++) run(m, copy_for(n));
  assert_true(sluice_model_count(m, SLUICE_TABLE_MATCH_COUNT, STAGE, 2) ==
              (UINT64_C(3) << SLUICE_ENTRY_COUNT_PACKETS_LSB | 3 * LEN));
}

TEST(which_tables_there_are) {
  static const enum sluice_table yes[] = {SLUICE_TABLE_KEY_EXTRACT, SLUICE_TABLE_KEY_MASK,
                                          SLUICE_TABLE_MATCH,       SLUICE_TABLE_ACTION,
                                          SLUICE_TABLE_SEGMENT,     SLUICE_TABLE_SEGMENT16,
                                          SLUICE_TABLE_ACCESS,      SLUICE_TABLE_STATE_INSTR},
                                 no[] = {SLUICE_TABLE_HASH_INSTR, SLUICE_TABLE_MULTIPLY,
                                         SLUICE_TABLE_TAKE,       SLUICE_TABLE_LEAVE,
                                         SLUICE_TABLE_CUT,        SLUICE_TABLE_ARRAY_INSTR,
                                         SLUICE_TABLE_STATE_ROW,  SLUICE_TABLE_TERNARY};
  struct sluice_model *m CLOSED_BY(close_model) = opened(),
                         *tiny CLOSED_BY(close_model) = open_model("tiny");
  const struct entry e = {{0}};
  for (unsigned i = 0; i < sizeof yes / sizeof yes[0]; i++) {
    assert_true(control(m, (struct control){.table = yes[i], .stage = 4}, &e, 1, NULL));
    assert_false(control(m, (struct control){.table = yes[i], .stage = 5}, &e, 1, NULL));
    assert_false(control(tiny, (struct control){.table = yes[i], .stage = 3}, &e, 1, NULL));
  }
  for (unsigned i = 0; i < sizeof no / sizeof no[0]; i++)
    assert_false(control(m, (struct control){.table = no[i], .stage = 3}, &e, 1, NULL));
  for (unsigned stage = 0; stage < 32; stage += 3) {
    const struct control c = {.table = SLUICE_TABLE_EGRESS_PARSER, .stage = stage, .index = ROW};
    assert_true(control(m, c, &e, 1, NULL));
    assert_false(control(tiny, c, &e, 1, NULL));
  }
}

// ---- the model as a chip ------------------------------------------------------------------------

// A multicast to the ports 1, 3 and 6 of which 3 is discarded; nothing waits: DEPTH and DELAY are
// 0, COPY 0, 1 and 2. Bytes 50 to 53 leave as {PORT_OUT, COPY}.
TEST(the_chip_without_load) {
  struct sluice_transport to;
  struct sluice_error error;
  struct sluice_packet_out out;
  struct entry module = {{0}}, moves = {{0}}, back = {{0}}, mask, match = {{0}}, action = {{0}};
  uint8_t control_bytes[400], bytes[128];
  uint32_t value;
  assert_int_equal(sluice_transport_model(&to, "egress", NULL, &error), SLUICE_OK);
  SETS(&module, MODULE, (VALID, 1), (VID, ROW), (DEST, 1 << 1 | 1 << 3 | 1 << 6));
  entry_action(&moves, 0, parse_action(1, 22, B2, 0));
  entry_action(&moves, 1, parse_action(1, 12, B2, 1));
  entry_action(&back, 0, parse_action(0, 50, B2, 0));
  entry_action(&back, 1, parse_action(0, 52, B2, 1));
  memset(&mask, 0xff, sizeof mask);
  entry_set(&mask, SLUICE_KEY_BITS, SLUICE_KEY_B2_FIRST_MSB, SLUICE_KEY_B2_FIRST_LSB, 0);
  SET(&match, MATCH, VID, ROW);
  entry_set(&match, SLUICE_MATCH_BITS, SLUICE_KEY_B2_FIRST_MSB, SLUICE_KEY_B2_FIRST_LSB, 3);
  entry_slot(&action, 0, (uint32_t)SLUICE_OP_DISCARD << 21 | 1u << SLUICE_INSTR_MD_DISCARD_LSB);
  const struct {
    struct control where;
    const struct entry *entry;
  } writes[] = {{{.table = SLUICE_TABLE_MODULE, .index = ROW}, &module},
                {{.table = SLUICE_TABLE_EGRESS_PARSER, .index = ROW}, &moves},
                {{.table = SLUICE_TABLE_EGRESS_DEPARSER, .index = ROW}, &back},
                {{.table = SLUICE_TABLE_KEY_MASK, .stage = STAGE, .index = ROW}, &mask},
                {{.table = SLUICE_TABLE_MATCH, .stage = STAGE, .index = 0}, &match},
                {{.table = SLUICE_TABLE_ACTION, .stage = STAGE, .index = 0}, &action}};
  for (unsigned i = 0; i < sizeof writes / sizeof writes[0]; i++)
    assert_int_equal(to.ops->control_send(
                         to.self, control_bytes,
                         control_frame(control_bytes, writes[i].where, writes[i].entry, 1), &error),
                     SLUICE_OK);
  memcpy(bytes, frame(), sizeof bytes);
  assert_int_equal(to.ops->packet_send(to.self, 0, bytes, LEN, &error), SLUICE_OK);
  static const unsigned ports[] = {1, 6}, numbers[] = {0, 2};
  for (unsigned i = 0; i < 2; i++) {
    assert_int_equal(to.ops->packet_receive(to.self, &out, &error), SLUICE_OK);
    FIELDS_ARE(&out, (len, LEN), (port, ports[i]), (bytes[50], 0), (bytes[51], ports[i]),
               (bytes[52], 0), (bytes[53], numbers[i]));
  }
  assert_int_equal(to.ops->packet_receive(to.self, &out, &error), SLUICE_OK);
  assert_int_equal(out.len, 0);
  const struct {
    uint32_t addr, value;
  } registers[] = {{SLUICE_PORT_BASE + 3 * SLUICE_PORT_STRIDE + SLUICE_PORT_EGRESS, 1},
                   {SLUICE_PORT_BASE + 3 * SLUICE_PORT_STRIDE + SLUICE_PORT_PACKETS, 0},
                   {SLUICE_PORT_BASE + 6 * SLUICE_PORT_STRIDE + SLUICE_PORT_EGRESS, 0},
                   {SLUICE_PORT_BASE + 6 * SLUICE_PORT_STRIDE + SLUICE_PORT_PACKETS, 1},
                   {SLUICE_MODULE_BASE + ROW * SLUICE_MODULE_STRIDE + SLUICE_MODULE_DROP +
                        4 * SLUICE_DROP_EGRESS,
                    1}};
  for (unsigned i = 0; i < sizeof registers / sizeof registers[0]; i++) {
    assert_int_equal(to.ops->csr_read(to.self, registers[i].addr, &value, &error), SLUICE_OK);
    assert_int_equal(value, registers[i].value);
  }
  to.ops->close(to.self);
}

// ---- steps --------------------------------------------------------------------------------------

static struct sluice_model_step last;
static void step(void *user, const struct sluice_model_step *s) {
  (void)user;
  if (s->kind == SLUICE_STEP_EGRESS) last = *s;
}

// Egress stages are shown by their numbers among themselves, with the state of their lane.
TEST(a_step_shows_the_egress_stage) {
  struct sluice_model *m CLOSED_BY(close_model) = opened();
  struct entry action = {{0}};
  count_by_port(m);
  sluice_model_watch(m, step, NULL);
  for (uint32_t n = 0; n < 2; n++) {
    assert_int_equal(count_of(m, 2), n + 1);
    FIELDS_ARE(&last, (stage, 0), (row, 0));
    assert_true(last.state);
    FIELDS_ARE(&last, (before[0], n), (behind[0], n + 1));
    assert_int_equal(last.access->pipe, 0);
  }
  match_all(m, STAGE + 1, ROW, 6, &action);
  count_of(m, 6);
  FIELDS_ARE(&last, (stage, 1), (row, 6));
  assert_false(last.state);
}
