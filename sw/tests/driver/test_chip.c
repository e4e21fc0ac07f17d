// SPDX-License-Identifier: Apache-2.0
// The library over the reference model: chips are known by their shape, modules come and go, and a
// bad control line is either overcome or told.

#include <unistd.h>

#include "tests/rig/test.h"
#include "base/bytes.h"
#include "tests/rig/chip_rig.h"
#include "driver/plan/plan.h"
#include "driver/wire/wire.h"
#include "tests/rig/line.h"
#include "tests/rig/scarce.h"

static size_t packet(uint8_t *bytes, unsigned vid, unsigned salt) {
  memset(bytes, (int)salt, 100);
  bytes[12] = 0x81, bytes[13] = 0, sluice_put16(bytes + 14, vid);
  bytes[16] = 0x08, bytes[17] = 0, bytes[18] = 0x45, bytes[27] = 17, bytes[40] = 0x12,
  bytes[41] = 0x34;
  return 100;
}

// Sends a packet, and returns the number in bytes 46 to 49 of what comes out; -1: nothing does.
static long count_of(struct sluice_transport *to, unsigned port, unsigned vid) {
  uint8_t bytes[100];
  static struct sluice_packet_out out;
  through(to, port, bytes, packet(bytes, vid, 7), &out);
  if (out.len == 0) return -1;
  FIELDS_ARE(&out, (len, 100), (port, port ^ 1));
  return sluice_get32(out.bytes + 46);
}

TEST(a_chip_is_known_by_its_whole_shape) {
  for (unsigned i = 0; i < sluice_num_configs; i++) {
    const char *name = sluice_configs[i].name;
    struct sluice_transport to;
    struct sluice_chip *chip;
    struct sluice_chip_info info;
    GOOD(sluice_transport_model(&to, name, NULL, &error));
    GOOD(sluice_chip_open(&chip, &to, NULL, &error));
    sluice_chip_describe(chip, &info);
    assert_string_equal(info.name, name);
    assert_int_equal(info.pipes, sluice_configs[i].NumPipes);
    sluice_chip_close(chip);
    for (unsigned j = 0; j < sluice_num_configs; j++) {
      const struct sluice_chip_options options = {.chip = sluice_configs[j].name};
      char text[80];
      snprintf(text, sizeof text, "the chip is '%s', not '%s'", name, options.chip);
      if (i == j) continue;
      SAYS(SLUICE_ERR_FOREIGN, text, sluice_chip_open(&chip, &to, &options, &error));
      assert_null(chip);
    }
    sluice_transport_close(&to);
  }
}

// One whose name is made of another one and what differs is known by its shape, too.
TEST(a_derived_chip_is_known_by_its_shape) {
  struct sluice_transport to CLOSED_BY(sluice_transport_close);
  struct sluice_chip *chip CLOSED_BY(close_chip);
  struct sluice_chip_info info;
  assert_non_null(sluice_config_find("tiny.Banks2"));
  const char *first = sluice_config_derived(0)->name;
  GOOD(sluice_transport_model(&to, first, NULL, &error));
  GOOD(sluice_chip_open(&chip, &to, NULL, &error));
  sluice_chip_describe(chip, &info);
  assert_string_equal(info.name, first);
}

static const char *const programs[] = {"sequencer", "flowlet",      "heavy_hitter", "firewall",
                                       "conga",     "bloom_filter", "wfq",          "rcp",
                                       "hull",      "new_flow",     "sampling"};

