// SPDX-License-Identifier: Apache-2.0
// One block of memory behind the other, freed together.
#include "arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_LEN = 1 << 16 };
struct p4_arena_block {
  struct p4_arena_block *next;
  size_t used, len;
  _Alignas(16) unsigned char bytes[];
};

void *p4_alloc(struct p4_arena *a, size_t size) {
  if (size > SIZE_MAX / 2) p4_arena_give_up(a, 1);
  size = (size + 15) & ~(size_t)15;
  if (!a->blocks || a->blocks->len - a->blocks->used < size) {
    const size_t len = size > BLOCK_LEN ? size : BLOCK_LEN;
    if (a->most && a->held + len > a->most) p4_arena_give_up(a, 1);
    struct p4_arena_block *block = calloc(1, sizeof *block + len);
    if (!block) p4_arena_give_up(a, 1);
    *block = (struct p4_arena_block){.next = a->blocks, .len = len};
    a->held += len;
    a->blocks = block;
  }
  void *memory = a->blocks->bytes + a->blocks->used;
  a->blocks->used += size;
  return memory;
}

char *p4_text(struct p4_arena *a, const char *text, size_t len) {
  char *copy = p4_alloc(a, len + 1);
  memcpy(copy, text, len);
  return copy;
}

char *p4_format(struct p4_arena *a, const char *format, ...) {
  char small[200];
  va_list args;
  va_start(args, format);
  const int len = vsnprintf(small, sizeof small, format, args);
  va_end(args);
  if (len < 0) p4_arena_give_up(a, 1);
  char *text = p4_alloc(a, (size_t)len + 1);
  if ((size_t)len < sizeof small) return memcpy(text, small, (size_t)len);
  va_start(args, format);
  vsnprintf(text, (size_t)len + 1, format, args);
  va_end(args);
  return text;
}

void p4_arena_give_up(struct p4_arena *a, int why) { longjmp(a->escape, why); }

void p4_arena_release(struct p4_arena *a) {
  while (a->blocks) {
    struct p4_arena_block *next = a->blocks->next;
    free(a->blocks);
    a->blocks = next;
  }
}
