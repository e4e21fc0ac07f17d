// SPDX-License-Identifier: Apache-2.0
// Helper of banks.sh. Two versions of a module, placed side by side by the driver, become its two
// banks:
//   banks make CHIP CONTROL.pcap VID OTHER UPDATES EVERY PACKETS LOAD ARRAYS DIR
//       CONTROL.pcap loads the module VID, its next version under the VLAN id OTHER, and any
//       others. Into DIR: control.pcap without OTHER, in.pcap, updates.pcap, and two jobs:
//       job-with.json has UPDATES updates, one every EVERY cycles; job-without.json none. The lanes
//       are busy in a share LOAD of all cycles. ARRAYS: "new", each version has arrays of its own,
//       which are filled before the flip; "kept", both have those of VID.
//   banks compare WITH.pcapng WITHOUT.pcapng VID
//       Packets of VID that left in both runs: the same bytes, in the same order, on the same
//       ports, with the same latency.
//   banks versions OUT.pcapng VID PACKETS ARRAYS
//       Every packet of VID left once, wholly treated by one version: bytes 22-23 are its number, 1
//       or 2, and so, with new arrays, are the upper bits of bytes 38-39, a count that begins at
//       16384 times that.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "driver/wire/wire.h"
#include "lib/capture.h"

enum { STAGES = 24, ROWS = 1024, LEN = 64, ENTRIES_AT = 64, MOST_WRITES = 4096 };

static struct sluice_error error;

static void die(const char *what) {
  fprintf(stderr, "banks: %s\n", what);
  exit(3);
}
static void check(enum sluice_status status) {
  if (status) die(error.text);
}

// ---- make ---------------------------------------------------------------------------------------

struct write {
  struct sluice_reconfig head;  // of one entry
  uint8_t entry[SLUICE_ENTRY_BYTES];
};
static struct write writes[MOST_WRITES];
static unsigned num_writes;
static unsigned owner[STAGES][ROWS];  // VID of a match row
static bool kept;                     // both versions have the arrays of the first
static const char *load;

static void read_control(const char *path) {
  struct sluice_capture *capture;
  struct sluice_packet frame;
  struct sluice_reconfig p;
  check(sluice_capture_open(&capture, path, &error));
  for (;;) {
    check(sluice_capture_next(capture, &frame, &error));
    if (!frame.bytes) break;
    check(sluice_reconfig_decode(&p, frame.bytes, frame.len, &error));
    if (p.op != SLUICE_CHAIN_WRITE || p.stage >= STAGES) die("only writes are understood");
    for (unsigned i = 0; i < p.num_entries; i++) {
      struct write *w = &writes[num_writes++];
      if (num_writes == MOST_WRITES) die("too many entries");
      w->head = p;
      w->head.index = p.index + i;
      memcpy(w->entry, sluice_reconfig_entry(&p, i), sluice_table_bytes(p.table));
      if (p.table == SLUICE_TABLE_MATCH)
        owner[p.stage][p.index + i] = (unsigned)SLUICE_GET(w->entry, MATCH, VID);
    }
  }
  sluice_capture_close(capture);
}

// Whose entry it is: the overlay row of a module; -1: nobody's.
static int row_of(const struct write *w, const struct sluice_config *c) {
  const enum sluice_table t = w->head.table;
  if (t == SLUICE_TABLE_STATE || t == SLUICE_TABLE_FILL) return (int)w->head.row;
  switch (sluice_tables[t].rows) {
    case SLUICE_ROWS_overlay:
    case SLUICE_ROWS_modules: return (int)w->head.index;
    case SLUICE_ROWS_matches:
    case SLUICE_ROWS_actions: return (int)(owner[w->head.stage][w->head.index] % c->NumModules);
    default: return -1;
  }
}

static unsigned send(struct sluice_capture_writer *to, struct sluice_frame *frame) {
  sluice_reconfig_finish(frame);
  sluice_capture_write(to, frame->bytes, frame->len, 0);
  return 1;
}

