// SPDX-License-Identifier: Apache-2.0
// ERROR 4:3 'table' where a state, a variable, or an instance should be
parser p() {
  table t { actions = {} }
  state start { transition accept; } }
