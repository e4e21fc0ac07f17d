// SPDX-License-Identifier: Apache-2.0
// The reference model's incremental checksums against full ones.
#include "tests/rig/test.h"
#include "base/bytes.h"
#include "tests/rig/model_rig.h"

static uint32_t sum_words(const uint8_t *bytes, unsigned len) {
  uint32_t sum = 0;
  for (unsigned i = 0; i < len; i += 2)
    sum += (uint32_t)bytes[i] << 8 | (i + 1 < len ? bytes[i + 1] : 0u);
  return sum;
}
static uint16_t fold(uint32_t sum) {
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return (uint16_t)~sum;
}
static uint16_t full_ip(const uint8_t *f) {
  const unsigned ihl = 4 * (f[18] & 15u);
  return fold(sum_words(f + 18, ihl) - ((uint32_t)f[28] << 8 | f[29]));
}
static uint16_t full_l4(const uint8_t *f, unsigned sum_at) {
  const unsigned ihl = 4 * (f[18] & 15u), total = sluice_get16(f + 20);
  const unsigned size = f[27] == 17 ? (unsigned)f[22 + ihl] << 8 | f[23 + ihl] : total - ihl;
  uint32_t sum = sum_words(f + 30, 8) + f[27] + size + sum_words(f + 18 + ihl, size);
  sum -= (uint32_t)f[sum_at] << 8 | f[sum_at + 1];
  return fold(sum);
}

TEST(incremental_checksums_equal_full_ones) {
  uint64_t seed = 99;
  unsigned changed = 0;
  for (unsigned n = 0; n < 20000; n++) {
    uint8_t before[300], after[300];
    const unsigned len = 80 + test_random(&seed) % 200, ihl = 5 + test_random(&seed) % 3;
    data_frame(before, len, ROW, test_random(&seed));
    for (unsigned i = 18; i < len; i++) before[i] = (uint8_t)test_random(&seed);
    const bool udp = test_random(&seed) % 2;
    const unsigned start = 18 + 4 * ihl, at = start + (udp ? 6 : 16), room = len - 18 - 4 * ihl;
    const unsigned total = 4 * ihl + (room < 24 ? room : 24 + test_random(&seed) % (room - 23));
    before[18] = (uint8_t)(0x40 | ihl);
    sluice_put16(before + 20, total);
    sluice_put16(before + 24, 0x2000u * (test_random(&seed) % 3));
    before[27] = udp ? 17 : 6;
    memset(before + 38, 1, 4 * ihl - 20);  // options: NOPs
    unsigned end = 18 + total;
    if (udp) {
      if (test_random(&seed) % 3 == 0) end = at + 2 + test_random(&seed) % (end - at - 1);
      sluice_put16(before + start + 4, end - start);
    }
    sluice_put16(before + 28, full_ip(before));
    unsigned l4 = full_l4(before, at);
    if (udp && l4 == 0) l4 = 0xffff;
    sluice_put16(before + at, l4);
    // Changes of address, ports, payload, TTL; not of what steers, nor of a checksum.
    memcpy(after, before, len);
    const unsigned reach = end < 128 ? end : 128;
    for (unsigned i = test_random(&seed) % 5; i > 0; i--) {
      unsigned where = test_random(&seed) % 3 == 0 ? 30 + test_random(&seed) % 8
                                                   : start + test_random(&seed) % (reach - start);
      if (test_random(&seed) % 8 == 0) where = 26;
      if (test_random(&seed) % 4 == 0) where = reach - 1;
      if (where == at || where == at + 1) continue;
      if (udp && (where == start + 4 || where == start + 5)) continue;
      after[where] = (uint8_t)test_random(&seed);
    }
    for (unsigned i = end; i < len && i < end + 2; i++) after[i] ^= 0x5a;  // behind the datagram
    uint8_t expected[300];
    memcpy(expected, after, len);
    sluice_put16(expected + 28, full_ip(expected));
    l4 = full_l4(expected, at);
    if (udp && l4 == 0) l4 = 0xffff;
    sluice_put16(expected + at, l4);
    changed += memcmp(before, expected, len) != 0;
    model_checksums(3, before, len, after);
    assert_memory_equal(after, expected, len);
  }
  assert_true(changed > 10000);
}

