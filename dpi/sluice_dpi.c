// SPDX-License-Identifier: Apache-2.0
// Unpacks the bit vectors of the call into structs and back; everything else is in sim.c.
#include "sluice_dpi.h"

#include <stdlib.h>
#include <string.h>

#include "pins.h"
#include "sim.h"

static struct sim *sim;
static struct pins_out out;
static struct pins_in in;
static unsigned num_pipes, back_stages, shown_words;

static bool bit(const svBitVecVal *v, unsigned n) { return v[n / 32] >> (n % 32) & 1; }
static uint64_t word64(const svBitVecVal *v) { return (uint64_t)v[1] << 32 | v[0]; }

static void put_bit(svBitVecVal *v, unsigned n, bool value) {
  v[n / 32] = (v[n / 32] & ~(1u << n % 32)) | (uint32_t)value << n % 32;
}
static void put64(svBitVecVal *v, uint64_t value) {
  v[0] = (svBitVecVal)value;
  v[1] = (svBitVecVal)(value >> 32);
}

void sluice_dpi_open(const char *job, unsigned layout_hash, unsigned pipes, unsigned ports,
                     unsigned stages, unsigned shown) {
  num_pipes = pipes;
  back_stages = stages;
  shown_words = shown;
  sim = sim_open(job, layout_hash, pipes, ports, stages);
  if (!sim) exit(EXIT_FAILURE);
}

static void unpack_events(const svBitVecVal *lane_event, const svBitVecVal *deal_event,
                          const svBitVecVal *order_event, const svBitVecVal *state_event,
                          const svBitVecVal *exit_event, const svBitVecVal *egress_event) {
  for (unsigned p = 0; p < num_pipes; p++) {
    out.lane[p] = (struct lane_event){lane_event[p] >> 31,           lane_event[p] & 31,
                                      lane_event[p] >> 30 & 1,       lane_event[p] >> 29 & 1,
                                      lane_event[p] >> 5 & 0xffffff, deal_event[p] >> 30 & 1,
                                      deal_event[p] >> 31,           deal_event[p] & 15};
    struct order_event *o = &out.order[p];
    o->done = order_event[p] >> 31;
    o->reason = order_event[p] >> 26 & 31;
    o->mark = order_event[p] >> 25 & 1;
    o->held = order_event[p] >> 20 & 31;
    o->tag = order_event[p] & 0xfffff;
    const svBitVecVal *e = exit_event + 6 * p;
    out.exit[p].done = e[5] >> 31;
    if (out.exit[p].done) {
      out.exit[p].reason = e[5] >> 26 & 31;
      out.exit[p].unpaid = e[5] >> 25 & 1;
      out.exit[p].deep = e[5] >> 24 & 1;
      out.exit[p].held = e[5] & 0xffff;
      out.exit[p].ticket = e[4];
      out.exit[p].accepted = word64(e + 2);
      out.exit[p].refused = word64(e);
    }
    const svBitVecVal *g = egress_event + 3 * p;
    out.egress[p] =
        (struct egress_event){g[2] >> 31,       g[2] >> 30 & 1, g[2] >> 29 & 1, g[2] >> 28 & 1,
                              g[2] >> 8 & 0xff, g[2] & 0xff,    g[1],           g[0]};
  }
  if (!out.state_any) return;
  for (unsigned s = 0; s < back_stages; s++)
    for (unsigned p = 0; p < num_pipes; p++) {
      const svBitVecVal *e = state_event + 2 * (s * num_pipes + p);
      out.state[s][p] = (struct state_event){e[1] >> 31, e[1] >> 30 & 1, e[1] & 0xffff, e[0]};
    }
}

// Words of arrays and containers of 2 bytes, in a chip with an array match.
static void unpack_shown(const svBitVecVal *shown_event) {
  enum { B2_WORDS = 4, ARRAY_WORDS = 16 };
  if (shown_words < B2_WORDS + ARRAY_WORDS) return;
  for (unsigned p = 0; p < num_pipes; p++) {
    if (!out.order[p].done) continue;
    const svBitVecVal *s = shown_event + shown_words * p;
    for (unsigned i = 0; i < 2 * B2_WORDS; i++)
      out.order[p].b2[i] = (uint16_t)(s[i / 2] >> 16 * (i % 2));
    memcpy(out.order[p].words, s + B2_WORDS, ARRAY_WORDS * sizeof *s);
  }
}

