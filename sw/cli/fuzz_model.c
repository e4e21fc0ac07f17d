// SPDX-License-Identifier: Apache-2.0
#include "fuzz_model.h"

#include <sluice/transport.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../driver/reconfig.h"
#include "../model/model.h"

struct twin {
  const struct fuzz_case *c;
  struct fuzz_model_outcome *o;
  struct sluice_transport to;  // the model as a chip
  struct sluice_model *model;  // the same, watched
  uint64_t cycle, bounds, refused, copy_bytes, steps;
  uint32_t bank;
  size_t updating, marking;  // frames so far
  unsigned updates;
  struct sluice_model_answer answer;
  uint8_t bytes[SLUICE_ANSWER_MAX], leaves[SLUICE_MODEL_MAX_LEN];
  struct sluice_packet_out out;
};

static void differ(struct twin *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void differ(struct twin *t, const char *format, ...) {
  va_list args;
  if (!t->o->equal) return;
  t->o->equal = false;
  va_start(args, format);
  vsnprintf(t->o->text, sizeof t->o->text, format, args);
  va_end(args);
}

static void on_step(void *user, const struct sluice_model_step *step) {
  (void)step;
  ((struct twin *)user)->steps++;
}

// ---- control port -------------------------------------------------------------------------------

static void control(struct twin *t, const struct fuzz_frame *f) {
  struct sluice_error error;
  size_t len;
  t->o->control++;
  t->cycle++;
  sluice_model_control(t->model, f->bytes, f->len, &t->answer);
  if (t->to.ops->control_send(t->to.self, f->bytes, f->len, &error) ||
      t->to.ops->control_receive(t->to.self, t->bytes, sizeof t->bytes, &len, &error)) {
    differ(t, "control packet: %s", error.text);
    return;
  }
  if (len != t->answer.len || memcmp(t->bytes, t->answer.bytes, len) != 0)
    differ(t, "control packet %llu: answer of %zu bytes, not %zu, or with other contents",
           (unsigned long long)t->o->control, len, t->answer.len);
}

static void flip(struct twin *t, uint32_t rows) {
  struct sluice_error error;
  t->bank ^= rows;
  t->cycle++;
  if (!sluice_model_set_bank(t->model, t->bank) ||
      t->to.ops->csr_write(t->to.self, SLUICE_CHIP_BASE + SLUICE_CHIP_BANK, t->bank, &error))
    differ(t, "CHIP.BANK is not written");
}

// Updates and marks whose share of the packets has come.
static void keep_up(struct twin *t, size_t packet) {
  const struct fuzz_case *c = t->c;
  while (t->updates < c->num_updates &&
         packet >= c->packets.num * (t->updates + 1) / (c->num_updates + 1)) {
    const struct fuzz_update *u = &c->updates[t->updates++];
    for (unsigned n = 0; n < u->before; n++) control(t, &c->updating.items[t->updating++]);
    flip(t, u->flip);
    if (u->bounces % 2) flip(t, u->flip);
    for (unsigned n = 0; n < u->early + u->after; n++)
      control(t, &c->updating.items[t->updating++]);
  }
  while (t->marking < c->marking.num && packet * c->marking.num >= t->marking * c->packets.num)
    control(t, &c->marking.items[t->marking++]);
}

// ---- packets ------------------------------------------------------------------------------------

static void count_accesses(struct twin *t, const struct sluice_model_result *r) {
  for (unsigned s = 0; s < t->c->config->StateStages; s++) {
    const struct sluice_model_access *a = &r->access[s];
    t->bounds += a->out_of_bounds;
    t->refused += a->refused;
    t->o->ops += a->executed;
    if (a->executed && !a->refused && a->slot >= sluice_config_slots(t->c->config))
      differ(t, "slot %u at stage %u", a->slot, s);
  }
}

static void compare_copies(struct twin *t, const struct sluice_model_result *r, unsigned len) {
  struct sluice_error error;
  for (uint64_t ports = r->reason ? 0 : r->ports;; ports &= ports - 1) {
    if (t->to.ops->packet_receive(t->to.self, &t->out, &error)) differ(t, "%s", error.text);
    if (!ports || !t->out.len) {
      if (ports || t->out.len) differ(t, "a copy too many or too few");
      return;
    }
    t->copy_bytes += len;
    if (t->out.port != (unsigned)__builtin_ctzll(ports) || t->out.len != len ||
        memcmp(t->out.bytes, t->leaves, len) != 0)
      differ(t, "port %u, %zu bytes; not port %d, %u bytes, or with other contents", t->out.port,
             t->out.len, __builtin_ctzll(ports), len);
  }
}

static void one_packet(struct twin *t, const struct fuzz_frame *f, unsigned port) {
  const struct sluice_model_verdict v =
      sluice_model_classify(sluice_model_filter(t->model), f->bytes, (unsigned)f->len);
  struct sluice_model_phv phv;
  struct sluice_model_result r = {.reason = SLUICE_DROP_BITMAP};
  struct sluice_error error;
  unsigned len = 0;
  t->cycle++;
  t->o->packets++;
  const struct sluice_model_packet packet = {f->bytes, (unsigned)f->len, port, (uint32_t)t->cycle,
                                             v.bank};
  if (v.reason == SLUICE_DROP_NONE &&
      sluice_model_front(t->model, &packet, &phv) == SLUICE_DROP_NONE) {
    sluice_model_admit(t->model, &packet, &phv, &r);
    len = sluice_model_leave(&packet, &r, t->leaves);
    t->o->admitted++;
    count_accesses(t, &r);
    if (len < SLUICE_MODEL_MIN_LEN || len > f->len)
      differ(t, "it leaves with %u of %zu bytes", len, f->len);
  }
  if (t->to.ops->packet_send(t->to.self, port, f->bytes, f->len, &error))
    differ(t, "%s", error.text);
  compare_copies(t, &r, len);
}

// ---- the end ------------------------------------------------------------------------------------

static uint64_t sum(struct twin *t, uint32_t first, uint32_t stride, unsigned num) {
  uint64_t all = 0;
  for (unsigned n = 0; n < num; n++) {
    struct sluice_error error;
    uint32_t value = 0;
    if (t->to.ops->csr_read(t->to.self, first + n * stride, &value, &error))
      differ(t, "%s", error.text);
    all += value;
  }
  return all;
}

static void compare_registers(struct twin *t) {
  const struct sluice_config *c = t->c->config;
  uint64_t refused = 0;
  for (unsigned s = 0; s < c->StateStages; s++)
    refused +=
        sum(t, SLUICE_BOUNDARY_BASE + SLUICE_BOUNDARY_STRIDE * 16 * s + SLUICE_BOUNDARY_REFUSED_OPS,
            SLUICE_BOUNDARY_STRIDE, c->NumPipes);
  if (refused != t->refused)
    differ(t, "BOUNDARY.REFUSED_OPS %llu, not %llu", (unsigned long long)refused,
           (unsigned long long)t->refused);
  if (sum(t, SLUICE_ORDER_BASE + SLUICE_ORDER_OUT_OF_BOUNDS, SLUICE_ORDER_STRIDE, c->NumPipes) !=
      t->bounds)
    differ(t, "ORDER.OUT_OF_BOUNDS");
  if ((uint32_t)sum(t, SLUICE_PORT_BASE + SLUICE_PORT_BYTES, SLUICE_PORT_STRIDE, c->NumPorts) !=
      (uint32_t)t->copy_bytes)
    differ(t, "PORT.BYTES");
}

static void compare_state(struct twin *t) {
  const struct sluice_config *c = t->c->config;
  for (unsigned row = 0; row < c->Banks * c->NumModules; row++)
    for (unsigned s = 0; s < c->StateStages; s++) {
      const unsigned range = sluice_model_state_range(t->model, row, s);
      for (unsigned at = 0; at < range && at < c->StateEntries; at += 128) {
        struct sluice_frame frame;
        const unsigned num = range - at < 128 ? range - at : 128;
        sluice_reconfig_state_read(&frame, s, row, at, num, 0);
        control(t, &(struct fuzz_frame){0, frame.len, frame.bytes});
        t->o->entries += num;
      }
    }
}

bool fuzz_on_model(const struct fuzz_case *c, struct fuzz_model_outcome *o) {
  struct twin *t = calloc(1, sizeof *t);
  struct sluice_error error = {"out of memory"};
  *o = (struct fuzz_model_outcome){.equal = true, .packet = UINT64_MAX};
  bool good = t && !sluice_transport_model(&t->to, c->config->name, NULL, &error);
  if (good) good = (t->model = sluice_model_open(c->config)) != NULL;
  if (good) {
    t->c = c;
    t->o = o;
    const uint32_t sets = (uint32_t)__builtin_ctz(c->sets);
    sluice_model_set_sets(t->model, sets);
    t->cycle++;
    good = !t->to.ops->csr_write(t->to.self, SLUICE_CHIP_BASE + SLUICE_CHIP_SETS, sets, &error);
  }
  if (good) {
    sluice_model_watch(t->model, on_step, t);
    for (size_t i = 0; i < c->control.num; i++) control(t, &c->control.items[i]);
    for (size_t i = 0; i < c->packets.num; i++) {
      keep_up(t, i);
      one_packet(t, &c->packets.items[i], (unsigned)i % c->config->NumPorts);
      if (!o->equal && o->packet == UINT64_MAX) o->packet = i;
    }
    compare_registers(t);
    compare_state(t);
  }
  if (!good) snprintf(o->text, sizeof o->text, "%s", error.text);
  if (t) sluice_transport_close(&t->to);
  if (t) sluice_model_close(t->model);
  free(t);
  return good;
}
