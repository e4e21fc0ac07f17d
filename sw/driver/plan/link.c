// SPDX-License-Identifier: Apache-2.0
#include "link.h"

// What a relocated field gets.
enum symbol {
  NOTHING,       // 0
  ALWAYS,        // 1
  VID,           // the module's VLAN id
  VID_LOW,       // bits 7:0 of it
  FIRST_PIPE,    // first pipeline of its set
  ACTIVE,        // its packets may be capsules
  SEGMENT_BASE,  // of its segment in the stage of the entry; 0 if it has none there
  SEGMENT_PIPE,  // pipeline of that segment; without one FIRST_PIPE
};

#define FIELD(TABLE, NAME) \
  SLUICE_TABLE_##TABLE, SLUICE_##TABLE##_##NAME##_MSB, SLUICE_##TABLE##_##NAME##_LSB
static const struct {
  enum sluice_table table;
  unsigned msb, lsb;
  enum symbol symbol;
} relocations[] = {
    {FIELD(MATCH, VID), VID_LOW},        {FIELD(MATCH, NOT_BANK), NOTHING},
    {FIELD(MATCH, RESERVED), NOTHING},   {FIELD(SEGMENT, BASE), SEGMENT_BASE},
    {FIELD(ACCESS, PIPE), SEGMENT_PIPE}, {FIELD(MODULE, VALID), ALWAYS},
    {FIELD(MODULE, VID), VID},           {FIELD(MODULE, PIPE), FIRST_PIPE},
    {FIELD(MODULE, ACTIVE), ACTIVE},
};

static unsigned value_of(enum symbol symbol, const struct sluice_placed *placed,
                         const struct sluice_segment *segment) {
  switch (symbol) {
    case NOTHING: return 0;
    case ALWAYS: return 1;
    case VID: return placed->vid;
    case VID_LOW: return placed->vid & 255u;
    case FIRST_PIPE: return placed->first;
    case ACTIVE: return placed->active;
    case SEGMENT_BASE: return segment ? segment->base : 0;
    case SEGMENT_PIPE: return segment ? segment->pipe : placed->first;
  }
  return 0;
}

void sluice_link(struct sluice_write *w, unsigned at, const struct sluice_placed *placed,
                 const struct sluice_segment *segment) {
  w->index = at;
  for (size_t i = 0; i < sizeof relocations / sizeof *relocations; i++)
    if (relocations[i].table == w->table)
      sluice_entry_set(w->bytes, sluice_tables[w->table].bits, relocations[i].msb,
                       relocations[i].lsb, value_of(relocations[i].symbol, placed, segment));
}