int sluice_dpi_tick(
    const svBitVecVal *tx_valid, const svBitVecVal *tx_data, const svBitVecVal *tx_keep,
    const svBitVecVal *tx_last, const svBitVecVal *tx_port, const svBitVecVal *tx_ticket,
    const svBitVecVal *ctl_flags, const svBitVecVal *ctl_tx_data, const svBitVecVal *csr_flags,
    const svBitVecVal *csr_rdata, const svBitVecVal *lane_event, const svBitVecVal *deal_event,
    const svBitVecVal *order_event, const svBitVecVal *shown_event, const svBitVecVal *state_any,
    const svBitVecVal *state_event, const svBitVecVal *exit_event, const svBitVecVal *egress_event,
    const svBitVecVal *mark_event, const svBitVecVal *cut_event, const svBitVecVal *flip_event,
    const svBitVecVal *deepest, const svBitVecVal *bank, svBitVecVal *rx_valid,
    svBitVecVal *rx_data, svBitVecVal *rx_keep, svBitVecVal *rx_last, svBitVecVal *rx_err,
    svBitVecVal *rx_port, svBitVecVal *tx_ready, svBitVecVal *ctl_drive, svBitVecVal *ctl_rx_data,
    svBitVecVal *ctl_rx_keep, svBitVecVal *csr_drive, svBitVecVal *csr_addr,
    svBitVecVal *csr_wdata) {
  for (unsigned p = 0; p < num_pipes; p++) {
    struct beat *b = &out.tx[p];
    b->valid = bit(tx_valid, p);
    if (!b->valid) continue;
    b->last = bit(tx_last, p);
    b->keep = word64(tx_keep + 2 * p);
    b->port = tx_port[p];
    b->ticket = tx_ticket[p];
    memcpy(b->data, tx_data + 16 * p, MAX_BEAT_BYTES);
  }
  out.ctl_rx_ready = ctl_flags[0] & 1;
  out.ctl_tx.valid = ctl_flags[0] >> 1 & 1;
  out.ctl_tx.last = ctl_flags[0] >> 2 & 1;
  if (out.ctl_tx.valid) memcpy(out.ctl_tx.data, ctl_tx_data, MAX_BEAT_BYTES);
  out.awready = csr_flags[0] & 1;
  out.wready = csr_flags[0] >> 1 & 1;
  out.bvalid = csr_flags[0] >> 2 & 1;
  out.bresp = csr_flags[0] >> 3 & 3;
  out.arready = csr_flags[0] >> 5 & 1;
  out.rvalid = csr_flags[0] >> 6 & 1;
  out.rresp = csr_flags[0] >> 7 & 3;
  out.rdata = csr_rdata[0];
  out.state_any = state_any[0] & 1;
  out.deepest = deepest[0];
  out.bank = bank[0];
  const svBitVecVal *m = mark_event;
  out.mark =
      (struct mark_event){m[2] >> 31, m[2] >> 30 & 1, m[2] >> 8 & 0xff, m[2] & 0xff, m[1], m[0]};
  out.cut = (struct cut_event){cut_event[2] >> 31, cut_event[1], cut_event[0]};
  out.flip = (struct cut_event){flip_event[2] >> 31, flip_event[1], flip_event[0]};
  unpack_events(lane_event, deal_event, order_event, state_event, exit_event, egress_event);
  unpack_shown(shown_event);

  int over = sim_tick(sim, &out, &in);

  for (unsigned p = 0; p < num_pipes; p++) {
    const struct beat *b = &in.rx[p];
    put_bit(rx_valid, p, b->valid);
    put_bit(tx_ready, p, in.tx_ready[p]);
    if (!b->valid) continue;
    put_bit(rx_last, p, b->last);
    put_bit(rx_err, p, b->err);
    put64(rx_keep + 2 * p, b->keep);
    rx_port[p] = b->port;
    memcpy(rx_data + 16 * p, b->data, MAX_BEAT_BYTES);
  }
  ctl_drive[0] = (svBitVecVal)(in.ctl_rx.valid | in.ctl_rx.last << 1 | in.ctl_tx_ready << 2);
  if (in.ctl_rx.valid) {
    memcpy(ctl_rx_data, in.ctl_rx.data, MAX_BEAT_BYTES);
    put64(ctl_rx_keep, in.ctl_rx.keep);
  }
  csr_drive[0] = (svBitVecVal)(in.awvalid | in.wvalid << 1 | in.bready << 2 | in.arvalid << 3 |
                               in.rready << 4);
  csr_addr[0] = in.addr;
  csr_wdata[0] = in.wdata;
  return over;
}

int sluice_dpi_close(void) {
  int bad = sim_close(sim);
  sim = NULL;
  if (bad) exit(EXIT_FAILURE);
  return 0;
}
