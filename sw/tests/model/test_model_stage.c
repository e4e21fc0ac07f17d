// SPDX-License-Identifier: Apache-2.0
// The reference model's ALUs, key, hash and state units against direct evaluations in 64-bit
// arithmetic, and check values of the CRCs.
#include "tests/rig/test.h"
#include "tests/rig/model_rig.h"

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

// Without shifters the functions that shift, SHL, SRA and SRL, give 0.
static void check_functions(const struct sluice_config *config) {
  struct sluice_model *m CLOSED_BY(close_model) = with_modules(sluice_model_open(config));
  assert_non_null(m);
  uint64_t seed = 1;
  static const uint32_t corners[] = {0, 1, 2, 31, 32, 0x7fffffff, 0x80000000, 0xffffffff};
  for (unsigned n = 0; n < 4000; n++) {
    struct sluice_model_phv phv = {.vid = ROW};
    for (unsigned i = 0; i < 3; i++)
      phv.b4[i] = test_random(&seed) % 2 ? corners[test_random(&seed) % 8] : test_random(&seed);
    const unsigned f = n % 32;
    const uint32_t word = instr(SLUICE_OP_FUNC, operand(B4, 0), operand(B4, 1)) | f << 6 |
                          operand(B4, 2) << 1;
    const bool shifts = f >= 4 && f <= 6;
    const uint32_t expected =
        shifts && !config->Shifters ? 0 : direct_func(f, phv.b4[0], phv.b4[1], phv.b4[2]);
    const struct sluice_model_phv now =
        run_slot(m, 17, word, phv);  // a 6-byte container: zero-extended
    assert_true(now.b6[0] == expected);
    assert_int_equal(run_slot(m, 3, word, phv).b2[2], expected & 0xffffu);

    const uint32_t imm12 = test_random(&seed) & 0xfffu, fi = n % 16;
    if (n % 3 == 0) phv.b4[0] = imm12 < 0x800 ? imm12 : imm12 - 0x1000;  // equal ones
    const uint32_t imm = imm12 < 0x800 ? imm12 : imm12 - 0x1000;
    static const unsigned same_as[16] = {0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 99, 98, 13, 97, 96, 95};
    uint32_t e = same_as[fi] < 18 ? direct_func(same_as[fi], phv.b4[0], imm, 0) : 0;
    if (same_as[fi] >= 4 && same_as[fi] <= 6 && !config->Shifters) e = 0;
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
}

TEST(functions_equal_their_sentences) {
  struct sluice_config config = *sluice_config_find("menshen");
  check_functions(&config);
  config.Shifters = 0;
  check_functions(&config);
}

TEST(everything_reads_the_phv_before_the_stage) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("menshen");
  struct entry action = {{0}};
  entry_slot(&action, 9, instr(SLUICE_OP_FUNC, operand(B4, 1), 0) | SLUICE_FUNC_MOVE << 6);
  entry_slot(&action, 10, instr(SLUICE_OP_FUNC, operand(B4, 0), 0) | SLUICE_FUNC_MOVE << 6);
  match_all(m, 5, ROW, 2, &action);
  struct sluice_model_phv phv = {.vid = ROW};
  phv.b4[0] = 1, phv.b4[1] = 2;
  model_stage_front(m, 5, &phv);
  FIELDS_ARE(&phv, (b4[0], 2), (b4[1], 1));
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

TEST(every_bit_of_the_key_counts) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("menshen");
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
    SETS(&extract, KEY_EXTRACT, (CMP_OP, op), (CMP_A, a), (CMP_B, b));
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
    model_stage_back(m, 3, &now, &none, NULL);
    assert_true(none.hit);
    assert_int_equal(now.b2[0], 4711);
    const unsigned flip = test_random(&seed) % 205, at = 204 - flip;
    match.bytes[at / 8] ^= (uint8_t)(0x80u >> at % 8);
    put(m, SLUICE_TABLE_MATCH, 3, 6, &match);
    none.hit = false;
    now = phv;
    model_stage_back(m, 3, &now, &none, NULL);
    // All bits count but NOT_BANK of the bank that the packet does not have.
    const bool other_bank = flip == SLUICE_MATCH_NOT_BANK_MSB;
    assert_int_equal(none.hit, other_bank);
    if (!other_bank) assert_memory_equal(&now, &phv, sizeof phv);
  }
}

