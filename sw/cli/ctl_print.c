// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../base/json.h"
#include "../reaction/report.h"
#include "ctl.h"

static void print_module(const json_t *m) {
  const long long first = sluice_json_int(m, "first_pipe"), pipes = sluice_json_int(m, "pipes");
  size_t k;
  json_t *array;
  printf("VLAN %lld: %s, row %lld, pipelines %lld to %lld", sluice_json_int(m, "vid"),
         sluice_json_text(m, "program"), sluice_json_int(m, "row"), first, first + pipes - 1);
  if (json_object_get(m, "bank")) printf(", bank %lld", sluice_json_int(m, "bank"));
  json_array_foreach(json_object_get(m, "arrays"), k, array) {
    printf("%s%s[%lld]", k ? ", " : "; state ", sluice_json_text(array, "name"),
           sluice_json_int(array, "size"));
    if (sluice_json_int(array, "words")) printf("[%lld]", sluice_json_int(array, "words"));
    if (json_is_true(json_object_get(array, "egress"))) printf(" in each output lane");
  }
  printf("\n");
}

static void print_port(const json_t *p) {
  printf("port %lld: %s", sluice_json_int(p, "port"), sluice_json_text(p, "kind"));
  if (strcmp(sluice_json_text(p, "kind"), "cpu") == 0) {
    printf("\n");
    return;
  }
  printf(" ");
  if (sluice_json_text(p, "netns")[0]) printf("%s/", sluice_json_text(p, "netns"));
  printf("%s%s%s%s", sluice_json_text(p, "name"), sluice_json_text(p, "in"),
         sluice_json_text(p, "out")[0] ? " to " : "", sluice_json_text(p, "out"));
  if (json_object_get(p, "udp")) printf("%lld", sluice_json_int(p, "udp"));
  if (json_is_true(json_object_get(p, "trunk"))) printf(", trunk");
  else printf(", VLAN %lld", sluice_json_int(p, "vlan"));
  if (sluice_json_text(p, "gone")[0]) printf(", gone: %s", sluice_json_text(p, "gone"));
  else if (strcmp(sluice_json_text(p, "link"), "down") == 0) printf(", down");
  printf("\n");
}

static void print_list(const json_t *answer) {
  size_t n;
  json_t *one;
  printf("chip %s\n", sluice_json_text(answer, "chip"));
  json_array_foreach(json_object_get(answer, "modules"), n, one) print_module(one);
  json_array_foreach(json_object_get(answer, "ports"), n, one) print_port(one);
}

static void print_show(const json_t *request, const json_t *answer) {
  size_t n;
  json_t *e;
  if (json_object_get(answer, "value"))
    printf("%s = %lld\n", sluice_json_text(request, "register"), sluice_json_int(answer, "value"));
  if (json_object_get(answer, "entries"))
    printf("VLAN %lld: %s", sluice_json_int(request, "vid"), sluice_json_text(answer, "program"));
  if (json_object_get(answer, "bank")) printf(", bank %lld", sluice_json_int(answer, "bank"));
  if (json_object_get(answer, "entries")) printf("\n");
  json_array_foreach(json_object_get(answer, "entries"), n, e)
      printf("%s stage %lld [%lld] %s\n    %s\n", sluice_json_text(e, "table"),
             sluice_json_int(e, "stage"), sluice_json_int(e, "index"), sluice_json_text(e, "bytes"),
             sluice_json_text(e, "means"));
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
    printf("%s[%lld] =", sluice_json_text(request, "array"),
           sluice_json_int(answer, "first") + (long long)n);
    print_value(value);
  }
}

