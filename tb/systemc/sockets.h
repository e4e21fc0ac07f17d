// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_SYSTEMC_SOCKETS_H
#define SLUICE_SYSTEMC_SOCKETS_H

#include <string>
#include <vector>

#include "switch.h"
#include "timebase.h"

namespace sluice {

/// Checks what switch.h promises of the sockets: each kind of access that is refused, delays,
/// resets in the middle of an access, packets that their port found damaged. Needs no program on
/// the chip.
class socket_check : public sc_core::sc_module {
 public:
  bool failed = false;

  socket_check(sc_core::sc_module_name name, unsigned ports);

 private:
  void run();
  void check_registers();
  void check_packets();
  void check_reset();
  /// One test: prints "ok" or "not ok".
  void expect(const char *sentence, bool good);
  tlm::tlm_response_status access(tlm::tlm_command command, uint64_t addr, unsigned len);
  tlm::tlm_response_status send(unsigned port, size_t len, bool bad);
  uint32_t read(uint32_t addr);
  void take(int port, tlm::tlm_generic_payload &payload, sc_core::sc_time &delay);

  timebase time_{"time"};
  packet_switch chip_;
  tlm_utils::simple_initiator_socket<socket_check> registers_{"registers"}, control_{"control"};
  sc_core::sc_vector<tlm_utils::simple_initiator_socket<socket_check>> out_;
  sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<socket_check>> in_;
  uint32_t word_ = 0;                       // of the last access
  uint8_t enable_[8] = {0xff, 0xff, 0, 0};  // byte enables of the next access, if use_enable_
  bool use_enable_ = false;
  unsigned tests_ = 0;
};

}  // namespace sluice

#endif
