// SPDX-License-Identifier: Apache-2.0
// Reconfiguration packets against Menshen's public vectors (data/menshen-vectors.json) and
// machine.md. Run from the root of the tree.

#include <jansson.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/rig/test.h"
#include "base/rng.h"
#include "driver/wire/wire.h"
#include "base/bytes.h"

static json_t *vectors;

static int load_vectors(void **state) {
  (void)state;
  vectors = json_load_file("sw/tests/data/menshen-vectors.json", 0, NULL);
  return vectors ? 0 : -1;
}

static int free_vectors(void **state) {
  (void)state;
  json_decref(vectors);
  return 0;
}

static size_t unhex(uint8_t *out, const json_t *text) {
  const char *hex = json_string_value(text);
  assert_non_null(hex);
  size_t len = strlen(hex) / 2;
  for (size_t i = 0; i < len; i++) {
    char pair[3] = {hex[2 * i], hex[2 * i + 1], 0};
    out[i] = (uint8_t)strtoul(pair, NULL, 16);
  }
  return len;
}

static const json_t *vector(const char *id) {
  size_t i;
  json_t *v;
  json_array_foreach(json_object_get(vectors, "vectors"), i,
                     v) if (strcmp(json_string_value(json_object_get(v, "id")), id) == 0) return v;
  fail_msg("no vector '%s'", id);
  return NULL;
}

static enum sluice_table table_named(const char *name) {
  static const struct {
    const char *menshen;
    enum sluice_table table;
  } names[] = {{"parser", SLUICE_TABLE_PARSER},
               {"deparser", SLUICE_TABLE_DEPARSER},
               {"key extractor", SLUICE_TABLE_KEY_EXTRACT},
               {"key mask", SLUICE_TABLE_KEY_MASK},
               {"CAM", SLUICE_TABLE_MATCH},
               {"action RAM", SLUICE_TABLE_ACTION},
               {"segment", SLUICE_TABLE_SEGMENT16}};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(names[i].menshen, name) == 0) return names[i].table;
  return SLUICE_NUM_TABLES;
}

// Decoding gives Menshen's fields; encoding what was decoded gives the same bytes, the headers
// included.
TEST(menshen_packets_decode_and_encode_to_the_same_bytes) {
  size_t i, seen = 0;
  json_t *v;
  json_array_foreach(json_object_get(vectors, "vectors"), i, v) {
    if (strcmp(json_string_value(json_object_get(v, "kind")), "reconfiguration_packet") != 0)
      continue;
    static uint8_t bytes[SLUICE_FRAME_MAX];
    size_t len = unhex(bytes, json_object_get(v, "frame_hex"));
    enum sluice_table table = table_named(json_string_value(json_object_get(v, "table")));
    struct sluice_reconfig r;
    assert_int_equal(sluice_reconfig_decode(&r, bytes, len, NULL), SLUICE_OK);
    FIELDS_ARE(&r, (table, table), (op, SLUICE_CHAIN_WRITE));
    assert_int_equal(r.stage, json_integer_value(json_object_get(v, "stage")));
    assert_int_equal(r.index, json_integer_value(json_object_get(v, "index")));
    assert_int_equal(sluice_tables[r.table].bits,
                     json_integer_value(json_object_get(v, "entry_bits")));
    assert_int_equal(r.num_entries, 1);

    struct sluice_write write = {.table = table, .stage = r.stage, .index = r.index};
    memcpy(write.bytes, sluice_reconfig_entry(&r, 0), sluice_table_bytes(table));
    static struct sluice_frame frame;
    sluice_reconfig_write(&frame, &write);
    assert_int_equal(frame.len, len);
    assert_memory_equal(frame.bytes, bytes, len);
    seen++;
  }
  assert_int_equal(seen, 7);
}

