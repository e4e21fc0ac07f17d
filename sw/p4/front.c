// SPDX-License-Identifier: Apache-2.0
// The one call: text to tokens, to a tree, to a checked tree.
#include "front.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "texts.h"

enum { MOST_MEMORY = 1 << 30 };

void p4_report(struct p4_context *c, enum p4_severity severity, struct p4_place place,
               const char *id, const char *format, ...) {
  char text[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  // What a text of our own says of itself is no business of the program's.
  const bool ours = place.file < c->messages->num_files && c->messages->files[place.file].built_in;
  if (ours && severity == P4_WARNING) return;
  if (!p4_message_add(c->messages, severity, place, id, "%s", text))
    arena_give_up(c->arena, c->messages->out_of_memory ? ARENA_NO_MEMORY : ARENA_TOLD);
}

static bool has_file(const struct p4_messages *m, const char *name) {
  for (size_t i = 0; i < m->num_files; i++)
    if (m->files[i].built_in && strcmp(m->files[i].name, name) == 0) return true;
  return false;
}

static enum p4_architecture architecture_of(const struct p4_messages *m,
                                            const struct p4_program *program) {
  const bool main = program->main != NULL;
  const char *package = main && program->main->type->decl ? program->main->type->decl->name : "";
  if (has_file(m, "<v1model.p4>") && (!main || strcmp(package, "V1Switch") == 0))
    return P4_ARCH_V1MODEL;
  if (has_file(m, "<psa.p4>") && (!main || strcmp(package, "PSA_Switch") == 0)) return P4_ARCH_PSA;
  if (has_file(m, "<fpga.p4>")) return P4_ARCH_MENSHEN;
  return main ? P4_ARCH_OTHER : P4_ARCH_NONE;
}

static void find_main(struct p4_context *c, struct p4_program *program, uint16_t file) {
  for (const struct p4_decl *d = program->decls; d; d = d->next)
    if (d->kind == P4_DECL_INSTANCE && strcmp(d->name, "main") == 0 &&
        d->type->kind == P4_TYPE_PACKAGE) {
      program->main = d;
      program->package_annotations = d->annotations;
    }
  if (!program->main)
    p4_warning(c, ((struct p4_place){file, 0, 0, 0}), "no-main",
               "there is no instance of a package with the name 'main', so nothing can run");
}

// Fills in what stands below "checked:" in ast.h.
static void p4_check(struct p4_context *c, struct p4_program *program) {
  struct p4_checker *k = NEW(c->arena, struct p4_checker);
  k->c = c;
  k->arena = c->arena;
  k->program = program;
  p4_types_begin(k);
  for (struct p4_decl *d = program->decls; d; d = d->next) p4_check_decl(k, d);
  program->errors = (const struct p4_decl *const *)k->errors;
  program->num_errors = k->num_errors;
  program->match_kinds = (const struct p4_decl *const *)k->match_kinds;
  program->num_match_kinds = k->num_match_kinds;
  program->types = (const struct p4_type *const *)k->all_types;
  program->num_types = k->num_types;
  if (!c->messages->num_errors) p4_warn(k);
}

static void read_all(struct p4_context *c, struct p4_program *program, const char *text,
                     size_t len) {
  const int file = p4_messages_keep(c->messages, program->file, text, len, false);
  if (file < 0) arena_give_up(c->arena, ARENA_NO_MEMORY);
  const struct p4_tokens tokens = p4_preprocess(c, (uint16_t)file);
  p4_parse(c, &tokens, program);
  // A text of which parts could not be read would give messages about what is not there.
  if (c->messages->num_errors) return;
  p4_check(c, program);
  if (c->messages->num_errors) return;
  find_main(c, program, (uint16_t)file);
  program->architecture = architecture_of(c->messages, program);
}

// NULL: the text is wrong, or memory ran out.
static struct p4_program *run(struct arena *arena, const char *file, const char *text, size_t len,
                              const struct p4_options *options, struct p4_messages *messages) {
  struct p4_context c = {.arena = arena, .messages = messages, .options = options};
  const int why = setjmp(arena->escape);
  if (why) {
    messages->out_of_memory = messages->out_of_memory || why == ARENA_NO_MEMORY;
    return NULL;
  }
  struct p4_program *program = NEW(arena, struct p4_program);
  program->arena = arena;
  program->file = arena_text(arena, file, strlen(file));
  read_all(&c, program, text, len);
  return messages->num_errors ? NULL : program;
}

struct p4_program *p4_front(const char *file, const char *text, size_t len,
                            const struct p4_options *options, struct p4_messages *messages) {
  struct arena *arena = calloc(1, sizeof *arena);
  if (!arena) {
    messages->out_of_memory = true;
    return NULL;
  }
  arena->bound = options && options->most_memory ? options->most_memory : MOST_MEMORY;
  struct p4_program *program = run(arena, file, text, len, options, messages);
  p4_messages_sort(messages);
  if (program) return program;
  arena_release(arena);
  free(arena);
  return NULL;
}

void p4_program_free(struct p4_program *program) {
  if (!program) return;
  struct arena *arena = program->arena;
  arena_release(arena);
  free(arena);
}

const char *p4_built_in_text(const char *name) {
  // psa.p4 of the reference compiler stands in a folder of that name.
  if (strncmp(name, "bmv2/", 5) == 0) name += 5;
  for (const struct p4_built_in_file *f = p4_built_in_files; f->name; f++)
    if (strcmp(f->name, name) == 0) return f->text;
  return NULL;
}
