// SPDX-License-Identifier: Apache-2.0
// The P4 front end on whole texts. Those in sw/tests/p4/accept and sw/programs/p4 are taken,
// without an error. Those in sw/tests/p4/reject are refused, with exactly the errors that their
// comments tell: `// ERROR 14:9 the beginning of the sentence`. `// WARNING` is the same of
// warnings, in both folders; other warnings may be there, unless the text says `// NO WARNINGS`.
#include <dirent.h>

#include "tests/rig/test.h"
#include "p4/front.h"

enum { MOST_TEXT = 1 << 20 };

struct outcome {
  struct p4_messages messages;
  struct p4_program *program;
  char text[MOST_TEXT];
  size_t len;
};

static void run(struct outcome *o, const char *path) {
  static const char *const folders[] = {"sw/tests/p4/include"};
  const struct p4_options options = {.num_folders = 1, .folders = folders};
  FILE *in = fopen(path, "rb");
  assert_non_null(in);
  o->len = fread(o->text, 1, sizeof o->text - 1, in);
  o->text[o->len] = 0;
  fclose(in);
  o->messages = (struct p4_messages){0};
  o->program = p4_front(path, o->text, o->len, &options, &o->messages);
}

static void finish(struct outcome *o) {
  p4_program_free(o->program);
  p4_messages_release(&o->messages);
}

// Whether a message of this severity is at this place and begins so; it is then taken out.
static bool take(struct p4_messages *m, enum p4_severity severity, unsigned line, unsigned column,
                 const char *text) {
  for (size_t i = 0; i < m->num; i++) {
    struct p4_message *d = &m->list[i];
    if (d->severity != severity || d->place.line != line || d->place.column != column ||
        m->files[d->place.file].built_in || strncmp(d->text, text, strlen(text)) != 0)
      continue;
    d->severity = P4_NOTE;
    return true;
  }
  return false;
}

// The places that comments tell; how many are not there, or are wrong.
static unsigned compare(struct outcome *o, const char *path, const char *word,
                        enum p4_severity severity, unsigned *told) {
  unsigned wrong = 0;
  char text[300];
  *told = 0;
  for (const char *at = o->text; (at = strstr(at, word)); at++) {
    unsigned line, column;
    if (sscanf(at + strlen(word), " %u:%u %299[^\n]", &line, &column, text) != 3) continue;
    ++*told;
    if (take(&o->messages, severity, line, column, text)) continue;
    print_error("%s: lacks %s %u:%u %s\n", path, word, line, column, text);
    wrong++;
  }
  return wrong;
}

static unsigned left(const struct outcome *o, const char *path, enum p4_severity severity) {
  unsigned num = 0;
  for (size_t i = 0; i < o->messages.num; i++) {
    const struct p4_message *d = &o->messages.list[i];
    if (d->severity != severity) continue;
    num++;
    print_error("%s:%u:%u: not told: %s [%s]\n", path, d->place.line, d->place.column, d->text,
                d->id);
  }
  return num;
}

static unsigned check(struct outcome *o, const char *path, bool accepts) {
  unsigned told, warned;
  run(o, path);
  const bool accepted = o->program != NULL;
  unsigned wrong = accepted != accepts;
  if (wrong) print_error("%s is %s\n", path, accepted ? "accepted" : "refused");
  wrong += compare(o, path, "// ERROR", P4_ERROR, &told);
  wrong += compare(o, path, "// WARNING", P4_WARNING, &warned);
  wrong += left(o, path, P4_ERROR);
  if (strstr(o->text, "// NO WARNINGS")) wrong += left(o, path, P4_WARNING);
  if (!accepts && !told) {
    print_error("%s tells no error\n", path);
    wrong++;
  }
  finish(o);
  return wrong;
}

// How many texts of a folder there are; each is what the tests say.
static unsigned check_folder(const char *folder, bool accepts) {
  DIR *dir = opendir(folder);
  struct outcome *o = malloc(sizeof *o);
  unsigned num = 0, wrong = 0;
  assert_non_null(dir);
  assert_non_null(o);
  for (const struct dirent *entry; (entry = readdir(dir));) {
    char path[600];
    const char *dot = strrchr(entry->d_name, '.');
    if (!dot || strcmp(dot, ".p4") != 0) continue;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    wrong += check(o, path, accepts);
    num++;
  }
  closedir(dir);
  free(o);
  assert_int_equal(wrong, 0);
  return num;
}

TEST(accepts_what_the_language_has) { assert_true(check_folder("sw/tests/p4/accept", true) >= 80); }

TEST(refuses_with_place_and_sentence) {
  assert_true(check_folder("sw/tests/p4/reject", false) >= 200);
}

TEST(takes_the_programs_of_the_tutorials) {
  assert_int_equal(check_folder("sw/programs/p4", true), 13);
  assert_int_equal(check_folder("sw/programs/p4/menshen", true), 8);
}
