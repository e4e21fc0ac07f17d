// SPDX-License-Identifier: Apache-2.0
#include "client.h"

#include <string.h>

#include "../base/bytes.h"
#include "../driver/plan/plan.h"
#include "../base/status.h"

enum { FRAME = 2048, STRIKES = 3, SHORTEST = 60, ETHERTYPE_IPV4 = 0x0800, VLAN = 0x8100 };
enum { DEFAULT_AGAIN = 100 };

struct program {
  struct active_program written, moved;
  bool preload;
  unsigned num_as;
  uint8_t as[CAPSULE_DEMANDS];
};

struct active_client {
  struct active_client_options options;
  struct sluice_alloc alloc;
  enum active_client_state state;
  uint64_t heard, next, sent;
  bool asked;             // something was sent since the last strike
  unsigned strikes;       // answers in a row that did not know the tenant
  bool has;               // there is an allocation: what follows
  uint16_t version, old;  // old: the version before it
  struct capsule_range ranges[CAPSULE_STAGES];
  unsigned num_accesses, stage[ACTIVE_MAX_INSTRS];  // of the first program
  unsigned num_programs;
  struct program program[ACTIVE_CLIENT_PROGRAMS];
  struct capsule_request request;
  // Words that are being asked for: of which access, and how many have come. access ==
  // num_accesses: none.
  unsigned access;
  uint32_t from;
  struct active_client_counts counts;
  struct sluice_error reason;
};

const char *active_client_state_name(enum active_client_state state) {
  static const char *const names[ACTIVE_NUM_STATES] = {
      "idle",    "requested", "waiting",   "active",   "saving", "moving",
      "filling", "refused",   "releasing", "released", "lost"};
  return state < ACTIVE_NUM_STATES ? names[state] : "?";
}

// ---- life ---------------------------------------------------------------------------------------

enum sluice_status active_client_new(struct active_client **out,
                                     const struct active_client_options *options,
                                     struct sluice_error *error) {
  if (!options->link || !options->link->send || !options->link->receive)
    return sluice_fail(error, SLUICE_ERR_RANGE, "client %u has no link", options->fid);
  if (!options->shape.stages || options->shape.stages > CAPSULE_STAGES)
    return sluice_fail(error, SLUICE_ERR_RANGE, "a chip of %u stages: 1 to %d are possible",
                       options->shape.stages, CAPSULE_STAGES);
  struct active_client *c = sluice_zeroed(options->alloc, sizeof *c);
  if (!c) return sluice_no_memory(error);
  c->options = *options;
  if (options->alloc) c->alloc = *options->alloc;
  if (!c->options.written.stages) c->options.written = c->options.shape;
  if (!c->options.passes) c->options.passes = 1;
  if (!c->options.again) c->options.again = DEFAULT_AGAIN;
  *out = c;
  return SLUICE_OK;
}

void active_client_free(struct active_client *c) {
  if (!c) return;
  const struct sluice_alloc alloc = c->alloc;
  sluice_resize(&alloc, c, sizeof *c, 0);
}

static bool has_asked(const struct active_client *c) {
  return c->state != ACTIVE_IDLE && c->state != ACTIVE_REFUSED && c->state != ACTIVE_RELEASED &&
         c->state != ACTIVE_LOST;
}

// The request, from the first program.
static enum sluice_status lead(struct active_client *c, const struct active_program *p,
                               struct sluice_error *error) {
  struct active_memidx m = active_memidx(p);
  // On a chip of ours a program can send its packet back from any stage.
  if (c->options.shape.rules == ACTIVE_RULES_CHIP) m.ingress_limit = -1;
  SLUICE_TRY(capsule_ask(&c->request, &m, p->num, c->options.demand, error));
  memcpy(c->request.sharded, c->options.sharded, sizeof c->request.sharded);
  c->num_accesses = m.num;
  return SLUICE_OK;
}

