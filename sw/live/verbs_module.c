// SPDX-License-Identifier: Apache-2.0
// Modules of a live switch: what runs, other versions, malleables, reactions, stories of packets.
#include <stdlib.h>
#include <string.h>

#include <sluice/param.h>

#include "../driver/chip/carry.h"
#include "../driver/plan/link.h"
#include "../driver/plan/policy.h"
#include "../reaction/report.h"
#include "asked.h"

enum { TRACE_MOST = 1000 };

static enum sluice_status image_of(struct asked *a, const json_t *from,
                                   struct sluice_image *image) {
  const json_t *member = json_object_get(from, "image");
  if (!json_is_object(member))
    return asked_wants(a, "image", "a configuration image, as 'sluice compile' writes it");
  char *dump = json_dumps(member, JSON_COMPACT);
  if (!dump) return sluice_no_memory(&a->error);
  memset(image, 0, sizeof *image);
  const enum sluice_status status =
      sluice_image_read(image, dump, strlen(dump), "image", live_config(a->live), &a->error);
  free(dump);
  return status;
}

typedef enum sluice_status change_plan(struct sluice_plan *plan, const struct sluice_image *image,
                                       unsigned vid, struct sluice_error *error);

// One module of a request into a plan; its program goes into `programs`.
static enum sluice_status plan_one(struct asked *a, struct sluice_plan *plan, const json_t *from,
                                   change_plan *change, json_t *programs) {
  struct sluice_image image;
  const json_t *vid = json_object_get(from, "vid");
  if (from != a->request) CHIP_TRY(asked_only(a, "modules", from, "vid image"));
  if (!json_is_integer(vid) || json_integer_value(vid) < 0 || json_integer_value(vid) > 4094)
    return asked_wants(a, "vid", "a whole number from 0 to 4094");
  CHIP_TRY(image_of(a, from, &image));
  const enum sluice_status status =
      change(plan, &image, (unsigned)json_integer_value(vid), &a->error);
  if (!status) answer_append(programs, json_string(image.program));
  sluice_image_release(&image);
  return status;
}

// The plan that a request asks for: one module, or those of "modules".
static enum sluice_status plan_of(struct asked *a, struct sluice_plan *plan, change_plan *change) {
  const json_t *list = json_object_get(a->request, "modules"),
               *trust = json_object_get(a->request, "trust");
  json_t *programs = json_array();
  enum sluice_status status = SLUICE_OK;
  if (trust && !json_is_boolean(trust)) status = asked_wants(a, "trust", "true or false");
  else if (list && (!json_array_size(list) || asked_has(a, "vid") || asked_has(a, "image")))
    status =
        asked_wants(a, "modules", "a list of objects with vid and image, in place of these two");
  sluice_plan_trust(plan, json_is_true(trust));
  if (!status && !list) status = plan_one(a, plan, a->request, change, programs);
  for (size_t n = 0; !status && n < json_array_size(list); n++)
    status = plan_one(a, plan, json_array_get(list, n), change, programs);
  if (!status && list) answer_put(a->answer, "programs", json_incref(programs));
  if (!status && !list) answer_put(a->answer, "program", json_incref(json_array_get(programs, 0)));
  json_decref(programs);
  return status;
}

static void put_report(struct asked *a, const struct sluice_update_report *r) {
  answer_whole(a->answer, "written", r->written);
  answer_whole(a->answer, "shared", r->shared);
  answer_whole(a->answer, "freed", r->freed);
  answer_whole(a->answer, "entries", r->entries);
  answer_whole(a->answer, "kept", r->kept);
  answer_whole(a->answer, "filled", r->filled);
  answer_whole(a->answer, "drain_cycles", r->drain_cycles);
}

// The module of this VLAN has become another program: so do its reactions. If they cannot, the
// module runs without.
static void restart_reactions(struct asked *a, const json_t *from) {
  struct sluice_error error;
  const unsigned vid = (unsigned)json_integer_value(json_object_get(from, "vid"));
  struct reaction_making *making = asked_take_making(a, vid);
  if (live_reactions(a->live)) reactions_remove(live_reactions(a->live), vid);
  if (making && reactions_add_made(making, &error))
    answer_text(a->answer, "reactions_error", error.text);
}

