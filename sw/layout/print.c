// SPDX-License-Identifier: Apache-2.0
#include "print.h"

#include <ctype.h>
#include <string.h>

enum kind { VALUE, LAYOUT, FIELD, TABLE, BLOCK, REG };

// One line of layouts.def: `group` is the enumeration, layout or block that it belongs to.
struct item {
  enum kind kind;
  const char *group, *name, *word, *doc;
  unsigned a, b, c;
};

static const struct item items[] = {
#define SLUICE_VALUE(ENUM, BITS, NAME, VAL, DOC) {VALUE, #ENUM, #NAME, "", DOC, VAL, BITS, 0},
#define SLUICE_LAYOUT(LAY, BITS, DOC) {LAYOUT, #LAY, "", "", DOC, BITS, 0, 0},
#define SLUICE_FIELD(LAY, FLD, MSB, LSB, DOC) {FIELD, #LAY, #FLD, "", DOC, MSB, LSB, 0},
#define SLUICE_TABLE(TAB, MODULE, SUB, BITS, SCOPE, DOC) {TABLE, #TAB, "", #SCOPE, DOC, MODULE, SUB, BITS},
#define SLUICE_BLOCK(BLK, FIRST, STEP, DOC) {BLOCK, #BLK, "", "", DOC, FIRST, STEP, 0},
#define SLUICE_REG(BLK, RG, OFFSET, ACCESS, DOC) {REG, #BLK, #RG, #ACCESS, DOC, OFFSET, 0, 0},
#include "../layouts.def"
};
enum { NUM_ITEMS = sizeof items / sizeof items[0] };

struct name {
  char text[80];
};

// SEGMENT_BASE -> SegmentBase
static struct name camel(const char *upper) {
  struct name n = {{0}};
  size_t k = 0;
  int start = 1;
  for (const char *p = upper; *p && k + 1 < sizeof n.text; p++) {
    if (*p == '_') {
      start = 1;
      continue;
    }
    n.text[k++] = (char)(start ? *p : tolower((unsigned char)*p));
    start = 0;
  }
  return n;
}

static struct name lower(const char *upper) {
  struct name n = {{0}};
  for (size_t k = 0; upper[k] && k + 1 < sizeof n.text; k++)
    n.text[k] = (char)tolower((unsigned char)upper[k]);
  return n;
}

// Every layout must be covered by its fields, most significant first, without gap or overlap.
static int check(void) {
  for (int i = 0; i < NUM_ITEMS; i++) {
    if (items[i].kind != LAYOUT) continue;
    int next = (int)items[i].a - 1;
    for (int j = i + 1; j < NUM_ITEMS && items[j].kind == FIELD; j++) {
      if (strcmp(items[j].group, items[i].group) != 0 || (int)items[j].a != next ||
          items[j].a < items[j].b) {
        fprintf(stderr, "layouts.def: %s.%s: bits %u:%u where bit %d is next\n", items[i].group,
                items[j].name, items[j].a, items[j].b, next);
        return -1;
      }
      next = (int)items[j].b - 1;
    }
    if (next != -1) {
      fprintf(stderr, "layouts.def: %s: bits %d:0 have no field\n", items[i].group, next);
      return -1;
    }
  }
  return 0;
}

static void print_enum(FILE *out, int first) {
  const char *group = items[first].group;
  fprintf(out, "\n  typedef enum logic [%u:0] {\n", items[first].b - 1);
  for (int i = first; i < NUM_ITEMS && items[i].kind == VALUE && !strcmp(items[i].group, group); i++) {
    int more = i + 1 < NUM_ITEMS && items[i + 1].kind == VALUE && !strcmp(items[i + 1].group, group);
    struct name g = camel(group), n = camel(items[i].name);
    fprintf(out, "    %s%s = %u'd%u%s  // %s\n", g.text, n.text, items[i].b, items[i].a,
            more ? "," : "", items[i].doc);
  }
  fprintf(out, "  } %s_e;\n", lower(group).text);
}

static void print_struct(FILE *out, int first) {
  const char *group = items[first].group;
  fprintf(out, "\n  // %s\n", items[first].doc);
  fprintf(out, "  localparam int unsigned %sWidth = %u;\n", camel(group).text, items[first].a);
  fprintf(out, "  typedef struct packed {\n");
  for (int i = first + 1; i < NUM_ITEMS && items[i].kind == FIELD; i++) {
    unsigned width = items[i].a - items[i].b + 1;
    char type[40];
    if (width == 1) snprintf(type, sizeof type, "logic");
    else snprintf(type, sizeof type, "logic [%u:0]", width - 1);
    fprintf(out, "    %-14s %s;  // [%u:%u] %s\n", type, lower(items[i].name).text, items[i].a,
            items[i].b, items[i].doc);
  }
  fprintf(out, "  } %s_t;\n", lower(group).text);
}

