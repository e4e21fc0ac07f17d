// SPDX-License-Identifier: Apache-2.0
// Text from outside made fit for terminals and JSON.

#include "tests/rig/test.h"
#include "base/layouts.h"
#include "base/text.h"

TEST(cleans_what_a_terminal_would_obey) {
  const struct {
    const char *from, *to;
  } cases[] = {
      {"plain 'text'", "plain 'text'"},
      {"\033[2J", "\\x1b[2J"},
      {"a\nEQUIVALENT", "a\\x0aEQUIVALENT"},
      {"gr\303\274n \342\202\254 \360\237\230\200", "gr\303\274n \342\202\254 \360\237\230\200"},
      {"\302\233", "\\xc2\\x9b"},  // a control character of two bytes
      {"\377.pcap", "\\xff.pcap"},
      {"\303", "\\xc3"},                    // cut
      {"\300\257", "\\xc0\\xaf"},           // longer than needed
      {"\355\240\200", "\\xed\\xa0\\x80"},  // a surrogate
      {"\364\220\200\200", "\\xf4\\x90\\x80\\x80"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char clean[80];
    sluice_text_clean(clean, sizeof clean, cases[i].from, false);
    assert_string_equal(clean, cases[i].to);
  }
  char lines[16], small[8];
  sluice_text_clean(lines, sizeof lines, "a\nb", true);
  assert_string_equal(lines, "a\nb");
  sluice_text_clean(small, sizeof small, "12345\303\274x", false);
  assert_string_equal(small, "12345\303\274");
  sluice_text_clean(small, sizeof small, "123456\303\274", false);
  assert_string_equal(small, "123456");
}

TEST(carries_every_byte_of_a_path) {
  char all[256];
  for (int i = 0; i < 255; i++) all[i] = (char)(i + 1);
  all[255] = 0;
  char *text = sluice_path_encode(all);
  assert_non_null(text);
  for (const char *c = text; *c; c++) assert_in_range(*c, 0x20, 0x7e);
  char *back = sluice_path_decode(text);
  assert_non_null(back);
  assert_string_equal(back, all);
  free(text);
  free(back);
  char *plain = sluice_path_encode("build/run/17-input.pcap");
  assert_string_equal(plain, "build/run/17-input.pcap");
  free(plain);
  static const char *const wrong[] = {"%", "%4", "%4g", "%g4", "%00", "a%"};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    assert_null(sluice_path_decode(wrong[i]));
}

TEST(no_two_configurations_look_alike) {
  for (unsigned a = 0; a < sluice_num_configs; a++)
    for (unsigned b = 0; b < a; b++) {
      bool alike = true;
      for (unsigned n = 0; n < SLUICE_SHAPES; n++)
        alike &= sluice_config_shape(&sluice_configs[a], n) ==
                 sluice_config_shape(&sluice_configs[b], n);
      if (alike)
        fail_msg("'%s' and '%s' have the same SHAPE registers", sluice_configs[a].name,
                 sluice_configs[b].name);
    }
}
