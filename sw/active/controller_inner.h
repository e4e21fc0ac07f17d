// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "controller.h"

/// The controller from inside: controller.c has admission and departure, controller_chip.c brings
/// the chip to what was decided, controller_words.c reads and writes words, controller_frame.c
/// speaks with clients.

/// What packets of one bank find: a TENANT entry an id, a REGION entry an id and stage.
struct controller_view {
  bool *tenant;                         // by id: it is this module's
  struct sluice_active_region *region;  // id * stages + stage
};
/// What the chip is known to hold. `known` false: it must be written.
struct controller_bank {
  struct controller_view view;
  bool *tenant_known, *region_known;
  struct sluice_active_address *address;  // with `translate`: id * stages + stage
  bool *address_known;
};

struct controller_saved {
  struct sluice_controller_snapshot words;
  uint32_t *values;
};

/// A client, from its frames.
struct controller_client {
  bool known, acked, moves;
  uint8_t addresses[12];  // as an answer has them
  bool tagged;
  uint16_t tci;
  uint64_t heard;
};

/// A stage's memory.
struct controller_stage {
  char name[24];
  unsigned base, pipe, range;
};

struct sluice_controller {
  struct sluice_chip *chip;
  struct sluice_controller_options options;
  struct sluice_alloc alloc;
  struct sluice_chip_info info;
  struct sluice_allocator *allocator;
  unsigned ids, stages, pipes, blocks;
  // Blocks of a stage and pipeline that somebody has had: all others are 0 as they were filled.
  // (stage * pipes + pipe) * blocks + block.
  bool *used;
  struct controller_stage stage[CAPSULE_STAGES];
  struct controller_view now, next;  // what was decided before, and with the change under way
  struct controller_view between;    // while words have no owner
  struct controller_bank bank[2];
  bool unsure;  // the chip does not hold `now` in both banks
  bool cut;     // a cut of ours may be there
  bool viewed;  // the array of this stage may show one pipeline alone
  unsigned viewed_stage;
  struct controller_saved *owed;   // words of `now` that must come back; NULL: none
  struct controller_view owed_to;  // the change that took them
  uint16_t *version;               // by id
  struct controller_saved *saved;  // id * stages + stage
  // Frames.
  struct controller_client *client;  // by id
  bool waiting;                      // a plan stands until its residents have acknowledged
  struct sluice_memory_request request;
  const struct sluice_memory_plan *plan;
  uint64_t until;
  struct sluice_error reason;
};

#define CONTROLLER_TRY(CALL)                \
  do {                                      \
    enum sluice_status try_status = (CALL); \
    if (try_status) return try_status;      \
  } while (0)

static inline struct sluice_active_region *controller_region(const struct sluice_controller *c,
                                                             const struct controller_view *v,
                                                             unsigned id, unsigned stage) {
  return &v->region[id * c->stages + stage];
}
static inline unsigned controller_slots(const struct sluice_controller *c,
                                        const struct sluice_active_region *r) {
  if (!r->valid) return 0;
  return (r->high - r->low + 1) / (r->sharded ? c->pipes : 1);
}

/// Views. What the allocator has decided; the part of `from` that `to` also has.
void controller_decided(const struct sluice_controller *c, struct controller_view *view);
void controller_common(const struct sluice_controller *c, const struct controller_view *from,
                       const struct controller_view *to, struct controller_view *common);
void controller_copy(const struct sluice_controller *c, struct controller_view *to,
                     const struct controller_view *from);
/// Whether two regions give the same words by the same addresses.
bool controller_alike(const struct sluice_active_region *a, const struct sluice_active_region *b);
bool controller_same(const struct sluice_controller *c, const struct controller_view *a,
                     const struct controller_view *b);

/// Finishes what earlier calls have left: both banks hold `now`.
enum sluice_status controller_repair(struct sluice_controller *c,
                                     struct sluice_controller_answer *answer,
                                     struct sluice_error *error);
/// Writes the bank that no packet sees. The chip is settled.
enum sluice_status controller_write(struct sluice_controller *c, const struct controller_view *view,
                                    struct sluice_controller_answer *answer,
                                    struct sluice_error *error);
/// Writes it and flips. *flipped: packets see `view`, whatever is returned.
enum sluice_status controller_show(struct sluice_controller *c, const struct controller_view *view,
                                   bool *flipped, struct sluice_controller_answer *answer,
                                   struct sluice_error *error);

/// From wherever a change to `to` has stopped back to `now`: words that it took get their saved
/// values while nobody can access them (`saved` NULL: none did change), then what packets see, then
/// the other bank.
enum sluice_status controller_restore(struct sluice_controller *c, const struct controller_view *to,
                                      const struct controller_saved *saved,
                                      struct sluice_controller_answer *answer,
                                      struct sluice_error *error);

/// Saves the regions of `from` of ids that lose words in `to`, new ones beside those of before.
enum sluice_status controller_save(struct sluice_controller *c, const struct controller_view *from,
                                   const struct controller_view *to, struct controller_saved *saved,
                                   struct sluice_controller_answer *answer,
                                   struct sluice_error *error);
/// The arrays show all pipelines again.
enum sluice_status controller_end_view(struct sluice_controller *c, struct sluice_error *error);
enum sluice_status controller_end_cut(struct sluice_controller *c, struct sluice_error *error);
/// Words of `to` that `from` does not give to the same id become 0.
enum sluice_status controller_zero(struct sluice_controller *c, const struct controller_view *from,
                                   const struct controller_view *to,
                                   const struct controller_saved *saved,
                                   struct sluice_controller_answer *answer,
                                   struct sluice_error *error);
/// Words of regions of `from` get their saved values back.
enum sluice_status controller_put_back(struct sluice_controller *c,
                                       const struct controller_view *from,
                                       const struct controller_view *to,
                                       const struct controller_saved *saved,
                                       struct sluice_error *error);
/// Frees the list and what is in it; *saved NULL is allowed.
void controller_drop_saved(struct sluice_controller *c, struct controller_saved **saved);

/// Carries out the allocator's plan.
enum sluice_status controller_carry_out(struct sluice_controller *c,
                                        const struct sluice_memory_plan *plan,
                                        struct sluice_controller_answer *answer,
                                        struct sluice_error *error);
/// A plan for a newcomer, checked.
enum sluice_status controller_plan(struct sluice_controller *c,
                                   const struct sluice_memory_request *request,
                                   const struct sluice_memory_plan **plan,
                                   struct sluice_error *error);
