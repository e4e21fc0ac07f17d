// SPDX-License-Identifier: Apache-2.0
#include "runs.h"

#include <stdlib.h>
#include <string.h>

#include "../../base/bytes.h"
#include "../../base/status.h"
#include "../../active/crc.h"

enum { FRAME = 2048, ETHERNET = 14, ETHERTYPE_IPV4 = 0x0800, AGAIN = 400, PATIENCE = 2000 };
enum { TURN = 100 };

// ---- an application at port 0 -------------------------------------------------------------------

struct app {
  const struct app_run *run;
  struct active_client *client;
  uint64_t back, faults;
  struct capsule last;  // that came back
};

static void came(void *user, struct active_client *client, const struct capsule *capsule,
                 const uint8_t *bytes, size_t len) {
  struct app *a = user;
  (void)client;
  (void)bytes;
  (void)len;
  if (!capsule) return;
  a->back++;
  a->faults += (capsule->flags & CAPSULE_FAULT) != 0;
  a->last = *capsule;
}

static unsigned cycles(const struct app_run *run) { return run->turn ? run->turn : TURN; }

static struct active_client_options options_of(const struct app_run *run, unsigned gateway) {
  struct active_client_options o = {
      .fid = run->fid, .shape = run->shape, .passes = run->passes, .again = AGAIN};
  active_net_address(0, run->fid, o.address);
  active_net_address(gateway, run->fid, o.gateway);
  active_net_controller_address(run->net, o.controller);
  o.link = active_net_link(run->net, 0);
  return o;
}

static enum sluice_status open_app(struct app *a, const struct app_run *run, unsigned gateway,
                                   const uint8_t *demand, unsigned num,
                                   struct sluice_error *error) {
  struct active_client_options o = options_of(run, gateway);
  *a = (struct app){.run = run};
  memcpy(o.demand, demand, num);
  o.on_packet = came;
  o.user = a;
  return active_client_new(&a->client, &o, error);
}

static enum sluice_status add(struct app *a, const char *name, enum app_form form, unsigned num_as,
                              unsigned as, struct sluice_error *error) {
  struct app_program p;
  SLUICE_TRY(app_load(&p, a->run->programs, name, form, a->run->shape, error));
  const struct active_client_program program = {
      .program = &p.program, .preload = p.preload, .num_as = num_as, .as = {(uint8_t)as}};
  return active_client_program(a->client, &program, error);
}

static enum sluice_status turn(struct app *a, struct sluice_error *error) {
  active_client_step(a->client, active_net_now(a->run->net));
  SLUICE_TRY(active_net_turn(a->run->net, cycles(a->run), error));
  active_client_step(a->client, active_net_now(a->run->net));
  return SLUICE_OK;
}

static enum sluice_status wait_until_ready(struct app *a, struct sluice_error *error) {
  SLUICE_TRY(active_client_request(a->client, active_net_now(a->run->net), error));
  for (unsigned i = 0; i < PATIENCE && !active_client_ready(a->client); i++) {
    SLUICE_TRY(turn(a, error));
    if (active_client_state(a->client) == ACTIVE_REFUSED) break;
  }
  if (active_client_ready(a->client)) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_FULL, "program %u is %s: %.150s %.150s", a->run->fid,
                     active_client_state_name(active_client_state(a->client)),
                     active_client_reason(a->client),
                     sluice_controller_reason(active_net_controller(a->run->net)));
}

static enum sluice_status leave(struct app *a, struct sluice_error *error) {
  active_client_release(a->client, active_net_now(a->run->net));
  for (unsigned i = 0; i < PATIENCE && active_client_state(a->client) != ACTIVE_RELEASED; i++)
    SLUICE_TRY(turn(a, error));
  active_client_free(a->client);
  a->client = NULL;
  return SLUICE_OK;
}

static const uint8_t plain_ip[20] = {
    0x45, [3] = 20, [8] = 64, [12] = 10, [15] = 1, [16] = 10, [19] = 2};

