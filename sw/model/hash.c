// SPDX-License-Identifier: Apache-2.0
// The hash unit of a front stage.
#include "machine.h"

uint16_t model_crc16(const uint8_t *bytes, size_t len) {
  unsigned crc = 0;
  for (size_t i = 0; i < len; i++) {
    crc ^= bytes[i];
    for (int b = 0; b < 8; b++) crc = crc & 1 ? crc >> 1 ^ 0xa001u : crc >> 1;  // 0x8005 reflected
  }
  return (uint16_t)crc;
}

uint32_t model_crc32(const uint8_t *bytes, size_t len) {
  uint32_t crc = 0xffffffffu;
  for (size_t i = 0; i < len; i++) {
    crc ^= bytes[i];
    for (int b = 0; b < 8; b++)
      crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;  // 0x04c11db7 reflected
  }
  return ~crc;
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
  const size_t len = 4 * FIELD(instr, HASH_INSTR, NUM_WORDS);
  for (size_t i = 0; i < len; i++) bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
  uint32_t result = 0;
  if (FIELD(instr, HASH_INSTR, ALGORITHM) == SLUICE_HASH_CRC16) result = model_crc16(bytes, len);
  if (FIELD(instr, HASH_INSTR, ALGORITHM) == SLUICE_HASH_CRC32) result = model_crc32(bytes, len);
  return modulus ? result % modulus : result;
}
