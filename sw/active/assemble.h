// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>

#include "program.h"

/// Text of programs (.ap4) to instructions, and back.
///
///     MAR_LOAD,$BUCKET     // $NAME says what an argument is, to the reader
///     MEM_READ
///     CJUMP,@FOUND         // a jump to the next line behind it with :FOUND
///     DROP
///     NOP,:FOUND           // a jump ends here, and goes on behind: this NOP is skipped then
///     RETURN               // EOF is added
///
/// Published form: every label sets TARGET, in the jump and in the target, and labels have no
/// number. Explicit form: jumps and targets are NUMBERED, and a jump has TARGET only if it is one
/// itself. Labels get the numbers 0, 1, ... in the order of their first use; a label L0 .. L63 has
/// the number in its name. `HASH,#3` hashes with polynomial 3. In both forms `=XX` sets byte 0 of
/// an instruction, in hexadecimal, and `WORD,=XXYY` both bytes: that is how the disassembler says
/// what no other text says.

enum { ACTIVE_MAX_NOTES = 20, ACTIVE_CLIENT_INSTRS = 50 };

/// What is wrong with a text, or suspicious. Lines and columns count from 1.
struct active_note {
  unsigned line, column;
  bool warning;
  char text[200];
};
struct active_source {
  struct active_program program;
  unsigned line[ACTIVE_MAX_INSTRS];  // where each instruction stands
  unsigned num_errors, num_warnings;
  unsigned num_notes;  // those that are kept: the first ones
  struct active_note notes[ACTIVE_MAX_NOTES];
};
/// Assembles. ADDR_MASK and ADDR_OFFSET name the stage of the next access in a chip of this shape.
/// False: there are errors; the program is then not whole.
bool active_assemble(const char *text, size_t len, bool explicit_labels, struct active_shape shape,
                     struct active_source *source);

enum { ACTIVE_LINE = 80, ACTIVE_TEXT = ACTIVE_MAX_INSTRS * ACTIVE_LINE };
/// One instruction as a line of text, without a newline.
void active_print(const struct active_program *program, unsigned position, char line[ACTIVE_LINE]);
/// The whole program, a line an instruction. The text assembles to the same bytes, in the form that
/// active_is_explicit says.
void active_disassemble(const struct active_program *program, char text[ACTIVE_TEXT]);
