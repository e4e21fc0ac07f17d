// SPDX-License-Identifier: Apache-2.0
// Images: saved, loaded, damaged; and the placement of modules on a chip.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/rng.h"
#include "../driver/place.h"
#include "../driver/reconfig.h"

static char path[64];
static const struct sluice_config *tiny;

static int set_up(void **state) {
  (void)state;
  snprintf(path, sizeof path, "/tmp/sluice-image-%ld.json", (long)getpid());
  tiny = sluice_config_find("tiny");
  return tiny ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  remove(path);
  return 0;
}

static struct sluice_write *add(struct sluice_image *image, enum sluice_table table, unsigned stage,
                                unsigned index) {
  struct sluice_write *w = sluice_image_add_write(image);
  assert_non_null(w);
  w->table = table;
  w->stage = stage;
  w->index = index;
  return w;
}

// A module of two match rows in back stage 0, with an array of `size` entries there.
static struct sluice_image sample(const char *config, unsigned size, int pinned) {
  struct sluice_image image = {.layout_hash = sluice_layout_hash(), .match_rows = 2};
  strcpy(image.config, config);
  strcpy(image.program, "sample \"one\"");
  memset(add(&image, SLUICE_TABLE_PARSER, 0, 0)->bytes, 0x5a, 20);
  for (unsigned i = 0; i < 2; i++) {
    memset(add(&image, SLUICE_TABLE_ACTION, 0, i)->bytes, 0x11, 78);
    SLUICE_SET(add(&image, SLUICE_TABLE_MATCH, 0, i)->bytes, MATCH, KEY, i);
  }
  SLUICE_SET(add(&image, SLUICE_TABLE_SEGMENT, 0, 0)->bytes, SEGMENT, RANGE, size);
  struct sluice_write *access = add(&image, SLUICE_TABLE_ACCESS, 0, 0);
  SLUICE_SET(access->bytes, ACCESS, ENABLE, 1);
  SLUICE_SET(access->bytes, ACCESS, PINNED, pinned);
  struct sluice_array *array = sluice_image_add_array(&image);
  assert_non_null(array);
  // A chip of one word an entry refuses a second one that is not 0.
  const int32_t second = sluice_config_find(config)->StatePairs ? 7 : 0;
  *array =
      (struct sluice_array){.size = size, .pinned = pinned, .name = {"count", ""}, .init = {-1, second}};
  struct sluice_field *field = sluice_image_add_field(&image);
  assert_non_null(field);
  *field = (struct sluice_field){
      .name = "sport", .home = "bytes 38..39", .in_operand = 8, .out_operand = -1};
  return image;
}

static void save(const struct sluice_image *image) {
  struct sluice_error error;
  if (sluice_image_save(image, path, &error)) fail_msg("%s", error.text);
}

static char *saved_text(size_t *len) {
  FILE *in = fopen(path, "rb");
  assert_non_null(in);
  char *text = malloc(65536);
  *len = fread(text, 1, 65536, in);
  fclose(in);
  return text;
}

static void write_text(const char *text, size_t len) {
  FILE *out = fopen(path, "wb");
  assert_non_null(out);
  assert_int_equal(fwrite(text, 1, len, out), len);
  assert_int_equal(fclose(out), 0);
}

static void what_is_saved_is_loaded(void **state) {
  (void)state;
  struct sluice_image a = sample("tiny", 100, 0), b;
  struct sluice_error error = {""};
  save(&a);
  enum sluice_status status = sluice_image_load(&b, path, tiny, &error);
  assert_string_equal(error.text, "");
  assert_int_equal(status, SLUICE_OK);
  assert_string_equal(b.config, a.config);
  assert_string_equal(b.program, a.program);
  assert_int_equal(b.match_rows, 2);
  assert_int_equal(b.num_writes, a.num_writes);
  assert_memory_equal(b.writes, a.writes, a.num_writes * sizeof *a.writes);
  assert_int_equal(b.num_arrays, 1);
  assert_memory_equal(b.arrays, a.arrays, sizeof *a.arrays);
  assert_int_equal(b.num_fields, 1);
  assert_memory_equal(b.fields, a.fields, sizeof *a.fields);
  sluice_image_release(&a);
  sluice_image_release(&b);
  sluice_image_release(&b);
}

static void padding_is_zero_in_the_file(void **state) {
  (void)state;
  struct sluice_image a = sample("tiny", 100, 0), b;
  memset(add(&a, SLUICE_TABLE_KEY_MASK, 0, 0)->bytes, 0xff, 25);
  save(&a);
  assert_int_equal(sluice_image_load(&b, path, tiny, NULL), SLUICE_OK);
  assert_int_equal(b.writes[b.num_writes - 1].bytes[23], 0xff);
  assert_int_equal(b.writes[b.num_writes - 1].bytes[24], 0x80);
  sluice_image_release(&a);
  sluice_image_release(&b);
}

// Replaces the first `from` in the saved sample by `to`, loads it, and wants `status` and `text`.
static void damaged(const char *from, const char *to, enum sluice_status status, const char *text) {
  struct sluice_image image = sample("tiny", 100, 0), loaded;
  struct sluice_error error = {""};
  save(&image);
  sluice_image_release(&image);
  size_t len;
  char *whole = saved_text(&len);
  whole[len] = 0;
  char *at = strstr(whole, from);
  if (!at) fail_msg("no '%s' in the sample", from);
  FILE *out = fopen(path, "wb");
  assert_non_null(out);
  fprintf(out, "%.*s%s%s", (int)(at - whole), whole, to, at + strlen(from));
  assert_int_equal(fclose(out), 0);
  free(whole);
  enum sluice_status got = sluice_image_load(&loaded, path, tiny, &error);
  if (got != status || !strstr(error.text, text))
    fail_msg("'%s' to '%s': status %d, \"%s\"; wanted %d, \"%s\"", from, to, got, error.text,
             status, text);
  assert_null(loaded.writes);
}

