// SPDX-License-Identifier: Apache-2.0
// Choices among packet values as the tree of choices that is ready earliest. `if` in `if` comes
// here as one choice after the other, each under all conditions around it; `? :` in `? :` as a
// tree:
//
//     v1 = a && b ? x : y;  v2 = a && !b ? z : v1      and      a ? (b ? x : z) : y
//
// The value is looked at as a function of its conditions (atoms): those that stand there
// most often are asked first, one after the other, and what is left where it holds, and where it
// does not, is decided in the same way. Of all trees found so the earliest is taken if it is
// earlier than what the text says. `a ? (b ? x : y) : y` also counts as `a && b ? x : y`, and `a ?
// x : (b ? x : y)` as `a || b ? x : y`.
//
// Of tables each row is made for itself (table_fold.c), and of updates each case (cases.c): neither
// is touched.
#include "internal.h"

// Bounds of work: conditions of one value, how many of them are asked first, trees of one value,
// nodes looked at for one value, and for a program.
enum { MOST_ATOMS = 12, FIRST_ATOMS = 3, MOST_FOUND = 512, MOST_LOOKS = 12000 };
enum { MOST_OF_ALL = 60000 };

// What is known of the whole program.
struct deciding {
  const bool *inner;  // by node: it is decided with the choice that reads it
  unsigned looks;     // nodes looked at so far, of MOST_OF_ALL
};

struct decision {
  struct ir_context *c;
  unsigned looks, num;
  bool over;  // too much to look at
  struct {
    const struct node *from;
    struct node *best;
  } found[MOST_FOUND];
};

static bool is_not(const struct node *n) {
  return n->op == OP_EQ && node_is(n->arg[1], 0) && node_is_bool(n->arg[0]);
}
static bool is_join(const struct node *n) { return n->op == OP_LAND || n->op == OP_LOR; }

static bool look(struct decision *d) {
  d->over |= ++d->looks > MOST_LOOKS;
  return !d->over;
}

struct atoms {
  struct node *list[MOST_ATOMS];
  unsigned times[MOST_ATOMS];  // how often it stands there
  unsigned num;
};

static void atoms_of_condition(struct decision *d, struct atoms *a, struct node *n) {
  if (!look(d) || n->op == OP_CONST) return;
  if (is_not(n)) {
    atoms_of_condition(d, a, n->arg[0]);
  } else if (is_join(n)) {
    atoms_of_condition(d, a, n->arg[0]);
    atoms_of_condition(d, a, n->arg[1]);
  } else {
    const struct node *const opposite = node_opposite(d->c, n);
    for (unsigned i = 0; i < a->num; i++)
      if (a->list[i] == n || a->list[i] == opposite) {
        a->times[i]++;
        return;
      }
    if (a->num == MOST_ATOMS) {
      d->over = true;
    } else {
      a->times[a->num] = 1;
      a->list[a->num++] = n;
    }
  }
}

static void atoms_of(struct decision *d, struct atoms *a, struct node *n) {
  for (; n->op == OP_SELECT && look(d); n = n->arg[2]) {
    atoms_of_condition(d, a, n->arg[0]);
    atoms_of(d, a, n->arg[1]);
  }
}

// The atom that stands there most often, of those that are left; the first of several. What all
// else is under is asked first.
static struct node *take_atom(struct atoms *a) {
  unsigned most = 0;
  for (unsigned i = 1; i < a->num; i++)
    if (a->times[i] > a->times[most]) most = i;
  if (!a->num || !a->times[most]) return NULL;
  a->times[most] = 0;
  return a->list[most];
}

// A condition where an atom is known to hold, or not to.
static struct node *condition_under(struct decision *d, struct node *n, struct node *atom,
                                    bool holds) {
  struct ir_context *const c = d->c;
  if (!look(d) || n->op == OP_CONST) return n;
  if (n == atom) return node_const(c, holds);
  if (is_not(n)) {
    struct node *const inner = condition_under(d, n->arg[0], atom, holds);
    return inner == n->arg[0] ? n : node_make(c, OP_EQ, inner, node_const(c, 0), NULL);
  }
  if (!is_join(n)) return node_opposite(c, n) == atom ? node_const(c, !holds) : n;
  struct node *const x = condition_under(d, n->arg[0], atom, holds);
  struct node *const y = condition_under(d, n->arg[1], atom, holds);
  return x == n->arg[0] && y == n->arg[1] ? n : node_make(c, n->op, x, y, NULL);
}

