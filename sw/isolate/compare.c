// SPDX-License-Identifier: Apache-2.0
// Whether A noticed: what left for A in both runs, port by port.
#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../base/bytes.h"
#include "../lib/capture.h"
#include "isolate.h"

enum { PATH_ROOM = 4200 };

struct copy {
  uint32_t number;
  unsigned port;
  size_t len;
  uint8_t *bytes;
  uint64_t cycle;
};
struct copies {
  size_t num, room;
  struct copy *items;
};

// How long A's packets would wait for each other if an output lane gave A one beat in K cycles, as
// it does while all other lanes want it too: a burst of A comes in at a beat a cycle and leaves K
// times as slowly. Beside B in its own lane, of another class, A gets half of that.
static unsigned own_burst(const struct isolate_pair *pair) {
  const struct fuzz_frames *list = &pair->packets.packets;
  uint64_t done = 0, most = 0;
  const unsigned slower = pair->config->NumPipes * (isolate_by_class(pair) ? 2 : 1);
  for (size_t i = 0; i < list->num; i++) {
    const struct fuzz_frame *f = &list->items[i];
    if (f->bytes[ISOLATE_NUMBER_AT] & 0x80) continue;
    const unsigned need = sluice_config_beats(pair->config, (unsigned)f->len);
    done = (done > f->time_ns ? done : f->time_ns) + (uint64_t)need * slower;
    if (done - f->time_ns - need > most) most = done - f->time_ns - need;
  }
  return (unsigned)most;
}

// At the order point and in the order queues a module within its share waits for a part of what is
// before it; at the output for two of the longest packets of each other lane, and for its own. With
// B in its lane, of another class, for two of its longest packets there and the beats that are
// chosen before A came, and once more for each other lane. See docs/isolation.md.
unsigned isolate_bound(const struct isolate_pair *pair) {
  enum { INSIDE = 64, INSIDE_PER_LANE = 16, PACKETS_AHEAD = 2, CHOSEN = 15 };
  const unsigned others = pair->config->NumPipes - 1;
  unsigned packets = PACKETS_AHEAD * others;
  if (isolate_by_class(pair)) packets += PACKETS_AHEAD + others;
  return INSIDE + INSIDE_PER_LANE * pair->config->NumPipes + packets * pair->longest_beats +
         (isolate_by_class(pair) ? CHOSEN : 0) + own_burst(pair);
}

static void release(struct copies *list) {
  for (size_t i = 0; i < list->num; i++) free(list->items[i].bytes);
  free(list->items);
}

static bool of_a(const uint8_t *bytes, size_t len) {
  return len >= 64 && sluice_get16(bytes + 12) == 0x8100 &&
         (sluice_get16(bytes + 14) & 0xfff) == ISOLATE_A_VID;
}

static enum sluice_status keep(struct copies *list, const struct sluice_packet *p,
                               struct sluice_error *error) {
  if (list->num == list->room) {
    const size_t room = list->room ? 2 * list->room : 256;
    struct copy *items = realloc(list->items, room * sizeof *items);
    if (!items) return sluice_no_memory(error);
    list->items = items;
    list->room = room;
  }
  uint8_t *bytes = malloc(p->len);
  if (!bytes) return sluice_no_memory(error);
  memcpy(bytes, p->bytes, p->len);
  list->items[list->num++] = (struct copy){sluice_get32(bytes + ISOLATE_NUMBER_AT),
                                           p->interface < 0 ? 0 : (unsigned)p->interface, p->len,
                                           bytes, p->time_ns};
  return SLUICE_OK;
}

// Copies of A, in the order of departure, and how many there are of others.
static enum sluice_status read_copies(const char *dir, const char *run, struct copies *list,
                                      uint64_t *others, struct sluice_error *error) {
  char path[PATH_ROOM];
  struct sluice_capture *capture;
  struct sluice_packet p;
  snprintf(path, sizeof path, "%s/%s.pcapng", dir, run);
  enum sluice_status status = sluice_capture_open(&capture, path, error);
  if (status) return status;
  while (!(status = sluice_capture_next(capture, &p, error)) && p.bytes) {
    if (!of_a(p.bytes, p.len)) ++*others;
    else if ((status = keep(list, &p, error))) break;
  }
  sluice_capture_close(capture);
  return status;
}

static json_t *read_report(const char *dir, const char *run, struct sluice_error *error) {
  char path[PATH_ROOM];
  json_error_t why;
  snprintf(path, sizeof path, "%s/%s.json", dir, run);
  json_t *report = json_load_file(path, 0, &why);
  if (!report) sluice_fail(error, SLUICE_ERR_FORMAT, "'%s': %s", path, why.text);
  return report;
}

static uint64_t number_in(const json_t *report, const char *module, const char *key) {
  return (uint64_t)json_integer_value(
      json_object_get(json_object_get(json_object_get(report, "modules"), module), key));
}

