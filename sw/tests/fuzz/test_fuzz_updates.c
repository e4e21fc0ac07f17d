// SPDX-License-Identifier: Apache-2.0
// Updates that the fuzzer makes, on a chip made of paper with packets inside at every time, under
// the checker: they are what a driver may do, they happen under load, and mutants of the chip are
// found.

#include "tests/rig/test.h"
#include "tests/rig/environment.h"
#include "base/rng.h"
#include "fuzz/fuzz.h"
#include "driver/wire/wire.h"
#include "model/checker.h"
#include "model/machine.h"

#define CASES ((unsigned)from_environment("SLUICE_CASES", 30))
enum { LANES = 2, WAIT = 30, WAY = 60, MOST_INSIDE = 64, ACCESS = 8 };

// KEYS_BANK: keys are looked up in the bank that packets take now, and not in that of their packet.
enum mutant { NONE, FLIP_LATE, DRAIN_EARLY, NEVER_REFUSES, WORD_LATE, KEYS_BANK };

struct packet {
  uint64_t ordered, gone;  // cycles
  unsigned lane, row, bank;
  const struct fuzz_frame *frame;
};

// The chip: what it treats packets with is a model of its own.
struct paper {
  const struct sluice_config *config;
  struct sluice_checker *ck;
  struct sluice_model *model;
  struct sluice_rng rng;
  enum mutant mutant;
  uint64_t now;
  uint32_t reg, word, lane_word;  // CHIP.BANK; what lane 0 takes; what the last lane takes
  size_t next;                    // packet of the capture
  const struct fuzz_case *c;
  struct packet waiting[MOST_INSIDE], inside[MOST_INSIDE];
  unsigned num_waiting, num_inside;
  uint32_t ticket;
  struct sluice_model_result results[MOST_INSIDE];
  uint32_t tickets[MOST_INSIDE];
  unsigned counts[2][SLUICE_MODEL_MODULES];
};

static void arrive(struct paper *p) {
  struct packet *now[LANES] = {NULL};
  for (unsigned l = 0; l < LANES; l++) {
    if (p->next == p->c->packets.num || p->num_waiting + p->num_inside + LANES >= MOST_INSIDE ||
        !sluice_rng_below(&p->rng, 4))
      continue;
    const struct fuzz_frame *f = &p->c->packets.items[p->next++];
    struct packet *k = now[l] = &p->waiting[p->num_waiting++];
    *k = (struct packet){.ordered = p->now + WAIT,
                         .lane = l,
                         .frame = f,
                         .row = f->bytes[15] % p->config->NumModules};
    // all beats in one cycle: the checker counts them only
    for (size_t at = 0; at < f->len; at += 64) {
      uint8_t beat[64] = {0};
      const size_t here = f->len - at < 64 ? f->len - at : 64;
      memcpy(beat, f->bytes + at, here);
      sluice_checker_rx(p->ck, p->now, l, beat, here < 64 ? (UINT64_C(1) << here) - 1 : UINT64_MAX,
                        at + here == f->len, false, 0, p->next);
    }
  }
  sluice_checker_bank(p->ck, p->now, p->word);
  for (unsigned l = 0; l < LANES; l++) {
    if (!now[l]) continue;
    const uint32_t word = l && p->mutant == FLIP_LATE ? p->lane_word : p->word;
    now[l]->bank = word >> now[l]->row & 1;
    sluice_checker_lane(p->ck, p->now, l, SLUICE_DROP_NONE);
  }
  p->lane_word = p->word;
}

// What the filter says with the bank that the packet took.
static unsigned filter(const struct paper *p, const struct packet *k) {
  struct sluice_model_filter f = *sluice_model_filter(p->model);
  f.bank = k->bank ? UINT32_MAX : 0;
  return sluice_model_classify(&f, k->frame->bytes, (unsigned)k->frame->len).reason;
}

// The lookups once more, wrong.
static void keys_of_bank(struct paper *p, const struct packet *k,
                         const struct sluice_model_packet *packet, struct sluice_model_phv *phv) {
  struct sluice_model_phv other = *phv;
  struct sluice_model_keys keys;
  other.bank = p->word >> k->row & 1;
  model_keys_ask(p->model, packet, &other, &keys);
  memcpy(phv->words, keys.after, sizeof phv->words);
}

