// SPDX-License-Identifier: Apache-2.0
// Menshen's configuration files: the published vectors as a file, the eight modules there and back
// and what they do on the model, random files there and back, and what is refused.
//
// SLUICE_SEED in the environment chooses the random files.

#include <jansson.h>

#include "tests/rig/cases.h"
#include "base/bytes.h"
#include "tests/rig/chip_rig.h"
#include "driver/menshen/menshen.h"
#include "driver/plan/plan.h"
#include "tests/rig/line.h"

enum { FRAME = 96, PACKETS = 400 };

static char text[1 << 20];

static size_t printed(const struct sluice_menshen_file *file) {
  FILE *out = fmemopen(text, sizeof text, "w");
  assert_non_null(out);
  sluice_menshen_print(file, out);
  const long len = ftell(out);
  assert_int_equal(fclose(out), 0);
  return (size_t)len;
}

// ---- texts --------------------------------------------------------------------------------------

static void zeros(char *to, unsigned num) {
  memset(to, '0', num);
  to[num] = 0;
}

static void try_text(void *user, const struct one_case *c) {
  struct sluice_menshen_file file = {0};
  size_t len = 0;
  (void)user;
  for (const char *at = c->request; *at;) {
    unsigned num;
    int used = 0;
    if (sscanf(at, "$ZEROS(%u)%n", &num, &used) == 1 && used) {
      zeros(text + len, num);
      len += num;
      at += used;
    } else {
      text[len++] = *at++;
    }
  }
  text[len] = 0;
  assert_int_equal(sluice_menshen_parse(&file, text, len, "x.txt", &error), SLUICE_ERR_FORMAT);
  cases_answer(c, error.text);
}
TEST(texts_are_read_to_the_letter) {
  cases_each("sw/tests/driver/menshen.cases", "texts", try_text, NULL);
}

// Menshen's own file of segments, as it is published.
TEST(a_published_file) {
  static const char segments[] = "StatefulIdxConf 000100110000000000000001\n0000010000000000\n"
                                 "StatefulIdxConf 000100110000000000000010\n0000010000000100\n";
  struct sluice_menshen_file file CLOSED_BY(sluice_menshen_release) = {0};
  struct sluice_image image = {.num_writes = 0};
  GOOD(sluice_menshen_parse(&file, segments, sizeof segments - 1, "stateconf.txt", &error));
  assert_int_equal(file.num, 2);
  assert_int_equal(printed(&file), sizeof segments - 1);
  assert_memory_equal(text, segments, sizeof segments - 1);
  SAYS(SLUICE_ERR_RANGE, "line 3: is of module 2, line 1 of module 1: say which is meant",
       sluice_menshen_to_image(&image, &file, "s.txt", 0, sluice_config_find("menshen"), &error));
  GOOD(sluice_menshen_to_image(&image, &file, "s.txt", 2, sluice_config_find("menshen"), &error));
  FIELDS_ARE(&image, (num_arrays, 1), (arrays[0].stage, 2), (arrays[0].size, 4));
  sluice_image_release(&image);
  SAYS(SLUICE_ERR_RANGE, "nothing of module 3",
       sluice_menshen_to_image(&image, &file, "s.txt", 3, sluice_config_find("menshen"), &error));
  static const char *const smaller[] = {"menshen.Num2B7", "menshen.Num4B7", "menshen.Num6B7",
                                        "menshen.ParseActions9"};
  for (unsigned n = 0; n < 4; n++)
    SAYS(
        SLUICE_ERR_RANGE, "has fewer containers, parse actions or header bytes",
        sluice_menshen_to_image(&image, &file, "s.txt", 2, sluice_config_find(smaller[n]), &error));
  SAYS(SLUICE_ERR_RANGE, "has 16 ports",
       sluice_menshen_to_image(&image, &file, "s.txt", 2, sluice_config_find("k4"), &error));
  SAYS(SLUICE_ERR_RANGE, "take 'menshen'",
       sluice_menshen_to_image(&image, &file, "s.txt", 2, sluice_config_find("tiny"), &error));
}

static void try_allocation(void *user, const struct one_case *c) {
  struct sluice_menshen_room room = {.vid = 3};
  (void)user;
  assert_int_not_equal(
      sluice_menshen_allocation(&room, c->request, strlen(c->request), "a.txt", &error), SLUICE_OK);
  cases_answer(c, error.text);
}
TEST(allocations) {
  static const char good[] = "lkupconf 2 3 0 8\n4 8 16\nstatefulmem 1 3 4 8\n";
  struct sluice_menshen_room room = {.vid = 3};
  GOOD(sluice_menshen_allocation(&room, good, sizeof good - 1, "a.txt", &error));
  FIELDS_ARE(&room, (first_row, 0), (end_row, 8), (base, 4), (range, 8));
  cases_each("sw/tests/driver/menshen.cases", "allocations", try_allocation, NULL);
}

