// SPDX-License-Identifier: Apache-2.0
// The allocation experiments of the ActiveRMT paper, by its rules and by ours: the tables of
// docs/active.md. Prints Markdown; OUT gets results.json and the numbers of the plots, a TSV
// file each (active_alloc.sh draws them).
//   active_alloc OUT [--quick] [--seed N]
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "active_runs.h"
#include "tests/rig/allocator_programs.h"

static const struct active_variant variants[] = {
    {"published", SLUICE_RULES_PUBLISHED, 1, 1, false},
    {"ours", SLUICE_RULES_OURS, 1, 1, false},
    {"ours, 4 pipelines", SLUICE_RULES_OURS, 4, 4, false},
    {"ours, 4 pipelines, caches sharded", SLUICE_RULES_OURS, 4, 4, true},
};
static const char *const files[] = {"published", "ours", "ours4", "sharded"},
                         *const fits[] = {"worst-fit", "best-fit", "first-fit", "realloc"},
                         *const policies[] = {"most", "least"};
enum { VARIANTS = 4, POLICIES = 2, FITS = 4, WORKLOADS = 4 };

// How much is run.
static unsigned num_arrivals = 500, num_trials = 10, num_epochs = 1000, num_fit_epochs = 100;
static uint64_t seed = 1;
static const char *out;

static const char *workload_name(unsigned program) {
  return program == ACTIVE_MIXED ? "mixed" : evaluated_programs[program].name;
}

static void *allocate(size_t num, size_t size) {
  void *p = calloc(num, size);
  if (p) return p;
  fprintf(stderr, "out of memory\n");
  exit(3);
}

static FILE *create(const char *kind, const char *policy, const char *variant, const char *header) {
  char path[1000];
  const int n = snprintf(path, sizeof path, "%s/%s-%s-%s.tsv", out, kind, policy, variant);
  FILE *f = n > 0 && (size_t)n < sizeof path ? fopen(path, "w") : NULL;
  if (!f) {
    fprintf(stderr, "cannot write '%s'\n", path);
    exit(3);
  }
  fprintf(f, "# %s\n", header);
  return f;
}

static void close_file(FILE *f) {
  if (!ferror(f) && !fclose(f)) return;
  fprintf(stderr, "cannot write all of a file in '%s'\n", out);
  exit(3);
}

// ---- arrivals alone -----------------------------------------------------------------------------

// `first`: the first arrival that was refused, `last`: the last inelastic one that was placed; 0:
// none.
struct summary {
  unsigned placed, first, last;
  double used, placed_us, worst_us, refused_us;
};

static struct summary summarize(const struct active_arrival *list) {
  struct summary s = {0};
  double placed = 0, refused = 0;
  for (unsigned n = 0; n < num_arrivals; n++) {
    const double us = 1e6 * list[n].seconds;
    if (list[n].placed) placed += us;
    else refused += us;
    if (us > s.worst_us) s.worst_us = us;
    s.placed += list[n].placed;
    if (!list[n].placed && !s.first) s.first = n + 1;
    if (list[n].placed && list[n].inelastic) s.last = n + 1;
  }
  s.used = list[num_arrivals - 1].used;
  s.placed_us = s.placed ? placed / s.placed : 0;
  s.refused_us = s.placed < num_arrivals ? refused / (num_arrivals - s.placed) : 0;
  return s;
}

static void print_range(double sum, unsigned num, unsigned low, unsigned high) {
  if (num == 1) printf(" %.0f |", sum);
  else printf(" %.0f (%u to %u) |", sum / num, low, high);
}