static void order(struct paper *p) {
  bool lanes[LANES] = {false};
  while (p->num_waiting && p->waiting[0].ordered <= p->now && !lanes[p->waiting[0].lane]) {
    struct packet k = p->waiting[0];
    struct sluice_model_phv phv;
    lanes[k.lane] = true;
    memmove(p->waiting, p->waiting + 1, --p->num_waiting * sizeof k);
    const struct sluice_model_packet packet = {
        k.frame->bytes, (unsigned)k.frame->len, 0, (uint32_t)(k.ordered - WAIT), k.bank, NULL, 0};
    unsigned reason = filter(p, &k);
    const bool passed = reason == SLUICE_DROP_NONE;
    if (passed) reason = sluice_model_front(p->model, &packet, &phv);
    sluice_checker_order(p->ck, p->now, k.lane, reason, p->ticket & (4 * p->config->Window - 1));
    if (reason) continue;
    if (p->mutant == KEYS_BANK) keys_of_bank(p, &k, &packet, &phv);
    sluice_checker_keys(p->ck, k.lane, phv.words, phv.b2);
    k.gone = p->now + WAY;
    sluice_model_admit(p->model, &packet, &phv, &p->results[p->num_inside]);
    p->tickets[p->num_inside] = p->ticket++;
    p->inside[p->num_inside++] = k;
  }
}

// State operations, in the order of tickets.
static void operate(struct paper *p) {
  for (unsigned i = 0; i < p->num_inside; i++) {
    if (p->inside[i].gone - WAY + ACCESS != p->now) continue;
    for (unsigned s = 0; s < p->config->StateStages; s++) {
      const struct sluice_model_access *a = &p->results[i].access[s];
      if (a->executed)
        sluice_checker_state(p->ck, p->now, s, a->resolved ? a->pipe : 0, a->slot,
                             p->tickets[i] & (4 * p->config->Window - 1), a->refused);
    }
  }
}

static void leave(struct paper *p) {
  bool lanes[LANES] = {false};
  while (p->num_inside && p->inside[0].gone <= p->now && !lanes[p->inside[0].lane]) {
    const struct packet k = p->inside[0];
    const struct sluice_model_result r = p->results[0];
    lanes[k.lane] = true;
    sluice_checker_exit(p->ck, p->now, k.lane, r.reason, p->tickets[0], r.ports, 0);
    for (unsigned port = 0; port < p->config->NumPorts; port++)
      for (size_t at = 0; (r.ports >> port & 1) && at < k.frame->len; at += 64) {
        uint8_t beat[64] = {0};
        const size_t here = k.frame->len - at < 64 ? k.frame->len - at : 64;
        memcpy(beat, (at < SLUICE_MODEL_HEADER ? r.header : k.frame->bytes) + at, here);
        sluice_checker_tx(p->ck, p->now, 0, beat,
                          here < 64 ? (UINT64_C(1) << here) - 1 : UINT64_MAX,
                          at + here == k.frame->len, port, p->tickets[0]);
      }
    p->num_inside--;
    memmove(p->inside, p->inside + 1, p->num_inside * sizeof k);
    memmove(p->results, p->results + 1, p->num_inside * sizeof r);
    memmove(p->tickets, p->tickets + 1, p->num_inside * sizeof p->tickets[0]);
  }
}

static void tick(struct paper *p, unsigned cycles) {
  for (; cycles; cycles--, p->now++) {
    arrive(p);
    order(p);
    operate(p);
    leave(p);
    sluice_checker_cycle(p->ck, p->now);
  }
}

// INSIDE_BANKn: packets that passed the filter. The mutant counts one too few.
static uint32_t inside(const struct paper *p, unsigned bank) {
  unsigned counts[SLUICE_MODEL_MODULES] = {0};
  uint32_t rows = 0;
  for (unsigned i = 0; i < p->num_waiting; i++)
    if (p->waiting[i].bank == bank && filter(p, &p->waiting[i]) == SLUICE_DROP_NONE)
      counts[p->waiting[i].row]++;
  for (unsigned i = 0; i < p->num_inside; i++)
    if (p->inside[i].bank == bank) counts[p->inside[i].row]++;
  for (unsigned r = 0; r < p->config->NumModules; r++)
    rows |= (uint32_t)(counts[r] > (p->mutant == DRAIN_EARLY)) << r;
  return rows;
}

