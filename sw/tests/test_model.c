// SPDX-License-Identifier: Apache-2.0
// The reference model against facts that were not made with it: Menshen's public vectors, check
// values of the CRCs, full checksums, and direct evaluations written here.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "frames.h"
#include "model/machine.h"

enum {
  ROW = 5,
  B2 = SLUICE_TYPE_B2,
  B4 = SLUICE_TYPE_B4,
  B6 = SLUICE_TYPE_B6,
  K = SLUICE_TYPE_CONST
};

static struct sluice_model *open_model(const char *config) {
  struct sluice_model *m = sluice_model_open(sluice_config_find(config));
  assert_non_null(m);
  return m;
}

static bool control(struct sluice_model *m, struct control c, const struct entry *e, unsigned num,
                    struct sluice_model_answer *answer) {
  uint8_t frame[64 + 8 * 128];
  return sluice_model_control(m, frame, control_frame(frame, c, e, num), answer);
}

static void put(struct sluice_model *m, enum sluice_table table, unsigned stage, unsigned index,
                const struct entry *e) {
  assert_true(
      control(m, (struct control){.table = table, .stage = stage, .index = index}, e, 1, NULL));
}

static size_t from_hex(const char *hex, uint8_t *bytes) {
  size_t n = 0;
  for (; hex[2 * n]; n++) {
    unsigned value;
    assert_int_equal(sscanf(hex + 2 * n, "%2x", &value), 1);
    bytes[n] = (uint8_t)value;
  }
  return n;
}

static void put_hex(struct sluice_model *m, const char *hex) {
  uint8_t frame[200];
  const size_t len = from_hex(hex, frame);
  assert_true(sluice_model_control(m, frame, len, NULL));
}

// A match entry that hits every packet of the VID: all of the key masked.
static void match_all(struct sluice_model *m, unsigned stage, unsigned vid, unsigned row,
                      const struct entry *action) {
  struct entry mask, match = {{0}};
  memset(&mask, 0xff, sizeof mask);
  SET(&match, MATCH, VID, vid & 255u);
  put(m, SLUICE_TABLE_KEY_MASK, stage, vid % 32, &mask);
  put(m, SLUICE_TABLE_MATCH, stage, row, &match);
  put(m, SLUICE_TABLE_ACTION, stage, row, action);
}

static void segment(struct sluice_model *m, unsigned stage, unsigned row, unsigned base,
                    unsigned range) {
  struct entry e = {{0}};
  SET(&e, SEGMENT, BASE, base);
  SET(&e, SEGMENT, RANGE, range);
  put(m, SLUICE_TABLE_SEGMENT, stage, row, &e);
}

static void access(struct sluice_model *m, unsigned stage, unsigned row, int pinned, unsigned pipe,
                   unsigned index) {
  struct entry e = {{0}};
  SET(&e, ACCESS, ENABLE, 1);
  SET(&e, ACCESS, PINNED, pinned);
  SET(&e, ACCESS, PIPE, pipe);
  SET(&e, ACCESS, INDEX, index);
  put(m, SLUICE_TABLE_ACCESS, stage, row, &e);
}

// ---- Menshen's vectors --------------------------------------------------------------------------
// From menshen-vectors.json; its pkt-* frames were run through the published Verilog.

#define PKT_HEAD(IPLEN, IPSUM, UDPLEN, UDPSUM)                          \
  "02000000000a02000000000b8100000f08004500" IPLEN "000100004011" IPSUM \
  "c0000201c63364021234f1f2" UDPLEN UDPSUM
#define PKT_PARSER                         \
  PKT_HEAD("0042", "8e73", "002e", "af32") \
  "00000b000000000000000000000000000000003f0b970c2d0d2f0e111023119b000000000000"
#define PKT_EXTRACT \
  PKT_HEAD("0033", "8e82", "001f", "d3b1") "11000b000000000000000000000000000000672b1074a8"
#define PKT_MASK                           \
  PKT_HEAD("0047", "8e6e", "0033", "f31a") \
  "110f0b000000000000000000000000000000ffffffffffffffffffffffffffffffffffffffff0000ffff00"
#define PKT_CAM                            \
  PKT_HEAD("0048", "8e6d", "0034", "0274") \
  "12000900000000000000000000000000000002b0000000000000000000000000000000000000000beef00008"
#define PKT_VLIW                                                                                   \
  PKT_HEAD("007d", "8e38", "0069", "05a3")                                                         \
  "120f09000000000000000000000000000000f000007800003c00001e00000f000007800003c00001e000007bcc0078" \
  "000"                                                                                            \
  "03c00001e00000f000007800003c00001e00000f000007800003c00001e0000015a4007800003c00001e00000c5500" \
  "000"
#define PKT_SEGMENT \
  PKT_HEAD("0030", "8e85", "001c", "ee4b") "13000b000000000000000000000000000000030c"

static void menshen_parser_entry_fills_the_containers(void **state) {
  (void)state;
  struct sluice_model *m = open_model("menshen");
  put_hex(m, PKT_PARSER);
  uint8_t frame[128];
  data_frame(frame, 128, 11, 0);
  const struct sluice_model_packet packet = {frame, 128, 0, 0};
  struct sluice_model_phv phv;
  assert_int_equal(sluice_model_front(m, &packet, &phv), SLUICE_DROP_NONE);
  assert_int_equal(phv.b6[7], 0x00070e151c23u);
  assert_int_equal(phv.b2[3], (uint8_t)(46 * 7) << 8 | (uint8_t)(47 * 7));
  assert_int_equal(phv.b4[6] >> 24, (uint8_t)(48 * 7));
  assert_int_equal(phv.b4[7] & 255u, (uint8_t)(55 * 7));
  assert_int_equal(phv.b2[0], (uint8_t)(56 * 7) << 8 | (uint8_t)(57 * 7));
  assert_int_equal(phv.b4[1] >> 24, (uint8_t)(64 * 7));
  assert_int_equal(phv.b2[5], (uint8_t)(70 * 7) << 8 | (uint8_t)(71 * 7));
  assert_int_equal(phv.b4[0], 0);
  sluice_model_close(m);
}

// All stage tables of the vectors at once: module 43 with 2B[5] = 0xbeef and 4B[6][7:0] >= 0x2a
// hits CAM row 9, whose action adds 2B[1] to 2B[3], counts at 4B[3] and sends to port set 0x55.
static void menshen_stage_vectors_work_together(void **state) {
  (void)state;
  struct sluice_model *m = open_model("menshen");
  const char *const frames[] = {PKT_EXTRACT, PKT_MASK, PKT_CAM, PKT_VLIW, PKT_SEGMENT};
  for (unsigned i = 0; i < 5; i++) put_hex(m, frames[i]);
  access(m, 2, 11, 1, 1, 0);
  struct model_pair *word14 = model_slot(m, 2, 1, 14);
  word14->s1 = 0x0000000a;
  struct sluice_model_phv phv = {.vid = 43};
  phv.b2[5] = 0xbeef;
  phv.b4[6] = 0xffffff2a;
  phv.b2[3] = 0xffff;
  phv.b2[1] = 2;
  phv.b4[3] = 2;
  struct sluice_model_phv now = phv;
  struct sluice_model_access a = {0};
  model_resolve(m, 2, &phv, &a);
  assert_true(a.resolved && a.pinned);
  assert_int_equal(a.pipe, 1);
  model_stage_back(m, 2, &now, &a);
  assert_true(a.hit && a.executed && !a.refused);
  assert_int_equal(a.slot, 14);
  assert_int_equal(now.b2[3], 0x0001);
  assert_int_equal(now.b4[7], 0x0000000b);
  assert_int_equal(word14->s1, 0x0000000b);
  assert_int_equal(now.dest, 0x55);

  now = phv, now.b4[6] = 0x29;  // comparator says no
  model_stage_back(m, 2, &now, &a);
  assert_int_equal(now.b2[3], 0xffff);
  now = phv, now.vid = 11;  // another module of the same row
  model_stage_back(m, 2, &now, &a);
  assert_int_equal(now.b2[3], 0xffff);

  // The test is index < RANGE: 3 is the first that is refused. It reads 0, so LOADD gives 1.
  now = phv, now.b4[3] = 3, now.b4[7] = 77;
  const struct model_pair before = *model_slot(m, 2, 1, 15);
  model_resolve(m, 2, &phv, &a);
  model_stage_back(m, 2, &now, &a);
  assert_true(a.executed && a.refused);
  assert_int_equal(now.b4[7], 1);
  assert_int_equal(model_slot(m, 2, 1, 15)->s1, before.s1);
  sluice_model_close(m);
}

