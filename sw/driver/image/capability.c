// SPDX-License-Identifier: Apache-2.0
#include "capability.h"

#include <stdio.h>
#include <string.h>

#include "one_word.h"
#include "places.h"

// Each check gets an entry of its table and returns SLUICE_OK, or a refusal with its sentence.
typedef enum sluice_status check_fn(const struct sluice_config *, const struct sluice_image *,
                                    const struct sluice_write *, struct sluice_error *);

// Parser and deparser: the chip must have every action that is used, and reach its bytes.
static enum sluice_status check_actions(const struct sluice_config *c,
                                        const struct sluice_image *image,
                                        const struct sluice_write *w, struct sluice_error *error) {
  const char *name = w->table == SLUICE_TABLE_PARSER          ? "parser"
                     : w->table == SLUICE_TABLE_EGRESS_PARSER ? "egress parser"
                     : w->table == SLUICE_TABLE_DEPARSER      ? "deparser"
                                                              : "egress deparser";
  for (unsigned a = 0; a < sluice_tables[w->table].bits / SLUICE_PARSE_ACTION_BITS; a++) {
    const uint8_t *action = w->bytes + 2 * a;
    if (!SLUICE_GET(action, PARSE_ACTION, VALID)) continue;
    if (a >= c->ParseActions)
      return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                         "module '%s' uses %s action %u, chip '%s' has %u", image->program, name, a,
                         c->name, c->ParseActions);
    const unsigned end = (unsigned)(SLUICE_GET(action, PARSE_ACTION, OFFSET) +
                                    2 * SLUICE_GET(action, PARSE_ACTION, KIND));
    if (!SLUICE_GET(action, PARSE_ACTION, METADATA) && end > c->HeaderBytes)
      return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                         "module '%s': a %s action ends at byte %u, chip '%s' reaches %u",
                         image->program, name, end, c->name, c->HeaderBytes);
  }
  return SLUICE_OK;
}

// Checksums: a chip without them would leave old ones in the packets.
static enum sluice_status check_checksums(const struct sluice_config *c,
                                          const struct sluice_image *image,
                                          const struct sluice_write *w,
                                          struct sluice_error *error) {
  const bool wanted = SLUICE_GET(w->bytes, DEPARSE_OPT, IP_CHECKSUM) ||
                      SLUICE_GET(w->bytes, DEPARSE_OPT, L4_CHECKSUM);
  if (!wanted || c->Checksums) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                     "module '%s' has its checksums updated, chip '%s' updates none",
                     image->program, c->name);
}

static enum sluice_status check_hash(const struct sluice_config *c,
                                     const struct sluice_image *image, const struct sluice_write *w,
                                     struct sluice_error *error) {
  if (!SLUICE_GET(w->bytes, HASH_INSTR, VALID) || c->HashUnits) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                     "module '%s' hashes, chip '%s' has no hash units", image->program, c->name);
}

