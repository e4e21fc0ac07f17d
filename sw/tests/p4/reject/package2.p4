// SPDX-License-Identifier: Apache-2.0
// ERROR 12:1 'V1Switch' takes 6 arguments, and gets 5
#include <core.p4>
#include <v1model.p4>

struct H { }
struct M { }
parser P(packet_in b, out H h, inout M m, inout standard_metadata_t s) { state start { transition accept; } }
control V(inout H h, inout M m) { apply { } }
control E(inout H h, inout M m, inout standard_metadata_t s) { apply { } }
control D(packet_out b, in H h) { apply { } }
V1Switch(P(), V(), E(), E(), V()) main;