enum sluice_status active_client_program(struct active_client *c,
                                         const struct active_client_program *p,
                                         struct sluice_error *error) {
  unsigned positions[ACTIVE_MAX_INSTRS];
  if (has_asked(c))
    return sluice_fail(error, SLUICE_ERR_RANGE, "client %u has asked for its memory already",
                       c->options.fid);
  if (c->num_programs == ACTIVE_CLIENT_PROGRAMS)
    return sluice_fail(error, SLUICE_ERR_FULL, "a client has at most %d programs",
                       ACTIVE_CLIENT_PROGRAMS);
  struct program *new = &c->program[c->num_programs];
  *new = (struct program){.written = *p->program, .preload = p->preload, .num_as = p->num_as};
  memcpy(new->as, p->as, sizeof new->as);
  const unsigned num = active_accesses(p->program, positions);
  if (!c->num_programs) SLUICE_TRY(lead(c, p->program, error));
  if (!new->num_as && num <= CAPSULE_DEMANDS)
    for (unsigned i = 0; i < num; i++) new->as[new->num_as++] = (uint8_t)i;
  if (new->num_as != num)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "program %u has %u memory accesses, it is said where %u of them go",
                       c->num_programs, num, new->num_as);
  for (unsigned i = 0; i < num; i++)
    if (new->as[i] >= c->num_accesses)
      return sluice_fail(error, SLUICE_ERR_RANGE,
                         "access %u of program %u: the first program has %u", i, c->num_programs,
                         c->num_accesses);
  c->num_programs++;
  return SLUICE_OK;
}

// ---- what it says -------------------------------------------------------------------------------

static bool put(struct active_client *c, uint8_t *frame, size_t len) {
  if (len < SHORTEST) {
    memset(frame + len, 0, SHORTEST - len);
    len = SHORTEST;
  }
  return c->options.link->send(c->options.link->self, frame, len);
}

static bool no_address(const uint8_t *a) { return !(a[0] | a[1] | a[2] | a[3] | a[4] | a[5]); }

static struct capsule start(const struct active_client *c, unsigned flags) {
  struct capsule q = {.flags = (uint16_t)flags,
                      .fid = c->options.fid,
                      .seq = c->version,
                      .tagged = c->options.tagged,
                      .tci = c->options.tci};
  memcpy(q.addresses, c->options.gateway, 6);
  memcpy(q.addresses + 6, c->options.address, 6);
  return q;
}

static void say(struct active_client *c, const struct capsule *q, uint64_t *count) {
  uint8_t frame[FRAME];
  size_t len;
  struct capsule to = *q;
  ++*count;
  if (!no_address(c->options.controller)) memcpy(to.addresses, c->options.controller, 6);
  if (capsule_write(&to, NULL, 0, frame, sizeof frame, &len, NULL) == SLUICE_OK) put(c, frame, len);
}

static void say_request(struct active_client *c, bool release) {
  struct capsule q = start(c, CAPSULE_REQUEST);
  q.request = c->request;
  if (release) q.request.num = 0;
  for (unsigned i = 0; i < q.request.num; i++)
    if (q.request.sharded[i]) q.flags |= CAPSULE_EXTRA;
  say(c, &q, &c->counts.requests);
}
static void say_poll(struct active_client *c) {
  const struct capsule q = start(c, CAPSULE_POLL);
  say(c, &q, &c->counts.polls);
}
static void say_ack(struct active_client *c) {
  struct capsule q = start(c, CAPSULE_ARGS | CAPSULE_REMAPPED | CAPSULE_ACK);
  q.program = (struct active_program){1, {{0, SLUICE_OPCODE_NOP}}};
  say(c, &q, &c->counts.acks);
}
static void say_question(struct active_client *c) {
  struct capsule q = start(c, CAPSULE_POLL | CAPSULE_EXTRA);
  q.words = (struct capsule_words){
      .stage = (uint8_t)c->stage[c->access], .num = CAPSULE_WORDS, .first = c->from};
  say(c, &q, &c->counts.questions);
}

// ---- states -------------------------------------------------------------------------------------

static void enter(struct active_client *c, enum active_client_state state, uint64_t now) {
  const enum active_client_state before = c->state;
  c->state = state;
  c->strikes = 0;
  c->next = now;
  // The last word of the controller is news enough.
  if (state == ACTIVE_ACTIVE && c->options.alive) c->next = now + c->options.alive;
  if (c->options.on_state && state != before) c->options.on_state(c->options.user, c, before);
}

