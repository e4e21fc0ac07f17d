// SPDX-License-Identifier: Apache-2.0
// Shapes by their names: those of configs.def and of tests, and what is changed of them, as in
// "s2.k4.NumPorts8".
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layouts.h"

// What an image can hold (SLUICE_NAME_LEN), with its end.
enum { NAME_LEN = 64, MAX_LOG2 = 4 };

// Names that shapes had before their parts could be named.
static const struct {
  const char *was, *is;
} former[] = {
#define SLUICE_FORMER(WAS, IS) {#WAS, IS},
#include "../configs.def"
};

// Shapes that were asked for by changed names. They stay: whoever asked keeps a pointer. Two
// threads that ask at once for the same may get two that are alike.
struct made {
  struct sluice_config config;
  struct made *next;
  char name[NAME_LEN];
};
static _Atomic(struct made *) all_made;

static const struct sluice_config *known(const char *name, size_t len) {
  for (unsigned i = 0; i < sluice_num_configs; i++)
    if (strlen(sluice_configs[i].name) == len && memcmp(sluice_configs[i].name, name, len) == 0)
      return &sluice_configs[i];
  return NULL;
}

static int refuse_part(const char *name, const char *says, char *why, unsigned long why_len) {
  snprintf(why, why_len, "shape '%s': %s", name, says);
  return -1;
}

// "k8": what decides how many packets are inside follows the number of pipelines.
static void set_pipes(struct sluice_config *c, unsigned pipes) {
  const unsigned were = c->NumPipes;
  c->NumPipes = pipes;
  if (c->FastLanes) c->NumPorts = pipes / c->FastLanes;
  else if (c->NumPorts < pipes) c->NumPorts = pipes;
  if (pipes > were) c->Window = c->Window * (pipes / were);
  // One lane may send all packets to one pipeline.
  if (pipes == 1 && c->BankDepth < 16) c->BankDepth = 16;
  sluice_config_follow(c);
}

// One part behind a name, without its dot: "k8", "NumPorts8" or "NumPorts=8". What it is called in
// the name of the shape goes to `called`.
static int change(struct sluice_config *c, const char *name, const char *part, size_t len,
                  char *called, char *why, unsigned long why_len) {
  char setting[NAME_LEN + 1];
  if (part[0] == 'k') {
    for (unsigned log2 = 0; log2 <= MAX_LOG2; log2++) {
      snprintf(called, NAME_LEN, "k%u", 1u << log2);
      if (strlen(called) == len && memcmp(called, part, len) == 0)
        return set_pipes(c, 1u << log2), 0;
    }
    return refuse_part(name, "behind .k stands 1, 2, 4, 8 or 16", why, why_len);
  }
  size_t digits = 0;
  while (digits < len && strchr("0123456789", part[len - 1 - digits])) digits++;
  size_t word = len - digits;
  if (word && part[word - 1] == '=') word--;
  // Names of parameters end in letters, so all digits are of the number.
  snprintf(setting, sizeof setting, "%.*s=%.*s", (int)word, part, (int)digits, part + len - digits);
  snprintf(called, NAME_LEN, "%.*s%.*s", (int)word, part, (int)digits, part + len - digits);
  if (!digits || word + digits + 2 > NAME_LEN || (digits > 1 && part[len - digits] == '0'))
    return refuse_part(name, "behind a dot stands kN, or a parameter and its value: .NumPorts8",
                       why, why_len);
  return sluice_config_set(c, setting, why, why_len);
}

static const struct sluice_config *keep(const struct sluice_config *c, const char *name) {
  for (const struct made *m = atomic_load(&all_made); m; m = m->next)
    if (strcmp(m->name, name) == 0) return &m->config;
  struct made *m = malloc(sizeof *m);
  if (!m) return NULL;
  m->config = *c;
  snprintf(m->name, sizeof m->name, "%s", name);
  m->config.name = m->name;
  m->next = atomic_load(&all_made);
  while (!atomic_compare_exchange_weak(&all_made, &m->next, m)) {}
  return &m->config;
}

// A shape and the parts behind it.
static const struct sluice_config *changed(const struct sluice_config *from, const char *name,
                                           const char *parts, char *why, unsigned long why_len) {
  struct sluice_config c = *from;
  char full[NAME_LEN], called[NAME_LEN];
  size_t at = (size_t)snprintf(full, sizeof full, "%s", from->name);
  while (*parts == '.') {
    const size_t len = strcspn(++parts, ".");
    if (change(&c, name, parts, len, called, why, why_len)) return NULL;
    if (at + 1 + strlen(called) >= sizeof full) {
      snprintf(why, why_len, "the name '%s' is too long: at most %d characters", name,
               NAME_LEN - 1);
      return NULL;
    }
    at += (size_t)snprintf(full + at, sizeof full - at, ".%s", called);
    parts += len;
  }
  c.name = full;
  return sluice_config_check(&c, why, why_len) ? NULL : keep(&c, full);
}

// "random.7": shape number 7 of the random ones, of at most three digits.
static const struct sluice_config *random_shape(const char *name) {
  unsigned number = 0;
  const char *digits = name + strlen("random.");
  const size_t len = strspn(digits, "0123456789");
  if (len == 0 || len > 3 || digits[len]) return NULL;
  for (size_t i = 0; i < len; i++) number = 10 * number + (unsigned)(digits[i] - '0');
  const struct sluice_config *random = sluice_config_random(number);
  return random && strcmp(random->name, name) == 0 ? random : NULL;
}

const struct sluice_config *sluice_config_named(const char *name, char *why,
                                                unsigned long why_len) {
  const size_t len = strcspn(name, ".");
  snprintf(why, why_len, "%s", "");
  if (strncmp(name, "random.", strlen("random.")) == 0) return random_shape(name);
  const struct sluice_config *from = known(name, len);
  if (from) return name[len] ? changed(from, name, name + len, why, why_len) : from;
  for (size_t i = 0; i < sizeof former / sizeof *former; i++)
    if (strlen(former[i].was) == len && memcmp(former[i].was, name, len) == 0)
      snprintf(why, why_len, "shape '%s' is called '%s' today", former[i].was, former[i].is);
  return NULL;
}

const struct sluice_config *sluice_config_find(const char *name) {
  char why[300];
  return sluice_config_named(name, why, sizeof why);
}

const struct sluice_config *sluice_config_derived(unsigned n) {
  char name[NAME_LEN];
  const unsigned i = n / (MAX_LOG2 + 1);
  if (i >= sluice_num_configs) return NULL;
  snprintf(name, sizeof name, "%s.k%u", sluice_configs[i].name, 1u << n % (MAX_LOG2 + 1));
  const struct sluice_config *c = sluice_config_find(name);
  return c ? c : &sluice_configs[i];
}
