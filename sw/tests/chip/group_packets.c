// SPDX-License-Identifier: Apache-2.0
// Group communication: the stream of a sender in layers, and what each receiver has got of it.
//
//     group_packets send FILE.pcap PACKETS     makes the stream: packet n has number n in bytes 50
//                                              to 53, and layer 0, 1, 2, 2, 0, ... in byte 47;
//                                              1,024 bytes, one in 160 ns
//     group_packets check FILE.pcapng PACKETS FULL [FULL ...]
//                                              reads what left the ports; receiver p is port p.
//                                              FULL: a receiver that must have everything
//
// It prints a table. Exit code 1, and a line for each, if a packet is not as it was sent (but for
// the room that the switch writes into it), if one comes twice or out of its order, if a receiver
// of the second list lacks one, or if a receiver lacks one of layer 0.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "lib/capture.h"

enum { LEN = 1024, GAP = 160, VID = 1, LAYERS = 3, PORTS = 8, LAYER_AT = 47, ROOM_AT = 48 };
enum { NUMBER_AT = 50 };

static unsigned layer_of(unsigned number) {
  static const unsigned layers[4] = {0, 1, 2, 2};
  return layers[number % 4];
}

static void make(uint8_t *frame, unsigned number) {
  static const uint8_t head[] = {
      1, 0, 0x5e, 0, 0,  9,  2, 0, 0,  0, 0, 7, 0x81, 0, 0, VID, 8,    0,    0x45, 0,    3, 238,
      0, 0, 0,    0, 64, 17, 0, 0, 10, 0, 0, 7, 224,  0, 0, 9,   0x13, 0x88, 0x13, 0x89, 3, 218};
  memset(frame, 0, LEN);
  memcpy(frame, head, sizeof head);
  frame[LAYER_AT] = (uint8_t)layer_of(number);
  sluice_put32(frame + NUMBER_AT, number);
}

static int failed(const char *path, const struct sluice_error *error) {
  fprintf(stderr, "group_packets: '%s': %s\n", path, error->text);
  return 2;
}

static int send_stream(const char *path, unsigned packets) {
  struct sluice_capture_writer *out;
  struct sluice_error error;
  uint8_t frame[LEN];
  if (sluice_capture_create_ports(&out, path, PORTS, &error)) return failed(path, &error);
  for (unsigned n = 0; n < packets; n++) {
    make(frame, n);
    sluice_capture_write_at(out, frame, LEN, (uint64_t)GAP * n, 0, NULL);
  }
  return sluice_capture_finish(out, &error) ? failed(path, &error) : 0;
}

struct receiver {
  long last;
  unsigned got[LAYERS];
};

static unsigned wrong;
static void tell(const char *what, unsigned port, long number) {
  if (wrong++ < 10) printf("receiver %u, packet %ld: %s\n", port, number, what);
}

static void take(struct receiver *r, unsigned port, const uint8_t *frame, size_t len,
                 unsigned packets) {
  uint8_t sent[LEN];
  const long number = (long)frame[NUMBER_AT] << 24 | (long)frame[NUMBER_AT + 1] << 16 |
                      (long)frame[NUMBER_AT + 2] << 8 | frame[NUMBER_AT + 3];
  if (len != LEN || number >= (long)packets) {
    tell("nobody sent it", port, number);
    return;
  }
  make(sent, (unsigned)number);
  memcpy(sent + ROOM_AT, frame + ROOM_AT, 2);
  if (memcmp(sent, frame, LEN) != 0) tell("not as it was sent", port, number);
  if (number <= r->last) tell("twice, or out of order", port, number);
  r->last = number;
  r->got[layer_of((unsigned)number)]++;
}

static int check_stream(const char *path, unsigned packets, char **full, int num_full) {
  struct sluice_capture *in;
  struct sluice_packet got;
  struct sluice_error error;
  enum sluice_status status;
  struct receiver r[PORTS];
  unsigned of_layer[LAYERS] = {0};
  for (unsigned p = 0; p < PORTS; p++) r[p] = (struct receiver){.last = -1};
  for (unsigned n = 0; n < packets; n++) of_layer[layer_of(n)]++;
  if (sluice_capture_open(&in, path, &error)) return failed(path, &error);
  while ((status = sluice_capture_next(in, &got, &error)) == SLUICE_OK && got.bytes)
    take(&r[got.interface & (PORTS - 1)], (unsigned)got.interface, got.bytes, got.len, packets);
  sluice_capture_close(in);
  if (status) return failed(path, &error);
  printf("sent: layer 0 %u, 1 %u, 2 %u\n", of_layer[0], of_layer[1], of_layer[2]);
  for (unsigned p = 1; p < PORTS; p++) {
    bool all = false;
    for (int i = 0; i < num_full; i++) all |= (unsigned)atoi(full[i]) == p;
    printf("receiver %u: layer 0 %u, 1 %u, 2 %u\n", p, r[p].got[0], r[p].got[1], r[p].got[2]);
    if (r[p].got[0] != of_layer[0]) tell("layer 0 is not complete", p, -1);
    if (all && (r[p].got[1] != of_layer[1] || r[p].got[2] != of_layer[2]))
      tell("something is missing", p, -1);
  }
  return wrong != 0;
}

int main(int argc, char **argv) {
  const unsigned packets = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;
  if (argc == 4 && strcmp(argv[1], "send") == 0) return send_stream(argv[2], packets);
  if (argc >= 4 && strcmp(argv[1], "check") == 0)
    return check_stream(argv[2], packets, argv + 4, argc - 4);
  fprintf(stderr, "usage: group_packets send FILE PACKETS | check FILE PACKETS [FULL...]\n");
  return 2;
}