static void every_wrong_value_has_its_own_message(void **state) {
  (void)state;
  char hash[16];
  snprintf(hash, sizeof hash, "%08x", (unsigned)sluice_layout_hash());
  damaged(hash, "00000001", SLUICE_ERR_FOREIGN, "made for layouts 00000001");
  damaged(hash, "xyz", SLUICE_ERR_FORMAT, "layout_hash");
  damaged("\"tiny\"", "\"k4\"", SLUICE_ERR_FOREIGN, "made for chip 'k4', this is 'tiny'");
  damaged("\"tiny\"", "\"huge\"", SLUICE_ERR_FOREIGN, "unknown chip");
  damaged("\"sluice_image\": 1", "\"sluice_image\": 2", SLUICE_ERR_FOREIGN, "another version");
  damaged("\"sluice_image\"", "\"x\"", SLUICE_ERR_FORMAT, "not a configuration image");
  damaged("\"table\":\"parser\"", "\"table\":\"parsley\"", SLUICE_ERR_FORMAT, "writes[0]: table");
  damaged("\"table\":\"parser\"", "\"table\":\"state\"", SLUICE_ERR_FORMAT,
          "not a table of a program");
  damaged("\"table\":\"parser\"", "\"table\":7", SLUICE_ERR_FORMAT, "is not a text");
  damaged("\"stage\":0", "\"stage\":1", SLUICE_ERR_RANGE, "stage is 1, legal is 0..0");
  damaged("\"stage\":0", "\"stage\":-1", SLUICE_ERR_RANGE, "stage is -1");
  damaged("\"stage\":0", "\"stage\":1.5", SLUICE_ERR_FORMAT, "not a whole number");
  damaged("\"index\":1", "\"index\":8", SLUICE_ERR_RANGE, "index is 8, legal is 0..7");
  damaged("\"index\":1", "\"index\":0", SLUICE_ERR_FORMAT, "written twice");
  damaged("5a5a", "5a5", SLUICE_ERR_FORMAT, "40 hexadecimal digits");
  damaged("5a5a", "5a5g", SLUICE_ERR_FORMAT, "40 hexadecimal digits");
}

static void arrays_must_fit_and_agree(void **state) {
  (void)state;
  damaged("\"size\":100", "\"size\":257", SLUICE_ERR_RANGE, "size is 257, legal is 1..256");
  damaged("\"size\":100", "\"size\":99", SLUICE_ERR_FORMAT, "RANGE");
  damaged("\"pinned\":false", "\"pinned\":true", SLUICE_ERR_FORMAT, "PINNED");
  damaged("\"pinned\":false", "\"pinned\":0", SLUICE_ERR_FORMAT, "not true or false");
  damaged("[-1,7]", "[-1,4294967296]", SLUICE_ERR_FORMAT, "32-bit");
  damaged("[-1,7]", "[-1]", SLUICE_ERR_FORMAT, "init");
  damaged("\"in\":8", "\"in\":32", SLUICE_ERR_RANGE, "in is 32");
  damaged("\"sport\"", "\"0123456789012345678901234567890123456789012345678901234567890123\"",
          SLUICE_ERR_FORMAT, "longer than 63");
}

static void files_that_are_not_there_are_errors_of_the_world(void **state) {
  (void)state;
  struct sluice_image image, good = sample("tiny", 4, 0);
  struct sluice_error error;
  assert_int_equal(sluice_image_load(&image, "/nonexistent/x.json", tiny, &error), SLUICE_ERR_IO);
  assert_string_equal(error.text, "cannot open '/nonexistent/x.json': No such file or directory");
  assert_int_equal(sluice_image_load(&image, "/tmp", tiny, &error), SLUICE_ERR_IO);
  assert_int_equal(sluice_image_load(&image, "/dev/null", tiny, &error), SLUICE_ERR_FORMAT);
  assert_int_equal(sluice_image_load(&image, "/dev/zero", tiny, &error), SLUICE_ERR_FORMAT);
  assert_int_equal(sluice_image_save(&good, "/nonexistent/x.json", &error), SLUICE_ERR_IO);
  if (access("/dev/full", W_OK) == 0) {
    assert_int_equal(sluice_image_save(&good, "/dev/full", &error), SLUICE_ERR_IO);
    assert_string_equal(error.text, "cannot write '/dev/full': No space left on device");
  }
  strcpy(good.program, "\xff\xfe");
  assert_int_equal(sluice_image_save(&good, path, &error), SLUICE_ERR_FORMAT);
  sluice_image_release(&good);
}

// Cut and flipped at every byte: an error with a text, or an image that can still be placed.
static void damaged_files_are_refused_or_harmless(void **state) {
  (void)state;
  struct sluice_image image = sample("tiny", 100, 0);
  save(&image);
  sluice_image_release(&image);
  size_t len;
  char *text = saved_text(&len);
  struct sluice_rng rng;
  sluice_rng_init(&rng, 1, "damaged image");
  unsigned accepted = 0;
  for (size_t n = 0; n < 2 * len; n++) {
    char *copy = malloc(len);
    memcpy(copy, text, len);
    size_t used = n < len ? n : len;
    if (n >= len) copy[n - len] = (char)(copy[n - len] ^ (1 << sluice_rng_below(&rng, 8)));
    write_text(copy, used);
    free(copy);
    struct sluice_error error = {""};
    enum sluice_status status = sluice_image_load(&image, path, tiny, &error);
    if (status) {
      assert_string_not_equal(error.text, "");
      assert_null(image.writes);
      continue;
    }
    accepted++;
    struct sluice_plan plan;
    sluice_plan_init(&plan, tiny);
    const enum sluice_status added = sluice_plan_add(&plan, &image, 1, &error);
    assert_true(added <= SLUICE_OK);
    sluice_plan_release(&plan);
    sluice_image_release(&image);
  }
  // Only digits of entries and letters of names may change unnoticed (and the last line break).
  assert_in_range(accepted, 1, len / 2);
  free(text);
}

static const struct sluice_write *placed(const struct sluice_plan *plan, enum sluice_table table,
                                         size_t n) {
  for (size_t i = 0; i < plan->num_writes; i++)
    if (plan->writes[i].table == table && n-- == 0) return &plan->writes[i];
  fail_msg("no such write in the plan");
  return NULL;
}