// ---- the published vectors ----------------------------------------------------------------------

static unsigned digit(char c) { return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10); }

// The seven reconfiguration packets as records, and back from the image that they are.
TEST(the_vectors) {
  json_t *root = json_load_file("sw/tests/data/menshen-vectors.json", 0, NULL), *v;
  struct sluice_menshen_file file CLOSED_BY(sluice_menshen_release) = {0},
                                  again CLOSED_BY(sluice_menshen_release) = {0};
  struct sluice_image image CLOSED_BY(sluice_image_release) = {.num_writes = 0};
  struct sluice_menshen_room room = sluice_menshen_whole(43);
  size_t at = 0, i;
  assert_non_null(root);
  json_array_foreach(json_object_get(root, "vectors"), i, v) {
    const char *frame = json_string_value(json_object_get(v, "frame_hex"));
    if (!frame) continue;
    at += (size_t)snprintf(text + at, sizeof text - at, "Conf ");
    for (const char *p = frame + 2 * 46; *p; p++) {
      if (p == frame + 2 * 49) text[at++] = '\n', p = frame + 2 * 64;
      for (unsigned bit = 4; bit-- > 0;) text[at++] = (char)('0' + (digit(*p) >> bit & 1));
    }
    text[at++] = '\n';
  }
  json_decref(root);
  GOOD(sluice_menshen_parse(&file, text, at, "vectors", &error));
  assert_int_equal(file.num, 7);
  GOOD(sluice_menshen_to_image(&image, &file, "vectors", 0, sluice_config_find("menshen"), &error));
  room.first_row = 9, room.base = 12;
  GOOD(sluice_menshen_from_image(&again, &image, &room, &error));
  assert_int_equal(again.num, 7);
  for (size_t n = 0; n < file.num; n++) {
    const struct sluice_menshen_record *old = &file.list[n], *new = NULL;
    for (size_t k = 0; k < again.num; k++)
      if (again.list[k].table == old->table) new = &again.list[k];
    assert_non_null(new);
    assert_int_equal(new->stage, old->stage);
    assert_int_equal(new->index % 32, old->index);
    assert_memory_equal(new->bytes, old->bytes, sizeof old->bytes);
  }
}

// ---- the eight modules --------------------------------------------------------------------------

struct expected {
  bool dropped;
  unsigned ports;  // bit p: a copy at port p
  uint8_t bytes[FRAME];
};

static unsigned number(const uint8_t *at, unsigned len) { return (unsigned)sluice_get(at, len); }
static void put(uint8_t *at, unsigned len, unsigned n) {
  for (unsigned i = len; i-- > 0; n >>= 8) at[i] = (uint8_t)n;
}

static unsigned counts[16];

static void calc(struct expected *e) {
  const unsigned op = number(e->bytes + 46, 2), a = number(e->bytes + 48, 4),
                 b = number(e->bytes + 52, 4);
  if (op >= 1 && op <= 3) put(e->bytes + 56, 4, op == 1 ? a + b : op == 2 ? a - b : a);
  e->ports = 2;
}
static void firewall(struct expected *e) {
  const unsigned src = number(e->bytes + 30, 4), port = number(e->bytes + 40, 2);
  e->dropped = (src == 0x0a000007 && (port == 80 || port == 443)) ||
               (src == 0x0a000009 && port == 53);
  e->ports = 4;
}
static void load_balancing(struct expected *e) {
  const unsigned src = number(e->bytes + 30, 4), dst = number(e->bytes + 34, 4),
                 ports = number(e->bytes + 38, 4);
  const bool to = dst == 0x0a090909 && (ports & 0xffff) == 80;
  const bool first = to && src == 0x0a000001 && ports >> 16 == 1000,
             second = to && ((src == 0x0a000002 && ports >> 16 == 1000) ||
                             (src == 0x0a000001 && ports >> 16 == 1001));
  e->ports = first ? 2 : second ? 4 : 8;
  if (first || second) put(e->bytes + 46, 2, first ? 1 : 2);
}
static void multicast(struct expected *e) {
  const unsigned dst = number(e->bytes + 34, 4);
  e->ports = dst == 0xe0000001 ? 15 : dst == 0xe0000005 || dst == 0xe0000006 ? 6 : 1;
}
static void netcache(struct expected *e) {
  const unsigned op = number(e->bytes + 46, 2), key = number(e->bytes + 48, 4);
  const bool hit = op == 1 && (key == 3 || key == 5 || key == 9);
  put(e->bytes + 52, 4, key < 16 ? 1000 + key : 0);
  if (hit) put(e->bytes + 46, 2, 4);
  e->ports = hit ? 1 : 2;
}
static void netchain(struct expected *e) {
  const unsigned key = number(e->bytes + 46, 4);
  put(e->bytes + 50, 4, key < 16 ? ++counts[key] : 1);
  e->ports = 4;
}
static void qos(struct expected *e) {
  const unsigned port = number(e->bytes + 40, 2);
  if (port == 5060) put(e->bytes + 18, 2, 0x45b0);
  if (port == 4500 || port == 53) put(e->bytes + 18, 2, 0x45b8);
  e->ports = 4;
}
static void source_routing(struct expected *e) {
  const unsigned first = number(e->bytes + 46, 2);
  e->dropped = first < 1 || first > 4;
  e->ports = first >= 1 && first <= 4 ? 1u << (first - 1) : 0;
  memmove(e->bytes + 46, e->bytes + 48, 4);
  put(e->bytes + 50, 2, 0);
}

