// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../reaction/report.h"
#include "ctl.h"

static long long whole(const json_t *object, const char *name) {
  return (long long)json_integer_value(json_object_get(object, name));
}
static const char *text(const json_t *object, const char *name) {
  const char *value = json_string_value(json_object_get(object, name));
  return value ? value : "";
}

static void print_module(const json_t *m) {
  const long long first = whole(m, "first_pipe"), pipes = whole(m, "pipes");
  size_t k;
  json_t *array;
  printf("VLAN %lld: %s, row %lld, pipelines %lld to %lld", whole(m, "vid"), text(m, "program"),
         whole(m, "row"), first, first + pipes - 1);
  if (json_object_get(m, "bank")) printf(", bank %lld", whole(m, "bank"));
  json_array_foreach(json_object_get(m, "arrays"), k, array) {
    printf("%s%s[%lld]", k ? ", " : "; state ", text(array, "name"), whole(array, "size"));
    if (whole(array, "words")) printf("[%lld]", whole(array, "words"));
    if (json_is_true(json_object_get(array, "egress"))) printf(" in each output lane");
  }
  printf("\n");
}

static void print_port(const json_t *p) {
  printf("port %lld: %s", whole(p, "port"), text(p, "kind"));
  if (strcmp(text(p, "kind"), "cpu") == 0) {
    printf("\n");
    return;
  }
  printf(" ");
  if (text(p, "netns")[0]) printf("%s/", text(p, "netns"));
  printf("%s%s%s%s", text(p, "name"), text(p, "in"), text(p, "out")[0] ? " to " : "",
         text(p, "out"));
  if (json_object_get(p, "udp")) printf("%lld", whole(p, "udp"));
  if (json_is_true(json_object_get(p, "trunk"))) printf(", trunk");
  else printf(", VLAN %lld", whole(p, "vlan"));
  if (text(p, "gone")[0]) printf(", gone: %s", text(p, "gone"));
  else if (strcmp(text(p, "link"), "down") == 0) printf(", down");
  printf("\n");
}

static void print_list(const json_t *answer) {
  size_t n;
  json_t *one;
  printf("chip %s\n", text(answer, "chip"));
  json_array_foreach(json_object_get(answer, "modules"), n, one) print_module(one);
  json_array_foreach(json_object_get(answer, "ports"), n, one) print_port(one);
}

static void print_show(const json_t *request, const json_t *answer) {
  size_t n;
  json_t *e;
  if (json_object_get(answer, "value"))
    printf("%s = %lld\n", text(request, "register"), whole(answer, "value"));
  if (json_object_get(answer, "entries"))
    printf("VLAN %lld: %s", whole(request, "vid"), text(answer, "program"));
  if (json_object_get(answer, "bank")) printf(", bank %lld", whole(answer, "bank"));
  if (json_object_get(answer, "entries")) printf("\n");
  json_array_foreach(json_object_get(answer, "entries"), n, e)
      printf("%s stage %lld [%lld] %s\n    %s\n", text(e, "table"), whole(e, "stage"),
             whole(e, "index"), text(e, "bytes"), text(e, "means"));
}

static void print_value(const json_t *value) {
  size_t w;
  json_t *word;
  if (!json_is_array(value)) printf(" %lld", (long long)json_integer_value(value));
  json_array_foreach(value, w, word) printf(" %lld", (long long)json_integer_value(word));
  printf("\n");
}

// "count[3] = 17"; of an array of rows all words: "sum[3] = 1 2 3 4 5 6 7 8".
static void print_state(const json_t *request, const json_t *answer) {
  size_t n;
  json_t *value;
  json_array_foreach(json_object_get(answer, "values"), n, value) {
    printf("%s[%lld] =", text(request, "array"), whole(answer, "first") + (long long)n);
    print_value(value);
  }
}

// As print_state, with the module in front.
static void print_cut(const json_t *answer) {
  size_t n, k, i;
  json_t *module, *array, *value;
  printf("ticket %lld\n", whole(answer, "ticket"));
  json_array_foreach(json_object_get(answer, "modules"), n, module) {
    printf("VLAN %lld: %s\n", whole(module, "vid"), text(module, "program"));
    json_array_foreach(json_object_get(module, "arrays"), k, array)
        json_array_foreach(json_object_get(array, "values"), i, value) printf(
            "%s[%zu] = %lld\n", text(array, "name"), i, (long long)json_integer_value(value));
  }
}

