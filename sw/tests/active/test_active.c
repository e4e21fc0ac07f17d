// SPDX-License-Identifier: Apache-2.0
// The interpreter of capsules: hashes, every opcode, skips, protection, passes.

#include "tests/rig/test.h"
#include "active/assemble.h"
#include "active/interpreter.h"
#include "active/random_capsule.h"
#include "base/rng.h"

enum { WORDS = 256, FIDS = 4, FID = 1 };

struct bench {
  struct active_machine m;
  struct active_capsule c;
  struct active_packet p;
  struct active_result r;
};

static void open(struct bench *b, struct active_shape shape) {
  memset(b, 0, sizeof *b);
  assert_int_equal(active_machine_init(&b->m, shape, WORDS, FIDS, NULL), SLUICE_OK);
  b->c.fid = FID;
  b->p = (struct active_packet){.port = 9,
                                .source = 0x0a000001,
                                .dest = 0x0a000002,
                                .sport = 1111,
                                .dport = 80,
                                .count = 77,
                                .queue_delay = 500,
                                .queue_depth = 12,
                                .budget = 4};
}

static void give(struct bench *b, unsigned stage, struct active_region region) {
  *active_machine_region(&b->m, FID, stage) = region;
}
static uint32_t *word(struct bench *b, unsigned stage, uint32_t index) {
  return &b->m.memory[stage * WORDS + index];
}

// Assembles and runs.
static void run(struct bench *b, const char *text, bool explicit_labels) {
  struct active_source s;
  if (!active_assemble(text, strlen(text), explicit_labels, b->m.shape, &s))
    fail_msg("%u:%u: %s", s.notes[0].line, s.notes[0].column, s.notes[0].text);
  b->c.program = s.program;
  active_run(&b->m, &b->c, &b->p, &b->r, NULL, NULL);
}
static const struct active_leaving *last(const struct bench *b) {
  return &b->r.leaving[b->r.num_leaving - 1];
}

// ---- hashes -------------------------------------------------------------------------------------

// Long division of a bit string, apart from the loop over bytes in crc.c: the first 16 bits are
// complemented where `init` has ones, which is what starting with init means.
static uint16_t divided(const struct active_crc *c, const uint8_t *bytes, unsigned len) {
  uint8_t bits[8 * 32 + 16] = {0};
  const unsigned num = 8 * len;
  for (unsigned i = 0; i < num; i++)
    bits[i] = (uint8_t)(bytes[i / 8] >> (c->reflected ? i % 8 : 7 - i % 8) & 1);
  for (unsigned i = 0; i < 16; i++)
    bits[i] ^= (uint8_t)(c->init >> (c->reflected ? i : 15 - i) & 1);
  const unsigned divisor = 0x10000u | c->poly;
  for (unsigned i = 0; i < num; i++)
    for (unsigned j = 0; bits[i] && j <= 16; j++)
      if (j) bits[i + j] ^= (uint8_t)(divisor >> (16 - j) & 1);
  unsigned rest = 0;
  for (unsigned i = 0; i < 16; i++) rest |= (unsigned)bits[num + i] << (c->reflected ? i : 15 - i);
  return (uint16_t)(rest ^ c->xor_out);
}

TEST(hashes_are_the_division_by_their_polynomial) {
  struct sluice_rng rng;
  sluice_rng_init(&rng, 1, "hash");
  for (unsigned n = 0; n < 1000; n++) {
    uint32_t h[ACTIVE_NUM_HASH];
    uint8_t bytes[20];
    for (unsigned i = 0; i < 5; i++) h[i] = (uint32_t)sluice_rng_next(&rng);
    for (unsigned i = 0; i < 20; i++) bytes[i] = (uint8_t)(h[i / 4] >> (24 - 8 * (i % 4)));
    for (unsigned w = 0; w < ACTIVE_NUM_CRCS; w++)
      assert_int_equal(active_hash(w, h), divided(&active_crcs[w], bytes, 20));
  }
}

TEST(hashes_have_the_check_values_of_the_page) {
  static const uint16_t of_digits[] = {0xbb3d, 0xfee8, 0x9ecf, 0x1ed5, 0x95e3,
                                       0x4449, 0xce3c, 0xb4c8, 0x6f91, 0x63d0};
  static const uint16_t of_h[] = {0xe173, 0x7249, 0xa899, 0xead2, 0x85e8,
                                  0x1f84, 0x913c, 0x05a8, 0xaa80, 0xeba1};
  static const uint32_t h[] = {1, 2, 3, 4, 5};
  for (unsigned w = 0; w < ACTIVE_NUM_CRCS; w++) {
    assert_int_equal(active_crc(w, (const uint8_t *)"123456789", 9), of_digits[w]);
    assert_int_equal(active_hash(w, h), of_h[w]);
  }
}

// ---- every opcode alone -------------------------------------------------------------------------

enum { MAR = 5, BASE = 32, POSITION = 3, STAGE = POSITION };
static const uint32_t H0[] = {0x0a000001, 0x0a000002, 6, 1111, 80};