// Runs one VLIW instruction in front stage 0 of `config`.
static struct sluice_model_phv run_slot(struct sluice_model *m, unsigned slot, uint32_t word,
                                        struct sluice_model_phv phv) {
  struct entry action = {{0}};
  entry_slot(&action, slot, word);
  match_all(m, m->config.BackStages, phv.vid, 0, &action);
  model_stage_front(m, m->config.BackStages, &phv);
  return phv;
}

static void menshen_alu_examples(void **state) {
  (void)state;
  struct sluice_model *m = open_model("menshen");
  struct sluice_model_phv phv = {.vid = 43};
  phv.b2[3] = 0xffff, phv.b2[1] = 2;
  assert_int_equal(run_slot(m, 4, 0x02b4800, phv).b2[3], 1);  // alu-add
  phv.b6[4] = 0, phv.b6[5] = 1;
  assert_true(run_slot(m, 17, 0x05ce800, phv).b6[0] == 0xffffffffffffu);  // alu-sub
  phv.b4[2] = 0xffffffff;
  assert_int_equal(run_slot(m, 11, instr_imm(SLUICE_OP_ADDI, operand(B4, 2), 0x8000), phv).b4[2],
                   0x7fff);
  phv.b4[2] = 1;
  assert_int_equal(run_slot(m, 11, 0x132fff0, phv).b4[2], 0xfff1);  // alu-addi
  phv.b2[0] = 0;
  assert_int_equal(run_slot(m, 1, instr_imm(SLUICE_OP_SUBI, operand(B2, 0), 0xffff), phv).b2[0], 1);
  phv.b6[7] = 0;
  assert_true(run_slot(m, 24, 0x15f0001, phv).b6[7] == 0xffffffffffffu);  // alu-subi
  assert_int_equal(run_slot(m, 18, 0x1c08001, phv).b6[1], 0x8001);        // alu-set
  assert_int_equal(run_slot(m, 0, 0x18aa000, phv).dest, 0x55);            // alu-port
  assert_true(run_slot(m, 0, 0x1a01000, phv).discard);                    // alu-discard
  const struct sluice_model_phv same = run_slot(m, 5, 0x1e00000, phv);    // alu-nop
  assert_memory_equal(&same, &phv, sizeof phv);
  const struct sluice_model_phv load =
      run_slot(m, 16, 0x1779800, phv);  // LOAD in a front stage: nothing
  assert_memory_equal(&load, &phv, sizeof phv);
  sluice_model_close(m);
}

static void menshen_memory_examples(void **state) {
  (void)state;
  struct sluice_model *m = open_model("menshen");
  put_hex(m, PKT_SEGMENT);  // stage 2, row 11: base 12, range 3
  access(m, 2, 11, 1, 0, 0);
  struct entry action = {{0}};
  entry_slot(&action, 16, 0x1169800);  // alu-store: mem[4B[3]] = 4B[6], 4B[7] unchanged
  match_all(m, 2, 11, 0, &action);
  struct sluice_model_phv phv = {.vid = 11}, now;
  phv.b4[3] = 2, phv.b4[6] = 0x12345678, phv.b4[7] = 9;
  struct sluice_model_access a = {0};
  model_resolve(m, 2, &phv, &a);
  now = phv;
  model_stage_back(m, 2, &now, &a);
  assert_int_equal(model_slot(m, 2, 0, 14)->s1, 0x12345678);
  assert_int_equal(now.b4[7], 9);
  memset(&action, 0, sizeof action);
  entry_slot(&action, 16, 0x1779800);  // alu-load
  match_all(m, 2, 11, 0, &action);
  now = phv;
  model_stage_back(m, 2, &now, &a);
  assert_int_equal(now.b4[7], 0x12345678);
  now = phv, now.b4[3] = 0x22;  // all address bits count, unlike Menshen's
  model_stage_back(m, 2, &now, &a);
  assert_true(a.refused);
  assert_int_equal(now.b4[7], 0);
  sluice_model_close(m);
}

// ---- filter, parser, deparser -------------------------------------------------------------------

static unsigned classify(const struct sluice_model *m, const uint8_t *frame) {
  return sluice_model_classify(sluice_model_filter(m), frame, 64).reason;
}

static void filter_checks_in_order(void **state) {
  (void)state;
  struct sluice_model *m = open_model("tiny");
  uint8_t frame[64];
  data_frame(frame, 64, ROW, 0);
  assert_int_equal(classify(m, frame), SLUICE_DROP_NONE);
  frame[14] = 0xf0;  // PCP and DEI are ignored
  assert_int_equal(classify(m, frame), SLUICE_DROP_NONE);
  frame[14] = 0x01;  // VID 0x105: same row, other VID
  assert_int_equal(classify(m, frame), SLUICE_DROP_UNKNOWN_MODULE);
  struct entry e = {{0}};
  SET(&e, MODULE, VALID, 1);
  SET(&e, MODULE, VID, 0x105);
  SET(&e, MODULE, NEED_UDP, 1);
  put(m, SLUICE_TABLE_MODULE, 0, ROW, &e);
  assert_int_equal(classify(m, frame), SLUICE_DROP_NONE);
  frame[27] = 6;
  assert_int_equal(classify(m, frame), SLUICE_DROP_PROTOCOL);
  SET(&e, MODULE, NEED_UDP, 0);
  SET(&e, MODULE, NEED_IP, 1);
  put(m, SLUICE_TABLE_MODULE, 0, ROW, &e);
  assert_int_equal(classify(m, frame), SLUICE_DROP_NONE);
  frame[16] = 0x86;
  assert_int_equal(classify(m, frame), SLUICE_DROP_PROTOCOL);
  frame[16] = 0x08;
  SET(&e, MODULE, NEED_UDP, 1);
  SET(&e, MODULE, NEED_IP, 0);
  put(m, SLUICE_TABLE_MODULE, 0, ROW, &e);
  sluice_model_set_bitmap(m, 1u << ROW);
  assert_int_equal(classify(m, frame), SLUICE_DROP_BITMAP);
  frame[27] = 0x11, frame[40] = 0xf1, frame[41] = 0xf2;
  assert_int_equal(classify(m, frame), SLUICE_DROP_RECONFIG);
  frame[13] = 1;
  assert_int_equal(classify(m, frame), SLUICE_DROP_NO_VLAN);
  sluice_model_close(m);
}

