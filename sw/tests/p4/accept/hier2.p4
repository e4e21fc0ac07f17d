// SPDX-License-Identifier: Apache-2.0
header H { bit<8> x; } 
control C<H, M>(inout H h, inout M m); package S<H, M>(C<H, M> a, C<H, M> b); struct E {}
control c(inout H h, inout E m) { apply { } }
S<H, _>(c(), c()) main;
