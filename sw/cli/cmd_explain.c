// SPDX-License-Identifier: Apache-2.0
// sluice explain: where each line of a program went in the chip; for one that does not fit, the
// longest chain of operations. What is told is made as JSON; the text is printed from that.
#include <errno.h>
#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "../base/files.h"
#include "../base/json.h"
#include "../compiler/compiler.h"
#include "../driver/image/disassemble.h"
#include "../driver/image/image_tables.h"
#include "../driver/image/say.h"
#include "../p4c/entries.h"
#include "cli.h"
#include "p4.h"

enum { MAX_LEN = 1 << 20 };  // longest program text

static const struct cli_usage usage = {"explain", "PROGRAM [OPTION...]",
                                       "Tells where each line of a program went in the chip",
                                       "Stage by stage: the line, the unit that carries it out, "
                                       "the container that gets the value; which header\n"
                                       "bytes are read; which arrays are sharded over the "
                                       "pipelines or pinned to one, and why; what the order point\n"
                                       "resolves. Of a program that does not fit: the messages, "
                                       "and the longest chain of operations as lines,\n"
                                       "with --dot also as a graph for Graphviz.\n"
                                       "Exit code: 0 told, 1 the program is rejected, 2 wrong "
                                       "command line, 3 a file could not be read or written.\n"};

struct job {
  const struct sluice_config *chip;
  const struct sluice_program *program;
  const struct sluice_image *image;
  const struct sluice_diags *diags;
  const char *text;          // of the program
  struct cli_p4_source *p4;  // NULL: it is in Domino
  const char *dot;           // file for the chain as a graph, or NULL
  bool json, pin;
};

// ---- what is told, as JSON ----------------------------------------------------------------------

static void set(json_t *object, const char *key, json_t *value) {
  json_object_set_new(object, key, value);
}

// "2B[3]", as the disassembler says it; NULL for no container.
static json_t *container_json(int operand) {
  char name[20];
  if (operand < 8) return json_null();
  snprintf(name, sizeof name, "%dB[%d]", 2 * (operand >> 3), operand & 7);
  return json_string(name);
}

static json_t *stage_json(const struct job *job, unsigned stage) {
  unsigned number;
  char name[40];
  const char *kind = sluice_stage_kind(job->chip, stage, &number);
  snprintf(name, sizeof name, "%s stage %u", kind, number);
  return json_string(name);
}

static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

// Whether the name that ends before `p` stands behind an @: a home, as in `int arrival @
// meta.arrival`.
static bool is_home(const char *text, const char *p) {
  while (p > text && in_name(p[-1])) p--;
  while (p > text && (p[-1] == ' ' || p[-1] == '\t')) p--;
  return p > text && p[-1] == '@';
}

// Whether a field is named behind `p`: in Domino it is ".sport", and ".sports" is another one; in
// P4 "hdr.udp.sport", which is hdr_udp_sport in the chip.
static bool is_named(const struct job *job, const char *p, const char *field) {
  const size_t len = strlen(field);
  size_t i = 0;
  if (!job->p4) return *p == '.' && strncmp(p + 1, field, len) == 0 && !in_name(p[1 + len]);
  if (p > job->text && (in_name(p[-1]) || p[-1] == '.')) return false;
  while (i < len && (p4c_letter(p[i]) == field[i]) && (in_name(p[i]) || p[i] == '.')) i++;
  return i == len && !in_name(p[len]);
}

// The lines of the text that name a field of the packet, outside comments of one line.
static json_t *naming_lines(const struct job *job, const char *field) {
  json_t *list = json_array();
  unsigned line = 1, last = 0;
  bool comment = false;
  for (const char *p = job->text; *p; p++) {
    if (*p == '\n') {
      line++;
      comment = false;
    }
    comment |= p[0] == '/' && p[1] == '/';
    if (comment || line == last || !is_named(job, p, field) || is_home(job->text, p)) continue;
    json_array_append_new(list, json_integer(last = line));
  }
  return list;
}

static json_t *fields_json(const struct job *job) {
  json_t *list = json_array();
  for (size_t i = 0; i < job->image->num_fields; i++) {
    const struct sluice_field *f = &job->image->fields[i];
    // of P4 all fields of a header have names
    const bool unused = f->in_operand < 8 && f->out_operand < 8;
    if (!f->home[0] || (job->p4 && unused)) continue;
    json_t *one = json_pack("{s:s s:s}", "name", f->name, "home", f->home);
    if (f->egress) set(one, "egress", json_true());
    set(one, "read_to", container_json(f->in_operand));
    set(one, "written_from", container_json(f->out_operand));
    set(one, "lines", naming_lines(job, f->name));
    json_array_append_new(list, one);
  }
  return list;
}

