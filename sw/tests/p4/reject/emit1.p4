// SPDX-License-Identifier: Apache-2.0
// ERROR 5:9 what is emitted is a header, a stack, a union or a struct of such, and not bit<8>
#include <core.p4>
control d(packet_out p, in bit<8> x) { apply {
 p.emit(x);
 } }
