// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../base/bytes.h"
#include "fuzz.h"

/// Private to sw/fuzz: where the fields of a capsule stand in a frame (layouts CAPSULE,
/// CAPSULE_ARGS and CAPSULE_INSTR, behind an 802.1Q tag).
enum {
  CAPSULE_TYPE_AT = 16,
  CAPSULE_SIGNATURE_AT = 18,
  CAPSULE_FLAGS_AT = 22,
  CAPSULE_FID_AT = 24,
  CAPSULE_SEQ_AT = 26,
  CAPSULE_DATA_AT = 28,  // four arguments of 4 bytes
  CAPSULE_LIST_AT = 44,  // instructions of 2 bytes
  CAPSULE_END = 128,     // the chip sees no more of a packet
  CAPSULE_ETHERTYPE = 0x83b2,
};

static inline bool is_capsule(const struct fuzz_frame *f) {
  return f->len >= 64 && sluice_get16(f->bytes + CAPSULE_TYPE_AT) == CAPSULE_ETHERTYPE;
}
/// Whether there is an instruction at byte `at`, or the EOF of the list.
static inline bool has_instruction(const struct fuzz_frame *f, unsigned at) {
  return at + 2 <= f->len && at < CAPSULE_END;
}
