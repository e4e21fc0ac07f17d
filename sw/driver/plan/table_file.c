// SPDX-License-Identifier: Apache-2.0
// Entries of a table from a file: CSV, or JSON. Both become rows of cells under the same names.
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "../image/image_tables.h"
#include "table_text.h"

enum { COLUMNS = 64, CELL = 128 };

// What a column is for: a key, or one of these; the arguments of all actions behind them.
enum { NO_COLUMN = -1, PRIORITY = SLUICE_MAX_KEYS, ACTION, ARGUMENTS };

struct reader {
  const struct sluice_placed_table *t;
  const char *name;
  const char *text;
  size_t len;
  size_t line;  // CSV; in JSON the number of the entry
  bool json;
  struct sluice_table_change **changes;
  unsigned *num;
  unsigned room;
  size_t *lines;      // of each change
  size_t typed_line;  // where keys are noted as they are typed; SIZE_MAX: nowhere
  char typed[200];
  const struct sluice_alloc *alloc;
  struct sluice_error *error;
};

struct row {
  bool there[ARGUMENTS];
  char cell[ARGUMENTS][CELL];
  unsigned num_args;
  struct {
    char name[SLUICE_NAME_LEN], text[CELL];
  } args[COLUMNS];
};

// The line where entry `n` of a list in JSON begins; the text is JSON.
static size_t line_of_entry(const struct reader *r, size_t n) {
  const char *const end = r->text + r->len;
  size_t line = 1, depth = 0, entry = 0;
  for (const char *at = r->text; at < end; at++) {
    if (*at == '\n') line++;
    if (strchr(" \t\r\n", *at)) continue;
    if (depth == 1 && *at != ',' && entry == n) return line;
    if (*at == '"')
      while (++at < end && *at != '"') at += *at == '\\';
    else if (*at == ',') entry += depth == 1;
    else if (*at == '[' || *at == '{') depth++;
    else if (*at == ']' || *at == '}') depth--;
  }
  return line;
}

static enum sluice_status fail_at(const struct reader *r, enum sluice_status status,
                                  const char *why) {
  if (!r->json)
    return sluice_fail(r->error, status, "'%s': line %zu: %.300s", r->name, r->line, why);
  return sluice_fail(r->error, status, "'%s': line %zu: entry %zu: %.300s", r->name,
                     line_of_entry(r, r->line), r->line, why);
}

static bool is_arg(const struct sluice_image_table *t, const char *name) {
  for (unsigned a = 0; a < t->num_actions; a++)
    for (unsigned i = 0; i < t->actions[a].num_args; i++)
      if (strcmp(t->actions[a].args[i].name, name) == 0) return true;
  return false;
}

static int column_named(const struct sluice_image_table *t, const char *name) {
  const int key = table_text_key_named(t, name);
  if (key >= 0) return key;
  if (strcmp(name, "priority") == 0) return PRIORITY;
  if (strcmp(name, "action") == 0) return ACTION;
  return is_arg(t, name) ? ARGUMENTS : NO_COLUMN;
}

static enum sluice_status no_column(const struct reader *r, const char *name) {
  char why[300];
  size_t at = (size_t)snprintf(why, sizeof why, "table '%s' has no key or argument '%.60s'%s",
                               r->t->table.name, name,
                               r->json ? "" : "; the first line names the columns, as");
  for (unsigned k = 0; !r->json && k < r->t->table.num_keys && at < sizeof why; k++)
    at += (size_t)snprintf(why + at, sizeof why - at, "%s%s", k ? "," : " ",
                           r->t->table.keys[k].name);
  if (!r->json && at < sizeof why) snprintf(why + at, sizeof why - at, ",action,...");
  return fail_at(r, SLUICE_ERR_FORMAT, why);
}