// For the stories of its packets. A chip that runs needs no image.
static void keep_image(struct asked *a, const json_t *from) {
  struct sluice_image image;
  struct sluice_error kept = a->error;
  if (!image_of(a, from, &image)) {
    live_keep_image(a->live, (unsigned)json_integer_value(json_object_get(from, "vid")), &image);
    sluice_image_release(&image);
  }
  a->error = kept;
}

static void keep_images(struct asked *a) {
  const json_t *list = json_object_get(a->request, "modules");
  if (!list) keep_image(a, a->request);
  for (size_t n = 0; n < json_array_size(list); n++) keep_image(a, json_array_get(list, n));
}

static void restart_all(struct asked *a) {
  const json_t *list = json_object_get(a->request, "modules");
  if (!list) restart_reactions(a, a->request);
  for (size_t n = 0; n < json_array_size(list); n++) restart_reactions(a, json_array_get(list, n));
}

// ---- reactions of a request ---------------------------------------------------------------------

// An image is what somebody made somewhere, and the text of its reactions is code for this machine.
// So the request must say what shall be done with it.
static enum sluice_status wanted_reactions(struct asked *a, const struct sluice_image *image,
                                           bool *wanted) {
  const char *word = NULL;
  if (asked_has(a, "reactions")) CHIP_TRY(asked_text(a, "reactions", &word));
  if (word && strcmp(word, "trusted") != 0 && strcmp(word, "off") != 0)
    return asked_wants(a, "reactions", "\"trusted\" or \"off\"");
  *wanted = image->num_reactions && live_reactions(a->live) && (!word || *word == 't');
  if (*wanted && !word)
    return sluice_fail(&a->error, SLUICE_ERR_RANGE,
                       "program '%s' brings reactions: code that would run here with the rights of "
                       "the switch; --reactions trusted runs it, --reactions off does not",
                       image->program);
  return SLUICE_OK;
}

// Begins to make the reactions of one module. What is wrong with the request else is found when
// the verb runs.
static enum sluice_status begin_one(struct asked *a, const json_t *from, const char *name) {
  const json_t *vid = json_object_get(from, "vid");
  const struct sluice_error kept = a->error;
  struct sluice_image image;
  bool wanted;
  if (!json_is_integer(vid) || image_of(a, from, &image)) {
    a->error = kept;
    return SLUICE_OK;
  }
  enum sluice_status status = wanted_reactions(a, &image, &wanted);
  struct asked_making *grown =
      status || !wanted ? NULL : realloc(a->making, (a->num_making + 1) * sizeof *grown);
  if (!status && wanted && !grown) status = sluice_no_memory(&a->error);
  if (grown) {
    a->making = grown;
    grown[a->num_making] = (struct asked_making){(unsigned)json_integer_value(vid), NULL};
    status = reactions_make(&grown[a->num_making].making, live_reactions(a->live),
                            grown[a->num_making].vid, &image, name, NULL, &a->error);
    a->num_making += !status;
  }
  sluice_image_release(&image);
  return status;
}

enum sluice_status begin_modules(struct asked *a) {
  const json_t *list = json_object_get(a->request, "modules");
  if (!list) return begin_one(a, a->request, NULL);
  for (size_t n = 0; n < json_array_size(list); n++)
    CHIP_TRY(begin_one(a, json_array_get(list, n), NULL));
  return SLUICE_OK;
}

enum sluice_status begin_reload(struct asked *a) {
  const char *name, *action;
  if (!live_reactions(a->live)) return SLUICE_OK;
  CHIP_TRY(asked_text(a, "action", &action));
  if (strcmp(action, "reload") != 0)
    return sluice_fail(&a->error, SLUICE_ERR_FORMAT, "'%.40s' of a reaction takes no image",
                       action);
  CHIP_TRY(asked_text(a, "name", &name));
  return begin_one(a, a->request, name);
}

