// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/rig/test.h"
#include "base/bytes.h"
#include "driver/image/image_tables.h"

/// An image with three tables, made by hand for chip `tables`, and the packets that show what it
/// does. Stages 0 and 1 are back stages, 2 is the front stage.
///
///     acl    stage 0, ternary   dst, dport with masks and a priority
///     host   stage 1, cuckoo    dst
///     route  stage 2, ternary   dst, longest prefix
///
/// Each has the actions forward(port, mark: 32), drop() and miss(), the default. A packet brings
/// dst in bytes 34..37, dport in 40..41; it leaves with the mark of stage s in bytes 46 + 4 s ..,
/// of drop 0xdead, of miss 0x0bad, and at the port of the last forward, at port 0 without one.
enum { RIG_ACL, RIG_HOST, RIG_ROUTE, RIG_TABLES, RIG_DROP = 0xdead, RIG_MISS = 0x0bad };

static inline struct sluice_write *rig_write(struct sluice_image *image, enum sluice_table table,
                                             unsigned stage, unsigned index) {
  struct sluice_write *w = sluice_image_add_write(image);
  assert_non_null(w);
  w->table = table;
  w->stage = stage;
  w->index = index;
  return w;
}

static inline void rig_slot(struct sluice_write *w, unsigned slot, uint32_t word) {
  sluice_entry_set(w->bytes, sluice_tables[SLUICE_TABLE_ACTION].bits,
                   SLUICE_INSTR_BITS * slot + SLUICE_INSTR_BITS - 1, SLUICE_INSTR_BITS * slot,
                   word);
}

static inline void rig_parse(struct sluice_write *w, unsigned n, unsigned offset, unsigned kind,
                             unsigned idx) {
  uint8_t *action = w->bytes + 2 * n;
  SLUICE_SETS(action, PARSE_ACTION, (OFFSET, offset), (KIND, kind), (IDX, idx), (VALID, 1));
}

static inline uint32_t rig_move(unsigned word) {
  return SLUICE_OP_FUNC << 21 | (SLUICE_TYPE_CONST << 3 | word) << 16 |
         SLUICE_FUNC_MOVE << SLUICE_INSTR_FUNC_F_LSB | 1;
}

// A row that writes a mark and gives a port: 0xffff: both from data words.
static inline void rig_action(struct sluice_image *image, unsigned stage, unsigned row,
                              unsigned mark) {
  struct sluice_write *w = rig_write(image, SLUICE_TABLE_ACTION, stage, row);
  if (mark == 0xffff) {
    rig_slot(w, 0, SLUICE_OP_FUNC << 21 | (SLUICE_TYPE_CONST << 3 | 0u) << 16 | 1);
    rig_slot(w, 10 + stage, rig_move(1));
  } else {
    rig_slot(w, 10 + stage, SLUICE_OP_SET << 21 | mark);
  }
}

static inline struct sluice_image_table *rig_table(struct sluice_image *image, const char *name,
                                                   unsigned stage, enum sluice_engine_kind engine,
                                                   unsigned size) {
  struct sluice_image_table *t = sluice_image_add_table(image);
  assert_non_null(t);
  *t = (struct sluice_image_table){.stage = stage,
                                   .engine = engine,
                                   .size = size,
                                   .num_keys = 1,
                                   .num_actions = 3,
                                   .default_action = 2};
  strcpy(t->name, name);
  strcpy(t->keys[0].name, "p.dst");
  t->keys[0].msb = SLUICE_KEY_B4_FIRST_MSB;
  t->keys[0].lsb = SLUICE_KEY_B4_FIRST_LSB;
  const char *const names[] = {"forward", "drop", "miss"};
  for (unsigned a = 0; a < 3; a++) {
    strcpy(t->actions[a].name, names[a]);
    t->actions[a].row = a;
  }
  t->actions[2].only_default = true;
  t->actions[0].num_args = 2;
  strcpy(t->actions[0].args[0].name, "port");
  t->actions[0].args[0].msb = 103, t->actions[0].args[0].lsb = 96;
  strcpy(t->actions[0].args[1].name, "mark");
  t->actions[0].args[1].msb = 95, t->actions[0].args[1].lsb = 64;
  rig_action(image, stage, 0, 0xffff);
  rig_action(image, stage, 1, RIG_DROP);
  rig_action(image, stage, 2, RIG_MISS);
  struct sluice_write *w = rig_write(image, SLUICE_TABLE_DEFAULT_ACTION, stage, 0);
  SLUICE_SETS(w->bytes, DEFAULT_ACTION, (VALID, 1), (ACTION, 2));
  (void)rig_write(image, SLUICE_TABLE_KEY_EXTRACT, stage, 0);
  return t;
}

