// SPDX-License-Identifier: Apache-2.0
// Monitor of recirculation: who has tokens, in which order packets enter their lane again, and what
// waits of the bus meanwhile.
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "monitor.h"

enum { TOKEN = 256 };

static uint64_t again_port(const struct sluice_checker *ck) {
  return ck->config->Recirculation ? UINT64_C(1) << ck->config->NumPorts : 0;
}

static void no_memory(struct sluice_checker *ck) {
  monitor_differ(ck, NULL, monitor_text("memory"), monitor_text("enough"),
                 monitor_text("none left"));
}

// ---- tokens -------------------------------------------------------------------------------------

static int64_t at_most(int64_t value, int64_t limit) { return value < limit ? value : limit; }
static int64_t at_least(int64_t value, int64_t limit) { return value > limit ? value : limit; }

// What a bucket may hold now. When its cycle of E begins is not known: the bounds are off by up to
// two times RATE.
static void refill(const struct sluice_checker *ck, struct monitor_bucket *b, uint32_t entry) {
  const uint64_t word = entry, period = ck->config->Banks * ck->config->NumModules;
  const int64_t rate = (int64_t)FIELD(&word, RECIRCULATE, RATE),
                full = TOKEN * (int64_t)FIELD(&word, RECIRCULATE, BURST);
  if (b->entry != entry) {
    b->most = at_least(b->most, full);
    b->least = 0;
    b->entry = entry;
    b->cycle = ck->now;
    return;
  }
  const int64_t times = (int64_t)(ck->now / period - b->cycle / period);
  b->most = at_most(b->most + times * rate, full);
  b->least = at_most(b->least + times * rate, full);
  b->cycle = ck->now;
}

static void check_token(struct sluice_checker *ck, const struct monitor_packet *p, bool unpaid) {
  const unsigned modules = reference_filter(ck)->modules,
                 row = p->bank * modules + p->bytes[15] % modules;
  const uint32_t entry = sluice_model_budget(ck->model, row);
  const uint64_t word = entry;
  const int64_t slack = 2 * (int64_t)FIELD(&word, RECIRCULATE, RATE);
  struct monitor_bucket *b = &ck->lane[p->lane].again.bucket[row];
  refill(ck, b, entry);
  if (unpaid && b->least - slack >= TOKEN)
    monitor_differ(ck, p, monitor_text("token of row %u", row), monitor_text("one"),
                   monitor_text("none"));
  if (unpaid) return;
  if (b->most + slack < TOKEN)
    monitor_differ(ck, p, monitor_text("token of row %u", row), monitor_text("none"),
                   monitor_text("one"));
  b->most = at_least(b->most - TOKEN, 0);
  b->least = at_least(b->least - TOKEN, 0);
}

void sluice_checker_unpaid(struct sluice_checker *ck, unsigned lane) {
  MONITOR_EVENT(ck, UNPAID, lane);
  ck->lane[lane].again.unpaid = true;
}

// ---- from the deparser to the lane --------------------------------------------------------------

void monitor_again_leaves(struct sluice_checker *ck, const struct monitor_packet *packet,
                          uint64_t accepted, uint64_t refused, bool unpaid) {
  const uint64_t port = again_port(ck);
  if (unpaid && !(refused & port))
    monitor_differ(ck, packet, monitor_text("token"), monitor_text("not asked for"),
                   monitor_text("none"));
  if (!((accepted | refused) & port)) return;
  check_token(ck, packet, unpaid);
  ck->report.recirculation_full += refused & port && !unpaid;
  if (!(accepted & port)) return;
  uint8_t bytes[SLUICE_MODEL_MAX_LEN];
  const struct sluice_model_packet left = {.bytes = packet->bytes, .len = packet->len};
  const unsigned len = reference_leave(ck, &left, &packet->result, bytes);
  struct monitor_packet *p = calloc(1, sizeof *p + len);
  if (!p) {
    no_memory(ck);
    return;
  }
  memcpy(p->bytes, bytes, len);
  p->number = packet->number;
  p->lane = packet->lane;
  p->len = len;
  p->recirculated = true;
  p->again = packet->result.again;
  p->port = p->again.port;
  p->again_ticket = packet->ticket;
  p->watched = packet->story != NULL;
  // One that entered in this cycle was still in the queue when this one came.
  const struct monitor_again *a = &ck->lane[p->lane].again;
  p->again.depth = a->num_packets + (ck->now && a->last_entered == ck->now);
  p->left = ck->now;
  monitor_push(&ck->lane[p->lane].again.packets, p);
  ck->lane[p->lane].again.num_packets++;
}

void sluice_checker_again(struct sluice_checker *ck, uint64_t cycle, unsigned lane, bool last,
                          uint32_t ticket) {
  MONITOR_EVENT(ck, AGAIN, cycle, lane, last, ticket);
  struct monitor_again *a = &ck->lane[lane].again;
  ck->now = cycle;
  a->entered = cycle + 1;
  if (!a->beats) a->first_cycle = cycle;
  a->beats++;
  if (!last) return;
  struct monitor_packet *p = monitor_pop(&a->packets);
  const unsigned beats = a->beats;
  a->beats = 0;
  if (!p || ((p->again_ticket ^ ticket) & 0xffffffu)) {
    monitor_differ(ck, p, monitor_text("recirculated packet of lane %u", lane),
                   p ? monitor_text("that of ticket %llu", (unsigned long long)p->again_ticket)
                     : monitor_text("none"),
                   monitor_text("one of ticket %u, modulo 2^24", (unsigned)ticket));
    if (!p) return;
  }
  if (beats != sluice_config_beats(ck->config, p->len))
    monitor_differ(ck, p, monitor_text("beats of a recirculated packet"),
                   monitor_text("%u", sluice_config_beats(ck->config, p->len)),
                   monitor_text("%u", beats));
  p->arrival = p->came = p->place = cycle;
  p->placed = true;
  p->again.delay = (uint32_t)(cycle - p->left);
  a->num_packets--;
  a->last_entered = cycle;
  ck->report.packets++;
  ck->report.bytes += p->len;
  ck->report.recirculated++;
  monitor_push(&ck->lane[lane].judged, p);
  if (p->watched) monitor_watch(ck, p, a->first_cycle);
}

