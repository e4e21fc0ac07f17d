// SPDX-License-Identifier: Apache-2.0
// An image to Menshen's records.
//
// A stage of the image becomes a stage of the file. One thing more a stage here may do: what its
// default action does with packets that match nothing. Menshen does nothing with them. So the
// entries of such a stage set a container that is 0 otherwise, and the next stage does the default
// action with packets that have 0 there.
#include "menshen_write.h"

#include <string.h>

enum { ACTIONS = 10, HALF = 64, MAX_STAGES = 16, SLOTS = 25, MEMORY_SLOT = 16, LEADING = 255 };

struct out_stage {
  unsigned from;  // stage of the image
  bool always;    // every packet matches
  bool split;     // those that do not, match in the next stage
  uint8_t extract[SLUICE_ENTRY_BYTES], mask[SLUICE_ENTRY_BYTES];
  unsigned rows;
  struct {
    uint8_t match[SLUICE_ENTRY_BYTES], action[SLUICE_ENTRY_BYTES];
  } row[SLUICE_MENSHEN_ROWS];
};

struct writer {
  struct menshen_names names;
  const struct sluice_image *image;
  const struct sluice_menshen_room *room;
  struct sluice_menshen_file *file;
  struct sluice_error *error;
  unsigned stages;
  bool moved;  // stages have other numbers than in the image
  struct out_stage stage[MAX_STAGES];
};

#define REFUSE(W, ...) menshen_refuse(&(W)->names, __VA_ARGS__)

// ---- what has no form ---------------------------------------------------------------------------

static const char *metadata_name(const struct sluice_image *image, unsigned operand) {
  for (size_t i = 0; i < image->num_fields; i++)
    if (image->fields[i].in_operand == (int)operand &&
        strncmp(image->fields[i].home, "metadata", 8) == 0)
      return image->fields[i].name;
  return "metadata";
}

static enum sluice_status check_parser(struct writer *w, const uint8_t *bytes) {
  for (unsigned a = 0; a < ACTIONS; a++) {
    const uint8_t *action = bytes + 2 * a;
    if (SLUICE_GET(action, PARSE_ACTION, VALID) && SLUICE_GET(action, PARSE_ACTION, METADATA))
      return REFUSE(w, "the parser reads '%s', which no packet has in its bytes",
                    metadata_name(w->image, (unsigned)(SLUICE_GET(action, PARSE_ACTION, KIND) << 3 |
                                                       SLUICE_GET(action, PARSE_ACTION, IDX))));
  }
  return SLUICE_OK;
}

static enum sluice_status check_write(struct writer *w, const struct sluice_write *x) {
  char text[40];
  const char *at = menshen_stage_name(&w->names, x->stage, text);
  switch (x->table) {
    case SLUICE_TABLE_PARSER: return check_parser(w, x->bytes);
    case SLUICE_TABLE_HASH_INSTR:
      return SLUICE_GET(x->bytes, HASH_INSTR, VALID) ? REFUSE(w, "%s hashes", at) : SLUICE_OK;
    case SLUICE_TABLE_MULTIPLY: return REFUSE(w, "%s multiplies", at);
    case SLUICE_TABLE_KEY_COMPARE: return REFUSE(w, "%s compares whole values", at);
    case SLUICE_TABLE_ARRAY:
    case SLUICE_TABLE_ARRAY_KEYS:
    case SLUICE_TABLE_ARRAY_INSTR: return REFUSE(w, "arrays of words in packets");
    case SLUICE_TABLE_DEPARSE_OPT:
      return x->bytes[0] ? REFUSE(w, "checksums are updated (option checksum)") : SLUICE_OK;
    case SLUICE_TABLE_MODULE:
      return SLUICE_GET(x->bytes, MODULE, ACTIVE) ? REFUSE(w, "capsules") : SLUICE_OK;
    case SLUICE_TABLE_MATCH:
      return SLUICE_GET(x->bytes, MATCH, NOT_BANK) ? REFUSE(w, "%s: a match entry of one bank", at)
                                                   : SLUICE_OK;
    case SLUICE_TABLE_EGRESS_PARSER:
    case SLUICE_TABLE_EGRESS_DEPARSER:
    case SLUICE_TABLE_EGRESS_OPT: return REFUSE(w, "an egress function");
    default:
      return x->stage < w->names.config->BackStages + w->names.config->FrontStages
                 ? SLUICE_OK
                 : REFUSE(w, "an egress function");
  }
}