static void send(struct paper *p, const struct fuzz_frame *f) {
  const bool keys = sluice_checker_is_keys(p->ck, f->bytes, f->len);
  if (keys) {
    sluice_checker_control(p->ck, p->now, f->bytes, f->len, NULL);
    tick(p, 1 + (unsigned)sluice_rng_below(&p->rng, 12));
    sluice_model_control(p->model, f->bytes, f->len, NULL);
    tick(p, 1 + (unsigned)sluice_rng_below(&p->rng, 4));
    sluice_checker_keys_settled(p->ck, p->now);
    return;
  }
  const bool may = sluice_checker_may_refuse(p->ck, f->bytes, f->len);
  const uint64_t begin = p->now;
  tick(p, 1 + (unsigned)sluice_rng_below(&p->rng, 12));
  for (unsigned bank = 0; bank < 2; bank++)
    sluice_model_set_inside(p->model, bank, p->mutant == NEVER_REFUSES ? 0 : inside(p, bank));
  if (!may) {
    const bool good = sluice_checker_control(p->ck, p->now, f->bytes, f->len, NULL);
    sluice_checker_counter(p->ck, "good", good,
                           sluice_model_control(p->model, f->bytes, f->len, NULL));
  } else {
    const bool good = sluice_model_control(p->model, f->bytes, f->len, NULL);
    sluice_checker_counted(p->ck, begin, p->now, f->bytes, f->len, !good);
  }
  tick(p, 1 + (unsigned)sluice_rng_below(&p->rng, 4));
}

static void flip(struct paper *p, uint32_t rows) {
  p->reg ^= rows;
  sluice_checker_bank_write(p->ck, p->reg);
  tick(p, 1);
  if (p->mutant != WORD_LATE) {
    p->word = p->reg;
    sluice_model_set_bank(p->model, p->reg);
  }
  tick(p, 2);
  sluice_checker_bank_written(p->ck, p->now, true);
  if (p->mutant == WORD_LATE) tick(p, SLUICE_CHECKER_BANK_SETTLE + 2);
  p->word = p->reg;
  sluice_model_set_bank(p->model, p->reg);
}

static void update(struct paper *p, const struct job_update *u, size_t *frame) {
  for (unsigned n = 0; n < u->before; n++) send(p, &p->c->updating.items[(*frame)++]);
  for (unsigned n = 0; n <= u->bounces; n++) flip(p, u->flip);
  for (unsigned n = 0; n < u->early; n++) send(p, &p->c->updating.items[(*frame)++]);
  for (unsigned bank = 0; bank < 2; bank++) {
    const uint32_t idle = u->flip & (bank ? ~p->reg : p->reg);
    for (uint32_t rows = idle; rows & idle;) {
      const uint64_t begin = p->now;
      tick(p, 3);
      rows = inside(p, bank);
      sluice_checker_inside(p->ck, begin, p->now, bank, rows);
    }
  }
  for (unsigned n = 0; n < u->after; n++) send(p, &p->c->updating.items[(*frame)++]);
}