// A program there and back; false in *ok: it has not come back, or with a fault.
static enum sluice_status there_and_back(struct app *a, unsigned program,
                                         const struct active_args *args, bool *ok,
                                         struct sluice_error *error) {
  const uint64_t back = a->back, faults = a->faults;
  SLUICE_TRY(active_client_send(a->client, program, args, plain_ip, sizeof plain_ip, error));
  for (unsigned i = 0; i < 20 && a->back == back; i++) SLUICE_TRY(turn(a, error));
  *ok = a->back == back + 1 && a->faults == faults;
  return SLUICE_OK;
}

// The words of an access, by a program that reads one and returns.
static enum sluice_status compare_words(struct app *a, unsigned access, unsigned program,
                                        const uint32_t *want, uint32_t num,
                                        struct app_result *result, struct sluice_error *error) {
  struct active_client_range r;
  if (!active_client_range(a->client, access, &r)) return SLUICE_OK;
  for (uint32_t i = 0; i < num && i <= r.last - r.first; i++) {
    bool ok;
    SLUICE_TRY(there_and_back(a, program, &(struct active_args){{r.first + i}}, &ok, error));
    result->words++;
    result->differences += !ok || a->last.args.data[3] != want[i];
  }
  return SLUICE_OK;
}

// ---- memory -------------------------------------------------------------------------------------

static enum sluice_status memory(struct app *a, struct app_result *result,
                                 struct sluice_error *error) {
  struct active_client_range r;
  bool ok;
  SLUICE_TRY(add(a, "read_back", APP_PUBLISHED, 0, 0, error));
  SLUICE_TRY(add(a, "write_back", APP_PUBLISHED, 0, 0, error));
  SLUICE_TRY(wait_until_ready(a, error));
  if (!active_client_range(a->client, 0, &r)) return SLUICE_OK;
  const uint32_t num = r.last - r.first + 1;
  uint32_t *want = calloc(num, sizeof *want);
  if (!want) return sluice_no_memory(error);
  enum sluice_status status = SLUICE_OK;
  for (uint32_t i = 0; i < num && !status; i++) {
    want[i] = i * UINT32_C(2654435761) + 1;
    status = there_and_back(a, 1, &(struct active_args){{r.first + i, want[i]}}, &ok, error);
    result->differences += !ok;
    result->packets++;
  }
  if (!status) status = compare_words(a, 0, 0, want, num, result, error);
  free(want);
  if (status) return status;
  SLUICE_TRY(there_and_back(a, 0, &(struct active_args){{r.last + 1}}, &ok, error));
  result->differences += ok;
  result->packets += result->words + 1;
  result->figure = num;
  return SLUICE_OK;
}

enum sluice_status app_run_memory(const struct app_run *run, struct app_result *result,
                                  struct sluice_error *error) {
  struct app a;
  memset(result, 0, sizeof *result);
  SLUICE_TRY(open_app(&a, run, 1, (const uint8_t[]){1}, 1, error));
  const enum sluice_status status = memory(&a, result, error);
  const enum sluice_status left = leave(&a, status ? NULL : error);
  return status ? status : left;
}

// ---- cache --------------------------------------------------------------------------------------

void kv_station_step(struct kv_station *s) {
  uint8_t frame[FRAME], out[ETHERNET + KV_IP];
  size_t len;
  while ((len = s->link->receive(s->link->self, frame, sizeof frame))) {
    struct capsule c;
    struct kv_message q, a;
    struct kv_ends e;
    size_t at = ETHERNET;
    if (capsule_is(frame, len)) {
      if (capsule_read(&c, frame, len, NULL)) continue;
      at = c.inner;
    }
    if (!kv_read_ip(&q, &e, frame + at, len - at) || !kv_serve(s->store, &q, &a)) continue;
    const struct kv_ends back = {e.dest, e.source, e.dport, e.sport};
    memcpy(out, frame + 6, 6);
    memcpy(out + 6, frame, 6);
    out[12] = ETHERTYPE_IPV4 >> 8;
    out[13] = ETHERTYPE_IPV4 & 0xff;
    kv_write_ip(&a, &back, out + ETHERNET);
    s->link->send(s->link->self, out, sizeof out);
  }
}

struct asked {
  bool came, from_cache;
};
static void answered(void *user, const struct kv_message *answer, bool from_cache, uint64_t now) {
  struct asked *asked = user;
  (void)answer;
  (void)now;
  *asked = (struct asked){true, from_cache};
}

