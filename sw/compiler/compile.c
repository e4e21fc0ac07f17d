// SPDX-License-Identifier: Apache-2.0
// The passes in order, and the public interface around them.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

// ---- the passes ---------------------------------------------------------------------------------

static void pass_branch(struct compiler *c) { branch(&c->ir, &c->flats); }

static void pass_ssa(struct compiler *c) {
  if (c->program->ir) ir_graph(&c->ir);
  else ssa(&c->ir, &c->flats, c->plan->on_way);
}

static void pass_fold(struct compiler *c) {
  graph_rebuild(&c->ir, NULL, NULL);
  table_port_words(c);
}

// Of values alone: it knows the program and the chip, and no plan, codelet or task.
static void pass_narrow(struct compiler *c) { narrow(&c->ir); }

static void pass_lower(struct compiler *c) { lower(&c->ir, c->plan); }
static void pass_balance(struct compiler *c) { balance(&c->ir, &c->codelets); }

static void pass_codelet(struct compiler *c) {
  check_size(&c->ir);
  port_sets(c);
  table_parts(c);
  tables_fit(c);
  word_table_fits(&c->ir);
  codelets(c);
}

static void pass_map(struct compiler *c) {
  map_codelets(c);
  rows_map(c);
  map_malleables(c);
  verify(&c->ir, &c->codelets);
}

static void pass_replace(struct compiler *c) {
  map_replace(&c->ir, &c->codelets);
  codelets_ready(&c->ir, &c->codelets);
  balance(&c->ir, &c->codelets);
}

static void pass_address(struct compiler *c) {
  addresses(&c->ir);
  split(&c->ir, c->options->pin);
}

static void pass_allocate(struct compiler *c) {
  if (allocate(c, false)) return;
  schedule_late(c, true);
  if (!allocate(c, true)) arena_give_up(c->arena, ARENA_TOLD);
}

static void print_values(const struct compiler *c, FILE *out) { ir_print(&c->ir, out); }

// DOMINO: only of a program in Domino. FORM: makes the form that all behind it expect. ALONE: each
// needs the form alone. CHAIN: needs those of the chain before it.
enum role { DOMINO, FORM, ALONE, CHAIN };
#define PASSES(X)                                \
  X(lex, DOMINO, NULL, dump_tokens)              \
  X(parse, DOMINO, NULL, dump_tree)              \
  X(branch, DOMINO, pass_branch, dump_flat)      \
  X(ssa, FORM, pass_ssa, print_values)           \
  X(fold, FORM, pass_fold, print_values)         \
  X(address, FORM, pass_address, print_values)   \
  X(lower, ALONE, pass_lower, print_values)      \
  X(narrow, ALONE, pass_narrow, print_values)    \
  X(balance, ALONE, pass_balance, print_values)  \
  X(codelet, CHAIN, pass_codelet, dump_codelets) \
  X(map, CHAIN, pass_map, dump_mapping)          \
  X(replace, CHAIN, pass_replace, print_values)  \
  X(table, CHAIN, table_fold, table_dump)        \
  X(schedule, CHAIN, schedule, dump_tasks)       \
  X(allocate, CHAIN, pass_allocate, dump_tasks)

static const struct pass {
  const char *name;
  enum role role;
  void (*run)(struct compiler *c);  // NULL: the front end has done it
  void (*print)(const struct compiler *c, FILE *out);
} pass_list[] = {
#define ROW(NAME, ROLE, RUN, PRINT) {#NAME, ROLE, RUN, PRINT},
    PASSES(ROW)
#undef ROW
};
enum { NUM_PASSES = sizeof pass_list / sizeof pass_list[0] };

#define ROW(NAME, ROLE, RUN, PRINT) #NAME,
const char *const sluice_compile_passes[] = {PASSES(ROW) NULL};
#undef ROW

// A pass, and whether it left a graph that is one.
static void run(struct compiler *c, const struct pass *pass) {
  pass->run(c);
  char why[200];
  if (!c->graph || ir_validate(&c->ir, why, sizeof why)) return;
  fprintf(stderr, "behind pass '%s': %s\n", pass->name, why);
  SLUICE_BUG("a pass left a graph that is none");
}

