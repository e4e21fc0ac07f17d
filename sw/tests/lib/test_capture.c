// SPDX-License-Identifier: Apache-2.0
// Capture files in and out, whole and damaged. SLUICE_CASES says how many are damaged; with
// SLUICE_ALL tshark reads all kinds.

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/rig/test.h"
#include "base/rng.h"
#include "lib/capture.h"
#include "tests/rig/environment.h"

static char path[64];

static int new_path(void **state) {
  (void)state;
  snprintf(path, sizeof path, "/tmp/sluice-capture-%ld", (long)getpid());
  return 0;
}

static int remove_path(void **state) {
  (void)state;
  remove(path);
  return 0;
}

static void write_bytes(const void *bytes, size_t len) {
  FILE *out = fopen(path, "wb");
  assert_non_null(out);
  assert_int_equal(fwrite(bytes, 1, len, out), len);
  assert_int_equal(fclose(out), 0);
}

static size_t read_bytes(uint8_t *bytes, size_t room) {
  FILE *in = fopen(path, "rb");
  assert_non_null(in);
  size_t len = fread(bytes, 1, room, in);
  fclose(in);
  return len;
}

// Reads to the end or the first error; returns the number of good packets.
static unsigned read_all(enum sluice_status *status, struct sluice_error *error) {
  struct sluice_capture *capture;
  struct sluice_packet p;
  unsigned n = 0;
  unsigned sum = 0;
  *status = sluice_capture_open(&capture, path, error);
  if (*status) return 0;
  while ((*status = sluice_capture_next(capture, &p, error)) == SLUICE_OK && p.bytes) {
    for (size_t i = 0; i < p.len; i++) sum += p.bytes[i];
    n++;
  }
  sluice_capture_close(capture);
  (void)sum;
  return n;
}

static void put32(uint8_t *at, uint32_t value) { memcpy(at, &value, 4); }

// A pcap file with microseconds, one packet of `captured` of `len` bytes.
static size_t small_pcap(uint8_t *file, uint32_t link, uint32_t captured, uint32_t len) {
  memset(file, 0, 40 + captured);
  put32(file, 0xa1b2c3d4);
  file[4] = 2;
  file[6] = 4;
  put32(file + 16, 65535);
  put32(file + 20, link);
  put32(file + 24, 7);
  put32(file + 28, 8);
  put32(file + 32, captured);
  put32(file + 36, len);
  memset(file + 40, 0xab, captured);
  return 40 + captured;
}

TEST(what_is_written_is_read) {
  struct sluice_rng rng;
  struct sluice_capture_writer *writer;
  struct sluice_capture *capture CLOSED_BY(close_capture);
  struct sluice_packet p;
  static uint8_t frame[9216];
  assert_int_equal(sluice_capture_create(&writer, path, NULL), SLUICE_OK);
  for (int pass = 0; pass < 2; pass++) {
    sluice_rng_init(&rng, 1, "written");
    if (pass) assert_int_equal(sluice_capture_open(&capture, path, NULL), SLUICE_OK);
    for (unsigned n = 0; n < 200; n++) {
      size_t len = 1 + sluice_rng_below(&rng, sizeof frame);
      uint64_t time = sluice_rng_below(&rng, UINT64_C(1) << 60);
      for (size_t i = 0; i < len; i++) frame[i] = (uint8_t)sluice_rng_next(&rng);
      if (!pass) {
        sluice_capture_write(writer, frame, len, time);
        continue;
      }
      assert_int_equal(sluice_capture_next(capture, &p, NULL), SLUICE_OK);
      assert_non_null(p.bytes);
      FIELDS_ARE(&p, (len, len), (captured, len));
      assert_true(p.time_ns == time);
      assert_memory_equal(p.bytes, frame, len);
    }
    if (!pass) assert_int_equal(sluice_capture_finish(writer, NULL), SLUICE_OK);
  }
  assert_int_equal(sluice_capture_next(capture, &p, NULL), SLUICE_OK);
  assert_null(p.bytes);
}

