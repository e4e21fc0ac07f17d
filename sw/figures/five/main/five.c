// SPDX-License-Identifier: Apache-2.0
// All five systems on one simulated chip (docs/papers.md): each alone, then together; what each of
// them does is told side by side. Writes OUT/five.json, and OUT/five.tsv for the picture.
#include <getopt.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../base/layouts.h"
#include "../../../base/number.h"

#include "../five.h"

static const char usage[] =
    "usage: five SIMULATOR OUT [OPTION...]\n"
    "  --chip NAME       shape of the simulated chip (five)\n"
    "  --cycles N        cycles of traffic in each run, at most 2000000 (156000)\n"
    "  --update-every N  cycles from one update to the next, at least 10000 (52000)\n"
    "  --bus TEXT        between the driver and the chip (read=100: cycles of a read)\n"
    "  --greedy          the control processor has no slots\n"
    "  --seed N          of all traffic (1)\n"
    "  --together        the run of all five alone\n"
    "  --only NAME       one system alone: programs, update, reaction, tenants or coflow\n"
    "  --fault NAME      break the chip on purpose: the monitors must see it\n"
    "  --replace         updates that drop packets: the program must see it\n"
    "Exit code: 0 all was equal and right, 1 it was not, 2 wrong command line, 3 a file, the\n"
    "simulator or memory failed.\n";

static const char *const names[FIVE_SYSTEMS] = {"programs", "update", "reaction", "tenants",
                                                "coflow"};
static const char *const titles[FIVE_SYSTEMS] = {
    "MP5: four programs", "Menshen: a module that is updated", "Mantis: a reaction blocks floods",
    "ActiveRMT: tenants come and go", "ADCP: eight workers reduce vectors"};
enum { TOGETHER = FIVE_SYSTEMS, RUNS };
enum { BAD = 3, DIFFERENT = 1, USAGE = 2 };
static struct five_run runs[RUNS];

static FILE *create(const char *out, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", out, name);
  FILE *f = fopen(path, "w");
  if (f) return f;
  perror(path);
  exit(BAD);
}

static bool made(const struct five_run *run) { return run->options != NULL; }

static void make(struct five_run *run, const struct five_options *options, unsigned which) {
  struct sluice_error error;
  const char *title = which == TOGETHER ? "together" : names[which];
  run->options = options;
  for (unsigned s = 0; s < FIVE_SYSTEMS; s++) run->has[s] = which == TOGETHER || which == s;
  fprintf(stderr, "%s ...\n", title);
  if (five_run(run, &error)) {
    fprintf(stderr, "five: %s: %s\n", title, error.text);
    if (run->said[0]) fprintf(stderr, "five: the simulator: %s\n", run->said);
    exit(run->verdict == LIVE_DIFFERENT ? DIFFERENT : BAD);
  }
}

// ---- what came out ------------------------------------------------------------------------------

static double ratio(double alone, double together) {
  return alone == together ? 1 : alone == 0 ? INFINITY : together / alone;
}
static bool within(double r) { return r >= 0.99 && r <= 1.01; }

static void number(char text[24], double value) {
  if (value == floor(value)) snprintf(text, 24, "%.0f", value);
  else snprintf(text, 24, "%.4g", value);
}

static void print_system(unsigned s) {
  const struct five_result *alone = &runs[s].result[s], *all = &runs[TOGETHER].result[s];
  const struct five_result *any = made(&runs[s]) ? alone : all;
  char a[24], b[24];
  printf("\n%s\n", titles[s]);
  for (unsigned i = 0; i < any->num; i++) {
    const struct five_figure *f = &any->figure[i];
    strcpy(a, "");
    strcpy(b, "");
    if (made(&runs[s])) number(a, alone->figure[i].value);
    if (made(&runs[TOGETHER])) number(b, all->figure[i].value);
    printf("  %-42s %12s %12s", f->name, a, b);
    if (made(&runs[s]) && made(&runs[TOGETHER])) {
      const double r = ratio(alone->figure[i].value, all->figure[i].value);
      printf(" %9.4f%s", r, f->kept && !within(r) ? "  *" : "");
    }
    putchar('\n');
  }
}

