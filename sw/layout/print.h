// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdio.h>

#include "../base/layouts.h"

/// Prints from layouts.def and configs.def what the other languages need.
/// Each returns 0, or -1 after a message on stderr when a definition has a gap or an overlap.

/// Printed SystemVerilog has lines of at most so many columns.
enum { LAYOUT_COLUMNS = 100 };
/// A comment in lines that fit, each begun by `mark`.
void layout_print_comment(FILE *out, unsigned indent, const char *mark, const char *comment);
/// A line of code with its comment behind it or, where that is too long, above it.
void layout_print_commented(FILE *out, unsigned indent, const char *code, const char *comment);

/// The SystemVerilog package sluice_layout_pkg: enumerations, packed structs, table numbers, hash.
int layout_print_sv(FILE *out);

/// The module sluice_csr_map: which addresses are registers, and which of them can be written.
int layout_print_csr_map(FILE *out);

/// The module sluice_cfg_check: the ranges and rules of configs.def, checked at elaboration.
int layout_print_config_check(FILE *out);

/// The same of a shape by its name, words[0], with other values of parameters, "NumPorts=8" each,
/// in the words behind it. -1 and a sentence in `why` if there is none, or if it is not legal.
int layout_print_config(FILE *out, const char *const *words, unsigned count, char *why,
                        size_t why_len);

/// docs/tables.md: every table, register and enumeration.
int layout_print_docs(FILE *out);

/// docs/shapes.md: every parameter of a shape, the rules between them, and the shapes with names.
int layout_print_shapes(FILE *out);
/// docs/control.md, what can be asked of a running switch.
int layout_print_control(FILE *out);
/// docs/report.md, the members of the report of a run.
int layout_print_report(FILE *out);

/// layouts.def as tables of Lua, for the dissector of Wireshark (sw/wireshark).
int layout_print_lua(FILE *out);
