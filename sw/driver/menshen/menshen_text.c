// SPDX-License-Identifier: Apache-2.0
// Menshen's files as text.
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "../image/places.h"
#include "menshen.h"

// What a record may be, with the tag that Menshen's compiler gives it. `sub` is what it writes into
// byte 47; read is any number that means the same.
static const struct kind {
  enum sluice_table table;
  const char *tag;
} kinds[] = {{SLUICE_TABLE_PARSER, "ParserConf"},
             {SLUICE_TABLE_DEPARSER, "DeparserConf"},
             {SLUICE_TABLE_KEY_EXTRACT, "KeyExtractConf"},
             {SLUICE_TABLE_KEY_MASK, "CAMMaskConf"},
             {SLUICE_TABLE_MATCH, "CAMConf"},
             {SLUICE_TABLE_ACTION, "RAMConf"},
             {SLUICE_TABLE_SEGMENT16, "StatefulIdxConf"}};
enum { NUM_KINDS = sizeof kinds / sizeof *kinds, HEADER_DIGITS = 24, OVERLAY = 32 };

struct sluice_menshen_record *sluice_menshen_add(struct sluice_menshen_file *file,
                                                 enum sluice_table table, unsigned stage,
                                                 unsigned index) {
  if (file->num == file->room) {
    const size_t room = file->room ? 2 * file->room : 64, size = sizeof *file->list;
    void *more = sluice_resize(NULL, file->list, file->room * size, room * size);
    if (!more) return NULL;
    file->list = more;
    file->room = room;
  }
  struct sluice_menshen_record *r = &file->list[file->num++];
  *r = (struct sluice_menshen_record){.table = table, .stage = stage, .index = index};
  return r;
}

void sluice_menshen_release(struct sluice_menshen_file *file) {
  sluice_resize(NULL, file->list, file->room * sizeof *file->list, 0);
  *file = (struct sluice_menshen_file){0};
}

uint32_t sluice_menshen_slot(const uint8_t *action, unsigned slot) {
  return (uint32_t)sluice_entry_get(action, sluice_tables[SLUICE_TABLE_ACTION].bits,
                                    SLUICE_INSTR_BITS * slot + SLUICE_INSTR_BITS - 1,
                                    SLUICE_INSTR_BITS * slot);
}

void sluice_menshen_slot_set(uint8_t *action, unsigned slot, uint32_t word) {
  sluice_entry_set(action, sluice_tables[SLUICE_TABLE_ACTION].bits,
                   SLUICE_INSTR_BITS * slot + SLUICE_INSTR_BITS - 1, SLUICE_INSTR_BITS * slot,
                   word);
}

// ---- reading ------------------------------------------------------------------------------------

struct reader {
  const char *at, *end, *name;
  unsigned line;
  struct sluice_error *error;
};

struct word {
  const char *at;
  size_t len;
};

__attribute__((format(printf, 2, 3))) static enum sluice_status refuse(const struct reader *r,
                                                                       const char *format, ...) {
  char why[240];
  va_list list;
  va_start(list, format);
  vsnprintf(why, sizeof why, format, list);
  va_end(list);
  return sluice_fail(r->error, SLUICE_ERR_FORMAT, "'%s', line %u: %s", r->name, r->line, why);
}

// The words of the next line that has any; false at the end. At most `most`; num is how many there
// are.
static bool next_line(struct reader *r, struct word *words, unsigned most, unsigned *num) {
  *num = 0;
  while (r->at < r->end && !*num) {
    const char *stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
    if (!stop) stop = r->end;
    r->line++;
    for (const char *p = r->at; p < stop;) {
      const char *begin = p;
      while (p < stop && !isspace((unsigned char)*p)) p++;
      if (p > begin) {
        if (*num < most) words[*num] = (struct word){begin, (size_t)(p - begin)};
        ++*num;
      } else {
        p++;
      }
    }
    r->at = stop < r->end ? stop + 1 : stop;
  }
  return *num != 0;
}

static bool all_digits(const struct word *w) {
  for (size_t i = 0; i < w->len; i++)
    if (w->at[i] != '0' && w->at[i] != '1') return false;
  return true;
}

static unsigned bits_of(const struct word *w, unsigned from, unsigned len) {
  unsigned value = 0;
  for (unsigned i = 0; i < len; i++) value = value << 1 | (unsigned)(w->at[from + i] - '0');
  return value;
}

// Whether the table is one of Menshen's.
static bool known(enum sluice_table table) {
  for (unsigned k = 0; k < NUM_KINDS; k++)
    if (kinds[k].table == table) return true;
  return false;
}

