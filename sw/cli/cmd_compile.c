// SPDX-License-Identifier: Apache-2.0
// sluice compile: a Domino program to a configuration image.
#include <stdlib.h>
#include <string.h>

#include "../compiler/compiler.h"
#include "../driver/plan/guard.h"
#include "../driver/image/image_tables.h"
#include "../reaction/source.h"
#include "cli.h"
#include "p4.h"

enum { MAX_LEN = 1 << 20 };  // longest program text

static const struct cli_usage usage = {"compile", "PROGRAM [OPTION...]",
                                       "Compiles a program to a configuration image",
                                       "Without -o the program is only checked. The language is "
                                       "described in docs/programs.md; a text in the\n"
                                       "compiler's IR (docs/compiler.md) is taken as well, and a "
                                       "program in P4-16 (*.p4, docs/p4-16.md).\n"
                                       "Exit code: 0 compiled, 1 rejected, 2 wrong command line, 3 "
                                       "a file could not be read or written.\n"};

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
  printf("%s on %s: front stages %u of %u, back stages %u of %u, %u with state (%u pinned), hash "
         "units %u\n",
         name, chip->name, u->front_stages, chip->FrontStages, u->back_stages, chip->BackStages,
         u->state_stages, u->pinned, u->hash_units);
  printf("  %u operations; containers %u of %u (2 bytes), %u of %u (4), %u of %u (6); parser "
         "actions %u, deparser %u\n",
         u->operations, u->containers[1], chip->Num2B, u->containers[2], chip->Num4B,
         u->containers[3], chip->Num6B, u->parse_actions, u->deparse_actions);
}

static void print_egress(const struct sluice_usage *u, const struct sluice_config *chip,
                         const struct sluice_program *egress) {
  if (!egress) return;
  printf("  egress %s: egress stages %u of %u, %u operations; parser actions %u, deparser %u\n",
         sluice_program_name(egress), u->egress_stages, chip->EgressStages, u->egress_operations,
         u->egress_parse_actions, u->egress_deparse_actions);
}

// The members of a set of stages.
static void print_stages(uint32_t stages) {
  const char *comma = "";
  for (unsigned s = 0; s < 32; s++)
    if (stages >> s & 1) {
      printf("%s%u", comma, s);
      comma = ", ";
    }
}

static void print_multipliers(const struct sluice_usage *u, const struct sluice_config *chip) {
  const uint32_t back = u->multiplier_stages & ((UINT32_C(1) << chip->BackStages) - 1);
  const uint32_t front = u->multiplier_stages >> chip->BackStages;
  if (!u->multiplier_stages) return;
  printf("  multipliers in");
  if (front) {
    printf(" front stages ");
    print_stages(front);
  }
  if (back) {
    printf("%s back stages ", front ? ";" : "");
    print_stages(back);
  }
  printf("\n");
}

static void print_gain(const struct sluice_usage *u) {
  if (u->shared)
    printf("  %u pair%s of arrays that do not need each other share a stage\n", u->shared,
           u->shared == 1 ? "" : "s");
  if (u->quick_stages > u->front_stages + u->back_stages)
    printf("  %u stages instead of %u\n", u->front_stages + u->back_stages, u->quick_stages);
}

static unsigned own_entries(const struct sluice_image *image, size_t table) {
  unsigned num = 0;
  for (size_t i = 0; i < image->num_entries; i++) num += image->entries[i].table == table;
  return num;
}

static void print_part(const struct sluice_image_table *t, const struct sluice_config *chip) {
  unsigned number;
  const char *kind = sluice_stage_kind(chip, t->stage, &number);
  printf("    part %u: %s, %s stage %u, up to %u", t->part.number, sluice_engine_names[t->engine],
         kind, number, t->size);
  for (unsigned i = 0; sluice_table_lpm(t) && !t->part.ordered && i < t->part.num_classes; i++) {
    const struct sluice_image_class *x = &t->part.classes[i];
    printf("%s%u", i ? ", " : " with prefixes of ", x->least);
    if (x->most > x->least) printf(" to %u", x->most);
  }
  printf("\n");
}

