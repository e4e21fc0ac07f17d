// SPDX-License-Identifier: Apache-2.0
// Reads an STF text and does what it says; stf_packet.c compares.
#include "stf.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "stf_inner.h"

void stf_wrong(struct stf *s, const char *format, ...) {
  s->report->failures++;
  if (!s->report->out) return;
  fprintf(s->report->out, "%s:%u: ", s->file, s->line);
  va_list arguments;
  va_start(arguments, format);
  vfprintf(s->report->out, format, arguments);
  va_end(arguments);
  fputc('\n', s->report->out);
}

static bool done(struct stf *s, bool good) {
  if (!good) stf_wrong(s, "%s", s->why);
  return good;
}

// ---- words --------------------------------------------------------------------------------------

static void skip(struct stf *s) {
  while (isspace((unsigned char)*s->at)) s->at++;
}
static bool in_word(char c) {
  return isalnum((unsigned char)c) || (c && strchr("_.$*[]", c) != NULL);
}

// The next word into `word`; false: there is none.
static bool take_word(struct stf *s, char word[STF_WORD]) {
  size_t len = 0;
  skip(s);
  if (*s->at == '"') {
    const char *end = strchr(s->at + 1, '"');
    if (!end || (size_t)(end - s->at) > STF_WORD) return false;
    len = (size_t)(end - s->at - 1);
    memcpy(word, s->at + 1, len);
    s->at = end + 1;
    word[len] = 0;
    return true;
  }
  while (in_word(s->at[len])) len++;
  if (len == 0 || len >= STF_WORD) return false;
  memcpy(word, s->at, len);
  word[len] = 0;
  s->at += len;
  return true;
}
static bool take_mark(struct stf *s, const char *mark) {
  skip(s);
  const size_t len = strlen(mark);
  if (strncmp(s->at, mark, len) != 0) return false;
  s->at += len;
  return true;
}
static bool at_end(struct stf *s) {
  skip(s);
  return *s->at == 0;
}
static bool take_whole(struct stf *s, uint64_t *number) {
  char word[STF_WORD];
  struct p4r_number n;
  if (!take_word(s, word) || !p4r_number_read(&n, word, strlen(word)) || n.negative) return false;
  *number = 0;
  for (size_t i = 0; i < n.len; i++) {
    if (*number >> 56) return false;
    *number = *number << 8 | n.bytes[i];
  }
  return true;
}
static bool looks_like_number(struct stf *s) {
  skip(s);
  const char *c = s->at;
  while (isdigit((unsigned char)*c)) c++;
  return c > s->at && (*c == 0 || isspace((unsigned char)*c));
}

// ---- values -------------------------------------------------------------------------------------

// "0x0a**": value, and a mask with ones where digits stand.
static bool read_digits(const char *word, struct p4r_given *g) {
  char digits[STF_WORD], mask[STF_WORD];
  const char base = word[0] == '0' ? (char)tolower((unsigned char)word[1]) : 0;
  const unsigned bits = base == 'x' ? 4 : base == 'b' ? 1 : base == 'o' ? 3 : 0;
  if (!bits) return p4r_number_read(&g->value, word, strlen(word));
  const char full = base == 'x' ? 'f' : base == 'b' ? '1' : '7';
  const size_t len = strlen(word);
  memcpy(digits, word, len + 1);
  memcpy(mask, word, len + 1);
  g->kind = P4R_GIVEN_DIGITS;
  for (size_t i = 2; i < len; i++) {
    if (word[i] == '_') continue;
    const bool star = word[i] == '*';
    if (!star && !g->has_stars) g->prefix_len += bits;
    if (star) g->has_stars = true, digits[i] = '0';
    mask[i] = star ? '0' : full;
  }
  return p4r_number_read(&g->value, digits, len) && p4r_number_read(&g->mask, mask, len);
}