static enum sluice_status check_image(struct writer *w) {
  const struct sluice_image *image = w->image;
  if (w->names.config->NumPorts > 8)
    return REFUSE(w,
                  "it is for chip '%s' of %u ports, whose destinations are rows; Menshen's are "
                  "sets of 8 ports",
                  w->names.config->name, w->names.config->NumPorts);
  if (image->num_params) return REFUSE(w, "the malleable '%s'", image->params[0].name);
  if (image->num_reactions) return REFUSE(w, "the reaction '%s'", image->reactions[0].name);
  if (w->room->vid == 0 || w->room->vid > 255)
    return REFUSE(w, "VLAN id %u: ids are 1 to 255 there", w->room->vid);
  for (size_t i = 0; i < image->num_writes; i++) SLUICE_TRY(check_write(w, &image->writes[i]));
  return SLUICE_OK;
}

// ---- parser and deparser ------------------------------------------------------------------------

static unsigned action_end(const uint8_t *action) {
  return (unsigned)(SLUICE_GET(action, PARSE_ACTION, OFFSET) +
                    2 * SLUICE_GET(action, PARSE_ACTION, KIND));
}

// Menshen's deparser writes bytes below 64 with its first five actions, those above with the rest.
static enum sluice_status halves(struct writer *w, uint8_t *bytes) {
  uint8_t sorted[2 * ACTIONS] = {0};
  unsigned num[2] = {0};
  bool moved = false;
  for (unsigned a = 0; a < ACTIONS; a++) {
    const uint8_t *action = bytes + 2 * a;
    if (!SLUICE_GET(action, PARSE_ACTION, VALID)) continue;
    const unsigned offset = (unsigned)SLUICE_GET(action, PARSE_ACTION, OFFSET),
                   half = offset >= HALF, to = ACTIONS / 2 * half + num[half]++;
    if (offset < HALF && action_end(action) > HALF)
      return REFUSE(w, "the deparser writes bytes %u..%u, over byte 64", offset,
                    action_end(action) - 1);
    if (num[half] > ACTIONS / 2)
      return REFUSE(w, "the deparser writes more than five fields %s byte 64",
                    half ? "from" : "below");
    memcpy(sorted + 2 * to, action, 2);
    moved |= half != (a >= ACTIONS / 2);
  }
  if (moved) memcpy(bytes, sorted, sizeof sorted);
  return SLUICE_OK;
}

static enum sluice_status lane(struct writer *w, enum sluice_table table) {
  const struct sluice_write *from = menshen_entry(w->image, table, 0, 0);
  struct sluice_menshen_record *r = from ? sluice_menshen_add(w->file, table, 0, w->room->vid)
                                         : NULL;
  if (!from) return SLUICE_OK;
  if (!r) return sluice_no_memory(w->error);
  memcpy(r->bytes, from->bytes, 2 * ACTIONS);
  for (unsigned a = 0; a < ACTIONS; a++) {
    uint8_t *action = r->bytes + 2 * a;
    const unsigned kind = (unsigned)SLUICE_GET(action, PARSE_ACTION, KIND),
                   index = (unsigned)SLUICE_GET(action, PARSE_ACTION, IDX);
    if (!SLUICE_GET(action, PARSE_ACTION, VALID)) continue;
    SLUICE_SET(action, PARSE_ACTION, IDX, menshen_place(&w->names, kind, index));
  }
  return table == SLUICE_TABLE_DEPARSER ? halves(w, r->bytes) : SLUICE_OK;
}

// ---- stages -------------------------------------------------------------------------------------

static enum sluice_status new_stage(struct writer *w, unsigned from, struct out_stage **stage) {
  if (w->stages == MAX_STAGES) return REFUSE(w, "it needs more than %d stages", MAX_STAGES);
  *stage = &w->stage[w->stages++];
  **stage = (struct out_stage){.from = from};
  return SLUICE_OK;
}