// Whether a packet with 3 in all containers hits: nothing is masked, and the key takes container 0
// as the first one of each type, `idx` as the second one, for which the match entry has `second`.
static bool hits_with_second(const struct sluice_config *config, unsigned idx,
                             const uint64_t second[3]) {
  struct sluice_model *m = with_modules(sluice_model_open(config));
  assert_non_null(m);
  struct entry extract = {{0}}, match = {{0}};
  for (unsigned i = 0; i < 3; i++) entry_set(&extract, 38, 34 - 6 * i, 32 - 6 * i, idx);
  SET(&extract, KEY_EXTRACT, CMP_OP, SLUICE_CMP_ONE);
  SET(&match, MATCH, VID, ROW);
  entry_set(&match, 205, 192, 145, 3);
  entry_set(&match, 205, 144, 97, second[0]);
  entry_set(&match, 205, 96, 65, 3);
  entry_set(&match, 205, 64, 33, second[1]);
  entry_set(&match, 205, 32, 17, 3);
  entry_set(&match, 205, 16, 1, second[2]);
  entry_set(&match, 205, 0, 0, 1);
  put(m, SLUICE_TABLE_KEY_EXTRACT, 1, ROW, &extract);
  put(m, SLUICE_TABLE_MATCH, 1, 0, &match);
  struct sluice_model_phv phv = {.vid = ROW};
  for (unsigned i = 0; i < config->Num6B; i++) phv.b6[i] = 3;
  for (unsigned i = 0; i < config->Num4B; i++) phv.b4[i] = 3;
  for (unsigned i = 0; i < config->Num2B; i++) phv.b2[i] = 3;
  struct sluice_model_access none = {0};
  model_stage_back(m, 1, &phv, &none, NULL);
  sluice_model_close(m);
  return none.hit;
}

// A chip with one container of a type has no second one in its keys, one without 6-byte containers
// neither of them: 0 there, whatever a match entry has there.
TEST(keys_have_second_containers_of_types_with_two) {
  // bits 0 to 2: one container of that type, not two; bit 3: none of 6 bytes
  for (unsigned few = 0; few < 16; few++) {
    struct sluice_config config = *sluice_config_find("menshen");
    config.Num6B = few & 8 ? 0 : few & 1 ? 1 : 2;
    config.Num4B = few & 2 ? 1 : 2;
    config.Num2B = few & 4 ? 1 : 2;
    for (unsigned idx = 0; idx < 3; idx++) {
      const uint64_t there = idx < 2 ? 3 : 0;  // container 2 is not there, and reads 0
      for (unsigned i = 0; i < 3; i++) {
        static const uint64_t others[] = {0, 1, 3, UINT64_MAX};
        for (unsigned n = 0; n < 4; n++) {
          uint64_t second[3] = {there, there, there};
          second[i] = others[n];
          const bool fixed = few >> i & 1 || (i == 0 && few & 8);
          assert_int_equal(hits_with_second(&config, idx, second), fixed || others[n] == there);
        }
      }
    }
  }
}