static void parser_reads_metadata_and_zero_behind_the_end(void **state) {
  (void)state;
  struct sluice_model *m = open_model("k4");
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
  struct entry module = {{0}};
  SET(&module, MODULE, VALID, 1);
  SET(&module, MODULE, VID, 0x1e0 + ROW);
  SET(&module, MODULE, DEST, 0xd5);
  put(m, SLUICE_TABLE_MODULE, 0, ROW, &module);
  uint8_t frame[70];
  data_frame(frame, 70, 0x1e0 + ROW, 0);
  struct sluice_model_packet packet = {frame, 70, 5, 0xa1b2c3d4};
  struct sluice_model_phv phv;
  sluice_model_front(m, &packet, &phv);
  assert_int_equal(phv.b4[0], 0xa1b2c3d4);
  assert_int_equal(phv.b2[0], 70);
  assert_int_equal(phv.b2[1], (0xe0 + ROW) << 5);
  assert_int_equal(phv.b2[2], 0x05a1);
  assert_int_equal(phv.b2[3], 0xd520);
  assert_int_equal(phv.b4[1], (uint32_t)(uint8_t)(68 * 7) << 24 | (uint32_t)(uint8_t)(69 * 7)
                                                                      << 16);
  assert_true(phv.b6[0] == UINT64_C(70) << 32);
  assert_int_equal(phv.b2[7], frame[2] << 8 | frame[3]);
  packet.port = 12;  // no bit of the set
  sluice_model_front(m, &packet, &phv);
  assert_int_equal(phv.b2[3], 0xd500);
  sluice_model_close(m);
}

static void containers_that_are_not_there_read_zero(void **state) {
  (void)state;
  struct sluice_model *m = open_model("tiny");  // 4, 6, 2 containers
  struct entry e = {{0}};
  entry_action(&e, 0, parse_action(0, 0, B2, 4));
  entry_action(&e, 1, parse_action(0, 0, B4, 6));
  entry_action(&e, 2, parse_action(0, 0, B6, 2));
  put(m, SLUICE_TABLE_PARSER, 0, ROW, &e);
  uint8_t frame[64];
  data_frame(frame, 64, ROW, 1);
  const struct sluice_model_packet packet = {frame, 64, 0, 0};
  struct sluice_model_phv phv;
  sluice_model_front(m, &packet, &phv);
  for (unsigned i = 0; i < 8; i++) assert_true(!phv.b2[i] && !phv.b4[i] && !phv.b6[i]);
  const struct sluice_model_phv set = run_slot(m, 5, instr_imm(SLUICE_OP_SET, 0, 99), phv);
  assert_int_equal(set.b2[4], 0);
  sluice_model_close(m);
}

static void deparser_stops_at_the_end_and_at_byte_127(void **state) {
  (void)state;
  struct sluice_model *m = open_model("tiny");
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
    const struct sluice_model_packet packet = {frame, len, 0, 0};
    struct sluice_model_phv phv;
    struct sluice_model_result r;
    sluice_model_front(m, &packet, &phv);
    sluice_model_admit(m, &packet, &phv, &r);
    assert_int_equal(r.len, len);
    assert_memory_equal(r.header, expected, len < 128 ? len : 128);
  }
  sluice_model_close(m);
}

static void destinations_are_sets_or_rows(void **state) {
  (void)state;
  const char *const names[] = {"tiny", "menshen", "k4"};
  const uint64_t port3[] = {1u << 3, 1u << 3, 1u << 3}, all[] = {0xf, 0xff, 0},
                 port9[] = {0, 0, 1u << 9};
  for (unsigned c = 0; c < 3; c++) {
    struct sluice_model *m = open_model(names[c]);
    uint8_t frame[64];
    data_frame(frame, 64, ROW, 0);
    const struct sluice_model_packet packet = {frame, 64, 0, 0};
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
    sluice_model_close(m);
  }
}

// ---- ALUs, hash, state --------------------------------------------------------------------------

static int64_t as_signed(uint32_t v) {
  return v < 0x80000000u ? (int64_t)v : (int64_t)v - 0x100000000;
}

// Functions by their sentences in layouts.def, in 64-bit arithmetic.
static uint32_t direct_func(unsigned f, uint32_t a, uint32_t b, uint32_t c) {
  const int64_t sa = as_signed(a), sb = as_signed(b);
  const int64_t power = (int64_t)1 << b % 32;
  const int64_t floor = sa >= 0 ? sa / power : -((-sa + power - 1) / power);
  const int64_t table[] = {(int64_t)(a & b),
                           a | b,
                           a ^ b,
                           0xffffffffu - (int64_t)a,
                           (int64_t)((uint64_t)a * (uint64_t)power),
                           floor,
                           a / (uint32_t)power,
                           a == b,
                           a != b,
                           sa < sb,
                           sa <= sb,
                           a < b,
                           c ? a : b,
                           (int64_t)a + b,
                           (int64_t)a - b,
                           a && b,
                           a || b,
                           a};
  return f < 18 ? (uint32_t)(uint64_t)table[f] : 0;
}

static void functions_equal_their_sentences(void **state) {
  (void)state;
  struct sluice_model *m = open_model("menshen");
  uint64_t seed = 1;
  static const uint32_t corners[] = {0, 1, 2, 31, 32, 0x7fffffff, 0x80000000, 0xffffffff};
  for (unsigned n = 0; n < 4000; n++) {
    struct sluice_model_phv phv = {.vid = ROW};
    for (unsigned i = 0; i < 3; i++)
      phv.b4[i] = test_random(&seed) % 2 ? corners[test_random(&seed) % 8] : test_random(&seed);
    const unsigned f = n % 32;
    const uint32_t word =
        instr(SLUICE_OP_FUNC, operand(B4, 0), operand(B4, 1)) | f << 6 | operand(B4, 2) << 1;
    const uint32_t expected = direct_func(f, phv.b4[0], phv.b4[1], phv.b4[2]);
    const struct sluice_model_phv now =
        run_slot(m, 17, word, phv);  // a 6-byte container: zero-extended
    assert_true(now.b6[0] == expected);
    assert_int_equal(run_slot(m, 3, word, phv).b2[2], expected & 0xffffu);

    const uint32_t imm12 = test_random(&seed) & 0xfffu, fi = n % 16;
    if (n % 3 == 0) phv.b4[0] = imm12 < 0x800 ? imm12 : imm12 - 0x1000;  // equal ones
    const uint32_t imm = imm12 < 0x800 ? imm12 : imm12 - 0x1000;
    static const unsigned same_as[16] = {0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 99, 98, 13, 97, 96, 95};
    uint32_t e = same_as[fi] < 18 ? direct_func(same_as[fi], phv.b4[0], imm, 0) : 0;
    if (same_as[fi] == 99) e = as_signed(phv.b4[0]) > as_signed(imm);
    if (same_as[fi] == 98) e = as_signed(phv.b4[0]) >= as_signed(imm);
    if (same_as[fi] == 97) e = imm - phv.b4[0];
    if (same_as[fi] == 96) e = imm;
    assert_int_equal(
        run_slot(m, 9, (uint32_t)SLUICE_OP_FUNCI << 21 | operand(B4, 0) << 16 | fi << 12 | imm12,
                 phv)
            .b4[0],
        e);
  }
  struct sluice_model_phv phv = {.vid = ROW};
  phv.b6[0] = 0x123456789abc, phv.b2[0] = 0xfedc;
  assert_int_equal(run_slot(m, 9, instr_imm(SLUICE_OP_SETHI, operand(B6, 0), 0xcafe), phv).b4[0],
                   0xcafe9abc);
  const struct sluice_model_phv md =
      run_slot(m, 0, instr(SLUICE_OP_SETHI, operand(K, 6), operand(B2, 0)), phv);
  assert_int_equal(md.dest, 1u << 6);
  assert_true(md.discard);
  assert_false(run_slot(m, 0, instr(SLUICE_OP_FUNCI, operand(B2, 1), 0), phv).discard);
  sluice_model_close(m);
}

