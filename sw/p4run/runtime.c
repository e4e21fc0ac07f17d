// SPDX-License-Identifier: Apache-2.0
#include "runtime.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };  // keys, parameters

struct load {
  struct p4r_switch *sw;
  char *why;
  size_t why_size;
  const char *what;  // the list at work
  size_t number;     // of the entry in it, from 1
};

static bool wrong(struct load *l, const char *format, ...) {
  char text[300];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  snprintf(l->why, l->why_size, "entry %zu of %s: %s", l->number, l->what, text);
  return false;
}
// What a call of the switch said, with the entry in front.
static bool told(struct load *l, bool good) {
  if (good) return true;
  char text[400];
  snprintf(text, sizeof text, "%s", l->why);
  return wrong(l, "%s", text);
}

// ---- values -------------------------------------------------------------------------------------

static void from_bytes(struct p4r_number *n, const void *bytes, size_t len) {
  *n = (struct p4r_number){.len = sizeof n->bytes};
  memcpy(n->bytes + sizeof n->bytes - len, bytes, len);
}

static bool read_mac(struct p4r_number *n, const char *text) {
  unsigned b[6];
  int end = 0;
  uint8_t bytes[6];
  if (sscanf(text, "%2x:%2x:%2x:%2x:%2x:%2x%n", &b[0], &b[1], &b[2], &b[3], &b[4], &b[5], &end) !=
          6 ||
      text[end])
    return false;
  for (unsigned i = 0; i < 6; i++) bytes[i] = (uint8_t)b[i];
  from_bytes(n, bytes, 6);
  return true;
}

static bool read_value(const json_t *v, struct p4r_number *n) {
  char digits[40];
  uint8_t address[16];
  if (json_is_boolean(v)) return from_bytes(n, json_is_true(v) ? "\1" : "\0", 1), true;
  if (json_is_integer(v)) {
    snprintf(digits, sizeof digits, "%lld", (long long)json_integer_value(v));
    return p4r_number_read(n, digits, strlen(digits));
  }
  const char *text = json_string_value(v);
  if (!text) return false;
  if (read_mac(n, text)) return true;
  if (inet_pton(AF_INET, text, address) == 1) return from_bytes(n, address, 4), true;
  if (strchr(text, ':') && inet_pton(AF_INET6, text, address) == 1)
    return from_bytes(n, address, 16), true;
  return p4r_number_read(n, text, strlen(text));
}

// v, [v], [v, prefix length], [v, mask], [low, high]: which one the second is says the key's kind.
static bool read_match(const json_t *v, const char *kind, struct p4r_given *g) {
  const json_t *first = json_is_array(v) ? json_array_get(v, 0) : v;
  const json_t *second = json_is_array(v) ? json_array_get(v, 1) : NULL;
  if (!read_value(first, &g->value)) return false;
  if (!second) return true;
  if (strcmp(kind, "lpm") == 0) {
    if (!json_is_integer(second) || json_integer_value(second) < 0) return false;
    g->kind = P4R_GIVEN_PREFIX;
    g->prefix_len = (unsigned)json_integer_value(second);
    return true;
  }
  g->kind = strcmp(kind, "range") == 0 ? P4R_GIVEN_RANGE : P4R_GIVEN_MASK;
  return read_value(second, &g->mask);
}

// ---- entries ------------------------------------------------------------------------------------

static bool read_keys(struct load *l, const json_t *match, struct p4r_request *r,
                      struct p4r_given *keys) {
  const char *name;
  json_t *v;
  json_object_foreach((json_t *)match, name, v) {
    const char *kind = p4r_key_kind(l->sw, r->table, name);
    if (!kind) return told(l, false);
    if (r->num_keys >= MOST) return wrong(l, "too many keys");
    struct p4r_given *g = &keys[r->num_keys++];
    *g = (struct p4r_given){.name = name};
    if (!read_match(v, kind, g)) return wrong(l, "the value of key '%s' is no %s", name, kind);
  }
  return true;
}
static bool read_args(struct load *l, const json_t *params, struct p4r_request *r,
                      struct p4r_given *args) {
  const char *name;
  json_t *v;
  json_object_foreach((json_t *)params, name, v) {
    if (r->num_args >= MOST) return wrong(l, "too many parameters");
    struct p4r_given *g = &args[r->num_args++];
    *g = (struct p4r_given){.name = name};
    if (!read_value(v, &g->value)) return wrong(l, "the value of parameter '%s' is none", name);
  }
  return true;
}

