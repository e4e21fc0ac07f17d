// SPDX-License-Identifier: Apache-2.0
#include "pcapng.h"

#include <stdlib.h>
#include <string.h>

// Blocks: type, length, contents, length again.
enum { START = 0x0a0d0d0a, ORDER = 0x1a2b3c4d, INTERFACE = 1, OLD_PACKET = 2, SIMPLE_PACKET = 3 };
enum { PACKET = 6 };
enum {
  OPTION_END = 0,
  OPTION_COMMENT = 1,
  OPTION_FLAGS = 2,  // of a packet; of an interface: OPTION_NAME
  OPTION_NAME = 2,
  OPTION_RESOLUTION = 9,
  OPTION_FCS = 13,
  OPTION_OFFSET = 14
};
enum { EDGES = 12, MOST_BLOCK = 1 << 24, MOST_INTERFACES = 65536, MICROSECONDS = 6 };

__extension__ typedef __int128 wide;

// ---- reading ------------------------------------------------------------------------------------

static uint32_t word_at(const struct pcapng_reader *r, const uint8_t *at) {
  uint32_t word;
  memcpy(&word, at, sizeof word);
  return r->swap ? __builtin_bswap32(word) : word;
}

static unsigned half_at(const struct pcapng_reader *r, const uint8_t *at) {
  uint16_t half;
  memcpy(&half, at, sizeof half);
  return r->swap ? __builtin_bswap16(half) : half;
}

// The value of an option, if it has at least `least` bytes; NULL if it is not there.
static const uint8_t *option(const struct pcapng_reader *r, const uint8_t *at, const uint8_t *end,
                             unsigned code, size_t least) {
  while (end - at >= 4) {
    const unsigned here = half_at(r, at);
    const size_t len = half_at(r, at + 2), whole = (len + 3) & ~(size_t)3;
    if (here == OPTION_END || (size_t)(end - at) - 4 < len) break;
    if (here == code) return len >= least ? at + 4 : NULL;
    if ((size_t)(end - at) - 4 < whole) break;
    at += 4 + whole;
  }
  return NULL;
}

// Whether a list of options goes as far as each of them says.
static bool options_fit(const struct pcapng_reader *r, const uint8_t *at, const uint8_t *end) {
  while (end - at >= 4 && half_at(r, at) != OPTION_END) {
    const size_t whole = 4 + ((half_at(r, at + 2) + (size_t)3) & ~(size_t)3);
    if ((size_t)(end - at) < whole) return false;
    at += whole;
  }
  return true;
}

static const char *add_interface(struct pcapng_reader *r, size_t len) {
  if (len < 8) return "a description of an interface is cut";
  if (!options_fit(r, r->block + 8, r->block + len)) return "an option is longer than its block";
  if (r->num == r->room) {
    const unsigned room = r->room ? 2 * r->room : 8;
    struct pcapng_described *more =
        r->num < MOST_INTERFACES ? realloc(r->interfaces, room * sizeof *more) : NULL;
    if (!more) return "too many interfaces";
    r->interfaces = more;
    r->room = room;
  }
  struct pcapng_described *d = &r->interfaces[r->num++];
  const uint8_t *at = r->block + 8, *end = r->block + len, *value;
  *d =
      (struct pcapng_described){half_at(r, r->block), word_at(r, r->block + 4), MICROSECONDS, 0, 0};
  if ((value = option(r, at, end, OPTION_RESOLUTION, 1))) d->resolution = *value;
  if ((value = option(r, at, end, OPTION_FCS, 1))) d->fcs = *value;
  if ((value = option(r, at, end, OPTION_OFFSET, 8))) {
    const uint64_t first = word_at(r, value), second = word_at(r, value + 4);
    d->offset = (int64_t)(r->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
                              ? first << 32 | second
                              : second << 32 | first);
  }
  return NULL;
}

// Nanoseconds since 1970, cut to whole ones.
static const char *time_of(const struct pcapng_described *d, uint64_t ticks, uint64_t *ns) {
  const wide second = 1000000000;
  const unsigned n = d->resolution & 0x7f;
  wide time = ticks;
  if (d->resolution & 0x80) {
    const uint64_t whole = n < 64 ? ticks >> n : 0;
    time = whole * second + ((time - (n < 64 ? (wide)whole << n : 0)) * second >> n);
  } else {
    for (unsigned i = n; i < 9; i++) time *= 10;
    for (unsigned i = 9; i < n; i++) time /= 10;
  }
  time += d->offset * second;
  if (time < 0) return "its time stamp is before 1970 ('editcap -t SECONDS' moves time stamps)";
  if (time > UINT64_MAX)
    return "its time stamp is beyond 2554 ('editcap -t -SECONDS' moves time stamps)";
  *ns = (uint64_t)time;
  return NULL;
}

