// SPDX-License-Identifier: Apache-2.0
// DPI side of tb_sluice_capsule_exit: what leaves of a packet, without the padding to 64 bytes.
#include "sluice_capsule_exit/capsule_exit.h"

// left: the first bytes that leave, *shown of them within the header; *size: of the whole packet.
void capsule_exit_model(int stages, int valid, int complete, int returned, int fault, int length,
                        const uint32_t *data, uint32_t src, uint32_t dst, int len,
                        const uint32_t *header, uint32_t *left, int *shown, int *size);

void capsule_exit_model(int stages, int valid, int complete, int returned, int fault, int length,
                        const uint32_t *data, uint32_t src, uint32_t dst, int len,
                        const uint32_t *header, uint32_t *left, int *shown, int *size) {
  const struct capsule_end c = {.valid = valid,
                                .complete = complete,
                                .returned = returned,
                                .fault = fault,
                                .length = (unsigned)length,
                                .data = {data[0], data[1], data[2], data[3]},
                                .src = src,
                                .dst = dst};
  const unsigned total = (unsigned)len, end = total < CAPSULE_HEADER ? total : CAPSULE_HEADER;
  uint8_t bytes[CAPSULE_HEADER], out[CAPSULE_HEADER] = {0};
  memcpy(bytes, header, sizeof bytes);
  const unsigned taken = capsule_exit((unsigned)stages, &c, total, bytes);
  memcpy(out, bytes, CAPSULE_HEAD);
  memcpy(out + CAPSULE_HEAD, bytes + CAPSULE_HEAD + taken, end - CAPSULE_HEAD - taken);
  memcpy(left, out, sizeof out);
  *shown = (int)(end - taken);
  *size = (int)(total - taken);
}
