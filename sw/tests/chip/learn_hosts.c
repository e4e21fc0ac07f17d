// SPDX-License-Identifier: Apache-2.0
// Three hosts at the ports of a switch that learns (docs/examples/learn.c), a UDP socket each: who
// hears what, step by step.
//
//   learn_hosts HERE THERE    host n: UDP port HERE + n, its port of the switch THERE + n
#include <arpa/inet.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { HOSTS = 3, LEN = 60, EVERYBODY = 15, PATIENCE_MS = 3000, QUIET_MS = 150 };

static int hosts[HOSTS];

static struct sockaddr_in local(unsigned port) {
  return (struct sockaddr_in){.sin_family = AF_INET,
                              .sin_port = htons((uint16_t)port),
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

// Which hosts hear the frame with this number; waits for those that are wanted, and a little for
// others.
static unsigned heard(unsigned number, unsigned wanted) {
  unsigned got = 0;
  for (;;) {
    struct pollfd fds[HOSTS];
    uint8_t frame[2000];
    for (unsigned n = 0; n < HOSTS; n++) fds[n] = (struct pollfd){.fd = hosts[n], .events = POLLIN};
    if (poll(fds, HOSTS, (got & wanted) == wanted ? QUIET_MS : PATIENCE_MS) <= 0) return got;
    for (unsigned n = 0; n < HOSTS; n++)
      if (fds[n].revents & POLLIN && recv(hosts[n], frame, sizeof frame, 0) >= LEN &&
          frame[LEN - 1] == number)
        got |= 1u << n;
  }
}

// Host `host` sends from address `from` to address `to`; the set of hosts `wanted` must hear it.
static int step(unsigned host, unsigned from, unsigned to, unsigned wanted, const char *what) {
  static unsigned number;
  uint8_t frame[LEN] = {2, 0, 0, 0, 0, (uint8_t)to, 2, 0, 0, 0, 0, (uint8_t)from, 0x12, 0x34};
  if (to == EVERYBODY) memset(frame, 0xff, 6);
  frame[LEN - 1] = (uint8_t)++number;
  if (send(hosts[host], frame, LEN, 0) != LEN) return 1;
  const unsigned got = heard(number, wanted);
  if (got != wanted) printf("%s: heard by the set %u, not %u\n", what, got, wanted);
  return got != wanted;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  for (unsigned n = 0; n < HOSTS; n++) {
    const struct sockaddr_in here = local((unsigned)atoi(argv[1]) + n),
                             there = local((unsigned)atoi(argv[2]) + n);
    hosts[n] = socket(AF_INET, SOCK_DGRAM, 0);
    if (bind(hosts[n], (const struct sockaddr *)&here, sizeof here) ||
        connect(hosts[n], (const struct sockaddr *)&there, sizeof there))
      return perror("learn_hosts"), 3;
  }
  return step(0, 1, 2, 6, "to one that nobody knows") || step(1, 2, 1, 1, "the answer") ||
         step(0, 1, 2, 2, "to one that is known") || step(0, 1, EVERYBODY, 6, "to everybody") ||
         step(2, 3, 1, 1, "from a third one") || step(2, 2, 1, 1, "from one that has moved") ||
         step(0, 1, 2, 4, "to one that has moved") ||
         step(1, 2, 1, 1, "from one that has moved back") ||
         step(0, 1, 2, 2, "to one that has moved back");
}
