// SPDX-License-Identifier: Apache-2.0
// ERROR 6:3 a packet is read in parsers: 'extract' is called in a control
#include <core.p4>
header H { bit<8> x; }
control c(packet_in p, out H h) { apply { 
  p.extract(h);
} }
