// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/bytes.h"
#include "tests/rig/model_rig.h"

/// Packets with programs, for the tests of the reference model. Written for the tests alone.
enum { FID = 7, LIST_AT = 44, PRELOAD = 0x0001, DONE = 0x0100, FAULT = 0x0080, CAPSULE_LEN = 128 };

/// `instr` ends with the opcode EOF; what is behind it stays as `fill` says.
struct capsule {
  unsigned flags, fid, vid, port, lane, len;  // len 0: CAPSULE_LEN
  uint32_t data[4];
  uint16_t instr[64];
  unsigned num;  // 0: up to EOF
  bool no_ip;    // nothing behind the list
};

/// Explicit form: LABEL with NUMBERED; TARGET.
static inline uint16_t with_label(unsigned op, unsigned label) {
  return (uint16_t)(label << 10 | 1u << 9 | op);
}
static inline uint16_t at_target(unsigned op) { return (uint16_t)(1u << 8 | op); }
static inline uint16_t at_label(unsigned op, unsigned label) {
  return (uint16_t)(with_label(op, label) | 1u << 8);
}

/// Instructions with EOF.
static inline unsigned list_length(const struct capsule *c) {
  unsigned n = 0;
  if (c->num) return c->num;
  while (c->instr[n] & 0xff) n++;
  return n + 1;
}

/// Addresses 10.1.2.3 -> 10.4.5.6, ports 1000 -> 2000; the rest a pattern.
static inline unsigned capsule_frame(const struct capsule *c, uint8_t *frame) {
  const unsigned len = c->len ? c->len : CAPSULE_LEN, n = list_length(c), ip = LIST_AT + 2 * n;
  uint8_t whole[512];
  for (unsigned i = 0; i < sizeof whole; i++) whole[i] = (uint8_t)(i * 5 + 1);
  whole[12] = 0x81, whole[13] = 0;
  whole[14] = 0, whole[15] = (uint8_t)(c->vid ? c->vid : ROW);
  whole[16] = 0x83, whole[17] = 0xb2;
  sluice_put32(whole + 18, 0x12345678);
  sluice_put16(whole + 22, c->flags);
  sluice_put16(whole + 24, c->fid);
  whole[26] = 0, whole[27] = 9;
  for (unsigned i = 0; i < 4; i++) sluice_put32(whole + 28 + 4 * i, c->data[i]);
  for (unsigned i = 0; i < n; i++)
    whole[LIST_AT + 2 * i] = (uint8_t)(c->instr[i] >> 8),
                        whole[LIST_AT + 2 * i + 1] = (uint8_t)c->instr[i];
  if (!c->no_ip) {
    whole[ip] = 0x45;
    sluice_put32(whole + ip + 12, 0x0a010203);
    sluice_put32(whole + ip + 16, 0x0a040506);
    sluice_put32(whole + ip + 20, 1000u << 16 | 2000u);
  }
  memcpy(frame, whole, len);
  return len;
}

/// What became of a capsule.
struct gone {
  struct sluice_model_result result;
  unsigned len;
  uint8_t in[512], bytes[512];
};
static inline uint32_t data_of(const struct gone *g, unsigned n) {
  return sluice_get32(g->bytes + 28 + 4 * n);
}
static inline unsigned flags_of(const struct gone *g) { return sluice_get16(g->bytes + 22); }

static inline struct gone run_capsule(struct sluice_model *m, const struct capsule *c) {
  struct gone g;
  struct sluice_model_phv phv;
  const unsigned len = capsule_frame(c, g.in);
  const struct sluice_model_verdict v = sluice_model_classify(sluice_model_filter(m), g.in, len);
  const struct sluice_model_packet packet = {
      .bytes = g.in, .len = len, .port = c->port, .bank = v.bank, .lane = c->lane};
  assert_int_equal(v.reason, SLUICE_DROP_NONE);
  assert_int_equal(sluice_model_front(m, &packet, &phv), SLUICE_DROP_NONE);
  sluice_model_admit(m, &packet, &phv, &g.result);
  g.len = sluice_model_leave(&packet, &g.result, g.bytes);
  assert_int_equal(g.len, g.result.len);
  return g;
}

static inline void make_active(struct sluice_model *m, unsigned entry, unsigned vid) {
  struct entry e = ENTRY_OF(MODULE, (VALID, 1), (ACTIVE, 1), (DEST, 2), (VID, vid));
  put(m, SLUICE_TABLE_MODULE, 0, entry, &e);
}

/// A write of a table of ids for module `row` (bank x NumModules + overlay row).
static inline bool put_id(struct sluice_model *m, enum sluice_table table, unsigned stage,
                          unsigned row, unsigned index, const struct entry *e) {
  return control(m, (struct control){.table = table, .stage = stage, .index = index, .row = row}, e,
                 1, NULL);
}
static inline void tenant(struct sluice_model *m, unsigned id, unsigned row, bool drop,
                          bool report) {
  struct entry e = ENTRY_OF(TENANT, (VALID, 1), (DROP, drop), (REPORT, report), (ROW, row));
  assert_true(put_id(m, SLUICE_TABLE_TENANT, 0, row, id, &e));
}
struct region {
  bool invalid, sharded;
  unsigned pipe, low, high, base;
};
static inline void region(struct sluice_model *m, unsigned stage, unsigned id, struct region r) {
  struct entry e = ENTRY_OF(REGION, (VALID, !r.invalid), (SHARDED, r.sharded), (PIPE, r.pipe),
                            (LOW, r.low), (HIGH, r.high), (BASE, r.base));
  assert_true(put_id(m, SLUICE_TABLE_REGION, stage, ROW, id, &e));
}

/// A chip with module ROW, whose id is FID.
static inline struct sluice_model *open_active(const char *chip) {
  struct sluice_model *m = open_model(chip);
  make_active(m, ROW, ROW);
  tenant(m, FID, ROW, false, true);
  return m;
}
