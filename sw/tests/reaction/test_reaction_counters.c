// SPDX-License-Identifier: Apache-2.0
// Reactions that read what entries of tables have counted, on the reference model of shape `react`:
// beside a list of numbers in plain C, while entries come and go, while others clear the counters,
// and while a second reaction reads the same ones.
#include "tests/rig/test.h"
#include "tests/rig/reaction_rig.h"
#include "tests/rig/line.h"

#include "base/rng.h"

enum { VID = 3, SOURCES = 12, BASE = 0x0a000000, MANY = 40 };

static const char before[] = "struct Packet { int src @ ipv4.src; int dst @ ipv4.dst; int out @ "
                             "meta.port_out; int drop @ meta.discard; };\n"
                             "void allow(struct Packet p, int to : 8) { p.out = to; }\n"
                             "void deny(struct Packet p) { p.drop = 1; }\n"
                             "int total = 0;\n";
static const char exact[] = "malleable table rules { key: p.src: exact; actions: allow, deny; "
                            "size: 60; default: deny(); }\n";
static const char behind[] = "\nvoid f(struct Packet p) { total += 1; apply(rules); }\n";

static struct sluice_image *program(const char *table, const char *reactions) {
  static char text[6000];
  snprintf(text, sizeof text, "%s%s%s%s", before, table, reactions, behind);
  struct sluice_image *image = compiled_text(text, "react");
  if (!image) fail_msg("it does not compile:\n%s", text);
  return image;
}

static struct source {
  bool there, allowed;
  struct sluice_table_count run, all;
} of[SOURCES];
static struct sluice_rng rng;

static unsigned below(unsigned n) { return (unsigned)sluice_rng_below(&rng, n); }

static void begin(struct reacting *l, const char *table, const char *reactions) {
  memset(of, 0, sizeof of);
  sluice_rng_init(&rng, 11, "counters");
  reacting_open(l, "react", program(table, reactions), &(unsigned){VID}, 1, NULL, NULL, NULL,
                &(struct reactions_options){.say = hear_named, .limit = 5});
  GOOD(reactions_add(l->rs, VID, l->image, NULL, &error));
}
static void hear_step(struct reacting *l) {
  heard[0] = 0;
  step(l);
}

// Whether it comes out.
static bool send_frame(struct reacting *l, uint32_t src, uint32_t dst, size_t len) {
  static struct sluice_packet_out out;
  uint8_t bytes[200] = {0};
  udp_from_to(bytes, VID, src, dst);
  through(&l->model, 0, bytes, len, &out);
  return out.len != 0;
}
static void send(struct reacting *l, unsigned source) {
  struct source *s = &of[source];
  const size_t len = 100 + below(100);
  assert_int_equal(send_frame(l, BASE + source, 9, len), s->there && s->allowed);
  if (!s->there) return;
  s->run.packets++, s->all.packets++;
  s->run.bytes += len, s->all.bytes += len;
}

static void change(struct reacting *l, enum sluice_table_op op, unsigned source) {
  const struct sluice_table_change c =
      TABLE_CHANGE(op, VID, "rules", BASE + source, UINT64_MAX, "allow", 1);
  GOOD(sluice_chip_table_change(l->chip, &c, 1, NULL, NULL, &error));
  of[source] = (struct source){.there = op == SLUICE_TABLE_ADD, .allowed = true};
}

// What reaction `name` has printed, one line an entry; how many lines differ from the list.
static unsigned differences(const char *name) {
  unsigned differ = 0, lines = 0, there = 0;
  const size_t len = strlen(name);
  for (const char *at = heard; *at; at = strchr(at, '\n') + 1) {
    unsigned src;
    unsigned long long v[4];
    int allowed;
    if (strncmp(at, name, len) != 0) continue;
    const char *colon = strchr(at, ':');
    if (!colon || sscanf(colon, ": %x %d %llu %llu %llu %llu", &src, &allowed, &v[0], &v[1], &v[2],
                         &v[3]) != 6)
      fail_msg("'%s'", at);
    assert_in_range(src, BASE, BASE + SOURCES - 1);
    const struct source *s = &of[src - BASE];
    differ += !s->there || s->allowed != allowed || s->run.packets != v[0] ||
              s->run.bytes != v[1] || s->all.packets != v[2] || s->all.bytes != v[3];
    lines++;
  }
  for (unsigned i = 0; i < SOURCES; i++) there += of[i].there;
  return differ + (lines != there);
}
static void run_is_over(void) {
  for (unsigned i = 0; i < SOURCES; i++) of[i].run = (struct sluice_table_count){0, 0};
}

#define PRINTS                                                                               \
  "  for (int i = 0; i < rules_count; i++)\n"                                                \
  "    printf(\"%x %d %lld %lld %lld %lld\\n\", (unsigned)rules[i].src, rules[i].action == " \
  "rules_action_allow, (long long)rules[i].packets, (long long)rules[i].bytes, (long long)"  \
  "rules[i].all_packets, (long long)rules[i].all_bytes);\n"

// ---- the source with most packets is blocked ----------------------------------------------------