static const struct {
  const char *name;
  void (*expect)(struct expected *);
} modules[] = {{"calc", calc},
               {"firewall", firewall},
               {"load_balancing", load_balancing},
               {"multicast", multicast},
               {"netcache", netcache},
               {"netchain", netchain},
               {"qos", qos},
               {"source_routing", source_routing}};
enum { MODULES = sizeof modules / sizeof *modules };

// Fields often have what some module looks for.
static void make(struct sluice_rng *rng, unsigned vid, uint8_t bytes[FRAME]) {
  static const unsigned sources[] = {0x0a000001, 0x0a000002, 0x0a000007, 0x0a000009},
                        groups[] = {0x0a090909, 0xe0000001, 0xe0000005, 0xe0000006, 0xe0000007},
                        ports[] = {80, 443, 53, 5060, 4500, 1000};
  for (unsigned i = 0; i < FRAME; i++) bytes[i] = (uint8_t)sluice_rng_below(rng, 256);
  put(bytes + 12, 2, 0x8100);
  put(bytes + 14, 2, vid);
  put(bytes + 16, 2, 0x0800);
  bytes[18] = 0x45, bytes[27] = 17;
  put(bytes + 30, 4, sources[sluice_rng_below(rng, 4)]);
  put(bytes + 34, 4, groups[sluice_rng_below(rng, 5)]);
  put(bytes + 38, 2, 1000 + (unsigned)sluice_rng_below(rng, 2));
  put(bytes + 40, 2, ports[sluice_rng_below(rng, 6)]);
  if (sluice_rng_below(rng, 8) == 0) return;
  put(bytes + 46, 2, (unsigned)sluice_rng_below(rng, 5));
  put(bytes + 48, 4, (unsigned)sluice_rng_below(rng, 18));
  if (sluice_rng_below(rng, 2)) put(bytes + 46, 4, (unsigned)sluice_rng_below(rng, 18));
}

static void one_packet(struct sluice_transport *to, const char *name, const uint8_t *bytes,
                       const struct expected *e) {
  static struct sluice_packet_out out;
  unsigned ports = 0;
  GOOD(to->ops->packet_send(to->self, 0, bytes, FRAME, &error));
  for (;;) {
    GOOD(to->ops->packet_receive(to->self, &out, &error));
    if (out.len == 0) break;
    ports |= 1u << out.port;
    assert_int_equal(out.len, FRAME);
    for (unsigned i = 0; i < FRAME; i++)
      if (out.bytes[i] != e->bytes[i])
        fail_msg("%s, byte %u: %02x, expected %02x", name, i, out.bytes[i], e->bytes[i]);
  }
  if (ports != (e->dropped ? 0 : e->ports))
    fail_msg("%s: ports 0x%x, expected 0x%x", name, ports, e->dropped ? 0 : e->ports);
}

// The modules of `images` on a chip, beside each other, each as its C function says.
static void play(const char *chip_name, struct sluice_image *const images[MODULES], unsigned first,
                 unsigned num) {
  struct sluice_transport to;
  struct sluice_chip *chip;
  struct sluice_rng rng;
  sluice_rng_init(&rng, 1, "packets");
  memset(counts, 0, sizeof counts);
  GOOD(sluice_transport_model(&to, chip_name, NULL, &error));
  GOOD(sluice_chip_open(&chip, &to, NULL, &error));
  for (unsigned m = first; m < first + num; m++) {
    GOOD(sluice_chip_load(chip, images[m], 1 + m, &error));
    struct sluice_image_array array;
    for (unsigned k = 0; sluice_image_get_array(images[m], 0, &array) && k < 16; k++) {
      const uint32_t value = strcmp(modules[m].name, "netcache") == 0 ? 1000 + k : 0;
      GOOD(sluice_chip_state_write(chip, 1 + m, array.name, k, 1, &value, &error));
    }
  }
  for (unsigned n = 0; n < PACKETS; n++) {
    const unsigned m = first + (unsigned)sluice_rng_below(&rng, num);
    struct expected e = {0};
    uint8_t bytes[FRAME];
    make(&rng, 1 + m, bytes);
    memcpy(e.bytes, bytes, FRAME);
    modules[m].expect(&e);
    one_packet(&to, modules[m].name, bytes, &e);
  }
  sluice_chip_close(chip);
  sluice_transport_close(&to);
}

