// SPDX-License-Identifier: Apache-2.0
#include "coroutine.h"

#include <stdlib.h>
#include <ucontext.h>

enum { STACK_BYTES = 256 * 1024 };

struct coroutine {
  ucontext_t caller, self;
  coroutine_fn *fn;
  void *context;
  bool started, finished;
  char *stack;
};

// makecontext passes ints only, so the new coroutine is handed over here.
static struct coroutine *starting;

static void enter(void) {
  struct coroutine *c = starting;
  c->fn(c->context);
  c->finished = true;
  swapcontext(&c->self, &c->caller);
}

// On its own, because getcontext may return twice and so no local variable may live across it.
static int prepare(struct coroutine *c) {
  if (getcontext(&c->self) != 0) return -1;
  c->self.uc_stack.ss_sp = c->stack;
  c->self.uc_stack.ss_size = STACK_BYTES;
  c->self.uc_link = &c->caller;
  makecontext(&c->self, enter, 0);
  return 0;
}

struct coroutine *coroutine_new(coroutine_fn *fn, void *context) {
  struct coroutine *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->fn = fn;
  c->context = context;
  c->stack = malloc(STACK_BYTES);
  if (c->stack && prepare(c) == 0) return c;
  coroutine_free(c);
  return NULL;
}

bool coroutine_resume(struct coroutine *c) {
  if (c->finished) return false;
  starting = c;
  swapcontext(&c->caller, &c->self);
  return !c->finished;
}

void coroutine_yield(struct coroutine *c) { swapcontext(&c->self, &c->caller); }

void coroutine_free(struct coroutine *c) {
  if (!c) return;
  free(c->stack);
  free(c);
}