TEST(a_cut_frame_is_padded_to_its_length_on_the_wire) {
  uint8_t file[200];
  struct sluice_capture *capture CLOSED_BY(close_capture);
  struct sluice_packet p;
  write_bytes(file, small_pcap(file, 1, 60, 1500));
  assert_int_equal(sluice_capture_open(&capture, path, NULL), SLUICE_OK);
  assert_int_equal(sluice_capture_next(capture, &p, NULL), SLUICE_OK);
  FIELDS_ARE(&p, (len, 1500), (captured, 60));
  assert_true(p.time_ns == UINT64_C(7000008000));
  assert_int_equal(p.bytes[59], 0xab);
  for (size_t i = 60; i < 1500; i++) assert_int_equal(p.bytes[i], 0);
}

// Section header, interface with nanoseconds, one enhanced packet block.
static size_t small_pcapng(uint8_t *file, uint32_t link) {
  memset(file, 0, 28 + 32 + 32 + 64);
  put32(file, 0x0a0d0d0a);
  put32(file + 4, 28);
  put32(file + 8, 0x1a2b3c4d);
  file[12] = 1;
  put32(file + 16, 0xffffffff);
  put32(file + 20, 0xffffffff);
  put32(file + 24, 28);
  uint8_t *b = file + 28;
  put32(b, 1);
  put32(b + 4, 32);
  put32(b + 8, link);
  put32(b + 12, 65535);
  b[16] = 9;  // if_tsresol, one byte: 10**-9
  b[18] = 1;
  b[20] = 9;
  put32(b + 28, 32);
  b += 32;
  put32(b, 6);
  put32(b + 4, 32 + 64);
  put32(b + 16, 12345);
  put32(b + 20, 64);
  put32(b + 24, 64);
  memset(b + 28, 0xcd, 64);
  put32(b + 92, 32 + 64);
  return 28 + 32 + 96;
}

TEST(pcapng_is_read) {
  uint8_t file[200];
  struct sluice_capture *capture CLOSED_BY(close_capture);
  struct sluice_packet p;
  write_bytes(file, small_pcapng(file, 1));
  assert_int_equal(sluice_capture_open(&capture, path, NULL), SLUICE_OK);
  assert_int_equal(sluice_capture_next(capture, &p, NULL), SLUICE_OK);
  assert_int_equal(p.len, 64);
  assert_true(p.time_ns == 12345);
  assert_int_equal(p.bytes[63], 0xcd);
  assert_int_equal(sluice_capture_next(capture, &p, NULL), SLUICE_OK);
  assert_null(p.bytes);
}

TEST(other_link_types_are_refused_by_name) {
  uint8_t file[200];
  struct sluice_error error;
  enum sluice_status status;
  write_bytes(file, small_pcap(file, 113, 60, 60));
  read_all(&status, &error);
  assert_int_equal(status, SLUICE_ERR_FORMAT);
  assert_non_null(strstr(error.text, "LINUX_SLL"));
  assert_non_null(strstr(error.text, "only Ethernet"));
  write_bytes(file, small_pcapng(file, 101));
  read_all(&status, &error);
  assert_int_equal(status, SLUICE_ERR_FORMAT);
}

TEST(files_that_are_not_there_or_no_captures_are_told_apart) {
  struct sluice_capture *capture;
  struct sluice_error error;
  enum sluice_status status;
  assert_int_equal(sluice_capture_open(&capture, "/nonexistent/x.pcap", &error), SLUICE_ERR_IO);
  assert_string_equal(error.text, "cannot open '/nonexistent/x.pcap': No such file or directory");
  assert_null(capture);
  assert_int_equal(sluice_capture_open(&capture, "/tmp", &error), SLUICE_ERR_IO);
  write_bytes("", 0);
  read_all(&status, &error);
  assert_int_equal(status, SLUICE_ERR_FORMAT);
  write_bytes("this is a text, not a capture", 29);
  read_all(&status, &error);
  assert_int_equal(status, SLUICE_ERR_FORMAT);
}

