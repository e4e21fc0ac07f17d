// SPDX-License-Identifier: Apache-2.0
#include "evaluation.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MP5 "--steer stay --issue free --pace 0 --brake 0 --drop-full"

// What each series asks of the chip. MP5: packets without an access stay in their pipeline and go
// first, nothing is paced, and what finds an order queue full is dropped; its remap moves indices,
// here with ordered moves. docs/study.md says what each leaves out.
static const struct series {
  const char *name, *options;
} series[] = {
    {"ours", ""},
    {"ours-no-moves", "--move-period 0"},
    {"mp5", MP5},
    {"mp5-no-remap", MP5 " --move-period 0"},
    {"no-phantoms", "--no-phantoms --pace 0 --brake 0 --move-period 0"},
    {"recirculation", ""},  // a verb of its own
    {"one-pipeline", "--pin 0"},
    {"no-rank", "--steer each"},
    {"fixed", "--steer stay"},
    {"no-pacing", "--pace 0"},
    {"no-brake", "--brake 0"},
    {"no-threshold", "--move-least 0"},
    {"no-escape", "--no-escape"},
    {"wide", "--pace 48"},
};

const struct evaluation_stress evaluation_stress[EVALUATION_STRESS] = {
    {4, 512, false, 100}, {4, 512, true, 90}, {4, 4096, true, 95},
    {8, 512, false, 100}, {8, 512, true, 90}, {8, 4096, true, 95}};

static const char *const patterns[] = {"uniform", "heavytail"};
enum { PATTERNS = 2, PATH_LEN = PATH_MAX };

struct making {
  struct sheet *sheet;
  const struct evaluation *e;
};

static const char *options_of(const char *name) {
  for (size_t i = 0; i < sizeof series / sizeof *series; i++)
    if (strcmp(series[i].name, name) == 0) return series[i].options;
  return "";
}

// A point of a figure, and the trace that it plays.
struct point {
  const char *figure, *pattern, *parameter;
  unsigned passes;
  char flows[PATH_LEN], packets[PATH_LEN];
};

static void put(struct making *m, const struct point *p, const char *name, const char *verb,
                const char *chip, const char *options) {
  if (access(p->flows, R_OK) != 0 || access(p->packets, R_OK) != 0) return;
  char id[400], passes[20];
  snprintf(passes, sizeof passes, "%u", p->passes);
  snprintf(id, sizeof id, "%s-%s-%s-%s-x%u", p->figure, name, p->pattern, p->parameter, p->passes);
  plan_put(m->sheet, &(struct plan_run){{id, p->figure, name, p->pattern, p->parameter, passes,
                                         verb, chip, "", p->flows, p->packets, options}});
}

static void put_chip(struct making *m, const struct point *p, const char *name, const char *chip,
                     const char *more) {
  char options[200];
  const char *own = options_of(name);
  snprintf(options, sizeof options, "%s%s%s", own, *own && *more ? " " : "", more);
  put(m, p, name, strcmp(name, "recirculation") == 0 ? "recirculate" : "replay", chip, options);
}

static void put_study(struct making *m, const struct point *p, const char *name,
                      const char *options) {
  put(m, p, name, "study", "", options);
}

void evaluation_chip(char *text, size_t len, const char *shape, unsigned pipelines) {
  if (pipelines == 16) snprintf(text, len, "b16");
  else if (pipelines == 4) snprintf(text, len, "%s", shape);
  else snprintf(text, len, "%s.k%u", shape, pipelines);
}

// The files FOLDER/flows_NAME.csv and FOLDER/PATTERN_NAME.csv of the published traces.
static void point_at(const struct making *m, struct point *p, const char *folder,
                     const char *name) {
  snprintf(p->flows, sizeof p->flows, "%s/%s/flows_%s.csv", m->e->traces, folder, name);
  snprintf(p->packets, sizeof p->packets, "%s/%s/%s_%s.csv", m->e->traces, folder, p->pattern,
           name);
}

