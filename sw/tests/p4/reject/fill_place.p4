// SPDX-License-Identifier: Apache-2.0
// `...` fills what is assigned or initialized, and nothing else.
struct s_t { bit<8> a; bit<8> b; }
extern void take(in s_t s);
s_t give(in bit<8> a) {
  return {a, ...};
}
control c(inout s_t s) {
  s_t t = {1, ...};
  apply {
    s = {b = 2, ...};
    s = ...;
    if (s == {a = 1, ...}) {
      take({1, ...});
    }
    s = t == {1, ...} ? s : t;
    s = give(1);
  }
}
// ERROR 6:14 '...' stands in what is assigned, and not in what is returned
// ERROR 13:22 '...' stands in what is assigned, and not in a comparison
// ERROR 14:16 '...' stands in what is assigned, and not in an argument
// ERROR 16:18 '...' stands in what is assigned, and not in a comparison
