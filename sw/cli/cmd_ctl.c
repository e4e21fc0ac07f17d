// SPDX-License-Identifier: Apache-2.0
// Asks a live switch (sluice serve --control FILE).
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../base/number.h"
#include "../control/schema.h"
#include "cli.h"
#include "ctl.h"
#include "switch.h"

static const char verbs[] =
#define CONTROL_VERB(VERB, WATCHED, HELP) HELP
#include "../control.def"
    "  watch VERB...                    repeats a verb that only reads; prints what has changed\n"
    "Where VID stands the name of a program that runs will do, too.\n";
static const struct cli_usage usage = {
    "ctl", "VERB [ARGUMENT...] [OPTION...]",
    "Asks a running switch (sluice serve --control FILE) and changes it", verbs};

struct ctl {
  const char *path, *reactions;  // reactions: of images; NULL: nobody has said
  bool json, trust, in_order, lossy, check;
  double every, patience;
  uint64_t times;
  struct sluice_switch *sw;
  struct sluice_error error;
  struct cli_modules modules;
  char vids[CLI_MAX_ARGUMENTS][8];  // in place of names of programs
};

static int usage_error(void) {
  if (!cli_told()) cli_error("this is not how ctl is used; see 'sluice help ctl'");
  return CLI_USAGE;
}

// ---- requests -----------------------------------------------------------------------------------

static bool number(const char *text, const char *end, long long low, long long high,
                   long long *value) {
  const char *at = text;
  int64_t got;
  if (!sluice_signed_next(&at, low, high, &got) || at != end) return false;
  *value = got;
  return true;
}
static bool all_number(const char *text, long long low, long long high, long long *value) {
  return number(text, text + strlen(text), low, high, value);
}
// The same where nothing but a number can stand.
static bool wants_number(const char *what, const char *text, long long low, long long high,
                         long long *value) {
  if (all_number(text, low, high, value)) return true;
  if (!cli_told())
    cli_error("%s: '%s' is no number from %lld to %lld%s", what, text, low, high,
              sluice_number_hint(text));
  return false;
}

static void put(json_t *request, const char *name, json_t *value) {
  if (json_object_set_new(request, name, value)) {
    cli_error("out of memory, or '%s' is not UTF-8", name);
    exit(CLI_WORLD);
  }
}

static bool put_vid(json_t *request, const char *text) {
  long long vid;
  if (!wants_number("VLAN id", text, 0, 4094, &vid)) return false;
  put(request, "vid", json_integer(vid));
  return true;
}

// ARRAY, ARRAY[7], ARRAY[0-7]
static bool put_array(json_t *request, const char *text, bool one) {
  const char *bracket = strchr(text, '['), *end = text + strlen(text), *dash;
  long long first, last;
  put(request, "array", json_stringn(text, bracket ? (size_t)(bracket - text) : strlen(text)));
  if (!bracket) return !one;
  if (end[-1] != ']') return false;
  dash = strchr(bracket, '-');
  if (dash && one) return false;
  if (!number(bracket + 1, dash ? dash : end - 1, 0, 65535, &first) ||
      (dash && !number(dash + 1, end - 1, first, 65535, &last))) {
    cli_error("'%s': an index is a number from 0 to 65535%s, or two as 0-7", text,
              sluice_number_hint(bracket + 1));
    return false;
  }
  if (!dash) last = first;
  put(request, "first", json_integer(first));
  if (!one) put(request, "count", json_integer(last - first + 1));
  return true;
}

static bool put_set(json_t *request, const struct cli_list *a) {
  long long value, stage, index;
  if (a->count == 3) {
    put(request, "register", json_string(a->items[1]));
    if (strchr(a->items[1], '.') && wants_number(a->items[1], a->items[2], 0, UINT32_MAX, &value)) {
      put(request, "value", json_integer(value));
      return true;
    }
    return false;
  }
  if (a->count < 4 || !put_vid(request, a->items[1])) return false;
  if (strchr(a->items[2], '[')) {
    json_t *values = json_array();
    put(request, "values", values);
    for (unsigned i = 3; i < a->count; i++)
      if (!wants_number(a->items[2], a->items[i], INT32_MIN, UINT32_MAX, &value) ||
          json_array_append_new(values, json_integer(value)))
        return false;
    return put_array(request, a->items[2], true);
  }
  if (a->count != 6 || !wants_number("stage", a->items[3], 0, 23, &stage) ||
      !wants_number("index", a->items[4], 0, 1023, &index))
    return false;
  put(request, "table", json_string(a->items[2]));
  put(request, "stage", json_integer(stage));
  put(request, "index", json_integer(index));
  put(request, "bytes", json_string(a->items[5]));
  return true;
}

