// SPDX-License-Identifier: Apache-2.0
// Which words an argument can be. Where the tool has a list of them, that list is printed.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../compiler/compiler.h"
#include "../control/schema.h"
#include "../figures/study/study.h"
#include "pages.h"

static const char control_words[] =
#define CONTROL_VERB(VERB, WATCHED, HELP) #VERB " "
#include "../control.def"
    "watch";

enum source { LITERAL, NAMES, MODES, CHIPS, VALUES, REGISTERS };

static const struct row {
  const char *verb;   // NULL: of every verb that has it
  const char *after;  // long name of an option, or a word of the verb
  enum source source;
  const char *text;          // LITERAL: the words; VALUES: the enumeration of layouts.def
  const char *const *names;  // NAMES: ends with NULL
} rows[] = {
    {NULL, "chip", CHIPS, NULL, NULL},
    {NULL, "fault", VALUES, "FAULT", NULL},
    {NULL, "steer", VALUES, "STEER", NULL},
    {NULL, "oracle", LITERAL, "model spec", NULL},
    {NULL, "issue", VALUES, "ISSUE", NULL},
    {NULL, "register", REGISTERS, NULL, NULL},
    {NULL, "mix", LITERAL, "websearch zipf uniform single", NULL},
    {NULL, "size", LITERAL, "bimodal imix", NULL},
    {NULL, "pace-by", LITERAL, "line time", NULL},
    {"bench-replay", "lanes", LITERAL, "spread flow", NULL},
    {"bench-recirculate", "lanes", LITERAL, "spread flow", NULL},
    {NULL, "lanes", LITERAL, "spread hash", NULL},
    {NULL, "place", LITERAL, "modulo random", NULL},
    {"gen", "pattern", LITERAL, "stress hot-swap burst", NULL},
    {"compile", "target", NAMES, NULL, sluice_atoms},
    {"compile", "dump", NAMES, "all", sluice_compile_passes},
    {"bench-study", "mode", MODES, NULL, NULL},
    {"ctl", "", LITERAL, control_words, NULL},
    {"ctl", "watch", LITERAL, control_watched, NULL},
    {"active", "", LITERAL, "asm show run gen", NULL},
    {"p4", "", LITERAL, "check", NULL},
    {"layout", "", LITERAL, "sv map check config docs shapes control report lua hash", NULL},
    {"layout", "config", CHIPS, NULL, NULL},
};
enum { NUM_ROWS = sizeof rows / sizeof rows[0] };

static const struct {
  const char *enumeration, *name;
} values[] = {
#define SLUICE_VALUE(ENUM, BITS, NAME, VALUE, DOC) {#ENUM, #NAME},
#include "../layouts.def"
};

static const struct {
  const char *block, *groups, *count;
} blocks[] = {
#define SLUICE_BLOCK(BLOCK, BASE, STRIDE, GROUPS, COUNT, DOC) {#BLOCK, #GROUPS, #COUNT},
#include "../layouts.def"
};

static const struct {
  const char *block, *name;
} registers[] = {
#define SLUICE_REG(BLOCK, REG, OFFSET, ACCESS, DOC) {#BLOCK, #REG},
#include "../layouts.def"
};

struct user {
  void (*use)(const char *word, void *context);
  void *context;
};

// The word is the three parts together, in small letters if `small`.
static void give(const struct user *user, const char *a, const char *b, const char *c, bool small) {
  char word[100];
  const int len = snprintf(word, sizeof word, "%s%s%s", a, b, c);
  // A name in layouts.def or configs.def that is longer than any of today's.
  if (len < 0 || (size_t)len >= sizeof word) abort();
  for (char *at = word; small && *at; at++) *at = (char)tolower((unsigned char)*at);
  user->use(word, user->context);
}

static void give_literal(const struct user *user, const char *words) {
  for (; *words; words += strspn(words, " ")) {
    char word[40];
    const size_t len = strcspn(words, " ");
    if (len >= sizeof word) abort();
    memcpy(word, words, len);
    word[len] = 0;
    give(user, word, "", "", false);
    words += len;
  }
}

static bool only_one(const char *block) {
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    if (strcmp(blocks[i].block, block) == 0)
      return strcmp(blocks[i].groups, "1") == 0 && strcmp(blocks[i].count, "1") == 0;
  return false;
}

// The first instance stands for all: LANE[0].PACKETS.
static void give_registers(const struct user *user) {
  for (size_t i = 0; i < sizeof registers / sizeof *registers; i++)
    give(user, registers[i].block, only_one(registers[i].block) ? "." : "[0].", registers[i].name,
         false);
}

static void give_chips(const struct user *user, const char *before) {
  for (unsigned i = 0; i < sluice_num_offered; i++)
    give(user, before, sluice_configs[i].name, "", false);
}

static void give_row(const struct user *user, const struct row *row, const char *help) {
  switch (row->source) {
    case LITERAL: give_literal(user, row->text); break;
    case NAMES:
      if (row->text) give_literal(user, row->text);
      for (const char *const *name = row->names; *name; name++) give(user, *name, "", "", false);
      break;
    case MODES:
      for (unsigned i = 0; i < STUDY_MODES; i++) give(user, study_mode_names[i], "", "", false);
      break;
    case CHIPS:
      give_chips(user, "");
      if (help && strstr(help, "model:")) give_chips(user, "model:");
      break;
    case VALUES:
      for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strcmp(values[i].enumeration, row->text) == 0) give(user, values[i].name, "", "", true);
      break;
    case REGISTERS: give_registers(user); break;
  }
}

void cli_words(const char *verb, const char *after, const char *help,
               void (*use)(const char *word, void *context), void *context) {
  const struct user user = {use, context};
  for (const struct row *row = rows; row < rows + NUM_ROWS; row++)
    if (strcmp(row->after, after) == 0 && (!row->verb || strcmp(row->verb, verb) == 0)) {
      give_row(&user, row, help);
      break;
    }
}

bool cli_words_row(unsigned row, const char **verb, const char **after) {
  if (row >= NUM_ROWS) return false;
  *verb = rows[row].verb;
  *after = rows[row].after;
  return true;
}