// The entry in a bank of the module `vid`, for packets of that bank alone.
static unsigned send_write(struct sluice_capture_writer *to, const struct sluice_config *c,
                           const struct write *w, unsigned bank, unsigned vid, bool read) {
  static struct sluice_frame frame;
  const enum sluice_table t = w->head.table;
  const unsigned entry = bank * c->NumModules + vid % c->NumModules;
  uint8_t bytes[SLUICE_ENTRY_BYTES];
  memcpy(bytes, w->entry, sizeof bytes);
  if (t == SLUICE_TABLE_MATCH) SLUICE_SETS(bytes, MATCH, (VID, vid & 255), (NOT_BANK, 1u << !bank));
  if (t == SLUICE_TABLE_MODULE) SLUICE_SET(bytes, MODULE, VID, vid);
  const unsigned index = sluice_tables[t].rows == SLUICE_ROWS_overlay ? entry : w->head.index;
  frame = (struct sluice_frame){0};
  if (read) {
    if (t == SLUICE_TABLE_STATE || t == SLUICE_TABLE_FILL) return 0;
    sluice_reconfig_read(&frame, t, w->head.stage, index, 1, 0, 0);
  } else {
    sluice_reconfig_begin(&frame, SLUICE_CHAIN_WRITE, t, w->head.stage, index);
    SLUICE_RECONFIG_SET(&frame, ROW, entry);
    sluice_reconfig_append(&frame, t, bytes);
  }
  return send(to, &frame);
}

// What the version in row `row` writes: with kept arrays, the places of those of the module in row
// `vid`, and no contents.
static const struct write *written(const struct write *w, const struct sluice_config *c, int row,
                                   unsigned vid) {
  const enum sluice_table t = w->head.table;
  if (!kept || row == (int)(vid % c->NumModules)) return w;
  if (t == SLUICE_TABLE_STATE || t == SLUICE_TABLE_FILL) return NULL;
  if (t != SLUICE_TABLE_SEGMENT && t != SLUICE_TABLE_ACCESS) return w;
  for (unsigned i = 0; i < num_writes; i++)
    if (writes[i].head.table == t && writes[i].head.stage == w->head.stage &&
        row_of(&writes[i], c) == (int)(vid % c->NumModules))
      return &writes[i];
  die("the versions have arrays in different stages");
  return NULL;
}

// All entries of the version in overlay row `row`, of the kind that is wanted.
static unsigned send_version(struct sluice_capture_writer *to, const struct sluice_config *c,
                             int row, unsigned bank, unsigned vid, bool read) {
  unsigned num = 0;
  for (unsigned i = 0; i < num_writes; i++) {
    if (row_of(&writes[i], c) != row ||
        sluice_tables[writes[i].head.table].rows == SLUICE_ROWS_modules)
      continue;
    const struct write *w = written(&writes[i], c, row, vid);
    // Contents that stay are those of the load.
    const bool contents = writes[i].head.table == SLUICE_TABLE_STATE ||
                          writes[i].head.table == SLUICE_TABLE_FILL;
    if (w && !(kept && contents)) num += send_write(to, c, w, bank, vid, read);
  }
  return num;
}

static unsigned send_erases(struct sluice_capture_writer *to, const struct sluice_config *c,
                            int row) {
  static struct sluice_frame frame;
  unsigned num = 0;
  for (unsigned i = 0; i < num_writes; i++) {
    const struct write *w = &writes[i];
    if (w->head.table != SLUICE_TABLE_MATCH || row_of(w, c) != row) continue;
    frame = (struct sluice_frame){0};
    sluice_reconfig_erase(&frame, w->head.stage, w->head.index);
    num += send(to, &frame);
  }
  return num;
}

static struct sluice_capture_writer *create(const char *dir, const char *name) {
  char path[4000];
  struct sluice_capture_writer *to;
  snprintf(path, sizeof path, "%s/%s", dir, name);
  check(sluice_capture_create(&to, path, &error));
  return to;
}

static void make_control(const char *dir, const struct sluice_config *c, unsigned vid,
                         unsigned other) {
  struct sluice_capture_writer *to = create(dir, "control.pcap");
  for (unsigned i = 0; i < num_writes; i++) {
    const int row = row_of(&writes[i], c);
    if (row == (int)(other % c->NumModules)) continue;
    // Bank 1 stays as reset left it, but for what updates write: who reads it by mistake finds
    // nothing there.
    if (sluice_tables[writes[i].head.table].rows == SLUICE_ROWS_overlay &&
        row >= (int)c->NumModules)
      continue;
    if (row == (int)(vid % c->NumModules) &&
        sluice_tables[writes[i].head.table].rows != SLUICE_ROWS_modules) {
      send_write(to, c, &writes[i], 0, vid, false);
      continue;
    }
    static struct sluice_frame frame;
    frame = (struct sluice_frame){0};
    sluice_reconfig_begin(&frame, SLUICE_CHAIN_WRITE, writes[i].head.table, writes[i].head.stage,
                          writes[i].head.index);
    SLUICE_RECONFIG_SET(&frame, ROW, writes[i].head.row);
    sluice_reconfig_append(&frame, writes[i].head.table, writes[i].entry);
    send(to, &frame);
  }
  check(sluice_capture_finish(to, &error));
}

