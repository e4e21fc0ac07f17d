// SPDX-License-Identifier: Apache-2.0
#include "update.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static unsigned below(struct sluice_rng *rng, unsigned n) {
  return (unsigned)sluice_rng_below(rng, n);
}

// ---- drawing ------------------------------------------------------------------------------------

static const uint32_t constants[] = {
    0, 1, 2, 5, 7, 100, 4096, 0x7fffffff, 0x80000000, (uint32_t)-1, (uint32_t)-3};
enum { NUM_CONSTANTS = sizeof constants / sizeof constants[0] };

static struct term draw_term(const struct update *u, struct sluice_rng *rng) {
  if (below(rng, 2)) return (struct term){TERM_FIELD, below(rng, u->fields)};
  return (struct term){TERM_CONST, constants[below(rng, NUM_CONSTANTS)]};
}

static struct condition draw_condition(const struct update *u, struct sluice_rng *rng,
                                       unsigned state) {
  struct condition c = {
      .state = state, .relation = (enum relation)below(rng, 6), .right = draw_term(u, rng)};
  const unsigned kind = below(rng, 4);
  if (kind || !state) c.times[below(rng, u->fields)] = kind == 2 && state ? -1 : 1;
  if (kind == 3 && state && u->fields > 1) {
    memset(c.times, 0, sizeof c.times);
    const unsigned x = below(rng, u->fields);
    c.times[x] = 1;
    c.times[(x + 1 + below(rng, u->fields - 1)) % u->fields] = -1;
  }
  if (state && below(rng, 6) == 0)
    c.right = (struct term){TERM_STATE, u->words == 2 ? 2 - state : 0};
  if (c.right.kind == TERM_STATE &&
      c.right.value == state - 1) {  // s against s: the packet part alone decides
    c.right = (struct term){TERM_CONST, constants[below(rng, NUM_CONSTANTS)]};
  }
  if (state && below(rng, 6) == 0) c.plus = below(rng, 2) ? 1 : UINT32_MAX;
  return c;
}

static unsigned draw_branch(struct update *u, struct sluice_rng *rng, unsigned depth) {
  const unsigned me = u->num++;
  struct branch *b = &u->branch[me];
  *b = (struct branch){.leaf = depth >= 3 || (depth == 2 && below(rng, 2))};
  if (depth == 1 && below(rng, 4) == 0) b->leaf = true;
  if (!b->leaf) {
    unsigned state = below(rng, 10) < 6 ? 1 + below(rng, u->words) : 0;
    if (depth == 0) state = 1;  // both words are looked at
    if (depth == 1 && u->words == 2) state = 2;
    b->condition = draw_condition(u, rng, state);
    const unsigned yes = draw_branch(u, rng, depth + 1);
    const unsigned no = draw_branch(u, rng, depth + 1);
    u->branch[me].yes = yes;
    u->branch[me].no = no;
    return me;
  }
  for (unsigned w = 0; w < u->words; w++) {
    struct assignment *a = &b->word[w];
    const bool same = below(rng, 4) == 0;
    *a = (struct assignment){
        .keep = same || below(rng, 2), .sub = below(rng, 3) == 0, .b = {TERM_CONST, 0}};
    a->a = same ? (struct term){TERM_CONST, 0} : draw_term(u, rng);
    if (!same && below(rng, 4) == 0) a->b = draw_term(u, rng);
  }
  return me;
}

// What a step makes of the word, as a function of the old one; false: it has too many terms.
static bool after(const struct assignment *now, const struct assignment *next,
                  struct assignment *made) {
  const bool empty = now->b.kind == TERM_CONST && !now->b.value;
  *made = *next;
  if (!next->keep) return true;
  *made = *now;
  if (!empty) return false;
  made->b = next->a;
  made->sub = next->sub;
  return true;
}

