// SPDX-License-Identifier: Apache-2.0
// What tb_sluice_tm is checked against: tables, packets, packet buffer, output queues and
// counters. Every call that checks returns 0 if all is well, else it has printed what is wrong.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice_capsule_exit/capsule_exit.h"
#include "sluice_checksum/checksum.h"
#include "sluice_deparser/deparse.h"

enum { MAX_LANES = 16, MAX_PORTS = 64, MAX_SLOTS = 256, ROWS = 64, MASKS = 256, MAX_LEN = 9216 };
enum { TO_ALL = -1, ROW_EACH = MASKS - 1 };  // the row with one port of each output lane
enum { MAX_CLASSES = 8 };
enum { TABLE_DEPARSER, TABLE_OPT, TABLE_MASK, TABLE_MODULE_PORTS, TABLE_CLASS };
enum {
  NONE = 0,
  DISCARD_BACK = 13,
  NO_DEST = 14,
  FORBIDDEN = 16,
  SOME_FORBIDDEN = 17,
  ROUNDS = 18
};

struct packet {
  unsigned lane, source, slot, len, ticket, refs;
  unsigned body_copies;         // copies of the body that the buffer must still hand out
  unsigned in_lane[MAX_LANES];  // copies that wait for each output lane
  int reason;
  unsigned row, class;
  bool some_forbidden, decided;
  uint64_t ports;
  uint8_t bytes[MAX_LEN];  // as it came
  uint8_t header[128];
  unsigned size;
  uint8_t out[MAX_LEN];  // as it must leave
};

struct copy {
  struct copy *next;
  struct packet *packet;
};

static unsigned lanes, ports, again, depth, slots, limit;
static unsigned classes;           // of the output queues; 1: there are none
static unsigned ecn[MAX_CLASSES];  // CHIP.CLASS_ECN
// Bytes of a header and of a beat; entries of overlay tables; modules; actions of a deparser entry;
// the longest packet; back stages that execute capsules.
static unsigned head, beat_bytes, rows, modules, actions, longest, stages;
static bool checksums;
static uint16_t deparser[ROWS][DEPARSE_ACTIONS];
static uint8_t options[ROWS];
static uint64_t masks[MASKS], module_ports[ROWS];
static uint8_t class_entry[ROWS];  // of OUTPUT_CLASS
static struct packet *owner[MAX_LANES][MAX_SLOTS];
static struct copy *first[MAX_LANES][MAX_CLASSES][MAX_PORTS],
    **end[MAX_LANES][MAX_CLASSES][MAX_PORTS];
static unsigned last_ticket[MAX_LANES][MAX_LANES], waiting[MAX_PORTS], queued[MAX_LANES][MAX_LANES];
static unsigned of_class[MAX_LANES][MAX_LANES][MAX_CLASSES];  // of queued
// Copies sent in the cycle before: the decision did not see them
static unsigned sent_then[MAX_PORTS];
static uint64_t refused_now[MAX_LANES];
static unsigned refused_class[MAX_LANES];
static struct {
  struct packet *packet;
  unsigned port, at;
} line[MAX_LANES];
static unsigned next_ticket, alive;
static struct { unsigned packets, bytes, drops, high; } port_count[MAX_PORTS];
static struct {
  unsigned packets, discarded, no_dest, high_queue, forbidden, some_forbidden, marked[MAX_CLASSES];
} exit_count[MAX_LANES];
static uint64_t state = 1;

void output_setup(int lanes_, int ports_, int depth_, int slots_, int header_bytes, int beat_bytes_,
                  int rows_, int modules_, int actions_, int checksums_, int longest_, int stages_,
                  int again_, int classes_, int seed);
void output_limit(int limit_);
void output_ecn(int class, int value);
void output_table(int table, int row, int kept, uint32_t *bits);
int output_new(int lane, int source, int len, int to, int b2, int b4, int b6, uint32_t *fields,
               uint32_t *cont, uint32_t *capsule);
