// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "ir/program.h"
#include "tests/rig/interpret.h"
#include "driver/chip/packets.h"
#include "model/model.h"

/// A program twice: interpreted from its text, and compiled and loaded into the reference model.
/// Both get the same packets; header bytes, ports, drops and the final state must be equal.
struct rig {
  const struct sluice_config *config;
  struct sluice_program *program;
  struct sluice_interpreter *interpreter;
  struct sluice_image image;
  struct sluice_usage usage;
  struct sluice_model *model;
  char why[400];  // the first difference
  /// Changes a packet before it is sent; NULL: as it is.
  void (*prepare)(struct rig *rig, uint8_t *bytes, unsigned len, struct sluice_rng *rng);
};
enum { RIG_VID = 5, RIG_MAX_FIELDS = 256 };

static inline bool rig_send(void *context, const struct sluice_frame *frame) {
  return sluice_model_control(context, frame->bytes, frame->len, NULL);
}

static inline void rig_close(struct rig *r) {
  sluice_model_close(r->model);
  sluice_image_release(&r->image);
  sluice_interpreter_free(r->interpreter);
  sluice_program_free(r->program);
}

/// How programs are compiled from now on. `late`: with indices kept, and then as if pinned, so that
/// the model reads them at their stages.
struct rig_how {
  bool pin, late, fewest, wide;
};
static struct rig_how rig_how;

static inline void rig_read_late(struct sluice_image *image) {
  for (size_t i = 0; i < image->num_arrays; i++) image->arrays[i].pinned = 1;
  for (size_t i = 0; i < image->num_writes; i++)
    if (image->writes[i].table == SLUICE_TABLE_ACCESS)
      SLUICE_SET(image->writes[i].bytes, ACCESS, PINNED, 1);
}

/// What a test does to the plan before it goes to the model; false with r->why. NULL: nothing.
static bool (*rig_prepare_plan)(struct rig *rig, struct sluice_plan *plan);

enum rig_opened { RIG_OPEN, RIG_REJECTED, RIG_BROKEN };

/// Compiles and loads. RIG_REJECTED: diags say why. RIG_BROKEN: r->why says why; a fault of ours.
static inline enum rig_opened rig_open(struct rig *r, const char *text,
                                       const struct sluice_config *config,
                                       struct sluice_diags *diags) {
  struct sluice_compile_options options = {.usage = &r->usage,
                                           .pin = rig_how.pin,
                                           .keep_index = rig_how.late,
                                           .fewest = rig_how.fewest,
                                           .wide = rig_how.wide};
  struct sluice_error error;
  struct sluice_plan plan;
  memset(r, 0, sizeof *r);
  r->config = config;
  r->program = sluice_program_parse("random.dom", text, strlen(text), diags);
  if (!r->program || sluice_compile(r->program, config, &options, &r->image, diags) != SLUICE_OK)
    return RIG_REJECTED;
  if (rig_how.late) rig_read_late(&r->image);
  r->interpreter = sluice_interpreter_new(r->program);
  r->model = sluice_model_open(config);
  sluice_plan_init(&plan, config);
  sluice_plan_trust(&plan, true);  // what programs may write is tested in test_guard.c
  bool good = sluice_plan_add(&plan, &r->image, RIG_VID, &error) == SLUICE_OK;
  if (!good) snprintf(r->why, sizeof r->why, "%s", error.text);
  if (good && rig_prepare_plan) good = rig_prepare_plan(r, &plan);
  if (good && !sluice_reconfig_plan(&plan, rig_send, r->model)) {
    good = false;
    snprintf(r->why, sizeof r->why, "the model refused a reconfiguration packet");
  }
  sluice_plan_release(&plan);
  return good ? RIG_OPEN : RIG_BROKEN;
}

static inline int32_t rig_value(struct sluice_rng *rng) {
  static const int32_t corners[] = {0,   1,      2,  3,         7,         8,
                                    255, 0xffff, -1, INT32_MAX, INT32_MIN, INT32_MIN + 1};
  switch (sluice_rng_below(rng, 4)) {
    case 0: return corners[sluice_rng_below(rng, sizeof corners / sizeof corners[0])];
    case 1: return (int32_t)sluice_rng_below(rng, 20);
    case 2: return (int32_t)sluice_rng_below(rng, 3000) - 1500;
    default: return (int32_t)(uint32_t)sluice_rng_next(rng);
  }
}

