// SPDX-License-Identifier: Apache-2.0
#include "places.h"

unsigned sluice_table_rows(enum sluice_table table, const struct sluice_config *config) {
  switch (sluice_tables[table].rows) {
    case SLUICE_ROWS_overlay: return config->Banks * config->NumModules;
    case SLUICE_ROWS_modules: return config->NumModules;
    case SLUICE_ROWS_matches: return config->MatchEntries;
    case SLUICE_ROWS_actions: return config->MatchEntries + config->ExtraActions;
    case SLUICE_ROWS_ternary: return config->TernaryEntries;
    case SLUICE_ROWS_cuckoo: return config->CuckooEntries;
    case SLUICE_ROWS_keys: return config->ArrayEntries;
    case SLUICE_ROWS_masks: return 256;
    case SLUICE_ROWS_ids: return config->Banks * config->ActiveIds;
    case SLUICE_ROWS_segment: return config->StateEntries;
    case SLUICE_ROWS_one: return 1;
  }
  return 0;
}

bool sluice_table_in_stage(enum sluice_table table, unsigned stage,
                           const struct sluice_config *config) {
  const unsigned before = config->BackStages + config->FrontStages;
  const unsigned stages = before + config->EgressStages;
  const bool egress = stage >= before && stage < stages;
  if (table == SLUICE_TABLE_RATE_LIMIT && !config->RateLimits) return false;
  if (table == SLUICE_TABLE_OUTPUT_CLASS && !config->OutputClasses) return false;
  if (sluice_table_is_count(table) && !config->EntryCounters) return false;
  if (table == SLUICE_TABLE_MULTIPLY && !config->Multipliers) return false;
  if (table == SLUICE_TABLE_KEY_COMPARE && !config->WideCompare) return false;
  if (table == SLUICE_TABLE_RECIRCULATE && !config->Recirculation) return false;
  if (sluice_tables[table].rows == SLUICE_ROWS_ids && !config->Active) return false;
  if (table == SLUICE_TABLE_ARRAY && !config->ArrayWords) return false;
  if (table == SLUICE_TABLE_ARRAY_KEYS || table == SLUICE_TABLE_ARRAY_MATCH)
    return config->ArrayEntries && stage == 0;
  if (table == SLUICE_TABLE_ARRAY_INSTR || table == SLUICE_TABLE_STATE_ROW)
    return stage < config->StateStages && (config->ArrayStages >> stage & 1);
  if (sluice_tables[table].rows == SLUICE_ROWS_ternary)
    return stage < stages && (config->TernaryStages >> stage & 1);
  if (sluice_tables[table].rows == SLUICE_ROWS_cuckoo)
    return stage < stages && (config->CuckooStages >> stage & 1);
  // Marks, cuts, capsules and rows of words are of back stages alone.
  const bool back_alone = table == SLUICE_TABLE_TAKE || table == SLUICE_TABLE_LEAVE ||
                          table == SLUICE_TABLE_CUT || table == SLUICE_TABLE_REGION ||
                          table == SLUICE_TABLE_ADDRESS;
  switch (sluice_tables[table].scope) {
    case SLUICE_SCOPE_stage: return stage < stages;
    case SLUICE_SCOPE_state: return stage < config->StateStages || (egress && !back_alone);
    case SLUICE_SCOPE_front: return stage >= config->BackStages && stage < before;
    case SLUICE_SCOPE_egress: return stage == 0 && config->EgressStages;
    case SLUICE_SCOPE_lane:
    case SLUICE_SCOPE_exit:
    case SLUICE_SCOPE_order: break;
  }
  return stage == 0;
}

const enum sluice_table sluice_row_tables[SLUICE_ROW_TABLES] = {
    SLUICE_TABLE_ACTION, SLUICE_TABLE_STATE_INSTR, SLUICE_TABLE_MULTIPLY, SLUICE_TABLE_ARRAY_INSTR};

bool sluice_by_match_row(enum sluice_table table) {
  bool by_row = table == SLUICE_TABLE_MATCH;
  for (unsigned t = 0; t < SLUICE_ROW_TABLES; t++) by_row |= table == sluice_row_tables[t];
  return by_row;
}
