// SPDX-License-Identifier: Apache-2.0
// The control plane of sw/programs/tables/l2.dom: learns where addresses are, and floods what is
// for nobody that is known. Its packets come and go over UDP, its changes over the control socket.
//
//     sluice serve --chip model:tables -m l2.dom:5 --control /tmp/switch
//       --port 0=tap:h1/eth0 --port 1=tap:h2/eth0 --port 3=udp:5000,to=127.0.0.1:5001,trunk
//     cc -o learn learn.c -lsluice -ljansson && ./learn /tmp/switch 5 5001 5000
//
// The upper three bits of a packet's VLAN tag say at which port it has come in, and of one that is
// sent back to which port it shall go. Addresses are never forgotten; one that moves is learned
// anew.
#include <arpa/inet.h>
#include <sluice/switch.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PORTS = 3, MOST = 200, ADDRESS = 6, FROM = 6, TCI = 14, SHORTEST = 18, LONGEST = 10000 };

struct known {
  uint8_t address[ADDRESS];
  unsigned port;
};
static struct known known[MOST];
static unsigned num_known;
static struct sluice_switch *control;
static int packets;

static struct known *find(const uint8_t *address) {
  for (unsigned n = 0; n < num_known; n++)
    if (memcmp(known[n].address, address, ADDRESS) == 0) return &known[n];
  return NULL;
}

// Asks the switch: JSON, and JSON comes back (docs/control.md). False: it refuses.
static int ask(const char *format, ...) {
  char request[1000];
  const char *answer;
  struct sluice_error error;
  va_list args;
  va_start(args, format);
  vsnprintf(request, sizeof request, format, args);
  va_end(args);
  const enum sluice_status status = sluice_switch_ask(control, request, &answer, &error);
  if (!status) return 1;
  if (status == SLUICE_ERR_IO) exit(0);  // the switch is gone
  fprintf(stderr, "learn: %s\n", error.text);
  return 0;
}

// First where packets to it go, then that packets from it need not come here any more.
static void learn(unsigned vid, const uint8_t *a, unsigned port) {
  char text[20], old[100] = "";
  struct known *k = find(a);
  if ((a[0] & 1) || port >= PORTS || (k && k->port == port) || (!k && num_known == MOST)) return;
  snprintf(text, sizeof text, "%02x:%02x:%02x:%02x:%02x:%02x", a[0], a[1], a[2], a[3], a[4], a[5]);
  if (k) snprintf(old, sizeof old, "[\"del\",\"%s\",\"%u\"],", text, k->port);
  if (!ask("{\"do\":\"table\",\"vid\":%u,\"table\":\"switching\",\"changes\":[[\"set\",\"%s\","
           "\"forward\",\"port=%u\"]]}",
           vid, text, port) ||
      !ask("{\"do\":\"table\",\"vid\":%u,\"table\":\"learned\",\"changes\":[%s[\"set\",\"%s\",\"%"
           "u\","
           "\"nothing\"]]}\n",
           vid, old, text, port))
    return;
  if (!k) k = &known[num_known++];
  memcpy(k->address, a, ADDRESS);
  k->port = port;
  printf("%s is at port %u\n", text, port);
  fflush(stdout);
}

static void forward(uint8_t *frame, size_t len, unsigned from) {
  const struct known *k = find(frame);
  for (unsigned port = 0; port < PORTS; port++) {
    if (port == from || (k && k->port != port)) continue;
    frame[TCI] = (uint8_t)(port << 5 | (frame[TCI] & 0x1f));
    if (send(packets, frame, len, 0) < 0) perror("learn: send");
  }
}

static struct sockaddr_in local(const char *port) {
  return (struct sockaddr_in){.sin_family = AF_INET,
                              .sin_port = htons((uint16_t)atoi(port)),
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

int main(int argc, char **argv) {
  static uint8_t frame[LONGEST];
  char where[200];
  struct sluice_error error;
  if (argc != 5) {
    fprintf(stderr, "usage: learn CONTROL VID UDP_HERE UDP_OF_THE_SWITCH\n");
    return 2;
  }
  const unsigned vid = (unsigned)atoi(argv[2]);
  const struct sockaddr_in here = local(argv[3]), there = local(argv[4]);
  snprintf(where, sizeof where, "control:%s", argv[1]);
  if (sluice_switch_connect(&control, where, NULL, &error)) {
    fprintf(stderr, "learn: %s\n", error.text);
    return 3;
  }
  packets = socket(AF_INET, SOCK_DGRAM, 0);
  if (bind(packets, (const struct sockaddr *)&here, sizeof here) ||
      connect(packets, (const struct sockaddr *)&there, sizeof there)) {
    perror("learn");
    return 3;
  }
  printf("learning\n");
  fflush(stdout);
  for (;;) {
    const ssize_t len = recv(packets, frame, sizeof frame, 0);
    if (len < SHORTEST) continue;
    learn(vid, frame + FROM, frame[TCI] >> 5);
    forward(frame, (size_t)len, frame[TCI] >> 5);
  }
}
