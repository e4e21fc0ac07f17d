// SPDX-License-Identifier: Apache-2.0
// The C file. All that is not the program's own begins with sluice_; #line directives say which
// lines are the program's. In a body:
//
//     extern const volatile int32_t threshold __asm__("sluice_value_threshold");   // read only
//     #define set_threshold(value) sluice_set(0, (value), __LINE__)
#include "source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counters.h"
#include "tables.h"

static bool is_name(const char *text) {
  size_t n = 0;
  while (isalnum((unsigned char)text[n]) || text[n] == '_') n++;
  return n && !text[n] && !isdigit((unsigned char)text[0]);
}

void reaction_c_name(char out[SLUICE_NAME_LEN], const char *name) {
  snprintf(out, SLUICE_NAME_LEN, "%s", name);
  for (char *c = out; *c; c++)
    if (!isalnum((unsigned char)*c)) *c = '_';
}

static enum sluice_status check_params(const struct sluice_image *image,
                                       struct sluice_error *error) {
  if (image->num_params > REACTION_MAX_PARAMS)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "a program with reactions has at most %d malleables", REACTION_MAX_PARAMS);
  for (size_t i = 0; i < image->num_params; i++) {
    const struct sluice_param *p = &image->params[i];
    if (!is_name(p->name))
      return sluice_fail(error, SLUICE_ERR_FORMAT, "malleable '%s' has no name of C", p->name);
    for (unsigned k = 0; k < p->num_choices; k++)
      if (!is_name(p->choice[k].name))
        return sluice_fail(error, SLUICE_ERR_FORMAT,
                           "choice '%s' of malleable '%s' has no name of C", p->choice[k].name,
                           p->name);
  }
  for (size_t i = 0; i < image->num_tables; i++) {
    const struct sluice_image_table *t = &image->tables[i];
    if (!is_name(t->name))
      return sluice_fail(error, SLUICE_ERR_FORMAT, "table '%s' has no name of C", t->name);
    for (unsigned k = 0; k < t->num_actions; k++)
      if (!is_name(t->actions[k].name))
        return sluice_fail(error, SLUICE_ERR_FORMAT, "action '%s' of table '%s' has no name of C",
                           t->actions[k].name, t->name);
  }
  return SLUICE_OK;
}

// ---- what bodies see ----------------------------------------------------------------------------

static void put_param(FILE *out, const struct sluice_param *p, size_t number) {
  fprintf(
      out,
      "int32_t sluice_value_%s = %d;\n#define set_%s(value) sluice_set(%zu, (value), __LINE__)\n",
      p->name, (int)p->value, p->name, number);
  if (!p->num_choices) return;
  fprintf(out, "enum %s_choice {", p->name);
  for (unsigned k = 0; k < p->num_choices; k++)
    fprintf(out, "%s %s_%s", k ? "," : "", p->name, p->choice[k].name);
  fprintf(out, " };\n");
}

static void put_list(FILE *out, const struct sluice_image *image, const char *name, bool high) {
  fprintf(out, "static const int32_t %s[] = {", name);
  for (size_t i = 0; i < image->num_params; i++)
    fprintf(out, "%lld, ", (long long)(high ? image->params[i].high : image->params[i].low));
  fprintf(out, "0};\n");
}

