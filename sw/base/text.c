// SPDX-License-Identifier: Apache-2.0
#include "text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Bytes of the UTF-8 character at `s`, 0 if there is none: stray or missing continuation bytes,
// longer than needed, a surrogate, above 0x10ffff.
static size_t character(const unsigned char *s) {
  const size_t len = s[0] < 0x80       ? 1
                     : s[0] >> 5 == 6  ? 2
                     : s[0] >> 4 == 14 ? 3
                     : s[0] >> 3 == 30 ? 4
                                       : 0;
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  uint32_t code = len > 1 ? s[0] & 0x7fu >> len : s[0];
  for (size_t i = 1; i < len; i++) {
    if (s[i] >> 6 != 2) return 0;
    code = code << 6 | (s[i] & 0x3f);
  }
  return code < least[len] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0 : len;
}

// 0x80..0x9f are control characters too; in UTF-8 they begin with 0xc2.
static bool control(const unsigned char *s, size_t len) {
  return (len == 1 && (s[0] < 0x20 || s[0] == 0x7f)) || (len == 2 && s[0] == 0xc2 && s[1] < 0xa0);
}

void sluice_text_clean(char *to, size_t size, const char *from, bool lines) {
  const unsigned char *s = (const unsigned char *)from;
  size_t at = 0;
  while (*s) {
    const size_t len = character(s);
    const bool as_is = len && (!control(s, len) || (lines && *s == '\n'));
    char hex[5];
    snprintf(hex, sizeof hex, "\\x%02x", *s);
    const size_t put = as_is ? len : 4;
    if (at + put + 1 > size) break;
    memcpy(to + at, as_is ? (const char *)s : hex, put);
    at += put;
    s += as_is ? len : 1;
  }
  if (size) to[at] = 0;
}

char *sluice_path_encode(const char *path) {
  char *text = malloc(3 * strlen(path) + 1), *to = text;
  for (const unsigned char *s = (const unsigned char *)path; text && *s; s++) {
    if (*s >= 0x20 && *s < 0x7f && *s != '%') *to++ = (char)*s;
    else to += sprintf(to, "%%%02x", *s);
  }
  if (text) *to = 0;
  return text;
}

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

char *sluice_path_decode(const char *text) {
  char *path = malloc(strlen(text) + 1), *to = path;
  for (const char *s = text; path && *s; s++) {
    if (*s != '%') {
      *to++ = *s;
      continue;
    }
    const int high = digit(s[1]), low = high < 0 ? -1 : digit(s[2]);
    if (low < 0 || high + low == 0) {
      free(path);
      return NULL;
    }
    *to++ = (char)(high << 4 | low);
    s += 2;
  }
  if (path) *to = 0;
  return path;
}
