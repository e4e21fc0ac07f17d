// SPDX-License-Identifier: Apache-2.0
// Random capsules on the reference model and on the interpreter, which were written apart: the same
// packets leave, and the same memory stays. Tenants have regions side by side, pinned and sharded;
// one id belongs to another module, one is not there.
//
// SLUICE_SEED and SLUICE_PROGRAMS choose the programs.
// cmocka.h needs those before it.
// clang-format off
#include "tests/rig/test.h"
#include "tests/rig/model_rig.h"
// clang-format on
#include "active/assemble.h"
#include "active/capsule.h"
#include "active/random_capsule.h"
#include "base/rng.h"

enum {
  STAGES = 8,  // of the chip `capsules`, which has two pipelines of 128 slots a stage
  PIPES = 2,
  IDS = 16,
  OURS = 3,    // ids 1..3 are of module ROW, 4 is of another one
  SLOTS = 32,  // of each id
  WORDS = 32,  // that the interpreter has for each
  PORT = 3,
  PORTS = 4
};

struct pair {
  struct sluice_rng rng;
  struct sluice_model *model;
  struct active_machine machine;
  struct place {
    unsigned pipe, words;
    bool sharded;
  } place[OURS + 1][STAGES];
  unsigned k[OURS + 1][STAGES];  // of ADDR_MASK_k and ADDR_OFFSET_k in a stage
  unsigned rounds[OURS + 2];     // further passes of an id of ours
  unsigned count[OURS + 1];      // packets of an id of ours
};

static unsigned below(struct pair *p, unsigned n) { return (unsigned)sluice_rng_below(&p->rng, n); }

static void put_id(struct pair *p, enum sluice_table table, unsigned stage, unsigned id,
                   const struct entry *e) {
  assert_true(control(p->model,
                      (struct control){.table = table, .stage = stage, .index = id, .row = ROW}, e,
                      1, NULL));
}

static void make_tenant(struct pair *p, unsigned id) {
  struct active_tenant *t = &p->machine.tenants[id];
  struct entry e = {{0}};
  t->drop = id <= OURS && below(p, 4) == 0;
  t->report = id <= OURS && below(p, 2);
  SETS(&e, TENANT, (VALID, 1), (DROP, t->drop), (REPORT, t->report),
       (ROW, id <= OURS ? ROW : ROW + 1));
  p->rounds[id] = below(p, 4);
  SET(&e, TENANT, ROUNDS, p->rounds[id]);
  if (id > OURS) p->rounds[id] = 0;
  put_id(p, SLUICE_TABLE_TENANT, 0, id, &e);
}

// Word i of the interpreter's region is word id * WORDS + i.
static void make_region(struct pair *p, unsigned id, unsigned stage) {
  struct active_region *r = active_machine_region(&p->machine, id, stage);
  struct place *place = &p->place[id][stage];
  struct entry e = {{0}};
  place->pipe = below(p, PIPES);
  place->words = below(p, 4) ? WORDS - below(p, 4) : 1 + below(p, WORDS);
  place->sharded = below(p, 3) == 0;
  *r = (struct active_region){.valid = below(p, 8) != 0, .sharded = place->sharded};
  r->low = below(p, 2) ? 0 : below(p, 4) ? below(p, 8) : 0xfffe0 + below(p, 32);
  if (r->low + place->words - 1 > 0xfffff) place->words = 0x100000 - r->low;
  r->high = r->low + place->words - 1;
  r->offset = id * WORDS - r->low;
  r->mask = below(p, 2) ? WORDS - 1 : (uint32_t)sluice_rng_next(&p->rng) & 0xfffff;
  r->add = below(p, 2) ? r->low : (uint32_t)sluice_rng_next(&p->rng) & 0xfffff;
  SETS(&e, REGION, (VALID, r->valid), (SHARDED, r->sharded), (PIPE, place->pipe), (LOW, r->low),
       (HIGH, r->high), (BASE, id * SLOTS));
  put_id(p, SLUICE_TABLE_REGION, stage, id, &e);
}

// A stage of the chip holds one k for each id.
static void make_address(struct pair *p, unsigned id, unsigned stage) {
  const unsigned k = p->k[id][stage] = below(p, STAGES);
  const struct active_region *r = active_machine_region(&p->machine, id, k);
  struct entry e = ENTRY_OF(ADDRESS, (VALID, r->valid), (K, k), (MASK, r->mask), (OFFSET, r->add));
  put_id(p, SLUICE_TABLE_ADDRESS, stage, id, &e);
}