static void everything_reads_the_phv_before_the_stage(void **state) {
  (void)state;
  struct sluice_model *m = open_model("menshen");
  struct entry action = {{0}};
  entry_slot(&action, 9, instr(SLUICE_OP_FUNC, operand(B4, 1), 0) | SLUICE_FUNC_MOVE << 6);
  entry_slot(&action, 10, instr(SLUICE_OP_FUNC, operand(B4, 0), 0) | SLUICE_FUNC_MOVE << 6);
  match_all(m, 5, ROW, 2, &action);
  struct sluice_model_phv phv = {.vid = ROW};
  phv.b4[0] = 1, phv.b4[1] = 2;
  model_stage_front(m, 5, &phv);
  assert_int_equal(phv.b4[0], 2);
  assert_int_equal(phv.b4[1], 1);
  // The lowest row wins; an erased row is out of use.
  struct entry other = {{0}};
  entry_slot(&other, 9, instr_imm(SLUICE_OP_SET, 0, 7));
  match_all(m, 5, ROW, 1, &other);
  model_stage_front(m, 5, &phv);
  assert_int_equal(phv.b4[0], 7);
  assert_true(
      control(m,
              (struct control){
                  .table = SLUICE_TABLE_MATCH, .op = SLUICE_CHAIN_ERASE, .stage = 5, .index = 1},
              NULL, 0, NULL));
  model_stage_front(m, 5, &phv);
  assert_int_equal(phv.b4[0], 1);
  sluice_model_close(m);
}

static uint64_t random64(uint64_t *seed) {
  const uint64_t high = test_random(seed);
  return high << 32 | test_random(seed);
}

// Value of a comparator operand by its sentence.
static unsigned direct_compare_operand(const struct sluice_model_phv *phv, unsigned o) {
  const uint64_t values[4] = {phv->b2[o & 7], phv->b4[o & 7], phv->b6[o & 7], 0};
  return (o & 0x100 ? o : (unsigned)values[o >> 3 & 3]) & 255u;
}

static void every_bit_of_the_key_counts(void **state) {
  (void)state;
  struct sluice_model *m = open_model("menshen");
  struct entry action = {{0}};
  entry_slot(&action, 1, instr_imm(SLUICE_OP_SET, 0, 4711));
  put(m, SLUICE_TABLE_ACTION, 3, 6, &action);
  uint64_t seed = 3;
  for (unsigned n = 0; n < 3000; n++) {
    struct sluice_model_phv phv = {.vid = (uint8_t)test_random(&seed)}, now;
    for (unsigned i = 0; i < 8; i++) {
      phv.b2[i] = (uint16_t)test_random(&seed);
      phv.b4[i] = test_random(&seed);
      phv.b6[i] = random64(&seed) >> 16;
    }
    unsigned pick[6];
    struct entry extract = {{0}}, mask = {{0}}, match = {{0}};
    for (unsigned i = 0; i < 6; i++) {
      pick[i] = test_random(&seed) % 8;
      entry_set(&extract, 38, 37 - 3 * i, 35 - 3 * i, pick[i]);
    }
    const unsigned op = n % 4, a = test_random(&seed) % 512;
    const unsigned b = test_random(&seed) % 3 ? test_random(&seed) % 512 : a;
    SET(&extract, KEY_EXTRACT, CMP_OP, op);
    SET(&extract, KEY_EXTRACT, CMP_A, a);
    SET(&extract, KEY_EXTRACT, CMP_B, b);
    const unsigned va = direct_compare_operand(&phv, a), vb = direct_compare_operand(&phv, b);
    const bool results[4] = {va > vb, va >= vb, va == vb, true};
    SET(&match, MATCH, VID, phv.vid);
    entry_set(&match, 205, 192, 145, phv.b6[pick[0]]);
    entry_set(&match, 205, 144, 97, phv.b6[pick[1]]);
    entry_set(&match, 205, 96, 65, phv.b4[pick[2]]);
    entry_set(&match, 205, 64, 33, phv.b4[pick[3]]);
    entry_set(&match, 205, 32, 17, phv.b2[pick[4]]);
    entry_set(&match, 205, 16, 1, phv.b2[pick[5]]);
    entry_set(&match, 205, 0, 0, results[op]);
    for (unsigned i = 0; i < 193; i++) {
      const bool masked = test_random(&seed) % 4 == 0;
      entry_set(&mask, 193, i, i, masked);
      if (masked) entry_set(&match, 205, i, i, 0);
    }
    put(m, SLUICE_TABLE_KEY_EXTRACT, 3, phv.vid % 32, &extract);
    put(m, SLUICE_TABLE_KEY_MASK, 3, phv.vid % 32, &mask);
    put(m, SLUICE_TABLE_MATCH, 3, 6, &match);
    struct sluice_model_access none = {0};
    now = phv;
    model_stage_back(m, 3, &now, &none);
    assert_true(none.hit);
    assert_int_equal(now.b2[0], 4711);
    const unsigned flip = test_random(&seed) % 205, at = 204 - flip;
    match.bytes[at / 8] ^= (uint8_t)(0x80u >> at % 8);
    put(m, SLUICE_TABLE_MATCH, 3, 6, &match);
    none.hit = false;
    now = phv;
    model_stage_back(m, 3, &now, &none);
    assert_false(none.hit);
    assert_memory_equal(&now, &phv, sizeof phv);
  }
  sluice_model_close(m);
}

static void crc_check_values(void **state) {
  (void)state;
  const uint8_t digits[] = "123456789";
  assert_int_equal(model_crc16(digits, 9), 0xbb3d);
  assert_int_equal(model_crc32(digits, 9), 0xcbf43926);
  struct sluice_model *m = open_model("menshen");
  struct entry action = {{0}}, hash = {{0}};
  entry_slot(&action, 9, instr_imm(SLUICE_OP_EXT, 0, SLUICE_EXT_OLD_1));
  entry_slot(&action, 10, instr_imm(SLUICE_OP_EXT, 0, SLUICE_EXT_NEW_1));
  match_all(m, 5, ROW, 0, &action);
  struct sluice_model_phv phv = {.vid = ROW}, now;
  phv.b4[0] = 0x34333231, phv.b4[1] = 0x38373635, phv.b4[2] = 0xfffffff9;
  now = phv;
  model_stage_front(m, 5, &now);
  assert_int_equal(now.b4[0], 0);  // no instruction
  SET(&hash, HASH_INSTR, VALID, 1);
  SET(&hash, HASH_INSTR, ALGORITHM, SLUICE_HASH_CRC32);
  SET(&hash, HASH_INSTR, NUM_WORDS, 2);
  SET(&hash, HASH_INSTR, A, operand(B4, 0));
  SET(&hash, HASH_INSTR, B, operand(B4, 1));
  put(m, SLUICE_TABLE_HASH_INSTR, 5, ROW, &hash);
  now = phv;
  model_stage_front(m, 5, &now);
  assert_int_equal(now.b4[0], model_crc32(digits, 8));
  assert_int_equal(now.b4[1], 0);  // a front stage has no other EXT value
  SET(&hash, HASH_INSTR, ALGORITHM, SLUICE_HASH_CRC16);
  SET(&hash, HASH_INSTR, MODULUS, 1000);
  put(m, SLUICE_TABLE_HASH_INSTR, 5, ROW, &hash);
  now = phv;
  model_stage_front(m, 5, &now);
  assert_int_equal(now.b4[0], model_crc16(digits, 8) % 1000);
  SET(&hash, HASH_INSTR, ALGORITHM, SLUICE_HASH_IDENTITY);
  SET(&hash, HASH_INSTR, A, operand(B4, 2));
  SET(&hash, HASH_INSTR, MODULUS, 4);
  put(m, SLUICE_TABLE_HASH_INSTR, 5, ROW, &hash);
  now = phv;
  model_stage_front(m, 5, &now);
  assert_int_equal(now.b4[0], (uint32_t)-3);  // -7 % 4
  sluice_model_close(m);
}