TEST(crc_check_values) {
  const uint8_t digits[] = "123456789";
  struct sluice_model *m CLOSED_BY(close_model) = open_model("menshen");
  assert_int_equal(model_crc16(m, digits, 9), 0xbb3d);
  assert_int_equal(model_crc32(m, digits, 9), 0xcbf43926);
  struct entry action = {{0}}, hash = {{0}};
  entry_slot(&action, 9, instr_imm(SLUICE_OP_EXT, 0, SLUICE_EXT_OLD_1));
  entry_slot(&action, 10, instr_imm(SLUICE_OP_EXT, 0, SLUICE_EXT_NEW_1));
  match_all(m, 5, ROW, 0, &action);
  struct sluice_model_phv phv = {.vid = ROW}, now;
  phv.b4[0] = 0x34333231, phv.b4[1] = 0x38373635, phv.b4[2] = 0xfffffff9;
  now = phv;
  model_stage_front(m, 5, &now);
  assert_int_equal(now.b4[0], 0);  // no instruction
  SETS(&hash, HASH_INSTR, (VALID, 1), (ALGORITHM, SLUICE_HASH_CRC32), (NUM_WORDS, 2),
       (A, operand(B4, 0)), (B, operand(B4, 1)));
  put(m, SLUICE_TABLE_HASH_INSTR, 5, ROW, &hash);
  now = phv;
  model_stage_front(m, 5, &now);
  assert_int_equal(now.b4[0], model_crc32(m, digits, 8));
  assert_int_equal(now.b4[1], 0);  // a front stage has no other EXT value
  SETS(&hash, HASH_INSTR, (ALGORITHM, SLUICE_HASH_CRC16), (MODULUS, 1000));
  put(m, SLUICE_TABLE_HASH_INSTR, 5, ROW, &hash);
  now = phv;
  model_stage_front(m, 5, &now);
  assert_int_equal(now.b4[0], model_crc16(m, digits, 8) % 1000);
  SETS(&hash, HASH_INSTR, (ALGORITHM, SLUICE_HASH_IDENTITY), (A, operand(B4, 2)), (MODULUS, 4));
  put(m, SLUICE_TABLE_HASH_INSTR, 5, ROW, &hash);
  now = phv;
  model_stage_front(m, 5, &now);
  assert_int_equal(now.b4[0], (uint32_t)-3);  // -7 % 4
}

// A state instruction as plain numbers, and its value by the sentence of the specification.
struct plain {
  unsigned xs[4], xp[4], rel[4], y[4];   // predicates 1..4
  unsigned keep[8], sub[8], a[8], b[8];  // A1 A2 B1 B2 C1 C2 D1 D2
  uint32_t k[4];
};

static struct entry encode(const struct plain *p) {
  struct entry e = ENTRY_OF(STATE_INSTR, (VALID, 1), (P1, operand(B4, 0)), (P2, operand(B6, 1)));
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

// Five back stages, and state entries of one word.
static struct sluice_config one_word(void) {
  struct sluice_config config = *sluice_config_find("menshen");
  config.SharedSums = 1;
  config.StatePairs = 0;
  return config;
}

// On a chip of one word an entry: what the sentence says with a second word of 0, and predicates 2
// to 4 that are TRUE or never hold.
static void check_state_instructions(const struct sluice_config *config) {
  struct sluice_model *m CLOSED_BY(close_model) = with_modules(sluice_model_open(config));
  assert_non_null(m);
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
    for (unsigned i = 1; i < 4 && !config->StatePairs; i++)
      if (p.rel[i] != SLUICE_REL_TRUE) p.rel[i] = SLUICE_REL_FALSE;
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
      for (unsigned w = 0; w < 1 + config->StatePairs; w++)
        s[w] = direct_arm(&p, (unsigned)arm * 2 + w, p1, p2, old[w]);

    struct sluice_model_access a = {0};
    model_resolve(m, 1, &phv, &a);
    model_stage_back(m, 1, &phv, &a, NULL);
    assert_true(a.executed);
    FIELDS_ARE(&a, (refused, index == 9), (out_of_bounds, index == 9));
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
}

TEST(random_state_instructions) { check_state_instructions(sluice_config_find("menshen")); }

TEST(random_state_instructions_of_one_word) {
  const struct sluice_config config = one_word();
  check_state_instructions(&config);
}

// 0 in the field of a second word is K0 + K0: it must not run. Nor may what FILL brings.
TEST(a_second_word_stays_0_where_there_is_none) {
  const struct sluice_config config = one_word();
  struct sluice_model *m CLOSED_BY(close_model) = with_modules(sluice_model_open(&config));
  assert_non_null(m);
  segment(m, 1, ROW, 0, 4);
  access(m, 1, ROW, 0, 0, operand(B2, 0));
  struct entry fill = {{0}}, instruction = {{0}};
  SETS(&fill, STATE_ENTRY, (S1, 70), (S2, 80));
  SETS(&instruction, STATE_INSTR, (VALID, 1), (PRED_1, SLUICE_REL_TRUE << 3),
       (PRED_2, SLUICE_REL_TRUE << 3), (A1, 0x80 | SLUICE_ARM_K0 << 3 | SLUICE_ARM_ZERO), (K0, 5));
  static const unsigned ops[] = {SLUICE_OP_LOAD, SLUICE_OP_LOADD, SLUICE_OP_STORE, SLUICE_OP_NOP};
  const uint32_t new_1[] = {70, 71, 9, 75};
  for (unsigned o = 0; o < 4; o++) {
    struct entry action = {{0}};
    for (unsigned i = 0; i < 4; i++) entry_slot(&action, 9 + i, instr_imm(SLUICE_OP_EXT, 0, i));
    entry_slot(&action, 16, instr(ops[o], operand(B4, 6), operand(B4, 5)));
    match_all(m, 1, ROW, 0, &action);
    if (ops[o] == SLUICE_OP_NOP) put(m, SLUICE_TABLE_STATE_INSTR, 1, 0, &instruction);
    assert_true(control(m, (struct control){.table = SLUICE_TABLE_FILL, .stage = 1, .row = ROW},
                        &fill, 1, NULL));
    struct sluice_model_phv phv = {.vid = ROW, .b2 = {3}, .b4 = {[6] = 9}};
    struct sluice_model_access a = {0};
    model_resolve(m, 1, &phv, &a);
    model_stage_back(m, 1, &phv, &a, NULL);
    const uint32_t expected[4] = {70, 0, new_1[o], 0};
    assert_memory_equal(phv.b4, expected, sizeof expected);
    assert_int_equal(model_slot(m, 1, 1, 1)->s1, new_1[o]);
    assert_int_equal(model_slot(m, 1, 1, 1)->s2, 0);
  }
}

TEST(memory_operations_feed_ext) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("menshen");
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
    model_stage_back(m, 1, &phv, &a, NULL);
    const bool op = o < 3;
    const uint32_t expected[8] = {
        op ? 70 : 0, op ? 80 : 0, new_1[o], op ? 80 : 0, 0, 0, 0, o == 0 ? 70 : o == 1 ? 71 : 5};
    assert_memory_equal(phv.b4, expected, sizeof expected);
    assert_int_equal(phv.b2[7], 0);
    assert_int_equal(a.executed, op);
    assert_false(a.refused);
    FIELDS_ARE(entry, (s1, op ? new_1[o] : 70), (s2, 80));
  }
}

