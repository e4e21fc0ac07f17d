// SPDX-License-Identifier: Apache-2.0
#include "wire.h"

#include <string.h>

// CRC-16 of HDLC, bits reflected: polynomial 0x1021, from all ones, inverted at the end.
enum { CRC_START = 0xffff, CRC_GOOD = 0xf0b8 };

// Four bits at a time: nibbles[k][n] is what n leaves when k times four zeros follow it. The first
// row is the usual table; all of them together take eight bytes at once.
static const uint16_t nibbles[16][16] = {
    {0x0000, 0x1081, 0x2102, 0x3183, 0x4204, 0x5285, 0x6306, 0x7387, 0x8408, 0x9489, 0xa50a, 0xb58b,
     0xc60c, 0xd68d, 0xe70e, 0xf78f},
    {0x0000, 0x1189, 0x2312, 0x329b, 0x4624, 0x57ad, 0x6536, 0x74bf, 0x8c48, 0x9dc1, 0xaf5a, 0xbed3,
     0xca6c, 0xdbe5, 0xe97e, 0xf8f7},
    {0x0000, 0x9591, 0x2333, 0xb6a2, 0x4666, 0xd3f7, 0x6555, 0xf0c4, 0x8ccc, 0x195d, 0xafff, 0x3a6e,
     0xcaaa, 0x5f3b, 0xe999, 0x7c08},
    {0x0000, 0x19d8, 0x33b0, 0x2a68, 0x6760, 0x7eb8, 0x54d0, 0x4d08, 0xcec0, 0xd718, 0xfd70, 0xe4a8,
     0xa9a0, 0xb078, 0x9a10, 0x83c8},
    {0x0000, 0x8595, 0x033b, 0x86ae, 0x0676, 0x83e3, 0x054d, 0x80d8, 0x0cec, 0x8979, 0x0fd7, 0x8a42,
     0x0a9a, 0x8f0f, 0x09a1, 0x8c34},
    {0x0000, 0x5adc, 0xb5b8, 0xef64, 0x6361, 0x39bd, 0xd6d9, 0x8c05, 0xc6c2, 0x9c1e, 0x737a, 0x29a6,
     0xa5a3, 0xff7f, 0x101b, 0x4ac7},
    {0x0000, 0xc3a1, 0x8f53, 0x4cf2, 0x16b7, 0xd516, 0x99e4, 0x5a45, 0x2d6e, 0xeecf, 0xa23d, 0x619c,
     0x3bd9, 0xf878, 0xb48a, 0x772b},
    {0x0000, 0x1cbb, 0x3976, 0x25cd, 0x72ec, 0x6e57, 0x4b9a, 0x5721, 0xe5d8, 0xf963, 0xdcae, 0xc015,
     0x9734, 0x8b8f, 0xae42, 0xb2f9},
    {0x0000, 0xb440, 0x6091, 0xd4d1, 0xc122, 0x7562, 0xa1b3, 0x15f3, 0x8a55, 0x3e15, 0xeac4, 0x5e84,
     0x4b77, 0xff37, 0x2be6, 0x9fa6},
    {0x0000, 0x0b44, 0x1688, 0x1dcc, 0x2d10, 0x2654, 0x3b98, 0x30dc, 0x5a20, 0x5164, 0x4ca8, 0x47ec,
     0x7730, 0x7c74, 0x61b8, 0x6afc},
    {0x0000, 0x42b0, 0x8560, 0xc7d0, 0x02d1, 0x4061, 0x87b1, 0xc501, 0x05a2, 0x4712, 0x80c2, 0xc272,
     0x0773, 0x45c3, 0x8213, 0xc0a3},
    {0x0000, 0x042b, 0x0856, 0x0c7d, 0x10ac, 0x1487, 0x18fa, 0x1cd1, 0x2158, 0x2573, 0x290e, 0x2d25,
     0x31f4, 0x35df, 0x39a2, 0x3d89},
    {0x0000, 0xb5c9, 0x6383, 0xd64a, 0xc706, 0x72cf, 0xa485, 0x114c, 0x861d, 0x33d4, 0xe59e, 0x5057,
     0x411b, 0xf4d2, 0x2298, 0x9751},
    {0x0000, 0x9fd5, 0x37bb, 0xa86e, 0x6f76, 0xf0a3, 0x58cd, 0xc718, 0xdeec, 0x4139, 0xe957, 0x7682,
     0xb19a, 0x2e4f, 0x8621, 0x19f4},
    {0x0000, 0x5b78, 0xb6f0, 0xed88, 0x65f1, 0x3e89, 0xd301, 0x8879, 0xcbe2, 0x909a, 0x7d12, 0x266a,
     0xae13, 0xf56b, 0x18e3, 0x439b},
    {0x0000, 0x81bf, 0x0b6f, 0x8ad0, 0x16de, 0x9761, 0x1db1, 0x9c0e, 0x2dbc, 0xac03, 0x26d3, 0xa76c,
     0x3b62, 0xbadd, 0x300d, 0xb1b2}};

