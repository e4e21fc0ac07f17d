// SPDX-License-Identifier: Apache-2.0
// Directives: #include, #define, #undef, #if and its kin, #error, #warning; #line and #pragma are
// skipped. What a file includes is read where the directive stands.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "inner.h"

enum { MOST_NESTED = 64, MOST_FILES = 1000, MOST_FILE_LEN = 16 << 20, MOST_TOKENS = 4 << 20 };

struct reader {
  struct p4_context *c;
  struct p4_stream stream;
  struct p4_tokens out;
  unsigned nested, num_files;
};

// A part between #if and #endif.
struct part {
  struct p4_place place;
  bool taken;   // some branch of it was read
  bool reads;   // this branch is
  bool around;  // what is around it is read
  bool has_else;
  struct part *outer;
};

static void read_file(struct reader *r, uint16_t file);

// ---- include -----------------------------------------------------------------------------------

static bool load(const char *path, char **text, size_t *len) {
  struct stat info;
  FILE *in = fopen(path, "rb");
  if (!in) return false;
  *text = NULL;
  if (fstat(fileno(in), &info) == 0 && S_ISREG(info.st_mode) && info.st_size <= MOST_FILE_LEN &&
      (*text = malloc((size_t)info.st_size + 1)))
    *len = fread(*text, 1, (size_t)info.st_size, in);
  fclose(in);
  return *text;
}

static void refuse_too_many(struct reader *r, struct p4_place place, const char *name) {
  const int most = r->nested >= MOST_NESTED ? MOST_NESTED : MOST_FILES;
  if (r->nested < MOST_NESTED && r->num_files < MOST_FILES) return;
  p4_error(r->c, place, "include", "more than %d files include each other; does '%s' lack #ifndef?",
           most, name);
  arena_give_up(r->c->arena, ARENA_TOLD);
}

static void enter(struct reader *r, int file) {
  if (file < 0) arena_give_up(r->c->arena, ARENA_NO_MEMORY);
  r->num_files++;
  read_file(r, (uint16_t)file);
}

static bool try_file(struct reader *r, const char *folder, size_t folder_len, const char *name) {
  const char *path =
      folder_len ? arena_format(r->c->arena, "%.*s/%s", (int)folder_len, folder, name) : name;
  char *text;
  size_t len = 0;
  if (!load(path, &text, &len)) return false;
  const int file = p4_messages_keep(r->c->messages, path, text, len, false);
  free(text);
  enter(r, file);
  return true;
}

static bool include_from_folders(struct reader *r, struct p4_place place, const char *name,
                                 bool quoted) {
  const struct p4_options *options = r->c->options;
  if (options && options->no_files) return false;
  if (name[0] == '/') return try_file(r, "", 0, name);
  const char *from = r->c->messages->files[place.file].name, *slash = strrchr(from, '/');
  if (quoted && try_file(r, from, slash ? (size_t)(slash - from) : 0, name)) return true;
  for (size_t i = 0; options && i < options->num_folders; i++)
    if (try_file(r, options->folders[i], strlen(options->folders[i]), name)) return true;
  return !quoted && try_file(r, from, slash ? (size_t)(slash - from) : 0, name);
}

static void include(struct reader *r, const char *name, struct p4_place place, bool quoted) {
  const char *built_in = p4_built_in_text(name);
  refuse_too_many(r, place, name);
  if (built_in) {
    const char *shown = arena_format(r->c->arena, "<%s>", name);
    enter(r, p4_messages_keep(r->c->messages, shown, built_in, strlen(built_in), true));
    return;
  }
  if (include_from_folders(r, place, name, quoted)) return;
  p4_error(
      r->c, place, "include",
      "cannot read '%s'; built in are core.p4, v1model.p4, psa.p4 and fpga.p4, other files are "
      "looked for beside this one and in the folders of -I",
      name);
}

