// SPDX-License-Identifier: Apache-2.0
// The host side of the simulator's pins, without a chip.

#include "tests/rig/test.h"
#include "driver/wire/wire.h"
#include "host.h"

struct rig {
  struct pins_out out;
  struct pins_in in;
  struct host host;
  struct sluice_answer answer;
  struct sluice_error error;
  enum sluice_status status;
};

static void receive(void *context) {
  struct rig *rig = context;
  rig->status = host_receive(&rig->host, rig->answer.bytes, sizeof rig->answer.bytes,
                             &rig->answer.len, &rig->error);
}

// Plays an answer of so many bytes; byte n is n modulo 251.
static void answer_of(struct rig *rig, size_t len) {
  struct coroutine *script = coroutine_new(receive, rig);
  assert_non_null(script);
  rig->host =
      (struct host){.coroutine = script, .beat_bytes = 64, .out = &rig->out, .in = &rig->in};
  size_t at = 0;
  for (bool more = coroutine_resume(script); more; more = coroutine_resume(script)) {
    struct beat *b = &rig->out.ctl_tx;
    assert_true(rig->in.ctl_tx_ready);
    b->valid = at < len;
    b->last = at + 64 >= len;
    for (size_t i = 0; i < 64; i++) b->data[i] = (uint8_t)((at + i) % 251);
    at += 64;
  }
  coroutine_free(script);
}

TEST(takes_the_longest_answer) {
  // 128 rows of ACTION, each in 128 bytes: a chip with MatchEntries of at least 128 answers so.
  static struct rig rig;
  answer_of(&rig, 64 + 128 * 128);
  FIELDS_ARE(&rig, (status, SLUICE_OK), (answer.len, 16448));
  for (size_t i = 0; i < rig.answer.len; i++) assert_int_equal(rig.answer.bytes[i], i % 251);
}

TEST(refuses_a_longer_one) {
  static struct rig rig;
  answer_of(&rig, 64 + 128 * 128 + 64);
  assert_int_equal(rig.status, SLUICE_ERR_FORMAT);
  assert_non_null(strstr(rig.error.text, "longer than 16448 bytes"));
}

static void waits(void *context) {
  struct rig *rig = context;
  host_wait_many(&rig->host, 0);
  host_wait_many(&rig->host, 5);
  host_wait(&rig->host);
  host_wait_many(&rig->host, 1);
}

// Many cycles are one entry of the script, and no cycle more or less.
TEST(many_cycles_pass_at_once) {
  static struct rig rig;
  unsigned cycles = 0, entries = 0;
  struct coroutine *script = coroutine_new(waits, &rig);
  assert_non_null(script);
  rig.host = (struct host){.coroutine = script, .out = &rig.out, .in = &rig.in};
  for (bool more = true; more && cycles < 100; cycles++)
    if (host_turn(&rig.host)) {
      more = coroutine_resume(script);
      entries++;
    }
  assert_int_equal(cycles, 1 + 5 + 1 + 1);
  assert_int_equal(entries, 4);
  coroutine_free(script);
}
