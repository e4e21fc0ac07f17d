// SPDX-License-Identifier: Apache-2.0
// Random P4 programs, run by the interpreter in two forms that mean the same (p4_print.h): what
// comes out and what stays in registers does not differ. SLUICE_SEED and SLUICE_PROGRAMS choose the
// programs. A difference is made small before it is told: both texts and the packet.
#include <unistd.h>

#include "tests/rig/test.h"
#include "tests/rig/environment.h"
#include "p4/front.h"
#include "tests/rig/p4_print.h"
#include "p4run/stf.h"

enum { PACKETS = 12, MOST_LEN = 48, MEMORY = 8 << 20 };

struct side {
  char *text, *entries;
  struct p4_messages messages;
  struct p4_program *program;
  struct p4r_switch *sw;
  char why[500];
};
enum outcome { SAME, DIFFERENT, REFUSED };
struct test {
  struct gen g;
  struct gprint print;
  struct gprogram *program;
  uint8_t packets[PACKETS][MOST_LEN];
  size_t len[PACKETS];
  unsigned at;     // the packet that differs
  unsigned tries;  // that are left to make it small
};

static char *print_text(struct test *t, bool turned, bool entries) {
  char *text = NULL;
  size_t len;
  t->print.p = t->program;
  t->print.turned = turned;
  t->print.used = t->print.names = 0;
  t->print.out = open_memstream(&text, &len);
  assert_non_null(t->print.out);
  if (entries) gp_entries(&t->print);
  else gp_program(&t->print);
  fclose(t->print.out);
  return text;
}

static bool open_side(struct test *t, struct side *s, bool turned) {
  memset(s, 0, sizeof *s);
  s->text = print_text(t, turned, false);
  const struct p4_options options = {0};
  s->program =
      p4_front(turned ? "turned.p4" : "plain.p4", s->text, strlen(s->text), &options, &s->messages);
  if (!s->program) return false;
  const struct p4r_options run = {.seed = 1, .messages = &s->messages};
  s->sw = p4r_open(s->program, &run, s->why, sizeof s->why);
  if (!s->sw || turned) return s->sw;
  s->entries = print_text(t, false, true);
  struct p4r_stf report = {.out = stderr};
  return p4r_stf_run(&report, s->sw, s->why, "entries", s->entries);
}

static void close_side(struct side *s) {
  p4r_close(s->sw);
  p4_program_free(s->program);
  p4_messages_release(&s->messages);
  free(s->text);
  free(s->entries);
}

static bool same_outputs(const struct p4r_output *a, const struct p4r_output *b) {
  for (; a && b; a = a->next, b = b->next)
    if (a->port != b->port || a->len != b->len || memcmp(a->bytes, b->bytes, a->len) != 0)
      return false;
  return !a && !b;
}

static bool same_registers(struct side *a, struct side *b) {
  for (unsigned r = 0; r < G_REGISTERS; r++)
    for (unsigned i = 0; i < 6; i++) {
      char name[8];
      struct p4r_number x, y;
      snprintf(name, sizeof name, "I.r%u", r);
      if (!p4r_register_read(a->sw, name, i, &x) || !p4r_register_read(b->sw, name, i, &y) ||
          memcmp(x.bytes, y.bytes, sizeof x.bytes) != 0)
        return false;
    }
  return true;
}

static enum outcome run_both(struct test *t, bool tells) {
  struct side plain, turned;
  enum outcome result = REFUSED;
  const bool good = open_side(t, &plain, false), other = open_side(t, &turned, true);
  if (good && other) result = SAME;
  for (t->at = 0; result == SAME && t->at < PACKETS; t->at++) {
    struct p4r_output *a = NULL, *b = NULL;
    const bool x = p4r_send(plain.sw, 1, t->packets[t->at], t->len[t->at], &a);
    const bool y = p4r_send(turned.sw, 1, t->packets[t->at], t->len[t->at], &b);
    if (x != y || !same_outputs(a, b) || !same_registers(&plain, &turned)) result = DIFFERENT;
    if (result == DIFFERENT) break;
  }
  if (tells) {
    p4_messages_print(&plain.messages, 0, stderr);
    p4_messages_print(&turned.messages, 0, stderr);
    print_error("%s%s\n---- plain\n%s---- entries\n%s---- turned\n%s", plain.why, turned.why,
                plain.text, plain.entries ? plain.entries : "", turned.text);
    for (size_t i = 0; result == DIFFERENT && i < t->len[t->at]; i++)
      print_error("%02x%s", t->packets[t->at][i], i + 1 < t->len[t->at] ? "" : " is the packet\n");
  }
  close_side(&plain);
  close_side(&turned);
  return result;
}

// ---- making it small ----------------------------------------------------------------------------

