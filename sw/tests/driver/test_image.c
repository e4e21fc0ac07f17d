// SPDX-License-Identifier: Apache-2.0
// Images: saved, loaded, damaged; and the placement of modules on a chip.

#include <jansson.h>
#include <unistd.h>

#include "tests/rig/cases.h"
#include "base/rng.h"
#include "control/schema.h"
#include "driver/plan/plan.h"
#include "driver/chip/packets.h"
#include "tests/rig/image_rig.h"
#include "tests/rig/texts.h"

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

static void save(const struct sluice_image *image) {
  struct sluice_error error;
  if (sluice_image_save(image, path, &error)) fail_msg("%s", error.text);
}

static char *saved_text(size_t *len) { return bytes_of(path, len); }

static void write_text(const char *text, size_t len) {
  assert_int_equal(sluice_file_write(path, text, len, NULL), SLUICE_OK);
}

TEST(what_is_saved_is_loaded) {
  struct sluice_image a CLOSED_BY(sluice_image_release) = sample("tiny", 100, 0),
                        b CLOSED_BY(sluice_image_release) CLOSED_BY(sluice_image_release);
  struct sluice_error error = {""};
  save(&a);
  enum sluice_status status = sluice_image_load(&b, path, tiny, &error);
  assert_string_equal(error.text, "");
  assert_int_equal(status, SLUICE_OK);
  assert_string_equal(b.config, a.config);
  assert_string_equal(b.program, a.program);
  FIELDS_ARE(&b, (match_rows, 2), (num_writes, a.num_writes));
  assert_memory_equal(b.writes, a.writes, a.num_writes * sizeof *a.writes);
  assert_int_equal(b.num_arrays, 1);
  assert_memory_equal(b.arrays, a.arrays, sizeof *a.arrays);
  assert_int_equal(b.num_fields, 1);
  assert_memory_equal(b.fields, a.fields, sizeof *a.fields);
}

TEST(padding_is_zero_in_the_file) {
  struct sluice_image a CLOSED_BY(sluice_image_release) = sample("tiny", 100, 0),
                        b CLOSED_BY(sluice_image_release);
  memset(add(&a, SLUICE_TABLE_KEY_MASK, 0, 0)->bytes, 0xff, 25);
  save(&a);
  assert_int_equal(sluice_image_load(&b, path, tiny, NULL), SLUICE_OK);
  assert_int_equal(b.writes[b.num_writes - 1].bytes[23], 0xff);
  assert_int_equal(b.writes[b.num_writes - 1].bytes[24], 0x80);
}

// A module on a chip of 16 ports that sends to two sets, from both of its action rows.
static struct sluice_image sample_of_sets(void) {
  struct sluice_image image = sample("k4", 100, 0);
  for (size_t i = 0; i < image.num_writes; i++)
    if (image.writes[i].table == SLUICE_TABLE_ACTION)
      sluice_entry_set(image.writes[i].bytes, sluice_tables[SLUICE_TABLE_ACTION].bits,
                       SLUICE_INSTR_MD_OP_MSB, SLUICE_INSTR_MD_OP_LSB, SLUICE_OP_PORT);
  for (unsigned n = 0; n < 2; n++) {
    struct sluice_port_set *set = sluice_image_add_port_set(&image);
    struct sluice_set_word *word = sluice_image_add_set_word(&image);
    assert_true(set && word);
    set->ports = n ? 0xc0ff : 6;
    *word = (struct sluice_set_word){n, 0, n};
  }
  return image;
}

TEST(sets_of_ports_are_saved_and_loaded) {
  struct sluice_image a CLOSED_BY(sluice_image_release) = sample_of_sets(),
                        b CLOSED_BY(sluice_image_release), copy CLOSED_BY(sluice_image_release);
  struct sluice_error error = {""};
  save(&a);
  const enum sluice_status status = sluice_image_load(&b, path, sluice_config_find("k4"), &error);
  assert_string_equal(error.text, "");
  assert_int_equal(status, SLUICE_OK);
  assert_true(sluice_image_copy(&copy, &b, NULL));
  for (unsigned n = 0; n < 2; n++) {
    const struct sluice_image *image = n ? &copy : &b;
    assert_int_equal(image->num_port_sets, 2);
    assert_memory_equal(image->port_sets, a.port_sets, 2 * sizeof *a.port_sets);
    assert_int_equal(image->num_set_words, 2);
    assert_memory_equal(image->set_words, a.set_words, 2 * sizeof *a.set_words);
  }
}