static enum sluice_status new_row(struct writer *w, struct out_stage *s, uint8_t **match,
                                  uint8_t **action) {
  char text[40];
  const unsigned room = w->room->end_row - w->room->first_row;
  if (s->rows == room)
    return REFUSE(w, "%s needs more than the %u rows that the module has",
                  menshen_stage_name(&w->names, s->from, text), room);
  *match = s->row[s->rows].match;
  *action = s->row[s->rows++].action;
  SLUICE_SET(*match, MATCH, VID, w->room->vid);
  return SLUICE_OK;
}

static void mask_all(uint8_t *mask) {
  memset(mask, 0xff, SLUICE_KEY_BITS / 8);
  mask[SLUICE_KEY_BITS / 8] = (uint8_t)(0xff00u >> SLUICE_KEY_BITS % 8);
}

// The containers of 4 bytes of a key have new names.
static void rename_key(const struct menshen_names *names, uint8_t *extract) {
  const unsigned first = (unsigned)SLUICE_GET(extract, KEY_EXTRACT, B4_FIRST),
                 second = (unsigned)SLUICE_GET(extract, KEY_EXTRACT, B4_SECOND);
  SLUICE_SETS(extract, KEY_EXTRACT, (B4_FIRST, names->place[first]),
              (B4_SECOND, names->place[second]));
  for (unsigned side = 0; side < 2; side++) {
    const unsigned lsb = side ? SLUICE_KEY_EXTRACT_CMP_B_LSB : SLUICE_KEY_EXTRACT_CMP_A_LSB;
    const unsigned x = (unsigned)sluice_entry_get(extract, SLUICE_KEY_EXTRACT_BITS, lsb + 8, lsb);
    const bool four = !(x >> 8) && (x >> 3 & 3) == 1;
    if (four) sluice_entry_set(extract, SLUICE_KEY_EXTRACT_BITS, lsb + 2, lsb, names->place[x & 7]);
  }
}

static void key_of(struct writer *w, struct out_stage *s) {
  const struct sluice_write *extract =
                                menshen_entry(w->image, SLUICE_TABLE_KEY_EXTRACT, s->from, 0),
                            *mask = menshen_entry(w->image, SLUICE_TABLE_KEY_MASK, s->from, 0);
  if (extract) memcpy(s->extract, extract->bytes, sizeof s->extract);
  if (mask) memcpy(s->mask, mask->bytes, sizeof s->mask);
  rename_key(&w->names, s->extract);
}

static bool nothing(const uint8_t *action) {
  for (unsigned n = 0; n < SLOTS; n++) {
    const unsigned op = sluice_menshen_slot(action, n) >> SLUICE_INSTR_OP_LSB;
    if (op != SLUICE_OP_NOP && op != SLUICE_OP_NOP_FILL) return false;
  }
  return true;
}

// A stage that does the same with every packet.
static enum sluice_status unconditional(struct writer *w, unsigned from, unsigned row,
                                        const uint8_t *data, struct out_stage **made) {
  struct out_stage *s = NULL;
  uint8_t *match, *action;
  enum sluice_status status = new_stage(w, from, &s);
  if (!status) status = new_row(w, s, &match, &action);
  if (status) return status;
  s->always = true;
  mask_all(s->mask);
  *made = s;
  return menshen_action(&w->names, from, row, data, action);
}

static bool all_set(const uint8_t *mask) {
  uint8_t all[SLUICE_ENTRY_BYTES] = {0};
  mask_all(all);
  return memcmp(all, mask, SLUICE_KEY_BITS / 8 + 1) == 0;
}

// Match entries of the module.
static enum sluice_status plain(struct writer *w, unsigned from) {
  struct out_stage *s = NULL;
  enum sluice_status status = new_stage(w, from, &s);
  if (status) return status;
  key_of(w, s);
  s->always = all_set(s->mask);
  for (unsigned row = 0; !status; row++) {
    const struct sluice_write *entry = menshen_entry(w->image, SLUICE_TABLE_MATCH, from, row);
    uint8_t *match, *action;
    if (!entry) break;
    status = new_row(w, s, &match, &action);
    if (status) break;
    memcpy(match, entry->bytes, sizeof s->row->match);
    SLUICE_SET(match, MATCH, VID, w->room->vid);
    status = menshen_action(&w->names, from, row, NULL, action);
  }
  return status;
}

