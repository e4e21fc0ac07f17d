// SPDX-License-Identifier: Apache-2.0
#include "reactions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/loop.h"
#include "../base/now.h"
#include "commit.h"
#include "process.h"

#define LOOK_SECONDS 0.02  // between two looks whether this process is told to end

// An image and what was built of it; one for all reactions that came with it.
struct program {
  struct sluice_image image;
  struct reaction_build built;
  unsigned users;
};

struct unit {
  struct reactions *rs;
  struct program *program;
  const struct sluice_reaction *r;
  struct reaction_process *process;
  int32_t *words, *again;
  struct reaction_counted counted;
  enum reaction_fate fate;  // of the effects of the run before
  char last_error[sizeof((struct sluice_error *)0)->text];
  struct reaction_info info;
};

struct reactions {
  struct sluice_chip *chip;
  struct reaction_meter *meter;
  struct reactions_options options;
  struct unit **units;
  unsigned num, next;
  bool begun;  // a round has begun at cycle `round`
  uint32_t round;
  struct reaction_commit commit;  // of the dialogue under way
};

static void say(const struct reactions *rs, unsigned vid, const char *name, const char *line) {
  if (rs->options.say) rs->options.say(rs->options.user, vid, name, line);
}

// ---- programs -----------------------------------------------------------------------------------

static void program_drop(struct program *p) {
  if (!p || --p->users) return;
  reaction_build_release(&p->built);
  sluice_image_release(&p->image);
  free(p);
}

// What cc said, line by line.
static void say_all(const struct reactions *rs, unsigned vid, char *messages) {
  for (char *line = messages, *end; line && *line; line = end) {
    end = strchr(line, '\n');
    if (end) *end++ = 0;
    say(rs, vid, NULL, line);
  }
  free(messages);
}

// ---- units --------------------------------------------------------------------------------------

// The module's arrays and malleables are what the reaction was compiled with.
static enum sluice_status check_module(const struct reactions *rs, unsigned vid,
                                       const struct sluice_image *image,
                                       const struct sluice_reaction *r,
                                       struct sluice_error *error) {
  int32_t values[REACTION_MAX_PARAMS];
  struct sluice_chip_info info;
  struct sluice_image_array array;
  sluice_chip_describe(rs->chip, &info);
  SLUICE_TRY(reaction_values(image, sluice_chip_plan(rs->chip), vid, values, error));
  for (unsigned i = 0; i < r->num_args; i++) {
    const struct sluice_reaction_arg *a = &r->args[i];
    unsigned n = 0;
    if (a->is_register) continue;
    if (a->is_counters) {
      SLUICE_TRY(reaction_check_counters(image, sluice_chip_plan(rs->chip), vid, a, error));
      continue;
    }
    while (sluice_chip_get_array(rs->chip, vid, n, &array) && strcmp(array.name, a->name) != 0) n++;
    if (!sluice_chip_get_array(rs->chip, vid, n, &array) || a->first + a->num > array.size)
      return sluice_fail(
          error, SLUICE_ERR_DIFFERS,
          "reaction '%s' reads '%s' up to entry %u, and the module of VLAN %u has no such array",
          r->name, a->name, a->first + a->num - 1, vid);
    if (!(info.cut_stages >> array.stage & 1))
      return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                         "reaction '%s' reads '%s', which is in stage %u: chip '%s' has no shadow "
                         "memory there (CutStages)",
                         r->name, a->name, array.stage, info.name);
  }
  return SLUICE_OK;
}

static void heard_line(void *user, const char *line) {
  const struct unit *u = user;
  say(u->rs, u->info.vid, u->r->name, line);
}

static void idle_turn(void *user) {
  const struct unit *u = user;
  if (u->rs->options.idle) u->rs->options.idle(u->rs->options.user);
}

