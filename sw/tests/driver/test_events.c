// SPDX-License-Identifier: Apache-2.0
// Events: packets of the CPU port and of the other ports, each in their order, whoever is asked
// for first; a control plane that learns addresses by them, all on the reference model.

#include <sluice/event.h>

#include "tests/rig/test.h"
#include "base/bytes.h"
#include "base/rng.h"
#include "tests/rig/chip_rig.h"

enum { VID = 5, CPU = 3, TCI = 14, LEN = 64, WAIT_MOST = 1024 };

struct rig {
  struct sluice_transport to;
  struct sluice_chip *chip;
  struct sluice_error error;
};

static void good(struct rig *rig, enum sluice_status status) {
  if (status) fail_msg("%s", rig->error.text);
}

static void begin(struct rig *rig, const char *program) {
  memset(rig, 0, sizeof *rig);
  good(rig, sluice_transport_open(&rig->to, "model:tables", NULL, &rig->error));
  good(rig, sluice_chip_open(&rig->chip, &rig->to, NULL, &rig->error));
  struct sluice_image *image CLOSED_BY(freed) = compiled(program, "tables");
  assert_non_null(image);
  good(rig, sluice_chip_load(rig->chip, image, VID, &rig->error));
  sluice_image_release(image);
}
static void end(struct rig *rig) {
  sluice_chip_close(rig->chip);
  sluice_transport_close(&rig->to);
}

// A frame from address 02...`from` to 02...`to`, with a number in it.
static void frame_of(uint8_t *frame, unsigned to, unsigned from, unsigned number) {
  memset(frame, 0, LEN);
  frame[0] = frame[6] = 2;
  frame[5] = (uint8_t)to;
  frame[11] = (uint8_t)from;
  frame[12] = 0x81;
  frame[15] = VID;
  frame[16] = 0x88;
  frame[17] = 0xb5;
  sluice_put16(frame + 60, number);
}
static unsigned number_of(const struct sluice_packet_out *p) { return sluice_get16(p->bytes + 60); }
static void comes_in(struct rig *rig, unsigned port, unsigned to, unsigned from, unsigned number) {
  uint8_t frame[LEN];
  frame_of(frame, to, from, number);
  good(rig, rig->to.ops->packet_send(rig->to.self, port, frame, LEN, &rig->error));
}
static struct sluice_packet_out *event(struct rig *rig) {
  static struct sluice_packet_out packet;
  good(rig, sluice_chip_event(rig->chip, &packet, &rig->error));
  return &packet;
}
static struct sluice_packet_out *packet(struct rig *rig) {
  static struct sluice_packet_out other;
  good(rig, sluice_chip_packet(rig->chip, &other, &rig->error));
  return &other;
}

static void add(struct rig *rig, const char *table, const char *action, const char *argument,
                unsigned address, int port) {
  char key[20], second[4];
  const char *words[4];
  unsigned n = 0;
  struct sluice_table_change change;
  snprintf(key, sizeof key, "02:00:00:00:00:%02x", address);
  snprintf(second, sizeof second, "%d", port);
  words[n++] = key;
  if (!argument) words[n++] = second;
  words[n++] = action;
  if (argument) words[n++] = argument;
  good(rig, sluice_table_parse(sluice_chip_plan(rig->chip), VID, table, SLUICE_TABLE_SET, words, n,
                               &change, &rig->error));
  good(rig, sluice_chip_table_change(rig->chip, &change, 1, NULL, NULL, &rig->error));
}

// The control plane of docs/examples/learn.c, by calls of the library.
static void learn(struct rig *rig, const struct sluice_packet_out *p) {
  char port[12];
  const unsigned from = p->bytes[TCI] >> 5;
  snprintf(port, sizeof port, "port=%u", from);
  add(rig, "switching", "forward", port, p->bytes[11], 0);
  add(rig, "learned", "nothing", NULL, p->bytes[11], (int)from);
}

TEST(a_switch_learns) {
  struct rig rig CLOSED_BY(end);
  begin(&rig, "sw/programs/tables/l2.dom");
  assert_int_equal(sluice_chip_event(rig.chip, packet(&rig), &rig.error), SLUICE_ERR_UNSUPPORTED);
  assert_non_null(strstr(rig.error.text, "no CPU port"));
  assert_int_equal(sluice_chip_cpu_port(rig.chip, 64, &rig.error), SLUICE_ERR_RANGE);
  good(&rig, sluice_chip_cpu_port(rig.chip, CPU, &rig.error));
  assert_int_equal(event(&rig)->len, 0);

  // 1 at port 0 looks for 2, of which nobody knows: an event, and no packet elsewhere.
  comes_in(&rig, 0, 2, 1, 100);
  struct sluice_packet_out *p = event(&rig);
  FIELDS_ARE(p, (len, LEN), (port, CPU));
  assert_int_equal(number_of(p), 100);
  assert_int_equal(p->bytes[TCI] >> 5, 0);
  learn(&rig, p);
  assert_int_equal(packet(&rig)->len, 0);
  // The control plane sends it on to port 1.
  p->bytes[TCI] = (uint8_t)(1 << 5);
  good(&rig, sluice_chip_cpu_send(rig.chip, p->bytes, p->len, &rig.error));
  p = packet(&rig);
  assert_int_equal(p->port, 1);
  assert_int_equal(number_of(p), 100);
  // 2 answers from port 1: its source is an event; then both are known, and nothing is.
  comes_in(&rig, 1, 1, 2, 101);
  p = event(&rig);
  assert_int_equal(p->bytes[TCI] >> 5, 1);
  learn(&rig, p);
  comes_in(&rig, 0, 2, 1, 102);
  comes_in(&rig, 1, 1, 2, 103);
  assert_int_equal(event(&rig)->len, 0);
  p = packet(&rig);
  assert_true(p->port == 1 && number_of(p) == 102);
  p = packet(&rig);
  assert_true(p->port == 0 && number_of(p) == 103);
  assert_int_equal(packet(&rig)->len, 0);

  struct sluice_event_counts counts;
  sluice_chip_event_counts(rig.chip, &counts);
  FIELDS_ARE(&counts, (events, 2), (bytes, 2 * LEN));
  assert_int_equal(counts.lost_events + counts.lost_packets, 0);
  uint8_t small[LEN - 1] = {0};
  assert_int_equal(sluice_chip_cpu_send(rig.chip, small, sizeof small, &rig.error),
                   SLUICE_ERR_RANGE);
}