static void open_pair(struct pair *p) {
  struct entry e = {{0}};
  p->model = open_model("capsules");
  memset(p->count, 0, sizeof p->count);
  assert_int_equal(
      active_machine_init(&p->machine, (struct active_shape){STAGES, 0, 0, ACTIVE_RULES_CHIP},
                          (OURS + 2) * WORDS, IDS, NULL),
      SLUICE_OK);
  SETS(&e, MODULE, (VALID, 1), (ACTIVE, 1), (DEST, 2), (VID, ROW));
  put(p->model, SLUICE_TABLE_MODULE, 0, ROW, &e);
  for (unsigned id = 1; id <= OURS + 1; id++) make_tenant(p, id);
  for (unsigned id = 1; id <= OURS; id++) {
    for (unsigned s = 0; s < STAGES; s++) make_region(p, id, s);
    for (unsigned s = 0; s < STAGES; s++) make_address(p, id, s);
  }
}

static uint32_t *model_word(struct pair *p, unsigned id, unsigned stage, unsigned i) {
  const struct place *place = &p->place[id][stage];
  const unsigned pipe = place->sharded ? i % PIPES : place->pipe;
  return &model_slot(p->model, stage, pipe, id * SLOTS + (place->sharded ? i / PIPES : i))->s1;
}

// A frame with a random capsule, at least as long as the chip takes, sometimes so short behind the
// list that there are no addresses.
static size_t make_frame(struct pair *p, uint8_t *frame, size_t size) {
  struct active_capsule random;
  active_random(&p->rng, &(struct active_random){.fids = OURS + 1, .most = 28, .words = 24},
                &random);
  if (random.fid > OURS + 1) random.fid = OURS + 2 + random.fid % 64;
  for (unsigned i = 0; i < random.program.num && random.fid <= OURS; i++) {
    struct active_instr *in = &random.program.instrs[i];
    unsigned k;
    if (active_addr(in->opcode, &k) && random.fid)
      in->opcode =
          (uint8_t)(SLUICE_OPCODE_ADDR_MASK_0 + 2 * p->k[random.fid][i % STAGES] + in->opcode % 2);
  }
  struct capsule c = {.addresses = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1},
                      .tagged = true,
                      .tci = ROW,
                      .flags = (uint16_t)((below(p, 2) ? CAPSULE_ARGS : 0) |
                                          (random.preload ? CAPSULE_PRELOAD : 0)),
                      .fid = (uint16_t)random.fid,
                      .args = random.args,
                      .program = random.program};
  uint8_t inner[120];
  size_t len;
  for (unsigned i = 0; i < sizeof inner; i++) inner[i] = (uint8_t)sluice_rng_next(&p->rng);
  // A copy of FORK sees what its original has written of the addresses: all of them, or they are
  // not the same twice.
  bool forks = false;
  for (unsigned i = 0; i < random.program.num; i++)
    forks |= random.program.instrs[i].opcode == SLUICE_OPCODE_FORK;
  const size_t least = forks ? 24 : 18;
  assert_int_equal(capsule_write(&c, inner, least + below(p, 94), frame, size, &len, NULL),
                   SLUICE_OK);
  return len;
}

static void show(const struct capsule *c) {
  static char text[ACTIVE_TEXT];
  active_disassemble(&c->program, text);
  print_error("FID %u, flags %04x, arguments %08x %08x %08x %08x\n%s", c->fid, c->flags,
              c->args.data[0], c->args.data[1], c->args.data[2], c->args.data[3], text);
}

static void compare_packet(const struct capsule *c, const uint8_t *frame, size_t len,
                           const struct active_leaving *l, const struct sluice_model_packet *packet,
                           const struct sluice_model_result *result) {
  uint8_t ours[600], theirs[600];
  size_t ours_len;
  // The port behind the last one is that of recirculation; the module has no rounds.
  // An original of FORK has that one as well.
  const bool original = l->end == ACTIVE_END_FORK;
  const bool no_port = l->has_port && l->port > PORTS && !original,
             again = l->has_port && l->port == PORTS && !original;
  const unsigned want = l->dropped ? SLUICE_DROP_DISCARD_BACK
                        : no_port  ? SLUICE_DROP_NO_DEST
                        : again    ? SLUICE_DROP_ROUNDS
                                   : SLUICE_DROP_NONE;
  if (result->reason != want) {
    show(c);
    fail_msg("reason %u, not %u", result->reason, want);
  }
  if (want != SLUICE_DROP_NONE) return;
  const unsigned ports = !l->has_port ? 2 : l->port > PORTS ? 0 : 1u << l->port;
  assert_int_equal(result->ports, original ? ports | 1u << PORTS : ports);
  const size_t theirs_len = sluice_model_leave(packet, result, theirs);
  assert_int_equal(
      capsule_leave(c, frame, len, CAPSULE_REACH, l, ours, sizeof ours, &ours_len, NULL),
      SLUICE_OK);
  if (ours_len == theirs_len && memcmp(ours, theirs, ours_len) == 0) return;
  show(c);
  size_t at = 0;
  while (at < ours_len && at < theirs_len && ours[at] == theirs[at]) at++;
  fail_msg("%zu bytes and %zu, different from byte %zu on", theirs_len, ours_len, at);
}