// ---- the bus meanwhile --------------------------------------------------------------------------

// Whether a packet of the bus may give way now: a recirculated one waits for room, which it has
// when beside what waits of the bus there is room for the longest packet and one beat more.
static void check_way(struct sluice_checker *ck, unsigned lane) {
  const struct monitor_again *a = &ck->lane[lane].again;
  const unsigned longest = sluice_config_beats(ck->config, SLUICE_MODEL_MAX_LEN);
  unsigned places = 1;
  while (places < longest) places *= 2;
  if (a->num_packets == 0)
    monitor_differ(ck, NULL, monitor_text("a packet gives way on lane %u", lane),
                   monitor_text("for a recirculated one"), monitor_text("for none"));
  if (a->num_waiting + longest < places)
    monitor_differ(ck, NULL, monitor_text("a packet gives way on lane %u", lane),
                   monitor_text("for want of room"),
                   monitor_text("with %u beats waiting", a->num_waiting));
}

bool monitor_again_way(struct sluice_checker *ck, uint64_t cycle, unsigned lane,
                       const struct monitor_beat *beat) {
  struct monitor_again *a = &ck->lane[lane].again;
  struct monitor_assembly *w = &a->way;
  const bool begins = !a->inside, gives_way = a->gives_way;
  a->gives_way = false;
  a->inside = !beat->last;
  if (!begins && gives_way != w->open)
    monitor_differ(ck, NULL, monitor_text("a packet gives way on lane %u", lane),
                   monitor_text("all of it, or nothing"), monitor_text("a part"));
  if (!gives_way) {
    w->open = false;
    a->kept++;
    return false;
  }
  if (!w->open) {
    w->open = true, w->len = w->beats = 0, w->malformed = false, w->first_cycle = cycle;
    a->way_named = (beat->keep & 0xffff) == 0xffff;
    check_way(ck, lane);
  }
  // What is longer than the longest packet costs no more than that.
  a->gave += w->beats < sluice_config_beats(ck->config, SLUICE_MODEL_MAX_LEN);
  if (a->gave * 7 > a->kept)
    monitor_differ(
        ck, NULL, monitor_text("beats of lane %u that gave way", lane),
        monitor_text("at most one in eight, of %llu", (unsigned long long)(a->kept + a->gave)),
        monitor_text("%llu", (unsigned long long)a->gave));
  struct monitor_packet *p = monitor_join(ck, w, cycle, lane, beat);
  if (!p) return true;
  const bool tagged = a->way_named && p->bytes[12] == 0x81 && p->bytes[13] == 0;
  monitor_watch(ck, p, w->first_cycle);
  monitor_drop(ck, p, SLUICE_DROP_GAVE_WAY,
               tagged ? (int)(p->bytes[15] % reference_filter(ck)->modules) : -1);
  return true;
}

void sluice_checker_gives_way(struct sluice_checker *ck, unsigned lane) {
  MONITOR_EVENT(ck, GIVES_WAY, lane);
  ck->lane[lane].again.gives_way = true;
}

bool monitor_again_waits(struct sluice_checker *ck, unsigned lane,
                         const struct monitor_beat *beat) {
  struct monitor_again *a = &ck->lane[lane].again;
  if (!a->waiting && a->entered != ck->now + 1) return false;
  struct monitor_beat *b = malloc(sizeof *b);
  if (!b) {
    no_memory(ck);
    return false;
  }
  *b = *beat;
  b->next = NULL;
  if (a->waiting) a->tail->next = b;
  else a->waiting = b;
  a->tail = b;
  a->num_waiting++;
  return true;
}

void monitor_again_cycle(struct sluice_checker *ck) {
  for (unsigned l = 0; ck->config->Recirculation && l < ck->config->NumPipes; l++) {
    struct monitor_again *a = &ck->lane[l].again;
    struct monitor_beat *b = a->waiting;
    if (!b || a->entered == ck->now + 1) continue;
    a->waiting = b->next;
    a->num_waiting--;
    monitor_beat_in(ck, ck->now, l, b);
    free(b);
  }
}

bool monitor_again_idle(const struct sluice_checker *ck) {
  for (unsigned l = 0; l < ck->config->NumPipes; l++)
    if (ck->lane[l].again.packets.head || ck->lane[l].again.waiting) return false;
  return true;
}

void monitor_again_close(struct sluice_checker *ck) {
  for (unsigned l = 0; l < MONITOR_LANES; l++) {
    struct monitor_again *a = &ck->lane[l].again;
    for (struct monitor_packet *p = monitor_pop(&a->packets); p; p = monitor_pop(&a->packets))
      free(p);
    while (a->waiting) {
      struct monitor_beat *b = a->waiting;
      a->waiting = b->next;
      free(b);
    }
  }
}
