// SPDX-License-Identifier: Apache-2.0
// Programs of capsules back to text (assemble.h).
#include <stdio.h>

#include "assemble.h"

enum { FLAG_TARGET = 1, FLAG_NUMBERED = 2 };

// A text without byte 0 would be resolved.
static bool placeholder(unsigned opcode) {
  return opcode == SLUICE_OPCODE_ADDR_MASK || opcode == SLUICE_OPCODE_ADDR_OFFSET;
}

// Whether text of the form can say byte 0 of a target that is not a jump, or of a jump.
static bool says_target(struct active_instr in, bool explicit_labels) {
  if (active_opcode(in.opcode).jump || !active_opcode(in.opcode).known) return false;
  if (placeholder(in.opcode)) return false;
  if (!explicit_labels) return in.flags == FLAG_TARGET;
  return (in.flags & 3) == (FLAG_TARGET | FLAG_NUMBERED) && in.opcode != SLUICE_OPCODE_HASH;
}

static bool says_jump(const struct active_program *p, unsigned i, bool explicit_labels,
                      unsigned *label) {
  const struct active_instr in = p->instrs[i];
  if (explicit_labels ? !active_numbered(in) : in.flags != FLAG_TARGET) return false;
  for (unsigned j = i + 1; j < p->num; j++) {
    const struct active_instr to = p->instrs[j];
    if (explicit_labels
            ? !active_numbered(to) || !active_target(to) || active_label(to) != active_label(in)
            : !says_target(to, false))
      continue;
    *label = explicit_labels ? active_label(in) : j;
    // A jump that is the target is `JUMP,:L5,@L5`, if it can be said at all.
    unsigned unused;
    return says_target(to, explicit_labels) ||
           (active_opcode(to.opcode).jump && says_jump(p, j, explicit_labels, &unused));
  }
  return false;
}

static void print(const struct active_program *p, unsigned i, bool explicit_labels,
                  char line[ACTIVE_LINE]) {
  const struct active_instr in = p->instrs[i];
  const struct active_opcode o = active_opcode(in.opcode);
  const char *name = sluice_value_name("OPCODE", in.opcode);
  unsigned label;
  if (!o.known || in.opcode == SLUICE_OPCODE_EOF)
    snprintf(line, ACTIVE_LINE, "WORD,=%02x%02x", in.flags, in.opcode);
  else if (o.jump && says_jump(p, i, explicit_labels, &label))
    if (explicit_labels && active_target(in))
      snprintf(line, ACTIVE_LINE, "%s,:L%u,@L%u", name, label, label);
    else snprintf(line, ACTIVE_LINE, "%s,@L%u", name, label);
  else if (says_target(in, explicit_labels))
    snprintf(line, ACTIVE_LINE, "%s,:L%u", name, explicit_labels ? active_label(in) : i);
  else if (explicit_labels && in.opcode == SLUICE_OPCODE_HASH && (in.flags & 3) == FLAG_NUMBERED &&
           active_label(in) <= 9)
    snprintf(line, ACTIVE_LINE, "%s,#%u", name, active_label(in));
  else if (in.flags || o.jump || placeholder(in.opcode))
    snprintf(line, ACTIVE_LINE, "%s,=%02x", name, in.flags);
  else snprintf(line, ACTIVE_LINE, "%s", name);
}

void active_print(const struct active_program *p, unsigned i, char line[ACTIVE_LINE]) {
  print(p, i, active_is_explicit(p), line);
}

void active_disassemble(const struct active_program *p, char text[ACTIVE_TEXT]) {
  size_t len = 0;
  text[0] = 0;
  for (unsigned i = 0; i < p->num; i++) {
    char line[ACTIVE_LINE];
    active_print(p, i, line);
    len += (size_t)snprintf(text + len, ACTIVE_TEXT - len, "%s\n", line);
  }
}
