// SPDX-License-Identifier: Apache-2.0
// Egress functions: random ones, text against reference; as a text in the IR; and the programs in
// sw/programs/egress, each against an expectation that knows nothing of program or compiler.
// SLUICE_SEED and SLUICE_PROGRAMS in the environment choose the random ones.
#include <unistd.h>

#include "tests/rig/test.h"
#include "tests/rig/compile.h"
#include "tests/rig/environment.h"
#include "base/bytes.h"
#include "driver/plan/guard.h"
#include "tests/rig/egress_gen.h"
#include "tests/rig/egress_rig.h"
#include "tests/rig/texts.h"

// ---- random functions ---------------------------------------------------------------------------

// For tests on chips.
static void write_text(const char *folder, uint64_t seed, const char *text) {
  char path[300];
  snprintf(path, sizeof path, "%s/random-%llu.dom", folder, (unsigned long long)seed);
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  assert_true(fputs(text, out) >= 0);
  assert_int_equal(fclose(out), 0);
}

static bool check_random(uint64_t seed, const struct sluice_config *chip) {
  static struct gen gen;
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  struct sluice_rng rng;
  struct egress_rig r CLOSED_BY(egress_close);
  uint8_t bytes[256];
  sluice_rng_init(&rng, seed, "egress");
  gen_egress_program(&gen, &rng);
  const char *folder = getenv("SLUICE_WRITE");
  if (folder) write_text(folder, seed, gen.text);
  const enum rig_opened opened = egress_open(&r, gen.text, chip, &diags);
  bool good = opened != RIG_BROKEN;
  if (opened == RIG_REJECTED) {
    good = diags.num_errors > 0 && r.rig.program;
    snprintf(r.rig.why, sizeof r.rig.why, "refused without a reason, or by the front end");
  } else if (good) {
    for (int i = 0; good && i < 100; i++) {
      const struct sluice_model_copy copy = egress_random(&r, &rng, bytes);
      good = egress_copy(&r, &copy);
    }
    good = good && egress_state(&r);
  }
  if (!good) {
    sluice_diags_print(&diags, stderr);
    fail_msg("%s\n%s\nrepeat with SLUICE_SEED=%llu SLUICE_PROGRAMS=1", gen.text, r.rig.why,
             (unsigned long long)seed);
  }
  return opened == RIG_OPEN;
}

TEST(random_egress_functions_run_as_interpreted) {
  const uint64_t seed = from_environment("SLUICE_SEED", 1),
                 num = from_environment("SLUICE_PROGRAMS", 300);
  uint64_t compiled = 0;
  const struct sluice_config two = egress_config(2), four = egress_config(4);
  for (uint64_t i = 0; i < num; i++) compiled += check_random(seed + i, i % 3 ? &four : &two);
  printf("%llu of %llu random egress functions compiled; SLUICE_SEED=%llu\n",
         (unsigned long long)compiled, (unsigned long long)num, (unsigned long long)seed);
  if (num >= 100) assert_true(compiled * 4 > num);
}

// ---- as text in the IR --------------------------------------------------------------------------

static const char *const programs[] = {
    "sw/programs/egress/thin.dom", "sw/programs/egress/rate.dom", "sw/programs/egress/mark.dom",
    "sw/programs/egress/number.dom", "sw/programs/egress/telemetry.dom"};
enum { NUM_PROGRAMS = sizeof programs / sizeof programs[0] };

static char *image_text(const struct sluice_image *image) {
  char *text = NULL;
  struct sluice_error error;
  char path[] = "build/egress-image-XXXXXX";
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  assert_int_equal(sluice_image_save(image, path, &error), SLUICE_OK);
  text = text_of(path);
  struct sluice_image back CLOSED_BY(sluice_image_release) = {0};
  assert_int_equal(sluice_image_load(&back, path, NULL, &error), SLUICE_OK);
  FIELDS_ARE(&back, (num_writes, image->num_writes), (num_arrays, image->num_arrays));
  remove(path);
  return text;
}

