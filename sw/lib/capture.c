// SPDX-License-Identifier: Apache-2.0
#define _DEFAULT_SOURCE  // pcap.h uses u_char and u_int
#include "capture.h"

#include <errno.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pcapng.h"

// Frames larger than this on the wire are no frames, whatever a file says: 9,216 is the most that
// the chip takes, but a file with larger ones shall still play (they are dropped and counted as
// OVERSIZED). A VLAN tag comes on top: a frame that had none may get one (sluice_frame_tag); and a
// frame check sequence. Files are read and written in blocks of BLOCK bytes.
enum { MAX_FRAME = 65536, TAG = 4, MAX_FCS = 30, BLOCK = 65536 };

// A file is read by ourselves and not by libpcap, which has one snapshot length and one link type
// for all interfaces, does not tell the interface of a packet, reads seconds as signed, and leaves
// the frame check sequence at the frame.
struct sluice_capture {
  FILE *file;
  bool pcapng, several;  // several: the interfaces of packets are told
  struct pcapng_reader reader;
  // of a pcap file
  bool swap;
  unsigned minor, head, nanoseconds, fcs;  // head: bytes before a packet; nanoseconds of a fraction
  char *path;
  uint64_t num_packets;
  uint8_t frame[MAX_FRAME + TAG + MAX_FCS];
};

static uint32_t get32(const struct sluice_capture *c, const uint8_t *at) {
  uint32_t word;
  memcpy(&word, at, sizeof word);
  return c->swap ? __builtin_bswap32(word) : word;
}

static enum sluice_status other_link(const struct sluice_capture *c, unsigned link,
                                     struct sluice_error *error) {
  const char *name = pcap_datalink_val_to_name((int)link);
  return sluice_fail(error, SLUICE_ERR_FORMAT,
                     "'%s': packets are of link type %s (%u), only Ethernet is read", c->path,
                     name ? name : "unknown", link);
}

