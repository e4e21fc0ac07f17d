// SPDX-License-Identifier: Apache-2.0
// The serial line, on a pipe.
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "tests/rig/test.h"
#include "base/now.h"
#include "transport/line.h"
#include "transport/wire.h"

static volatile sig_atomic_t alarms;
// What a test waits for comes at the third alarm: a byte into its pipe, or a reader of it.
static const int *writes, *reads;
static void on_alarm(int number) {
  static char bytes[65536];
  (void)number;
  if (++alarms != 3) return;
  if (writes) (void)!write(*writes, bytes, 1);
  if (reads) (void)!read(*reads, bytes, sizeof bytes);
}

// A signal every 20 ms, as a program with a timer has it.
static void start_alarms(const int *to_write, const int *to_read) {
  struct sigaction action = {.sa_handler = on_alarm};
  sigemptyset(&action.sa_mask);
  sigaction(SIGALRM, &action, NULL);
  const struct itimerval often = {{0, 20000}, {0, 20000}};
  alarms = 0, writes = to_write, reads = to_read;
  setitimer(ITIMER_REAL, &often, NULL);
}
static void stop_alarms(void) {
  const struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &never, NULL);
}

TEST(a_signal_is_no_silence) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  struct line line = {.fd = ends[0], .leash = -1, .name = "pipe"};
  uint8_t byte;
  size_t got;
  start_alarms(&ends[1], NULL);
  assert_int_equal(line_read(&line, &byte, 1, 5.0, &got, NULL), SLUICE_OK);
  stop_alarms();
  assert_int_equal(got, 1);
  assert_true(alarms >= 3);
  close(ends[0]);
  close(ends[1]);
}

TEST(a_signal_does_not_end_a_write) {
  int ends[2];
  static uint8_t bytes[200000];
  assert_int_equal(pipe(ends), 0);
  struct line line = {.fd = ends[1], .leash = -1, .name = "pipe"};
  size_t room = 0;
  while (room < 65536) room += (size_t)write(ends[1], bytes, 4096);  // full
  start_alarms(NULL, &ends[0]);
  assert_int_equal(line_write(&line, bytes, 1, 5.0, NULL), SLUICE_OK);
  stop_alarms();
  assert_true(alarms >= 3);
  close(ends[0]);
  close(ends[1]);
}

TEST(silence_ends_in_time) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  struct line line = {.fd = ends[0], .leash = -1, .name = "pipe"};
  uint8_t byte;
  size_t got;
  start_alarms(NULL, NULL);
  const double from = sluice_now();
  assert_int_equal(line_read(&line, &byte, 1, 0.2, &got, NULL), SLUICE_OK);
  const double seconds = sluice_now() - from;
  stop_alarms();
  assert_int_equal(got, 0);
  assert_true(seconds >= 0.19 && seconds < 4.0);
  close(ends[0]);
  close(ends[1]);
}

// Eight bytes at once give what a bit at a time gives: the check of HDLC, whose value for
// "123456789" is 0x906e. Frames come back, whatever bytes they hold and however they are cut.
TEST(frames_have_the_check_of_hdlc) {
  static struct wire_decoder decoder;
  static struct wire_frame frame;
  uint8_t out[300], payload[100];
  const size_t known = wire_encode(out, '1', '2', '3', (const uint8_t *)"456789", 6);
  assert_int_equal(known, 13);
  assert_int_equal(out[10], 0x6e);
  assert_int_equal(out[11], 0x90);
  for (unsigned len = 0; len <= sizeof payload; len++) {
    unsigned crc = 0xffff;
    for (unsigned i = 0; i < len; i++) payload[i] = (uint8_t)(i * i * 31 + len * 7);
    const uint8_t head[] = {WIRE_PACKET, (uint8_t)len, 5};
    for (unsigned i = 0; i < 3 + len; i++) {
      crc ^= i < 3 ? head[i] : payload[i - 3];
      for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ 0x8408 : crc >> 1;
    }
    crc ^= 0xffff;
    const size_t size = wire_encode(out, head[0], head[1], head[2], payload, len);
    bool whole = false;
    for (size_t i = 0, took; i < size; i += took)
      whole |= wire_decode_some(&decoder, out + i, size - i < 7 ? size - i : 7, &took, &frame);
    assert_true(whole);
    FIELDS_ARE(&frame, (kind, WIRE_PACKET), (len, len));
    assert_memory_equal(frame.payload, payload, len);
    assert_int_equal(decoder.bytes[3 + len], crc & 0xff);
    assert_int_equal(decoder.bytes[4 + len], crc >> 8);
  }
  assert_int_equal(decoder.broken, 0);
}

// Eight bytes of a frame are looked at together: flags and escapes are found at each place among
// them, and beside bytes that differ from them by one bit, in frames taken whole or in pieces.
TEST(flags_are_found_at_each_place) {
  static const uint8_t others[] = {0x00, 0x7f, 0x7c, 0x80, 0xfe, 0xfd, 0x5e, 0xff};
  static struct wire_decoder decoder;
  static struct wire_frame frame;
  static uint8_t out[2 * 48 + 20];
  uint8_t payload[48];
  unsigned num = 0;
  for (unsigned other = 0; other < sizeof others; other++)
    for (unsigned first = 0; first < 24; first++)
      for (unsigned second = first; second < first + 10; second++)
        for (unsigned piece = 1; piece <= sizeof out; piece += piece < 20 ? 6 : 96) {
          memset(payload, others[other], sizeof payload);
          payload[first] = WIRE_FLAG;
          payload[second] ^= WIRE_ESCAPE ^ others[other];
          const size_t size = wire_encode(out, WIRE_PACKET, num++, 0, payload, sizeof payload);
          assert_true(size <= wire_size(sizeof payload));
          assert_null(memchr(out + 1, WIRE_FLAG, size - 2));
          bool whole = false;
          for (size_t i = 0, took; i < size; i += took) {
            const size_t here = size - i < piece ? size - i : piece;
            whole |= wire_decode_some(&decoder, out + i, here, &took, &frame);
            assert_in_range(took, 1, here);
          }
          assert_true(whole);
          assert_int_equal(frame.len, sizeof payload);
          assert_memory_equal(frame.payload, payload, sizeof payload);
        }
  assert_int_equal(decoder.broken, 0);
}