static void compare_memory(struct pair *p, const struct capsule *c) {
  for (unsigned id = 1; id <= OURS; id++)
    for (unsigned s = 0; s < STAGES; s++)
      for (unsigned i = 0; i < p->place[id][s].words; i++) {
        const uint32_t ours = p->machine.memory[s * p->machine.words + id * WORDS + i];
        if (*model_word(p, id, s, i) == ours) continue;
        show(c);
        fail_msg("id %u, stage %u, word %u: %08x and %08x", id, s, i, *model_word(p, id, s, i),
                 ours);
      }
}

TEST(capsules_do_the_same_on_model_and_interpreter) {
  const char *seed_text = getenv("SLUICE_SEED"), *num_text = getenv("SLUICE_PROGRAMS");
  const uint64_t seed = seed_text ? strtoull(seed_text, NULL, 10) : 1;
  const unsigned num = num_text ? (unsigned)strtoul(num_text, NULL, 10) : 4000;
  static struct pair p;
  unsigned accesses = 0, faults = 0, dropped = 0, done = 0, passes = 0, forks = 0;
  print_message("seed %llu\n", (unsigned long long)seed);
  sluice_rng_init(&p.rng, seed, "capsules");
  for (unsigned n = 0; n < num; n++) {
    if (n % 200 == 0) open_pair(&p);
    uint8_t frame[600];
    const size_t len = make_frame(&p, frame, sizeof frame);
    struct capsule c;
    struct active_capsule run;
    const unsigned delay = below(&p, 8) ? below(&p, 1000) : 65535 + below(&p, 3);
    struct active_packet around = {.port = PORT,
                                   .budget = 1,
                                   .queue_delay = delay < 65535 ? delay : 65535,
                                   .queue_depth = below(&p, 16)};
    struct active_result ours;
    assert_int_equal(capsule_read(&c, frame, len, NULL), SLUICE_OK);
    capsule_to_run(&c, frame, len, CAPSULE_REACH, &run, &around);
    if (c.fid && c.fid <= OURS) {
      around.budget = 1 + p.rounds[c.fid];
      around.count = ++p.count[c.fid];
    }
    active_run(&p.machine, &run, &around, &ours, NULL, NULL);

    static struct sluice_model_result theirs;
    uint8_t bytes[2][600];
    memcpy(bytes[0], frame, len);
    unsigned at = 0, came = (unsigned)len, left = 0;
    struct sluice_model_again again;
    struct sluice_model_packet packet = {.bytes = bytes[0], .len = came, .port = PORT};
    for (;; at ^= 1u) {
      struct sluice_model_phv phv;
      const struct sluice_model_verdict v = sluice_model_classify_again(
          sluice_model_filter(p.model), packet.again, packet.bytes, packet.len);
      assert_int_equal(v.reason, SLUICE_DROP_NONE);
      assert_int_equal(sluice_model_front(p.model, &packet, &phv), SLUICE_DROP_NONE);
      sluice_model_admit(p.model, &packet, &phv, &theirs);
      passes++;
      const bool more = theirs.ports & 1u << PORTS;
      if (left + 1 < ours.num_leaving && more &&
          ours.leaving[left].consumed == STAGES * ((packet.again ? again.round : 0u) + 1)) {
        compare_packet(&c, frame, len, &ours.leaving[left++], &packet, &theirs);
        forks++;
      } else if (theirs.ports != 1u << PORTS) {
        break;
      }
      came = sluice_model_leave(&packet, &theirs, bytes[at ^ 1u]);
      again = theirs.again;
      again.depth = around.queue_depth, again.delay = delay;
      packet = (struct sluice_model_packet){
          .bytes = bytes[at ^ 1u], .len = came, .port = PORT, .again = &again};
    }
    assert_int_equal(ours.num_leaving, left + 1);
    compare_packet(&c, frame, len, &ours.leaving[left], &packet, &theirs);
    compare_memory(&p, &c);
    accesses += ours.accesses;
    faults += ours.faults;
    dropped += ours.leaving[0].dropped;
    done += ours.leaving[0].done;
    if (n % 200 == 199 || n + 1 == num) {
      sluice_model_close(p.model);
      active_machine_release(&p.machine);
    }
  }
  print_message("%u passes, %u accesses, %u faults, %u dropped, %u done, %u forks\n", passes,
                accesses, faults, dropped, done, forks);
  assert_true(forks > num / 100);
  assert_true(passes > num + num / 4);
  assert_true(accesses > num / 5 && faults > num / 8 && dropped > num / 50 && done > num * 2 / 5);
}