// One named cell of a row; an empty one is not there.
static enum sluice_status put_cell(const struct reader *r, struct row *row, int column,
                                   const char *name, const char *text) {
  if (!*text) return SLUICE_OK;
  if (strlen(text) >= CELL) return fail_at(r, SLUICE_ERR_FORMAT, "a value is too long");
  if (column < ARGUMENTS) {
    if (row->there[column]) return fail_at(r, SLUICE_ERR_FORMAT, "a value is there twice");
    row->there[column] = true;
    strcpy(row->cell[column], text);
    return SLUICE_OK;
  }
  if (row->num_args == COLUMNS) return fail_at(r, SLUICE_ERR_FORMAT, "too many values");
  snprintf(row->args[row->num_args].name, SLUICE_NAME_LEN, "%s", name);
  strcpy(row->args[row->num_args++].text, text);
  return SLUICE_OK;
}

static struct sluice_table_change *add(struct reader *r) {
  if (*r->num == r->room) {
    const unsigned room = r->room ? 2 * r->room : 64;
    struct sluice_table_change *grown =
        sluice_resize(r->alloc, *r->changes, r->room * sizeof *grown, room * sizeof *grown);
    if (!grown) return NULL;
    *r->changes = grown;
    size_t *lines =
        sluice_resize(r->alloc, r->lines, r->room * sizeof *lines, room * sizeof *lines);
    // The room of both is one number: what has grown alone goes back.
    if (!lines) {
      grown = sluice_resize(r->alloc, *r->changes, room * sizeof *grown, r->room * sizeof *grown);
      if (grown || !r->room) *r->changes = grown;
      return NULL;
    }
    r->lines = lines;
    r->room = room;
  }
  r->lines[*r->num] = r->line;
  struct sluice_table_change *c = &(*r->changes)[(*r->num)++];
  *c = (struct sluice_table_change){
      .op = SLUICE_TABLE_ADD, .vid = r->t->vid, .table = r->t->table.name};
  return c;
}

// The keys of a row, as they are typed.
static void note_keys(struct reader *r, const struct row *row) {
  if (r->line != r->typed_line) return;
  size_t at = 0;
  for (unsigned k = 0; k < r->t->table.num_keys && at < sizeof r->typed; k++)
    at += (size_t)snprintf(r->typed + at, sizeof r->typed - at, "%s%s %.60s", k ? ", " : "",
                           r->t->table.keys[k].name, row->there[k] ? row->cell[k] : "_");
}

static enum sluice_status take_keys(struct reader *r, const struct row *row,
                                    struct sluice_table_change *c) {
  struct sluice_error why;
  note_keys(r, row);
  for (unsigned k = 0; k < r->t->table.num_keys; k++) {
    const enum sluice_status status =
        table_text_key(r->t, k, row->there[k] ? row->cell[k] : "_", &c->keys[k], &why);
    if (status) return fail_at(r, status, why.text);
  }
  uint64_t priority;
  if (!row->there[PRIORITY]) return SLUICE_OK;
  if (table_text_value(row->cell[PRIORITY], strlen(row->cell[PRIORITY]), 32, &priority))
    return fail_at(r, SLUICE_ERR_FORMAT, "priority is a number, 0..0xffffffff");
  c->priority = (uint32_t)priority;
  return SLUICE_OK;
}

static enum sluice_status take_args(const struct reader *r, const struct row *row,
                                    const struct sluice_image_action *a, unsigned number,
                                    struct sluice_table_change *c) {
  struct sluice_error why;
  bool has[SLUICE_MAX_ARGS] = {false};
  char text[160];
  for (unsigned i = 0; i < row->num_args; i++) {
    unsigned n = 0;
    while (n < a->num_args && strcmp(a->args[n].name, row->args[i].name) != 0) n++;
    if (n == a->num_args || has[n]) {
      snprintf(text, sizeof text, "action '%s' has no argument '%.60s', or it is there twice",
               a->name, row->args[i].name);
      return fail_at(r, SLUICE_ERR_FORMAT, text);
    }
    const enum sluice_status status =
        table_text_arg(r->t, number, n, row->args[i].text, &c->args[n], &why);
    if (status) return fail_at(r, status, why.text);
    has[n] = true;
  }
  for (unsigned n = 0; n < a->num_args; n++)
    if (!has[n]) {
      snprintf(text, sizeof text, "action '%s' needs a value for '%s'", a->name, a->args[n].name);
      return fail_at(r, SLUICE_ERR_FORMAT, text);
    }
  return SLUICE_OK;
}