static void arrivals_of(unsigned v, unsigned least, unsigned program, json_t *list) {
  const unsigned trials = program == ACTIVE_MIXED ? num_trials : 1;
  const struct active_case c = {variants[v], SLUICE_FIT_WORST, least, 368};
  struct active_arrival *runs = allocate((size_t)trials * num_arrivals, sizeof *runs);
  struct summary mean = {0};
  unsigned placed[2] = {num_arrivals, 0}, first[2] = {num_arrivals, 0}, last[2] = {num_arrivals, 0};
  double sums[3] = {0};
  char kind[40];
  for (unsigned t = 0; t < trials; t++) {
    active_arrivals(&c, program, seed + t, num_arrivals, runs + (size_t)t * num_arrivals);
    const struct summary s = summarize(runs + (size_t)t * num_arrivals);
    const unsigned values[3] = {s.placed, s.first, s.last};
    unsigned(*const ranges[3])[2] = {&placed, &first, &last};
    for (unsigned i = 0; i < 3; i++) {
      sums[i] += values[i];
      if (values[i] < (*ranges[i])[0]) (*ranges[i])[0] = values[i];
      if (values[i] > (*ranges[i])[1]) (*ranges[i])[1] = values[i];
    }
    mean.used += s.used / trials;
    mean.placed_us += s.placed_us / trials;
    mean.refused_us += s.refused_us / trials;
    if (s.worst_us > mean.worst_us) mean.worst_us = s.worst_us;
  }
  printf("| %s | %s constrained | %s |", workload_name(program), policies[least], variants[v].name);
  print_range(sums[0], trials, placed[0], placed[1]);
  if (sums[1] > 0) print_range(sums[1], trials, first[0], first[1]);
  else printf(" none |");
  if (program == ACTIVE_MIXED) print_range(sums[2], trials, last[0], last[1]);
  else printf(" |");
  printf(" %.1f %% | %.0f | %.0f |", 100 * mean.used, mean.placed_us, mean.worst_us);
  if (mean.refused_us > 0) printf(" %.0f |\n", mean.refused_us);
  else printf(" |\n");
  json_array_append_new(
      list, json_pack("{s:s,s:s,s:s,s:f,s:f,s:f,s:f,s:f,s:f,s:f}", "workload",
                      workload_name(program), "policy", policies[least], "rules", files[v],
                      "placed", sums[0] / trials, "first_refused", sums[1] / trials,
                      "last_inelastic", sums[2] / trials, "used", mean.used, "placed_us",
                      mean.placed_us, "worst_us", mean.worst_us, "refused_us", mean.refused_us));
  // The name's first word.
  snprintf(kind, sizeof kind, "arrivals-%.*s", (int)strcspn(workload_name(program), " "),
           workload_name(program));
  FILE *f = create(kind, policies[least], files[v], "arrival, share used, placed, microseconds");
  for (unsigned n = 0; n < num_arrivals; n++) {
    double used = 0, fit = 0, us = 0;
    for (unsigned t = 0; t < trials; t++) {
      const struct active_arrival *a = &runs[(size_t)t * num_arrivals + n];
      used += a->used / trials;
      fit += (double)a->placed / trials;
      us += 1e6 * a->seconds / trials;
    }
    fprintf(f, "%u\t%.5f\t%.2f\t%.2f\n", n + 1, used, fit, us);
  }
  close_file(f);
  free(runs);
}

static void arrivals(json_t *result) {
  json_t *list = json_array();
  printf("%u arrivals, worst-fit; mixed: mean of %u trials (least to most). Microseconds: an "
         "arrival that is placed, the worst of all, one that is refused.\n\n",
         num_arrivals, num_trials);
  printf("| workload | policy | rules | placed | first refused | last inelastic one placed | "
         "memory used | us | worst | refused |\n|---|---|---|---|---|---|---|---|---|---|\n");
  for (unsigned w = 0; w < WORKLOADS; w++)
    for (unsigned least = 0; least < POLICIES; least++)
      for (unsigned v = 0; v < VARIANTS; v++) {
        const bool has_caches = w == EVALUATED_CACHE || w == ACTIVE_MIXED;
        if (has_caches || !variants[v].sharded) arrivals_of(v, least, w, list);
      }
  json_object_set_new(result, "arrivals", list);
}

// ---- arrivals and departures --------------------------------------------------------------------

struct epochs {
  double used, residents, placed, caches, others, fairness, least_fair, moved;
};

// Means over trials and the epochs from `from` on.
static struct epochs mean_of(const struct active_epoch *list, unsigned trials, unsigned num,
                             unsigned from) {
  struct epochs m = {.least_fair = 1};
  double arrivals = 0, caches = 0;
  const double count = (double)trials * (num - from);
  for (unsigned t = 0; t < trials; t++)
    for (unsigned n = from; n < num; n++) {
      const struct active_epoch *e = &list[(size_t)t * num + n];
      m.used += e->used / count;
      m.residents += e->residents / count;
      m.fairness += e->fairness / count;
      m.moved += e->moved / count;
      m.placed += e->placed;
      m.caches += e->placed_caches;
      caches += e->caches;
      arrivals += e->arrivals;
      if (e->fairness < m.least_fair) m.least_fair = e->fairness;
    }
  m.others = (m.placed - m.caches) / (arrivals > caches ? arrivals - caches : 1);
  m.placed /= arrivals > 0 ? arrivals : 1;
  m.caches /= caches > 0 ? caches : 1;
  return m;
}