// Registers and the word M[MAR] before and behind one instruction at position 3. MAR is 5 before.
static const struct {
  unsigned opcode;
  uint32_t mbr, mbr2, word, mar_after, mbr_after, mbr2_after, word_after;
} cases[] = {
    {SLUICE_OPCODE_NOP, 1, 2, 3, MAR, 1, 2, 3},
    {SLUICE_OPCODE_MBR_NOT, 0xff, 2, 3, MAR, 0xffffff00, 2, 3},
    {SLUICE_OPCODE_MBR_EQUALS_MBR2, 6, 3, 0, MAR, 5, 3, 0},
    {SLUICE_OPCODE_MBR_EQUALS_DATA_0, 6, 2, 0, MAR, 6 ^ MAR, 2, 0},
    {SLUICE_OPCODE_MBR_EQUALS_DATA_1, 6, 2, 0, MAR, 0, 2, 0},
    {SLUICE_OPCODE_MBR_EQUALS_DATA_2, 6, 2, 0, MAR, 4, 2, 0},
    {SLUICE_OPCODE_MBR_EQUALS_DATA_3, 6, 2, 0, MAR, 6 ^ 9, 2, 0},
    {SLUICE_OPCODE_MAX, 0x80000000, 7, 0, MAR, 0x80000000, 7, 0},
    {SLUICE_OPCODE_MAX, 6, 7, 0, MAR, 7, 7, 0},
    {SLUICE_OPCODE_MIN, 0x80000000, 7, 0, MAR, 7, 7, 0},
    {SLUICE_OPCODE_MIN, 6, 7, 0, MAR, 6, 7, 0},
    {SLUICE_OPCODE_REVMIN, 6, 7, 0, MAR, 6, 6, 0},
    {SLUICE_OPCODE_REVMIN, 0xffffffff, 7, 0, MAR, 0xffffffff, 7, 0},
    {SLUICE_OPCODE_SWAP_MBR_MBR2, 6, 7, 0, MAR, 7, 6, 0},
    {SLUICE_OPCODE_MBR_SUBTRACT_MBR2, 6, 7, 0, MAR, 0xffffffff, 7, 0},
    {SLUICE_OPCODE_MAR_ADD_MBR, 0xffffffff, 7, 0, MAR - 1, 0xffffffff, 7, 0},
    {SLUICE_OPCODE_MAR_ADD_MBR2, 6, 7, 0, MAR + 7, 6, 7, 0},
    {SLUICE_OPCODE_MBR_ADD_MBR2, 6, 0xfffffffe, 0, MAR, 4, 0xfffffffe, 0},
    {SLUICE_OPCODE_MAR_MBR_ADD_MBR2, 6, 7, 0, 13, 6, 7, 0},
    {SLUICE_OPCODE_BIT_AND_MAR_MBR, 4, 7, 0, 4, 4, 7, 0},
    {SLUICE_OPCODE_BIT_OR_MBR_MBR2, 4, 3, 0, MAR, 7, 3, 0},
    {SLUICE_OPCODE_COPY_MBR2_MBR, 6, 7, 0, MAR, 6, 6, 0},
    {SLUICE_OPCODE_COPY_MBR_MBR2, 6, 7, 0, MAR, 7, 7, 0},
    {SLUICE_OPCODE_COPY_MAR_MBR, 0xfffffff0, 7, 0, 0xfffffff0, 0xfffffff0, 7, 0},
    {SLUICE_OPCODE_COPY_MBR_MAR, 6, 7, 0, MAR, MAR, 7, 0},
    {SLUICE_OPCODE_MEM_WRITE, 6, 7, 100, MAR, 6, 7, 6},
    {SLUICE_OPCODE_MEM_READ, 6, 7, 100, MAR, 100, 7, 100},
    {SLUICE_OPCODE_MEM_INCREMENT, 6, 7, 0xffffffff, MAR, 0, 7, 0},
    {SLUICE_OPCODE_MEM_INCREMENT, 6, 7, 100, MAR, 101, 7, 101},
    {SLUICE_OPCODE_MEM_MINREAD, 6, 7, 100, MAR, 100, 7, 100},
    {SLUICE_OPCODE_MEM_MINREAD, 6, 7, 2, MAR, 2, 2, 2},
    {SLUICE_OPCODE_MEM_MINREADINC, 6, 7, 6, MAR, 7, 7, 7},
    {SLUICE_OPCODE_MEM_MINREADINC, 6, 7, 2, MAR, 3, 3, 3},
    {SLUICE_OPCODE_MEM_WRITE_CONDZERO, 0, 7, 0, MAR, 0, 7, 0},
    {SLUICE_OPCODE_MEM_WRITE_CONDZERO, 6, 7, 0, MAR, 0, 7, 7},
    {SLUICE_OPCODE_MEM_WRITE_CONDZERO, 6, 7, 7, MAR, 0, 7, 7},
    {SLUICE_OPCODE_MEM_WRITE_CONDZERO, 6, 7, 9, MAR, 0xfffffffe, 7, 9},
    {SLUICE_OPCODE_LOAD_SALT, 6, 7, 0, MAR, 0x5093, 7, 0},
    {SLUICE_OPCODE_LOAD_PKTCOUNT, 6, 7, 0, MAR, 77, 7, 0},
    {SLUICE_OPCODE_LOAD_QDELAY, 6, 7, 0, MAR, 6, 7, 0},
    {SLUICE_OPCODE_LOAD_QUEUE, 6, 7, 0, MAR, 6, 7, 0},
    {SLUICE_OPCODE_MBR_LOAD, 6, 7, 0, MAR, 6, 7, 0},
    {SLUICE_OPCODE_MBR2_LOAD, 6, 7, 0, MAR, 6, 7, 0},
    {SLUICE_OPCODE_MAR_LOAD, 6, 7, 0, MAR, 6, 7, 0},
    {SLUICE_OPCODE_ADDR_MASK, 6, 7, 0, MAR, 6, 7, 0},
    {SLUICE_OPCODE_ADDR_OFFSET, 6, 7, 0, MAR, 6, 7, 0},
    {96, 6, 7, 0, MAR, 6, 7, 0},
    {255, 6, 7, 0, MAR, 6, 7, 0},
};

