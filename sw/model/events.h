// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../base/status.h"
#include "checker.h"

/// All that a checker is told in a run, as a text: a line for each call, in their order. The text
/// gives the same verdict without the chip that it was recorded of.
///
///     sluice events 1
///     chip tiny
///     layout 0x4f3a1c22
///     bitmap 812 0x1
///     rx 900 0 2 17 1 0 0xffffffffffffffff 0003...
///     finish
///
/// Names and arguments: events.def. Lines that begin with # are comments.

/// Begins a recording, after reset, before anything has happened. `to` stays open, and is the
/// caller's to close; whether all was written it knows then.
void sluice_checker_record(struct sluice_checker *ck, FILE *to);

/// Plays such a text to a checker of its own.
struct sluice_replay;

/// `second`: NULL, or the reference that counts in place of the model. NULL: out of memory.
struct sluice_replay *sluice_replay_open(const struct sluice_second *second);
void sluice_replay_close(struct sluice_replay *replay);

/// One line, without its end. An error says what is wrong with it: nothing of it was told to the
/// checker.
enum sluice_status sluice_replay_line(struct sluice_replay *replay, const char *line,
                                      struct sluice_error *error);
/// The checker; NULL before the first event.
struct sluice_checker *sluice_replay_checker(const struct sluice_replay *replay);
/// Whether a line `finish` was played: the run was over.
bool sluice_replay_finished(const struct sluice_replay *replay);
uint64_t sluice_replay_events(const struct sluice_replay *replay);

/// The name of an event, and its arguments as in events.def; NULL behind the last one.
const char *sluice_event_name(unsigned n);
const char *sluice_event_arguments(unsigned n);
