// SPDX-License-Identifier: Apache-2.0
#include "say.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct say say_into(char *buffer, size_t len) {
  if (len) *buffer = 0;
  return (struct say){buffer, len};
}

void say(struct say *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int n = vsnprintf(text->at, text->room, format, arguments);
  va_end(arguments);
  size_t used = n < 0 ? 0 : (size_t)n;
  if (used >= text->room) used = text->room ? text->room - 1 : 0;
  text->at += used;
  text->room -= used;
}

static size_t word_length(const char *at) {
  size_t n = 0;
  while (isalnum((unsigned char)at[n]) || at[n] == '_') n++;
  return n;
}

void say_swapped(struct say *text, const char *sentence, const char *const (*swap)[2]) {
  while (*sentence && strcmp(sentence, " [M]") != 0) {
    const size_t n = word_length(sentence);
    const char *other = NULL;
    for (const char *const(*s)[2] = swap; n && (*s)[0] && !other; s++)
      if (strlen((*s)[0]) == n && strncmp((*s)[0], sentence, n) == 0) other = (*s)[1];
    if (other) say(text, "%s", other);
    else say(text, "%.*s", n ? (int)n : 1, sentence);
    sentence += n ? n : 1;
  }
}
