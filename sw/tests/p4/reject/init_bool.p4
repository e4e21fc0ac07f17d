// SPDX-License-Identifier: Apache-2.0
// ERROR 4:12 variable 'b' is bool, and not int; a cast is (bool)
control c() { apply { 
  bool b = 1;
} }
