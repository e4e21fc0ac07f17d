// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE  // pcap.h uses u_char and u_int
#include "capture.h"

#include <errno.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pcapng.h"

// Frames larger than this on the wire are no frames, whatever a file says: 9,216 is the most that
// the chip takes, but a file with larger ones shall still play (they are dropped and counted as
// OVERSIZED). A VLAN tag comes on top: a frame that had none may get one (sluice_frame_tag).
// Files are read and written in blocks of BLOCK bytes.
enum { MAX_FRAME = 65536, TAG = 4, BLOCK = 65536 };

struct sluice_capture {
  pcap_t *pcap;
  struct pcapng_scan scan;  // file NULL: at most one interface
  char *path;
  uint64_t num_packets;
  uint8_t padded[MAX_FRAME + TAG];
};

enum sluice_status sluice_capture_open(struct sluice_capture **capture, const char *path,
                                       struct sluice_error *error) {
  *capture = NULL;
  // Opened here, so that a file that is not there and one that is no capture have different errors.
  FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
  if (!file)
    return sluice_fail(error, SLUICE_ERR_IO, "cannot open '%s': %s", path, strerror(errno));
  // if it cannot, the file has smaller blocks
  if (file != stdin) setvbuf(file, NULL, _IOFBF, BLOCK);
  struct sluice_capture *c = calloc(1, sizeof *c);
  if (c) c->path = malloc(strlen(path) + 1);
  if (!c || !c->path) {
    if (file != stdin) fclose(file);
    free(c);
    return sluice_fail(error, SLUICE_ERR_NOMEM, "'%s': out of memory", path);
  }
  strcpy(c->path, path);
  char why[PCAP_ERRBUF_SIZE] = "";
  c->pcap = pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, why);
  if (!c->pcap) {
    bool unreadable = ferror(file) != 0;
    if (file != stdin) fclose(file);
    sluice_capture_close(c);
    return sluice_fail(error, unreadable ? SLUICE_ERR_IO : SLUICE_ERR_FORMAT,
                       "cannot read '%s' as a capture: %s", path, why);
  }
  int link = pcap_datalink(c->pcap);
  if (link != DLT_EN10MB) {
    const char *name = pcap_datalink_val_to_name(link);
    enum sluice_status status = sluice_fail(
        error, SLUICE_ERR_FORMAT, "'%s': packets are of link type %s (%d), only Ethernet is read",
        path, name ? name : "unknown", link);
    sluice_capture_close(c);
    return status;
  }
  if (pcapng_scan_open(&c->scan, path) && c->scan.interfaces < 2) pcapng_scan_close(&c->scan);
  *capture = c;
  return SLUICE_OK;
}

enum sluice_status sluice_capture_next(struct sluice_capture *c, struct sluice_packet *packet,
                                       struct sluice_error *error) {
  memset(packet, 0, sizeof *packet);
  struct pcap_pkthdr *header;
  const u_char *bytes;
  int got = pcap_next_ex(c->pcap, &header, &bytes);
  if (got == PCAP_ERROR_BREAK) return SLUICE_OK;
  if (got != 1)
    return sluice_fail(error, SLUICE_ERR_FORMAT, "'%s': packet %llu: %s", c->path,
                       (unsigned long long)c->num_packets + 1, pcap_geterr(c->pcap));
  c->num_packets++;
  packet->interface = pcapng_scan_next(&c->scan);
  size_t captured = header->caplen, len = header->len;
  if (len < captured) len = captured;
  const bool tagged = captured >= 16 && bytes[12] == 0x81 && bytes[13] == 0x00;
  if (len > MAX_FRAME + (tagged ? TAG : 0u))
    return sluice_fail(error, SLUICE_ERR_FORMAT, "'%s': packet %llu: a frame of %zu bytes", c->path,
                       (unsigned long long)c->num_packets, len);
  packet->bytes = bytes;
  packet->len = len;
  packet->captured = captured;
  // With nanosecond precision libpcap puts nanoseconds into tv_usec.
  packet->time_ns = (uint64_t)header->ts.tv_sec * UINT64_C(1000000000) +
                    (uint64_t)header->ts.tv_usec;
  if (captured < len || len == 0) {
    memcpy(c->padded, bytes, captured);
    memset(c->padded + captured, 0, len - captured);
    packet->bytes = c->padded;
  }
  return SLUICE_OK;
}

void sluice_capture_close(struct sluice_capture *c) {
  if (!c) return;
  if (c->pcap) pcap_close(c->pcap);
  pcapng_scan_close(&c->scan);
  free(c->path);
  free(c);
}

// ---- writing ------------------------------------------------------------------------------------

struct sluice_capture_writer {
  FILE *file;
  bool pcapng;
  char *path;
  int why;  // errno of the first failure, 0 if none
};

static void put(struct sluice_capture_writer *w, const void *bytes, size_t len) {
  if (w->why || len == 0) return;
  errno = 0;
  if (fwrite(bytes, 1, len, w->file) != len) w->why = errno ? errno : EIO;
}