// A condition on the word as it is after other steps.
static bool seen_after(const struct assignment *now, const struct condition *c,
                       struct condition *made) {
  *made = *c;
  if (!c->state) return true;
  if (!now->keep) made->state = 0;
  const struct term term[2] = {now->a, now->b};
  for (unsigned i = 0; i < 2; i++) {
    const int sign = i && now->sub ? -1 : 1;
    if (term[i].kind == TERM_CONST) {
      made->plus += (uint32_t)sign * term[i].value;
      continue;
    }
    made->times[term[i].value] += sign;
    if (made->times[term[i].value] > 1 || made->times[term[i].value] < -1) return false;
  }
  return true;
}

// The branches of the steps from `step` on; MAX_NODES: they have too many terms.
static unsigned branches_of(struct update *u, unsigned step, const struct assignment *now) {
  if (u->num == MAX_NODES) return MAX_NODES;
  const unsigned me = u->num++;
  struct branch *b = &u->branch[me];
  *b = (struct branch){.leaf = step == u->num_steps, .word = {*now}};
  if (b->leaf) return me;
  struct assignment then;
  if (!seen_after(now, &u->step[step].condition, &b->condition) ||
      !after(now, &u->step[step].word, &then))
    return MAX_NODES;
  const unsigned yes = branches_of(u, step + 1, &then);
  const unsigned no = yes == MAX_NODES ? yes : branches_of(u, step + 1, now);
  u->branch[me].yes = yes;
  u->branch[me].no = no;
  return no == MAX_NODES ? no : me;
}

static void draw_steps(struct update *u, struct sluice_rng *rng) {
  const struct assignment keep = {.keep = true, .a = {TERM_CONST, 0}, .b = {TERM_CONST, 0}};
  do {
    u->num = 0;
    u->num_steps = 2 + below(rng, MAX_STEPS - 1);
    for (unsigned i = 0; i < u->num_steps; i++) {
      struct step *s = &u->step[i];
      s->condition = draw_condition(u, rng, i + 1 == u->num_steps || below(rng, 2));
      memset(s->condition.times, 0, sizeof s->condition.times);
      if (!s->condition.state) s->condition.times[below(rng, u->fields)] = 1;
      s->word = (struct assignment){.keep = below(rng, 2) != 0,
                                    .sub = below(rng, 4) == 0,
                                    .a = draw_term(u, rng),
                                    .b = {TERM_CONST, 0}};
      // s = a, s += a, s -= a.
      if (!s->word.keep) s->word.sub = false;
    }
  } while (branches_of(u, 0, &keep) == MAX_NODES);
}

// Some leaves do the same as others, so that conditions can be joined.
static void share_leaves(struct update *u, struct sluice_rng *rng) {
  const struct branch *from = &u->branch[below(rng, u->num)];
  for (unsigned i = 0; i < u->num; i++)
    if (from->leaf && u->branch[i].leaf && below(rng, 2)) u->branch[i] = *from;
}

void update_draw(struct update *u, struct sluice_rng *rng) {
  *u = (struct update){.words = 1 + below(rng, 2), .fields = below(rng, 6) ? 1 + below(rng, 2) : 3};
  if (u->words == 1 && below(rng, 3) == 0) {
    draw_steps(u, rng);
    return;
  }
  draw_branch(u, rng, 0);
  if (below(rng, 2)) share_leaves(u, rng);
}

// ---- the text -----------------------------------------------------------------------------------

struct out {
  char *text;
  size_t len, room;
};
static void put(struct out *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct out *o, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(o->text + o->len, o->room - o->len, format, args);
  va_end(args);
  if (n > 0 && o->len + (size_t)n < o->room) o->len += (size_t)n;
}

static const char *const words[] = {"s", "t"}, *const fields[] = {"p.x", "p.y", "p.z"};

static void put_term(struct out *o, struct term t) {
  if (t.kind == TERM_CONST) put(o, "0x%x", t.value);
  else put(o, "%s", (t.kind == TERM_FIELD ? fields : words)[t.value]);
}

static const char *const relations[] = {"==", "!=", "<", "<=", ">", ">="};

