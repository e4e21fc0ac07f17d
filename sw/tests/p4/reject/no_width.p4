// SPDX-License-Identifier: Apache-2.0
// A number without a width is no value of a packet's time: a parameter with a direction cannot get it, however its type is found.
#include <core.p4>
#include <v1model.p4>
extern void take<T>(in T a);
extern void give<T>(out T a, in T b);
extern void log<T>(T a);
control c(inout bit<16> x) {
  apply {
    take(1);
    take({8w1, 2});
    take({8w1, {x, true, 3}});
    give(_, 7);
    give(x, 7);
    take<bit<4>>(1);
    take({8w1, 2w1});
    log(5);
    hash(x, HashAlgorithm.crc16, 0, {x, 16w0}, 32w9);
    hash(x, HashAlgorithm.crc16, 16w0, {x, 0}, 32w9);
  }
}
// ERROR 10:10 a number without a width in argument 'a' of 'take'
// ERROR 11:16 a number without a width in argument 'a' of 'take'
// ERROR 12:26 a number without a width in argument 'a' of 'take'
// ERROR 13:13 a number without a width in argument 'b' of 'give'
// ERROR 18:34 a number without a width in argument 'base' of 'hash'
// ERROR 19:44 a number without a width in argument 'data' of 'hash'
