// SPDX-License-Identifier: Apache-2.0
#include "spec.h"

#include <arpa/inet.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name;
  enum live_kind kind;
} kinds[] = {{"tap", LIVE_TAP},      {"if", LIVE_INTERFACE}, {"netns", LIVE_INTERFACE},
             {"pcap", LIVE_CAPTURE}, {"udp", LIVE_UDP},      {"cpu", LIVE_CPU}};
enum { NUM_KINDS = sizeof kinds / sizeof kinds[0] };

const char *live_kind_name(enum live_kind kind) {
  for (size_t i = 0; i < NUM_KINDS; i++)
    if (kinds[i].kind == kind) return kinds[i].name;
  return "?";
}

// A decimal number of at most `most`, up to `end`.
static bool number(const char *text, const char *end, unsigned most, unsigned *value) {
  uint64_t v = 0;
  if (text == end || end - text > 9) return false;
  for (; text < end; text++) {
    if (*text < '0' || *text > '9') return false;
    v = 10 * v + (unsigned)(*text - '0');
  }
  *value = (unsigned)v;
  return v <= most;
}

static bool copy(char *to, size_t size, const char *from, const char *end) {
  const size_t len = (size_t)(end - from);
  if (len == 0 || len >= size) return false;
  memcpy(to, from, len);
  to[len] = 0;
  return true;
}

// What Linux takes as the name of an interface, or as a file in /run/netns. In a name with % it
// would put a number.
static bool plain_name(const char *name) {
  if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) return false;
  for (; *name; name++)
    if (*name == '/' || *name == ':' || *name == '%' || (unsigned char)*name <= ' ' ||
        *name == 0x7f)
      return false;
  return true;
}

// "[NETNS/]NAME"
static bool interface(struct live_spec *spec, const char *text, const char *end) {
  const char *slash = memchr(text, '/', (size_t)(end - text));
  if (slash && (!copy(spec->netns, sizeof spec->netns, text, slash) || !plain_name(spec->netns)))
    return false;
  return copy(spec->name, sizeof spec->name, slash ? slash + 1 : text, end) &&
         plain_name(spec->name);
}

// "[ADDRESS:]PORT"; `any`: port 0 is one that the system chooses.
static bool address(struct sockaddr_in *to, const char *text, const char *end, bool any) {
  char host[INET_ADDRSTRLEN] = "127.0.0.1";
  const char *colon = memchr(text, ':', (size_t)(end - text));
  unsigned port;
  if (colon && !copy(host, sizeof host, text, colon)) return false;
  if (!number(colon ? colon + 1 : text, end, 65535, &port) || (port == 0 && !any)) return false;
  *to = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  return inet_pton(AF_INET, host, &to->sin_addr) == 1;
}

static bool what(struct live_spec *spec, const char *text, const char *end) {
  switch (spec->kind) {
    case LIVE_TAP:
    case LIVE_INTERFACE: return interface(spec, text, end);
    case LIVE_CAPTURE: return text == end || copy(spec->in, sizeof spec->in, text, end);
    case LIVE_UDP: return address(&spec->here, text, end, true);
    case LIVE_CPU: return false;
  }
  return false;
}

static bool is(const char *text, const char *end, const char *word) {
  return (size_t)(end - text) == strlen(word) && memcmp(text, word, strlen(word)) == 0;
}
static bool begins(const char *text, const char *word) {
  return strncmp(text, word, strlen(word)) == 0;
}

static bool option(struct live_spec *spec, const char *text, const char *end) {
  if (is(text, end, "trunk")) {
    spec->trunk = true;
    return true;
  }
  if (begins(text, "vlan=")) return number(text + 5, end, 4094, &spec->vid) && spec->vid;
  if (begins(text, "out=") && spec->kind == LIVE_CAPTURE)
    return copy(spec->out, sizeof spec->out, text + 4, end);
  if (begins(text, "to=") && spec->kind == LIVE_UDP)
    return address(&spec->to, text + 3, end, false);
  return false;
}

static const char *form(enum live_kind kind) {
  static const char *const forms[] = {
      [LIVE_TAP] = "tap:NAME or tap:NETNS/NAME; a name has at most 15 characters",
      [LIVE_INTERFACE] = "if:NAME or netns:NETNS/NAME; a name has at most 15 characters",
      [LIVE_CAPTURE] = "pcap:FILE, pcap:FILE,out=FILE or pcap:,out=FILE",
      [LIVE_UDP] = "udp:[ADDRESS:]PORT, with IPv4 addresses in digits",
      [LIVE_CPU] = "cpu alone: nothing stands behind it",
  };
  return forms[kind];
}

enum sluice_status live_spec_parse(struct live_spec *spec, const char *text, unsigned num_ports,
                                   struct sluice_error *error) {
  *spec = (struct live_spec){.port = 0};
  const char *equals = strchr(text, '=');
  const bool cpu = equals && strcmp(equals, "=cpu") == 0;
  const char *colon = cpu ? equals + 4 : equals ? strchr(equals, ':') : NULL;
  if (!equals || !colon || !number(text, equals, UINT32_MAX, &spec->port))
    return sluice_fail(error, SLUICE_ERR_RANGE, "'%.100s' is not PORT=KIND:WHAT, as 0=tap:sw0",
                       text);
  if (spec->port >= num_ports)
    return sluice_fail(error, SLUICE_ERR_RANGE, "'%.100s': the chip has ports 0 to %u", text,
                       num_ports - 1);
  size_t k = 0;
  while (k < NUM_KINDS && !is(equals + 1, colon, kinds[k].name)) k++;
  if (k == NUM_KINDS)
    return sluice_fail(
        error, SLUICE_ERR_RANGE,
        "'%.100s': a port is connected to tap:, if:, netns:, pcap: or udp:, or is cpu", text);
  spec->kind = kinds[k].kind;
  spec->trunk = cpu;  // tags say whose a packet is
  if (cpu) return SLUICE_OK;
  const char *at = colon + 1, *end = at + strcspn(at, ",");
  if (!what(spec, at, end))
    return sluice_fail(error, SLUICE_ERR_RANGE, "'%.100s' is not %s", text, form(spec->kind));
  while (*end) {
    at = end + 1;
    end = at + strcspn(at, ",");
    if (!option(spec, at, end))
      return sluice_fail(
          error, SLUICE_ERR_RANGE,
          "'%.100s': '%.*s' is no option of such a port; there are vlan=1 to 4094, trunk%s", text,
          (int)(end - at < 60 ? end - at : 60), at,
          spec->kind == LIVE_CAPTURE ? ", out=FILE"
          : spec->kind == LIVE_UDP   ? ", to=[ADDRESS:]PORT"
                                     : "");
  }
  // Frames that leave go to whoever sent last: nobody but this machine's users may become that.
  if (spec->kind == LIVE_UDP && !spec->to.sin_port &&
      ntohl(spec->here.sin_addr.s_addr) >> 24 != 127)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "'%.100s': everybody who reaches that address could take what leaves: "
                       "to=ADDRESS:PORT says who is at the other end",
                       text);
  if (spec->trunk && spec->vid)
    return sluice_fail(error, SLUICE_ERR_RANGE, "'%.100s': a trunk has no VLAN of its own", text);
  if (spec->kind == LIVE_CAPTURE && !spec->in[0] && !spec->out[0])
    return sluice_fail(error, SLUICE_ERR_RANGE, "'%.100s' is not %s", text, form(spec->kind));
  if (strcmp(spec->in, "-") == 0 || strcmp(spec->out, "-") == 0)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "'%.100s': '-' is standard input or output, which cannot be used here",
                       text);
  return SLUICE_OK;
}
