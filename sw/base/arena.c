// SPDX-License-Identifier: Apache-2.0
// One block of memory after the other, freed together.
#include "arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_LEN = 1 << 16 };
struct arena_block {
  struct arena_block *next;
  size_t used, len;
  _Alignas(16) unsigned char bytes[];
};

void *arena_alloc(struct arena *a, size_t size) {
  a->work++;
  if (size > SIZE_MAX / 2) arena_give_up(a, ARENA_NO_MEMORY);
  size = (size + 15) & ~(size_t)15;
  if (!a->blocks || a->blocks->len - a->blocks->used < size) {
    const size_t len = size > BLOCK_LEN ? size : BLOCK_LEN;
    if (a->bound && a->held + len > a->bound) arena_give_up(a, ARENA_NO_MEMORY);
    struct arena_block *block = len == BLOCK_LEN ? a->spare : NULL;
    if (block) a->spare = NULL;
    else block = calloc(1, sizeof *block + len);
    if (!block) arena_give_up(a, ARENA_NO_MEMORY);
    block->len = len;
    a->held += len;
    if (a->held > a->most) a->most = a->held;
    block->next = a->blocks;
    a->blocks = block;
  }
  void *memory = a->blocks->bytes + a->blocks->used;
  a->blocks->used += size;
  return memory;
}

char *arena_text(struct arena *a, const char *text, size_t len) {
  char *copy = arena_alloc(a, len + 1);
  memcpy(copy, text, len);
  return copy;
}

char *arena_format(struct arena *a, const char *format, ...) {
  char small[200];
  va_list args;
  va_start(args, format);
  const int len = vsnprintf(small, sizeof small, format, args);
  va_end(args);
  if (len < 0) arena_give_up(a, ARENA_NO_MEMORY);
  char *text = arena_alloc(a, (size_t)len + 1);
  if ((size_t)len < sizeof small) return memcpy(text, small, (size_t)len);
  va_start(args, format);
  vsnprintf(text, (size_t)len + 1, format, args);
  va_end(args);
  return text;
}

void arena_give_up(struct arena *a, int why) { longjmp(a->escape, why); }

struct arena_mark arena_mark(const struct arena *a) {
  return (struct arena_mark){a->blocks, a->blocks ? a->blocks->used : 0};
}

// Drops all of the block behind `used`; what is given out again must be zero.
static void cut_back(struct arena_block *block, size_t used) {
  memset(block->bytes + used, 0, block->used - used);
  block->used = used;
}

void arena_back(struct arena *a, struct arena_mark mark) {
  while (a->blocks != mark.block) {
    struct arena_block *block = a->blocks;
    a->blocks = block->next;
    a->held -= block->len;
    if (a->spare || block->len != BLOCK_LEN) {
      free(block);
    } else {
      cut_back(block, 0);
      a->spare = block;
    }
  }
  if (a->blocks) cut_back(a->blocks, mark.used);
}

void arena_release(struct arena *a) {
  free(a->spare);
  a->spare = NULL;
  while (a->blocks) {
    struct arena_block *next = a->blocks->next;
    free(a->blocks);
    a->blocks = next;
  }
}
