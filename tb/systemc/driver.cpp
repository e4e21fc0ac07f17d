// SPDX-License-Identifier: Apache-2.0
#include "driver.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace sluice {

// An answer comes within some hundred cycles; the transport waits so long.
enum { PATIENCE_CYCLES = 100000 };

static enum sluice_status fail(struct sluice_error *error, enum sluice_status status,
                               const char *format, ...) __attribute__((format(printf, 3, 4)));
static enum sluice_status fail(struct sluice_error *error, enum sluice_status status,
                               const char *format, ...) {
  va_list args;
  if (!error) return status;
  va_start(args, format);
  vsnprintf(error->text, sizeof error->text, format, args);
  va_end(args);
  return status;
}

driver::driver(sc_core::sc_module_name name, timebase &time) : sc_module(name), time_(time) {
  answers.register_b_transport(this, &driver::take_answer);
}

void driver::take_answer(tlm::tlm_generic_payload &payload, sc_core::sc_time &) {
  waiting_.emplace_back(payload.get_data_ptr(), payload.get_data_ptr() + payload.get_data_length());
  arrived_.notify(sc_core::SC_ZERO_TIME);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

// Sends `len` bytes to a socket, and waits until they are taken.
template <class Socket>
static std::string send(Socket &to, tlm::tlm_command command, uint64_t addr, uint8_t *bytes,
                        size_t len) {
  tlm::tlm_generic_payload payload;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  payload.set_command(command);
  payload.set_address(addr);
  payload.set_data_ptr(bytes);
  payload.set_data_length(unsigned(len));
  payload.set_streaming_width(unsigned(len));
  to->b_transport(payload, delay);
  if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
  return payload.is_response_ok() ? "" : payload.get_response_string();
}

enum sluice_status driver::reg(void *self, tlm::tlm_command command, uint32_t addr, uint32_t *value,
                               struct sluice_error *error) {
  driver &d = *static_cast<driver *>(self);
  const std::string why =
      send(d.registers, command, addr, reinterpret_cast<uint8_t *>(value), sizeof *value);
  if (why.empty()) return SLUICE_OK;
  return fail(error, SLUICE_ERR_IO, "register 0x%05x: %s answered %s", addr,
              command == tlm::TLM_READ_COMMAND ? "read" : "write", why.c_str());
}

enum sluice_status driver::csr_read(void *self, uint32_t addr, uint32_t *value,
                                    struct sluice_error *error) {
  return reg(self, tlm::TLM_READ_COMMAND, addr, value, error);
}

enum sluice_status driver::csr_write(void *self, uint32_t addr, uint32_t value,
                                     struct sluice_error *error) {
  return reg(self, tlm::TLM_WRITE_COMMAND, addr, &value, error);
}

enum sluice_status driver::control_send(void *self, const uint8_t *bytes, size_t len,
                                        struct sluice_error *error) {
  driver &d = *static_cast<driver *>(self);
  std::vector<uint8_t> frame(bytes, bytes + len);
  const std::string why = send(d.control, tlm::TLM_WRITE_COMMAND, 0, frame.data(), len);
  return why.empty()
             ? SLUICE_OK
             : fail(error, SLUICE_ERR_IO, "control port: a frame was answered %s", why.c_str());
}

enum sluice_status driver::control_receive(void *self, uint8_t *bytes, size_t room, size_t *len,
                                           struct sluice_error *error) {
  driver &d = *static_cast<driver *>(self);
  *len = 0;
  if (d.waiting_.empty()) sc_core::wait(d.time_.cycles(PATIENCE_CYCLES), d.arrived_);
  if (d.waiting_.empty()) return SLUICE_OK;
  const std::vector<uint8_t> frame = std::move(d.waiting_.front());
  d.waiting_.pop_front();
  if (frame.size() > room)
    return fail(error, SLUICE_ERR_FORMAT, "an answer of %zu bytes, more than %zu", frame.size(),
                room);
  std::memcpy(bytes, frame.data(), *len = frame.size());
  return SLUICE_OK;
}

static enum sluice_status not_here(struct sluice_error *error) {
  return fail(error, SLUICE_ERR_RANGE, "the data ports of this chip are bound in SystemC");
}
static enum sluice_status packet_send(void *, unsigned, const uint8_t *, size_t,
                                      struct sluice_error *error) {
  return not_here(error);
}
static enum sluice_status packet_receive(void *, struct sluice_packet_out *,
                                         struct sluice_error *error) {
  return not_here(error);
}

enum sluice_status driver::wait_cycles(void *self, uint64_t cycles, struct sluice_error *) {
  if (cycles) sc_core::wait(static_cast<driver *>(self)->time_.cycles(cycles));
  return SLUICE_OK;
}

enum sluice_status driver::reset(void *self, struct sluice_error *) {
  driver &d = *static_cast<driver *>(self);
  d.time_.reset();
  d.waiting_.clear();
  return SLUICE_OK;
}

static void close(void *) {}

const struct sluice_transport_ops driver::ops_ = {
    .kind = "SystemC",
    .csr_read = csr_read,
    .csr_write = csr_write,
    .control_send = control_send,
    .control_receive = control_receive,
    .packet_send = packet_send,
    .packet_receive = packet_receive,
    .wait = wait_cycles,
    .reset = reset,
    .close = close,
    .csr_read_many = nullptr,
    .tell = nullptr,
    .story = nullptr,
    .story_free = nullptr,
    .packet_send_at = nullptr,
};

struct sluice_transport driver::transport() {
  return {&ops_, this, SLUICE_PACKET_MAX};
}

}  // namespace sluice