static enum sluice_status take_row(struct reader *r, const struct row *row) {
  const struct sluice_image_table *t = &r->t->table;
  struct sluice_table_change *c = add(r);
  unsigned a = 0;
  if (!c) return sluice_no_memory(r->error);
  if (!row->there[ACTION]) return fail_at(r, SLUICE_ERR_FORMAT, "the action is missing");
  while (a < t->num_actions && strcmp(t->actions[a].name, row->cell[ACTION]) != 0) a++;
  if (a == t->num_actions) {
    char why[280];
    size_t at = (size_t)snprintf(why, sizeof why,
                                 "table '%s' has no action '%.60s'; these are:", t->name,
                                 row->cell[ACTION]);
    for (unsigned i = 0; i < t->num_actions && at < sizeof why; i++)
      at +=
          (size_t)snprintf(why + at, sizeof why - at, "%s %.40s", i ? "," : "", t->actions[i].name);
    return fail_at(r, SLUICE_ERR_RANGE, why);
  }
  c->action = t->actions[a].name;
  const enum sluice_status status = take_keys(r, row, c);
  return status ? status : take_args(r, row, &t->actions[a], a, c);
}

// ---- CSV ----------------------------------------------------------------------------------------

// The next cell of a line, without quotes and spaces around it; *at moves behind its comma.
static bool next_cell(const char **at, const char *end, char cell[CELL], bool *good) {
  const char *p = *at;
  size_t n = 0;
  if (p > end) return false;
  while (p < end && (*p == ' ' || *p == '\t')) p++;
  const bool quoted = p < end && *p == '"';
  if (quoted) p++;
  for (; p < end && (quoted || *p != ','); p++) {
    if (quoted && *p == '"') {
      if (p + 1 == end || p[1] != '"') break;
      p++;
    }
    if (n + 1 < CELL) cell[n] = *p;
    n++;
  }
  if (quoted) {
    *good &= p < end;
    if (p < end) p++;
    while (p < end && (*p == ' ' || *p == '\t')) p++;
    *good &= p >= end || *p == ',';
  }
  *good &= n < CELL;
  if (n >= CELL) n = CELL - 1;
  while (!quoted && n && (cell[n - 1] == ' ' || cell[n - 1] == '\t' || cell[n - 1] == '\r')) n--;
  cell[n] = 0;
  *at = p + 1;
  return true;
}

struct header {
  unsigned num;
  int column[COLUMNS];
  char name[COLUMNS][SLUICE_NAME_LEN];
};

static enum sluice_status read_header(const struct reader *r, const char *at, const char *end,
                                      struct header *h) {
  char cell[CELL];
  bool good = true;
  h->num = 0;
  while (next_cell(&at, end, cell, &good)) {
    if (!good || h->num == COLUMNS)
      return fail_at(r, SLUICE_ERR_FORMAT, "this is no line of names between commas");
    h->column[h->num] = column_named(&r->t->table, cell);
    if (h->column[h->num] == NO_COLUMN) return no_column(r, cell);
    snprintf(h->name[h->num++], SLUICE_NAME_LEN, "%.63s", cell);
  }
  return SLUICE_OK;
}

// A line may be cut: a key that it does not come to is not "anything", as an empty one is.
static enum sluice_status read_row(struct reader *r, const struct header *h, const char *at,
                                   const char *end, bool whole, struct row *row) {
  char cell[CELL];
  bool good = true;
  unsigned n = 0;
  memset(row, 0, sizeof *row);
  for (; next_cell(&at, end, cell, &good); n++) {
    if (!good || n == h->num)
      return fail_at(r, SLUICE_ERR_FORMAT,
                     "not as many values as the first line has names, or a quote alone");
    SLUICE_TRY(put_cell(r, row, h->column[n], h->name[n], cell));
  }
  for (unsigned k = whole || *cell ? n : n - 1; k < h->num; k++)
    if (h->column[k] <= PRIORITY) {
      char why[160];
      snprintf(why, sizeof why, "it ends before '%s'; '_' is anything", h->name[k]);
      return fail_at(r, SLUICE_ERR_FORMAT, why);
    }
  return take_row(r, row);
}