static void dump(const struct compiler *c, const struct pass *pass) {
  const struct sluice_compile_options *o = c->options;
  if (!o->dump || !o->dump_to || (strcmp(o->dump, pass->name) != 0 && strcmp(o->dump, "all") != 0))
    return;
  // A title that the IR's reader takes for a comment.
  fprintf(o->dump_to, "// ---- after %s\n", pass->name);
  pass->print(c, o->dump_to);
}

static void passes(struct compiler *c, struct sluice_image *image) {
  for (const struct pass *p = pass_list; p < pass_list + NUM_PASSES; p++) {
    if (p->role == DOMINO && c->program->ir) continue;
    if (p->run) run(c, p);
    // The tokens are those of both functions.
    if (p != pass_list || !c->program->outer) dump(c, p);
  }
  emit(c, image);
  give_up_on_errors(&c->ir);
  if (c->options->dot_to) {
    // Only the last way to compile counts.
    fseek(c->options->dot_to, c->dot_from, SEEK_SET);
    dot(c, c->options->dot_to);
  }
}

// ---- the front end ------------------------------------------------------------------------------

static char *copy(const char *text, size_t len) {
  char *made = malloc(len + 1);
  if (!made) return NULL;
  memcpy(made, text, len);
  made[len] = 0;
  return made;
}

// Runs the front end; false if it gave up. The only local that lives across setjmp is the argument.
static bool front_end(struct compiler *c, const char *text, size_t len,
                      const struct sluice_text *system) {
  if (setjmp(c->arena->escape)) return false;
  if (ir_is(text, len)) {
    const struct token start = {.line = 1, .column = 1, .span = 1};
    if (c->program->own_lines != UINT_MAX)
      diag_fatal(&c->ir, &start, "bindings",
                 "a text in the IR has the homes of its fields in itself; bindings are for "
                 "programs in Domino");
    ir_read(&c->ir, arena_text(c->arena, text, len), len);
    return true;
  }
  lex(&c->ir, arena_text(c->arena, text, len), len);
  if (system) lex_system(&c->ir, arena_text(c->arena, system->text, system->len), system->len);
  if (system) system_names(&c->ir);
  parse(&c->ir);
  check(&c->ir);
  check_reactions(&c->ir);
  return true;
}

static unsigned lines_of(const char *text, size_t len) {
  unsigned lines = 1;
  for (size_t i = 0; i < len; i++) lines += text[i] == '\n';
  return lines;
}

// Both texts, one behind the other: messages are told apart by their line.
static struct sluice_program *parse_texts(struct sluice_program *program,
                                          const struct sluice_text *text,
                                          const struct sluice_text *second, bool system,
                                          struct sluice_diags *diags) {
  const struct sluice_text *bindings = system ? NULL : second;
  struct compiler c = {
      .arena = &program->arena, .diags = diags, .first_diag = diags->num, .program = program};
  const size_t len = text->len + (bindings ? 1 + bindings->len : 0);
  char *all = malloc(len + 1);
  if (!all) return NULL;
  memcpy(all, text->text, text->len);
  program->own_lines = UINT_MAX;
  if (second) program->own_lines = lines_of(text->text, text->len);
  if (system) sluice_system_name(second, program->system_name);
  if (bindings) {
    all[text->len] = '\n';
    memcpy(all + text->len + 1, bindings->text, bindings->len);
  }
  const bool good = front_end(&c, all, len, system ? second : NULL);
  free(all);
  return good ? program : NULL;
}

static struct sluice_program *parse_two(const struct sluice_text *text,
                                        const struct sluice_text *bindings, bool system,
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
  const bool memory = program && diags->file && diags->source &&
                      (!bindings || (diags->bindings_file && diags->bindings_source));
  if (memory && parse_texts(program, text, bindings, system, diags)) return program;
  sluice_program_free(program);
  return NULL;
}

struct sluice_program *sluice_program_parse_bound(const struct sluice_text *text,
                                                  const struct sluice_text *bindings,
                                                  struct sluice_diags *diags) {
  return parse_two(text, bindings, false, diags);
}

