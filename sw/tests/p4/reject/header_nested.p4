// SPDX-License-Identifier: Apache-2.0
// ERROR 5:2 a header has no field of type H
header H { bit<8> x; }
header G { 
 H h; }
