// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "image.h"
#include "image_json.h"

/// Tables of an image (image.h, struct sluice_image_table): what a chip takes, and the two lists of
/// the file.

/// Whether the tables, their constant entries and the writes of their stages agree with each other
/// and with the chip; else `why` says what is wrong. What has passed can be placed.
bool sluice_image_check_tables(const struct sluice_config *config, const struct sluice_image *image,
                               char *why, size_t len);
/// The table of a stage, or NULL.
const struct sluice_image_table *sluice_image_table_in(const struct sluice_image *image,
                                                       unsigned stage);
/// Sets bits msb..lsb of a left-justified row of `width` bits to 1.
void sluice_entry_ones(uint8_t *bytes, unsigned width, unsigned msb, unsigned lsb);
/// Bits of KEY that the stage of a table compares: those of its keys, of a part in a cuckoo engine
/// as many of a prefix as its entries have, and its guards.
void sluice_table_key_bits(const struct sluice_image_table *table, uint8_t bits[SLUICE_KEY_BYTES]);
/// The class of entries with prefixes of this length (0 without an LPM key); NULL: the part takes
/// none. Of a whole table that of all entries.
const struct sluice_image_class *sluice_table_class(const struct sluice_image_table *table,
                                                    unsigned length);
/// Entries of all parts together, at most.
static inline unsigned sluice_table_whole(const struct sluice_image_table *table) {
  return table->part.num ? table->part.whole : table->size;
}
/// The LPM key of a table, or NULL. There is at most one.
const struct sluice_image_key *sluice_table_lpm(const struct sluice_image_table *table);
/// Whether its entries have a priority of their own: those with masks, where no prefix decides.
bool sluice_table_has_priority(const struct sluice_image_table *table);
static inline unsigned sluice_key_width(const struct sluice_image_key *key) {
  return key->msb - key->lsb + 1;
}
static inline enum sluice_table sluice_engine_table(enum sluice_engine_kind kind) {
  return kind == SLUICE_ENGINE_TERNARY  ? SLUICE_TABLE_TERNARY
         : kind == SLUICE_ENGINE_CUCKOO ? SLUICE_TABLE_CUCKOO
                                        : SLUICE_TABLE_ARRAY_MATCH;
}
/// The engine whose entries a table of the chip holds; false: it holds none.
static inline bool sluice_table_engine(enum sluice_table table, enum sluice_engine_kind *kind) {
  for (unsigned k = 0; k < SLUICE_NUM_ENGINES; k++) {
    *kind = (enum sluice_engine_kind)k;
    if (sluice_engine_table(*kind) == table) return true;
  }
  return false;
}
/// Entries of an engine in a stage; 0: the stage has none.
unsigned sluice_engine_size(const struct sluice_config *config, enum sluice_engine_kind kind,
                            unsigned stage);

extern const char *const sluice_engine_names[SLUICE_NUM_ENGINES], *const sluice_key_kind_names[3];

/// Elements of the lists "tables" and "entries". The whole is checked by the function above.
enum sluice_status image_load_table(const struct image_place *p, const json_t *from,
                                    const struct sluice_config *c, struct sluice_image_table *t);
enum sluice_status image_load_entry(const struct image_place *p, const json_t *from,
                                    const struct sluice_image *image, struct sluice_image_entry *e);
/// Writes both lists, with the comma and the name before each; nothing for an image without tables.
bool image_put_tables(const struct sluice_image *image, FILE *out);
