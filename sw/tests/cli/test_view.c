// SPDX-License-Identifier: Apache-2.0
// The page of --view holds stories and texts as they were: written, and read again.

#include "tests/rig/test.h"
#include "base/rng.h"
#include "cli/view.h"
#include "tests/rig/view_read.h"

// Numbers, leading zeros, hexadecimal digits, what must not end a script, what is at an edge of 64
// bits, words beside places.
static const char *const texts[] = {
    "packet 1: 64 bytes\n  bytes 0..3: 0000000a -> deadbeef\n",
    "0 00 007 9007199254740993 123456789012345 1234567890123456 -5 a1b 0x0a 0x 0xzz 2B[0]\n",
    "line 3: if (a < 5 && b > \"x\") c = '\\\\' & ~1; </script><script>\n\n\ttab \xc3\xa9\n",
    "\n",
    "",
};
enum { NUM_TEXTS = sizeof texts / sizeof texts[0] };

static json_t *story_of(unsigned number) {
  return json_pack("{s:I s:{s:i s:i s:i s:i s:i} s:s s:i s:{s:i s:i s:i s:{s:i s:i}} s:[{s:i s:i "
                   "s:i}, {s:i}] s:{s:i s:[i, i]} s:[{s:i s:i s:i}]}",
                   "packet", (json_int_t)number, "in", "first_cycle", (int)number - 3, "cycle",
                   (int)number, "len", 64, "port", 3, "lane", 1, "module", "m", "vlan",
                   (int)(number % 3), "order", "cycle", (int)number + 20, "first_of_lane",
                   (int)number + 25, "behind", 2, "held", "pacing", 2, "window", 300, "back",
                   "stage", 1, "pipeline", 3, "cycle", (int)number + 30, "stage", 2, "exit",
                   "cycle", (int)number + 40, "full", 1, 2, "out", "port", 5, "first_cycle",
                   (int)number + 50, "cycle", (int)number + 51);
}

// The page as a string.
static char *page_of(struct view *view, json_t *run) {
  char *page = NULL;
  size_t len = 0;
  FILE *out = open_memstream(&page, &len);
  assert_non_null(out);
  assert_true(view_write(view, run, out));
  assert_int_equal(fclose(out), 0);
  return page;
}

static char *next_text(struct view_read *r, json_t **story) {
  char *text = NULL;
  size_t len = 0;
  FILE *out = open_memstream(&text, &len);
  *story = view_read_next(r, out);
  fclose(out);
  return text;
}

TEST(test_round_trip) {
  struct view *view = view_open();
  struct view_read r CLOSED_BY(view_read_close);
  json_t *run = json_pack("{s:s}", "said", "a < b </script>"), *story;
  for (unsigned n = 12; n > 0; n--) {
    story = story_of(n);
    assert_true(view_add(view, story, texts[n % NUM_TEXTS]));
    json_decref(story);
  }
  char *page CLOSED_BY(freed) = page_of(view, run);
  assert_int_equal(view_read_open(&r, page), 0);
  assert_string_equal(json_string_value(json_object_get(r.run, "said")), "a < b </script>");
  assert_int_equal(json_integer_value(json_object_get(r.run, "packets")), 12);
  for (unsigned n = 1; n <= 12; n++) {
    char *text CLOSED_BY(freed) = next_text(&r, &story);
    assert_string_equal(text, texts[n % NUM_TEXTS]);
    char want[600], module[20];
    snprintf(module, sizeof module, "m (VLAN %u)", n % 3);
    snprintf(
        want, sizeof want,
        "{\"accesses\":[{\"cycle\":%u,\"pipeline\":3,\"stage\":1}],\"exit\":{\"cycle\":%u,\"full\":"
        "2},\"in\":{\"cycle\":%u,\"first_cycle\":%d,\"lane\":1,\"len\":64,\"port\":3},\"module\":"
        "\"%s\",\"order\":{\"behind\":2,\"cycle\":%u,\"first_of_lane\":%u,\"held\":{\"pacing\":2,"
        "\"window\":300}},\"out\":[{\"cycle\":%u,\"first_cycle\":%u,\"port\":5}],\"packet\":%u}",
        n + 30, n + 40, n, (int)n - 3, module, n + 20, n + 25, n + 51, n + 50, n);
    char *got CLOSED_BY(freed) = json_dumps(story, JSON_COMPACT | JSON_SORT_KEYS);
    assert_string_equal(got, want);
    json_decref(story);
  }
  assert_int_equal(r.at, r.len);
  json_decref(run);
  view_close(view);
}

