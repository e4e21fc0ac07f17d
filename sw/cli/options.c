// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <getopt.h>
#include <stdarg.h>
#include <string.h>

#include "../base/nearest.h"
#include "../base/number.h"
#include "../base/text.h"
#include "cli.h"
#include "pages.h"

enum { MAX_OPTIONS = 96, ALL_CODE = 256, FIRST_CODE };

static void say(const char *what, const char *format, va_list arguments) {
  fflush(stdout);
  char text[2000], clean[4 * sizeof text];
  vsnprintf(text, sizeof text, format, arguments);
  // names from outside must not move the cursor, or forge a line
  sluice_text_clean(clean, sizeof clean, text, false);
  fprintf(stderr, "sluice: %s%s\n", what, clean);
}

static bool told;

void cli_error(const char *format, ...) {
  va_list arguments;
  told = true;
  va_start(arguments, format);
  say("", format, arguments);
  va_end(arguments);
}

bool cli_told(void) { return told; }

void cli_warn(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say("warning: ", format, arguments);
  va_end(arguments);
}

// Verbs with many options: those that --help shows. --help-all shows all, as it does of every verb.
static const struct {
  const char *verb, *options;
} firsts[] = {
    {"run", "chip module entries state pcap packets size seed output report view"},
    {"trace", "chip module entries pcap packets seed json view read"},
    {"serve", "chip module entries port control reactions once quiet"},
    {"bench-replay", "chip lanes seed output report json"},
    {"bench-recirculate", "chip lanes seed output report json"},
    {"bench-study", "mode chip json"},
};

static const char *first_options(const char *verb) {
  for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++)
    if (strcmp(firsts[i].verb, verb) == 0) return firsts[i].options;
  return NULL;
}

static void print_option(const struct cli_option *o) {
  int width = o->letter ? printf("  -%c, --%s", o->letter, o->name) : printf("      --%s", o->name);
  if (o->argument) width += printf(" %s", o->argument);
  printf("%*s %s\n", width < 28 ? 28 - width : 0, "", o->help);
}

const char *cli_verb_name(const char *verb, char *name, size_t size) {
  snprintf(name, size, "%s", verb);
  name[strcspn(name, "-")] = strchr(name, '-') ? ' ' : 0;
  return name;
}

static void print_head(const struct cli_usage *usage) {
  char name[40];
  printf("usage: sluice %s %s\n\n%s.\n", cli_verb_name(usage->verb, name, sizeof name),
         usage->arguments, usage->summary);
  if (usage->text) printf("\n%s", usage->text);
}

static void print_help_all(const struct cli_usage *usage, const struct cli_option *options) {
  print_head(usage);
  for (const struct cli_option *o = options; o->kind != CLI_END; o++)
    if (o->kind == CLI_GROUP) printf("\n%s:\n", o->help);
    else print_option(o);
  printf("  -h, --help                 show this%s\n",
         first_options(usage->verb) ? ", but fewer options" : "");
}

// Whether a name is one of the words of a list.
static bool is_word(const char *list, const char *name) {
  const size_t len = strlen(name);
  for (const char *at = list; (at = strstr(at, name)); at += len)
    if ((at == list || at[-1] == ' ') && (at[len] == ' ' || !at[len])) return true;
  return false;
}

static void print_help(const struct cli_usage *usage, const struct cli_option *options) {
  const char *first = first_options(usage->verb);
  if (!first) {
    print_help_all(usage, options);
    return;
  }
  print_head(usage);
  printf("\nOptions to begin with:\n");
  unsigned all = 0;
  for (const struct cli_option *o = options; o->kind != CLI_END; o++) {
    if (o->kind == CLI_GROUP) continue;
    all++;
    if (is_word(first, o->name)) print_option(o);
  }
  printf("  -h, --help                 show this\n"
         "      --help-all             show all %u options, as 'sluice help %s' does\n",
         all, usage->verb);
}

static void (*print_table)(const struct cli_usage *usage,
                           const struct cli_option *options) = print_help;

int cli_ask_verb(const struct cli_verb *verb,
                 void (*print)(const struct cli_usage *usage, const struct cli_option *options)) {
  char name[40], help[] = "--help";
  snprintf(name, sizeof name, "%s", verb->name);
  char *arguments[] = {name, help, NULL};
  print_table = print;
  const int code = verb->run(2, arguments);
  print_table = print_help;
  return code;
}