// A state instruction as plain numbers, and its value by the sentence of the specification.
struct plain {
  unsigned xs[4], xp[4], rel[4], y[4];   // predicates 1..4
  unsigned keep[8], sub[8], a[8], b[8];  // A1 A2 B1 B2 C1 C2 D1 D2
  uint32_t k[4];
};

static struct entry encode(const struct plain *p) {
  struct entry e = {{0}};
  SET(&e, STATE_INSTR, VALID, 1);
  SET(&e, STATE_INSTR, P1, operand(B4, 0));
  SET(&e, STATE_INSTR, P2, operand(B6, 1));
  for (unsigned i = 0; i < 4; i++) {
    entry_set(&e, 256, 235 - 11 * i, 225 - 11 * i,
              p->xs[i] << 9 | p->xp[i] << 6 | p->rel[i] << 3 | p->y[i]);
    entry_set(&e, 256, 127 - 32 * i, 96 - 32 * i, p->k[i]);
  }
  for (unsigned i = 0; i < 8; i++)
    entry_set(&e, 256, 191 - 8 * i, 184 - 8 * i,
              p->keep[i] << 7 | p->sub[i] << 6 | p->a[i] << 3 | p->b[i]);
  return e;
}

static bool direct_pred(const struct plain *p, unsigned i, uint32_t p1, uint32_t p2,
                        const uint32_t s[2]) {
  uint32_t x = p->xs[i] == 1 ? s[0] : p->xs[i] == 2 ? s[1] : 0;
  switch (p->xp[i]) {
    case 1: x += p1; break;
    case 2: x += p2; break;
    case 3: x -= p1; break;
    case 4: x -= p2; break;
    case 5: x += p1 - p2; break;
    case 6: x += p2 - p1; break;
    default: break;
  }
  const uint32_t rights[8] = {p->k[0], p->k[1], p->k[2], p->k[3], p1, p2, s[0], s[1]};
  const int64_t l = as_signed(x), r = as_signed(rights[p->y[i]]);
  const bool values[8] = {l == r, l != r, l<r, l <= r, l> r, l >= r, true, false};
  return values[p->rel[i]];
}

static uint32_t direct_arm(const struct plain *p, unsigned i, uint32_t p1, uint32_t p2,
                           uint32_t old) {
  const uint32_t t[8] = {p->k[0], p->k[1], p->k[2], p->k[3], p1, p2, 0, 0};
  uint32_t v = t[p->a[i]];
  v = p->sub[i] ? v - t[p->b[i]] : v + t[p->b[i]];
  return p->keep[i] ? v + old : v;
}

static void random_state_instructions(void **state) {
  (void)state;
  struct sluice_model *m = open_model("menshen");
  uint64_t seed = 7;
  segment(m, 1, ROW, 4, 9);
  access(m, 1, ROW, 0, 0, operand(B2, 0));
  struct entry action = {{0}};
  for (unsigned i = 0; i < 8; i++) entry_slot(&action, 9 + i, instr_imm(SLUICE_OP_EXT, 0, i));
  match_all(m, 1, ROW, 3, &action);
  uint32_t memory[9][2] = {{0}};
  for (unsigned n = 0; n < 5000; n++) {
    struct plain p;
    const uint32_t near = test_random(&seed);
    for (unsigned i = 0; i < 4; i++) {
      p.xs[i] = test_random(&seed) % 4, p.xp[i] = test_random(&seed) % 8;
      p.rel[i] = test_random(&seed) % 8, p.y[i] = test_random(&seed) % 8;
      p.k[i] = test_random(&seed) % 2 ? test_random(&seed) % 3 - 1 : near;
    }
    for (unsigned i = 0; i < 8; i++) {
      p.keep[i] = test_random(&seed) % 2, p.sub[i] = test_random(&seed) % 2;
      p.a[i] = test_random(&seed) % 8, p.b[i] = test_random(&seed) % 8;
    }
    const struct entry e = encode(&p);
    put(m, SLUICE_TABLE_STATE_INSTR, 1, 3, &e);
    struct sluice_model_phv phv = {.vid = ROW};
    phv.b2[0] = (uint16_t)(test_random(&seed) % 10);  // 9 is out of bounds
    phv.b4[0] = test_random(&seed) % 2 ? test_random(&seed) % 3 - 1 : test_random(&seed);
    phv.b6[1] = (uint64_t)test_random(&seed) << 16 | near;
    const uint32_t p1 = phv.b4[0], p2 = (uint32_t)phv.b6[1];
    const unsigned index = phv.b2[0];
    uint32_t zeros[2] = {0}, *s = index < 9 ? memory[index] : zeros;
    const uint32_t old[2] = {s[0], s[1]};
    bool pr[4];
    for (unsigned i = 0; i < 4; i++) pr[i] = direct_pred(&p, i, p1, p2, old);
    const int arm = pr[0] ? (pr[1] ? 0 : 1) : pr[3] ? (pr[2] ? 2 : 3) : -1;
    if (arm >= 0)
      for (unsigned w = 0; w < 2; w++) s[w] = direct_arm(&p, (unsigned)arm * 2 + w, p1, p2, old[w]);

    struct sluice_model_access a = {0};
    model_resolve(m, 1, &phv, &a);
    model_stage_back(m, 1, &phv, &a);
    assert_true(a.executed);
    assert_int_equal(a.refused, index == 9);
    assert_int_equal(a.out_of_bounds, index == 9);
    if (index < 9) assert_int_equal(a.pipe, index % 2);
    if (index < 9) assert_int_equal(a.slot, 4 + index / 2);
    const uint32_t ext[8] = {old[0], old[1], s[0], s[1], pr[0], pr[1], pr[2], pr[3]};
    assert_memory_equal(phv.b4, ext, sizeof ext);
  }
  for (unsigned i = 0; i < 9; i++) {
    uint32_t s1, s2;
    assert_true(sluice_model_state(m, ROW, 1, i, &s1, &s2));
    assert_int_equal(s1, memory[i][0]);
    assert_int_equal(s2, memory[i][1]);
  }
  sluice_model_close(m);
}

