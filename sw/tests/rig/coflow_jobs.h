// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/rng.h"

/// Jobs for the programs in sw/programs/coflow that look words up: the entries of their table, the
/// packets, and what must become of each, worked out here from the job alone: neither compiler nor
/// model nor driver is asked.
///
///     struct job job = {0};
///     job_analytics(&job, seed, 1000);
///     job.pair[i].key, .data        entries
///     job.packet[i].bytes, .port    what is sent, in this order
///                  .wanted, .out    what leaves, at which port (JOB_DROPPED: nothing)
///     job_release(&job);
enum { JOB_VID = 5, JOB_FRAME = 98, JOB_WORDS = 8, JOB_AT = 62, JOB_PORTS = 8, JOB_DROPPED = -1 };
enum { JOB_GAP = 64 };  // packets between what fills state and what reads it
struct job_packet {
  uint8_t bytes[JOB_FRAME], wanted[JOB_FRAME];
  unsigned port;
  int out;
  bool any;  // its bytes depend on when it comes
};
struct job_pair {
  uint32_t key, data;
};
struct job {
  struct job_packet *packet;
  struct job_pair *pair;
  unsigned num, room, num_pairs;
  uint64_t rows, matches;  // analytics: keys, and those that have an entry
  uint64_t total;          // triangles: of the graph, by the host
};

static inline void job_release(struct job *j) {
  free(j->packet);
  free(j->pair);
  memset(j, 0, sizeof *j);
}

/// A packet with its number in the last four bytes, so far to leave where it came. Ports come in
/// turns: so no lane of a chip is far ahead of the others.
static inline struct job_packet *job_add(struct job *j) {
  if (j->num == j->room) {
    j->room = j->room ? 2 * j->room : 256;
    j->packet = realloc(j->packet, j->room * sizeof *j->packet);
    if (!j->packet) abort();
  }
  struct job_packet *p = &j->packet[j->num];
  memset(p, 0, sizeof *p);
  sluice_put(p->bytes, 6, UINT64_C(0x020000000001));
  sluice_put(p->bytes + 6, 6, UINT64_C(0x020000000002));
  sluice_put(p->bytes + 12, 6, UINT64_C(0x8100) << 32 | JOB_VID << 16 | 0x88b5);
  p->port = j->num % JOB_PORTS;
  sluice_put(p->bytes + JOB_FRAME - 4, 4, j->num++);
  p->out = (int)p->port;
  return p;
}
static inline void job_word(uint8_t *bytes, unsigned i, uint32_t word) {
  sluice_put(bytes + JOB_AT + 4 * i, 4, word);
}

// ---- analytics ----------------------------------------------------------------------------------

enum { JOB_GROUPS = 512, JOB_KEYS = 500 };
enum { JOB_ROWS, JOB_ASK, JOB_TEACH, JOB_NOTHING };

/// Where analytics.dom sends a group: CRC-32 without its highest bit, the lowest three bits of it.
static inline unsigned job_port_of(uint32_t group) {
  uint32_t crc = UINT32_MAX;
  for (unsigned bit = 0; bit < 32; bit++) {
    const uint32_t out = (crc ^ group >> bit) & 1;
    crc = crc >> 1 ^ (out ? 0xedb88320u : 0);
  }
  return ~crc & 7;
}

struct job_group {
  uint32_t packets, rows, sum[JOB_WORDS];
};

// A key that has no entry: those that have one are even.
static inline uint32_t job_stranger(struct sluice_rng *rng) {
  return (uint32_t)sluice_rng_next(rng) | 1;
}

/// Packets that say nothing and leave anyhow.
static inline void job_gap(struct job *j, unsigned kind) {
  for (unsigned n = 0; n < JOB_GAP; n++) {
    struct job_packet *p = job_add(j);
    sluice_put(p->bytes + 46, 2, kind);
    p->any = true;
  }
}

/// Lessons, `packets` packets of eight rows, then a question for each group.
static inline void job_analytics(struct job *j, uint64_t seed, unsigned packets) {
  struct sluice_rng rng;
  struct job_group *group = calloc(JOB_GROUPS, sizeof *group);
  sluice_rng_init(&rng, seed, "analytics");
  j->pair = calloc(JOB_KEYS, sizeof *j->pair);
  if (!group || !j->pair) abort();
  while (j->num_pairs < JOB_KEYS) {
    const uint32_t key = (uint32_t)sluice_rng_next(&rng) & ~1u;
    bool twice = !key;
    for (unsigned i = 0; i < j->num_pairs; i++) twice |= j->pair[i].key == key;
    if (!twice) j->pair[j->num_pairs++] = (struct job_pair){key, (uint32_t)sluice_rng_next(&rng)};
  }
  for (unsigned x = 0; x < 256; x++) {
    struct job_packet *p = job_add(j);
    sluice_put(p->bytes + 46, 2, JOB_TEACH);
    sluice_put(p->bytes + 52, 4, (unsigned)__builtin_popcount(x));
    for (unsigned i = 0; i < JOB_WORDS; i++)
      job_word(p->bytes, i, x >> i & 1 ? j->pair[(x + i) % JOB_KEYS].key : job_stranger(&rng));
    memcpy(p->wanted, p->bytes, sizeof p->wanted);
    memset(p->wanted + JOB_AT, 0, 4 * JOB_WORDS);  // group 0 has no sums yet
    sluice_put(p->wanted + 50, 2, x);
  }
  job_gap(j, JOB_NOTHING);
  for (unsigned n = 0; n < packets; n++) {
    const unsigned a = (unsigned)sluice_rng_below(&rng, JOB_GROUPS),
                   b = (unsigned)sluice_rng_below(&rng, JOB_GROUPS), g = a < b ? a : b;
    struct job_packet *p = job_add(j);
    sluice_put(p->bytes + 48, 2, g);
    memcpy(p->wanted, p->bytes, sizeof p->wanted);
    unsigned found = 0;
    for (unsigned i = 0; i < JOB_WORDS; i++) {
      const struct job_pair *x = &j->pair[sluice_rng_below(&rng, JOB_KEYS)];
      const bool there = sluice_rng_below(&rng, 4);
      job_word(p->bytes, i, there ? x->key : job_stranger(&rng));
      job_word(p->wanted, i, there ? x->data : 0);
      group[g].sum[i] += there ? x->data : 0;
      group[g].rows += there;
      found |= (unsigned)there << i;
      j->rows++;
      j->matches += there;
    }
    group[g].packets++;
    sluice_put(p->wanted + 50, 2, found);
    p->out = (int)job_port_of(g);
  }
  job_gap(j, JOB_NOTHING);
  for (unsigned g = 0; g < JOB_GROUPS; g++) {
    struct job_packet *p = job_add(j);
    sluice_put(p->bytes + 46, 2, JOB_ASK);
    sluice_put(p->bytes + 48, 2, g);
    memcpy(p->wanted, p->bytes, sizeof p->wanted);
    sluice_put(p->wanted + 52, 4, group[g].packets);
    sluice_put(p->wanted + 56, 4, group[g].rows);
    for (unsigned i = 0; i < JOB_WORDS; i++) job_word(p->wanted, i, group[g].sum[i]);
  }
  free(group);
}

