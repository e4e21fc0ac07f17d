// SPDX-License-Identifier: Apache-2.0
#include "capsule.h"

#include <string.h>

#include "../base/bytes.h"
#include "../base/status.h"

enum { ADDRESSES = 12, ETHERTYPE_VLAN = 0x8100, HEADER = SLUICE_CAPSULE_BITS / 8 };
enum { ARGS = SLUICE_CAPSULE_ARGS_BITS / 8, REQUEST = SLUICE_CAPSULE_REQUEST_BITS / 8 };
enum { RANGE = SLUICE_CAPSULE_RANGE_BITS / 8 };

// Where the EtherType of capsules stands: 12, or 16 behind a tag; 0: nowhere.
static size_t find(const uint8_t *frame, size_t len) {
  size_t at = ADDRESSES;
  if (len >= at + 2 && (uint16_t)sluice_get16(frame + at) == ETHERTYPE_VLAN) at += 4;
  return len >= at + 2 && (uint16_t)sluice_get16(frame + at) == CAPSULE_ETHERTYPE ? at : 0;
}

bool capsule_is(const uint8_t *frame, size_t len) { return find(frame, len) != 0; }

enum capsule_kind capsule_kind(uint16_t flags) {
  const unsigned request = flags & (CAPSULE_POLL | CAPSULE_REQUEST);
  if (request == CAPSULE_POLL && flags & CAPSULE_EXTRA) return CAPSULE_IS_WORDS;
  if (request == CAPSULE_REQUEST) return CAPSULE_IS_REQUEST;
  if (request == CAPSULE_POLL)
    return flags & CAPSULE_ALLOCATED ? CAPSULE_IS_ANSWER : CAPSULE_IS_POLL;
  return flags & CAPSULE_DONE ? CAPSULE_IS_DONE : CAPSULE_IS_PROGRAM;
}

const char *capsule_flag_name(uint16_t flag) {
  static const struct {
    uint16_t flag;
    const char *name;
  } names[] = {
      {CAPSULE_ARGS, "ARGS"},
      {CAPSULE_EXTRA, "EXTRA"},
      {CAPSULE_RESET_SEQ, "RESET_SEQ"},
      {CAPSULE_RTS, "RTS"},
      {CAPSULE_MARKED, "MARKED"},
      {CAPSULE_INITIATED, "INITIATED"},
      {CAPSULE_ACK, "ACK"},
      {CAPSULE_DONE, "DONE"},
      {CAPSULE_FAULT, "FAULT"},
      {CAPSULE_REMAPPED, "REMAPPED"},
      {CAPSULE_ALLOCATED, "ALLOCATED"},
      {CAPSULE_PENDING, "PENDING"},
      {CAPSULE_LEADER, "LEADER"},
      {CAPSULE_PRELOAD, "PRELOAD"},
  };
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].flag == flag) return names[i].name;
  return "";
}

// ---- reading ------------------------------------------------------------------------------------

// Behind the initial header of words: what is before the words themselves.
enum { WORDS_HEAD = 18, SHARDED = 0x80 };
#define RANGE_SHARDED UINT32_C(0x80000000)

static enum sluice_status read_words(struct capsule *c, const uint8_t *b, size_t len,
                                     struct sluice_error *error) {
  struct capsule_words *w = &c->words;
  *w = (struct capsule_words){.stage = b[0],
                              .num = (uint16_t)sluice_get16(b + 2),
                              .first = sluice_get32(b + 4),
                              .version = (uint16_t)sluice_get16(b + 8),
                              .total = sluice_get32(b + 10),
                              .address = sluice_get32(b + 14)};
  if (!(c->flags & CAPSULE_ALLOCATED)) return SLUICE_OK;
  if (w->num > CAPSULE_WORDS)
    return sluice_fail(error, SLUICE_ERR_FORMAT, "%u words in one capsule, at most %d", w->num,
                       CAPSULE_WORDS);
  if (len < WORDS_HEAD + 4u * w->num)
    return sluice_fail(error, SLUICE_ERR_FORMAT,
                       "the capsule is cut short: it says %u words, %zu bytes are left", w->num,
                       len - WORDS_HEAD);
  for (unsigned i = 0; i < w->num; i++) w->word[i] = sluice_get32(b + WORDS_HEAD + 4 * i);
  c->inner += 4u * w->num;
  return SLUICE_OK;
}