// As print_state, with the module in front.
static void print_cut(const json_t *answer) {
  size_t n, k, i;
  json_t *module, *array, *value;
  printf("ticket %lld\n", sluice_json_int(answer, "ticket"));
  json_array_foreach(json_object_get(answer, "modules"), n, module) {
    printf("VLAN %lld: %s\n", sluice_json_int(module, "vid"), sluice_json_text(module, "program"));
    json_array_foreach(json_object_get(module, "arrays"), k, array)
        json_array_foreach(json_object_get(array, "values"), i, value)
            printf("%s[%zu] = %lld\n", sluice_json_text(array, "name"), i,
                   (long long)json_integer_value(value));
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
               cycles = (double)sluice_json_int(answer, "cycles");
  size_t n;
  json_t *one;
  printf("chip: %lld packets in, %lld admitted, %lld left, %lld copies out",
         sluice_json_int(chip, "packets"), sluice_json_int(chip, "admitted"),
         sluice_json_int(chip, "left"), sluice_json_int(chip, "copies"));
  print_reasons(json_object_get(chip, "drops"));
  json_array_foreach(json_object_get(answer, "modules"), n, one) {
    const char *name, *comma = "; system: ";
    json_t *value;
    printf("VLAN %lld: %s", sluice_json_int(one, "vid"), sluice_json_text(one, "program"));
    json_object_foreach(json_object_get(one, "system"), name, value) {
      printf("%s%s %lld", comma, name, (long long)json_integer_value(value));
      comma = ", ";
    }
    print_reasons(json_object_get(one, "drops"));
  }
  json_array_foreach(json_object_get(answer, "ports"), n, one) {
    printf("port %lld: %lld frames in (%lld bytes), %lld out (%lld bytes), %lld not taken, %lld "
           "dropped at the queue",
           sluice_json_int(one, "port"), sluice_json_int(one, "in"),
           sluice_json_int(one, "in_bytes"), sluice_json_int(one, "out"),
           sluice_json_int(one, "out_bytes"), sluice_json_int(one, "not_taken"),
           sluice_json_int(one, "queue_full"));
    if (sluice_json_int(one, "egress"))
      printf(", %lld by the egress", sluice_json_int(one, "egress"));
    print_reasons(json_object_get(one, "refused"));
  }
  printf("%.0f cycles in %.1f s running\n", cycles, seconds);
}

static void print_stages(const json_t *answer) {
  size_t n;
  json_t *one;
  json_array_foreach(json_object_get(answer, "stages"), n, one)
      printf("stage %lld: %lld packets issued, %lld with state; cycles that they waited for data "
             "%lld, for room %lld; deepest order queue %lld\n",
             sluice_json_int(one, "stage"), sluice_json_int(one, "issued"),
             sluice_json_int(one, "stateful"), sluice_json_int(one, "wait_data"),
             sluice_json_int(one, "wait_credit"), sluice_json_int(one, "high_queue"));
}

static void print_runs(const json_t *request, const json_t *answer) {
  const json_t *modules = json_object_get(request, "modules");
  for (size_t n = 0; n < json_array_size(modules); n++)
    printf("%s runs for VLAN %lld\n",
           json_string_value(json_array_get(json_object_get(answer, "programs"), n)),
           sluice_json_int(json_array_get(modules, n), "vid"));
  if (!modules)
    printf("%s runs for VLAN %lld\n", sluice_json_text(answer, "program"),
           sluice_json_int(request, "vid"));
}

// What becomes of state: that which moves or is lost; all of it if that was the question.
static void print_state_of(const json_t *answer, bool all) {
  size_t n;
  json_t *one;
  json_array_foreach(json_object_get(answer, "state"), n, one) {
    const char *becomes = sluice_json_text(one, "becomes"), *why = sluice_json_text(one, "why");
    if (!all && strcmp(becomes, "stays") == 0) continue;
    printf("'%s' of VLAN %lld %s%s%s%s\n", sluice_json_text(one, "name"),
           sluice_json_int(one, "vid"), strcmp(becomes, "lost") == 0 ? "is lost" : becomes,
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
         sluice_json_int(answer, "written"), sluice_json_int(answer, "shared"),
         sluice_json_int(answer, "freed"), sluice_json_int(answer, "entries"),
         sluice_json_int(answer, "kept"), sluice_json_int(answer, "filled"));
  printf("%sthe old version had left %lld cycles after the flip\n",
         json_is_true(json_object_get(answer, "paused")) ? "" : "no packet was dropped for it; ",
         sluice_json_int(answer, "drain_cycles"));
}

static void print_params(const json_t *answer) {
  size_t n, k;
  json_t *one, *choice;
  json_array_foreach(json_object_get(answer, "params"), n, one) {
    const json_t *choices = json_object_get(one, "choices");
    if (!choices) {
      printf("%s = %lld (%lld..%lld)\n", sluice_json_text(one, "name"),
             sluice_json_int(one, "value"), sluice_json_int(one, "low"),
             sluice_json_int(one, "high"));
      continue;
    }
    printf("%s = %s (", sluice_json_text(one, "name"), sluice_json_text(one, "choice"));
    json_array_foreach(choices, k, choice) printf("%s%s", k ? ", " : "", json_string_value(choice));
    printf(")\n");
  }
}

// "VLAN 5, ticket 17, 64 bytes: 0200..."; "port 0: link down"
static void print_events(const json_t *answer) {
  size_t n;
  json_t *one;
  json_array_foreach(json_object_get(answer, "events"), n, one)
      printf("VLAN %lld, ticket %lld, %zu bytes: %s\n", sluice_json_int(one, "vid"),
             sluice_json_int(one, "ticket"), strlen(sluice_json_text(one, "bytes")) / 2,
             sluice_json_text(one, "bytes"));
  json_array_foreach(json_object_get(answer, "links"), n, one)
      printf("port %lld: link %s\n", sluice_json_int(one, "port"), sluice_json_text(one, "link"));
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
  if (strcmp(verb, "hello") == 0)
    printf("sluice %s, protocol %lld, chip %s\n", sluice_json_text(answer, "sluice"),
           sluice_json_int(answer, "protocol"), sluice_json_text(answer, "chip"));
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
    printf("its reactions do not run: %s\n", sluice_json_text(answer, "reactions_error"));
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
