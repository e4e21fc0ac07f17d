// SPDX-License-Identifier: Apache-2.0
// docs/machine.md: Numbers; A packet, step by step; Recirculation; Output queues, Classes. Step 1
// (ports) and step 5's choice of who is dropped are matters of time and load: whoever asks knows.
#include <string.h>

#include "parts.h"

// ---- Numbers ------------------------------------------------------------------------------------

bool spec_container(const struct sluice_spec *s, unsigned kind, unsigned index) {
  return (kind == SLUICE_TYPE_B2 && index < s->c.Num2B) ||
         (kind == SLUICE_TYPE_B4 && index < s->c.Num4B) ||
         (kind == SLUICE_TYPE_B6 && index < s->c.Num6B);
}

// "names a container by type and index; type CONST gives the number in its index field. A container
// that the configuration does not have reads 0." At its full width.
uint64_t spec_full(const struct sluice_spec *s, const struct spec_phv *phv, unsigned operand) {
  const unsigned kind = operand >> 3 & 3, index = operand & 7;
  if (kind == SLUICE_TYPE_CONST) return index;
  return spec_container(s, kind, index) ? phv->box[kind][index] : 0;
}

// "a 2-byte container is zero-extended; a 6-byte container gives its low 32 bits"
uint32_t spec_value(const struct sluice_spec *s, const struct spec_phv *phv, unsigned operand) {
  return (uint32_t)spec_full(s, phv, operand);
}

void spec_put(const struct sluice_spec *s, struct spec_phv *phv, unsigned kind, unsigned index,
              uint64_t value) {
  const uint64_t mask = kind == SLUICE_TYPE_B2   ? 0xffff
                        : kind == SLUICE_TYPE_B4 ? 0xffffffff
                                                 : 0xffffffffffff;
  if (spec_container(s, kind, index)) phv->box[kind][index] = value & mask;
}

// ---- A packet, step by step: 2. Filter ----------------------------------------------------------

const struct sluice_model_filter *sluice_spec_filter(const struct sluice_spec *s) {
  return &s->filter;
}

static bool looks_like_reconfiguration(const uint8_t *bytes) {
  return spec_number(bytes + 16, 2) == 0x0800 && bytes[27] == 0x11 &&
         spec_number(bytes + 40, 2) == 0xf1f2;
}

struct sluice_model_verdict sluice_spec_classify(const struct sluice_model_filter *f,
                                                 uint32_t banks,
                                                 const struct sluice_model_again *again,
                                                 const uint8_t *bytes, unsigned len) {
  (void)len;
  const unsigned vid = (unsigned)spec_number(bytes + 14, 2) & 0xfff;
  struct sluice_model_verdict v = {.row = vid % f->modules};
  v.bank = banks >> v.row & 1;
  const uint32_t module = f->module[v.bank * f->modules + v.row];
  const bool need_udp = module >> SLUICE_MODULE_NEED_UDP_LSB & 1,
             need_ip = need_udp || (module >> SLUICE_MODULE_NEED_IP_LSB & 1),
             ip = spec_number(bytes + 16, 2) == 0x0800;
  if (spec_number(bytes + 12, 2) != 0x8100) {
    v.reason = SLUICE_DROP_NO_VLAN;
    return v;
  }
  // Recirculation: its bytes must name the module of the pass before
  v.known = module >> SLUICE_MODULE_VALID_LSB && (module & 0xfff) == vid &&
            (!again || again->row == v.row);
  if (!v.known) v.reason = SLUICE_DROP_UNKNOWN_MODULE;
  else if (looks_like_reconfiguration(bytes)) v.reason = SLUICE_DROP_RECONFIG;
  else if (f->bitmap >> v.row & 1) v.reason = SLUICE_DROP_BITMAP;
  else if ((need_ip && !ip) || (need_udp && bytes[27] != 0x11)) v.reason = SLUICE_DROP_PROTOCOL;
  return v;
}

// ---- 3. Parser ----------------------------------------------------------------------------------

static unsigned width_of(unsigned kind) { return 2 * kind; }