static void print_tables(const struct sluice_image *image, const struct sluice_config *chip) {
  for (size_t i = 0; i < image->num_tables; i++) {
    const struct sluice_image_table *t = &image->tables[i];
    unsigned number;
    const char *kind = sluice_stage_kind(chip, t->stage, &number);
    if (t->engine == SLUICE_ENGINE_ARRAY) {
      printf("  lookup %s: array match; %u of %u entries\n", t->name, own_entries(image, i),
             t->size);
      continue;
    }
    if (t->part.number) continue;
    if (t->part.num) printf("  table %s: %u parts; key", t->name, t->part.num);
    else
      printf("  table %s: %s, %s stage %u; key", t->name, sluice_engine_names[t->engine], kind,
             number);
    for (unsigned k = 0; k < t->num_keys; k++)
      printf("%s %s %s", k ? "," : "", t->keys[k].name, sluice_key_kind_names[t->keys[k].kind]);
    printf("; actions");
    for (unsigned a = 0; a < t->num_actions; a++)
      printf("%s %s%s", a ? "," : "", t->actions[a].name,
             a == t->default_action ? " (default)" : "");
    printf("; %u of %u entries\n", own_entries(image, i), sluice_table_whole(t));
    for (unsigned n = 0; n < t->part.num; n++) print_part(&t[n], chip);
  }
}

static void print_action(const struct sluice_image_action *a, const char *comma) {
  printf("%s{\"name\": \"%s\", \"only_default\": %s, \"parameters\": [", comma, a->name,
         a->only_default ? "true" : "false");
  for (unsigned n = 0; n < a->num_args; n++)
    printf("%s{\"name\": \"%s\", \"bits\": %u}", n ? ", " : "", a->args[n].name,
           a->args[n].msb - a->args[n].lsb + 1);
  printf("]}");
}

static void print_json_tables(const struct sluice_image *image) {
  printf(",\n \"tables\": [");
  for (size_t i = 0; i < image->num_tables; i++) {
    const struct sluice_image_table *t = &image->tables[i];
    printf("%s{\"name\": \"%s\", \"stage\": %u, \"engine\": \"%s\", \"size\": %u, \"entries\": %u, "
           "\"keys\": [",
           i ? ",\n  " : "", t->name, t->stage, sluice_engine_names[t->engine], t->size,
           own_entries(image, i));
    for (unsigned k = 0; k < t->num_keys; k++)
      printf("%s{\"name\": \"%s\", \"kind\": \"%s\", \"bits\": %u}", k ? ", " : "", t->keys[k].name,
             sluice_key_kind_names[t->keys[k].kind], t->keys[k].msb - t->keys[k].lsb + 1);
    printf("], \"actions\": [");
    for (unsigned a = 0; a < t->num_actions; a++) print_action(&t->actions[a], a ? ", " : "");
    if (t->part.num)
      printf("], \"part\": %u, \"parts\": %u, \"whole\": %u, \"default\": ", t->part.number,
             t->part.num, t->part.whole);
    else printf("], \"default\": ");
    if (t->engine == SLUICE_ENGINE_ARRAY) printf("null}");
    else printf("\"%s\"}", t->actions[t->default_action].name);
  }
  printf("]");
}

static void print_json(const struct sluice_usage *u, const struct sluice_config *chip,
                       const char *name, bool compiled, const struct sluice_image *image,
                       const struct sluice_diags *diags) {
  printf("{\"program\": \"%s\", \"chip\": \"%s\", \"compiled\": %s", name, chip->name,
         compiled ? "true" : "false");
  if (compiled) {
    printf(",\n \"front_stages\": %u, \"back_stages\": %u, \"state_stages\": %u, \"pinned\": %u, "
           "\"hash_units\": %u, \"multipliers\": [",
           u->front_stages, u->back_stages, u->state_stages, u->pinned, u->hash_units);
    print_stages(u->multiplier_stages);
    printf("],\n \"operations\": %u, \"containers\": [%u, %u, %u], \"parser_actions\": %u, "
           "\"deparser_actions\": %u,\n \"shared\": %u, \"quick_stages\": %u,\n \"arrays\": [",
           u->operations, u->containers[1], u->containers[2], u->containers[3], u->parse_actions,
           u->deparse_actions, u->shared, u->quick_stages);
    for (size_t i = 0; i < image->num_arrays; i++) {
      const struct sluice_array *a = &image->arrays[i];
      printf("%s{\"names\": [\"%s\", \"%s\"], \"stage\": %u, \"size\": %u, \"pinned\": %s",
             i ? ", " : "", a->name[0], a->name[1], a->stage, a->size,
             a->pinned ? "true" : "false");
      if (a->words) printf(", \"rows\": {\"name\": \"%s\", \"words\": %u}", a->row, a->words);
      if (u->atom[i]) printf(", \"atom\": \"%s\"", u->atom[i]);
      printf("}");
    }
    printf("]");
    if (chip->EgressStages)
      printf(",\n \"egress\": {\"stages\": %u, \"operations\": %u, \"parser_actions\": %u, "
             "\"deparser_actions\": %u}",
             u->egress_stages, u->egress_operations, u->egress_parse_actions,
             u->egress_deparse_actions);
    print_json_tables(image);
  }
  printf(",\n \"messages\": ");
  sluice_diags_json(diags, stdout);
  printf("}\n");
}

