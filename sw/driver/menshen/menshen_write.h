// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "menshen.h"

/// An action of an image as Menshen's operations (menshen_action.c).

/// What is known of an image before its actions are written.
struct menshen_names {
  const struct sluice_image *image;
  const struct sluice_config *config;
  unsigned place[8];  // of 4B container i: what it is called in Menshen's file
  // Containers that nothing names: bit i; those start at 0
  unsigned free2, free4;
  unsigned result;  // 4B container that values of the memory go to, before it is called 4B[7]
  unsigned zero;    // 4B container that is always 0, for arrays of one word
  bool has_zero;    // there is one
  bool discarded;   // a stage before may have set the discard flag
  bool discards;    // this one may
  struct sluice_error *error;
};

/// Finds out which containers are used, and gives 4B[7] to results of the memory.
enum sluice_status menshen_names(struct menshen_names *names);
/// "front stage 0", "back stage 3".
const char *menshen_stage_name(const struct menshen_names *names, unsigned stage, char text[40]);
/// Row `row` of `stage` with the data words `data` (layout MATCH_DATA; NULL: none) into `out`, an
/// ACTION entry of zeros.
enum sluice_status menshen_action(struct menshen_names *names, unsigned stage, unsigned row,
                                  const uint8_t *data, uint8_t *out);
/// The entry of an image at a place, or NULL.
const struct sluice_write *menshen_entry(const struct sluice_image *image, enum sluice_table table,
                                         unsigned stage, unsigned index);
/// What a parser action, a key or a comparator calls a 4B container.
unsigned menshen_place(const struct menshen_names *names, unsigned type, unsigned index);

/// Refuses what has no form: "'calc' has no form in Menshen's file: back stage 1, row 0: WHY".
enum sluice_status menshen_refuse(const struct menshen_names *names, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
