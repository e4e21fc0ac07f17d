// SPDX-License-Identifier: Apache-2.0
control c(inout bit<8> x) { action a() {} action b() {} action d() {} table t { actions = { a; b; d; } default_action = a; } apply { switch (t.apply().action_run) { a: b: { x = 1; } default: { x = 2; } } switch (t.apply().action_run) { a: { return; } } if (!t.apply().hit) { } else { x = 3; } bool q = t.apply().hit && x == 1; } }