TEST(every_program_reads_back_as_it_was_written) {
  static const char *const chips[] = {"tiny", "small", "ulx3s", "menshen", "k4", "b4"};
  unsigned loaded = 0;
  for (unsigned c = 0; c < sizeof chips / sizeof *chips; c++) {
    struct sluice_transport to;
    struct sluice_chip *chip;
    struct sluice_chip_line line;
    GOOD(sluice_transport_model(&to, chips[c], NULL, &error));
    GOOD(sluice_chip_open(&chip, &to, NULL, &error));
    unsigned vid = 1;
    for (unsigned p = 0; p < sizeof programs / sizeof *programs; p++) {
      char path[100];
      snprintf(path, sizeof path, "sw/programs/%s.dom", programs[p]);
      struct sluice_image *image = compiled(path, chips[c]);
      if (!image) continue;
      const enum sluice_status status = sluice_chip_load(chip, image, vid, &error);
      if (status && status != SLUICE_ERR_FULL) fail_msg("%s on %s: %s", path, chips[c], error.text);
      loaded += status == SLUICE_OK;
      vid += status == SLUICE_OK;
      if (sluice_chip_audit(chip, &error)) fail_msg("%s on %s: %s", path, chips[c], error.text);
      sluice_image_close(image);
    }
    while (--vid) GOOD(sluice_chip_remove(chip, vid, &error));
    GOOD(sluice_chip_audit(chip, &error));
    assert_int_equal(sluice_chip_plan(chip)->num_writes, 0);
    sluice_chip_line_counts(chip, &line);
    FIELDS_ARE(&line, (resent, 0), (rejected, 0));
    sluice_chip_close(chip);
    sluice_transport_close(&to);
  }
  if (loaded < 15) fail_msg("only %u programs were loaded", loaded);
}

TEST(modules_come_change_and_go) {
  struct sluice_transport to CLOSED_BY(sluice_transport_close);
  struct sluice_chip *chip CLOSED_BY(close_chip);
  struct sluice_counters counters;
  uint32_t value, values[2], bitmap, drops[SLUICE_NUM_DROPS];
  struct sluice_image_array array;
  struct sluice_image *a CLOSED_BY(close_image) = counter("alpha", 10, "tiny"),
                         *b CLOSED_BY(close_image) = counter("beta", 500, "tiny"),
                         *other CLOSED_BY(close_image) = counter("x", 0, "k4");
  GOOD(sluice_transport_open(&to, "model:tiny", NULL, &error));
  GOOD(sluice_chip_open(&chip, &to, NULL, &error));
  SAYS(SLUICE_ERR_FOREIGN, "made for chip 'k4'", sluice_chip_load(chip, other, 3, &error));
  GOOD(sluice_chip_load(chip, a, 3, &error));
  GOOD(sluice_chip_load(chip, b, 4, &error));
  SAYS(SLUICE_ERR_FULL, "overlay row 3", sluice_chip_load(chip, b, 35, &error));
  assert_int_equal(count_of(&to, 0, 3), 11);
  assert_int_equal(count_of(&to, 2, 4), 501);
  assert_int_equal(count_of(&to, 0, 3), 12);
  assert_int_equal(count_of(&to, 0, 9), -1);
  GOOD(sluice_chip_state_read(chip, 3, "alpha", 0, 1, &value, &error));
  assert_int_equal(value, 12);
  SAYS(SLUICE_ERR_NOT_FOUND, "no array 'beta'",
       sluice_chip_state_read(chip, 3, "beta", 0, 1, &value, &error));
  SAYS(SLUICE_ERR_RANGE, "has 1 entries, not 2 from 0 on",
       sluice_chip_state_read(chip, 3, "alpha", 0, 2, values, &error));
  SAYS(SLUICE_ERR_NOT_FOUND, "no module",
       sluice_chip_state_read(chip, 5, "alpha", 0, 1, &value, &error));
  assert_true(sluice_chip_get_array(chip, 4, 0, &array));
  assert_string_equal(array.name, "beta");
  assert_int_equal(array.initial, 500);
  assert_false(sluice_chip_get_array(chip, 4, 1, &array));
  value = 77;
  GOOD(sluice_chip_state_write(chip, 4, "beta", 0, 1, &value, &error));
  assert_int_equal(count_of(&to, 2, 4), 78);

  // Another program in place of the first; the second goes on where it was.
  GOOD(sluice_chip_replace(chip, b, 3, &error));
  assert_int_equal(count_of(&to, 0, 3), 501);
  assert_int_equal(count_of(&to, 2, 4), 79);
  SAYS(SLUICE_ERR_NOT_FOUND, "no array 'alpha'",
       sluice_chip_state_read(chip, 3, "alpha", 0, 1, &value, &error));
  SAYS(SLUICE_ERR_NOT_FOUND, "VLAN id 9", sluice_chip_replace(chip, b, 9, &error));

  // Blocked packets are dropped, and counted.
  GOOD(sluice_chip_block(chip, 3, &error));
  assert_int_equal(count_of(&to, 0, 3), -1);
  assert_int_equal(count_of(&to, 2, 4), 80);
  GOOD(sluice_chip_module_drops(chip, 3, drops, &error));
  assert_int_equal(drops[SLUICE_DROP_BITMAP], 1);
  // A change of another module leaves the block alone.
  GOOD(sluice_chip_replace(chip, a, 4, &error));
  assert_int_equal(count_of(&to, 0, 3), -1);
  GOOD(sluice_chip_unblock(chip, 3, &error));
  assert_int_equal(count_of(&to, 0, 3), 502);

  GOOD(sluice_chip_remove(chip, 3, &error));
  assert_int_equal(count_of(&to, 0, 3), -1);
  GOOD(sluice_chip_audit(chip, &error));
  GOOD(sluice_chip_counters(chip, &counters, &error));
  FIELDS_ARE(&counters, (packets, 12), (copies, 8), (drops[SLUICE_DROP_BITMAP], 2));
  assert_int_equal(counters.drops[SLUICE_DROP_UNKNOWN_MODULE], 2);  // after the remove
  GOOD(sluice_chip_register(chip, "CHIP", 0, "BITMAP", 0, &value, &error));
  GOOD(sluice_chip_read(chip, value, &bitmap, &error));
  assert_int_equal(bitmap, 0);
  SAYS(SLUICE_ERR_NOT_FOUND, "no register is called CHIP.BITMOP",
       sluice_chip_register(chip, "CHIP", 0, "BITMOP", 0, &value, &error));
  SAYS(SLUICE_ERR_NOT_FOUND, "has no PORT.PACKETS with instance 4",
       sluice_chip_register(chip, "PORT", 4, "PACKETS", 0, &value, &error));
  SAYS(SLUICE_ERR_RANGE, "belongs to the plan",
       sluice_chip_write(chip, SLUICE_CHIP_BASE + SLUICE_CHIP_SETS, 1, &error));
  SAYS(SLUICE_ERR_IO, "SLVERR",
       sluice_chip_write(chip, SLUICE_CHIP_BASE + SLUICE_CHIP_ID, 1, &error));
  SAYS(SLUICE_ERR_IO, "DECERR", sluice_chip_read(chip, 0x1f00, &value, &error));
}

