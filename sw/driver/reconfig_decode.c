// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "reconfig.h"

bool sluice_reconfig_is(const uint8_t *bytes, size_t len) {
  return len >= SLUICE_FRAME_MIN && bytes[12] == 0x81 && bytes[13] == 0x00 && bytes[16] == 0x08 &&
         bytes[17] == 0x00 && bytes[27] == 0x11 && bytes[40] == SLUICE_RECONFIG_PORT >> 8 &&
         bytes[41] == (SLUICE_RECONFIG_PORT & 255);
}

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

enum sluice_status sluice_reconfig_decode(struct sluice_reconfig *packet, const uint8_t *bytes,
                                          size_t len, struct sluice_error *error) {
  memset(packet, 0, sizeof *packet);
  packet->table = SLUICE_NUM_TABLES;
  const bool answer = len >= SLUICE_FRAME_MIN &&
                      SLUICE_GET(bytes + SLUICE_RECONFIG_AT, RECONFIG, OP) == SLUICE_CHAIN_ANSWER;
  const int most = answer ? SLUICE_ANSWER_MAX : SLUICE_FRAME_MAX;
  if (len < SLUICE_FRAME_MIN || len > (size_t)most)
    return sluice_fail(error, SLUICE_ERR_FORMAT, "%zu bytes, a reconfiguration packet has %d to %d",
                       len, SLUICE_FRAME_MIN, most);
  if (!sluice_reconfig_is(bytes, len))
    return sluice_fail(error, SLUICE_ERR_FORMAT,
                       "not a reconfiguration packet (VLAN, IPv4, UDP port 0xf1f2)");
  const uint8_t *head = bytes + SLUICE_RECONFIG_AT;
  packet->stage = (unsigned)SLUICE_GET(head, RECONFIG, STAGE);
  packet->resource = (unsigned)SLUICE_GET(head, RECONFIG, RESOURCE);
  packet->sub = (unsigned)SLUICE_GET(head, RECONFIG, SUB);
  packet->index =
      (unsigned)(SLUICE_GET(head, RECONFIG, INDEX_HI) << 8 | SLUICE_GET(head, RECONFIG, INDEX_LO));
  packet->cookie = (uint32_t)SLUICE_GET(head, RECONFIG, COOKIE);
  packet->op = (unsigned)SLUICE_GET(head, RECONFIG, OP);
  packet->copy = (unsigned)SLUICE_GET(head, RECONFIG, COPY);
  packet->row = (unsigned)SLUICE_GET(head, RECONFIG, ROW);
  packet->count = (unsigned)SLUICE_GET(head, RECONFIG, COUNT);
  packet->serial = (unsigned)SLUICE_GET(head, RECONFIG, SERIAL);
  packet->table = sluice_table_find(packet->resource, packet->sub);
  packet->entries = bytes + SLUICE_RECONFIG_ENTRIES_AT;
  if (packet->table == SLUICE_NUM_TABLES) return SLUICE_OK;
  packet->stride = sluice_table_stride(packet->table);
  // The last entry counts when all of its own bytes are there; the padding behind it may be
  // missing.
  size_t rest = len - SLUICE_RECONFIG_ENTRIES_AT, need = sluice_table_bytes(packet->table);
  packet->num_entries = (unsigned)(rest / packet->stride + (rest % packet->stride >= need));
  return SLUICE_OK;
}