TEST(malleables_are_saved_and_loaded) {
  struct sluice_image a CLOSED_BY(sluice_image_release) = sample("tiny", 100, 0),
                        b CLOSED_BY(sluice_image_release);
  struct sluice_error error = {""};
  const struct sluice_param list[] = {
      {.name = "limit", .low = -5, .high = 1000, .value = 7},
      {.name = "key",
       .high = 1,
       .value = 1,
       .num_choices = 2,
       .choice = {{.name = "sport", .offset = 38}, {.name = "in", .metadata = true, .offset = 2}}}};
  for (unsigned n = 0; n < 2; n++) {
    struct sluice_param *param = sluice_image_add_param(&a);
    assert_non_null(param);
    *param = list[n];
  }
  save(&a);
  const enum sluice_status status = sluice_image_load(&b, path, tiny, &error);
  assert_string_equal(error.text, "");
  assert_int_equal(status, SLUICE_OK);
  assert_int_equal(b.num_params, 2);
  for (unsigned n = 0; n < 2; n++) {
    const struct sluice_param *was = &list[n], *is = &b.params[n];
    assert_string_equal(is->name, was->name);
    assert_true(is->low == was->low && is->high == was->high && is->value == was->value);
    assert_int_equal(is->num_choices, was->num_choices);
    for (unsigned i = 0; i < is->num_choices; i++) {
      assert_string_equal(is->choice[i].name, was->choice[i].name);
      FIELDS_ARE(&is->choice[i], (metadata, was->choice[i].metadata),
                 (offset, was->choice[i].offset));
    }
  }
}

// Replaces the first FROM in the saved sample by TO, and loads it. `user` is not NULL: the sample
// of sets.
static void try_damaged(void *user, const struct one_case *c) {
  struct sluice_image image = user ? sample_of_sets() : sample("tiny", 100, 0), loaded;
  struct sluice_error error = {""};
  char hash[16], said[600];
  size_t len;
  snprintf(hash, sizeof hash, "%08x", (unsigned)sluice_layout_hash());
  char *from CLOSED_BY(freed) = cases_with(c->request, "$HASH", hash), *to = strstr(from, " => ");
  assert_non_null(to);
  *to = 0;
  to += 4;
  save(&image);
  sluice_image_release(&image);
  char *whole CLOSED_BY(freed) = saved_text(&len);
  char *at = strstr(whole, from);
  if (!at) fail_msg("%s: no '%s' in the sample", c->where, from);
  FILE *out = fopen(path, "wb");
  assert_non_null(out);
  fprintf(out, "%.*s%s%s", (int)(at - whole), whole, to, at + strlen(from));
  assert_int_equal(fclose(out), 0);
  const enum sluice_status status = sluice_image_load(&loaded, path, user ? NULL : tiny, &error);
  snprintf(said, sizeof said, "(%s) %s", control_status_word(status), error.text);
  cases_answer(c, said);
  assert_null(loaded.writes);
}

TEST(every_wrong_value_has_its_own_message) {
  cases_each("sw/tests/driver/image.cases", "values", try_damaged, NULL);
}

TEST(arrays_must_fit_and_agree) {
  cases_each("sw/tests/driver/image.cases", "arrays", try_damaged, NULL);
}

TEST(sets_of_ports_must_be_of_the_chip) {
  static char sets;
  cases_each("sw/tests/driver/image.cases", "sets", try_damaged, &sets);
}

TEST(files_that_are_not_there_are_errors_of_the_world) {
  struct sluice_image image, good CLOSED_BY(sluice_image_release) = sample("tiny", 4, 0);
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
}