// Refuses a table that getopt would take and do something else with. The first call of a verb shows
// such a slip.
static bool good_table(const struct cli_usage *usage, const struct cli_option *options) {
  unsigned count = 0;
  for (const struct cli_option *o = options; o->kind != CLI_END; o++) {
    if (o->kind == CLI_GROUP) continue;
    if (++count > MAX_OPTIONS) {
      cli_error("'%s' has more than %d options, from --%s on: raise MAX_OPTIONS", usage->verb,
                MAX_OPTIONS, o->name);
      return false;
    }
    const bool file = o->argument && (strstr(o->argument, "FILE") || strstr(o->argument, "DIR") ||
                                      strstr(o->argument, "PREFIX"));
    if (file && cli_file_of(o->kind) == CLI_FILE_NONE) {
      cli_error("'%s': --%s names a file, and is of no kind that does", usage->verb, o->name);
      return false;
    }
    bool twice = o->letter == 'h' || strcmp(o->name, "help") == 0 ||
                 strcmp(o->name, "help-all") == 0;
    for (const struct cli_option *p = options; p < o; p++)
      if (p->kind != CLI_GROUP)
        twice |= strcmp(p->name, o->name) == 0 || (o->letter && p->letter == o->letter);
    if (twice) {
      cli_error("'%s' has two options with the name or letter of --%s", usage->verb, o->name);
      return false;
    }
  }
  return true;
}

static bool whole(const struct cli_option *o, const char *text) {
  uint64_t value;
  if (!sluice_number_in(text, 0, UINT64_MAX, &value) || (double)value < o->low ||
      (double)value > o->high) {
    cli_error("--%s: '%s' is not a whole number from %.0f to %.0f%s", o->name, text, o->low,
              o->high, sluice_number_hint(text));
    return false;
  }
  *(uint64_t *)o->target = value;
  return true;
}

static bool number(const struct cli_option *o, const char *text) {
  double value;
  if (!sluice_real(text, &value) || value < o->low || value > o->high) {
    cli_error("--%s: '%s' is not a number from %g to %g", o->name, text, o->low, o->high);
    return false;
  }
  *(double *)o->target = value;
  return true;
}

static bool add_item(struct cli_list *list, const char *item) {
  if (list->count == CLI_MAX_ARGUMENTS) {
    cli_error("more than %d arguments", CLI_MAX_ARGUMENTS);
    return false;
  }
  list->items[list->count++] = item;
  return true;
}

static bool input_taken, output_taken;

static bool take_standard(const char *path, bool *taken, const char *name) {
  if (strcmp(path, "-") != 0) return true;
  if (*taken) cli_error("'-' is named twice: there is one standard %s", name);
  const bool good = !*taken;
  *taken = true;
  return good;
}

bool cli_take_input(const char *path) { return take_standard(path, &input_taken, "input"); }
static bool cli_take_output(const char *path) {
  return take_standard(path, &output_taken, "output");
}
bool cli_output_taken(void) { return output_taken; }

static bool take_path(const struct cli_option *o, const char *text) {
  *(const char **)o->target = text;
  if (strcmp(text, "-") != 0) return true;
  cli_error("--%s: '-' is standard input or output, which cannot be used here", o->name);
  return false;
}

static bool take(const struct cli_option *o, const char *text) {
  switch (o->kind) {
    case CLI_FLAG: *(bool *)o->target = true; return true;
    case CLI_TEXT: *(const char **)o->target = text; return true;
    case CLI_READ: *(const char **)o->target = text; return cli_take_input(text);
    case CLI_WRITE: *(const char **)o->target = text; return cli_take_output(text);
    case CLI_PATH:
    case CLI_MAKE:
    case CLI_FOLDER:
    case CLI_PREFIX: return take_path(o, text);
    case CLI_LIST:
    case CLI_MODULES:
    case CLI_CAPTURES:
    case CLI_ENTRIES:
    case CLI_PORTS: return add_item(o->target, text);
    case CLI_WHOLE: return whole(o, text);
    case CLI_NUMBER: return number(o, text);
    case CLI_END:
    case CLI_GROUP: break;
  }
  return false;
}

// What an option was called once, and is called now. The old name is refused with the new one.
static const struct {
  const char *verb, *was, *is;
} renamed[] = {
    {"run", "--control", "--reconfiguration FILE"},
    {"run", "--every", "--ready-every LANE:N"},
    {"gen", "--every", "--turn N"},
    {"serve", "-p", "--port N=KIND:WHAT"},
};