// Cut at every byte: the whole packets are read, then there is an error, or the end at a border.
TEST(cut_files_give_their_whole_packets_and_an_error) {
  static uint8_t file[4096];
  struct sluice_capture_writer *writer;
  struct sluice_error error;
  enum sluice_status status;
  uint8_t frame[80] = {0};
  assert_int_equal(sluice_capture_create(&writer, path, NULL), SLUICE_OK);
  for (int i = 0; i < 5; i++) sluice_capture_write(writer, frame, sizeof frame, 0);
  assert_int_equal(sluice_capture_finish(writer, NULL), SLUICE_OK);
  size_t len = read_bytes(file, sizeof file);
  assert_int_equal(len, 24 + 5 * 96);
  for (size_t cut = 0; cut < len; cut++) {
    write_bytes(file, cut);
    unsigned n = read_all(&status, &error);
    assert_int_equal(n, cut < 24 ? 0 : (cut - 24) / 96);
    assert_int_equal(status, cut >= 24 && (cut - 24) % 96 == 0 ? SLUICE_OK : SLUICE_ERR_FORMAT);
  }
}

TEST(damaged_files_never_crash) {
  struct sluice_rng rng;
  struct sluice_error error;
  enum sluice_status status;
  uint8_t file[200], damaged[200];
  sluice_rng_init(&rng, 5, "damage");
  const uint64_t cases = from_environment("SLUICE_CASES", 1500);
  for (uint64_t n = 0; n < cases; n++) {
    size_t len = n % 2 ? small_pcap(file, 1, 60, 64) : small_pcapng(file, 1);
    memcpy(damaged, file, len);
    for (uint64_t k = 1 + sluice_rng_below(&rng, 4); k > 0; k--)
      damaged[sluice_rng_below(&rng, len)] = (uint8_t)sluice_rng_next(&rng);
    write_bytes(damaged, len);
    read_all(&status, &error);
    assert_true(status == SLUICE_OK || status == SLUICE_ERR_FORMAT);
  }
}

TEST(a_full_disk_is_reported_once) {
  struct sluice_capture_writer *writer;
  struct sluice_error error;
  static uint8_t frame[9000];
  if (access("/dev/full", W_OK) != 0) skip();
  for (int packets = 0; packets < 20; packets += 10) {
    assert_int_equal(sluice_capture_create(&writer, "/dev/full", &error), SLUICE_OK);
    for (int i = 0; i < packets; i++) sluice_capture_write(writer, frame, sizeof frame, 0);
    assert_int_equal(sluice_capture_finish(writer, &error), SLUICE_ERR_IO);
    assert_string_equal(error.text, "cannot write '/dev/full': No space left on device");
  }
  assert_int_equal(sluice_capture_create(&writer, "/nonexistent/x", &error), SLUICE_ERR_IO);
  assert_int_equal(sluice_capture_finish(NULL, &error), SLUICE_OK);
}

TEST(tags_are_inserted_kept_or_replaced) {
  uint8_t frame[100], out[200];
  for (size_t i = 0; i < sizeof frame; i++) frame[i] = (uint8_t)i;
  frame[12] = 0x08;
  frame[13] = 0x00;
  assert_int_equal(sluice_frame_tag(out, sizeof out, frame, 100, 0x123, false), 104);
  assert_memory_equal(out, frame, 12);
  assert_memory_equal(out + 12, "\x81\x00\x01\x23", 4);
  assert_memory_equal(out + 16, frame + 12, 88);

  uint8_t again[200];
  assert_int_equal(sluice_frame_tag(again, sizeof again, out, 104, 7, false), 104);
  assert_memory_equal(again, out, 104);
  out[14] |= 0xf0;  // a priority
  assert_int_equal(sluice_frame_tag(again, sizeof again, out, 104, 7, true), 104);
  assert_memory_equal(again + 12, "\x81\x00\x00\x07", 4);
  assert_memory_equal(again + 16, out + 16, 88);

  memset(out, 0xff, sizeof out);
  assert_int_equal(sluice_frame_tag(out, sizeof out, frame, 42, 1, false), 64);
  for (size_t i = 46; i < 64; i++) assert_int_equal(out[i], 0);
  for (size_t len = 0; len < 16; len++)
    assert_int_equal(sluice_frame_tag(out, sizeof out, frame, len, 1, false), 64);
  assert_int_equal(sluice_frame_tag(out, 103, frame, 100, 1, false), 0);
  assert_int_equal(sluice_frame_tag(out, 63, frame, 10, 1, false), 0);
}