// ---- changing modules ---------------------------------------------------------------------------

// With what a request asks for; the chip's plan is settled then.
static enum sluice_status next_plan(struct asked *a, change_plan *change,
                                    struct sluice_plan **plan) {
  CHIP_TRY(chip_settle(a->chip, &a->error));  // it may find out what the plan is
  CHIP_TRY(sluice_plan_copy(plan, sluice_chip_plan(a->chip), &a->error));
  enum sluice_status status = plan_of(a, *plan, change);
  if (!status && !live_no_shares(a->live))
    status = sluice_plan_divide(*plan, sluice_chip_plan(a->chip), &a->error);
  if (status) sluice_plan_close(*plan);
  return status;
}

static enum sluice_status change_modules(struct asked *a, change_plan *change) {
  struct sluice_plan *plan;
  CHIP_TRY(next_plan(a, change, &plan));
  const enum sluice_status status = sluice_chip_apply(a->chip, plan, &a->error);
  sluice_plan_close(plan);
  if (!status) restart_all(a);
  if (!status) keep_images(a);
  return status;
}

enum sluice_status verb_load(struct asked *a) { return change_modules(a, sluice_plan_add); }

enum sluice_status verb_replace(struct asked *a) {
  CHIP_TRY(change_modules(a, sluice_plan_replace));
  answer_put(a->answer, "lossy", json_true());
  return SLUICE_OK;
}

// ---- update -------------------------------------------------------------------------------------

static const struct sluice_image *image_before(void *user, unsigned vid) {
  return live_image(user, vid);
}

// What becomes of arrays, and of tables that lose entries.
static void put_carry(struct asked *a, const struct sluice_carry *carry, bool paused) {
  static const char *const words[] = {"stays", "moves", "lost"};
  json_t *list = json_array();
  for (unsigned n = 0; n < carry->num; n++) {
    const struct sluice_carried *c = &carry->list[n];
    json_t *one = json_object();
    answer_whole(one, "vid", c->vid);
    answer_text(one, "name", c->name);
    answer_text(one, "becomes", words[c->fate]);
    if (c->why) answer_text(one, "why", c->why);
    answer_append(list, one);
  }
  answer_put(a->answer, "state", list);
  answer_put(a->answer, "paused", json_boolean(paused));
}

// Copies what moves while frames wait at the ports, so that none is dropped and none comes between.
static enum sluice_status update_paused(struct asked *a, const struct sluice_plan *plan,
                                        struct sluice_carry *carry,
                                        struct sluice_update_report *report) {
  const bool banks = live_config(a->live)->Banks == 2;
  CHIP_TRY(live_pause(a->live, &a->error));
  enum sluice_status status = sluice_carry_take(carry, a->chip, &a->error);
  if (!status)
    status = banks ? sluice_chip_update_plan(a->chip, plan, report, &a->error)
                   : sluice_chip_apply(a->chip, plan, &a->error);
  if (!status && sluice_carry_give(carry, a->chip, &a->error)) {
    const struct sluice_error why = a->error;
    status = sluice_fail(
        &a->error, SLUICE_ERR_IO,
        "the new version runs, but not all contents of its arrays have moved with it: %.250s",
        why.text);
  }
  live_go_on(a->live);
  return status;
}

static enum sluice_status update_with(struct asked *a, const struct sluice_plan *plan,
                                      struct sluice_carry *carry) {
  const bool banks = live_config(a->live)->Banks == 2, paused = !banks || carry->num_moves;
  struct sluice_update_report report = {.kept = 0};
  bool lossy, check;
  char text[300];
  CHIP_TRY(asked_flag(a, "lossy", &lossy));
  CHIP_TRY(asked_flag(a, "check", &check));
  if (check) {
    put_carry(a, carry, paused);
    return SLUICE_OK;
  }
  if (carry->num_lost && !lossy) {
    sluice_carry_say(carry, text, sizeof text);
    return sluice_fail(&a->error, SLUICE_ERR_RANGE,
                       "nothing was changed: the update would lose %s; --lossy does it", text);
  }
  CHIP_TRY(paused ? update_paused(a, plan, carry, &report)
                  : sluice_chip_update_plan(a->chip, plan, &report, &a->error));
  answer_put(a->answer, "lossy", json_false());
  if (banks) put_report(a, &report);
  put_carry(a, carry, paused);
  restart_all(a);
  keep_images(a);
  return SLUICE_OK;
}

