// SPDX-License-Identifier: Apache-2.0
// The eight modules of Menshen's table 3 on the reference model, through the library: each alone,
// all at once, and random mixes, against what eight.h says of every packet and of the state at the
// end.

#include "tests/rig/test.h"
#include "tests/rig/chip_rig.h"
#include "driver/plan/plan.h"
#include "driver/wire/wire.h"
#include "tests/rig/eight.h"
#include "tests/rig/says.h"

static struct eight world;

static struct sluice_image *image_of(unsigned module, const char *chip) {
  char path[100];
  snprintf(path, sizeof path, "sw/programs/menshen/%s.dom", eight_modules[module].name);
  return compiled(path, chip);
}

// The operator's part: entries of the arrays, and the groups.
static void fill(struct sluice_chip *chip, struct sluice_transport *to, unsigned module) {
  for (unsigned a = 0; a < 2; a++) {
    const struct eight_array *array = &eight_modules[module].arrays[a];
    if (array->name)
      GOOD(sluice_chip_state_write(chip, 1 + module, array->name, 0, array->size,
                                   world.entries[module][a], &error));
  }
  for (unsigned n = 0; module == EIGHT_MULTICAST && world.rows && n < EIGHT_GROUPS; n++) {
    struct sluice_write write = {.table = SLUICE_TABLE_PORT_MASK, .index = world.ports + n};
    static struct sluice_frame frame;
    SLUICE_SET(write.bytes, PORT_MASK, PORTS, world.groups[n]);
    GOOD(sluice_reconfig_write(&frame, &write));
    GOOD(to->ops->control_send(to->self, frame.bytes, frame.len, &error));
  }
}

static void one_packet(struct sluice_transport *to, unsigned module, uint32_t id) {
  static struct sluice_packet_out out;
  struct eight_packet packet;
  struct eight_expected expected;
  eight_make(&world, &packet, module, eight_below(&world, world.ports), id);
  eight_expect(&world, &packet, &expected);
  GOOD(to->ops->packet_send(to->self, packet.port, packet.bytes, EIGHT_LEN, &error));
  uint64_t ports = 0;
  for (;;) {
    GOOD(to->ops->packet_receive(to->self, &out, &error));
    if (out.len == 0) break;
    if (ports >> out.port & 1)
      fail_msg("%s, packet %u: two copies at port %u", eight_modules[module].name, id, out.port);
    ports |= UINT64_C(1) << out.port;
    for (unsigned i = 0; i < EIGHT_LEN; i++)
      if (out.bytes[i] != expected.bytes[i])
        fail_msg("%s, packet %u, byte %u: %02x, expected %02x", eight_modules[module].name, id, i,
                 out.bytes[i], expected.bytes[i]);
    assert_int_equal(out.len, EIGHT_LEN);
  }
  if (ports != expected.ports)
    fail_msg("%s, packet %u: ports 0x%llx, expected 0x%llx", eight_modules[module].name, id,
             (unsigned long long)ports, (unsigned long long)expected.ports);
}

// Modules of the bits of `mix`; those that the chip cannot hold are left out. Returns those that
// ran.
static unsigned run_mix(const char *name, unsigned mix, unsigned packets, uint64_t seed) {
  struct sluice_transport to CLOSED_BY(sluice_transport_close);
  struct sluice_chip *chip CLOSED_BY(close_chip);
  unsigned there[EIGHT_MODULES], num = 0, bits = 0;
  const struct sluice_config *config = sluice_config_find(name);
  eight_init(&world, seed, config->NumPorts, config->NumPorts > 8 ? 256 : 0);
  GOOD(sluice_transport_model(&to, name, NULL, &error));
  GOOD(sluice_chip_open(&chip, &to, NULL, &error));
  for (unsigned m = 0; m < EIGHT_MODULES; m++) {
    struct sluice_image *image = mix >> m & 1 ? image_of(m, name) : NULL;
    if (!image) continue;
    GOOD(sluice_chip_load(chip, image, 1 + m, &error));
    sluice_image_close(image);
    fill(chip, &to, m);
    there[num++] = m;
    bits |= 1u << m;
  }
  for (uint32_t id = 0; num && id < packets; id++)
    one_packet(&to, there[eight_below(&world, num)], id);
  for (unsigned n = 0; n < num; n++)
    for (unsigned a = 0; a < 2; a++) {
      const struct eight_array *array = &eight_modules[there[n]].arrays[a];
      uint32_t values[EIGHT_ENTRIES];
      if (!array->name) continue;
      GOOD(sluice_chip_state_read(chip, 1 + there[n], array->name, 0, array->size, values, &error));
      for (unsigned i = 0; i < array->size; i++)
        if (values[i] != world.entries[there[n]][a][i])
          fail_msg("%s: %s[%u] is 0x%x, expected 0x%x", eight_modules[there[n]].name, array->name,
                   i, values[i], world.entries[there[n]][a][i]);
    }
  return bits;
}

TEST(each_alone) {
  for (unsigned m = 0; m < EIGHT_MODULES; m++) {
    assert_int_equal(run_mix("k4", 1u << m, 1500, m), 1u << m);
    // A test that never blocks, hits or splits a way says nothing.
    if (world.special[m] < 20 || world.special[m] > 1480)
      fail_msg("%s: %u special cases of 1500", eight_modules[m].name, world.special[m]);
  }
}

TEST(all_at_once) {
  assert_int_equal(run_mix("k4", (1u << EIGHT_MODULES) - 1, 6000, 11), (1u << EIGHT_MODULES) - 1);
  assert_true(world.dropped[EIGHT_FIREWALL] > 20 && world.dropped[EIGHT_SOURCE_ROUTING] > 20 &&
              world.dropped[EIGHT_MULTICAST] > 20);
}

TEST(any_mix) {
  struct sluice_rng rng;
  sluice_rng_init(&rng, 5, "mixes");
  for (unsigned n = 0; n < 12; n++) {
    const unsigned mix = 1 + (unsigned)sluice_rng_below(&rng, (1u << EIGHT_MODULES) - 1);
    assert_int_equal(run_mix("k4", mix, 800, 100 + n), mix);
  }
}

// What smaller chips can hold: on tiny source routing, load balancing, NetChain and multicast,
// which need three levels at most; on menshen, with five back stages, all.
TEST(smaller_chips) {
  const unsigned on_tiny = 1u << EIGHT_SOURCE_ROUTING | 1u << EIGHT_LOAD_BALANCING |
                           1u << EIGHT_NETCHAIN | 1u << EIGHT_MULTICAST;
  assert_int_equal(run_mix("tiny", (1u << EIGHT_MODULES) - 1, 2000, 3), on_tiny);
  assert_int_equal(run_mix("menshen", (1u << EIGHT_MODULES) - 1, 2000, 4),
                   (1u << EIGHT_MODULES) - 1);
}