struct cache_run {
  const struct app_run *run;
  struct kv_cache *cache;
  struct kv_station station;
  struct app_zipf zipf;
  struct asked asked;
};

static enum sluice_status cache_turn(struct cache_run *r, struct sluice_error *error) {
  kv_cache_step(r->cache, active_net_now(r->run->net));
  kv_station_step(&r->station);
  SLUICE_TRY(active_net_turn(r->run->net, cycles(r->run), error));
  kv_station_step(&r->station);
  kv_cache_step(r->cache, active_net_now(r->run->net));
  return SLUICE_OK;
}

static enum sluice_status cache(struct cache_run *r, unsigned questions, struct app_result *result,
                                struct sluice_error *error) {
  uint32_t id;
  SLUICE_TRY(kv_cache_start(r->cache, active_net_now(r->run->net), error));
  for (unsigned i = 0; i < PATIENCE && !active_client_ready(kv_cache_client(r->cache)); i++)
    SLUICE_TRY(cache_turn(r, error));
  if (!active_client_ready(kv_cache_client(r->cache)))
    return sluice_fail(error, SLUICE_ERR_FULL, "the cache gets no memory: %s",
                       active_client_reason(kv_cache_client(r->cache)));
  for (unsigned q = 0; q < questions; q++) {
    const uint32_t n = app_zipf(&r->zipf);
    const bool has = kv_cache_has(r->cache, n);
    r->asked = (struct asked){false, false};
    SLUICE_TRY(kv_cache_get(r->cache, n, active_net_now(r->run->net), &id, error));
    for (unsigned i = 0; i < 40 && !r->asked.came; i++) SLUICE_TRY(cache_turn(r, error));
    SLUICE_TRY(cache_turn(r, error));  // what is written is there
    result->differences += !r->asked.came || r->asked.from_cache != has;
  }
  const struct kv_cache_counts c = kv_cache_counts(r->cache);
  result->packets = active_client_counts(kv_cache_client(r->cache))->programs;
  result->differences += c.wrong + (c.hits + c.misses != questions);
  result->figure = (double)c.hits / questions;
  kv_cache_stop(r->cache, active_net_now(r->run->net));
  for (unsigned i = 0; i < 20; i++) SLUICE_TRY(cache_turn(r, error));
  return SLUICE_OK;
}

enum sluice_status app_run_cache(const struct app_run *run, unsigned questions, uint32_t keys,
                                 double zipf, bool wide, struct app_result *result,
                                 struct sluice_error *error) {
  struct cache_run r = {.run = run};
  memset(result, 0, sizeof *result);
  const struct kv_cache_options o = {.client = options_of(run, 1),
                                     .programs = run->programs,
                                     .wide = wide,
                                     .keys = keys,
                                     .ends = {0x0a000001, 0x0a000002, 4000, KV_PORT},
                                     .answered = answered,
                                     .user = &r.asked};
  r.station = (struct kv_station){active_net_link(run->net, 1), kv_store_new()};
  enum sluice_status status = r.station.link && r.station.store ? SLUICE_OK
                                                                : sluice_no_memory(error);
  if (!status) status = app_zipf_init(&r.zipf, keys, zipf, run->seed, "cache", error);
  if (!status) status = kv_cache_new(&r.cache, &o, error);
  if (!status) status = cache(&r, questions, result, error);
  kv_cache_free(r.cache);
  app_zipf_release(&r.zipf);
  kv_store_free(r.station.store);
  return status;
}

// ---- sketches -----------------------------------------------------------------------------------

// A row of a sketch as the host has it: the index is what ADDR_MASK and ADDR_OFFSET make of a hash.
struct row {
  uint32_t *count, num, mask;
};
static bool row_init(struct row *r, const struct active_client *c, unsigned access) {
  struct active_client_range range;
  if (!active_client_range(c, access, &range)) return false;
  r->num = range.last - range.first + 1;
  r->mask = 1;
  while (r->mask * 2 <= r->num) r->mask *= 2;
  r->mask--;
  r->count = calloc(r->num, sizeof *r->count);
  return r->count != NULL;
}
static uint32_t row_at(const struct row *r, unsigned crc, const uint32_t h[ACTIVE_NUM_HASH]) {
  return active_hash(crc, h) & r->mask;
}