static const struct sluice_image_table *table_in(const struct sluice_image *image, unsigned stage,
                                                 unsigned *number) {
  for (*number = 0; *number < image->num_tables; ++*number)
    if (image->tables[*number].stage == stage) return &image->tables[*number];
  return NULL;
}

// The entry of the table that wins behind `last`: the lowest priority, of several the first.
static const struct sluice_image_entry *next_entry(const struct sluice_image *image, unsigned table,
                                                   const struct sluice_image_entry *last) {
  const struct sluice_image_entry *best = NULL;
  for (size_t i = 0; i < image->num_entries; i++) {
    const struct sluice_image_entry *e = &image->entries[i];
    if (e->table != table) continue;
    if (last && (e->priority < last->priority || (e->priority == last->priority && e <= last)))
      continue;
    if (!best || e->priority < best->priority) best = e;
  }
  return best;
}

static enum sluice_status entry_row(struct writer *w, struct out_stage *s,
                                    const struct sluice_image_table *t,
                                    const struct sluice_image_entry *e) {
  uint8_t *match, *action;
  SLUICE_TRY(new_row(w, s, &match, &action));
  for (unsigned bit = 0; bit < SLUICE_KEY_BITS; bit++) {
    const bool care = sluice_entry_get(e->care, SLUICE_KEY_BITS, bit, bit);
    if (care == (bool)sluice_entry_get(s->mask, SLUICE_KEY_BITS, bit, bit))
      return REFUSE(w, "table '%s', entry %u looks at a part of the key; Menshen matches all of it",
                    t->name, s->rows);
    sluice_entry_set(match, SLUICE_MATCH_BITS, bit, bit,
                     care ? sluice_entry_get(e->key, SLUICE_KEY_BITS, bit, bit) : 0);
  }
  return menshen_action(&w->names, t->stage, t->actions[e->action].row, e->data, action);
}

// Packets that the stage before missed have 0 in `flag`.
static enum sluice_status missed(struct writer *w, struct out_stage *hits, unsigned from,
                                 const uint8_t *action) {
  const unsigned set = (unsigned)SLUICE_OP_SET << SLUICE_INSTR_OP_LSB | SLUICE_TYPE_B2 << 19 | 1;
  unsigned flag = 0;
  char text[40];
  const unsigned op = sluice_menshen_slot(action, MEMORY_SLOT) >> SLUICE_INSTR_OP_LSB;
  if (op == SLUICE_OP_LOADD || op == SLUICE_OP_LOAD || op == SLUICE_OP_STORE)
    return REFUSE(w, "%s: the default action accesses memory, and would be done a stage later",
                  menshen_stage_name(&w->names, from, text));
  while (flag < 8 && !(w->names.free2 >> flag & 1)) flag++;
  if (flag == 8)
    return REFUSE(w, "%s: the default action needs a free container of 2 bytes",
                  menshen_stage_name(&w->names, from, text));
  w->names.free2 &= ~(1u << flag);
  for (unsigned n = 0; n < hits->rows; n++)
    sluice_menshen_slot_set(hits->row[n].action, 1 + flag, set);
  hits->split = true;
  struct out_stage *s = NULL;
  uint8_t *match, *to;
  enum sluice_status status = new_stage(w, from, &s);
  if (!status) status = new_row(w, s, &match, &to);
  if (status) return status;
  SLUICE_SET(s->extract, KEY_EXTRACT, B2_FIRST, flag);
  mask_all(s->mask);
  for (unsigned bit = SLUICE_KEY_B2_FIRST_LSB; bit <= SLUICE_KEY_B2_FIRST_MSB; bit++)
    sluice_entry_set(s->mask, SLUICE_KEY_BITS, bit, bit, 0);
  memcpy(to, action, SLUICE_ENTRY_BYTES);
  return SLUICE_OK;
}

