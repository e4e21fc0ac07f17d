// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/files.h"
#include "../../base/layouts.h"
#include "../../compiler/compiler.h"
#include "../../base/status.h"
#include "five.h"

enum { TEXT = 65536, MOVE_PERIOD = 256, MOVE_QUOTA = 1, SETTLE = 2000 };

void five_figure(struct five_result *r, const char *name, double value, bool kept) {
  if (r->num == FIVE_FIGURES) abort();
  struct five_figure *f = &r->figure[r->num++];
  snprintf(f->name, sizeof f->name, "%s", name);
  f->value = value;
  f->kept = kept;
}

void five_wrong(struct five_result *r, unsigned long num, const char *what) {
  if (num && !r->wrong) snprintf(r->why, sizeof r->why, "%lu %s", num, what);
  r->wrong += num;
}

void five_happens(struct five_run *run, uint64_t cycle, const char *kind) {
  if (run->num_events == FIVE_EVENTS || cycle < run->start) return;
  run->event[run->num_events++] = (struct five_event){cycle - run->start, kind};
}

static int by_size(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}
uint64_t five_quantile(uint32_t *list, size_t num, double share) {
  if (!num) return 0;
  qsort(list, num, sizeof *list, by_size);
  const size_t at = (size_t)(share * (double)(num - 1) + 0.5);
  return list[at];
}

// ---- programs -----------------------------------------------------------------------------------

enum sluice_status five_compile_text(const struct five_run *run, struct sluice_image *image,
                                     const char *name, const char *text,
                                     struct sluice_error *error) {
  const char *chip = run->options->chip;
  struct sluice_diags diags = {0};
  const struct sluice_compile_options options = {.pin = false};
  enum sluice_status status = SLUICE_ERR_RANGE;
  struct sluice_program *program = sluice_program_parse(name, text, strlen(text), &diags);
  *image = (struct sluice_image){.num_writes = 0};
  if (program) status = sluice_compile(program, sluice_config_find(chip), &options, image, &diags);
  if (status)
    status = sluice_fail(error, SLUICE_ERR_RANGE, "%s does not compile for chip '%s': %.300s", name,
                         chip, diags.num ? diags.list[0].text : "out of memory");
  sluice_program_free(program);
  sluice_diags_release(&diags);
  return status;
}

enum sluice_status five_compile(const struct five_run *run, struct sluice_image *image,
                                const char *path, const char *const (*defines)[2],
                                struct sluice_error *error) {
  static char text[TEXT], changed[TEXT];
  struct sluice_file file;
  SLUICE_TRY(sluice_file_read(&file, path, TEXT - 1, NULL, error));
  memcpy(text, file.bytes, file.len + 1);
  sluice_file_release(&file);
  for (; defines && (*defines)[0]; defines++) {
    char line[80];
    snprintf(line, sizeof line, "#define %s ", (*defines)[0]);
    const char *at = strstr(text, line), *end = at ? strchr(at, '\n') : NULL;
    if (!end) return sluice_fail(error, SLUICE_ERR_RANGE, "'%s' has no '%s'", path, line);
    const int wanted = snprintf(changed, sizeof changed, "%.*s%s%s%s", (int)(at - text), text, line,
                                (*defines)[1], end);
    if (wanted >= TEXT)
      return sluice_fail(error, SLUICE_ERR_RANGE, "'%s' has more than %d bytes", path, TEXT - 1);
    memcpy(text, changed, sizeof text);
  }
  return five_compile_text(run, image, path, text, error);
}

// ---- what is measured of every module -----------------------------------------------------------

static enum sluice_status module_figures(struct five_run *run, unsigned vid,
                                         struct sluice_error *error) {
  struct five_net *n = run->net;
  const struct five_flow *f = &n->flow[vid];
  struct five_result *r = &run->result[f->system];
  uint32_t drops[SLUICE_NUM_DROPS], *latency = malloc((n->num + 1) * sizeof *latency);
  uint64_t sent = 0, left = 0, meant, lost = 0;
  char name[60];
  if (!latency) return sluice_no_memory(error);
  for (uint32_t i = 1; i <= n->num; i++) {
    const struct five_packet *p = &n->packets[i];
    if (p->vid != vid) continue;
    sent++;
    if (p->copies) latency[left++] = p->first - p->arrival;
  }
  const enum sluice_status status = sluice_chip_module_drops(n->chip, vid, drops, error);
  if (status) {
    free(latency);
    return status;
  }
  meant = drops[SLUICE_DROP_DISCARD_FRONT] + drops[SLUICE_DROP_DISCARD_BACK];
  for (unsigned d = 0; d < SLUICE_NUM_DROPS; d++) lost += drops[d];
  lost -= meant;
#define NAME(WHAT) (snprintf(name, sizeof name, "%s: %s", f->name, WHAT), name)
  const bool open = vid <= FIVE_VERSIONED;  // its packets come by themselves
  five_figure(r, NAME("packets"), (double)sent, open);
  five_figure(r, NAME("lost"), (double)lost, true);
  five_figure(r, NAME("packets a cycle"), (double)left / (double)run->options->cycles,
              vid != FIVE_FILTER);
  five_figure(r, NAME("latency, median"), (double)five_quantile(latency, left, 0.5), true);
  five_figure(r, NAME("latency, p99"), (double)five_quantile(latency, left, 0.99), true);
#undef NAME
  free(latency);
  if (sent != left + meant + lost) five_wrong(r, 1, "packets are neither here nor there");
  return SLUICE_OK;
}