static bool known_atom(const char *atom) {
  for (unsigned i = 0; sluice_atoms[i]; i++)
    if (strcmp(sluice_atoms[i], atom) == 0) return true;
  fputs("sluice: --target: atoms are", stderr);
  for (unsigned i = 0; sluice_atoms[i]; i++)
    fprintf(stderr, "%s %s", i ? "," : "", sluice_atoms[i]);
  fputc('\n', stderr);
  return false;
}

struct job {
  const char *path, *output, *dump, *bind, *system, *target, *emit, *dot;
  const struct sluice_config *chip;
  bool json, pin, keep_index, werror, fewest, trusted;
  struct cli_p4_source *p4;  // the text is made of a program in P4; NULL: it is the program
};

static void print_diags(const struct job *job, const struct sluice_diags *diags) {
  if (job->p4) cli_p4_tell(job->p4, diags);
  else sluice_diags_print(diags, stderr);
}

static bool has_warnings(const struct sluice_diags *diags) {
  for (size_t i = 0; i < diags->num; i++)
    if (diags->list[i].severity == SLUICE_SEVERITY_WARNING) return true;
  return false;
}

// --emit ir: the text of the program instead of an image, to -o or standard output.
static int emit_ir(const struct job *job, const struct sluice_program *program,
                   const struct sluice_compile_options *options, struct sluice_diags *diags) {
  char *text = NULL;
  size_t len = 0;
  FILE *memory = open_memstream(&text, &len);
  const enum sluice_status status =
      memory ? sluice_program_print_ir(program, job->chip, options, memory, diags)
             : SLUICE_ERR_NOMEM;
  int code = status == SLUICE_OK ? CLI_DONE : status == SLUICE_ERR_FULL ? CLI_NO : CLI_WORLD;
  if (memory && fclose(memory) != 0 && code == CLI_DONE) code = CLI_WORLD;
  if (code == CLI_WORLD) cli_error("out of memory");
  if (code == CLI_DONE && !cli_write_file(job->output ? job->output : "-", text, len))
    code = CLI_WORLD;
  free(text);
  return code;
}

// Its reactions are C for this machine: what the C compiler says of them is told. Exit code.
static int compile_reactions(const struct job *job, const struct sluice_image *image) {
  struct reaction_build built;
  struct sluice_error error;
  char *messages = NULL;
  if (!image->num_reactions) return CLI_DONE;
  const enum sluice_status status = reaction_build(&built, image, job->path, &messages, &error);
  if (messages) fputs(messages, stderr);
  if (status) cli_error("%s", error.text);
  const bool bad = status == SLUICE_ERR_FORMAT || (job->werror && messages);
  if (bad && !status) cli_error("'%s': warnings are errors (--werror)", job->path);
  free(messages);
  reaction_build_release(&built);
  return bad ? CLI_NO : status ? CLI_WORLD : CLI_DONE;
}

// --emit c: their C file. Exit code.
static int emit_c(const struct job *job, const struct sluice_image *image) {
  struct sluice_error error;
  char *text = NULL;
  if (!image->num_reactions) {
    cli_error("'%s' has no reactions", job->path);
    return CLI_NO;
  }
  if (reaction_source(image, job->path, &text, &error)) {
    cli_error("%s", error.text);
    return CLI_NO;
  }
  const int code = cli_write_file(job->output ? job->output : "-", text, strlen(text)) ? CLI_DONE
                                                                                       : CLI_WORLD;
  free(text);
  return code;
}

static void print_reactions(const struct sluice_image *image) {
  for (size_t i = 0; i < image->num_reactions; i++) {
    const struct sluice_reaction *r = &image->reactions[i];
    unsigned words = 0;
    for (unsigned n = 0; n < r->num_args; n++) words += sluice_reaction_arg_words(&r->args[n]);
    printf("  reaction %s reads %u word%s\n", r->name, words, words == 1 ? "" : "s");
  }
}

