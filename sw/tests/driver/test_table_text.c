// SPDX-License-Identifier: Apache-2.0
// Keys, arguments, changes and files of tables as text: what is read, what is refused and how it is
// said, and that what is printed is read back as the same.

#include <sluice/sluice.h>

#include "tests/rig/cases.h"
#include "base/rng.h"
#include "driver/plan/plan.h"
#include "driver/plan/table_text.h"
#include "tests/rig/says.h"
#include "tests/rig/table_rig.h"

enum { VID = 5 };

static struct sluice_plan *plan_of_the_rig(void) {
  struct sluice_image image CLOSED_BY(sluice_image_release) = rig_image("tables");
  struct sluice_plan *plan;
  GOOD(sluice_plan_open(&plan, "tables", NULL, &error));
  GOOD(sluice_plan_add(plan, &image, VID, &error));
  return plan;
}

static enum sluice_status parse(const struct sluice_plan *plan, const char *table,
                                enum sluice_table_op op, const char *text,
                                struct sluice_table_change *change) {
  char copy[400];
  const char *list[SLUICE_TABLE_WORDS];
  unsigned num = 0;
  snprintf(copy, sizeof copy, "%s", text);
  for (char *at = strtok(copy, " "); at; at = strtok(NULL, " ")) list[num++] = at;
  return sluice_table_parse(plan, VID, table, op, list, num, change, &error);
}

TEST(words_are_keys_an_action_and_its_arguments) {
  static const struct {
    const char *table, *text;
    uint64_t value, mask, second, second_mask;
    uint32_t priority;
  } good[] = {
      {"route", "10.1.0.0/16 drop", 0x0a010000, 0xffff0000, 0, 0, 0},
      {"route", "0x0a010203 drop", 0x0a010203, 0xffffffff, 0, 0, 0},
      {"route", "_ forward mark=0x10 port=2", 0, 0, 0, 0, 0},
      {"route", "dst=10.0.0.0/8 drop", 0x0a000000, 0xff000000, 0, 0, 0},
      {"host", "167772161 drop", 0x0a000001, 0xffffffff, 0, 0, 0},
      {"acl", "10.0.0.0&&&255.0.0.255 80 priority=9 drop", 0x0a000000, 0xff0000ff, 80, 0xffff, 9},
      {"acl", "p.dport=0x50/12 p.dst=_ drop", 0, 0, 0x50, 0xfff0, 0},
      {"acl", "priority=4294967295 1.2.3.4 _ forward port=1 mark=4.3.2.1", 0x01020304, 0xffffffff,
       0, 0, 0xffffffff},
  };
  struct sluice_plan *plan CLOSED_BY(close_plan) = plan_of_the_rig();
  struct sluice_table_change c;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    GOOD(parse(plan, good[i].table, SLUICE_TABLE_ADD, good[i].text, &c));
    FIELDS_ARE(&c, (keys[0].value, good[i].value), (keys[0].mask, good[i].mask),
               (keys[1].value, good[i].second), (keys[1].mask, good[i].second_mask),
               (priority, good[i].priority));
  }
  assert_string_equal(c.action, "forward");
  assert_true(c.args[0] == 1 && c.args[1] == 0x04030201);
}

// An address is for a key of just its width; a number for any that it fits.
TEST(addresses_are_as_wide_as_their_keys) {
  static const struct {
    const char *text;
    unsigned bits;
    enum table_text is;
    uint64_t value;
  } list[] = {{"10.0.0.1", 32, TABLE_TEXT_GOOD, 0x0a000001},
              {"10.0.0.1", 31, TABLE_TEXT_ADDRESS, 0},
              {"10.0.0.1", 33, TABLE_TEXT_ADDRESS, 0},
              {"00:11:22:33:44:55", 48, TABLE_TEXT_GOOD, 0x1122334455},
              {"00:11:22:33:44:55", 47, TABLE_TEXT_ADDRESS, 0},
              {"00:11:22:33:44:55", 49, TABLE_TEXT_ADDRESS, 0},
              {"00:11:22:33:44-55", 48, TABLE_TEXT_NONE, 0},
              {"0xffff", 16, TABLE_TEXT_GOOD, 0xffff},
              {"0x10000", 16, TABLE_TEXT_LARGE, 0}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    uint64_t value;
    const enum table_text is =
        table_text_value(list[i].text, strlen(list[i].text), list[i].bits, &value);
    if (is != list[i].is || (!is && value != list[i].value))
      fail_msg("%s of %u bits: %d", list[i].text, list[i].bits, is);
  }
}

