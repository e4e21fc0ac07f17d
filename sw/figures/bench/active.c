// SPDX-License-Identifier: Apache-2.0
// Programs in packets, measured: what tenants see when others arrive, how long memory takes, what
// capsules cost. `make bench-active` (active.sh) draws it beside the published figures.
//
//     bench-active OUT SIM [--quick]                  SIM: the simulator of shape `capsules`
//     bench-active OUT SIM [--quick] --rate SHAPE     throughput alone, of any shape that executes
//     capsules: OUT/rate.json
//
// A part of it that ends is kept in OUT/parts, and not measured again, if neither the program nor
// the simulator is younger. --quick keeps nothing, and removes what there is.
//
// SIM may be model:capsules; then there are no figures of latency and throughput, and the others
// are times of the bus. Writes OUT/results.json, and OUT/*.tsv for the plots. Everything but
// `provisioning of active` is measured on the simulated chip, in its cycles; that one is the
// reference model, so its time is that of the bus alone.
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../apps/runs.h"
#include "../../base/rng.h"
#include "../../live/simulator.h"
#include "../../session/session.h"

enum { TURN = 64, WINDOW = 8192, CACHES = 5, AT_ONCE = 4, KEYS = 2000, FRAME = 256 };
static const char programs[] = "sw/programs/active";
static const struct active_shape eight = {8, 0, 8, ACTIVE_RULES_CHIP};
static const struct active_shape twenty = {20, 0, 20, ACTIVE_RULES_CHIP};

struct bench {
  const char *out, *sim, *shape;
  const char *rate_of;  // a shape: throughput alone
  bool quick;
  json_t *results;
  struct live_simulator simulator;
  struct sluice_transport to;
  struct active_net *net;
  struct session session;  // beside the net's: packets of the bench itself
  struct sluice_error error;
};

static void end(const char *what, const struct sluice_error *error) {
  fprintf(stderr, "bench-active: %s: %s\n", what, error->text);
  exit(3);
}
#define GOOD(WHAT, CALL)                           \
  do {                                             \
    if ((CALL) != SLUICE_OK) end(WHAT, &b->error); \
  } while (0)

static FILE *table(const struct bench *b, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", b->out, name);
  FILE *f = fopen(path, "w");
  if (f) return f;
  perror(path);
  exit(3);
}

// ---- parts ------------------------------------------------------------------------------------

static bool on_model(const struct bench *b) { return strncmp(b->sim, "model:", 6) == 0; }