// Runs one instruction at a position, behind NOPs, with MAR 5 and MBR, MBR2 as given.
static void alone(struct bench *b, unsigned opcode, unsigned position, uint32_t mbr,
                  uint32_t mbr2) {
  b->c.preload = true;
  b->c.args = (struct active_args){{MAR, mbr, mbr2, 9}};
  b->c.program.num = position + 1;
  for (unsigned i = 0; i < position; i++)
    b->c.program.instrs[i] = (struct active_instr){0, SLUICE_OPCODE_NOP};
  b->c.program.instrs[position] = (struct active_instr){0, (uint8_t)opcode};
  active_run(&b->m, &b->c, &b->p, &b->r, NULL, NULL);
}

TEST(opcodes_do_to_registers_and_memory_what_they_say) {
  struct bench b;
  open(&b, ACTIVE_SHAPE_PUBLISHED);
  give(&b, STAGE, active_region_virtual(BASE, BASE + 15));
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    *word(&b, STAGE, BASE + MAR) = cases[i].word;
    alone(&b, cases[i].opcode, POSITION, cases[i].mbr, cases[i].mbr2);
    const struct active_registers *r = &b.r.registers;
    if (r->mar != cases[i].mar_after || r->mbr != cases[i].mbr_after ||
        r->mbr2 != cases[i].mbr2_after || *word(&b, STAGE, BASE + MAR) != cases[i].word_after)
      fail_msg("case %u, opcode %u: MAR %x MBR %x MBR2 %x word %x", i, cases[i].opcode, r->mar,
               r->mbr, r->mbr2, *word(&b, STAGE, BASE + MAR));
    assert_int_equal(b.r.faults, 0);
    assert_int_equal(last(&b)->end, ACTIVE_END_EOF);
    assert_true(last(&b)->done && !last(&b)->dropped && !last(&b)->has_port);
    assert_int_equal(b.r.executed, POSITION + 2);
  }
  active_machine_release(&b.m);
}

TEST(opcodes_of_the_hash_input) {
  struct bench b;
  open(&b, ACTIVE_SHAPE_PUBLISHED);
  alone(&b, SLUICE_OPCODE_COPY_HASHDATA_MBR, 0, 6, 7);
  assert_true(b.r.registers.h[0] == 6 && b.r.registers.h[1] == 0);
  alone(&b, SLUICE_OPCODE_COPY_HASHDATA_MBR2, 0, 6, 7);
  assert_true(b.r.registers.h[0] == 0 && b.r.registers.h[1] == 7);
  alone(&b, SLUICE_OPCODE_LOAD_TCP_5TUPLE, 9, 6, 7);
  assert_memory_equal(b.r.registers.h, H0, sizeof H0);
  alone(&b, SLUICE_OPCODE_LOAD_TCP_5TUPLE, 10, 6, 7);  // not in egress
  assert_int_equal(b.r.registers.h[2], 0);
  run(&b, "RTS\nLOAD_TCP_5TUPLE\n", false);  // addresses have changed places, ports have not
  assert_true(b.r.registers.h[0] == H0[1] && b.r.registers.h[1] == H0[0]);
  assert_true(b.r.registers.h[3] == H0[3]);
  run(&b, "RTS\nRTS\nLOAD_TCP_5TUPLE\n", false);
  assert_true(b.r.registers.h[0] == H0[0] && !last(&b)->swapped && last(&b)->has_port);
  for (unsigned position = 0; position < 25; position++) {
    alone(&b, SLUICE_OPCODE_HASH, position, 6, 7);
    assert_int_equal(b.r.registers.mar, active_hash(position % 10, (uint32_t[5]){0}));
  }
  run(&b, "LOAD_TCP_5TUPLE\nHASH,#7\n", true);
  assert_int_equal(b.r.registers.mar, active_hash(7, H0));
  for (unsigned n = 10; n < 64; n++) {  // 10 and more are 9
    b.c.program.instrs[1].flags = (uint8_t)(n << 2 | 2);
    active_run(&b.m, &b.c, &b.p, &b.r, NULL, NULL);
    assert_int_equal(b.r.registers.mar, active_hash((n & 15) < 10 ? n & 15 : 9, H0));
  }
  active_machine_release(&b.m);
}

