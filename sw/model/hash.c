// SPDX-License-Identifier: Apache-2.0
// The hash unit of a front stage.
#include "machine.h"

// CRC-16 (polynomial 0x8005) and CRC-32 (0x04c11db7), both reflected: what eight shifts make of
// each byte.
void model_crc_tables(struct sluice_model *m) {
  for (unsigned byte = 0; byte < 256; byte++) {
    uint32_t c16 = byte, c32 = byte;
    for (int b = 0; b < 8; b++) {
      c16 = c16 & 1 ? c16 >> 1 ^ 0xa001u : c16 >> 1;
      c32 = c32 & 1 ? c32 >> 1 ^ 0xedb88320u : c32 >> 1;
    }
    m->crc16[byte] = (uint16_t)c16;
    m->crc32[byte] = c32;
  }
}

uint16_t model_crc16(const struct sluice_model *m, const uint8_t *bytes, size_t len) {
  uint32_t crc = 0;
  for (size_t i = 0; i < len; i++) crc = crc >> 8 ^ m->crc16[(crc ^ bytes[i]) & 255u];
  return (uint16_t)crc;
}

uint32_t model_crc32(const struct sluice_model *m, const uint8_t *bytes, size_t len) {
  uint32_t crc = 0xffffffffu;
  for (size_t i = 0; i < len; i++) crc = crc >> 8 ^ m->crc32[(crc ^ bytes[i]) & 255u];
  return ~crc;
}

// The lowest byte first.
static void put_word(uint8_t *to, uint32_t word) {
  to[0] = (uint8_t)word;
  to[1] = (uint8_t)(word >> 8);
  to[2] = (uint8_t)(word >> 16);
  to[3] = (uint8_t)(word >> 24);
}

uint32_t model_hash(const struct sluice_model *m, unsigned stage,
                    const struct sluice_model_phv *phv) {
  const uint64_t *instr = model_entry(m, SLUICE_TABLE_HASH_INSTR, stage, model_row(m, phv));
  if (!FIELD(instr, HASH_INSTR, VALID)) return 0;
  const uint32_t modulus = FIELD32(instr, HASH_INSTR, MODULUS);
  const uint32_t words[3] = {
      model_operand32(m, phv, FIELD32(instr, HASH_INSTR, A)),
      model_operand32(m, phv, FIELD32(instr, HASH_INSTR, B)),
      model_operand32(m, phv, FIELD32(instr, HASH_INSTR, C)),
  };
  if (FIELD(instr, HASH_INSTR, ALGORITHM) == SLUICE_HASH_IDENTITY) {
    // C's % keeps the sign of the dividend, as the machine does; 64 bits so that no modulus is
    // negative.
    const int64_t value = (int32_t)words[0];
    return (uint32_t)(modulus ? value % (int64_t)modulus : value);
  }
  uint8_t bytes[12];
  const unsigned num = FIELD32(instr, HASH_INSTR, NUM_WORDS);
  for (unsigned w = 0; w < num; w++) put_word(bytes + 4 * w, words[w]);
  uint32_t result = 0;
  if (FIELD(instr, HASH_INSTR, ALGORITHM) == SLUICE_HASH_CRC16)
    result = model_crc16(m, bytes, 4 * num);
  if (FIELD(instr, HASH_INSTR, ALGORITHM) == SLUICE_HASH_CRC32)
    result = model_crc32(m, bytes, 4 * num);
  return modulus ? result % modulus : result;
}
