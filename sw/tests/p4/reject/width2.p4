// SPDX-License-Identifier: Apache-2.0
// ERROR 4:21 a width that is no number stands in brackets: <(b)>
const bool b = true;
control c(inout bit<b> a) { apply { } }
