// SPDX-License-Identifier: Apache-2.0
#include "references.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../base/rng.h"
#include "../spec/spec.h"

enum { PASSES = 6, SHOWN = 128 };

struct both {
  const struct fuzz_case *c;
  struct sluice_model *model;
  struct sluice_spec *spec;
  struct fuzz_difference *d;
  struct sluice_rng rng;
  struct sluice_model_answer answers[2];
  uint8_t left[2][SLUICE_MODEL_MAX_LEN], next[SLUICE_MODEL_MAX_LEN];
};

// ---- saying what differs ------------------------------------------------------------------------

__attribute__((format(printf, 2, 3))) static bool differ(struct both *b, const char *form, ...) {
  va_list args;
  va_start(args, form);
  vsnprintf(b->d->text, sizeof b->d->text, form, args);
  va_end(args);
  return false;
}

static bool same(struct both *b, const char *what, uint64_t model, uint64_t spec) {
  if (model == spec) return true;
  return differ(b, "%s: model 0x%llx, specification 0x%llx", what, (unsigned long long)model,
                (unsigned long long)spec);
}

static bool same_bytes(struct both *b, const char *what, const uint8_t *model, const uint8_t *spec,
                       size_t len) {
  for (size_t i = 0; i < len; i++)
    if (model[i] != spec[i])
      return differ(b, "%s, byte %zu: model 0x%02x, specification 0x%02x", what, i, model[i],
                    spec[i]);
  return true;
}

#define SAME(WHAT, MEMBER) same(b, WHAT, m->MEMBER, s->MEMBER)

static unsigned below(struct both *b, unsigned n) { return (unsigned)sluice_rng_below(&b->rng, n); }
static uint32_t any(struct both *b) { return (uint32_t)(sluice_rng_next(&b->rng) >> 32); }

// ---- control ------------------------------------------------------------------------------------

// Counters of entries are those of a pipeline, and neither knows in which a packet was.
static bool has_counts(const struct sluice_model_answer *a) {
  const enum sluice_table t = sluice_table_find(a->bytes[46] & 7, a->bytes[47] & 15);
  return t != SLUICE_NUM_TABLES && sluice_table_is_count(t);
}

static bool send(struct both *b, const struct fuzz_frame *f) {
  struct sluice_model_answer *m = &b->answers[0], *s = &b->answers[1];
  b->d->control++;
  return same(b, "control packet taken", sluice_model_control(b->model, f->bytes, f->len, m),
              sluice_spec_control(b->spec, f->bytes, f->len, s)) &&
         SAME("answer, length", len) && SAME("answer, entries", num) &&
         (!m->len || ++b->d->answers) &&
         (!m->num || (SAME("answer, bytes of an entry", entry_len) &&
                      SAME("answer, distance of entries", stride))) &&
         same_bytes(b, "answer", m->bytes, s->bytes, m->len && has_counts(m) ? 64 : m->len);
}

static bool same_filter(struct both *b) {
  const struct sluice_model_filter *m = sluice_model_filter(b->model),
                                   *s = sluice_spec_filter(b->spec);
  bool is = SAME("CHIP.BITMAP", bitmap) && SAME("CHIP.BANK", bank) && SAME("modules", modules);
  for (unsigned r = 0; is && r < b->c->config->Banks * b->c->config->NumModules; r++)
    is = SAME("MODULE entry", module[r]) &&
         same(b, "RECIRCULATE entry", sluice_model_budget(b->model, r),
              sluice_spec_budget(b->spec, r));
  for (unsigned r = 0; is && r < b->c->config->NumModules; r++)
    is =
        same(b, "RATE_LIMIT entry", sluice_model_rate(b->model, r), sluice_spec_rate(b->spec, r)) &&
        same(b, "class", sluice_model_class(b->model, r), sluice_spec_class(b->spec, r));
  return is;
}

