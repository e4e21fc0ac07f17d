// SPDX-License-Identifier: Apache-2.0
// ERROR 12:35 argument 'dep' of 'V1Switch' is Deparser<H>, and not D
#include <core.p4>
#include <v1model.p4>

struct H { }
struct M { }
parser P(packet_in b, out H h, inout M m, inout standard_metadata_t s) { state start { transition accept; } }
control V(inout H h, inout M m) { apply { } }
control E(inout H h, inout M m, inout standard_metadata_t s) { apply { } }
control D(packet_out b, inout H h) { apply { } }
V1Switch(P(), V(), E(), E(), V(), D()) main;