// One published trace, both patterns; `num` series of those.
static void put_set(struct making *m, const char *figure, const char *folder, unsigned parameter,
                    const char *name, unsigned pipelines, const char *const *names, size_t num) {
  char chip[20], text[20], options[40];
  evaluation_chip(chip, sizeof chip, "b4", pipelines);
  snprintf(text, sizeof text, "%u", parameter);
  snprintf(options, sizeof options, "--chip %s", chip);
  for (int i = 0; i < PATTERNS; i++) {
    struct point p = {figure, patterns[i], text, 1, "", ""};
    point_at(m, &p, folder, name);
    for (size_t s = 0; s < num; s++) put_chip(m, &p, names[s], chip, "");
    p.passes = 10;
    if (!m->e->quick) put_chip(m, &p, "ours", chip, "");
    p.passes = 1;
    put_study(m, &p, "study", options);
  }
}

static const char *const some[] = {"ours", "mp5", "mp5-no-remap"};
static const unsigned all_pipelines[] = {1, 2, 4, 8, 16};

// Which pipelines a plan has: 1 to 16, or 2 and 4.
static bool has_pipelines(const struct making *m, unsigned k) {
  return !m->e->quick || k == 2 || k == 4;
}

#define EACH(VAR, ARRAY)                  \
  size_t VAR = 0;                         \
  VAR < sizeof(ARRAY) / sizeof(ARRAY)[0]; \
  VAR++

static void put_figure_7(struct making *m) {
  static const unsigned stateful[] = {0, 1, 2, 4, 8, 10}, sizes[] = {1, 4, 16, 64, 256, 1024, 4096},
                        lengths[] = {64, 128, 256, 512, 832, 1024, 1472};
  const bool quick = m->e->quick;
  const size_t num = quick ? 2 : 3;
  char name[60];
  for (EACH(i, all_pipelines)) {
    const unsigned k = all_pipelines[i];
    snprintf(name, sizeof name, "64_%u_16_4_512_64", k);
    if (has_pipelines(m, k)) put_set(m, "fig7a", "pipelines", k, name, k, some, num);
  }
  for (EACH(i, stateful)) {
    snprintf(name, sizeof name, "64_4_16_%u_512_64", stateful[i]);
    if (!quick || stateful[i] == 10)
      put_set(m, "fig7b", "stateful-stages", stateful[i], name, 4, some, num);
  }
  for (EACH(i, sizes)) {
    snprintf(name, sizeof name, "64_4_16_4_%u_64", sizes[i]);
    // mode MP5 takes longest where it is slowest
    if (!quick || sizes[i] == 4 || sizes[i] == 16)
      put_set(m, "fig7c", "state-size", sizes[i], name, 4, some, quick ? 1 : num);
  }
  for (EACH(i, lengths)) {
    snprintf(name, sizeof name, "64_4_16_4_512_%u", lengths[i]);
    if (!quick || lengths[i] == 128)
      put_set(m, "fig7d", "packet-size", lengths[i], name, 4, some, num);
  }
}

static void put_figure_8(struct making *m) {
  static const struct {
    const char *name, *trace;
  } programs[] = {{"flowlet", "6_2_8000"},
                  {"conga", "4_2_256"},
                  {"wfq", "4_1_8000"},
                  {"sequencer", "2_1_1024"}};
  for (EACH(i, all_pipelines)) {
    const unsigned k = all_pipelines[i];
    for (EACH(p, programs)) {
      char figure[40], name[60];
      snprintf(figure, sizeof figure, "fig8-%s", programs[p].name);
      snprintf(name, sizeof name, "64_%u_%s_bimodal", k, programs[p].trace);
      if (has_pipelines(m, k)) put_set(m, figure, programs[p].name, k, name, k, some, 1);
    }
  }
  // Again, with the programs themselves, compiled: web search packet sizes, every lane at line
  // rate. Quick: on the chip of the traces, which saves the building of another one.
  static const unsigned quick_pipelines[] = {4, 0}, full_pipelines[] = {1, 2, 4, 8, 0};
  for (const unsigned *k = m->e->quick ? quick_pipelines : full_pipelines; *k; k++)
    for (EACH(p, programs)) {
      char id[100], file[100], chip[20], parameter[20];
      const char *name = programs[p].name;
      evaluation_chip(chip, sizeof chip, m->e->quick ? "b4" : "k4", *k);
      snprintf(parameter, sizeof parameter, "%u", *k);
      snprintf(id, sizeof id, "fig8-programs-%s-bimodal-%u-x1", name, *k);
      snprintf(file, sizeof file, "sw/programs/%s.dom", name);
      plan_put(m->sheet,
               &(struct plan_run){{id, "fig8-programs", name, "bimodal", parameter, "1", "run",
                                   chip, file, "", m->e->quick ? "5000" : "100000", "--seed 4"}});
    }
}