static void modules_are_placed_one_behind_the_other(void **state) {
  (void)state;
  struct sluice_image a = sample("tiny", 101, 0), b = sample("tiny", 40, 1);
  struct sluice_error error;
  struct sluice_plan plan;
  sluice_plan_init(&plan, tiny);
  assert_int_equal(sluice_plan_add(&plan, &a, 3, &error), SLUICE_OK);
  assert_int_equal(sluice_plan_add(&plan, &b, 0x145, &error), SLUICE_OK);
  struct sluice_image c = sample("tiny", 60, 0);
  assert_int_equal(sluice_plan_add(&plan, &c, 7, &error), SLUICE_OK);
  assert_int_equal(plan.num_modules, 3);

  assert_int_equal(placed(&plan, SLUICE_TABLE_PARSER, 1)->index, 5);
  assert_int_equal(placed(&plan, SLUICE_TABLE_MATCH, 2)->index, 2);
  assert_int_equal(placed(&plan, SLUICE_TABLE_MATCH, 5)->index, 5);
  assert_int_equal(SLUICE_GET(placed(&plan, SLUICE_TABLE_MATCH, 2)->bytes, MATCH, VID), 0x45);
  assert_int_equal(SLUICE_GET(placed(&plan, SLUICE_TABLE_MODULE, 1)->bytes, MODULE, VID), 0x145);
  assert_int_equal(SLUICE_GET(placed(&plan, SLUICE_TABLE_MODULE, 1)->bytes, MODULE, VALID), 1);
  assert_int_equal(SLUICE_GET(placed(&plan, SLUICE_TABLE_MODULE, 1)->bytes, MODULE, DEST), 0);

  // 128 slots a pipeline: 51 each for 101 entries, 30 each for 60, 40 pinned ones at the top of
  // one.
  assert_int_equal(plan.num_segments, 3);
  assert_int_equal(plan.segments[0].base, 0);
  assert_int_equal(plan.segments[1].base, 88);
  assert_int_equal(plan.segments[1].pipe, 0);
  assert_int_equal(plan.segments[2].base, 51);
  // Shares come behind the rest; a module gets the last one it was given.
  size_t before = plan.num_writes;
  assert_int_equal(sluice_plan_share(&plan, 0x145, 100, 9, &error), SLUICE_OK);
  assert_int_equal(plan.num_writes, before + 1);
  const struct sluice_write *share = placed(&plan, SLUICE_TABLE_SHARE, 0);
  assert_int_equal(share->index, 5);
  assert_int_equal(SLUICE_GET(share->bytes, SHARE, LIMIT), 1);
  assert_int_equal(SLUICE_GET(share->bytes, SHARE, RATE), 100);
  assert_int_equal(SLUICE_GET(share->bytes, SHARE, BURST), 9);
  assert_int_equal(sluice_plan_share(&plan, 5, 100, 9, &error), SLUICE_ERR_RANGE);
  assert_int_equal(sluice_plan_share(&plan, 3, 257, 9, &error), SLUICE_ERR_RANGE);
  assert_int_equal(sluice_plan_share(&plan, 3, 256, 64, &error), SLUICE_ERR_RANGE);
  assert_int_equal(plan.num_writes, before + 1);
  // So do ports; all of them is an entry as well. A port that the chip does not have is refused.
  assert_int_equal(sluice_plan_ports(&plan, 0x145, 0xf, &error), SLUICE_OK);
  assert_int_equal(sluice_plan_ports(&plan, 0x145, 0x9, &error), SLUICE_OK);
  assert_int_equal(plan.num_writes, before + 2);
  const struct sluice_write *ports = placed(&plan, SLUICE_TABLE_MODULE_PORTS, 0);
  assert_int_equal(ports->index, 5);
  assert_int_equal(SLUICE_GET(ports->bytes, MODULE_PORTS, PORTS), 0x9);
  assert_int_equal(sluice_plan_ports(&plan, 5, 0xf, &error), SLUICE_ERR_RANGE);
  assert_int_equal(sluice_plan_ports(&plan, 0x145, 0x8000000000000000, &error), SLUICE_ERR_RANGE);
  assert_non_null(strstr(error.text, "port 63"));
  // Another program keeps both; a module that goes away takes them along.
  const unsigned kept = (unsigned)plan.num_writes;
  assert_int_equal(sluice_plan_replace(&plan, &b, 0x145, &error), SLUICE_OK);
  assert_non_null(placed(&plan, SLUICE_TABLE_SHARE, 0));
  assert_int_equal(SLUICE_GET(placed(&plan, SLUICE_TABLE_MODULE_PORTS, 0)->bytes, MODULE_PORTS, PORTS), 0x9);
  assert_int_equal(sluice_plan_remove(&plan, 0x145, &error), SLUICE_OK);
  assert_null(sluice_plan_entry(&plan, SLUICE_TABLE_MODULE_PORTS, 0, 5));
  assert_true(kept > plan.num_writes);
  sluice_plan_release(&plan);
  sluice_image_release(&a);
  sluice_image_release(&b);
  sluice_image_release(&c);
}

// The chip `ulx3s` has four overlay rows, and two match rows: one module of two.
static void ids_differ_modulo_the_rows_of_the_chip(void **state) {
  (void)state;
  const struct sluice_config *ulx3s = sluice_config_find("ulx3s");
  assert_non_null(ulx3s);
  struct sluice_image a = sample("ulx3s", 8, 0);
  struct sluice_error error;
  struct sluice_plan plan;
  sluice_plan_init(&plan, ulx3s);
  assert_int_equal(sluice_plan_add(&plan, &a, 7, &error), SLUICE_OK);
  assert_int_equal(plan.modules[0].row, 3);
  assert_int_equal(placed(&plan, SLUICE_TABLE_PARSER, 0)->index, 3);
  assert_int_equal(sluice_plan_add(&plan, &a, 11, &error), SLUICE_ERR_FULL);
  assert_non_null(strstr(error.text, "must differ modulo 4"));
  assert_int_equal(sluice_plan_add(&plan, &a, 8, &error), SLUICE_ERR_FULL);
  assert_null(strstr(error.text, "modulo"));
  assert_int_equal(sluice_plan_share(&plan, 7, 100, 9, &error), SLUICE_OK);
  assert_int_equal(placed(&plan, SLUICE_TABLE_SHARE, 0)->index, 3);
  sluice_plan_release(&plan);
  sluice_image_release(&a);
}

