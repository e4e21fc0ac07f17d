// SPDX-License-Identifier: Apache-2.0
#include "verbs.h"

#include <stdlib.h>
#include <string.h>

#include <sluice/event.h>
#include <sluice/param.h>

#include "../base/text.h"
#include "../driver/chip.h"
#include "../driver/link.h"
#include "../driver/register.h"
#include "../reaction/report.h"
#include "cut.h"
#include "verbs_table.h"

enum { STATE_MOST = 65536, TRACE_MOST = 1000, EVENTS_MOST = 256 };

// A request while it is served: what it asks, what it gets, why not.
struct asked {
  struct live *live;
  struct sluice_chip *chip;
  const json_t *request;
  json_t *answer;
  struct sluice_error error;
};

// ---- members of a request -----------------------------------------------------------------------

static enum sluice_status wants(struct asked *a, const char *name, const char *what) {
  return sluice_fail(&a->error, SLUICE_ERR_FORMAT, "'%s' must be %s", name, what);
}

static bool has(const struct asked *a, const char *name) {
  return json_object_get(a->request, name) != NULL;
}

static enum sluice_status whole(struct asked *a, const char *name, json_int_t low, json_int_t high,
                                json_int_t *value) {
  const json_t *member = json_object_get(a->request, name);
  char what[80];
  *value = member ? json_integer_value(member) : 0;
  snprintf(what, sizeof what, "a whole number from %lld to %lld", (long long)low, (long long)high);
  return json_is_integer(member) && *value >= low && *value <= high ? SLUICE_OK
                                                                    : wants(a, name, what);
}

static enum sluice_status number(struct asked *a, const char *name, unsigned most,
                                 unsigned *value) {
  json_int_t v;
  CHIP_TRY(whole(a, name, 0, most, &v));
  *value = (unsigned)v;
  return SLUICE_OK;
}
static enum sluice_status number_or(struct asked *a, const char *name, unsigned most,
                                    unsigned otherwise, unsigned *value) {
  *value = otherwise;
  return has(a, name) ? number(a, name, most, value) : SLUICE_OK;
}

static enum sluice_status text(struct asked *a, const char *name, const char **value) {
  *value = json_string_value(json_object_get(a->request, name));
  return *value ? SLUICE_OK : wants(a, name, "a text");
}

static bool hex_digit(char c, unsigned *value) {
  static const char digits[] = "0123456789abcdefABCDEF";
  const char *at = c ? strchr(digits, c) : NULL;
  if (at) *value = (unsigned)(at - digits) - (at - digits > 15 ? 6 : 0);
  return at != NULL;
}

// Bytes as hexadecimal digits, two each.
static enum sluice_status hex_bytes(struct asked *a, const char *name, const char *what,
                                    uint8_t *bytes, size_t room, size_t *len) {
  const char *hex;
  unsigned high, low;
  CHIP_TRY(text(a, name, &hex));
  *len = strlen(hex) / 2;
  if (strlen(hex) % 2 || *len > room) return wants(a, name, what);
  for (size_t i = 0; i < *len; i++) {
    if (!hex_digit(hex[2 * i], &high) || !hex_digit(hex[2 * i + 1], &low))
      return wants(a, name, what);
    bytes[i] = (uint8_t)(high << 4 | low);
  }
  return SLUICE_OK;
}

// ---- members of an answer -----------------------------------------------------------------------

// Memory ran out while the answer was made: it is not given then. (Texts are clean before they get
// here.)
static bool lost;
static void put(json_t *to, const char *name, json_t *value) {
  if (json_object_set_new(to, name, value)) lost = true;
}
static void append(json_t *to, json_t *value) {
  if (json_array_append_new(to, value)) lost = true;
}
static void put_whole(json_t *to, const char *name, uint64_t value) {
  put(to, name, json_integer((json_int_t)value));
}
static void put_text(json_t *to, const char *name, const char *value) {
  char clean[800];
  sluice_text_clean(clean, sizeof clean, value, false);
  put(to, name, json_string(clean));
}

static void put_drops(json_t *to, const char *name, const uint64_t *drops) {
  json_t *list = json_object();
  for (unsigned r = 0; r < SLUICE_NUM_DROPS; r++)
    if (drops[r]) put_whole(list, sluice_drop_name(r), drops[r]);
  put(to, name, list);
}

// ---- modules ------------------------------------------------------------------------------------

static enum sluice_status image_of(struct asked *a, const json_t *from,
                                   struct sluice_image *image) {
  const json_t *member = json_object_get(from, "image");
  if (!json_is_object(member))
    return wants(a, "image", "a configuration image, as 'sluice compile' writes it");
  char *dump = json_dumps(member, JSON_COMPACT);
  if (!dump) return sluice_no_memory(&a->error);
  memset(image, 0, sizeof *image);
  const enum sluice_status status =
      sluice_image_read(image, dump, strlen(dump), "image", live_config(a->live), &a->error);
  free(dump);
  return status;
}

typedef enum sluice_status change_plan(struct sluice_plan *plan, const struct sluice_image *image,
                                       unsigned vid, struct sluice_error *error);

// One module of a request into a plan; its program goes into `programs`.
static enum sluice_status plan_one(struct asked *a, struct sluice_plan *plan, const json_t *from,
                                   change_plan *change, json_t *programs) {
  struct sluice_image image;
  const json_t *vid = json_object_get(from, "vid");
  if (!json_is_integer(vid) || json_integer_value(vid) < 0 || json_integer_value(vid) > 4094)
    return wants(a, "vid", "a whole number from 0 to 4094");
  CHIP_TRY(image_of(a, from, &image));
  const enum sluice_status status =
      change(plan, &image, (unsigned)json_integer_value(vid), &a->error);
  if (!status) append(programs, json_string(image.program));
  sluice_image_release(&image);
  return status;
}