// "; NO_DEST 3, OVERLOAD 1"
static void print_reasons(const json_t *reasons) {
  const char *comma = "; ", *name;
  json_t *value;
  json_object_foreach((json_t *)(uintptr_t)reasons, name, value) {
    printf("%s%s %lld", comma, name, (long long)json_integer_value(value));
    comma = ", ";
  }
  printf("\n");
}

static void print_counters(const json_t *answer) {
  const json_t *chip = json_object_get(answer, "chip");
  const double seconds = json_real_value(json_object_get(answer, "seconds")),
               cycles = (double)whole(answer, "cycles");
  size_t n;
  json_t *one;
  printf("chip: %lld packets in, %lld admitted, %lld left, %lld copies out", whole(chip, "packets"),
         whole(chip, "admitted"), whole(chip, "left"), whole(chip, "copies"));
  print_reasons(json_object_get(chip, "drops"));
  json_array_foreach(json_object_get(answer, "modules"), n, one) {
    const char *name, *comma = "; system: ";
    json_t *value;
    printf("VLAN %lld: %s", whole(one, "vid"), text(one, "program"));
    json_object_foreach(json_object_get(one, "system"), name, value) {
      printf("%s%s %lld", comma, name, (long long)json_integer_value(value));
      comma = ", ";
    }
    print_reasons(json_object_get(one, "drops"));
  }
  json_array_foreach(json_object_get(answer, "ports"), n, one) {
    printf("port %lld: %lld frames in (%lld bytes), %lld out (%lld bytes), %lld not taken, %lld "
           "dropped at the queue",
           whole(one, "port"), whole(one, "in"), whole(one, "in_bytes"), whole(one, "out"),
           whole(one, "out_bytes"), whole(one, "not_taken"), whole(one, "queue_full"));
    if (whole(one, "egress")) printf(", %lld by the egress", whole(one, "egress"));
    print_reasons(json_object_get(one, "refused"));
  }
  printf("%.0f cycles in %.1f s running\n", cycles, seconds);
}

static void print_stages(const json_t *answer) {
  size_t n;
  json_t *one;
  json_array_foreach(json_object_get(answer, "stages"), n, one)
      printf("stage %lld: %lld packets issued, %lld with state; cycles that they waited for data "
             "%lld, for room %lld; deepest "
             "order queue %lld\n",
             whole(one, "stage"), whole(one, "issued"), whole(one, "stateful"),
             whole(one, "wait_data"), whole(one, "wait_credit"), whole(one, "high_queue"));
}

static void print_runs(const json_t *request, const json_t *answer) {
  const json_t *modules = json_object_get(request, "modules");
  for (size_t n = 0; n < json_array_size(modules); n++)
    printf("%s runs for VLAN %lld\n",
           json_string_value(json_array_get(json_object_get(answer, "programs"), n)),
           whole(json_array_get(modules, n), "vid"));
  if (!modules) printf("%s runs for VLAN %lld\n", text(answer, "program"), whole(request, "vid"));
}

// What becomes of state: that which moves or is lost; all of it if that was the question.
static void print_state_of(const json_t *answer, bool all) {
  size_t n;
  json_t *one;
  json_array_foreach(json_object_get(answer, "state"), n, one) {
    const char *becomes = text(one, "becomes"), *why = text(one, "why");
    if (!all && strcmp(becomes, "stays") == 0) continue;
    printf("'%s' of VLAN %lld %s%s%s%s\n", text(one, "name"), whole(one, "vid"),
           strcmp(becomes, "lost") == 0 ? "is lost" : becomes,
           strcmp(becomes, "moves") == 0 ? ", with its contents" : "", why[0] ? ": " : "", why);
  }
}

// "check": nothing was changed.
static void print_check(const json_t *answer) {
  print_state_of(answer, true);
  printf("%s\n", json_is_true(json_object_get(answer, "paused"))
                     ? "frames would wait at the ports meanwhile"
                     : "packets would go on meanwhile");
}

// What an update cost.
static void print_update(const json_t *answer) {
  if (json_is_true(json_object_get(answer, "lossy"))) {
    printf("packets were dropped meanwhile, arrays start anew\n");
    return;
  }
  print_state_of(answer, false);
  if (json_is_true(json_object_get(answer, "paused")))
    printf("frames waited at the ports meanwhile; no packet was dropped for it\n");
  if (!json_object_get(answer, "written")) return;
  printf("match rows: %lld written, %lld shared, %lld freed; %lld entries; arrays: %lld kept, %lld "
         "filled\n",
         whole(answer, "written"), whole(answer, "shared"), whole(answer, "freed"),
         whole(answer, "entries"), whole(answer, "kept"), whole(answer, "filled"));
  printf("%sthe old version had left %lld cycles after the flip\n",
         json_is_true(json_object_get(answer, "paused")) ? "" : "no packet was dropped for it; ",
         whole(answer, "drain_cycles"));
}

