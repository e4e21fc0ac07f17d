// SPDX-License-Identifier: Apache-2.0
// Capsules in the reference model, from docs/machine.md: every opcode by itself, memory, faults,
// how packets leave.
#include "tests/rig/test.h"
#include "tests/rig/capsule_rig.h"
#include "model/capsule.h"

#define OP(NAME) SLUICE_OPCODE_##NAME

static uint32_t *word_at(struct sluice_model *m, unsigned stage, unsigned pipe, uint32_t slot) {
  return &model_slot(m, stage, pipe, slot)->s1;
}

// ---- opcodes ------------------------------------------------------------------------------------

enum { A = 0x12345678, B = 0xf0f0, C = 0x00ff00ff };
static const uint32_t D = 0x80000001;

struct effect {
  unsigned op;
  uint32_t mar, mbr, mbr2;
};

// The instruction stands first; what follows shows the registers.
static struct gone run_one(struct sluice_model *m, unsigned op, unsigned flags,
                           const uint32_t data[4]) {
  struct capsule c = {.flags = flags,
                      .fid = FID,
                      .data = {data[0], data[1], data[2], data[3]},
                      .instr = {(uint16_t)op, OP(MBR_STORE), OP(COPY_MBR_MBR2), OP(MBR_STORE_ALT2),
                                OP(COPY_MBR_MAR), OP(MBR_STORE_ALT), OP(RETURN)}};
  return run_capsule(m, &c);
}

static void check_effects(const struct effect *effects, size_t num, unsigned flags,
                          const uint32_t data[4]) {
  struct sluice_model *m = open_active("capsules");
  for (size_t i = 0; i < num; i++) {
    const struct effect *e = &effects[i];
    const struct gone g = run_one(m, e->op, flags, data);
    if (data_of(&g, 1) != e->mar || data_of(&g, 3) != e->mbr || data_of(&g, 2) != e->mbr2)
      fail_msg("opcode %u: MAR %08x MBR %08x MBR2 %08x", e->op, data_of(&g, 1), data_of(&g, 3),
               data_of(&g, 2));
    assert_int_equal(data_of(&g, 0), data[0]);
    assert_int_equal(flags_of(&g), flags | DONE);
    FIELDS_ARE(&g, (len, CAPSULE_LEN - 16), (result.ports, 2));
  }
  sluice_model_close(m);
}

TEST(registers) {
  static const struct effect effects[] = {
      {OP(NOP), A, B, C},
      {OP(FORK), A, B, C},
      {OP(MBR_LOAD), A, B, C},
      {OP(MBR2_LOAD), A, B, C},
      {OP(MAR_LOAD), 0x45678, B, C},
      {OP(MBR_EQUALS_MBR2), A, 0x00fff00f, C},
      {OP(MBR_EQUALS_DATA_0), A, 0x1234a688, C},
      {OP(MBR_EQUALS_DATA_1), A, 0, C},
      {OP(MBR_EQUALS_DATA_2), A, 0x00fff00f, C},
      {OP(MBR_EQUALS_DATA_3), A, 0x8000f0f1, C},
      {OP(MAX), A, C, C},
      {OP(MIN), A, B, C},
      {OP(REVMIN), A, B, B},
      {OP(SWAP_MBR_MBR2), A, C, B},
      {OP(MBR_NOT), A, 0xffff0f0f, C},
      {OP(MBR_SUBTRACT_MBR2), A, 0xff01eff1, C},
      {OP(MAR_ADD_MBR), 0x12354768, B, C},
      {OP(MAR_ADD_MBR2), 0x13335777, B, C},
      {OP(MBR_ADD_MBR2), A, 0x00fff1ef, C},
      {OP(MAR_MBR_ADD_MBR2), 0x00fff1ef, B, C},
      {OP(BIT_AND_MAR_MBR), 0x5070, B, C},
      {OP(BIT_OR_MBR_MBR2), A, 0x00fff0ff, C},
      {OP(COPY_MBR2_MBR), A, B, B},
      {OP(COPY_MBR_MBR2), A, C, C},
      {OP(COPY_MAR_MBR), B, B, C},
      {OP(COPY_MBR_MAR), A, A, C},
      {OP(COPY_HASHDATA_MBR), A, B, C},
      {OP(COPY_HASHDATA_MBR2), A, B, C},
      {OP(LOAD_SALT), A, 0x5093, C},
      {OP(LOAD_TCP_5TUPLE), A, B, C},
      {OP(LOAD_QDELAY), A, B, C},
      {OP(LOAD_QUEUE), A, B, C},
      {OP(ADDR_MASK_0), A, B, C},
      {OP(ADDR_OFFSET_0), A, B, C},
      {OP(ADDR_MASK), A, B, C},
      {OP(ADDR_OFFSET), A, B, C},
      {96, A, B, C},
      {200, A, B, C},
      {255, A, B, C},
      // Bits that mean nothing here.
      {0xfc00 | OP(MBR_NOT), A, 0xffff0f0f, C},
      {0x0100 | OP(MBR_NOT), A, 0xffff0f0f, C},
  };
  check_effects(effects, sizeof effects / sizeof effects[0], PRELOAD,
                (const uint32_t[]){A, B, C, D});
  // Compares are unsigned.
  static const struct effect large[] = {
      {OP(MAX), 0, 0x80000000, 1}, {OP(MIN), 0, 1, 1}, {OP(REVMIN), 0, 0x80000000, 1}};
  check_effects(large, 3, PRELOAD, (const uint32_t[]){0, 0x80000000, 1, 0});
  // Without PRELOAD all begin with 0.
  static const struct effect loads[] = {{OP(NOP), 0, 0, 0},
                                        {OP(MBR_LOAD), 0, B, 0},
                                        {OP(MBR2_LOAD), 0, 0, C},
                                        {OP(MAR_LOAD), 0x45678, 0, 0},
                                        {OP(MBR_EQUALS_DATA_3), 0, D, 0},
                                        {OP(MBR_NOT), 0, 0xffffffff, 0}};
  check_effects(loads, 6, 0, (const uint32_t[]){A, B, C, D});
}

TEST(stores) {
  struct sluice_model *m CLOSED_BY(close_model) = open_active("capsules");
  struct capsule c = {.flags = PRELOAD, .fid = FID, .data = {1, 2, 3, 4}, .instr = {OP(MBR_STORE)}};
  struct gone g = run_capsule(m, &c);
  assert_int_equal(data_of(&g, 3), 2);
  // What was stored is what MBR_EQUALS_DATA_i and MBR_LOAD take then.
  c = (struct capsule){.flags = PRELOAD,
                       .fid = FID,
                       .data = {1, 2, 3, 4},
                       .instr = {OP(MBR_NOT), OP(MBR_STORE_ALT), OP(MBR_STORE_ALT2), OP(MBR2_LOAD),
                                 OP(MBR_EQUALS_MBR2), OP(MBR_LOAD), OP(MBR_STORE)}};
  g = run_capsule(m, &c);
  assert_int_equal(data_of(&g, 1), 0xfffffffd);
  assert_int_equal(data_of(&g, 2), 0xfffffffd);
  assert_int_equal(data_of(&g, 3), 0xfffffffd);
}

