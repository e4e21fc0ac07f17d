// SPDX-License-Identifier: Apache-2.0
// ERROR 6:3 a packet is written in controls: 'emit' is called in a parser
#include <core.p4>
header H { bit<8> x; }
parser c(packet_out p, in H h) { state start { 
  p.emit(h);
  transition accept; } }