TEST(opcodes_of_the_packet) {
  struct bench b;
  open(&b, ACTIVE_SHAPE_PUBLISHED);
  static const struct {
    unsigned opcode, position;
    uint32_t mbr;
    enum active_end end;
    int port;  // -1: none
    bool swapped;
  } all[] = {
      {SLUICE_OPCODE_RETURN, 3, 0, ACTIVE_END_RETURN, -1, false},
      {SLUICE_OPCODE_CRET, 3, 0, ACTIVE_END_EOF, -1, false},
      {SLUICE_OPCODE_CRET, 3, 1, ACTIVE_END_RETURN, -1, false},
      {SLUICE_OPCODE_CRETI, 3, 0, ACTIVE_END_RETURN, -1, false},
      {SLUICE_OPCODE_CRETI, 3, 1, ACTIVE_END_EOF, -1, false},
      {SLUICE_OPCODE_DROP, 3, 0, ACTIVE_END_DROP, -1, false},
      {SLUICE_OPCODE_SET_DST, 3, 0xfffffe0b, ACTIVE_END_EOF, 11, false},
      {SLUICE_OPCODE_RTS, 9, 0, ACTIVE_END_EOF, 9, true},
      {SLUICE_OPCODE_RTS, 10, 0, ACTIVE_END_EOF, 9, false},
      {SLUICE_OPCODE_CRTS, 3, 0, ACTIVE_END_EOF, -1, false},
      {SLUICE_OPCODE_CRTS, 3, 1, ACTIVE_END_EOF, 9, true},
      {SLUICE_OPCODE_CJUMP, 3, 0, ACTIVE_END_EOF, -1, false},
      {SLUICE_OPCODE_CJUMPI, 3, 0, ACTIVE_END_EOF, -1, false},
      {SLUICE_OPCODE_UJUMP, 3, 0, ACTIVE_END_EOF, -1, false},
      {SLUICE_OPCODE_FORK, 3, 0, ACTIVE_END_EOF, -1, false},  // the program ends in this pass
  };
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    alone(&b, all[i].opcode, all[i].position, all[i].mbr, 7);
    const struct active_leaving *l = last(&b);
    assert_int_equal(b.r.num_leaving, 1);
    FIELDS_ARE(l, (end, all[i].end), (dropped, all[i].end == ACTIVE_END_DROP));
    assert_int_equal(l->has_port ? (int)l->port : -1, all[i].port);
    assert_int_equal(l->swapped, all[i].swapped);
    assert_int_equal(b.r.registers.mar, MAR);
  }
  static const struct {
    unsigned opcode, data;
  } stores[] = {{SLUICE_OPCODE_MBR_STORE, 3},
                {SLUICE_OPCODE_MBR_STORE_ALT, 1},
                {SLUICE_OPCODE_MBR_STORE_ALT2, 2}};
  for (unsigned i = 0; i < 3; i++) {
    alone(&b, stores[i].opcode, 3, 0xabcd, 0x77);
    if (stores[i].data == 1) {
      run(&b, "MBR_LOAD\nMBR_NOT\nMBR_STORE_ALT\nRETURN\n", false);
      assert_int_equal(last(&b)->args.data[1], ~0xabcdu);
    } else {
      assert_int_equal(last(&b)->args.data[stores[i].data], 0xabcd);
    }
    assert_int_equal(last(&b)->args.data[0], MAR);
  }
  alone(&b, SLUICE_OPCODE_LOAD_QDELAY, 10, 0, 7);
  assert_int_equal(b.r.registers.mbr, 500);
  alone(&b, SLUICE_OPCODE_LOAD_QUEUE, 10, 0, 7);
  assert_int_equal(b.r.registers.mbr, 12);
  // Loads, without PRELOAD: registers begin with 0. Only MAR_LOAD cuts to 20 bits.
  b.c.preload = false;
  b.c.args = (struct active_args){{0xfff00007, 2, 3, 4}};
  run(&b, "NOP\n", false);
  assert_true(!b.r.registers.mar && !b.r.registers.mbr && !b.r.registers.mbr2);
  run(&b, "MAR_LOAD\nMBR_LOAD\nMBR2_LOAD\n", false);
  assert_true(b.r.registers.mar == 7 && b.r.registers.mbr == 2 && b.r.registers.mbr2 == 3);
  b.c.preload = true;
  run(&b, "NOP\n", false);
  assert_int_equal(b.r.registers.mar, 0xfff00007);
  active_machine_release(&b.m);
}

TEST(addresses_are_translated_by_the_stage_in_the_opcode) {
  struct bench b;
  open(&b, ACTIVE_SHAPE_PUBLISHED);
  for (unsigned k = 0; k < 20; k++) {
    struct active_region r = active_region_physical(64 + k, 64 + k + 3);
    assert_true(r.mask == 3 && r.add == 64 + k);
    give(&b, k, r);
    alone(&b, SLUICE_OPCODE_ADDR_MASK_0 + 2 * k, 1, 0, 0);
    assert_int_equal(b.r.registers.mar, MAR & 3);
    alone(&b, SLUICE_OPCODE_ADDR_OFFSET_0 + 2 * k, 1, 0, 0);
    assert_int_equal(b.r.registers.mar, MAR + 64 + k);
    give(&b, k, (struct active_region){0});
    alone(&b, SLUICE_OPCODE_ADDR_OFFSET_0 + 2 * k, 1, 0, 0);
    assert_int_equal(b.r.registers.mar, MAR);
  }
  active_machine_release(&b.m);
}