static bool take_value(struct stf *s, struct p4r_given *g) {
  char word[STF_WORD];
  uint64_t len;
  const bool minus = take_mark(s, "-");
  if (!take_word(s, word) || !read_digits(word, g)) return false;
  g->value.negative = minus;
  const bool mask = take_mark(s, "&&&"), range = !mask && take_mark(s, "->");
  if (mask || range) {
    g->kind = mask ? P4R_GIVEN_MASK : P4R_GIVEN_RANGE;
    return take_word(s, word) && p4r_number_read(&g->mask, word, strlen(word));
  }
  if (!take_mark(s, "/")) return true;
  if (!take_whole(s, &len) || len > 65536) return false;
  g->kind = P4R_GIVEN_PREFIX;
  g->prefix_len = (unsigned)len;
  return true;
}

// ---- add, setdefault, remove --------------------------------------------------------------------

struct words {
  struct p4r_given keys[STF_VALUES], args[STF_VALUES];
  char names[2 * STF_VALUES][STF_WORD];
  char table[STF_WORD], action[STF_WORD], label[STF_WORD];
};

// ACTION(ARG:VALUE, ...); its name was read.
static bool take_args(struct stf *s, struct words *w, struct p4r_request *r) {
  if (!take_mark(s, "(")) return true;
  if (take_mark(s, ")")) return true;
  do {
    if (r->num_args >= STF_VALUES) return false;
    struct p4r_given *g = &w->args[r->num_args];
    char *name = w->names[STF_VALUES + r->num_args++];
    const char *before = s->at;
    if (!take_word(s, name)) return false;
    if (take_mark(s, ":") || take_mark(s, "=")) g->name = name;
    else s->at = before;
    if (!take_value(s, g)) return false;
  } while (take_mark(s, ","));
  return take_mark(s, ")");
}

// KEY:VALUE ..., then the action if there is one.
static bool take_keys(struct stf *s, struct words *w, struct p4r_request *r) {
  while (!at_end(s) && *s->at != '=') {
    char word[STF_WORD];
    if (!take_word(s, word)) return false;
    if (!take_mark(s, ":")) {
      snprintf(w->action, sizeof w->action, "%s", word);
      r->action = w->action;
      return take_args(s, w, r);
    }
    if (r->num_keys >= STF_VALUES) return false;
    struct p4r_given *g = &w->keys[r->num_keys];
    char *name = w->names[r->num_keys++];
    memcpy(name, word, sizeof word);
    g->name = name;
    if (!take_value(s, g)) return false;
  }
  return true;
}

static struct words *begin_request(struct stf *s, struct p4r_request *r) {
  struct words *w = calloc(1, sizeof *w);
  if (!w) return stf_wrong(s, "out of memory"), NULL;
  *r = (struct p4r_request){.table = w->table, .keys = w->keys, .args = w->args};
  if (take_word(s, w->table)) return w;
  stf_wrong(s, "the name of a table is missing");
  free(w);
  return NULL;
}

static void add_entry(struct stf *s, bool remove) {
  struct p4r_request r;
  struct words *w = begin_request(s, &r);
  if (!w) return;
  if (looks_like_number(s)) r.has_priority = take_whole(s, &r.priority);
  bool good = take_keys(s, w, &r);
  if (good && take_mark(s, "=")) {
    good = take_word(s, w->label);
    r.label = w->label;
  }
  if (!good || !at_end(s) || (!remove && !r.action)) {
    stf_wrong(s, "this is no '%s TABLE [PRIORITY] KEY:VALUE ... ACTION(ARG:VALUE, ...)'",
              remove ? "remove" : "add");
  } else if (remove) {
    done(s, p4r_entry_remove(s->sw, &r));
  } else {
    r.has_member = strcmp(r.action, "member") == 0;
    r.has_group = strcmp(r.action, "group") == 0;
    for (size_t i = 0; i < r.num_args && (r.has_member || r.has_group) && i < 1; i++)
      for (size_t k = 0; k < w->args[0].value.len; k++)
        r.member = r.member << 8 | w->args[0].value.bytes[k];
    done(s, p4r_entry_add(s->sw, &r));
  }
  free(w);
}