static void print_params(const json_t *answer) {
  size_t n, k;
  json_t *one, *choice;
  json_array_foreach(json_object_get(answer, "params"), n, one) {
    const json_t *choices = json_object_get(one, "choices");
    if (!choices) {
      printf("%s = %lld (%lld..%lld)\n", text(one, "name"), whole(one, "value"), whole(one, "low"),
             whole(one, "high"));
      continue;
    }
    printf("%s = %s (", text(one, "name"), text(one, "choice"));
    json_array_foreach(choices, k, choice) printf("%s%s", k ? ", " : "", json_string_value(choice));
    printf(")\n");
  }
}

// "VLAN 5, ticket 17, 64 bytes: 0200..."; "port 0: link down"
static void print_events(const json_t *answer) {
  size_t n;
  json_t *one;
  json_array_foreach(json_object_get(answer, "events"), n, one)
      printf("VLAN %lld, ticket %lld, %zu bytes: %s\n", whole(one, "vid"), whole(one, "ticket"),
             strlen(text(one, "bytes")) / 2, text(one, "bytes"));
  json_array_foreach(json_object_get(answer, "links"), n, one)
      printf("port %lld: link %s\n", whole(one, "port"), text(one, "link"));
}

static void print_group(const json_t *answer) {
  const char *comma = "ports ";
  size_t n;
  json_t *port;
  json_array_foreach(json_object_get(answer, "ports"), n, port) {
    printf("%s%lld", comma, (long long)json_integer_value(port));
    comma = ", ";
  }
  printf("%s\n", n ? "" : "no ports");
}

void ctl_print(const char *verb, const json_t *request, const json_t *answer) {
  if (strcmp(verb, "list") == 0) print_list(answer);
  if (strcmp(verb, "show") == 0) print_show(request, answer);
  if (strcmp(verb, "state") == 0) print_state(request, answer);
  if (strcmp(verb, "cut") == 0) print_cut(answer);
  if (strcmp(verb, "counters") == 0) print_counters(answer);
  if (strcmp(verb, "stages") == 0) print_stages(answer);
  if (strcmp(verb, "group") == 0) print_group(answer);
  if (strcmp(verb, "param") == 0) print_params(answer);
  if (strcmp(verb, "event") == 0) print_events(answer);
  if (strcmp(verb, "table") == 0) ctl_table_print(answer);
  if (strcmp(verb, "reaction") == 0) reaction_print(stdout, json_object_get(answer, "reactions"));
  if (json_object_get(answer, "reactions_error"))
    printf("its reactions do not run: %s\n", text(answer, "reactions_error"));
  const bool alters = strcmp(verb, "update") == 0 || strcmp(verb, "replace") == 0;
  if (json_is_true(json_object_get(request, "check"))) {
    print_check(answer);
    return;
  }
  if (alters || strcmp(verb, "load") == 0) print_runs(request, answer);
  if (alters) print_update(answer);
}

// ---- changes ------------------------------------------------------------------------------------

enum { PATH = 300 };

static unsigned changes(const char *path, const json_t *before, const json_t *now) {
  char deeper[PATH];
  unsigned lines = 0;
  if (json_is_object(now)) {
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)now, name, value) {
      snprintf(deeper, sizeof deeper, "%s%s%.60s", path, *path ? "." : "", name);
      lines += changes(deeper, json_object_get(before, name), value);
    }
    return lines;
  }
  if (json_is_array(now)) {
    size_t n;
    json_t *value;
    json_array_foreach(now, n, value) {
      snprintf(deeper, sizeof deeper, "%s[%zu]", path, n);
      lines += changes(deeper, json_array_get(before, n), value);
    }
    return lines;
  }
  if (before && json_equal(before, now)) return 0;
  printf("%s ", path);
  if (json_is_integer(now))
    printf("%lld (%+lld)\n", (long long)json_integer_value(now),
           (long long)(json_integer_value(now) - json_integer_value(before)));
  else if (json_is_real(now)) printf("%.3f\n", json_real_value(now));
  else
    printf("%s\n", json_is_string(now) ? json_string_value(now)
                   : json_is_true(now) ? "true"
                                       : "false");
  return 1;
}

unsigned ctl_print_changes(const json_t *before, const json_t *answer) {
  return changes("", before, answer);
}
