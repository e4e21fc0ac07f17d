// SPDX-License-Identifier: Apache-2.0
// Words of arrays that packets have looked up, on a chip (the reference model): loaded with the
// entries of the text, changed by names with packets between any two operations of the driver,
// taken out. What packets bring back is what a list of entries in plain C says. And how full the
// array match gets, with the hash written apart, bit by bit.
//
// SLUICE_KEYS_SEEDS and SLUICE_SEED in the environment. Run from the root of the tree.
#include <unistd.h>

#include <sluice/sluice.h>

#include "tests/rig/test.h"
#include "tests/rig/environment.h"
#include "base/bytes.h"
#include "tests/rig/chip_rig.h"
#include "driver/image/capability.h"
#include "driver/chip/chip.h"
#include "driver/tables/cuckoo.h"
#include "driver/image/image_tables.h"
#include "driver/plan/table_diff.h"
#include "driver/plan/table_plan.h"
#include "tests/rig/key_places.h"
#include "tests/rig/line.h"
#include "transport/filter.h"

enum { WAYS = 4, WORDS = 8, MODULES = 2, FIRST_VID = 5, FRAME = 128, WORDS_AT = 62 };

// ---- places -------------------------------------------------------------------------------------

struct memory {
  unsigned size;
  uint32_t id[16384], key[16384];
  uint64_t hash[16384];  // of an id
};

static bool visible(const struct memory *m, uint32_t id) {
  for (unsigned w = 0; w < WAYS; w++)
    if (m->id[key_place(m->hash[id], w, WORDS, m->size)] == id) return true;
  return false;
}

// In the order of the list, or (a driver that is wrong) the last write first. False: an entry was
// hidden for a moment.
static bool apply(struct memory *m, const struct sluice_moves *moves, bool wrong) {
  bool good = true;
  for (size_t i = 0; i < moves->num; i++) {
    const struct sluice_move *v = &moves->list[wrong ? moves->num - 1 - i : i];
    const uint32_t over = m->id[v->at];
    m->id[v->at] = v->to.id;
    if (over != SLUICE_NO_ENTRY) good &= visible(m, over);
  }
  return good;
}

// Fills to a load, or until an entry finds no place; returns how many found one. `hidden`: moves
// that hid an entry.
static unsigned fill(unsigned size, unsigned most, uint64_t seed, bool wrong, unsigned *hidden,
                     unsigned *moved) {
  static struct memory m;
  struct sluice_engine e;
  struct sluice_moves moves = {0};
  struct sluice_rng rng;
  struct sluice_error why;
  sluice_rng_init(&rng, seed, "words");
  assert_true(sluice_engine_init(&e, size, NULL));
  e.words = WORDS;
  m.size = size;
  memset(m.id, 0xff, sizeof m.id);
  unsigned n = 0;
  for (; n < most; n++) {
    m.key[n] = (uint32_t)sluice_rng_next(&rng);
    m.hash[n] = n % 16 ? sluice_array_hash(FIRST_VID, m.key[n]) : key_hash(FIRST_VID, m.key[n]);
    moves.num = 0;
    if (sluice_cuckoo_insert(&e, n, m.hash[n], &moves, &why)) {
      assert_non_null(strstr(why.text, "the array match has no place for it"));
      break;
    }
    *hidden += !apply(&m, &moves, wrong);
    *moved += (unsigned)moves.num - 1;
    assert_true(visible(&m, n));
  }
  for (unsigned i = 0; i < n; i++)
    assert_true(visible(&m, i) && m.id[sluice_cuckoo_find(&e, i, m.hash[i])] == i);
  sluice_moves_release(&moves);
  sluice_engine_release(&e);
  return n;
}

TEST(the_large_shape_takes_a_load_of_085) {
  const uint64_t seed = from_environment("SLUICE_SEED", 1),
                 seeds = from_environment("SLUICE_KEYS_SEEDS", 20);
  const unsigned size = sluice_config_find("keys8")->ArrayEntries, load = size * 85 / 100;
  unsigned hidden = 0, moved = 0;
  for (uint64_t i = 0; i < seeds; i++)
    if (fill(size, load, seed + i, false, &hidden, &moved) != load)
      fail_msg("of %u entries fewer than %u found a place, SLUICE_SEED=%llu", size, load,
               (unsigned long long)(seed + i));
  printf("%u of %u entries, %llu times: %.3f moves an insertion; SLUICE_SEED=%llu\n", load, size,
         (unsigned long long)seeds, (double)moved / (double)(seeds * load),
         (unsigned long long)seed);
  assert_true(moved > 0 && !hidden);
  (void)fill(size, load, seed, true, &hidden, &moved);
  assert_true(hidden > 0);
}

