// SPDX-License-Identifier: Apache-2.0
// Words of regions, through the arrays of the module: slot x of pipeline p (both counted from those
// of the array) is entry x * K + p.
#include <sluice/cut.h>
#include <string.h>

#include "controller_inner.h"

// Slots [first, end) of a stage in the pipeline of a region, or in all.
struct span {
  unsigned stage, first, end, pipe;
  bool sharded;
};

static struct span whole(unsigned stage, const struct sluice_controller *c,
                         const struct sluice_active_region *r) {
  return (struct span){stage, r->base, r->base + controller_slots(c, r), r->pipe, r->sharded};
}

// Entries of the array: from `first` on every `step`-th, `num` of them.
struct entries {
  unsigned first, num, step;
};
static struct entries entries_of(const struct sluice_controller *c, const struct span *s) {
  const struct controller_stage *m = &c->stage[s->stage];
  const unsigned slot = (s->first - m->base) * c->pipes;
  if (s->sharded) return (struct entries){slot, (s->end - s->first) * c->pipes, 1};
  return (struct entries){slot + s->pipe - m->pipe, s->end - s->first, c->pipes};
}

// The array of a stage shows one pipeline alone, or (negative) all of them again. A change begins
// with what could not be taken back.
static enum sluice_status view(struct sluice_controller *c, unsigned stage, int pipe,
                               struct sluice_error *error) {
  if (c->viewed && (c->viewed_stage != stage || pipe < 0)) {
    CONTROLLER_TRY(
        sluice_chip_state_view(c->chip, c->options.vid, c->stage[c->viewed_stage].name, -1, error));
    c->viewed = false;
  }
  if (pipe < 0) return SLUICE_OK;
  c->viewed = true;
  c->viewed_stage = stage;
  return sluice_chip_state_view(c->chip, c->options.vid, c->stage[stage].name, pipe, error);
}

enum sluice_status controller_end_view(struct sluice_controller *c, struct sluice_error *error) {
  return view(c, 0, -1, error);
}

// The words of a span of one pipeline, without those of the others between them.
static enum sluice_status read_alone(struct sluice_controller *c, const struct span *s, bool cut,
                                     uint32_t *values, struct sluice_error *error) {
  const char *name = c->stage[s->stage].name;
  const unsigned first = s->first - c->stage[s->stage].base, num = s->end - s->first,
                 vid = c->options.vid;
  CONTROLLER_TRY(view(c, s->stage, (int)s->pipe, error));
  CONTROLLER_TRY(cut ? sluice_chip_cut_read(c->chip, vid, name, first, num, values, error)
                     : sluice_chip_state_read(c->chip, vid, name, first, num, values, error));
  return controller_end_view(c, error);
}

// Below so many words it is not worth two writes.
enum { ALONE = 32 };

// `values` gets the words of a span in the order of their addresses.
static enum sluice_status read_span(struct sluice_controller *c, const struct span *s, bool cut,
                                    uint32_t *values, struct sluice_error *error) {
  const struct entries e = entries_of(c, s);
  const char *name = c->stage[s->stage].name;
  const unsigned vid = c->options.vid, all = (e.num - 1) * e.step + 1;
  if (e.step > 1 && e.num >= ALONE) return read_alone(c, s, cut, values, error);
  uint32_t *read = sluice_zeroed(&c->alloc, all * sizeof *read);
  if (!read) return sluice_no_memory(error);
  const enum sluice_status status =
      cut ? sluice_chip_cut_read(c->chip, vid, name, e.first, all, read, error)
          : sluice_chip_state_read(c->chip, vid, name, e.first, all, read, error);
  for (unsigned i = 0; !status && i < e.num; i++) values[i] = read[i * e.step];
  sluice_resize(&c->alloc, read, all * sizeof *read, 0);
  return status;
}

// What residents have lost with this change: what was saved of it is there still.
struct lost {
  const struct controller_view *from;
  const struct controller_saved *saved;  // NULL: nothing was saved
};