// Entries built field by field with the names of layouts.def.
TEST(menshen_entries_are_built_from_their_fields) {
  uint8_t want[SLUICE_ENTRY_BYTES], got[SLUICE_ENTRY_BYTES];
#define CHECK(ID)                                                                        \
  do {                                                                                   \
    size_t len = unhex(want, json_object_get(vector(ID), "payload_left_justified_hex")); \
    assert_memory_equal(got, want, len);                                                 \
  } while (0)
  memset(got, 0, sizeof got);
  SLUICE_SETS(got, PARSE_ACTION, (OFFSET, 50), (KIND, SLUICE_TYPE_B4), (IDX, 5), (VALID, 1));
  CHECK("parse-action-1");
  memset(got, 0, sizeof got);
  SLUICE_SETS(got, KEY_EXTRACT, (B6_FIRST, 3), (B6_SECOND, 1), (B4_FIRST, 6), (B4_SECOND, 2),
              (B2_FIRST, 5), (B2_SECOND, 4), (CMP_OP, SLUICE_CMP_GE), (CMP_A, 1 << 3 | 6),
              (CMP_B, 0x100 | 0x2a));
  CHECK("key-extractor-1");
  memset(got, 0xff, sizeof got);
  got[24] = 0x80;
  SLUICE_SETS(got, KEY, (B2_FIRST, 0), (PREDICATE, 0));
  CHECK("key-mask");
  memset(got, 0, sizeof got);
  SLUICE_SET(got, MATCH, VID, 43);
  sluice_entry_set(got, SLUICE_MATCH_BITS, SLUICE_KEY_B2_FIRST_MSB, SLUICE_KEY_B2_FIRST_LSB,
                   0xbeef);
  sluice_entry_set(got, SLUICE_MATCH_BITS, 0, 0, 1);
  CHECK("cam-entry");
  memset(got, 0, sizeof got);
  SLUICE_SETS(got, SEGMENT16, (RANGE, 3), (BASE, 12));
  CHECK("segment");
#undef CHECK
}

TEST(bits_of_entries_read_back) {
  struct sluice_rng rng;
  sluice_rng_init(&rng, 1, "entry bits");
  for (int n = 0; n < 20000; n++) {
    unsigned width = 1 + (unsigned)sluice_rng_below(&rng, 625),
             msb = (unsigned)sluice_rng_below(&rng, width);
    unsigned most = msb + 1 < 64 ? msb + 1 : 64, bits = 1 + (unsigned)sluice_rng_below(&rng, most);
    uint64_t value = sluice_rng_next(&rng) & (bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1);
    uint8_t entry[SLUICE_ENTRY_BYTES], old[SLUICE_ENTRY_BYTES];
    for (size_t i = 0; i < sizeof entry; i++) entry[i] = old[i] = (uint8_t)sluice_rng_next(&rng);
    sluice_entry_set(entry, width, msb, msb + 1 - bits, value);
    assert_true(sluice_entry_get(entry, width, msb, msb + 1 - bits) == value);
    // All other bits are as they were.
    sluice_entry_set(entry, width, msb, msb + 1 - bits,
                     sluice_entry_get(old, width, msb, msb + 1 - bits));
    assert_memory_equal(entry, old, sizeof entry);
  }
}

// The checksums of a packet sum to all ones, and its lengths are its own.
static void check_headers(const struct sluice_frame *f) {
  uint32_t ip = 0, udp = 17;
  size_t udp_len = f->len - 38;
  for (size_t i = 18; i < 38; i += 2) ip += (uint32_t)(f->bytes[i] << 8 | f->bytes[i + 1]);
  for (size_t i = 30; i < f->len; i++) udp += i % 2 ? f->bytes[i] : (uint32_t)f->bytes[i] << 8;
  udp += (uint32_t)udp_len;
  while (ip >> 16) ip = (ip & 0xffff) + (ip >> 16);
  while (udp >> 16) udp = (udp & 0xffff) + (udp >> 16);
  assert_int_equal(ip, 0xffff);
  assert_int_equal(udp, 0xffff);
  assert_int_equal(sluice_get16(f->bytes + 20), f->len - 18);
  assert_int_equal(sluice_get16(f->bytes + 42), udp_len);
}