static enum sluice_status read_csv(struct reader *r, const char *text, size_t len,
                                   struct row *row) {
  const char *const stop = text + len;
  struct header h = {.num = 0};
  for (const char *line = text; line < stop;) {
    const char *newline = memchr(line, '\n', (size_t)(stop - line)),
               *end = newline ? newline : stop;
    const char *at = line;
    r->line++;
    line = end + 1;
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r')) at++;
    if (at == end || *at == '#') continue;
    if (end > at && end[-1] == '\r') end--;
    if (!h.num) {
      SLUICE_TRY(read_header(r, at, end, &h));
      continue;
    }
    SLUICE_TRY(read_row(r, &h, at, end, newline != NULL, row));
  }
  return SLUICE_OK;
}

// ---- JSON ---------------------------------------------------------------------------------------

static enum sluice_status read_object(struct reader *r, const json_t *object, struct row *row) {
  const char *name;
  json_t *value;
  memset(row, 0, sizeof *row);
  if (!json_is_object(object)) return fail_at(r, SLUICE_ERR_FORMAT, "this is no object");
  json_object_foreach((json_t *)(uintptr_t)object, name, value) {
    char text[CELL];
    const char *from = json_string_value(value);
    const int column = column_named(&r->t->table, name);
    if (column == NO_COLUMN) return no_column(r, name);
    if (json_is_integer(value) && json_integer_value(value) >= 0) {
      snprintf(text, sizeof text, "%lld", (long long)json_integer_value(value));
      from = text;
    }
    if (!from)
      return fail_at(r, SLUICE_ERR_FORMAT, "a value is neither a text nor a number from 0 on");
    SLUICE_TRY(put_cell(r, row, column, name, from));
  }
  return take_row(r, row);
}

static enum sluice_status read_json(struct reader *r, const char *text, size_t len,
                                    struct row *row) {
  json_error_t where;
  json_t *root = json_loadb(text, len, JSON_REJECT_DUPLICATES, &where);
  enum sluice_status status = SLUICE_OK;
  if (!root && json_error_code(&where) == json_error_out_of_memory)
    return sluice_no_memory(r->error);
  if (!root)
    return sluice_fail(r->error, SLUICE_ERR_FORMAT, "'%s': line %d: %.200s", r->name, where.line,
                       where.text);
  if (!json_is_array(root))
    status = sluice_fail(r->error, SLUICE_ERR_FORMAT,
                         "'%s': line 1: entries are a list of objects, [{..}, {..}]", r->name);
  for (size_t n = 0; !status && n < json_array_size(root); n++) {
    r->line = n;
    status = read_object(r, json_array_get(root, n), row);
  }
  json_decref(root);
  return status;
}

// ---- both ---------------------------------------------------------------------------------------

// Which rows come first among those of one key: by key and priority, then by line.
static int compare(const struct sluice_table_change *x, const struct sluice_table_change *y,
                   unsigned num_keys, bool priority) {
  for (unsigned k = 0; k < num_keys; k++) {
    const struct sluice_table_match *a = &x->keys[k], *b = &y->keys[k];
    if (a->value != b->value) return a->value < b->value ? -1 : 1;
    if (a->mask != b->mask) return a->mask < b->mask ? -1 : 1;
  }
  if (!priority || x->priority == y->priority) return 0;
  return x->priority < y->priority ? -1 : 1;
}

// A heap of row numbers: qsort would need what is compared in a variable of the file.
static void sink(const struct reader *r, uint32_t *order, size_t num, size_t at, bool priority) {
  const struct sluice_table_change *c = *r->changes;
  const unsigned keys = r->t->table.num_keys;
  for (size_t child; (child = 2 * at + 1) < num; at = child) {
    if (child + 1 < num && compare(&c[order[child]], &c[order[child + 1]], keys, priority) < 0)
      child++;
    if (compare(&c[order[at]], &c[order[child]], keys, priority) >= 0) return;
    const uint32_t kept = order[at];
    order[at] = order[child];
    order[child] = kept;
  }
}