// On a chip with one bank a version that does not fit beside the old one may fit in its place.
static enum sluice_status update_or_replace(struct sluice_plan *plan,
                                            const struct sluice_image *image, unsigned vid,
                                            struct sluice_error *error) {
  const bool trusted = plan->trusted;
  const enum sluice_status status = sluice_plan_update(plan, image, vid, error);
  if (status != SLUICE_ERR_FULL) return status;
  plan->trusted = trusted;
  return sluice_plan_replace(plan, image, vid, error);
}

enum sluice_status verb_update(struct asked *a) {
  const bool banks = live_config(a->live)->Banks == 2;
  struct sluice_plan *plan;
  struct sluice_carry carry;
  CHIP_TRY(next_plan(a, banks ? sluice_plan_update : update_or_replace, &plan));
  enum sluice_status status =
      sluice_carry_look(&carry, sluice_chip_plan(a->chip), plan, image_before, a->live, &a->error);
  if (!status) status = update_with(a, plan, &carry);
  sluice_carry_release(&carry);
  sluice_plan_close(plan);
  return status;
}

enum sluice_status verb_remove(struct asked *a) {
  unsigned vid;
  CHIP_TRY(asked_number(a, "vid", 4094, &vid));
  struct sluice_plan *plan;
  CHIP_TRY(chip_settle(a->chip, &a->error));
  CHIP_TRY(sluice_plan_copy(&plan, sluice_chip_plan(a->chip), &a->error));
  enum sluice_status status = sluice_plan_remove(plan, vid, &a->error);
  if (!status && !live_no_shares(a->live))
    status = sluice_plan_divide(plan, sluice_chip_plan(a->chip), &a->error);
  if (!status) status = sluice_chip_apply(a->chip, plan, &a->error);
  sluice_plan_close(plan);
  if (status) return status;
  if (live_reactions(a->live)) reactions_remove(live_reactions(a->live), vid);
  live_keep_image(a->live, vid, NULL);
  return SLUICE_OK;
}

// With "count": the next packets' stories are wanted. Without: those that have ended.
enum sluice_status verb_trace(struct asked *a) {
  if (asked_has(a, "count")) {
    json_int_t count;
    CHIP_TRY(asked_whole(a, "count", 1, TRACE_MOST, &count));
    return live_tell(a->live, (uint32_t)count, &a->error);
  }
  json_t *list = json_array(), *story;
  while ((story = live_story(a->live))) answer_append(list, story);
  answer_put(a->answer, "stories", list);
  return SLUICE_OK;
}

static json_t *ports_of(const struct asked *a) {
  json_t *list = json_array();
  for (unsigned p = 0; p < live_config(a->live)->NumPorts; p++) {
    const struct live_spec *spec = live_spec_of(a->live, p);
    if (!spec) continue;
    json_t *port = json_object();
    answer_whole(port, "port", p);
    answer_text(port, "kind", live_kind_name(spec->kind));
    if (spec->netns[0]) answer_text(port, "netns", spec->netns);
    if (spec->name[0]) answer_text(port, "name", spec->name);
    if (spec->in[0]) answer_text(port, "in", spec->in);
    if (spec->out[0]) answer_text(port, "out", spec->out);
    if (spec->kind == LIVE_UDP) answer_whole(port, "udp", ntohs(spec->here.sin_port));
    if (spec->trunk) answer_put(port, "trunk", json_true());
    else answer_whole(port, "vlan", spec->vid);
    if (live_link_of(a->live, p) != LIVE_LINK_NONE)
      answer_text(port, "link", live_link_name(live_link_of(a->live, p)));
    if (live_gone(a->live, p)) answer_text(port, "gone", live_gone(a->live, p));
    answer_append(list, port);
  }
  return list;
}

