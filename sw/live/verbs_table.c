// SPDX-License-Identifier: Apache-2.0
// Tables of a live switch: what there is, what entries have counted, changes.
#include <sluice/table.h>
#include <stdlib.h>
#include <string.h>

#include "../control/schema.h"
#include "../driver/plan/table_text.h"
#include "asked.h"

// ---- what there is ------------------------------------------------------------------------------

// Arguments of an entry's action, or of the default, as texts.
static void put_args(struct asked *a, json_t *to, const struct sluice_table_change *e) {
  const struct sluice_plan *plan = sluice_chip_plan(a->chip);
  struct sluice_table_action_info action;
  char text[SLUICE_TABLE_TEXT];
  for (unsigned n = 0; sluice_plan_table_action(plan, e->vid, e->table, n, &action); n++) {
    if (strcmp(action.name, e->action) != 0) continue;
    for (unsigned i = 0; i < action.num_args; i++) {
      sluice_table_arg_text(plan, e, i, text);
      answer_put(to, action.args[i], json_string(text));
    }
  }
}

static json_t *keys_json(struct asked *a, unsigned vid, const char *table) {
  static const char *const kinds[] = {"exact", "lpm", "ternary"};
  const struct sluice_plan *plan = sluice_chip_plan(a->chip);
  struct sluice_table_key_info key;
  json_t *list = json_array();
  for (unsigned n = 0; sluice_plan_table_key(plan, vid, table, n, &key); n++)
    answer_append(list, json_pack("{s:s,s:s,s:i}", "name", key.name, "kind", kinds[key.kind],
                                  "bits", (int)key.bits));
  return list;
}

static json_t *actions_json(struct asked *a, unsigned vid, const char *table) {
  const struct sluice_plan *plan = sluice_chip_plan(a->chip);
  struct sluice_table_action_info action;
  json_t *list = json_array();
  for (unsigned n = 0; sluice_plan_table_action(plan, vid, table, n, &action); n++) {
    json_t *args = json_array();
    for (unsigned i = 0; i < action.num_args; i++)
      answer_append(args,
                    json_pack("{s:s,s:i}", "name", action.args[i], "bits", (int)action.bits[i]));
    answer_append(list, json_pack("{s:s,s:b,s:o}", "name", action.name, "only_default",
                                  action.only_default, "args", args));
  }
  return list;
}

// The engines of a table that is too large for one: which prefixes they take, and what is used.
static json_t *parts_json(struct asked *a, unsigned vid, const struct sluice_table_desc *d) {
  struct sluice_table_part_info part;
  json_t *list = json_array();
  for (unsigned n = 0; sluice_plan_table_part(sluice_chip_plan(a->chip), vid, d->name, n, &part);
       n++) {
    json_t *lengths = json_array();
    for (unsigned i = 0; i < part.num_lengths; i++)
      answer_append(lengths,
                    json_pack("[i,i]", (int)part.lengths[i].least, (int)part.lengths[i].most));
    answer_append(
        list, json_pack("{s:s,s:i,s:i,s:i,s:o}", "engine", part.engine, "stage", (int)part.stage,
                        "size", (int)part.size, "used", (int)part.used, "lengths", lengths));
  }
  return list;
}

static json_t *table_json(struct asked *a, unsigned vid, const struct sluice_table_desc *d) {
  json_t *one = json_pack("{s:i,s:s,s:s,s:i,s:i,s:i,s:b}", "vid", (int)vid, "name", d->name,
                          "engine", d->engine, "stage", (int)d->stage, "size", (int)d->size, "used",
                          (int)d->used, "priority", d->has_priority);
  if (d->num_parts > 1) answer_put(one, "parts", parts_json(a, vid, d));
  answer_put(one, "keys", keys_json(a, vid, d->name));
  answer_put(one, "actions", actions_json(a, vid, d->name));
  if (!d->default_action) return one;
  struct sluice_table_change e = {.vid = vid, .table = d->name, .action = d->default_action};
  memcpy(e.args, d->default_args, sizeof e.args);
  json_t *def = json_pack("{s:s}", "action", d->default_action);
  put_args(a, def, &e);
  answer_put(one, "default", def);
  return one;
}