static enum sluice_status with_default(struct writer *w, unsigned from) {
  const struct sluice_write *otherwise =
      menshen_entry(w->image, SLUICE_TABLE_DEFAULT_ACTION, from, 0);
  unsigned number;
  const struct sluice_image_table *t = table_in(w->image, from, &number);
  const struct sluice_image_entry *e = t ? next_entry(w->image, number, NULL) : NULL;
  const bool valid = otherwise && SLUICE_GET(otherwise->bytes, DEFAULT_ACTION, VALID);
  const unsigned row = valid ? (unsigned)SLUICE_GET(otherwise->bytes, DEFAULT_ACTION, ACTION) : 0;
  uint8_t data[SLUICE_ENTRY_BYTES] = {0}, action[SLUICE_ENTRY_BYTES] = {0};
  struct out_stage *s = NULL;
  for (unsigned byte = 0; valid && byte < SLUICE_DATA_BYTES; byte++)
    data[byte] = (uint8_t)sluice_entry_get(otherwise->bytes, SLUICE_DEFAULT_ACTION_BITS,
                                           127 - 8 * byte, 120 - 8 * byte);
  if (!e) return valid ? unconditional(w, from, row, data, &s) : SLUICE_OK;
  enum sluice_status status = new_stage(w, from, &s);
  if (status) return status;
  key_of(w, s);
  for (; !status && e; e = next_entry(w->image, number, e)) status = entry_row(w, s, t, e);
  if (!status && valid) status = menshen_action(&w->names, from, row, data, action);
  if (!status && !nothing(action)) status = missed(w, s, from, action);
  return status;
}

static bool has(const struct sluice_image *image, enum sluice_table table, unsigned stage) {
  for (size_t i = 0; i < image->num_writes; i++)
    if (image->writes[i].table == table && image->writes[i].stage == stage) return true;
  return false;
}

// The stages of the image in the order of packets.
static enum sluice_status stages(struct writer *w) {
  const struct sluice_config *c = w->names.config;
  const unsigned all = c->BackStages + c->FrontStages;
  enum sluice_status status = SLUICE_OK;
  for (unsigned n = 0; !status && n < all; n++) {
    const unsigned from = n < c->FrontStages ? c->BackStages + n : n - c->FrontStages;
    unsigned number;
    if (table_in(w->image, from, &number) || has(w->image, SLUICE_TABLE_DEFAULT_ACTION, from))
      status = with_default(w, from);
    else if (has(w->image, SLUICE_TABLE_MATCH, from) ||
             has(w->image, SLUICE_TABLE_KEY_EXTRACT, from))
      status = plain(w, from);
    w->names.discarded |= w->names.discards;
    w->moved |= from >= c->BackStages && w->stages;
  }
  return status;
}

// ---- where packets go that no action sends ------------------------------------------------------

// The first action of every packet, if it leaves room for a destination.
static bool fill_destination(struct out_stage *s, bool next, uint32_t port) {
  for (unsigned pass = 0; pass < 2; pass++)
    for (unsigned stage = 0; stage <= (unsigned)next; stage++)
      for (unsigned n = 0; n < s[stage].rows; n++) {
        uint8_t *action = s[stage].row[n].action;
        const unsigned op = sluice_menshen_slot(action, 0) >> SLUICE_INSTR_OP_LSB;
        if (op == SLUICE_OP_DISCARD) return false;
        if (pass && op != SLUICE_OP_PORT) sluice_menshen_slot_set(action, 0, port);
      }
  return true;
}

static enum sluice_status destination(struct writer *w) {
  enum { MENSHENS = 4 };
  const struct sluice_write *module = menshen_entry(w->image, SLUICE_TABLE_MODULE, 0, 0);
  const unsigned dest = module ? (unsigned)SLUICE_GET(module->bytes, MODULE, DEST) : 0;
  const uint32_t port = (uint32_t)SLUICE_OP_PORT << SLUICE_INSTR_OP_LSB |
                        dest << SLUICE_INSTR_MD_DEST_LSB;
  struct out_stage *first = &w->stage[0], *s = NULL;
  if (dest == MENSHENS) return SLUICE_OK;
  if (w->stages && (first->always || first->split) && fill_destination(first, first->split, port))
    return SLUICE_OK;
  enum sluice_status status = new_stage(w, LEADING, &s);
  if (status) return status;
  memmove(w->stage + 1, w->stage, (w->stages - 1) * sizeof *w->stage);
  *first = (struct out_stage){.from = LEADING, .always = true};
  uint8_t *match, *action;
  mask_all(first->mask);
  status = new_row(w, first, &match, &action);
  if (!status) sluice_menshen_slot_set(action, 0, port);
  return status;
}

// ---- the records --------------------------------------------------------------------------------