// ---- control ------------------------------------------------------------------------------------

// Whether the instruction behind `n` others is executed: it is MBR_STORE of MBR = 2.
static bool stores_2(struct sluice_model *m, const uint16_t *instr, unsigned num, uint32_t mbr) {
  struct capsule c = {.flags = PRELOAD, .fid = FID, .data = {0, mbr, 0, 99}};
  memcpy(c.instr, instr, num * sizeof *instr);
  c.instr[num] = OP(MBR_STORE);
  const struct gone g = run_capsule(m, &c);
  assert_true(data_of(&g, 3) == mbr || data_of(&g, 3) == 99);
  return data_of(&g, 3) != 99;
}
#define STORES(MBR, ...)                       \
  stores_2(m, (const uint16_t[]){__VA_ARGS__}, \
           sizeof((const uint16_t[]){__VA_ARGS__}) / sizeof(uint16_t), MBR)

TEST(returns) {
  struct sluice_model *m CLOSED_BY(close_model) = open_active("capsules");
  assert_true(STORES(2, OP(NOP)));
  assert_false(STORES(2, OP(RETURN)));
  assert_false(STORES(2, OP(CRET)));
  assert_true(STORES(0, OP(CRET)));
  assert_true(STORES(2, OP(CRETI)));
  assert_false(STORES(0, OP(CRETI)));
  assert_false(STORES(2, OP(RETURN), at_target(OP(NOP))));
}

TEST(jumps) {
  struct sluice_model *m CLOSED_BY(close_model) = open_active("capsules");
  assert_false(STORES(2, OP(UJUMP)));
  assert_false(STORES(2, OP(CJUMP)));
  assert_true(STORES(0, OP(CJUMP)));
  assert_true(STORES(2, OP(CJUMPI)));
  assert_false(STORES(0, OP(CJUMPI)));
  // The target ends the skip, and is skipped itself.
  assert_true(STORES(2, OP(UJUMP), OP(RETURN), at_target(OP(RETURN))));
  assert_true(STORES(2, OP(UJUMP), at_target(OP(UJUMP)), OP(NOP)));
  assert_false(STORES(2, at_target(OP(UJUMP))));
  // A label that is reached otherwise is executed.
  assert_false(STORES(2, at_target(OP(RETURN))));
  // The numbered form: both must be numbered, or both not, and labels equal.
  assert_true(STORES(2, with_label(OP(UJUMP), 5), OP(RETURN), at_label(OP(NOP), 5)));
  assert_false(STORES(2, with_label(OP(UJUMP), 5), OP(RETURN), at_label(OP(NOP), 6)));
  assert_false(STORES(2, with_label(OP(UJUMP), 5), at_target(OP(NOP))));
  assert_false(STORES(2, OP(UJUMP), at_label(OP(NOP), 0)));
  assert_true(STORES(2, with_label(OP(UJUMP), 63), at_label(OP(RETURN), 62), at_target(OP(RETURN)),
                     at_label(OP(RETURN), 63)));
  // Without NUMBERED labels do not count.
  assert_true(STORES(2, 7 << 10 | OP(UJUMP), 9 << 10 | 1 << 8 | OP(RETURN)));
  // No jump begins while one is under way.
  assert_true(STORES(2, with_label(OP(UJUMP), 1), with_label(OP(UJUMP), 2), at_label(OP(NOP), 1)));
}

TEST(destinations) {
  struct sluice_model *m CLOSED_BY(close_model) = open_active("capsules");
  struct capsule c = {
      .flags = PRELOAD, .fid = FID, .data = {0, 0x103, 0, 0}, .port = 0, .instr = {OP(SET_DST)}};
  assert_int_equal(run_capsule(m, &c).result.ports, 8);
  c.data[1] = 9;  // there is no such port
  assert_int_equal(run_capsule(m, &c).result.reason, SLUICE_DROP_NO_DEST);
  c = (struct capsule){.fid = FID, .port = 3, .instr = {OP(RTS)}};
  struct gone g = run_capsule(m, &c);
  assert_int_equal(g.result.ports, 8);
  // Addresses change places: Ethernet, and IPv4 where it stands now.
  assert_memory_equal(g.bytes, g.in + 6, 6);
  assert_memory_equal(g.bytes + 6, g.in, 6);
  assert_int_equal(sluice_get32(g.bytes + LIST_AT + 12), 0x0a040506);
  assert_int_equal(sluice_get32(g.bytes + LIST_AT + 16), 0x0a010203);
  assert_int_equal(sluice_get32(g.bytes + LIST_AT + 20), 1000u << 16 | 2000u);
  c.instr[0] = OP(CRTS);
  g = run_capsule(m, &c);
  assert_int_equal(g.result.ports, 2);
  assert_memory_equal(g.bytes, g.in, 12);
  c.flags = PRELOAD;
  c.data[1] = 1;
  assert_int_equal(run_capsule(m, &c).result.ports, 8);
  c = (struct capsule){.fid = FID, .instr = {OP(DROP)}};
  assert_int_equal(run_capsule(m, &c).result.reason, SLUICE_DROP_DISCARD_BACK);
}

// Nine ports: above eight a destination is a number.
TEST(destinations_of_nine_ports) {
  struct sluice_model *m CLOSED_BY(close_model) = open_active("capsules.NumPipes1.NumPorts9");
  struct capsule c = {.flags = PRELOAD, .fid = FID, .data = {0, 8}, .instr = {OP(SET_DST)}};
  assert_int_equal(run_capsule(m, &c).result.ports, 1u << 8);
  c.data[1] = 3;
  assert_int_equal(run_capsule(m, &c).result.ports, 1u << 3);
  c.data[1] = 10;  // 9 is the recirculation port
  assert_int_equal(run_capsule(m, &c).result.reason, SLUICE_DROP_NO_DEST);
}

// ---- hashes -------------------------------------------------------------------------------------

struct crc {
  uint16_t polynomial;
  bool reflected;
  uint16_t start, final;
  int check;  // of "123456789", where it is known; else -1
};
static const struct crc crcs[10] = {
    {0x8005, true, 0, 0, 0xbb3d},       {0x8005, false, 0, 0, 0xfee8},
    {0x8005, false, 0x800d, 0, 0x9ecf}, {0x0589, false, 1, 1, -1},
    {0x3d65, true, 0xffff, 0xffff, -1}, {0x3d65, false, 0xffff, 0xffff, -1},
    {0x1021, false, 0, 0xffff, 0xce3c}, {0x8005, true, 0xffff, 0xffff, 0xb4c8},
    {0x1021, true, 0xffff, 0, 0x6f91},  {0x1021, true, 0x554d, 0, 0x63d0}};