void spec_parse(const struct sluice_spec *s, struct spec_phv *phv, const uint8_t *entry,
                const uint8_t *bytes, unsigned len, const uint8_t metadata[32]) {
  for (unsigned a = 0; a < s->c.ParseActions; a++) {
    const uint8_t *action = entry + 2 * a;
    const unsigned kind = (unsigned)FIELD(action, PARSE_ACTION, KIND),
                   offset = (unsigned)FIELD(action, PARSE_ACTION, OFFSET);
    const bool from_metadata = FIELD(action, PARSE_ACTION, METADATA);
    if (!FIELD(action, PARSE_ACTION, VALID) || kind == SLUICE_TYPE_CONST) continue;
    uint64_t value = 0;
    for (unsigned i = 0; i < width_of(kind); i++) {
      const unsigned at = offset + i;
      const bool there = from_metadata ? at < 32 : at < len && at < s->c.HeaderBytes;
      value = value << 8 | (!there ? 0 : from_metadata ? metadata[at] : bytes[at]);
    }
    spec_put(s, phv, kind, (unsigned)FIELD(action, PARSE_ACTION, IDX), value);
  }
}

static void metadata_of(const struct sluice_spec *s, const struct sluice_model_packet *packet,
                        const struct spec_phv *phv, uint8_t word[32]) {
  const unsigned port = packet->again ? packet->again->port : packet->port;
  memset(word, 0, 32);
  FIELD_SET(word, METADATA, MODULE_ID, phv->vid << 4);
  FIELD_SET(word, METADATA, ROUND, packet->again && s->c.Recirculation ? packet->again->round : 0);
  FIELD_SET(word, METADATA, PORT_IN, port);
  FIELD_SET(word, METADATA, ARRIVAL, packet->arrival);
  FIELD_SET(word, METADATA, DEST, phv->dest);
  FIELD_SET(word, METADATA, PORT_IN_SET, port < 8 ? 1u << port : 0);
  FIELD_SET(word, METADATA, LENGTH, packet->len);
}

static void to_interface(const struct spec_phv *from, struct sluice_model_phv *to) {
  *to = (struct sluice_model_phv){.vid = (uint8_t)from->vid,
                                  .bank = (uint8_t)from->bank,
                                  .dest = (uint8_t)from->dest,
                                  .discard = from->discard,
                                  .mark = from->mark,
                                  .len = (uint16_t)from->len};
  for (unsigned i = 0; i < 8; i++) {
    to->b2[i] = (uint16_t)from->box[SLUICE_TYPE_B2][i];
    to->b4[i] = (uint32_t)from->box[SLUICE_TYPE_B4][i];
    to->b6[i] = from->box[SLUICE_TYPE_B6][i];
  }
  memcpy(to->words, from->words, sizeof to->words);
}

static void from_interface(const struct sluice_model_phv *from, struct spec_phv *to) {
  *to = (struct spec_phv){.vid = from->vid,
                          .bank = from->bank,
                          .dest = from->dest,
                          .len = from->len,
                          .discard = from->discard,
                          .mark = from->mark};
  for (unsigned i = 0; i < 8; i++) {
    to->box[SLUICE_TYPE_B2][i] = from->b2[i];
    to->box[SLUICE_TYPE_B4][i] = from->b4[i];
    to->box[SLUICE_TYPE_B6][i] = from->b6[i];
  }
  memcpy(to->words, from->words, sizeof to->words);
}

// ---- 3. Parser and 4. Front stages --------------------------------------------------------------

unsigned sluice_spec_front(struct sluice_spec *s, const struct sluice_model_packet *packet,
                           struct sluice_model_phv *out) {
  struct spec_phv phv = {.vid = packet->bytes[15], .bank = packet->bank, .len = packet->len};
  uint8_t metadata[32];
  // A continued capsule keeps its destination (Capsules)
  phv.dest = packet->again && packet->again->continued
                 ? packet->again->dest
                 : (unsigned)FIELD(spec_of_row(s, SLUICE_TABLE_MODULE, 0, &phv), MODULE, DEST);
  metadata_of(s, packet, &phv, metadata);
  spec_parse(s, &phv, spec_of_row(s, SLUICE_TABLE_PARSER, 0, &phv), packet->bytes, packet->len,
             metadata);
  spec_array_words(s, &phv, packet->bytes, packet->len, phv.words);
  for (unsigned f = 0; f < s->c.FrontStages; f++)
    spec_stage(s, s->c.BackStages + f, packet->lane, &phv, NULL, false);
  if (!phv.discard) spec_array_match(s, packet->bytes, &phv);
  to_interface(&phv, out);
  return phv.discard ? SLUICE_DROP_DISCARD_FRONT : SLUICE_DROP_NONE;
}

