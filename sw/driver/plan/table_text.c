// SPDX-License-Identifier: Apache-2.0
// Keys and arguments of tables as text, and changes as words.
#include "table_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/number.h"
#include "../image/image_tables.h"
#include "table_plan.h"

static uint64_t ones(unsigned bits) { return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1; }

// "10.0.0.1": four parts of up to 255.
static bool ipv4(const char *text, size_t len, uint64_t *value) {
  unsigned parts = 0, part = 0, digits = 0;
  *value = 0;
  for (size_t i = 0; i <= len; i++) {
    if (i < len && text[i] >= '0' && text[i] <= '9') {
      if (digits && !part) return false;  // numbers do not begin with 0
      part = 10 * part + (unsigned)(text[i] - '0');
      if (part > 255 || ++digits > 3) return false;
      continue;
    }
    if ((i < len && text[i] != '.') || !digits || ++parts > 4) return false;
    *value = *value << 8 | part;
    part = digits = 0;
  }
  return parts == 4;
}

// "00:11:22:33:44:55": six parts of two digits.
static bool mac(const char *text, size_t len, uint64_t *value) {
  *value = 0;
  if (len != 17) return false;
  for (size_t i = 0; i < len; i += 3) {
    uint64_t byte;
    if (!sluice_hex_digits(text + i, 2, &byte) || (i + 2 < len && text[i + 2] != ':')) return false;
    *value = *value << 8 | byte;
  }
  return true;
}

static bool number(const char *text, size_t len, uint64_t *value) {
  return sluice_number_len(text, len, value) == SLUICE_READ;
}

enum table_text table_text_value(const char *text, size_t len, unsigned bits, uint64_t *value) {
  if (number(text, len, value)) return *value & ~ones(bits) ? TABLE_TEXT_LARGE : TABLE_TEXT_GOOD;
  if (ipv4(text, len, value)) return bits == 32 ? TABLE_TEXT_GOOD : TABLE_TEXT_ADDRESS;
  if (mac(text, len, value)) return bits == 48 ? TABLE_TEXT_GOOD : TABLE_TEXT_ADDRESS;
  return TABLE_TEXT_NONE;
}

// ---- keys ---------------------------------------------------------------------------------------

static enum sluice_status no_key(const struct sluice_placed_table *t,
                                 const struct sluice_image_key *key, const char *text,
                                 struct sluice_error *error) {
  static const char *const may_be[] = {
      [SLUICE_KEY_EXACT] = "a value",
      [SLUICE_KEY_LPM] = "a value, a prefix as VALUE/LENGTH, or _ for anything",
      [SLUICE_KEY_TERNARY] = "a value, a prefix as VALUE/LENGTH, VALUE&&&MASK, or _ for anything"};
  const unsigned width = sluice_key_width(key);
  return sluice_fail(error, SLUICE_ERR_FORMAT,
                     "table '%s', key '%s': '%.60s' is not %s, 0..0x%llx%s", t->table.name,
                     key->name, text, may_be[key->kind], (unsigned long long)ones(width),
                     width == 32   ? " or an address as 10.0.0.1"
                     : width == 48 ? " or an address as 00:11:22:33:44:55"
                                   : "");
}

static enum sluice_status out_of_range(const struct sluice_placed_table *t, const char *what,
                                       const char *name, const char *text, unsigned width,
                                       struct sluice_error *error) {
  return sluice_fail(error, SLUICE_ERR_RANGE, "table '%s', %s '%s': '%.60s', legal is 0..0x%llx",
                     t->table.name, what, name, text, (unsigned long long)ones(width));
}

