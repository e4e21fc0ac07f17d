// SPDX-License-Identifier: Apache-2.0
// A client of the library for library.sh. It uses the public headers alone.
//   replace WHERE OTHER FIRST SECOND   FIRST is replaced by SECOND while packets of OTHER come at
//                                      the rate of the lanes
//   update WHERE OTHER FIRST SECOND N  N times one takes the place of the other while packets of
//                                      both modules come; nothing may be lost
//   moves WHERE HOT COLD               state of two modules is read while indices of the first are
//                                      away from home
//   times WHERE IMAGE                  packets go in when they are due, and say when they came and
//                                      left
//   fuzz SOCKET IMAGE SEED             clients that send garbage, die or do not read, around one
//                                      that works
#include <sluice/sluice.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "../../transport/filter.h"

enum { OTHER = 4, CHANGED = 3, LEN = 200, MAX_PACKETS = 60000, SEQ_AT = 46, LOW_AT = 50 };
enum { ID_AT = 60, HIGH_AT = 80 };

static struct sluice_error error;

static void fail(const char *what) {
  fprintf(stderr, "%s: %s\n", what, error.text);
  exit(1);
}
#define NEED(CALL) \
  if (CALL) fail(#CALL)

static void need(bool good, const char *what, unsigned long number) {
  if (good) return;
  fprintf(stderr, "%s (%lu)\n", what, number);
  exit(1);
}

static struct sluice_image *image_of(const char *path) {
  struct sluice_image *image;
  NEED(sluice_image_open(&image, path, NULL, &error));
  return image;
}

static void put32(unsigned char *at, unsigned long v) {
  for (int i = 0; i < 4; i++) at[i] = (unsigned char)(v >> (24 - 8 * i));
}
static unsigned long get32(const unsigned char *at) {
  return (unsigned long)at[0] << 24 | (unsigned long)at[1] << 16 | (unsigned long)at[2] << 8 |
         at[3];
}

static void make_packet(unsigned char *bytes, unsigned vid, unsigned long id) {
  for (unsigned i = 0; i < LEN; i++) bytes[i] = (unsigned char)(i * 7 + id);
  bytes[12] = 0x81, bytes[13] = 0, bytes[14] = 0, bytes[15] = (unsigned char)vid, bytes[16] = 0x08,
  bytes[17] = 0, bytes[18] = 0x45;
  bytes[27] = 17, bytes[40] = 0x12, bytes[41] = 0x34;
  put32(bytes + ID_AT, id);
}

// ---- traffic around the library's own calls -----------------------------------------------------

// A transport that puts packets of both modules into the lanes before each call of another one,
// more than the lanes can take in the time of the call: so the lanes are never idle while the
// library works.
struct feeder {
  struct sluice_filter line;
  bool on;
  unsigned long other_in, other_out, changed_in, changed_out, max_seq;
  unsigned char seen[MAX_PACKETS + 1], numbered[MAX_PACKETS + 1];
  // packets of the changed module say their version, twice, and their number
  bool versions;
  unsigned char version[MAX_PACKETS + 1];  // by number
};
static bool feed_ahead(void *user, enum sluice_filter_call call, uint64_t cycles);
static struct feeder feeder;

static void take_all(struct feeder *f) {
  static struct sluice_packet_out out;
  unsigned char sent[LEN];
  for (;;) {
    NEED(f->line.inner->ops->packet_receive(f->line.inner->self, &out, &error));
    if (!out.len) return;
    const unsigned long id = get32(out.bytes + ID_AT), seq = get32(out.bytes + SEQ_AT);
    need(out.len == LEN, "a packet of another length leaves", out.len);
    if (out.bytes[15] == CHANGED) {
      f->changed_out++;
      if (!f->versions) continue;
      need(seq >= 1 && seq <= f->changed_in && !f->version[seq],
           "a number is given twice, or too high", seq);
      need(memcmp(out.bytes + LOW_AT, out.bytes + HIGH_AT, 2) == 0, "a packet of two versions",
           seq);
      need(out.bytes[LOW_AT + 1] == 1 || out.bytes[LOW_AT + 1] == 2, "a packet of no version",
           out.bytes[LOW_AT + 1]);
      f->version[seq] = out.bytes[LOW_AT + 1];
      continue;
    }
    need(out.bytes[15] == OTHER && id >= 1 && id <= f->other_in, "a packet that nobody sent leaves",
         id);
    need(!f->seen[id]++, "a packet leaves twice", id);
    need(seq >= 1 && seq <= f->other_in && !f->numbered[seq]++,
         "a number is given twice, or too high", seq);
    if (seq > f->max_seq) f->max_seq = seq;
    need(out.port == ((id % 4) ^ 1), "a packet leaves through another port", id);
    make_packet(sent, OTHER, id);
    put32(sent + SEQ_AT, seq);
    need(memcmp(sent, out.bytes, LEN) == 0, "a packet of the other module leaves with other bytes",
         id);
    f->other_out++;
  }
}

static void feed(struct feeder *f, unsigned num) {
  unsigned char bytes[LEN];
  for (unsigned n = 0; f->on && n < num; n++) {
    const bool changed = n % 4 == 3;
    const unsigned long id = changed ? ++f->changed_in : ++f->other_in;
    need(f->other_in <= MAX_PACKETS, "too many packets", id);
    make_packet(bytes, changed ? CHANGED : OTHER, id);
    NEED(f->line.inner->ops->packet_send(f->line.inner->self, (unsigned)(id % 4), bytes, LEN,
                                         &error));
  }
  take_all(f);
}

// Of a wait: four beats a packet, two lanes, so half of it would do.
static bool feed_ahead(void *user, enum sluice_filter_call call, uint64_t cycles) {
  if (call == SLUICE_FILTER_WAIT) feed(user, (unsigned)(cycles < 64 ? cycles : 64));
  else if (call <= SLUICE_FILTER_RECEIVE) feed(user, 12);
  return true;
}

static void let_all_leave(void) {
  feeder.on = false;
  for (int n = 0; n < 100; n++) {
    NEED(feeder.line.inner->ops->wait(feeder.line.inner->self, 100, &error));
    take_all(&feeder);
  }
}

static int replace(const char *where, const char *other, const char *first, const char *second) {
  const struct sluice_chip_options options = {.drain_cycles = 4000};
  struct sluice_transport inner;
  struct sluice_chip *chip;
  uint32_t drops[SLUICE_NUM_DROPS], value;
  struct sluice_counters c;
  struct sluice_image *images[3] = {image_of(other), image_of(first), image_of(second)};
  NEED(sluice_transport_open(&inner, where, NULL, &error));
  sluice_filter_init(&feeder.line, &inner, &feeder);
  feeder.line.before = feed_ahead;
  NEED(sluice_chip_open(&chip, &feeder.line.to, &options, &error));
  NEED(sluice_chip_load(chip, images[0], OTHER, &error));
  NEED(sluice_chip_load(chip, images[1], CHANGED, &error));
  feeder.on = true;
  feed(&feeder, 400);
  NEED(sluice_chip_replace(chip, images[2], CHANGED, &error));
  const unsigned long during = feeder.other_in;
  feed(&feeder, 400);
  let_all_leave();
  NEED(sluice_chip_module_drops(chip, CHANGED, drops, &error));
  uint32_t addr;
  NEED(sluice_chip_register(chip, "MODULE", CHANGED, "DROP", 9, &addr, &error));
  NEED(sluice_chip_read(chip, addr, &value, &error));
  NEED(sluice_chip_counters(chip, &c, &error));
  NEED(sluice_chip_audit(chip, &error));
  printf("other: %lu in, %lu out, %lu while the first was replaced; replaced: %lu in, %lu out, %u "
         "dropped meanwhile\n",
         feeder.other_in, feeder.other_out, during, feeder.changed_in, feeder.changed_out,
         drops[9]);
  need(feeder.other_in == feeder.other_out, "packets of the other module were lost",
       feeder.other_in - feeder.other_out);
  need(feeder.max_seq == feeder.other_in, "the other module's count is wrong", feeder.max_seq);
  need(drops[9] == value && drops[9] > 0,
       "no packet of the replaced module came while it was replaced", drops[9]);
  need(feeder.changed_in == feeder.changed_out + drops[9],
       "packets of the replaced module are missing", feeder.changed_out);
  need(during > 1000, "hardly a packet came while it was replaced", during);
  // The new program counts from 500 on, and has seen what came since.
  NEED(sluice_chip_state_read(chip, CHANGED, "beta", 0, 1, &value, &error));
  need(value > 500 && value < 500 + feeder.changed_in, "the new program's count", value);
  sluice_chip_close(chip);
  sluice_transport_close(&inner);
  for (int i = 0; i < 3; i++) sluice_image_close(images[i]);
  return 0;
}

// ---- moves --------------------------------------------------------------------------------------

static uint32_t reg(struct sluice_chip *chip, const char *block, const char *name) {
  uint32_t addr, value;
  NEED(sluice_chip_register(chip, block, 0, name, 0, &addr, &error));
  NEED(sluice_chip_read(chip, addr, &value, &error));
  return value;
}

// HOT counts in hits[], in eight entries whose home is pipeline 0; COLD has count.
static int moves(const char *where, const char *hot, const char *cold) {
  enum { PACKETS = 6000, ENTRIES = 64 };
  struct sluice_transport to;
  struct sluice_chip *chip;
  struct sluice_image *images[2] = {image_of(hot), image_of(cold)};
  unsigned char bytes[LEN];
  uint32_t addr, value, hits[ENTRIES], sum = 0;
  NEED(sluice_transport_open(&to, where, NULL, &error));
  NEED(sluice_chip_open(&chip, &to, NULL, &error));
  NEED(sluice_chip_load(chip, images[0], CHANGED, &error));
  NEED(sluice_chip_load(chip, images[1], OTHER, &error));
  NEED(sluice_chip_register(chip, "CHIP", 0, "MOVE_PERIOD", 0, &addr, &error));
  NEED(sluice_chip_write(chip, addr, 256, &error));
  for (unsigned long n = 1; n <= PACKETS; n++) {
    make_packet(bytes, CHANGED, n);
    NEED(to.ops->packet_send(to.self, (unsigned)(n % 4), bytes, LEN, &error));
    if (n % 100 == 0) NEED(to.ops->wait(to.self, 300, &error));
  }
  need(reg(chip, "MOVE", "AWAY") == 1u << CHANGED, "not only indices of the busy module are away",
       reg(chip, "MOVE", "AWAY"));
  const uint32_t away = reg(chip, "MOVE", "RELOCATED");
  NEED(sluice_chip_state_read(chip, OTHER, "count", 0, 1, &value, &error));
  need(value == 0, "the count of the module without packets", value);
  need(reg(chip, "MOVE", "RELOCATED") == away,
       "reading the state of one module calls another one home", reg(chip, "MOVE", "RELOCATED"));
  const uint32_t moved = reg(chip, "MOVE", "DECIDED");
  NEED(sluice_chip_state_read(chip, CHANGED, "hits", 0, ENTRIES, hits, &error));
  for (unsigned n = 0; n < ENTRIES; n++) sum += hits[n];
  need(sum == PACKETS, "packets that were counted", sum);
  need(reg(chip, "MOVE", "DECIDED") >= moved + away, "its own indices did not come home for it",
       reg(chip, "MOVE", "DECIDED"));
  need(reg(chip, "CHIP", "RECALL") == 0, "a module is still called home",
       reg(chip, "CHIP", "RECALL"));
  printf("%u indices of one module were away while another one's state was read\n", away);
  sluice_chip_close(chip);
  sluice_transport_close(&to);
  for (int i = 0; i < 2; i++) sluice_image_close(images[i]);
  return 0;
}

// ---- times --------------------------------------------------------------------------------------

// Three packets of one lane are sent: the first is due last, the last one at once. They come in in
// the order in which they are due.
static int times(const char *where, const char *path) {
  enum { BEATS = (LEN + 63) / 64, LATE = 600, EARLY = 400 };
  static const unsigned after[3] = {LATE, EARLY, 0};
  struct sluice_transport to;
  struct sluice_chip *chip;
  struct sluice_image *image = image_of(path);
  static struct sluice_packet_out out;
  unsigned char bytes[LEN];
  NEED(sluice_transport_open(&to, where, NULL, &error));
  NEED(sluice_chip_open(&chip, &to, NULL, &error));
  NEED(sluice_chip_load(chip, image, OTHER, &error));
  need(to.ops->packet_send_at != NULL, "the transport cannot send at a cycle", 0);
  const uint32_t now = reg(chip, "CHIP", "CYCLES");
  for (unsigned n = 0; n < 3; n++) {
    make_packet(bytes, OTHER, n);
    NEED(after[n] ? to.ops->packet_send_at(to.self, 0, now + after[n], bytes, LEN, &error)
                  : to.ops->packet_send(to.self, 0, bytes, LEN, &error));
  }
  NEED(to.ops->wait(to.self, 1000, &error));
  uint32_t number = 0, ticket = 0;
  for (unsigned n = 3; n-- > 0;) {
    NEED(to.ops->packet_receive(to.self, &out, &error));
    need(out.len == LEN && get32(out.bytes + ID_AT) == n, "another packet was wanted", n);
    const uint32_t began = out.times.arrival - (BEATS - 1), waited = began - now;
    need(waited >= after[n] && waited < after[n] + 50, "it came too early or late", waited);
    need(out.times.first > out.times.arrival && out.times.last == out.times.first + BEATS - 1,
         "it left before it came, or not as a whole", out.times.last - out.times.arrival);
    need(n == 2 || (out.times.number == number - 1 && out.ticket == ticket + 1), "number or ticket",
         out.times.number);
    number = out.times.number;
    ticket = out.ticket;
  }
  printf("packets went in %u, %u and %u cycles later\n", after[2], after[1], after[0]);
  sluice_chip_close(chip);
  sluice_transport_close(&to);
  sluice_image_close(image);
  return 0;
}

// ---- updates ------------------------------------------------------------------------------------

// The count of the changed module numbers its packets in the one order: along it the version
// changes once for each flip. Version `number` of a program whose malleables `low` and `high` say
// it: in one transaction or, which is wrong, in two.
static void set_version(struct sluice_chip *chip, unsigned number, bool apart,
                        struct sluice_update_report *report) {
  const struct sluice_setting set[2] = {{.vid = CHANGED, .name = "low", .value = number},
                                        {.vid = CHANGED, .name = "high", .value = number}};
  NEED(sluice_chip_set_params(chip, set, apart ? 1 : 2, report, &error));
  if (apart) NEED(sluice_chip_set_params(chip, &set[1], 1, report, &error));
}

// `second`: another program, or "params" or "apart": other malleables of the first one.
static int update(const char *where, const char *other, const char *first, const char *second,
                  unsigned times) {
  const bool apart = strcmp(second, "apart") == 0, params = apart || strcmp(second, "params") == 0;
  struct sluice_transport inner;
  struct sluice_chip *chip;
  struct sluice_chip_line line;
  uint32_t addr, drops[SLUICE_NUM_DROPS], value, least = UINT32_MAX, most = 0;
  struct sluice_image *images[3] = {image_of(first), params ? NULL : image_of(second),
                                    image_of(other)};
  NEED(sluice_transport_open(&inner, where, NULL, &error));
  sluice_filter_init(&feeder.line, &inner, &feeder);
  feeder.line.before = feed_ahead;
  feeder.versions = true;
  NEED(sluice_chip_open(&chip, &feeder.line.to, NULL, &error));
  NEED(sluice_chip_load(chip, images[2], OTHER, &error));
  NEED(sluice_chip_load(chip, images[0], CHANGED, &error));
  sluice_chip_line_counts(chip, &line);
  const unsigned long before = line.sent;
  // Indices move all the time: a new array is filled while those of its module are at home.
  NEED(sluice_chip_register(chip, "CHIP", 0, "MOVE_PERIOD", 0, &addr, &error));
  NEED(sluice_chip_write(chip, addr, 128, &error));
  feeder.on = true;
  feed(&feeder, 400);
  for (unsigned n = 1; n <= times; n++) {
    struct sluice_update_report report;
    if (params) set_version(chip, 1 + n % 2, apart, &report);
    else NEED(sluice_chip_update(chip, images[n % 2], CHANGED, &report, &error));
    if (report.drain_cycles < least) least = report.drain_cycles;
    if (report.drain_cycles > most) most = report.drain_cycles;
    feed(&feeder, 100);
  }
  let_all_leave();
  sluice_chip_line_counts(chip, &line);
  NEED(sluice_chip_audit(chip, &error));
  NEED(sluice_chip_module_drops(chip, CHANGED, drops, &error));
  const uint32_t moved = reg(chip, "MOVE", "DECIDED");
  unsigned flips = 0;
  for (unsigned long n = 2; n <= feeder.changed_in; n++)
    flips += feeder.version[n] != feeder.version[n - 1];
  printf("%u updates: other %lu in, %lu out; changed %lu in, %lu out, %u flips; drained after %u "
         "to %u cycles; %lu control packets an update; %u moves\n",
         times, feeder.other_in, feeder.other_out, feeder.changed_in, feeder.changed_out, flips,
         least, most, (line.sent - before) / times, moved);
  need(feeder.other_in == feeder.other_out, "packets of the other module were lost",
       feeder.other_in - feeder.other_out);
  need(feeder.max_seq == feeder.other_in, "the other module's count is wrong", feeder.max_seq);
  need(feeder.changed_in == feeder.changed_out, "packets of the module that was updated were lost",
       feeder.changed_in - feeder.changed_out);
  need(flips == times, "versions alternate in the order of arrival", flips);
  NEED(sluice_chip_state_read(chip, CHANGED, "seen", 0, 1, &value, &error));
  need(value == feeder.changed_in, "the count that all versions share", value);
  sluice_chip_close(chip);
  sluice_transport_close(&inner);
  for (int i = 0; i < 3; i++) sluice_image_close(images[i]);
  return 0;
}

// ---- bad clients --------------------------------------------------------------------------------

static int dial(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  need(fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof address) == 0,
       "cannot connect", 0);
  return fd;
}

