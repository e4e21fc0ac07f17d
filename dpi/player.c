// SPDX-License-Identifier: Apache-2.0
#include "player.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "lib/capture.h"
#include "lib/damage.h"
#include "lib/deal.h"
#include "driver/reconfig.h"
#include "lib/trace_loop.h"

enum {
  READ_AHEAD = 4096,    // packets queued at most when wires are filled unevenly
  AHEAD_BYTES = 16384,  // more than a packet has
};

struct frame {
  struct frame *next;
  size_t len;
  uint64_t time_ns, number;  // number: from 0; messages count from 1 (drive_stream)
  uint64_t due;              // not before this cycle its last beat
  unsigned port;
  bool mark_bad;
  size_t gap_at;  // byte whose keep bit is cleared; SIZE_MAX: none
  uint8_t bytes[];
};

struct queue {
  struct frame *head, **tail;
};

// A place of a wire is a cycle of one of its streams: place 7 of a wire of two is cycle 3,
// stream 1.
struct wire {
  struct queue fresh, again;  // `again`: comes in once more, and before the fresh ones
  struct frame *now;          // the frame being sent
  size_t sent;                // bytes of it already driven
  uint64_t start;             // no beat before this place
};

struct player {
  const struct job *job;
  unsigned num_wires, streams, ports_per_wire;  // streams: of a wire
  size_t beat_bytes;
  uint64_t ahead;  // cycles: more than the beats of a packet
  struct sluice_capture *capture;
  FILE *schedule;
  struct sluice_rng gaps, damage, idles;
  struct wire wires[MAX_PIPES];
  struct sluice_deal deal;
  struct sluice_trace_loop *loop;  // with job->recirculate
  uint64_t taken, sent, first_ns, last_ns;
  uint64_t horizon;  // by the schedule, cycle of the last packet taken
  unsigned queued, next_vid;
  bool ended;
  struct sluice_error error;
};

struct player *player_open(const struct job *job, const struct sluice_config *config,
                           struct sluice_error *error) {
  struct player *p = calloc(1, sizeof *p);
  if (!p) {
    sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory");
    return NULL;
  }
  p->job = job;
  p->num_wires = sluice_num_wires(config);
  p->streams = sluice_wire_lanes(config);
  p->ports_per_wire = sluice_wire_ports(config);
  p->beat_bytes = config->BeatBytes;
  p->ahead = AHEAD_BYTES / p->beat_bytes;
  p->deal = (struct sluice_deal){.config = config, .hash = job->hash_lanes};
  for (unsigned w = 0; w < p->num_wires; w++) {
    p->wires[w].fresh.tail = &p->wires[w].fresh.head;
    p->wires[w].again.tail = &p->wires[w].again.head;
  }
  sluice_rng_init(&p->gaps, job->seed, "gaps");
  sluice_rng_init(&p->damage, job->seed, "damage");
  sluice_rng_init(&p->idles, job->seed, "idles");
  if (job->schedule && !(p->schedule = fopen(job->schedule, "r"))) {
    sluice_fail(error, SLUICE_ERR_IO, "cannot open '%s': %s", job->schedule, strerror(errno));
    player_close(p);
    return NULL;
  }
  if (job->recirculate && config->FastLanes) {
    sluice_fail(error, SLUICE_ERR_RANGE,
                "chip '%s' has fast ports: no packet comes in again by its lane", config->name);
    player_close(p);
    return NULL;
  }
  if (job->recirculate &&
      !(p->loop = sluice_trace_loop_new(job->recirculate, p->num_wires, p->ports_per_wire))) {
    sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory");
    player_close(p);
    return NULL;
  }
  if (!job->capture) p->ended = true;
  else if (sluice_capture_open(&p->capture, job->capture, error)) {
    player_close(p);
    return NULL;
  }
  return p;
}