// One field of a VLIW slot of an action word.
#define SLOT_GET(BYTES, SLOT, FORM, FIELD)                                                \
  ((unsigned)sluice_entry_get(BYTES, sluice_tables[SLUICE_TABLE_ACTION].bits,             \
                              SLUICE_INSTR_BITS * (SLOT) + SLUICE_##FORM##_##FIELD##_MSB, \
                              SLUICE_INSTR_BITS * (SLOT) + SLUICE_##FORM##_##FIELD##_LSB))

// Shifts: without shifters they give 0. Slot 0 has none, and slots of containers that are not there
// do nothing.
static enum sluice_status check_shifts(const struct sluice_config *c,
                                       const struct sluice_image *image,
                                       const struct sluice_write *w, struct sluice_error *error) {
  for (unsigned slot = 1; slot <= 24 && !c->Shifters; slot++) {
    const unsigned op = SLOT_GET(w->bytes, slot, INSTR, OP);
    const unsigned func = op == SLUICE_OP_FUNC ? SLOT_GET(w->bytes, slot, INSTR_FUNC, F)
                                               : SLOT_GET(w->bytes, slot, INSTR_FUNCI, F);
    if (sluice_op_shifts(op, func) && sluice_config_has_slot(c, slot))
      return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                         "module '%s' shifts in slot %u at stage %u, chip '%s' has no shifters",
                         image->program, slot, w->stage, c->name);
  }
  return SLUICE_OK;
}

static bool multiplies(const struct sluice_config *c) { return c->Multipliers; }
static bool compares(const struct sluice_config *c) { return c->WideCompare; }
static bool has_arrays(const struct sluice_config *c) { return c->ArrayWords; }
static bool has_array_match(const struct sluice_config *c) { return c->ArrayEntries; }

// Of the chips to choose from.
static const char *chips_that(bool (*do_it)(const struct sluice_config *), char *text, size_t len) {
  unsigned num = 0, at = 0;
  size_t used = 0;
  for (unsigned i = 0; i < sluice_num_offered; i++) num += do_it(&sluice_configs[i]);
  for (unsigned i = 0; i < sluice_num_offered && used < len; i++) {
    if (!do_it(&sluice_configs[i])) continue;
    const char *before = at == 0 ? "" : at + 1 == num ? " and " : ", ";
    used += (size_t)snprintf(text + used, len - used, "%s'%s'", before, sluice_configs[i].name);
    at++;
  }
  if (used < len)
    snprintf(text + used, len - used,
             num == 0   ? "no chip has any"
             : num == 1 ? " has some"
                        : " have some");
  return text;
}

const char *sluice_chips_that_multiply(char *text, size_t len) {
  return chips_that(multiplies, text, len);
}
const char *sluice_chips_that_compare(char *text, size_t len) {
  return chips_that(compares, text, len);
}
const char *sluice_chips_with_arrays(char *text, size_t len) {
  return chips_that(has_arrays, text, len);
}
const char *sluice_chips_with_array_match(char *text, size_t len) {
  return chips_that(has_array_match, text, len);
}

static enum sluice_status no_multipliers(const struct sluice_config *c,
                                         const struct sluice_image *image,
                                         const struct sluice_write *w, struct sluice_error *error) {
  char others[80];
  return sluice_fail(
      error, SLUICE_ERR_UNSUPPORTED,
      "module '%s' multiplies two values at stage %u, chip '%s' has no multipliers; %s",
      image->program, w->stage, c->name, sluice_chips_that_multiply(others, sizeof others));
}

static enum sluice_status no_compares(const struct sluice_config *c,
                                      const struct sluice_image *image,
                                      const struct sluice_write *w, struct sluice_error *error) {
  char others[80];
  return sluice_fail(
      error, SLUICE_ERR_UNSUPPORTED,
      "module '%s' compares whole values at stage %u, chip '%s' has no wide compares; %s",
      image->program, w->stage, c->name, sluice_chips_that_compare(others, sizeof others));
}

// Arrays of packets, and rows of words beside state entries.
static enum sluice_status no_arrays(const struct sluice_config *c, const struct sluice_image *image,
                                    struct sluice_error *error) {
  char others[80];
  return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                     "module '%s' has arrays of words, chip '%s' has none; %s", image->program,
                     c->name, sluice_chips_with_arrays(others, sizeof others));
}
// Words of arrays that are keys.
static enum sluice_status no_array_match(const struct sluice_config *c,
                                         const struct sluice_image *image,
                                         struct sluice_error *error) {
  char others[80];
  return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                     "module '%s' looks words of arrays up, chip '%s' has no array match; %s",
                     image->program, c->name, sluice_chips_with_array_match(others, sizeof others));
}
static enum sluice_status no_rows(const struct sluice_config *c, const struct sluice_image *image,
                                  unsigned stage, struct sluice_error *error) {
  return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                     "module '%s' has rows of words at stage %u, chip '%s' has none there "
                     "(ArrayStages 0x%x): compile it again",
                     image->program, stage, c->name, c->ArrayStages);
}
static enum sluice_status check_words_of(const struct sluice_config *c,
                                         const struct sluice_image *image, unsigned words,
                                         struct sluice_error *error) {
  if (words <= c->ArrayWords) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                     "module '%s' has arrays of %u words, those of chip '%s' have %u",
                     image->program, words, c->name, c->ArrayWords);
}
static enum sluice_status check_array(const struct sluice_config *c,
                                      const struct sluice_image *image,
                                      const struct sluice_write *w, struct sluice_error *error) {
  if (!SLUICE_GET(w->bytes, ARRAY, VALID)) return SLUICE_OK;
  return check_words_of(c, image, (unsigned)SLUICE_GET(w->bytes, ARRAY, COUNT), error);
}

