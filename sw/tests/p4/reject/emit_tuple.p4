// SPDX-License-Identifier: Apache-2.0
// ERROR 6:68 what is emitted is a header
#include <core.p4>

header H { bit<8> x; }
control d(packet_out b, in H h) { apply { b.emit({ h, h }); b.emit({ h, h.x }); } }