static void put_interface(FILE *out, const struct sluice_image *image) {
  const size_t num = image->num_params;
  fprintf(out,
          "// Made from the reactions of program '%s': it is made again, not changed.\n"
          "#include <limits.h>\n#include <math.h>\n#include <stdbool.h>\n#include "
          "<stddef.h>\n#include <stdint.h>\n"
          "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n"
          "void sluice_reaction_run(uint32_t which, int32_t refused, const int32_t *values, const "
          "int32_t *words);\n"
          "uint32_t sluice_reaction_effects(uint32_t *params, uint32_t *lines, int64_t *values);\n"
          "uint32_t sluice_reaction_changes(const int64_t **words);\n\n"
          "// The effects of the run before: 0: taken, 1: refused, what it had read had changed; "
          "2: wrong.\n"
          "static int32_t sluice_fate;\n#define sluice_refused (+sluice_fate)\n"
          "// 1: set, 2: to a value out of range.\n"
          "static uint8_t sluice_state[%zu];\nstatic int64_t sluice_wanted[%zu];\nstatic uint32_t "
          "sluice_lines[%zu];\n",
          image->program, num + 1, num + 1, num + 1);
  put_list(out, image, "sluice_low", false);
  put_list(out, image, "sluice_high", true);
  for (size_t i = 0; i < num; i++) put_param(out, &image->params[i], i);
  fprintf(out, "static int32_t *const sluice_values[] = {");
  for (size_t i = 0; i < num; i++) fprintf(out, "&sluice_value_%s, ", image->params[i].name);
  fprintf(
      out,
      "NULL};\n\n"
      "static inline void sluice_set(uint32_t param, int64_t value, uint32_t line) {\n"
      "  if (sluice_state[param] == 2) return;\n"
      "  sluice_state[param] = value < sluice_low[param] || value > sluice_high[param] ? 2 : 1;\n"
      "  sluice_wanted[param] = value;\n"
      "  sluice_lines[param] = line;\n"
      "  if (sluice_state[param] == 1) *sluice_values[param] = (int32_t)value;\n"
      "}\n\n");
  reaction_put_tables(out, image);
  reaction_put_counters(out, image);
}

// ---- bodies -------------------------------------------------------------------------------------

static void put_span(FILE *out, const struct sluice_image *image, struct sluice_text_span span) {
  if (span.len) fwrite(image->texts + span.at, 1, span.len, out);
}

// Its column is that of the program, so that a compiler's caret stands where it belongs.
static void put_body(FILE *out, const struct sluice_image *image, const struct sluice_reaction *r,
                     const char *file) {
  put_span(out, image, r->defines);
  fprintf(out, "#line %u \"%s\"\nstatic void reaction_%s(", r->line, file, r->name);
  for (unsigned i = 0; i < r->num_args; i++) {
    const struct sluice_reaction_arg *a = &r->args[i];
    char name[SLUICE_NAME_LEN];
    reaction_c_name(name, a->name);
    if (a->is_counters) {
      fprintf(
          out,
          "%sconst int32_t %s_count __attribute__((unused)), const struct %s_entry %s[static %u]",
          i ? ", " : "", name, name, name, a->num);
      continue;
    }
    fprintf(out, "%sconst int32_t %s", i ? ", " : "", name);
    if (!a->scalar) fprintf(out, "[static %u]", a->first + a->num);
  }
  fprintf(out, "%s) {", r->num_args ? "" : "void");
  for (size_t i = 0; i < image->num_params; i++)
    fprintf(
        out,
        " extern const volatile int32_t %s __asm__(\"sluice_value_%s\") __attribute__((unused));",
        image->params[i].name, image->params[i].name);
  // The body is a block in the function: it may hide what it does not want to see.
  fprintf(out, "\n#line %u \"%s\"\n%*s{", r->line, file, r->column > 1 ? (int)r->column - 1 : 0,
          "");
  put_span(out, image, r->text);
  fprintf(out, "}\n}\n#line 1 \"reactions.c\"\n");
}

