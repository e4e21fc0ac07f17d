// SPDX-License-Identifier: Apache-2.0
// Reading and writing the two files of a trace.
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/number.h"
#include "trace.h"

enum { LINE = 1024 };

struct reader {
  FILE *file;
  const char *path;
  unsigned line;
  char text[LINE];
  const char *at;  // where parsing stands
  struct sluice_error *error;
};

static enum sluice_status wrong(const struct reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static enum sluice_status wrong(const struct reader *r, const char *format, ...) {
  char text[200];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return sluice_fail(r->error, SLUICE_ERR_FORMAT, "'%.150s' line %u: %s", r->path, r->line, text);
}

// The next line that is not empty; `text` is empty behind the last one.
static enum sluice_status next_line(struct reader *r) {
  do {
    r->at = r->text;
    r->text[0] = 0;
    errno = 0;
    if (!fgets(r->text, LINE, r->file)) {
      r->text[0] = 0;
      if (!ferror(r->file)) return SLUICE_OK;
      return sluice_fail(r->error, SLUICE_ERR_IO, "cannot read '%.200s': %s", r->path,
                         strerror(errno));
    }
    r->line++;
    size_t len = strcspn(r->text, "\r\n");
    bool whole = r->text[len] || feof(r->file);
    if (!whole) return wrong(r, "not a line of text of less than %d bytes", LINE);
    r->text[len] = 0;
  } while (!r->text[0]);
  return SLUICE_OK;
}

static enum sluice_status open_file(struct reader *r, const char *path, const char *heading,
                                    struct sluice_error *error) {
  *r = (struct reader){.path = path, .error = error, .file = fopen(path, "r")};
  if (!r->file)
    return sluice_fail(error, SLUICE_ERR_IO, "cannot open '%.200s': %s", path, strerror(errno));
  enum sluice_status status = next_line(r);
  if (!status && strncmp(r->text, heading, strlen(heading)) != 0)
    status = wrong(r, "the heading must begin with '%s'; is this the right file?", heading);
  return status;
}

// A number up to `most`, and behind it the comma before the next or (`last`) the end of the line.
static enum sluice_status number(struct reader *r, const char *what, uint32_t most, bool last,
                                 uint32_t *value) {
  if (*r->at < '0' || *r->at > '9') return wrong(r, "here a number is missing: %s", what);
  const char *end;
  uint64_t v = 0;
  const enum sluice_reading reading = sluice_number_at(r->at, &end, &v);
  if (reading == SLUICE_OCTAL) return wrong(r, "%s: numbers do not begin with 0", what);
  if (reading != SLUICE_READ || v > most)
    return wrong(r, "%s must be at most %u", what, (unsigned)most);
  if (last ? *end != 0 : *end != ',')
    return wrong(r, last ? "the line should end behind %s" : "no comma behind %s", what);
  r->at = end + !last;
  *value = (uint32_t)v;
  return SLUICE_OK;
}

static enum sluice_status read_flow(struct reader *r, struct sluice_trace *t,
                                    struct sluice_trace_flow *flow) {
  *flow = (struct sluice_trace_flow){.line = r->line};
  bool alone = !strchr(r->at, ',');
  enum sluice_status status = number(r, "the flow's id", UINT32_MAX - 1, alone, &flow->id);
  if (status || alone) return status;
  for (bool last = false; !last;) {
    struct sluice_trace_access a;
    status = number(r, "a stage", SLUICE_TRACE_STAGES - 1, false, &a.stage);
    if (status) return status;
    last = !strchr(r->at, ',');
    status =
        number(r, "an index below the entries in the file's name", t->entries - 1, last, &a.index);
    if (status) return status;
    if (flow->num == SLUICE_TRACE_ACCESSES)
      return wrong(r, "more than %d accesses of a flow", SLUICE_TRACE_ACCESSES);
    for (uint32_t i = 0; i < flow->num; i++)
      if (flow->accesses[i].stage == a.stage)
        return wrong(r, "stage %u twice; a packet has one access a stage", (unsigned)a.stage);
    flow->accesses[flow->num++] = a;
    if (a.stage >= t->stages) t->stages = a.stage + 1;
  }
  return SLUICE_OK;
}

static enum sluice_status read_flows(struct reader *r, struct sluice_trace *t) {
  for (;;) {
    enum sluice_status status = next_line(r);
    if (status) return status;
    if (!r->text[0]) break;
    struct sluice_trace_flow flow;
    status = read_flow(r, t, &flow);
    if (!status) status = sluice_trace_add_flow(t, &flow, r->error);
    if (status) return status;
  }
  struct sluice_error why;
  enum sluice_status status = sluice_trace_sort_flows(t, &why);
  if (status) return sluice_fail(r->error, status, "'%.150s': %.200s", r->path, why.text);
  return SLUICE_OK;
}

static enum sluice_status read_packets(struct reader *r, struct sluice_trace *t) {
  for (;;) {
    enum sluice_status status = next_line(r);
    if (status) return status;
    if (!r->text[0]) return SLUICE_OK;
    uint32_t port, bytes, id, time;
    status = number(r, "a port below the ports in the file's name", t->ports - 1, false, &port);
    if (!status) status = number(r, "the bytes", 65535, false, &bytes);
    if (!status) status = number(r, "the flow's id", UINT32_MAX - 1, false, &id);
    if (!status) status = number(r, "the time in cycles", SLUICE_TRACE_TIME, true, &time);
    if (status) return status;
    struct sluice_error why;
    status = sluice_trace_add_packet(t, port, bytes, id, time, &why);
    if (status) return wrong(r, "%s", why.text);
  }
}

// ---- names --------------------------------------------------------------------------------------

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// Takes the words of a name apart: text up to the first underscore, five numbers, text.
static bool read_name(struct sluice_trace *t, const char *name) {
  uint32_t *const numbers[] = {&t->ports, &t->lanes, &t->stages, &t->stateful, &t->entries};
  static const uint32_t most[] = {SLUICE_TRACE_PORTS, SLUICE_TRACE_LANES, SLUICE_TRACE_STAGES,
                                  SLUICE_TRACE_STAGES, SLUICE_TRACE_ENTRIES};
  const char *at = strchr(name, '_');
  for (unsigned i = 0; i < 5; i++) {
    uint64_t value;
    if (!at || (at++, !sluice_number_next(&at, 0, most[i], &value)) || *at != '_') return false;
    *numbers[i] = (uint32_t)value;
  }
  size_t len = strlen(++at);
  if (len <= 4 || len - 4 >= sizeof t->size || strcmp(at + len - 4, ".csv") != 0) return false;
  memcpy(t->size, at, len - 4);
  return t->ports && t->lanes && t->lanes <= t->ports && t->stages && t->entries;
}

static void keep_pattern(struct sluice_trace *t, const char *name) {
  size_t len = strcspn(name, "_.");
  if (len >= sizeof t->pattern) len = sizeof t->pattern - 1;
  memcpy(t->pattern, name, len);
}

enum sluice_status sluice_trace_load(struct sluice_trace *t, const char *flows_path,
                                     const char *packets_path, struct sluice_error *error) {
  memset(t, 0, sizeof *t);
  if (!read_name(t, base_name(flows_path))) {
    memset(t, 0, sizeof *t);
    return sluice_fail(error, SLUICE_ERR_FORMAT,
                       "'%.150s': the name says nothing about the machine; rename the file to "
                       "flows_PORTS_PIPELINES_STAGES_STATEFUL_ENTRIES_SIZE.csv (at most %d ports, "
                       "%d pipelines, %d stages, %d entries)",
                       flows_path, SLUICE_TRACE_PORTS, SLUICE_TRACE_LANES, SLUICE_TRACE_STAGES,
                       SLUICE_TRACE_ENTRIES);
  }
  keep_pattern(t, base_name(packets_path));
  struct reader r;
  enum sluice_status status = open_file(&r, flows_path, "flowid", error);
  if (!status) status = read_flows(&r, t);
  if (r.file) fclose(r.file);
  if (!status) {
    status = open_file(&r, packets_path, "port,", error);
    if (!status) status = read_packets(&r, t);
    if (r.file) fclose(r.file);
  }
  if (!status && !t->num_packets)
    status = sluice_fail(error, SLUICE_ERR_FORMAT, "'%.200s' has no packets", packets_path);
  if (status) sluice_trace_release(t);
  return status;
}

// ---- writing ------------------------------------------------------------------------------------

static FILE *create(const struct sluice_trace *t, const char *dir, const char *first, char *path,
                    size_t room, struct sluice_error *error) {
  if (!sluice_trace_path(t, dir, first, path, room)) {
    sluice_fail(error, SLUICE_ERR_IO, "the path of folder '%.100s' is too long", dir);
    return NULL;
  }
  FILE *out = fopen(path, "w");
  if (!out) sluice_fail(error, SLUICE_ERR_IO, "cannot open '%.200s': %s", path, strerror(errno));
  return out;
}

static enum sluice_status finish(FILE *out, const char *path, struct sluice_error *error) {
  errno = 0;
  bool bad = ferror(out) != 0;
  bad |= fclose(out) != 0;
  if (!bad) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_IO, "cannot write '%.200s': %s", path, strerror(errno));
}