static struct timespec changed(const char *path) {
  struct stat s;
  return stat(path, &s) ? (struct timespec){0} : s.st_mtim;
}
static bool younger(struct timespec a, struct timespec b) {
  return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

typedef json_t *measurement(struct bench *b, unsigned which);

// What an earlier run found counts, unless it was of another program or simulator.
static json_t *part(struct bench *b, measurement *measure, const char *name, unsigned which) {
  char folder[4096], path[4200];
  snprintf(folder, sizeof folder, "%s/parts", b->out);
  snprintf(path, sizeof path, "%s/%s-%u.json", folder, name, which);
  if (b->quick) {
    remove(path);
    return measure(b, which);
  }
  const struct timespec at = changed(path);
  json_t *result = NULL;
  if (!younger(changed("/proc/self/exe"), at) && (on_model(b) || !younger(changed(b->sim), at)))
    result = json_load_file(path, 0, NULL);
  fprintf(stderr, "bench-active: %s %u: %s\n", name, which, result ? "as measured before" : "...");
  if (result) return result;
  result = measure(b, which);
  mkdir(folder, 0777);
  if (json_dump_file(result, path, JSON_INDENT(1)) == 0) return result;
  perror(path);
  exit(3);
}

// ---- the chip -----------------------------------------------------------------------------------

static void open_net(struct bench *b, struct active_net_options o) {
  char socket[100];
  if (!o.chip && on_model(b)) o.chip = b->sim;
  if (!o.chip) o.shape = b->shape;
  snprintf(socket, sizeof socket, "/tmp/sluice-bench-%ld", (long)getpid());
  if (!o.chip) {
    GOOD("simulator",
         live_simulator_open(&b->simulator, &b->to, b->sim, b->shape, socket, &b->error));
    o.to = &b->to;
  }
  GOOD("chip", active_net_open(&b->net, &o, &b->error));
  b->session = (struct session){.to = &b->to, .config = sluice_config_find(b->shape)};
}
static void close_net(struct bench *b) {
  active_net_close(b->net);
  b->net = NULL;
  if (!b->to.ops) return;
  sluice_transport_close(&b->to);
  if (live_simulator_end(&b->simulator) == LIVE_EQUIVALENT) return;
  fprintf(stderr, "bench-active: %s\n", b->simulator.said);
  exit(1);
}

// ---- caches -------------------------------------------------------------------------------------

struct tenant {
  struct kv_cache *cache;
  struct app_zipf zipf;
  unsigned waiting;
  uint64_t window_hits, window_all;
  uint64_t faults;  // that were seen
};
struct caches {
  struct bench *b;
  struct tenant tenant[CACHES];
  unsigned num;
  struct kv_station station;
  // Of the first tenant when the last one arrives.
  uint64_t told, first_fault, last_fault, refilled;
  uint16_t version;
};

static void answered(void *user, const struct kv_message *m, bool from_cache, uint64_t now) {
  struct tenant *t = user;
  (void)m;
  (void)now;
  if (t->waiting) t->waiting--;
  t->window_all++;
  t->window_hits += from_cache;
}

static void watch_first(struct caches *c, uint64_t now) {
  struct tenant *t = &c->tenant[0];
  const struct active_client *client = kv_cache_client(t->cache);
  const uint64_t faults = active_client_counts(client)->faults;
  if (faults != t->faults) {
    if (!c->first_fault) c->first_fault = now;
    c->last_fault = now;
    t->faults = faults;
  }
  if (active_client_version(client) != c->version) {
    c->version = active_client_version(client);
    c->told = now;
  }
  if (c->told && !c->refilled && !kv_cache_counts(t->cache).refill) c->refilled = now;
}

static void step(void *user, struct active_net *net) {
  struct caches *c = user;
  const uint64_t now = active_net_now(net);
  for (unsigned i = 0; i < c->num; i++) {
    struct tenant *t = &c->tenant[i];
    uint32_t id;
    kv_cache_step(t->cache, now);
    while (t->waiting < AT_ONCE &&
           kv_cache_get(t->cache, app_zipf(&t->zipf), now, &id, &c->b->error) == SLUICE_OK)
      t->waiting++;
  }
  kv_station_step(&c->station);
  if (c->num) watch_first(c, now);
}

static void add_cache(struct caches *c) {
  struct bench *b = c->b;
  const unsigned i = c->num, port = i % 2;
  struct tenant *t = &c->tenant[i];
  struct kv_cache_options o = {
      .client = {.fid = (uint16_t)(1 + i), .shape = eight, .again = 2000, .alive = 20000},
      .programs = programs,
      .keys = KEYS,
      .ends = {0x0a000001 + i, 0x0a000064, (uint16_t)(4000 + i), KV_PORT},
      .refill = 4,
      .answered = answered,
      .user = t};
  active_net_address(port, 1 + i, o.client.address);
  active_net_address(2, 1 + i, o.client.gateway);
  active_net_controller_address(b->net, o.client.controller);
  o.client.link = active_net_link(b->net, port);
  GOOD("keys", app_zipf_init(&t->zipf, KEYS, 1.2, 1 + i, "bench", &b->error));
  GOOD("cache", kv_cache_new(&t->cache, &o, &b->error));
  c->num++;
}

static void let_run(struct caches *c, uint64_t until, uint64_t *window, FILE *f) {
  struct bench *b = c->b;
  while (active_net_now(b->net) < until) {
    step(c, b->net);
    GOOD("packets", active_net_turn(b->net, TURN, &b->error));
    if (active_net_now(b->net) < *window + WINDOW) continue;
    *window = active_net_now(b->net);
    fprintf(f, "%llu", (unsigned long long)*window);
    for (unsigned i = 0; i < CACHES; i++) {
      struct tenant *t = &c->tenant[i];
      if (i < c->num && t->window_all)
        fprintf(f, "\t%.4f", (double)t->window_hits / (double)t->window_all);
      else fputs("\tnan", f);
      t->window_all = t->window_hits = 0;
    }
    fputc('\n', f);
  }
}

static json_t *shares(struct caches *c, uint64_t cycles, FILE *f, uint64_t *window) {
  struct kv_cache_counts before[CACHES];
  json_t *list = json_array();
  for (unsigned i = 0; i < c->num; i++) before[i] = kv_cache_counts(c->tenant[i].cache);
  let_run(c, active_net_now(c->b->net) + cycles, window, f);
  for (unsigned i = 0; i < c->num; i++) {
    const struct kv_cache_counts now = kv_cache_counts(c->tenant[i].cache);
    const double hits = (double)(now.hits - before[i].hits),
                 all = hits + (double)(now.misses - before[i].misses);
    json_array_append_new(list, json_real(all > 0 ? hits / all : 0));
  }
  return list;
}

static json_t *caches(struct bench *b, unsigned which) {
  static struct caches c;
  FILE *f = table(b, "caches.tsv");
  const uint64_t phase = b->quick ? 16384 : 49152;
  uint64_t window = 0;
  json_t *arrivals = json_array(), *result = NULL;
  (void)which;
  c.b = b;
  open_net(b, (struct active_net_options){
                  .bus = "pcie", .meanwhile = step, .user = &c, .controller = {.block_words = 16}});
  c.station = (struct kv_station){active_net_link(b->net, 2), kv_store_new()};
  json_t *before = NULL, *after = NULL;
  for (unsigned i = 0; i < CACHES; i++) {
    add_cache(&c);
    if (i == CACHES - 1) {
      before = shares(&c, phase, f, &window);
      c.told = c.first_fault = c.last_fault = c.refilled = 0;
    }
    const uint64_t asked = active_net_now(b->net);
    GOOD("request", kv_cache_start(c.tenant[i].cache, asked, &b->error));
    while (!active_client_ready(kv_cache_client(c.tenant[i].cache)))
      let_run(&c, active_net_now(b->net) + TURN, &window, f);
    const struct active_net_change *change = active_net_last_change(b->net);
    json_array_append_new(
        arrivals,
        json_pack("{s:i s:I s:I s:I s:I s:I}", "cache", (int)i + 1, "asked", (json_int_t)asked,
                  "ready_after", (json_int_t)(active_net_now(b->net) - asked), "change",
                  (json_int_t)(change->ended - change->began), "reads",
                  (json_int_t)(change->reads + change->answers), "transfers",
                  (json_int_t)(change->writes + change->transfers)));
    let_run(&c, active_net_now(b->net) + phase, &window, f);
    if (i < CACHES - 1) continue;
    while (!c.refilled) let_run(&c, active_net_now(b->net) + TURN, &window, f);
    after = shares(&c, phase, f, &window);
    result = json_pack("{s:o s:o s:o s:{s:I s:I s:I s:I s:I}}", "arrivals", arrivals,
                       "hit_rates_before", before, "hit_rates_after", after, "disruption",
                       "told_after", (json_int_t)(c.told - asked), "faults",
                       (json_int_t)active_client_counts(kv_cache_client(c.tenant[0].cache))->faults,
                       "faults_from", (json_int_t)(c.first_fault ? c.first_fault - asked : 0),
                       "faults_to", (json_int_t)(c.last_fault ? c.last_fault - asked : 0),
                       "full_again_after", (json_int_t)(c.refilled - asked));
  }
  fclose(f);
  for (unsigned i = 0; i < CACHES; i++) {
    if (kv_cache_counts(c.tenant[i].cache).wrong) {
      fprintf(stderr, "bench-active: cache %u gave a wrong answer\n", i);
      exit(1);
    }
    kv_cache_free(c.tenant[i].cache);
    app_zipf_release(&c.tenant[i].zipf);
  }
  kv_store_free(c.station.store);
  close_net(b);
  return result;
}

// ---- provisioning -------------------------------------------------------------------------------

// Caches arrive by the controller's frames, one after the other; what each change took.
enum { PLAIN, TRANSLATED, SMALL, NUM_PROVISIONINGS };
static json_t *provisioning(struct bench *b, unsigned which) {
  const char *chip = which == SMALL ? NULL : "model:active";
  const bool translate = which == TRANSLATED;
  const unsigned nums[] = {30, 16, 6}, num = b->quick ? 2 - (which != PLAIN) : nums[which];
  json_t *list = json_array();
  const char *name = chip ? "active" : "capsules";
  open_net(b, (struct active_net_options){
                  .chip = chip,
                  .bus = "pcie",
                  .controller = {.block_words = chip ? 256 : 16, .translate = translate}});
  for (unsigned i = 0; i < num; i++) {
    struct active_client *c;
    struct app_program p;
    const struct active_shape shape = chip ? twenty : eight;
    struct active_client_options o = {.fid = (uint16_t)(1 + i),
                                      .shape = shape,
                                      .again = 5000000,
                                      .demand = {1, 1, 1},
                                      .link = active_net_link(b->net, 0)};
    active_net_address(0, 1 + i, o.address);
    active_net_controller_address(b->net, o.controller);
    GOOD("program", app_load(&p, programs, chip ? "cache_read" : "cache4_read", APP_PUBLISHED,
                             shape, &b->error));
    GOOD("client", active_client_new(&c, &o, &b->error));
    GOOD("client",
         active_client_program(
             c, &(struct active_client_program){.program = &p.program, .preload = p.preload},
             &b->error));
    GOOD("request", active_client_request(c, active_net_now(b->net), &b->error));
    GOOD("turn", active_net_turn(b->net, 1000, &b->error));
    const struct active_net_change g = *active_net_last_change(b->net);
    for (unsigned n = 0; n < 8 && !active_client_ready(c); n++) {
      active_client_step(c, active_net_now(b->net));
      GOOD("turn", active_net_turn(b->net, 1000, &b->error));
    }
    json_array_append_new(
        list, json_pack("{s:s s:b s:i s:b s:I s:I s:I}", "chip", name, "translate", translate,
                        "arrival", (int)i + 1, "ready", active_client_ready(c), "cycles",
                        (json_int_t)(g.ended - g.began), "reads", (json_int_t)(g.reads + g.answers),
                        "transfers", (json_int_t)(g.writes + g.transfers)));
    active_client_free(c);
  }
  close_net(b);
  return list;
}

// ---- frames of their own ------------------------------------------------------------------------

static size_t frame_of(const char *text, uint16_t fid, uint32_t address, unsigned port, size_t len,
                       uint8_t frame[FRAME]) {
  static const uint8_t ip[20] = {0x45, [3] = 20};
  struct capsule q = {
      .tagged = true, .tci = 5, .flags = CAPSULE_ARGS | CAPSULE_PRELOAD, .fid = fid};
  size_t used = 0;
  q.args.data[0] = address;
  for (; *text; text++)  // n: NOP, i: MEM_INCREMENT, s: MBR_STORE, r: RTS, c: computes the address
    q.program.instrs[q.program.num++].opcode = *text == 'i'   ? SLUICE_OPCODE_MEM_INCREMENT
                                               : *text == 's' ? SLUICE_OPCODE_MBR_STORE
                                               : *text == 'r' ? SLUICE_OPCODE_RTS
                                               : *text == 'c' ? SLUICE_OPCODE_MAR_ADD_MBR
                                                              : SLUICE_OPCODE_NOP;
  active_net_address(2, 1, q.addresses);
  active_net_address(port, 1, q.addresses + 6);
  memset(frame, 0, FRAME);
  // Without a whole IPv4 header, if there is no room for it.
  if (capsule_write(&q, ip, 4, frame, FRAME, &used, NULL)) return 0;
  return used > len ? used : len;
}

static uint64_t cycles(struct bench *b) { return active_net_cycles(b->net); }

// Copies that have left since.
static unsigned receive(struct bench *b) {
  const uint64_t before = b->session.copies;
  GOOD("packets", session_collect(&b->session, &b->error));
  return (unsigned)(b->session.copies - before);
}
static void wait_cycles(struct bench *b, unsigned n) {
  GOOD("time", b->to.ops->wait(b->to.self, n, &b->error));
}

static void admit(struct bench *b, uint16_t fid, unsigned position, bool sharded) {
  const struct sluice_memory_request q = {.fid = fid,
                                          .length = 4,
                                          .ingress_limit = SLUICE_NO_INGRESS_LIMIT,
                                          .num = 1,
                                          .access = {{position, sharded ? 6 : 4, sharded}}};
  GOOD("admission", sluice_controller_admit(active_net_controller(b->net), &q, NULL, &b->error));
}

// ---- latency ------------------------------------------------------------------------------------

static json_t *latency(struct bench *b, unsigned which) {
  static const char *const texts[] = {"",
                                      "n",
                                      "nn",
                                      "nnnn",
                                      "nnnnnn",
                                      "nnnnnnnn",
                                      "r",
                                      "is",
                                      "isr",
                                      "inininr",
                                      "nnnnnnnnn",
                                      "nnnnnnnnnnnnnnnnn",
                                      "nnnnnnnnnnnnnnnnnnnnnnnnn"};
  FILE *f = table(b, "latency.tsv");
  json_t *list = json_array();
  (void)which;
  open_net(b, (struct active_net_options){
                  .controller = {.block_words = 16, .from_zero = true, .rounds = 3}});
  admit(b, 1, 0, false);
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    uint64_t sum = 0, most = 0;
    const unsigned times = b->quick ? 2 : 8;
    for (unsigned n = 0; n < times; n++) {
      uint8_t frame[FRAME];
      const size_t len = frame_of(texts[i], 1, n, n % 2, 128, frame);
      wait_cycles(b, 200 + n);
      const uint64_t began = cycles(b);
      GOOD("packet", session_put(&b->session, n % 2, frame, len, &b->error));
      while (!receive(b)) wait_cycles(b, 1);
      const uint64_t took = cycles(b) - began;
      sum += took;
      most = took > most ? took : most;
    }
    json_array_append_new(list, json_pack("{s:s s:i s:f s:I}", "program", texts[i], "instructions",
                                          (int)strlen(texts[i]), "cycles",
                                          (double)sum / (double)times, "most", (json_int_t)most));
    fprintf(f, "%zu\t%.2f\t%s\n", strlen(texts[i]), (double)sum / (double)times, texts[i]);
  }
  fclose(f);
  close_net(b);
  return list;
}

