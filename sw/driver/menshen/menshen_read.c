// SPDX-License-Identifier: Apache-2.0
// Menshen's records to an image.
#include <stdarg.h>
#include <string.h>

#include "menshen.h"

enum { OVERLAY = 32, REACH = 128, CONTAINERS = 8, ACTIONS = 10, PORTS = 8 };

struct maker {
  struct sluice_image *image;
  const struct sluice_menshen_file *file;
  const struct sluice_config *config;
  const char *name;
  unsigned vid;
  struct sluice_error *error;
};

__attribute__((format(printf, 3, 4))) static enum sluice_status refuse(
    const struct maker *m, const struct sluice_menshen_record *r, const char *format, ...) {
  char why[240];
  va_list list;
  va_start(list, format);
  vsnprintf(why, sizeof why, format, list);
  va_end(list);
  return sluice_fail(m->error, SLUICE_ERR_RANGE, "'%s', line %u: %s", m->name, r->line, why);
}

// ---- whose record it is -------------------------------------------------------------------------

static const struct sluice_menshen_record *find(const struct sluice_menshen_file *file,
                                                enum sluice_table table, unsigned stage,
                                                unsigned index) {
  for (size_t i = 0; i < file->num; i++) {
    const struct sluice_menshen_record *r = &file->list[i];
    const bool rows = table == SLUICE_TABLE_MATCH || table == SLUICE_TABLE_ACTION;
    const bool same = rows ? r->index == index : r->index % OVERLAY == index % OVERLAY;
    if (r->table == table && r->stage == stage && same) return r;
  }
  return NULL;
}

// The module that a record belongs to: of an action that of its match entry.
static enum sluice_status owner(const struct maker *m, const struct sluice_menshen_record *r,
                                unsigned *vid) {
  *vid = r->index;
  if (r->table != SLUICE_TABLE_MATCH && r->table != SLUICE_TABLE_ACTION) return SLUICE_OK;
  const bool is_match = r->table == SLUICE_TABLE_MATCH;
  const enum sluice_table other = is_match ? SLUICE_TABLE_ACTION : SLUICE_TABLE_MATCH;
  const struct sluice_menshen_record *its = find(m->file, other, r->stage, r->index);
  if (!its)
    return refuse(m, r, "row %u of stage %u has no %s", r->index, r->stage,
                  is_match ? "action (RAMConf)" : "match entry (CAMConf)");
  *vid = (unsigned)SLUICE_GET((is_match ? r : its)->bytes, MATCH, VID);
  return SLUICE_OK;
}

// The only module of the file, if none is named; and every record has one.
static enum sluice_status which(struct maker *m) {
  const struct sluice_menshen_record *first = NULL;
  unsigned found = 0;
  for (unsigned pass = 0; pass < 2; pass++)  // ids of match entries are whole
    for (size_t i = 0; i < m->file->num; i++) {
      const struct sluice_menshen_record *r = &m->file->list[i];
      const bool rows = r->table == SLUICE_TABLE_MATCH || r->table == SLUICE_TABLE_ACTION;
      unsigned vid;
      SLUICE_TRY(owner(m, r, &vid));
      if (rows == (bool)pass) continue;
      const bool same = rows ? vid == (m->vid ? m->vid : found)
                             : vid % OVERLAY == (m->vid ? m->vid : found) % OVERLAY;
      if (!m->vid && first && !same)
        return refuse(m, r, "is of module %u, line %u of module %u: say which is meant", vid,
                      first->line, found);
      if (!first && (!m->vid || same)) first = r, found = m->vid ? m->vid : vid;
    }
  if (!first)
    return sluice_fail(m->error, SLUICE_ERR_RANGE, "'%s' has nothing of module %u", m->name,
                       m->vid);
  m->vid = found;
  return SLUICE_OK;
}

// ---- what this chip does otherwise --------------------------------------------------------------

