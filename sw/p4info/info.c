// SPDX-License-Identifier: Apache-2.0
// The P4Info of a program as a whole.
#include "info.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "inner.h"

void p4i_error(struct p4i *p, struct p4_place place, const char *id, const char *format, ...) {
  char text[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (!p4_message_add(p->messages, P4_ERROR, place, id, "%s", text))
    arena_give_up(p->arena, p->messages->out_of_memory ? ARENA_NO_MEMORY : ARENA_TOLD);
}

// ---- the package -------------------------------------------------------------------------------

static void package_pair(struct p4i *p, const struct p4_annotation *a, const char *name,
                         const struct p4_token *value) {
  static const struct {
    const char *name;
    enum proto_field_id field;
  } keys[] = {{"name", PROTO(PkgInfo, name)},
              {"version", PROTO(PkgInfo, version)},
              {"organization", PROTO(PkgInfo, organization)},
              {"contact", PROTO(PkgInfo, contact)},
              {"url", PROTO(PkgInfo, url)},
              {"arch", PROTO(PkgInfo, arch)}};
  struct proto *m = proto_add(p->info, PROTO(P4Info, pkg_info));
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    if (strcmp(name, keys[i].name) != 0) continue;
    if (value->kind != P4_TOKEN_STRING)
      p4i_error(p, a->place, "annotation", "'%s' of @pkginfo is a text", name);
    // the architecture is what the program is, whatever it says
    else if (keys[i].field != PROTO(PkgInfo, arch)) proto_text(m, keys[i].field, value->text);
  }
}

static void platform_pair(struct p4i *p, const struct p4_annotation *a, const char *name,
                          const struct p4_token *value) {
  static const enum proto_field_id fields[] = {
      PROTO(PlatformProperties, multicast_group_table_size),
      PROTO(PlatformProperties, multicast_group_table_total_replicas),
      PROTO(PlatformProperties, multicast_group_table_max_replicas_per_entry)};
  struct proto *m =
      proto_add(proto_add(p->info, PROTO(P4Info, pkg_info)), PROTO(PkgInfo, platform_properties));
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    if (strcmp(name, proto_fields[fields[i]].name) != 0) continue;
    const struct p4_annotation one = {
        .kind = P4_ANNOTATION_TOKENS, .num_tokens = 1, .tokens = value};
    uint64_t number;
    if (p4_annotation_numbers(&one, &number, 1) == 1 && number <= INT32_MAX)
      proto_number(m, fields[i], number);
    else p4i_error(p, a->place, "annotation", "'%s' is a number below 2^31", name);
    return;
  }
  p4i_error(p, a->place, "annotation", "P4Info has no platform property '%s'", name);
}

static void add_package(struct p4i *p) {
  static const struct p4i_notes notes = P4I_NOTES(PkgInfo);
  struct proto *m = proto_add(p->info, PROTO(P4Info, pkg_info));
  proto_text(m, PROTO(PkgInfo, arch), "v1model");
  const struct p4_annotation *list = p->program->package_annotations;
  for (const struct p4_annotation *a = list; a; a = a->next) {
    if (strcmp(a->name, "pkginfo") == 0) p4i_pairs(p, a, package_pair);
    if (strcmp(a->name, "platform_property") == 0) p4i_pairs(p, a, platform_pair);
  }
  p4i_annotate(p, m, &notes, list, "pkginfo\0platform_property\0");
}

// ---- all ---------------------------------------------------------------------------------------

static void add(struct p4i *p, const struct p4i_object *o) {
  if (o->hidden) return;
  switch (o->kind) {
    case P4I_ACTION: p4i_add_action(p, o); break;
    case P4I_TABLE:
      p4i_add_table(p, o);
      p4i_add_extern(p, o);
      break;
    case P4I_VALUE_SET: p4i_add_value_set(p, o); break;
    case P4I_HEADER: p4i_add_header(p, o); break;
    case P4I_DIGEST: p4i_add_digest(p, o); break;
    default: p4i_add_extern(p, o);
  }
}

static void make(struct p4i *p) {
  p4i_collect(p);
  p4i_number(p);
  add_package(p);
  if (p->has_type_info) proto_add(p->info, PROTO(P4Info, type_info));
  for (const struct p4i_object *o = p->objects; o; o = o->next) add(p, o);
}

struct proto *p4info_make(struct p4_program *program, struct p4_messages *messages) {
  const size_t before = messages->num_errors;
  if (program->architecture != P4_ARCH_V1MODEL || !program->main) {
    const struct p4_place place = program->main ? program->main->place : (struct p4_place){0};
    p4_message_add(messages, P4_ERROR, place, "architecture",
                   "P4Info is made of programs of v1model, with a V1Switch named main");
    return NULL;
  }
  struct p4i p = {.arena = program->arena, .messages = messages, .program = program};
  p.end = &p.objects;
  const int why = setjmp(program->arena->escape);
  if (why) {
    messages->out_of_memory = messages->out_of_memory || why == ARENA_NO_MEMORY;
    return NULL;
  }
  p.info = proto_new(p.arena, PROTO_MESSAGE(P4Info));
  make(&p);
  p4_messages_sort(messages);
  return messages->num_errors == before ? p.info : NULL;
}
