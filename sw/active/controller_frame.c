// SPDX-License-Identifier: Apache-2.0
// The published protocol of requests and polls.
#include <string.h>

#include "controller_inner.h"

enum { RESET = 255, LONGEST = 2048, ADDRESSES = 12, IPV4 = 20, IPV4_SOURCE = 12, IPV4_DEST = 16 };

struct talk {
  struct sluice_controller *c;
  uint64_t now;
  sluice_controller_send *send;
  void *user;
};

// ---- answers ------------------------------------------------------------------------------------

static enum sluice_status emit(const struct talk *t, const struct capsule *a, const uint8_t *inner,
                               size_t inner_len, struct sluice_error *error) {
  uint8_t frame[LONGEST];
  size_t len;
  CONTROLLER_TRY(capsule_write(a, inner, inner_len, frame, sizeof frame, &len, error));
  if (len < CAPSULE_SHORTEST) {
    memset(frame + len, 0, CAPSULE_SHORTEST - len);
    len = CAPSULE_SHORTEST;
  }
  t->send(t->user, frame, len);
  return SLUICE_OK;
}

// Back to its sender: Ethernet and IPv4 addresses change places.
static enum sluice_status reply(const struct talk *t, struct capsule *a, const uint8_t *frame,
                                size_t len, struct sluice_error *error) {
  uint8_t inner[LONGEST], swapped[ADDRESSES];
  const size_t inner_len = len - a->inner;
  if (inner_len > sizeof inner)
    return sluice_fail(error, SLUICE_ERR_FORMAT, "a frame of %zu bytes is too long", len);
  if (inner_len) memcpy(inner, frame + a->inner, inner_len);
  if (inner_len >= IPV4) {
    memcpy(inner + IPV4_SOURCE, frame + a->inner + IPV4_DEST, 4);
    memcpy(inner + IPV4_DEST, frame + a->inner + IPV4_SOURCE, 4);
  }
  memcpy(swapped, a->addresses + 6, 6);
  memcpy(swapped + 6, a->addresses, 6);
  memcpy(a->addresses, swapped, sizeof swapped);
  return emit(t, a, inner, inner_len, error);
}

static bool is_moved(const struct sluice_controller *c, unsigned fid) {
  return c->waiting && fid < c->ids && c->client[fid].moves;
}

static void fill_ranges(const struct sluice_controller *c, struct capsule *a) {
  struct sluice_controller_tenant tenant;
  a->flags = CAPSULE_POLL;
  a->seq = 0;
  memset(a->ranges, 0, sizeof a->ranges);
  if (c->waiting && c->request.fid == a->fid) a->flags |= CAPSULE_PENDING;
  if (!sluice_controller_find(c, a->fid, &tenant)) return;
  a->flags |= CAPSULE_ALLOCATED;
  if (is_moved(c, a->fid)) a->flags |= CAPSULE_REMAPPED;
  a->seq = tenant.version;
  for (unsigned s = 0; s < CAPSULE_STAGES; s++)
    if (tenant.range[s].valid)
      a->ranges[s] = (struct capsule_range){tenant.range[s].first, tenant.range[s].last,
                                            tenant.range[s].sharded};
}

// Saved words, from where the question says.
static void fill_words(const struct sluice_controller *c, struct capsule *a) {
  struct capsule_words *w = &a->words;
  struct sluice_controller_snapshot saved;
  const uint8_t stage = w->stage;
  const uint32_t first = w->first;
  const unsigned wanted = w->num < CAPSULE_WORDS ? w->num : CAPSULE_WORDS;
  a->flags = CAPSULE_POLL | CAPSULE_EXTRA | CAPSULE_ALLOCATED;
  a->seq = a->fid < c->ids ? c->version[a->fid] : 0;
  *w = (struct capsule_words){.stage = stage, .first = first};
  if (!sluice_controller_snapshot(c, a->fid, stage, &saved)) return;
  w->version = saved.version;
  w->total = saved.num;
  w->address = saved.first;
  for (; w->num < wanted && first < saved.num && w->num < saved.num - first; w->num++)
    w->word[w->num] = saved.values[first + w->num];
}