static enum sluice_status unit_process(struct unit *u, bool wait, struct sluice_error *error) {
  const struct reaction_process_options options = {.limit = u->rs->options.limit,
                                                   .say = heard_line,
                                                   .idle = u->rs->options.idle ? idle_turn : NULL,
                                                   .user = u};
  return (wait ? reaction_process_start : reaction_process_begin)(
      &u->process, &u->program->built, (unsigned)(u->r - u->program->image.reactions),
      (unsigned)u->program->image.num_params, reaction_num_words(u->r), &options, error);
}

static void unit_free(struct unit *u) {
  if (!u) return;
  reaction_process_end(u->process);
  program_drop(u->program);
  free(u->words);
  free(u->again);
  reaction_counted_release(&u->counted);
  free(u);
}

// A unit whose process loads its body.
static enum sluice_status unit_new(struct unit **out, struct reactions *rs, unsigned vid,
                                   struct program *program, const struct sluice_reaction *r,
                                   struct sluice_error *error) {
  *out = NULL;
  struct unit *u = calloc(1, sizeof *u);
  if (!u) return sluice_no_memory(error);
  program->users++;
  *u = (struct unit){.rs = rs, .program = program, .r = r};
  u->info = (struct reaction_info){.vid = vid,
                                   .words = reaction_num_words(r),
                                   .program = program->image.program,
                                   .name = r->name};
  u->words = calloc((size_t)u->info.words + 1, sizeof *u->words);
  u->again = calloc((size_t)u->info.words + 1, sizeof *u->again);
  const enum sluice_status status = u->words && u->again ? unit_process(u, false, error)
                                                         : sluice_no_memory(error);
  if (status) unit_free(u);
  else *out = u;
  return status;
}

static struct unit *unit_find(const struct reactions *rs, unsigned vid, const char *name,
                              unsigned *at) {
  for (unsigned n = 0; n < rs->num; n++)
    if (rs->units[n]->info.vid == vid && strcmp(rs->units[n]->r->name, name) == 0) {
      if (at) *at = n;
      return rs->units[n];
    }
  return NULL;
}

// ---- life ---------------------------------------------------------------------------------------

enum sluice_status reactions_open(struct reactions **out, struct sluice_chip *chip,
                                  struct reaction_meter *meter,
                                  const struct reactions_options *options,
                                  struct sluice_error *error) {
  *out = NULL;
  struct reactions *rs = calloc(1, sizeof *rs);
  if (!rs) return sluice_no_memory(error);
  *rs = (struct reactions){.chip = chip, .meter = meter, .options = *options};
  *out = rs;
  return SLUICE_OK;
}

// ---- making -------------------------------------------------------------------------------------

// First the program is built, then the processes load it.
struct reaction_making {
  struct reactions *rs;
  unsigned vid, num, loaded;  // units whose process has begun, and those of them that are loaded
  const char *name;           // of the only one that is wanted, in the program's image; NULL: all
  struct program *program;
  struct reaction_building *building;  // NULL: it is built
  bool over;
  enum sluice_status status;
  struct sluice_error error;
  struct unit *units[];
};

enum sluice_status reactions_make(struct reaction_making **out, struct reactions *rs, unsigned vid,
                                  const struct sluice_image *image, const char *name,
                                  const char *file, struct sluice_error *error) {
  size_t at = 0;
  *out = NULL;
  while (name && at < image->num_reactions && strcmp(image->reactions[at].name, name) != 0) at++;
  if (name && at == image->num_reactions)
    return sluice_fail(error, SLUICE_ERR_NOT_FOUND, "the new program has no reaction '%.60s'",
                       name);
  struct reaction_making *m = calloc(1, sizeof *m + image->num_reactions * sizeof(struct unit *));
  struct program *p = calloc(1, sizeof *p);
  if (!m || !p) {
    free(m);
    free(p);
    return sluice_no_memory(error);
  }
  p->users = 1;
  *m = (struct reaction_making){.rs = rs, .vid = vid, .program = p};
  enum sluice_status status = sluice_image_copy(&p->image, image, NULL) ? SLUICE_OK
                                                                        : sluice_no_memory(error);
  if (!status && name) m->name = p->image.reactions[at].name;
  if (!status && image->num_reactions)
    status = reaction_build_begin(&m->building, &p->image, file, rs->options.build_limit, error);
  if (status) reactions_make_drop(m);
  else *out = m;
  return status;
}