// Bit by bit; a reflected one shifts to the right, from its least significant bit on.
static uint16_t crc_of(const struct crc *crc, const uint8_t *bytes, size_t len) {
  unsigned r = crc->start, right = 0;
  for (unsigned i = 0; i < 16; i++) right |= (crc->polynomial >> i & 1u) << (15 - i);
  for (size_t i = 0; i < 8 * len; i++) {
    const unsigned byte = bytes[i / 8], k = i % 8;
    if (crc->reflected) {
      const unsigned out = (r ^ byte >> k) & 1u;
      r = r >> 1 ^ (out ? right : 0u);
    } else {
      const unsigned out = (r >> 15 ^ byte >> (7 - k)) & 1u;
      r = (r << 1 & 0xffffu) ^ (out ? crc->polynomial : 0u);
    }
  }
  return (uint16_t)(r ^ crc->final);
}

TEST(hashes) {
  uint64_t seed = 1;
  for (unsigned n = 0; n < 10; n++) {
    if (crcs[n].check >= 0)
      assert_int_equal(crc_of(&crcs[n], (const uint8_t *)"123456789", 9), crcs[n].check);
    for (unsigned i = 0; i < 100; i++) {
      uint32_t words[5];
      uint8_t bytes[20];
      for (unsigned k = 0; k < 5; k++) sluice_put32(bytes + 4 * k, words[k] = test_random(&seed));
      assert_int_equal(model_capsule_hash(n, words), crc_of(&crcs[n], bytes, 20));
    }
  }
}

// The stage says the polynomial, or LABEL.
TEST(polynomials) {
  struct sluice_model *m CLOSED_BY(close_model) = open_active("active");
  static const uint8_t tuple[20] = {10,         1,          2, 3, 10,         4,         5,
                                    6,          0,          0, 0, 6,          0,         0,
                                    1000 / 256, 1000 % 256, 0, 0, 2000 / 256, 2000 % 256};
  for (unsigned at = 1; at < 18; at++) {
    struct capsule c = {.fid = FID};
    for (unsigned i = 0; i < at; i++) c.instr[i] = OP(NOP);
    c.instr[0] = OP(LOAD_TCP_5TUPLE);
    c.instr[at] = OP(HASH);
    c.instr[at + 1] = OP(COPY_MBR_MAR);
    c.instr[at + 2] = OP(MBR_STORE);
    struct gone g = run_capsule(m, &c);
    assert_int_equal(data_of(&g, 3), crc_of(&crcs[at % 10], tuple, 20));
    c.instr[at] = with_label(OP(HASH), at + 32);
    g = run_capsule(m, &c);
    assert_int_equal(data_of(&g, 3), crc_of(&crcs[at % 16 < 10 ? at % 16 : 9], tuple, 20));
  }
  struct capsule c = {.flags = PRELOAD,
                      .fid = FID,
                      .data = {0, 0x01020304, 0x05060708, 0},
                      .instr = {OP(COPY_HASHDATA_MBR), OP(COPY_HASHDATA_MBR2),
                                with_label(OP(HASH), 7), OP(COPY_MBR_MAR), OP(MBR_STORE)}};
  const struct gone g = run_capsule(m, &c);
  static const uint8_t key[20] = {1, 2, 3, 4, 5, 6, 7, 8};
  assert_int_equal(data_of(&g, 3), crc_of(&crcs[7], key, 20));
}

// ---- addresses ----------------------------------------------------------------------------------

TEST(addresses) {
  struct sluice_model *m CLOSED_BY(close_model) = open_active("capsules");
  struct entry e = ENTRY_OF(ADDRESS, (VALID, 1), (K, 3), (MASK, 0xff), (OFFSET, 0x1000));
  assert_true(put_id(m, SLUICE_TABLE_ADDRESS, 0, ROW, FID, &e));
  const uint32_t data[4] = {A, B, C, D};
  struct gone g = run_one(m, OP(ADDR_MASK_3), PRELOAD, data);
  assert_int_equal(data_of(&g, 1), 0x78);
  g = run_one(m, OP(ADDR_OFFSET_3), PRELOAD, data);
  assert_int_equal(data_of(&g, 1), 0x12346678);
  g = run_one(m, OP(ADDR_MASK_2), PRELOAD, data);
  assert_int_equal(data_of(&g, 1), A);
  g = run_one(m, OP(ADDR_OFFSET_4), PRELOAD, data);
  assert_int_equal(data_of(&g, 1), A);
  // Not for an id of another module; not when it is not valid.
  tenant(m, FID, ROW + 1, false, false);
  g = run_one(m, OP(ADDR_MASK_3), PRELOAD, data);
  assert_int_equal(data_of(&g, 1), A);
  tenant(m, FID, ROW, false, false);
  SET(&e, ADDRESS, VALID, 0);
  assert_true(put_id(m, SLUICE_TABLE_ADDRESS, 0, ROW, FID, &e));
  g = run_one(m, OP(ADDR_MASK_3), PRELOAD, data);
  assert_int_equal(data_of(&g, 1), A);
}

// ---- memory -------------------------------------------------------------------------------------

// The example of the page.
TEST(example) {
  struct sluice_model *m CLOSED_BY(close_model) = open_active("active");
  region(m, 0, FID, (struct region){.pipe = 1, .high = 99, .base = 200});
  *word_at(m, 0, 1, 240) = 4711;
  struct capsule c = {.flags = PRELOAD,
                      .fid = FID,
                      .data = {40},
                      .instr = {OP(MEM_READ), OP(MBR_STORE), OP(RETURN)}};
  const struct gone g = run_capsule(m, &c);
  assert_int_equal(data_of(&g, 3), 4711);
  assert_int_equal(g.len, CAPSULE_LEN - 8);
  assert_int_equal(flags_of(&g), DONE | PRELOAD);
  assert_memory_equal(g.bytes + LIST_AT, g.in + LIST_AT + 8, CAPSULE_LEN - LIST_AT - 8);
  const struct sluice_model_access *a = &g.result.access[0];
  assert_true(a->resolved && a->pinned && a->executed && !a->refused && a->capsule);
  FIELDS_ARE(a, (pipe, 1), (slot, 240), (index, 40));
}

