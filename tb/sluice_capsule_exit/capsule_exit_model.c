// SPDX-License-Identifier: Apache-2.0
// What leaves of a capsule, written from docs/machine.md (Capsules, Exit) for tb_sluice_capsule_exit: on the bytes of the packet, of which
// some are then taken out. Padding to 64 bytes is not done here.
#include <string.h>

enum { HEADER = 128, HEAD = 44, LIST = 42, DONE_BYTE = 22, FAULT_BYTE = 23, ARGS = 28, LEAST = 64 };

// header: as the deparser leaves it. left: the first bytes that leave, *shown of them within the header; *size: of the whole packet.
void capsule_exit_model(int stages, int valid, int complete, int returned, int fault, int length,
                        const unsigned *data, unsigned src, unsigned dst, int len,
                        const unsigned *header, unsigned *left, int *shown, int *size);

static void word(unsigned char *to, unsigned value, unsigned end, unsigned at) {
  for (unsigned b = 0; b < 4; b++)
    if (at + b < end) to[at + b] = (unsigned char)(value >> (24 - 8 * b));
}

void capsule_exit_model(int stages, int valid, int complete, int returned, int fault, int length,
                        const unsigned *data, unsigned src, unsigned dst, int len,
                        const unsigned *header, unsigned *left, int *shown, int *size) {
  unsigned char bytes[HEADER], out[HEADER];
  memcpy(bytes, header, HEADER);
  const unsigned total = (unsigned)len, end = total < HEADER ? total : HEADER;
  unsigned out_of_it = 0;
  if (valid) {
    for (unsigned d = 0; d < 4; d++) word(bytes, data[d], end, ARGS + 4 * d);
    const unsigned ip = HEAD + 2 * (unsigned)length;
    if (returned) {
      unsigned char mac[6];
      memcpy(mac, bytes, 6);
      memcpy(bytes, bytes + 6, 6);
      memcpy(bytes + 6, mac, 6);
      if (ip + 20 <= HEADER) {
        word(bytes, dst, end, ip + 12);
        word(bytes, src, end, ip + 16);
      }
    }
    // A list of 42 may have no EOF; that one would stand behind all stages.
    const int eof = length - 1, done = complete || (length < LIST && eof <= stages);
    if (done) bytes[DONE_BYTE] |= 1;
    if (fault) bytes[FAULT_BYTE] |= 0x80;
    out_of_it = 2 * (unsigned)(done ? length : stages);
    if (HEAD + out_of_it > total) out_of_it = total - HEAD;
  }
  memset(out, 0, sizeof out);
  memcpy(out, bytes, HEAD);
  if (end > HEAD + out_of_it) memcpy(out + HEAD, bytes + HEAD + out_of_it, end - HEAD - out_of_it);
  memcpy(left, out, sizeof out);
  *shown = (int)(end - out_of_it);
  *size = (int)(total - out_of_it);
}