void sluice_spec_pass_over(struct sluice_spec *s, const struct sluice_model_packet *packet,
                           const struct sluice_model_phv *in) {
  struct spec_phv phv;
  from_interface(in, &phv);
  spec_capsule_counts(s, packet, &phv);
}

// ---- 7. Deparser --------------------------------------------------------------------------------

void spec_deparse(const struct sluice_spec *s, const struct spec_phv *phv, const uint8_t *entry,
                  unsigned len, uint8_t *header) {
  for (unsigned a = 0; a < s->c.ParseActions; a++) {
    const uint8_t *action = entry + 2 * a;
    const unsigned kind = (unsigned)FIELD(action, PARSE_ACTION, KIND),
                   index = (unsigned)FIELD(action, PARSE_ACTION, IDX),
                   offset = (unsigned)FIELD(action, PARSE_ACTION, OFFSET);
    if (!FIELD(action, PARSE_ACTION, VALID) || FIELD(action, PARSE_ACTION, METADATA) ||
        kind == SLUICE_TYPE_CONST)
      continue;
    const uint64_t value = spec_full(s, phv, kind << 3 | index);
    for (unsigned i = 0; i < width_of(kind); i++)
      if (offset + i < len && offset + i < s->c.HeaderBytes)
        header[offset + i] = (uint8_t)(value >> 8 * (width_of(kind) - 1 - i));
  }
}

// ---- 8. Ports -----------------------------------------------------------------------------------

unsigned spec_dest_of(const struct sluice_spec *s, uint32_t n) {
  n &= 0xff;
  if (s->c.NumPorts > 8) return n;
  return n > 7 ? 0 : 1u << n;
}

static uint64_t existing_ports(const struct sluice_spec *s) {
  return UINT64_MAX >> (64 - s->c.NumPorts - s->c.Recirculation);
}

static uint64_t recirculation_port(const struct sluice_spec *s) {
  return s->c.Recirculation ? UINT64_C(1) << s->c.NumPorts : 0;
}

static uint64_t destination(const struct sluice_spec *s, const struct spec_phv *phv) {
  if (s->c.NumPorts <= 8) return phv->dest & existing_ports(s);
  return spec_number(spec_entry(s, SLUICE_TABLE_PORT_MASK, 0, phv->dest), 8);
}

static void choose_ports(const struct sluice_spec *s, const struct spec_phv *phv, unsigned round,
                         uint64_t asked, uint64_t allowed, struct sluice_model_result *result) {
  const uint64_t again = recirculation_port(s);
  const unsigned rounds =
      (unsigned)FIELD(spec_of_row(s, SLUICE_TABLE_RECIRCULATE, 0, phv), RECIRCULATE, ROUNDS);
  if (!asked) {
    result->reason = SLUICE_DROP_NO_DEST;
    return;
  }
  result->ports = asked & allowed;
  if (!result->ports) {
    result->reason = SLUICE_DROP_FORBIDDEN;
    return;
  }
  result->some_forbidden = result->ports != asked;
  // Recirculation, Which packets
  if (result->ports & again && round >= rounds) {
    result->ports &= ~again;
    if (!result->ports) {
      result->reason = SLUICE_DROP_ROUNDS;
      result->some_forbidden = false;
    }
  }
}

// ---- 5. Order point, 6. Back stages, 7. Deparser, 8. Ports --------------------------------------