// ---- a run --------------------------------------------------------------------------------------

// The monitors compare every answer with the reference.
static enum sluice_status read_state(struct five_run *run, uint64_t *words,
                                     struct sluice_error *error) {
  static uint32_t values[65536];
  struct sluice_chip *c = run->net->chip;
  for (unsigned vid = 1; vid < FIVE_FLOWS; vid++) {
    struct sluice_image_array array;
    struct sluice_image_rows rows;
    for (unsigned i = 0; run->net->flow[vid].name && sluice_chip_get_array(c, vid, i, &array);
         i++) {
      SLUICE_TRY(sluice_chip_state_read(c, vid, array.name, 0, array.size, values, error));
      *words += array.size;
    }
    for (unsigned i = 0; run->net->flow[vid].name && sluice_chip_get_rows(c, vid, i, &rows); i++) {
      SLUICE_TRY(sluice_chip_rows_read(c, vid, rows.name, 0, rows.size, values, error));
      *words += rows.size * (uint64_t)sluice_config_find(run->options->chip)->ArrayWords;
    }
  }
  return SLUICE_OK;
}

static enum sluice_status fault(struct five_run *run, struct sluice_error *error) {
  if (!run->options->fault) return SLUICE_OK;
  const int bit = sluice_value_find("FAULT", run->options->fault);
  if (bit < 0)
    return sluice_fail(error, SLUICE_ERR_RANGE, "no fault is called '%s'", run->options->fault);
  return five_net_register(run->net, "FAULT", UINT32_C(1) << bit, error);
}

static enum sluice_status load(struct five_run *run, struct sluice_error *error) {
  SLUICE_TRY(five_traffic_load(run, error));
  SLUICE_TRY(five_reaction_load(run, error));
  SLUICE_TRY(five_tenants_load(run, error));
  SLUICE_TRY(five_workers_load(run, error));
  SLUICE_TRY(five_net_register(run->net, "MOVE_QUOTA", MOVE_QUOTA, error));
  SLUICE_TRY(five_net_register(run->net, "MOVE_PERIOD", MOVE_PERIOD, error));
  SLUICE_TRY(fault(run, error));
  SLUICE_TRY(five_net_begin(run->net, error));
  run->start = run->net->now + SETTLE;
  run->net->end = run->start + run->options->cycles;
  five_traffic_start(run);
  five_reaction_start(run);
  SLUICE_TRY(five_tenants_start(run, error));
  return five_workers_start(run, error);
}

static void count_bins(struct five_run *run) {
  const struct five_net *n = run->net;
  const uint64_t cycles = run->options->cycles;
  for (uint32_t i = 1; i <= n->num; i++) {
    const struct five_packet *p = &n->packets[i];
    const uint64_t at = p->last - run->start;
    if (p->copies && p->last >= run->start && at < cycles)
      run->left[at * FIVE_BINS / cycles][n->flow[p->vid].system]++;
  }
}

static enum sluice_status finish(struct five_run *run, struct sluice_error *error) {
  uint64_t words = 0;
  SLUICE_TRY(five_net_drain(run->net, error));
  for (unsigned vid = 1; vid < FIVE_FLOWS; vid++)
    if (run->net->flow[vid].name) SLUICE_TRY(module_figures(run, vid, error));
  SLUICE_TRY(read_state(run, &words, error));
  run->words = words;
  five_traffic_finish(run);
  five_reaction_finish(run);
  five_tenants_finish(run);
  five_workers_finish(run);
  count_bins(run);
  return SLUICE_OK;
}

enum sluice_status five_run(struct five_run *run, struct sluice_error *error) {
  const struct five_options *o = run->options;
  SLUICE_TRY(five_net_open(&run->net, o->sim, o->chip, o->bus, error));
  enum sluice_status status = load(run, error);
  if (!status) status = five_control(run, error);
  if (!status) status = finish(run, error);
  run->late = run->net->late;
  run->packets = run->net->num;
  run->verdict = five_net_close(run->net, run->said, sizeof run->said);
  return status;
}
