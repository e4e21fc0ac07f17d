// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/rig/test.h"
#include "base/rng.h"
#include "compiler/compiler.h"
#include "driver/chip/packets.h"
#include "model/model.h"
#include "p4c/entries.h"
#include "p4c/p4c.h"
#include "p4run/runtime.h"
#include "p4run/switch.h"

/// A P4 program on the interpreter and, compiled, on the reference model; both get the same
/// packets.

enum { VID = 5, LEAST = 60, MOST = 160, TAG = 4, TAG_AT = 12 };

struct both {
  char path[300], chip[40], why[600];
  const struct sluice_config *config;
  char *text;
  struct p4_messages messages;
  struct p4_program *program;
  struct p4r_switch *interpreter;
  struct sluice_program *compiled;
  struct sluice_image image;
  struct sluice_model *model;
};

static inline char *slurp(const char *path) {
  FILE *in = fopen(path, "rb");
  if (!in) fail_msg("'%s' cannot be read", path);
  char *text = calloc(1, 1 << 17);
  assert_non_null(text);
  assert_true(fread(text, 1, (1 << 17) - 1, in) > 0);
  fclose(in);
  return text;
}

static inline bool send(void *context, const struct sluice_frame *frame) {
  return sluice_model_control(context, frame->bytes, frame->len, NULL);
}

// `chip` NULL: the text says it in a line `// CHIP NAME`; without one it is b4.k1.
static inline void check_program(struct both *b, const char *chip) {
  const char *named = strstr(b->text, "// CHIP ");
  strcpy(b->chip, chip ? chip : "b4.k1");
  if (named && !chip) assert_int_equal(sscanf(named, "// CHIP %39[A-Za-z0-9.]", b->chip), 1);
  b->config = sluice_config_find(b->chip);
  assert_non_null(b->config);
  static const char *const folders[] = {"sw/tests/p4/chip"};
  const struct p4_options options = {.num_folders = 1, .folders = folders};
  b->program = p4_front(b->path, b->text, strlen(b->text), &options, &b->messages);
  if (!b->program) p4_messages_print(&b->messages, 0, stderr);
  assert_non_null(b->program);
}

static inline void read_program(struct both *b, const char *path, const char *chip) {
  snprintf(b->path, sizeof b->path, "%s", path);
  b->text = slurp(path);
  check_program(b, chip);
}

// False: it does not fit the chip.
static inline bool load(struct both *b, struct p4c_result *ir, const char *entries, bool must) {
  struct sluice_diags diags = {0};
  struct sluice_plan plan;
  struct sluice_error error;
  b->compiled = sluice_program_parse(b->path, ir->ir, ir->len, &diags);
  if (!b->compiled || sluice_compile(b->compiled, b->config, NULL, &b->image, &diags)) {
    if (must) sluice_diags_print(&diags, stderr);
    if (must) fail_msg("%s does not compile", b->path);
    sluice_diags_release(&diags);
    return false;
  }
  sluice_diags_release(&diags);
  if (entries &&
      p4c_entries(&b->image, VID, b->config, entries, strlen(entries), &error) != SLUICE_OK)
    fail_msg("%s on %s: %s", b->path, b->chip, error.text);
  b->model = sluice_model_open(b->config);
  assert_non_null(b->model);
  sluice_plan_init(&plan, b->config);
  sluice_plan_trust(&plan, true);
  if (sluice_plan_add(&plan, &b->image, VID, &error)) fail_msg("%s: %s", b->path, error.text);
  assert_true(sluice_reconfig_plan(&plan, send, b->model));
  sluice_plan_release(&plan);
  return true;
}

static inline void release(struct both *b) {
  p4r_close(b->interpreter);
  sluice_model_close(b->model);
  sluice_image_release(&b->image);
  sluice_program_free(b->compiled);
  p4_program_free(b->program);
  p4_messages_release(&b->messages);
  free(b->text);
}

// ---- packets -----------------------------------------------------------------------------------

static inline void put(uint8_t *bytes, unsigned at, unsigned width, uint64_t value) {
  for (unsigned i = 0; i < width; i++) bytes[at + i] = (uint8_t)(value >> 8 * (width - 1 - i));
}

static inline uint64_t one_of(struct sluice_rng *rng, const uint64_t *list, unsigned num) {
  return sluice_rng_below(rng, 4) ? list[sluice_rng_below(rng, num)] : sluice_rng_next(rng);
}
#define ONE_OF(RNG, ...) \
  one_of(RNG, (const uint64_t[]){__VA_ARGS__}, sizeof((uint64_t[]){__VA_ARGS__}) / 8)

