// SPDX-License-Identifier: Apache-2.0
// ERROR 5:11 table 't' has no default_action, and NoAction is not known; include <core.p4>
control c() {
    action a() { }
    table t { actions = { a; } }
    apply { t.apply(); }
}
