// SPDX-License-Identifier: Apache-2.0
// What a packet met on its way, as lines of text or of JSON.
#include <stdarg.h>
#include <string.h>

#include "run.h"

// A JSON string; text from outside may hold anything.
static void print_json(FILE *out, const char *text) {
  fputc('"', out);
  for (; *text; text++) {
    const unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') fprintf(out, "\\%c", c);
    else if (c < 0x20 || c > 0x7e) fprintf(out, "\\u%04x", c);
    else fputc(c, out);
  }
  fputc('"', out);
}

static void event(struct p4r_exec *x, const char *what, struct p4_place place, const char *text) {
  const struct p4r_trace *t = &x->sw->trace;
  const char *file = place.line && x->sw->messages ? p4_messages_file(x->sw->messages, place)
                                                   : NULL;
  if (t->json) {
    fputs("{\"event\": ", t->out);
    print_json(t->out, what);
    if (file) {
      fputs(", \"file\": ", t->out);
      print_json(t->out, file);
      fprintf(t->out, ", \"line\": %u", (unsigned)place.line);
    }
    fputs(", \"text\": ", t->out);
    print_json(t->out, text);
    fputs("}\n", t->out);
  } else if (file) {
    fprintf(t->out, "  %s:%u: %s %s\n", file, (unsigned)place.line, what, text);
  } else {
    fprintf(t->out, "  %s %s\n", what, text);
  }
}

void p4r_trace_event(struct p4r_exec *x, const char *what, const char *format, ...) {
  if (!x->sw->trace.out) return;
  char text[1000];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  event(x, what, x->place, text);
}

void p4r_trace_state(struct p4r_exec *x, const struct p4_decl *state) {
  if (x->sw->trace.out) event(x, "state", state->place, state->name);
}

// The line of the statement as it is written.
static const char *line_of(struct p4r_exec *x, struct p4_place place, size_t *len) {
  const struct p4_messages *m = x->sw->messages;
  if (!m || place.file >= m->num_files || !place.line) return NULL;
  const char *text = m->files[place.file].text;
  for (uint32_t line = 1; text && line < place.line; line++) {
    text = strchr(text, '\n');
    if (!text) return NULL;
    text++;
  }
  if (!text) return NULL;
  text += strspn(text, " \t");
  *len = strcspn(text, "\r\n");
  return text;
}

void p4r_trace_stmt(struct p4r_exec *x, const struct p4_stmt *s) {
  if (!x->sw->trace.out || s->kind == P4_STMT_BLOCK || s->kind == P4_STMT_EMPTY) return;
  size_t len = 0;
  const char *line = line_of(x, s->place, &len);
  p4r_trace_event(x, "statement", "%.*s", (int)(len < 200 ? len : 200), line ? line : "");
}

void p4r_trace_table(struct p4r_exec *x, const struct p4r_object *table, const struct p4v *keys,
                     const struct p4r_entry *entry, const struct p4_decl *action) {
  if (!x->sw->trace.out) return;
  const char *text = table->name;
  unsigned i = 0;
  for (const struct p4_key *k = table->decl->table->keys; k; k = k->next, i++)
    text = arena_format(x->arena, "%s %s=%s", text, k->control_name ? k->control_name : "key",
                        p4v_text(x->arena, keys[i]));
  const char *hit = "miss";
  if (entry && entry->place.line)
    hit = arena_format(x->arena, "hit of the entry in line %u", (unsigned)entry->place.line);
  else if (entry) hit = arena_format(x->arena, "hit of entry %u", entry->id);
  p4r_trace_event(x, "table", "%s: %s, action %s", text, hit, action ? action->name : "none");
}