// `small` updates no checksums: what asks for one is refused, what does not is not.
static void checksums_need_a_chip_that_updates_them(void **state) {
  (void)state;
  struct sluice_image a = sample("small", 8, 0), b = sample("tiny", 8, 0);
  struct sluice_write *option = add(&a, SLUICE_TABLE_DEPARSE_OPT, 0, 0);
  struct sluice_error error;
  struct sluice_plan plan;
  sluice_plan_init(&plan, sluice_config_find("small"));
  SLUICE_SET(option->bytes, DEPARSE_OPT, L4_CHECKSUM, 1);
  assert_int_equal(sluice_plan_add(&plan, &a, 1, &error), SLUICE_ERR_RANGE);
  assert_non_null(strstr(error.text, "checksums"));
  memset(option->bytes, 0, sizeof option->bytes);
  assert_int_equal(sluice_plan_add(&plan, &a, 1, &error), SLUICE_OK);
  sluice_plan_release(&plan);
  sluice_plan_init(&plan, tiny);
  SLUICE_SET(add(&b, SLUICE_TABLE_DEPARSE_OPT, 0, 0)->bytes, DEPARSE_OPT, IP_CHECKSUM, 1);
  assert_int_equal(sluice_plan_add(&plan, &b, 1, &error), SLUICE_OK);
  sluice_plan_release(&plan);
  sluice_image_release(&a);
  sluice_image_release(&b);
}

// `ulx3s` has no hash units: an entry that hashes is refused, one that is off is not.
static void hashes_need_a_chip_with_hash_units(void **state) {
  (void)state;
  struct sluice_image a = sample("ulx3s", 8, 0), b = sample("tiny", 8, 0);
  struct sluice_write *entry = add(&a, SLUICE_TABLE_HASH_INSTR, 1, 0);
  struct sluice_error error;
  struct sluice_plan plan;
  sluice_plan_init(&plan, sluice_config_find("ulx3s"));
  SLUICE_SET(entry->bytes, HASH_INSTR, VALID, 1);
  assert_int_equal(sluice_plan_add(&plan, &a, 1, &error), SLUICE_ERR_RANGE);
  assert_non_null(strstr(error.text, "hash units"));
  memset(entry->bytes, 0, sizeof entry->bytes);
  assert_int_equal(sluice_plan_add(&plan, &a, 1, &error), SLUICE_OK);
  sluice_plan_release(&plan);
  sluice_plan_init(&plan, tiny);
  SLUICE_SET(add(&b, SLUICE_TABLE_HASH_INSTR, 2, 0)->bytes, HASH_INSTR, VALID, 1);
  assert_int_equal(sluice_plan_add(&plan, &b, 1, &error), SLUICE_OK);
  sluice_plan_release(&plan);
  sluice_image_release(&a);
  sluice_image_release(&b);
}

static void set_slot(struct sluice_write *action, unsigned slot, uint32_t word) {
  sluice_entry_set(action->bytes, 625, 25 * slot + 24, 25 * slot, word);
}

// `small` has no shifters: an action word that shifts is refused, where the chip has the container.
static void shifts_need_a_chip_with_shifters(void **state) {
  (void)state;
  static const struct {
    unsigned slot;
    uint32_t word;
    bool refused;
  } cases[] = {{1, SLUICE_OP_FUNC << 21 | SLUICE_FUNC_SHL << 6, true},   {9, SLUICE_OP_FUNC << 21 | SLUICE_FUNC_SRA << 6, true},
               {17, SLUICE_OP_FUNC << 21 | SLUICE_FUNC_SRL << 6, true},  {1, SLUICE_OP_FUNCI << 21 | SLUICE_FUNCI_SHL << 12, true},
               {9, SLUICE_OP_FUNCI << 21 | SLUICE_FUNCI_SRA << 12, true}, {17, SLUICE_OP_FUNCI << 21 | SLUICE_FUNCI_SRL << 12, true},
               {9, SLUICE_OP_FUNC << 21 | SLUICE_FUNC_NOT << 6, false},  {9, SLUICE_OP_FUNC << 21 | SLUICE_FUNC_EQ << 6, false},
               {9, SLUICE_OP_FUNCI << 21 | SLUICE_FUNCI_XOR << 12, false}, {9, SLUICE_OP_FUNCI << 21 | SLUICE_FUNCI_EQ << 12, false},
               {9, SLUICE_OP_SETHI << 21 | SLUICE_FUNC_SHL << 6, false}, {9, SLUICE_OP_ADDI << 21 | SLUICE_FUNCI_SHL << 12, false},
               {0, SLUICE_OP_FUNC << 21 | SLUICE_FUNC_SHL << 6, false},  {10, SLUICE_OP_FUNC << 21 | SLUICE_FUNC_SHL << 6, false}};
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (unsigned shifters = 0; shifters < 2; shifters++) {
      struct sluice_image a = sample("small", 8, 0);
      struct sluice_config config = *sluice_config_find("small");
      struct sluice_error error = {""};
      struct sluice_plan plan;
      set_slot(add(&a, SLUICE_TABLE_ACTION, 1, 0), cases[i].slot, cases[i].word);
      config.Num6B = 1;  // so that slot 17 is there
      if (shifters) config.Shifters = 1;
      sluice_plan_init(&plan, &config);
      const bool refused = cases[i].refused && !shifters;
      assert_int_equal(sluice_plan_add(&plan, &a, 1, &error), refused ? SLUICE_ERR_RANGE : SLUICE_OK);
      if (refused) assert_non_null(strstr(error.text, "shifts in slot"));
      if (refused) assert_non_null(strstr(error.text, "at stage 1, chip 'small' has no shifters"));
      sluice_plan_release(&plan);
      sluice_image_release(&a);
    }
}

// `small` has state in the first of its two back stages, and no front stage.
static void refused_by_small(const struct sluice_image *image, const char *text) {
  struct sluice_error error = {""};
  struct sluice_plan plan;
  sluice_plan_init(&plan, sluice_config_find("small"));
  assert_int_equal(sluice_plan_add(&plan, image, 1, &error), SLUICE_ERR_RANGE);
  if (!strstr(error.text, text)) fail_msg("\"%s\"; wanted \"%s\"", error.text, text);
  assert_int_equal(plan.num_modules, 0);
  sluice_plan_release(&plan);
}