// Cut and flipped at every byte: an error with a text, or an image that can still be placed.
TEST(damaged_files_are_refused_or_harmless) {
  struct sluice_image image = sample("tiny", 100, 0);
  save(&image);
  sluice_image_release(&image);
  size_t len;
  char *text CLOSED_BY(freed) = saved_text(&len);
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
    struct sluice_plan plan CLOSED_BY(sluice_plan_release);
    sluice_plan_init(&plan, tiny);
    const enum sluice_status added = sluice_plan_add(&plan, &image, 1, &error);
    assert_true(added <= SLUICE_OK);
    sluice_image_release(&image);
  }
  // Only digits of entries and letters of names may change unnoticed (and the last line break).
  assert_in_range(accepted, 1, len / 2);
}

static const struct sluice_write *placed(const struct sluice_plan *plan, enum sluice_table table,
                                         size_t n) {
  for (size_t i = 0; i < plan->num_writes; i++)
    if (plan->writes[i].table == table && n-- == 0) return &plan->writes[i];
  fail_msg("no such write in the plan");
  return NULL;
}

TEST(modules_are_placed_one_behind_the_other) {
  struct sluice_image a CLOSED_BY(sluice_image_release) = sample("tiny", 101, 0),
                        b CLOSED_BY(sluice_image_release) = sample("tiny", 40, 1);
  struct sluice_error error;
  struct sluice_plan plan CLOSED_BY(sluice_plan_release);
  sluice_plan_init(&plan, tiny);
  assert_int_equal(sluice_plan_add(&plan, &a, 3, &error), SLUICE_OK);
  assert_int_equal(sluice_plan_add(&plan, &b, 0x145, &error), SLUICE_OK);
  struct sluice_image c CLOSED_BY(sluice_image_release) = sample("tiny", 60, 0);
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
  FIELDS_ARE(&plan, (num_segments, 3), (segments[0].base, 0), (segments[1].base, 88),
             (segments[1].pipe, 0), (segments[2].base, 51));
  // Shares come behind the rest; a module gets the last one it was given.
  size_t before = plan.num_writes;
  assert_int_equal(sluice_plan_share(&plan, 0x145, 100, 9, &error), SLUICE_OK);
  assert_int_equal(plan.num_writes, before + 1);
  const struct sluice_write *share = placed(&plan, SLUICE_TABLE_SHARE, 0);
  assert_int_equal(share->index, 5);
  assert_int_equal(SLUICE_GET(share->bytes, SHARE, LIMIT), 1);
  assert_int_equal(SLUICE_GET(share->bytes, SHARE, RATE), 100);
  assert_int_equal(SLUICE_GET(share->bytes, SHARE, BURST), 9);
  assert_int_equal(sluice_plan_share(&plan, 5, 100, 9, &error), SLUICE_ERR_NOT_FOUND);
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
  assert_int_equal(sluice_plan_ports(&plan, 5, 0xf, &error), SLUICE_ERR_NOT_FOUND);
  assert_int_equal(sluice_plan_ports(&plan, 0x145, 0x8000000000000000, &error), SLUICE_ERR_RANGE);
  assert_non_null(strstr(error.text, "port 63"));
  // A chip without recirculation gives nobody rounds.
  assert_int_equal(sluice_plan_recirculate(&plan, 0x145, 2, 100, 8, &error),
                   SLUICE_ERR_UNSUPPORTED);
  assert_non_null(strstr(error.text, "has no recirculation"));
  // Another program keeps both; a module that goes away takes them along.
  const unsigned kept = (unsigned)plan.num_writes;
  assert_int_equal(sluice_plan_replace(&plan, &b, 0x145, &error), SLUICE_OK);
  assert_non_null(placed(&plan, SLUICE_TABLE_SHARE, 0));
  assert_int_equal(
      SLUICE_GET(placed(&plan, SLUICE_TABLE_MODULE_PORTS, 0)->bytes, MODULE_PORTS, PORTS), 0x9);
  assert_int_equal(sluice_plan_remove(&plan, 0x145, &error), SLUICE_OK);
  assert_null(sluice_plan_entry(&plan, SLUICE_TABLE_MODULE_PORTS, 0, 5));
  assert_true(kept > plan.num_writes);
}

