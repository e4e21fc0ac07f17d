// SPDX-License-Identifier: Apache-2.0
// Words of an array in a frame, as docs/machine.md says (Arrays, Parser and deparser). A header is
// 128 bytes, first byte first.
#include <stdint.h>
#include <string.h>

#define HEADER 128

static int words;

void ap_open(int number_of_words) { words = number_of_words; }

// Whether word i of an array of this ARRAY entry is in the packet, and where.
static int place(int entry, int length, int i) {
  int count = entry >> 8 & 31, offset = entry & 126, end = length < HEADER ? length : HEADER;
  if (!(entry >> 15 & 1)) return -1;
  if (i >= (count < words ? count : words)) return -1;
  return offset + 4 * i + 4 <= end ? offset + 4 * i : -1;
}

// What the packet carries; returns how many words are in the packet.
int ap_words(int entry, int length, const uint8_t *header, uint32_t *out) {
  int there = 0;
  for (int i = 0; i < words; i++) {
    int at = place(entry, length, i);
    out[i] = 0;
    if (at < 0) continue;
    there++;
    for (int b = 0; b < 4; b++) out[i] = out[i] << 8 | header[at + b];
  }
  return there;
}

// A 2-byte container is written at `offset`, and then the words; bytes behind the end are not
// written.
void ap_exit(int entry, int length, const uint8_t *header, const uint32_t *in, int offset,
             int value, uint8_t *out) {
  int end = length < HEADER ? length : HEADER;
  memcpy(out, header, HEADER);
  if (offset < end) out[offset] = (uint8_t)(value >> 8);
  if (offset + 1 < end) out[offset + 1] = (uint8_t)value;
  for (int i = 0; i < words; i++) {
    int at = place(entry, length, i);
    for (int b = 0; at >= 0 && b < 4; b++) out[at + b] = (uint8_t)(in[i] >> (24 - 8 * b));
  }
}
