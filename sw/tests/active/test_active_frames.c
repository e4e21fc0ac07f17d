// SPDX-License-Identifier: Apache-2.0
// Capsules in frames: bytes at their places, every kind there and back, what leaves, and any bytes.

#include "tests/rig/test.h"
#include "active/capsule.h"
#include "base/rng.h"

// The frame of docs/active.md: a cache read for FID 1 with a tag, its IPv4 packet cut behind the
// ports.
static const uint8_t example[] = {
    0x02, 0,    0,    0,    0,    2,    0x02, 0,    0,    0,    0,    1,     // Ethernet
    0x81, 0x00, 0x00, 0x01, 0x83, 0xb2,                                      // tag, EtherType
    0x12, 0x34, 0x56, 0x78, 0x80, 0x00, 0x00, 0x01, 0x00, 0x2a,              // initial header
    0,    0,    0,    13,   0,    0,    0xaa, 0xaa, 0,    0,    0xbb, 0xbb,  // arguments
    0,    0,    0,    0,                                                     //
    0x00, 0x0f, 0x00, 0x29, 0x00, 0x0b, 0x00, 0x02, 0x00, 0x00,              // instructions, EOF
    0x45, 0,    0,    32,   0,    0,    0,    0,    64,   17,   0,    0,     // IPv4
    10,   0,    0,    1,    10,   0,    0,    2,    0x12, 0x34, 0x00, 0x50,  // UDP
    0,    12,   0,    0,    1,    2,    3,    4};
enum { INNER = 54 };

TEST(fields_stand_where_they_should) {
  struct capsule c;
  assert_true(capsule_is(example, sizeof example));
  assert_int_equal(capsule_read(&c, example, sizeof example, NULL), SLUICE_OK);
  assert_true(c.tagged && c.tci == 1 && c.kind == CAPSULE_IS_PROGRAM);
  assert_true(c.flags == CAPSULE_ARGS && c.fid == 1 && c.seq == 42);
  assert_true(c.args.data[0] == 13 && c.args.data[1] == 0xaaaa && c.args.data[2] == 0xbbbb);
  assert_true(c.program.num == 4 && c.program.instrs[1].opcode == SLUICE_OPCODE_MEM_READ);
  assert_int_equal(c.inner, INNER);
  // The same without a tag.
  uint8_t plain[sizeof example - 4];
  memcpy(plain, example, 12);
  memcpy(plain + 12, example + 16, sizeof plain - 12);
  assert_int_equal(capsule_read(&c, plain, sizeof plain, NULL), SLUICE_OK);
  assert_true(!c.tagged && c.fid == 1 && c.inner == INNER - 4 && c.program.num == 4);
  uint8_t out[200];
  size_t len;
  assert_int_equal(
      capsule_write(&c, plain + c.inner, sizeof plain - c.inner, out, sizeof out, &len, NULL),
      SLUICE_OK);
  assert_int_equal(len, sizeof plain);
  assert_memory_equal(out, plain, len);
  struct active_capsule run;
  struct active_packet packet = {.port = 5};
  capsule_to_run(&c, plain, sizeof plain, CAPSULE_REACH, &run, &packet);
  assert_true(packet.port == 5 && packet.source == 0x0a000001 && packet.dest == 0x0a000002);
  assert_true(packet.sport == 0x1234 && packet.dport == 80 && run.fid == 1 && !run.preload);
  // What is out of reach, or behind the end, reads 0.
  capsule_to_run(&c, plain, sizeof plain, c.inner + 15, &run, &packet);
  assert_true(packet.source == 0x0a000000 && packet.dest == 0 && packet.sport == 0);
  capsule_to_run(&c, plain, c.inner + 21, CAPSULE_REACH, &run, &packet);
  assert_true(packet.dest == 0x0a000002 && packet.sport == 0x1200 && packet.dport == 0);
}

TEST(what_is_no_capsule_is_refused) {
  struct capsule c;
  struct sluice_error error;
  uint8_t frame[sizeof example];
  // Cut short anywhere before the IPv4 packet; behind that the capsule is whole.
  for (size_t len = 0; len <= sizeof example; len++) {
    memset(&error, 0, sizeof error);
    uint8_t *exact CLOSED_BY(freed) = malloc(len + 1);
    memcpy(exact, example, len);
    assert_int_equal(capsule_read(&c, exact, len, &error),
                     len < INNER ? SLUICE_ERR_FORMAT : SLUICE_OK);
    assert_int_equal(error.text[0] != 0, len < INNER);
  }
  memcpy(frame, example, sizeof frame);
  frame[17] ^= 1;
  assert_false(capsule_is(frame, sizeof frame));
  assert_int_equal(capsule_read(&c, frame, sizeof frame, &error), SLUICE_ERR_FORMAT);
  assert_non_null(strstr(error.text, "no EtherType 83b2"));
  frame[17] ^= 1;
  frame[18] = 0x13;
  assert_int_equal(capsule_read(&c, frame, sizeof frame, &error), SLUICE_ERR_FORMAT);
  assert_string_equal(error.text, "the signature of the capsule is 13345678, not 12345678");
}