// Two rows of one key: *first and *second are their lines. False: there are none.
static bool find_twins(const struct reader *r, uint32_t *order, size_t *first, size_t *second) {
  const size_t all = *r->num;
  const bool priority = sluice_table_has_priority(&r->t->table);
  for (size_t i = 0; i < all; i++) order[i] = (uint32_t)i;
  for (size_t i = all / 2; i-- > 0;) sink(r, order, all, i, priority);
  for (size_t num = all; num > 1; num--) {
    const uint32_t kept = order[0];
    order[0] = order[num - 1];
    order[num - 1] = kept;
    sink(r, order, num - 1, 0, priority);
  }
  bool found = false;
  *first = *second = 0;
  for (size_t i = 1; i < all; i++) {
    const struct sluice_table_change *c = *r->changes;
    if (compare(&c[order[i - 1]], &c[order[i]], r->t->table.num_keys, priority) != 0) continue;
    const size_t a = r->lines[order[i - 1]], b = r->lines[order[i]];
    const size_t low = a < b ? a : b, high = a < b ? b : a;
    if (found && high >= *second) continue;  // the first that a reader of the file meets
    found = true;
    *first = low;
    *second = high;
  }
  return found;
}

static enum sluice_status read_text(struct reader *r, const char *text, size_t len,
                                    struct row *row) {
  return r->json ? read_json(r, text, len, row) : read_csv(r, text, len, row);
}

static enum sluice_status refuse_twins(struct reader *r, const char *text, size_t len,
                                       struct row *row) {
  size_t first, second;
  if (*r->num < 2) return SLUICE_OK;
  uint32_t *order = sluice_zeroed(r->alloc, *r->num * sizeof *order);
  if (!order) return sluice_no_memory(r->error);
  const bool found = find_twins(r, order, &first, &second);
  sluice_resize(r->alloc, order, *r->num * sizeof *order, 0);
  if (!found) return SLUICE_OK;
  // Read once more, for the words of the second.
  r->typed_line = second;
  r->line = 0;
  *r->num = 0;
  SLUICE_TRY(read_text(r, text, len, row));
  if (r->json)
    return sluice_fail(r->error, SLUICE_ERR_FORMAT,
                       "'%s': lines %zu and %zu: entries %zu and %zu have the same key, %s",
                       r->name, line_of_entry(r, first), line_of_entry(r, second), first, second,
                       r->typed);
  return sluice_fail(r->error, SLUICE_ERR_FORMAT, "'%s': lines %zu and %zu have the same key, %s",
                     r->name, first, second, r->typed);
}

// What is no text of entries at all: nothing that a file was cut to may empty a table.
static enum sluice_status check_text(const struct reader *r, const char *text, size_t len) {
  const char *zero = len ? memchr(text, 0, len) : NULL;
  size_t line = 1;
  for (const char *at = text; zero && at < zero; at++) line += *at == '\n';
  if (zero)
    return sluice_fail(r->error, SLUICE_ERR_FORMAT,
                       "'%s': line %zu: a zero byte: this is no text in UTF-8", r->name, line);
  if (len) return SLUICE_OK;
  return sluice_fail(r->error, SLUICE_ERR_FORMAT,
                     "'%s': line 1: the file is empty; a table without entries is [] in JSON",
                     r->name);
}

// The first row whose key has an entry already. False: there is none.
static bool find_taken(const struct reader *r, const struct sluice_plan *plan, size_t *line) {
  for (unsigned n = 0; n < *r->num; n++) {
    struct sluice_table_change there = (*r->changes)[n];
    if (!sluice_plan_table_get(plan, &there)) continue;
    *line = r->lines[n];
    return true;
  }
  return false;
}

