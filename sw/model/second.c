// SPDX-License-Identifier: Apache-2.0
// What the checker asks of its references: the model always, and a second one, whose answer counts.
#include "second.h"

#include <string.h>

#include "monitor.h"

bool sluice_checker_second(struct sluice_checker *ck, const struct sluice_second *second) {
  ck->spec = second->open(ck->config);
  if (ck->spec) ck->second = second;
  return ck->spec != NULL;
}

void reference_close(struct sluice_checker *ck) {
  if (ck->second) ck->second->close(ck->spec);
}

const struct sluice_model_filter *reference_filter(const struct sluice_checker *ck) {
  return ck->second ? ck->second->filter(ck->spec) : sluice_model_filter(ck->model);
}

// ---- registers ----------------------------------------------------------------------------------

void reference_bitmap(struct sluice_checker *ck, uint32_t bitmap) {
  sluice_model_set_bitmap(ck->model, bitmap);
  if (ck->second) ck->second->set_bitmap(ck->spec, bitmap);
}

void reference_bank(struct sluice_checker *ck, uint32_t bank) {
  sluice_model_set_bank(ck->model, bank);
  if (ck->second) ck->second->set_bank(ck->spec, bank);
}

void reference_inside(struct sluice_checker *ck, unsigned bank, uint32_t rows) {
  sluice_model_set_inside(ck->model, bank, rows);
  if (ck->second) ck->second->set_inside(ck->spec, bank, rows);
}

void reference_sets(struct sluice_checker *ck, unsigned sets) {
  sluice_model_set_sets(ck->model, sets);
  if (ck->second) ck->second->set_sets(ck->spec, sets);
}

void reference_cut_ask(struct sluice_checker *ck, uint32_t rows) {
  sluice_model_cut_ask(ck->model, rows);
  if (ck->second) ck->second->cut_ask(ck->spec, rows);
}

void reference_cut_take(struct sluice_checker *ck) {
  sluice_model_cut_take(ck->model);
  if (ck->second) ck->second->cut_take(ck->spec);
}

void reference_cut_open(struct sluice_checker *ck, uint32_t rows) {
  ck->model->cut_rows = rows;
  if (ck->second) ck->second->cut_open(ck->spec, rows);
}

void reference_flip_watch(struct sluice_checker *ck, unsigned stage, uint32_t slots) {
  sluice_model_flip_watch(ck->model, stage, slots);
  if (ck->second) ck->second->flip_watch(ck->spec, stage, slots);
}

unsigned reference_flip_status(const struct sluice_checker *ck) {
  return ck->second ? ck->second->flip_status(ck->spec) : sluice_model_flip_status(ck->model);
}

void reference_flip(struct sluice_checker *ck, uint32_t bank) {
  sluice_model_flip(ck->model, bank);
  if (ck->second) ck->second->flip(ck->spec, bank);
}

// ---- control packets ----------------------------------------------------------------------------

bool reference_control(struct sluice_checker *ck, const uint8_t *bytes, size_t len,
                       struct sluice_model_answer *answer) {
  const bool good = sluice_model_control(ck->model, bytes, len, answer);
  if (!ck->second) return good;
  ck->second->marks_apart(ck->spec, ck->model->marks_apart);
  const bool taken = ck->second->control(ck->spec, bytes, len, answer);
  if (taken != good)
    monitor_differ(ck, NULL, monitor_text("a control packet, in the two references"),
                   monitor_text(good ? "taken" : "refused"),
                   monitor_text(taken ? "taken" : "refused"));
  return taken;
}

// A mark, at its moment: the words that are there, and the new ones.
void reference_place(struct sluice_checker *ck, unsigned stage, const struct monitor_mark *m,
                     uint32_t words[SLUICE_MODEL_WORDS], const uint32_t *to) {
  if (ck->second) ck->second->place(ck->spec, stage, m->pipe, m->slot, m->of_row, words, to);
}

// ---- packets ------------------------------------------------------------------------------------

struct sluice_model_verdict reference_classify(const struct sluice_checker *ck,
                                               const struct sluice_model_filter *filter,
                                               uint32_t banks,
                                               const struct sluice_model_again *again,
                                               const uint8_t *bytes, unsigned len) {
  return ck->second ? ck->second->classify(filter, banks, again, bytes, len)
                    : model_classify(filter, banks, again, bytes, len);
}

