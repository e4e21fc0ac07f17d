// SPDX-License-Identifier: Apache-2.0
// sluice p4 info: the P4Info of a program.
#include <stdlib.h>
#include <string.h>

#include "../p4info/info.h"
#include "p4.h"

static const struct cli_usage usage = {
    "p4", "info PROGRAM [OPTION...]",
    "Prints the P4Info of a P4-16 program of v1model: what a controller may name, with its ids",
    "Ids, aliases and fields are those that the specification of P4Runtime gives, so controllers "
    "that\n"
    "were written against another compiler's P4Info need not be changed.\n"};

enum format { TEXT, BINARY, JSON };

// By --format, else by how the name of the output ends.
static bool choose_format(const char *word, const char *output, enum format *format) {
  static const char *const words[] = {"text", "binary", "json"};
  *format = TEXT;
  const char *dot = output ? strrchr(output, '.') : NULL;
  if (dot && strcmp(dot, ".bin") == 0) *format = BINARY;
  if (dot && strcmp(dot, ".json") == 0) *format = JSON;
  if (!word) return true;
  for (unsigned i = 0; i < 3; i++)
    if (strcmp(word, words[i]) == 0) return *format = (enum format)i, true;
  cli_error("--format: '%s' is none; there are text, binary and json", word);
  return false;
}

static void print_binary(const struct proto *info, FILE *out) {
  const size_t len = proto_size(info);
  uint8_t *bytes = arena_alloc(info->arena, len + 1);
  proto_write(info, bytes);
  fwrite(bytes, 1, len, out);
}

// False: memory ran out.
static bool print(const struct proto *info, enum format format, FILE *out) {
  if (setjmp(info->arena->escape)) return false;
  if (format == BINARY) print_binary(info, out);
  if (format == JSON) proto_print_json(info, out);
  if (format == TEXT) {
    fputs("# proto-file: p4/config/v1/p4info.proto\n# proto-message: p4.config.v1.P4Info\n\n", out);
    proto_print_text(info, out);
  }
  return true;
}

static int write_info(const struct proto *info, enum format format, const char *path) {
  const bool standard = !path || strcmp(path, "-") == 0;
  FILE *out = standard ? stdout : fopen(path, "wb");
  bool good = out && print(info, format, out);
  if (out) good = (standard ? fflush(out) : fclose(out)) == 0 && good;
  if (good) return CLI_DONE;
  cli_error("'%s' cannot be written", standard ? "standard output" : path);
  return CLI_WORLD;
}

int cli_p4_info(int argc, char **argv) {
  struct cli_list folders = {0}, defines = {0}, rest = {0};
  const char *word = NULL, *output = NULL;
  enum format format;
  const struct cli_option options[] = {
      {CLI_TEXT, 0, "format", "FORMAT", &word, 0, 0,
       "text, binary or json (as the name of the output ends: .bin, .json; else text)"},
      {CLI_WRITE, 'o', "output", "FILE", &output, 0, 0, "where to (standard output)"},
      {CLI_LIST, 'I', "include", "FOLDER", &folders, 0, 0,
       "a folder in which #include looks, behind that of the file"},
      {CLI_LIST, 'D', "define", "NAME[=TEXT]", &defines, 0, 0,
       "a macro, as if the program began with its #define"},
      {CLI_END, 0, NULL, NULL, NULL, 0, 0, NULL}};
  const enum cli_parsed parsed = cli_parse(argc, argv, &usage, options, &rest);
  if (parsed != CLI_GO) return cli_parsed_exit(parsed);
  if (rest.count != 2) {
    cli_error("p4 info takes a program; see 'sluice p4 info --help'");
    return CLI_USAGE;
  }
  if (!choose_format(word, output, &format) || !cli_take_input(rest.items[1])) return CLI_USAGE;
  struct cli_p4 p = {.folders = &folders, .defines = &defines};
  int code = cli_p4_read(&p, rest.items[1]);
  const struct proto *info = p.program ? p4info_make(p.program, &p.messages) : NULL;
  if (code == CLI_DONE && !info) code = p.messages.out_of_memory ? CLI_WORLD : CLI_NO;
  if (code == CLI_NO) p4_messages_print(&p.messages, 0, stderr);
  if (info) code = write_info(info, format, output);
  cli_p4_release(&p);
  return code;
}
