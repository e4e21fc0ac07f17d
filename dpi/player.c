// SPDX-License-Identifier: Apache-2.0
#include "player.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "lib/capture.h"
#include "lib/deal.h"
#include "driver/reconfig.h"
#include "lib/trace_loop.h"

enum {
  OVERSIZED_LEN = SLUICE_FRAME_MAX + 65,
  READ_AHEAD = 4096,    // packets queued at most when lanes are filled unevenly
  AHEAD_BYTES = 16384,  // more than a packet has
};

struct frame {
  struct frame *next;
  size_t len;
  uint64_t time_ns, number;  // number: from 0; messages count from 1 (drive_lane)
  uint64_t due;              // not before this cycle its last beat
  unsigned port;
  bool mark_bad;
  size_t gap_at;  // byte whose keep bit is cleared; SIZE_MAX: none
  uint8_t bytes[];
};

struct queue {
  struct frame *head, **tail;
};

struct lane {
  struct queue fresh, again;  // `again`: comes in once more, and before the fresh ones
  struct frame *now;          // the frame being sent
  size_t sent;                // bytes of it already driven
  uint64_t start;             // no beat before this cycle
};

struct player {
  const struct job *job;
  unsigned num_pipes, ports_per_lane;
  size_t beat_bytes;
  uint64_t ahead;  // cycles: more than the beats of a packet
  struct sluice_capture *capture;
  FILE *schedule;
  struct sluice_rng gaps, damage;
  struct lane lanes[MAX_PIPES];
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
  const unsigned num_pipes = config->NumPipes;
  struct player *p = calloc(1, sizeof *p);
  if (!p) {
    sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory");
    return NULL;
  }
  p->job = job;
  p->num_pipes = num_pipes;
  p->ports_per_lane = config->NumPorts / num_pipes;
  p->beat_bytes = config->BeatBytes;
  p->ahead = AHEAD_BYTES / p->beat_bytes;
  p->deal = (struct sluice_deal){.config = config, .hash = job->hash_lanes};
  for (unsigned l = 0; l < num_pipes; l++) {
    p->lanes[l].fresh.tail = &p->lanes[l].fresh.head;
    p->lanes[l].again.tail = &p->lanes[l].again.head;
  }
  sluice_rng_init(&p->gaps, job->seed, "gaps");
  sluice_rng_init(&p->damage, job->seed, "damage");
  if (job->schedule && !(p->schedule = fopen(job->schedule, "r"))) {
    sluice_fail(error, SLUICE_ERR_IO, "cannot open '%s'", job->schedule);
    player_close(p);
    return NULL;
  }
  if (job->recirculate &&
      !(p->loop = sluice_trace_loop_new(job->recirculate, num_pipes, p->ports_per_lane))) {
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

// One damaged packet in many ways; each is something a port may really deliver.
static struct frame *damaged(struct player *p, struct frame *f) {
  if (sluice_rng_unit(&p->damage) >= p->job->malformed) return f;
  switch (sluice_rng_below(&p->damage, 8)) {
    case 0: f->mark_bad = true; break;
    case 1: f->len = 1 + sluice_rng_below(&p->damage, 63); break;
    case 2: f->gap_at = sluice_rng_below(&p->damage, f->len - 1); break;
    case 3: f->bytes[12] ^= 0x01; break;  // not a VLAN tag
    case 4: f->bytes[14] ^= 0x0f; break;  // a module that nobody has
    case 5:                               // looks like reconfiguration
      f->bytes[16] = 0x08, f->bytes[17] = 0x00, f->bytes[27] = 0x11, f->bytes[40] = 0xf1,
      f->bytes[41] = 0xf2;
      break;
    case 6: {  // too long for the chip
      struct frame *g = calloc(1, sizeof *g + OVERSIZED_LEN);
      if (!g) break;
      memcpy(g, f, sizeof *f + f->len);
      g->len = OVERSIZED_LEN;
      free(f);
      return g;
    }
    default: f->len = 64 + sluice_rng_below(&p->damage, f->len - 63); break;  // cut, still legal
  }
  return f;
}

static size_t num_beats(const struct player *p, const struct frame *f) {
  return (f->len + p->beat_bytes - 1) / p->beat_bytes;
}

// Port and cycle of a packet by the schedule.
static bool scheduled(struct player *p, struct frame *f) {
  unsigned long long cycle;
  if (fscanf(p->schedule, "%u %llu", &f->port, &cycle) == 2 &&
      f->port < p->num_pipes * p->ports_per_lane) {
    f->due = p->horizon = p->ahead + cycle;
    return true;
  }
  sluice_fail(&p->error, SLUICE_ERR_FORMAT, "'%s' has no port and cycle for packet %llu",
              p->job->schedule, (unsigned long long)f->number + 1);
  p->ended = true;
  return false;
}

// Takes the next packet of the capture to a lane. Returns false at the end.
static bool take(struct player *p) {
  struct sluice_packet packet;
  if (p->ended) return false;
  if ((p->job->packets && p->taken == p->job->packets) ||
      sluice_capture_next(p->capture, &packet, &p->error) != SLUICE_OK || !packet.bytes) {
    p->ended = true;
    return false;
  }
  struct frame *f = calloc(1, sizeof *f + packet.len + 64 + 4);
  if (!f) {
    sluice_fail(&p->error, SLUICE_ERR_NOMEM, "out of memory");
    p->ended = true;
    return false;
  }
  // Packets without a tag belong to the modules in turn.
  unsigned vid = p->job->num_modules ? p->job->modules[p->next_vid++ % p->job->num_modules].vid : 1;
  f->len = sluice_frame_tag(f->bytes, packet.len + 68, packet.bytes, packet.len, vid, false);
  f->gap_at = SIZE_MAX;
  if (p->taken == 0) p->first_ns = p->last_ns = packet.time_ns;
  // A capture may have time stamps that fall. Its order counts: such a packet goes with the one
  // before it.
  if (packet.time_ns > p->last_ns) p->last_ns = packet.time_ns;
  f->time_ns = p->last_ns - p->first_ns;
  f->number = p->taken++;
  f = damaged(p, f);

  if (p->schedule && !scheduled(p, f)) {
    free(f);
    return false;
  }
  f->port =
      sluice_deal_port(&p->deal, p->schedule ? (int)f->port : packet.interface, f->bytes, f->len);
  const unsigned l = f->port / p->ports_per_lane;
  struct lane *lane = &p->lanes[l];
  if (p->loop) sluice_trace_loop_take(p->loop, f->number, l, f->bytes);
  append(p, &lane->fresh, f);
  return true;
}

// After a packet of n beats a lane rests so long that the share of busy cycles is the load, on
// average.
static uint64_t gap(struct player *p, size_t beats) {
  double mean = (double)beats * (1.0 - p->job->load) / p->job->load;
  if (mean <= 0.0) return 0;
  double success = 1.0 / (1.0 + mean);
  return (uint64_t)(log1p(-sluice_rng_unit(&p->gaps)) / log1p(-success));
}

// Whether a frame may begin in this cycle.
static bool may_begin(const struct player *p, const struct frame *f, uint64_t cycle) {
  if (p->job->by_time && (double)f->time_ns > (double)cycle * p->job->ns_per_cycle) return false;
  return cycle + num_beats(p, f) > f->due;
}

static void drive_lane(struct player *p, struct lane *lane, uint64_t cycle, struct beat *beat) {
  beat->valid = false;
  if (cycle < lane->start) return;
  if (!lane->now && lane->again.head) lane->now = remove_first(&lane->again);
  if (!lane->now && lane->fresh.head && may_begin(p, lane->fresh.head, cycle))
    lane->now = remove_first(&lane->fresh);
  struct frame *f = lane->now;
  if (!f) return;
  size_t left = f->len - lane->sent, here = left < p->beat_bytes ? left : p->beat_bytes;
  beat->valid = true;
  beat->last = left == here;
  beat->err = beat->last && f->mark_bad;
  beat->port = f->port;
  beat->number = f->number + 1;
  beat->keep = beat_keep(here);
  if (f->gap_at >= lane->sent && f->gap_at < lane->sent + here)
    beat->keep &= ~(UINT64_C(1) << (f->gap_at - lane->sent));
  memcpy(beat->data, f->bytes + lane->sent, here);
  memset(beat->data + here, 0xa5, p->beat_bytes - here);  // what is behind the end must not matter
  lane->sent += here;
  if (!beat->last) return;
  lane->start = cycle + 1 + gap(p, num_beats(p, f));
  lane->now = NULL;
  lane->sent = 0;
  p->queued--;
  p->sent++;
  free(f);
}

// Whether the capture is to be read on for a lane that has nothing to send. A schedule is read as
// far as its time has come: however long other lanes' queues are.
static bool read_on(const struct player *p, uint64_t cycle) {
  return p->schedule ? p->horizon <= cycle + p->ahead : p->queued < READ_AHEAD;
}

void player_drive(struct player *p, uint64_t cycle, struct beat *rx) {
  for (unsigned l = 0; l < p->num_pipes; l++) {
    while (!p->lanes[l].fresh.head && read_on(p, cycle) && take(p)) {}
    drive_lane(p, &p->lanes[l], cycle, &rx[l]);
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
  f->port = (unsigned)lane * p->ports_per_lane + (unsigned)(number % p->ports_per_lane);
  append(p, &p->lanes[lane].again, f);
}

bool player_done(const struct player *p) {
  return p->ended && p->queued == 0 && (!p->loop || sluice_trace_loop_open(p->loop) == 0);
}
uint64_t player_sent(const struct player *p) { return p->sent; }
const char *player_error(const struct player *p) { return p->error.text[0] ? p->error.text : NULL; }

void player_close(struct player *p) {
  if (!p) return;
  for (unsigned l = 0; l < p->num_pipes; l++) {
    free(p->lanes[l].now);
    while (p->lanes[l].again.head) free(remove_first(&p->lanes[l].again));
    while (p->lanes[l].fresh.head) free(remove_first(&p->lanes[l].fresh));
  }
  sluice_trace_loop_free(p->loop);
  sluice_capture_close(p->capture);
  if (p->schedule) fclose(p->schedule);
  free(p);
}
