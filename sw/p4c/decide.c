// SPDX-License-Identifier: Apache-2.0
// Conditions on the packet stand in keys: one ternary table looks at all the bytes that they ask
// for, and its entries are the cases that the program tells apart. Example:
//
//     if (hdr.ipv4.isValid()) { if (hdr.ipv4.protocol == 17) A else B }
//
//     type 0x0800, protocol 17: case 2     type 0x0800: case 1     (all else: case 0)
//
// Conditions are computed twice. First the program is walked without the table, to see which
// conditions count; then it is walked again, and a condition is a set of rows of the table. In the
// stage of the table each action row knows its case, so nothing is left of the condition there.
#include <string.h>

#include "inner.h"

enum { META = 1 << 16, MOST_WIDTH = 32, MOST_CUBES = 40, MOST_TESTED = 200 };

static const char *const metas[] = {"meta.port_in", "meta.length", "meta.depth_in",
                                    "meta.depth_out", "meta.port_out"};
enum { METAS = sizeof metas / sizeof *metas };

// ---- atoms: a field of the packet in a range, or equal under a mask -----------------------------

static bool source_of(const char *text, struct p4c_atom *a) {
  unsigned at, bytes;
  for (unsigned i = 0; i < METAS; i++)
    if (strcmp(text, metas[i]) == 0) {
      a->at = META + 16 * i;
      a->width = 16;
      return true;
    }
  if (!p4c_text_bytes(text, &at, &bytes) || bytes > 4) return false;
  a->at = 8 * at;
  a->width = 8 * bytes;
  return true;
}

// x, x >>> 3, x & 15 of a source x.
static bool field_of(const struct p4c *p, p4c_node n, struct p4c_atom *a) {
  const struct p4c_def *d = &p->nodes[n];
  uint32_t by;
  if (d->op == P4C_TEXT) {
    a->mask = UINT32_MAX;
    return source_of(d->text, a);
  }
  if (d->op != P4C_BINARY || !p4c_is_const(p, d->b, &by) || !field_of(p, d->a, a)) return false;
  if (strcmp(d->text, ">>>") == 0 && by < a->width) {
    a->width -= by;
    a->mask >>= by;
    return true;
  }
  a->mask &= by;
  return strcmp(d->text, "&") == 0;
}

// The bits above those that count are no part of the field.
static void narrow(struct p4c_atom *a) {
  const uint32_t ones = a->width == 32 ? UINT32_MAX : (UINT32_C(1) << a->width) - 1;
  a->mask &= ones;
  while (a->width > 1 && !(a->mask >> (a->width - 1))) a->width--, a->at++;
}

static uint32_t most_of(const struct p4c_atom *a) {
  return a->width == 32 ? UINT32_MAX : (UINT32_C(1) << a->width) - 1;
}

// Whether a truth value is an atom; which it is.
static bool atom_of(const struct p4c *p, p4c_node n, struct p4c_atom *a) {
  const struct p4c_def *d = &p->nodes[n];
  uint32_t number;
  *a = (struct p4c_atom){0};
  if (d->op != P4C_BINARY) return false;
  if (strcmp(d->text, "==") == 0) {
    if (!p4c_is_const(p, d->b, &number) || !field_of(p, d->a, a)) return false;
    narrow(a);
    a->low = a->high = number;
    return (number & ~a->mask) == 0;
  }
  const bool less = strcmp(d->text, "<") == 0;
  if (!less && strcmp(d->text, "<=") != 0) return false;
  const bool above = p4c_is_const(p, d->a, &number);
  if (!above && !p4c_is_const(p, d->b, &number)) return false;
  if (!field_of(p, above ? d->b : d->a, a)) return false;
  narrow(a);
  if (a->mask != most_of(a) || a->width == 32 || number > INT32_MAX) return false;
  if (less && !above && number == 0) return false;
  a->low = above ? number + less : 0;
  a->high = above ? most_of(a) : number - less;
  if (a->high > most_of(a)) a->high = most_of(a);
  return a->low <= a->high;
}

