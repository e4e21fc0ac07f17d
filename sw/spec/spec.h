// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../model/model.h"

/// The machine as docs/machine.md says it: a second reference, to be read beside the page. One
/// function a section, in the order of the page, with the section's title in its comment. There is
/// no cache and no special case for speed.
///
/// It is asked as the model is (model/model.h), and takes the same structs; those are all that it
/// has of sw/model. Formats are from the printed layouts (base/layouts.h). Hashes, checksums and
/// the places of cuckoo entries are written here once more. Functions do what those of the same
/// name in model.h do, where nothing else is said.
///
/// Step by step values (sluice_model_watch) it does not show.
struct sluice_spec;

/// For sluice_checker_second (model/second.h).
struct sluice_second;
extern const struct sluice_second sluice_spec_second;

struct sluice_spec *sluice_spec_open(const struct sluice_config *config);
void sluice_spec_close(struct sluice_spec *spec);

// What arrives, steps 2 to 4; what is admitted, steps 5 to 8; copies.
const struct sluice_model_filter *sluice_spec_filter(const struct sluice_spec *spec);
/// `banks`: CHIP.BANK at its arrival.
struct sluice_model_verdict sluice_spec_classify(const struct sluice_model_filter *filter,
                                                 uint32_t banks,
                                                 const struct sluice_model_again *again,
                                                 const uint8_t *bytes, unsigned len);
unsigned sluice_spec_front(struct sluice_spec *spec, const struct sluice_model_packet *packet,
                           struct sluice_model_phv *phv);
void sluice_spec_pass_over(struct sluice_spec *spec, const struct sluice_model_packet *packet,
                           const struct sluice_model_phv *phv);
void sluice_spec_admit(struct sluice_spec *spec, const struct sluice_model_packet *packet,
                       const struct sluice_model_phv *phv, struct sluice_model_result *result);
bool sluice_spec_mark(const struct sluice_model_packet *packet, struct sluice_model_result *result);
unsigned sluice_spec_leave(const struct sluice_model_packet *packet,
                           const struct sluice_model_result *result, uint8_t *bytes);
void sluice_spec_egress(struct sluice_spec *spec, const struct sluice_model_copy *copy,
                        struct sluice_model_egressed *result);

// Control packets and registers.
bool sluice_spec_control(struct sluice_spec *spec, const uint8_t *bytes, size_t len,
                         struct sluice_model_answer *answer);
void sluice_spec_set_bitmap(struct sluice_spec *spec, uint32_t bitmap);
bool sluice_spec_set_bank(struct sluice_spec *spec, uint32_t bank);
void sluice_spec_set_inside(struct sluice_spec *spec, unsigned bank, uint32_t rows);
void sluice_spec_set_sets(struct sluice_spec *spec, unsigned sets);
void sluice_spec_cut_ask(struct sluice_spec *spec, uint32_t rows);
void sluice_spec_cut_take(struct sluice_spec *spec);
/// Marks are done by whoever knows their moment (model/second.h).
void sluice_spec_marks_apart(struct sluice_spec *spec, bool apart);
void sluice_spec_place(struct sluice_spec *spec, unsigned stage, unsigned pipe, uint32_t slot,
                       bool of_row, uint32_t words[SLUICE_MODEL_WORDS], const uint32_t *to);
void sluice_spec_cut_open(struct sluice_spec *spec, uint32_t rows);
void sluice_spec_flip_watch(struct sluice_spec *spec, unsigned stage, uint32_t slots);
uint32_t sluice_spec_flip_watched(const struct sluice_spec *spec, unsigned stage);
unsigned sluice_spec_flip_status(const struct sluice_spec *spec);
void sluice_spec_flip(struct sluice_spec *spec, uint32_t bank);

// What there is.
bool sluice_spec_state(const struct sluice_spec *spec, unsigned row, unsigned stage, unsigned index,
                       uint32_t *s1, uint32_t *s2);
bool sluice_spec_lane_state(const struct sluice_spec *spec, unsigned row, unsigned stage,
                            unsigned lane, unsigned index, uint32_t *s1, uint32_t *s2);
bool sluice_spec_row(const struct sluice_spec *spec, unsigned row, unsigned stage, unsigned index,
                     uint32_t words[SLUICE_MODEL_WORDS]);
unsigned sluice_spec_state_range(const struct sluice_spec *spec, unsigned row, unsigned stage);
uint64_t sluice_spec_count(const struct sluice_spec *spec, enum sluice_table table, unsigned stage,
                           unsigned index);
uint64_t sluice_spec_count_sum(uint64_t a, uint64_t b);
void sluice_spec_mute(struct sluice_spec *spec, bool mute);
uint64_t sluice_spec_rate(const struct sluice_spec *spec, unsigned row);
uint32_t sluice_spec_budget(const struct sluice_spec *spec, unsigned row);
unsigned sluice_spec_class(const struct sluice_spec *spec, unsigned row);
uint32_t sluice_spec_faults(const struct sluice_spec *spec, unsigned id);