// Every opcode is in a test of its own: what the tables above and the loops do not have.
TEST(every_opcode_is_tested) {
  bool seen[256] = {false};
  static const unsigned others[] = {SLUICE_OPCODE_EOF,
                                    SLUICE_OPCODE_RETURN,
                                    SLUICE_OPCODE_CRET,
                                    SLUICE_OPCODE_CRETI,
                                    SLUICE_OPCODE_DROP,
                                    SLUICE_OPCODE_FORK,
                                    SLUICE_OPCODE_SET_DST,
                                    SLUICE_OPCODE_CJUMP,
                                    SLUICE_OPCODE_CJUMPI,
                                    SLUICE_OPCODE_UJUMP,
                                    SLUICE_OPCODE_RTS,
                                    SLUICE_OPCODE_CRTS,
                                    SLUICE_OPCODE_MBR_STORE,
                                    SLUICE_OPCODE_MBR_STORE_ALT,
                                    SLUICE_OPCODE_MBR_STORE_ALT2,
                                    SLUICE_OPCODE_COPY_HASHDATA_MBR,
                                    SLUICE_OPCODE_COPY_HASHDATA_MBR2,
                                    SLUICE_OPCODE_HASH,
                                    SLUICE_OPCODE_LOAD_TCP_5TUPLE};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) seen[cases[i].opcode] = true;
  for (unsigned i = 0; i < sizeof others / sizeof *others; i++) seen[others[i]] = true;
  for (unsigned o = SLUICE_OPCODE_ADDR_MASK_0; o <= SLUICE_OPCODE_ADDR_OFFSET_19; o++)
    seen[o] = true;
  for (unsigned o = 0; o < 256; o++)
    if (active_opcode(o).known && !seen[o]) fail_msg("opcode %u", o);
}

// ---- skips --------------------------------------------------------------------------------------

// Each MEM_INCREMENT counts at address 0 of its own stage: which of them were executed.
static unsigned executed_stages(struct bench *b) {
  unsigned set = 0;
  for (unsigned s = 0; s < 20; s++) {
    if (*word(b, s, 0)) set |= 1u << s;
    *word(b, s, 0) = 0;
  }
  return set;
}

TEST(skips_end_at_labels) {
  struct bench b;
  open(&b, ACTIVE_SHAPE_PUBLISHED);
  for (unsigned s = 0; s < 20; s++) give(&b, s, active_region_physical(0, 0));
  static const struct {
    const char *text;
    unsigned published, explicit_form;  // stages whose MEM_INCREMENT was executed
  } all[] = {
      // The target of a jump is itself skipped; reached by falling through it is executed.
      {"UJUMP,@A\nMEM_INCREMENT\nMEM_INCREMENT,:A\nMEM_INCREMENT\n", 1 << 3, 1 << 3},
      {"CJUMP,@A\nMEM_INCREMENT\nMEM_INCREMENT,:A\nMEM_INCREMENT\n", 7 << 1, 7 << 1},
      {"CJUMPI,@A\nMEM_INCREMENT\nMEM_INCREMENT,:A\nMEM_INCREMENT\n", 1 << 3, 1 << 3},
      // A jump within the skip: published, its own TARGET ends the skip, and it is itself skipped,
      // so what follows is executed. Explicit, it changes nothing.
      {"UJUMP,@A\nNOP\nUJUMP,@A\nMEM_INCREMENT\nNOP,:A\nMEM_INCREMENT\n", 1 << 3 | 1 << 5, 1 << 5},
      // Two labels: published, the first target ends both.
      {"UJUMP,@B\nMEM_INCREMENT,:A\nMEM_INCREMENT\nMEM_INCREMENT,:B\nMEM_INCREMENT\n",
       1 << 2 | 1 << 3 | 1 << 4, 1 << 4},
      // No target is reached: the end of the program ends the skip.
      {"UJUMP,@A\nMEM_INCREMENT\nMEM_INCREMENT\nNOP,:A\n", 0, 0},
      // The same name again: a jump goes to the next one behind it.
      {"UJUMP,@A\nMEM_INCREMENT\nNOP,:A\nUJUMP,@A\nMEM_INCREMENT\nNOP,:A\nMEM_INCREMENT\n", 1 << 6,
       1 << 6},
      // Explicit, a jump that is the target of another one.
      {"UJUMP,@A\nMEM_INCREMENT\nUJUMP,@A,:A\nMEM_INCREMENT\nNOP,:A\nMEM_INCREMENT\n",
       1 << 3 | 1 << 5, 1 << 3 | 1 << 5},
  };
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
    for (unsigned form = 0; form < 2; form++) {
      run(&b, all[i].text, form);
      const unsigned set = executed_stages(&b);
      if (set != (form ? all[i].explicit_form : all[i].published))
        fail_msg("case %u, form %u: stages %x", i, form, set);
      assert_int_equal(last(&b)->end, ACTIVE_END_EOF);
      assert_int_equal(b.r.executed + b.r.skipped, b.c.program.num + 1);
    }
  // A published jump ends at a NUMBERED target too, a NUMBERED one not at a published target, and
  // not at a TARGET with another label.
  run(&b, "UJUMP,=01\nMEM_INCREMENT\nNOP,=0f\nMEM_INCREMENT\n", true);
  assert_int_equal(executed_stages(&b), 1 << 3);
  run(&b, "UJUMP,=0e\nMEM_INCREMENT\nNOP,=01\nMEM_INCREMENT\nNOP,=0f\nMEM_INCREMENT\n", true);
  assert_int_equal(executed_stages(&b), 1 << 5);
  run(&b, "UJUMP,=0e\nNOP,=0b\nMEM_INCREMENT\nNOP,=0d\nMEM_INCREMENT\n", true);
  assert_int_equal(executed_stages(&b), 0);
  active_machine_release(&b.m);
}