static enum sluice_status list_tables(struct asked *a, unsigned only) {
  const struct sluice_plan *plan = sluice_chip_plan(a->chip);
  struct sluice_module m;
  struct sluice_table_desc d;
  bool found = !only;
  json_t *list = json_array();
  answer_put(a->answer, "tables", list);
  for (unsigned n = 0; sluice_plan_module(plan, n, &m); n++) {
    if (only && m.vid != only) continue;
    found = true;
    for (unsigned t = 0; sluice_plan_table(plan, m.vid, t, &d); t++)
      answer_append(list, table_json(a, m.vid, &d));
  }
  if (found) return SLUICE_OK;
  return sluice_fail(&a->error, SLUICE_ERR_NOT_FOUND, "no module on the chip has VLAN id %u", only);
}

// In the form of a file; `counts`: what each has counted, or NULL.
static enum sluice_status list_entries(struct asked *a, unsigned vid, const char *table,
                                       const struct sluice_table_count *counts) {
  const struct sluice_plan *plan = sluice_chip_plan(a->chip);
  struct sluice_table_key_info key;
  struct sluice_table_change e;
  struct sluice_table_desc d;
  char text[SLUICE_TABLE_TEXT];
  json_t *list = json_array();
  bool found = false;
  answer_put(a->answer, "entries", list);
  for (unsigned n = 0; !found && sluice_plan_table(plan, vid, n, &d); n++)
    found = strcmp(d.name, table) == 0;
  if (!found)
    return sluice_fail(&a->error, SLUICE_ERR_NOT_FOUND,
                       "no module with VLAN id %u has a table '%.60s'", vid, table);
  answer_put(a->answer, "table", table_json(a, vid, &d));
  for (uint32_t place = 0; sluice_plan_table_entry(plan, vid, table, &place, &e);) {
    json_t *one = json_object();
    for (unsigned k = 0; sluice_plan_table_key(plan, vid, table, k, &key); k++) {
      sluice_table_key_text(plan, &e, k, text);
      answer_put(one, key.name, json_string(text));
    }
    if (d.has_priority) answer_put(one, "priority", json_integer(e.priority));
    answer_put(one, "action", json_string(e.action));
    put_args(a, one, &e);
    if (counts) {
      answer_put(one, "count",
                 json_pack("{s:I,s:I}", "packets", (json_int_t)counts->packets, "bytes",
                           (json_int_t)counts->bytes));
      counts++;
    }
    answer_append(list, one);
  }
  return SLUICE_OK;
}

// The same with what entries have counted; "clear": from then on they begin with 0.
static enum sluice_status list_counters(struct asked *a, unsigned vid, const char *table) {
  const bool clear = json_is_true(json_object_get(a->request, "clear"));
  struct sluice_table_desc d = {.used = 0};
  unsigned num;
  for (unsigned n = 0; sluice_plan_table(sluice_chip_plan(a->chip), vid, n, &d); n++)
    if (strcmp(d.name, table) == 0) break;
  struct sluice_table_count *counts = calloc(d.used + 1, sizeof *counts);
  if (!counts) return sluice_no_memory(&a->error);
  enum sluice_status status =
      sluice_chip_table_counts(a->chip, vid, table, clear, counts, d.used, &num, &a->error);
  if (!status) status = list_entries(a, vid, table, counts);
  free(counts);
  return status;
}

// ---- changes ------------------------------------------------------------------------------------

static enum sluice_status one_change(struct asked *a, unsigned vid, const char *table,
                                     const json_t *from, struct sluice_table_change *c) {
  const char *words[SLUICE_TABLE_WORDS];
  const size_t num = json_array_size(from);
  const char *word = json_string_value(json_array_get(from, 0));
  enum sluice_table_op op;
  if (num < 1 || num > SLUICE_TABLE_WORDS)
    return asked_wants(a, "changes", "lists of 1 to 16 texts");
  for (size_t i = 0; i < num; i++)
    if (!(words[i] = json_string_value(json_array_get(from, i))))
      return asked_wants(a, "changes", "lists of texts");
  if (!control_change_of(word, &op))
    return sluice_fail(&a->error, SLUICE_ERR_FORMAT,
                       "'%.40s' is none of add, mod, set, del, default, clear, or of what sluice "
                       "ctl does with a whole table: load, reload, counters",
                       word);
  return sluice_table_parse(sluice_chip_plan(a->chip), vid, table, op, words + 1, (unsigned)num - 1,
                            c, &a->error);
}