// Packets in turn: K of VID, K of the module behind it. The K of a cycle leave through different
// lanes, and their indices have different homes.
static void make_packets(const char *dir, const struct sluice_config *c, unsigned vid,
                         unsigned packets) {
  const unsigned pipes = c->NumPipes;
  struct sluice_capture_writer *to = create(dir, "in.pcap");
  for (unsigned n = 0; n < packets; n++) {
    uint8_t b[LEN] = {0};
    const unsigned of = n / pipes % 2 ? vid + 1 : vid, index = n % 16, lane = n % pipes,
                   port = sluice_wire_port(c, lane, n / pipes / 2 % sluice_wire_ports(c, lane));
    for (unsigned i = 0; i < 12; i++) b[i] = (uint8_t)(n >> i);
    b[12] = 0x81;
    sluice_put16(b + 14, of);
    b[16] = 0x08, b[18] = 0x45, b[27] = 0x11;
    b[20] = 0, b[21] = LEN - 18;
    b[40] = 0, b[41] = (uint8_t)(port << 4 | index);
    b[60] = (uint8_t)(n >> 24), b[61] = (uint8_t)(n >> 16), sluice_put16(b + 62, n);
    sluice_capture_write(to, b, LEN, n);
  }
  check(sluice_capture_finish(to, &error));
}

static FILE *create_job(const char *dir, const char *which, const char *chip) {
  char path[4000];
  snprintf(path, sizeof path, "%s/job-%s.json", dir, which);
  FILE *job = fopen(path, "w");
  if (!job) die("cannot write the job");
  fprintf(
      job,
      "{\"sluice_job\": 1, \"config\": \"%s\", \"control\": \"%s/control.pcap\", \"capture\": "
      "\"%s/in.pcap\", \"out\": \"%s/%s.pcapng\",\n"
      " \"report\": \"%s/%s.json\", \"seed\": 1, \"load\": %s, \"settings\": {\"move_period\": 0}",
      chip, dir, dir, dir, which, dir, which, load);
  return job;
}

static void make(char **a) {
  const char *dir = a[9];
  load = a[7];
  kept = strcmp(a[8], "kept") == 0;
  const struct sluice_config *c = sluice_config_find(a[0]);
  const unsigned vid = (unsigned)atoi(a[2]), other = (unsigned)atoi(a[3]),
                 updates = (unsigned)atoi(a[4]), every = (unsigned)atoi(a[5]);
  if (!c) die("no such chip");
  read_control(a[1]);
  make_control(dir, c, vid, other);
  make_packets(dir, c, vid, (unsigned)atoi(a[6]));
  struct sluice_capture_writer *to = create(dir, "updates.pcap");
  FILE *job = create_job(dir, "with", a[0]);
  fprintf(job, ",\n \"updates_capture\": \"%s/updates.pcap\", \"updates\": [", dir);
  for (unsigned u = 0; u < updates; u++) {
    const unsigned bank = ~u & 1;
    const int rows[2] = {(int)(vid % c->NumModules), (int)(other % c->NumModules)};
    unsigned before = send_version(to, c, rows[bank], bank, vid, false);
    before += send_version(to, c, rows[bank], bank, vid, true);
    // In every second update, too early: the first entry of the version that is still inside, as it
    // is. In the others the host asks at once whether the old bank is empty.
    unsigned early = 0;
    for (unsigned i = 0; i < num_writes && !early && (u & 1); i++)
      if (row_of(&writes[i], c) == rows[!bank] && writes[i].head.table == SLUICE_TABLE_PARSER)
        early = send_write(to, c, &writes[i], !bank, vid, false);
    const unsigned after = send_erases(to, c, rows[!bank]);
    fprintf(job, "%s\n  {\"at\": %u, \"flip\": %u, \"before\": %u, \"early\": %u, \"after\": %u}",
            u ? "," : "", 500 + u * every, 1u << rows[0], before, early, after);
  }
  fprintf(job, "]}\n");
  check(sluice_capture_finish(to, &error));
  if (fclose(job)) die("cannot write the job");
  job = create_job(dir, "without", a[0]);
  fprintf(job, "}\n");
  if (fclose(job)) die("cannot write the job");
}

