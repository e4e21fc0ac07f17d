// SPDX-License-Identifier: Apache-2.0
error { A, B } struct M { error e; } control c(inout M m) { apply { m.e = error.A; if (m.e == error.B || m.e != error.A) {} switch (m.e) { error.A: {} default: {} } } }
