// SPDX-License-Identifier: Apache-2.0
// What comes from outside may be anything (fuzz_formats.h): the files in sw/tests/fuzz/formats as
// they are, and damaged at random.

#include <dirent.h>

#include "tests/rig/test.h"
#include "base/rng.h"
#include "tests/rig/fuzz_formats.h"

enum { LONGEST = 1 << 16 };

static struct sluice_rng rng;

static size_t below(size_t n) { return (size_t)sluice_rng_below(&rng, n); }

// Bits and bytes are others, a part is gone, or stands twice.
static size_t damage(uint8_t *bytes, size_t len) {
  for (size_t n = 1 + below(4); n && len; n--) {
    const size_t at = below(len);
    const size_t some = below(len - at < 64 ? len - at : 64);
    switch (below(5)) {
      case 0: bytes[at] ^= (uint8_t)(1u << below(8)); break;
      case 1: bytes[at] = (uint8_t)below(256); break;
      case 2: bytes[at] = below(2) ? 0xff : 0; break;
      case 3:
        memmove(bytes + at, bytes + at + some, len - at - some);
        len -= some;
        break;
      default:
        if (len + some > LONGEST) break;
        memmove(bytes + at + some, bytes + at, len - at);
        len += some;
    }
  }
  return len;
}

// Images say for which layouts they are. These are for those of today, whatever the file says.
static void set_hash(uint8_t *bytes, size_t len) {
  static const char key[] = "\"layout_hash\": \"";
  char hash[9];
  uint8_t *at = memmem(bytes, len, key, strlen(key));
  snprintf(hash, sizeof hash, "%08x", sluice_layout_hash());
  if (at) memcpy(at + strlen(key), hash, 8);
}

static void check(unsigned format, const char *path, unsigned times) {
  static uint8_t whole[LONGEST], bytes[LONGEST];
  FILE *in = fopen(path, "rb");
  if (!in) fail_msg("cannot read %s", path);
  const size_t len = fread(whole, 1, sizeof whole, in);
  fclose(in);
  set_hash(whole, len);
  struct sluice_image *image = NULL;
  if (format == 0) {
    struct sluice_error error;
    if (sluice_image_parse(&image, (char *)whole, len, path, NULL, &error))
      fail_msg("%s", error.text);
    sluice_image_close(image);
  }
  const char *wrong = fuzz_formats[format].one(whole, len);
  if (wrong) fail_msg("%s: %s", path, wrong);
  for (unsigned n = 0; n < times; n++) {
    memcpy(bytes, whole, len);
    const size_t now = damage(bytes, len);
    uint8_t *exact = malloc(now + 1);  // so that a byte behind the end is seen
    assert_non_null(exact);
    memcpy(exact, bytes, now);
    wrong = fuzz_formats[format].one(exact, now);
    free(exact);
    if (wrong) fail_msg("%s, damaged %u times: %s", path, n + 1, wrong);
  }
}

static void all_of(unsigned format, unsigned times) {
  char dir[100], path[400];
  struct dirent **list;
  unsigned files = 0;
  snprintf(dir, sizeof dir, "sw/tests/fuzz/formats/%s", fuzz_formats[format].name);
  const int num = scandir(dir, &list, NULL, alphasort);
  assert_true(num > 2);
  sluice_rng_init(&rng, 1, fuzz_formats[format].name);
  for (int i = 0; i < num; i++) {
    snprintf(path, sizeof path, "%s/%s", dir, list[i]->d_name);
    if (list[i]->d_name[0] != '.') {
      check(format, path, times);
      files++;
    }
    free(list[i]);
  }
  free(list);
  printf("%s: %u files, each damaged %u times (seed 1)\n", fuzz_formats[format].name, files, times);
}

TEST(images_are_loaded_or_refused) { all_of(0, 300); }
TEST(captures_are_read_or_refused) { all_of(1, 2000); }
TEST(frames_are_taken_or_refused) { all_of(2, 2000); }
TEST(frames_of_the_line_are_found_again) { all_of(3, 2000); }