TEST(how_full_it_gets) {
  const uint64_t seed = from_environment("SLUICE_SEED", 1),
                 seeds = from_environment("SLUICE_KEYS_SEEDS", 20);
  for (unsigned size = 256; size <= 16384; size *= 4) {
    unsigned hidden = 0, moved = 0, least = size;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < seeds; i++) {
      const unsigned got = fill(size, size, seed + i, false, &hidden, &moved);
      sum += got;
      if (got < least) least = got;
    }
    printf("%5u entries: the first that finds no place comes at a load of %.3f, %.3f at least\n",
           size, (double)sum / (double)(seeds * size), (double)least / size);
    assert_false(hidden);
  }
}

// ---- a line with packets ------------------------------------------------------------------------

enum { KEYS = 200 };
struct set {
  bool there[MODULES][KEYS];
  uint32_t data[MODULES][KEYS];
};
struct line {
  struct sluice_filter wrap;
  struct sluice_transport model, to;
  struct sluice_chip *chip;
  struct sluice_rng rng;
  struct set before, after;
  bool traffic, tolerant, no_banks, seen[MODULES];
  unsigned long packets, mixed;
};

static unsigned below(struct line *l, unsigned n) { return (unsigned)sluice_rng_below(&l->rng, n); }

// Keys 0 to KEYS - 1 of both modules are numbers that lie anywhere.
static uint32_t key_of(unsigned k) { return k < 4 ? k : k * UINT32_C(2654435761); }

static void put(uint8_t *bytes, unsigned at, uint32_t word) { sluice_put32(bytes + at, word); }
static uint32_t get(const uint8_t *bytes, unsigned at) {
  return (uint32_t)sluice_get(bytes + at, 4);
}

// Words 0 to 5 are keys of the program below.
static bool is_of(const struct set *s, unsigned m, const unsigned *keys, const uint8_t *bytes) {
  unsigned found = 0;
  bool same = true;
  for (unsigned i = 0; i < WORDS; i++) {
    const bool key = i < 6, there = key && s->there[m][keys[i]];
    const uint32_t wanted = there ? s->data[m][keys[i]] : key && m == 0 ? 0 : key_of(keys[i]);
    found |= (unsigned)there << i;
    same &= get(bytes, WORDS_AT + 4 * i) == wanted;
  }
  return same && sluice_get16(bytes + 46) == found;
}

static void send_one(struct line *l) {
  static struct sluice_packet_out out;
  uint8_t bytes[FRAME] = {0};
  unsigned keys[WORDS];
  struct sluice_error e;
  const unsigned m = below(l, MODULES);
  memcpy(bytes + 12, (const uint8_t[]){0x81, 0, 0, (uint8_t)(FIRST_VID + m), 8, 0}, 6);
  bytes[40] = 1;  // not a reconfiguration packet
  for (unsigned i = 0; i < WORDS; i++)
    put(bytes, WORDS_AT + 4 * i, key_of(keys[i] = below(l, 3) ? below(l, KEYS) : below(l, 8)));
  if (l->model.ops->packet_send(l->model.self, 1, bytes, sizeof bytes, &e) ||
      l->model.ops->packet_receive(l->model.self, &out, &e) || !out.len)
    fail_msg("a packet of VLAN %u is lost", FIRST_VID + m);
  const bool old = is_of(&l->before, m, keys, out.bytes),
             new = is_of(&l->after, m, keys, out.bytes);
  l->packets++;
  if (new && !old) l->seen[m] = true;
  if ((old && !l->seen[m]) || new) return;
  l->mixed++;
  if (l->tolerant) return;
  fail_msg("VLAN %u: a packet found neither set, or the one before again", FIRST_VID + m);
}

static bool enter(void *user, enum sluice_filter_call op, uint64_t cycles) {
  struct line *l = user;
  (void)op, (void)cycles;
  if (l->traffic) send_one(l);
  return true;
}