// Program, text in the IR, program again: the same image, which can be written and read.
TEST(the_ir_has_both_functions) {
  for (unsigned i = 0; i < NUM_PROGRAMS; i++) {
    const bool deep = strstr(programs[i], "rate") != NULL;
    struct sluice_config chip = egress_config(deep ? 4 : 2);
    struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
    struct sluice_image image[2] = {{.num_writes = 0}, {.num_writes = 0}};
    char *text CLOSED_BY(freed) = text_of(programs[i]), *ir CLOSED_BY(freed) = NULL;
    size_t len = 0;
    struct sluice_program *a CLOSED_BY(free_program) = parsed("a", text, &diags);
    FILE *out = open_memstream(&ir, &len);
    assert_int_equal(sluice_program_print_ir(a, &chip, NULL, out, &diags), SLUICE_OK);
    fclose(out);
    assert_non_null(strstr(ir, "\negress "));
    struct sluice_program *b CLOSED_BY(free_program) = sluice_program_parse("b", ir, len, &diags);
    if (!b) sluice_diags_print(&diags, stderr);
    assert_non_null(b);
    assert_int_equal(sluice_compile(a, &chip, NULL, &image[0], &diags), SLUICE_OK);
    assert_int_equal(sluice_compile(b, &chip, NULL, &image[1], &diags), SLUICE_OK);
    if (!deep) {
      char *one CLOSED_BY(freed) = image_text(&image[0]),
                *other CLOSED_BY(freed) = image_text(&image[1]);
      assert_string_equal(one, other);
    }
    assert_int_equal(image[0].num_writes, image[1].num_writes);
    for (unsigned n = 0; n < 2; n++) sluice_image_release(&image[n]);
  }
}

// Texts with faults, in Domino and in the IR: told, or compiled.
static void mutate(char *text, struct sluice_rng *rng) {
  static const char other[] = "{}();:,.=+-*/&|_0123456789@abegrsv \n";
  for (unsigned n = 1 + (unsigned)sluice_rng_below(rng, 3); n; n--) {
    const size_t len = strlen(text), at = (size_t)sluice_rng_below(rng, len),
                 from = (size_t)sluice_rng_below(rng, len),
                 num = 1 + (size_t)sluice_rng_below(rng, 12);
    if (sluice_rng_below(rng, 2)) text[at] = other[sluice_rng_below(rng, sizeof other - 1)];
    else if (at + num < len && from + num < len) memmove(text + at, text + from, num);
  }
}

TEST(mutated_texts_are_told_or_compiled) {
  const struct sluice_config chip = egress_config(4);
  const uint64_t seed = from_environment("SLUICE_SEED", 1);
  unsigned compiled = 0;
  for (unsigned i = 0; i < 1000; i++) {
    struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
    struct sluice_image image = {.num_writes = 0};
    struct sluice_rng rng;
    char *text CLOSED_BY(freed) = text_of(programs[i % NUM_PROGRAMS]), *ir CLOSED_BY(freed) = NULL;
    size_t len = 0;
    sluice_rng_init(&rng, seed + i, "mutate");
    if (i % 2) {
      struct sluice_program *whole CLOSED_BY(free_program) =
          sluice_program_parse("a", text, strlen(text), &diags);
      FILE *out = open_memstream(&ir, &len);
      assert_int_equal(sluice_program_print_ir(whole, &chip, NULL, out, &diags), SLUICE_OK);
      fclose(out);
    }
    char *changed = ir ? ir : text;
    mutate(changed, &rng);
    struct sluice_program *p CLOSED_BY(free_program) =
        sluice_program_parse("b", changed, strlen(changed), &diags);
    if (!p) assert_true(diags.num_errors > 0);
    if (p && sluice_compile(p, &chip, NULL, &image, &diags) == SLUICE_OK) {
      compiled++;
      sluice_image_release(&image);
    }
  }
  printf("%u of 1000 mutated texts compiled; SLUICE_SEED=%llu\n", compiled,
         (unsigned long long)seed);
  assert_true(compiled > 20);
}

// ---- the programs -------------------------------------------------------------------------------

static void opened(struct egress_rig *r, const char *path, const struct sluice_config *chip) {
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  char *text CLOSED_BY(freed) = text_of(path);
  if (egress_open(r, text, chip, &diags) != RIG_OPEN) {
    sluice_diags_print(&diags, stderr);
    fail_msg("%s: %s", path, r->rig.why);
  }
}

// A packet through the ingress; the set of its ports. `bytes` leave as its header has them.
static uint64_t through(struct egress_rig *r, uint8_t *bytes, unsigned len) {
  struct sluice_model_packet packet = {.bytes = bytes, .len = len};
  struct sluice_model_phv phv;
  struct sluice_model_result result = {.reason = SLUICE_DROP_NONE};
  const struct sluice_model_verdict verdict =
      sluice_model_classify(sluice_model_filter(r->rig.model), bytes, len);
  assert_int_equal(verdict.reason, SLUICE_DROP_NONE);
  assert_int_equal(sluice_model_front(r->rig.model, &packet, &phv), SLUICE_DROP_NONE);
  sluice_model_admit(r->rig.model, &packet, &phv, &result);
  assert_int_equal(result.reason, SLUICE_DROP_NONE);
  memcpy(bytes, result.header, len < SLUICE_MODEL_HEADER ? len : SLUICE_MODEL_HEADER);
  return result.ports;
}

