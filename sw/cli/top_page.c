// SPDX-License-Identifier: Apache-2.0
#include "top_page.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../base/json.h"

// Element of a list with this number under `name`; NULL: none.
static const json_t *find(const json_t *list, const char *name, long long value) {
  size_t n;
  json_t *one;
  json_array_foreach(list, n, one) if (sluice_json_int(one, name) == value) return one;
  return NULL;
}

__attribute__((format(printf, 2, 3))) static void line(struct top_page *page, const char *format,
                                                       ...) {
  va_list arguments;
  if (page->num == TOP_LINES) return;
  va_start(arguments, format);
  vsnprintf(page->lines[page->num++], TOP_COLUMNS, format, arguments);
  va_end(arguments);
}

// "NO_DEST 3, OVERLOAD 1"; "none"
static void reasons(const json_t *drops, char *to, size_t size) {
  const char *name;
  json_t *value;
  size_t at = 0;
  snprintf(to, size, "none");
  json_object_foreach((json_t *)(uintptr_t)drops, name, value) {
    const int n = snprintf(to + at, size - at, "%s%s %lld", at ? ", " : "", name,
                           (long long)json_integer_value(value));
    at = n < 0 || (size_t)n >= size - at ? size - 1 : at + (size_t)n;
  }
}

static void ports(struct top_page *page, const struct top_moment *before,
                  const struct top_moment *now, double passed) {
  size_t n;
  json_t *p;
  char where[80], refused[80];
  line(page, "%-4s %-22s %10s %9s %10s %9s %8s %10s  %s", "PORT", "CONNECTED TO", "IN/s", "Mb/s",
       "OUT/s", "Mb/s", "QUEUE", "NOT TAKEN", "REFUSED");
  json_array_foreach(json_object_get(now->counters, "ports"), n, p) {
    const json_t *old =
        find(json_object_get(before->counters, "ports"), "port", sluice_json_int(p, "port"));
    const json_t *is =
        find(json_object_get(now->list, "ports"), "port", sluice_json_int(p, "port"));
    const char *link = sluice_json_text(is, "gone")[0] ? "gone" : sluice_json_text(is, "link");
    const bool bad = strcmp(link, "gone") == 0 || strcmp(link, "down") == 0;
    snprintf(where, sizeof where, "%s%s%s %.30s%s%.20s%.20s", bad ? link : "", bad ? ": " : "",
             sluice_json_text(is, "kind"), sluice_json_text(is, "netns"),
             sluice_json_text(is, "netns")[0] ? "/" : "", sluice_json_text(is, "name"),
             sluice_json_text(is, "in"));
    reasons(json_object_get(p, "refused"), refused, sizeof refused);
    line(page, "%-4lld %-22.22s %10.0f %9.2f %10.0f %9.2f %8lld %10lld  %s",
         sluice_json_int(p, "port"), where,
         (sluice_json_real(p, "in") - sluice_json_real(old, "in")) / passed,
         (sluice_json_real(p, "in_bytes") - sluice_json_real(old, "in_bytes")) * 8e-6 / passed,
         (sluice_json_real(p, "out") - sluice_json_real(old, "out")) / passed,
         (sluice_json_real(p, "out_bytes") - sluice_json_real(old, "out_bytes")) * 8e-6 / passed,
         sluice_json_int(p, "queue_full"), sluice_json_int(p, "not_taken"), refused);
  }
}

// What the program itself wants is no loss.
static long long discards(const json_t *drops) {
  return sluice_json_int(drops, "DISCARD_FRONT") + sluice_json_int(drops, "DISCARD_BACK") +
         sluice_json_int(drops, "NO_DEST");
}

static void losses(const json_t *drops, char *to, size_t size) {
  json_t *rest = json_copy((json_t *)(uintptr_t)drops);
  json_object_del(rest, "DISCARD_FRONT");
  json_object_del(rest, "DISCARD_BACK");
  json_object_del(rest, "NO_DEST");
  reasons(rest, to, size);
  json_decref(rest);
}

static void modules(struct top_page *page, const struct top_moment *now) {
  size_t n;
  json_t *m;
  char drops[110];
  line(page, "%-4s %-22s %10s  %s", "VLAN", "PROGRAM", "DISCARDED", "DROPS");
  json_array_foreach(json_object_get(now->counters, "modules"), n, m) {
    losses(json_object_get(m, "drops"), drops, sizeof drops);
    line(page, "%-4lld %-22.22s %10lld  %s", sluice_json_int(m, "vid"),
         sluice_json_text(m, "program"), discards(json_object_get(m, "drops")), drops);
  }
}

static void stages(struct top_page *page, const struct top_moment *before,
                   const struct top_moment *now, double passed) {
  size_t n;
  json_t *s;
  line(page, "%-5s %12s %12s %14s %14s %14s", "STAGE", "PACKETS/s", "STATEFUL/s", "WAIT DATA",
       "WAIT ROOM", "DEEPEST QUEUE");
  json_array_foreach(json_object_get(now->stages, "stages"), n, s) {
    const json_t *old =
        find(json_object_get(before->stages, "stages"), "stage", sluice_json_int(s, "stage"));
    line(page, "%-5lld %12.0f %12.0f %14lld %14lld %14lld", sluice_json_int(s, "stage"),
         (sluice_json_real(s, "issued") - sluice_json_real(old, "issued")) / passed,
         (sluice_json_real(s, "stateful") - sluice_json_real(old, "stateful")) / passed,
         sluice_json_int(s, "wait_data"), sluice_json_int(s, "wait_credit"),
         sluice_json_int(s, "high_queue"));
  }
}

void top_page(struct top_page *page, const struct top_moment *before,
              const struct top_moment *now) {
  const double ran = sluice_json_real(now->counters, "seconds") -
                     sluice_json_real(before->counters, "seconds");
  const double cycles = sluice_json_real(now->counters, "cycles") -
                        sluice_json_real(before->counters, "cycles");
  // Without a moment before: since the switch was started.
  const double passed = before->counters ? now->time - before->time
                                         : sluice_json_real(now->counters, "age");
  const json_t *chip = json_object_get(now->counters, "chip");
  char drops[110], pace[100] = "stands still";
  page->num = 0;
  if (ran > 0 && cycles > 0)
    snprintf(pace, sizeof pace, "%.0f cycles/s, %.0f times slower than 1 GHz", cycles / ran,
             1e9 * ran / cycles);
  losses(json_object_get(chip, "drops"), drops, sizeof drops);
  line(page, "sluice top: chip %s, %s", sluice_json_text(now->list, "chip"), pace);
  line(page,
       "packets: %lld in, %lld admitted, %lld copies out, %lld discarded by programs; drops: %s",
       sluice_json_int(chip, "packets"), sluice_json_int(chip, "admitted"),
       sluice_json_int(chip, "copies"), discards(json_object_get(chip, "drops")), drops);
  line(page, "%s", "");
  ports(page, before, now, passed > 0 ? passed : 1);
  line(page, "%s", "");
  modules(page, now);
  line(page, "%s", "");
  stages(page, before, now, passed > 0 ? passed : 1);
}