void reactions_make_drop(struct reaction_making *m) {
  char *messages = NULL;
  if (!m) return;
  if (m->building) (void)!reaction_build_end(m->building, &m->program->built, &messages, &m->error);
  free(messages);
  for (unsigned n = 0; n < m->num; n++) unit_free(m->units[n]);
  program_drop(m->program);
  free(m);
}

static bool fails(struct reaction_making *m, enum sluice_status status) {
  m->status = status;
  m->over = true;
  return true;
}

// The program is built: starts the processes.
static enum sluice_status begin_units(struct reaction_making *m) {
  char *messages = NULL;
  const enum sluice_status status =
      reaction_build_end(m->building, &m->program->built, &messages, &m->error);
  m->building = NULL;
  say_all(m->rs, m->vid, messages);
  SLUICE_TRY(status);
  for (size_t i = 0; i < m->program->image.num_reactions; i++) {
    const struct sluice_reaction *r = &m->program->image.reactions[i];
    if (m->name && strcmp(m->name, r->name) != 0) continue;
    SLUICE_TRY(unit_new(&m->units[m->num], m->rs, m->vid, m->program, r, &m->error));
    m->num++;
  }
  return SLUICE_OK;
}

bool reactions_made(struct reaction_making *m) {
  if (m->over) return true;
  if (m->building) {
    if (!reaction_build_over(m->building)) return false;
    const enum sluice_status status = begin_units(m);
    if (status) return fails(m, status);
  }
  while (m->loaded < m->num) {
    bool loaded;
    const enum sluice_status status =
        reaction_process_loaded(m->units[m->loaded]->process, &loaded, &m->error);
    if (status) return fails(m, status);
    if (!loaded) return false;
    m->loaded++;
  }
  m->over = true;
  return true;
}

void reactions_make_watch(const struct reaction_making *m, struct sluice_loop *loop) {
  if (m->building) reaction_build_watch(m->building, loop);
  else if (!m->over && m->loaded < m->num)
    reaction_process_watch(m->units[m->loaded]->process, loop);
  else sluice_loop_until(loop, 0);
}

// All are there, and the module is the one that they were made for.
static enum sluice_status check_made(struct reaction_making *m, struct sluice_error *error) {
  if (!m->over) return sluice_fail(error, SLUICE_ERR_IO, "the C compiler was told to end");
  if (m->status) *error = m->error;
  SLUICE_TRY(m->status);
  for (unsigned n = 0; n < m->num; n++)
    SLUICE_TRY(check_module(m->rs, m->vid, &m->program->image, m->units[n]->r, error));
  return SLUICE_OK;
}

enum sluice_status reactions_add_made(struct reaction_making *m, struct sluice_error *error) {
  struct reactions *rs = m->rs;
  enum sluice_status status = check_made(m, error);
  struct unit **grown = status ? NULL
                               : realloc(rs->units, (rs->num + m->num + 1) * sizeof(struct unit *));
  if (!status && !grown) status = sluice_no_memory(error);
  if (!status) {
    rs->units = grown;
    for (unsigned n = 0; n < m->num; n++) rs->units[rs->num++] = m->units[n];
    m->num = 0;
  }
  reactions_make_drop(m);
  return status;
}

// Until it is made, or this process is told to end.
static void await(struct reaction_making *m) {
  struct sluice_loop loop = SLUICE_LOOP;
  while (!reactions_made(m) && !reaction_told_to_end()) {
    reactions_make_watch(m, &loop);
    sluice_loop_until(&loop, sluice_now() + LOOK_SECONDS);
    (void)sluice_loop_wait(&loop);
  }
}

