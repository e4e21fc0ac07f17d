// SPDX-License-Identifier: Apache-2.0
// What a run writes as it goes: what leaves, timeline, accesses, stories, events.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../base/hash.h"
#include "../lib/trace_loop.h"
#include "../model/events.h"
#include "batch.h"

enum {
  INTERVAL_CYCLES = 64,
  NS_PER_CYCLE = 1,  // of the time stamps in the output capture
};

static enum sluice_status open_text(FILE **file, const char *path, const char *heading,
                                    struct sluice_error *error) {
  *file = fopen(path, "w");
  if (!*file)
    return sluice_fail(error, SLUICE_ERR_IO, "cannot write '%s': %s", path, strerror(errno));
  fputs(heading, *file);
  return SLUICE_OK;
}

// Names as the cycle-level study reads them: PORTS_PIPELINES_STAGES_STATEFUL_ENTRIES_SIZE.
static enum sluice_status open_accesses(FILE **file, const char *dir, const char *what,
                                        const struct sluice_config *c, const char *heading,
                                        struct sluice_error *error) {
  char *path;
  if (asprintf(&path, "%s/%s_%u_%u_%u_%u_%u_0.csv", dir, what, c->NumPorts, c->NumPipes,
               c->BackStages, c->StateStages, c->StateEntries) < 0)
    return sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory");
  enum sluice_status status = open_text(file, path, heading, error);
  free(path);
  return status;
}

// With recirculation every access must be in the lane's pipeline, or the run has failed. The loop
// counts packets from 0, all else from 1.
static void pass_admitted(struct batch *b, const struct sluice_checker_admitted *a) {
  struct sluice_trace_loop *loop = player_loop(b->player);
  if (!loop) return;
  for (unsigned s = 0; s < b->config->BackStages; s++)
    if (a->result->access[s].resolved && a->result->access[s].pipe != a->lane && !b->error.text[0])
      sluice_fail(&b->error, SLUICE_ERR_RANGE,
                  "packet %llu in lane %u needs state of pipeline %u in stage %u: no pass may",
                  (unsigned long long)a->number, a->lane, a->result->access[s].pipe, s);
  sluice_trace_loop_admitted(loop, a->number - 1);
}

// A port of the lane, as a trace numbers them: in blocks, a lane's behind those of the lane before.
static unsigned first_trace_port(const struct sluice_config *c, unsigned port) {
  return sluice_port_wire(c, port) * (c->NumPorts / sluice_num_wires(c));
}

static void on_admitted(void *user, const struct sluice_checker_admitted *a) {
  struct batch *b = user;
  if (a->ticket == 0) b->first_packet_arrival = a->arrival;
  b->last_arrival = a->arrival;
  pass_admitted(b, a);
  uint64_t flow = sluice_flow_key(a->packet->bytes, a->packet->len);
  sluice_flows_admitted(b->flows_all, a->ticket, flow);
  sluice_flows_admitted(b->flows_by_lane, a->ticket, (flow ^ a->lane) * SLUICE_HASH64_PRIME);
  if (!b->flows) return;
  fprintf(b->flows, "%llu", (unsigned long long)a->ticket);
  for (unsigned s = 0; s < b->config->BackStages; s++) {
    const struct sluice_model_access *access = &a->result->access[s];
    // A number that names the entry and has its pipeline as home: slot x K + pipeline.
    if (access->resolved)
      fprintf(b->flows, ",%u,%u", s,
              (access->pinned ? 0 : access->slot) * b->config->NumPipes + access->pipe);
  }
  fprintf(b->flows, "\n");
  fprintf(b->packets, "%u,%u,%llu,%llu\n", first_trace_port(b->config, a->packet->port),
          a->packet->len, (unsigned long long)a->ticket,
          (unsigned long long)(a->arrival - b->first_packet_arrival));
}

static void on_sent(void *user, const struct sluice_checker_sent *sent) {
  struct batch *b = user;
  b->interval.bytes += sent->len;
  player_left(b->player, sent->number, b->m->cycle, sent->bytes, sent->len);
  if (!b->capture_out) return;
  // A pcapng file says the port, and where the packet comes from.
  char comment[200];
  char round[30] = "";
  if (sent->round) snprintf(round, sizeof round, ", round %u", sent->round);
  int len = snprintf(comment, sizeof comment, "packet %llu%s, ticket %llu, latency %llu cycles",
                     (unsigned long long)sent->number, round, (unsigned long long)sent->ticket,
                     (unsigned long long)(sent->first_cycle - sent->arrival));
  for (size_t m = 0; m < b->plan.num_modules && len > 0 && (size_t)len < sizeof comment; m++)
    if (b->plan.modules[m].row == sent->row)
      snprintf(comment + len, sizeof comment - (size_t)len, ", module %s (VLAN %u)",
               b->plan.modules[m].program, b->plan.modules[m].vid);
  sluice_capture_write_at(b->capture_out, sent->bytes, sent->len,
                          (sent->cycle - b->play_start) * NS_PER_CYCLE, sent->port, comment);
}