static struct node *value_under(struct decision *d, struct node *n, struct node *atom, bool holds) {
  if (n->op != OP_SELECT || !look(d)) return n;
  struct node *const x = condition_under(d, n->arg[0], atom, holds);
  if (x->op == OP_CONST) return value_under(d, n->arg[x->value ? 1 : 2], atom, holds);
  return node_make(d->c, OP_SELECT, x, value_under(d, n->arg[1], atom, holds),
                   value_under(d, n->arg[2], atom, holds));
}

static struct node *truth(struct ir_context *c, struct node *n) {
  return node_is_bool(n) ? n : node_make(c, OP_NE, n, node_const(c, 0), NULL);
}

// x ? y : z, with the condition of an arm in its own where the arms are alike.
static struct node *choice(struct ir_context *c, struct node *x, struct node *y, struct node *z) {
  struct node *const plain = node_make(c, OP_SELECT, x, y, z), *joined = plain;
  if (y->op == OP_SELECT && y->arg[2] == z)
    joined = node_make(c, OP_SELECT, node_make(c, OP_LAND, truth(c, x), truth(c, y->arg[0]), NULL),
                       y->arg[1], z);
  else if (z->op == OP_SELECT && z->arg[1] == y)
    joined = node_make(c, OP_SELECT, node_make(c, OP_LOR, truth(c, x), truth(c, z->arg[0]), NULL),
                       y, z->arg[2]);
  return joined->ready < plain->ready ? joined : plain;
}

static struct node *best(struct decision *d, struct node *n) {
  struct atoms a = {.num = 0};
  if (n->op != OP_SELECT || d->over) return n;
  for (unsigned i = 0; i < d->num; i++)
    if (d->found[i].from == n) return d->found[i].best;
  atoms_of(d, &a, n);
  struct node *earliest = n;
  for (unsigned i = 0; i < FIRST_ATOMS && !d->over; i++) {
    struct node *const atom = take_atom(&a);
    if (!atom) break;
    struct node *const yes = best(d, value_under(d, n, atom, true));
    struct node *const no = best(d, value_under(d, n, atom, false));
    if (d->over) break;
    struct node *const made = yes == no ? yes : choice(d->c, atom, yes, no);
    if (made->ready < earliest->ready) earliest = made;
  }
  if (d->num == MOST_FOUND) d->over = true;
  else if (!d->over) {
    d->found[d->num].from = n;
    d->found[d->num++].best = earliest;
  }
  return earliest;
}

static struct node *rewrite(struct ir_context *c, struct node *old, struct node **args,
                            void *user) {
  struct deciding *all = user;
  struct decision d = {.c = c};
  if (old->op != OP_SELECT || all->inner[old->id]) return NULL;
  struct node *const n = node_make(c, OP_SELECT, args[0], args[1], args[2]);
  if (n->op != OP_SELECT || n->states || all->looks > MOST_OF_ALL) return n;
  struct node *const made = best(&d, n);
  all->looks += d.looks;
  return d.over || made->ready >= n->ready ? n : made;
}

void decide(struct ir_context *c, struct codelets *codelets) {
  const struct graph *g = c->graph;
  if (c->program->num_tables) return;
  codelets_root(c->graph, codelets);
  const unsigned *uses = graph_uses(c);
  bool *inner = NEW_ARRAY(c->arena, bool, g->num + 1);
  const bool *live = graph_live(c);
  // An arm that nobody else reads is decided with the choice that reads it.
  for (unsigned i = 0; i < g->num; i++)
    for (unsigned j = 1; live[i] && g->list[i]->op == OP_SELECT && j < 3; j++)
      if (uses[g->list[i]->arg[j]->id] == 1) inner[g->list[i]->arg[j]->id] = true;
  struct deciding all = {.inner = inner};
  graph_rebuild(c, rewrite, &all);
}