static const char blocks[] =
    "reaction watch(counters(rules)) {\n" PRINTS "  int most = -1;\n"
    "  for (int i = 0; i < rules_count; i++)\n"
    "    if (rules[i].action == rules_action_allow && (most < 0 || rules[i].packets > "
    "rules[most].packets)) most = i;\n"
    "  if (most >= 0 && rules[most].packets > 40) rules_set_deny(rules[most].src);\n"
    "}\n";

TEST(the_source_with_most_packets_is_blocked) {
  struct reacting l CLOSED_BY(reacting_audit);
  unsigned blocked = 0;
  begin(&l, exact, blocks);
  for (unsigned i = 0; i < SOURCES; i++) change(&l, SLUICE_TABLE_ADD, i);
  for (unsigned round = 0; round < 12; round++) {
    const unsigned flood = below(SOURCES), burst = round % 3 ? MANY + 30 : 0;
    for (unsigned n = 0; n < 60; n++) send(&l, below(SOURCES));
    for (unsigned n = 0; n < burst; n++) send(&l, flood);
    hear_step(&l);
    if (differences("watch")) fail_msg("round %u, seed 11:\n%s", round, heard);
    struct source *most = NULL;
    for (unsigned i = 0; i < SOURCES; i++)
      if (of[i].allowed && (!most || of[i].run.packets > most->run.packets)) most = &of[i];
    if (most && most->run.packets > MANY) most->allowed = false, blocked++;
    run_is_over();
  }
  assert_in_range(blocked, 2, 8);
  for (unsigned i = 0; i < SOURCES; i++) send(&l, i);
}

// A packet that the list does not know is a difference.
TEST(a_packet_too_many_is_found) {
  struct reacting l CLOSED_BY(reacting_audit);
  begin(&l, exact, blocks);
  change(&l, SLUICE_TABLE_ADD, 4);
  send(&l, 4);
  (void)send_frame(&l, BASE + 4, 9, 100);
  hear_step(&l);
  assert_int_equal(differences("watch"), 1);
}

// ---- others beside it ---------------------------------------------------------------------------

static const char two[] =
    "reaction one(total, counters(rules)) { (void)total;\n" PRINTS
    "}\nreaction two(counters(rules), PORT.PACKETS) { (void)PORT_PACKETS;\n" PRINTS "}\n";

TEST(nobody_takes_counts_from_another) {
  struct reacting l CLOSED_BY(reacting_audit);
  struct sluice_table_count counts[SOURCES];
  unsigned num;
  begin(&l, exact, two);
  for (unsigned i = 0; i < 8; i++) change(&l, SLUICE_TABLE_ADD, i);
  for (unsigned round = 0; round < 30; round++) {
    for (unsigned n = 0; n < 20; n++) {
      send(&l, below(SOURCES));
      const unsigned i = below(SOURCES);
      if (below(10) == 0) change(&l, of[i].there ? SLUICE_TABLE_DELETE : SLUICE_TABLE_ADD, i);
      // Gone and there again: it begins with 0, also if it then has more than before.
      if (below(20) == 0 && of[i].there) {
        change(&l, SLUICE_TABLE_DELETE, i);
        change(&l, SLUICE_TABLE_ADD, i);
        for (unsigned k = below(60); k; k--) send(&l, i);
      }
    }
    if (round % 3 == 0)
      GOOD(sluice_chip_table_counts(l.chip, VID, "rules", true, counts, SOURCES, &num, &error));
    hear_step(&l);
    if (differences("one")) fail_msg("round %u, seed 11:\n%s", round, heard);
    hear_step(&l);
    if (differences("two")) fail_msg("round %u, seed 11:\n%s", round, heard);
    run_is_over();
  }
}

// A body that was ended has not run: what it would have read comes to the next one.
TEST(a_run_that_failed_loses_nothing) {
  struct reacting l CLOSED_BY(reacting_audit);
  bool ran;
  begin(&l, exact,
        "reaction watch(counters(rules)) {\n" PRINTS
        "  if (rules_count && rules[0].packets == 3) abort();\n}\n");
  change(&l, SLUICE_TABLE_ADD, 0);
  for (unsigned n = 0; n < 2; n++) send(&l, 0);
  hear_step(&l);
  assert_int_equal(differences("watch"), 0);
  run_is_over();
  for (unsigned n = 0; n < 3; n++) send(&l, 0);
  GOOD(reactions_step(l.rs, &ran, &error));
  HEARD("it is stopped");
  GOOD(reactions_start(l.rs, VID, "watch", &error));
  send(&l, 0);
  hear_step(&l);
  assert_int_equal(differences("watch"), 0);
  assert_int_equal(of[0].run.packets, 4);
}

// ---- members ------------------------------------------------------------------------------------

static void add(struct reacting *l, uint64_t value, uint64_t mask, uint64_t second,
                uint64_t priority) {
  const struct sluice_table_change c = {.op = SLUICE_TABLE_ADD,
                                        .vid = VID,
                                        .table = "rules",
                                        .keys = {{value, mask}, {second, UINT32_MAX}},
                                        .priority = (uint32_t)priority,
                                        .action = "allow",
                                        .args = {1}};
  GOOD(sluice_chip_table_change(l->chip, &c, 1, NULL, NULL, &error));
}