// The plan that a request asks for: one module, or those of "modules".
static enum sluice_status plan_of(struct asked *a, struct sluice_plan *plan, change_plan *change) {
  const json_t *list = json_object_get(a->request, "modules"),
               *trust = json_object_get(a->request, "trust");
  json_t *programs = json_array();
  enum sluice_status status = SLUICE_OK;
  if (trust && !json_is_boolean(trust)) status = wants(a, "trust", "true or false");
  else if (list && (!json_array_size(list) || has(a, "vid") || has(a, "image")))
    status = wants(a, "modules", "a list of objects with vid and image, in place of these two");
  sluice_plan_trust(plan, json_is_true(trust));
  if (!status && !list) status = plan_one(a, plan, a->request, change, programs);
  for (size_t n = 0; !status && n < json_array_size(list); n++)
    status = plan_one(a, plan, json_array_get(list, n), change, programs);
  if (!status && list) put(a->answer, "programs", json_incref(programs));
  if (!status && !list) put(a->answer, "program", json_incref(json_array_get(programs, 0)));
  json_decref(programs);
  return status;
}

static void put_report(struct asked *a, const struct sluice_update_report *r) {
  put_whole(a->answer, "written", r->written);
  put_whole(a->answer, "shared", r->shared);
  put_whole(a->answer, "freed", r->freed);
  put_whole(a->answer, "entries", r->entries);
  put_whole(a->answer, "kept", r->kept);
  put_whole(a->answer, "filled", r->filled);
  put_whole(a->answer, "drain_cycles", r->drain_cycles);
}

// The module of this VLAN has become another program: so do its reactions. If they cannot, the
// module runs without.
static void restart_reactions(struct asked *a, const json_t *from) {
  struct reactions *rs = live_reactions(a->live);
  struct sluice_image image;
  struct sluice_error error;
  const unsigned vid = (unsigned)json_integer_value(json_object_get(from, "vid"));
  if (!rs) return;
  reactions_remove(rs, vid);
  if (image_of(a, from, &image)) return;
  if (reactions_add(rs, vid, &image, NULL, &error))
    put_text(a->answer, "reactions_error", error.text);
  sluice_image_release(&image);
}

// For the stories of its packets. A chip that runs needs no image.
static void keep_image(struct asked *a, const json_t *from) {
  struct sluice_image image;
  struct sluice_error kept = a->error;
  if (!image_of(a, from, &image)) {
    live_keep_image(a->live, (unsigned)json_integer_value(json_object_get(from, "vid")), &image);
    sluice_image_release(&image);
  }
  a->error = kept;
}

static void keep_images(struct asked *a) {
  const json_t *list = json_object_get(a->request, "modules");
  if (!list) keep_image(a, a->request);
  for (size_t n = 0; n < json_array_size(list); n++) keep_image(a, json_array_get(list, n));
}

static void restart_all(struct asked *a) {
  const json_t *list = json_object_get(a->request, "modules");
  if (!list) restart_reactions(a, a->request);
  for (size_t n = 0; n < json_array_size(list); n++) restart_reactions(a, json_array_get(list, n));
}

static enum sluice_status change_modules(struct asked *a, change_plan *change, bool hitless) {
  struct sluice_plan *plan;
  struct sluice_update_report report;
  CHIP_TRY(chip_settle(a->chip, &a->error));  // it may find out what the plan is
  CHIP_TRY(sluice_plan_copy(&plan, sluice_chip_plan(a->chip), &a->error));
  enum sluice_status status = plan_of(a, plan, change);
  if (!status)
    status = hitless ? sluice_chip_update_plan(a->chip, plan, &report, &a->error)
                     : sluice_chip_apply(a->chip, plan, &a->error);
  if (!status && hitless) put(a->answer, "lossy", json_false()), put_report(a, &report);
  sluice_plan_close(plan);
  if (!status) restart_all(a);
  if (!status) keep_images(a);
  return status;
}

static enum sluice_status do_load(struct asked *a) {
  return change_modules(a, sluice_plan_add, false);
}

static enum sluice_status do_replace(struct asked *a) {
  CHIP_TRY(change_modules(a, sluice_plan_replace, false));
  put(a->answer, "lossy", json_true());
  return SLUICE_OK;
}

// With one bank there is no other way than to drop packets meanwhile; the answer says so.
static enum sluice_status do_update(struct asked *a) {
  if (live_config(a->live)->Banks != 2) return do_replace(a);
  return change_modules(a, sluice_plan_update, true);
}

static enum sluice_status do_remove(struct asked *a) {
  unsigned vid;
  CHIP_TRY(number(a, "vid", 4094, &vid));
  CHIP_TRY(sluice_chip_remove(a->chip, vid, &a->error));
  if (live_reactions(a->live)) reactions_remove(live_reactions(a->live), vid);
  live_keep_image(a->live, vid, NULL);
  return SLUICE_OK;
}

// With "count": the next packets' stories are wanted. Without: those that have ended.
static enum sluice_status do_trace(struct asked *a) {
  if (has(a, "count")) {
    json_int_t count;
    CHIP_TRY(whole(a, "count", 1, TRACE_MOST, &count));
    return live_tell(a->live, (uint32_t)count, &a->error);
  }
  json_t *list = json_array(), *story;
  while ((story = live_story(a->live))) append(list, story);
  put(a->answer, "stories", list);
  return SLUICE_OK;
}

