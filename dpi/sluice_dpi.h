// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <svdpi.h>

/// The contract between tb/sluice/tb_sluice.sv and C: open once, tick at every rising clock edge
/// outside reset, close once. The meaning of each argument stands in tb_sluice.sv.

/// Reads the job file, or begins to serve (sim.h). When the run cannot start (layouts differ, bad
/// job) it ends the program, after a message and with code 1: the simulator's own way to end,
/// $finish, gives 0.
void sluice_dpi_open(const char *job, unsigned layout_hash, unsigned num_pipes, unsigned num_ports,
                     unsigned back_stages, unsigned shown_words);

/// Shows C what the chip shows in this cycle and returns what drives it in the next. Returns 1 when
/// the run is over, 2 when the chip is to be reset: C is called again when it is out of reset, and
/// counts cycles from 0.
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
    svBitVecVal *csr_wdata);

/// Writes the results. Ends the program with code 1 if the run could not be carried out or written
/// down; else returns 0.
int sluice_dpi_close(void);