TEST(single_entries_can_be_changed) {
  struct sluice_transport to CLOSED_BY(sluice_transport_close);
  struct sluice_chip *chip CLOSED_BY(close_chip);
  uint8_t module[4], again[4], instr[32];
  struct sluice_image *a CLOSED_BY(close_image) = counter("alpha", 0, "tiny");
  GOOD(sluice_transport_open(&to, "model:tiny", NULL, &error));
  GOOD(sluice_chip_open(&chip, &to, NULL, &error));
  GOOD(sluice_chip_load(chip, a, 3, &error));
  GOOD(sluice_chip_load(chip, a, 4, &error));
  GOOD(sluice_chip_entry_read(chip, 3, "MODULE", 0, 0, module, sizeof module, &error));
  SLUICE_SET(module, MODULE, NEED_UDP, 1);
  SLUICE_SET(module, MODULE, VID, 99);  // the plan knows better
  GOOD(sluice_chip_entry_write(chip, 3, "module", 0, 0, module, sizeof module, &error));
  GOOD(sluice_chip_entry_read(chip, 3, "MODULE", 0, 0, again, sizeof again, &error));
  assert_int_equal(SLUICE_GET(again, MODULE, VID), 3);
  assert_int_equal(SLUICE_GET(again, MODULE, NEED_UDP), 1);
  GOOD(sluice_chip_entry_read(chip, 4, "state_instr", 0, 0, instr, sizeof instr, &error));
  SAYS(SLUICE_ERR_NOT_FOUND, "no table is called",
       sluice_chip_entry_read(chip, 3, "MODOLE", 0, 0, again, 4, &error));
  SAYS(SLUICE_ERR_RANGE, "4 bytes, not 5",
       sluice_chip_entry_read(chip, 3, "MODULE", 0, 0, again, 5, &error));
  SAYS(SLUICE_ERR_RANGE, "no entry 1",
       sluice_chip_entry_read(chip, 3, "STATE_INSTR", 0, 1, instr, 32, &error));
  SAYS(SLUICE_ERR_UNSUPPORTED, "no STATE_INSTR in stage 2",
       sluice_chip_entry_read(chip, 3, "STATE_INSTR", 2, 0, instr, 32, &error));
  SAYS(SLUICE_ERR_RANGE, "entry 7",
       sluice_chip_entry_write(chip, 3, "STATE_INSTR", 0, 7, instr, 32, &error));
  SAYS(SLUICE_ERR_RANGE, "not a table of entries of a module",
       sluice_chip_entry_write(chip, 3, "PORT_MASK", 0, 0, instr, 8, &error));
  SAYS(SLUICE_ERR_RANGE, "not a table of entries of a module",
       sluice_chip_entry_write(chip, 3, "LEAVE", 0, 0, instr, 8, &error));
  SAYS(SLUICE_ERR_RANGE, "not a table of entries of a module",
       sluice_chip_entry_write(chip, 3, "TAKE", 0, 0, instr, 8, &error));
  // Nothing of the other module may be reached through an ACCESS entry without a segment.
  SLUICE_SET(again, ACCESS, ENABLE, 1);
  SAYS(SLUICE_ERR_RANGE, "has no state there",
       sluice_chip_entry_write(chip, 3, "ACCESS", 1, 0, again, 4, &error));
  GOOD(sluice_chip_audit(chip, &error));
  assert_int_equal(count_of(&to, 0, 4), 1);
}

