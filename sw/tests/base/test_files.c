// SPDX-License-Identifier: Apache-2.0
// Small modules of sw/base: files that are read and written whole, bytes, hash.

#include <sys/stat.h>
#include <unistd.h>

#include "tests/rig/test.h"
#include "base/bytes.h"
#include "base/files.h"
#include "base/hash.h"
#include "tests/rig/texts.h"

static char folder[] = "/tmp/sluice-files-XXXXXX";
static char path[64], other[64];
static struct sluice_error error;

static int make_folder(void **state) {
  (void)state;
  if (!mkdtemp(folder)) return -1;
  snprintf(path, sizeof path, "%s/a", folder);
  snprintf(other, sizeof other, "%s/b", folder);
  return 0;
}

static int remove_folder(void **state) {
  (void)state;
  unlink(path);
  unlink(other);
  return rmdir(folder);  // fails if anything else was left
}

static void holds(const char *text) {
  char *is CLOSED_BY(freed) = text_of(path);
  assert_string_equal(is, text);
}

TEST(a_file_is_written_whole) {
  struct stat info;
  const mode_t mask = umask(027);
  assert_int_equal(sluice_file_write(path, "one", 3, &error), SLUICE_OK);
  umask(mask);
  assert_int_equal(stat(path, &info), 0);
  assert_int_equal(info.st_mode & 0777, 0640);
  holds("one");
  chmod(path, 0604);
  assert_int_equal(sluice_file_write(path, "two", 3, &error), SLUICE_OK);
  assert_int_equal(stat(path, &info), 0);
  assert_int_equal(info.st_mode & 0777, 0604);
  holds("two");
}

TEST(or_not_at_all) {
  struct sluice_out out;
  assert_int_equal(sluice_file_write(path, "old", 3, &error), SLUICE_OK);
  assert_int_equal(sluice_out_open(&out, path, &error), SLUICE_OK);
  fputs("half", out.file);
  fflush(out.file);
  holds("old");
  snprintf(error.text, sizeof error.text, "mine");
  assert_int_equal(sluice_out_close(&out, false, &error), SLUICE_ERR_FORMAT);
  assert_string_equal(error.text, "mine");
  holds("old");
}

TEST(links_and_devices_stay_what_they_are) {
  struct stat info;
  unlink(path);
  assert_int_equal(symlink("b", path), 0);
  assert_int_equal(sluice_file_write(path, "far", 3, &error), SLUICE_OK);
  assert_int_equal(lstat(path, &info), 0);
  assert_true(S_ISLNK(info.st_mode));
  holds("far");
  unlink(path);
  assert_int_equal(link(other, path), 0);
  assert_int_equal(sluice_file_write(path, "both", 4, &error), SLUICE_OK);
  assert_int_equal(stat(path, &info), 0);
  assert_int_equal(info.st_nlink, 2);
  holds("both");
  unlink(path);
  if (access("/dev/full", W_OK) != 0) return;
  assert_int_equal(sluice_file_write("/dev/full", "x", 1, &error), SLUICE_ERR_IO);
  assert_string_equal(error.text, "cannot write '/dev/full': No space left on device");
}

TEST(what_cannot_be_read_is_told) {
  struct sluice_file file;
  assert_int_equal(sluice_file_read(&file, "/nowhere/x", 9, NULL, &error), SLUICE_ERR_IO);
  assert_string_equal(error.text, "cannot open '/nowhere/x': No such file or directory");
  assert_int_equal(sluice_file_read(&file, "/", 9, NULL, &error), SLUICE_ERR_IO);
  assert_string_equal(error.text, "cannot read '/': Is a directory");
  assert_int_equal(sluice_file_read(&file, "/dev/zero", 100000, NULL, &error), SLUICE_ERR_FORMAT);
  assert_string_equal(error.text, "'/dev/zero' is longer than 100000 bytes");
  assert_null(file.bytes);
  assert_int_equal(sluice_file_write("/nowhere/x", "", 0, &error), SLUICE_ERR_IO);
  assert_string_equal(error.text, "cannot write '/nowhere/x': No such file or directory");
}

TEST(a_limit_is_a_limit) {
  struct sluice_file file CLOSED_BY(sluice_file_release);
  char *bytes CLOSED_BY(freed) = malloc(70000);
  memset(bytes, 'x', 70000);
  assert_int_equal(sluice_file_write(path, bytes, 70000, &error), SLUICE_OK);
  assert_int_equal(sluice_file_read(&file, path, 70000, NULL, &error), SLUICE_OK);
  assert_int_equal(file.len, 70000);
  assert_memory_equal(file.bytes, bytes, 70000);
  assert_int_equal(file.bytes[70000], 0);
  sluice_file_release(&file);
  assert_int_equal(sluice_file_read(&file, path, 69999, NULL, &error), SLUICE_ERR_FORMAT);
  assert_int_equal(sluice_file_copy(path, other, &error), SLUICE_OK);
  assert_int_equal(sluice_file_read(&file, other, 70000, NULL, &error), SLUICE_OK);
  assert_memory_equal(file.bytes, bytes, 70000);
}

TEST(texts_have_neither_marks_nor_zeros) {
  struct sluice_file file;
  assert_int_equal(sluice_file_write(path, "\xef\xbb\xbfhello", 8, &error), SLUICE_OK);
  assert_int_equal(sluice_text_read(&file, path, 100, NULL, &error), SLUICE_OK);
  assert_string_equal(file.bytes, "hello");
  assert_int_equal(file.len, 5);
  sluice_file_release(&file);
  assert_int_equal(sluice_file_write(path, "a\nb\n\0c", 6, &error), SLUICE_OK);
  assert_int_equal(sluice_text_read(&file, path, 100, NULL, &error), SLUICE_ERR_FORMAT);
  assert_non_null(strstr(error.text, "line 3: a zero byte"));
  assert_int_equal(sluice_file_write(path, "", 0, &error), SLUICE_OK);
  assert_int_equal(sluice_text_read(&file, path, 100, NULL, &error), SLUICE_ERR_FORMAT);
  assert_non_null(strstr(error.text, "line 1: the file is empty"));
}

// ---- bytes and hash -----------------------------------------------------------------------------

TEST(numbers_are_in_network_order) {
  uint8_t b[8] = {0};
  sluice_put16(b, 0x11234);
  assert_memory_equal(b, "\x12\x34", 2);
  sluice_put32(b, UINT64_C(0x1deadbeef));
  assert_memory_equal(b, "\xde\xad\xbe\xef", 4);
  assert_int_equal(sluice_get16(b + 1), 0xadbe);
  assert_int_equal(sluice_get32(b), 0xdeadbeef);
  sluice_put(b, 6, UINT64_C(0x0123456789abcdef));
  assert_memory_equal(b, "\x45\x67\x89\xab\xcd\xef", 6);
  assert_true(sluice_get(b, 6) == UINT64_C(0x456789abcdef));
  assert_true(sluice_get(b, 0) == 0);
}

// Values of the hash's authors.
TEST(the_hash_is_fnv_1a) {
  assert_int_equal(sluice_hash32(SLUICE_HASH32, "foobar", 6), 0xbf9cf968);
  assert_int_equal(sluice_hash32(sluice_hash32(SLUICE_HASH32, "foo", 3), "bar", 3), 0xbf9cf968);
  assert_true(sluice_hash64(SLUICE_HASH64, "foobar", 6) == UINT64_C(0x85944171f73967e8));
}

TEST_GROUP(make_folder, remove_folder)
