// SPDX-License-Identifier: Apache-2.0
// layouts.def as tables of Lua, which the dissector for Wireshark begins with (sw/wireshark).
#include <string.h>

#include "print.h"

static const struct {
  const char *enumeration, *name, *doc;
  unsigned value;
} values[] = {
#define SLUICE_VALUE(ENUM, BITS, NAME, VALUE, DOC) {#ENUM, #NAME, DOC, VALUE},
#include "../layouts.def"
};
static const struct {
  const char *name;
  unsigned bits;
} layouts[] = {
#define SLUICE_LAYOUT(LAYOUT, BITS, DOC) {#LAYOUT, BITS},
#include "../layouts.def"
};
static const struct {
  const char *layout, *name, *doc;
  unsigned msb, lsb;
} fields[] = {
#define SLUICE_FIELD(LAYOUT, FIELD, MSB, LSB, DOC) {#LAYOUT, #FIELD, DOC, MSB, LSB},
#include "../layouts.def"
};
#define COUNT(ARRAY) (sizeof(ARRAY) / sizeof *(ARRAY))

static void print_string(FILE *out, const char *text) {
  putc('"', out);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') putc('\\', out);
    putc(*text, out);
  }
  putc('"', out);
}

static bool has_layout(const char *name) {
  for (size_t i = 0; i < COUNT(layouts); i++)
    if (strcmp(layouts[i].name, name) == 0) return true;
  return false;
}

static void print_values(FILE *out) {
  fprintf(out, "local values = {\n");
  for (size_t i = 0; i < COUNT(values); i++) {
    if (i == 0 || strcmp(values[i].enumeration, values[i - 1].enumeration) != 0)
      fprintf(out, "%s  %s = {\n", i ? "  },\n" : "", values[i].enumeration);
    fprintf(out, "    [%u] = {\"%s\", ", values[i].value, values[i].name);
    print_string(out, values[i].doc);
    fprintf(out, "},\n");
  }
  fprintf(out, "  },\n}\n\n");
}

static void print_layouts(FILE *out) {
  fprintf(out, "local layouts = {\n");
  for (size_t l = 0; l < COUNT(layouts); l++) {
    fprintf(out, "  %s = {\n    bits = %u,\n", layouts[l].name, layouts[l].bits);
    for (size_t f = 0; f < COUNT(fields); f++) {
      if (strcmp(fields[f].layout, layouts[l].name) != 0) continue;
      fprintf(out, "    {\"%s\", %u, %u, ", fields[f].name, fields[f].msb, fields[f].lsb);
      print_string(out, fields[f].doc);
      fprintf(out, "},\n");
    }
    fprintf(out, "  },\n");
  }
  fprintf(out, "}\n\n");
}

int layout_print_lua(FILE *out) {
  fprintf(out, "-- SPDX-License-Identifier: Apache-2.0\n-- Printed from sw/layouts.def (sluice "
               "layout lua), and behind it sw/wireshark/dissector.lua.\n\n");
  print_values(out);
  print_layouts(out);
  fprintf(out, "local tables = {\n");
  for (unsigned t = 0; t < SLUICE_NUM_TABLES; t++) {
    const struct sluice_table_info *i = &sluice_tables[t];
    const char *layout = sluice_table_layout((enum sluice_table)t);
    fprintf(out, "  {name = \"%s\", module = %u, sub = %u, rest = %s, bits = %u, staged = %s",
            i->name, i->module, i->sub, i->rule == SLUICE_RULE_rest ? "true" : "false", i->bits,
            i->scope >= SLUICE_SCOPE_stage ? "true" : "false");
    if (has_layout(layout)) fprintf(out, ", layout = \"%s\"", layout);
    fprintf(out, "},\n");
  }
  fprintf(out, "}\n\n");
  return ferror(out) ? -1 : 0;
}
