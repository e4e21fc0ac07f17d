// SPDX-License-Identifier: Apache-2.0
// ERROR 5:12 argument 'c' of 'P' is C<bit<16>>, and not c
control C<T>(inout T t); package P<T>(C<T> c);
control c(inout bit<8> x) { apply { } }
P<bit<16>>(c()) main;
