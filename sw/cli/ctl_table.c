// SPDX-License-Identifier: Apache-2.0
// The verb table of ctl: `table`, `table 5`, `table 5 route`, `table 5 route add ... + del ...`.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "../base/number.h"
#include "cli.h"
#include "ctl.h"

enum { MOST = 15 << 20 };  // a line of the control socket has 16 MB

static int usage(const char *what) {
  cli_error("ctl table: %s; see 'sluice help ctl'", what);
  return CLI_USAGE;
}

static bool put(json_t *request, const char *name, json_t *value) {
  return json_object_set_new(request, name, value) == 0;
}

// The first line that is no text in UTF-8, from 1 on; 0: all are.
static size_t line_without_text(const char *text, size_t len) {
  size_t line = 1;
  for (const char *at = text, *end; at < text + len; at = end + 1, line++) {
    end = memchr(at, '\n', (size_t)(text + len - at));
    if (!end) end = text + len;
    json_t *value = memchr(at, 0, (size_t)(end - at)) ? NULL : json_stringn(at, (size_t)(end - at));
    if (!value) return line;
    json_decref(value);
  }
  return 0;
}

static int load(json_t *request, const char *path) {
  size_t len;
  if (!cli_take_input(path)) return CLI_USAGE;
  char *text = cli_read_file(path, MOST, &len);
  if (!text) return CLI_WORLD;
  const size_t line = line_without_text(text, len);
  const bool good = line || put(request, "text", json_stringn(text, len));
  free(text);
  if (line) {
    cli_error("'%s': line %zu: this is no text in UTF-8", path, line);
    return CLI_NO;
  }
  if (good && put(request, "name", json_string(path))) return CLI_DONE;
  cli_error("'%s': no memory, or its name is not UTF-8", path);
  return CLI_WORLD;
}

// OP WORD... + OP WORD...
static int put_changes(json_t *request, const struct cli_list *words, unsigned from) {
  json_t *list = json_array(), *one = NULL;
  bool good = put(request, "changes", list);
  for (unsigned i = from; good && i < words->count; i++) {
    if (strcmp(words->items[i], "+") == 0) {
      one = NULL;
      continue;
    }
    if (!one) good = json_array_append_new(list, one = json_array()) == 0;
    good = good && json_array_append_new(one, json_string(words->items[i])) == 0;
  }
  return good ? CLI_DONE : usage("a word is not UTF-8");
}

int ctl_table_request(json_t *request, const struct cli_list *words, bool in_order) {
  unsigned vid;
  put(request, "do", json_string("table"));
  if (words->count < 2) return CLI_DONE;
  if (!sluice_unsigned_in(words->items[1], 1, 4094, &vid))
    return usage("the first word is a VLAN id, 1 to 4094");
  put(request, "vid", json_integer((json_int_t)vid));
  if (words->count < 3) return CLI_DONE;
  if (!put(request, "table", json_string(words->items[2]))) return usage("a word is not UTF-8");
  if (words->count < 4 || (words->count == 4 && strcmp(words->items[3], "list") == 0))
    return CLI_DONE;
  if (strcmp(words->items[3], "counters") == 0) {
    put(request, "counters", json_true());
    if (words->count == 5 && strcmp(words->items[4], "clear") == 0)
      put(request, "clear", json_true());
    else if (words->count > 4) return usage("behind counters comes 'clear', or nothing");
    return CLI_DONE;
  }
  if (in_order) put(request, "in_order", json_true());
  const bool again = strcmp(words->items[3], "reload") == 0;
  if (!again && strcmp(words->items[3], "load") != 0) return put_changes(request, words, 3);
  if (again) put(request, "clear", json_true());
  return words->count == 5 ? load(request, words->items[4])
                           : usage("load and reload take one file");
}

// ---- answers ------------------------------------------------------------------------------------

// " port=3 mac=00:11:22:33:44:55": what is neither key nor action.
static void print_args(const json_t *entry, const json_t *keys) {
  const char *name;
  json_t *value, *key;
  size_t n;
  json_object_foreach((json_t *)(uintptr_t)entry, name, value) {
    bool is_key = strcmp(name, "action") == 0 || strcmp(name, "priority") == 0 ||
                  json_is_object(value);
    json_array_foreach(keys, n, key) is_key |= strcmp(sluice_json_text(key, "name"), name) == 0;
    if (!is_key) printf(" %s=%s", name, json_string_value(value));
  }
}

