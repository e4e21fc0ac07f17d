// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_SYSTEMC_PINS_H
#define SLUICE_SYSTEMC_PINS_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <systemc>
#include <type_traits>

/// Vectors of pins of a Verilated chip, which are bool or sc_bv (`verilator --sc --pins-bv 2`): a
/// slice for each lane. Of two lanes with beats of 64 bytes, byte 3 of lane 1 is bits [543:536] of
/// rx_data_i.
namespace sluice {

/// The type that a port of the Verilated class carries, and a signal to bind it to.
template <class Port>
using pins_of = typename std::remove_reference_t<Port>::data_type;
template <class Port>
using signal_of = sc_core::sc_signal<pins_of<Port>>;

template <class Pins>
struct width_of;
template <>
struct width_of<bool> {
  static constexpr unsigned value = 1;
};
template <int W>
struct width_of<sc_dt::sc_bv<W>> {
  static constexpr unsigned value = W;
};

/// `bits` bits (at most 64) from bit `at` on.
inline uint64_t get_bits(bool pins, unsigned, unsigned) { return pins; }
template <int W>
uint64_t get_bits(const sc_dt::sc_bv<W> &pins, unsigned at, unsigned bits) {
  return pins.range(int(at + bits - 1), int(at)).to_uint64();
}
inline void put_bits(bool &pins, unsigned, unsigned, uint64_t value) { pins = value != 0; }
template <int W>
void put_bits(sc_dt::sc_bv<W> &pins, unsigned at, unsigned bits, uint64_t value) {
  pins.range(int(at + bits - 1), int(at)) = sc_dt::uint64(value);
}

/// The bytes of a beat: `len` of them, from bit `at` on, which begins a word of 32 bits.
template <int W>
void get_bytes(const sc_dt::sc_bv<W> &pins, unsigned at, uint8_t *bytes, size_t len) {
  for (size_t n = 0; n < len; n++)
    bytes[n] = uint8_t(pins.get_word(int(at / 32 + n / 4)) >> (8 * (n % 4)));
}
/// The rest of `room` bytes is 0.
template <int W>
void put_bytes(sc_dt::sc_bv<W> &pins, unsigned at, const uint8_t *bytes, size_t len, size_t room) {
  for (size_t word = 0; word < room / 4; word++) {
    uint32_t value = 0;
    for (size_t n = 0; n < 4 && 4 * word + n < len; n++)
      value |= uint32_t(bytes[4 * word + n]) << (8 * n);
    pins.set_word(int(at / 32 + word), value);
  }
}

}  // namespace sluice

#endif
