// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_SYSTEMC_TIMEBASE_H
#define SLUICE_SYSTEMC_TIMEBASE_H

#include <cstdint>
#include <systemc>

namespace sluice {

/// Clock and reset of the platform, and its count of cycles: cycle 0 ends with the first rising
/// edge of the clock that the chip sees out of reset, as in the simulators of `sluice run`. A cycle
/// takes 1 ns.
class timebase : public sc_core::sc_module {
 public:
  sc_core::sc_clock clock;
  sc_core::sc_signal<bool> reset_n{"reset_n"};

  explicit timebase(sc_core::sc_module_name name);

  /// Resets the chip, and counts anew. Called in a thread; returns when the chip is out of reset.
  void reset();
  /// The cycle that ended last, or ends now.
  uint64_t cycle() const;
  /// When a cycle ends.
  sc_core::sc_time end_of(uint64_t cycle) const;
  /// So many cycles.
  sc_core::sc_time cycles(uint64_t num) const;

 private:
  sc_core::sc_time first_;  // end of cycle 0
};

}  // namespace sluice

#endif