// `values` gets what is known of a span, without asking the chip. False: not all of it is.
static bool recall_span(const struct sluice_controller *c, const struct span *s,
                        const struct lost *lost, uint32_t *values) {
  const unsigned step = s->sharded ? c->pipes : 1;
  unsigned known = 0;
  for (unsigned id = 0; lost->saved && id < c->ids; id++) {
    const struct sluice_active_region *r = controller_region(c, lost->from, id, s->stage);
    const struct controller_saved *w = &lost->saved[id * c->stages + s->stage];
    if (!w->values || r->sharded != s->sharded || (!r->sharded && r->pipe != s->pipe)) continue;
    const unsigned end = r->base + controller_slots(c, r);
    const unsigned from = s->first > r->base ? s->first : r->base, to = s->end < end ? s->end : end;
    if (from >= to) continue;
    memcpy(values + (from - s->first) * step, w->values + (from - r->base) * step,
           (to - from) * step * sizeof *values);
    known += to - from;
  }
  return known == s->end - s->first;
}

// Writes what is not there; `values` NULL: zeros.
static enum sluice_status write_span(struct sluice_controller *c, const struct span *s,
                                     const struct lost *lost, const uint32_t *values,
                                     unsigned *written, struct sluice_error *error) {
  const struct entries e = entries_of(c, s);
  const size_t bytes = e.num * (2 * sizeof(uint32_t) + sizeof(unsigned));
  uint32_t *there = sluice_zeroed(&c->alloc, bytes), *put = there + e.num;
  if (!there) return sluice_no_memory(error);
  unsigned *index = put + e.num, num = 0;
  enum sluice_status status = SLUICE_OK;
  if (!recall_span(c, s, lost, there)) status = read_span(c, s, false, there, error);
  for (unsigned i = 0; !status && i < e.num; i++) {
    const uint32_t value = values ? values[i] : 0;
    if (there[i] == value) continue;
    put[num] = value;
    index[num++] = e.first + i * e.step;
  }
  *written += num;
  if (!status)
    status = sluice_chip_state_scatter(c->chip, c->options.vid, c->stage[s->stage].name, num, index,
                                       put, error);
  sluice_resize(&c->alloc, there, bytes, 0);
  return status;
}
_Static_assert(sizeof(unsigned) == sizeof(uint32_t), "one block for both");

// ---- snapshots ----------------------------------------------------------------------------------

static void drop(struct sluice_controller *c, struct controller_saved *s) {
  if (s->values) sluice_resize(&c->alloc, s->values, s->words.num * sizeof *s->values, 0);
  memset(s, 0, sizeof *s);
}

void controller_drop_saved(struct sluice_controller *c, struct controller_saved **saved) {
  const size_t num = (size_t)c->ids * c->stages;
  for (size_t i = 0; *saved && i < num; i++) drop(c, &(*saved)[i]);
  sluice_resize(&c->alloc, *saved, num * sizeof **saved, 0);
  *saved = NULL;
}

// Parts of `to` that `from` does not have: in front of it, and behind it.
static unsigned new_parts(const struct sluice_controller *c, unsigned stage,
                          const struct sluice_active_region *from,
                          const struct sluice_active_region *to, struct span part[2]) {
  unsigned num = 0;
  if (!to->valid) return 0;
  const struct span all = whole(stage, c, to);
  const bool other = !from->valid || from->pipe != to->pipe || from->sharded != to->sharded;
  const unsigned base = other ? all.end : from->base,
                 end = other ? all.end : from->base + controller_slots(c, from);
  if (all.first < base) {
    part[num] = all;
    part[num++].end = base < all.end ? base : all.end;
  }
  if (all.end > end) {
    part[num] = all;
    part[num++].first = end > all.first ? end : all.first;
  }
  return num;
}

static enum sluice_status save_all(struct sluice_controller *c, const struct controller_view *from,
                                   const struct controller_view *to, bool cut,
                                   struct controller_saved *saved, unsigned *num,
                                   struct sluice_error *error) {
  struct span lost[2];
  for (unsigned id = 0; id < c->ids; id++)
    for (unsigned s = 0; from->tenant[id] && s < c->stages; s++) {
      const struct sluice_active_region *r = controller_region(c, from, id, s);
      if (!new_parts(c, s, controller_region(c, to, id, s), r, lost)) continue;
      struct controller_saved *w = &saved[id * c->stages + s];
      const struct span span = whole(s, c, r);
      drop(c, w);
      w->words =
          (struct sluice_controller_snapshot){c->version[id], r->low, r->high - r->low + 1, NULL};
      w->values = sluice_zeroed(&c->alloc, w->words.num * sizeof *w->values);
      if (!w->values) return sluice_no_memory(error);
      w->words.values = w->values;
      CONTROLLER_TRY(read_span(c, &span, cut, w->values, error));
      ++*num;
    }
  return SLUICE_OK;
}

