// SPDX-License-Identifier: Apache-2.0
control c(inout bit<8> x) { action a(bit<8> v) { if (v == 1) { x = 2; return; } else if (v == 2) exit; x = v; { bit<8> v = 3; x = v; } } table t { actions = { a(); } default_action = a(1); } apply { t.apply(); } }