static bool asks_words(const struct active_client *c) { return c->access < c->num_accesses; }

// The next access whose stage was not asked about yet.
static void next_access(struct active_client *c) {
  bool again = true;
  for (c->from = 0; again && ++c->access < c->num_accesses;) {
    again = false;
    for (unsigned i = 0; i < c->access; i++) again |= c->stage[i] == c->stage[c->access];
  }
}

static void fill(struct active_client *c, uint64_t now) {
  enter(c, ACTIVE_FILLING, now);
  if (c->state == ACTIVE_FILLING && !asks_words(c) && !c->options.fills)
    enter(c, ACTIVE_ACTIVE, now);
}

static void save(struct active_client *c, uint64_t now) {
  enter(c, ACTIVE_SAVING, now);
  if (c->state == ACTIVE_SAVING && !c->options.saves) enter(c, ACTIVE_MOVING, now);
}

void active_client_saved(struct active_client *c, uint64_t now) {
  if (c->state == ACTIVE_SAVING) enter(c, ACTIVE_MOVING, now);
}
void active_client_filled(struct active_client *c, uint64_t now) {
  if (c->state != ACTIVE_FILLING) return;
  c->access = c->num_accesses;
  enter(c, ACTIVE_ACTIVE, now);
}

// ---- an allocation ------------------------------------------------------------------------------

static enum sluice_status check_passes(const struct active_client *c, unsigned n,
                                       struct sluice_error *error) {
  const unsigned num = c->program[n].moved.num,
                 passes = num ? active_pass(c->options.shape, num - 1) + 1 : 1;
  if (passes <= c->options.passes) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_RANGE,
                     "program %u takes %u passes where its memory is, it may have %u", n, passes,
                     c->options.passes);
}

// The programs go where the memory is: the first one to the set of stages, the others to those of
// its accesses.
static enum sluice_status move(struct active_client *c, const struct capsule_range *ranges,
                               struct sluice_error *error) {
  const struct active_shape shape = c->options.shape;
  struct active_mutation m;
  uint32_t set = 0;
  for (unsigned s = 0; s < CAPSULE_STAGES; s++)
    if (ranges[s].first || ranges[s].last) set |= 1u << s;
  for (unsigned n = 0; n < c->num_programs; n++) {
    struct program *p = &c->program[n];
    unsigned stages[CAPSULE_DEMANDS];
    for (unsigned i = 0; n && i < p->num_as; i++) stages[i] = c->stage[p->as[i]];
    enum sluice_status status =
        n ? active_mutate_stages(&p->written, shape, stages, p->num_as, &p->moved, &m, error)
          : active_mutate_set(&p->written, c->options.written, shape, set, &p->moved, &m, error);
    if (!status) status = check_passes(c, n, error);
    if (status) return status;
    for (unsigned i = 0; !n && i < m.num; i++) c->stage[i] = active_stage(shape, m.positions[i]);
  }
  return SLUICE_OK;
}

// Nobody need be asked: a request without demands would be a release.
static enum sluice_status without_memory(struct active_client *c, uint64_t now,
                                         struct sluice_error *error) {
  const struct capsule_range none[CAPSULE_STAGES] = {{0}};
  SLUICE_TRY(move(c, none, error));
  c->has = true;
  enter(c, ACTIVE_ACTIVE, now);
  return SLUICE_OK;
}

enum sluice_status active_client_request(struct active_client *c, uint64_t now,
                                         struct sluice_error *error) {
  if (!c->num_programs)
    return sluice_fail(error, SLUICE_ERR_RANGE, "client %u has no program", c->options.fid);
  if (has_asked(c))
    return sluice_fail(error, SLUICE_ERR_RANGE, "client %u is %s: it has asked already",
                       c->options.fid, active_client_state_name(c->state));
  c->has = false;
  c->heard = now;
  c->reason.text[0] = 0;
  if (!c->num_accesses) return without_memory(c, now, error);
  enter(c, ACTIVE_REQUESTED, now);
  active_client_tick(c, now);
  return SLUICE_OK;
}