// An action with two arguments has no third, also where the second is in the last bit of the data.
TEST(arguments_are_told_as_the_action_has_them) {
  struct sluice_image image CLOSED_BY(sluice_image_release) = rig_image("tables");
  struct sluice_table_action_info a;
  struct sluice_table_change c;
  struct sluice_plan *plan CLOSED_BY(close_plan);
  uint32_t at = 0;
  image.tables[RIG_HOST].actions[0].args[1].msb = 31;
  image.tables[RIG_HOST].actions[0].args[1].lsb = 0;
  GOOD(sluice_plan_open(&plan, "tables", NULL, &error));
  GOOD(sluice_plan_add(plan, &image, VID, &error));
  assert_true(sluice_plan_table_action(plan, VID, "host", 0, &a));
  assert_int_equal(a.num_args, 2);
  assert_string_equal(a.args[0], "port");
  assert_string_equal(a.args[1], "mark");
  assert_true(a.bits[0] == 8 && a.bits[1] == 32);
  GOOD(parse(plan, "host", SLUICE_TABLE_ADD, "10.0.0.1 forward port=2 mark=7", &c));
  GOOD(sluice_plan_table_change(plan, &c, 1, &error));
  assert_true(sluice_plan_table_entry(plan, VID, "host", &at, &c));
  assert_true(c.args[0] == 2 && c.args[1] == 7 && c.args[2] == 0 && c.args[3] == 0);
}

static void try_change(void *user, const struct one_case *c) {
  static const struct {
    const char *verb;
    enum sluice_table_op op;
  } verbs[] = {
      {"add", SLUICE_TABLE_ADD}, {"delete", SLUICE_TABLE_DELETE}, {"clear", SLUICE_TABLE_CLEAR}};
  struct sluice_table_change change;
  char table[40], verb[40];
  int words = 0;
  unsigned n = 0;
  assert_int_equal(sscanf(c->request, "%39s %39s%n", table, verb, &words), 2);
  while (n < 3 && strcmp(verbs[n].verb, verb) != 0) n++;
  if (n == 3) fail_msg("%s: no verb '%s'", c->where, verb);
  const enum sluice_status status = parse(user, table, verbs[n].op, c->request + words, &change);
  if (status != SLUICE_ERR_RANGE && status != SLUICE_ERR_FORMAT && status != SLUICE_ERR_NOT_FOUND)
    fail_msg("%s: '%s' is taken", c->where, c->request);
  cases_answer(c, error.text);
}

TEST(what_is_wrong_is_named) {
  struct sluice_plan *plan CLOSED_BY(close_plan) = plan_of_the_rig();
  struct sluice_table_change c;
  cases_each("sw/tests/driver/table_text.cases", "refused", try_change, plan);
  SAYS(SLUICE_ERR_RANGE, "has VLAN id 9",
       sluice_table_parse(plan, 9, "acl", SLUICE_TABLE_CLEAR, NULL, 0, &c, &error));
}

