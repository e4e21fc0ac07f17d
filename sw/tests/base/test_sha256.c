// SPDX-License-Identifier: Apache-2.0
// SHA-256: examples of the standard, and texts in pieces.

#include <unistd.h>

#include "tests/rig/test.h"
#include "base/sha256.h"

TEST(examples_of_the_standard) {
  static const struct {
    const char *text, *hash;
  } list[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
  };
  for (unsigned n = 0; n < sizeof list / sizeof *list; n++) {
    struct sluice_sha256 h;
    char text[SLUICE_SHA256_TEXT];
    sluice_sha256_begin(&h);
    sluice_sha256_add(&h, list[n].text, strlen(list[n].text));
    sluice_sha256_text(&h, text);
    assert_string_equal(text, list[n].hash);
  }
}

// Every length around the ends of blocks, in pieces of every size, is what the tool of the system
// says.
TEST(any_length_in_any_pieces) {
  char path[] = "/tmp/sluice-sha256-XXXXXX", command[100], wanted[SLUICE_SHA256_TEXT];
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  for (unsigned len = 50; len < 140; len += len < 70 || len > 115 ? 1 : 15) {
    uint8_t bytes[140];
    char text[SLUICE_SHA256_TEXT];
    FILE *file = fdopen(dup(fd), "r+");
    assert_non_null(file);
    for (unsigned n = 0; n < len; n++) bytes[n] = (uint8_t)(n * 37 + len);
    assert_int_equal(fseek(file, 0, SEEK_SET), 0);
    assert_int_equal(fwrite(bytes, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
    snprintf(command, sizeof command, "sha256sum %s", path);
    FILE *tool = popen(command, "r");
    assert_non_null(tool);
    assert_non_null(fgets(wanted, sizeof wanted, tool));
    while (fgetc(tool) != EOF) continue;
    assert_int_equal(pclose(tool), 0);
    assert_true(sluice_sha256_file(path, text));
    assert_string_equal(text, wanted);
    for (unsigned piece = 1; piece < 80; piece += 13) {
      struct sluice_sha256 h;
      sluice_sha256_begin(&h);
      for (unsigned at = 0; at < len; at += piece)
        sluice_sha256_add(&h, bytes + at, len - at < piece ? len - at : piece);
      sluice_sha256_text(&h, text);
      assert_string_equal(text, wanted);
    }
  }
  close(fd);
  unlink(path);
  assert_false(sluice_sha256_file("/nowhere/x", wanted));
}