TEST(entries_have_masks_prefixes_and_priorities) {
  struct reacting l CLOSED_BY(reacting_audit);
  begin(&l,
        "table rules { key: p.src: ternary, p.dst: exact; actions: allow, deny; size: 12; default: "
        "deny(); }\n",
        "reaction a(counters(rules)) { for (int i = 0; i < rules_count; i++) printf(\"%llx %llx "
        "%llx %u %lld\\n\", (long long)rules[i].src, (long long)rules[i].src_mask, (long "
        "long)rules[i].dst, rules[i].priority, (long long)rules[i].packets);\n"
        "  for (int i = rules_count; i < 12; i++) if (rules[i].packets) abort(); }\n");
  add(&l, 0xc0a80000, 0xffff0000, 9, 7);
  add(&l, 0, 0, 8, 3);
  for (unsigned n = 0; n < 5; n++) (void)send_frame(&l, 0xc0a80101, 9, 100);
  for (unsigned n = 0; n < 6; n++) (void)send_frame(&l, 0xc0a80101, 8, 100);
  (void)send_frame(&l, 1, 9, 100);
  hear_step(&l);
  HEARD("a/3: c0a80000 ffff0000 9 7 5\n");
  HEARD("a/3: 0 0 8 3 6\n");
  reacting_audit(&l);
  begin(&l,
        "table rules { key: p.src: lpm, p.dst: exact; actions: allow, deny; size: 12; default: "
        "deny(); }\n",
        "reaction a(counters(rules)) { for (int i = 0; i < rules_count; i++) printf(\"%llx/%u %lld "
        "\\n\", (long long)rules[i].src, rules[i].src_length, (long long)rules[i].packets); }\n");
  add(&l, 0xc0a80000, 0xffff0000, 9, 0);
  (void)send_frame(&l, 0xc0a80101, 9, 100);
  hear_step(&l);
  HEARD("a/3: c0a80000/16 1 \n");
}

// ---- images and other programs ------------------------------------------------------------------

TEST(another_table_is_refused) {
  struct reacting l CLOSED_BY(reacting_audit);
  begin(&l, exact, blocks);
  struct sluice_image *same CLOSED_BY(close_image) = program(exact, blocks),
                            *other CLOSED_BY(close_image) =
                                program("malleable table rules { key: p.src: exact; actions: "
                                        "allow, deny; size: 59; default: deny(); }\n",
                                        blocks);
  GOOD(reactions_reload(l.rs, VID, "watch", same, NULL, &error));
  SAYS(SLUICE_ERR_DIFFERS, "no table 'rules' with the size, keys and actions",
       reactions_reload(l.rs, VID, "watch", other, NULL, &error));
  hear_step(&l);
}

TEST(images_that_lie_are_refused) {
  static const char *const lies[][3] = {
      {"\"name\":\"rules\",\"scalar\"", "\"name\":\"ruler\",\"scalar\"", "no table of the program"},
      {"\"first\":0,\"num\":60", "\"first\":1,\"num\":60", "not those of all entries"},
      {"\"first\":0,\"num\":60", "\"first\":0,\"num\":61", "not those of all entries"},
      {"\"scalar\":false", "\"scalar\":true", "counters are a scalar"},
      {"\"counters\":true", "\"counters\":true,\"unchanged\":true", "must be unchanged"},
      {"\"counters\":true", "\"counters\":false", "no array of the program"},
  };
  static char changed[1 << 20];
  char path[] = "/tmp/sluice-test-XXXXXX", *text CLOSED_BY(freed) = calloc(1, sizeof changed);
  struct sluice_image *image CLOSED_BY(close_image) = program(exact, blocks), *read;
  const int fd = mkstemp(path);
  FILE *in = fdopen(fd, "r");
  assert_true(text && in);
  GOOD(sluice_image_save(image, path, &error));
  GOOD(sluice_image_open(&read, path, NULL, &error));
  const struct sluice_reaction_arg *a = &read->reactions[0].args[0];
  assert_true(a->is_counters && !a->is_register && a->num == 60 && a->num_keys == 1);
  assert_int_equal(reaction_num_words(&read->reactions[0]), 1 + 60 * 16);
  sluice_image_close(read);
  // The saved file stands in the place of the one that was opened.
  assert_non_null(freopen(path, "r", in));
  assert_true(fread(text, 1, sizeof changed - 1, in) > 100);
  fclose(in);
  unlink(path);
  for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
    const char *at = strstr(text, lies[i][0]);
    if (!at) fail_msg("'%s' is not in the image", lies[i][0]);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, lies[i][1],
             at + strlen(lies[i][0]));
    SAYS(SLUICE_ERR_FORMAT, lies[i][2],
         sluice_image_parse(&read, changed, strlen(changed), "x", NULL, &error));
  }
}
