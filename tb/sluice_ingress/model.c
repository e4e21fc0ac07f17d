// SPDX-License-Identifier: Apache-2.0
#include "model.h"

#include <string.h>

#include "../../sw/base/layouts.h"

unsigned model_port(const struct packet *p) {
  if (!p->ready) return SLUICE_DROP_NOT_READY;
  if (p->malformed || p->len < 64) return SLUICE_DROP_MALFORMED;
  if (p->len > 9216) return SLUICE_DROP_OVERSIZED;
  return 0;
}

static unsigned half(const struct packet *p, unsigned at) {
  return p->bytes[at] << 8 | p->bytes[at + 1];
}

unsigned model_vid(const struct packet *p) { return half(p, 14) & 0xfff; }

unsigned model_entry(const struct tables *t, const struct packet *p) {
  const unsigned row = model_vid(p) % t->rows;
  return (t->bank >> row & 1) * t->rows + row;
}

unsigned model_filter(const struct tables *t, const struct packet *p, bool *known) {
  const unsigned vid = model_vid(p), row = vid % t->rows;
  const struct module *m = &t->module[p->entry];
  const bool vlan = half(p, 12) == 0x8100, ip = half(p, 16) == 0x0800, udp = p->bytes[27] == 0x11;
  *known = vlan && m->valid && m->vid == vid;
  if (!vlan) return SLUICE_DROP_NO_VLAN;
  if (!*known) return SLUICE_DROP_UNKNOWN_MODULE;
  if (ip && udp && half(p, 40) == 0xf1f2) return SLUICE_DROP_RECONFIG;
  if (t->bitmap >> row & 1) return SLUICE_DROP_BITMAP;
  if ((m->need_ip || m->need_udp) && !ip) return SLUICE_DROP_PROTOCOL;
  if (m->need_udp && !udp) return SLUICE_DROP_PROTOCOL;
  return 0;
}

static void metadata_word(const struct tables *t, const struct packet *p, uint8_t word[32]) {
  const unsigned vid = model_vid(p);
  // Bit b of the word is bit b % 8 of byte 31 - b / 8.
  memset(word, 0, 32);
  const unsigned id = (vid & 0xff) << 4;  // MODULE_ID, bits 140:129
  word[14] = id >> 7;
  word[15] = (id << 1) & 0xff;
  word[23] = p->port;
  for (unsigned i = 0; i < 4; i++) word[24 + i] = p->arrival >> (24 - 8 * i);
  word[28] = t->module[p->entry].dest;
  word[29] = p->port < 8 ? 1u << p->port : 0;
  word[30] = p->len >> 8;
  word[31] = p->len & 0xff;
}

void model_parse(const struct tables *t, const struct packet *p, struct containers *out) {
  uint8_t word[32];
  metadata_word(t, p, word);
  memset(out, 0, sizeof *out);
  const uint8_t *entry = t->parser[p->entry];
  for (unsigned a = 0; a < t->actions; a++) {
    const unsigned action = entry[2 * a] << 8 | entry[2 * a + 1];
    const unsigned offset = action >> 6 & 127, kind = action >> 4 & 3, idx = action >> 1 & 7;
    if (!(action & 1) || kind == SLUICE_TYPE_CONST) continue;
    uint64_t value = 0;
    for (unsigned i = 0; i < 2 * kind; i++) {
      const unsigned at = offset + i;
      uint8_t byte = 0;
      if (action >> 13 & 1) byte = at < 32 ? word[at] : 0;
      else if (at < t->header && at < p->len) byte = p->bytes[at];
      value = value << 8 | byte;
    }
    (kind == SLUICE_TYPE_B2 ? out->b2 : kind == SLUICE_TYPE_B4 ? out->b4 : out->b6)[idx] = value;
  }
}