static void read_request(struct capsule_request *r, bool marks, const uint8_t *b) {
  r->length = (uint16_t)sluice_get16(b);
  r->ingress_limit = b[2];
  memcpy(r->position, b + 3, CAPSULE_DEMANDS);
  memcpy(r->demand, b + 3 + CAPSULE_DEMANDS, CAPSULE_DEMANDS);
  for (r->num = 0; r->num < CAPSULE_DEMANDS && r->demand[r->num]; r->num++) {
    r->sharded[r->num] = marks && r->position[r->num] & SHARDED;
    if (r->sharded[r->num]) r->position[r->num] &= SHARDED - 1;
  }
}

// What follows the initial header. `at` counts in the frame.
static enum sluice_status read_body(struct capsule *c, const uint8_t *frame, size_t len, size_t at,
                                    struct sluice_error *error) {
  const bool args = c->kind == CAPSULE_IS_PROGRAM ||
                    (c->kind == CAPSULE_IS_DONE && c->flags & CAPSULE_ARGS);
  const size_t need = args                            ? ARGS
                      : c->kind == CAPSULE_IS_REQUEST ? REQUEST
                      : c->kind == CAPSULE_IS_WORDS   ? WORDS_HEAD
                      : c->kind == CAPSULE_IS_ANSWER  ? RANGE * CAPSULE_STAGES
                                                      : 0;
  static const char *const names[] = {"request", "words",     "answer",
                                      "poll",    "arguments", "arguments"};
  size_t used;
  if (len - at < need)
    return sluice_fail(
        error, SLUICE_ERR_FORMAT,
        "the capsule is cut short: its %s take %zu bytes from byte %zu, the frame has %zu",
        names[c->kind], need, at, len);
  c->inner = at + need;
  if (c->kind == CAPSULE_IS_REQUEST)
    read_request(&c->request, c->flags & CAPSULE_EXTRA, frame + at);
  for (unsigned s = 0; c->kind == CAPSULE_IS_ANSWER && s < CAPSULE_STAGES; s++)
    c->ranges[s] = (struct capsule_range){sluice_get32(frame + at + RANGE * s) & ~RANGE_SHARDED,
                                          sluice_get32(frame + at + RANGE * s + RANGE / 2),
                                          sluice_get32(frame + at + RANGE * s) & RANGE_SHARDED};
  if (c->kind == CAPSULE_IS_WORDS) return read_words(c, frame + at, len - at, error);
  for (unsigned i = 0; args && i < 4; i++) c->args.data[i] = sluice_get32(frame + at + 4 * i);
  if (c->kind != CAPSULE_IS_PROGRAM) return SLUICE_OK;
  const enum sluice_status status =
      active_from_apo(&c->program, frame + c->inner, len - c->inner, &used, error);
  if (!status) c->inner += used;
  return status;
}

enum sluice_status capsule_read(struct capsule *c, const uint8_t *frame, size_t len,
                                struct sluice_error *error) {
  const size_t type = find(frame, len), at = type + 2;
  memset(c, 0, sizeof *c);
  if (!type)
    return sluice_fail(error, SLUICE_ERR_FORMAT,
                       "no capsule: no EtherType %04x in bytes 12-13, or 16-17", CAPSULE_ETHERTYPE);
  memcpy(c->addresses, frame, ADDRESSES);
  c->tagged = type != ADDRESSES;
  if (c->tagged) c->tci = (uint16_t)sluice_get16(frame + ADDRESSES + 2);
  if (len < at + HEADER)
    return sluice_fail(
        error, SLUICE_ERR_FORMAT,
        "the capsule is cut short: its header takes %d bytes from byte %zu, the frame has %zu",
        HEADER, at, len);
  if (sluice_get32(frame + at) != CAPSULE_SIGNATURE)
    return sluice_fail(error, SLUICE_ERR_FORMAT, "the signature of the capsule is %08x, not %08x",
                       (unsigned)sluice_get32(frame + at), CAPSULE_SIGNATURE);
  c->flags = (uint16_t)sluice_get16(frame + at + 4);
  c->fid = (uint16_t)sluice_get16(frame + at + 6);
  c->seq = (uint16_t)sluice_get16(frame + at + 8);
  c->kind = capsule_kind(c->flags);
  return read_body(c, frame, len, at + HEADER, error);
}

// ---- writing ------------------------------------------------------------------------------------

