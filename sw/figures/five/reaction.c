// SPDX-License-Identifier: Apache-2.0
// A filter whose reaction blocks floods: packets of 250 sources, and now and then those of one
// more, which is too fast until the reaction has put an entry for it into the filter's table.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/rng.h"
#include "../../reaction/reactions.h"
#include "five.h"
#include "frames.h"

enum {
  LEN = 64,
  PORTS = 8,
  JITTER = 32,
  SOURCES = 250,
  RATE = 80,       // packets of the sources in 1,000 cycles: 2 % of what four lanes take
  FLOOD_GAP = 6,   // cycles between two packets of a flood
  FLOOD = 30000,   // cycles of a flood
  PERIOD = 60000,  // from the begin of a flood to that of the next
  FLOODS = 64,
  NOTE_FLOOD = 0x8000,  // in a packet's note: it is of a flood, and of which
};
// A source is too fast that sends more than a packet in 15 cycles.
static const char *const defines[][2] = {{"BUCKETS", "16"},      {"ENTRIES", "4"},
                                         {"LEAST", "1000"},      {"GAP", "15"},
                                         {"OUT", "(p.src & 7)"}, {NULL, NULL}};

static struct {
  struct reactions *rs;
  struct sluice_rng rng;
  uint64_t start, sent, next, flood_next, flood_end;
  unsigned floods;
  uint64_t began[FLOODS];
  uint32_t attacker;
  uint64_t runs, changes;
  unsigned num;
  uint32_t reach[1024];  // of dialogues that changed something: from the cut to behind the flip
} it;

static void packet(struct five_net *n, uint32_t src, unsigned port, uint64_t at, uint16_t note) {
  uint8_t bytes[LEN];
  five_udp(bytes, LEN, FIVE_FILTER, src, 0x0a010001, 1000, 2000);
  five_net_send(n, FIVE_FILTER, port, at, bytes, LEN, note);
}

static void feed(struct five_net *n, struct five_flow *f) {
  if (it.flood_next <= it.next) {
    packet(n, it.attacker, (unsigned)(it.flood_next % PORTS), it.flood_next,
           (uint16_t)(NOTE_FLOOD | (it.floods - 1)));
    it.flood_next += FLOOD_GAP;
    if (it.flood_next >= it.flood_end) it.flood_next = UINT64_MAX;
  } else {
    packet(n, 0x0a000100 + (uint32_t)sluice_rng_below(&it.rng, SOURCES),
           (unsigned)(it.sent % PORTS), it.next + sluice_rng_below(&it.rng, JITTER), 0);
    it.sent++;
    it.next = it.start + it.sent * 1000 / RATE;
  }
  if (it.floods < FLOODS && it.next >= it.start + PERIOD / 3 + it.floods * (uint64_t)PERIOD) {
    it.flood_next = it.began[it.floods] = it.next;
    it.flood_end = it.next + FLOOD;
    it.attacker = 0x0b000000 + 7 * ++it.floods;
  }
  f->next = it.next < it.flood_next ? it.next : it.flood_next;
}

static void say(void *user, unsigned vid, const char *name, const char *line) {
  (void)vid;
  if (!name) fprintf(stderr, "five: reaction: %s\n", line);
  else if (strstr(line, ": blocked"))
    five_happens(user, ((struct five_run *)user)->net->now, "blocked");
  else if (strstr(line, "quiet")) five_happens(user, ((struct five_run *)user)->net->now, "free");
}

enum sluice_status five_reaction_load(struct five_run *run, struct sluice_error *error) {
  struct sluice_image image = {.num_writes = 0};
  memset(&it, 0, sizeof it);
  if (!run->has[FIVE_REACTION]) return SLUICE_OK;
  const struct reactions_options options = {.limit = 60, .say = say, .user = run};
  enum sluice_status status =
      five_compile(run, &image, "sw/programs/reactions/block.dom", defines, error);
  if (!status) status = sluice_chip_load(run->net->chip, &image, FIVE_FILTER, error);
  if (!status) status = reactions_open(&it.rs, run->net->chip, &run->net->meter, &options, error);
  if (!status) status = reactions_add(it.rs, FIVE_FILTER, &image, NULL, error);
  sluice_image_release(&image);
  run->net->flow[FIVE_FILTER] = (struct five_flow){.name = "filter", .system = FIVE_REACTION};
  return status;
}

void five_reaction_start(struct five_run *run) {
  struct five_flow *f = &run->net->flow[FIVE_FILTER];
  if (!run->has[FIVE_REACTION]) return;
  it.start = it.next = run->start;
  it.flood_next = UINT64_MAX;
  sluice_rng_init(&it.rng, run->options->seed, "filter");
  f->next = run->start;
  f->feed = feed;
}

enum sluice_status five_reaction_step(struct five_run *run, bool *ran, struct sluice_error *error) {
  struct reaction_info info;
  *ran = false;
  if (!run->has[FIVE_REACTION]) return SLUICE_OK;
  const enum sluice_status status = reactions_step(it.rs, ran, error);
  if (status || !reactions_get(it.rs, 0, &info)) return status;
  if (info.errors)
    return sluice_fail(error, SLUICE_ERR_DIFFERS, "the reaction: %.300s", info.last_error);
  if (info.changes != it.changes && it.num < 1024)
    it.reach[it.num++] = info.last_flip - info.last_cut;
  it.runs = info.runs;
  it.changes = info.changes;
  return SLUICE_OK;
}

// From the begin of a flood until its first packet that did not come through.
static unsigned blocked_after(const struct five_run *run, uint32_t *cycles) {
  unsigned num = 0;
  bool seen[FLOODS] = {false};
  for (uint32_t i = 1; i <= run->net->num; i++) {
    const struct five_packet *p = &run->net->packets[i];
    const unsigned flood = p->note % NOTE_FLOOD;
    if (p->vid != FIVE_FILTER || !(p->note & NOTE_FLOOD) || p->copies || seen[flood]) continue;
    seen[flood] = true;
    cycles[num++] = p->due - (uint32_t)it.began[flood];
  }
  return num;
}

void five_reaction_finish(struct five_run *run) {
  struct five_result *r = &run->result[FIVE_REACTION];
  uint32_t cycles[FLOODS];
  unsigned long others = 0, flood = 0, through = 0;
  if (!run->has[FIVE_REACTION]) return;
  for (uint32_t i = 1; i <= run->net->num; i++) {
    const struct five_packet *p = &run->net->packets[i];
    if (p->vid != FIVE_FILTER) continue;
    if (!(p->note & NOTE_FLOOD)) others += !p->copies;
    else if (p->copies) through++;
    else flood++;
  }
  const unsigned num = blocked_after(run, cycles);
  five_figure(r, "dialogues", (double)it.runs, false);
  five_figure(r, "dialogues that changed the table", (double)it.changes, true);
  five_figure(r, "cut to flip, cycles, median", (double)five_quantile(it.reach, it.num, 0.5), true);
  five_figure(r, "floods", it.floods, true);
  five_figure(r, "floods blocked", num, true);
  five_figure(r, "flood to block, cycles, median", (double)five_quantile(cycles, num, 0.5), false);
  five_figure(r, "flood to block, cycles, most", (double)five_quantile(cycles, num, 1), false);
  five_figure(r, "packets of floods blocked", (double)flood, false);
  five_figure(r, "packets of floods that came through", (double)through, false);
  five_wrong(r, others, "packets of others were blocked");
  reactions_close(it.rs);
}
