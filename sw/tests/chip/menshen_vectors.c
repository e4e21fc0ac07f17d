// SPDX-License-Identifier: Apache-2.0
// Menshen's public vectors on the whole chip, for menshen.sh.
//
//   menshen_vectors make VECTORS CONTROL PACKETS   captures: for the control port, and to play
//   menshen_vectors check VECTORS OUTPUT           OUTPUT is what left the chip
//
// The seven reconfiguration packets go to the control port as they are, each with a READ of what it
// wrote, whose answer must be the vector's entry: this program asks the reference model, the chip
// is compared with the model. Then the module that the packets configure gets packets, and each ALU
// vector has a module of its own. What packets must look like afterwards is written down here, not
// asked from the model.
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/capture.h"
#include "base/bytes.h"
#include "driver/wire/wire.h"
#include "model/model.h"

enum {
  STAGE = 2,          // of the vectors
  VECTORS_VID = 43,   // module of the seven packets: overlay row 11
  VECTORS_MATCH = 9,  // its match row
  FRAME_LEN = 128,
  INDEX_AT = 72,  // 4B[3] of the ALU modules: the index of their memory operations
  ID_AT = 120,    // number of the step
  RANGE = 3,
  BASE = 16,
  PIPE = 1,  // segment that the memory operations share
};

// The ALU vectors, each run by the module of its own VLAN id. No id is 11 modulo 32.
static const struct {
  const char *vector;
  unsigned vid;
} modules[] = {{"alu-add", 1},  {"alu-sub", 2},      {"alu-addi", 3},  {"alu-subi", 4},
               {"alu-set", 5},  {"alu-load", 6},     {"alu-store", 7}, {"alu-loadd", 8},
               {"alu-port", 9}, {"alu-discard", 10}, {"alu-nop", 12}};
enum { NUM_MODULES = sizeof modules / sizeof modules[0] };

// Containers of the ALU modules: parsed from these places, and written back there where `out`.
static const struct {
  unsigned kind, idx, at;
  bool in, out;
} places[] = {{SLUICE_TYPE_B2, 1, 64, true, false}, {SLUICE_TYPE_B2, 3, 66, true, true},
              {SLUICE_TYPE_B4, 2, 68, true, true},  {SLUICE_TYPE_B4, 3, 72, true, false},
              {SLUICE_TYPE_B4, 6, 76, true, false}, {SLUICE_TYPE_B4, 7, 80, true, true},
              {SLUICE_TYPE_B6, 4, 84, true, false}, {SLUICE_TYPE_B6, 5, 90, true, false},
              {SLUICE_TYPE_B6, 7, 96, true, true},  {SLUICE_TYPE_B6, 1, 102, true, true},
              {SLUICE_TYPE_B6, 0, 108, false, true}};

// What bytes 64..113 of a packet of an ALU module hold before, but for the index.
static const uint8_t operands[] = {
    // 2B[1] = 3, 2B[3] = -1, 4B[2] = 0xffff0020, 4B[3]: index
    0x00, 0x03, 0xff, 0xff, 0xff, 0xff, 0x00, 0x20, 0, 0, 0, 0,
    // 4B[6] = 0x12345678, 4B[7] = 0x0badcafe
    0x12, 0x34, 0x56, 0x78, 0x0b, 0xad, 0xca, 0xfe, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0,
    2,  // 6B[4] = 1, 6B[5] = 2
    // 6B[7] = 0, 6B[1], 6B[0] is not parsed: 0
    0, 0, 0, 0, 0, 0, 9, 9, 9, 9, 9, 9, 0, 0, 0, 0, 0, 0};