static bool is_like(const struct p4c_atom *a, const struct p4c_atom *b) {
  return a->at == b->at && a->width == b->width && a->mask == b->mask && a->low == b->low &&
         a->high == b->high;
}

static int index_of(const struct p4c_decision *d, const struct p4c_atom *a) {
  for (unsigned i = 0; i < d->num_atoms; i++)
    if (is_like(&d->atoms[i], a)) return (int)i;
  return -1;
}

// ---- cubes: words of 16 bits under masks --------------------------------------------------------

enum met { NOTHING, ALL, SOME };

// Lays a field's bits over a cube. NOTHING: it holds none of them; ALL: it held them before.
static enum met lay(struct p4c_cube *c, const struct p4c_atom *a, uint32_t value, uint32_t mask) {
  enum met met = ALL;
  for (unsigned i = 0; i < a->width; i++) {
    if (!(mask >> i & 1)) continue;
    const unsigned bit = a->at + a->width - 1 - i, word = bit / 16;
    const uint16_t one = (uint16_t)(1u << (15 - bit % 16)), is = value >> i & 1 ? one : 0;
    unsigned w = 0;
    while (w < c->num && c->word[w] != word) w++;
    if (w == P4C_MOST_WORDS) return NOTHING;
    if (w == c->num) {
      c->word[c->num] = word;
      c->value[w] = c->mask[w] = 0;
      c->num++;
    }
    if (c->mask[w] & one) {
      if ((c->value[w] & one) != is) return NOTHING;
      continue;
    }
    met = SOME;
    c->mask[w] |= one;
    c->value[w] |= is;
  }
  return met;
}

struct cover {
  unsigned num;
  uint32_t value[MOST_CUBES], mask[MOST_CUBES];
};

static void cover_range(struct cover *c, const struct p4c_atom *a, uint64_t low, uint64_t high) {
  while (low <= high && c->num < MOST_CUBES) {
    uint64_t size = 1;
    while (!(low & size) && low + 2 * size - 1 <= high) size *= 2;
    c->value[c->num] = (uint32_t)low;
    c->mask[c->num++] = (uint32_t)(most_of(a) & ~(size - 1));
    low += size;
  }
}

// The prefixes of the field for which the atom is so.
static void cover(struct cover *c, const struct p4c_atom *a, bool is) {
  c->num = 0;
  if (a->mask != most_of(a)) {
    c->num = is ? 1 : MOST_CUBES;
    c->value[0] = a->low;
    c->mask[0] = a->mask;
    return;
  }
  if (is) {
    cover_range(c, a, a->low, a->high);
    return;
  }
  if (a->low) cover_range(c, a, 0, a->low - 1);
  if (a->high < most_of(a)) cover_range(c, a, (uint64_t)a->high + 1, most_of(a));
}

// ---- which conditions there are -----------------------------------------------------------------

struct deciding {
  struct p4c *p;
  struct p4c_decision *d;
  signed char *seen;  // of nodes: whether it is a condition on the packet; 0: not looked at
  signed char *truth, known[P4C_MOST_ATOMS];
  p4c_node conditions[P4C_MOST_ROWS];
  unsigned num_conditions, tested;
  bool too_many, elsewhere[META / 16];  // words that are also read beside conditions
};

static bool is_both(const struct p4c_def *d) {
  return d->op == P4C_BINARY && strcmp(d->text, "&&") == 0;
}
static bool is_either(const struct p4c_def *d) {
  return d->op == P4C_BINARY && strcmp(d->text, "||") == 0;
}
// c == 0 of a condition c.
static bool is_negated(const struct p4c *p, const struct p4c_def *d) {
  uint32_t zero;
  return d->op == P4C_BINARY && strcmp(d->text, "==") == 0 && p4c_is_const(p, d->b, &zero) && !zero;
}