TEST(packets_of_many_entries_come_back) {
  struct sluice_rng rng;
  sluice_rng_init(&rng, 2, "many entries");
  static struct sluice_frame f;
  for (unsigned t = 0; t < SLUICE_NUM_TABLES; t++) {
    enum sluice_table table = (enum sluice_table)t;
    uint8_t entries[200][SLUICE_ENTRY_BYTES];
    unsigned n = 0;
    sluice_reconfig_begin(&f, SLUICE_CHAIN_WRITE, table, 3, 0x1234);
    SLUICE_RECONFIG_SET(&f, SERIAL, 0xabcd);
    for (; n < 200; n++) {
      for (size_t i = 0; i < SLUICE_ENTRY_BYTES; i++)
        entries[n][i] = (uint8_t)sluice_rng_next(&rng);
      if (!sluice_reconfig_append(&f, table, entries[n])) break;
    }
    sluice_reconfig_finish(&f);
    check_headers(&f);
    assert_in_range(f.len, 64, SLUICE_FRAME_MAX);
    assert_int_equal(
        n, (SLUICE_FRAME_MAX - 64 - sluice_table_bytes(table)) / sluice_table_stride(table) + 1);
    struct sluice_reconfig r;
    assert_int_equal(sluice_reconfig_decode(&r, f.bytes, f.len, NULL), SLUICE_OK);
    FIELDS_ARE(&r, (table, table), (index, 0x1234), (stage, 3), (serial, 0xabcd), (num_entries, n));
    for (unsigned i = 0; i < n; i++)
      assert_memory_equal(sluice_reconfig_entry(&r, i), entries[i], sluice_table_bytes(table));
    // One byte less: the last entry is not there.
    assert_int_equal(sluice_reconfig_decode(&r, f.bytes, f.len - 1, NULL), SLUICE_OK);
    assert_int_equal(r.num_entries, n - 1);
  }
}

TEST(requests_carry_their_fields) {
  static struct sluice_frame f;
  struct sluice_reconfig r;
  char text[200];
  sluice_reconfig_read(&f, SLUICE_TABLE_MATCH, 2, 5, 7, 3, 0x4321);
  check_headers(&f);
  assert_int_equal(f.len, 64);
  assert_int_equal(sluice_reconfig_decode(&r, f.bytes, f.len, NULL), SLUICE_OK);
  FIELDS_ARE(&r, (op, SLUICE_CHAIN_READ), (count, 7), (copy, 3), (serial, 0x4321));
  FIELDS_ARE(&f, (bytes[54], 3), (bytes[57], 7));
  assert_int_equal(sluice_get16(f.bytes + 58), 0x4321);

  sluice_reconfig_erase(&f, 4, 9);
  assert_int_equal(sluice_reconfig_decode(&r, f.bytes, f.len, NULL), SLUICE_OK);
  sluice_reconfig_describe(&r, text, sizeof text);
  assert_string_equal(text, "erase MATCH stage 4 index 9");

  sluice_reconfig_fill(&f, 1, 6, 100, 0xffffffff);
  assert_int_equal(sluice_reconfig_decode(&r, f.bytes, f.len, NULL), SLUICE_OK);
  assert_int_equal(r.table, SLUICE_TABLE_FILL);
  assert_int_equal(f.bytes[56], 6);
  sluice_entry_describe(r.table, sluice_reconfig_entry(&r, 0), text, sizeof text);
  assert_string_equal(text, "S1 0x64, S2 0xffffffff");

  sluice_reconfig_state_write(&f, 1, 6, 0x302, 1, 2);
  FIELDS_ARE(&f, (bytes[48], 2), (bytes[55], 3));
  check_headers(&f);
}