// Frames that wait at a link; they are dropped.
static unsigned waiting(struct active_link *link) {
  uint8_t frame[FRAME];
  unsigned num = 0;
  while (link->receive(link->self, frame, sizeof frame)) num++;
  return num;
}

struct hot {
  struct row row[3];  // the third holds keys
  struct app_zipf zipf;
  uint32_t *times;  // by key
};

static enum sluice_status hot_keys(struct app *a, struct hot *h, unsigned packets, uint32_t keys,
                                   uint32_t threshold, struct app_result *result,
                                   struct sluice_error *error) {
  struct active_link *sink = active_net_link(a->run->net, 1);
  SLUICE_TRY(add(a, "hot_keys_explicit", APP_PRELOADED, 0, 0, error));
  for (unsigned i = 0; i < 3; i++) SLUICE_TRY(add(a, "read_back", APP_PUBLISHED, 1, i, error));
  SLUICE_TRY(wait_until_ready(a, error));
  for (unsigned i = 0; i < 3; i++)
    if (!row_init(&h->row[i], a->client, i)) return sluice_no_memory(error);
  for (unsigned i = 0; i < packets; i++) {
    const uint32_t n = app_zipf(&h->zipf), key = n + 1;
    const uint32_t hash[ACTIVE_NUM_HASH] = {key};
    uint32_t *first = &h->row[0].count[row_at(&h->row[0], 0, hash)],
             *second = &h->row[1].count[row_at(&h->row[1], 2, hash)];
    h->times[n]++;
    ++*first;
    ++*second;
    if ((*first < *second ? *first : *second) > threshold)
      h->row[2].count[row_at(&h->row[2], 2, hash)] = key;
    SLUICE_TRY(active_client_send(a->client, 0,
                                  &(struct active_args){{0, key, UINT32_MAX, threshold}}, plain_ip,
                                  sizeof plain_ip, error));
    if (i % 16 == 15) SLUICE_TRY(turn(a, error));
    result->packets++;
  }
  for (unsigned i = 0; i < 4; i++) SLUICE_TRY(turn(a, error));
  result->differences += waiting(sink) != packets;
  for (unsigned i = 0; i < 3; i++)
    SLUICE_TRY(compare_words(a, i, 1 + i, h->row[i].count, h->row[i].num, result, error));
  unsigned hot = 0, found = 0;
  for (uint32_t n = 0; n < keys; n++) {
    const uint32_t hash[ACTIVE_NUM_HASH] = {n + 1};
    if (h->times[n] <= threshold) continue;
    hot++;
    found += h->row[2].count[row_at(&h->row[2], 2, hash)] == n + 1;
  }
  result->figure = hot ? (double)found / hot : 1;
  return SLUICE_OK;
}

enum sluice_status app_run_hot_keys(const struct app_run *run, unsigned packets, uint32_t keys,
                                    double zipf, struct app_result *result,
                                    struct sluice_error *error) {
  struct app a;
  struct hot h = {.times = calloc(keys ? keys : 1, sizeof *h.times)};
  memset(result, 0, sizeof *result);
  if (!h.times) return sluice_no_memory(error);
  enum sluice_status status = app_zipf_init(&h.zipf, keys, zipf, run->seed, "hot keys", error);
  if (!status) status = open_app(&a, run, 1, (const uint8_t[]){4, 4, 4}, 3, error);
  if (!status) {
    status = hot_keys(&a, &h, packets, keys, packets / 100, result, error);
    const enum sluice_status left = leave(&a, status ? NULL : error);
    if (!status) status = left;
  }
  for (unsigned i = 0; i < 3; i++) free(h.row[i].count);
  free(h.times);
  app_zipf_release(&h.zipf);
  return status;
}

// ---- load balancer ------------------------------------------------------------------------------

enum { FIRST_SERVER = 2, PLACE = 0, LIST = 8, SALT = 0x5093, TCP = 6 };

