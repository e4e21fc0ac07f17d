// SPDX-License-Identifier: Apache-2.0
#include "switch.h"

#include <algorithm>

namespace sluice {

using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using tlm::tlm_generic_payload;

namespace {

enum { SLVERR = 2, DECERR = 3, REGISTER_SPACE = 1 << 20, WHOLE_WORD = 0xf };

uint64_t keep_of(size_t bytes) {
  return bytes < 64 ? (UINT64_C(1) << bytes) - 1 : UINT64_MAX;
}

// What no target here does.
bool unusual(tlm_generic_payload &payload) {
  if (payload.get_byte_enable_ptr())
    payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  else if (payload.get_streaming_width() < payload.get_data_length())
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
  else
    return false;
  return true;
}

void wait_for(sc_time &delay) {
  if (delay != SC_ZERO_TIME) sc_core::wait(delay);
  delay = SC_ZERO_TIME;
}

}  // namespace

packet_switch::packet_switch(sc_core::sc_module_name name, unsigned ports)
    : sc_module(name), in("in", ports), out("out", ports) {
  SC_HAS_PROCESS(packet_switch);
  if (ports < lanes) SC_REPORT_FATAL("sluice", "there are fewer ports than lanes");
  chip_.clk_i(clk_i);
  chip_.rst_ni(rst_ni);
#define SLUICE_PIN(NAME) chip_.NAME(NAME);
#include "pins.def"
#undef SLUICE_PIN
  registers.register_b_transport(this, &packet_switch::access_register);
  control_in.register_b_transport(this, &packet_switch::take_control);
  for (unsigned p = 0; p < ports; p++)
    in[p].register_b_transport(this, &packet_switch::take_packet, int(p));
  SC_METHOD(sample);
  sensitive << clk_i.pos();
  dont_initialize();
  SC_METHOD(drive);
  sensitive << clk_i.neg();
  dont_initialize();
  for (outlet &o : lane_out_) sc_core::sc_spawn([this, &o] { deliver(o, false); });
  sc_core::sc_spawn([this] { deliver(control_from_, true); });
}

// ---- what initiators call -----------------------------------------------------------------------

void packet_switch::access_register(tlm_generic_payload &payload, sc_time &delay) {
  if (payload.get_address() >= REGISTER_SPACE || payload.get_address() % 4)
    return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  if (payload.get_data_length() != 4)
    return payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND)
    return payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
  if (unusual(payload)) return;
  wait_for(delay);
  while (access_.busy) wait(access_.done);
  access_.busy = true;
  access_.write = payload.is_write();
  access_.addr = uint32_t(payload.get_address());
  if (access_.write) std::memcpy(&access_.data, payload.get_data_ptr(), 4);
  access_.awvalid = access_.wvalid = access_.write;
  access_.arvalid = !access_.write;
  while (access_.awvalid || access_.wvalid || access_.arvalid || access_.on_pins)
    wait(access_.done);
  if (!access_.write) std::memcpy(payload.get_data_ptr(), &access_.data, 4);
  payload.set_response_status(access_.response == 0        ? tlm::TLM_OK_RESPONSE
                              : access_.response == DECERR ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                                           : tlm::TLM_GENERIC_ERROR_RESPONSE);
  access_.busy = false;
  access_.done.notify();  // whoever waits for the bus
}

