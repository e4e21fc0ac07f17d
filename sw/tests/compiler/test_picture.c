// SPDX-License-Identifier: Apache-2.0
// The picture of a compiled program (--dot): what stands in which stage, in which container, and
// what needs what. And what a dump of it says (--dump). Run from the root of the tree.

#include <stdlib.h>

#include "tests/rig/test.h"
#include "compiler/compiler.h"

// The picture, or what the program is after a pass. To be freed.
static char *picture(const char *text, const char *chip, const char *pass) {
  char *drawn = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&drawn, &size);
  struct sluice_diags diags = {0};
  struct sluice_image image = {0};
  const struct sluice_compile_options options = {
      .dot_to = pass ? NULL : out, .dump = pass, .dump_to = out};
  struct sluice_program *program = sluice_program_parse("x.dom", text, strlen(text), &diags);
  if (program) sluice_compile(program, sluice_config_find(chip), &options, &image, &diags);
  sluice_diags_print(&diags, stderr);
  assert_int_equal(diags.num_errors, 0);
  sluice_program_free(program);
  sluice_image_release(&image);
  sluice_diags_release(&diags);
  const long len = ftell(out);
  assert_int_equal(fclose(out), 0);
  drawn[len] = 0;
  return drawn;
}

// A constant of 17 bits is made of two halves; the state unit gives its result to a container.
TEST(a_picture_has_each_value_at_its_stage_and_container) {
  char *drawn = picture("struct Packet { int x @ bytes(46, 2); int y @ bytes(48, 4);\n"
                        "  int o @ bytes(52, 4); int t; };\n"
                        "int sum = 0;\n"
                        "void f(struct Packet p) {\n"
                        "  sum = sum + p.x; p.t = p.y ^ 70000; p.o = p.t + sum;\n"
                        "}\n",
                        "k4", NULL);
  assert_string_equal(drawn, "digraph \"f\" {\n"
                             "  rankdir=LR;\n"
                             "  node [shape=box, fontname=monospace];\n"
                             "  subgraph cluster_0 {\n"
                             "    label=\"parser\";\n"
                             "    t0 [label=\"v0 = bytes(46, 2)\\n2B[0]\"];\n"
                             "    t3 [label=\"v1 = bytes(48, 4)\\n4B[0]\"];\n"
                             "  }\n"
                             "  subgraph cluster_1 {\n"
                             "    label=\"front stage 0\";\n"
                             "    t4 [label=\"constant or copy\\n2B[1]\"];\n"
                             "  }\n"
                             "  subgraph cluster_2 {\n"
                             "    label=\"front stage 1\";\n"
                             "    t5 [label=\"v3 = 70000\\n4B[1]\"];\n"
                             "  }\n"
                             "  subgraph cluster_3 {\n"
                             "    label=\"back stage 0\";\n"
                             "    t1 [label=\"state unit\\nsum\", style=bold];\n"
                             "    t2 [label=\"v2 = result 0.new1\\n4B[0]\"];\n"
                             "    t6 [label=\"v4 = v1 ^ v3\\nv3 = 70000\\n4B[1]\"];\n"
                             "  }\n"
                             "  subgraph cluster_4 {\n"
                             "    label=\"back stage 1\";\n"
                             "    t7 [label=\"v5 = v2 + v4\\n4B[0]\"];\n"
                             "  }\n"
                             "  subgraph cluster_deparser {\n"
                             "    label=\"deparser\";\n"
                             "    o0 [label=\"bytes 52..55\"];\n"
                             "  }\n"
                             "  t0 -> t1;\n"
                             "  t1 -> t2 [style=dashed];\n"
                             "  t4 -> t5;\n"
                             "  t3 -> t6;\n"
                             "  t5 -> t6;\n"
                             "  t2 -> t7;\n"
                             "  t6 -> t7;\n"
                             "  t7 -> o0;\n"
                             "}\n");
  free(drawn);
}

