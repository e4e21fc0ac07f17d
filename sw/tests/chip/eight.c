// SPDX-License-Identifier: Apache-2.0
// The eight modules of Menshen's table 3 on the whole chip, for eight.sh.
//
//   eight make CHIP SEED PACKETS GAP DIR MODULE...
//       DIR/MODULE.json are images. Writes DIR/control.pcap (entries of the operator) and
//       DIR/in.pcapng (packets with their ports; all lanes at once every GAP cycles)
//   eight check CHIP SEED PACKETS GAP DIR MODULE...
//       DIR/out.pcapng: every copy, at its port, as eight.h says; none missing
//
// Both make the same packets and expectations again from the seed. Arrival order is the order of
// the file: packet i comes in at lane i modulo K in cycle GAP * (i / K), and packets of one cycle
// count by lanes.
#include <stdlib.h>

#include "tests/rig/closed.h"
#include "tests/rig/eight.h"
#include "driver/plan/plan.h"
#include "driver/wire/wire.h"
#include "lib/capture.h"

static struct eight world;
static struct sluice_error error;

static void stop(const char *text) {
  fprintf(stderr, "eight: %s\n", text);
  exit(1);
}
#define TRY(CALL)               \
  do {                          \
    if (CALL) stop(error.text); \
  } while (0)

struct play {
  const struct sluice_config *config;
  unsigned gap, num, modules[EIGHT_MODULES];
  uint32_t packets;
  const char *dir;
};

static void path_in(const struct play *play, char path[600], const char *name) {
  if (snprintf(path, 600, "%s/%s", play->dir, name) >= 600) stop("the path is too long");
}

static void next(const struct play *play, uint32_t id, struct eight_packet *packet) {
  const unsigned lane = id % play->config->NumPipes;
  const unsigned ports = sluice_wire_ports(play->config, lane),
                 port = sluice_wire_port(play->config, lane, eight_below(&world, ports));
  eight_make(&world, packet, play->modules[eight_below(&world, play->num)], port, id);
}

static void write_frame(struct sluice_capture_writer *out, enum sluice_status made,
                        const struct sluice_frame *frame) {
  if (made) stop("a control packet has no room for its fields");
  sluice_capture_write(out, frame->bytes, frame->len, 0);
}

// Entries of the arrays of a module, and of PORT_MASK.
static void write_entries(struct sluice_capture_writer *out, const struct sluice_plan *plan,
                          unsigned module) {
  static struct sluice_frame frame;
  for (size_t n = 0; n < plan->num_segments; n++) {
    const struct sluice_segment *s = &plan->segments[n];
    if (s->row != 1 + module) continue;
    for (unsigned i = 0; i < s->range; i++) {
      uint32_t words[2] = {0, 0};
      for (unsigned w = 0; w < 2; w++)
        for (unsigned a = 0; a < 2; a++) {
          const char *name = eight_modules[module].arrays[a].name;
          if (name && strcmp(s->name[w], name) == 0) words[w] = world.entries[module][a][i];
        }
      write_frame(out, sluice_reconfig_state_write(&frame, s->stage, s->row, i, words[0], words[1]),
                  &frame);
    }
  }
  for (unsigned n = 0; module == EIGHT_MULTICAST && world.rows && n < EIGHT_GROUPS; n++) {
    struct sluice_write write = {.table = SLUICE_TABLE_PORT_MASK, .index = world.ports + n};
    SLUICE_SET(write.bytes, PORT_MASK, PORTS, world.groups[n]);
    write_frame(out, sluice_reconfig_write(&frame, &write), &frame);
  }
}

