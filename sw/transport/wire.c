// SPDX-License-Identifier: Apache-2.0
#include "wire.h"

#include <string.h>

// CRC-16 of HDLC, bits reflected: polynomial 0x1021, from all ones, inverted at the end.
enum { CRC_START = 0xffff, CRC_GOOD = 0xf0b8 };

// Four bits at a time: entry n is what n shifted right by 4 leaves.
static unsigned crc_byte(unsigned crc, uint8_t byte) {
  static const uint16_t four[16] = {0x0000, 0x1081, 0x2102, 0x3183, 0x4204, 0x5285, 0x6306, 0x7387,
                                    0x8408, 0x9489, 0xa50a, 0xb58b, 0xc60c, 0xd68d, 0xe70e, 0xf78f};
  crc ^= byte;
  crc = crc >> 4 ^ four[crc & 15];
  return crc >> 4 ^ four[crc & 15];
}

static uint8_t *put(uint8_t *out, unsigned byte) {
  if (byte == WIRE_FLAG || byte == WIRE_ESCAPE) {
    *out++ = WIRE_ESCAPE;
    byte ^= 0x20;
  }
  *out++ = (uint8_t)byte;
  return out;
}

size_t wire_encode(uint8_t *out, unsigned kind, unsigned number, unsigned arg,
                   const uint8_t *payload, size_t len) {
  const uint8_t head[] = {(uint8_t)kind, (uint8_t)number, (uint8_t)arg};
  uint8_t *at = out;
  unsigned crc = CRC_START;
  *at++ = WIRE_FLAG;
  for (size_t i = 0; i < sizeof head + len; i++) {
    uint8_t byte = i < sizeof head ? head[i] : payload[i - sizeof head];
    crc = crc_byte(crc, byte);
    at = put(at, byte);
  }
  crc ^= 0xffff;
  at = put(at, crc & 0xff);
  at = put(at, crc >> 8);
  *at++ = WIRE_FLAG;
  return (size_t)(at - out);
}

static bool finish(struct wire_decoder *d, struct wire_frame *frame) {
  const size_t len = d->len;
  const bool too_long = d->too_long;
  unsigned crc = CRC_START;
  for (size_t i = 0; i < len; i++) crc = crc_byte(crc, d->bytes[i]);
  d->len = 0;
  d->escaped = d->too_long = false;
  if (len == 0) return false;
  if (len < 5 || too_long || crc != CRC_GOOD) {
    d->broken++;
    return false;
  }
  frame->kind = d->bytes[0];
  frame->number = d->bytes[1];
  frame->arg = d->bytes[2];
  frame->len = len - 5;
  memcpy(frame->payload, d->bytes + 3, frame->len);
  return true;
}

bool wire_decode(struct wire_decoder *d, uint8_t byte, struct wire_frame *frame) {
  d->seen++;
  if (byte == WIRE_FLAG) return finish(d, frame);
  if (byte == WIRE_ESCAPE) {
    d->escaped = true;
    return false;
  }
  if (d->escaped) byte ^= 0x20;
  d->escaped = false;
  if (d->len == sizeof d->bytes) d->too_long = true;
  else d->bytes[d->len++] = byte;
  return false;
}

const char *wire_code_text(unsigned kind, unsigned code) {
  static const char *const codes[] = {"done",
                                      "no such kind of request",
                                      "the payload has the wrong length",
                                      "no such port",
                                      "the register refused it",
                                      "the chip did not answer or take it in time",
                                      "the chip is stuck since an earlier request: reset it"};
  static const char *const errors[] = {"?", "a frame came with a wrong check, or too short",
                                       "a frame came that was too long",
                                       "a byte came without a stop bit: is the baud rate right?"};
  if (kind == WIRE_ERROR) return code < sizeof errors / sizeof *errors ? errors[code] : errors[0];
  return code < sizeof codes / sizeof *codes ? codes[code]
                                             : "a code that this software does not know";
}