// Mode MP5, step by step from the published results (one cycle a stage, queues without limit, its
// own remap, and docs/study.md's `beside`) to the chip.
static void put_steps(struct making *m) {
  static const struct {
    const char *name, *options;
    bool chip;  // on the chip's stages and modes, before the options
  } steps[] = {
      {"1-published", "--mode mp5 phantom=0 beside=1", false},
      {"2-one-packet-a-stage", "--mode mp5 phantom=0", false},
      {"3-our-remap", "hop=1 bank=0 depth=0", true},
      {"4-phantoms-with-packets", "hop=1 bank=0 depth=0 phantom=1", true},
      {"5-stage-of-8-cycles", "bank=0 depth=0", true},
      {"6-banks-of-64", "bank=64 depth=256", true},
      {"7-banks-of-16", "", true},
  };
  for (EACH(i, all_pipelines)) {
    const unsigned k = all_pipelines[i];
    if (k == 1 || !has_pipelines(m, k)) continue;
    char chip[20], text[20], name[60];
    evaluation_chip(chip, sizeof chip, "b4", k);
    snprintf(text, sizeof text, "%u", k);
    snprintf(name, sizeof name, "64_%u_16_4_512_64", k);
    for (int n = 0; n < PATTERNS; n++) {
      struct point p = {"steps", patterns[n], text, 1, "", ""};
      point_at(m, &p, "pipelines", name);
      for (EACH(s, steps)) {
        char options[120];
        snprintf(options, sizeof options, "%s%s%s%s%s", steps[s].chip ? "--chip " : "",
                 steps[s].chip ? chip : "", steps[s].chip ? " steer=0 first=1 pace=0 brake=0" : "",
                 steps[s].chip && *steps[s].options ? " " : "", steps[s].options);
        put_study(m, &p, steps[s].name, options);
      }
      put_chip(m, &p, "mp5", chip, "");
      p.parameter = "4-banks-of-64";
      if (k == 4 && !m->e->quick) put_chip(m, &p, "mp5", "b4p", "");
    }
  }
}

// Section 4.3.2, the default switch: what each design principle brings.
static void put_principles(struct making *m) {
  static const char *const folders[] = {"pipelines", "stateful-stages", "packet-size"},
                           *const chip[] = {"ours",        "mp5",           "mp5-no-remap",
                                            "no-phantoms", "recirculation", "one-pipeline"},
                           *const study[] = {"mp5", "no-remap", "no-phantoms", "recirculation",
                                             "one-pipeline"};
  for (size_t f = 0; f < (m->e->quick ? 1 : sizeof folders / sizeof *folders); f++)
    for (int n = 0; n < PATTERNS; n++) {
      struct point p = {"principles", patterns[n], folders[f], 1, "", ""};
      point_at(m, &p, folders[f], "64_4_16_4_512_64");
      for (EACH(s, chip)) put_chip(m, &p, chip[s], "b4", "");
      for (EACH(s, study)) {
        char name[40], options[40];
        snprintf(name, sizeof name, "study-%s", study[s]);
        snprintf(options, sizeof options, "--mode %s", study[s]);
        put_study(m, &p, name, options);
      }
    }
}