// ---- throughput ---------------------------------------------------------------------------------

// Computed addresses: a region is in one pipeline, and as many tenants as there are pipelines have
// one each. They send in turn, so that all pipelines have the same to do at any time, or each
// packet is of any of them. An address that is an argument: the region is spread.
enum spread { ONE_PINNED, IN_TURN, AT_RANDOM, SHARDED, NUM_SPREADS };
static const char *const spreads[] = {"one, computed", "one a pipeline, computed, in turn",
                                      "one a pipeline, computed, at random", "one, argument"};
static bool one_each(enum spread s) { return s == IN_TURN || s == AT_RANDOM; }
enum { MOST_READINGS = 20000 };

struct reading {
  uint64_t cycle;
  unsigned out;
};

// All packets stand at the ports, and enter as fast as the lanes take them.
static void fill_ports(struct bench *b, enum spread spread, size_t len,
                       const struct sluice_chip_info *chip, unsigned num) {
  struct sluice_rng rng;
  sluice_rng_init(&rng, 1, "rate");
  for (unsigned n = 0; n < num; n++)
    for (unsigned port = 0; port < chip->ports; port++) {
      uint8_t frame[FRAME];
      const unsigned lane = port % chip->pipes;
      uint64_t tenant = 0;
      if (spread == IN_TURN) tenant = (n + lane) % chip->pipes;
      if (spread == AT_RANDOM) tenant = sluice_rng_below(&rng, chip->pipes);
      const size_t used = frame_of(spread == SHARDED ? "isr" : "cir", (uint16_t)(1 + tenant),
                                   (n * 7 + port * 3) % 64, port, len, frame);
      GOOD("packet", session_put(&b->session, port, frame, used, &b->error));
    }
}