// One packet. Modules of vectors send to port 1, unless their action says otherwise. The memory
// holds 0x5000, 0x5001, 0x5002 at first.
static const struct step {
  const char *what;
  unsigned vid, index;  // index: 4B[3]; of the vectors' own module {byte 51, bytes 70..71}
  unsigned copies;      // that leave
  unsigned at, len;     // bytes that change
  uint64_t value;       // to this
} steps[] = {
    {"vectors: hit, first count", VECTORS_VID, 0x2abeef, 4, 52, 4, 1},
    {"vectors: hit, second count", VECTORS_VID, 0xffbeef, 4, 52, 4, 2},
    {"vectors: 0x29 is not >= 0x2a", VECTORS_VID, 0x29beef, 1, 0, 0, 0},
    {"vectors: another key", VECTORS_VID, 0x2abeee, 1, 0, 0, 0},
    {"vectors: hit, third count", VECTORS_VID, 0x80beef, 4, 52, 4, 3},
    {"add wraps in 16 bits", 1, 0, 1, 66, 2, 2},
    {"sub wraps in 48 bits", 2, 0, 1, 108, 6, 0xffffffffffff},
    {"addi extends with zeros", 3, 0, 1, 68, 4, 0x00000010},
    {"subi wraps in 48 bits", 4, 0, 1, 96, 6, 0xffffffffffff},
    {"set", 5, 0, 1, 102, 6, 0x8001},
    {"load, first entry", 6, 0, 1, 80, 4, 0x5000},
    {"load, last entry", 6, 2, 1, 80, 4, 0x5002},
    {"load behind the range", 6, 3, 1, 80, 4, 0},
    {"load: all bits of an index count", 6, 0x22, 1, 80, 4, 0},
    {"load far behind", 6, 0xffffff00, 1, 80, 4, 0},
    {"store", 7, 1, 1, 0, 0, 0},
    {"load of what was stored", 6, 1, 1, 80, 4, 0x12345678},
    {"store behind the range", 7, 3, 1, 0, 0, 0},
    {"store to an alias of 5 bits", 7, 0x20, 1, 0, 0, 0},
    {"nothing was stored", 6, 0, 1, 80, 4, 0x5000},
    {"loadd", 8, 1, 1, 80, 4, 0x12345679},
    {"loadd at once again", 8, 1, 1, 80, 4, 0x1234567a},
    {"loadd behind the range", 8, 3, 1, 80, 4, 1},
    {"loadd behind the range wrote nothing", 8, 3, 1, 80, 4, 1},
    {"load of what was counted", 6, 1, 1, 80, 4, 0x1234567a},
    {"port set 0x55", 9, 0, 4, 0, 0, 0},
    {"discard", 10, 0, 0, 0, 0, 0},
    {"nop", 12, 0, 1, 0, 0, 0},
};
enum { NUM_STEPS = sizeof steps / sizeof steps[0] };

static _Noreturn void fail(const char *what, const char *why) {
  fprintf(stderr, "menshen_vectors: %s: %s\n", what, why);
  exit(3);
}

static size_t unhex(uint8_t *out, size_t room, const char *text) {
  size_t len = text ? strlen(text) / 2 : 0;
  if (len == 0 || len > room) fail("vectors", "a string of digits is missing or too long");
  for (size_t i = 0; i < len; i++) {
    const char digits[] = {text[2 * i], text[2 * i + 1], 0};
    out[i] = (uint8_t)strtoul(digits, NULL, 16);
  }
  return len;
}

static const char *text_of(const json_t *vectors, const char *id, const char *key) {
  size_t i;
  json_t *v;
  json_array_foreach(vectors, i, v) if (strcmp(json_string_value(json_object_get(v, "id")), id) ==
                                        0) return json_string_value(json_object_get(v, key));
  fail(id, "no such vector");
}

// ---- making -------------------------------------------------------------------------------------

struct maker {
  struct sluice_capture_writer *control;
  struct sluice_model *model;
  struct sluice_model_answer answer;
  unsigned sent;
};

static void send(struct maker *m, const struct sluice_frame *f) {
  if (!sluice_model_control(m->model, f->bytes, f->len, &m->answer))
    fail("control packet", "refused by the model");
  sluice_capture_write(m->control, f->bytes, f->len, m->sent++);
}

static void write_entry(struct maker *m, enum sluice_table table, unsigned stage, unsigned index,
                        const uint8_t *entry) {
  static struct sluice_frame f;
  sluice_reconfig_begin(&f, SLUICE_CHAIN_WRITE, table, stage, index);
  sluice_reconfig_append(&f, table, entry);
  sluice_reconfig_finish(&f);
  send(m, &f);
}

