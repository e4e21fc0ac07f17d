// SPDX-License-Identifier: Apache-2.0
#include "live.h"

#include <sluice/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/now.h"
#include "../driver/image/image.h"
#include "../session/session.h"
#include "../transport/filter.h"
#include "story.h"

enum {
  PORTS = 64,
  VIDS = 4096,
  BURST = 64,  // frames of a port, then the next one has its turn
  AHEAD = 2,   // turns' worth of beats that a lane may have waiting
  // Cycles of 4 turns are more than the longest packet's beats: an output queue shows itself
  QUIET_TURNS = 4,
  DRAIN_TURNS = 200000 / LIVE_TURN_CYCLES,
  CHANGES = 64,  // of links, that are kept
};

struct edge {
  bool connected, ended, gone;
  bool told;  // that it is gone
  struct live_spec spec;
  struct live_vlan vlan;
  struct live_port port;
  struct live_counts counts;
};

struct live {
  struct sluice_transport *to;
  struct sluice_filter paced;  // the chip's: as `to`, but for waiting, which is a turn
  struct sluice_chip *chip;
  const struct sluice_config *config;
  struct edge edges[PORTS];
  struct session session;
  unsigned first;       // port that is asked first in the next turn
  unsigned quiet;       // turns in which nothing moved
  bool moved;           // something has in this turn
  bool asleep, closed;  // closed: no frames are taken
  uint64_t unconnected;
  bool has_cpu;
  unsigned cpu_port;
  struct reactions *reactions;
  bool no_shares;
  struct sluice_image *images[VIDS];
  struct live_pace pace;
  struct live_change changes[CHANGES];
  unsigned first_change, num_changes;
  double opened;
  uint8_t frame[SLUICE_PACKET_MAX + 64], tagged[SLUICE_PACKET_MAX];
};

// ---- the chip's transport -----------------------------------------------------------------------

static enum sluice_status wait_in_turns(void *self, uint64_t cycles, struct sluice_error *error) {
  struct live *live = ((struct sluice_filter *)self)->user;
  enum sluice_status status = SLUICE_OK;
  while (!status && cycles) {
    const unsigned here = cycles < LIVE_TURN_CYCLES ? (unsigned)cycles : LIVE_TURN_CYCLES;
    status = live_turn(live, here, error);
    cycles -= here;
  }
  return status;
}

static enum sluice_status take_all(void *user, uint64_t cycles, struct sluice_error *error);
static enum sluice_status deliver(void *user, struct sluice_packet_out *p,
                                  struct sluice_error *error);

enum sluice_status live_open(struct live **out, struct sluice_transport *to, const char *chip,
                             struct sluice_error *error) {
  *out = NULL;
  struct live *live = calloc(1, sizeof *live);
  if (!live) return sluice_no_memory(error);
  live->to = to;
  live->opened = sluice_now();
  sluice_filter_init(&live->paced, to, live);
  live->paced.ops.wait = wait_in_turns;
  struct sluice_chip_info info;
  const enum sluice_status status = sluice_chip_open(
      &live->chip, &live->paced.to, &(struct sluice_chip_options){.chip = chip}, error);
  if (status) {
    live_close(live, NULL);
    return status;
  }
  sluice_chip_describe(live->chip, &info);
  live->config = sluice_config_find(info.name);
  live->session = (struct session){.to = live->to,
                                   .config = live->config,
                                   .chip = live->chip,
                                   .hooks = {.feed = take_all, .left = deliver},
                                   .user = live};
  *out = live;
  return SLUICE_OK;
}

struct sluice_chip *live_chip(struct live *live) {
  return live->chip;
}
const struct sluice_config *live_config(const struct live *live) { return live->config; }

void live_set_no_shares(struct live *live, bool no_shares) { live->no_shares = no_shares; }

bool live_no_shares(const struct live *live) { return live->no_shares; }

void live_set_reactions(struct live *live, struct reactions *reactions) {
  live->reactions = reactions;
}
struct reactions *live_reactions(const struct live *live) {
  return live->reactions;
}

// ---- stories ------------------------------------------------------------------------------------

void live_keep_image(struct live *live, unsigned vid, const struct sluice_image *image) {
  struct sluice_image **kept = &live->images[vid % VIDS];
  if (*kept) sluice_image_release(*kept);
  free(*kept);
  *kept = image ? calloc(1, sizeof **kept) : NULL;
  if (!*kept || sluice_image_copy(*kept, image, NULL)) return;
  free(*kept);
  *kept = NULL;
}