static void noticed(struct isolate_outcome *o, enum isolate_kind kind, uint64_t packet,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));
static void noticed(struct isolate_outcome *o, enum isolate_kind kind, uint64_t packet,
                    const char *format, ...) {
  if (o->kind != ISOLATE_SAME) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(o->what, sizeof o->what, format, arguments);
  va_end(arguments);
  o->kind = kind;
  o->packet = packet;
}

// The cycle in which a packet of A came in: numbers grow with it.
static uint64_t arrival(const struct isolate_pair *pair, uint32_t number) {
  const struct fuzz_frames *list = &pair->packets.packets;
  for (size_t i = 0; i < list->num; i++)
    if (sluice_get32(list->items[i].bytes + ISOLATE_NUMBER_AT) == number)
      return list->items[i].time_ns;
  return 0;
}

// `quickest`: of the run alone; UINT64_MAX: this is it.
static void measure(const struct isolate_pair *pair, const struct copies *list,
                    struct isolate_side *side, uint64_t *quickest) {
  uint64_t least = *quickest, most = 0;
  side->packets = list->num;
  for (size_t i = 0; i < list->num; i++) {
    const struct copy *c = &list->items[i];
    const uint64_t latency = c->cycle - arrival(pair, c->number);
    if (*quickest == UINT64_MAX && latency < least) least = latency;
    if (latency > most) most = latency;
    if (i == 0 || c->cycle < side->first) side->first = c->cycle;
    if (c->cycle > side->last) side->last = c->cycle;
  }
  *quickest = least;
  side->longest = list->num && most > least ? most - least : 0;
}