// A packet of the vectors, and READs of both copies of its entry.
static void send_vector(struct maker *m, const json_t *v) {
  static struct sluice_frame f, read;
  const char *id = json_string_value(json_object_get(v, "id"));
  f.len = unhex(f.bytes, sizeof f.bytes, json_string_value(json_object_get(v, "frame_hex")));
  send(m, &f);
  const unsigned stage = f.bytes[46] >> 3, index = f.bytes[48];
  const enum sluice_table table = sluice_table_find(f.bytes[46] & 7u, f.bytes[47] & 15u);
  if (table == SLUICE_NUM_TABLES) fail(id, "no such table");
  for (unsigned copy = 0; copy < 2; copy++) {
    sluice_reconfig_read(&read, table, stage, index, 1, copy, m->sent);
    send(m, &read);
    if (m->answer.len < 64 + sluice_table_bytes(table) || f.len != 64 + sluice_table_bytes(table) ||
        memcmp(m->answer.bytes + 64, f.bytes + 64, sluice_table_bytes(table)) != 0)
      fail(id, "reads back as something else");
  }
}

static void set_module(struct maker *m, unsigned vid) {
  uint8_t entry[SLUICE_ENTRY_BYTES] = {0};
  SLUICE_SETS(entry, MODULE, (VALID, 1), (DEST, 1 << 1), (VID, vid));
  write_entry(m, SLUICE_TABLE_MODULE, 0, vid % 32, entry);
}

static void set_access(struct maker *m, unsigned row, unsigned pipe) {
  uint8_t entry[SLUICE_ENTRY_BYTES] = {0};
  SLUICE_SETS(entry, ACCESS, (ENABLE, 1), (PINNED, 1), (PIPE, pipe));
  write_entry(m, SLUICE_TABLE_ACCESS, STAGE, row, entry);
}

// A parser or deparser entry from `places`.
static void set_places(struct maker *m, enum sluice_table table, unsigned row) {
  uint8_t entry[SLUICE_ENTRY_BYTES] = {0};
  unsigned n = 0;
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
    if (table == SLUICE_TABLE_PARSER ? places[i].in : places[i].out)
      sluice_put16(entry + 2 * n++,
                   places[i].at << 6 | places[i].kind << 4 | places[i].idx << 1 | 1);
  write_entry(m, table, 0, row, entry);
}

static void set_alu_module(struct maker *m, const json_t *vectors, unsigned n) {
  const unsigned row = modules[n].vid, match_row = n < VECTORS_MATCH ? n : n + 1;
  uint8_t entry[SLUICE_ENTRY_BYTES] = {0};
  set_module(m, modules[n].vid);
  set_places(m, SLUICE_TABLE_PARSER, row);
  set_places(m, SLUICE_TABLE_DEPARSER, row);
  SLUICE_SET(entry, MATCH, VID, modules[n].vid);
  write_entry(m, SLUICE_TABLE_MATCH, STAGE, match_row, entry);
  memset(entry, 0xff, 25);  // every bit of the key masked: every packet matches
  write_entry(m, SLUICE_TABLE_KEY_MASK, STAGE, row, entry);
  unhex(entry, sizeof entry, text_of(vectors, modules[n].vector, "vliw_word_payload_hex"));
  write_entry(m, SLUICE_TABLE_ACTION, STAGE, match_row, entry);
  if (modules[n].vid < 6 || modules[n].vid > 8) return;
  const uint8_t segment[] = {RANGE, BASE};
  write_entry(m, SLUICE_TABLE_SEGMENT16, STAGE, row, segment);
  set_access(m, row, PIPE);
}

static void make_frame(uint8_t *frame, unsigned n) {
  const struct step *s = &steps[n];
  memset(frame, 0, FRAME_LEN);
  frame[5] = 2, frame[11] = 1;
  sluice_put16(frame + 12, 0x8100);
  sluice_put16(frame + 14, s->vid);
  sluice_put16(frame + 16, 0x0800);
  frame[18] = 0x45, frame[26] = 64, frame[27] = 17;
  sluice_put16(frame + 38, 1000);
  sluice_put16(frame + 40, 2000);
  if (s->vid == VECTORS_VID) {
    frame[51] = (uint8_t)(s->index >> 16);
    sluice_put16(frame + 70, s->index & 0xffff);
  } else {
    memcpy(frame + 64, operands, sizeof operands);
    sluice_put32(frame + INDEX_AT, s->index);
  }
  sluice_put16(frame + ID_AT, n);
  sluice_finish_udp(frame + 18, FRAME_LEN - 18);
}