static struct sluice_image *program(unsigned m) {
  char path[100];
  snprintf(path, sizeof path, "sw/programs/menshen/format/%s.dom", modules[m].name);
  struct sluice_image *image = compiled(path, "tables");
  assert_non_null(image);
  return image;
}

// Program -> image -> file -> image: the first and the last do the same with the same packets, and
// the last one's file is the same text.
TEST(the_eight_modules) {
  struct sluice_image *there[MODULES], back[MODULES], *backs[MODULES];
  for (unsigned m = 0; m < MODULES; m++) {
    struct sluice_menshen_file file CLOSED_BY(sluice_menshen_release) = {0},
                                    again CLOSED_BY(sluice_menshen_release) = {0},
                                    last CLOSED_BY(sluice_menshen_release) = {0};
    struct sluice_menshen_room room = sluice_menshen_whole(1 + m);
    there[m] = program(m);
    GOOD(sluice_menshen_from_image(&file, there[m], &room, &error));
    const size_t len = printed(&file);
    GOOD(sluice_menshen_parse(&again, text, len, modules[m].name, &error));
    GOOD(sluice_menshen_to_image(&back[m], &again, modules[m].name, 0,
                                 sluice_config_find("menshen"), &error));
    GOOD(sluice_menshen_from_image(&last, &back[m], &room, &error));
    char *before = strndup(text, len);
    assert_int_equal(printed(&last), len);
    assert_memory_equal(text, before, len);
    free(before);
    backs[m] = &back[m];
  }
  for (unsigned m = 0; m < MODULES; m += 2) play("menshen", backs, m, 2);
  play("menshen", backs, 4, 4);
  play("tables", there, 0, 4);
  play("tables", there, 4, 4);
  for (unsigned m = 0; m < MODULES; m++) {
    sluice_image_release(there[m]);
    free(there[m]);
    sluice_image_release(&back[m]);
  }
}

// ---- what the format cannot say -----------------------------------------------------------------

static void try_program(void *user, const struct one_case *c) {
  struct sluice_menshen_file file = {0};
  const struct sluice_menshen_room room = sluice_menshen_whole(5);
  char source[1000], chip[20];
  int body;
  (void)user;
  assert_int_equal(sscanf(c->request, "%19s %n", chip, &body), 1);
  const char *option = strstr(c->request, "option checksum;");
  snprintf(source, sizeof source,
           "%sstruct Packet { %sint out @ meta.port_out; int a @ bytes(46, 4);%s };\n%s",
           option ? "option checksum; " : "", option ? "" : "int in @ meta.port_in; ",
           option ? "" : " int b @ bytes(50, 4);", c->request + body + (option ? 16 : 0));
  struct sluice_image *image CLOSED_BY(freed) = compiled_text(source, chip);
  if (!image) fail_msg("%s: it does not compile: %s", c->where, source);
  assert_int_equal(sluice_menshen_from_image(&file, image, &room, &error), SLUICE_ERR_RANGE);
  cases_answer(c, error.text);
  assert_int_equal(file.num, 0);
  sluice_image_release(image);
}
TEST(programs_that_have_no_form) {
  cases_each("sw/tests/driver/menshen.cases", "programs", try_program, NULL);
}

// What the memory gives goes to 4B[7]: not to a container of 2 bytes, or of 6.
TEST(results_are_of_four_bytes) {
  for (unsigned bytes = 2; bytes <= 6; bytes += 2) {
    struct sluice_menshen_file file CLOSED_BY(sluice_menshen_release) = {0};
    const struct sluice_menshen_room room = sluice_menshen_whole(5);
    char source[300];
    snprintf(source, sizeof source,
             "struct Packet { int a @ bytes(46, 4); int c @ bytes(50, %u); };\n"
             "int s[8] = {0};\nvoid f(struct Packet p) { s[p.a] += 1; p.c = s[p.a]; }\n",
             bytes);
    struct sluice_image *image CLOSED_BY(close_image) = compiled_text(source, "tables");
    if (!image) fail_msg("not compiled: %s", source);
    if (bytes == 4) GOOD(sluice_menshen_from_image(&file, image, &room, &error));
    else
      SAYS(SLUICE_ERR_RANGE, "values of the memory go to one container of 4 bytes alone",
           sluice_menshen_from_image(&file, image, &room, &error));
  }
}

