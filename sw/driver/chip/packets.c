// SPDX-License-Identifier: Apache-2.0
#include "packets.h"

#include "../wire/pack.h"

bool sluice_reconfig_plan(const struct sluice_plan *plan, sluice_send *send, void *context) {
  struct sluice_changes changes;
  bool good = sluice_plan_diff(NULL, plan, &changes, NULL) == SLUICE_OK;
  for (size_t i = 0; good && i < changes.num;) {
    struct sluice_frame frame;
    if (!sluice_change_is_packet(&changes.list[i])) {
      i++;
      continue;
    }
    i += sluice_pack(&frame, &changes.list[i], changes.num - i, SLUICE_FRAME_MAX);
    good = frame.len && send(context, &frame);
  }
  sluice_changes_release(&changes);
  return good;
}