TEST(transports_that_are_not_there_are_told) {
  struct sluice_transport to;
  char path[150];
  memset(path, 'x', sizeof path);
  memcpy(path, "unix:", 5);
  path[sizeof path - 1] = 0;
  SAYS(SLUICE_ERR_RANGE, "none of model:CHIP, unix:PATH",
       sluice_transport_open(&to, "tiny", NULL, &error));
  assert_null(to.ops);
  SAYS(SLUICE_ERR_NOT_FOUND, "no chip is called 'tinny'",
       sluice_transport_open(&to, "model:tinny", NULL, &error));
  SAYS(SLUICE_ERR_IO, "cannot connect to '/nowhere/at/all'",
       sluice_transport_open(&to, "unix:/nowhere/at/all", NULL, &error));
  SAYS(SLUICE_ERR_RANGE, "at most 107 bytes", sluice_transport_open(&to, path, NULL, &error));
  SAYS(SLUICE_ERR_IO, "is no serial line",
       sluice_transport_open(&to, "serial:/dev/null,115200", NULL, &error));
  SAYS(SLUICE_ERR_RANGE, "12345 baud",
       sluice_transport_open(&to, "serial:/dev/null,12345", NULL, &error));
  SAYS(SLUICE_ERR_RANGE, "no rate",
       sluice_transport_open(&to, "serial:/dev/null,12x", NULL, &error));
  SAYS(SLUICE_ERR_RANGE, "no seconds",
       sluice_transport_open(&to, "serial:/dev/null,9600,", NULL, &error));
  SAYS(SLUICE_ERR_RANGE, "no seconds",
       sluice_transport_open(&to, "serial:/dev/null,9600,0", NULL, &error));
  SAYS(SLUICE_ERR_RANGE, "1 to 3600",
       sluice_transport_open(&to, "serial:/dev/null,9600,3601", NULL, &error));
  SAYS(SLUICE_ERR_IO, "is no serial line",
       sluice_transport_open(&to, "serial:/dev/null,115200,5", NULL, &error));
  SAYS(SLUICE_ERR_RANGE, "no device", sluice_transport_open(&to, "serial:,9600", NULL, &error));
  assert_null(to.ops);
  sluice_transport_close(&to);
  assert_string_equal(sluice_version(), SLUICE_VERSION);
  for (int status = SLUICE_OK; status >= SLUICE_ERR_DIFFERS; status--)
    assert_string_not_equal(sluice_status_text((enum sluice_status)status), "unknown status");
}

// ---- a bad line ---------------------------------------------------------------------------------

struct verdicts {
  unsigned good, told;
};