static enum sluice_status header(const struct reader *r, const struct word *w,
                                 struct sluice_menshen_record *record) {
  if (w->len != HEADER_DIGITS || !all_digits(w))
    return refuse(r, "'%.*s' is not a header of 24 digits 0 and 1",
                  (int)(w->len < 40 ? w->len : 40), w->at);
  const unsigned resource = bits_of(w, 0, 8), sub = bits_of(w, 12, 4);
  record->table = sluice_table_find(resource & 7, sub);
  record->stage = resource >> 3;
  record->index = bits_of(w, 16, 8);
  // A row of its own for anything but 0 in tables that Menshen tells apart by 0 and not 0.
  if ((resource & 7) == 3) record->table = SLUICE_TABLE_SEGMENT16;
  if (!known(record->table))
    return refuse(r, "resource %u with sub-table %u: Menshen has no such table", resource & 7, sub);
  const bool parser = record->table == SLUICE_TABLE_PARSER ||
                      record->table == SLUICE_TABLE_DEPARSER;
  if (parser) record->stage = 0;
  if (record->stage >= SLUICE_MENSHEN_STAGES)
    return refuse(r, "stage %u, Menshen has %d", record->stage, SLUICE_MENSHEN_STAGES);
  const bool rows = record->table == SLUICE_TABLE_MATCH || record->table == SLUICE_TABLE_ACTION;
  if (rows && record->index >= SLUICE_MENSHEN_ROWS)
    return refuse(r, "row %u, a stage has %d", record->index, SLUICE_MENSHEN_ROWS);
  return SLUICE_OK;
}

static const char *table_name(enum sluice_table table) {
  return table == SLUICE_TABLE_SEGMENT16 ? "SEGMENT" : sluice_tables[table].name;
}

static enum sluice_status data(const struct reader *r, const struct word *w,
                               struct sluice_menshen_record *record) {
  const unsigned bits = sluice_tables[record->table].bits, whole = (bits + 7) / 8 * 8;
  if (!all_digits(w)) return refuse(r, "an entry is digits 0 and 1 alone");
  if (w->len != whole)
    return refuse(r, "%zu digits, an entry of %s has %u%s", w->len, table_name(record->table),
                  whole,
                  (record->table == SLUICE_TABLE_PARSER && w->len == 264) ||
                          (record->table == SLUICE_TABLE_KEY_EXTRACT && w->len == 24)
                      ? ": it is of the older format, which matches nothing on Menshen's hardware"
                      : "");
  for (unsigned i = 0; i < whole; i++) {
    const unsigned bit = (unsigned)(w->at[i] - '0');
    if (i >= bits && bit) return refuse(r, "the digits behind the %u of the entry must be 0", bits);
    record->bytes[i / 8] |= (uint8_t)(bit << (7 - i % 8));
  }
  return SLUICE_OK;
}

static enum sluice_status one_record(struct reader *r, struct sluice_menshen_file *file,
                                     const struct word *words, unsigned num) {
  const bool twice = words[0].len == 6 && memcmp(words[0].at, "Parser", 6) == 0;
  if (num != (twice ? 3u : 2u))
    return refuse(r, "a tag with %s is expected, there are %u words",
                  twice ? "two headers" : "a header", num);
  const size_t first = file->num;
  for (unsigned i = 1; i < num; i++) {
    struct sluice_menshen_record *record = sluice_menshen_add(file, SLUICE_TABLE_PARSER, 0, 0);
    if (!record) return sluice_no_memory(r->error);
    record->line = r->line;
    SLUICE_TRY(header(r, &words[i], record));
    for (size_t k = 0; k + 1 < file->num; k++) {
      const struct sluice_menshen_record *other = &file->list[k];
      const unsigned rows = sluice_by_match_row(record->table) ? 256 : OVERLAY;
      if (other->table == record->table && other->stage == record->stage &&
          other->index % rows == record->index % rows)
        return refuse(r, "the entry of line %u once more", other->line);
    }
  }
  struct word digits;
  unsigned count;
  if (!next_line(r, &digits, 1, &count)) return refuse(r, "the file ends before the entry");
  if (count != 1) return refuse(r, "an entry is one word, there are %u", count);
  for (size_t k = first; k < file->num; k++) SLUICE_TRY(data(r, &digits, &file->list[k]));
  return SLUICE_OK;
}

enum sluice_status sluice_menshen_parse(struct sluice_menshen_file *file, const char *text,
                                        size_t len, const char *name, struct sluice_error *error) {
  struct reader r = {text, text + len, name, 0, error};
  struct word words[3];
  unsigned num;
  enum sluice_status status = SLUICE_OK;
  while (!status && next_line(&r, words, 3, &num)) status = one_record(&r, file, words, num);
  if (!status && !file->num) status = refuse(&r, "the file has no entry");
  if (status) sluice_menshen_release(file);
  return status;
}