// Events and other packets in any mixture, asked for in any order: each kind comes whole and in its
// order.
TEST(each_in_its_order) {
  struct rig rig CLOSED_BY(end);
  struct sluice_rng rng;
  unsigned sent[2] = {0}, got[2] = {0};
  sluice_rng_init(&rng, 1, "events");
  begin(&rig, "sw/programs/tables/l2.dom");
  good(&rig, sluice_chip_cpu_port(rig.chip, CPU, &rig.error));
  add(&rig, "switching", "forward", "port=1", 2, 0);
  add(&rig, "learned", "nothing", NULL, 1, 0);
  for (unsigned n = 0; n < 20000; n++) {
    const unsigned kind = (unsigned)sluice_rng_below(&rng, 2);
    if (n < 18000 && sent[0] + sent[1] < got[0] + got[1] + 400) {
      // to an address that nobody knows: an event
      comes_in(&rig, 0, kind ? 9 : 2, 1, sent[kind]++);
      continue;
    }
    const struct sluice_packet_out *p = kind ? event(&rig) : packet(&rig);
    if (!p->len) continue;
    assert_int_equal(p->port, kind ? CPU : 1);
    assert_int_equal(number_of(p), got[kind]++);
  }
  for (const struct sluice_packet_out *p; (p = packet(&rig))->len;)
    assert_int_equal(number_of(p), got[0]++);
  for (const struct sluice_packet_out *p; (p = event(&rig))->len;)
    assert_int_equal(number_of(p), got[1]++);
  assert_true(got[0] > 4000 && got[1] > 4000);
  assert_int_equal(got[0], sent[0]);
  assert_int_equal(got[1], sent[1]);
}

// A shape with a port more than its lanes share evenly has a CPU port that nobody need declare.
TEST(the_cpu_port_of_the_shape) {
  static const char chip[] = "tables.NumPorts5";
  struct rig rig CLOSED_BY(end) = {.chip = NULL};
  good(&rig, sluice_transport_open(&rig.to, "model:tables.NumPorts5", NULL, &rig.error));
  good(&rig, sluice_chip_open(&rig.chip, &rig.to, &(struct sluice_chip_options){.chip = chip},
                              &rig.error));
  struct sluice_image *image =
      compiled_text("struct Packet { int in @ meta.port_in; int out @ meta.port_out; };\n"
                    "void f(struct Packet p) { p.out = p.in ^ 4; }\n",
                    chip);
  good(&rig, sluice_chip_load(rig.chip, image, VID, &rig.error));
  sluice_image_release(image);
  free(image);
  // Until somebody asks for events it is a port as any.
  comes_in(&rig, 0, 1, 2, 7);
  const struct sluice_packet_out *p = packet(&rig);
  assert_true(p->len == LEN && p->port == 4);
  comes_in(&rig, 0, 1, 2, 8);
  p = event(&rig);
  assert_true(p->len == LEN && p->port == 4);
  comes_in(&rig, 0, 1, 2, 9);
  assert_int_equal(packet(&rig)->len, 0);
  assert_int_equal(number_of(event(&rig)), 9);
  uint8_t frame[LEN];
  frame_of(frame, 1, 2, 10);
  good(&rig, sluice_chip_cpu_send(rig.chip, frame, LEN, &rig.error));
  p = packet(&rig);
  assert_true(p->port == 0 && number_of(p) == 10);
  // Another one can be declared.
  good(&rig, sluice_chip_cpu_port(rig.chip, 0, &rig.error));
  comes_in(&rig, 0, 1, 2, 11);
  p = packet(&rig);
  assert_true(p->port == 4 && number_of(p) == 11);
}

// Who asks for one kind alone has the other kind's first 1,024 packets waiting; the rest is
// counted.
TEST(what_nobody_asks_for) {
  struct rig rig CLOSED_BY(end);
  struct sluice_event_counts counts;
  begin(&rig, "sw/programs/tables/l2.dom");
  good(&rig, sluice_chip_cpu_port(rig.chip, CPU, &rig.error));
  for (unsigned n = 0; n < WAIT_MOST + 7; n++) {
    comes_in(&rig, 0, 9, 1, n);
    assert_int_equal(packet(&rig)->len, 0);
  }
  sluice_chip_event_counts(rig.chip, &counts);
  FIELDS_ARE(&counts, (events, WAIT_MOST + 7), (lost_events, 7));
  for (unsigned n = 0; n < WAIT_MOST; n++) assert_int_equal(number_of(event(&rig)), n);
  assert_int_equal(event(&rig)->len, 0);
  comes_in(&rig, 0, 9, 1, 5000);
  assert_int_equal(packet(&rig)->len, 0);  // it waits again, and is given back by the close
}