void packet_switch::take(inlet &into, unsigned port, tlm_generic_payload &payload, sc_time &delay) {
  if (!payload.is_write()) return payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
  if (payload.get_data_length() == 0)
    return payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
  if (unusual(payload)) return;
  wait_for(delay);
  const packet_info *info = payload.get_extension<packet_info>();
  arriving a = {
      payload.get_data_ptr(), payload.get_data_length(), 0, port, info && info->bad, false, false};
  into.waiting.push_back(&a);
  while (!a.done) wait(into.done);
  payload.set_response_status(a.failed ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
}

void packet_switch::take_control(tlm_generic_payload &payload, sc_time &delay) {
  take(control_into_, 0, payload, delay);
}

void packet_switch::take_packet(int port, tlm_generic_payload &payload, sc_time &delay) {
  take(lane_in_[unsigned(port) % lanes], unsigned(port), payload, delay);
}

// ---- the rising edge ----------------------------------------------------------------------------

// The chip has taken the beat that was at its inputs.
void packet_switch::taken(inlet &from) {
  arriving *a = from.waiting.front();
  a->sent += from.on_pins;
  from.on_pins = 0;
  if (a->sent < a->len) return;
  a->done = true;
  from.waiting.pop_front();
  from.done.notify(SC_ZERO_TIME);
}

void packet_switch::collect(outlet &into, const uint8_t *bytes, size_t len, bool last,
                            unsigned port, uint32_t ticket) {
  into.beats.insert(into.beats.end(), bytes, bytes + len);
  if (!last) return;
  into.finished.push_back({std::move(into.beats), port, ticket});
  into.beats.clear();
  into.arrived.notify(SC_ZERO_TIME);
}

void packet_switch::sample_register() {
  if (csr_awready_o.read()) access_.awvalid = false;
  if (csr_wready_o.read()) access_.wvalid = false;
  if (csr_arready_o.read()) access_.arvalid = false;
  if (!(access_.write ? csr_bvalid_o : csr_rvalid_o).read()) return;
  access_.response = unsigned(get_bits((access_.write ? csr_bresp_o : csr_rresp_o).read(), 0, 2));
  if (!access_.write) access_.data = uint32_t(get_bits(csr_rdata_o.read(), 0, 32));
  access_.on_pins = false;
  access_.done.notify(SC_ZERO_TIME);
}

void packet_switch::sample() {
  uint8_t bytes[beat_bytes];
  if (!rst_ni.read()) return give_up();
  const auto &valid = tx_valid_o.read(), &last = tx_last_o.read();
  for (unsigned l = 0; l < lanes; l++) {
    if (lane_in_[l].on_pins) taken(lane_in_[l]);
    if (!lane_out_[l].ready || !get_bits(valid, l, 1)) continue;
    const size_t len =
        size_t(__builtin_popcountll(get_bits(tx_keep_o.read(), l * beat_bytes, beat_bytes)));
    get_bytes(tx_data_o.read(), 8 * beat_bytes * l, bytes, len);
    collect(lane_out_[l], bytes, len, get_bits(last, l, 1) != 0,
            unsigned(get_bits(tx_port_o.read(), 8 * l, 8)),
            uint32_t(get_bits(tx_ticket_o.read(), 32 * l, 32)));
  }
  if (control_into_.on_pins && ctl_rx_ready_o.read()) taken(control_into_);
  if (control_from_.ready && ctl_tx_valid_o.read()) {
    const size_t len = size_t(__builtin_popcountll(get_bits(ctl_tx_keep_o.read(), 0, beat_bytes)));
    get_bytes(ctl_tx_data_o.read(), 0, bytes, len);
    collect(control_from_, bytes, len, ctl_tx_last_o.read(), 0, 0);
  }
  if (access_.on_pins) sample_register();
}

// In reset: what waits is refused, half packets are gone.
void packet_switch::give_up() {
  const auto refuse = [](inlet &from) {
    for (arriving *a : from.waiting) a->done = a->failed = true;
    from.waiting.clear();
    from.on_pins = 0;
    from.done.notify(SC_ZERO_TIME);
  };
  for (inlet &i : lane_in_) refuse(i);
  refuse(control_into_);
  for (outlet &o : lane_out_) o.beats.clear();
  control_from_.beats.clear();
  if (!access_.busy) return;
  access_.awvalid = access_.wvalid = access_.arvalid = access_.on_pins = false;
  access_.response = SLVERR;
  access_.done.notify(SC_ZERO_TIME);
}

// ---- the falling edge ---------------------------------------------------------------------------

// Bytes of the beat that is at the chip's inputs next: what is there already stays until it is
// taken.
size_t packet_switch::next_beat(inlet &from, bool *last) {
  if (from.waiting.empty() || !rst_ni.read()) return 0;
  const arriving &a = *from.waiting.front();
  const size_t left = a.len - a.sent;
  from.on_pins = std::min(left, size_t(beat_bytes));
  *last = from.on_pins == left;
  return from.on_pins;
}

void packet_switch::drive() {
  const auto ready = [this](outlet &o) { return o.ready = rst_ni.read() && o.finished.size() < 2; };
  for (unsigned l = 0; l < lanes; l++) {
    bool last = false;
    const size_t len = next_beat(lane_in_[l], &last);
    put_bits(valid_, l, 1, len != 0);
    put_bits(ready_, l, 1, ready(lane_out_[l]));
    if (!len) continue;
    const arriving &a = *lane_in_[l].waiting.front();
    put_bytes(data_, 8 * beat_bytes * l, a.bytes + a.sent, len, beat_bytes);
    put_bits(keep_, beat_bytes * l, beat_bytes, keep_of(len));
    put_bits(last_, l, 1, last);
    put_bits(err_, l, 1, last && a.bad);
    put_bits(port_, 8 * l, 8, a.port);
  }
  rx_valid_i.write(valid_);
  rx_data_i.write(data_);
  rx_keep_i.write(keep_);
  rx_last_i.write(last_);
  rx_err_i.write(err_);
  rx_port_i.write(port_);
  tx_ready_i.write(ready_);

  bool last = false;
  const size_t len = next_beat(control_into_, &last);
  ctl_rx_valid_i.write(len != 0);
  if (len) {
    const arriving &a = *control_into_.waiting.front();
    pins_of<decltype(Vchip::ctl_rx_data_i)> data;
    put_bytes(data, 0, a.bytes + a.sent, len, beat_bytes);
    ctl_rx_data_i.write(data);
    ctl_rx_keep_i.write(keep_of(len));
    ctl_rx_last_i.write(last);
  }
  ctl_tx_ready_i.write(ready(control_from_));

  if (access_.awvalid || access_.wvalid || access_.arvalid) access_.on_pins = true;
  csr_awvalid_i.write(access_.awvalid);
  csr_wvalid_i.write(access_.wvalid);
  csr_arvalid_i.write(access_.arvalid);
  csr_bready_i.write(access_.on_pins && access_.write);
  csr_rready_i.write(access_.on_pins && !access_.write);
  csr_awaddr_i.write(access_.addr);
  csr_araddr_i.write(access_.addr);
  csr_wdata_i.write(access_.data);
  csr_wstrb_i.write(WHOLE_WORD);
}

// ---- packets that leave -------------------------------------------------------------------------

void packet_switch::deliver(outlet &from, bool control) {
  for (;;) {
    while (from.finished.empty()) sc_core::wait(from.arrived);
    packet &p = from.finished.front();
    packet_info info;
    tlm_generic_payload payload;
    sc_time delay = SC_ZERO_TIME;
    info.ticket = p.ticket;
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_data_ptr(p.bytes.data());
    payload.set_data_length(unsigned(p.bytes.size()));
    payload.set_streaming_width(unsigned(p.bytes.size()));
    if (!control) payload.set_extension(&info);
    (control ? control_out : out[p.port])->b_transport(payload, delay);
    payload.clear_extension(&info);
    if (payload.is_response_error())
      SC_REPORT_WARNING("sluice",
                        ("a packet was not taken: " + payload.get_response_string()).c_str());
    wait_for(delay);
    from.finished.pop_front();
  }
}

}  // namespace sluice
