// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/sluice.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "driver/wire/wire.h"
#include "lib/capture.h"
#include "model/model.h"
#include "transport/wire.h"

/// Any bytes in the place of what comes from outside: an image, a capture, a reconfiguration frame,
/// bytes of a serial line or a server's socket. Each is refused with a sentence, or taken; nothing
/// crashes. What must hold of what is taken stands at each function. They return NULL, or what is
/// wrong.
typedef const char *fuzz_format(const uint8_t *bytes, size_t len);

// An image that is taken can be loaded on its chip or is refused with a sentence; a chip on which
// it was loaded is as it is said to be.
static inline const char *fuzz_image(const uint8_t *bytes, size_t len) {
  struct sluice_error error = {{0}};
  struct sluice_transport to = {NULL, NULL, 0};
  struct sluice_image *image;
  struct sluice_chip *chip = NULL;
  const char *wrong = NULL;
  char where[100];
  if (sluice_image_parse(&image, (const char *)bytes, len, "x", NULL, &error))
    return error.text[0] ? NULL : "an image is refused without a sentence";
  snprintf(where, sizeof where, "model:%s", sluice_image_chip(image));
  if (sluice_transport_open(&to, where, NULL, &error) || sluice_chip_open(&chip, &to, NULL, &error))
    wrong = "there is no model of the chip of an image";
  else if (sluice_chip_load(chip, image, 5, &error))
    wrong = error.text[0] ? NULL : "an image is not loaded, without a sentence";
  else if (sluice_chip_audit(chip, &error)) wrong = "the chip is not as it is said to be";
  sluice_chip_close(chip);
  sluice_transport_close(&to);
  sluice_image_close(image);
  return wrong;
}

// All of the packets can be read.
static inline const char *fuzz_capture(const uint8_t *bytes, size_t len) {
  static volatile unsigned sum;
  struct sluice_error error = {{0}};
  struct sluice_capture *capture;
  struct sluice_packet p = {.bytes = NULL};
  enum sluice_status status;
  char path[60];
  const int fd = memfd_create("capture", 0);
  if (fd < 0 || write(fd, bytes, len) != (ssize_t)len || lseek(fd, 0, SEEK_SET) != 0) {
    if (fd >= 0) close(fd);
    return NULL;
  }
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  status = sluice_capture_open(&capture, path, &error);
  while (!status && !(status = sluice_capture_next(capture, &p, &error)) && p.bytes)
    for (size_t i = 0; i < p.len; i++) sum += p.bytes[i];
  sluice_capture_close(capture);
  close(fd);
  return status && !error.text[0] ? "a capture is refused without a sentence" : NULL;
}

// What the driver decodes can be printed. The model takes or refuses it; it answers READs alone.
static inline const char *fuzz_frame(const uint8_t *bytes, size_t len) {
  static struct sluice_model *model;
  static struct sluice_model_answer answer;
  struct sluice_error error = {{0}};
  struct sluice_reconfig r;
  char text[400];
  if (!model)
    model = sluice_model_place(malloc(sluice_model_bytes(sluice_config_find("tiny"))),
                               sluice_config_find("tiny"));
  const bool good = sluice_reconfig_decode(&r, bytes, len, &error) == SLUICE_OK;
  if (!good && !error.text[0]) return "a frame is refused without a sentence";
  if (good) {
    sluice_reconfig_describe(&r, text, sizeof text);
    for (unsigned i = 0; i < r.num_entries && r.table != SLUICE_NUM_TABLES; i++)
      sluice_entry_describe(r.table, sluice_reconfig_entry(&r, i), text, sizeof text);
  }
  sluice_model_control(model, bytes, len, &answer);
  if (answer.len && good && r.op != SLUICE_CHAIN_READ) return "what is no READ is answered";
  return NULL;
}

// A frame that is found on the line is found again when it is written anew.
static inline const char *fuzz_wire(const uint8_t *bytes, size_t len) {
  static struct wire_decoder decoder, again;
  static struct wire_frame frame, other;
  static uint8_t out[2 * (WIRE_PAYLOAD_MAX + 5) + 2];
  memset(&decoder, 0, sizeof decoder);
  for (size_t i = 0; i < len; i++) {
    if (!wire_decode(&decoder, bytes[i], &frame)) continue;
    const size_t size =
        wire_encode(out, frame.kind, frame.number, frame.arg, frame.payload, frame.len);
    bool found = false;
    memset(&again, 0, sizeof again);
    if (size > wire_size(frame.len)) return "a frame is longer than it may be";
    for (size_t n = 0; n < size; n++) found |= wire_decode(&again, out[n], &other);
    if (!found || other.kind != frame.kind || other.number != frame.number ||
        other.arg != frame.arg || other.len != frame.len ||
        memcmp(other.payload, frame.payload, frame.len) != 0)
      return "a frame is another one when it is written anew";
  }
  return NULL;
}

static const struct {
  const char *name;  // folder of sw/tests/fuzz/formats
  fuzz_format *one;
} fuzz_formats[] = {
    {"image", fuzz_image}, {"capture", fuzz_capture}, {"frame", fuzz_frame}, {"wire", fuzz_wire}};