static void state_needs_a_stage_with_state(void **state) {
  (void)state;
  struct sluice_image a = sample("small", 8, 0);
  static const enum sluice_table tables[] = {SLUICE_TABLE_STATE_INSTR, SLUICE_TABLE_ACCESS, SLUICE_TABLE_SEGMENT};
  for (unsigned i = 0; i < 3; i++) {
    char text[100];
    snprintf(text, sizeof text, "writes %s at stage 1, chip 'small' has state in back stages 0 to 0", sluice_tables[tables[i]].name);
    add(&a, tables[i], 1, 0);
    refused_by_small(&a, text);
    a.num_writes--;
  }
  add(&a, SLUICE_TABLE_HASH_INSTR, 1, 0);
  refused_by_small(&a, "writes HASH_INSTR at stage 1, which is none of the 0 front stages of chip 'small'");
  a.num_writes--;
  a.arrays[0].stage = 1;
  refused_by_small(&a, "array 'count' is at back stage 1, chip 'small' has state in back stages 0 to 0: compile it again");
  a.arrays[0].stage = 0;
  add(&a, SLUICE_TABLE_ACTION, 1, 0);  // that any stage has
  struct sluice_plan plan;
  sluice_plan_init(&plan, sluice_config_find("small"));
  assert_int_equal(sluice_plan_add(&plan, &a, 1, NULL), SLUICE_OK);
  sluice_plan_release(&plan);
  sluice_image_release(&a);
}

static void set_predicate(uint8_t *instr, unsigned which, unsigned state, unsigned packet, unsigned rel, unsigned y) {
  const unsigned lsb = SLUICE_STATE_INSTR_PRED_1_LSB - SLUICE_PREDICATE_BITS * (which - 1);
  sluice_entry_set(instr, SLUICE_STATE_INSTR_BITS, lsb + SLUICE_PREDICATE_BITS - 1, lsb,
                   state << 9 | packet << 6 | rel << 3 | y);
}

enum { KEPT = 0x80 | SLUICE_ARM_ZERO << 3 | SLUICE_ARM_ZERO };  // an update that changes nothing

// What the compiler makes of `if (s < p) s += 1`.
static void set_one_word(uint8_t *instr) {
  memset(instr, 0, SLUICE_ENTRY_BYTES);
  SLUICE_SET(instr, STATE_INSTR, VALID, 1);
  set_predicate(instr, 1, SLUICE_PRED_S_S1, 0, SLUICE_REL_LT, SLUICE_PRED_Y_P1);
  set_predicate(instr, 2, 0, 0, SLUICE_REL_TRUE, 0);
  set_predicate(instr, 3, 0, 0, SLUICE_REL_FALSE, 0);
  set_predicate(instr, 4, 0, 0, SLUICE_REL_FALSE, 0);
  for (unsigned i = 0; i < 8; i++)
    sluice_entry_set(instr, SLUICE_STATE_INSTR_BITS, SLUICE_STATE_INSTR_A1_MSB - 8 * i, SLUICE_STATE_INSTR_A1_LSB - 8 * i, KEPT);
  SLUICE_SET(instr, STATE_INSTR, A1, 0x80 | SLUICE_ARM_K0 << 3 | SLUICE_ARM_ZERO);
  SLUICE_SET(instr, STATE_INSTR, K0, 1);
}

static void taken_by(const char *chip, const struct sluice_image *image) {
  struct sluice_error error = {""};
  struct sluice_plan plan;
  sluice_plan_init(&plan, sluice_config_find(chip));
  if (sluice_plan_add(&plan, image, 1, &error)) fail_msg("%s", error.text);
  sluice_plan_release(&plan);
}