void output_header(int lane, int slot, uint32_t *bits);
int output_request(int lane, int slot);
int output_body(int lane, int slot, int beat, uint32_t *bits);
int output_released(int lane, int slot);
int output_fate(int lane, int reason, uint32_t *ticket, uint64_t *accepted, uint64_t *refused,
                int slot, int copies, int drop_row, int drop_reason, int drop_full, int deep,
                int most);
int output_marked(void);
int output_admitted(void);
int output_beat(int lane, int port, int last, uint32_t *ticket, uint64_t *keep, uint32_t *data);
int output_count(int block, int index, int reg);
int output_left(void);
int output_waits(int lane);
int output_room(int lane, int to);
int output_drops(void);

static unsigned draw(unsigned n) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (unsigned)(state >> 24) % n;
}

static int wrong(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(stderr, "output_model: ");
  vfprintf(stderr, format, args);
  fprintf(stderr, "\n");
  va_end(args);
  return 1;
}

// The ports of an output lane: each lanes-th one.
static uint64_t ports_of_lane(unsigned lane) {
  uint64_t set = 0;
  for (unsigned p = lane; p < ports; p += lanes) set |= 1ull << p;
  return set;
}
// Behind the ports: that of recirculation, through which no packet may go here.
static uint64_t again_port(void) { return again ? 1ull << ports : 0; }
static uint64_t all_ports(void) {
  return (ports == 64 ? ~0ull : (1ull << ports) - 1) | again_port();
}

void output_setup(int lanes_, int ports_, int depth_, int slots_, int header_bytes, int beat_bytes_,
                  int rows_, int modules_, int actions_, int checksums_, int longest_, int stages_,
                  int again_, int classes_, int seed) {
  again = (unsigned)again_, classes = (unsigned)classes_;
  lanes = (unsigned)lanes_, ports = (unsigned)ports_, depth = (unsigned)depth_,
  slots = (unsigned)slots_, head = (unsigned)header_bytes, beat_bytes = (unsigned)beat_bytes_,
  rows = (unsigned)rows_, modules = (unsigned)modules_, stages = (unsigned)stages_,
  actions = (unsigned)actions_, longest = (unsigned)longest_, checksums = checksums_;
  state = 0x9e3779b97f4a7c15u * (uint64_t)(seed + 1);
  for (unsigned i = 0; i < 10; i++) draw(2);
  for (unsigned r = 0; r < ROWS; r++) {
    options[r] = (uint8_t)draw(256);
    for (unsigned a = 0; a < DEPARSE_ACTIONS; a++)
      deparser[r][a] = (uint16_t)(draw(8192) | (draw(8) == 0) << 13);
    // Where a header is short, most of it is behind the end.
    for (unsigned a = 0; a < DEPARSE_ACTIONS && head < 128; a++)
      if (draw(4)) deparser[r][a] &= (uint16_t) ~(1u << 12);
  }
  // The rows of the single ports keep their reset value, the others are drawn.
  for (unsigned r = 0; r < MASKS; r++)
    masks[r] = r < ports      ? 1ull << r
               : draw(6) == 0 ? 0
                              : (1ull << draw(ports) | 1ull << draw(ports) | 1ull << draw(ports));
  masks[ROW_EACH] = (1ull << lanes) - 1;
  // The first half of the rows may send to all ports, the others to some or none.
  for (unsigned r = 0; r < ROWS; r++)
    module_ports[r] = r < (rows + 1) / 2 ? all_ports()
                      : draw(8) == 0     ? 0
                                         : (draw(65536) | (uint64_t)draw(65536) << 16 |
                                        (uint64_t)draw(65536) << 32 | (uint64_t)draw(65536) << 48);
  for (unsigned l = 0; l < lanes; l++)
    for (unsigned c = 0; c < MAX_CLASSES; c++)
      for (unsigned p = 0; p < ports; p++) end[l][c][p] = &first[l][c][p];
  // The first rows keep their reset value.
  for (unsigned r = 4; r < modules; r++) class_entry[r] = (uint8_t)(draw(2) << 7 | draw(8));
}

