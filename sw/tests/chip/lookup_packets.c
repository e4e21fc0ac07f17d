// SPDX-License-Identifier: Apache-2.0
// Jobs of sw/tests/rig/coflow_jobs.h as files, for the programs in sw/programs/coflow that look
// words up.
//
//   lookup_packets make analytics|triangles DIR SIZE SEED    DIR/entries.csv, DIR/in.pcapng
//   lookup_packets check analytics|triangles DIR SIZE SEED   compares DIR/out.pcapng
//
// SIZE: packets of rows; vertices, of which there are seven times as many edges.
#include <inttypes.h>
#include <stdio.h>

#include "lib/capture.h"
#include "tests/rig/closed.h"
#include "tests/rig/coflow_jobs.h"

static int failed(const char *what, const char *why) {
  fprintf(stderr, "lookup_packets: %s: %s\n", what, why);
  return 3;
}

static int make(const char *folder, const struct job *j) {
  char path[500];
  struct sluice_capture_writer *out;
  struct sluice_error error;
  snprintf(path, sizeof path, "%s/entries.csv", folder);
  FILE *csv = fopen(path, "w");
  if (!csv) return failed(path, "cannot be written");
  fprintf(csv, "word,action,data\n");
  for (unsigned i = 0; i < j->num_pairs; i++)
    fprintf(csv, "%" PRIu32 ",becomes,%" PRIu32 "\n", j->pair[i].key, j->pair[i].data);
  if (fclose(csv)) return failed(path, "cannot be written");
  snprintf(path, sizeof path, "%s/in.pcapng", folder);
  if (sluice_capture_create_ports(&out, path, JOB_PORTS, &error)) return failed(path, error.text);
  for (unsigned n = 0; n < j->num; n++)
    sluice_capture_write_at(out, j->packet[n].bytes, JOB_FRAME, n * 100, j->packet[n].port, NULL);
  return sluice_capture_finish(out, &error) ? failed(path, error.text) : 0;
}

static void show(const char *what, const uint8_t *bytes, int port) {
  fprintf(stderr, "  %s, port %d:", what, port);
  for (unsigned i = 44; i < JOB_FRAME; i++) fprintf(stderr, "%s%02x", i % 16 ? "" : " ", bytes[i]);
  fprintf(stderr, "\n");
}

static int check(const char *name, const char *folder, const struct job *j) {
  char path[500];
  struct sluice_capture *in;
  struct sluice_packet got;
  struct sluice_error error;
  unsigned came = 0, wanted = 0;
  uint64_t total = 0;
  bool *seen = calloc(j->num, sizeof *seen);
  if (!seen) return failed("memory", "none is left");
  for (unsigned n = 0; n < j->num; n++) wanted += j->packet[n].out != JOB_DROPPED;
  snprintf(path, sizeof path, "%s/out.pcapng", folder);
  if (sluice_capture_open(&in, path, &error)) return failed(path, error.text);
  while (sluice_capture_next(in, &got, &error) == SLUICE_OK && got.bytes) {
    const uint64_t number = got.len == JOB_FRAME ? sluice_get(got.bytes + JOB_FRAME - 4, 4)
                                                 : j->num;
    const struct job_packet *p = &j->packet[number < j->num ? number : 0];
    came++;
    if (number < j->num && !seen[number] && p->out == got.interface &&
        (p->any || memcmp(p->wanted, got.bytes, JOB_FRAME) == 0)) {
      seen[number] = true;
      if (!p->any && sluice_get(got.bytes + 46, 2) == JOB_ASK) total += job_total(got.bytes);
      continue;
    }
    fprintf(stderr, "packet %" PRIu64 " in port %u\n", number, p->port);
    show("wanted", p->wanted, p->out);
    show("came", got.bytes, got.interface);
    return 1;
  }
  sluice_capture_close(in);
  free(seen);
  if (came != wanted) {
    fprintf(stderr, "%u packets came, %u were wanted\n", came, wanted);
    return 1;
  }
  printf("%s: %u packets, %u came out, all right; %u entries; ", name, j->num, came, j->num_pairs);
  if (j->total) printf("%" PRIu64 " triangles, the host says %" PRIu64 "\n", total, j->total);
  else printf("%" PRIu64 " of %" PRIu64 " rows joined\n", j->matches, j->rows);
  return j->total && total != j->total;
}

int main(int argc, char **argv) {
  if (argc != 6) return failed("usage", "make|check analytics|triangles DIR SIZE SEED");
  const unsigned size = (unsigned)atoi(argv[4]);
  const uint64_t seed = strtoull(argv[5], NULL, 0);
  struct job job CLOSED_BY(job_release) = {0};
  if (strcmp(argv[2], "analytics") == 0) {
    job_analytics(&job, seed, size);
  } else {
    struct job_graph *g CLOSED_BY(freed) = job_graph_new(seed, size, 7 * size);
    job_superstep(&job, g, 1, size);
    job_ask(&job, g);
  }
  const int code = strcmp(argv[1], "make") == 0 ? make(argv[3], &job)
                                                : check(argv[2], argv[3], &job);
  return code;
}