// `small` has entries of one word, and compares with predicate 1.
static void state_of_one_word_is_no_pair(void **state) {
  (void)state;
  static const char compares[] = "compares with predicate %u of a state instruction, chip 'small' compares with predicate 1 alone";
  static const char words[] = "module 'sample \"one\"' %s second words of state entries, chip 'small' has entries of one word";
  char text[160];
  struct sluice_image a = sample("small", 8, 0), b = sample("tiny", 8, 0);
  const size_t num = a.num_writes;
  uint8_t *e = add(&a, SLUICE_TABLE_STATE_INSTR, 0, 0)->bytes, *other = add(&b, SLUICE_TABLE_STATE_INSTR, 0, 0)->bytes;
  set_one_word(e);
  taken_by("small", &a);
  for (unsigned which = 2; which <= 4; which++)
    for (unsigned rel = 0; rel < 8; rel++) {
      set_one_word(e);
      set_predicate(e, which, SLUICE_PRED_S_S2, 1, rel, SLUICE_PRED_Y_S2);
      snprintf(text, sizeof text, compares, which);
      if (rel < SLUICE_REL_TRUE) refused_by_small(&a, text);
      else taken_by("small", &a);
      SLUICE_SET(e, STATE_INSTR, VALID, 0);
      taken_by("small", &a);
    }
  snprintf(text, sizeof text, words, "compares");
  for (unsigned i = 0; i < 3; i++) {
    set_one_word(e);
    set_predicate(e, 1, i == 0 ? SLUICE_PRED_S_S2 : SLUICE_PRED_S_S1, 0, i == 2 ? SLUICE_REL_FALSE : SLUICE_REL_EQ,
                  i == 0 ? SLUICE_PRED_Y_K0 : SLUICE_PRED_Y_S2);
    if (i == 2) taken_by("small", &a);
    else refused_by_small(&a, text);
  }

  // Second words by predicates 1 to 4 (0: never, 1: always, 2: it depends), the arm that changes, and whether it runs.
  static const struct {
    unsigned preds[4], arm;
    bool runs;
  } arms[] = {{{2, 1, 0, 0}, 0, true},  {{2, 0, 0, 0}, 0, false}, {{0, 1, 0, 0}, 0, false}, {{2, 0, 0, 0}, 1, true},
              {{2, 1, 0, 0}, 1, false}, {{2, 1, 1, 1}, 2, true},  {{1, 1, 1, 1}, 2, false}, {{2, 1, 1, 0}, 2, false},
              {{0, 1, 1, 1}, 2, true},  {{2, 1, 0, 1}, 2, false}, {{2, 1, 0, 1}, 3, true},  {{2, 1, 1, 1}, 3, false}};
  snprintf(text, sizeof text, words, "changes");
  for (unsigned i = 0; i < sizeof arms / sizeof arms[0]; i++) {
    set_one_word(e);
    for (unsigned p = 0; p < 4; p++) {
      const unsigned pred = arms[i].preds[p];
      set_predicate(e, p + 1, 0, 1, pred == 0 ? SLUICE_REL_FALSE : pred == 1 ? SLUICE_REL_TRUE : SLUICE_REL_EQ, 0);
    }
    sluice_entry_set(e, SLUICE_STATE_INSTR_BITS, SLUICE_STATE_INSTR_A2_MSB - 16 * arms[i].arm,
                     SLUICE_STATE_INSTR_A2_LSB - 16 * arms[i].arm, SLUICE_ARM_P1 << 3 | SLUICE_ARM_ZERO);
    if (arms[i].runs) refused_by_small(&a, text);
    else taken_by("small", &a);
  }
  // Updates that leave 0 at 0: K0 is 1, K1 is 0, K2 is -1.
  static const struct {
    unsigned sub, x, y;
    bool stays;
  } updates[] = {{0, SLUICE_ARM_ZERO, SLUICE_ARM_RESERVED, true}, {1, SLUICE_ARM_P2, SLUICE_ARM_P2, true},
                 {0, SLUICE_ARM_P2, SLUICE_ARM_P2, false},        {0, SLUICE_ARM_K1, SLUICE_ARM_ZERO, true},
                 {0, SLUICE_ARM_K2, SLUICE_ARM_ZERO, false},      {0, SLUICE_ARM_K0, SLUICE_ARM_K2, true},
                 {1, SLUICE_ARM_K0, SLUICE_ARM_K2, false},        {1, SLUICE_ARM_ZERO, SLUICE_ARM_P1, false},
                 {0, SLUICE_ARM_ZERO, SLUICE_ARM_K0, false}};
  for (unsigned i = 0; i < sizeof updates / sizeof updates[0]; i++)
    for (unsigned keep = 0; keep < 2; keep++) {
      set_one_word(e);
      SLUICE_SET(e, STATE_INSTR, K2, 0xffffffff);
      SLUICE_SET(e, STATE_INSTR, A2, keep << 7 | updates[i].sub << 6 | updates[i].x << 3 | updates[i].y);
      if (updates[i].stays) taken_by("small", &a);
      else refused_by_small(&a, text);
    }
  set_one_word(e);
  SLUICE_SET(e, STATE_INSTR, A2, 0);  // what the chip keeps, although it would be K0 + K0
  taken_by("small", &a);

  // Results: EXT 1 and 3 of a slot that the chip has, in a stage with state.
  set_one_word(e);
  uint8_t *action = add(&a, SLUICE_TABLE_ACTION, 0, 1)->bytes;
  snprintf(text, sizeof text, words, "reads");
  for (unsigned slot = 0; slot <= 24; slot++)
    for (unsigned which = 0; which < 8; which++) {
      const bool there = slot == 1 || slot == 9 || slot == 16;  // one container of 2 bytes, one of 4
      memset(action, 0, SLUICE_ENTRY_BYTES);
      sluice_entry_set(action, SLUICE_INSTR_BITS * 25, SLUICE_INSTR_BITS * slot + 24, SLUICE_INSTR_BITS * slot,
                       (uint64_t)SLUICE_OP_EXT << SLUICE_INSTR_OP_LSB | which);
      a.writes[a.num_writes - 1].stage = 0;
      if (there && (which == SLUICE_EXT_OLD_2 || which == SLUICE_EXT_NEW_2)) refused_by_small(&a, text);
      else taken_by("small", &a);
      a.writes[a.num_writes - 1].stage = 1;
      taken_by("small", &a);
    }
  a.num_writes = num;
  strcpy(a.arrays[0].name[1], "bytes");
  refused_by_small(&a, "array 'count' has entries of two words, chip 'small' has entries of one word");
  a.arrays[0].name[1][0] = 0;
  a.arrays[0].init[1] = 7;
  refused_by_small(&a, "array 'count' has entries of two words, chip 'small' has entries of one word");
  a.arrays[0].init[1] = 0;
  taken_by("small", &a);

  // All of it is good where there are pairs.
  set_one_word(other);
  set_predicate(other, 1, SLUICE_PRED_S_S2, 0, SLUICE_REL_EQ, SLUICE_PRED_Y_S2);
  set_predicate(other, 3, SLUICE_PRED_S_S2, 0, SLUICE_REL_EQ, SLUICE_PRED_Y_S2);
  SLUICE_SET(other, STATE_INSTR, A2, SLUICE_ARM_P1 << 3 | SLUICE_ARM_ZERO);
  action = add(&b, SLUICE_TABLE_ACTION, 0, 1)->bytes;
  sluice_entry_set(action, SLUICE_INSTR_BITS * 25, 24 + 25, 25, (uint64_t)SLUICE_OP_EXT << SLUICE_INSTR_OP_LSB | SLUICE_EXT_OLD_2);
  taken_by("tiny", &b);
  sluice_image_release(&a);
  sluice_image_release(&b);
}

static void not_loaded(const struct sluice_image *image, const char *text) {
  struct sluice_image loaded;
  struct sluice_error error = {""};
  save(image);
  assert_int_equal(sluice_image_load(&loaded, path, NULL, &error), SLUICE_ERR_RANGE);
  if (!strstr(error.text, text)) fail_msg("\"%s\"; wanted \"%s\"", error.text, text);
}

static void an_image_is_of_the_shape_of_its_chip(void **state) {
  (void)state;
  struct sluice_image a = sample("small", 8, 0), b = sample("tiny", 8, 0), loaded;
  const size_t num = a.num_writes;
  char text[160];
  add(&a, SLUICE_TABLE_ACCESS, 1, 0);
  snprintf(text, sizeof text, "writes[%zu]: ACCESS: stage 1 of chip 'small' holds no state, 0 to 0 do: compile", num);
  not_loaded(&a, text);
  a.writes[num].table = SLUICE_TABLE_HASH_INSTR;
  snprintf(text, sizeof text, "writes[%zu]: HASH_INSTR: stage 1, and chip 'small' has no front stages: compile", num);
  not_loaded(&a, text);
  a.num_writes = num;
  a.arrays[0].stage = 1;
  not_loaded(&a, "arrays[0]: STATE: stage 1 of chip 'small' holds no state");
  a.arrays[0].stage = 0;
  save(&a);
  assert_int_equal(sluice_image_load(&loaded, path, NULL, NULL), SLUICE_OK);
  sluice_image_release(&loaded);
  add(&b, SLUICE_TABLE_HASH_INSTR, 1, 0);
  not_loaded(&b, "HASH_INSTR: stage 1, the front stages of chip 'tiny' are 2 to 2: compile");
  b.writes[b.num_writes - 1].table = SLUICE_TABLE_SEGMENT;
  b.writes[b.num_writes - 1].stage = 2;
  not_loaded(&b, "SEGMENT: stage 2 of chip 'tiny' holds no state, 0 to 1 do: compile");
  sluice_image_release(&a);
  sluice_image_release(&b);
}