TEST(memory_instructions) {
  static const struct {
    unsigned op;
    uint32_t word, mbr, mbr2, word_after, mbr_after, mbr2_after;
  } cases[] = {{OP(MEM_WRITE), 5, 7, 9, 7, 7, 9},
               {OP(MEM_READ), 5, 7, 9, 5, 5, 9},
               {OP(MEM_INCREMENT), 5, 7, 9, 6, 6, 9},
               {OP(MEM_INCREMENT), 0xffffffff, 7, 9, 0, 0, 9},
               {OP(MEM_MINREAD), 5, 7, 9, 5, 5, 5},
               {OP(MEM_MINREAD), 0x80000000, 7, 9, 0x80000000, 0x80000000, 9},
               {OP(MEM_MINREADINC), 5, 7, 9, 6, 6, 6},
               {OP(MEM_MINREADINC), 20, 7, 9, 21, 21, 9},
               {OP(MEM_WRITE_CONDZERO), 5, 0, 9, 5, 0, 9},
               {OP(MEM_WRITE_CONDZERO), 0, 0, 9, 0, 0, 9},
               {OP(MEM_WRITE_CONDZERO), 0, 7, 9, 9, 0, 9},
               {OP(MEM_WRITE_CONDZERO), 5, 7, 9, 5, 4, 9},
               {OP(MEM_WRITE_CONDZERO), 9, 7, 9, 9, 0, 9}};
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct sluice_model *m CLOSED_BY(close_model) = open_active("capsules");
    region(m, 0, FID, (struct region){.sharded = i % 2, .low = 10, .high = 20, .base = 3});
    // Word 5: pinned slot 8 of pipeline 0, or slot 3 + 5 / 2 of pipeline 1.
    struct model_pair *pair = i % 2 ? model_slot(m, 0, 1, 5) : model_slot(m, 0, 0, 8);
    *pair = (struct model_pair){cases[i].word, 1234};
    const struct gone g =
        run_one(m, cases[i].op, PRELOAD, (const uint32_t[]){15, cases[i].mbr, cases[i].mbr2, 0});
    FIELDS_ARE(pair, (s1, cases[i].word_after), (s2, 1234));
    assert_int_equal(data_of(&g, 3), cases[i].mbr_after);
    assert_int_equal(data_of(&g, 2), cases[i].mbr2_after);
    assert_int_equal(data_of(&g, 1), 15);
    assert_int_equal(flags_of(&g), PRELOAD | DONE);
  }
}

// Addresses of 20 bits; the borders of a region.
TEST(regions) {
  struct sluice_model *m CLOSED_BY(close_model) = open_active("capsules");
  const unsigned slots = sluice_config_slots(&m->config);
  static const struct {
    uint32_t low, high, base, mar;
    bool there;
  } cases[] = {
      {10, 20, 0, 10, true},       {10, 20, 0, 20, true},       {10, 20, 0, 9, false},
      {10, 20, 0, 21, false},      {10, 20, 0, 0x10000f, true}, {0, 0xfffff, 0, 127, true},
      {0, 0xfffff, 0, 128, false}, {20, 10, 0, 15, false},      {0, 5, 126, 1, true},
      {0, 5, 126, 2, false},       {5, 5, 65535, 5, false},     {10, 20, 0, 0xfff0000b, true}};
  assert_int_equal(slots, 128);
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    region(m, 0, FID,
           (struct region){.low = cases[i].low, .high = cases[i].high, .base = cases[i].base});
    const struct gone g =
        run_one(m, OP(MEM_INCREMENT), PRELOAD, (const uint32_t[]){cases[i].mar, 0, 0, 0});
    const struct sluice_model_access *a = &g.result.access[0];
    const bool there = cases[i].there;
    assert_true(a->resolved && a->executed);
    assert_int_equal(!a->refused, there);
    assert_int_equal((flags_of(&g) & FAULT) != 0, !there);
    if (!there) assert_int_equal(data_of(&g, 3), 0);
  }
}

// What the order point knows of an address.
TEST(known_addresses) {
  struct sluice_model *m CLOSED_BY(close_model) = open_active("capsules");
  for (unsigned s = 0; s < 8; s++)
    region(m, s, FID, (struct region){.sharded = true, .high = 99, .base = 0});
  static const struct {
    unsigned flags;
    uint16_t instr[8];
    unsigned at;
    uint32_t address;
    bool resolved, bounds;
  } cases[] = {
      {PRELOAD, {OP(MEM_READ)}, 0, 7, true, false},
      {PRELOAD, {OP(MEM_READ)}, 0, 100, false, true},
      {0, {OP(MEM_READ)}, 0, 7, false, false},
      {0, {OP(MAR_LOAD), OP(MEM_READ)}, 1, 7, true, false},
      {0, {OP(MAR_LOAD), OP(MEM_READ)}, 1, 0xfff00007, true, false},
      {0, {OP(UJUMP), OP(MAR_LOAD), OP(MEM_READ)}, 2, 7, false, false},
      {PRELOAD, {OP(UJUMP), OP(MAR_LOAD), OP(MEM_READ)}, 2, 7, true, false},
      {PRELOAD, {OP(MAR_ADD_MBR), OP(MEM_READ)}, 1, 7, false, false},
      {PRELOAD, {OP(RETURN), OP(MAR_ADD_MBR2), OP(MEM_READ)}, 2, 7, false, false},
      {PRELOAD, {OP(MAR_MBR_ADD_MBR2), OP(MAR_LOAD), OP(MEM_READ)}, 2, 7, true, false},
      {PRELOAD, {OP(BIT_AND_MAR_MBR), OP(MEM_READ)}, 1, 7, false, false},
      {PRELOAD, {OP(COPY_MAR_MBR), OP(MEM_READ)}, 1, 7, false, false},
      {PRELOAD, {OP(HASH), OP(MEM_READ)}, 1, 7, false, false},
      {PRELOAD, {OP(ADDR_MASK_0), OP(MEM_READ)}, 1, 7, false, false},
      {PRELOAD, {OP(ADDR_OFFSET_19), OP(MEM_READ)}, 1, 7, false, false},
      {PRELOAD, {OP(ADDR_MASK), OP(MEM_READ)}, 1, 7, true, false},
      {PRELOAD, {OP(COPY_MBR_MAR), OP(MEM_READ)}, 1, 7, true, false},
      {PRELOAD, {OP(RETURN), OP(MEM_READ)}, 1, 100, false, true},
      {PRELOAD, {OP(MEM_READ), OP(MEM_WRITE)}, 1, 7, true, false},
      // Behind EOF there is nothing.
      {PRELOAD, {OP(EOF), OP(MEM_READ)}, 1, 7, false, false},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct capsule c = {.flags = cases[i].flags, .fid = FID, .data = {cases[i].address}, .num = 8};
    memcpy(c.instr, cases[i].instr, sizeof cases[i].instr);
    const struct gone g = run_capsule(m, &c);
    const struct sluice_model_access *a = &g.result.access[cases[i].at];
    if (a->resolved != cases[i].resolved || a->out_of_bounds != cases[i].bounds)
      fail_msg("case %u", i);
    if (!a->resolved) continue;
    FIELDS_ARE(a, (pipe, 1), (slot, 3), (index, 7));
  }
}