enum { MAX_BODY = WORDS_HEAD + 4 * CAPSULE_WORDS };
_Static_assert((int)MAX_BODY >= ARGS + 2 * (ACTIVE_MAX_INSTRS + 1) &&
                   (int)MAX_BODY >= RANGE * CAPSULE_STAGES,
               "room for every kind");

static size_t write_args(const struct capsule *c, uint8_t *b) {
  for (unsigned i = 0; i < 4; i++) sluice_put32(b + 4 * i, c->args.data[i]);
  return ARGS;
}

static size_t write_words(const struct capsule *c, uint8_t *b) {
  const struct capsule_words *w = &c->words;
  const unsigned num = w->num < CAPSULE_WORDS ? w->num : CAPSULE_WORDS;
  b[0] = w->stage;
  b[1] = 0;
  sluice_put16(b + 2, num);
  sluice_put32(b + 4, w->first);
  sluice_put16(b + 8, w->version);
  sluice_put32(b + 10, w->total);
  sluice_put32(b + 14, w->address);
  if (!(c->flags & CAPSULE_ALLOCATED)) return WORDS_HEAD;
  for (unsigned i = 0; i < num; i++) sluice_put32(b + WORDS_HEAD + 4 * i, w->word[i]);
  return WORDS_HEAD + 4 * num;
}

static size_t write_body(const struct capsule *c, uint8_t body[MAX_BODY]) {
  switch (capsule_kind(c->flags)) {
    case CAPSULE_IS_REQUEST:
      memset(body, 0, REQUEST);
      sluice_put16(body, c->request.length);
      body[2] = c->request.ingress_limit;
      for (unsigned i = 0; i < c->request.num && i < CAPSULE_DEMANDS; i++) {
        const bool marked = c->flags & CAPSULE_EXTRA && c->request.sharded[i];
        body[3 + i] = (uint8_t)(c->request.position[i] | (marked ? SHARDED : 0));
        body[3 + CAPSULE_DEMANDS + i] = c->request.demand[i];
      }
      return REQUEST;
    case CAPSULE_IS_ANSWER:
      for (unsigned s = 0; s < CAPSULE_STAGES; s++) {
        sluice_put32(body + RANGE * s,
                     c->ranges[s].first | (c->ranges[s].sharded ? RANGE_SHARDED : 0));
        sluice_put32(body + RANGE * s + RANGE / 2, c->ranges[s].last);
      }
      return RANGE * CAPSULE_STAGES;
    case CAPSULE_IS_WORDS: return write_words(c, body);
    case CAPSULE_IS_POLL: return 0;
    case CAPSULE_IS_DONE: return c->flags & CAPSULE_ARGS ? write_args(c, body) : 0;
    case CAPSULE_IS_PROGRAM: break;
  }
  return write_args(c, body) + active_to_apo(&c->program, body + ARGS);
}

enum sluice_status capsule_write(const struct capsule *c, const uint8_t *inner, size_t inner_len,
                                 uint8_t *frame, size_t size, size_t *len,
                                 struct sluice_error *error) {
  uint8_t body[MAX_BODY];
  const size_t body_len = write_body(c, body);
  const size_t type = ADDRESSES + (c->tagged ? 4 : 0), at = type + 2;
  const size_t all = at + HEADER + body_len + inner_len;
  if (all > size)
    return sluice_fail(error, SLUICE_ERR_FULL, "the capsule takes %zu bytes, there is room for %zu",
                       all, size);
  memcpy(frame, c->addresses, ADDRESSES);
  if (c->tagged) {
    sluice_put16(frame + ADDRESSES, ETHERTYPE_VLAN);
    sluice_put16(frame + ADDRESSES + 2, c->tci);
  }
  sluice_put16(frame + type, CAPSULE_ETHERTYPE);
  sluice_put32(frame + at, CAPSULE_SIGNATURE);
  sluice_put16(frame + at + 4, c->flags);
  sluice_put16(frame + at + 6, c->fid);
  sluice_put16(frame + at + 8, c->seq);
  memcpy(frame + at + HEADER, body, body_len);
  if (inner_len) memcpy(frame + at + HEADER + body_len, inner, inner_len);
  *len = all;
  return SLUICE_OK;
}