static enum sluice_status refuse_taken(struct reader *r, const struct sluice_plan *plan,
                                       const char *text, size_t len, struct row *row) {
  char why[240];
  if (!find_taken(r, plan, &r->typed_line)) return SLUICE_OK;
  r->line = 0;
  *r->num = 0;
  SLUICE_TRY(read_text(r, text, len, row));
  r->line = r->typed_line;
  snprintf(why, sizeof why, "there is an entry for %s already", r->typed);
  return fail_at(r, SLUICE_ERR_RANGE, why);
}

// More rows than the table has places for; those that `all_new` rows come to are there already.
static enum sluice_status refuse_surplus(struct reader *r, const struct sluice_plan *plan,
                                         bool all_new) {
  const size_t size = sluice_table_whole(&r->t->table);
  const size_t used = all_new ? sluice_tables_used(&plan->tables, r->t) : 0;
  char why[200];
  if (*r->num + used <= size) return SLUICE_OK;
  r->line = r->lines[size > used ? size - used : 0];
  snprintf(why, sizeof why,
           "table '%.60s' has room for %zu entries, and %zu in use; this is one more",
           r->t->table.name, size, used);
  return fail_at(r, SLUICE_ERR_FULL, why);
}

enum sluice_status sluice_table_read(const struct sluice_plan *plan, unsigned vid,
                                     const char *table, const char *text, size_t len,
                                     const char *name, struct sluice_table_change **changes,
                                     unsigned *num, const struct sluice_alloc *alloc,
                                     struct sluice_error *error) {
  return table_file_read(plan, vid, table, text, len, name, false, changes, num, alloc, error);
}

enum sluice_status table_file_read(const struct sluice_plan *plan, unsigned vid, const char *table,
                                   const char *text, size_t len, const char *name, bool all_new,
                                   struct sluice_table_change **changes, unsigned *num,
                                   const struct sluice_alloc *alloc, struct sluice_error *error) {
  struct reader r = {.t = sluice_plan_table_named(plan, vid, table, error),
                     .name = name,
                     .changes = changes,
                     .num = num,
                     .alloc = alloc,
                     .typed_line = SIZE_MAX,
                     .error = error};
  static const char mark[] = "\xef\xbb\xbf";  // spreadsheets begin a text with it
  size_t first = 0;
  *changes = NULL;
  *num = 0;
  if (!r.t) return SLUICE_ERR_RANGE;
  if (len >= 3 && memcmp(text, mark, 3) == 0) {
    text += 3;
    len -= 3;
  }
  while (first < len && text[first] && strchr(" \t\r\n", text[first])) first++;
  const enum sluice_status bad = check_text(&r, text, first == len ? 0 : len);
  if (bad) return bad;
  struct row *row = sluice_zeroed(alloc, sizeof *row);
  if (!row) return sluice_no_memory(error);
  r.json = text[first] == '[' || text[first] == '{';
  r.text = text;
  r.len = len;
  enum sluice_status status = read_text(&r, text, len, row);
  if (!status && !r.json && !*num)
    status =
        sluice_fail(error, SLUICE_ERR_FORMAT,
                    "'%s': line %zu: there are no entries; a table without entries is [] in JSON",
                    name, r.line);
  if (!status) status = refuse_twins(&r, text, len, row);
  if (!status && all_new) status = refuse_taken(&r, plan, text, len, row);
  if (!status) status = refuse_surplus(&r, plan, all_new);
  sluice_resize(alloc, row, sizeof *row, 0);
  sluice_resize(alloc, r.lines, r.room * sizeof *r.lines, 0);
  // As long as what is given back says.
  if (!status && *num && *num < r.room) {
    struct sluice_table_change *cut =
        sluice_resize(alloc, *changes, r.room * sizeof *cut, *num * sizeof *cut);
    if (cut) *changes = cut;
    else status = sluice_no_memory(error);
  }
  if (status && *changes) {
    sluice_resize(alloc, *changes, r.room * sizeof **changes, 0);
    *changes = NULL;
    *num = 0;
  }
  return status;
}

void sluice_table_free(struct sluice_table_change *changes, unsigned num,
                       const struct sluice_alloc *alloc) {
  if (changes) sluice_resize(alloc, changes, num * sizeof *changes, 0);
}