// What a resident must know without having asked.
static enum sluice_status notify(const struct talk *t, unsigned fid, struct sluice_error *error) {
  const struct controller_client *client = &t->c->client[fid];
  struct capsule a = {.fid = (uint16_t)fid, .tagged = client->tagged, .tci = client->tci};
  if (!client->known) return SLUICE_OK;
  memcpy(a.addresses, client->addresses, sizeof a.addresses);
  fill_ranges(t->c, &a);
  return emit(t, &a, NULL, 0, error);
}

// ---- changes ------------------------------------------------------------------------------------

// Everybody but `fid` whose version is not in `before` any more.
static enum sluice_status notify_changed(const struct talk *t, const uint16_t *before, unsigned fid,
                                         struct sluice_error *error) {
  struct sluice_controller *c = t->c;
  for (unsigned id = 0; id < c->ids; id++)
    if (id != fid && c->now.tenant[id] && c->version[id] != before[id])
      CONTROLLER_TRY(notify(t, id, error));
  return SLUICE_OK;
}

// The plan becomes the state, and who is concerned is told.
static enum sluice_status carry_out(const struct talk *t, const struct sluice_memory_plan *plan,
                                    struct sluice_error *error) {
  struct sluice_controller *c = t->c;
  struct sluice_controller_answer answer = {.fid = plan->fid};
  const size_t room = c->ids * sizeof *c->version;
  const unsigned fid = plan->fid;
  uint16_t *before = sluice_zeroed(&c->alloc, room);
  c->waiting = false;
  if (!before) {
    const enum sluice_status undone = sluice_allocator_undo(c->allocator, error);
    return undone ? undone : sluice_no_memory(error);
  }
  memcpy(before, c->version, room);
  enum sluice_status status = controller_carry_out(c, plan, &answer, error);
  if (!status) status = notify_changed(t, before, fid, error);
  sluice_resize(&c->alloc, before, room, 0);
  return status;
}

static bool is_dead(const struct talk *t, const struct controller_client *client) {
  const uint64_t dead = t->c->options.dead;
  return !client->known || (dead && t->now - client->heard >= dead);
}

static enum sluice_status go_on(const struct talk *t, struct sluice_error *error) {
  struct sluice_controller *c = t->c;
  if (!c->waiting) return SLUICE_OK;
  bool wait = false;
  for (unsigned i = 0; i < c->plan->num_moved; i++) {
    const struct controller_client *client = &c->client[c->plan->moved[i]];
    wait |= !client->acked && !is_dead(t, client);
  }
  if (wait && t->now < c->until) return SLUICE_OK;
  return carry_out(t, c->plan, error);
}

static bool is_refusal(enum sluice_status status) {
  return status == SLUICE_ERR_FULL || status == SLUICE_ERR_RANGE;
}

_Static_assert((int)CAPSULE_DEMANDS <= (int)SLUICE_MEMORY_ACCESSES &&
                   (int)CAPSULE_NO_LIMIT == (int)SLUICE_NO_INGRESS_LIMIT,
               "a request of a frame is one of the allocator");

static enum sluice_status admit(const struct talk *t, const struct capsule *q,
                                struct sluice_error *error) {
  struct sluice_controller *c = t->c;
  struct sluice_memory_request *r = &c->request;
  *r = (struct sluice_memory_request){.fid = q->fid,
                                      .length = q->request.length,
                                      .ingress_limit = q->request.ingress_limit,
                                      .num = q->request.num};
  for (unsigned i = 0; i < r->num; i++)
    r->access[i] = (struct sluice_memory_access){q->request.position[i], q->request.demand[i],
                                                 q->request.sharded[i]};
  c->reason.text[0] = 0;
  const enum sluice_status status = controller_plan(c, r, &c->plan, &c->reason);
  if (is_refusal(status)) return SLUICE_OK;
  if (status) return sluice_fail(error, status, "%s", c->reason.text);
  for (unsigned id = 0; id < c->ids; id++) c->client[id].acked = c->client[id].moves = false;
  for (unsigned i = 0; i < c->plan->num_moved; i++) c->client[c->plan->moved[i]].moves = true;
  c->waiting = c->plan->num_moved && c->options.wait;
  if (!c->waiting) return carry_out(t, c->plan, error);
  c->until = t->now + c->options.wait;
  for (unsigned i = 0; i < c->plan->num_moved; i++)
    CONTROLLER_TRY(notify(t, c->plan->moved[i], error));
  return go_on(t, error);
}