// The chip `ulx3s` has four overlay rows, and two match rows: one module of two.
TEST(ids_differ_modulo_the_rows_of_the_chip) {
  const struct sluice_config *ulx3s = sluice_config_find("ulx3s");
  assert_non_null(ulx3s);
  struct sluice_image a CLOSED_BY(sluice_image_release) = sample("ulx3s", 8, 0);
  struct sluice_error error;
  struct sluice_plan plan CLOSED_BY(sluice_plan_release);
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
}

static void not_loaded(const struct sluice_image *image, const char *text) {
  struct sluice_image loaded;
  struct sluice_error error = {""};
  save(image);
  assert_int_equal(sluice_image_load(&loaded, path, NULL, &error), SLUICE_ERR_RANGE);
  if (!strstr(error.text, text)) fail_msg("\"%s\"; wanted \"%s\"", error.text, text);
}

TEST(an_image_is_of_the_shape_of_its_chip) {
  struct sluice_image a CLOSED_BY(sluice_image_release) = sample("small", 8, 0),
                        b CLOSED_BY(sluice_image_release) = sample("tiny", 8, 0), loaded;
  const size_t num = a.num_writes;
  char text[160];
  add(&a, SLUICE_TABLE_ACCESS, 1, 0);
  snprintf(text, sizeof text,
           "writes[%zu]: ACCESS: stage 1 of chip 'small' holds no state, 0 to 0 do: compile", num);
  not_loaded(&a, text);
  a.writes[num].table = SLUICE_TABLE_HASH_INSTR;
  snprintf(text, sizeof text,
           "writes[%zu]: HASH_INSTR: stage 1, and chip 'small' has no front stages: compile", num);
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
}

TEST(a_plan_can_put_all_into_one_pipeline) {
  struct sluice_image a CLOSED_BY(sluice_image_release) = sample("tiny", 100, 1),
                        b CLOSED_BY(sluice_image_release) = sample("tiny", 20, 1),
                        sharded CLOSED_BY(sluice_image_release) = sample("tiny", 2, 0);
  struct sluice_error error;
  struct sluice_plan plan CLOSED_BY(sluice_plan_release);
  sluice_plan_init(&plan, tiny);
  sluice_plan_pin(&plan, 1);
  assert_int_equal(sluice_plan_add(&plan, &a, 1, &error), SLUICE_OK);
  assert_int_equal(sluice_plan_add(&plan, &b, 2, &error), SLUICE_OK);
  for (unsigned i = 0; i < 2; i++) {
    assert_int_equal(plan.segments[i].pipe, 1);
    assert_int_equal(SLUICE_GET(placed(&plan, SLUICE_TABLE_ACCESS, i)->bytes, ACCESS, PIPE), 1);
  }
  FIELDS_ARE(&plan, (segments[0].base, 28), (segments[1].base, 8));
  assert_int_equal(sluice_plan_add(&plan, &b, 3, &error), SLUICE_ERR_FULL);
  assert_int_equal(sluice_plan_add(&plan, &sharded, 3, &error), SLUICE_ERR_RANGE);
  assert_non_null(strstr(error.text, "not compiled with --pin"));
  sluice_plan_pin(&plan, 2);
  assert_int_equal(sluice_plan_add(&plan, &b, 3, &error), SLUICE_ERR_RANGE);
  assert_non_null(strstr(error.text, "no such pipeline"));
}

TEST(what_does_not_fit_is_told_with_numbers_and_changes_nothing) {
  struct sluice_image big CLOSED_BY(sluice_image_release) = sample("tiny", 200, 0),
                          pinned CLOSED_BY(sluice_image_release) = sample("tiny", 100, 1),
                          small CLOSED_BY(sluice_image_release) = sample("tiny", 2, 0);
  struct sluice_image other CLOSED_BY(sluice_image_release) = sample("k4", 2, 0);
  struct sluice_error error;
  struct sluice_plan plan CLOSED_BY(sluice_plan_release);
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
  before.room_writes = plan.room_writes, before.room_segments = plan.room_segments,
  before.room_fills = plan.room_fills;
  before.rows = plan.rows, before.room_rows = plan.room_rows;
  assert_memory_equal(&plan, &before, sizeof plan);

  for (unsigned vid = 2; vid <= 4; vid++)
    assert_int_equal(sluice_plan_add(&plan, &small, vid, &error), SLUICE_OK);
  assert_int_equal(sluice_plan_add(&plan, &small, 5, &error), SLUICE_ERR_FULL);
  assert_non_null(strstr(error.text, "needs 2 match rows in back stage 0, 0 of 8 are free"));
}