// ---- writing ------------------------------------------------------------------------------------

static void print_header(const struct sluice_menshen_record *r, FILE *out) {
  const struct sluice_table_info *t = &sluice_tables[r->table];
  const unsigned header = r->stage << 19 | t->module << 16 | t->sub << 8 | r->index;
  fputc(' ', out);
  for (unsigned bit = HEADER_DIGITS; bit-- > 0;) fputc('0' + (int)(header >> bit & 1), out);
}

static bool pair(const struct sluice_menshen_record *a, const struct sluice_menshen_record *b) {
  return a->table == SLUICE_TABLE_PARSER && b->table == SLUICE_TABLE_DEPARSER &&
         a->index == b->index && memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

void sluice_menshen_print(const struct sluice_menshen_file *file, FILE *out) {
  for (size_t i = 0; i < file->num; i++) {
    const struct sluice_menshen_record *r = &file->list[i];
    const bool both = i + 1 < file->num && pair(r, r + 1);
    const char *tag = "Parser";
    for (unsigned k = 0; k < NUM_KINDS && !both; k++)
      if (kinds[k].table == r->table) tag = kinds[k].tag;
    fputs(tag, out);
    print_header(r, out);
    if (both) print_header(r + 1, out);
    fputc('\n', out);
    for (unsigned b = 0; b < (sluice_tables[r->table].bits + 7) / 8 * 8; b++)
      fputc('0' + (r->bytes[b / 8] >> (7 - b % 8) & 1), out);
    fputc('\n', out);
    i += both;
  }
}

// ---- allocation ---------------------------------------------------------------------------------

struct sluice_menshen_room sluice_menshen_whole(unsigned vid) {
  return (struct sluice_menshen_room){vid, 0, SLUICE_MENSHEN_ROWS, 0, SLUICE_MENSHEN_MEMORY};
}

// The next word of the text, over all lines.
static bool next_word(struct reader *r, struct word *w) {
  while (r->at < r->end && isspace((unsigned char)*r->at)) r->line += *r->at++ == '\n';
  w->at = r->at;
  while (r->at < r->end && !isspace((unsigned char)*r->at)) r->at++;
  w->len = (size_t)(r->at - w->at);
  return w->len != 0;
}

static enum sluice_status number(struct reader *r, unsigned *value) {
  struct word w;
  *value = 0;
  if (!next_word(r, &w)) return refuse(r, "a number is missing");
  for (size_t i = 0; i < w.len; i++) {
    if (!isdigit((unsigned char)w.at[i]) || *value > 65535)
      return refuse(r, "'%.*s' is not a number up to 65535", (int)(w.len < 40 ? w.len : 40), w.at);
    *value = 10 * *value + (unsigned)(w.at[i] - '0');
  }
  return SLUICE_OK;
}

enum sluice_status sluice_menshen_allocation(struct sluice_menshen_room *room, const char *text,
                                             size_t len, const char *name,
                                             struct sluice_error *error) {
  struct reader r = {text, text + len, name, 1, error};
  const unsigned vid = room->vid;
  bool rows = false;
  struct word w;
  *room = (struct sluice_menshen_room){.vid = vid};
  while (next_word(&r, &w)) {
    const bool lookup = w.len == 8 && memcmp(w.at, "lkupconf", 8) == 0;
    if (!lookup && !(w.len == 11 && memcmp(w.at, "statefulmem", 11) == 0))
      return refuse(&r, "'%.*s' is neither lkupconf nor statefulmem",
                    (int)(w.len < 40 ? w.len : 40), w.at);
    unsigned num;
    enum sluice_status status = number(&r, &num);
    for (unsigned i = 0; !status && i < num; i++) {
      unsigned of[3] = {0};
      for (unsigned k = 0; !status && k < 3; k++) status = number(&r, &of[k]);
      if (status || of[0] != vid) continue;
      if (lookup && (of[1] >= of[2] || of[2] > SLUICE_MENSHEN_ROWS))
        return refuse(&r, "rows %u up to %u of a stage's %d", of[1], of[2], SLUICE_MENSHEN_ROWS);
      if (!lookup && of[1] + of[2] > SLUICE_MENSHEN_MEMORY)
        return refuse(&r, "%u words from %u on, a stage has %d", of[2], of[1],
                      SLUICE_MENSHEN_MEMORY);
      if (lookup) room->first_row = of[1], room->end_row = of[2], rows = true;
      else room->base = of[1], room->range = of[2];
    }
    if (status) return status;
  }
  if (rows) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_RANGE, "'%s' gives the module %u no rows", name, vid);
}
