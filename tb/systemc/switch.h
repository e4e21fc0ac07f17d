// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_SYSTEMC_SWITCH_H
#define SLUICE_SYSTEMC_SWITCH_H

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <deque>
#include <systemc>
#include <vector>

#include "Vchip.h"
#include "packet_info.h"
#include "pins.h"

namespace sluice {

/// The chip as a SystemC module (docs/ip.md): clock, reset, and TLM-2.0 sockets in place of
/// its pins.
///
///     sluice::packet_switch chip("chip", 4);                 // a shape with four ports
///     chip.clk_i(clock);
///     chip.rst_ni(reset_n);
///     driver.registers.bind(chip.registers);
///     for (unsigned p = 0; p < 4; p++) {
///       source.out[p].bind(chip.in[p]);
///       chip.out[p].bind(sink.in[p]);
///     }
///
/// All sockets must be bound. Calls of targets block (b_transport): a packet until its last beat is
/// in, a register until it is answered. They wait for a delay that comes with the payload first.
/// There is no DMI and no debug transport: a register may have an effect when it is read.
///
/// Time: outputs are sampled at the rising edge of clk_i, inputs are driven at the falling edge. So
/// what an initiator does at a rising edge, or in the half cycle behind it, is at the chip's inputs
/// at the next rising edge, and packets whose calls follow one another at once enter a lane back to
/// back.
class packet_switch : public sc_core::sc_module {
 public:
  static constexpr unsigned lanes = width_of<pins_of<decltype(Vchip::rx_valid_i)>>::value;
  static constexpr unsigned beat_bytes = width_of<pins_of<decltype(Vchip::rx_data_i)>>::value / 8 /
                                         lanes;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  /// Active low, for at least two cycles. What waits then is answered TLM_GENERIC_ERROR_RESPONSE.
  sc_core::sc_in<bool> rst_ni{"rst_ni"};

  /// Registers: READ or WRITE of the 4 bytes at an address, a word of the host's byte order.
  /// TLM_ADDRESS_ERROR_RESPONSE: there is none (DECERR); TLM_GENERIC_ERROR_RESPONSE: the chip
  /// refuses it (SLVERR).
  tlm_utils::simple_target_socket<packet_switch> registers{"registers"};
  /// Reconfiguration frames in (WRITE, address ignored), and the chip's answers out.
  tlm_utils::simple_target_socket<packet_switch> control_in{"control_in"};
  tlm_utils::simple_initiator_socket<packet_switch> control_out{"control_out"};
  /// Packets, one a WRITE, a socket a port. An output that waits in b_transport holds up the ports
  /// of its lane, when one more packet has come together behind it.
  sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<packet_switch>> in{"in"};
  sc_core::sc_vector<tlm_utils::simple_initiator_socket<packet_switch>> out{"out"};

  packet_switch(sc_core::sc_module_name name, unsigned ports);

 private:
  /// A packet on its way in. It belongs to the thread that waits in b_transport.
  struct arriving {
    const uint8_t *bytes;
    size_t len, sent;  // sent: bytes that the chip has taken
    unsigned port;
    bool bad, done, failed;
  };
  /// A stream into the chip: a lane, or the control port.
  struct inlet {
    std::deque<arriving *> waiting;
    size_t on_pins = 0;  // bytes of the first one that are at the chip's inputs
    sc_core::sc_event done;
  };
  struct packet {
    std::vector<uint8_t> bytes;
    unsigned port;
    uint32_t ticket;
  };
  /// A stream out of the chip.
  struct outlet {
    std::vector<uint8_t> beats;   // of a packet that is not whole yet
    std::deque<packet> finished;  // the first is being delivered
    bool ready = false;           // as the chip sees it
    sc_core::sc_event arrived;
  };
  /// The access of a register that is under way.
  struct access {
    bool busy = false, on_pins = false, write = false;
    bool awvalid = false, wvalid = false, arvalid = false;
    uint32_t addr = 0, data = 0;
    unsigned response = 0;  // of AXI
    sc_core::sc_event done;
  };

  void access_register(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay);
  void take_control(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay);
  void take_packet(int port, tlm::tlm_generic_payload &payload, sc_core::sc_time &delay);
  void take(inlet &into, unsigned port, tlm::tlm_generic_payload &payload, sc_core::sc_time &delay);

  void sample();  // at the rising edge
  void drive();   // at the falling edge
  void give_up();
  void taken(inlet &from);
  size_t next_beat(inlet &from, bool *last);
  void collect(outlet &into, const uint8_t *bytes, size_t len, bool last, unsigned port,
               uint32_t ticket);
  void sample_register();
  void deliver(outlet &from, bool control);

  Vchip chip_{"chip"};
  inlet lane_in_[lanes], control_into_;
  outlet lane_out_[lanes], control_from_;
  access access_;

  // The pins, by their names in the chip.
#define SLUICE_PIN(NAME) signal_of<decltype(Vchip::NAME)> NAME{#NAME};
#include "pins.def"
#undef SLUICE_PIN
  // What drive() writes next.
  pins_of<decltype(Vchip::rx_valid_i)> valid_{}, last_{}, err_{}, ready_{};
  pins_of<decltype(Vchip::rx_data_i)> data_{};
  pins_of<decltype(Vchip::rx_keep_i)> keep_{};
  pins_of<decltype(Vchip::rx_port_i)> port_{};
};

}  // namespace sluice

#endif
