// SPDX-License-Identifier: Apache-2.0
// ERROR 4:18 a width that is no number stands in brackets: <(W)>
const bit<8> W = 8;
control c(in bit<W> x) { apply { } }
