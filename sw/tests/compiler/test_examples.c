// SPDX-License-Identifier: Apache-2.0
// Programs that are shipped as examples do what they are named after: the meter beside RFC 2698
// with fractions of its own, the cache beside a list of keys.

#include "tests/rig/test.h"
#include "base/rng.h"
#include "tests/rig/interpret.h"
#include "tests/rig/texts.h"

static struct sluice_rng rng;
static unsigned below(unsigned n) { return (unsigned)sluice_rng_below(&rng, n); }

static struct sluice_program *program_of(const char *path, char **text) {
  size_t len;
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  *text = bytes_of(path, &len);
  struct sluice_program *program = sluice_program_parse(path, *text, len, &diags);
  if (!program) sluice_diags_print(&diags, stderr);
  assert_non_null(program);
  return program;
}

// ---- RFC 2698, colour-blind ---------------------------------------------------------------------

// Tokens as fractions of a byte: `num` / `den`, never rounded.
struct bucket {
  int64_t num, den, burst;     // burst in bytes
  int64_t rate_num, rate_den;  // bytes in a cycle
};
static void fill(struct bucket *b, uint64_t cycles) {
  // num/den + cycles * rate_num/rate_den, over den * rate_den; den stays rate_den
  b->num += (int64_t)cycles * b->rate_num * (b->den / b->rate_den);
  if (b->num > b->burst * b->den) b->num = b->burst * b->den;
}
static bool has(const struct bucket *b, unsigned bytes) {
  return b->num >= (int64_t)bytes * b->den;
}
static void take(struct bucket *b, unsigned bytes) { b->num -= (int64_t)bytes * b->den; }

enum { GREEN, YELLOW, RED };
enum { PORT_IN, PORT_OUT, NOW, SIZE, COLOUR, FIELDS = 16 };

TEST(the_meter_is_that_of_rfc_2698) {
  char *text CLOSED_BY(freed);
  struct sluice_program *program CLOSED_BY(free_program) =
      program_of("sw/programs/trtcm.dom", &text);
  unsigned seen[3] = {0};
  for (uint64_t seed = 1; seed <= 20; seed++) {
    struct sluice_interpreter *meter CLOSED_BY(free_interpreter) = sluice_interpreter_new(program);
    struct bucket peak = {12000, 1, 12000, 1, 1}, committed = {20000, 2, 10000, 1, 2};
    uint32_t now = 0;
    sluice_rng_init(&rng, seed, "meter");
    for (unsigned n = 0; n < 5000; n++) {
      const unsigned shape = below(8);
      uint32_t gap = shape < 4 ? below(200) : shape < 7 ? below(4000) : below(200000);
      if (below(400) == 0) gap = (1u << 30) - 1 - below(3);  // a silence of a second
      const unsigned size = below(3) ? 64 + below(1455) : below(2) ? 64 : 9216;
      now += gap;  // it wraps
      int32_t fields[FIELDS] = {0};
      fields[NOW] = (int32_t)now;
      fields[SIZE] = (int32_t)size;
      sluice_interpreter_run(meter, fields);
      fill(&peak, gap);
      fill(&committed, gap);
      unsigned colour = GREEN;
      if (!has(&peak, size)) colour = RED;
      else if (!has(&committed, size)) colour = YELLOW;
      if (colour != RED) take(&peak, size);
      if (colour == GREEN) take(&committed, size);
      seen[colour]++;
      if (fields[COLOUR] != (int32_t)colour)
        fail_msg("seed %llu, packet %u, %u bytes, %u cycles behind: colour %d, RFC 2698 says %u",
                 (unsigned long long)seed, n, size, gap, fields[COLOUR], colour);
    }
  }
  printf("%u green, %u yellow, %u red\n", seen[GREEN], seen[YELLOW], seen[RED]);
  assert_true(seen[GREEN] > 1000 && seen[YELLOW] > 1000 && seen[RED] > 1000);
}

// ---- NetCache -----------------------------------------------------------------------------------

TEST(a_bucket_without_a_key_is_no_hit) {
  enum { IN, OUT, OP, KEY, VALUE, BUCKETS = 32, GET = 1, PUT = 2, INSERT = 3, HIT = 4 };
  static const uint32_t some[] = {0, 1, 31, 32, 0x80000000u, 0xffffffffu, 0xffffffe0u, 0x7fffffffu};
  char *text CLOSED_BY(freed);
  struct sluice_program *program CLOSED_BY(free_program) =
      program_of("sw/programs/menshen/netcache.dom", &text);
  struct sluice_interpreter *cache CLOSED_BY(free_interpreter) = sluice_interpreter_new(program);
  bool held[BUCKETS] = {false};
  uint32_t key[BUCKETS] = {0}, value[BUCKETS] = {0};
  unsigned hits = 0;
  sluice_rng_init(&rng, 1, "cache");
  for (unsigned n = 0; n < 20000; n++) {
    // At first every key of an empty cache is asked for.
    const unsigned op = n < 200 ? GET : 1 + below(3);
    const uint32_t k = below(2)   ? some[below(8)]
                       : below(3) ? below(96)
                                  : (uint32_t)sluice_rng_next(&rng);
    int32_t fields[FIELDS] = {0};
    fields[IN] = 2;
    fields[OP] = (int32_t)op;
    fields[KEY] = (int32_t)k;
    fields[VALUE] = (int32_t)n;
    sluice_interpreter_run(cache, fields);
    const unsigned b = k % BUCKETS;
    const bool there = held[b] && key[b] == k, hit = op == GET && there;
    hits += hit;
    if (fields[OP] != (int32_t)(hit ? HIT : op) || fields[OUT] != (hit ? 2 : 1) ||
        fields[VALUE] != (int32_t)(hit ? value[b] : n))
      fail_msg("packet %u: operation %u of key %u becomes %d", n, op, k, fields[OP]);
    if (op == PUT && there) held[b] = false;
    if (op == INSERT) held[b] = true, key[b] = k, value[b] = n;
  }
  assert_true(hits > 500);
}
