// SPDX-License-Identifier: Apache-2.0
// Manual pages, in the language of man(7), from the option tables.
#include <ctype.h>
#include <sluice/version.h>
#include <string.h>

#include "pages.h"

const struct cli_exit_row cli_exit_rows[] = {
    {"0", "done", "done, and the answer is yes", NULL},
    {"1", "the answer is no",
     "the answer is no: packets differ, a run got stuck, a program is rejected, a running switch "
     "refuses",
     NULL},
    {"2", "the command line is wrong", "the command line is wrong", NULL},
    {"3", "a file or another program failed", "a file, the memory or another program failed", NULL},
    {"4", "a run compared no packet", "no packet was compared, so nothing is known",
     " run serve trace bench-replay bench-recirculate "},
    {"130, 143", NULL, "it was interrupted (SIGINT, SIGTERM) and has ended the simulator",
     " run trace bench-replay bench-recirculate "},
    {NULL, NULL, NULL, NULL}};

static const struct {
  const char *name, *means;
} variables[] = {
    {"SLUICE_SIM", "the simulator to run, if --sim does not name one. Without both it is CHIP/sim, "
                   "build/CHIP/sim or ../build/CHIP/sim beside the command, or "
                   "../lib/sluice/CHIP/sim, where it is installed"},
    {"SLUICE_CONTROL", "the control socket of the switch, if --control does not name one"},
};
enum { NUM_VARIABLES = sizeof variables / sizeof variables[0] };

// ---- text ---------------------------------------------------------------------------------------

// No character may mean something to roff: "-" would become a hyphen that no search finds.
static void put(const char *text, size_t len) {
  for (size_t i = 0; i < len; i++) switch (text[i]) {
      case '\\': fputs("\\(rs", stdout); break;
      case '-': fputs("\\-", stdout); break;
      case '\'': fputs("\\(aq", stdout); break;
      case '`': fputs("\\(ga", stdout); break;
      case '"': fputs("\\(dq", stdout); break;
      case '^': fputs("\\(ha", stdout); break;
      case '~': fputs("\\(ti", stdout); break;
      default: putchar(text[i]);
    }
}
static void put_text(const char *text) { put(text, strlen(text)); }

// A line of text: a dot at its start would be a request.
static void put_line(const char *text, size_t len) {
  if (len && text[0] == '.') fputs("\\&", stdout);
  put(text, len);
  putchar('\n');
}

// A sentence that the tables have without its full stop.
static void put_sentence(const char *text) {
  if (text[0] == '.') fputs("\\&", stdout);
  put_text(text);
  fputs(".\n", stdout);
}

static void put_bold(const char *text) {
  fputs("\\fB", stdout);
  put_text(text);
  fputs("\\fR", stdout);
}

// Indented lines are a table of the text and stay as they are, the others are filled.
static void put_paragraphs(const char *text) {
  bool table = false;
  while (*text) {
    const size_t len = strcspn(text, "\n");
    if ((*text == ' ') != table) {
      fputs(table ? ".fi\n.PP\n" : ".PP\n.nf\n", stdout);
      table = !table;
    }
    if (len) put_line(text, len);
    else fputs(".PP\n", stdout);
    text += len + (text[len] != 0);
  }
  if (table) fputs(".fi\n", stdout);
}

static void put_title(const char *verb, const char *summary) {
  printf(".\\\" Printed by 'sluice help --man%s%s'.\n.TH SLUICE", verb ? " " : "",
         verb ? verb : "");
  if (verb) fputs("\\-", stdout);
  for (const char *c = verb ? verb : ""; *c; c++) putchar(toupper((unsigned char)*c));
  printf(" 1 \"\" \"Sluice %s\" \"Sluice\"\n.SH NAME\nsluice%s%s \\- ", SLUICE_VERSION,
         verb ? "\\-" : "", verb ? verb : "");
  const bool name = isupper((unsigned char)summary[0]) && isupper((unsigned char)summary[1]);
  putchar(name ? summary[0] : tolower((unsigned char)summary[0]));
  put_text(summary + 1);
  putchar('\n');
}

static void put_exits(const char *verb) {
  char word[40];
  snprintf(word, sizeof word, " %s ", verb ? verb : "");
  fputs(".SH EXIT STATUS\n", stdout);
  for (const struct cli_exit_row *row = cli_exit_rows; row->code; row++) {
    if (verb && row->verbs && !strstr(row->verbs, word)) continue;
    printf(".TP\n.B %s\n", row->code);
    if (!verb && row->verbs) printf("(%.*s) ", (int)strlen(row->verbs) - 2, row->verbs + 1);
    put_sentence(row->means);
  }
}

// Variables that the text or an option's help names; without a table, all.
static void put_variables(const char *text, const struct cli_option *options) {
  bool some = false;
  for (unsigned i = 0; i < NUM_VARIABLES; i++) {
    bool named = !options || (text && strstr(text, variables[i].name));
    for (const struct cli_option *o = options; o && o->kind != CLI_END; o++)
      named |= o->help && strstr(o->help, variables[i].name);
    if (!named) continue;
    printf("%s.TP\n.B %s\n", some ? "" : ".SH ENVIRONMENT\n", variables[i].name);
    put_sentence(variables[i].means);
    some = true;
  }
}

// ---- pages --------------------------------------------------------------------------------------

struct list {
  const char *help;
  unsigned count;
  bool named;  // the help has a word already
};

