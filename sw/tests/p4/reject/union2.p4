// SPDX-License-Identifier: Apache-2.0
// ERROR 6:3 'setValid' is for a header, and not for a whole union; name its member
header H { bit<8> a; }
header_union U { H h; }
control d(inout U u) { apply { 
  u.setValid();
} }