static json_t *ports_of(const struct asked *a) {
  json_t *list = json_array();
  for (unsigned p = 0; p < live_config(a->live)->NumPorts; p++) {
    const struct live_spec *spec = live_spec_of(a->live, p);
    if (!spec) continue;
    json_t *port = json_object();
    put_whole(port, "port", p);
    put_text(port, "kind", live_kind_name(spec->kind));
    if (spec->netns[0]) put_text(port, "netns", spec->netns);
    if (spec->name[0]) put_text(port, "name", spec->name);
    if (spec->in[0]) put_text(port, "in", spec->in);
    if (spec->out[0]) put_text(port, "out", spec->out);
    if (spec->kind == LIVE_UDP) put_whole(port, "udp", ntohs(spec->here.sin_port));
    if (spec->trunk) put(port, "trunk", json_true());
    else put_whole(port, "vlan", spec->vid);
    if (live_gone(a->live, p)) put_text(port, "gone", live_gone(a->live, p));
    append(list, port);
  }
  return list;
}

static void put_bank(const struct asked *a, json_t *to, unsigned vid) {
  unsigned bank;
  if (sluice_chip_bank(a->chip, vid, &bank)) put_whole(to, "bank", bank);
}

static enum sluice_status do_list(struct asked *a) {
  const struct sluice_config *c = live_config(a->live);
  json_t *modules = json_array();
  struct sluice_module m;
  put_text(a->answer, "chip", c->name);
  for (unsigned n = 0; sluice_plan_module(sluice_chip_plan(a->chip), n, &m); n++) {
    json_t *module = json_object(), *arrays = json_array();
    struct sluice_image_array array;
    put_whole(module, "vid", m.vid);
    put_text(module, "program", m.program);
    put_whole(module, "row", m.row);
    put_bank(a, module, m.vid);
    put_whole(module, "first_pipe", m.first_pipe);
    put_whole(module, "pipes", m.pipes);
    for (unsigned k = 0; sluice_chip_get_array(a->chip, m.vid, k, &array); k++) {
      json_t *one = json_object();
      put_text(one, "name", array.name);
      put_whole(one, "size", array.size);
      put_whole(one, "stage", array.stage);
      put(one, "pinned", json_boolean(array.pinned));
      if (array.egress) put(one, "egress", json_true());
      append(arrays, one);
    }
    struct sluice_image_rows rows;
    for (unsigned k = 0; sluice_chip_get_rows(a->chip, m.vid, k, &rows); k++) {
      json_t *one = json_object();
      put_text(one, "name", rows.name);
      put_whole(one, "size", rows.size);
      put_whole(one, "words", rows.words);
      put_whole(one, "stage", rows.stage);
      put(one, "pinned", json_boolean(rows.pinned));
      append(arrays, one);
    }
    put(module, "arrays", arrays);
    append(modules, module);
  }
  put(a->answer, "modules", modules);
  put(a->answer, "ports", ports_of(a));
  return SLUICE_OK;
}

// ---- malleables ---------------------------------------------------------------------------------

static json_t *params_of(const struct asked *a, unsigned vid) {
  const struct sluice_plan *plan = sluice_chip_plan(a->chip);
  json_t *list = json_array();
  struct sluice_param_info p;
  for (unsigned n = 0; sluice_plan_param(plan, vid, n, &p); n++) {
    json_t *one = json_object(), *choices = json_array();
    put_text(one, "name", p.name);
    put(one, "value", json_integer(p.value));
    put(one, "low", json_integer(p.low));
    put(one, "high", json_integer(p.high));
    for (unsigned i = 0; i < p.num_choices; i++)
      append(choices, json_string(sluice_plan_param_choice(plan, vid, n, i)));
    if (p.num_choices) {
      put_text(one, "choice", sluice_plan_param_choice(plan, vid, n, (unsigned)p.value));
      put(one, "choices", json_incref(choices));
    }
    json_decref(choices);
    append(list, one);
  }
  return list;
}

static enum sluice_status setting_of(struct asked *a, const json_t *from, unsigned vid,
                                     struct sluice_setting *s) {
  const json_t *name = json_object_get(from, "name"), *value = json_object_get(from, "value"),
               *of = json_object_get(from, "vid");
  *s = (struct sluice_setting){.vid = of ? (unsigned)json_integer_value(of) : vid,
                               .name = json_string_value(name)};
  if (!s->name || !(json_is_integer(value) || json_is_string(value)) ||
      (of && !json_is_integer(of)))
    return wants(
        a, "set",
        "a list of objects with a name, a value (number, or name of a choice) and maybe a vid");
  s->choice = json_string_value(value);
  s->value = json_integer_value(value);
  return SLUICE_OK;
}