enum sluice_status capsule_ask(struct capsule_request *r, const struct active_memidx *memidx,
                               unsigned length, const uint8_t *demand, struct sluice_error *error) {
  *r = (struct capsule_request){.length = (uint16_t)length, .ingress_limit = CAPSULE_NO_LIMIT};
  if (memidx->ingress_limit >= 0) r->ingress_limit = (uint8_t)memidx->ingress_limit;
  if (!demand) return SLUICE_OK;
  if (memidx->num > CAPSULE_DEMANDS)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "the program has %u memory accesses, a request holds %d", memidx->num,
                       CAPSULE_DEMANDS);
  for (unsigned i = 0; i < memidx->num; i++) {
    if (!demand[i])
      return sluice_fail(error, SLUICE_ERR_RANGE,
                         "access %u demands no block: a demand of 0 ends a request", i);
    r->position[i] = (uint8_t)memidx->positions[i];
    r->demand[i] = demand[i];
    r->num++;
  }
  return SLUICE_OK;
}

// ---- to and from the interpreter ----------------------------------------------------------------

enum { SOURCE = 12, DEST = 16, PORTS = 20 };

// Two bytes of a frame of which `end` bytes are seen.
static unsigned look16(const uint8_t *frame, size_t end, size_t at) {
  return (at < end ? (unsigned)frame[at] << 8 : 0) | (at + 1 < end ? frame[at + 1] : 0);
}
static uint32_t look32(const uint8_t *frame, size_t end, size_t at) {
  return (uint32_t)look16(frame, end, at) << 16 | look16(frame, end, at + 2);
}

void capsule_to_run(const struct capsule *c, const uint8_t *frame, size_t len, size_t reach,
                    struct active_capsule *run, struct active_packet *packet) {
  const size_t end = len < reach ? len : reach;
  *run = (struct active_capsule){
      .fid = c->fid, .preload = c->flags & CAPSULE_PRELOAD, .args = c->args, .program = c->program};
  packet->source = look32(frame, end, c->inner + SOURCE);
  packet->dest = look32(frame, end, c->inner + DEST);
  packet->sport = (uint16_t)look16(frame, end, c->inner + PORTS);
  packet->dport = (uint16_t)look16(frame, end, c->inner + PORTS + 2);
}

static void swap(uint8_t *a, uint8_t *b, size_t len) {
  for (size_t i = 0; i < len; i++) {
    const uint8_t byte = a[i];
    a[i] = b[i];
    b[i] = byte;
  }
}

// Writes the addresses of the other way. What of them is behind the end reads 0 and is not written.
static void swap_inner(uint8_t *out, const uint8_t *in, size_t len) {
  const uint32_t source = look32(in, len, SOURCE), dest = look32(in, len, DEST);
  for (unsigned i = 0; i < 8; i++)
    if (SOURCE + i < len)
      out[SOURCE + i] = (uint8_t)((i < 4 ? dest : source) >> (24 - 8 * (i % 4)));
}

enum sluice_status capsule_leave(const struct capsule *c, const uint8_t *frame, size_t frame_len,
                                 size_t reach, const struct active_leaving *leaving, uint8_t *out,
                                 size_t size, size_t *len, struct sluice_error *error) {
  struct capsule left = *c;
  const size_t inner_len = frame_len - c->inner;
  const unsigned consumed = leaving->consumed < c->program.num ? leaving->consumed : c->program.num;
  left.args = leaving->args;
  left.program.num = c->program.num - consumed;
  memmove(left.program.instrs, c->program.instrs + consumed,
          left.program.num * sizeof *left.program.instrs);
  if (leaving->fault) left.flags |= CAPSULE_FAULT;
  const size_t type = ADDRESSES + (c->tagged ? 4 : 0);
  SLUICE_TRY(capsule_write(&left, frame + c->inner, inner_len, out, size, len, error));
  if (leaving->done) {  // the arguments stay, whatever flag ARGS says
    const size_t at = type + 2 + HEADER + ARGS, end = *len - inner_len;
    sluice_put16(out + type + 2 + 4, left.flags | CAPSULE_DONE);
    memmove(out + at, out + end, inner_len);
    *len -= end - at;
  }
  if (leaving->swapped) {
    swap(out, out + 6, 6);
    if (c->inner + PORTS <= reach) swap_inner(out + *len - inner_len, frame + c->inner, inner_len);
  }
  if (*len < CAPSULE_SHORTEST && frame_len >= CAPSULE_SHORTEST) {
    if (size < CAPSULE_SHORTEST)
      return sluice_fail(error, SLUICE_ERR_FULL, "there is no room for %d bytes", CAPSULE_SHORTEST);
    memset(out + *len, 0, CAPSULE_SHORTEST - *len);
    *len = CAPSULE_SHORTEST;
  }
  return SLUICE_OK;
}