static json_t *lines_json(const struct job *job) {
  static const char *const units[] = {
      [SLUICE_LINE_OPERATION] = "ALU",  [SLUICE_LINE_STATE] = "state unit",
      [SLUICE_LINE_PORT] = "port",      [SLUICE_LINE_DISCARD] = "discard",
      [SLUICE_LINE_HASH] = "hash unit", [SLUICE_LINE_MULTIPLY] = "multiplier",
      [SLUICE_LINE_TABLE] = "table"};
  const unsigned stages = job->chip->FrontStages + job->chip->BackStages;
  json_t *list = json_array();
  // The way of a packet: front stages are numbered behind the back stages, and before the egress
  // stages.
  for (unsigned n = 0; n < stages + job->chip->EgressStages; n++) {
    const unsigned stage = n < stages ? (n + job->chip->BackStages) % stages : n;
    for (size_t i = 0; i < job->image->num_lines; i++) {
      const struct sluice_line *l = &job->image->lines[i];
      if (l->stage != stage) continue;
      json_t *one =
          json_pack("{s:i s:s s:s}", "line", (int)l->line, "text", l->text, "unit", units[l->unit]);
      set(one, "stage", stage_json(job, stage));
      set(one, "container", container_json(l->operand));
      json_array_append_new(list, one);
    }
  }
  return list;
}

// Why an array is in one pipeline.
static json_t *pinned_json(const struct job *job, const struct sluice_array *a) {
  char name[SLUICE_NAME_LEN + 4];
  if (sluice_stage_is_egress(job->chip, a->stage))
    return json_string("each output lane has its own");
  for (size_t i = 0; i < sluice_program_num_states(job->program); i++) {
    const struct sluice_program_state *s = sluice_program_state(job->program, i);
    if (s->scalar && strcmp(s->name, a->name[0]) == 0)
      return json_string("it is one value, and that has one place");
  }
  if (job->pin) return json_string("--pin");
  snprintf(name, sizeof name, "'%s'", a->name[0]);
  for (size_t i = 0; i < job->diags->num; i++) {
    const struct sluice_diag *d = &job->diags->list[i];
    const char *colon = strstr(d->text, ": ");
    if (strcmp(d->id, "pinned") == 0 && strstr(d->text, name) && colon)
      return json_string(colon + 2);
  }
  return json_string("its index is not known at the order point");
}

// The rows beside an array: what is done with them, in each action row of the stage.
static json_t *rows_json(const struct job *job, const struct sluice_array *a) {
  json_t *list = json_array();
  for (size_t i = 0; i < job->image->num_writes; i++) {
    const struct sluice_write *w = &job->image->writes[i];
    char text[120] = "";
    struct say say = say_into(text, sizeof text);
    if (w->table != SLUICE_TABLE_ARRAY_INSTR || w->stage != a->stage) continue;
    sluice_say_row(&say, w->bytes);
    json_array_append_new(list, json_string(text));
  }
  return json_pack("{s:s s:i s:o}", "name", a->row, "words", (int)a->words, "operations", list);
}

static json_t *arrays_json(const struct job *job) {
  json_t *list = json_array();
  for (size_t i = 0; i < job->image->num_arrays; i++) {
    const struct sluice_array *a = &job->image->arrays[i];
    char text[200] = "";
    struct say say = say_into(text, sizeof text);
    for (size_t w = 0; w < job->image->num_writes; w++)
      if (job->image->writes[w].table == SLUICE_TABLE_ACCESS &&
          job->image->writes[w].stage == a->stage)
        sluice_say_access(&say, job->image->writes[w].bytes);
    // Where it is pinned to is no pipeline.
    const char *access = sluice_stage_is_egress(job->chip, a->stage) ? strstr(text, "index") : text;
    json_t *one = json_pack("{s:[s] s:i s:b s:s}", "names", sluice_array_name(a), "size",
                            (int)a->size, "pinned", a->pinned, "access", access ? access : "");
    if (a->name[1][0])
      json_array_append_new(json_object_get(one, "names"), json_string(a->name[1]));
    if (a->words) set(one, "rows", rows_json(job, a));
    set(one, "stage", stage_json(job, a->stage));
    set(one, "why",
        a->pinned ? pinned_json(job, a) : json_string("its index is known at the order point"));
    json_array_append_new(list, one);
  }
  return list;
}