// Without texts: what the words cannot say is refused in numbers.
TEST(numbers_that_do_not_fit_are_refused) {
  static const struct {
    struct sluice_table_change c;
    const char *says;
  } bad[] = {
      {{.table = "host", .keys = {{UINT64_C(1) << 32, UINT64_MAX}}, .action = "drop"},
       "has 32 bits"},
      {{.table = "host", .keys = {{1, 0xff}}, .action = "drop"}, "is exact"},
      {{.table = "route", .keys = {{0, 0xff00ff00}}, .action = "drop"}, "is none"},
      {{.table = "route", .keys = {{1, 0xffff0000}}, .action = "drop"}, "bits outside its mask"},
      {{.table = "host", .keys = {{1, ~0u}}, .priority = 1, .action = "drop"}, "have no priority"},
      {{.table = "host", .keys = {{1, ~0u}}, .action = "miss"}, "for the default alone"},
      {{.table = "host", .keys = {{1, ~0u}}, .action = "forward", .args = {256}},
       "legal is 0..0xff"},
      {{.table = "host", .keys = {{1, ~0u}}}, "has no action ''"},
      {{.table = "host", .op = SLUICE_TABLE_DELETE, .keys = {{1, ~0u}}},
       "has no entry for p.dst 0.0.0.1"},
      {{.table = "host", .op = SLUICE_TABLE_MODIFY, .keys = {{1, ~0u}}, .action = "drop"},
       "has no entry for"},
  };
  struct sluice_plan *plan CLOSED_BY(close_plan) = plan_of_the_rig();
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    // Behind one that is good: none of both is there then.
    struct sluice_table_change both[2] = {
        {.vid = VID, .table = "host", .keys = {{7, ~0u}}, .action = "drop"}, bad[i].c};
    both[1].vid = VID;
    SAYS(strncmp(bad[i].says, "has no ", 7) == 0 ? SLUICE_ERR_NOT_FOUND : SLUICE_ERR_RANGE,
         bad[i].says, sluice_plan_table_change(plan, both, 2, &error));
    assert_false(sluice_plan_table_get(plan, &both[0]));
  }
  // All actions that there are, and none behind them.
  const struct sluice_table_change c = {
      .vid = VID, .table = "host", .keys = {{1, ~0u}}, .action = "leave"};
  SAYS(SLUICE_ERR_NOT_FOUND, "has no action 'leave'; ",
       sluice_plan_table_change(plan, &c, 1, &error));
  assert_string_equal(strstr(error.text, "these are"), "these are: forward, drop, miss");
}

TEST(printed_entries_are_read_back) {
  struct sluice_plan *plan CLOSED_BY(close_plan) = plan_of_the_rig();
  struct sluice_rng rng;
  sluice_rng_init(&rng, 31, "text");
  for (unsigned n = 0; n < 500; n++) {
    static const char *const tables[] = {"acl", "host", "route"};
    const unsigned t = (unsigned)sluice_rng_below(&rng, 3);
    const unsigned width = t == RIG_HOST ? 32 : (unsigned)sluice_rng_below(&rng, 33);
    const uint32_t mask = t == RIG_ACL && n % 2 ? (uint32_t)sluice_rng_next(&rng)
                          : width               ? ~0u << (32 - width)
                                                : 0;
    struct sluice_table_change c = {.vid = VID,
                                    .table = tables[t],
                                    .keys = {{(uint32_t)sluice_rng_next(&rng) & mask, mask}},
                                    .action = n % 3 ? "forward" : "drop"},
                               back;
    char text[400], word[SLUICE_TABLE_TEXT];
    if (n % 3) c.args[0] = sluice_rng_below(&rng, 256), c.args[1] = (uint32_t)sluice_rng_next(&rng);
    sluice_table_key_text(plan, &c, 0, word);
    int len = snprintf(text, sizeof text, "%s", word);
    if (t == RIG_ACL) {
      c.priority = (uint32_t)sluice_rng_next(&rng);
      c.keys[1] = (struct sluice_table_match){sluice_rng_below(&rng, 65536), 65535};
      sluice_table_key_text(plan, &c, 1, word);
      len += snprintf(text + len, sizeof text - (size_t)len, " %s priority=%u", word, c.priority);
    }
    len += snprintf(text + len, sizeof text - (size_t)len, " %s", c.action);
    for (unsigned i = 0; n % 3 && i < 2; i++) {
      sluice_table_arg_text(plan, &c, i, word);
      len += snprintf(text + len, sizeof text - (size_t)len, " %s=%s", i ? "mark" : "port", word);
    }
    GOOD(parse(plan, c.table, SLUICE_TABLE_ADD, text, &back));
    assert_memory_equal(back.keys, c.keys, sizeof c.keys);
    assert_memory_equal(back.args, c.args, sizeof c.args);
    assert_int_equal(back.priority, c.priority);
    assert_string_equal(back.action, c.action);
  }
}