enum sluice_status reactions_add(struct reactions *rs, unsigned vid,
                                 const struct sluice_image *image, const char *file,
                                 struct sluice_error *error) {
  struct reaction_making *m;
  for (size_t i = 0; i < image->num_reactions; i++)
    SLUICE_TRY(check_module(rs, vid, image, &image->reactions[i], error));
  SLUICE_TRY(reactions_make(&m, rs, vid, image, NULL, file, error));
  await(m);
  return reactions_add_made(m, error);
}

void reactions_remove(struct reactions *rs, unsigned vid) {
  unsigned kept = 0;
  for (unsigned n = 0; n < rs->num; n++) {
    if (rs->units[n]->info.vid == vid) unit_free(rs->units[n]);
    else rs->units[kept++] = rs->units[n];
  }
  rs->num = kept;
  rs->next = 0;
}

void reactions_close(struct reactions *rs) {
  if (!rs) return;
  for (unsigned n = 0; n < rs->num; n++) unit_free(rs->units[n]);
  free(rs->units);
  free(rs);
}

// ---- a dialogue ---------------------------------------------------------------------------------

// What has passed since *last; *last becomes now.
static enum sluice_status lap(struct reactions *rs, uint32_t *last, uint64_t *cycles,
                              struct sluice_error *error) {
  uint32_t cycle;
  SLUICE_TRY(reaction_meter_now(rs->meter, &cycle, error));
  *cycles = (uint32_t)(cycle - *last);
  *last = cycle;
  return SLUICE_OK;
}

static enum sluice_status read_counts(struct unit *u, struct sluice_error *error) {
  return reaction_read_counts(u->rs->chip, u->info.vid, &u->program->image, u->r, &u->counted,
                              u->words, error);
}

static enum sluice_status read_arguments(struct unit *u, uint32_t *last,
                                         struct reaction_cycles *took, struct sluice_error *error) {
  struct sluice_chip *chip = u->rs->chip;
  struct sluice_chip_info info;
  struct sluice_error more;
  if (!u->r->num_args) return SLUICE_OK;
  if (!reaction_has_arrays(u->r)) {
    SLUICE_TRY(reaction_read(chip, u->info.vid, u->r, u->words, error));
    SLUICE_TRY(read_counts(u, error));
    return lap(u->rs, last, &took->read, error);
  }
  sluice_chip_describe(chip, &info);
  if (info.flip_guard && reaction_has_unchanged(u->r))
    SLUICE_TRY(reaction_guard(chip, u->info.vid, u->r, error));
  SLUICE_TRY(sluice_chip_cut_begin(chip, &u->info.vid, 1, &u->info.ticket, error));
  enum sluice_status status = lap(u->rs, last, &took->cut, error);
  if (!status) status = reaction_read(chip, u->info.vid, u->r, u->words, error);
  const enum sluice_status over = sluice_chip_cut_end(chip, status ? &more : error);
  if (!status) status = over;
  if (!status) status = read_counts(u, error);
  return status ? status : lap(u->rs, last, &took->read, error);
}

// How long it took the change to reach packets, from what the body has read.
static void note_reach(struct unit *u, const struct reaction_meter *meter, uint32_t began) {
  const uint32_t from = reaction_has_arrays(u->r) ? meter->cut : began,
                 reach = u->r->num_args ? meter->after - from : 0;
  u->info.reach += reach;
  if (reach > u->info.most) u->info.most = reach;
  u->info.last_cut = from;
  u->info.last_flip = meter->after;
}

