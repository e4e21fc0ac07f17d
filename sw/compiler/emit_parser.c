// SPDX-License-Identifier: Apache-2.0
// Parser and deparser: which bytes of the packet stand in which container.
#include <string.h>

#include "emit.h"

// The place of an action is a malleable's choice.
static void relocate_action(struct emitter *e, enum sluice_table table, unsigned lsb,
                            const struct source *s) {
  struct relocated r = {.param = s->param, .kind = SLUICE_RELOCATE_UNSIGNED};
  relocate(e->c, e->image, &r, table, 0, 0, lsb + SLUICE_PARSE_ACTION_OFFSET_MSB,
           lsb + SLUICE_PARSE_ACTION_OFFSET_LSB);
  r.kind = SLUICE_RELOCATE_METADATA;
  relocate(e->c, e->image, &r, table, 0, 0, lsb + SLUICE_PARSE_ACTION_METADATA_MSB,
           lsb + SLUICE_PARSE_ACTION_METADATA_LSB);
}

static void parse_action(struct emitter *e, enum sluice_table table, uint8_t *bytes, unsigned *num,
                         const struct source *s, const struct task *t) {
  uint32_t word = 0, offset = s->offset;
  if (t->type == SLUICE_TYPE_B6 && s->width == 4) offset -= 2;
  FIELD(word, PARSE_ACTION, METADATA, s->metadata);
  FIELD(word, PARSE_ACTION, OFFSET, offset);
  FIELD(word, PARSE_ACTION, KIND, t->type);
  FIELD(word, PARSE_ACTION, IDX, t->container);
  FIELD(word, PARSE_ACTION, VALID, 1);
  unsigned lsb = 16 * (ENTRY_ACTIONS - 1 - *num);
  if (++*num > ENTRY_ACTIONS) return;
  sluice_entry_set(bytes, sluice_tables[SLUICE_TABLE_PARSER].bits, lsb + 15, lsb, word);
  relocate_action(e, table, lsb, s);
}

// The field that is read or written there.
static const struct token *field_at(const struct compiler *c, const struct source *s) {
  if (s->param) return c->program->malleable[s->param - 1]->at;
  for (size_t i = 0; i < c->program->num_fields; i++) {
    const struct field *f = c->program->field[i];
    const enum sluice_home_kind home = s->metadata ? SLUICE_HOME_METADATA : SLUICE_HOME_BYTES;
    if (f->info.home == home && f->info.offset < s->offset + s->width &&
        s->offset < f->info.offset + f->info.width)
      return f->at;
  }
  return c->program->struct_at;
}

// The chip must reach the header bytes of a field.
static void check_reach(struct compiler *c, const struct source *s) {
  const struct malleable *m = s->param ? c->program->malleable[s->param - 1] : NULL;
  for (unsigned i = 0; m && i < m->num; i++) {
    const struct sluice_program_field *f = &c->program->field[m->choice[i]]->info;
    check_reach(c, &(struct source){f->home == SLUICE_HOME_METADATA, f->offset, f->width, 0});
  }
  if (m) return;
  if (!s->metadata && s->offset + s->width > c->config->HeaderBytes)
    diag_error(
        &c->ir, field_at(c, s), "header-reach",
        "bytes %u..%u are not among the first %u, which parser and deparser of chip '%s' reach",
        s->offset, s->offset + s->width - 1, c->config->HeaderBytes, c->config->name);
}

void emit_parser(struct emitter *e) {
  const struct compiler *c = e->c;
  unsigned num = 0;
  const struct token *last = NULL;  // the field that is one too many
  bool *read = NEW_ARRAY(c->arena, bool, c->graph->num_sources + 1);
  uint8_t *bytes = emit_entry(e, SLUICE_TABLE_PARSER, 0)->bytes;
  for (unsigned i = 0; i < c->code->num; i++) {
    const struct task *t = c->code->list[i];
    if (!t->live || t->kind != TASK_INPUT) continue;
    check_reach(e->c, &c->graph->source[t->source]);
    parse_action(e, SLUICE_TABLE_PARSER, bytes, &num, &c->graph->source[t->source], t);
    read[t->source] = true;
  }
  unsigned count = 0;
  for (unsigned i = 0; i < c->graph->num_sources && num > c->config->ParseActions; i++)
    if (read[i] && ++count == c->config->ParseActions + 1) last = field_at(c, &c->graph->source[i]);
  if (last)
    diag_error(&e->c->ir, last, "parse-actions",
               "reads %u header fields, the parser of chip '%s' has %u actions%s", num,
               c->config->name, c->config->ParseActions, SEE_CHIP(&e->c->ir, ParseActions, num));
  if (c->options->usage) c->options->usage->parse_actions = num;
  num = 0;
  last = NULL;
  bytes = emit_entry(e, SLUICE_TABLE_DEPARSER, 0)->bytes;
  for (unsigned i = 0; i < c->graph->num_outputs; i++) {
    const struct output *o = &c->graph->output[i];
    const struct source to = {false, o->offset, o->width, o->param};
    if (!c->code->output[i]) continue;
    check_reach(e->c, &to);
    parse_action(e, SLUICE_TABLE_DEPARSER, bytes, &num, &to, c->code->output[i]);
    if (num == c->config->ParseActions + 1) last = field_at(c, &to);
  }
  if (last)
    diag_error(&e->c->ir, last, "deparse-actions",
               "writes %u header fields, the deparser of chip '%s' has %u actions%s", num,
               c->config->name, c->config->ParseActions, SEE_CHIP(&e->c->ir, ParseActions, num));
  if (c->options->usage) c->options->usage->deparse_actions = num;
  if (c->program->checksum && !c->config->Checksums)
    diag_error(&e->c->ir, c->program->checksum_at, "checksums",
               "asks for checksums, chip '%s' updates none", c->config->name);
  bytes = emit_entry(e, SLUICE_TABLE_DEPARSE_OPT, 0)->bytes;
  SLUICE_SETS(bytes, DEPARSE_OPT, (IP_CHECKSUM, c->program->checksum),
              (L4_CHECKSUM, c->program->checksum && !c->program->only_ip_sum));
}