// The lengths are pairs, of the shortest and the longest.
static void print_part(const json_t *part) {
  size_t n;
  json_t *range;
  printf("  %s engine of stage %lld: %lld of %lld", sluice_json_text(part, "engine"),
         sluice_json_int(part, "stage"), sluice_json_int(part, "used"),
         sluice_json_int(part, "size"));
  json_array_foreach(json_object_get(part, "lengths"), n, range) {
    const json_int_t least = json_integer_value(json_array_get(range, 0)),
                     most = json_integer_value(json_array_get(range, 1));
    printf("%s%lld", n ? ", " : "; prefixes of ", (long long)least);
    if (most > least) printf(" to %lld", (long long)most);
  }
  printf("\n");
}

static void print_table(const json_t *t) {
  size_t n, k;
  json_t *one, *arg;
  printf("VLAN %lld: %s: %lld of %lld entries, ", sluice_json_int(t, "vid"),
         sluice_json_text(t, "name"), sluice_json_int(t, "used"), sluice_json_int(t, "size"));
  if (strcmp(sluice_json_text(t, "engine"), "array") == 0) {
    printf("array match: a word becomes its data\n");
    return;
  }
  const json_t *parts = json_object_get(t, "parts");
  if (parts) printf("%zu parts; keys ", json_array_size(parts));
  else
    printf("%s engine of stage %lld; keys ", sluice_json_text(t, "engine"),
           sluice_json_int(t, "stage"));
  json_array_foreach(json_object_get(t, "keys"), n, one)
      printf("%s%s (%s, %lld bits)", n ? ", " : "", sluice_json_text(one, "name"),
             sluice_json_text(one, "kind"), sluice_json_int(one, "bits"));
  printf("; actions ");
  json_array_foreach(json_object_get(t, "actions"), n, one) {
    printf("%s%s(", n ? ", " : "", sluice_json_text(one, "name"));
    json_array_foreach(json_object_get(one, "args"), k, arg) printf(
        "%s%s: %lld", k ? ", " : "", sluice_json_text(arg, "name"), sluice_json_int(arg, "bits"));
    printf(")");
  }
  const json_t *def = json_object_get(t, "default");
  printf("; default %s", def ? sluice_json_text(def, "action") : "nothing");
  if (def) print_args(def, NULL);
  printf("\n");
  json_array_foreach(parts, n, one) print_part(one);
}

static void print_entry(const json_t *entry, const json_t *keys) {
  size_t n;
  json_t *key;
  json_array_foreach(keys, n, key)
      printf("%s%s", n ? " " : "", sluice_json_text(entry, sluice_json_text(key, "name")));
  if (json_object_get(entry, "priority"))
    printf(" priority=%lld", sluice_json_int(entry, "priority"));
  printf(" %s", sluice_json_text(entry, "action"));
  print_args(entry, keys);
  const json_t *count = json_object_get(entry, "count");
  if (count)
    printf(": %lld packets, %lld bytes", sluice_json_int(count, "packets"),
           sluice_json_int(count, "bytes"));
  printf("\n");
}

void ctl_table_print(const json_t *answer) {
  const json_t *table = json_object_get(answer, "table"), *keys = json_object_get(table, "keys");
  size_t n;
  json_t *one;
  json_array_foreach(json_object_get(answer, "tables"), n, one) print_table(one);
  json_array_foreach(json_object_get(answer, "entries"), n, one) print_entry(one, keys);
  if (!json_object_get(answer, "changes")) return;
  const long long changes = sluice_json_int(answer, "changes"),
                  writes = sluice_json_int(answer, "writes"),
                  moves = sluice_json_int(answer, "moves");
  printf("%lld change%s, %s. Wrote %lld entr%s, ", changes, changes == 1 ? "" : "s",
         json_is_true(json_object_get(answer, "flipped"))
             ? "visible to all packets at once (banks flipped)"
         : json_is_true(json_object_get(answer, "atomic")) ? "visible to all packets at once"
                                                           : "one after the other",
         writes, writes == 1 ? "y" : "ies");
  if (moves) printf("%lld of them only moved", moves);
  else printf("moved none");
  printf("; %lld control packets\n", sluice_json_int(answer, "control_packets"));
}
