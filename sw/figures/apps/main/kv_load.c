// SPDX-License-Identifier: Apache-2.0
// Load for a key-value server, with a cache in the switch or without. Keys come by Zipf. Example:
// 30 seconds of 50 questions a second; memory in the switch from second 5 to second 25:
//
//     build/kv-load --link if:eth0 --mac 02:00:00:00:00:01 --ip 10.0.0.1 --fid 1
//       --server 02:00:00:00:00:02,10.0.0.2 --controller 02:00:00:00:00:00
//       --stages 8 --seconds 30 --admit 5 --leave 25
//
// A line a second: time, questions that were answered, share of them that the switch has answered,
// state of the client, entries of the cache. At the end a line of JSON. Exit code 1: an answer was
// wrong.
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../../base/loop.h"
#include "../../../base/now.h"
#include "../../../base/number.h"
#include "../cache.h"
#include "../link.h"

enum { WINDOW = 256, SECOND = 1000000 };
#define STEP_SECONDS 0.002

struct load {
  // What the command line says.
  const char *link_at, *programs;
  uint8_t mac[6], server_mac[6], controller_mac[6];
  uint32_t ip, server_ip;
  unsigned fid, stages, rate, window, port, keys;
  double zipf, seconds, admit, leave, again;
  uint64_t seed;
  bool wide;
  // What runs.
  struct app_link *link;
  struct kv_cache *cache;
  struct app_zipf numbers;
  int udp;
  uint64_t began;
  struct {
    bool waits;
    uint32_t id;
    uint64_t since;
  } out[WINDOW];
  uint64_t asked, answered, hits, lost;
  double time, server_time;  // of all answers, in microseconds: hits, others
  struct sluice_error error;
};

// ---- questions and answers ----------------------------------------------------------------------

static void answered(void *user, const struct kv_message *m, bool from_cache, uint64_t now) {
  struct load *l = user;
  for (unsigned i = 0; i < l->window; i++) {
    if (!l->out[i].waits || l->out[i].id != m->id) continue;
    l->out[i].waits = false;
    l->answered++;
    l->hits += from_cache;
    *(from_cache ? &l->time : &l->server_time) += (double)(now - l->out[i].since);
    return;
  }
}

static void plain(void *user, const struct kv_message *m, uint64_t now) {
  struct load *l = user;
  uint8_t bytes[KV_BYTES];
  (void)now;
  kv_write(m, bytes);
  (void)!send(l->udp, bytes, sizeof bytes, 0);  // what is lost is asked again
}

static void take_answers(struct load *l, uint64_t now) {
  uint8_t bytes[2048];
  ssize_t len;
  while ((len = recv(l->udp, bytes, sizeof bytes, MSG_DONTWAIT)) >= 0) {
    struct kv_message m;
    if (kv_read(&m, bytes, (size_t)len) && m.what & KV_ANSWER)
      kv_cache_answer(l->cache, &m, false, now);
  }
}

static void ask(struct load *l, uint64_t now) {
  for (unsigned i = 0; i < l->window; i++)
    if (l->out[i].waits && now - l->out[i].since > 5 * SECOND) {
      l->out[i].waits = false;
      l->lost++;
    }
  const uint64_t due = (now - l->began) * l->rate / SECOND;
  for (unsigned i = 0; i < l->window && l->asked < due; i++) {
    if (l->out[i].waits) continue;
    uint32_t id;
    // A full queue of the interface: later.
    if (kv_cache_get(l->cache, app_zipf(&l->numbers), now, &id, &l->error)) break;
    l->out[i].waits = true;
    l->out[i].id = id;
    l->out[i].since = now;
    l->asked++;
  }
  if (l->asked < due) l->asked = due;  // who does not get answers does not ask more
}

// ---- run ----------------------------------------------------------------------------------------

static bool open_udp(struct load *l) {
  const struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons((uint16_t)l->port)},
                           there = {.sin_family = AF_INET,
                                    .sin_port = htons(KV_PORT),
                                    .sin_addr = {htonl(l->server_ip)}};
  l->udp = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (l->udp >= 0 && bind(l->udp, (const struct sockaddr *)&here, sizeof here) == 0 &&
      connect(l->udp, (const struct sockaddr *)&there, sizeof there) == 0)
    return true;
  fprintf(stderr, "kv-load: UDP port %u: %s\n", l->port, strerror(errno));
  return false;
}