static void set_default(struct stf *s) {
  struct p4r_request r;
  struct words *w = begin_request(s, &r);
  if (!w) return;
  if (!take_keys(s, w, &r) || !r.action || r.num_keys || !at_end(s))
    stf_wrong(s, "this is no 'setdefault TABLE ACTION(ARG:VALUE, ...)'");
  else done(s, p4r_default_set(s->sw, &r));
  free(w);
}

static void remove_entries(struct stf *s) {
  char word[STF_WORD];
  const char *before = s->at;
  if (at_end(s) || (take_word(s, word) && strcasecmp(word, "all") == 0 && at_end(s)))
    return;  // others parse it and do nothing
  s->at = before;
  add_entry(s, true);
}

static void make_member(struct stf *s) {
  struct p4r_request r;
  struct words *w = begin_request(s, &r);
  uint64_t id = 0;
  if (!w) return;
  if (!take_whole(s, &id) || !take_keys(s, w, &r) || !r.action || !at_end(s))
    stf_wrong(s, "this is no 'act_prof_create_member PROFILE MEMBER ACTION(ARG:VALUE, ...)'");
  else done(s, p4r_member_set(s->sw, w->table, id, &r));
  free(w);
}

static void add_to_set(struct stf *s) {
  char word[STF_WORD];
  struct p4r_given given[8];
  unsigned num = 0;
  bool good = take_word(s, word);
  memset(given, 0, sizeof given);
  while (good && !at_end(s)) good = num < 8 && take_value(s, &given[num++]);
  for (unsigned i = 0; i < num; i++)
    if (given[i].kind == P4R_GIVEN_DIGITS)
      given[i].kind = given[i].has_stars ? P4R_GIVEN_MASK : P4R_GIVEN_VALUE;
  if (!good) stf_wrong(s, "this is no 'pvs_add SET VALUE ...'");
  else done(s, p4r_value_set_add(s->sw, word, given, num));
}

// ---- numbers and names --------------------------------------------------------------------------

static bool need(struct stf *s, bool good, const char *form) {
  if (good && at_end(s)) return true;
  stf_wrong(s, "this is no '%s'", form);
  return false;
}

static void replicate(struct stf *s, const char *verb) {
  uint64_t a = 0, b = 0;
  unsigned ports[512], num = 0;
  bool good = take_whole(s, &a);
  if (strcmp(verb, "mc_mgrp_create") == 0) {
    if (need(s, good, "mc_mgrp_create GROUP")) done(s, p4r_group_create(s->sw, (unsigned)a));
  } else if (strcmp(verb, "mc_node_associate") == 0) {
    good = good && take_whole(s, &b);
    if (need(s, good, "mc_node_associate GROUP NODE"))
      done(s, p4r_node_associate(s->sw, (unsigned)a, (unsigned)b));
  } else {
    while (good && !at_end(s)) {
      good = num < 512 && take_whole(s, &b) && b < 512;
      ports[num++ % 512] = (unsigned)b;
    }
    if (!need(s, good, "mc_node_create RID PORT ...")) return;
    if (strcmp(verb, "mc_node_update") == 0)
      done(s, p4r_node_update(s->sw, (unsigned)a, ports, num));
    else done(s, p4r_node_create(s->sw, (unsigned)a, ports, num) >= 0);
  }
}

static void mirror(struct stf *s, const char *verb) {
  uint64_t id = 0, to = 0;
  bool good = take_whole(s, &id) && id <= UINT32_MAX;
  const bool only_id = strstr(verb, "delete") || strstr(verb, "get");
  if (!only_id) good = good && take_whole(s, &to) && to <= UINT32_MAX;
  if (!need(s, good, only_id ? "mirroring_delete ID" : "mirroring_add ID PORT")) return;
  if (strstr(verb, "get")) return;
  done(s, only_id
              ? p4r_session_delete(s->sw, (unsigned)id)
              : p4r_session_set(s->sw, (unsigned)id, strstr(verb, "_mc") != NULL, (unsigned)to));
}