// The last octet of a datagram is the high half of a word, and the other half of this is 0,
// whatever stands there in the frame.
TEST(an_odd_octet_is_half_a_word) {
  for (unsigned n = 0; n < 4; n++) {
    const bool udp = n & 1, longer = n & 2;  // longer: the IPv4 packet goes on behind the datagram
    uint8_t before[80], after[80];
    memset(before, 0x11, sizeof before);
    sluice_put16(before + 16, 0x0800);
    before[18] = 0x45, before[27] = udp ? 17 : 6;
    sluice_put16(before + 20, udp && longer ? 62 : 47);  // the datagram ends with byte 64
    sluice_put16(before + 24, 0);
    sluice_put16(before + 42, 27);
    before[64] = 0x69;
    const unsigned at = udp ? 44 : 54;
    sluice_put16(before + at, 0xe05d);
    memcpy(after, before, sizeof after);
    after[64] = 0x12, after[65] = 0x22;
    model_checksums(2, before, sizeof before, after);
    assert_int_equal(after[at] << 8 | after[at + 1], 0x375e);
    memcpy(after, before, sizeof after);
    after[65] = 0x22;  // behind the datagram
    model_checksums(2, before, sizeof before, after);
    assert_int_equal(after[at] << 8 | after[at + 1], 0xe05d);
    // The frame ends in the middle of the word.
    memcpy(after, before, sizeof after);
    after[64] = 0x12;
    model_checksums(2, before, 65, after);
    assert_int_equal(after[at] << 8 | after[at + 1], 0x375e);
  }
}

// A checksum that no datagram of these lengths can have stays.
TEST(a_checksum_outside_of_its_datagram_stays) {
  static const struct {
    unsigned protocol, total, udp;
    bool stays;
  } of[] = {{17, 28, 8, false}, {17, 28, 7, true}, {17, 27, 8, true}, {17, 46, 0, true},
            {17, 0, 8, true},   {6, 38, 0, false}, {6, 37, 40, true}, {17, 46, 65535, false}};
  for (unsigned n = 0; n < sizeof of / sizeof of[0]; n++) {
    uint8_t before[64] = {0}, after[64];
    sluice_put16(before + 16, 0x0800);
    before[18] = 0x45, before[27] = (uint8_t)of[n].protocol;
    sluice_put16(before + 20, of[n].total);
    sluice_put16(before + 42, of[n].udp);
    const unsigned at = of[n].protocol == 17 ? 44 : 54;
    sluice_put16(before + at, 0x1234);
    memcpy(after, before, sizeof after);
    after[30] = 10;
    model_checksums(2, before, sizeof before, after);
    assert_int_equal(after[at] << 8 | after[at + 1], of[n].stays ? 0x1234 : 0x0834);
  }
}

// While a source route is not used up, the datagram is not for the address in the IPv4 header.
TEST(a_source_route_hides_the_destination) {
  static const struct {
    uint8_t options[12];
    bool hides;
  } of[] = {{{131, 7, 4, 10, 0, 0, 9}, true},
            {{131, 7, 8, 10, 0, 0, 9}, false},
            {{1, 137, 11, 8, 10, 0, 0, 9, 1}, true},
            {{1, 1, 1, 131, 7, 4}, true},
            {{7, 7, 4, 10, 0, 0, 9}, false},
            {{0, 131, 7, 4}, false},
            {{1, 1, 1, 1, 1, 1, 1, 1, 1, 131, 3, 4}, false},
            {{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 131, 7}, false}};
  for (unsigned n = 0; n < sizeof of / sizeof of[0]; n++) {
    uint8_t before[80] = {0}, after[80];
    sluice_put16(before + 16, 0x0800);
    before[18] = 0x48, before[27] = 17;
    sluice_put16(before + 20, 62);
    memcpy(before + 38, of[n].options, 12);
    sluice_put16(before + 54, 30);
    sluice_put16(before + 56, 0x1234);
    memcpy(after, before, sizeof after);
    after[34] = 10;
    model_checksums(2, before, sizeof before, after);
    assert_int_equal(sluice_get16(after + 56), of[n].hides ? 0x1234 : 0x0834);
    memcpy(after, before, sizeof after);
    after[30] = 10;  // the source
    model_checksums(2, before, sizeof before, after);
    assert_int_equal(sluice_get16(after + 56), 0x0834);
  }
}

TEST(options_of_the_row_choose_the_checksums) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("tiny");
  struct entry p = {{0}}, d = {{0}};
  entry_action(&p, 0, parse_action(0, 0, B4, 1));
  entry_action(&p, 1, parse_action(0, 4, B4, 1) & ~1u);  // not in use
  put(m, SLUICE_TABLE_PARSER, 0, ROW, &p);
  entry_action(&d, 0, parse_action(0, 30, B4, 1));        // the source address
  entry_action(&d, 1, parse_action(0, 64, B4, 1) & ~1u);  // not in use
  put(m, SLUICE_TABLE_DEPARSER, 0, ROW, &d);
  uint8_t frame[80];
  data_frame(frame, 80, ROW, 1);
  sluice_put16(frame + 20, 62), sluice_put16(frame + 24, 0), sluice_put16(frame + 42, 42);
  sluice_put16(frame + 28, full_ip(frame)), sluice_put16(frame + 44, full_l4(frame, 44));
  for (unsigned options = 0; options < 4; options++) {
    struct entry o = ENTRY_OF(DEPARSE_OPT, (IP_CHECKSUM, options & 1), (L4_CHECKSUM, options >> 1));
    put(m, SLUICE_TABLE_DEPARSE_OPT, 0, ROW, &o);
    const struct sluice_model_packet packet = {frame, 80, 0, 0, 0, NULL, 0};
    struct sluice_model_phv phv;
    struct sluice_model_result r;
    sluice_model_front(m, &packet, &phv);
    sluice_model_admit(m, &packet, &phv, &r);
    uint8_t expected[80];
    memcpy(expected, frame, 80);
    memcpy(expected + 30, frame, 4);
    if (options & 1) sluice_put16(expected + 28, full_ip(expected));
    if (options & 2) sluice_put16(expected + 44, full_l4(expected, 44));
    assert_memory_equal(r.header, expected, 80);
  }
}