static void back_stages(struct sluice_spec *s, const struct sluice_model_packet *packet,
                        struct spec_phv *phv, struct spec_capsule *capsule,
                        struct sluice_model_access *access) {
  // For its resolution it has the bank of its arrival (Guarded flips)
  struct spec_phv at_order_point = *phv;
  at_order_point.bank = packet->bank;
  spec_capsule_read(s, packet, &at_order_point, capsule);
  for (unsigned stage = 0; stage < s->c.StateStages; stage++) {
    if (spec_capsule_decides(s, capsule, stage))
      spec_capsule_resolve(s, capsule, stage, &at_order_point, &access[stage]);
    else spec_resolve(s, stage, &at_order_point, &access[stage]);
    spec_touch(s, stage, phv->vid % s->c.NumModules, &access[stage]);
  }
  for (unsigned stage = 0; stage < s->c.BackStages; stage++) {
    spec_stage(s, stage, packet->lane, phv, &access[stage],
               spec_capsule_decides(s, capsule, stage));
    if (capsule->there) spec_capsule_unit(s, stage, phv, packet, &access[stage], capsule);
  }
}

void sluice_spec_admit(struct sluice_spec *s, const struct sluice_model_packet *packet,
                       const struct sluice_model_phv *in, struct sluice_model_result *result) {
  const unsigned kept = packet->len < SLUICE_MODEL_HEADER ? packet->len : SLUICE_MODEL_HEADER,
                 round = packet->again ? packet->again->round : 0;
  struct spec_phv phv;
  struct spec_capsule capsule = {.there = false};
  from_interface(in, &phv);
  *result = (struct sluice_model_result){.reason = SLUICE_DROP_NONE, .len = packet->len};
  memcpy(result->header, packet->bytes, kept);
  back_stages(s, packet, &phv, &capsule, result->access);
  if (phv.discard) {
    result->reason = SLUICE_DROP_DISCARD_BACK;
    return;
  }
  spec_deparse(s, &phv, spec_of_row(s, SLUICE_TABLE_DEPARSER, 0, &phv), packet->len,
               result->header);
  struct spec_phv as_it_came = phv;
  as_it_came.bank = packet->bank;
  spec_array_leave(s, &as_it_came, packet->len, result->header);
  const uint64_t allowed = spec_number(spec_of_row(s, SLUICE_TABLE_MODULE_PORTS, 0, &phv), 8),
                 asked = destination(s, &phv);
  choose_ports(s, &phv, round, asked, allowed, result);
  // "at most 255": ROUNDS has 8 bits, so a packet of round 255 does not go on
  result->again = (struct sluice_model_again){
      .round = (uint8_t)(round + 1),
      .row = (uint8_t)(phv.vid % s->c.NumModules),
      .port = (uint8_t)(packet->again ? packet->again->port : packet->port)};
  if (capsule.there) spec_capsule_exit(s, &capsule, &phv, packet, result, asked, allowed);
  spec_checksums(s, (unsigned)*spec_of_row(s, SLUICE_TABLE_DEPARSE_OPT, 0, &phv), packet->bytes,
                 packet->len, result->header);
  if (phv.mark) result->congestion = spec_congestion(packet->bytes, packet->len, result->header);
}

bool sluice_spec_mark(const struct sluice_model_packet *packet,
                      struct sluice_model_result *result) {
  const bool set = spec_congestion(packet->bytes, packet->len, result->header);
  result->congestion |= set;
  return set;
}

// What is taken out goes last: "bytes behind it move up; a packet that is then shorter than 64
// bytes is filled up to 64 with zeros".
unsigned sluice_spec_leave(const struct sluice_model_packet *packet,
                           const struct sluice_model_result *result, uint8_t *bytes) {
  unsigned n = 0;
  for (unsigned i = 0; i < packet->len; i++)
    if (i < SLUICE_MODEL_TAKEN_AT || i >= SLUICE_MODEL_TAKEN_AT + result->taken_out)
      bytes[n++] = i < SLUICE_MODEL_HEADER ? result->header[i] : packet->bytes[i];
  while (n < SLUICE_MODEL_MIN_LEN) bytes[n++] = 0;
  return n;
}

// ---- Output queues, Classes ---------------------------------------------------------------------

unsigned sluice_spec_class(const struct sluice_spec *s, unsigned row) {
  const uint8_t *entry = spec_entry(s, SLUICE_TABLE_OUTPUT_CLASS, 0, row);
  if (!s->c.OutputClasses) return 0;
  return (FIELD(entry, OUTPUT_CLASS, VALID) ? (unsigned)FIELD(entry, OUTPUT_CLASS, NUMBER) : row) %
         s->c.OutputClasses;
}
