// SPDX-License-Identifier: Apache-2.0
// Damaged packets of all lengths that a capture may have, in buffers that are no byte too large:
// the sanitizer sees a write behind the end.
#include "tests/rig/test.h"
#include "lib/damage.h"

enum { ROUNDS = 60, LONGEST = 65544 };

TEST(a_packet_of_any_length_stays_inside_its_room) {
  static const size_t lengths[] = {1,    2,    17,   63,   64,   65,    1518,
                                   9215, 9216, 9280, 9281, 9282, 20000, LONGEST};
  struct sluice_rng rng;
  unsigned longer = 0, shorter = 0, marked = 0, gaps = 0, as_long = 0;
  sluice_rng_init(&rng, 1, "damage");
  for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++)
    for (unsigned k = 0; k < ROUNDS; k++) {
      const size_t len = lengths[n],
                   room = len < SLUICE_DAMAGE_ROOM ? (size_t)SLUICE_DAMAGE_ROOM : len;
      uint8_t *bytes CLOSED_BY(freed) = malloc(room);
      assert_non_null(bytes);
      memset(bytes, 0x5a, room);
      const struct sluice_damage d = sluice_damage(&rng, bytes, len, room);
      assert_in_range(d.len, 1, room);
      if (d.len > len) assert_true(d.len == SLUICE_DAMAGE_ROOM || d.len < 64);
      if (d.len == SLUICE_DAMAGE_ROOM && len < d.len) {
        for (size_t i = len; i < d.len; i++) assert_int_equal(bytes[i], 0);
        longer++;
      }
      // The chip takes at most SLUICE_FRAME_MAX bytes: who is longer is never made shorter by it.
      as_long += len > SLUICE_FRAME_MAX && d.len == len;
      shorter += d.len < len;
      marked += d.mark_bad;
      gaps += d.gap_at != SIZE_MAX;
      if (d.gap_at != SIZE_MAX) assert_in_range(d.gap_at, 0, len - 1);
    }
  assert_true(longer > 20 && shorter > 100 && marked > 20 && gaps > 20 && as_long > 50);
}