// The left side, with the state word first or last.
static void put_left(struct out *o, const struct condition *c, bool last) {
  if (!last) put(o, "%s", c->state ? words[c->state - 1] : "0");
  else put(o, "0");
  for (unsigned f = 0; f < FIELDS; f++)
    if (c->times[f]) put(o, " %c %s", c->times[f] < 0 ? '-' : '+', fields[f]);
  if (c->plus)
    put(o, " %c 0x%x", (int32_t)c->plus < 0 ? '-' : '+',
        (int32_t)c->plus < 0 ? 0u - c->plus : c->plus);
  if (last && c->state) put(o, " + %s", words[c->state - 1]);
}

static void put_condition(struct out *o, const struct condition *c) {
  put_left(o, c, false);
  put(o, " %s ", relations[c->relation]);
  put_term(o, c->right);
}

static void put_word(struct out *o, const struct assignment *a, unsigned w) {
  put(o, "%s + (", a->keep ? words[w] : "0");
  put_term(o, a->a);
  put(o, " %c ", a->sub ? '-' : '+');
  put_term(o, a->b);
  put(o, ")");
}

static void put_leaf(struct out *o, const struct update *u, const struct branch *b) {
  for (unsigned w = 0; w < u->words; w++) {
    put(o, "p.%s = ", w ? "m" : "n");
    put_word(o, &b->word[w], w);
    put(o, ";\n");
  }
}

static void put_branch(struct out *o, const struct update *u, unsigned at) {
  const struct branch *b = &u->branch[at];
  if (b->leaf) {
    put_leaf(o, u, b);
    return;
  }
  put(o, "if (");
  put_condition(o, &b->condition);
  put(o, ") {\n");
  put_branch(o, u, b->yes);
  put(o, "} else {\n");
  put_branch(o, u, b->no);
  put(o, "}\n");
}

static void put_head(struct out *o, const struct update *u) {
  put(o,
      "struct Packet { int x @ bytes(46, 4); int y @ bytes(50, 4); int z @ bytes(54, 4); int n; "
      "int m; };\nint s = 0;\n%svoid f(struct Packet p) {\n",
      u->words == 2 ? "int t = 0;\n" : "");
}

static void put_steps(struct out *o, const struct update *u) {
  for (unsigned i = 0; i < u->num_steps; i++) {
    const struct assignment *a = &u->step[i].word;
    put(o, "if (");
    put_condition(o, &u->step[i].condition);
    put(o, ") s %s ", a->keep ? a->sub ? "-=" : "+=" : "=");
    put_term(o, a->a);
    put(o, ";\n");
  }
  put(o, "}\n");
}

static void put_end(struct out *o, const struct update *u) {
  put(o, "s = p.n;%s\n}\n", u->words == 2 ? " t = p.m;" : "");
}

void update_print(const struct update *u, char *text, size_t room) {
  struct out o = {text, 0, room};
  put_head(&o, u);
  if (u->num_steps) {
    put_steps(&o, u);
    return;
  }
  put_branch(&o, u, 0);
  put_end(&o, u);
}

// ---- other texts of it --------------------------------------------------------------------------

struct wording {
  struct out *out;
  const struct update *u;
  struct sluice_rng *rng;
  enum { AS_BRANCHES, AS_CHOICES, AS_DEFAULTS, NUM_WORDINGS } kind;
  bool direct;    // the word itself is assigned
  unsigned word;  // AS_CHOICES, AS_DEFAULTS: the one that is said
};

static void word_condition(const struct wording *v, const struct condition *c, bool opposite) {
  static const enum relation mirrored[] = {IS_EQ, IS_NE, IS_GT, IS_GE, IS_LT, IS_LE},
                             inverse[] = {IS_NE, IS_EQ, IS_GE, IS_GT, IS_LE, IS_LT};
  const bool outer = below(v->rng, 3) == 0, turned = below(v->rng, 2), last = below(v->rng, 2);
  const enum relation said = opposite != outer ? inverse[c->relation] : c->relation;
  put(v->out, outer ? "!(" : "(");
  if (turned) put_term(v->out, c->right);
  else put_left(v->out, c, last);
  put(v->out, " %s ", relations[turned ? mirrored[said] : said]);
  if (turned) put_left(v->out, c, last);
  else put_term(v->out, c->right);
  put(v->out, ")");
}

