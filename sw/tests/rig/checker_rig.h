// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/rig/test.h"
#include "tests/rig/frames.h"
#include "model/checker.h"

/// What tests tell the monitors before the first packet, in cycle 0: an entry, and the module of
/// row `row` with the VLAN id of that number.
static inline void put(struct sluice_checker *ck, enum sluice_table table, unsigned stage,
                       unsigned index, const struct entry *e) {
  uint8_t frame[400];
  const size_t len =
      control_frame(frame, (struct control){.table = table, .stage = stage, .index = index}, e, 1);
  assert_true(sluice_checker_control(ck, 0, frame, len, NULL));
}

static inline void put_module(struct sluice_checker *ck, unsigned row) {
  struct entry module = ENTRY_OF(MODULE, (VALID, 1), (VID, row));
  put(ck, SLUICE_TABLE_MODULE, 0, row, &module);
}