// Resolved, but not executed: an access without an operation.
TEST(resolved_and_not_executed) {
  struct sluice_model *m CLOSED_BY(close_model) = open_active("capsules");
  region(m, 1, FID, (struct region){.pipe = 1, .high = 9});
  for (unsigned i = 0; i < 2; i++) {
    struct capsule c = {.flags = PRELOAD,
                        .fid = FID,
                        .data = {3},
                        .instr = {i ? OP(RETURN) : OP(UJUMP), OP(MEM_INCREMENT)}};
    const struct gone g = run_capsule(m, &c);
    assert_true(g.result.access[1].resolved && !g.result.access[1].executed);
    assert_int_equal(*word_at(m, 1, 1, 3), 0);
    assert_int_equal(flags_of(&g), PRELOAD | DONE);
  }
}

// ---- faults -------------------------------------------------------------------------------------

TEST(faults) {
  struct sluice_model *m CLOSED_BY(close_model) = open_active("capsules");
  struct capsule c = {
      .flags = PRELOAD, .fid = FID, .data = {3, 77, 0, 0}, .instr = {OP(MEM_READ), OP(MBR_STORE)}};
  // No region at all.
  struct gone g = run_capsule(m, &c);
  assert_int_equal(data_of(&g, 3), 77);
  assert_int_equal(flags_of(&g), PRELOAD | DONE | FAULT);
  assert_true(g.result.access[0].executed && g.result.access[0].refused &&
              !g.result.access[0].resolved);
  assert_false(g.result.access[0].out_of_bounds);
  // A region that is not valid is never in bounds: if it is sharded the order point counts it.
  region(m, 0, FID, (struct region){.invalid = true, .sharded = true, .high = 99});
  g = run_capsule(m, &c);
  assert_true(g.result.access[0].out_of_bounds && g.result.access[0].refused);
  // Nothing said, nothing reported.
  tenant(m, FID, ROW, false, false);
  g = run_capsule(m, &c);
  assert_int_equal(flags_of(&g), PRELOAD | DONE);
  tenant(m, FID, ROW, true, true);
  g = run_capsule(m, &c);
  assert_int_equal(g.result.reason, SLUICE_DROP_DISCARD_BACK);
  // Another id, one that is too large, one of another module: no DROP, no REPORT.
  for (unsigned i = 0; i < 3; i++) {
    c.fid = (const unsigned[]){FID + 1, FID + 16, FID}[i];
    if (i == 2) tenant(m, FID, ROW + 1, true, true);
    g = run_capsule(m, &c);
    assert_int_equal(g.result.reason, SLUICE_DROP_NONE);
    assert_int_equal(flags_of(&g), PRELOAD | DONE);
    assert_true(g.result.access[0].executed && g.result.access[0].refused);
    assert_true(g.result.access[0].capsule && !g.result.access[0].resolved);
  }
}

static unsigned shown, shown_faults;  // bit s: at back stage s
static void step(void *user, const struct sluice_model_step *s) {
  (void)user;
  if (s->kind != SLUICE_STEP_BACK || !s->instruction) return;
  shown |= 1u << s->stage;
  shown_faults |= (unsigned)s->instruction->fault << s->stage;
}

// Stage 0 has no region, stage 1 has the word, at stage 2 it is outside; the memory instruction of
// stage 4 is jumped over.
TEST(a_step_shows_a_fault) {
  struct sluice_model *m CLOSED_BY(close_model) = open_active("capsules");
  const struct capsule c = {.flags = PRELOAD,
                            .fid = FID,
                            .data = {3},
                            .instr = {OP(MEM_READ), OP(MEM_READ), OP(MEM_INCREMENT), OP(UJUMP),
                                      OP(MEM_READ), at_target(OP(MBR_NOT)), OP(RETURN)}};
  region(m, 1, FID, (struct region){.high = 9});
  region(m, 2, FID, (struct region){.high = 2});
  shown = shown_faults = 0;
  sluice_model_watch(m, step, NULL);
  run_capsule(m, &c);
  assert_int_equal(shown, 0x7f);
  assert_int_equal(shown_faults, 1u << 0 | 1u << 2);
}

// ---- beside the program of the module -----------------------------------------------------------

// A module that counts in its own array at stage 0, and puts the old word into 4B[0], which it
// writes to byte 100.
static void make_counter(struct sluice_model *m, uint32_t slot0) {
  struct entry action = {{0}}, deparser = {{0}}, parser = {{0}};
  entry_slot(&action, 16, instr(SLUICE_OP_LOADD, 0, 0));
  entry_slot(&action, 9, instr_imm(SLUICE_OP_EXT, 0, SLUICE_EXT_NEW_1));
  entry_slot(&action, 0, slot0);
  match_all(m, 0, ROW, 0, &action);
  segment(m, 0, ROW, 0, 4);
  access(m, 0, ROW, 0, 0, operand(K, 1));
  entry_action(&parser, 0, parse_action(0, 100, B4, 0));
  entry_action(&deparser, 0, parse_action(0, 100, B4, 0));
  put(m, SLUICE_TABLE_PARSER, 0, ROW, &parser);
  put(m, SLUICE_TABLE_DEPARSER, 0, ROW, &deparser);
}

TEST(beside_the_module) {
  struct sluice_model *m CLOSED_BY(close_model) = open_active("capsules");
  make_counter(m, 0);
  // Index 1: slot 0 of pipeline 1.
  *word_at(m, 0, 1, 0) = 10;
  struct capsule c = {.flags = PRELOAD, .fid = FID, .data = {2}, .instr = {OP(NOP)}};
  struct gone g = run_capsule(m, &c);
  assert_int_equal(*word_at(m, 0, 1, 0), 11);
  assert_int_equal(sluice_get32(g.bytes + 100 - 4), 11);
  // A memory instruction takes its place: EXT gives 0, and nothing is counted.
  region(m, 0, FID, (struct region){.high = 9, .base = 50});
  *word_at(m, 0, 0, 52) = 5;
  c.instr[0] = OP(MEM_INCREMENT);
  g = run_capsule(m, &c);
  assert_int_equal(*word_at(m, 0, 1, 0), 11);
  assert_int_equal(*word_at(m, 0, 0, 52), 6);
  assert_int_equal(sluice_get32(g.bytes + 100 - 4), 0);
  assert_int_equal(g.result.access[0].pipe, 0);
  // Also when it is not executed.
  c.instr[0] = OP(UJUMP);
  c.instr[1] = OP(MEM_INCREMENT);
  g = run_capsule(m, &c);
  assert_int_equal(*word_at(m, 0, 1, 0), 12);
  // Also that of an id that is not the module's: a fault.
  c.instr[0] = OP(MEM_INCREMENT);
  c.instr[1] = OP(EOF);
  c.fid = FID + 1;
  g = run_capsule(m, &c);
  assert_int_equal(*word_at(m, 0, 1, 0), 12);
  assert_int_equal(sluice_get32(g.bytes + 100 - 4), 0);
  assert_true(g.result.access[0].executed && g.result.access[0].refused);
  assert_false(g.result.access[0].resolved);
}