// The checksum of an IPv4 header without options.
static inline void put_sum(uint8_t *ip) {
  uint32_t sum = 0;
  put(ip, 10, 2, 0);
  for (unsigned i = 0; i < 20; i += 2) sum += (uint32_t)ip[i] << 8 | ip[i + 1];
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  put(ip, 10, 2, ~sum & 0xffff);
}

// The tunnel of the tutorials: protocol and place to go to, and IPv4 behind them.
static inline void in_tunnel(uint8_t *bytes, struct sluice_rng *rng) {
  memmove(bytes + 18, bytes + 14, 40);
  put(bytes, 12, 2, 0x1212);
  put(bytes, 14, 2, ONE_OF(rng, 0x0800, 0x0800, 0x0806));
  put(bytes, 16, 2, ONE_OF(rng, 1, 2, 3));
  if (bytes[14] == 8 && bytes[15] == 0) put_sum(bytes + 18);
}

// A frame whose fields are often those that programs ask for; its IPv4 checksum is right.
static inline unsigned make_packet(uint8_t *bytes, struct sluice_rng *rng) {
  const unsigned len = LEAST + (unsigned)sluice_rng_below(rng, MOST - LEAST + 1);
  for (unsigned i = 0; i < len; i++) bytes[i] = (uint8_t)sluice_rng_next(rng);
  put(bytes, 0, 6, ONE_OF(rng, 0x020000000001, 0x010203040506, 0));
  put(bytes, 6, 6, ONE_OF(rng, 0x0200000000ff, 0x020000000001, 0xffffffffffff));
  put(bytes, 12, 2, ONE_OF(rng, 0x0800, 0x0800, 0x0800, 0x0806));
  bytes[14] = 0x45;
  put(bytes, 16, 2, len - 14);
  put(bytes, 22, 1, ONE_OF(rng, 0, 1, 64, 255, 3, 100));
  put(bytes, 23, 1, ONE_OF(rng, 17, 6, 1));
  put(bytes, 26, 4, ONE_OF(rng, 0x0a000001, 0x0a000105, 0xc0a80001));
  put(bytes, 30, 4, ONE_OF(rng, 0x0a000001, 0x0a000105, 0x0a000177, 0x0a000202, 0xe0000001));
  put(bytes, 34, 2, ONE_OF(rng, 0, 1, 2, 3, 4, 5, 6));
  put(bytes, 36, 2, ONE_OF(rng, 0, 1, 53, 80));
  put(bytes, 42, 2, ONE_OF(rng, 0, 1, 2, 3, 4, 5));
  put(bytes, 44, 4, ONE_OF(rng, 0, 5, 37, 0x10002));
  if (bytes[36] == 0xf1) bytes[36] = 0;  // no reconfiguration packet
  put_sum(bytes + 14);
  if (sluice_rng_below(rng, 8) == 0) in_tunnel(bytes, rng);
  return len;
}

static inline unsigned with_tag(uint8_t *to, const uint8_t *from, unsigned len) {
  memcpy(to, from, TAG_AT);
  put(to, TAG_AT, 4, 0x81000000u | VID);
  memcpy(to + TAG_AT + TAG, from + TAG_AT, len - TAG_AT);
  return len + TAG;
}

// The egress that a program has behind the queues of the chip: what the queue is like is the same
// for both. True: the copy is dropped there.
static inline bool run_egress(struct both *b, const struct p4r_queue *queue, const uint8_t *came,
                              unsigned len, unsigned port, struct sluice_model_result *result) {
  uint8_t bytes[MOST + TAG];
  struct sluice_model_egressed egressed = {.dropped = false};
  if (!sluice_program_egress(b->compiled)) return false;
  memcpy(bytes, came, len);
  memcpy(bytes, result->header, len < SLUICE_MODEL_HEADER ? len : SLUICE_MODEL_HEADER);
  const struct sluice_model_copy copy = {.bytes = bytes,
                                         .len = len,
                                         .vid = VID,
                                         .lane = sluice_port_lane(b->config, port),
                                         .port = port,
                                         .depth_in = (unsigned)queue->depth_in,
                                         .depth_out = (unsigned)queue->depth_out,
                                         .delay = (uint32_t)queue->waited};
  sluice_model_egress(b->model, &copy, &egressed);
  memcpy(result->header, egressed.header, SLUICE_MODEL_HEADER);
  return egressed.dropped;
}