void active_client_release(struct active_client *c, uint64_t now) {
  c->has = false;
  c->heard = now;
  if (!c->num_accesses) {
    enter(c, ACTIVE_RELEASED, now);
    return;
  }
  enter(c, ACTIVE_RELEASING, now);
  active_client_tick(c, now);
}

static void take(struct active_client *c, const struct capsule *a, uint64_t now) {
  const bool had = c->has;
  if (move(c, a->ranges, &c->reason)) {
    active_client_release(c, now);  // nothing can be done with it
    return;
  }
  c->old = c->version;
  c->version = a->seq;
  c->has = true;
  memcpy(c->ranges, a->ranges, sizeof c->ranges);
  c->counts.moves += had;
  c->access = had && c->options.snapshots ? 0 : c->num_accesses;
  c->from = 0;
  fill(c, now);
}

static bool newer(uint16_t a, uint16_t b) { return (int16_t)(a - b) > 0; }

static void answer(struct active_client *c, const struct capsule *a, uint64_t now) {
  const bool remapped = a->flags & CAPSULE_REMAPPED;
  c->strikes = 0;
  switch (c->state) {
    // A refusal that was none: an answer of before had come late.
    case ACTIVE_REFUSED:
    case ACTIVE_WAITING: take(c, a, now); break;
    case ACTIVE_ACTIVE:
    case ACTIVE_SAVING:
    case ACTIVE_MOVING:
    case ACTIVE_FILLING:
      if (newer(a->seq, c->version)) take(c, a, now);
      else if (a->seq != c->version) return;  // a late one
      else if (!remapped && (c->state == ACTIVE_SAVING || c->state == ACTIVE_MOVING))
        enter(c, ACTIVE_ACTIVE, now);  // who wanted the memory has given up
      break;
    // A request of before has come late: nobody uses the memory.
    case ACTIVE_RELEASED:
    case ACTIVE_LOST: active_client_release(c, now); return;
    case ACTIVE_IDLE:
    case ACTIVE_REQUESTED:
    case ACTIVE_RELEASING:
    case ACTIVE_NUM_STATES: return;
  }
  if (remapped && a->seq == c->version && (c->state == ACTIVE_ACTIVE || c->state == ACTIVE_FILLING))
    save(c, now);
}

// Neither memory nor a decision to come. One such answer may be late.
static void unknown(struct active_client *c, uint64_t now) {
  if (!c->asked) return;
  c->asked = false;
  if (++c->strikes < STRIKES) {
    if (c->next > c->sent + c->options.again) c->next = c->sent + c->options.again;
    return;
  }
  if (c->state == ACTIVE_WAITING) {
    sluice_fail(&c->reason, SLUICE_ERR_FULL, "the controller has no memory for program %u",
                c->options.fid);
    enter(c, ACTIVE_REFUSED, now);
  } else if (c->has) {
    sluice_fail(&c->reason, SLUICE_ERR_IO, "the controller does not know program %u any more",
                c->options.fid);
    c->has = false;
    enter(c, ACTIVE_LOST, now);
  }
}

static void echo(struct active_client *c, const struct capsule *a, uint64_t now) {
  if (c->state == ACTIVE_REQUESTED && a->request.num) {
    enter(c, ACTIVE_WAITING, now);
    active_client_tick(c, now);
  } else if (c->state == ACTIVE_RELEASING && !a->request.num) {
    enter(c, ACTIVE_RELEASED, now);
  } else if (c->state == ACTIVE_RELEASED && a->request.num) {
    active_client_release(c, now);  // one of before was late
  }
}

static void words(struct active_client *c, const struct capsule *a, uint64_t now) {
  const struct capsule_words *w = &a->words;
  if (c->state != ACTIVE_FILLING || !asks_words(c) || w->stage != c->stage[c->access] ||
      w->first != c->from)
    return;
  // Those of an older version were there before.
  const bool fresh = w->total && !newer(c->old, w->version) && newer(c->version, w->version);
  if (fresh && w->num && c->options.on_words) {
    const struct active_client_words part = {.access = c->access,
                                             .version = w->version,
                                             .address = w->address + w->first,
                                             .num = w->num,
                                             .values = w->word};
    c->options.on_words(c->options.user, c, &part);
    if (c->state != ACTIVE_FILLING) return;
  }
  c->from += w->num;
  if (!fresh || !w->num || c->from >= w->total) next_access(c);
  if (asks_words(c) || c->options.fills) c->next = now;
  else enter(c, ACTIVE_ACTIVE, now);
  if (asks_words(c)) active_client_tick(c, now);
}