// A sum and a difference of two containers have two forms here, and the same one in a file.
TEST(both_forms_of_a_sum_are_one) {
  static const struct {
    unsigned own, f;
  } forms[] = {{SLUICE_OP_ADD, SLUICE_FUNC_ADD}, {SLUICE_OP_SUB, SLUICE_FUNC_SUB}};
  for (unsigned n = 0; n < 2; n++) {
    char before[4000] = "";
    for (unsigned func = 0; func < 2; func++) {
      struct sluice_menshen_file file CLOSED_BY(sluice_menshen_release) = {0};
      struct sluice_image image CLOSED_BY(sluice_image_release) = {.num_writes = 0};
      const struct sluice_menshen_room room = sluice_menshen_whole(5);
      // 4B[1] of 4B[5] and 4B[2]
      const uint32_t own = SLUICE_TYPE_B4 << 19 | 5u << 16 | SLUICE_TYPE_B4 << 14 | 2u << 11,
                     word = func
                                ? own | SLUICE_OP_FUNC << 21 | forms[n].f << SLUICE_INSTR_FUNC_F_LSB
                                : own | forms[n].own << 21;
      strcpy(image.config, "menshen");
      strcpy(image.program, "sum");
      *sluice_image_add_write(&image) = (struct sluice_write){.table = SLUICE_TABLE_MATCH};
      struct sluice_write *w = sluice_image_add_write(&image);
      *w = (struct sluice_write){.table = SLUICE_TABLE_ACTION};
      sluice_menshen_slot_set(w->bytes, 10, word);
      GOOD(sluice_menshen_from_image(&file, &image, &room, &error));
      const size_t len = printed(&file);
      assert_true(len < sizeof before);
      if (!func) memcpy(before, text, len + 1);
      else assert_string_equal(text, before);
    }
  }
}

// Of a table with a default action the entries that are hit set a flag, for the stage behind it: a
// container that no action names, not even as an operand that nothing has written. Without a
// default action there is neither.
TEST(flags_are_for_default_actions_alone) {
  for (unsigned defaults = 0; defaults < 2; defaults++) {
    struct sluice_menshen_file file CLOSED_BY(sluice_menshen_release) = {0};
    const struct sluice_menshen_room room = sluice_menshen_whole(5);
    struct sluice_image *image CLOSED_BY(close_image) =
        compiled_text("struct Packet { int out @ meta.port_out; int a @ bytes(46, 4); int b @ "
                      "bytes(50, 4); };\nvoid x(struct Packet p) { p.b = 1; } table t { key: p.a: "
                      "exact; actions: x; size: 4; entries: { 1: x(); } }\n"
                      "void f(struct Packet p) { apply(t); }\n",
                      "tables");
    assert_non_null(image);
    // 2B[7] = 2B[1] + 2B[0]
    const uint32_t sum = SLUICE_OP_ADD << SLUICE_INSTR_OP_LSB | SLUICE_TYPE_B2 << 19 | 1u << 16 |
                         SLUICE_TYPE_B2 << 14;
    for (size_t i = 0; i < image->num_writes; i++) {
      struct sluice_write *w = &image->writes[i];
      if (w->table == SLUICE_TABLE_ACTION) sluice_menshen_slot_set(w->bytes, 8, sum);
      if (w->table == SLUICE_TABLE_DEFAULT_ACTION)
        SLUICE_SET(w->bytes, DEFAULT_ACTION, VALID, defaults);
    }
    GOOD(sluice_menshen_from_image(&file, image, &room, &error));
    unsigned flags = 0;  // bit n: some action sets 2B[n]
    for (size_t n = 0; n < file.num; n++)
      for (unsigned slot = 1; slot <= 8 && file.list[n].table == SLUICE_TABLE_ACTION; slot++)
        if (sluice_menshen_slot(file.list[n].bytes, slot) >> SLUICE_INSTR_OP_LSB == SLUICE_OP_SET)
          flags |= 1u << (slot - 1);
    assert_int_equal(flags, defaults ? 1u << 2 : 0);
  }
}

