// SPDX-License-Identifier: Apache-2.0
// ERROR 13:20 the type that 'lookahead' gives is not known; write lookahead<T>
// ERROR 14:9 none of the methods 'extract' takes these arguments
// ERROR 15:9 'packet_in' has no method 'nothing'
// ERROR 16:9 'packet_in' has no method 'extrat'; is 'extract' meant?
// ERROR 21:14 'G' takes 1 type argument, and gets 0
// ERROR 21:22 'H' takes 0 type arguments, and gets 1
#include <core.p4>

header H { bit<8> x; }
parser p(packet_in b, out H h) {
    state start {
        bit<8> x = b.lookahead();
        b.extract<H, H>(h);
        b.nothing(h);
        b.extrat(h);
        transition accept;
    }
}
struct G<T> { T x; }
control c(in G g, in H<bit<8>> h) { apply { } }
