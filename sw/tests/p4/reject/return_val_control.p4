// SPDX-License-Identifier: Apache-2.0
// ERROR 4:10 nothing is returned from here
control c() { apply { 
  return 1;
} }
