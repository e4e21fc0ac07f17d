// SPDX-License-Identifier: Apache-2.0
// ERROR 4:16 parameter 'a' of type X has no direction
extern X { X(); }
control d(in X a) { apply {} }