static void a_plan_can_put_all_into_one_pipeline(void **state) {
  (void)state;
  struct sluice_image a = sample("tiny", 100, 1), b = sample("tiny", 20, 1),
                      sharded = sample("tiny", 2, 0);
  struct sluice_error error;
  struct sluice_plan plan;
  sluice_plan_init(&plan, tiny);
  sluice_plan_pin(&plan, 1);
  assert_int_equal(sluice_plan_add(&plan, &a, 1, &error), SLUICE_OK);
  assert_int_equal(sluice_plan_add(&plan, &b, 2, &error), SLUICE_OK);
  for (unsigned i = 0; i < 2; i++) {
    assert_int_equal(plan.segments[i].pipe, 1);
    assert_int_equal(SLUICE_GET(placed(&plan, SLUICE_TABLE_ACCESS, i)->bytes, ACCESS, PIPE), 1);
  }
  assert_int_equal(plan.segments[0].base, 28);
  assert_int_equal(plan.segments[1].base, 8);
  assert_int_equal(sluice_plan_add(&plan, &b, 3, &error), SLUICE_ERR_FULL);
  assert_int_equal(sluice_plan_add(&plan, &sharded, 3, &error), SLUICE_ERR_RANGE);
  assert_non_null(strstr(error.text, "not compiled with --pin"));
  sluice_plan_pin(&plan, 2);
  assert_int_equal(sluice_plan_add(&plan, &b, 3, &error), SLUICE_ERR_RANGE);
  assert_non_null(strstr(error.text, "no such pipeline"));
  sluice_plan_release(&plan);
  sluice_image_release(&a);
  sluice_image_release(&b);
  sluice_image_release(&sharded);
}

static void what_does_not_fit_is_told_with_numbers_and_changes_nothing(void **state) {
  (void)state;
  struct sluice_image big = sample("tiny", 200, 0), pinned = sample("tiny", 100, 1),
                      small = sample("tiny", 2, 0);
  struct sluice_image other = sample("k4", 2, 0);
  struct sluice_error error;
  struct sluice_plan plan;
  sluice_plan_init(&plan, tiny);
  assert_int_equal(sluice_plan_add(&plan, &big, 1, &error), SLUICE_OK);
  struct sluice_plan before = plan;
  assert_int_equal(sluice_plan_add(&plan, &big, 2, &error), SLUICE_ERR_FULL);
  assert_non_null(strstr(
      error.text, "needs 100 state slots in each pipeline of back stage 0, 28 of 128 are free"));
  assert_int_equal(sluice_plan_add(&plan, &pinned, 2, &error), SLUICE_ERR_FULL);
  assert_non_null(strstr(error.text, "needs 100 state slots in one pipeline"));
  assert_int_equal(sluice_plan_add(&plan, &small, 33, &error), SLUICE_ERR_FULL);
  assert_non_null(strstr(error.text, "VLAN 33 needs overlay row 1, which VLAN 1"));
  assert_int_equal(sluice_plan_add(&plan, &small, 0, &error), SLUICE_ERR_RANGE);
  assert_int_equal(sluice_plan_add(&plan, &small, 4095, &error), SLUICE_ERR_RANGE);
  assert_int_equal(sluice_plan_add(&plan, &other, 2, &error), SLUICE_ERR_FOREIGN);
  before.writes = plan.writes, before.segments = plan.segments, before.fills = plan.fills;
  before.room_writes = plan.room_writes, before.room_segments = plan.room_segments, before.room_fills = plan.room_fills;
  before.rows = plan.rows, before.room_rows = plan.room_rows;
  assert_memory_equal(&plan, &before, sizeof plan);

  for (unsigned vid = 2; vid <= 4; vid++)
    assert_int_equal(sluice_plan_add(&plan, &small, vid, &error), SLUICE_OK);
  assert_int_equal(sluice_plan_add(&plan, &small, 5, &error), SLUICE_ERR_FULL);
  assert_non_null(strstr(error.text, "needs 2 match rows in back stage 0, 0 of 8 are free"));
  sluice_plan_release(&plan);
  sluice_image_release(&big);
  sluice_image_release(&pinned);
  sluice_image_release(&small);
  sluice_image_release(&other);
}

static void modules_stay_in_their_sets(void **state) {
  (void)state;
  struct sluice_image sharded = sample("k4", 100, 0), pinned = sample("k4", 100, 1);
  struct sluice_error error;
  struct sluice_plan plan;
  sluice_plan_init(&plan, sluice_config_find("k4"));
  assert_int_equal(sluice_plan_sets_log2(&plan), 0);
  assert_int_equal(sluice_plan_set(&plan, 3, 0, &error), SLUICE_ERR_RANGE);
  assert_int_equal(sluice_plan_set(&plan, 8, 0, &error), SLUICE_ERR_RANGE);
  assert_int_equal(sluice_plan_set(&plan, 2, 2, &error), SLUICE_ERR_RANGE);
  assert_int_equal(sluice_plan_set(&plan, 2, 0, &error), SLUICE_OK);
  assert_int_equal(sluice_plan_sets_log2(&plan), 1);
  assert_int_equal(sluice_plan_add(&plan, &sharded, 1, &error), SLUICE_OK);
  assert_int_equal(sluice_plan_set(&plan, 4, 0, &error), SLUICE_ERR_RANGE);
  assert_int_equal(sluice_plan_set(&plan, 2, 1, &error), SLUICE_OK);
  assert_int_equal(sluice_plan_add(&plan, &sharded, 2, &error), SLUICE_OK);
  assert_int_equal(sluice_plan_add(&plan, &pinned, 3, &error), SLUICE_OK);
  const unsigned pipe[] = {0, 2, 2};
  for (unsigned i = 0; i < 3; i++) {
    assert_int_equal(plan.segments[i].pipe, pipe[i]);
    assert_int_equal(SLUICE_GET(placed(&plan, SLUICE_TABLE_ACCESS, i)->bytes, ACCESS, PIPE), pipe[i]);
    assert_int_equal(SLUICE_GET(placed(&plan, SLUICE_TABLE_MODULE, i)->bytes, MODULE, PIPE), pipe[i]);
  }
  // The same slots, of other pipelines.
  assert_int_equal(plan.segments[0].base, 0);
  assert_int_equal(plan.segments[1].base, 0);
  struct sluice_home home = sluice_segment_home(&plan.segments[1], 99);
  assert_int_equal(home.pipe, 3);
  assert_int_equal(home.slot, 49);
  sluice_plan_pin(&plan, 1);
  assert_int_equal(sluice_plan_add(&plan, &pinned, 4, &error), SLUICE_ERR_RANGE);
  assert_non_null(strstr(error.text, "the set of the module"));
  sluice_plan_release(&plan);
  sluice_image_release(&sharded);
  sluice_image_release(&pinned);
}