static void plain_frame(uint8_t *bytes, unsigned len) {
  static const uint8_t head[] = {2, 0,       0, 0, 0,    1, 2, 0,  0, 0, 0, 2, 0x81, 0,
                                 0, RIG_VID, 8, 0, 0x45, 2, 0, 46, 0, 1, 0, 0, 64,   17};
  memset(bytes, 0, len);
  memcpy(bytes, head, sizeof head);
  bytes[41] = 9;
  uint32_t sum = 0;
  for (unsigned i = 18; i < 38; i += 2) sum += (uint32_t)(bytes[i] << 8 | bytes[i + 1]);
  sum = (sum & 0xffff) + (sum >> 16);
  bytes[28] = (uint8_t)(~sum >> 8);
  bytes[29] = (uint8_t)~sum;
}

// A sender's stream in layers, a receiver that takes a packet every `pace` cycles, and a queue of
// 32 in between: a traffic manager of a few lines. What the receiver gets is counted, layer by
// layer; and what it must get, from the queue alone.
struct receiver {
  unsigned pace;
  unsigned got[3], lost[3];  // lost: the queue was full
};
enum { QUEUE = 32, STREAM = 3000 };

static void stream(struct egress_rig *r, struct receiver *to, unsigned port, bool thin) {
  unsigned queue[QUEUE], waiting = 0, sent = 0;
  uint8_t bytes[64];
  for (unsigned cycle = 0, busy = 0; sent < STREAM || waiting; cycle++) {
    if (sent < STREAM && cycle % 2 == 0) {  // a packet in two cycles
      if (waiting < QUEUE) queue[waiting++] = sent;
      else to->lost[sent % 3]++;
      sent++;
    }
    for (; waiting && cycle >= busy;) {
      const unsigned number = queue[0], layer = number % 3;
      memmove(queue, queue + 1, --waiting * sizeof queue[0]);
      struct sluice_model_egressed result;
      plain_frame(bytes, sizeof bytes);
      bytes[47] = (uint8_t)layer;
      assert_int_equal(through(r, bytes, sizeof bytes), 0xfe);
      const struct sluice_model_copy copy = {.bytes = bytes,
                                             .len = sizeof bytes,
                                             .vid = RIG_VID,
                                             .lane = port % 2,
                                             .port = port,
                                             .number = port - 1,
                                             .depth_out = waiting,
                                             .cycle = cycle};
      sluice_model_egress(r->rig.model, &copy, &result);
      static const unsigned most[] = {24, 8, 2};
      assert_int_equal(result.dropped, waiting > most[layer]);
      // What is dropped takes the place of no packet at the receiver.
      if (result.dropped && thin) continue;
      to->got[layer]++;
      busy = cycle + to->pace;
    }
  }
}

TEST(each_receiver_gets_the_layers_that_it_has_room_for) {
  const struct sluice_config chip = egress_config(2);
  struct receiver to[] = {{.pace = 1}, {.pace = 3}, {.pace = 5}, {.pace = 5}};
  struct egress_rig r CLOSED_BY(egress_close);
  opened(&r, "sw/programs/egress/thin.dom", &chip);
  for (unsigned i = 0; i < 4; i++) stream(&r, &to[i], i + 1, i < 3);
  printf("receiver  a packet in   layer 0    1    2   of 1000 each; lost in the queue\n");
  for (unsigned i = 0; i < 4; i++)
    printf("%u%s  %u  %u %u %u  %u %u %u\n", i + 1, i == 3 ? " (not thinned)" : "", to[i].pace,
           to[i].got[0], to[i].got[1], to[i].got[2], to[i].lost[0], to[i].lost[1], to[i].lost[2]);
  // The fast one gets all, the slow ones all of layer 0; less than half of the stream fits through
  // the slowest.
  for (unsigned l = 0; l < 3; l++) assert_int_equal(to[0].got[l], 1000);
  for (unsigned i = 1; i < 3; i++) assert_int_equal(to[i].got[0], 1000);
  assert_true(to[1].got[1] > 900 && to[1].got[2] < 200);
  assert_true(to[2].got[2] == 0 || to[2].got[2] < 20);
  // Without thinning the queue loses of all layers alike.
  assert_true(to[3].got[0] < 500);
}