static inline void rig_put_whole(uint8_t *bytes, unsigned len, const struct sluice_program_field *f,
                                 int32_t value, uint16_t upper) {
  const uint64_t wide = (uint64_t)upper << 32 | (uint32_t)value;
  for (unsigned i = 0; i < f->width; i++)
    if (f->offset + i < len) bytes[f->offset + i] = (uint8_t)(wide >> 8 * (f->width - 1 - i));
}

static inline void rig_put(uint8_t *bytes, unsigned len, const struct sluice_program_field *f,
                           int32_t value) {
  rig_put_whole(bytes, len, f, value, 0);
}

/// A random value; of 6 bytes the first two are few numbers, so that they are equal sometimes.
static inline void rig_put_field(uint8_t *bytes, unsigned len, const struct sluice_program_field *f,
                                 struct sluice_rng *rng) {
  static const uint16_t some[] = {0, 0, 0x0200, 1, 0xffff};
  const int32_t value = rig_value(rng);
  rig_put_whole(bytes, len, f, value, f->width == 6 ? some[sluice_rng_below(rng, 5)] : 0);
}

static inline int32_t rig_get(const uint8_t *bytes, unsigned len,
                              const struct sluice_program_field *f) {
  uint32_t value = 0;
  for (unsigned i = 0; i < f->width; i++)
    value = value << 8 | (f->offset + i < len ? bytes[f->offset + i] : 0u);
  return (int32_t)value;
}

/// The first two of 6 bytes.
static inline uint16_t rig_get_upper(const uint8_t *bytes, unsigned len,
                                     const struct sluice_program_field *f) {
  const struct sluice_program_field first = {.offset = f->offset, .width = 2};
  return (uint16_t)rig_get(bytes, len, &first);
}

/// The words of an array of the packet; those that do not lie within it are 0. Returns a bit for
/// each that does.
static inline uint32_t rig_get_words(const uint8_t *bytes, unsigned len,
                                     const struct sluice_program_field *f, int32_t *words) {
  uint32_t there = 0;
  for (unsigned w = 0; w < f->words; w++) {
    const struct sluice_program_field word = {.offset = f->offset + 4 * w, .width = 4};
    words[w] = word.offset + 4 <= len ? rig_get(bytes, len, &word) : 0;
    there |= (uint32_t)(word.offset + 4 <= len) << w;
  }
  return there;
}

static inline void rig_put_words(uint8_t *bytes, unsigned len, const struct sluice_program_field *f,
                                 const int32_t *words) {
  for (unsigned w = 0; w < f->words; w++) {
    const struct sluice_program_field word = {.offset = f->offset + 4 * w, .width = 4};
    if (word.offset + 4 <= len) rig_put(bytes, len, &word, words[w]);
  }
}

static inline bool rig_fail(struct rig *r, const char *what, long got, long wanted) {
  snprintf(r->why, sizeof r->why, "%s: the model says %ld, the interpreter %ld", what, got, wanted);
  return false;
}