static double rate(struct bench *b, enum spread spread, size_t len) {
  static struct reading seen[MOST_READINGS];
  struct sluice_chip_info chip;
  unsigned num_seen = 0, out = 0, from = 0, to = 0;
  open_net(b, (struct active_net_options){
                  .controller = {.block_words = 16, .words = 64, .from_zero = true}});
  sluice_chip_describe(active_net_chip(b->net), &chip);
  const unsigned at = spread == SHARDED ? 0 : 1;
  for (unsigned i = 0; i < (one_each(spread) ? chip.pipes : 1); i++)
    admit(b, (uint16_t)(1 + i), at, spread == SHARDED);
  wait_cycles(b, 500);
  // As many of each lane, however many ports it has.
  fill_ports(b, spread, len, &chip, (b->quick ? 800 : 3200) / (chip.ports / chip.pipes));
  // What the lanes cannot take is dropped, so not all of them leave: until nothing comes any more.
  for (unsigned idle = 0; idle < 100; idle++) {
    wait_cycles(b, 8);
    const unsigned now = receive(b);
    if (!now || num_seen == MOST_READINGS) continue;
    idle = 0;
    out += now;
    seen[num_seen++] = (struct reading){cycles(b), out};
  }
  // Between an eighth and seven eighths of them: at both ends the lanes are not all busy.
  for (unsigned i = 0; i < num_seen; i++) {
    if (seen[i].out <= out / 8) from = i;
    if (seen[i].out <= out - out / 8) to = i;
  }
  if (!num_seen || to <= from) {
    fprintf(stderr, "bench-active: no packets leave\n");
    exit(1);
  }
  close_net(b);
  return (double)(seen[to].out - seen[from].out) / (double)(seen[to].cycle - seen[from].cycle) *
         (double)((len + 63) / 64) / chip.pipes;
}