// What leaves the chip: the header as the model gives it, and the rest as it came.
static inline void one_packet(struct both *b, struct sluice_rng *rng, unsigned n) {
  uint8_t plain[MOST], frame[MOST + TAG], wanted[MOST + TAG];
  const unsigned plain_len = make_packet(plain, rng), len = with_tag(frame, plain, plain_len);
  const unsigned port = (unsigned)sluice_rng_below(rng, b->config->NumPorts);
  struct p4r_output *out;
  const struct p4r_queue queue = {sluice_rng_below(rng, 20), sluice_rng_below(rng, 20),
                                  sluice_rng_below(rng, 300)};
  p4r_set_queue(b->interpreter, &queue);
  if (!p4r_send(b->interpreter, port, plain, plain_len, &out)) fail_msg("%s: %s", b->path, b->why);
  struct sluice_model_packet packet = {.bytes = frame, .len = len, .port = port};
  struct sluice_model_phv phv;
  struct sluice_model_result result = {.reason = SLUICE_DROP_NONE};
  const struct sluice_model_verdict verdict =
      sluice_model_classify(sluice_model_filter(b->model), frame, len);
  assert_int_equal(verdict.reason, SLUICE_DROP_NONE);
  const unsigned front = sluice_model_front(b->model, &packet, &phv);
  if (front == SLUICE_DROP_NONE) sluice_model_admit(b->model, &packet, &phv, &result);
  else result.reason = front;
  if (result.reason == SLUICE_DROP_NONE &&
      run_egress(b, &queue, frame, len, (unsigned)__builtin_ctzll(result.ports), &result))
    result.reason = SLUICE_DROP_EGRESS;
  const uint64_t to = out ? out->port : 0;
  if (out && to >= b->config->NumPorts) out = NULL;  // no such port
  if ((out != NULL) != (result.reason == SLUICE_DROP_NONE))
    fail_msg("%s: packet %u: the interpreter %s it, the model's reason is %u", b->path, n,
             out ? "sends" : "drops", result.reason);
  if (!out) return;
  if (result.ports != UINT64_C(1) << to)
    fail_msg("%s: packet %u: port %llu, the model sends to %llx", b->path, n,
             (unsigned long long)to, (unsigned long long)result.ports);
  assert_int_equal(out->len, plain_len);
  with_tag(wanted, out->bytes, plain_len);
  for (unsigned i = 0; i < len; i++) {
    const uint8_t got = i < SLUICE_MODEL_HEADER ? result.header[i] : frame[i];
    if (got != wanted[i])
      fail_msg("%s: packet %u: byte %u with its tag is %02x, the model has %02x", b->path, n, i,
               wanted[i], got);
  }
}

// ---- registers ---------------------------------------------------------------------------------

static inline uint64_t low(const struct p4r_number *x) {
  uint64_t value = 0;
  for (size_t i = x->len > 8 ? x->len - 8 : 0; i < x->len; i++) value = value << 8 | x->bytes[i];
  return value;
}

static inline const struct p4_decl *find_instance(const struct p4_decl *list, const char *name) {
  for (const struct p4_decl *d = list; d; d = d->next) {
    const struct p4_decl *in = d->kind == P4_DECL_CONTROL ? find_instance(d->members, name) : NULL;
    if (d->kind == P4_DECL_INSTANCE && strcmp(d->name, name) == 0) return d;
    if (in) return in;
  }
  return NULL;
}

static inline unsigned register_bits(const struct both *b, const char *name) {
  const struct p4_decl *d = find_instance(b->program->decls, name);
  assert_non_null(d);
  return p4_type_base(d->type->args[0])->width;
}

// An array of the image: a register, or packets or bytes of a counter.
static inline unsigned compare_array(struct both *b, const struct sluice_array *a, unsigned w) {
  char name[SLUICE_NAME_LEN];
  snprintf(name, sizeof name, "%s", a->name[w]);
  if (!*name) return 0;
  char *end = strstr(name, "_bytes");
  if (end) *end = 0;
  for (unsigned i = 0; i < a->size; i++) {
    uint32_t word[2];
    struct p4r_number value = {.len = 0};
    uint64_t packets, bytes, wanted = 0;
    if (p4r_register_read(b->interpreter, name, i, &value)) wanted = low(&value);
    else if (p4r_counter_read(b->interpreter, name, i, &packets, &bytes))
      wanted = end ? bytes : packets;
    else fail_msg("%s: the interpreter has no '%s': %s", b->path, name, b->why);
    assert_true(
        sluice_model_state(b->model, VID % b->config->NumModules, a->stage, i, &word[0], &word[1]));
    const unsigned bits = value.len ? register_bits(b, name) : 32;
    if (bits < 32) word[w] &= (UINT32_C(1) << bits) - 1;  // above them there is anything
    if (word[w] != (uint32_t)wanted)
      fail_msg("%s: %s[%u] is %llu, the model has %u", b->path, a->name[w], i,
               (unsigned long long)wanted, word[w]);
  }
  return a->size;
}
