// SPDX-License-Identifier: Apache-2.0
// What ends.cases cannot ask of the compiler: its dumps, the span of a message, bytes that no text
// has, atoms at their limit, an instruction that is wrong for one number alone. Run from the root
// of the tree.
#include <sys/wait.h>
#include <unistd.h>

#include "compiler/internal.h"
#include "tests/rig/test.h"
#include "tests/rig/compile.h"

// ---- dumps --------------------------------------------------------------------------------------

// A program as it is behind a pass. To be freed.
static char *dumped(const char *text, const char *chip, const char *pass) {
  char *dump = NULL;
  size_t len = 0;
  FILE *out = open_memstream(&dump, &len);
  const struct sluice_compile_options options = {.dump = pass, .dump_to = out};
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  struct sluice_image image CLOSED_BY(sluice_image_release) = {0};
  struct sluice_program *program CLOSED_BY(free_program) = parsed("x", text, &diags);
  assert_int_equal(sluice_compile(program, sluice_config_find(chip), &options, &image, &diags),
                   SLUICE_OK);
  fclose(out);
  return dump;
}

static void dump_has(const char *text, const char *chip, const char *pass, const char *wanted) {
  char *dump CLOSED_BY(freed) = dumped(text, chip, pass);
  if (!strstr(dump, wanted)) fail_msg("behind '%s' there is\n%s\nnot\n%s", pass, dump, wanted);
}

// The first token; the first way, which is that of an action.
TEST(dumps_begin_with_the_first_token_and_the_first_way) {
  dump_has("int s;\nstruct Packet { int x @ bytes(46, 2); };\n"
           "void f(struct Packet p) { s += p.x; }\n",
           "k4", "lex", "1:1\tint\n1:5\ts\n1:6\t;\n2:1\tstruct\n");
  dump_has("struct Packet { int x @ bytes(46, 2); int o @ bytes(48, 2); };\n"
           "void put(struct Packet p, int n) { p.o = n; }\n"
           "table t { key: p.x: exact; actions: put; size: 8; }\n"
           "void f(struct Packet p) { apply(t); }\n",
           "tables", "branch", "apply(t);\nt0 = (t.action == 1);\np.o = t0 ? n : p.o;\n");
}

// ---- messages -----------------------------------------------------------------------------------

static void first_message(const char *text, size_t len, const char *id, unsigned line,
                          unsigned column, unsigned span) {
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  assert_null(sluice_program_parse("x", text, len, &diags));
  assert_string_equal(diags.list[0].id, id);
  FIELDS_ARE(&diags.list[0], (line, line), (column, column), (span, span));
}

TEST(a_message_at_the_end_of_the_text_is_about_one_character) {
  static const char text[] = "struct Packet { int x; };\nvoid f(struct Packet p) { p.x = 1;";
  first_message(text, sizeof text - 1, "syntax", 2, 35, 1);
}

// A byte 0 ends a body; a byte 1 does not.
TEST(bodies_of_reactions_end_at_a_byte_0) {
  static const char zero[] = "struct Packet { int x; };\nreaction r() { \0 }\n"
                             "void f(struct Packet p) { p.x = p.y; }\n",
                    one[] = "struct Packet { int x; };\nreaction r() { \1 }\n"
                            "void f(struct Packet p) { p.x = p.y; }\n";
  first_message(zero, sizeof zero - 1, "open-body", 2, 14, 1);
  first_message(one, sizeof one - 1, "unknown-field", 3, 35, 1);
}

// ---- atoms --------------------------------------------------------------------------------------

static const char *atom_of(const char *body) {
  char text[500];
  struct sluice_usage used = {0};
  const struct sluice_compile_options options = {.usage = &used, .atoms = true};
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  struct sluice_image image CLOSED_BY(sluice_image_release) = {0};
  snprintf(text, sizeof text,
           "struct Packet { int a @ bytes(46, 4); int b @ bytes(50, 4); };\n"
           "int s;\nvoid f(struct Packet p) { %s }\n",
           body);
  struct sluice_program *program CLOSED_BY(free_program) = parsed("x", text, &diags);
  assert_int_equal(sluice_compile(program, sluice_config_find("k4"), &options, &image, &diags),
                   SLUICE_OK);
  return used.atom[0];
}

// Of two operands ifelse compares and adds; to take one away too is more.
TEST(only_sub_takes_an_operand_away) {
  assert_string_equal(atom_of("if (s < p.a) s = s + p.b; else s = s + p.a;"), "ifelse");
  assert_string_equal(atom_of("if (s < p.a) s = s + p.b; else s = s - p.a;"), "sub");
}

// ---- instructions -------------------------------------------------------------------------------

// if (s < konst) s = s + 1; with the number of the program 1000.
static void verify_below(struct ir_context *c, int32_t konst) {
  struct mapping map = {.pred = {{.state = 1, .rel = SLUICE_REL_LT, .y = 0},
                                 {.rel = SLUICE_REL_TRUE},
                                 {.rel = SLUICE_REL_FALSE},
                                 {.rel = SLUICE_REL_FALSE}},
                        .arm[0][0] = {.keep = 1, .a = 1, .b = SLUICE_ARM_ZERO},
                        .konst = {konst, 1},
                        .num_konst = 2};
  struct codelets *all = NEW(c->arena, struct codelets);
  all->num = 1;
  all->list[0].num_states = 1;
  all->list[0].map = &map;
  verify(c, all);
}

TEST(an_instruction_that_is_wrong_for_the_number_before_a_constant_is_found) {
  static const char text[] = "sluice-ir 1\nprogram count(p)\nstate s = 0\n"
                             "v0 = old s\nv1 = 1000\nv2 = v0 < v1\nv3 = 1\nv4 = v0 + v3\n"
                             "v5 = v2 ? v4 : v0\naccess s\nnew s = v5\n";
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  struct sluice_program *program CLOSED_BY(free_program) = parsed("x.ir", text, &diags);
  struct arena arena CLOSED_BY(arena_release) = {0};
  struct ir_context c = {.arena = &arena, .diags = &diags, .program = program};
  int status;
  if (setjmp(arena.escape)) fail_msg("it gave up");
  ir_graph(&c);
  verify_below(&c, 1000);
  const pid_t child = fork();
  if (child == 0) {
    if (!freopen("/dev/null", "w", stderr)) _exit(1);
    verify_below(&c, 999);
    _exit(0);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}