static bool is_condition(struct deciding *x, p4c_node n) {
  const struct p4c_def *d = &x->p->nodes[n];
  struct p4c_atom a;
  uint32_t number;
  if (x->seen[n]) return x->seen[n] == 1;
  bool is = false;
  if (p4c_is_const(x->p, n, &number)) {
    is = number < 2;
  } else if (atom_of(x->p, n, &a)) {
    is = true;
    if (index_of(x->d, &a) < 0) {
      if (x->d->num_atoms == P4C_MOST_ATOMS) x->too_many = true;
      else x->d->atoms[x->d->num_atoms++] = a;
    }
  } else if (is_both(d) || is_either(d)) {
    const bool left = is_condition(x, d->a), right = is_condition(x, d->b);
    is = left && right;
  } else if (is_negated(x->p, d)) {
    is = p4c_is_truth(x->p, d->a) && is_condition(x, d->a);
  } else if (d->op == P4C_CHOICE) {
    is = is_condition(x, d->a) && is_condition(x, d->b) && is_condition(x, d->c);
  }
  x->seen[n] = is ? 1 : -1;
  return is;
}

// The largest conditions below a value.
static void collect(struct deciding *x, p4c_node n) {
  const struct p4c_def *d = &x->p->nodes[n];
  struct p4c_atom a;
  if (x->truth[n]) return;
  x->truth[n] = 1;
  if (d->op == P4C_TEXT && source_of(d->text, &a) && a.at < META && a.width == 16)
    x->elsewhere[a.at / 16] = true;
  if (d->op == P4C_CONST || d->op == P4C_TEXT) return;
  if (is_condition(x, n)) {
    if (x->num_conditions == P4C_MOST_ROWS) x->too_many = true;
    else x->conditions[x->num_conditions++] = n;
    return;
  }
  collect(x, d->a);
  if (d->op != P4C_UNARY) collect(x, d->b);
  if (d->op == P4C_CHOICE) collect(x, d->c);
}

// ---- rows ---------------------------------------------------------------------------------------

// 1, -1: it is so, or not; 0: open, and *atom is one that would tell more.
static int value_of(struct deciding *x, p4c_node n, int *atom) {
  const struct p4c_def *d = &x->p->nodes[n];
  struct p4c_atom a;
  uint32_t number;
  if (p4c_is_const(x->p, n, &number)) return number ? 1 : -1;
  if (atom_of(x->p, n, &a)) {
    const int i = index_of(x->d, &a);
    if (i >= 0 && !x->known[i] && *atom < 0) *atom = i;
    return i < 0 ? 0 : x->known[i];
  }
  if (x->truth[n] != 2) return x->truth[n] - 4;
  int is = value_of(x, d->a, atom);
  if (is_negated(x->p, d)) is = -is;
  else if (d->op == P4C_CHOICE) {
    is = is ? value_of(x, is > 0 ? d->b : d->c, atom) : 0;
  } else {
    const int end = is_both(d) ? -1 : 1;
    if (is != end) {
      const int other = value_of(x, d->b, atom);
      is = other == end ? end : is && other ? -end : 0;
    }
  }
  x->truth[n] = (signed char)(is + 4);
  return is;
}

static void emit_row(struct deciding *x, const struct p4c_cube *cube, uint64_t values) {
  struct p4c_decision *d = x->d;
  unsigned c = 0;
  while (c < d->num_classes && x->d->class_values[c] != values) c++;
  if (c == P4C_MOST_CLASSES || d->num_rows == d->most_rows) {
    x->too_many = true;
    return;
  }
  if (c == d->num_classes) d->class_values[d->num_classes++] = values;
  struct p4c_row *r = &d->rows[d->num_rows++];
  r->cube = *cube;
  r->class_number = c;
  memcpy(r->known, x->known, sizeof r->known);
}

