// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../driver/plan/table_plan.h"

/// Entries and defaults in the form of the P4 tutorials' runtime.json become those of the image of
/// a P4 program. Of copies (multicast_group_entries, clone_session_entries) there are none.
enum sluice_status p4c_entries(struct sluice_image *image, unsigned vid,
                               const struct sluice_config *config, const char *text, size_t len,
                               struct sluice_error *error);
/// Puts an entry of a table behind those of the image.
enum sluice_status p4c_entries_keep(struct sluice_image *image, unsigned table,
                                    const struct sluice_stored *stored, struct sluice_error *error);

enum {
  P4C_NAME = 60,              // letters of a name of P4 that one of the image keeps
  P4C_PRIORITY = 2147483647,  // priority 0 of P4 on the chip, where the lowest wins
};
/// What stands in the image for a letter of a name of P4.
static inline char p4c_letter(char c) {
  const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return good ? c : '_';
}