// ---- frames and time ----------------------------------------------------------------------------

static void came_back(struct active_client *c, const struct capsule *a, const uint8_t *inner,
                      size_t len, uint64_t now) {
  c->counts.back++;
  if (a->flags & CAPSULE_FAULT) {
    c->counts.faults++;
    // The memory may have moved, and the message of it may be lost.
    if (c->state == ACTIVE_ACTIVE && c->next > c->sent + c->options.again)
      c->next = now > c->sent + c->options.again ? now : c->sent + c->options.again;
  }
  if (c->options.on_packet) c->options.on_packet(c->options.user, c, a, inner, len);
}

bool active_client_frame(struct active_client *c, const uint8_t *frame, size_t len, uint64_t now) {
  struct capsule a;
  if (!capsule_is(frame, len)) {
    if (len >= 14 && memcmp(frame, c->options.address, 6) == 0 && c->options.on_packet)
      c->options.on_packet(c->options.user, c, NULL, frame, len);
    return false;
  }
  if (capsule_read(&a, frame, len, NULL)) {
    c->counts.strange++;
    return false;
  }
  if (a.fid != c->options.fid) return false;
  const bool program = a.kind == CAPSULE_IS_PROGRAM || a.kind == CAPSULE_IS_DONE;
  if (!program) c->heard = now;
  switch (a.kind) {
    case CAPSULE_IS_REQUEST: echo(c, &a, now); break;
    case CAPSULE_IS_ANSWER: answer(c, &a, now); break;
    case CAPSULE_IS_POLL:
      if (a.flags & CAPSULE_PENDING) c->strikes = 0;
      else unknown(c, now);
      break;
    case CAPSULE_IS_WORDS:
      if (a.flags & CAPSULE_ALLOCATED) words(c, &a, now);
      break;
    case CAPSULE_IS_DONE:
    case CAPSULE_IS_PROGRAM: came_back(c, &a, frame + a.inner, len - a.inner, now); break;
  }
  return true;
}

// What is sent now; false: nothing, ever.
static bool due(struct active_client *c, uint64_t *until) {
  *until = c->options.again;
  switch (c->state) {
    case ACTIVE_REQUESTED: say_request(c, false); return true;
    case ACTIVE_RELEASING: say_request(c, true); return true;
    case ACTIVE_WAITING: say_poll(c); return true;
    case ACTIVE_MOVING:
      say_ack(c);
      say_poll(c);
      return true;
    case ACTIVE_FILLING:
      if (asks_words(c)) return say_question(c), true;
      break;
    case ACTIVE_ACTIVE:
    case ACTIVE_SAVING: break;
    case ACTIVE_IDLE:
    case ACTIVE_REFUSED:
    case ACTIVE_RELEASED:
    case ACTIVE_LOST:
    case ACTIVE_NUM_STATES: return false;
  }
  // The tenant is at home: from time to time the controller hears of it.
  if (!c->options.alive && !c->counts.faults) return false;
  if (!c->strikes && c->options.alive) *until = c->options.alive;
  say_poll(c);
  return true;
}

static void give_up(struct active_client *c, uint64_t now) {
  if (c->state == ACTIVE_RELEASING) {
    enter(c, ACTIVE_RELEASED, now);
    return;
  }
  sluice_fail(&c->reason, SLUICE_ERR_IO, "the controller does not answer program %u",
              c->options.fid);
  c->has = false;
  enter(c, ACTIVE_LOST, now);
}

void active_client_tick(struct active_client *c, uint64_t now) {
  uint64_t until;
  const bool hears = c->state == ACTIVE_ACTIVE || c->state == ACTIVE_SAVING ? c->options.alive != 0
                                                                            : has_asked(c);
  if (hears && c->options.patience && now - c->heard >= c->options.patience) give_up(c, now);
  if (now < c->next) return;
  if (!due(c, &until)) {
    c->next = UINT64_MAX;
    return;
  }
  c->asked = true;
  c->sent = now;
  c->next = now + until;
}

