// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "../base/hash.h"
#include "../driver/wire/wire.h"
#include "run.h"

// Which module a packet without a tag belongs to: all packets of a flow go to one. FNV-1a over the
// addresses and ports of IPv4, over the MAC addresses of anything else.
static unsigned module_of(const struct run *run, const uint8_t *frame, size_t len) {
  if (run->modules.count < 2) return 0;
  bool ip = len >= 38 && frame[12] == 0x08 && frame[13] == 0x00;
  const size_t first = ip ? 26 : 0, end = ip ? 38 : len < 12 ? len : 12;
  return sluice_hash32(SLUICE_HASH32, frame + first, end - first) % run->modules.count;
}

// Hands a packet on, with the tag of its module. *more: more are wanted.
static enum sluice_status add(struct run *run, const struct run_sink *sink,
                              const struct sluice_packet *packet, int port, bool *more,
                              struct sluice_error *error) {
  static uint8_t tagged[65536 + 64];
  const unsigned vid =
      run->modules.count ? run->modules.items[module_of(run, packet->bytes, packet->len)].vid : 1;
  const size_t len =
      sluice_frame_tag(tagged, sizeof tagged, packet->bytes, packet->len, vid, run->replace_vlan);
  run->num_packets++;
  *more = run->packets == 0 || run->num_packets < run->packets;
  return sink->take(sink->user, tagged, len, packet->time_ns, port, error);
}

// One of the captures to play, and its next packet.
struct source {
  struct sluice_capture *capture;
  const char *path;
  int port;
  struct sluice_packet packet;
};

static enum sluice_status advance(const struct run *run, struct source *s,
                                  struct sluice_error *error) {
  enum sluice_status status = sluice_capture_next(s->capture, &s->packet, error);
  if (status || !s->packet.bytes) return status;
  const int port = s->port >= 0 ? s->port : s->packet.interface;
  if (port >= (int)run->config->NumPorts)
    return sluice_fail(
        error, SLUICE_ERR_RANGE, "'%s': a packet at %s %d, chip '%s' has ports 0 to %u", s->path,
        s->port >= 0 ? "port" : "interface", port, run->config->name, run->config->NumPorts - 1);
  s->packet.interface = port;
  return SLUICE_OK;
}

// Plays the earliest of the sources' next packets, the first of several; each source in its own
// order.
static enum sluice_status merge(struct run *run, const struct run_sink *sink,
                                struct source *sources, unsigned num, struct sluice_error *error) {
  uint64_t first_ns = 0, last_ns = 0;
  for (bool more = true; more;) {
    struct source *next = NULL;
    for (unsigned i = 0; i < num; i++)
      if (sources[i].packet.bytes && (!next || sources[i].packet.time_ns < next->packet.time_ns))
        next = &sources[i];
    if (!next) break;
    const uint64_t time_ns = next->packet.time_ns;
    if (!run->num_packets) first_ns = last_ns = time_ns;
    if (time_ns > last_ns) last_ns = time_ns;
    enum sluice_status status = add(run, sink, &next->packet, next->packet.interface, &more, error);
    if (!status && more) status = advance(run, next, error);
    if (status) return status;
  }
  run->span_ns = last_ns - first_ns;
  return SLUICE_OK;
}

static struct source sources[CLI_MAX_ARGUMENTS];

// Interfaces are found by reading a file twice: what can be read once, standard input or a pipe, is
// kept in a file. NULL after a message.
static const char *again(const struct run *run, const char *path, unsigned number) {
  static char kept[RUN_PATH];
  struct stat info;
  const bool standard = strcmp(path, "-") == 0;
  if (!standard && (stat(path, &info) != 0 || !S_ISFIFO(info.st_mode))) return path;
  const int n =
      snprintf(kept, sizeof kept, "%s/%ld-pipe%u.pcap", run->work, (long)getpid(), number);
  if (n < 0 || (size_t)n >= sizeof kept) return NULL;
  return cli_copy_file(path, kept) ? kept : NULL;
}

// Opens the captures; *at_ports says whether a port is known of any packet.
static enum sluice_status open_sources(struct run *run, unsigned *num, bool *at_ports,
                                       struct sluice_error *error) {
  enum sluice_status status = SLUICE_OK;
  memset(sources, 0, sizeof sources);
  *at_ports = false;
  for (*num = 0; !status && *num < run->captures.count; ++*num) {
    struct source *s = &sources[*num];
    s->path = run_capture_path(run->captures.items[*num], &s->port);
    const char *path = again(run, s->path, *num);
    if (!path) return sluice_fail(error, SLUICE_ERR_IO, "cannot keep what '%s' brings", s->path);
    status = sluice_capture_open_copy(&s->capture, path, s->path, error);
    if (!status) status = advance(run, s, error);
    *at_ports |= s->port >= 0 || s->packet.interface >= 0;
  }
  return status;
}