// Products: without multipliers there is no table of their operands (check_stage), and EXT would
// give 0.
static enum sluice_status check_products(const struct sluice_config *c,
                                         const struct sluice_image *image,
                                         const struct sluice_write *w, struct sluice_error *error) {
  for (unsigned slot = 1; slot <= 24 && !c->Multipliers; slot++)
    if (SLOT_GET(w->bytes, slot, INSTR, OP) == SLUICE_OP_EXT &&
        (SLOT_GET(w->bytes, slot, INSTR_IMM, IMM) & 15u) == SLUICE_EXT_PRODUCT &&
        sluice_config_has_slot(c, slot))
      return no_multipliers(c, image, w, error);
  return SLUICE_OK;
}

// A table of stages with state, or of front stages, in a stage that is none: the chip would refuse
// the packet.
static enum sluice_status check_stage(const struct sluice_config *c,
                                      const struct sluice_image *image,
                                      const struct sluice_write *w, struct sluice_error *error) {
  const struct sluice_table_info *table = &sluice_tables[w->table];
  if (w->stage >= sluice_config_stages(c))
    return sluice_fail(error, SLUICE_ERR_FORMAT, "module '%s': stage %u, chip '%s' has %u",
                       image->program, w->stage, c->name, sluice_config_stages(c));
  const bool there = sluice_table_in_stage(w->table, w->stage, c);
  if (w->table == SLUICE_TABLE_MULTIPLY && !there) return no_multipliers(c, image, w, error);
  if (w->table == SLUICE_TABLE_KEY_COMPARE && !there) return no_compares(c, image, w, error);
  const bool of_arrays = w->table == SLUICE_TABLE_ARRAY || w->table == SLUICE_TABLE_ARRAY_INSTR;
  if (of_arrays && !c->ArrayWords) return no_arrays(c, image, error);
  if (w->table == SLUICE_TABLE_ARRAY_KEYS && !there) return no_array_match(c, image, error);
  if (w->table == SLUICE_TABLE_ARRAY_INSTR && !there) return no_rows(c, image, w->stage, error);
  if (table->scope == SLUICE_SCOPE_egress && !there)
    return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                       "module '%s' has an egress function, chip '%s' has no egress stages",
                       image->program, c->name);
  if (table->scope == SLUICE_SCOPE_state && !there)
    return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                       "module '%s' writes %s at stage %u, chip '%s' has state in back stages 0 to "
                       "%u: compile it again",
                       image->program, table->name, w->stage, c->name, c->StateStages - 1);
  if (table->scope == SLUICE_SCOPE_front && !there)
    return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                       "module '%s' writes %s at stage %u, which is none of the %u front stages of "
                       "chip '%s': compile it again",
                       image->program, table->name, w->stage, c->FrontStages, c->name);
  return SLUICE_OK;
}

// Entries of match engines, and data words, stand at places of the whole chip, and name action rows
// of the whole chip: an image knows neither: its tables say what they are. A default action is the
// module's own.
static enum sluice_status check_engines(const struct sluice_image *image,
                                        const struct sluice_write *w, struct sluice_error *error) {
  if (!sluice_table_is_shared(w->table)) return SLUICE_OK;
  return sluice_fail(
      error, SLUICE_ERR_RANGE,
      "module '%s' writes %s at stage %u: entries of match engines are no part of an image",
      image->program, sluice_tables[w->table].name, w->stage);
}

static enum sluice_status check_words(const struct sluice_config *c,
                                      const struct sluice_image *image,
                                      const struct sluice_write *w, struct sluice_error *error) {
  return c->StatePairs ? SLUICE_OK : sluice_one_word_check(c, image, w, error);
}