static bool put_vids(json_t *request, const struct cli_list *a) {
  json_t *list = json_array();
  long long vid;
  bool good = true;
  if (a->count > 1) put(request, "vids", json_incref(list));
  for (unsigned i = 1; good && i < a->count; i++)
    good = wants_number("VLAN id", a->items[i], 0, 4094, &vid) &&
           json_array_append_new(list, json_integer(vid)) == 0;
  json_decref(list);
  return good;
}

// VID NAME=VALUE... VID NAME=VALUE...
static bool put_params(json_t *request, const struct cli_list *a) {
  json_t *list = json_array();
  long long vid = 0, value;
  if (a->count > 2) put(request, "set", json_incref(list));
  bool good = a->count >= 2 && put_vid(request, a->items[1]);
  for (unsigned i = 1; good && i < a->count; i++) {
    const char *equals = strchr(a->items[i], '=');
    if (!equals) {
      good = wants_number("VLAN id", a->items[i], 0, 4094, &vid);
      continue;
    }
    json_t *one = json_object();
    put(one, "vid", json_integer(vid));
    put(one, "name", json_stringn(a->items[i], (size_t)(equals - a->items[i])));
    const bool number_given = all_number(equals + 1, INT32_MIN, INT32_MAX, &value);
    put(one, "value", number_given ? json_integer(value) : json_string(equals + 1));
    good = json_array_append_new(list, one) == 0;
  }
  json_decref(list);
  return good;
}

// [VID [NAME [start|stop]]]; `reload FILE` is done elsewhere.
static bool put_reaction(json_t *request, const struct cli_list *a) {
  if (a->count > 4 || (a->count > 1 && !put_vid(request, a->items[1]))) return false;
  if (a->count > 2) put(request, "name", json_string(a->items[2]));
  if (a->count > 3) put(request, "action", json_string(a->items[3]));
  return a->count < 4 || strcmp(a->items[3], "start") == 0 || strcmp(a->items[3], "stop") == 0;
}

static bool put_count(json_t *request, const struct cli_list *a) {
  long long count;
  if (a->count == 1) return true;
  if (a->count != 2 || !wants_number("events", a->items[1], 1, 256, &count)) return false;
  put(request, "count", json_integer(count));
  return true;
}

// group ROW [PORT...]
static bool put_group(json_t *request, const struct cli_list *a) {
  json_t *ports = json_array();
  long long row = 0, port = 0;
  bool good = a->count > 1 && wants_number("row", a->items[1], 0, 255, &row);
  for (unsigned n = 2; good && n < a->count; n++)
    good = wants_number("port", a->items[n], 0, 63, &port) &&
           json_array_append_new(ports, json_integer(port)) == 0;
  if (good) put(request, "row", json_integer(row));
  if (good && a->count > 2) put(request, "ports", json_incref(ports));
  json_decref(ports);
  return good;
}

// A verb that changes nothing but the request. False: it is not used so.
static bool put_verb(json_t *request, const struct cli_list *a) {
  const char *verb = a->items[0];
  put(request, "do", json_string(verb));
  if (strcmp(verb, "list") == 0 || strcmp(verb, "counters") == 0 || strcmp(verb, "stages") == 0 ||
      strcmp(verb, "hello") == 0)
    return a->count == 1;
  if (strcmp(verb, "event") == 0) return put_count(request, a);
  if (strcmp(verb, "send") == 0) {
    put(request, "bytes", json_string(a->count == 2 ? a->items[1] : ""));
    return a->count == 2;
  }
  if (strcmp(verb, "remove") == 0) return a->count == 2 && put_vid(request, a->items[1]);
  if (strcmp(verb, "set") == 0) return put_set(request, a);
  if (strcmp(verb, "group") == 0) return put_group(request, a);
  if (strcmp(verb, "cut") == 0) return put_vids(request, a);
  if (strcmp(verb, "param") == 0) return put_params(request, a);
  if (strcmp(verb, "reaction") == 0) return put_reaction(request, a);
  if (strcmp(verb, "state") == 0)
    return a->count == 3 && put_vid(request, a->items[1]) && put_array(request, a->items[2], false);
  if (strcmp(verb, "show") != 0 || a->count < 2 || a->count > 3) return false;
  if (a->count == 2 && strchr(a->items[1], '.')) {
    put(request, "register", json_string(a->items[1]));
    return true;
  }
  if (a->count == 3) put(request, "table", json_string(a->items[2]));
  return put_vid(request, a->items[1]);
}