TEST(modules_stay_in_their_sets) {
  struct sluice_image sharded CLOSED_BY(sluice_image_release) = sample("k4", 100, 0),
                              pinned CLOSED_BY(sluice_image_release) = sample("k4", 100, 1);
  struct sluice_error error;
  struct sluice_plan plan CLOSED_BY(sluice_plan_release);
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
    assert_int_equal(SLUICE_GET(placed(&plan, SLUICE_TABLE_ACCESS, i)->bytes, ACCESS, PIPE),
                     pipe[i]);
    assert_int_equal(SLUICE_GET(placed(&plan, SLUICE_TABLE_MODULE, i)->bytes, MODULE, PIPE),
                     pipe[i]);
  }
  // The same slots, of other pipelines.
  FIELDS_ARE(&plan, (segments[0].base, 0), (segments[1].base, 0));
  struct sluice_home home = sluice_segment_home(&plan.segments[1], 99);
  FIELDS_ARE(&home, (pipe, 3), (slot, 49));
  sluice_plan_pin(&plan, 1);
  assert_int_equal(sluice_plan_add(&plan, &pinned, 4, &error), SLUICE_ERR_RANGE);
  assert_non_null(strstr(error.text, "the set of the module"));
}

// Random modules until the chip is full: no slot of any pipeline belongs to two.
TEST(segments_never_overlap) {
  struct sluice_rng rng;
  sluice_rng_init(&rng, 1, "segments");
  const struct sluice_config *k4 = sluice_config_find("k4");
  static uint8_t owner[16][65536];
  for (int round = 0; round < 200; round++) {
    struct sluice_plan plan CLOSED_BY(sluice_plan_release);
    sluice_plan_init(&plan, k4);
    memset(owner, 0, sizeof owner);
    const unsigned sets = 1u << sluice_rng_below(&rng, 3);
    unsigned set_of[SLUICE_MAX_ROWS] = {0};
    for (unsigned vid = 1; vid < 32; vid++) {
      struct sluice_image image CLOSED_BY(sluice_image_release) =
          sample("k4", 1 + (unsigned)sluice_rng_below(&rng, 1500), (int)sluice_rng_below(&rng, 2));
      set_of[vid] = (unsigned)sluice_rng_below(&rng, sets);
      assert_int_equal(sluice_plan_set(&plan, sets, set_of[vid], NULL), SLUICE_OK);
      assert_true(sluice_plan_add(&plan, &image, vid, NULL) <= SLUICE_OK);  // may be full
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

TEST(a_plan_becomes_packets_in_a_safe_order) {
  struct sluice_image image CLOSED_BY(sluice_image_release) = sample("tiny", 10, 0);
  struct sluice_plan plan CLOSED_BY(sluice_plan_release);
  struct sent sent = {0};
  sluice_plan_init(&plan, tiny);
  assert_int_equal(sluice_plan_add(&plan, &image, 4, NULL), SLUICE_OK);
  assert_true(sluice_reconfig_plan(&plan, count, &sent));
  FIELDS_ARE(&sent, (entries, plan.num_writes + plan.num_fills), (fills, 1));
  assert_true(sent.position[SLUICE_TABLE_SEGMENT] < sent.position[SLUICE_TABLE_FILL]);
  assert_true(sent.position[SLUICE_TABLE_ACCESS] < sent.position[SLUICE_TABLE_FILL]);
  assert_true(sent.position[SLUICE_TABLE_ACTION] < sent.position[SLUICE_TABLE_MATCH]);
  assert_int_equal(sent.position[SLUICE_TABLE_MODULE], sent.packets);
  sent.packets = 999;
  assert_false(sluice_reconfig_plan(&plan, count, &sent));
  assert_int_equal(sent.packets, 1000);
}

TEST_GROUP(set_up, tear_down)
