// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "../lib/reconfig.h"
#include "run.h"

// Which module a packet without a tag belongs to: all packets of a flow go to one. FNV-1a over the
// addresses and ports of IPv4, over the MAC addresses of anything else.
static unsigned module_of(const struct run *run, const uint8_t *frame, size_t len) {
  if (run->modules.count < 2) return 0;
  bool ip = len >= 38 && frame[12] == 0x08 && frame[13] == 0x00;
  uint32_t hash = 2166136261u;
  for (size_t i = ip ? 26 : 0; i < (ip ? 38u : 12u) && i < len; i++)
    hash = (hash ^ frame[i]) * 16777619u;
  return hash % run->modules.count;
}

static bool add(struct run *run, struct sluice_capture_writer *writer,
                const struct sluice_packet *packet) {
  static uint8_t tagged[65536 + 64];
  unsigned vid =
      run->modules.count ? run->modules.items[module_of(run, packet->bytes, packet->len)].vid : 1;
  size_t len =
      sluice_frame_tag(tagged, sizeof tagged, packet->bytes, packet->len, vid, run->replace_vlan);
  sluice_capture_write(writer, tagged, len, packet->time_ns);
  run->num_packets++;
  run->num_beats += sluice_config_beats(run->config, len);
  return run->packets == 0 || run->num_packets < run->packets;
}

static enum sluice_status copy(struct run *run, struct sluice_capture_writer *writer,
                               struct sluice_error *error) {
  struct sluice_capture *capture;
  struct sluice_packet packet;
  uint64_t first_ns = 0, last_ns = 0;
  enum sluice_status status = sluice_capture_open(&capture, run->capture, error);
  if (status) return status;
  while ((status = sluice_capture_next(capture, &packet, error)) == SLUICE_OK && packet.bytes) {
    if (!run->num_packets) first_ns = last_ns = packet.time_ns;
    if (packet.time_ns > last_ns) last_ns = packet.time_ns;
    if (!add(run, writer, &packet)) break;
  }
  run->span_ns = last_ns - first_ns;
  sluice_capture_close(capture);
  return status;
}

static enum sluice_status generate(struct run *run, struct sluice_capture_writer *writer,
                                   const struct sluice_traffic_options *options,
                                   struct sluice_error *error) {
  struct sluice_traffic *traffic;
  struct sluice_packet packet;
  enum sluice_status status = sluice_traffic_new(&traffic, options, error);
  if (status) return status;
  for (sluice_traffic_next(traffic, &packet); packet.bytes; sluice_traffic_next(traffic, &packet)) {
    run->span_ns = packet.time_ns;
    add(run, writer, &packet);
  }
  sluice_traffic_free(traffic);
  return status;
}

int run_prepare_capture(struct run *run) {
  struct sluice_traffic_options options;
  unsigned vids[CLI_MAX_MODULES] = {1};
  if (!cli_traffic_options(&run->traffic, &options)) return CLI_USAGE;
  for (unsigned i = 0; i < run->modules.count; i++) vids[i] = run->modules.items[i].vid;
  options.vids = vids;
  options.num_vids = run->modules.count ? run->modules.count : 1;
  if (run->packets) options.packets = run->packets;

  struct sluice_capture_writer *writer;
  struct sluice_error error, first;
  enum sluice_status status = sluice_capture_create(&writer, run->input_path, &error);
  if (!status) {
    status = run->capture ? copy(run, writer, &error) : generate(run, writer, &options, &error);
    if (sluice_capture_finish(writer, &first) && !status) {
      status = SLUICE_ERR_IO;
      error = first;
    }
  }
  if (!status && run->num_packets == 0) {
    cli_error("'%s': no packets in it", run->capture);
    return CLI_WORLD;
  }
  if (!status) return CLI_DONE;
  cli_error("%s", error.text);
  return CLI_WORLD;
}
