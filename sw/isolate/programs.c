// SPDX-License-Identifier: Apache-2.0
// The programs of pairs. All fit on tiny: one front stage with one hash unit, two back stages.
#include <stdio.h>

#include "../base/rng.h"
#include "isolate.h"

#define FIELDS(SPORT, DPORT)                                                                     \
  "struct Packet { int sport @ " SPORT "; int dport @ " DPORT "; int x @ bytes(46, 4); int y @ " \
  "bytes(50, 4);\n"                                                                              \
  "  int port_out @ meta.port_out; int drop @ meta.discard; int i; };\n"
static const char of_udp[] = FIELDS("udp.sport", "udp.dport"),
                  of_any[] = FIELDS("bytes(38, 2)", "bytes(40, 2)");

// A does work whose outcome depends on everything that could go wrong: counts, an order that shows,
// a drop by state.
static const char *const of_a[] = {
    // Spread over all pipelines; the count goes into the packet.
    "int t[64];\nvoid a(struct Packet p) { p.i = p.sport & 63; t[p.i] += 1; p.x = t[p.i]; "
    "p.port_out = p.dport & %u; }\n",
    // One word: every packet has its place in the order.
    "int s = 7;\nvoid a(struct Packet p) { s = s + 1; p.x = s; p.port_out = p.dport & %u; }\n",
    // No state.
    "void a(struct Packet p) { p.y = p.x + p.y; p.port_out = p.dport & %u; }\n",
    // Every second packet of an entry is dropped.
    "int t[32];\nvoid a(struct Packet p) { p.i = p.sport & 31; t[p.i] += 1; p.x = t[p.i]; p.drop = "
    "t[p.i] & 1; p.port_out = p.dport & %u; }\n",
    // The largest number so far.
    "int most[32];\nvoid a(struct Packet p) { p.i = p.sport & 31; if (p.x > most[p.i]) most[p.i] = "
    "p.x; p.y = most[p.i]; p.port_out = p.dport & %u; }\n",
    // Two states of different stages.
    "int t[48];\nint u[48];\nvoid a(struct Packet p) { p.i = p.sport & 15; t[p.i] += p.x; u[p.i] "
    "+= 1; p.y = t[p.i]; p.x = u[p.i];\n"
    "  p.port_out = p.dport & %u; }\n",
};

static const char *const of_b[] = {
    // One word for all packets, and all outputs.
    "int s;\nvoid b(struct Packet p) { s = s + p.x; p.y = s; p.port_out = p.dport & %u; }\n",
    // Hot sets: the low bits of sport are few at a time.
    "int t[64];\nvoid b(struct Packet p) { p.i = p.sport & 63; t[p.i] += 1; p.x = t[p.i]; "
    "p.port_out = p.dport & %u; }\n",
    // Indices from anywhere.
    "int t[40];\nvoid b(struct Packet p) { t[p.x] = p.y; p.x = t[p.x]; p.port_out = p.dport & %u; "
    "}\n",
    // One pipeline of two: even entries alone.
    "int t[64];\nvoid b(struct Packet p) { p.i = p.sport & 62; t[p.i] += 1; p.port_out = p.dport & "
    "%u; }\n",
    // Two stages, both hot.
    "int s;\nint t[64];\nvoid b(struct Packet p) { s = s + 1; p.i = p.sport & 62; t[p.i] += p.y; "
    "p.x = s; p.port_out = p.dport & %u; }\n",
    // Ports that there are not, and a drop by state.
    "int s;\nvoid b(struct Packet p) { s = s + 1; p.drop = p.y & 1; p.port_out = p.dport + %u; }\n",
    // Where MODULE.DEST says: to several ports.
    "int t[16];\nvoid b(struct Packet p) { p.i = p.sport & 15; t[p.i] = p.x; p.y = t[p.i] + %u; "
    "}\n",
    // No state, one port.
    "void b(struct Packet p) { p.y = p.x ^ p.y; p.port_out = p.i & %u; }\n",
};
enum { NUM_A = sizeof of_a / sizeof of_a[0], NUM_B = sizeof of_b / sizeof of_b[0] };

static void program(char *text, size_t size, const char *options, const char *body, unsigned mask,
                    bool udp) {
  const int n = snprintf(text, size, "%s%s", options, udp ? of_udp : of_any);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  snprintf(text + n, size - (size_t)n, body, mask);
#pragma GCC diagnostic pop
}

// Packets keep their order only if a program asks for it (docs/programs.md), and that takes a stage
// with state: the last program has none left.
void isolate_program_a(char *text, size_t size, struct sluice_rng *rng, bool udp) {
  const unsigned which = (unsigned)sluice_rng_below(rng, NUM_A);
  const bool ordered = which + 1 < NUM_A && sluice_rng_below(rng, 2);
  program(text, size, ordered ? ISOLATE_ORDERED : "", of_a[which],
          sluice_rng_below(rng, 2) ? 3 : (unsigned)sluice_rng_below(rng, 2), udp);
}
void isolate_program_b(char *text, size_t size, struct sluice_rng *rng, bool udp) {
  program(text, size, "", of_b[sluice_rng_below(rng, NUM_B)],
          sluice_rng_below(rng, 2) ? 3 : (unsigned)sluice_rng_below(rng, 4), udp);
}