static void append(struct player *p, struct queue *queue, struct frame *f) {
  *queue->tail = f;
  queue->tail = &f->next;
  p->queued++;
}

static struct frame *remove_first(struct queue *queue) {
  struct frame *f = queue->head;
  queue->head = f->next;
  if (!queue->head) queue->tail = &queue->head;
  f->next = NULL;
  return f;
}

// With --malformed some packets come damaged.
static void damage(struct player *p, struct frame *f, size_t room) {
  if (sluice_rng_unit(&p->damage) >= p->job->malformed) return;
  const struct sluice_damage d = sluice_damage(&p->damage, f->bytes, f->len, room);
  f->len = d.len;
  f->mark_bad = d.mark_bad;
  f->gap_at = d.gap_at;
}

static size_t num_beats(const struct player *p, const struct frame *f) {
  return (f->len + p->beat_bytes - 1) / p->beat_bytes;
}

// Port and cycle of a packet by the schedule.
static bool scheduled(struct player *p, struct frame *f) {
  unsigned long long cycle;
  if (fscanf(p->schedule, "%u %llu", &f->port, &cycle) == 2 &&
      f->port < p->num_wires * p->ports_per_wire) {
    f->due = p->horizon = p->ahead + cycle;
    return true;
  }
  sluice_fail(&p->error, SLUICE_ERR_FORMAT, "'%s' has no port and cycle for packet %llu",
              p->job->schedule, (unsigned long long)f->number + 1);
  p->ended = true;
  return false;
}

// Takes the next packet of the capture to a wire. Returns false at the end.
static bool take(struct player *p) {
  struct sluice_packet packet;
  if (p->ended) return false;
  if ((p->job->packets && p->taken == p->job->packets) ||
      sluice_capture_next(p->capture, &packet, &p->error) != SLUICE_OK || !packet.bytes) {
    p->ended = true;
    return false;
  }
  // A tag may come on top, and padding; damage may make a packet longer.
  const size_t tagged = packet.len + 64 + 4,
               room = tagged < SLUICE_DAMAGE_ROOM ? SLUICE_DAMAGE_ROOM : tagged;
  struct frame *f = calloc(1, sizeof *f + room);
  if (!f) {
    sluice_fail(&p->error, SLUICE_ERR_NOMEM, "out of memory");
    p->ended = true;
    return false;
  }
  // Packets without a tag belong to the modules in turn.
  unsigned vid = p->job->num_modules ? p->job->modules[p->next_vid++ % p->job->num_modules].vid : 1;
  f->len = sluice_frame_tag(f->bytes, room, packet.bytes, packet.len, vid, false);
  f->gap_at = SIZE_MAX;
  if (p->taken == 0) p->first_ns = p->last_ns = packet.time_ns;
  // A capture may have time stamps that fall. Its order counts: such a packet goes with the one
  // before it.
  if (packet.time_ns > p->last_ns) p->last_ns = packet.time_ns;
  f->time_ns = p->last_ns - p->first_ns;
  f->number = p->taken++;
  damage(p, f, room);

  if (p->schedule && !scheduled(p, f)) {
    free(f);
    return false;
  }
  f->port =
      sluice_deal_port(&p->deal, p->schedule ? (int)f->port : packet.interface, f->bytes, f->len);
  const unsigned w = f->port / p->ports_per_wire;
  if (p->loop) sluice_trace_loop_take(p->loop, f->number, w, f->bytes);
  append(p, &p->wires[w].fresh, f);
  return true;
}

// Whether a frame may begin in this cycle.
static bool may_begin(const struct player *p, const struct frame *f, uint64_t cycle) {
  if (p->job->by_time && (double)f->time_ns > (double)cycle * p->job->ns_per_cycle) return false;
  return cycle + (num_beats(p, f) + p->streams - 1) / p->streams > f->due;
}