TEST(wins_over_the_action) {
  struct sluice_model *m CLOSED_BY(close_model) = open_active("capsules");
  // The action says port 0 and not discarded, at stages 0 and 2.
  struct entry action = {{0}};
  entry_slot(&action, 0,
             (uint32_t)SLUICE_OP_SETHI << 21 | operand(K, 0) << 16 | operand(K, 0) << 11);
  match_all(m, 0, ROW, 0, &action);
  struct capsule c = {
      .flags = PRELOAD, .fid = FID, .data = {0, 3}, .instr = {OP(SET_DST), OP(NOP)}};
  assert_int_equal(run_capsule(m, &c).result.ports, 8);
  c.instr[0] = OP(DROP);
  assert_int_equal(run_capsule(m, &c).result.reason, SLUICE_DROP_DISCARD_BACK);
  c.instr[0] = OP(NOP);
  assert_int_equal(run_capsule(m, &c).result.ports, 1);
  // A later stage of the module has the last word.
  match_all(m, 2, ROW, 0, &action);
  c.instr[0] = OP(SET_DST);
  assert_int_equal(run_capsule(m, &c).result.ports, 1);
  c.instr[0] = OP(DROP);
  assert_int_equal(run_capsule(m, &c).result.ports, 1);
  // A fault that drops wins, too.
  tenant(m, FID, ROW, true, false);
  c.instr[0] = OP(NOP);
  c.instr[2] = OP(MEM_READ);
  assert_int_equal(run_capsule(m, &c).result.reason, SLUICE_DROP_DISCARD_BACK);
}

// ---- which, and how they leave ------------------------------------------------------------------

static bool executed(struct sluice_model *m, unsigned byte, unsigned flip) {
  struct capsule c = {.fid = FID, .data = {0, 0, 0, 1}, .instr = {OP(MBR_STORE)}};
  uint8_t frame[512], bytes[512];
  struct sluice_model_phv phv;
  struct sluice_model_result result;
  const unsigned len = capsule_frame(&c, frame);
  frame[byte] ^= (uint8_t)flip;
  const struct sluice_model_packet packet = {.bytes = frame, .len = len};
  assert_int_equal(sluice_model_front(m, &packet, &phv), SLUICE_DROP_NONE);
  sluice_model_admit(m, &packet, &phv, &result);
  assert_int_equal(sluice_model_leave(&packet, &result, bytes), result.len);
  if (result.len == len) assert_memory_equal(bytes, frame, len);
  return result.len != len;
}

TEST(which_packets) {
  struct sluice_model *m CLOSED_BY(close_model) = open_active("capsules");
  assert_true(executed(m, 0, 0));
  assert_false(executed(m, 16, 1));
  assert_false(executed(m, 17, 0x80));
  for (unsigned i = 18; i < 22; i++) assert_false(executed(m, i, 1));
  assert_false(executed(m, 22, 0x01));  // DONE
  assert_false(executed(m, 23, 0x10));  // REQUEST 1, 2, 3
  assert_false(executed(m, 23, 0x20));
  assert_true(executed(m, 23, 0x30));
  assert_true(executed(m, 22, 0xfe));  // ARGS and its like
  assert_true(executed(m, 23, 0xce));
  struct entry e = ENTRY_OF(MODULE, (VALID, 1), (VID, ROW), (DEST, 2));
  put(m, SLUICE_TABLE_MODULE, 0, ROW, &e);
  assert_false(executed(m, 0, 0));
}

// Lists of all lengths, in packets of some lengths, on eight stages.
TEST(lists) {
  struct sluice_model *m CLOSED_BY(close_model) = open_active("capsules");
  static const unsigned lens[] = {64, 70, 126, 128, 129, 200};
  for (unsigned k = 0; k < sizeof lens / sizeof lens[0]; k++)
    for (unsigned num = 1; num <= 50; num++) {
      struct capsule c = {.fid = FID, .len = lens[k], .num = num, .no_ip = true};
      for (unsigned i = 0; i + 1 < num; i++) c.instr[i] = OP(NOP);
      const struct gone g = run_capsule(m, &c);
      // The list as far as the packet goes, then EOF; of 42 at most.
      const unsigned inside = (lens[k] - LIST_AT) / 2;
      const bool ends = (num <= inside ? num : inside + 1) <= 42;
      const unsigned length = !ends ? 42 : num <= inside ? num : inside + 1;
      const bool done = ends && length - 1 <= 8;
      const unsigned out = done ? 2 * length : 16, room = lens[k] - LIST_AT;
      const unsigned taken = out < room ? out : room,
                     len = lens[k] - taken < 64 ? 64 : lens[k] - taken;
      assert_int_equal((flags_of(&g) & DONE) != 0, done);
      assert_int_equal(g.len, len);
      assert_memory_equal(g.bytes + LIST_AT, g.in + LIST_AT + taken, lens[k] - LIST_AT - taken);
      for (unsigned i = lens[k] - taken; i < len; i++) assert_int_equal(g.bytes[i], 0);
    }
  // Complete: the whole list goes, even if it is longer than the chip has stages.
  struct capsule c = {.fid = FID, .num = 20, .instr = {OP(RETURN)}};
  for (unsigned i = 1; i < 19; i++) c.instr[i] = OP(NOP);
  struct gone g = run_capsule(m, &c);
  assert_int_equal(g.len, CAPSULE_LEN - 40);
  assert_true(flags_of(&g) & DONE);
  // The same without an EOF.
  for (unsigned i = 1; i < 60; i++) c.instr[i] = OP(NOP);
  c.num = 60, c.len = 300, c.no_ip = true;
  g = run_capsule(m, &c);
  assert_int_equal(g.len, 300 - 84);
  assert_memory_equal(g.bytes + LIST_AT, g.in + 128, 300 - 128);
}

// The tuple is read, and written, as far as the first 128 bytes and the packet go.
TEST(tuple_at_the_border) {
  struct sluice_model *m CLOSED_BY(close_model) = open_active("capsules");
  for (unsigned num = 2; num <= 42; num++)
    for (unsigned len = 64; len <= 140; len += 19) {
      const unsigned b = LIST_AT + 2 * num;
      struct capsule c = {.fid = FID, .num = num, .len = len, .instr = {OP(RTS)}};
      for (unsigned i = 1; i + 1 < num; i++) c.instr[i] = OP(NOP);
      c.instr[1] = num > 2 ? OP(RETURN) : OP(EOF);
      uint8_t expected[512];
      struct gone g = run_capsule(m, &c);
      if (b > len) continue;  // the list ends sooner
      memcpy(expected, g.in, len);
      memcpy(expected, g.in + 6, 6);
      memcpy(expected + 6, g.in, 6);
      expected[22] |= 1;
      const unsigned end = len < 128 ? len : 128;
      for (unsigned i = 0; i < 8; i++) {
        const unsigned from = b + 12 + (i + 4) % 8, to = b + 12 + i;
        if (b + 20 <= 128 && to < end) expected[to] = from < end ? g.in[from] : 0;
      }
      assert_memory_equal(g.bytes, expected, LIST_AT);
      assert_memory_equal(g.bytes + LIST_AT, expected + b, len - b);
    }
}