// Which of the four arms of a state instruction is done, if it is always the same one, is no
// matter.
TEST(a_store_may_be_in_any_arm) {
  // predicates 1 to 4
  static const bool holds[4][4] = {{1, 1, 0, 0}, {1, 0, 0, 0}, {0, 1, 1, 1}, {0, 1, 0, 1}};
  const unsigned bits = SLUICE_STATE_INSTR_BITS;
  char before[4000] = "";
  for (unsigned arm = 0; arm < 4; arm++) {
    struct sluice_menshen_file file CLOSED_BY(sluice_menshen_release) = {0};
    const struct sluice_menshen_room room = sluice_menshen_whole(5);
    struct sluice_image *image CLOSED_BY(close_image) =
        compiled_text("struct Packet { int out @ meta.port_out; int a @ bytes(46, 4); int b @ "
                      "bytes(50, 4); };\nint s[8] = {0};\n"
                      "void f(struct Packet p) { s[p.a] = p.b; p.out = 1; }\n",
                      "tables");
    assert_non_null(image);
    size_t at = 0;
    while (at < image->num_writes && image->writes[at].table != SLUICE_TABLE_STATE_INSTR) at++;
    assert_true(at < image->num_writes);
    uint8_t *entry = image->writes[at].bytes;
    const uint64_t store =
        sluice_entry_get(entry, bits, SLUICE_STATE_INSTR_A1_MSB, SLUICE_STATE_INSTR_A2_LSB);
    for (unsigned n = 0; n < 4; n++) {
      const unsigned lsb = SLUICE_STATE_INSTR_PRED_1_LSB - SLUICE_PREDICATE_BITS * n;
      sluice_entry_set(entry, bits, lsb + SLUICE_PREDICATE_BITS - 1, lsb,
                       (holds[arm][n] ? SLUICE_REL_TRUE : SLUICE_REL_FALSE) << 3);
      sluice_entry_set(entry, bits, SLUICE_STATE_INSTR_A1_MSB - 16 * n,
                       SLUICE_STATE_INSTR_A2_LSB - 16 * n, n == arm ? store : 0);
    }
    GOOD(sluice_menshen_from_image(&file, image, &room, &error));
    const size_t len = printed(&file);
    assert_true(len < sizeof before);
    if (!arm) memcpy(before, text, len + 1);
    else assert_string_equal(text, before);
  }
}

// Programs of a few lines on chip `tables`, and from their files on chip `menshen`: each packet
// leaves both with the same bytes at the same ports.
TEST(programs_do_what_their_files_do) {
  static const char *const bodies[] = {
      "void f(struct Packet p) { p.a = p.a + p.b; p.out = 1; }",
      "void f(struct Packet p) { p.b = p.a - p.b; p.out = 2; }",
      "void f(struct Packet p) { p.b = p.b - p.a; p.out = 2; }",
      "int s[8] = {0}; void f(struct Packet p) { s[p.a] = p.b; p.out = 1; }",
      "void x(struct Packet p, int n) { p.b = n; p.out = 1; } table t { key: p.a: exact; actions: "
      "x; size: 4; default: x(77); } void f(struct Packet p) { apply(t); }",
      "void x(struct Packet p) { p.b = 1; } table t { key: p.a: exact; actions: x; size: 16; "
      "entries: { 1: x(); 2: x(); 3: x(); 4: x(); 5: x(); 6: x(); 7: x(); 8: x(); 9: x(); 10: x(); "
      "11: x(); 12: x(); 13: x(); 14: x(); 15: x(); 16: x(); } } void f(struct Packet p) { "
      "apply(t); }"};
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    static struct sluice_packet_out out[2];
    struct sluice_menshen_file file CLOSED_BY(sluice_menshen_release) = {0};
    const struct sluice_menshen_room room = sluice_menshen_whole(5);
    struct sluice_transport to[2];
    struct sluice_chip *chip[2];
    struct sluice_image back CLOSED_BY(sluice_image_release) = {.num_writes = 0};
    struct sluice_rng rng;
    char source[1000];
    snprintf(source, sizeof source,
             "struct Packet { int out @ meta.port_out; int a @ bytes(46, 4); int b @ bytes(50, 4); "
             "};\n%s",
             bodies[i]);
    struct sluice_image *image CLOSED_BY(close_image) = compiled_text(source, "tables");
    if (!image) fail_msg("not compiled: %s", source);
    if (sluice_menshen_from_image(&file, image, &room, &error))
      fail_msg("%s: %s", bodies[i], error.text);
    GOOD(sluice_menshen_to_image(&back, &file, "x", 5, sluice_config_find("menshen"), &error));
    for (unsigned c = 0; c < 2; c++) {
      GOOD(sluice_transport_model(&to[c], c ? "menshen" : "tables", NULL, &error));
      GOOD(sluice_chip_open(&chip[c], &to[c], NULL, &error));
      GOOD(sluice_chip_load(chip[c], c ? &back : image, 5, &error));
    }
    sluice_rng_init(&rng, 1, "both");
    for (unsigned n = 0; n < 100; n++) {
      uint8_t bytes[FRAME];
      make(&rng, 5, bytes);
      put(bytes + 46, 4, (unsigned)sluice_rng_below(&rng, 8));
      for (unsigned c = 0; c < 2; c++) through(&to[c], 0, bytes, FRAME, &out[c]);
      if (out[0].len != out[1].len || memcmp(out[0].bytes, out[1].bytes, out[0].len) != 0)
        fail_msg("%s: packet %u of %zu bytes and %zu is another", bodies[i], n, out[0].len,
                 out[1].len);
    }
    for (unsigned c = 0; c < 2; c++) {
      sluice_chip_close(chip[c]);
      sluice_transport_close(&to[c]);
    }
  }
}

