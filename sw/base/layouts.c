// SPDX-License-Identifier: Apache-2.0
#include "layouts.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

const struct sluice_table_info sluice_tables[SLUICE_NUM_TABLES] = {
#define SLUICE_TABLE(TABLE, MODULE, SUB, BITS, SCOPE, DOC) \
  {#TABLE, MODULE, SUB, BITS, SLUICE_SCOPE_##SCOPE, DOC},
#include "../layouts.def"
};

static const struct {
  const char *enumeration, *name;
  unsigned value;
} values[] = {
#define SLUICE_VALUE(ENUM, BITS, NAME, VALUE, DOC) {#ENUM, #NAME, VALUE},
#include "../layouts.def"
};
enum { NUM_VALUES = sizeof values / sizeof values[0] };

const char *sluice_value_name(const char *enumeration, unsigned value) {
  for (int i = 0; i < NUM_VALUES; i++)
    if (values[i].value == value && strcmp(values[i].enumeration, enumeration) == 0) return values[i].name;
  return "?";
}

int sluice_value_find(const char *enumeration, const char *name) {
  for (int i = 0; i < NUM_VALUES; i++)
    if (strcmp(values[i].enumeration, enumeration) == 0 && strcasecmp(values[i].name, name) == 0)
      return (int)values[i].value;
  return -1;
}

const struct sluice_config sluice_configs[] = {
#define SLUICE_CONFIG(NAME, ...) {#NAME, __VA_ARGS__},
#include "../configs.def"
};
const unsigned sluice_num_configs = sizeof sluice_configs / sizeof sluice_configs[0];

const struct sluice_config *sluice_config_find(const char *name) {
  for (unsigned i = 0; i < sluice_num_configs; i++)
    if (strcmp(sluice_configs[i].name, name) == 0) return &sluice_configs[i];
  return NULL;
}

// FNV-1a over the names and numbers, so that a change of a comment changes nothing.
static uint32_t mix(uint32_t hash, const char *text, const unsigned *numbers, unsigned count) {
  for (; *text; text++) hash = (hash ^ (uint8_t)*text) * 16777619u;
  for (unsigned i = 0; i < count; i++)
    for (unsigned b = 0; b < 32; b += 8) hash = (hash ^ (numbers[i] >> b & 255u)) * 16777619u;
  return hash;
}

uint32_t sluice_layout_hash(void) {
  uint32_t hash = 2166136261u;
#define MIX(TEXT, ...) \
  hash = mix(hash, TEXT, (const unsigned[]){__VA_ARGS__}, \
             sizeof((const unsigned[]){__VA_ARGS__}) / sizeof(unsigned));
#define SLUICE_VALUE(ENUM, BITS, NAME, VALUE, DOC) MIX(#ENUM "." #NAME, BITS, VALUE)
#define SLUICE_LAYOUT(LAYOUT, BITS, DOC) MIX(#LAYOUT, BITS)
#define SLUICE_FIELD(LAYOUT, FIELD, MSB, LSB, DOC) MIX(#LAYOUT "." #FIELD, MSB, LSB)
#define SLUICE_TABLE(TABLE, MODULE, SUB, BITS, SCOPE, DOC) MIX(#TABLE "." #SCOPE, MODULE, SUB, BITS)
#define SLUICE_BLOCK(BLOCK, FIRST, STEP, DOC) MIX(#BLOCK, FIRST, STEP)
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
    case 0: return c->NumPipes | c->NumPorts << 8 | c->FrontStages << 16 | c->BackStages << 24 | c->Shifters << 31;
    case 1:
      return c->StateEntries | narrow << 19 | long_headers << 20 | c->SharedSums << 21 | c->Checksums << 22 | c->HashUnits << 23 |
             c->NumModules << 24;
    case 2: return c->MatchEntries | c->Num2B << 16 | c->Num4B << 20 | c->Num6B << 24 | c->ParseActions << 28;
    default:
      return c->BankDepth | c->PhantomDepth << 8 | c->StateStages << 18 | (uint32_t)__builtin_ctz(c->Window) << 24 |
             c->StatePairs << 31;
  }
}

int sluice_config_check(const struct sluice_config *c, char *why, unsigned long why_len) {
  char text[200];
#define SLUICE_PARAM(NAME, LOW, HIGH, POWER, DOC)                                              \
  if (c->NAME + 1u < LOW + 1u || c->NAME > HIGH) {                                             \
    snprintf(text, sizeof text, #NAME " is %u, legal is %u..%u", c->NAME, LOW + 0u, HIGH + 0u); \
    return refuse(why, why_len, c->name, text);                                                \
  }                                                                                            \
  if (POWER && (c->NAME & (c->NAME - 1u))) {                                                   \
    snprintf(text, sizeof text, #NAME " is %u and must be a power of two", c->NAME);           \
    return refuse(why, why_len, c->name, text);                                                \
  }
#include "../configs.def"
  if (c->NumPorts % c->NumPipes)
    return refuse(why, why_len, c->name, "NumPorts must be a multiple of NumPipes");
  if (c->StateStages > c->BackStages)
    return refuse(why, why_len, c->name, "StateStages must be at most BackStages");
  if (c->Relocations && c->Relocations < 4)
    return refuse(why, why_len, c->name, "Relocations must be 0 or at least 4");
  if (!c->StatePairs && !c->SharedSums)
    return refuse(why, why_len, c->name, "StatePairs 0 needs SharedSums 1");
  if (c->BeatBytes == 32)
    return refuse(why, why_len, c->name, "BeatBytes must be 16 or 64");
  if (c->BeatBytes == 16 && (c->HeaderBytes != 64 || c->Checksums))
    return refuse(why, why_len, c->name, "BeatBytes 16 needs HeaderBytes 64 and Checksums 0");
  if (c->StateEntries < c->NumPipes * 4)
    return refuse(why, why_len, c->name, "StateEntries must be at least four for each pipeline");
  if (c->HeaderSlots < c->LaneDepth * 2)
    return refuse(why, why_len, c->name, "HeaderSlots must be at least twice LaneDepth");
  return 0;
}