enum sluice_status sluice_trace_save(const struct sluice_trace *t, const char *dir,
                                     struct sluice_error *error) {
  char path[PATH_MAX];
  FILE *out = create(t, dir, "flows", path, sizeof path, error);
  if (!out) return SLUICE_ERR_IO;
  fputs("flowid,stage_num_1,state_in_stage_1,stage_num_2,state_in_stage_2,...\n", out);
  for (uint32_t i = 0; i < t->num_flows; i++) {
    const struct sluice_trace_flow *f = &t->flows[i];
    fprintf(out, "%u", (unsigned)f->id);
    for (uint32_t a = 0; a < f->num; a++)
      fprintf(out, ",%u,%u", (unsigned)f->accesses[a].stage, (unsigned)f->accesses[a].index);
    fputc('\n', out);
  }
  SLUICE_TRY(finish(out, path, error));
  out = create(t, dir, t->pattern, path, sizeof path, error);
  if (!out) return SLUICE_ERR_IO;
  fputs("port,pkt_size,flowid,time\n", out);
  for (uint32_t i = 0; i < t->num_packets; i++) {
    const struct sluice_trace_packet *p = &t->packets[i];
    fprintf(out, "%u,%u,%u,%u\n", (unsigned)p->port, (unsigned)p->bytes, (unsigned)p->id,
            (unsigned)p->time);
  }
  return finish(out, path, error);
}
