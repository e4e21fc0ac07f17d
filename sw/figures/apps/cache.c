// SPDX-License-Identifier: Apache-2.0
#include "cache.h"

#include <stdlib.h>
#include <string.h>

#include "../../base/status.h"

enum { READ, WRITE, ETHERNET = 14, DEFAULT_REFILL = 8, NOBODY = -1 };
// Questions of writes have numbers of their own.
#define WRITES UINT32_C(0x80000000)

struct kv_cache {
  struct kv_cache_options options;
  struct active_client *client;
  uint32_t *asked;      // by key: questions
  uint32_t first, num;  // places
  int64_t *place;       // by place: the key that is to be there, or NOBODY
  int64_t *old;         // of the places before: what is to be written again
  uint32_t num_old, next_old;
  uint32_t id;
  uint64_t now;
  struct kv_cache_counts counts;
};

// Which place a key has, of `num`.
static uint32_t place_of(uint32_t n, uint32_t num) {
  uint32_t key[2];
  kv_key(n, key);
  return (uint32_t)((uint64_t)key[1] * num >> 32);
}
static uint32_t number_of(const uint32_t key[2]) { return key[0] - 1; }

static struct kv_message question_for(uint32_t n, uint32_t id) {
  struct kv_message m = {.what = KV_GET, .id = id};
  kv_key(n, m.key);
  return m;
}

static enum sluice_status send(struct kv_cache *c, unsigned program, uint32_t n, uint32_t id,
                               struct sluice_error *error) {
  uint8_t ip[KV_IP];
  const struct kv_message m = question_for(n, id);
  const uint32_t at = c->first + place_of(n, c->num), value = kv_value(m.key);
  struct active_args args = {{at, m.key[0], 0, 0}};
  if (c->options.wide) args = (struct active_args){{at, m.key[0], m.key[1], 0}};
  if (program == WRITE) args.data[c->options.wide ? 3 : 2] = value;
  kv_write_ip(&m, &c->options.ends, ip);
  return active_client_send(c->client, program, &args, ip, sizeof ip, error);
}

// ---- what is in it ------------------------------------------------------------------------------

static void write_entry(struct kv_cache *c, uint32_t n) {
  struct sluice_error error;
  c->place[place_of(n, c->num)] = n;
  // A write that is lost leaves a key that is not found, and is done again when it is asked for.
  if (send(c, WRITE, n, WRITES | n, &error) == SLUICE_OK) c->counts.writes++;
}

// The server has answered: the key takes the place of one that was asked for less often.
static void consider(struct kv_cache *c, uint32_t n) {
  if (!active_client_ready(c->client) || !c->num || n >= c->options.keys) return;
  const int64_t there = c->place[place_of(n, c->num)];
  if (there == NOBODY || there == n || c->asked[n] > c->asked[there]) write_entry(c, n);
}

static uint32_t *order_asked;  // of the comparison below; one thread
static int more_asked(const void *a, const void *b) {
  const uint32_t x = order_asked[*(const int64_t *)a], y = order_asked[*(const int64_t *)b];
  return x < y ? 1 : x > y ? -1 : 0;
}

static void forget(struct kv_cache *c) {
  free(c->place);
  free(c->old);
  c->place = c->old = NULL;
  c->num = c->num_old = c->next_old = 0;
}

// The places are others: what was in the cache is to be written again.
static void moved(struct kv_cache *c) {
  int64_t *kept = c->place;
  uint32_t num_kept = 0;
  for (uint32_t i = 0; i < c->num; i++)
    if (kept[i] != NOBODY) kept[num_kept++] = kept[i];
  free(c->old);
  c->old = kept;
  c->num_old = num_kept;
  c->next_old = 0;
  order_asked = c->asked;
  if (num_kept) qsort(kept, num_kept, sizeof *kept, more_asked);
  active_client_common(c->client, &c->first, &c->num);
  c->place = c->num ? malloc(c->num * sizeof *c->place) : NULL;
  if (!c->place) c->num = 0;
  for (uint32_t i = 0; i < c->num; i++) c->place[i] = NOBODY;
}

static void refill(struct kv_cache *c) {
  if (!active_client_ready(c->client) || !c->num) return;
  for (unsigned i = c->options.refill; i && c->next_old < c->num_old;) {
    const uint32_t n = (uint32_t)c->old[c->next_old++];
    const int64_t there = c->place[place_of(n, c->num)];
    if (there != NOBODY && c->asked[there] >= c->asked[n]) continue;
    write_entry(c, n);
    i--;
  }
}

// ---- the client ---------------------------------------------------------------------------------

static void changed(void *user, struct active_client *client, enum active_client_state before) {
  struct kv_cache *c = user;
  const enum active_client_state state = active_client_state(client);
  if (state == ACTIVE_ACTIVE && before != ACTIVE_SAVING && before != ACTIVE_MOVING) moved(c);
  if (state == ACTIVE_LOST || state == ACTIVE_RELEASING) forget(c);
}