/// One random packet through both; false and r->why if they differ.
static inline bool rig_packet(struct rig *r, struct sluice_rng *rng) {
  uint8_t bytes[200], expected[200];
  int32_t field[RIG_MAX_FIELDS] = {0};
  uint16_t upper[RIG_MAX_FIELDS] = {0};
  int32_t rows[RIG_MAX_FIELDS][SLUICE_ROW_WORDS] = {{0}};
  size_t num = sluice_program_num_fields(r->program);
  struct sluice_model_packet packet = {.bytes = bytes, .arrival = (uint32_t)rig_value(rng)};
  packet.len = sluice_rng_below(rng, 8) ? 128 + (unsigned)sluice_rng_below(rng, 72)
                                        : 64 + (unsigned)sluice_rng_below(rng, 64);
  packet.port = (unsigned)sluice_rng_below(rng, r->config->NumPorts);
  for (unsigned i = 0; i < packet.len; i++) bytes[i] = (uint8_t)sluice_rng_next(rng);
  for (size_t i = 0; i < num; i++)
    if (sluice_program_field(r->program, i)->home == SLUICE_HOME_BYTES)
      rig_put_field(bytes, packet.len, sluice_program_field(r->program, i), rng);
  for (size_t i = 0; i < num; i++) {
    const struct sluice_program_field *f = sluice_program_field(r->program, i);
    for (unsigned w = 0; w < f->words; w++) rows[i][w] = rig_value(rng);
    if (f->home == SLUICE_HOME_ARRAY) rig_put_words(bytes, packet.len, f, rows[i]);
    memset(rows[i], 0, sizeof rows[i]);
  }
  if (r->prepare) r->prepare(r, bytes, packet.len, rng);
  memcpy(bytes + 12, (const uint8_t[]){0x81, 0, 0, RIG_VID, 8, 0}, 6);
  bytes[40] = 1;  // not a reconfiguration packet
  bool needs_ip = r->program->need_ip, is_ip = true;
  bool needs_udp = r->program->need_udp, is_udp = true;
  if (needs_ip || needs_udp) {
    is_ip = sluice_rng_below(rng, 4) != 0;
    is_udp = sluice_rng_below(rng, 4) != 0;
    bytes[17] = is_ip ? 0 : 6;    // ARP
    bytes[27] = is_udp ? 17 : 6;  // TCP
    is_udp &= is_ip;
  }
  for (size_t i = 0; i < num; i++) {
    const struct sluice_program_field *f = sluice_program_field(r->program, i);
    if (f->home == SLUICE_HOME_BYTES) field[i] = rig_get(bytes, packet.len, f);
    if (f->home == SLUICE_HOME_ARRAY)
      sluice_interpreter_there(r->interpreter, rig_get_words(bytes, packet.len, f, rows[i]));
    if (f->home == SLUICE_HOME_BYTES && f->width == 6)
      upper[i] = rig_get_upper(bytes, packet.len, f);
    if (f->home == SLUICE_HOME_METADATA)
      field[i] = f->offset == 24   ? (int32_t)packet.arrival
                 : f->offset == 22 ? (int32_t)packet.port
                                   : (int32_t)packet.len;
  }
  if ((needs_ip && !is_ip) || (needs_udp && !is_udp)) {
    struct sluice_model_verdict filtered =
        sluice_model_classify(sluice_model_filter(r->model), bytes, packet.len);
    return filtered.reason == SLUICE_DROP_PROTOCOL ||
           rig_fail(r, "filter", (long)filtered.reason, SLUICE_DROP_PROTOCOL);
  }
  sluice_interpreter_run_rows(r->interpreter, field, upper, rows);
  memcpy(expected, bytes, sizeof expected);
  unsigned reason = SLUICE_DROP_NONE;
  // The port behind the last one is that of recirculation, where the chip has it.
  const unsigned num_ports = r->config->NumPorts + (r->config->Recirculation != 0);
  const uint64_t all = num_ports < 64 ? (UINT64_C(1) << num_ports) - 1 : UINT64_MAX;
  uint64_t ports = 1;
  for (size_t i = 0; i < num; i++) {
    const struct sluice_program_field *f = sluice_program_field(r->program, i);
    if (f->home == SLUICE_HOME_BYTES && f->assigned)
      rig_put_whole(expected, packet.len, f, field[i], upper[i]);
    if (f->home == SLUICE_HOME_PORT_OUT && f->assigned) {
      unsigned port = (unsigned)field[i] & 255u;
      ports = port < 64 ? UINT64_C(1) << port & all : 0;
    }
    if (f->home == SLUICE_HOME_ARRAY && f->assigned)
      rig_put_words(expected, packet.len, f, rows[i]);
  }
  const uint32_t in_sets = r->config->NumPorts > 8 ? UINT32_MAX : 255;
  for (size_t i = 0; i < num; i++) {
    const uint32_t set = (uint32_t)field[i] & in_sets;
    if (sluice_program_field(r->program, i)->home == SLUICE_HOME_PORTS_OUT && set)
      ports = set & all;
  }
  // Nobody gave these programs a round, so no copy comes back.
  const uint64_t again = r->config->Recirculation ? UINT64_C(1) << r->config->NumPorts : 0;
  if (!ports) reason = SLUICE_DROP_NO_DEST;
  else if (ports == again) reason = SLUICE_DROP_ROUNDS;
  ports &= ~again;
  for (size_t i = 0; i < num; i++)
    if (sluice_program_field(r->program, i)->home == SLUICE_HOME_DISCARD && field[i])
      reason = SLUICE_DROP_DISCARD_BACK;

  struct sluice_model_phv phv;
  struct sluice_model_result result = {.reason = SLUICE_DROP_NONE};
  struct sluice_model_verdict verdict =
      sluice_model_classify(sluice_model_filter(r->model), bytes, packet.len);
  if (verdict.reason != SLUICE_DROP_NONE) return rig_fail(r, "filter", (long)verdict.reason, 0);
  unsigned front = sluice_model_front(r->model, &packet, &phv);
  if (front == SLUICE_DROP_NONE) sluice_model_admit(r->model, &packet, &phv, &result);
  else result.reason = front == SLUICE_DROP_DISCARD_FRONT ? SLUICE_DROP_DISCARD_BACK : front;
  if (result.reason != reason) return rig_fail(r, "reason", (long)result.reason, (long)reason);
  if (reason != SLUICE_DROP_NONE) return true;
  if (result.ports != ports) return rig_fail(r, "ports", (long)result.ports, (long)ports);
  if (r->program->checksum) {
    memcpy(expected + 28, result.header + 28, 2);  // checksums are tested with the model
    memcpy(expected + 44, result.header + 44, 2);
    memcpy(expected + 54, result.header + 54, 2);
  }
  for (unsigned i = 0; i < packet.len && i < SLUICE_MODEL_HEADER; i++) {
    char what[24];
    snprintf(what, sizeof what, "byte %u", i);
    if (result.header[i] != expected[i]) return rig_fail(r, what, result.header[i], expected[i]);
  }
  return true;
}