static int by_port_and_number(const void *a, const void *b) {
  const struct copy *x = a, *y = b;
  if (x->port != y->port) return x->port < y->port ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

// In the order of departure: places at ports that changed; and, where A asks for order, whether a
// packet left after a later one of its flow.
static void compare_order(const struct isolate_pair *pair, const struct copies *alone,
                          const struct copies *beside, struct isolate_outcome *o) {
  const bool ordered = strncmp(pair->a_text, ISOLATE_ORDERED, strlen(ISOLATE_ORDERED)) == 0;
  for (unsigned port = 0; port < pair->config->NumPorts; port++) {
    static uint32_t latest[65536];
    memset(latest, 0, sizeof latest);
    for (size_t x = 0, y = 0;; x++, y++) {
      while (x < alone->num && alone->items[x].port != port) x++;
      while (y < beside->num && beside->items[y].port != port) y++;
      if (y == beside->num) break;
      const struct copy *c = &beside->items[y];
      uint32_t *flow = &latest[sluice_get16(c->bytes + 38)];
      if (x < alone->num && alone->items[x].number != c->number) o->moved++;
      if (ordered && *flow > c->number + 1)
        noticed(o, ISOLATE_ORDER, c->number,
                "packet %u of A left port %u after packet %u of its flow", c->number, port,
                *flow - 1);
      *flow = c->number + 1;
    }
  }
}

// One line for each copy that left in both runs: number, port, cycle in which it came in, cycles to
// its departure alone and beside B.
static enum sluice_status save_latencies(const struct isolate_pair *pair,
                                         const struct copies *alone, const struct copies *beside,
                                         const char *dir, struct sluice_error *error) {
  char path[PATH_ROOM];
  snprintf(path, sizeof path, "%s/latencies.tsv", dir);
  FILE *out = fopen(path, "w");
  if (!out) return sluice_fail(error, SLUICE_ERR_IO, "cannot open '%s': %s", path, strerror(errno));
  fprintf(out, "# number\tport\tcycle\talone\tbeside\n");
  for (size_t x = 0, y = 0; x < alone->num && y < beside->num;) {
    const struct copy *a = &alone->items[x], *b = &beside->items[y];
    const int which = by_port_and_number(a, b);
    if (which <= 0) x++;
    if (which >= 0) y++;
    if (which != 0) continue;
    const unsigned long long came = arrival(pair, a->number);
    fprintf(out, "%u\t%u\t%llu\t%llu\t%llu\n", a->number, a->port, came,
            (unsigned long long)a->cycle - came, (unsigned long long)b->cycle - came);
  }
  if (fclose(out) != 0)
    return sluice_fail(error, SLUICE_ERR_IO, "cannot write '%s': %s", path, strerror(errno));
  return SLUICE_OK;
}

static void compare_copies(struct copies *alone, struct copies *beside, unsigned bound,
                           struct isolate_outcome *o) {
  if (alone->num) qsort(alone->items, alone->num, sizeof *alone->items, by_port_and_number);
  if (beside->num) qsort(beside->items, beside->num, sizeof *beside->items, by_port_and_number);
  for (size_t x = 0, y = 0; x < alone->num || y < beside->num;) {
    const struct copy *a = x < alone->num ? &alone->items[x] : NULL,
                      *b = y < beside->num ? &beside->items[y] : NULL;
    const int which = !a ? 1 : !b ? -1 : by_port_and_number(a, b);
    if (which != 0) {
      const struct copy *c = which < 0 ? a : b;
      noticed(o, which < 0 ? ISOLATE_LOST : ISOLATE_BYTES, c->number,
              "packet %u of A at port %u: %s", c->number, c->port,
              which < 0 ? "missing beside B" : "there only beside B");
      if (which < 0) x++;
      else y++;
      continue;
    }
    if (a->len != b->len || memcmp(a->bytes, b->bytes, a->len) != 0) {
      size_t at = 0;
      while (at < a->len && at < b->len && a->bytes[at] == b->bytes[at]) at++;
      noticed(o, ISOLATE_BYTES, a->number, "packet %u of A at port %u: byte %zu is not as alone",
              a->number, a->port, at);
    }
    const unsigned later = b->cycle > a->cycle ? (unsigned)(b->cycle - a->cycle) : 0;
    if (later > o->later) o->later = later;
    if (later > bound)
      noticed(o, ISOLATE_LATE, a->number,
              "packet %u of A at port %u: %u cycles later than alone, allowed are %u", a->number,
              a->port, later, bound);
    x++, y++;
  }
}

// A run that did not come to its end says nothing else. That the chip is not as the reference is
// looked at last: what A noticed says more.
static void compare_verdicts(const json_t *alone, const json_t *beside, bool last,
                             struct isolate_outcome *o) {
  const struct {
    const char *run;
    const json_t *report;
  } runs[] = {{"alone", alone}, {"beside B", beside}};
  for (unsigned i = 0; i < 2; i++) {
    const char *verdict = json_string_value(json_object_get(runs[i].report, "verdict"));
    const char *error = json_string_value(json_object_get(runs[i].report, "error"));
    const bool ended = verdict &&
                       (strcmp(verdict, "EQUIVALENT") == 0 || strcmp(verdict, "DIFFERENT") == 0);
    if (last ? strcmp(verdict ? verdict : "", "EQUIVALENT") != 0 : !ended)
      noticed(o, ISOLATE_VERDICT, UINT64_MAX, "%s the chip is not as the reference: %s%s%.200s",
              runs[i].run, verdict ? verdict : "no verdict", error ? ": " : "", error ? error : "");
  }
}

static void compare_state(const json_t *alone, const json_t *beside, struct isolate_outcome *o) {
  const json_t *x = json_object_get(json_object_get(alone, "state"), "vid5"),
               *y = json_object_get(json_object_get(beside, "state"), "vid5");
  const char *name;
  json_t *array;
  json_object_foreach((json_t *)(uintptr_t)x, name, array) {
    if (json_equal(json_object_get(array, "values"),
                   json_object_get(json_object_get(y, name), "values")))
      continue;
    noticed(o, ISOLATE_STATE, UINT64_MAX, "the state of A, array %s, is not as alone", name);
  }
}

enum sluice_status isolate_compare(const struct isolate_pair *pair, const char *dir,
                                   struct isolate_outcome *o, struct sluice_error *error) {
  struct copies alone = {0}, beside = {0};
  memset(o, 0, sizeof *o);
  o->packet = UINT64_MAX;
  uint64_t nobody = 0;
  json_t *first = read_report(dir, "alone", error),
         *second = first ? read_report(dir, "beside", error) : NULL;
  enum sluice_status status = second ? SLUICE_OK : SLUICE_ERR_FORMAT;
  if (!status) status = read_copies(dir, "alone", &alone, &nobody, error);
  if (!status) status = read_copies(dir, "beside", &beside, &o->beside.b_packets, error);
  if (!status) {
    const unsigned bound = isolate_bound(pair);
    uint64_t quickest = UINT64_MAX;
    measure(pair, &alone, &o->alone, &quickest);
    measure(pair, &beside, &o->beside, &quickest);
    o->alone.lost = number_in(first, "vid5", "lost");
    o->beside.b_lost = number_in(second, "vid6", "lost");
    if (o->alone.lost)
      noticed(o, ISOLATE_ASKS, UINT64_MAX,
              "A loses %llu packets when it is alone: the pair asks too much",
              (unsigned long long)o->alone.lost);
    compare_verdicts(first, second, false, o);
    compare_order(pair, &alone, &beside, o);
    compare_copies(&alone, &beside, bound, o);
    compare_state(first, second, o);
    compare_verdicts(first, second, true, o);
    // 1 % of the time that A took alone, or one packet's bound.
    const uint64_t span = o->alone.last - o->alone.first,
                   longer = o->beside.last > o->alone.last ? o->beside.last - o->alone.last : 0;
    if (longer > span / 100 && longer > bound)
      noticed(o, ISOLATE_SLOW, UINT64_MAX,
              "A takes %llu cycles longer beside B, alone it takes %llu",
              (unsigned long long)longer, (unsigned long long)span);
    status = save_latencies(pair, &alone, &beside, dir, error);
  }
  release(&alone);
  release(&beside);
  json_decref(first);
  json_decref(second);
  return status;
}