TEST(checksums_stay_when_they_should) {
  uint8_t before[128], after[128];
  data_frame(before, 128, ROW, 0);
  sluice_put16(before + 20, 100);
  sluice_put16(before + 24, 0);
  sluice_put16(before + 44, 0);  // UDP without a checksum
  memcpy(after, before, 128);
  after[60] ^= 0x55;
  model_checksums(2, before, 128, after);
  assert_int_equal(sluice_get16(after + 44), 0);
  sluice_put16(before + 44, 0x1234), sluice_put16(after + 44, 0x1234);
  sluice_put16(before + 24, 0x0001), sluice_put16(after + 24, 0x0001);  // a later fragment
  model_checksums(2, before, 128, after);
  assert_int_equal(sluice_get16(after + 44), 0x1234);
  sluice_put16(before + 24, 0), sluice_put16(after + 24, 0);
  before[18] = 0x65;  // not version 4; what the deparser writes there does not count
  model_checksums(3, before, 128, after);
  assert_int_equal(sluice_get16(after + 44), 0x1234);
  before[18] = 0x45;
  model_checksums(2, before, 128, after);
  assert_true(sluice_get16(after + 44) != 0x1234);
}

TEST(marks_set_ce_and_keep_the_checksum_right) {
  struct sluice_model *m CLOSED_BY(close_model) = open_model("tiny");
  struct entry p = {{0}}, d = {{0}};
  entry_action(&p, 0, parse_action(0, 64, SLUICE_TYPE_B2, 0));
  put(m, SLUICE_TABLE_PARSER, 0, ROW, &p);
  entry_action(&d, 0, parse_action(0, 18, SLUICE_TYPE_B2, 0));  // version, IHL, DSCP, ECN
  put(m, SLUICE_TABLE_DEPARSER, 0, ROW, &d);
  for (unsigned n = 0; n < 64; n++) {
    const unsigned ecn = n & 3, arrives = n >> 2 & 3, version = n & 16 ? 6 : 4, mark = n >> 5;
    uint8_t frame[80], expected[80];
    data_frame(frame, 80, ROW, n);
    frame[18] = (uint8_t)(version << 4 | 5);
    frame[19] = (uint8_t)(0xb8 | arrives);
    sluice_put16(frame + 64, 0x4500 | 0xb8 | ecn);  // what the program makes of bytes 18 and 19
    memcpy(expected, frame, 80);
    memcpy(expected + 18, frame + 64, 2);
    sluice_put16(expected + 28, full_ip(expected));  // right for what the program writes
    memcpy(frame + 28, expected + 28, 2);
    const bool set = mark && version == 4 && (ecn == 1 || ecn == 2);
    if (set) {
      expected[19] |= 3;
      sluice_put16(expected + 28, full_ip(expected));
    }
    const struct sluice_model_packet packet = {frame, 80, 0, 0, 0, NULL, 0};
    struct sluice_model_phv phv;
    struct sluice_model_result r;
    sluice_model_front(m, &packet, &phv);
    phv.mark = mark;
    sluice_model_admit(m, &packet, &phv, &r);
    assert_int_equal(r.congestion, set);
    assert_memory_equal(r.header, expected, 80);
  }
}

// The ECN field of IPv6 is bits 5:4 of byte 19; what is behind it stays.
TEST(marks_set_ce_in_ipv6) {
  for (unsigned n = 0; n < 16; n++) {
    const unsigned ecn = n & 3, version = n & 4 ? 4 : 6, type = n & 8 ? 0x0800 : 0x86dd;
    uint8_t before[128], header[128], expected[128];
    for (unsigned i = 0; i < 128; i++) before[i] = (uint8_t)(i * 7 + n);
    sluice_put16(before + 16, type);
    before[18] = (uint8_t)(version << 4 | 4);  // as IPv4 its header would be too short
    memcpy(header, before, 128);
    header[19] = (uint8_t)(0xc5 | ecn << 4);
    memcpy(expected, header, 128);
    const bool set = version == 6 && type == 0x86dd && (ecn == 1 || ecn == 2);
    if (set) expected[19] = 0xf5;
    assert_int_equal(model_congestion(before, header), set);
    assert_memory_equal(header, expected, 128);
  }
}