static enum sluice_status read_text(const struct sluice_plan *plan, const char *table,
                                    const char *text, struct sluice_table_change **changes,
                                    unsigned *num) {
  return sluice_table_read(plan, VID, table, text, strlen(text), "x", changes, num, NULL, &error);
}

static struct sluice_table_desc first_table(const struct sluice_plan *plan, const char *name) {
  struct sluice_table_desc desc;
  unsigned n = 0;
  while (sluice_plan_table(plan, VID, n, &desc) && strcmp(desc.name, name) != 0) n++;
  return desc;
}

// What a file was cut to never passes for a table without entries; twins are told by their lines
// and as they are typed.
TEST(cut_files_and_twins_are_refused) {
  static const struct {
    const char *text, *says;
  } bad[] = {
      {"", "'x': line 1: the file is empty"},
      {" \r\n\n", "'x': line 1: the file is empty"},
      {"\xef\xbb\xbf", "'x': line 1: the file is empty"},
      {"# a comment", "'x': line 1: there are no entries"},
      {"p.dst,action\n", "'x': line 1: there are no entries"},
      {"p.dst,action\n\n# more\n", "'x': line 3: there are no entries"},
      {"{}", "'x': line 1: entries are a list of objects"},
      {"{\"p.dst\": \"10.0.0.0/8\"}", "'x': line 1: entries are a list of objects"},
      {"[", "'x': line 1: "},
      {"[{\"action\": \"drop\"}", "'x': line 1: "},
      {"p.dst,action\n10.0.0.0/8,drop\n10.1.0.0/16,dr", "'x': line 3: table 'route' has no action"},
      {"p.dst,action,port,mark\n10.0.0.0/8,forward,1",
       "'x': line 2: action 'forward' needs a value for 'mark'"},
      {"p.dst,action,port,mark\n10.0.0.0/8,forward,1,",
       "'x': line 2: action 'forward' needs a value for 'mark'"},
      {"action,p.dst\ndrop\ndrop,10.0.0.0/8\n", "'x': line 2: it ends before 'p.dst'"},
      {"p.dst,action\n10.0.0.0/8,drop\n10.1.0.0/16,drop\n\n10.0.0.0/8,drop\n10.1.0.0/16,drop\n",
       "'x': lines 2 and 5 have the same key, p.dst 10.0.0.0/8"},
      {"p.dst,action\n0x0a000000/8,drop\n10.0.0.0/8,drop\n",
       "'x': lines 2 and 3 have the same key, p.dst 10.0.0.0/8"},
      {"p.dst,action\n10.0.0.0/8,drop\n0x0a000000/8,drop\n",
       "'x': lines 2 and 3 have the same key, p.dst 0x0a000000/8"},
      {"[{\"p.dst\": \"10.0.0.0/8\", \"action\": \"drop\"}, {\"dst\": \"10.0.0.0/8\", \"action\": "
       "\"drop\"}]",
       "'x': lines 1 and 1: entries 0 and 1 have the same key, p.dst 10.0.0.0/8"},
      {"[\n\n{\"p.dst\": \"10.0.0.0/8\", \"action\": \"drop\"},\n {\"dst\":\n\"10.0.0.0/8\", "
       "\"action\": \"drop\"}]",
       "'x': lines 3 and 4: entries 0 and 1 have the same key, p.dst 10.0.0.0/8"},
      {"action,p.dst\ndrop,10.0.0.0/8\ndrop", "'x': line 3: it ends before 'p.dst'"},
      {"action,p.dst\ndrop,10.0.0.0/8\ndrop,", "'x': line 3: it ends before 'p.dst'"},
      {"p.dst,action\n010.0.0.0/8,drop\n", "'x': line 2: "},
      {"p.dst,action\n10.0.0.0/08,drop\n", "'x': line 2: "},
      {"p.dst,action,port,mark\n10.0.0.0/8,forward,010,1\n", "'x': line 2: "},
  };
  struct sluice_plan *plan CLOSED_BY(close_plan) = plan_of_the_rig();
  struct sluice_table_change *c;
  unsigned num;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_int_not_equal(read_text(plan, "route", bad[i].text, &c, &num), SLUICE_OK);
    assert_true(!c && !num);
    if (!strstr(error.text, bad[i].says)) fail_msg("%zu: %s", i, error.text);
  }
  // As many rows as places; then more: the first that is one too many.
  char many[4000] = "p.dst,action\n", says[100];
  const struct sluice_table_desc desc = first_table(plan, "route");
  for (unsigned i = 0; i < desc.size - desc.used + 2; i++) {
    if (i == desc.size - desc.used) {
      GOOD(table_file_read(plan, VID, "route", many, strlen(many), "x", true, &c, &num, NULL,
                           &error));
      assert_int_equal(num, i);
      sluice_table_free(c, num, NULL);
    }
    sprintf(many + strlen(many), "11.%u.0.0/16,drop\n", i);
  }
  assert_int_equal(
      table_file_read(plan, VID, "route", many, strlen(many), "x", true, &c, &num, NULL, &error),
      SLUICE_ERR_FULL);
  snprintf(says, sizeof says, "'x': line %u: table 'route' has room for %u entries",
           desc.size - desc.used + 2, desc.size);
  if (!strstr(error.text, says)) fail_msg("%s", error.text);
  // Of two with one key the priorities may differ.
  GOOD(read_text(plan, "acl", "dst,action,priority\n_,drop,1\n_,drop,2\n", &c, &num));
  assert_int_equal(num, 2);
  sluice_table_free(c, num, NULL);
  const char zero[] = "p.dst,action\n10.0.0.0/8,drop\n\0";
  assert_int_equal(
      sluice_table_read(plan, VID, "route", zero, sizeof zero - 1, "x", &c, &num, NULL, &error),
      SLUICE_ERR_FORMAT);
  assert_non_null(strstr(error.text, "'x': line 3: a zero byte"));
}

