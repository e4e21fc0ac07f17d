// SPDX-License-Identifier: Apache-2.0
// Packets of the control port: the tables in some order, in packets of one or many entries; between
// them packets that the chip must refuse, and reads whose answers are compared.
#include <string.h>

#include "make.h"

void make_send(struct make *m, struct sluice_frame *frame) {
  fuzz_append(m->c, m->out, frame->bytes, frame->len, 0);
}

// What the chip ignores may be anything: cookie, reserved bits, addresses, sub-table numbers.
static void scribble(struct make *m, struct sluice_frame *frame, enum sluice_table table) {
  if (!chance(m, 50)) return;
  SLUICE_RECONFIG_SET(frame, RESERVED_HI, pick(m, 16));
  SLUICE_RECONFIG_SET(frame, COOKIE, pick32(m));
  SLUICE_RECONFIG_SET(frame, SERIAL, pick(m, 65536));
  frame->bytes[pick(m, 12)] = (uint8_t)pick(m, 256);
  if (table == SLUICE_TABLE_PARSER || table == SLUICE_TABLE_DEPARSER)
    SLUICE_RECONFIG_SET(frame, SUB, pick(m, 16));
  if (table == SLUICE_TABLE_KEY_MASK || table == SLUICE_TABLE_ACTION)
    SLUICE_RECONFIG_SET(frame, SUB, 1 + pick(m, 15));
  if (table == SLUICE_TABLE_SEGMENT16) SLUICE_RECONFIG_SET(frame, SUB, PICK(m, 0, 2, 3, 15));
}

static void finish_write(struct make *m, struct sluice_frame *frame, enum sluice_table table) {
  // Bits below the entry, and bytes behind it in its 64, mean nothing.
  unsigned bits = sluice_tables[table].bits, spare = 8 * sluice_table_bytes(table) - bits;
  if (chance(m, 30) && spare) frame->bytes[frame->len - 1] |= (uint8_t)pick(m, 1u << spare);
  size_t rest = (64 - frame->len % 64) % 64;
  // Not so many that they would be an entry of their own.
  if (chance(m, 20) && rest)
    for (unsigned n = pick(m, (unsigned)rest + 1); n > 0; n--)
      frame->bytes[frame->len++] = (uint8_t)pick(m, 256);
  scribble(m, frame, table);
  sluice_reconfig_finish(frame);
  make_send(m, frame);
}

// The order in which tables are written. State comes last, because where it goes depends on the
// segments; else any order will do.
static unsigned rank(const struct make_write *w) {
  switch (w->table) {
    case SLUICE_TABLE_FILL:
    case SLUICE_TABLE_STATE_ROW: return 1;  // a FILL behind rows makes them 0
    case SLUICE_TABLE_STATE: return 2;
    default: return 0;
  }
}

static void shuffle(struct make *m) {
  for (size_t i = m->num_writes; i > 1; i--) {
    size_t j = pick(m, (unsigned)i);
    struct make_write t = m->writes[i - 1];
    m->writes[i - 1] = m->writes[j];
    m->writes[j] = t;
  }
}