// Where the packet has its array.
static void packet_array(struct emitter *e) {
  const struct compiler *c = e->c;
  const struct task *found = NULL;
  bool used = c->program->word_table && c->program->word_table->used_at;
  for (unsigned i = 0; i < c->code->num; i++)
    if (c->code->list[i]->live && c->code->list[i]->kind == TASK_FOUND) found = c->code->list[i];
  if (used) emit_word_table(e->c, e->image, found);
  for (unsigned i = 0; i < c->codelets.num; i++) used |= c->codelets.list[i].row != 0;
  for (size_t i = 0; used && i < c->program->num_fields; i++) {
    const struct field *f = c->program->field[i];
    if (f->info.home != SLUICE_HOME_ARRAY) continue;
    if (f->info.words > c->config->ArrayWords)
      diag_error(&e->c->ir, f->at, "row-words", "'%s' has %u words, an array of chip '%s' has %u%s",
                 f->info.name, f->info.words, c->config->name, c->config->ArrayWords,
                 SEE_CHIP(&e->c->ir, ArrayWords, f->info.words));
    uint8_t *bytes = emit_entry(e, SLUICE_TABLE_ARRAY, 0)->bytes;
    SLUICE_SETS(bytes, ARRAY, (VALID, 1), (COUNT, f->info.words), (OFFSET, f->info.offset));
  }
}

// A program that does not say where packets go sends them to port 0.
static void module(struct emitter *e) {
  uint8_t *bytes = emit_entry(e, SLUICE_TABLE_MODULE, 0)->bytes;
  SLUICE_SETS(bytes, MODULE, (VALID, 1), (DEST, e->c->config->NumPorts <= 8 ? 1 : 0),
              (NEED_IP, e->c->program->need_ip), (NEED_UDP, e->c->program->need_udp));
}

static void fields(struct emitter *e) {
  const struct compiler *c = e->c;
  for (size_t i = 0; i < c->program->num_fields; i++) {
    const struct sluice_program_field *f = &c->program->field[i]->info;
    if (f->home == SLUICE_HOME_ELSEWHERE) continue;
    struct sluice_field *out = sluice_image_add_field(e->image);
    if (!out) arena_give_up(c->arena, ARENA_NO_MEMORY);
    snprintf(out->name, sizeof out->name, "%s", f->name);
    home_text(c->program, f, out->home, sizeof out->home);
    out->in_operand = out->out_operand = -1;
    bool bytes = f->home == SLUICE_HOME_BYTES || f->home == SLUICE_HOME_METADATA;
    for (unsigned n = 0; bytes && f->width > 1 && n < c->code->num; n++) {
      const struct task *t = c->code->list[n];
      const struct source *s = &c->graph->source[t->source];
      if (t->live && t->kind == TASK_INPUT && s->offset == f->offset && s->width == f->width &&
          s->metadata == (f->home == SLUICE_HOME_METADATA) && s->param == f->param)
        out->in_operand = (int)(t->type << 3 | t->container);
    }
    for (unsigned n = 0; n < c->graph->num_outputs; n++) {
      const struct task *t = c->code->output[n];
      if (t && f->home == SLUICE_HOME_BYTES && c->graph->output[n].offset == f->offset &&
          c->graph->output[n].width == f->width && c->graph->output[n].param == f->param)
        out->out_operand = (int)(t->type << 3 | t->container);
    }
  }
}

void emit_packet(struct emitter *e) {
  packet_array(e);
  module(e);
  fields(e);
}