const struct sluice_image *live_image(const struct live *live, unsigned vid) {
  return live->images[vid % VIDS];
}

enum sluice_status live_tell(struct live *live, uint32_t packets, struct sluice_error *error) {
  if (live->to->ops->tell) return live->to->ops->tell(live->to->self, packets, error);
  return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                     "nobody watches this chip: only a simulated chip tells stories of packets");
}

static const struct sluice_image *image_for(void *user, unsigned vid) {
  return live_image(user, vid);
}

json_t *live_story(struct live *live) {
  char *text = live->to->ops->tell ? live->to->ops->story(live->to->self) : NULL;
  json_t *noted = text ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL, *told = NULL;
  if (noted) told = story_tell(noted, image_for, live, sluice_chip_plan(live->chip));
  json_decref(noted);
  if (text) live->to->ops->story_free(live->to->self, text);
  return told;
}

// ---- ports --------------------------------------------------------------------------------------

enum sluice_status live_connect(struct live *live, const struct live_spec *spec,
                                struct sluice_error *error) {
  struct edge *e = &live->edges[spec->port];
  if (e->connected || (live->has_cpu && live->cpu_port == spec->port))
    return sluice_fail(error, SLUICE_ERR_EXISTS, "port %u is connected twice", spec->port);
  const enum sluice_status status = spec->kind == LIVE_CPU ? live_cpu_port(live, spec->port, error)
                                                           : live_port_open(&e->port, spec, error);
  if (status) return status;
  e->spec = *spec;
  socklen_t size = sizeof e->spec.here;
  if (spec->kind == LIVE_UDP &&
      getsockname(e->port.fd, (struct sockaddr *)&e->spec.here, &size) != 0) {
    live_port_close(&e->port, NULL);
    return sluice_fail(error, SLUICE_ERR_IO, "port %u: which UDP port is it?", spec->port);
  }
  e->vlan = (struct live_vlan){.trunk = spec->trunk, .vid = spec->vid};
  e->connected = true;
  // nothing to be asked for frames
  e->ended = spec->kind == LIVE_CPU || (spec->kind == LIVE_CAPTURE && !spec->in[0]);
  live->asleep = false;
  return SLUICE_OK;
}

enum sluice_status live_cpu_port(struct live *live, unsigned port, struct sluice_error *error) {
  if (live->has_cpu)
    return sluice_fail(error, SLUICE_ERR_EXISTS, "port %u: port %u is the CPU port already", port,
                       live->cpu_port);
  if (port < PORTS && live->edges[port].connected)
    return sluice_fail(error, SLUICE_ERR_EXISTS, "port %u is connected twice", port);
  const enum sluice_status status = sluice_chip_cpu_port(live->chip, port, error);
  live->has_cpu = !status;
  live->cpu_port = port;
  return status;
}

enum sluice_status live_cpu_of_shape(struct live *live, struct sluice_error *error) {
  const unsigned port = sluice_config_cpu_port(live->config);
  const struct live_spec spec = {.port = port, .kind = LIVE_CPU, .trunk = true};
  if (port == live->config->NumPorts || live->has_cpu || live->edges[port].connected)
    return SLUICE_OK;
  return live_connect(live, &spec, error);
}

enum sluice_status live_cpu_put(struct live *live, const uint8_t *frame, size_t len,
                                struct sluice_error *error) {
  SLUICE_TRY(sluice_chip_cpu_send(live->chip, frame, len, error));
  session_note(&live->session, live->cpu_port, len);
  live->quiet = 0;
  live->asleep = false;
  live->edges[live->cpu_port].counts.in++;
  live->edges[live->cpu_port].counts.in_bytes += len;
  return SLUICE_OK;
}

static const struct edge *edge_of(const struct live *live, unsigned port) {
  return port < PORTS && live->edges[port].connected ? &live->edges[port] : NULL;
}
const struct live_spec *live_spec_of(const struct live *live, unsigned port) {
  const struct edge *e = edge_of(live, port);
  return e ? &e->spec : NULL;
}
bool live_counts_of(const struct live *live, unsigned port, struct live_counts *counts) {
  const struct edge *e = edge_of(live, port);
  if (!e) return false;
  *counts = e->counts;
  if (e->spec.kind == LIVE_CPU) {
    struct sluice_event_counts events;
    sluice_chip_event_counts(live->chip, &events);
    counts->out = events.events;
    counts->out_bytes = events.bytes;
    counts->not_taken = events.lost_events;
  }
  return true;
}
int live_fd(const struct live *live, unsigned port) {
  const struct edge *e = edge_of(live, port);
  return e && !e->gone && !e->ended ? e->port.fd : -1;
}
const char *live_gone(const struct live *live, unsigned port) {
  const struct edge *e = edge_of(live, port);
  return e && e->gone ? e->port.error : NULL;
}