static void use_register(struct stf *s, const char *verb) {
  char name[STF_WORD], word[STF_WORD];
  uint64_t i = UINT64_MAX;
  struct p4r_number value, is;
  memset(&value, 0, sizeof value);
  value.len = sizeof value.bytes;
  const bool reset = strcmp(verb, "register_reset") == 0, read = strcmp(verb, "register_read") == 0;
  bool good = take_word(s, name) && (reset || take_whole(s, &i));
  if (!reset && !read)
    good = good && take_word(s, word) && p4r_number_read(&value, word, strlen(word));
  if (!need(s, good, "register_write NAME INDEX VALUE")) return;
  if (reset || strcmp(verb, "register_write") == 0) {
    done(s, p4r_register_write(s->sw, name, i, &value));
    return;
  }
  if (!done(s, p4r_register_read(s->sw, name, i, &is)) || read) return;
  if (memcmp(is.bytes, value.bytes, sizeof is.bytes) == 0) return;
  char text[2 * sizeof is.bytes + 1];
  size_t first = 0, len = 0;
  while (first + 1 < sizeof is.bytes && !is.bytes[first]) first++;
  for (; first < sizeof is.bytes; first++, len += 2)
    snprintf(text + len, 3, "%02x", is.bytes[first]);
  stf_wrong(s, "%s[%llu] is 0x%s, expected %s", name, (unsigned long long)i, text, word);
}

static void use_counter(struct stf *s, const char *verb) {
  char name[STF_WORD];
  uint64_t i = 0, packets = 0, bytes = 0;
  bool good = take_word(s, name) && take_whole(s, &i);
  const bool write = strcmp(verb, "counter_write") == 0;
  if (write) good = good && take_whole(s, &packets) && take_whole(s, &bytes);
  if (!need(s, good, write ? "counter_write NAME INDEX PACKETS BYTES" : "counter_read NAME INDEX"))
    return;
  done(s, write ? p4r_counter_write(s->sw, name, i, packets, bytes)
                : p4r_counter_read(s->sw, name, i, &packets, &bytes));
}

static bool compare(const char *op, uint64_t a, uint64_t b) {
  if (op[0] == '=') return a == b;
  if (op[0] == '!') return a != b;
  if (op[0] == '<') return op[1] ? a <= b : a < b;
  return op[1] ? a >= b : a > b;
}

static void check_counter(struct stf *s) {
  static const char *const ops[] = {"==", "!=", "<=", ">=", "<", ">"};
  char name[STF_WORD], which[STF_WORD], *end;
  uint64_t packets, bytes, number = 0;
  bool want_bytes = false;
  const char *op = NULL;
  bool good = take_word(s, name) && take_mark(s, "(") && take_word(s, which) && take_mark(s, ")");
  if (good && !at_end(s)) {
    char unit[STF_WORD];
    if (isalpha((unsigned char)*s->at)) {
      good = take_word(s, unit);
      want_bytes = good && strcasecmp(unit, "bytes") == 0;
    }
    for (unsigned i = 0; !op && i < 6; i++)
      if (take_mark(s, ops[i])) op = ops[i];
    good = good && op && take_whole(s, &number);
  }
  if (!need(s, good, "check_counter NAME(INDEX) [packets|bytes == NUMBER]") || !op) return;
  const uint64_t index = strtoull(which, &end, 0);
  if ((*end || !p4r_counter_read(s->sw, name, index, &packets, &bytes)) &&
      !done(s, p4r_counter_read_entry(s->sw, name, which, &packets, &bytes)))
    return;
  const uint64_t is = want_bytes ? bytes : packets;
  if (!compare(op, is, number))
    stf_wrong(s, "%s(%s) has %llu %s, expected %s %llu", name, which, (unsigned long long)is,
              want_bytes ? "bytes" : "packets", op, (unsigned long long)number);
}