// pcapng with three interfaces, each packet at one of them, with a comment: written, and read
// again.
TEST(interfaces_are_written_and_read) {
  struct sluice_capture_writer *writer;
  struct sluice_capture *capture CLOSED_BY(close_capture);
  struct sluice_packet packet;
  uint8_t frame[100];
  memset(frame, 0x5a, sizeof frame);
  assert_int_equal(sluice_capture_create_ports(&writer, path, 3, NULL), SLUICE_OK);
  for (unsigned i = 0; i < 30; i++)
    sluice_capture_write_at(writer, frame, 60 + i, 1700000000123456789u + i, i * 7 % 3,
                            i % 2 ? "a comment" : NULL);
  assert_int_equal(sluice_capture_finish(writer, NULL), SLUICE_OK);
  assert_int_equal(sluice_capture_open(&capture, path, NULL), SLUICE_OK);
  for (unsigned i = 0; i < 30; i++) {
    assert_int_equal(sluice_capture_next(capture, &packet, NULL), SLUICE_OK);
    assert_non_null(packet.bytes);
    assert_true(packet.len == 60 + i && packet.interface == (int)(i * 7 % 3) &&
                packet.time_ns == 1700000000123456789u + i);
    assert_memory_equal(packet.bytes, frame, packet.len);
  }
  assert_int_equal(sluice_capture_next(capture, &packet, NULL), SLUICE_OK);
  assert_null(packet.bytes);
}

TEST(the_other_byte_order_and_other_blocks_are_read) {
  // Big-endian: a section, two interfaces, a name resolution block, an enhanced packet at interface
  // 1, an old packet at interface 1, a simple packet.
  static const uint8_t file[] = {
      0x0a, 0x0d, 0x0d, 0x0a, 0,    0,    0,    28,   0x1a, 0x2b, 0x3c, 0x4d, 0, 1, 0,    0,
      0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0,    0,    0,    28,   0, 0, 0,    1,
      0,    0,    0,    20,   0,    1,    0,    0,    0,    0,    0xff, 0xff, 0, 0, 0,    20,
      0,    0,    0,    1,    0,    0,    0,    20,   0,    1,    0,    0,    0, 0, 0xff, 0xff,
      0,    0,    0,    20,   0,    0,    0,    4,    0,    0,    0,    16,   0, 0, 0,    0,
      0,    0,    0,    16,   0,    0,    0,    6,    0,    0,    0,    36,   0, 0, 0,    1,
      0,    0,    0,    0,    0,    0,    0,    9,    0,    0,    0,    4,    0, 0, 0,    4,
      1,    2,    3,    4,    0,    0,    0,    36,   0,    0,    0,    2,    0, 0, 0,    36,
      0,    1,    0,    0,    0,    0,    0,    0,    0,    0,    0,    9,    0, 0, 0,    4,
      0,    0,    0,    4,    5,    6,    7,    8,    0,    0,    0,    36,   0, 0, 0,    3,
      0,    0,    0,    20,   0,    0,    0,    4,    9,    9,    9,    9,    0, 0, 0,    20};
  static const int interfaces[] = {1, 1, 0};
  struct sluice_capture *capture CLOSED_BY(close_capture);
  struct sluice_packet packet;
  write_bytes(file, sizeof file);
  assert_int_equal(sluice_capture_open(&capture, path, NULL), SLUICE_OK);
  for (unsigned i = 0; i < 3; i++) {
    assert_int_equal(sluice_capture_next(capture, &packet, NULL), SLUICE_OK);
    assert_true(packet.bytes && packet.len == 4 && packet.interface == interfaces[i]);
  }
}

