// SPDX-License-Identifier: Apache-2.0
// Completion for bash. What is particular to a verb is a case of _sluice_verb, printed from its
// option table; the rest is the same text always.
#include <sluice/version.h>
#include <string.h>

#include "pages.h"

static const char rest_of_it[] =
    "# The words of the line so far, as the command will see them: bash cuts also at ':' and '=', "
    "parts of our words.\n"
    "_sluice() {\n"
    "  local -a line\n"
    "  local text=${COMP_LINE:0:COMP_POINT} cur prev verb breaks= options= takes= words=\n"
    "  read -a line <<<\"$text\"\n"
    "  [[ $text == *[[:space:]] ]] && line+=('')\n"
    "  cur=${line[-1]} prev=${line[-2]} verb=${line[1]}\n"
    "  COMPREPLY=()\n"
    "  case \" $_sluice_verbs \" in *\" $verb-${line[2]} \"*) verb=$verb-${line[2]} "
    "line=(\"${line[@]:1}\") ;; esac\n"
    "  if [ ${#line[@]} -eq 2 ]; then\n"
    "    words=\"$_sluice_verbs help --help --version\" takes=words\n"
    "  elif [ \"$verb\" = help ]; then\n"
    "    takes=words\n"
    "    case $prev in\n"
    "    help) words=\"$_sluice_verbs --man --completion --verbs\" ;;\n"
    "    --man) words=$_sluice_verbs ;;\n"
    "    --completion) words=bash ;;\n"
    "    esac\n"
    "  else\n"
    "    [ ${#line[@]} -eq 3 ] && prev=\n"
    "    if [[ $cur == --*=* ]]; then prev=${cur%%=*} cur=${cur#*=}; fi\n"
    "    _sluice_verb \"$verb\" \"$prev\"\n"
    "    [[ $cur == -* && -z $takes ]] && words=$options takes=words\n"
    "    [[ -z $prev && $cur == -* ]] && words=$options takes=words\n"
    "  fi\n"
    "  case $takes in\n"
    "  words) mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\") ;;\n"
    "  other) ;;\n"
    "  *) return ;;  # files: bash completes them\n"
    "  esac\n"
    "  compopt +o default 2>/dev/null\n"
    "  # bash replaces what stands behind the last character that it cuts at.\n"
    "  [[ $COMP_WORDBREAKS == *:* && $cur == *:* ]] && "
    "COMPREPLY=(\"${COMPREPLY[@]#\"${cur%\"${cur##*:}\"}\"}\")\n"
    "  return 0\n"
    "}\n"
    "complete -o default -F _sluice sluice\n";

static void put_word(const char *word, void *context) {
  bool *some = context;
  printf("%s%s", *some ? " " : " takes=words words='", word);
  *some = true;
}

// An arm of the inner case: what stands behind `after`.
static bool put_words(const char *verb, const char *after, const char *help) {
  bool some = false;
  cli_words(verb, after, help, put_word, &some);
  if (some) fputs("'", stdout);
  return some;
}

static bool takes_files(const struct cli_option *o) {
  return cli_file_of(o->kind) != CLI_FILE_NONE && !strchr(o->argument, '=');
}

// The part of it that one verb's table is printed to.
static void cli_print_verb_completion(const struct cli_usage *usage,
                                      const struct cli_option *options) {
  printf("  %s)\n    options='", usage->verb);
  for (const struct cli_option *o = options; o->kind != CLI_END; o++) {
    if (o->kind == CLI_GROUP) continue;
    if (o->letter) printf("-%c ", o->letter);
    printf("--%s ", o->name);
  }
  fputs("-h --help --help-all'\n    case $2 in\n", stdout);
  for (const struct cli_option *o = options; o->kind != CLI_END; o++) {
    if (o->kind == CLI_GROUP || o->kind == CLI_FLAG) continue;
    fputs("    ", stdout);
    if (o->letter) printf("-%c|", o->letter);
    printf("--%s)", o->name);
    if (takes_files(o)) fputs(" takes=files", stdout);
    else if (!put_words(usage->verb, o->name, o->help)) fputs(" takes=other", stdout);
    fputs(" ;;\n", stdout);
  }
  // Arguments that are no options.
  const char *verb, *after;
  for (unsigned row = 0; cli_words_row(row, &verb, &after); row++) {
    if (!verb || strcmp(verb, usage->verb) != 0) continue;
    bool option = false;
    for (const struct cli_option *o = options; o->kind != CLI_END; o++)
      option |= o->kind != CLI_GROUP && strcmp(o->name, after) == 0;
    if (option) continue;
    printf("    %s)", *after ? after : "''");
    put_words(verb, after, NULL);
    fputs(" ;;\n", stdout);
  }
  fputs("    esac ;;\n", stdout);
}

int cli_print_completion(const struct cli_verb *verbs) {
  printf("# Completion of the command sluice %s for bash, printed by 'sluice help --completion "
         "bash'.\n",
         SLUICE_VERSION);
  fputs("_sluice_verbs='", stdout);
  for (const struct cli_verb *v = verbs; v->name; v++)
    printf("%s%s", v == verbs ? "" : " ", v->name);
  fputs("'\n"
        "# VERB WORD: sets the verb's options, and what stands behind it: takes (words, files or "
        "other) and words.\n"
        "_sluice_verb() {\n  case $1 in\n",
        stdout);
  for (const struct cli_verb *v = verbs; v->name; v++) {
    const int code = cli_ask_verb(v, cli_print_verb_completion);
    if (code != CLI_DONE) return code;
  }
  fputs("  esac\n}\n", stdout);
  fputs(rest_of_it, stdout);
  return CLI_DONE;
}