// What else people have: packed captures.
static const char *packed(const uint8_t start[4]) {
  static const struct {
    const char *bytes, *name;
    size_t len;
  } known[] = {{"\x1f\x8b", "gzip -dc", 2},
               {"\x28\xb5\x2f\xfd", "zstd -dc", 4},
               {"\xfd\x37\x7a\x58", "xz -dc", 4},
               {"\x04\x22\x4d\x18", "lz4 -dc", 4},
               {"BZh", "bzip2 -dc", 3}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (memcmp(start, known[i].bytes, known[i].len) == 0) return known[i].name;
  return NULL;
}

// The head of a pcap file behind its magic number, which says byte order and resolution. In old
// versions the two lengths of a packet are swapped (pcap-savefile(5)).
static enum sluice_status pcap_head(struct sluice_capture *c, uint32_t magic,
                                    struct sluice_error *error) {
  static const uint32_t MICRO = 0xa1b2c3d4, NANO = 0xa1b23c4d, KUZNETZOV = 0xa1b2cd34;
  enum { FCS_KNOWN = 0x04000000 };
  const uint32_t swapped = __builtin_bswap32(magic);
  c->swap = swapped == MICRO || swapped == NANO || swapped == KUZNETZOV;
  if (c->swap) magic = swapped;
  if (magic != MICRO && magic != NANO && magic != KUZNETZOV)
    return sluice_fail(error, SLUICE_ERR_FORMAT,
                       "cannot read '%s' as a capture: it is neither pcap nor pcapng", c->path);
  c->nanoseconds = magic == NANO ? 1 : 1000;
  c->head = magic == KUZNETZOV ? 24 : 16;
  uint8_t bytes[20];
  if (fread(bytes, sizeof bytes, 1, c->file) != 1)
    return sluice_fail(error, SLUICE_ERR_FORMAT,
                       "cannot read '%s' as a capture: it ends in its head", c->path);
  const uint32_t version = get32(c, bytes), link = get32(c, bytes + 16);
  const unsigned low = version & 0xffff, high = version >> 16;
  const bool little = c->swap != (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
  c->minor = little ? high : low;
  if ((little ? low : high) != 2)
    return sluice_fail(error, SLUICE_ERR_FORMAT,
                       "cannot read '%s' as a capture: version %u of the format, 2 is read",
                       c->path, little ? low : high);
  if (link & FCS_KNOWN) c->fcs = 2 * (link >> 28);
  return (link & 0xffff) == DLT_EN10MB ? SLUICE_OK : other_link(c, link & 0xffff, error);
}

static enum sluice_status read_head(struct sluice_capture *c, struct sluice_error *error) {
  uint8_t start[4];
  const size_t got = fread(start, 1, sizeof start, c->file);
  if (ferror(c->file))
    return sluice_fail(error, SLUICE_ERR_IO, "cannot read '%s': %s", c->path, strerror(errno));
  if (got < sizeof start)
    return sluice_fail(error, SLUICE_ERR_FORMAT, "cannot read '%s' as a capture: %s", c->path,
                       got ? "it ends in its head" : "it is empty");
  const char *unpack = packed(start);
  if (unpack)
    return sluice_fail(error, SLUICE_ERR_FORMAT,
                       "'%s' is packed: unpack it first, '%s FILE >FILE.pcap'", c->path, unpack);
  uint32_t magic;
  memcpy(&magic, start, sizeof magic);
  if (magic != 0x0a0d0d0a) return pcap_head(c, magic, error);
  struct stat info;
  c->pcapng = true;
  pcapng_reader_init(&c->reader, c->file, true);
  if (fstat(fileno(c->file), &info) != 0 || !S_ISREG(info.st_mode)) return SLUICE_OK;
  c->several = pcapng_count_interfaces(c->file) > 1;
  pcapng_reader_init(&c->reader, c->file, false);
  return SLUICE_OK;
}

enum sluice_status sluice_capture_open(struct sluice_capture **capture, const char *path,
                                       struct sluice_error *error) {
  return sluice_capture_open_copy(capture, path, path, error);
}

enum sluice_status sluice_capture_open_copy(struct sluice_capture **capture, const char *path,
                                            const char *name, struct sluice_error *error) {
  *capture = NULL;
  FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
  if (!file)
    return sluice_fail(error, SLUICE_ERR_IO, "cannot open '%s': %s", name, strerror(errno));
  // if it cannot, the file has smaller blocks
  if (file != stdin) setvbuf(file, NULL, _IOFBF, BLOCK);
  struct sluice_capture *c = calloc(1, sizeof *c);
  if (c) c->path = malloc(strlen(name) + 1);
  if (!c || !c->path) {
    if (file != stdin) fclose(file);
    free(c);
    return sluice_fail(error, SLUICE_ERR_NOMEM, "'%s': out of memory", name);
  }
  strcpy(c->path, name);
  c->file = file;
  const enum sluice_status status = read_head(c, error);
  if (status) sluice_capture_close(c);
  else *capture = c;
  return status;
}

// A record of a pcap file. (The file is one thread's, and needs no lock; parentheses keep macros
// away.) Bytes NULL at the end; NULL, or what is wrong.
static const char *pcap_record(struct sluice_capture *c, struct pcapng_packet *p) {
  uint8_t head[24];
  *p = (struct pcapng_packet){.bytes = NULL, .link = DLT_EN10MB, .fcs = c->fcs};
  const size_t got = (fread_unlocked)(head, 1, c->head, c->file);
  if (got == 0 && !ferror(c->file)) return NULL;
  if (got != c->head) return "the file ends inside of it";
  p->captured = get32(c, head + 8);
  p->len = get32(c, head + 12);
  if (c->minor < 3 || (c->minor == 3 && p->captured > p->len)) {
    const size_t swapped = p->captured;
    p->captured = p->len;
    p->len = swapped;
  }
  p->time_ns = get32(c, head) * UINT64_C(1000000000) +
               (uint64_t)get32(c, head + 4) * c->nanoseconds;
  if (p->captured > sizeof c->frame) {
    p->bytes = c->frame;  // too long, which is told
    return NULL;
  }
  if (p->captured && (fread_unlocked)(c->frame, p->captured, 1, c->file) != 1)
    return "the file ends inside of it";
  p->bytes = c->frame;
  return NULL;
}

enum sluice_status sluice_capture_next(struct sluice_capture *c, struct sluice_packet *packet,
                                       struct sluice_error *error) {
  struct pcapng_packet p;
  memset(packet, 0, sizeof *packet);
  const char *why = c->pcapng ? pcapng_next(&c->reader, &p) : pcap_record(c, &p);
  const unsigned long long number = c->num_packets + 1;
  if (ferror(c->file))
    return sluice_fail(error, SLUICE_ERR_IO, "cannot read '%s': %s", c->path, strerror(errno));
  if (why)
    return sluice_fail(error, SLUICE_ERR_FORMAT, "'%s': packet %llu: %s", c->path, number, why);
  if (!p.bytes) return SLUICE_OK;
  c->num_packets++;
  if (p.link != DLT_EN10MB) return other_link(c, p.link, error);
  if (p.len < p.captured) p.len = p.captured;
  // The frame check sequence ends the frame; of a cut frame it is not there, or not whole.
  p.len -= p.fcs < p.len ? p.fcs : p.len;
  if (p.captured > p.len) p.captured = p.len;
  const bool tagged = p.captured >= 16 && p.bytes[12] == 0x81 && p.bytes[13] == 0x00;
  if (p.len > MAX_FRAME + (tagged ? TAG : 0u))
    return sluice_fail(error, SLUICE_ERR_FORMAT, "'%s': packet %llu: a frame of %zu bytes", c->path,
                       number, p.len);
  if (p.bytes != c->frame) memcpy(c->frame, p.bytes, p.captured);
  memset(c->frame + p.captured, 0, p.len - p.captured);
  *packet = (struct sluice_packet){c->frame, p.len, p.captured, p.time_ns,
                                   c->several ? (int)p.interface : -1};
  return SLUICE_OK;
}

void sluice_capture_close(struct sluice_capture *c) {
  if (!c) return;
  if (c->file && c->file != stdin) fclose(c->file);
  pcapng_reader_release(&c->reader);
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
  if ((fwrite_unlocked)(bytes, 1, len, w->file) != len) w->why = errno ? errno : EIO;
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
  SLUICE_TRY(new_writer(writer, path, error));
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
  SLUICE_TRY(new_writer(writer, path, error));
  uint8_t bytes[PCAPNG_INTERFACE];
  (*writer)->pcapng = true;
  put(*writer, bytes, pcapng_start(bytes));
  for (unsigned p = 0; p < num_ports; p++) put(*writer, bytes, pcapng_interface(bytes, p));
  return SLUICE_OK;
}

void sluice_capture_write_at(struct sluice_capture_writer *w, const uint8_t *bytes, size_t len,
                             uint64_t time_ns, unsigned port, const char *comment) {
  if (!w->pcapng && time_ns / 1000000000u > UINT32_MAX && !w->why) w->why = EOVERFLOW;
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
  if (w->why == EOVERFLOW)
    status = sluice_fail(error, SLUICE_ERR_IO,
                         "cannot write '%s': a pcap file holds no time beyond 2106, a pcapng file "
                         "does: name it .pcapng",
                         w->path);
  else if (w->why)
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