enum sluice_status verb_list(struct asked *a) {
  const struct sluice_config *c = live_config(a->live);
  json_t *modules = json_array();
  struct sluice_module m;
  answer_text(a->answer, "chip", c->name);
  for (unsigned n = 0; sluice_plan_module(sluice_chip_plan(a->chip), n, &m); n++) {
    json_t *module = json_object(), *arrays = json_array();
    struct sluice_image_array array;
    answer_whole(module, "vid", m.vid);
    answer_text(module, "program", m.program);
    answer_whole(module, "row", m.row);
    answer_bank(a, module, m.vid);
    answer_whole(module, "first_pipe", m.first_pipe);
    answer_whole(module, "pipes", m.pipes);
    for (unsigned k = 0; sluice_chip_get_array(a->chip, m.vid, k, &array); k++) {
      json_t *one = json_object();
      answer_text(one, "name", array.name);
      answer_whole(one, "size", array.size);
      answer_whole(one, "stage", array.stage);
      answer_put(one, "pinned", json_boolean(array.pinned));
      if (array.egress) answer_put(one, "egress", json_true());
      answer_append(arrays, one);
    }
    struct sluice_image_rows rows;
    for (unsigned k = 0; sluice_chip_get_rows(a->chip, m.vid, k, &rows); k++) {
      json_t *one = json_object();
      answer_text(one, "name", rows.name);
      answer_whole(one, "size", rows.size);
      answer_whole(one, "words", rows.words);
      answer_whole(one, "stage", rows.stage);
      answer_put(one, "pinned", json_boolean(rows.pinned));
      answer_append(arrays, one);
    }
    answer_put(module, "arrays", arrays);
    answer_append(modules, module);
  }
  answer_put(a->answer, "modules", modules);
  answer_put(a->answer, "ports", ports_of(a));
  return SLUICE_OK;
}

// ---- malleables ---------------------------------------------------------------------------------

static json_t *params_of(const struct asked *a, unsigned vid) {
  const struct sluice_plan *plan = sluice_chip_plan(a->chip);
  json_t *list = json_array();
  struct sluice_param_info p;
  for (unsigned n = 0; sluice_plan_param(plan, vid, n, &p); n++) {
    json_t *one = json_object(), *choices = json_array();
    answer_text(one, "name", p.name);
    answer_put(one, "value", json_integer(p.value));
    answer_put(one, "low", json_integer(p.low));
    answer_put(one, "high", json_integer(p.high));
    for (unsigned i = 0; i < p.num_choices; i++)
      answer_append(choices, json_string(sluice_plan_param_choice(plan, vid, n, i)));
    if (p.num_choices) {
      answer_text(one, "choice", sluice_plan_param_choice(plan, vid, n, (unsigned)p.value));
      answer_put(one, "choices", json_incref(choices));
    }
    json_decref(choices);
    answer_append(list, one);
  }
  return list;
}

static enum sluice_status setting_of(struct asked *a, const json_t *from, unsigned vid,
                                     struct sluice_setting *s) {
  const json_t *name = json_object_get(from, "name"), *value = json_object_get(from, "value"),
               *of = json_object_get(from, "vid");
  *s = (struct sluice_setting){.vid = of ? (unsigned)json_integer_value(of) : vid,
                               .name = json_string_value(name)};
  CHIP_TRY(asked_only(a, "set", from, "name value vid"));
  if (!s->name || !(json_is_integer(value) || json_is_string(value)) ||
      (of && !json_is_integer(of)))
    return asked_wants(
        a, "set",
        "a list of objects with a name, a value (number, or name of a choice) and maybe a vid");
  s->choice = json_string_value(value);
  s->value = json_integer_value(value);
  return SLUICE_OK;
}