// The programs of Menshen's table 3 in our language do more than its format can say: each is
// refused with its place.
TEST(the_originals_are_refused) {
  static const char *const names[] = {
      "firewall", "load_balancing", "multicast", "netcache", "netchain", "qos", "source_routing"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[100];
    struct sluice_menshen_file file = {0};
    const struct sluice_menshen_room room = sluice_menshen_whole(5);
    snprintf(path, sizeof path, "sw/programs/menshen/%s.dom", names[i]);
    struct sluice_image *image CLOSED_BY(freed) = compiled(path, "menshen");
    assert_non_null(image);
    SAYS(SLUICE_ERR_RANGE,
         "has no form in Menshen's file: ", sluice_menshen_from_image(&file, image, &room, &error));
    sluice_image_release(image);
  }
}

// ---- random files -------------------------------------------------------------------------------

static void random_bits(struct sluice_rng *rng, uint8_t *bytes, unsigned bits) {
  for (unsigned b = 0; b < bits; b++)
    if (sluice_rng_below(rng, 2)) sluice_entry_set(bytes, bits, bits - 1 - b, bits - 1 - b, 1);
}

static void random_parse(struct sluice_rng *rng, uint8_t *bytes, bool halves) {
  for (unsigned a = 0; a < 10; a++) {
    const unsigned kind = 1 + (unsigned)sluice_rng_below(rng, 3), low = halves && a >= 5 ? 64 : 0,
                   high = halves && a < 5 ? 64 : 128;
    if (sluice_rng_below(rng, 3) == 0) continue;
    const unsigned offset = low + (unsigned)sluice_rng_below(rng, high - low - 2 * kind + 1);
    put(bytes + 2 * a, 2, offset << 6 | kind << 4 | (unsigned)sluice_rng_below(rng, 8) << 1 | 1);
  }
}

static void random_action(struct sluice_rng *rng, uint8_t *bytes, bool memory) {
  static const unsigned ops[] = {0, 1, 2, 9, 10, 14, 15}, md[] = {0, 12, 13, 15},
                        of_memory[] = {7, 8, 11};
  for (unsigned slot = 0; slot < 25; slot++) {
    unsigned op = slot ? ops[sluice_rng_below(rng, 7)] : md[sluice_rng_below(rng, 4)];
    if (memory && slot == 16 && sluice_rng_below(rng, 2)) op = of_memory[sluice_rng_below(rng, 3)];
    sluice_menshen_slot_set(bytes, slot, op << 21 | (uint32_t)sluice_rng_below(rng, 1 << 21));
  }
}

static void random_file(struct sluice_rng *rng, struct sluice_menshen_file *file, unsigned vid,
                        unsigned first, unsigned rows) {
  struct sluice_menshen_record *r;
  bool memory[SLUICE_MENSHEN_STAGES];
  for (unsigned s = 0; s < SLUICE_MENSHEN_STAGES; s++) {
    memory[s] = sluice_rng_below(rng, 2);
    if (!memory[s]) continue;
    r = sluice_menshen_add(file, SLUICE_TABLE_SEGMENT16, s, vid);
    SLUICE_SETS(r->bytes, SEGMENT16, (RANGE, 1 + sluice_rng_below(rng, 20)), (BASE, 4));
  }
  random_parse(rng, sluice_menshen_add(file, SLUICE_TABLE_PARSER, 0, vid)->bytes, false);
  r = sluice_menshen_add(file, SLUICE_TABLE_DEPARSER, 0, vid);
  if (sluice_rng_below(rng, 4)) random_parse(rng, r->bytes, true);
  for (unsigned s = 0; s < SLUICE_MENSHEN_STAGES; s++) {
    if (sluice_rng_below(rng, 4) == 0) continue;
    random_bits(rng, sluice_menshen_add(file, SLUICE_TABLE_KEY_EXTRACT, s, vid)->bytes, 38);
    random_bits(rng, sluice_menshen_add(file, SLUICE_TABLE_KEY_MASK, s, vid)->bytes, 193);
    const unsigned used = (unsigned)sluice_rng_below(rng, rows + 1);
    for (unsigned row = first; row < first + used; row++) {
      r = sluice_menshen_add(file, SLUICE_TABLE_MATCH, s, row);
      random_bits(rng, r->bytes, 205);
      r->bytes[0] &= 0x0f;
      SLUICE_SET(r->bytes, MATCH, VID, vid);
      random_action(rng, sluice_menshen_add(file, SLUICE_TABLE_ACTION, s, row)->bytes, memory[s]);
    }
  }
}

