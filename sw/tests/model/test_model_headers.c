// SPDX-License-Identifier: Apache-2.0
// The reference model's filter, parser and deparser, by their sentences.
#include "tests/rig/test.h"
#include "base/bytes.h"
#include "tests/rig/model_rig.h"

static unsigned classify(const struct sluice_model *m, const uint8_t *frame) {
  return sluice_model_classify(sluice_model_filter(m), frame, 64).reason;
}

TEST(filter_checks_in_order) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("tiny");
  uint8_t frame[64];
  data_frame(frame, 64, ROW, 0);
  assert_int_equal(classify(m, frame), SLUICE_DROP_NONE);
  frame[14] = 0xf0;  // PCP and DEI are ignored
  assert_int_equal(classify(m, frame), SLUICE_DROP_NONE);
  frame[14] = 0x01;  // VID 0x105: same row, other VID
  assert_int_equal(classify(m, frame), SLUICE_DROP_UNKNOWN_MODULE);
  struct entry e = ENTRY_OF(MODULE, (VALID, 1), (VID, 0x105), (NEED_UDP, 1));
  put(m, SLUICE_TABLE_MODULE, 0, ROW, &e);
  assert_int_equal(classify(m, frame), SLUICE_DROP_NONE);
  frame[27] = 6;
  assert_int_equal(classify(m, frame), SLUICE_DROP_PROTOCOL);
  SETS(&e, MODULE, (NEED_UDP, 0), (NEED_IP, 1));
  put(m, SLUICE_TABLE_MODULE, 0, ROW, &e);
  assert_int_equal(classify(m, frame), SLUICE_DROP_NONE);
  frame[16] = 0x86;
  assert_int_equal(classify(m, frame), SLUICE_DROP_PROTOCOL);
  frame[16] = 0x08;
  SETS(&e, MODULE, (NEED_UDP, 1), (NEED_IP, 0));
  put(m, SLUICE_TABLE_MODULE, 0, ROW, &e);
  sluice_model_set_bitmap(m, 1u << ROW);
  assert_int_equal(classify(m, frame), SLUICE_DROP_BITMAP);
  frame[27] = 0x11, frame[40] = 0xf1, frame[41] = 0xf2;
  assert_int_equal(classify(m, frame), SLUICE_DROP_RECONFIG);
  frame[13] = 1;
  assert_int_equal(classify(m, frame), SLUICE_DROP_NO_VLAN);
}

// Whatever the shape: of more than 8 ports the destination 0 names port 0.
TEST(nobody_is_known_after_reset) {
  for (unsigned n = 0; n < sluice_num_configs; n++) {
    struct sluice_model *m CLOSED_BY(close_model) = sluice_model_open(&sluice_configs[n]);
    assert_non_null(m);
    for (unsigned vid = 0; vid < 4096; vid++) {
      uint8_t frame[64];
      data_frame(frame, 64, vid, 0);
      const struct sluice_model_verdict v =
          sluice_model_classify(sluice_model_filter(m), frame, sizeof frame);
      assert_int_equal(v.reason, SLUICE_DROP_UNKNOWN_MODULE);
      assert_false(v.known);
    }
  }
}

