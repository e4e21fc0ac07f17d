// SPDX-License-Identifier: Apache-2.0
#include "pcapng.h"

#include <string.h>
#include <sys/stat.h>

// Blocks: type, length, contents, length again.
enum {
  START = 0x0a0d0d0a,
  ORDER = 0x1a2b3c4d,
  INTERFACE = 1,
  OLD_PACKET = 2,
  SIMPLE_PACKET = 3,
  PACKET = 6
};
enum { OPTION_END = 0, OPTION_COMMENT = 1, OPTION_NAME = 2, OPTION_RESOLUTION = 9 };

// ---- reading ------------------------------------------------------------------------------------

static uint32_t in_order(const struct pcapng_scan *s, uint32_t word) {
  return s->swap ? __builtin_bswap32(word) : word;
}

// The next block's type and first word of contents; the file stands behind the block. False at the
// end, or at what is no block.
static bool next_block(struct pcapng_scan *s, uint32_t *type, uint32_t *word) {
  uint32_t head[3];
  if (fread(head, sizeof head, 1, s->file) != 1) return false;
  if (head[0] == START) {
    if (head[2] != ORDER && __builtin_bswap32(head[2]) != ORDER) return false;
    s->swap = head[2] != ORDER;
  }
  const uint32_t len = in_order(s, head[1]);
  *type = in_order(s, head[0]);
  *word = in_order(s, head[2]);
  // 16 bits interface, 16 bits drops, in file order
  if (*type == OLD_PACKET) *word = s->swap ? *word >> 16 : *word & 0xffff;
  // In 64 bits: in 32 a length of 0xfffffffd would round up to 0, and the same block would be read
  // for ever.
  return len >= 12 && fseek(s->file, ((long)len + 3) / 4 * 4 - (long)sizeof head, SEEK_CUR) == 0;
}

static void count_interfaces(struct pcapng_scan *s) {
  uint32_t type, word;
  unsigned here = 0;
  while (next_block(s, &type, &word)) {
    here = type == START ? 0 : here + (type == INTERFACE);
    if (here > s->interfaces) s->interfaces = here;
  }
}

bool pcapng_scan_open(struct pcapng_scan *s, const char *path) {
  struct stat info;
  uint32_t magic = 0;
  *s = (struct pcapng_scan){.file = strcmp(path, "-") != 0 ? fopen(path, "rb") : NULL};
  if (!s->file) return false;
  if (fstat(fileno(s->file), &info) != 0 || !S_ISREG(info.st_mode) ||
      fread(&magic, sizeof magic, 1, s->file) != 1 || magic != START) {
    pcapng_scan_close(s);
    return false;
  }
  rewind(s->file);
  count_interfaces(s);
  rewind(s->file);
  s->swap = false;
  return true;
}

int pcapng_scan_next(struct pcapng_scan *s) {
  uint32_t type, word;
  while (s->file && next_block(s, &type, &word)) {
    if (type == PACKET || type == OLD_PACKET) return (int)(word & 0xffff);
    if (type == SIMPLE_PACKET) return 0;
  }
  return -1;
}

void pcapng_scan_close(struct pcapng_scan *s) {
  if (s->file) fclose(s->file);
  s->file = NULL;
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