bool sluice_capture_is_pcapng(const char *path) {
  static const char end[] = ".pcapng";
  const size_t len = strlen(path);
  return len >= strlen(end) && strcmp(path + len - strlen(end), end) == 0;
}

static enum sluice_status new_writer(struct sluice_capture_writer **writer, const char *path,
                                     struct sluice_error *error) {
  *writer = NULL;
  struct sluice_capture_writer *w = calloc(1, sizeof *w);
  if (w) w->path = malloc(strlen(path) + 1);
  if (!w || !w->path) {
    free(w);
    return sluice_fail(error, SLUICE_ERR_NOMEM, "'%s': out of memory", path);
  }
  strcpy(w->path, path);
  w->file = strcmp(path, "-") == 0 ? stdout : fopen(path, "wb");
  if (!w->file) {
    int why = errno;
    free(w->path);
    free(w);
    return sluice_fail(error, SLUICE_ERR_IO, "cannot open '%s': %s", path, strerror(why));
  }
  if (w->file != stdout) setvbuf(w->file, NULL, _IOFBF, BLOCK);
  *writer = w;
  return SLUICE_OK;
}

enum sluice_status sluice_capture_create(struct sluice_capture_writer **writer, const char *path,
                                         struct sluice_error *error) {
  if (sluice_capture_is_pcapng(path)) return sluice_capture_create_ports(writer, path, 1, error);
  const enum sluice_status status = new_writer(writer, path, error);
  if (status) return status;
  // pcap with nanoseconds, version 2.4, Ethernet; readers learn the byte order from the magic
  // number.
  const struct {
    uint32_t magic;
    uint16_t major, minor;
    uint32_t zone, accuracy, snaplen, link;
  } header = {0xa1b23c4d, 2, 4, 0, 0, 262144, DLT_EN10MB};
  put(*writer, &header, sizeof header);
  return SLUICE_OK;
}

enum sluice_status sluice_capture_create_ports(struct sluice_capture_writer **writer,
                                               const char *path, unsigned num_ports,
                                               struct sluice_error *error) {
  const enum sluice_status status = new_writer(writer, path, error);
  if (status) return status;
  uint8_t bytes[PCAPNG_INTERFACE];
  (*writer)->pcapng = true;
  put(*writer, bytes, pcapng_start(bytes));
  for (unsigned p = 0; p < num_ports; p++) put(*writer, bytes, pcapng_interface(bytes, p));
  return SLUICE_OK;
}

void sluice_capture_write_at(struct sluice_capture_writer *w, const uint8_t *bytes, size_t len,
                             uint64_t time_ns, unsigned port, const char *comment) {
  const uint32_t record[4] = {(uint32_t)(time_ns / 1000000000u), (uint32_t)(time_ns % 1000000000u),
                              (uint32_t)len, (uint32_t)len};
  uint8_t block[PCAPNG_COMMENT + 24];
  if (w->pcapng) put(w, block, pcapng_before(block, port, time_ns, len, comment));
  else put(w, record, sizeof record);
  put(w, bytes, len);
  if (w->pcapng) put(w, block, pcapng_behind(block, len, comment));
}

void sluice_capture_write(struct sluice_capture_writer *w, const uint8_t *bytes, size_t len,
                          uint64_t time_ns) {
  sluice_capture_write_at(w, bytes, len, time_ns, 0, NULL);
}

enum sluice_status sluice_capture_finish(struct sluice_capture_writer *w,
                                         struct sluice_error *error) {
  if (!w) return SLUICE_OK;
  errno = 0;
  int bad = fflush(w->file);
  if (bad && !w->why) w->why = errno ? errno : EIO;
  if (w->file != stdout) {
    bad = fclose(w->file);
    if (bad && !w->why) w->why = errno ? errno : EIO;
  }
  enum sluice_status status = SLUICE_OK;
  if (w->why)
    status = sluice_fail(error, SLUICE_ERR_IO, "cannot write '%s': %s", w->path, strerror(w->why));
  free(w->path);
  free(w);
  return status;
}

// ---- VLAN tag -----------------------------------------------------------------------------------

size_t sluice_frame_tag(uint8_t *out, size_t out_size, const uint8_t *frame, size_t len,
                        unsigned vid, bool replace) {
  enum { MAC = 12, MIN = 64 };
  bool tagged = len >= MAC + 4 && frame[MAC] == 0x81 && frame[MAC + 1] == 0x00;
  size_t head = len < MAC ? len : MAC;
  size_t room = MAC + 4 + (tagged ? len - MAC - 4 : len - head);
  size_t total = room < MIN ? MIN : room;
  if (total > out_size) return 0;
  memset(out, 0, MAC + 4);
  memcpy(out, frame, head);
  memcpy(out + MAC + 4, frame + (tagged ? MAC + 4 : head), room - MAC - 4);
  out[MAC] = 0x81;
  out[MAC + 2] = (uint8_t)(vid >> 8 & 0x0f);
  out[MAC + 3] = (uint8_t)vid;
  if (tagged && !replace) memcpy(out + MAC, frame + MAC, 4);
  memset(out + room, 0, total - room);
  return total;
}
