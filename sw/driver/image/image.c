// SPDX-License-Identifier: Apache-2.0
// The image in memory, and writing it. Reading and checking is in image_load.c.
#include "image.h"

#include <ctype.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/files.h"
#include "image_tables.h"
#include "param.h"
#include "reaction.h"

// Room for one more element. It doubles whenever the count is a power of two (or 0), so that no
// capacity needs to be kept.
static void *grow(const struct sluice_image *image, void *list, size_t count, size_t size) {
  if (count & (count - 1)) return list;
  return sluice_resize(&image->alloc, list, count * size, (count ? count * 2 : 1) * size);
}

static void drop(const struct sluice_image *image, void *list, size_t count, size_t size) {
  size_t room = count ? 1 : 0;
  while (room < count) room *= 2;
  sluice_resize(&image->alloc, list, room * size, 0);
}

#define ADD(IMAGE, LIST)                                                                  \
  do {                                                                                    \
    void *grown = grow(IMAGE, (IMAGE)->LIST, (IMAGE)->num_##LIST, sizeof *(IMAGE)->LIST); \
    if (!grown) return NULL;                                                              \
    (IMAGE)->LIST = grown;                                                                \
    return memset(&(IMAGE)->LIST[(IMAGE)->num_##LIST++], 0, sizeof *(IMAGE)->LIST);       \
  } while (0)

struct sluice_write *sluice_image_add_write(struct sluice_image *image) {
  ADD(image, writes);
}
struct sluice_array *sluice_image_add_array(struct sluice_image *image) {
  ADD(image, arrays);
}
struct sluice_field *sluice_image_add_field(struct sluice_image *image) {
  ADD(image, fields);
}
struct sluice_param *sluice_image_add_param(struct sluice_image *image) {
  ADD(image, params);
}
struct sluice_relocation *sluice_image_add_relocation(struct sluice_image *image) {
  ADD(image, relocations);
}
struct sluice_line *sluice_image_add_line(struct sluice_image *image) {
  ADD(image, lines);
}
struct sluice_image_table *sluice_image_add_table(struct sluice_image *image) {
  ADD(image, tables);
}
struct sluice_image_entry *sluice_image_add_entry(struct sluice_image *image) {
  ADD(image, entries);
}
struct sluice_reaction *sluice_image_add_reaction(struct sluice_image *image) {
  ADD(image, reactions);
}

struct sluice_port_set *sluice_image_add_port_set(struct sluice_image *image) {
  ADD(image, port_sets);
}
struct sluice_set_word *sluice_image_add_set_word(struct sluice_image *image) {
  ADD(image, set_words);
}

bool sluice_image_add_text(struct sluice_image *image, const char *text, size_t len,
                           struct sluice_text_span *span) {
  *span = (struct sluice_text_span){image->num_texts, len};
  size_t room = image->num_texts ? 1 : 0, wanted = image->num_texts + len ? 1 : 0;
  while (room < image->num_texts) room *= 2;
  while (wanted < image->num_texts + len) wanted *= 2;
  if (wanted != room) {
    char *grown = sluice_resize(&image->alloc, image->texts, room, wanted);
    if (!grown) return false;
    image->texts = grown;
  }
  if (len) memcpy(image->texts + image->num_texts, text, len);
  image->num_texts += len;
  return true;
}

void sluice_image_release(struct sluice_image *image) {
  drop(image, image->writes, image->num_writes, sizeof *image->writes);
  drop(image, image->arrays, image->num_arrays, sizeof *image->arrays);
  drop(image, image->fields, image->num_fields, sizeof *image->fields);
  drop(image, image->params, image->num_params, sizeof *image->params);
  drop(image, image->relocations, image->num_relocations, sizeof *image->relocations);
  drop(image, image->lines, image->num_lines, sizeof *image->lines);
  drop(image, image->tables, image->num_tables, sizeof *image->tables);
  drop(image, image->entries, image->num_entries, sizeof *image->entries);
  drop(image, image->reactions, image->num_reactions, sizeof *image->reactions);
  drop(image, image->port_sets, image->num_port_sets, sizeof *image->port_sets);
  drop(image, image->set_words, image->num_set_words, sizeof *image->set_words);
  drop(image, image->texts, image->num_texts, 1);
  memset(image, 0, sizeof *image);
}

// Of one list, in the room that ADD() and drop() count with.
static bool copy_list(const struct sluice_image *to, void **copy, const void *list, size_t count,
                      size_t size) {
  size_t room = count ? 1 : 0;
  while (room < count) room *= 2;
  *copy = room ? sluice_resize(&to->alloc, NULL, 0, room * size) : NULL;
  if (*copy) memcpy(*copy, list, count * size);
  return *copy || !room;
}
#define COPY(TO, FROM, LIST)                                                              \
  (copied = copy_list(TO, &list, (FROM)->LIST, (FROM)->num_##LIST, sizeof *(FROM)->LIST), \
   (TO)->LIST = list, (TO)->num_##LIST = copied ? (FROM)->num_##LIST : 0, copied)

bool sluice_image_copy(struct sluice_image *copy, const struct sluice_image *image,
                       const struct sluice_alloc *alloc) {
  void *list;
  bool copied;
  *copy = (struct sluice_image){.layout_hash = image->layout_hash, .match_rows = image->match_rows};
  memcpy(copy->config, image->config, sizeof copy->config);
  memcpy(copy->program, image->program, sizeof copy->program);
  memcpy(copy->system, image->system, sizeof copy->system);
  if (alloc) copy->alloc = *alloc;
  if (COPY(copy, image, writes) && COPY(copy, image, arrays) && COPY(copy, image, fields) &&
      COPY(copy, image, params) && COPY(copy, image, relocations) && COPY(copy, image, lines) &&
      COPY(copy, image, tables) && COPY(copy, image, entries) && COPY(copy, image, reactions) &&
      COPY(copy, image, port_sets) && COPY(copy, image, set_words) && COPY(copy, image, texts))
    return true;
  sluice_image_release(copy);
  return false;
}

void sluice_image_close(struct sluice_image *image) {
  if (!image) return;
  const struct sluice_alloc alloc = image->alloc;
  sluice_image_release(image);
  sluice_resize(&alloc, image, sizeof *image, 0);
}

const char *sluice_image_program(const struct sluice_image *image) { return image->program; }
const char *sluice_image_chip(const struct sluice_image *image) { return image->config; }

bool sluice_image_get_array(const struct sluice_image *image, unsigned n,
                            struct sluice_image_array *array) {
  for (unsigned stage = 0; stage < 32; stage++)
    for (size_t i = 0; i < image->num_arrays; i++) {
      const struct sluice_array *a = &image->arrays[i];
      for (unsigned word = 0; a->stage == stage && word < 2; word++) {
        if (!a->name[word][0] || n--) continue;
        const struct sluice_config *c = sluice_config_find(image->config);
        *array = (struct sluice_image_array){a->name[word],
                                             stage,
                                             word,
                                             a->size,
                                             a->init[word],
                                             a->pinned != 0,
                                             c && sluice_stage_is_egress(c, stage)};
        return true;
      }
    }
  return false;
}

bool sluice_image_get_rows(const struct sluice_image *image, unsigned n,
                           struct sluice_image_rows *rows) {
  for (unsigned stage = 0; stage < 32; stage++)
    for (size_t i = 0; i < image->num_arrays; i++) {
      const struct sluice_array *a = &image->arrays[i];
      if (a->stage != stage || !a->words || n--) continue;
      *rows = (struct sluice_image_rows){a->row, stage, a->size, a->words, a->pinned != 0};
      return true;
    }
  return false;
}

bool image_put(FILE *out, json_t *json, bool last) {
  char *text = json ? json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
  json_decref(json);
  if (!text) return false;
  fprintf(out, "    %s%s\n", text, last ? "" : ",");
  free(text);
  return true;
}

enum { TABLE_NAME = 32 };
static void table_name(enum sluice_table table, char name[TABLE_NAME]) {
  const char *upper = sluice_tables[table].name;
  size_t n = 0;
  for (; upper[n] && n + 1 < TABLE_NAME; n++) name[n] = (char)tolower((unsigned char)upper[n]);
  name[n] = 0;
}

void image_to_hex(const uint8_t *bytes, unsigned bits, char *hex) {
  const unsigned num = (bits + 7) / 8, padding = 8 * num - bits;
  for (unsigned i = 0; i < num; i++) {
    const unsigned byte = i + 1 < num ? bytes[i] : bytes[i] & (0xffu << padding & 0xffu);
    snprintf(hex + 2 * (size_t)i, 3, "%02x", byte);
  }
}

static json_t *write_json(const struct sluice_write *write) {
  const struct sluice_table_info *table = &sluice_tables[write->table];
  char name[TABLE_NAME], hex[2 * SLUICE_ENTRY_BYTES + 1];
  table_name(write->table, name);
  image_to_hex(write->bytes, table->bits, hex);
  return json_pack("{s:s,s:i,s:i,s:s}", "table", name, "stage", (int)write->stage, "index",
                   (int)write->index, "entry", hex);
}

static json_t *param_json(const struct sluice_param *p) {
  json_t *json = json_pack("{s:s,s:i,s:i,s:i}", "name", p->name, "low", (int)p->low, "high",
                           (int)p->high, "value", (int)p->value);
  json_t *choices = p->num_choices ? json_array() : NULL;
  bool good = json && (choices || !p->num_choices);
  for (unsigned i = 0; good && i < p->num_choices; i++)
    good = json_array_append_new(
               choices, json_pack("{s:s,s:b,s:i}", "name", p->choice[i].name, "metadata",
                                  p->choice[i].metadata, "offset", (int)p->choice[i].offset)) == 0;
  if (good && choices) good = json_object_set(json, "choices", choices) == 0;
  json_decref(choices);
  if (good) return json;
  json_decref(json);
  return NULL;
}

static json_t *relocation_json(const struct sluice_image *image,
                               const struct sluice_relocation *r) {
  char table[TABLE_NAME];
  table_name(r->table, table);
  return json_pack("{s:s,s:s,s:i,s:i,s:i,s:i,s:s,s:b,s:i}", "param", image->params[r->param].name,
                   "table", table, "stage", (int)r->stage, "index", (int)r->index, "msb",
                   (int)r->msb, "lsb", (int)r->lsb, "kind", sluice_relocation_names[r->kind],
                   "negated", r->negated, "add", (int)r->add);
}

// A program without malleables has neither list.
static bool put_params(const struct sluice_image *image, FILE *out) {
  bool good = true;
  if (!image->num_params) return true;
  fprintf(out, "  ],\n  \"params\": [\n");
  for (size_t i = 0; good && i < image->num_params; i++)
    good = image_put(out, param_json(&image->params[i]), i + 1 == image->num_params);
  fprintf(out, "  ],\n  \"relocations\": [\n");
  for (size_t i = 0; good && i < image->num_relocations; i++)
    good = image_put(out, relocation_json(image, &image->relocations[i]),
                     i + 1 == image->num_relocations);
  return good;
}

// Nor has one without sets of ports theirs.
static bool put_port_sets(const struct sluice_image *image, FILE *out) {
  bool good = true;
  if (!image->num_port_sets) return true;
  fprintf(out, "  ],\n  \"port_sets\": [\n");
  for (size_t i = 0; good && i < image->num_port_sets; i++) {
    char hex[17];
    snprintf(hex, sizeof hex, "%016llx", (unsigned long long)image->port_sets[i].ports);
    good = image_put(out, json_pack("{s:s}", "ports", hex), i + 1 == image->num_port_sets);
  }
  fprintf(out, "  ],\n  \"set_words\": [\n");
  for (size_t i = 0; good && i < image->num_set_words; i++) {
    const struct sluice_set_word *w = &image->set_words[i];
    good = image_put(out,
                     json_pack("{s:i,s:i,s:i}", "set", (int)w->set, "stage", (int)w->stage, "index",
                               (int)w->index),
                     i + 1 == image->num_set_words);
  }
  return good;
}

// Nor has one without reactions theirs.
static bool put_reactions(const struct sluice_image *image, FILE *out) {
  bool good = true;
  if (!image->num_reactions) return true;
  fprintf(out, "  ],\n  \"reactions\": [\n");
  for (size_t i = 0; good && i < image->num_reactions; i++)
    good = image_put(out, sluice_reaction_json(image, &image->reactions[i]),
                     i + 1 == image->num_reactions);
  return good;
}

bool sluice_image_print(const struct sluice_image *image, FILE *out) {
  json_t *head = json_pack("[s,s,s]", image->config, image->program, image->system);
  char *config = head ? json_dumps(json_array_get(head, 0), JSON_ENCODE_ANY) : NULL;
  char *program = head ? json_dumps(json_array_get(head, 1), JSON_ENCODE_ANY) : NULL;
  char *system = head ? json_dumps(json_array_get(head, 2), JSON_ENCODE_ANY) : NULL;
  json_decref(head);
  bool good = config && program && system;
  if (good)
    fprintf(out,
            "{\n  \"sluice_image\": 1,\n  \"layout_hash\": \"%08x\",\n  \"config\": %s,\n"
            "  \"program\": %s,\n%s%s%s  \"writes\": [\n",
            (unsigned)image->layout_hash, config, program, *image->system ? "  \"system\": " : "",
            *image->system ? system : "", *image->system ? ",\n" : "");
  free(config);
  free(system);
  free(program);
  for (size_t i = 0; good && i < image->num_writes; i++)
    good = image_put(out, write_json(&image->writes[i]), i + 1 == image->num_writes);
  fprintf(out, "  ],\n  \"arrays\": [\n");
  for (size_t i = 0; good && i < image->num_arrays; i++) {
    const struct sluice_array *a = &image->arrays[i];
    json_t *json = json_pack("{s:i,s:i,s:b,s:[s,s],s:[i,i]}", "stage", (int)a->stage, "size",
                             (int)a->size, "pinned", a->pinned, "names", a->name[0], a->name[1],
                             "init", (int)a->init[0], (int)a->init[1]);
    if (json && a->words &&
        json_object_set_new(json, "rows",
                            json_pack("{s:s,s:i}", "name", a->row, "words", (int)a->words))) {
      json_decref(json);
      json = NULL;
    }
    good = image_put(out, json, i + 1 == image->num_arrays);
  }
  fprintf(out, "  ],\n  \"fields\": [\n");
  for (size_t i = 0; good && i < image->num_fields; i++) {
    const struct sluice_field *f = &image->fields[i];
    json_t *json = json_pack("{s:s,s:s,s:i,s:i}", "name", f->name, "home", f->home, "in",
                             f->in_operand, "out", f->out_operand);
    if (json && f->egress && json_object_set_new(json, "egress", json_true())) {
      json_decref(json);
      json = NULL;
    }
    good = image_put(out, json, i + 1 == image->num_fields);
  }
  good = good && put_params(image, out) && put_port_sets(image, out);
  good = good && image_put_tables(image, out);
  good = good && put_reactions(image, out);
  fprintf(out, "  ]\n}\n");
  return good;
}

enum sluice_status sluice_image_save(const struct sluice_image *image, const char *path,
                                     struct sluice_error *error) {
  struct sluice_out out;
  SLUICE_TRY(sluice_out_open(&out, path, error));
  const bool good = sluice_image_print(image, out.file);
  const enum sluice_status status = sluice_out_close(&out, good, error);
  if (!good)
    return sluice_fail(error, SLUICE_ERR_FORMAT,
                       "cannot write '%s': a name in the image is not UTF-8, or memory ran out",
                       path);
  return status;
}