void output_limit(int limit_) { limit = (unsigned)limit_; }
void output_ecn(int class, int value) { ecn[class] = (unsigned)value; }

// bits: 192, left-justified as on the chain: word 2 (most significant 64 bits) first on the chain.
// kept: as it is read back, without what the chip does not have.
void output_table(int table, int row, int kept, uint32_t *bits) {
  memset(bits, 0, 24);
  if (table == TABLE_DEPARSER)
    for (unsigned a = 0; a < (kept ? actions : DEPARSE_ACTIONS); a++) {
      const unsigned half = 11 - a;
      bits[half / 2] |= (uint32_t)deparser[row][a] << 16 * (half % 2);
    }
  if (table == TABLE_OPT && (checksums || !kept)) bits[5] = (uint32_t)options[row] << 24;
  if (table == TABLE_MASK) memcpy(bits + 4, &masks[row], 8);
  const uint64_t allowed = module_ports[row % ROWS] & (kept ? all_ports() : ~0ull);
  if (table == TABLE_MODULE_PORTS) memcpy(bits + 4, &allowed, 8);
  if (table == TABLE_CLASS) bits[5] = (uint32_t)class_entry[row % ROWS] << 24;
}

// Of random packets of a chip with capsules half are some.
static struct capsule_end draw_capsule(struct packet *p, bool any, uint32_t *words) {
  struct capsule_end c = {0};
  memset(words, 0, 32);
  if (!any || stages == 0 || draw(2)) return c;
  checksum_put(p->bytes + 16, 0x83b2);
  const unsigned flags = draw(32);  // complete, returned, fault; report and known
  c.valid = true;
  c.complete = flags & 1;
  c.returned = flags >> 1 & 1;
  c.fault = (flags >> 2 & 7) == 7;
  c.length = draw(2) ? 1 + draw(CAPSULE_LIST) : 1 + draw(stages + 2);
  words[0] = 1 | flags << 1 | c.length << 8;
  for (unsigned i = 0; i < 6; i++) words[1 + i] = draw(65536) << 16 | draw(65536);
  memcpy(c.data, words + 1, sizeof c.data);
  c.src = words[5], c.dst = words[6];
  return c;
}

// The packet as it leaves, header behind deparser, checksums and mark.
static void leave(struct packet *p, const struct capsule_end *program) {
  const unsigned taken = capsule_exit(stages, program, p->len, p->header);
  memcpy(p->out, p->bytes, p->len);
  memcpy(p->out, p->header, p->len < head ? p->len : head);
  p->size = p->len - taken;
  if (taken) memmove(p->out + CAPSULE_HEAD, p->out + CAPSULE_HEAD + taken, p->size - CAPSULE_HEAD);
  for (; p->size < 64; p->size++) p->out[p->size] = 0;
}

