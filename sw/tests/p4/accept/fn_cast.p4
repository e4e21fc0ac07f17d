// SPDX-License-Identifier: Apache-2.0
extern T f<T>(T data);
control proto(); control c() { action a() { bit<8> z = f<bit<8>>(3); bit<8> y = f(8w3); } apply { a(); } } package t(proto p); t(c()) main;