// Entries behind the slice's last are not there; those before its first are 0.
static void put_case(FILE *out, const struct sluice_reaction *r, size_t number) {
  size_t at = 0;
  fprintf(out, "    case %zu: {\n", number);
  for (unsigned i = 0; i < r->num_args; i++) {
    const struct sluice_reaction_arg *a = &r->args[i];
    if (a->is_counters)
      fprintf(out,
              "      static struct %s_entry sluice_arg_%u[%u];\n      "
              "sluice_take_%s(sluice_arg_%u, sluice_words + %zu);\n",
              a->name, i, a->num, a->name, i, at);
    else if (!a->scalar)
      fprintf(out,
              "      static int32_t sluice_arg_%u[%u];\n      memcpy(sluice_arg_%u + %u, "
              "sluice_words + %zu, %u * sizeof(int32_t));\n",
              i, a->first + a->num, i, a->first, at, a->num);
    at += sluice_reaction_arg_words(a);
  }
  at = 0;
  fprintf(out, "      reaction_%s(", r->name);
  for (unsigned i = 0; i < r->num_args; i++) {
    const struct sluice_reaction_arg *a = &r->args[i];
    if (a->is_counters) fprintf(out, "%ssluice_words[%zu], sluice_arg_%u", i ? ", " : "", at, i);
    else if (a->scalar) fprintf(out, "%ssluice_words[%zu]", i ? ", " : "", at);
    else fprintf(out, "%ssluice_arg_%u", i ? ", " : "", i);
    at += sluice_reaction_arg_words(a);
  }
  fprintf(out, ");\n      break;\n    }\n");
}

static void put_ends(FILE *out, const struct sluice_image *image) {
  fprintf(out, "\nvoid sluice_reaction_run(uint32_t sluice_which, int32_t sluice_before, const "
               "int32_t *sluice_now, const int32_t *sluice_words) {\n"
               "  (void)sluice_words;\n"
               "  sluice_fate = sluice_before;\n"
               "  sluice_num_changes = 0;\n"
               "  for (size_t sluice_i = 0; sluice_values[sluice_i]; sluice_i++) {\n"
               "    sluice_state[sluice_i] = 0;\n"
               "    *sluice_values[sluice_i] = sluice_now[sluice_i];\n"
               "  }\n"
               "  switch (sluice_which) {\n");
  for (size_t i = 0; i < image->num_reactions; i++) put_case(out, &image->reactions[i], i);
  fprintf(out, "  }\n"
               "}\n\n"
               "uint32_t sluice_reaction_effects(uint32_t *sluice_params, uint32_t *sluice_at, "
               "int64_t *sluice_to) {\n"
               "  uint32_t sluice_num = 0;\n"
               "  for (uint32_t sluice_i = 0; sluice_values[sluice_i]; sluice_i++) {\n"
               "    if (!sluice_state[sluice_i]) continue;\n"
               "    sluice_params[sluice_num] = sluice_i;\n"
               "    sluice_at[sluice_num] = sluice_lines[sluice_i];\n"
               "    sluice_to[sluice_num++] = sluice_wanted[sluice_i];\n"
               "  }\n"
               "  return sluice_num;\n"
               "}\n\n"
               "uint32_t sluice_reaction_changes(const int64_t **sluice_to) {\n"
               "  *sluice_to = sluice_changes[0];\n"
               "  return sluice_num_changes;\n"
               "}\n");
}

// What stands between the quotes of #line.
static void escaped(char *out, size_t size, const char *file) {
  size_t n = 0;
  for (; *file && n + 3 < size; file++) {
    if (*file == '"' || *file == '\\') out[n++] = '\\';
    out[n++] = (unsigned char)*file < 32 ? '?' : *file;
  }
  out[n] = 0;
}

enum sluice_status reaction_source(const struct sluice_image *image, const char *file, char **text,
                                   struct sluice_error *error) {
  size_t len = 0;
  char name[2 * 4096];
  *text = NULL;
  SLUICE_TRY(check_params(image, error));
  FILE *out = open_memstream(text, &len);
  if (!out) return sluice_no_memory(error);
  put_interface(out, image);
  for (size_t i = 0; i < image->num_reactions; i++) {
    const struct sluice_reaction *r = &image->reactions[i];
    escaped(name, sizeof name, file ? file : r->file);
    put_body(out, image, r, name);
  }
  put_ends(out, image);
  if (fclose(out) == 0 && *text) return SLUICE_OK;
  free(*text);
  *text = NULL;
  return sluice_no_memory(error);
}
