// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>

/// Text that grows up to the end of a buffer and stays terminated. What does not fit is left out,
/// as snprintf does.
struct say {
  char *at;
  size_t room;
};

/// An empty text in `buffer`, of `len` bytes; 0 is allowed.
struct say say_into(char *buffer, size_t len);
__attribute__((format(printf, 2, 3))) void say(struct say *text, const char *format, ...);

/// Says a sentence of layouts.def with other words for some of its own: `swap` is pairs {word,
/// text}, ended by NULL. A word is a run of letters, digits and underscores. Example: "A << B[4:0]"
/// with {A, 4B[1]}, {B, 2} is said as "4B[1] << 2[4:0]". The mark " [M]" at its end is left out.
void say_swapped(struct say *text, const char *sentence, const char *const (*swap)[2]);