enum sluice_status table_text_key(const struct sluice_placed_table *t, unsigned n, const char *text,
                                  struct sluice_table_match *match, struct sluice_error *error) {
  const struct sluice_image_key *key = &t->table.keys[n];
  const unsigned width = sluice_key_width(key);
  const char *slash = strchr(text, '/'), *ands = strstr(text, "&&&");
  const size_t len = slash ? (size_t)(slash - text) : ands ? (size_t)(ands - text) : strlen(text);
  *match = (struct sluice_table_match){0, ones(width)};
  if (strcmp(text, "_") == 0) {
    if (key->kind == SLUICE_KEY_EXACT) return no_key(t, key, text, error);
    match->mask = 0;
    return SLUICE_OK;
  }
  const enum table_text got = table_text_value(text, len, width, &match->value);
  if (got == TABLE_TEXT_LARGE) return out_of_range(t, "key", key->name, text, width, error);
  if (got != TABLE_TEXT_GOOD || (slash && ands)) return no_key(t, key, text, error);
  if (slash) {
    uint64_t length;
    if (key->kind == SLUICE_KEY_EXACT || !number(slash + 1, strlen(slash + 1), &length))
      return no_key(t, key, text, error);
    if (length > width)
      return sluice_fail(error, SLUICE_ERR_RANGE,
                         "table '%s', key '%s': '%.60s', a prefix has up to %u bits", t->table.name,
                         key->name, text, width);
    match->mask = length ? ones(width) & ~ones(width - (unsigned)length) : 0;
  } else if (ands) {
    const enum table_text mask = table_text_value(ands + 3, strlen(ands + 3), width, &match->mask);
    if (key->kind != SLUICE_KEY_TERNARY || mask == TABLE_TEXT_NONE || mask == TABLE_TEXT_ADDRESS)
      return no_key(t, key, text, error);
    if (mask == TABLE_TEXT_LARGE) return out_of_range(t, "key", key->name, text, width, error);
  }
  if (match->value & ~match->mask)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "table '%s', key '%s': '%.60s' has bits outside its %s", t->table.name,
                       key->name, text, slash ? "prefix" : "mask");
  return SLUICE_OK;
}

enum sluice_status table_text_arg(const struct sluice_placed_table *t, unsigned action, unsigned n,
                                  const char *text, uint64_t *value, struct sluice_error *error) {
  const struct sluice_image_arg *arg = &t->table.actions[action].args[n];
  const unsigned width = arg->msb - arg->lsb + 1;
  switch (table_text_value(text, strlen(text), width, value)) {
    case TABLE_TEXT_GOOD: return table_port_fits(t, action, n, *value, error);
    case TABLE_TEXT_LARGE: return out_of_range(t, "argument", arg->name, text, width, error);
    default: break;
  }
  return sluice_fail(error, SLUICE_ERR_FORMAT,
                     "table '%s', argument '%s': '%.60s' is no value, 0..0x%llx", t->table.name,
                     arg->name, text, (unsigned long long)ones(width));
}

// ---- words --------------------------------------------------------------------------------------

struct words {
  const struct sluice_placed_table *t;
  struct sluice_table_change *change;
  struct sluice_error *error;
  bool has_key[SLUICE_MAX_KEYS];
};

static int key_named(const struct sluice_image_table *t, const char *name, size_t len) {
  for (unsigned k = 0; k < t->num_keys; k++) {
    const char *dot = strchr(t->keys[k].name, '.');
    if ((strlen(t->keys[k].name) == len && strncmp(t->keys[k].name, name, len) == 0) ||
        (dot && strlen(dot + 1) == len && strncmp(dot + 1, name, len) == 0))
      return (int)k;
  }
  return -1;
}
int table_text_key_named(const struct sluice_image_table *t, const char *name) {
  return key_named(t, name, strlen(name));
}

static enum sluice_status usage(const struct words *w, const char *what) {
  char keys[200] = "";
  for (unsigned k = 0; k < w->t->table.num_keys; k++) {
    const size_t len = strlen(keys);
    snprintf(keys + len, sizeof keys - len, "%s%.40s", k ? ", " : "", w->t->table.keys[k].name);
  }
  return sluice_fail(w->error, SLUICE_ERR_FORMAT, "table '%s': %s; its keys are %s",
                     w->t->table.name, what, keys);
}

