// SPDX-License-Identifier: Apache-2.0
// ERROR 3:9 'c' has a body and type parameters, which is not supported
control c<T>(inout T x) { apply { } }
