// SPDX-License-Identifier: Apache-2.0
#include "assemble.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../base/nearest.h"
#include "../base/number.h"

enum { NAME = 40, MAX_LABELS = 64, FLAG_TARGET = 1, FLAG_NUMBERED = 2 };

// What a line says beside its opcode. A column of 0: it does not say it.
struct line {
  unsigned number, column;  // of the mnemonic
  char target[NAME], jump[NAME];
  unsigned target_column, jump_column, raw_column, polynomial_column;
  unsigned raw, polynomial;
};

struct assembler {
  struct active_source *source;
  bool explicit_labels;
  struct line lines[ACTIVE_MAX_INSTRS];
  unsigned num_labels;
  struct label {
    char name[NAME];
    unsigned number;
  } labels[MAX_LABELS];
};

static void note(struct active_source *s, bool warning, unsigned line, unsigned column,
                 const char *format, ...) __attribute__((format(printf, 5, 6)));
static void note(struct active_source *s, bool warning, unsigned line, unsigned column,
                 const char *format, ...) {
  if (warning) s->num_warnings++;
  else s->num_errors++;
  if (s->num_notes == ACTIVE_MAX_NOTES) return;
  struct active_note *n = &s->notes[s->num_notes++];
  n->line = line;
  n->column = column;
  n->warning = warning;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(n->text, sizeof n->text, format, arguments);
  va_end(arguments);
}

// ---- mnemonics ----------------------------------------------------------------------------------

static void unknown(struct assembler *a, const struct line *line, const char *name) {
  const char *near = NULL;
  unsigned best = SLUICE_NEAR + 1;
  char upper[NAME + 1];
  size_t len = 0;
  for (; name[len] && len < NAME; len++) upper[len] = (char)toupper((unsigned char)name[len]);
  upper[len] = 0;
  for (unsigned o = 1; active_opcode(o).known; o++)
    sluice_nearer(upper, sluice_value_name("OPCODE", o), &near, &best);
  note(a->source, false, line->number, line->column, "there is no instruction '%s'%s%s%s", name,
       near ? "; is it " : "; docs/tables.md lists them, enumeration OPCODE", near ? near : "",
       near ? "?" : "");
}

// ---- one line -----------------------------------------------------------------------------------

// The hexadecimal digits of a text; false: other characters, or not so many.
static bool hexadecimal(const char *text, size_t digits, unsigned *value) {
  uint64_t number;
  if (strlen(text) != digits || !sluice_hex_digits(text, digits, &number)) return false;
  *value = (unsigned)number;
  return true;
}

static bool is_name(const char *text) {
  for (const char *c = text; *c; c++)
    if (!isalnum((unsigned char)*c) && *c != '_') return false;
  return *text;
}

static void operand(struct assembler *a, struct line *line, unsigned opcode, bool word,
                    const char *text, unsigned column) {
  struct active_source *s = a->source;
  const unsigned n = line->number;
  const struct active_opcode o = active_opcode(opcode);
  switch (text[0]) {
    case '$':
      if (!is_name(text + 1)) note(s, false, n, column, "'%s': an argument is $ and a name", text);
      return;
    case ':':
    case '@':
      if (!is_name(text + 1)) {
        note(s, false, n, column, "'%s': a label is %c and a name of letters, digits and _", text,
             text[0]);
      } else if (text[0] == ':') {
        snprintf(line->target, sizeof line->target, "%s", text + 1);
        line->target_column = column;
      } else if (!o.jump) {
        note(s, false, n, column,
             "only CJUMP, CJUMPI and UJUMP jump to a label; write ':%s' if this is the target",
             text + 1);
      } else {
        snprintf(line->jump, sizeof line->jump, "%s", text + 1);
        line->jump_column = column;
      }
      return;
    case '#':
      line->polynomial = 0;
      line->polynomial_column = column;
      if (opcode != SLUICE_OPCODE_HASH)
        note(s, false, n, column, "only HASH takes the number of a polynomial");
      else if (!a->explicit_labels)
        note(
            s, false, n, column,
            "the published form hashes with the polynomial of the position; use the explicit form");
      else if (!sluice_unsigned_in(text + 1, 0, 9, &line->polynomial))
        note(s, false, n, column, "'%s': polynomials are #0 to #9", text);
      return;
    case '=':
      line->raw_column = column;
      if (!hexadecimal(text + 1, word ? 4 : 2, &line->raw))
        note(s, false, n, column, "'%s': %s in hexadecimal, as =%s", text,
             word ? "WORD takes both bytes" : "the first byte of the instruction",
             word ? "0129" : "01");
      return;
    default:
      note(s, false, n, column,
           "'%s' is no operand: $NAME, :LABEL, @LABEL, #POLYNOMIAL or =BYTE, behind a comma", text);
  }
}