// A write of a register, now and then.
static bool write_register(struct both *b) {
  const uint32_t value = any(b) & any(b);
  const unsigned stage = below(b, b->c->config->StateStages), bank = below(b, 2),
                 first = below(b, 40), last = below(b, 80);
  switch (below(b, 120)) {
    case 0:
    case 1:
      sluice_model_set_bitmap(b->model, value & any(b));
      sluice_spec_set_bitmap(b->spec, sluice_model_filter(b->model)->bitmap);
      break;
    case 2:
      sluice_model_set_bitmap(b->model, 0);
      sluice_spec_set_bitmap(b->spec, 0);
      break;
    case 3:
    case 4:
      return same(b, "write of CHIP.BANK", sluice_model_set_bank(b->model, value),
                  sluice_spec_set_bank(b->spec, value));
    case 5:
    case 6:
      sluice_model_set_inside(b->model, bank, value);
      sluice_spec_set_inside(b->spec, bank, value);
      break;
    case 7:
      sluice_model_set_inside(b->model, bank, 0);
      sluice_spec_set_inside(b->spec, bank, 0);
      break;
    case 8:
    case 9:
      sluice_model_cut_ask(b->model, value | 1);
      sluice_spec_cut_ask(b->spec, value | 1);
      break;
    case 10:
    case 11:
    case 12:
      sluice_model_cut_ask(b->model, value | 1);
      sluice_spec_cut_ask(b->spec, value | 1);
      sluice_model_cut_take(b->model);
      sluice_spec_cut_take(b->spec);
      break;
    case 13:
      sluice_model_cut_ask(b->model, 0);
      sluice_spec_cut_ask(b->spec, 0);
      break;
    case 14:
      sluice_model_flip_watch(b->model, stage, last << 16 | first);
      sluice_spec_flip_watch(b->spec, stage, last << 16 | first);
      break;
    case 15:
      if (!b->c->config->FlipGuard) break;
      sluice_model_flip(b->model, value);
      sluice_spec_flip(b->spec, value);
      break;
    default: return true;
  }
  if (!b->c->config->FlipGuard) return true;
  return same(b, "FLIP.STATUS", sluice_model_flip_status(b->model),
              sluice_spec_flip_status(b->spec)) &&
         same(b, "FLIP.WATCH", sluice_model_flip_watched(b->model, stage),
              sluice_spec_flip_watched(b->spec, stage));
}

// ---- a packet -----------------------------------------------------------------------------------

static bool same_phv(struct both *b, const struct sluice_model_phv *m,
                     const struct sluice_model_phv *s) {
  bool is = SAME("PHV, VID", vid) && SAME("PHV, bank", bank) && SAME("PHV, destination", dest) &&
            SAME("PHV, discard", discard) && SAME("PHV, length", len);
  char name[32];
  for (unsigned i = 0; is && i < 8; i++) {
    snprintf(name, sizeof name, "PHV, container %u", i);
    is = SAME(name, b2[i]) && SAME(name, b4[i]) && SAME(name, b6[i]);
  }
  for (unsigned i = 0; is && i < b->c->config->ArrayWords && b->c->config->ArrayEntries; i++)
    is = SAME("PHV, word of the array", words[i]);
  return is;
}

// Where the order point looks at nothing, at the egress, only an operation says what was resolved.
static bool same_access(struct both *b, unsigned stage, bool egress,
                        const struct sluice_model_access *m, const struct sluice_model_access *s) {
  const bool resolution = !egress || m->executed,
             there = m->executed ? !m->refused : m->resolved && !m->pinned;
  b->d->accesses += m->resolved;
  b->d->refused += m->refused;
  if ((!resolution || SAME("resolved", resolved)) && SAME("hit", hit) &&
      SAME("out of bounds", out_of_bounds) && SAME("executed", executed) &&
      SAME("refused", refused) && SAME("array", array) && SAME("capsule", capsule) &&
      (!m->resolved || !resolution ||
       ((egress || SAME("pinned", pinned)) && SAME("pipeline", pipe))) &&
      (!there || (SAME("slot", slot) && SAME("index", index))))
    return true;
  const size_t at = strlen(b->d->text);
  snprintf(b->d->text + at, sizeof b->d->text - at, " (access at stage %u)", stage);
  return false;
}

static bool same_again(struct both *b, const struct sluice_model_again *m,
                       const struct sluice_model_again *s) {
  bool is = SAME("next pass, round", round) && SAME("next pass, row", row) &&
            SAME("next pass, port", port) && SAME("next pass, continued", continued);
  if (!is || !m->continued) return is;
  is = SAME("next pass, destination", dest) && SAME("MAR", mar) && SAME("MBR", mbr) &&
       SAME("MBR2", mbr2) && SAME("skip", skip) && SAME("returned", returned) &&
       SAME("fault", fault) && (!m->skip || SAME("jump", jump));
  for (unsigned h = 0; is && h < 5; h++) is = SAME("H", hash[h]);
  return is;
}

