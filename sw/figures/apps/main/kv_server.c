// SPDX-License-Identifier: Apache-2.0
// A key-value server over UDP, for questions with and without a program in front of them:
//
//     build/kv-server if:eth0
//
// Plain questions come to its UDP socket as to any server. Those that a cache in the switch has not
// answered come as frames of another EtherType, which the kernel does not know: they are taken from
// a packet socket at the interface. Answers leave through the UDP socket. SIGINT and SIGTERM end
// it.
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../../base/loop.h"
#include "../kv.h"
#include "../link.h"

enum { FRAME = 2048 };

struct server {
  struct app_link *link;
  struct kv_store *store;
  int udp;
  uint64_t plain, capsules;
};

static void answer(struct server *s, const struct kv_message *q, uint32_t address, uint16_t port) {
  struct kv_message a;
  uint8_t bytes[KV_BYTES];
  const struct sockaddr_in to = {
      .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(address)}};
  if (!kv_serve(s->store, q, &a)) return;
  kv_write(&a, bytes);
  // A client that does not get its answer asks again.
  (void)!sendto(s->udp, bytes, sizeof bytes, 0, (const struct sockaddr *)&to, sizeof to);
}

static void serve_plain(struct server *s) {
  uint8_t bytes[FRAME];
  struct sockaddr_in from;
  for (;;) {
    socklen_t from_len = sizeof from;
    struct kv_message q;
    const ssize_t len =
        recvfrom(s->udp, bytes, sizeof bytes, MSG_DONTWAIT, (struct sockaddr *)&from, &from_len);
    if (len < 0) return;
    if (!kv_read(&q, bytes, (size_t)len)) continue;
    s->plain++;
    answer(s, &q, ntohl(from.sin_addr.s_addr), ntohs(from.sin_port));
  }
}

static void serve_capsules(struct server *s) {
  struct active_link *link = app_link_of(s->link);
  uint8_t frame[FRAME];
  size_t len;
  while ((len = link->receive(link->self, frame, sizeof frame))) {
    struct capsule c;
    struct kv_message q;
    struct kv_ends e;
    if (!capsule_is(frame, len) || capsule_read(&c, frame, len, NULL) ||
        !kv_read_ip(&q, &e, frame + c.inner, len - c.inner))
      continue;
    s->capsules++;
    answer(s, &q, e.source, e.sport);
  }
}

static bool open_udp(struct server *s) {
  const struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(KV_PORT)};
  s->udp = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (s->udp >= 0 && bind(s->udp, (const struct sockaddr *)&here, sizeof here) == 0) return true;
  fprintf(stderr, "kv-server: UDP port %d: %s\n", KV_PORT, strerror(errno));
  return false;
}

int main(int argc, char **argv) {
  struct sluice_loop loop = SLUICE_LOOP;
  struct server s = {.udp = -1};
  struct sluice_error error;
  if (argc != 2 || argv[1][0] == '-') {
    fprintf(stderr, "usage: kv-server if:INTERFACE\n");
    return 2;
  }
  if (!open_udp(&s)) return 3;
  if (sluice_loop_signals(&loop, (const int[]){SIGINT, SIGTERM, 0}, &error) ||
      app_link_open(&s.link, argv[1], &error)) {
    fprintf(stderr, "kv-server: %s\n", error.text);
    return 3;
  }
  s.store = kv_store_new();
  if (!s.store) {
    fprintf(stderr, "kv-server: out of memory\n");
    return 3;
  }
  printf("serves\n");
  fflush(stdout);
  while (!sluice_loop_signal(&loop) && !app_link_ended(s.link)) {
    sluice_loop_watch(&loop, s.udp, SLUICE_LOOP_IN, NULL);
    sluice_loop_watch(&loop, app_link_fd(s.link), SLUICE_LOOP_IN, NULL);
    if (sluice_loop_wait(&loop) < 0 && errno != EINTR) break;
    serve_plain(&s);
    serve_capsules(&s);
  }
  printf("%llu questions: %llu plain, %llu behind a program\n",
         (unsigned long long)(s.plain + s.capsules), (unsigned long long)s.plain,
         (unsigned long long)s.capsules);
  kv_store_free(s.store);
  close(s.udp);
  sluice_loop_close(&loop);
  if (app_link_close(s.link, &error)) {
    fprintf(stderr, "kv-server: %s\n", error.text);
    return 3;
  }
  return 0;
}