static int compile_text(const struct job *job, const struct sluice_text *text,
                        const struct sluice_text *bindings) {
  struct sluice_diags diags = {0};
  struct sluice_image image = {0};
  struct sluice_usage used = {0};
  struct sluice_error error;
  char *drawn = NULL;
  size_t drawn_size = 0;
  FILE *drawing = job->dot ? open_memstream(&drawn, &drawn_size) : NULL;
  const struct sluice_compile_options options = {.dump = job->dump,
                                                 .dump_to = stdout,
                                                 .dot_to = drawing,
                                                 .usage = &used,
                                                 .atoms = job->json,
                                                 .target = job->target,
                                                 .pin = job->pin,
                                                 .fewest = job->fewest,
                                                 .keep_index = job->keep_index};
  int code = CLI_NO;
  struct sluice_program *program = job->system ? sluice_program_parse_under(text, bindings, &diags)
                                               : sluice_program_parse_bound(text, bindings, &diags);
  if (program && job->emit && strcmp(job->emit, "ir") == 0) {
    code = emit_ir(job, program, &options, &diags);
    print_diags(job, &diags);
    if (code == CLI_DONE && job->werror && has_warnings(&diags)) {
      cli_error("'%s': warnings are errors (--werror)", job->path);
      code = CLI_NO;
    }
    sluice_program_free(program);
    sluice_diags_release(&diags);
    return code;
  }
  if (program && sluice_compile(program, job->chip, &options, &image, &diags) == SLUICE_OK)
    code = CLI_DONE;
  else if (!diags.num_errors) code = CLI_WORLD;
  else if (program) sluice_compile_advise(program, job->chip, &options, &diags);
  print_diags(job, &diags);
  if (code == CLI_DONE && job->werror && has_warnings(&diags)) {
    cli_error("'%s': warnings are errors (--werror)", job->path);
    code = CLI_NO;
  }
  if (code == CLI_WORLD) cli_error("out of memory");
  if (code == CLI_DONE && !job->trusted && sluice_guard(job->chip, &image, &error)) {
    cli_error("%s; see --trusted", error.text);
    code = CLI_NO;
  }
  if (code == CLI_DONE) code = job->emit ? emit_c(job, &image) : compile_reactions(job, &image);
  const char *name = program ? sluice_program_name(program) : "";
  // With `-o -` the image has standard output for itself.
  bool quiet = cli_output_taken();
  if (job->json) print_json(&used, job->chip, name, code == CLI_DONE, &image, &diags);
  else if (code == CLI_DONE && !quiet && !job->emit) {
    print_usage(&used, job->chip, name);
    print_egress(&used, job->chip, sluice_program_egress(program));
    print_multipliers(&used, job->chip);
    print_tables(&image, job->chip);
    print_gain(&used);
    print_reactions(&image);
  }
  if (code == CLI_DONE && job->output && !job->emit &&
      sluice_image_save(&image, job->output, &error) != SLUICE_OK) {
    cli_error("%s", error.text);
    code = CLI_WORLD;
  }
  const long len = drawing ? ftell(drawing) : 0;
  if (drawing && (fclose(drawing) != 0 || len < 0)) code = CLI_WORLD;
  if (job->dot && code == CLI_DONE && !cli_write_file(job->dot, drawn, (size_t)len))
    code = CLI_WORLD;
  free(drawn);
  sluice_image_release(&image);
  sluice_program_free(program);
  sluice_diags_release(&diags);
  return code;
}

// A program in P4.
static int compile_p4(struct job *job, struct cli_p4_source *p4) {
  if (job->bind || job->system) {
    cli_error("--bind and --system are for programs in Domino");
    return CLI_USAGE;
  }
  int code = cli_p4_lower(p4, job->path, job->chip);
  job->p4 = p4;
  const struct sluice_text text = {job->path, p4->result.ir, p4->result.len};
  if (code == CLI_DONE) code = compile_text(job, &text, NULL);
  cli_p4_source_release(p4);
  return code;
}