static void make(const json_t *vectors, const char *control, const char *packets) {
  struct sluice_error error;
  static struct maker m;
  struct sluice_capture_writer *play;
  m.model = sluice_model_open(sluice_config_find("menshen"));
  if (!m.model) fail("model", "out of memory");
  if (sluice_capture_create(&m.control, control, &error) ||
      sluice_capture_create(&play, packets, &error))
    fail("captures", error.text);
  size_t i, num_vectors = 0;
  json_t *v;
  json_array_foreach(vectors, i, v) if (json_object_get(v, "frame_hex")) send_vector(&m, v),
      num_vectors++;
  set_module(&m, VECTORS_VID);
  set_access(&m, VECTORS_VID % 32, 0);
  for (unsigned n = 0; n < NUM_MODULES; n++) set_alu_module(&m, vectors, n);
  static struct sluice_frame f;
  for (unsigned n = 0; n < RANGE; n++) {
    sluice_reconfig_state_write(&f, STAGE, 6, n, 0x5000 + n, 0);
    send(&m, &f);
  }
  for (unsigned n = 0; n < NUM_STEPS; n++) {
    uint8_t frame[FRAME_LEN];
    make_frame(frame, n);
    sluice_capture_write(play, frame, FRAME_LEN, n);
  }
  if (sluice_capture_finish(m.control, &error) || sluice_capture_finish(play, &error))
    fail("captures", error.text);
  sluice_model_close(m.model);
  printf("vectors=%zu control=%u packets=%d\n", num_vectors, m.sent, NUM_STEPS);
}

// ---- checking -----------------------------------------------------------------------------------

static int check(const char *output) {
  struct sluice_error error;
  struct sluice_capture *capture;
  struct sluice_packet p;
  unsigned copies[NUM_STEPS] = {0}, wrong = 0;
  if (sluice_capture_open(&capture, output, &error)) fail(output, error.text);
  for (;;) {
    if (sluice_capture_next(capture, &p, &error)) fail(output, error.text);
    if (!p.bytes) break;
    uint8_t frame[FRAME_LEN];
    const unsigned n = p.len == FRAME_LEN ? (unsigned)(p.bytes[ID_AT] << 8 | p.bytes[ID_AT + 1])
                                          : NUM_STEPS;
    if (n >= NUM_STEPS) fail(output, "a packet that nobody sent");
    make_frame(frame, n);
    for (unsigned i = 0; i < steps[n].len; i++)
      frame[steps[n].at + i] = (uint8_t)(steps[n].value >> (8 * (steps[n].len - 1 - i)));
    copies[n]++;
    for (unsigned i = 0; i < FRAME_LEN; i++)
      if (p.bytes[i] != frame[i]) {
        printf("# %s: byte %u is %02x, not %02x\n", steps[n].what, i, p.bytes[i], frame[i]);
        wrong++;
        break;
      }
  }
  sluice_capture_close(capture);
  for (unsigned n = 0; n < NUM_STEPS; n++)
    if (copies[n] != steps[n].copies) {
      printf("# %s: %u copies, not %u\n", steps[n].what, copies[n], steps[n].copies);
      wrong++;
    }
  return wrong != 0;
}

int main(int argc, char **argv) {
  json_error_t why;
  const bool making = argc == 5 && strcmp(argv[1], "make") == 0;
  if (!making && !(argc == 4 && strcmp(argv[1], "check") == 0))
    fail("usage", "make VECTORS CONTROL PACKETS | check VECTORS OUTPUT");
  json_t *root = json_load_file(argv[2], 0, &why);
  if (!root) fail(argv[2], why.text);
  int result = 0;
  if (making) make(json_object_get(root, "vectors"), argv[3], argv[4]);
  else result = check(argv[3]);
  json_decref(root);
  return result;
}