// False, and nothing is said: it never was one.
static bool was_renamed(const struct cli_usage *usage, const char *text) {
  const char *verb = strcmp(usage->verb, "trace") == 0 ? "run" : usage->verb;
  for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++) {
    const size_t len = strlen(renamed[i].was);
    if (strcmp(renamed[i].verb, verb) != 0 || strncmp(text, renamed[i].was, len) != 0 ||
        (text[1] == '-' && text[len] && text[len] != '='))
      continue;
    cli_error("option '%s' of '%s' is now '%s'", renamed[i].was, usage->verb, renamed[i].is);
    return true;
  }
  return false;
}

static void unknown_option(const struct cli_usage *usage, const struct cli_option *options,
                           const char *text) {
  const char *near = NULL;
  unsigned best = SLUICE_NEAR;
  char name[40];
  if (strncmp(text, "--", 2) == 0) {
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text + 2, "="), text + 2);
    for (const struct cli_option *o = options; o->kind != CLI_END; o++)
      if (o->kind != CLI_GROUP) sluice_nearer(name, o->name, &near, &best);
    sluice_nearer(name, "help", &near, &best);
    sluice_nearer(name, "help-all", &near, &best);
  }
  if (near)
    cli_error("unknown or wrong option '%s'; did you mean '--%s'? see 'sluice help %s'", text, near,
              usage->verb);
  else cli_error("unknown or wrong option '%s'; see 'sluice help %s'", text, usage->verb);
}

enum cli_parsed cli_parse(int argc, char **argv, const struct cli_usage *usage,
                          const struct cli_option *options, struct cli_list *rest) {
  struct option longs[MAX_OPTIONS + 3];
  char letters[2 * MAX_OPTIONS + 4] = ":h";
  const struct cli_option *table[MAX_OPTIONS];
  size_t n = 0, l = 2;
  memset(longs, 0, sizeof longs);
  input_taken = output_taken = false;
  cli_named_forget();
  memset(rest, 0, sizeof *rest);
  if (!good_table(usage, options)) return CLI_WRONG;
  for (const struct cli_option *o = options; o->kind != CLI_END; o++) {
    if (o->kind == CLI_GROUP) continue;
    int has_argument = o->kind == CLI_FLAG ? no_argument : required_argument;
    longs[n] = (struct option){o->name, has_argument, NULL, FIRST_CODE + (int)n};
    if (o->letter) {
      letters[l++] = o->letter;
      if (has_argument) letters[l++] = ':';
    }
    table[n++] = o;
  }
  letters[l] = 0;
  longs[n] = (struct option){"help", no_argument, NULL, 'h'};
  longs[n + 1] = (struct option){"help-all", no_argument, NULL, ALL_CODE};

  optind = 0;  // verbs call each other: scan from the start
  opterr = 0;
  for (;;) {
    int code = getopt_long(argc, argv, letters, longs, NULL);
    if (code == -1) break;
    if (code == 'h') {
      print_table(usage, options);
      return CLI_HELP;
    }
    if (code == ALL_CODE) {
      print_help_all(usage, options);
      return CLI_HELP;
    }
    if (code == ':') {
      cli_error("option '%s' needs an argument; see 'sluice help %s'", argv[optind - 1],
                usage->verb);
      return CLI_WRONG;
    }
    const struct cli_option *o = NULL;
    if (code >= FIRST_CODE && code < FIRST_CODE + (int)n) o = table[code - FIRST_CODE];
    for (size_t i = 0; !o && code != '?' && i < n; i++)
      if (table[i]->letter == code) o = table[i];
    if (!o) {
      const char letter[] = {'-', (char)optopt, 0};
      if (was_renamed(usage, optopt && optopt < ALL_CODE ? letter : argv[optind - 1]))
        return CLI_WRONG;
      if (optopt >= '0' && optopt <= '9')
        cli_error("'-%c..' is no option; numbers below 0 stand behind '--', the last option",
                  optopt);
      else if (optopt && optopt < ALL_CODE)
        cli_error("unknown option '-%c'; see 'sluice help %s'", optopt, usage->verb);
      else unknown_option(usage, options, argv[optind - 1]);
      return CLI_WRONG;
    }
    if (!take(o, optarg) || !cli_named(o, optarg)) return CLI_WRONG;
  }
  for (int i = optind; i < argc; i++)
    if (!add_item(rest, argv[i]) || !cli_named_argument(argv[i])) return CLI_WRONG;
  return cli_named_check();
}

