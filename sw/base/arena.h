// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

/// Memory of one compilation or one program, and the way out of it. It is given out in pieces and
/// freed as a whole: nobody frees a piece, but a search gives back what it made on a way that led
/// nowhere. When memory runs out, or a front end gives up behind an error that nothing useful can
/// follow, arena_give_up() lands at `escape`; so nobody has to look at what it gets.

struct arena {
  struct arena_block *blocks, *spare;
  size_t held, most;  // bytes of blocks; the most so far
  size_t bound;       // give up (ARENA_NO_MEMORY) above so many; 0: no bound
  // What a compilation has cost: pieces of memory given out, and steps of searches. It is the same
  // on every computer, as time is not: 15 to 30 million in a second.
  uint64_t work;
  jmp_buf escape;  // gets why: enum arena_reason
};

void *arena_alloc(struct arena *a, size_t size);  // zeroed; never NULL
char *arena_text(struct arena *a, const char *text, size_t len);
/// A text made as printf does.
char *arena_format(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
enum arena_reason { ARENA_NO_MEMORY = 1, ARENA_TOLD = 2 };  // told: the messages say why
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
#define NEW_ARRAY(ARENA, TYPE, N) ((TYPE *)arena_alloc(ARENA, (size_t)(N) * sizeof(TYPE)))