// ---- asking -------------------------------------------------------------------------------------

static void print_json(const json_t *answer) {
  json_dumpf(answer, stdout, JSON_COMPACT);
  printf("\n");
}

// Exit code; *answer is the caller's, NULL after a message.
static int ask(struct ctl *ctl, const json_t *request, json_t **answer) {
  const char *said = NULL;
  const enum sluice_status status = cli_switch_ask(ctl->sw, request, answer, &said, &ctl->error);
  if (!status) return CLI_DONE;
  if (ctl->json && said) printf("%s\n", said);
  cli_error("%s", ctl->error.text);
  return !said || status == SLUICE_ERR_IO || status == SLUICE_ERR_NOMEM ? CLI_WORLD : CLI_NO;
}

static int ask_for_trace(void *user, const json_t *request, json_t **answer) {
  return ask(user, request, answer);
}

static int ask_and_print(struct ctl *ctl, const char *verb, const json_t *request) {
  json_t *answer;
  const int code = ask(ctl, request, &answer);
  if (code != CLI_DONE) return code;
  if (ctl->json) print_json(answer);
  else ctl_print(verb, request, answer);
  json_decref(answer);
  return CLI_DONE;
}

// Programs that were compiled here, from their text, may bring their reactions. Of an image the
// user must say what shall be done with them.
static void put_reactions(const struct ctl *ctl, json_t *request) {
  bool any = false, foreign = false;
  for (unsigned i = 0; i < ctl->modules.count; i++) {
    any |= ctl->modules.items[i].image.num_reactions != 0;
    foreign |= ctl->modules.items[i].foreign && ctl->modules.items[i].image.num_reactions;
  }
  if (ctl->reactions) put(request, "reactions", json_string(ctl->reactions));
  else if (any && !foreign) put(request, "reactions", json_string("trusted"));
}

static json_t *request_of(const struct ctl *ctl, unsigned i) {
  json_t *one = json_object();
  put(one, "vid", json_integer(ctl->modules.items[i].vid));
  put(one, "image", json_load_file(ctl->modules.items[i].path, 0, NULL));
  return one;
}

// One request for each program, or one for all where they change together.
static int send_images(struct ctl *ctl, const char *verb, bool together) {
  const unsigned num = ctl->modules.count;
  int code = CLI_DONE;
  for (unsigned i = 0; code == CLI_DONE && i < (together ? 1 : num); i++) {
    json_t *request = together && num > 1 ? json_object() : request_of(ctl, i),
           *list = json_array();
    for (unsigned k = 0; together && num > 1 && k < num; k++)
      if (json_array_append_new(list, request_of(ctl, k))) code = CLI_WORLD;
    if (together && num > 1) put(request, "modules", json_incref(list));
    put(request, "do", json_string(verb));
    if (ctl->trust) put(request, "trust", json_true());
    if (ctl->lossy && strcmp(verb, "update") == 0) put(request, "lossy", json_true());
    if (ctl->check && strcmp(verb, "update") == 0) put(request, "check", json_true());
    put_reactions(ctl, request);
    if (code == CLI_DONE) code = ask_and_print(ctl, verb, request);
    json_decref(list);
    json_decref(request);
  }
  return code;
}

/// A program that runs, and has the VLAN id or the name that is looked for.
struct running {
  long long vid;     // -1: any
  const char *name;  // NULL: any
  bool found, again;
  unsigned is;
  char program[100];
};

static enum sluice_status look_at(void *user, unsigned vid, const char *program) {
  struct running *r = user;
  if ((r->vid >= 0 && r->vid != vid) || (r->name && strcmp(r->name, program) != 0))
    return SLUICE_OK;
  if (r->found) {
    r->again = true;
    return SLUICE_OK;
  }
  r->found = true;
  r->is = vid;
  snprintf(r->program, sizeof r->program, "%s", program);
  return SLUICE_OK;
}

static int find_running(struct ctl *ctl, struct running *r) {
  if (!sluice_switch_programs(ctl->sw, look_at, r, &ctl->error)) return CLI_DONE;
  cli_error("%s", ctl->error.text);
  return CLI_WORLD;
}

