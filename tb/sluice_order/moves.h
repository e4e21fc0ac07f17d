// SPDX-License-Identifier: Apache-2.0
// Moves, as the model of the order point sees them: where every index lives after the moves that
// were sent so far (docs/moves.md). Part of model.c.

enum {
  MOVE_IDS = 4,
  MAX_HOMES = 8192,     // slots of a pipeline that are homes
  MAX_SPARES = 64,      // spare slots behind them
  MOVE_OUT = 10,        // first word of the move among the outputs
  LANDING_DELAY = 200,  // a value lands before so many cycles
};

struct place {
  int pipe, slot;
};

static struct {
  struct place at[MAX_S][MAX_K][MAX_HOMES];  // by home; slot 0 and pipe 0 of `away` only
  bool away[MAX_S][MAX_K][MAX_HOMES], moving[MAX_S][MAX_K][MAX_HOMES];
  struct place owner[MAX_S][MAX_SPARES];  // home of the index that has the spare slot
  bool owned[MAX_S][MAX_SPARES];
  struct {
    bool under_way;
    struct place home;
    int left;  // cycles until it lands
  } id[MAX_S][MOVE_IDS];
  int num_away, num_under_way, decided, landed, returned, again, spares_full, ids_full;
} mv;

static struct place lives(int s, struct place home) {
  return mv.away[s][home.pipe][home.slot] ? mv.at[s][home.pipe][home.slot] : home;
}

static void check_to(int s, struct place home, struct place from, struct place to) {
  const int spare = to.slot - cfg.slots;
  if (to.pipe < 0 || to.pipe >= cfg.K || to.pipe == from.pipe)
    fail("stage %d: move from pipeline %d to %d", s, from.pipe, to.pipe);
  if (to.pipe / set_size() != home.pipe / set_size())
    fail("stage %d: moved to another set, pipeline %d", s, to.pipe);
  if (to.slot < cfg.slots) {
    if (to.pipe != home.pipe || to.slot != home.slot)
      fail("stage %d: moved to a home that is not its own", s);
    return;
  }
  if (spare >= cfg.relocations) {
    fail("stage %d: no spare slot %d", s, spare);
    return;
  }
  if (to.pipe == home.pipe) fail("stage %d: in a spare slot of the pipeline of its home", s);
  if (from.slot >= cfg.slots && from.slot != to.slot) fail("stage %d: changed its spare slot", s);
  if (from.slot < cfg.slots && mv.owned[s][spare])
    fail("stage %d: spare slot %d has two owners", s, spare);
}

// A move that leaves in this cycle, behind the packets that do: `next` is the next ticket.
static void check_move(uint32_t next) {
  const uint32_t *o = outs + MOVE_OUT;
  if (!o[0]) return;
  const int s = (int)o[1], id = (int)o[2];
  const struct place from = {(int)o[4], (int)o[5]}, to = {(int)o[6], (int)o[7]};
  if (s >= cfg.S || from.pipe >= cfg.K || from.slot >= cfg.slots + cfg.relocations) {
    fail("move of nothing");
    return;
  }
  if (o[3] != (next & cfg.tag_mask)) fail("move with tag %u before ticket %u", o[3], next);
  const bool was_away = from.slot >= cfg.slots;
  if (was_away && !mv.owned[s][from.slot - cfg.slots]) {
    fail("stage %d: move from a spare slot that nobody has", s);
    return;
  }
  const struct place home = was_away ? mv.owner[s][from.slot - cfg.slots] : from;
  bool *away = &mv.away[s][home.pipe][home.slot], *moving = &mv.moving[s][home.pipe][home.slot];
  const struct place now = lives(s, home);
  if (now.pipe != from.pipe || now.slot != from.slot) fail("stage %d: moved from elsewhere", s);
  if (*moving) fail("stage %d: two moves of one index", s);
  if (mv.id[s][id].under_way) fail("stage %d: two moves with number %d", s, id);
  check_to(s, home, from, to);
  if (failed) return;
  *moving = true;
  mv.num_under_way++;
  mv.decided++;
  mv.id[s][id].under_way = true;
  mv.id[s][id].home = home;
  mv.id[s][id].left = chance(50) ? pick(20) : pick(LANDING_DELAY);
  if (to.slot < cfg.slots) {
    *away = false;
    mv.num_away--;
    mv.returned++;
    return;
  }
  mv.again += *away;
  mv.num_away += !*away;
  *away = true;
  mv.at[s][home.pipe][home.slot] = to;
  mv.owned[s][to.slot - cfg.slots] = true;
  mv.owner[s][to.slot - cfg.slots] = home;
}

// Lets values land, one a stage and cycle; in: words {valid, id} of the stages.
static void land(uint32_t *in) {
  for (int s = 0; s < cfg.S; s++) {
    int ready = -1, under_way = 0, owned = 0;
    for (int i = 0; i < MOVE_IDS; i++) {
      under_way += mv.id[s][i].under_way;
      if (mv.id[s][i].left > 0) mv.id[s][i].left--;
      if (mv.id[s][i].under_way && !mv.id[s][i].left && (ready < 0 || chance(50))) ready = i;
    }
    for (int e = 0; e < cfg.relocations; e++) owned += mv.owned[s][e];
    mv.ids_full += under_way == MOVE_IDS;
    mv.spares_full += owned == cfg.relocations;
    if (ready < 0) continue;
    const struct place home = mv.id[s][ready].home;
    mv.id[s][ready].under_way = false;
    mv.moving[s][home.pipe][home.slot] = false;
    mv.num_under_way--;
    mv.landed++;
    // At home its spare slot is free.
    for (int e = 0; e < cfg.relocations; e++)
      if (!mv.away[s][home.pipe][home.slot] && mv.owned[s][e] && mv.owner[s][e].pipe == home.pipe &&
          mv.owner[s][e].slot == home.slot)
        mv.owned[s][e] = false;
    in[2 * s] = 1;
    in[2 * s + 1] = (unsigned)ready;
  }
}

// Stages where an index is away or under way say so: from the move on, until a few cycles after the
// landing.
static void check_away(void) {
  static int waited[MAX_S];
  for (int s = 0; s < cfg.S; s++) {
    bool away = false;
    for (int e = 0; e < cfg.relocations; e++) away |= mv.owned[s][e];
    const bool told = outs[9] >> s & 1;
    waited[s] = told && !away ? waited[s] + 1 : 0;
    if (away && !told) fail("stage %d: indices are away, and it is not told", s);
    if (waited[s] > 200) fail("stage %d: nothing is away, and it is told", s);
  }
}

static bool all_at_home(void) { return !mv.num_away && !mv.num_under_way; }