// Keys and priority; returns how many words they were.
static enum sluice_status read_keys(struct words *w, const char *const *words, unsigned num,
                                    unsigned *used) {
  const struct sluice_image_table *t = &w->t->table;
  unsigned next = 0, got = 0;
  for (*used = 0; *used < num; (*used)++) {
    const char *word = words[*used], *equals = strchr(word, '=');
    int k = -1;
    if (equals && strncmp(word, "priority=", 9) == 0) {
      uint64_t value;
      if (!number(equals + 1, strlen(equals + 1), &value) || value > UINT32_MAX)
        return usage(w, "priority is a number, 0..0xffffffff");
      w->change->priority = (uint32_t)value;
      continue;
    }
    if (equals) k = key_named(t, word, (size_t)(equals - word));
    if (equals && k < 0) return usage(w, "a name in front of = that is no key");
    if (!equals && got == t->num_keys) break;
    while (!equals && next < t->num_keys && w->has_key[next]) next++;
    if (!equals) k = (int)next;
    if (w->has_key[k]) return usage(w, "a key is there twice");
    const enum sluice_status status = table_text_key(w->t, (unsigned)k, equals ? equals + 1 : word,
                                                     &w->change->keys[k], w->error);
    if (status) return status;
    w->has_key[k] = true;
    got++;
  }
  return got == t->num_keys ? SLUICE_OK : usage(w, "keys are missing");
}

static enum sluice_status read_action(struct words *w, const char *const *words, unsigned num) {
  const struct sluice_image_table *t = &w->t->table;
  bool has[SLUICE_MAX_ARGS] = {false};
  unsigned a = 0;
  // What a word becomes, alone.
  if (t->engine == SLUICE_ENGINE_ARRAY && num < 2) {
    if (!num) return usage(w, "what the word becomes is missing");
    w->change->action = t->actions[0].name;
    return table_text_arg(w->t, 0, 0, words[0], &w->change->args[0], w->error);
  }
  if (!num) return usage(w, "the action is missing");
  while (a < t->num_actions && strcmp(t->actions[a].name, words[0]) != 0) a++;
  if (a == t->num_actions) {
    char list[240] = "";
    for (unsigned i = 0; i < t->num_actions; i++) {
      const size_t len = strlen(list);
      snprintf(list + len, sizeof list - len, "%s%.40s", i ? ", " : "", t->actions[i].name);
    }
    return sluice_fail(w->error, SLUICE_ERR_NOT_FOUND,
                       "table '%s' has no action '%.60s'; these are: %s", t->name, words[0], list);
  }
  const struct sluice_image_action *action = &t->actions[a];
  w->change->action = action->name;
  for (unsigned i = 1; i < num; i++) {
    const char *equals = strchr(words[i], '=');
    const size_t len = equals ? (size_t)(equals - words[i]) : 0;
    unsigned n = 0;
    while (n < action->num_args && !(strlen(action->args[n].name) == len &&
                                     strncmp(action->args[n].name, words[i], len) == 0))
      n++;
    if (!equals || n == action->num_args || has[n])
      return sluice_fail(
          w->error, SLUICE_ERR_FORMAT,
          "table '%s', action '%s': '%.60s' is none of its arguments, or there twice", t->name,
          action->name, words[i]);
    SLUICE_TRY(table_text_arg(w->t, a, n, equals + 1, &w->change->args[n], w->error));
    has[n] = true;
  }
  for (unsigned n = 0; n < action->num_args; n++)
    if (!has[n])
      return sluice_fail(w->error, SLUICE_ERR_FORMAT, "table '%s', action '%s' needs %s=VALUE",
                         t->name, action->name, action->args[n].name);
  return SLUICE_OK;
}