static void expand(struct deciding *x, const struct p4c_cube *cube) {
  uint64_t values = 0;
  int atom = -1;
  if (x->too_many || ++x->tested > MOST_TESTED) {
    x->too_many = true;
    return;
  }
  for (unsigned n = 0; n < x->p->num_nodes; n++)
    if (x->truth[n] > 2) x->truth[n] = 2;
  for (unsigned i = 0; i < x->num_conditions && atom < 0; i++)
    if (value_of(x, x->conditions[i], &atom) > 0) values |= UINT64_C(1) << i;
  if (atom < 0) {
    emit_row(x, cube, values);
    return;
  }
  struct cover yes, no;
  cover(&yes, &x->d->atoms[atom], true);
  cover(&no, &x->d->atoms[atom], false);
  const bool first = yes.num <= no.num;
  const struct cover *c = first ? &yes : &no;
  bool whole = c->num == MOST_CUBES;
  x->too_many |= whole;
  for (unsigned i = 0; i < c->num && !whole && !x->too_many; i++) {
    struct p4c_cube part = *cube;
    const enum met met = lay(&part, &x->d->atoms[atom], c->value[i], c->mask[i]);
    if (part.num > P4C_MOST_WORDS) x->too_many = true;
    whole = met == ALL;
    x->known[atom] = first ? 1 : -1;
    if (met != NOTHING) expand(x, &part);
  }
  x->known[atom] = first ? -1 : 1;
  if (!whole) expand(x, cube);
  x->known[atom] = 0;
}

// ---- keys ---------------------------------------------------------------------------------------

static bool add_key(struct p4c_decision *d, unsigned word, unsigned words) {
  if (d->num_keys == P4C_MOST_KEYS) return false;
  d->key_word[d->num_keys] = word;
  d->key_words[d->num_keys++] = words;
  return true;
}

// Which part of the key a run of words takes: a word that nobody else reads leaves the small
// containers to others.
static unsigned part_of(const unsigned *left, unsigned run, bool elsewhere) {
  if (run == 1 && !elsewhere && left[2]) return 2;
  for (unsigned words = run; words < 4; words++)
    if (left[words]) return words;
  while (run && !left[run]) run--;
  return run;
}

// Parts of the key for the words, in order: a run of three in six bytes, of two in four.
static bool place_keys(const struct deciding *x, struct p4c_decision *d) {
  const struct p4c *p = x->p;
  unsigned left[4] = {0, p->config->Num2B > 1 ? 2 : p->config->Num2B,
                      p->config->Num4B > 1 ? 2 : p->config->Num4B,
                      p->config->Num6B > 1 ? 2 : p->config->Num6B};
  bool used[META / 16 + METAS] = {false};
  for (unsigned r = 0; r < d->num_rows; r++)
    for (unsigned w = 0; w < d->rows[r].cube.num; w++) used[d->rows[r].cube.word[w]] = true;
  for (unsigned w = META / 16; w < META / 16 + METAS; w++)
    if (used[w] && (!left[1]-- || !add_key(d, w, 1))) return false;
  for (unsigned w = 0; w < p->config->HeaderBytes / 2; w++) {
    if (!used[w]) continue;
    const unsigned run = used[w + 1] ? used[w + 2] ? 3 : 2 : 1,
                   words = part_of(left, run, x->elsewhere[w]);
    if (!words || w + words > p->config->HeaderBytes / 2 || !add_key(d, w, words)) return false;
    left[words]--;
    w += words - 1;
  }
  return true;
}