// Malleables of a module; with "set" those of one or more are changed in one transaction first.
enum sluice_status verb_param(struct asked *a) {
  enum { MOST = 64 };
  const json_t *list = json_object_get(a->request, "set");
  struct sluice_setting settings[MOST];
  struct sluice_update_report report;
  unsigned vid;
  CHIP_TRY(asked_number(a, "vid", 4094, &vid));
  if (asked_has(a, "set") && (!json_array_size(list) || json_array_size(list) > MOST))
    return asked_wants(a, "set", "a list of 1 to 64 objects");
  const unsigned num = (unsigned)json_array_size(list);
  for (unsigned i = 0; i < num; i++)
    CHIP_TRY(setting_of(a, json_array_get(list, i), vid, &settings[i]));
  if (num) {
    // With one bank the module's packets would be dropped meanwhile: frames wait instead.
    const bool paused = live_config(a->live)->Banks != 2;
    if (paused) CHIP_TRY(live_pause(a->live, &a->error));
    const enum sluice_status status =
        sluice_chip_set_params(a->chip, settings, num, &report, &a->error);
    if (paused) live_go_on(a->live);
    CHIP_TRY(status);
    answer_put(a->answer, "lossy", json_false());
    put_report(a, &report);
    if (paused) answer_put(a->answer, "paused", json_true());
  }
  if (!sluice_plan_find(sluice_chip_plan(a->chip), vid))
    return sluice_fail(&a->error, SLUICE_ERR_NOT_FOUND, "no module on the chip has VLAN id %u",
                       vid);
  answer_put(a->answer, "params", params_of(a, vid));
  return SLUICE_OK;
}

// ---- reactions ----------------------------------------------------------------------------------

static enum sluice_status change_reaction(struct asked *a, unsigned vid, const char *name,
                                          const char *action) {
  struct reactions *rs = live_reactions(a->live);
  struct sluice_image image;
  if (strcmp(action, "stop") == 0) return reactions_stop(rs, vid, name, &a->error);
  if (strcmp(action, "start") == 0) return reactions_start(rs, vid, name, &a->error);
  if (strcmp(action, "reload") != 0) return asked_wants(a, "action", "start, stop or reload");
  struct reaction_making *making = asked_take_making(a, vid);
  if (making) return reactions_reload_made(making, &a->error);
  // Nothing was made: of what is no image, or has no reactions.
  CHIP_TRY(image_of(a, a->request, &image));
  sluice_image_release(&image);
  return sluice_fail(&a->error, SLUICE_ERR_NOT_FOUND, "the new program has no reaction '%.60s'",
                     name);
}

// What reactions have done; with "action" one of them is changed first.
enum sluice_status verb_reaction(struct asked *a) {
  const struct reactions *rs = live_reactions(a->live);
  const char *name = NULL, *action;
  unsigned vid = 0;
  if (!rs)
    return sluice_fail(&a->error, SLUICE_ERR_UNSUPPORTED,
                       "this switch runs no reactions (--reactions off)");
  if (asked_has(a, "vid")) CHIP_TRY(asked_number(a, "vid", 4094, &vid));
  if (asked_has(a, "name") || asked_has(a, "action")) CHIP_TRY(asked_number(a, "vid", 4094, &vid));
  if (asked_has(a, "name") || asked_has(a, "action")) CHIP_TRY(asked_text(a, "name", &name));
  if (asked_has(a, "action")) {
    CHIP_TRY(asked_text(a, "action", &action));
    CHIP_TRY(change_reaction(a, vid, name, action));
  }
  json_t *list = reaction_report(rs, asked_has(a, "vid") ? (int)vid : -1, name);
  const bool none = list && name && !json_array_size(list);
  answer_put(a->answer, "reactions", list);
  return none ? sluice_fail(&a->error, SLUICE_ERR_NOT_FOUND,
                            "the module of VLAN %u has no reaction '%.60s'", vid, name)
              : SLUICE_OK;
}
