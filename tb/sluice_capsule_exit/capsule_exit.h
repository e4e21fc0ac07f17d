// SPDX-License-Identifier: Apache-2.0
// What leaves of a capsule, written from docs/machine.md (Capsules, Exit).
#ifndef SLUICE_TB_CAPSULE_EXIT_H
#define SLUICE_TB_CAPSULE_EXIT_H
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { CAPSULE_HEADER = 128, CAPSULE_HEAD = 44, CAPSULE_LIST = 42 };

// As a program has left it.
struct capsule_end {
  bool valid, complete, returned, fault;  // fault: to be reported
  unsigned length;
  uint32_t data[4], src, dst;
};

static inline void capsule_word(uint8_t *to, uint32_t value, unsigned at, unsigned end) {
  for (unsigned b = 0; b < 4; b++)
    if (at + b < end) to[at + b] = (uint8_t)(value >> (24 - 8 * b));
}

// header: as the deparser leaves it; len: bytes of the packet. Returns how many bytes are then
// taken out from byte 44 on.
static inline unsigned capsule_exit(unsigned stages, const struct capsule_end *c, unsigned len,
                                    uint8_t header[CAPSULE_HEADER]) {
  const unsigned end = len < CAPSULE_HEADER ? len : CAPSULE_HEADER,
                 ip = CAPSULE_HEAD + 2 * c->length;
  if (!c->valid) return 0;
  for (unsigned d = 0; d < 4; d++) capsule_word(header, c->data[d], 28 + 4 * d, end);
  if (c->returned) {
    uint8_t mac[6];
    memcpy(mac, header, 6);
    memcpy(header, header + 6, 6);
    memcpy(header + 6, mac, 6);
    if (ip + 20 <= CAPSULE_HEADER) {
      capsule_word(header, c->dst, ip + 12, end);
      capsule_word(header, c->src, ip + 16, end);
    }
  }
  // A list of 42 may have no EOF; if it has one, it stands behind all stages.
  const bool done = c->complete || (c->length < CAPSULE_LIST && c->length - 1 <= stages);
  if (done) header[22] |= 1;
  if (c->fault) header[23] |= 0x80;
  const unsigned list = 2 * (done ? c->length : stages);
  return CAPSULE_HEAD + list > len ? len - CAPSULE_HEAD : list;
}
#endif