// What a shape refuses: table by table.
static const struct {
  enum sluice_table table;
  check_fn *check;
} checks[] = {
    // actions that the chip does not have, bytes that it does not reach
    {SLUICE_TABLE_PARSER, check_actions},
    {SLUICE_TABLE_DEPARSER, check_actions},
    {SLUICE_TABLE_EGRESS_PARSER, check_actions},
    {SLUICE_TABLE_EGRESS_DEPARSER, check_actions},
    {SLUICE_TABLE_EGRESS_OPT, check_checksums},
    {SLUICE_TABLE_DEPARSE_OPT, check_checksums},  // Checksums 0
    {SLUICE_TABLE_HASH_INSTR, check_hash},        // HashUnits 0
    {SLUICE_TABLE_ACTION, check_shifts},          // Shifters 0
    {SLUICE_TABLE_ACTION, check_products},        // Multipliers 0
    {SLUICE_TABLE_ACTION, check_words},           // StatePairs 0
    {SLUICE_TABLE_STATE_INSTR, check_words},      // the same
    {SLUICE_TABLE_ARRAY, check_array},            // ArrayWords 8
};

enum sluice_status sluice_capable(const struct sluice_config *config,
                                  const struct sluice_image *image,
                                  const struct sluice_write *write, struct sluice_error *error) {
  enum sluice_status status = check_stage(config, image, write, error);
  if (!status) status = check_engines(image, write, error);
  for (size_t i = 0; !status && i < sizeof checks / sizeof *checks; i++)
    if (checks[i].table == write->table) status = checks[i].check(config, image, write, error);
  return status;
}

enum sluice_status sluice_capable_array(const struct sluice_config *c,
                                        const struct sluice_image *image,
                                        const struct sluice_array *array, bool taken,
                                        struct sluice_error *error) {
  if (!c->StatePairs && (array->name[1][0] || array->init[1]))
    return sluice_fail(
        error, SLUICE_ERR_UNSUPPORTED,
        "module '%s': array '%s' has entries of two words, chip '%s' has entries of one word",
        image->program, sluice_array_name(array), c->name);
  if (array->words && !c->ArrayWords) return no_arrays(c, image, error);
  if (array->words && !sluice_table_in_stage(SLUICE_TABLE_STATE_ROW, array->stage, c))
    return no_rows(c, image, array->stage, error);
  SLUICE_TRY(check_words_of(c, image, array->words, error));
  const bool egress = sluice_stage_is_egress(c, array->stage);
  if (egress && !array->pinned)
    return sluice_fail(error, SLUICE_ERR_FORMAT,
                       "module '%s': array '%s' of egress stage %u is not pinned", image->program,
                       sluice_array_name(array), array->stage);
  if ((array->stage < c->StateStages || egress) && !taken) return SLUICE_OK;
  if (array->stage >= c->BackStages || taken)
    return sluice_fail(
        error, SLUICE_ERR_FORMAT, "module '%s': %s stage %u %s", image->program,
        egress ? "egress" : "back", array->stage,
        array->stage < c->BackStages || egress ? "has two arrays" : "does not exist");
  return sluice_fail(error, SLUICE_ERR_UNSUPPORTED,
                     "module '%s': array '%s' is at back stage %u, chip '%s' has state in back "
                     "stages 0 to %u: compile it again",
                     image->program, sluice_array_name(array), array->stage, c->name,
                     c->StateStages - 1);
}

// ---- what the chip keeps ------------------------------------------------------------------------

#define CLEAR(BYTES, WIDTH, LAYOUT, FIELD)                                                         \
  sluice_entry_set(BYTES, WIDTH, SLUICE_##LAYOUT##_##FIELD##_MSB, SLUICE_##LAYOUT##_##FIELD##_LSB, \
                   0)

static void clear_bits(uint8_t *bytes, unsigned width, unsigned msb, unsigned lsb) {
  for (unsigned bit = lsb; bit <= msb; bit++) sluice_entry_set(bytes, width, bit, bit, 0);
}

static void clear_key(const struct sluice_config *c, unsigned width, uint8_t *bytes) {
  if (c->Num6B == 0) CLEAR(bytes, width, KEY, B6_FIRST);
  if (c->Num6B <= 1) CLEAR(bytes, width, KEY, B6_SECOND);
  if (c->Num4B == 1) CLEAR(bytes, width, KEY, B4_SECOND);
  if (c->Num2B == 1) CLEAR(bytes, width, KEY, B2_SECOND);
}

