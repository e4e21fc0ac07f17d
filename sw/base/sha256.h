// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// SHA-256 (FIPS 180-4), so that `sha256sum` can say whether a file is the one of a report.
///
///     struct sluice_sha256 h;
///     sluice_sha256_begin(&h);
///     sluice_sha256_add(&h, bytes, len);
///     sluice_sha256_text(&h, text);  // 64 hexadecimal digits; `h` is used up
struct sluice_sha256 {  // private
  uint32_t state[8];
  uint64_t len;
  uint8_t block[64];
};
enum { SLUICE_SHA256_TEXT = 65 };
void sluice_sha256_begin(struct sluice_sha256 *h);
void sluice_sha256_add(struct sluice_sha256 *h, const void *bytes, size_t len);
void sluice_sha256_text(struct sluice_sha256 *h, char text[SLUICE_SHA256_TEXT]);

/// Of all that a file holds. False: it cannot be read.
bool sluice_sha256_file(const char *path, char text[SLUICE_SHA256_TEXT]);