static void memory_operations_feed_ext(void **state) {
  (void)state;
  struct sluice_model *m = open_model("menshen");
  segment(m, 1, ROW, 0, 4);
  access(m, 1, ROW, 0, 0, operand(B2, 0));
  static const unsigned ops[] = {SLUICE_OP_LOAD, SLUICE_OP_LOADD, SLUICE_OP_STORE, SLUICE_OP_NOP};
  const uint32_t new_1[] = {70, 71, 9, 0};
  for (unsigned o = 0; o < 4; o++) {
    struct entry action = {{0}};
    for (unsigned i = 0; i < 7; i++) entry_slot(&action, 9 + i, instr_imm(SLUICE_OP_EXT, 0, i));
    entry_slot(&action, 8, instr_imm(SLUICE_OP_EXT, 0, 8));
    // Operand B says entry 1; what the order point resolved, entry 3, counts.
    entry_slot(&action, 16, instr(ops[o], operand(B4, 6), operand(B4, 5)));
    match_all(m, 1, ROW, 0, &action);
    struct model_pair *entry = model_slot(m, 1, 1, 1);
    *entry = (struct model_pair){70, 80};
    struct sluice_model_phv phv = {.vid = ROW};
    phv.b2[0] = 3, phv.b4[5] = 1, phv.b4[6] = 9, phv.b4[7] = 5;
    struct sluice_model_access a = {0};
    model_resolve(m, 1, &phv, &a);
    model_stage_back(m, 1, &phv, &a);
    const bool op = o < 3;
    const uint32_t expected[8] = {
        op ? 70 : 0, op ? 80 : 0, new_1[o], op ? 80 : 0, 0, 0, 0, o == 0 ? 70 : o == 1 ? 71 : 5};
    assert_memory_equal(phv.b4, expected, sizeof expected);
    assert_int_equal(phv.b2[7], 0);
    assert_int_equal(a.executed, op);
    assert_false(a.refused);
    assert_int_equal(entry->s1, op ? new_1[o] : 70);
    assert_int_equal(entry->s2, 80);
  }
  sluice_model_close(m);
}

static void predicate_of_the_access_decides_at_the_order_point(void **state) {
  (void)state;
  struct sluice_model *m = open_model("tiny");
  segment(m, 1, ROW, 0, 300);  // more than the memory has
  struct sluice_model_phv phv = {.vid = ROW};
  for (unsigned invert = 0; invert < 2; invert++)
    for (unsigned value = 0; value < 2; value++) {
      struct entry e = {{0}};
      SET(&e, ACCESS, ENABLE, 1);
      SET(&e, ACCESS, INVERT, invert);
      SET(&e, ACCESS, PREDICATE, operand(B6, 1));
      SET(&e, ACCESS, INDEX, operand(B6, 0));
      put(m, SLUICE_TABLE_ACCESS, 1, ROW, &e);
      phv.b6[1] = (uint64_t)value << 40;  // the full width counts
      struct sluice_model_access a = {0};
      model_resolve(m, 1, &phv, &a);
      assert_int_equal(a.resolved, value ^ invert);
      assert_false(a.out_of_bounds);
    }
  phv.b6[1] = 0;
  const uint64_t indices[] = {255, 256, 300, UINT64_C(1) << 40};
  for (unsigned i = 0; i < 4; i++) {
    phv.b6[0] = indices[i];
    struct sluice_model_access a = {0};
    model_resolve(m, 1, &phv, &a);
    assert_int_equal(a.resolved, i == 0);  // 256 is in the segment, but has no slot
    assert_int_equal(a.out_of_bounds, i != 0);
  }
  sluice_model_close(m);
}

// ---- checksums ----------------------------------------------------------------------------------

static uint32_t sum_words(const uint8_t *bytes, unsigned len) {
  uint32_t sum = 0;
  for (unsigned i = 0; i < len; i += 2)
    sum += (uint32_t)bytes[i] << 8 | (i + 1 < len ? bytes[i + 1] : 0u);
  return sum;
}
static uint16_t fold(uint32_t sum) {
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return (uint16_t)~sum;
}
static void store16(uint8_t *at, unsigned v) { at[0] = (uint8_t)(v >> 8), at[1] = (uint8_t)v; }

static uint16_t full_ip(const uint8_t *f) {
  const unsigned ihl = 4 * (f[18] & 15u);
  return fold(sum_words(f + 18, ihl) - ((uint32_t)f[28] << 8 | f[29]));
}
static uint16_t full_l4(const uint8_t *f, unsigned sum_at) {
  const unsigned ihl = 4 * (f[18] & 15u), total = (unsigned)f[20] << 8 | f[21], size = total - ihl;
  uint32_t sum = sum_words(f + 30, 8) + f[27] + size + sum_words(f + 18 + ihl, size);
  sum -= (uint32_t)f[sum_at] << 8 | f[sum_at + 1];
  return fold(sum);
}

static void incremental_checksums_equal_full_ones(void **state) {
  (void)state;
  uint64_t seed = 99;
  unsigned changed = 0;
  for (unsigned n = 0; n < 20000; n++) {
    uint8_t before[300], after[300];
    const unsigned len = 80 + test_random(&seed) % 200, ihl = 5 + test_random(&seed) % 3;
    data_frame(before, len, ROW, test_random(&seed));
    for (unsigned i = 18; i < len; i++) before[i] = (uint8_t)test_random(&seed);
    const bool udp = test_random(&seed) % 2;
    const unsigned start = 18 + 4 * ihl, at = start + (udp ? 6 : 16), room = len - 18 - 4 * ihl;
    const unsigned total = 4 * ihl + (room < 24 ? room : 24 + test_random(&seed) % (room - 23));
    before[18] = (uint8_t)(0x40 | ihl);
    store16(before + 20, total);
    store16(before + 24, 0x2000u * (test_random(&seed) % 3));
    before[27] = udp ? 17 : 6;
    store16(before + 28, full_ip(before));
    unsigned l4 = full_l4(before, at);
    if (udp && l4 == 0) l4 = 0xffff;
    store16(before + at, l4);
    // Changes of address, ports, payload, TTL; not of what steers, nor of a checksum.
    memcpy(after, before, len);
    const unsigned end = 18 + total < 128 ? 18 + total : 128;
    for (unsigned i = test_random(&seed) % 5; i > 0; i--) {
      unsigned where = test_random(&seed) % 3 == 0 ? 30 + test_random(&seed) % 8
                                                   : start + test_random(&seed) % (end - start);
      if (test_random(&seed) % 8 == 0) where = 26;
      if (where == at || where == at + 1) continue;
      if (where + 1 == len && len % 2)
        continue;  // half a word at the end of the packet is not covered
      after[where] = (uint8_t)test_random(&seed);
    }
    if (18 + total + 1 < len) after[18 + total + 1] ^= 0x5a;  // behind the datagram: not covered
    uint8_t expected[300];
    memcpy(expected, after, len);
    store16(expected + 28, full_ip(expected));
    l4 = full_l4(expected, at);
    if (udp && l4 == 0) l4 = 0xffff;
    store16(expected + at, l4);
    changed += memcmp(before, expected, len) != 0;
    model_checksums(3, before, len, after);
    assert_memory_equal(after, expected, len);
  }
  assert_true(changed > 10000);
}

static void options_of_the_row_choose_the_checksums(void **state) {
  (void)state;
  struct sluice_model *m = open_model("tiny");
  struct entry p = {{0}}, d = {{0}};
  entry_action(&p, 0, parse_action(0, 0, B4, 1));
  entry_action(&p, 1, parse_action(0, 4, B4, 1) & ~1u);  // not in use
  put(m, SLUICE_TABLE_PARSER, 0, ROW, &p);
  entry_action(&d, 0, parse_action(0, 30, B4, 1));        // the source address
  entry_action(&d, 1, parse_action(0, 64, B4, 1) & ~1u);  // not in use
  put(m, SLUICE_TABLE_DEPARSER, 0, ROW, &d);
  uint8_t frame[80];
  data_frame(frame, 80, ROW, 1);
  store16(frame + 20, 62), store16(frame + 24, 0);
  store16(frame + 28, full_ip(frame)), store16(frame + 44, full_l4(frame, 44));
  for (unsigned options = 0; options < 4; options++) {
    struct entry o = {{0}};
    SET(&o, DEPARSE_OPT, IP_CHECKSUM, options & 1);
    SET(&o, DEPARSE_OPT, L4_CHECKSUM, options >> 1);
    put(m, SLUICE_TABLE_DEPARSE_OPT, 0, ROW, &o);
    const struct sluice_model_packet packet = {frame, 80, 0, 0};
    struct sluice_model_phv phv;
    struct sluice_model_result r;
    sluice_model_front(m, &packet, &phv);
    sluice_model_admit(m, &packet, &phv, &r);
    uint8_t expected[80];
    memcpy(expected, frame, 80);
    memcpy(expected + 30, frame, 4);
    if (options & 1) store16(expected + 28, full_ip(expected));
    if (options & 2) store16(expected + 44, full_l4(expected, 44));
    assert_memory_equal(r.header, expected, 80);
  }
  sluice_model_close(m);
}