/// Which state an array of the image holds, and from which entry on: the compiler may have made two
/// of one (NAME_from_BORDER).
static inline bool rig_holds(const struct rig *r, const char *array, size_t state,
                             unsigned *first) {
  const char *name = sluice_program_state(r->program, state)->name;
  const size_t len = strlen(name);
  *first = 0;
  if (strcmp(array, name) == 0) return true;
  return strncmp(array, name, len) == 0 && sscanf(array + len, "_from_%u", first) == 1;
}

static inline bool rig_rows(struct rig *r, const struct sluice_array *array, size_t s) {
  uint32_t words[SLUICE_MODEL_WORDS];
  char what[SLUICE_NAME_LEN + 40];
  for (unsigned i = 0; i < array->size; i++) {
    const int32_t *wanted = sluice_interpreter_row(r->interpreter, s, i);
    snprintf(what, sizeof what, "%s[%u]", array->row, i);
    if (!sluice_model_row(r->model, RIG_VID % r->config->NumModules, array->stage, i, words))
      return rig_fail(r, what, -1, -1);
    for (unsigned w = 0; w < array->words; w++) {
      snprintf(what, sizeof what, "%s[%u], word %u", array->row, i, w);
      if ((int32_t)words[w] != wanted[w]) return rig_fail(r, what, (int32_t)words[w], wanted[w]);
    }
  }
  return true;
}

/// The final state of both. Each entry is compared once.
static inline bool rig_state(struct rig *r) {
  for (size_t a = 0; a < r->image.num_arrays; a++)
    for (size_t s = 0; s < sluice_program_num_states(r->program); s++)
      if (strcmp(r->image.arrays[a].row, sluice_program_state(r->program, s)->name) == 0 &&
          !rig_rows(r, &r->image.arrays[a], s))
        return false;
  for (size_t a = 0; a < r->image.num_arrays; a++)
    for (unsigned w = 0; w < 2; w++)
      for (size_t s = 0; s < sluice_program_num_states(r->program); s++) {
        const struct sluice_array *array = &r->image.arrays[a];
        unsigned first;
        if (!rig_holds(r, array->name[w], s, &first)) continue;
        for (unsigned i = 0; i < array->size; i++) {
          uint32_t word[2];
          char what[SLUICE_NAME_LEN + 16];
          snprintf(what, sizeof what, "%s[%u]", array->name[w], i);
          if (!sluice_model_state(r->model, RIG_VID % r->config->NumModules, array->stage, i,
                                  &word[0], &word[1]))
            return rig_fail(r, what, -1, -1);
          int32_t wanted = sluice_interpreter_state(r->interpreter, s, first + i);
          if ((int32_t)word[w] != wanted) return rig_fail(r, what, (int32_t)word[w], wanted);
        }
      }
  return true;
}
