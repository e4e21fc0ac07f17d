// SPDX-License-Identifier: Apache-2.0
// Macros. A stream gives tokens: those of the innermost body that is being expanded, then those of
// the body around it, and at last those of the file. A macro is not expanded within its own body.
#include <string.h>

#include "inner.h"

enum { MOST_WORK = 1 << 20, MOST_PARAMS = 127, MOST_DEPTH = 40 };

void p4_tokens_add(struct p4_context *c, struct p4_tokens *to, const struct p4_token *token) {
  if (to->num == to->room) {
    const size_t room = to->room ? to->room * 2 : 8;
    struct p4_token *list = NEW_ARRAY(c->arena, struct p4_token, room);
    if (to->num) memcpy(list, to->list, to->num * sizeof *list);
    to->list = list;
    to->room = room;
  }
  to->list[to->num++] = *token;
}

static size_t bucket(const char *name) { return (uintptr_t)name / 16 % P4_MACRO_BUCKETS; }

struct p4_macro *p4_macro_find(const struct p4_stream *s, const char *name) {
  struct p4_macro *m = s->macros[bucket(name)];
  while (m && m->name != name) m = m->next;
  return m;
}

void p4_macro_undefine(struct p4_stream *s, const char *name) {
  for (struct p4_macro **m = &s->macros[bucket(name)]; *m; m = &(*m)->next)
    if ((*m)->name == name) {
      *m = (*m)->next;
      return;
    }
}

// ---- #define -----------------------------------------------------------------------------------

static bool is_mark(const struct p4_tokens *line, size_t i, const char *text) {
  return i < line->num && p4_token_is(&line->list[i], text);
}

// The names between the brackets of `#define F(a, b, ...)`, from token i on; returns the token
// behind them.
static size_t define_params(struct p4_stream *s, struct p4_macro *m, const struct p4_tokens *line,
                            size_t i) {
  m->params = NEW_ARRAY(s->c->arena, const char *, line->num + 1);
  while (i < line->num && !is_mark(line, i, ")")) {
    const struct p4_token *t = &line->list[i];
    if (is_mark(line, i, "...")) {
      m->variadic = true;
      m->params[m->num_params++] = p4_name(s->c, "__VA_ARGS__", 11);
    } else if (t->kind == P4_TOKEN_NAME && m->num_params < MOST_PARAMS) {
      m->params[m->num_params++] = t->text;
    } else {
      p4_error(s->c, t->place, "bad-macro", "the parameters of a macro are names with ',' between");
      return line->num;
    }
    i++;
    if (is_mark(line, i, ",")) i++;
  }
  if (i >= line->num)
    p4_error(s->c, line->list[0].place, "bad-macro", "the parameters of this macro lack a ')'");
  return i + 1;
}

void p4_macro_define(struct p4_stream *s, const struct p4_tokens *line) {
  struct p4_context *c = s->c;
  const struct p4_token *name = &line->list[0];
  struct p4_macro *m = NEW(c->arena, struct p4_macro);
  m->name = name->text;
  size_t i = 1;
  if (is_mark(line, 1, "(") && !line->list[1].spaced) {
    m->function = true;
    i = define_params(s, m, line, 2);
  }
  for (; i < line->num; i++) p4_tokens_add(c, &m->body, &line->list[i]);
  p4_macro_undefine(s, m->name);
  m->next = s->macros[bucket(m->name)];
  s->macros[bucket(m->name)] = m;
}

// ---- the stream --------------------------------------------------------------------------------

static void push(struct p4_stream *s, struct p4_tokens tokens, struct p4_macro *macro) {
  struct p4_frame *frame = NEW(s->c->arena, struct p4_frame);
  *frame = (struct p4_frame){tokens, 0, macro, s->frames};
  if (macro) macro->busy = true;
  s->frames = frame;
}

static void drop_finished(struct p4_stream *s) {
  while (s->frames && s->frames->at == s->frames->tokens.num) {
    if (s->frames->macro) s->frames->macro->busy = false;
    s->frames = s->frames->below;
  }
}

static struct p4_token from_file(struct p4_stream *s) {
  if (s->has_peeked) {
    s->has_peeked = false;
    return s->peeked;
  }
  if (s->lexer) return p4_lex(s->lexer);
  return (struct p4_token){.kind = P4_TOKEN_END, .text = ""};
}

struct p4_token p4_stream_raw(struct p4_stream *s) {
  drop_finished(s);
  if (s->frames) return s->frames->tokens.list[s->frames->at++];
  return from_file(s);
}

struct p4_token p4_stream_peek(struct p4_stream *s) {
  drop_finished(s);
  if (s->frames) return s->frames->tokens.list[s->frames->at];
  if (!s->has_peeked) s->peeked = from_file(s);
  s->has_peeked = true;
  return s->peeked;
}

// ---- expansion ---------------------------------------------------------------------------------

struct p4_tokens p4_expand(struct p4_stream *s, const struct p4_tokens *list) {
  struct p4_stream inner = {.c = s->c, .macros = s->macros, .depth = s->depth + 1, .work = s->work};
  struct p4_tokens out = {0};
  if (inner.depth > MOST_DEPTH) return *list;
  if (list->num) push(&inner, *list, NULL);
  for (;;) {
    const struct p4_token t = p4_stream_next(&inner);
    if (t.kind == P4_TOKEN_END) return out;
    p4_tokens_add(s->c, &out, &t);
  }
}