static json_t *throughput_of(struct bench *b, unsigned len) {
  json_t *list = json_array();
  for (unsigned s = 0; s < NUM_SPREADS; s++)
    json_array_append_new(list, json_pack("{s:i s:s s:f}", "bytes", (int)len, "tenants", spreads[s],
                                          "share_of_line_rate", rate(b, s, len)));
  return list;
}

static void throughput(struct bench *b, const char *name) {
  FILE *f = table(b, name);
  json_t *all = json_array();
  for (unsigned len = 64; len <= 256; len += b->quick ? 192 : 64) {
    json_t *list = part(b, throughput_of, "throughput", len), *row;
    size_t i;
    fprintf(f, "%u", len);
    json_array_foreach(list, i, row)
        fprintf(f, "\t%.4f", json_real_value(json_object_get(row, "share_of_line_rate")));
    fputc('\n', f);
    json_array_extend(all, list);
    json_decref(list);
  }
  fclose(f);
  json_object_set_new(b->results, "throughput", all);
}

static int write_results(struct bench *b, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", b->out, name);
  const bool written = json_dump_file(b->results, path, JSON_INDENT(1)) == 0;
  json_decref(b->results);
  if (!written) perror(path);
  return written ? 0 : 3;
}

static bool options(struct bench *b, int argc, char **argv) {
  if (argc < 3) return false;
  b->out = argv[1];
  b->sim = argv[2];
  for (int i = 3; i < argc; i++) {
    if (strcmp(argv[i], "--quick") == 0) b->quick = true;
    else if (strcmp(argv[i], "--rate") == 0 && i + 1 < argc) b->rate_of = argv[++i];
    else return false;
  }
  return true;
}

int main(int argc, char **argv) {
  struct bench bench = {.simulator = {.output = -1}, .shape = "capsules"}, *b = &bench;
  if (!options(b, argc, argv)) {
    fprintf(stderr, "usage: bench-active OUT SIMULATOR [--quick] [--rate SHAPE]\n");
    return 2;
  }
  b->results = json_object();
  if (b->rate_of) {
    b->shape = b->rate_of;
    throughput(b, "rate.tsv");
    return write_results(b, "rate.json");
  }
  json_t *list = json_array();
  for (unsigned i = 0; i < NUM_PROVISIONINGS; i++) {
    json_t *some = part(b, provisioning, "provisioning", i);
    json_array_extend(list, some);
    json_decref(some);
  }
  json_object_set_new(b->results, "provisioning", list);
  if (!on_model(b)) {
    json_object_set_new(b->results, "latency", part(b, latency, "latency", 0));
    throughput(b, "throughput.tsv");
  }
  json_object_set_new(b->results, "caches", part(b, caches, "caches", 0));
  return write_results(b, "results.json");
}