// The name behind #include, which is no token. The lexer is left at the end of the line.
static void do_include(struct reader *r, struct p4_place at) {
  struct p4_lexer *l = r->stream.lexer;
  while (*l->at == ' ' || *l->at == '\t') l->at++;
  const char open = *l->at, close = open == '<' ? '>' : '"';
  const char *from = l->at + 1, *to = from;
  while (to < l->end && *to != close && *to != '\n') to++;
  struct p4_place place = at;
  place.column = (uint16_t)(l->at - l->line_begin + 1);
  place.span = (uint32_t)(to - l->at) + 1;
  if ((open != '<' && open != '"') || to == from || *to != close ||
      memchr(from, 0, (size_t)(to - from))) {
    place.span = 1;
    p4_error(r->c, place, "include", "#include takes a name in \"..\" or <..>");
    return;
  }
  l->at = to + 1;
  include(r, arena_text(r->c->arena, from, (size_t)(to - from)), place, open == '"');
}

// ---- other directives --------------------------------------------------------------------------

// The rest of the line.
static struct p4_tokens rest_of_line(struct reader *r) {
  struct p4_tokens line = {0};
  for (;;) {
    const struct p4_token next = p4_stream_peek(&r->stream);
    if (next.kind == P4_TOKEN_END || next.line_start) return line;
    p4_stream_raw(&r->stream);
    p4_tokens_add(r->c, &line, &next);
  }
}

static bool needs_name(struct reader *r, const struct p4_token *directive,
                       const struct p4_tokens *line) {
  if (line->num && line->list[0].kind == P4_TOKEN_NAME) return true;
  p4_error(r->c, directive->place, "bad-directive", "#%s lacks the name of a macro",
           directive->text);
  return false;
}

static const char *written(struct reader *r, const struct p4_tokens *line) {
  const char *text = "";
  for (size_t i = 0; i < line->num; i++)
    text = arena_format(r->c->arena, "%s%s%s", text, i && line->list[i].spaced ? " " : "",
                        line->list[i].text);
  return text;
}

static bool decide(struct reader *r, const struct p4_token *d, const struct p4_tokens *line) {
  if (p4_token_is(d, "if") || p4_token_is(d, "elif"))
    return p4_condition(&r->stream, line, d->place);
  if (!needs_name(r, d, line)) return false;
  return !p4_macro_find(&r->stream, line->list[0].text) == p4_token_is(d, "ifndef");
}

static void begin_part(struct reader *r, struct part **parts, const struct p4_token *d,
                       const struct p4_tokens *line) {
  struct part *part = NEW(r->c->arena, struct part);
  part->outer = *parts;
  part->place = d->place;
  part->around = !part->outer || part->outer->reads;
  part->reads = part->taken = part->around && decide(r, d, line);
  *parts = part;
}

static void next_branch(struct reader *r, struct part *part, const struct p4_token *d,
                        const struct p4_tokens *line) {
  if (part->has_else) p4_error(r->c, d->place, "bad-directive", "#%s stands behind #else", d->text);
  part->has_else = p4_token_is(d, "else");
  part->reads = false;
  if (!part->around || part->taken) return;
  part->reads = part->taken = part->has_else || decide(r, d, line);
}

// #if and its kin; true if it was one.
static bool conditional(struct reader *r, struct part **parts, const struct p4_token *d) {
  const bool begins = p4_token_is(d, "if") || p4_token_is(d, "ifdef") || p4_token_is(d, "ifndef");
  const bool next = p4_token_is(d, "else") || p4_token_is(d, "elif"),
             ends = p4_token_is(d, "endif");
  if (!begins && !next && !ends) return false;
  const struct p4_tokens line = rest_of_line(r);
  if (begins) begin_part(r, parts, d, &line);
  else if (!*parts)
    p4_error(r->c, d->place, "bad-directive", "#%s without an #if before it", d->text);
  else if (next) next_branch(r, *parts, d, &line);
  else *parts = (*parts)->outer;
  return true;
}

static void other_directive(struct reader *r, const struct p4_token *d) {
  if (p4_token_is(d, "include")) {
    do_include(r, d->place);
    rest_of_line(r);
    return;
  }
  const struct p4_tokens line = rest_of_line(r);
  if (p4_token_is(d, "define")) {
    if (needs_name(r, d, &line)) p4_macro_define(&r->stream, &line);
  } else if (p4_token_is(d, "undef")) {
    if (needs_name(r, d, &line)) p4_macro_undefine(&r->stream, line.list[0].text);
  } else if (p4_token_is(d, "error")) {
    p4_error(r->c, d->place, "error-directive", "#error %s", written(r, &line));
  } else if (p4_token_is(d, "warning")) {
    p4_warning(r->c, d->place, "warning-directive", "#warning %s", written(r, &line));
  } else if (!p4_token_is(d, "pragma") && !p4_token_is(d, "line")) {
    p4_error(r->c, d->place, "bad-directive", "there is no directive #%s", d->text);
  }
}