enum sluice_status sluice_table_parse(const struct sluice_plan *plan, unsigned vid,
                                      const char *table, enum sluice_table_op op,
                                      const char *const *words, unsigned num,
                                      struct sluice_table_change *change,
                                      struct sluice_error *error) {
  struct words w = {
      .t = sluice_plan_table_named(plan, vid, table, error), .change = change, .error = error};
  unsigned used = 0;
  if (!w.t) return SLUICE_ERR_RANGE;
  *change = (struct sluice_table_change){.op = op, .vid = vid, .table = w.t->table.name};
  if (op != SLUICE_TABLE_DEFAULT && op != SLUICE_TABLE_CLEAR) {
    SLUICE_TRY(read_keys(&w, words, num, &used));
  }
  if (op != SLUICE_TABLE_DELETE && op != SLUICE_TABLE_CLEAR)
    return read_action(&w, words + used, num - used);
  if (used < num) return usage(&w, "there are more words than keys");
  return SLUICE_OK;
}

// ---- the other way ------------------------------------------------------------------------------

static void value_text(uint64_t value, unsigned bits, char *text, size_t len) {
  if (bits == 32) {
    snprintf(text, len, "%u.%u.%u.%u", (unsigned)(value >> 24 & 255), (unsigned)(value >> 16 & 255),
             (unsigned)(value >> 8 & 255), (unsigned)(value & 255));
  } else if (bits == 48) {
    snprintf(text, len, "%02x:%02x:%02x:%02x:%02x:%02x", (unsigned)(value >> 40 & 255),
             (unsigned)(value >> 32 & 255), (unsigned)(value >> 24 & 255),
             (unsigned)(value >> 16 & 255), (unsigned)(value >> 8 & 255), (unsigned)(value & 255));
  } else {
    snprintf(text, len, "%llu", (unsigned long long)value);
  }
}

void sluice_table_key_text(const struct sluice_plan *plan, const struct sluice_table_change *entry,
                           unsigned n, char text[SLUICE_TABLE_TEXT]) {
  struct sluice_table_key_info key;
  char value[28], mask[20];
  text[0] = 0;
  if (!sluice_plan_table_key(plan, entry->vid, entry->table, n, &key)) return;
  const struct sluice_placed_table *t = sluice_tables_find(&plan->tables, entry->vid, entry->table);
  if (t->table.engine == SLUICE_ENGINE_ARRAY) {
    // Words are numbers more often than addresses.
    snprintf(text, SLUICE_TABLE_TEXT, "%llu", (unsigned long long)entry->keys[n].value);
    return;
  }
  const struct sluice_table_match *m = &entry->keys[n];
  const uint64_t all = ones(key.bits), rest = ~m->mask & all;
  value_text(m->value, key.bits, value, sizeof value);
  if (rest == all && key.kind != SLUICE_MATCH_EXACT) {
    snprintf(text, SLUICE_TABLE_TEXT, "_");
  } else if (!rest && key.kind != SLUICE_MATCH_LPM) {
    snprintf(text, SLUICE_TABLE_TEXT, "%s", value);
  } else if (!(rest & (rest + 1))) {
    snprintf(text, SLUICE_TABLE_TEXT, "%s/%u", value,
             key.bits - (unsigned)__builtin_popcountll(rest));
  } else {
    snprintf(mask, sizeof mask, "0x%llx", (unsigned long long)(m->mask & all));
    snprintf(text, SLUICE_TABLE_TEXT, "%s&&&%s", value, mask);
  }
}

void sluice_table_arg_text(const struct sluice_plan *plan, const struct sluice_table_change *entry,
                           unsigned n, char text[SLUICE_TABLE_TEXT]) {
  struct sluice_table_action_info action;
  text[0] = 0;
  for (unsigned a = 0; sluice_plan_table_action(plan, entry->vid, entry->table, a, &action); a++) {
    if (!entry->action || strcmp(action.name, entry->action) != 0 || n >= action.num_args) continue;
    // Words of 32 bits are numbers more often than addresses.
    if (action.bits[n] == 48) value_text(entry->args[n], 48, text, SLUICE_TABLE_TEXT);
    else snprintf(text, SLUICE_TABLE_TEXT, "%llu", (unsigned long long)entry->args[n]);
  }
}