static enum sluice_status generate(struct run *run, const struct run_sink *sink,
                                   const struct sluice_traffic_options *options,
                                   struct sluice_error *error) {
  struct sluice_traffic *traffic;
  struct sluice_packet packet;
  bool more;
  enum sluice_status status = sluice_traffic_new(&traffic, options, error);
  if (status) return status;
  for (sluice_traffic_next(traffic, &packet); !status && packet.bytes;
       sluice_traffic_next(traffic, &packet)) {
    run->span_ns = packet.time_ns;
    status = add(run, sink, &packet, -1, &more, error);
  }
  sluice_traffic_free(traffic);
  return status;
}

int run_play_packets(struct run *run, const struct run_sink *sink) {
  struct sluice_traffic_options options;
  unsigned vids[CLI_MAX_MODULES] = {1};
  if (!cli_traffic_options(&run->traffic, &options)) return CLI_USAGE;
  for (unsigned i = 0; i < run->modules.count; i++) vids[i] = run->modules.items[i].vid;
  options.vids = vids;
  options.num_vids = run->modules.count ? run->modules.count : 1;
  if (run->packets) options.packets = run->packets;

  struct sluice_error error, first;
  unsigned num = 0;
  bool at_ports = false;
  enum sluice_status status = open_sources(run, &num, &at_ports, &error);
  if (!status) status = sink->begin(sink->user, at_ports, &error);
  if (!status)
    status = num ? merge(run, sink, sources, num, &error) : generate(run, sink, &options, &error);
  if (sink->end(sink->user, &first) && !status) {
    status = SLUICE_ERR_IO;
    error = first;
  }
  for (unsigned i = 0; i < num; i++) sluice_capture_close(sources[i].capture);
  if (!status && run->num_packets == 0) {
    cli_error("'%s': no packets in it", run->captures.items[0]);
    return CLI_WORLD;
  }
  if (!status) return CLI_DONE;
  cli_error("%s", error.text);
  return CLI_WORLD;
}

// ---- the capture that the simulator plays -------------------------------------------------------

struct prepared {
  struct run *run;
  struct sluice_capture_writer *writer;
  uint64_t first_ns;
};

// An interface for each port, and one more for what the simulator deals out.
static enum sluice_status begin(void *user, bool at_ports, struct sluice_error *error) {
  struct prepared *p = user;
  return at_ports ? sluice_capture_create_ports(&p->writer, p->run->input_path,
                                                p->run->config->NumPorts + 1, error)
                  : sluice_capture_create(&p->writer, p->run->input_path, error);
}

static enum sluice_status keep(void *user, const uint8_t *bytes, size_t len, uint64_t time_ns,
                               int port, struct sluice_error *error) {
  struct prepared *p = user;
  if (!run_note(p->run, p->run->num_packets, bytes, len))
    return sluice_fail(error, SLUICE_ERR_NOMEM, "out of memory");
  // Errors of a writer stick, and `end` tells.
  // Only how far they are apart counts for the simulator; a packet that is earlier than the first
  // goes with it.
  if (p->run->num_packets == 1) p->first_ns = time_ns;
  time_ns = time_ns > p->first_ns ? time_ns - p->first_ns : 0;
  sluice_capture_write_at(p->writer, bytes, len, time_ns,
                          port < 0 ? p->run->config->NumPorts : (unsigned)port, NULL);
  p->run->num_beats += sluice_config_beats(p->run->config, len);
  return SLUICE_OK;
}

static enum sluice_status end(void *user, struct sluice_error *error) {
  return sluice_capture_finish(((struct prepared *)user)->writer, error);
}

// Traffic is written to a file before it is played: what the disk cannot hold is said before it is
// full.
static bool has_room(const struct run *run) {
  enum { RECORD = 16, BIMODAL = 800, IMIX = 362 };  // bytes of a record's head, means of the sizes
  struct sluice_traffic_options options;
  struct statvfs disk;
  if (run->captures.count || !cli_traffic_options(&run->traffic, &options) ||
      statvfs(run->work, &disk) != 0)
    return true;
  const unsigned len = options.size == SLUICE_SIZE_FIXED  ? options.frame_len
                       : options.size == SLUICE_SIZE_IMIX ? IMIX
                                                          : BIMODAL;
  const double packets = (double)(run->packets ? run->packets : options.packets), gigabyte = 1e9;
  const double needed = packets * (len + RECORD),
               room = (double)disk.f_bavail * (double)disk.f_frsize;
  if (needed <= room) return true;
  cli_error("%.0f packets take %.1f GB, and the disk of '%s' has %.1f GB free: fewer packets (-n), "
            "or another --dir",
            packets, needed / gigabyte, run->work, room / gigabyte);
  return false;
}

int run_prepare_capture(struct run *run) {
  if (!has_room(run)) return CLI_WORLD;
  struct prepared prepared = {.run = run};
  const struct run_sink sink = {&prepared, begin, keep, end};
  return run_play_packets(run, &sink);
}