// Each pass of a packet stands for itself, in the order of passes, in whatever order they were
// added.
TEST(test_passes) {
  static const unsigned rounds[] = {2, 0, 1};
  struct view *view = view_open();
  struct view_read r CLOSED_BY(view_read_close);
  json_t *run = json_object(), *story;
  for (unsigned i = 0; i < 3; i++) {
    char text[40];
    story = story_of(7);
    if (rounds[i]) json_object_set_new(story, "round", json_integer(rounds[i]));
    snprintf(text, sizeof text, "packet 7, round %u\n", rounds[i]);
    assert_true(view_add(view, story, text));
    json_decref(story);
  }
  char *page CLOSED_BY(freed) = page_of(view, run);
  assert_int_equal(view_read_open(&r, page), 0);
  for (unsigned i = 0; i < 3; i++) {
    char want[40];
    snprintf(want, sizeof want, "packet 7, round %u\n", i);
    char *text CLOSED_BY(freed) = next_text(&r, &story);
    assert_string_equal(text, want);
    assert_int_equal(json_integer_value(json_object_get(story, "packet")), 7);
    json_decref(story);
  }
  json_decref(run);
  view_close(view);
}

// A page is one file of well-formed parts, and nothing of the data ends them.
TEST(test_page) {
  struct view *view = view_open();
  json_t *run = json_pack("{s:s}", "said", "</script><script>alert(1)</script>");
  char *page CLOSED_BY(freed) = page_of(view, run);
  unsigned begins = 0, ends = 0;
  for (const char *at = page; (at = strstr(at, "<script")) != NULL; at++) begins++;
  for (const char *at = page; (at = strstr(at, "</script>")) != NULL; at++) ends++;
  assert_int_equal(begins, 3);
  assert_int_equal(ends, 3);
  assert_non_null(strstr(page, "font: 14px"));
  assert_non_null(strstr(page, ".replace(/\\s+/g, '')"));
  assert_int_equal(strncmp(page, "<!DOCTYPE html>\n", 16), 0);
  assert_int_equal(strcmp(page + strlen(page) - 8, "</html>\n"), 0);
  json_decref(run);
  view_close(view);
}

// Many lines, of which many are alike but for numbers: few templates.
TEST(test_templates) {
  struct view *view = view_open();
  struct view_read r CLOSED_BY(view_read_close);
  struct sluice_rng rng;
  json_t *run = json_object(), *story;
  sluice_rng_init(&rng, 1, "view");
  for (unsigned n = 1; n <= 5000; n++) {
    char text[200];
    snprintf(text, sizeof text, "packet %u of %016llx\nkind %c\n", n,
             (unsigned long long)sluice_rng_next(&rng), 'a' + (int)(n % 7));
    story = story_of(n);
    assert_true(view_add(view, story, text));
    json_decref(story);
  }
  char *page CLOSED_BY(freed) = page_of(view, run);
  assert_int_equal(view_read_open(&r, page), 0);
  assert_in_range(json_array_size(json_object_get(r.run, "templates")), 8, 40);
  sluice_rng_init(&rng, 1, "view");
  for (unsigned n = 1; n <= 5000; n++) {
    char want[200];
    snprintf(want, sizeof want, "packet %u of %016llx\nkind %c\n", n,
             (unsigned long long)sluice_rng_next(&rng), 'a' + (int)(n % 7));
    char *text CLOSED_BY(freed) = next_text(&r, &story);
    assert_string_equal(text, want);
    json_decref(story);
  }
  json_decref(run);
  view_close(view);
}
