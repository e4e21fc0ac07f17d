// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli.h"

/// What is printed from the option tables besides the help text: manual pages and the completion
/// for bash. The tables are built where a verb parses its command line, so a verb is asked by
/// running it with --help while cli_parse has another printer (cli_ask_verb).

/// A verb of the command. Tables of verbs end with a row without a name.
struct cli_verb {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *summary;
  const char *group;  // heading in `sluice --help`, of the first verb of a group
};

/// Runs a verb with --help, and has `print` print what cli_parse finds. Exit code of the verb.
int cli_ask_verb(const struct cli_verb *verb,
                 void (*print)(const struct cli_usage *usage, const struct cli_option *options));

/// An exit code. All verbs that are not named in `verbs` (words between blanks; NULL: all verbs
/// have it) never end with it.
struct cli_exit_row {
  const char *code;
  const char *brief;  // in `sluice --help`
  const char *means;  // in the pages
  const char *verbs;
};
/// Ends with a row without a code. Rows with `brief` are those of enum cli_exit.
extern const struct cli_exit_row cli_exit_rows[];

/// Prints the page sluice(1), or with a verb sluice-VERB(1), in the language of man(7). Exit code.
int cli_print_manual(const struct cli_verb *verbs, const struct cli_verb *verb);

/// Prints the completion of all verbs for bash. Exit code.
int cli_print_completion(const struct cli_verb *verbs);

/// Calls `use` with each word that can stand behind `after`: the long name of an option, or a word
/// of the verb; "" for the verb's first argument. No call: any text can stand there. An option
/// whose help speaks of "model:" takes the names of chips with model: before them, too. Words live
/// until `use` returns.
void cli_words(const char *verb, const char *after, const char *help,
               void (*use)(const char *word, void *context), void *context);
/// A row of the list behind cli_words; a verb of NULL: all verbs. False: there is no such row.
bool cli_words_row(unsigned row, const char **verb, const char **after);