// Which words are looked up, and what becomes of them.
static json_t *keys_json(const struct job *job) {
  char text[120] = "";
  struct say say = say_into(text, sizeof text);
  for (size_t i = 0; i < job->image->num_writes; i++)
    if (job->image->writes[i].table == SLUICE_TABLE_ARRAY_KEYS)
      sluice_say_keys(&say, job->image->writes[i].bytes);
  return json_string(text);
}

static json_t *tables_json(const struct job *job) {
  json_t *list = json_array();
  for (size_t i = 0; i < job->image->num_tables; i++) {
    const struct sluice_image_table *t = &job->image->tables[i];
    const bool words = t->engine == SLUICE_ENGINE_ARRAY;
    json_t *one = json_pack("{s:s s:s s:i}", "name", t->name, "engine",
                            words ? "array match" : sluice_engine_names[t->engine], "size",
                            (int)t->size);
    set(one, "stage", words ? json_string("behind the front stages") : stage_json(job, t->stage));
    if (words) set(one, "keys", keys_json(job));
    json_array_append_new(list, one);
  }
  return list;
}

// Several operations of one line in a row stand once, also those of several lines of the IR.
static void append_operations(json_t *list, unsigned line, unsigned operations, const char *text) {
  json_t *last = json_array_get(list, json_array_size(list) - 1);
  if (last && sluice_json_int(last, "line") == (long long)line) {
    set(last, "operations", json_integer(sluice_json_int(last, "operations") + operations));
    return;
  }
  json_array_append_new(list, json_pack("{s:i s:i s:s%}", "line", (int)line, "operations",
                                        (int)operations, "text", text, strcspn(text, "\r\n")));
}

// The lines of the longest chain; one line that does several operations of it in a row stands once,
// with their number.
static json_t *chain_json(const struct job *job) {
  json_t *list = json_array();
  for (unsigned i = 0, n; i < job->diags->num_chain; i += n) {
    const unsigned line = job->diags->chain[i];
    for (n = 1; i + n < job->diags->num_chain && job->diags->chain[i + n] == line; n++) continue;
    if (job->p4) {
      struct sluice_line of = {.line = line};
      cli_p4_line(job->p4, &of);
      append_operations(list, of.line, n, of.text);
      continue;
    }
    const char *at = job->text;
    for (unsigned k = 1; at && k < line; k++) at = (at = strchr(at, '\n')) ? at + 1 : NULL;
    append_operations(list, line, n, at ? at + strspn(at, " \t") : "");
  }
  return list;
}

// ---- the same as text ---------------------------------------------------------------------------

static void print_fields(const json_t *fields, bool egress) {
  size_t i, n;
  json_t *f, *line;
  json_array_foreach(fields, i, f) {
    if (json_is_true(json_object_get(f, "egress")) != egress) continue;
    printf("  %-22s %s", sluice_json_text(f, "home"), sluice_json_text(f, "name"));
    if (sluice_json_text(f, "read_to")[0]) printf(", read to %s", sluice_json_text(f, "read_to"));
    if (sluice_json_text(f, "written_from")[0])
      printf(", written from %s", sluice_json_text(f, "written_from"));
    json_array_foreach(json_object_get(f, "lines"), n, line)
        printf("%s%d", n ? ", " : ", named in lines ", (int)json_integer_value(line));
    putchar('\n');
  }
}

// Those of egress stages, or the others.
static void print_arrays(const json_t *arrays, bool egress) {
  bool first = !egress;
  size_t i;
  json_t *a;
  json_array_foreach(arrays, i, a) {
    if ((strncmp(sluice_json_text(a, "stage"), "egress", 6) == 0) != egress) continue;
    if (first) printf("order point\n");
    first = false;
    const json_t *names = json_object_get(a, "names");
    printf("  %s", json_string_value(json_array_get(names, 0)));
    if (json_array_size(names) > 1) printf(", %s", json_string_value(json_array_get(names, 1)));
    printf(" (%lld, %s): %s: %s\n", sluice_json_int(a, "size"), sluice_json_text(a, "stage"),
           sluice_json_text(a, "access"), sluice_json_text(a, "why"));
    const json_t *rows = json_object_get(a, "rows"), *text;
    size_t n;
    if (rows)
      printf("    rows %s, of %lld words\n", sluice_json_text(rows, "name"),
             sluice_json_int(rows, "words"));
    json_array_foreach(json_object_get(rows, "operations"), n, text)
        printf("      action %zu: %s\n", n, json_string_value(text));
  }
}

