// SPDX-License-Identifier: Apache-2.0
// The reference model executes Menshen's public vectors.
#include "tests/rig/test.h"
#include "tests/rig/model_rig.h"

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

TEST(menshen_parser_entry_fills_the_containers) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("menshen");
  put_hex(m, PKT_PARSER);
  uint8_t frame[128];
  data_frame(frame, 128, 11, 0);
  const struct sluice_model_packet packet = {frame, 128, 0, 0, 0, NULL, 0};
  struct sluice_model_phv phv;
  assert_int_equal(sluice_model_front(m, &packet, &phv), SLUICE_DROP_NONE);
  FIELDS_ARE(&phv, (b6[7], 0x00070e151c23u), (b2[3], (uint8_t)(46 * 7) << 8 | (uint8_t)(47 * 7)));
  assert_int_equal(phv.b4[6] >> 24, (uint8_t)(48 * 7));
  assert_int_equal(phv.b4[7] & 255u, (uint8_t)(55 * 7));
  assert_int_equal(phv.b2[0], (uint8_t)(56 * 7) << 8 | (uint8_t)(57 * 7));
  assert_int_equal(phv.b4[1] >> 24, (uint8_t)(64 * 7));
  FIELDS_ARE(&phv, (b2[5], (uint8_t)(70 * 7) << 8 | (uint8_t)(71 * 7)), (b4[0], 0));
}

// All stage tables of the vectors at once: module 43 with 2B[5] = 0xbeef and 4B[6][7:0] >= 0x2a
// hits CAM row 9, whose action adds 2B[1] to 2B[3], counts at 4B[3] and sends to port set 0x55.
TEST(menshen_stage_vectors_work_together) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("menshen");
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
  model_stage_back(m, 2, &now, &a, NULL);
  assert_true(a.hit && a.executed && !a.refused);
  assert_int_equal(a.slot, 14);
  FIELDS_ARE(&now, (b2[3], 0x0001), (b4[7], 0x0000000b));
  assert_int_equal(word14->s1, 0x0000000b);
  assert_int_equal(now.dest, 0x55);

  now = phv, now.b4[6] = 0x29;  // comparator says no
  model_stage_back(m, 2, &now, &a, NULL);
  assert_int_equal(now.b2[3], 0xffff);
  now = phv, now.vid = 11;  // another module of the same row
  model_stage_back(m, 2, &now, &a, NULL);
  assert_int_equal(now.b2[3], 0xffff);

  // The test is index < RANGE: 3 is the first that is refused. It reads 0, so LOADD gives 1.
  now = phv, now.b4[3] = 3, now.b4[7] = 77;
  const struct model_pair before = *model_slot(m, 2, 1, 15);
  model_resolve(m, 2, &phv, &a);
  model_stage_back(m, 2, &now, &a, NULL);
  assert_true(a.executed && a.refused);
  assert_int_equal(now.b4[7], 1);
  assert_int_equal(model_slot(m, 2, 1, 15)->s1, before.s1);
}

TEST(menshen_alu_examples) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("menshen");
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
}

TEST(menshen_memory_examples) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("menshen");
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
  model_stage_back(m, 2, &now, &a, NULL);
  assert_int_equal(model_slot(m, 2, 0, 14)->s1, 0x12345678);
  assert_int_equal(now.b4[7], 9);
  memset(&action, 0, sizeof action);
  entry_slot(&action, 16, 0x1779800);  // alu-load
  match_all(m, 2, 11, 0, &action);
  now = phv;
  model_stage_back(m, 2, &now, &a, NULL);
  assert_int_equal(now.b4[7], 0x12345678);
  now = phv, now.b4[3] = 0x22;  // all address bits count, unlike Menshen's
  model_stage_back(m, 2, &now, &a, NULL);
  assert_true(a.refused);
  assert_int_equal(now.b4[7], 0);
}