// One word an entry: no second words, and of predicates 2 to 4 only whether they hold always.
static void clear_second(uint8_t *bytes) {
  static const unsigned pred[3] = {SLUICE_STATE_INSTR_PRED_2_LSB, SLUICE_STATE_INSTR_PRED_3_LSB,
                                   SLUICE_STATE_INSTR_PRED_4_LSB};
  CLEAR(bytes, SLUICE_STATE_INSTR_BITS, STATE_INSTR, A2);
  CLEAR(bytes, SLUICE_STATE_INSTR_BITS, STATE_INSTR, B2);
  CLEAR(bytes, SLUICE_STATE_INSTR_BITS, STATE_INSTR, C2);
  CLEAR(bytes, SLUICE_STATE_INSTR_BITS, STATE_INSTR, D2);
  for (unsigned i = 0; i < 3; i++) {
    const unsigned lsb = pred[i], rel_lsb = lsb + SLUICE_PREDICATE_REL_LSB,
                   rel_msb = lsb + SLUICE_PREDICATE_REL_MSB;
    const uint64_t rel = sluice_entry_get(bytes, SLUICE_STATE_INSTR_BITS, rel_msb, rel_lsb);
    clear_bits(bytes, SLUICE_STATE_INSTR_BITS, lsb + SLUICE_PREDICATE_BITS - 1, lsb);
    sluice_entry_set(bytes, SLUICE_STATE_INSTR_BITS, rel_msb, rel_lsb,
                     rel == SLUICE_REL_TRUE ? SLUICE_REL_TRUE : SLUICE_REL_FALSE);
  }
}

void sluice_entry_kept(const struct sluice_config *c, enum sluice_table table, uint8_t *bytes) {
  const unsigned width = sluice_tables[table].bits;
  switch (table) {
    case SLUICE_TABLE_PARSER:
    case SLUICE_TABLE_DEPARSER:
    case SLUICE_TABLE_EGRESS_PARSER:
    case SLUICE_TABLE_EGRESS_DEPARSER:
      // Action 0 stands in the highest bits.
      if (c->ParseActions * SLUICE_PARSE_ACTION_BITS < width)
        clear_bits(bytes, width, width - c->ParseActions * SLUICE_PARSE_ACTION_BITS - 1, 0);
      break;
    case SLUICE_TABLE_KEY_MASK:
    case SLUICE_TABLE_MATCH: clear_key(c, width, bytes); break;
    case SLUICE_TABLE_DEPARSE_OPT:
    case SLUICE_TABLE_EGRESS_OPT:
      if (!c->Checksums) memset(bytes, 0, (width + 7) / 8);
      break;
    case SLUICE_TABLE_HASH_INSTR:
      if (!c->HashUnits) memset(bytes, 0, (width + 7) / 8);
      break;
    case SLUICE_TABLE_STATE_INSTR:
      if (!c->StatePairs) clear_second(bytes);
      break;
    case SLUICE_TABLE_PORT_MASK:
    case SLUICE_TABLE_MODULE_PORTS:
      if (sluice_config_destinations(c) < width)
        clear_bits(bytes, width, width - 1, sluice_config_destinations(c));
      break;
    case SLUICE_TABLE_ACTION:
      for (unsigned slot = 0; slot < width / SLUICE_INSTR_BITS; slot++)
        if (!sluice_config_has_slot(c, slot))
          clear_bits(bytes, width, SLUICE_INSTR_BITS * slot + SLUICE_INSTR_BITS - 1,
                     SLUICE_INSTR_BITS * slot);
      break;
    default: break;
  }
}

void sluice_entry_reset(const struct sluice_config *c, enum sluice_table table, unsigned index,
                        uint8_t *bytes) {
  memset(bytes, 0, SLUICE_ENTRY_BYTES);
  if (table == SLUICE_TABLE_PORT_MASK && index < sluice_config_destinations(c)) {
    sluice_entry_set(bytes, sluice_tables[table].bits, index, index, 1);
  } else if (table == SLUICE_TABLE_MODULE_PORTS) {
    sluice_entry_set(bytes, sluice_tables[table].bits, sluice_config_destinations(c) - 1, 0,
                     sluice_config_destinations(c) < 64
                         ? (UINT64_C(1) << sluice_config_destinations(c)) - 1
                         : UINT64_MAX);
  }
}