// A driver that is wrong: entries of the new set for both banks.
static enum sluice_status send_wrong(void *self, const uint8_t *bytes, size_t len,
                                     struct sluice_error *e) {
  struct sluice_filter *w = self;
  struct line *l = w->user;
  uint8_t frame[SLUICE_PACKET_MAX];
  struct sluice_reconfig packet;
  memcpy(frame, bytes, len);
  if (l->no_banks && sluice_reconfig_decode(&packet, frame, len, NULL) == SLUICE_OK &&
      packet.op == SLUICE_CHAIN_WRITE && packet.table == SLUICE_TABLE_ARRAY_MATCH)
    for (unsigned n = 0; n < packet.num_entries; n++) {
      uint8_t *entry = frame + (packet.entries - frame) + (size_t)n * packet.stride;
      SLUICE_SET(entry, ARRAY_MATCH, NOT_BANK, 0);
    }
  return sluice_filter_ops.control_send(self, frame, len, e);
}

static const char *const programs[MODULES] = {
    "struct Packet { int found @ bytes(46, 2); int v[8] @ array(62); int out @ meta.port_out; };\n"
    "lookup price[400] = { 0: 100, 1: 7 };\n"
    "void look(struct Packet p) { p.found = lookup(price, p.v[0..5]); p.out = 1; }\n",
    "struct Packet { int found @ bytes(46, 2); int v[8] @ array(62); int out @ meta.port_out; };\n"
    "lookup price[400] = { 0: 100, 1: 7 };\n"
    "void look(struct Packet p) { p.found = lookup(price, p.v[0..5]) or stay; p.out = 1; }\n"};

static void load(struct line *l, unsigned m) {
  struct sluice_image *image =
      compiled_text(programs[m], l->model.ops ? l->chip->config->name : "");
  assert_non_null(image);
  GOOD(sluice_chip_load(l->chip, image, FIRST_VID + m, &error));
  sluice_image_release(image);
  free(image);
  for (unsigned k = 0; k < 2; k++) {
    l->before.there[m][k] = true;
    l->before.data[m][k] = k ? 7 : 100;
  }
  l->after = l->before;
}

static void begin(struct line *l, const char *chip, uint64_t seed) {
  memset(l, 0, sizeof *l);
  sluice_rng_init(&l->rng, seed, "line");
  GOOD(sluice_transport_model(&l->model, chip, NULL, &error));
  sluice_filter_init(&l->wrap, &l->model, l);
  l->wrap.ops.control_send = send_wrong;
  l->wrap.before = enter;
  l->to = l->wrap.to;
  GOOD(sluice_chip_open(&l->chip, &l->to, NULL, &error));
  for (unsigned m = 0; m < MODULES; m++) load(l, m);
}

static void end(struct line *l) {
  l->traffic = false;
  GOOD(sluice_chip_audit(l->chip, &error));
  sluice_chip_close(l->chip);
  sluice_transport_close(&l->model);
}

static struct sluice_table_change change_of(struct line *l, unsigned m, unsigned k) {
  const bool there = l->after.there[m][k];
  struct sluice_table_change c = TABLE_CHANGE(!there        ? SLUICE_TABLE_ADD
                                              : below(l, 2) ? SLUICE_TABLE_MODIFY
                                                            : SLUICE_TABLE_DELETE,
                                              FIRST_VID + m, "price", key_of(k), UINT32_MAX,
                                              "becomes", (uint32_t)sluice_rng_next(&l->rng));
  l->after.there[m][k] = c.op != SLUICE_TABLE_DELETE;
  l->after.data[m][k] = (uint32_t)c.args[0];
  return c;
}

// Changes, one or several at once, each with packets between the operations of the driver.
static void change_all(struct line *l, unsigned num, unsigned most, unsigned *moves) {
  struct sluice_table_change list[8];
  struct sluice_table_report report;
  for (unsigned i = 0; i < num; i++) {
    const unsigned n = 1 + below(l, most);
    for (unsigned k = 0; k < n; k++) list[k] = change_of(l, below(l, MODULES), below(l, KEYS));
    l->traffic = true;
    const enum sluice_status status =
        sluice_chip_table_change(l->chip, list, n, NULL, &report, &error);
    // Nothing of a call is done then.
    if (status == SLUICE_ERR_FULL) l->after = l->before;
    else GOOD(status);
    *moves += report.moves;
    l->before = l->after;
    for (unsigned k = 0; k < 8; k++) send_one(l);
    l->traffic = false;
    memset(l->seen, 0, sizeof l->seen);
  }
}