static int make(const struct play *play) {
  char path[600];
  struct sluice_plan plan;
  struct sluice_capture_writer *out;
  sluice_plan_init(&plan, play->config);
  for (unsigned n = 0; n < play->num; n++) {
    struct sluice_image image CLOSED_BY(sluice_image_release) = {.num_writes = 0};
    char name[100];
    snprintf(name, sizeof name, "%s.json", eight_modules[play->modules[n]].name);
    path_in(play, path, name);
    TRY(sluice_image_load(&image, path, play->config, &error));
    TRY(sluice_plan_add(&plan, &image, 1 + play->modules[n], &error));
  }
  path_in(play, path, "control.pcap");
  TRY(sluice_capture_create(&out, path, &error));
  for (unsigned n = 0; n < play->num; n++) write_entries(out, &plan, play->modules[n]);
  TRY(sluice_capture_finish(out, &error));
  sluice_plan_release(&plan);
  path_in(play, path, "in.pcapng");
  TRY(sluice_capture_create_ports(&out, path, play->config->NumPorts, &error));
  for (uint32_t id = 0; id < play->packets; id++) {
    struct eight_packet packet;
    next(play, id, &packet);
    sluice_capture_write_at(out, packet.bytes, EIGHT_LEN,
                            (uint64_t)play->gap * (id / play->config->NumPipes), packet.port, NULL);
  }
  TRY(sluice_capture_finish(out, &error));
  return 0;
}

static int check(const struct play *play) {
  char path[600];
  struct eight_expected *expected CLOSED_BY(freed) = calloc(play->packets, sizeof *expected);
  unsigned *module CLOSED_BY(freed) = calloc(play->packets, sizeof *module), wrong = 0, copies = 0;
  struct sluice_capture *in;
  struct sluice_packet p;
  if (!expected || !module) stop("out of memory");
  for (uint32_t id = 0; id < play->packets; id++) {
    struct eight_packet packet;
    next(play, id, &packet);
    module[id] = packet.module;
    eight_expect(&world, &packet, &expected[id]);
  }
  path_in(play, path, "out.pcapng");
  TRY(sluice_capture_open(&in, path, &error));
  for (;;) {
    TRY(sluice_capture_next(in, &p, &error));
    if (!p.bytes) break;
    const uint32_t id = p.len == EIGHT_LEN ? eight_get(p.bytes, EIGHT_ID_AT, 4) : play->packets;
    const uint64_t bit = p.interface >= 0 ? UINT64_C(1) << p.interface : 0;
    copies++;
    if (id >= play->packets || !(expected[id].ports & bit) ||
        memcmp(p.bytes, expected[id].bytes, EIGHT_LEN) != 0) {
      if (!wrong++)
        printf("packet %u, %s, at port %d: not expected there, or not so\n", id,
               id < play->packets ? eight_modules[module[id]].name : "?", p.interface);
      continue;
    }
    expected[id].ports &= ~bit;
  }
  sluice_capture_close(in);
  for (uint32_t id = 0; id < play->packets; id++)
    if (expected[id].ports && !wrong++)
      printf("packet %u, %s: no copy at ports 0x%llx\n", id, eight_modules[module[id]].name,
             (unsigned long long)expected[id].ports);
  printf("%u packets, %u copies, %u wrong;", play->packets, copies, wrong);
  for (unsigned n = 0; n < play->num; n++) {
    const unsigned m = play->modules[n];
    printf(" %s %u (dropped %u, special %u)", eight_modules[m].name, world.seen[m],
           world.dropped[m], world.special[m]);
  }
  printf("\n");
  return wrong != 0;
}

int main(int argc, char **argv) {
  if (argc < 8) stop("make or check, CHIP SEED PACKETS GAP DIR MODULE...");
  struct play play = {.config = sluice_config_find(argv[2]),
                      .packets = (uint32_t)strtoul(argv[4], NULL, 10),
                      .gap = (unsigned)strtoul(argv[5], NULL, 10),
                      .dir = argv[6]};
  if (!play.config) stop("no such chip");
  for (int i = 7; i < argc; i++)
    for (unsigned m = 0; m < EIGHT_MODULES; m++)
      if (strcmp(argv[i], eight_modules[m].name) == 0 && play.num < EIGHT_MODULES)
        play.modules[play.num++] = m;
  if ((int)play.num != argc - 7) stop("no such module");
  eight_init(&world, strtoul(argv[3], NULL, 10), play.config->NumPorts,
             play.config->NumPorts > 8 ? 256 : 0);
  return strcmp(argv[1], "make") == 0 ? make(&play) : check(&play);
}