// ---- links --------------------------------------------------------------------------------------

enum live_link_state live_link_of(const struct live *live, unsigned port) {
  const struct edge *e = edge_of(live, port);
  return e ? e->port.link.state : LIVE_LINK_NONE;
}
int live_link_fd(const struct live *live, unsigned port) {
  const struct edge *e = edge_of(live, port);
  return e && !e->told ? e->port.link.fd : -1;
}

static void note_change(struct live *live, unsigned port, enum live_link_state state) {
  if (live->num_changes == CHANGES) {
    live->first_change = (live->first_change + 1) % CHANGES;
    live->num_changes--;
  }
  live->changes[(live->first_change + live->num_changes++) % CHANGES] =
      (struct live_change){port, state, live->pace.cycles};
}

void live_look_at_links(struct live *live,
                        void (*say)(void *user, unsigned port, enum live_link_state state),
                        void *user) {
  for (unsigned p = 0; p < live->config->NumPorts; p++) {
    struct edge *e = &live->edges[p];
    if (!e->connected || e->told || !(live_link_changed(&e->port.link) || e->gone)) continue;
    // What the port's reads have found out stays.
    if (e->gone) e->port.link.state = LIVE_LINK_GONE;
    const enum live_link_state state = e->port.link.state;
    if (state == LIVE_LINK_GONE && !e->gone)
      snprintf(e->port.error, sizeof e->port.error, "the interface was removed");
    e->told = e->gone = state == LIVE_LINK_GONE;
    note_change(live, p, state);
    if (say) say(user, p, state);
  }
}

bool live_has_change(const struct live *live) { return live->num_changes != 0; }

bool live_next_change(struct live *live, struct live_change *change) {
  if (!live->num_changes) return false;
  *change = live->changes[live->first_change];
  live->first_change = (live->first_change + 1) % CHANGES;
  live->num_changes--;
  return true;
}

bool live_has_links(const struct live *live) {
  for (unsigned p = 0; p < live->config->NumPorts; p++) {
    const struct edge *e = edge_of(live, p);
    if (e && (e->spec.kind == LIVE_TAP || e->spec.kind == LIVE_INTERFACE)) return true;
  }
  return false;
}

double live_age(const struct live *live) { return sluice_now() - live->opened; }

uint64_t live_unconnected(const struct live *live) { return live->unconnected; }

// ---- a turn -------------------------------------------------------------------------------------

// One frame into the chip. *took: there was one, or the end of all.
static enum sluice_status take_one(struct live *live, struct edge *e, bool *took,
                                   struct sluice_error *error) {
  size_t len = 0, tagged = 0;
  const enum live_received received =
      e->port.ops->receive(&e->port, live->frame, sizeof live->frame, &len);
  *took = received == LIVE_FRAME || received == LIVE_TOO_LONG || received == LIVE_SEVERAL;
  e->ended |= received == LIVE_END;
  e->gone |= received == LIVE_GONE;
  if (!*took) return SLUICE_OK;
  const size_t room = live->to->frame_max < sizeof live->tagged ? live->to->frame_max
                                                                : sizeof live->tagged;
  const enum live_refusal refusal =
      received == LIVE_TOO_LONG ? LIVE_LONG
      : received == LIVE_SEVERAL
          ? LIVE_SEGMENTS
          : live_enter(&e->vlan, live->frame, len, live->tagged, room, &tagged);
  if (refusal != LIVE_FITS) {
    e->counts.refused[refusal]++;
    return SLUICE_OK;
  }
  e->counts.in++;
  e->counts.in_bytes += len;
  return session_put(&live->session, e->spec.port, live->tagged, tagged, error);
}

