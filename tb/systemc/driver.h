// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_SYSTEMC_DRIVER_H
#define SLUICE_SYSTEMC_DRIVER_H

#include <sluice/transport.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <deque>
#include <systemc>
#include <vector>

#include "timebase.h"

namespace sluice {

/// The way of the driver library to a chip in SystemC: its calls become payloads.
///
///     struct sluice_transport to = driver.transport();
///     status = sluice_chip_open(&chip, &to, NULL, &error);
///
/// The calls block by waiting in SystemC, so the library runs in an SC_THREAD. Its frames on the
/// stack are some kilobytes: set_stack_size(1 << 20). Data ports belong to whoever is bound to the
/// chip's: packet_send is refused.
class driver : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<driver> registers{"registers"}, control{"control"};
  tlm_utils::simple_target_socket<driver> answers{"answers"};

  driver(sc_core::sc_module_name name, timebase &time);
  /// Lives as long as the module.
  struct sluice_transport transport();

 private:
  static const struct sluice_transport_ops ops_;
  void take_answer(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay);
  static enum sluice_status reg(void *self, tlm::tlm_command command, uint32_t addr,
                                uint32_t *value, struct sluice_error *error);
  static enum sluice_status csr_read(void *self, uint32_t addr, uint32_t *value,
                                     struct sluice_error *error);
  static enum sluice_status csr_write(void *self, uint32_t addr, uint32_t value,
                                      struct sluice_error *error);
  static enum sluice_status control_send(void *self, const uint8_t *bytes, size_t len,
                                         struct sluice_error *error);
  static enum sluice_status control_receive(void *self, uint8_t *bytes, size_t room, size_t *len,
                                            struct sluice_error *error);
  static enum sluice_status wait_cycles(void *self, uint64_t cycles, struct sluice_error *error);
  static enum sluice_status reset(void *self, struct sluice_error *error);

  timebase &time_;
  std::deque<std::vector<uint8_t>> waiting_;  // answers that nobody has received yet
  sc_core::sc_event arrived_;
};

}  // namespace sluice

#endif