// One transaction of all that the body wants, or none.
static enum sluice_status take_effect(struct unit *u, uint32_t began, uint32_t *last,
                                      struct reaction_cycles *took, bool *changed,
                                      struct sluice_error *error) {
  struct reaction_meter *meter = u->rs->meter;
  const struct reaction_committed_of of = {u->rs->chip, meter,         &u->program->image,
                                           u->r,        u->info.vid,   u->words,
                                           u->again,    u->info.ticket};
  struct reaction_committed done;
  meter->flipped = false;
  u->fate = REACTION_WRONG;
  SLUICE_TRY(reaction_commit(&u->rs->commit, &of, &done, error));
  u->fate = done.refused ? REACTION_REFUSED : REACTION_TAKEN;
  u->info.refused += done.refused;
  u->info.guarded += done.changed && done.guarded;
  u->info.entries += done.entries;
  *changed = done.changed;
  if (!done.changed) return SLUICE_OK;
  if (meter->flipped) {
    took->check = done.check;
    took->write = (uint32_t)(meter->before - *last) - done.check;
    took->flip = (uint32_t)(meter->after - meter->before);
    *last = meter->after;
    note_reach(u, meter, began);
    return lap(u->rs, last, &took->mirror, error);
  }
  return lap(u->rs, last, &took->write, error);  // one bank
}

static void add(struct reaction_info *info, const struct reaction_cycles *c, bool changed) {
  info->sum.cut += c->cut;
  info->sum.read += c->read;
  info->sum.code += c->code;
  if (!changed) return;
  info->sum.write += c->write;
  info->sum.check += c->check;
  info->sum.flip += c->flip;
  info->sum.mirror += c->mirror;
}

static void add_traffic(struct reaction_traffic *sum, const struct reaction_traffic *from,
                        const struct reaction_traffic *to) {
  sum->reads += to->reads - from->reads;
  sum->writes += to->writes - from->writes;
  sum->transfers += to->transfers - from->transfers;
  sum->answers += to->answers - from->answers;
}

static enum sluice_status dialogue(struct unit *u, struct sluice_error *error) {
  struct reaction_cycles took = {0};
  int32_t values[REACTION_MAX_PARAMS];
  uint32_t last, began;
  bool changed = false;
  SLUICE_TRY(reaction_meter_now(u->rs->meter, &last, error));
  began = last;
  SLUICE_TRY(read_arguments(u, &last, &took, error));
  SLUICE_TRY(reaction_values(&u->program->image, sluice_chip_plan(u->rs->chip), u->info.vid, values,
                             error));
  const double start = sluice_now();
  enum sluice_status status =
      reaction_process_run(u->process, u->fate, values, u->words, &u->rs->commit.effects, error);
  u->info.seconds += sluice_now() - start;
  if (status) {
    reaction_process_end(u->process);
    u->process = NULL;
    u->info.state = REACTION_ENDED;
    return status;
  }
  u->info.runs++;
  reaction_counted_ran(&u->counted);
  SLUICE_TRY(reaction_meter_code(u->rs->meter, error));
  SLUICE_TRY(lap(u->rs, &last, &took.code, error));
  status = take_effect(u, began, &last, &took, &changed, error);
  u->info.changes += changed;
  add(&u->info, &took, changed);
  return status;
}

// A round has begun, or the time for the next one has come.
static enum sluice_status due(struct reactions *rs, bool *is_due, struct sluice_error *error) {
  uint32_t cycle;
  *is_due = true;
  if (!rs->options.period || rs->next) return SLUICE_OK;
  SLUICE_TRY(reaction_meter_now(rs->meter, &cycle, error));
  *is_due = !rs->begun || cycle - rs->round >= rs->options.period;
  if (!*is_due) return SLUICE_OK;
  rs->begun = true;
  rs->round = cycle;
  return SLUICE_OK;
}

bool reactions_run(const struct reactions *rs) {
  for (unsigned n = 0; n < rs->num; n++)
    if (rs->units[n]->info.state == REACTION_RUNS) return true;
  return false;
}