// Copies what stands before the next comma, without blanks around it. Returns where it goes on.
static const char *word(const char *at, const char *end, char out[NAME], const char **begin,
                        bool *cut) {
  while (at < end && (*at == ' ' || *at == '\t')) at++;
  *begin = at;
  const char *comma = at;
  while (comma < end && *comma != ',') comma++;
  const char *last = comma;
  while (last > at && (last[-1] == ' ' || last[-1] == '\t')) last--;
  size_t len = (size_t)(last - at);
  *cut = len >= NAME;
  if (*cut) len = NAME - 1;
  memcpy(out, at, len);
  out[len] = 0;
  for (char *c = out; *c; c++)
    if (!isprint((unsigned char)*c)) *c = '?';
  return comma;
}

static void read_line(struct assembler *a, unsigned number, const char *text, const char *end) {
  struct active_source *s = a->source;
  for (const char *c = text; c + 1 < end; c++)
    if (c[0] == '/' && c[1] == '/') end = c;
  while (end > text && isspace((unsigned char)end[-1])) end--;
  char name[NAME];
  const char *begin;
  bool cut;
  const char *at = word(text, end, name, &begin, &cut);
  if (begin == end) return;
  struct line line = {.number = number, .column = (unsigned)(begin - text) + 1};
  const bool is_word = strcasecmp(name, "WORD") == 0;
  int opcode = is_word ? 0 : sluice_value_find("OPCODE", name);
  if (opcode < 0 || cut) {
    unknown(a, &line, name);
    opcode = SLUICE_OPCODE_NOP;
  } else if (opcode == SLUICE_OPCODE_EOF && !is_word) {
    note(s, false, number, line.column, "EOF is added behind the last instruction: take this out");
  }
  while (at < end) {
    char text_of[NAME];
    at = word(at + 1, end, text_of, &begin, &cut);
    const unsigned column = (unsigned)(begin - text) + 1;
    if (cut)
      note(s, false, number, column, "'%s...' is longer than %d characters", text_of, NAME - 1);
    else operand(a, &line, (unsigned)opcode, is_word, text_of, column);
  }
  if (is_word) {
    if (!line.raw_column)
      note(s, false, number, line.column, "WORD needs both bytes of the instruction, as =0129");
    else if ((line.raw & 0xff) == SLUICE_OPCODE_EOF)
      note(s, false, number, line.raw_column,
           "opcode 0 is EOF and ends the program: take this out");
    opcode = line.raw & 0xff;
    line.raw >>= 8;
  }
  if (s->program.num == ACTIVE_MAX_INSTRS) {
    note(s, false, number, line.column, "more than %d instructions", ACTIVE_MAX_INSTRS);
    return;
  }
  s->line[s->program.num] = number;
  a->lines[s->program.num] = line;
  s->program.instrs[s->program.num++] = (struct active_instr){0, (uint8_t)opcode};
}

// ---- labels -------------------------------------------------------------------------------------

// L0 .. L63; -1: another name.
static int number_in_name(const char *name) {
  if (name[0] != 'L' || !isdigit((unsigned char)name[1]) || (name[1] == '0' && name[2])) return -1;
  unsigned number;
  return sluice_unsigned_in(name + 1, 0, MAX_LABELS - 1, &number) ? (int)number : -1;
}

static bool taken(const struct assembler *a, unsigned number) {
  for (unsigned i = 0; i < a->num_labels; i++)
    if (a->labels[i].number == number) return true;
  return false;
}

// Numbers for the labels of the explicit form: first those in names, then the free ones.
static void add_label(struct assembler *a, const struct line *line, unsigned column,
                      const char *name, bool named) {
  const int own = number_in_name(name);
  if (!*name || (own >= 0) != named) return;
  for (unsigned i = 0; i < a->num_labels; i++)
    if (strcmp(a->labels[i].name, name) == 0) return;
  if (a->num_labels == MAX_LABELS) {
    note(a->source, false, line->number, column, "more than %d labels", MAX_LABELS);
    return;
  }
  unsigned number = 0;
  if (own >= 0) number = (unsigned)own;
  else
    while (taken(a, number)) number++;
  struct label *l = &a->labels[a->num_labels++];
  snprintf(l->name, sizeof l->name, "%s", name);
  l->number = number;
}

static unsigned label_number(const struct assembler *a, const char *name) {
  for (unsigned i = 0; i < a->num_labels; i++)
    if (strcmp(a->labels[i].name, name) == 0) return a->labels[i].number;
  return 0;
}

// The next line behind `from` with a label; -1: none.
static int find_target(const struct assembler *a, unsigned from, const char *name) {
  for (unsigned i = from + 1; i < a->source->program.num; i++)
    if (strcmp(a->lines[i].target, name) == 0) return (int)i;
  return -1;
}

// Where the skip of a jump ends in the chip; -1: at the end of the program.
static int skip_end(const struct active_program *p, unsigned from) {
  const struct active_instr jump = p->instrs[from];
  for (unsigned i = from + 1; i < p->num; i++) {
    const struct active_instr in = p->instrs[i];
    if (active_target(in) &&
        (!active_numbered(jump) || (active_numbered(in) && active_label(in) == active_label(jump))))
      return (int)i;
  }
  return -1;
}