static bool same_leaves(const struct wording *v, const struct branch *a, const struct branch *b) {
  bool same = a->leaf && b->leaf;
  for (unsigned w = 0; w < v->u->words; w++)
    same &= a->word[w].keep == b->word[w].keep && a->word[w].sub == b->word[w].sub &&
            a->word[w].a.kind == b->word[w].a.kind && a->word[w].a.value == b->word[w].a.value &&
            a->word[w].b.kind == b->word[w].b.kind && a->word[w].b.value == b->word[w].b.value;
  return same;
}

// Two conditions as one: the outer holds (`either`: or) the inner, which may be turned.
struct joint {
  const struct condition *outer, *inner;
  bool either, turned;
  unsigned yes, no;
};
static bool find_joint(const struct wording *v, const struct branch *b, struct joint *j) {
  const struct branch *list = v->u->branch, *yes = &list[b->yes], *no = &list[b->no];
  *j = (struct joint){&b->condition, NULL, false, false, b->yes, b->no};
  if (!no->leaf && (same_leaves(v, yes, &list[no->yes]) || same_leaves(v, yes, &list[no->no]))) {
    j->inner = &no->condition;
    j->either = true;
    j->turned = !same_leaves(v, yes, &list[no->yes]);
    j->no = j->turned ? no->yes : no->no;
    return true;
  }
  if (yes->leaf || !(same_leaves(v, no, &list[yes->no]) || same_leaves(v, no, &list[yes->yes])))
    return false;
  j->inner = &yes->condition;
  j->turned = !same_leaves(v, no, &list[yes->no]);
  j->yes = j->turned ? yes->no : yes->yes;
  return true;
}

static void word_joint(const struct wording *v, const struct joint *j, bool opposite) {
  const bool order = below(v->rng, 2), outer = below(v->rng, 3) == 0, turn = opposite != outer;
  if (!j->inner) {
    word_condition(v, j->outer, opposite);
    return;
  }
  put(v->out, outer ? "!(" : "(");
  word_condition(v, order ? j->outer : j->inner, (order ? false : j->turned) != turn);
  put(v->out, j->either != turn ? " || " : " && ");
  word_condition(v, order ? j->inner : j->outer, (order ? j->turned : false) != turn);
  put(v->out, ")");
}

static void word_leaf(const struct wording *v, const struct branch *b) {
  for (unsigned w = 0; w < v->u->words; w++) {
    if (v->kind != AS_BRANCHES && w != v->word) continue;
    if (v->kind != AS_CHOICES) put(v->out, "%s = ", v->direct ? words[w] : w ? "p.m" : "p.n");
    put_word(v->out, &b->word[w], w);
    if (v->kind != AS_CHOICES) put(v->out, ";\n");
  }
}

static void word_branch(const struct wording *v, unsigned at) {
  const struct branch *b = &v->u->branch[at];
  struct joint j = {&b->condition, NULL, false, false, b->yes, b->no}, joined;
  if (b->leaf) {
    word_leaf(v, b);
    return;
  }
  if (find_joint(v, b, &joined) && below(v->rng, 3)) j = joined;
  const bool opposite = below(v->rng, 2);
  const unsigned yes = opposite ? j.no : j.yes, no = opposite ? j.yes : j.no;
  if (v->kind == AS_CHOICES) {
    put(v->out, "(");
    word_joint(v, &j, opposite);
    put(v->out, " ? ");
    word_branch(v, yes);
    put(v->out, " : ");
    word_branch(v, no);
    put(v->out, ")");
    return;
  }
  if (v->kind == AS_DEFAULTS) {
    word_branch(v, no);
    put(v->out, "if (");
    word_joint(v, &j, opposite);
    put(v->out, ") {\n");
    word_branch(v, yes);
    put(v->out, "}\n");
    return;
  }
  put(v->out, "if (");
  word_joint(v, &j, opposite);
  put(v->out, ") {\n");
  word_branch(v, yes);
  const bool last = v->u->branch[no].leaf || below(v->rng, 2);
  put(v->out, last ? "} else {\n" : "} else ");
  word_branch(v, no);
  if (last) put(v->out, "}\n");
}