// ---- what left ----------------------------------------------------------------------------------

// The next packet of a pcapng file, with the port (its interface) and the comment that the
// simulator wrote.
struct left {
  uint32_t port;
  uint8_t bytes[LEN];
  unsigned long long number, latency;
};

static bool next_left(FILE *in, struct left *p) {
  uint32_t head[2];
  static uint8_t block[4096];
  while (fread(head, 1, sizeof head, in) == sizeof head) {
    uint32_t fixed[5];
    if (head[1] < 12 || head[1] - 8 > sizeof block ||
        fread(block, 1, head[1] - 8, in) != head[1] - 8)
      die("no pcapng file");
    if (head[0] != 6) continue;
    memcpy(fixed, block, sizeof fixed);
    p->port = fixed[0];
    if (fixed[3] != LEN) die("a packet of another length");
    memcpy(p->bytes, block + 20, LEN);
    block[head[1] - 12] = 0;
    unsigned long long ticket;
    if (sscanf((const char *)block + 20 + LEN + 4, "packet %llu, ticket %llu, latency %llu",
               &p->number, &ticket, &p->latency) != 3)
      die("a packet without a comment");
    return true;
  }
  return false;
}

static bool next_of(FILE *in, struct left *p, unsigned vid) {
  while (next_left(in, p))
    if (sluice_get16(p->bytes + 14) == vid) return true;
  return false;
}

static FILE *open_left(const char *path) {
  FILE *in = fopen(path, "rb");
  if (!in) die(path);
  return in;
}

static int compare(char **a) {
  FILE *with = open_left(a[0]), *without = open_left(a[1]);
  struct left p, q;
  unsigned long num = 0;
  for (;; num++) {
    const bool one = next_of(with, &p, (unsigned)atoi(a[2])),
               two = next_of(without, &q, (unsigned)atoi(a[2]));
    if (one != two) return printf("packet %lu left in one run only\n", num), 1;
    if (!one) break;
    if (p.number != q.number || p.port != q.port || memcmp(p.bytes, q.bytes, LEN) != 0)
      return printf("packet %lu: number %llu on port %u, and %llu on port %u\n", num, p.number,
                    p.port, q.number, q.port),
             1;
    if (p.latency != q.latency)
      return printf("packet %lu, number %llu: %llu and %llu cycles\n", num, p.number, p.latency,
                    q.latency),
             1;
  }
  fclose(with);
  fclose(without);
  printf("%lu packets alike\n", num);
  return !num;
}

static int versions(char **a) {
  FILE *in = open_left(a[0]);
  const unsigned long wanted = strtoul(a[2], NULL, 10);
  struct left p;
  unsigned long num[3] = {0}, changes = 0;
  unsigned last = 0;
  unsigned long long expected = 0;
  while (next_of(in, &p, (unsigned)atoi(a[1]))) {
    const unsigned first = sluice_get16(p.bytes + 22), behind = p.bytes[38] >> 6;
    if (first < 1 || first > 2 || (strcmp(a[3], "kept") != 0 && first != behind))
      return printf("packet %llu: versions %u and %u\n", p.number, first, behind), 1;
    expected++;
    num[first]++;
    changes += last && last != first;
    last = first;
  }
  fclose(in);
  printf("version 1: %lu, version 2: %lu, changes: %lu\n", num[1], num[2], changes);
  return expected != wanted;
}

int main(int argc, char **argv) {
  if (argc == 12 && strcmp(argv[1], "make") == 0) return make(argv + 2), 0;
  if (argc == 5 && strcmp(argv[1], "compare") == 0) return compare(argv + 2);
  if (argc == 6 && strcmp(argv[1], "versions") == 0) return versions(argv + 2);
  die("usage: see the head of sw/tests/chip/banks.c");
}
