// SPDX-License-Identifier: Apache-2.0
#include "traffic.h"

#include <algorithm>

extern "C" {
#include "lib/capture.h"
#include "lib/deal.h"
}

#include "packet_info.h"

namespace sluice {

enum {
  FLIPPED_BYTE = 11,  // of the source address: no program looks at it, and it leaves as it came
  TAGGED_MOST = 68,   // bytes that a tag and the padding to 64 bytes add
};

bool fault::apply(std::vector<uint8_t> &bytes, uint64_t at) const {
  if (what == none || at != number) return true;
  if (what == cut) bytes.pop_back();
  if (what == flip) bytes[FLIPPED_BYTE] ^= 1;
  return what != lose;
}

// ---- in -----------------------------------------------------------------------------------------

source::source(sc_core::sc_module_name name, const struct sluice_config *config, timebase &time)
    : sc_module(name),
      out("out", config->NumPorts),
      config_(config),
      time_(time),
      lanes_(config->NumPipes) {
  for (unsigned l = 0; l < config->NumPipes; l++) sc_core::sc_spawn([this, l] { play_lane(l); });
}

std::string source::load(const std::string &path, unsigned vid, const fault &broken) {
  struct sluice_capture *capture;
  struct sluice_packet p;
  struct sluice_error error;
  struct sluice_deal deal = {};
  uint64_t first = 0, last = 0, number = 0;
  enum sluice_status status = sluice_capture_open(&capture, path.c_str(), &error);
  if (status) return error.text;
  deal.config = config_;
  while (!(status = sluice_capture_next(capture, &p, &error)) && p.bytes) {
    frame f;
    f.bytes.resize(p.len + TAGGED_MOST);
    f.bytes.resize(sluice_frame_tag(f.bytes.data(), f.bytes.size(), p.bytes, p.len, vid, false));
    // The order of the capture counts: a packet with an earlier time stamp goes with the one before
    // it.
    if (number++ == 0) first = last = p.time_ns;
    last = std::max(last, p.time_ns);
    f.due = last - first;
    f.port = sluice_deal_port(&deal, p.interface, f.bytes.data(), f.bytes.size());
    if (broken.apply(f.bytes, number))
      lanes_[f.port % config_->NumPipes].push_back(f);
  }
  sluice_capture_close(capture);
  num_packets_ = size_t(number);
  return status ? error.text : "";
}

void source::play(uint64_t start) {
  start_ = start;
  left_ = lanes_.size();
  begin_.notify(sc_core::SC_ZERO_TIME);
}

void source::play_lane(unsigned lane) {
  sc_core::wait(begin_);
  for (frame &f : lanes_[lane]) {
    const sc_core::sc_time due = time_.end_of(start_ + f.due);
    if (due > sc_core::sc_time_stamp()) sc_core::wait(due - sc_core::sc_time_stamp());
    tlm::tlm_generic_payload payload;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_data_ptr(f.bytes.data());
    payload.set_data_length(unsigned(f.bytes.size()));
    payload.set_streaming_width(unsigned(f.bytes.size()));
    out[f.port]->b_transport(payload, delay);
    if (payload.is_response_error())
      SC_REPORT_ERROR(
          "sluice", ("the chip does not take a packet: " + payload.get_response_string()).c_str());
  }
  if (--left_ == 0) done.notify(sc_core::SC_ZERO_TIME);
}

// ---- out ----------------------------------------------------------------------------------------

sink::sink(sc_core::sc_module_name name, unsigned ports, unsigned lanes, timebase &time,
           unsigned slow)
    : sc_module(name), in("in", ports), time_(time), lanes_(lanes), slow_(slow) {
  for (unsigned p = 0; p < ports; p++) in[p].register_b_transport(this, &sink::take, int(p));
}

void sink::take(int port, tlm::tlm_generic_payload &payload, sc_core::sc_time &) {
  const packet_info *info = payload.get_extension<packet_info>();
  const uint8_t *bytes = payload.get_data_ptr();
  packets_.push_back({time_.cycle(), unsigned(port), info ? info->ticket : 0,
                      std::vector<uint8_t>(bytes, bytes + payload.get_data_length())});
  if (slow_) wait(time_.cycles(slow_));
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

std::string sink::write(const std::string &path, uint64_t start, const fault &broken) {
  struct sluice_capture_writer *to;
  struct sluice_error error;
  uint64_t number = 0;
  // Several lanes may end a packet in one cycle. The lowest first, as everywhere.
  std::stable_sort(packets_.begin(), packets_.end(), [this](const packet &a, const packet &b) {
    return a.cycle != b.cycle ? a.cycle < b.cycle : a.port % lanes_ < b.port % lanes_;
  });
  const enum sluice_status status =
      sluice_capture_is_pcapng(path.c_str())
          ? sluice_capture_create_ports(&to, path.c_str(), unsigned(in.size()), &error)
          : sluice_capture_create(&to, path.c_str(), &error);
  if (status) return error.text;
  for (packet &p : packets_) {
    const std::string comment = "ticket " + std::to_string(p.ticket);
    if (broken.apply(p.bytes, ++number))
      sluice_capture_write_at(to, p.bytes.data(), p.bytes.size(), p.cycle - start, p.port,
                              comment.c_str());
  }
  return sluice_capture_finish(to, &error) ? error.text : "";
}

}  // namespace sluice