// One life of a chip on a bad line. Whatever a call says must be true: read back over the sound
// line.
static void live_on(double lose, double twice, double swap, double damaged, uint64_t seed,
                    struct verdicts *v) {
  struct sluice_transport model, to;
  struct sluice_chip *chip;
  struct bad_line *line = calloc(1, sizeof *line);
  struct sluice_image *images[3] = {counter("alpha", 5, "tiny"),
                                    compiled("sw/programs/sampling.dom", "tiny"),
                                    counter("beta", 0, "tiny")};
  GOOD(sluice_transport_model(&model, "tiny", NULL, &error));
  line->inner = &model;
  to = bad_transport(line);
  sluice_rng_init(&line->rng, seed, "bad line");
  GOOD(sluice_chip_open(&chip, &to, NULL, &error));
  // Half of all damaged is too much for either way: it is tried one question after the other.
  sluice_chip_together(chip, seed % 2 == 0 && damaged < 0.5);
  for (unsigned step = 0; step < 7; step++) {
    line->lose = lose, line->twice = twice, line->swap = swap, line->damage = damaged;
    const struct sluice_image *image = images[step % 3] ? images[step % 3] : images[0];
    const enum sluice_status status =
        step < 3   ? sluice_chip_load(chip, image, 1 + step, &error)
        : step < 6 ? sluice_chip_replace(chip, images[0], 1 + step % 3, &error)
                   : sluice_chip_remove(chip, 2, &error);
    line->lose = line->twice = line->swap = line->damage = 0;
    line->late_len = line->held_len = 0;
    if (status) {
      v->told++;
      break;
    }
    v->good++;
    const enum sluice_status truth = sluice_chip_audit(chip, &error);
    if (truth)
      fail_msg("seed %llu, step %u: said to be done, but %s", (unsigned long long)seed, step,
               error.text);
  }
  sluice_chip_close(chip);
  sluice_transport_close(&model);
  for (unsigned i = 0; i < 3; i++) sluice_image_close(images[i]);
  free(line);
}

TEST(a_bad_line_is_overcome_or_told) {
  static const double shares[] = {0.01, 0.1, 0.5};
  for (unsigned s = 0; s < 3; s++) {
    struct verdicts v[5] = {{0, 0}};
    const double p = shares[s];
    for (uint64_t seed = 1; seed <= 10; seed++) {
      live_on(p, 0, 0, 0, seed, &v[0]);
      live_on(0, p, 0, 0, seed, &v[1]);
      live_on(0, 0, p, 0, seed, &v[2]);
      live_on(0, 0, 0, p, seed, &v[3]);
      live_on(p / 4, p / 4, p / 4, p / 4, seed, &v[4]);
    }
    static const char *const names[] = {"lost", "doubled", "swapped", "damaged", "all of it"};
    for (unsigned k = 0; k < 5; k++) {
      print_message("%2.0f %% %s: %u changes as wanted, %u lives ended with an error\n", p * 100,
                    names[k], v[k].good, v[k].told);
      // What is only lost, doubled or swapped is overcome at any of these shares.
      if (k < 3) assert_int_equal(v[k].told, 0);
      assert_true(v[k].good > 0);
    }
  }
}

// The chip does not answer at all: every call must end, and say so.
TEST(a_dead_line_is_told) {
  struct sluice_transport model CLOSED_BY(sluice_transport_close), to;
  struct sluice_chip *chip CLOSED_BY(close_chip);
  struct bad_line *line CLOSED_BY(freed) = calloc(1, sizeof *line);
  struct sluice_image *a CLOSED_BY(close_image) = counter("alpha", 5, "tiny"),
                         *b CLOSED_BY(close_image) = compiled("sw/programs/sampling.dom", "tiny");
  uint32_t value;
  GOOD(sluice_transport_model(&model, "tiny", NULL, &error));
  line->inner = &model;
  to = bad_transport(line);
  GOOD(sluice_chip_open(&chip, &to, NULL, &error));
  line->lose = 1;
  SAYS(SLUICE_ERR_IO, "stay blocked", sluice_chip_load(chip, a, 3, &error));
  assert_int_equal(sluice_chip_plan(chip)->num_modules, 0);
  GOOD(sluice_chip_read(chip, SLUICE_CHIP_BASE + SLUICE_CHIP_BITMAP, &value, &error));
  assert_int_equal(value, 1u << 3);
  line->lose = 0;
  GOOD(sluice_chip_load(chip, a, 3, &error));
  GOOD(sluice_chip_read(chip, SLUICE_CHIP_BASE + SLUICE_CHIP_BITMAP, &value, &error));
  assert_int_equal(value, 0);
  GOOD(sluice_chip_audit(chip, &error));

  // The line dies in the middle of a replacement, and stays dead on the way back. What the new
  // program had more than the old one must be gone when the module is removed later.
  GOOD(sluice_chip_load(chip, b, 4, &error));
  for (unsigned frames = 3; frames < 40; frames += 4) {
    line->dies_after = line->frames + frames;
    const enum sluice_status status = sluice_chip_replace(chip, b, 3, &error);
    line->dies_after = 0;
    if (status) GOOD(sluice_chip_remove(chip, 3, &error));
    GOOD(sluice_chip_audit(chip, &error));
    GOOD(status ? sluice_chip_load(chip, a, 3, &error) : sluice_chip_replace(chip, a, 3, &error));
    GOOD(sluice_chip_audit(chip, &error));
  }
}