// What is no key of the stage's table is hidden.
static inline void rig_mask(struct sluice_image *image, const struct sluice_image_table *t) {
  uint8_t bits[SLUICE_KEY_BYTES];
  struct sluice_write *w = rig_write(image, SLUICE_TABLE_KEY_MASK, t->stage, 0);
  sluice_table_key_bits(t, bits);
  for (unsigned i = 0; i < SLUICE_KEY_BITS; i++)
    sluice_entry_set(w->bytes, SLUICE_KEY_BITS, i, i,
                     !sluice_entry_get(bits, SLUICE_KEY_BITS, i, i));
}

static inline struct sluice_image rig_image(const char *chip) {
  const struct sluice_config *c = sluice_config_find(chip);
  struct sluice_image image = {.layout_hash = sluice_layout_hash()};
  strcpy(image.config, chip);
  strcpy(image.program, "router");
  struct sluice_write *w = rig_write(&image, SLUICE_TABLE_PARSER, 0, 0);
  rig_parse(w, 0, 34, SLUICE_TYPE_B4, 0);
  rig_parse(w, 1, 40, SLUICE_TYPE_B2, 0);
  w = rig_write(&image, SLUICE_TABLE_DEPARSER, 0, 0);
  for (unsigned s = 0; s < 3; s++) rig_parse(w, s, 46 + 4 * s, SLUICE_TYPE_B4, 1 + s);
  // Table by table: the list may move when it grows.
  for (unsigned n = 0; n < RIG_TABLES; n++) {
    static const char *const names[] = {"acl", "host", "route"};
    const enum sluice_engine_kind engine = n == RIG_HOST ? SLUICE_ENGINE_CUCKOO
                                                         : SLUICE_ENGINE_TERNARY;
    struct sluice_image_table *t =
        rig_table(&image, names[n], n, engine, sluice_engine_size(c, engine, n));
    t->keys[0].kind = n == RIG_ACL    ? SLUICE_KEY_TERNARY
                      : n == RIG_HOST ? SLUICE_KEY_EXACT
                                      : SLUICE_KEY_LPM;
    if (n == RIG_ACL) {
      t->num_keys = 2;
      strcpy(t->keys[1].name, "p.dport");
      t->keys[1].kind = SLUICE_KEY_TERNARY;
      t->keys[1].msb = SLUICE_KEY_B2_FIRST_MSB;
      t->keys[1].lsb = SLUICE_KEY_B2_FIRST_LSB;
    }
    // Without a port a packet goes nowhere: the first stage gives one.
    if (n == RIG_ROUTE)
      for (size_t i = 0; i < image.num_writes; i++) {
        struct sluice_write *a = &image.writes[i];
        if (a->table == SLUICE_TABLE_ACTION && a->stage == n && a->index > 0)
          rig_slot(a, 0, SLUICE_OP_PORT << 21 | 1u << SLUICE_INSTR_MD_DEST_LSB);
      }
    rig_mask(&image, t);
  }
  return image;
}

/// A constant entry: `width` bits of dst are compared.
static inline void rig_entry(struct sluice_image *image, unsigned table, unsigned action,
                             uint32_t dst, unsigned width, unsigned port, uint32_t mark) {
  struct sluice_image_entry *e = sluice_image_add_entry(image);
  assert_non_null(e);
  *e = (struct sluice_image_entry){.table = table, .action = action};
  if (table == RIG_ROUTE) e->priority = 32 - width;
  const unsigned msb = SLUICE_KEY_B4_FIRST_MSB;
  if (width) {
    sluice_entry_ones(e->care, SLUICE_KEY_BITS, msb, msb + 1 - width);
    sluice_entry_set(e->key, SLUICE_KEY_BITS, msb, msb + 1 - width, dst >> (32 - width));
  }
  if (action) return;
  sluice_entry_set(e->data, 128, 103, 96, port);
  sluice_entry_set(e->data, 128, 95, 64, mark);
}

// ---- packets ------------------------------------------------------------------------------------

enum { RIG_FRAME = 100 };
static inline void rig_frame(uint8_t bytes[RIG_FRAME], unsigned vid, uint32_t dst, unsigned dport) {
  memset(bytes, 0, RIG_FRAME);
  bytes[12] = 0x81, sluice_put16(bytes + 14, vid);
  bytes[16] = 0x08, bytes[18] = 0x45, bytes[27] = 17;
  sluice_put32(bytes + 34, dst);
  sluice_put16(bytes + 40, dport);
}
static inline uint32_t rig_mark(const uint8_t *bytes, unsigned stage) {
  const uint8_t *at = bytes + 46 + 4 * stage;
  return sluice_get32(at);
}