TEST(parser_reads_metadata_and_zero_behind_the_end) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("k4");
  struct entry e = {{0}};
  entry_action(&e, 0, parse_action(1, 24, B4, 0));  // arrival
  entry_action(&e, 1, parse_action(1, 30, B2, 0));  // length
  entry_action(&e, 2, parse_action(1, 14, B2, 1));  // bits 143:128
  entry_action(&e, 3, parse_action(1, 23, B2, 2));  // input port, arrival's first byte
  entry_action(&e, 4, parse_action(1, 28, B2, 3));  // destination, port set
  entry_action(&e, 5, parse_action(0, 68, B4, 1));  // two bytes are behind the end
  entry_action(&e, 6, parse_action(1, 30, B6, 0));  // four behind the metadata
  entry_action(&e, 7, parse_action(0, 0, B2, 7));
  entry_action(&e, 8, parse_action(0, 2, B2, 7));  // a later one wins
  put(m, SLUICE_TABLE_PARSER, 0, ROW, &e);
  struct entry module = ENTRY_OF(MODULE, (VALID, 1), (VID, 0x1e0 + ROW), (DEST, 0xd5));
  put(m, SLUICE_TABLE_MODULE, 0, ROW, &module);
  uint8_t frame[70];
  data_frame(frame, 70, 0x1e0 + ROW, 0);
  struct sluice_model_packet packet = {frame, 70, 5, 0xa1b2c3d4, 0, NULL, 0};
  struct sluice_model_phv phv;
  sluice_model_front(m, &packet, &phv);
  FIELDS_ARE(&phv, (b4[0], 0xa1b2c3d4), (b2[0], 70), (b2[1], (0xe0 + ROW) << 5), (b2[2], 0x05a1),
             (b2[3], 0xd520),
             (b4[1], (uint32_t)(uint8_t)(68 * 7) << 24 | (uint32_t)(uint8_t)(69 * 7) << 16));
  assert_true(phv.b6[0] == UINT64_C(70) << 32);
  assert_int_equal(phv.b2[7], sluice_get16(frame + 2));
  packet.port = 12;  // no bit of the set
  sluice_model_front(m, &packet, &phv);
  assert_int_equal(phv.b2[3], 0xd500);
}

TEST(containers_that_are_not_there_read_zero) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("tiny");  // 4, 6, 2 containers
  struct entry e = {{0}};
  entry_action(&e, 0, parse_action(0, 0, B2, 4));
  entry_action(&e, 1, parse_action(0, 0, B4, 6));
  entry_action(&e, 2, parse_action(0, 0, B6, 2));
  put(m, SLUICE_TABLE_PARSER, 0, ROW, &e);
  uint8_t frame[64];
  data_frame(frame, 64, ROW, 1);
  const struct sluice_model_packet packet = {frame, 64, 0, 0, 0, NULL, 0};
  struct sluice_model_phv phv;
  sluice_model_front(m, &packet, &phv);
  for (unsigned i = 0; i < 8; i++) assert_true(!phv.b2[i] && !phv.b4[i] && !phv.b6[i]);
  const struct sluice_model_phv set = run_slot(m, 5, instr_imm(SLUICE_OP_SET, 0, 99), phv);
  assert_int_equal(set.b2[4], 0);
}

TEST(deparser_stops_at_the_end_and_at_byte_127) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("tiny");
  struct entry p = {{0}}, d = {{0}};
  entry_action(&p, 0, parse_action(0, 0, B6, 0));
  put(m, SLUICE_TABLE_PARSER, 0, ROW, &p);
  entry_action(&d, 0, parse_action(0, 66, B6, 0));
  entry_action(&d, 1, parse_action(1, 20, B6, 0));  // metadata: nothing
  entry_action(&d, 2, parse_action(0, 124, B6, 0));
  entry_action(&d, 3, parse_action(0, 60, B6, 5));  // a container that is not there: zeros
  put(m, SLUICE_TABLE_DEPARSER, 0, ROW, &d);
  uint8_t frame[200], expected[128];
  for (unsigned len = 64; len <= 200; len += 5) {
    data_frame(frame, len, ROW, 3);
    memcpy(expected, frame, len < 128 ? len : 128);
    for (unsigned i = 0; i < 6; i++) {
      if (66 + i < len) expected[66 + i] = frame[i];
      if (124 + i < len && 124 + i < 128) expected[124 + i] = frame[i];
      if (60 + i < len) expected[60 + i] = 0;
    }
    const struct sluice_model_packet packet = {frame, len, 0, 0, 0, NULL, 0};
    struct sluice_model_phv phv;
    struct sluice_model_result r;
    sluice_model_front(m, &packet, &phv);
    sluice_model_admit(m, &packet, &phv, &r);
    assert_int_equal(r.len, len);
    assert_memory_equal(r.header, expected, len < 128 ? len : 128);
  }
}