// One slot of an action word, disassembled.
static void expect_slot(unsigned slot, uint32_t word, const char *expected) {
  uint8_t entry[80] = {0};
  char text[200];
  sluice_entry_set(entry, sluice_tables[SLUICE_TABLE_ACTION].bits, 25 * slot + 24, 25 * slot, word);
  sluice_entry_describe(SLUICE_TABLE_ACTION, entry, text, sizeof text);
  assert_string_equal(text, expected);
}

TEST(entries_are_disassembled) {
  enum { OP = 1 << 21, A = 1 << 16, B = 1 << 11, F = 1 << 6, C = 1 << 1, FI = 1 << 12 };
  char text[300];
  uint8_t entry[80] = {0};
  sluice_entry_describe(SLUICE_TABLE_ACTION, entry, text, sizeof text);
  assert_string_equal(text, "nothing");
  expect_slot(0, SLUICE_OP_PORT * OP | 5 << 13, "destination = 0x05");
  expect_slot(0, SLUICE_OP_SETHI * OP | 9 * A | 16 * B, "port = 2B[1], discard = 4B[0] != 0");
  // the type of A is ignored
  expect_slot(1, SLUICE_OP_ADD * OP | 17 * A | 3 * B, "2B[0] = 2B[1] + 2B[3]");
  expect_slot(9, SLUICE_OP_FUNC * OP | 17 * A | 3 * B | SLUICE_FUNC_SELECT * F | 8 * C,
              "4B[0] = 2B[0] != 0 ? 4B[1] : 3");
  expect_slot(17, SLUICE_OP_FUNCI * OP | 24 * A | SLUICE_FUNCI_ADD * FI | 0xfff,
              "6B[0] = 6B[0] + -1");
  expect_slot(16, SLUICE_OP_LOADD * OP | 2 * B, "4B[7] = mem[4B[2]] + 1, stored");
  expect_slot(15, SLUICE_OP_LOADD * OP | 2 * B, "LOADD without effect in slot 15");
  // With DATA: constants are data words, or 4 less.
  expect_slot(0, SLUICE_OP_FUNC * OP | 3 * A | 1, "port = d3");
  expect_slot(10, SLUICE_OP_FUNC * OP | 17 * A | 2 * B | SLUICE_FUNC_SELECT * F | 5 * C | 1,
              "4B[1] = 1 != 0 ? 4B[1] : d2");
  expect_slot(9, SLUICE_OP_FUNCI * OP | 3 * A | SLUICE_FUNCI_ADD * FI | 1, "4B[0] = 3 + 1");

  memset(entry, 0, sizeof entry);
  SLUICE_SETS(entry, TERNARY, (VALID, 1), (ACTION, 40));
  sluice_entry_set(entry, SLUICE_TERNARY_BITS, SLUICE_TERNARY_KEY_LSB + 192,
                   SLUICE_TERNARY_KEY_LSB + 192, 1);
  sluice_entry_set(entry, SLUICE_TERNARY_BITS, 127, 96, 0x50);
  sluice_entry_describe(SLUICE_TABLE_TERNARY, entry, text, sizeof text);
  assert_string_equal(
      text, "VALID 1, ACTION 0x28, KEY 0x1000000000000000000000000000000000000000000000000, DATA "
            "0x50000000000000000000000000");

  memset(entry, 0, sizeof entry);
  SLUICE_SETS(entry, STATE_INSTR, (VALID, 1), (P1, 16), (K0, 700),
              (PRED_1, SLUICE_PRED_S_S1 << 9 | SLUICE_PRED_P_P1 << 6 | SLUICE_REL_LT << 3 |
                           SLUICE_PRED_Y_K0),
              (PRED_2, SLUICE_REL_TRUE << 3), (PRED_4, SLUICE_REL_FALSE << 3),
              (A1, 1 << 7 | SLUICE_ARM_P1 << 3 | SLUICE_ARM_ZERO),
              (A2, SLUICE_ARM_ZERO << 3 | SLUICE_ARM_ZERO));
  sluice_entry_describe(SLUICE_TABLE_STATE_INSTR, entry, text, sizeof text);
  assert_string_equal(text, "if ((S1 + 4B[0]) < 700, signed) {S1' = S1 + 4B[0], S2' = 0}");
}

