// SPDX-License-Identifier: Apache-2.0
// DPI side of tb_sluice_deparser: the header that an entry makes of a header.
#include <string.h>

#include "sluice_deparser/deparse.h"

void deparse_model(const uint32_t *entry, const uint32_t *b2, const uint32_t *b4,
                   const uint32_t *b6, int num_actions, int size, int len, const uint32_t *old,
                   uint32_t *expected);

void deparse_model(const uint32_t *entry, const uint32_t *b2, const uint32_t *b4,
                   const uint32_t *b6, int num_actions, int size, int len, const uint32_t *old,
                   uint32_t *expected) {
  uint16_t actions[DEPARSE_ACTIONS];
  struct deparse_phv phv;
  for (unsigned a = 0; a < DEPARSE_ACTIONS; a++) {  // action 0 is the most significant
    const unsigned half = DEPARSE_ACTIONS - 1 - a;
    actions[a] = (uint16_t)(entry[half / 2] >> 16 * (half % 2));
  }
  memcpy(phv.b2, b2, sizeof phv.b2);
  memcpy(phv.b4, b4, sizeof phv.b4);
  for (unsigned i = 0; i < 8; i++) {  // 48 bits each, without a gap
    uint64_t v = 0;
    memcpy(&v, (const uint8_t *)b6 + 6 * i, 6);
    phv.b6[i] = v;
  }
  uint8_t header[DEPARSE_HEADER];
  memcpy(header, old, sizeof header);
  deparse(actions, (unsigned)num_actions, &phv, (unsigned)len, header, (unsigned)size);
  memcpy(expected, header, sizeof header);
}