static struct sluice_report run(const struct fuzz_case *c, enum mutant mutant) {
  static struct paper p;
  struct sluice_report r;
  size_t frame = 0;
  p = (struct paper){.config = c->config,
                     .ck = sluice_checker_open(c->config, NULL),
                     .model = sluice_model_open(c->config),
                     .mutant = mutant,
                     .c = c};
  assert_true(p.ck && p.model);
  sluice_rng_init(&p.rng, c->seed, "paper");
  sluice_model_set_sets(p.model, (unsigned)__builtin_ctz(c->sets));
  sluice_checker_sets(p.ck, (unsigned)__builtin_ctz(c->sets));
  sluice_checker_ready(p.ck, 0);
  for (size_t i = 0; i < c->control.num; i++) {
    sluice_checker_control(p.ck, 0, c->control.items[i].bytes, c->control.items[i].len, NULL);
    sluice_model_control(p.model, c->control.items[i].bytes, c->control.items[i].len, NULL);
    sluice_checker_keys_settled(p.ck, 0);
  }
  p.now = 1000;
  for (unsigned i = 0; i < c->num_updates; i++) {
    tick(&p, (unsigned)sluice_rng_below(&p.rng, 200));
    update(&p, &c->updates[i], &frame);
  }
  assert_int_equal(frame, c->updating.num);
  while (p.next < c->packets.num || p.num_waiting || p.num_inside) tick(&p, 1);
  sluice_checker_finish(p.ck);
  sluice_checker_report(p.ck, &r);
  sluice_checker_close(p.ck);
  sluice_model_close(p.model);
  return r;
}

static void add(struct sluice_report *all, const struct sluice_report *r) {
  all->differences += r->differences != 0;
  all->driver_faults += r->driver_faults;
  all->flips += r->flips;
  all->flips_loaded += r->flips_loaded;
  all->flips_mixed += r->flips_mixed;
  all->refused_writes += r->refused_writes;
  all->keys += r->keys;
  all->keys_found += r->keys_found;
}

// Marks are another test's.
static const struct sluice_config *chip_of(const char *name) {
  static struct sluice_config chip;
  chip = *sluice_config_find(name);
  chip.Marks = 0;
  return &chip;
}

static struct sluice_report run_cases(const char *chip, enum mutant mutant, unsigned *updates) {
  struct sluice_report all = {0};
  *updates = 0;
  for (uint64_t seed = 0; seed < CASES; seed++) {
    struct fuzz_case c CLOSED_BY(fuzz_release);
    fuzz_make(&c, chip_of(chip), seed);
    assert_false(c.nomem);
    if (c.num_updates) {
      const struct sluice_report r = run(&c, mutant);
      if (mutant == NONE && r.differences)
        print_message("seed %u: %s\n", (unsigned)seed, r.first.text);
      add(&all, &r);
      ++*updates;
    }
  }
  return all;
}

TEST(updates_are_what_a_driver_may_do) {
  static const char *const chips[] = {"banks", "tables", "keys16"};
  for (unsigned i = 0; i < 3; i++) {
    unsigned with;
    const struct sluice_report all = run_cases(chips[i], NONE, &with);
    if (i == 2) {
      print_message("%s: keys %u, found %u\n", chips[i], (unsigned)all.keys,
                    (unsigned)all.keys_found);
      assert_true(all.keys_found > 10000 && all.keys_found < all.keys * 4 / 5);
    }
    assert_in_range(with, CASES / 4, 3 * CASES / 4);
    FIELDS_ARE(&all, (driver_faults, 0), (differences, 0));
    // A test that never flips tests nothing.
    assert_true(all.flips > 2 * with);
    assert_true(all.flips_loaded > with / 2);
    assert_true(all.flips_mixed > with / 2);
    assert_true(all.refused_writes > with / 4);
  }
}

TEST(mutants_are_found) {
  for (int mutant = FLIP_LATE; mutant <= KEYS_BANK; mutant++) {
    unsigned with;
    const struct sluice_report all =
        run_cases(mutant == KEYS_BANK ? "keys16" : "banks", (enum mutant)mutant, &with);
    if (all.differences < with / 8)
      print_message("mutant %d: %u of %u\n", mutant, (unsigned)all.differences, with);
    assert_true(all.differences >= with / 8);
  }
}

// Whether two rows may see the same entry of state at a stage.
static bool share(const struct sluice_model *m, unsigned stage, unsigned index, unsigned row,
                  unsigned other) {
  unsigned pipe, other_pipe;
  uint32_t slot, other_slot;
  if (!model_home(m, row, stage, index, &pipe, &slot)) return false;
  for (unsigned i = 0; i < sluice_model_state_range(m, other, stage); i++)
    if (model_home(m, other, stage, i, &other_pipe, &other_slot) && pipe == other_pipe &&
        slot == other_slot)
      return true;
  return false;
}