// len 0: anything; else so many bytes, to a port of output lane `to`, or with TO_ALL to one of
// each. fields: slot, len, dest, discard, row, ticket. capsule: flags and length, DATA_0 to DATA_3,
// addresses; all 0: none. Returns 0 if the lane's buffer is full.
int output_new(int lane, int source, int len, int to, int b2, int b4, int b6, uint32_t *fields,
               uint32_t *cont, uint32_t *capsule) {
  unsigned slot = draw(slots), tried = 0;
  while (tried < slots && owner[lane][slot]) slot = (slot + 1) % slots, tried++;
  if (tried == slots) return 0;
  struct packet *p = calloc(1, sizeof *p);
  if (!p) abort();
  alive++;
  owner[lane][slot] = p;
  p->lane = (unsigned)lane, p->source = (unsigned)source, p->slot = slot;
  p->ticket = next_ticket++;
  p->len = len             ? (unsigned)len
           : draw(3) == 0  ? 64 + draw(3)
           : draw(40) == 0 ? 64 + draw(longest - 63)
           : draw(2)       ? 64 + draw(80)
                           : 64 + draw(400);
  for (unsigned i = 0; i < p->len; i++) p->bytes[i] = (uint8_t)draw(256);
  if (draw(2)) {  // IPv4
    checksum_put(p->bytes + 16, 0x0800);
    p->bytes[18] = (uint8_t)(0x45 + (draw(4) == 0 ? draw(8) : 0));
    checksum_put(p->bytes + 20, p->len - 18);
    checksum_put(p->bytes + 24, 0);
    p->bytes[27] = draw(2) ? 17 : 6;
  } else if (draw(4) == 0) {  // IPv6
    checksum_put(p->bytes + 16, 0x86dd);
    p->bytes[18] = (uint8_t)(0x60 | draw(16));
  }
  if (draw(6) == 0) {  // looks like IPv4 where it means nothing, at the same place of any beat
    const unsigned at = 16 * draw(4);
    checksum_put(p->bytes + at, 0x0800);
    p->bytes[at + 2] = 0x45;
  }
  const struct capsule_end program = draw_capsule(p, len == 0, capsule);
  const unsigned row = draw(len == 0 ? rows : (rows + 1) / 2),
                 first_port = to == TO_ALL ? 0 : (unsigned)to,
                 mine = (unsigned)__builtin_popcountll(ports_of_lane(first_port)),
                 port = first_port + lanes * draw(mine);
  const unsigned dest = len == 0       ? draw(256)
                        : to == TO_ALL ? (ports <= 8 ? (1u << lanes) - 1 : ROW_EACH)
                        : ports <= 8   ? 1u << port
                                       : port;
  const bool discard = len == 0 && draw(12) == 0;

  struct deparse_phv phv = {0};
  uint16_t out[8 + 16 + 24] = {0};
  unsigned at = 0;
  for (int i = 0; i < b2; i++) out[at++] = phv.b2[i] = (uint16_t)draw(65536);
  for (int i = 0; i < b4; i++)
    for (unsigned h = 0; h < 2; h++)
      phv.b4[i] |= (uint32_t)(out[at++] = (uint16_t)draw(65536)) << 16 * h;
  for (int i = 0; i < b6; i++)
    for (unsigned h = 0; h < 3; h++)
      phv.b6[i] |= (uint64_t)(out[at++] = (uint16_t)draw(65536)) << 16 * h;
  memcpy(cont, out, sizeof out);

  memcpy(p->header, p->bytes, 128);
  deparse(deparser[row], actions, &phv, p->len, p->header, head);
  if (checksums) checksum_update(options[row] & 3, p->len, p->bytes, p->header);
  const bool mark = draw(3) == 0;
  if (mark) checksum_mark(p->bytes, p->header);
  const uint64_t set = (ports <= 8 ? dest : masks[dest]) & all_ports();
  const uint64_t allowed = set & module_ports[row], stays = allowed & ~again_port();
  const uint8_t entry = class_entry[row % modules];
  p->row = row;
  p->class = (entry >> 7 ? entry & 7u : row % modules) % classes;
  p->reason = discard        ? DISCARD_BACK
              : set == 0     ? NO_DEST
              : allowed == 0 ? FORBIDDEN
              : stays == 0   ? ROUNDS
                             : NONE;
  p->ports = discard ? 0 : stays;
  p->some_forbidden = p->reason == NONE && allowed != set;
  leave(p, &program);
  fields[0] = slot, fields[1] = p->len, fields[2] = dest, fields[3] = discard | mark << 1,
  fields[4] = row, fields[5] = p->ticket;
  return 1;
}

// A slot that was given back reads as garbage.
void output_header(int lane, int slot, uint32_t *bits) {
  const struct packet *p = slot < MAX_SLOTS ? owner[lane][slot] : NULL;
  memset(bits, 0xdb, 128);
  if (p) memcpy(bits, p->bytes, p->len < 128 ? p->len : 128);
}