// No byte of a file makes the reader trip.
TEST(damaged_pcapng_never_crashes) {
  struct sluice_capture_writer *writer;
  static uint8_t whole[4000], bytes[4000];
  uint8_t frame[64] = {0};
  assert_int_equal(sluice_capture_create_ports(&writer, path, 3, NULL), SLUICE_OK);
  for (unsigned i = 0; i < 8; i++)
    sluice_capture_write_at(writer, frame, sizeof frame, i, i % 3, "x");
  assert_int_equal(sluice_capture_finish(writer, NULL), SLUICE_OK);
  const size_t len = read_bytes(whole, sizeof whole);
  struct sluice_rng rng;
  sluice_rng_init(&rng, 1, "pcapng");
  const uint64_t cases = from_environment("SLUICE_CASES", 1500);
  for (uint64_t n = 0; n < cases; n++) {
    memcpy(bytes, whole, len);
    for (unsigned k = 0; k < 1 + n % 3; k++)
      bytes[sluice_rng_below(&rng, len)] = (uint8_t)sluice_rng_next(&rng);
    write_bytes(bytes, n % 4 ? len : (size_t)sluice_rng_below(&rng, len));
    struct sluice_capture *capture;
    struct sluice_packet packet;
    if (sluice_capture_open(&capture, path, NULL)) continue;
    while (sluice_capture_next(capture, &packet, NULL) == SLUICE_OK && packet.bytes)
      assert_in_range(packet.interface + 1, 0, 65536);
    sluice_capture_close(capture);
  }
}

TEST(one_interface_says_nothing) {
  struct sluice_capture_writer *writer;
  struct sluice_capture *capture;
  struct sluice_packet packet;
  uint8_t frame[60] = {0};
  for (unsigned ng = 0; ng < 2; ng++) {
    const enum sluice_status status = ng ? sluice_capture_create_ports(&writer, path, 1, NULL)
                                         : sluice_capture_create(&writer, path, NULL);
    assert_int_equal(status, SLUICE_OK);
    sluice_capture_write(writer, frame, sizeof frame, 0);
    assert_int_equal(sluice_capture_finish(writer, NULL), SLUICE_OK);
    assert_int_equal(sluice_capture_open(&capture, path, NULL), SLUICE_OK);
    assert_int_equal(sluice_capture_next(capture, &packet, NULL), SLUICE_OK);
    assert_true(packet.bytes && packet.interface == -1);
    sluice_capture_close(capture);
  }
  assert_true(sluice_capture_is_pcapng("a.pcapng") && !sluice_capture_is_pcapng("a.pcap") &&
              !sluice_capture_is_pcapng("ng"));
}

// ---- all kinds of files, beside tshark ----------------------------------------------------------

// A capture in either byte order.
static uint8_t made[4096];
static size_t made_len;
static bool big;
static void half(unsigned v) {
  made[made_len++] = (uint8_t)(big ? v >> 8 : v);
  made[made_len++] = (uint8_t)(big ? v : v >> 8);
}
static void word(uint32_t v) {
  half(big ? v >> 16 : v & 0xffff);
  half(big ? v & 0xffff : v >> 16);
}
static void frame_bytes(unsigned captured) {
  for (unsigned i = 0; i < captured; i++)
    made[made_len++] = i == 12 ? 0x08 : i == 13 ? 0 : i == 14 ? 0x45 : (uint8_t)i;
}
static void pad(void) {
  while (made_len % 4) made[made_len++] = 0;
}

struct kind {
  bool ng, big;
  uint32_t link_bits;  // pcap: what stands beside the link type
  uint32_t magic, seconds, fraction, snaplen;
  int resolution, fcs;  // pcapng: options; -1: none
  bool has_offset;
  int64_t offset;
  uint64_t ticks;
  unsigned flags_fcs;  // of each packet
  unsigned interfaces;
};

static const unsigned lens[] = {60, 64, 1500}, kept[] = {60, 64, 96};

static void make_pcap(const struct kind *k) {
  word(k->magic);
  half(2), half(4), word(0), word(0), word(k->snaplen), word(1 | k->link_bits);
  for (unsigned n = 0; n < 3; n++) {
    word(k->seconds), word(k->fraction), word(kept[n]), word(lens[n]);
    frame_bytes(kept[n]);
  }
}