// A program that is to be loaded must not have the VLAN id of one that runs.
static int refuse_taken(struct ctl *ctl, const struct cli_list *with_vid) {
  for (unsigned i = 0; i < ctl->modules.count; i++) {
    struct running r = {.vid = ctl->modules.items[i].vid};
    const int code = find_running(ctl, &r);
    if (code != CLI_DONE || !r.found) {
      if (code != CLI_DONE) return code;
      continue;
    }
    cli_error("VLAN %u runs '%s' already; another version: 'sluice ctl update %s', another "
              "program: 'sluice ctl remove %u' first",
              r.is, r.program, with_vid->items[i], r.is);
    return CLI_NO;
  }
  return CLI_DONE;
}

// Where a verb takes a VLAN id, the name of a program that runs does, too: it becomes the id.
static int vids_for_names(struct ctl *ctl, struct cli_list *words) {
  // Most verbs take an id or name as their first word alone; with `several` any word may be one.
  // With `registers` a word may also be the name of a register, which is left as it is.
  static const struct {
    const char *verb;
    bool several, registers;
  } takes[] = {{"remove", false, false},   {"state", false, false}, {"table", false, false},
               {"reaction", false, false}, {"cut", true, false},    {"param", true, false},
               {"show", false, true},      {"set", false, true}};
  enum { NUM = sizeof takes / sizeof *takes };
  size_t verb = 0;
  while (verb < NUM && strcmp(takes[verb].verb, words->items[0]) != 0) verb++;
  if (verb == NUM) return CLI_DONE;
  for (unsigned i = 1; i < words->count && (i == 1 || takes[verb].several); i++) {
    struct running r = {.vid = -1, .name = words->items[i]};
    long long vid;
    if (all_number(r.name, 0, 4094, &vid) || strpbrk(r.name, "=.[") ||
        !isalpha((unsigned char)*r.name))
      continue;
    const int code = find_running(ctl, &r);
    if (code != CLI_DONE) return code;
    if (r.again) {
      cli_error("several programs are called '%s': say the VLAN id of the one that is meant",
                r.name);
      return CLI_NO;
    }
    if (!r.found && takes[verb].registers) continue;
    if (!r.found) {
      cli_error("no program '%s' runs on the switch", r.name);
      return CLI_NO;
    }
    snprintf(ctl->vids[i], sizeof ctl->vids[i], "%u", r.is);
    words->items[i] = ctl->vids[i];
  }
  return CLI_DONE;
}

// NAME FILE becomes FILE:VID, when a program of that name, or with that VLAN id, runs.
static int by_name(struct ctl *ctl, struct cli_list *args, char *text, size_t size) {
  struct running r = {.vid = -1};
  if (!all_number(args->items[0], 0, 4094, &r.vid)) r.name = args->items[0];
  const int code = find_running(ctl, &r);
  if (code != CLI_DONE) return code;
  if (!r.found || (size_t)snprintf(text, size, "%s:%u", args->items[1], r.is) >= size) {
    cli_error("no program '%s' runs on the switch", args->items[0]);
    return CLI_NO;
  }
  args->count = 1;
  args->items[0] = text;
  return CLI_DONE;
}

// The shape of the switch's chip. NULL: this build does not know it; a message was printed.
static const struct sluice_config *shape_of(const struct ctl *ctl) {
  struct sluice_switch_info info;
  sluice_switch_describe(ctl->sw, &info);
  return cli_chip(info.chip);
}

// Programs are compiled here, for the chip that the switch has.
static int send_programs(struct ctl *ctl, const char *verb, struct cli_list *with_vid) {
  struct cli_work work = {.lock = -1};
  const struct cli_list none = {0};
  const bool update = strcmp(verb, "update") == 0;
  char named[4200];
  const struct sluice_config *config = shape_of(ctl);
  int code = config ? CLI_DONE : CLI_WORLD;
  ctl->modules.no_shares = true;
  if (code == CLI_DONE && update && with_vid->count == 2 && !strchr(with_vid->items[0], ':'))
    code = by_name(ctl, with_vid, named, sizeof named);
  if (code == CLI_DONE) code = cli_modules_load(&ctl->modules, &none, with_vid, config);
  if (code == CLI_DONE && strcmp(verb, "load") == 0) code = refuse_taken(ctl, with_vid);
  if (code == CLI_DONE && !cli_work_open(&work, NULL)) code = CLI_WORLD;
  if (code == CLI_DONE) code = cli_modules_save(&ctl->modules, work.path);
  if (code == CLI_DONE) code = send_images(ctl, verb, update);
  cli_work_close(&work);
  cli_modules_release(&ctl->modules);
  return code;
}

