// SPDX-License-Identifier: Apache-2.0
// Packets of an STF text: sent, expected, compared.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "stf_inner.h"

static void append(struct stf_frame **list, struct stf_frame *f) {
  while (*list) list = &(*list)->next;
  *list = f;
}
static void frame_free(struct stf_frame *f) {
  if (!f) return;
  free(f->bytes);
  free(f->mask);
  free(f);
}

static int nibble(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = (char)tolower((unsigned char)c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// PORT HEX ...; with `*` for any digit and `$` for the end if it is expected, which may end in half
// a byte.
static struct stf_frame *read_frame(struct stf *s, bool expected) {
  char *end;
  while (isspace((unsigned char)*s->at)) s->at++;
  const unsigned long port = strtoul(s->at, &end, 10);
  if (end == s->at || port >= STF_PORTS || (*end && !isspace((unsigned char)*end))) {
    stf_wrong(s, "a port from 0 to %d is missing", STF_PORTS - 1);
    return NULL;
  }
  const size_t room = strlen(end) / 2 + 2;
  struct stf_frame *f = calloc(1, sizeof *f);
  if (f) f->bytes = calloc(1, room), f->mask = calloc(1, room);
  if (!f || !f->bytes || !f->mask) return stf_wrong(s, "out of memory"), frame_free(f), NULL;
  f->port = (unsigned)port;
  f->line = s->line;
  s->named[port] = true;
  size_t digits = 0;
  for (const char *c = end; *c; c++) {
    if (isspace((unsigned char)*c)) continue;
    const bool star = expected && *c == '*';
    if (expected && *c == '$' && strspn(c + 1, " \t") == strlen(c + 1)) {
      f->whole = true;
      break;
    }
    if (!star && nibble(*c) < 0) {
      stf_wrong(s, "'%c' is no hexadecimal digit", isprint((unsigned char)*c) ? *c : '?');
      return frame_free(f), NULL;
    }
    const unsigned shift = digits % 2 ? 0 : 4;
    if (!star) f->bytes[digits / 2] |= (uint8_t)(nibble(*c) << shift);
    if (!star) f->mask[digits / 2] |= (uint8_t)(0xF << shift);
    digits++;
  }
  f->len = (digits + 1) / 2;
  if (digits % 2 == 0 || expected) return f;
  stf_wrong(s, "half a byte is missing");
  return frame_free(f), NULL;
}

void stf_packet(struct stf *s) {
  struct stf_frame *f = read_frame(s, false);
  if (!f) return;
  s->report->packets++;
  p4r_set_time(s->sw, p4r_time(s->sw) + 1000);
  struct p4r_output *out;
  if (!p4r_send(s->sw, f->port, f->bytes, f->len, &out)) stf_wrong(s, "%s", s->why);
  for (; out; out = out->next) {
    struct stf_frame *seen = calloc(1, sizeof *seen);
    if (seen) seen->bytes = malloc(out->len + 1);
    if (!seen || !seen->bytes) {
      frame_free(seen);
      stf_wrong(s, "out of memory");
      break;
    }
    memcpy(seen->bytes, out->bytes, out->len);
    seen->len = out->len;
    seen->port = out->port;
    seen->line = s->line;
    append(&s->seen, seen);
  }
  frame_free(f);
}

void stf_expect(struct stf *s) {
  struct stf_frame *f = read_frame(s, true);
  if (!f) return;
  s->report->expects++;
  append(&s->wanted, f);
}

// ---- comparing ----------------------------------------------------------------------------------

static void print_hex(FILE *out, const char *what, const struct stf_frame *f) {
  if (!out) return;
  fprintf(out, "  %s ", what);
  for (size_t i = 0; i < f->len; i++)
    for (unsigned half = 0; half < 2; half++) {
      const unsigned shift = half ? 0 : 4;
      if (f->mask && !(f->mask[i] >> shift & 0xF)) fputc('*', out);
      else fprintf(out, "%x", (unsigned)f->bytes[i] >> shift & 0xF);
    }
  fprintf(out, "%s\n", f->whole ? " $" : "");
}

static const struct stf_frame *of_port(const struct stf_frame *f, unsigned port) {
  while (f && f->port != port) f = f->next;
  return f;
}

static void compare_one(struct stf *s, const struct stf_frame *want, const struct stf_frame *is,
                        unsigned number) {
  s->line = want->line;
  if (is->len < want->len || (want->whole && is->len != want->len)) {
    stf_wrong(s, "packet %u at port %u has %zu bytes, expected %s%zu", number, want->port, is->len,
              want->whole ? "" : "at least ", want->len);
  } else {
    size_t i = 0;
    while (i < want->len && !((want->bytes[i] ^ is->bytes[i]) & want->mask[i])) i++;
    if (i == want->len) return;
    stf_wrong(s, "packet %u at port %u: byte %zu is %02x, expected %02x", number, want->port, i,
              is->bytes[i], want->bytes[i]);
  }
  print_hex(s->report->out, "expected", want);
  print_hex(s->report->out, "received", is);
}

static void compare_port(struct stf *s, unsigned port) {
  const struct stf_frame *want = of_port(s->wanted, port), *is = of_port(s->seen, port);
  unsigned number = 0;
  while (want && is) {
    compare_one(s, want, is, ++number);
    want = of_port(want->next, port);
    is = of_port(is->next, port);
  }
  for (; want; want = of_port(want->next, port)) {
    s->line = want->line;
    stf_wrong(s, "packet %u at port %u did not come", ++number, port);
    print_hex(s->report->out, "expected", want);
  }
  for (; is; is = of_port(is->next, port)) {
    s->line = is->line;
    stf_wrong(s, "a packet came out of port %u that is not expected", port);
    print_hex(s->report->out, "received", is);
  }
}

static void free_all(struct stf_frame *f) {
  while (f) {
    struct stf_frame *next = f->next;
    frame_free(f);
    f = next;
  }
}

void stf_compare(struct stf *s) {
  for (unsigned port = 0; port < STF_PORTS; port++)
    if (s->named[port]) compare_port(s, port);
  free_all(s->seen);
  free_all(s->wanted);
}
