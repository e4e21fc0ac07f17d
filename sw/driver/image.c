// SPDX-License-Identifier: Apache-2.0
// The image in memory, and writing it. Reading and checking is in image_load.c.
#include "image.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

#define ADD(IMAGE, LIST)                                                                           \
  do {                                                                                             \
    void *grown = grow(IMAGE, (IMAGE)->LIST, (IMAGE)->num_##LIST, sizeof *(IMAGE)->LIST);                 \
    if (!grown) return NULL;                                                                       \
    (IMAGE)->LIST = grown;                                                                         \
    return memset(&(IMAGE)->LIST[(IMAGE)->num_##LIST++], 0, sizeof *(IMAGE)->LIST);                \
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
struct sluice_line *sluice_image_add_line(struct sluice_image *image) {
  ADD(image, lines);
}

void sluice_image_release(struct sluice_image *image) {
  drop(image, image->writes, image->num_writes, sizeof *image->writes);
  drop(image, image->arrays, image->num_arrays, sizeof *image->arrays);
  drop(image, image->fields, image->num_fields, sizeof *image->fields);
  drop(image, image->lines, image->num_lines, sizeof *image->lines);
  memset(image, 0, sizeof *image);
}

void sluice_image_close(struct sluice_image *image) {
  if (!image) return;
  const struct sluice_alloc alloc = image->alloc;
  sluice_image_release(image);
  sluice_resize(&alloc, image, sizeof *image, 0);
}

const char *sluice_image_program(const struct sluice_image *image) { return image->program; }
const char *sluice_image_chip(const struct sluice_image *image) { return image->config; }

bool sluice_image_get_array(const struct sluice_image *image, unsigned n, struct sluice_image_array *array) {
  for (unsigned stage = 0; stage < 32; stage++)
    for (size_t i = 0; i < image->num_arrays; i++) {
      const struct sluice_array *a = &image->arrays[i];
      for (unsigned word = 0; a->stage == stage && word < 2; word++) {
        if (!a->name[word][0] || n--) continue;
        *array = (struct sluice_image_array){a->name[word], stage, word, a->size, a->init[word], a->pinned != 0};
        return true;
      }
    }
  return false;
}

// One element on a line of its own. Takes over `json`; NULL and what cannot be spelled return
// false.
static bool put(FILE *out, json_t *json, bool last) {
  char *text = json ? json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
  json_decref(json);
  if (!text) return false;
  fprintf(out, "    %s%s\n", text, last ? "" : ",");
  free(text);
  return true;
}

static json_t *write_json(const struct sluice_write *write) {
  const struct sluice_table_info *table = &sluice_tables[write->table];
  char name[32], hex[2 * SLUICE_ENTRY_BYTES + 1];
  size_t n = 0;
  for (; table->name[n] && n + 1 < sizeof name; n++)
    name[n] = (char)tolower((unsigned char)table->name[n]);
  name[n] = 0;
  unsigned bytes = (table->bits + 7) / 8, padding = 8 * bytes - table->bits;
  for (unsigned i = 0; i < bytes; i++) {
    // Padding is 0 in the file, whatever the writer left there.
    unsigned byte = i + 1 < bytes ? write->bytes[i] : write->bytes[i] & (0xffu << padding & 0xffu);
    snprintf(hex + 2 * (size_t)i, 3, "%02x", byte);
  }
  return json_pack("{s:s,s:i,s:i,s:s}", "table", name, "stage", (int)write->stage, "index",
                   (int)write->index, "entry", hex);
}

static bool put_all(const struct sluice_image *image, FILE *out) {
  json_t *head = json_pack("[s,s]", image->config, image->program);
  char *config = head ? json_dumps(json_array_get(head, 0), JSON_ENCODE_ANY) : NULL;
  char *program = head ? json_dumps(json_array_get(head, 1), JSON_ENCODE_ANY) : NULL;
  json_decref(head);
  bool good = config && program;
  if (good)
    fprintf(out,
            "{\n  \"sluice_image\": 1,\n  \"layout_hash\": \"%08x\",\n  \"config\": %s,\n"
            "  \"program\": %s,\n  \"writes\": [\n",
            (unsigned)image->layout_hash, config, program);
  free(config);
  free(program);
  for (size_t i = 0; good && i < image->num_writes; i++)
    good = put(out, write_json(&image->writes[i]), i + 1 == image->num_writes);
  fprintf(out, "  ],\n  \"arrays\": [\n");
  for (size_t i = 0; good && i < image->num_arrays; i++) {
    const struct sluice_array *a = &image->arrays[i];
    good = put(out,
               json_pack("{s:i,s:i,s:b,s:[s,s],s:[i,i]}", "stage", (int)a->stage, "size",
                         (int)a->size, "pinned", a->pinned, "names", a->name[0], a->name[1], "init",
                         (int)a->init[0], (int)a->init[1]),
               i + 1 == image->num_arrays);
  }
  fprintf(out, "  ],\n  \"fields\": [\n");
  for (size_t i = 0; good && i < image->num_fields; i++) {
    const struct sluice_field *f = &image->fields[i];
    good = put(out,
               json_pack("{s:s,s:s,s:i,s:i}", "name", f->name, "home", f->home, "in", f->in_operand,
                         "out", f->out_operand),
               i + 1 == image->num_fields);
  }
  fprintf(out, "  ]\n}\n");
  return good;
}

enum sluice_status sluice_image_save(const struct sluice_image *image, const char *path,
                                     struct sluice_error *error) {
  bool standard = strcmp(path, "-") == 0;
  FILE *out = standard ? stdout : fopen(path, "w");
  if (!out) return sluice_fail(error, SLUICE_ERR_IO, "cannot open '%s': %s", path, strerror(errno));
  bool good = put_all(image, out);
  errno = 0;
  bool written = fflush(out) == 0 && !ferror(out);
  int why = errno;
  if (!standard && fclose(out) != 0) {
    if (written) why = errno;
    written = false;
  }
  if (!written)
    return sluice_fail(error, SLUICE_ERR_IO, "cannot write '%s': %s", path,
                       strerror(why ? why : EIO));
  if (!good)
    return sluice_fail(error, SLUICE_ERR_FORMAT,
                       "cannot write '%s': a name in the image is not UTF-8, or memory ran out",
                       path);
  return SLUICE_OK;
}