// reaction VID NAME reload FILE: the program is compiled here, and its reaction NAME taken from it
// there.
static int reload_reaction(struct ctl *ctl, const struct cli_list *a) {
  struct cli_work work = {.lock = -1};
  const struct cli_list none = {0};
  struct cli_list with_vid = {.count = 1};
  char item[4200];
  json_t *request = NULL;
  const struct sluice_config *config = shape_of(ctl);
  if ((size_t)snprintf(item, sizeof item, "%s:%s", a->items[4], a->items[1]) >= sizeof item)
    config = NULL;
  with_vid.items[0] = item;
  ctl->modules.no_shares = true;
  int code = config ? cli_modules_load(&ctl->modules, &none, &with_vid, config) : CLI_WORLD;
  if (code == CLI_DONE && !cli_work_open(&work, NULL)) code = CLI_WORLD;
  if (code == CLI_DONE) code = cli_modules_save(&ctl->modules, work.path);
  if (code == CLI_DONE) {
    request = request_of(ctl, 0);
    put(request, "do", json_string("reaction"));
    put(request, "name", json_string(a->items[2]));
    put(request, "action", json_string("reload"));
    put_reactions(ctl, request);
    code = ask_and_print(ctl, "reaction", request);
  }
  json_decref(request);
  cli_work_close(&work);
  cli_modules_release(&ctl->modules);
  return code;
}

// state VID: all arrays of a module.
static int all_state(struct ctl *ctl, const char *vid_text) {
  json_t *list = json_pack("{s:s}", "do", "list"), *answer, *module, *array;
  size_t n, k;
  long long vid;
  int code = all_number(vid_text, 0, 4094, &vid) ? ask(ctl, list, &answer) : usage_error();
  bool known = false;
  json_decref(list);
  if (code != CLI_DONE) return code;
  json_array_foreach(json_object_get(answer, "modules"), n, module) {
    if (json_integer_value(json_object_get(module, "vid")) != vid) continue;
    known = true;
    json_array_foreach(json_object_get(module, "arrays"), k, array) {
      json_t *request = json_pack("{s:s,s:I,s:O}", "do", "state", "vid", (json_int_t)vid, "array",
                                  json_object_get(array, "name"));
      // Of arrays that each output lane has, one must be named.
      const bool one = !json_is_true(json_object_get(array, "egress"));
      if (one && code == CLI_DONE)
        code = request ? ask_and_print(ctl, "state", request) : CLI_WORLD;
      json_decref(request);
    }
  }
  json_decref(answer);
  if (!known) cli_error("no module on the chip has VLAN id %lld", vid);
  return known ? code : CLI_NO;
}

