// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdio.h>

#include "../image/image.h"

/// Configuration files of Menshen (NSDI'22): what its compiler writes and its scripts send, read
/// into images and written from them (docs/papers.md).
///
///     KeyExtractConf 000100010000000000000011
///     0000000000000000000000000000000000000000
///
/// A record is two lines: a tag with the bytes 46..48 of the packet to send (resource, sub-table,
/// index), and the entry, most significant bit first, filled up to whole bytes with 0. The tag
/// `Parser` has two headers: both entries get the same bits. Only headers say what a record is.
///
/// This room needs images alone: menshen_read.c makes one, menshen_write.h is the other way.
enum {
  SLUICE_MENSHEN_STAGES = 5,
  SLUICE_MENSHEN_ROWS = 16,   // of match entries and actions in a stage
  SLUICE_MENSHEN_MEMORY = 32  // words of a stage
};

struct sluice_menshen_record {
  enum sluice_table table;
  unsigned stage, index;  // index: the module's VLAN id; of MATCH and ACTION the row
  unsigned line;          // of the header, from 1; 0: not from a file
  uint8_t bytes[SLUICE_ENTRY_BYTES];
};
struct sluice_menshen_file {
  size_t num, room;
  struct sluice_menshen_record *list;
};
/// Appends a zeroed record, or NULL when out of memory.
struct sluice_menshen_record *sluice_menshen_add(struct sluice_menshen_file *file,
                                                 enum sluice_table table, unsigned stage,
                                                 unsigned index);
void sluice_menshen_release(struct sluice_menshen_file *file);

/// Reads a text; `name` is what messages call it. SLUICE_ERR_FORMAT with the line and the reason:
/// "'x.txt', line 4: 264 digits, an entry of PARSER has 160".
enum sluice_status sluice_menshen_parse(struct sluice_menshen_file *file, const char *text,
                                        size_t len, const char *name, struct sluice_error *error);
/// Writes it. A parser entry and the deparser entry behind it that are the same bits are one
/// record.
void sluice_menshen_print(const struct sluice_menshen_file *file, FILE *out);

/// What Menshen's allocation file (`--conffile`) gives a module: its rows of match entries, the
/// same in every stage, and its words of memory.
///
///     lkupconf 2      3 0 8      4 8 16      (VLAN id, first row, the row behind the last one)
///     statefulmem 1   3 0 8                  (VLAN id, first word, words)
struct sluice_menshen_room {
  unsigned vid, first_row, end_row, base, range;
};
/// All that there is.
struct sluice_menshen_room sluice_menshen_whole(unsigned vid);
/// The part of the module `room->vid`. SLUICE_ERR_FORMAT, or SLUICE_ERR_RANGE: it has no rows, or
/// more than there are. Without words in the file it has none.
enum sluice_status sluice_menshen_allocation(struct sluice_menshen_room *room, const char *text,
                                             size_t len, const char *name,
                                             struct sluice_error *error);

/// Makes the image of a module. `vid` 0: the only one of the file. SLUICE_ERR_FORMAT or
/// SLUICE_ERR_RANGE with the line and the reason: the chip cannot do it, or Menshen's hardware does
/// something by accident that this one does not.
///
/// What differs: an index is legal below the range (on Menshen's hardware also equal to it), and
/// all its bits count. The module drops what is not UDP, and sends to port 2 until an action says
/// otherwise, as Menshen's does.
enum sluice_status sluice_menshen_to_image(struct sluice_image *image,
                                           const struct sluice_menshen_file *file, const char *name,
                                           unsigned vid, const struct sluice_config *config,
                                           struct sluice_error *error);

/// Makes the records of an image. SLUICE_ERR_RANGE with the place and the reason where Menshen's
/// formats cannot say what the image does. The same packets come out as they do here if they are
/// UDP, and parsed containers are 0 at first.
enum sluice_status sluice_menshen_from_image(struct sluice_menshen_file *file,
                                             const struct sluice_image *image,
                                             const struct sluice_menshen_room *room,
                                             struct sluice_error *error);

/// A VLIW slot of an ACTION entry.
uint32_t sluice_menshen_slot(const uint8_t *action, unsigned slot);
void sluice_menshen_slot_set(uint8_t *action, unsigned slot, uint32_t word);