TEST(a_port_gets_a_packet_in_so_many_cycles) {
  const struct sluice_config chip = egress_config(2);
  static const unsigned gap[8] = {0, 10, 20, 40, 80, 7, 0, 1000};
  uint32_t last[8] = {0};
  struct egress_rig r CLOSED_BY(egress_close);
  struct sluice_rng rng;
  uint8_t bytes[64];
  unsigned dropped = 0;
  opened(&r, "sw/programs/egress/rate.dom", &chip);
  sluice_rng_init(&rng, 1, "rate");
  plain_frame(bytes, sizeof bytes);
  assert_int_equal(through(&r, bytes, sizeof bytes), 0xfe);
  const struct sluice_array *rates = NULL;
  for (size_t i = 0; i < r.rig.image.num_arrays; i++)
    for (unsigned w = 0; w < 2; w++)
      if (strcmp(r.rig.image.arrays[i].name[w], "minus_gap") == 0) rates = &r.rig.image.arrays[i];
  assert_non_null(rates);
  const bool second = strcmp(rates->name[1], "minus_gap") == 0;
  for (unsigned p = 0; p < 8; p++) {
    struct sluice_frame frame;
    const uint32_t value = (uint32_t) - (int32_t)gap[p];
    sluice_reconfig_state_write(&frame, rates->stage, RIG_VID, p, second ? 0 : value,
                                second ? value : 0);
    assert_true(sluice_model_control(r.rig.model, frame.bytes, frame.len, NULL));
  }
  for (uint32_t cycle = 5000, n = 0; n < 20000; n++) {
    cycle += (uint32_t)sluice_rng_below(&rng, 4);
    const unsigned port = (unsigned)sluice_rng_below(&rng, 8);
    const struct sluice_model_copy copy = {.bytes = bytes,
                                           .len = sizeof bytes,
                                           .vid = RIG_VID,
                                           .lane = port % 2,
                                           .port = port,
                                           .number = port / 2,
                                           .cycle = cycle};
    struct sluice_model_egressed result;
    sluice_model_egress(r.rig.model, &copy, &result);
    const bool early = cycle - last[port] < gap[port];
    assert_int_equal(result.dropped, early);
    if (!early) last[port] = cycle;
    dropped += early;
  }
  assert_true(dropped > 5000 && dropped < 15000);
}

TEST(what_waited_long_is_marked) {
  const struct sluice_config chip = egress_config(2);
  struct egress_rig r CLOSED_BY(egress_close);
  uint8_t bytes[64];
  opened(&r, "sw/programs/egress/mark.dom", &chip);
  for (uint32_t time = 0; time < 300; time++) {
    struct sluice_model_egressed result;
    plain_frame(bytes, sizeof bytes);
    bytes[47] = 6;
    assert_int_equal(through(&r, bytes, sizeof bytes), 1 << 6);
    const struct sluice_model_copy copy = {
        .bytes = bytes, .len = sizeof bytes, .vid = RIG_VID, .lane = 1, .port = 6, .delay = time};
    sluice_model_egress(r.rig.model, &copy, &result);
    assert_false(result.dropped);
    assert_int_equal(result.header[19], time > 100 ? 3 : 2);
    uint32_t sum = 0;
    for (unsigned i = 18; i < 38; i += 2) sum += sluice_get16(result.header + i);
    assert_int_equal((sum & 0xffff) + (sum >> 16), 0xffff);
  }
}

TEST(copies_of_a_port_are_numbered) {
  const struct sluice_config chip = egress_config(2);
  struct egress_rig r CLOSED_BY(egress_close);
  struct sluice_rng rng;
  uint8_t bytes[64];
  unsigned sent[8] = {0};
  opened(&r, "sw/programs/egress/number.dom", &chip);
  sluice_rng_init(&rng, 1, "number");
  for (unsigned n = 0; n < 500; n++) {
    plain_frame(bytes, sizeof bytes);
    bytes[47] = sluice_rng_below(&rng, 2) ? 0x0f : 0;
    const uint64_t ports = through(&r, bytes, sizeof bytes);
    assert_int_equal(ports, bytes[47] ? 0x0f : 0xfe);
    for (unsigned port = 0, number = 0; port < 8; port++) {
      struct sluice_model_egressed result;
      if (!(ports >> port & 1)) continue;
      const struct sluice_model_copy copy = {.bytes = bytes,
                                             .len = sizeof bytes,
                                             .vid = RIG_VID,
                                             .lane = port % 2,
                                             .port = port,
                                             .number = number++};
      sluice_model_egress(r.rig.model, &copy, &result);
      assert_int_equal(sluice_get16(result.header + 52), ++sent[port]);
    }
  }
}