// The egress function's fields and arrays.
static void print_egress(const json_t *all) {
  if (!json_object_get(all, "egress")) return;
  printf("egress %s\n", sluice_json_text(all, "egress"));
  print_fields(json_object_get(all, "fields"), true);
  print_arrays(json_object_get(all, "arrays"), true);
}

static void print_lines(const json_t *all) {
  const char *stage = "";
  bool behind = false, egress = false;
  size_t i;
  json_t *l;
  json_array_foreach(json_object_get(all, "lines"), i, l) {
    if (!behind && strncmp(sluice_json_text(l, "stage"), "back", 4) == 0) {
      behind = true;
      print_arrays(json_object_get(all, "arrays"), false);
    }
    if (!egress && strncmp(sluice_json_text(l, "stage"), "egress", 6) == 0) {
      egress = true;
      print_egress(all);
    }
    if (strcmp(stage, sluice_json_text(l, "stage")) != 0)
      printf("%s\n", stage = sluice_json_text(l, "stage"));
    printf("  line %-4lld %-10s %-5s %s\n", sluice_json_int(l, "line"), sluice_json_text(l, "unit"),
           sluice_json_text(l, "container"), sluice_json_text(l, "text"));
  }
  if (!behind) print_arrays(json_object_get(all, "arrays"), false);
  if (!egress) print_egress(all);
}

static void print_text(const json_t *all) {
  size_t i;
  json_t *t;
  printf("%s on %s\nparser and deparser\n", sluice_json_text(all, "program"),
         sluice_json_text(all, "chip"));
  print_fields(json_object_get(all, "fields"), false);
  print_lines(all);
  json_array_foreach(json_object_get(all, "tables"), i, t) {
    printf("%s %s: %s, %s, %lld entries\n", sluice_json_text(t, "keys")[0] ? "lookup" : "table",
           sluice_json_text(t, "name"), sluice_json_text(t, "stage"), sluice_json_text(t, "engine"),
           sluice_json_int(t, "size"));
    if (sluice_json_text(t, "keys")[0]) printf("  %s\n", sluice_json_text(t, "keys"));
  }
}

static void print_chain(const json_t *chain) {
  size_t i;
  json_t *l;
  if (json_array_size(chain))
    printf("the longest chain, each operation waits for the one before it\n");
  json_array_foreach(chain, i, l) {
    const long long operations = sluice_json_int(l, "operations");
    printf("  line %-4lld %3lld operation%s %s\n", sluice_json_int(l, "line"), operations,
           operations == 1 ? " " : "s", sluice_json_text(l, "text"));
  }
}

// Text of the program in a label of the graph.
static void put_label(FILE *out, const char *text) {
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') putc('\\', out);
    putc(*text, out);
  }
}

// The chain as a graph, a box for each line, in the file of --dot. False, and told, if it cannot be
// written. Where there is no chain nothing is written, which is told as well.
static bool draw_chain(const struct job *job, const json_t *all) {
  const json_t *chain = json_object_get(all, "chain");
  size_t i;
  json_t *l;
  if (!json_array_size(chain)) {
    cli_error(
        json_is_true(json_object_get(all, "fits"))
            ? "nothing to draw in '%s': the program fits (sluice compile --dot draws all of it)"
            : "nothing to draw in '%s': no chain of operations is too long",
        job->dot);
    return true;
  }
  struct sluice_out out;
  struct sluice_error error = {""};
  enum sluice_status status = sluice_out_open(&out, job->dot, &error);
  if (!status) {
    FILE *to = out.file;
    fprintf(to, "digraph \"%s\" {\n  rankdir=LR;\n  node [shape=box, fontname=monospace];\n",
            sluice_json_text(all, "program"));
    json_array_foreach(chain, i, l) {
      fprintf(to, "  l%zu [label=\"line %lld, %lld operation%s\\n", i, sluice_json_int(l, "line"),
              sluice_json_int(l, "operations"), sluice_json_int(l, "operations") == 1 ? "" : "s");
      put_label(to, sluice_json_text(l, "text"));
      fputs("\"];\n", to);
      if (i) fprintf(to, "  l%zu -> l%zu;\n", i - 1, i);
    }
    fputs("}\n", to);
    status = sluice_out_close(&out, true, &error);
  }
  if (status) cli_error("%s", error.text);
  return !status;
}

// ---- the verb -----------------------------------------------------------------------------------

