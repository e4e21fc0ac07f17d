// SPDX-License-Identifier: Apache-2.0
#include "coroutine.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { STACK_BYTES = 256 * 1024 };

struct coroutine {
  ucontext_t caller, self;
  coroutine_fn *fn;
  void *context;
  bool started, finished;
  char *stack;  // below it is a page that nobody may touch: a stack that is too small is a signal
  size_t guard;
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
  c->guard = (size_t)sysconf(_SC_PAGESIZE);
  char *pages = mmap(NULL, c->guard + STACK_BYTES, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (pages != MAP_FAILED) c->stack = pages + c->guard;
  if (c->stack && mprotect(pages, c->guard, PROT_NONE) == 0 && prepare(c) == 0) return c;
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
  if (c->stack) munmap(c->stack - c->guard, c->guard + STACK_BYTES);
  free(c);
}