int cmd_compile(int argc, char **argv) {
  struct job job = {0};
  const char *chip = SLUICE_DEFAULT_SHAPE;
  uint64_t level = 1;
  struct cli_list rest, folders = {0}, defines = {0};
  const struct cli_option options[] = {
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Options"},
      {CLI_WRITE, 'o', "output", "IMAGE", &job.output, 0, 0,
       "write the image there; - is standard output"},
      {CLI_TEXT, 0, "chip", "NAME", &chip, 0, 0,
       "compile for this shape (" SLUICE_DEFAULT_SHAPE ")"},
      {CLI_FLAG, 0, "json", NULL, &job.json, 0, 0, "print the summary as JSON"},
      {CLI_FLAG, 0, "pin", NULL, &job.pin, 0, 0, "keep every array in one pipeline"},
      {CLI_FLAG, 0, "keep-index", NULL, &job.keep_index, 0, 0,
       "keep indices up to their stage, for chips without phantoms"},
      {CLI_PATH, 0, "system", "FILE", &job.system, 0, 0,
       "system-level module: what is done before and behind the program"},
      {CLI_READ, 0, "bind", "FILE", &job.bind, 0, 0,
       "fields without a home are tied to the packet there: bind NAME @ HOME;"},
      {CLI_WHOLE, 'O', "optimize", "LEVEL", &level, 1, 2,
       "2: look for the fewest stages, also if the quick answer fits (1)"},
      {CLI_FLAG, 0, "werror", NULL, &job.werror, 0, 0, "warnings are errors"},
      {CLI_FLAG, 0, "trusted", NULL, &job.trusted, 0, 0,
       "it may write its VLAN id, and reconfiguration packets (run --trust)"},
      {CLI_TEXT, 0, "target", "ATOM", &job.target, 0, 0,
       "refuse updates of state that take more than this of Banzai's atoms: read-write, raw, praw, "
       "ifelse, sub, nested, pairs"},
      {CLI_TEXT, 0, "emit", "KIND", &job.emit, 0, 0,
       "image; ir: write the program as text in the compiler's IR (docs/compiler.md) instead; c: "
       "its reactions as a C file"},
      {CLI_WRITE, 0, "dot", "FILE", &job.dot, 0, 0,
       "write the operations, stage by stage, as a graph for Graphviz there"},
      {CLI_LIST, 'I', "include", "FOLDER", &folders, 0, 0,
       "of P4: a folder in which #include looks, behind that of the file"},
      {CLI_LIST, 'D', "define", "NAME[=TEXT]", &defines, 0, 0,
       "of P4: a macro, as if the program began with its #define"},
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
  if (job.emit && strcmp(job.emit, "image") == 0) job.emit = NULL;
  if (job.emit && strcmp(job.emit, "ir") != 0 && strcmp(job.emit, "c") != 0) {
    cli_error("--emit: kinds are image, ir, c");
    return CLI_USAGE;
  }
  if (job.emit && (job.dump || job.json || job.dot)) {
    cli_error("--emit %s and --%s: one or the other", job.emit,
              job.dump   ? "dump"
              : job.json ? "json"
                         : "dot");
    return CLI_USAGE;
  }
  if (cli_output_taken() && (job.dump || job.json)) {
    cli_error("-o - and --%s: both want standard output", job.dump ? "dump" : "json");
    return CLI_USAGE;
  }
  if (job.target && !known_atom(job.target)) return CLI_USAGE;
  job.chip = cli_chip(chip);
  if (!job.chip) return CLI_USAGE;
  job.path = rest.items[0];
  job.fewest = level == 2;
  if (job.bind && job.system) {
    cli_error("--bind and --system: one or the other");
    return CLI_USAGE;
  }
  if (job.system && job.emit && strcmp(job.emit, "ir") == 0) {
    cli_error("--emit ir has no form for a program under a system-level module");
    return CLI_USAGE;
  }
  struct cli_p4_source p4 = {.folders = &folders, .defines = &defines};
  if (cli_is_p4(job.path)) return compile_p4(&job, &p4);
  const char *second = job.bind ? job.bind : job.system;
  if (job.bind && strcmp(job.bind, "-") == 0 && strcmp(job.path, "-") == 0) {
    cli_error("the program and --bind cannot both be standard input");
    return CLI_USAGE;
  }
  struct sluice_text program = {.file = job.path}, bindings = {.file = second};
  char *text = cli_read_text(job.path, MAX_LEN, &program.len), *tied = NULL;
  if (text && second) tied = cli_read_text(second, MAX_LEN, &bindings.len);
  program.text = text;
  bindings.text = tied;
  int code = CLI_WORLD;
  if (text && (tied || !second)) code = compile_text(&job, &program, second ? &bindings : NULL);
  free(text);
  free(tied);
  return code;
}