static void drive_stream(struct player *p, struct wire *wire, uint64_t cycle, unsigned stream,
                         struct beat *beat) {
  const uint64_t place = cycle * p->streams + stream;
  beat->valid = false;
  if (place < wire->start) return;
  if (p->job->idle > 0.0 && sluice_rng_unit(&p->idles) < p->job->idle) return;
  if (!wire->now && wire->again.head) wire->now = remove_first(&wire->again);
  if (!wire->now && wire->fresh.head && may_begin(p, wire->fresh.head, cycle))
    wire->now = remove_first(&wire->fresh);
  struct frame *f = wire->now;
  if (!f) return;
  size_t left = f->len - wire->sent, here = left < p->beat_bytes ? left : p->beat_bytes;
  beat->valid = true;
  beat->last = left == here;
  beat->err = beat->last && f->mark_bad;
  beat->port = f->port;
  beat->number = f->number + 1;
  beat->keep = beat_keep(here);
  if (f->gap_at >= wire->sent && f->gap_at < wire->sent + here)
    beat->keep &= ~(UINT64_C(1) << (f->gap_at - wire->sent));
  memcpy(beat->data, f->bytes + wire->sent, here);
  memset(beat->data + here, 0xa5, p->beat_bytes - here);  // what is behind the end must not matter
  wire->sent += here;
  if (!beat->last) return;
  wire->start = place + 1 + sluice_deal_gap(&p->gaps, p->job->load, num_beats(p, f));
  wire->now = NULL;
  wire->sent = 0;
  p->queued--;
  p->sent++;
  free(f);
}

// Whether the capture is to be read on for a wire that has nothing to send. A schedule is read as
// far as its time has come: however long other wires' queues are.
static bool read_on(const struct player *p, uint64_t cycle) {
  return p->schedule ? p->horizon <= cycle + p->ahead : p->queued < READ_AHEAD;
}

void player_drive(struct player *p, uint64_t cycle, struct beat *rx) {
  for (unsigned w = 0; w < p->num_wires; w++)
    for (unsigned s = 0; s < p->streams; s++) {
      while (!p->wires[w].fresh.head && read_on(p, cycle) && take(p)) {}
      drive_stream(p, &p->wires[w], cycle, s, &rx[w * p->streams + s]);
    }
}

struct sluice_trace_loop *player_loop(const struct player *p) {
  return p->loop;
}

void player_left(struct player *p, uint64_t number, uint64_t cycle, const uint8_t *bytes,
                 size_t len) {
  struct frame *f = p->loop ? calloc(1, sizeof *f + len) : NULL;
  if (!f) {
    if (p->loop) sluice_fail(&p->error, SLUICE_ERR_NOMEM, "out of memory");
    return;
  }
  memcpy(f->bytes, bytes, len);
  number--;  // from 0 in here
  int lane = sluice_trace_loop_left(p->loop, number, cycle, f->bytes);
  if (lane < 0) {
    free(f);
    return;
  }
  f->len = len;
  f->number = number;
  f->gap_at = SIZE_MAX;
  f->port = (unsigned)lane * p->ports_per_wire + (unsigned)(number % p->ports_per_wire);
  append(p, &p->wires[lane].again, f);
}

bool player_done(const struct player *p) {
  return p->ended && p->queued == 0 && (!p->loop || sluice_trace_loop_open(p->loop) == 0);
}
uint64_t player_sent(const struct player *p) { return p->sent; }
const char *player_error(const struct player *p) { return p->error.text[0] ? p->error.text : NULL; }

void player_close(struct player *p) {
  if (!p) return;
  for (unsigned w = 0; w < p->num_wires; w++) {
    free(p->wires[w].now);
    while (p->wires[w].again.head) free(remove_first(&p->wires[w].again));
    while (p->wires[w].fresh.head) free(remove_first(&p->wires[w].fresh));
  }
  sluice_trace_loop_free(p->loop);
  sluice_capture_close(p->capture);
  if (p->schedule) fclose(p->schedule);
  free(p);
}