static json_t *system_json(unsigned s) {
  json_t *list = json_array();
  const struct five_result *alone = &runs[s].result[s], *all = &runs[TOGETHER].result[s];
  const bool both = made(&runs[s]) && made(&runs[TOGETHER]);
  const struct five_result *any = made(&runs[s]) ? alone : all;
  for (unsigned i = 0; i < any->num; i++) {
    json_t *f = json_pack("{s:s s:b}", "name", any->figure[i].name, "kept", any->figure[i].kept);
    if (made(&runs[s])) json_object_set_new(f, "alone", json_real(alone->figure[i].value));
    if (made(&runs[TOGETHER])) json_object_set_new(f, "together", json_real(all->figure[i].value));
    const double r = both ? ratio(alone->figure[i].value, all->figure[i].value) : INFINITY;
    if (isfinite(r)) json_object_set_new(f, "ratio", json_real(r));
    json_array_append_new(list, f);
  }
  return json_pack("{s:s s:s s:o}", "system", names[s], "title", titles[s], "figures", list);
}

static const char *verdict_of(const struct five_run *run) {
  static const char *const words[] = {"EQUIVALENT", "DIFFERENT", "UNTESTED", "DIED"};
  return words[run->verdict];
}

static void write_json(const struct five_options *o, const char *out) {
  json_t *systems = json_array(), *list = json_array(), *events = json_array();
  for (unsigned s = 0; s < FIVE_SYSTEMS; s++)
    if (made(&runs[s]) || made(&runs[TOGETHER])) json_array_append_new(systems, system_json(s));
  for (unsigned r = 0; r < RUNS; r++)
    if (made(&runs[r]))
      json_array_append_new(
          list, json_pack("{s:s s:s s:s s:I s:I s:I s:I s:[III]}", "run",
                          r == TOGETHER ? "together" : names[r], "verdict", verdict_of(&runs[r]),
                          "said", runs[r].said, "packets", (json_int_t)runs[r].packets,
                          "words_of_state", (json_int_t)runs[r].words, "late",
                          (json_int_t)runs[r].late, "longer_than_slot", (json_int_t)runs[r].overrun,
                          "longest", (json_int_t)runs[r].longest[FIVE_UPDATE],
                          (json_int_t)runs[r].longest[FIVE_REACTION],
                          (json_int_t)runs[r].longest[FIVE_TENANTS]));
  for (unsigned i = 0; i < runs[TOGETHER].num_events; i++)
    json_array_append_new(
        events, json_pack("{s:I s:s}", "cycle", (json_int_t)runs[TOGETHER].event[i].cycle, "kind",
                          runs[TOGETHER].event[i].kind));
  json_t *all = json_pack("{s:s s:s s:I s:I s:I s:o s:o s:o}", "chip", o->chip, "bus", o->bus,
                          "cycles", (json_int_t)o->cycles, "update_every",
                          (json_int_t)o->update_every, "seed", (json_int_t)o->seed, "runs", list,
                          "systems", systems, "events", events);
  FILE *f = create(out, "five.json");
  if (!all || json_dumpf(all, f, JSON_INDENT(1)) || fputc('\n', f) == EOF || fclose(f)) {
    fprintf(stderr, "five: five.json cannot be written\n");
    exit(BAD);
  }
  json_decref(all);
}

// For the picture: a line for each part of the time, then what happened.
static void write_timeline(const struct five_options *o, const char *out) {
  FILE *f = create(out, "five.tsv");
  fprintf(f, "# packets that left in a cycle: thousand cycles");
  for (unsigned r = 0; r < 2; r++)
    for (unsigned s = 0; s < FIVE_SYSTEMS; s++)
      fprintf(f, "\t%s %s", names[s], r ? "alone" : "together");
  for (unsigned b = 0; b < FIVE_BINS; b++) {
    fprintf(f, "\n%.1f", (double)(b * o->cycles) / FIVE_BINS / 1000);
    for (unsigned r = 0; r < 2; r++)
      for (unsigned s = 0; s < FIVE_SYSTEMS; s++) {
        const struct five_run *run = &runs[r ? s : TOGETHER];
        if (made(run))
          fprintf(f, "\t%.4f", (double)run->left[b][s] * FIVE_BINS / (double)o->cycles);
        else fprintf(f, "\tNaN");
      }
  }
  fprintf(f, "\n\n\n# thousand cycles\twhat happened\n");
  for (unsigned i = 0; i < runs[TOGETHER].num_events; i++)
    fprintf(f, "%.1f\t%s\n", (double)runs[TOGETHER].event[i].cycle / 1000,
            runs[TOGETHER].event[i].kind);
  if (fclose(f) == 0) return;
  perror("five.tsv");
  exit(BAD);
}

