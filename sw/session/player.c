// SPDX-License-Identifier: Apache-2.0
#include "player.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/capture.h"
#include "../lib/damage.h"
#include "../lib/deal.h"
#include "../lib/trace_loop.h"

enum {
  READ_AHEAD = 4096,    // packets queued at most when wires are filled unevenly
  AHEAD_BYTES = 16384,  // more than a packet has
};

struct player {
  const struct job *job;
  struct wires *wires;
  unsigned num_ports;
  uint64_t ahead;  // cycles: more than the beats of a packet
  struct sluice_capture *capture;
  FILE *schedule;
  struct sluice_rng damage;
  struct sluice_deal deal;
  struct sluice_trace_loop *loop;  // with job->recirculate
  uint64_t taken, first_ns, last_ns;
  uint64_t horizon;  // by the schedule, cycle of the last packet taken
  unsigned next_vid;
  bool ended;
  struct sluice_error error;
};

static bool next(void *user, uint64_t cycle);

static enum sluice_status open_files(struct player *p, const struct sluice_config *config,
                                     struct sluice_error *error) {
  const struct job *job = p->job;
  if (job->schedule && !(p->schedule = fopen(job->schedule, "r")))
    return sluice_fail(error, SLUICE_ERR_IO, "cannot open '%s': %s", job->schedule,
                       strerror(errno));
  if (job->recirculate && config->FastLanes)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "chip '%s' has fast ports: no packet comes in again by its lane",
                       config->name);
  if (job->recirculate && !(p->loop = sluice_trace_loop_new(
                                job->recirculate, sluice_num_wires(config), config->NumPorts)))
    return sluice_no_memory(error);
  p->ended = !job->capture;
  return p->ended ? SLUICE_OK : sluice_capture_open(&p->capture, job->capture, error);
}

struct player *player_open(const struct job *job, const struct sluice_config *config,
                           struct wires *wires, struct sluice_error *error) {
  struct player *p = calloc(1, sizeof *p);
  if (!p) {
    sluice_no_memory(error);
    return NULL;
  }
  p->job = job;
  p->wires = wires;
  p->num_ports = config->NumPorts;
  p->ahead = AHEAD_BYTES / config->BeatBytes;
  p->deal = (struct sluice_deal){.config = config, .hash = job->hash_lanes};
  sluice_rng_init(&p->damage, job->seed, "damage");
  if (open_files(p, config, error)) {
    player_close(p);
    return NULL;
  }
  wires_init(wires, config, job->seed);
  wires->load = job->load;
  wires->idle = job->idle;
  wires->next = next;
  wires->user = p;
  return p;
}

// With --malformed some packets come damaged.
static void damage(struct player *p, struct frame *f, size_t room) {
  if (sluice_rng_unit(&p->damage) >= p->job->malformed) return;
  const struct sluice_damage d = sluice_damage(&p->damage, f->bytes, f->len, room);
  f->len = d.len;
  f->mark_bad = d.mark_bad;
  f->gap_at = d.gap_at;
}

// Port and cycle of a packet by the schedule: its last beat goes in then.
static bool scheduled(struct player *p, struct frame *f) {
  unsigned long long cycle;
  if (fscanf(p->schedule, "%u %llu", &f->port, &cycle) == 2 && f->port < p->num_ports) {
    const unsigned streams = p->wires->streams;
    p->horizon = p->ahead + cycle;
    f->due = p->horizon + 1 - (wires_beats(p->wires, f->len) + streams - 1) / streams;
    return true;
  }
  sluice_fail(&p->error, SLUICE_ERR_FORMAT, "'%s' has no port and cycle for packet %llu",
              p->job->schedule, (unsigned long long)f->number);
  return false;
}

// A capture may have time stamps that fall. Its order counts: such a packet goes with the one
// before it.
static void by_time(struct player *p, struct frame *f, uint64_t time_ns) {
  if (f->number == 1) p->first_ns = p->last_ns = time_ns;
  if (time_ns > p->last_ns) p->last_ns = time_ns;
  if (!p->job->by_time) return;
  const double time = (double)(p->last_ns - p->first_ns), cycle = p->job->ns_per_cycle;
  uint64_t due = (uint64_t)(time / cycle);
  while (time > (double)due * cycle) due++;
  if (due > f->due) f->due = due;
}

// Takes the next packet of the capture. Returns NULL at the end.
static struct frame *take(struct player *p) {
  struct sluice_packet packet;
  if ((p->job->packets && p->taken == p->job->packets) ||
      sluice_capture_next(p->capture, &packet, &p->error) || !packet.bytes)
    return NULL;
  // A tag may come on top, and padding; damage may make a packet longer.
  const size_t tagged = packet.len + 64 + 4,
               room = tagged < SLUICE_DAMAGE_ROOM ? SLUICE_DAMAGE_ROOM : tagged;
  struct frame *f = wires_frame(room);
  if (!f) {
    sluice_no_memory(&p->error);
    return NULL;
  }
  // Packets without a tag belong to the modules in turn.
  unsigned vid = p->job->num_modules ? p->job->modules[p->next_vid++ % p->job->num_modules].vid : 1;
  f->len = sluice_frame_tag(f->bytes, room, packet.bytes, packet.len, vid, false);
  f->number = ++p->taken;
  damage(p, f, room);
  if (p->schedule && !scheduled(p, f)) {
    free(f);
    return NULL;
  }
  by_time(p, f, packet.time_ns);
  f->port =
      sluice_deal_port(&p->deal, p->schedule ? (int)f->port : packet.interface, f->bytes, f->len);
  if (p->loop)
    sluice_trace_loop_take(p->loop, f->number - 1, sluice_port_wire(p->deal.config, f->port),
                           f->bytes);
  return f;
}

// A schedule is read as far as its time has come: however long other wires' queues are.
static bool next(void *user, uint64_t cycle) {
  struct player *p = user;
  const bool more = p->schedule ? p->horizon <= cycle + p->ahead : p->wires->queued < READ_AHEAD;
  if (!more || p->ended) return false;
  struct frame *f = take(p);
  if (f) wires_append(p->wires, f, false);
  else p->ended = true;
  return f != NULL;
}

struct sluice_trace_loop *player_loop(const struct player *p) {
  return p->loop;
}

void player_left(struct player *p, uint64_t number, uint64_t cycle, const uint8_t *bytes,
                 size_t len) {
  struct frame *f = p->loop ? wires_frame(len) : NULL;
  if (!f) {
    if (p->loop) sluice_no_memory(&p->error);
    return;
  }
  memcpy(f->bytes, bytes, len);
  const int lane = sluice_trace_loop_left(p->loop, number - 1, cycle, f->bytes);
  if (lane < 0) {
    free(f);
    return;
  }
  f->len = len;
  f->number = number;
  const unsigned ports = sluice_wire_ports(p->deal.config, (unsigned)lane);
  f->port = sluice_wire_port(p->deal.config, (unsigned)lane, (unsigned)((number - 1) % ports));
  wires_append(p->wires, f, true);
}

bool player_done(const struct player *p) {
  return p->ended && p->wires->queued == 0 && (!p->loop || sluice_trace_loop_open(p->loop) == 0);
}
const char *player_error(const struct player *p) { return p->error.text[0] ? p->error.text : NULL; }

void player_close(struct player *p) {
  if (!p) return;
  sluice_trace_loop_free(p->loop);
  sluice_capture_close(p->capture);
  if (p->schedule) fclose(p->schedule);
  free(p);
}