static enum sluice_status take_all(void *user, uint64_t cycles, struct sluice_error *error) {
  struct live *live = user;
  const unsigned ports = live->config->NumPorts;
  (void)cycles;
  if (live->closed) return SLUICE_OK;
  for (unsigned n = 0; n < ports; n++) {
    const unsigned port = (live->first + n) % ports;
    struct edge *e = &live->edges[port];
    bool took = e->connected;
    for (unsigned k = 0; took && k < BURST && !e->ended && !e->gone &&
                         session_waits(&live->session, port) < AHEAD * LIVE_TURN_CYCLES;
         k++) {
      SLUICE_TRY(take_one(live, e, &took, error));
      live->moved |= took;
    }
  }
  live->first = (live->first + 1) % ports;
  return SLUICE_OK;
}

static enum sluice_status deliver(void *user, struct sluice_packet_out *p,
                                  struct sluice_error *error) {
  struct live *live = user;
  struct edge *e = p->port < PORTS ? &live->edges[p->port] : NULL;
  const uint8_t *start;
  size_t len = p->len;
  (void)error;
  live->moved = true;
  if (!e || !e->connected) {
    live->unconnected++;
    return SLUICE_OK;
  }
  const enum live_refusal refusal = live_leave(&e->vlan, p->bytes, &len, &start);
  if (refusal != LIVE_FITS) e->counts.refused[refusal]++;
  else if (e->gone || !e->port.ops->send(&e->port, start, len, live->pace.cycles))
    e->counts.not_taken++;
  else {
    e->counts.out++;
    e->counts.out_bytes += len;
  }
  return SLUICE_OK;
}

// After some turns without movement: is the chip empty?
static enum sluice_status look_inside(struct live *live, struct sluice_error *error) {
  uint32_t inside = 1;
  if (session_waits_all(&live->session) || live->quiet < QUIET_TURNS) return SLUICE_OK;
  const enum sluice_status status = live->to->ops->csr_read(
      live->to->self, SLUICE_CHIP_BASE + SLUICE_CHIP_INSIDE, &inside, error);
  live->asleep = !status && !inside;
  return status;
}

enum sluice_status live_turn(struct live *live, unsigned cycles, struct sluice_error *error) {
  // While the chip is being opened there are no ports yet.
  if (!live->config) return live->to->ops->wait(live->to->self, cycles, error);
  const double start = sluice_now();
  struct sluice_event_counts before, after;
  live->moved = false;
  sluice_chip_event_counts(live->chip, &before);
  enum sluice_status status = session_pass(&live->session, cycles, error);
  sluice_chip_event_counts(live->chip, &after);
  live->quiet = live->moved || after.events != before.events ? 0 : live->quiet + 1;
  live->asleep = false;
  if (!status) status = look_inside(live, error);
  live->pace.cycles += cycles;
  live->pace.seconds += sluice_now() - start;
  return status;
}

bool live_asleep(const struct live *live) { return live->asleep; }
struct live_pace live_pace(const struct live *live) {
  return live->pace;
}

bool live_all_read(const struct live *live) {
  bool any = false;
  for (unsigned p = 0; p < live->config->NumPorts; p++) {
    const struct edge *e = &live->edges[p];
    if (e->connected && !e->ended && !e->gone) return false;
    any |= e->connected;
  }
  return any;
}

enum sluice_status live_drain(struct live *live, struct sluice_error *error) {
  enum sluice_status status = SLUICE_OK;
  live->closed = true;
  live->quiet = 0;
  live->asleep = false;
  for (unsigned n = 0; !status && n < DRAIN_TURNS && !live->asleep; n++)
    status = live_turn(live, LIVE_TURN_CYCLES, error);
  return status;
}

enum sluice_status live_pause(struct live *live, struct sluice_error *error) {
  enum sluice_status status = live_drain(live, error);
  if (!status && !live->asleep)
    status =
        sluice_fail(error, SLUICE_ERR_RANGE, "packets stay inside the chip though no frame comes");
  if (status) live_go_on(live);
  return status;
}

void live_go_on(struct live *live) {
  live->closed = false;
  live->quiet = 0;
  live->asleep = false;
}

enum sluice_status live_close(struct live *live, struct sluice_error *error) {
  enum sluice_status status = SLUICE_OK;
  if (!live) return SLUICE_OK;
  for (unsigned p = 0; p < PORTS; p++) {
    const enum sluice_status here =
        live->edges[p].connected ? live_port_close(&live->edges[p].port, status ? NULL : error)
                                 : SLUICE_OK;
    if (here) status = here;
  }
  for (unsigned vid = 0; vid < VIDS; vid++) live_keep_image(live, vid, NULL);
  sluice_chip_close(live->chip);
  free(live);
  return status;
}
