// SPDX-License-Identifier: Apache-2.0
// Trees of JSON: built, saved, and read by name; keys that nobody knows.

#include <unistd.h>

#include "tests/rig/test.h"
#include "base/json.h"
#include "base/nearest.h"
#include "tests/rig/texts.h"

TEST(a_tree_with_a_hole_is_not_saved) {
  struct sluice_error error;
  char path[] = "/tmp/sluice-json-XXXXXX";
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  json_t *root CLOSED_BY(drop_json) = json_object(), *list = json_array();
  sluice_json_add_int(list, 7);
  sluice_json_set(root, "list", list);
  sluice_json_set_int(root, "n", UINT64_C(1) << 40);
  sluice_json_set_text(root, "text", "a\xff\n");
  sluice_json_set_path(root, "path", "/tmp/\xff", "x y");
  assert_int_equal(sluice_json_save(root, JSON_COMPACT, path, &error), SLUICE_OK);
  char *is CLOSED_BY(freed) = text_of(path);
  assert_string_equal(
      is,
      "{\"list\":[7],\"n\":1099511627776,\"text\":\"a\\\\xff\\\\x0a\",\"path\":\"/tmp/%ff/x y\"}");
  sluice_json_set(root, "bad", json_string("\xff"));
  assert_int_equal(sluice_json_save(root, JSON_COMPACT, path, &error), SLUICE_ERR_NOMEM);
  assert_non_null(strstr(error.text, "not UTF-8"));
  char *still CLOSED_BY(freed) = text_of(path);
  assert_string_equal(is, still);
  // The hole is told once.
  assert_int_equal(sluice_json_save(root, JSON_COMPACT, path, &error), SLUICE_OK);
  assert_int_equal(sluice_json_save(root, JSON_COMPACT, "/nowhere/x", &error), SLUICE_ERR_IO);
  unlink(path);
}

TEST(what_is_not_there_is_nothing) {
  json_t *root CLOSED_BY(drop_json) = json_pack("{s:i s:f s:s}", "n", -3, "r", 0.5, "t", "x");
  assert_int_equal(sluice_json_int(root, "n"), -3);
  assert_true(sluice_json_real(root, "r") == 0.5);
  assert_true(sluice_json_real(root, "n") == -3);
  assert_string_equal(sluice_json_text(root, "t"), "x");
  assert_int_equal(sluice_json_int(root, "t"), 0);
  assert_string_equal(sluice_json_text(root, "n"), "");
  assert_string_equal(sluice_json_text(NULL, "n"), "");
}

TEST(unknown_keys_are_told_with_what_was_meant) {
  static const struct {
    const char *key, *why;
  } all[] = {
      {"vid", NULL},
      {"image", NULL},
      {"vids", "no key 'vids' is known: did you mean 'vid'?"},
      {"imag", "no key 'imag' is known: did you mean 'image'?"},
      {"colour", "no key 'colour' is known; there are: vid image"},
      {"", "no key '' is known; there are: vid image"},
      {"vid image", "no key 'vid image' is known; there are: vid image"},
      {"a\x1b", "no key 'a\\x1b' is known; there are: vid image"},
  };
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    json_t *root CLOSED_BY(drop_json) = json_object();
    char why[100] = "";
    json_object_set_new(root, "vid", json_integer(1));
    json_object_set_new(root, all[i].key, json_integer(1));
    assert_int_equal(sluice_json_only(root, "vid image", why, sizeof why), !all[i].why);
    if (all[i].why) assert_string_equal(why, all[i].why);
  }
}

TEST(a_word_is_near_if_little_is_changed) {
  const char *near = NULL;
  unsigned best = SLUICE_NEAR;
  assert_false(sluice_nearer("zz", "ab", &near, &best));
  assert_true(sluice_nearer("relaod", "reload", &near, &best));
  assert_int_equal(best, 1);
  assert_false(sluice_nearer("relaod", "relaods", &near, &best));
  assert_string_equal(near, "reload");
  best = SLUICE_NEAR;
  assert_true(sluice_nearer("rnu", "run", &near, &best));
  assert_int_equal(best, 1);
  // Neighbours only: these are two changes.
  best = SLUICE_NEAR;
  assert_true(sluice_nearer("tnyi", "tiny", &near, &best));
  assert_int_equal(best, 2);
}
