// SPDX-License-Identifier: Apache-2.0
// Packets and entries as text, with the names of layouts.def.
#include <string.h>

#include "../image/disassemble.h"
#include "wire.h"

struct field {
  const char *layout, *name;
  unsigned msb, lsb;
};

static const struct field fields[] = {
#define SLUICE_FIELD(LAYOUT, FIELD, MSB, LSB, DOC) {#LAYOUT, #FIELD, MSB, LSB},
#include "../../layouts.def"
};

static void say_fields(struct say *text, const char *layout, unsigned width, const uint8_t *entry) {
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
    if (value < 10) say(text, "%s%s %u", comma, f->name, (unsigned)value);
    else say(text, "%s%s 0x%llx", comma, f->name, (unsigned long long)value);
    comma = ", ";
  }
  if (!*comma) say(text, "0");
}

void sluice_entry_describe(enum sluice_table table, const uint8_t *entry, char *buffer,
                           size_t buffer_len) {
  struct say text = say_into(buffer, buffer_len);
  switch (table) {
    case SLUICE_TABLE_EGRESS_PARSER:
    case SLUICE_TABLE_PARSER: sluice_say_parse(&text, entry, "to"); break;
    case SLUICE_TABLE_EGRESS_DEPARSER:
    case SLUICE_TABLE_DEPARSER: sluice_say_parse(&text, entry, "from"); break;
    case SLUICE_TABLE_KEY_EXTRACT: sluice_say_key(&text, entry); break;
    case SLUICE_TABLE_ACTION: sluice_say_action(&text, entry); break;
    case SLUICE_TABLE_STATE_INSTR: sluice_say_state(&text, entry); break;
    case SLUICE_TABLE_ACCESS: sluice_say_access(&text, entry); break;
    case SLUICE_TABLE_HASH_INSTR: sluice_say_hash(&text, entry); break;
    case SLUICE_TABLE_MULTIPLY: sluice_say_multiply(&text, entry); break;
    case SLUICE_TABLE_KEY_COMPARE: sluice_say_compare(&text, entry); break;
    case SLUICE_TABLE_ARRAY_INSTR: sluice_say_row(&text, entry); break;
    case SLUICE_TABLE_ARRAY_KEYS: sluice_say_keys(&text, entry); break;
    default:
      if (table < SLUICE_NUM_TABLES)
        say_fields(&text, sluice_table_layout(table), sluice_tables[table].bits, entry);
      break;
  }
}

void sluice_reconfig_describe(const struct sluice_reconfig *p, char *buffer, size_t buffer_len) {
  static const char *const ops[] = {"write", "read", "erase", "answer", "refused"};
  struct say text = say_into(buffer, buffer_len);
  if (p->op < sizeof ops / sizeof ops[0]) say(&text, "%s", ops[p->op]);
  else say(&text, "operation %u", p->op);
  if (p->table == SLUICE_NUM_TABLES)
    say(&text, " of no table (resource %u, sub-table %u)", p->resource, p->sub);
  else say(&text, " %s", sluice_tables[p->table].name);
  if (p->table == SLUICE_NUM_TABLES || sluice_tables[p->table].scope >= SLUICE_SCOPE_stage)
    say(&text, " stage %u", p->stage);
  if (p->table == SLUICE_TABLE_STATE || p->table == SLUICE_TABLE_FILL ||
      p->table == SLUICE_TABLE_STATE_ROW || p->table == SLUICE_TABLE_TAKE ||
      p->table == SLUICE_TABLE_CUT ||
      (p->table < SLUICE_NUM_TABLES && sluice_tables[p->table].rows == SLUICE_ROWS_ids))
    say(&text, " row %u", p->row);
  if (p->table != SLUICE_TABLE_FILL) say(&text, " index %u", p->index);
  if (p->op == SLUICE_CHAIN_READ) say(&text, " count %u copy %u", p->count ? p->count : 1, p->copy);
  if (p->serial) say(&text, " serial %u", p->serial);
}