TEST(every_packet_finds_one_of_two_sets) {
  const uint64_t seed = from_environment("SLUICE_SEED", 1);
  static struct line l;
  unsigned moves = 0;
  begin(&l, "keys8", seed);
  change_all(&l, 150, 8, &moves);
  printf("keys8: %lu packets beside 150 calls; SLUICE_SEED=%llu\n", l.packets,
         (unsigned long long)seed);
  // What a driver without banks does is seen.
  l.tolerant = l.no_banks = true;
  l.mixed = 0;
  for (unsigned i = 0; i < 20 && !l.mixed; i++) {
    struct sluice_table_change list[2] = {change_of(&l, 0, 4 + i), change_of(&l, 0, 50 + i)};
    l.traffic = true;
    if (sluice_chip_table_change(l.chip, list, 2, NULL, NULL, &error)) break;
    l.traffic = false;
    l.before = l.after;
    memset(l.seen, 0, sizeof l.seen);
  }
  assert_true(l.mixed > 0);
  sluice_chip_close(l.chip);
  sluice_transport_close(&l.model);
}

// On a chip with one bank, full enough that entries move.
TEST(moves_hide_no_entry) {
  const uint64_t seed = from_environment("SLUICE_SEED", 1);
  static struct line l;
  unsigned moves = 0;
  begin(&l, "arrays", seed);
  // Ballast beside the keys of the packets.
  for (unsigned k = 0; k < 400; k++) {
    const struct sluice_table_change c = TABLE_CHANGE(SLUICE_TABLE_ADD, FIRST_VID + k % 2, "price",
                                                      0x80000000u + 7 * k, UINT32_MAX, "becomes",
                                                      k);
    GOOD(sluice_chip_table_change(l.chip, &c, 1, NULL, NULL, &error));
  }
  change_all(&l, 600, 1, &moves);
  printf("arrays: %lu packets beside 600 changes, %u moves; SLUICE_SEED=%llu\n", l.packets, moves,
         (unsigned long long)seed);
  assert_true(moves > 0);
  end(&l);
}

// ---- by names -----------------------------------------------------------------------------------

static enum sluice_status say(struct line *l, enum sluice_table_op op, const char *a, const char *b,
                              const char *c) {
  const char *words[3] = {a, b, c};
  struct sluice_table_change change;
  const unsigned num = !a ? 0 : !b ? 1 : !c ? 2 : 3;
  const enum sluice_status status = sluice_table_parse(sluice_chip_plan(l->chip), FIRST_VID,
                                                       "price", op, words, num, &change, &error);
  return status ? status : sluice_chip_table_change(l->chip, &change, 1, NULL, NULL, &error);
}

TEST(names_and_refusals) {
  static struct line l;
  struct sluice_table_desc desc;
  struct sluice_table_change entry = {
      .vid = FIRST_VID, .table = "price", .keys = {{42, UINT32_MAX}}};
  struct sluice_table_count count;
  uint8_t bytes[SLUICE_ENTRY_BYTES] = {0};
  char text[SLUICE_TABLE_TEXT];
  begin(&l, "keys8", 1);
  GOOD(say(&l, SLUICE_TABLE_ADD, "42", "0x1234", NULL));
  GOOD(say(&l, SLUICE_TABLE_ADD, "word=10.0.0.1", "becomes", "data=5"));
  SAYS(SLUICE_ERR_EXISTS, "has an entry for word 42 already",
       say(&l, SLUICE_TABLE_ADD, "42", "1", NULL));
  GOOD(say(&l, SLUICE_TABLE_MODIFY, "42", "77", NULL));
  GOOD(say(&l, SLUICE_TABLE_DELETE, "1", NULL, NULL));
  SAYS(SLUICE_ERR_NOT_FOUND, "has no entry for word 1",
       say(&l, SLUICE_TABLE_DELETE, "1", NULL, NULL));
  SAYS(SLUICE_ERR_FORMAT, "what the word becomes is missing",
       say(&l, SLUICE_TABLE_ADD, "43", NULL, NULL));
  SAYS(SLUICE_ERR_RANGE, "legal is 0..0xffffffff",
       say(&l, SLUICE_TABLE_ADD, "43", "0x100000000", NULL));
  SAYS(SLUICE_ERR_RANGE, "has no default", say(&l, SLUICE_TABLE_DEFAULT, "7", NULL, NULL));
  assert_true(sluice_plan_table_get(sluice_chip_plan(l.chip), &entry));
  assert_int_equal(entry.args[0], 77);
  sluice_table_key_text(sluice_chip_plan(l.chip), &entry, 0, text);
  assert_string_equal(text, "42");
  assert_true(sluice_plan_table(sluice_chip_plan(l.chip), FIRST_VID, 0, &desc));
  assert_string_equal(desc.engine, "array");
  assert_int_equal(desc.used, 3);
  assert_null(desc.default_action);
  SAYS(SLUICE_ERR_UNSUPPORTED, "whose entries do not count",
       sluice_chip_table_count(l.chip, &entry, false, &count, &error));
  SAYS(SLUICE_ERR_RANGE, "not a table of entries of a module",
       sluice_chip_entry_write(l.chip, FIRST_VID, "ARRAY_MATCH", 0, 0, bytes, 10, &error));
  // Another version keeps the entries.
  struct sluice_image *image = compiled_text(programs[1], "keys8");
  struct sluice_update_report report;
  GOOD(sluice_chip_update(l.chip, image, FIRST_VID, &report, &error));
  entry.table = "price";  // names live until the plan changes
  assert_true(sluice_plan_table_get(sluice_chip_plan(l.chip), &entry));
  assert_int_equal(entry.args[0], 77);
  GOOD(sluice_chip_audit(l.chip, &error));
  sluice_image_release(image);
  free(image);
  image = compiled_text(programs[1], "arrays");
  // Half of the entries each; a third module wants as many.
  const struct sluice_tenant three[] = {{image, 5, 0}, {image, 6, 0}, {image, 7, 0}};
  SAYS(SLUICE_ERR_FULL, "400 entries of the array match wanted",
       sluice_policy_admit(NULL, "arrays", 1, three, 3, &error));
  GOOD(sluice_policy_admit(NULL, "arrays", 1, three, 2, &error));
  sluice_image_release(image);
  free(image);
  // What is unloaded leaves nothing: the audit reads all of ARRAY_MATCH back.
  for (unsigned m = 0; m < MODULES; m++) GOOD(sluice_chip_remove(l.chip, FIRST_VID + m, &error));
  const struct sluice_tables *t = &l.chip->plan->tables;
  assert_int_equal(t->engines[0][SLUICE_ENGINE_ARRAY]->used, 0);
  end(&l);
}