static enum sluice_status check_parse(const struct maker *m,
                                      const struct sluice_menshen_record *r) {
  for (unsigned a = 0; a < ACTIONS; a++) {
    const uint8_t *action = r->bytes + 2 * a;
    const unsigned kind = (unsigned)SLUICE_GET(action, PARSE_ACTION, KIND),
                   offset = (unsigned)SLUICE_GET(action, PARSE_ACTION, OFFSET);
    if (action[0] >> 5) return refuse(m, r, "action %u: the reserved bits must be 0", a);
    if (!SLUICE_GET(action, PARSE_ACTION, VALID) || kind == SLUICE_TYPE_CONST) continue;
    if (offset + 2 * kind > REACH)
      return refuse(m, r, "action %u ends behind byte %d, the last that is reached", a, REACH - 1);
  }
  return SLUICE_OK;
}

static enum sluice_status check_action(const struct maker *m, const struct sluice_menshen_record *r,
                                       bool *memory) {
  for (unsigned slot = 0; slot < 25; slot++) {
    const uint32_t word = sluice_menshen_slot(r->bytes, slot);
    const unsigned op = word >> SLUICE_INSTR_OP_LSB;
    const bool accesses = op == SLUICE_OP_LOAD || op == SLUICE_OP_STORE || op == SLUICE_OP_LOADD;
    if (op == SLUICE_OP_NOP || op == SLUICE_OP_NOP_FILL) continue;
    if (op >= SLUICE_OP_FUNC && op <= SLUICE_OP_EXT)
      return refuse(m, r, "slot %u: Menshen has no operation %u", slot, op);
    if (accesses && slot > 8 && slot < 16)
      return refuse(m, r,
                    "slot %u: %s is for slot 16 (4B[7]) alone; here Menshen's hardware moves a "
                    "container, by accident",
                    slot, sluice_value_name("OP", op));
    if (slot == 16) *memory |= accesses;
  }
  return SLUICE_OK;
}

static enum sluice_status check_match(const struct maker *m,
                                      const struct sluice_menshen_record *r) {
  if (r->bytes[0] >> 4)
    return refuse(m, r, "the first four bits (priority) are not 0: no module has such an id");
  return SLUICE_OK;
}

// ---- the image ----------------------------------------------------------------------------------

static struct sluice_write *add(struct maker *m, enum sluice_table table, unsigned stage) {
  struct sluice_write *w = sluice_image_add_write(m->image);
  if (w) w->table = table, w->stage = stage;
  return w;
}

static enum sluice_status copy(struct maker *m, const struct sluice_menshen_record *r,
                               unsigned index) {
  struct sluice_write *w = add(m, r->table, r->stage);
  if (!w) return sluice_no_memory(m->error);
  w->index = index;
  memcpy(w->bytes, r->bytes, sizeof w->bytes);
  if (r->table == SLUICE_TABLE_MATCH) SLUICE_SET(w->bytes, MATCH, VID, 0);
  return SLUICE_OK;
}

// The words of a stage: an array in one pipeline, whose index is read at the stage.
static enum sluice_status memory(struct maker *m, const struct sluice_menshen_record *r) {
  const unsigned range = (unsigned)SLUICE_GET(r->bytes, SEGMENT16, RANGE);
  if (!range) return refuse(m, r, "a range of 0");
  if (r->stage >= m->config->StateStages)
    return refuse(m, r, "stage %u of chip '%s' has no memory", r->stage, m->config->name);
  struct sluice_array *array = sluice_image_add_array(m->image);
  struct sluice_write *w = array ? add(m, SLUICE_TABLE_SEGMENT, r->stage) : NULL;
  if (!w) return sluice_no_memory(m->error);
  SLUICE_SET(w->bytes, SEGMENT, RANGE, range);
  *array = (struct sluice_array){.stage = r->stage, .size = range, .pinned = 1};
  snprintf(array->name[0], sizeof array->name[0], "memory%u", r->stage);
  w = add(m, SLUICE_TABLE_ACCESS, r->stage);
  if (!w) return sluice_no_memory(m->error);
  SLUICE_SETS(w->bytes, ACCESS, (ENABLE, 1), (PINNED, 1));
  return SLUICE_OK;
}

