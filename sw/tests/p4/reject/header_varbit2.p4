// SPDX-License-Identifier: Apache-2.0
// ERROR 8:3 extract with two arguments takes a header with one varbit
header G { 
 varbit<8> h;
 varbit<8> j; } 
#include <core.p4>
parser p(packet_in b, out G g) { state start { 
  b.extract(g, 32w8);
  transition accept; } }
