// SPDX-License-Identifier: Apache-2.0
#include "tag.h"

#include <sluice/transport.h>
#include <string.h>

enum { ADDRESSES = 12, HEADER = 14, TAG = 4, VID_MASK = 0xfff };

static bool has_tag(const uint8_t *frame, size_t len) {
  return len >= HEADER + TAG && frame[ADDRESSES] == 0x81 && frame[ADDRESSES + 1] == 0x00;
}
static unsigned tci(const uint8_t *frame) {
  return (unsigned)frame[HEADER] << 8 | frame[HEADER + 1];
}

enum live_refusal live_enter(const struct live_vlan *vlan, const uint8_t *frame, size_t len,
                             uint8_t *out, size_t room, size_t *out_len) {
  if (len < HEADER) return LIVE_SHORT;
  const bool tag = has_tag(frame, len), vid = tag && (tci(frame) & VID_MASK) != 0;
  if (vlan->trunk && !vid) return LIVE_UNTAGGED;
  if (!vlan->trunk && vid) return LIVE_TAGGED;
  const size_t add = tag ? 0 : TAG;
  if (len > room || len + add > room || room < SLUICE_PACKET_MIN) return LIVE_LONG;
  memcpy(out, frame, ADDRESSES);
  memcpy(out + ADDRESSES + add, frame + ADDRESSES, len - ADDRESSES);
  if (!vlan->trunk) {
    const unsigned value = (tag ? tci(frame) & ~(unsigned)VID_MASK : 0) | vlan->vid;
    out[ADDRESSES] = 0x81;
    out[ADDRESSES + 1] = 0x00;
    out[HEADER] = (uint8_t)(value >> 8);
    out[HEADER + 1] = (uint8_t)value;
  }
  *out_len = len + add;
  if (*out_len < SLUICE_PACKET_MIN) {
    memset(out + *out_len, 0, SLUICE_PACKET_MIN - *out_len);
    *out_len = SLUICE_PACKET_MIN;
  }
  return LIVE_FITS;
}

enum live_refusal live_leave(const struct live_vlan *vlan, uint8_t *frame, size_t *len,
                             const uint8_t **start) {
  *start = frame;
  if (*len < HEADER) return LIVE_SHORT;
  if (vlan->trunk) return LIVE_FITS;
  if (!has_tag(frame, *len) || (tci(frame) & VID_MASK) != vlan->vid) return LIVE_FOREIGN;
  memmove(frame + TAG, frame, ADDRESSES);
  *start = frame + TAG;
  *len -= TAG;
  return LIVE_FITS;
}

const char *live_refusal_name(enum live_refusal refusal) {
  static const char *const names[LIVE_NUM_REFUSALS] = {"fits",  "tagged", "untagged", "foreign",
                                                       "short", "long",   "segments"};
  return refusal < LIVE_NUM_REFUSALS ? names[refusal] : "?";
}