// Malleables of a module; with "set" those of one or more are changed in one transaction first.
static enum sluice_status do_param(struct asked *a) {
  enum { MOST = 64 };
  const json_t *list = json_object_get(a->request, "set");
  struct sluice_setting settings[MOST];
  struct sluice_update_report report;
  unsigned vid;
  CHIP_TRY(number(a, "vid", 4094, &vid));
  if (has(a, "set") && (!json_array_size(list) || json_array_size(list) > MOST))
    return wants(a, "set", "a list of 1 to 64 objects");
  const unsigned num = (unsigned)json_array_size(list);
  for (unsigned i = 0; i < num; i++)
    CHIP_TRY(setting_of(a, json_array_get(list, i), vid, &settings[i]));
  if (num) {
    CHIP_TRY(sluice_chip_set_params(a->chip, settings, num, &report, &a->error));
    put(a->answer, "lossy", json_boolean(live_config(a->live)->Banks != 2));
    put_report(a, &report);
  }
  if (!sluice_plan_find(sluice_chip_plan(a->chip), vid))
    return sluice_fail(&a->error, SLUICE_ERR_RANGE, "no module on the chip has VLAN id %u", vid);
  put(a->answer, "params", params_of(a, vid));
  return SLUICE_OK;
}

// ---- reactions ----------------------------------------------------------------------------------

static enum sluice_status change_reaction(struct asked *a, unsigned vid, const char *name,
                                          const char *action) {
  struct reactions *rs = live_reactions(a->live);
  struct sluice_image image;
  if (strcmp(action, "stop") == 0) return reactions_stop(rs, vid, name, &a->error);
  if (strcmp(action, "start") == 0) return reactions_start(rs, vid, name, &a->error);
  if (strcmp(action, "reload") != 0) return wants(a, "action", "start, stop or reload");
  CHIP_TRY(image_of(a, a->request, &image));
  const enum sluice_status status = reactions_reload(rs, vid, name, &image, NULL, &a->error);
  sluice_image_release(&image);
  return status;
}

// What reactions have done; with "action" one of them is changed first.
static enum sluice_status do_reaction(struct asked *a) {
  const struct reactions *rs = live_reactions(a->live);
  const char *name = NULL, *action;
  unsigned vid = 0;
  if (!rs)
    return sluice_fail(&a->error, SLUICE_ERR_RANGE,
                       "this switch runs no reactions (--reactions off)");
  if (has(a, "vid")) CHIP_TRY(number(a, "vid", 4094, &vid));
  if (has(a, "name") || has(a, "action")) CHIP_TRY(number(a, "vid", 4094, &vid));
  if (has(a, "name") || has(a, "action")) CHIP_TRY(text(a, "name", &name));
  if (has(a, "action")) {
    CHIP_TRY(text(a, "action", &action));
    CHIP_TRY(change_reaction(a, vid, name, action));
  }
  json_t *list = reaction_report(rs, has(a, "vid") ? (int)vid : -1, name);
  const bool none = list && name && !json_array_size(list);
  put(a->answer, "reactions", list);
  return none ? sluice_fail(&a->error, SLUICE_ERR_RANGE,
                            "the module of VLAN %u has no reaction '%.60s'", vid, name)
              : SLUICE_OK;
}

// ---- tables and registers -----------------------------------------------------------------------

static enum sluice_status register_of(struct asked *a, const char *name, uint32_t *addr) {
  return sluice_register_parse(live_config(a->live), name, addr, &a->error);
}

static enum sluice_status show_register(struct asked *a) {
  const char *name;
  uint32_t addr, value;
  CHIP_TRY(text(a, "register", &name));
  CHIP_TRY(register_of(a, name, &addr));
  CHIP_TRY(sluice_chip_read(a->chip, addr, &value, &a->error));
  put_whole(a->answer, "value", value);
  return SLUICE_OK;
}

// One entry as the chip holds it.
static enum sluice_status show_entry(struct asked *a, unsigned vid, const struct sluice_write *w,
                                     unsigned index, json_t *list) {
  uint8_t bytes[SLUICE_ENTRY_BYTES];
  char hex[2 * SLUICE_ENTRY_BYTES + 1], words[1000];
  const struct sluice_table_info *table = &sluice_tables[w->table];
  const size_t len = (table->bits + 7) / 8;
  CHIP_TRY(
      sluice_chip_entry_read(a->chip, vid, table->name, w->stage, index, bytes, len, &a->error));
  for (size_t i = 0; i < len; i++) snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
  sluice_entry_describe(w->table, bytes, words, sizeof words);
  json_t *entry = json_object();
  put_text(entry, "table", table->name);
  put_whole(entry, "stage", w->stage);
  put_whole(entry, "index", index);
  put_text(entry, "bytes", hex);
  put_text(entry, "means", words);
  append(list, entry);
  return SLUICE_OK;
}

static enum sluice_status do_show(struct asked *a) {
  const struct sluice_plan *plan = sluice_chip_plan(a->chip);
  const char *named = NULL;
  unsigned vid;
  int table = -1;
  enum sluice_status status = SLUICE_OK;
  if (has(a, "register")) return show_register(a);
  CHIP_TRY(number(a, "vid", 4094, &vid));
  if (has(a, "table")) {
    CHIP_TRY(text(a, "table", &named));
    table = sluice_table_named(named);
    if (table < 0)
      return sluice_fail(&a->error, SLUICE_ERR_RANGE,
                         "no table is called '%.60s'; see docs/tables.md", named);
  }
  const struct sluice_placed *m = sluice_plan_find(plan, vid);
  if (!m)
    return sluice_fail(&a->error, SLUICE_ERR_RANGE, "no module on the chip has VLAN id %u", vid);
  json_t *list = json_array();
  for (size_t i = 0; !status && i < plan->num_writes; i++) {
    const struct sluice_write *w = &plan->writes[i];
    if (sluice_plan_owner(plan, w) != m->row || (named && (int)w->table != table)) continue;
    status = show_entry(a, vid, w, sluice_by_match_row(w->table) ? sluice_plan_number(plan, w) : 0,
                        list);
  }
  put(a->answer, "entries", list);
  put_text(a->answer, "program", m->program);
  put_bank(a, a->answer, vid);
  return status;
}