static void checksums_stay_when_they_should(void **state) {
  (void)state;
  uint8_t before[128], after[128];
  data_frame(before, 128, ROW, 0);
  store16(before + 20, 100);
  store16(before + 24, 0);
  store16(before + 44, 0);  // UDP without a checksum
  memcpy(after, before, 128);
  after[60] ^= 0x55;
  model_checksums(2, before, 128, after);
  assert_int_equal(after[44] << 8 | after[45], 0);
  store16(before + 44, 0x1234), store16(after + 44, 0x1234);
  store16(before + 24, 0x0001), store16(after + 24, 0x0001);  // a later fragment
  model_checksums(2, before, 128, after);
  assert_int_equal(after[44] << 8 | after[45], 0x1234);
  store16(before + 24, 0), store16(after + 24, 0);
  before[18] = 0x65;  // not version 4; what the deparser writes there does not count
  model_checksums(3, before, 128, after);
  assert_int_equal(after[44] << 8 | after[45], 0x1234);
  before[18] = 0x45;
  model_checksums(2, before, 128, after);
  assert_true((after[44] << 8 | after[45]) != 0x1234);
}

static void marks_set_ce_and_keep_the_checksum_right(void **state) {
  (void)state;
  struct sluice_model *m = open_model("tiny");
  struct entry p = {{0}}, d = {{0}};
  entry_action(&p, 0, parse_action(0, 64, SLUICE_TYPE_B2, 0));
  put(m, SLUICE_TABLE_PARSER, 0, ROW, &p);
  entry_action(&d, 0, parse_action(0, 18, SLUICE_TYPE_B2, 0));  // version, IHL, DSCP, ECN
  put(m, SLUICE_TABLE_DEPARSER, 0, ROW, &d);
  for (unsigned n = 0; n < 64; n++) {
    const unsigned ecn = n & 3, arrives = n >> 2 & 3, version = n & 16 ? 6 : 4, mark = n >> 5;
    uint8_t frame[80], expected[80];
    data_frame(frame, 80, ROW, n);
    frame[18] = (uint8_t)(version << 4 | 5);
    frame[19] = (uint8_t)(0xb8 | arrives);
    store16(frame + 64, 0x4500 | 0xb8 | ecn);  // what the program makes of bytes 18 and 19
    memcpy(expected, frame, 80);
    memcpy(expected + 18, frame + 64, 2);
    store16(expected + 28, full_ip(expected));  // right for what the program writes
    memcpy(frame + 28, expected + 28, 2);
    const bool set = mark && version == 4 && (ecn == 1 || ecn == 2);
    if (set) {
      expected[19] |= 3;
      store16(expected + 28, full_ip(expected));
    }
    const struct sluice_model_packet packet = {frame, 80, 0, 0};
    struct sluice_model_phv phv;
    struct sluice_model_result r;
    sluice_model_front(m, &packet, &phv);
    phv.mark = mark;
    sluice_model_admit(m, &packet, &phv, &r);
    assert_int_equal(r.congestion, set);
    assert_memory_equal(r.header, expected, 80);
  }
  sluice_model_close(m);
}

// ---- control ------------------------------------------------------------------------------------

static void state_survives_a_new_segment(void **state) {
  (void)state;
  struct sluice_model *m = open_model("tiny");
  struct entry value = {{0}};
  SET(&value, STATE_ENTRY, S1, 11);
  SET(&value, STATE_ENTRY, S2, 22);
  segment(m, 0, ROW, 10, 7);
  struct control c = {.table = SLUICE_TABLE_STATE, .row = ROW, .index = 6};
  assert_true(control(m, c, &value, 1, NULL));
  assert_int_equal(model_slot(m, 0, 0, 13)->s1, 11);  // index 6: pipeline 0, slot 10 + 3
  c.index = 7;
  assert_false(control(m, c, &value, 1, NULL));
  uint32_t s1, s2;
  segment(m, 0, ROW, 13, 1);
  assert_true(sluice_model_state(m, ROW, 0, 0, &s1, &s2));
  assert_int_equal(s2, 22);
  c.table = SLUICE_TABLE_FILL, c.index = 0;
  segment(m, 0, ROW, 20, 3);
  assert_true(control(m, c, &value, 1, NULL));
  assert_int_equal(model_slot(m, 0, 0, 20)->s1, 11);
  assert_int_equal(model_slot(m, 0, 1, 20)->s1, 11);
  assert_int_equal(model_slot(m, 0, 0, 21)->s1, 11);
  assert_int_equal(model_slot(m, 0, 1, 21)->s1, 0);  // index 3 is outside
  access(m, 0, ROW, 1, 1, 0);
  c.table = SLUICE_TABLE_STATE, c.index = 2;
  assert_true(control(m, c, &value, 1, NULL));
  assert_int_equal(model_slot(m, 0, 1, 22)->s2, 22);
  sluice_model_close(m);
}

// CHIP.SETS: an index has its home in the set that its ACCESS entry names.
static void homes_are_in_the_set(void **state) {
  (void)state;
  struct sluice_model *m = open_model("k4");
  segment(m, 0, 1, 10, 8);
  const unsigned index = SLUICE_TYPE_B4 << SLUICE_OPERAND_KIND_LSB;
  access(m, 0, 1, 0, 3, index);
  static const struct {
    unsigned sets, pipe, slot;
  } at[] = {{0, 1, 11}, {1, 3, 12}, {2, 3, 15}, {7, 3, 15}};
  for (unsigned i = 0; i < 4; i++) {
    sluice_model_set_sets(m, at[i].sets);
    struct sluice_model_phv phv = {.vid = 1, .b4 = {5}};
    struct sluice_model_access a = {0};
    model_resolve(m, 0, &phv, &a);
    assert_true(a.resolved);
    assert_int_equal(a.pipe, at[i].pipe);
    assert_int_equal(a.slot, at[i].slot);
    phv.b4[0] = 8;
    a = (struct sluice_model_access){0};
    model_resolve(m, 0, &phv, &a);
    assert_true(a.out_of_bounds && !a.resolved);
  }
  sluice_model_set_sets(m, 1);
  assert_true(sluice_model_same_set(m, 0, 1) && sluice_model_same_set(m, 3, 2));
  assert_false(sluice_model_same_set(m, 1, 2));
  access(m, 0, 1, 1, 1, index);  // a pinned one is where it is
  struct sluice_model_phv phv = {.vid = 1};
  struct sluice_model_access a = {0};
  model_resolve(m, 0, &phv, &a);
  assert_int_equal(a.pipe, 1);
  sluice_model_close(m);
}