static void connection(unsigned n, uint8_t ip[24]) {
  memset(ip, 0, 24);
  memcpy(ip, plain_ip, sizeof plain_ip);
  ip[9] = TCP;
  sluice_put16(ip + 14, n);
  ip[20] = (uint8_t)(n >> 6);
  ip[21] = (uint8_t)(n * 7);
  ip[23] = 80;
}
static enum sluice_status write_word(struct app *a, unsigned access, uint32_t at, uint32_t value,
                                     struct app_result *result, struct sluice_error *error) {
  struct active_client_range r;
  bool ok;
  if (!active_client_range(a->client, access, &r)) return SLUICE_OK;
  SLUICE_TRY(
      there_and_back(a, 1 + access, &(struct active_args){{r.first + at, value}}, &ok, error));
  result->differences += !ok;
  return SLUICE_OK;
}

// Where a packet leaves: one frame at that server and none elsewhere.
static enum sluice_status leaves_at(struct app *a, struct active_link **sink, unsigned servers,
                                    unsigned server, uint32_t *cookie, struct app_result *result,
                                    struct sluice_error *error) {
  SLUICE_TRY(turn(a, error));
  SLUICE_TRY(turn(a, error));
  for (unsigned s = 0; s < servers; s++) {
    uint8_t frame[FRAME];
    struct capsule c;
    const size_t len = sink[s]->receive(sink[s]->self, frame, sizeof frame);
    result->differences += (len != 0) != (s == server);
    if (len && !capsule_read(&c, frame, len, NULL)) *cookie = c.args.data[3];
  }
  return SLUICE_OK;
}

static enum sluice_status balancer(struct app *a, unsigned connections, unsigned servers,
                                   struct app_result *result, struct sluice_error *error) {
  struct active_link *sink[8];
  struct active_client_range r;
  unsigned most = 0, share[8] = {0};
  SLUICE_TRY(add(a, "balance_syn_explicit", APP_PRELOADED, 0, 0, error));
  for (unsigned i = 0; i < 4; i++) SLUICE_TRY(add(a, "write_back", APP_PUBLISHED, 1, i, error));
  SLUICE_TRY(add(a, "cheetah_flow_explicit", APP_EXPLICIT, 0, 0, error));
  SLUICE_TRY(wait_until_ready(a, error));
  for (unsigned s = 0; s < servers; s++) sink[s] = active_net_link(a->run->net, FIRST_SERVER + s);
  // The program uses one address for three stages, so their regions must have it; the list is at an
  // address of the fourth.
  uint32_t first, num;
  active_client_common(a->client, &first, &num);
  if (!num || !active_client_range(a->client, 3, &r))
    return sluice_fail(error, SLUICE_ERR_RANGE, "the regions of the balancer have no common word");
  for (unsigned i = 0; i < 3; i++) {
    const uint32_t value[] = {r.first + LIST, servers - 1, 0};
    struct active_client_range here;
    if (active_client_range(a->client, i, &here))
      SLUICE_TRY(write_word(a, i, first - here.first, value[i], result, error));
  }
  for (unsigned s = 0; s < servers; s++)
    SLUICE_TRY(write_word(a, 3, LIST + s, FIRST_SERVER + s, result, error));
  for (unsigned n = 0; n < connections; n++) {
    uint8_t ip[24];
    uint32_t cookie = 0, unused;
    // The counter is increased before it is read.
    const unsigned server = (n + 1) % servers;
    connection(n, ip);
    const uint32_t h[ACTIVE_NUM_HASH] = {SALT, sluice_get32(ip + 16), TCP,
                                         sluice_get32(ip + 20) >> 16,
                                         sluice_get32(ip + 20) & 0xffff};
    SLUICE_TRY(
        active_client_send(a->client, 0, &(struct active_args){{first}}, ip, sizeof ip, error));
    SLUICE_TRY(leaves_at(a, sink, servers, server, &cookie, result, error));
    result->differences += cookie != (active_hash(3, h) ^ (FIRST_SERVER + server));
    share[server]++;
    for (unsigned later = 0; later < 2; later++) {
      SLUICE_TRY(active_client_send(a->client, 5, &(struct active_args){{0, cookie}}, ip, sizeof ip,
                                    error));
      SLUICE_TRY(leaves_at(a, sink, servers, server, &unused, result, error));
    }
    result->packets += 3;
  }
  for (unsigned s = 0; s < servers; s++) most = share[s] > most ? share[s] : most;
  result->figure = (double)most * servers / connections;
  return SLUICE_OK;
}