TEST(files_of_both_kinds_are_read) {
  static const char *const good[] = {
      "p.dst,p.dport,priority,action,port,mark\n10.0.0.0/8,80,3,forward,2,7\n_,,1,drop,,\n",
      "# entries\r\n\r\n dst , action, mark, port, p.dport, priority\r\n"
      "\"10.0.0.0/8\", forward, 7, 2, 80, 3\r\n,drop,,,_,1",
      "[{\"p.dst\": \"10.0.0.0/8\", \"dport\": 80, \"priority\": 3, \"action\": \"forward\", "
      "\"port\": 2, \"mark\": \"7\"}, {\"action\": \"drop\", \"priority\": 1}]"};
  struct sluice_plan *plan CLOSED_BY(close_plan) = plan_of_the_rig();
  struct sluice_table_change *c;
  unsigned num;
  for (unsigned i = 0; i < 3; i++) {
    GOOD(read_text(plan, "acl", good[i], &c, &num));
    assert_int_equal(num, 2);
    assert_true(c[0].keys[0].value == 0x0a000000 && c[0].keys[0].mask == 0xff000000 &&
                c[0].keys[1].value == 80 && c[0].priority == 3 && c[0].args[0] == 2 &&
                c[0].args[1] == 7 && strcmp(c[0].action, "forward") == 0);
    assert_true(c[1].keys[0].mask == 0 && c[1].keys[1].mask == 0 && c[1].priority == 1 &&
                strcmp(c[1].action, "drop") == 0);
    GOOD(sluice_plan_table_change(plan, c, num, &error));
    const struct sluice_table_change clear = {.op = SLUICE_TABLE_CLEAR, .vid = VID, .table = "acl"};
    GOOD(sluice_plan_table_change(plan, &clear, 1, &error));
    sluice_table_free(c, num, NULL);
  }
  GOOD(read_text(plan, "acl", "[]", &c, &num));
  assert_true(num == 0 && !c);
  // A byte order mark is passed by.
  char marked[400];
  for (unsigned i = 0; i < 3; i++) {
    snprintf(marked, sizeof marked, "\xef\xbb\xbf%s", good[i]);
    GOOD(read_text(plan, "acl", marked, &c, &num));
    assert_int_equal(num, 2);
    sluice_table_free(c, num, NULL);
  }
}