static void reads_are_answered(void **state) {
  (void)state;
  struct sluice_model *m = open_model("k4");
  static struct sluice_model_answer answer;
  struct entry e[3] = {{{0}}};
  for (unsigned i = 0; i < 3; i++) entry_slot(&e[i], 24, 0x1000000 + i);
  struct control c = {.table = SLUICE_TABLE_ACTION, .stage = 9, .index = 4};
  assert_true(control(m, c, e, 3, NULL));
  c.op = SLUICE_CHAIN_READ, c.count = 2, c.index = 5, c.copy = 3, c.serial = 0xbeef;
  assert_true(control(m, c, NULL, 0, &answer));
  assert_int_equal(answer.len, 64 + 2 * 128);
  assert_int_equal(answer.bytes[53], SLUICE_CHAIN_ANSWER);
  assert_int_equal(answer.bytes[58], 0xbe);
  assert_memory_equal(answer.bytes + 64, e[1].bytes, 79);
  assert_memory_equal(answer.bytes + 192, e[2].bytes, 79);
  assert_int_equal(sluice_model_answer_compare(&answer, answer.bytes, answer.len), -1);
  uint8_t other[320];
  memcpy(other, answer.bytes, 320);
  other[193] ^= 1, other[0] ^= 1;
  assert_int_equal(sluice_model_answer_compare(&answer, other, 320), 193);
  assert_int_equal(sluice_model_answer_compare(&answer, answer.bytes, 200), 200);
  c.copy = 4;
  assert_false(control(m, c, NULL, 0, &answer));
  assert_int_equal(answer.len, 64);
  assert_int_equal(answer.bytes[53], SLUICE_CHAIN_REFUSED);
  // Granules: 8192 entries, 32 each.
  struct entry s = {{0}};
  SET(&s, SEGMENT16, RANGE, 3);
  SET(&s, SEGMENT16, BASE, 12);
  put(m, SLUICE_TABLE_SEGMENT16, 2, ROW, &s);
  assert_int_equal(sluice_model_state_range(m, ROW, 2), 96);
  c = (struct control){
      .table = SLUICE_TABLE_SEGMENT16, .op = SLUICE_CHAIN_READ, .stage = 2, .index = ROW};
  assert_true(control(m, c, NULL, 0, &answer));
  assert_int_equal(answer.bytes[64], 3);
  assert_int_equal(answer.bytes[65], 12);
  c.table = SLUICE_TABLE_FILL;
  assert_false(control(m, c, NULL, 0, &answer));
  c = (struct control){.table = SLUICE_TABLE_KEY_MASK, .op = SLUICE_CHAIN_READ, .index = 30};
  c.count = 2;
  assert_true(control(m, c, NULL, 0, &answer));
  c.count = 3;  // leaves the table
  assert_false(control(m, c, NULL, 0, &answer));
  assert_int_equal(answer.len, 64);
  c = (struct control){.table = SLUICE_TABLE_PORT_MASK, .op = SLUICE_CHAIN_READ, .count = 128};
  assert_true(control(m, c, NULL, 0, &answer));
  assert_int_equal(answer.bytes[64 + 15 * 64 + 6], 0x80);  // row 15 is port 15, the last one
  assert_int_equal(answer.bytes[64 + 16 * 64 + 5], 0);
  c.count = 129;
  assert_false(control(m, c, NULL, 0, &answer));
  sluice_model_close(m);
}

static void bad_control_packets_are_refused(void **state) {
  (void)state;
  struct sluice_model *m = open_model("tiny");  // two back stages, one front stage, 8 match rows
  struct entry e[3] = {{{0}}};
  const struct control bad[] = {
      {.table = SLUICE_TABLE_MATCH, .stage = 3},
      {.table = SLUICE_TABLE_SEGMENT, .stage = 2},
      {.table = SLUICE_TABLE_HASH_INSTR, .stage = 1},
      {.table = SLUICE_TABLE_MATCH, .stage = 0, .index = 8},
      {.table = SLUICE_TABLE_PARSER, .index = 32},
      {.table = SLUICE_TABLE_PARSER, .index = 256},
      {.table = SLUICE_TABLE_SEGMENT16, .index = 32},
      {.table = SLUICE_TABLE_ACTION, .op = SLUICE_CHAIN_ERASE},
      {.table = SLUICE_TABLE_FILL, .row = 32},
      {.table = SLUICE_TABLE_PARSER, .op = SLUICE_CHAIN_ANSWER},
  };
  for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
    assert_false(control(m, bad[i], e, 1, NULL));
  uint8_t frame[400];
  const struct control good = {.table = SLUICE_TABLE_PARSER};
  size_t len = control_frame(frame, good, e, 1);
  assert_true(sluice_model_control(m, frame, len, NULL));
  assert_false(sluice_model_control(m, frame, len - 1, NULL));  // no whole entry
  assert_false(sluice_model_control(m, frame, 63, NULL));
  static const unsigned marks[] = {12, 16, 27, 40, 41};
  for (unsigned i = 0; i < 5; i++) {
    control_frame(frame, good, e, 1);
    frame[marks[i]] ^= 0x40;
    assert_false(sluice_model_control(m, frame, len, NULL));
  }
  // Sub-table numbers: any for the parser, any but 0 for the key mask, none for resource 7.
  control_frame(frame, good, e, 1);
  frame[47] = 9;
  assert_true(sluice_model_control(m, frame, len, NULL));
  frame[46] = 7;
  assert_false(sluice_model_control(m, frame, len, NULL));
  frame[46] = 4, frame[47] = 5;
  assert_false(sluice_model_control(m, frame, len, NULL));
  // A last entry that is too short is not written.
  e[1].bytes[0] = 0xff;
  len = control_frame(frame, good, e, 2);
  assert_true(sluice_model_control(m, frame, len - 1, NULL));
  assert_int_equal(model_bits(model_entry(m, SLUICE_TABLE_PARSER, 0, 1), 159, 152), 0);
  assert_true(sluice_model_control(m, frame, len, NULL));
  assert_int_equal(model_bits(model_entry(m, SLUICE_TABLE_PARSER, 0, 1), 159, 152), 0xff);
  sluice_model_close(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(menshen_parser_entry_fills_the_containers),
      cmocka_unit_test(menshen_stage_vectors_work_together),
      cmocka_unit_test(menshen_alu_examples),
      cmocka_unit_test(menshen_memory_examples),
      cmocka_unit_test(filter_checks_in_order),
      cmocka_unit_test(parser_reads_metadata_and_zero_behind_the_end),
      cmocka_unit_test(containers_that_are_not_there_read_zero),
      cmocka_unit_test(deparser_stops_at_the_end_and_at_byte_127),
      cmocka_unit_test(destinations_are_sets_or_rows),
      cmocka_unit_test(functions_equal_their_sentences),
      cmocka_unit_test(everything_reads_the_phv_before_the_stage),
      cmocka_unit_test(every_bit_of_the_key_counts),
      cmocka_unit_test(crc_check_values),
      cmocka_unit_test(random_state_instructions),
      cmocka_unit_test(memory_operations_feed_ext),
      cmocka_unit_test(predicate_of_the_access_decides_at_the_order_point),
      cmocka_unit_test(incremental_checksums_equal_full_ones),
      cmocka_unit_test(options_of_the_row_choose_the_checksums),
      cmocka_unit_test(checksums_stay_when_they_should),
      cmocka_unit_test(marks_set_ce_and_keep_the_checksum_right),
      cmocka_unit_test(state_survives_a_new_segment),
      cmocka_unit_test(homes_are_in_the_set),
      cmocka_unit_test(reads_are_answered),
      cmocka_unit_test(bad_control_packets_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