static enum sluice_status start(struct load *l) {
  struct kv_cache_options o = {.client = {.fid = (uint16_t)l->fid,
                                          .shape = {l->stages, 0, l->stages, ACTIVE_RULES_CHIP},
                                          .again = (uint64_t)(l->again * SECOND),
                                          .alive = SECOND},
                               .programs = l->programs,
                               .wide = l->wide,
                               .keys = l->keys,
                               .ends = {l->ip, l->server_ip, (uint16_t)l->port, KV_PORT},
                               .answered = answered,
                               .plain = plain,
                               .user = l};
  enum sluice_status status = app_link_open(&l->link, l->link_at, &l->error);
  if (status) return status;
  o.client.link = app_link_of(l->link);
  memcpy(o.client.address, l->mac, 6);
  memcpy(o.client.gateway, l->server_mac, 6);
  memcpy(o.client.controller, l->controller_mac, 6);
  status = app_zipf_init(&l->numbers, l->keys, l->zipf, l->seed, "load", &l->error);
  return status ? status : kv_cache_new(&l->cache, &o, &l->error);
}

static void show(const struct load *l, uint64_t now, uint64_t *answered_before,
                 uint64_t *hits_before) {
  const uint64_t num = l->answered - *answered_before, hits = l->hits - *hits_before;
  printf("%5.1f s: %5llu answers, %5.1f %% from the switch, %s, %u entries\n",
         (double)(now - l->began) / SECOND, (unsigned long long)num,
         num ? 100.0 * (double)hits / (double)num : 0.0,
         active_client_state_name(active_client_state(kv_cache_client(l->cache))),
         kv_cache_size(l->cache));
  fflush(stdout);
  *answered_before = l->answered;
  *hits_before = l->hits;
}

static enum sluice_status run(struct load *l) {
  uint64_t shown = 0, answers = 0, hits = 0;
  bool admitted = false, left = false;
  l->began = sluice_now_us();
  for (;;) {
    const uint64_t now = sluice_now_us();
    const double time = (double)(now - l->began) / SECOND;
    if (time >= l->seconds || app_link_ended(l->link)) return SLUICE_OK;
    if (!admitted && l->admit >= 0 && time >= l->admit) {
      SLUICE_TRY(kv_cache_start(l->cache, now, &l->error));
      admitted = true;
    }
    if (admitted && !left && l->leave >= 0 && time >= l->leave) {
      kv_cache_stop(l->cache, now);
      left = true;
    }
    kv_cache_step(l->cache, now);
    take_answers(l, now);
    ask(l, now);
    if (now - l->began - shown >= SECOND) {
      shown += SECOND;
      show(l, now, &answers, &hits);
    }
    struct sluice_loop loop = SLUICE_LOOP;
    sluice_loop_watch(&loop, l->udp, SLUICE_LOOP_IN, NULL);
    sluice_loop_watch(&loop, app_link_fd(l->link), SLUICE_LOOP_IN, NULL);
    sluice_loop_until(&loop, sluice_now() + STEP_SECONDS);
    (void)sluice_loop_wait(&loop);
  }
}

// ---- options ------------------------------------------------------------------------------------

static bool read_mac(const char *text, uint8_t mac[6]) {
  uint64_t byte;
  for (int i = 0; i < 6; i++, text += 3) {
    if (!sluice_hex_digits(text, 2, &byte) || text[2] != (i < 5 ? ':' : 0)) return false;
    mac[i] = (uint8_t)byte;
  }
  return true;
}
static bool read_ip(const char *text, uint32_t *ip) {
  struct in_addr a;
  if (inet_pton(AF_INET, text, &a) != 1) return false;
  *ip = ntohl(a.s_addr);
  return true;
}
static bool read_server(const char *text, uint8_t mac[6], uint32_t *ip) {
  char first[32] = "";
  const char *comma = strchr(text, ',');
  if (!comma || (size_t)(comma - text) >= sizeof first) return false;
  memcpy(first, text, (size_t)(comma - text));
  return read_mac(first, mac) && read_ip(comma + 1, ip);
}

