// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_SYSTEMC_TRAFFIC_H
#define SLUICE_SYSTEMC_TRAFFIC_H

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "timebase.h"

struct sluice_config;

namespace sluice {

/// What goes wrong on purpose, so that tests show that it is seen: packet `number`, counted from 1,
/// is lost, is a byte shorter, or has another value in a byte.
struct fault {
  enum { none, lose, cut, flip } what = none;
  uint64_t number = 0;

  /// Whether the packet goes on. `bytes` may change.
  bool apply(std::vector<uint8_t> &bytes, uint64_t at) const;
};

/// Plays a capture into a chip as `sluice run --pace-by time` does: the same ports, and each packet
/// as soon as its lane is free and the cycle of its time stamp (1 ns each, from the first packet
/// on) has come.
class source : public sc_core::sc_module {
 public:
  sc_core::sc_vector<tlm_utils::simple_initiator_socket<source>> out;  // a socket a port
  sc_core::sc_event done;                                              // the last packet is in

  source(sc_core::sc_module_name name, const struct sluice_config *config, timebase &time);
  /// Reads a capture; packets without a VLAN tag get that of `vid`. Returns what is wrong, or
  /// nothing.
  std::string load(const std::string &path, unsigned vid, const fault &broken);
  /// Begins to play: the first packet may go in behind the end of cycle `start`.
  void play(uint64_t start);
  size_t num_packets() const { return num_packets_; }

 private:
  struct frame {
    std::vector<uint8_t> bytes;
    unsigned port;
    uint64_t due;  // cycles from the start on
  };
  void play_lane(unsigned lane);

  const struct sluice_config *config_;
  timebase &time_;
  std::vector<std::vector<frame>> lanes_;
  size_t num_packets_ = 0, left_ = 0;
  uint64_t start_ = 0;
  sc_core::sc_event begin_;
};

/// Takes what leaves a chip, and writes it as a capture: ports are interfaces, times are cycles as
/// of `start`.
class sink : public sc_core::sc_module {
 public:
  sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<sink>> in;  // a socket a port

  /// Takes `slow` cycles for each packet; the lane waits meanwhile.
  sink(sc_core::sc_module_name name, unsigned ports, unsigned lanes, timebase &time, unsigned slow);
  /// Returns what is wrong, or nothing.
  std::string write(const std::string &path, uint64_t start, const fault &broken);
  size_t num_packets() const { return packets_.size(); }
  /// The end of the cycle in which the last packet came.
  uint64_t last_cycle() const { return packets_.empty() ? 0 : packets_.back().cycle; }

 private:
  struct packet {
    uint64_t cycle;
    unsigned port;
    uint32_t ticket;
    std::vector<uint8_t> bytes;
  };
  void take(int port, tlm::tlm_generic_payload &payload, sc_core::sc_time &delay);

  timebase &time_;
  const unsigned lanes_, slow_;
  std::vector<packet> packets_;
};

}  // namespace sluice

#endif
