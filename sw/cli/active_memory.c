// SPDX-License-Identifier: Apache-2.0
// Regions and words of the interpreter of capsules, as a JSON file.
#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "active.h"

enum { MAX_LEN = 1 << 26 };

// A member of an object: a number 0..most, or `other` if there is none and that is not below 0.
static bool number(const char *path, const json_t *object, const char *where, size_t i,
                   const char *key, int64_t most, int64_t other, uint32_t *value) {
  const json_t *found = json_object_get(object, key);
  const int64_t given = found ? json_integer_value(found) : other;
  if ((found ? json_is_integer(found) : other >= 0) && given >= 0 && given <= most) {
    *value = (uint32_t)given;
    return true;
  }
  if (found)
    cli_error("'%s': %s[%zu]: '%s' must be 0 to %lld", path, where, i, key, (long long)most);
  else cli_error("'%s': %s[%zu] needs '%s'", path, where, i, key);
  return false;
}

static bool known_keys(const char *path, const json_t *object, const char *where, size_t i,
                       const char *keys) {
  char why[300];
  if (!json_is_object(object))
    return cli_error("'%s': %s[%zu] is no object", path, where, i), false;
  if (sluice_json_only(object, keys, why, sizeof why)) return true;
  cli_error("'%s': %s[%zu]: %s", path, where, i, why);
  return false;
}

static bool read_region(struct active_machine *m, const char *path, const json_t *r, size_t i) {
  static const char where[] = "regions";
  const int64_t top = (int64_t)m->words - 1;
  uint32_t fid, stage, first, last, mask, add;
  if (!known_keys(path, r, where, i, "fid stage first last virtual sharded mask add")) return false;
  if (!number(path, r, where, i, "fid", (int64_t)m->num_fids - 1, -1, &fid) ||
      !number(path, r, where, i, "stage", (int64_t)m->shape.stages - 1, -1, &stage) ||
      !number(path, r, where, i, "first", top, -1, &first) ||
      !number(path, r, where, i, "last", top, -1, &last))
    return false;
  if (first > last)
    return cli_error("'%s': %s[%zu]: 'first' is above 'last'", path, where, i), false;
  struct active_region region = json_is_true(json_object_get(r, "virtual"))
                                    ? active_region_virtual(first, last)
                                    : active_region_physical(first, last);
  if (!number(path, r, where, i, "mask", 0xffffffff, region.mask, &mask) ||
      !number(path, r, where, i, "add", 0xffffffff, region.add, &add))
    return false;
  region.sharded = json_is_true(json_object_get(r, "sharded"));
  region.mask = mask;
  region.add = add;
  *active_machine_region(m, fid, stage) = region;
  return true;
}

static bool read_tenant(struct active_machine *m, const char *path, const json_t *t, size_t i) {
  static const char where[] = "tenants";
  uint32_t fid;
  if (!known_keys(path, t, where, i, "fid drop report")) return false;
  if (!number(path, t, where, i, "fid", (int64_t)m->num_fids - 1, -1, &fid)) return false;
  m->tenants[fid].drop = json_is_true(json_object_get(t, "drop"));
  m->tenants[fid].report = json_is_true(json_object_get(t, "report"));
  return true;
}

static bool read_word(struct active_machine *m, const char *path, const json_t *w, size_t i) {
  static const char where[] = "memory";
  uint32_t stage, word, value;
  if (!known_keys(path, w, where, i, "stage word value")) return false;
  if (!number(path, w, where, i, "stage", (int64_t)m->shape.stages - 1, -1, &stage) ||
      !number(path, w, where, i, "word", (int64_t)m->words - 1, -1, &word) ||
      !number(path, w, where, i, "value", 0xffffffff, -1, &value))
    return false;
  m->memory[(size_t)stage * m->words + word] = value;
  return true;
}

bool active_memory_read(struct active_machine *m, const char *path) {
  size_t len, i;
  char *text = cli_read_text(path, MAX_LEN, &len);
  if (!text) return false;
  json_error_t error;
  json_t *all = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error), *item;
  free(text);
  bool good = json_is_object(all);
  if (!all) cli_error("'%s':%d:%d: %s", path, error.line, error.column, error.text);
  else if (!good) cli_error("'%s' must be an object with 'tenants', 'regions' and 'memory'", path);
  good = good && known_keys(path, all, "the file", 0, "tenants regions memory");
  json_array_foreach(json_object_get(all, "tenants"), i, item)
      good = good && read_tenant(m, path, item, i);
  json_array_foreach(json_object_get(all, "regions"), i, item)
      good = good && read_region(m, path, item, i);
  json_array_foreach(json_object_get(all, "memory"), i, item)
      good = good && read_word(m, path, item, i);
  json_decref(all);
  return good;
}

// The form that active_memory_read makes the region of: low is 0 where addresses are virtual.
static json_t *region_json(const struct active_region *r, unsigned fid, unsigned stage) {
  const uint32_t first = r->low + r->offset, last = r->high + r->offset;
  const bool moved = r->offset != 0;
  json_t *one = json_pack("{s:i s:i s:I s:I}", "fid", (int)fid, "stage", (int)stage, "first",
                          (json_int_t)first, "last", (json_int_t)last);
  if (moved) json_object_set_new(one, "virtual", json_true());
  if (r->sharded) json_object_set_new(one, "sharded", json_true());
  const struct active_region plain = moved ? active_region_virtual(first, last)
                                           : active_region_physical(first, last);
  if (r->mask != plain.mask) json_object_set_new(one, "mask", json_integer(r->mask));
  if (r->add != plain.add) json_object_set_new(one, "add", json_integer(r->add));
  return one;
}

bool active_memory_write(const struct active_machine *m, const char *path) {
  json_t *all = json_object(), *tenants = json_array(), *regions = json_array(),
         *memory = json_array();
  for (unsigned f = 0; f < m->num_fids; f++)
    for (unsigned s = 0; s < m->shape.stages; s++) {
      const struct active_region *r = &m->regions[(size_t)f * m->shape.stages + s];
      if (r->valid) json_array_append_new(regions, region_json(r, f, s));
    }
  for (unsigned s = 0; s < m->shape.stages; s++)
    for (uint32_t w = 0; w < m->words; w++) {
      const uint32_t value = m->memory[(size_t)s * m->words + w];
      if (value)
        json_array_append_new(memory, json_pack("{s:i s:I s:I}", "stage", (int)s, "word",
                                                (json_int_t)w, "value", (json_int_t)value));
    }
  for (unsigned f = 0; f < m->num_fids; f++)
    if (m->tenants[f].drop || m->tenants[f].report)
      json_array_append_new(tenants, json_pack("{s:i s:b s:b}", "fid", (int)f, "drop",
                                               m->tenants[f].drop, "report", m->tenants[f].report));
  json_object_set_new(all, "tenants", tenants);
  json_object_set_new(all, "regions", regions);
  json_object_set_new(all, "memory", memory);
  char *text = json_dumps(all, JSON_INDENT(1));
  json_decref(all);
  if (!text) return cli_error("out of memory"), false;
  const size_t len = strlen(text);
  text[len] = '\n';  // in place of the 0
  const bool good = cli_write_file(path, text, len + 1);
  free(text);
  return good;
}