static bool same_result(struct both *b, const struct sluice_model_packet *packet,
                        const struct sluice_model_result *m, const struct sluice_model_result *s) {
  const uint64_t again = b->c->config->Recirculation ? UINT64_C(1) << b->c->config->NumPorts : 0;
  bool is = true;
  for (unsigned stage = 0; is && stage < b->c->config->BackStages; stage++)
    is = same_access(b, stage, false, &m->access[stage], &s->access[stage]);
  is = is && SAME("drop", reason) && SAME("some forbidden", some_forbidden) && SAME("ports", ports);
  if (!is || m->reason) return is;
  return SAME("length", len) && SAME("taken out", taken_out) && SAME("CE set", congestion) &&
         same_bytes(b, "header", m->header, s->header, packet->len < SHOWN ? packet->len : SHOWN) &&
         (!(m->ports & again) || same_again(b, &m->again, &s->again));
}

static bool same_leaving(struct both *b, const struct sluice_model_packet *packet,
                         struct sluice_model_result *m, struct sluice_model_result *s) {
  if (below(b, 4) == 0 && !same(b, "CE set behind the queue", sluice_model_mark(packet, m),
                                sluice_spec_mark(packet, s)))
    return false;
  const unsigned len = sluice_model_leave(packet, m, b->left[0]);
  return same(b, "bytes that leave", len, sluice_spec_leave(packet, s, b->left[1])) &&
         same_bytes(b, "packet that leaves", b->left[0], b->left[1], len);
}

// A copy, with numbers that a queue might give.
static bool same_copy(struct both *b, unsigned vid, unsigned bank, unsigned port, unsigned number,
                      unsigned len) {
  const struct sluice_model_copy copy = {.bytes = b->left[0],
                                         .len = len,
                                         .vid = vid,
                                         .bank = bank,
                                         .lane = sluice_port_lane(b->c->config, port),
                                         .port = port,
                                         .number = number,
                                         .depth_in = below(b, 40),
                                         .depth_out = below(b, 40),
                                         .cycle = any(b),
                                         .delay = below(b, 2000)};
  struct sluice_model_egressed model, spec, *m = &model, *s = &spec;
  sluice_model_egress(b->model, &copy, m);
  sluice_spec_egress(b->spec, &copy, s);
  b->d->copies++;
  bool is = SAME("copy dropped", dropped);
  for (unsigned e = 0; is && e < b->c->config->EgressStages; e++)
    is = same_access(b, e, true, &m->access[e], &s->access[e]);
  return is && (m->dropped ||
                same_bytes(b, "header of a copy", m->header, s->header, len < SHOWN ? len : SHOWN));
}

static bool same_copies(struct both *b, const struct sluice_model_packet *packet, unsigned bank,
                        const struct sluice_model_result *m) {
  sluice_model_queued(packet, m->header, b->left[0]);
  const unsigned ports = b->c->config->NumPorts,
                 vid = (packet->bytes[14] << 8 | packet->bytes[15]) & 0xfff;
  unsigned number = 0;
  for (unsigned p = 0; p < ports && b->c->config->EgressStages; p++)
    if (m->ports >> p & 1 && !same_copy(b, vid, bank, p, number++, packet->len)) return false;
  return true;
}

static bool same_verdict(struct both *b, const struct sluice_model_packet *packet,
                         struct sluice_model_verdict *v) {
  const struct sluice_model_verdict model = sluice_model_classify_again(
                                        sluice_model_filter(b->model), packet->again, packet->bytes,
                                        packet->len),
                                    spec = sluice_spec_classify(sluice_spec_filter(b->spec),
                                                                sluice_spec_filter(b->spec)->bank,
                                                                packet->again, packet->bytes,
                                                                packet->len),
                                    *m = &model, *s = &spec;
  *v = model;
  return SAME("filter", reason) && SAME("module known", known) &&
         (!m->known || (SAME("row", row) && SAME("bank", bank)));
}