// Over the link, or as the application does it.
static enum sluice_status send_plain(struct kv_cache *c, const struct kv_message *m,
                                     struct sluice_error *error) {
  uint8_t ip[KV_IP];
  if (c->options.plain) {
    c->options.plain(c->options.user, m, c->now);
    return SLUICE_OK;
  }
  kv_write_ip(m, &c->options.ends, ip);
  return active_client_plain(c->client, ip, sizeof ip, error);
}

static void came(void *user, struct active_client *client, const struct capsule *capsule,
                 const uint8_t *bytes, size_t len) {
  struct kv_cache *c = user;
  struct kv_message m;
  struct kv_ends ends;
  (void)client;
  const size_t head = capsule ? 0 : ETHERNET;
  if (len < head || !kv_read_ip(&m, &ends, bytes + head, len - head)) return;
  if (capsule && m.id & WRITES) return;  // it is stored
  if (capsule && capsule->kind != CAPSULE_IS_DONE) return;
  // The place is no longer there: what was read is what PRELOAD had put into MBR, the key itself,
  // and so it was found. The server knows.
  if (capsule && capsule->flags & CAPSULE_FAULT) {
    struct sluice_error error;
    c->counts.faults++;
    m = question_for(number_of(m.key), m.id);
    (void)!send_plain(c, &m, &error);
    return;
  }
  if (capsule) {
    m.what = KV_GET | KV_ANSWER;
    m.value = capsule->args.data[3];
  }
  if (m.what & KV_ANSWER) kv_cache_answer(c, &m, capsule != NULL, c->now);
}

void kv_cache_answer(struct kv_cache *c, const struct kv_message *m, bool from_cache,
                     uint64_t now) {
  c->now = now;
  if (from_cache) c->counts.hits++;
  else c->counts.misses++;
  c->counts.wrong += m->value != kv_value(m->key);
  if (!from_cache) consider(c, number_of(m->key));
  if (c->options.answered) c->options.answered(c->options.user, m, from_cache, now);
}

// ---- calls --------------------------------------------------------------------------------------

static enum sluice_status add_programs(struct kv_cache *c, struct sluice_error *error) {
  const char *const names[2][2] = {{"cache4_read", "cache4_write"}, {"cache_read", "cache_store"}};
  for (unsigned i = READ; i <= WRITE; i++) {
    struct app_program p;
    enum sluice_status status = app_load(&p, c->options.programs, names[c->options.wide][i],
                                         APP_PUBLISHED, c->options.client.shape, error);
    if (status) return status;
    const struct active_client_program program = {.program = &p.program, .preload = p.preload};
    if ((status = active_client_program(c->client, &program, error))) return status;
  }
  return SLUICE_OK;
}

enum sluice_status kv_cache_new(struct kv_cache **out, const struct kv_cache_options *options,
                                struct sluice_error *error) {
  struct kv_cache *c = calloc(1, sizeof *c);
  if (!c) return sluice_no_memory(error);
  c->options = *options;
  if (!c->options.refill) c->options.refill = DEFAULT_REFILL;
  struct active_client_options o = options->client;
  memset(o.demand, 1, options->wide ? 3 : 2);
  o.on_state = changed;
  o.on_packet = came;
  o.user = c;
  c->asked = calloc(options->keys ? options->keys : 1, sizeof *c->asked);
  enum sluice_status status = c->asked ? active_client_new(&c->client, &o, error)
                                       : sluice_no_memory(error);
  if (!status) status = add_programs(c, error);
  if (status) kv_cache_free(c);
  else *out = c;
  return status;
}

void kv_cache_free(struct kv_cache *c) {
  if (!c) return;
  active_client_free(c->client);
  forget(c);
  free(c->asked);
  free(c);
}

enum sluice_status kv_cache_start(struct kv_cache *c, uint64_t now, struct sluice_error *error) {
  c->now = now;
  return active_client_request(c->client, now, error);
}
void kv_cache_stop(struct kv_cache *c, uint64_t now) {
  c->now = now;
  active_client_release(c->client, now);
}

enum sluice_status kv_cache_get(struct kv_cache *c, uint32_t n, uint64_t now, uint32_t *id,
                                struct sluice_error *error) {
  *id = c->id++ & (WRITES - 1);
  c->now = now;
  c->counts.questions++;
  if (n < c->options.keys) c->asked[n]++;
  if (active_client_ready(c->client) && c->num) return send(c, READ, n, *id, error);
  const struct kv_message m = question_for(n, *id);
  return send_plain(c, &m, error);
}

void kv_cache_step(struct kv_cache *c, uint64_t now) {
  c->now = now;
  active_client_step(c->client, now);
  refill(c);
}

struct active_client *kv_cache_client(struct kv_cache *c) {
  return c->client;
}
bool kv_cache_has(const struct kv_cache *c, uint32_t n) {
  return c->num && c->place[place_of(n, c->num)] == n;
}
uint32_t kv_cache_size(const struct kv_cache *c) { return c->num; }
struct kv_cache_counts kv_cache_counts(const struct kv_cache *c) {
  struct kv_cache_counts counts = c->counts;
  counts.refill = c->num_old - c->next_old;
  return counts;
}