static enum sluice_status do_changes(struct asked *a, const struct sluice_table_change *changes,
                                     unsigned num) {
  const json_t *in_order = json_object_get(a->request, "in_order");
  const struct sluice_table_options options = {.in_order = json_is_true(in_order)};
  struct sluice_table_report report;
  struct sluice_chip_line before, after;
  sluice_chip_line_counts(a->chip, &before);
  SLUICE_TRY(sluice_chip_table_change(a->chip, changes, num, &options, &report, &a->error));
  sluice_chip_line_counts(a->chip, &after);
  answer_put(a->answer, "changes", json_integer(num));
  answer_put(a->answer, "atomic", json_boolean(report.atomic));
  answer_put(a->answer, "flipped", json_boolean(report.flipped));
  answer_put(a->answer, "writes", json_integer(report.writes));
  answer_put(a->answer, "moves", json_integer(report.moves));
  answer_put(a->answer, "steps", json_integer(report.steps));
  answer_put(a->answer, "control_packets", json_integer((json_int_t)(after.sent - before.sent)));
  return SLUICE_OK;
}

static enum sluice_status from_words(struct asked *a, unsigned vid, const char *table) {
  const json_t *list = json_object_get(a->request, "changes");
  const size_t num = json_array_size(list);
  struct sluice_table_change *changes = calloc(num, sizeof *changes);
  if (!changes) return sluice_no_memory(&a->error);
  enum sluice_status status = SLUICE_OK;
  for (size_t i = 0; i < num && !status; i++)
    status = one_change(a, vid, table, json_array_get(list, i), &changes[i]);
  if (!status) status = do_changes(a, changes, (unsigned)num);
  free(changes);
  return status;
}

// The entries of a file in place of those that there are.
static enum sluice_status cleared_first(struct asked *a, unsigned vid, const char *table,
                                        const struct sluice_table_change *changes, unsigned num) {
  struct sluice_table_change *all = calloc(num + 1, sizeof *all);
  if (!all) return sluice_no_memory(&a->error);
  all[0] = (struct sluice_table_change){.op = SLUICE_TABLE_CLEAR, .vid = vid, .table = table};
  if (num) memcpy(all + 1, changes, num * sizeof *all);
  const enum sluice_status status = do_changes(a, all, num + 1);
  free(all);
  return status;
}

static enum sluice_status from_text(struct asked *a, unsigned vid, const char *table) {
  const json_t *text = json_object_get(a->request, "text");
  const char *name = json_string_value(json_object_get(a->request, "name"));
  struct sluice_table_change *changes;
  unsigned num;
  const bool clear = json_is_true(json_object_get(a->request, "clear"));
  enum sluice_status status = table_file_read(
      sluice_chip_plan(a->chip), vid, table, json_string_value(text), json_string_length(text),
      name ? name : "text", !clear, &changes, &num, NULL, &a->error);
  if (!status)
    status = clear ? cleared_first(a, vid, table, changes, num) : do_changes(a, changes, num);
  sluice_table_free(changes, num, NULL);
  return status;
}

enum sluice_status verb_table(struct asked *a) {
  const unsigned vid = (unsigned)json_integer_value(json_object_get(a->request, "vid"));
  const char *table = json_string_value(json_object_get(a->request, "table"));
  if (!table) return list_tables(a, vid);
  if (asked_has(a, "changes")) return from_words(a, vid, table);
  if (asked_has(a, "text")) return from_text(a, vid, table);
  if (json_is_true(json_object_get(a->request, "counters"))) return list_counters(a, vid, table);
  return list_entries(a, vid, table, NULL);
}
