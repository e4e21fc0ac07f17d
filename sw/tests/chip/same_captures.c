// SPDX-License-Identifier: Apache-2.0
// Compares two captures packet by packet: port (interface of a pcapng file), time, length, bytes.
// Prints what it compared, or the first difference, and then ends with code 1.
// usage: same_captures FILE FILE [set [VID]]     set: times and order are not compared
//                                                VID: only packets of this VLAN of the first file
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "lib/capture.h"

enum { MOST = 100000 };

struct copy {
  int port;
  uint64_t time;
  size_t len;
  uint8_t *bytes;
};
struct list {
  struct copy packets[MOST];
  size_t num;
};
static struct list first, second;

static bool has_vid(const struct sluice_packet *p, unsigned vid) {
  return p->len >= 16 && (sluice_get16(p->bytes + 14) & 0xfff) == vid;
}

// vid 0: all packets.
static void read_all(struct list *list, const char *path, unsigned vid) {
  struct sluice_capture *capture;
  struct sluice_packet p;
  struct sluice_error error = {{0}};
  enum sluice_status status = sluice_capture_open(&capture, path, &error);
  while (!status && !(status = sluice_capture_next(capture, &p, &error)) && p.bytes &&
         list->num < MOST) {
    if (vid && !has_vid(&p, vid)) continue;
    uint8_t *bytes = malloc(p.len);
    if (!bytes) exit(3);
    memcpy(bytes, p.bytes, p.len);
    list->packets[list->num++] = (struct copy){p.interface, p.time_ns, p.len, bytes};
  }
  if (status || list->num == MOST) {
    fprintf(stderr, "same_captures: %s\n", status ? error.text : "too many packets");
    exit(3);
  }
  sluice_capture_close(capture);
}

static int earlier(const void *left, const void *right) {
  const struct copy *a = left, *b = right;
  if (a->port != b->port) return a->port < b->port ? -1 : 1;
  if (a->len != b->len) return a->len < b->len ? -1 : 1;
  return memcmp(a->bytes, b->bytes, a->len);
}
static void sort(struct list *list) {
  qsort(list->packets, list->num, sizeof *list->packets, earlier);
}

static int differ(size_t n, const char *what, unsigned long long a, unsigned long long b) {
  printf("packet %zu: %s %llu, not %llu\n", n + 1, what, b, a);
  return 1;
}

static int compare(size_t n, const struct copy *a, const struct copy *b, bool times) {
  if (a->port != b->port)
    return differ(n, "port", (unsigned long long)a->port, (unsigned long long)b->port);
  if (times && a->time != b->time) return differ(n, "time", a->time, b->time);
  if (a->len != b->len) return differ(n, "length", a->len, b->len);
  for (size_t i = 0; i < a->len; i++)
    if (a->bytes[i] != b->bytes[i]) {
      printf("packet %zu: byte %zu is %02x, not %02x\n", n + 1, i, b->bytes[i], a->bytes[i]);
      return 1;
    }
  return 0;
}

int main(int argc, char **argv) {
  size_t bytes = 0;
  const bool set = argc >= 4 && argc <= 5 && strcmp(argv[3], "set") == 0;
  if (argc != 3 && !set) return 2;
  read_all(&first, argv[1], argc == 5 ? (unsigned)strtoul(argv[4], NULL, 10) : 0);
  read_all(&second, argv[2], 0);
  if (set) sort(&first), sort(&second);
  const size_t num = first.num < second.num ? first.num : second.num;
  for (size_t n = 0; n < num; n++) {
    if (compare(n, &first.packets[n], &second.packets[n], !set)) return 1;
    bytes += first.packets[n].len;
  }
  if (first.num != second.num) {
    printf("%zu packets, not %zu; the first %zu are the same\n", second.num, first.num, num);
    return 1;
  }
  if (num == 0) {
    printf("no packet was compared\n");
    return 1;
  }
  printf("%zu packets, %zu bytes: the same\n", num, bytes);
  return 0;
}
