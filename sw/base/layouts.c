// SPDX-License-Identifier: Apache-2.0
#include "layouts.h"
#include "hash.h"
#include "number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct sluice_table_info sluice_tables[SLUICE_NUM_TABLES] = {
#define SLUICE_TABLE(TABLE, MODULE, SUB, RULE, BITS, ROWS, SCOPE, OPS, COMMIT, KEPT, DOC) \
  {#TABLE,                                                                                \
   MODULE,                                                                                \
   SUB,                                                                                   \
   SLUICE_RULE_##RULE,                                                                    \
   BITS,                                                                                  \
   SLUICE_ROWS_##ROWS,                                                                    \
   SLUICE_SCOPE_##SCOPE,                                                                  \
   SLUICE_OPS_##OPS,                                                                      \
   SLUICE_COMMIT_##COMMIT,                                                                \
   SLUICE_KEPT_##KEPT,                                                                    \
   DOC},
#include "../layouts.def"
};

enum sluice_table sluice_table_find(unsigned module, unsigned sub) {
  enum sluice_table rest = SLUICE_NUM_TABLES;
  for (unsigned t = 0; t < SLUICE_NUM_TABLES; t++) {
    if (sluice_tables[t].module != module) continue;
    if (sluice_tables[t].rule == SLUICE_RULE_rest) rest = (enum sluice_table)t;
    else if (sluice_tables[t].sub == sub) return (enum sluice_table)t;
  }
  return rest;
}

const char *sluice_table_layout(enum sluice_table table) {
  if (sluice_table_is_count(table)) return "ENTRY_COUNT";
  if (sluice_table_is_contents(table) && table != SLUICE_TABLE_STATE_ROW) return "STATE_ENTRY";
  if (table == SLUICE_TABLE_EGRESS_OPT) return "DEPARSE_OPT";
  return table == SLUICE_TABLE_KEY_MASK ? "KEY" : sluice_tables[table].name;
}

int sluice_table_named(const char *name) {
  for (int t = 0; t < SLUICE_NUM_TABLES; t++)
    if (strcasecmp(sluice_tables[t].name, name) == 0) return t;
  return -1;
}

static const struct {
  const char *enumeration, *name, *doc;
  unsigned value;
} values[] = {
#define SLUICE_VALUE(ENUM, BITS, NAME, VALUE, DOC) {#ENUM, #NAME, DOC, VALUE},
#include "../layouts.def"
};
enum { NUM_VALUES = sizeof values / sizeof values[0] };

const char *sluice_value_name(const char *enumeration, unsigned value) {
  for (int i = 0; i < NUM_VALUES; i++)
    if (values[i].value == value && strcmp(values[i].enumeration, enumeration) == 0)
      return values[i].name;
  return "?";
}

const char *sluice_value_doc(const char *enumeration, unsigned value) {
  for (int i = 0; i < NUM_VALUES; i++)
    if (values[i].value == value && strcmp(values[i].enumeration, enumeration) == 0)
      return values[i].doc;
  return "0";
}

int sluice_value_find(const char *enumeration, const char *name) {
  for (int i = 0; i < NUM_VALUES; i++)
    if (strcmp(values[i].enumeration, enumeration) == 0 && strcasecmp(values[i].name, name) == 0)
      return (int)values[i].value;
  return -1;
}

// How many instances of a block a shape has, and its registers. GROUPS and COUNT are 1 or names of
// parameters.
static void block_size(const struct sluice_config *c, unsigned block, unsigned *groups,
                       unsigned *count) {
#define SLUICE_PARAM(NAME, LOW, HIGH, POWER, DOC, DEPENDS) const unsigned NAME = c->NAME;
#define SLUICE_FOLLOWS(NAME, VALUE, DOC) const unsigned NAME = c->NAME;
#include "../configs.def"
  const unsigned sizes[][2] = {
#define SLUICE_BLOCK(BLOCK, FIRST, STEP, GROUPS, COUNT, DOC) {GROUPS, COUNT},
#include "../layouts.def"
  };
  *groups = sizes[block][0];
  *count = sizes[block][1];
#define SLUICE_PARAM(NAME, LOW, HIGH, POWER, DOC, DEPENDS) (void)NAME;
#define SLUICE_FOLLOWS(NAME, VALUE, DOC) (void)NAME;
#include "../configs.def"
}