TEST(files_that_are_wrong_are_named_with_their_line) {
  static const struct {
    const char *text, *says;
  } bad[] = {{"p.dst,action\n10.0.0.0/8,drop\n10.0.0.1/8,drop\n",
              "'x': line 3: table 'route', key 'p.dst'"},
             {"p.src,action\n", "line 1: table 'route' has no key or argument 'p.src'"},
             {"p.dst,action\n1,drop,3\n", "line 2: not as many values"},
             {"p.dst,action\n\"1,drop\n", "line 2: not as many values"},
             {"p.dst,action,mark\n1,drop,3\n", "action 'drop' has no argument 'mark'"},
             {"p.dst,action,mark\n1,forward,3\n", "action 'forward' needs a value for 'port'"},
             {"p.dst,action\n1,\n", "the action is missing"},
             {"p.dst,action\n1,leave\n", "has no action 'leave'"},
             {"p.dst,dst,action\n1,2,drop\n", "a value is there twice"},
             {"p.dst,priority,action\n1,x,drop\n", "priority is a number"},
             {"[1]", "'x': line 1: entry 0: this is no object"},
             {"[{\"p.dst\": \"a,\\\"]\", \"action\": \"drop\"},\n\n1,\n2]",
              "'x': line 1: entry 0: table 'route'"},
             {"[{\"p.dst\": 1, \"action\": \"drop\"},\n\n1,\n2]", "line 3: entry 1: this is no"},
             {"[{\"p.dst\": 1, \"action\": \"drop\"}, {\"p.dst\": -1, \"action\": \"drop\"}]",
              "entry 1: a value is neither"},
             {"[{\"p.src\": 1}]", "has no key or argument 'p.src'"},
             {"[{", "'x': line 1:"}};
  struct sluice_plan *plan CLOSED_BY(close_plan) = plan_of_the_rig();
  struct sluice_table_change *c;
  unsigned num;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_int_not_equal(read_text(plan, "route", bad[i].text, &c, &num), SLUICE_OK);
    assert_true(!c && !num);
    if (!strstr(error.text, bad[i].says))
      fail_msg("'%s': '%s' does not say '%s'", bad[i].text, error.text, bad[i].says);
  }
}

// Any bytes: an answer, and no more than that.
TEST(damaged_files_do_no_harm) {
  static const char seed_text[] =
      "p.dst,action,port,mark\n10.0.0.0/8,forward,2,7\n\"_\",drop,,\n# x\n1.2.3.4,drop\n";
  struct sluice_plan *plan CLOSED_BY(close_plan) = plan_of_the_rig();
  struct sluice_rng rng;
  sluice_rng_init(&rng, 32, "damage");
  for (unsigned n = 0; n < 3000; n++) {
    char text[sizeof seed_text];
    struct sluice_table_change *c;
    unsigned num;
    memcpy(text, seed_text, sizeof text);
    for (unsigned k = 0; k < 1 + n % 5; k++)
      text[sluice_rng_below(&rng, sizeof text - 1)] = (char)sluice_rng_below(&rng, 256);
    const size_t len = sluice_rng_below(&rng, sizeof text);
    if (sluice_table_read(plan, VID, "route", text, len, "x", &c, &num, NULL, &error) == SLUICE_OK)
      sluice_table_free(c, num, NULL);
  }
}