// ---- protection, passes -------------------------------------------------------------------------

TEST(accesses_outside_do_nothing_or_drop) {
  struct bench b;
  open(&b, ACTIVE_SHAPE_PUBLISHED);
  give(&b, 1, active_region_physical(10, 12));
  b.m.tenants[FID].report = true;
  for (uint32_t address = 0; address < 20; address++) {
    b.c.args.data[0] = address;
    run(&b, "MAR_LOAD\nMEM_INCREMENT\nMBR_STORE\nRETURN\n", false);
    const bool inside = address >= 10 && address <= 12;
    assert_int_equal(b.r.faults, !inside);
    assert_int_equal(last(&b)->fault, !inside);
    assert_int_equal(last(&b)->args.data[3], inside);
    assert_int_equal(*word(&b, 1, address), inside);
  }
  assert_int_equal(b.m.tenants[FID].faults, 17);
  b.m.tenants[FID].drop = true;
  b.c.args.data[0] = 13;
  run(&b, "MAR_LOAD\nMEM_WRITE\nMBR_STORE\nRETURN\n", false);
  assert_true(last(&b)->dropped && last(&b)->end == ACTIVE_END_FAULT && b.r.executed == 4);
  b.m.tenants[FID].drop = false;
  // MAR[19:0] is compared, and the offset wraps at 2^20.
  give(&b, 1, (struct active_region){.valid = true, .low = 0xfffff, .high = 0xfffff, .offset = 3});
  b.c.args.data[0] = 0xfff;
  b.c.preload = true;
  b.c.args.data[0] = 0xabcfffff;
  run(&b, "NOP\nMEM_INCREMENT\nRETURN\n", false);
  assert_int_equal(*word(&b, 1, 2), 1);
  // A word that the stage does not have is outside too; so is a program without a region.
  give(&b, 1, (struct active_region){.valid = true, .high = 0xfffff});
  b.c.args.data[0] = WORDS;
  run(&b, "NOP\nMEM_INCREMENT\nRETURN\n", false);
  assert_int_equal(b.r.faults, 1);
  b.c.fid = 2;
  run(&b, "NOP\nMEM_READ\nMEM_WRITE_CONDZERO\nRETURN\n", false);
  assert_int_equal(b.r.faults, 1);  // MBR is 0: the second one is no access
  // A program that the machine does not know leaves as it came.
  b.c.fid = FIDS;
  run(&b, "RTS\nRETURN\n", false);
  assert_true(last(&b)->end == ACTIVE_END_NO_FID && !last(&b)->done && !last(&b)->has_port);
  assert_true(b.r.executed == 0 && last(&b)->consumed == 0 && b.r.passes == 0);
  active_machine_release(&b.m);
}