TEST(copies_carry_what_their_queue_was_like) {
  const struct sluice_config chip = egress_config(2);
  struct egress_rig r CLOSED_BY(egress_close);
  uint8_t bytes[64];
  struct sluice_model_egressed result;
  opened(&r, "sw/programs/egress/telemetry.dom", &chip);
  plain_frame(bytes, sizeof bytes);
  bytes[47] = 2;
  assert_int_equal(through(&r, bytes, sizeof bytes), 1 << 2);
  const struct sluice_model_copy copy = {.bytes = bytes,
                                         .len = sizeof bytes,
                                         .vid = RIG_VID,
                                         .port = 2,
                                         .depth_in = 0x1234,
                                         .depth_out = 0x5678,
                                         .delay = 0x9abcdef0,
                                         .cycle = 0x01020304};
  sluice_model_egress(r.rig.model, &copy, &result);
  static const uint8_t told[] = {0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc,
                                 0xde, 0xf0, 0x01, 0x02, 0x03, 0x04};
  assert_memory_equal(result.header + 48, told, sizeof told);
  assert_memory_equal(result.header, bytes, 48);
}

// ---- loading ------------------------------------------------------------------------------------

static struct sluice_image compiled(const char *text) {
  struct sluice_diags diags CLOSED_BY(sluice_diags_release) = {0};
  struct sluice_image image = {.num_writes = 0};
  assert_int_equal(compile_text(text, sluice_config_find("egress"), &image, &diags), SLUICE_OK);
  return image;
}

// What a module may write holds for both of its functions.
TEST(an_egress_function_may_not_leave_its_vlan) {
  static const char *const texts[] = {
      "struct Packet { int tag @ vlan.tci; int a @ bytes(46, 2); };\n"
      "void f(struct Packet p) { p.a = 1; }\n"
      "egress void g(struct Packet p) { p.tag = p.a; }\n",
      "struct Packet { int a @ bytes(46, 2); int b @ bytes(48, 2); };\n"
      "void f(struct Packet p) { p.a = 1; }\n"
      "egress void g(struct Packet p) { p.b = p.a; }\n"};
  for (unsigned i = 0; i < 2; i++) {
    struct sluice_error error;
    struct sluice_image image CLOSED_BY(sluice_image_release) = compiled(texts[i]);
    const enum sluice_status status = sluice_guard(sluice_config_find("egress"), &image, &error);
    assert_int_equal(status, i ? SLUICE_OK : SLUICE_ERR_RANGE);
    if (!i) assert_non_null(strstr(error.text, "field 'tag' may change byte 14"));
  }
}

// An array is in all lanes, so it has its slots in all of them, whatever set of pipelines its
// module is in.
TEST(arrays_of_two_sets_do_not_meet) {
  struct sluice_error error;
  struct sluice_plan plan CLOSED_BY(sluice_plan_release);
  struct sluice_image image CLOSED_BY(sluice_image_release) =
      compiled("struct Packet { int a @ bytes(46, 2); };\n"
               "int own[50] @ egress;\n"
               "void f(struct Packet p) { p.a = 1; }\n"
               "egress void g(struct Packet p) { own[p.a] += 1; p.a = own[p.a]; }\n");
  sluice_plan_init(&plan, sluice_config_find("egress"));
  for (unsigned set = 0; set < 2; set++) {
    assert_int_equal(sluice_plan_set(&plan, 2, set, &error), SLUICE_OK);
    assert_int_equal(sluice_plan_add(&plan, &image, 5 + set, &error), SLUICE_OK);
  }
  FIELDS_ARE(&plan, (num_segments, 2), (segments[0].pipe, 0), (segments[1].pipe, 0));
  assert_true(plan.segments[0].base + 50 <= plan.segments[1].base ||
              plan.segments[1].base + 50 <= plan.segments[0].base);
  // There are 128 slots in a lane.
  assert_int_equal(sluice_plan_add(&plan, &image, 7, &error), SLUICE_ERR_FULL);
  assert_non_null(strstr(error.text, "50 state slots in each lane of egress stage 0, 28 of 128"));
}