enum {
#define SLUICE_BLOCK(BLOCK, FIRST, STEP, GROUPS, COUNT, DOC) BLOCK_##BLOCK,
#include "../layouts.def"
};
enum { ACCESS_ro, ACCESS_rw };
static const struct {
  const char *name;
  uint32_t base, stride;
} blocks[] = {
#define SLUICE_BLOCK(BLOCK, FIRST, STEP, GROUPS, COUNT, DOC) {#BLOCK, FIRST, STEP},
#include "../layouts.def"
};
static const struct {
  unsigned block;
  const char *name;
  uint32_t offset, words;
  bool writable;
} registers[] = {
#define SLUICE_REG(BLOCK, REG, OFFSET, ACCESS, DOC) SLUICE_REGS(BLOCK, REG, OFFSET, 1, ACCESS, DOC)
#define SLUICE_REGS(BLOCK, REG, OFFSET, WORDS, ACCESS, DOC) \
  {BLOCK_##BLOCK, #REG, OFFSET, WORDS, ACCESS_##ACCESS},
#include "../layouts.def"
};
enum { NUM_REGISTERS = sizeof registers / sizeof *registers };

// Instance n of a block: with groups, i of group g is 16 g + i.
static bool instance_exists(const struct sluice_config *c, unsigned block, uint32_t n) {
  unsigned groups, count;
  block_size(c, block, &groups, &count);
  return groups == 1 ? n < count : n / 16 < groups && n % 16 < count;
}

enum sluice_found sluice_register_find(const struct sluice_config *c, const char *block,
                                       unsigned instance, const char *name, unsigned word,
                                       uint32_t *addr) {
  for (int i = 0; i < NUM_REGISTERS; i++) {
    const unsigned b = registers[i].block;
    if (strcasecmp(blocks[b].name, block) != 0 || strcasecmp(registers[i].name, name) != 0)
      continue;
    if (!instance_exists(c, b, instance) || word >= registers[i].words)
      return SLUICE_FOUND_NO_INSTANCE;
    *addr = blocks[b].base + blocks[b].stride * instance + registers[i].offset + 4 * word;
    return SLUICE_FOUND;
  }
  return SLUICE_FOUND_NO_NAME;
}

bool sluice_register_at(const struct sluice_config *c, uint32_t addr, bool *writable) {
  for (int i = 0; i < NUM_REGISTERS; i++) {
    const unsigned b = registers[i].block;
    if (addr < blocks[b].base) continue;
    const uint32_t n = (addr - blocks[b].base) / blocks[b].stride,
                   at = (addr - blocks[b].base) % blocks[b].stride;
    if (at < registers[i].offset || at >= registers[i].offset + 4 * registers[i].words || at % 4 ||
        !instance_exists(c, b, n))
      continue;
    *writable = registers[i].writable;
    return true;
  }
  return false;
}

// A shape overrides what its base says, which the compiler would warn of.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
static struct sluice_config configs[] = {
#define SLUICE_CONFIG(NAME, DOC, ...) {.name = #NAME, .doc = DOC, __VA_ARGS__},
#include "../configs.def"
#define SLUICE_CONFIG(NAME, DOC, ...) {.name = #NAME, .doc = DOC, __VA_ARGS__},
#include "../tests/shapes.def"
};
#pragma GCC diagnostic pop
const struct sluice_config *const sluice_configs = configs;
const unsigned sluice_num_configs = sizeof configs / sizeof configs[0];
enum {
#define SLUICE_CONFIG(NAME, DOC, ...) OFFERED_##NAME,
#include "../configs.def"
  NUM_OFFERED
};
const unsigned sluice_num_offered = NUM_OFFERED;

void sluice_config_follow(struct sluice_config *c) {
// Of numbers that are not legal nothing follows: with some of them an expression has no value.
#define SLUICE_PARAM(NAME, LOW, HIGH, POWER, DOC, DEPENDS) \
  const unsigned NAME = c->NAME;                           \
  if (NAME + 1u < LOW + 1u || NAME > HIGH) return;
#define SLUICE_FOLLOWS(NAME, VALUE, DOC) const unsigned NAME = c->NAME = (unsigned)(VALUE);
#include "../configs.def"
#define SLUICE_PARAM(NAME, LOW, HIGH, POWER, DOC, DEPENDS) (void)NAME;
#define SLUICE_FOLLOWS(NAME, VALUE, DOC) (void)NAME;
#include "../configs.def"
}

// C cannot say what follows where a shape is written down, so it is done before main().
__attribute__((constructor)) static void follow_all(void) {
  for (unsigned i = 0; i < sluice_num_configs; i++) sluice_config_follow(&configs[i]);
}

// FNV-1a over the names and numbers, so that a change of a comment changes nothing.
static uint32_t mix(uint32_t hash, const char *text, const unsigned *numbers, unsigned count) {
  hash = sluice_hash32(hash, text, strlen(text));
  for (unsigned i = 0; i < count; i++)
    for (unsigned b = 0; b < 32; b += 8)
      hash = sluice_hash32(hash, &(uint8_t){(uint8_t)(numbers[i] >> b)}, 1);
  return hash;
}

uint32_t sluice_layout_hash(void) {
  uint32_t hash = SLUICE_HASH32;
#define MIX(TEXT, ...)                                    \
  hash = mix(hash, TEXT, (const unsigned[]){__VA_ARGS__}, \
             sizeof((const unsigned[]){__VA_ARGS__}) / sizeof(unsigned));
#define SLUICE_VALUE(ENUM, BITS, NAME, VALUE, DOC) MIX(#ENUM "." #NAME, BITS, VALUE)
#define SLUICE_LAYOUT(LAYOUT, BITS, DOC) MIX(#LAYOUT, BITS)
#define SLUICE_FIELD(LAYOUT, FIELD, MSB, LSB, DOC) MIX(#LAYOUT "." #FIELD, MSB, LSB)
#define SLUICE_TABLE(TABLE, MODULE, SUB, RULE, BITS, ROWS, SCOPE, OPS, COMMIT, KEPT, DOC) \
  MIX(#TABLE "." #RULE "." #ROWS "." #SCOPE "." #OPS "." #COMMIT "." #KEPT, MODULE, SUB, BITS)
#define SLUICE_BLOCK(BLOCK, FIRST, STEP, GROUPS, COUNT, DOC) MIX(#BLOCK, FIRST, STEP)
#define SLUICE_REG(BLOCK, REG, OFFSET, ACCESS, DOC) MIX(#BLOCK "." #REG, OFFSET)
#include "../layouts.def"
#undef MIX
  return hash;
}

static int refuse(char *why, unsigned long why_len, const char *config, const char *text) {
  snprintf(why, why_len, "configuration '%s': %s", config, text);
  return -1;
}

uint32_t sluice_config_shape(const struct sluice_config *c, unsigned n) {
  const uint32_t narrow = c->BeatBytes == 16, long_headers = c->HeaderBytes == 128;
  switch (n) {
    case 0:
      return c->NumPipes | c->NumPorts << 8 | c->FrontStages << 16 | c->BackStages << 24 |
             c->Shifters << 31;
    case 1:
      return c->StateEntries | narrow << 19 | long_headers << 20 | c->SharedSums << 21 |
             c->Checksums << 22 | c->HashUnits << 23 | c->NumModules << 24;
    case 2:
      return c->MatchEntries | c->Num2B << 16 | c->Num4B << 20 | c->Num6B << 24 |
             c->ParseActions << 28;
    case 3:
      return c->BankDepth | c->PhantomDepth << 8 | c->StateStages << 18 |
             (uint32_t)__builtin_ctz(c->Window) << 24 | c->MatchCycles << 28 | c->StatePairs << 31;
    case 4:
      return c->Banks | c->Marks << 2 | c->Multipliers << 3 | c->CutStages << 4 | c->Active << 24 |
             (c->ActiveIds ? (uint32_t)__builtin_ctz(c->ActiveIds) : 0) << 25 |
             c->Recirculation << 29 | c->WideCompare << 30;
    case 5:
      return c->TernaryStages |
             (c->CuckooEntries ? (uint32_t)__builtin_ctz(c->CuckooEntries) : 0) << 24 |
             c->ActionData << 29 | c->DefaultActions << 30 | c->TransmitStore << 31;
    case 6:
      return c->CuckooStages |
             (c->ArrayEntries ? (uint32_t)__builtin_ctz(c->ArrayEntries) : 0) << 24 |
             (c->FastLanes ? (uint32_t)__builtin_ctz(c->FastLanes) : 0) << 29 |
             c->OrderedMerge << 31;
    case 8:
      return c->ArrayStages | c->ArrayWords << 20 | c->EgressStages << 25 | c->EntryCounters << 28 |
             c->RateLimits << 29 | c->FlipGuard << 30;
    default:
      return c->TernaryEntries | c->ExtraActions << 12 |
             (c->OutputClasses ? (uint32_t)__builtin_ctz(c->OutputClasses) : 0) << 29;
  }
}

bool sluice_config_same(const struct sluice_config *a, const struct sluice_config *b) {
  if (!a || !b) return false;
  for (unsigned n = 0; n < SLUICE_SHAPES; n++)
    if (sluice_config_shape(a, n) != sluice_config_shape(b, n)) return false;
  return true;
}

bool sluice_config_is(const struct sluice_config *config, const char *name) {
  return strcmp(config->name, name) == 0 || sluice_config_same(config, sluice_config_find(name));
}

int sluice_config_check(const struct sluice_config *c, char *why, unsigned long why_len) {
  char text[200];
#define SLUICE_PARAM(NAME, LOW, HIGH, POWER, DOC, DEPENDS)                      \
  const uint32_t NAME = c->NAME;                                                \
  if (NAME + 1u < LOW + 1u || NAME > HIGH || (POWER && (NAME & (NAME - 1u))) || \
      (NAME && NAME + 1u <= POWER)) {                                           \
    snprintf(text, sizeof text, #NAME " is %u; it must be %s%u to %u", NAME,    \
             SLUICE_POWER_TEXT(POWER), SLUICE_LEAST(LOW, POWER), HIGH + 0u);    \
    return refuse(why, why_len, c->name, text);                                 \
  }
#define SLUICE_FOLLOWS(NAME, VALUE, DOC) const uint32_t NAME = c->NAME;
#define SLUICE_RULE(TEST, SENTENCE, REASON) \
  if (!(TEST)) return refuse(why, why_len, c->name, SENTENCE);
#include "../configs.def"
#define SLUICE_FOLLOWS(NAME, VALUE, DOC) (void)NAME;
#include "../configs.def"
  return 0;
}

int sluice_config_set(struct sluice_config *c, const char *setting, char *why,
                      unsigned long why_len) {
  const char *value = strchr(setting, '=');
  uint64_t number = 0;
  if (!value || !sluice_number_in(value + 1, 0, UINT32_MAX, &number)) {
    snprintf(why, why_len, "'%s' is not PARAMETER=NUMBER", setting);
    return -1;
  }
  const size_t len = (size_t)(value - setting);
#define SLUICE_PARAM(NAME, LOW, HIGH, POWER, DOC, DEPENDS)            \
  if (len == sizeof #NAME - 1 && strncmp(setting, #NAME, len) == 0) { \
    c->NAME = (unsigned)number;                                       \
    sluice_config_follow(c);                                          \
    return 0;                                                         \
  }
#define SLUICE_FOLLOWS(NAME, VALUE, DOC)                                   \
  if (len == sizeof #NAME - 1 && strncmp(setting, #NAME, len) == 0) {      \
    snprintf(why, why_len, "%s", #NAME " is no parameter: it is " #VALUE); \
    return -1;                                                             \
  }
#include "../configs.def"
  snprintf(why, why_len, "there is no parameter '%.*s'; docs/shapes.md lists them", (int)len,
           setting);
  return -1;
}
