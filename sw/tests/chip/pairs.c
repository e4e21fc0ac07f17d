// SPDX-License-Identifier: Apache-2.0
// Every feature of the chip beside every other: which random legal shapes have, between them, each
// pair of features that a chip can have, in all four ways (both, one, the other, none).
//   pairs plan            the shapes, a line each: name, digest of its values, pairs that it adds
//   pairs table RECORD    as Markdown, how many random cases have run with both features of a pair
// RECORD has a line a shape: name, digest, cases, packets. A line whose digest is not that of the
// shape's values today counts for nothing.
// A feature is a parameter that can be 0, Banks 2, less ports than pipelines (fast ports), or
// BeatBytes 16 (narrow beats). Parameters that are always there together
// are one feature. A pair that no random shape has is looked for in the shapes with names, with up
// to two parameters changed beside the feature; if there is none, the table names the rule that is
// against it.
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/layouts.h"

enum { RANDOM = 1000, MOST = 40, MAX_SHAPES = RANDOM + 600, WAYS = 4 };

static const struct {
  const char *name;
  uint32_t low, high;
  int power;
  size_t at;
} params[] = {
#define SLUICE_PARAM(NAME, LOW, HIGH, POWER, DOC, DEPENDS) \
  {#NAME, LOW, HIGH, POWER, offsetof(struct sluice_config, NAME)},
#include "configs.def"
};
enum { PARAMS = sizeof params / sizeof *params };

static const char *const rules[] = {
#define SLUICE_RULE(TEST, SENTENCE, REASON) SENTENCE,
#include "configs.def"
};
enum { RULES = sizeof rules / sizeof *rules };

// A feature: the parameters that stand for it, the first of which is asked.
static struct { unsigned params[4], num; } features[PARAMS];
static unsigned num_features;

static const struct sluice_config *shapes[MAX_SHAPES];
static unsigned num_shapes;

static uint32_t value(const struct sluice_config *c, unsigned p) {
  return *(const uint32_t *)((const char *)c + params[p].at);
}

static bool is(unsigned p, const char *name) { return strcmp(params[p].name, name) == 0; }

static bool is_feature(unsigned p) {
  return is(p, "Banks") || is(p, "NumPorts") || is(p, "BeatBytes") ||
         (!params[p].low && !is(p, "TestFaults"));
}

static bool has_param(const struct sluice_config *c, unsigned p) {
  if (is(p, "NumPorts")) return c->NumPorts < c->NumPipes;
  if (is(p, "BeatBytes")) return c->BeatBytes == 16;
  return value(c, p) > (is(p, "Banks") ? 1 : 0);
}

static bool has(const struct sluice_config *c, unsigned feature) {
  return has_param(c, features[feature].params[0]);
}

// Of the four ways of a pair the one that this shape is.
static unsigned way(const struct sluice_config *c, unsigned a, unsigned b) {
  return (has(c, a) ? 2u : 0) + (has(c, b) ? 1u : 0);
}

// What is 0 is not there: a parameter that comes later changes no digest of a shape without it.
static uint32_t digest(const struct sluice_config *c) {
  uint32_t hash = SLUICE_HASH32;
  for (unsigned p = 0; p < PARAMS; p++) {
    const uint32_t v = value(c, p);
    if (!v) continue;
    hash = sluice_hash32(hash, params[p].name, strlen(params[p].name));
    hash = sluice_hash32(hash, &v, sizeof v);
  }
  return hash;
}

static void find_features(void) {
  for (unsigned p = 0; p < PARAMS; p++) {
    if (!is_feature(p)) continue;
    bool found = false;
    for (unsigned f = 0; f < num_features && !found; f++) {
      bool same = features[f].num < 4;
      for (unsigned n = 0; n < num_shapes && same; n++)
        same = has(shapes[n], f) == has_param(shapes[n], p);
      if (!same) continue;
      features[f].params[features[f].num++] = p;
      found = true;
    }
    if (found) continue;
    features[num_features].params[0] = p;
    features[num_features++].num = 1;
  }
}

// ---- shapes with names, changed
// -------------------------------------------------------------------
struct setting {
  unsigned param;
  uint32_t value;
};

static uint32_t on_value(unsigned p) {
  if (is(p, "Banks")) return 2;
  if (is(p, "BeatBytes")) return 16;
  // Rows behind the match rows, of which most shapes have eight: a power of two together.
  if (params[p].high >= 1u << 16 && !params[p].power) return 8;
  return params[p].power > 1 ? (uint32_t)params[p].power : 1;
}

static const struct sluice_config *with(const char *base, const struct setting *set, unsigned num,
                                        char *why, size_t why_len) {
  char name[256];
  size_t at = (size_t)snprintf(name, sizeof name, "%s", base);
  for (unsigned i = 0; i < num && at < sizeof name; i++)
    at += (size_t)snprintf(name + at, sizeof name - at, ".%s%" PRIu32, params[set[i].param].name,
                           set[i].value);
  return at < sizeof name ? sluice_config_named(name, why, why_len) : NULL;
}

// What a third parameter is tried with: least that is more than nothing, and most.
static unsigned tried(struct setting *values) {
  unsigned num = 0;
  for (unsigned p = 0; p < PARAMS; p++) values[num++] = (struct setting){p, on_value(p)};
  for (unsigned p = 0; p < PARAMS; p++)
    if (params[p].high > 1 && params[p].high <= 64)
      values[num++] = (struct setting){p, params[p].high};
  return num;
}

// Of a shape with a name that has one of both features: that shape with the other one, too, with
// at most two parameters more. `why`: what is against it without them.
static const struct sluice_config *change(const struct sluice_config *c, unsigned missing,
                                          char *why, size_t why_len) {
  static struct setting values[2 * PARAMS];
  const unsigned num_values = tried(values);
  struct setting set[6];
  char other[400];
  unsigned num = 0;
  for (; num < features[missing].num; num++) {
    const unsigned p = features[missing].params[num];
    set[num] = (struct setting){p, on_value(p)};
  }
  const struct sluice_config *found = with(c->name, set, num, why, why_len);
  for (unsigned i = 0; i < num_values && !found; i++) {
    set[num] = values[i];
    found = with(c->name, set, num + 1, other, sizeof other);
  }
  for (unsigned i = 0; i < num_values * num_values && !found; i++) {
    set[num] = values[i / num_values], set[num + 1] = values[i % num_values];
    if (set[num].param != set[num + 1].param)
      found = with(c->name, set, num + 2, other, sizeof other);
  }
  return found;
}

// `rule`, where there is no shape with both: the rule that is most often against it, from 1.
static const struct sluice_config *search(unsigned a, unsigned b, unsigned *rule) {
  unsigned against[RULES + 1] = {0};
  char why[400];
  for (unsigned n = 0; n < sluice_num_configs; n++) {
    const struct sluice_config *c = &sluice_configs[n];
    if (c->NumPipes > 4 || c->BackStages > 5 || (!has(c, a) && !has(c, b))) continue;
    const struct sluice_config *found = change(c, has(c, a) ? b : a, why, sizeof why);
    if (found && has(found, a) && has(found, b)) return found;
    // A rule that names both says more than one that the change of a name runs into by the way.
    for (unsigned r = 0; r < RULES; r++)
      if (strstr(why, rules[r]))
        against[r + 1] += strstr(rules[r], params[features[a].params[0]].name) &&
                                  strstr(rules[r], params[features[b].params[0]].name)
                              ? 1000
                              : 1;
  }
  *rule = 0;
  for (unsigned r = 1; r <= RULES; r++)
    if (against[r] > against[*rule]) *rule = r;
  return NULL;
}

// ---- the plan
// -------------------------------------------------------------------------------------
static bool covered[PARAMS][PARAMS][WAYS];

static unsigned cover(const struct sluice_config *c, bool count_only) {
  unsigned added = 0;
  for (unsigned a = 0; a < num_features; a++)
    for (unsigned b = a + 1; b < num_features; b++) {
      bool *is = &covered[a][b][way(c, a, b)];
      added += !*is;
      if (!count_only) *is = true;
    }
  return added;
}

// Shapes that are not random, for pairs that no random one has.
static void add_changed(void) {
  bool both[PARAMS][PARAMS] = {{false}};
  for (unsigned n = 0; n < num_shapes; n++)
    for (unsigned a = 0; a < num_features; a++)
      for (unsigned b = a + 1; b < num_features; b++) both[a][b] |= way(shapes[n], a, b) == 3;
  for (unsigned a = 0; a < num_features; a++)
    for (unsigned b = a + 1; b < num_features; b++) {
      unsigned rule;
      const struct sluice_config *found = both[a][b] ? NULL : search(a, b, &rule);
      if (found && num_shapes < MAX_SHAPES) shapes[num_shapes++] = found;
    }
}

// The shape that adds most, again and again.
static unsigned make_plan(const struct sluice_config **plan, unsigned *adds) {
  for (unsigned num = 0; num < MOST; num++) {
    unsigned best = 0, most = 0;
    for (unsigned n = 0; n < num_shapes; n++) {
      const unsigned adds_now = cover(shapes[n], true);
      if (adds_now > most) best = n, most = adds_now;
    }
    if (!most) return num;
    plan[num] = shapes[best];
    adds[num] = cover(shapes[best], false);
  }
  return MOST;
}

static int print_plan(void) {
  const struct sluice_config *plan[MOST];
  unsigned adds[MOST];
  const unsigned num = make_plan(plan, adds);
  for (unsigned i = 0; i < num; i++)
    printf("%s %08" PRIx32 " %u\n", plan[i]->name, digest(plan[i]), adds[i]);
  return 0;
}

// ---- the table
// ------------------------------------------------------------------------------------
static void print_names(unsigned f) {
  for (unsigned i = 0; i < features[f].num; i++)
    printf("%s`%s`", i ? ", " : "", params[features[f].params[i]].name);
}

static int print_table(const char *path) {
  static unsigned long cases[PARAMS][PARAMS];
  char line[512], name[128], unit[16];
  unsigned long runs, packets, all_cases = 0, all_packets = 0, counted = 0, possible = 0, ran = 0;
  FILE *in = fopen(path, "r");
  if (!in) {
    fprintf(stderr, "pairs: cannot read '%s'\n", path);
    return 1;
  }
  while (fgets(line, sizeof line, in)) {
    if (sscanf(line, "%127s %15s %lu %lu", name, unit, &runs, &packets) != 4) continue;
    const struct sluice_config *c = sluice_config_find(name);
    if (!c || strtoul(unit, NULL, 16) != digest(c)) continue;
    counted++, all_cases += runs, all_packets += packets;
    for (unsigned a = 0; a < num_features; a++)
      for (unsigned b = 0; b <= a; b++) cases[a][b] += has(c, a) && has(c, b) ? runs : 0;
  }
  fclose(in);
  printf("| | feature |");
  for (unsigned b = 0; b < num_features; b++) printf(" %u |", b + 1);
  printf("\n|---:|---|");
  for (unsigned b = 0; b < num_features; b++) printf("---:|");
  printf("\n");
  for (unsigned a = 0; a < num_features; a++) {
    printf("| %u | ", a + 1);
    print_names(a);
    printf(" |");
    for (unsigned b = 0; b < num_features; b++) {
      unsigned rule = 0;
      bool can = b > a || cases[a][b];
      for (unsigned n = 0; n < num_shapes && !can; n++)
        can = has(shapes[n], a) && has(shapes[n], b);
      if (!can) can = search(a, b, &rule) != NULL;
      possible += b < a && can, ran += b < a && cases[a][b];
      if (b > a) printf(" |");
      else if (can) printf(" %lu |", cases[a][b]);
      else printf(" R%u |", rule);
    }
    printf("\n");
  }
  printf("\n%lu shapes, %lu cases, %lu packets. Of %lu pairs that a chip can have, %lu have run.\n",
         counted, all_cases, all_packets, possible, ran);
  return 0;
}

int main(int argc, char **argv) {
  for (unsigned n = 0; n < RANDOM; n++) shapes[num_shapes++] = sluice_config_random(n);
  find_features();
  add_changed();
  if (argc == 2 && strcmp(argv[1], "plan") == 0) return print_plan();
  if (argc == 3 && strcmp(argv[1], "table") == 0) return print_table(argv[2]);
  fprintf(stderr, "usage: pairs plan | table RECORD\n");
  return 2;
}