// ---- state --------------------------------------------------------------------------------------

// `words`: of a row; 0: the array has entries.
static enum sluice_status size_of_array(struct asked *a, unsigned vid, const char *name,
                                        unsigned *size, unsigned *words) {
  struct sluice_image_rows rows;
  *words = 0;
  for (unsigned k = 0; sluice_chip_get_rows(a->chip, vid, k, &rows); k++)
    if (strcmp(rows.name, name) == 0) {
      *size = rows.size;
      *words = rows.words;
      return SLUICE_OK;
    }
  struct sluice_image_array array;
  for (unsigned k = 0; sluice_chip_get_array(a->chip, vid, k, &array); k++)
    if (strncmp(array.name, name, strcspn(name, "@")) == 0 &&
        strlen(array.name) == strcspn(name, "@")) {
      *size = array.size;
      return SLUICE_OK;
    }
  if (!sluice_plan_find(sluice_chip_plan(a->chip), vid))
    return sluice_fail(&a->error, SLUICE_ERR_RANGE, "no module on the chip has VLAN id %u", vid);
  return sluice_fail(&a->error, SLUICE_ERR_RANGE, "the module of VLAN %u has no array '%.60s'", vid,
                     name);
}

static enum sluice_status do_state(struct asked *a) {
  const char *name;
  unsigned vid, size = 0, words, first, count;
  CHIP_TRY(number(a, "vid", 4094, &vid));
  CHIP_TRY(text(a, "array", &name));
  CHIP_TRY(size_of_array(a, vid, name, &size, &words));
  CHIP_TRY(number_or(a, "first", STATE_MOST, 0, &first));
  CHIP_TRY(number_or(a, "count", STATE_MOST, first < size ? size - first : 0, &count));
  const size_t each = words ? words : 1;
  uint32_t *values = calloc(count ? count * each : 1, sizeof *values);
  if (!values) return sluice_no_memory(&a->error);
  const enum sluice_status status =
      words ? sluice_chip_rows_read(a->chip, vid, name, first, count, values, &a->error)
            : sluice_chip_state_read(a->chip, vid, name, first, count, values, &a->error);
  json_t *list = json_array();
  for (unsigned n = 0; !status && n < count; n++) {
    json_t *row = words ? json_array() : json_integer((int32_t)values[n]);
    for (unsigned w = 0; w < words; w++) append(row, json_integer((int32_t)values[n * each + w]));
    append(list, row);
  }
  free(values);
  put_whole(a->answer, "first", first);
  put(a->answer, "values", list);
  return status;
}

// All arrays of some modules, or of all, at one ticket.
static enum sluice_status do_cut(struct asked *a) {
  const json_t *list = json_object_get(a->request, "vids");
  unsigned vids[SLUICE_MAX_ROWS];
  const size_t num = json_array_size(list);
  if (list && (num < 1 || num > SLUICE_MAX_ROWS))
    return wants(a, "vids", "a list of 1 to 32 VLAN ids");
  for (size_t n = 0; n < num; n++) {
    const json_t *v = json_array_get(list, n);
    if (!json_is_integer(v) || json_integer_value(v) < 0 || json_integer_value(v) > 4094)
      return wants(a, "vids", "a list of 1 to 32 VLAN ids");
    vids[n] = (unsigned)json_integer_value(v);
  }
  return live_cut(a->chip, vids, (unsigned)num, a->answer, &a->error);
}

// Values of a request, one word behind the other; of an array of rows a value may be a list with
// the words of a row. `values` NULL: they are counted.
static enum sluice_status take_values(struct asked *a, unsigned words, uint32_t *values,
                                      size_t *num) {
  const json_t *list = json_object_get(a->request, "values");
  *num = 0;
  for (size_t n = 0; n < json_array_size(list); n++) {
    const json_t *row = json_array_get(list, n);
    const bool one = !words || !json_is_array(row);
    if (!one && json_array_size(row) != words)
      return sluice_fail(&a->error, SLUICE_ERR_RANGE, "a row has %u words, not %zu", words,
                         json_array_size(row));
    for (size_t w = 0; w < (one ? 1 : words); w++, ++*num) {
      const json_t *v = one ? row : json_array_get(row, w);
      if (!json_is_integer(v) || json_integer_value(v) < INT32_MIN ||
          json_integer_value(v) > UINT32_MAX)
        return wants(a, "values", "a list of 32-bit numbers");
      if (values) values[*num] = (uint32_t)json_integer_value(v);
    }
  }
  return *num && *num <= STATE_MOST
             ? SLUICE_OK
             : wants(a, "values", "a list of 1 to 65536 whole numbers, or of rows");
}

static enum sluice_status set_state(struct asked *a) {
  const char *name;
  unsigned vid, first, size, words;
  size_t num;
  CHIP_TRY(number(a, "vid", 4094, &vid));
  CHIP_TRY(text(a, "array", &name));
  CHIP_TRY(number(a, "first", STATE_MOST, &first));
  CHIP_TRY(size_of_array(a, vid, name, &size, &words));
  CHIP_TRY(take_values(a, words, NULL, &num));
  if (words && num % words)
    return sluice_fail(&a->error, SLUICE_ERR_RANGE, "rows of '%.60s' have %u words, not %zu", name,
                       words, num);
  uint32_t *values = calloc(num, sizeof *values);
  if (!values) return sluice_no_memory(&a->error);
  enum sluice_status status = take_values(a, words, values, &num);
  if (!status && words)
    status =
        sluice_chip_rows_write(a->chip, vid, name, first, (unsigned)num / words, values, &a->error);
  else if (!status)
    status = sluice_chip_state_write(a->chip, vid, name, first, (unsigned)num, values, &a->error);
  free(values);
  return status;
}