static void make_pcapng(const struct kind *k) {
  for (unsigned section = 0; section < 2; section++) {
    word(0x0a0d0d0a), word(28), word(0x1a2b3c4d), half(1), half(0), word(~0u), word(~0u), word(28);
    for (unsigned i = 0; i < k->interfaces; i++) {
      const size_t at = made_len;
      word(1), word(0), half(1), half(0), word(i ? 65535 : k->snaplen);
      half(2), half(2), made[made_len++] = 'e', made[made_len++] = (uint8_t)('0' + i), pad();
      if (k->resolution >= 0) half(9), half(1), made[made_len++] = (uint8_t)k->resolution, pad();
      if (k->fcs >= 0) half(13), half(1), made[made_len++] = (uint8_t)k->fcs, pad();
      if (k->has_offset) {
        half(14), half(8);
        const uint64_t o = (uint64_t)k->offset;
        word((uint32_t)(big ? o >> 32 : o)), word((uint32_t)(big ? o : o >> 32));
      }
      half(0), half(0);
      const uint32_t whole = (uint32_t)(made_len - at) + 4;
      word(whole);
      const size_t end = made_len;
      made_len = at + 4;
      word(whole);
      made_len = end;
    }
    for (unsigned n = 0; n < 3; n++) {
      const uint32_t whole = 32 + ((kept[n] + 3) & ~3u) + (k->flags_fcs ? 12 : 0);
      word(6), word(whole), word(n % k->interfaces);
      word((uint32_t)(k->ticks >> 32)), word((uint32_t)k->ticks), word(kept[n]), word(lens[n]);
      frame_bytes(kept[n]), pad();
      if (k->flags_fcs) half(2), half(4), word(k->flags_fcs << 5), word(0);
      word(whole);
    }
  }
}

// Time, length, captured bytes and interface of each packet as tshark and as we read them.
static void compare(const struct kind *k, const char *label) {
  char command[400], line[200];
  made_len = 0;
  big = k->big;
  if (k->ng) make_pcapng(k);
  else make_pcap(k);
  write_bytes(made, made_len);
  snprintf(command, sizeof command,
           "tshark -r %s -o eth.check_fcs:TRUE -T fields -E separator=' ' -e frame.time_epoch -e "
           "frame.len -e frame.cap_len -e frame.interface_id -e eth.fcs 2>/dev/null",
           path);
  FILE *tshark = popen(command, "r");
  assert_non_null(tshark);
  struct sluice_capture *capture;
  struct sluice_packet p;
  struct sluice_error error;
  unsigned num = 0;
  if (sluice_capture_open(&capture, path, &error)) fail_msg("%s: %s", label, error.text);
  for (; fgets(line, sizeof line, tshark); num++) {
    unsigned long long seconds, ns;
    unsigned len, captured, interface;
    char fcs[40] = "";
    const int got =
        sscanf(line, "%llu.%9llu %u %u %u %39s", &seconds, &ns, &len, &captured, &interface, fcs);
    if (!k->ng) interface = 0;
    if (got < 4) fail_msg("%s: tshark says %s", label, line);
    if (sluice_capture_next(capture, &p, &error)) fail_msg("%s: %s", label, error.text);
    // A frame check sequence that tshark sees is none of the frame; behind a cut it sees none.
    if (fcs[0] || (captured < len && k->fcs > 0)) len -= 4;
    if (captured > len) captured = len;
    if (!p.bytes || p.time_ns / 1000000000 != seconds || p.time_ns % 1000000000 != ns ||
        p.len != len || p.captured != captured ||
        (k->interfaces > 1 && p.interface != (int)interface % (int)k->interfaces))
      fail_msg("%s: packet %u: %llu.%09llu, %zu of %zu bytes, interface %d; tshark %s", label, num,
               (unsigned long long)p.time_ns / 1000000000,
               (unsigned long long)p.time_ns % 1000000000, p.captured, p.len, p.interface, line);
  }
  assert_int_equal(num, k->ng ? 6 : 3);
  assert_int_equal(sluice_capture_next(capture, &p, NULL), SLUICE_OK);
  assert_null(p.bytes);
  sluice_capture_close(capture);
  pclose(tshark);
}

