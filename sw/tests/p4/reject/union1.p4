// SPDX-License-Identifier: Apache-2.0
// ERROR 5:3 a header union has no field of type bit<8>
header H { bit<8> a; }
header_union U { H h; 
  bit<8> b; }