// The arguments behind the name of a macro, each as it stands. False: they have no end.
static bool read_args(struct p4_stream *s, const struct p4_macro *m, struct p4_tokens *args,
                      unsigned *num) {
  unsigned depth = 0;
  *num = 1;
  for (p4_stream_raw(s);;) {
    const struct p4_token t = p4_stream_raw(s);
    if (t.kind == P4_TOKEN_END) return false;
    if (p4_token_is(&t, ")") && depth-- == 0) return true;
    if (p4_token_is(&t, "(")) depth++;
    const bool rest = m->variadic && *num >= m->num_params;
    if (p4_token_is(&t, ",") && !depth && !rest) {
      if (*num <= MOST_PARAMS) ++*num;
      continue;
    }
    p4_tokens_add(s->c, &args[*num - 1], &t);
  }
}

// `#x`: the tokens of an argument as a string.
static struct p4_token make_string(struct p4_stream *s, const struct p4_tokens *arg,
                                   struct p4_place place) {
  const char *text = "";
  for (size_t i = 0; i < arg->num; i++)
    text = arena_format(s->c->arena, "%s%s%s", text, i && arg->list[i].spaced ? " " : "",
                        arg->list[i].text);
  return (struct p4_token){P4_TOKEN_STRING, text, (unsigned)strlen(text), place, false, true};
}

// `a ## b`: one token of two texts.
static void paste(struct p4_stream *s, struct p4_tokens *out, const struct p4_token *right) {
  if (!out->num) {
    p4_tokens_add(s->c, out, right);
    return;
  }
  struct p4_token *left = &out->list[out->num - 1];
  const char *text = arena_format(s->c->arena, "%s%s", left->text, right->text);
  left->len = (unsigned)strlen(text);
  left->text = p4_name(s->c, text, left->len);
}

static int param_of(const struct p4_macro *m, const struct p4_token *t) {
  for (unsigned i = 0; t->kind == P4_TOKEN_NAME && i < m->num_params; i++)
    if (m->params[i] == t->text) return (int)i;
  return -1;
}

// The body with arguments put in.
static struct p4_tokens substitute(struct p4_stream *s, const struct p4_macro *m,
                                   const struct p4_tokens *args, struct p4_place place) {
  struct p4_tokens out = {0};
  for (size_t i = 0; i < m->body.num; i++) {
    struct p4_token t = m->body.list[i];
    t.place = place;
    t.line_start = false;
    const bool pasted = i > 0 && p4_token_is(&m->body.list[i - 1], "##");
    const bool pastes = i + 1 < m->body.num && p4_token_is(&m->body.list[i + 1], "##");
    if (p4_token_is(&t, "##")) continue;
    if (m->function && p4_token_is(&t, "#") && i + 1 < m->body.num &&
        param_of(m, &m->body.list[i + 1]) >= 0) {
      t = make_string(s, &args[param_of(m, &m->body.list[++i])], place);
      p4_tokens_add(s->c, &out, &t);
      continue;
    }
    const int param = param_of(m, &t);
    if (param < 0) {
      if (pasted) paste(s, &out, &t);
      else p4_tokens_add(s->c, &out, &t);
      continue;
    }
    struct p4_tokens arg = pasted || pastes ? args[param] : p4_expand(s, &args[param]);
    for (size_t j = 0; j < arg.num; j++) {
      arg.list[j].place = place;
      if (pasted && !j) paste(s, &out, &arg.list[j]);
      else p4_tokens_add(s->c, &out, &arg.list[j]);
    }
  }
  return out;
}

static bool expand_macro(struct p4_stream *s, struct p4_macro *m, const struct p4_token *name) {
  struct p4_context *c = s->c;
  struct p4_tokens *args = NULL;
  if (m->function) {
    const struct p4_token next = p4_stream_peek(s);
    if (!p4_token_is(&next, "(")) return false;
    args = NEW_ARRAY(c->arena, struct p4_tokens, MOST_PARAMS + 2);
    unsigned num;
    if (!read_args(s, m, args, &num)) {
      p4_error(c, name->place, "bad-macro", "the arguments of macro '%s' lack a ')'", m->name);
      return false;
    }
    const bool none = num == 1 && !args[0].num && !m->num_params;
    if (!none && num != m->num_params && !(m->variadic && num + 1 >= m->num_params)) {
      p4_error(c, name->place, "bad-macro", "macro '%s' has %u parameters, and is used with %u",
               m->name, m->num_params, num);
      return false;
    }
  }
  struct p4_tokens body = substitute(s, m, args, name->place);
  if (body.num) body.list[0].spaced = name->spaced;
  *s->work += body.num + 1;
  if (*s->work > MOST_WORK) {
    p4_error(c, name->place, "bad-macro", "macros make more than %d tokens of this text",
             MOST_WORK);
    arena_give_up(c->arena, ARENA_TOLD);
  }
  push(s, body, m);
  return true;
}

struct p4_token p4_stream_next(struct p4_stream *s) {
  for (;;) {
    struct p4_token t = p4_stream_raw(s);
    if (t.kind != P4_TOKEN_NAME) return t;
    if (strcmp(t.text, "__LINE__") == 0) {
      const char *text = arena_format(s->c->arena, "%u", t.place.line);
      return (struct p4_token){P4_TOKEN_NUMBER, text, (unsigned)strlen(text), t.place, false, true};
    }
    struct p4_macro *m = p4_macro_find(s, t.text);
    if (!m || m->busy || !expand_macro(s, m, &t)) return t;
  }
}