static enum sluice_status set_entry(struct asked *a) {
  const char *name;
  unsigned vid, stage, index;
  uint8_t bytes[SLUICE_ENTRY_BYTES];
  size_t len;
  CHIP_TRY(number(a, "vid", 4094, &vid));
  CHIP_TRY(text(a, "table", &name));
  CHIP_TRY(number_or(a, "stage", SLUICE_MAX_STAGES - 1, 0, &stage));
  CHIP_TRY(number_or(a, "index", 1023, 0, &index));
  CHIP_TRY(hex_bytes(a, "bytes", "an entry in hexadecimal digits", bytes, sizeof bytes, &len));
  return sluice_chip_entry_write(a->chip, vid, name, stage, index, bytes, len, &a->error);
}

static enum sluice_status set_register(struct asked *a) {
  const char *name;
  uint32_t addr;
  json_int_t value;
  CHIP_TRY(text(a, "register", &name));
  CHIP_TRY(register_of(a, name, &addr));
  CHIP_TRY(whole(a, "value", 0, UINT32_MAX, &value));
  return sluice_chip_write(a->chip, addr, (uint32_t)value, &a->error);
}

static enum sluice_status do_set(struct asked *a) {
  if (has(a, "register")) return set_register(a);
  return has(a, "table") ? set_entry(a) : set_state(a);
}

// ---- counters -----------------------------------------------------------------------------------

static enum sluice_status count_chip(struct asked *a) {
  struct sluice_counters c;
  CHIP_TRY(sluice_chip_counters(a->chip, &c, &a->error));
  json_t *chip = json_object();
  put_whole(chip, "packets", c.packets);
  put_whole(chip, "admitted", c.admitted);
  put_whole(chip, "left", c.left);
  put_whole(chip, "copies", c.copies);
  put_drops(chip, "drops", c.drops);
  put(a->answer, "chip", chip);
  return SLUICE_OK;
}

// Statistics of the system-level module around the program: its scalars, `system.NAME`.
static enum sluice_status count_system(struct asked *a, const struct sluice_module *m, json_t *to) {
  static const char prefix[] = "system.";
  const struct sluice_plan *plan = sluice_chip_plan(a->chip);
  json_t *system = NULL;
  for (size_t n = 0; n < plan->num_segments; n++) {
    const struct sluice_segment *s = &plan->segments[n];
    for (unsigned w = 0; w < 2 && s->row == m->row && s->range == 1; w++) {
      uint32_t value;
      if (strncmp(s->name[w], prefix, sizeof prefix - 1) != 0) continue;
      CHIP_TRY(sluice_chip_state_read(a->chip, m->vid, s->name[w], 0, 1, &value, &a->error));
      if (!system) put(to, "system", system = json_object());
      put_whole(system, s->name[w] + sizeof prefix - 1, value);
    }
  }
  return SLUICE_OK;
}

static enum sluice_status count_modules(struct asked *a) {
  struct sluice_module m;
  json_t *list = json_array();
  put(a->answer, "modules", list);
  for (unsigned n = 0; sluice_plan_module(sluice_chip_plan(a->chip), n, &m); n++) {
    uint32_t drops[SLUICE_NUM_DROPS];
    uint64_t wide[SLUICE_NUM_DROPS];
    CHIP_TRY(sluice_chip_module_drops(a->chip, m.vid, drops, &a->error));
    for (unsigned r = 0; r < SLUICE_NUM_DROPS; r++) wide[r] = drops[r];
    json_t *module = json_object();
    put_whole(module, "vid", m.vid);
    put_text(module, "program", m.program);
    put_drops(module, "drops", wide);
    append(list, module);
    CHIP_TRY(count_system(a, &m, module));
  }
  return SLUICE_OK;
}

static enum sluice_status count_ports(struct asked *a) {
  json_t *list = json_array();
  put(a->answer, "ports", list);
  for (unsigned p = 0; p < live_config(a->live)->NumPorts; p++) {
    struct live_counts c;
    struct sluice_port_counters port;
    if (!live_counts_of(a->live, p, &c)) continue;
    CHIP_TRY(sluice_chip_port_counters(a->chip, p, &port, &a->error));
    json_t *one = json_object(), *refused = json_object();
    put_whole(one, "port", p);
    put_whole(one, "in", c.in);
    put_whole(one, "in_bytes", c.in_bytes);
    put_whole(one, "out", c.out);
    put_whole(one, "out_bytes", c.out_bytes);
    put_whole(one, "sent", port.packets);
    put_whole(one, "queue_full", port.drops);
    if (live_config(a->live)->EgressStages) put_whole(one, "egress", port.egress);
    put_whole(one, "not_taken", c.not_taken);
    for (unsigned r = LIVE_FITS + 1; r < LIVE_NUM_REFUSALS; r++)
      if (c.refused[r]) put_whole(refused, live_refusal_name((enum live_refusal)r), c.refused[r]);
    put(one, "refused", refused);
    append(list, one);
  }
  put_whole(a->answer, "unconnected", live_unconnected(a->live));
  return SLUICE_OK;
}