struct p4c_decision *p4c_decide(struct p4c *p) {
  struct p4c_decision *d = NEW(p->arena, struct p4c_decision);
  struct deciding *x = NEW(p->arena, struct deciding);
  *d = (struct p4c_decision){.most_rows = p->config->TernaryEntries < P4C_MOST_ROWS
                                              ? p->config->TernaryEntries
                                              : P4C_MOST_ROWS};
  *x = (struct deciding){.p = p,
                         .d = d,
                         .seen = NEW_ARRAY(p->arena, signed char, p->num_nodes + 1),
                         .truth = NEW_ARRAY(p->arena, signed char, p->num_nodes + 1)};
  memset(x->seen, 0, p->num_nodes);
  memset(x->truth, 0, p->num_nodes);
  for (unsigned i = 0; i < p->num_roots; i++) collect(x, p->roots[i]);
  if (!x->num_conditions || x->too_many || !d->most_rows) return NULL;
  d->place = p->nodes[x->conditions[0]].place;
  memset(x->truth, 2, p->num_nodes);
  const struct p4c_cube any = {0};
  expand(x, &any);
  return !x->too_many && d->num_classes > 1 && place_keys(x, d) ? d : NULL;
}

// ---- the table ----------------------------------------------------------------------------------

static const char *key_text(struct p4c *p, const struct p4c_decision *d, const struct p4c_cube *c,
                            unsigned key) {
  uint64_t value = 0, mask = 0;
  for (unsigned i = 0; i < d->key_words[key]; i++) {
    value <<= 16, mask <<= 16;
    for (unsigned w = 0; w < c->num; w++)
      if (c->word[w] == d->key_word[key] + i) value |= c->value[w], mask |= c->mask[w];
  }
  return arena_format(p->arena, "%llu &&& %llu", (unsigned long long)value,
                      (unsigned long long)mask);
}

static void declare_rows(struct p4c *p, const struct p4c_decision *d, const char *name) {
  const unsigned last = d->rows[d->num_rows - 1].class_number;
  unsigned num = d->num_rows;
  while (num && d->rows[num - 1].class_number == last) num--;
  for (unsigned c = 0; c < d->num_classes; c++) p4c_head(p, "action %s case_%u()", name, c);
  p4c_head(p, "default %s case_%u()", name, last);
  for (unsigned r = 0; r < num; r++) {
    const char *keys = "";
    for (unsigned k = 0; k < d->num_keys; k++)
      keys = arena_format(p->arena, "%s%s%s", keys, k ? ", " : "",
                          key_text(p, d, &d->rows[r].cube, k));
    p4c_head(p, "entry %s %s: case_%u() priority %u", name, keys, d->rows[r].class_number, r);
  }
}

void p4c_declare_decision(struct p4c *p, struct p4c_decision *d) {
  const char *name = p->is_egress ? "p4_conditions_out" : "p4_conditions", *args = "";
  p->place = d->place;
  p4c_head(p, "table %s[%u]", name, d->num_rows);
  const char *keys = "";
  for (unsigned k = 0; k < d->num_keys; k++) {
    const unsigned words = d->key_words[k], word = d->key_word[k];
    const bool meta = word >= META / 16;
    const char *text = meta ? metas[word - META / 16]
                            : arena_format(p->arena, "bytes(%u, %u)", 2 * word, 2 * words);
    const char *field = arena_format(p->arena, "at_%u_%u", 2 * word, 2 * words);
    p4c_head(p, "field %s @ %s", field, text);
    keys = arena_format(p->arena, "%skey %s p.%s ternary %u\n", keys, name, field, 16 * words);
    args = arena_format(p->arena, "%s%sv%u", args, k ? ", " : "", p4c_text(p, text));
  }
  p->head = arena_format(p->arena, "%s%s", p->head, keys);
  declare_rows(p, d, name);
  d->action = p4c_text(p, arena_format(p->arena, "lookup %s(%s).action", name, args));
  for (unsigned c = 0; c < d->num_classes; c++)
    d->is_class[c] = p4c_binary(p, "==", d->action, p4c_const(p, c + 1));
  p->decision = d;
}

// ---- conditions as sets of rows -----------------------------------------------------------------

static uint64_t all_rows(const struct p4c_decision *d) {
  return d->num_rows == 64 ? UINT64_MAX : (UINT64_C(1) << d->num_rows) - 1;
}