static struct sluice_model_step shown;
static void step(void *user, const struct sluice_model_step *s) {
  (void)user;
  shown = *s;
}

// Both words of the entry, before the operation and behind it; zeros if it was refused, or if there
// was none.
TEST(a_step_shows_the_state) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("menshen");
  struct entry action = {{0}};
  segment(m, 1, ROW, 0, 4);
  access(m, 1, ROW, 0, 0, operand(B2, 0));
  entry_slot(&action, 16, instr(SLUICE_OP_LOADD, 0, 0));
  sluice_model_watch(m, step, NULL);
  for (unsigned i = 0; i < 3; i++) {
    const bool none = i == 0, refused = i == 2;
    struct sluice_model_phv phv = {.vid = ROW, .b2 = {refused ? 4 : 3}};
    struct sluice_model_access a = {0};
    if (!none) match_all(m, 1, ROW, 6, &action);
    *model_slot(m, 1, 1, 1) = (struct model_pair){70, 80};
    model_resolve(m, 1, &phv, &a);
    model_stage_back(m, 1, &phv, &a, NULL);
    FIELDS_ARE(&shown, (kind, SLUICE_STEP_BACK), (stage, 1), (row, none ? -1 : 6), (engine, -1),
               (state, !none), (before[0], i == 1 ? 70 : 0), (before[1], i == 1 ? 80 : 0),
               (behind[0], i == 1 ? 71 : 0), (behind[1], i == 1 ? 80 : 0));
  }
}

TEST(predicate_of_the_access_decides_at_the_order_point) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("tiny");
  segment(m, 1, ROW, 0, 300);  // more than the memory has
  struct sluice_model_phv phv = {.vid = ROW};
  for (unsigned invert = 0; invert < 2; invert++)
    for (unsigned value = 0; value < 2; value++) {
      struct entry e = ENTRY_OF(ACCESS, (ENABLE, 1), (INVERT, invert), (PREDICATE, operand(B6, 1)),
                                (INDEX, operand(B6, 0)));
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
}

