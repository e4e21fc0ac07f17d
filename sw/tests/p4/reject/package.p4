// SPDX-License-Identifier: Apache-2.0
// ERROR 14:20 argument 'ig' of 'V1Switch' is I, which does not go with the other arguments
#include <core.p4>
#include <v1model.p4>

struct H { }
struct M { }
struct N { }
parser P(packet_in b, out H h, inout M m, inout standard_metadata_t s) { state start { transition accept; } }
control V(inout H h, inout M m) { apply { } }
control I(inout H h, inout N m, inout standard_metadata_t s) { apply { } }
control E(inout H h, inout M m, inout standard_metadata_t s) { apply { } }
control D(packet_out b, in H h) { apply { } }
V1Switch(P(), V(), I(), E(), V(), D()) main;
