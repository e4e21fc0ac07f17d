// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/sluice.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "compiler/compiler.h"
#include "driver/image/image.h"
#include "tests/rig/texts.h"
#include "transport/filter.h"

/// What the tests of the library share: programs compiled in memory, and a control line that loses,
/// doubles, swaps and damages frames on their way to the chip and back.

/// The image of a program on the heap, or NULL when the chip cannot take it.
static inline struct sluice_image *compiled_text(const char *text, const char *chip) {
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  struct sluice_image image = {.num_writes = 0}, *heap = NULL;
  const struct sluice_compile_options options = {.pin = false};
  struct sluice_program *program CLOSED_BY(free_program) =
      sluice_program_parse("test.dom", text, strlen(text), &diags);
  if (program &&
      sluice_compile(program, sluice_config_find(chip), &options, &image, &diags) == SLUICE_OK) {
    heap = malloc(sizeof *heap);
    if (heap) *heap = image;
    else sluice_image_release(&image);
  }
  return heap;
}

static inline struct sluice_image *compiled(const char *path, const char *chip) {
  char *text CLOSED_BY(freed) = text_of(path);
  struct sluice_image *image = compiled_text(text, chip);
  return image;
}

/// A program that counts in `array`, starts at `start`, and writes the count to bytes 46..49.
static inline struct sluice_image *counter(const char *array, int start, const char *chip) {
  char text[600];
  snprintf(
      text, sizeof text,
      "struct Packet { int in @ meta.port_in; int out @ meta.port_out; int seq @ bytes(46, 4); };\n"
      "int %s = %d;\n"
      "void f(struct Packet p) { %s = %s + 1; p.seq = %s; p.out = p.in ^ 1; }\n",
      array, start, array, array, array);
  return compiled_text(text, chip);
}

/// A transport around another one whose control line is bad. Registers are sound: they go another
/// way.
struct bad_line {
  struct sluice_filter line;
  struct sluice_transport *inner;
  struct sluice_rng rng;
  double lose, twice, swap, damage;  // shares of the frames, in each direction
  size_t held_len, late_len;
  uint8_t held[SLUICE_PACKET_MAX], late[20000];
  unsigned long frames, touched;
  uint32_t recalled;         // bits of CHIP.RECALL that were ever set
  unsigned long dies_after;  // nothing arrives any more behind so many frames; 0: never
  unsigned misses;           // 1 + s: the next FILL of stage s fills in stage s ^ 1; 0: none does
};

static inline bool happens(struct bad_line *l, double share) {
  const bool yes = share > 0 && sluice_rng_unit(&l->rng) < share;
  l->touched += yes;
  return yes;
}

static inline void damage(struct bad_line *l, uint8_t *bytes, size_t len) {
  if (!happens(l, l->damage)) return;
  // A bit, a byte, or the end: where the packet's own fields are as often as anywhere else.
  const size_t at = sluice_rng_below(&l->rng, 2) ? 12 + sluice_rng_below(&l->rng, 52)
                                                 : sluice_rng_below(&l->rng, len);
  if (at < len)
    bytes[at] ^= (uint8_t)(sluice_rng_below(&l->rng, 2) ? 1u << sluice_rng_below(&l->rng, 8)
                                                        : 1 + sluice_rng_below(&l->rng, 255));
}

static inline enum sluice_status bad_write(void *self, uint32_t addr, uint32_t value,
                                           struct sluice_error *error) {
  struct bad_line *l = ((struct sluice_filter *)self)->user;
  if (addr == SLUICE_CHIP_BASE + SLUICE_CHIP_RECALL) l->recalled |= value;
  return l->inner->ops->csr_write(l->inner->self, addr, value, error);
}
static inline enum sluice_status bad_send(void *self, const uint8_t *bytes, size_t len,
                                          struct sluice_error *error) {
  struct bad_line *l = ((struct sluice_filter *)self)->user;
  uint8_t frame[SLUICE_PACKET_MAX];
  enum sluice_status status = SLUICE_OK;
  l->frames++;
  if (l->dies_after && l->frames > l->dies_after) return SLUICE_OK;
  if (happens(l, l->lose)) return SLUICE_OK;
  memcpy(frame, bytes, len);
  damage(l, frame, len);
  if (l->misses && frame[46] >> 3 == l->misses - 1 &&
      sluice_table_find(frame[46] & 7u, frame[47] & 15u) == SLUICE_TABLE_FILL) {
    frame[46] ^= 8;
    l->misses = 0;
  }
  if (!l->held_len && happens(l, l->swap)) {
    memcpy(l->held, frame, l->held_len = len);
    return SLUICE_OK;
  }
  for (int n = happens(l, l->twice) ? 2 : 1; !status && n; n--)
    status = l->inner->ops->control_send(l->inner->self, frame, len, error);
  if (!status && l->held_len) {
    status = l->inner->ops->control_send(l->inner->self, l->held, l->held_len, error);
    l->held_len = 0;
  }
  return status;
}
static inline enum sluice_status bad_receive(void *self, uint8_t *bytes, size_t room, size_t *len,
                                             struct sluice_error *error) {
  struct bad_line *l = ((struct sluice_filter *)self)->user;
  for (;;) {
    if (l->late_len) {
      memcpy(bytes, l->late, *len = l->late_len);
      l->late_len = 0;
      return SLUICE_OK;
    }
    const enum sluice_status status =
        l->inner->ops->control_receive(l->inner->self, bytes, room, len, error);
    if (status || *len == 0) return status;
    if (happens(l, l->lose)) continue;
    damage(l, bytes, *len);
    if (happens(l, l->twice)) memcpy(l->late, bytes, l->late_len = *len);
    return SLUICE_OK;
  }
}
static inline struct sluice_transport bad_transport(struct bad_line *line) {
  sluice_filter_init(&line->line, line->inner, line);
  line->line.ops.csr_write = bad_write;
  line->line.ops.control_send = bad_send;
  line->line.ops.control_receive = bad_receive;
  return line->line.to;
}