static enum sluice_status do_counters(struct asked *a) {
  const struct live_pace pace = live_pace(a->live);
  CHIP_TRY(count_chip(a));
  CHIP_TRY(count_modules(a));
  CHIP_TRY(count_ports(a));
  put_whole(a->answer, "cycles", pace.cycles);
  put(a->answer, "seconds", json_real(pace.seconds));
  return SLUICE_OK;
}

// ---- stages -------------------------------------------------------------------------------------

// A register of the boundaries before a back stage, over all pipelines: their sum, or the largest.
static enum sluice_status put_boundaries(struct asked *a, json_t *to, unsigned stage,
                                         const char *name, uint32_t reg, bool largest) {
  uint64_t sum = 0, most = 0;
  for (unsigned pipe = 0; pipe < live_config(a->live)->NumPipes; pipe++) {
    uint32_t value;
    CHIP_TRY(sluice_chip_read(
        a->chip, CHIP_REG(BOUNDARY, 16 * stage + pipe, ISSUED) - SLUICE_BOUNDARY_ISSUED + reg,
        &value, &a->error));
    sum += value;
    most = value > most ? value : most;
  }
  put_whole(to, name, largest ? most : sum);
  return SLUICE_OK;
}

static enum sluice_status do_stages(struct asked *a) {
  json_t *list = json_array();
  put(a->answer, "stages", list);
  for (unsigned stage = 0; stage < live_config(a->live)->BackStages; stage++) {
    json_t *one = json_object();
    put_whole(one, "stage", stage);
    append(list, one);
    CHIP_TRY(put_boundaries(a, one, stage, "issued", SLUICE_BOUNDARY_ISSUED, false));
    CHIP_TRY(put_boundaries(a, one, stage, "stateful", SLUICE_BOUNDARY_STATEFUL, false));
    CHIP_TRY(put_boundaries(a, one, stage, "wait_data", SLUICE_BOUNDARY_WAIT_DATA, false));
    CHIP_TRY(put_boundaries(a, one, stage, "wait_credit", SLUICE_BOUNDARY_WAIT_CREDIT, false));
    CHIP_TRY(put_boundaries(a, one, stage, "high_queue", SLUICE_BOUNDARY_HIGH_QUEUE, true));
  }
  return SLUICE_OK;
}

// ---- events -------------------------------------------------------------------------------------

static json_t *event_json(const struct sluice_packet_out *p) {
  static const char digits[] = "0123456789abcdef";
  static char hex[2 * SLUICE_PACKET_MAX];
  json_t *one = json_object();
  for (size_t i = 0; i < p->len; i++) {
    hex[2 * i] = digits[p->bytes[i] >> 4];
    hex[2 * i + 1] = digits[p->bytes[i] & 15];
  }
  if (p->len >= 16) put_whole(one, "vid", (p->bytes[14] & 15u) << 8 | p->bytes[15]);
  put_whole(one, "ticket", p->ticket);
  put(one, "bytes", json_stringn(hex, 2 * p->len));
  return one;
}

static enum sluice_status need_cpu_port(struct asked *a) {
  for (unsigned p = 0; p < live_config(a->live)->NumPorts; p++) {
    const struct live_spec *spec = live_spec_of(a->live, p);
    if (spec && spec->kind == LIVE_CPU) return SLUICE_OK;
  }
  return sluice_fail(&a->error, SLUICE_ERR_RANGE,
                     "no port of this switch is the CPU port (serve --port N=cpu)");
}

// Packets that have come to the CPU port: each is told once, to who asks first.
static enum sluice_status do_event(struct asked *a) {
  static struct sluice_packet_out packet;
  struct sluice_event_counts counts;
  unsigned most;
  CHIP_TRY(need_cpu_port(a));
  CHIP_TRY(number_or(a, "count", EVENTS_MOST, EVENTS_MOST, &most));
  json_t *list = json_array();
  put(a->answer, "events", list);
  for (unsigned n = 0; n < most; n++) {
    CHIP_TRY(sluice_chip_event(a->chip, &packet, &a->error));
    if (!packet.len) break;
    append(list, event_json(&packet));
  }
  sluice_chip_event_counts(a->chip, &counts);
  put_whole(a->answer, "lost", counts.lost_events);
  return SLUICE_OK;
}

// A packet of the control plane, in at the CPU port.
static enum sluice_status do_send(struct asked *a) {
  static uint8_t bytes[SLUICE_PACKET_MAX];
  size_t len;
  CHIP_TRY(need_cpu_port(a));
  CHIP_TRY(hex_bytes(a, "bytes", "a packet of at most 9216 bytes in hexadecimal digits", bytes,
                     sizeof bytes, &len));
  return live_cpu_put(a->live, bytes, len, &a->error);
}

// Ports of a group; with the member "ports" it gets them first.
static enum sluice_status do_group(struct asked *a) {
  const json_t *list = json_object_get(a->request, "ports");
  uint64_t ports = 0;
  unsigned row;
  CHIP_TRY(number(a, "row", 255, &row));
  if (list && !json_is_array(list)) return wants(a, "ports", "a list of ports");
  for (size_t n = 0; n < json_array_size(list); n++) {
    const json_t *port = json_array_get(list, n);
    if (!json_is_integer(port) || json_integer_value(port) < 0 || json_integer_value(port) > 63)
      return wants(a, "ports", "a list of ports");
    ports |= UINT64_C(1) << json_integer_value(port);
  }
  if (list) CHIP_TRY(sluice_chip_group_set(a->chip, row, ports, &a->error));
  CHIP_TRY(sluice_chip_group(a->chip, row, &ports, &a->error));
  json_t *answer = json_array();
  for (unsigned p = 0; p < 64; p++)
    if (ports >> p & 1) append(answer, json_integer(p));
  put(a->answer, "ports", answer);
  return SLUICE_OK;
}

