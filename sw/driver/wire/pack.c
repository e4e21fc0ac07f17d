// SPDX-License-Identifier: Apache-2.0
#include "pack.h"

bool sluice_change_is_packet(const struct sluice_change *change) {
  return change->kind == SLUICE_CHANGE_WRITE || change->kind == SLUICE_CHANGE_ERASE ||
         change->kind == SLUICE_CHANGE_FILL;
}

// Whether `next` can stand behind `last` in a packet.
static bool follows(const struct sluice_change *last, const struct sluice_change *next) {
  return next->kind == SLUICE_CHANGE_WRITE && next->table == last->table &&
         next->stage == last->stage && next->index == last->index + 1;
}

size_t sluice_pack(struct sluice_frame *frame, const struct sluice_change *list, size_t num,
                   size_t frame_max) {
  const struct sluice_change *first = &list[0];
  const enum sluice_table table = (enum sluice_table)first->table;
  size_t n = 1;
  if (first->kind == SLUICE_CHANGE_ERASE) {
    sluice_reconfig_erase(frame, first->stage, first->index);
    return 1;
  }
  if (first->kind == SLUICE_CHANGE_FILL) {
    sluice_reconfig_fill(frame, first->stage, first->row,
                         (uint32_t)SLUICE_GET(first->bytes, STATE_ENTRY, S1),
                         (uint32_t)SLUICE_GET(first->bytes, STATE_ENTRY, S2));
    return 1;
  }
  sluice_reconfig_begin(frame, SLUICE_CHAIN_WRITE, table, first->stage, first->index);
  sluice_reconfig_append(frame, table, first->bytes);
  while (n < num && follows(&list[n - 1], &list[n])) {
    const size_t at = frame->len;
    if (!sluice_reconfig_append(frame, table, list[n].bytes)) break;
    if (frame->len > frame_max) {
      frame->len = at;
      break;
    }
    n++;
  }
  sluice_reconfig_finish(frame);
  return n;
}
