// SPDX-License-Identifier: Apache-2.0
// The passes in order, and the public interface around them.
#include <limits.h>
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
  narrow(c);
  balance(c);
  check_size(c);
  dump(c, "lower", dump_graph);
  codelets(c);
  dump(c, "codelet", dump_codelets);
  map_codelets(c);
  verify(c);
  dump(c, "map", dump_mapping);
  map_replace(c);
  codelets_ready(c);
  balance(c);
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

static unsigned lines_of(const char *text, size_t len) {
  unsigned lines = 1;
  for (size_t i = 0; i < len; i++) lines += text[i] == '\n';
  return lines;
}

// Both texts, one behind the other: messages are told apart by their line.
static struct sluice_program *parse_texts(struct sluice_program *program, const struct sluice_text *text,
                                          const struct sluice_text *bindings, struct sluice_diags *diags) {
  struct compiler c = {.arena = &program->arena, .diags = diags, .first_diag = diags->num, .program = program};
  const size_t len = text->len + (bindings ? 1 + bindings->len : 0);
  char *all = malloc(len + 1);
  if (!all) return NULL;
  memcpy(all, text->text, text->len);
  program->own_lines = UINT_MAX;
  if (bindings) {
    program->own_lines = lines_of(text->text, text->len);
    all[text->len] = '\n';
    memcpy(all + text->len + 1, bindings->text, bindings->len);
  }
  const bool good = front_end(&c, all, len);
  free(all);
  return good ? program : NULL;
}

struct sluice_program *sluice_program_parse_bound(const struct sluice_text *text, const struct sluice_text *bindings,
                                                  struct sluice_diags *diags) {
  struct sluice_program *program = calloc(1, sizeof *program);
  free(diags->file);
  free(diags->source);
  free(diags->bindings_file);
  free(diags->bindings_source);
  diags->file = copy(text->file, strlen(text->file));
  diags->source = copy(text->text, text->len);
  diags->bindings_file = bindings ? copy(bindings->file, strlen(bindings->file)) : NULL;
  diags->bindings_source = bindings ? copy(bindings->text, bindings->len) : NULL;
  const bool memory = program && diags->file && diags->source && (!bindings || (diags->bindings_file && diags->bindings_source));
  if (memory && parse_texts(program, text, bindings, diags)) return program;
  sluice_program_free(program);
  return NULL;
}

struct sluice_program *sluice_program_parse(const char *file, const char *text, size_t len,
                                            struct sluice_diags *diags) {
  const struct sluice_text program = {file, text, len};
  return sluice_program_parse_bound(&program, NULL, diags);
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

enum sluice_status compile_once(const struct compiler *setup, struct plan *plan, const struct sluice_compile_options *options,
                                struct sluice_diags *diags, struct sluice_image *image) {
  struct arena arena = {0};
  struct compiler c = *setup;
  c.arena = &arena;
  c.plan = plan;
  c.options = options;
  c.diags = diags;
  c.first_diag = diags->num;
  plan->too_many = 0;
  memset(image, 0, sizeof *image);
  if (options->usage) memset(options->usage, 0, sizeof *options->usage);
  enum sluice_status status = back_end(&c, image);
  if (options->usage) options->usage->memory = arena.most;
  arena_release(&arena);
  if (status != SLUICE_OK) sluice_image_release(image);
  return status;
}

enum sluice_status sluice_compile(const struct sluice_program *program,
                                  const struct sluice_config *config,
                                  const struct sluice_compile_options *options,
                                  struct sluice_image *image, struct sluice_diags *diags) {
  static const struct sluice_compile_options defaults;
  // The passes behind the front end only read the program.
  const struct compiler setup = {.diags = diags,
                                 .program = (struct sluice_program *)program,
                                 .config = config,
                                 .options = options ? options : &defaults};
  return plan_compile(&setup, image);
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