void evaluation_stress_name(const struct evaluation_stress *s, char *name, size_t size) {
  snprintf(name, size, "%u-%s-%u-%u", s->pipelines, s->zipf ? "zipf" : "uniform", s->entries,
           s->load);
}

// The file in a folder whose name begins so; its path stays empty if there is none.
static void find_file(char *path, size_t size, const char *folder, const char *begin) {
  DIR *dir = opendir(folder);
  *path = 0;
  for (struct dirent *entry; dir && (entry = readdir(dir));)
    if (strncmp(entry->d_name, begin, strlen(begin)) == 0)
      snprintf(path, size, "%s/%s", folder, entry->d_name);
  if (dir) closedir(dir);
}

// Banks of 32 are another chip to build, so the quick plan has banks of 16 alone.
static void put_stress(struct making *m) {
  static const char *const without[] = {"no-rank",  "fixed",        "no-pacing",
                                        "no-brake", "no-threshold", "no-escape"};
  static const unsigned banks[] = {8, 16, 32};
  for (int i = 0; i < EVALUATION_STRESS; i++) {
    const struct evaluation_stress *s = &evaluation_stress[i];
    if (!has_pipelines(m, s->pipelines)) continue;
    char folder[PATH_LEN - 100], pattern[20], chip[20], wide[20], name[60], parameter[100];
    evaluation_stress_name(s, name, sizeof name);
    snprintf(folder, sizeof folder, "%s/%s", m->e->stress, name);
    snprintf(pattern, sizeof pattern, "k%u", s->pipelines);
    evaluation_chip(chip, sizeof chip, "b4", s->pipelines);
    evaluation_chip(wide, sizeof wide, "b4w", s->pipelines);
    const char *shape = strchr(name, '-') + 1;
    struct point p = {"stress", pattern, shape, 1, "", ""};
    find_file(p.flows, sizeof p.flows, folder, "flows_");
    find_file(p.packets, sizeof p.packets, folder, "stress_");
    for (EACH(b, banks)) {
      char series_name[40], options[60];
      snprintf(series_name, sizeof series_name, "study-bank%u", banks[b]);
      snprintf(options, sizeof options, "--chip %s pace=48 bank=%u", wide, banks[b]);
      put_study(m, &p, series_name, options);
    }
    p.parameter = parameter;
    snprintf(parameter, sizeof parameter, "%s-bank16", shape);
    put_chip(m, &p, "wide", chip, "");
    if (m->e->quick) continue;
    p.parameter = shape;
    put_chip(m, &p, "wide", wide, "");
    p.parameter = parameter;
    snprintf(parameter, sizeof parameter, "%s-no-moves", shape);
    put_chip(m, &p, "wide", wide, "--move-period 0");
    p.figure = "mechanisms";
    p.parameter = shape;
    for (EACH(w, without))
      put_chip(m, &p, without[w], wide, strcmp(without[w], "no-pacing") == 0 ? "" : "--pace 48");
  }
}

static void put_mechanisms(struct making *m) {
  static const char *const names[] = {"ours",     "no-rank",       "fixed",        "no-pacing",
                                      "no-brake", "ours-no-moves", "no-threshold", "no-escape"};
  for (EACH(s, names))
    for (int n = 0; n < PATTERNS; n++) {
      struct point p = {"mechanisms", patterns[n], "k4", 10, "", ""};
      point_at(m, &p, "pipelines", "64_4_16_4_512_64");
      p.pattern = "k4";
      p.parameter = patterns[n];
      put_chip(m, &p, names[s], "b4", "");
    }
}

void evaluation_plan(struct sheet *sheet, const struct evaluation *evaluation) {
  struct making m = {sheet, evaluation};
  sheet_begin(sheet, plan_header());
  put_figure_7(&m);
  put_figure_8(&m);
  put_steps(&m);
  put_principles(&m);
  put_stress(&m);
  if (!evaluation->quick) put_mechanisms(&m);
}