TEST(destinations_are_sets_or_rows) {
  const char *const names[] = {"tiny", "menshen", "k4"};
  const uint64_t port3[] = {1u << 3, 1u << 3, 1u << 3}, all[] = {0xf, 0xff, 0},
                 port9[] = {0, 0, 1u << 9};
  for (unsigned c = 0; c < 3; c++) {
    struct sluice_model *m CLOSED_BY(close_model) = open_model(names[c]);
    uint8_t frame[64];
    data_frame(frame, 64, ROW, 0);
    const struct sluice_model_packet packet = {frame, 64, 0, 0, 0, NULL, 0};
    const uint32_t words[] = {instr(SLUICE_OP_FUNC, operand(K, 3), 0),
                              (uint32_t)SLUICE_OP_PORT << 21 | 0xffu << 13,
                              instr(SLUICE_OP_FUNC, operand(B2, 0), 0)};
    const uint64_t *const expected[] = {port3, all, port9};
    for (unsigned w = 0; w < 3; w++) {
      struct entry action = {{0}};
      entry_slot(&action, 0, words[w]);
      match_all(m, 0, ROW, 0, &action);
      struct sluice_model_phv phv;
      struct sluice_model_result r;
      sluice_model_front(m, &packet, &phv);
      phv.b2[0] = 0x1109;  // port 9: the low 8 bits
      sluice_model_admit(m, &packet, &phv, &r);
      assert_true(r.ports == expected[w][c]);
      assert_int_equal(r.reason, r.ports ? SLUICE_DROP_NONE : SLUICE_DROP_NO_DEST);
    }
  }
}

// Destination {1, 3} of a module that may send to some ports: the example of docs/machine.md, and
// its neighbours.
TEST(a_module_sends_to_its_ports_alone) {
  const struct {
    uint64_t may, leaves;
    unsigned reason;
    bool some_forbidden;
  } rows[] = {{0x9, 0x8, SLUICE_DROP_NONE, true},
              {0xa, 0xa, SLUICE_DROP_NONE, false},
              {0xfff5, 0, SLUICE_DROP_FORBIDDEN, false},  // bits of ports that do not exist
              {UINT64_MAX, 0xa, SLUICE_DROP_NONE, false}};
  struct sluice_model *m CLOSED_BY(close_model) = open_model("tiny");
  uint8_t frame[64];
  data_frame(frame, 64, ROW, 0);
  const struct sluice_model_packet packet = {frame, 64, 0, 0, 0, NULL, 0};
  struct sluice_model_phv phv;
  struct sluice_model_result r;
  struct entry action = {{0}};
  entry_slot(&action, 0, (uint32_t)SLUICE_OP_PORT << 21 | 0xau << 13);
  match_all(m, 0, ROW, 0, &action);
  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    struct entry ports = ENTRY_OF(MODULE_PORTS, (PORTS, rows[i].may));
    put(m, SLUICE_TABLE_MODULE_PORTS, 0, ROW, &ports);
    sluice_model_front(m, &packet, &phv);
    sluice_model_admit(m, &packet, &phv, &r);
    assert_true(r.ports == rows[i].leaves);
    FIELDS_ARE(&r, (reason, rows[i].reason), (some_forbidden, rows[i].some_forbidden));
  }
  // Without a destination there is nothing to forbid.
  struct entry nowhere = {{0}}, none = {{0}};
  entry_slot(&nowhere, 0, (uint32_t)SLUICE_OP_PORT << 21);
  match_all(m, 0, ROW, 0, &nowhere);
  put(m, SLUICE_TABLE_MODULE_PORTS, 0, ROW, &none);
  sluice_model_front(m, &packet, &phv);
  sluice_model_admit(m, &packet, &phv, &r);
  assert_int_equal(r.reason, SLUICE_DROP_NO_DEST);
}
