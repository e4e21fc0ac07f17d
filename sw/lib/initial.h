// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/chip.h>
#include <sluice/image.h>

/// What arrays hold before the first packet, from a file: JSON, by VLAN id and array.
///
///     {"vid5": {"count": [7, 0, 12], "last": {"values": [-1, 3]}}}
///
/// Entries behind the given ones keep the value that the source gives. An array of rows has a list
/// for each row. A report of a run with its state (`sluice run --state --report FILE`) is such a
/// file too: its member `state` is read, and so a run goes on where another one ended.
///
///     SLUICE_TRY(sluice_initial_open(&initial, path, error));
///     SLUICE_TRY(sluice_initial_check(initial, 5, image, error));   // for each program
///     SLUICE_TRY(sluice_initial_write(initial, chip, error));       // that runs them
///     sluice_initial_free(initial);
struct sluice_initial;

/// SLUICE_ERR_FORMAT with a sentence that names file, array and entry: it is not of this form, or a
/// value does not fit 32 bits.
enum sluice_status sluice_initial_open(struct sluice_initial **out, const char *path,
                                       struct sluice_error *error);
/// Whether the program of this VLAN has the arrays that the file names for it, with so many
/// entries. Remembers that somebody has asked for this VLAN.
enum sluice_status sluice_initial_check(struct sluice_initial *initial, unsigned vid,
                                        const struct sluice_image *image,
                                        struct sluice_error *error);
/// Whether all VLANs of the file were asked for.
enum sluice_status sluice_initial_all_checked(const struct sluice_initial *initial,
                                              struct sluice_error *error);
/// Writes the entries that the chip does not hold yet. No packet may be inside.
enum sluice_status sluice_initial_write(const struct sluice_initial *initial,
                                        struct sluice_chip *chip, struct sluice_error *error);
/// Does nothing with NULL.
void sluice_initial_free(struct sluice_initial *initial);