enum sluice_status controller_end_cut(struct sluice_controller *c, struct sluice_error *error) {
  if (!c->cut) return SLUICE_OK;
  CONTROLLER_TRY(sluice_chip_cut_end(c->chip, error));
  c->cut = false;
  return SLUICE_OK;
}

enum sluice_status controller_save(struct sluice_controller *c, const struct controller_view *from,
                                   const struct controller_view *to, struct controller_saved *saved,
                                   struct sluice_controller_answer *answer,
                                   struct sluice_error *error) {
  const uint32_t all = c->stages < 32 ? (UINT32_C(1) << c->stages) - 1 : UINT32_MAX;
  const bool cut = (c->info.cut_stages & all) == all;
  unsigned num = 0;
  if (cut) {
    CONTROLLER_TRY(sluice_chip_cut_begin(c->chip, &c->options.vid, 1, &answer->ticket, error));
    c->cut = true;
  }
  const enum sluice_status status = save_all(c, from, to, cut, saved, &num, error);
  const enum sluice_status ended = controller_end_cut(c, status ? NULL : error);
  answer->saved = num != 0;
  answer->by_cut = num && cut;
  return status ? status : ended;
}

// ---- words that change hands --------------------------------------------------------------------

// Whether somebody has had the block of a span at a slot; from now on somebody has.
static bool was_used(struct sluice_controller *c, const struct span *s, unsigned slot) {
  const struct controller_stage *m = &c->stage[s->stage];
  const unsigned block = (slot - m->base) / c->options.block_words;
  bool used = false;
  for (unsigned pipe = 0; pipe < c->pipes; pipe++) {
    if (!s->sharded && pipe != s->pipe - m->pipe) continue;
    bool *b = &c->used[(s->stage * c->pipes + pipe) * c->blocks + block];
    used |= *b;
    *b = true;
  }
  return used;
}

// Blocks that nobody has had need not be looked at.
static enum sluice_status zero_span(struct sluice_controller *c, const struct span *all,
                                    const struct lost *lost, unsigned *written,
                                    struct sluice_error *error) {
  struct span run = *all;
  run.end = run.first;
  for (unsigned at = all->first; at < all->end; at += c->options.block_words) {
    const unsigned next = at + c->options.block_words;
    if (was_used(c, all, at)) {
      if (run.end == run.first) run.first = at;
      run.end = next < all->end ? next : all->end;
      if (next < all->end) continue;
    }
    if (run.end > run.first) CONTROLLER_TRY(write_span(c, &run, lost, NULL, written, error));
    run.first = run.end = next;
  }
  return SLUICE_OK;
}

enum sluice_status controller_zero(struct sluice_controller *c, const struct controller_view *from,
                                   const struct controller_view *to,
                                   const struct controller_saved *saved,
                                   struct sluice_controller_answer *answer,
                                   struct sluice_error *error) {
  const struct lost lost = {from, saved};
  struct span part[2];
  for (unsigned id = 0; id < c->ids; id++)
    for (unsigned s = 0; to->tenant[id] && s < c->stages; s++) {
      const unsigned num =
          new_parts(c, s, controller_region(c, from, id, s), controller_region(c, to, id, s), part);
      for (unsigned i = 0; i < num; i++)
        CONTROLLER_TRY(zero_span(c, &part[i], &lost, &answer->zeroed, error));
    }
  return SLUICE_OK;
}

enum sluice_status controller_put_back(struct sluice_controller *c,
                                       const struct controller_view *from,
                                       const struct controller_view *to,
                                       const struct controller_saved *saved,
                                       struct sluice_error *error) {
  const struct lost nothing = {from, NULL};
  struct span lost[2];
  unsigned written = 0;
  for (unsigned id = 0; id < c->ids; id++)
    for (unsigned s = 0; from->tenant[id] && s < c->stages; s++) {
      const struct sluice_active_region *r = controller_region(c, from, id, s);
      const struct controller_saved *w = &saved[id * c->stages + s];
      const unsigned num = new_parts(c, s, controller_region(c, to, id, s), r, lost);
      for (unsigned i = 0; w->values && i < num; i++)
        CONTROLLER_TRY(write_span(
            c, &lost[i], &nothing,
            w->values + (lost[i].first - r->base) * (r->sharded ? c->pipes : 1), &written, error));
    }
  return SLUICE_OK;
}
