// SPDX-License-Identifier: Apache-2.0
enum bit<16> ET { V4 = 0x800, V6 = 0x86dd } header E { bit<48> d; ET t; } control c(inout E e, inout bit<16> x) { apply { e.t = (ET)x; x = e.t; x = (bit<16>)e.t; if (e.t == ET.V4) {} bool b = (bit<16>)ET.V4 < x; bit<16> y = x + ET.V6; e.t = ET.V4; ET k = (ET)0; } }
