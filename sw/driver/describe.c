// SPDX-License-Identifier: Apache-2.0
// Packets and entries as text, with the names of layouts.def.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "reconfig.h"

struct field {
  const char *layout, *name;
  unsigned msb, lsb;
};

static const struct field fields[] = {
#define SLUICE_FIELD(LAYOUT, FIELD, MSB, LSB, DOC) {#LAYOUT, #FIELD, MSB, LSB},
#include "../layouts.def"
};

// Text that grows up to an end and stays terminated.
struct text {
  char *at;
  size_t room;
};

__attribute__((format(printf, 2, 3))) static void say(struct text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(text->at, text->room, format, arguments);
  va_end(arguments);
  size_t used = n < 0 ? 0 : (size_t)n;
  if (used >= text->room) used = text->room ? text->room - 1 : 0;
  text->at += used;
  text->room -= used;
}

static void say_fields(struct text *text, const char *layout, unsigned width,
                       const uint8_t *entry) {
  const char *comma = "";
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
    const struct field *f = &fields[i];
    if (strcmp(f->layout, layout) != 0) continue;
    uint64_t value = sluice_entry_get(entry, width, f->msb, f->lsb);
    unsigned over = f->msb - f->lsb + 1;
    if (over > 64) {  // the key of a MATCH entry: in hexadecimal, nibble by nibble
      bool any = false;
      for (unsigned bit = f->msb + 1; bit > f->lsb;) {
        unsigned top = bit - 1, low = top - (top - f->lsb) % 4;
        uint64_t nibble = sluice_entry_get(entry, width, top, low);
        if (nibble && !any) say(text, "%s%s 0x", comma, f->name), any = true, comma = ", ";
        if (any) say(text, "%x", (unsigned)nibble);
        bit = low;
      }
      continue;
    }
    if (!value) continue;
    if (value < 10)
      say(text, "%s%s %u", comma, f->name, (unsigned)value);
    else
      say(text, "%s%s 0x%llx", comma, f->name, (unsigned long long)value);
    comma = ", ";
  }
  if (!*comma) say(text, "0");
}

void sluice_entry_describe(enum sluice_table table, const uint8_t *entry, char *buffer,
                           size_t buffer_len) {
  struct text text = {buffer, buffer_len};
  if (buffer_len) *buffer = 0;
  bool any = false;
  switch (table) {
    case SLUICE_TABLE_PARSER:
    case SLUICE_TABLE_DEPARSER:
      for (unsigned a = 0; a < 10; a++) {
        const uint8_t *action = entry + 2 * (size_t)a;
        unsigned kind = (unsigned)SLUICE_GET(action, PARSE_ACTION, KIND);
        if (!SLUICE_GET(action, PARSE_ACTION, VALID) || !kind) continue;
        say(&text, "%s%s %u..%u %s %uB[%u]", any ? ", " : "",
            SLUICE_GET(action, PARSE_ACTION, METADATA) ? "metadata" : "bytes",
            (unsigned)SLUICE_GET(action, PARSE_ACTION, OFFSET),
            (unsigned)SLUICE_GET(action, PARSE_ACTION, OFFSET) + 2 * kind - 1,
            table == SLUICE_TABLE_PARSER ? "to" : "from", 2 * kind,
            (unsigned)SLUICE_GET(action, PARSE_ACTION, IDX));
        any = true;
      }
      break;
    case SLUICE_TABLE_ACTION:
      for (unsigned slot = 0; slot < 25; slot++) {
        uint64_t word = sluice_entry_get(entry, 625, 25 * slot + 24, 25 * slot);
        unsigned op = (unsigned)(word >> SLUICE_INSTR_OP_LSB);
        if (op == SLUICE_OP_NOP || op == SLUICE_OP_NOP_FILL) continue;
        say(&text, "%sslot %u %s 0x%06x", any ? ", " : "", slot, sluice_value_name("OP", op),
            (unsigned)(word & 0x1fffff));
        any = true;
      }
      break;
    case SLUICE_TABLE_KEY_MASK: say_fields(&text, "KEY", SLUICE_KEY_BITS, entry); return;
    case SLUICE_TABLE_STATE:
    case SLUICE_TABLE_FILL:
      say_fields(&text, "STATE_ENTRY", SLUICE_STATE_ENTRY_BITS, entry);
      return;
    default:
      if (table < SLUICE_NUM_TABLES)
        say_fields(&text, sluice_tables[table].name, sluice_tables[table].bits, entry);
      return;
  }
  if (!any) say(&text, "nothing");
}

void sluice_reconfig_describe(const struct sluice_reconfig *p, char *buffer, size_t buffer_len) {
  static const char *const ops[] = {"write", "read", "erase", "answer", "refused"};
  struct text text = {buffer, buffer_len};
  if (buffer_len) *buffer = 0;
  if (p->op < sizeof ops / sizeof ops[0])
    say(&text, "%s", ops[p->op]);
  else
    say(&text, "operation %u", p->op);
  if (p->table == SLUICE_NUM_TABLES)
    say(&text, " of no table (resource %u, sub-table %u)", p->resource, p->sub);
  else
    say(&text, " %s", sluice_tables[p->table].name);
  if (p->table == SLUICE_NUM_TABLES || sluice_tables[p->table].scope >= SLUICE_SCOPE_stage)
    say(&text, " stage %u", p->stage);
  if (p->table == SLUICE_TABLE_STATE || p->table == SLUICE_TABLE_FILL)
    say(&text, " row %u", p->row);
  if (p->table != SLUICE_TABLE_FILL) say(&text, " index %u", p->index);
  if (p->op == SLUICE_CHAIN_READ) say(&text, " count %u copy %u", p->count ? p->count : 1, p->copy);
  if (p->serial) say(&text, " serial %u", p->serial);
}