void active_client_step(struct active_client *c, uint64_t now) {
  uint8_t frame[FRAME];
  size_t len;
  while ((len = c->options.link->receive(c->options.link->self, frame, sizeof frame)))
    active_client_frame(c, frame, len, now);
  active_client_tick(c, now);
}

// ---- questions ----------------------------------------------------------------------------------

enum active_client_state active_client_state(const struct active_client *c) { return c->state; }
const char *active_client_reason(const struct active_client *c) { return c->reason.text; }
uint16_t active_client_version(const struct active_client *c) { return c->version; }
const struct active_client_counts *active_client_counts(const struct active_client *c) {
  return &c->counts;
}

bool active_client_range(const struct active_client *c, unsigned access,
                         struct active_client_range *range) {
  if (!c->has || access >= c->num_accesses) return false;
  const struct capsule_range *r = &c->ranges[c->stage[access]];
  *range = (struct active_client_range){c->stage[access], r->first, r->last, r->sharded};
  return true;
}

void active_client_common(const struct active_client *c, uint32_t *first, uint32_t *num) {
  struct active_client_range r;
  uint32_t low = 0, high = UINT32_MAX;
  for (unsigned i = 0; active_client_range(c, i, &r); i++) {
    if (r.first > low) low = r.first;
    if (r.last < high) high = r.last;
  }
  *first = low;
  *num = c->has && c->num_accesses && low <= high ? high - low + 1 : 0;
}

const struct active_program *active_client_moved(const struct active_client *c, unsigned program) {
  return c->has && program < c->num_programs ? &c->program[program].moved : NULL;
}

// ---- packets ------------------------------------------------------------------------------------

enum sluice_status active_client_send(struct active_client *c, unsigned program,
                                      const struct active_args *args, const uint8_t *ip, size_t len,
                                      struct sluice_error *error) {
  uint8_t frame[FRAME];
  size_t all;
  if (!c->has || program >= c->num_programs)
    return sluice_fail(error, SLUICE_ERR_RANGE, "client %u is %s: program %u cannot be sent",
                       c->options.fid, active_client_state_name(c->state), program);
  const struct program *p = &c->program[program];
  unsigned flags = CAPSULE_ARGS | (p->preload ? CAPSULE_PRELOAD : 0u);
  // As published: programs of a client that knows that its memory moves.
  if (c->state == ACTIVE_SAVING || c->state == ACTIVE_MOVING)
    flags |= CAPSULE_REMAPPED | CAPSULE_INITIATED;
  if (c->state == ACTIVE_FILLING) flags |= CAPSULE_INITIATED;
  struct capsule q = start(c, flags);
  q.args = *args;
  q.program = p->moved;
  SLUICE_TRY(capsule_write(&q, ip, len, frame, sizeof frame, &all, error));
  c->counts.programs++;
  if (!put(c, frame, all))
    return sluice_fail(error, SLUICE_ERR_IO, "the link of client %u takes no frame",
                       c->options.fid);
  return SLUICE_OK;
}

enum sluice_status active_client_plain(struct active_client *c, const uint8_t *ip, size_t len,
                                       struct sluice_error *error) {
  uint8_t frame[FRAME];
  const size_t type = 12 + (c->options.tagged ? 4 : 0);
  if (type + 2 + len > sizeof frame)
    return sluice_fail(error, SLUICE_ERR_FULL, "a packet of %zu bytes is too long", len);
  memcpy(frame, c->options.gateway, 6);
  memcpy(frame + 6, c->options.address, 6);
  frame[12] = VLAN >> 8;
  frame[13] = VLAN & 0xff;
  sluice_put16(frame + 14, c->options.tci);
  frame[type] = ETHERTYPE_IPV4 >> 8;
  frame[type + 1] = ETHERTYPE_IPV4 & 0xff;
  memcpy(frame + type + 2, ip, len);
  c->counts.plain++;
  if (!put(c, frame, type + 2 + len))
    return sluice_fail(error, SLUICE_ERR_IO, "the link of client %u takes no frame",
                       c->options.fid);
  return SLUICE_OK;
}
