// SPDX-License-Identifier: Apache-2.0
// sluice active asm -o FILE.pcap: a packet that carries the program.
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "../base/number.h"
#include "../base/bytes.h"
#include "../lib/capture.h"
#include "active.h"

// "10.0.0.1:1234" up to `end`.
static bool read_end(const char *text, size_t len, uint32_t *address, uint16_t *port) {
  char copy[64];
  struct in_addr in;
  if (len >= sizeof copy) return false;
  memcpy(copy, text, len);
  copy[len] = 0;
  unsigned number;
  char *colon = strchr(copy, ':');
  if (!colon) return false;
  *colon = 0;
  if (!sluice_unsigned_in(colon + 1, 0, 65535, &number) || inet_pton(AF_INET, copy, &in) != 1)
    return false;
  *address = ntohl(in.s_addr);
  *port = (uint16_t)number;
  return true;
}

bool active_read_tuple(const char *text, struct active_packet *p) {
  const char *comma = text ? strchr(text, ',') : NULL;
  if (!text) return true;
  if (comma && read_end(text, (size_t)(comma - text), &p->source, &p->sport) &&
      read_end(comma + 1, strlen(comma + 1), &p->dest, &p->dport))
    return true;
  cli_error("--tuple: '%s': two addresses with ports, as 10.0.0.1:1234,10.0.0.2:80", text);
  return false;
}

bool active_names_capture(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && (strcmp(dot, ".pcap") == 0 || strcmp(dot, ".pcapng") == 0);
}

enum { IP = 20, UDP = 8, PAYLOAD = 18, INNER = IP + UDP + PAYLOAD };

// An IPv4 packet with UDP (without a checksum) and zeros in it, and a good header checksum.
static void make_inner(const struct active_packet *p, uint8_t b[INNER]) {
  memset(b, 0, INNER);
  sluice_put16(b, 0x4500);
  sluice_put16(b + 2, INNER);
  sluice_put16(b + 8, 64 << 8 | 17);
  sluice_put32(b + 12, p->source);
  sluice_put32(b + 16, p->dest);
  sluice_put16(b + 10, sluice_fold16(sluice_sum16(b, IP)));
  sluice_put16(b + IP, p->sport);
  sluice_put16(b + IP + 2, p->dport);
  sluice_put16(b + IP + 4, UDP + PAYLOAD);
}

enum sluice_status active_make_frame(const struct active_job *job,
                                     const struct active_capsule *capsule,
                                     const struct active_packet *packet, uint8_t *frame,
                                     size_t size, size_t *len, struct sluice_error *error) {
  const struct capsule c = {
      .addresses = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1},
      .tagged = job->vid != 0,
      .tci = (uint16_t)job->vid,
      .flags = (uint16_t)(CAPSULE_ARGS | (capsule->preload ? CAPSULE_PRELOAD : 0)),
      .fid = (uint16_t)capsule->fid,
      .args = capsule->args,
      .program = capsule->program};
  uint8_t inner[INNER];
  make_inner(packet, inner);
  return capsule_write(&c, inner, sizeof inner, frame, size, len, error);
}

int active_write_packet(const struct active_job *job, const struct active_program *program,
                        bool preload) {
  struct active_packet packet = {0};
  struct active_capsule capsule = {
      .fid = (unsigned)job->fid, .preload = preload, .program = *program};
  struct sluice_capture_writer *out;
  struct sluice_error error;
  uint64_t args[4] = {0};
  uint8_t frame[1024];
  size_t len;
  if (!active_read_tuple(job->tuple, &packet)) return CLI_USAGE;
  if (job->args && active_numbers("args", job->args, 0xffffffff, 4, args) < 0) return CLI_USAGE;
  for (unsigned i = 0; i < 4; i++) capsule.args.data[i] = (uint32_t)args[i];
  enum sluice_status status =
      active_make_frame(job, &capsule, &packet, frame, sizeof frame, &len, &error);
  if (!status) status = sluice_capture_create(&out, job->output, &error);
  if (!status) {
    sluice_capture_write(out, frame, len, 0);
    status = sluice_capture_finish(out, &error);
  }
  if (!status) return CLI_DONE;
  cli_error("%s", error.text);
  return CLI_WORLD;
}