// A fill of a long array is known by the array's ends. One that was done in another stage, and
// counted, must be found all the same, though the ends of the array held its value before.
TEST(a_fill_that_went_elsewhere_is_found) {
  enum { AT = 500, MANY = 400 };
  struct sluice_transport model CLOSED_BY(sluice_transport_close), to;
  struct sluice_chip *chip CLOSED_BY(close_chip);
  struct sluice_chip_line line_counts;
  struct bad_line *line CLOSED_BY(freed) = calloc(1, sizeof *line);
  struct sluice_image *sketch CLOSED_BY(close_image) =
      compiled("sw/programs/heavy_hitter.dom", "k4");
  uint32_t value = 9;
  GOOD(sluice_transport_model(&model, "k4", NULL, &error));
  line->inner = &model;
  to = bad_transport(line);
  GOOD(sluice_chip_open(&chip, &to, NULL, &error));
  for (unsigned i = 0; i < 3; i++) {
    GOOD(sluice_chip_load(chip, sketch, 3, &error));
    assert_true(line->frames < MANY);
    const struct sluice_segment *s = &sluice_chip_plan(chip)->segments[i];
    GOOD(sluice_chip_state_write(chip, 3, sluice_segment_name(s), AT, 1, &value, &error));
    const unsigned stage = s->stage;
    GOOD(sluice_chip_remove(chip, 3, &error));
    line->misses = 1 + stage;
    sluice_chip_line_counts(chip, &line_counts);
    assert_int_equal(line_counts.resent, 0);
    GOOD(sluice_chip_load(chip, sketch, 3, &error));
    sluice_chip_line_counts(chip, &line_counts);
    assert_true(line_counts.resent > 0);
    uint32_t after;
    s = &sluice_chip_plan(chip)->segments[i];
    GOOD(sluice_chip_state_read(chip, 3, sluice_segment_name(s), AT, 1, &after, &error));
    assert_int_equal(after, 0);
    sluice_chip_close(chip);
    GOOD(sluice_chip_open(&chip, &to, NULL, &error));
    line->frames = 0;
  }
}

// ---- plans --------------------------------------------------------------------------------------

// A chip that is nothing but its tables: what a list of changes makes of them.
struct tables {
  struct sluice_change entries[4000];
  size_t num;
};

static void do_change(struct tables *t, const struct sluice_change *c) {
  if (c->kind != SLUICE_CHANGE_WRITE && c->kind != SLUICE_CHANGE_ERASE) return;
  struct sluice_change *at = NULL;
  for (size_t i = 0; i < t->num && !at; i++)
    if (t->entries[i].table == c->table && t->entries[i].stage == c->stage &&
        t->entries[i].index == c->index)
      at = &t->entries[i];
  if (!at) at = &t->entries[t->num++];
  *at = *c;
}

