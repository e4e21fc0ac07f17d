// SPDX-License-Identifier: Apache-2.0
// ERROR 6:34 argument 'index' of 'resubmit_preserving_field_list' is known at compile time
#include <v1model.p4>
struct M { bit<8> x; } 
control I(inout M m) { apply { 
  resubmit_preserving_field_list(m.x);
} }