TEST(a_dump_names_the_malleables_of_a_state_instruction) {
  char *drawn = picture("struct Packet { int x @ bytes(46, 2); };\n"
                        "malleable int low = 3 in 0..9; malleable int high = 30 in 20..90;\n"
                        "int s; int r; int n;\n"
                        "void f(struct Packet p) {\n"
                        "  if (s < high) s = s + 1; else s = 7 - low;\n"
                        "  if (r < high + 5) r = low; else r = r - 1;\n"
                        "  if (n == 0) n = 1;\n"
                        "}\n",
                        "k4", "map");
  assert_string_equal(drawn, "// ---- after map\n"
                             "codelet 0: s\n"
                             "  predicate 1: S1 + 0 >= high\n"
                             "  arm A: S1' = 7 - low; S2' = S2 + 0 + 0;\n"
                             "  predicate 2: true\n"
                             "  arm B: S1' = S1 + 0 + 0; S2' = S2 + 0 + 0;\n"
                             "  predicate 3: true\n"
                             "  arm C: S1' = S1 + 1 + 0; S2' = S2 + 0 + 0;\n"
                             "  predicate 4: true\n"
                             "  arm D: S1' = S1 + 0 + 0; S2' = S2 + 0 + 0;\n"
                             "codelet 1: r\n"
                             "  predicate 1: S1 + 0 < (high + 5)\n"
                             "  arm A: S1' = low + 0; S2' = S2 + 0 + 0;\n"
                             "  predicate 2: true\n"
                             "  arm B: S1' = S1 + 0 + 0; S2' = S2 + 0 + 0;\n"
                             "  predicate 3: true\n"
                             "  arm C: S1' = S1 + -1 + 0; S2' = S2 + 0 + 0;\n"
                             "  predicate 4: true\n"
                             "  arm D: S1' = S1 + 0 + 0; S2' = S2 + 0 + 0;\n"
                             "codelet 2: n\n"
                             "  predicate 1: 0 == S1\n"
                             "  arm A: S1' = 1 + 0; S2' = S2 + 0 + 0;\n"
                             "  predicate 2: true\n"
                             "  arm B: S1' = S1 + 0 + 0; S2' = S2 + 0 + 0;\n"
                             "  predicate 3: false\n"
                             "  arm C: S1' = S1 + 0 + 0; S2' = S2 + 0 + 0;\n"
                             "  predicate 4: false\n"
                             "  arm D: S1' = S1 + 0 + 0; S2' = S2 + 0 + 0;\n");
  free(drawn);
}

// Both functions are of one text, so its tokens are printed once; what is made of them, for each.
TEST(a_dump_has_the_tokens_once_and_both_functions) {
  static const char text[] = "struct Packet { int x @ bytes(46, 2); };\n"
                             "void f(struct Packet p) { p.x = 1; }\n"
                             "egress void g(struct Packet p) { p.x = 2; }\n";
  char *drawn = picture(text, "egress", "lex");
  assert_non_null(strstr(drawn, "1:1\tstruct\n1:8\tPacket\n"));
  assert_non_null(strstr(drawn, "3:34\tp\n3:35\t.\n3:36\tx\n3:38\t=\n3:40\t2\n"));
  assert_null(strstr(strstr(drawn, "// ---- after lex\n") + 1, "// ----"));
  free(drawn);
  drawn = picture(text, "egress", "parse");
  assert_string_equal(drawn, "// ---- after parse\nint p.x @ bytes 46..47;\np.x = 1;\n"
                             "// ---- after parse\nint p.x @ bytes 46..47;\np.x = 2;\n");
  free(drawn);
}

// A way through the text is a temporary, which chooses between the new value and the old one.
TEST(a_dump_has_what_an_action_does_on_its_way) {
  char *drawn = picture("struct Packet { int x @ bytes(46, 2); int y @ bytes(48, 2); };\n"
                        "void a(struct Packet p) { p.y = 7; }\n"
                        "table t { key: p.x: exact; actions: a; size: 2; }\n"
                        "void f(struct Packet p) { apply(t); if (p.x > 3) p.y = 1; }\n",
                        "tables", "branch");
  assert_string_equal(drawn, "// ---- after branch\n"
                             "apply(t);\n"
                             "t0 = (t.action == 1);\n"
                             "p.y = t0 ? 7 : p.y;\n"
                             "t1 = (p.x > 3);\n"
                             "t2 = t1;\n"
                             "p.y = t2 ? 1 : p.y;\n");
  free(drawn);
}

// What an image says of the source is a line without what stands around its text.
TEST(an_image_has_lines_without_blanks_and_comments) {
  static const char text[] = "struct Packet { int x @ bytes(46, 2); int y @ bytes(48, 2); };\n"
                             "void f(struct Packet p) {\n"
                             " \t p.x = p.y + 1; \t  // one more\n"
                             "p.y = p.y - 1;\t\r\n"
                             "}\n";
  struct sluice_diags diags = {0};
  struct sluice_image image = {0};
  struct sluice_program *program = sluice_program_parse("x.dom", text, strlen(text), &diags);
  assert_non_null(program);
  assert_int_equal(sluice_compile(program, sluice_config_find("k4"), NULL, &image, &diags),
                   SLUICE_OK);
  bool seen[2] = {false, false};
  for (size_t i = 0; i < image.num_lines; i++) {
    const struct sluice_line *l = &image.lines[i];
    if (l->line != 3 && l->line != 4) continue;
    assert_string_equal(l->text, l->line == 3 ? "p.x = p.y + 1;" : "p.y = p.y - 1;");
    seen[l->line - 3] = true;
  }
  assert_true(seen[0] && seen[1]);
  sluice_program_free(program);
  sluice_image_release(&image);
  sluice_diags_release(&diags);
}
