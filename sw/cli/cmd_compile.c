// SPDX-License-Identifier: Apache-2.0
// sluice compile: a Domino program to a configuration image.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../compiler/compiler.h"
#include "cli.h"

enum { MAX_LEN = 1 << 20 };  // longest program text

static const struct cli_usage usage = {
    "compile", "PROGRAM [OPTION...]", "Compiles a Domino program to a configuration image",
    "Without -o the program is only checked. The language is described in docs/programs.md.\n"
    "Exit code: 0 compiled, 1 rejected, 2 wrong command line, 3 a file could not be read or "
    "written.\n"};

// The whole file, or NULL and a message. "-" is standard input.
static char *read_file(const char *path, size_t *len) {
  FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
  if (!in) {
    cli_error("cannot open '%s': %s", path, strerror(errno));
    return NULL;
  }
  char *text = malloc(MAX_LEN + 1);
  *len = text ? fread(text, 1, MAX_LEN + 1, in) : 0;
  bool bad = ferror(in) || !text;
  if (in != stdin) fclose(in);
  if (!bad && *len <= MAX_LEN) return text;
  if (bad) cli_error("cannot read '%s'", path);
  else cli_error("'%s' is longer than %d bytes", path, MAX_LEN);
  free(text);
  return NULL;
}

static bool known_pass(const char *pass) {
  if (strcmp(pass, "all") == 0) return true;
  for (unsigned i = 0; sluice_compile_passes[i]; i++)
    if (strcmp(sluice_compile_passes[i], pass) == 0) return true;
  fputs("sluice: --dump: passes are all", stderr);
  for (unsigned i = 0; sluice_compile_passes[i]; i++)
    fprintf(stderr, ", %s", sluice_compile_passes[i]);
  fputc('\n', stderr);
  return false;
}

static void print_usage(const struct sluice_usage *u, const struct sluice_config *chip,
                        const char *name) {
  printf(
      "%s on %s: front stages %u of %u, back stages %u of %u, %u with state (%u pinned), hash "
      "units %u\n",
      name, chip->name, u->front_stages, chip->FrontStages, u->back_stages, chip->BackStages,
      u->state_stages, u->pinned, u->hash_units);
  printf(
      "  %u operations; containers %u of %u (2 bytes), %u of %u (4), %u of %u (6); parser actions "
      "%u, deparser %u\n",
      u->operations, u->containers[1], chip->Num2B, u->containers[2], chip->Num4B, u->containers[3],
      chip->Num6B, u->parse_actions, u->deparse_actions);
}

static void print_json(const struct sluice_usage *u, const struct sluice_config *chip,
                       const char *name, bool compiled, const struct sluice_image *image,
                       const struct sluice_diags *diags) {
  printf("{\"program\": \"%s\", \"chip\": \"%s\", \"compiled\": %s", name, chip->name,
         compiled ? "true" : "false");
  if (compiled) {
    printf(
        ",\n \"front_stages\": %u, \"back_stages\": %u, \"state_stages\": %u, \"pinned\": %u, "
        "\"hash_units\": %u,"
        "\n \"operations\": %u, \"containers\": [%u, %u, %u], \"parser_actions\": %u, "
        "\"deparser_actions\": %u,"
        "\n \"arrays\": [",
        u->front_stages, u->back_stages, u->state_stages, u->pinned, u->hash_units, u->operations,
        u->containers[1], u->containers[2], u->containers[3], u->parse_actions, u->deparse_actions);
    for (size_t i = 0; i < image->num_arrays; i++) {
      const struct sluice_array *a = &image->arrays[i];
      printf("%s{\"names\": [\"%s\", \"%s\"], \"stage\": %u, \"size\": %u, \"pinned\": %s}",
             i ? ", " : "", a->name[0], a->name[1], a->stage, a->size,
             a->pinned ? "true" : "false");
    }
    printf("]");
  }
  printf(",\n \"messages\": ");
  sluice_diags_json(diags, stdout);
  printf("}\n");
}

struct job {
  const char *path, *output, *dump;
  const struct sluice_config *chip;
  bool json, pin, keep_index;
};

static int compile_text(const struct job *job, const char *text, size_t len) {
  struct sluice_diags diags = {0};
  struct sluice_image image = {0};
  struct sluice_usage used = {0};
  struct sluice_error error;
  const struct sluice_compile_options options = {.dump = job->dump,
                                                 .dump_to = stdout,
                                                 .usage = &used,
                                                 .pin = job->pin,
                                                 .keep_index = job->keep_index};
  int code = CLI_NO;
  struct sluice_program *program = sluice_program_parse(job->path, text, len, &diags);
  if (program && sluice_compile(program, job->chip, &options, &image, &diags) == SLUICE_OK)
    code = CLI_DONE;
  else if (!diags.num_errors) code = CLI_WORLD;
  sluice_diags_print(&diags, stderr);
  if (code == CLI_WORLD) cli_error("out of memory");
  const char *name = program ? sluice_program_name(program) : "";
  // The image, the summary and the dump may all want standard output; the image alone gets it.
  bool quiet = job->output && strcmp(job->output, "-") == 0;
  if (job->json && !quiet) print_json(&used, job->chip, name, code == CLI_DONE, &image, &diags);
  else if (code == CLI_DONE && !quiet) print_usage(&used, job->chip, name);
  if (code == CLI_DONE && job->output &&
      sluice_image_save(&image, job->output, &error) != SLUICE_OK) {
    cli_error("%s", error.text);
    code = CLI_WORLD;
  }
  sluice_image_release(&image);
  sluice_program_free(program);
  sluice_diags_release(&diags);
  return code;
}

int cmd_compile(int argc, char **argv) {
  struct job job = {0};
  const char *chip = "k4";
  struct cli_list rest;
  const struct cli_option options[] = {
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Options"},
      {CLI_TEXT, 'o', "output", "IMAGE", &job.output, 0, 0,
       "write the image there; - is standard output"},
      {CLI_TEXT, 0, "chip", "NAME", &chip, 0, 0, "compile for this configuration (k4)"},
      {CLI_FLAG, 0, "json", NULL, &job.json, 0, 0, "print the summary as JSON"},
      {CLI_FLAG, 0, "pin", NULL, &job.pin, 0, 0, "keep every array in one pipeline"},
      {CLI_FLAG, 0, "keep-index", NULL, &job.keep_index, 0, 0,
       "keep indices up to their stage, for chips without phantoms"},
      {CLI_TEXT, 0, "dump", "PASS", &job.dump, 0, 0,
       "print the program after a pass, or after 'all'"},
      {CLI_END, 0, NULL, NULL, NULL, 0, 0, NULL}};
  enum cli_parsed parsed = cli_parse(argc, argv, &usage, options, &rest);
  if (parsed != CLI_GO) return cli_parsed_exit(parsed);
  if (rest.count != 1) {
    cli_error("compile needs one program");
    return CLI_USAGE;
  }
  if (job.dump && !known_pass(job.dump)) return CLI_USAGE;
  job.chip = cli_chip(chip);
  if (!job.chip) return CLI_USAGE;
  job.path = rest.items[0];
  size_t len;
  char *text = read_file(job.path, &len);
  if (!text) return CLI_WORLD;
  int code = compile_text(&job, text, len);
  free(text);
  return code;
}
