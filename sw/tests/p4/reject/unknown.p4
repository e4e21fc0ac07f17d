// SPDX-License-Identifier: Apache-2.0
// ERROR 10:19 unknown name 'cuont'; is 'count' meant?
// ERROR 11:9 unknown name 'nothing'
// ERROR 12:9 H has no 'tll'; is 'ttl' meant?
// ERROR 13:9 unknown type 'Count'
header H { bit<8> ttl; }
control c(inout H hdr) {
    bit<8> count = 0;
    apply {
        hdr.ttl = cuont + 1;
        nothing = 3;
        hdr.tll = 1;
        Count() x;
    }
}
