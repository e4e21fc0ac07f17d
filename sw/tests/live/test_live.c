// SPDX-License-Identifier: Apache-2.0
// The live switch without a network: port specifications, tags, checksums, requests on the control
// socket, captures through the reference model.
#include <arpa/inet.h>

#include "tests/rig/cases.h"
#include "base/bytes.h"
#include "base/rng.h"
#include "live/port.h"
#include "live/spec.h"
#include "live/tag.h"

// ---- port specifications ------------------------------------------------------------------------

static struct live_spec parsed(const char *text) {
  struct live_spec spec;
  struct sluice_error error = {{0}};
  if (live_spec_parse(&spec, text, 4, &error)) fail_msg("'%s': %s", text, error.text);
  return spec;
}

TEST(good_ports) {
  struct live_spec s = parsed("0=tap:sw0");
  assert_true(s.port == 0 && s.kind == LIVE_TAP && !s.netns[0] && !s.trunk && !s.vid);
  assert_string_equal(s.name, "sw0");
  s = parsed("3=tap:h1/eth0,vlan=4094");
  assert_true(s.port == 3 && s.vid == 4094);
  assert_string_equal(s.netns, "h1");
  assert_string_equal(s.name, "eth0");
  s = parsed("1=netns:h1/veth3,trunk");
  assert_true(s.kind == LIVE_INTERFACE && s.trunk);
  assert_string_equal(s.netns, "h1");
  s = parsed("1=if:fifteen_letters");
  assert_string_equal(s.name, "fifteen_letters");
  s = parsed("2=pcap:a/b.pcap,out=c.pcapng,vlan=1");
  assert_true(s.kind == LIVE_CAPTURE && s.vid == 1);
  assert_string_equal(s.in, "a/b.pcap");
  assert_string_equal(s.out, "c.pcapng");
  s = parsed("2=pcap:,out=c.pcap");
  assert_string_equal(s.in, "");
  s = parsed("2=pcap:c=d:e.pcap");
  assert_string_equal(s.in, "c=d:e.pcap");
  s = parsed("3=udp:5000,to=10.1.2.3:65535");
  assert_true(s.kind == LIVE_UDP && ntohs(s.here.sin_port) == 5000 &&
              ntohs(s.to.sin_port) == 65535);
  assert_int_equal(ntohl(s.here.sin_addr.s_addr), 0x7f000001);
  assert_int_equal(ntohl(s.to.sin_addr.s_addr), 0x0a010203);
  s = parsed("3=udp:0.0.0.0:1,to=10.0.0.1:2");
  assert_true(s.here.sin_addr.s_addr == 0 && ntohs(s.to.sin_port) == 2);
  s = parsed("3=udp:0");  // one that the system chooses
  assert_true(s.here.sin_port == 0 && s.to.sin_port == 0);
  s = parsed("3=cpu");
  assert_true(s.port == 3 && s.kind == LIVE_CPU && s.trunk && !s.vid);
}

static void try_port(void *user, const struct one_case *c) {
  struct live_spec spec;
  struct sluice_error error = {{0}};
  (void)user;
  assert_int_equal(live_spec_parse(&spec, c->request, 4, &error), SLUICE_ERR_RANGE);
  cases_answer(c, error.text);
}

TEST(bad_ports) {
  const struct one_case none = {.request = "", .answers = {"is not PORT=KIND:WHAT"}, .num = 1};
  try_port(NULL, &none);
  cases_each("sw/tests/live/ports.cases", "refused", try_port, NULL);
}

// Texts made of the pieces of good ones: whatever comes out, what is accepted is within its bounds.
TEST(any_ports) {
  static const char *const pieces[] = {"0",    "3",   "4",     "=",    ":",    ",",         "/",
                                       "tap",  "if",  "netns", "pcap", "udp",  "vlan=",     "trunk",
                                       "out=", "to=", "cpu",   "h1",   "eth0", "127.0.0.1", "5000",
                                       "4094", ".",   "..",    " ",    "\xff", "%s"};
  struct sluice_rng rng;
  unsigned accepted = 0;
  sluice_rng_init(&rng, 1, "ports");
  for (unsigned n = 0; n < 200000; n++) {
    char text[200] = "";
    struct live_spec spec;
    const unsigned num = 1 + (unsigned)sluice_rng_below(&rng, 12);
    if (n % 2) strcpy(text, n % 4 == 1 ? "3=tap:" : "0=udp:");
    for (unsigned k = 0; k < num; k++)
      strcat(text, pieces[sluice_rng_below(&rng, sizeof pieces / sizeof *pieces)]);
    if (live_spec_parse(&spec, text, 4, NULL)) continue;
    accepted++;
    assert_true(spec.port < 4 && spec.vid <= 4094 && !(spec.trunk && spec.vid));
    assert_true(strlen(spec.name) < sizeof spec.name && !strchr(spec.name, '/') &&
                !strchr(spec.netns, '/'));
    assert_true((spec.kind == LIVE_TAP || spec.kind == LIVE_INTERFACE) == (spec.name[0] != 0));
    assert_true(spec.kind != LIVE_UDP || spec.to.sin_port ||
                ntohl(spec.here.sin_addr.s_addr) >> 24 == 127);
  }
  assert_true(accepted > 1000);
}

// ---- tags ---------------------------------------------------------------------------------------