static bool judge(const struct five_run *run, const char *name) {
  bool good = run->verdict == LIVE_EQUIVALENT;
  printf("%-9s %s\n", name, run->said);
  for (unsigned s = 0; s < FIVE_SYSTEMS; s++) {
    if (!run->result[s].wrong) continue;
    printf("          %s: %s\n", names[s], run->result[s].why);
    good = false;
  }
  return good;
}

static uint64_t whole(const char *text, uint64_t low, uint64_t high) {
  uint64_t value;
  if (sluice_number_in(text, low, high, &value)) return value;
  fprintf(stderr, "five: '%s' is no number from %llu to %llu\n", text, (unsigned long long)low,
          (unsigned long long)high);
  exit(USAGE);
}

int main(int argc, char **argv) {
  enum { CHIP, CYCLES, EVERY, BUS, GREEDY, SEED, ALL, ONLY, FAULT, REPLACE };
  static const struct option options[] = {
      {"chip", 1, NULL, CHIP},       {"cycles", 1, NULL, CYCLES}, {"update-every", 1, NULL, EVERY},
      {"bus", 1, NULL, BUS},         {"greedy", 0, NULL, GREEDY}, {"seed", 1, NULL, SEED},
      {"together", 0, NULL, ALL},    {"only", 1, NULL, ONLY},     {"fault", 1, NULL, FAULT},
      {"replace", 0, NULL, REPLACE}, {NULL, 0, NULL, 0}};
  struct five_options o = {
      .chip = "five", .cycles = 156000, .seed = 1, .bus = "read=100", .update_every = 52000};
  unsigned first = 0, behind = RUNS;
  for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) switch (c) {
      // In so long, and so seldom updated, a run has room for all that it notes.
      case CYCLES: o.cycles = whole(optarg, 1, 2000000); break;
      case EVERY: o.update_every = whole(optarg, 10000, UINT32_MAX); break;
      case CHIP:
        o.chip = optarg;
        if (sluice_config_find(o.chip)) break;
        fprintf(stderr, "five: no chip is called '%s'\n", o.chip);
        return USAGE;
      case BUS: o.bus = optarg; break;
      case GREEDY: o.greedy = true; break;
      case SEED: o.seed = whole(optarg, 1, UINT32_MAX); break;
      case ALL: first = TOGETHER; break;
      case ONLY:
        for (first = 0; first < FIVE_SYSTEMS && strcmp(names[first], optarg) != 0;) first++;
        behind = first + 1;
        if (first < FIVE_SYSTEMS) break;
        fprintf(stderr, "five: no system is called '%s'\n", optarg);
        return USAGE;
      case FAULT: o.fault = optarg; break;
      case REPLACE: o.replace = true; break;
      default: fputs(usage, stderr); return USAGE;
    }
  if (argc - optind != 2) {
    fputs(usage, stderr);
    return USAGE;
  }
  o.sim = argv[optind];
  bool good = true;
  for (unsigned r = first; r < behind; r++) make(&runs[r], &o, r);
  printf("five systems on one chip, %s: %llu cycles of traffic, seed %llu\n\n", o.chip,
         (unsigned long long)o.cycles, (unsigned long long)o.seed);
  for (unsigned r = first; r < behind; r++)
    good &= judge(&runs[r], r == TOGETHER ? "together" : names[r]);
  printf("\n%-44s %12s %12s %9s\n", "", "alone", "together", "ratio");
  for (unsigned s = 0; s < FIVE_SYSTEMS; s++)
    if (made(&runs[s]) || made(&runs[TOGETHER])) print_system(s);
  write_json(&o, argv[optind + 1]);
  write_timeline(&o, argv[optind + 1]);
  return good ? 0 : DIFFERENT;
}