// The kinds of packet blocks differ in their heads.
static const char *packet_of(struct pcapng_reader *r, uint32_t type, size_t len,
                             struct pcapng_packet *p) {
  const size_t head = type == SIMPLE_PACKET ? 4 : 20;
  if (len < head) return "its block is cut";
  const bool simple = type == SIMPLE_PACKET;
  p->interface = simple ? 0 : type == PACKET ? word_at(r, r->block) : half_at(r, r->block);
  if (p->interface >= r->num) return "it is of an interface that the file does not describe";
  const struct pcapng_described *d = &r->interfaces[p->interface];
  p->len = word_at(r, r->block + (simple ? 0 : 16));
  p->captured = simple ? p->len : word_at(r, r->block + 12);
  if (simple && d->snaplen && p->captured > d->snaplen) p->captured = d->snaplen;
  if (p->captured > len - head) return "its block is shorter than the packet";
  p->bytes = r->block + head;
  p->link = d->link;
  p->fcs = d->fcs;
  if (simple) return NULL;  // it has no time
  const uint8_t *behind = p->bytes + ((p->captured + 3) & ~(size_t)3);
  if (behind < r->block + len && !options_fit(r, behind, r->block + len))
    return "an option is longer than its block";
  const uint8_t *flags =
      behind < r->block + len ? option(r, behind, r->block + len, OPTION_FLAGS, 4) : NULL;
  if (flags && (word_at(r, flags) >> 5 & 15)) p->fcs = word_at(r, flags) >> 5 & 15;
  return time_of(d, (uint64_t)word_at(r, r->block + 4) << 32 | word_at(r, r->block + 8),
                 &p->time_ns);
}

// Reads what is behind type and length of a block; *len: of the contents, which are kept if `keep`.
static const char *contents(struct pcapng_reader *r, const uint8_t *before, size_t num_before,
                            uint32_t whole, bool keep, size_t *len) {
  static const char cut[] = "the file ends inside of a block";
  if (whole < EDGES) return "the length of a block is wrong";
  *len = ((size_t)whole + 3) / 4 * 4 - EDGES;
  if (keep && *len > MOST_BLOCK) return "the length of a block is wrong";
  const size_t need = keep ? *len + 4 : 65536;
  if (need > r->block_room) {
    uint8_t *more = realloc(r->block, need);
    if (!more) return "out of memory";
    r->block = more;
    r->block_room = need;
  }
  if (*len < num_before) return "the length of a block is wrong";
  memcpy(r->block, before, num_before);
  size_t left = *len - num_before;
  if (keep) {
    if (left && fread(r->block + num_before, left, 1, r->file) != 1) return cut;
  }
  while (!keep && left) {
    const size_t here = left < 65536 ? left : 65536;
    if (fread(r->block, here, 1, r->file) != 1) return cut;
    left -= here;
  }
  uint8_t again[4];
  if (fread(again, sizeof again, 1, r->file) != 1) return cut;
  return word_at(r, again) == whole ? NULL : "the two lengths of a block differ";
}

void pcapng_reader_init(struct pcapng_reader *r, FILE *file, bool started) {
  *r = (struct pcapng_reader){.file = file, .started = started};
}

const char *pcapng_next(struct pcapng_reader *r, struct pcapng_packet *p) {
  *p = (struct pcapng_packet){.bytes = NULL};
  for (;;) {
    uint8_t head[8] = {0x0a, 0x0d, 0x0d, 0x0a}, order[4];
    const size_t have = r->started ? 4 : 0;
    const size_t got = fread(head + have, 1, sizeof head - have, r->file);
    r->started = false;
    if (got + have == 0 && !ferror(r->file)) return NULL;
    if (got + have != sizeof head) return "the file ends inside of a block";
    uint32_t type;
    memcpy(&type, head, 4);
    const bool start = type == START;
    if (start) {
      uint32_t word;
      if (fread(order, sizeof order, 1, r->file) != 1) return "the file ends inside of a block";
      memcpy(&word, order, 4);
      if (word != ORDER && __builtin_bswap32(word) != ORDER) return "the byte order is none";
      r->swap = word != ORDER;
      r->num = 0;
    }
    type = word_at(r, head);
    const bool packet = type == PACKET || type == OLD_PACKET || type == SIMPLE_PACKET;
    const bool keep = start || packet || type == INTERFACE;
    size_t len;
    const char *why =
        contents(r, order, start ? sizeof order : 0, word_at(r, head + 4), keep, &len);
    if (why) return why;
    if (start && (len < 16 || half_at(r, r->block + 4) != 1))
      return "the version of the format is not 1";
    if (type == INTERFACE && (why = add_interface(r, len))) return why;
    if (!packet) continue;
    why = packet_of(r, type, len, p);
    if (why) p->bytes = NULL;
    return why;
  }
}