static void directive(struct reader *r, struct part **parts) {
  const struct p4_token d = p4_stream_peek(&r->stream);
  if (d.line_start || d.kind == P4_TOKEN_END) return;  // a lone #
  p4_stream_raw(&r->stream);
  if (conditional(r, parts, &d)) return;
  const bool reads = !*parts || (*parts)->reads;
  if (reads && d.kind == P4_TOKEN_NAME) other_directive(r, &d);
  else rest_of_line(r);
}

static void keep(struct reader *r, const struct p4_token *token) {
  p4_tokens_add(r->c, &r->out, token);
  if (r->out.num < MOST_TOKENS) return;
  p4_error(r->c, token->place, "too-long", "the program has more than %d tokens", MOST_TOKENS);
  arena_give_up(r->c->arena, ARENA_TOLD);
}

static void read_file(struct reader *r, uint16_t file) {
  struct p4_lexer lexer;
  struct p4_lexer *const outer = r->stream.lexer;
  struct part *parts = NULL;
  p4_lexer_open(&lexer, r->c, file);
  r->stream.lexer = &lexer;
  r->nested++;
  for (;;) {
    lexer.quiet = parts && !parts->reads;
    const bool from_file = !r->stream.frames ||
                           r->stream.frames->at == r->stream.frames->tokens.num;
    const struct p4_token next = p4_stream_peek(&r->stream);
    if (next.kind == P4_TOKEN_END) break;
    if (from_file && next.line_start && p4_token_is(&next, "#")) {
      p4_stream_raw(&r->stream);
      directive(r, &parts);
    } else if (parts && !parts->reads) {
      p4_stream_raw(&r->stream);
    } else {
      const struct p4_token token = p4_stream_next(&r->stream);
      if (token.kind == P4_TOKEN_END) break;
      keep(r, &token);
    }
  }
  r->stream.has_peeked = false;
  for (; parts; parts = parts->outer)
    p4_error(r->c, parts->place, "bad-directive", "this #if has no #endif");
  r->stream.lexer = outer;
  r->nested--;
}

static void predefine(struct reader *r, const char *name, const char *text) {
  char *line = arena_format(r->c->arena, "%s %s", name, text);
  const int file = p4_messages_keep(r->c->messages, "<command line>", line, strlen(line), true);
  if (file < 0) arena_give_up(r->c->arena, ARENA_NO_MEMORY);
  struct p4_lexer lexer;
  p4_lexer_open(&lexer, r->c, (uint16_t)file);
  struct p4_tokens tokens = {0};
  for (struct p4_token t = p4_lex(&lexer); t.kind != P4_TOKEN_END; t = p4_lex(&lexer))
    p4_tokens_add(r->c, &tokens, &t);
  if (tokens.num && tokens.list[0].kind == P4_TOKEN_NAME) p4_macro_define(&r->stream, &tokens);
}

struct p4_tokens p4_preprocess(struct p4_context *c, uint16_t file) {
  size_t work = 0;
  struct reader r = {.c = c};
  r.stream = (struct p4_stream){.c = c, .work = &work};
  r.stream.macros = NEW_ARRAY(c->arena, struct p4_macro *, P4_MACRO_BUCKETS);
  for (size_t i = 0; c->options && i < c->options->num_defines; i++)
    predefine(&r, c->options->defines[i].name, c->options->defines[i].text);
  read_file(&r, file);
  const struct p4_file *f = &c->messages->files[file];
  struct p4_token end = {.kind = P4_TOKEN_END, .text = "", .line_start = true};
  end.place = (struct p4_place){file, 1, 1, 1};
  for (size_t i = 0; i < f->len; i++) end.place.line += f->text[i] == '\n';
  p4_tokens_add(c, &r.out, &end);
  return r.out;
}