// Tries one change, which stays if the difference does.
static bool helps(struct test *t, bool *flag) {
  if (*flag || !t->tries) return false;
  t->tries--;
  *flag = true;
  if (run_both(t, false) == DIFFERENT) return true;
  *flag = false;
  return false;
}

static bool shrink_expr(struct test *t, struct gx **at) {
  struct gx *x = *at, *parts[] = {x->a, x->b, x->c};
  if (x->kind == GX_LITERAL) return false;
  struct gx zero = {.kind = GX_LITERAL, .type = x->type};
  struct gx *small = g_alloc(&t->g, sizeof *small);
  *small = zero;
  for (unsigned i = 0; i < 4; i++) {
    struct gx *to = i ? parts[i - 1] : small;
    if (!to || !g_same(to->type, x->type) || !t->tries) continue;
    t->tries--;
    *at = to;
    if (run_both(t, false) == DIFFERENT) return true;
    *at = x;
  }
  bool better = false;
  if (x->a) better = shrink_expr(t, &x->a);
  if (x->b) better = shrink_expr(t, &x->b) || better;
  if (x->c) better = shrink_expr(t, &x->c) || better;
  return better;
}

static bool shrink_block(struct test *t, struct gs *s) {
  bool better = false;
  for (; s; s = s->next) {
    if (s->dropped) continue;
    if (helps(t, &s->dropped)) {
      better = true;
      continue;
    }
    if (s->x) better = shrink_expr(t, &s->x) || better;
    if (s->y) better = shrink_expr(t, &s->y) || better;
    better = shrink_block(t, s->then) || better;
    better = shrink_block(t, s->otherwise) || better;
  }
  return better;
}

static void shrink(struct test *t) {
  struct gprogram *p = t->program;
  for (bool better = true; better;) {
    better = shrink_block(t, p->egress);
    better = shrink_block(t, p->ingress) || better;
    better = shrink_block(t, p->sub) || better;
    for (unsigned i = 0; i < G_FUNCTIONS; i++) {
      better = shrink_block(t, p->functions[i].body) || better;
      better = shrink_expr(t, &p->functions[i].value) || better;
    }
    for (unsigned i = 0; i < G_ACTIONS; i++) better = shrink_block(t, p->actions[i].body) || better;
    for (unsigned i = 0; i < G_TABLES; i++)
      for (unsigned e = 0; e < p->tables[i].num_entries; e++)
        better = helps(t, &p->tables[i].entries[e].dropped) || better;
  }
}

// ---- runs ---------------------------------------------------------------------------------------

static void make_packets(struct test *t) {
  for (unsigned i = 0; i < PACKETS; i++) {
    t->len[i] = g_below(&t->g, MOST_LEN);
    for (size_t k = 0; k < t->len[i]; k++)
      t->packets[i][k] = (uint8_t)(g_one_in(&t->g, 2) ? g_below(&t->g, 256) : g_below(&t->g, 8));
  }
}

static struct test *test_begin(void) {
  struct test *t = calloc(1, sizeof *t);
  assert_non_null(t);
  t->g.room = t->print.room = MEMORY;
  t->g.memory = malloc(MEMORY);
  t->print.memory = malloc(MEMORY);
  assert_true(t->g.memory && t->print.memory);
  return t;
}
static void test_end(struct test *t) {
  free(t->g.memory);
  free(t->print.memory);
  free(t);
}

TEST(both_forms_do_the_same) {
  const uint64_t seed = from_environment("SLUICE_SEED", 1);
  const uint64_t num = from_environment("SLUICE_PROGRAMS", 100);
  struct test *t = test_begin();
  for (uint64_t i = seed; i < seed + num; i++) {
    t->program = g_program(&t->g, i);
    make_packets(t);
    const enum outcome result = run_both(t, false);
    if (result == SAME) continue;
    t->tries = 5000;
    if (result == DIFFERENT) shrink(t);
    run_both(t, true);
    print_error("repeat with SLUICE_SEED=%llu SLUICE_PROGRAMS=1\n", (unsigned long long)i);
    fail();
  }
  test_end(t);
}

static size_t plain_len(struct test *t) {
  char *text = print_text(t, false, false);
  const size_t len = strlen(text);
  free(text);
  return len;
}

// With a fault in the turned form differences are seen, and become smaller.
TEST(a_difference_is_seen) {
  struct test *t = test_begin();
  unsigned seen = 0;
  t->print.wrong = true;
  for (uint64_t i = 1; i <= 10; i++) {
    t->program = g_program(&t->g, i);
    make_packets(t);
    if (run_both(t, false) != DIFFERENT || seen++) continue;
    const size_t before = plain_len(t);
    t->tries = 30;
    shrink(t);
    assert_true(plain_len(t) < before);
    assert_int_equal(run_both(t, false), DIFFERENT);
  }
  assert_true(seen >= 3);
  test_end(t);
}