static void epochs_of(unsigned v, unsigned least, json_t *list) {
  const struct active_case c = {variants[v], SLUICE_FIT_WORST, least, 368};
  struct active_epoch *runs = allocate((size_t)num_trials * num_epochs, sizeof *runs);
  for (unsigned t = 0; t < num_trials; t++)
    active_epochs(&c, seed + t, num_epochs, runs + (size_t)t * num_epochs);
  const struct epochs m = mean_of(runs, num_trials, num_epochs, num_epochs / 2);
  printf("| %s constrained | %s | %.1f %% | %.0f | %.1f %% | %.1f %%, %.1f %% | %.4f, %.4f | %.1f "
         "%% |\n",
         policies[least], variants[v].name, 100 * m.used, m.residents, 100 * m.placed,
         100 * m.caches, 100 * m.others, m.fairness, m.least_fair, 100 * m.moved);
  json_array_append_new(
      list, json_pack("{s:s,s:s,s:f,s:f,s:f,s:f,s:f,s:f,s:f,s:f}", "policy", policies[least],
                      "rules", files[v], "used", m.used, "residents", m.residents, "placed",
                      m.placed, "placed_caches", m.caches, "placed_others", m.others, "fairness",
                      m.fairness, "least_fairness", m.least_fair, "moved", m.moved));
  FILE *f = create("epochs", policies[least], files[v],
                   "epoch, share used: mean, least, most; residents, fairness, moved (average with "
                   "weight 0.6), placed so far, arrived so far");
  double average = 0, placed = 0, arrived = 0;
  for (unsigned n = 0; n < num_epochs; n++) {
    double used = 0, low = 1, high = 0, residents = 0, fair = 0, moved = 0;
    for (unsigned t = 0; t < num_trials; t++) {
      const struct active_epoch *e = &runs[(size_t)t * num_epochs + n];
      used += e->used / num_trials;
      if (e->used < low) low = e->used;
      if (e->used > high) high = e->used;
      residents += (double)e->residents / num_trials;
      fair += e->fairness / num_trials;
      moved += e->moved / num_trials;
      placed += (double)e->placed / num_trials;
      arrived += (double)e->arrivals / num_trials;
    }
    average = n ? 0.6 * moved + 0.4 * average : moved;
    fprintf(f, "%u\t%.5f\t%.5f\t%.5f\t%.2f\t%.5f\t%.5f\t%.2f\t%.2f\n", n + 1, used, low, high,
            residents, fair, average, placed, arrived);
  }
  close_file(f);
  free(runs);
}

static void epochs(json_t *result) {
  json_t *list = json_array();
  printf("\n%u epochs, arrivals and departures Poisson with means 2 and 1 (4 pipelines: 8 and 4), "
         "%u trials, worst-fit; means of the second half. Fairness: Jain's index over the caches, "
         "mean and least. Reallocated: caches that lose a block, an epoch.\n\n",
         num_epochs, num_trials);
  printf("| policy | rules | memory used | residents | arrivals placed | of caches, of others | "
         "fairness | caches reallocated |\n|---|---|---|---|---|---|---|---|\n");
  for (unsigned least = 0; least < POLICIES; least++)
    for (unsigned v = 0; v < VARIANTS; v++) epochs_of(v, least, list);
  json_object_set_new(result, "epochs", list);
}

// ---- fit schemes --------------------------------------------------------------------------------

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static void fits_of(unsigned v, unsigned least, unsigned fit, json_t *list, FILE *f) {
  const struct active_case c = {variants[v], (enum sluice_fit)fit, least, 368};
  const size_t num = (size_t)num_trials * num_fit_epochs;
  struct active_epoch *runs = allocate(num, sizeof *runs);
  double *fair = allocate(num, sizeof *fair);
  for (unsigned t = 0; t < num_trials; t++)
    active_epochs(&c, seed + t, num_fit_epochs, runs + (size_t)t * num_fit_epochs);
  const struct epochs m = mean_of(runs, num_trials, num_fit_epochs, 0);
  for (size_t i = 0; i < num; i++) fair[i] = runs[i].fairness;
  qsort(fair, num, sizeof *fair, by_value);
  printf("| %s constrained | %s | %s | %.1f %% | %.1f %% | %.3f | %.3f | %.1f %% |\n",
         policies[least], variants[v].name, fits[fit], 100 * m.used, 100 * m.moved, m.fairness,
         fair[num / 2], 100 * (1 - m.placed));
  json_array_append_new(
      list, json_pack("{s:s,s:s,s:s,s:f,s:f,s:f,s:f,s:f}", "policy", policies[least], "rules",
                      files[v], "fit", fits[fit], "used", m.used, "moved", m.moved, "fairness",
                      m.fairness, "median_fairness", fair[num / 2], "refused", 1 - m.placed));
  fprintf(f, "\"%s\"\t%.5f\t%.5f\t%.5f\t%.5f\n", fits[fit], m.used, m.moved, m.fairness,
          1 - m.placed);
  free(fair);
  free(runs);
}