static bool holds(const struct tables *t, const struct sluice_plan *plan) {
  for (size_t i = 0; i < t->num; i++) {
    const struct sluice_change *c = &t->entries[i];
    const struct sluice_write *w =
        sluice_plan_entry(plan, (enum sluice_table)c->table, c->stage, c->index);
    if (c->kind == SLUICE_CHANGE_ERASE && w) return false;
    if (c->kind == SLUICE_CHANGE_WRITE && w && memcmp(w->bytes, c->bytes, sizeof w->bytes) != 0)
      return false;
    if (c->kind == SLUICE_CHANGE_WRITE && !w && c->table == SLUICE_TABLE_MATCH) return false;
  }
  for (size_t i = 0; i < plan->num_writes; i++) {
    bool found = false;
    for (size_t n = 0; n < t->num && !found; n++)
      found = t->entries[n].table == (unsigned)plan->writes[i].table &&
              t->entries[n].stage == plan->writes[i].stage &&
              t->entries[n].index == plan->writes[i].index;
    if (!found) return false;
  }
  return true;
}

TEST(differences_lead_from_plan_to_plan_and_back) {
  struct sluice_plan *now, *next;
  struct sluice_rng rng;
  struct tables *t CLOSED_BY(freed) = calloc(1, sizeof *t),
                   *back CLOSED_BY(freed) = calloc(1, sizeof *back);
  struct sluice_image *images[3] = {counter("alpha", 5, "tiny"),
                                    compiled("sw/programs/sampling.dom", "tiny"),
                                    counter("beta", 0, "tiny")};
  unsigned refused = 0, done = 0;
  sluice_rng_init(&rng, 11, "plans");
  GOOD(sluice_plan_open(&now, "tiny", NULL, &error));
  for (unsigned step = 0; step < 150; step++) {
    struct sluice_changes changes;
    const unsigned vid = 1 + (unsigned)sluice_rng_below(&rng, 12);
    const struct sluice_image *image = images[sluice_rng_below(&rng, 3)];
    GOOD(sluice_plan_copy(&next, now, &error));
    enum sluice_status status = SLUICE_OK;
    switch (sluice_rng_below(&rng, 4)) {
      case 0: status = sluice_plan_add(next, image ? image : images[0], vid, &error); break;
      case 1: status = sluice_plan_remove(next, vid, &error); break;
      case 2: status = sluice_plan_replace(next, image ? image : images[0], vid, &error); break;
      default: status = sluice_plan_share(next, vid, vid, 3, &error); break;
    }
    if (status) {
      refused++;
      FIELDS_ARE(next, (num_writes, now->num_writes), (num_modules, now->num_modules));
      sluice_plan_close(next);
      continue;
    }
    done++;
    GOOD(sluice_plan_diff(now, next, &changes, &error));
    *back = *t;
    uint32_t blocked = 0;
    for (size_t i = 0; i < changes.num; i++) {
      const struct sluice_change *c = &changes.list[i];
      if (c->kind == SLUICE_CHANGE_BLOCK) blocked |= c->rows;
      if (c->kind == SLUICE_CHANGE_UNBLOCK) blocked &= ~c->rows;
      // Nothing but a share changes while packets of its module come in.
      if (c->kind == SLUICE_CHANGE_WRITE && c->table != SLUICE_TABLE_SHARE)
        assert_true(blocked != 0);
      do_change(t, c);
    }
    assert_int_equal(blocked, 0);
    assert_true(holds(t, next));
    // The inverses, last one first, lead back.
    *back = *t;
    for (size_t i = changes.num; i-- > 0;) {
      const struct sluice_change inverse = sluice_change_inverse(&changes.list[i]);
      do_change(back, &inverse);
    }
    assert_true(holds(back, now));
    sluice_changes_release(&changes);
    // Two segments never overlap.
    for (size_t i = 0; i < next->num_segments; i++)
      for (size_t j = 0; j < i; j++) {
        const struct sluice_segment *a = &next->segments[i], *b = &next->segments[j];
        if (a->stage != b->stage) continue;
        for (unsigned n = 0; n < a->range; n++)
          for (unsigned m = 0; m < b->range; m++) {
            const struct sluice_home x = sluice_segment_home(a, n), y = sluice_segment_home(b, m);
            assert_false(x.pipe == y.pipe && x.slot == y.slot);
          }
      }
    sluice_plan_close(now);
    now = next;
  }
  assert_true(done > 50 && refused > 5);
  sluice_plan_close(now);
  for (unsigned i = 0; i < 3; i++) sluice_image_close(images[i]);
}

// ---- memory -------------------------------------------------------------------------------------