int layout_print_sv(FILE *out) {
  if (check()) return -1;
  fprintf(out,
          "// SPDX-License-Identifier: Apache-2.0\n"
          "// Printed by `make layout` from sw/layouts.def: edit that file, not this one.\n\n"
          "/// Every table, packet and register layout of the chip.\n"
          "// A package offers more constants than any one block reads.\n"
          "/* verilator lint_off UNUSEDPARAM */\n"
          "package sluice_layout_pkg;\n\n"
          "  localparam logic [31:0] LayoutHash = 32'h%08x;\n",
          sluice_layout_hash());
  const char *previous = "";
  for (int i = 0; i < NUM_ITEMS; i++) {
    const struct item *it = &items[i];
    switch (it->kind) {
      case VALUE:
        if (strcmp(previous, it->group) != 0) print_enum(out, i);
        break;
      case LAYOUT: print_struct(out, i); break;
      case FIELD: break;
      case TABLE:
        fprintf(out, "\n  // table, %s scope: %s\n", it->word, it->doc);
        fprintf(out, "  localparam logic [2:0] Table%sModule = 3'd%u;\n", camel(it->group).text, it->a);
        fprintf(out, "  localparam logic [3:0] Table%sSub = 4'd%u;\n", camel(it->group).text, it->b);
        fprintf(out, "  localparam int unsigned Table%sWidth = %u;\n", camel(it->group).text, it->c);
        break;
      case BLOCK:
        fprintf(out, "\n  // registers: %s\n", it->doc);
        fprintf(out, "  localparam logic [19:0] Block%sBase = 20'h%05x;\n", camel(it->group).text, it->a);
        fprintf(out, "  localparam logic [19:0] Block%sStride = 20'h%05x;\n", camel(it->group).text, it->b);
        break;
      case REG: {
        struct name g = camel(it->group), n = camel(it->name);
        fprintf(out, "  localparam logic [11:0] Reg%s%s = 12'h%03x;  // %s: %s\n", g.text, n.text, it->a,
                it->word, it->doc);
        break;
      }
    }
    previous = it->kind == VALUE ? it->group : "";
  }
  fprintf(out, "\nendpackage : sluice_layout_pkg\n/* verilator lint_on UNUSEDPARAM */\n");
  return ferror(out) ? -1 : 0;
}

int layout_print_config_sv(FILE *out, const struct sluice_config *c) {
  fprintf(out,
          "// SPDX-License-Identifier: Apache-2.0\n"
          "// Printed by `make layout` from sw/configs.def: edit that file, not this one.\n\n"
          "/// Configuration %s: %s.\n"
          "// A package offers more constants than any one block reads.\n"
          "/* verilator lint_off UNUSEDPARAM */\n"
          "package sluice_cfg_pkg;\n",
          c->name, c->doc);
#define SLUICE_PARAM(NAME, LOW, HIGH, POWER, DOC)                                             \
  fprintf(out, "  localparam int unsigned %-12s = %5u;  // %u..%u: %s\n", #NAME, c->NAME,     \
          LOW + 0u, HIGH + 0u, DOC);
#include "../configs.def"
  fprintf(out, "endpackage : sluice_cfg_pkg\n/* verilator lint_on UNUSEDPARAM */\n");
  return ferror(out) ? -1 : 0;
}

int layout_print_docs(FILE *out) {
  if (check()) return -1;
  fprintf(out,
          "# Tables and registers\n\n"
          "Printed by `make layout` from `sw/layouts.def`. [M]: Menshen's format, bit for bit.\n"
          "Layout hash (register `CHIP.ID`): `%08x`.\n\n"
          "## Tables of the daisy chain\n\n"
          "| table | byte 46 [2:0] | byte 47 [3:0] | entry bits | scope | |\n|---|---|---|---|---|---|\n",
          sluice_layout_hash());
  for (int i = 0; i < NUM_ITEMS; i++)
    if (items[i].kind == TABLE)
      fprintf(out, "| %s | %u | %u | %u | %s | %s |\n", items[i].group, items[i].a, items[i].b,
              items[i].c, items[i].word, items[i].doc);
  const char *previous = "";
  for (int i = 0; i < NUM_ITEMS; i++) {
    const struct item *it = &items[i];
    if (it->kind == LAYOUT)
      fprintf(out, "\n## Layout %s (%u bits)\n\n%s\n\n| bits | field | |\n|---|---|---|\n", it->group,
              it->a, it->doc);
    else if (it->kind == FIELD)
      fprintf(out, "| %u:%u | %s | %s |\n", it->a, it->b, it->name, it->doc);
    else if (it->kind == VALUE) {
      if (strcmp(previous, it->group) != 0)
        fprintf(out, "\n## Enumeration %s (%u bits)\n\n| value | name | |\n|---|---|---|\n", it->group,
                it->b);
      fprintf(out, "| %u | %s | %s |\n", it->a, it->name, it->doc);
    } else if (it->kind == BLOCK)
      fprintf(out,
              "\n## Registers %s: base 0x%05x, stride 0x%03x\n\n%s\n\n| offset | register | access | "
              "|\n|---|---|---|---|\n",
              it->group, it->a, it->b, it->doc);
    else if (it->kind == REG)
      fprintf(out, "| 0x%03x | %s | %s | %s |\n", it->a, it->name, it->word, it->doc);
    previous = it->kind == VALUE ? it->group : "";
  }
  fprintf(out, "\n## Configurations\n\n| parameter | legal |");
  for (unsigned i = 0; i < sluice_num_configs; i++) fprintf(out, " %s |", sluice_configs[i].name);
  fprintf(out, " |\n|---|---|");
  for (unsigned i = 0; i < sluice_num_configs; i++) fprintf(out, "---|");
  fprintf(out, "---|\n");
#define SLUICE_PARAM(NAME, LOW, HIGH, POWER, DOC)                                        \
  fprintf(out, "| %s | %u..%u%s |", #NAME, LOW + 0u, HIGH + 0u, POWER ? ", power of two" : ""); \
  for (unsigned i = 0; i < sluice_num_configs; i++) fprintf(out, " %u |", sluice_configs[i].NAME); \
  fprintf(out, " %s |\n", DOC);
#include "../configs.def"
  return ferror(out) ? -1 : 0;
}
