// SPDX-License-Identifier: Apache-2.0
struct E { } header EH { } control c(inout E e, inout EH h) { apply { E f = {}; e = f; h = {}; h.setValid(); } }