static void put_away(struct packet *p) {
  if (!p->decided || p->refs || p->body_copies) return;
  alive--;
  free(p);
}

static void free_slot(struct packet *p) { owner[p->lane][p->slot] = NULL; }

int output_request(int lane, int slot) {
  const struct packet *p = owner[lane][slot];
  if (!p || !p->decided || p->body_copies == 0)
    return wrong("lane %d, slot %d: body asked for, no copies left", lane, slot);
  return 0;
}

// Returns whether the beat is the last.
int output_body(int lane, int slot, int beat, uint32_t *bits) {
  const struct packet *p = owner[lane][slot];
  const unsigned at = head + beat_bytes * (unsigned)beat;
  memset(bits, 0xbd, 64);
  if (!p || at >= p->len) return 1;
  memcpy(bits, p->bytes + at, p->len - at < beat_bytes ? p->len - at : beat_bytes);
  return at + beat_bytes >= p->len;
}

int output_released(int lane, int slot) {
  struct packet *p = owner[lane][slot];
  if (!p || p->body_copies == 0)
    return wrong("lane %d, slot %d: released once too often", lane, slot);
  if (--p->body_copies == 0) free_slot(p), put_away(p);
  return 0;
}

// What must stay below the places of a queue for one more packet of the class: what waits; with
// classes, a class may hold at most as many as are free.
static unsigned held(unsigned lane, unsigned to, unsigned class) {
  return queued[lane][to] + (classes == 1 ? 0 : of_class[lane][to][class]);
}

// The most packets in a queue that it asks for, as the chip says, and whether it is marked for
// that. Those of the cycle before are not counted; places are free a little before the last copy is
// sent.
static int depth_seen(struct packet *p, unsigned lane, bool deep, unsigned most) {
  const unsigned class = p->class;
  unsigned queue = 0;
  for (unsigned o = 0; o < lanes; o++)
    if (p->ports & ports_of_lane(o) && of_class[lane][o][class] > queue)
      queue = of_class[lane][o][class];
  if (classes == 1 ? deep || most : most > queue + 2 || most + 5 < queue)
    return wrong("ticket %u: sees %u packets of class %u, there are %u", p->ticket, most, class,
                 queue);
  if (deep != (ecn[class] && most >= ecn[class]))
    return wrong("ticket %u: %s at %u of %u packets", p->ticket, deep ? "marked" : "no mark", most,
                 ecn[class]);
  if (!deep) return 0;
  exit_count[lane].marked[class]++;
  checksum_mark(p->bytes, p->header);
  memcpy(p->out, p->header, p->len < head ? p->len : head);
  return 0;
}