TEST(passes_end_with_the_budget) {
  struct bench b;
  const struct active_shape small = {4, 0, 2, ACTIVE_RULES_PUBLISHED};
  open(&b, small);
  for (unsigned s = 0; s < 4; s++) give(&b, s, active_region_physical(0, 0));
  const char *text = "MEM_INCREMENT\nNOP\nNOP\nNOP\nMEM_INCREMENT\nNOP\nNOP\nNOP\nMEM_INCREMENT\n";
  for (unsigned budget = 1; budget < 5; budget++) {
    *word(&b, 0, 0) = 0;
    b.p.budget = budget;
    run(&b, text, false);
    assert_int_equal(*word(&b, 0, 0), budget < 3 ? budget : 3);
    assert_int_equal(b.r.passes, budget < 3 ? budget : 3);
    assert_int_equal(last(&b)->end, budget < 3 ? ACTIVE_END_BUDGET : ACTIVE_END_EOF);
    assert_int_equal(last(&b)->done, budget >= 3);
    assert_int_equal(last(&b)->consumed, budget < 3 ? 4 * budget : 9);
  }
  // EOF alone needs its position, RETURN does not.
  b.p.budget = 1;
  run(&b, "NOP\nNOP\nNOP\nNOP\n", false);
  assert_true(last(&b)->end == ACTIVE_END_BUDGET && last(&b)->consumed == 4);
  run(&b, "NOP\nNOP\nNOP\nRETURN\n", false);
  assert_true(last(&b)->end == ACTIVE_END_RETURN && last(&b)->consumed == 4 && last(&b)->done);
  run(&b, "RETURN\nNOP\nNOP\n", false);
  assert_true(last(&b)->consumed == 3 && b.r.executed == 1);
  // FORK: the original leaves at the end of the pass, with what it has then.
  b.p.budget = 3;
  b.c.args = (struct active_args){{0, 5, 0, 0}};
  run(&b, "FORK\nMBR_LOAD\nSET_DST\nNOP\nMBR_NOT\nMBR_STORE\nSET_DST\nRETURN\n", false);
  assert_int_equal(b.r.num_leaving, 2);
  assert_true(b.r.leaving[0].end == ACTIVE_END_FORK && !b.r.leaving[0].done);
  assert_true(b.r.leaving[0].port == 5 && b.r.leaving[0].consumed == 4);
  assert_int_equal(b.r.leaving[0].args.data[3], 0);
  assert_true(b.r.leaving[1].port == (~5u & 0x1ff) && b.r.leaving[1].done);
  assert_int_equal(b.r.leaving[1].args.data[3], ~5u);
  // One FORK makes one copy, however many passes follow; each FORK makes its own.
  b.p.budget = 4;
  run(&b, "FORK\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nRETURN\n", false);
  assert_true(b.r.num_leaving == 2 && b.r.passes == 3);
  run(&b, "FORK\nFORK\nNOP\nNOP\nNOP\nNOP\nNOP\nFORK\nNOP\nDROP\n", false);
  assert_true(b.r.num_leaving == 3 && b.r.leaving[1].end == ACTIVE_END_FORK);
  assert_true(b.r.leaving[1].consumed == 8 && !b.r.leaving[1].dropped && last(&b)->dropped);
  // The polynomial is that of the stage.
  run(&b, "NOP\nNOP\nNOP\nNOP\nNOP\nHASH\n", false);
  assert_int_equal(b.r.registers.mar, active_hash(1, (uint32_t[5]){0}));
  active_machine_release(&b.m);
  // The published switch repeats its egress stages.
  assert_int_equal(active_stage(ACTIVE_SHAPE_PUBLISHED, 23), 13);
  assert_int_equal(active_pass(ACTIVE_SHAPE_PUBLISHED, 29), 1);
  assert_int_equal(active_pass(ACTIVE_SHAPE_PUBLISHED, 30), 2);
  assert_int_equal(active_stage(ACTIVE_SHAPE, 23), 3);
  assert_int_equal(
      active_machine_init(&b.m, (struct active_shape){21, 0, 10, ACTIVE_RULES_CHIP}, 1, 1, NULL),
      SLUICE_ERR_RANGE);
  assert_int_equal(
      active_machine_init(&b.m, (struct active_shape){4, 4, 10, ACTIVE_RULES_CHIP}, 1, 1, NULL),
      SLUICE_ERR_RANGE);
}

// Random programs of two tenants: nothing of the other's memory changes, and every run ends.
TEST(random_programs_stay_in_their_memory) {
  struct bench b;
  struct sluice_rng rng;
  sluice_rng_init(&rng, 7, "programs");
  print_message("seed 7\n");
  open(&b, ACTIVE_SHAPE_PUBLISHED);
  for (unsigned s = 0; s < 20; s++) {
    give(&b, s, active_region_physical(0, 99));
    *active_machine_region(&b.m, 2, s) = active_region_virtual(100, 255);
  }
  uint64_t executed = 0, ends[ACTIVE_END_NO_FID] = {0}, opcodes[256] = {0};
  for (unsigned n = 0; n < 20000; n++) {
    active_random(&rng, &(struct active_random){.fids = 2, .most = 60, .words = 150}, &b.c);
    if (b.c.fid != FID) b.c.fid = 2;
    b.p.budget = 1 + (unsigned)sluice_rng_below(&rng, 4);
    for (unsigned i = 0; i < b.c.program.num; i++) opcodes[b.c.program.instrs[i].opcode]++;
    uint32_t before[20 * WORDS];
    memcpy(before, b.m.memory, sizeof before);
    active_run(&b.m, &b.c, &b.p, &b.r, NULL, NULL);
    executed += b.r.executed;
    ends[last(&b)->end]++;
    for (unsigned i = 0; i < 20 * WORDS; i++)
      if (before[i] != b.m.memory[i]) assert_true((i % WORDS < 100) == (b.c.fid == FID));
    assert_in_range(b.r.passes, 1, b.p.budget);
    assert_in_range(b.r.num_leaving, 1, b.r.passes);
  }
  assert_true(executed > 50000);
  for (unsigned e = 0; e < ACTIVE_END_FORK; e++)
    if (e != ACTIVE_END_FAULT) assert_true(ends[e] > 100);  // no region here drops
  for (unsigned o = 1; o < 96; o++) assert_true(opcodes[o] > 50);
  active_machine_release(&b.m);
}

