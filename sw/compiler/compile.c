// SPDX-License-Identifier: Apache-2.0
// The passes in order, and the public interface around them.
#include <stdlib.h>
#include <string.h>

#include "internal.h"

const char *const sluice_compile_passes[] = {"lex",     "parse",    "branch",   "ssa",
                                             "fold",    "lower",    "codelet",  "map",
                                             "replace", "schedule", "allocate", NULL};

static void dump(const struct compiler *c, const char *pass,
                 void (*print)(const struct compiler *, FILE *)) {
  const struct sluice_compile_options *o = c->options;
  if (!o->dump || !o->dump_to || (strcmp(o->dump, pass) != 0 && strcmp(o->dump, "all") != 0))
    return;
  fprintf(o->dump_to, "---- after %s\n", pass);
  print(c, o->dump_to);
}

static void passes(struct compiler *c, struct sluice_image *image) {
  dump(c, "lex", dump_tokens);
  dump(c, "parse", dump_tree);
  branch(c);
  dump(c, "branch", dump_flat);
  ssa(c);
  dump(c, "ssa", dump_graph);
  graph_rebuild(c, NULL);
  addresses(c);
  dump(c, "fold", dump_graph);
  lower(c);
  dump(c, "lower", dump_graph);
  codelets(c);
  dump(c, "codelet", dump_codelets);
  map_codelets(c);
  verify(c);
  dump(c, "map", dump_mapping);
  map_replace(c);
  dump(c, "replace", dump_graph);
  schedule(c);
  dump(c, "schedule", dump_tasks);
  if (!allocate(c, false)) {
    schedule_late(c, true);
    if (!allocate(c, true)) arena_give_up(c->arena, 2);
  }
  dump(c, "allocate", dump_tasks);
  emit(c, image);
  give_up_on_errors(c);
}

static char *copy(const char *text, size_t len) {
  char *made = malloc(len + 1);
  if (!made) return NULL;
  memcpy(made, text, len);
  made[len] = 0;
  return made;
}

// Runs the front end; false if it gave up. The only local that lives across setjmp is the argument.
static bool front_end(struct compiler *c, const char *text, size_t len) {
  if (setjmp(c->arena->escape)) return false;
  lex(c, arena_text(c->arena, text, len), len);
  parse(c);
  check(c);
  return true;
}

struct sluice_program *sluice_program_parse(const char *file, const char *text, size_t len,
                                            struct sluice_diags *diags) {
  struct sluice_program *program = calloc(1, sizeof *program);
  free(diags->file);
  free(diags->source);
  diags->file = copy(file, strlen(file));
  diags->source = copy(text, len);
  if (program && diags->file && diags->source) {
    struct compiler c = {
        .arena = &program->arena, .diags = diags, .first_diag = diags->num, .program = program};
    if (front_end(&c, text, len)) return program;
  }
  sluice_program_free(program);
  return NULL;
}

void sluice_program_free(struct sluice_program *program) {
  if (program) arena_release(&program->arena);
  free(program);
}

static enum sluice_status back_end(struct compiler *setup, struct sluice_image *image) {
  switch (setjmp(setup->arena->escape)) {
    case 0: break;
    case 1: return SLUICE_ERR_NOMEM;
    default: return SLUICE_ERR_FULL;
  }
  struct compiler *c = NEW(setup->arena, struct compiler);
  *c = *setup;
  passes(c, image);
  return SLUICE_OK;
}

enum sluice_status sluice_compile(const struct sluice_program *program,
                                  const struct sluice_config *config,
                                  const struct sluice_compile_options *options,
                                  struct sluice_image *image, struct sluice_diags *diags) {
  static const struct sluice_compile_options defaults;
  struct arena arena = {0};
  // The passes behind the front end only read the program.
  struct compiler c = {.arena = &arena,
                       .diags = diags,
                       .first_diag = diags->num,
                       .program = (struct sluice_program *)program,
                       .config = config,
                       .options = options ? options : &defaults};
  memset(image, 0, sizeof *image);
  if (c.options->usage) memset(c.options->usage, 0, sizeof *c.options->usage);
  enum sluice_status status = back_end(&c, image);
  arena_release(&arena);
  if (status != SLUICE_OK) sluice_image_release(image);
  return status;
}

const char *sluice_program_name(const struct sluice_program *p) { return p->name; }
bool sluice_program_checksum(const struct sluice_program *p) { return p->checksum; }
bool sluice_program_needs_ip(const struct sluice_program *p) { return p->need_ip; }
bool sluice_program_needs_udp(const struct sluice_program *p) { return p->need_udp; }
size_t sluice_program_num_fields(const struct sluice_program *p) { return p->num_fields; }
size_t sluice_program_num_states(const struct sluice_program *p) { return p->num_states; }
const struct sluice_program_field *sluice_program_field(const struct sluice_program *p, size_t i) {
  return &p->field[i]->info;
}
const struct sluice_program_state *sluice_program_state(const struct sluice_program *p, size_t i) {
  return &p->state[i]->info;
}
