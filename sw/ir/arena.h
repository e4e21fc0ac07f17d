// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_IR_ARENA_H
#define SLUICE_IR_ARENA_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

/// Memory of one compilation, and the way out of it. It is freed as a whole: no pass frees
/// anything, but the search for an instruction gives back what it made on a way that led nowhere.

struct arena {
  struct arena_block *blocks, *spare;
  size_t held, most;  // bytes of blocks; the most so far
  // What a compilation has cost: pieces of memory given out, and steps of searches. It is the same
  // on every computer, as time is not: 15 to 30 million in a second.
  uint64_t work;
  jmp_buf escape;  // where arena_give_up() lands: 1 out of memory, 2 the diagnostics say why
};
/// From here on searches have short shares, and no other way to compile is tried: half a second.
enum { ENOUGH_WORK = 8000000 };
void *arena_alloc(struct arena *a, size_t size);  // zeroed; never NULL
char *arena_text(struct arena *a, const char *text, size_t len);
_Noreturn void arena_give_up(struct arena *a, int why);
void arena_release(struct arena *a);
/// What was allocated behind a mark is given back, by a search that goes back: nothing else may
/// hold it.
struct arena_mark {
  struct arena_block *block;
  size_t used;
};
struct arena_mark arena_mark(const struct arena *a);
void arena_back(struct arena *a, struct arena_mark mark);
#define NEW(ARENA, TYPE) ((TYPE *)arena_alloc(ARENA, sizeof(TYPE)))
#define NEW_ARRAY(ARENA, TYPE, N) ((TYPE *)arena_alloc(ARENA, (N) * sizeof(TYPE)))

/// The compiler itself is wrong: says where and aborts.
#define SLUICE_BUG(TEXT) sluice_bug(__FILE__, __LINE__, TEXT)
_Noreturn void sluice_bug(const char *file, int line, const char *text);

#endif
