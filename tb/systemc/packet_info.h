// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_SYSTEMC_PACKET_INFO_H
#define SLUICE_SYSTEMC_PACKET_INFO_H

#include <cstdint>
#include <tlm>

namespace sluice {

/// What a packet's generic payload carries beside its bytes. On the way in it may be left out.
struct packet_info : tlm::tlm_extension<packet_info> {
  bool bad = false;     // in: the port found the packet damaged; the chip drops it
  uint32_t ticket = 0;  // out: its place in the one order of all packets

  tlm::tlm_extension_base *clone() const override { return new packet_info(*this); }
  void copy_from(const tlm::tlm_extension_base &from) override {
    const packet_info &info = static_cast<const packet_info &>(from);
    bad = info.bad;
    ticket = info.ticket;
  }
};

}  // namespace sluice

#endif
