// SPDX-License-Identifier: Apache-2.0
#include "timebase.h"

namespace sluice {

enum { RESET_CYCLES = 8 };

timebase::timebase(sc_core::sc_module_name name)
    : sc_module(name), clock("clock", 1, sc_core::SC_NS) {}

void timebase::reset() {
  wait(clock.negedge_event());
  reset_n.write(false);
  for (int n = 0; n < RESET_CYCLES; n++) wait(clock.negedge_event());
  reset_n.write(true);
  first_ = sc_core::sc_time_stamp() + clock.period() / 2;
}

uint64_t timebase::cycle() const {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  return now < first_ ? 0 : (now - first_).value() / clock.period().value();
}

sc_core::sc_time timebase::end_of(uint64_t cycle) const {
  return first_ + cycles(cycle);
}

sc_core::sc_time timebase::cycles(uint64_t num) const {
  return clock.period() * double(num);
}

}  // namespace sluice
