// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_P4_ARENA_H
#define SLUICE_P4_ARENA_H

#include <setjmp.h>
#include <stddef.h>

/// Memory of one program: given out in pieces, freed as a whole. Nothing of the front end frees a
/// piece. When memory runs out, or the front end gives up behind an error that nothing useful can
/// follow, p4_arena_give_up() lands at `escape`; so no pass has to look at what it gets.
struct p4_arena {
  struct p4_arena_block *blocks;
  size_t held;     // bytes of all blocks
  size_t most;     // give up with reason 1 above so many; 0: no bound
  jmp_buf escape;  // 1: out of memory, 2: the messages say why
};

void *p4_alloc(struct p4_arena *a, size_t size);  // zeroed; never NULL
char *p4_text(struct p4_arena *a, const char *text, size_t len);
/// A text made as printf does.
char *p4_format(struct p4_arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
_Noreturn void p4_arena_give_up(struct p4_arena *a, int why);
void p4_arena_release(struct p4_arena *a);

#define P4_NEW(ARENA, TYPE) ((TYPE *)p4_alloc(ARENA, sizeof(TYPE)))
#define P4_NEW_ARRAY(ARENA, TYPE, N) ((TYPE *)p4_alloc(ARENA, (size_t)(N) * sizeof(TYPE)))

#endif
