// SPDX-License-Identifier: Apache-2.0
// The deparser: from the PHV back to the first bytes of the packet.
#include <string.h>

#include "machine.h"

void model_deparse_moves(const struct model_move *moves, unsigned num,
                         const struct sluice_model_phv *phv, unsigned end, uint8_t *header) {
  for (unsigned n = 0; n < num; n++) {
    const struct model_move *move = &moves[n];
    const uint64_t value = model_read(phv, move->to);
    for (unsigned i = 0; i < move->bytes && move->offset + i < end; i++)
      header[move->offset + i] = (uint8_t)(value >> 8 * (move->bytes - 1u - i));
  }
}

void model_deparse(const struct sluice_model *m, const struct sluice_model_packet *packet,
                   const struct sluice_model_phv *phv, const struct model_array *array,
                   uint8_t *header) {
  const struct model_overlay *overlay = model_overlay(m, model_row(m, phv));
  const unsigned reach = m->config.HeaderBytes;
  const unsigned end = packet->len < reach ? packet->len : reach;
  memcpy(header, packet->bytes,
         packet->len < SLUICE_MODEL_HEADER ? packet->len : SLUICE_MODEL_HEADER);
  model_deparse_moves(overlay->deparse, overlay->num_deparse, phv, end, header);
  // Where the words of an array stand was read with the parser, in the bank that the packet had
  // then.
  struct sluice_model_phv came = *phv;
  if (m->config.FlipGuard) came.bank = (uint8_t)packet->bank;
  if (array) model_array_deparse(m, model_overlay(m, model_row(m, &came)), packet, array, header);
  if (overlay->options) model_checksums(overlay->options, packet->bytes, end, header);
}