TEST(random_files_there_and_back) {
  const char *given = getenv("SLUICE_SEED");
  const uint64_t seed = given ? strtoull(given, NULL, 0) : 1;
  for (uint64_t n = seed; n < seed + (given ? 1 : 200); n++) {
    struct sluice_rng rng;
    struct sluice_menshen_file file CLOSED_BY(sluice_menshen_release) = {0},
                                    read CLOSED_BY(sluice_menshen_release) = {0},
                                    again CLOSED_BY(sluice_menshen_release) = {0};
    struct sluice_image image CLOSED_BY(sluice_image_release) = {.num_writes = 0};
    sluice_rng_init(&rng, n, "menshen");
    const unsigned vid = 1 + (unsigned)sluice_rng_below(&rng, 255),
                   first = (unsigned)sluice_rng_below(&rng, 8),
                   rows = 1 + (unsigned)sluice_rng_below(&rng, 8);
    const struct sluice_menshen_room room = {vid, first, first + rows, 4, 28};
    random_file(&rng, &file, vid, first, rows);
    const size_t len = printed(&file);
    char *before CLOSED_BY(freed) = strndup(text, len);
    GOOD(sluice_menshen_parse(&read, text, len, "random", &error));
    GOOD(sluice_menshen_to_image(&image, &read, "random", vid, sluice_config_find("menshen"),
                                 &error));
    // Of no module yet: the loader gives the id.
    for (size_t w = 0; w < image.num_writes; w++)
      if (image.writes[w].table == SLUICE_TABLE_MATCH)
        assert_int_equal(SLUICE_GET(image.writes[w].bytes, MATCH, VID), 0);
    GOOD(sluice_menshen_from_image(&again, &image, &room, &error));
    if (printed(&again) != len || memcmp(text, before, len) != 0)
      fail_msg("another file came back; repeat with SLUICE_SEED=%llu", (unsigned long long)n);
  }
}

// What Menshen's hardware does otherwise than this chip is refused, with the line.
TEST(lines_that_do_not_fit) {
  static const struct {
    enum sluice_table table;
    unsigned stage, slot;
    uint32_t word;
    const char *says;
  } cases[] = {
      {SLUICE_TABLE_ACTION, 1, 3, UINT32_C(3) << 21, "slot 3: Menshen has no operation 3"},
      {SLUICE_TABLE_ACTION, 1, 9, UINT32_C(11) << 21, "slot 9: LOAD is for slot 16 (4B[7]) alone"},
      {SLUICE_TABLE_ACTION, 1, 16, UINT32_C(11) << 21, "the module has none in stage 1"},
      {SLUICE_TABLE_PARSER, 0, 0, 0x2011, "action 0: the reserved bits must be 0"},
      {SLUICE_TABLE_PARSER, 0, 0, 125 << 6 | 2 << 4 | 1, "action 0 ends behind byte 127"},
      {SLUICE_TABLE_MATCH, 1, 0, 0x8000, "line 1: the first four bits (priority) are not 0"},
      {SLUICE_TABLE_SEGMENT16, 1, 0, 0x0005, "a range of 0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct sluice_menshen_file file CLOSED_BY(sluice_menshen_release) = {0},
                                    read CLOSED_BY(sluice_menshen_release) = {0};
    struct sluice_image image = {.num_writes = 0};
    const bool action = cases[i].table == SLUICE_TABLE_ACTION,
               match = cases[i].table == SLUICE_TABLE_MATCH;
    struct sluice_menshen_record *r =
        sluice_menshen_add(&file, action ? SLUICE_TABLE_MATCH : cases[i].table, cases[i].stage,
                           action || match ? 2 : 7);
    if (!action) put(r->bytes, 2, cases[i].word);
    if (action || match) SLUICE_SET(r->bytes, MATCH, VID, 7);
    if (action || match) {
      r = sluice_menshen_add(&file, SLUICE_TABLE_ACTION, cases[i].stage, 2);
      if (action) sluice_menshen_slot_set(r->bytes, cases[i].slot, cases[i].word);
    }
    GOOD(sluice_menshen_parse(&read, text, printed(&file), "x.txt", &error));
    SAYS(SLUICE_ERR_RANGE, cases[i].says,
         sluice_menshen_to_image(&image, &read, "x.txt", 7, sluice_config_find("menshen"), &error));
  }
  struct sluice_menshen_file file CLOSED_BY(sluice_menshen_release) = {0};
  struct sluice_image image = {.num_writes = 0};
  sluice_menshen_add(&file, SLUICE_TABLE_MATCH, 1, 2)->line = 4;
  SAYS(SLUICE_ERR_RANGE, "line 4: row 2 of stage 1 has no action",
       sluice_menshen_to_image(&image, &file, "x.txt", 7, sluice_config_find("menshen"), &error));
}
