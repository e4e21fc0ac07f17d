// SPDX-License-Identifier: Apache-2.0
#include "sockets.h"

#include <cstdio>

extern "C" {
#include "base/layouts.h"
}

namespace sluice {

enum {
  ID = SLUICE_CHIP_BASE + SLUICE_CHIP_ID,
  STATUS = SLUICE_CHIP_BASE + SLUICE_CHIP_STATUS,
  BITMAP = SLUICE_CHIP_BASE + SLUICE_CHIP_BITMAP,
  PACKETS = SLUICE_LANE_BASE + SLUICE_LANE_PACKETS,
  MALFORMED = SLUICE_LANE_BASE + SLUICE_LANE_DROP + 4 * SLUICE_DROP_MALFORMED,
  UNKNOWN = SLUICE_LANE_BASE + SLUICE_LANE_DROP + 4 * SLUICE_DROP_UNKNOWN_MODULE,
  VID = 5,
  NOWHERE = 0xffff0,
  LONG = 1500,
  CONTROL_SOCKET = 1000,  // in place of a port
};

socket_check::socket_check(sc_core::sc_module_name name, unsigned ports)
    : sc_module(name), chip_("chip", ports), out_("out", ports), in_("in", ports + 1) {
  SC_HAS_PROCESS(socket_check);
  chip_.clk_i(time_.clock);
  chip_.rst_ni(time_.reset_n);
  registers_.bind(chip_.registers);
  control_.bind(chip_.control_in);
  for (unsigned p = 0; p <= ports; p++)
    in_[p].register_b_transport(this, &socket_check::take, int(p));
  for (unsigned p = 0; p < ports; p++) {
    out_[p].bind(chip_.in[p]);
    chip_.out[p].bind(in_[p]);
  }
  chip_.control_out.bind(in_[ports]);
  SC_THREAD(run);
}

void socket_check::take(int, tlm::tlm_generic_payload &payload, sc_core::sc_time &) {
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void socket_check::expect(const char *sentence, bool good) {
  std::printf("%s %u - %s\n", good ? "ok" : "not ok", ++tests_, sentence);
  failed |= !good;
}

tlm::tlm_response_status socket_check::access(tlm::tlm_command command, uint64_t addr,
                                              unsigned len) {
  tlm::tlm_generic_payload payload;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  uint8_t bytes[8] = {};
  std::memcpy(bytes, &word_, sizeof word_);
  payload.set_command(command);
  payload.set_address(addr);
  payload.set_data_ptr(bytes);
  payload.set_data_length(len);
  payload.set_streaming_width(len);
  if (use_enable_) {
    payload.set_byte_enable_ptr(enable_);
    payload.set_byte_enable_length(len);
  }
  registers_->b_transport(payload, delay);
  std::memcpy(&word_, bytes, sizeof word_);
  return payload.get_response_status();
}

uint32_t socket_check::read(uint32_t addr) {
  return access(tlm::TLM_READ_COMMAND, addr, 4) == tlm::TLM_OK_RESPONSE ? word_ : 0;
}

// A packet of a VLAN that has no program: the chip has none at all, so it counts and drops it.
tlm::tlm_response_status socket_check::send(unsigned port, size_t len, bool bad) {
  std::vector<uint8_t> bytes(len);
  tlm::tlm_generic_payload payload;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  packet_info info;
  info.bad = bad;
  if (len > 15) bytes[12] = 0x81, bytes[15] = VID;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_data_ptr(bytes.data());
  payload.set_data_length(unsigned(len));
  payload.set_streaming_width(unsigned(len));
  payload.set_extension(&info);
  if (port == CONTROL_SOCKET)
    control_->b_transport(payload, delay);
  else
    out_[port]->b_transport(payload, delay);
  payload.clear_extension(&info);
  return payload.get_response_status();
}

void socket_check::check_registers() {
  const auto READ = tlm::TLM_READ_COMMAND, WRITE = tlm::TLM_WRITE_COMMAND;
  word_ = 0;
  expect("a register is read", access(READ, ID, 4) == tlm::TLM_OK_RESPONSE);
  expect("it is the hash of the layouts", word_ == sluice_layout_hash());
  word_ = 6;
  expect("one is written", access(WRITE, BITMAP, 4) == tlm::TLM_OK_RESPONSE && read(BITMAP) == 6);
  expect("no register at an address", access(READ, NOWHERE, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  expect("an address behind all", access(READ, 1 << 20, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  expect("an address between two", access(READ, ID + 2, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  expect("a write that the chip refuses", access(WRITE, ID, 4) == tlm::TLM_GENERIC_ERROR_RESPONSE);
  expect("two registers at once", access(READ, ID, 8) == tlm::TLM_BURST_ERROR_RESPONSE);
  expect("neither read nor write",
         access(tlm::TLM_IGNORE_COMMAND, ID, 4) == tlm::TLM_COMMAND_ERROR_RESPONSE);
  use_enable_ = true;
  expect("byte enables", access(WRITE, BITMAP, 4) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  use_enable_ = false;
  expect("and nothing of that was written", read(BITMAP) == 6);

  tlm::tlm_generic_payload payload;
  sc_core::sc_time delay = time_.cycles(100);
  const uint64_t before = time_.cycle();
  payload.set_command(READ);
  payload.set_address(ID);
  payload.set_data_ptr(reinterpret_cast<uint8_t *>(&word_));
  payload.set_data_length(4);
  payload.set_streaming_width(4);
  registers_->b_transport(payload, delay);
  expect("a delay is waited for, and gone",
         delay == sc_core::SC_ZERO_TIME && time_.cycle() - before >= 100);
}

void socket_check::check_packets() {
  const uint64_t before = time_.cycle();
  expect("a packet goes in", send(0, LONG, false) == tlm::TLM_OK_RESPONSE);
  const uint64_t beats = (LONG + packet_switch::beat_bytes - 1) / packet_switch::beat_bytes;
  expect("its call takes as many cycles as it has beats",
         time_.cycle() - before >= beats && time_.cycle() - before <= beats + 1);
  expect("one that its port found damaged", send(0, LONG, true) == tlm::TLM_OK_RESPONSE);
  expect("an empty one is refused", send(0, 0, false) == tlm::TLM_BURST_ERROR_RESPONSE);
  wait(time_.cycles(100));
  expect("the chip has counted both", read(PACKETS) == 2);
  expect("one as of no program, one as damaged", read(UNKNOWN) == 1 && read(MALFORMED) == 1);
}

void socket_check::check_reset() {
  const auto FAILED = tlm::TLM_GENERIC_ERROR_RESPONSE;
  tlm::tlm_response_status packet = tlm::TLM_INCOMPLETE_RESPONSE, frame = packet, reg = packet;
  sc_core::sc_spawn([&] { packet = send(0, LONG, false); });
  wait(time_.cycles(3));
  sc_core::sc_spawn([&] { frame = send(CONTROL_SOCKET, LONG, false); });
  sc_core::sc_spawn([&] { reg = access(tlm::TLM_READ_COMMAND, ID, 4); });
  time_.reset();
  expect("a reset ends packets, frames and accesses with an error",
         packet == FAILED && frame == FAILED && reg == FAILED);
  while (!(read(STATUS) & 1)) wait(time_.cycles(16));
  expect("then the chip is as new", read(PACKETS) == 0 && read(UNKNOWN) == 0);
  expect("and takes packets", send(0, 64, false) == tlm::TLM_OK_RESPONSE);
  wait(time_.cycles(100));
  expect("which it counts", read(PACKETS) == 1 && read(UNKNOWN) == 1);
}

void socket_check::run() {
  time_.reset();
  while (!(read(STATUS) & 1)) wait(time_.cycles(16));
  check_registers();
  check_packets();
  check_reset();
  std::printf("1..%u\n", tests_);
  sc_core::sc_stop();
}

}  // namespace sluice