int output_fate(int lane, int reason, uint32_t *ticket, uint64_t *accepted, uint64_t *refused,
                int slot, int copies, int drop_row, int drop_reason, int drop_full, int deep,
                int most) {
  struct packet *p = slot < MAX_SLOTS ? owner[lane][slot] : NULL;
  if (!p || p->decided)
    return wrong("lane %d: the fate of slot %d, where no packet waits", lane, slot);
  if (*ticket != p->ticket)
    return wrong("lane %d: ticket %u, should be %u", lane, *ticket, p->ticket);
  if (reason != p->reason)
    return wrong("ticket %u: reason %d, should be %d", p->ticket, reason, p->reason);
  if ((*accepted | *refused) != p->ports || *accepted & *refused)
    return wrong("ticket %u: ports %llx accepted, %llx refused, of %llx", p->ticket,
                 (unsigned long long)*accepted, (unsigned long long)*refused,
                 (unsigned long long)p->ports);
  if ((unsigned)drop_row != p->row % modules ||
      drop_reason != (p->some_forbidden ? SOME_FORBIDDEN : reason) ||
      drop_full != __builtin_popcountll(*refused))
    return wrong("ticket %u: counted for row %d, reason %d, %d copies", p->ticket, drop_row,
                 drop_reason, drop_full);
  if (last_ticket[lane][p->source] > p->ticket)
    return wrong("ticket %u overtook in its exit queue", p->ticket);
  last_ticket[lane][p->source] = p->ticket;
  unsigned number = 0;
  // Places are free a little before their copies are sent: two of the queue, which may be two of
  // the class.
  for (unsigned o = 0; o < lanes && classes > 1; o++)
    if (*accepted & ports_of_lane(o) && held(lane, o, p->class) > depth + 3)
      return wrong(
          "ticket %u: class %u has %u of %u packets for output lane %u: more than are free",
          p->ticket, p->class, of_class[lane][o][p->class], queued[lane][o], o);
  if (depth_seen(p, (unsigned)lane, deep, (unsigned)most)) return 1;
  p->decided = true;
  for (unsigned i = 0; i < ports; i++) {
    if (*refused >> i & 1) port_count[i].drops++;
    if (!(*accepted >> i & 1)) continue;
    struct copy *c = calloc(1, sizeof *c);
    if (!c) abort();
    c->packet = p;
    *end[lane][p->class][i] = c, end[lane][p->class][i] = &c->next;
    number++;
    p->refs++;
    waiting[i]++;
    if (p->in_lane[i % lanes]++ == 0)
      queued[lane][i % lanes]++, of_class[lane][i % lanes][p->class]++;
  }
  refused_now[lane] |= *refused;
  refused_class[lane] = p->class;
  exit_count[lane].packets++;
  exit_count[lane].discarded += reason == DISCARD_BACK;
  exit_count[lane].no_dest += reason == NO_DEST;
  exit_count[lane].forbidden += reason == FORBIDDEN;
  exit_count[lane].some_forbidden += p->some_forbidden;
  p->body_copies = p->len > head ? number : 0;
  if ((unsigned)copies != p->body_copies)
    return wrong("ticket %u: %d copies, should be %u", p->ticket, copies, p->body_copies);
  if (p->body_copies == 0) free_slot(p), put_away(p);
  return 0;
}

// After all fates of a cycle, before its beats: was every refusal, and every acceptance, right?
// They were decided in the cycle before.
int output_admitted(void) {
  for (unsigned i = 0; i < ports; i++) {
    const unsigned seen = waiting[i] + sent_then[i];
    sent_then[i] = 0;
    if (waiting[i] > port_count[i].high) port_count[i].high = waiting[i];
    if (limit && seen > limit)
      return wrong("port %u: %u copies wait, the limit is %u", i, seen, limit);
    for (unsigned l = 0; l < lanes; l++) {
      const unsigned o = i % lanes;
      if (!(refused_now[l] >> i & 1) || (limit && seen == limit) ||
          held(l, o, refused_class[l]) >= depth)
        continue;
      return wrong("lane %u: refused port %u, though there is room", l, i);
    }
  }
  for (unsigned l = 0; l < lanes; l++) {
    refused_now[l] = 0;
    // Two of a queue may be on their way to the line; three, where bytes are taken out of packets.
    for (unsigned o = 0; o < lanes; o++)
      if (queued[l][o] > depth + 2 + (stages != 0))
        return wrong("lane %u: more packets for output lane %u than places", l, o);
  }
  return 0;
}

static int start_copy(unsigned lane, unsigned port, unsigned ticket) {
  if (port >= ports || port % lanes != lane) return wrong("port %u on output lane %u", port, lane);
  for (unsigned l = 0; l < lanes; l++) {
    for (unsigned k = 0; k < classes; k++) {
      struct copy *c = first[l][k][port];
      if (!c || c->packet->ticket != ticket) continue;
      line[lane].packet = c->packet, line[lane].port = port, line[lane].at = 0;
      first[l][k][port] = c->next;
      if (!c->next) end[l][k][port] = &first[l][k][port];
      free(c);
      return 0;
    }
  }
  return wrong("port %u: packet with ticket %u is not the next of any lane and class", port,
               ticket);
}