static unsigned number_of(const struct writer *w, unsigned n) {
  return w->moved ? n : w->stage[n].from;
}

static enum sluice_status segments(struct writer *w) {
  for (size_t i = 0; i < w->image->num_arrays; i++) {
    const struct sluice_array *a = &w->image->arrays[i];
    const char *name = sluice_array_name(a);
    unsigned n = 0;
    if (a->words) return REFUSE(w, "'%s' has rows of words", name);
    if (a->name[1][0]) return REFUSE(w, "'%s' and '%s' share their entries", name, a->name[1]);
    if (a->init[0]) return REFUSE(w, "'%s' begins with %d, memory with 0", name, (int)a->init[0]);
    if (a->size > w->room->range)
      return REFUSE(w, "'%s' has %u entries, the module has %u words of memory", name, a->size,
                    w->room->range);
    while (n < w->stages && (w->stage[n].from != a->stage || (n && w->stage[n - 1].split))) n++;
    const unsigned stage = n < w->stages ? number_of(w, n) : a->stage;
    struct sluice_menshen_record *r =
        sluice_menshen_add(w->file, SLUICE_TABLE_SEGMENT16, stage, w->room->vid);
    if (!r) return sluice_no_memory(w->error);
    SLUICE_SETS(r->bytes, SEGMENT16, (RANGE, a->size), (BASE, w->room->base));
  }
  return SLUICE_OK;
}

static bool put(struct writer *w, enum sluice_table table, unsigned stage, unsigned index,
                const uint8_t *bytes) {
  struct sluice_menshen_record *r = sluice_menshen_add(w->file, table, stage, index);
  if (r) memcpy(r->bytes, bytes, (sluice_tables[table].bits + 7) / 8);
  return r;
}

static enum sluice_status records(struct writer *w) {
  bool good = true;
  for (unsigned n = 0; n < w->stages; n++) {
    const struct out_stage *s = &w->stage[n];
    const unsigned number = number_of(w, n), vid = w->room->vid;
    if (number >= SLUICE_MENSHEN_STAGES)
      return REFUSE(w, "it needs %u stages, Menshen has %d", number_of(w, w->stages - 1) + 1,
                    SLUICE_MENSHEN_STAGES);
    good = good && put(w, SLUICE_TABLE_KEY_EXTRACT, number, vid, s->extract) &&
           put(w, SLUICE_TABLE_KEY_MASK, number, vid, s->mask);
    for (unsigned row = 0; good && row < s->rows; row++) {
      const unsigned at = w->room->first_row + row;
      good = put(w, SLUICE_TABLE_MATCH, number, at, s->row[row].match) &&
             put(w, SLUICE_TABLE_ACTION, number, at, s->row[row].action);
    }
  }
  return good ? SLUICE_OK : sluice_no_memory(w->error);
}

enum sluice_status sluice_menshen_from_image(struct sluice_menshen_file *file,
                                             const struct sluice_image *image,
                                             const struct sluice_menshen_room *room,
                                             struct sluice_error *error) {
  struct writer *w = sluice_zeroed(NULL, sizeof *w);
  if (!w) return sluice_no_memory(error);
  const struct sluice_config *config = sluice_config_find(image->config);
  w->image = image;
  w->room = room;
  w->file = file;
  w->error = error;
  w->names = (struct menshen_names){.image = image, .config = config, .error = error};
  *file = (struct sluice_menshen_file){0};
  enum sluice_status status =
      config ? check_image(w)
             : sluice_fail(error, SLUICE_ERR_FOREIGN, "no chip is called '%s'", image->config);
  if (!status) status = menshen_names(&w->names);
  if (!status) status = stages(w);
  if (!status) {
    const unsigned before = w->stages;
    status = destination(w);
    w->moved |= w->stages != before;
  }
  for (unsigned n = 1; n < w->stages; n++) w->moved |= w->stage[n].from <= w->stage[n - 1].from;
  if (!status) status = segments(w);
  if (!status) status = lane(w, SLUICE_TABLE_PARSER);
  if (!status) status = lane(w, SLUICE_TABLE_DEPARSER);
  if (!status) status = records(w);
  if (status) sluice_menshen_release(file);
  sluice_resize(NULL, w, sizeof *w, 0);
  return status;
}