struct sluice_program *sluice_program_parse_under(const struct sluice_text *text,
                                                  const struct sluice_text *system,
                                                  struct sluice_diags *diags) {
  return parse_two(text, system, true, diags);
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

// ---- the interface ------------------------------------------------------------------------------

static enum sluice_status back_end(struct compiler *setup, struct sluice_image *image) {
  switch (setjmp(setup->arena->escape)) {
    case 0: break;
    case ARENA_NO_MEMORY: return SLUICE_ERR_NOMEM;
    default: return SLUICE_ERR_FULL;
  }
  struct compiler *c = NEW(setup->arena, struct compiler);
  *c = *setup;
  c->ready = value_ready;
  passes(c, image);
  return SLUICE_OK;
}

enum sluice_status compile_once(const struct compiler *setup, struct plan *plan,
                                const struct sluice_compile_options *options,
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
  plan->work = arena.work;
  arena_release(&arena);
  if (status != SLUICE_OK) sluice_image_release(image);
  return status;
}

// The text of a line as the user wrote it, without the blanks and the comment around it.
static void line_text(const struct compiler *c, struct sluice_line *line) {
  const bool own = line->line <= c->program->own_lines;
  const char *at = own ? c->diags->source : c->diags->bindings_source;
  if (!own) line->line -= c->program->own_lines;
  for (unsigned n = 1; at && n < line->line; n++) at = (at = strchr(at, '\n')) ? at + 1 : NULL;
  if (!at) return;
  at += strspn(at, " \t");
  size_t len = strcspn(at, "\r\n");
  for (size_t i = 0; i + 1 < len; i++)
    if (at[i] == '/' && at[i + 1] == '/') len = i;
  while (len && (at[len - 1] == ' ' || at[len - 1] == '\t')) len--;
  snprintf(line->text, sizeof line->text, "%.*s",
           (int)(len < sizeof line->text ? len : sizeof line->text - 1), at);
}

// Its egress function, as a program of its own, into the image of the program.
static enum sluice_status compile_egress(const struct compiler *outer, struct sluice_image *image) {
  struct sluice_config seen;
  struct sluice_usage used = {0}, *usage = outer->options->usage;
  struct sluice_compile_options options = *outer->options;
  struct compiler setup = *outer;
  struct sluice_image part = {0};
  egress_chip(outer->config, &seen);
  setup.config = &seen;
  setup.program = outer->program->egress;
  setup.options = &options;
  options.pin = true;
  options.usage = &used;
  if (options.dot_to) setup.dot_from = ftell(options.dot_to);
  enum sluice_status status = plan_compile(&setup, &part, NULL);
  const size_t arrays = image->num_arrays;
  if (!status && !egress_join(image, &part, outer->config)) status = SLUICE_ERR_NOMEM;
  if (!status) sluice_image_release(&part);
  if (!usage) return status;
  usage->egress_stages = used.back_stages;
  usage->egress_operations = used.operations;
  usage->egress_parse_actions = used.parse_actions;
  usage->egress_deparse_actions = used.deparse_actions;
  if (used.memory > usage->memory) usage->memory = used.memory;
  for (size_t i = 0; i < MAX_STATES && arrays + i < MAX_STATES; i++)
    usage->atom[arrays + i] = used.atom[i];
  return status;
}

// A chip without egress stages has no place for an egress function.
static bool has_egress(const struct compiler *setup) {
  struct arena arena = {0};
  struct compiler c = *setup;
  c.arena = &arena;
  const bool there = setjmp(arena.escape) == 0;
  if (there) egress_there(&c.ir);
  arena_release(&arena);
  return there;
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
  if (program->egress && !has_egress(&setup)) return SLUICE_ERR_FULL;
  enum sluice_status status = plan_compile(&setup, image, NULL);
  if (!status && program->egress) {
    status = compile_egress(&setup, image);
    if (status) sluice_image_release(image);
  }
  for (size_t i = 0; !status && i < image->num_lines; i++) line_text(&setup, &image->lines[i]);
  return status;
}

// What is asked of one program without an image: runs the passes that `pass` needs, and prints
// behind it.
static enum sluice_status print_behind(struct compiler *setup, const struct pass *pass, bool alone,
                                       FILE *out) {
  switch (setjmp(setup->arena->escape)) {
    case 0: break;
    case ARENA_NO_MEMORY: return SLUICE_ERR_NOMEM;
    default: return SLUICE_ERR_FULL;
  }
  struct compiler *c = NEW(setup->arena, struct compiler);
  *c = *setup;
  c->ready = value_ready;
  for (const struct pass *p = pass_list; p <= pass; p++) {
    if (p->role == DOMINO && c->program->ir) continue;
    if (alone && p != pass && (p->role == ALONE || (p->role == CHAIN && pass->role != CHAIN)))
      continue;
    if (p->run) run(c, p);
  }
  pass->print(c, out);
  return SLUICE_OK;
}

static enum sluice_status print_pass(const struct sluice_program *program,
                                     const struct sluice_config *config, const char *name,
                                     bool alone, bool on_way, FILE *out,
                                     struct sluice_diags *diags) {
  static const struct sluice_compile_options defaults;
  const struct pass *pass = pass_list;
  struct plan plan = {.on_way = on_way};
  struct arena arena = {0};
  struct compiler setup = {.arena = &arena,
                           .diags = diags,
                           .first_diag = diags->num,
                           .program = (struct sluice_program *)program,
                           .config = config,
                           .options = &defaults,
                           .plan = &plan};
  while (strcmp(pass->name, name) != 0)
    if (++pass == pass_list + NUM_PASSES) SLUICE_BUG("no such pass");
  const enum sluice_status status = print_behind(&setup, pass, alone, out);
  arena_release(&arena);
  return status;
}

enum sluice_status ir_pass(const struct sluice_program *program, const struct sluice_config *config,
                           const char *pass, FILE *out, struct sluice_diags *diags) {
  return print_pass(program, config, pass, true, false, out, diags);
}

// A text in the IR has none, and would be another program.
static enum sluice_status no_reactions(const struct sluice_program *program,
                                       struct sluice_diags *diags) {
  struct arena arena = {0};
  struct compiler c = {.arena = &arena,
                       .diags = diags,
                       .first_diag = diags->num,
                       .program = (struct sluice_program *)program};
  const bool told = setjmp(arena.escape) == 0;
  if (told)
    diag_error(&c.ir, program->reaction_list->at, "ir-reaction",
               "the IR has no reactions: '%s' would be lost", program->reaction_list->name);
  arena_release(&arena);
  return told ? SLUICE_ERR_FULL : SLUICE_ERR_NOMEM;
}

// Whether the image is made of entries as they are on the way of a statement (plan.c): then that is
// the program that the text says. A text in the IR says one of the two already.
static bool compiled_on_way(const struct sluice_program *program,
                            const struct sluice_config *config,
                            const struct sluice_compile_options *options) {
  if (program->ir || !program->num_states) return false;
  struct plan chosen = {.on_way = false};
  struct sluice_compile_options quiet = *options;
  struct sluice_diags unheard = {0};
  struct sluice_image image;
  quiet.usage = NULL;
  quiet.dump = NULL;
  quiet.dot_to = NULL;
  const struct compiler setup = {.diags = &unheard,
                                 .program = (struct sluice_program *)program,
                                 .config = config,
                                 .options = &quiet};
  if (plan_compile(&setup, &image, &chosen) == SLUICE_OK) sluice_image_release(&image);
  else chosen.on_way = false;
  sluice_diags_release(&unheard);
  return chosen.on_way;
}

static enum sluice_status print_ssa(const struct sluice_program *program,
                                    const struct sluice_config *config,
                                    const struct sluice_compile_options *options, FILE *out,
                                    struct sluice_diags *diags) {
  return print_pass(program, config, "ssa", false, compiled_on_way(program, config, options), out,
                    diags);
}

enum sluice_status sluice_program_print_ir(const struct sluice_program *program,
                                           const struct sluice_config *config,
                                           const struct sluice_compile_options *options, FILE *out,
                                           struct sluice_diags *diags) {
  static const struct sluice_compile_options defaults;
  if (!options) options = &defaults;
  if (program->num_reactions) return no_reactions(program, diags);
  const enum sluice_status status = print_ssa(program, config, options, out, diags);
  if (status || !program->egress) return status;
  struct sluice_config seen;
  struct sluice_compile_options inner = *options;
  inner.pin = true;
  egress_chip(config, &seen);
  return print_ssa(program->egress, &seen, &inner, out, diags);
}

const struct sluice_program *sluice_program_egress(const struct sluice_program *p) {
  return p->egress;
}
const char *sluice_program_name(const struct sluice_program *p) { return p->name; }
size_t sluice_program_num_fields(const struct sluice_program *p) { return p->num_fields; }
size_t sluice_program_num_states(const struct sluice_program *p) { return p->num_states; }
const struct sluice_program_field *sluice_program_field(const struct sluice_program *p, size_t i) {
  return &p->field[i]->info;
}
const struct sluice_program_state *sluice_program_state(const struct sluice_program *p, size_t i) {
  return &p->state[i]->info;
}
