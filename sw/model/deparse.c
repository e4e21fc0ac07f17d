// SPDX-License-Identifier: Apache-2.0
// The deparser: from the PHV back to the first bytes of the packet.
#include <string.h>

#include "machine.h"

void model_deparse(const struct sluice_model *m, const struct sluice_model_packet *packet,
                   const struct sluice_model_phv *phv, uint8_t *header) {
  static const unsigned widths[4] = {0, 2, 4, 6};
  const unsigned row = model_row(m, phv);
  const unsigned reach = m->config.HeaderBytes;
  const unsigned end = packet->len < reach ? packet->len : reach;
  memcpy(header, packet->bytes, packet->len < SLUICE_MODEL_HEADER ? packet->len : SLUICE_MODEL_HEADER);
  const uint64_t *entry = model_entry(m, SLUICE_TABLE_DEPARSER, 0, row);
  for (unsigned n = 0; n < m->config.ParseActions; n++) {
    const uint64_t action = model_bits(entry, 159 - 16 * n, 144 - 16 * n);
    if (!FIELD(&action, PARSE_ACTION, VALID) || FIELD(&action, PARSE_ACTION, METADATA)) continue;
    const unsigned type = FIELD32(&action, PARSE_ACTION, KIND);
    const unsigned offset = FIELD32(&action, PARSE_ACTION, OFFSET);
    const uint64_t value = model_container(m, phv, type, FIELD32(&action, PARSE_ACTION, IDX));
    for (unsigned i = 0; i < widths[type] && offset + i < end; i++)
      header[offset + i] = (uint8_t)(value >> 8 * (widths[type] - 1 - i));
  }
  const uint8_t options = (uint8_t)*model_entry(m, SLUICE_TABLE_DEPARSE_OPT, 0, row);
  model_checksums(options, packet->bytes, end, header);
}
