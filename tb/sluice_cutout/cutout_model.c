// SPDX-License-Identifier: Apache-2.0
// What tb_sluice_cutout is checked against: packets, drawn at random, and what must leave of each.
// The packet that leaves is built as a whole, byte by byte, and compared with the beats as they
// come.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

enum { HEAD = 44, BEAT = 64, LEAST = 64, MOST = 9216, LIST = 84, WAITING = 64 };

struct packet {
  unsigned len, cutout, port, ticket;
  unsigned size, at;  // bytes that leave, and of them those that have
  unsigned char in[MOST + BEAT], out[MOST];
};

void cutout_open(int seed);
void cutout_new(int one, int *len, int *cutout, int *port, int *ticket);
void cutout_beat(int beat, unsigned *data);
int cutout_check(int last, int port, unsigned ticket, int len, const unsigned *keep,
                 const unsigned *data);
int cutout_left(void);

static struct packet queue[WAITING];
static unsigned first, count, number;

void cutout_open(int seed) { random_start(seed); }

static unsigned draw_len(void) {
  switch (rnd(8)) {
    case 0: return LEAST;
    case 1: return 100 + rnd(60);
    case 2: return LEAST * (1 + rnd(6)) + rnd(3) + (rnd(2) ? 0 : LEAST - 3);
    case 3: return rnd(40) == 0 ? LEAST + rnd(MOST - LEAST + 1) : 64 + rnd(400);
    case 4: return rnd(40) == 0 ? MOST - rnd(70) : 64 + rnd(100);
    default: return LEAST + rnd(140);
  }
}

// one: of packets of which nothing is taken out alone (1), of others alone (2), of both (0).
void cutout_new(int one, int *len, int *cutout, int *port, int *ticket) {
  struct packet *p = &queue[(first + count++) % WAITING];
  if (count > WAITING) {
    fprintf(stderr, "more than %d packets wait\n", WAITING);
    exit(1);
  }
  p->len = draw_len();
  // What of a list of so many instructions lies in the packet. A piece of an instruction counts as
  // a whole one.
  const unsigned list = rnd(4) == 0 ? LIST : rnd(4) == 0 ? BEAT : 2 * (1 + rnd(LIST / 2));
  const unsigned there = (p->len - HEAD + 1) / 2 * 2;
  p->cutout = one == 1 || (one == 0 && rnd(3) == 0) ? 0 : list < there ? list : there;
  p->port = rnd(4);
  p->ticket = number++;
  for (unsigned b = 0; b < sizeof p->in; b++) p->in[b] = (unsigned char)rnd(256);
  // The head always leaves whole.
  const unsigned end = p->len < p->cutout + HEAD ? p->cutout + HEAD : p->len;
  memset(p->out, 0, sizeof p->out);
  memcpy(p->out, p->in + p->cutout, end - p->cutout);
  p->size = end - p->cutout < LEAST ? LEAST : end - p->cutout;
  p->at = 0;
  *len = (int)p->len;
  *cutout = (int)p->cutout;
  *port = (int)p->port;
  *ticket = (int)p->ticket;
}

void cutout_beat(int beat, unsigned *data) {
  memcpy(data, queue[(first + count - 1) % WAITING].in + BEAT * beat, BEAT);
}

int cutout_check(int last, int port, unsigned ticket, int len, const unsigned *keep,
                 const unsigned *data) {
  if (count == 0) {
    printf("a beat leaves, of no packet\n");
    return 1;
  }
  struct packet *p = &queue[first];
  if ((unsigned)port != p->port || ticket != p->ticket || (unsigned)len != p->size) {
    printf("ticket %u, port %d, %d bytes; should be %u, %u, %u (of %u, %u taken out)\n", ticket,
           port, len, p->ticket, p->port, p->size, p->len, p->cutout);
    return 1;
  }
  const unsigned char *bytes = (const unsigned char *)data;
  for (unsigned b = 0; b < BEAT; b++) {
    const unsigned there = p->at + b < p->size, kept = keep[b / 32] >> b % 32 & 1;
    if (kept != there) {
      printf("ticket %u: byte %u is %s kept\n", ticket, p->at + b, kept ? "" : "not");
      return 1;
    }
    if (there && bytes[b] != p->out[p->at + b]) {
      printf("ticket %u (%u bytes, %u taken out): byte %u is %02x, should be %02x\n", ticket,
             p->len, p->cutout, p->at + b, bytes[b], p->out[p->at + b]);
      return 1;
    }
  }
  p->at += BEAT;
  const unsigned ends = p->at >= p->size;
  if ((unsigned)last != ends) {
    printf("ticket %u: a beat is %s the last\n", ticket, last ? "told to be" : "not told to be");
    return 1;
  }
  if (ends) {
    first = (first + 1) % WAITING;
    count--;
  }
  return 0;
}

int cutout_left(void) { return (int)count; }