// A back stage without state matches and computes, but has no state unit: EXT gives 0, slot 16's
// LOAD, STORE and LOADD change nothing, and nothing is counted as refused.
TEST(a_stage_without_state_has_no_state_unit) {
  struct sluice_config config = *sluice_config_find("k4");
  config.StateStages = 1;
  struct sluice_model *m CLOSED_BY(close_model) = with_modules(sluice_model_open(&config));
  assert_non_null(m);
  static const unsigned ops[] = {SLUICE_OP_LOAD, SLUICE_OP_STORE, SLUICE_OP_LOADD};
  for (unsigned stage = 0; stage < 3; stage++)
    for (unsigned i = 0; i < 3; i++) {
      struct sluice_model_phv phv = {.vid = ROW, .b4 = {77, 78, [7] = 99}};
      struct sluice_model_access a = {0};
      struct entry action = {{0}};
      entry_slot(&action, 16, instr(ops[i], operand(B4, 0), operand(B4, 1)));
      entry_slot(&action, 9, instr_imm(SLUICE_OP_EXT, 0, SLUICE_EXT_NEW_1));
      entry_slot(&action, 10, instr(SLUICE_OP_ADD, operand(B4, 1), operand(B4, 1)));
      match_all(m, stage, ROW, 0, &action);
      model_stage_back(m, stage, &phv, &a, NULL);
      const bool there = stage == 0;
      assert_true(a.hit);
      assert_int_equal(a.executed, there);
      // stage 0 has no access: there it is refused, and reads 0
      assert_int_equal(a.refused, there);
      FIELDS_ARE(&phv, (b4[7], there && ops[i] != SLUICE_OP_STORE ? ops[i] == SLUICE_OP_LOADD : 99),
                 (b4[0], !there || ops[i] == SLUICE_OP_LOAD ? 0
                         : ops[i] == SLUICE_OP_LOADD        ? 1
                                                            : 77),
                 (b4[1], 156));
    }
}

// All of the state is that of the stages with state, and a packet may access it without any front
// stage.
TEST(packets_access_the_stages_with_state_alone) {
  struct sluice_config config = *sluice_config_find("k4");
  config.FrontStages = 0;
  config.StateStages = 2;
  struct sluice_model *m CLOSED_BY(close_model) = with_modules(sluice_model_open(&config));
  assert_non_null(m);
  struct entry action = {{0}};
  entry_slot(&action, 16, instr(SLUICE_OP_LOADD, 0, operand(B4, 0)));
  for (unsigned stage = 0; stage < config.BackStages; stage++) match_all(m, stage, ROW, 0, &action);
  for (unsigned stage = 0; stage < 2; stage++) {
    segment(m, stage, ROW, 8, 16);
    access(m, stage, ROW, 0, 0, operand(B4, 0));
  }
  struct entry module;  // stands behind ACCESS: an access, if it were read in the place of one
  memset(&module, 0xff, sizeof module);
  put(m, SLUICE_TABLE_MODULE, 0, ROW, &module);
  uint8_t frame[64];
  data_frame(frame, sizeof frame, ROW, 1);
  for (unsigned n = 1; n <= 3; n++) {
    const struct sluice_model_packet packet = {.bytes = frame, .len = sizeof frame};
    struct sluice_model_phv phv;
    struct sluice_model_result result;
    assert_int_equal(sluice_model_front(m, &packet, &phv), SLUICE_DROP_NONE);
    sluice_model_admit(m, &packet, &phv, &result);
    for (unsigned stage = 0; stage < config.BackStages; stage++) {
      const bool there = stage < 2;
      uint32_t s1 = 0, s2;
      assert_true(result.access[stage].hit);
      FIELDS_ARE(&result.access[stage], (resolved, there), (executed, there));
      assert_int_equal(sluice_model_state(m, ROW, stage, 0, &s1, &s2), there);
      assert_int_equal(s1, there ? n : 0);
    }
  }
}