void update_print_as(const struct update *u, struct sluice_rng *rng, char *text, size_t room) {
  struct out o = {text, 0, room};
  struct wording v = {.out = &o, .u = u, .rng = rng};
  v.kind = below(rng, NUM_WORDINGS);
  v.direct = v.kind == AS_BRANCHES && u->words == 1 && below(rng, 2);
  put_head(&o, u);
  for (; v.word < (v.kind == AS_BRANCHES ? 1 : u->words); v.word++) {
    if (v.kind == AS_CHOICES) put(&o, "p.%s = ", v.word ? "m" : "n");
    word_branch(&v, 0);
    if (v.kind == AS_CHOICES) put(&o, ";\n");
  }
  if (v.direct) put(&o, "}\n");
  else put_end(&o, u);
}

// ---- its meaning --------------------------------------------------------------------------------

static uint32_t term_value(struct term t, const uint32_t field[FIELDS], const uint32_t old[2]) {
  return t.kind == TERM_CONST ? t.value : t.kind == TERM_FIELD ? field[t.value] : old[t.value];
}

static uint32_t packet_part(const struct condition *c, const uint32_t field[FIELDS]) {
  uint32_t sum = c->plus;
  for (unsigned f = 0; f < FIELDS; f++) sum += (uint32_t)c->times[f] * field[f];
  return sum;
}

bool condition_holds(const struct condition *c, const uint32_t field[FIELDS],
                     const uint32_t old[2]) {
  const int32_t x = (int32_t)((c->state ? old[c->state - 1] : 0) + packet_part(c, field));
  const int32_t y = (int32_t)term_value(c->right, field, old);
  switch (c->relation) {
    case IS_EQ: return x == y;
    case IS_NE: return x != y;
    case IS_LT: return x < y;
    case IS_LE: return x <= y;
    case IS_GT: return x > y;
    default: return x >= y;
  }
}

bool condition_of_packet(const struct condition *c) {
  return !c->state && c->right.kind != TERM_STATE;
}

void update_run(const struct update *u, const uint32_t field[FIELDS], const uint32_t old[2],
                uint32_t now[2]) {
  const struct branch *b = &u->branch[0];
  while (!b->leaf) b = &u->branch[condition_holds(&b->condition, field, old) ? b->yes : b->no];
  now[1] = old[1];
  for (unsigned w = 0; w < u->words; w++) {
    const struct assignment *a = &b->word[w];
    const uint32_t x = term_value(a->a, field, old), y = term_value(a->b, field, old);
    now[w] = (a->keep ? old[w] : 0) + (a->sub ? x - y : x + y);
  }
}

unsigned update_constants(const struct update *u, uint32_t *list, unsigned room) {
  unsigned num = 0;
  for (unsigned i = 0; i < u->num; i++) {
    const struct branch *b = &u->branch[i];
    const struct term all[] = {b->condition.right, b->word[0].a, b->word[0].b, b->word[1].a,
                               b->word[1].b};
    for (unsigned t = b->leaf ? 1 : 0; t < (b->leaf ? 1 + 2 * u->words : 1); t++) {
      bool known = all[t].kind != TERM_CONST;
      for (unsigned k = 0; k < num; k++) known |= list[k] == all[t].value;
      if (!known && num < room) list[num++] = all[t].value;
    }
  }
  return num;
}

// ---- points -------------------------------------------------------------------------------------