// n bytes at once, 2 to 8.
static inline unsigned crc_some(unsigned crc, const uint8_t *bytes, size_t n) {
  const uint16_t(*row)[16] = nibbles + 2 * n;
  const unsigned low = bytes[0] ^ (crc & 0xff), high = bytes[1] ^ crc >> 8;
  crc = row[-1][low & 15] ^ row[-2][low >> 4] ^ row[-3][high & 15] ^ row[-4][high >> 4];
  for (size_t i = 2; i < n; i++) {
    row = nibbles + 2 * (n - i);
    crc ^= row[-1][bytes[i] & 15] ^ row[-2][bytes[i] >> 4];
  }
  return crc;
}

static unsigned crc_bytes(unsigned crc, const uint8_t *bytes, size_t len) {
  for (; len >= 8; bytes += 8, len -= 8) crc = crc_some(crc, bytes, 8);
  if (len > 1) return crc_some(crc, bytes, len);
  if (!len) return crc;
  crc ^= *bytes;
  crc = crc >> 4 ^ nibbles[0][crc & 15];
  return crc >> 4 ^ nibbles[0][crc & 15];
}

// How many bytes from here on are neither flag nor escape. Eight at once: a byte of `word` that is
// 0x7e or 0x7d leaves a 0, and the lowest 0 borrows.
static size_t plain_run(const uint8_t *bytes, size_t len) {
  const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
  size_t n = 0;
  for (uint64_t word; n + 8 <= len; n += 8) {
    memcpy(&word, bytes + n, 8);
    const uint64_t flags = word ^ ones * WIRE_FLAG, escapes = word ^ ones * WIRE_ESCAPE;
    if ((((flags - ones) & ~flags) | ((escapes - ones) & ~escapes)) & tops) break;
  }
  while (n < len && bytes[n] != WIRE_FLAG && bytes[n] != WIRE_ESCAPE) n++;
  return n;
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
  const unsigned crc = crc_bytes(crc_bytes(CRC_START, head, sizeof head), payload, len) ^ 0xffff;
  *at++ = WIRE_FLAG;
  for (size_t i = 0; i < sizeof head; i++) at = put(at, head[i]);
  for (size_t i = 0; i < len; i++) {
    const size_t plain = plain_run(payload + i, len - i);
    memcpy(at, payload + i, plain);
    at += plain;
    i += plain;
    if (i < len) at = put(at, payload[i]);
  }
  at = put(at, crc & 0xff);
  at = put(at, crc >> 8);
  *at++ = WIRE_FLAG;
  return (size_t)(at - out);
}

static bool finish(struct wire_decoder *d, struct wire_frame *frame) {
  const size_t len = d->len;
  const bool too_long = d->too_long;
  const unsigned crc = crc_bytes(CRC_START, d->bytes, len);
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

bool wire_decode_some(struct wire_decoder *d, const uint8_t *bytes, size_t len, size_t *took,
                      struct wire_frame *frame) {
  const size_t room = d->escaped ? 0 : sizeof d->bytes - d->len;
  const size_t n = plain_run(bytes, len < room ? len : room);
  memcpy(d->bytes + d->len, bytes, n);
  d->len += n;
  d->seen += n;
  *took = n;
  if (n == len) return false;
  *took = n + 1;
  return wire_decode(d, bytes[n], frame);
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