enum { ROOM = 9216 };

static size_t frame_of(uint8_t *frame, size_t len, int tci) {
  for (size_t i = 0; i < len; i++) frame[i] = (uint8_t)(i * 7 + 1);
  frame[12] = 0x08;
  frame[13] = 0x00;
  if (tci < 0) return len;
  memmove(frame + 16, frame + 12, len - 12);
  frame[12] = 0x81;
  frame[13] = 0x00;
  sluice_put16(frame + 14, (unsigned)tci);
  return len + 4;
}

TEST(access_ports) {
  static uint8_t frame[ROOM + 100], in[ROOM], back[ROOM + 100];
  const struct live_vlan five = {.vid = 5};
  for (size_t len = 14; len < 200; len++) {
    const uint8_t *start;
    size_t in_len, out_len;
    frame_of(frame, len, -1);
    assert_int_equal(live_enter(&five, frame, len, in, ROOM, &in_len), LIVE_FITS);
    assert_int_equal(in_len, len + 4 < 64 ? 64 : len + 4);
    assert_memory_equal(in, frame, 12);
    assert_memory_equal(in + 12, "\x81\x00\x00\x05", 4);
    assert_memory_equal(in + 16, frame + 12, len - 12);
    for (size_t i = len + 4; i < 64; i++) assert_int_equal(in[i], 0);
    memcpy(back, in, in_len);
    out_len = in_len;
    assert_int_equal(live_leave(&five, back, &out_len, &start), LIVE_FITS);
    assert_int_equal(out_len, in_len - 4);
    assert_memory_equal(start, frame, len);
  }
}

TEST(who_may_not_come_in) {
  static uint8_t frame[ROOM + 100], in[ROOM];
  const struct live_vlan five = {.vid = 5}, trunk = {.trunk = true};
  const uint8_t *start;
  size_t in_len = 0, len = frame_of(frame, 100, 6);
  assert_int_equal(live_enter(&five, frame, len, in, ROOM, &in_len), LIVE_TAGGED);
  assert_int_equal(live_leave(&five, frame, &len, &start), LIVE_FOREIGN);
  assert_int_equal(live_enter(&trunk, frame, len, in, ROOM, &in_len), LIVE_FITS);
  assert_true(in_len == len && memcmp(in, frame, len) == 0);
  len = frame_of(frame, 100, -1);
  assert_int_equal(live_enter(&trunk, frame, len, in, ROOM, &in_len), LIVE_UNTAGGED);
  assert_int_equal(live_leave(&five, frame, &len, &start), LIVE_FOREIGN);
  // A priority tag is none: the priority stays.
  len = frame_of(frame, 100, 0xa000);
  assert_int_equal(live_enter(&trunk, frame, len, in, ROOM, &in_len), LIVE_UNTAGGED);
  assert_int_equal(live_enter(&five, frame, len, in, ROOM, &in_len), LIVE_FITS);
  assert_int_equal(in_len, 104);
  assert_memory_equal(in + 12, "\x81\x00\xa0\x05", 4);
}

TEST(lengths) {
  static uint8_t frame[2 * ROOM], in[ROOM];
  const struct live_vlan five = {.vid = 5}, trunk = {.trunk = true};
  size_t in_len;
  frame_of(frame, ROOM, -1);
  for (size_t len = 0; len < 14; len++)
    assert_int_equal(live_enter(&five, frame, len, in, ROOM, &in_len), LIVE_SHORT);
  assert_int_equal(live_enter(&five, frame, ROOM - 4, in, ROOM, &in_len), LIVE_FITS);
  assert_int_equal(live_enter(&five, frame, ROOM - 3, in, ROOM, &in_len), LIVE_LONG);
  assert_int_equal(live_enter(&five, frame, SIZE_MAX, in, ROOM, &in_len), LIVE_LONG);
  frame_of(frame, ROOM - 4, 9);
  assert_int_equal(live_enter(&trunk, frame, ROOM, in, ROOM, &in_len), LIVE_FITS);
  assert_int_equal(live_enter(&trunk, frame, ROOM + 1, in, ROOM, &in_len), LIVE_LONG);
  // no room for the padding
  assert_int_equal(live_enter(&five, frame, 14, in, 32, &in_len), LIVE_LONG);
}

// ---- checksums ----------------------------------------------------------------------------------

// RFC 1071, section 3: the bytes 00 01 f2 03 f4 f5 f6 f7 add up to ddf2.
TEST(checksum_of_the_rfc) {
  uint8_t frame[12] = {9, 9, 0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7, 0, 0};
  assert_true(live_complete_checksum(frame, 12, 2, 8));
  assert_int_equal(sluice_get16(frame + 10), 0xffff - 0xddf2);
  // with its sum in place the rest is 0, which is sent as ffff
  assert_true(live_complete_checksum(frame, 12, 2, 8));
  assert_int_equal(sluice_get16(frame + 10), 0xffff);
}

TEST(checksum_outside) {
  uint8_t frame[12] = {0};
  assert_false(live_complete_checksum(frame, 12, 13, 0));
  assert_false(live_complete_checksum(frame, 12, 2, 9));
  assert_false(live_complete_checksum(frame, 12, 0, 65535));
  assert_true(live_complete_checksum(frame, 12, 2, 8));
}
