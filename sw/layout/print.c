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
  const char *groups, *count;  // of a block: how many instances, 1 or parameters of configs.def
};

static const struct item items[] = {
#define SLUICE_VALUE(ENUM, BITS, NAME, VAL, DOC) \
  {VALUE, #ENUM, #NAME, "", DOC, VAL, BITS, 0, "", ""},
#define SLUICE_LAYOUT(LAY, BITS, DOC) {LAYOUT, #LAY, "", "", DOC, BITS, 0, 0, "", ""},
#define SLUICE_FIELD(LAY, FLD, MSB, LSB, DOC) {FIELD, #LAY, #FLD, "", DOC, MSB, LSB, 0, "", ""},
#define SLUICE_TABLE(TAB, MODULE, SUB, RULE, BITS, ROWS, SCOPE, OPS, COMMIT, KEPT, DOC) \
  {TABLE, #TAB, "", #SCOPE, DOC, MODULE, SUB, BITS, "", ""},
#define SLUICE_BLOCK(BLK, FIRST, STEP, GROUPS, COUNT, DOC) \
  {BLOCK, #BLK, "", "", DOC, FIRST, STEP, 0, #GROUPS, #COUNT},
#define SLUICE_REG(BLK, RG, OFFSET, ACCESS, DOC) SLUICE_REGS(BLK, RG, OFFSET, 1, ACCESS, DOC)
#define SLUICE_REGS(BLK, RG, OFFSET, WORDS, ACCESS, DOC) \
  {REG, #BLK, #RG, #ACCESS, DOC, OFFSET, WORDS, 0, "", ""},
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
    n.text[k++] = (char)(start ? toupper((unsigned char)*p) : tolower((unsigned char)*p));
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

void layout_print_comment(FILE *out, unsigned indent, const char *mark, const char *comment) {
  const size_t room = LAYOUT_COLUMNS - indent - strlen(mark) - 1;
  while (*comment) {
    size_t len = strlen(comment);
    if (len > room) {
      for (len = room; len > 1 && comment[len] != ' ';) len--;
      if (comment[len] != ' ') len = strcspn(comment, " ");
    }
    fprintf(out, "%*s%s %.*s\n", (int)indent, "", mark, (int)len, comment);
    comment += len;
    while (*comment == ' ') comment++;
  }
}

void layout_print_commented(FILE *out, unsigned indent, const char *code, const char *comment) {
  if (indent + strlen(code) + strlen("  // ") + strlen(comment) <= LAYOUT_COLUMNS) {
    fprintf(out, "%*s%s  // %s\n", (int)indent, "", code, comment);
    return;
  }
  layout_print_comment(out, indent, "//", comment);
  fprintf(out, "%*s%s\n", (int)indent, "", code);
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
  for (int i = first; i < NUM_ITEMS && items[i].kind == VALUE && !strcmp(items[i].group, group);
       i++) {
    int more = i + 1 < NUM_ITEMS && items[i + 1].kind == VALUE &&
               !strcmp(items[i + 1].group, group);
    struct name g = camel(group), n = camel(items[i].name);
    char code[200];
    snprintf(code, sizeof code, "%s%s = %u'd%u%s", g.text, n.text, items[i].b, items[i].a,
             more ? "," : "");
    layout_print_commented(out, 4, code, items[i].doc);
  }
  fprintf(out, "  } %s_e;\n", lower(group).text);
}

static void print_struct(FILE *out, int first) {
  const char *group = items[first].group;
  fputc('\n', out);
  layout_print_comment(out, 2, "//", items[first].doc);
  fprintf(out, "  localparam int unsigned %sWidth = %u;\n", camel(group).text, items[first].a);
  fprintf(out, "  typedef struct packed {\n");
  for (int i = first + 1; i < NUM_ITEMS && items[i].kind == FIELD; i++) {
    unsigned width = items[i].a - items[i].b + 1;
    char type[40], code[200], comment[600];
    if (width == 1) snprintf(type, sizeof type, "logic");
    else snprintf(type, sizeof type, "logic [%u:0]", width - 1);
    snprintf(code, sizeof code, "%-14s %s;", type, lower(items[i].name).text);
    snprintf(comment, sizeof comment, "[%u:%u] %s", items[i].a, items[i].b, items[i].doc);
    layout_print_commented(out, 4, code, comment);
  }
  fprintf(out, "  } %s_t;\n", lower(group).text);
}

// The words of layouts.def for a table, in the order of the enumerations of layouts.h.
static const char *const rows_words[] = {"overlay", "modules", "matches", "actions",
                                         "ternary", "cuckoo",  "masks",   "ids",
                                         "segment", "one",     "keys"};
static const char *const scope_words[] = {"lane",  "exit",  "stage", "state",
                                          "front", "order", "egress"};
static const char *const commit_words[] = {"owner", "order"};
static const char *const kept_words[] = {"all",    "actions",   "key",   "slots", "words",
                                         "hashes", "checksums", "ports", "entry", "array"};
enum { TABLE_BITS = 6, NUM_MODULES = 8 };
_Static_assert(SLUICE_NUM_TABLES < 1 << TABLE_BITS, "table_e has a value for no table");

static void print_words(FILE *out, const char *type, const char *prefix, const char *const *words,
                        unsigned count) {
  const unsigned bits = count > 8 ? 4 : count > 4 ? 3 : count > 2 ? 2 : 1;
  fprintf(out, "  typedef enum logic [%u:0] {\n", bits - 1);
  for (unsigned i = 0; i < count; i++)
    fprintf(out, "    %s%s = %u'd%u%s\n", prefix, camel(words[i]).text, bits, i,
            i + 1 < count ? "," : "");
  fprintf(out, "  } %s;\n\n", type);
}

// Every table in one enumeration, which one a packet names, and what is said of each.
static void print_tables(FILE *out) {
  fprintf(out,
          "\n  // The tables of the daisy chain, as a chain node tells them to what is beside it.\n"
          "  typedef enum logic [%d:0] {\n",
          TABLE_BITS - 1);
  for (unsigned t = 0; t < SLUICE_NUM_TABLES; t++)
    fprintf(out, "    Table%s = %d'd%u,\n", camel(sluice_tables[t].name).text, TABLE_BITS, t);
  fprintf(out,
          "    TableNone = %d'd%u\n  } table_e;\n  localparam int unsigned NumTables = %u;\n\n",
          TABLE_BITS, (1u << TABLE_BITS) - 1, (unsigned)SLUICE_NUM_TABLES);
  print_words(out, "table_rows_e", "Rows", rows_words, sizeof rows_words / sizeof *rows_words);
  print_words(out, "table_scope_e", "Scope", scope_words, sizeof scope_words / sizeof *scope_words);
  print_words(out, "table_kept_e", "Kept", kept_words, sizeof kept_words / sizeof *kept_words);
  fprintf(out,
          "  typedef struct packed {\n"
          "    logic [9:0]   width;   // bits of an entry; 0: no table\n"
          "    table_rows_e  rows;\n"
          "    table_scope_e scope;   // who owns it\n"
          "    logic         read;    // can be read\n"
          "    logic         write;   // can be written\n"
          "    logic         erase;   // can be erased\n"
          "    logic         order;   // the order point decides whether a write takes effect\n"
          "    table_kept_e  kept;    // which bits a chip keeps\n"
          "  } table_info_t;\n\n"
          "  function automatic table_info_t table_info(table_e which);\n    case (which)\n");
  for (unsigned t = 0; t < SLUICE_NUM_TABLES; t++) {
    const struct sluice_table_info *i = &sluice_tables[t];
    fprintf(out, "      Table%s:\n        return '{10'd%u, Rows%s, ", camel(i->name).text, i->bits,
            camel(rows_words[i->rows]).text);
    fprintf(out, "Scope%s, 1'b%d, 1'b%d, 1'b%d, 1'b%d, ", camel(scope_words[i->scope]).text,
            i->ops != SLUICE_OPS_write, i->ops != SLUICE_OPS_read, i->ops == SLUICE_OPS_erase,
            i->commit == SLUICE_COMMIT_order);
    fprintf(out, "Kept%s};\n", camel(kept_words[i->kept]).text);
  }
  fprintf(out,
          "      default: return '{10'd0, RowsOne, ScopeOrder, 1'b0, 1'b0, 1'b0, 1'b0, KeptAll};\n"
          "    endcase\n  endfunction\n\n"
          "  // Which table a packet or a message names.\n"
          "  function automatic table_e table_of(logic [2:0] resource, logic [3:0] sub);\n    case "
          "(resource)\n");
  for (unsigned m = 0; m < NUM_MODULES; m++) {
    const char *rest = "None";
    unsigned only = 0, any = 0;
    for (unsigned t = 0; t < SLUICE_NUM_TABLES; t++) {
      if (sluice_tables[t].module != m) continue;
      any++;
      if (sluice_tables[t].rule == SLUICE_RULE_rest) rest = sluice_tables[t].name;
      else only++;
    }
    if (!any) continue;
    if (!only) {
      fprintf(out, "      3'd%u: return Table%s;\n", m, camel(rest).text);
      continue;
    }
    fprintf(out, "      3'd%u: case (sub)\n", m);
    for (unsigned t = 0; t < SLUICE_NUM_TABLES; t++)
      if (sluice_tables[t].module == m && sluice_tables[t].rule == SLUICE_RULE_only)
        fprintf(out, "        4'd%u: return Table%s;\n", sluice_tables[t].sub,
                camel(sluice_tables[t].name).text);
    fprintf(out, "        default: return Table%s;\n      endcase\n",
            camel(strcmp(rest, "None") ? rest : "NONE").text);
  }
  fprintf(out, "      default: return TableNone;\n    endcase\n  endfunction\n");
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
  int tables_printed = 0;
  char code[200], comment[600];
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
        if (!tables_printed++) print_tables(out);
        snprintf(comment, sizeof comment, "table, %s scope: %s", it->word, it->doc);
        fputc('\n', out);
        layout_print_comment(out, 2, "//", comment);
        fprintf(out, "  localparam logic [2:0] Table%sModule = 3'd%u;\n", camel(it->group).text,
                it->a);
        fprintf(out, "  localparam logic [3:0] Table%sSub = 4'd%u;\n", camel(it->group).text,
                it->b);
        fprintf(out, "  localparam int unsigned Table%sWidth = %u;\n", camel(it->group).text,
                it->c);
        break;
      case BLOCK:
        snprintf(comment, sizeof comment, "registers: %s", it->doc);
        fputc('\n', out);
        layout_print_comment(out, 2, "//", comment);
        fprintf(out, "  localparam logic [19:0] Block%sBase = 20'h%05x;\n", camel(it->group).text,
                it->a);
        fprintf(out, "  localparam logic [19:0] Block%sStride = 20'h%05x;\n", camel(it->group).text,
                it->b);
        break;
      case REG: {
        struct name g = camel(it->group), n = camel(it->name);
        char several[40] = "";
        if (it->b > 1) snprintf(several, sizeof several, "%u registers: ", it->b);
        snprintf(code, sizeof code, "localparam logic [11:0] Reg%s%s = 12'h%03x;", g.text, n.text,
                 it->a);
        snprintf(comment, sizeof comment, "%s: %s%s", it->word, several, it->doc);
        layout_print_commented(out, 2, code, comment);
        break;
      }
    }
    previous = it->kind == VALUE ? it->group : "";
  }
  fprintf(out, "\nendpackage : sluice_layout_pkg\n/* verilator lint_on UNUSEDPARAM */\n");
  return ferror(out) ? -1 : 0;
}

// The largest value of a parameter of configs.def; 1 for the word "1".
static unsigned largest(const char *parameter) {
#define SLUICE_PARAM(NAME, LOW, HIGH, POWER, DOC, DEPENDS) \
  if (strcmp(parameter, #NAME) == 0) return HIGH;
#include "../configs.def"
  return 1;
}

// The smallest value, likewise; of what follows from parameters, which may be 0, that.
static unsigned least(const char *parameter) {
#define SLUICE_PARAM(NAME, LOW, HIGH, POWER, DOC, DEPENDS) \
  if (strcmp(parameter, #NAME) == 0) return LOW;
#define SLUICE_FOLLOWS(NAME, VALUE, DOC) \
  if (strcmp(parameter, #NAME) == 0) return 0;
#include "../configs.def"
  return 1;
}

static unsigned log2_up(unsigned n) {
  unsigned bits = 0;
  while (1u << bits < n) bits++;
  return bits;
}

// Whether instance and group of a block exist, as a term of a condition: nothing if there is one
// alone.
static void print_below(FILE *out, unsigned msb, unsigned bits, const char *limit) {
  // A parameter that may be 0: nothing is below that, and tools say so.
  const char *below = least(limit) ? "" : " + 1", *or_equal = least(limit) ? "" : "=";
  if (bits)
    fprintf(out, " && 32'(addr_i[%u:%u])%s <%s %s", msb, msb + 1 - bits, below, or_equal, limit);
}

static void print_block_cases(FILE *out, int block) {
  const struct item *it = &items[block];
  // Of a group of several instances there is room for 16.
  const bool grouped = strcmp(it->groups, "1") && strcmp(it->count, "1");
  unsigned inner = grouped ? 4 : log2_up(largest(it->count)), outer = log2_up(largest(it->groups));
  unsigned offset = log2_up(it->b), top = offset + inner + outer;
  fprintf(out, "    // %s: %s\n    if (addr_i[19:%u] == %u'h%x", it->group, it->doc, top, 20 - top,
          it->a >> top);
  print_below(out, offset + inner - 1, inner, it->count);
  print_below(out, top - 1, outer, it->groups);
  // Groups of which there is one or none.
  if (strcmp(it->groups, "1") && !outer) fprintf(out, " && %s != 0", it->groups);
  fprintf(out, ")\n      case (addr_i[%u:2])\n", offset - 1);
  for (int writable = 0; writable < 2; writable++) {
    unsigned on_line = 0;
    for (int i = block + 1; i < NUM_ITEMS && items[i].kind == REG; i++) {
      if ((strcmp(items[i].word, "rw") == 0) != writable) continue;
      for (unsigned w = 0; w < items[i].b; w++) {
        fprintf(out, "%s%u'h%x",
                !on_line      ? "        "
                : on_line % 7 ? ", "
                              : ",\n        ",
                offset - 2, (items[i].a >> 2) + w);
        on_line++;
      }
    }
    if (on_line) fprintf(out, ": {exists_o, writable_o} = 2'b1%d;\n", writable);
  }
  fprintf(out, "        default: ;\n      endcase\n");
}

int layout_print_csr_map(FILE *out) {
  fprintf(out, "// SPDX-License-Identifier: Apache-2.0\n"
               "// Printed by `make layout` from sw/layouts.def: edit that file, not this one.\n\n"
               "/// Tells whether a register has this address in a chip of this shape, and whether "
               "it can be\n"
               "/// written.\n"
               "/// Combinational.\n"
               "module sluice_csr_map\n  import sluice_cfg_pkg::*;\n(\n"
               "  input  logic [19:0] addr_i,\n"
               "  output logic        exists_o,     // a register starts at this address\n"
               "  output logic        writable_o    // and takes writes\n);\n"
               "  always_comb begin\n    {exists_o, writable_o} = 2'b00;\n");
  for (int i = 0; i < NUM_ITEMS; i++)
    if (items[i].kind == BLOCK) print_block_cases(out, i);
  fprintf(out, "    if (addr_i[1:0] != 2'b00) {exists_o, writable_o} = 2'b00;\n  end\nendmodule : "
               "sluice_csr_map\n");
  return ferror(out) ? -1 : 0;
}

int layout_print_docs(FILE *out) {
  if (check()) return -1;
  fprintf(out,
          "# Tables and registers\n\n"
          "Printed by `make layout` from `sw/layouts.def`. [M]: Menshen's format, [A]: "
          "ActiveRMT's, bit for bit.\n"
          "Opcodes are described as published; what a chip does with each: "
          "[machine](machine.md#capsules).\n"
          "Layout hash (register `CHIP.ID`): `%08x`.\n\n"
          "## Tables of the daisy chain\n\n"
          "A packet names a table by byte 46 [2:0] and byte 47 [3:0]; *rest*: every number there "
          "that no other table has. Rows: one a module\n"
          "(index = overlay row), one a match row, 256 masks, one an id of capsules (ids), as many "
          "as the segment of the module ROW has, or one.\n"
          "Owner: lane and exit (every lane), stage (byte 46 [7:3]: 0..S-1 back stages, S.. front "
          "stages), state (back stages that hold state), front (front stages), order\n"
          "(order point, once). Decided by: who says whether a write takes effect; *order*: the "
          "order point ([moves](moves.md)). Kept: which bits a\n"
          "chip keeps, the others read 0 ([machine](machine.md), Configuration).\n\n"
          "| table | byte 46 [2:0] | byte 47 [3:0] | entry bits | rows | owner | operations | "
          "decided by | kept | |\n"
          "|---|---|---|---|---|---|---|---|---|---|\n",
          sluice_layout_hash());
  for (unsigned t = 0; t < SLUICE_NUM_TABLES; t++) {
    const struct sluice_table_info *i = &sluice_tables[t];
    char sub[20];
    if (i->rule == SLUICE_RULE_rest) snprintf(sub, sizeof sub, "rest (%u)", i->sub);
    else snprintf(sub, sizeof sub, "%u", i->sub);
    static const char *const operations[] = {"read, write", "read, write, erase", "write", "read"};
    fprintf(out, "| %s | %u | %s | %u | %s | %s | %s | %s | %s | %s |\n", i->name, i->module, sub,
            i->bits, rows_words[i->rows], scope_words[i->scope], operations[i->ops],
            commit_words[i->commit], kept_words[i->kept], i->doc);
  }
  const char *previous = "";
  for (int i = 0; i < NUM_ITEMS; i++) {
    const struct item *it = &items[i];
    if (it->kind == LAYOUT)
      fprintf(out, "\n## Layout %s (%u bits)\n\n%s\n\n| bits | field | |\n|---|---|---|\n",
              it->group, it->a, it->doc);
    else if (it->kind == FIELD)
      fprintf(out, "| %u:%u | %s | %s |\n", it->a, it->b, it->name, it->doc);
    else if (it->kind == VALUE) {
      if (strcmp(previous, it->group) != 0)
        fprintf(out, "\n## Enumeration %s (%u bits)\n\n| value | name | |\n|---|---|---|\n",
                it->group, it->b);
      fprintf(out, "| %u | %s | %s |\n", it->a, it->name, it->doc);
    } else if (it->kind == BLOCK)
      fprintf(out,
              "\n## Registers %s: base 0x%05x, stride 0x%03x\n\n%s\n\n| offset | register | access "
              "| |\n|---|---|---|---|\n",
              it->group, it->a, it->b, it->doc);
    else if (it->kind == REG)
      it->b == 1 ? fprintf(out, "| 0x%03x | %s | %s | %s |\n", it->a, it->name, it->word, it->doc)
                 : fprintf(out, "| 0x%03x | %s | %s | %u registers: %s |\n", it->a, it->name,
                           it->word, it->b, it->doc);
    previous = it->kind == VALUE ? it->group : "";
  }
  fprintf(out, "\n## Configurations\n\nThe parameters of a chip and the shapes with names: "
               "[shapes.md](shapes.md).\n");
  return ferror(out) ? -1 : 0;
}
