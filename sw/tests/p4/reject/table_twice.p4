// SPDX-License-Identifier: Apache-2.0
// ERROR 5:39 a table has 'actions' once
#include <core.p4>
control c() {
    table t { actions = { NoAction; } actions = { NoAction; } }
    apply { }
}
