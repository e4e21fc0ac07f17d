// SPDX-License-Identifier: Apache-2.0
// ERROR 4:9 every parser has the state 'accept'; it is not declared
parser p() { state start { transition accept; }
  state accept { transition reject; }
}