TEST(every_kind_comes_back) {
  static const struct {
    uint16_t flags;
    enum capsule_kind kind;
    size_t body;
  } all[] = {{0, CAPSULE_IS_PROGRAM, 16 + 6},
             {0x30, CAPSULE_IS_PROGRAM, 16 + 6},
             {CAPSULE_ARGS | CAPSULE_PRELOAD | CAPSULE_ALLOCATED, CAPSULE_IS_PROGRAM, 16 + 6},
             {CAPSULE_DONE, CAPSULE_IS_DONE, 0},
             {CAPSULE_DONE | CAPSULE_ARGS, CAPSULE_IS_DONE, 16},
             {CAPSULE_REQUEST, CAPSULE_IS_REQUEST, 19},
             {CAPSULE_REQUEST | CAPSULE_DONE, CAPSULE_IS_REQUEST, 19},
             {CAPSULE_POLL | CAPSULE_PENDING, CAPSULE_IS_POLL, 0},
             {CAPSULE_POLL | CAPSULE_ALLOCATED, CAPSULE_IS_ANSWER, 160},
             {CAPSULE_REQUEST | CAPSULE_EXTRA, CAPSULE_IS_REQUEST, 19},
             {CAPSULE_POLL | CAPSULE_EXTRA, CAPSULE_IS_WORDS, 18},
             {CAPSULE_POLL | CAPSULE_EXTRA | CAPSULE_ALLOCATED, CAPSULE_IS_WORDS, 18 + 8}};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    struct capsule c = {.tagged = i & 1, .tci = 3, .flags = all[i].flags, .fid = 300, .seq = 9}, d;
    c.args = (struct active_args){{1, 2, 3, 0xffffffff}};
    c.program = (struct active_program){2, {{1, 2}, {3, 4}}};
    c.request = (struct capsule_request){
        11, 7, 3, {1, 4, 8}, {1, 2, 3}, {false, !!(c.flags & CAPSULE_EXTRA)}};
    c.words = (struct capsule_words){3, 2, 9, 70, 200, 1000, {5, 6}};
    for (unsigned s = 0; s < 20; s++) c.ranges[s] = (struct capsule_range){s, s + 1000, s % 3 == 1};
    uint8_t frame[400], again[400];
    size_t len, len_again;
    assert_int_equal(capsule_write(&c, (const uint8_t *)"abc", 3, frame, sizeof frame, &len, NULL),
                     SLUICE_OK);
    assert_int_equal(len, (i & 1 ? 18u : 14u) + 10 + all[i].body + 3);
    assert_int_equal(capsule_read(&d, frame, len, NULL), SLUICE_OK);
    assert_true(d.kind == all[i].kind && d.kind == capsule_kind(c.flags) && d.fid == 300 &&
                d.seq == 9);
    assert_memory_equal(frame + d.inner, "abc", 3);
    if (d.kind == CAPSULE_IS_REQUEST) assert_memory_equal(&c.request, &d.request, sizeof c.request);
    if (d.kind == CAPSULE_IS_ANSWER) assert_memory_equal(&c.ranges, &d.ranges, sizeof c.ranges);
    if (d.kind == CAPSULE_IS_WORDS && d.flags & CAPSULE_ALLOCATED)
      assert_memory_equal(&c.words, &d.words, sizeof c.words);
    assert_int_equal(capsule_write(&d, frame + d.inner, 3, again, sizeof again, &len_again, NULL),
                     SLUICE_OK);
    assert_int_equal(len, len_again);
    assert_memory_equal(frame, again, len);
    assert_int_equal(capsule_write(&c, frame, 3, again, len - 1, &len_again, NULL),
                     SLUICE_ERR_FULL);
  }
}