void reference_mute(const struct sluice_checker *ck, bool mute) {
  sluice_model_mute(ck->model, mute);
  if (ck->second) ck->second->mute(ck->spec, mute);
}

unsigned reference_front(const struct sluice_checker *ck, const struct sluice_model_packet *packet,
                         struct sluice_model_phv *phv) {
  const unsigned reason = sluice_model_front(ck->model, packet, phv);
  return ck->second ? ck->second->front(ck->spec, packet, phv) : reason;
}

void reference_pass_over(struct sluice_checker *ck, const struct sluice_model_packet *packet,
                         const struct sluice_model_phv *phv) {
  sluice_model_pass_over(ck->model, packet, phv);
  if (ck->second) ck->second->pass_over(ck->spec, packet, phv);
}

// Which of two entries a key found while one was being written the monitor of keys has said.
static void take_keys(const struct sluice_checker *ck, const struct sluice_model_phv *from,
                      struct sluice_model_phv *to) {
  const struct model_operand found =
      model_overlay(ck->model, model_row(ck->model, from))->keys_found;
  memcpy(to->words, from->words, sizeof to->words);
  if (found.type == SLUICE_TYPE_B2) to->b2[found.index] = from->b2[found.index];
}

// `phv` is what the model has at the order point; it becomes what the second reference has there.
void reference_admit(struct sluice_checker *ck, const struct sluice_model_packet *packet,
                     struct sluice_model_phv *phv, struct sluice_model_result *result) {
  sluice_model_admit(ck->model, packet, phv, result);
  if (!ck->second) return;
  struct sluice_model_phv own;
  ck->second->front(ck->spec, packet, &own);
  if (ck->keys) take_keys(ck, phv, &own);
  own.mark = phv->mark;
  own.bank = phv->bank;
  *phv = own;
  ck->second->admit(ck->spec, packet, phv, result);
}

bool reference_mark(const struct sluice_checker *ck, const struct sluice_model_packet *packet,
                    struct sluice_model_result *result) {
  return ck->second ? ck->second->mark(packet, result) : sluice_model_mark(packet, result);
}

unsigned reference_leave(const struct sluice_checker *ck, const struct sluice_model_packet *packet,
                         const struct sluice_model_result *result, uint8_t *bytes) {
  return ck->second ? ck->second->leave(packet, result, bytes)
                    : sluice_model_leave(packet, result, bytes);
}

void reference_egress(struct sluice_checker *ck, const struct sluice_model_copy *copy,
                      struct sluice_model_egressed *result) {
  sluice_model_egress(ck->model, copy, result);
  if (ck->second) ck->second->egress(ck->spec, copy, result);
}

// ---- what there is ------------------------------------------------------------------------------

uint64_t reference_count(const struct sluice_checker *ck, enum sluice_table table, unsigned stage,
                         unsigned index) {
  return ck->second ? ck->second->count(ck->spec, table, stage, index)
                    : sluice_model_count(ck->model, table, stage, index);
}

bool reference_state(const struct sluice_checker *ck, unsigned row, unsigned stage, unsigned index,
                     uint32_t *s1, uint32_t *s2) {
  return ck->second ? ck->second->state(ck->spec, row, stage, index, s1, s2)
                    : sluice_model_state(ck->model, row, stage, index, s1, s2);
}

bool reference_lane_state(const struct sluice_checker *ck, unsigned row, unsigned stage,
                          unsigned lane, unsigned index, uint32_t *s1, uint32_t *s2) {
  return ck->second ? ck->second->lane_state(ck->spec, row, stage, lane, index, s1, s2)
                    : sluice_model_lane_state(ck->model, row, stage, lane, index, s1, s2);
}

bool reference_row(const struct sluice_checker *ck, unsigned row, unsigned stage, unsigned index,
                   uint32_t words[SLUICE_MODEL_WORDS]) {
  return ck->second ? ck->second->row(ck->spec, row, stage, index, words)
                    : sluice_model_row(ck->model, row, stage, index, words);
}

uint32_t reference_faults(const struct sluice_checker *ck, unsigned id) {
  return ck->second ? ck->second->faults(ck->spec, id) : sluice_model_faults(ck->model, id);
}
