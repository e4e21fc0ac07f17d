// SPDX-License-Identifier: Apache-2.0
// ERROR 3:9 'c' has a body, so it has no type parameters
control c<T>(inout T x) { apply { } }