static void garbage(const char *path, unsigned seed, bool frames) {
  unsigned char bytes[60000];
  const int fd = dial(path);
  srand(seed);
  for (unsigned i = 0; i < sizeof bytes; i++)
    bytes[i] = (unsigned char)(frames && rand() % 9 == 0 ? 0x7e : rand());
  for (size_t at = 0; at < sizeof bytes;) {
    const ssize_t put = send(fd, bytes + at, sizeof bytes - at, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (put <= 0) break;
    at += (size_t)put;
  }
  close(fd);
}

static unsigned long exercise(struct sluice_transport *to, struct sluice_chip *chip, unsigned num,
                              unsigned len) {
  static struct sluice_packet_out out;
  static unsigned char bytes[SLUICE_PACKET_MAX];
  unsigned long left = 0;
  uint32_t value;
  memset(bytes, 0, sizeof bytes);
  make_packet(bytes, OTHER, 1);
  for (unsigned n = 0; n < num; n++) {
    NEED(to->ops->packet_send(to->self, n % 4, bytes, len, &error));
    for (;;) {
      NEED(to->ops->packet_receive(to->self, &out, &error));
      if (!out.len) break;
      left++;
    }
  }
  for (unsigned n = 0; n < 600 && left < num; n++) {
    NEED(to->ops->wait(to->self, 100, &error));
    for (;;) {
      NEED(to->ops->packet_receive(to->self, &out, &error));
      if (!out.len) break;
      left++;
    }
  }
  NEED(sluice_chip_state_read(chip, OTHER, "count", 0, 1, &value, &error));
  return left;
}

static int fuzz(const char *path, const char *image_path, unsigned seed) {
  static const unsigned char hello[] = {0x7e, 0x01, 0x00, 0x01, 0x99, 0x8d, 0x7e};
  struct sluice_transport to;
  struct sluice_chip *chip;
  struct sluice_image *image = image_of(image_path);
  char where[200];
  snprintf(where, sizeof where, "unix:%s", path);
  NEED(sluice_transport_open(&to, where, NULL, &error));
  NEED(sluice_chip_open(&chip, &to, NULL, &error));
  NEED(sluice_chip_load(chip, image, OTHER, &error));
  unsigned long sent = 0, left = 0;
  for (unsigned n = 0; n < 6; n++) {
    garbage(path, seed + n, n % 2);
    sent += 20, left += exercise(&to, chip, 20, LEN);
  }
  // One that asks for all packets and never reads: it is sent more than it may let come together.
  const int deaf = dial(path);
  const struct timeval patience = {.tv_sec = 20};
  need(setsockopt(deaf, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) == 0, "no time limit",
       0);
  need(send(deaf, hello, sizeof hello, 0) == sizeof hello, "cannot send", 0);
  const int half = dial(path);
  need(send(half, hello, 3, 0) == 3, "cannot send", 0);
  sent += 520, left += exercise(&to, chip, 520, 9000);
  close(half);
  sent += 20, left += exercise(&to, chip, 20, LEN);
  printf("%lu packets sent, %lu came back\n", sent, left);
  need(sent == left, "packets were lost", sent - left);
  // It was disconnected: behind what it was sent stands the end.
  static char drain[65536];
  unsigned long got = 0;
  ssize_t n;
  while ((n = recv(deaf, drain, sizeof drain, 0)) > 0) got += (unsigned long)n;
  need(n == 0, "the client that does not read was not disconnected", got);
  need(got < 520 * 9000ul, "the client that does not read was sent everything", got);
  printf("the deaf client got %lu bytes, then the end\n", got);
  close(deaf);
  NEED(sluice_chip_audit(chip, &error));
  sluice_chip_close(chip);
  sluice_transport_close(&to);
  sluice_image_close(image);
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 6 && strcmp(argv[1], "replace") == 0)
    return replace(argv[2], argv[3], argv[4], argv[5]);
  if (argc == 7 && strcmp(argv[1], "update") == 0)
    return update(argv[2], argv[3], argv[4], argv[5], (unsigned)atoi(argv[6]));
  if (argc == 5 && strcmp(argv[1], "moves") == 0) return moves(argv[2], argv[3], argv[4]);
  if (argc == 4 && strcmp(argv[1], "times") == 0) return times(argv[2], argv[3]);
  if (argc == 5 && strcmp(argv[1], "fuzz") == 0)
    return fuzz(argv[2], argv[3], (unsigned)atoi(argv[4]));
  fprintf(stderr,
          "usage: library_client replace WHERE OTHER FIRST SECOND | update WHERE OTHER FIRST "
          "SECOND N | moves WHERE HOT COLD | times WHERE IMAGE | fuzz SOCKET IMAGE SEED\n");
  return 2;
}
