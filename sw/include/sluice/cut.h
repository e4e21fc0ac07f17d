// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CUT_H
#define SLUICE_CUT_H

#include <sluice/chip.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// Cuts: all arrays of modules as they were at one ticket, while packets go on (docs/marks.md,
/// Cuts). In chips with stages that have a shadow memory (parameter CutStages;
/// sluice_chip_info.cut_stages).
///
///     const unsigned vids[] = {3, 5};
///     // Packets below `ticket` are in it, no other.
///     status = sluice_chip_cut_begin(chip, vids, 2, &ticket, &error);
///     status = sluice_chip_cut_read(chip, 3, "bytes", 0, 64, bytes, &error);
///     status = sluice_chip_cut_read(chip, 5, "count", 0, 64, count, &error);
///     status = sluice_chip_cut_end(chip, &error);
///
/// A chip has one cut at a time. While it is there modules cannot be loaded, replaced, updated or
/// removed from here (SLUICE_ERR_BUSY), and indices of its modules do not move; arrays can be read
/// and written as ever. What a client that has gone left open is ended by the next one's
/// sluice_chip_cut_begin, or before its first change of a module.

/// Calls the indices of these modules home, takes a cut of them, and waits until it can be read.
/// `num` 0: of all modules. `ticket` may be NULL. Ends a cut that is there, and waits until it has
/// ended: some cycles an entry of the memory. SLUICE_ERR_UNSUPPORTED: the chip has no shadow
/// memory; SLUICE_ERR_NOT_FOUND: no such module. When it fails no cut is there.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_cut_begin(struct sluice_chip *chip,
                                                           const unsigned *vids, unsigned num,
                                                           uint32_t *ticket,
                                                           struct sluice_error *error);

/// Entries first..first+num-1 of an array, by its name in the source, as they were at the ticket.
/// It can be called again and again. SLUICE_ERR_NOT_FOUND: no cut is there, or no such array;
/// SLUICE_ERR_UNSUPPORTED: the array's stage has no shadow memory; SLUICE_ERR_RANGE: the module is
/// not in it, or no such entry; SLUICE_ERR_DIFFERS: the cut is gone, because the chip was reset or
/// another client has ended it: what was read before is good, what this call has read is not.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_cut_read(struct sluice_chip *chip, unsigned vid,
                                                          const char *array, unsigned first,
                                                          unsigned num, uint32_t *values,
                                                          struct sluice_error *error);

/// The same of several arrays, which takes less time: all are asked for before the first answers.
struct sluice_cut_part {
  const char *array;
  unsigned first, num;
  uint32_t *values;
};
enum { SLUICE_CUT_PARTS = 32 };  // at most, at once
SLUICE_MUST_CHECK enum sluice_status sluice_chip_cut_read_parts(struct sluice_chip *chip,
                                                                unsigned vid,
                                                                const struct sluice_cut_part *parts,
                                                                unsigned num,
                                                                struct sluice_error *error);

/// Ends it, if there is one. Does not wait.
SLUICE_MUST_CHECK enum sluice_status sluice_chip_cut_end(struct sluice_chip *chip,
                                                         struct sluice_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