TEST(requests_are_made_of_programs) {
  struct active_memidx m = {3, {0, 3, 7}, 6};
  struct capsule_request r;
  struct sluice_error error;
  assert_int_equal(capsule_ask(&r, &m, 13, (const uint8_t *)"\1\1\1", &error), SLUICE_OK);
  assert_true(r.length == 13 && r.ingress_limit == 6 && r.num == 3 && r.position[2] == 7 &&
              r.demand[2] == 1);
  assert_int_equal(capsule_ask(&r, &m, 13, NULL, &error), SLUICE_OK);
  assert_int_equal(r.num, 0);
  assert_int_equal(capsule_ask(&r, &m, 13, (const uint8_t *)"\1\0\1", &error), SLUICE_ERR_RANGE);
  m = (struct active_memidx){.num = 9, .ingress_limit = -1};
  assert_int_equal(capsule_ask(&r, &m, 13, (const uint8_t *)"\1\1\1\1\1\1\1\1\1", &error),
                   SLUICE_ERR_RANGE);
  m.num = 0;
  assert_int_equal(capsule_ask(&r, &m, 2, (const uint8_t *)"", &error), SLUICE_OK);
  assert_int_equal(r.ingress_limit, CAPSULE_NO_LIMIT);
}

TEST(what_leaves_has_lost_its_instructions) {
  struct capsule c, d;
  uint8_t out[200];
  size_t len;
  assert_int_equal(capsule_read(&c, example, sizeof example, NULL), SLUICE_OK);
  struct active_leaving l = {
      .end = ACTIVE_END_RETURN, .done = true, .swapped = true, .consumed = 4};
  l.args = (struct active_args){{13, 0xaaaa, 0xbbbb, 0x1234}};
  assert_int_equal(
      capsule_leave(&c, example, sizeof example, CAPSULE_REACH, &l, out, sizeof out, &len, NULL),
      SLUICE_OK);
  assert_int_equal(len, sizeof example - 10);
  assert_int_equal(capsule_read(&d, out, len, NULL), SLUICE_OK);
  assert_true(d.kind == CAPSULE_IS_DONE && d.flags == (CAPSULE_ARGS | CAPSULE_DONE));
  assert_true(d.args.data[3] == 0x1234 && d.inner == INNER - 10);
  assert_memory_equal(out, example + 6, 6);
  assert_memory_equal(out + 6, example, 6);
  const uint8_t *ip = out + d.inner;
  assert_true(ip[12] == 10 && ip[15] == 2 && ip[19] == 1);
  assert_memory_equal(ip + 20, example + INNER + 20, sizeof example - INNER - 20);
  // The budget is over: the rest stays, and the fault is told.
  l = (struct active_leaving){
      .end = ACTIVE_END_BUDGET, .fault = true, .consumed = 3, .args = c.args};
  assert_int_equal(
      capsule_leave(&c, example, sizeof example, CAPSULE_REACH, &l, out, sizeof out, &len, NULL),
      SLUICE_OK);
  assert_int_equal(capsule_read(&d, out, len, NULL), SLUICE_OK);
  assert_true(d.flags == (CAPSULE_ARGS | CAPSULE_FAULT) && d.program.num == 1);
  assert_int_equal(d.program.instrs[0].opcode, SLUICE_OPCODE_RETURN);
  assert_memory_equal(out + d.inner, example + INNER, sizeof example - INNER);
  // Addresses that are not all within reach stay; Ethernet's change places. Short frames are
  // filled.
  l = (struct active_leaving){
      .end = ACTIVE_END_RETURN, .done = true, .swapped = true, .args = c.args};
  assert_int_equal(
      capsule_leave(&c, example, INNER + 20, INNER + 19, &l, out, sizeof out, &len, NULL),
      SLUICE_OK);
  assert_int_equal(len, 64);
  assert_memory_equal(out, example + 6, 6);
  assert_memory_equal(out + INNER - 10, example + INNER, 20);
  l.swapped = false;
  assert_int_equal(
      capsule_leave(&c, example, INNER + 12, CAPSULE_REACH, &l, out, sizeof out, &len, NULL),
      SLUICE_OK);
  static const uint8_t zeros[8] = {0};
  assert_int_equal(len, 64);
  assert_memory_equal(out + 56, zeros, 8);
  // Not executed: as it came. Without flag ARGS the arguments stay too.
  l = (struct active_leaving){.end = ACTIVE_END_NO_FID, .args = c.args};
  assert_int_equal(
      capsule_leave(&c, example, sizeof example, CAPSULE_REACH, &l, out, sizeof out, &len, NULL),
      SLUICE_OK);
  assert_int_equal(len, sizeof example);
  assert_memory_equal(out, example, len);
  c.flags = 0;
  l = (struct active_leaving){.end = ACTIVE_END_EOF, .done = true, .consumed = 4, .args = c.args};
  assert_int_equal(
      capsule_leave(&c, example, sizeof example, CAPSULE_REACH, &l, out, sizeof out, &len, NULL),
      SLUICE_OK);
  assert_int_equal(len, sizeof example - 10);
  assert_int_equal(capsule_leave(&c, example, sizeof example, CAPSULE_REACH, &l, out,
                                 sizeof example - 11, &len, NULL),
                   SLUICE_ERR_FULL);
}

