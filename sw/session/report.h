// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jansson.h>
#include <sluice/chip.h>
#include <stdint.h>

#include "../base/status.h"

/// The report of a run, a JSON object. Whatever the chip was (a simulator, one that serves, the
/// model), a member has the same name and means the same: sw/report.def lists them all, and
/// docs/report.md is printed from there.
///
///     report_fates(root, &fates);
///     report_words(arrays, "count", stage, initial, words, num, lanes);
///     status = report_check(root, &error);  // what is not in the list is no report

enum { REPORT_VERSION = 1 };

/// What became of packets. Each is in exactly one of the four.
struct report_fates {
  uint64_t delivered;  // left at one port at least
  // For want of room or time: in the lane, at the order point, at every output; above the rate of
  // its module at the lane; or never left
  uint64_t lost;
  uint64_t discarded;  // by the program, all copies of it as well, or sent to no port by it
  // Damaged, not for a module that is there, or for ports alone that its module may not use
  uint64_t refused;
  uint64_t lost_copies;
};
/// From drops by reason. `undelivered`: lost all their copies at the outputs; `egress`: packets of
/// which no copy came through the egress stages; `inside`: never left.
struct report_fates report_fates_of(const uint64_t drops[SLUICE_NUM_DROPS], uint64_t delivered,
                                    uint64_t undelivered, uint64_t egress, uint64_t inside);
/// These members of `to`, and "drops": those that there were, by reason.
void report_add_fates(json_t *to, const struct report_fates *fates,
                      const uint64_t drops[SLUICE_NUM_DROPS]);
json_t *report_drops(const uint64_t drops[SLUICE_NUM_DROPS]);

/// An array as member `name` of `to`. Words are signed in the source. An array that each of `lanes`
/// output lanes has for itself has a list of values for each of them; `words` has all of them, one
/// lane behind the other.
void report_words(json_t *to, const char *name, unsigned stage, int32_t initial,
                  const uint32_t *words, unsigned num, unsigned lanes);
/// One of rows of `width` words.
void report_rows(json_t *to, const char *name, unsigned stage, const uint32_t *words, unsigned num,
                 unsigned width);

/// SLUICE_ERR_FORMAT: it is no report, or has a member that the list does not have, or of another
/// kind.
SLUICE_MUST_CHECK enum sluice_status report_check(const json_t *root, struct sluice_error *error);