static int compare(const struct make_write *a, const struct make_write *b) {
  unsigned x[] = {rank(a), a->table, a->stage, a->row, a->index},
           y[] = {rank(b), b->table, b->stage, b->row, b->index};
  for (size_t i = 0; i < sizeof x / sizeof x[0]; i++)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

// Insertion sort: stable, so that of two writes of one entry the later one stays the later.
static void sort(struct make *m, bool by_index) {
  for (size_t i = 1; i < m->num_writes; i++) {
    struct make_write w = m->writes[i];
    size_t j = i;
    for (; j > 0; j--) {
      const struct make_write *before = &m->writes[j - 1];
      if (by_index ? compare(before, &w) <= 0 : rank(before) <= rank(&w)) break;
      m->writes[j] = m->writes[j - 1];
    }
    m->writes[j] = w;
  }
}

void make_send_writes(struct make *m) {
  bool together = chance(m, 60);
  if (!together) shuffle(m);
  sort(m, together);
  struct sluice_frame *frame = &(struct sluice_frame){0};
  for (size_t i = 0; i < m->num_writes; i++) {
    const struct make_write *w = &m->writes[i], *last = i ? w - 1 : NULL;
    bool follows = last && together && last->table == w->table && last->stage == w->stage &&
                   last->row == w->row && last->index + 1 == w->index && chance(m, 90);
    if (!follows || !sluice_reconfig_append(frame, w->table, w->bytes)) {
      if (last) finish_write(m, frame, last->table);
      sluice_reconfig_begin(frame, SLUICE_CHAIN_WRITE, w->table, w->stage, w->index);
      SLUICE_RECONFIG_SET(frame, ROW, w->row);
      sluice_reconfig_append(frame, w->table, w->bytes);
    }
  }
  if (m->num_writes) finish_write(m, frame, m->writes[m->num_writes - 1].table);
}

// Entries full of anything, which the real ones then replace.
static void send_junk(struct make *m) {
  for (unsigned n = pick(m, 6); n > 0; n--) {
    const struct make_write *w = &m->writes[pick(m, (unsigned)m->num_writes)];
    // A region of anything may lie where another module has state.
    if (rank(w) || sluice_tables[w->table].rows == SLUICE_ROWS_ids) continue;
    struct sluice_frame *frame = &(struct sluice_frame){0};
    uint8_t entry[SLUICE_ENTRY_BYTES];
    for (size_t i = 0; i < sizeof entry; i++) entry[i] = (uint8_t)pick(m, 256);
    sluice_reconfig_begin(frame, SLUICE_CHAIN_WRITE, w->table, w->stage, w->index);
    sluice_reconfig_append(frame, w->table, entry);
    finish_write(m, frame, w->table);
  }
}

static void make_bad(struct make *m, struct sluice_frame *frame) {
  const struct sluice_config *c = m->config;
  struct make_write w = m->writes[pick(m, (unsigned)m->num_writes)];
  const unsigned stages = make_all_stages(m);
  sluice_reconfig_begin(frame, SLUICE_CHAIN_WRITE, w.table, w.stage, w.index);
  SLUICE_RECONFIG_SET(frame, ROW, w.row);
  sluice_reconfig_append(frame, w.table, w.bytes);
  SLUICE_RECONFIG_SET(frame, SERIAL, pick(m, 65536));
  if (chance(m, 30)) SLUICE_RECONFIG_SET(frame, OP, SLUICE_CHAIN_READ);
  switch (pick(m, 12)) {
    case 0:
      SLUICE_RECONFIG_SET(frame, RESOURCE, 7);
      // Sub-tables from 4 on are nobody's.
      if (c->TernaryStages || c->CuckooStages || c->DefaultActions)
        SLUICE_RECONFIG_SET(frame, SUB, 4 + pick(m, 12));
      // or of egress stages
      if (c->EgressStages) SLUICE_RECONFIG_SET(frame, SUB, 10 + pick(m, 6));
      break;
    case 1:
      SLUICE_RECONFIG_SET(frame, RESOURCE, PICK(m, 4, 6));
      SLUICE_RECONFIG_SET(frame, SUB, 5 + pick(m, 11));
      if (c->Active) SLUICE_RECONFIG_SET(frame, SUB, 11 + pick(m, 5));  // no table of ids
      break;
    case 2:
      SLUICE_RECONFIG_SET(frame, RESOURCE, 1 + pick(m, 4));
      SLUICE_RECONFIG_SET(frame, STAGE, stages + pick(m, 32 - stages));
      break;
    case 3:  // a table of stages with state in another stage, or of front stages in a back stage
      SLUICE_RECONFIG_SET(frame, RESOURCE, PICK(m, 3, 4));
      SLUICE_RECONFIG_SET(frame, SUB, pick(m, 5));
      if (c->StateStages < c->BackStages && chance(m, 50)) {
        SLUICE_RECONFIG_SET(frame, STAGE, c->StateStages + pick(m, c->BackStages - c->StateStages));
        break;
      }
      SLUICE_RECONFIG_SET(frame, STAGE, pick(m, stages));
      SLUICE_RECONFIG_SET(frame, INDEX_HI, 1 + pick(m, 255));
      break;
    case 4: SLUICE_RECONFIG_SET(frame, INDEX_HI, 1 + pick(m, 255)); break;
    case 5: SLUICE_RECONFIG_SET(frame, OP, 2 + pick(m, 254)); break;
    case 6: frame->len = 64; break;
    case 7: frame->len = 1 + pick(m, 64); break;
    case 8: frame->bytes[PICK(m, 12, 13, 16, 17, 27, 40, 41)] ^= (uint8_t)(1u << pick(m, 8)); break;
    case 9: frame->len = frame->len > 64 ? frame->len - 1 : 63; break;
    case 10:
      SLUICE_RECONFIG_SET(frame, OP, SLUICE_CHAIN_READ);
      SLUICE_RECONFIG_SET(frame, COUNT, 129 + pick(m, 127));
      break;
    default:
      SLUICE_RECONFIG_SET(frame, OP, SLUICE_CHAIN_READ);
      SLUICE_RECONFIG_SET(frame, COPY, c->NumPipes + pick(m, 256 - c->NumPipes));
      break;
  }
}

void make_read(struct make *m, struct sluice_frame *frame) {
  const struct sluice_config *c = m->config;
  const struct make_write *w = &m->writes[pick(m, (unsigned)m->num_writes)];
  unsigned rows = sluice_table_rows(w->table, c), first = w->index;
  unsigned count = chance(m, 60) ? 1 : 1 + pick(m, 12), copy = pick(m, c->NumPipes);
  if (chance(m, 15)) first = pick(m, rows);
  if (count > 1) first -= first < count - 1 ? first : pick(m, count);
  // Mostly so many as there are; sometimes one too many.
  if (first < rows && first + count > rows && chance(m, 80)) count = rows - first;
  sluice_reconfig_read(frame, w->table, w->stage, first, count, copy, pick(m, 65536));
  SLUICE_RECONFIG_SET(frame, ROW, w->row);
  if (count == 1 && chance(m, 50)) SLUICE_RECONFIG_SET(frame, COUNT, 0);
}

static void make_erase(struct make *m, struct sluice_frame *frame) {
  const struct sluice_config *c = m->config;
  const unsigned stage = pick(m, make_all_stages(m));
  const unsigned row = chance(m, 95) ? pick(m, c->MatchEntries) : pick(m, 65536);
  sluice_reconfig_erase(frame, stage, row);
  for (unsigned i = 0; i < m->num_modules; i++) {
    struct make_own *own = &m->modules[i].own[stage];
    for (unsigned n = 0; n < own->num; n++)
      if (own->rows[n] == row) own->erased[n] = true;
  }
}

// Puts the extra frames in at random places; reads mostly at the end, when all is written.
static void send_extra(struct make *m, void (*make_frame)(struct make *, struct sluice_frame *),
                       unsigned num, unsigned at_end) {
  struct fuzz_frames *list = &m->c->control;
  struct sluice_frame *frame = &(struct sluice_frame){0};
  for (; num > 0; num--) {
    frame->len = 0;
    make_frame(m, frame);
    make_send(m, frame);
    if (list->num < 2 || chance(m, at_end)) continue;
    size_t at = pick(m, (unsigned)list->num);
    struct fuzz_frame last = list->items[list->num - 1];
    memmove(list->items + at + 1, list->items + at, (list->num - 1 - at) * sizeof last);
    list->items[at] = last;
  }
}

void make_control(struct make *m) {
  send_junk(m);
  make_send_writes(m);
  if (chance(m, 30)) send_extra(m, make_erase, 1 + pick(m, 3), 20);
  if (chance(m, 70)) send_extra(m, make_bad, pick(m, 16), 30);
  send_extra(m, make_read, 5 + pick(m, 40), 70);
}
