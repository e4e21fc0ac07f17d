// SPDX-License-Identifier: Apache-2.0
// Prints what a page of `sluice run --view` holds of its packets: the texts of their stories, or
// with --json an object of JSON a line. usage: view_read PAGE [--json]
#include "tests/rig/view_read.h"

static char *whole_file(const char *path) {
  char *text = NULL;
  size_t room = 0;
  FILE *in = fopen(path, "r");
  if (!in || getdelim(&text, &room, 0, in) < 0) return NULL;
  fclose(in);
  return text;
}

int main(int argc, char **argv) {
  struct view_read r;
  char *page = argc > 1 ? whole_file(argv[1]) : NULL;
  const int as_json = argc > 2;
  if (!page || view_read_open(&r, page) != 0) {
    fprintf(stderr, "no page: '%s'\n", argc > 1 ? argv[1] : "");
    return 1;
  }
  FILE *nothing = fopen("/dev/null", "w");
  json_t *story;
  for (unsigned n = 0; (story = view_read_next(&r, as_json ? nothing : stdout)) != NULL; n++) {
    if (as_json) json_dumpf(story, stdout, JSON_COMPACT | JSON_SORT_KEYS);
    // A difference of 0 to the number before: another pass of the same packet.
    if (as_json || (r.at < r.len && r.bytes[r.at] != 0)) fputc('\n', stdout);
    json_decref(story);
  }
  fclose(nothing);
  view_read_close(&r);
  free(page);
  return 0;
}