// What the rules of the chip do otherwise, in the order of the table in interpreter.h.
TEST(the_chip_has_rules_of_its_own) {
  struct bench b;
  open(&b, ACTIVE_SHAPE);
  for (unsigned s = 0; s < 20; s++) give(&b, s, active_region_physical(0, 0));
  run(&b, "UJUMP,=01\nMEM_INCREMENT\nNOP,=0f\nMEM_INCREMENT\nNOP,=01\nMEM_INCREMENT\n", false);
  assert_int_equal(executed_stages(&b), 1 << 5);
  alone(&b, SLUICE_OPCODE_LOAD_TCP_5TUPLE, 15, 6, 7);
  assert_memory_equal(b.r.registers.h, H0, sizeof H0);
  run(&b, "RTS\nRTS\nLOAD_TCP_5TUPLE\n", false);
  assert_true(last(&b)->swapped && b.r.registers.h[0] == H0[0]);
  alone(&b, SLUICE_OPCODE_RTS, 15, 6, 7);
  assert_true(last(&b)->swapped && last(&b)->port == 9);
  alone(&b, SLUICE_OPCODE_SET_DST, 3, 0x1234, 7);
  assert_int_equal(last(&b)->port, 0x34);
  // In front of the first pass there is no queue.
  static const unsigned idle[] = {SLUICE_OPCODE_LOAD_QDELAY, SLUICE_OPCODE_LOAD_QUEUE};
  for (unsigned i = 0; i < 2; i++) {
    alone(&b, idle[i], 15, 6, 7);
    assert_int_equal(b.r.registers.mbr, 6);
  }
  alone(&b, SLUICE_OPCODE_LOAD_PKTCOUNT, 15, 6, 7);
  assert_int_equal(b.r.registers.mbr, b.p.count);
  active_machine_release(&b.m);
  open(&b, (struct active_shape){4, 0, 0, ACTIVE_RULES_CHIP});
  run(&b, "FORK\nNOP\nNOP\nNOP\nNOP\nRETURN\n", false);
  assert_true(b.r.num_leaving == 2 && b.r.passes == 2);
  assert_true(b.r.leaving[0].end == ACTIVE_END_FORK && b.r.leaving[0].consumed == 4);
  // The copy begins with the addresses of the original.
  run(&b, "RTS\nFORK\nNOP\nNOP\nLOAD_TCP_5TUPLE\nRTS\nRETURN\n", false);
  assert_true(b.r.leaving[0].swapped && !b.r.leaving[1].swapped);
  assert_true(b.r.registers.h[0] == b.p.dest && b.r.registers.h[1] == b.p.source);
  run(&b, "RTS\nFORK\nNOP\nNOP\nRETURN\n", false);
  assert_true(b.r.leaving[0].swapped && b.r.leaving[1].swapped);
  run(&b, "NOP\nNOP\nNOP\nNOP\nLOAD_QDELAY\nMBR_STORE\nLOAD_QUEUE\nRETURN\n", false);
  assert_true(last(&b)->args.data[3] == b.p.queue_delay);
  assert_true(b.r.registers.mbr == b.p.queue_depth);
  // EOF behind the last stage of a pass.
  b.p.budget = 1;
  run(&b, "NOP\nNOP\nNOP\nNOP\n", false);
  assert_true(last(&b)->end == ACTIVE_END_EOF && last(&b)->done && b.r.passes == 1);
  run(&b, "NOP\nNOP\nNOP\nNOP\nNOP\n", false);
  assert_true(last(&b)->end == ACTIVE_END_BUDGET && last(&b)->consumed == 4);
  // A packet that is dropped does not go around again; what it did before the end of its pass
  // stays.
  b.p.budget = 4;
  give(&b, 1, active_region_physical(0, 0));
  run(&b, "DROP\nMEM_INCREMENT\nNOP\nNOP\nNOP\nMEM_INCREMENT\nRETURN\n", false);
  assert_true(last(&b)->dropped && last(&b)->end == ACTIVE_END_DROP && !last(&b)->done);
  assert_true(*word(&b, 1, 0) == 1 && b.r.passes == 1);
  // Whoever is not there has no memory. A condition that is false is no excuse.
  run(&b, "NOP\nNOP\nMEM_WRITE_CONDZERO\nRETURN\n", false);
  assert_int_equal(b.r.faults, 1);
  b.c.fid = FIDS;
  run(&b, "RTS\nMEM_READ\nRETURN\n", false);
  assert_true(last(&b)->done && last(&b)->has_port && b.r.faults == 1 && !last(&b)->fault);
  active_machine_release(&b.m);
}

TEST(sharded_regions_want_known_addresses) {
  struct bench b;
  open(&b, ACTIVE_SHAPE);
  for (unsigned s = 0; s < 20; s++) {
    give(&b, s, active_region_physical(0, 15));
    active_machine_region(&b.m, FID, s)->sharded = true;
  }
  static const struct {
    const char *text;
    bool preload;
    unsigned faults;
  } all[] = {
      {"MAR_LOAD\nMEM_READ\nMEM_READ\n", false, 0},
      {"MEM_READ\n", true, 0},
      {"MEM_READ\n", false, 1},
      {"MAR_LOAD\nMBR_LOAD\nMAR_ADD_MBR\nMEM_READ\nMAR_LOAD\nMEM_READ\n", false, 1},
      {"HASH\nMEM_READ\n", true, 1},
      {"ADDR_OFFSET_3\nMEM_READ\n", true, 1},
      {"CJUMP,@A\nMAR_LOAD\nMEM_READ\nNOP,:A\n", false, 1},
      {"CJUMP,@A\nMAR_LOAD\nMEM_READ\nNOP,:A\n", true, 0},
  };
  b.c.args.data[0] = 3;
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    b.c.preload = all[i].preload;
    run(&b, all[i].text, false);
    if (b.r.faults != all[i].faults) fail_msg("case %u: %u faults", i, b.r.faults);
  }
  active_machine_release(&b.m);
}
