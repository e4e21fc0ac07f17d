// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model.h"

/// A second reference, for the checker: sw/spec is one. With it (sluice_checker_second) what the
/// chip does is compared with what this one says: verdicts of the filter, what leaves, accesses,
/// answers, state. The model goes along, for what a monitor asks of its tables and for the values
/// that a story tells. Members do what the functions of the same names in model.h do.
struct sluice_spec;
struct sluice_second {
  struct sluice_spec *(*open)(const struct sluice_config *config);
  void (*close)(struct sluice_spec *);
  void (*set_bitmap)(struct sluice_spec *, uint32_t bitmap);
  bool (*set_bank)(struct sluice_spec *, uint32_t bank);
  void (*set_inside)(struct sluice_spec *, unsigned bank, uint32_t rows);
  void (*set_sets)(struct sluice_spec *, unsigned sets);
  bool (*control)(struct sluice_spec *, const uint8_t *bytes, size_t len,
                  struct sluice_model_answer *answer);
  // Until it is told otherwise: WRITEs of state and what TAKE leaves are judged, and not done; who
  // knows the moment does them by `place`, which gives the words of an entry or of its row, and
  // writes `to` if that is not NULL.
  void (*marks_apart)(struct sluice_spec *, bool apart);
  void (*place)(struct sluice_spec *, unsigned stage, unsigned pipe, uint32_t slot, bool of_row,
                uint32_t words[SLUICE_MODEL_WORDS], const uint32_t *to);
  void (*cut_ask)(struct sluice_spec *, uint32_t rows);
  void (*cut_take)(struct sluice_spec *);
  // The rows whose READ of CUT is answered, whatever was asked for
  void (*cut_open)(struct sluice_spec *, uint32_t rows);
  void (*flip_watch)(struct sluice_spec *, unsigned stage, uint32_t slots);
  unsigned (*flip_status)(const struct sluice_spec *);
  void (*flip)(struct sluice_spec *, uint32_t bank);
  const struct sluice_model_filter *(*filter)(const struct sluice_spec *);
  struct sluice_model_verdict (*classify)(const struct sluice_model_filter *filter, uint32_t banks,
                                          const struct sluice_model_again *again,
                                          const uint8_t *bytes, unsigned len);
  void (*mute)(struct sluice_spec *, bool mute);
  unsigned (*front)(struct sluice_spec *, const struct sluice_model_packet *,
                    struct sluice_model_phv *);
  void (*pass_over)(struct sluice_spec *, const struct sluice_model_packet *,
                    const struct sluice_model_phv *);
  void (*admit)(struct sluice_spec *, const struct sluice_model_packet *,
                const struct sluice_model_phv *, struct sluice_model_result *);
  bool (*mark)(const struct sluice_model_packet *, struct sluice_model_result *);
  unsigned (*leave)(const struct sluice_model_packet *, const struct sluice_model_result *,
                    uint8_t *bytes);
  void (*egress)(struct sluice_spec *, const struct sluice_model_copy *,
                 struct sluice_model_egressed *);
  uint64_t (*count)(const struct sluice_spec *, enum sluice_table table, unsigned stage,
                    unsigned index);
  bool (*state)(const struct sluice_spec *, unsigned row, unsigned stage, unsigned index,
                uint32_t *s1, uint32_t *s2);
  bool (*lane_state)(const struct sluice_spec *, unsigned row, unsigned stage, unsigned lane,
                     unsigned index, uint32_t *s1, uint32_t *s2);
  bool (*row)(const struct sluice_spec *, unsigned row, unsigned stage, unsigned index,
              uint32_t words[SLUICE_MODEL_WORDS]);
  uint32_t (*faults)(const struct sluice_spec *, unsigned id);
};