void pcapng_reader_release(struct pcapng_reader *r) {
  free(r->interfaces);
  free(r->block);
  *r = (struct pcapng_reader){.file = NULL};
}

unsigned pcapng_count_interfaces(FILE *file) {
  struct pcapng_reader r = {.file = file};
  uint8_t head[12];
  unsigned here = 0, most = 0;
  rewind(file);
  while (fread(head, sizeof head, 1, file) == 1) {
    uint32_t type;
    memcpy(&type, head, 4);
    if (type == START) {
      const uint32_t order = word_at(&(struct pcapng_reader){.swap = false}, head + 8);
      if (order != ORDER && __builtin_bswap32(order) != ORDER) break;
      r.swap = order != ORDER;
      here = 0;
    }
    if (word_at(&r, head) == INTERFACE) here++;
    if (here > most) most = here;
    // In 64 bits: in 32 a length of 0xfffffffd would round up to 0, and the same block would be
    // read for ever.
    const long whole = ((long)word_at(&r, head + 4) + 3) / 4 * 4;
    if (whole < EDGES || fseek(file, whole - (long)sizeof head, SEEK_CUR) != 0) break;
  }
  rewind(file);
  return most;
}

// ---- writing ------------------------------------------------------------------------------------

static uint8_t *put32(uint8_t *to, uint32_t value) {
  memcpy(to, &value, 4);
  return to + 4;
}

static uint8_t *put_option(uint8_t *to, uint16_t code, const void *value, size_t len) {
  const uint16_t head[2] = {code, (uint16_t)len};
  memcpy(to, head, 4);
  if (len) memcpy(to + 4, value, len);
  memset(to + 4 + len, 0, -len & 3u);
  return to + 4 + ((len + 3) & ~(size_t)3);
}

size_t pcapng_start(uint8_t bytes[PCAPNG_START]) {
  const uint16_t version[2] = {1, 0};
  uint8_t *to = put32(put32(put32(bytes, START), PCAPNG_START), ORDER);
  memcpy(to, version, 4);
  memset(to + 4, 0xff, 8);  // the section's length is not known
  put32(to + 12, PCAPNG_START);
  return PCAPNG_START;
}

size_t pcapng_interface(uint8_t bytes[PCAPNG_INTERFACE], unsigned port) {
  const uint16_t ethernet[2] = {1, 0};
  const uint8_t nanoseconds = 9;
  char name[20];
  const int len = snprintf(name, sizeof name, "port %u", port);
  memcpy(bytes + 8, ethernet, 4);
  uint8_t *to = put32(bytes + 12, 262144);  // longest frame
  to = put_option(to, OPTION_NAME, name, (size_t)len);
  to = put_option(to, OPTION_RESOLUTION, &nanoseconds, 1);
  to = put_option(to, OPTION_END, NULL, 0);
  const uint32_t size = (uint32_t)(to - bytes) + 4;
  put32(put32(bytes, INTERFACE), size);
  put32(to, size);
  return size;
}

static size_t comment_len(const char *comment) {
  const size_t len = comment ? strlen(comment) : 0;
  return len < PCAPNG_COMMENT ? len : PCAPNG_COMMENT;
}

static uint32_t packet_size(size_t len, const char *comment) {
  const size_t text = comment_len(comment);
  return (uint32_t)(32 + ((len + 3) & ~(size_t)3) + (text ? 8 + ((text + 3) & ~(size_t)3) : 0));
}

size_t pcapng_before(uint8_t bytes[28], unsigned port, uint64_t time_ns, size_t len,
                     const char *comment) {
  uint8_t *to = put32(put32(put32(bytes, PACKET), packet_size(len, comment)), port);
  to = put32(put32(to, (uint32_t)(time_ns >> 32)), (uint32_t)time_ns);
  put32(put32(to, (uint32_t)len), (uint32_t)len);
  return 28;
}

size_t pcapng_behind(uint8_t bytes[PCAPNG_COMMENT + 24], size_t len, const char *comment) {
  const size_t text = comment_len(comment), padding = -len & 3u;
  memset(bytes, 0, padding);
  uint8_t *to = bytes + padding;
  if (text) to = put_option(put_option(to, OPTION_COMMENT, comment, text), OPTION_END, NULL, 0);
  return (size_t)(put32(to, packet_size(len, comment)) - bytes);
}