static void refused(const struct sluice_config *chip, const struct sluice_image *image,
                    const char *text) {
  char why[200] = "";
  assert_false(sluice_image_check_tables(chip, image, why, sizeof why));
  if (!strstr(why, text)) fail_msg("'%s' does not say '%s'", why, text);
}

TEST(images_are_checked) {
  struct sluice_image *image CLOSED_BY(freed) = compiled_text(programs[0], "arrays");
  char text[40], why[200];
  assert_non_null(image);
  for (size_t i = 0; i < image->num_writes; i++)
    if (image->writes[i].table == SLUICE_TABLE_ARRAY_KEYS)
      SAYS(SLUICE_ERR_UNSUPPORTED, "chip 'tiny' has no array match; 's2' and 's4' have some",
           sluice_capable(sluice_config_find("tiny"), image, &image->writes[i], &error));
  const struct sluice_config *chip = sluice_config_find("arrays");
  struct sluice_image_table *t = &image->tables[0], good = *t;
  assert_true(sluice_image_check_tables(chip, image, why, sizeof why));
  t->keys[0].msb = 30;
  refused(chip, image, "a table of words has the key 'word'");
  *t = good;
  t->size = 1025;
  refused(chip, image, "the array match of chip 'arrays' has 1024");
  *t = good;
  refused(sluice_config_find("tiny"), image, "chip 'tiny' has no array match");
  image->entries[1].priority = 1;
  refused(chip, image, "has a priority, the array engine knows none");
  image->entries[1].priority = 0;
  memcpy(image->entries[1].key, image->entries[0].key, SLUICE_KEY_BYTES);
  refused(chip, image, "have the same key");
  sluice_image_release(image);
  free(image);
  // To a file and back.
  struct sluice_image again CLOSED_BY(sluice_image_release) = {.num_writes = 0};
  image = compiled_text(programs[0], "arrays");
  strcpy(text, "/tmp/sluice-words-XXXXXX");
  const int file = mkstemp(text);
  assert_true(file >= 0);
  close(file);
  GOOD(sluice_image_save(image, text, &error));
  GOOD(sluice_image_load(&again, text, NULL, &error));
  remove(text);
  FIELDS_ARE(&again, (num_tables, 1), (num_entries, 2));
  assert_memory_equal(again.tables, image->tables, sizeof *again.tables);
  assert_memory_equal(again.entries, image->entries, 2 * sizeof *again.entries);
  sluice_image_release(image);
}