static enum sluice_status do_table(struct asked *a) {
  return live_table(a->chip, a->request, a->answer, &lost, &a->error);
}

// ---- all ----------------------------------------------------------------------------------------

// Members that each verb knows, apart from "do" and "id" (which comes back in the answer).
static const struct verb {
  const char *name;
  enum sluice_status (*run)(struct asked *a);
  const char *members[8];
} verbs[] = {
    {"load", do_load, {"vid", "image", "trust"}},
    {"update", do_update, {"vid", "image", "trust", "modules"}},
    {"replace", do_replace, {"vid", "image", "trust", "modules"}},
    {"remove", do_remove, {"vid"}},
    {"list", do_list, {NULL}},
    {"show", do_show, {"vid", "table", "register"}},
    {"state", do_state, {"vid", "array", "first", "count"}},
    {"cut", do_cut, {"vids"}},
    {"counters", do_counters, {NULL}},
    {"stages", do_stages, {NULL}},
    {"set", do_set, {"vid", "array", "first", "values", "register", "value", "table"}},
    {"param", do_param, {"vid", "set"}},
    {"reaction", do_reaction, {"vid", "name", "action", "image"}},
    {"set", do_set, {"stage", "index", "bytes"}},
    {"group", do_group, {"row", "ports"}},
    {"trace", do_trace, {"count"}},
    {"event", do_event, {"count"}},
    {"send", do_send, {"bytes"}},
    {"table", do_table, {"vid", "table", "changes", "text", "name", "clear", "in_order"}},
};
enum { NUM_VERBS = sizeof verbs / sizeof verbs[0] };

static bool knows(const char *verb, const char *member) {
  for (size_t v = 0; v < NUM_VERBS; v++)
    for (size_t m = 0; strcmp(verbs[v].name, verb) == 0 && m < 8 && verbs[v].members[m]; m++)
      if (strcmp(verbs[v].members[m], member) == 0) return true;
  return strcmp(member, "do") == 0 || strcmp(member, "id") == 0;
}

static enum sluice_status run(struct asked *a) {
  const char *name, *member;
  json_t *value;
  if (!json_is_object(a->request))
    return sluice_fail(&a->error, SLUICE_ERR_FORMAT, "a request is a JSON object, one a line");
  CHIP_TRY(text(a, "do", &name));
  const struct verb *verb = NULL;
  for (size_t v = 0; v < NUM_VERBS && !verb; v++)
    if (strcmp(verbs[v].name, name) == 0) verb = &verbs[v];
  if (!verb)
    return sluice_fail(&a->error, SLUICE_ERR_FORMAT,
                       "'%.40s' is none of load, update, replace, remove, list, show, state, cut, "
                       "counters, stages, group, set, "
                       "param, table, reaction, trace, event, send",
                       name);
  json_object_foreach(
      (json_t *)(uintptr_t)a->request, member,
      value) if (!knows(name, member)) return sluice_fail(&a->error, SLUICE_ERR_FORMAT,
                                                          "'%s' has no member '%.40s'", name,
                                                          member);
  return verb->run(a);
}

static const char *status_word(enum sluice_status status) {
  switch (status) {
    case SLUICE_OK: break;
    case SLUICE_ERR_NOMEM: return "nomem";
    case SLUICE_ERR_IO: return "io";
    case SLUICE_ERR_FORMAT: return "format";
    case SLUICE_ERR_FOREIGN: return "foreign";
    case SLUICE_ERR_RANGE: return "range";
    case SLUICE_ERR_FULL: return "full";
    case SLUICE_ERR_DIFFERS: return "differs";
  }
  return "ok";
}

// With its "ok" first; `answer` is used up.
static json_t *finish(json_t *answer, const json_t *id, enum sluice_status status,
                      const char *error) {
  json_t *whole = json_object();
  put(whole, "ok", json_boolean(status == SLUICE_OK));
  if (id && json_object_set(whole, "id", (json_t *)(uintptr_t)id)) lost = true;
  if (status) {
    put_text(whole, "status", status_word(status));
    put_text(whole, "error", error);
  } else {
    if (json_object_update(whole, answer)) lost = true;
  }
  json_decref(answer);
  if (!lost) return whole;
  json_decref(whole);
  return NULL;
}

json_t *live_do(struct live *live, const json_t *request) {
  struct asked a = {
      .live = live, .chip = live_chip(live), .request = request, .answer = json_object()};
  lost = false;
  const enum sluice_status status = run(&a);
  return finish(a.answer, json_object_get(request, "id"), status, a.error.text);
}

char *live_answer(struct live *live, const char *line, size_t line_len, size_t *len) {
  json_error_t where;
  json_t *request = json_loadb(line, line_len, JSON_REJECT_DUPLICATES, &where), *answer;
  char text_of[400];
  if (request) {
    answer = live_do(live, request);
  } else {
    lost = false;
    snprintf(text_of, sizeof text_of, "no JSON: %.160s, at byte %d", where.text, where.position);
    answer = finish(json_object(), NULL, SLUICE_ERR_FORMAT, text_of);
  }
  json_decref(request);
  char *dump = answer ? json_dumps(answer, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
  json_decref(answer);
  *len = dump ? strlen(dump) : 0;
  return dump;
}