static void on_dropped(void *user, const struct sluice_checker_dropped *dropped) {
  const struct batch *b = user;
  struct sluice_trace_loop *loop = player_loop(b->player);
  if (loop) sluice_trace_loop_lost(loop, dropped->number - 1);
}

static void on_exit_of(void *user, uint32_t ticket) {
  struct batch *b = user;
  sluice_flows_left(b->flows_all, ticket, b->m->cycle);
  sluice_flows_left(b->flows_by_lane, ticket, b->m->cycle);
  b->interval.packets++;
}

// ---- stories ------------------------------------------------------------------------------------

static bool is_told(void *user, uint64_t number) {
  const struct job *job = &((const struct batch *)user)->job;
  size_t low = 0, high = job->num_told;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (number > job->told[middle].last) low = middle + 1;
    else high = middle;
  }
  return low < job->num_told && number >= job->told[low].first;
}

static void on_story(void *user, const char *story, size_t len) {
  FILE *file = ((const struct batch *)user)->story_file;
  fwrite(story, 1, len, file);
  fputc('\n', file);
}

// A line for each.
static enum sluice_status open_stories(struct batch *b) {
  SLUICE_TRY(open_text(&b->story_file, b->job.stories, "", &b->error));
  b->stories = (struct stories){
      .config = b->config, .wanted = is_told, .take = on_story, .user = b, .brief = b->job.brief};
  stories_watch(&b->stories, b->checker);
  return SLUICE_OK;
}

static bool stories_are_whole(struct batch *b) {
  if (!b->story_file) return true;
  const bool bad = ferror(b->story_file) || b->stories.failed;
  stories_drop(&b->stories);
  return fclose(b->story_file) == 0 && !bad;
}

struct sluice_checker_hooks batch_hooks(struct batch *b) {
  b->m->exit = on_exit_of;
  b->m->user = b;
  return (struct sluice_checker_hooks){
      .user = b, .admitted = on_admitted, .dropped = on_dropped, .sent = on_sent};
}

enum sluice_status batch_files_open(struct batch *b) {
  const struct job *job = &b->job;
  const struct sluice_config *c = b->config;
  enum sluice_status status = SLUICE_OK;
  b->interval.start = UINT64_MAX;
  if (job->out)
    status = sluice_capture_is_pcapng(job->out)
                 ? sluice_capture_create_ports(&b->capture_out, job->out, c->NumPorts, &b->error)
                 : sluice_capture_create(&b->capture_out, job->out, &b->error);
  if (!status && job->timeline)
    status = open_text(&b->timeline, job->timeline,
                       "# cycle\tdeepest order queue\tmean of the deepest\tpackets out\tbytes "
                       "out\twaiting in lanes\n",
                       &b->error);
  if (!status && job->events) {
    status = open_text(&b->told, job->events, "", &b->error);
    if (!status) sluice_checker_record(b->checker, b->told);
  }
  if (!status && job->accesses) {
    status = open_accesses(&b->flows, job->accesses, "flows", c,
                           "flowid,stage_num_1,state_in_stage_1,...\n", &b->error);
    if (!status)
      status = open_accesses(&b->packets, job->accesses, "packets", c,
                             "port,pkt_size,flowid,time\n", &b->error);
  }
  if (!status && job->stories) status = open_stories(b);
  return status;
}

void batch_cycle(struct batch *b) {
  struct interval *i = &b->interval;
  const struct monitored_seen *seen = &b->m->seen;
  if (!b->m->playing) return;
  if (i->start == UINT64_MAX) *i = (struct interval){.start = b->m->cycle};
  i->depth_sum += seen->depth;
  if (seen->depth > i->deepest) i->deepest = seen->depth;
  if (b->m->cycle - i->start + 1 < INTERVAL_CYCLES) return;
  if (b->timeline)
    fprintf(b->timeline, "%llu\t%u\t%.2f\t%llu\t%llu\t%llu\n",
            (unsigned long long)(i->start - b->play_start), i->deepest,
            (double)i->depth_sum / INTERVAL_CYCLES, (unsigned long long)i->packets,
            (unsigned long long)i->bytes, (unsigned long long)(seen->arrived - seen->disposed));
  *i = (struct interval){.start = b->m->cycle + 1};
}

void batch_files_close(struct batch *b) {
  struct sluice_error *error = &b->error, why = {""};
  FILE *const files[] = {b->timeline, b->flows, b->packets, b->told};
  for (unsigned i = 0; i < sizeof files / sizeof files[0]; i++)
    if (files[i] && fclose(files[i]) != 0)
      sluice_fail(error, SLUICE_ERR_IO, "cannot write all results: disk full?");
  if (sluice_capture_finish(b->capture_out, &why) && !error->text[0]) *error = why;
  if (!stories_are_whole(b) && !error->text[0])
    sluice_fail(error, SLUICE_ERR_IO, "cannot write all stories: disk or memory full?");
}