static void fit_schemes(json_t *result) {
  json_t *list = json_array();
  printf("\nFit schemes: %u epochs, %u trials, means of all epochs.\n\n", num_fit_epochs,
         num_trials);
  printf("| policy | rules | scheme | memory used | caches reallocated | fairness | median | "
         "arrivals refused |\n|---|---|---|---|---|---|---|---|\n");
  for (unsigned least = 0; least < POLICIES; least++)
    for (unsigned v = 0; v < 2; v++) {
      FILE *f = create("fits", policies[least], files[v],
                       "scheme, share used, moved, fairness, share refused");
      for (unsigned fit = 0; fit < FITS; fit++) fits_of(v, least, fit, list, f);
      close_file(f);
    }
  json_object_set_new(result, "fits", list);
}

// ---- size of a block ----------------------------------------------------------------------------

static void granularity(json_t *result) {
  static const unsigned blocks[] = {368, 736, 1472};
  const unsigned all = num_arrivals, num = num_arrivals < 100 ? num_arrivals : 100;
  json_t *list = json_array();
  printf(
      "\nSize of a block: %u arrivals, most constrained, worst-fit; microseconds an arrival.\n\n",
      num);
  printf("| block | blocks a stage | rules | cache | heavy hitter | load balancer | mixed |\n"
         "|---|---|---|---|---|---|---|\n");
  num_arrivals = num;
  for (unsigned v = 0; v < 2; v++) {
    FILE *f = create("blocks", "most", files[v], "blocks, microseconds of each workload");
    for (unsigned b = 0; b < 3; b++) {
      const struct active_case c = {variants[v], SLUICE_FIT_WORST, false, blocks[b]};
      struct active_arrival *run = allocate(num, sizeof *run);
      printf("| %u bytes | %u | %s |", 1024 * 368 / blocks[b], blocks[b], variants[v].name);
      fprintf(f, "%u", blocks[b]);
      for (unsigned w = 0; w < WORKLOADS; w++) {
        double us = 0;
        active_arrivals(&c, w, seed, num, run);
        for (unsigned n = 0; n < num; n++) us += 1e6 * run[n].seconds / num;
        printf(" %.0f |", us);
        fprintf(f, "\t%.2f", us);
        json_array_append_new(
            list, json_pack("{s:i,s:s,s:s,s:f}", "blocks", (int)blocks[b], "rules", files[v],
                            "workload", workload_name(w), "us", us));
      }
      printf("\n");
      fprintf(f, "\n");
      free(run);
    }
    close_file(f);
  }
  num_arrivals = all;
  json_object_set_new(result, "granularity", list);
}

static int usage(void) {
  fprintf(stderr, "usage: active_alloc OUT [--quick] [--seed N]\n");
  return 2;
}

int main(int argc, char **argv) {
  char path[1000];
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--quick") == 0) {
      num_arrivals = 60;
      num_trials = 2;
      num_epochs = 40;
      num_fit_epochs = 20;
    } else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
      seed = strtoull(argv[++i], NULL, 10);
    } else if (argv[i][0] != '-' && !out) {
      out = argv[i];
    } else {
      return usage();
    }
  }
  if (!out) return usage();
  json_t *result = json_pack("{s:I}", "seed", (json_int_t)seed);
  arrivals(result);
  epochs(result);
  fit_schemes(result);
  granularity(result);
  printf("\nseed %llu\n", (unsigned long long)seed);
  snprintf(path, sizeof path, "%s/results.json", out);
  if (json_dump_file(result, path, JSON_INDENT(1) | JSON_SORT_KEYS | JSON_REAL_PRECISION(6))) {
    fprintf(stderr, "cannot write '%s'\n", path);
    return 3;
  }
  json_decref(result);
  return 0;
}