// One pass. *more: it is recirculated, with `again` and b->next.
static bool same_pass(struct both *b, struct sluice_model_packet *packet,
                      struct sluice_model_again *again, bool *more) {
  struct sluice_model_verdict v;
  struct sluice_model_phv mp, sp;
  struct sluice_model_result m, s;
  const bool overload = below(b, 20) == 0, mark = below(b, 4) == 0, turns = below(b, 20) == 0;
  *more = false;
  if (!same_verdict(b, packet, &v)) return false;
  if (v.reason) return true;
  packet->bank = v.bank;
  const unsigned reason = sluice_model_front(b->model, packet, &mp);
  if (!same(b, "front stages, drop", reason, sluice_spec_front(b->spec, packet, &sp)) ||
      (!reason && !same_phv(b, &mp, &sp)))
    return false;
  if (reason || overload) {
    sluice_model_pass_over(b->model, packet, &mp);
    sluice_spec_pass_over(b->spec, packet, &sp);
    return true;
  }
  mp.mark = sp.mark = mark;
  if (turns && b->c->config->FlipGuard) mp.bank = sp.bank = !mp.bank;
  b->d->admitted++;
  sluice_model_admit(b->model, packet, &mp, &m);
  sluice_spec_admit(b->spec, packet, &sp, &s);
  if (!same_result(b, packet, &m, &s)) return false;
  if (m.reason) return true;
  if (!same_leaving(b, packet, &m, &s) || !same_copies(b, packet, mp.bank, &m)) return false;
  if (!b->c->config->Recirculation || !(m.ports >> b->c->config->NumPorts & 1)) return true;
  *more = true;
  *again = m.again;
  again->depth = below(b, 70);
  again->delay = below(b, 8) ? below(b, 300) : any(b);
  memcpy(b->next, b->left[0], m.len);
  packet->len = m.len;
  return true;
}

static bool same_packet(struct both *b, const struct fuzz_frame *f) {
  const unsigned port = below(b, b->c->config->NumPorts);
  struct sluice_model_again again;
  struct sluice_model_packet packet = {.bytes = f->bytes,
                                       .len = (unsigned)f->len,
                                       .port = port,
                                       .arrival = any(b),
                                       .lane = sluice_port_lane(b->c->config, port)};
  bool more = true;
  uint8_t *bytes = b->next;
  b->d->packets++;
  for (unsigned pass = 0; more && pass < PASSES; pass++) {
    if (pass) b->d->passes++;
    if (!same_pass(b, &packet, &again, &more)) return false;
    packet.bytes = bytes;
    packet.again = &again;
    packet.arrival += 100;
  }
  return true;
}

// ---- the end ------------------------------------------------------------------------------------

static bool same_segment(struct both *b, unsigned row, unsigned stage) {
  const struct sluice_config *c = b->c->config;
  const unsigned range = sluice_model_state_range(b->model, row, stage);
  uint32_t m[SLUICE_MODEL_WORDS] = {0}, s[SLUICE_MODEL_WORDS] = {0};
  bool is = same(b, "RANGE", range, sluice_spec_state_range(b->spec, row, stage));
  for (unsigned i = 0; is && i <= range; i++) {
    b->d->entries++;
    is = same(b, "there is a state entry",
              sluice_model_state(b->model, row, stage, i, &m[0], &m[1]),
              sluice_spec_state(b->spec, row, stage, i, &s[0], &s[1])) &&
         same(b, "state, word 1", m[0], s[0]) && same(b, "state, word 2", m[1], s[1]) &&
         same(b, "there is a row", sluice_model_row(b->model, row, stage, i, m),
              sluice_spec_row(b->spec, row, stage, i, s));
    for (unsigned w = 0; is && w < c->ArrayWords; w++) is = same(b, "word of a row", m[w], s[w]);
  }
  return is;
}