static enum sluice_status release(const struct talk *t, unsigned fid, struct sluice_error *error) {
  struct sluice_controller *c = t->c;
  const struct sluice_memory_plan *plan;
  struct sluice_controller_answer unused = {.fid = 0};
  if (fid >= c->ids || !c->now.tenant[fid]) return SLUICE_OK;
  CONTROLLER_TRY(controller_repair(c, &unused, error));
  CONTROLLER_TRY(sluice_allocator_release(c->allocator, (uint16_t)fid, &plan, error));
  return carry_out(t, plan, error);
}

static enum sluice_status decide(const struct talk *t, const struct capsule *q,
                                 struct sluice_error *error) {
  struct sluice_controller *c = t->c;
  if (q->fid == RESET) {
    unsigned num;
    while (sluice_controller_tenants(c, &num), num)
      CONTROLLER_TRY(release(t, sluice_controller_tenants(c, &num)[0], error));
    return SLUICE_OK;
  }
  if (!q->request.num) return release(t, q->fid, error);
  // Repeated, because the echo was lost.
  if (q->fid < c->ids && c->now.tenant[q->fid]) return SLUICE_OK;
  return admit(t, q, error);
}

// ---- frames -------------------------------------------------------------------------------------

static void hear(const struct talk *t, const struct capsule *q) {
  if (q->fid >= t->c->ids || q->fid == RESET) return;
  struct controller_client *client = &t->c->client[q->fid];
  client->known = true;
  client->heard = t->now;
  memcpy(client->addresses, q->addresses + 6, 6);
  memcpy(client->addresses + 6, q->addresses, 6);
  client->tagged = q->tagged;
  client->tci = q->tci;
}

static enum sluice_status request(const struct talk *t, struct capsule *q, const uint8_t *frame,
                                  size_t len, struct sluice_error *error) {
  struct sluice_controller *c = t->c;
  // One at a time: who is not echoed asks again.
  if (c->waiting && c->request.fid != q->fid) return SLUICE_OK;
  enum sluice_status status = SLUICE_OK;
  if (!c->waiting) status = decide(t, q, error);
  else if (!q->request.num) {  // it does not want any longer
    c->waiting = false;
    status = sluice_allocator_undo(c->allocator, error);
  }
  const enum sluice_status echoed = reply(t, q, frame, len, status ? NULL : error);
  return status ? status : echoed;
}

enum sluice_status sluice_controller_frame(struct sluice_controller *c, const uint8_t *frame,
                                           size_t len, uint64_t now, sluice_controller_send *send,
                                           void *user, struct sluice_error *error) {
  const struct talk t = {c, now, send, user};
  struct capsule q;
  CONTROLLER_TRY(capsule_read(&q, frame, len, error));
  hear(&t, &q);
  const uint16_t both = CAPSULE_REMAPPED | CAPSULE_ACK;
  if (is_moved(c, q.fid) && (q.flags & both) == both) c->client[q.fid].acked = true;
  CONTROLLER_TRY(go_on(&t, error));
  if (q.kind == CAPSULE_IS_REQUEST) return request(&t, &q, frame, len, error);
  if (q.kind == CAPSULE_IS_WORDS && !(q.flags & CAPSULE_ALLOCATED)) {
    fill_words(c, &q);
    return reply(&t, &q, frame, len, error);
  }
  if (q.kind != CAPSULE_IS_POLL) return SLUICE_OK;
  fill_ranges(c, &q);
  return reply(&t, &q, frame, len, error);
}

// Tenants that were silent for too long leave. Who came by a call, not by frames, stays.
static enum sluice_status expire(const struct talk *t, struct sluice_error *error) {
  struct sluice_controller *c = t->c;
  const uint64_t limit = c->options.expire;
  for (unsigned id = 0; limit && !c->waiting && id < c->ids; id++) {
    const struct controller_client *client = &c->client[id];
    if (!c->now.tenant[id] || !client->known || t->now - client->heard < limit) continue;
    CONTROLLER_TRY(release(t, id, error));
    c->client[id].known = false;
  }
  return SLUICE_OK;
}

enum sluice_status sluice_controller_tick(struct sluice_controller *c, uint64_t now,
                                          sluice_controller_send *send, void *user,
                                          struct sluice_error *error) {
  const struct talk t = {c, now, send, user};
  CONTROLLER_TRY(go_on(&t, error));
  return expire(&t, error);
}