static bool option(struct load *l, const char *name, const char *v) {
  const struct {
    const char *name;
    unsigned *number;
    double *real;
  } numbers[] = {{"--fid", &l->fid, NULL},     {"--stages", &l->stages, NULL},
                 {"--rate", &l->rate, NULL},   {"--window", &l->window, NULL},
                 {"--port", &l->port, NULL},   {"--keys", &l->keys, NULL},
                 {"--zipf", NULL, &l->zipf},   {"--seconds", NULL, &l->seconds},
                 {"--admit", NULL, &l->admit}, {"--leave", NULL, &l->leave},
                 {"--again", NULL, &l->again}};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    if (strcmp(name, numbers[i].name) != 0) continue;
    return numbers[i].number ? sluice_unsigned_in(v, 0, UINT32_MAX, numbers[i].number)
                             : sluice_real(v, numbers[i].real);
  }
  if (strcmp(name, "--link") == 0) return (l->link_at = v) != NULL;
  if (strcmp(name, "--programs") == 0) return (l->programs = v) != NULL;
  if (strcmp(name, "--mac") == 0) return read_mac(v, l->mac);
  if (strcmp(name, "--controller") == 0) return read_mac(v, l->controller_mac);
  if (strcmp(name, "--ip") == 0) return read_ip(v, &l->ip);
  if (strcmp(name, "--server") == 0) return read_server(v, l->server_mac, &l->server_ip);
  if (strcmp(name, "--seed") == 0) return sluice_number_in(v, 0, UINT64_MAX, &l->seed);
  return false;
}

int main(int argc, char **argv) {
  static struct load l = {.programs = "sw/programs/active",
                          .stages = 20,
                          .rate = 50,
                          .window = 8,
                          .port = 4000,
                          .keys = 2000,
                          .zipf = 1.2,
                          .seconds = 10,
                          .admit = -1,
                          .leave = -1,
                          .again = 0.02,
                          .seed = 1,
                          .udp = -1};
  for (int i = 1; i < argc; i += 2)
    if (i + 1 == argc || !option(&l, argv[i], argv[i + 1])) {
      fprintf(stderr,
              "kv-load: '%s %s'? The head of sw/figures/apps/main/kv_load.c has an example\n",
              argv[i], i + 1 < argc ? argv[i + 1] : "");
      return 2;
    }
  if (!l.link_at || !l.server_ip || !l.ip || !l.window || l.window > WINDOW) {
    fprintf(stderr, "kv-load: --link, --ip, --server and a window of 1 to %d are needed\n", WINDOW);
    return 2;
  }
  l.wide = l.stages >= 20;
  signal(SIGPIPE, SIG_IGN);
  enum sluice_status status = open_udp(&l) ? start(&l) : SLUICE_ERR_IO;
  if (!status) status = run(&l);
  if (status) {
    fprintf(stderr, "kv-load: %s\n", l.error.text);
    return 3;
  }
  const struct kv_cache_counts c = kv_cache_counts(l.cache);
  printf("{\"answers\": %llu, \"hits\": %llu, \"lost\": %llu, \"wrong\": %llu, \"writes\": %llu, "
         "\"us_hit\": %.0f, \"us_server\": %.0f}\n",
         (unsigned long long)l.answered, (unsigned long long)l.hits, (unsigned long long)l.lost,
         (unsigned long long)c.wrong, (unsigned long long)c.writes,
         l.hits ? l.time / (double)l.hits : 0,
         l.answered > l.hits ? l.server_time / (double)(l.answered - l.hits) : 0);
  kv_cache_free(l.cache);
  app_zipf_release(&l.numbers);
  close(l.udp);
  if (app_link_close(l.link, &l.error)) {
    fprintf(stderr, "kv-load: %s\n", l.error.text);
    return 3;
  }
  return c.wrong ? 1 : 0;
}