enum sluice_status reactions_step(struct reactions *rs, bool *ran, struct sluice_error *error) {
  struct sluice_error why = {""};
  char text[sizeof why.text + 40];
  uint32_t cycle;
  *ran = false;
  if (!reactions_run(rs)) return SLUICE_OK;
  SLUICE_TRY(due(rs, ran, error));
  if (!*ran) return SLUICE_OK;
  while (rs->units[rs->next]->info.state != REACTION_RUNS) rs->next = (rs->next + 1) % rs->num;
  struct unit *u = rs->units[rs->next];
  rs->next = (rs->next + 1) % rs->num;
  const struct reaction_traffic before = rs->meter->traffic;
  rs->meter->on = true;
  const enum sluice_status status = dialogue(u, &why);
  rs->meter->on = false;
  add_traffic(&u->info.traffic, &before, &rs->meter->traffic);
  if (!status) return SLUICE_OK;
  u->info.errors++;
  const bool again = strcmp(u->last_error, why.text) == 0 && u->info.state == REACTION_RUNS;
  snprintf(u->last_error, sizeof u->last_error, "%s", why.text);
  snprintf(text, sizeof text, "%s%s", why.text,
           u->info.state == REACTION_ENDED ? "; it is stopped" : "");
  // What goes wrong in every round is said once.
  if (!again) say(rs, u->info.vid, u->r->name, text);
  return reaction_meter_now(rs->meter, &cycle, error);
}

// ---- one by one ---------------------------------------------------------------------------------

bool reactions_get(const struct reactions *rs, unsigned n, struct reaction_info *info) {
  if (n >= rs->num) return false;
  *info = rs->units[n]->info;
  info->last_error = rs->units[n]->last_error;
  if (reaction_bus_is(&rs->meter->bus))
    reaction_bus_text(&rs->meter->bus, info->bus, sizeof info->bus);
  return true;
}

static enum sluice_status find(const struct reactions *rs, unsigned vid, const char *name,
                               struct unit **u, unsigned *at, struct sluice_error *error) {
  *u = unit_find(rs, vid, name, at);
  if (*u) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_NOT_FOUND, "the module of VLAN %u has no reaction '%.60s'",
                     vid, name);
}

enum sluice_status reactions_stop(struct reactions *rs, unsigned vid, const char *name,
                                  struct sluice_error *error) {
  struct unit *u;
  SLUICE_TRY(find(rs, vid, name, &u, NULL, error));
  if (u->info.state == REACTION_RUNS) u->info.state = REACTION_STOPPED;
  return SLUICE_OK;
}

enum sluice_status reactions_start(struct reactions *rs, unsigned vid, const char *name,
                                   struct sluice_error *error) {
  struct unit *u;
  SLUICE_TRY(find(rs, vid, name, &u, NULL, error));
  if (!u->process) {
    u->fate = REACTION_TAKEN;
    SLUICE_TRY(unit_process(u, true, error));
  }
  u->info.state = REACTION_RUNS;
  return SLUICE_OK;
}

enum sluice_status reactions_reload_made(struct reaction_making *m, struct sluice_error *error) {
  struct reactions *rs = m->rs;
  struct unit *old = NULL;
  unsigned at = 0;
  enum sluice_status status = find(rs, m->vid, m->name, &old, &at, error);
  if (!status) status = check_made(m, error);
  if (!status) {
    struct unit *u = m->units[0];
    if (old->info.state == REACTION_STOPPED) u->info.state = REACTION_STOPPED;
    unit_free(old);
    rs->units[at] = u;
    m->num = 0;
  }
  reactions_make_drop(m);
  return status;
}

enum sluice_status reactions_reload(struct reactions *rs, unsigned vid, const char *name,
                                    const struct sluice_image *image, const char *file,
                                    struct sluice_error *error) {
  struct reaction_making *m;
  struct unit *old;
  SLUICE_TRY(find(rs, vid, name, &old, NULL, error));
  SLUICE_TRY(reactions_make(&m, rs, vid, image, name, file, error));
  await(m);
  return reactions_reload_made(m, error);
}
