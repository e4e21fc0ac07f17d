// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "test.h"

/// Cases as data: requests, and what their answers must say, in a text beside the test.
///
///     # a comment
///     [verbs]
///     {"do":"remove","vid":"5"}
///         'vid' must be
///     {"do":"show","register":"CHIP.STATUS"}
///         = {"ok":true,"value":1}
///     | NOP
///     | MEM_RAED
///         there is no instruction 'MEM_RAED'
///
/// [NAME] begins a section. A request is a line, as it stands; or several, each behind "| " and
/// each with its end. The lines below it, indented by four blanks, are what the answer must
/// contain; all of the answer behind "= ", nothing of it behind "! ".
struct one_case {
  const char *request;
  const char *answers[12];
  unsigned num;
  char where[100];  // FILE:LINE, for messages
};
typedef void cases_try(void *user, const struct one_case *c);

/// Tries each case of a section, in their order. A section without a case fails the test.
void cases_each(const char *path, const char *section, cases_try *try, void *user);

/// Fails the test unless the answer is what the case wants.
void cases_answer(const struct one_case *c, const char *answer);

/// The request with `value` for each `name` in it. To be freed.
char *cases_with(const char *request, const char *name, const char *value);