TEST(files_are_read_as_tshark_reads_them) {
  static const uint32_t seconds[] = {0, 1700000000, 0x7fffffff, 0x80000000, 0xffffffff};
  if (system("tshark --version >/dev/null 2>&1") != 0) {
    print_message("there is no tshark: captures of all kinds are not compared with it\n");
    skip();
  }
  // tshark takes half a second to start: every day a third of the kinds, each property in some of
  // them.
  const bool all = getenv("SLUICE_ALL") != NULL;
  for (unsigned n = 0; n < 2 * 2 * 5; n += all ? 1 : 3) {
    const struct kind k = {.big = n & 1,
                           .magic = n & 2 ? 0xa1b23c4d : 0xa1b2c3d4,
                           .seconds = seconds[n / 4],
                           .fraction = 123456,
                           .snaplen = n / 4 % 2 ? 65535 : 40,  // less than what is kept
                           .fcs = n / 4 == 1 ? 4 : 0,
                           .link_bits = n / 4 == 1 ? 0x24000000 : 0};
    char label[40];
    snprintf(label, sizeof label, "pcap %u", n);
    compare(&k, label);
  }
  static const struct {
    int resolution;
    uint64_t ticks;
    int64_t offset;
  } times[] = {{-1, 1700000000123456, 0},
               {0, 4000000000, 0},
               {3, 2500000000123, 0},
               {6, 1700000000123456, 86400 * 365},
               {9, 1700000000123456789, -86400},
               {9, 5, 2500000000},
               {12, 1700000000123456789, 1700000000},
               {0x80 | 10, 1700000000u * UINT64_C(1024) + 512, 0},
               {0x80 | 20, 1700000000u * UINT64_C(1048576) + 262144, 5},
               {0x80 | 32, UINT64_C(1700000000) << 32 | 0x40000000, 0}};
  for (unsigned n = 0; n < 2 * sizeof times / sizeof *times; n++)
    for (unsigned f = all ? 0 : n % 3; f < 3; f += all ? 1 : 3) {
      const struct kind k = {.ng = true,
                             .big = n & 1,
                             .resolution = times[n / 2].resolution,
                             .ticks = times[n / 2].ticks,
                             .has_offset = times[n / 2].offset != 0,
                             .offset = times[n / 2].offset,
                             .snaplen = n % 3 ? 40 : 65535,
                             .fcs = f == 1   ? 4
                                    : f == 2 ? 0
                                             : -1,
                             .interfaces = 1 + n % 3};
      char label[40];
      snprintf(label, sizeof label, "pcapng %u, %u", n, f);
      compare(&k, label);
    }
}

TEST(times_and_packed_files_that_cannot_be_read_are_refused) {
  struct sluice_error error;
  enum sluice_status status;
  static const struct {
    int resolution;
    uint64_t ticks;
    int64_t offset;
    const char *says;
  } times[] = {{9, 5000000000, -6, "packet 1: its time stamp is before 1970"},
               {0, UINT64_C(18446744074), 0, "beyond 2554"},
               {0, UINT64_MAX, 0, "beyond 2554"},
               {0x80 | 127, UINT64_MAX, -1, "before 1970"},
               {127, UINT64_MAX, INT64_MAX, "beyond 2554"},
               {9, 0, INT64_MIN, "before 1970"}};
  for (unsigned n = 0; n < sizeof times / sizeof *times; n++) {
    const struct kind k = {.ng = true,
                           .resolution = times[n].resolution,
                           .ticks = times[n].ticks,
                           .has_offset = true,
                           .offset = times[n].offset,
                           .fcs = -1,
                           .interfaces = 1};
    made_len = 0;
    big = false;
    make_pcapng(&k);
    write_bytes(made, made_len);
    assert_int_equal(read_all(&status, &error), 0);
    assert_int_equal(status, SLUICE_ERR_FORMAT);
    if (!strstr(error.text, times[n].says)) fail_msg("%s", error.text);
  }
  static const struct {
    const char *bytes, *says;
  } packed[] = {{"\x1f\x8b\x08\x08", "gzip -dc"},
                {"\x28\xb5\x2f\xfd", "zstd -dc"},
                {"\xfd\x37\x7a\x58Z", "xz -dc"},
                {"BZh9", "bzip2 -dc"}};
  for (unsigned n = 0; n < sizeof packed / sizeof *packed; n++) {
    write_bytes(packed[n].bytes, 4);
    read_all(&status, &error);
    assert_int_equal(status, SLUICE_ERR_FORMAT);
    if (!strstr(error.text, packed[n].says)) fail_msg("%s", error.text);
  }
}

