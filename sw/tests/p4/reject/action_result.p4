// SPDX-License-Identifier: Apache-2.0
// ERROR 4:7 the right side is bit<8>, and this call gives nothing
control c(inout bit<8> x) { action a() { x = 1; } apply { 
  x = a();
} }
