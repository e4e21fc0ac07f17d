// SPDX-License-Identifier: Apache-2.0
// The type of a block tells what the block gets, so it has no defaults; `_` is no member of a tuple.
control c(in bit<8> a = 1);
parser p(inout bit<8> a, in bit<8> b = 2);
control d(in bit<8> a = 3) { apply {} }
control e(in tuple<_, bit<8>> t) { apply {} }
struct s_t<T> { T t; }
const s_t<_> constant = { t = 8w1 };
// ERROR 3:21 parameter 'a' is one of the type of a parser or control, so it has no default
// ERROR 4:36 parameter 'b' is one of the type of a parser or control, so it has no default
// ERROR 6:20 '_' is no type of a value
// ERROR 8:7 '_' is no type of a value in 's_t'
