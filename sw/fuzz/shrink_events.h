// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../model/events.h"

/// A recording of a run (model/events.h), and the verdict on it.
struct events_text {
  char *bytes;  // lines, each ended by 0
  char **lines;
  size_t num, room;
};

/// Reads a recording. `path`: "-" is standard input.
enum sluice_status events_read(struct events_text *text, const char *path,
                               struct sluice_error *error);
void events_release(struct events_text *text);

/// What a checker of its own says of them.
struct events_verdict {
  struct sluice_report report;
  uint64_t events;
  bool finished;
  size_t line;  // from 1: behind it there was a difference; 0: there was none
};

/// An error names the line. `second`: NULL, or the reference that counts.
enum sluice_status events_judge(const struct events_text *text, const struct sluice_second *second,
                                struct events_verdict *verdict, struct sluice_error *error);

/// Makes a recording with a difference smaller: what is behind the difference goes, then lines go,
/// in pieces, half as large each time, as long as the first difference stays the same: its field,
/// what is expected and what came, and the packet's number. Of a difference in a line `counter`
/// only what is behind it goes.
enum sluice_status events_shrink(struct events_text *text, const struct sluice_second *second,
                                 unsigned tries, struct sluice_error *error);