static struct p4c_rows rows_of(struct p4c *p, p4c_node n) {
  const struct p4c_def *d = &p->nodes[n];
  uint32_t number;
  if (p4c_is_const(p, n, &number)) {
    const uint64_t all = all_rows(p->decision);
    return (struct p4c_rows){number ? all : 0, number ? 0 : all};
  }
  return d->rows;
}

static struct p4c_rows atom_rows(const struct p4c_decision *d, const struct p4c_atom *a) {
  struct p4c_rows rows = {0, 0};
  const int i = index_of(d, a);
  for (unsigned r = 0; r < d->num_rows && i >= 0; r++) {
    if (d->rows[r].known[i] > 0) rows.is |= UINT64_C(1) << r;
    if (d->rows[r].known[i] < 0) rows.is_not |= UINT64_C(1) << r;
  }
  return rows;
}

static struct p4c_rows find_rows(struct p4c *p, p4c_node n) {
  const struct p4c_def d = p->nodes[n];
  struct p4c_atom atom;
  if (d.op != P4C_BINARY && d.op != P4C_CHOICE) return (struct p4c_rows){0, 0};
  if (atom_of(p, n, &atom)) return atom_rows(p->decision, &atom);
  const struct p4c_rows a = rows_of(p, d.a), b = rows_of(p, d.b);
  if (is_both(&d)) return (struct p4c_rows){a.is & b.is, a.is_not | b.is_not};
  if (is_either(&d)) return (struct p4c_rows){a.is | b.is, a.is_not & b.is_not};
  if (is_negated(p, &d)) return (struct p4c_rows){a.is_not, a.is};
  if (d.op != P4C_CHOICE || !p4c_is_truth(p, n)) return (struct p4c_rows){0, 0};
  const struct p4c_rows c = rows_of(p, d.c);
  return (struct p4c_rows){(a.is & b.is) | (a.is_not & c.is),
                           (a.is & b.is_not) | (a.is_not & c.is_not)};
}

// The cases whose rows all are so; false: some row of one is not.
static bool cases_of(const struct p4c_decision *d, struct p4c_rows rows, unsigned *cases) {
  unsigned is = 0, is_not = 0;
  for (unsigned r = 0; r < d->num_rows; r++)
    *(rows.is >> r & 1 ? &is : &is_not) |= 1u << d->rows[r].class_number;
  *cases = is;
  return !(is & is_not);
}

p4c_node p4c_decided(struct p4c *p, p4c_node n) {
  struct p4c_decision *d = p->decision;
  unsigned cases;
  if (!d) return n;
  struct p4c_rows rows = p->nodes[n].rows;
  if (!rows.is && !rows.is_not) rows = p->nodes[n].rows = find_rows(p, n);
  if ((rows.is | rows.is_not) != all_rows(d) || !cases_of(d, rows, &cases)) return n;
  if (!rows.is || !rows.is_not) return p4c_const(p, rows.is != 0);
  p->decision = NULL;  // what is made here is no condition to look at
  p4c_node any = p4c_const(p, 0);
  for (unsigned c = 0; c < d->num_classes; c++)
    if (cases >> c & 1) any = p4c_or(p, any, d->is_class[c]);
  p->decision = d;
  p->nodes[any].rows = rows;
  return any;
}

bool p4c_known_rows(const struct p4c *p, p4c_node n, bool *is) {
  if (!p->decision || (!p->nodes[n].rows.is && !p->nodes[n].rows.is_not)) return false;
  uint64_t here = all_rows(p->decision);
  for (unsigned i = 0; i < p->num_assumed; i++) {
    const struct p4c_rows rows = p->nodes[p->assumed[i].node].rows;
    here &= ~(p->assumed[i].is ? rows.is_not : rows.is);
  }
  *is = !(here & ~p->nodes[n].rows.is);
  return *is || !(here & ~p->nodes[n].rows.is_not);
}