// Random modules until the chip is full: no slot of any pipeline belongs to two.
static void segments_never_overlap(void **state) {
  (void)state;
  struct sluice_rng rng;
  sluice_rng_init(&rng, 1, "segments");
  const struct sluice_config *k4 = sluice_config_find("k4");
  static uint8_t owner[16][65536];
  for (int round = 0; round < 200; round++) {
    struct sluice_plan plan;
    sluice_plan_init(&plan, k4);
    memset(owner, 0, sizeof owner);
    const unsigned sets = 1u << sluice_rng_below(&rng, 3);
    unsigned set_of[SLUICE_MAX_ROWS] = {0};
    for (unsigned vid = 1; vid < 32; vid++) {
      struct sluice_image image =
          sample("k4", 1 + (unsigned)sluice_rng_below(&rng, 1500), (int)sluice_rng_below(&rng, 2));
      set_of[vid] = (unsigned)sluice_rng_below(&rng, sets);
      assert_int_equal(sluice_plan_set(&plan, sets, set_of[vid], NULL), SLUICE_OK);
      assert_true(sluice_plan_add(&plan, &image, vid, NULL) <= SLUICE_OK);  // may be full
      sluice_image_release(&image);
    }
    assert_true(plan.num_segments > 4);
    for (size_t i = 0; i < plan.num_segments; i++) {
      for (unsigned n = 0; n < plan.segments[i].range; n++) {
        struct sluice_home home = sluice_segment_home(&plan.segments[i], n);
        assert_true(home.pipe < k4->NumPipes && home.slot < sluice_config_slots(k4));
        assert_int_equal(home.pipe / (k4->NumPipes / sets), set_of[plan.segments[i].row]);
        assert_int_equal(owner[home.pipe][home.slot]++, 0);
      }
    }
    sluice_plan_release(&plan);
  }
}

struct sent {
  unsigned packets, entries, fills, position[SLUICE_NUM_TABLES];
};

static bool count(void *context, const struct sluice_frame *frame) {
  struct sent *sent = context;
  struct sluice_reconfig r;
  assert_int_equal(sluice_reconfig_decode(&r, frame->bytes, frame->len, NULL), SLUICE_OK);
  sent->position[r.table] = ++sent->packets;
  sent->entries += r.num_entries;
  sent->fills += r.table == SLUICE_TABLE_FILL;
  return sent->packets < 1000;
}

static void a_plan_becomes_packets_in_a_safe_order(void **state) {
  (void)state;
  struct sluice_image image = sample("tiny", 10, 0);
  struct sluice_plan plan;
  struct sent sent = {0};
  sluice_plan_init(&plan, tiny);
  assert_int_equal(sluice_plan_add(&plan, &image, 4, NULL), SLUICE_OK);
  assert_true(sluice_reconfig_plan(&plan, count, &sent));
  assert_int_equal(sent.entries, plan.num_writes + plan.num_fills);
  assert_int_equal(sent.fills, 1);
  assert_true(sent.position[SLUICE_TABLE_SEGMENT] < sent.position[SLUICE_TABLE_FILL]);
  assert_true(sent.position[SLUICE_TABLE_ACCESS] < sent.position[SLUICE_TABLE_FILL]);
  assert_true(sent.position[SLUICE_TABLE_ACTION] < sent.position[SLUICE_TABLE_MATCH]);
  assert_int_equal(sent.position[SLUICE_TABLE_MODULE], sent.packets);
  sent.packets = 999;
  assert_false(sluice_reconfig_plan(&plan, count, &sent));
  assert_int_equal(sent.packets, 1000);
  sluice_plan_release(&plan);
  sluice_image_release(&image);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_saved_is_loaded),
      cmocka_unit_test(padding_is_zero_in_the_file),
      cmocka_unit_test(every_wrong_value_has_its_own_message),
      cmocka_unit_test(arrays_must_fit_and_agree),
      cmocka_unit_test(files_that_are_not_there_are_errors_of_the_world),
      cmocka_unit_test(damaged_files_are_refused_or_harmless),
      cmocka_unit_test(modules_are_placed_one_behind_the_other),
      cmocka_unit_test(ids_differ_modulo_the_rows_of_the_chip),
      cmocka_unit_test(checksums_need_a_chip_that_updates_them),
      cmocka_unit_test(hashes_need_a_chip_with_hash_units),
      cmocka_unit_test(shifts_need_a_chip_with_shifters),
      cmocka_unit_test(state_needs_a_stage_with_state),
      cmocka_unit_test(state_of_one_word_is_no_pair),
      cmocka_unit_test(an_image_is_of_the_shape_of_its_chip),
      cmocka_unit_test(a_plan_can_put_all_into_one_pipeline),
      cmocka_unit_test(what_does_not_fit_is_told_with_numbers_and_changes_nothing),
      cmocka_unit_test(modules_stay_in_their_sets),
      cmocka_unit_test(segments_never_overlap),
      cmocka_unit_test(a_plan_becomes_packets_in_a_safe_order),
  };
  return cmocka_run_group_tests_name("image", tests, set_up, tear_down);
}