// Names that are wrong behind or in front of the name of a shape: model:NAME, where nothing runs,
// and NAME.kN with another number of pipelines than the shape can have.
static bool chip_is_beside(const char *name) {
  static const char model[] = "model:";
  const size_t len = strlen(model);
  if (strncmp(name, model, len) == 0 && sluice_config_find(name + len)) {
    cli_error("no chip '%s': 'model:' is for verbs that send packets, as 'run' and 'serve'; here "
              "the chip is '%s'",
              name, name + len);
    return true;
  }
  const char *dot = strrchr(name, '.');
  char base[32];
  if (!dot || dot[1] != 'k' || (size_t)(dot - name) >= sizeof base) return false;
  snprintf(base, sizeof base, "%.*s", (int)(dot - name), name);
  if (!sluice_config_find(base)) return false;
  char list[120] = "";
  for (unsigned pipes = 1; pipes <= 16; pipes *= 2) {
    char with[48];
    snprintf(with, sizeof with, "%s.k%u", base, pipes);
    const size_t at = strlen(list);
    if (sluice_config_find(with))
      snprintf(list + at, sizeof list - at, "%s%s", at ? ", " : "", with);
  }
  cli_error("no chip '%s'; shape '%s' with another number of pipelines is one of %s", name, base,
            list);
  return true;
}

static void add_chip(char *list, size_t list_len, unsigned n) {
  const size_t len = strlen(list);
  snprintf(list + len, list_len - len, "%s%s", len ? ", " : "", sluice_configs[n].name);
}

const struct sluice_config *cli_chip(const char *name) {
  char why[300];
  const struct sluice_config *config = sluice_config_named(name, why, sizeof why);
  if (config) return config;
  if (chip_is_beside(name)) return NULL;
  if (*why) return cli_error("no chip '%s'; %s", name, why), NULL;
  // Those that are a letter away, or two, if there are some; else those to choose from.
  char list[500] = "";
  bool some = false;
  for (unsigned away = 1; away < SLUICE_NEAR && !some; away++)
    for (unsigned i = 0; i < sluice_num_configs; i++) {
      const char *near = NULL;
      unsigned best = away + 1;
      if (!sluice_nearer(name, sluice_configs[i].name, &near, &best)) continue;
      add_chip(list, sizeof list, i);
      some = true;
    }
  for (unsigned i = 0; i < sluice_num_offered && !some; i++) add_chip(list, sizeof list, i);
  cli_error("no chip '%s'; %s %s (docs/shapes.md says what each is for)", name,
            some ? "near it:" : "there are", list);
  return NULL;
}

const char *cli_meant(const char *enumeration, const char *name, char *text, size_t size) {
  const char *near = NULL;
  unsigned best = SLUICE_NEAR;
  char words[64][40];
  for (unsigned v = 0; v < 64; v++) {
    const char *word = sluice_value_name(enumeration, v);
    if (strcmp(word, "?") == 0) continue;
    size_t i = 0;
    for (; word[i] && i < sizeof words[v] - 1; i++)
      words[v][i] = (char)tolower((unsigned char)word[i]);
    words[v][i] = 0;
    sluice_nearer(name, words[v], &near, &best);
  }
  if (near) snprintf(text, size, "; did you mean '%s'?", near);
  else snprintf(text, size, "; see %s in docs/tables.md", enumeration);
  return text;
}

bool cli_fault(const struct sluice_config *config, const char *fault) {
  char meant[80];
  if (sluice_value_find("FAULT", fault) < 0)
    return cli_error("--fault: no fault '%s'%s", fault,
                     cli_meant("FAULT", fault, meant, sizeof meant)),
           false;
  if (config->TestFaults) return true;
  // A chip without TestFaults ignores the register, so the run would say nothing.
  const char *other = "";
  for (unsigned i = 0; i < sluice_num_configs; i++)
    if (sluice_configs[i].TestFaults && !*other) other = sluice_configs[i].name;
  cli_error("--fault: chip '%s' cannot be broken: it is built without faults (TestFaults 0); '%s' "
            "has them",
            config->name, other);
  return false;
}
