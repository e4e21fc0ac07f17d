// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stf.h"

enum { STF_WORD = 2100, STF_VALUES = 64, STF_PORTS = 512 };

/// A packet that came out, or one that should.
struct stf_frame {
  uint8_t *bytes, *mask;  // mask: of each bit whether it counts; NULL: all do
  size_t len;
  bool whole;  // the length counts, too
  unsigned port, line;
  struct stf_frame *next;
};
struct stf {
  struct p4r_stf *report;
  struct p4r_switch *sw;
  const char *why, *file, *at;
  unsigned line;
  bool named[STF_PORTS];  // in a packet or expect line
  struct stf_frame *seen, *wanted;
};
void stf_wrong(struct stf *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void stf_packet(struct stf *s);
void stf_expect(struct stf *s);
/// Compares what came out with what should, and frees both.
void stf_compare(struct stf *s);