// A whole life. Ends at the first error, which must be the right one.
static enum sluice_status whole_life(const struct sluice_alloc *alloc, const char *path) {
  struct sluice_transport to CLOSED_BY(sluice_transport_close) = {.ops = NULL};
  struct sluice_chip *chip CLOSED_BY(close_chip) = NULL;
  struct sluice_image *image CLOSED_BY(close_image) = NULL;
  struct sluice_plan *plan CLOSED_BY(close_plan) = NULL;
  const struct sluice_chip_options options = {.alloc = alloc};
  uint32_t value = 0;
  uint8_t bytes[100];
  static struct sluice_packet_out out;
  enum sluice_status status = sluice_transport_open(&to, "model:tiny", alloc, &error);
  if (!status) status = sluice_image_open(&image, path, alloc, &error);
  if (!status) status = sluice_chip_open(&chip, &to, &options, &error);
  if (!status) status = sluice_chip_load(chip, image, 3, &error);
  if (!status) status = sluice_chip_load(chip, image, 4, &error);
  if (!status) status = sluice_chip_replace(chip, image, 3, &error);
  if (!status) status = to.ops->packet_send(to.self, 0, bytes, packet(bytes, 3, 1), &error);
  if (!status) status = to.ops->packet_receive(to.self, &out, &error);
  if (!status) status = sluice_chip_state_read(chip, 3, "alpha", 0, 1, &value, &error);
  if (!status) status = sluice_plan_copy(&plan, sluice_chip_plan(chip), &error);
  if (!status) status = sluice_plan_share(plan, 3, 7, 7, &error);
  if (!status) status = sluice_chip_apply(chip, plan, &error);
  if (!status) status = sluice_chip_remove(chip, 4, &error);
  // Whatever happened, what the handle says of the chip is true.
  if (chip && status == SLUICE_ERR_NOMEM) {
    const struct sluice_error kept = error;
    if (sluice_chip_audit(chip, &error)) fail_msg("out of memory, and %s", error.text);
    error = kept;
  }
  return status;
}

TEST(every_allocation_fails_once) {
  struct scarce scarce = {.until = 0};
  const struct sluice_alloc alloc = {scarce_resize, &scarce};
  char path[] = "/tmp/sluice-test-XXXXXX";
  struct sluice_image *image CLOSED_BY(close_image) = counter("alpha", 5, "tiny");
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  GOOD(sluice_image_save(image, path, &error));
  GOOD(whole_life(&alloc, path));
  assert_int_equal(scarce.bytes, 0);
  const long all = scarce.used;
  assert_true(all > 20);
  for (long n = 1; n <= all; n++) {
    scarce = (struct scarce){.until = n};
    assert_int_equal(whole_life(&alloc, path), SLUICE_ERR_NOMEM);
    if (!strstr(error.text, "out of memory")) fail_msg("allocation %ld: '%s'", n, error.text);
    assert_int_equal(scarce.bytes, 0);
  }
  print_message("%ld allocations, each failed once\n", all);
  remove(path);
  close(fd);
}

// With marks state is read and written wherever its indices are; else they are called home first.
TEST(state_is_read_without_calling_home) {
  static const char *const chips[] = {"tiny", "marks"};
  for (unsigned i = 0; i < 2; i++) {
    struct sluice_transport inner CLOSED_BY(sluice_transport_close), to;
    struct bad_line line = {.inner = &inner};
    struct sluice_chip *chip CLOSED_BY(close_chip);
    struct sluice_image *image CLOSED_BY(freed) = counter("alpha", 3, chips[i]);
    uint32_t value = 0, nine = 9;
    assert_non_null(image);
    GOOD(sluice_transport_model(&inner, chips[i], NULL, &error));
    to = bad_transport(&line);
    GOOD(sluice_chip_open(&chip, &to, NULL, &error));
    GOOD(sluice_chip_load(chip, image, 3, &error));
    line.recalled = 0;
    GOOD(sluice_chip_state_read(chip, 3, "alpha", 0, 1, &value, &error));
    assert_int_equal(value, 3);
    GOOD(sluice_chip_state_write(chip, 3, "alpha", 0, 1, &nine, &error));
    GOOD(sluice_chip_state_read(chip, 3, "alpha", 0, 1, &value, &error));
    assert_int_equal(value, 9);
    assert_int_equal(line.recalled != 0, i == 0);
    sluice_image_release(image);
  }
}
