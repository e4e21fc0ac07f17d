// SPDX-License-Identifier: Apache-2.0
// Tables of a program on a chip (the reference model): loaded with their constant entries, changed
// by names, removed; what packets find is what a list of entries says.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <sluice/sluice.h>
// clang-format on

#include "base/rng.h"
#include "driver/chip.h"
#include "says.h"
#include "table_rig.h"
#include "wrapped.h"

enum { VID = 5 };

struct life {
  struct sluice_transport to;
  struct sluice_chip *chip;
};

static void begin(struct life *l, const char *chip) {
  memset(l, 0, sizeof *l);
  GOOD(sluice_transport_model(&l->to, chip, NULL, &error));
  GOOD(sluice_chip_open(&l->chip, &l->to, NULL, &error));
}
static void end(struct life *l) {
  GOOD(sluice_chip_audit(l->chip, &error));
  sluice_chip_close(l->chip);
  sluice_transport_close(&l->to);
}

// The marks of a packet, and its port.
static unsigned ask(struct life *l, unsigned vid, uint32_t dst, unsigned dport,
                    uint32_t marks[RIG_TABLES]) {
  uint8_t bytes[RIG_FRAME];
  static struct sluice_packet_out out;
  rig_frame(bytes, vid, dst, dport);
  GOOD(l->to.ops->packet_send(l->to.self, 1, bytes, sizeof bytes, &error));
  GOOD(l->to.ops->packet_receive(l->to.self, &out, &error));
  if (!out.len) fail_msg("a packet of VLAN %u is lost", vid);
  for (unsigned s = 0; s < RIG_TABLES; s++) marks[s] = rig_mark(out.bytes, s);
  return out.port;
}

static enum sluice_status words(struct life *l, enum sluice_table_op op, const char *table,
                                const char *text, struct sluice_table_change *change) {
  static char copy[400];
  const char *list[SLUICE_TABLE_WORDS];
  unsigned num = 0;
  snprintf(copy, sizeof copy, "%s", text);
  for (char *at = strtok(copy, " "); at; at = strtok(NULL, " ")) list[num++] = at;
  return sluice_table_parse(sluice_chip_plan(l->chip), VID, table, op, list, num, change, &error);
}

static enum sluice_status change(struct life *l, enum sluice_table_op op, const char *table,
                                 const char *text) {
  struct sluice_table_change c;
  const enum sluice_status status = words(l, op, table, text, &c);
  return status ? status : sluice_chip_table_change(l->chip, &c, 1, NULL, NULL, &error);
}
#define ADD(TABLE, TEXT) GOOD(change(&l, SLUICE_TABLE_ADD, TABLE, TEXT))

static void entries_are_found_and_the_best_one_wins(void **state) {
  struct life l;
  uint32_t m[RIG_TABLES];
  (void)state;
  begin(&l, "tables");
  struct sluice_image image = rig_image("tables");
  rig_entry(&image, RIG_ROUTE, 0, 0x0a000000, 8, 3, 80);
  rig_entry(&image, RIG_HOST, 1, 0x0a000001, 32, 0, 0);
  GOOD(sluice_chip_load(l.chip, &image, VID, &error));
  sluice_image_release(&image);
  assert_int_equal(ask(&l, VID, 0x0a000001, 7, m), 3);
  assert_true(m[RIG_ROUTE] == 80 && m[RIG_HOST] == RIG_DROP && m[RIG_ACL] == RIG_MISS);
  assert_int_equal(ask(&l, VID, 0x0b000001, 7, m), 0);
  assert_true(m[RIG_ROUTE] == RIG_MISS && m[RIG_HOST] == RIG_MISS);
  ADD("route", "10.1.0.0/16 forward port=2 mark=81");
  ADD("route", "_ drop");
  ADD("host", "10.1.2.3 forward mark=82 port=1");
  ADD("acl", "_ 0x50 priority=7 forward port=1 mark=83");
  ADD("acl", "10.0.0.0&&&255.0.0.0 _ priority=3 drop");
  assert_int_equal(ask(&l, VID, 0x0a010203, 80, m), 1);
  assert_true(m[RIG_ROUTE] == 81 && m[RIG_HOST] == 82 && m[RIG_ACL] == RIG_DROP);
  assert_int_equal(ask(&l, VID, 0x0c010203, 80, m), 1);
  assert_true(m[RIG_ROUTE] == RIG_DROP && m[RIG_HOST] == RIG_MISS && m[RIG_ACL] == 83);
  GOOD(change(&l, SLUICE_TABLE_MODIFY, "route", "10.1.0.0/16 drop"));
  GOOD(change(&l, SLUICE_TABLE_DELETE, "acl", "10.0.0.0/8 _ priority=3"));
  GOOD(change(&l, SLUICE_TABLE_DEFAULT, "host", "forward port=2 mark=99"));
  assert_int_equal(ask(&l, VID, 0x0a010204, 80, m), 2);
  assert_true(m[RIG_ROUTE] == RIG_DROP && m[RIG_HOST] == 99 && m[RIG_ACL] == 83);
  GOOD(sluice_chip_audit(l.chip, &error));
  GOOD(sluice_chip_remove(l.chip, VID, &error));
  end(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(entries_are_found_and_the_best_one_wins),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