// The flags of a packet say its frame check sequence, whatever the interface says; tshark 4.0 does
// not look at them.
TEST(a_frame_check_sequence_is_taken_off) {
  struct sluice_capture *capture;
  struct sluice_packet p;
  for (unsigned fcs = 0; fcs < 8; fcs += 2) {
    const struct kind k = {
        .ng = true, .resolution = 9, .fcs = 4, .flags_fcs = fcs, .snaplen = 100, .interfaces = 1};
    made_len = 0;
    big = fcs & 2;
    make_pcapng(&k);
    write_bytes(made, made_len);
    assert_int_equal(sluice_capture_open(&capture, path, NULL), SLUICE_OK);
    for (unsigned n = 0; n < 6; n++) {
      assert_int_equal(sluice_capture_next(capture, &p, NULL), SLUICE_OK);
      assert_non_null(p.bytes);
      const unsigned len = lens[n % 3] - (fcs ? fcs : 4);
      FIELDS_ARE(&p, (len, len), (captured, len < kept[n % 3] ? len : kept[n % 3]));
      for (size_t i = p.captured; i < len; i++) assert_int_equal(p.bytes[i], 0);
    }
    sluice_capture_close(capture);
  }
}

// What cannot be read twice: packets come, interfaces are not told.
TEST(a_pipe_is_read) {
  char fifo[80];
  snprintf(fifo, sizeof fifo, "%s.fifo", path);
  for (unsigned n = 0; n < 2; n++) {
    const struct kind k = {.ng = n,
                           .magic = 0xa1b2c3d4,
                           .seconds = 5,
                           .resolution = 9,
                           .fcs = -1,
                           .snaplen = 100,
                           .interfaces = 3};
    made_len = 0;
    big = false;
    if (n) make_pcapng(&k);
    else make_pcap(&k);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    const pid_t child = fork();
    if (child == 0) {
      FILE *to = fopen(fifo, "wb");
      _exit(!to || fwrite(made, made_len, 1, to) != 1 || fclose(to) != 0);
    }
    struct sluice_capture *capture;
    struct sluice_packet p;
    unsigned num = 0;
    assert_int_equal(sluice_capture_open(&capture, fifo, NULL), SLUICE_OK);
    while (sluice_capture_next(capture, &p, NULL) == SLUICE_OK && p.bytes) {
      assert_int_equal(p.len, lens[num++ % 3]);
      assert_int_equal(p.interface, -1);
    }
    assert_int_equal(num, n ? 6 : 3);
    sluice_capture_close(capture);
    waitpid(child, NULL, 0);
    unlink(fifo);
  }
}

TEST(a_time_that_pcap_cannot_hold_is_refused) {
  struct sluice_capture_writer *writer;
  struct sluice_capture *capture CLOSED_BY(close_capture);
  struct sluice_packet p;
  struct sluice_error error;
  uint8_t frame[60] = {0};
  const uint64_t late = UINT64_C(5000000000) * 1000000000;
  assert_int_equal(sluice_capture_create(&writer, path, NULL), SLUICE_OK);
  sluice_capture_write(writer, frame, sizeof frame, late);
  assert_int_equal(sluice_capture_finish(writer, &error), SLUICE_ERR_IO);
  assert_non_null(strstr(error.text, "no time beyond 2106"));
  assert_int_equal(sluice_capture_create_ports(&writer, path, 1, NULL), SLUICE_OK);
  sluice_capture_write(writer, frame, sizeof frame, late);
  assert_int_equal(sluice_capture_finish(writer, NULL), SLUICE_OK);
  assert_int_equal(sluice_capture_open(&capture, path, NULL), SLUICE_OK);
  assert_int_equal(sluice_capture_next(capture, &p, NULL), SLUICE_OK);
  assert_true(p.time_ns == late);
}

TEST_GROUP(new_path, remove_path)