static uint8_t published_flags(const struct line *line) {
  return *line->target || *line->jump ? FLAG_TARGET : 0;
}

static uint8_t explicit_flags(struct assembler *a, unsigned i) {
  const struct line *line = &a->lines[i];
  const bool hash = a->source->program.instrs[i].opcode == SLUICE_OPCODE_HASH;
  if (*line->target && hash)
    note(a->source, false, line->number, line->target_column,
         "the label of a HASH would choose its polynomial: put ':%s' on a NOP before it",
         line->target);
  if (*line->target && *line->jump && strcmp(line->target, line->jump) != 0)
    note(a->source, false, line->number, line->target_column,
         "a jump holds one label: put ':%s' on a NOP before it, or give both the same name",
         line->target);
  if (line->polynomial_column) return (uint8_t)(line->polynomial << 2 | FLAG_NUMBERED);
  const char *name = *line->jump ? line->jump : line->target;
  if (!*name) return 0;
  return (uint8_t)(label_number(a, name) << 2 | FLAG_NUMBERED | (*line->target ? FLAG_TARGET : 0));
}

static void check_jump(struct assembler *a, unsigned i) {
  struct active_source *s = a->source;
  const struct line *line = &a->lines[i];
  if (!active_opcode(s->program.instrs[i].opcode).jump || line->raw_column) return;
  if (!*line->jump) {
    note(s, false, line->number, line->column, "a jump needs a label, as @DONE");
    return;
  }
  const int target = find_target(a, i, line->jump);
  if (target < 0) {
    note(s, false, line->number, line->jump_column,
         "no line behind this one has ':%s'; jumps go forward only", line->jump);
    return;
  }
  const int end = skip_end(&s->program, i);
  if (end == target || s->num_errors) return;
  // In the explicit form only bytes that were written as such can do this.
  note(s, true, line->number, line->jump_column,
       "this jump ends in line %u, not at ':%s' in line %u: %s", s->line[end], line->jump,
       s->line[target],
       a->explicit_labels ? "the bytes there have the same label"
                          : "published labels have no numbers; use the explicit form");
}

static void labels(struct assembler *a) {
  struct active_source *s = a->source;
  const unsigned num = s->program.num;
  for (unsigned pass = 0; pass < 2; pass++)
    for (unsigned i = 0; i < num; i++) {
      add_label(a, &a->lines[i], a->lines[i].target_column, a->lines[i].target, pass == 0);
      add_label(a, &a->lines[i], a->lines[i].jump_column, a->lines[i].jump, pass == 0);
    }
  for (unsigned i = 0; i < num; i++) {
    const uint8_t flags = a->explicit_labels ? explicit_flags(a, i) : published_flags(&a->lines[i]);
    const struct line *line = &a->lines[i];
    if (line->raw_column && (flags || line->polynomial_column))
      note(s, false, line->number, line->raw_column,
           "the first byte holds the label: write one or the other");
    s->program.instrs[i].flags = line->raw_column ? (uint8_t)line->raw : flags;
  }
  for (unsigned i = 0; i < num; i++) check_jump(a, i);
}

// ADDR_MASK and ADDR_OFFSET whose byte 0 is given stay as they are: that is how the disassembler
// says them.
static void resolve(struct assembler *a, struct active_shape shape) {
  struct active_source *s = a->source;
  const struct active_program whole = s->program;
  for (unsigned i = 0; i < whole.num; i++)
    if (a->lines[i].raw_column && !active_opcode(whole.instrs[i].opcode).memory)
      s->program.instrs[i].opcode = SLUICE_OPCODE_NOP;
  const int lost = active_resolve_addr(&s->program, shape);
  if (lost >= 0)
    note(s, false, s->line[lost], a->lines[lost].column,
         "no memory access follows: %s has no stage to name",
         sluice_value_name("OPCODE", s->program.instrs[lost].opcode));
  for (unsigned i = 0; i < whole.num; i++)
    if (a->lines[i].raw_column) s->program.instrs[i].opcode = whole.instrs[i].opcode;
}

bool active_assemble(const char *text, size_t len, bool explicit_labels, struct active_shape shape,
                     struct active_source *s) {
  struct assembler *a = calloc(1, sizeof *a);
  memset(s, 0, sizeof *s);
  if (!a) {
    note(s, false, 1, 1, "out of memory");
    return false;
  }
  a->source = s;
  a->explicit_labels = explicit_labels;
  unsigned number = 0;
  for (const char *at = text, *end = text + len; at < end;) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    read_line(a, ++number, at, newline ? newline : end);
    at = newline ? newline + 1 : end;
  }
  labels(a);
  resolve(a, shape);
  if (!s->program.num && !s->num_errors)
    note(s, true, number ? number : 1, 1, "there is no instruction in it");
  else if (s->program.num > ACTIVE_CLIENT_INSTRS)
    note(s, true, s->line[ACTIVE_CLIENT_INSTRS], 1, "%u instructions: published clients hold %d",
         s->program.num, ACTIVE_CLIENT_INSTRS);
  free(a);
  return s->num_errors == 0;
}