// "0.5:10": units for each microsecond, with a fraction; as a rate per second.
static bool take_rate(struct stf *s, uint64_t *rate, uint64_t *burst) {
  char word[STF_WORD], *end;
  if (!take_word(s, word) || !take_mark(s, ":") || !take_whole(s, burst)) return false;
  const double number = strtod(word, &end);
  if (*end || number < 0 || number > 1e9) return false;
  *rate = (uint64_t)(number * 1e6 + 0.5);
  return true;
}
static void set_rates(struct stf *s, const char *verb) {
  char name[STF_WORD];
  uint64_t i = UINT64_MAX, rate[2], burst[2];
  bool good = take_word(s, name);
  if (strcmp(verb, "meter_array_set_rates") != 0) good = good && take_whole(s, &i);
  if (strcmp(verb, "meter_get_rates") == 0) {
    need(s, good, "meter_get_rates NAME INDEX");
    return;
  }
  good = good && take_rate(s, &rate[0], &burst[0]) && take_rate(s, &rate[1], &burst[1]);
  if (need(s, good, "meter_set_rates NAME INDEX RATE:BURST RATE:BURST"))
    done(s, p4r_meter_rates(s->sw, name, i, rate, burst));
}

static void profile(struct stf *s, const char *verb) {
  char name[STF_WORD];
  uint64_t a = 0, b = 0;
  const bool join = strstr(verb, "add_member") != NULL;
  const bool good = take_word(s, name) && take_whole(s, &a) && (!join || take_whole(s, &b));
  if (!need(s, good,
            join ? "act_prof_add_member_to_group PROFILE MEMBER GROUP"
                 : "act_prof_create_group PROFILE GROUP"))
    return;
  done(s, join ? p4r_group_add(s->sw, name, b, a) : p4r_group_make(s->sw, name, a));
}

static void run_line(struct stf *s) {
  char verb[STF_WORD];
  if (at_end(s) || *s->at == '#') return;
  if (!take_word(s, verb)) {
    stf_wrong(s, "a line begins with a command");
    return;
  }
  for (char *c = verb; *c; c++) *c = (char)tolower((unsigned char)*c);
  if (strcmp(verb, "packet") == 0) stf_packet(s);
  else if (strcmp(verb, "expect") == 0) stf_expect(s);
  else if (strcmp(verb, "add") == 0) add_entry(s, false);
  else if (strcmp(verb, "setdefault") == 0) set_default(s);
  else if (strcmp(verb, "remove") == 0) remove_entries(s);
  else if (strcmp(verb, "wait") == 0) p4r_set_time(s->sw, p4r_time(s->sw) + 1000000);
  else if (strncmp(verb, "mc_", 3) == 0) replicate(s, verb);
  else if (strncmp(verb, "mirroring_", 10) == 0) mirror(s, verb);
  else if (strncmp(verb, "register_", 9) == 0 || strcmp(verb, "check_register") == 0)
    use_register(s, verb);
  else if (strcmp(verb, "check_counter") == 0) check_counter(s);
  else if (strncmp(verb, "counter_", 8) == 0) use_counter(s, verb);
  else if (strncmp(verb, "meter_", 6) == 0) set_rates(s, verb);
  else if (strcmp(verb, "act_prof_create_member") == 0) make_member(s);
  else if (strncmp(verb, "act_prof_", 9) == 0) profile(s, verb);
  else if (strcmp(verb, "pvs_add") == 0) add_to_set(s);
  else stf_wrong(s, "unknown command '%s'", verb);
}

bool p4r_stf_run(struct p4r_stf *report, struct p4r_switch *sw, const char *why, const char *file,
                 const char *text) {
  struct stf s = {.report = report, .sw = sw, .why = why, .file = file};
  while (*text) {
    const size_t len = strcspn(text, "\r\n");
    char *line = strndup(text, len);
    text += len;
    if (!line) {
      stf_wrong(&s, "out of memory");
      break;
    }
    // what stands behind # is for people, but on the lines of packets
    s.line++;
    s.at = line;
    skip(&s);
    char *mark = strchr(line, '#');
    if (mark && strncasecmp(s.at, "packet", 6) != 0 && strncasecmp(s.at, "expect", 6) != 0)
      *mark = 0;
    run_line(&s);
    free(line);
    if (*text == '\r') text++;
    if (*text == '\n') text++;
  }
  stf_compare(&s);
  return report->failures == 0;
}