static enum sluice_status stage(struct maker *m, unsigned s) {
  static const enum sluice_table overlay[] = {SLUICE_TABLE_KEY_EXTRACT, SLUICE_TABLE_KEY_MASK};
  const struct sluice_menshen_record *segment = find(m->file, SLUICE_TABLE_SEGMENT16, s, m->vid),
                                     *access = NULL;
  unsigned rows = 0;
  enum sluice_status status = SLUICE_OK;
  for (unsigned t = 0; !status && t < 2; t++) {
    const struct sluice_menshen_record *r = find(m->file, overlay[t], s, m->vid);
    if (r && s >= m->config->BackStages)
      return refuse(m, r, "stage %u, chip '%s' has %u", s, m->config->name, m->config->BackStages);
    if (r) status = copy(m, r, 0);
  }
  for (unsigned row = 0; !status && row < SLUICE_MENSHEN_ROWS; row++) {
    const struct sluice_menshen_record *match = find(m->file, SLUICE_TABLE_MATCH, s, row), *action;
    if (!match || (unsigned)SLUICE_GET(match->bytes, MATCH, VID) != m->vid) continue;
    bool memory = false;
    action = find(m->file, SLUICE_TABLE_ACTION, s, row);
    if (s >= m->config->BackStages)
      return refuse(m, match, "stage %u, chip '%s' has %u", s, m->config->name,
                    m->config->BackStages);
    status = check_match(m, match);
    if (!status) status = check_action(m, action, &memory);
    if (memory) access = action;
    if (!status) status = copy(m, match, rows);
    if (!status) status = copy(m, action, rows++);
  }
  if (!status && access && !segment)
    return refuse(m, access, "accesses memory, and the module has none in stage %u", s);
  if (!status && segment) status = memory(m, segment);
  if (rows > m->image->match_rows) m->image->match_rows = rows;
  return status;
}

static enum sluice_status module(struct maker *m) {
  struct sluice_write *w = add(m, SLUICE_TABLE_MODULE, 0);
  if (!w) return sluice_no_memory(m->error);
  SLUICE_SET(w->bytes, MODULE, VALID, 1);
  SLUICE_SET(w->bytes, MODULE, DEST, 4);  // what Menshen's parser writes
  SLUICE_SETS(w->bytes, MODULE, (NEED_IP, 1), (NEED_UDP, 1));
  return SLUICE_OK;
}

enum sluice_status sluice_menshen_to_image(struct sluice_image *image,
                                           const struct sluice_menshen_file *file, const char *name,
                                           unsigned vid, const struct sluice_config *config,
                                           struct sluice_error *error) {
  static const enum sluice_table lane[] = {SLUICE_TABLE_PARSER, SLUICE_TABLE_DEPARSER};
  struct maker m = {image, file, config, name, vid, error};
  const char *slash = strrchr(name, '/');
  if (config->NumPorts > PORTS)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "chip '%s' has %u ports: a destination there is a row, in Menshen's files "
                       "it is a set of 8 ports",
                       config->name, config->NumPorts);
  if (config->Num2B < CONTAINERS || config->Num4B < CONTAINERS || config->Num6B < CONTAINERS ||
      config->ParseActions < ACTIONS || config->HeaderBytes < REACH)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "chip '%s' has fewer containers, parse actions or header bytes than "
                       "Menshen: take 'menshen'",
                       config->name);
  enum sluice_status status = which(&m);
  *image = (struct sluice_image){.layout_hash = sluice_layout_hash(), .match_rows = 1};
  snprintf(image->config, sizeof image->config, "%s", config->name);
  snprintf(image->program, sizeof image->program, "%.*s", SLUICE_NAME_LEN - 1,
           slash ? slash + 1 : name);
  for (unsigned t = 0; !status && t < 2; t++) {
    const struct sluice_menshen_record *r = find(file, lane[t], 0, m.vid);
    if (r) status = check_parse(&m, r);
    if (r && !status) status = copy(&m, r, 0);
  }
  for (unsigned s = 0; !status && s < SLUICE_MENSHEN_STAGES; s++) status = stage(&m, s);
  if (!status) status = module(&m);
  if (status) sluice_image_release(image);
  return status;
}