static uint32_t draw_value(const struct update *u, struct sluice_rng *rng) {
  uint32_t list[40];
  const unsigned num = update_constants(u, list, 40);
  switch (below(rng, 4)) {
    case 0: return num ? list[below(rng, num)] + below(rng, 3) - 1 : 0;
    case 1: return (uint32_t)(1000 + below(rng, 1000000));
    case 2: return 0u - (1000 + below(rng, 1000000));
    default: return (uint32_t)sluice_rng_next(rng);
  }
}

static void add_point(const struct update *u, struct packet *p, uint32_t s, uint32_t t) {
  if (u->words == 1) t = 0;
  for (unsigned i = 0; i < p->num; i++)
    if (p->old[i][0] == s && p->old[i][1] == t) return;
  if (p->num == MAX_POINTS) return;
  p->old[p->num][0] = s;
  p->old[p->num][1] = t;
  update_run(u, p->field, p->old[p->num], p->now[p->num]);
  p->num++;
}

void packet_points(const struct update *u, struct packet *p, struct sluice_rng *rng) {
  p->num = 0;
  p->situation = 0;
  unsigned bit = 0;
  const uint32_t none[2] = {0, 0};
  for (unsigned i = 0; i < u->num; i++) {
    const struct condition *c = &u->branch[i].condition;
    if (u->branch[i].leaf || !condition_of_packet(c)) continue;
    if (condition_holds(c, p->field, none)) p->situation |= 1u << bit;
    bit++;
  }
  // Borders of the conditions on the state: where the sum is the right side, and where it wraps.
  for (unsigned i = 0; i < u->num; i++) {
    const struct condition *c = &u->branch[i].condition;
    if (u->branch[i].leaf || condition_of_packet(c)) continue;
    const uint32_t part = packet_part(c, p->field), wraps = 0x80000000u - part;
    for (uint32_t d = 0; d < 3; d++) {
      uint32_t old[2] = {draw_value(u, rng), draw_value(u, rng)};
      if (c->right.kind == TERM_STATE) {
        const uint32_t other = old[c->right.value];
        if (c->state) old[c->state - 1] = other - part + d - 1;
        else old[c->right.value] = part + d - 1;
      } else {
        old[c->state - 1] = term_value(c->right, p->field, old) - part + d - 1;
      }
      add_point(u, p, old[0], old[1]);
    }
    uint32_t old[2] = {draw_value(u, rng), draw_value(u, rng)};
    if (c->state) {
      old[c->state - 1] = wraps - (uint32_t)below(rng, 2);
      add_point(u, p, old[0], old[1]);
    }
  }
  for (unsigned i = 0; i < 6; i++) add_point(u, p, draw_value(u, rng), draw_value(u, rng));
}

void packet_draw(const struct update *u, struct packet *p, unsigned kind, struct sluice_rng *rng) {
  for (unsigned f = 0; f < FIELDS; f++) {
    const uint32_t far = (uint32_t)(1000 + below(rng, 30000)) * (uint32_t)(f * f * 37 + 1);
    p->field[f] = kind ? draw_value(u, rng) : below(rng, 3) ? far : 0u - far;
  }
  // Equal fields, or one beside the other.
  if (kind && below(rng, 4) == 0)
    p->field[below(rng, FIELDS)] = p->field[below(rng, FIELDS)] + below(rng, 3) - 1;
  packet_points(u, p, rng);
}

bool update_mutual(const struct update *u, const struct packet *list, unsigned num) {
  if (u->words == 1) return true;
  bool needs[2] = {false, false};
  for (unsigned i = 0; i < num; i++)
    for (unsigned a = 0; a < list[i].num; a++)
      for (unsigned b = 0; b < list[i].num; b++)
        for (unsigned w = 0; w < 2; w++) {
          uint32_t old[2] = {list[i].old[a][0], list[i].old[a][1]}, now[2];
          old[1 - w] = list[i].old[b][1 - w];
          update_run(u, list[i].field, old, now);
          needs[w] |= now[w] != list[i].now[a][w];
        }
  return needs[0] && needs[1];
}