// A field of 64 bits is a number like others, one of more a row of hexadecimal digits.
TEST(wide_fields_are_numbers) {
  static const struct {
    enum sluice_table table;
    unsigned msb, lsb;
    uint64_t value;
    const char *says;
  } list[] = {
      {SLUICE_TABLE_PORT_MASK, 63, 0, 5, "PORTS 5"},
      {SLUICE_TABLE_PORT_MASK, 63, 0, UINT64_C(0x8000000000000001), "PORTS 0x8000000000000001"},
      {SLUICE_TABLE_MATCH, SLUICE_MATCH_KEY_LSB + 3, SLUICE_MATCH_KEY_LSB, 5, "KEY 0x5"}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    uint8_t entry[SLUICE_ENTRY_BYTES] = {0};
    char text[200];
    sluice_entry_set(entry, sluice_tables[list[i].table].bits, list[i].msb, list[i].lsb,
                     list[i].value);
    sluice_entry_describe(list[i].table, entry, text, sizeof text);
    assert_string_equal(text, list[i].says);
  }
}

// What fills the space up to the next entry is 0.
TEST(between_entries_there_are_zeros) {
  struct sluice_frame f;
  uint8_t entry[SLUICE_ENTRY_BYTES];
  const enum sluice_table table = SLUICE_TABLE_KEY_MASK;
  const size_t len = sluice_table_bytes(table), stride = sluice_table_stride(table);
  memset(entry, 0xff, sizeof entry);
  memset(&f, 0xff, sizeof f);
  assert_true(len < stride);
  sluice_reconfig_begin(&f, SLUICE_CHAIN_WRITE, table, 0, 0);
  for (unsigned n = 0; n < 3; n++) assert_true(sluice_reconfig_append(&f, table, entry));
  assert_int_equal(f.len, SLUICE_RECONFIG_ENTRIES_AT + 2 * stride + len);
  for (size_t i = 0; i < 2 * stride; i++)
    if (f.bytes[SLUICE_RECONFIG_ENTRIES_AT + i] != (i % stride < len ? 0xff : 0))
      fail_msg("byte %zu is %02x", i, f.bytes[SLUICE_RECONFIG_ENTRIES_AT + i]);
}

TEST(sub_tables_are_found_as_menshen_finds_them) {
  for (unsigned t = 0; t < SLUICE_NUM_TABLES; t++)
    assert_int_equal(sluice_table_find(sluice_tables[t].module, sluice_tables[t].sub), t);
  assert_int_equal(sluice_table_find(0, 9), SLUICE_TABLE_PARSER);
  assert_int_equal(sluice_table_find(1, 3), SLUICE_TABLE_KEY_MASK);
  assert_int_equal(sluice_table_find(2, 1), SLUICE_TABLE_ACTION);
  assert_int_equal(sluice_table_find(3, 15), SLUICE_TABLE_SEGMENT16);
  assert_int_equal(sluice_table_find(4, 15), SLUICE_NUM_TABLES);
  assert_int_equal(sluice_table_find(7, 15), SLUICE_NUM_TABLES);
}

TEST(what_is_no_reconfiguration_packet_is_refused) {
  static struct sluice_frame f;
  struct sluice_reconfig r;
  struct sluice_error error;
  static const unsigned checked[] = {12, 13, 16, 17, 27, 40, 41};
  for (size_t i = 0; i < sizeof checked / sizeof checked[0]; i++) {
    sluice_reconfig_erase(&f, 0, 0);
    f.bytes[checked[i]] ^= 1;
    assert_int_equal(sluice_reconfig_decode(&r, f.bytes, f.len, &error), SLUICE_ERR_FORMAT);
    assert_non_null(strstr(error.text, "not a reconfiguration packet"));
  }
  sluice_reconfig_erase(&f, 0, 0);
  assert_int_equal(sluice_reconfig_decode(&r, f.bytes, 63, &error), SLUICE_ERR_FORMAT);
}

