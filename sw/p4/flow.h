// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "check.h"

// What is read before anything was put there: variables without a value, headers that are not
// valid. Only what is so on every way to the place is told, so a warning is always right.
//
// A place is a variable, or a header by its path ("hdr.ipv4"). What may hold a value is a bit for
// each place; where ways meet, the bits are or-ed.

enum { P4_MOST_PLACES = 256 };

struct p4_flow_place {
  const struct p4_decl *root;
  const char *path;  // behind the root: "", ".ipv4", ".hs[0]"
  bool header;       // it is a header, which is valid or not; else a variable
  bool at_start;     // it may hold something when the code begins
};
struct p4_flow_state {
  bool dead;  // no way comes here
  bool may[P4_MOST_PLACES];
};
struct p4_flow {
  struct p4_checker *k;
  struct p4_flow_place places[P4_MOST_PLACES];
  unsigned num;
  unsigned loops;  // around the statement
  struct p4_flow_state now;
  bool in_parser, tells;
};

// ---- flow_place.c ------------------------------------------------------------------------------

/// Finds all places of a list of statements.
void p4_flow_collect(struct p4_flow *f, const struct p4_stmt *list);
/// Something is put there, and so into all that it holds; or (`valid` false) a header ends.
void p4_flow_put(struct p4_flow *f, const struct p4_expr *e, bool valid);
/// Reports a read of what holds nothing.
void p4_flow_read(struct p4_flow *f, const struct p4_expr *e);
/// Anything may have been put anywhere.
void p4_flow_forget(struct p4_flow *f);

// ---- flow.c ------------------------------------------------------------------------------------

void p4_flow_control(struct p4_checker *k, const struct p4_decl *control);
void p4_flow_parser(struct p4_checker *k, const struct p4_decl *parser);
/// Of a function or action.
void p4_flow_callable(struct p4_checker *k, const struct p4_decl *callable);