static bool table_entry(struct load *l, const json_t *e) {
  struct p4r_given *values = calloc(2 * MOST, sizeof *values);
  if (!values) return wrong(l, "out of memory");
  struct p4r_request r = {.table = json_string_value(json_object_get(e, "table")),
                          .action = json_string_value(json_object_get(e, "action_name")),
                          .keys = values,
                          .args = values + MOST};
  const json_t *priority = json_object_get(e, "priority");
  bool good = r.table && r.action;
  if (!good) wrong(l, "it has no table or no action_name");
  r.has_priority = json_is_integer(priority);
  if (r.has_priority && json_integer_value(priority) < 0)
    good = wrong(l, "a priority is not negative");
  r.priority = r.has_priority ? (uint64_t)json_integer_value(priority) : 0;
  good = good && read_args(l, json_object_get(e, "action_params"), &r, values + MOST);
  if (good && json_is_true(json_object_get(e, "default_action")))
    good = told(l, p4r_default_set(l->sw, &r));
  else
    good = good && read_keys(l, json_object_get(e, "match"), &r, values) &&
           told(l, p4r_entry_add(l->sw, &r));
  free(values);
  return good;
}

static bool replicas(struct load *l, const json_t *e, unsigned group) {
  size_t i;
  json_t *replica;
  json_array_foreach(json_object_get(e, "replicas"), i, replica) {
    const json_t *port = json_object_get(replica, "egress_port");
    const json_t *instance = json_object_get(replica, "instance");
    if (!json_is_integer(port) || json_integer_value(port) < 0 || json_integer_value(port) > 511)
      return wrong(l, "a replica has no egress_port from 0 to 511");
    const unsigned to = (unsigned)json_integer_value(port);
    const int node = p4r_node_create(l->sw, (unsigned)json_integer_value(instance), &to, 1);
    if (node < 0 || !p4r_node_associate(l->sw, group, (unsigned)node)) return told(l, false);
  }
  return true;
}

static bool number_of(struct load *l, const json_t *e, const char *name, unsigned most,
                      unsigned *number) {
  const json_t *v = json_object_get(e, name);
  if (!json_is_integer(v) || json_integer_value(v) < 0 || json_integer_value(v) > most)
    return wrong(l, "%s is no number from 0 to %u", name, most);
  *number = (unsigned)json_integer_value(v);
  return true;
}
static bool group_entry(struct load *l, const json_t *e) {
  unsigned group;
  return number_of(l, e, "multicast_group_id", 65535, &group) &&
         told(l, p4r_group_create(l->sw, group)) && replicas(l, e, group);
}
// The replicas of a session are a group of their own, above those that programs can name.
static bool session_entry(struct load *l, const json_t *e) {
  unsigned session;
  return number_of(l, e, "clone_session_id", 32767, &session) && replicas(l, e, 65536 + session) &&
         told(l, p4r_session_set(l->sw, session, true, 65536 + session));
}

static bool each(struct load *l, const json_t *root, const char *name,
                 bool (*one)(struct load *, const json_t *)) {
  const json_t *list = json_object_get(root, name);
  size_t i;
  json_t *e;
  l->what = name;
  l->number = 0;
  if (list && !json_is_array(list)) return wrong(l, "this is no list");
  json_array_foreach((json_t *)list, i, e) {
    l->number = i + 1;
    if (!json_is_object(e)) return wrong(l, "this is no object");
    if (!one(l, e)) return false;
  }
  return true;
}

bool p4r_runtime_load(struct p4r_switch *sw, char *why, size_t why_size, const char *text,
                      size_t len) {
  struct load l = {.sw = sw, .why = why, .why_size = why_size};
  json_error_t error;
  json_t *root = json_loadb(text, len, 0, &error);
  if (!json_is_object(root)) {
    snprintf(why, why_size, "line %d: %s", root ? 1 : error.line,
             root ? "the entries are no JSON object" : error.text);
    json_decref(root);
    return false;
  }
  const bool good = each(&l, root, "table_entries", table_entry) &&
                    each(&l, root, "multicast_group_entries", group_entry) &&
                    each(&l, root, "clone_session_entries", session_entry);
  json_decref(root);
  return good;
}