static void count_word(const char *word, void *context) {
  struct list *list = context;
  if (list->count++ == 0) list->named = strstr(list->help, word) != NULL;
}
static void put_word(const char *word, void *context) {
  unsigned *left = context;
  put_text(word);
  fputs(--*left ? ", " : ".\n", stdout);
}

// The words that an argument can be, unless the help names them, or they are the registers, which
// are too many for a page.
static void put_words(const char *verb, const struct cli_option *o) {
  enum { MOST = 64 };
  struct list list = {.help = o->help};
  cli_words(verb, o->name, NULL, count_word, &list);
  if (list.count == 0 || list.count > MOST || list.named) return;
  printf("%s: ", o->argument);
  cli_words(verb, o->name, NULL, put_word, &list.count);
}

// What the kind of an option says beyond its help.
static void put_kind(const char *verb, const struct cli_option *o) {
  const char *help = o->help;
  switch (o->kind) {
    case CLI_READ:
      if (!strstr(help, "standard input")) put_sentence("- is standard input");
      break;
    case CLI_WRITE:
      if (!strstr(help, "standard output")) put_sentence("- is standard output");
      break;
    case CLI_LIST:
    case CLI_MODULES:
    case CLI_CAPTURES:
    case CLI_ENTRIES:
    case CLI_PORTS:
      if (!strstr(help, "repeated")) put_sentence("May be repeated");
      break;
    case CLI_WHOLE: printf("From %.0f to %.0f.\n", o->low, o->high); break;
    case CLI_NUMBER: printf("From %g to %g.\n", o->low, o->high); break;
    case CLI_END:
    case CLI_GROUP:
    case CLI_FLAG:
    case CLI_TEXT:
    case CLI_PATH:
    case CLI_MAKE:
    case CLI_FOLDER:
    case CLI_PREFIX: break;
  }
  if (o->kind == CLI_TEXT || o->kind == CLI_LIST) put_words(verb, o);
}

// The page of one verb, from its table.
static void cli_print_page(const struct cli_usage *usage, const struct cli_option *options) {
  put_title(usage->verb, usage->summary);
  char name[40];
  printf(".SH SYNOPSIS\n.B sluice %s\n", cli_verb_name(usage->verb, name, sizeof name));
  put_line(usage->arguments, strlen(usage->arguments));
  fputs(".SH DESCRIPTION\n", stdout);
  put_sentence(usage->summary);
  if (usage->text) {
    fputs(".PP\n", stdout);
    put_paragraphs(usage->text);
  }
  fputs(".SH OPTIONS\n", stdout);
  for (const struct cli_option *o = options; o->kind != CLI_END; o++) {
    if (o->kind == CLI_GROUP) {
      if (strcmp(o->help, "Options") == 0) continue;  // the section says so
      fputs(".SS ", stdout);
      put_line(o->help, strlen(o->help));
      continue;
    }
    fputs(".TP\n", stdout);
    if (o->letter) {
      const char letter[] = {'-', o->letter, 0};
      put_bold(letter);
      fputs(", ", stdout);
    }
    fputs("\\fB\\-\\-", stdout);
    put_text(o->name);
    fputs("\\fR", stdout);
    if (o->argument) {
      fputs(" \\fI", stdout);
      put_text(o->argument);
      fputs("\\fR", stdout);
    }
    putchar('\n');
    put_sentence(o->help);
    put_kind(usage->verb, o);
  }
  fputs(".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nprint the options to begin with.\n"
        ".TP\n\\fB\\-\\-help\\-all\\fR\nprint all options.\n",
        stdout);
  put_exits(usage->verb);
  put_variables(usage->text, options);
  fputs(".SH SEE ALSO\n.BR sluice (1)\n", stdout);
}

static int print_command_page(const struct cli_verb *verbs) {
  put_title(NULL, "Sluice, a multi-pipeline programmable packet switch");
  fputs(".SH SYNOPSIS\n.B sluice\n\\fIVERB\\fR [\\fIARGUMENT\\fR...]\n.br\n.B sluice "
        "help\n[\\fIVERB\\fR]\n.br\n"
        ".B sluice help \\-\\-man\n[\\fIVERB\\fR]\n.br\n.B sluice help \\-\\-completion bash\n.br\n"
        ".B sluice \\-\\-version\n"
        ".SH DESCRIPTION\n"
        "Compiles programs for a Sluice chip, runs them on a simulated chip, on the reference "
        "model or on a board,\n"
        "and checks that every packet and all state is as on a switch with one pipeline.\n.PP\n"
        "Messages go to standard error, results to standard output. \\- is standard input where a "
        "file is read, and\n"
        "standard output where one is written; a command can use each of them once.\n.PP\n"
        "Pages that the messages and the help name, such as docs/tables.md, are installed in "
        "share/doc/sluice;\n"
        "programs in share/sluice.\n.SH VERBS\n",
        stdout);
  for (const struct cli_verb *v = verbs; v->name; v++) {
    printf(".TP\n.B %s\n", v->name);
    put_sentence(v->summary);
  }
  put_exits(NULL);
  put_variables(NULL, NULL);
  fputs(".SH SEE ALSO\n", stdout);
  for (const struct cli_verb *v = verbs; v->name; v++) printf(".BR sluice\\-%s (1),\n", v->name);
  fputs(".BR libsluice (3)\n", stdout);
  return CLI_DONE;
}

int cli_print_manual(const struct cli_verb *verbs, const struct cli_verb *verb) {
  return verb ? cli_ask_verb(verb, cli_print_page) : print_command_page(verbs);
}