// `text`: the program, or what a P4 program became.
static int explain(struct job *job, const char *path, const char *text, size_t len) {
  struct sluice_diags diags = {0};
  struct sluice_image image = {0};
  const struct sluice_compile_options options = {.pin = job->pin};
  struct sluice_program *program = sluice_program_parse(path, text, len, &diags);
  const bool fits = program &&
                    sluice_compile(program, job->chip, &options, &image, &diags) == SLUICE_OK;
  int code = fits ? CLI_DONE : diags.num_errors ? CLI_NO : CLI_WORLD;
  if (program && code == CLI_NO) sluice_compile_advise(program, job->chip, &options, &diags);
  job->program = program;
  job->image = &image;
  job->diags = &diags;
  json_t *all = json_pack("{s:s s:s s:b}", "program", program ? sluice_program_name(program) : "",
                          "chip", job->chip->name, "fits", fits);
  if (program && sluice_program_egress(program))
    set(all, "egress", json_string(sluice_program_name(sluice_program_egress(program))));
  if (fits && job->p4) cli_p4_lines(job->p4, &image);
  if (fits) {
    set(all, "fields", fields_json(job));
    set(all, "lines", lines_json(job));
    set(all, "arrays", arrays_json(job));
    set(all, "tables", tables_json(job));
  } else {
    set(all, "chain", chain_json(job));
  }
  if (job->p4) cli_p4_tell(job->p4, &diags);
  else sluice_diags_print(&diags, stderr);
  if (code == CLI_WORLD) cli_error("out of memory");
  else if (job->json && (json_dumpf(all, stdout, JSON_INDENT(1)) != 0 || putchar('\n') == EOF))
    code = CLI_WORLD;
  else if (!job->json && fits) print_text(all);
  else if (!job->json && !(job->dot && strcmp(job->dot, "-") == 0))
    print_chain(json_object_get(all, "chain"));
  if (job->dot && code != CLI_WORLD && !draw_chain(job, all)) code = CLI_WORLD;
  json_decref(all);
  sluice_image_release(&image);
  sluice_program_free(program);
  sluice_diags_release(&diags);
  return code;
}

static int explain_p4(struct job *job, const char *path, struct cli_p4_source *p4) {
  int code = cli_p4_lower(p4, path, job->chip);
  job->p4 = p4;
  job->text = p4->p4.text;
  if (code == CLI_DONE) code = explain(job, path, p4->result.ir, p4->result.len);
  cli_p4_source_release(p4);
  return code;
}

int cmd_explain(int argc, char **argv) {
  struct job job = {0};
  const char *chip = SLUICE_DEFAULT_SHAPE;
  struct cli_list rest, folders = {0}, defines = {0};
  struct cli_p4_source p4 = {.folders = &folders, .defines = &defines};
  const struct cli_option options[] = {
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Options"},
      {CLI_TEXT, 0, "chip", "NAME", &chip, 0, 0,
       "compile for this shape (" SLUICE_DEFAULT_SHAPE ")"},
      {CLI_FLAG, 0, "json", NULL, &job.json, 0, 0, "print it as JSON"},
      {CLI_WRITE, 0, "dot", "FILE", &job.dot, 0, 0,
       "the longest chain of a program that does not fit, as a graph for dot -Tsvg"},
      {CLI_FLAG, 0, "pin", NULL, &job.pin, 0, 0, "keep every array in one pipeline"},
      {CLI_LIST, 'I', "include", "FOLDER", &folders, 0, 0,
       "of P4: a folder in which #include looks, behind that of the file"},
      {CLI_LIST, 'D', "define", "NAME[=TEXT]", &defines, 0, 0,
       "of P4: a macro, as if the program began with its #define"},
      {CLI_END, 0, NULL, NULL, NULL, 0, 0, NULL}};
  const enum cli_parsed parsed = cli_parse(argc, argv, &usage, options, &rest);
  if (parsed != CLI_GO) return cli_parsed_exit(parsed);
  if (rest.count != 1) {
    cli_error("explain needs one program");
    return CLI_USAGE;
  }
  if (job.json && job.dot && strcmp(job.dot, "-") == 0) {
    cli_error("--json and --dot -: one or the other");
    return CLI_USAGE;
  }
  job.chip = cli_chip(chip);
  if (!job.chip) return CLI_USAGE;
  if (cli_is_p4(rest.items[0])) return explain_p4(&job, rest.items[0], &p4);
  size_t len;
  char *text = cli_read_text(rest.items[0], MAX_LEN, &len);
  if (!text) return CLI_WORLD;
  job.text = text;
  const int code = explain(&job, rest.items[0], text, len);
  free(text);
  return code;
}