// Frames of an update: what they write of state, packets of the bank that is live do not see.
// Returns how many wrote some.
static unsigned judge(struct sluice_model *m, const struct fuzz_frames *list, size_t *next,
                      unsigned num, uint32_t live) {
  unsigned contents = 0;
  const unsigned modules = m->config.NumModules;
  for (; num; num--, (*next)++) {
    const struct fuzz_frame *f = &list->items[*next];
    struct sluice_reconfig p;
    const bool known = sluice_reconfig_decode(&p, f->bytes, f->len, NULL) == SLUICE_OK &&
                       p.op == SLUICE_CHAIN_WRITE;
    if (known && (p.table == SLUICE_TABLE_STATE || p.table == SLUICE_TABLE_FILL)) {
      const unsigned range = sluice_model_state_range(m, p.row, p.stage);
      const unsigned first = p.table == SLUICE_TABLE_FILL ? 0 : p.index,
                     end = p.table == SLUICE_TABLE_FILL ? range : p.index + p.num_entries;
      const unsigned module = p.row % modules, seen = (live >> module & 1) * modules + module;
      assert_int_not_equal(p.row, seen);
      for (unsigned i = first; i < end && i < range; i++)
        assert_false(share(m, p.stage, i, p.row, seen));
      contents++;
    }
    sluice_model_control(m, f->bytes, f->len, NULL);
  }
  return contents;
}

TEST(contents_come_where_no_packet_is) {
  unsigned contents = 0;
  for (uint64_t seed = 0; seed < 1500; seed++) {
    struct fuzz_case c CLOSED_BY(fuzz_release);
    uint32_t live = 0;
    size_t next = 0;
    fuzz_make(&c, sluice_config_find("banks"), seed);
    struct sluice_model *m CLOSED_BY(close_model) = sluice_model_open(c.config);
    assert_non_null(m);
    sluice_model_set_sets(m, (unsigned)__builtin_ctz(c.sets));
    for (size_t i = 0; i < c.control.num; i++)
      sluice_model_control(m, c.control.items[i].bytes, c.control.items[i].len, NULL);
    for (unsigned i = 0; i < c.num_updates; i++) {
      const struct job_update *u = &c.updates[i];
      contents += judge(m, &c.updating, &next, u->before, live);
      if (u->bounces % 2 == 0) live ^= u->flip;
      contents += judge(m, &c.updating, &next, u->early, live);
      contents += judge(m, &c.updating, &next, u->after, live);
    }
  }
  print_message("%u writes of contents\n", contents);
  assert_true(contents > 1000);
}

TEST(one_bank_has_no_updates) {
  for (uint64_t seed = 0; seed < 20; seed++) {
    struct fuzz_case c CLOSED_BY(fuzz_release);
    fuzz_make(&c, sluice_config_find("tiny"), seed);
    assert_int_equal(c.num_updates, 0);
  }
}

// Fails as long as there is an early frame in the second update.
static bool second_is_early(void *context, const struct fuzz_case *c, uint64_t *packet) {
  size_t frames = 0;
  (void)context, (void)packet;
  for (unsigned i = 0; i < c->num_updates; i++)
    frames += c->updates[i].before + c->updates[i].early + c->updates[i].after;
  assert_int_equal(frames, c->updating.num);
  return c->num_updates >= 2 && c->updates[1].early;
}

TEST(updates_are_made_smaller) {
  unsigned done = 0;
  for (uint64_t seed = 0; seed < CASES && done < 3; seed++) {
    struct fuzz_case c CLOSED_BY(fuzz_release);
    uint64_t packet;
    fuzz_make(&c, sluice_config_find("banks"), seed);
    if (c.num_updates > 2 && second_is_early(NULL, &c, &packet)) {
      const struct fuzz_effort effort = {5000, 60.0};
      fuzz_shrink(&c, &effort, second_is_early, NULL);
      assert_int_equal(c.num_updates, 2);
      assert_int_equal(c.updates[0].before + c.updates[1].before, 0);
      assert_int_equal(c.updates[1].early, 1);
      assert_int_equal(c.packets.num + c.control.num, 0);
      done++;
    }
  }
  assert_int_equal(done, 3);
}
