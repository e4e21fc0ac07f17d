// SPDX-License-Identifier: Apache-2.0
// Reference of the hash unit, from the functions of the stage model.
#include "sluice_back_unit/stage_model.h"

static struct model model;
static struct phv packet;

/// The check values that catalogues of CRCs give for "123456789".
int hash_check(int which);
int hash_check(int which) {
  const uint8_t *text = (const uint8_t *)"123456789";
  return (int)(which == 16 ? crc16(text, 9) : crc32(text, 9));
}

/// Three operands are put into containers 4B[0..2], which every configuration of this test has.
int hash_reference(int algorithm, int words, int a, int b, int c, int modulus);
int hash_reference(int algorithm, int words, int a, int b, int c, int modulus) {
  struct bits *h = &model.hash[0];
  model.shape = (struct shape){.num = {0, 4, 4, 2}, .modules = 1};
  memset(h, 0, sizeof *h);
  SET(h, HASH_INSTR_VALID, 1);
  SET(h, HASH_INSTR_ALGORITHM, algorithm);
  SET(h, HASH_INSTR_NUM_WORDS, words);
  SET(h, HASH_INSTR_A, SLUICE_TYPE_B4 << 3 | 0);
  SET(h, HASH_INSTR_B, SLUICE_TYPE_B4 << 3 | 1);
  SET(h, HASH_INSTR_C, SLUICE_TYPE_B4 << 3 | 2);
  SET(h, HASH_INSTR_MODULUS, (uint32_t)modulus);
  packet.c[SLUICE_TYPE_B4][0] = (uint32_t)a;
  packet.c[SLUICE_TYPE_B4][1] = (uint32_t)b;
  packet.c[SLUICE_TYPE_B4][2] = (uint32_t)c;
  return (int)hash_result(&model, &packet);
}