enum sluice_status app_run_balancer(const struct app_run *run, unsigned connections,
                                    unsigned servers, struct app_result *result,
                                    struct sluice_error *error) {
  struct app a;
  memset(result, 0, sizeof *result);
  if (!servers || servers > 8 || servers & (servers - 1))
    return sluice_fail(error, SLUICE_ERR_RANGE, "%u servers: 1, 2, 4 or 8 are possible", servers);
  SLUICE_TRY(open_app(&a, run, 1, (const uint8_t[]){2, 2, 2, 2}, 4, error));
  const enum sluice_status status = balancer(&a, connections, servers, result, error);
  const enum sluice_status left = leave(&a, status ? NULL : error);
  return status ? status : left;
}

// ---- guard --------------------------------------------------------------------------------------

enum { FLOWS = 64, OTHER_PORT = 2 };

static enum sluice_status guard(struct app *a, struct row row[3], struct app_zipf *zipf,
                                unsigned packets, struct app_result *result,
                                struct sluice_error *error) {
  static const unsigned crc[] = {0, 2, 4};
  struct active_link *usual = active_net_link(a->run->net, 1),
                     *other = active_net_link(a->run->net, OTHER_PORT);
  const uint32_t limit = packets / 50;
  unsigned diverted = 0;
  SLUICE_TRY(add(a, "guard_explicit", APP_PRELOADED, 0, 0, error));
  for (unsigned i = 0; i < 3; i++) SLUICE_TRY(add(a, "read_back", APP_PUBLISHED, 1, i, error));
  SLUICE_TRY(wait_until_ready(a, error));
  for (unsigned i = 0; i < 3; i++)
    if (!row_init(&row[i], a->client, i)) return sluice_no_memory(error);
  for (unsigned n = 0; n < packets; n++) {
    uint8_t ip[24];
    uint32_t least = UINT32_MAX;
    connection(app_zipf(zipf), ip);
    const uint32_t h[ACTIVE_NUM_HASH] = {sluice_get32(ip + 12), sluice_get32(ip + 16), TCP,
                                         sluice_get32(ip + 20) >> 16,
                                         sluice_get32(ip + 20) & 0xffff};
    for (unsigned i = 0; i < 3; i++) {
      const uint32_t count = ++row[i].count[row_at(&row[i], crc[i], h)];
      if (count < least) least = count;
    }
    SLUICE_TRY(active_client_send(a->client, 0,
                                  &(struct active_args){{OTHER_PORT, limit, UINT32_MAX}}, ip,
                                  sizeof ip, error));
    SLUICE_TRY(turn(a, error));
    SLUICE_TRY(turn(a, error));
    const bool wanted = least > limit;
    result->differences += waiting(usual) != !wanted || waiting(other) != wanted;
    diverted += wanted;
    result->packets++;
  }
  for (unsigned i = 0; i < 3; i++)
    SLUICE_TRY(compare_words(a, i, 1 + i, row[i].count, row[i].num, result, error));
  result->figure = (double)diverted / packets;
  return SLUICE_OK;
}

enum sluice_status app_run_guard(const struct app_run *run, unsigned packets,
                                 struct app_result *result, struct sluice_error *error) {
  struct app a;
  struct row row[3] = {{NULL}};
  struct app_zipf zipf = {.sums = NULL};
  memset(result, 0, sizeof *result);
  SLUICE_TRY(app_zipf_init(&zipf, FLOWS, 1.1, run->seed, "guard", error));
  enum sluice_status status = open_app(&a, run, 1, (const uint8_t[]){2, 2, 2}, 3, error);
  if (!status) {
    status = guard(&a, row, &zipf, packets, result, error);
    const enum sluice_status left = leave(&a, status ? NULL : error);
    if (!status) status = left;
  }
  for (unsigned i = 0; i < 3; i++) free(row[i].count);
  app_zipf_release(&zipf);
  return status;
}