static void nap(double seconds) {
  const struct timespec pause = {.tv_sec = (time_t)seconds,
                                 .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
  nanosleep(&pause, NULL);
}

// What is asked again and again: the first time all is printed, then what has changed.
static int watch(struct ctl *ctl, const char *verb, const json_t *request) {
  json_t *before = NULL, *answer = NULL;
  int code = CLI_DONE;
  for (uint64_t n = 0; code == CLI_DONE && (!ctl->times || n < ctl->times); n++) {
    if (n) nap(ctl->every);
    code = ask(ctl, request, &answer);
    if (code != CLI_DONE) break;
    if (ctl->json) print_json(answer);
    else if (!before || strcmp(verb, "event") == 0) ctl_print(verb, request, answer);
    else if (ctl_print_changes(before, answer)) printf("\n");
    fflush(stdout);
    json_decref(before);
    before = answer;
  }
  json_decref(before);
  return code;
}

static int control(struct ctl *ctl, struct cli_list *rest) {
  const bool watches = strcmp(rest->items[0], "watch") == 0;
  if (watches) {
    memmove(rest->items, rest->items + 1, --rest->count * sizeof *rest->items);
    const bool known = rest->count && control_is_watched(rest->items[0]);
    // A malleable that is set, a table or a reaction that changes, is not only read.
    if (!known || (strcmp(rest->items[0], "param") == 0 && rest->count != 2) ||
        (strcmp(rest->items[0], "table") == 0 && rest->count > 3 &&
         (rest->count > 4 || strcmp(rest->items[3], "counters") != 0)) ||
        (strcmp(rest->items[0], "reaction") == 0 && rest->count > 3))
      return usage_error();
  }
  const char *verb = rest->items[0];
  if (cli_switch_open(&ctl->sw, ctl->path, ctl->patience, &ctl->error)) {
    cli_error("%s", ctl->error.text);
    return CLI_WORLD;
  }
  if (strcmp(verb, "load") == 0 || strcmp(verb, "update") == 0 || strcmp(verb, "replace") == 0) {
    struct cli_list with_vid = {.count = rest->count - 1};
    memcpy(with_vid.items, rest->items + 1, with_vid.count * sizeof *with_vid.items);
    return with_vid.count ? send_programs(ctl, verb, &with_vid) : usage_error();
  }
  const int named = vids_for_names(ctl, rest);
  if (named != CLI_DONE) return named;
  if (rest->count == 5 && strcmp(verb, "reaction") == 0 && strcmp(rest->items[3], "reload") == 0 &&
      !watches)
    return reload_reaction(ctl, rest);
  if (rest->count == 2 && strcmp(verb, "state") == 0 && !watches)
    return all_state(ctl, rest->items[1]);
  if (strcmp(verb, "trace") == 0 && !watches)
    return ctl_trace(&(struct ctl_trace){ctl->json, ctl->patience, ask_for_trace, ctl}, rest);
  json_t *request = json_object();
  int code = CLI_DONE;
  if (strcmp(verb, "table") == 0) {
    code = ctl_table_request(request, rest, ctl->in_order);
    if (code == CLI_DONE)
      code = watches ? watch(ctl, verb, request) : ask_and_print(ctl, verb, request);
  } else if (!put_verb(request, rest)) code = usage_error();
  else code = watches ? watch(ctl, verb, request) : ask_and_print(ctl, verb, request);
  json_decref(request);
  return code;
}

int cmd_ctl(int argc, char **argv) {
  struct cli_list rest;
  struct ctl *ctl = calloc(1, sizeof *ctl);
  if (!ctl) {
    cli_error("out of memory");
    return CLI_WORLD;
  }
  ctl->path = getenv("SLUICE_CONTROL");
  ctl->every = 1;
  ctl->patience = 300;
  const struct cli_option options[] = {
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Options"},
      {CLI_PATH, 's', "control", "FILE", &ctl->path, 0, 0,
       "control socket of the switch ($SLUICE_CONTROL)"},
      {CLI_FLAG, 'j', "json", NULL, &ctl->json, 0, 0,
       "prints the answer as the switch gives it, a line of JSON"},
      {CLI_FLAG, 0, "trust", NULL, &ctl->trust, 0, 0,
       "load, update, replace: the program may write its VLAN id, and reconfiguration packets"},
      {CLI_FLAG, 0, "check", NULL, &ctl->check, 0, 0,
       "update: says what would become of state and entries, and changes nothing"},
      {CLI_FLAG, 0, "lossy", NULL, &ctl->lossy, 0, 0,
       "update: also where contents of arrays, or entries of tables, are lost"},
      {CLI_TEXT, 0, "reactions", "WORD", &ctl->reactions, 0, 0,
       "load, update, replace, reload: those of an image: trusted (they run, with the rights of "
       "the switch) or off"},
      {CLI_PATH, 0, "system", "FILE", &ctl->modules.system, 0, 0,
       "load, update, replace: system-level module around the programs"},
      {CLI_FLAG, 0, "in-order", NULL, &ctl->in_order, 0, 0,
       "table: straight, one change after the other, where one moment for all is not possible"},
      {CLI_NUMBER, 0, "every", "SECONDS", &ctl->every, 0.01, 86400, "watch: so often (1)"},
      {CLI_WHOLE, 0, "times", "N", &ctl->times, 1, 1e9, "watch: so many times (until interrupted)"},
      {CLI_NUMBER, 0, "patience", "SECONDS", &ctl->patience, 0.01, 86400,
       "longest wait for an answer, or a packet (300)"},
      {CLI_END, 0, NULL, NULL, NULL, 0, 0, NULL}};
  enum cli_parsed parsed = cli_parse(argc, argv, &usage, options, &rest);
  int code = CLI_DONE;
  if (parsed != CLI_GO) {
    code = cli_parsed_exit(parsed);
  } else if (rest.count == 0) {
    code = usage_error();
  } else if (!ctl->path || !*ctl->path) {
    cli_error("which switch? name its control socket with --control FILE or in $SLUICE_CONTROL");
    code = CLI_USAGE;
  } else {
    code = control(ctl, &rest);
  }
  sluice_switch_close(ctl->sw);
  free(ctl);
  return code;
}
