// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "table.h"

/// From operations to the image, from inside: what emit.c and emit_parser.c share.

enum { CHOICE_BITS = 3 };  // of a number that chooses: below 8
enum { ENTRY_ACTIONS = 10, MAX_STAGE_NUMBER = 24, MAX_STAGE_CHOICES = 2 };
struct emitter {
  struct compiler *c;
  struct sluice_image *image;
  bool used[MAX_STAGE_NUMBER];                   // by stage number of the chip
  int table[MAX_STAGE_NUMBER];                   // the table that it holds, or -1
  const struct task *compare[MAX_STAGE_NUMBER];  // its wide compare, or NULL
  unsigned rows[MAX_STAGE_NUMBER];  // action rows: of a stage without a table and choices 1
  // Numbers that choose the action row of a stage: row = the first + num of the first * the second.
  struct choice {
    const struct operand *key;
    unsigned num;
  } choice[MAX_STAGE_NUMBER][MAX_STAGE_CHOICES];
  uint8_t action[MAX_STAGE_NUMBER][MAX_ROWS][SLUICE_ENTRY_BYTES];
};

/// Adds an entry of zeroes. It gives up when out of memory.
struct sluice_write *emit_entry(struct emitter *e, enum sluice_table table, unsigned stage);

/// Sets a field of a word.
#define FIELD(WORD, LAYOUT, NAME, VALUE)                                                         \
  (WORD |= ((uint32_t)(VALUE) &                                                                  \
            ((1u << (SLUICE_##LAYOUT##_##NAME##_MSB - SLUICE_##LAYOUT##_##NAME##_LSB + 1)) - 1)) \
           << SLUICE_##LAYOUT##_##NAME##_LSB)

/// Parser and deparser.
void emit_parser(struct emitter *e);
/// Where the packet has its array, what the module is, and the fields for reports.
void emit_packet(struct emitter *e);