// Bytes from anywhere, exactly sized so that the sanitizer sees a read behind the end.
TEST(random_packets_never_break_decoder_or_text) {
  struct sluice_rng rng;
  sluice_rng_init(&rng, 3, "random packets");
  static struct sluice_frame f;
  for (int n = 0; n < 20000; n++) {
    sluice_reconfig_erase(&f, 0, 0);
    size_t len = 64 + sluice_rng_below(&rng, 400);
    uint8_t *bytes CLOSED_BY(freed) = malloc(len);
    memcpy(bytes, f.bytes, 46);
    for (size_t i = 46; i < len; i++) bytes[i] = (uint8_t)sluice_rng_next(&rng);
    struct sluice_reconfig r;
    char text[300];
    assert_int_equal(sluice_reconfig_decode(&r, bytes, len, NULL), SLUICE_OK);
    sluice_reconfig_describe(&r, text, 1 + sluice_rng_below(&rng, sizeof text));
    for (unsigned i = 0; i < r.num_entries; i++)
      sluice_entry_describe(r.table, sluice_reconfig_entry(&r, i), text,
                            1 + sluice_rng_below(&rng, sizeof text));
  }
}

// Stages have 5 bits, indices 16, and so on: the first value that does not fit is refused, the last
// that does is there.
TEST(nothing_is_cut) {
  struct sluice_frame f;
  struct sluice_reconfig p;
  assert_int_equal(sluice_reconfig_read(&f, SLUICE_TABLE_SEGMENT, 31, 65535, 255, 255, 65535),
                   SLUICE_OK);
  assert_int_equal(sluice_reconfig_decode(&p, f.bytes, f.len, NULL), SLUICE_OK);
  assert_true(p.stage == 31 && p.index == 65535 && p.count == 255 && p.copy == 255 &&
              p.serial == 65535);
  const unsigned most[] = {31, 65535, 255, 255, 65535};
  for (unsigned n = 0; n < 5; n++) {
    unsigned v[5] = {1, 1, 1, 1, 1};
    v[n] = most[n] + 1;
    assert_int_equal(sluice_reconfig_read(&f, SLUICE_TABLE_SEGMENT, v[0], v[1], v[2], v[3], v[4]),
                     SLUICE_ERR_RANGE);
    assert_int_equal(f.len, 0);
  }
  assert_int_equal(sluice_reconfig_erase(&f, 33, 0), SLUICE_ERR_RANGE);
  assert_int_equal(sluice_reconfig_fill(&f, 32, 0, 0, 0), SLUICE_ERR_RANGE);
  assert_int_equal(sluice_reconfig_state_write(&f, 0, 256, 0, 0, 0), SLUICE_ERR_RANGE);
  assert_int_equal(
      sluice_reconfig_write(&f, &(struct sluice_write){.table = SLUICE_TABLE_MODULE, .index = 1}),
      SLUICE_OK);
}

TEST(an_entry_is_not_cut) {
  assert_true(sluice_entry_fits(11, 0, 4095) && !sluice_entry_fits(11, 0, 4096) &&
              sluice_entry_fits(63, 0, UINT64_MAX) && sluice_entry_fits(204, 0, UINT64_MAX) &&
              !sluice_entry_fits(3, 3, 2));
  // A VLAN id of 13 bits in MODULE.VID: the child that tries ends with a message.
  int ends[2], status;
  assert_int_equal(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    uint8_t entry[SLUICE_ENTRY_BYTES] = {0};
    dup2(ends[1], STDERR_FILENO);
    SLUICE_SET(entry, MODULE, VID, 4096);
    _exit(0);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  char text[100] = "";
  assert_true(read(ends[0], text, sizeof text - 1) > 0);
  assert_non_null(strstr(text, "0x1000 for bits"));
  close(ends[0]);
  close(ends[1]);
}

TEST_GROUP(load_vectors, free_vectors)
