// SPDX-License-Identifier: Apache-2.0
// Ordered merge in the driver: where a program has the number by which its packets are sorted, and
// the registers of the chip, on the reference model of `merge`.

#include "tests/rig/test.h"
#include "tests/rig/chip_rig.h"
#include "tests/rig/says.h"

static const char text[] =
    "struct Packet { int time @ bytes(46, 4); int small @ bytes(50, 2); int sum @ bytes(52, 4);\n"
    "  int out @ meta.port_out; int n; };\n"
    "int last = 0;\n"
    "int near = 0;\n"
    "void f(struct Packet p) { p.n = last; last = p.time; near = p.small; p.sum = p.n; p.out = 1; "
    "}\n";

// The operand that PARSER fills from `offset`, from the entry itself.
static unsigned parsed(const struct sluice_image *image, unsigned offset) {
  for (size_t i = 0; i < image->num_writes; i++) {
    const struct sluice_write *w = &image->writes[i];
    if (w->table != SLUICE_TABLE_PARSER) continue;
    for (unsigned lsb = 0; lsb < 160; lsb += 16) {
      const uint64_t action = sluice_entry_get(w->bytes, 160, lsb + 15, lsb);
      if ((action >> SLUICE_PARSE_ACTION_OFFSET_LSB & 127) == offset && action & 1)
        return (unsigned)(action >> SLUICE_PARSE_ACTION_KIND_LSB & 3) << 3 |
               (unsigned)(action >> SLUICE_PARSE_ACTION_IDX_LSB & 7);
    }
  }
  fail_msg("nothing is parsed from byte %u", offset);
  return 0;
}

TEST(a_field_has_an_operand) {
  struct sluice_image *image CLOSED_BY(close_image) = compiled_text(text, "merge");
  unsigned key = 99;
  assert_non_null(image);
  GOOD(sluice_image_merge_key(image, "time", &key, &error));
  assert_int_equal(key, parsed(image, 46));
  assert_int_equal(key >> 3, SLUICE_TYPE_B4);
  GOOD(sluice_image_merge_key(image, "small", &key, &error));
  assert_int_equal(key, parsed(image, 50));
  assert_int_equal(key >> 3, SLUICE_TYPE_B2);
  SAYS(SLUICE_ERR_NOT_FOUND, "has no field 'hour'",
       sluice_image_merge_key(image, "hour", &key, &error));
  SAYS(SLUICE_ERR_RANGE, "does not read field 'sum' (bytes 52..55)",
       sluice_image_merge_key(image, "sum", &key, &error));
  SAYS(SLUICE_ERR_RANGE, "does not read field 'n' (temporary)",
       sluice_image_merge_key(image, "n", &key, &error));
}

// An action that writes the container counts in a front stage, and not behind the order point.
TEST(a_front_stage_spoils_it) {
  struct sluice_image *image CLOSED_BY(close_image) = compiled_text(text, "merge");
  const struct sluice_config *config = sluice_config_find("merge");
  unsigned key, other;
  assert_non_null(image);
  GOOD(sluice_image_merge_key(image, "time", &key, &error));
  struct sluice_write *w = sluice_image_add_write(image);
  assert_non_null(w);
  *w = (struct sluice_write){.table = SLUICE_TABLE_ACTION, .stage = config->BackStages - 1};
  const unsigned slot = 1 + 8 * ((key >> 3) - 1) + (key & 7);
  sluice_entry_set(w->bytes, sluice_tables[SLUICE_TABLE_ACTION].bits, 25 * slot + 24, 25 * slot,
                   (uint64_t)SLUICE_OP_SET << SLUICE_INSTR_OP_LSB);
  GOOD(sluice_image_merge_key(image, "time", &other, &error));
  assert_int_equal(key, other);
  w->stage = config->BackStages;
  SAYS(SLUICE_ERR_RANGE, "front stage 0 writes the container of field 'time'",
       sluice_image_merge_key(image, "time", &other, &error));
  GOOD(sluice_image_merge_key(image, "small", &other, &error));
}

static uint32_t reads(struct sluice_chip *chip, const char *name) {
  uint32_t addr, value;
  GOOD(sluice_chip_register(chip, "MERGE", 0, name, 0, &addr, &error));
  GOOD(sluice_chip_read(chip, addr, &value, &error));
  return value;
}

TEST(a_chip_gets_registers) {
  struct sluice_transport to CLOSED_BY(sluice_transport_close);
  struct sluice_chip *chip CLOSED_BY(close_chip);
  struct sluice_merge merge = {.lanes = 0xd, .key = SLUICE_TYPE_B4 << 3 | 2, .idle = 700};
  GOOD(sluice_transport_open(&to, "model:merge", NULL, &error));
  GOOD(sluice_chip_open(&chip, &to, NULL, &error));
  GOOD(sluice_chip_merge(chip, &merge, &error));
  assert_int_equal(reads(chip, "LANES"), 0xd);
  assert_int_equal(reads(chip, "KEY"), SLUICE_TYPE_B4 << 3 | 2);
  assert_int_equal(reads(chip, "IDLE"), 700);
  merge.lanes = 0x10;
  SAYS(SLUICE_ERR_RANGE, "chip 'merge' has the lanes 0 to 3",
       sluice_chip_merge(chip, &merge, &error));
  merge = (struct sluice_merge){.lanes = 1, .key = 32};
  SAYS(SLUICE_ERR_RANGE, "key 0x20 is no operand", sluice_chip_merge(chip, &merge, &error));
  merge = (struct sluice_merge){.lanes = 1, .idle = 65536};
  SAYS(SLUICE_ERR_RANGE, "65536 cycles", sluice_chip_merge(chip, &merge, &error));
  assert_int_equal(reads(chip, "LANES"), 0xd);
  sluice_chip_close(chip);
  sluice_transport_close(&to);
  GOOD(sluice_transport_open(&to, "model:tiny", NULL, &error));
  GOOD(sluice_chip_open(&chip, &to, NULL, &error));
  SAYS(SLUICE_ERR_UNSUPPORTED, "chip 'tiny' merges no lanes",
       sluice_chip_merge(chip, &merge, &error));
}