static bool same_lane_segment(struct both *b, unsigned row, unsigned stage, unsigned lane) {
  const struct sluice_config *c = b->c->config;
  const unsigned range =
      sluice_model_state_range(b->model, row, c->BackStages + c->FrontStages + stage);
  uint32_t m[2] = {0}, s[2] = {0};
  bool is = true;
  for (unsigned i = 0; is && i <= range; i++) {
    b->d->entries++;
    is = same(b, "there is an entry of a lane",
              sluice_model_lane_state(b->model, row, stage, lane, i, &m[0], &m[1]),
              sluice_spec_lane_state(b->spec, row, stage, lane, i, &s[0], &s[1])) &&
         same(b, "state of a lane, word 1", m[0], s[0]) &&
         same(b, "state of a lane, word 2", m[1], s[1]);
  }
  return is;
}

static bool same_counts(struct both *b, enum sluice_table table, unsigned stage, unsigned rows) {
  bool is = true;
  for (unsigned i = 0; is && i < rows; i++)
    is = same(b, "counter of an entry", sluice_model_count(b->model, table, stage, i),
              sluice_spec_count(b->spec, table, stage, i));
  return is;
}

static bool same_end(struct both *b) {
  const struct sluice_config *c = b->c->config;
  const unsigned stages = sluice_config_stages(c);
  bool is = same_filter(b);
  for (unsigned row = 0; is && row < c->Banks * c->NumModules; row++) {
    for (unsigned stage = 0; is && stage < c->StateStages; stage++)
      is = same_segment(b, row, stage);
    for (unsigned e = 0; is && e < c->EgressStages * c->NumPipes && row < c->NumModules; e++)
      is = same_lane_segment(b, row, e / c->NumPipes, e % c->NumPipes);
  }
  for (unsigned stage = 0; is && stage < stages && c->EntryCounters; stage++)
    is = same_counts(b, SLUICE_TABLE_MATCH_COUNT, stage, c->MatchEntries) &&
         (!(c->TernaryStages >> stage & 1) ||
          same_counts(b, SLUICE_TABLE_TERNARY_COUNT, stage, c->TernaryEntries)) &&
         (!(c->CuckooStages >> stage & 1) ||
          same_counts(b, SLUICE_TABLE_CUCKOO_COUNT, stage, c->CuckooEntries));
  for (unsigned id = 0; is && id <= c->ActiveIds; id++)
    is = same(b, "CAPSULES.FAULTS", sluice_model_faults(b->model, id),
              sluice_spec_faults(b->spec, id));
  return is;
}

// Frames of `from` that are due before packet `n` of `packets`.
static bool send_due(struct both *b, const struct fuzz_frames *from, size_t *next, size_t n,
                     size_t packets) {
  while (*next < from->num && *next * packets <= n * from->num)
    if (!send(b, &from->items[(*next)++])) return false;
  return true;
}

static bool play(struct both *b, size_t packets) {
  const struct fuzz_case *c = b->c;
  size_t updating = 0, marking = 0;
  for (size_t i = 0; i < c->control.num; i++)
    if (!send(b, &c->control.items[i])) return false;
  if (!same_filter(b)) return false;
  for (size_t n = 0; n < packets; n++) {
    const struct fuzz_frame *f = &c->packets.items[n];
    b->d->packet = n;
    sluice_rng_init(&b->rng, c->seed ^ f->time_ns << 20, "oracles");
    if (!write_register(b) || !send_due(b, &c->updating, &updating, n, packets) ||
        !send_due(b, &c->marking, &marking, n, packets) || !same_packet(b, f))
      return false;
  }
  b->d->packet = UINT64_MAX;
  return same_end(b);
}

bool fuzz_references(const struct fuzz_case *c, size_t most_packets, struct fuzz_difference *d) {
  struct both *b = calloc(1, sizeof *b);
  *d = (struct fuzz_difference){.packet = UINT64_MAX};
  if (b) b->model = sluice_model_open(c->config);
  if (b) b->spec = sluice_spec_open(c->config);
  bool is = false;
  if (!b || !b->model || !b->spec) {
    d->no_memory = true;
    snprintf(d->text, sizeof d->text, "out of memory");
  } else {
    b->c = c;
    b->d = d;
    sluice_model_set_sets(b->model, (unsigned)__builtin_ctz(c->sets));
    sluice_spec_set_sets(b->spec, (unsigned)__builtin_ctz(c->sets));
    is = play(b, c->packets.num < most_packets ? c->packets.num : most_packets);
  }
  if (b) sluice_model_close(b->model);
  if (b) sluice_spec_close(b->spec);
  free(b);
  return is;
}