// The deparser writes first; what the capsule writes wins.
TEST(behind_the_deparser) {
  struct sluice_model *m CLOSED_BY(close_model) = open_active("capsules");
  struct entry deparser = {{0}};
  entry_action(&deparser, 0, parse_action(0, 40, B4, 0));  // DATA_3
  entry_action(&deparser, 1, parse_action(0, 0, B6, 0));   // destination
  entry_action(&deparser, 2, parse_action(0, 48, B2, 0));  // taken out
  entry_action(&deparser, 3, parse_action(0, 90, B2, 0));  // moves up
  put(m, SLUICE_TABLE_DEPARSER, 0, ROW, &deparser);
  struct capsule c = {.fid = FID, .data = {1, 2, 3, 4}, .instr = {OP(NOP), OP(RTS), OP(NOP)}};
  const struct gone g = run_capsule(m, &c);
  assert_int_equal(data_of(&g, 3), 4);
  assert_memory_equal(g.bytes, g.in + 6, 6);
  assert_memory_equal(g.bytes + 6, "\0\0\0\0\0\0", 6);
  assert_memory_equal(g.bytes + 90 - 8, "\0\0", 2);
}

// ---- configuration ------------------------------------------------------------------------------

TEST(tables) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("capsules");
  struct entry e = ENTRY_OF(TENANT, (VALID, 1), (ROW, ROW));
  // 16 ids, two banks, 32 rows. ROW is of the bank of the index.
  assert_true(put_id(m, SLUICE_TABLE_TENANT, 0, ROW, 15, &e));
  assert_true(put_id(m, SLUICE_TABLE_TENANT, 0, 32 + ROW, 16, &e));
  assert_true(put_id(m, SLUICE_TABLE_REGION, 7, 63, 31, &e));
  assert_false(put_id(m, SLUICE_TABLE_TENANT, 0, ROW, 16, &e));
  assert_false(put_id(m, SLUICE_TABLE_TENANT, 0, 32, 15, &e));
  assert_false(put_id(m, SLUICE_TABLE_TENANT, 0, 64, 16, &e));
  assert_false(put_id(m, SLUICE_TABLE_ADDRESS, 0, ROW, 32, &e));
  assert_false(put_id(m, SLUICE_TABLE_REGION, 8, ROW, 0, &e));
  assert_true(*model_entry(m, SLUICE_TABLE_TENANT, 0, 15) ==
              *model_entry(m, SLUICE_TABLE_TENANT, 0, 16));
  // Of a write over both banks each entry is for itself.
  struct entry two[2] = {{{1}}, {{2}}};
  assert_false(control(m, (struct control){.table = SLUICE_TABLE_ADDRESS, .index = 15, .row = ROW},
                       two, 2, NULL));
  assert_int_equal(*model_entry(m, SLUICE_TABLE_ADDRESS, 0, 15) >> 56, 1);
  assert_int_equal(*model_entry(m, SLUICE_TABLE_ADDRESS, 0, 16), 0);
  // A read does not ask for ROW.
  struct sluice_model_answer answer;
  assert_true(
      control(m,
              (struct control){
                  .table = SLUICE_TABLE_TENANT, .op = SLUICE_CHAIN_READ, .index = 16, .row = 200},
              NULL, 0, &answer));
  assert_int_equal(answer.bytes[64], 0x80);
  // Packets of the bank that is not taken are inside: what belongs to their module is refused.
  sluice_model_set_bank(m, 1u << ROW);
  sluice_model_set_inside(m, 0, 1u << ROW);
  assert_false(put_id(m, SLUICE_TABLE_TENANT, 0, ROW, 3, &e));
  assert_true(put_id(m, SLUICE_TABLE_TENANT, 0, ROW + 1, 3, &e));
  assert_true(put_id(m, SLUICE_TABLE_TENANT, 0, 32 + ROW, 19, &e));
  sluice_model_close(m);
  m = open_model("banks");
  assert_false(put_id(m, SLUICE_TABLE_TENANT, 0, ROW, 0, &e));
}

// Tenants, regions and the bit ACTIVE are those of the packet's bank.
TEST(banks) {
  struct sluice_model *m CLOSED_BY(close_model) = open_active("capsules");
  struct entry e = ENTRY_OF(REGION, (VALID, 1), (HIGH, 9), (BASE, 30));
  region(m, 0, FID, (struct region){.high = 9, .base = 20});
  assert_true(put_id(m, SLUICE_TABLE_REGION, 0, 32 + ROW, 16 + FID, &e));
  struct capsule c = {.flags = PRELOAD, .fid = FID, .data = {4}, .instr = {OP(MEM_INCREMENT)}};
  run_capsule(m, &c);
  assert_int_equal(*word_at(m, 0, 0, 24), 1);
  assert_true(sluice_model_set_bank(m, 1u << ROW));
  assert_int_equal(run_capsule(m, &c).len, CAPSULE_LEN);
  make_active(m, 32 + ROW, ROW);
  struct gone g = run_capsule(m, &c);
  assert_true(g.result.access[0].refused);
  struct entry t = ENTRY_OF(TENANT, (VALID, 1), (ROW, ROW));
  assert_true(put_id(m, SLUICE_TABLE_TENANT, 0, 32 + ROW, 16 + FID, &t));
  run_capsule(m, &c);
  assert_int_equal(*word_at(m, 0, 0, 24), 1);
  assert_int_equal(*word_at(m, 0, 0, 34), 1);
}

// Sets of pipelines: k of a sharded region.
TEST(sets) {
  struct sluice_model *m CLOSED_BY(close_model) = open_active("active");
  region(m, 3, FID, (struct region){.sharded = true, .pipe = 3, .low = 8, .high = 99, .base = 10});
  for (unsigned log = 0; log < 3; log++) {
    sluice_model_set_sets(m, log);
    struct capsule c = {.flags = PRELOAD,
                        .fid = FID,
                        .data = {8 + 7},
                        .instr = {OP(NOP), OP(NOP), OP(NOP), OP(MEM_INCREMENT)}};
    const struct gone g = run_capsule(m, &c);
    const unsigned k = 4u >> log, first = 3 - 3 % k;
    FIELDS_ARE(&g.result.access[3], (pipe, first + 7 % k), (slot, 10 + 7 / k));
  }
}

