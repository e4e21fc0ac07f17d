// SPDX-License-Identifier: Apache-2.0
// ERROR 3:8 parser 'p' has no state 'start'
parser p() {
  state a { transition accept; }
}