int output_beat(int lane, int port, int last, uint32_t *ticket, uint64_t *keep, uint32_t *data) {
  if (!line[lane].packet && start_copy((unsigned)lane, (unsigned)port, *ticket)) return 1;
  struct packet *p = line[lane].packet;
  const uint8_t *bytes = (const uint8_t *)data;
  const unsigned at = line[lane].at, left = p->size - at,
                 number = left < beat_bytes ? left : beat_bytes;
  if (*ticket != p->ticket || (unsigned)port != line[lane].port)
    return wrong("packets interleaved on lane %d", lane);
  if (last != (left <= beat_bytes))
    return wrong("ticket %u: `last` is wrong at byte %u of %u", p->ticket, at, p->size);
  if (*keep != ~0ull >> (64 - number)) return wrong("ticket %u: keep is wrong", p->ticket);
  for (unsigned i = 0; i < number; i++) {
    const uint8_t want = p->out[at + i];
    if (bytes[i] != want)
      return wrong("ticket %u: byte %u is %02x, should be %02x", p->ticket, at + i, bytes[i], want);
  }
  line[lane].at += beat_bytes;
  if (!last) return 0;
  port_count[port].packets++;
  port_count[port].bytes += p->size;
  waiting[port]--;
  sent_then[port]++;
  p->refs--;
  if (--p->in_lane[lane] == 0) queued[p->lane][lane]--, of_class[p->lane][lane][p->class]--;
  line[lane].packet = NULL;
  put_away(p);
  return 0;
}

// block 0: PORT, 1: EXIT.
int output_count(int block, int index, int reg) {
  const unsigned port_regs[] = {port_count[index].packets, port_count[index].bytes,
                                port_count[index].drops, port_count[index].high};
  const unsigned *const marked = exit_count[index % MAX_LANES].marked;
  const unsigned exit_regs[] = {exit_count[index % MAX_LANES].packets,
                                exit_count[index % MAX_LANES].discarded,
                                exit_count[index % MAX_LANES].no_dest,
                                exit_count[index % MAX_LANES].high_queue,
                                exit_count[index % MAX_LANES].forbidden,
                                exit_count[index % MAX_LANES].some_forbidden,
                                0,
                                0,
                                marked[0],
                                marked[1],
                                marked[2],
                                marked[3],
                                marked[4],
                                marked[5],
                                marked[6],
                                marked[7]};
  return (int)(block == 0 ? port_regs[reg] : exit_regs[reg]);
}

int output_left(void) { return (int)alive; }

// Copies that wait for an output lane or are on its line.
int output_waits(int lane) {
  unsigned sum = 0;
  for (unsigned i = (unsigned)lane; i < ports; i += lanes) sum += waiting[i];
  return (int)sum;
}

// Whether a packet of `lane` may be sent to output lane `to` (TO_ALL: to all) without a drop,
// whatever is still on its way to the queues.
int output_room(int lane, int to) {
  unsigned coming = 0, most = 0;
  for (unsigned s = 0; s < slots; s++) coming += owner[lane][s] && !owner[lane][s]->decided;
  for (unsigned o = 0; o < lanes; o++)
    if ((to == TO_ALL || o == (unsigned)to) && queued[lane][o] > most) most = queued[lane][o];
  return (most + coming) * (classes == 1 ? 1 : 2) < depth;
}

int output_drops(void) {
  unsigned sum = 0;
  for (unsigned i = 0; i < ports; i++) sum += port_count[i].drops;
  return (int)sum;
}

// Packets that were marked for a deep queue.
int output_marked(void) {
  unsigned sum = 0;
  for (unsigned l = 0; l < lanes; l++)
    for (unsigned c = 0; c < classes; c++) sum += exit_count[l].marked[c];
  return (int)sum;
}