TEST(counts) {
  struct sluice_model *m CLOSED_BY(close_model) = open_active("capsules");
  struct capsule c = {.fid = FID, .instr = {OP(LOAD_PKTCOUNT), OP(MBR_STORE), OP(RETURN)}};
  for (unsigned n = 1; n <= 3; n++) {
    const struct gone g = run_capsule(m, &c);
    assert_int_equal(data_of(&g, 3), n);
  }
  // Each lane for itself; and what the order point has dropped counts.
  c.lane = 1;
  struct gone g = run_capsule(m, &c);
  assert_int_equal(data_of(&g, 3), 1);
  struct sluice_model_phv phv;
  const struct sluice_model_packet dropped = {
      .bytes = g.in, .len = capsule_frame(&c, g.in), .lane = 1};
  sluice_model_front(m, &dropped, &phv);
  sluice_model_pass_over(m, &dropped, &phv);
  g = run_capsule(m, &c);
  assert_int_equal(data_of(&g, 3), 3);
  // Not the module's: nobody counts.
  c.fid = FID + 1;
  for (unsigned n = 0; n < 2; n++) {
    g = run_capsule(m, &c);
    assert_int_equal(data_of(&g, 3), 0);
  }
  // Capsules with a fault: one count each.
  assert_int_equal(sluice_model_faults(m, FID), 0);
  const struct capsule bad = {.fid = FID, .instr = {OP(MEM_READ), OP(MEM_READ), OP(RETURN)}};
  for (unsigned n = 1; n <= 2; n++) {
    run_capsule(m, &bad);
    assert_int_equal(sluice_model_faults(m, FID), n);
  }
  assert_true(!sluice_model_faults(m, FID + 1) && !sluice_model_faults(m, 1u << 20));
}

// One further pass for FID; then FORK, with seven instructions and a list that needs two passes.
TEST(forks) {
  enum { PORT = 1, OTHER = 2, AGAIN = 4 };  // numbers of ports; the last one is that of passes
  struct sluice_model *m CLOSED_BY(close_model) = open_active("capsules");
  struct entry e = ENTRY_OF(TENANT, (VALID, 1), (REPORT, 1), (ROUNDS, 1), (ROW, ROW));
  assert_true(put_id(m, SLUICE_TABLE_TENANT, 0, ROW, FID, &e));
  struct capsule c = {.fid = FID,
                      .port = OTHER,
                      .instr = {OP(FORK), OP(MEM_READ), OP(RTS), OP(NOP), OP(NOP), OP(NOP), OP(NOP),
                                OP(NOP), OP(NOP), OP(RETURN)}};
  struct gone g = run_capsule(m, &c);
  assert_int_equal(g.result.ports, 1u << OTHER | 1u << AGAIN);
  assert_true(!g.result.some_forbidden && g.result.reason == SLUICE_DROP_NONE);
  assert_int_equal(g.result.taken_out, 16);
  // The original leaves as it is: addresses changed, the fault told. The copy has them so.
  assert_memory_equal(g.bytes, g.in + 6, 6);
  assert_int_equal(flags_of(&g), FAULT);
  assert_true(g.result.again.continued && !g.result.again.returned && g.result.again.fault);
  // Its module may not send there.
  struct entry ports = ENTRY_OF(MODULE_PORTS, (PORTS, 1u << PORT | 1u << AGAIN));
  put(m, SLUICE_TABLE_MODULE_PORTS, 0, ROW, &ports);
  g = run_capsule(m, &c);
  assert_int_equal(g.result.ports, 1u << AGAIN);
  assert_true(g.result.some_forbidden && g.result.reason == SLUICE_DROP_NONE);
  // It ends in this pass: no copy.
  c.instr[3] = OP(RETURN);
  c.instr[2] = OP(NOP);
  g = run_capsule(m, &c);
  assert_int_equal(g.result.ports, 1u << PORT);
}

// Capsules with guarded flips: s2 with capsules in place of its egress stages.
static struct sluice_model *open_guarded(void) {
  static struct sluice_config config;
  config = *sluice_config_find("s2");
  config.Active = 1, config.ActiveIds = 16, config.EgressStages = 0;
  config.TernaryStages = config.CuckooStages = 63;
  struct sluice_model *m = with_modules(sluice_model_open(&config));
  make_active(m, ROW, ROW);
  tenant(m, FID, ROW, false, true);
  return m;
}

// Guarded flips: stage 0 watches slot 10. With two pipelines word 20 of a sharded region at base 0
// is in slot 10, and word 22 in slot 11.
TEST(a_capsule_touches_what_is_watched) {
  static const struct {
    uint32_t address;
    unsigned first;
    bool sharded, touched;
  } cases[] = {
      {.address = 20, .sharded = true, .touched = true},
      {.address = 22, .sharded = true},
      {.address = 20, .sharded = true, .first = 11},  // what is watched begins behind it
      {.address = 200, .sharded = true},              // out of bounds: no access
      {.address = 90, .touched = true},  // pinned: the slot is known at the stage alone
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct sluice_model *m CLOSED_BY(close_model) = open_guarded();
    const uint32_t first = cases[i].first ? cases[i].first : 10;
    region(m, 0, FID, (struct region){.sharded = cases[i].sharded, .high = 99});
    sluice_model_flip_watch(m, 0, first << 16 | first);
    m->cut_asked = UINT32_C(1) << ROW;
    model_flip_cut(m);
    const struct capsule c = {.flags = PRELOAD,
                              .fid = FID,
                              .data = {cases[i].address},
                              .instr = {OP(MEM_READ), OP(RETURN)}};
    run_capsule(m, &c);
    assert_int_equal(sluice_model_flip_status(m) >> 1, cases[i].touched);
  }
}

// It has come with bank 0, and has bank 1 from the order point on: what was resolved is what REGION
// of bank 0 said, and the stage goes by that of bank 1. If this is of the other kind that is a
// fault.
TEST(a_capsule_whose_bank_turns) {
  for (unsigned other = 0; other < 2; other++) {
    struct sluice_model *m CLOSED_BY(close_model) = open_guarded();
    const unsigned ids = sluice_model_config(m)->ActiveIds;
    const unsigned rows = sluice_model_config(m)->NumModules;
    struct entry e = {{0}};
    make_active(m, rows + ROW, ROW);
    region(m, 0, FID, (struct region){.sharded = true, .high = 99});
    SETS(&e, REGION, (VALID, 1), (SHARDED, !other), (HIGH, 99));
    assert_true(put_id(m, SLUICE_TABLE_REGION, 0, rows + ROW, ids + FID, &e));
    struct capsule c = {
        .flags = PRELOAD, .fid = FID, .data = {20, 77}, .instr = {OP(MEM_WRITE), OP(RETURN)}};
    uint8_t frame[512];
    struct sluice_model_phv phv;
    struct sluice_model_result result;
    const struct sluice_model_packet packet = {.bytes = frame, .len = capsule_frame(&c, frame)};
    assert_int_equal(sluice_model_front(m, &packet, &phv), SLUICE_DROP_NONE);
    phv.bank = 1;
    sluice_model_admit(m, &packet, &phv, &result);
    assert_true(result.access[0].resolved && !result.access[0].pinned);
    assert_int_equal(result.access[0].refused, other);
    assert_int_equal(model_slot(m, 0, 0, 10)->s1, other ? 0 : 77);
  }
}