// ---- triangles ----------------------------------------------------------------------------------

enum { JOB_VERTICES = 1024 };
/// A graph, and what has been counted at each vertex so far, by column.
struct job_graph {
  bool edge[JOB_VERTICES][JOB_VERTICES];
  unsigned vertices, edges;  // numbers from 1 to vertices
  uint32_t counted[JOB_VERTICES][JOB_WORDS];
};

/// Random edges, more of them among low numbers, as in graphs with some large vertices.
static inline struct job_graph *job_graph_new(uint64_t seed, unsigned vertices, unsigned edges) {
  struct job_graph *g = calloc(1, sizeof *g);
  struct sluice_rng rng;
  if (!g) abort();
  sluice_rng_init(&rng, seed, "graph");
  g->vertices = vertices;
  while (g->edges < edges) {
    unsigned v[2];
    for (unsigned i = 0; i < 2; i++) {
      const unsigned a = (unsigned)sluice_rng_below(&rng, vertices),
                     b = (unsigned)sluice_rng_below(&rng, vertices);
      v[i] = 1 + (a < b ? a : b);
    }
    if (v[0] == v[1] || g->edge[v[0]][v[1]]) continue;
    g->edge[v[0]][v[1]] = g->edge[v[1]][v[0]] = true;
    g->edges++;
  }
  return g;
}

/// Triangles, each once.
static inline uint64_t job_triangles_of(const struct job_graph *g) {
  uint64_t num = 0;
  for (unsigned u = 1; u <= g->vertices; u++)
    for (unsigned v = u + 1; v <= g->vertices; v++)
      for (unsigned w = v + 1; g->edge[u][v] && w <= g->vertices; w++)
        num += g->edge[u][w] && g->edge[v][w];
  return num;
}

/// One superstep: the edges {v, w} with v from `first` to `last` are the table, and all candidates
/// with such a v are sent. It is added to the job, whose pairs it replaces.
static inline void job_superstep(struct job *j, struct job_graph *g, unsigned first,
                                 unsigned last) {
  j->num_pairs = 0;
  j->pair = realloc(j->pair, (g->edges + 1) * sizeof *j->pair);
  if (!j->pair) abort();
  for (unsigned v = first; v <= last; v++)
    for (unsigned w = v + 1; w <= g->vertices; w++)
      if (g->edge[v][w]) j->pair[j->num_pairs++] = (struct job_pair){v << 16 | w, 1};
  for (unsigned u = 1; u <= g->vertices; u++)
    for (unsigned v = first > u ? first : u + 1; v <= last; v++) {
      struct job_packet *p = NULL;
      unsigned n = 0, found = 0;
      for (unsigned w = v + 1; g->edge[u][v] && w <= g->vertices; w++) {
        if (!g->edge[u][w]) continue;
        if (!p) {
          p = job_add(j);
          sluice_put(p->bytes + 48, 2, u);
          memcpy(p->wanted, p->bytes, sizeof p->wanted);
          n = found = 0;
        }
        job_word(p->bytes, n, v << 16 | w);
        job_word(p->wanted, n, g->edge[v][w]);
        g->counted[u][n] += g->edge[v][w];
        found |= (unsigned)g->edge[v][w] << n;
        sluice_put(p->wanted + 50, 2, found);
        p->out = found ? (int)(u & 7) : JOB_DROPPED;
        if (++n == JOB_WORDS) p = NULL;
      }
    }
}

/// Questions, one a vertex.
static inline void job_ask(struct job *j, const struct job_graph *g) {
  job_gap(j, 1);
  for (unsigned u = 1; u <= g->vertices; u++) {
    struct job_packet *p = job_add(j);
    sluice_put(p->bytes + 46, 2, 1);
    sluice_put(p->bytes + 48, 2, u);
    memcpy(p->wanted, p->bytes, sizeof p->wanted);
    for (unsigned i = 0; i < JOB_WORDS; i++) job_word(p->wanted, i, g->counted[u][i]);
  }
  j->total = job_triangles_of(g);
}

/// The triangles that the answers say.
static inline uint64_t job_total(const uint8_t *answer) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < JOB_WORDS; i++) sum += sluice_get(answer + JOB_AT + 4 * i, 4);
  return sum;
}
