// SPDX-License-Identifier: Apache-2.0
// ERROR 3:21 '-' where a width should be
control c(inout bit<-3> a) { apply { } }
