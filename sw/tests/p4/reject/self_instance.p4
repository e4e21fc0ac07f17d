// SPDX-License-Identifier: Apache-2.0
// ERROR 4:3 'd' is made within itself
control d() {
  d() x;
 apply { x.apply(); } }