TEST(flags_have_the_bits_of_the_layout) {
  static const struct {
    unsigned flag, lsb;
  } all[] = {{CAPSULE_ARGS, SLUICE_CAPSULE_ARGS_LSB},
             {CAPSULE_EXTRA, SLUICE_CAPSULE_EXTRA_LSB},
             {CAPSULE_RESET_SEQ, SLUICE_CAPSULE_RESET_SEQ_LSB},
             {CAPSULE_RTS, SLUICE_CAPSULE_RTS_LSB},
             {CAPSULE_MARKED, SLUICE_CAPSULE_MARKED_LSB},
             {CAPSULE_INITIATED, SLUICE_CAPSULE_INITIATED_LSB},
             {CAPSULE_ACK, SLUICE_CAPSULE_ACK_LSB},
             {CAPSULE_DONE, SLUICE_CAPSULE_DONE_LSB},
             {CAPSULE_FAULT, SLUICE_CAPSULE_FAULT_LSB},
             {CAPSULE_REMAPPED, SLUICE_CAPSULE_REMAPPED_LSB},
             {CAPSULE_REQUEST, SLUICE_CAPSULE_REQUEST_LSB},
             {CAPSULE_POLL, SLUICE_CAPSULE_REQUEST_MSB},
             {CAPSULE_ALLOCATED, SLUICE_CAPSULE_ALLOCATED_LSB},
             {CAPSULE_PENDING, SLUICE_CAPSULE_PENDING_LSB},
             {CAPSULE_LEADER, SLUICE_CAPSULE_LEADER_LSB},
             {CAPSULE_PRELOAD, SLUICE_CAPSULE_PRELOAD_LSB}};
  unsigned seen = 0;
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    assert_int_equal(all[i].flag, 1u << (all[i].lsb - 32));
    seen |= all[i].flag;
    const bool request = all[i].flag & (CAPSULE_REQUEST | CAPSULE_POLL);
    assert_int_equal(*capsule_flag_name((uint16_t)all[i].flag) == 0, request);
  }
  assert_int_equal(seen, 0xffff);
}

// Any bytes, and good frames with damage: read or refused, never behind the end. What is read and
// has nothing undefined comes back.
TEST(any_bytes_are_read_or_refused) {
  struct sluice_rng rng;
  const char *text = getenv("SLUICE_SEED");
  const uint64_t seed = text ? strtoull(text, NULL, 10) : 1;
  print_message("seed %llu\n", (unsigned long long)seed);
  sluice_rng_init(&rng, seed, "frames");
  unsigned good = 0;
  for (unsigned n = 0; n < 100000; n++) {
    const size_t len = sluice_rng_below(&rng, 300);
    uint8_t *frame CLOSED_BY(freed) = malloc(len + 1), again[700];
    for (size_t i = 0; i < len; i++)
      frame[i] = (uint8_t)(i < sizeof example ? example[i] : sluice_rng_next(&rng));
    if (len > 24 && n % 4) frame[23] = (uint8_t)sluice_rng_next(&rng);  // flags
    for (uint64_t damage = sluice_rng_below(&rng, 4); len && damage; damage--)
      frame[sluice_rng_below(&rng, len)] = (uint8_t)sluice_rng_next(&rng);
    if (n % 16 == 0)
      for (size_t i = 18; i < len; i++) frame[i] = (uint8_t)sluice_rng_next(&rng);
    struct capsule c;
    struct sluice_error error = {""};
    const enum sluice_status status = capsule_read(&c, frame, len, &error);
    assert_true(status ? error.text[0] != 0 : c.inner <= len);
    size_t len_again;
    if (!status) {
      good++;
      struct active_capsule run;
      struct active_packet packet = {0};
      capsule_to_run(&c, frame, len, CAPSULE_REACH, &run, &packet);
      const struct active_leaving l = {
          .done = n & 1, .swapped = n & 2, .consumed = (unsigned)(n % 9), .args = c.args};
      if (c.kind == CAPSULE_IS_PROGRAM)
        assert_int_equal(capsule_leave(&c, frame, len, n & 4 ? CAPSULE_REACH : CAPSULE_REACH_ALL,
                                       &l, again, sizeof again, &len_again, NULL),
                         SLUICE_OK);
      assert_int_equal(
          capsule_write(&c, frame + c.inner, len - c.inner, again, sizeof again, &len_again, NULL),
          SLUICE_OK);
      assert_int_equal(len_again, len);
      // Byte 0 of EOF, and what stands behind the last demand of a request, is not kept.
      if (c.kind == CAPSULE_IS_POLL || c.kind == CAPSULE_IS_DONE || c.kind == CAPSULE_IS_ANSWER)
        assert_memory_equal(frame, again, len);
    }
  }
  assert_true(good > 10000);
}
